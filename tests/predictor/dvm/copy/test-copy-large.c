/* Copies on large grids and of large arrays: what one processor is asked costs its
 * own messages, so that all of a quarter of a million can be asked; nothing overflows.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/copies.h"
#include "tests/support/dvm/layouts.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

#include <string.h>

#define BLOCKS  "1*1+0,2*1+0"
#define SWAPPED "2*1+0,1*1+0"
#define N_LARGE "2048,2048", "1,2", "2048,2048"
#define N_ALL   (512 * 512)

/* On 512x512: blocks of 4 by 4. */
static const struct
{
  const char *name;
  TestArray from;
  TestArray to;
  gint64 n_messages;
  gint64 bytes; /* in all, of 8 per element */
  guint64 bound;
} copies[] = {
  { "in-place", { N_LARGE, BLOCKS, NULL }, { N_LARGE, BLOCKS, NULL }, 0, 0, 0 },
  /* each row of blocks but the last sends a row of elements to the next one */
  { "shifted",
    { N_LARGE, BLOCKS, "0:2046:1,-1" },
    { N_LARGE, BLOCKS, "1:2047:1,-1" },
    511 * 512,
    511 * 512 * 4 * 8,
    511 * 512 },
  { "transposed",
    { N_LARGE, BLOCKS, NULL },
    { N_LARGE, SWAPPED, NULL },
    N_ALL - 512,
    (N_ALL - 512) * 16 * 8,
    N_ALL },
  /* even rows, the first 1024: two blocks become one */
  { "strided",
    { N_LARGE, BLOCKS, "0:2047:2,-1" },
    { N_LARGE, BLOCKS, "0:1023:1,-1" },
    (512 - 1) * 512,
    (2048 / 2 - 2) * 2048 * 8,
    (512 - 1) * 512 },
  /* the owner of each block of the row sends it to the other rows of blocks */
  { "row-to-all",
    { N_LARGE, BLOCKS, "5,-1" },
    { "2048,2048", "1,2", "2048", "-1*0+0,1*1+0", NULL },
    511 * 512,
    511 * 2048 * 8,
    511 * 512 },
  /* rule 2: each processor gets its part of the column from the replica next to it */
  { "vector",
    { "2048,2048", "1,2", "2048", "1*1+0,-1*0+0", NULL },
    { "2048,2048", "1,2", "2048", "-1*0+0,1*1+0", NULL },
    N_ALL - 512,
    (N_ALL - 512) * 4 * 8,
    N_ALL },
};

static void
test_many (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdGrid) grid = test_grid ("512x512");
  g_autoptr (PdLayout) from_layout = test_array (grid, &copies[i].from);
  g_autoptr (PdLayout) to_layout = test_array (grid, &copies[i].to);
  PdPlanMessage messages[2048];
  gint64 n_sent = 0, n_received = 0, sent = 0, received = 0;
  PdSection from, to;

  test_section (&from, from_layout, copies[i].from.section);
  test_section (&to, to_layout, copies[i].to.section);
  g_autoptr (PdPlan) plan = pd_copy_plan_new (&from, &to, 8);
  for (guint32 p = 0; p < N_ALL; p++)
    {
      g_assert_cmpuint (pd_plan_get_max (plan, p), <=, G_N_ELEMENTS (messages));
      guint n = pd_plan_get_messages (plan, p, messages);

      for (guint m = 0; m < n; m++)
        {
          *(messages[m].send ? &n_sent : &n_received) += 1;
          *(messages[m].send ? &sent : &received) += messages[m].bytes;
        }
    }
  g_assert_cmpint (n_sent, ==, copies[i].n_messages);
  g_assert_cmpint (n_received, ==, n_sent);
  g_assert_cmpint (sent, ==, copies[i].bytes);
  g_assert_cmpint (received, ==, sent);
  g_assert_cmpuint (pd_plan_get_total (plan), ==, copies[i].bound);
}

/* A processor does not look at each of its replicas to find that none of them
 * needs anything. */
static void
test_replicas (void)
{
  g_autoptr (PdGrid) grid = test_grid ("2x100000");
  g_autoptr (PdLayout) pattern = test_template (grid, "20,100000", "1,2");
  g_autoptr (PdLayout) layout = test_align (pattern, "20", "1*1+0,-1*0+0", NULL);
  PdSection from, to;

  test_section (&from, layout, "0:9:3");
  test_section (&to, layout, "0:6:2");
  g_autoptr (PdPlan) plan = pd_copy_plan_new (&from, &to, 8);
  g_autoptr (PdPlan) gather = pd_copy_plan_new_gather (&from, grid, 3, 8);
  /* everybody has it: the first rule, on a part of the grid */
  g_autoptr (PdGrid) part =
      pd_grid_new_part (grid, (gint64[]){ 1, 9 }, (gint64[]){ 1, 99999 }, NULL);
  g_autoptr (PdLayout) whole = test_align (pattern, "20", "-1*0+0,-1*0+0", NULL);
  g_autoptr (PdLayout) there = test_template (part, "20", "0,1");
  test_section (&from, whole, NULL);
  test_section (&to, there, NULL);
  g_autoptr (PdPlan) copy = pd_copy_plan_new (&from, &to, 8);
  for (guint32 p = 0; p < 200000; p++)
    {
      g_assert_cmpuint (pd_plan_get_max (plan, p), ==, 0);
      g_assert_cmpuint (pd_plan_get_max (gather, p), ==, 0);
      g_assert_cmpuint (pd_plan_get_max (copy, p), ==, 0);
    }
  g_assert_cmpuint (pd_plan_get_total (plan), ==, 0);
  g_assert_cmpuint (pd_plan_get_total (gather), ==, 0);
}

/* Messages of all with all are added up without a look at each of them. */
static void
test_traffic (void)
{
  static const PdTraffic expected = { 99999, 99999, 99999 * 6 * 8, 99999 * 6 * 8 };
  g_autoptr (PdGrid) grid = test_grid ("100000");
  g_autoptr (PdLayout) rows = test_template (grid, "200000,300000", "1");
  g_autoptr (PdLayout) columns = test_template (grid, "200000,300000", "2");
  PdSection from, to;

  test_section (&from, rows, NULL);
  test_section (&to, columns, NULL);
  g_autoptr (PdPlan) plan = pd_copy_plan_new (&from, &to, 8);
  for (guint32 p = 0; p < 100000; p++)
    {
      PdTraffic own;

      pd_plan_get_traffic (plan, p, &own);
      g_assert_true (memcmp (&own, &expected, sizeof own) == 0);
      g_assert_cmpuint (pd_plan_get_max (plan, p), ==, 2 * 99999);
    }
  g_assert_cmpuint (pd_plan_get_total (plan), >=, G_GUINT64_CONSTANT (100000) * 99999);
  g_assert_cmpuint (pd_plan_get_total (plan), <=, G_GUINT64_CONSTANT (100000) * 100000);
}

/* A square on 256x256 to a vector on the same processors in a line: an owner of
 * the vector has half a row of elements, so parts of 128 blocks. */
static void
test_reshaped (void)
{
  g_autoptr (PdGrid) grid = test_grid ("256x256");
  g_autoptr (PdGrid) line = pd_grid_new_view (grid, 1, (gint64[]){ 65536 }, NULL);
  g_autoptr (PdLayout) square = test_template (grid, "2048,2048", "1,2");
  g_autoptr (PdLayout) vector = test_template (line, "4194304", "1");
  gint64 n = 0;
  PdSection from, to;

  test_section (&from, square, NULL);
  test_section (&to, vector, NULL);
  g_autoptr (PdPlan) plan = pd_copy_plan_new (&from, &to, 8);
  for (guint32 p = 0; p < 65536; p++)
    {
      guint max = pd_plan_get_max (plan, p);
      g_autofree PdPlanMessage *messages = g_new (PdPlanMessage, max);

      g_assert_cmpuint (max, <=, 24);
      g_assert_cmpuint (pd_plan_get_messages (plan, p, messages), ==, max);
      for (guint m = 0; m < max; m++)
        g_assert_cmpint (messages[m].bytes, ==, 8 * 8);
      n += max;
    }
  g_assert_cmpuint (pd_plan_get_total (plan), ==, 65536 * 8);
  g_assert_cmpint (n, <, 2 * 65536 * 8);
  g_assert_cmpint (n, >, 2 * 65536 * 7);
}

/* Shapes that do not go into each other, of so many elements that neither rows
 * nor elements can be looked at one by one. */
static void
test_huge_shapes (void)
{
  static const struct
  {
    const char *from; /* sizes and axes of the templates, on 2x2 */
    const char *from_axes;
    const char *to;
    const char *to_axes;
    const char *messages;
  } rows[] = {
    /* 1 of 4 elements, twice: the replicas of the source all send */
    { "1000000000,10", "0,2", "100000000,100", "0,2",
      "0>1:20000000000 0>3:20000000000 1>0:20000000000 1>2:20000000000 "
      "2>1:20000000000 2>3:20000000000 3>0:20000000000 3>2:20000000000" },
    /* 1 of 4 elements of each half */
    { "1000000000,10", "1,2", "100000000,100", "1,2",
      "0>1:10000000000 1>0:10000000000 2>3:10000000000 3>2:10000000000" },
    /* counted one by one by another program */
    { "1000003,3", "1,2", "3,1000003", "1,2",
      "0>1:1333344 0>2:1333328 1>0:2666672 1>2:2666672 2>3:2666672 3>2:2666672" },
  };
  g_autoptr (PdGrid) grid = test_grid ("2x2");

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PdLayout) a = test_template (grid, rows[i].from, rows[i].from_axes);
      g_autoptr (PdLayout) b = test_template (grid, rows[i].to, rows[i].to_axes);
      PdSection from, to;

      test_section (&from, a, NULL);
      test_section (&to, b, NULL);
      g_autoptr (PdPlan) plan = pd_copy_plan_new (&from, &to, 8);
      g_autofree char *shown = test_show_plan (plan, 4);
      g_assert_cmpstr (shown, ==, rows[i].messages);
    }
}

/* Numbers below @end that, divided by @n, leave a rest from @lo to @hi. */
static gint64
count_rests (gint64 end, gint64 n, gint64 lo, gint64 hi)
{
  return end / n * (hi - lo + 1) + CLAMP (end % n - lo, 0, hi - lo + 1);
}

/* More pairs of owners than a table keeps: columns of 1500 by 3001 to a vector. */
static void
test_dense (void)
{
  g_autoptr (PdGrid) grid = test_grid ("1501");
  g_autoptr (PdLayout) columns = test_template (grid, "1500,3001", "2");
  g_autoptr (PdLayout) vector = test_template (grid, "4501500", "1");
  PdPlanMessage messages[3000];
  PdSection from, to;

  test_section (&from, columns, NULL);
  test_section (&to, vector, NULL);
  g_autoptr (PdPlan) plan = pd_copy_plan_new (&from, &to, 8);
  g_assert_cmpuint (pd_plan_get_total (plan), ==, 1501 * 1501);
  for (guint32 p = 0; p < 1501; p += 250)
    {
      g_assert_cmpuint (pd_plan_get_max (plan, p), <=, G_N_ELEMENTS (messages));
      guint n = pd_plan_get_messages (plan, p, messages);
      gint64 left[2] = { 8 * pd_layout_get_local_count (vector, p),
                         8 * pd_layout_get_local_count (columns, p) };

      g_assert_cmpuint (n, >, 2000);
      for (guint m = 0; m < n; m++)
        {
          guint32 q = messages[m].peer;
          gint64 lo, hi, a, b;

          pd_layout_get_range (columns, 0, messages[m].send ? p : q, &lo, &hi);
          pd_layout_get_range (vector, 0, messages[m].send ? q : p, &a, &b);
          g_assert_cmpint (messages[m].bytes, ==,
                           8 * (count_rests (b + 1, 3001, lo, hi) - count_rests (a, 3001, lo, hi)));
          left[messages[m].send] -= messages[m].bytes;
        }
      /* what is missing stays where it is */
      g_assert_cmpint (left[0], ==, left[1]);
      g_assert_cmpint (left[0], <=, 16);
    }
}

/* 2^62 elements of 8 bytes are more than a message can say. */
static void
test_saturated (void)
{
  g_autoptr (PdGrid) grid = test_grid ("2");
  g_autoptr (PdLayout) rows = test_template (grid, "2147483648,2147483648", "1");
  g_autoptr (PdLayout) columns = test_template (grid, "2147483648,2147483648", "2");
  PdPlanMessage messages[2];
  PdSection from, to;

  test_section (&from, rows, NULL);
  test_section (&to, columns, NULL);
  g_autoptr (PdPlan) plan = pd_copy_plan_new (&from, &to, 8);
  g_autoptr (PdPlan) small = pd_copy_plan_new (&from, &to, 4);
  PdTraffic traffic;
  pd_plan_get_traffic (plan, 0, &traffic);
  g_assert_cmpint (traffic.n_sent, ==, 1);
  g_assert_cmpint (traffic.bytes_sent, ==, G_MAXINT64);
  for (guint32 p = 0; p < 2; p++)
    {
      g_assert_cmpuint (pd_plan_get_messages (plan, p, messages), ==, 2);
      g_assert_cmpint (messages[0].bytes, ==, G_MAXINT64);
      g_assert_cmpint (messages[1].bytes, ==, G_MAXINT64);
      g_assert_cmpuint (pd_plan_get_messages (small, p, messages), ==, 2);
      g_assert_cmpint (messages[0].bytes, ==, G_GINT64_CONSTANT (1) << 62);
    }

  /* 2^61 to each of 3 other replicas: with the own part, more than can be counted */
  g_autoptr (PdGrid) more = test_grid ("2x4");
  g_autoptr (PdLayout) half = test_template (more, "2147483648,2147483648", "1,0");
  test_section (&from, half, NULL);
  test_section (&to, half, NULL);
  g_autoptr (PdPlan) replicas = pd_copy_plan_new (&from, &to, 1);
  pd_plan_get_traffic (replicas, 5, &traffic);
  g_assert_cmpint (traffic.n_sent, ==, 3);
  g_assert_cmpint (traffic.bytes_sent, ==, G_MAXINT64);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (copies); i++)
    {
      g_autofree char *path = g_strdup_printf ("/predictor/copy/many/%s", copies[i].name);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_many);
    }
  g_test_add_func ("/predictor/copy/large/replicas", test_replicas);
  g_test_add_func ("/predictor/copy/large/traffic", test_traffic);
  g_test_add_func ("/predictor/copy/large/reshaped", test_reshaped);
  g_test_add_func ("/predictor/copy/large/huge-shapes", test_huge_shapes);
  g_test_add_func ("/predictor/copy/large/dense", test_dense);
  g_test_add_func ("/predictor/copy/large/saturated", test_saturated);
  return g_test_run ();
}
