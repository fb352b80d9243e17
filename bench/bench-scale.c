/* Programs on numbers of ranks that were not recorded: how long it takes to make one of a 2-D halo
 * (4 Irecv, 4 Isend, Waitall, a computation per iteration, on a torus) from recordings on 16, 25
 * and 30 ranks, what it takes in memory, and how fast it is predicted. In one program computation
 * takes the same time in each iteration, in another one, of fewer ranks, it does not. bench-scale
 * [SIDE [ITERATIONS]]: 256 x 256 ranks, and 64 x 64, 1,000 iterations
 * SPDX-License-Identifier: MIT */
#include "bench/bench.h"
#include "predictor/mp/pd-mp.h"
#include "scale/pd-scale-model.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"

#include <stdio.h>

static void
add (PdProgramBuilder *builder, guint32 rank, const PdAction *action)
{
  g_autoptr (GError) error = NULL;

  if (!pd_program_builder_add (builder, rank, action, &error))
    g_error ("%s", error->message);
}

static void
add_iteration (PdProgramBuilder *builder, guint32 rank, const guint32 *peers, gint64 ps)
{
  PdAction action;

  for (guint k = 0; k < 8; k++)
    {
      pd_action_init (&action, k < 4 ? PD_ACT_IRECV : PD_ACT_ISEND);
      action.peer = (gint32) peers[k % 4];
      action.bytes = 8192;
      action.request = k;
      add (builder, rank, &action);
    }
  pd_action_init (&action, PD_ACT_WAITALL);
  add (builder, rank, &action);
  pd_action_init (&action, PD_ACT_COMPUTE);
  action.amount.time.ps = ps;
  add (builder, rank, &action);
}

static PdProgram *
record (guint32 width, guint32 height, guint n_iterations, gboolean uneven)
{
  PdProgramBuilder *builder = pd_program_builder_new (width * height, PD_AMOUNT_TIME);

  for (guint32 rank = 0; rank < width * height; rank++)
    {
      guint32 x = rank / height, y = rank % height;
      const guint32 peers[] = { (x + 1) % width * height + y, (x + width - 1) % width * height + y,
                                x * height + (y + 1) % height,
                                x * height + (y + height - 1) % height };
      for (guint i = 0; i < n_iterations; i++)
        add_iteration (builder, rank, peers,
                       1000000 + (uneven ? (rank * 7919 + i * 104729) % 10007 : 0));
    }
  return pd_program_builder_finish (builder);
}

static PdScaleModel *
find_model (guint n_iterations, gboolean uneven)
{
  g_autoptr (GPtrArray) programs =
      g_ptr_array_new_with_free_func ((GDestroyNotify) pd_program_free);
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (programs, record (4, 4, n_iterations, uneven));
  g_ptr_array_add (programs, record (5, 5, n_iterations, uneven));
  g_ptr_array_add (programs, record (6, 5, n_iterations, uneven));
  PdScaleModel *model = pd_scale_model_new (programs, FALSE, &error);
  if (model == NULL)
    g_error ("%s", error->message);
  return model;
}

static void
measure (guint32 side, guint n_iterations, gboolean uneven)
{
  const PdScaleGrid grid = { 2, { side, side } };
  const PdMpOptions options = { .trace = "bench", .machine = "ideal" };
  g_autoptr (PdScaleModel) model = find_model (n_iterations, uneven);
  g_autoptr (GError) error = NULL;
  gdouble begin = bench_seconds ();
  g_autoptr (PdProgram) program =
      pd_scale_model_make (model, side * side, &grid, NULL, NULL, &error);

  if (program == NULL)
    g_error ("%s", error->message);
  gdouble made = bench_seconds ();
  PdReportRun *run = pd_mp_predict_program (&options, program, &error);
  if (run == NULL)
    g_error ("%s", error->message);
  gdouble end = bench_seconds (), n = 0;
  pd_report_run_free (run);
  for (guint32 rank = 0; rank < side * side; rank++)
    n += (gdouble) pd_program_get_n_actions (program, rank);
  printf ("%-8s %u ranks, %u iterations: made in %.2f s, %.1f bytes a rank; %.0f M actions "
          "predicted in %.1f s, %.2f M actions/s; at most %.0f MiB\n",
          uneven ? "uneven" : "even", side * side, n_iterations, made - begin,
          (gdouble) pd_program_get_size (program) / (side * side), n / 1e6, end - made,
          n / (end - made) / 1e6, bench_peak_bytes () / (1 << 20));
}

int
main (int argc, char **argv)
{
  guint32 side = argc > 1 ? (guint32) g_ascii_strtoull (argv[1], NULL, 10) : 256;
  guint n_iterations = argc > 2 ? (guint) g_ascii_strtoull (argv[2], NULL, 10) : 1000;

  measure (side, n_iterations, FALSE);
  measure (MAX (side / 4, 3), n_iterations, TRUE);
  return 0;
}
