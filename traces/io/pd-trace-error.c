/* The error domain of readers.
 * SPDX-License-Identifier: MIT */
#include "traces/io/pd-trace-error.h"

GQuark
pd_trace_error_quark (void)
{
  return g_quark_from_static_string ("pd-trace-error");
}
