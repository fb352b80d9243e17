/* predictor sweep: predicts all points of a study into one database.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "predictor/cli/cmd-sweep-private.h"

#include "base/pd-text.h"
#include "predictor/options/cmd-tools.h"
#include "predictor/cli/pd-commands.h"
#include "predictor/options/pd-local-server.h"
#include "serve/pd-client.h"
#include "sweep/run/pd-local-workers.h"
#include "sweep/run/pd-sweep.h"
#include "predictor/search/pd-point-check.h"
#include "predictor/search/pd-point-predict.h"
#include "reports/emit/pd-format.h"
#include "sweep/study/pd-study-db-add.h"
#include "sweep/study/pd-study-xml.h"
#include "sweep/run/pd-local-link.h"
#include "traces/io/pd-trace-error.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char summary[] =
    "Predicts every point of a study, in several processes, and keeps the results in an SQLite\n"
    "file. If it was stopped, the same command continues it.\n\n"
    "Example: predictor sweep heat2d.ptr.gz -m mvs1000 --vary procs=1:64:x2 "
    "--vary network/startup=1us,5us,20us --db study.sqlite";

/* ---- the work of a worker */

/* A worker does not report the end of its coordinator; the coordinator reports the end of its data
 * server. */
static int
run_worker (const PdSweepCommand *command, GError **error)
{
  PdClient *client = command->server != NULL ? pd_client_new (command->server, NULL) : NULL;
  PdWorkerLink *link = pd_local_link_new ((int) command->worker);
  g_autoptr (GError) local = NULL;

  gboolean ok = pd_worker_run (link, &pd_point_class, &pd_point_names, &local);
  pd_local_link_free (link);
  pd_client_free (client);
  if (!ok && !g_error_matches (local, PD_TRANSPORT_ERROR, PD_TRANSPORT_ERROR_GONE))
    g_propagate_error (error, g_steal_pointer (&local));
  return ok ? PD_EXIT_OK : PD_EXIT_FAILURE;
}

/* ---- progress */

typedef struct
{
  gboolean wanted;
  gboolean shown;
  gint64 next; /* moment of the next line, in microseconds of the sweep */
  gboolean quiet;
  PdLocalServer *server; /* (nullable) */
} Display;

static void
check_server (Display *display)
{
  const char *death = display->server != NULL
                          ? pd_local_server_check (display->server, g_get_monotonic_time ())
                          : NULL;

  if (death == NULL || display->quiet)
    return;
  fprintf (stderr,
           "%spredictor sweep: the data server died: %s; until it is there again, and whenever "
           "that happens, traces are parsed by those who need them\n",
           display->shown ? "\r\033[K" : "", death);
}

/* A line on a terminal, a few times a second, once the work takes longer than that. */
static void
show_progress (gpointer data, const PdSweepProgress *p)
{
  Display *display = data;
  gint64 now = (gint64) (p->seconds * 1e6);
  char time[64];

  check_server (display);
  if (!display->wanted || now < display->next || p->n_new == 0)
    return;
  display->next = now + 250000;
  display->shown = TRUE;
  gdouble rate = (gdouble) p->n_new / p->seconds;
  fprintf (stderr, "\r\033[K%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT ", %.0f points/s, %.0f s left",
           p->n_done, p->n, rate, (gdouble) (p->n - p->n_done) / rate);
  if (p->best >= 0)
    fprintf (stderr, ", best %s s at point %" G_GINT64_FORMAT, pd_time_format (p->best_time, time),
             p->best);
  fflush (stderr);
}

static void
end_progress (const Display *display)
{
  if (display->shown)
    fputs ("\r\033[K", stderr);
}

/* ---- messages at the end */

int
pd_sweep_command_conclude (const char *db, gint64 n_incomplete, GError **error)
{
  if (n_incomplete == 0)
    return PD_EXIT_OK;
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_TRUNCATED,
               "%s: of %" G_GINT64_FORMAT " points the trace ends early, is damaged or contradicts "
               "itself: their warnings say where",
               db, n_incomplete);
  return PD_EXIT_INCOMPLETE;
}

void
pd_sweep_command_append_counts (GString *out, const gint64 *counts)
{
  gboolean first = TRUE;

  for (guint s = 0; s < PD_N_POINT_STATUSES; s++)
    {
      if (counts[s] == 0)
        continue;
      g_string_append_printf (out, "%s%" G_GINT64_FORMAT " %s", first ? ": " : ", ", counts[s],
                              pd_point_status_name ((PdPointStatus) s));
      first = FALSE;
    }
  g_string_append_c (out, '\n');
}

static gboolean
print_summary (const PdSweepCommand *command, const PdStudy *study, PdStudyDb *db,
               const PdSweepProgress *p, GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree char *failure = pd_study_db_describe_failure (db);
  g_autofree char *clean = failure != NULL ? pd_text_show_lines (failure) : NULL;
  gint64 counts[PD_N_POINT_STATUSES];
  char time[64];

  if (command->quiet)
    return TRUE;
  g_string_append_printf (out, "%s: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " points",
                          command->db, p->n_done, p->n);
  for (guint s = 0; s < PD_N_POINT_STATUSES; s++)
    counts[s] = pd_study_db_count (db, (PdPointStatus) s);
  pd_sweep_command_append_counts (out, counts);
  if (p->n_new > 0 && g_getenv ("SOURCE_DATE_EPOCH") == NULL)
    g_string_append_printf (out, "%" G_GINT64_FORMAT " computed in %.1f s, %.0f points/s\n",
                            p->n_new, p->seconds, (gdouble) p->n_new / MAX (p->seconds, 1e-6));
  if (p->best >= 0)
    {
      g_autofree char *point = pd_study_describe_point (study, p->best);
      g_string_append_printf (out, "least execution time: %s s, point %" G_GINT64_FORMAT ": %s\n",
                              pd_time_format (p->best_time, time), p->best, point);
    }
  if (clean != NULL)
    g_string_append_printf (out, "without a result: %s\n", clean);
  if (!pd_study_db_is_whole (db))
    g_string_append_printf (out, "a part of it is in %s-wal, which belongs to the file\n",
                            command->db);
  return pd_report_save ("-", out, error);
}

/* --dry-run: what would be computed. */
static gboolean
print_study (const PdSweepCommand *command, const PdStudy *study, GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);
  gint64 n = pd_study_get_n_points (study);

  pd_study_write (study, out);
  g_string_append_printf (out, "<!-- %" G_GINT64_FORMAT " point%s -->\n", n, n == 1 ? "" : "s");
  return command->quiet || pd_report_save ("-", out, error);
}

/* ---- computing */

char *
pd_sweep_command_find_program (GError **error)
{
  g_autoptr (GError) local = NULL;
  char *path = g_file_read_link ("/proc/self/exe", &local);

  if (path == NULL)
    g_set_error (error, PD_TRANSPORT_ERROR, PD_TRANSPORT_ERROR_START,
                 "cannot find this program, to start workers: %s", local->message);
  return path;
}

/* The socket of the user's server; NULL = there is none. */
static const char *
get_users_server (void)
{
  const char *path = g_getenv ("PREDICTOR_SERVER");

  return path != NULL && path[0] != '\0' ? path : NULL;
}

/* Unless the user has one, or wants none. Without it each process parses for itself. */
static PdLocalServer *
start_server (const PdSweepCommand *command)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  PdLocalServer *server = NULL;

  if (command->no_server || command->dry_run || command->engine->start != NULL
      || get_users_server () != NULL)
    return NULL;
  if ((path = pd_sweep_command_find_program (&error)) != NULL)
    server = pd_local_server_start (path, &error);
  if (server == NULL && !command->quiet)
    pd_cmd_say_error ("predictor sweep: no data server, each process parses the traces: ", error);
  return server;
}

/* Where the workers get traces from; NULL = from their files. */
static char *
make_server_option (const PdSweepCommand *command, const PdLocalServer *server)
{
  const char *path = server != NULL ? pd_local_server_get_socket (server) : get_users_server ();

  return path != NULL && !command->no_server ? g_strconcat ("--data-server=", path, NULL) : NULL;
}

static PdTransport *
start_workers (const PdSweepCommand *command, const PdLocalServer *server, gint64 n_points,
               GError **error)
{
  g_autofree char *path = pd_sweep_command_find_program (error);
  g_autofree char *fd = g_strdup_printf ("--worker=%d", PD_LOCAL_WORKER_FD);
  g_autofree char *from = make_server_option (command, server);
  const char *const argv[] = { path, "sweep", fd, from, NULL };
  gint64 n = command->n_jobs > 0 ? command->n_jobs : (gint64) g_get_num_processors ();

  if (path == NULL)
    return NULL;
  return pd_local_workers_new ((guint) CLAMP (n, 1, MAX (n_points, 1)), argv, NULL, NULL, error);
}

/* Says how much is in the file when something went wrong on the way. */
static void
add_saved (const PdSweepCommand *command, PdStudyDb *db, GError **error)
{
  g_autofree char *text = g_strdup ((*error)->message);
  g_autofree char *log =
      pd_study_db_is_whole (db) ? NULL : g_strdup_printf (" and '%s-wal'", command->db);

  g_free ((*error)->message);
  (*error)->message = g_strdup_printf ("%s; '%s'%s has the finished points, and the same "
                                       "command continues from there",
                                       text, command->db, log != NULL ? log : "");
}

static int
compute (const PdSweepCommand *command, const PdStudy *study, PdStudyDb *db, const GArray *inputs,
         PdLocalServer *server, GError **error)
{
  Display display = { .wanted = !command->quiet && isatty (STDERR_FILENO),
                      .next = 1000000,
                      .quiet = command->quiet,
                      .server = server };
  const PdSweepOptions options = { .stop = pd_cmd_catch_interrupt (),
                                   .progress = show_progress,
                                   .data = &display,
                                   .shard = command->shard,
                                   .n_shards = command->n_shards,
                                   .no_times = g_getenv ("SOURCE_DATE_EPOCH") != NULL,
                                   .inputs = command->engine->start != NULL ? inputs : NULL };
  gint64 n_missing = pd_study_get_n_points (study);
  PdSweepProgress progress;

  for (guint s = 0; s < PD_N_POINT_STATUSES; s++)
    n_missing -= pd_study_db_count (db, (PdPointStatus) s);
  g_autoptr (PdTransport) workers =
      command->engine->start != NULL ? command->engine->start (command->engine->data, study, error)
                                     : start_workers (command, server, n_missing, error);
  if (workers == NULL)
    return PD_EXIT_FAILURE;
  gboolean ok = pd_sweep_run (study, db, workers, &options, &progress, error);
  end_progress (&display);
  if (!ok)
    {
      add_saved (command, db, error);
      return PD_EXIT_FAILURE;
    }
  if ((progress.n_new > 0 && !pd_point_check_inputs (inputs, error))
      || !print_summary (command, study, db, &progress, error))
    return PD_EXIT_FAILURE;
  if (progress.interrupted)
    return PD_EXIT_INTERRUPTED;
  return pd_sweep_command_conclude (command->db, pd_study_db_count (db, PD_POINT_INCOMPLETE),
                                    error);
}

static int
sweep (const PdSweepCommand *command, const PdStudy *study, const char *command_line,
       PdLocalServer *server, GError **error)
{
  g_autoptr (GArray) inputs = pd_point_list_inputs (study, error);
  g_autofree char *made = pd_cmd_format_now ();
  const PdStudyOrigin origin = { .command_line = command_line,
                                 .made = made,
                                 .inputs = inputs,
                                 .shard = command->shard,
                                 .n_shards = command->n_shards };

  if (inputs == NULL)
    return PD_EXIT_FAILURE;
  g_autoptr (PdStudyDb) db = pd_study_db_open (command->db, study, &pd_point_names, &origin, error);
  return db == NULL ? PD_EXIT_FAILURE : compute (command, study, db, inputs, server, error);
}

/* Everything that looks at traces. */
static int
look_and_sweep (const PdSweepCommand *command, const PdStudy *study, const char *command_line,
                GError **error)
{
  g_autoptr (PdLocalServer) server = start_server (command);
  PdClient *client =
      server != NULL ? pd_client_new (pd_local_server_get_socket (server), NULL) : NULL;
  int status = PD_EXIT_FAILURE;

  if (command->no_server)
    pd_trace_share_set (NULL, NULL);
  if (pd_point_check_study (study, error))
    status = !command->dry_run ? sweep (command, study, command_line, server, error)
             : print_study (command, study, error) ? PD_EXIT_OK
                                                   : PD_EXIT_FAILURE;
  pd_client_free (client);
  return status;
}

/* The command line as a user would write it. */
static char *
join (const PdSweepEngine *engine, int argc, char **argv)
{
  g_autofree char *text = pd_cmd_join (argc, argv);

  return g_strconcat (engine->name, strchr (text, ' '), NULL);
}

static int
run_study (const PdSweepCommand *command, int argc, char **argv, const char *command_line,
           GError **error)
{
  g_autoptr (PdStudy) study = pd_study_new (&pd_point_names);

  if (!pd_sweep_command_make_study (command, argc, argv, study, error))
    return PD_EXIT_FAILURE;
  if (command->slurm <= 0)
    return look_and_sweep (command, study, command_line, error);
  if (!pd_point_check_study (study, error))
    return PD_EXIT_FAILURE;
  return pd_sweep_command_submit (command, study, command_line, error);
}

int
pd_sweep_command_run (const PdSweepEngine *engine, int argc, char **argv, GError **error)
{
  g_autofree char *command_line = join (engine, argc, argv);
  g_auto (PdSweepCommand) command = { .engine = engine, .worker = -1 };
  g_autofree char *name = g_strconcat (engine->name, " ", argv[0], NULL);

  argv[0] = engine->is_alone ? name : argv[0];
  if (!pd_sweep_command_parse (&command, &argc, &argv, error))
    return PD_EXIT_USAGE;
  if (command.worker >= 0)
    return run_worker (&command, error);
  if (command.merge != NULL)
    return pd_sweep_command_merge (command.merge, (const char *const *) argv + 1, command_line,
                                   command.quiet, error);
  return run_study (&command, argc, argv, command_line, error);
}

int
pd_cmd_sweep (int argc, char **argv, GError **error)
{
  const PdSweepEngine engine = { .name = "predictor", .summary = summary };

  return pd_sweep_command_run (&engine, argc, argv, error);
}
