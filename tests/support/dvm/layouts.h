/* Short texts for grids and layouts in tests of the DVM model.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_LAYOUTS_H
#define PD_TEST_LAYOUTS_H

#include "predictor/dvm/layout/pd-dvm-layout.h"

/* "4,-1,7" into @values; returns how many. NULL and "" are none. At most 16. */
guint test_list (const char *text, gint64 *values);

/* "2x3" */
PdGrid *test_grid (const char *text);

/* A template of @sizes over @grid; @axes is AxisArray; automatic blocks. */
PdLayout *test_template (PdGrid *grid, const char *sizes, const char *axes);

/* As the texts say; NULL with @error set if refused. @rules: "axis*coeff+const"
 * per axis of the pattern: "1*2+1,0*0+4,-1*0+0". */
PdLayout *test_align (PdLayout *pattern, const char *sizes, const char *rules, GError **error);
PdLoop *test_loop (PdLayout *pattern, const char *ranges, const char *rules, GError **error);

/* The local box of each processor: "0-3x4 - 0-3x5": axes joined by x, "-" is nothing. */
char *test_show (const PdLayout *layout);

/* The iterations of each processor, by "first:last:step" unless the step is 1. */
char *test_show_loop (const PdLoop *loop);

#endif
