/* predictor-measure COMMAND …: an MPI program. The one place that prints errors and
 * decides statuses.
 * SPDX-License-Identifier: MIT */
#include "base/options/pd-option-words.h"
#include "base/pd-target.h"
#include "base/pd-text.h"
#include "measure/sheet/pd-sheet.h"
#include "measure/cli/pd-measure.h"
#include "measure/plan/pd-exchange-options.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <mpi.h>

static const struct
{
  const char *name;
  PdMeasureFunc run;
  const char *summary;
  gboolean (*alone) (int argc, char **argv, gboolean *done, GError **error); /* nullable */
  gboolean without_mpi;
} commands[] = {
  { "transfer", pd_measure_transfer, "latency and bandwidth between two processes", NULL, FALSE },
  { "collective", pd_measure_collective, "collective operations with synchronised starts",
    pd_measure_collective_alone, FALSE },
  { "contention", pd_measure_contention, "messages of processes that share a channel", NULL,
    FALSE },
  { "exchange", pd_measure_exchange,
    "datatypes, message rates, one-sided operations, threads, memory", NULL, FALSE },
  { "compare", pd_measure_compare, "whether two files of measurements differ", NULL, TRUE },
  { "guidelines", pd_measure_guidelines, "whether collective operations are slower than others",
    NULL, TRUE },
  { "--check-timer", pd_measure_check_timer, "how exact the timers are", NULL, FALSE },
  { "--check-sync", pd_measure_check_sync, "how exact synchronised clocks are, and stay", NULL,
    FALSE },
};

#define STATUS_DIFFERS 5

static void
print_help (FILE *out)
{
  fputs ("Usage: mpiexec -n N predictor-measure COMMAND [OPTION…]\n\n"
         "Measures the properties of a machine that predictions need.\n\nCommands:\n",
         out);
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    fprintf (out, "  %-14s %s\n", commands[i].name, commands[i].summary);
  fputs ("\nOptions:\n  -h, --help  show this and exit\n  --version   show the version and exit\n\n"
         "Example: mpiexec -n 2 predictor-measure transfer\n"
         "'predictor-measure COMMAND --help' describes a command.\n",
         out);
}

/* Returns the status. */
static int
print_error (const char *command, const GError *error)
{
  gboolean is_usage = g_error_matches (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE);

  g_autofree char *shown = pd_text_show (error->message);
  fprintf (stderr, "predictor-measure %s: %s\n", command, shown);
  if (is_usage)
    fprintf (stderr, "Try 'predictor-measure %s --help'.\n", command);
  if (g_error_matches (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_DIFFERS))
    return STATUS_DIFFERS;
  return is_usage ? 2 : EXIT_FAILURE;
}

/* The first process with an error prints it. Returns the status, the same at all. */
static int
tell (const char *command, const GError *error)
{
  int rank, size, first, status[2] = { EXIT_SUCCESS, 0 };

  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  first = error != NULL ? rank : size;
  MPI_Allreduce (MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == rank)
    status[0] = print_error (command, error);
  if (first < size)
    MPI_Bcast (status, 1, MPI_INT, first, MPI_COMM_WORLD);
  return status[0];
}

/* Several threads may call MPI only where that is asked for: it costs each call. */
static void
start_mpi (int *argc, char ***argv)
{
  int level;

  if (pd_exchange_wants_threads (*argc, *argv))
    MPI_Init_thread (argc, argv, MPI_THREAD_MULTIPLE, &level);
  else
    MPI_Init (argc, argv);
}

/* The variables of each MPI's starter: the number of processes, and the rank of this one. */
static const struct
{
  const char *mpi, *name, *size, *rank;
} starters[] = {
  { "mpich", "MPICH", "PMI_SIZE", "PMI_RANK" },
  { "openmpi", "Open MPI", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK" },
};

/* Under the starter of another MPI each process is alone in its world. Returns: %FALSE then, which
 * the first of them says. */
static gboolean
check_starter (void)
{
  const char *own = "another MPI";
  int size;

  MPI_Comm_size (MPI_COMM_WORLD, &size);
  for (gsize i = 0; i < G_N_ELEMENTS (starters); i++)
    own = strcmp (starters[i].mpi, PD_MPI) == 0 ? starters[i].name : own;
  for (gsize i = 0; size == 1 && i < G_N_ELEMENTS (starters); i++)
    {
      const char *wanted = g_getenv (starters[i].size), *rank = g_getenv (starters[i].rank);
      if (strcmp (starters[i].mpi, PD_MPI) == 0 || wanted == NULL || strcmp (wanted, "1") == 0)
        continue;
      if (rank == NULL || strcmp (rank, "0") == 0)
        fprintf (stderr,
                 "predictor-measure: the mpiexec of %s starts %s processes, and this program is "
                 "built for %s, under which each is alone: start predictor-measure.%s\n",
                 starters[i].name, wanted, own, starters[i].mpi);
      return FALSE;
    }
  return TRUE;
}

static int
run_command (gsize i, int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  gboolean done = FALSE;
  int status;

  for (int k = 1; k < argc; k++)
    if (strcmp (argv[k], "--help") == 0 || strcmp (argv[k], "-h") == 0)
      {
        g_autofree char *name = g_strconcat ("predictor-measure ", commands[i].name, NULL);
        char *help[] = { argv[0], (char *) "--help", NULL };
        g_set_prgname (name);
        commands[i].run (2, help, &error);
      }
  if (commands[i].alone != NULL && !commands[i].alone (argc, argv, &done, &error))
    return print_error (commands[i].name, error);
  if (done)
    return EXIT_SUCCESS;
  if (commands[i].without_mpi)
    return commands[i].run (argc, argv, &error) ? EXIT_SUCCESS
                                                : print_error (commands[i].name, error);
  start_mpi (&argc, &argv);
  gboolean is_started = check_starter ();
  if (is_started)
    commands[i].run (argc, argv, &error);
  status = is_started ? tell (commands[i].name, error) : 2;
  MPI_Finalize ();
  return status;
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
  pd_target_remove_at_signals ();
  if (argc >= 2 && (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0))
    {
      print_help (stdout);
      return EXIT_SUCCESS;
    }
  if (argc >= 2 && strcmp (argv[1], "--version") == 0)
    {
      puts (
          "predictor-measure " PD_VERSION " (" PD_MPI ")\n"
          "Licence: GPL 3 or later, because of the GNU Scientific Library; its own sources: MIT.\n"
          "There is no warranty.");
      return EXIT_SUCCESS;
    }
  for (gsize i = 0; argc >= 2 && i < G_N_ELEMENTS (commands); i++)
    if (strcmp (argv[1], commands[i].name) == 0)
      return run_command (i, argc - 1, argv + 1);

  if (argc >= 2)
    {
      g_autofree char *shown = pd_text_show (argv[1]);
      fprintf (stderr, "predictor-measure: unknown command '%s'\nTry 'predictor-measure --help'.\n",
               shown);
    }
  else
    print_help (stderr);
  return 2;
}
