/* The files of an archive, checked before the library reads them. They are sequences of
 * chunks of one size, the last of which may be shorter; a chunk is a header and records,
 * each with its length. The library does not notice that a file ends without its last
 * record: it reads the same bytes again, for ever.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* fseeko */
#include "traces/otf2/pd-otf2-chunks-private.h"
#include "traces/otf2/pd-otf2-archive.h"
#include "traces/otf2/pd-otf2-decode-private.h"

#include "base/memory/pd-vector.h"
#include "base/pd-digest.h"
#include "base/pd-parallel.h"
#include "traces/io/pd-trace-error.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIME_SIZE 9
#define LONG      0xff /* the length is in the next 8 bytes */

/* Sizes of chunks that the library accepts. */
#define CHUNK_MIN (256 * 1024)
#define CHUNK_MAX (16 * 1024 * 1024)

typedef struct
{
  const guint8 *data;
  gsize size;
  gboolean has_times;
} Chunk;

/* Behind the record at @at; 0 if it goes beyond the chunk. */
static gsize
skip_record (const Chunk *chunk, gsize at)
{
  gsize left = chunk->size - at;
  guint64 length;

  if (left < 2)
    return 0;
  length = chunk->data[at + 1];
  at += 2;
  left -= 2;
  if (length == LONG)
    {
      if (left < sizeof length)
        return 0;
      memcpy (&length, chunk->data + at, sizeof length);
      length = chunk->data[1] == PD_OTF2_BIG_ENDIAN_MARK ? GUINT64_FROM_BE (length)
                                                         : GUINT64_FROM_LE (length);
      at += sizeof length;
      left -= sizeof length;
    }
  return length <= left ? at + length : 0;
}

/* Goes to the record that ends the chunk; FALSE with @at where it should be if there is
 * none. As in the library, only the first time record before a record is one. */
static gboolean
find_end (const Chunk *chunk, gsize *at)
{
  *at = PD_OTF2_HEADER_SIZE;
  while (*at < chunk->size)
    {
      gsize begin = *at;
      if (chunk->has_times && chunk->data[begin] == PD_OTF2_TIME)
        begin += TIME_SIZE;
      if (begin >= chunk->size)
        return FALSE;
      if (chunk->data[begin] == PD_OTF2_END_OF_CHUNK || chunk->data[begin] == PD_OTF2_END_OF_FILE)
        {
          *at = begin;
          return TRUE;
        }
      gsize next = skip_record (chunk, begin);
      if (next == 0)
        return FALSE;
      *at = next;
    }
  return FALSE;
}

static gboolean
complain (const char *path, guint64 offset, const char *expected, GError **error)
{
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_TRUNCATED,
               "%s: offset %" G_GUINT64_FORMAT ": expected %s: the file is cut or damaged", path,
               offset, expected);
  return FALSE;
}

/* @survey: (nullable): of events, which have times; (out) @digest: of all bytes */
static gboolean
check_chunks (FILE *file, const char *path, gsize chunk_size, PdOtf2Survey *survey,
              PdDigest *digest, GError **error)
{
  g_auto (PdVector) memory = { 0 };
  guint8 *data = pd_vector_set_size (&memory, chunk_size + PD_OTF2_PADDING, 1);
  Chunk chunk = { data, 0, survey != NULL };

  for (guint64 offset = 0;; offset += chunk_size)
    {
      gsize end = 0;
      chunk.size = fread (data, 1, chunk_size, file);
      if (chunk.size < PD_OTF2_HEADER_SIZE || data[0] != PD_OTF2_HEADER)
        return complain (path, offset, "a chunk", error);
      if (survey != NULL)
        {
          memset (data + chunk.size, 0, PD_OTF2_PADDING);
          end = pd_otf2_survey_chunk (survey, data, chunk.size);
          pd_progress_add (survey->archive->progress, chunk.size);
        }
      /* where all records can be decoded they are whole */
      if (end == 0 && !find_end (&chunk, &end))
        return complain (path, offset + end, "a whole record", error);
      pd_digest_add (digest, data, chunk.size);
      if (data[end] == PD_OTF2_END_OF_FILE)
        return TRUE;
    }
}

/* A file of the archive, whose name goes on behind that of the archive. */
static char *
get_path (const PdOtf2Archive *archive, const char *name)
{
  gsize n = strlen (archive->path) - strlen (".otf2");

  return g_strdup_printf ("%.*s%s", (int) n, archive->path, name);
}

char *
pd_otf2_get_events_path (const PdOtf2Archive *archive, OTF2_LocationRef location)
{
  g_autofree char *name = g_strdup_printf ("/%" G_GUINT64_FORMAT ".evt", location);

  return get_path (archive, name);
}

gsize
pd_otf2_get_chunk_size (const PdOtf2Archive *archive, gboolean is_of_events)
{
  uint64_t sizes[2] = { 0 };

  OTF2_Reader_GetChunkSize (archive->reader, &sizes[0], &sizes[1]);
  return sizes[is_of_events ? 0 : 1];
}

static gboolean
is_chunk_size (gsize size)
{
  return size >= CHUNK_MIN && size <= CHUNK_MAX;
}

/* A file that does not exist is the library's to miss. */
static gboolean
check_file (const PdOtf2Archive *archive, const char *name, PdOtf2Survey *survey, PdDigest *digest,
            GError **error)
{
  g_autofree char *path = get_path (archive, name);

  if (!g_str_has_suffix (archive->path, ".otf2") || !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      if (survey != NULL)
        survey->is_plain = FALSE;
      return TRUE;
    }
  gsize size = pd_otf2_get_chunk_size (archive, survey != NULL);
  if (!is_chunk_size (size))
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT,
                   "%s: its chunks have %" G_GSIZE_FORMAT " bytes: expected %d to %d",
                   archive->path, size, CHUNK_MIN, CHUNK_MAX);
      return FALSE;
    }
  FILE *file = g_file_test (path, G_FILE_TEST_IS_REGULAR) ? fopen (path, "rbe") : NULL;
  if (file == NULL)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN, "%s: cannot be read: %s", path,
                   g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_strerror (errno)
                                                              : "expected a regular file");
      return FALSE;
    }
  gboolean fine = check_chunks (file, path, size, survey, digest, error);
  fclose (file);
  return fine;
}

/* ---- digests: the anchor of an archive of ours has those of its other files */

/* "DEFINITIONS LOCATION:EVENTS ..."; text of another form has no digest of a file. */
static void
read_digests (PdOtf2Archive *archive)
{
  char *text = NULL;

  if (OTF2_Reader_GetProperty (archive->reader, PD_OTF2_DIGESTS, &text) != OTF2_SUCCESS)
    return;
  if (text == NULL) /* the library had no memory for its copy */
    g_error ("out of memory for a property of %s", archive->path);
  char *at = text;
  archive->digests = g_hash_table_new (NULL, NULL);
  archive->definitions = g_ascii_strtoull (at, &at, 16);
  while (*at == ' ' && g_ascii_isdigit (at[1]))
    {
      guint64 location = g_ascii_strtoull (at, &at, 10);
      guint64 digest = *at == ':' ? g_ascii_strtoull (at + 1, &at, 16) : 0;
      g_hash_table_insert (archive->digests, GSIZE_TO_POINTER ((gsize) location),
                           GSIZE_TO_POINTER ((gsize) digest));
    }
  free (text);
}

/* Says that the file @name is not the one of this archive. @rank: -1 = of all */
static void
report_mixed (const PdOtf2Archive *archive, const char *name, gint32 rank)
{
  g_autofree char *path = get_path (archive, name);
  PdPlace place = { archive->path, 0, NULL, -1, rank, TRUE };

  pd_messages_add (archive->messages, PD_SEVERITY_WARNING, "archive-mixed", NULL, &place,
                   "%s is not the file that was written with %s: it is of another run, or was "
                   "changed",
                   path, archive->path);
}

gboolean
pd_otf2_is_digest (const PdOtf2Archive *archive, OTF2_LocationRef location, const PdDigest *digest)
{
  gpointer key = GSIZE_TO_POINTER ((gsize) location), expected;

  if (archive->digests == NULL)
    return TRUE;
  /* locations without events have no file, and none that the anchor knows */
  if (!g_hash_table_lookup_extended (archive->digests, key, NULL, &expected))
    expected = GSIZE_TO_POINTER ((gsize) pd_digest_get (&(PdDigest){ 0 }));
  return GPOINTER_TO_SIZE (expected) == (gsize) pd_digest_get (digest);
}

gboolean
pd_otf2_check_definitions (PdOtf2Archive *archive, GError **error)
{
  PdDigest digest = { 0 };

  read_digests (archive);
  if (!check_file (archive, ".def", NULL, &digest, error))
    return FALSE;
  if (archive->digests != NULL && archive->definitions != pd_digest_get (&digest))
    report_mixed (archive, ".def", -1);
  return TRUE;
}

/* ---- ranks */

/* A location, checked. */
typedef struct
{
  OTF2_LocationRef location;
  PdOtf2Survey survey;
  PdDigest digest; /* of its events */
  GError *error;   /* (nullable) */
} Checked;

static void
check_location (guint i, gpointer data)
{
  Checked *self = &((Checked *) data)[i];
  g_autofree char *events = g_strdup_printf ("/%" G_GUINT64_FORMAT ".evt", self->location);
  g_autofree char *definitions = g_strdup_printf ("/%" G_GUINT64_FORMAT ".def", self->location);
  g_autofree char *path = pd_otf2_get_events_path (self->survey.archive, self->location);
  const PdOtf2Archive *archive = self->survey.archive;
  PdDigest ignored = { 0 }; /* each location's definitions are empty in archives of ours */

  if (archive->is_trusting)
    self->survey.is_plain = g_str_has_suffix (archive->path, ".otf2")
                            && is_chunk_size (pd_otf2_get_chunk_size (archive, TRUE))
                            && g_file_test (path, G_FILE_TEST_IS_REGULAR);
  if (archive->is_trusting
      || check_file (archive, events, &self->survey, &self->digest, &self->error))
    check_file (archive, definitions, NULL, &ignored, &self->error);
}

/* Bytes that are decoded, and before that checked unless the archive is trusting. */
static gsize
size_of_events (const PdOtf2Archive *archive, const Checked *all, guint n)
{
  gsize sum = 0;

  for (guint i = 0; archive->progress != NULL && i < n; i++)
    {
      g_autofree char *path = pd_otf2_get_events_path (archive, all[i].location);
      GStatBuf status;
      if (g_stat (path, &status) == 0)
        sum += (archive->is_trusting ? 1 : 2) * (gsize) status.st_size;
    }
  return sum;
}

static gboolean
note_location (Checked *self, PdOtf2Archive *archive, GError **error)
{
  if (self->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->error));
      return FALSE;
    }
  gpointer rank = g_hash_table_lookup (archive->rank_of, GSIZE_TO_POINTER ((gsize) self->location));
  g_autofree char *name = g_strdup_printf ("/%" G_GUINT64_FORMAT ".evt", self->location);
  pd_otf2_survey_end (&self->survey, archive, self->location);
  if (!archive->is_trusting && !pd_otf2_is_digest (archive, self->location, &self->digest))
    report_mixed (archive, name, (gint32) GPOINTER_TO_UINT (rank));
  return TRUE;
}

gboolean
pd_otf2_check_ranks (PdOtf2Archive *archive, GError **error)
{
  guint32 n_ranks = archive->world->n;
  guint n = n_ranks + archive->threads->len;
  g_autofree Checked *all = g_new0 (Checked, n);
  gboolean fine = TRUE;

  for (guint i = 0; i < n; i++)
    {
      all[i].survey = (PdOtf2Survey){ .archive = archive, .is_plain = !archive->by_library };
      all[i].location = i < n_ranks
                            ? archive->world->members[i]
                            : g_array_index (archive->threads, PdOtf2Location, i - n_ranks).ref;
    }
  pd_progress_begin (archive->progress, "reading", size_of_events (archive, all, n));
  pd_parallel_run (n, archive->n_threads, check_location, all);
  for (guint i = 0; i < n; i++)
    {
      fine = fine && note_location (&all[i], archive, error);
      g_clear_error (&all[i].error);
    }
  return fine;
}

/* ---- readers of the chunks of a file of events */

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
