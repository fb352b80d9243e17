/* The calls of a DVM trace as they are shared between processes: what the reader delivers,
 * parsed, to be read where it lies.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_CALLS_H
#define PD_DVM_CALLS_H

#include "traces/dvm/pd-dvm-reader.h"
#include "traces/io/pd-input.h"

/**
 * pd_dvm_reader_new_from_calls:
 * @bytes: what pd_dvm_calls_check() has found good, and what has not changed since
 * @name: the trace's name, for messages
 * @messages: (nullable): as for pd_dvm_reader_new()
 *
 * Returns: (transfer full): a reader that does, and says, what that of the trace does.
 */
PdDvmReader *pd_dvm_reader_new_from_calls (GBytes *bytes, const char *name, PdMessages *messages);

#endif
