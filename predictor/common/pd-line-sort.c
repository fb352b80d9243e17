/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "predictor/common/pd-line-sort.h"

#include "base/pd-target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Bytes that are read of a run at once. */
#define BUFFER_SIZE 65536

/* A line in memory, and the head of one in the file. */
typedef struct
{
  PdLineKey key;
  guint32 length;
  guint32 run;  /* number of the run; lines of lower ones came first */
  gsize offset; /* of the text in memory */
} Line;

/* A sorted part of the file. */
typedef struct
{
  off_t from; /* what has not been read into the buffer yet */
  off_t end;
} Run;

struct _PdLineSort
{
  char *folder;
  gsize memory;
  GArray *lines; /* Line */
  GByteArray *text;
  FILE *file;    /* (nullable): the runs */
  GArray *runs;  /* Run */
  GError *error; /* the first of the file */
};

PdLineSort *
pd_line_sort_new (const char *folder, gsize memory)
{
  PdLineSort *self = g_new0 (PdLineSort, 1);

  self->folder = g_strdup (folder);
  self->memory = memory;
  self->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  self->text = g_byte_array_new ();
  self->runs = g_array_new (FALSE, FALSE, sizeof (Run));
  return self;
}

static void
clear (PdLineSort *self)
{
  g_array_set_size (self->lines, 0);
  g_byte_array_set_size (self->text, 0);
  g_array_set_size (self->runs, 0);
  if (self->file != NULL)
    fclose (self->file);
  self->file = NULL;
  g_clear_error (&self->error);
}

void
pd_line_sort_free (PdLineSort *self)
{
  if (self == NULL)
    return;
  clear (self);
  g_array_unref (self->lines);
  g_byte_array_unref (self->text);
  g_array_unref (self->runs);
  g_free (self->folder);
  g_free (self);
}

/* ---- collecting */

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  const Line *x = a, *y = b;

  if (x->key.major != y->key.major)
    return x->key.major < y->key.major ? -1 : 1;
  if (x->key.minor != y->key.minor)
    return x->key.minor < y->key.minor ? -1 : 1;
  if (x->key.part != y->key.part)
    return x->key.part < y->key.part ? -1 : 1;
  if (x->run != y->run)
    return x->run < y->run ? -1 : 1;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

static gboolean
fail (const PdLineSort *self, GError **error)
{
  int number = errno;

  g_set_error (error, G_FILE_ERROR, (gint) g_file_error_from_errno (number),
               "cannot use a temporary file in '%s': %s", self->folder, g_strerror (number));
  return FALSE;
}

/* A file without a name. */
static gboolean
open_file (PdLineSort *self)
{
  g_autofree char *path = g_build_filename (self->folder, ".predictor", NULL);
  g_autoptr (PdTarget) target = pd_target_new_temporary (path);
  int fd = target != NULL ? fcntl (pd_target_get_fd (target), F_DUPFD_CLOEXEC, 0) : -1;

  self->file = fd >= 0 ? fdopen (fd, "w+b") : NULL;
  return self->file != NULL || fail (self, &self->error);
}

/* Writes the lines in memory as a run of the file. */
static gboolean
flush (PdLineSort *self)
{
  if (self->file == NULL && !open_file (self))
    return FALSE;
  Run run = { ftello (self->file), 0 };
  g_array_sort (self->lines, compare_lines);
  for (guint i = 0; i < self->lines->len; i++)
    {
      const Line *line = &g_array_index (self->lines, Line, i);
      if (fwrite (line, sizeof *line, 1, self->file) != 1
          || fwrite (self->text->data + line->offset, 1, line->length, self->file) != line->length)
        return fail (self, &self->error);
    }
  if (fflush (self->file) != 0)
    return fail (self, &self->error);
  run.end = ftello (self->file);
  g_array_append_val (self->runs, run);
  g_array_set_size (self->lines, 0);
  g_byte_array_set_size (self->text, 0);
  return TRUE;
}

void
pd_line_sort_add (PdLineSort *self, PdLineKey key, const char *text, gsize length)
{
  Line line = { key, (guint32) length, self->runs->len, self->text->len };

  g_return_if_fail (length <= G_MAXINT32);

  if (self->error != NULL)
    return;
  g_array_append_val (self->lines, line);
  g_byte_array_append (self->text, (const guint8 *) text, (guint) length);
  if (self->text->len + self->lines->len * sizeof line >= self->memory)
    flush (self);
}

/* ---- merging */

/* The place of a merge in one run. */
typedef struct
{
  Run run;
  GByteArray *buffer; /* read, but not written yet from @at on */
  guint at;
  Line line; /* the next one; its text is at @at */
} Reader;

/* Makes sure that @n bytes from reader->at on are in memory. */
static gboolean
fill (const PdLineSort *self, Reader *reader, gsize n, GError **error)
{
  while (reader->buffer->len - reader->at < n)
    {
      g_byte_array_remove_range (reader->buffer, 0, reader->at);
      reader->at = 0;
      guint old = reader->buffer->len;
      gsize room = (gsize) MIN (reader->run.end - reader->run.from, (off_t) MAX (n, BUFFER_SIZE));
      g_byte_array_set_size (reader->buffer, old + (guint) room);
      ssize_t got = pread (fileno (self->file), reader->buffer->data + old, room, reader->run.from);
      if (got <= 0)
        {
          errno = got == 0 ? EIO : errno;
          return fail (self, error);
        }
      g_byte_array_set_size (reader->buffer, old + (guint) got);
      reader->run.from += got;
    }
  return TRUE;
}

static gboolean
is_empty (const Reader *reader)
{
  return reader->at == reader->buffer->len && reader->run.from == reader->run.end;
}

/* The head of the next line. */
static gboolean
advance (const PdLineSort *self, Reader *reader, GError **error)
{
  if (!fill (self, reader, sizeof reader->line, error))
    return FALSE;
  memcpy (&reader->line, reader->buffer->data + reader->at, sizeof reader->line);
  reader->at += (guint) sizeof reader->line;
  return TRUE;
}

/* Restores the order of @heap below @place. */
static void
sink (Reader **heap, guint n, guint place)
{
  Reader *moved = heap[place];

  for (guint child; (child = 2 * place + 1) < n; place = child)
    {
      if (child + 1 < n && compare_lines (&heap[child + 1]->line, &heap[child]->line) < 0)
        child++;
      if (compare_lines (&moved->line, &heap[child]->line) <= 0)
        break;
      heap[place] = heap[child];
    }
  heap[place] = moved;
}

static gboolean
merge (const PdLineSort *self, Reader **heap, guint n, PdSortedLineFunc func, gpointer data,
       GError **error)
{
  for (guint i = n / 2; i-- > 0;)
    sink (heap, n, i);
  while (n > 0)
    {
      Reader *first = heap[0];
      guint32 length = first->line.length;
      if (!fill (self, first, length, error)
          || !func (data, (const char *) first->buffer->data + first->at, length, error))
        return FALSE;
      first->at += length;
      if (is_empty (first))
        heap[0] = heap[--n];
      else if (!advance (self, first, error))
        return FALSE;
      if (n > 0)
        sink (heap, n, 0);
    }
  return TRUE;
}

static gboolean
merge_runs (PdLineSort *self, PdSortedLineFunc func, gpointer data, GError **error)
{
  guint n = self->runs->len;
  g_autofree Reader *readers = g_new0 (Reader, n);
  g_autofree Reader **heap = g_new (Reader *, n);
  gboolean ok = TRUE;

  for (guint i = 0; i < n; i++)
    {
      readers[i].run = g_array_index (self->runs, Run, i);
      readers[i].buffer = g_byte_array_new ();
      heap[i] = &readers[i];
      ok = ok && advance (self, heap[i], error);
    }
  ok = ok && merge (self, heap, n, func, data, error);
  for (guint i = 0; i < n; i++)
    g_byte_array_unref (readers[i].buffer);
  return ok;
}

static gboolean
write_memory (PdLineSort *self, PdSortedLineFunc func, gpointer data, GError **error)
{
  g_array_sort (self->lines, compare_lines);
  for (guint i = 0; i < self->lines->len; i++)
    {
      const Line *line = &g_array_index (self->lines, Line, i);
      if (!func (data, (const char *) self->text->data + line->offset, line->length, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
pd_line_sort_write (PdLineSort *self, PdSortedLineFunc func, gpointer data, GError **error)
{
  gboolean ok;

  if (self->error == NULL && self->runs->len > 0 && self->lines->len > 0)
    flush (self);
  if (self->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->error));
      ok = FALSE;
    }
  else if (self->runs->len > 0)
    ok = merge_runs (self, func, data, error);
  else
    ok = write_memory (self, func, data, error);
  clear (self);
  return ok;
}
