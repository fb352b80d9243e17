/* The same communication on several machines at once: the messages and waits of a program
 * are traversed once, and every moment is a vector with one element (a lane) per machine.
 *
 * That is possible where matching cannot depend on times: every receive names its source
 * and tag, no rank tests or probes, and transfers share no resource. Then a moment is known
 * as soon as its predecessors are: a rank continues until it needs an action that another
 * rank has not performed yet, and the order in which ranks are taken does not matter. The
 * moments of each lane equal, to the picosecond, those of #PdComsys for its machine.
 * SPDX-License-Identifier: MIT */
#ifndef PD_BATCH_H
#define PD_BATCH_H

#include "base/pd-time.h"
#include "comsys/state/pd-comsys-types.h"

G_BEGIN_DECLS

/* Lanes that are computed together: a cache line of moments. */
#define PD_BATCH_SIZE 8

/* No moment of a lane may be beyond that: 13 days. */
#define PD_BATCH_TIME_LIMIT (G_GINT64_CONSTANT (1) << 60)

/* Picoseconds, by lane. */
typedef struct
{
  gint64 ps[PD_BATCH_SIZE] __attribute__ ((aligned (64)));
} PdBatchTime;

/* Statistics of waits, as #PdWaitStats. */
typedef struct
{
  PdBatchTime real_sync;
  PdBatchTime overlap;
} PdBatchWaitStats;

/* A rank, as its calls need it. */
typedef struct
{
  PdBatchTime clock; /* the caller's: when it calls */
  PdBatchTime ret;   /* when the call is over; while it waits, the latest completion */
  PdBatchTime since; /* when its wait began */
  PdBatchTime latest;
  PdBatchWaitStats *waited; /* the caller's: where what it waits for is added */
  const PdBatchTime *overhead;
  guint32 pending; /* requests that have not completed, of those waited for: */
  guint32 first;   /* list by link */
  guint32 bundle;  /* list of the requests that its collective operation has started */
  guint32 world;   /* its number */
  gint32 tag;      /* of the messages of its collective operation */
  guint8 is_exchange;
  guint8 is_nonblocking;     /* it is no rank but a nonblocking operation */
  struct _PdExecution *exec; /* (nullable): its collective operation */
} PdBatchRank;

typedef struct _PdBatch PdBatch;

/**
 * pd_batch_new:
 * @comsys: (array length=k): one per lane, of the same ranks; outlive the result
 * @k: 1 to %PD_BATCH_SIZE
 * @reason: (out) (transfer full): why it cannot be done
 *
 * Returns: (transfer full) (nullable): the lanes; %NULL if the machines do not have the
 *   same structure, or share resources of messages.
 */
PdBatch *pd_batch_new (PdComsys *const *comsys, guint k, char **reason);

/**
 * pd_batch_free:
 * @self: (nullable): the lanes
 */
void pd_batch_free (PdBatch *self);

/**
 * pd_batch_get_rank:
 * Returns: (transfer none): the rank, at 0.
 */
PdBatchRank *pd_batch_get_rank (PdBatch *self, guint32 rank);

/**
 * pd_batch_ready:
 * @rank: will be returned by pd_batch_next()
 */
void pd_batch_ready (PdBatch *self, guint32 rank);

/**
 * pd_batch_next:
 * @rank: (out): a rank that can continue
 *
 * Returns: %FALSE if no rank can.
 */
gboolean pd_batch_next (PdBatch *self, guint32 *rank);

/**
 * pd_batch_resume:
 * @rank: it is in a call, and has come from pd_batch_next()
 *
 * Returns: whether its call is over now, at its ret.
 */
gboolean pd_batch_resume (PdBatch *self, guint32 rank);

/* Calls begin at the rank's clock; arguments are those of PdComsys's functions of the same
 * name. When a call is over, the rank's ret says when it was. */

/**
 * pd_batch_is_sound:
 * Returns: whether, at the end, all that was sent has been received, and no cost or
 *   moment was beyond %PD_BATCH_TIME_LIMIT.
 */
gboolean pd_batch_is_sound (const PdBatch *self);

/**
 * pd_batch_note_clock:
 * The rank has come to its clock, with something the lanes do not know of.
 */
void pd_batch_note_clock (PdBatch *self, guint32 rank);

/**
 * pd_batch_get_counts:
 * @n_messages: (out): as in #PdComsysCounts
 * @n_bytes: (out): likewise
 */
void pd_batch_get_counts (const PdBatch *self, guint64 *n_messages, PdTimeSum *n_bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdBatch, pd_batch_free)

G_END_DECLS

#endif
