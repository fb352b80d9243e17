/* The reader, where another process has parsed the trace.
 * SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-calls-private.h"

#include "traces/dvm/pd-dvm-reader-private.h"
#include "traces/dvm/pd-dvm-calls-check-private.h"

struct _PdDvmCalls
{
  GBytes *bytes;
  PdSections all;
  const PdDvmSharedCall *calls;
  const PdDvmCallsHead *head;
  guint64 n_calls; /* that are delivered */
  const PdDvmSite *sites;
  const guint64 *blocks_first;
  const guint64 *words;
  const PdDvmBlock *block; /* of the current call; before the first, none */
  guint64 next;            /* call */
  guint64 next_event;
  gdouble *pool; /* for arrays that are kept as whole numbers */
  guint32 n_pool;
};

static const PdDvmBlock no_block = { .pattern = -1 };

static const char *
get_string (const PdDvmCalls *self, guint32 i)
{
  const guint64 *first = self->all.data[PD_DVM_CALLS_STRINGS_FIRST];

  return (const char *) self->all.data[PD_DVM_CALLS_STRINGS] + first[i];
}

/* ---- messages before call @number, from 1 */

static void
say_one (PdDvmReader *reader, const PdDvmSaid *said, guint32 n)
{
  const PdDvmCalls *calls = reader->calls;
  g_autofree char *place = g_strconcat (reader->name, get_string (calls, said->place), NULL);
  const PdMessage message = { (PdSeverity) said->severity,
                              (char *) get_string (calls, said->id),
                              (char *) get_string (calls, said->subject),
                              (char *) get_string (calls, said->text),
                              place,
                              n };

  pd_messages_add_message (reader->messages, &message);
}

static void
say (PdDvmReader *reader, guint64 number)
{
  PdDvmCalls *calls = reader->calls;
  const PdDvmSaid *said = calls->all.data[PD_DVM_CALLS_MESSAGES];
  const PdDvmSaying *events = calls->all.data[PD_DVM_CALLS_EVENTS];

  for (; calls->next_event < calls->all.n[PD_DVM_CALLS_EVENTS]
         && events[calls->next_event].before <= number;
       calls->next_event++)
    if (reader->messages != NULL)
      say_one (reader, &said[events[calls->next_event].message], events[calls->next_event].n);
}

/* ---- construction */

static void
set_header (PdDvmReader *reader, const PdDvmCallsHead *head)
{
  PdDvmHeader *header = &reader->header;

  *header = (PdDvmHeader){ .rts_version = head->rts_version,
                           .proc_count = head->proc_count,
                           .ps_rank = head->ps_rank,
                           .own_number = head->own_number,
                           .vproc_count = head->vproc_count,
                           .vps_rank = head->vps_rank,
                           .mean_proc_time = head->mean_proc_time,
                           .host = get_string (reader->calls, head->host),
                           .mps = get_string (reader->calls, head->mps) };
  for (gsize i = 0; i < G_N_ELEMENTS (header->ps_size); i++)
    {
      header->ps_size[i] = head->ps_size[i];
      header->vps_size[i] = head->vps_size[i];
    }
}

PdDvmReader *
pd_dvm_reader_new_from_calls (GBytes *bytes, const char *name, PdMessages *messages)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  PdDvmReader *self = g_new0 (PdDvmReader, 1);
  PdDvmCalls *calls = self->calls = g_new0 (PdDvmCalls, 1);

  self->name = g_strdup (name);
  self->messages = messages;
  self->trailer.task_time = self->trailer.task_trace_time = -1;
  self->trailer.system_time = self->trailer.system_trace_time = -1;
  calls->bytes = g_bytes_ref (bytes);
  pd_sections_find (data, size, &pd_dvm_calls_kind, NULL, &calls->all, NULL);
  calls->calls = calls->all.data[PD_DVM_CALLS_CALLS];
  calls->sites = calls->all.data[PD_DVM_CALLS_SITES];
  calls->blocks_first = calls->all.data[PD_DVM_CALLS_BLOCKS_FIRST];
  calls->words = calls->all.data[PD_DVM_CALLS_BLOCKS];
  calls->block = &no_block;
  calls->head = calls->all.data[PD_DVM_CALLS_HEAD];
  calls->n_calls = calls->all.n[PD_DVM_CALLS_CALLS] - calls->head->has_last;
  set_header (self, calls->head);
  say (self, 0);
  return self;
}

void
pd_dvm_calls_free (PdDvmCalls *self)
{
  if (self == NULL)
    return;
  g_bytes_unref (self->bytes);
  g_free (self->pool);
  g_free (self);
}

/* ---- calls */

static void
set_call (PdDvmReader *reader, const PdDvmSharedCall *shared)
{
  const PdDvmSite *site = &reader->calls->sites[shared->site];

  reader->call = (PdDvmCall){
    .function = (PdDvmFunction) site->function,
    .name = site->function != PD_DVM_UNKNOWN
                ? pd_dvm_function_get_name ((PdDvmFunction) site->function)
                : get_string (reader->calls, site->name),
    .line = site->line,
    .file = get_string (reader->calls, site->file),
    .number = shared->number,
    .physical_line = shared->physical_line,
    .is_single = (gboolean) site->is_single,
  };
  for (guint form = 0; form < PD_DVM_N_FORMS; form++)
    reader->times.of[form] =
        (PdDvmCallTimes){ PD_TIME (shared->call_times[form]), PD_TIME (shared->ret_times[form]) };
}

gboolean
pd_dvm_calls_next (PdDvmReader *reader, const PdDvmCall **call)
{
  PdDvmCalls *self = reader->calls;

  self->block = &no_block;
  if (reader->phase == PD_DVM_PHASE_END)
    return FALSE;
  say (reader, self->next + 1);
  if (self->next + 1 >= self->n_calls)
    reader->trailer = self->head->trailer;
  if (self->next == self->n_calls)
    {
      reader->phase = PD_DVM_PHASE_END;
      if (self->head->has_last)
        set_call (reader, &self->calls[self->n_calls]);
      return FALSE;
    }
  const PdDvmSharedCall *shared = &self->calls[self->next++];
  set_call (reader, shared);
  self->block = (const PdDvmBlock *) (self->words + self->blocks_first[shared->block]);
  *call = &reader->call;
  return TRUE;
}

/* ---- parameters */

static const PdDvmScalar *
find_scalar (const PdDvmScalar *scalars, guint n, PdDvmKey key)
{
  for (guint i = 0; i < n; i++)
    if (scalars[i].key >= key)
      return scalars[i].key == key ? &scalars[i] : NULL;
  return NULL;
}

const PdDvmScalar *
pd_dvm_calls_find (const PdDvmCalls *self, PdDvmKey key, int part)
{
  const PdDvmBlock *block = self->block;
  const PdDvmScalar *scalars = pd_dvm_block_scalars (block);
  const PdDvmScalar *found = part != 1 ? find_scalar (scalars, block->n_scalars[0], key) : NULL;

  if (found != NULL || part == 0)
    return found;
  return find_scalar (scalars + block->n_scalars[0], block->n_scalars[1], key);
}

static const PdDvmShared *
find_array (const PdDvmCalls *self, PdDvmKey key)
{
  const PdDvmShared *arrays = pd_dvm_block_arrays (self->block);

  for (guint i = 0; i < self->block->n_arrays; i++)
    if (arrays[i].key >= key)
      return arrays[i].key == key ? &arrays[i] : NULL;
  return NULL;
}

const gint64 *
pd_dvm_calls_get_array (const PdDvmCalls *self, PdDvmKey key, guint *n)
{
  const PdDvmShared *array = find_array (self, key);

  *n = array != NULL ? array->n_ints : 0;
  return *n > 0 ? (const gint64 *) (pd_dvm_block_values (self->block) + array->at) : NULL;
}

/* Each array has its own place in the pool, which does not move during a call. */
const gdouble *
pd_dvm_calls_get_doubles (PdDvmCalls *self, PdDvmKey key, guint *n)
{
  const PdDvmShared *array = find_array (self, key);
  const guint64 *values = pd_dvm_block_values (self->block);

  *n = array != NULL ? array->n_doubles : 0;
  if (*n == 0)
    return NULL;
  if (!array->is_same)
    return (const gdouble *) (values + array->at + array->n_ints);
  if (self->block->n_values > self->n_pool)
    {
      self->n_pool = MAX (self->block->n_values, self->n_pool / 2 * 3);
      self->pool = g_renew (gdouble, self->pool, self->n_pool);
    }
  for (guint i = 0; i < *n; i++)
    self->pool[array->at + i] = (gdouble) (gint64) values[array->at + i];
  return self->pool + array->at;
}

guint
pd_dvm_calls_get_row_length (const PdDvmCalls *self, PdDvmKey key, guint row)
{
  const PdDvmShared *array = find_array (self, key);

  if (array == NULL)
    return 0;
  const guint64 *rows = pd_dvm_block_values (self->block) + array->at + array->n_ints
                        + (array->is_same ? 0 : array->n_doubles);
  for (guint i = 0; i < array->n_rows; i++)
    if (rows[i] >> 32 == row)
      return (guint) (rows[i] & G_MAXUINT32);
  return 0;
}

int
pd_dvm_calls_get_pattern (const PdDvmCalls *self)
{
  return self->block->pattern;
}

const char *
pd_dvm_calls_get_bad (const PdDvmCalls *self, guint i, PdDvmKey *key)
{
  if (i >= self->block->n_bad)
    return NULL;
  const PdDvmBad *bad = &pd_dvm_block_bad (self->block)[i];
  *key = (PdDvmKey) bad->key;
  return get_string (self, bad->text);
}
