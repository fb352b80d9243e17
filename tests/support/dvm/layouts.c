/* SPDX-License-Identifier: MIT */
#include "tests/support/dvm/layouts.h"
#include "predictor/dvm/layout/pd-dvm-layout-align.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-loop.h"

#define MAX_VALUES 16

static guint
split (const char *text, const char *delimiters, gint64 *values)
{
  g_auto (GStrv) words = g_strsplit_set (text != NULL ? text : "", delimiters, -1);
  guint n = 0;

  for (guint i = 0; words[i] != NULL && words[i][0] != '\0'; i++)
    {
      g_assert_cmpuint (n, <, MAX_VALUES);
      values[n++] = g_ascii_strtoll (words[i], NULL, 10);
    }
  return n;
}

guint
test_list (const char *text, gint64 *values)
{
  return split (text, ",", values);
}

PdGrid *
test_grid (const char *text)
{
  gint64 sizes[MAX_VALUES];
  guint rank = split (text, "x", sizes);
  PdGrid *grid = pd_grid_new (rank, sizes, NULL);

  g_assert_nonnull (grid);
  return grid;
}

PdLayout *
test_template (PdGrid *grid, const char *sizes, const char *axes)
{
  gint64 n[MAX_VALUES], axis[MAX_VALUES];
  gint64 params[MAX_VALUES] = { 0 };
  guint rank = test_list (sizes, n);
  PdDvmDistribution distribution = { test_list (axes, axis), axis, params };
  g_autoptr (GError) error = NULL;
  PdLayout *layout = pd_layout_new_distributed (grid, rank, n, &distribution, NULL, &error);

  g_assert_no_error (error);
  return layout;
}

/* The three arrays of @rules; the result borrows @values. */
static PdAlignment
read_rules (const char *rules, gint64 values[3][MAX_VALUES])
{
  g_auto (GStrv) words = g_strsplit (rules, ",", -1);
  guint n = g_strv_length (words);

  for (guint k = 0; k < n; k++)
    {
      char *end = NULL;

      values[0][k] = g_ascii_strtoll (words[k], &end, 10);
      g_assert_cmpint (*end, ==, '*');
      values[1][k] = g_ascii_strtoll (end + 1, &end, 10);
      g_assert_cmpint (*end, ==, '+');
      values[2][k] = g_ascii_strtoll (end + 1, &end, 10);
      g_assert_cmpint (*end, ==, '\0');
    }
  return (PdAlignment){ n, values[0], values[1], values[2] };
}

PdLayout *
test_align (PdLayout *pattern, const char *sizes, const char *rules, GError **error)
{
  gint64 n[MAX_VALUES], values[3][MAX_VALUES];
  guint rank = test_list (sizes, n);
  PdAlignment alignment = read_rules (rules, values);

  return pd_layout_new_aligned (pattern, rank, n, &alignment, error);
}

PdLoop *
test_loop (PdLayout *pattern, const char *ranges, const char *rules, GError **error)
{
  g_auto (GStrv) words = g_strsplit (ranges, ",", -1);
  PdLoopRange list[MAX_VALUES];
  gint64 values[3][MAX_VALUES];
  guint rank = g_strv_length (words);
  PdAlignment alignment = read_rules (rules, values);

  for (guint i = 0; i < rank; i++)
    {
      gint64 range[MAX_VALUES] = { 0, 0, 1 };

      split (words[i], ":", range);
      list[i] = (PdLoopRange){ range[0], range[1], range[2] };
    }
  return pd_loop_new (pattern, rank, list, &alignment, error);
}

static void
append_range (GString *text, gint64 lo, gint64 hi, gint64 step)
{
  g_string_append_printf (text, "%" G_GINT64_FORMAT, lo);
  if (lo != hi)
    g_string_append_printf (text, "-%" G_GINT64_FORMAT, hi);
  if (lo != hi && step != 1)
    g_string_append_printf (text, ":%" G_GINT64_FORMAT, step);
}

char *
test_show (const PdLayout *layout)
{
  GString *text = g_string_new (NULL);
  gint64 lo[PD_MAX_RANK], hi[PD_MAX_RANK];

  for (guint32 p = 0; p < pd_grid_get_n (pd_layout_get_grid (layout)); p++)
    {
      gboolean any = pd_layout_get_local (layout, p, lo, hi);

      if (p > 0)
        g_string_append_c (text, ' ');
      if (!any)
        g_string_append_c (text, '-');
      for (guint i = 0; any && i < pd_layout_get_rank (layout); i++)
        {
          if (i > 0)
            g_string_append_c (text, 'x');
          append_range (text, lo[i], hi[i], 1);
        }
    }
  return g_string_free (text, FALSE);
}

char *
test_show_loop (const PdLoop *loop)
{
  GString *text = g_string_new (NULL);
  PdLayout *layout = pd_loop_get_layout (loop);
  PdLoopRange ranges[PD_MAX_RANK];

  for (guint32 p = 0; p < pd_grid_get_n (pd_layout_get_grid (layout)); p++)
    {
      gboolean any = pd_loop_get_local_range (loop, p, ranges);

      if (p > 0)
        g_string_append_c (text, ' ');
      if (!any)
        g_string_append_c (text, '-');
      for (guint i = 0; any && i < pd_layout_get_rank (layout); i++)
        {
          if (i > 0)
            g_string_append_c (text, 'x');
          append_range (text, ranges[i].first, ranges[i].last, ranges[i].step);
        }
    }
  return g_string_free (text, FALSE);
}
