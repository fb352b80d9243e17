/* What the files of "predictor sweep" share.
 * SPDX-License-Identifier: MIT */
#ifndef CMD_SWEEP_PRIVATE_H
#define CMD_SWEEP_PRIVATE_H

#include "predictor/pd-common-options.h"
#include "predictor/pd-mp-options.h"
#include "sweep/pd-study.h"

G_BEGIN_DECLS

/* The command line, parsed. */
typedef struct
{
  char *db;
  char *machine;
  char *counts;
  char **varied;
  char *sample;
  char *list;
  char *shard_text;
  gint64 limit;
  gint64 n_jobs; /* -1 = as many as there are cores */
  gint64 worker; /* -1 = this is no worker; else the file descriptor of its coordinator */
  char *server;  /* of a worker: (nullable): the data server's socket */
  gboolean no_server;
  gboolean per_processor;
  gboolean dry_run;
  gboolean quiet;
  PdModelOptions model;
  PdCommonOptions common; /* without its protocol */
  PdMpCliOptions mp;      /* without what is no parameter of a point */
  /* what it means, after parsing */
  gint64 shard;
  gint64 n_shards; /* 0 = all */
} PdSweepCommand;

/**
 * pd_sweep_command_parse:
 * @self: (inout): zero, but for its worker
 * @argc: (inout): as in main(); what is left are the arguments
 * @argv: (inout): likewise
 * @summary: for --help
 * @error: return location for a %PD_USAGE_ERROR
 *
 * Returns: %FALSE if the command line is wrong.
 */
gboolean pd_sweep_command_parse (PdSweepCommand *self, int *argc, char ***argv, const char *summary,
                                 GError **error);

/**
 * pd_sweep_command_make_study:
 * @argv: (array length=argc): behind the command, a study file or traces
 * @study: (inout): empty; then complete
 * @error: return location for a #PdStudyError or a %PD_USAGE_ERROR
 *
 * Makes the study that the command line, and perhaps a file, describe.
 */
gboolean pd_sweep_command_make_study (const PdSweepCommand *self, int argc, char **argv,
                                      PdStudy *study, GError **error);

/**
 * pd_sweep_command_clear:
 * Releases what @self holds.
 */
void pd_sweep_command_clear (PdSweepCommand *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdSweepCommand, pd_sweep_command_clear)

G_END_DECLS

#endif
