/* predictor COMMAND …: the one place that prints errors and decides statuses.
 * SPDX-License-Identifier: MIT */
#include "base/options/pd-option-words.h"
#include "predictor/options/cmd-tools.h"
#include "predictor/cli/pd-commands.h"
#include "predictor/cli/pd-memory-limit.h"
#include "base/pd-nearest.h"
#include "base/pd-target.h"
#include "base/pd-text.h"
#include "predictor/options/pd-help-topics.h"
#include "predictor/options/pd-words.h"
#include "reports/page/pd-page.h"
#include "serve/pd-client.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct
{
  const char *name;
  PdCommandFunc run;
  const char *summary;
} commands[] = {
  { "run", pd_cmd_run, "predict a traced program on a machine" },
  { "advise", pd_cmd_advise, "find the best processor counts and grids for a program" },
  { "scale", pd_cmd_scale, "predict a program on numbers of ranks that were not recorded" },
  { "sweep", pd_cmd_sweep, "predict all points of a study into one database" },
  { "serve", pd_cmd_serve, "parse traces once for all predictions on this machine" },
  { "record", pd_cmd_record, "record an MPI program while it runs" },
  { "analyse", pd_cmd_analyse, "show where the time of a measured run went, and why" },
  { "compare", pd_cmd_compare, "compare two runs, measured or predicted" },
  { "info", pd_cmd_info, "describe a trace" },
  { "check", pd_cmd_check, "verify a trace" },
  { "convert", pd_cmd_convert, "write a trace in another format" },
  { "machine", pd_cmd_machine, "list, show, check and import machine descriptions" },
  { "report", pd_cmd_report, "show stored results" },
};

static void
print_help (FILE *out)
{
  fputs ("Usage: predictor COMMAND [OPTION…] [ARGUMENT…]\n\n"
         "Predicts how long a traced parallel program would run on a machine, and where\n"
         "its time would go.\n\nCommands:\n",
         out);
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    fprintf (out, "  %-10s %s\n", commands[i].name, commands[i].summary);
  fputs ("\nOptions:\n  --help     show this and exit\n  --version  show the version and exit\n"
         "  --max-memory=SIZE  with any command: the most memory that each process takes,\n"
         "             as 4GiB (default: nine tenths of the machine's)\n\n"
         "Record your MPI program, analyse its losses, predict it on another machine:\n"
         "  predictor record mpiexec -n 4 ./app\n"
         "  predictor analyse app.recorded\n"
         "  predictor run app.recorded -m gigabit-ethernet\n\n"
         "Example: predictor run heat2d.ptr.gz -m mvs1000 -n 1,2,4,8x8\n"
         "'predictor help COMMAND' or 'predictor COMMAND --help' describes a command,\n"
         "'man predictor-COMMAND' at length; 'predictor help TOPIC' one of these:\n",
         out);
  g_autofree char *topics = g_strjoinv (", ", (char **) pd_help_topics ());
  g_autofree char *sentence = g_strconcat (topics, ".", NULL);
  g_autoptr (GString) lines = g_string_new (NULL);
  pd_text_append_wrapped (lines, "", 0, 80, sentence);
  fputs (lines->str, out);
}

static const char *
list_mpis (void)
{
  static const struct
  {
    const char *built;
    const char *text;
  } lists[] = { { "", "none" },
                { "mpich", "MPICH" },
                { "openmpi", "Open MPI" },
                { "mpich openmpi", "MPICH, Open MPI" } };

  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    if (strcmp (PD_MPIS, lists[i].built) == 0)
      return lists[i].text;
  return PD_MPIS;
}

static void
print_version (void)
{
  printf ("predictor " PD_VERSION "\n"
          "Licence: MIT; there is no warranty.\n"
          "Built for MPI (record, predictor-mpi, predictor-measure): %s\n"
          "Charts in pages: %s\n",
          list_mpis (), pd_page_has_charts () ? "yes" : "no, the library was not to be had");
}

/* Hidden, for completion: what can be written in some place, one a line. */
static int
print_words (const char *kind)
{
  g_auto (GStrv) words = pd_words_list (kind);

  for (guint i = 0; words != NULL && words[i] != NULL; i++)
    puts (words[i]);
  return words != NULL ? PD_EXIT_OK : PD_EXIT_USAGE;
}

/* A standard stream that is closed would be the next file that is opened, which
 * the report would be written into. */
static void
occupy_streams (void)
{
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl (fd, F_GETFD) == -1 && open ("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
      _exit (PD_EXIT_FAILURE);
}

/* At every exit (GOption exits for --help): printed text must have arrived. A report checks that
 * itself, with a longer message. */
static gboolean error_printed;

static void
flush_output (void)
{
  errno = 0;
  if (fflush (stdout) == 0 && !ferror (stdout))
    return;
  if (!error_printed)
    fprintf (stderr, "predictor: cannot write standard output: %s\n",
             errno != 0 ? g_strerror (errno) : "not everything arrived");
  _exit (PD_EXIT_FAILURE);
}

static void
report_lost (const GError *error)
{
  pd_cmd_say_error ("predictor: no data server, traces are parsed here: ", error);
}

/* Traces come from the server that the user names, but not the server's own. */
static PdClient *
find_server (PdCommandFunc run)
{
  const char *path = g_getenv ("PREDICTOR_SERVER");

  return path != NULL && path[0] != '\0' && run != pd_cmd_serve ? pd_client_new (path, report_lost)
                                                                : NULL;
}

static int
run_command (gsize i, int argc, char **argv)
{
  PdClient *client = find_server (commands[i].run);
  g_autoptr (GError) error = NULL;
  int status = commands[i].run (argc, argv, &error);

  pd_client_free (client);
  if (error == NULL)
    return status;
  error_printed = TRUE;
  g_autofree char *who = g_strdup_printf ("predictor %s: ", commands[i].name);
  pd_cmd_say_error (who, error);
  if (error->domain != PD_USAGE_ERROR)
    return status != PD_EXIT_OK ? status : PD_EXIT_FAILURE;
  fprintf (stderr, "Try 'predictor %s --help'.\n", commands[i].name);
  return PD_EXIT_USAGE;
}

static gssize
find_command (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (name, commands[i].name) == 0)
      return (gssize) i;
  return -1;
}

/* @topics: (nullable): what could have been meant besides commands */
static int
complain (const char *word, const char *const *topics)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    g_ptr_array_add (names, (gpointer) commands[i].name);
  for (guint i = 0; topics != NULL && topics[i] != NULL; i++)
    g_ptr_array_add (names, (gpointer) topics[i]);
  g_ptr_array_add (names, NULL);
  g_autofree char *hint = pd_nearest_format (word, (const char *const *) names->pdata);
  pd_cmd_say (stderr, "predictor: unknown command%s '%s'%s", topics != NULL ? " or topic" : "",
              word, hint);
  fputs ("Try 'predictor --help'.\n", stderr);
  return PD_EXIT_USAGE;
}

/* "help COMMAND…" is "COMMAND… --help", "help TOPIC" a text, "help" alone the list. */
static int
help (int argc, char **argv)
{
  gssize i = argc >= 2 ? find_command (argv[1]) : -1;
  char *words[] = { argv[1], argc >= 3 ? argv[2] : "--help", argc >= 3 ? "--help" : NULL, NULL };

  if (i >= 0)
    return run_command ((gsize) i, argc >= 3 ? 3 : 2, words);
  if (argc < 2)
    {
      print_help (stdout);
      return PD_EXIT_OK;
    }
  g_autofree char *text = pd_help_topic_format (argv[1]);
  if (text == NULL)
    return complain (argv[1], pd_help_topics ());
  fputs (text, stdout);
  return PD_EXIT_OK;
}

static void
show_help (const char *text)
{
  fputs (text, stdout);
  exit (EXIT_SUCCESS);
}

int
main (int argc, char **argv)
{
  pd_option_words_set_help (show_help);
  setlocale (LC_CTYPE, "C.UTF-8");
  pd_command_find_data ();
  /* the ends of children are not reported if the starter of this process ignores SIGCHLD */
  signal (SIGCHLD, SIG_DFL);
  pd_target_remove_at_signals ();
  occupy_streams ();
  atexit (flush_output);
  g_set_prgname ("predictor");
  g_autoptr (GError) error = NULL;
  if (!pd_memory_limit_take (&argc, argv, &error))
    {
      fprintf (stderr, "predictor: %s\nTry 'predictor --help'.\n", error->message);
      return PD_EXIT_USAGE;
    }
  if (argc >= 2 && (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0))
    {
      print_help (stdout);
      return PD_EXIT_OK;
    }
  if (argc >= 2 && strcmp (argv[1], "--version") == 0)
    {
      print_version ();
      return PD_EXIT_OK;
    }
  if (argc == 3 && strcmp (argv[1], "--words") == 0)
    return print_words (argv[2]);
  if (argc < 2)
    {
      print_help (stderr);
      return PD_EXIT_USAGE;
    }
  if (strcmp (argv[1], "help") == 0)
    return help (argc - 1, argv + 1);
  gssize i = find_command (argv[1]);
  return i >= 0 ? run_command ((gsize) i, argc - 1, argv + 1) : complain (argv[1], NULL);
}
