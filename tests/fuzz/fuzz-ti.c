/* Any bytes as a time-independent trace, all of whose lines are of rank 0 or
 * of whatever they say.
 * SPDX-License-Identifier: MIT */
#include "traces/open/pd-trace-formats.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  PdTraceSource source = { "fuzz", bytes };
  PdTraceReadOptions options = { .recorded = TRUE, .cache = NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();
  PdMpTrace trace = { 0 };

  gboolean fine = pd_trace_format_find ("ti")->read (&source, &options, &trace, messages, &error);
  g_assert_true (fine == (error == NULL));
  g_assert_true (fine == (trace.program != NULL));
  pd_program_free (trace.program);
  g_clear_pointer (&trace.parts, g_ptr_array_unref);
  return 0;
}
