/* How the intervals of one program scale over runs on several numbers of processors.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPORT_SCALING_H
#define PD_REPORT_SCALING_H

#include "reports/emit/pd-columns.h"
#include "reports/emit/pd-json.h"
#include "reports/run/pd-report-types.h"

#define PD_SCALING_LEGEND                                                                          \
  "Time in s, efficiency in per cent, largest loss: i insufficient\n"                              \
  "parallelism, c communication, w idle.\n"

/* From which run to which speed-up breaks: the time falls by less than the square root of what
 * the processors grow by, so that twice as many are less than 1.41 times as fast. */
typedef struct
{
  const PdReportRun *before;
  const PdReportRun *after;
  gdouble gain;                     /* time before / time after */
  gdouble possible;                 /* processors after / processors before */
  PdCharacteristic loss;            /* the part of Lost_time that grows most, */
  gdouble share;                    /* its share of the growth of Lost_time, from 0 to 1 */
  const PdIntervalResult *interval; /* and where in @after it does */
} PdScalingBreak;

/**
 * pd_scaling_list_runs:
 * Returns: (transfer full) (element-type PdReportRun): of each number of processors the run that
 *   takes least, fewest processors first; %NULL if there is only one number, or runs have other
 *   intervals than the first.
 */
GPtrArray *pd_scaling_list_runs (const PdReport *self);

/**
 * pd_scaling_find_break:
 * @runs: of pd_scaling_list_runs()
 * @found: (out caller-allocated): the first break
 *
 * Returns: whether there is one.
 */
gboolean pd_scaling_find_break (const GPtrArray *runs, PdScalingBreak *found);

/**
 * pd_scaling_describe:
 * Returns: (transfer full): where speed-up breaks, and why, in sentences.
 */
char *pd_scaling_describe (const GPtrArray *runs);

/**
 * pd_scaling_add_json:
 * Adds the break as an object, if there is one.
 */
void pd_scaling_add_json (const GPtrArray *runs, PdJson *json);

/**
 * pd_scaling_get_speed_ups:
 * @i: an interval: its number in the results of each run
 * @values: (out caller-allocated) (array): how many times less it takes than in the first run; 1
 *   where both take no time
 */
void pd_scaling_get_speed_ups (const GPtrArray *runs, guint i, gdouble *values);

/**
 * pd_scaling_add_table:
 * @all: every interval, else the dearest ones
 *
 * Begins, fills and ends the table of intervals and runs: time, efficiency, largest loss; with as
 * many runs as the width permits.
 */
void pd_scaling_add_table (PdColumns *to, const GPtrArray *runs, gboolean all);

#endif
