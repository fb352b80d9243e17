/* Whether calls from another process can be read.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_CALLS_CHECK_H
#define PD_DVM_CALLS_CHECK_H

#include "traces/dvm/pd-dvm-calls.h"

/**
 * pd_dvm_calls_check:
 * @bytes: outside data, at a multiple of 16 bytes
 * @key: (array length=32) (nullable): what it must have been made from
 * @error: return location for %PD_TRACE_ERROR_FORMAT
 *
 * Returns: whether they are calls, through which pd_dvm_reader_new_from_calls() may go
 *   without looking again.
 */
gboolean pd_dvm_calls_check (GBytes *bytes, const guint8 *key, GError **error);

/**
 * pd_dvm_calls_seal:
 * @data: (array length=size): calls that were changed
 *
 * Makes their sum right, so that tests get beyond it.
 */
void pd_dvm_calls_seal (guint8 *data, gsize size);

#endif
