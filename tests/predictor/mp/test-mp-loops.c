/* A program with loops and the same one written out are predicted alike, byte by byte: on machines
 * of all kinds, with and without observers, one by one and at once.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "predictor/batch/pd-mp-batch.h"
#include "predictor/graph/pd-graph-from-program.h"
#include "predictor/mp/pd-mp.h"
#include "predictor/mp/pd-mp-check.h"
#include "tests/support/mp/loops.h"
#include "tests/support/mp/mp-random.h"
#include "tests/support/timelines.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"
#include "traces/text/pd-text-writer.h"

#include <stdio.h>
#include <stdlib.h>

#define N_SEEDS (12 / PD_TEST_SHARE)

static const char *const machines[] = {
  "ideal",
  "ideal:send-overhead=2003ns,recv-overhead=1001ns",
  "myrinet:startup=7013ns,per-byte=4ns,channels=2,eager=1KiB",
  "flow:topology=star,nic-latency=5003ns,nic-bandwidth=1GB/s,eager=1KiB",
  "loggops:L=2503ns,o=1501ns,g=1009ns,G=6ns,O=1ns,S=1000",
};

static const char *const noise[] = { "noise/kind=normal", "noise/sigma=0.3", NULL };

/* ---- what a run leaves behind */

static void
append_messages (GString *text, const PdMessages *messages)
{
  for (guint i = 0; i < pd_messages_get_n (messages); i++)
    {
      const PdMessage *m = pd_messages_get (messages, i);
      g_string_append_printf (text, "%s %s %s %" G_GUINT64_FORMAT "\n", m->id, m->text, m->place,
                              m->count);
    }
}

static char *
describe (const PdReportRun *run)
{
  g_autofree char *tree = test_dump (run);
  GString *text = g_string_new (tree);

  append_messages (text, run->messages);
  for (guint32 rank = 0; rank < run->n_processors; rank++)
    g_string_append_printf (text, "%u ends %" G_GINT64_FORMAT "\n", rank, run->end_times[rank].ps);
  return g_string_free (text, FALSE);
}

/* All that can be asked for of a run, as text. */
static char *
look (const PdProgram *program, PdMpOptions options, gboolean watched, TestWatch *watch)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *log = NULL;
  PdProgram *replayed = NULL;
  gsize size;
  FILE *stream = open_memstream (&log, &size);

  options.log = watched ? pd_log_new (&(PdLogOptions){ .streams = { stream } }, &error) : NULL;
  options.timeline = watched ? watch->feed : NULL;
  options.replayed = watched ? &replayed : NULL;
  PdReportRun *run = pd_mp_predict_program (&options, program, &error);
  g_assert_no_error (error);
  g_autofree char *text = describe (run);
  test_report_run_free (run);
  if (!watched)
    {
      fclose (stream);
      return g_steal_pointer (&text);
    }
  g_assert_true (pd_log_close (options.log, NULL));
  pd_log_free (options.log);
  fclose (stream);
  g_autoptr (GBytes) again = pd_program_to_text (replayed);
  pd_program_free (replayed);
  return g_strdup_printf ("%s%s%.*s", text, log, (int) g_bytes_get_size (again),
                          (const char *) g_bytes_get_data (again, NULL));
}

static void
compare (const PdProgram *flat, const PdProgram *loops, const PdMpOptions *options,
         gboolean watched)
{
  TestWatch one, two;

  test_watch_init (&one);
  test_watch_init (&two);
  g_autofree char *expected = look (flat, *options, watched, &one);
  g_autofree char *text = look (loops, *options, watched, &two);
  g_assert_cmpstr (text, ==, expected);
  if (watched)
    test_watch_compare (&one, &two);
  test_watch_clear (&one);
  test_watch_clear (&two);
}

static void
test_programs (gconstpointer data)
{
  for (guint32 seed = 0; seed < N_SEEDS; seed++)
    {
      g_autoptr (PdProgram) body = test_draw_program (
          seed, (TestContents){ .others = seed % 2 == 1, .one_sided = seed % 4 == 3 });
      TestRepeat repeat = { 1 + seed % 3, 1 + seed / 3 % 4, seed % 5 == 0 };
      g_autoptr (PdProgram) flat = test_repeat_program (body, repeat, FALSE);
      g_autoptr (PdProgram) loops = test_repeat_program (body, repeat, TRUE);
      PdMpOptions options = { .trace = "test",
                              .machine = data,
                              .settings = seed % 3 == 0 ? noise : NULL,
                              .seed = seed,
                              .simulated = seed % 2 == 1,
                              .one_step = seed % 7 == 6,
                              .check = TRUE };
      compare (flat, loops, &options, FALSE);
      compare (flat, loops, &options, TRUE);
    }
}

/* ---- several machines at once */

static char *
predict_at_once (const PdProgram *program)
{
  const PdMpOptions rows[] = {
    { .trace = "test", .machine = "dimemas:latency=1us,bandwidth=1GB/s", .check = TRUE },
    { .trace = "test", .machine = "dimemas:latency=2us,bandwidth=2GB/s", .check = TRUE },
    { .trace = "test", .machine = "dimemas:latency=5us,bandwidth=1GB/s", .check = TRUE },
  };
  const PdMpOptions *options[G_N_ELEMENTS (rows)];
  PdReportRun *runs[G_N_ELEMENTS (rows)];
  GError *errors[G_N_ELEMENTS (rows)] = { NULL };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    options[i] = &rows[i];
  g_autofree char *reason =
      pd_mp_predict_batch (options, G_N_ELEMENTS (rows), program, runs, errors);
  g_test_message ("%s", reason != NULL ? reason : "at once");
  g_string_append_printf (text, "%s\n", reason);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_assert_no_error (errors[i]);
      g_autofree char *run = describe (runs[i]);
      g_string_append (text, run);
      test_report_run_free (runs[i]);
    }
  return g_string_free (text, FALSE);
}

static void
test_batch (void)
{
  guint n_at_once = 0;

  for (guint32 seed = 0; seed < N_SEEDS; seed++)
    {
      g_autoptr (PdProgram) body = test_draw_program (seed, (TestContents){ .others = FALSE });
      TestRepeat repeat = { 3, 1 + seed % 3, seed % 2 == 0 };
      g_autoptr (PdProgram) flat = test_repeat_program (body, repeat, FALSE);
      g_autoptr (PdProgram) loops = test_repeat_program (body, repeat, TRUE);
      g_autofree char *expected = predict_at_once (flat);
      g_autofree char *text = predict_at_once (loops);
      g_assert_cmpstr (text, ==, expected);
      n_at_once += g_str_has_prefix (text, "(null)") ? 1 : 0;
    }
  g_assert_cmpuint (n_at_once, >, 0);
}

/* ---- what is said of places */

/* Intervals nest deeper in each repetition; rank 1 waits for ever in the last one. */
static PdProgram *
make_wrong (gboolean as_loops)
{
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);
  PdAction actions[4];

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    pd_action_init (&actions[i], (const PdActionKind[]){ PD_ACT_ENTER, PD_ACT_COMPUTE, PD_ACT_LEAVE,
                                                         PD_ACT_OTHER }[i]);
  actions[0].interval =
      pd_program_builder_add_interval (builder, &(PdProgramInterval){ "a", "", 0, -1 });
  actions[2].interval =
      pd_program_builder_add_interval (builder, &(PdProgramInterval){ "b", "", 0, -1 });
  actions[1].amount.time = PD_TIME (10);
  actions[3].name = pd_program_builder_add_string (builder, "odd");
  for (guint32 rank = 0; rank < 2; rank++)
    {
      pd_program_builder_add (builder, rank, &actions[1], NULL);
      if (as_loops)
        pd_program_builder_begin_loop (builder, rank);
      for (guint i = 0; i < (as_loops ? 1 : 5); i++)
        for (guint k = 0; k < G_N_ELEMENTS (actions); k++)
          g_assert_true (pd_program_builder_add (builder, rank, &actions[k], NULL));
      if (as_loops)
        pd_program_builder_end_loop (builder, 5, NULL);
    }
  return pd_program_builder_finish (builder);
}

static void
test_notes (void)
{
  g_autoptr (PdProgram) flat = make_wrong (FALSE), loops = make_wrong (TRUE);
  const PdMpOptions options = { .trace = "test", .machine = "ideal", .check = TRUE };

  compare (flat, loops, &options, FALSE);
  compare (flat, loops, &options, TRUE);
}

static char *
find_deadlock (gboolean as_loops)
{
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);
  const PdMpOptions options = { .trace = "test", .machine = "ideal" };
  g_autoptr (GError) error = NULL;
  PdAction send, receive;

  pd_action_init (&send, PD_ACT_SEND);
  pd_action_init (&receive, PD_ACT_RECV);
  send.peer = 1;
  receive.peer = 0;
  for (guint32 rank = 0; rank < 2; rank++)
    {
      if (as_loops)
        pd_program_builder_begin_loop (builder, rank);
      for (guint32 i = 0; i < (as_loops ? 1 : 7 + rank); i++)
        pd_program_builder_add (builder, rank, rank == 0 ? &send : &receive, NULL);
      if (as_loops)
        pd_program_builder_end_loop (builder, 7 + rank, NULL);
    }
  g_autoptr (PdProgram) program = pd_program_builder_finish (builder);
  PdReportRun *run = pd_mp_predict_program (&options, program, &error);
  g_assert_null (run);
  g_assert_nonnull (error);
  return g_strdup (error->message);
}

/* It is in the last repetition. */
static void
test_deadlock (void)
{
  g_autofree char *flat = find_deadlock (FALSE), *loops = find_deadlock (TRUE);

  g_assert_nonnull (strstr (flat, "action 7"));
  g_assert_cmpstr (loops, ==, flat);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (machines); i++)
    {
      g_autofree char *name = g_strdup_printf ("/predictor/mp/loops/programs/%s", machines[i]);
      g_test_add_data_func (name, machines[i], test_programs);
    }
  g_test_add_func ("/predictor/mp/loops/batch", test_batch);
  g_test_add_func ("/predictor/mp/loops/notes", test_notes);
  g_test_add_func ("/predictor/mp/loops/deadlock", test_deadlock);
  return g_test_run ();
}
