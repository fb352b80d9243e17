/* One processor's block. Every number is checked before it is used.
 * SPDX-License-Identifier: MIT */
#include "traces/pppa/pd-pppa-private.h"

#include <math.h>
#include <string.h>

#define MOST_SECONDS 9e6 /* what PdTime holds */
#define MAX_RANK     16
#define TIMES        7 /* doubles before the matrix */

/* Numbers of the longs of a block. */
enum
{
  PROCESSORS = 0,
  INTERVALS = 3,
  BLOCK_SIZE = 4,
  INTERVALS_SIZE = 5,
  OPERATIONS_SIZE = 6,
  N_LONGS = 7,
};

/* ---- numbers */

guint64
pd_pppa_get_number (const PdPppaForm *form, const guint8 *at, guint size)
{
  guint64 value = 0;

  for (guint i = 0; i < size; i++)
    value = value << 8 | at[form->big ? i : size - 1 - i];
  return value;
}

gdouble
pd_pppa_get_double (const PdPppaForm *form, const guint8 *at)
{
  guint64 bits = pd_pppa_get_number (form, at, sizeof bits);
  gdouble value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

gboolean
pd_pppa_get_form (const guint8 *data, PdPppaForm *form)
{
  form->big = data[0] == 0;
  form->size_l = (guint) pd_pppa_get_number (form, data + 4, 2);
  form->size_v = (guint) pd_pppa_get_number (form, data + 6, 2);
  return pd_pppa_get_number (form, data, 2) == 1 && pd_pppa_get_number (form, data + 2, 2) == 2
         && (form->size_l == 4 || form->size_l == 8) && (form->size_v == 4 || form->size_v == 8)
         && pd_pppa_get_number (form, data + 8, 2) == 8;
}

/* ---- the head */

static gboolean
fail (GError **error, PdTraceError code, const char *name, gsize offset, const char *text)
{
  g_set_error (error, PD_TRACE_ERROR, (gint) code, "%s: offset %" G_GSIZE_FORMAT ": %s", name,
               offset, text);
  return FALSE;
}

static guint64
get_short (const PdPppaBlock *self, guint number)
{
  return pd_pppa_get_number (&self->form, self->data + PD_PPPA_CONST + 2 * number, 2);
}

static guint64
get_long (const PdPppaBlock *self, guint number)
{
  guint size = self->form.size_l;

  return pd_pppa_get_number (&self->form, self->data + PD_PPPA_HEAD_ENDS + number * size, size);
}

/* The bytes that the rest of the head has, behind its numbers: of the processor system, of the
 * version and of accelerators. */
static gboolean
find_intervals (PdPppaBlock *self, gsize numbers, gsize left, const char *name, GError **error)
{
  guint size = self->form.size_l;
  gsize accelerators = numbers + self->rank * size + get_short (self, 3);

  if (accelerators + 3 * size > left)
    return fail (error, PD_TRACE_ERROR_TRUNCATED, name, left, "the head of a processor is cut");
  guint64 head = pd_pppa_get_number (&self->form, self->data + accelerators, size);
  guint64 part = pd_pppa_get_number (&self->form, self->data + accelerators + size, size);
  guint64 threads = pd_pppa_get_number (&self->form, self->data + accelerators + 2 * size, size);
  if (head < 3 * size || head > left || part > left || threads > left / 16)
    return fail (error, PD_TRACE_ERROR_VALUE, name, accelerators,
                 "sizes of the statistics of accelerators were expected; statistics of run-time "
                 "systems without them are not known");
  self->first = accelerators + head;
  self->interval = 4 + 7 * size + 4 * self->form.size_v + 8 * PD_PPPA_DOUBLES + part + 16 * threads;
  return TRUE;
}

static gboolean
read_head (PdPppaBlock *self, gsize left, const char *name, GError **error)
{
  if (left < PD_PPPA_CONST)
    return fail (error, PD_TRACE_ERROR_TRUNCATED, name, left, "the head of a processor is cut");
  if (!pd_pppa_get_form (self->data, &self->form))
    return fail (error, PD_TRACE_ERROR_FORMAT, name, 0,
                 "sizes of short, long, pointer and double were expected");
  gsize numbers =
      PD_PPPA_HEAD_ENDS + N_LONGS * self->form.size_l + self->form.size_v + sizeof (gdouble);
  if (left < numbers)
    return fail (error, PD_TRACE_ERROR_TRUNCATED, name, left, "the head of a processor is cut");
  self->rank = get_short (self, 0);
  self->n_processors = get_long (self, PROCESSORS);
  if (self->rank < 1 || self->rank > MAX_RANK)
    return fail (error, PD_TRACE_ERROR_VALUE, name, PD_PPPA_CONST,
                 "a processor system of 1 to 16 dimensions was expected");
  if (self->n_processors < 1 || self->n_processors > 1000000)
    return fail (error, PD_TRACE_ERROR_LIMIT, name, PD_PPPA_HEAD_ENDS,
                 "1 to 1000000 processors were expected");
  if (get_long (self, INTERVALS_SIZE) == 0)
    return fail (error, PD_TRACE_ERROR_VALUE, name, PD_PPPA_HEAD_ENDS,
                 "there are no intervals: the program ended with an error of its statistics");
  return find_intervals (self, numbers, left, name, error);
}

/* The sizes that the head names must fit into each other, and into the @left bytes. */
static gboolean
check_sizes (PdPppaBlock *self, gsize left, const char *name, GError **error)
{
  guint64 size = get_long (self, BLOCK_SIZE), intervals = get_long (self, INTERVALS_SIZE);
  guint64 operations = get_long (self, OPERATIONS_SIZE);

  if (size > left)
    return fail (error, PD_TRACE_ERROR_TRUNCATED, name, left, "the block of a processor is cut");
  if (self->first > size || intervals > size - self->first
      || operations > size - self->first - intervals)
    return fail (error, PD_TRACE_ERROR_VALUE, name, PD_PPPA_HEAD_ENDS,
                 "the intervals are larger than the block of their processor");
  self->size = size;
  self->end = self->first + intervals;
  guint at = PD_PPPA_HEAD_ENDS + N_LONGS * self->form.size_l;
  self->base = pd_pppa_get_number (&self->form, self->data + at, self->form.size_v) + self->first;
  return TRUE;
}

/* ---- intervals */

static gboolean
is_seconds (gdouble value)
{
  return isfinite (value) && fabs (value) <= MOST_SECONDS;
}

static gboolean
check_times (const PdPppaBlock *self, gsize offset, const char *name, GError **error)
{
  gsize at = offset + 4 + 7 * self->form.size_l + 4 * self->form.size_v;

  for (guint i = 0; i < PD_PPPA_DOUBLES; i++)
    {
      gdouble value = pd_pppa_get_double (&self->form, self->data + at + 8 * i);
      /* the times of messages are not used */
      if ((i == 0 || i >= TIMES) && (!is_seconds (value) || (i == 0 && value < 0)))
        return fail (error, PD_TRACE_ERROR_VALUE, name, at + 8 * i,
                     "a number of up to 9e6 was expected");
    }
  return TRUE;
}

/* Intervals refer to each other by where they were in memory. */
static gboolean
find_parent (PdPppaBlock *self, gsize offset, const char *name, GError **error)
{
  guint at = 4 + 7 * self->form.size_l;
  guint64 up = pd_pppa_get_number (&self->form, self->data + offset + at, self->form.size_v);
  gint64 parent = -1;

  for (guint low = 0, high = self->offsets->len; up != 0 && low < high && parent < 0;)
    {
      guint middle = low + (high - low) / 2;
      guint64 there = g_array_index (self->offsets, gsize, middle) - self->first;
      if (there == up - self->base)
        parent = middle;
      else if (there < up - self->base)
        low = middle + 1;
      else
        high = middle;
    }
  if (up != 0 && parent < 0)
    return fail (error, PD_TRACE_ERROR_VALUE, name, offset + at,
                 "an earlier interval was expected around this one");
  g_array_append_val (self->parents, parent);
  return TRUE;
}

static gboolean
read_interval (PdPppaBlock *self, gsize *offset, const char *name, GError **error)
{
  gsize at = *offset;

  if (self->interval >= self->end - at)
    return fail (error, PD_TRACE_ERROR_VALUE, name, at, "an interval is cut");
  const guint8 *file = self->data + at + self->interval;
  const guint8 *nul = memchr (file, 0, self->end - at - self->interval);
  if (nul == NULL)
    return fail (error, PD_TRACE_ERROR_VALUE, name, at + self->interval,
                 "the file name of an interval has no end");
  if (!check_times (self, at, name, error) || !find_parent (self, at, name, error))
    return FALSE;
  g_array_append_val (self->offsets, at);
  *offset = at + self->interval + (gsize) (nul - file) + 1;
  return TRUE;
}

gboolean
pd_pppa_block_read (PdPppaBlock *self, GBytes *bytes, gsize offset, const char *name,
                    GError **error)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  self->bytes = bytes;
  self->data = data != NULL ? data + offset : (const guint8 *) "";
  self->offsets = g_array_new (FALSE, FALSE, sizeof (gsize));
  self->parents = g_array_new (FALSE, FALSE, sizeof (gint64));
  if (!read_head (self, size - offset, name, error)
      || !check_sizes (self, size - offset, name, error))
    return FALSE;
  guint64 n = get_long (self, INTERVALS);
  gsize at = self->first;
  for (guint64 i = 0; i < n; i++)
    if (!read_interval (self, &at, name, error))
      return FALSE;
  return n > 0
         || fail (error, PD_TRACE_ERROR_VALUE, name, PD_PPPA_HEAD_ENDS,
                  "at least one interval was expected");
}

void
pd_pppa_block_clear (PdPppaBlock *self)
{
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_clear_pointer (&self->offsets, g_array_unref);
  g_clear_pointer (&self->parents, g_array_unref);
}
