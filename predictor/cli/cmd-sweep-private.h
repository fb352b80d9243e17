/* Shared declarations of the files of "predictor sweep".
 * SPDX-License-Identifier: MIT */
#ifndef CMD_SWEEP_PRIVATE_H
#define CMD_SWEEP_PRIVATE_H

#include "predictor/options/pd-common-options.h"
#include "predictor/mp/pd-mp-kind.h"
#include "predictor/options/pd-mp-options.h"
#include "sweep/study/pd-study-db.h"
#include "sweep/run/pd-transport.h"

/* The program that a study is computed by. */
typedef struct
{
  const char *name; /* "predictor" */
  const char *summary;
  gboolean is_alone; /* it has no processes of its own to report on, nor other actions */
  /* (nullable): the workers; NULL: processes of this machine. */
  PdTransport *(*start) (gpointer data, const PdStudy *study, GError **error);
  gpointer data;
} PdSweepEngine;

/* The command line, parsed. */
typedef struct
{
  const PdSweepEngine *engine;
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
  char *merge;     /* (nullable): what databases are merged into */
  gint64 slurm;    /* so many parts are computed by Slurm; -1 = it does not */
  char *partition; /* (nullable): an argument for Slurm */
  char *time;      /* (nullable) */
  char **sbatch;   /* (nullable) */
  gboolean wait;   /* for it */
  PdModelOptions model;
  PdCommonOptions common; /* without its protocol */
  PdMpCliOptions mp;      /* only the parameters of a point */
  /* what it means, after parsing */
  gint64 shard;
  gint64 n_shards; /* 0 = all */
} PdSweepCommand;

/**
 * pd_sweep_command_parse:
 * @self: (inout): zero, but for its engine and worker
 * @argc: (inout): as in main(); the arguments remain
 * @argv: (inout): likewise
 * @error: return location for a %PD_USAGE_ERROR
 *
 * Returns: %FALSE if the command line is wrong.
 */
gboolean pd_sweep_command_parse (PdSweepCommand *self, int *argc, char ***argv, GError **error);

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
 * pd_sweep_command_run:
 * @engine: what computes
 * @argc: as in main(), without the name of the program
 * @error: return location for whatever a sweep can fail with
 *
 * Returns: the exit status.
 */
int pd_sweep_command_run (const PdSweepEngine *engine, int argc, char **argv, GError **error);

/**
 * pd_sweep_command_find_program:
 * @error: return location for %PD_TRANSPORT_ERROR_START
 *
 * Returns: (transfer full) (nullable): the path of this program.
 */
char *pd_sweep_command_find_program (GError **error);

/**
 * pd_sweep_command_conclude:
 * @db: the file of results
 * @n_incomplete: points in it whose trace ends early, or cannot be trusted
 * @error: return location for a sentence that says so
 *
 * Returns: the exit status: 0, or 4 where there are such points.
 */
int pd_sweep_command_conclude (const char *db, gint64 n_incomplete, GError **error);

/**
 * pd_sweep_command_append_counts:
 * @counts: (array fixed-size=PD_N_POINT_STATUSES): points that ended so
 *
 * Appends ": 7 done, 1 failed" to @out, and ends the line.
 */
void pd_sweep_command_append_counts (GString *out, const gint64 *counts);

/**
 * pd_sweep_command_list_parts:
 * @folder: of databases
 * @paths: (inout) (element-type utf8): gets the paths of all files in it whose names end with
 *   .sqlite, in the order of names; to be freed with g_free()
 * @error: return location for %PD_STUDY_ERROR_OPEN
 *
 * Returns: whether there are any.
 */
gboolean pd_sweep_command_list_parts (const char *folder, GPtrArray *paths, GError **error);

/**
 * pd_sweep_command_merge:
 * @out: the database that becomes of them
 * @paths: (array zero-terminated=1): databases of parts, and folders of them
 * @command_line: of this program
 * @quiet: nothing is printed
 * @error: return location for the errors of pd_study_merge(), and for those of
 *   pd_sweep_command_list_parts()
 *
 * Returns: the exit status: %PD_EXIT_INCOMPLETE if points are missing.
 */
int pd_sweep_command_merge (const char *out, const char *const *paths, const char *command_line,
                            gboolean quiet, GError **error);

/**
 * pd_sweep_command_submit:
 * @self: with --slurm
 * @study: complete
 * @command_line: of this program
 * @error: return location for a #GSpawnError, #GFileError, %PD_STUDY_ERROR_DIFFERS, …
 *
 * Lets Slurm compute the study in parts, and merge them.
 *
 * Returns: the exit status.
 */
int pd_sweep_command_submit (const PdSweepCommand *self, const PdStudy *study,
                             const char *command_line, GError **error);

/**
 * pd_sweep_command_clear:
 * Releases what @self holds.
 */
void pd_sweep_command_clear (PdSweepCommand *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdSweepCommand, pd_sweep_command_clear)

#endif
