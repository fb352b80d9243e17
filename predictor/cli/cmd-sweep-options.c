/* The command line of "predictor sweep", and the study that it describes.
 * SPDX-License-Identifier: MIT */
#include "predictor/cli/cmd-sweep-private.h"

#include "predictor/cli/pd-commands.h"
#include "sweep/study/pd-study-list.h"
#include "sweep/study/pd-study-xml.h"
#include "base/pd-file.h"

#include <string.h>

#define MAX_JOBS 1024
/* Slurm has a limit of its own, too. */
#define MAX_PARTS 100000

void
pd_sweep_command_clear (PdSweepCommand *self)
{
  g_free (self->db);
  g_free (self->machine);
  g_free (self->counts);
  g_strfreev (self->varied);
  g_free (self->sample);
  g_free (self->list);
  g_free (self->shard_text);
  g_free (self->merge);
  g_free (self->partition);
  g_free (self->time);
  g_strfreev (self->sbatch);
  g_free (self->server);
  pd_model_options_clear (&self->model);
  pd_common_options_clear (&self->common);
  pd_mp_cli_options_clear (&self->mp);
}

/* ---- options */

static gboolean
parse_shard (PdSweepCommand *self, GError **error)
{
  guint64 shard = 0, n = 0;
  g_auto (GStrv) parts = g_strsplit (self->shard_text != NULL ? self->shard_text : "1/1", "/", -1);

  if (g_strv_length (parts) != 2
      || !g_ascii_string_to_unsigned (parts[1], 10, 1, PD_STUDY_MAX_POINTS, &n, NULL)
      || !g_ascii_string_to_unsigned (parts[0], 10, 1, n, &shard, NULL))
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "--shard '%s': expected I/N with I from 1 to N",
                   self->shard_text);
      return FALSE;
    }
  self->shard = (gint64) shard;
  self->n_shards = (gint64) n;
  return TRUE;
}

static gboolean
check_number (const char *option, gint64 value, gint64 most, GError **error)
{
  if (value >= 1 && value <= most)
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0,
               "%s takes a number from 1 to %" G_GINT64_FORMAT ", not '%" G_GINT64_FORMAT "'",
               option, most, value);
  return FALSE;
}

/* The options for Slurm require --slurm. */
static gboolean
check_slurm (const PdSweepCommand *self, GError **error)
{
  const struct
  {
    const char *option;
    gboolean given;
  } others[] = {
    { "--partition", self->partition != NULL },
    { "--time", self->time != NULL },
    { "--sbatch", self->sbatch != NULL },
    { "--wait", self->wait },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (others) && self->slurm == -1; i++)
    if (others[i].given)
      {
        g_set_error (error, PD_USAGE_ERROR, 0, "%s needs --slurm", others[i].option);
        return FALSE;
      }
  if (self->slurm == -1)
    return TRUE;
  if (self->shard_text != NULL || self->db == NULL)
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "--slurm %s",
                   self->db == NULL ? "needs --db FILE, where the results go"
                                    : "and --shard exclude each other");
      return FALSE;
    }
  return check_number ("--slurm", self->slurm, MAX_PARTS, error);
}

/* With --merge only databases are given. */
static gboolean
check_merge (const PdSweepCommand *self, int argc, GError **error)
{
  if (self->db != NULL || self->slurm != -1 || self->dry_run || self->varied != NULL
      || self->counts != NULL || self->shard_text != NULL || self->machine != NULL
      || self->sample != NULL || self->list != NULL || self->per_processor || self->wait
      || self->n_jobs != -1 || self->model.settings != NULL)
    g_set_error (error, PD_USAGE_ERROR, 0,
                 "--merge takes databases and folders of them, and no options but --quiet");
  else if (argc < 2)
    g_set_error (error, PD_USAGE_ERROR, 0,
                 "--merge %s: databases to merge, or folders of them, are expected", self->merge);
  else
    return TRUE;
  return FALSE;
}

static gboolean
check (PdSweepCommand *self, int argc, GError **error)
{
  if (self->merge != NULL)
    return check_merge (self, argc, error);
  if (argc < 2 && self->worker < 0)
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "a study, or a trace, is expected");
      return FALSE;
    }
  if (self->worker < 0 && self->db == NULL && !self->dry_run && self->slurm == -1)
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "--db FILE is expected, where the results go");
      return FALSE;
    }
  if (g_strcmp0 (self->db, "-") == 0)
    {
      g_set_error (error, PD_USAGE_ERROR, 0,
                   "--db: a database cannot be written to standard output");
      return FALSE;
    }
  if (self->sample != NULL && self->list != NULL)
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "--sample and --list exclude each other");
      return FALSE;
    }
  return (self->n_jobs == -1 || check_number ("-j", self->n_jobs, MAX_JOBS, error))
         && check_number ("--limit", self->limit, PD_STUDY_MAX_POINTS, error)
         && check_slurm (self, error) && parse_shard (self, error)
         && pd_model_options_check (&self->model, error)
         && pd_common_options_check (&self->common, 0, error)
         && pd_mp_cli_options_check (&self->mp, error);
}

#define N_COMPUTING_OPTIONS 4

static void
fill_computing_options (PdSweepCommand *self, GOptionEntry *entries)
{
  const GOptionEntry table[N_COMPUTING_OPTIONS + 1] = {
    { "cpu-ratio", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->common.ratio_texts,
      "Computation is RATIO times as fast; also FILE:LINE=RATIO, as in 'predictor run'; may be "
      "repeated (default: 1)",
      "RATIO" },
    { "seed", 0, 0, G_OPTION_ARG_STRING, &self->common.seed_text,
      "Seed of the random numbers of the machine's noise (default: 0)", "N" },
    { "flops", 0, 0, G_OPTION_ARG_STRING, &self->mp.flops_text,
      "Operations per second of a processor of speed 1, for message-passing traces that count "
      "operations (default: 1Gf)",
      "RATE" },
    { "wildcards", 0, 0, G_OPTION_ARG_STRING, &self->mp.wildcards,
      "Message-passing traces: recorded or simulated, as in 'predictor run' (default: recorded)",
      "WHAT" },
    { .long_name = NULL },
  };

  memcpy (entries, table, sizeof table);
}

#define N_LOCAL_OPTIONS 10

/* The options of "predictor" only: under MPI there are ranks instead. */
static void
fill_local_options (PdSweepCommand *self, GOptionEntry *entries)
{
  const GOptionEntry table[N_LOCAL_OPTIONS + 1] = {
    { "jobs", 'j', 0, G_OPTION_ARG_INT64, &self->n_jobs,
      "Worker processes; the result is the same (default: all cores)", "N" },
    { "merge", 0, 0, G_OPTION_ARG_FILENAME, &self->merge,
      "Merge databases of parts of one study, or folders of them, which are the arguments, into "
      "FILE (default: none)",
      "FILE" },
    { "slurm", 0, 0, G_OPTION_ARG_INT64, &self->slurm,
      "Submit N jobs to Slurm, each for a part of the study, and one that merges them (default: "
      "none)",
      "N" },
    { "partition", 0, 0, G_OPTION_ARG_STRING, &self->partition,
      "With --slurm: the partition that jobs go to (default: Slurm's)", "NAME" },
    { "time", 0, 0, G_OPTION_ARG_STRING, &self->time,
      "With --slurm: the time limit of a part, as sbatch takes it (default: Slurm's)", "LIMIT" },
    { "sbatch", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->sbatch,
      "With --slurm: an argument of sbatch for the parts; may be repeated (default: none)",
      "ARGUMENT" },
    { "wait", 0, 0, G_OPTION_ARG_NONE, &self->wait,
      "With --slurm: wait for the parts, and merge them here (default: off)", NULL },
    { "no-server", 0, 0, G_OPTION_ARG_NONE, &self->no_server,
      "Every process parses the traces for itself (default: off)", NULL },
    { "worker", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_INT64, &self->worker, "", "FD" },
    { "data-server", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &self->server, "", "PATH" },
    { .long_name = NULL },
  };

  memcpy (entries, table, sizeof table);
}

gboolean
pd_sweep_command_parse (PdSweepCommand *self, int *argc, char ***argv, GError **error)
{
  const GOptionEntry entries[] = {
    { "vary", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->varied,
      "An axis: procs, machine, map, cpu-ratio, flops, seed, trace, collectives/OPERATION or a "
      "path "
      "of the machine, with a list 1us,2us or ranges A:B:linN, A:B:logN, A:B:+S, A:B:xF; may be "
      "repeated (default: none)",
      "AXIS=VALUES" },
    { "db", 0, 0, G_OPTION_ARG_FILENAME, &self->db,
      "The SQLite file of the results; continued if it exists (default: none, but required)",
      "FILE" },
    { "machine", 'm', 0, G_OPTION_ARG_STRING, &self->machine,
      "Machine: a file, a name from 'predictor machine list', or TYPE:key=value,… "
      "(default: ideal, which costs nothing)",
      "MACHINE" },
    { "processors", 'n', 0, G_OPTION_ARG_STRING, &self->counts,
      "Processor counts or grids, as --vary procs=LIST (default: 1, or the grid of a run recorded "
      "on several)",
      "LIST" },
    { "sample", 0, 0, G_OPTION_ARG_STRING, &self->sample,
      "Instead of every combination, N points that fill the space: sobol:N or sobol:N:SEED "
      "(default: every combination)",
      "METHOD" },
    { "list", 0, 0, G_OPTION_ARG_FILENAME, &self->list,
      "Instead of --vary, points from a CSV file whose first line names the axes (default: none)",
      "FILE" },
    { "limit", 0, 0, G_OPTION_ARG_INT64, &self->limit,
      "Refuse studies of more than N points (default: 10000000)", "N" },
    { "shard", 0, 0, G_OPTION_ARG_STRING, &self->shard_text,
      "Compute only part I of N of the points, into a file of its own (default: 1/1)", "I/N" },
    { "per-processor", 0, 0, G_OPTION_ARG_NONE, &self->per_processor,
      "Keep the values of each processor too (default: off)", NULL },
    { "dry-run", 0, 0, G_OPTION_ARG_NONE, &self->dry_run,
      "Print the study as a file that this command takes, and compute nothing (default: off)",
      NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &self->quiet, "Print errors only (default: off)", NULL },
    { .long_name = NULL },
  };
  GOptionEntry model[PD_N_MODEL_OPTIONS + 1], computing[N_COMPUTING_OPTIONS + 1];
  GOptionEntry local[N_LOCAL_OPTIONS + 1];
  const GOptionEntry *const tables[] = { entries, model, computing,
                                         self->engine->is_alone ? NULL : local, NULL };

  self->slurm = -1;
  fill_local_options (self, local);
  self->limit = PD_STUDY_DEFAULT_LIMIT;
  self->n_jobs = -1;
  pd_model_options_fill (&self->model, model);
  fill_computing_options (self, computing);
  return pd_command_parse_tables (argc, argv, "STUDY | TRACE…", self->engine->summary, tables,
                                  error)
         && check (self, *argc, error);
}

/* ---- the study */

/* Where the name ends: the first '=' outside of brackets. */
static const char *
find_equals (const char *text)
{
  gboolean inside = FALSE;

  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == '=' && !inside)
        return p;
      inside = *p == '[' || (inside && *p != ']');
    }
  return NULL;
}

static gboolean
split (const char *option, const char *text, char **name, const char **value, GError **error)
{
  const char *equals = find_equals (text);

  if (equals == NULL || equals == text)
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "%s '%s': expected a name, '=' and %s", option, text,
                   strcmp (option, "--vary") == 0 ? "values" : "a value");
      return FALSE;
    }
  *name = g_strndup (text, (gsize) (equals - text));
  *value = equals + 1;
  return TRUE;
}

/* "NAME=VALUE" of an option that may be repeated; @prefix goes before the name. */
static gboolean
set_each (PdStudy *study, const char *option, char *const *texts, const char *prefix,
          GError **error)
{
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    {
      g_autofree char *name = NULL;
      const char *value;
      if (!split (option, texts[i], &name, &value, error))
        return FALSE;
      g_autofree char *whole = g_strconcat (prefix, name, NULL);
      if (!pd_study_set (study, whole, value, error))
        return FALSE;
    }
  return TRUE;
}

/* "RATIO" or "FILE:LINE=RATIO": the place may have a '=' in its name. */
static gboolean
set_ratios (PdStudy *study, char *const *texts, GError **error)
{
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    {
      const char *equals = strrchr (texts[i], '=');
      g_autofree char *place =
          equals == NULL ? NULL : g_strndup (texts[i], (gsize) (equals - texts[i]));
      g_autofree char *name = g_strconcat ("cpu-ratio", place != NULL ? "/" : NULL, place, NULL);
      if (!pd_study_set (study, name, equals == NULL ? texts[i] : equals + 1, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
set_parameters (const PdSweepCommand *self, PdStudy *study, GError **error)
{
  const struct
  {
    const char *name;
    const char *value;
  } given[] = {
    { "machine", self->machine },
    { "map", self->model.map },
    { "seed", self->common.seed_text },
    { "flops", self->mp.flops_text },
    { "wildcards", self->mp.wildcards },
    { "startup", self->model.startup },
    { "clamped", self->model.clamped },
    { "outliers", self->model.outliers },
    { "recorder-cost", self->model.recorder_cost },
    { "blocks", self->model.blocks_path },
    { "weights-from-speed", self->model.weights_from_speed ? "on" : NULL },
    { "no-comm-split", self->model.no_comm_split ? "on" : NULL },
    { "across-tc-known", self->model.across_tc_known ? "on" : NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (given); i++)
    if (given[i].value != NULL && !pd_study_set (study, given[i].name, given[i].value, error))
      return FALSE;
  return set_each (study, "--set", self->model.settings, "", error)
         && set_each (study, "--rts", self->model.rts, "rts/", error)
         && set_ratios (study, self->common.ratio_texts, error);
}

static gboolean
add_file (PdStudy *study, const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *text = NULL;
  gsize size;

  if (!pd_file_read (path, &text, &size, &local))
    {
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_OPEN, "%s", local->message);
      return FALSE;
    }
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_steal_pointer (&text), size);
  return pd_study_read (study, bytes, path, error);
}

/* One trace is fixed; several are the slowest axis. */
static gboolean
add_traces (PdStudy *study, int n, char *const *paths, GError **error)
{
  if (n == 1 && pd_study_is_file (paths[0]))
    return add_file (study, paths[0], error);
  if (n == 1)
    return pd_study_set (study, "trace", paths[0], error);
  return pd_study_add_axis_values (study, "trace", (const char *const *) paths, (guint) n, error);
}

static gboolean
add_axes (const PdSweepCommand *self, PdStudy *study, GError **error)
{
  if (self->counts != NULL && !pd_study_add_axis (study, "procs", self->counts, error))
    return FALSE;
  for (guint i = 0; self->varied != NULL && self->varied[i] != NULL; i++)
    {
      g_autofree char *name = NULL;
      const char *values;
      if (!split ("--vary", self->varied[i], &name, &values, error)
          || !pd_study_add_axis (study, name, values, error))
        return FALSE;
    }
  return self->list == NULL || pd_study_add_list (study, self->list, error);
}

gboolean
pd_sweep_command_make_study (const PdSweepCommand *self, int argc, char **argv, PdStudy *study,
                             GError **error)
{
  if (!add_traces (study, argc - 1, argv + 1, error) || !set_parameters (self, study, error)
      || !add_axes (self, study, error)
      || (self->sample != NULL && !pd_study_set_sample (study, self->sample, error)))
    return FALSE;
  if (self->per_processor)
    pd_study_set_per_processor (study, TRUE);
  return pd_study_complete (study, self->limit, error);
}
