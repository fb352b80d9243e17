/* Shared declarations of the writers: numbers, texts, rows of tables, comparisons.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPORT_COMMON_H
#define PD_REPORT_COMMON_H

#include "reports/emit/pd-columns.h"
#include "reports/run/pd-report-types.h"

extern const PdCharacteristic pd_report_losses[PD_N_LOSSES];
extern const char *const pd_report_loss_names[PD_N_LOSSES]; /* of these, for people */

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

/**
 * pd_report_has_diagnosis:
 * Returns: whether @run is of a DVM program on several processors; the diagnosis of an analysed
 *   run is that of its analysis.
 */
gboolean pd_report_has_diagnosis (const PdReportRun *run);

/**
 * pd_report_describe_size:
 * Returns: (transfer full): how many processors, and their grid; of a
 *   message-passing program, how many ranks.
 */
char *pd_report_describe_size (const PdReportRun *run);

/**
 * pd_report_describe_cut:
 * @run: of a trace that ends early
 * @what: the beginning of the statement: "the prediction is"
 *
 * Returns: (transfer full): a sentence with the share of the recorded run in the trace.
 */
char *pd_report_describe_cut (const PdReportRun *run, const char *what);

/**
 * pd_report_write_cut:
 * Appends that sentence for the predictions of @self, and @end, if one of them is of a trace
 * that ends early. Returns: whether one is.
 */
gboolean pd_report_write_cut (const PdReport *self, const char *end, GString *out);

/**
 * pd_report_add_outside:
 * Begins, fills and ends the table of the times of @run that are in no total; nothing if there
 * are none.
 */
void pd_report_add_outside (PdColumns *to, const PdReportRun *run);

/**
 * pd_report_interval_label:
 * Returns: (transfer full): "PAR heat2d.fdv:19", "USER a.fdv:3 [7]", "USER solve a.c:3",
 *   "MAIN".
 */
char *pd_report_interval_label (const PdIntervalKey *key);

/**
 * pd_report_label:
 * The same for an interval of the results.
 */
char *pd_report_label (const PdIntervalResult *result);

/**
 * pd_report_positions:
 * Returns: (transfer full): by node number, the index in run->results.
 */
guint *pd_report_positions (const PdReportRun *run);

/**
 * pd_report_add_interval:
 * @bar: (nullable): of pages: the cell with its parts
 *
 * Adds result @i of @run to the tree of intervals.
 */
void pd_report_add_interval (PdColumns *to, const PdReportRun *run, guint i, const char *bar);

/**
 * pd_report_choose_intervals:
 * @limit: how many are wanted: those of the greatest Total_time, and so all around them
 *
 * Returns: (transfer full): one flag per result of @run: whether it is one of them.
 */
gboolean *pd_report_choose_intervals (const PdReportRun *run, guint limit);

/**
 * pd_comparison_append:
 * @lines: of pd_comparison_new()
 * @run: folded
 * @id: shown as its number; 0 = none
 *
 * Adds the line of @run.
 */
void pd_comparison_append (GArray *lines, const PdReportRun *run, gint64 id);

/**
 * pd_report_compare:
 * Returns: (transfer full) (element-type PdComparedRun): one line per run.
 */
GArray *pd_report_compare (const PdReport *self);

/**
 * pd_comparison_new:
 * Returns: (transfer full) (element-type PdComparedRun): no lines; frees them.
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
 * pd_comparison_add:
 * @bar: (nullable): of pages: the cell with the parts of the run
 *
 * Adds line @i to the table of them.
 */
void pd_comparison_add (PdColumns *to, const GArray *lines, guint i, const char *bar);

/**
 * pd_comparison_write:
 * Appends @lines as a table, with the meaning of speed-up.
 */
void pd_comparison_write (const GArray *lines, guint width, GString *out);

/**
 * pd_report_merge_messages:
 * Returns: (transfer full) (element-type PdMergedMessage): the messages of the
 *   inputs and of all runs, equal ones added up; warnings first.
 */
GArray *pd_report_merge_messages (const PdReport *self);

#endif
