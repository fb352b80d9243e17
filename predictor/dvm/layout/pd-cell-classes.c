/* SPDX-License-Identifier: MIT */
#include "predictor/dvm/layout/pd-cell-classes.h"

#include "predictor/dvm/layout/pd-dvm-layout-inside.h"

#include <string.h>

struct _PdCellClasses
{
  const PdGrid *grid;
  guint n; /* classes */
  guint n_dims;
  guint dims[PD_MAX_GRID_RANK];
  guint16 *class_of[PD_MAX_GRID_RANK]; /* of each coordinate, times the classes of the dimensions
                                        * before */
};

/* Returns how many classes the coordinates of one dimension have; 0 if more than @most. */
static guint
classify (const char *cells, gsize size, guint32 n_coords, guint most, guint16 *class_of)
{
  g_autofree guint32 *firsts = g_new (guint32, most); /* a coordinate of each class */
  guint n = 0;

  for (guint32 c = 0; c < n_coords; c++)
    {
      guint k = 0;
      while (k < n && memcmp (cells + c * size, cells + firsts[k] * size, size) != 0)
        k++;
      if (k == most)
        return 0;
      if (k == n)
        firsts[n++] = c;
      class_of[c] = (guint16) k;
    }
  return n;
}

PdCellClasses *
pd_cell_classes_new (const PdGrid *grid, const guint *dims, guint n_dims,
                     const gconstpointer *cells, gsize cell_size, guint most)
{
  g_return_val_if_fail (grid != NULL && most >= 1 && most <= G_MAXUINT16, NULL);

  g_autoptr (PdCellClasses) self = g_new0 (PdCellClasses, 1);
  self->grid = grid;
  self->n = 1;
  for (guint k = 0; k < n_dims; k++)
    {
      guint32 n_coords = grid->sizes[dims[k]];
      self->dims[k] = dims[k];
      self->class_of[self->n_dims++] = g_new (guint16, n_coords);
      guint n = classify (cells[k], cell_size, n_coords, most / self->n, self->class_of[k]);
      if (n == 0)
        return NULL;
      for (guint32 c = 0; c < n_coords; c++)
        self->class_of[k][c] = (guint16) (self->class_of[k][c] * self->n);
      self->n *= n;
    }
  return g_steal_pointer (&self);
}

void
pd_cell_classes_free (PdCellClasses *self)
{
  if (self == NULL)
    return;
  for (guint k = 0; k < self->n_dims; k++)
    g_free (self->class_of[k]);
  g_free (self);
}

guint
pd_cell_classes_get_n (const PdCellClasses *self)
{
  return self->n;
}

guint
pd_cell_classes_find (const PdCellClasses *self, guint32 linear)
{
  const PdGrid *grid = self->grid;
  guint class = 0;

  for (guint k = 0; k < self->n_dims; k++)
    {
      guint d = self->dims[k];
      guint32 coord = linear / grid->steps[d];
      class += self->class_of[k][d == 0 ? coord : coord % grid->sizes[d]];
    }
  return class;
}
