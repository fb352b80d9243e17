/* Lines through the times of transfers, one for each protocol. Times are seconds.
 * SPDX-License-Identifier: MIT */
#ifndef PD_FIT_LINES_H
#define PD_FIT_LINES_H

#include "fit/pd-fit-data.h"

/* startup + bytes * per_byte, of the sizes measured from @from to @to. */
typedef struct
{
  gint64 from;
  gint64 to;
  gdouble startup; /* at least 0 */
  gdouble per_byte;
  gdouble residual; /* relative, root of the mean square */
} PdFitLine;

typedef struct
{
  GArray *lines; /* PdFitLine, by rising size */
  gdouble r2;    /* of the logarithms of the times */
  PdFitLine all; /* one line for all sizes */
  gint64 eager;  /* the greatest size before the protocol changes most; -1 = it does not */
} PdFitLines;

/**
 * pd_fit_lines_new:
 * @times: (element-type PdFitTime): of different, rising sizes
 * @error: return location for %PD_FIT_ERROR_DATA
 *
 * Least squares of relative residuals; protocols change as pd_loggp_changes() finds.
 *
 * Returns: (transfer full) (nullable): %NULL with @error set if there are fewer than three
 *   sizes.
 */
PdFitLines *pd_fit_lines_new (const GArray *times, GError **error);

/**
 * pd_fit_lines_free:
 * @self: (nullable): the lines
 */
void pd_fit_lines_free (PdFitLines *self);

/**
 * pd_fit_r2:
 * @measured: (array length=n): positive
 * @model: (array length=n): positive
 *
 * Returns: of the logarithms, 1 - the sum of squares of the residuals / that of the
 *   deviations from the mean; 0 if it would be negative or nothing deviates.
 */
gdouble pd_fit_r2 (const gdouble *measured, const gdouble *model, guint n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdFitLines, pd_fit_lines_free)

#endif
