/* Predictions of one message-passing program on several machines at once: how many times
 * as fast as one after the other in the same process, by processor time; programs made
 * here, and recorded ones where ../shared is.
 *   bench-batch
 * SPDX-License-Identifier: MIT */
#include "bench/bench.h"
#include "predictor/batch/pd-mp-batch.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"
#include "traces/open/pd-trace-read.h"

#include <stdio.h>
#include <stdlib.h>

#define N_RUNS    3
#define MAX_BATCH 16

/* The machines of the lanes; "#" is another number in each. */
static const struct
{
  const char *name;
  const char *spec;
} machines[] = {
  { "eager", "dimemas:latency=#us,bandwidth=1#0MB/s" },
  { "eager, speeds", "dimemas:latency=#us,bandwidth=1#0MB/s,speed=1.#" },
  { "rendezvous", "dimemas:latency=#us,bandwidth=1#0MB/s,eager=1KiB,control=modelled,"
                  "send-overhead=#us,recv-overhead=#us" },
};

static char *
fill_in (const char *spec, guint lane)
{
  g_autofree char *number = g_strdup_printf ("%u", 2 + lane);
  g_auto (GStrv) parts = g_strsplit (spec, "#", -1);

  return g_strjoinv (number, parts);
}

static gdouble
run_alone (const PdMpOptions *const *options, guint k, const PdProgram *program)
{
  gdouble begin = bench_seconds ();

  for (guint i = 0; i < k; i++)
    {
      PdReportRun *run = pd_mp_predict_program (options[i], program, NULL);
      if (run == NULL)
        g_error ("a prediction fails");
      pd_report_run_free (run);
    }
  return bench_seconds () - begin;
}

static gdouble
run_at_once (const PdMpOptions *const *options, guint k, const PdProgram *program)
{
  PdReportRun *runs[MAX_BATCH];
  GError *errors[MAX_BATCH] = { NULL };
  gdouble begin = bench_seconds ();
  g_autofree char *reason = pd_mp_predict_batch (options, k, program, runs, errors);

  if (reason != NULL)
    g_error ("not at once: %s", reason);
  for (guint i = 0; i < k; i++)
    pd_report_run_free (runs[i]);
  return bench_seconds () - begin;
}

static void
show (const char *name, const PdProgram *program, gsize row, guint k)
{
  PdMpOptions options[MAX_BATCH];
  const PdMpOptions *list[MAX_BATCH];
  g_autoptr (GPtrArray) specs = g_ptr_array_new_with_free_func (g_free);
  gdouble alone = G_MAXDOUBLE, at_once = G_MAXDOUBLE;
  guint64 actions = 0;

  for (guint i = 0; i < k; i++)
    {
      char *spec = fill_in (machines[row].spec, i);
      g_ptr_array_add (specs, spec);
      options[i] = (PdMpOptions){ .trace = "bench", .machine = spec };
      list[i] = &options[i];
    }
  for (guint i = 0; i < N_RUNS; i++)
    {
      alone = MIN (alone, run_alone (list, k, program));
      at_once = MIN (at_once, run_at_once (list, k, program));
    }
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    actions += k * pd_program_get_n_actions (program, rank);
  printf ("%-14s %-14s %2u machines: alone %6.1f, at once %6.1f M actions/s: %.1f times\n", name,
          machines[row].name, k, (gdouble) actions / alone / 1e6, (gdouble) actions / at_once / 1e6,
          alone / at_once);
}

static void
show_all (const char *name, const PdProgram *program)
{
  for (gsize row = 0; row < G_N_ELEMENTS (machines); row++)
    {
      show (name, program, row, 8);
      if (row == 0)
        show (name, program, row, 16);
    }
}

/* One step of a rank in a ring: in an interval a computation, a send and a receive; now
 * and then an operation of all ranks. */
static void
add_ring_step (PdProgramBuilder *builder, guint32 n, guint32 rank, guint step)
{
  static const PdActionKind kinds[] = { PD_ACT_ENTER, PD_ACT_COMPUTE, PD_ACT_SEND,
                                        PD_ACT_RECV,  PD_ACT_LEAVE,   PD_ACT_COLLECTIVE };
  const PdProgramInterval interval = { step % 2 == 0 ? "even" : "odd", "ring.c", 1, -1 };

  for (guint i = 0; i < (step % 8 == 0 ? 6u : 5u); i++)
    {
      PdAction action;
      pd_action_init (&action, kinds[i]);
      if (kinds[i] == PD_ACT_COMPUTE)
        action.amount.time.ps = 1000000 + (rank * 7 + step) % 13;
      else if (kinds[i] == PD_ACT_ENTER || kinds[i] == PD_ACT_LEAVE)
        action.interval = pd_program_builder_add_interval (builder, &interval);
      else
        action.bytes = 800;
      action.op = PD_COLL_ALLREDUCE;
      action.peer = 0;
      if (kinds[i] == PD_ACT_SEND || kinds[i] == PD_ACT_RECV)
        action.peer = (gint32) ((kinds[i] == PD_ACT_SEND ? rank + 1 : rank + n - 1) % n);
      pd_program_builder_add (builder, rank, &action, NULL);
    }
}

static PdProgram *
make_ring (guint32 n, guint n_steps)
{
  PdProgramBuilder *builder = pd_program_builder_new (n, PD_AMOUNT_TIME);

  for (guint32 rank = 0; rank < n; rank++)
    for (guint step = 0; step < n_steps; step++)
      add_ring_step (builder, n, rank, step);
  return pd_program_builder_finish (builder);
}

static void
show_recorded (const char *name)
{
  const char *shared = g_getenv ("PREDICTOR_SHARED");
  g_autofree char *file = g_strconcat (name, ".ti.gz", NULL);
  g_autofree char *path =
      g_build_filename (shared != NULL ? shared : "../shared", "traces", "ti", file, NULL);
  const PdTraceReadOptions options = { .recorded = FALSE };
  g_autoptr (PdMpTrace) trace = NULL;

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    trace = pd_mp_trace_read (&(PdTraceSource){ path, NULL }, &options, NULL, NULL);
  if (trace != NULL)
    show_all (name, trace->program);
}

int
main (void)
{
  g_autoptr (PdProgram) ring = make_ring (64, 100);

  printf ("predicting on several machines at once, least of %d runs\n", N_RUNS);
  show_all ("ring", ring);
  show_recorded ("jacobi2d.256");
  show_recorded ("sweep.256");
  return EXIT_SUCCESS;
}
