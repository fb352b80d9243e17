/* predictor-mpi sweep …: a study by the ranks of an MPI program. Rank 0 is as
 * "predictor sweep"; the others compute. The one place of it that prints errors and
 * decides statuses.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "base/options/pd-option-words.h"
#include "predictor/options/cmd-tools.h"
#include "mpi/pd-mpi-world.h"
#include "base/pd-target.h"
#include "predictor/cli/cmd-sweep-private.h"
#include "predictor/cli/pd-commands.h"
#include "predictor/cli/pd-memory-limit.h"
#include "serve/pd-client.h"
#include "sweep/run/pd-in-process-worker.h"
#include "predictor/search/pd-point-check.h"
#include "predictor/search/pd-point-predict.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char summary[] =
    "Predicts every point of a study, by the ranks of an MPI program, and keeps the results in an\n"
    "SQLite file, which rank 0 writes. If it was stopped, the same command continues it.\n\n"
    "Example: mpiexec -n 16 predictor-mpi sweep heat2d.ptr.gz -m mvs1000 --vary procs=1:64:x2 "
    "--vary network/startup=1us,5us,20us --db study.sqlite";

static void
print_help (FILE *out)
{
  fputs ("Usage: mpiexec -n N predictor-mpi sweep [OPTION…] STUDY | TRACE…\n\n"
         "Predicts all points of a study into one database: rank 0 coordinates, the others\n"
         "compute.\n\nCommands:\n"
         "  sweep      as 'predictor sweep'\n"
         "\nOptions:\n  --help     show this and exit\n  --version  show the version and exit\n"
         "  --max-memory=SIZE  the most memory that each rank takes, as 4GiB (default:\n"
         "             nine tenths of the machine's)\n\n"
         "Example: mpiexec -n 16 predictor-mpi sweep study.xml --db study.sqlite\n"
         "'predictor-mpi sweep --help' describes the command.\n",
         out);
}

/* ---- a point that ends its process, and so all of them */

static char last_words[256];
static size_t n_last_words;
static int own_rank;

/* Written now, since it cannot be then. */
static void
set_last_words (gint64 point)
{
  char where[64] = "";

  if (point >= 0)
    g_snprintf (where, sizeof where, " while it computed point %" G_GINT64_FORMAT, point);
  g_snprintf (last_words, sizeof last_words,
              "predictor-mpi sweep: rank %d died%s, which under MPI ends all ranks; the same "
              "command goes on from the file, and 'predictor sweep' survives such points\n",
              own_rank, where);
  n_last_words = strlen (last_words);
}

static gboolean
compute (gpointer self, gint64 point, GByteArray *out, GError **error)
{
  set_last_words (point);
  gboolean ok = pd_point_class.compute (self, point, out, error);
  set_last_words (-1);
  return ok;
}

static const int deadly[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
static struct sigaction before[G_N_ELEMENTS (deadly)];

/* Reports it, and calls the previous handler. */
static void
die (int number)
{
  gssize ignored = write (STDERR_FILENO, last_words, n_last_words);

  (void) ignored;
  for (gsize i = 0; i < G_N_ELEMENTS (deadly); i++)
    if (deadly[i] == number)
      sigaction (number, &before[i], NULL);
  raise (number);
}

static void
catch_deaths (void)
{
  struct sigaction action = { .sa_handler = die, .sa_flags = SA_NODEFER };

  set_last_words (-1);
  sigemptyset (&action.sa_mask);
  for (gsize i = 0; i < G_N_ELEMENTS (deadly); i++)
    sigaction (deadly[i], &action, &before[i]);
}

static PdPointClass
make_point_class (void)
{
  PdPointClass class = pd_point_class;

  class.compute = compute;
  return class;
}

/* ---- ranks */

static PdPointClass point_class;

static PdTransport *
start (gpointer data, const PdStudy *study, GError **error)
{
  PdMpiWorld *world = data;

  (void) error;
  return pd_mpi_world_get_size (world) == 1 ? pd_in_process_worker_new (study, &point_class)
                                            : pd_mpi_world_new_transport (world);
}

static int
coordinate (PdMpiWorld *world, int argc, char **argv)
{
  const PdSweepEngine engine = {
    .name = "predictor-mpi", .summary = summary, .is_alone = TRUE, .start = start, .data = world
  };
  g_autoptr (GError) error = NULL;
  int status = pd_sweep_command_run (&engine, argc, argv, &error);

  if (error == NULL)
    return status;
  pd_cmd_say_error ("predictor-mpi sweep: ", error);
  if (error->domain != PD_USAGE_ERROR)
    return status != PD_EXIT_OK ? status : PD_EXIT_FAILURE;
  fputs ("Try 'predictor-mpi sweep --help'.\n", stderr);
  return PD_EXIT_USAGE;
}

/* Rank 0 handles interruptions and requests to end. */
static int
work (PdMpiWorld *world)
{
  g_autoptr (GError) error = NULL;

  signal (SIGINT, SIG_IGN);
  signal (SIGTERM, SIG_IGN);
  signal (SIGHUP, SIG_IGN);
  if (pd_worker_run (pd_mpi_world_get_link (world), &point_class, &pd_point_names, &error)
      || pd_mpi_world_is_over (world))
    return PD_EXIT_OK;
  pd_cmd_say (stderr, "predictor-mpi sweep: rank %d: %s", own_rank, error->message);
  return PD_EXIT_FAILURE;
}

/* ---- the user's data server */

/* Once, though each node may lack one. */
static void
report_lost (const GError *error)
{
  if (own_rank == 0)
    pd_cmd_say_error ("predictor-mpi: no data server, traces are parsed here: ", error);
}

/* One that is there; to start one would be to fork under MPI. */
static PdClient *
find_server (void)
{
  const char *path = g_getenv ("PREDICTOR_SERVER");

  return path != NULL && path[0] != '\0' ? pd_client_new (path, report_lost) : NULL;
}

/* ---- the end, also where --help exits */

static PdMpiWorld *the_world;
static PdClient *the_client;
static int the_status;

static void
leave (void)
{
  PdMpiWorld *world = g_steal_pointer (&the_world);

  pd_client_free (g_steal_pointer (&the_client));
  errno = 0;
  if (fflush (stdout) != 0 || ferror (stdout))
    {
      fprintf (stderr, "predictor-mpi: cannot write standard output: %s\n", g_strerror (errno));
      the_status = the_status == PD_EXIT_OK ? PD_EXIT_FAILURE : the_status;
    }
  if (world != NULL)
    pd_mpi_world_end (world, the_status);
}

static int
run (int argc, char **argv)
{
  the_world = pd_mpi_world_new (&argc, &argv);
  if (the_world == NULL)
    {
      fputs ("predictor-mpi: this MPI does not work together with threads\n", stderr);
      return PD_EXIT_FAILURE;
    }
  own_rank = pd_mpi_world_get_rank (the_world);
  point_class = make_point_class ();
  the_client = find_server ();
  atexit (leave);
  catch_deaths ();
  pd_target_remove_at_signals ();
  the_status = own_rank == 0 ? coordinate (the_world, argc - 1, argv + 1) : work (the_world);
  leave ();
  return the_status;
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
  g_set_prgname ("predictor-mpi");
  g_autoptr (GError) error = NULL;
  if (!pd_memory_limit_take (&argc, argv, &error))
    {
      fprintf (stderr, "predictor-mpi: %s\nTry 'predictor-mpi --help'.\n", error->message);
      return PD_EXIT_USAGE;
    }
  if (argc >= 2 && (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0))
    {
      print_help (stdout);
      return PD_EXIT_OK;
    }
  if (argc >= 2 && strcmp (argv[1], "--version") == 0)
    {
      puts ("predictor-mpi " PD_VERSION " (" PD_MPI ")\nLicence: MIT; there is no warranty.");
      return PD_EXIT_OK;
    }
  if (argc >= 2 && strcmp (argv[1], "sweep") == 0)
    return run (argc, argv);
  if (argc >= 2)
    {
      pd_cmd_say (stderr, "predictor-mpi: unknown command '%s'", argv[1]);
      fputs ("Try 'predictor-mpi --help'.\n", stderr);
    }
  else
    print_help (stderr);
  return PD_EXIT_USAGE;
}
