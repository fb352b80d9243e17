/* The side of a worker that is a process of this machine.
 * SPDX-License-Identifier: MIT */
#include "sweep/run/pd-frame.h"
#include "sweep/run/pd-local-link.h"

#include <errno.h>
#include <unistd.h>

typedef struct
{
  PdWorkerLink link;
  int fd;
  GByteArray *in;
  GByteArray *out;
} LocalLink;

static gboolean
fail (PdTransportError code, const char *what, GError **error)
{
  g_set_error (error, PD_TRANSPORT_ERROR, (gint) code, "the coordinator: %s", what);
  return FALSE;
}

/* Makes @in so long; at the end of the stream it stays shorter. */
static gboolean
fill (LocalLink *self, gsize size, GError **error)
{
  while (self->in->len < size)
    {
      guint before = self->in->len;
      /* not in one piece: that many bytes have to come first */
      guint wanted = (guint) MIN (size - before, 1 << 20);
      g_byte_array_set_size (self->in, before + wanted);
      gssize n = read (self->fd, self->in->data + before, wanted);
      int saved = errno;
      g_byte_array_set_size (self->in, before + (n > 0 ? (guint) n : 0));
      if (n < 0 && saved != EINTR)
        return fail (PD_TRANSPORT_ERROR_GONE, g_strerror (saved), error);
      if (n == 0)
        return TRUE;
    }
  return TRUE;
}

static gboolean
receive (PdWorkerLink *link, PdFrameKind *kind, const guint8 **data, gsize *size, GError **error)
{
  LocalLink *self = (LocalLink *) link;

  g_byte_array_set_size (self->in, 0);
  *data = NULL;
  *size = 0;
  if (!fill (self, PD_FRAME_HEAD, error))
    return FALSE;
  if (self->in->len == 0)
    return TRUE;
  if (self->in->len < PD_FRAME_HEAD)
    return fail (PD_TRANSPORT_ERROR_GONE, "a frame ends early", error);
  if (!pd_frame_parse (self->in->data, self->in->len, kind, size, error)
      || !fill (self, PD_FRAME_HEAD + *size, error))
    return FALSE;
  if (self->in->len < PD_FRAME_HEAD + *size)
    return fail (PD_TRANSPORT_ERROR_GONE, "a frame ends early", error);
  *data = self->in->data + PD_FRAME_HEAD;
  return TRUE;
}

static gboolean
send_frame (PdWorkerLink *link, PdFrameKind kind, gconstpointer data, gsize size, GError **error)
{
  LocalLink *self = (LocalLink *) link;
  gsize sent = 0;

  g_byte_array_set_size (self->out, 0);
  pd_frame_append (self->out, kind, data, size);
  while (sent < self->out->len)
    {
      gssize n = write (self->fd, self->out->data + sent, self->out->len - sent);
      if (n < 0 && errno != EINTR)
        return fail (PD_TRANSPORT_ERROR_GONE, g_strerror (errno), error);
      sent += n > 0 ? (gsize) n : 0;
    }
  return TRUE;
}

static const PdWorkerLinkClass local_class = { receive, send_frame };

PdWorkerLink *
pd_local_link_new (int fd)
{
  LocalLink *self = g_new0 (LocalLink, 1);

  self->link.class = &local_class;
  self->fd = fd;
  self->in = g_byte_array_new ();
  self->out = g_byte_array_new ();
  return &self->link;
}

void
pd_local_link_free (PdWorkerLink *link)
{
  LocalLink *self = (LocalLink *) link;

  if (self == NULL)
    return;
  g_byte_array_unref (self->in);
  g_byte_array_unref (self->out);
  g_free (self);
}
