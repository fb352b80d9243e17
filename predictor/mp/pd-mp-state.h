/* The interpreter of message-passing programs: shared declarations of its files.
 *
 * Every rank goes through the cells of its program. A call is made when it is the
 * rank's turn; if its moment of return is not known at once the rank stays at the
 * call (PD_MP_CALLED) until ComSys gives it the turn again. Spent time is summed
 * up in the rank itself and charged to the interval tree when its interval changes.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_STATE_H
#define PD_MP_STATE_H

#include "comsys/mpi/pd-win.h"
#include "intervals/pd-interval.h"
#include "predictor/common/pd-mp-barriers.h"
#include "predictor/mp/pd-mp.h"
#include "predictor/common/pd-noise.h"
#include "predictor/common/pd-watcher.h"
#include "traces/program/pd-loops.h"

/* The components of Communication. */
typedef enum
{
  PD_MP_SENDRECV,
  PD_MP_COLLECTIVE,
  PD_MP_SYSTEM,
  PD_MP_N_CATEGORIES,
} PdMpCategory;

typedef enum
{
  PD_MP_READY,  /* it will do the action at its cell */
  PD_MP_CALLED, /* it is inside the call at its cell */
} PdMpState;

/* A simulated rank: two cache lines, the second one is its account. */
typedef struct
{
  PdTime clock;
  PdTime ret;                /* slot of its call */
  PdTime began;              /* when that began */
  const PdProgramCell *cell; /* what it does, or does next */
  const PdProgramCell *end;
  PdRequest *slots;
  gdouble scale; /* of computation here: see pd_mp_interval_scale() */
  guint32 node;  /* its interval */
  guint8 state;  /* PdMpState */
  guint8 category;
  guint8 spare[2];
  gint64 cpu; /* ps since the interval began or was come back to */
  gint64 spent[PD_MP_N_CATEGORIES];
  guint32 n_sends;
  guint32 n_receives;
  guint32 n_waits;
  guint32 n_collectives;
  guint32 n_alike; /* ranks that compute the same now; 0 = it alone */
  guint32 more[3];
} PdMpRank;

G_STATIC_ASSERT (sizeof (PdMpRank) == 128);

typedef struct _PdMp PdMp;
typedef struct _PdMpWarnings PdMpWarnings;

/* Of an interval of the program inside a node of the tree, the node. */
typedef struct
{
  guint32 parent;
  guint32 interval;
  guint32 node; /* 0: nothing yet */
} PdMpNodeCache;

/* The message about calls outside the model. */
#define PD_MP_NOT_MODELLED                                                                         \
  "is not modelled: it takes as long as when it was recorded, as computation would"

#define PD_MP_CACHE 1024 /* a power of two */

struct _PdMp
{
  const PdMpOptions *options;
  const PdProgram *program;
  PdMachine *machine;
  guint32 *placement;
  PdComsys *comsys;
  PdComm **comms;  /* (array length=n_comms) */
  PdWin **windows; /* (nullable) (array length=n_comms): NULL: not used so far */
  PdIntervalTree *tree;
  PdNodeRatios *ratios;
  GHashTable *alike;   /* (nullable): of each stretch, how many ranks do it */
  PdNoise *noise;      /* (nullable) */
  PdWatcher *watchers; /* (nullable): of the activity of ranks */
  PdMessages *messages;
  PdMpBarriers *barriers; /* collective operations under way */
  GHashTable *neighbours; /* list of the program + 1 -> guint32 array */
  PdMpWarnings *notes;
  GHashTable *anys;        /* rank + 1 -> the call of Waitany or Waitsome it waits in */
  PdWaitStats *wait_stats; /* (array length=n) */
  PdMpRank *ranks;         /* (array length=n) */
  PdLoops *loops;          /* (nullable) (array length=n): where ranks are in loops */
  PdRequest *slots;        /* of all ranks */
  gdouble flops;           /* per second, of a processor of speed 1 */
  gboolean is_flops;
  gboolean has_places;   /* ratios of places, where location lines are looked at */
  PdTime turn;           /* when the acting rank was taken */
  gboolean is_fifo;      /* equal moments are first in, first out */
  gboolean is_unordered; /* messages may be called for in any order of time; */
  guint n_ahead;         /* so many more in this turn */
  guint32 n;
  guint32 n_comms;
  guint32 n_finished;
  PdMpNodeCache cache[PD_MP_CACHE];
};

/* ---- pd-mp.c */

/**
 * pd_mp_new:
 * @like: (nullable): another of the same program, which saves looking for intervals
 * @run: (inout): gets what the prediction will be written to; its owner frees it, also
 *   after an error
 * @error: return location for errors of the machine
 *
 * Returns: (transfer full) (nullable): a prediction that has not begun.
 */
PdMp *pd_mp_new (const PdMpOptions *options, const PdProgram *program, const PdMp *like,
                 PdReportRun *run, GError **error);

/**
 * pd_mp_conclude:
 * The prediction is over: fills in the rest of @run.
 *
 * Returns: %FALSE with @error set if the prediction is wrong.
 */
gboolean pd_mp_conclude (PdMp *self, PdReportRun *run, GError **error);

/**
 * pd_mp_free:
 * @self: (nullable): the prediction
 */
void pd_mp_free (PdMp *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdMp, pd_mp_free)

#endif
