/* Lists of processor counts.
 * SPDX-License-Identifier: MIT */
#include "predictor/common/pd-errors.h"
#include "predictor/common/pd-counts.h"

#include <string.h>

static const struct
{
  const char *name;
  const char *text;
  const char *expected; /* NULL: refused */
} lists[] = {
  { "one", "1", "1" },
  { "number", "8", "8" },
  { "grid", "4x2", "4x2" },
  { "grid-4", "2x3x4x5", "2x3x4x5" },
  { "several", "1,4x2,8", "1 4x2 8" },
  { "spaces", " 1 , 2x2 ", "1 2x2" },
  { "order", "8,2,4", "8 2 4" },
  { "repeated", "2,4,2,2x2,4,2x2", "2 4 2x2" },
  { "not-the-same", "4,4x1,1x4", "4 4x1 1x4" },
  { "times", "1:64:x2", "1 2 4 8 16 32 64" },
  { "times-beyond", "3:50:x3", "3 9 27" },
  { "plus", "4:16:+4", "4 8 12 16" },
  { "plus-beyond", "1:6:+4", "1 5" },
  { "single-range", "5:5:+1", "5" },
  { "mixed", "1:4:x2,3:5:+1", "1 2 4 3 5" },
  { "all-1", "all:1", "1" },
  { "all-2", "all:2", "2 1x2 1x1x2" },
  { "all-4", "all:4", "4 1x4 2x2 1x1x4 1x2x2 2x1x2" },
  { "all-7", "all:7", "7 1x7 1x1x7" },
  { "largest", "16777214", "16777214" },
  { "largest-grid", "8388607x2", "8388607x2" },
  { "large-steps", "1:16777214:x16777214", "1 16777214" },
  /* refused */
  { "empty", "", NULL },
  { "comma", ",", NULL },
  { "trailing-comma", "1,", NULL },
  { "zero", "0", NULL },
  { "negative", "-4", NULL },
  { "sign", "+4", NULL },
  { "word", "many", NULL },
  { "fraction", "1.5", NULL },
  { "hex", "0x8", NULL },
  { "trailing-x", "4x", NULL },
  { "leading-x", "x4", NULL },
  { "two-x", "4xx2", NULL },
  { "zero-in-grid", "4x0", NULL },
  { "five-dimensions", "1x1x1x1x1", NULL },
  { "star", "4*2", NULL },
  { "blank-inside", "4 2", NULL },
  { "too-many", "16777215", NULL },
  { "too-many-in-grid", "4097x4096", NULL },
  { "huge", "99999999999999999999", NULL },
  { "huge-grid", "16777214x16777214x16777214x16777214", NULL },
  { "range-without-step", "1:8", NULL },
  { "range-step-without-sign", "1:8:2", NULL },
  { "range-reversed", "8:1:+1", NULL },
  { "range-step-0", "1:8:+0", NULL },
  { "range-times-1", "1:8:x1", NULL },
  { "range-tail", "1:8:x2:3", NULL },
  { "range-of-grids", "1x1:4x4:x2", NULL },
  { "range-minus", "1:8:-1", NULL },
  { "all-nothing", "all:", NULL },
  { "all-0", "all:0", NULL },
  { "all-grid", "all:4x2", NULL },
  { "one-bad", "1,2,three", NULL },
  { "too-many-grids", "1:10001:+1", NULL },
  { "too-many-lists", "1:6000:+1,6001:12000:+1", NULL },
  { "a-million-grids", "1:16777214:+1", NULL },
};

/* What all:N means depends on the rank. */
static const struct
{
  const char *name;
  guint rank;
  const char *text;
  const char *expected;
} ranked[] = {
  { "line", 1, "all:8", "8" },
  { "plane", 2, "all:8", "8 1x8 2x4 4x2" },
  { "plane-12", 2, "all:12", "12 1x12 2x6 3x4 4x3 6x2" },
  { "and-others", 2, "4x2,all:4,1x4", "4x2 4 1x4 2x2" },
  { "twice", 2, "all:4,all:4", "4 1x4 2x2" },
  { "others-alone", 1, "4x2,2x2x2", "4x2 2x2x2" },
};

static void
assert_counts (const GArray *counts, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < counts->len; i++)
    {
      const PdCount *count = &g_array_index (counts, PdCount, i);
      for (guint d = 0; d < count->rank; d++)
        g_string_append_printf (text, "%s%" G_GINT64_FORMAT,
                                d > 0   ? "x"
                                : i > 0 ? " "
                                        : "",
                                count->sizes[d]);
    }
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_list (gconstpointer data)
{
  gsize k = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) counts = pd_counts_parse (lists[k].text, 3, &error);

  if (lists[k].expected == NULL)
    {
      g_assert_null (counts);
      g_assert_error (error, PD_USAGE_ERROR, 0);
      return;
    }
  g_assert_no_error (error);
  assert_counts (counts, lists[k].expected);
}

static void
test_ranked (gconstpointer data)
{
  gsize k = GPOINTER_TO_SIZE (data);
  g_autoptr (GArray) counts = pd_counts_parse (ranked[k].text, ranked[k].rank, NULL);

  g_assert_nonnull (counts);
  assert_counts (counts, ranked[k].expected);
}

/* The message quotes what is wrong, not the whole list. */
static void
test_message (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (pd_counts_parse ("1,2,thr-ee,4", 1, &error));
  g_assert_nonnull (strstr (error->message, "'thr-ee'"));
}

static void
test_most (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) counts = pd_counts_parse ("1:10000:+1,1:10000:+1", 1, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (counts->len, ==, 10000);
}

/* Ordered factorisations of n into exactly k factors. */
static guint
count_factorisations (gint64 n, guint k)
{
  guint count = 0;

  if (k == 1)
    return 1;
  for (gint64 a = 1; a <= n; a++)
    if (n % a == 0)
      count += count_factorisations (n / a, k - 1);
  return count;
}

/* Every ordered factorisation once, whatever the number and the rank: against
 * plain counting. */
static void
test_all (void)
{
  for (guint rank = 1; rank <= PD_MAX_GRID_RANK; rank++)
    for (gint64 n = 1; n <= 120; n++)
      {
        g_autofree char *text = g_strdup_printf ("all:%" G_GINT64_FORMAT, n);
        g_autoptr (GArray) counts = pd_counts_parse (text, rank, NULL);
        g_assert_cmpuint (counts->len, ==, count_factorisations (n, rank));
        for (guint i = 0; i < counts->len; i++)
          {
            const PdCount *count = &g_array_index (counts, PdCount, i);
            g_assert_cmpuint (count->rank, <=, rank);
            g_assert_cmpint (pd_count_get_n (count), ==, n);
          }
      }
}

static void
test_need_rank (void)
{
  g_assert_true (pd_counts_need_rank ("1,all:4"));
  g_assert_false (pd_counts_need_rank ("1,4x2,1:8:x2"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/counts/list/", lists[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_list);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (ranked); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/counts/rank/", ranked[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_ranked);
    }
  g_test_add_func ("/predictor/counts/message", test_message);
  g_test_add_func ("/predictor/counts/most", test_most);
  g_test_add_func ("/predictor/counts/all", test_all);
  g_test_add_func ("/predictor/counts/need-rank", test_need_rank);
  return g_test_run ();
}
