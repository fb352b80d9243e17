/* SPDX-License-Identifier: MIT */
#include "scale/fold/pd-column.h"

#define RUN(self, i) pd_vector_at (&(self)->runs, PdColumnRun, i)

void
pd_column_append (PdColumn *self, gint64 value, guint64 n)
{
  if (n == 0)
    return;
  self->n += n;
  if (self->runs.n > 0 && RUN (self, self->runs.n - 1).value == value)
    RUN (self, self->runs.n - 1).n += n;
  else
    pd_vector_append (&self->runs, PdColumnRun) = (PdColumnRun){ value, n };
}

void
pd_column_append_all (PdColumn *self, const PdColumn *other)
{
  for (gsize i = 0; i < other->runs.n; i++)
    pd_column_append (self, RUN (other, i).value, RUN (other, i).n);
}

void
pd_column_increase_last (PdColumn *self)
{
  PdColumnRun *last = &RUN (self, self->runs.n - 1);
  gint64 value = last->value + 1;

  self->n--;
  if (--last->n == 0)
    self->runs.n--;
  pd_column_append (self, value, 1);
}

gint64
pd_column_next (const PdColumn *self, PdColumnPlace *place)
{
  if (place->run == self->runs.n)
    return 0;
  const PdColumnRun *run = &RUN (self, place->run);
  if (++place->within == run->n)
    *place = (PdColumnPlace){ place->run + 1, 0 };
  return run->value;
}

guint64
pd_column_count_equal (const PdColumn *self, const PdColumnPlace *place, gint64 *value)
{
  if (place->run == self->runs.n)
    return 0;
  if (value != NULL)
    *value = RUN (self, place->run).value;
  return RUN (self, place->run).n - place->within;
}

void
pd_column_skip (const PdColumn *self, PdColumnPlace *place, guint64 n)
{
  place->within += n;
  if (place->run < self->runs.n && place->within == RUN (self, place->run).n)
    *place = (PdColumnPlace){ place->run + 1, 0 };
}

gboolean
pd_column_is_constant (const PdColumn *self)
{
  return self->runs.n <= 1;
}

gboolean
pd_column_equal (const PdColumn *a, const PdColumn *b)
{
  if (a->runs.n != b->runs.n)
    return FALSE;
  for (gsize i = 0; i < a->runs.n; i++)
    if (RUN (a, i).value != RUN (b, i).value || RUN (a, i).n != RUN (b, i).n)
      return FALSE;
  return TRUE;
}

void
pd_column_clear (PdColumn *self)
{
  pd_vector_clear (&self->runs);
  self->n = 0;
}
