/* All messages of seeded random copies against owners looked up element by
 * element, on the processors' boxes alone.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/copies.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

#include <string.h>

#define N_CASES 20000

/* ---- what is copied */

typedef struct
{
  PdGrid *whole; /* the initial grid */
  PdGrid *from_grid;
  PdGrid *to_grid;
  PdLayout *from_layout;
  PdLayout *to_layout;
  PdSection from;
  PdSection to;
  gint64 type_size;
} Case;

static void
clear_case (Case *self)
{
  pd_layout_unref (self->from_layout);
  pd_layout_unref (self->to_layout);
  pd_grid_unref (self->from_grid);
  pd_grid_unref (self->to_grid);
  pd_grid_unref (self->whole);
}

static void
init_section (PdSection *self, PdLayout *layout, const PdLoopRange *ranges)
{
  gint64 first[PD_MAX_RANK], last[PD_MAX_RANK], step[PD_MAX_RANK];
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < pd_layout_get_rank (layout); i++)
    {
      first[i] = ranges[i].first;
      last[i] = ranges[i].last;
      step[i] = ranges[i].step;
    }
  g_assert_true (pd_section_init (self, layout, first, last, step, &error));
  g_assert_no_error (error);
}

static void
random_section (GRand *random, PdSection *self, PdLayout *layout)
{
  PdLoopRange ranges[PD_MAX_RANK];

  for (guint i = 0; i < pd_layout_get_rank (layout); i++)
    {
      gint64 size = pd_layout_get_sizes (layout)[i];

      ranges[i].first = test_random_between (random, -1, size - 1);
      ranges[i].last = test_random_between (random, ranges[i].first - 1, size + 1);
      ranges[i].step = test_random_between (random, 0, 3);
    }
  init_section (self, layout, ranges);
}

/* @count indices with some step, the given one if it is not 0. */
static PdLoopRange
random_range (GRand *random, gint64 size, gint64 count, gint64 step)
{
  gint64 most = count > 1 ? (size - 1) / (count - 1) : 1;
  gint64 reach;

  if (step == 0 || step > most)
    step = test_random_between (random, 1, most);
  reach = (count - 1) * step;
  gint64 first = test_random_between (random, 0, size - 1 - reach);
  return (PdLoopRange){ first, first + reach, step };
}

/* Both sections get the same counts along their first axes, in the same order,
 * and one index along all others; often the same steps, too. */
static void
alike_sections (GRand *random, Case *c)
{
  guint ranks[] = { pd_layout_get_rank (c->from_layout), pd_layout_get_rank (c->to_layout) };
  PdLoopRange from[PD_MAX_RANK], to[PD_MAX_RANK];

  for (guint i = 0; i < MAX (ranks[0], ranks[1]); i++)
    {
      gint64 n = i < ranks[0] ? pd_layout_get_sizes (c->from_layout)[i] : 1;
      gint64 m = i < ranks[1] ? pd_layout_get_sizes (c->to_layout)[i] : 1;
      gint64 count = test_random_between (
          random, test_random_between (random, 0, 1) * (MIN (n, m) - 1) + 1, MIN (n, m));

      from[i] = random_range (random, n, count, 0);
      to[i] = random_range (random, m, count,
                            test_random_between (random, 0, 2) > 0 ? from[i].step : 0);
    }
  init_section (&c->from, c->from_layout, from);
  init_section (&c->to, c->to_layout, to);
}

static void
random_grids (GRand *random, Case *c, guint rank)
{
  *c = (Case){ .whole = test_random_system (random, rank),
               .type_size = test_random_between (random, 1, 9) };
  c->from_grid = test_random_between (random, 0, 3) == 0 ? test_random_part (random, c->whole)
                                                         : pd_grid_ref (c->whole);
  c->to_grid = test_random_between (random, 0, 3) == 0 ? test_random_part (random, c->whole)
                                                       : pd_grid_ref (c->from_grid);
}

static Case
random_case (GRand *random)
{
  guint rank = (guint) test_random_between (random, 0, 4);
  Case c;

  random_grids (random, &c, 0);
  c.from_layout = test_random_layout (random, c.from_grid, rank);
  c.to_layout =
      test_random_layout (random, c.to_grid, test_random_between (random, 0, 1) == 0 ? 0 : rank);
  if (test_random_between (random, 0, 2) > 0)
    {
      alike_sections (random, &c);
      return c;
    }
  random_section (random, &c.from, c.from_layout);
  random_section (random, &c.to, c.to_layout);
  if (test_random_between (random, 0, 1) == 0)
    {
      pd_section_truncate (&c.from, pd_section_get_count (&c.to));
      pd_section_truncate (&c.to, pd_section_get_count (&c.from));
    }
  return c;
}

/* Vectors on a grid of rank 2, mostly from their first index on. */
static Case
random_vectors (GRand *random)
{
  Case c;

  random_grids (random, &c, 2);
  c.from_layout = test_random_layout (random, c.from_grid, 1);
  c.to_layout = test_random_layout (random, c.to_grid, 1);
  if (test_random_between (random, 0, 4) == 0)
    {
      alike_sections (random, &c);
      return c;
    }
  gint64 n = MIN (pd_layout_get_sizes (c.from_layout)[0], pd_layout_get_sizes (c.to_layout)[0]);
  PdLoopRange range = { 0, test_random_between (random, 0, n - 1), 1 };
  init_section (&c.from, c.from_layout, &range);
  if (test_random_between (random, 0, 7) == 0)
    range.last = test_random_between (random, 0, n - 1);
  init_section (&c.to, c.to_layout, &range);
  return c;
}

/* ---- who owns what, and who sends what */

typedef enum
{
  RULE_NOTHING,
  RULE_VECTOR,
  RULE_SHAPE,
  RULE_ELEMENTS,
} Rule;

static gboolean
is_everywhere (const Case *c)
{
  for (guint d = 0; d < pd_grid_get_rank (c->from_grid); d++)
    if (pd_layout_holds (c->from_layout, d, NULL) != PD_HOLDS_ALL)
      return FALSE;
  for (guint32 i = 0; i < pd_grid_get_n (c->to_grid); i++)
    if (pd_grid_find (c->from_grid, pd_grid_get_processor (c->to_grid, i)) < 0)
      return FALSE;
  return TRUE;
}

static gint
vector_dim (const PdSection *section)
{
  for (guint d = 0; d < 2; d++)
    if (pd_layout_holds (section->layout, d, NULL) == PD_HOLDS_RANGE)
      return (gint) d;
  return -1;
}

static Rule
find_rule (const Case *c)
{
  guint n = pd_layout_get_rank (c->from_layout), m = pd_layout_get_rank (c->to_layout);
  guint n_varying[2] = { 0, 0 };
  PdLoopRange varying[2] = { { 0, 0, 1 }, { 0, 0, 1 } };
  gboolean equal = n == m;

  if (is_everywhere (c))
    return RULE_NOTHING;
  if (n == 1 && m == 1 && pd_grid_get_rank (c->from_grid) == 2
      && pd_grid_equal (c->from_grid, c->to_grid) && vector_dim (&c->from) >= 0
      && vector_dim (&c->to) >= 0
      && memcmp (&c->from.ranges[0], &c->to.ranges[0], sizeof c->from.ranges[0]) == 0
      && c->from.ranges[0].first == 0 && c->from.ranges[0].step == 1)
    return RULE_VECTOR;
  for (guint i = 0; i < MAX (n, m); i++)
    {
      PdLoopRange a = i < n ? c->from.ranges[i] : (PdLoopRange){ 0, 0, 1 };
      PdLoopRange b = i < m ? c->to.ranges[i] : (PdLoopRange){ 0, 0, 1 };

      equal = equal && a.last - a.first == b.last - b.first && a.step == b.step;
      if (a.first != a.last)
        varying[0] = a, n_varying[0]++;
      if (b.first != b.last)
        varying[1] = b, n_varying[1]++;
    }
  if (n_varying[0] == 1 && n_varying[1] == 1)
    equal = equal
            || (varying[0].last - varying[0].first == varying[1].last - varying[1].first
                && varying[0].step == varying[1].step);
  return equal ? RULE_SHAPE : RULE_ELEMENTS;
}

/* The only processor that sends @q an element of a vector. */
static gint64
find_sender (const Case *c, const TestOwners *owners, guint32 q)
{
  guint a = (guint) vector_dim (&c->from), b = (guint) vector_dim (&c->to), o = 1 - a;
  const guint32 *sizes = pd_grid_get_sizes (c->from_grid);
  guint32 coords[PD_MAX_GRID_RANK], holders[TEST_MAX_PROCESSORS];
  guint32 wanted, n = 0;

  pd_grid_get_coords (c->from_grid, (guint32) pd_grid_find (c->from_grid, q), coords);
  wanted = a == b ? coords[o] : coords[a] % sizes[o];
  for (guint32 i = 0; i < pd_grid_get_n (c->from_grid); i++)
    {
      guint32 p = pd_grid_get_processor (c->from_grid, i);

      pd_grid_get_coords (c->from_grid, i, coords);
      if (owners->of[p] && coords[o] == wanted)
        return p;
      if (owners->of[p])
        holders[n++] = p;
    }
  return n > 0 ? (gint64) holders[wanted % n] : -1;
}

/* Numbers ascend with the linear number of a grid. */
static guint32
find_first (const TestOwners *owners)
{
  guint32 p = 0;

  while (!owners->of[p])
    p++;
  return p;
}

static void
add_element (TestTraffic *traffic, const Case *c, Rule rule, gint64 number)
{
  TestOwners from, to;

  test_find_owners (&c->from, number, &from);
  test_find_owners (&c->to, number, &to);
  for (guint32 q = 0; q < TEST_MAX_PROCESSORS; q++)
    for (guint32 p = 0; p < TEST_MAX_PROCESSORS && to.of[q]; p++)
      {
        if (!from.of[p])
          continue;
        gboolean sends = rule == RULE_SHAPE || !from.of[q];

        if (c->from.once && rule != RULE_VECTOR)
          sends = !from.of[q] && p == find_first (&from);
        if (rule == RULE_VECTOR)
          sends = sends && p == find_sender (c, &from, q);
        if (p == q || (sends && rule != RULE_NOTHING))
          test_add_element (traffic, p, q, c->type_size, test_find_place (&c->from, number, p),
                            test_find_place (&c->to, number, q));
        traffic->near[p][q] = rule != RULE_NOTHING;
      }
}

static void
count_traffic (const Case *c, Rule rule, TestTraffic *traffic)
{
  gint64 n = MIN (pd_section_get_count (&c->from), pd_section_get_count (&c->to));

  memset (traffic, 0, sizeof *traffic);
  for (gint64 i = 0; i < n; i++)
    add_element (traffic, c, rule, i);
}

/* Whether the same counts vary, so that each message is a box. */
static gboolean
is_alike (const Case *c)
{
  const PdSection *sections[] = { &c->from, &c->to };
  gint64 counts[2][PD_MAX_RANK + 1] = { { 0 } };

  for (guint s = 0; s < 2; s++)
    for (guint i = 0, n = 0; i < pd_layout_get_rank (sections[s]->layout); i++)
      {
        const PdLoopRange *range = &sections[s]->ranges[i];

        if (range->first != range->last)
          counts[s][n++] = (range->last - range->first) / range->step;
      }
  return memcmp (counts[0], counts[1], sizeof counts[0]) == 0;
}

static void
check_copies (guint32 seed, Case (*make) (GRand *random), gboolean once, const guint *least)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  guint n_rules[4] = { 0 };
  guint64 total = 0, bound = 0;

  for (guint n = 0; n < N_CASES; n++)
    {
      static TestTraffic traffic;
      Case c = make (random);
      Rule rule = find_rule (&c);
      c.from.once = once;
      g_autoptr (PdPlan) plan = pd_copy_plan_new (&c.from, &c.to, c.type_size);

      count_traffic (&c, rule, &traffic);
      guint64 n_messages = test_check_plan (plan, &traffic, FALSE, is_alike (&c), &bound);
      total += n_messages;
      if (n_messages > 0 || rule == RULE_NOTHING)
        n_rules[rule]++;
      clear_case (&c);
    }
  for (guint i = 0; i < G_N_ELEMENTS (n_rules); i++)
    g_assert_cmpuint (n_rules[i], >=, least[i]);
  g_assert_cmpuint (bound, <, total + total / 5);
}

static void
test_copies (void)
{
  static const guint least[] = { 2000, 10, 5000, 5000 };

  check_copies (1, random_case, FALSE, least);
}

static void
test_vectors (void)
{
  static const guint least[] = { 2000, 500, 10000, 200 };

  check_copies (2, random_vectors, FALSE, least);
}

/* Only the first of those that hold a part sends it. */
static void
test_once (void)
{
  static const guint least[][4] = { { 2000, 10, 4000, 5000 }, { 2000, 500, 4000, 200 } };

  check_copies (3, random_case, TRUE, least[0]);
  check_copies (4, random_vectors, TRUE, least[1]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/predictor/copy/random/copies", test_copies);
  g_test_add_func ("/predictor/copy/random/vectors", test_vectors);
  g_test_add_func ("/predictor/copy/random/once", test_once);
  return g_test_run ();
}
