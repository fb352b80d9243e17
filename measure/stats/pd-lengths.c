/* Lengths of messages, from options.
 * SPDX-License-Identifier: MIT */
#include "measure/stats/pd-lengths.h"

#include <math.h>
#include <string.h>

#define MAX_SIZES 10000

gint64
pd_lengths_unit (const char *unit)
{
  static const struct
  {
    const char *name;
    gint64 bytes;
  } units[] = { { "B", 1 }, { "K", 1024 }, { "M", 1024 * 1024 } };

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (unit, units[i].name) == 0)
      return units[i].bytes;
  return 0;
}

GArray *
pd_lengths_parse_numbers (const char *name, const char *list, gint64 most, GError **error)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_auto (GStrv) words = g_strsplit (list, ",", -1);
  gint64 last = 0;

  for (guint i = 0; words[i] != NULL; i++)
    {
      guint64 number;
      if (!g_ascii_string_to_unsigned (words[i], 10, 1, (guint64) most, &number, NULL)
          || (gint64) number <= last)
        {
          g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE,
                       "--%s=%s: expected numbers that rise, from 1 to %" G_GINT64_FORMAT
                       ", with ',' between",
                       name, list, most);
          return NULL;
        }
      last = (gint64) number;
      g_array_append_val (numbers, last);
    }
  if (numbers->len > 0)
    return g_steal_pointer (&numbers);
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE, "--%s: expected a number", name);
  return NULL;
}

static gboolean
check (const PdLengths *self, gint64 unit, GError **error)
{
  g_autofree char *wrong = NULL;

  if (self->min < 0 || self->max < self->min || self->max > PD_LENGTHS_MAX_BYTES / unit)
    wrong = g_strdup_printf ("lengths from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                             ": expected rising ones of at most 2^30 bytes",
                             self->min, self->max);
  else if (self->step < 0 || (self->step == 0 && !(self->factor > 1 && isfinite (self->factor))))
    wrong = g_strdup ("expected a factor above 1 or a step above 0");
  else if (self->step > 0 && (self->max - self->min) / self->step >= MAX_SIZES)
    wrong = g_strdup_printf ("a step of %" G_GINT64_FORMAT " gives more than %d lengths",
                             self->step, MAX_SIZES);
  if (wrong != NULL)
    g_set_error_literal (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE, wrong);
  return wrong == NULL;
}

static GArray *
sweep (const PdLengths *self)
{
  GArray *lengths = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 length = self->min;

  while (length <= self->max && lengths->len < MAX_SIZES)
    {
      if (length > 0 || self->with_zero)
        g_array_append_val (lengths, length);
      if (self->step > 0)
        length += self->step;
      else
        length = MAX (length + 1,
                      (gint64) MIN ((gdouble) length * self->factor, 2.0 * PD_LENGTHS_MAX_BYTES));
    }
  return lengths;
}

GArray *
pd_lengths_make (const PdLengths *self, GError **error)
{
  gint64 unit = pd_lengths_unit (self->unit);
  GArray *lengths;

  if (unit == 0)
    {
      g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE, "unit '%s': expected B, K or M",
                   self->unit);
      return NULL;
    }
  if (self->list == NULL && !check (self, unit, error))
    return NULL;
  lengths = self->list != NULL
                ? pd_lengths_parse_numbers ("sizes", self->list, PD_LENGTHS_MAX_BYTES / unit, error)
                : sweep (self);
  for (guint i = 0; lengths != NULL && i < lengths->len; i++)
    g_array_index (lengths, gint64, i) *= unit;
  return lengths;
}
