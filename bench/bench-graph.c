/* Speed and memory of dependency graphs on networks other than LogGOPS: graphs built
 * in memory, simulated through ComSys. An event is an operation or the arrival of a
 * message.
 *   bench-graph         a few seconds
 * SPDX-License-Identifier: MIT */
#include "bench/bench.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "predictor/graph/pd-graph-run.h"
#include "predictor/graph/pd-goal-result.h"

#include <stdio.h>

#define N_REPEATS 2

static guint32
add (PdGraphBuilder *builder, PdGraphKind kind, gint64 size, guint32 peer, guint32 tag)
{
  PdGraphOp op = { kind, size, peer, tag, 0, 0 };

  return pd_graph_builder_add (builder, &op);
}

/* @n by @n ranks compute while they exchange with four neighbours, @steps times. */
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
          guint32 calc = add (builder, PD_GRAPH_CALC, 100000 + rank * 7919 % 5000, 0, 0);
          if (step > 0)
            pd_graph_builder_depend (builder, calc, before, FALSE);
          for (guint k = 0; k < 4; k++)
            {
              pd_graph_builder_depend (builder, add (builder, PD_GRAPH_RECV, 8192, peers[k], k ^ 1),
                                       calc, FALSE);
              pd_graph_builder_depend (builder, add (builder, PD_GRAPH_SEND, 8192, peers[k], k),
                                       calc, FALSE);
            }
          before = add (builder, PD_GRAPH_CALC, 0, 0, 0);
          for (guint k = 1; k <= 8; k++)
            pd_graph_builder_depend (builder, before, calc + k, FALSE);
        }
    }
  return pd_graph_builder_finish (builder, NULL);
}

/* Chains: compute, send to the right, receive from the left. */
static PdGraph *
make_chains (guint32 n, guint32 steps)
{
  PdGraphBuilder *builder = pd_graph_builder_new (n);

  for (guint32 rank = 0; rank < n; rank++)
    {
      guint32 op = 0;
      pd_graph_builder_begin_rank (builder, rank);
      for (guint32 step = 0; step < steps; step++)
        {
          op = add (builder, PD_GRAPH_CALC, 1000 + rank * 7919 % 500, 0, 0);
          if (step > 0)
            pd_graph_builder_depend (builder, op, op - 1, FALSE);
          add (builder, PD_GRAPH_SEND, 1024, (rank + 1) % n, 0);
          pd_graph_builder_depend (builder, op + 1, op, FALSE);
          add (builder, PD_GRAPH_RECV, 1024, (rank + n - 1) % n, 0);
          pd_graph_builder_depend (builder, op + 2, op + 1, FALSE);
        }
    }
  return pd_graph_builder_finish (builder, NULL);
}

static gdouble
run_once (const PdGraph *graph, const PdMachine *machine, PdGoalResult *result)
{
  guint32 n = pd_graph_get_n_ranks (graph);
  g_autofree PdTime *calcs = g_new (PdTime, n);
  gdouble begin = bench_seconds ();
  g_autoptr (PdComsys) comsys = pd_comsys_new (machine, NULL, n, NULL);
  const PdGraphRunParams params = { .graph = graph, .comsys = comsys };

  if (!pd_graph_run (&params, calcs, result, NULL))
    g_error ("the graph deadlocks");
  return bench_seconds () - begin;
}

static void
measure (const char *name, const PdGraph *graph, const char *spec)
{
  g_autoptr (GError) error = NULL;
  PdMachine *machine = pd_machine_load (spec, NULL, pd_graph_get_n_ranks (graph), &error);
  gdouble best = 1e9;
  guint64 n_events = 0;
  PdTime end = PD_TIME_ZERO;

  if (machine == NULL)
    g_error ("%s", error->message);
  for (guint i = 0; i < N_REPEATS; i++)
    {
      g_auto (PdGoalResult) result = { .n_ranks = 0 };
      best = MIN (best, run_once (graph, machine, &result));
      n_events = result.n_events;
      end = result.end;
    }
  printf ("%-7s %-48s %8" G_GUINT64_FORMAT " events %6.3f s %6.2f M events/s, ends at %.6f s\n",
          name, spec, n_events, best, (gdouble) n_events / best / 1e6, pd_time_to_seconds (end));
  pd_machine_free (machine);
}

int
main (void)
{
  static const char *const machines[] = {
    "ideal",
    "flow:topology=crossbar,latency=2us,bandwidth=10GB/s",
    "myrinet:startup=2us,per-byte=0.1ns",
  };
  g_autoptr (PdGraph) chains = make_chains (1024, 500);
  g_autoptr (PdGraph) halo = make_halo (64, 20);
  g_autoptr (PdGraph) large = make_halo (128, 10);

  for (gsize i = 0; i < G_N_ELEMENTS (machines); i++)
    {
      measure ("chains", chains, machines[i]);
      measure ("halo64", halo, machines[i]);
    }
  measure ("halo128", large, machines[0]);
  return 0;
}
