/* Traces whose lines come again.
 * SPDX-License-Identifier: MIT */
#include "tests/support/repeats.h"

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

void
test_repeats_assert_same (const PdMpTrace *a, const PdMpTrace *b, guint32 n_ranks)
{
  g_autoptr (GBytes) one = pd_program_to_text (a->program), two = pd_program_to_text (b->program);

  g_assert_true (g_bytes_equal (one, two));
  g_assert_true (a->incomplete == b->incomplete);
  for (guint32 rank = 0; rank < n_ranks; rank++)
    g_assert_cmpuint (pd_program_get_n_actions (a->program, rank), ==,
                      pd_program_get_n_actions (b->program, rank));
}

void
test_repeats_assert_same_messages (const PdMessages *a, const PdMessages *b)
{
  g_assert_cmpuint (pd_messages_get_n (a), ==, pd_messages_get_n (b));
  for (guint i = 0; i < pd_messages_get_n (a); i++)
    {
      const PdMessage *x = pd_messages_get (a, i), *y = pd_messages_get (b, i);
      g_assert_cmpstr (x->id, ==, y->id);
      g_assert_cmpstr (x->text, ==, y->text);
      g_assert_cmpstr (x->place, ==, y->place);
      g_assert_cmpuint (x->count, ==, y->count);
    }
}
