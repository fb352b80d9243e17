/* SPDX-License-Identifier: MIT */
#include "sweep/run/pd-in-process-worker.h"

#include <string.h>

typedef struct
{
  PdTransport transport;
  const PdStudy *study;
  const PdPointClass *class;
  gpointer state;
  gboolean is_ready; /* it has said so */
  gboolean is_over;  /* no point can be computed, which has been said */
  GArray *points;    /* gint64: what it has */
  guint next;        /* of them */
  GByteArray *result;
} OwnWorker;

static guint
get_n_workers (PdTransport *transport)
{
  (void) transport;
  return 1;
}

/* The study is the one that is known. */
static gboolean
send_frame (PdTransport *transport, guint worker, PdFrameKind kind, gconstpointer data, gsize size,
            GError **error)
{
  OwnWorker *self = (OwnWorker *) transport;

  (void) worker;
  (void) error;
  if (kind != PD_FRAME_POINTS)
    return TRUE;
  g_array_remove_range (self->points, 0, self->next);
  self->next = 0;
  g_array_append_vals (self->points, data, (guint) (size / sizeof (gint64)));
  return TRUE;
}

static void
tell (OwnWorker *self, PdFrameKind kind, PdTransportEvent *event)
{
  event->kind = PD_TRANSPORT_FRAME;
  event->frame = kind;
  event->data = self->result->data;
  event->size = self->result->len;
}

static void
report_fatal (OwnWorker *self, const GError *cause, PdTransportEvent *event)
{
  self->is_over = TRUE;
  g_byte_array_append (self->result, (const guint8 *) cause->message,
                       (guint) strlen (cause->message));
  tell (self, PD_FRAME_FATAL, event);
}

static void
begin (OwnWorker *self, PdTransportEvent *event)
{
  g_autoptr (GError) local = NULL;

  self->is_ready = TRUE;
  self->state = self->class->new (self->study, &local);
  if (self->state == NULL)
    report_fatal (self, local, event);
  else
    tell (self, PD_FRAME_READY, event);
}

static gboolean
receive (PdTransport *transport, guint milliseconds, PdTransportEvent *event, GError **error)
{
  OwnWorker *self = (OwnWorker *) transport;
  g_autoptr (GError) local = NULL;

  (void) error;
  *event = (PdTransportEvent){ .kind = PD_TRANSPORT_NOTHING };
  g_byte_array_set_size (self->result, 0);
  if (!self->is_ready)
    begin (self, event);
  else if (self->is_over || self->next == self->points->len)
    g_usleep ((gulong) milliseconds * 1000);
  else
    {
      gint64 point = GINT64_FROM_LE (g_array_index (self->points, gint64, self->next));
      self->next++;
      if (self->class->compute (self->state, point, self->result, &local))
        tell (self, PD_FRAME_RESULT, event);
      else
        report_fatal (self, local, event);
    }
  return TRUE;
}

static void
own_worker_free (PdTransport *transport)
{
  OwnWorker *self = (OwnWorker *) transport;

  if (self->state != NULL)
    self->class->free (self->state);
  g_array_unref (self->points);
  g_byte_array_unref (self->result);
  g_free (self);
}

static const PdTransportClass own_class = {
  .get_n_workers = get_n_workers,
  .send = send_frame,
  .receive = receive,
  .free = own_worker_free,
};

PdTransport *
pd_in_process_worker_new (const PdStudy *study, const PdPointClass *class)
{
  OwnWorker *self = g_new0 (OwnWorker, 1);

  self->transport.class = &own_class;
  self->study = study;
  self->class = class;
  self->points = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->result = g_byte_array_new ();
  return &self->transport;
}
