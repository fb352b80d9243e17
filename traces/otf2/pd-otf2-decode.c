/* OTF2 archives: events decoded without the library. A record is its type, its length and its
 * fields; a number is the count of its bytes, and these. A type whose only field is a number has
 * no length. A time stands before the first of the records that have it, attributes before
 * theirs.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-decode-private.h"

#include "base/memory/pd-bytes.h"
#include "traces/otf2/pd-otf2-chunks-private.h"
#include "traces/otf2/pd-otf2-defs-private.h"

#include <string.h>

#define TIME_SIZE 9 /* with its type */

/* Bytes from a position on, which may go beyond @end by less than %PD_OTF2_PADDING. @is_odd: they
 * have a form that is not decoded here. */
typedef struct
{
  const guint8 *at;
  const guint8 *end;
  gboolean is_odd;
} Cursor;

/* ---- fields: the memory goes on behind the chunk, so that all of a record is read before its end
 * is looked for */

/* A number of at most @most bytes; all bits: it is not defined. */
static inline guint64
read_number (Cursor *self, guint most)
{
  guint size = *self->at++;

  if (G_UNLIKELY (size > most))
    {
      self->is_odd |= size != 0xff;
      return G_MAXUINT64;
    }
  guint64 value = pd_bytes_load_low (self->at, size);
  self->at += size;
  return value;
}

/* All of a record but its type and length. */
static inline void
read_fields (Cursor *self, const PdOtf2Record *record, guint64 *values)
{
  for (guint i = 0; i < record->n; i++)
    values[i] = record->most[i] == 0 ? *self->at++ : read_number (self, record->most[i]);
}

/* Values of attributes. */
static const struct
{
  guint raw;    /* so many bytes, */
  guint number; /* or a number of at most so many */
} types[] = {
  [OTF2_TYPE_UINT8] = { 1, 0 },
  [OTF2_TYPE_UINT16] = { 2, 0 },
  [OTF2_TYPE_UINT32] = { 0, 4 },
  [OTF2_TYPE_UINT64] = { 0, 8 },
  [OTF2_TYPE_STRING] = { 0, 4 },
  [OTF2_TYPE_REGION] = { 0, 4 },
  [OTF2_TYPE_COMM] = { 0, 4 },
  [OTF2_TYPE_GROUP] = { 0, 4 },
  [OTF2_TYPE_SOURCE_CODE_LOCATION] = { 0, 4 },
  [OTF2_TYPE_CALLING_CONTEXT] = { 0, 4 },
};

/* One that is of interest. */
static inline void
note_attribute (Cursor *self, PdOtf2Attribute which, guint type, guint64 value,
                PdOtf2Attributes *attributes)
{
  self->is_odd |= (attributes->has >> which & 1) != 0 || pd_otf2_attributes[which].type != type;
  attributes->has |= 1U << which;
  if (type == OTF2_TYPE_UINT8)
    attributes->values[which].uint8 = (guint8) value;
  else
    attributes->values[which].callingContextRef = (guint32) value; /* as all references are */
}

/* By the number of an attribute: 1 + which it is; 0: of no interest. Greater numbers are looked
 * for. */
#define N_KNOWN 64
#define SEVERAL G_MAXUINT8

static void
set_known (const PdOtf2Archive *archive, guint8 *known)
{
  memset (known, 0, N_KNOWN);
  for (guint i = 0; i < PD_OTF2_N_ATTRIBUTES; i++)
    if (archive->has_attribute[i] && archive->attributes[i] < N_KNOWN)
      {
        guint8 *own = &known[archive->attributes[i]];
        *own = *own == 0 ? (guint8) (i + 1) : SEVERAL;
      }
}

static inline void
read_attribute (Cursor *self, const PdOtf2Archive *archive, const guint8 *known,
                PdOtf2Attributes *attributes)
{
  guint32 id = (guint32) read_number (self, 4);
  guint type = *self->at++;
  guint64 value = 0;

  if (type >= G_N_ELEMENTS (types) || types[type].raw + types[type].number == 0)
    {
      self->is_odd = TRUE;
      return;
    }
  if (types[type].number > 0)
    value = read_number (self, types[type].number);
  for (guint i = 0; i < types[type].raw; i++)
    value |= (guint64) *self->at++ << 8 * i;
  if (id < N_KNOWN && known[id] != SEVERAL)
    {
      if (known[id] != 0)
        note_attribute (self, (PdOtf2Attribute) (known[id] - 1), type, value, attributes);
      return;
    }
  for (guint i = 0; i < PD_OTF2_N_ATTRIBUTES; i++)
    if (archive->has_attribute[i] && archive->attributes[i] == id)
      note_attribute (self, i, type, value, attributes);
}

/* Of a whole record, behind its type: where its fields end. */
static inline const guint8 *
read_length (Cursor *self)
{
  guint length = *self->at++;

  self->is_odd |= length == 0xff || self->at + length > self->end;
  return self->at + length;
}

/* ---- chunks */

/* A list of attributes that was read, of at most 8 bytes: one attribute, or none of interest. */
typedef struct
{
  guint64 bytes;
  guint8 size; /* 0 = there is none */
  guint8 has;  /* as of #PdOtf2Attributes */
  guint8 which;
  OTF2_AttributeValue value;
} Known;

/* So many are remembered, a power of two. */
#define N_RECENT 256

typedef struct
{
  const PdOtf2Archive *archive;
  gboolean is_survey;       /* no handler is called, all events are looked at */
  gboolean with_attributes; /* all of them are looked at */
  guint8 hows[256];         /* by type: how an event is decoded */
  guint8 known[N_KNOWN];    /* see set_known() */
  PdOtf2Event event;
  PdOtf2Attributes present;
  gsize end; /* the record that ended the last chunk */
  guint64 n_events;
  guint8 skips[256]; /* by type */
  Known recent[N_RECENT];
} Decoder;

/* How an event is decoded. */
enum
{
  NO_EVENT,
  UNWANTED, /* no handler is called */
  BARE,
  WITH_LENGTH,
};

/* How a record of a type is skipped. */
enum
{
  KEEP,
  SKIP_LENGTH, /* it has one, or is a number without */
  SKIP_TIME,   /* but it is that of the next event */
};

static void
read_list (Decoder *self, Cursor *list)
{
  self->present.has = 0;
  guint64 n = read_number (list, 4);
  for (; n > 0 && list->at < list->end && !list->is_odd; n--)
    read_attribute (list, self->archive, self->known, &self->present);
  list->is_odd |= n > 0 || list->at != list->end;
}

/* The list that was read, if not several attributes are of interest. */
static void
remember (const Decoder *self, Known *to, guint64 bytes, guint8 size)
{
  guint has = self->present.has;
  guint which = has != 0 ? (guint) __builtin_ctz (has) : 0;

  if ((has & (has - 1)) == 0)
    *to = (Known){ bytes, size, (guint8) has, (guint8) which, self->present.values[which] };
}

/* Those of the next event; @chunk is behind their type. */
static inline void
read_attributes (Decoder *self, Cursor *chunk)
{
  Cursor list = *chunk;

  list.end = chunk->at = read_length (&list);
  gsize size = (gsize) (list.end - list.at);
  guint64 bytes = pd_bytes_load_low (list.at, (guint) MIN (size, sizeof bytes));
  Known *recent = &self->recent[(bytes * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 56];
  if (self->with_attributes && size > 0 && recent->size == size && recent->bytes == bytes
      && !list.is_odd)
    {
      self->present.has = recent->has;
      self->present.values[recent->which] = recent->value;
      return;
    }
  if (self->with_attributes && !list.is_odd)
    {
      read_list (self, &list);
      if (size <= sizeof bytes && !list.is_odd)
        remember (self, recent, bytes, (guint8) size);
    }
  chunk->is_odd |= list.is_odd;
}

/* An event with a length, behind its type. */
static inline void
read_event (Decoder *self, Cursor *chunk, const PdOtf2Record *record)
{
  const guint8 *end = read_length (chunk);
  read_fields (chunk, record, self->event.fields);
  chunk->is_odd |= chunk->at > end;
  chunk->at = end;
}

/* Likewise one without a handler. */
static inline void
skip_event (Cursor *chunk, guint type)
{
  if (pd_otf2_records[type].is_bare)
    {
      read_number (chunk, pd_otf2_records[type].most[0]);
      chunk->is_odd |= chunk->at > chunk->end;
    }
  else
    chunk->at = read_length (chunk);
}

/* To the next record that is of interest, or is none that is decoded here. */
static inline void
skip_records (Decoder *self, Cursor *chunk)
{
  const guint8 *at = chunk->at, *end = chunk->end;

  while (at < end && self->skips[*at] != KEEP)
    if (self->skips[*at] == SKIP_TIME)
      {
        self->event.time = pd_bytes_load (at + 1);
        at += TIME_SIZE;
      }
    else if (at[1] == 0xff)
      break;
    else
      at += 2 + at[1];
  chunk->is_odd |= at > end;
  chunk->at = MIN (at, end);
}

/* Returns: whether the event is decoded here, and its handler has not stopped the reading. */
static inline gboolean
take_event (Decoder *self, Cursor *chunk, guint type)
{
  guint how = self->hows[type];

  if (how == NO_EVENT)
    return FALSE;
  self->n_events++;
  if (how == UNWANTED)
    {
      skip_event (chunk, type);
      return TRUE;
    }
  if (how == BARE)
    {
      self->event.fields[0] = read_number (chunk, pd_otf2_records[type].most[0]);
      chunk->is_odd |= chunk->at > chunk->end;
    }
  else
    read_event (self, chunk, &pd_otf2_records[type]);
  if (type == PD_OTF2_METRIC)
    chunk->is_odd |= self->event.fields[1] != 1 || self->event.fields[2] != OTF2_TYPE_UINT64;
  return self->is_survey || chunk->is_odd
         || pd_otf2_records[type].tell (&self->event) == OTF2_CALLBACK_SUCCESS;
}

/* Without attributes, so many bytes are decoded at once: the results stay in the processor's
 * caches until they are used. */
#define SLICE  65536
#define PAUSED 256 /* no type of a record */

/* To the record that ends the chunk; its type, or %PD_OTF2_TIME if something is in it that is
 * the library's, or a handler has stopped it. %PAUSED: to self->end, from where it goes on. */
static guint
decode_chunk (Decoder *self, const guint8 *data, gsize size, gsize from)
{
  Cursor chunk = { data + MAX (from, PD_OTF2_HEADER_SIZE), data + size, FALSE };
  const guint8 *pause = self->with_attributes ? chunk.end : chunk.at + SLICE;
  gboolean has_time = !self->with_attributes, has_attributes = FALSE; /* of the next event */

  if (size < PD_OTF2_HEADER_SIZE || data[0] != PD_OTF2_HEADER
      || data[1] != PD_OTF2_LITTLE_ENDIAN_MARK)
    return PD_OTF2_TIME;
  while (!chunk.is_odd)
    {
      if (!self->with_attributes)
        skip_records (self, &chunk);
      if (G_UNLIKELY (chunk.at > pause) && chunk.at < chunk.end)
        {
          self->end = (gsize) (chunk.at - data);
          return PAUSED;
        }
      guint type = *chunk.at++;
      if (type == PD_OTF2_TIME)
        {
          self->event.time = pd_bytes_load (chunk.at);
          has_time = TRUE;
          chunk.at += sizeof self->event.time;
          type = *chunk.at++;
        }
      if (chunk.at > chunk.end)
        break;
      if (type == PD_OTF2_END_OF_CHUNK || type == PD_OTF2_END_OF_FILE)
        {
          self->end = (gsize) (chunk.at - 1 - data);
          return has_attributes ? PD_OTF2_TIME : type;
        }
      if (!has_time)
        break;
      if (type == PD_OTF2_ATTRIBUTES)
        {
          chunk.is_odd |= has_attributes;
          has_attributes = TRUE;
          read_attributes (self, &chunk);
          continue;
        }
      if (!has_attributes)
        self->present.has = 0;
      has_attributes = FALSE;
      if (!take_event (self, &chunk, type))
        break;
    }
  return PD_OTF2_TIME;
}

static gboolean
is_event (guint type)
{
  return type <= PD_OTF2_MAX_TYPE && pd_otf2_records[type].is_known;
}

static guint
how_to_take (guint type, gboolean is_wanted)
{
  if (!is_event (type))
    return NO_EVENT;
  if (!is_wanted)
    return UNWANTED;
  return pd_otf2_records[type].is_bare ? BARE : WITH_LENGTH;
}

gsize
pd_otf2_survey_chunk (PdOtf2Survey *self, const guint8 *data, gsize size)
{
  Decoder decoder = { .archive = self->archive, .is_survey = TRUE, .with_attributes = TRUE };

  if (!self->is_plain)
    return 0;
  for (guint type = 0; type <= PD_OTF2_MAX_TYPE; type++)
    decoder.hows[type] = (guint8) how_to_take (type, pd_otf2_records[type].n > 0);
  set_known (self->archive, decoder.known);
  self->is_plain = decode_chunk (&decoder, data, size, 0) != PD_OTF2_TIME;
  self->n_events += decoder.n_events;
  return self->is_plain ? decoder.end : 0;
}

/* ---- locations */

/* As many as are expected, or more. */
static gboolean
has_events (const PdOtf2Archive *archive, OTF2_LocationRef location, guint64 n)
{
  gpointer key = GSIZE_TO_POINTER ((gsize) location);

  return n >= GPOINTER_TO_SIZE (g_hash_table_lookup (archive->n_events, key));
}

void
pd_otf2_survey_end (const PdOtf2Survey *self, PdOtf2Archive *archive, OTF2_LocationRef location)
{
  if (self->is_plain && (archive->is_trusting || has_events (archive, location, self->n_events)))
    g_hash_table_add (archive->plain, GSIZE_TO_POINTER ((gsize) location));
}

void
pd_otf2_decode_not (PdOtf2Archive *archive, OTF2_LocationRef location)
{
  g_hash_table_remove (archive->plain, GSIZE_TO_POINTER ((gsize) location));
}

gboolean
pd_otf2_can_decode (const PdOtf2Archive *archive, OTF2_LocationRef location)
{
  return g_hash_table_contains (archive->plain, GSIZE_TO_POINTER ((gsize) location));
}

struct _PdOtf2Decoding
{
  PdOtf2ChunkReader reader;
  Decoder decoder;
  gsize from;          /* where in the chunk decoding goes on; 0 = the next one is to be read */
  gboolean is_checked; /* whether the events are those that are expected */
  PdDigest digest;
  gboolean is_whole;
};

PdOtf2Decoding *
pd_otf2_decoding_new (PdOtf2Archive *archive, OTF2_LocationRef location,
                      const PdOtf2Handlers *handlers, gpointer data)
{
  PdOtf2Decoding *self = g_new0 (PdOtf2Decoding, 1);

  pd_otf2_chunk_reader_init (&self->reader, archive, location);
  self->decoder.archive = archive;
  self->decoder.with_attributes = handlers->with_attributes;
  self->decoder.event = (PdOtf2Event){ .location = location, .to = handlers, .data = data };
  self->is_checked = archive->is_trusting && handlers->with_attributes;
  set_known (archive, self->decoder.known);
  for (guint type = 0; type <= PD_OTF2_MAX_TYPE; type++)
    {
      self->decoder.hows[type] = (guint8) how_to_take (type, pd_otf2_is_handled (handlers, type));
      if (self->decoder.hows[type] == UNWANTED)
        self->decoder.skips[type] = SKIP_LENGTH;
    }
  self->decoder.skips[PD_OTF2_ATTRIBUTES] = SKIP_LENGTH;
  self->decoder.skips[PD_OTF2_TIME] = SKIP_TIME;
  return self;
}

void
pd_otf2_decoding_free (PdOtf2Decoding *self)
{
  if (self == NULL)
    return;
  pd_otf2_chunk_reader_clear (&self->reader);
  g_free (self);
}

/* FALSE: it cannot be read, which is an error of the archive. */
static gboolean
read_chunk (PdOtf2Decoding *self)
{
  if (!pd_otf2_chunk_reader_next (&self->reader))
    {
      pd_otf2_chunk_reader_close (&self->reader);
      return FALSE;
    }
  if (self->is_checked)
    pd_digest_add (&self->digest, self->reader.data, self->reader.size);
  return TRUE;
}

gboolean
pd_otf2_decoding_next (PdOtf2Decoding *self)
{
  PdOtf2ChunkReader *reader = &self->reader;
  PdOtf2Archive *archive = reader->archive;
  const struct _PdOtf2Attributes *outer = archive->present;

  if (reader->file == NULL || (self->from == 0 && !read_chunk (self)))
    return FALSE;
  archive->present = &self->decoder.present;
  guint end = decode_chunk (&self->decoder, reader->data, reader->size, self->from);
  archive->present = outer;
  self->is_whole = end == PD_OTF2_END_OF_FILE;
  self->from = end == PAUSED ? self->decoder.end : 0;
  if (end != PD_OTF2_END_OF_CHUNK && end != PAUSED)
    pd_otf2_chunk_reader_close (reader);
  return reader->file != NULL;
}

gboolean
pd_otf2_decode_location (PdOtf2Archive *archive, OTF2_LocationRef location,
                         const PdOtf2Handlers *handlers, gpointer data)
{
  g_autoptr (PdOtf2Decoding) decoding = pd_otf2_decoding_new (archive, location, handlers, data);

  while (pd_otf2_decoding_next (decoding))
    if (decoding->from == 0)
      pd_progress_add (archive->progress, decoding->reader.chunk_size);
  if (decoding->is_checked)
    decoding->is_whole &= has_events (archive, location, decoding->decoder.n_events)
                          && pd_otf2_is_digest (archive, location, &decoding->digest);
  return decoding->is_whole;
}
