/* Archives of programs that repeat themselves, with other times in each repetition: read without
 * the times of calls, they take a few bytes of memory a call.
 * SPDX-License-Identifier: MIT */
#include "tests/support/folders.h"
#include "tests/support/otf2-both.h"
#include "traces/otf2/pd-otf2-writer.h"
#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"

#define N_STEPS 4000

static void
add (PdProgramBuilder *builder, guint32 rank, const PdAction *action)
{
  g_autoptr (GError) error = NULL;

  pd_program_builder_add (builder, rank, action, &error);
  g_assert_no_error (error);
}

/* What @rank computes before a step, a whole number of nanoseconds. */
static PdTime
time_of (guint32 rank, guint step)
{
  return PD_TIME ((gint64) (1 + (step * 7919 + rank * 31) % 5000) * 1000);
}

/* Messages both ways at once, and a reduction now and then. */
static void
add_step (PdProgramBuilder *builder, guint32 rank, guint step)
{
  static const guint32 both[] = { 0, 1 };
  PdAction compute, begin, wait, reduce;

  pd_action_init (&compute, PD_ACT_COMPUTE);
  compute.amount.time = time_of (rank, step);
  add (builder, rank, &compute);
  for (guint32 slot = 0; slot < 2; slot++)
    {
      pd_action_init (&begin, slot == 0 ? PD_ACT_IRECV : PD_ACT_ISEND);
      begin.peer = 1 - (gint32) rank;
      begin.bytes = 800;
      begin.request = slot;
      begin.recorded = 1000 * (1 + step % 3);
      add (builder, rank, &begin);
    }
  pd_action_init (&wait, PD_ACT_WAITALL);
  wait.slots = both;
  wait.n_slots = G_N_ELEMENTS (both);
  wait.recorded = 1000 * (1 + step % 7);
  add (builder, rank, &wait);
  pd_action_init (&reduce, PD_ACT_COLLECTIVE);
  reduce.op = PD_COLL_ALLREDUCE;
  reduce.bytes = 8;
  reduce.recorded = 3000;
  if (step % 4 == 3)
    add (builder, rank, &reduce);
}

static PdProgram *
read_steps (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "t.otf2", NULL);
  const PdTraceWriteOptions options = { 0, NULL };
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);
  g_autoptr (GError) error = NULL;

  for (guint32 rank = 0; rank < 2; rank++)
    for (guint step = 0; step < N_STEPS; step++)
      add_step (builder, rank, step);
  g_autoptr (PdProgram) program = pd_program_builder_finish (builder);
  pd_otf2_write (program, path, &options, NULL, &error);
  g_assert_no_error (error);
  PdProgram *again = test_otf2_read (path, FALSE, NULL, NULL, &error);
  g_assert_no_error (error);
  return again;
}

static void
test_regular (void)
{
  g_autofree char *folder = g_dir_make_tmp ("otf2-XXXXXX", NULL);
  g_autoptr (PdProgram) program = read_steps (folder);
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *action;

  pd_action_reader_init (&reader, program);
  for (guint32 rank = 0; rank < 2; rank++)
    {
      guint step = 0;
      pd_action_reader_begin (&reader, rank);
      while ((action = pd_action_reader_next (&reader)) != NULL)
        if (action->kind == PD_ACT_COMPUTE)
          g_assert_cmpint (action->amount.time.ps, ==, time_of (rank, step++).ps);
      g_assert_cmpuint (step, ==, N_STEPS);
    }
  g_assert_cmpuint (pd_program_get_n_actions (program, 1), ==, 4 * N_STEPS + N_STEPS / 4);
  g_assert_true (pd_program_has_loops (program));
  g_assert_cmpuint (pd_program_get_size (program), <, 2 * N_STEPS * 3);
  test_remove_all (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/traces/otf2/loops/regular", test_regular);
  return g_test_run ();
}
