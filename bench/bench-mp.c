/* How fast message-passing programs are interpreted, in millions of actions per
 * second of processor time, reading apart, and what they take in memory: programs
 * made here, of the patterns that most traces consist of, and recorded ones where
 * ../shared is.
 *   bench-mp
 * SPDX-License-Identifier: MIT */
#include "bench/bench.h"
#include "predictor/mp/pd-mp.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"
#include "traces/open/pd-trace-read.h"

#include <stdio.h>
#include <stdlib.h>

#define N_RUNS 5

/* Messages keep processors there: everything is an event of its own. */
#define LOGGOPS "loggops:latency=2500ns,o=1500ns,g=1000ns,G=6ps/B"

typedef struct
{
  PdProgramBuilder *builder;
  guint32 side;
} Maker;

static void
add (Maker *self, guint32 rank, PdActionKind kind, guint32 peer, gint64 bytes, guint32 request)
{
  g_autoptr (GError) error = NULL;
  PdAction action;

  pd_action_init (&action, kind);
  action.peer = (gint32) peer;
  action.bytes = bytes;
  action.request = request;
  if (!pd_program_builder_add (self->builder, rank, &action, &error))
    g_error ("%s", error->message);
}

static void
compute (Maker *self, guint32 rank, gint64 ps)
{
  PdAction action;

  pd_action_init (&action, PD_ACT_COMPUTE);
  action.amount.time.ps = ps;
  pd_program_builder_add (self->builder, rank, &action, NULL);
}

/* A five-point stencil on a torus: four receives, four sends, a wait for all. */
static void
stencil_step (Maker *self, guint32 rank, guint i G_GNUC_UNUSED)
{
  guint32 n = self->side, x = rank % n, y = rank / n;
  const guint32 peers[] = { y * n + (x + 1) % n, y * n + (x + n - 1) % n, (y + 1) % n * n + x,
                            (y + n - 1) % n * n + x };

  for (guint32 k = 0; k < 4; k++)
    add (self, rank, PD_ACT_IRECV, peers[k], 8192, k);
  for (guint32 k = 0; k < 4; k++)
    add (self, rank, PD_ACT_ISEND, peers[k], 8192, 4 + k);
  add (self, rank, PD_ACT_WAITALL, 0, 0, 0);
  compute (self, rank, 1000000 + rank % 7);
}

/* A wave from corner to corner: receives from west and north, sends to east and south. */
static void
sweep_step (Maker *self, guint32 rank, guint i G_GNUC_UNUSED)
{
  guint32 n = self->side, x = rank % n, y = rank / n;

  if (x > 0)
    add (self, rank, PD_ACT_RECV, rank - 1, 1024, 0);
  if (y > 0)
    add (self, rank, PD_ACT_RECV, rank - n, 1024, 0);
  compute (self, rank, 1000000);
  if (x + 1 < n)
    add (self, rank, PD_ACT_SEND, rank + 1, 1024, 0);
  if (y + 1 < n)
    add (self, rank, PD_ACT_SEND, rank + n, 1024, 0);
}

/* Bursts and blocking messages in a ring, as in DIM traces. */
static void
ring_step (Maker *self, guint32 rank, guint i)
{
  guint32 n = self->side * self->side;

  compute (self, rank, 1000000 + (rank * 7 + i) % 13);
  add (self, rank, PD_ACT_SEND, (rank + 1) % n, 1024, 0);
  add (self, rank, PD_ACT_RECV, (rank + n - 1) % n, 1024, 0);
}

static const struct
{
  const char *name;
  void (*step) (Maker *self, guint32 rank, guint i);
  guint32 side;
  guint n_steps;
  const char *machine;
} rows[] = {
  { "stencil", stencil_step, 16, 100, "ideal" },
  { "stencil", stencil_step, 64, 20, "ideal" },
  { "stencil", stencil_step, 16, 100, "myrinet:startup=7us,per-byte=1ns,channels=64" },
  { "stencil", stencil_step, 16, 100, LOGGOPS },
  { "sweep", sweep_step, 16, 200, "ideal" },
  { "sweep", sweep_step, 16, 200, LOGGOPS },
  { "ring", ring_step, 4, 10000, "ideal" },
  { "ring", ring_step, 32, 300, "ideal" },
  { "ring", ring_step, 32, 300, "myrinet:startup=7us,per-byte=1ns" },
};

static PdProgram *
make_program (gsize row)
{
  guint32 n = rows[row].side * rows[row].side;
  Maker maker = { pd_program_builder_new (n, PD_AMOUNT_TIME), rows[row].side };

  for (guint32 rank = 0; rank < n; rank++)
    for (guint i = 0; i < rows[row].n_steps; i++)
      rows[row].step (&maker, rank, i);
  return pd_program_builder_finish (maker.builder);
}

/* The least of several runs. */
static gdouble
measure (const PdProgram *program, const char *machine)
{
  const PdMpOptions options = { .trace = "bench", .machine = machine };
  gdouble least = G_MAXDOUBLE;

  for (guint i = 0; i < N_RUNS; i++)
    {
      g_autoptr (GError) error = NULL;
      gdouble begin = bench_seconds ();
      PdReportRun *run = pd_mp_predict_program (&options, program, &error);
      if (run == NULL)
        g_error ("%s", error->message);
      least = MIN (least, bench_seconds () - begin);
      pd_report_run_free (run);
    }
  return least;
}

/* Ranks that do next to nothing: what each takes. */
static void
measure_idle (guint32 n)
{
  Maker maker = { pd_program_builder_new (n, PD_AMOUNT_TIME), 0 };

  for (guint32 rank = 0; rank < n; rank++)
    compute (&maker, rank, 1000);
  g_autoptr (PdProgram) program = pd_program_builder_finish (maker.builder);
  gdouble before = bench_peak_bytes ();
  gdouble seconds = measure (program, "ideal");
  printf ("%u idle ranks: %.2f s, %.0f bytes each\n", n, seconds,
          (bench_peak_bytes () - before) / n);
}

static void
show (const char *name, const PdProgram *program, const char *machine)
{
  guint32 n = pd_program_get_n_ranks (program);
  guint64 actions = 0;

  for (guint32 rank = 0; rank < n; rank++)
    actions += pd_program_get_n_actions (program, rank);
  gdouble seconds = measure (program, machine);
  printf ("%-12s %5u ranks, %8" G_GUINT64_FORMAT " actions: %6.2f M actions/s on %s\n", name, n,
          actions, (gdouble) actions / seconds / 1e6, machine);
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
  if (trace == NULL)
    return;
  show (name, trace->program, "ideal");
  show (name, trace->program, LOGGOPS);
}

int
main (void)
{
  printf ("interpreting message-passing programs, least of %d runs\n", N_RUNS);
  measure_idle (1000000);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PdProgram) program = make_program (i);
      show (rows[i].name, program, rows[i].machine);
    }
  show_recorded ("jacobi2d.256");
  show_recorded ("sweep.256");
  return EXIT_SUCCESS;
}
