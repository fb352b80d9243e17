/* Shared declarations of the files of "predictor run".
 * SPDX-License-Identifier: MIT */
#ifndef CMD_RUN_PRIVATE_H
#define CMD_RUN_PRIVATE_H

#include "predictor/options/pd-common-options.h"
#include "predictor/common/pd-counts.h"
#include "predictor/dvm/predict/pd-family.h"
#include "predictor/mp/pd-mp-kind.h"
#include "predictor/options/pd-mp-options.h"
#include "predictor/options/pd-output-options.h"
#include "predictor/search/pd-samples.h"
#include "predictor/search/pd-scan-run.h"
#include "predictor/options/pd-timeline-options.h"
#include "reports/run/pd-report.h"
#include "traces/graph/pd-mp-trace.h"

#define PD_RUN_MAX_THREADS     1024
#define PD_RUN_N_AGAIN_OPTIONS 5

#define PD_RUN_N_VIEW_OPTIONS 3

#define PD_RUN_NO_LEVEL   G_MININT64 /* --level was not given */
#define PD_RUN_NO_SAMPLES G_MININT64 /* --samples was not given */

/* The command line, parsed. */
typedef struct
{
  char *machine;
  char *counts;
  PdModelOptions model;
  PdCommonOptions common;
  PdMpCliOptions mp;
  PdOutputOptions output;
  PdTimelineOptions timeline;
  const char *const *traces; /* (array zero-terminated=1): one, or those of a family */
  gboolean is_model; /* it is a model of a message-passing program, which pd_scaled_open() reads */
  PdFamily *family;  /* (nullable): what they are then */
  PdConsumers *consumers;  /* the consumers of runs */
  PdMachineSource *source; /* (nullable): of the machine of a message-passing program */
  PdMachine *loaded;       /* for one processor at least */
  gboolean check;
  gboolean per_processor;
  gboolean pop;
  gboolean what_if;
  gboolean no_range;
  gint64 level; /* PD_RUN_NO_LEVEL: all */
  char *interval;
  char *procs;
  PdReportView view; /* what these say, until the report has it */
  gint64 n_samples;  /* PD_RUN_NO_SAMPLES: none */
  gint64 n_threads;
  gboolean one_step;
  gboolean sensitivity;
  char **scaling_traces;
  PdLoopCurves *curves; /* (nullable): of their loops */
  gboolean strict;
  guint verbosity; /* how often -v was given */
} PdRunOptions;

/**
 * pd_cmd_run_write:
 * @error: return location for a #PdReportError, or for errors of the timeline, which is last
 *
 * Writes what the options ask for. Files first: if one cannot be written, nothing
 * has been printed.
 */
gboolean pd_cmd_run_write (const PdRunOptions *options, const PdReport *report, GError **error);

/**
 * pd_cmd_run_conclude:
 * @trace: its name
 * @report: of the prediction
 * @error: return location for the reason of a status other than 0
 *
 * Writes the results of a trace; --strict refuses a faulty one.
 *
 * Returns: the exit status.
 */
int pd_cmd_run_conclude (PdRunOptions *options, const char *trace, PdReport *report,
                         GError **error);

/**
 * pd_cmd_run_sample:
 * @run: a run of a report, with seed @options->common.seed
 * @samples: the user's settings, and who predicts; several at once only where a machine has
 *   no noise. The rest is filled in
 * @error: return location for errors of predictions, and for a machine with nothing to draw
 *
 * For --samples.
 *
 * Returns: %FALSE on an error.
 */
gboolean pd_cmd_run_sample (const PdRunOptions *options, PdReportRun *run, PdSampleOptions *samples,
                            GError **error);

/**
 * pd_cmd_run_scan_how:
 * @n_runs: of the report
 *
 * Returns: how a run is scanned, for the page that is written.
 */
PdScanHow pd_cmd_run_scan_how (const PdRunOptions *options, guint n_runs);

/**
 * pd_cmd_run_again_fill:
 * @options: gets the values when the table is used
 * @entries: (array) (out caller-allocated): %PD_RUN_N_AGAIN_OPTIONS options and an end
 */
void pd_cmd_run_again_fill (PdRunOptions *options, GOptionEntry *entries);

/**
 * pd_cmd_run_again:
 * @run: a run of a report, of a DVM program
 * @predict: what it was predicted with
 * @count: its grid
 * @error: return location for errors as of pd_predict()
 *
 * What --pop and --samples ask for.
 *
 * Returns: %FALSE on an error.
 */
gboolean pd_cmd_run_again (const PdRunOptions *options, const PdPredictOptions *predict,
                           const PdCount *count, PdReportRun *run, GError **error);

/**
 * pd_cmd_run_read_scaling:
 * @predict: (inout): of a DVM program; gets the curves of its loops
 * @report: each further trace is an input of it
 * @error: return location for errors as of pd_scaling_read(), and of files
 *
 * For --scaling-traces.
 *
 * Returns: %FALSE on an error.
 */
gboolean pd_cmd_run_read_scaling (PdRunOptions *options, PdPredictOptions *predict,
                                  PdReport *report, GError **error);

/**
 * pd_cmd_run_note_range:
 * @run: of the grid @count; gets a note "cache-range" where caches leave its time open
 * @error: return location for errors as of pd_predict()
 *
 * Returns: %FALSE on an error.
 */
gboolean pd_cmd_run_note_range (const PdPredictOptions *predict, const PdCount *count,
                                PdReportRun *run, GError **error);

/**
 * pd_cmd_run_mp:
 * @counts: (nullable) (element-type PdCount): what -n gave
 * @source: a trace of message passing
 * @command_line: (transfer full): for the report
 *
 * "predictor run" of such a trace.
 *
 * Returns: the exit status.
 */
int pd_cmd_run_mp (PdRunOptions *options, const GArray *counts, const PdTraceSource *source,
                   char *command_line, GError **error);

/**
 * pd_cmd_run_view_fill:
 * @entries: (array) (out caller-allocated): %PD_RUN_N_VIEW_OPTIONS options and an end
 */
void pd_cmd_run_view_fill (PdRunOptions *options, GOptionEntry *entries);

/**
 * pd_cmd_run_view_parse:
 * @error: return location for a %PD_USAGE_ERROR
 *
 * Returns: whether the options that say what the text shows are of their forms.
 */
gboolean pd_cmd_run_view_parse (PdRunOptions *options, GError **error);

/**
 * pd_cmd_run_view_apply:
 * @report: with its runs; gets the view
 * @error: return location for a %PD_USAGE_ERROR
 *
 * Returns: whether a run has the selected intervals and processors.
 */
gboolean pd_cmd_run_view_apply (PdRunOptions *options, PdReport *report, GError **error);

#endif
