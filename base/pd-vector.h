/* An array that grows by one element very often: appending is a store, and a call where there is no
 * room. Elsewhere GArray does. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_VECTOR_H
#define PD_VECTOR_H

#include <glib.h>

G_BEGIN_DECLS

/* All zero is empty. What has been appended is of one type, which users name. */
typedef struct
{
  gpointer data;
  gsize n;    /* elements */
  gsize room; /* elements that there is memory for */
} PdVector;

/**
 * pd_vector_at:
 * Returns: element @i < n, of @type.
 */
#define pd_vector_at(self, type, i) (((type *) (self)->data)[i])

/**
 * pd_vector_append:
 * Appends one element of @type, and assigns what follows to it.
 */
#define pd_vector_append(self, type) *(type *) pd_vector_extend ((self), sizeof (type))

/**
 * pd_vector_extend:
 * @size: bytes of an element
 *
 * Returns: (transfer none): a new last element, with any content, valid until the next one. As in
 *   GLib, the program ends if there is no memory.
 */
static inline gpointer
pd_vector_extend (PdVector *self, gsize size)
{
  if (G_UNLIKELY (self->n == self->room))
    {
      self->room = MAX (2 * self->room, 16);
      self->data = g_realloc_n (self->data, self->room, size);
    }
  return (char *) self->data + self->n++ * size;
}

/**
 * pd_vector_clear:
 * Gives back the memory; @self is empty.
 */
static inline void
pd_vector_clear (PdVector *self)
{
  g_free (self->data);
  *self = (PdVector){ NULL, 0, 0 };
}

G_END_DECLS

#endif
