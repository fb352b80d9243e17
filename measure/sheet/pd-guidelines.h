/* Guidelines for the performance of collective operations of MPI: none is slower than an
 * equivalent made of others. Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GUIDELINES_H
#define PD_GUIDELINES_H

#include "measure/sheet/pd-sheet.h"

typedef struct
{
  guint checked;
  guint violated; /* by more than chance */
  guint doubtful; /* the medians contradict it, their intervals do not */
} PdGuidelineCounts;

/**
 * pd_guidelines_of_file:
 * @path: as in pd_sheet_each_row(), with the table "collective"
 * @counts: (out): the numbers of findings
 * @error: return location for %PD_MEASURE_ERROR_READ, %PD_MEASURE_ERROR_FOREIGN
 *
 * Self-consistent performance guidelines of blocking operations: J. L. Träff, W. D. Gropp,
 * R. Thakur (IEEE TPDS 21, 2010), S. Hunold, A. Carpen-Amarie (PGMPI, EuroMPI 2016).
 * Operations on the same number of processes and in the same circumstances are compared:
 * with an equivalent made of other operations, where p blocks count as p times the
 * bytes; with the same operation of the next greater size (monotony); and of a size k times
 * less, k times (splitting). Where the size needed was not measured, the next greater one
 * is taken, which takes no less.
 *
 * Violated is what has the lower end of its median's interval, at 0.95, above the sum of
 * the upper ends of the others. Of several launches of the program the medians of medians
 * and of ends are taken.
 *
 * Returns: (transfer full): the checks, or %NULL with @error set.
 */
PdSheet *pd_guidelines_of_file (const char *path, PdGuidelineCounts *counts, GError **error);

#endif
