/* Opening one DVM trace: from the share, or its file.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_OPEN_H
#define PD_DVM_OPEN_H

#include "traces/dvm/pd-dvm-reader.h"

/**
 * pd_dvm_open:
 * @path: as for pd_dvm_reader_new()
 * @messages: (nullable): likewise
 * @error: likewise
 *
 * Takes the calls of the trace from the process that shares it, if there is one; else as
 * pd_dvm_reader_new().
 *
 * Returns: (transfer full) (nullable): the reader.
 */
PdDvmReader *pd_dvm_open (const char *path, PdMessages *messages, GError **error);

#endif
