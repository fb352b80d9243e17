/* One connection per process, made when it is needed and made again when its server is
 * another one. The server counts what a connection has got, and knows when it ends.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "serve/pd-client.h"

#include "serve/pd-serve-socket.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* A server that says nothing for so long has stopped; then it is left alone for a while. */
#define PATIENCE 30000                 /* milliseconds */
#define PAUSE    (60 * G_USEC_PER_SEC) /* microseconds */

/* Calls of DVM traces, which every prediction reads anew. */
typedef struct
{
  PdFileStamp stamp;
  GBytes *bytes;
} Calls;

struct _PdClient
{
  gint n_refs; /* of the owner, and of all that is mapped */
  GMutex lock;
  char *path;
  PdClientLostFunc lost;
  int fd;            /* -1 = none */
  guint connection;  /* counts */
  int patience;      /* milliseconds */
  gint64 not_before; /* of monotonic time: when it is asked again */
  GHashTable *calls; /* by name, from the present folder: Calls */
};

/* The mapped memory of the server. */
typedef struct
{
  PdClient *client;
  guint connection;
  guint64 id;
} Held;

static void
calls_free (gpointer data)
{
  Calls *self = data;

  g_bytes_unref (self->bytes);
  g_free (self);
}

static void
client_unref (PdClient *self)
{
  if (!g_atomic_int_dec_and_test (&self->n_refs))
    return;
  g_mutex_clear (&self->lock);
  g_free (self->path);
  g_free (self);
}

/* ---- talking */

static void
disconnect (PdClient *self)
{
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
}

static gboolean
fail (const char *path, const char *why, GError **error)
{
  g_set_error (error, PD_SERVE_ERROR, PD_SERVE_ERROR_SOCKET, "%s: %s", path, why);
  return FALSE;
}

/* A connection. */
typedef struct
{
  int fd;
  int patience; /* milliseconds */
  const char *path;
} Line;

/* The next message but those that say to wait. */
static gboolean
receive (const Line *line, guint8 *packet, PdServeMessage *message, int *passed, GError **error)
{
  struct pollfd one = { .fd = line->fd, .events = POLLIN };

  do
    {
      int n = poll (&one, 1, line->patience);
      if (n < 0 && errno == EINTR)
        {
          message->kind = PD_SERVE_WAIT;
          continue;
        }
      if (n <= 0)
        {
          g_set_error (error, PD_SERVE_ERROR, PD_SERVE_ERROR_SILENT,
                       "%s: the data server does not answer", line->path);
          return FALSE;
        }
      if (!pd_serve_receive (line->fd, packet, message, passed, error))
        return FALSE;
    }
  while (message->kind == PD_SERVE_WAIT);
  return TRUE;
}

/* Releases unmapped memory, unless its connection has done so. */
static void
held_free (gpointer data)
{
  Held *self = data;
  PdClient *client = self->client;
  const PdServeMessage release = { .kind = PD_SERVE_RELEASE, .id = self->id };

  g_mutex_lock (&client->lock);
  if (client->fd >= 0 && client->connection == self->connection)
    pd_serve_send (client->fd, &release, -1);
  g_mutex_unlock (&client->lock);
  client_unref (client);
  g_free (self);
}

static GBytes *
map (PdClient *self, const PdServeMessage *message, int passed, GError **error)
{
  Held *held = g_new (Held, 1);

  *held = (Held){ self, self->connection, message->id };
  GBytes *bytes = pd_serve_memory_map (passed, message->size, held_free, held, error);
  if (bytes == NULL)
    g_free (held);
  else
    g_atomic_int_inc (&self->n_refs);
  return bytes;
}

/* @gone: whether a new connection may help. */
static gboolean
ask (PdClient *self, const PdServeMessage *question, GBytes **bytes, gboolean *gone, GError **error)
{
  const Line line = { self->fd, self->patience, self->path };
  g_autoptr (GError) local = NULL;
  guint8 packet[PD_SERVE_MAX_PACKET];
  PdServeMessage message;
  int passed = -1;

  *gone = FALSE;
  if (!pd_serve_send (self->fd, question, -1))
    {
      *gone = TRUE;
      return fail (self->path, "the data server is gone", error);
    }
  if (!receive (&line, packet, &message, &passed, &local))
    {
      *gone = !g_error_matches (local, PD_SERVE_ERROR, PD_SERVE_ERROR_SILENT);
      if (!*gone)
        self->not_before = g_get_monotonic_time () + PAUSE;
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (message.kind == PD_SERVE_FOUND && passed >= 0)
    return (*bytes = map (self, &message, passed, error)) != NULL;
  if (passed >= 0)
    close (passed);
  return message.kind == PD_SERVE_NONE || fail (self->path, "an answer that is none", error);
}

static gboolean
connect_again (PdClient *self, GError **error)
{
  disconnect (self);
  self->fd = pd_serve_connect (self->path, error);
  self->connection++;
  return self->fd >= 0;
}

/* ---- what the readers ask */

/* An old connection may be one to a server that has been started again since. */
static GBytes *
fetch (PdClient *self, const PdServeMessage *question, GError **error)
{
  gboolean was_connected = self->fd >= 0, gone;
  GBytes *bytes = NULL;

  if (g_get_monotonic_time () < self->not_before
      || (!was_connected && !connect_again (self, error)))
    return NULL;
  if (ask (self, question, &bytes, &gone, error))
    return bytes;
  disconnect (self);
  if (!was_connected || !gone)
    return NULL;
  g_clear_error (error);
  if (connect_again (self, error) && ask (self, question, &bytes, &gone, error))
    return bytes;
  disconnect (self);
  return NULL;
}

/* Calls are asked for again and again. */
static GBytes *
find_calls (const PdClient *self, const PdSharedQuery *query)
{
  const Calls *calls =
      query->form == PD_SHARED_CALLS ? g_hash_table_lookup (self->calls, query->path) : NULL;

  return calls != NULL && memcmp (&calls->stamp, &query->stamp, sizeof query->stamp) == 0
             ? g_bytes_ref (calls->bytes)
             : NULL;
}

/* Returns the memory kept until now, to be freed without the lock. */
static gpointer
keep_calls (PdClient *self, const PdSharedQuery *query, GBytes *bytes)
{
  gpointer name = NULL, old = NULL;

  if (query->form != PD_SHARED_CALLS || bytes == NULL)
    return NULL;
  g_hash_table_steal_extended (self->calls, query->path, &name, &old);
  g_free (name);
  Calls *calls = g_new (Calls, 1);
  *calls = (Calls){ query->stamp, g_bytes_ref (bytes) };
  g_hash_table_insert (self->calls, g_strdup (query->path), calls);
  return old;
}

static GBytes *
get (gpointer data, const PdSharedQuery *query)
{
  PdClient *self = data;
  g_autofree char *folder = g_get_current_dir ();
  const PdServeMessage question = { .kind = PD_SERVE_GET, .folder = folder, .query = *query };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) damaged = NULL; /* freed without the lock */
  PdClientLostFunc lost = NULL;

  /* what no message can ask for is read from its file */
  if (MAX (strlen (folder), strlen (query->path)) >= PD_SERVE_MAX_PATH)
    return NULL;
  g_mutex_lock (&self->lock);
  GBytes *bytes = find_calls (self, query);
  gpointer old = NULL;
  if (bytes == NULL)
    {
      bytes = fetch (self, &question, &error);
      if (bytes != NULL && !pd_trace_share_check (query, bytes))
        damaged = g_steal_pointer (&bytes);
      old = keep_calls (self, query, bytes);
    }
  if (error != NULL)
    {
      lost = self->lost;
      self->lost = NULL;
    }
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&old, calls_free);
  if (lost != NULL)
    lost (error);
  return bytes;
}

static const PdTraceShareClass share_class = { get };

PdClient *
pd_client_new (const char *path, PdClientLostFunc lost)
{
  PdClient *self = g_new0 (PdClient, 1);

  self->n_refs = 1;
  g_mutex_init (&self->lock);
  self->path = g_strdup (path);
  self->lost = lost;
  self->fd = -1;
  self->patience = PATIENCE;
  self->calls = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, calls_free);
  pd_trace_share_set (&share_class, self);
  return self;
}

void
pd_client_set_patience (PdClient *self, guint milliseconds)
{
  self->patience = (int) milliseconds;
}

void
pd_client_free (PdClient *self)
{
  if (self == NULL)
    return;
  pd_trace_share_set (NULL, NULL);
  disconnect (self);
  g_hash_table_unref (self->calls);
  client_unref (self);
}

/* ---- asking a server about itself */

static gboolean
ask_once (const char *path, PdServeKind question, PdServeKind answer, GBytes **bytes,
          GError **error)
{
  const PdServeMessage sent = { .kind = question };
  guint8 packet[PD_SERVE_MAX_PACKET];
  PdServeMessage got;
  const Line line = { pd_serve_connect (path, error), PATIENCE, path };
  int passed = -1;

  if (line.fd < 0)
    return FALSE;
  gboolean ok =
      (pd_serve_send (line.fd, &sent, -1) || fail (path, "the data server is gone", error))
      && receive (&line, packet, &got, &passed, error);
  close (line.fd);
  if (ok && got.kind != answer)
    ok = fail (path, "an answer that is none", error);
  if (ok && bytes != NULL && passed >= 0)
    return (*bytes = pd_serve_memory_map (passed, got.size, g_free, NULL, error)) != NULL;
  if (passed >= 0)
    close (passed);
  return ok && (bytes == NULL || fail (path, "an answer that is none", error));
}

GBytes *
pd_client_get_status (const char *path, GError **error)
{
  GBytes *bytes = NULL;

  return ask_once (path, PD_SERVE_STATUS, PD_SERVE_REPORT, &bytes, error) ? bytes : NULL;
}

gboolean
pd_client_stop_server (const char *path, GError **error)
{
  return ask_once (path, PD_SERVE_STOP, PD_SERVE_DONE, NULL, error);
}
