/* SPDX-License-Identifier: MIT */
#include "intervals/pd-interval.h"
#include "intervals/pd-interval-check.h"
#include "intervals/pd-interval-fold.h"
#include "intervals/pd-interval-rows.h"

#include <string.h>
#include <time.h>

#define MS       PD_PS_PER_MS
#define N_OF(q)  (PD_Q_##q - PD_N_TIMES)
#define MAX_ADDS 10
#define ALL      G_MAXUINT32 /* every processor */
#define ROOT     PD_INTERVAL_ROOT
#define NO_VALUE (-1)

/* Times of operations, as constants; see pd_operation_quantity(). */
#define OPERATION(kind, time)                                                                      \
  ((PdQuantity) (PD_Q_OPERATION_TIMES + PD_OPERATION_##time * PD_N_OPERATIONS                      \
                 + PD_OPERATION_##kind))
#define SHADOW_SYNCHRONIZATION OPERATION (SHADOW, SYNCHRONIZATION)
#define SHADOW_OVERLAP         OPERATION (SHADOW, OVERLAP)
#define REDUCTION_OVERLAP      OPERATION (REDUCTION, OVERLAP)

static const PdIntervalKey key_x = { PD_INTERVAL_USER, "a.fdv", 10, PD_INTERVAL_NO_INDEX, NULL };

/* What is added, in milliseconds or as a count. */
typedef struct
{
  guint32 node; /* 0: the root, 1: the interval X inside it */
  PdQuantity quantity;
  guint32 processor;
  gint64 value;
} Add;

static gboolean
is_add (const Add *add)
{
  return add->value != 0;
}

static PdIntervalTree *
build (guint32 n_processors, gboolean has_x, const Add *adds)
{
  PdIntervalTree *tree = pd_interval_tree_new (n_processors);

  if (has_x)
    g_assert_cmpuint (pd_interval_tree_child (tree, ROOT, &key_x), ==, 1);
  for (guint32 i = 0; i < MAX_ADDS && is_add (&adds[i]); i++)
    for (guint32 p = 0; p < n_processors; p++)
      if (adds[i].processor == ALL || adds[i].processor == p)
        pd_interval_tree_add (
            tree, adds[i].node, adds[i].quantity, p,
            PD_TIME (adds[i].quantity < PD_N_TIMES ? adds[i].value * MS : adds[i].value));
  return tree;
}

/* ---- characteristics by hand, milliseconds */

typedef struct
{
  gint64 execution, total, productive, insufficient, communication, idle, lost;
} Expected;

#define X_ENTERED                                                                                  \
  {                                                                                                \
    1, PD_Q_EXE_COUNT, ALL, 1                                                                      \
  }

static const struct
{
  const char *name;
  guint32 n;
  gboolean has_x;
  Add adds[MAX_ADDS];
  Expected root;
  Expected x;
} spec_cases[] = {
  { "folding",
    2,
    TRUE,
    { X_ENTERED,
      { 1, PD_Q_CPU_PAR, 0, 4000 },
      { 1, PD_Q_CPU_PAR, 1, 2000 },
      { 0, PD_Q_CPU_PAR, 1, 2000 } },
    { 4000, 8000, 8000, 0, 0, 0, 0 },
    { 4000, 8000, 6000, 0, 0, 2000, 2000 } },
  { "sequential-1",
    1,
    FALSE,
    { { 0, PD_Q_CPU_SEQ, ALL, 8000 } },
    { 8000, 8000, 8000, 0, 0, 0, 0 },
    { 0 } },
  { "sequential-2",
    2,
    FALSE,
    { { 0, PD_Q_CPU_SEQ, ALL, 8000 }, { 0, PD_Q_INSUFF_SEQ, ALL, 4000 } },
    { 8000, 16000, 8000, 8000, 0, 0, 8000 },
    { 0 } },
  { "sequential-4",
    4,
    FALSE,
    { { 0, PD_Q_CPU_SEQ, ALL, 8000 }, { 0, PD_Q_INSUFF_SEQ, ALL, 6000 } },
    { 8000, 32000, 8000, 24000, 0, 0, 24000 },
    { 0 } },
  { "mixed",
    2,
    FALSE,
    { { 0, PD_Q_CPU_SEQ, ALL, 3000 },
      { 0, PD_Q_INSUFF_SEQ, ALL, 1500 },
      { 0, PD_Q_CPU_PAR, ALL, 4000 },
      { 0, PD_Q_WAIT_REDUCTION, ALL, 500 } },
    { 7500, 15000, 11000, 3000, 1000, 0, 4000 },
    { 0 } },
  { "imbalance",
    4,
    FALSE,
    { { 0, PD_Q_CPU_PAR, 0, 2000 },
      { 0, PD_Q_CPU_PAR, 1, 3000 },
      { 0, PD_Q_CPU_PAR, 2, 2000 },
      { 0, PD_Q_CPU_PAR, 3, 3000 } },
    { 3000, 12000, 10000, 0, 0, 2000, 2000 },
    { 0 } },
  { "replicated",
    4,
    FALSE,
    { { 0, PD_Q_CPU_PAR, ALL, 4000 }, { 0, PD_Q_INSUFF_PAR, ALL, 2000 } },
    { 4000, 16000, 8000, 8000, 0, 0, 8000 },
    { 0 } },
  { "constant-axis",
    4,
    FALSE,
    { { 0, PD_Q_CPU_PAR, 0, 4000 }, { 0, PD_Q_CPU_PAR, 1, 4000 } },
    { 4000, 16000, 8000, 0, 0, 8000, 8000 },
    { 0 } },
  { "heterogeneous-ordinary",
    2,
    FALSE,
    { { 0, PD_Q_CPU_SEQ, 0, 6000 },
      { 0, PD_Q_INSUFF_SEQ, 0, 3000 },
      { 0, PD_Q_CPU_SEQ, 1, 3000 },
      { 0, PD_Q_INSUFF_SEQ, 1, 1500 } },
    { 6000, 12000, 4500, 4500, 0, 3000, 7500 },
    { 0 } },
  { "heterogeneous-loop",
    2,
    FALSE,
    { { 0, PD_Q_CPU_PAR, 0, 4000 }, { 0, PD_Q_CPU_PAR, 1, 2000 } },
    { 4000, 8000, 6000, 0, 0, 2000, 2000 },
    { 0 } },
  { "output",
    4,
    FALSE,
    { { 0, PD_Q_IO, 0, 3000 },
      { 0, PD_Q_IO_COMM, 1, 3000 },
      { 0, PD_Q_IO_COMM, 2, 3000 },
      { 0, PD_Q_IO_COMM, 3, 3000 } },
    { 3000, 12000, 3000, 0, 9000, 0, 9000 },
    { 0 } },
  { "void-output",
    4,
    FALSE,
    { { 0, PD_Q_IO, 0, 3000 } },
    { 3000, 12000, 3000, 0, 0, 9000, 9000 },
    { 0 } },
};

static void
assert_sum (const PdIntervalResult *r, PdCharacteristic c, gint64 ms)
{
  g_assert_cmpint ((gint64) r->values[c].sum.ps, ==, ms * MS);
}

static void
assert_expected (const PdIntervalResult *r, const Expected *e)
{
  assert_sum (r, PD_C_EXECUTION_TIME, e->execution);
  assert_sum (r, PD_C_PRODUCTIVE_TIME, e->productive);
  assert_sum (r, PD_C_INSUFFICIENT_PARALLELISM, e->insufficient);
  assert_sum (r, PD_C_COMMUNICATION, e->communication);
  assert_sum (r, PD_C_IDLE, e->idle);
  assert_sum (r, PD_C_LOST_TIME, e->lost);
  g_assert_cmpint ((gint64) r->total_time.ps, ==, e->total * MS);
  g_assert_cmpfloat_with_epsilon (r->efficiency, (gdouble) e->productive / (gdouble) e->total,
                                  1e-15);
}

static void
test_spec (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdIntervalTree) tree =
      build (spec_cases[i].n, spec_cases[i].has_x, spec_cases[i].adds);
  g_autoptr (GArray) results = pd_interval_tree_fold (tree);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (results->len, ==, spec_cases[i].has_x ? 2 : 1);
  assert_expected (&g_array_index (results, PdIntervalResult, 0), &spec_cases[i].root);
  if (spec_cases[i].has_x)
    assert_expected (&g_array_index (results, PdIntervalResult, 1), &spec_cases[i].x);
  g_assert_true (pd_interval_tree_check (tree, NULL, spec_cases[i].n == 1, &error));
  g_assert_no_error (error);
}

/* for each processor: Idle and Load_Imbalance, and where the
 * extremes are. */
static void
test_imbalance (void)
{
  g_autoptr (PdIntervalTree) folding = build (2, TRUE, spec_cases[0].adds);
  g_autoptr (GArray) results = pd_interval_tree_fold (folding);
  const PdIntervalResult *x = &g_array_index (results, PdIntervalResult, 1);
  PdTime values[PD_N_CHARACTERISTICS];

  assert_sum (x, PD_C_LOAD_IMBALANCE, 2000);
  g_assert_cmpuint (x->values[PD_C_LOAD_IMBALANCE].max_at, ==, 1);
  g_assert_cmpuint (x->values[PD_C_EXECUTION_TIME].max_at, ==, 0);
  g_assert_cmpint (x->values[PD_C_EXECUTION_TIME].min.ps, ==, 2000 * MS);
  assert_sum (&g_array_index (results, PdIntervalResult, 0), PD_C_LOAD_IMBALANCE, 0);

  g_autoptr (PdIntervalTree) blocks = build (4, FALSE, spec_cases[5].adds);
  for (guint32 p = 0; p < 4; p++)
    {
      g_assert_true (pd_interval_tree_get_processor (blocks, ROOT, p, values));
      g_assert_cmpint (values[PD_C_IDLE].ps, ==, p % 2 == 0 ? 1000 * MS : 0);
      g_assert_cmpint (values[PD_C_LOAD_IMBALANCE].ps, ==, p % 2 == 0 ? 1000 * MS : 0);
    }
}

/* An interval that some processors never entered: it counts for those only. */
static void
test_partial (void)
{
  static const Add adds[MAX_ADDS] = { { 1, PD_Q_EXE_COUNT, 1, 3 },  { 1, PD_Q_EXE_COUNT, 2, 1 },
                                      { 1, PD_Q_CPU_PAR, 1, 2000 }, { 1, PD_Q_CPU_PAR, 2, 1000 },
                                      { 1, PD_Q_N_SHADOW, 1, 7 },   { 1, PD_Q_N_SHADOW, 2, 5 } };
  g_autoptr (PdIntervalTree) tree = build (4, TRUE, adds);
  for (int i = 0; i < 9; i++)
    pd_interval_tree_count_operation (tree, 1, PD_OPERATION_SHADOW);
  g_autoptr (GArray) results = pd_interval_tree_fold (tree);
  const PdIntervalResult *root = &g_array_index (results, PdIntervalResult, 0);
  const PdIntervalResult *x = &g_array_index (results, PdIntervalResult, 1);
  PdTime values[PD_N_CHARACTERISTICS];

  g_assert_true (pd_interval_tree_check (tree, NULL, FALSE, NULL));
  g_assert_cmpuint (x->n_processors, ==, 2);
  g_assert_cmpint ((gint64) x->total_time.ps, ==, 4000 * MS);
  assert_sum (x, PD_C_IDLE, 1000);
  g_assert_cmpuint (x->values[PD_C_IDLE].min_at, ==, 1);
  g_assert_cmpuint (x->counts[N_OF (EXE_COUNT)], ==, 3);
  g_assert_cmpuint (x->counts[N_OF (N_SHADOW)], ==, 9);
  g_assert_cmpuint (root->n_processors, ==, 4);
  g_assert_cmpuint (root->counts[N_OF (EXE_COUNT)], ==, 1);
  g_assert_cmpuint (root->counts[N_OF (N_SHADOW)], ==, 9);
  g_assert_cmpint ((gint64) root->total_time.ps, ==, 8000 * MS);
  assert_sum (root, PD_C_IDLE, 5000);
  g_assert_false (pd_interval_tree_get_processor (tree, 1, 0, values));
  g_assert_cmpint (values[PD_C_IDLE].ps, ==, 0);
}

/* ---- the tree */

static void
test_children (void)
{
  static const PdIntervalKey keys[] = {
    { PD_INTERVAL_PAR, "a.fdv", 10, PD_INTERVAL_NO_INDEX, NULL },
    { PD_INTERVAL_SEQ, "a.fdv", 10, PD_INTERVAL_NO_INDEX, NULL },
    { PD_INTERVAL_PAR, "b.fdv", 10, PD_INTERVAL_NO_INDEX, NULL },
    { PD_INTERVAL_PAR, "a.fdv", 11, PD_INTERVAL_NO_INDEX, NULL },
    { PD_INTERVAL_PAR, "a.fdv", 10, 1, NULL },
  };
  g_autoptr (PdIntervalTree) tree = pd_interval_tree_new (1);
  char file[] = "a.fdv";
  PdIntervalKey copied = { PD_INTERVAL_PAR, file, 10, PD_INTERVAL_NO_INDEX, NULL };

  for (guint32 i = 0; i < G_N_ELEMENTS (keys); i++)
    g_assert_cmpuint (pd_interval_tree_child (tree, ROOT, &keys[i]), ==, i + 1);
  for (guint32 i = 0; i < G_N_ELEMENTS (keys); i++)
    g_assert_cmpuint (pd_interval_tree_child (tree, ROOT, &keys[i]), ==, i + 1);
  g_assert_cmpuint (pd_interval_tree_child (tree, ROOT, &copied), ==, 1);
  /* the same key below another parent is another interval */
  g_assert_cmpuint (pd_interval_tree_child (tree, 1, &copied), ==, 6);
  file[0] = 'z';

  g_autoptr (GArray) results = pd_interval_tree_fold (tree);
  static const guint32 order[] = { 0, 1, 6, 2, 3, 4, 5 };
  static const guint32 depth[] = { 0, 1, 2, 1, 1, 1, 1 };
  g_assert_cmpuint (results->len, ==, G_N_ELEMENTS (order));
  for (guint32 i = 0; i < results->len; i++)
    {
      g_assert_cmpuint (g_array_index (results, PdIntervalResult, i).node, ==, order[i]);
      g_assert_cmpuint (g_array_index (results, PdIntervalResult, i).depth, ==, depth[i]);
    }
  g_assert_cmpstr (g_array_index (results, PdIntervalResult, 2).file, ==, "a.fdv");
  g_assert_cmpuint (g_array_index (results, PdIntervalResult, 2).parent, ==, 1);
  g_assert_cmpfloat (g_array_index (results, PdIntervalResult, 2).efficiency, ==, 1);
}

static void
test_sets (void)
{
  g_autoptr (PdIntervalTree) tree = pd_interval_tree_new (4);
  static const guint32 a[] = { 3, 1 }, b[] = { 1, 3 }, c[] = { 2 }, all[] = { 3, 2, 1, 0 };
  guint32 everyone = pd_interval_tree_add_set (tree, NULL, 0);
  guint32 two = pd_interval_tree_add_set (tree, a, 2);

  g_assert_cmpuint (pd_interval_tree_add_set (tree, b, 2), ==, two);
  g_assert_cmpuint (pd_interval_tree_add_set (tree, all, 4), ==, everyone);
  g_assert_cmpuint (pd_interval_tree_add_set (tree, c, 1), !=, two);
  g_assert_cmpuint (two, !=, everyone);
}

/* ---- random trees against a plain model */

#define MAX_NODES 24
#define MAX_P     7

/* Adds each value to all enclosing intervals at once, as the definition says. */
typedef struct
{
  guint32 n_processors;
  guint32 n_nodes;
  guint32 parent[MAX_NODES];
  gint64 values[MAX_NODES][MAX_P][PD_N_QUANTITIES];
} Model;

static void
charge (Model *model, PdIntervalTree *tree, guint32 node, PdQuantity q, guint32 p, gint64 value)
{
  pd_interval_tree_add (tree, node, q, p, PD_TIME (value));
  model->values[node][p][q] += value;
  while (q != PD_Q_EXE_COUNT && node != ROOT)
    {
      node = model->parent[node];
      model->values[node][p][q] += value;
    }
}

static void
random_charges (GRand *rand, Model *model, PdIntervalTree *tree, guint32 node, guint32 p)
{
  gint64 big = g_rand_int_range (rand, 1, 1000000);

  for (guint32 q = 0; q <= PD_Q_OTHER_COMM; q++)
    if (g_rand_int_range (rand, 0, 3) == 0)
      charge (model, tree, node, q, p, big * g_rand_int_range (rand, 0, 1000));
  charge (model, tree, node, PD_Q_CPU_PAR, p, big);
  charge (model, tree, node, PD_Q_INSUFF_PAR, p, big / 3);
  charge (model, tree, node, PD_Q_WAIT_SHADOW, p, big);
  charge (model, tree, node, SHADOW_SYNCHRONIZATION, p, big / 2);
  charge (model, tree, node, SHADOW_OVERLAP, p, big / 5);
  charge (model, tree, node, PD_Q_N_SHADOW, p, 1);
  pd_interval_tree_count_operation (tree, node, PD_OPERATION_SHADOW);
}

static PdIntervalTree *
random_tree (GRand *rand, Model *model)
{
  PdIntervalTree *tree = NULL;

  memset (model, 0, sizeof *model);
  model->n_processors = (guint32) g_rand_int_range (rand, 1, MAX_P + 1);
  model->n_nodes = (guint32) g_rand_int_range (rand, 1, MAX_NODES + 1);
  tree = pd_interval_tree_new (model->n_processors);
  for (guint32 p = 0; p < model->n_processors; p++)
    {
      model->values[ROOT][p][PD_Q_EXE_COUNT] = 1;
      random_charges (rand, model, tree, ROOT, p);
    }
  for (guint32 i = 1; i < model->n_nodes; i++)
    {
      PdIntervalKey key = { PD_INTERVAL_SEQ, "r.fdv", i, PD_INTERVAL_NO_INDEX, NULL };
      model->parent[i] = (guint32) g_rand_int_range (rand, 0, (gint32) i);
      g_assert_cmpuint (pd_interval_tree_child (tree, model->parent[i], &key), ==, i);
      for (guint32 p = 0; p < model->n_processors; p++)
        if (model->values[model->parent[i]][p][PD_Q_EXE_COUNT] > 0
            && g_rand_int_range (rand, 0, 4) > 0)
          {
            charge (model, tree, i, PD_Q_EXE_COUNT, p, g_rand_int_range (rand, 1, 9));
            random_charges (rand, model, tree, i, p);
          }
    }
  return tree;
}

static gint64
model_execution (const Model *model, guint32 node, guint32 p)
{
  gint64 sum = 0;

  for (guint32 q = 0; q <= PD_Q_OTHER_COMM; q++)
    sum += model->values[node][p][q];
  return sum;
}

static void
assert_node (const Model *model, const PdIntervalTree *tree, const PdIntervalResult *r)
{
  g_autofree PdTime *all = g_new (PdTime, (gsize) model->n_processors * PD_N_CHARACTERISTICS);
  g_autofree gboolean *present = g_new (gboolean, model->n_processors);
  gint64 max = 0, idle = 0, par = 0;
  guint32 n = 0;

  pd_interval_tree_get_all_processors (tree, r->node, all, present);
  for (guint32 p = 0; p < model->n_processors; p++)
    if (model->values[r->node][p][PD_Q_EXE_COUNT] > 0)
      max = MAX (max, model_execution (model, r->node, p));
  for (guint32 p = 0; p < model->n_processors; p++)
    {
      const gint64 *v = model->values[r->node][p];
      PdTime one[PD_N_CHARACTERISTICS];
      g_assert_cmpint (present[p], ==, v[PD_Q_EXE_COUNT] > 0);
      g_assert_cmpint (pd_interval_tree_get_processor (tree, r->node, p, one), ==, present[p]);
      g_assert_true (memcmp (one, all + (gsize) p * PD_N_CHARACTERISTICS, sizeof one) == 0);
      if (!present[p])
        continue;
      g_assert_cmpint (one[PD_C_EXECUTION_TIME].ps, ==, model_execution (model, r->node, p));
      g_assert_cmpint (one[PD_C_CPU_TIME].ps, ==, v[PD_Q_CPU_PAR] + v[PD_Q_CPU_SEQ]);
      g_assert_cmpint (one[PD_C_IDLE].ps, ==, max - model_execution (model, r->node, p));
      n++;
      idle += one[PD_C_IDLE].ps;
      par += v[PD_Q_CPU_PAR];
    }
  g_assert_cmpuint (r->n_processors, ==, n);
  g_assert_cmpint (r->values[PD_C_EXECUTION_TIME].sum.ps == max, ==, TRUE);
  g_assert_cmpint ((gint64) r->values[PD_C_IDLE].sum.ps, ==, idle);
  g_assert_cmpint ((gint64) r->values[PD_C_CPU_TIME_PAR].sum.ps, ==, par);
  g_assert_true (r->total_time.ps
                 == r->values[PD_C_PRODUCTIVE_TIME].sum.ps + r->values[PD_C_LOST_TIME].sum.ps);
}

static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20050101);
  g_autofree Model *model = g_new (Model, 1);

  for (guint32 round = 0; round < 200; round++)
    {
      g_autoptr (PdIntervalTree) tree = random_tree (rand, model);
      g_autoptr (GArray) results = pd_interval_tree_fold (tree);
      g_autoptr (GError) error = NULL;
      PdTime ends[MAX_P];

      for (guint32 p = 0; p < model->n_processors; p++)
        ends[p] = PD_TIME (model_execution (model, ROOT, p));
      pd_interval_tree_check (tree, ends, FALSE, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (results->len, ==, model->n_nodes);
      for (guint32 i = 0; i < results->len; i++)
        assert_node (model, tree, &g_array_index (results, PdIntervalResult, i));
    }
}

/* ---- shared values */

static char *
dump (const PdIntervalTree *tree)
{
  g_autoptr (GArray) results = pd_interval_tree_fold (tree);
  GString *text = g_string_new (NULL);

  for (guint32 i = 0; i < results->len; i++)
    {
      const PdIntervalResult *r = &g_array_index (results, PdIntervalResult, i);
      char a[64];
      g_string_append_printf (text, "%u %u %u %u %s %.17g\n", r->node, r->parent, r->depth,
                              r->n_processors, pd_time_sum_format (r->total_time, a),
                              r->efficiency);
      for (guint32 c = 0; c < PD_N_CHARACTERISTICS; c++)
        {
          const PdSummary *s = &r->values[c];
          g_string_append_printf (text, " %s %" G_GINT64_FORMAT "@%u %" G_GINT64_FORMAT "@%u\n",
                                  pd_time_sum_format (s->sum, a), s->min.ps, s->min_at, s->max.ps,
                                  s->max_at);
        }
      for (guint32 q = 0; q < PD_N_QUANTITIES - PD_N_TIMES; q++)
        g_string_append_printf (text, " %" G_GUINT64_FORMAT, r->counts[q]);
    }
  return g_string_free (text, FALSE);
}

static void
test_shared (void)
{
  static const guint32 odd[] = { 5, 1, 3 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (PdIntervalTree) shared = pd_interval_tree_new (6);
  g_autoptr (PdIntervalTree) plain = pd_interval_tree_new (6);
  guint32 sets[] = { pd_interval_tree_add_set (shared, NULL, 0),
                     pd_interval_tree_add_set (shared, odd, 3) };

  for (guint32 i = 0; i < 400; i++)
    {
      guint32 which = (guint32) g_rand_int_range (rand, 0, 3); /* 2: one processor in both */
      guint32 one = (guint32) g_rand_int_range (rand, 0, 6);
      PdIntervalKey key = { PD_INTERVAL_PAR, "s.fdv", g_rand_int_range (rand, 0, 5), 1, NULL };
      guint32 node = pd_interval_tree_child (shared, ROOT, &key);
      PdQuantity q = (PdQuantity) g_rand_int_range (rand, 0, PD_N_QUANTITIES);
      PdTime value = PD_TIME (g_rand_int_range (rand, 0, 1000000));

      g_assert_cmpuint (pd_interval_tree_child (plain, ROOT, &key), ==, node);
      if (which == 2)
        pd_interval_tree_add (shared, node, q, one, value);
      else
        pd_interval_tree_add_shared (shared, node, q, sets[which], value);
      for (guint32 p = 0; p < 6; p++)
        if (which == 0 || (which == 1 && p % 2 == 1) || (which == 2 && p == one))
          pd_interval_tree_add (plain, node, q, p, value);
    }
  g_autofree char *a = dump (shared);
  g_autofree char *b = dump (plain);
  g_autofree char *again = dump (shared);
  g_assert_cmpstr (a, ==, b);
  g_assert_cmpstr (a, ==, again);
}

/* ---- violated identities */

static const struct
{
  const char *name;
  guint32 n;
  gboolean is_single;
  Add adds[MAX_ADDS];
  gint64 end; /* ms, of every processor; NO_VALUE: not given */
  gboolean ok;
} violations[] = {
  { "none",
    2,
    FALSE,
    { X_ENTERED, { 1, PD_Q_CPU_SEQ, ALL, 5 }, { 1, PD_Q_INSUFF_SEQ, ALL, 5 } },
    5,
    TRUE },
  { "none-single",
    1,
    TRUE,
    { X_ENTERED, { 1, PD_Q_CPU_SEQ, ALL, 5 }, { 0, PD_Q_IO, ALL, 5 } },
    10,
    TRUE },
  { "end-time", 2, FALSE, { { 0, PD_Q_CPU_SEQ, ALL, 5 } }, 6, FALSE },
  { "end-time-of-one", 2, FALSE, { { 0, PD_Q_CPU_SEQ, 1, 5 } }, 5, FALSE },
  { "insufficient-seq",
    2,
    FALSE,
    { { 0, PD_Q_CPU_SEQ, ALL, 5 }, { 0, PD_Q_INSUFF_SEQ, 1, 6 } },
    NO_VALUE,
    FALSE },
  { "insufficient-par",
    2,
    FALSE,
    { { 0, PD_Q_CPU_SEQ, ALL, 9 }, { 0, PD_Q_CPU_PAR, ALL, 5 }, { 0, PD_Q_INSUFF_PAR, 0, 6 } },
    NO_VALUE,
    FALSE },
  { "synchronization",
    2,
    FALSE,
    { { 0, PD_Q_CPU_SEQ, ALL, 9 },
      { 0, PD_Q_OTHER_COMM, ALL, 5 },
      { 0, SHADOW_SYNCHRONIZATION, 0, 6 } },
    NO_VALUE,
    FALSE },
  { "insufficient-in-child",
    2,
    FALSE,
    { X_ENTERED, { 0, PD_Q_CPU_SEQ, ALL, 5 }, { 1, PD_Q_INSUFF_SEQ, ALL, 1 } },
    NO_VALUE,
    FALSE },
  { "time-without-entry",
    2,
    FALSE,
    { { 1, PD_Q_EXE_COUNT, 0, 1 }, { 1, PD_Q_CPU_PAR, 1, 5 } },
    NO_VALUE,
    FALSE },
  { "count-without-entry",
    2,
    FALSE,
    { { 1, PD_Q_EXE_COUNT, 0, 1 }, { 1, PD_Q_N_IO, 1, 5 } },
    NO_VALUE,
    FALSE },
  { "single-communication", 1, TRUE, { { 0, PD_Q_WAIT_SHADOW, 0, 1 } }, NO_VALUE, FALSE },
  { "single-insufficient",
    1,
    TRUE,
    { { 0, PD_Q_CPU_SEQ, 0, 1 }, { 0, PD_Q_INSUFF_SEQ, 0, 1 } },
    NO_VALUE,
    FALSE },
  { "single-idle", 2, TRUE, { { 0, PD_Q_CPU_SEQ, 0, 1 } }, NO_VALUE, FALSE },
  { "overflow",
    1,
    FALSE,
    { { 0, PD_Q_CPU_SEQ, 0, G_MAXINT64 / MS }, { 0, PD_Q_CPU_PAR, 0, G_MAXINT64 / MS } },
    NO_VALUE,
    FALSE },
  { "overflow-of-one-value",
    1,
    FALSE,
    { { 0, PD_Q_CPU_SEQ, 0, G_MAXINT64 / MS }, { 0, PD_Q_CPU_SEQ, 0, G_MAXINT64 / MS } },
    NO_VALUE,
    FALSE },
  { "overflow-not-a-clock",
    1,
    FALSE,
    { { 0, REDUCTION_OVERLAP, 0, G_MAXINT64 / MS }, { 0, SHADOW_OVERLAP, 0, G_MAXINT64 / MS } },
    NO_VALUE,
    FALSE },
};

static void
test_violation (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdIntervalTree) tree = build (violations[i].n, TRUE, violations[i].adds);
  PdTime ends[2] = { PD_TIME (violations[i].end * MS), PD_TIME (violations[i].end * MS) };
  g_autoptr (GError) error = NULL;
  gboolean ok = pd_interval_tree_check (tree, violations[i].end == NO_VALUE ? NULL : ends,
                                        violations[i].is_single, &error);

  if (violations[i].ok)
    g_assert_no_error (error);
  else
    g_assert_error (error, PD_INTERVAL_ERROR, PD_INTERVAL_ERROR_IDENTITY);
  g_assert_cmpint (ok, ==, violations[i].ok);
}

/* Operations of a kind: waiting is a part of their own communication only, and the program has as
 * many as the processor that takes part in most, at least, and as all together, at most. */
static void
test_operations (void)
{
  static const struct
  {
    Add adds[3];
    guint n; /* of the program */
    gboolean ok;
  } rows[] = {
    { { { 0, PD_Q_WAIT_SHADOW, 0, 5 }, { 0, SHADOW_SYNCHRONIZATION, 0, 5 } }, 0, TRUE },
    { { { 0, PD_Q_WAIT_SHADOW, 0, 4 },
        { 0, PD_Q_WAIT_REDUCTION, 0, 5 },
        { 0, SHADOW_SYNCHRONIZATION, 0, 5 } },
      0,
      FALSE },
    { { { 0, PD_Q_N_SHADOW, 0, 2 }, { 0, PD_Q_N_SHADOW, 1, 1 } }, 0, TRUE },
    { { { 0, PD_Q_N_SHADOW, 0, 2 }, { 0, PD_Q_N_SHADOW, 1, 1 } }, 1, FALSE },
    { { { 0, PD_Q_N_SHADOW, 0, 2 }, { 0, PD_Q_N_SHADOW, 1, 1 } }, 2, TRUE },
    { { { 0, PD_Q_N_SHADOW, 0, 2 }, { 0, PD_Q_N_SHADOW, 1, 1 } }, 3, TRUE },
    { { { 0, PD_Q_N_SHADOW, 0, 2 }, { 0, PD_Q_N_SHADOW, 1, 1 } }, 4, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PdIntervalTree) tree = pd_interval_tree_new (2);
      g_autoptr (GError) error = NULL;
      for (gsize k = 0; k < G_N_ELEMENTS (rows[i].adds) && rows[i].adds[k].value != 0; k++)
        pd_interval_tree_add (tree, 0, rows[i].adds[k].quantity,
                              (guint32) rows[i].adds[k].processor, PD_TIME (rows[i].adds[k].value));
      for (guint k = 0; k < rows[i].n; k++)
        pd_interval_tree_count_operation (tree, 0, PD_OPERATION_SHADOW);
      g_assert_cmpint (pd_interval_tree_check (tree, NULL, FALSE, &error), ==, rows[i].ok);
      g_assert_true (rows[i].ok == (error == NULL));
    }
}

static void
test_orphan (void)
{
  static const PdIntervalKey inner = { PD_INTERVAL_PAR, "a.fdv", 12, PD_INTERVAL_NO_INDEX, NULL };
  g_autoptr (PdIntervalTree) tree = build (2, TRUE, (Add[MAX_ADDS]){ { 1, PD_Q_EXE_COUNT, 0, 1 } });
  guint32 node = pd_interval_tree_child (tree, 1, &inner);
  g_autoptr (GError) error = NULL;

  pd_interval_tree_add (tree, node, PD_Q_EXE_COUNT, 0, PD_TIME (1));
  g_assert_true (pd_interval_tree_check (tree, NULL, FALSE, NULL));
  pd_interval_tree_add (tree, node, PD_Q_EXE_COUNT, 1, PD_TIME (1));
  g_assert_false (pd_interval_tree_check (tree, NULL, FALSE, &error));
  g_assert_error (error, PD_INTERVAL_ERROR, PD_INTERVAL_ERROR_IDENTITY);
}

/* ---- size */

/* 10^6 processors for 100 days: ten times what 64 bits of picoseconds hold. */
static void
test_wide (void)
{
  const guint32 n = 1000000;
  const gint64 days = 100 * 86400 * PD_PS_PER_S;
  g_autoptr (PdIntervalTree) tree = pd_interval_tree_new (n);
  g_autoptr (GError) error = NULL;

  pd_interval_tree_add_shared (tree, ROOT, PD_Q_CPU_PAR, pd_interval_tree_add_set (tree, NULL, 0),
                               PD_TIME (days));
  g_autoptr (GArray) results = pd_interval_tree_fold (tree);
  const PdIntervalResult *r = &g_array_index (results, PdIntervalResult, 0);
  g_assert_true (r->values[PD_C_CPU_TIME].sum.ps == (PdWide) days * n);
  g_assert_true (r->total_time.ps == (PdWide) days * n);
  g_assert_cmpfloat (r->efficiency, ==, 1);
  pd_interval_tree_check (tree, NULL, FALSE, &error);
  g_assert_no_error (error);
}

/* The least of some measurements of folding a chain of @n_nodes intervals. */
static gint64
fold_chain (guint32 n_nodes)
{
  g_autoptr (PdIntervalTree) tree = pd_interval_tree_new (64);
  gint64 least = G_MAXINT64;
  guint32 node = ROOT;

  for (guint32 i = 0; i < n_nodes; i++)
    {
      node = pd_interval_tree_child (tree, node, &key_x);
      for (guint32 p = 0; p < 64; p++)
        pd_interval_tree_add (tree, node, PD_Q_EXE_COUNT, p, PD_TIME (1));
      pd_interval_tree_add (tree, node, PD_Q_CPU_PAR, i % 64, PD_TIME (1));
    }
  for (guint32 i = 0; i < 5; i++)
    {
      clock_t start = clock (); /* of this process: others may be busy */
      g_autoptr (GArray) results = pd_interval_tree_fold (tree);
      least = MIN (least, (gint64) (clock () - start));
      g_assert_cmpint (
          (gint64) g_array_index (results, PdIntervalResult, 0).values[PD_C_CPU_TIME].sum.ps, ==,
          n_nodes);
    }
  return MAX (least, 1);
}

/* Eight times the nodes, nested: a quadratic fold would take 64 times as long. */
static void
test_linear (void)
{
  gint64 small = fold_chain (500);
  gint64 large = fold_chain (4000);

  g_test_message ("500 intervals: %" G_GINT64_FORMAT " us, 4000: %" G_GINT64_FORMAT " us", small,
                  large);
  g_assert_cmpint (large, <, 28 * small);
}

/* Deep enough to end any recursion. */
static void
test_deep (void)
{
  g_autoptr (PdIntervalTree) tree = pd_interval_tree_new (2);
  guint32 node = ROOT;

  for (guint32 i = 0; i < 50000; i++)
    {
      node = pd_interval_tree_child (tree, node, &key_x);
      pd_interval_tree_add (tree, node, PD_Q_EXE_COUNT, 0, PD_TIME (1));
      pd_interval_tree_add (tree, node, PD_Q_IO, 0, PD_TIME (3));
    }
  g_autoptr (GArray) results = pd_interval_tree_fold (tree);
  g_assert_cmpint (
      (gint64) g_array_index (results, PdIntervalResult, 0).values[PD_C_IO_TIME].sum.ps, ==,
      150000);
  g_assert_cmpint (
      (gint64) g_array_index (results, PdIntervalResult, 50000).values[PD_C_IO_TIME].sum.ps, ==, 3);
}

/* Every row is filled, and no identifier is used twice. */
static void
test_rows (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint32 i = 0; i < PD_N_CHARACTERISTICS + PD_N_QUANTITIES - PD_N_TIMES; i++)
    {
      const PdCharacteristicRow *row = i < PD_N_CHARACTERISTICS
                                           ? pd_characteristic_row (i)
                                           : pd_counter_row (PD_N_TIMES + i - PD_N_CHARACTERISTICS);
      g_assert_nonnull (row->name);
      g_assert_nonnull (row->meaning);
      g_assert_true (g_str_has_suffix (row->meaning, "."));
      g_assert_true (g_hash_table_add (seen, (gpointer) row->id));
      /* the identifier is the name in lower case, I/O written io */
      g_autofree char *lower = g_ascii_strdown (row->name, -1);
      g_autofree char *id =
          g_str_has_prefix (lower, "i/o") ? g_strconcat ("io", lower + 3, NULL) : g_strdup (lower);
      g_assert_cmpstr (row->id, ==, id);
    }
}

/* ---- message-passing programs */

/* Of these Load_Imbalance is of the productive time, Synchronization may be longer
 * than what the operations took, and Real_sync is a part of SendRecv_time. */
static void
test_mpi (void)
{
  static const struct
  {
    PdQuantity quantity;
    gint64 more; /* than what is fine */
    gboolean ok;
  } rows[] = { { PD_Q_CPU_SEQ, 0, TRUE },
               { PD_Q_SYNCHRONIZATION, 100, TRUE },
               { PD_Q_REAL_SYNC, 5, TRUE },
               { PD_Q_REAL_SYNC, 6, FALSE },
               { PD_Q_WAIT_SHADOW, 1, TRUE } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PdIntervalTree) tree = pd_interval_tree_new_mpi (2);
      g_autoptr (GError) error = NULL;
      PdTime values[PD_N_CHARACTERISTICS];
      pd_interval_tree_add (tree, 0, PD_Q_CPU_SEQ, 0, PD_TIME (30));
      pd_interval_tree_add (tree, 0, PD_Q_CPU_SEQ, 1, PD_TIME (20));
      pd_interval_tree_add (tree, 0, PD_Q_SENDRECV, 1, PD_TIME (5));
      pd_interval_tree_add (tree, 0, rows[i].quantity, 1, PD_TIME (rows[i].more));
      g_assert_cmpint (pd_interval_tree_check (tree, NULL, FALSE, &error), ==, rows[i].ok);
      if (i > 0)
        continue;
      g_assert_true (pd_interval_tree_get_processor (tree, 0, 1, values));
      g_assert_cmpint (values[PD_C_LOAD_IMBALANCE].ps, ==, 10);
      g_assert_cmpint (values[PD_C_COMMUNICATION].ps, ==, 5);
      g_assert_cmpint (values[PD_C_IDLE].ps, ==, 5);
      g_assert_cmpint (values[PD_C_PRODUCTIVE_TIME].ps, ==, 20);
    }
}

/* Intervals that differ in their name only are two. */
static void
test_names (void)
{
  g_autoptr (PdIntervalTree) tree = pd_interval_tree_new_mpi (1);
  PdIntervalKey a = { PD_INTERVAL_USER, "", 0, PD_INTERVAL_NO_INDEX, "a" }, b = a, none = a;

  b.name = "b";
  none.name = NULL;
  guint32 node = pd_interval_tree_child (tree, 0, &a);
  g_assert_cmpuint (pd_interval_tree_child (tree, 0, &b), !=, node);
  g_assert_cmpuint (pd_interval_tree_child (tree, 0, &none), !=, node);
  g_assert_cmpuint (pd_interval_tree_child (tree, 0, &a), ==, node);
  g_assert_cmpstr (pd_interval_tree_get_key (tree, node).name, ==, "a");
  g_assert_cmpuint (pd_interval_tree_get_parent (tree, node), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (spec_cases); i++)
    {
      g_autofree char *path = g_strconcat ("/intervals/cases/", spec_cases[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_spec);
    }
  g_test_add_func ("/intervals/imbalance/of-processors", test_imbalance);
  g_test_add_func ("/intervals/fold/partial", test_partial);
  g_test_add_func ("/intervals/fold/random", test_random);
  g_test_add_func ("/intervals/fold/shared", test_shared);
  g_test_add_func ("/intervals/fold/wide", test_wide);
  g_test_add_func ("/intervals/fold/linear", test_linear);
  g_test_add_func ("/intervals/fold/deep", test_deep);
  g_test_add_func ("/intervals/tree/children", test_children);
  g_test_add_func ("/intervals/tree/sets", test_sets);
  g_test_add_func ("/intervals/rows/complete", test_rows);
  for (gsize i = 0; i < G_N_ELEMENTS (violations); i++)
    {
      g_autofree char *path = g_strconcat ("/intervals/check/", violations[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_violation);
    }
  g_test_add_func ("/intervals/check/orphan", test_orphan);
  g_test_add_func ("/intervals/check/operations", test_operations);
  g_test_add_func ("/intervals/mpi/identities", test_mpi);
  g_test_add_func ("/intervals/mpi/names", test_names);
  return g_test_run ();
}
