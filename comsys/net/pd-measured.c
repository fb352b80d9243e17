/* SPDX-License-Identifier: MIT */
#include "comsys/net/pd-measured.h"

#include <math.h>

PdMeasured *
pd_measured_new (const gdouble *cf, guint n_columns)
{
  g_return_val_if_fail (n_columns >= 1 && n_columns <= PD_MEASURED_MAX_COLUMNS, NULL);

  PdMeasured *self = g_new0 (PdMeasured, 1);
  self->n_columns = n_columns;
  for (guint i = 0; i < n_columns; i++)
    self->cf[i] = cf[i];
  self->sizes = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->times = g_array_new (FALSE, FALSE, sizeof (gdouble));
  return self;
}

void
pd_measured_free (PdMeasured *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->sizes);
  g_array_unref (self->times);
  g_free (self);
}

static gint64
get_size (const PdMeasured *self, guint row)
{
  return g_array_index (self->sizes, gint64, row);
}

gint64
pd_measured_get_size (const PdMeasured *self, gboolean largest)
{
  return get_size (self, largest ? self->sizes->len - 1 : 0);
}

gboolean
pd_measured_add (PdMeasured *self, gint64 bytes, PdTime time, const gdouble *factors)
{
  gdouble times[PD_MEASURED_MAX_COLUMNS];
  guint row = 0;

  while (row < self->sizes->len && get_size (self, row) < bytes)
    row++;
  if (row < self->sizes->len && get_size (self, row) == bytes)
    return FALSE;
  for (guint i = 0; i < self->n_columns; i++)
    times[i] = (gdouble) time.ps * (i == 0 ? 1 : factors[i - 1]);
  g_array_insert_val (self->sizes, row, bytes);
  g_array_insert_vals (self->times, row * self->n_columns, times, self->n_columns);
  return TRUE;
}

PdMeasuredPlace
pd_measured_find (const PdMeasured *self, gint64 bytes)
{
  guint low = 0, high = self->sizes->len - 1;

  if (bytes < get_size (self, low) && self->below_line && high > 0)
    return (PdMeasuredPlace){ low,
                              ((gdouble) bytes - (gdouble) get_size (self, 0))
                                  / ((gdouble) get_size (self, 1) - (gdouble) get_size (self, 0)),
                              1 };
  if (bytes <= get_size (self, low))
    return (PdMeasuredPlace){ low, 0, (gdouble) bytes / (gdouble) get_size (self, low) };
  if (bytes >= get_size (self, high))
    return (PdMeasuredPlace){ high, 0, (gdouble) bytes / (gdouble) get_size (self, high) };
  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;
      if (get_size (self, middle) <= bytes)
        low = middle;
      else
        high = middle;
    }
  gdouble first = (gdouble) get_size (self, low);
  if (self->between_sizes)
    return (PdMeasuredPlace){ low,
                              ((gdouble) bytes - first) / ((gdouble) get_size (self, high) - first),
                              1 };
  gdouble way = log ((gdouble) get_size (self, high) / first);
  return (PdMeasuredPlace){ low, log ((gdouble) bytes / first) / way, 1 };
}

gdouble
pd_measured_get_time (const PdMeasured *self, const PdMeasuredPlace *place, gdouble cf)
{
  guint last = self->n_columns - 1, column = 0;
  gdouble beyond = self->beyond_nearest ? 1 : MAX (1, cf / self->cf[last]);

  cf = MIN (cf, self->cf[last]);
  while (column + 1 < last && self->cf[column + 1] <= cf)
    column++;
  gdouble part =
      last == 0 ? 0 : (cf - self->cf[column]) / (self->cf[column + 1] - self->cf[column]);
  const gdouble *row = &g_array_index (self->times, gdouble, place->row * self->n_columns + column);
  guint right = last == 0 ? 0 : 1, below = place->fraction != 0 ? self->n_columns : 0;
  gdouble here = row[0] + part * (row[right] - row[0]);
  gdouble there = row[below] + part * (row[below + right] - row[below]);

  return MAX (0, here + place->fraction * (there - here)) * place->scale * beyond;
}

gboolean
pd_measured_is_outside (const PdMeasured *self, gint64 bytes, gdouble cf)
{
  return bytes < pd_measured_get_size (self, FALSE) || bytes > pd_measured_get_size (self, TRUE)
         || cf > self->cf[self->n_columns - 1];
}

/* ---- what falls with cf */

/* Pools neighbours that fall: each pool has the mean of its times. */
static void
smooth_row (gdouble *times, guint n)
{
  gdouble means[PD_MEASURED_MAX_COLUMNS];
  guint lengths[PD_MEASURED_MAX_COLUMNS], n_pools = 0;

  for (guint i = 0; i < n; i++)
    {
      means[n_pools] = times[i];
      lengths[n_pools++] = 1;
      for (; n_pools > 1 && means[n_pools - 2] > means[n_pools - 1]; n_pools--)
        {
          guint a = lengths[n_pools - 2], b = lengths[n_pools - 1];
          means[n_pools - 2] = (means[n_pools - 2] * a + means[n_pools - 1] * b) / (a + b);
          lengths[n_pools - 2] = a + b;
        }
    }
  for (guint pool = 0, i = 0; pool < n_pools; pool++)
    for (guint k = 0; k < lengths[pool]; k++)
      times[i++] = means[pool];
}

void
pd_measured_smooth (PdMeasured *self)
{
  for (guint row = 0; row < self->sizes->len; row++)
    smooth_row (&g_array_index (self->times, gdouble, row * self->n_columns), self->n_columns);
}

guint
pd_measured_find_fall (const PdMeasured *self, guint row, gdouble largest_cf)
{
  const gdouble *times = &g_array_index (self->times, gdouble, row * self->n_columns);

  for (guint i = 1; i < self->n_columns && self->cf[i - 1] < largest_cf; i++)
    if (times[i] < times[i - 1])
      return i;
  return 0;
}
