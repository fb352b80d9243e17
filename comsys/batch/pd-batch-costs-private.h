/* The common structure of the machines of all lanes, and the costs of messages on each.
 * Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_BATCH_COSTS_PRIVATE_H
#define PD_BATCH_COSTS_PRIVATE_H

#include "comsys/batch/pd-batch.h"

/* Whether the machines have the same structure; else @reason is set. */
gboolean pd_batch_compare (PdComsys *const *comsys, guint k, char **reason);
void pd_batch_costs_init (PdBatch *self);
void pd_batch_costs_clear (PdBatch *self);
/* The number of the flight of @bytes. */
guint32 pd_batch_find_transfer (PdBatch *self, guint32 network, gint64 bytes);
/* Picoseconds per byte, by lane. #PdSoftware has the parameter at the offset @what. */
void pd_batch_time_of_bytes (PdBatch *self, gint64 bytes, gsize what, PdBatchTime *time);
/* A cost that no moment can bear is noted. */
void pd_batch_check_cost (PdBatch *self, const PdBatchTime *cost);

#endif
