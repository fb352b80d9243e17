/* The messages of one exchange, by processor: targets, sources and sizes.
 * Immutable and reference-counted; made once, when the record is
 * interpreted, and queried by every processor that executes it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PLAN_H
#define PD_PLAN_H

#include "comsys/state/pd-comsys-types.h"

/* One message of an exchange, seen by one of its two processors. */
typedef struct
{
  guint32 peer;  /* global processor number */
  gboolean send; /* else receive */
  gint64 bytes;  /* >= 1 */
  gint64 runs;   /* of elements that lie beside each other in this processor's memory;
                  * 0: one */
} PdPlanMessage;

/* The local work of one processor in an exchange. */
typedef struct
{
  gint64 copied;  /* bytes that stay with it, copied from the old place to the new one */
  gint64 runs;    /* of them, as in #PdPlanMessage */
  gint64 touched; /* bytes of fresh memory that it gets */
} PdPlanLocal;

typedef struct _PdPlan PdPlan;

/* A kind of plan. Sends and receives match: q is in p's
 * sends with b bytes exactly as often as p is in q's receives with b bytes, and
 * in the same order. No processor sends to itself. */
typedef struct
{
  /* An upper bound of the messages of @processor, sent and received. */
  guint (*get_max) (const PdPlan *self, guint32 processor);
  /* Fills @out in posting order; returns how many. O(own messages). */
  guint (*get_messages) (const PdPlan *self, guint32 processor, PdPlanMessage *out);
  /* The messages of all processors, each counted once, or a good upper bound;
   * cheap: never by listing them. */
  guint64 (*get_total) (const PdPlan *self);
  /* (nullable): by listing. Adds up the messages of @processor; O(rank), not
   * O(own messages), where there can be very many. */
  void (*get_traffic) (const PdPlan *self, guint32 processor, PdTraffic *out);
  /* (nullable): none. Fills @out, which is all 0. */
  void (*get_local) (const PdPlan *self, guint32 processor, PdPlanLocal *out);
  /* Frees what the kind added, and @self. */
  void (*free) (PdPlan *self);
} PdPlanClass;

/* Every kind of plan begins with this. */
struct _PdPlan
{
  const PdPlanClass *class;
  guint refs;
};

/**
 * pd_plan_init:
 * @self: a plan just allocated by its kind; gets one reference
 */
void pd_plan_init (PdPlan *self, const PdPlanClass *class);

PdPlan *pd_plan_ref (PdPlan *self);
/**
 * pd_plan_unref:
 * @self: (nullable): a plan
 */
void pd_plan_unref (PdPlan *self);

/**
 * pd_plan_get_max:
 * @processor: a global processor number
 *
 * Returns: an upper bound of the messages (sent and received) of that processor.
 */
guint pd_plan_get_max (const PdPlan *self, guint32 processor);

/**
 * pd_plan_get_messages:
 * @processor: a global processor number
 * @out: (array) (out caller-allocated): room for pd_plan_get_max() entries;
 *   filled in posting order
 *
 * Returns: the number of messages; 0 for a processor that takes no part.
 */
guint pd_plan_get_messages (const PdPlan *self, guint32 processor, PdPlanMessage *out);

/**
 * pd_plan_get_total:
 * Returns: the number of messages of all processors, or an upper bound.
 */
guint64 pd_plan_get_total (const PdPlan *self);

/**
 * pd_plan_get_traffic:
 * @processor: a global processor number
 * @out: (out): its messages in numbers and bytes
 */
void pd_plan_get_traffic (const PdPlan *self, guint32 processor, PdTraffic *out);

/**
 * pd_plan_get_local:
 * @processor: a global processor number
 * @out: (out): what it copies and allocates besides
 */
void pd_plan_get_local (const PdPlan *self, guint32 processor, PdPlanLocal *out);

/**
 * pd_plan_new_reversed:
 * @inner: (transfer full): a plan
 *
 * Returns: (transfer full): the opposite flow: receivers of @inner
 *   send, and senders receive.
 */
PdPlan *pd_plan_new_reversed (PdPlan *inner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdPlan, pd_plan_unref)

#endif
