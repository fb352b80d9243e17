/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* fseeko */
#include "traces/otf2/pd-otf2-chunk-reader-private.h"
#include "traces/otf2/pd-otf2-chunks-private.h"
#include "traces/otf2/pd-otf2-decode-private.h"

#include "traces/io/pd-trace-error.h"

#include <errno.h>
#include <string.h>

static gboolean
note_unreadable (const PdOtf2ChunkReader *self, int code)
{
  g_autofree char *path = pd_otf2_get_events_path (self->archive, self->location);

  if (self->archive->error == NULL)
    g_set_error (&self->archive->error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN,
                 "%s: cannot be read: %s", path, g_strerror (code));
  return FALSE;
}

static void
swap (PdVector *a, PdVector *b)
{
  PdVector old = *a;

  *a = *b;
  *b = old;
}

void
pd_otf2_chunk_reader_init (PdOtf2ChunkReader *self, PdOtf2Archive *archive,
                           OTF2_LocationRef location)
{
  g_autofree char *path = pd_otf2_get_events_path (archive, location);
  PdOtf2ChunkReader *open = archive->chunk_reader;

  *self = (PdOtf2ChunkReader){ .archive = archive, .location = location };
  self->file = fopen (path, "rbe");
  if (self->file == NULL && errno != ENOENT)
    note_unreadable (self, errno);
  self->chunk_size = pd_otf2_get_chunk_size (archive, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (archive->chunks) && self->own.data == NULL; i++)
    swap (&self->own, &archive->chunks[i]);
  pd_vector_set_size (&self->own, self->chunk_size + PD_OTF2_PADDING, 1);
  if (open == NULL)
    archive->chunk_reader = self;
  else if (open->location == location && open->other == NULL)
    {
      self->other = open;
      open->other = self;
    }
}

/* The memory changes: if the other reader is in its chunk, it gets it. */
static void
give_chunk (PdOtf2ChunkReader *self)
{
  if (self->other != NULL && self->other->data == self->own.data)
    swap (&self->own, &self->other->own);
}

gboolean
pd_otf2_chunk_reader_next (PdOtf2ChunkReader *self)
{
  const PdOtf2ChunkReader *other = self->other;

  give_chunk (self);
  if (other != NULL && other->data != NULL && other->n == self->n + 1)
    {
      self->data = other->data;
      self->size = other->size;
      self->is_behind = TRUE;
      self->n++;
      return TRUE;
    }
  guint8 *data = self->own.data;
  self->data = NULL;
  if (self->is_behind && fseeko (self->file, (off_t) (self->n * self->chunk_size), SEEK_SET) != 0)
    return note_unreadable (self, errno);
  self->is_behind = FALSE;
  self->size = fread (data, 1, self->chunk_size, self->file);
  if (ferror (self->file))
    return note_unreadable (self, errno);
  memset (data + self->size, 0, PD_OTF2_PADDING);
  self->data = data;
  self->n++;
  return TRUE;
}

void
pd_otf2_chunk_reader_close (PdOtf2ChunkReader *self)
{
  if (self->file != NULL)
    fclose (self->file);
  self->file = NULL;
}

void
pd_otf2_chunk_reader_clear (PdOtf2ChunkReader *self)
{
  PdOtf2Archive *archive = self->archive;

  pd_otf2_chunk_reader_close (self);
  give_chunk (self);
  if (self->other != NULL)
    self->other->other = NULL;
  if (archive->chunk_reader == self)
    archive->chunk_reader = self->other;
  for (guint i = 0; i < G_N_ELEMENTS (archive->chunks); i++)
    if (archive->chunks[i].data == NULL)
      swap (&self->own, &archive->chunks[i]);
  pd_vector_clear (&self->own);
}

void
pd_otf2_clear_chunks (PdOtf2Archive *archive)
{
  for (guint i = 0; i < G_N_ELEMENTS (archive->chunks); i++)
    pd_vector_clear (&archive->chunks[i]);
}
