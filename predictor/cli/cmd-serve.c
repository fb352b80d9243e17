/* predictor serve: parses traces once for all predictions on this machine.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "base/pd-text.h"
#include "predictor/options/cmd-tools.h"
#include "predictor/cli/pd-commands.h"
#include "serve/pd-client.h"
#include "serve/pd-server.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char summary[] =
    "Parses traces once, and shares them with all predictions on this machine that find its\n"
    "socket in $PREDICTOR_SERVER.\n\n"
    "Example: predictor serve --socket ./traces.socket heat2d.ptr.gz ring.ti";

/* How many clients and traces it is ready for, if the system lets it. */
#define MAX_FILES 65536

typedef struct
{
  char *socket;
  gboolean background;
  gboolean status;
  gboolean stop;
  gint64 owner; /* a process that it ends with; then the folder of the socket goes, too */
} ServeCommand;

static void
command_clear (ServeCommand *self)
{
  g_free (self->socket);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ServeCommand, command_clear)

static gboolean
parse (ServeCommand *self, int *argc, char ***argv, GError **error)
{
  const GOptionEntry entries[] = {
    { "socket", 0, 0, G_OPTION_ARG_FILENAME, &self->socket,
      "The socket for clients (default: $PREDICTOR_SERVER, or predictor.socket in "
      "$XDG_RUNTIME_DIR)",
      "PATH" },
    { "background", 'b', 0, G_OPTION_ARG_NONE, &self->background,
      "Return when clients can connect; print nothing later (default: off)", NULL },
    { "status", 0, 0, G_OPTION_ARG_NONE, &self->status,
      "Print the state of a running server (default: off)", NULL },
    { "stop", 0, 0, G_OPTION_ARG_NONE, &self->stop, "End a running server (default: off)", NULL },
    { "owner", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_INT64, &self->owner, "", "PID" },
    { .long_name = NULL },
  };

  if (!pd_command_parse (argc, argv, "[TRACE…]", summary, entries, error))
    return FALSE;
  pd_command_find_recordings (*argv + 1, *argc - 1);
  if (self->status + self->stop > 1 || ((self->status || self->stop) && *argc > 1))
    {
      g_set_error (error, PD_USAGE_ERROR, 0,
                   "--status and --stop are for a running server: no traces, and one of both");
      return FALSE;
    }
  if (self->socket == NULL && g_getenv ("PREDICTOR_SERVER") != NULL)
    self->socket = g_strdup (g_getenv ("PREDICTOR_SERVER"));
  if (self->socket == NULL && g_getenv ("XDG_RUNTIME_DIR") != NULL)
    self->socket = g_build_filename (g_getenv ("XDG_RUNTIME_DIR"), "predictor.socket", NULL);
  if (self->socket != NULL && self->socket[0] != '\0')
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0,
               "--socket PATH is expected, for neither $PREDICTOR_SERVER nor $XDG_RUNTIME_DIR is "
               "set");
  return FALSE;
}

/* ---- serving */

static volatile sig_atomic_t stopped;

static void
on_signal (int number)
{
  (void) number;
  stopped = 1;
}

/* Signals that end the server come only while it waits. @waiting: those that are blocked
 * then. The terminal's interruption is for the owner, if there is one. */
static void
catch_signals (gboolean is_owned, sigset_t *waiting)
{
  static const int numbers[] = { SIGTERM, SIGINT, SIGHUP };
  struct sigaction action = { .sa_handler = on_signal };
  sigset_t blocked;

  sigemptyset (&blocked);
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      sigaction (numbers[i], &action, NULL);
      sigaddset (&blocked, numbers[i]);
    }
  sigprocmask (SIG_BLOCK, &blocked, waiting);
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    sigdelset (waiting, numbers[i]);
  signal (SIGPIPE, SIG_IGN);
  if (is_owned)
    signal (SIGINT, SIG_IGN);
}

/* The old process ends when the new one is ready, or with its status if it fails. Returns
 * where the new one says that it is. */
static int
go_to_background (GError **error)
{
  int ends[2], status = 0;
  char byte;

  pid_t pid = pipe2 (ends, O_CLOEXEC) == 0 ? fork () : -1;
  if (pid < 0)
    {
      g_set_error (error, PD_SERVE_ERROR, PD_SERVE_ERROR_SOCKET, "cannot go to the background: %s",
                   g_strerror (errno));
      return -1;
    }
  if (pid == 0)
    {
      close (ends[0]);
      setsid ();
      return ends[1];
    }
  close (ends[1]);
  if (read (ends[0], &byte, 1) == 1)
    _exit (PD_EXIT_OK);
  waitpid (pid, &status, 0);
  _exit (WIFEXITED (status) ? WEXITSTATUS (status) : PD_EXIT_FAILURE);
}

/* Tells the old process at @ready, and is silent from now on. */
static void
leave_terminal (int ready)
{
  int null = open ("/dev/null", O_RDWR | O_CLOEXEC);

  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO && null >= 0; fd++)
    dup2 (null, fd);
  if (write (ready, "", 1) == 1)
    close (ready);
}

/* Prints the address for clients. */
static gboolean
announce (const ServeCommand *command, GError **error)
{
  g_autofree char *path = g_canonicalize_filename (command->socket, NULL);

  if (printf ("PREDICTOR_SERVER=%s\n", path) > 0 && fflush (stdout) == 0)
    return TRUE;
  g_set_error (error, PD_SERVE_ERROR, PD_SERVE_ERROR_SOCKET, "cannot write standard output: %s",
               g_strerror (errno));
  return FALSE;
}

/* An owner that has gone before this is no longer the parent. */
static gboolean
follow_owner (const ServeCommand *command, GError **error)
{
  prctl (PR_SET_PDEATHSIG, SIGTERM);
  if (getppid () == (pid_t) command->owner)
    return TRUE;
  g_set_error (error, PD_SERVE_ERROR, PD_SERVE_ERROR_SOCKET,
               "process %" G_GINT64_FORMAT " has not started this server", command->owner);
  return FALSE;
}

static gboolean
serve (const ServeCommand *command, int n, char **traces, GError **error)
{
  sigset_t waiting;
  int ready = -1;

  if (command->background && (ready = go_to_background (error)) < 0)
    return FALSE;
  catch_signals (command->owner != 0, &waiting);
  if (command->owner != 0 && !follow_owner (command, error))
    return FALSE;
  pd_cmd_allow_files (MAX_FILES);
  g_autoptr (PdServer) server = pd_server_new (command->socket, error);
  if (server == NULL)
    return FALSE;
  for (int i = 0; i < n; i++)
    if (!pd_server_add (server, traces[i], error))
      return FALSE;
  if (command->owner != 0)
    pd_server_keep_all (server);
  if (command->owner == 0 && !announce (command, error))
    return FALSE;
  if (ready >= 0)
    leave_terminal (ready);
  return pd_server_run (server, &stopped, &waiting, error);
}

/* The folder that the owner of the server has made for its socket. */
static void
remove_folder (const ServeCommand *command)
{
  g_autofree char *folder = g_path_get_dirname (command->socket);

  g_rmdir (folder);
}

static gboolean
print_status (const ServeCommand *command, GError **error)
{
  g_autoptr (GBytes) status = pd_client_get_status (command->socket, error);
  gsize size;

  if (status == NULL)
    return FALSE;
  const char *data = g_bytes_get_data (status, &size);
  g_autofree char *text = g_strndup (data, size), *shown = pd_text_show_lines (text);
  fputs (shown, stdout);
  return TRUE;
}

int
pd_cmd_serve (int argc, char **argv, GError **error)
{
  g_auto (ServeCommand) command = { .socket = NULL };
  gboolean ok;

  if (!parse (&command, &argc, &argv, error))
    return PD_EXIT_USAGE;
  if (command.status)
    ok = print_status (&command, error);
  else if (command.stop)
    ok = pd_client_stop_server (command.socket, error);
  else
    ok = serve (&command, argc - 1, argv + 1, error);
  if (command.owner != 0)
    remove_folder (&command);
  return ok ? PD_EXIT_OK : PD_EXIT_FAILURE;
}
