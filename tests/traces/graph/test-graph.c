/* Dependency graphs: what was built is read back, and what cannot be is an
 * error.
 * SPDX-License-Identifier: MIT */
#include "traces/graph/pd-graph-cells.h"

#include <string.h>

/* ---- each kind of operation, with the values at the borders of a cell */

static const struct
{
  const char *name;
  PdGraphOp op;
} ops[] = {
  { "calc", { PD_GRAPH_CALC, 1000, 0, 0, 0, 0 } },
  { "calc-nothing", { PD_GRAPH_CALC, 0, 0, 0, 0, 0 } },
  { "calc-long", { PD_GRAPH_CALC, 42441527748, 0, 0, 3, 0 } },
  { "calc-longest", { PD_GRAPH_CALC, G_MAXINT64, 0, 0, 15, 0 } },
  { "calc-cpu-16", { PD_GRAPH_CALC, 7, 0, 0, 16, 0 } },
  { "send", { PD_GRAPH_SEND, 8, 1, 0, 0, 0 } },
  { "send-tag-65534", { PD_GRAPH_SEND, 8, 1, 65534, 15, 15 } },
  { "send-tag-65535", { PD_GRAPH_SEND, 8, 1, 65535, 0, 0 } },
  { "send-tag-any", { PD_GRAPH_SEND, 8, 2, PD_GRAPH_ANY, 0, 0 } },
  { "send-4gib", { PD_GRAPH_SEND, G_GINT64_CONSTANT (1) << 32, 2, 3, 0, 1 } },
  { "send-4gib-less", { PD_GRAPH_SEND, (G_GINT64_CONSTANT (1) << 32) - 1, 2, 3, 0, 1 } },
  { "send-2^63-1", { PD_GRAPH_SEND, G_MAXINT64, 0, 0xfffffffe, 255, 255 } },
  { "recv-any", { PD_GRAPH_RECV, 0, PD_GRAPH_ANY, PD_GRAPH_ANY, 0, 0 } },
  { "recv-nic-16", { PD_GRAPH_RECV, 9, 0, 1, 0, 16 } },
};

static void
assert_same_op (const PdGraphOp *a, const PdGraphOp *b)
{
  g_assert_cmpint (a->kind, ==, b->kind);
  g_assert_cmpint (a->size, ==, b->size);
  g_assert_cmpuint (a->peer, ==, b->peer);
  g_assert_cmpuint (a->tag, ==, b->tag);
  g_assert_cmpuint (a->cpu, ==, b->cpu);
  g_assert_cmpuint (a->nic, ==, b->nic);
}

static void
test_op (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdGraphBuilder *builder = pd_graph_builder_new (3);
  g_autoptr (PdGraph) graph = NULL;
  g_autoptr (GError) error = NULL;
  PdGraphOp op;

  pd_graph_builder_begin_rank (builder, 1);
  g_assert_cmpuint (pd_graph_builder_add (builder, &ops[i].op), ==, 0);
  graph = pd_graph_builder_finish (builder, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (pd_graph_get_n_ranks (graph), ==, 3);
  g_assert_cmpuint (pd_graph_get_n_ops (graph, 0), ==, 0);
  g_assert_cmpuint (pd_graph_get_n_ops (graph, 1), ==, 1);
  g_assert_cmpuint (pd_graph_get_n_ops (graph, 2), ==, 0);
  pd_graph_get_op (graph, 1, 0, &op);
  assert_same_op (&op, &ops[i].op);
  g_assert_cmpuint (pd_graph_get_totals (graph)->n_of[op.kind], ==, 1);
  g_assert_cmpuint (pd_graph_get_totals (graph)->max_cpu, ==, op.cpu);
}

/* ---- random graphs against the list of what was given */

typedef struct
{
  guint32 op, on;
  gboolean on_start;
} Given;

static GArray *
depend_at_random (PdGraphBuilder *builder, guint32 n, GRand *rand)
{
  GArray *given = g_array_new (FALSE, FALSE, sizeof (Given));

  for (guint32 i = 0; n > 0 && i < 2 * n; i++)
    {
      Given edge = { (guint32) g_rand_int_range (rand, 0, (gint32) n), 0,
                     g_rand_int (rand) % 8 == 0 };
      edge.on = g_rand_boolean (rand) ? (edge.op + n - 1) % n
                                      : (guint32) g_rand_int_range (rand, 0, (gint32) n);
      if (g_rand_int (rand) % 3 == 0)
        continue;
      pd_graph_builder_depend (builder, edge.op, edge.on, edge.on_start);
      g_array_append_val (given, edge);
    }
  return given;
}

/* The successors of each operation are the given ones, in order. */
static void
assert_edges (const PdGraph *graph, guint32 rank, const GArray *given)
{
  guint32 n = pd_graph_get_n_ops (graph, rank);
  g_autofree guint32 *counts = g_new0 (guint32, n + 1), *read = g_new0 (guint32, n + 1);

  for (guint32 i = 0; i < n; i++)
    {
      guint32 k = 0;
      for (gboolean start = TRUE; start >= FALSE; start--)
        for (guint j = 0; j < given->len; j++)
          {
            const Given *edge = &g_array_index (given, Given, j);
            gboolean on_start;
            if (edge->on != i || edge->on_start != start)
              continue;
            g_assert_cmpuint (pd_graph_get_successor (graph, rank, i, k++, &on_start), ==,
                              edge->op);
            g_assert_cmpint (on_start, ==, start);
            counts[edge->op]++;
          }
      g_assert_cmpuint (pd_graph_get_n_successors (graph, rank, i), ==, k);
    }
  pd_graph_count_dependencies (graph, rank, read);
  g_assert_cmpint (memcmp (read, counts, n * sizeof *counts), ==, 0);
  for (guint32 i = 0; i < n; i++)
    {
      const PdGraphCells *arrays = pd_graph_get_cells (graph);
      const PdGraphCell *cell = &arrays->cells[arrays->first[rank] + i];
      g_assert_cmpint ((cell->flags & PD_GRAPH_CELL_ROOT) != 0, ==, counts[i] == 0);
      g_assert_cmpint ((cell->flags & PD_GRAPH_CELL_JOIN) != 0, ==, counts[i] > 1);
    }
}

static void
test_random (void)
{
  enum
  {
    N_RANKS = 5
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (guint round = 0; round < 300; round++)
    {
      PdGraphBuilder *builder = pd_graph_builder_new (N_RANKS);
      g_autoptr (GPtrArray) given = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
      g_autoptr (GError) error = NULL;
      g_autoptr (PdGraph) graph = NULL;
      guint32 n[N_RANKS];

      for (guint32 rank = 0; rank < N_RANKS; rank++)
        {
          n[rank] = (guint32) g_rand_int_range (rand, 0, 12);
          pd_graph_builder_begin_rank (builder, rank);
          for (guint32 i = 0; i < n[rank]; i++)
            pd_graph_builder_add (builder, &ops[(rank + i) % G_N_ELEMENTS (ops)].op);
          g_ptr_array_add (given, depend_at_random (builder, n[rank], rand));
        }
      graph = pd_graph_builder_finish (builder, &error);
      g_assert_no_error (error);
      for (guint32 rank = 0; rank < N_RANKS; rank++)
        {
          g_assert_cmpuint (pd_graph_get_n_ops (graph, rank), ==, n[rank]);
          assert_edges (graph, rank, given->pdata[rank]);
          for (guint32 i = 0; i < n[rank]; i++)
            {
              PdGraphOp op;
              pd_graph_get_op (graph, rank, i, &op);
              assert_same_op (&op, &ops[(rank + i) % G_N_ELEMENTS (ops)].op);
            }
        }
    }
}

/* A chain takes nothing but its operations. */
static void
test_chain (void)
{
  PdGraphBuilder *builder = pd_graph_builder_new (1);
  g_autoptr (PdGraph) graph = NULL;

  pd_graph_builder_begin_rank (builder, 0);
  for (guint32 i = 0; i < 1000; i++)
    {
      pd_graph_builder_depend (builder, i + 1, i, FALSE);
      pd_graph_builder_add (builder, &ops[0].op);
    }
  pd_graph_builder_add (builder, &ops[0].op);
  graph = pd_graph_builder_finish (builder, NULL);
  g_assert_cmpuint (pd_graph_get_totals (graph)->n_edges, ==, 0);
  g_assert_cmpuint (pd_graph_get_totals (graph)->n_roots, ==, 1);
  g_assert_cmpuint (pd_graph_get_totals (graph)->n_bytes, <=, 16 * 1002 + 8);
}

/* ---- errors */

typedef struct
{
  const char *name;
  guint32 n_ranks;
  guint32 rank; /* the one that has operations */
  PdGraphOp op;
  guint32 of, on; /* dependency, if they differ */
  int code;
} Bad;

static const Bad bad[] = {
  { "size", 2, 0, { PD_GRAPH_SEND, -1, 1, 0, 0, 0 }, 0, 0, PD_GRAPH_ERROR_VALUE },
  { "calc", 2, 0, { PD_GRAPH_CALC, G_MININT64, 0, 0, 0, 0 }, 0, 0, PD_GRAPH_ERROR_VALUE },
  { "peer", 2, 0, { PD_GRAPH_RECV, 1, 2, 0, 0, 0 }, 0, 0, PD_GRAPH_ERROR_PEER },
  { "send-to-any", 2, 0, { PD_GRAPH_SEND, 1, PD_GRAPH_ANY, 0, 0, 0 }, 0, 0, PD_GRAPH_ERROR_PEER },
  { "dependency-on", 2, 0, { PD_GRAPH_CALC, 1, 0, 0, 0, 0 }, 0, 1, PD_GRAPH_ERROR_DEPENDENCY },
  { "dependency-of", 2, 0, { PD_GRAPH_CALC, 1, 0, 0, 0, 0 }, 5, 0, PD_GRAPH_ERROR_DEPENDENCY },
  { "dependency-far",
    2,
    0,
    { PD_GRAPH_CALC, 1, 0, 0, 0, 0 },
    0x80000001,
    0,
    PD_GRAPH_ERROR_DEPENDENCY },
  { "ranks", G_MAXUINT32, 0, { PD_GRAPH_CALC, 1, 0, 0, 0, 0 }, 0, 0, PD_GRAPH_ERROR_LIMIT },
  { "rank",
    G_MAXUINT32,
    G_MAXUINT32 - 1,
    { PD_GRAPH_CALC, 1, 0, 0, 0, 0 },
    0,
    0,
    PD_GRAPH_ERROR_LIMIT },
};

static void
test_bad (gconstpointer data)
{
  const Bad *test = data;
  PdGraphBuilder *builder = pd_graph_builder_new (test->n_ranks);
  g_autoptr (GError) error = NULL;

  pd_graph_builder_begin_rank (builder, test->rank);
  pd_graph_builder_add (builder, &test->op);
  if (test->of != test->on)
    pd_graph_builder_depend (builder, test->of, test->on, FALSE);
  g_assert_null (pd_graph_builder_finish (builder, &error));
  g_assert_error (error, PD_GRAPH_ERROR, test->code);
}

static void
test_empty (void)
{
  g_autoptr (PdGraph) graph = pd_graph_builder_finish (pd_graph_builder_new (0), NULL);

  g_assert_cmpuint (pd_graph_get_n_ranks (graph), ==, 0);
  g_assert_cmpuint (pd_graph_get_totals (graph)->n_ops, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (ops); i++)
    {
      g_autofree char *path = g_strdup_printf ("/traces/graph/op/%s", ops[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_op);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = g_strdup_printf ("/traces/graph/bad/%s", bad[i].name);
      g_test_add_data_func (path, &bad[i], test_bad);
    }
  g_test_add_func ("/traces/graph/random", test_random);
  g_test_add_func ("/traces/graph/chain", test_chain);
  g_test_add_func ("/traces/graph/empty", test_empty);
  return g_test_run ();
}
