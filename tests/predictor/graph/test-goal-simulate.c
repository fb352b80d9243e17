/* Dependency graphs on a LogGOPS machine: cases by hand, and thousands of
 * random graphs against the plain rules.
 * SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-goal.h"
#include "predictor/dvm/simulate/pd-simulation.h"
#include "tests/support/mp/goal-reference.h"
#include "predictor/graph/pd-goal-cost.h"
#include "predictor/graph/pd-goal-result.h"
#include "predictor/graph/pd-graph-run.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/mpi/pd-comsys-core.h"

#include <string.h>

/* ---- small graphs written as rows */

typedef struct
{
  guint32 rank;
  PdGraphOp op;
  gint requires; /* operation of the rank, -1: none */
  gint starts;   /* likewise: whose start it waits for */
} Row;

#define MAX_ROWS 12

#define CALC(rank, ns, cpu, requires, starts)                                                      \
  {                                                                                                \
    rank, { PD_GRAPH_CALC, ns, 0, 0, cpu, 0 }, requires, starts                                    \
  }
#define SEND(rank, bytes, peer, tag, cpu, requires, starts)                                        \
  {                                                                                                \
    rank, { PD_GRAPH_SEND, bytes, peer, tag, cpu, 0 }, requires, starts                            \
  }
#define RECV(rank, bytes, peer, tag, cpu, requires, starts)                                        \
  {                                                                                                \
    rank, { PD_GRAPH_RECV, bytes, peer, tag, cpu, 0 }, requires, starts                            \
  }
#define ANY PD_GRAPH_ANY

typedef struct
{
  const char *name;
  gint64 eager;
  gboolean compat;
  guint32 n_rows;
  Row rows[MAX_ROWS];
  gint64 ends[3]; /* ns, for L=2500 o=1500 g=1000 G=6 O=0 */
} Case;

static const Case cases[] = {
  { "message",
    65535,
    FALSE,
    2,
    { SEND (0, 1001, 1, 0, 0, -1, -1), RECV (1, 1001, 0, 0, 0, -1, -1) },
    { 1500, 1500 + 2500 + 1500 + 6000, 0 } },
  { "late-receive",
    65535,
    FALSE,
    4,
    { SEND (0, 1, 1, 0, 0, -1, -1), CALC (1, 20000, 0, -1, -1), RECV (1, 1, 0, 0, 0, 0, -1),
      CALC (1, 7, 0, 1, -1) },
    { 1500, 21507, 0 } }, /* the message arrives during calc: o is charged behind it */
  { "rendezvous-late",
    0,
    FALSE,
    5,
    { SEND (0, 1, 1, 0, 0, -1, -1), CALC (0, 10, 0, 0, -1), CALC (1, 20000, 0, -1, -1),
      RECV (1, 1, 0, 0, 0, 0, -1), CALC (1, 7, 0, 1, -1) },
    { 20010, 21507, 0 } },
  { "gap",
    65535,
    FALSE,
    4,
    { SEND (0, 1001, 1, 0, 0, -1, -1), SEND (0, 1, 1, 1, 0, -1, -1),
      RECV (1, 1001, 0, 0, 0, -1, -1), RECV (1, 1, 0, 1, 0, -1, -1) },
    { 8500, 13000, 0 } }, /* the second leaves at g + 1000 G = 7000 and arrives at 11000; the
                           * receiver is busy until 11500 */
  { "cross-cpu",
    65535,
    FALSE,
    4,
    { CALC (0, 100000, 0, -1, -1), SEND (0, 8, 1, 0, 1, 0, -1), CALC (0, 5000, 1, 0, -1),
      RECV (1, 8, 0, 0, 0, -1, -1) },
    { 106500, 105542, 0 } },
  { "cross-cpu-compat",
    65535,
    TRUE,
    4,
    { CALC (0, 100000, 0, -1, -1), SEND (0, 8, 1, 0, 1, 0, -1), CALC (0, 5000, 1, 0, -1),
      RECV (1, 8, 0, 0, 0, -1, -1) },
    { 100000, 5542, 0 } },
  { "zero-bytes",
    65535,
    FALSE,
    4,
    { SEND (0, 0, 1, 0, 0, -1, -1), CALC (0, 10, 0, 0, -1), RECV (1, 0, 0, 0, 0, -1, -1),
      CALC (1, 10, 0, 0, -1) },
    { 1510, 5510, 0 } },
  { "zero-bytes-compat",
    65535,
    TRUE,
    4,
    { SEND (0, 0, 1, 0, 0, -1, -1), CALC (0, 10, 0, 0, -1), RECV (1, 0, 0, 0, 0, -1, -1),
      CALC (1, 10, 0, 0, -1) },
    { 1510, 5504, 0 } },
  { "cross-cpu-receive",
    65535,
    FALSE,
    4,
    /* the message is received by CPU 1, what waits for it runs on CPU 0 */
    { SEND (0, 1001, 1, 0, 1, -1, -1), CALC (1, 5000, 0, -1, -1), RECV (1, 1001, 0, 0, 0, 0, -1),
      CALC (1, 7, 0, 1, -1) },
    { 1500, 11507, 0 } },
  { "start",
    65535,
    FALSE,
    4,
    { RECV (0, 1, 1, 0, 0, -1, -1), CALC (0, 50, 0, -1, 0), CALC (0, 3, 0, 0, -1),
      SEND (1, 1, 0, 0, 0, -1, -1) },
    { 5503, 1500, 0 } },
  { "to-itself",
    0,
    FALSE,
    3,
    { SEND (0, 1, 0, 5, 0, -1, -1), RECV (0, 1, 0, ANY, 0, -1, -1), CALC (0, 1, 0, 0, -1) },
    { 5501, 0, 0 } },
  { "wildcards-in-order",
    65535,
    FALSE,
    8,
    /* rank 2 takes what comes first, from 1; then calc 100 */
    { CALC (0, 1000, 0, -1, -1), SEND (0, 1, 2, 3, 0, 0, -1), SEND (1, 1, 2, 4, 0, -1, -1),
      RECV (2, 1, ANY, ANY, 0, -1, -1), CALC (2, 100, 0, 0, -1), RECV (2, 1, 0, 3, 0, 1, -1),
      CALC (2, 1, 0, 2, -1), CALC (2, 0, 0, -1, -1) },
    { 2500, 1500, 1500 + 2500 + 1500 + 100 + 1500 + 1 } },
};

static const PdGoalParams usual = {
  .latency = { 2500000 },
  .overhead = { 1500000 },
  .gap = { 1000000 },
  .gap_per_byte = 6000,
  .eager = 65535,
};

static PdGraph *
build (const Row *rows, guint32 n, guint32 n_ranks)
{
  PdGraphBuilder *builder = pd_graph_builder_new (n_ranks);
  g_autoptr (GError) error = NULL;
  PdGraph *graph;

  for (guint32 i = 0; i < n; i++)
    {
      guint32 op;
      if (i == 0 || rows[i].rank != rows[i - 1].rank)
        pd_graph_builder_begin_rank (builder, rows[i].rank);
      op = pd_graph_builder_add (builder, &rows[i].op);
      if (rows[i].requires >= 0)
        pd_graph_builder_depend (builder, op, (guint32) rows[i].requires, FALSE);
      if (rows[i].starts >= 0)
        pd_graph_builder_depend (builder, op, (guint32) rows[i].starts, TRUE);
    }
  graph = pd_graph_builder_finish (builder, &error);
  g_assert_no_error (error);
  return graph;
}

static void
test_case (gconstpointer data)
{
  const Case *test = data;
  g_autoptr (PdGraph) graph = build (test->rows, test->n_rows, 3);
  g_auto (PdGoalResult) result = { 0 };
  g_autoptr (GError) error = NULL;
  PdGoalParams params = usual;
  guint64 n_unmatched;
  gint64 ends[3];

  params.eager = test->eager;
  params.compat = test->compat;
  g_assert_true (pd_goal_simulate (graph, &params, &result, &error));
  g_assert_no_error (error);
  g_assert_true (goal_reference_simulate (graph, &params, ends, &n_unmatched));
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpint (ends[i], ==, 1000 * test->ends[i]);
      g_assert_cmpint (result.ends[i].ps, ==, 1000 * test->ends[i]);
    }
  g_assert_cmpuint (result.n_unmatched, ==, 0);
}

/* ---- random graphs */

typedef struct
{
  const char *name;
  guint rounds;
  guint32 n_ranks;
  guint32 n_items;    /* messages and calcs together */
  gint depends;       /* of 8: how many operations depend on earlier ones */
  gint32 n_lanes;     /* CPUs and adapters */
  gint wildcard;      /* of 8: receives with wildcards */
  gint send_wildcard; /* of 64: sends with any tag */
  gint lost;          /* of 64: messages or receives without a partner */
  gint32 times;       /* L, o, g are less than this, in ns */
  guint done;         /* percent of the graphs that end in no deadlock, at least */
} Random;

static const Random randoms[] = {
  { "chains", 4000, 4, 20, 8, 1, 0, 0, 0, 4, 40 },
  { "ties", 4000, 5, 30, 4, 1, 0, 0, 0, 2, 40 },
  { "wide-times", 1000, 5, 40, 5, 1, 0, 0, 0, 1000, 40 },
  { "wildcards", 2000, 4, 30, 4, 1, 3, 0, 0, 3, 5 },
  { "any-tag-sent", 3000, 3, 30, 4, 1, 3, 16, 0, 3, 5 },
  { "any-tag-ties", 2000, 4, 30, 4, 1, 1, 32, 0, 2, 5 },
  { "lanes", 6000, 4, 30, 4, 3, 1, 0, 0, 3, 10 },
  { "lanes-ties", 6000, 5, 30, 4, 2, 0, 0, 0, 2, 20 },
  { "lanes-wide-times", 2000, 5, 40, 5, 3, 1, 0, 0, 1000, 10 },
  { "lanes-wildcards", 3000, 4, 30, 4, 2, 3, 8, 0, 3, 5 },
  { "far-lanes", 1000, 3, 30, 6, 40, 1, 0, 0, 3, 10 },
  { "lost", 1000, 4, 20, 5, 1, 1, 0, 4, 3, 5 },
  { "lost-lanes", 1000, 4, 20, 5, 2, 1, 0, 4, 3, 5 },
  { "long-queues", 100, 2, 300, 1, 1, 0, 0, 0, 3, 40 },
  { "long-wild-queues", 100, 2, 300, 1, 1, 2, 2, 0, 3, 0 },
  { "long-all-wild", 100, 2, 300, 1, 1, 8, 2, 0, 3, 40 },
  { "long-lanes", 200, 2, 300, 1, 3, 1, 2, 0, 3, 0 },
  { "many-ranks", 20, 400, 2500, 5, 1, 1, 0, 0, 50, 0 },
  { "many-ranks-lanes", 20, 400, 2500, 5, 2, 1, 0, 0, 50, 0 },
};

typedef struct
{
  const Random *test;
  GRand *rand;
  GArray **ops; /* of each rank, of PdGraphOp */
} Maker;

static gint32
draw (Maker *self, gint32 n)
{
  return g_rand_int_range (self->rand, 0, n);
}

static void
add_op (Maker *self, guint32 rank, PdGraphOp op)
{
  op.cpu = (guint8) draw (self, self->test->n_lanes);
  op.nic = op.kind == PD_GRAPH_CALC ? 0 : (guint8) draw (self, self->test->n_lanes);
  g_array_append_val (self->ops[rank], op);
}

static void
add_message (Maker *self)
{
  const Random *test = self->test;
  gint32 n = (gint32) test->n_ranks;
  guint32 source = (guint32) draw (self, n), target = (guint32) draw (self, n);
  guint32 tag = (guint32) draw (self, 3) * 40000;
  PdGraphOp send = { PD_GRAPH_SEND, draw (self, 12), target, tag, 0, 0 };
  PdGraphOp recv = { PD_GRAPH_RECV, send.size, source, tag, 0, 0 };

  if (draw (self, 50) == 0)
    send.size = G_GINT64_CONSTANT (5000000000);
  if (draw (self, 8) < test->wildcard)
    recv.peer = ANY;
  if (draw (self, 8) < test->wildcard)
    recv.tag = ANY;
  if (draw (self, 64) < test->send_wildcard)
    send.tag = ANY;
  if (draw (self, 64) >= test->lost)
    add_op (self, source, send);
  if (draw (self, 64) >= test->lost)
    add_op (self, target, recv);
}

static PdGraph *
make_graph (Maker *self)
{
  const Random *test = self->test;
  PdGraphBuilder *builder = pd_graph_builder_new (test->n_ranks);
  g_autoptr (GError) error = NULL;
  PdGraph *graph;

  for (guint32 i = 0; i < test->n_items; i++)
    if (draw (self, 3) == 0)
      add_op (self, (guint32) draw (self, (gint32) test->n_ranks),
              (PdGraphOp){ PD_GRAPH_CALC, draw (self, 2 * test->times), 0, 0, 0, 0 });
    else
      add_message (self);
  for (guint32 rank = 0; rank < test->n_ranks; rank++)
    {
      pd_graph_builder_begin_rank (builder, rank);
      for (guint i = 0; i < self->ops[rank]->len; i++)
        {
          pd_graph_builder_add (builder, &g_array_index (self->ops[rank], PdGraphOp, i));
          for (guint k = 0; k < 3 && i > 0 && draw (self, 8) < test->depends; k++)
            pd_graph_builder_depend (builder, i,
                                     draw (self, 2) ? i - 1 : (guint32) draw (self, (gint32) i),
                                     draw (self, 5) == 0);
        }
      g_array_set_size (self->ops[rank], 0);
    }
  graph = pd_graph_builder_finish (builder, &error);
  g_assert_no_error (error);
  return graph;
}

static PdGoalParams
make_params (Maker *self)
{
  gint32 n = self->test->times;
  PdGoalParams params = { .latency = PD_TIME (1000 * draw (self, n)),
                          .overhead = PD_TIME (1000 * draw (self, n)),
                          .gap = PD_TIME (1000 * draw (self, n)),
                          .gap_per_byte = draw (self, 3) * 1000,
                          .overhead_per_byte = draw (self, 3) == 0 ? draw (self, 3) * 1000 : 0,
                          .eager = draw (self, 2) ? draw (self, 12) : 65535,
                          .compat = draw (self, 2) };

  /* Empty messages at once would wrap LogGOPSim's clock below 0. */
  if (params.compat && params.overhead.ps + params.latency.ps < 3000)
    params.latency.ps += 3000;
  if (draw (self, 4) == 0)
    params.gap_per_byte = 0.4 * draw (self, 3000);
  return params;
}

/* The same by the loop for graphs on all machines. */
static void
assert_general (const PdGraph *graph, const PdGoalParams *params, gboolean done, const gint64 *ends,
                guint64 n_unmatched)
{
  guint32 n = pd_graph_get_n_ranks (graph);
  g_autofree char *spec = g_strdup_printf (
      "loggops:L=%.3fns,o=%.3fns,g=%.3fns,G=%.4fns,O=%.4fns,eager=%" G_GINT64_FORMAT "B,compat=%s",
      (gdouble) params->latency.ps / 1000, (gdouble) params->overhead.ps / 1000,
      (gdouble) params->gap.ps / 1000, params->gap_per_byte / 1000,
      params->overhead_per_byte / 1000, params->eager, params->compat ? "loggopsim" : "none");
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) machine = pd_machine_load (spec, NULL, n, &error);
  g_assert_no_error (error);
  g_autoptr (PdComsys) comsys = pd_comsys_new (machine, NULL, n, &error);
  g_autofree PdTime *calcs = g_new (PdTime, n);
  g_auto (PdGoalResult) result = { 0 };
  const PdGraphRunParams run = { .graph = graph, .comsys = comsys, .speeds = params->speeds };

  g_assert_cmpint (pd_graph_run (&run, calcs, &result, &error), ==, done);
  if (done)
    g_assert_cmpuint (result.n_unmatched, ==, n_unmatched);
  for (guint32 i = 0; i < n; i++)
    if (result.ends[i].ps != ends[i])
      g_error ("rank %u: %" G_GINT64_FORMAT " instead of %" G_GINT64_FORMAT " on %s", i,
               result.ends[i].ps, ends[i], spec);
}

static void
test_random (gconstpointer data)
{
  const Random *test = data;
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  g_autofree GArray **ops = g_new (GArray *, test->n_ranks);
  g_autofree gint64 *ends = g_new (gint64, test->n_ranks);
  g_autofree gdouble *speeds = g_new (gdouble, test->n_ranks);
  Maker maker = { test, rand, ops };
  guint n_done = 0;

  for (guint32 i = 0; i < test->n_ranks; i++)
    speeds[i] = 0.5 * g_rand_int_range (rand, 1, 5);
  for (guint32 i = 0; i < test->n_ranks; i++)
    ops[i] = g_array_new (FALSE, FALSE, sizeof (PdGraphOp));
  for (guint round = 0; round < test->rounds / PD_TEST_SHARE; round++)
    {
      g_autoptr (PdGraph) graph = make_graph (&maker);
      PdGoalParams params = make_params (&maker);
      gboolean uneven = g_rand_boolean (rand);
      g_auto (PdGoalResult) result = { 0 };
      g_autoptr (GError) error = NULL;
      guint64 n_unmatched;
      gboolean done;

      params.speeds = uneven ? speeds : NULL;
      done = goal_reference_simulate (graph, &params, ends, &n_unmatched);

      g_assert_cmpint (pd_goal_simulate (graph, &params, &result, &error), ==, done);
      n_done += done ? 1 : 0;
      if (!done)
        {
          g_assert_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_DEADLOCK);
          g_assert_cmpuint (result.blocked->len, >, 0);
        }
      else
        {
          g_assert_no_error (error);
          g_assert_cmpuint (result.n_unmatched, ==, n_unmatched);
        }
      for (guint32 i = 0; i < test->n_ranks; i++)
        if (result.ends[i].ps != ends[i])
          g_error ("round %u, rank %u: %" G_GINT64_FORMAT " instead of %" G_GINT64_FORMAT, round, i,
                   result.ends[i].ps, ends[i]);
      if (!pd_goal_goes_back (&params) && (test->n_lanes == 1 || !params.compat))
        assert_general (graph, &params, done, ends, n_unmatched);
    }
  g_assert_cmpuint (100 * n_done, >=, test->done * (test->rounds / PD_TEST_SHARE));
  for (guint32 i = 0; i < test->n_ranks; i++)
    g_array_unref (ops[i]);
}

/* ---- what cannot go on */

typedef struct
{
  const char *name;
  gint64 eager;
  guint32 n_rows;
  Row rows[MAX_ROWS];
  guint32 n_blocked;
  PdGoalBlocked blocked[3];
} Deadlock;

static const Deadlock deadlocks[] = {
  { "no-message",
    65535,
    2,
    { CALC (0, 5, 0, -1, -1), RECV (1, 8, 0, 7, 0, -1, -1) },
    1,
    { { 1, 0, PD_GRAPH_RECV, FALSE, 0, 7, 8 } } },
  { "other-tag",
    65535,
    2,
    { SEND (0, 8, 1, 6, 0, -1, -1), RECV (1, 8, ANY, 7, 0, -1, -1) },
    1,
    { { 1, 0, PD_GRAPH_RECV, FALSE, ANY, 7, 8 } } },
  { "face-to-face",
    0,
    4,
    { SEND (0, 8, 1, 0, 0, -1, -1), RECV (0, 8, 1, 0, 0, 0, -1), SEND (1, 9, 0, 0, 0, -1, -1),
      RECV (1, 9, 0, 0, 0, 0, -1) },
    2,
    { { 0, 0, PD_GRAPH_SEND, FALSE, 1, 0, 8 }, { 1, 0, PD_GRAPH_SEND, FALSE, 0, 0, 9 } } },
  { "cycle",
    65535,
    4,
    { CALC (2, 1, 0, -1, -1), CALC (2, 2, 0, 3, -1), CALC (2, 3, 0, 1, -1), CALC (2, 4, 0, 2, -1) },
    1,
    { { 2, 1, PD_GRAPH_CALC, TRUE, 0, 0, 2 } } },
  { "behind-a-cycle",
    65535,
    4,
    { SEND (0, 1, 1, 0, 0, 1, -1), CALC (0, 5, 0, -1, 1), CALC (0, 6, 0, 0, -1),
      RECV (1, 1, 0, 0, 0, -1, -1) },
    2,
    { { 0, 1, PD_GRAPH_CALC, TRUE, 0, 0, 5 }, { 1, 0, PD_GRAPH_RECV, FALSE, 0, 0, 1 } } },
};

static void
test_deadlock (gconstpointer data)
{
  const Deadlock *test = data;
  g_autoptr (PdGraph) graph = build (test->rows, test->n_rows, 3);
  g_auto (PdGoalResult) result = { 0 };
  g_autoptr (GError) error = NULL;
  PdGoalParams params = usual;

  params.eager = test->eager;
  g_assert_false (pd_goal_simulate (graph, &params, &result, &error));
  g_assert_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_DEADLOCK);
  g_assert_cmpuint (result.n_blocked, ==, test->n_blocked);
  g_assert_cmpuint (result.blocked->len, ==, test->n_blocked);
  for (guint i = 0; i < test->n_blocked; i++)
    {
      const PdGoalBlocked *row = &g_array_index (result.blocked, PdGoalBlocked, i);
      const PdGoalBlocked *want = &test->blocked[i];
      g_assert_cmpuint (row->rank, ==, want->rank);
      g_assert_cmpuint (row->op, ==, want->op);
      g_assert_cmpint (row->kind, ==, want->kind);
      g_assert_cmpint (row->cycle, ==, want->cycle);
      g_assert_cmpuint (row->peer, ==, want->peer);
      g_assert_cmpuint (row->tag, ==, want->tag);
      g_assert_cmpint (row->bytes, ==, want->bytes);
    }
}

/* All of many ranks wait: not all are shown. */
static void
test_many_blocked (void)
{
  enum
  {
    N = 5000
  };
  PdGraphBuilder *builder = pd_graph_builder_new (N);
  g_autoptr (PdGraph) graph = NULL;
  g_auto (PdGoalResult) result = { 0 };
  g_autoptr (GError) error = NULL;

  for (guint32 rank = 0; rank < N; rank++)
    {
      pd_graph_builder_begin_rank (builder, rank);
      for (guint32 i = 0; i < 40; i++)
        pd_graph_builder_add (builder, &(PdGraphOp){ PD_GRAPH_RECV, 8, (rank + i) % N, i, 0, 0 });
    }
  graph = pd_graph_builder_finish (builder, NULL);
  g_assert_false (pd_goal_simulate (graph, &usual, &result, &error));
  g_assert_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_DEADLOCK);
  g_assert_cmpuint (result.n_blocked, ==, N);
  g_assert_cmpuint (result.blocked->len, ==, 1000);
  g_assert_cmpuint (g_array_index (result.blocked, PdGoalBlocked, 999).rank, ==, 999);
  g_assert_nonnull (strstr (error->message, "4980 more"));
}

static void
test_unmatched (void)
{
  static const Row rows[] = { SEND (0, 8, 1, 6, 0, -1, -1), SEND (0, 9, 1, 5, 0, -1, -1),
                              SEND (0, 10, 2, 4, 0, -1, -1), RECV (1, 8, 0, 6, 0, -1, -1) };
  g_autoptr (PdGraph) graph = build (rows, G_N_ELEMENTS (rows), 3);
  g_auto (PdGoalResult) result = { 0 };

  g_assert_true (pd_goal_simulate (graph, &usual, &result, NULL));
  g_assert_cmpuint (result.n_unmatched, ==, 2);
  g_assert_cmpuint (result.unmatched.rank, ==, 0);
  g_assert_cmpuint (result.unmatched.op, ==, 1);
  g_assert_cmpuint (result.unmatched.peer, ==, 1);
  g_assert_cmpuint (result.n_messages, ==, 3);
  g_assert_true (result.n_bytes.ps == 27);
  g_assert_cmpuint (result.n_events, ==, 4 + 3);
}

/* Beyond 106 days: an error, wherever it happens. */
static void
test_overflow (gconstpointer data)
{
  static const Row rows[][2] = {
    { CALC (0, G_MAXINT64, 0, -1, -1), CALC (0, 1, 0, 0, -1) },
    { CALC (0, G_MAXINT64 / 1000, 0, -1, -1), CALC (0, 1, 0, 0, -1) },
    { SEND (0, G_MAXINT64, 1, 0, 0, -1, -1), RECV (1, 1, 0, 0, 0, -1, -1) },
    { CALC (0, G_MAXINT64 / 1000 - 1, 0, -1, -1), SEND (0, 1, 1, 0, 0, 0, -1) },
  };
  g_autoptr (PdGraph) graph = build (rows[GPOINTER_TO_UINT (data)], 2, 2);
  g_auto (PdGoalResult) result = { 0 };
  g_autoptr (GError) error = NULL;

  g_assert_false (pd_goal_simulate (graph, &usual, &result, &error));
  g_assert_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_OVERFLOW);
}

/* Someone stops it: a long chain does not go to its end. */
static void
test_stop (void)
{
  static volatile sig_atomic_t stop = 1;
  PdGraphBuilder *builder = pd_graph_builder_new (1);
  g_autoptr (PdGraph) graph = NULL;
  g_auto (PdGoalResult) result = { 0 };
  g_autoptr (GError) error = NULL;
  PdGoalParams params = usual;

  params.stop = &stop;
  pd_graph_builder_begin_rank (builder, 0);
  for (guint32 i = 0; i < 100000; i++)
    {
      pd_graph_builder_add (builder, &(PdGraphOp){ PD_GRAPH_CALC, 1, 0, 0, 0, 0 });
      if (i > 0)
        pd_graph_builder_depend (builder, i, i - 1, FALSE);
    }
  graph = pd_graph_builder_finish (builder, NULL);
  g_assert_false (pd_goal_simulate (graph, &params, &result, &error));
  g_assert_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_INTERRUPTED);
}

/* o + (s-1) O at the sender, o + (s-1) max (O, G) at the receiver, computation by speeds. */
static void
test_work (void)
{
  static const Row rows[] = { CALC (0, 100, 0, -1, -1), SEND (0, 11, 1, 0, 0, 0, -1),
                              RECV (1, 11, 0, 0, 0, -1, -1), CALC (1, 7, 0, 0, -1) };
  g_autoptr (PdGraph) graph = build (rows, G_N_ELEMENTS (rows), 2);
  g_auto (PdGoalResult) result = { 0 };
  const gdouble speeds[2] = { 2, 1 };
  PdGoalParams params = usual;
  PdTime calcs[2];

  params.overhead_per_byte = 500;
  params.speeds = speeds;
  g_assert_true (pd_goal_simulate (graph, &params, &result, NULL));
  pd_goal_sum_calcs (graph, &params, calcs);
  g_assert_cmpint (calcs[0].ps, ==, 50000);
  g_assert_cmpint (calcs[1].ps, ==, 7000);
  g_assert_cmpint (result.ends[0].ps, ==, 50000 + 1500000 + 5000);
  g_assert_cmpint (result.ends[1].ps, ==, 50000 + 4000000 + 1500000 + 60000 + 7000);
}

/* More operations than a byte counts wait for the same one, and for many. */
static void
test_many_dependencies (void)
{
  PdGraphBuilder *builder = pd_graph_builder_new (1);
  g_autoptr (PdGraph) graph = NULL;
  g_auto (PdGoalResult) result = { 0 };
  guint32 n = 1000;

  pd_graph_builder_begin_rank (builder, 0);
  for (guint32 i = 0; i < n + 2; i++)
    pd_graph_builder_add (builder, &(PdGraphOp){ PD_GRAPH_CALC, i > n ? 5 : i, 0, 0, 0, 0 });
  for (guint32 i = 0; i < n; i++)
    {
      pd_graph_builder_depend (builder, n, i, FALSE);
      if (i % 4 == 0)
        pd_graph_builder_depend (builder, n + 1, i, FALSE);
    }
  pd_graph_builder_depend (builder, n + 1, n, FALSE);
  graph = pd_graph_builder_finish (builder, NULL);
  g_assert_true (pd_goal_simulate (graph, &usual, &result, NULL));
  g_assert_cmpint (result.end.ps, ==, (gint64) 1000 * (n * (n + 1) / 2 + 5));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/predictor/goal/case/%s", cases[i].name);
      g_test_add_data_func (path, &cases[i], test_case);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (randoms); i++)
    {
      g_autofree char *path = g_strdup_printf ("/predictor/goal/random/%s", randoms[i].name);
      g_test_add_data_func (path, &randoms[i], test_random);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (deadlocks); i++)
    {
      g_autofree char *path = g_strdup_printf ("/predictor/goal/deadlock/%s", deadlocks[i].name);
      g_test_add_data_func (path, &deadlocks[i], test_deadlock);
    }
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *path = g_strdup_printf ("/predictor/goal/overflow/%u", i);
      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_overflow);
    }
  g_test_add_func ("/predictor/goal/deadlock/many", test_many_blocked);
  g_test_add_func ("/predictor/goal/unmatched", test_unmatched);
  g_test_add_func ("/predictor/goal/stop", test_stop);
  g_test_add_func ("/predictor/goal/work", test_work);
  g_test_add_func ("/predictor/goal/many-dependencies", test_many_dependencies);
  return g_test_run ();
}
