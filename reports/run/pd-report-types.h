/* Shared declarations of the writers.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPORT_TYPES_H
#define PD_REPORT_TYPES_H

#include "reports/run/pd-report.h"
#include "base/pd-time.h"

#define PD_REPORT_FORMAT "1" /* of XML and JSON */
/* Below tables of intervals. */
#define PD_REPORT_TREE_LEGEND                                                                      \
  "Exec_time in s; Run%: of the run's total time; the others: of the interval's.\n"
#define PD_N_COUNTERS (PD_N_QUANTITIES - PD_N_TIMES)

/* The three parts of Lost_time, in the order of the tables. */
#define PD_N_LOSSES 3

/* ---- the report as a whole */

/**
 * pd_report_run:
 * Returns: (transfer none): run @i, from 0.
 */
static inline const PdReportRun *
pd_report_run (const PdReport *self, guint i)
{
  return g_ptr_array_index (self->runs, i);
}

/**
 * pd_report_result:
 * Returns: (transfer none): interval @i of @run, from 0.
 */
static inline const PdIntervalResult *
pd_report_result (const PdReportRun *run, guint i)
{
  return &g_array_index (run->results, PdIntervalResult, i);
}

/* One line of the table that compares runs; fractions are of 1. */
typedef struct
{
  gint64 id; /* in a database; 0 = none */
  guint32 n_processors;
  char *grid; /* owned */
  gdouble seconds;
  gdouble efficiency;
  gdouble losses[PD_N_LOSSES]; /* of the total time */
} PdComparedRun;

/* A message as it is shown once for all runs. */
typedef struct
{
  const PdMessage *first;
  guint64 count;
} PdMergedMessage;

/* ---- recorded times, in pd-report-recorded.c */

/* Of an interval or a rank; seconds. */
typedef struct
{
  char *label; /* owned; valid UTF-8 */
  guint depth; /* to be indented by */
  gdouble recorded;
  gdouble predicted;
  gdouble error;              /* per cent of the recorded value; NAN if that is 0 */
  gboolean has_communication; /* of intervals of DVM programs; per processor: */
  gdouble recorded_communication;
  gdouble predicted_communication;
} PdRecordedRow;

#endif
