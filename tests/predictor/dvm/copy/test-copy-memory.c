/* Arrays to memory and back, and single elements.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/copies.h"
#include "tests/support/dvm/layouts.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

#include <string.h>

#define N_CASES 5000

/* ---- tables */

#define SQUARE  "9,9", "1,2", "9,9", "1*1+0,2*1+0"
#define ON_ROWS "9,9", "1,2", "9", "1*1+0,-1*0+0"
#define ALL     G_MAXUINT32

static const struct
{
  const char *name;
  TestArray array; /* on 3x3 */
  guint32 only;
  const char *messages; /* NULL: only counted */
  guint n_messages;
  gint64 bytes; /* of each */
} gathers[] = {
  { "column",
    { SQUARE, "-1,4" },
    ALL,
    "1>0:24 1>2:24 1>3:24 1>4:24 1>5:24 1>6:24 1>7:24 1>8:24 4>0:24 4>1:24 4>2:24 4>3:24 4>5:24 "
    "4>6:24 4>7:24 4>8:24 7>0:24 7>1:24 7>2:24 7>3:24 7>4:24 7>5:24 7>6:24 7>8:24",
    24,
    24 },
  { "column-to-io", { SQUARE, "-1,4" }, 0, "1>0:24 4>0:24 7>0:24", 3, 24 },
  { "replicated-rows", { ON_ROWS, NULL }, ALL, NULL, 54, 24 },
  { "replicated-rows-to-io",
    { ON_ROWS, NULL },
    0,
    "3>0:24 4>0:24 5>0:24 6>0:24 7>0:24 8>0:24",
    6,
    24 },
  { "replicated", { "9,9", "1,2", "9", "-1*0+0,-1*0+0", NULL }, ALL, "", 0, 0 },
  { "replicated-to-io", { "9,9", "1,2", "9", "-1*0+0,-1*0+0", NULL }, 0, "", 0, 0 },
  { "element", { SQUARE, "4,4" }, ALL, "4>0:8 4>1:8 4>2:8 4>3:8 4>5:8 4>6:8 4>7:8 4>8:8", 8, 8 },
  { "element-to-io", { SQUARE, "4,4" }, 0, "4>0:8", 1, 8 },
  { "element-of-io", { SQUARE, "0,0" }, 0, "", 0, 0 },
  { "element-of-rows", { ON_ROWS, "4" }, ALL, NULL, 18, 8 },
  { "strided", { SQUARE, "1:8:3,4" }, 4, "1>4:8 7>4:8", 2, 8 },
};

static void
test_gather (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdGrid) grid = test_grid ("3x3");
  g_autoptr (PdLayout) layout = test_array (grid, &gathers[i].array);
  PdSection section;

  test_section (&section, layout, gathers[i].array.section);
  g_autoptr (PdPlan) plan = pd_copy_plan_new_gather (&section, grid, gathers[i].only, 8);
  g_autofree char *shown = test_show_plan (plan, 10);
  g_auto (GStrv) words = g_strsplit (shown, " ", -1);
  g_autofree char *end = g_strdup_printf (":%" G_GINT64_FORMAT, gathers[i].bytes);

  if (gathers[i].messages != NULL)
    g_assert_cmpstr (shown, ==, gathers[i].messages);
  g_assert_cmpuint (g_strv_length (words), ==, gathers[i].n_messages);
  g_assert_cmpuint (pd_plan_get_total (plan), ==, gathers[i].n_messages);
  for (guint w = 0; words[w] != NULL; w++)
    g_assert_true (g_str_has_suffix (words[w], end));
}

static const struct
{
  const char *name;
  TestArray array; /* on 3x3 */
  guint32 from;
  const char *messages;
} scatters[] = {
  { "column", { SQUARE, "-1,4" }, 0, "0>1:24 0>4:24 0>7:24" },
  { "column-of-io", { SQUARE, "-1,1" }, 0, "0>3:24 0>6:24" },
  { "replicated-rows",
    { ON_ROWS, NULL },
    0,
    "0>1:24 0>2:24 0>3:24 0>4:24 0>5:24 0>6:24 0>7:24 0>8:24" },
  { "element", { SQUARE, "4,4" }, 0, "0>4:8" },
  { "element-of-rows", { ON_ROWS, "4" }, 0, "0>3:8 0>4:8 0>5:8" },
  { "from-another", { SQUARE, "-1,4" }, 4, "4>1:24 4>7:24" },
};

static void
test_scatter (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdGrid) grid = test_grid ("3x3");
  g_autoptr (PdLayout) layout = test_array (grid, &scatters[i].array);
  PdSection section;

  test_section (&section, layout, scatters[i].array.section);
  g_autoptr (PdPlan) plan = pd_copy_plan_new_scatter (&section, grid, scatters[i].from, 8);
  g_autofree char *shown = test_show_plan (plan, 10);
  g_assert_cmpstr (shown, ==, scatters[i].messages);
}

static const struct
{
  const char *name;
  TestArray from; /* on 3x3 */
  TestArray to;
  const char *messages; /* NULL: only counted */
  guint n_messages;
} elements[] = {
  { "to-replicated", { SQUARE, "4,4" }, { ON_ROWS, "4" }, "4>3:8 4>5:8", 2 },
  { "to-constant", { SQUARE, "4,4" }, { "9,9", "1,2", "9", "1*1+0,0*0+4", "8" }, "4>7:8", 1 },
  { "from-replicated", { ON_ROWS, "4" }, { "9,9", "0,0", "9", "1*1+0,-1*0+0", "0" }, NULL, 18 },
  { "owner", { SQUARE, "4,4" }, { SQUARE, "3,5" }, "", 0 },
  { "replicas-have-it", { ON_ROWS, "4" }, { ON_ROWS, "5" }, "", 0 },
};

static void
test_element (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdGrid) grid = test_grid ("3x3");
  g_autoptr (PdLayout) from_layout = test_array (grid, &elements[i].from);
  g_autoptr (PdLayout) to_layout = test_array (grid, &elements[i].to);
  PdSection from, to;

  test_section (&from, from_layout, elements[i].from.section);
  test_section (&to, to_layout, elements[i].to.section);
  g_autoptr (PdPlan) plan = pd_copy_plan_new_element (&from, &to, 8);
  g_autofree char *shown = test_show_plan (plan, 10);
  g_auto (GStrv) words = g_strsplit (shown, " ", -1);
  if (elements[i].messages != NULL)
    g_assert_cmpstr (shown, ==, elements[i].messages);
  g_assert_cmpuint (g_strv_length (words), ==, elements[i].n_messages);
}

/* ---- random */

typedef struct
{
  PdGrid *whole;
  PdGrid *current;
  PdLayout *layout;
  PdSection section;
  gint64 n_held[TEST_MAX_PROCESSORS];
} Case;

static void
random_case (GRand *random, Case *c)
{
  gint64 first[PD_MAX_RANK], last[PD_MAX_RANK], step[PD_MAX_RANK];
  g_autoptr (PdGrid) grid = NULL;

  memset (c, 0, sizeof *c);
  c->whole = test_random_system (random, 0);
  grid = test_random_between (random, 0, 2) == 0 ? test_random_part (random, c->whole)
                                                 : pd_grid_ref (c->whole);
  c->current = test_random_between (random, 0, 2) == 0 ? test_random_part (random, c->whole)
                                                       : pd_grid_ref (c->whole);
  c->layout = test_random_layout (random, grid, 0);
  for (guint i = 0; i < pd_layout_get_rank (c->layout); i++)
    {
      gint64 size = pd_layout_get_sizes (c->layout)[i];

      first[i] = test_random_between (random, -1, size - 1);
      last[i] = test_random_between (random, 0, size);
      step[i] = test_random_between (random, 1, 3);
    }
  g_assert_true (pd_section_init (&c->section, c->layout, first, last, step, NULL));
  for (gint64 e = 0; e < pd_section_get_count (&c->section); e++)
    {
      TestOwners owners;

      test_find_owners (&c->section, e, &owners);
      for (guint p = 0; p < TEST_MAX_PROCESSORS; p++)
        c->n_held[p] += owners.of[p] ? 1 : 0;
    }
  for (guint32 p = 0; p < TEST_MAX_PROCESSORS; p++)
    g_assert_cmpint (pd_section_get_local_count (&c->section, p), ==, c->n_held[p]);
}

static void
clear_case (Case *c)
{
  pd_layout_unref (c->layout);
  pd_grid_unref (c->current);
  pd_grid_unref (c->whole);
}

/* Parts are equal or have nothing in common, so that elements decide. */
static void
expect_gather (const Case *c, guint32 only, TestTraffic *traffic)
{
  memset (traffic, 0, sizeof *traffic);
  for (gint64 e = 0; e < pd_section_get_count (&c->section); e++)
    {
      TestOwners owners;

      test_find_owners (&c->section, e, &owners);
      for (guint32 p = 0; p < TEST_MAX_PROCESSORS; p++)
        for (guint32 q = 0; q < TEST_MAX_PROCESSORS && owners.of[p]; q++)
          {
            gint64 linear = pd_grid_find (c->current, q);

            traffic->near[p][q] = linear >= 0 && (only == G_MAXUINT32 || linear == only);
            if (traffic->near[p][q] && pd_grid_find (c->current, p) >= 0
                && (p == q || !owners.of[q]))
              test_add_element (traffic, p, q, 8, test_find_place (&c->section, e, p), e + 1);
          }
    }
}

static void
expect_scatter (const Case *c, guint32 from, TestTraffic *traffic)
{
  guint32 p = pd_grid_get_processor (c->current, from);

  memset (traffic, 0, sizeof *traffic);
  for (gint64 e = 0; e < pd_section_get_count (&c->section); e++)
    {
      TestOwners owners;

      test_find_owners (&c->section, e, &owners);
      for (guint32 q = 0; q < TEST_MAX_PROCESSORS; q++)
        {
          traffic->near[p][q] = traffic->near[p][q] || owners.of[q];
          if (owners.of[q] && pd_grid_find (c->current, q) >= 0)
            test_add_element (traffic, p, q, 8, e + 1, test_find_place (&c->section, e, q));
        }
    }
}

static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  guint64 total[3] = { 0 }, bound = 0;

  for (guint n = 0; n < N_CASES; n++)
    {
      static TestTraffic traffic;
      Case c;
      random_case (random, &c);
      guint32 only = (guint32) test_random_between (random, 0, pd_grid_get_n (c.current) - 1);
      g_autoptr (PdPlan) to_all = pd_copy_plan_new_gather (&c.section, c.current, G_MAXUINT32, 8);
      g_autoptr (PdPlan) to_one = pd_copy_plan_new_gather (&c.section, c.current, only, 8);
      g_autoptr (PdPlan) scatter = pd_copy_plan_new_scatter (&c.section, c.current, only, 8);

      expect_gather (&c, G_MAXUINT32, &traffic);
      total[0] += test_check_plan (to_all, &traffic, TRUE, TRUE, &bound);
      expect_gather (&c, only, &traffic);
      total[1] += test_check_plan (to_one, &traffic, TRUE, TRUE, &bound);
      expect_scatter (&c, only, &traffic);
      total[2] += test_check_plan (scatter, &traffic, FALSE, TRUE, &bound);
      clear_case (&c);
    }
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (total[i], >, 3000);
}

static void
add_tests (const char *folder, gsize i, const char *name, GTestDataFunc function)
{
  g_autofree char *path = g_strdup_printf ("/predictor/copy/%s/%s", folder, name);

  g_test_add_data_func (path, GSIZE_TO_POINTER (i), function);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (gathers); i++)
    add_tests ("gather", i, gathers[i].name, test_gather);
  for (gsize i = 0; i < G_N_ELEMENTS (scatters); i++)
    add_tests ("scatter", i, scatters[i].name, test_scatter);
  for (gsize i = 0; i < G_N_ELEMENTS (elements); i++)
    add_tests ("element", i, elements[i].name, test_element);
  g_test_add_func ("/predictor/copy/random/memory", test_random);
  return g_test_run ();
}
