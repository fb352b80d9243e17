/* Ranked tables of an analysis, as text or in a page: call sites and intervals.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ANALYSIS_TABLES_H
#define PD_ANALYSIS_TABLES_H

#include "reports/emit/pd-columns.h"
#include "reports/run/pd-report.h"

/* The time of ranks in an interval itself, without those inside it. */
typedef struct
{
  guint at;           /* which of the results */
  PdTimeSum time;     /* of all ranks */
  PdTimeSum lost;     /* communication and insufficient parallelism of it */
  const char *reason; /* what most of that is; "" if little is lost */
} PdOwnTime;

/**
 * pd_analysis_rank_intervals:
 * @run: an analysed run
 * @level: an interval of this depth has those inside it
 *
 * Returns: (transfer full) (element-type PdOwnTime): the intervals up to that depth, by falling
 *   loss, then by falling time.
 */
GArray *pd_analysis_rank_intervals (const PdReportRun *run, gint64 level);

/**
 * pd_analysis_add_own_time:
 * @own: a row of pd_analysis_rank_intervals()
 *
 * Adds a row to the table of intervals.
 */
void pd_analysis_add_own_time (PdColumns *to, const PdReportRun *run, const PdOwnTime *own);

/**
 * pd_analysis_add_site:
 * @r: the interval that @site is of
 * @site: a call site
 * @with_waits: and what its calls waited for
 *
 * Adds a row to the table of call sites.
 */
void pd_analysis_add_site (PdColumns *to, const PdReportRun *run, const PdIntervalResult *r,
                           const PdCallSite *site, gboolean with_waits);

/**
 * pd_analysis_add_file:
 * @r: the whole program
 * @file: what it did with a file
 *
 * Adds a row to the table of files.
 */
void pd_analysis_add_file (PdColumns *to, const PdIntervalResult *r, const PdFileUse *file);

/**
 * pd_analysis_describe_sizes:
 * Returns: (transfer full): the messages for people: "200 messages of 1.56 MiB in all, 8 KiB
 *   each", or from which size to which with a histogram, "…; from 4 B: 100, from 8 KiB: 100".
 */
char *pd_analysis_describe_sizes (const PdSizes *sizes);

#endif
