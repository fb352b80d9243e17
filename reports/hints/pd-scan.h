/* A scan of a machine's parameters: how long a run takes with other latencies, bandwidths,
 * processors and eager limits. Every time is predicted, none is interpolated.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCAN_H
#define PD_SCAN_H

#include "base/pd-time.h"

/* The parameters multiplied by factors, as by the settings latency-ratio, bandwidth-ratio and
 * speed-ratio. */
typedef enum
{
  PD_SCAN_LATENCY,
  PD_SCAN_BANDWIDTH,
  PD_SCAN_SPEED,
  PD_SCAN_N,
} PdScanParameter;

/* A curve has the factors 2^(step / 4), steps from -16 to 16; a grid of two parameters those that
 * are powers of two. */
#define PD_SCAN_MOST_STEP 16
#define PD_SCAN_POINTS    (2 * PD_SCAN_MOST_STEP + 1)
#define PD_SCAN_GRID_STEP 4
#define PD_SCAN_SIDE      (2 * PD_SCAN_MOST_STEP / PD_SCAN_GRID_STEP + 1)

/* Where each parameter is, in steps. */
typedef struct
{
  int at[PD_SCAN_N];
} PdScanPoint;

/* A run with another eager limit. */
typedef struct
{
  gint64 bytes; /* the limit; -1: none, not even empty messages are eager */
  PdTime time;  /* %PD_TIME_PENDING: the program does not end */
} PdScanEager;

/* Times are %PD_TIME_PENDING where they are not known: the program does not end there, or the
 * grids would have cost too much. */
typedef struct
{
  guint64 left_out; /* > 0: so many predictions would have cost too much, and nothing is known */
  gboolean has_grids;
  gboolean is_coarse;        /* curves have powers of two only */
  gdouble values[PD_SCAN_N]; /* as described, of the outermost network: s, bytes/s; 0: not known */
  PdTime today;              /* as described */
  PdTime curves[PD_SCAN_N][PD_SCAN_POINTS];
  PdTime grids[PD_SCAN_N][PD_SCAN_SIDE][PD_SCAN_SIDE]; /* without parameter i, of the two others */
  GArray *eager; /* (nullable): PdScanEager by ascending limit; %NULL: limits change nothing */
} PdScan;

/**
 * pd_scan_new:
 * Returns: (transfer full): one that knows no time.
 */
PdScan *pd_scan_new (void);

/**
 * pd_scan_free:
 * @self: (nullable): the scan
 */
void pd_scan_free (PdScan *self);

/**
 * pd_scan_get_name:
 * Returns: (transfer none): "latency", "bandwidth", "processor speed".
 */
const char *pd_scan_get_name (PdScanParameter parameter);

/**
 * pd_scan_get_setting:
 * Returns: (transfer none): the setting that is its factor, "latency-ratio".
 */
const char *pd_scan_get_setting (PdScanParameter parameter);

/**
 * pd_scan_get_factor:
 * @step: from -%PD_SCAN_MOST_STEP to %PD_SCAN_MOST_STEP
 *
 * Returns: 2^(@step / 4), rounded to 4 digits between powers of two.
 */
gdouble pd_scan_get_factor (int step);

/**
 * pd_scan_get_place:
 * @point: any
 *
 * Returns: (transfer none) (nullable): where the time of @point is kept; %NULL: there is no place
 *   for it, or it is that of the run as described, or a point of a curve in a grid.
 */
PdTime *pd_scan_get_place (PdScan *self, const PdScanPoint *point);

/**
 * pd_scan_get_time:
 * @point: any
 *
 * Returns: how long the run takes there; %PD_TIME_PENDING if that is not known.
 */
PdTime pd_scan_get_time (const PdScan *self, const PdScanPoint *point);

/**
 * pd_scan_get_gain:
 * @parameter: which is improved by a factor of two
 *
 * Returns: how much less time the run takes than at @point; negative: more; %G_MININT64 if that is
 *   not known.
 */
gint64 pd_scan_get_gain (const PdScan *self, const PdScanPoint *point, PdScanParameter parameter);

/**
 * pd_scan_find_limit:
 * @point: any
 *
 * Returns: the parameter that limits the run there: that whose improvement by a factor of two gains
 *   most, and at least a thousandth of the time; %PD_SCAN_N: none, or one of the three gains is not
 *   known.
 */
PdScanParameter pd_scan_find_limit (const PdScan *self, const PdScanPoint *point);

/**
 * pd_scan_find_change:
 * @parameter: which is improved, the others as described
 * @step: (out): of @parameter: the first power of two at which another one limits
 *
 * Returns: the parameter that limits from there on; %PD_SCAN_N: none, the limit stays.
 */
PdScanParameter pd_scan_find_change (const PdScan *self, PdScanParameter parameter, int *step);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdScan, pd_scan_free)

#endif
