/* The times of ranks in intervals, in several lanes. They are added up here, and charged at the
 * end: the trees have the same nodes in all lanes.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_BATCH_ACCOUNTS_PRIVATE_H
#define PD_MP_BATCH_ACCOUNTS_PRIVATE_H

#include "predictor/batch/pd-mp-batch-private.h"

/* Of the rank in the interval @node. */
PdMpAccount *pd_mp_batch_account (PdMpBatch *self, guint32 node, guint32 rank);
/* Charges the times of ranks to the trees of all lanes. */
void pd_mp_batch_charge_all (PdMpBatch *self);
void pd_mp_batch_accounts_free (PdMpBatch *self);

#endif
