/* Any bytes as a program in the text form; what can be read is written, and
 * reads the same again.
 * SPDX-License-Identifier: MIT */
#include "traces/open/pd-trace-formats.h"
#include "traces/open/pd-trace-read.h"
#include "traces/text/pd-text-writer.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  PdTraceSource source = { "fuzz", bytes };
  PdTraceReadOptions options = { .recorded = TRUE, .cache = NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdMpTrace) trace = pd_mp_trace_read (&source, &options, messages, &error);

  g_assert_true ((trace == NULL) == (error != NULL));
  if (trace == NULL || trace->program == NULL || trace->format != pd_trace_format_find ("text"))
    return 0;
  g_autoptr (GBytes) text = pd_program_to_text (trace->program);
  PdTraceSource again = { "again", text };
  g_autoptr (PdMpTrace) second = pd_mp_trace_read (&again, &options, messages, &error);
  g_assert_no_error (error);
  g_autoptr (GBytes) third = pd_program_to_text (second->program);
  g_assert_true (g_bytes_equal (text, third));
  return 0;
}
