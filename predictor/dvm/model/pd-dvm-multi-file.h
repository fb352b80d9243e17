/* Runs recorded on several processors: the file of processor 0 is interpreted, the others
 * follow it from one common call to the next.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_MULTI_FILE_H
#define PD_DVM_MULTI_FILE_H

#include "predictor/dvm/model/pd-dvm-state.h"

/**
 * pd_dvm_multi_new:
 * Returns: (transfer full): the files of the other processors, in front of their first
 *   records.
 */
PdDvmMultiFile *pd_dvm_multi_new (const PdDvmContext *host);

/**
 * pd_dvm_multi_free:
 * @multi: (nullable): the files
 */
void pd_dvm_multi_free (PdDvmMultiFile *multi);

/**
 * pd_dvm_multi_read:
 * As pd_dvm_read(): the next call of all processors.
 */
gboolean pd_dvm_multi_read (PdDvm *self, GError **error);

/**
 * pd_dvm_multi_charge:
 * @times: by file
 *
 * Charges ordinary time that the file of each processor has.
 */
void pd_dvm_multi_charge (PdDvm *self, const PdTime *times);

/**
 * pd_dvm_multi_get_times:
 * Returns: the times of the call_ or ret_ records of the current call, by file.
 */
const PdTime *pd_dvm_multi_get_times (const PdDvm *self, gboolean is_ret);

/**
 * pd_dvm_multi_get_n:
 * Returns: the number of files.
 */
guint pd_dvm_multi_get_n (const PdDvm *self);

/**
 * pd_dvm_multi_get_grid:
 * Returns: (transfer none): the grid that was recorded.
 */
PdGrid *pd_dvm_multi_get_grid (const PdDvm *self);

/**
 * pd_dvm_multi_have_own:
 * Returns: whether each simulated processor has the times of its own file.
 */
gboolean pd_dvm_multi_have_own (const PdDvm *self);

/**
 * pd_dvm_multi_wait_in_dopl:
 * Returns: whether the recorded dopl_ of the loop under way contain waiting.
 */
gboolean pd_dvm_multi_wait_in_dopl (const PdDvm *self);

/**
 * pd_dvm_multi_visit:
 * From here to pd_dvm_multi_leave(), reading goes on in the file of @number alone,
 * whose call becomes the current one.
 */
void pd_dvm_multi_visit (PdDvm *self, guint number);

/**
 * pd_dvm_multi_leave:
 * The call of processor 0 is the current one again.
 */
void pd_dvm_multi_leave (PdDvm *self);

#endif
