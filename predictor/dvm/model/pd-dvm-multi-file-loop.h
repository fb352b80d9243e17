/* Loops of runs recorded on several processors: what the file of each says.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_MULTI_FILE_LOOP_H
#define PD_DVM_MULTI_FILE_LOOP_H

#include "predictor/dvm/model/pd-dvm-state.h"

typedef struct
{
  guint n;
  GArray **shares;   /* (array length=n): PdLoopShare; NULL: without portions */
  PdTime *services;  /* (array length=n): inside dopl_ */
  PdRecords records; /* of processor 0 */
} PdFileShares;

/**
 * pd_file_shares_new:
 * Returns: (transfer full): shares of @n files, all empty.
 */
PdFileShares *pd_file_shares_new (guint n);

/**
 * pd_file_shares_free:
 * @self: (nullable): the shares
 */
void pd_file_shares_free (PdFileShares *self);

/**
 * pd_file_shares_has_any:
 * Returns: whether some file has a portion.
 */
gboolean pd_file_shares_has_any (const PdFileShares *self);

/**
 * pd_file_shares_merge:
 * Returns: (transfer full) (element-type PdLoopShare): the sums over the files, by
 *   interval.
 */
GArray *pd_file_shares_merge (const PdFileShares *self);

/**
 * pd_dvm_multi_charge_shares:
 * Charges a loop that is not split: @merged is ordinary time of the processors that
 * spent it.
 */
void pd_dvm_multi_charge_shares (PdDvm *self, const GArray *merged, const PdFileShares *files);

/**
 * pd_dvm_multi_divide:
 * Makes @work, whose shares are merged, what the processors of the predicted grid have
 * to do.
 */
void pd_dvm_multi_divide (PdDvm *self, PdLoopWork *work, const PdFileShares *files);

#endif
