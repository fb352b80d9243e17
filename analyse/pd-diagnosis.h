/* The diagnosis of a run in words: the ranks that make others wait; then, by the method of the 2005
 * analyser's manual, the lost time, its kinds, whether ranks that come at different times are the
 * cause, the call sites, and the time that overlap could save. Each statement shows its figures.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DIAGNOSIS_H
#define PD_DIAGNOSIS_H

#include "analyse/pd-analysis.h"

/* A statement. */
typedef struct
{
  const char *id; /* "load-imbalance": what programs read; static */
  char *text;     /* sentences */
} PdStatement;

/* A smaller share of the total time is no loss to be diagnosed. */
#define PD_NOTHING_LOST 0.05

/**
 * pd_diagnosis_new_statements:
 *
 * Returns: (transfer full) (element-type PdStatement): none yet.
 */
GArray *pd_diagnosis_new_statements (void);

/**
 * pd_diagnosis_say:
 * @statements: gets one more
 * @id: static
 * @format: its sentences, a format of g_strdup_vprintf() for the further arguments
 */
void pd_diagnosis_say (GArray *statements, const char *id, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/**
 * pd_diagnosis_is_lossy:
 * @r: an interval
 *
 * Returns: whether more than %PD_NOTHING_LOST of its total time is lost.
 */
gboolean pd_diagnosis_is_lossy (const PdIntervalResult *r);

/**
 * pd_diagnosis_say_lost:
 * @statements: gets `lost`, or `nothing-lost` if the interval is not lossy
 * @r: an interval
 *
 * States the lost time in s and in per cent, and its parts in per cent of it.
 */
void pd_diagnosis_say_lost (GArray *statements, const PdIntervalResult *r);

/**
 * pd_diagnosis_new:
 * @analysis: an analysis
 * @result: an interval of its folded tree
 * @single: (nullable): the whole of the same program on one rank, to compare with
 *
 * The identifiers are `processors-shared`, `processors-taken`, `root-cause`, `load-imbalance`,
 * `time-variation`, `delays`, `threads-busy`, `threads-regions`, `single`, `nothing-lost`, `lost`,
 * `insufficient-parallelism`, `idle`, `late-entry`, `alone`, `hardly-computes`, `communication`,
 * `waits-shared`, `waits-taken`, `desynchronised`, `amount`, `wait-states`, `where`, `overlap`,
 * `critical-path`.
 *
 * Returns: (transfer full) (element-type PdStatement): the statements in the order of reading, the
 *   answer first; never empty.
 */
GArray *pd_diagnosis_new (const PdAnalysis *analysis, const PdIntervalResult *result,
                          const PdIntervalResult *single);

#endif
