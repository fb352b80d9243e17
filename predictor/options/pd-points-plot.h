/* The picture of a machine's measured points, by gnuplot: transfers left, operations
 * right; times above, errors below.
 * SPDX-License-Identifier: MIT */
#ifndef PD_POINTS_PLOT_H
#define PD_POINTS_PLOT_H

#include "predictor/options/pd-points-report.h"

/**
 * pd_points_report_script:
 * @error: return location for a #PdMachineError
 *
 * Returns: (transfer full) (nullable): commands and data for pd_plot_write().
 */
char *pd_points_report_script (const PdPointsReport *self, GError **error);

/**
 * pd_points_report_plot:
 * @path: .png or .svg; replaced when the picture is complete
 * @error: return location for a #PdPlotError, or a #PdMachineError
 *
 * Draws measured points with their intervals and the lines of the model, with
 * logarithmic axes, and below them the errors. The environment variable
 * PREDICTOR_GNUPLOT names another program than gnuplot.
 */
gboolean pd_points_report_plot (const PdPointsReport *self, const char *path, GError **error);

#endif
