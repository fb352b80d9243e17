/* Common parts of charts, as data and commands for gnuplot: curves, stacked shares, bars.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PLOT_COMMANDS_H
#define PD_PLOT_COMMANDS_H

#include <glib.h>

/* One curve. Everything is borrowed. */
typedef struct
{
  const char *title; /* "" = none */
  const gdouble *x;
  const gdouble *y;
  guint n;
} PdPlotSeries;

/**
 * pd_plot_append_number:
 * Appends a space and @number, whatever the locale.
 */
void pd_plot_append_number (GString *out, gdouble number);

/**
 * pd_plot_append_label:
 * @which: 'x' or 'y'
 * @unit: "" = none
 *
 * Labels an axis: "name, unit".
 */
void pd_plot_append_label (GString *out, char which, const char *name, const char *unit);

/**
 * pd_plot_append_curves:
 * @name: of the data, a word that no other part of the picture has
 * @series: (array length=n): the curves
 * @y_label: of the axis that goes up
 * @from_zero: whether that begins there
 *
 * Curves with their points, each in a colour of its own; named if there are several.
 */
void pd_plot_append_curves (GString *out, const char *name, const PdPlotSeries *series, guint n,
                            const char *y_label, gboolean from_zero);

/* The parts of a total time: productive, insufficient parallelism, communication, idle. */
#define PD_PLOT_N_SHARES 4

/**
 * pd_plot_append_shares:
 * @names: (array length=n): of the bars
 * @shares: (array): of each bar %PD_PLOT_N_SHARES, from 0 to 1
 *
 * Bars that are stacked, in per cent.
 */
void pd_plot_append_shares (GString *out, const char *const *names, const gdouble *shares, guint n);

/**
 * pd_plot_append_bars:
 * @names: (array length=n): of the bars
 * @values: (array length=n): their heights
 * @y_label: what they are
 *
 * Bars side by side, from 0.
 */
void pd_plot_append_bars (GString *out, const char *const *names, const gdouble *values, guint n,
                          const char *y_label);

#endif
