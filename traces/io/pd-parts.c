/* SPDX-License-Identifier: MIT */
#include "traces/io/pd-parts.h"

#include "traces/io/pd-line-input.h"

#include <glib/gstdio.h>

/* Bytes of a trace that one thread reads, and the least that each of several reads. */
#define SHORT ((guint64) 1024 * 1024)
#define LEAST (SHORT / 4)
/* Bytes that are looked at line by line. */
#define NEAR 16384
/* Bytes that are read at a time to look at a few lines. */
#define GLANCE 4096

guint
pd_parts_get_n_threads (guint wanted, guint64 size)
{
  if (wanted > 0)
    return wanted;
  return size >= SHORT ? (guint) MIN (pd_parallel_get_n_processors (), size / LEAST) : 1;
}

PdInput *
pd_parts_open (const PdParts *self, guint i)
{
  return pd_input_new_from_part (self->source->path, self->source->bytes, self->begins[i],
                                 self->begins[i + 1], NULL);
}

void
pd_parts_clear (PdParts *self)
{
  g_clear_pointer (&self->begins, g_free);
}

/* Bytes of a text that can be cut; 0 = it cannot, or one thread has to read it anyway. */
static guint64
get_size (const PdTraceSource *source, guint n_threads)
{
  g_autoptr (PdInput) input = NULL;
  GStatBuf status;

  /* most traces are short: they are not even opened */
  if (n_threads == 1
      || (n_threads == 0
          && (source->bytes != NULL
                  ? g_bytes_get_size (source->bytes) < SHORT
                  : g_stat (source->path, &status) != 0 || (guint64) status.st_size < SHORT)))
    return 0;
  input = pd_trace_source_open (source, NULL);
  return input != NULL ? pd_input_get_plain_size (input) : 0;
}

gboolean
pd_parts_init (PdParts *self, const PdTraceSource *source, guint n_threads, PdPartsCut cut)
{
  guint64 end = get_size (source, n_threads), last = 0;
  guint n;

  *self = (PdParts){ .source = source, .n_threads = pd_parts_get_n_threads (n_threads, end) };
  if (self->n_threads == 1 || end == 0)
    return FALSE;
  n = self->n_threads * PD_PARTS_PER_THREAD;
  self->begins = g_new0 (guint64, n + 1);
  self->n = 1;
  for (guint i = 1; i < n; i++)
    {
      guint64 at = end / n * i, next = at > last ? cut (source, at, end) : end;
      if (next > last && next < end)
        self->begins[self->n++] = last = next;
    }
  self->begins[self->n] = end;
  return self->n > 1;
}

/* ---- where another key begins */

/* The first line from @at on that has a key, of those that begin before @end. */
typedef struct
{
  PdInput *input;
  PdLineInput lines;
  guint64 next; /* offset of the next line */
} Glance;

static gboolean
glance_begin (Glance *self, const PdTraceSource *source, guint64 at, guint64 end, gsize chunk)
{
  PdLineText line;
  guint64 begin = at > 0 ? at - 1 : 0;

  self->input = pd_input_new_from_part (source->path, source->bytes, begin, end, NULL);
  if (self->input == NULL)
    return FALSE;
  pd_input_set_chunk (self->input, chunk);
  pd_line_input_init (&self->lines, self->input);
  self->next = begin;
  /* the rest of the line before */
  if (at > 0 && pd_line_input_next (&self->lines, &line, NULL))
    self->next += (guint64) (line.end - line.begin) + 1;
  return TRUE;
}

static void
glance_end (Glance *self)
{
  pd_line_input_clear (&self->lines);
  pd_input_free (self->input);
}

static gboolean
glance_next (Glance *self, PdPartsKey key, gint64 *is, guint64 *at)
{
  PdLineText line;

  while (pd_line_input_next (&self->lines, &line, NULL))
    {
      *at = self->next;
      self->next += (guint64) (line.end - line.begin) + 1;
      if (key (line.begin, line.end, is))
        return TRUE;
    }
  return FALSE;
}

/* The first line from @at on that has a key. */
static gboolean
look (const PdTraceSource *source, guint64 at, guint64 end, gsize chunk, PdPartsKey key, gint64 *is,
      guint64 *line)
{
  Glance glance = { .input = NULL };

  if (!glance_begin (&glance, source, at, end, chunk))
    return FALSE;
  gboolean found = glance_next (&glance, key, is, line);
  glance_end (&glance);
  return found;
}

/* The first line from @at on whose key is not @own. */
static guint64
walk (const PdTraceSource *source, guint64 at, guint64 end, PdPartsKey key, gint64 own)
{
  Glance glance = { .input = NULL };
  guint64 line = end;
  gint64 is = own;

  if (!glance_begin (&glance, source, at, end, GLANCE))
    return end;
  while (glance_next (&glance, key, &is, &line) && is == own)
    ;
  glance_end (&glance);
  return is != own ? line : end;
}

gboolean
pd_parts_find_line (const PdTraceSource *source, guint64 at, guint64 end, PdPartsKey key,
                    gint64 *is, guint64 *line)
{
  return look (source, at, end, G_MAXSIZE, key, is, line);
}

guint64
pd_parts_find_change (const PdTraceSource *source, guint64 at, guint64 end, PdPartsKey key)
{
  guint64 low, high = end, line;
  gint64 own, is;

  if (!look (source, at, end, GLANCE, key, &own, &low))
    return end;
  /* the line at @low has that key, all that begin behind @high have another one */
  while (high - low > NEAR)
    {
      guint64 middle = low + (high - low) / 2;
      if (look (source, middle, end, GLANCE, key, &is, &line) && is == own && line < high)
        low = line;
      else
        high = middle;
    }
  return walk (source, low, end, key, own);
}
