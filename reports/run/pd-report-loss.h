/* The headline of a report: what most of the lost time is, and where it is lost.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPORT_LOSS_H
#define PD_REPORT_LOSS_H

#include "reports/run/pd-report-types.h"

/* As many places as a headline names. */
#define PD_LOSS_PLACES 3

/* The time that an interval loses outside of the intervals inside it. */
typedef struct
{
  guint interval;         /* index in the results */
  gdouble share;          /* of the Lost_time of the run */
  PdCharacteristic cause; /* the greatest part of it */
  PdTimeSum per_entry;    /* that part, for each processor and entry */
} PdLossPlace;

/**
 * pd_report_find_places:
 * @run: folded
 * @places: the intervals that lose most on their own, the greatest first; of equals the outer one.
 *   Own time is insufficient parallelism and communication, which add up over the tree; idle
 *   time, which does not, is only that of the end of the program and counts as the root's.
 *
 * Returns: how many there are: those of at least a tenth of the lost time, at most
 *   %PD_LOSS_PLACES.
 */
guint pd_report_find_places (const PdReportRun *run, PdLossPlace *places);

/**
 * pd_report_describe_loss:
 * Returns: (transfer full) (nullable): sentences on the run of most processors: what most
 *   of its lost time is, which intervals lose it, and whether the analysis of its calls finds load
 *   imbalance; %NULL if there is no run.
 */
char *pd_report_describe_loss (const PdReport *self);

#endif
