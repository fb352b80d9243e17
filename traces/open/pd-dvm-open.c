/* Opening one DVM trace.
 * SPDX-License-Identifier: MIT */
#include "traces/open/pd-dvm-open.h"

#include "traces/dvm/pd-dvm-calls.h"
#include "traces/open/pd-trace-share.h"

PdDvmReader *
pd_dvm_open (const char *path, PdMessages *messages, GError **error)
{
  g_return_val_if_fail (path != NULL, NULL);
  g_autoptr (GBytes) shared = pd_trace_share_get_calls (path);
  return shared != NULL ? pd_dvm_reader_new_from_calls (shared, path, messages)
                        : pd_dvm_reader_new (path, messages, error);
}
