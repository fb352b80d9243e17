/* Loops in programs: they are what they repeat, for everybody who reads actions; and what a builder
 * refuses.
 * SPDX-License-Identifier: MIT */
#include "tests/support/mp/loops.h"
#include "tests/support/mp/programs-random.h"
#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-audit.h"
#include "traces/program/pd-program-builder.h"
#include "traces/program/pd-program-file.h"
#include "traces/text/pd-text-writer.h"

#include <glib/gstdio.h>

static const TestRepeat repeats[] = { { 1, 1, FALSE }, { 3, 1, FALSE }, { 1, 2, FALSE },
                                      { 4, 3, FALSE }, { 3, 2, TRUE },  { 1, 1, TRUE } };

static void
assert_same_text (const PdProgram *a, const PdProgram *b)
{
  g_autoptr (GBytes) one = pd_program_to_text (a), two = pd_program_to_text (b);

  g_assert_true (g_bytes_equal (one, two));
}

static void
assert_same_findings (const PdProgram *a, const PdProgram *b)
{
  g_autoptr (PdMessages) one = pd_messages_new (), two = pd_messages_new ();

  g_assert_true (pd_program_audit (a, "t", FALSE, one) == pd_program_audit (b, "t", FALSE, two));
  g_assert_cmpuint (pd_messages_get_n (one), ==, pd_messages_get_n (two));
  for (guint i = 0; i < pd_messages_get_n (one); i++)
    {
      const PdMessage *x = pd_messages_get (one, i), *y = pd_messages_get (two, i);
      g_assert_cmpstr (x->text, ==, y->text);
      g_assert_cmpstr (x->place, ==, y->place);
    }
}

static void
test_forms (void)
{
  for (guint32 seed = 0; seed < 40; seed++)
    {
      g_autoptr (PdProgram) body = test_random_program (seed);
      TestRepeat repeat = repeats[seed % G_N_ELEMENTS (repeats)];
      g_autoptr (PdProgram) flat = test_repeat_program (body, repeat, FALSE);
      g_autoptr (PdProgram) loops = test_repeat_program (body, repeat, TRUE);
      gboolean repeats_any = repeat.outer * repeat.inner > 1 || repeat.varies;

      g_assert_false (pd_program_has_loops (flat));
      if (!repeats_any)
        g_assert_false (pd_program_has_loops (loops));
      for (guint32 rank = 0; rank < pd_program_get_n_ranks (flat); rank++)
        g_assert_cmpuint (pd_program_get_n_actions (flat, rank), ==,
                          pd_program_get_n_actions (loops, rank));
      assert_same_text (flat, loops);
      assert_same_findings (flat, loops);
    }
}

/* What is saved has none. */
static void
test_file (void)
{
  g_autoptr (PdProgram) body = test_random_program (3);
  g_autoptr (PdProgram) loops = test_repeat_program (body, (TestRepeat){ 3, 4, TRUE }, TRUE);
  g_autofree char *path = NULL;
  const guint8 key[PD_PROGRAM_KEY_SIZE] = { 1 };
  g_autoptr (GError) error = NULL;
  int fd = g_file_open_tmp ("loops-XXXXXX", &path, &error);

  g_assert_no_error (error);
  g_close (fd, NULL);
  g_assert_true (pd_program_has_loops (loops));
  g_assert_true (pd_program_save (loops, key, NULL, path, &error));
  g_assert_no_error (error);
  g_autoptr (PdProgram) mapped = pd_program_map (path, key, NULL, &error);
  g_assert_no_error (error);
  g_assert_false (pd_program_has_loops (mapped));
  assert_same_text (loops, mapped);
  g_unlink (path);
}

static void
add (PdProgramBuilder *builder, guint n)
{
  PdAction action;

  pd_action_init (&action, PD_ACT_COMPUTE);
  action.amount.time = PD_TIME (5);
  for (guint i = 0; i < n; i++)
    g_assert_true (pd_program_builder_add (builder, 1, &action, NULL));
}

/* What is repeated often takes no more memory. */
static void
test_size (void)
{
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);

  add (builder, 3);
  g_assert_true (pd_program_builder_begin_loop (builder, 1));
  add (builder, 2);
  g_assert_true (pd_program_builder_begin_loop (builder, 1));
  add (builder, 1000);
  g_assert_true (pd_program_builder_end_loop (builder, 1000000, NULL));
  g_assert_true (pd_program_builder_begin_loop (builder, 1));
  g_assert_true (pd_program_builder_end_loop (builder, 7, NULL)); /* of nothing */
  g_assert_true (pd_program_builder_end_loop (builder, 2, NULL));
  g_autoptr (PdProgram) program = pd_program_builder_finish (builder);
  g_assert_cmpuint (pd_program_get_n_actions (program, 1), ==, 3 + 2 * (2 + 1000000000));
  g_assert_cmpuint (pd_program_get_size (program), <, 20000);
}

static void
test_depth (void)
{
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);

  for (guint i = 0; i < PD_LOOPS_DEPTH; i++)
    {
      g_assert_true (pd_program_builder_begin_loop (builder, 1));
      add (builder, 1);
    }
  g_assert_false (pd_program_builder_begin_loop (builder, 1));
  for (guint i = 0; i < PD_LOOPS_DEPTH; i++)
    g_assert_true (pd_program_builder_end_loop (builder, 2, NULL));
  g_autoptr (PdProgram) program = pd_program_builder_finish (builder);
  g_auto (PdActionReader) reader = { 0 };
  guint n = 0;
  pd_action_reader_init (&reader, program);
  for (guint times = 0; times < 2; times++)
    {
      pd_action_reader_begin (&reader, 1);
      while (pd_action_reader_next (&reader) != NULL)
        n++;
    }
  g_assert_cmpuint (n, ==, 2 * ((2 << PD_LOOPS_DEPTH) - 2));
  g_assert_cmpuint (pd_program_get_n_actions (program, 1), ==, (2 << PD_LOOPS_DEPTH) - 2);
}

static void
test_limit (void)
{
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);
  g_autoptr (GError) error = NULL;

  g_assert_true (pd_program_builder_begin_loop (builder, 1));
  g_assert_true (pd_program_builder_begin_loop (builder, 1));
  add (builder, 1);
  g_assert_true (pd_program_builder_end_loop (builder, G_MAXUINT32, &error));
  g_assert_no_error (error);
  g_assert_false (pd_program_builder_end_loop (builder, G_MAXUINT32, &error));
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT);
  pd_program_builder_free (builder);
}

static void
test_samples (void)
{
  static const PdAmount bad[] = { { .time = { 3 } }, { .time = { -1 } } };
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);
  g_autoptr (GError) error = NULL;
  guint64 first;

  g_assert_false (pd_program_builder_add_samples (builder, bad, 2, &first, &error));
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE);
  g_assert_true (pd_program_builder_add_samples (builder, bad, 1, &first, NULL));
  g_assert_cmpuint (first, ==, 0);
  g_assert_true (pd_program_builder_add_samples (builder, bad, 1, &first, NULL));
  g_assert_cmpuint (first, ==, 1);
  pd_program_builder_free (builder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/traces/program/loops/forms", test_forms);
  g_test_add_func ("/traces/program/loops/file", test_file);
  g_test_add_func ("/traces/program/loops/size", test_size);
  g_test_add_func ("/traces/program/loops/depth", test_depth);
  g_test_add_func ("/traces/program/loops/limit", test_limit);
  g_test_add_func ("/traces/program/loops/samples", test_samples);
  return g_test_run ();
}
