/* SPDX-License-Identifier: MIT */
#include "base/pd-error.h"
#include "predictor/common/pd-noise-samples.h"

#include "base/pd-units.h"
#include "comsys/machine/pd-machine.h"
#include "base/pd-file.h"

#include <string.h>

typedef struct
{
  PdTime duration;
  gint64 count;
  gdouble rate;  /* per picosecond of computation */
  gdouble below; /* sum of the rates up to and with this row */
} Row;

struct _PdNoiseSamples
{
  GArray *rows; /* Row */
  gdouble rate; /* of all */
};

void
pd_noise_samples_free (PdNoiseSamples *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->rows);
  g_free (self);
}

/* ---- reading */

typedef struct
{
  const char *name;
  gint64 line;      /* from 1 */
  PdTime measured;  /* 0: not known yet */
  PdWide disturbed; /* picoseconds of all rows */
  gboolean ended;
  PdNoiseSamples *noise_samples;
  GError **error;
} Parser;

#define fail(self, code, ...)                                                                      \
  pd_fail_at ((self)->error, PD_MACHINE_ERROR, code, (self)->name, (self)->line, __VA_ARGS__)

/* A number of at least 1. */
static gboolean
parse_number (Parser *self, PdUnit unit, const char *text, gint64 *value)
{
  g_autoptr (GError) local = NULL;
  PdNumber number;

  if (!pd_units_parse (unit, text, &number, &local))
    return fail (self, PD_MACHINE_ERROR_VALUE, "%s", local->message);
  if (number.i < 1)
    return fail (self, PD_MACHINE_ERROR_VALUE, "'%s': expected more than 0", text);
  *value = number.i;
  return TRUE;
}

static gboolean
parse_row (Parser *self, const char *duration, const char *count)
{
  Row row = { .count = 0 };

  if (self->noise_samples->rows->len == PD_NOISE_SAMPLES_MAX_ROWS)
    return fail (self, PD_MACHINE_ERROR_VALUE,
                 "more than %d rows; expected a histogram of the durations",
                 PD_NOISE_SAMPLES_MAX_ROWS);
  if (!parse_number (self, PD_UNIT_TIME, duration, &row.duration.ps)
      || !parse_number (self, PD_UNIT_COUNT, count, &row.count))
    return FALSE;
  self->disturbed += (PdWide) row.duration.ps * row.count;
  if (self->disturbed >= self->measured.ps)
    return fail (self, PD_MACHINE_ERROR_VALUE,
                 "the noise samples up to here take as long as the whole measurement");
  g_array_append_val (self->noise_samples->rows, row);
  return TRUE;
}

/* @words: of a line that is not empty. */
static gboolean
parse_words (Parser *self, char **words)
{
  guint n = g_strv_length (words);

  if (self->ended)
    return fail (self, PD_MACHINE_ERROR_FORMAT, "text after 'end'");
  if (self->measured.ps == 0)
    {
      if (n == 2 && strcmp (words[0], "measured") == 0)
        return parse_number (self, PD_UNIT_TIME, words[1], &self->measured.ps);
      return fail (self, PD_MACHINE_ERROR_FORMAT,
                   "expected 'measured TIME', such as 'measured 60s'");
    }
  if (n == 1 && strcmp (words[0], "end") == 0)
    return self->ended = TRUE;
  if (n == 2)
    return parse_row (self, words[0], words[1]);
  return fail (self, PD_MACHINE_ERROR_FORMAT,
               "expected 'DURATION COUNT', such as '1.5us 600', or 'end'");
}

static gboolean
parse_line (Parser *self, char *line)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  line[strcspn (line, "#")] = '\0';
  g_auto (GStrv) parts = g_strsplit_set (line, " \t\r", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] != '\0')
      g_ptr_array_add (words, parts[i]);
  g_ptr_array_add (words, NULL);
  return words->len == 1 || parse_words (self, (char **) words->pdata);
}

static void
compute_rates (Parser *self)
{
  PdNoiseSamples *noise_samples = self->noise_samples;
  gdouble left = (gdouble) (self->measured.ps - (gint64) self->disturbed);

  for (guint i = 0; i < noise_samples->rows->len; i++)
    {
      Row *row = &g_array_index (noise_samples->rows, Row, i);
      row->rate = (gdouble) row->count / left;
      noise_samples->rate += row->rate;
      row->below = noise_samples->rate;
    }
}

PdNoiseSamples *
pd_noise_samples_parse (const char *text, gsize size, const char *name, GError **error)
{
  g_autoptr (PdNoiseSamples) noise_samples = g_new0 (PdNoiseSamples, 1);
  Parser parser = { .name = name, .noise_samples = noise_samples, .error = error };
  const char *end = text + size;

  noise_samples->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  for (const char *p = text, *next; p < end; p = next)
    {
      const char *newline = memchr (p, '\n', (gsize) (end - p));
      next = newline != NULL ? newline + 1 : end;
      gsize n = (gsize) ((newline != NULL ? newline : end) - p);
      g_autofree char *line = g_strndup (p, n);
      parser.line++;
      if (strlen (line) != n)
        {
          fail (&parser, PD_MACHINE_ERROR_FORMAT, "a byte 0 in a text");
          return NULL;
        }
      if (!parse_line (&parser, line))
        return NULL;
    }
  if (!parser.ended)
    {
      fail (&parser, PD_MACHINE_ERROR_FORMAT,
            "the list ends early: expected 'end' as its last line");
      return NULL;
    }
  compute_rates (&parser);
  return g_steal_pointer (&noise_samples);
}

PdNoiseSamples *
pd_noise_samples_load (const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *text = NULL;
  gsize size;

  if (pd_file_read (path, &text, &size, &local))
    return pd_noise_samples_parse (text, size, path, error);
  g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_NOT_FOUND, "list of noise samples: %s",
               local->message);
  return NULL;
}

/* ---- drawing */

/* The duration of one noise sample: the first row with a sum of rates of at least
 * @rate. */
static PdTime
find_duration (const PdNoiseSamples *self, gdouble rate)
{
  guint low = 0, high = self->rows->len - 1;

  while (low < high)
    {
      guint middle = (low + high) / 2;
      if (g_array_index (self->rows, Row, middle).below >= rate)
        high = middle;
      else
        low = middle + 1;
    }
  return g_array_index (self->rows, Row, low).duration;
}

PdTime
pd_noise_samples_draw (const PdNoiseSamples *self, PdTime time, PdRandom *random)
{
  PdTime sum = PD_TIME_ZERO;
  gdouble expected = self->rate * (gdouble) time.ps;

  /* few: each by itself; many: row by row. The distribution is the same. */
  if (expected < self->rows->len)
    {
      guint64 n = pd_random_poisson (random, expected);
      for (guint64 i = 0; i < n; i++)
        sum = pd_time_add (sum, find_duration (self, self->rate * pd_random_uniform (random)));
      return sum;
    }
  for (guint i = 0; i < self->rows->len; i++)
    {
      const Row *row = &g_array_index (self->rows, Row, i);
      guint64 n = pd_random_poisson (random, row->rate * (gdouble) time.ps);
      sum = pd_time_add (sum, pd_time_scale (row->duration, (gint64) n, 1));
    }
  return sum;
}
