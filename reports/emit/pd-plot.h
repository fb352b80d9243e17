/* Pictures by gnuplot, which is run as a program: PNG, SVG, and characters for terminals.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PLOT_H
#define PD_PLOT_H

#include <glib.h>

#define PD_PLOT_ERROR (pd_plot_error_quark ())
typedef enum
{
  PD_PLOT_ERROR_FORM,    /* a file name that ends with neither .png nor .svg */
  PD_PLOT_ERROR_GNUPLOT, /* gnuplot is missing, or failed */
  PD_PLOT_ERROR_EMPTY,   /* there is nothing to draw */
} PdPlotError;

/**
 * pd_plot_error_quark:
 * Returns: the domain of #PdPlotError.
 */
GQuark pd_plot_error_quark (void);

/**
 * pd_plot_quote:
 * Returns: (transfer full): @text in single quotes, as gnuplot reads it: valid UTF-8,
 *   without control characters.
 */
char *pd_plot_quote (const char *text);

/**
 * pd_plot_write:
 * @commands: data and commands, without terminal and output
 * @path: ends with .png or .svg; replaced when the picture is complete
 * @width: pixels
 * @height: likewise
 * @error: return location for a #PdPlotError
 *
 * The environment variable PREDICTOR_GNUPLOT names another program than gnuplot.
 */
gboolean pd_plot_write (const char *commands, const char *path, guint width, guint height,
                        GError **error);

/**
 * pd_plot_format:
 * @commands: as for pd_plot_write()
 * @svg: as SVG of @width x @height pixels, else characters in so many columns and lines
 * @error: return location for %PD_PLOT_ERROR_GNUPLOT
 *
 * Returns: (transfer full) (nullable): the picture as text.
 */
char *pd_plot_format (const char *commands, gboolean svg, guint width, guint height,
                      GError **error);

#endif
