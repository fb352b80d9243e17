/* The calls of a DVM trace as they are shared between processes: what the reader delivers,
 * parsed, to be read where it lies.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_CALLS_H
#define PD_DVM_CALLS_H

#include "traces/pd-dvm-reader.h"
#include "traces/pd-input.h"

G_BEGIN_DECLS

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
 * pd_dvm_reader_new_from_calls:
 * @bytes: what pd_dvm_calls_check() has found good, and what has not changed since
 * @name: the trace's name, for messages
 * @messages: (nullable): as for pd_dvm_reader_new()
 *
 * Returns: (transfer full): a reader that does, and says, what that of the trace does.
 */
PdDvmReader *pd_dvm_reader_new_from_calls (GBytes *bytes, const char *name, PdMessages *messages);

/**
 * pd_dvm_calls_seal:
 * @data: (array length=size): calls that were changed
 *
 * Makes their sum right, so that tests get beyond it.
 */
void pd_dvm_calls_seal (guint8 *data, gsize size);

G_END_DECLS

#endif
