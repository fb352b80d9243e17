/* OTF2 archives: events decoded without the library. A record is its type, its length and its
 * fields; a number is the count of its bytes, and these. A type whose only field is a number has
 * no length. A time stands before the first of the records that have it, attributes before
 * theirs.
 * SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* madvise */
#include "traces/otf2/pd-otf2-decode-private.h"

#include "traces/otf2/pd-otf2-chunks-private.h"
#include "traces/otf2/pd-otf2-defs-private.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_FIELDS 6
#define MAX_TYPE   86

/* Bytes from a position on. @is_odd: what was asked for was not there. */
typedef struct
{
  const guint8 *data;
  gsize at;
  gsize end;
  gsize limit; /* >= end: behind it there may be no memory */
  gboolean is_odd;
} Cursor;

/* An event; its handlers' archive has its attributes. */
typedef struct
{
  OTF2_LocationRef location;
  guint64 time;
  guint64 fields[MAX_FIELDS];
  const PdOtf2Handlers *to;
  gpointer data;
} Event;

/* ---- who is told of an event */

#define WHICH  event->location, event->time, 0, event->data, NULL
#define U32(i) (guint32) event->fields[i]
#define U64(i) event->fields[i]
#define U8(i)  (guint8) event->fields[i]

static OTF2_CallbackCode
tell_on_off (const Event *event)
{
  return event->to->on_off (WHICH, U8 (0));
}

static OTF2_CallbackCode
tell_enter (const Event *event)
{
  return event->to->enter (WHICH, U32 (0));
}

static OTF2_CallbackCode
tell_leave (const Event *event)
{
  return event->to->leave (WHICH, U32 (0));
}

static OTF2_CallbackCode
tell_send (const Event *event)
{
  return event->to->send (WHICH, U32 (0), U32 (1), U32 (2), U64 (3));
}

static OTF2_CallbackCode
tell_isend (const Event *event)
{
  return event->to->isend (WHICH, U32 (0), U32 (1), U32 (2), U64 (3), U64 (4));
}

static OTF2_CallbackCode
tell_isend_complete (const Event *event)
{
  return event->to->isend_complete (WHICH, U64 (0));
}

static OTF2_CallbackCode
tell_irecv_request (const Event *event)
{
  return event->to->irecv_request (WHICH, U64 (0));
}

static OTF2_CallbackCode
tell_recv (const Event *event)
{
  return event->to->recv (WHICH, U32 (0), U32 (1), U32 (2), U64 (3));
}

static OTF2_CallbackCode
tell_irecv (const Event *event)
{
  return event->to->irecv (WHICH, U32 (0), U32 (1), U32 (2), U64 (3), U64 (4));
}

static OTF2_CallbackCode
tell_test (const Event *event)
{
  return event->to->test (WHICH, U64 (0));
}

static OTF2_CallbackCode
tell_cancelled (const Event *event)
{
  return event->to->cancelled (WHICH, U64 (0));
}

static OTF2_CallbackCode
tell_collective_end (const Event *event)
{
  return event->to->collective_end (WHICH, U8 (0), U32 (1), U32 (2), U64 (3), U64 (4));
}

static OTF2_CallbackCode
tell_collective_request (const Event *event)
{
  return event->to->collective_request (WHICH, U64 (0));
}

static OTF2_CallbackCode
tell_collective_complete (const Event *event)
{
  return event->to->collective_complete (WHICH, U8 (0), U32 (1), U32 (2), U64 (3), U64 (4),
                                         U64 (5));
}

/* ---- records */

/* One letter each: b a byte, n a number of 4 bytes, N one of 8. */
typedef struct
{
  const char *fields;
  guint bare; /* > 0: without a length, and one number of at most so many bytes */
  OTF2_CallbackCode (*tell) (const Event *event);
  gsize handler; /* offset */
} Row;

#define HANDLER(name) tell_##name, offsetof (PdOtf2Handlers, name)

/* By the numbers of the format; what is not here is the library's. */
static const Row rows[MAX_TYPE + 1] = {
  [11] = { "b", 0, HANDLER (on_off) },
  [12] = { "n", 4, HANDLER (enter) },
  [13] = { "n", 4, HANDLER (leave) },
  [14] = { "nnnN", 0, HANDLER (send) },
  [15] = { "nnnNN", 0, HANDLER (isend) },
  [16] = { "N", 8, HANDLER (isend_complete) },
  [17] = { "N", 8, HANDLER (irecv_request) },
  [18] = { "nnnN", 0, HANDLER (recv) },
  [19] = { "nnnNN", 0, HANDLER (irecv) },
  [20] = { "N", 8, HANDLER (test) },
  [21] = { "N", 8, HANDLER (cancelled) },
  [22] = { "", 0, NULL, 0 }, /* a collective operation begins */
  [23] = { "bnnNN", 0, HANDLER (collective_end) },
  [85] = { "N", 0, HANDLER (collective_request) },
  [86] = { "bnnNNN", 0, HANDLER (collective_complete) },
};

static gboolean
is_handled (const PdOtf2Handlers *handlers, const Row *row)
{
  void (*handler) (void) = NULL;

  if (row->tell != NULL)
    memcpy (&handler, (const char *) handlers + row->handler, sizeof handler);
  return handler != NULL;
}

OTF2_EvtReaderCallbacks *
pd_otf2_handlers_to_callbacks (const PdOtf2Handlers *handlers)
{
  OTF2_EvtReaderCallbacks *c = OTF2_EvtReaderCallbacks_New ();

  OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback (c, handlers->on_off);
  OTF2_EvtReaderCallbacks_SetEnterCallback (c, handlers->enter);
  OTF2_EvtReaderCallbacks_SetLeaveCallback (c, handlers->leave);
  OTF2_EvtReaderCallbacks_SetMpiSendCallback (c, handlers->send);
  OTF2_EvtReaderCallbacks_SetMpiIsendCallback (c, handlers->isend);
  OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback (c, handlers->isend_complete);
  OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback (c, handlers->irecv_request);
  OTF2_EvtReaderCallbacks_SetMpiRecvCallback (c, handlers->recv);
  OTF2_EvtReaderCallbacks_SetMpiIrecvCallback (c, handlers->irecv);
  OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback (c, handlers->test);
  OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback (c, handlers->cancelled);
  OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback (c, handlers->collective_end);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback (c, handlers->collective_request);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback (c,
                                                                    handlers->collective_complete);
  return c;
}

/* ---- fields */

static inline guint8
read_byte (Cursor *self)
{
  if (self->at < self->end)
    return self->data[self->at++];
  self->is_odd = TRUE;
  return 0;
}

/* A number of at most @most bytes; all bits: it is not defined. */
static inline guint64
read_number (Cursor *self, guint most)
{
  guint size = read_byte (self);
  guint64 value = 0;

  if (size == 0xff)
    return G_MAXUINT64;
  if (size > most || size > self->end - self->at)
    {
      self->is_odd = TRUE;
      return 0;
    }
  if (self->limit - self->at >= sizeof value && size > 0)
    {
      memcpy (&value, self->data + self->at, sizeof value);
      value = GUINT64_FROM_LE (value) & (G_MAXUINT64 >> (64 - 8 * size));
    }
  else
    for (guint i = 0; i < size; i++)
      value |= (guint64) self->data[self->at + i] << 8 * i;
  self->at += size;
  return value;
}

static void
read_fields (Cursor *self, const char *fields, guint64 *values)
{
  for (; *fields != '\0'; fields++)
    *values++ = *fields == 'b' ? read_byte (self) : read_number (self, *fields == 'n' ? 4 : 8);
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
static void
note_attribute (Cursor *self, PdOtf2Attribute which, guint type, guint64 value,
                PdOtf2Attributes *attributes)
{
  self->is_odd |= attributes->has[which] || pd_otf2_attributes[which].type != type;
  attributes->has[which] = TRUE;
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

static void
read_attribute (Cursor *self, const PdOtf2Archive *archive, const guint8 *known,
                PdOtf2Attributes *attributes)
{
  guint32 id = (guint32) read_number (self, 4);
  guint type = read_byte (self);
  guint64 value = 0;

  if (type >= G_N_ELEMENTS (types) || types[type].raw + types[type].number == 0)
    {
      self->is_odd = TRUE;
      return;
    }
  if (types[type].number > 0)
    value = read_number (self, types[type].number);
  for (guint i = 0; i < types[type].raw; i++)
    value |= (guint64) read_byte (self) << 8 * i;
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
static gsize
read_length (Cursor *self)
{
  guint length = read_byte (self);

  if (length == 0xff || length > self->end - self->at)
    {
      self->is_odd = TRUE;
      return self->at;
    }
  return self->at + length;
}

/* @self is behind the type of a list of attributes, and ends where that does. */
static void
read_attributes (Cursor *self, const PdOtf2Archive *archive, const guint8 *known,
                 PdOtf2Attributes *attributes)
{
  guint64 n = read_number (self, 4);

  for (guint64 i = 0; i < n && !self->is_odd; i++)
    read_attribute (self, archive, known, attributes);
  self->is_odd |= self->at != self->end;
}

/* ---- chunks */

typedef struct
{
  const PdOtf2Archive *archive;
  gboolean is_survey; /* nobody is told of anything, all is looked at */
  gboolean wanted[MAX_TYPE + 1];
  guint8 known[N_KNOWN]; /* see set_known() */
  Event event;
  PdOtf2Attributes present;
  gsize attributes;     /* in the chunk: those of the next event; 0 = it has none */
  gsize attributes_end; /* where they end */
  gboolean has_present; /* some of them are in @present */
  gboolean has_time;    /* in this chunk */
  gboolean is_stopped;  /* by a handler */
  gsize end;            /* the record that ended the last chunk */
  guint64 n_events;
} Decoder;

/* Of the next event, if there are any. */
static void
find_attributes (Decoder *self, Cursor *chunk)
{
  if (self->attributes == 0 && !self->has_present)
    return;
  self->present = (PdOtf2Attributes){ 0 };
  self->has_present = self->attributes != 0;
  if (!self->has_present)
    return;
  Cursor list = { chunk->data, self->attributes, self->attributes_end, chunk->limit, FALSE };
  read_attributes (&list, self->archive, self->known, &self->present);
  self->attributes = 0;
  chunk->is_odd |= list.is_odd;
}

/* An event, behind its type. */
static void
read_event (Decoder *self, Cursor *chunk, guint type)
{
  const Row *row = &rows[type];
  gboolean wanted = self->is_survey || self->wanted[type];

  self->n_events++;
  if (row->bare > 0)
    self->event.fields[0] = read_number (chunk, row->bare);
  else
    {
      Cursor record = *chunk;
      record.end = chunk->at = read_length (&record);
      if (wanted)
        read_fields (&record, row->fields, self->event.fields);
      chunk->is_odd |= record.is_odd;
    }
  if (!wanted)
    {
      self->attributes = 0;
      return;
    }
  find_attributes (self, chunk);
  if (!self->is_survey && !chunk->is_odd)
    self->is_stopped = row->tell (&self->event) != OTF2_CALLBACK_SUCCESS;
}

static void
read_time (Decoder *self, Cursor *chunk)
{
  guint64 time;

  if (chunk->end - chunk->at < sizeof time)
    {
      chunk->is_odd = TRUE;
      return;
    }
  memcpy (&time, chunk->data + chunk->at, sizeof time);
  self->event.time = GUINT64_FROM_LE (time);
  self->has_time = TRUE;
  chunk->at += sizeof time;
}

static void
note_attributes (Decoder *self, Cursor *chunk)
{
  gsize end = read_length (chunk);

  chunk->is_odd |= self->attributes != 0;
  self->attributes = chunk->at;
  self->attributes_end = chunk->at = end;
}

/* To the record that ends the chunk; its type, or %PD_OTF2_TIME if something is in it that is
 * the library's, or a handler has stopped it. */
static guint
decode_chunk (Decoder *self, const guint8 *data, gsize size)
{
  Cursor chunk = { data, PD_OTF2_HEADER_SIZE, size, size, FALSE };

  self->has_time = FALSE;
  if (size < PD_OTF2_HEADER_SIZE || data[1] != PD_OTF2_LITTLE_ENDIAN_MARK)
    return PD_OTF2_TIME;
  while (!chunk.is_odd && !self->is_stopped)
    {
      guint type = read_byte (&chunk);
      if (type == PD_OTF2_TIME)
        {
          read_time (self, &chunk);
          type = read_byte (&chunk);
        }
      if (chunk.is_odd)
        break;
      if (type == PD_OTF2_END_OF_CHUNK || type == PD_OTF2_END_OF_FILE)
        {
          self->end = chunk.at - 1;
          return self->attributes == 0 ? type : PD_OTF2_TIME;
        }
      if (!self->has_time)
        break;
      if (type == PD_OTF2_ATTRIBUTES)
        note_attributes (self, &chunk);
      else if (type <= MAX_TYPE && rows[type].fields != NULL)
        read_event (self, &chunk, type);
      else
        break;
    }
  return PD_OTF2_TIME;
}

gsize
pd_otf2_survey_chunk (PdOtf2Survey *self, const guint8 *data, gsize size)
{
  Decoder decoder = { .archive = self->archive, .is_survey = TRUE };

  if (!self->is_plain)
    return 0;
  set_known (self->archive, decoder.known);
  self->is_plain = decode_chunk (&decoder, data, size) != PD_OTF2_TIME;
  self->n_events += decoder.n_events;
  return self->is_plain ? decoder.end : 0;
}

/* ---- locations */

void
pd_otf2_survey_end (const PdOtf2Survey *self, PdOtf2Archive *archive, OTF2_LocationRef location)
{
  gpointer key = GSIZE_TO_POINTER ((gsize) location);
  guint64 n_expected = GPOINTER_TO_SIZE (g_hash_table_lookup (archive->n_events, key));

  if (self->is_plain && self->n_events >= n_expected)
    g_hash_table_add (archive->plain, key);
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
  PdOtf2Archive *archive;
  GMappedFile *file;
  Decoder decoder;
  gsize chunk_size;
  gsize offset; /* of the next chunk */
  gboolean is_over;
  gboolean is_whole;
};

PdOtf2Decoding *
pd_otf2_decoding_new (PdOtf2Archive *archive, OTF2_LocationRef location,
                      const PdOtf2Handlers *handlers, gpointer data)
{
  g_autofree char *path = pd_otf2_get_events_path (archive, location);
  g_autoptr (GError) local = NULL;
  PdOtf2Decoding *self = g_new0 (PdOtf2Decoding, 1);

  self->archive = archive;
  self->file = g_mapped_file_new (path, FALSE, &local);
  /* locations without events have no file */
  if (self->file == NULL && archive->error == NULL
      && !g_error_matches (local, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    g_set_error (&archive->error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN, "%s", local->message);
  self->decoder.archive = archive;
  self->decoder.event = (Event){ .location = location, .to = handlers, .data = data };
  self->chunk_size = pd_otf2_get_chunk_size (archive, TRUE);
  self->is_over = self->file == NULL;
  set_known (archive, self->decoder.known);
  for (guint type = 0; type <= MAX_TYPE; type++)
    self->decoder.wanted[type] = is_handled (handlers, &rows[type]);
  return self;
}

void
pd_otf2_decoding_free (PdOtf2Decoding *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->file, g_mapped_file_unref);
  g_free (self);
}

/* What has been decoded need not stay in memory. */
static void
give_back (const PdOtf2Decoding *self)
{
  guint8 *data = (guint8 *) g_mapped_file_get_contents (self->file);
  gsize page = (gsize) sysconf (_SC_PAGESIZE), size = g_mapped_file_get_length (self->file);
  gsize done = MIN (self->offset, size) / page * page;
  gsize before = (self->offset - self->chunk_size) / page * page;

  madvise (data + before, done - before, MADV_DONTNEED);
}

gboolean
pd_otf2_decoding_next (PdOtf2Decoding *self)
{
  const struct _PdOtf2Attributes *outer = self->archive->present;
  gsize size = self->file != NULL ? g_mapped_file_get_length (self->file) : 0;

  if (self->is_over || self->offset >= size)
    return FALSE;
  const guint8 *data = (const guint8 *) g_mapped_file_get_contents (self->file) + self->offset;
  self->archive->present = &self->decoder.present;
  guint end = decode_chunk (&self->decoder, data, MIN (self->chunk_size, size - self->offset));
  self->archive->present = outer;
  self->is_over = end != PD_OTF2_END_OF_CHUNK;
  self->is_whole = end == PD_OTF2_END_OF_FILE;
  self->offset += self->chunk_size;
  if (!self->is_over)
    give_back (self);
  return !self->is_over;
}

gboolean
pd_otf2_decode_location (PdOtf2Archive *archive, OTF2_LocationRef location,
                         const PdOtf2Handlers *handlers, gpointer data)
{
  g_autoptr (PdOtf2Decoding) decoding = pd_otf2_decoding_new (archive, location, handlers, data);

  while (pd_otf2_decoding_next (decoding))
    pd_progress_add (archive->progress, decoding->chunk_size);
  return decoding->is_whole;
}
