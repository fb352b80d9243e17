/* SPDX-License-Identifier: MIT */
#include "traces/io/pd-parts.h"

#include "traces/io/pd-line-input.h"

#include <glib/gstdio.h>

/* Bytes of a trace that one thread reads, and the least that each of several reads. Another thread
 * pays off behind a millisecond, or behind several where most of the text is a repetition. */
#define SHORT ((guint64) 4 * 1024 * 1024)
#define LEAST (SHORT / 16)
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

/* Looks at a few lines here and there. */
typedef struct
{
  PdInput *input;
  PdLineInput lines;
  guint64 next; /* offset of the next line */
} Glance;

static gboolean
glance_open (Glance *self, const PdTraceSource *source, guint64 end, gsize chunk)
{
  *self = (Glance){ .input = pd_input_new_from_part (source->path, source->bytes, 0, end, NULL) };
  if (self->input == NULL)
    return FALSE;
  pd_input_set_chunk (self->input, chunk);
  return TRUE;
}

static void
glance_close (Glance *self)
{
  pd_line_input_clear (&self->lines);
  pd_input_free (self->input);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Glance, glance_close)

/* The next line is the first one that begins at @at or behind it. */
static void
glance_move_to (Glance *self, guint64 at)
{
  PdLineText line;

  self->next = at > 0 ? at - 1 : 0;
  pd_input_move_to (self->input, self->next);
  pd_line_input_clear (&self->lines);
  pd_line_input_init (&self->lines, self->input);
  /* the rest of the line before */
  if (at > 0 && pd_line_input_next (&self->lines, &line, NULL))
    self->next += (guint64) (line.end - line.begin) + 1;
}

/* The next line that has a key. */
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
look (Glance *self, guint64 at, PdPartsKey key, gint64 *is, guint64 *line)
{
  glance_move_to (self, at);
  return glance_next (self, key, is, line);
}

gboolean
pd_parts_find_line (const PdTraceSource *source, guint64 at, guint64 end, PdPartsKey key,
                    gint64 *is, guint64 *line)
{
  g_auto (Glance) glance = { .input = NULL };

  return glance_open (&glance, source, end, G_MAXSIZE) && look (&glance, at, key, is, line);
}

guint64
pd_parts_find_change (const PdTraceSource *source, guint64 at, guint64 end, PdPartsKey key)
{
  g_auto (Glance) glance = { .input = NULL };
  guint64 low, high = end, line;
  gint64 own, is;

  if (!glance_open (&glance, source, end, GLANCE) || !look (&glance, at, key, &own, &low))
    return end;
  /* the line at @low has that key, all that begin behind @high have another one */
  while (high - low > NEAR)
    {
      guint64 middle = low + (high - low) / 2;
      if (look (&glance, middle, key, &is, &line) && is == own && line < high)
        low = line;
      else
        high = middle;
    }
  glance_move_to (&glance, low);
  while (glance_next (&glance, key, &is, &line))
    if (is != own)
      return line;
  return end;
}
