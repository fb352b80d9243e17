/* Where simulated moments come from. With a critical path every moment of a rank, a message or
 * an adapter is a node of a graph that names what it directly follows from: so the last
 * moment of a run knows its critical path, and how it depends on every parameter of the
 * machine. Nodes that nothing alive refers to are forgotten at once.
 *
 * Where two causes come to the same picosecond both are kept: what a parameter does if
 * it grows is the larger of both (the derivative to the right).
 * SPDX-License-Identifier: MIT */
#ifndef PD_CRITICAL_PATH_H
#define PD_CRITICAL_PATH_H

#include "base/pd-time.h"
#include "base/pd-units.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/state/pd-comsys-types.h"

G_BEGIN_DECLS

typedef struct _PdCriticalPath PdCriticalPath;

/* The use of the time between a moment and its predecessor. */
typedef enum
{
  PD_CRITICAL_START,
  PD_CRITICAL_TIE,         /* no time: two causes at the same moment */
  PD_CRITICAL_WORK,        /* computation; arg = place */
  PD_CRITICAL_DELAY,       /* time that no processor speed changes; arg = place */
  PD_CRITICAL_IO,          /* input and output; arg = place */
  PD_CRITICAL_SOFTWARE,    /* arg = PdCriticalSoftware, amount = times or bytes */
  PD_CRITICAL_FUNCTION,    /* overheads of functions */
  PD_CRITICAL_LIBRARY,     /* what the library above does with messages, which a faster processor
                              does faster; arg = PdLibraryPart, amount in 1/1024; or what it is
                              not told about, see pd_critical_set_explicit_work() */
  PD_CRITICAL_DATA,        /* a transfer; arg = network instance, amount = bytes */
  PD_CRITICAL_CONTROL,     /* likewise, of a message without payload */
  PD_CRITICAL_NETWORK_CPU, /* what a network asks of a processor for a message */
  PD_CRITICAL_LAUNCH,      /* endpoint resources: of the sender's processor; arg, amount as DATA, */
  PD_CRITICAL_GAP_SENT,    /* of the sending side of its adapter, */
  PD_CRITICAL_FLIGHT,      /* until the message arrives, */
  PD_CRITICAL_RECEIVE,     /* of the receiver's processor, */
  PD_CRITICAL_GAP_RECEIVED, /* of the receiving side of its adapter */
  PD_CRITICAL_OPERATION,    /* a collective operation, or an exchange, as a whole */
  PD_CRITICAL_UNTRACKED,    /* events that are not followed */
  PD_CRITICAL_N_KINDS,
} PdCriticalKind;

typedef enum
{
  PD_CRITICAL_SEND_OVERHEAD,
  PD_CRITICAL_RECV_OVERHEAD,
  PD_CRITICAL_WAIT_OVERHEAD,
  PD_CRITICAL_COPY_PER_BYTE,
  PD_CRITICAL_REDUCTION_PER_BYTE,
  PD_CRITICAL_N_SOFTWARE,
} PdCriticalSoftware;

/**
 * pd_critical_new:
 * @n_ranks: as of the communication system
 *
 * Returns: (transfer full): all ranks at moment 0, in place 0.
 */
PdCriticalPath *pd_critical_new (guint32 n_ranks);

/**
 * pd_critical_free:
 * @self: (nullable): the critical path; no communication system uses it any more
 */
void pd_critical_free (PdCriticalPath *self);

/**
 * pd_comsys_set_critical_path:
 * @critical: of as many ranks; must outlive @self
 *
 * From now on @critical is kept; before anything has happened. Ranks then act in the order
 * of time.
 */
void pd_comsys_set_critical_path (PdComsys *self, PdCriticalPath *critical);

/**
 * pd_critical_set_place:
 * @place: the caller's: what @rank computes in from now on
 */
void pd_critical_set_place (PdCriticalPath *self, guint32 rank, guint32 place);

/* Time that a rank has spent by itself, up to its clock. */
typedef struct
{
  guint32 rank; /* which acts */
  guint32 place;
  PdTime since;
  PdTime until;
} PdCriticalInterval;

/**
 * pd_critical_work:
 * @interval: in which its rank has computed
 *
 * Work without this notification has the place of pd_critical_set_place().
 */
void pd_critical_work (PdCriticalPath *self, const PdCriticalInterval *interval);

/**
 * pd_critical_delay:
 * @interval: time that does not depend on the speed of the processor
 */
void pd_critical_delay (PdCriticalPath *self, const PdCriticalInterval *interval);

/**
 * pd_critical_io:
 * @interval: in which its rank was in an I/O function
 */
void pd_critical_io (PdCriticalPath *self, const PdCriticalInterval *interval);

/**
 * pd_critical_library:
 * @interval: in which the library above MPI has done @part; its place is not used
 * @amount: in units of which the parameter of @part gives the cost, divided by the rank's speed
 */
void pd_critical_library (PdCriticalPath *self, const PdCriticalInterval *interval,
                          PdLibraryPart part, gdouble amount);

/**
 * pd_critical_set_explicit_work:
 *
 * From now on all computation is notified by pd_critical_work(); other time of a rank is not
 * computation, but work of a library.
 */
void pd_critical_set_explicit_work (PdCriticalPath *self);

/* ---- the result */

/* One parameter of the machine that the run time depends on. */
typedef struct
{
  char *path;         /* as for --set */
  PdUnit unit;        /* PD_UNIT_TIME, or PD_UNIT_PER_BYTE */
  gdouble value;      /* ps, or ps per byte */
  gdouble derivative; /* of the run time, if the parameter grows: times; or bytes */
  gdouble on_path;    /* the same along the one path that is listed */
} PdCriticalParam;

/* How much is computed in a place. */
typedef struct
{
  guint32 place;
  PdTime on_path;    /* along the one path that is listed */
  PdTime derivative; /* of the run time to the logarithm of the time in this place */
} PdCriticalPlace;

/* A piece of the path: a rank does one kind of thing. */
typedef struct
{
  guint32 rank;  /* of a transfer, who sends */
  guint32 peer;  /* of a transfer, who receives; else as @rank */
  guint32 place; /* of computation */
  PdCriticalKind kind;
  guint32 n; /* so many of the kind in a row */
  PdTime begin;
  PdTime end;
} PdCriticalSegment;

/* Everything that ends in the last moment of a run. */
typedef struct
{
  guint32 rank; /* that ends last; of several the lowest */
  PdTime makespan;
  GArray *params;   /* PdCriticalParam: of networks from the outermost, then software */
  GArray *places;   /* PdCriticalPlace, ascending: those with computation on the path */
  GArray *segments; /* PdCriticalSegment, from the beginning */
  PdTime spent[PD_CRITICAL_N_KINDS]; /* along the path, without @queued: the sum with that is
                                      * @makespan */
  PdTime queued;      /* transfers that have waited for others or shared with them, as far
                       * as no other transfer is named as the cause */
  PdTime unknown;     /* the part of @spent of transfers that no parameters are known for */
  gboolean is_shared; /* the machine has a network on which messages wait for each other */
  PdTime work;        /* derivative of @makespan to the logarithm of all computation */
  guint64 n_messages; /* transfers on the path, control messages included */
  guint64 n_nodes;    /* moments on the path */
  guint64 n_ties;     /* pairs of causes at the same moment that the result depends on */
} PdCriticalResult;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdCriticalPath, pd_critical_free)

G_END_DECLS

#endif
