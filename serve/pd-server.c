/* One thread, which waits for clients and for processes that parse.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "serve/pd-server.h"

#include "serve/pd-serve-socket.h"
#include "serve/pd-serve-traces.h"
#include "traces/io/pd-output.h"
#include "traces/open/pd-trace-formats.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* The interval of messages "being parsed" to clients that wait for a trace. */
#define WAIT_SECONDS 1

/* So many file descriptors are kept from new clients, for what those that are there ask. */
#define N_KEPT 64

/* So many new clients at most come in, and so many others are heard, before the next turn. */
#define N_AT_ONCE 64

/* A client. */
typedef struct
{
  int fd;
  guint64 waits_for; /* a trace, which it holds; 0 = none */
  GArray *held;      /* guint64: what it has got */
} Client;

struct _PdServer
{
  char *path;
  char *lock_path;
  int lock;
  int listener;
  int spare;  /* closed for a moment to refuse a client when there is no other */
  int max_fd; /* of a client */
  GPtrArray *clients;
  int epoll; /* of them all: the time of a turn does not grow with those that say nothing */
  PdServeTraces *traces;
  GArray *polls;
  gint64 notified; /* the last such message */
  gboolean at_end;
};

static void
client_free (gpointer data)
{
  Client *self = data;

  close (self->fd);
  g_array_unref (self->held);
  g_free (self);
}

/* In a process that parses. */
static void
close_all (gpointer data)
{
  const PdServer *self = data;

  close (self->listener);
  close (self->lock);
  close (self->spare);
  close (self->epoll);
  for (guint i = 0; i < self->clients->len; i++)
    close (((Client *) g_ptr_array_index (self->clients, i))->fd);
}

/* ---- beginning */

static gboolean
is_same_file (int fd, const char *path)
{
  struct stat a, b;

  return fstat (fd, &a) == 0 && stat (path, &b) == 0 && a.st_dev == b.st_dev
         && a.st_ino == b.st_ino;
}

/* Whether @fd, which the server will remove, may be of a server before. */
static gboolean
is_empty_file (int fd)
{
  struct stat status;

  return fstat (fd, &status) == 0 && S_ISREG (status.st_mode) && status.st_size == 0;
}

static int
refuse_lock (int fd, const char *path, const char *why, GError **error)
{
  g_set_error (error, PD_SERVE_ERROR,
               fd < 0 ? (gint) PD_SERVE_ERROR_SOCKET : (gint) PD_SERVE_ERROR_RUNNING, "%s: %s",
               path, why);
  if (fd >= 0)
    close (fd);
  return -1;
}

/* The lock goes with the process, however that ends. A file that its server has removed
 * meanwhile is none. */
static int
take_lock (const char *path, const char *socket_path, GError **error)
{
  for (int i = 0; i < 100; i++)
    {
      int fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
      if (fd < 0)
        return refuse_lock (fd, path, g_strerror (errno), error);
      if (flock (fd, LOCK_EX | LOCK_NB) != 0)
        return refuse_lock (fd, socket_path, "a data server is there already", error);
      if (!is_empty_file (fd))
        return refuse_lock (fd, path, "is there, and is no lock", error);
      if (is_same_file (fd, path))
        return fd;
      close (fd);
    }
  return refuse_lock (-1, path, "it comes and goes", error);
}

/* Removes a socket without a listener. An answer does not show whether a socket is in use: its
 * owner may be of another kind, or too busy. */
static gboolean
remove_left (const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  struct stat status;

  if (lstat (path, &status) != 0)
    return TRUE;
  int fd = S_ISSOCK (status.st_mode) ? pd_serve_connect (path, &local) : -1;
  gboolean is_left = g_error_matches (local, PD_SERVE_ERROR, PD_SERVE_ERROR_NOBODY);
  if (fd >= 0)
    close (fd);
  if (is_left && unlink (path) == 0)
    return TRUE;
  g_set_error (error, PD_SERVE_ERROR, PD_SERVE_ERROR_RUNNING,
               S_ISSOCK (status.st_mode) ? "%s: the socket is in use"
                                         : "%s: is there, and is no socket",
               path);
  return FALSE;
}

static int
open_spare (void)
{
  return open ("/dev/null", O_RDONLY | O_CLOEXEC);
}

static int
find_max_fd (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > G_MAXINT)
    return G_MAXINT;
  return (int) (limit.rlim_cur - MIN (N_KEPT, limit.rlim_cur / 4));
}

PdServer *
pd_server_new (const char *path, GError **error)
{
  g_autofree char *lock_path = g_strconcat (path, ".lock", NULL);
  int lock = take_lock (lock_path, path, error);

  if (lock < 0)
    return NULL;
  int listener = remove_left (path, error) ? pd_serve_listen (path, error) : -1;
  int epoll = listener >= 0 ? epoll_create1 (EPOLL_CLOEXEC) : -1;
  if (listener >= 0 && epoll < 0)
    {
      g_set_error (error, PD_SERVE_ERROR, PD_SERVE_ERROR_SOCKET, "cannot wait for clients: %s",
                   g_strerror (errno));
      unlink (path);
      close (listener);
    }
  if (epoll < 0)
    {
      unlink (lock_path);
      close (lock);
      return NULL;
    }
  PdServer *self = g_new0 (PdServer, 1);
  self->path = g_strdup (path);
  self->lock_path = g_steal_pointer (&lock_path);
  self->lock = lock;
  self->listener = listener;
  self->epoll = epoll;
  self->spare = open_spare ();
  self->max_fd = find_max_fd ();
  self->clients = g_ptr_array_new_with_free_func (client_free);
  self->polls = g_array_new (FALSE, FALSE, sizeof (struct pollfd));
  self->traces = pd_serve_traces_new (g_get_num_processors (), close_all, self);
  return self;
}

void
pd_server_free (PdServer *self)
{
  if (self == NULL)
    return;
  unlink (self->path);
  unlink (self->lock_path);
  close (self->listener);
  close (self->spare);
  close (self->epoll);
  pd_serve_traces_free (self->traces);
  g_ptr_array_unref (self->clients);
  g_array_unref (self->polls);
  close (self->lock);
  g_free (self->lock_path);
  g_free (self->path);
  g_free (self);
}

gboolean
pd_server_add (PdServer *self, const char *path, GError **error)
{
  g_autofree char *folder = g_get_current_dir ();
  g_autofree char *whole = g_canonicalize_filename (path, folder);
  const PdTraceSource source = { path, NULL };
  PdSharedQuery query = { .path = path };

  if (!pd_file_stamp_get (path, &query.stamp))
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN, "%s: no such file or folder", path);
      return FALSE;
    }
  pd_serve_traces_keep (self->traces, whole);
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return TRUE;
  const PdTraceFormat *format = pd_trace_format_detect (&source, error);
  if (format == NULL)
    return FALSE;
  query.form = format->read == NULL ? PD_SHARED_CALLS : PD_SHARED_PROGRAM;
  pd_serve_traces_find (self->traces, folder, &query);
  return TRUE;
}

void
pd_server_keep_all (PdServer *self)
{
  pd_serve_traces_keep (self->traces, "/");
}

/* ---- status, for a client that is not counted */

static const char *
describe (const PdServedTrace *trace)
{
  static const char *const states[] = {
    [PD_SERVED_WAITING] = "waits",
    [PD_SERVED_PARSING] = "is parsed",
    [PD_SERVED_REFUSED] = "not shared",
  };

  if (trace->state != PD_SERVED_READY)
    return states[trace->state];
  return trace->query.form == PD_SHARED_CALLS ? "calls" : "program";
}

static void
write_status (const PdServer *self, PdOutput *out)
{
  const GPtrArray *traces = pd_serve_traces_get (self->traces);
  gint64 size = 0;

  for (guint i = 0; i < traces->len; i++)
    size += ((const PdServedTrace *) g_ptr_array_index (traces, i))->size;
  pd_output_printf (out,
                    "socket %s\nprocess %ld\nclients %u\ntraces %u\nbytes %" G_GINT64_FORMAT "\n",
                    self->path, (glong) getpid (), self->clients->len - 1, traces->len, size);
  for (guint i = 0; i < traces->len; i++)
    {
      const PdServedTrace *trace = g_ptr_array_index (traces, i);
      g_autofree char *path = g_canonicalize_filename (trace->path, trace->folder);
      pd_output_printf (out, "trace %s: %s%s%s, %" G_GINT64_FORMAT " bytes, %u holders\n", path,
                        describe (trace), trace->query.recorded ? " with recorded times" : "",
                        trace->is_old ? ", old" : "", trace->size, trace->n_holders);
    }
}

static gboolean
send_status (const PdServer *self, const Client *client)
{
  int fd = pd_serve_memory_new ("predictor-status");
  gint64 size = 0;
  PdServeMessage message = { .kind = PD_SERVE_REPORT };

  if (fd < 0)
    return FALSE;
  g_autoptr (PdOutput) out = pd_output_new_to_fd (fd, "status");
  write_status (self, out);
  gboolean ok = pd_output_close (out, NULL) && pd_serve_memory_seal (fd, &size);
  message.size = (guint64) size;
  ok = ok && pd_serve_send (client->fd, &message, fd);
  close (fd);
  return ok;
}

/* ---- what clients ask */

static PdServedTrace *
find_by_id (const PdServer *self, guint64 id)
{
  const GPtrArray *traces = pd_serve_traces_get (self->traces);

  for (guint i = 0; i < traces->len; i++)
    {
      PdServedTrace *trace = g_ptr_array_index (traces, i);
      if (trace->id == id)
        return trace;
    }
  return NULL;
}

/* The answer, if there is one yet. */
static gboolean
answer (PdServer *self, Client *client)
{
  const PdServedTrace *trace = find_by_id (self, client->waits_for);
  guint64 id = client->waits_for;

  if (trace == NULL || trace->state == PD_SERVED_REFUSED)
    {
      const PdServeMessage none = { .kind = PD_SERVE_NONE };
      client->waits_for = 0;
      pd_serve_traces_release (self->traces, id);
      return pd_serve_send (client->fd, &none, -1);
    }
  if (trace->state != PD_SERVED_READY)
    return TRUE;
  const PdServeMessage found = { .kind = PD_SERVE_FOUND, .id = id, .size = (guint64) trace->size };
  client->waits_for = 0;
  g_array_append_val (client->held, id);
  return pd_serve_send (client->fd, &found, trace->fd);
}

/* The server sees the same file as the client, or does not share it. */
static gboolean
take_get (PdServer *self, Client *client, const PdServeMessage *message)
{
  const PdServeMessage none = { .kind = PD_SERVE_NONE };
  g_autofree char *path = g_canonicalize_filename (message->query.path, message->folder);
  PdFileStamp now;

  if (client->waits_for != 0)
    return FALSE;
  if (!pd_file_stamp_get (path, &now) || memcmp (&now, &message->query.stamp, sizeof now) != 0)
    return pd_serve_send (client->fd, &none, -1);
  PdServedTrace *trace = pd_serve_traces_find (self->traces, message->folder, &message->query);
  pd_serve_traces_hold (trace);
  client->waits_for = trace->id;
  return answer (self, client);
}

static gboolean
take_release (PdServer *self, Client *client, const PdServeMessage *message)
{
  for (guint i = 0; i < client->held->len; i++)
    if (g_array_index (client->held, guint64, i) == message->id)
      {
        g_array_remove_index_fast (client->held, i);
        pd_serve_traces_release (self->traces, message->id);
        return TRUE;
      }
  return FALSE;
}

static gboolean
take_stop (PdServer *self, const Client *client)
{
  const PdServeMessage done = { .kind = PD_SERVE_DONE };

  self->at_end = TRUE;
  return pd_serve_send (client->fd, &done, -1);
}

/* FALSE: the client goes. */
static gboolean
take_message (PdServer *self, Client *client)
{
  guint8 packet[PD_SERVE_MAX_PACKET];
  PdServeMessage message;
  int passed;

  if (!pd_serve_receive (client->fd, packet, &message, &passed, NULL))
    return FALSE;
  if (passed >= 0)
    close (passed);
  switch (message.kind)
    {
    case PD_SERVE_GET:
      return take_get (self, client, &message);
    case PD_SERVE_RELEASE:
      return take_release (self, client, &message);
    case PD_SERVE_STATUS:
      return send_status (self, client);
    case PD_SERVE_STOP:
      return take_stop (self, client);
    default:
      return FALSE;
    }
}

/* Whatever it held is free. A process that parses may still have its connection open. */
static void
remove_client (PdServer *self, Client *client)
{
  epoll_ctl (self->epoll, EPOLL_CTL_DEL, client->fd, NULL);
  if (client->waits_for != 0)
    pd_serve_traces_release (self->traces, client->waits_for);
  for (guint k = 0; k < client->held->len; k++)
    pd_serve_traces_release (self->traces, g_array_index (client->held, guint64, k));
  g_ptr_array_remove_fast (self->clients, client);
}

/* ---- the loop */

static gboolean
is_exhausted (int number)
{
  return number == EMFILE || number == ENFILE || number == ENOMEM || number == ENOBUFS;
}

/* The next waiting client; -1 = none. Without a free file descriptor a client gets the spare one,
 * and is closed at once: a refused client parses for itself, a waiting one would wait in vain. */
static int
accept_next (PdServer *self)
{
  int fd = accept4 (self->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

  if (fd >= 0 || !is_exhausted (errno))
    return fd;
  close (self->spare);
  fd = accept4 (self->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd >= 0)
    close (fd);
  else
    g_usleep (1000); /* others have taken it: the next attempt is not at once */
  self->spare = open_spare ();
  return -1;
}

/* The number of a file descriptor is the least that is free. Returns whether the client may
 * stay. */
static gboolean
add_client (PdServer *self, int fd)
{
  Client *client = g_new0 (Client, 1);
  struct epoll_event event = { .events = EPOLLIN, .data.ptr = client };

  client->fd = fd;
  client->held = g_array_new (FALSE, FALSE, sizeof (guint64));
  if (fd < self->max_fd && pd_serve_check_peer (fd, NULL)
      && epoll_ctl (self->epoll, EPOLL_CTL_ADD, fd, &event) == 0)
    {
      g_ptr_array_add (self->clients, client);
      return TRUE;
    }
  client_free (client);
  return FALSE;
}

/* Behind one that is refused, who has gone is heard of first: that makes room. */
static void
accept_clients (PdServer *self)
{
  int fd;

  for (guint i = 0; i < N_AT_ONCE && (fd = accept_next (self)) >= 0 && add_client (self, fd); i++)
    ;
}

static void
take_messages (PdServer *self)
{
  struct epoll_event events[N_AT_ONCE];
  int n = epoll_wait (self->epoll, events, N_AT_ONCE, 0);

  for (int i = 0; i < n; i++)
    if (!take_message (self, events[i].data.ptr))
      remove_client (self, events[i].data.ptr);
}

/* Those who wait hear that they still do, or get what has become ready. */
static void
notify_waiting (PdServer *self, gboolean only_answers)
{
  const PdServeMessage wait = { .kind = PD_SERVE_WAIT };

  for (guint i = self->clients->len; i-- > 0;)
    {
      Client *client = g_ptr_array_index (self->clients, i);
      if (client->waits_for == 0)
        continue;
      gboolean ok = answer (self, client);
      if (ok && client->waits_for != 0 && !only_answers)
        ok = pd_serve_send (client->fd, &wait, -1);
      if (!ok)
        remove_client (self, client);
    }
}

/* First the listener, then all clients, then processes that parse. */
static void
fill_polls (PdServer *self)
{
  const struct pollfd first[] = { { .fd = self->listener, .events = POLLIN },
                                  { .fd = self->epoll, .events = POLLIN } };

  g_array_set_size (self->polls, 0);
  g_array_append_vals (self->polls, first, G_N_ELEMENTS (first));
  pd_serve_traces_add_polls (self->traces, self->polls);
}

static gboolean
step (PdServer *self, const sigset_t *mask, GError **error)
{
  struct timespec patience = { .tv_sec = WAIT_SECONDS };

  fill_polls (self);
  struct pollfd *polls = (struct pollfd *) (void *) self->polls->data;
  int n = ppoll (polls, self->polls->len, &patience, mask);
  if (n < 0 && errno != EINTR)
    {
      g_set_error (error, PD_SERVE_ERROR, PD_SERVE_ERROR_SOCKET, "cannot wait for clients: %s",
                   g_strerror (errno));
      return FALSE;
    }
  if (n > 0 && polls[1].revents != 0)
    take_messages (self);
  if (n > 0 && polls[0].revents != 0)
    accept_clients (self);
  gboolean changed = pd_serve_traces_update (self->traces);
  gboolean is_time = g_get_monotonic_time () - self->notified >= WAIT_SECONDS * G_USEC_PER_SEC;
  if (is_time)
    self->notified = g_get_monotonic_time ();
  if (changed || is_time)
    notify_waiting (self, !is_time);
  return TRUE;
}

gboolean
pd_server_run (PdServer *self, const volatile sig_atomic_t *stop, const sigset_t *mask,
               GError **error)
{
  while (*stop == 0 && !self->at_end)
    if (!step (self, mask, error))
      return FALSE;
  return TRUE;
}
