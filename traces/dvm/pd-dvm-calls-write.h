/* From a trace to calls that can be shared: the reader is listened to from the beginning
 * to the end.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_CALLS_WRITE_H
#define PD_DVM_CALLS_WRITE_H

#include "traces/dvm/pd-dvm-calls.h"

/**
 * pd_dvm_calls_save:
 * @input: (transfer full): a trace
 * @name: the trace's name, for errors
 * @key: (array length=32): what it is found again by
 * @fd: an open file, empty; stays open
 * @error: return location for a #PdDvmError, if the trace has an error, or a #PdTraceError
 *
 * Returns: whether @fd has the calls.
 */
gboolean pd_dvm_calls_save (PdInput *input, const char *name, const guint8 *key, int fd,
                            GError **error);

#endif
