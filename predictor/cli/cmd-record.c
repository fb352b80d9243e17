/* predictor record [OPTION…] [--] COMMAND…
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "base/options/pd-option-words.h"
#include "predictor/options/cmd-tools.h"
#include "predictor/options/cmd-record-verify.h"
#include "predictor/cli/pd-commands.h"
#include "predictor/options/pd-record-command.h"

#include "record/life/pd-rec-finish.h"
#include "record/life/pd-rec-folder.h"
#include "record/life/pd-rec-options.h"
#include "predictor/cli/pd-memory-limit.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct
{
  char *folder;
  char *finish;
  char *mpi;
  char *recorder;
  char *stack_depth;
  char *clock;
  char *buffer_size;
  char *max_size;
  char *max_rank_size;
  gboolean force;
  gboolean is_new; /* the folder was made for this recording */
  gboolean quiet;
} Options;

static void
options_clear (Options *self)
{
  char *texts[] = { self->folder,      self->finish,      self->mpi,
                    self->recorder,    self->stack_depth, self->clock,
                    self->buffer_size, self->max_size,    self->max_rank_size };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* ---- runs that could not write their archive */

static void
notify_rank (void *data, int64_t rank, const char *text)
{
  pd_cmd_say (stderr, "%s: rank %" G_GINT64_FORMAT ": %s", (const char *) data, (gint64) rank,
              text);
}

static gboolean
finish (const char *folder, const char *target, GError **error)
{
  PdRecError failure = { "" };

  /* who started them may have ended first */
  for (int i = 0; i < 50 && pd_rec_still_runs (folder) >= 0; i++)
    g_usleep (100000);
  if (pd_rec_finish (folder, target, notify_rank, (gpointer) folder, &failure) == 0)
    return TRUE;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
               "%s; the streams are still there: --finish %s makes the archive of them, with "
               "--output somewhere else",
               failure.text, folder);
  return FALSE;
}

static gboolean
has_archive (const char *folder)
{
  g_autofree char *archive = g_build_filename (folder, "traces.otf2", NULL);

  return g_file_test (archive, G_FILE_TEST_EXISTS);
}

/* @target: where the archive is, or goes if it is made now. Returns: the exit status. */
static int
complete (const char *folder, const char *target, gboolean quiet, GError **error)
{
  gdouble share = 1;

  if (pd_rec_has_streams (folder))
    {
      if (!finish (folder, target, error))
        return PD_EXIT_FAILURE;
    }
  else if (!has_archive (target))
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                   "%s: nothing was recorded: no process called MPI_Init with the recorder",
                   folder);
      return PD_EXIT_FAILURE;
    }
  if (!pd_cmd_record_verify (target, quiet, &share, error))
    return PD_EXIT_FAILURE;
  return share < 1 ? PD_EXIT_INCOMPLETE : PD_EXIT_OK;
}

/* ---- the run */

/* An interrupt is meant for the recorded program; this one waits for it. It does not limit its
 * memory. */
static void
leave_alone (gpointer data G_GNUC_UNUSED)
{
  signal (SIGINT, SIG_DFL);
  signal (SIGQUIT, SIG_DFL);
  signal (SIGXFSZ, SIG_DFL);
  pd_memory_limit_lift ();
}

static volatile pid_t child;

static void
pass_on (int number)
{
  if (child > 0)
    kill (child, number);
}

static int
run (char **words, GError **error)
{
  int status = 0;
  GPid pid;

  signal (SIGINT, SIG_IGN);
  signal (SIGQUIT, SIG_IGN);
  if (!g_spawn_async (NULL, words, NULL,
                      G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD
                          | G_SPAWN_CHILD_INHERITS_STDIN,
                      leave_alone, NULL, &pid, error))
    return -1;
  child = pid;
  signal (SIGTERM, pass_on);
  signal (SIGHUP, pass_on);
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    ;
  child = 0;
  return WIFSIGNALED (status) ? 128 + WTERMSIG (status) : WEXITSTATUS (status);
}

/* This process gets the variables of the recorder, too: so that they can be checked before the
 * run, and reach programs that start others. */
static gboolean
set_environment (const Options *options, GError **error)
{
  g_autofree char *here = g_get_current_dir ();
  g_autofree char *folder = g_canonicalize_filename (options->folder, here);
  const struct
  {
    const char *name;
    const char *value;
  } rows[] = {
    { "PREDICTOR_RECORD_DIR", folder },
    { "PREDICTOR_STACK_DEPTH", options->stack_depth },
    { "PREDICTOR_CLOCK", options->clock },
    { "PREDICTOR_BUFFER_SIZE", options->buffer_size },
    { "PREDICTOR_MAX_SIZE", options->max_size },
    { "PREDICTOR_MAX_RANK_SIZE", options->max_rank_size },
  };
  PdRecError wrong = { "" };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].value != NULL)
      g_setenv (rows[i].name, rows[i].value, TRUE);
  if (pd_rec_options_check (&wrong) == 0)
    return TRUE;
  g_set_error_literal (error, PD_USAGE_ERROR, 0, wrong.text);
  return FALSE;
}

/* The same in words, for hosts that do not get this process's environment. */
static char **
make_settings (const char *library)
{
  static const char *const names[] = { "PREDICTOR_RECORD_DIR", "PREDICTOR_STACK_DEPTH",
                                       "PREDICTOR_CLOCK",      "PREDICTOR_BUFFER_SIZE",
                                       "PREDICTOR_MAX_SIZE",   "PREDICTOR_MAX_RANK_SIZE" };
  const char *before = g_getenv ("LD_PRELOAD");
  GPtrArray *result = g_ptr_array_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_getenv (names[i]) != NULL)
      g_ptr_array_add (result, g_strconcat (names[i], "=", g_getenv (names[i]), NULL));
  if (library != NULL && before != NULL && *before != '\0')
    g_ptr_array_add (result, g_strconcat ("LD_PRELOAD=", library, ":", before, NULL));
  else if (library != NULL)
    g_ptr_array_add (result, g_strconcat ("LD_PRELOAD=", library, NULL));
  g_ptr_array_add (result, NULL);
  return (char **) g_ptr_array_free (result, FALSE);
}

/* The program's name says where to, unless the user did. */
static void
name_folder (Options *options, const PdMpiCommand *command, char **words)
{
  guint program = command->programs->len > 0 ? g_array_index (command->programs, guint, 0) : 0;

  if (options->folder != NULL)
    return;
  g_autofree char *name = g_path_get_basename (words[program]);
  options->folder = g_strconcat (name, ".recorded", NULL);
}

static gboolean
prepare_folder (Options *options, GError **error)
{
  gboolean is_taken = has_archive (options->folder) || pd_rec_has_streams (options->folder);

  if (is_taken && !options->force)
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_EXIST,
                   "%s: has a recording; --force replaces it, --output names another folder",
                   options->folder);
      return FALSE;
    }
  if (is_taken)
    pd_rec_remove (options->folder);
  options->is_new = g_access (options->folder, F_OK) != 0;
  /* now, and not when the program has run for nothing */
  if (g_mkdir_with_parents (options->folder, 0777) == 0
      && access (options->folder, W_OK | X_OK) == 0)
    return TRUE;
  g_set_error (error, G_FILE_ERROR, (gint) g_file_error_from_errno (errno),
               "%s: no folder to record in: %s", options->folder, g_strerror (errno));
  return FALSE;
}

/* That of --library, or of the program's MPI. */
static char *
find_library (const Options *options, const PdMpiCommand *command, char **words, GError **error)
{
  PdMpiKind kind = options->mpi != NULL ? pd_mpi_kind_parse (options->mpi) : command->kind;
  g_autofree char *starter = g_find_program_in_path (words[0]);

  if (options->recorder != NULL)
    {
      char *path = realpath (options->recorder, NULL);
      if (path == NULL)
        g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "%s: %s", options->recorder,
                     g_strerror (errno));
      return path;
    }
  if (starter != NULL || kind != PD_MPI_NONE)
    return pd_mpi_find_library (kind, error);
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "%s: no such program", words[0]);
  return NULL;
}

/* LD_PRELOAD has its own rules for paths. */
static char *
choose_library (const Options *options, const PdMpiCommand *command, char **words, GError **error)
{
  g_autofree char *library = find_library (options, command, words, error);

  if (library == NULL || strpbrk (library, " \t\n:") == NULL)
    return g_steal_pointer (&library);
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
               "%s: with spaces or colons in its path it cannot be loaded into programs; "
               "--library names a copy elsewhere",
               library);
  return NULL;
}

/* Returns: the command to run, with the recorder in its programs; NULL: it cannot be. */
static char **
prepare (Options *options, char **words, GError **error)
{
  g_auto (PdMpiCommand) command = { 0 };
  g_autofree char *library = NULL;
  g_auto (GStrv) settings = NULL;

  if (!pd_mpi_command_examine (&command, words, error))
    return NULL;
  name_folder (options, &command, words);
  if (!command.is_linked || options->recorder != NULL)
    {
      library = choose_library (options, &command, words, error);
      if (library == NULL)
        return NULL;
    }
  if (!set_environment (options, error) || !prepare_folder (options, error))
    return NULL;
  settings = make_settings (library);
  return pd_mpi_command_insert (&command, words, settings);
}

static void
add_hint (GError *failure)
{
  char *text =
      g_strconcat (failure->message,
                   "; one that opens its MPI later, or runs on another host, needs --mpi", NULL);

  g_free (failure->message);
  failure->message = text;
}

static int
record (Options *options, char **words, GError **error)
{
  g_autoptr (GError) failure = NULL;
  g_auto (GStrv) whole = prepare (options, words, error);

  if (whole == NULL)
    return PD_EXIT_FAILURE;
  int status = run (whole, error);
  if (status < 0)
    return PD_EXIT_FAILURE;
  int completed = complete (options->folder, options->folder, options->quiet, &failure);
  if (completed != PD_EXIT_FAILURE)
    return status != PD_EXIT_OK ? status : completed;
  if (options->is_new)
    g_rmdir (options->folder); /* if it is empty */
  if (options->mpi == NULL && g_error_matches (failure, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    add_hint (failure);
  if (status == PD_EXIT_OK)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return PD_EXIT_FAILURE;
    }
  pd_cmd_say_error ("predictor record: ", failure);
  return status;
}

static int
finish_run (Options *options, GError **error)
{
  const char *target = options->folder != NULL ? options->folder : options->finish;
  gboolean is_elsewhere = options->folder != NULL && pd_rec_has_streams (options->finish);

  if (is_elsewhere && !prepare_folder (options, error))
    return PD_EXIT_FAILURE;
  return complete (options->finish, target, options->quiet, error);
}

/* ---- the command line */

/* Words behind "--", or from the first word on that is neither an option nor its value, belong to
 * another program. */
static char **
split (int *argc, char **argv, const GOptionEntry *entries)
{
  int n = pd_option_words_count (entries, *argc, argv);
  char **words = n < *argc ? argv + n + (g_str_equal (argv[n], "--") ? 1 : 0) : NULL;

  *argc = n;
  return words;
}

static gboolean
check_options (const Options *options, char **words, GError **error)
{
  const char *wrong = NULL;

  if (options->mpi != NULL && pd_mpi_kind_parse (options->mpi) == PD_MPI_NONE)
    wrong = "--mpi: expected mpich or openmpi";
  else if (options->finish != NULL && words != NULL)
    wrong = "--finish makes the archive of a run that is over: no command is expected";
  else if (options->finish == NULL && (words == NULL || words[0] == NULL))
    wrong = "which command? as in: predictor record mpiexec -n 4 ./app";
  if (wrong != NULL)
    g_set_error_literal (error, PD_USAGE_ERROR, 0, wrong);
  return wrong == NULL;
}

int
pd_cmd_record (int argc, char **argv, GError **error)
{
  g_auto (Options) options = { 0 };
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.folder,
      "Folder of the recording (default: the program's name with .recorded)", "FOLDER" },
    { "force", 0, 0, G_OPTION_ARG_NONE, &options.force,
      "Replace the recording in that folder (default: refuse)", NULL },
    { "stack-depth", 0, 0, G_OPTION_ARG_STRING, &options.stack_depth,
      "Return addresses to record per call (default: 1)", "N" },
    { "clock", 0, 0, G_OPTION_ARG_STRING, &options.clock,
      "Clock of computation: cpu, processor time of the thread; wall, elapsed time; "
      "auto: cpu where ranks share processors (default: auto)",
      "CLOCK" },
    { "buffer-size", 0, 0, G_OPTION_ARG_STRING, &options.buffer_size,
      "Bytes by which a rank's stream grows (default: 1Mi)", "BYTES" },
    { "max-size", 0, 0, G_OPTION_ARG_STRING, &options.max_size,
      "Largest size of the streams of all ranks together (default: no limit)", "BYTES" },
    { "max-rank-size", 0, 0, G_OPTION_ARG_STRING, &options.max_rank_size,
      "Largest size of the stream of each rank (default: its share of --max-size)", "BYTES" },
    { "mpi", 0, 0, G_OPTION_ARG_STRING, &options.mpi,
      "The program's MPI: mpich or openmpi (default: found)", "KIND" },
    { "library", 0, 0, G_OPTION_ARG_FILENAME, &options.recorder,
      "The recorder to load (default: that of the program's MPI)", "FILE" },
    { "finish", 0, 0, G_OPTION_ARG_FILENAME, &options.finish,
      "Make the archive of a run that ended before it had one (default: run a command)", "FOLDER" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &options.quiet,
      "Print no summary of the recording (default: off)", NULL },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };
  char **words = split (&argc, argv, entries);

  if (!pd_command_parse (&argc, &argv, "[--] COMMAND…",
                         "Runs a command that starts an MPI program, records the MPI calls of its "
                         "ranks, and prints a summary.\n"
                         "The exit status is that of the command, or 4 if the recording was cut.\n"
                         "Example: predictor record mpiexec -n 4 ./app",
                         entries, error)
      || !check_options (&options, words, error))
    return PD_EXIT_USAGE;
  /* nothing about modules of the program is asked of other hosts */
  g_unsetenv ("DEBUGINFOD_URLS");
  return options.finish == NULL ? record (&options, words, error) : finish_run (&options, error);
}
