/* Where simulated moments come from. With a trail every moment of a rank, a message or
 * an adapter is a node of a graph that names what it directly follows from: so the last
 * moment of a run knows its critical path, and how it depends on every parameter of the
 * machine. Nodes that nothing alive refers to are forgotten at once.
 *
 * Where two causes come to the same picosecond both are kept: what a parameter does if
 * it grows is the larger of both (the derivative to the right).
 * SPDX-License-Identifier: MIT */
#ifndef PD_TRAIL_H
#define PD_TRAIL_H

#include "comsys/pd-comsys.h"

G_BEGIN_DECLS

typedef struct _PdTrail PdTrail;

/* What the time between a moment and the one that it follows from has been spent with. */
typedef enum
{
  PD_TRAIL_START,
  PD_TRAIL_TIE,          /* no time: two causes at the same moment */
  PD_TRAIL_WORK,         /* computation; arg = place */
  PD_TRAIL_DELAY,        /* time that no processor speed changes; arg = place */
  PD_TRAIL_IO,           /* input and output, which a faster processor does faster; arg = place */
  PD_TRAIL_SOFTWARE,     /* arg = PdTrailSoftware, amount = times or bytes */
  PD_TRAIL_FUNCTION,     /* overheads of functions */
  PD_TRAIL_LIBRARY,      /* what the library above does with messages, see pd_trail_set_told() */
  PD_TRAIL_DATA,         /* a transfer; arg = network instance, amount = bytes */
  PD_TRAIL_CONTROL,      /* likewise, of a message without payload */
  PD_TRAIL_ASKED,        /* what a network asks of a processor for a message */
  PD_TRAIL_LAUNCH,       /* networks with ends: of the sender's processor; arg, amount as DATA, */
  PD_TRAIL_GAP_SENT,     /* of the sending side of its adapter, */
  PD_TRAIL_FLIGHT,       /* until the message arrives, */
  PD_TRAIL_RECEIVE,      /* of the receiver's processor, */
  PD_TRAIL_GAP_RECEIVED, /* of the receiving side of its adapter */
  PD_TRAIL_OPERATION,    /* a collective operation, or an exchange, as a whole */
  PD_TRAIL_OTHER,        /* what is not followed */
  PD_TRAIL_N_KINDS,
} PdTrailKind;

typedef enum
{
  PD_TRAIL_SEND_OVERHEAD,
  PD_TRAIL_RECV_OVERHEAD,
  PD_TRAIL_WAIT_OVERHEAD,
  PD_TRAIL_COPY_PER_BYTE,
  PD_TRAIL_REDUCTION_PER_BYTE,
  PD_TRAIL_N_SOFTWARE,
} PdTrailSoftware;

/**
 * pd_trail_new:
 * @n_ranks: as of the communication system
 *
 * Returns: (transfer full): all ranks at moment 0, in place 0.
 */
PdTrail *pd_trail_new (guint32 n_ranks);

/**
 * pd_trail_free:
 * @self: (nullable): the trail; no communication system uses it any more
 */
void pd_trail_free (PdTrail *self);

/**
 * pd_comsys_set_trail:
 * @trail: of as many ranks; must outlive @self
 *
 * From now on @trail is kept; before anything has happened. Ranks then act in the order
 * of time.
 */
void pd_comsys_set_trail (PdComsys *self, PdTrail *trail);

/**
 * pd_trail_set_place:
 * @place: the caller's: what @rank computes in from now on
 */
void pd_trail_set_place (PdTrail *self, guint32 rank, guint32 place);

/* Time that a rank has spent by itself, up to its clock. */
typedef struct
{
  guint32 rank; /* which acts */
  guint32 place;
  PdTime since;
  PdTime until;
} PdTrailStretch;

/**
 * pd_trail_work:
 * @stretch: in which its rank has computed
 *
 * Of what is not told the place is that of pd_trail_set_place().
 */
void pd_trail_work (PdTrail *self, const PdTrailStretch *stretch);

/**
 * pd_trail_delay:
 * @stretch: time that does not depend on the speed of the processor
 */
void pd_trail_delay (PdTrail *self, const PdTrailStretch *stretch);

/**
 * pd_trail_io:
 * @stretch: in which its rank was in an I/O function
 */
void pd_trail_io (PdTrail *self, const PdTrailStretch *stretch);

/**
 * pd_trail_set_told:
 *
 * From now on all computation is told by pd_trail_work(); what else a rank takes time for
 * is not computation, but a library's work.
 */
void pd_trail_set_told (PdTrail *self);

/* ---- programs that use tokens, see pd_comsys_next_event(): their ranks may do several
 * things at once */

/**
 * pd_trail_keep:
 * @rank: which acts
 *
 * What @rank has come to now is what it goes on with when @token comes.
 */
void pd_trail_keep (PdTrail *self, guint32 rank, guint32 token);

/**
 * pd_trail_join:
 * @token: of a request that is complete: pd_comsys_notify_unless_known()
 *
 * @rank, which acts, has come to what @token stands for, too: it will not come by itself.
 */
void pd_trail_join (PdTrail *self, guint32 rank, guint32 token);

/**
 * pd_trail_go_on:
 *
 * Likewise it goes on with at once.
 */
void pd_trail_go_on (PdTrail *self, guint32 rank);

/**
 * pd_trail_begin_turn:
 * @turn: of a rank that ends when the last thing ends that it does
 * @is_free: what it begins in this turn follows from @turn
 */
void pd_trail_begin_turn (PdTrail *self, const PdTurn *turn, gboolean is_free);

/* ---- the result */

/* One parameter of the machine that the run time depends on. */
typedef struct
{
  char *path;         /* as for --set */
  PdUnit unit;        /* PD_UNIT_TIME, or PD_UNIT_PER_BYTE */
  gdouble value;      /* ps, or ps per byte */
  gdouble derivative; /* of the run time, if the parameter grows: times; or bytes */
  gdouble on_path;    /* the same along the one path that is listed */
} PdTrailParam;

/* How much is computed in a place. */
typedef struct
{
  guint32 place;
  PdTime on_path;    /* along the one path that is listed */
  PdTime derivative; /* of the run time to the logarithm of the time in this place */
} PdTrailPlace;

/* A piece of the path: a rank does one kind of thing. */
typedef struct
{
  guint32 rank;  /* of a transfer, who sends */
  guint32 peer;  /* of a transfer, who receives; else as @rank */
  guint32 place; /* of computation */
  PdTrailKind kind;
  guint32 n; /* so many of the kind in a row */
  PdTime begin;
  PdTime end;
} PdTrailSegment;

/* Everything that ends in the last moment of a run. */
typedef struct
{
  guint32 rank; /* that ends last; of several the lowest */
  PdTime makespan;
  GArray *params;                 /* PdTrailParam: of networks from the outermost, then software */
  GArray *places;                 /* PdTrailPlace, ascending: those with computation on the path */
  GArray *segments;               /* PdTrailSegment, from the beginning */
  PdTime spent[PD_TRAIL_N_KINDS]; /* along the path, without @queued: the sum with that is
                                   * @makespan */
  PdTime queued;      /* transfers that have waited for others or shared with them, as far
                       * as no other transfer is named as the cause */
  PdTime unknown;     /* the part of @spent of transfers that no parameters are known for */
  gboolean is_shared; /* the machine has a network on which messages wait for each other */
  PdTime work;        /* derivative of @makespan to the logarithm of all computation */
  guint64 n_messages; /* transfers on the path, control messages included */
  guint64 n_nodes;    /* moments on the path */
  guint64 n_ties;     /* pairs of causes at the same moment that the result depends on */
} PdTrailResult;

/**
 * pd_trail_finish:
 * @comsys: of a run that is over
 * @ends: (array length=n_ranks): when the ranks have ended
 *
 * Returns: (transfer full): what the latest of @ends follows from.
 */
PdTrailResult *pd_trail_finish (PdTrail *self, const PdComsys *comsys, const PdTime *ends);

/**
 * pd_trail_result_free:
 * @self: (nullable): the result
 */
void pd_trail_result_free (PdTrailResult *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdTrail, pd_trail_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdTrailResult, pd_trail_result_free)

G_END_DECLS

#endif
