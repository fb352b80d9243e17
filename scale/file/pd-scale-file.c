/* SPDX-License-Identifier: MIT */
#include "scale/file/pd-scale-file.h"

#include "base/pd-sha256.h"
#include "scale/file/pd-scale-file-private.h"
#include "traces/io/pd-trace-error.h"
#include "traces/open/pd-trace-formats.h"

#include <math.h>
#include <string.h>

#define VERSION 4

/* ---- header */

typedef struct
{
  char magic[8];
  guint8 version[4];
  guint8 digest[PD_SHA256_SIZE];
} Header;

G_STATIC_ASSERT (sizeof (Header) == 44);

static void
sum_up (const guint8 *data, gsize size, guint8 *digest)
{
  PdSha256 sum;

  pd_sha256_init (&sum);
  pd_sha256_update (&sum, data, size);
  pd_sha256_finish (&sum, digest);
}

static Header
make_header (const guint8 *data, gsize size)
{
  Header header = { .version = { VERSION } };

  memcpy (header.magic, PD_TRACE_SCALE_MAGIC, sizeof header.magic);
  sum_up (data, size, header.digest);
  return header;
}

static gboolean
check_header (const guint8 *data, gsize size, GError **error)
{
  const char *problem = NULL;
  Header header, wanted;

  if (size < sizeof header || memcmp (data, PD_TRACE_SCALE_MAGIC, sizeof header.magic) != 0)
    problem = "not a model of 'predictor scale', or cut in its first 44 bytes";
  else
    {
      memcpy (&header, data, sizeof header);
      wanted = make_header (data + sizeof header, size - sizeof header);
      if (memcmp (header.version, wanted.version, sizeof header.version) != 0)
        problem = "a model of another version of 'predictor scale': expected version 4";
      else if (memcmp (header.digest, wanted.digest, sizeof header.digest) != 0)
        problem = "the model is cut or damaged: its SHA-256 differs";
    }
  if (problem != NULL)
    g_set_error_literal (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT, problem);
  return problem == NULL;
}

void
pd_scale_file_seal (guint8 *data, gsize size)
{
  if (size < sizeof (Header))
    return;
  Header header = make_header (data + sizeof header, size - sizeof header);
  memcpy (data, &header, sizeof header);
}

/* ---- words */

/* The index of a word, or none. */
static void
carry_word (PdScaleFile *self, guint32 *word, PdScaleWordKind kind)
{
  gint64 index = *word == PD_PROGRAM_NONE ? -1 : (gint64) *word;

  pd_scale_stream_number (&self->stream, &index, -1,
                          (gint64) pd_scale_words_get_n (self->model->words, kind) - 1);
  *word = index < 0 ? PD_PROGRAM_NONE : (guint32) index;
}

/* Words that are read have the numbers that they were written with. */
static void
expect_word (PdScaleFile *self, guint32 word, guint32 expected)
{
  if (word != expected)
    pd_scale_stream_refuse (&self->stream, "a word that is not there yet");
}

static void
carry_string (PdScaleFile *self, guint32 i)
{
  PdScaleWords *words = self->model->words;
  g_autofree char *text =
      pd_scale_file_is_reading (self) ? NULL : g_strdup (pd_scale_words_get_string (words, i));

  pd_scale_stream_text (&self->stream, &text);
  expect_word (self, pd_scale_words_add_string (words, text), i);
}

/* @text: (inout): borrowed, or of the words */
static void
carry_text (PdScaleFile *self, const char **text)
{
  g_autofree char *own = pd_scale_file_is_reading (self) ? NULL : g_strdup (*text);

  pd_scale_stream_text (&self->stream, &own);
  if (pd_scale_file_is_reading (self))
    *text = pd_scale_words_get_string (self->model->words,
                                       pd_scale_words_add_string (self->model->words, own));
}

static void
carry_interval (PdScaleFile *self, guint32 i)
{
  PdProgramInterval interval = { .name = NULL };

  if (!pd_scale_file_is_reading (self))
    interval = *pd_scale_words_get_interval (self->model->words, i);
  carry_text (self, &interval.name);
  carry_text (self, &interval.file);
  pd_scale_file_carry_number (self, &interval.line);
  pd_scale_file_carry_number (self, &interval.index);
  expect_word (self, pd_scale_words_add_interval (self->model->words, &interval), i);
}

static void
carry_site (PdScaleFile *self, guint32 i)
{
  PdProgramSite site = { .parent = PD_PROGRAM_NONE };

  if (!pd_scale_file_is_reading (self))
    site = *pd_scale_words_get_site (self->model->words, i);
  carry_text (self, &site.file);
  carry_text (self, &site.function);
  pd_scale_file_carry_number (self, &site.line);
  carry_word (self, &site.parent, PD_SCALE_SITES);
  expect_word (self, pd_scale_words_add_site (self->model->words, &site), i);
}

static void
carry_shape (PdScaleFile *self, guint32 i)
{
  PdScaleShape shape;

  memset (&shape, 0, sizeof shape);
  if (!pd_scale_file_is_reading (self))
    shape = *pd_scale_words_get_shape (self->model->words, i);
  pd_scale_stream_field (&self->stream, shape.kind, 0, PD_N_ACTS - 1);
  pd_scale_stream_field (&self->stream, shape.op, 0, PD_N_COLLS - 1);
  pd_scale_stream_field (&self->stream, shape.comm, 0, G_MAXUINT32);
  carry_word (self, &shape.name, PD_SCALE_STRINGS);
  carry_word (self, &shape.called, PD_SCALE_STRINGS);
  carry_word (self, &shape.interval, PD_SCALE_INTERVALS);
  carry_word (self, &shape.site, PD_SCALE_SITES);
  pd_scale_stream_field (&self->stream, shape.has_done, 0, 1);
  pd_scale_file_carry_number (self, &shape.line);
  expect_word (self, pd_scale_words_add_shape (self->model->words, &shape), i);
}

static void
carry_words (PdScaleFile *self)
{
  static const struct
  {
    PdScaleWordKind kind;
    void (*carry) (PdScaleFile *self, guint32 i);
  } tables[] = {
    { PD_SCALE_STRINGS, carry_string },
    { PD_SCALE_INTERVALS, carry_interval },
    { PD_SCALE_SITES, carry_site },
    { PD_SCALE_SHAPES, carry_shape },
  };

  for (gsize t = 0; t < G_N_ELEMENTS (tables); t++)
    {
      guint32 known = pd_scale_words_get_n (self->model->words, tables[t].kind);
      guint n = pd_scale_stream_size (&self->stream, known);
      for (guint32 i = 0; i < n && self->stream.error == NULL; i++)
        tables[t].carry (self, i);
    }
}

/* ---- what the model was found in */

static void
carry_count (PdScaleFile *self, guint64 *n)
{
  pd_scale_stream_field (&self->stream, *n, 0, G_MAXINT64);
}

static void
carry_time (PdScaleFile *self, PdTime *time)
{
  pd_scale_stream_number (&self->stream, &time->ps, PD_TIME_PENDING.ps, G_MAXINT64);
}

static void
carry_recording (PdScaleFile *self, gpointer item)
{
  PdScaleRecording *recording = item;

  pd_scale_stream_text (&self->stream, &recording->name);
  pd_scale_stream_field (&self->stream, recording->n_ranks, 1, PD_PROGRAM_MAX_RANKS);
  carry_time (self, &recording->time);
}

static void
carry_checked (PdScaleFile *self, gpointer item)
{
  PdScaleInterval *interval = item;

  pd_scale_stream_text (&self->stream, &interval->name);
  pd_scale_stream_field (&self->stream, interval->depth, 0, G_MAXINT32);
  carry_time (self, &interval->recorded);
  carry_time (self, &interval->synthesized);
}

static void
carry_machine (PdScaleFile *self, PdScaleValidation *validation)
{
  if (pd_scale_file_is_reading (self))
    g_clear_pointer (&validation->machine, g_free);
  pd_scale_stream_text (&self->stream, &validation->machine);
}

static void
carry_validation (PdScaleFile *self, PdScaleValidation *validation)
{
  PdScaleComparison *calls = &validation->calls;

  pd_scale_stream_field (&self->stream, validation->n_ranks, 0, PD_PROGRAM_MAX_RANKS);
  carry_count (self, &calls->n);
  carry_count (self, &calls->equal);
  carry_count (self, &calls->partners);
  carry_count (self, &calls->equal_partners);
  carry_count (self, &calls->bytes);
  carry_count (self, &calls->equal_bytes);
  pd_scale_stream_field (&self->stream, calls->first_rank, 0, PD_PROGRAM_MAX_RANKS);
  carry_count (self, &calls->first_call);
  carry_machine (self, validation);
  carry_time (self, &validation->recorded);
  carry_time (self, &validation->synthesized);
  pd_scale_file_carry_array (self, validation->intervals, carry_checked);
}

static void
carry_messages (PdScaleFile *self, PdMessages *messages)
{
  guint n = pd_scale_stream_size (&self->stream, pd_messages_get_n (messages));

  for (guint i = 0; i < n && self->stream.error == NULL; i++)
    {
      PdMessage message = { .severity = PD_SEVERITY_NOTE };
      char **const texts[] = { &message.id, &message.subject, &message.text, &message.place };
      if (!pd_scale_file_is_reading (self))
        message = *pd_messages_get (messages, i);
      pd_scale_stream_field (&self->stream, message.severity, PD_SEVERITY_NOTE,
                             PD_SEVERITY_WARNING);
      carry_count (self, &message.count);
      for (gsize t = 0; t < G_N_ELEMENTS (texts); t++)
        pd_scale_stream_text (&self->stream, texts[t]);
      if (!pd_scale_file_is_reading (self))
        continue;
      pd_messages_add_message (messages, &message);
      for (gsize t = 0; t < G_N_ELEMENTS (texts); t++)
        g_free (*texts[t]);
    }
}

/* ---- models */

static void
carry_size (PdScaleFile *self, gpointer item)
{
  pd_scale_stream_field (&self->stream, *(guint32 *) item, 1, PD_PROGRAM_MAX_RANKS);
}

static void
carry_approximation (PdScaleFile *self, gpointer item)
{
  PdScaleApproximation *one = item;
  gint64 n_shapes = pd_scale_words_get_n (self->model->words, PD_SCALE_SHAPES);

  pd_scale_stream_field (&self->stream, one->shape, 0, n_shapes - 1);
  pd_scale_stream_field (&self->stream, one->column, 0, PD_SCALE_CALLS);
  pd_scale_stream_field (&self->stream, one->near, PD_SCALE_NEAREST, PD_SCALE_DRAWN);
  carry_count (self, &one->calls);
  carry_count (self, &one->bytes);
  if (n_shapes == 0)
    pd_scale_stream_refuse (&self->stream, "no approximation without calls");
}

static void
carry_share (PdScaleFile *self, PdScaleShare *share)
{
  gint64 kind = share->reason == NULL ? 0 : share->is_buffered ? 2 : 1;

  pd_scale_stream_field (&self->stream, kind, 0, 2);
  if (kind == 0)
    return;
  share->is_buffered = kind == 2;
  pd_scale_stream_text (&self->stream, &share->reason);
  carry_count (self, &share->calls);
  carry_count (self, &share->bytes);
  carry_count (self, &share->alone);
  pd_scale_file_carry_array (self, share->places, carry_approximation);
}

static void
carry_model (PdScaleFile *self)
{
  PdScaleModel *model = self->model;

  pd_scale_stream_field (&self->stream, model->unit, PD_AMOUNT_TIME, PD_AMOUNT_FLOPS);
  pd_scale_stream_field (&self->stream, model->grid, 0, PD_SCALE_N_GRIDS - 1);
  pd_scale_stream_field (&self->stream, model->classes, 0, PD_SCALE_N_CLASSES - 1);
  pd_scale_file_carry_array (self, model->sizes, carry_size);
  pd_scale_stream_real (&self->stream, &model->time_error, 0, INFINITY);
  pd_scale_stream_real (&self->stream, &model->time_sum, 0, INFINITY);
  carry_words (self);
  guint n = pd_scale_stream_size (&self->stream, model->members->len);
  for (guint i = 0; i < n && self->stream.error == NULL; i++)
    {
      if (pd_scale_file_is_reading (self))
        g_ptr_array_add (model->members, g_new0 (PdScaleClass, 1));
      pd_scale_file_carry_class (self, g_ptr_array_index (model->members, i));
    }
  carry_share (self, &model->share);
  pd_scale_file_carry_array (self, model->origin.recordings, carry_recording);
  carry_messages (self, model->origin.messages);
  carry_validation (self, &model->origin.validation);
}

static void
file_clear (PdScaleFile *self)
{
  g_hash_table_unref (self->written);
  g_array_unref (self->lists);
  g_clear_error (&self->stream.error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdScaleFile, file_clear)

GBytes *
pd_scale_model_to_bytes (PdScaleModel *self)
{
  GByteArray *out = g_byte_array_new ();
  g_auto (PdScaleFile) file = { .stream = { .out = out },
                                .model = self,
                                .written = g_hash_table_new (NULL, NULL),
                                .lists = pd_scale_file_new_array (sizeof (gint64)) };

  g_byte_array_set_size (out, sizeof (Header));
  carry_model (&file);
  pd_scale_file_seal (out->data, out->len);
  return g_byte_array_free_to_bytes (out);
}

PdScaleModel *
pd_scale_model_new_from_bytes (GBytes *bytes, GError **error)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  if (!check_header (data, size, error))
    return NULL;
  g_autoptr (PdScaleModel) self = pd_scale_model_new_empty ();
  g_auto (PdScaleFile) file = { .stream = { .data = data, .size = size, .pos = sizeof (Header) },
                                .model = self,
                                .written = g_hash_table_new (NULL, NULL),
                                .lists = pd_scale_file_new_array (sizeof (gint64)) };
  carry_model (&file);
  if (file.stream.error == NULL && file.stream.pos < size)
    pd_scale_stream_refuse (&file.stream, "the end of the file");
  if (file.stream.error == NULL)
    return g_steal_pointer (&self);
  g_propagate_error (error, g_steal_pointer (&file.stream.error));
  return NULL;
}
