/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "predictor/options/pd-local-server.h"

#include "serve/pd-serve-socket.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* Microseconds: how often it is looked at, and started again at most. */
#define CHECK_TIME (G_USEC_PER_SEC / 20)
#define START_TIME G_USEC_PER_SEC
/* How long its socket is waited for. */
#define START_PATIENCE (10 * G_USEC_PER_SEC)
/* How long it may take to end. */
#define END_PATIENCE (5 * G_USEC_PER_SEC)

/* In a folder of its own. */
#define SOCKET_NAME "server"

struct _PdLocalServer
{
  char *program;
  char *folder;
  char *socket;
  GPid pid; /* 0 = none */
  gint64 started;
  gint64 checked;
  char *death; /* (nullable): how it died first */
};

/* In the new process: the terminal's interruption is for this command, which then ends
 * it. */
static void
ignore_interrupt (gpointer data)
{
  (void) data;
  signal (SIGINT, SIG_IGN);
}

static gboolean
start (PdLocalServer *self, GError **error)
{
  g_autofree char *owner = g_strdup_printf ("--owner=%ld", (glong) getpid ());
  char *argv[] = {
    self->program, (char *) "serve", owner, (char *) "--socket", self->socket, NULL
  };
  GSpawnFlags flags =
      G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL;

  self->started = g_get_monotonic_time ();
  return g_spawn_async (NULL, argv, NULL, flags, ignore_interrupt, NULL, &self->pid, error);
}

/* Where only the own user comes in, and the name of a socket is not too long. */
static char *
make_folder (GError **error)
{
  static const char name[] = "predictor-serve-XXXXXX";
  const char *const places[] = { g_getenv ("XDG_RUNTIME_DIR"), g_get_tmp_dir () };
  const gsize n_most = sizeof ((struct sockaddr_un *) NULL)->sun_path;
  const char *why = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (places); i++)
    {
      if (places[i] == NULL || !g_path_is_absolute (places[i]))
        continue;
      g_autofree char *folder = g_build_filename (places[i], name, NULL);
      if (strlen (folder) + sizeof "/" SOCKET_NAME > n_most)
        why = "the name of a socket in it is too long";
      else if (g_mkdtemp (folder) == NULL)
        why = g_strerror (errno);
      else
        return g_steal_pointer (&folder);
    }
  g_set_error (error, PD_SERVE_ERROR, PD_SERVE_ERROR_SOCKET, "%s: %s", g_get_tmp_dir (),
               why != NULL ? why : "not a folder from the root on");
  return NULL;
}

static char *
describe (int status)
{
  return WIFSIGNALED (status) ? g_strdup_printf ("signal %d (%s)", WTERMSIG (status),
                                                 g_strsignal (WTERMSIG (status)))
                              : g_strdup_printf ("exit status %d", WEXITSTATUS (status));
}

/* Until clients can connect. */
static gboolean
wait_for_socket (PdLocalServer *self, GError **error)
{
  int status = 0;

  while (waitpid (self->pid, &status, WNOHANG) == 0)
    {
      int fd = pd_serve_connect (self->socket, NULL);
      if (fd >= 0)
        close (fd);
      if (fd >= 0 || g_get_monotonic_time () - self->started > START_PATIENCE)
        return TRUE;
      g_usleep (1000);
    }
  g_autofree char *death = describe (status);
  self->pid = 0;
  g_set_error (error, PD_SERVE_ERROR, PD_SERVE_ERROR_SOCKET, "it ended at once: %s", death);
  return FALSE;
}

PdLocalServer *
pd_local_server_start (const char *program, GError **error)
{
  char *folder = make_folder (error);

  if (folder == NULL)
    return NULL;
  PdLocalServer *self = g_new0 (PdLocalServer, 1);
  self->program = g_strdup (program);
  self->folder = folder;
  self->socket = g_build_filename (folder, SOCKET_NAME, NULL);
  if (start (self, error) && wait_for_socket (self, error))
    return self;
  pd_local_server_free (self);
  return NULL;
}

const char *
pd_local_server_get_socket (const PdLocalServer *self)
{
  return self->socket;
}

const char *
pd_local_server_check (PdLocalServer *self, gint64 now)
{
  const char *death = NULL;
  int status;

  if (now - self->checked < CHECK_TIME)
    return NULL;
  self->checked = now;
  if (self->pid > 0 && waitpid (self->pid, &status, WNOHANG) == self->pid)
    {
      self->pid = 0;
      if (self->death == NULL)
        death = self->death = describe (status);
    }
  /* what cannot be started now is tried again */
  if (self->pid == 0 && now - self->started >= START_TIME && !start (self, NULL))
    self->pid = 0;
  return death;
}

/* One that was stopped goes on first; one that does not listen is killed. */
static void
end (GPid pid)
{
  gint64 begin = g_get_monotonic_time ();

  kill (pid, SIGTERM);
  kill (pid, SIGCONT);
  while (waitpid (pid, NULL, WNOHANG) == 0)
    {
      g_usleep (1000);
      if (g_get_monotonic_time () - begin > END_PATIENCE)
        kill (pid, SIGKILL);
    }
}

void
pd_local_server_free (PdLocalServer *self)
{
  if (self == NULL)
    return;
  if (self->pid > 0)
    end (self->pid);
  /* what a killed one has left */
  g_autofree char *lock = g_strconcat (self->socket, ".lock", NULL);
  g_unlink (self->socket);
  g_unlink (lock);
  g_rmdir (self->folder);
  g_free (self->program);
  g_free (self->folder);
  g_free (self->socket);
  g_free (self->death);
  g_free (self);
}
