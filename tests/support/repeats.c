/* Traces whose lines come again.
 * SPDX-License-Identifier: MIT */
#include "tests/support/repeats.h"

#include "tests/support/same-messages.h"
#include "traces/open/pd-trace-read.h"
#include "traces/text/pd-text-writer.h"

void
test_repeats_add (const TestRepeats *self, GRand *rand, GPtrArray *lines, guint32 rank, guint depth)
{
  guint32 seed = g_rand_int (rand);
  gint n = g_rand_int_range (rand, 1, depth == 0 ? 40 : 5);

  for (gint times = g_rand_int_range (rand, 1, 9); times > 0 && lines->len < self->max_lines;
       times--)
    {
      g_autoptr (GRand) own = g_rand_new_with_seed (seed);
      for (gint i = 0; i < n && lines->len < self->max_lines; i++)
        if (depth > 0 && g_rand_int_range (own, 0, 3) > 0)
          test_repeats_add (self, own, lines, rank, depth - 1);
        else
          {
            guint kind = (guint) g_rand_int_range (own, 0, (gint32) self->n_kinds);
            self->add (lines, kind, rank, g_rand_int_range (own, 0, 30));
          }
    }
}

static PdMpTrace *
read_text (const GString *text, PdMessages *messages)
{
  PdTraceReadOptions options = { .recorded = TRUE, .cache = NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_bytes_new (text->str, text->len);
  PdTraceSource source = { "test", bytes };
  PdMpTrace *trace = pd_mp_trace_read (&source, &options, messages, &error);

  g_assert_no_error (error);
  return trace;
}

gboolean
test_repeats_check (const GString *a, const GString *b, guint32 n_ranks)
{
  g_autoptr (PdMessages) messages = pd_messages_new (), others = pd_messages_new ();
  g_autoptr (PdMpTrace) trace = read_text (a, messages);
  g_autoptr (PdMpTrace) other = read_text (b, others);
  g_autoptr (GBytes) text = pd_program_to_text (trace->program);
  g_autoptr (GBytes) other_text = pd_program_to_text (other->program);
  guint64 n_actions = 0;

  test_assert_same_messages (messages, others);
  g_assert_true (g_bytes_equal (text, other_text));
  g_assert_true (trace->incomplete == other->incomplete);
  for (guint32 rank = 0; rank < n_ranks; rank++)
    {
      guint64 n = pd_program_get_n_actions (trace->program, rank);
      g_assert_cmpuint (n, ==, pd_program_get_n_actions (other->program, rank));
      n_actions += n;
    }
  return pd_program_get_size (trace->program) < 4 * n_actions;
}
