/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "sweep/run/pd-local-workers.h"

#include "sweep/run/pd-frame.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The bytes of one read. */
#define BLOCK 65536
/* Milliseconds that workers have to end. */
#define END_TIME 200

typedef struct
{
  pid_t pid; /* 0 = none */
  int fd;    /* -1 = none */
  GByteArray *in;
  gsize used; /* of @in, by frames that were reported */
  GByteArray *out;
  gboolean at_end; /* it has closed its side */
} Worker;

typedef struct
{
  PdTransport transport;
  guint n;
  Worker *workers; /* (array length=n) */
  struct pollfd *polls;
  guint turn; /* the worker that is asked first: it rotates, so that none starves */
  char **argv;
  PdLocalWorkerFunc func;
  gpointer data;
  char *text; /* of the last event */
} LocalWorkers;

/* ---- starting and ending */

/* In the new process: only functions allowed between fork() and exec(). */
static void
become_worker (const LocalWorkers *self, int fd, pid_t parent)
{
#ifdef __linux__
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != parent)
    _exit (1);
#else
  (void) parent;
#endif
  signal (SIGINT, SIG_IGN);
  signal (SIGPIPE, SIG_IGN);
  if (self->argv == NULL)
    _exit (self->func (self->data, fd));
  /* the copy stays open across exec() */
  if (fd == PD_LOCAL_WORKER_FD ? fcntl (fd, F_SETFD, 0) != 0 : dup2 (fd, PD_LOCAL_WORKER_FD) < 0)
    _exit (126);
  execv (self->argv[0], self->argv);
  _exit (127);
}

static gboolean
start (LocalWorkers *self, guint i, GError **error)
{
  Worker *worker = &self->workers[i];
  pid_t parent = getpid ();
  int fds[2];

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
    {
      g_set_error (error, PD_TRANSPORT_ERROR, PD_TRANSPORT_ERROR_START,
                   "cannot start worker %u: %s", i, g_strerror (errno));
      return FALSE;
    }
  worker->pid = fork ();
  if (worker->pid == 0)
    {
      /* where it is not a program of its own, it would keep the others' ends open */
      close (fds[0]);
      for (guint k = 0; k < self->n; k++)
        if (k != i && self->workers[k].fd >= 0)
          close (self->workers[k].fd);
      become_worker (self, fds[1], parent);
    }
  int saved = errno;
  close (fds[1]);
  if (worker->pid < 0)
    {
      worker->pid = 0;
      close (fds[0]);
      g_set_error (error, PD_TRANSPORT_ERROR, PD_TRANSPORT_ERROR_START,
                   "cannot start worker %u: %s", i, g_strerror (saved));
      return FALSE;
    }
  fcntl (fds[0], F_SETFL, O_NONBLOCK);
  worker->fd = fds[0];
  worker->at_end = FALSE;
  worker->used = 0;
  g_byte_array_set_size (worker->in, 0);
  g_byte_array_set_size (worker->out, 0);
  return TRUE;
}

/* Waits for its end, which is sure. Returns the status of waitpid(). */
static int
end (Worker *worker)
{
  int status = 0;

  if (worker->fd >= 0)
    close (worker->fd);
  worker->fd = -1;
  while (worker->pid > 0 && waitpid (worker->pid, &status, 0) < 0 && errno == EINTR)
    ;
  worker->pid = 0;
  return status;
}

/* Workers that have nothing to do end by themselves when their coordinator has gone; who
 * is at work is not waited for. */
static void
end_all (LocalWorkers *self)
{
  guint n_left = 0;

  for (guint i = 0; i < self->n; i++)
    {
      if (self->workers[i].fd >= 0)
        close (self->workers[i].fd);
      self->workers[i].fd = -1;
      n_left += self->workers[i].pid > 0;
    }
  for (guint k = 0; k < END_TIME && n_left > 0; k++)
    {
      for (guint i = 0; i < self->n; i++)
        if (self->workers[i].pid > 0
            && waitpid (self->workers[i].pid, NULL, WNOHANG) == self->workers[i].pid)
          {
            self->workers[i].pid = 0;
            n_left--;
          }
      if (n_left > 0)
        g_usleep (1000);
    }
  for (guint i = 0; i < self->n; i++)
    if (self->workers[i].pid > 0)
      kill (self->workers[i].pid, SIGKILL);
}

static void
workers_free (PdTransport *transport)
{
  LocalWorkers *self = (LocalWorkers *) transport;

  end_all (self);
  for (guint i = 0; i < self->n; i++)
    {
      end (&self->workers[i]);
      g_byte_array_unref (self->workers[i].in);
      g_byte_array_unref (self->workers[i].out);
    }
  g_strfreev (self->argv);
  g_free (self->workers);
  g_free (self->polls);
  g_free (self->text);
  g_free (self);
}

static gboolean
restart (PdTransport *transport, guint i, GError **error)
{
  return start ((LocalWorkers *) transport, i, error);
}

static guint
get_n_workers (PdTransport *transport)
{
  return ((LocalWorkers *) transport)->n;
}

/* ---- sending */

/* The part that the worker takes now; the rest stays. The reader detects a worker that has
 * ended. */
static void
push (Worker *worker)
{
  gsize sent = 0;

  while (worker->fd >= 0 && sent < worker->out->len)
    {
      gssize n = send (worker->fd, worker->out->data + sent, worker->out->len - sent, MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK)
        sent = worker->out->len;
      if (n < 0)
        break;
      sent += (gsize) n;
    }
  if (sent > 0)
    g_byte_array_remove_range (worker->out, 0, (guint) sent);
}

static gboolean
send_frame (PdTransport *transport, guint i, PdFrameKind kind, gconstpointer data, gsize size,
            GError **error)
{
  Worker *worker = &((LocalWorkers *) transport)->workers[i];

  (void) error;
  if (worker->fd < 0)
    return TRUE;
  pd_frame_append (worker->out, kind, data, size);
  push (worker);
  return TRUE;
}

/* ---- receiving */

/* Whatever has come. */
static void
pull (Worker *worker)
{
  guint before = worker->in->len;

  g_byte_array_set_size (worker->in, before + BLOCK);
  gssize n = recv (worker->fd, worker->in->data + before, BLOCK, 0);
  int saved = errno;
  g_byte_array_set_size (worker->in, before + (n > 0 ? (guint) n : 0));
  if (n == 0 || (n < 0 && saved != EAGAIN && saved != EWOULDBLOCK && saved != EINTR))
    worker->at_end = TRUE;
}

/* Signals that nothing but the outside or the lack of memory sends. */
static gboolean
is_from_outside (int number)
{
  return number == SIGKILL || number == SIGTERM || number == SIGHUP || number == SIGINT;
}

static void
report_death (LocalWorkers *self, guint i, const char *why, PdTransportEvent *event)
{
  int status = end (&self->workers[i]);

  g_free (self->text);
  if (why != NULL)
    self->text = g_strdup (why);
  else if (WIFSIGNALED (status))
    self->text =
        g_strdup_printf ("signal %d (%s)", WTERMSIG (status), g_strsignal (WTERMSIG (status)));
  else
    self->text = g_strdup_printf ("exit status %d", WEXITSTATUS (status));
  *event = (PdTransportEvent){ .kind = PD_TRANSPORT_DIED,
                               .worker = i,
                               .killed = why == NULL && WIFSIGNALED (status)
                                         && is_from_outside (WTERMSIG (status)),
                               .text = self->text };
}

/* The next whole frame of @i, or its death. Returns whether there is one. */
static gboolean
tell (LocalWorkers *self, guint i, PdTransportEvent *event)
{
  Worker *worker = &self->workers[i];
  g_autoptr (GError) error = NULL;
  PdFrameKind kind;
  gsize length;

  if (worker->pid == 0)
    return FALSE;
  const guint8 *data = worker->in->data + worker->used;
  gsize left = worker->in->len - worker->used;
  if (!pd_frame_parse (data, left, &kind, &length, &error))
    {
      kill (worker->pid, SIGKILL);
      report_death (self, i, error->message, event);
      return TRUE;
    }
  if (left >= PD_FRAME_HEAD && left - PD_FRAME_HEAD >= length)
    {
      worker->used += PD_FRAME_HEAD + length;
      *event = (PdTransportEvent){ .kind = PD_TRANSPORT_FRAME,
                                   .worker = i,
                                   .frame = kind,
                                   .data = data + PD_FRAME_HEAD,
                                   .size = length };
      return TRUE;
    }
  if (!worker->at_end)
    return FALSE;
  report_death (self, i, NULL, event);
  return TRUE;
}

/* Forgets the frames that were reported. */
static void
drop_used (Worker *worker)
{
  if (worker->used > 0)
    g_byte_array_remove_range (worker->in, 0, (guint) worker->used);
  worker->used = 0;
}

static gboolean
wait_for_input (LocalWorkers *self, guint milliseconds, GError **error)
{
  for (guint i = 0; i < self->n; i++)
    {
      const Worker *worker = &self->workers[i];
      self->polls[i] = (struct pollfd){ .fd = worker->fd, .events = POLLIN };
      if (worker->out->len > 0)
        self->polls[i].events |= POLLOUT;
    }
  if (poll (self->polls, self->n, (int) milliseconds) < 0)
    {
      if (errno == EINTR)
        return TRUE;
      g_set_error (error, PD_TRANSPORT_ERROR, PD_TRANSPORT_ERROR_BROKEN,
                   "cannot wait for the workers: %s", g_strerror (errno));
      return FALSE;
    }
  for (guint i = 0; i < self->n; i++)
    {
      Worker *worker = &self->workers[i];
      if (self->polls[i].revents & POLLOUT)
        push (worker);
      if (self->polls[i].revents & (POLLIN | POLLHUP | POLLERR))
        {
          drop_used (worker);
          pull (worker);
        }
    }
  return TRUE;
}

static gboolean
notify_any (LocalWorkers *self, PdTransportEvent *event)
{
  for (guint k = 0; k < self->n; k++)
    if (tell (self, (self->turn + k) % self->n, event))
      {
        self->turn = (event->worker + 1) % self->n;
        return TRUE;
      }
  return FALSE;
}

static gboolean
receive (PdTransport *transport, guint milliseconds, PdTransportEvent *event, GError **error)
{
  LocalWorkers *self = (LocalWorkers *) transport;

  *event = (PdTransportEvent){ .kind = PD_TRANSPORT_NOTHING };
  if (notify_any (self, event))
    return TRUE;
  if (!wait_for_input (self, milliseconds, error))
    return FALSE;
  notify_any (self, event);
  return TRUE;
}

static const PdTransportClass local_class = {
  .get_n_workers = get_n_workers,
  .send = send_frame,
  .receive = receive,
  .restart = restart,
  .free = workers_free,
};

PdTransport *
pd_local_workers_new (guint n, const char *const *argv, PdLocalWorkerFunc func, gpointer data,
                      GError **error)
{
  LocalWorkers *self = g_new0 (LocalWorkers, 1);

  g_return_val_if_fail (n > 0 && (argv == NULL) == (func != NULL), NULL);

  self->transport.class = &local_class;
  self->n = n;
  self->workers = g_new0 (Worker, n);
  self->polls = g_new0 (struct pollfd, n);
  self->argv = g_strdupv ((char **) argv);
  self->func = func;
  self->data = data;
  for (guint i = 0; i < n; i++)
    {
      self->workers[i].fd = -1;
      self->workers[i].in = g_byte_array_new ();
      self->workers[i].out = g_byte_array_new ();
    }
  for (guint i = 0; i < n; i++)
    if (!start (self, i, error))
      {
        workers_free (&self->transport);
        return NULL;
      }
  return &self->transport;
}
