/* Ranges of times: hand-worked widths, their rows, and what is read back from them.
 * SPDX-License-Identifier: MIT */
#include "reports/hints/pd-time-range.h"

#include <math.h>
#include <string.h>

#define N_ADDED 3

static const struct
{
  const char *name;
  gint64 time;
  struct
  {
    PdRangeSource source;
    gdouble low;
    gdouble high;
  } added[N_ADDED];
  gint64 low;
  gint64 high;
  guint n_rows;
  const char *sources;
} cases[] = {
  { "none", 1000000, { { 0, 0, 0 } }, 1000000, 1000000, 1, "" },
  { "no-time", 0, { { PD_RANGE_SCATTER, 0.1, 0.1 } }, 0, 0, 2, "scatter 100 %" },
  { "one",
    1000000,
    { { PD_RANGE_MEASURED, 0.25, 0.25 } },
    800000,
    1250000,
    2,
    "measured programs 100 %" },
  /* 3, 4: 5 */
  { "two",
    1500000,
    { { PD_RANGE_NOISE, 0.3, 0.3 }, { PD_RANGE_CACHE, 0.4, 0.4 } },
    1000000,
    2250000,
    3,
    "cache 64 %, noise 36 %" },
  /* the same source twice: on either side what it has there */
  { "sides",
    1000000,
    { { PD_RANGE_CLOCK, 0.25, 0 }, { PD_RANGE_CLOCK, 0, 0.5 } },
    800000,
    1500000,
    2,
    "clock 100 %" },
  { "not-numbers",
    1000000,
    { { PD_RANGE_CLOCK, -1, NAN }, { PD_RANGE_NOISE, NAN, -0.5 } },
    1000000,
    1000000,
    1,
    "" },
  { "endless",
    1000000,
    { { PD_RANGE_MACHINE, INFINITY, INFINITY } },
    999,
    1001000000,
    2,
    "machine 100 %" },
  { "longest",
    G_MAXINT64,
    { { PD_RANGE_MACHINE, 0, 0.5 } },
    G_MAXINT64,
    G_MAXINT64,
    2,
    "machine 100 %" },
};

static PdTimeRange *
make_range (gsize i)
{
  PdTimeRange *self = pd_time_range_new (PD_TIME (cases[i].time));

  for (guint k = 0; k < N_ADDED; k++)
    pd_time_range_add (self, cases[i].added[k].source, cases[i].added[k].low,
                       cases[i].added[k].high);
  return self;
}

static void
test_range (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdTimeRange) self = make_range (i);
  g_autoptr (GArray) rows = pd_time_range_get_rows (self);
  g_autofree char *sources = pd_time_range_describe_sources (self, PD_N_RANGE_SOURCES);
  gdouble shares = 0;

  g_assert_cmpint (pd_time_range_get (self).low.ps, ==, cases[i].low);
  g_assert_cmpint (pd_time_range_get (self).high.ps, ==, cases[i].high);
  g_assert_cmpuint (rows->len, ==, cases[i].n_rows);
  g_assert_cmpstr (sources, ==, cases[i].sources);
  g_assert_cmpstr (g_array_index (rows, PdTimeRangeRow, 0).source, ==, "all");
  for (guint k = 1; k < rows->len; k++)
    {
      const PdTimeRangeRow *row = &g_array_index (rows, PdTimeRangeRow, k);
      shares += row->share;
      g_assert_cmpint (row->ends.low.ps, >=, cases[i].low);
      g_assert_cmpint (row->ends.high.ps, <=, cases[i].high);
    }
  g_assert_cmpfloat_with_epsilon (shares, rows->len > 1 ? 1 : 0, 1e-12);
}

/* Rows say all there is of a range. */
static void
test_stored (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (PdTimeRange) self = make_range (i);
      g_autoptr (PdTimeRange) again = pd_time_range_new (PD_TIME (cases[i].time));
      g_autoptr (GArray) rows = pd_time_range_get_rows (self);
      if (cases[i].time == 0 || cases[i].time == G_MAXINT64)
        continue;
      for (guint k = 0; k < rows->len; k++)
        {
          const PdTimeRangeRow *row = &g_array_index (rows, PdTimeRangeRow, k);
          pd_time_range_add_stored (again, row->source, &row->ends);
        }
      g_assert_cmpint (ABS (pd_time_range_get (again).low.ps - cases[i].low), <=, 1);
      g_assert_cmpint (ABS (pd_time_range_get (again).high.ps - cases[i].high), <=, 1000);
    }
}

/* What is not of a range is not believed. */
static void
test_damaged (void)
{
  static const struct
  {
    const char *source;
    gint64 low;
    gint64 high;
  } rows[] = {
    { "unknown", 500, 2000 }, { "", 500, 2000 },   { "noise", 0, 2000 },
    { "noise", -5, 2000 },    { "noise", 500, 0 }, { "noise", 2000, 2000 },
  };
  g_autoptr (PdTimeRange) self = pd_time_range_new (PD_TIME (1000));

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const PdTimeRangeEnds ends = { PD_TIME (rows[i].low), PD_TIME (rows[i].high) };
      pd_time_range_add_stored (self, rows[i].source, &ends);
      g_assert_cmpint (pd_time_range_get (self).low.ps, ==, 1000);
      g_assert_cmpint (pd_time_range_get (self).high.ps, ==, 1000);
    }
}

static void
test_text (void)
{
  g_autoptr (PdTimeRange) self = pd_time_range_new (PD_TIME (43500000000));
  g_autoptr (GString) out = g_string_new (NULL);

  pd_time_range_add (self, PD_RANGE_MEASURED, 0.06, 0.06);
  pd_time_range_add (self, PD_RANGE_SCATTER, 0.08, 0.08);
  pd_time_range_write (self, 200, out);
  g_assert_cmpstr (out->str, ==,
                   "Execution time 0.0435000 s (0.0395455 to 0.0478500); 90 % range, of scatter "
                   "64 %, measured programs 36 %\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/reports/time-range/", cases[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_range);
    }
  g_test_add_func ("/reports/time-range/stored", test_stored);
  g_test_add_func ("/reports/time-range/damaged", test_damaged);
  g_test_add_func ("/reports/time-range/text", test_text);
  return g_test_run ();
}
