/* SPDX-License-Identifier: MIT */
#include "analyse/pd-sizes.h"

#include <math.h>

void
pd_sizes_merge (PdSizes *self, const PdSizes *more)
{
  if (more->n == 0)
    return;
  self->smallest = self->n > 0 ? MIN (self->smallest, more->smallest) : more->smallest;
  self->largest = MAX (self->largest, more->largest);
  self->bytes.ps += more->bytes.ps;
  self->n += more->n;
  for (guint i = 0; i < PD_N_SIZE_CLASSES; i++)
    self->classes[i] += more->classes[i];
}

gdouble
pd_sizes_mean (const PdSizes *self)
{
  return self->n > 0 ? (gdouble) self->bytes.ps / (gdouble) self->n : NAN;
}

gint64
pd_sizes_class_from (guint size_class)
{
  return size_class > 0 ? G_GINT64_CONSTANT (1) << (size_class - 1) : 0;
}

gint64
pd_sizes_class_to (guint size_class)
{
  return size_class > 0 ? pd_sizes_class_from (size_class) - 1 + pd_sizes_class_from (size_class)
                        : 0;
}
