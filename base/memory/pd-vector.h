/* An array that grows by one element very often: appending is a store, and a call where there is no
 * room. Large ones are in files where memory is short, see pd_large_new(). Elsewhere GArray does.
 * Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_VECTOR_H
#define PD_VECTOR_H

#include <glib.h>

G_BEGIN_DECLS

/* All zero is empty. The elements are of one type, which users name. */
typedef struct
{
  gpointer data;
  gsize n;    /* elements */
  gsize room; /* elements that there is memory for */
  gsize size; /* bytes, if that is large memory; 0 = it is not */
  gboolean in_file;
} PdVector;

/**
 * pd_vector_reserve:
 * @room: elements that there is to be room for
 * @size: bytes of an element
 *
 * As in GLib, the program ends if there is no memory.
 */
void pd_vector_reserve (PdVector *self, gsize room, gsize size);

/**
 * pd_vector_set_size:
 * @n: elements that it has from now on; those behind the ones that it had have any content
 * @size: bytes of an element
 *
 * Returns: (transfer none): the first.
 */
static inline gpointer
pd_vector_set_size (PdVector *self, gsize n, gsize size)
{
  if (n > self->room)
    pd_vector_reserve (self, n, size);
  self->n = n;
  return self->data;
}

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
    pd_vector_reserve (self, self->n + self->n / 2 + 16, size);
  return (char *) self->data + self->n++ * size;
}

/**
 * pd_vector_clear:
 * Gives back the memory; @self is empty.
 */
void pd_vector_clear (PdVector *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdVector, pd_vector_clear)

G_END_DECLS

#endif
