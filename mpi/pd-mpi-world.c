/* SPDX-License-Identifier: MIT */
#include "mpi/pd-mpi-world.h"

#include <mpi.h>
#include <string.h>

/* Tags are kinds of frames, and these two. */
#define TAG_END PD_N_FRAMES       /* from rank 0: nothing more to do */
#define TAG_BYE (PD_N_FRAMES + 1) /* from the others, last */

/* Sleeps between looks become longer, in microseconds. A worker has points for longer
 * than that, the coordinator answers within it. */
#define FIRST_SLEEP 20
#define LAST_SLEEP  2000

/* A worker computes on while so many results are on their way. */
#define MAX_AHEAD 8

/* The longest wait at the end for a worker that computes a point, in microseconds. */
#define PATIENCE 5000000

/* A message that is on its way. */
typedef struct
{
  MPI_Request request;
  guint8 *data;
} Sending;

typedef struct
{
  PdTransport transport;
  PdMpiWorld *world;
} Workers;

typedef struct
{
  PdWorkerLink link;
  PdMpiWorld *world;
} Link;

struct _PdMpiWorld
{
  int rank;
  int size;
  GPtrArray *sending; /* (element-type Sending), owned */
  GByteArray *in;     /* the last message */
  char *hosts;        /* (array length=size * MPI_MAX_PROCESSOR_NAME): of rank 0 */
  gboolean is_over;   /* the end has been said, or heard */
  Link link;
};

/* ---- messages */

static void
sending_free (gpointer data)
{
  Sending *sending = data;

  g_free (sending->data);
  g_free (sending);
}

/* Forgets what has arrived. */
static void
progress (PdMpiWorld *self)
{
  for (guint i = self->sending->len; i > 0; i--)
    {
      Sending *sending = g_ptr_array_index (self->sending, i - 1);
      int arrived = 0;
      MPI_Test (&sending->request, &arrived, MPI_STATUS_IGNORE);
      if (arrived)
        g_ptr_array_remove_index (self->sending, i - 1);
    }
}

static void
post (PdMpiWorld *self, int rank, int tag, gconstpointer data, gsize size)
{
  Sending *sending = g_new (Sending, 1);

  sending->data = g_malloc (size + 1);
  if (size > 0)
    memcpy (sending->data, data, size);
  MPI_Isend (sending->data, (int) size, MPI_BYTE, rank, tag, MPI_COMM_WORLD, &sending->request);
  g_ptr_array_add (self->sending, sending);
  progress (self);
}

/* Reads an arrived message of any kind into self->in. */
static gboolean
look (PdMpiWorld *self, int *rank, int *tag)
{
  MPI_Message message;
  MPI_Status status;
  int found = 0, size = 0;

  progress (self);
  MPI_Improbe (MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &message, &status);
  if (!found)
    return FALSE;
  MPI_Get_count (&status, MPI_BYTE, &size);
  g_byte_array_set_size (self->in, (guint) MAX (size, 1));
  MPI_Mrecv (self->in->data, size, MPI_BYTE, &message, &status);
  g_byte_array_set_size (self->in, (guint) size);
  *rank = status.MPI_SOURCE;
  *tag = status.MPI_TAG;
  return TRUE;
}

/* The same, but waits for it. @patience in microseconds; negative: for ever. */
static gboolean
wait_for_message (PdMpiWorld *self, gint64 patience, int *rank, int *tag)
{
  gint64 end = g_get_monotonic_time () + patience;
  gulong pause = FIRST_SLEEP;

  while (!look (self, rank, tag))
    {
      if (patience >= 0 && g_get_monotonic_time () >= end)
        return FALSE;
      g_usleep (pause);
      pause = MIN (pause * 2, LAST_SLEEP);
    }
  return TRUE;
}

static gboolean
fail (const char *what, int rank, int tag, GError **error)
{
  g_set_error (error, PD_TRANSPORT_ERROR, PD_TRANSPORT_ERROR_BROKEN,
               "%s: rank %d has sent a message with tag %d", what, rank, tag);
  return FALSE;
}

/* ---- the coordinator */

static guint
get_n_workers (PdTransport *transport)
{
  return (guint) ((Workers *) transport)->world->size - 1;
}

static gboolean
send_to_worker (PdTransport *transport, guint worker, PdFrameKind kind, gconstpointer data,
                gsize size, GError **error)
{
  (void) error;
  post (((Workers *) transport)->world, (int) worker + 1, (int) kind, data, size);
  return TRUE;
}

static gboolean
receive_from_workers (PdTransport *transport, guint milliseconds, PdTransportEvent *event,
                      GError **error)
{
  PdMpiWorld *world = ((Workers *) transport)->world;
  int rank, tag;

  *event = (PdTransportEvent){ .kind = PD_TRANSPORT_NOTHING };
  if (!wait_for_message (world, (gint64) milliseconds * 1000, &rank, &tag))
    return TRUE;
  if (rank == 0 || tag < 0 || tag >= PD_N_FRAMES)
    return fail ("the workers", rank, tag, error);
  *event = (PdTransportEvent){ .kind = PD_TRANSPORT_FRAME,
                               .worker = (guint) rank - 1,
                               .frame = (PdFrameKind) tag,
                               .data = world->in->data,
                               .size = world->in->len };
  return TRUE;
}

static const char *
get_host (PdTransport *transport, guint worker)
{
  const PdMpiWorld *world = ((Workers *) transport)->world;

  return world->hosts + (gsize) (worker + 1) * MPI_MAX_PROCESSOR_NAME;
}

static void
dismiss (PdMpiWorld *self)
{
  if (self->is_over)
    return;
  self->is_over = TRUE;
  for (int rank = 1; rank < self->size; rank++)
    post (self, rank, TAG_END, NULL, 0);
}

static void
workers_free (PdTransport *transport)
{
  dismiss (((Workers *) transport)->world);
  g_free (transport);
}

/* A rank that dies takes the others with it: nothing is to be restarted. */
static const PdTransportClass workers_class = {
  .get_n_workers = get_n_workers,
  .send = send_to_worker,
  .receive = receive_from_workers,
  .get_host = get_host,
  .free = workers_free,
};

PdTransport *
pd_mpi_world_new_transport (PdMpiWorld *self)
{
  Workers *workers = g_new0 (Workers, 1);

  workers->transport.class = &workers_class;
  workers->world = self;
  return &workers->transport;
}

/* ---- a worker */

static gboolean
receive_from_coordinator (PdWorkerLink *link, PdFrameKind *kind, const guint8 **data, gsize *size,
                          GError **error)
{
  PdMpiWorld *world = ((Link *) link)->world;
  int rank, tag;

  *data = NULL;
  *size = 0;
  wait_for_message (world, -1, &rank, &tag);
  world->is_over = tag == TAG_END;
  if (world->is_over)
    return TRUE;
  if (rank != 0 || tag < 0 || tag >= PD_N_FRAMES)
    return fail ("the coordinator", rank, tag, error);
  *kind = (PdFrameKind) tag;
  *data = world->in->data;
  *size = world->in->len;
  return TRUE;
}

/* The coordinator may be busy for a while: with the disk, or since
 * its processor is.
 * The end may come when there are still points: after an error, or an interruption. */
static gboolean
send_to_coordinator (PdWorkerLink *link, PdFrameKind kind, gconstpointer data, gsize size,
                     GError **error)
{
  PdMpiWorld *world = ((Link *) link)->world;
  gulong pause = FIRST_SLEEP;
  int found = 0;

  for (progress (world); world->sending->len >= MAX_AHEAD; progress (world))
    {
      g_usleep (pause);
      pause = MIN (pause * 2, LAST_SLEEP);
    }
  MPI_Iprobe (0, TAG_END, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  if (!found)
    {
      post (world, 0, (int) kind, data, size);
      return TRUE;
    }
  g_set_error (error, PD_TRANSPORT_ERROR, PD_TRANSPORT_ERROR_GONE, "the coordinator has ended");
  return FALSE;
}

static const PdWorkerLinkClass link_class = { receive_from_coordinator, send_to_coordinator };

PdWorkerLink *
pd_mpi_world_get_link (PdMpiWorld *self)
{
  return &self->link.link;
}

/* ---- all */

gboolean
pd_mpi_world_is_over (const PdMpiWorld *self)
{
  int found = self->is_over;

  if (!found)
    MPI_Iprobe (0, TAG_END, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  return found != 0;
}

int
pd_mpi_world_get_rank (const PdMpiWorld *self)
{
  return self->rank;
}

int
pd_mpi_world_get_size (const PdMpiWorld *self)
{
  return self->size;
}

PdMpiWorld *
pd_mpi_world_new (int *argc, char ***argv)
{
  char host[MPI_MAX_PROCESSOR_NAME] = "";
  int provided = MPI_THREAD_SINGLE, length;

  MPI_Init_thread (argc, argv, MPI_THREAD_FUNNELED, &provided);
  if (provided < MPI_THREAD_FUNNELED)
    {
      MPI_Finalize ();
      return NULL;
    }
  PdMpiWorld *self = g_new0 (PdMpiWorld, 1);
  MPI_Comm_rank (MPI_COMM_WORLD, &self->rank);
  MPI_Comm_size (MPI_COMM_WORLD, &self->size);
  MPI_Get_processor_name (host, &length);
  if (self->rank == 0)
    self->hosts = g_malloc0 ((gsize) self->size * MPI_MAX_PROCESSOR_NAME);
  MPI_Gather (host, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, self->hosts, MPI_MAX_PROCESSOR_NAME, MPI_CHAR,
              0, MPI_COMM_WORLD);
  self->sending = g_ptr_array_new_with_free_func (sending_free);
  self->in = g_byte_array_new ();
  self->link.link.class = &link_class;
  self->link.world = self;
  return self;
}

/* Waits until all others have sent their last message. Other messages are not needed any more. */
static gboolean
see_off (PdMpiWorld *self)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;
  int n = 1, rank, tag;

  dismiss (self);
  while (n < self->size)
    {
      if (!wait_for_message (self, MAX (end - g_get_monotonic_time (), 0), &rank, &tag))
        return FALSE;
      n += tag == TAG_BYE;
    }
  return TRUE;
}

/* Receives and drops messages that were sent to it before the end. */
static void
take_leave (PdMpiWorld *self)
{
  int rank, tag;

  while (!self->is_over)
    {
      wait_for_message (self, -1, &rank, &tag);
      self->is_over = tag == TAG_END;
    }
  post (self, 0, TAG_BYE, NULL, 0);
}

void
pd_mpi_world_end (PdMpiWorld *self, int status)
{
  gulong pause = FIRST_SLEEP;

  if (self->rank != 0)
    take_leave (self);
  else if (!see_off (self))
    MPI_Abort (MPI_COMM_WORLD, status);
  for (progress (self); self->sending->len > 0; progress (self))
    {
      g_usleep (pause);
      pause = MIN (pause * 2, LAST_SLEEP);
    }
  MPI_Finalize ();
  g_ptr_array_unref (self->sending);
  g_byte_array_unref (self->in);
  g_free (self->hosts);
  g_free (self);
}
