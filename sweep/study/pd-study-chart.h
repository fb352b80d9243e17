/* Charts of a study: curves, heat maps, what time is made of, fronts; as numbers, and as
 * commands for gnuplot.
 * SPDX-License-Identifier: MIT */
#ifndef PD_STUDY_CHART_H
#define PD_STUDY_CHART_H

#include "sweep/study/pd-study-table.h"

typedef enum
{
  PD_CHART_CURVES, /* a metric against one axis, a curve for each value of another */
  PD_CHART_HEAT,   /* a metric over two axes */
  PD_CHART_PARTS,  /* what Total_time is made of, against one axis */
  PD_CHART_PARETO, /* time and cost of all points, and their front */
  PD_N_CHARTS,
} PdChartKind;

/**
 * pd_chart_kind_name:
 * Returns: "curves", "heat", "parts" or "pareto".
 */
const char *pd_chart_kind_name (PdChartKind kind);

/* The contents of a chart. Axes that are not named are reduced: of all rows with the same place on
 * the named ones the best by @metric is taken, for parts the one with the least time. */
typedef struct
{
  PdChartKind kind;
  PdMetric metric;
  gint x;  /* axis; -1: the first of processors, else the one with the most values */
  gint by; /* axis; -1: none, of a heat map the one with the most values but @x */
} PdChart;

/**
 * pd_chart_complete:
 * @self: (inout): axes that were left open are chosen
 * @table: of a study
 * @error: return location for %PD_STUDY_ERROR_VALUES: too few axes, or no rows
 */
gboolean pd_chart_complete (PdChart *self, const PdStudyTable *table, GError **error);

/* One place on the axes. */
typedef struct
{
  guint32 x;
  guint32 by; /* 0 without that axis */
  guint row;  /* of the table */
} PdChartCell;

/**
 * pd_chart_cells:
 * @self: complete
 * Returns: (transfer full) (element-type PdChartCell): places that have a row, by @by, then
 *   by @x in the order of their numbers.
 */
GArray *pd_chart_cells (const PdChart *self, const PdStudyTable *table);

/**
 * pd_chart_commands:
 * @self: complete
 * @wide: for pictures; else for a terminal of few characters
 * Returns: (transfer full): commands and data for pd_plot_write(), pd_plot_format().
 */
char *pd_chart_commands (const PdChart *self, const PdStudyTable *table, gboolean wide);

/**
 * pd_chart_title:
 * Returns: (transfer full): "Time, s against procs".
 */
char *pd_chart_title (const PdChart *self, const PdStudyTable *table);

#endif
