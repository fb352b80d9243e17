/* Speed and memory of graph simulation on a LogGOPS machine: patterns of GOAL
 * files, built in memory. An event is an operation or the arrival of a message,
 * as LogGOPSim counts them: 14 per rank and step of the halo, ten operations and
 * four messages. The halo costs more than a ring
 * since nearly all of its events wait for CPU or adapter: 0.8 turns pass through
 * the queue per event that counts, one of eight for nothing, since another came
 * before it; all in all some 460 instructions and one wrong guess of a branch per
 * event that counts.
 *   bench-goal          a few seconds
 *   bench-goal large    also a broadcast over 8,388,608 ranks
 * SPDX-License-Identifier: MIT */
#include "bench/bench.h"
#include "predictor/graph/pd-goal.h"
#include "predictor/graph/pd-goal-result.h"
#include "predictor/graph/pd-graph-run.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/mpi/pd-comsys-core.h"

#include <stdio.h>
#include <string.h>

#define N_REPEATS 5

static guint32
add (PdGraphBuilder *builder, PdGraphKind kind, gint64 size, guint32 peer, guint32 tag)
{
  PdGraphOp op = { kind, size, peer, tag, 0, 0 };

  return pd_graph_builder_add (builder, &op);
}

/* @n by @n ranks compute, then exchange with four neighbours, @steps times. */
static PdGraph *
make_halo (guint32 n, guint32 steps)
{
  PdGraphBuilder *builder = pd_graph_builder_new (n * n);

  for (guint32 rank = 0; rank < n * n; rank++)
    {
      guint32 x = rank % n, y = rank / n, before = 0;
      guint32 peers[4] = { y * n + (x + 1) % n, y * n + (x + n - 1) % n, (y + 1) % n * n + x,
                           (y + n - 1) % n * n + x };
      pd_graph_builder_begin_rank (builder, rank);
      for (guint32 step = 0; step < steps; step++)
        {
          guint32 calc = add (builder, PD_GRAPH_CALC, 100000 + rank * 7919 % 5000, 0, 0), done;
          if (step > 0)
            pd_graph_builder_depend (builder, calc, before, FALSE);
          for (guint k = 0; k < 4; k++)
            {
              pd_graph_builder_depend (builder, add (builder, PD_GRAPH_RECV, 8192, peers[k], k ^ 1),
                                       calc, FALSE);
              pd_graph_builder_depend (builder, add (builder, PD_GRAPH_SEND, 8192, peers[k], k),
                                       calc, FALSE);
            }
          done = add (builder, PD_GRAPH_CALC, 0, 0, 0);
          for (guint k = 1; k <= 8; k++)
            pd_graph_builder_depend (builder, done, calc + k, FALSE);
          before = done;
        }
    }
  return pd_graph_builder_finish (builder, NULL);
}

/* Each of 2 (n - 1) steps: send to the right, receive from the left. */
static PdGraph *
make_ring (guint32 n, guint32 steps)
{
  PdGraphBuilder *builder = pd_graph_builder_new (n);

  for (guint32 rank = 0; rank < n; rank++)
    {
      pd_graph_builder_begin_rank (builder, rank);
      for (guint32 step = 0; step < steps; step++)
        {
          guint32 send = add (builder, PD_GRAPH_SEND, 1024, (rank + 1) % n, step);
          guint32 recv = add (builder, PD_GRAPH_RECV, 1024, (rank + n - 1) % n, step);
          if (step > 0)
            {
              pd_graph_builder_depend (builder, send, send - 1, FALSE);
              pd_graph_builder_depend (builder, recv, send - 2, FALSE);
            }
        }
    }
  return pd_graph_builder_finish (builder, NULL);
}

static PdGraph *
make_dissemination (guint32 n, guint32 unused G_GNUC_UNUSED)
{
  PdGraphBuilder *builder = pd_graph_builder_new (n);

  for (guint32 rank = 0; rank < n; rank++)
    {
      pd_graph_builder_begin_rank (builder, rank);
      for (guint32 far = 1; far < n; far *= 2)
        {
          guint32 send = add (builder, PD_GRAPH_SEND, 1, (rank + far) % n, 0);
          add (builder, PD_GRAPH_RECV, 1, (rank + n - far) % n, 0);
          if (far > 1)
            pd_graph_builder_depend (builder, send, send - 1, FALSE);
        }
    }
  return pd_graph_builder_finish (builder, NULL);
}

static PdGraph *
make_alltoall (guint32 n, guint32 unused G_GNUC_UNUSED)
{
  PdGraphBuilder *builder = pd_graph_builder_new (n);

  for (guint32 rank = 0; rank < n; rank++)
    {
      pd_graph_builder_begin_rank (builder, rank);
      for (guint32 i = 1; i < n; i++)
        {
          add (builder, PD_GRAPH_SEND, 64, (rank + i) % n, 0);
          add (builder, PD_GRAPH_RECV, 64, (rank + n - i) % n, 0);
        }
    }
  return pd_graph_builder_finish (builder, NULL);
}

static PdGraph *
make_gather (guint32 n, guint32 unused G_GNUC_UNUSED)
{
  PdGraphBuilder *builder = pd_graph_builder_new (n);

  for (guint32 rank = 0; rank < n; rank++)
    {
      pd_graph_builder_begin_rank (builder, rank);
      for (guint32 i = 1; rank == 0 && i < n; i++)
        add (builder, PD_GRAPH_RECV, 64, i, 0);
      if (rank > 0)
        add (builder, PD_GRAPH_SEND, 64, 0, 0);
    }
  return pd_graph_builder_finish (builder, NULL);
}

/* Rank r has received after log2 (r) + 1 steps and then sends to the ranks
 * that have one more bit. */
static PdGraph *
make_broadcast (guint32 n, guint32 unused G_GNUC_UNUSED)
{
  PdGraphBuilder *builder = pd_graph_builder_new (n);

  for (guint32 rank = 0; rank < n; rank++)
    {
      guint32 bit = 1;
      pd_graph_builder_begin_rank (builder, rank);
      while (bit <= rank)
        bit *= 2;
      if (rank > 0)
        add (builder, PD_GRAPH_RECV, 1024, rank - bit / 2, 0);
      for (; bit < n - rank; bit *= 2)
        {
          guint32 send = add (builder, PD_GRAPH_SEND, 1024, rank + bit, 0);
          if (rank > 0)
            pd_graph_builder_depend (builder, send, 0, FALSE);
        }
    }
  return pd_graph_builder_finish (builder, NULL);
}

static const struct
{
  const char *name;
  PdGraph *(*make) (guint32, guint32);
  guint32 n, steps;
  gboolean large;
} patterns[] = {
  { "2-D halo, 16,384 ranks, 20 steps", make_halo, 128, 20, FALSE },
  { "ring allreduce, 1,024 ranks", make_ring, 1024, 2046, FALSE },
  { "dissemination, 262,144 ranks", make_dissemination, 262144, 0, FALSE },
  { "linear alltoall, 512 ranks", make_alltoall, 512, 0, FALSE },
  { "gather, 16,384 ranks", make_gather, 16384, 0, FALSE },
  { "broadcast, 8,388,608 ranks", make_broadcast, 8388608, 0, TRUE },
};

/* The loop for all machines takes gigabytes for more events. */
#define MAX_GENERAL 8000000

/* The same by the loop for all machines, as when the run is observed. Returns: seconds; 0 if its
 * ends are not those of @plain. */
static gdouble
run_general (const PdGraph *graph, const PdGoalResult *plain)
{
  guint32 n = pd_graph_get_n_ranks (graph);
  g_autoptr (PdMachine) machine =
      pd_machine_load ("loggops:L=2500ns,o=1500ns,g=1000ns,G=6ns,S=65535", NULL, n, NULL);
  g_autoptr (PdComsys) comsys = pd_comsys_new (machine, NULL, n, NULL);
  g_autofree PdTime *calcs = g_new (PdTime, n);
  const PdGraphRunParams params = { .graph = graph, .comsys = comsys };
  g_auto (PdGoalResult) result = { 0 };
  gdouble start = bench_seconds ();

  if (!pd_graph_run (&params, calcs, &result, NULL))
    return 0;
  gdouble seconds = bench_seconds () - start;
  return memcmp (result.ends, plain->ends, n * sizeof *result.ends) == 0 ? seconds : 0;
}

static gboolean
measure (const char *name, const PdGraph *graph, gboolean large)
{
  static const PdGoalParams params = { .latency = { 2500000 },
                                       .overhead = { 1500000 },
                                       .gap = { 1000000 },
                                       .gap_per_byte = 6000,
                                       .eager = 65535 };
  gdouble least = G_MAXDOUBLE, events = 0, state = 0, general = 0;
  gdouble graph_bytes = (gdouble) pd_graph_get_totals (graph)->n_bytes;

  for (guint i = 0; i < N_REPEATS; i++)
    {
      g_auto (PdGoalResult) result = { 0 };
      g_autoptr (GError) error = NULL;
      gdouble start = bench_seconds ();
      if (!pd_goal_simulate (graph, &params, &result, &error))
        {
          fprintf (stderr, "%s\n", error->message);
          return FALSE;
        }
      least = MIN (least, bench_seconds () - start);
      events = (gdouble) result.n_events;
      state = (gdouble) result.n_state_bytes;
      if (i == 0 && !large && result.n_events < MAX_GENERAL)
        general = run_general (graph, &result);
    }
  printf (
      "%-34s %6.2f M events %8.4f s %6.1f M/s %6.1f B/event (graph %.1f), peak so far %ld MiB\n",
      name, 1e-6 * events, least, 1e-6 * events / least, (graph_bytes + state) / events,
      graph_bytes / events, (long) (bench_peak_bytes () / 1024) / 1024);
  if (general > 0)
    printf ("  by the loop for all machines %8.4f s, %.1f times as long\n", general,
            general / least);
  return large || general > 0 || events >= MAX_GENERAL;
}

int
main (int argc, char **argv)
{
  gboolean large = argc > 1 && strcmp (argv[1], "large") == 0;
  const char *only = argc > 2 ? argv[2] : "";
  gboolean good = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autoptr (PdGraph) graph = NULL;
      if ((patterns[i].large && !large) || strstr (patterns[i].name, only) == NULL)
        continue;
      graph = patterns[i].make (patterns[i].n, patterns[i].steps);
      good &= measure (patterns[i].name, graph, patterns[i].large);
    }
  return good ? 0 : 1;
}
