/* What the writers share.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPORT_PRIVATE_H
#define PD_REPORT_PRIVATE_H

#include "reports/pd-report.h"
#include "reports/pd-writing.h"

G_BEGIN_DECLS

#define PD_REPORT_FORMAT "1" /* of XML and JSON */
/* Below tables of intervals. */
#define PD_REPORT_TREE_LEGEND                                                                      \
  "Exec_time in s; Run%: of the run's total time; the others: of the interval's.\n"
#define PD_N_COUNTERS (PD_N_QUANTITIES - PD_N_TIMES)

/* The three parts of Lost_time, in the order of the tables. */
#define PD_N_LOSSES 3
extern const PdCharacteristic pd_report_losses[PD_N_LOSSES];

/* ---- numbers */

/**
 * pd_report_share:
 * Returns: @part / @whole; 0 if @whole is 0.
 */
gdouble pd_report_share (PdTimeSum part, PdTimeSum whole);

/**
 * pd_report_mean:
 * Returns: the mean of @c over the processors that executed @result, rounded
 *   down to 1 ps.
 */
PdTimeSum pd_report_mean (const PdIntervalResult *result, PdCharacteristic c);

/* ---- text */

/**
 * pd_report_describe_size:
 * Returns: (transfer full): how many processors, and their grid; of a
 *   message-passing program, how many ranks.
 */
char *pd_report_describe_size (const PdReportRun *run);

/**
 * pd_report_interval_label:
 * Returns: (transfer full): "PAR heat2d.fdv:19", "USER a.fdv:3 [7]", "USER solve a.c:3",
 *   "MAIN".
 */
char *pd_report_interval_label (const PdIntervalKey *key);

/* The same for an interval of the results. */
char *pd_report_label (const PdIntervalResult *result);

/* ---- the report as a whole */

static inline const PdReportRun *
pd_report_run (const PdReport *self, guint i)
{
  return g_ptr_array_index (self->runs, i);
}

static inline const PdIntervalResult *
pd_report_result (const PdReportRun *run, guint i)
{
  return &g_array_index (run->results, PdIntervalResult, i);
}

/**
 * pd_report_positions:
 * Returns: (transfer full): by node number, the index in run->results.
 */
guint *pd_report_positions (const PdReportRun *run);

/* One line of the table that compares runs; fractions are of 1. */
typedef struct
{
  gint64 id; /* in a database; 0 = none */
  guint32 n_processors;
  char *grid; /* owned */
  gdouble seconds;
  gdouble efficiency;
  gdouble losses[PD_N_LOSSES]; /* of the total time */
} PdComparison;

/**
 * pd_report_compare:
 * Returns: (transfer full) (element-type PdComparison): one line per run.
 */
GArray *pd_report_compare (const PdReport *self);

/**
 * pd_comparison_new:
 * Returns: (transfer full) (element-type PdComparison): no lines; frees them.
 */
GArray *pd_comparison_new (void);

/**
 * pd_comparison_base:
 * Returns: the index of the first run with the fewest processors.
 */
guint pd_comparison_base (const GArray *lines);

/**
 * pd_comparison_speed_up:
 * Returns: the speed-up of line @i against line @base; 1 if both take no time.
 */
gdouble pd_comparison_speed_up (const GArray *lines, guint i, guint base);

/**
 * pd_comparison_describe_base:
 * Returns: (transfer full): one sentence that says what speed-up means here.
 */
char *pd_comparison_describe_base (const GArray *lines);

/**
 * pd_comparison_write:
 * Appends @lines as a table, with the meaning of speed-up.
 */
void pd_comparison_write (const GArray *lines, guint width, GString *out);

/**
 * pd_report_describe_loss:
 * Returns: (transfer full): one sentence on what dominates the lost time of
 *   the run with the most processors; %NULL without runs.
 */
char *pd_report_describe_loss (const PdReport *self);

/* A message as it is shown once for all runs. */
typedef struct
{
  const PdMessage *first;
  guint64 count;
} PdMergedMessage;

/**
 * pd_report_merge_messages:
 * Returns: (transfer full) (element-type PdMergedMessage): the messages of the
 *   inputs and of all runs, equal ones added up; warnings first.
 */
GArray *pd_report_merge_messages (const PdReport *self);

/* ---- recorded times, in pd-report-recorded.c */

/* Of an interval or a rank; seconds. */
typedef struct
{
  char *label; /* owned; valid UTF-8 */
  guint depth; /* to be indented by */
  gdouble recorded;
  gdouble predicted;
  gdouble error; /* per cent of what was recorded; NAN if that is 0 */
} PdRecordedRow;

/**
 * pd_report_recorded_intervals:
 * Returns: (transfer full) (element-type PdRecordedRow): the intervals of @run;
 *   none if how long they took is not known.
 */
GArray *pd_report_recorded_intervals (const PdReportRun *run);

/**
 * pd_report_recorded_ranks:
 * @run: its recorded_ends are known
 * @brief: of many only those that are farthest off
 *
 * Returns: (transfer full) (element-type PdRecordedRow): when the ranks of @run end.
 */
GArray *pd_report_recorded_ranks (const PdReportRun *run, gboolean brief);

/**
 * pd_report_recorded_error:
 * Returns: (transfer full): the error for people.
 */
char *pd_report_recorded_error (const PdRecordedRow *row);

/**
 * pd_report_write_recorded:
 * Appends both as tables, if recorded times are known.
 */
void pd_report_write_recorded (const PdReportRun *run, gboolean brief, guint width, GString *out);

/* ---- parts of the text report, in pd-report-text.c */

/**
 * pd_report_write_head:
 * Appends version, inputs, machine, date.
 */
void pd_report_write_head (const PdReport *self, int verbose, GString *out);

/**
 * pd_report_write_messages:
 * Appends warnings and notes of all runs, each once.
 */
void pd_report_write_messages (const PdReport *self, int verbose, GString *out);

G_END_DECLS

#endif
