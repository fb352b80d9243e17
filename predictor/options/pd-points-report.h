/* A machine description against measured times: its points, simulated
 * by ComSys, as a table and as a picture.
 * SPDX-License-Identifier: MIT */
#ifndef PD_POINTS_REPORT_H
#define PD_POINTS_REPORT_H

#include "comsys/machine/pd-machine.h"
#include "reports/emit/pd-plot.h"

/* Points of one kind, with one number of processes. */
typedef struct
{
  guint first; /* in the machine's points */
  guint n;
  char *title; /* "allreduce, 4 ranks" */
} PdPointSeries;

/* Measured and simulated times. */
typedef struct
{
  const PdMachine *machine;
  GArray *series; /* PdPointSeries, as the points are in order */
  PdTime *model;  /* of each point */
} PdPointsReport;

/**
 * pd_points_report_new:
 * @machine: (transfer none): stays valid
 * @error: return location for %PD_PLOT_ERROR_EMPTY, or a #PdMachineError
 *
 * Returns: (transfer full) (nullable): all points, played.
 */
PdPointsReport *pd_points_report_new (const PdMachine *machine, GError **error);

/**
 * pd_points_report_free:
 * @self: (nullable): a report
 */
void pd_points_report_free (PdPointsReport *self);

/**
 * pd_points_report_error:
 * @point: number of the point
 * Returns: model / measured - 1.
 */
gdouble pd_points_report_error (const PdPointsReport *self, guint point);

/* How far the middle one of some points may be off, per cent. */
#define PD_POINTS_GOOD 10.
#define PD_POINTS_FAIR 25.

/**
 * pd_points_report_get_median:
 * Returns: how far the middle one of all points is off, per cent, without its sign: the verdict is
 *   "good" up to %PD_POINTS_GOOD, "fair" up to %PD_POINTS_FAIR, else "poor".
 */
gdouble pd_points_report_get_median (const PdPointsReport *self);

/**
 * pd_points_report_format:
 * @with_points: all of them, else only the fitted values and the errors of each series
 * Returns: (transfer full): text for people; ends with the errors, and a verdict in words.
 */
char *pd_points_report_format (const PdPointsReport *self, gboolean with_points);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdPointsReport, pd_points_report_free)

#endif
