/* Loops of sequences, columns, rules, grids and models of times, on what is known.
 * SPDX-License-Identifier: MIT */
#include "scale/fold/pd-fold.h"
#include "scale/rule/pd-rule.h"
#include "scale/pd-scale-grid.h"
#include "scale/pd-scale-times.h"

#include <math.h>

/* ---- loops */

#define MOST 20000

typedef struct
{
  guint32 shapes[MOST];
  gint64 numbers[MOST];
  guint n;
} Sequence;

/* Random nested loops; each element has the number of its place. */
static void
generate (Sequence *all, int depth)
{
  int parts = g_test_rand_int_range (1, 4);

  for (int i = 0; i < parts; i++)
    {
      Sequence part = { .n = 0 };
      int times = g_test_rand_int_range (1, 5);
      if (depth == 0)
        {
          part.shapes[0] = (guint32) g_test_rand_int_range (0, 4);
          part.n = 1;
        }
      else
        generate (&part, depth - 1);
      for (int j = 0; j < times; j++)
        for (guint k = 0; k < part.n && all->n < MOST; k++)
          {
            all->numbers[all->n] = g_test_rand_int_range (0, 3);
            all->shapes[all->n++] = part.shapes[k];
          }
    }
}

typedef struct
{
  PdColumnPlace counts;
  PdColumnPlace numbers;
} Place;

static void
unfold (const GPtrArray *nodes, GHashTable *places, Sequence *all)
{
  for (guint i = 0; i < nodes->len; i++)
    {
      const PdFoldNode *node = g_ptr_array_index (nodes, i);
      Place *place = g_hash_table_lookup (places, node);
      if (place == NULL)
        {
          place = g_new0 (Place, 1);
          g_hash_table_insert (places, (gpointer) node, place);
        }
      gint64 n = pd_column_next (&node->counts, &place->counts);
      for (gint64 k = 0; k < n; k++)
        if (node->children != NULL)
          unfold (node->children, places, all);
        else
          {
            g_assert_cmpuint (all->n, <, MOST);
            all->numbers[all->n] = pd_column_next (&node->columns[0], &place->numbers);
            all->shapes[all->n++] = node->shape;
          }
    }
}

static void
test_fold_random (void)
{
  for (int round = 0; round < 200; round++)
    {
      g_autofree Sequence *all = g_new0 (Sequence, 1), *again = g_new0 (Sequence, 1);
      g_autoptr (GHashTable) places = g_hash_table_new_full (NULL, NULL, NULL, g_free);
      PdFold fold;
      generate (all, 3);
      pd_fold_init (&fold, 1);
      for (guint i = 0; i < all->n; i++)
        pd_fold_add (&fold, all->shapes[i], &all->numbers[i]);
      pd_fold_finish (&fold);
      unfold (fold.nodes, places, again);
      g_assert_cmpuint (again->n, ==, all->n);
      for (guint i = 0; i < all->n; i++)
        {
          g_assert_cmpuint (again->shapes[i], ==, all->shapes[i]);
          g_assert_cmpint (again->numbers[i], ==, all->numbers[i]);
        }
      pd_fold_clear (&fold);
    }
}

/* Time steps with an inner loop, of which the last has fewer repetitions: one loop of two levels.
 */
static void
test_fold_nested (void)
{
  const gint64 number = 0;
  PdFold fold;

  pd_fold_init (&fold, 1);
  for (int i = 0; i < 100; i++)
    {
      for (int j = 0; j < (i < 99 ? 10 : 7); j++)
        for (guint32 shape = 0; shape < 3; shape++)
          pd_fold_add (&fold, shape, &number);
      pd_fold_add (&fold, 3, &number);
    }
  pd_fold_finish (&fold);
  g_assert_cmpuint (fold.nodes->len, ==, 1);
  const PdFoldNode *outer = g_ptr_array_index (fold.nodes, 0);
  g_assert_cmpuint (outer->children->len, ==, 2);
  const PdFoldNode *inner = g_ptr_array_index (outer->children, 0);
  g_assert_cmpuint (inner->children->len, ==, 3);
  g_assert_cmpuint (inner->counts.runs.n, ==, 2);
  g_assert_cmpuint (inner->counts.n, ==, 100);
  pd_fold_clear (&fold);
}

/* ---- rules */

typedef gint64 (*Truth) (const PdRulePlace *at);

static gint64
right (const PdRulePlace *at)
{
  return at->at[1] + 1 < at->size[1] ? at->rank + 1 : -2;
}

static gint64
around (const PdRulePlace *at)
{
  return (at->at[0] + 1) % at->size[0] * at->size[1] + at->at[1];
}

static gint64
transposed (const PdRulePlace *at)
{
  return at->at[1] * at->size[1] + at->at[0];
}

static gint64
root (const PdRulePlace *at)
{
  (void) at;
  return 3;
}

static gint64
block (const PdRulePlace *at)
{
  return 8 * ((1000 + at->size[0] - 1 - at->at[0]) / at->size[0]);
}

static gint64
part (const PdRulePlace *at)
{
  return 3600 / at->n;
}

static gint64
rounds (const PdRulePlace *at)
{
  return at->size[0] - 1;
}

/* Along an edge of 34 points that q cells have. */
static gint64
points_at (gint64 place, gint64 q)
{
  return 34 / q + (place < 34 % q ? 1 : 0);
}

/* Where cell @t of a rank is, of q x q x q cells. */
static void
locate (const PdRulePlace *at, gint64 t, gint64 *cell)
{
  gint64 q = at->size[0];

  cell[0] = (at->at[1] + t) % q;
  cell[1] = (at->at[0] - t + q) % q;
  cell[2] = t;
}

static gint64
all_faces (const PdRulePlace *at)
{
  gint64 q = at->size[0], sum = 0, cell[3];

  for (gint64 t = 0; t < q; t++)
    {
      locate (at, t, cell);
      sum += cell[1] > 0 ? 80 * points_at (cell[0], q) * points_at (cell[2], q) : 0;
    }
  return sum;
}

/* The cell that a sweep across the first dimension comes to behind the k-th one. */
static void
sweep (const PdRulePlace *at, gint64 *cell)
{
  gint64 t = 0;

  for (locate (at, t, cell); cell[0] != at->k + 1; locate (at, t, cell))
    t++;
}

static gint64
inner_face (const PdRulePlace *at)
{
  gint64 q = at->size[0], product = 176, cell[3];

  sweep (at, cell);
  for (guint d = 1; d < 3; d++)
    product *= points_at (cell[d], q) - (cell[d] == 0 ? 1 : 0) - (cell[d] == q - 1 ? 1 : 0);
  return product;
}

static gint64
cell_number (const PdRulePlace *at)
{
  gint64 cell[3];

  sweep (at, cell);
  return 3000 + cell[1] + at->size[0] * cell[2];
}

static gint64
padded_face (const PdRulePlace *at)
{
  gint64 edge = 34 / at->size[0] + 1;

  return 240 * edge * edge;
}

static gint64
hashed (const PdRulePlace *at)
{
  return (at->rank * 7919 + 13) % 10007 % at->n;
}

static const struct
{
  const char *name;
  PdRulePurpose purpose;
  Truth truth;
  gboolean found;
} rules[] = {
  { "right", PD_RULE_PEERS, right, TRUE },
  { "around", PD_RULE_PEERS, around, TRUE },
  { "transposed", PD_RULE_PEERS, transposed, TRUE },
  { "root", PD_RULE_PEERS, root, TRUE },
  { "block", PD_RULE_NUMBERS, block, TRUE },
  { "part", PD_RULE_NUMBERS, part, TRUE },
  { "rounds", PD_RULE_TIMES, rounds, TRUE },
  { "all-faces", PD_RULE_NUMBERS, all_faces, TRUE },
  { "inner-face", PD_RULE_NUMBERS, inner_face, TRUE },
  { "cell-number", PD_RULE_NUMBERS, cell_number, TRUE },
  { "padded-face", PD_RULE_NUMBERS, padded_face, TRUE },
  { "hashed-partner", PD_RULE_PEERS, hashed, FALSE },
  { "hashed-number", PD_RULE_NUMBERS, hashed, FALSE },
};

static void
add_samples (gint64 size, Truth truth, GArray *samples)
{
  const gint64 sizes[] = { size, size };

  for (gint64 rank = 0; rank < size * size; rank++)
    for (gint64 k = 0; k < size - 1; k++)
      {
        PdRuleSample sample = { .place = { .total = size * size, .k = k, .m = size - 1 } };
        pd_rule_place_set_grid (&sample.place, 2, sizes, rank);
        sample.value = truth (&sample.place);
        g_array_append_val (samples, sample);
      }
}

/* What 2 x 2 to 4 x 4 ranks do is what 6 x 6 do. */
static void
test_rule (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GArray) samples = g_array_new (FALSE, FALSE, sizeof (PdRuleSample));
  g_autoptr (GArray) target = g_array_new (FALSE, FALSE, sizeof (PdRuleSample));
  PdRule rule;

  for (gint64 size = 2; size <= 4; size++)
    add_samples (size, rules[i].truth, samples);
  add_samples (6, rules[i].truth, target);
  gboolean found = pd_rule_find (rules[i].purpose, (const PdRuleSample *) (void *) samples->data,
                                 samples->len, &rule);
  g_assert_cmpint (found, ==, rules[i].found);
  for (guint k = 0; k < target->len && found; k++)
    {
      const PdRuleSample *sample = &g_array_index (target, PdRuleSample, k);
      g_assert_cmpint (pd_rule_get (&rule, &sample->place), ==, sample->value);
    }
}

/* ---- grids */

static void
test_grids (void)
{
  static const struct
  {
    guint kind;
    guint32 n;
    gint64 size[PD_RULE_DIMS];
  } known[] = {
    { 0, 12, { 12, 0, 0 } },     { 1, 12, { 4, 3, 0 } }, { 2, 12, { 3, 4, 0 } },
    { 1, 7, { 7, 1, 0 } },       { 3, 64, { 4, 4, 4 } }, { 3, 12, { 3, 2, 2 } },
    { 4, 1000, { 10, 10, 10 } }, { 3, 30, { 5, 3, 2 } }, { 1, 1024, { 32, 32, 0 } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    {
      PdScaleGrid grid;
      pd_scale_grid_make (known[i].kind, known[i].n, &grid);
      for (guint d = 0; d < grid.dims; d++)
        g_assert_cmpint (grid.size[d], ==, known[i].size[d]);
    }
}

/* Rows, columns and planes are found, and others are not. */
static void
test_masks (void)
{
  const PdScaleGrid grid = { 2, { 3, 4 } };
  const guint32 row[] = { 4, 5, 6, 7 }, column[] = { 2, 6, 10 }, other[] = { 1, 2, 5 };

  g_assert_cmpuint (pd_scale_find_masks (&grid, NULL, 12), ==, 1u << 3);
  g_assert_cmpuint (pd_scale_find_masks (&grid, row, 4), ==, 1u << 2);
  g_assert_cmpuint (pd_scale_find_masks (&grid, column, 3), ==, 1u << 1);
  g_assert_cmpuint (pd_scale_find_masks (&grid, other, 3), ==, 0);
}

/* ---- times */

static void
test_times (void)
{
  const PdScalePoint laws[][4] = {
    { { 4, 1000 }, { 8, 500 }, { 16, 250 }, { 32, 125 } }, /* 4000 / P */
    { { 4, 7 }, { 8, 7 }, { 16, 7 }, { 32, 7 } },          /* 7 */
    { { 4, 1100 }, { 8, 600 }, { 16, 350 }, { 32, 225 } }, /* 100 + 4000 / P */
    { { 4, 20 }, { 8, 30 }, { 16, 40 }, { 32, 50 } },      /* 10 log2 P */
  };
  const gdouble at_256[] = { 4000.0 / 256, 7, 100 + 4000.0 / 256, 80 };

  for (gsize i = 0; i < G_N_ELEMENTS (laws); i++)
    {
      PdScaleTimes times;
      pd_scale_times_fit (laws[i], 4, &times);
      g_assert_cmpfloat_with_epsilon (pd_scale_times_get (&times, 256), at_256[i],
                                      at_256[i] * (i == 3 ? 0.15 : 1e-6));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scale/fold/random", test_fold_random);
  g_test_add_func ("/scale/fold/nested", test_fold_nested);
  for (gsize i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      g_autofree char *path = g_strconcat ("/scale/rule/", rules[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_rule);
    }
  g_test_add_func ("/scale/grids", test_grids);
  g_test_add_func ("/scale/masks", test_masks);
  g_test_add_func ("/scale/times", test_times);
  return g_test_run ();
}
