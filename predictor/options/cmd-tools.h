/* Shared declarations of the subcommands that predict.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CMD_TOOLS_H
#define PD_CMD_TOOLS_H

#include "predictor/dvm/predict/pd-family.h"
#include "predictor/dvm/predict/pd-predict.h"
#include "traces/graph/pd-mp-trace.h"
#include "traces/open/pd-dvm-set.h"

#include <stdio.h>

/**
 * pd_cmd_expect_trace:
 * @argc: of a subcommand, after its options
 * @error: return location for a %PD_USAGE_ERROR
 *
 * Returns: %FALSE if it was not given one trace.
 */
gboolean pd_cmd_expect_trace (int argc, GError **error);

/**
 * pd_cmd_join:
 * Returns: (transfer full): the command line, quoted for a shell.
 */
char *pd_cmd_join (int argc, char **argv);

/**
 * pd_cmd_format_now:
 * Returns: (transfer full) (nullable): the present date and time, ISO 8601; none if
 *   SOURCE_DATE_EPOCH is set.
 */
char *pd_cmd_format_now (void);

/**
 * pd_cmd_new_report:
 * Returns: (transfer full): a report without inputs, with its date; none if
 *   SOURCE_DATE_EPOCH is set.
 */
PdReport *pd_cmd_new_report (void);

/**
 * pd_cmd_start_report:
 * @set: the files of the trace; standard input is not an input yet
 * @machine: (nullable): as the user named it
 * @blocks: (nullable): path of a block file
 * @error: return location for the errors of pd_report_add_input()
 *
 * Returns: (transfer full) (nullable): a report with its date, none if
 *   SOURCE_DATE_EPOCH is set, and the digests of its inputs.
 */
PdReport *pd_cmd_start_report (const PdDvmSet *set, const char *machine, const char *blocks,
                               GError **error);

/**
 * pd_cmd_open_family:
 * @traces: (array zero-terminated=1): of the command line, at least one; the first is an input of
 *   @report already
 * @family: (out) (transfer full) (nullable): %NULL for one trace
 * @error: return location for the errors of pd_report_add_input() and pd_family_new()
 *
 * Several traces are one family, and inputs of @report.
 */
gboolean pd_cmd_open_family (const char *const *traces, PdReport *report, PdFamily **family,
                             GError **error);

/**
 * pd_cmd_read_stdin:
 * @error: return location for %PD_DVM_ERROR_OPEN
 *
 * Standard input is read once, though every grid reads the trace anew.
 *
 * Returns: (transfer full) (nullable): what it holds.
 */
GBytes *pd_cmd_read_stdin (GError **error);

/**
 * pd_cmd_say:
 * @stream: stdout or stderr
 * @format: a line, as in printf
 *
 * Writes the line as pd_text_show() shows it.
 */
void pd_cmd_say (FILE *stream, const char *format, ...) G_GNUC_PRINTF (2, 3);

/**
 * pd_cmd_say_error:
 * @who: the beginning of the line, "predictor run: "
 * @error: the error to print
 *
 * On stderr. The table of a deadlock has several lines.
 */
void pd_cmd_say_error (const char *who, const GError *error);

/**
 * pd_cmd_add_trace:
 * @report: takes the files of the trace as inputs, with their digests
 * @source: a trace of message passing
 * @trace: its contents
 * @error: return location for %PD_REPORT_ERROR_READ
 *
 * A folder, or a common beginning of names, stands for the files that were read.
 *
 * Returns: %TRUE on success.
 */
gboolean pd_cmd_add_trace (PdReport *report, const PdTraceSource *source, const PdMpTrace *trace,
                           GError **error);

/**
 * pd_cmd_add_stdin:
 * @report: takes the input and its digest
 * @bytes: what standard input held
 */
void pd_cmd_add_stdin (PdReport *report, GBytes *bytes);

/**
 * pd_cmd_allow_files:
 * @n: how many will be open at once
 *
 * Raises the system's limit if it can; if not, opening one will say so.
 */
void pd_cmd_allow_files (guint n);

/**
 * pd_cmd_name_machine:
 * @predict: its machine, also as a source, and settings
 * @report: takes the name and the first sentence of the description
 * @loaded: (out) (optional) (transfer full): the machine, as one processor needs it
 * @error: return location for a #PdMachineError
 *
 * Returns: %FALSE if there is no such machine.
 */
gboolean pd_cmd_name_machine (const PdPredictOptions *predict, PdReport *report, PdMachine **loaded,
                              GError **error);

/**
 * pd_cmd_print_messages:
 * Prints @messages on standard error, one line each, with place and identifier.
 */
void pd_cmd_print_messages (const PdMessages *messages);

/**
 * pd_cmd_has_warning:
 * Returns: whether one of @messages is a warning.
 */
gboolean pd_cmd_has_warning (const PdMessages *messages);

/**
 * pd_cmd_catch_interrupt:
 * Returns: (transfer none): what becomes 1 when the user interrupts, or SIGTERM or SIGHUP says
 *   that this is to end.
 */
const volatile sig_atomic_t *pd_cmd_catch_interrupt (void);

/**
 * pd_cmd_catch_user:
 * Returns: (transfer none): what becomes 1 when the user interrupts. The other signals end this
 *   process.
 */
const volatile sig_atomic_t *pd_cmd_catch_user (void);

/**
 * pd_cmd_show_progress:
 * @done: of @n
 * @begin: g_get_monotonic_time() at the beginning
 *
 * A line on a terminal once the work takes longer than a second.
 */
void pd_cmd_show_progress (guint done, guint n, gint64 begin);

/**
 * pd_cmd_terminal_width:
 * Returns: columns of standard output; 80 if that is no terminal.
 */
guint pd_cmd_terminal_width (void);

/**
 * pd_cmd_check_files:
 * @inputs: (array zero-terminated=1): names of inputs; "" for none
 * @outputs: (array length=n): names of outputs, %NULL for none
 * @error: return location for a %PD_USAGE_ERROR
 *
 * Returns: whether no file is written that is read, or written twice; terminals,
 *   pipes and the like may be.
 */
gboolean pd_cmd_check_files (const char *const *inputs, const char *const *outputs, guint n,
                             GError **error);

/**
 * pd_cmd_check_stdout:
 * @documents: (array length=n): where documents are written, %NULL for none
 * @json: whether one is printed besides
 * @db: (nullable): where a database is written
 * @quiet: (inout): becomes %TRUE if a document takes the place of the text report
 * @error: return location for a %PD_USAGE_ERROR
 *
 * Returns: whether at most one document goes to standard output, and no database.
 */
gboolean pd_cmd_check_stdout (const char *const *documents, guint n, gboolean json, const char *db,
                              gboolean *quiet, GError **error);

/**
 * pd_cmd_second_path:
 * @csv: (nullable): where a CSV table is written
 * @name: of a second one: "sensitivity"
 *
 * Returns: (transfer full) (nullable): where the second one is then, "runs-sensitivity.csv" beside
 *   "runs.csv"; %NULL: it goes where the first does.
 */
char *pd_cmd_second_path (const char *csv, const char *name);

/**
 * pd_cmd_save_second_csv:
 * @csv: where @table goes, or "-"
 * @table: the first table, which is not written here
 * @second: the one of @name, perhaps empty: into a file of its own, on standard output behind an
 *   empty line of @table
 * @error: return location for a #PdReportError
 */
gboolean pd_cmd_save_second_csv (const char *csv, const char *name, GString *table,
                                 const GString *second, GError **error);

/**
 * pd_cmd_save_csv:
 * @csv: where to, or "-"
 * @table: the first table
 * @sensitivity: the second one, perhaps empty: into a file of its own, on standard output
 *   behind an empty line
 * @error: return location for a #PdReportError
 *
 * Returns: whether both have been written.
 */
gboolean pd_cmd_save_csv (const char *csv, GString *table, const GString *sensitivity,
                          GError **error);

/**
 * pd_cmd_collect_messages:
 * @report: of a prediction or an analysis
 * @all: (inout): gets the messages of the report and of its runs
 *
 * Returns: how much of its recorded run the trace has, the least of all runs; see
 *   pd_mp_trace_get_share().
 */
gdouble pd_cmd_collect_messages (const PdReport *report, PdMessages *all);

/**
 * pd_cmd_print_warnings:
 * @messages: (nullable): of a trace whose prediction has failed
 *
 * Prints what makes the trace one that cannot be trusted to standard error.
 */
void pd_cmd_print_warnings (const PdMessages *messages);

/**
 * pd_cmd_conclude:
 * @trace: its name
 * @messages: all messages about it
 * @share: how much of its recorded run it has; see pd_mp_trace_get_share()
 * @done: the action in spite of faults, "; predicted nevertheless"; %NULL: none, as required by
 *   --strict
 * @error: return location for a sentence with the reason of a status other than 0
 *
 * Returns: the exit status: 0 for a valid trace; 4 if it ends early, is damaged or contradicts
 *   itself, 1 if @done is %NULL; 3 if the calls of its ranks are inconsistent.
 */
int pd_cmd_conclude (const char *trace, const PdMessages *messages, gdouble share, const char *done,
                     GError **error);

/**
 * pd_cmd_conclude_report:
 * As pd_cmd_conclude() for the messages of @report.
 */
int pd_cmd_conclude_report (const char *trace, const PdReport *report, const char *done,
                            GError **error);

/**
 * pd_cmd_status_of_error:
 * Returns: the exit status of a prediction that failed with @error.
 */
int pd_cmd_status_of_error (const GError *error);

/**
 * pd_cmd_set_ideal:
 * @run: a run of a report
 * @ideal: (transfer full) (nullable): the same where communication costs nothing
 * @failure: (transfer full) (nullable): why there is none
 * @error: return location for an interruption
 *
 * For --pop. If the prediction on an ideal network fails, @run gets a warning.
 *
 * Returns: %FALSE after an interruption.
 */
gboolean pd_cmd_set_ideal (PdReportRun *run, PdReportRun *ideal, GError *failure, GError **error);

#endif
