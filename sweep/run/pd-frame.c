/* SPDX-License-Identifier: MIT */
#include "sweep/run/pd-frame.h"

#include <string.h>

void
pd_frame_append (GByteArray *out, PdFrameKind kind, gconstpointer data, gsize size)
{
  guint32 head[2] = { GUINT32_TO_LE ((guint32) size), GUINT32_TO_LE ((guint32) kind) };

  g_return_if_fail (size <= PD_FRAME_MAX_SIZE);

  g_byte_array_append (out, (const guint8 *) head, sizeof head);
  if (size > 0)
    g_byte_array_append (out, data, (guint) size);
}

gboolean
pd_frame_parse (const guint8 *data, gsize size, PdFrameKind *kind, gsize *length, GError **error)
{
  guint32 head[2];

  *length = 0;
  *kind = PD_N_FRAMES;
  if (size < sizeof head)
    return TRUE;
  memcpy (head, data, sizeof head);
  *length = GUINT32_FROM_LE (head[0]);
  *kind = (PdFrameKind) GUINT32_FROM_LE (head[1]);
  if (*length <= PD_FRAME_MAX_SIZE && GUINT32_FROM_LE (head[1]) < PD_N_FRAMES)
    return TRUE;
  g_set_error (error, PD_TRANSPORT_ERROR, PD_TRANSPORT_ERROR_BROKEN,
               "a frame of %u bytes and kind %u", GUINT32_FROM_LE (head[0]),
               GUINT32_FROM_LE (head[1]));
  return FALSE;
}
