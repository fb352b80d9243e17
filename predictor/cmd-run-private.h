/* What the files of "predictor run" share.
 * SPDX-License-Identifier: MIT */
#ifndef CMD_RUN_PRIVATE_H
#define CMD_RUN_PRIVATE_H

#include "predictor/pd-common-options.h"
#include "predictor/pd-mp-options.h"
#include "reports/pd-report.h"
#include "traces/pd-mp-trace.h"

G_BEGIN_DECLS

#define PD_RUN_N_FILES 6

/* The command line, parsed. */
typedef struct
{
  char *machine;
  char *counts;
  PdModelOptions model;
  PdCommonOptions common;
  PdMpCliOptions mp;
  char *files[PD_RUN_N_FILES]; /* by index of outputs[] in cmd-run.c */
  gboolean json;
  gboolean check;
  gboolean per_processor;
  gboolean one_step;
  gboolean sensitivity;
  gboolean strict;
  gboolean quiet;
  guint verbosity; /* how often -v was given */
} PdRunOptions;

/**
 * pd_cmd_run_write:
 * @error: return location for a #PdReportError
 *
 * Writes what the options ask for. Files first: if one cannot be written, nothing
 * has been printed.
 */
gboolean pd_cmd_run_write (const PdRunOptions *options, const PdReport *report, GError **error);

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
int pd_cmd_run_mp (const PdRunOptions *options, const GArray *counts, const PdTraceSource *source,
                   char *command_line, GError **error);

G_END_DECLS

#endif
