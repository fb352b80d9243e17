/* SPDX-License-Identifier: MIT */
#include "tests/support/mp/read-threads.h"

#include "traces/goal/pd-goal-write.h"
#include "traces/graph/pd-graph.h"
#include "traces/open/pd-trace-formats.h"
#include "traces/text/pd-text-writer.h"

/* All that a reader gives, as text. */
static char *
describe (const PdTraceFormat *format, const PdTraceSource *source, guint n_threads)
{
  const PdTraceReadOptions options = { .recorded = TRUE, .n_threads = n_threads };
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdMpTrace) trace = g_new0 (PdMpTrace, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) text = NULL;
  GString *all = g_string_new (NULL);

  gboolean fine = format->read (source, &options, trace, messages, &error);
  g_assert_true (fine == (error == NULL)
                 && fine == (trace->program != NULL || trace->graph != NULL));
  if (error != NULL)
    g_string_append_printf (all, "%s\n%d\n", error->message, error->code);
  for (guint i = 0; i < pd_messages_get_n (messages); i++)
    {
      const PdMessage *message = pd_messages_get (messages, i);
      g_string_append_printf (all, "%d %s %s %s %s %" G_GUINT64_FORMAT "\n", message->severity,
                              message->id, message->subject, message->place, message->text,
                              message->count);
    }
  /* of an error nothing but that is used */
  if (fine)
    g_string_append_printf (all, "incomplete: %d\n", trace->incomplete);
  if (trace->program != NULL)
    text = pd_program_to_text (trace->program);
  else if (trace->graph != NULL)
    {
      PdOutput *out = pd_output_new_in_memory ();
      pd_goal_write_text (trace->graph, out);
      text = pd_output_free_to_bytes (out);
    }
  if (text != NULL)
    g_string_append_len (all, g_bytes_get_data (text, NULL), (gssize) g_bytes_get_size (text));
  return g_string_free (all, FALSE);
}

/* Of long texts only where they differ first is shown. */
static void
check_equal (const char *is, const char *expected)
{
  gsize i = 0;

  while (is[i] != '\0' && is[i] == expected[i])
    i++;
  gsize from = i > 80 ? i - 80 : 0;
  g_autofree char *some = g_strndup (is + from, 200);
  g_autofree char *others = g_strndup (expected + from, 200);
  g_assert_cmpstr (some, ==, others);
}

void
test_read_by_threads (const char *format, const PdTraceSource *source)
{
  const PdTraceFormat *row = pd_trace_format_find (format);
  g_autofree char *one = describe (row, source, 1);

  for (guint n = 2; n <= 3; n++)
    {
      g_autofree char *several = describe (row, source, n);
      check_equal (several, one);
    }
}
