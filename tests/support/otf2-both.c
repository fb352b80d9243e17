/* Archives read as the program does, and by the OTF2 library alone.
 * SPDX-License-Identifier: MIT */
#include "tests/support/otf2-both.h"
#include "tests/support/same-messages.h"

#include "traces/otf2/pd-otf2-reader.h"
#include "traces/text/pd-text-writer.h"

#include <string.h>

/* Which repetitions were found to be a loop is no part of a program. */
static void
assert_actions (const PdProgram *a, const PdProgram *b)
{
  g_autoptr (GBytes) one = pd_program_to_text (a), two = pd_program_to_text (b);

  g_assert_true (g_bytes_equal (one, two));
}

static void
assert_cells (const PdProgram *a, const PdProgram *b, guint32 rank)
{
  const PdProgramCell *a_end, *b_end;
  const PdProgramCell *a_first = pd_program_get_cells (a, rank, &a_end);
  const PdProgramCell *b_first = pd_program_get_cells (b, rank, &b_end);

  g_assert_cmpint (a_end - a_first, ==, b_end - b_first);
  g_assert_true (memcmp (a_first, b_first, (gsize) (a_end - a_first) * sizeof *a_first) == 0);
}

static void
assert_rank (const PdProgram *a, const PdProgram *b, guint32 rank)
{
  if (!pd_program_has_loops (a))
    assert_cells (a, b, rank);
  g_assert_cmpuint (pd_program_get_n_actions (a, rank), ==, pd_program_get_n_actions (b, rank));
  g_assert_cmpuint (pd_program_get_n_slots (a, rank), ==, pd_program_get_n_slots (b, rank));
  g_assert_cmpint (pd_program_get_recorded_begin (a, rank).ps, ==,
                   pd_program_get_recorded_begin (b, rank).ps);
  g_assert_cmpint (pd_program_get_recorded_end (a, rank).ps, ==,
                   pd_program_get_recorded_end (b, rank).ps);
}

static void
assert_tables (const PdProgram *a, const PdProgram *b)
{
  g_assert_cmpuint (pd_program_get_n_ranks (a), ==, pd_program_get_n_ranks (b));
  g_assert_cmpuint (pd_program_get_n_comms (a), ==, pd_program_get_n_comms (b));
  g_assert_cmpuint (pd_program_get_n_counts (a), ==, pd_program_get_n_counts (b));
  g_assert_cmpuint (pd_program_get_n_intervals (a), ==, pd_program_get_n_intervals (b));
  g_assert_cmpuint (pd_program_get_n_strings (a), ==, pd_program_get_n_strings (b));
  for (guint32 i = 0; i < pd_program_get_n_strings (a); i++)
    g_assert_cmpstr (pd_program_get_string (a, i), ==, pd_program_get_string (b, i));
  g_assert_cmpuint (pd_program_get_n_sites (a), ==, pd_program_get_n_sites (b));
  for (guint32 i = 0; i < pd_program_get_n_sites (a); i++)
    {
      PdProgramSite x = pd_program_get_site (a, i), y = pd_program_get_site (b, i);
      g_assert_cmpstr (x.file, ==, y.file);
      g_assert_cmpstr (x.function, ==, y.function);
      g_assert_cmpint (x.line, ==, y.line);
      g_assert_cmpuint (x.parent, ==, y.parent);
    }
}

static void
assert_same (const PdProgram *a, const PdProgram *b)
{
  assert_tables (a, b);
  assert_actions (a, b);
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (a); rank++)
    assert_rank (a, b, rank);
}

/* One thread, or more than there may be processors: the program is the same. */
static void
assert_threads (const char *path, gboolean recorded, const PdProgram *program,
                const PdMessages *messages)
{
  static const guint numbers[] = { 1, 3 };

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autoptr (PdMessages) own = pd_messages_new ();
      g_autoptr (PdProgram) other = pd_otf2_read_by_threads (path, recorded, numbers[i], own, NULL);
      g_assert_true ((program != NULL) == (other != NULL));
      if (program == NULL)
        continue;
      test_assert_same_messages (own, messages);
      assert_same (program, other);
    }
}

PdProgram *
test_otf2_read (const char *path, gboolean recorded, gboolean *incomplete, PdMessages *messages,
                GError **error)
{
  g_autoptr (PdMessages) own = pd_messages_new ();
  g_autoptr (PdMessages) others = pd_messages_new ();
  g_autoptr (GError) failure = NULL, other_failure = NULL;
  gboolean is_cut = FALSE, other_cut = FALSE;
  g_autoptr (PdProgram) other =
      pd_otf2_read_by_library (path, recorded, &other_cut, others, &other_failure);
  PdProgram *program = pd_otf2_read (path, recorded, &is_cut, own, &failure);

  g_assert_cmpstr (failure != NULL ? failure->message : "", ==,
                   other_failure != NULL ? other_failure->message : "");
  test_assert_same_messages (own, others);
  g_assert_cmpint (is_cut, ==, other_cut);
  if (program != NULL)
    assert_same (program, other);
  assert_threads (path, recorded, program, own);
  pd_messages_add_all (messages, own);
  if (incomplete != NULL)
    *incomplete = is_cut;
  if (failure != NULL)
    g_propagate_error (error, g_steal_pointer (&failure));
  return program;
}
