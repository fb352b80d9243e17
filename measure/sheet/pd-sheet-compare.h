/* Two files of measurements, case by case: whether their times differ by more than chance.
 * Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SHEET_COMPARE_H
#define PD_SHEET_COMPARE_H

#include "measure/sheet/pd-sheet.h"

/* Launches of the program that both files need for launches to be the sample: of two times
 * 4 the least p is 2/70. */
#define PD_COMPARE_RUNS 4

/* The findings on the cases that are in both files. */
typedef struct
{
  guint compared;
  guint slower; /* in the second file */
  guint faster;
  guint too_few;   /* samples so small that no difference could be significant */
  guint disturbed; /* a file has disturbed rounds only; not judged */
} PdCompareCounts;

/**
 * pd_sheet_compare_files:
 * @first: as in pd_sheet_each_row()
 * @second: likewise
 * @significance: of all tests together, between 0 and 1
 * @counts: (out): the numbers of findings
 * @error: return location for %PD_MEASURE_ERROR_READ, %PD_MEASURE_ERROR_FOREIGN
 *
 * Rows with the same operation, size and circumstances are a case. Its sample are the
 * medians of launches of the program, if both files have at least %PD_COMPARE_RUNS that were not
 * disturbed all the time; else all undisturbed rounds, which do not show what differs between
 * launches. Compared by pd_mann_whitney(), corrected by pd_holm(). A case of which one file has
 * disturbed rounds only is shown and not judged.
 *
 * Returns: (transfer full): the comparison, or %NULL with @error set if a file cannot be
 *   read, or nothing is in both.
 */
PdSheet *pd_sheet_compare_files (const char *first, const char *second, gdouble significance,
                                 PdCompareCounts *counts, GError **error);

#endif
