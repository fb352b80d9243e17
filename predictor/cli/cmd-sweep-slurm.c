/* predictor sweep --slurm: the parts of a study as an array job of Slurm.
 *
 * Beside the database a folder holds the study, the two scripts, and a database for
 * each part: a part that is submitted again goes on where it was.
 * SPDX-License-Identifier: MIT */
#include "predictor/cli/cmd-sweep-private.h"

#include "base/pd-target.h"
#include "predictor/cli/cmd-slurm-private.h"
#include "predictor/options/cmd-tools.h"
#include "predictor/cli/pd-commands.h"
#include "reports/run/pd-report.h"
#include "predictor/search/pd-point-check.h"
#include "sweep/study/pd-study-xml.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

typedef struct
{
  const PdSweepCommand *command;
  const PdStudy *study;
  gint64 n;     /* parts */
  char *folder; /* of their files */
  char *study_path;
  char *sweep_path;
  char *merge_path;
  GString *study_text;
  GString *sweep_text; /* the script of a part */
  GString *merge_text;
  GPtrArray *sweep_args; /* (element-type utf8): how they are submitted, and a last NULL */
  GPtrArray *merge_args; /* likewise, but for its dependency */
} Submission;

static void
submission_clear (Submission *self)
{
  g_free (self->folder);
  g_free (self->study_path);
  g_free (self->sweep_path);
  g_free (self->merge_path);
  g_string_free (self->study_text, TRUE);
  g_string_free (self->sweep_text, TRUE);
  g_string_free (self->merge_text, TRUE);
  g_ptr_array_unref (self->sweep_args);
  g_ptr_array_unref (self->merge_args);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Submission, submission_clear)

/* ---- submission */

static gboolean
write_scripts (Submission *self, GError **error)
{
  g_autofree char *program = pd_sweep_command_find_program (error);
  g_autofree char *here = g_get_current_dir ();

  if (program == NULL)
    return FALSE;
  g_autofree char *program_word = g_shell_quote (program), *here_word = g_shell_quote (here);
  g_autofree char *folder_word = g_shell_quote (self->folder);
  g_autofree char *study_word = g_shell_quote (self->study_path);
  g_autofree char *db_word = g_shell_quote (self->command->db);
  g_string_append_printf (self->sweep_text,
                          "#!/bin/sh\n# a part of a study: predictor sweep --slurm\n"
                          "cd %s || exit 1\ni=$SLURM_ARRAY_TASK_ID\n"
                          "exec %s sweep %s --shard \"$i/%" G_GINT64_FORMAT "\" \\\n"
                          "  --db %s/\"$i-of-%" G_GINT64_FORMAT ".sqlite\" "
                          "-j \"${SLURM_CPUS_PER_TASK:-1}\"%s --limit %" G_GINT64_FORMAT "\n",
                          here_word, program_word, study_word, self->n, folder_word, self->n,
                          self->command->no_server ? " --no-server" : "", self->command->limit);
  g_string_append_printf (self->merge_text,
                          "#!/bin/sh\n# puts the parts of a study together: predictor sweep "
                          "--slurm\ncd %s || exit 1\n"
                          "exec %s sweep --merge %s %s\n",
                          here_word, program_word, db_word, folder_word);
  return TRUE;
}

/* A name of a file, where sbatch replaces what follows a "%". */
static char *
escape (const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "%", -1);

  return g_strjoinv ("%%", parts);
}

static GPtrArray *
new_args (const Submission *self, const char *name)
{
  GPtrArray *args = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (args, g_strdup ("sbatch"));
  g_ptr_array_add (args, g_strdup ("--parsable"));
  g_ptr_array_add (args, g_strdup_printf ("--job-name=%s", name));
  if (self->command->partition != NULL)
    g_ptr_array_add (args, g_strdup_printf ("--partition=%s", self->command->partition));
  return args;
}

static void
fill_args (Submission *self)
{
  const PdSweepCommand *command = self->command;
  g_autofree char *folder = escape (self->folder);
  GPtrArray *args = self->sweep_args = new_args (self, "predictor-sweep");

  g_ptr_array_add (args, g_strdup_printf ("--array=1-%" G_GINT64_FORMAT, self->n));
  g_ptr_array_add (
      args, g_strdup_printf ("--output=%s/%%a-of-%" G_GINT64_FORMAT ".log", folder, self->n));
  if (command->n_jobs > 0)
    g_ptr_array_add (args, g_strdup_printf ("--cpus-per-task=%" G_GINT64_FORMAT, command->n_jobs));
  if (command->time != NULL)
    g_ptr_array_add (args, g_strdup_printf ("--time=%s", command->time));
  for (guint i = 0; command->sbatch != NULL && command->sbatch[i] != NULL; i++)
    g_ptr_array_add (args, g_strdup (command->sbatch[i]));
  g_ptr_array_add (args, g_strdup (self->sweep_path));
  g_ptr_array_add (args, NULL);
  args = self->merge_args = new_args (self, "predictor-merge");
  g_ptr_array_add (args, g_strdup_printf ("--output=%s/merge.log", folder));
  g_ptr_array_add (args, g_strdup (self->merge_path));
  g_ptr_array_add (args, NULL);
}

static gboolean
prepare (Submission *self, GError **error)
{
  self->n = MIN (self->command->slurm, pd_study_get_n_points (self->study));
  /* no name of a file is to look like an option */
  self->folder =
      g_strconcat (self->command->db[0] == '-' ? "./" : "", self->command->db, ".parts", NULL);
  self->study_path = g_build_filename (self->folder, "study.xml", NULL);
  self->sweep_path = g_build_filename (self->folder, "sweep.sh", NULL);
  self->merge_path = g_build_filename (self->folder, "merge.sh", NULL);
  self->study_text = g_string_new (NULL);
  self->sweep_text = g_string_new (NULL);
  self->merge_text = g_string_new (NULL);
  pd_study_write (self->study, self->study_text);
  fill_args (self);
  return write_scripts (self, error);
}

static gboolean
show (const Submission *self, GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree char *sweep = pd_slurm_join ((const char *const *) self->sweep_args->pdata);
  g_autofree char *merge = pd_slurm_join ((const char *const *) self->merge_args->pdata + 1);

  g_string_append_printf (out, "# %s\n%s\n# %s\n%s\n", self->sweep_path, self->sweep_text->str,
                          self->merge_path, self->merge_text->str);
  g_string_append_printf (out, "# submitted as\n%s\n", sweep);
  if (!self->command->wait)
    g_string_append_printf (out, "sbatch --dependency=afterany:JOB %s\n", merge);
  return self->command->quiet || pd_report_save ("-", out, error);
}

/* ---- files */

static gboolean
refuse (const char *path, GError **error)
{
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_DIFFERS,
               "'%s' is there already, of another study", path);
  return FALSE;
}

/* Existing files must be of the same study. */
static gboolean
check_files (const Submission *self, GError **error)
{
  g_autofree char *text = NULL;

  if (g_file_get_contents (self->study_path, &text, NULL, NULL)
      && strcmp (text, self->study_text->str) != 0)
    return refuse (self->study_path, error);
  if (!g_file_test (self->command->db, G_FILE_TEST_EXISTS))
    return TRUE;
  g_autoptr (PdStudyDb) db = pd_study_db_open_to_read (self->command->db, error);
  g_autoptr (PdStudy) study =
      db != NULL ? pd_study_db_read_study (db, &pd_point_names, error) : NULL;
  if (study == NULL)
    return FALSE;
  if (pd_study_compare (self->study, study, error))
    return TRUE;
  g_prefix_error (error, "'%s': ", self->command->db);
  return FALSE;
}

static gboolean
write_files (const Submission *self, GError **error)
{
  const struct
  {
    const char *path;
    const GString *text;
  } files[] = {
    { self->study_path, self->study_text },
    { self->sweep_path, self->sweep_text },
    { self->merge_path, self->merge_text },
  };

  if (g_mkdir_with_parents (self->folder, 0777) != 0)
    {
      g_set_error (error, G_FILE_ERROR, (gint) g_file_error_from_errno (errno),
                   "cannot make the folder '%s': %s", self->folder, g_strerror (errno));
      return FALSE;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    if (!pd_target_save (files[i].path, files[i].text->str, files[i].text->len, error))
      return FALSE;
  return TRUE;
}

/* ---- merging here */

/* The existing parts, complete or not. */
static int
merge_here (const Submission *self, const char *job, const char *command_line, GError **error)
{
  const PdSweepCommand *command = self->command;
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *states = pd_slurm_get_states (job);

  if (!command->quiet && states != NULL)
    printf ("job %s: %s\n", job, states);
  fflush (stdout);
  if (!pd_sweep_command_list_parts (self->folder, paths, NULL))
    {
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_OPEN,
                   "job %s has computed nothing%s%s; what it has printed is in '%s'", job,
                   states != NULL ? ": " : "", states != NULL ? states : "", self->folder);
      return PD_EXIT_FAILURE;
    }
  g_ptr_array_add (paths, NULL);
  return pd_sweep_command_merge (command->db, (const char *const *) paths->pdata, command_line,
                                 command->quiet, error);
}

static int
wait_and_merge (const Submission *self, const char *job, const char *command_line, GError **error)
{
  /* the job continues when the user logs out */
  const volatile sig_atomic_t *stop = pd_cmd_catch_user ();

  if (!self->command->quiet)
    printf ("job %s: %" G_GINT64_FORMAT " parts\n", job, self->n);
  fflush (stdout);
  if (!pd_slurm_wait (job, stop, error))
    {
      g_prefix_error (error, "job %s goes on, its parts are in '%s': ", job, self->folder);
      return PD_EXIT_FAILURE;
    }
  int status = merge_here (self, job, command_line, error);
  return *stop != 0 ? PD_EXIT_INTERRUPTED : status;
}

/* ---- submitting */

static int
submit_merging (const Submission *self, const char *job, GError **error)
{
  g_autofree char *after = g_strdup_printf ("--dependency=afterany:%s", job);
  g_autofree char *merging = NULL;

  g_ptr_array_insert (self->merge_args, 2, g_steal_pointer (&after));
  merging = pd_slurm_submit ((const char *const *) self->merge_args->pdata, error);
  if (merging == NULL)
    {
      g_prefix_error (error, "job %s continues, 'sh %s' will merge its parts: ", job,
                      self->merge_path);
      return PD_EXIT_FAILURE;
    }
  if (!self->command->quiet)
    printf ("job %s: %" G_GINT64_FORMAT " parts\njob %s: merges them into %s, and lists missing "
            "points in %s/merge.log\n",
            job, self->n, merging, self->command->db, self->folder);
  return PD_EXIT_OK;
}

int
pd_sweep_command_submit (const PdSweepCommand *command, const PdStudy *study,
                         const char *command_line, GError **error)
{
  g_auto (Submission) self = { .command = command, .study = study };
  g_autofree char *job = NULL;

  if (!prepare (&self, error) || !check_files (&self, error))
    return PD_EXIT_FAILURE;
  if (command->dry_run)
    return show (&self, error) ? PD_EXIT_OK : PD_EXIT_FAILURE;
  if (!write_files (&self, error))
    return PD_EXIT_FAILURE;
  job = pd_slurm_submit ((const char *const *) self.sweep_args->pdata, error);
  if (job == NULL)
    return PD_EXIT_FAILURE;
  return command->wait ? wait_and_merge (&self, job, command_line, error)
                       : submit_merging (&self, job, error);
}
