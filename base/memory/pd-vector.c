/* SPDX-License-Identifier: MIT */
#include "base/memory/pd-vector.h"

#include "base/memory/pd-large.h"

#include <string.h>

void
pd_vector_reserve (PdVector *self, gsize room, gsize size)
{
  gsize bytes;

  if (room <= self->room)
    return;
  if (!g_size_checked_mul (&bytes, room, size))
    g_error ("out of memory");
  if (bytes < PD_LARGE_MIN)
    self->data = g_realloc (self->data, bytes);
  else if (self->size > 0)
    self->data = pd_large_grow (self->data, self->size, bytes, &self->in_file);
  else
    {
      gpointer small = self->data;
      self->data = pd_large_new (bytes, &self->in_file);
      if (self->n > 0)
        memcpy (self->data, small, self->n * size);
      g_free (small);
    }
  self->size = bytes < PD_LARGE_MIN ? 0 : bytes;
  self->room = room;
}

void
pd_vector_clear (PdVector *self)
{
  if (self->size > 0)
    pd_large_free (self->data, self->size, self->in_file);
  else
    g_free (self->data);
  *self = (PdVector){ NULL, 0, 0, 0, FALSE };
}
