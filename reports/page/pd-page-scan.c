/* The time of a run on other machines: sentences and a table, and the data of the sliders.
 * SPDX-License-Identifier: MIT */
#include "reports/page/pd-page-scan-private.h"

#include "reports/emit/pd-columns.h"
#include "reports/emit/pd-format.h"
#include "reports/page/pd-page-data.h"
#include "reports/page/pd-page-private.h"

#include <math.h>

/* ---- data */

/* Seconds; NaN if unknown. */
static gdouble
to_seconds (PdTime time)
{
  return pd_time_is_pending (time) ? NAN : pd_time_to_seconds (time);
}

static void
add_times (PdPage *self, const char *key, const PdTime *times, guint n)
{
  g_autofree gdouble *seconds = g_new (gdouble, n);

  for (guint i = 0; i < n; i++)
    seconds[i] = to_seconds (times[i]);
  pd_page_data_numbers (self, key, seconds, n);
}

/* At each point of a grid's side along a curve, which parameter limits; -1: not known. */
static void
add_limits (PdPage *self, const PdScan *scan, guint parameter)
{
  gdouble limits[PD_SCAN_SIDE];

  for (int i = 0; i < PD_SCAN_SIDE; i++)
    {
      PdScanPoint point = { { 0 } };
      point.at[parameter] = i * PD_SCAN_GRID_STEP - PD_SCAN_MOST_STEP;
      PdScanParameter limit = pd_scan_find_limit (scan, &point);
      limits[i] = limit == PD_SCAN_N ? -1 : (gdouble) limit;
    }
  pd_page_data_numbers (self, "limit", limits, PD_SCAN_SIDE);
}

static void
add_parameters (PdPage *self, const PdScan *scan)
{
  pd_page_data_open (self, "parameters", '[');
  for (guint i = 0; i < PD_SCAN_N; i++)
    {
      pd_page_data_open (self, NULL, '{');
      pd_page_data_string (self, "name", pd_scan_get_name ((PdScanParameter) i));
      pd_page_data_string (self, "setting", pd_scan_get_setting ((PdScanParameter) i));
      pd_page_data_number (self, "value", scan->values[i]);
      add_times (self, "seconds", scan->curves[i], PD_SCAN_POINTS);
      if (scan->has_grids)
        {
          add_times (self, "others", &scan->grids[i][0][0], PD_SCAN_SIDE * PD_SCAN_SIDE);
          add_limits (self, scan, i);
        }
      pd_page_data_close (self, '}');
    }
  pd_page_data_close (self, ']');
}

static void
add_eager (PdPage *self, const GArray *eager)
{
  g_autofree gdouble *bytes = g_new (gdouble, eager->len), *seconds = g_new (gdouble, eager->len);

  for (guint i = 0; i < eager->len; i++)
    {
      const PdScanEager *limit = &g_array_index (eager, PdScanEager, i);
      bytes[i] = (gdouble) limit->bytes;
      seconds[i] = to_seconds (limit->time);
    }
  pd_page_data_open (self, "eager", '{');
  pd_page_data_numbers (self, "bytes", bytes, eager->len);
  pd_page_data_numbers (self, "seconds", seconds, eager->len);
  pd_page_data_close (self, '}');
}

static void
add_data (PdPage *self, const PdScan *scan, const char *key)
{
  gdouble factors[PD_SCAN_POINTS];

  for (int i = 0; i < PD_SCAN_POINTS; i++)
    factors[i] = pd_scan_get_factor (i - PD_SCAN_MOST_STEP);
  pd_page_data_open (self, key, '{');
  pd_page_data_number (self, "today", to_seconds (scan->today));
  pd_page_data_number (self, "grid", PD_SCAN_GRID_STEP);
  pd_page_data_number (self, "step", scan->is_coarse ? PD_SCAN_GRID_STEP : 1);
  pd_page_data_numbers (self, "factor", factors, PD_SCAN_POINTS);
  add_parameters (self, scan);
  if (scan->eager != NULL)
    add_eager (self, scan->eager);
  pd_page_data_close (self, '}');
}

/* ---- words */

/* "1/16", "4": of a power of two. */
static char *
format_factor (int step)
{
  gint64 power = (gint64) 1 << (ABS (step) / PD_SCAN_GRID_STEP);

  return g_strdup_printf ("%s%" G_GINT64_FORMAT, step < 0 ? "1/" : "", power);
}

/* The saving by an improvement of each parameter by a factor of two. */
static void
append_gains (GString *out, const PdScan *scan)
{
  static const char *const better[PD_SCAN_N] = { "half the latency", "twice the bandwidth",
                                                 "processors twice as fast" };
  const PdScanPoint today = { { 0 } };

  for (guint i = 0; i < PD_SCAN_N; i++)
    {
      gint64 gain = pd_scan_get_gain (scan, &today, (PdScanParameter) i);
      if (gain == G_MININT64)
        continue;
      gdouble share = scan->today.ps > 0 ? 100 * (gdouble) gain / (gdouble) scan->today.ps : 0;
      g_string_append_printf (out, "%s%s", out->len > 0 ? ", " : "", better[i]);
      g_string_append (out, gain < 0 ? " costs " : " saves ");
      pd_report_append_double (out, "%.1f", ABS (share));
      g_string_append (out, " %");
    }
  if (out->len > 0)
    out->str[0] = g_ascii_toupper (out->str[0]);
}

static void
add_changes (PdPage *self, const PdScan *scan)
{
  const PdScanPoint today = { { 0 } };
  PdScanParameter limit = pd_scan_find_limit (scan, &today);
  GString *out = pd_page_get_body (self);
  g_autoptr (GString) text = g_string_new (NULL);

  append_gains (text, scan);
  if (limit != PD_SCAN_N)
    g_string_append_printf (text, ". The run is limited by %s%s",
                            limit == PD_SCAN_SPEED ? "" : "the ", pd_scan_get_name (limit));
  if (text->len > 0)
    g_string_append_c (text, '.');
  for (guint i = 0; i < PD_SCAN_N; i++)
    {
      int step;
      PdScanParameter next = pd_scan_find_change (scan, (PdScanParameter) i, &step);
      g_autofree char *factor = format_factor (step);
      if (next != PD_SCAN_N)
        g_string_append_printf (text, " With %s times the %s, %s limits it.", factor,
                                pd_scan_get_name ((PdScanParameter) i), pd_scan_get_name (next));
    }
  if (text->len > 0)
    pd_page_append_element (out, "p", text->str);
}

static void
add_time_cell (PdColumns *to, const PdScan *scan, const PdScanPoint *point, int decimals)
{
  PdTime time = pd_scan_get_time (scan, point);

  if (pd_time_is_pending (time))
    pd_columns_add_text (to, "does not end");
  else
    pd_columns_add_fixed (to, pd_time_to_seconds (time), decimals);
}

static void
add_table (PdPage *self, const PdScan *scan)
{
  static const PdColumn columns[] = { { .page = "Factor" },
                                      { .page = "Time with that latency, s" },
                                      { .page = "Time with that bandwidth, s" },
                                      { .page = "Time with that processor speed, s" } };
  PdColumns to = { .out = pd_page_get_body (self) };
  int decimals = pd_report_decimals (pd_time_to_seconds (scan->today));

  pd_page_begin_details (self, "Table: times with one parameter multiplied by a factor");
  pd_columns_begin (&to, PD_COLUMNS (columns));
  for (int step = -PD_SCAN_MOST_STEP; step <= PD_SCAN_MOST_STEP; step += PD_SCAN_GRID_STEP)
    {
      g_autofree char *factor = format_factor (step);
      pd_columns_add_text (&to, factor);
      for (guint i = 0; i < PD_SCAN_N; i++)
        {
          PdScanPoint point = { { 0 } };
          point.at[i] = step;
          add_time_cell (&to, scan, &point, decimals);
        }
    }
  pd_columns_end (&to);
  pd_page_end_details (self);
}

static void
add_eager_table (PdPage *self, const PdScan *scan)
{
  static const PdColumn columns[] = { { .page = "Largest eager message, bytes" },
                                      { .page = "Time, s" } };
  PdColumns to = { .out = pd_page_get_body (self) };
  int decimals = pd_report_decimals (pd_time_to_seconds (scan->today));

  pd_page_begin_details (self, "Table: times with other eager limits");
  pd_columns_begin (&to, PD_COLUMNS (columns));
  for (guint i = 0; i < scan->eager->len; i++)
    {
      const PdScanEager *limit = &g_array_index (scan->eager, PdScanEager, i);
      g_autofree char *bytes = limit->bytes < 0
                                   ? g_strdup ("none")
                                   : g_strdup_printf ("%" G_GINT64_FORMAT, limit->bytes);
      pd_columns_add_text (&to, bytes);
      if (pd_time_is_pending (limit->time))
        pd_columns_add_text (&to, "does not end");
      else
        pd_columns_add_fixed (&to, pd_time_to_seconds (limit->time), decimals);
    }
  pd_columns_end (&to);
  pd_page_end_details (self);
}

void
pd_page_add_scan (PdPage *self, const PdReportRun *run, const char *prefix)
{
  const PdScan *scan = run->scan;
  g_autofree char *key = pd_page_key (prefix, "scan");

  if (scan == NULL)
    return;
  pd_page_add_heading (self, key, "On another machine",
                       "The run predicted again with other latencies and bandwidths of networks "
                       "and memories, processors, and eager limits.");
  if (scan->left_out > 0)
    {
      g_string_append_printf (
          pd_page_get_body (self),
          "<p class=\"dim\">Left out: %" G_GUINT64_FORMAT
          " predictions of this run would take more than about a second. <code>predictor "
          "sweep … --vary latency-ratio=0.25,0.5,1,2,4</code> makes them.</p>\n",
          scan->left_out);
      return;
    }
  add_data (self, scan, key);
  add_changes (self, scan);
  pd_page_add_chart (self, "scan", key, "Run time on another machine, s");
  add_table (self, scan);
  if (scan->eager != NULL)
    add_eager_table (self, scan);
}
