/* SPDX-License-Identifier: MIT */
#include "reports/hints/pd-scan.h"

#include <math.h>

/* A resource that gains less than this share of the time is no bottleneck. */
#define WORTH 1000

static const struct
{
  const char *name;
  const char *setting;
  int better; /* the step that improves it by a factor of two */
} parameters[PD_SCAN_N] = {
  [PD_SCAN_LATENCY] = { "latency", "latency-ratio", -PD_SCAN_GRID_STEP },
  [PD_SCAN_BANDWIDTH] = { "bandwidth", "bandwidth-ratio", PD_SCAN_GRID_STEP },
  [PD_SCAN_SPEED] = { "processor speed", "speed-ratio", PD_SCAN_GRID_STEP },
};

PdScan *
pd_scan_new (void)
{
  PdScan *self = g_new0 (PdScan, 1);
  PdTime *curves = &self->curves[0][0], *grids = &self->grids[0][0][0];

  self->today = PD_TIME_PENDING;
  for (gsize i = 0; i < sizeof self->curves / sizeof *curves; i++)
    curves[i] = PD_TIME_PENDING;
  for (gsize i = 0; i < sizeof self->grids / sizeof *grids; i++)
    grids[i] = PD_TIME_PENDING;
  return self;
}

void
pd_scan_free (PdScan *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->eager, g_array_unref);
  g_free (self);
}

const char *
pd_scan_get_name (PdScanParameter parameter)
{
  return parameters[parameter].name;
}

const char *
pd_scan_get_setting (PdScanParameter parameter)
{
  return parameters[parameter].setting;
}

gdouble
pd_scan_get_factor (int step)
{
  /* of few digits, so that settings can be typed */
  static const gdouble quarters[PD_SCAN_GRID_STEP] = { 1, 1.189, 1.414, 1.682 };
  int quarter = (step + PD_SCAN_MOST_STEP) % PD_SCAN_GRID_STEP;

  return ldexp (quarters[quarter], (step - quarter) / PD_SCAN_GRID_STEP);
}

/* ---- points */

static gboolean
is_known_step (int step, gboolean in_grid)
{
  return ABS (step) <= PD_SCAN_MOST_STEP && (!in_grid || step % PD_SCAN_GRID_STEP == 0);
}

static int
grid_index (int step)
{
  return (step + PD_SCAN_MOST_STEP) / PD_SCAN_GRID_STEP;
}

PdTime *
pd_scan_get_place (PdScan *self, const PdScanPoint *point)
{
  guint moved[PD_SCAN_N], n = 0;

  for (guint i = 0; i < PD_SCAN_N; i++)
    if (point->at[i] != 0)
      moved[n++] = i;
  for (guint i = 0; i < n; i++)
    if (!is_known_step (point->at[moved[i]], n > 1))
      return NULL;
  if (n == 1)
    return &self->curves[moved[0]][point->at[moved[0]] + PD_SCAN_MOST_STEP];
  if (n == 2)
    return &self->grids[PD_SCAN_N - moved[0] - moved[1]][grid_index (point->at[moved[0]])]
                       [grid_index (point->at[moved[1]])];
  return NULL;
}

PdTime
pd_scan_get_time (const PdScan *self, const PdScanPoint *point)
{
  const PdTime *place = pd_scan_get_place ((PdScan *) self, point);

  if (place != NULL)
    return *place;
  for (guint i = 0; i < PD_SCAN_N; i++)
    if (point->at[i] != 0)
      return PD_TIME_PENDING;
  return self->today;
}

/* ---- what limits */

gint64
pd_scan_get_gain (const PdScan *self, const PdScanPoint *point, PdScanParameter parameter)
{
  PdScanPoint better = *point;
  PdTime now = pd_scan_get_time (self, point);

  better.at[parameter] += parameters[parameter].better;
  PdTime then = pd_scan_get_time (self, &better);
  return pd_time_is_pending (now) || pd_time_is_pending (then) ? G_MININT64 : now.ps - then.ps;
}

PdScanParameter
pd_scan_find_limit (const PdScan *self, const PdScanPoint *point)
{
  PdScanParameter found = PD_SCAN_N;
  gint64 most = pd_scan_get_time (self, point).ps / WORTH;

  for (guint i = 0; i < PD_SCAN_N; i++)
    {
      gint64 gain = pd_scan_get_gain (self, point, (PdScanParameter) i);
      if (gain == G_MININT64)
        return PD_SCAN_N;
      if (gain > most)
        {
          most = gain;
          found = (PdScanParameter) i;
        }
    }
  return found;
}

PdScanParameter
pd_scan_find_change (const PdScan *self, PdScanParameter parameter, int *step)
{
  PdScanPoint point = { { 0 } };
  PdScanParameter today = pd_scan_find_limit (self, &point), limit;

  do
    {
      point.at[parameter] += parameters[parameter].better;
      limit = pd_scan_find_limit (self, &point);
    }
  while (limit == today && ABS (point.at[parameter]) < PD_SCAN_MOST_STEP);
  *step = point.at[parameter];
  return limit != today ? limit : PD_SCAN_N;
}
