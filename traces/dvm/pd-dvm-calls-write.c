/* From a trace to calls that can be shared: the reader is listened to from the beginning
 * to the end.
 * SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-calls-private.h"
#include "traces/dvm/pd-dvm-reader-private.h"
#include "traces/io/pd-trace-error.h"
#include "traces/dvm/pd-dvm-call-private.h"
#include "traces/dvm/pd-dvm-call.h"
#include "traces/dvm/pd-dvm-calls-check-private.h"
#include "traces/dvm/pd-dvm-calls-write.h"

#include <string.h>

/* No section has more bytes. */
#define MAX_SECTION (G_GINT64_CONSTANT (1) << 30)

/* The name that the reader gives the trace; messages are kept without it. */
#define NAME "@"

/* A block that is there: equal ones have equal contents. */
typedef struct
{
  const GArray *words; /* where all are */
  guint64 first, n;
  guint32 number;
} Block;

typedef struct
{
  PdDvmReader *reader;
  PdMessages *heard;   /* since the call before */
  GHashTable *sites;   /* PdDvmSite*, owned -> number + 1 */
  GHashTable *blocks;  /* Block*, owned */
  GHashTable *strings; /* char*, owned -> number + 1 */
  GHashTable *said;    /* "id\nsubject", owned -> number + 1 */
  GArray *values;      /* guint64: of the block that is made */
  GArray *bad;         /* PdDvmBad, likewise; and so on */
  GArray *scalars[2];
  GArray *arrays;
  GArray *of[PD_DVM_CALLS_N]; /* the sections */
  gboolean unfit;             /* something cannot be kept */
} Writer;

/* ---- tables */

static guint32
add_string (Writer *self, const char *text)
{
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (self->strings, text));
  GArray *all = self->of[PD_DVM_CALLS_STRINGS];
  GArray *first = self->of[PD_DVM_CALLS_STRINGS_FIRST];

  if (number > 0)
    return number - 1;
  g_array_append_vals (all, text, (guint) strlen (text) + 1);
  guint64 end = all->len;
  g_array_append_val (first, end);
  g_hash_table_insert (self->strings, g_strdup (text), GUINT_TO_POINTER (first->len - 1));
  return first->len - 2;
}

static guint
hash_site (gconstpointer data)
{
  const PdDvmSite *site = data;

  return (guint) site->line * 31 + site->function * 1009 + site->name * 7919 + site->file;
}

static gboolean
equal_sites (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (PdDvmSite)) == 0;
}

static guint32
add_site (Writer *self, const PdDvmCall *call)
{
  const PdDvmSite site = { call->line, call->function, add_string (self, call->name),
                           add_string (self, call->file), (guint32) call->is_single };
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (self->sites, &site));
  GArray *all = self->of[PD_DVM_CALLS_SITES];

  if (number > 0)
    return number - 1;
  g_array_append_val (all, site);
  PdDvmSite *kept = g_new (PdDvmSite, 1);
  *kept = site;
  g_hash_table_insert (self->sites, kept, GUINT_TO_POINTER (all->len));
  return all->len - 1;
}

/* ---- what the reader says */

static guint32
add_message (Writer *self, const PdMessage *m)
{
  g_autofree char *key = g_strconcat (m->id, "\n", m->subject, NULL);
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (self->said, key));
  GArray *all = self->of[PD_DVM_CALLS_MESSAGES];

  if (number > 0)
    return number - 1;
  self->unfit |= !g_str_has_prefix (m->place, NAME);
  const PdDvmSaid said = { (guint32) m->severity, add_string (self, m->id),
                           add_string (self, m->subject), add_string (self, m->text),
                           add_string (self, m->place[0] != '\0' ? m->place + 1 : "") };
  g_array_append_val (all, said);
  g_hash_table_insert (self->said, g_steal_pointer (&key), GUINT_TO_POINTER (all->len));
  return all->len - 1;
}

/* Before call @number is delivered, from 1. */
static void
listen (Writer *self, guint64 number)
{
  guint n = pd_messages_get_n (self->heard);

  for (guint i = 0; i < n; i++)
    {
      const PdMessage *m = pd_messages_get (self->heard, i);
      const PdDvmSaying event = { number, add_message (self, m), (guint32) m->count };
      self->unfit |= m->count > G_MAXUINT32;
      g_array_append_val (self->of[PD_DVM_CALLS_EVENTS], event);
    }
  if (n == 0)
    return;
  pd_messages_free (self->heard);
  self->heard = self->reader->messages = pd_messages_new ();
}

/* ---- values */

static guint64
get_bits (gdouble value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

/* A number whose text is no whole number of 64 bits, though its kind is one's: the form
 * has room for one of both. */
static PdDvmScalar
make_scalar (Writer *self, const PdDvmItem *item)
{
  gsize length = pd_dvm_text_length (item->value);
  PdDvmScalar scalar = { .key = item->key, .length = (guint32) length };
  gint64 whole = 0;
  gdouble number = 0;

  self->unfit |= length > G_MAXUINT32;
  if (pd_dvm_item_get_int (item, &whole))
    {
      scalar.flags = PD_DVM_VALUE_INT;
      scalar.bits = (guint64) whole;
    }
  if (!pd_dvm_item_get_double (item, &number))
    return scalar;
  if (scalar.flags == 0)
    scalar.bits = get_bits (number);
  else
    self->unfit |= get_bits ((gdouble) whole) != get_bits (number);
  scalar.flags |= PD_DVM_VALUE_DOUBLE;
  return scalar;
}

static void
add_rows (Writer *self, PdDvmKey key, PdDvmShared *array)
{
  const PdDvmItem *item;
  guint64 row = 0, n = 0;
  PdDvmWalk walk;

  pd_dvm_walk_init (&walk, &self->reader->items, key);
  while ((item = pd_dvm_walk_next (&walk)) != NULL)
    {
      if (n > 0 && row >> 32 != (guint64) item->row)
        {
          row |= n;
          g_array_append_val (self->values, row);
          array->n_rows++;
          n = 0;
        }
      row = (guint64) item->row << 32;
      n++;
    }
  row |= n;
  g_array_append_val (self->values, row);
  array->n_rows++;
}

static void
add_array (Writer *self, PdDvmKey key)
{
  PdDvmShared array = { .key = (guint16) key, .at = self->values->len };
  const gint64 *ints = pd_dvm_call_get_array (self->reader, key, &array.n_ints);
  const gdouble *doubles = pd_dvm_call_get_doubles (self->reader, key, &array.n_doubles);

  array.is_same = array.n_ints == array.n_doubles;
  for (guint i = 0; i < array.n_ints && array.is_same; i++)
    array.is_same = get_bits ((gdouble) ints[i]) == get_bits (doubles[i]);
  if (array.n_ints > 0)
    g_array_append_vals (self->values, ints, array.n_ints);
  if (!array.is_same && array.n_doubles > 0)
    g_array_append_vals (self->values, doubles, array.n_doubles);
  add_rows (self, key, &array);
  g_array_append_val (self->arrays, array);
}

static void
add_bad (Writer *self, const PdDvmItem *item)
{
  g_autofree char *text = pd_dvm_item_describe (item);
  const PdDvmBad bad = { item->key, add_string (self, text) };

  g_array_append_val (self->bad, bad);
}

/* ---- blocks */

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  guint16 x, y;

  memcpy (&x, a, sizeof x);
  memcpy (&y, b, sizeof y);
  return (x > y) - (x < y);
}

static guint
hash_block (gconstpointer data)
{
  const Block *block = data;
  const guint64 *words = (const guint64 *) (const void *) block->words->data + block->first;
  guint64 sum = block->n;

  for (guint64 i = 0; i < block->n; i++)
    sum = (sum ^ words[i] ^ sum >> 29) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return (guint) (sum >> 32);
}

static gboolean
equal_blocks (gconstpointer a, gconstpointer b)
{
  const Block *x = a, *y = b;
  const guint64 *words = (const guint64 *) (const void *) x->words->data;

  return x->n == y->n && memcmp (words + x->first, words + y->first, x->n * sizeof *words) == 0;
}

/* Appends the collected parameters as a block to the words of all blocks, or finds an equal block
 * there. Returns its number. */
static guint32
close_block (Writer *self, int pattern)
{
  const PdDvmBlock head = { { (guint16) self->scalars[0]->len, (guint16) self->scalars[1]->len },
                            (guint16) self->arrays->len,
                            (gint16) pattern,
                            self->bad->len,
                            self->values->len };
  GArray *words = self->of[PD_DVM_CALLS_BLOCKS], *first = self->of[PD_DVM_CALLS_BLOCKS_FIRST];
  GArray *parts[] = { self->scalars[0], self->scalars[1], self->arrays, self->bad, self->values };
  Block block = { words, words->len, 0, first->len - 1 };

  g_array_append_vals (words, &head, sizeof head / 8);
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      guint size = g_array_get_element_size (parts[i]) / 8 * parts[i]->len;
      if (size > 0)
        g_array_append_vals (words, parts[i]->data, size);
      g_array_set_size (parts[i], 0);
    }
  block.n = words->len - block.first;
  const Block *known = g_hash_table_lookup (self->blocks, &block);
  if (known != NULL)
    {
      g_array_set_size (words, (guint) block.first);
      return known->number;
    }
  Block *kept = g_new (Block, 1);
  *kept = block;
  g_hash_table_add (self->blocks, kept);
  guint64 end = words->len;
  g_array_append_val (first, end);
  return block.number;
}

static guint32
add_block (Writer *self)
{
  const PdDvmItems *items = &self->reader->items;
  int pattern = pd_dvm_call_pattern_is_array (self->reader); /* it lexes them */

  for (guint i = 0; i < items->items->len; i++)
    {
      const PdDvmItem *item = &g_array_index (items->items, PdDvmItem, i);
      for (guint part = 0; part < 2; part++)
        if (!item->is_array && items->scalar[part][item->key] == i + 1)
          {
            PdDvmScalar scalar = make_scalar (self, item);
            g_array_append_val (self->scalars[part], scalar);
          }
      if (item->is_array && items->array[item->key] == i + 1)
        add_array (self, (PdDvmKey) item->key);
      if (!pd_dvm_item_is_readable (item))
        add_bad (self, item);
    }
  g_array_sort (self->scalars[0], compare_keys);
  g_array_sort (self->scalars[1], compare_keys);
  g_array_sort (self->arrays, compare_keys);
  return close_block (self, pattern);
}

/* ---- all */

static void
add_call (Writer *self, const PdDvmCall *call, guint32 block)
{
  const PdDvmCallTimes *of = pd_dvm_reader_get_times (self->reader);
  const PdDvmSharedCall shared = { { of[PD_DVM_RECORDED].call.ps, of[PD_DVM_DECODED].call.ps },
                                   { of[PD_DVM_RECORDED].ret.ps, of[PD_DVM_DECODED].ret.ps },
                                   call->number,
                                   call->physical_line,
                                   add_site (self, call),
                                   block };

  g_array_append_val (self->of[PD_DVM_CALLS_CALLS], shared);
}

/* The call that the reader is in at the end, which may be open; a trace need not have one. */
static gboolean
add_last (Writer *self)
{
  if (self->reader->call.name == NULL)
    return FALSE;
  add_call (self, &self->reader->call, close_block (self, -1));
  return TRUE;
}

static void
add_head (Writer *self)
{
  const PdDvmHeader *header = pd_dvm_reader_get_header (self->reader);
  PdDvmCallsHead head;

  memset (&head, 0, sizeof head);
  head.rts_version = header->rts_version;
  head.proc_count = header->proc_count;
  memcpy (head.ps_size, header->ps_size, sizeof head.ps_size);
  head.own_number = header->own_number;
  head.vproc_count = header->vproc_count;
  memcpy (head.vps_size, header->vps_size, sizeof head.vps_size);
  head.mean_proc_time = header->mean_proc_time;
  head.ps_rank = header->ps_rank;
  head.vps_rank = header->vps_rank;
  head.host = add_string (self, header->host);
  head.mps = add_string (self, header->mps);
  head.has_last = (guint32) add_last (self);
  head.trailer = *pd_dvm_reader_get_trailer (self->reader);
  g_array_append_val (self->of[PD_DVM_CALLS_HEAD], head);
}

static void
writer_init (Writer *self, PdDvmReader *reader, PdMessages *heard)
{
  const guint64 zero = 0;

  *self = (Writer){ .reader = reader, .heard = heard };
  self->sites = g_hash_table_new_full (hash_site, equal_sites, g_free, NULL);
  self->blocks = g_hash_table_new_full (hash_block, equal_blocks, g_free, NULL);
  self->strings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->said = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->values = g_array_new (FALSE, FALSE, 8);
  self->bad = g_array_new (FALSE, FALSE, sizeof (PdDvmBad));
  self->scalars[0] = g_array_new (FALSE, FALSE, sizeof (PdDvmScalar));
  self->scalars[1] = g_array_new (FALSE, FALSE, sizeof (PdDvmScalar));
  self->arrays = g_array_new (FALSE, FALSE, sizeof (PdDvmShared));
  for (int i = 0; i < PD_DVM_CALLS_N; i++)
    self->of[i] = g_array_new (FALSE, FALSE, pd_dvm_calls_kind.sizes[i]);
  g_array_append_val (self->of[PD_DVM_CALLS_BLOCKS_FIRST], zero);
  g_array_append_val (self->of[PD_DVM_CALLS_STRINGS_FIRST], zero);
}

static void
writer_clear (Writer *self)
{
  pd_messages_free (self->heard);
  g_hash_table_unref (self->sites);
  g_hash_table_unref (self->blocks);
  g_hash_table_unref (self->strings);
  g_hash_table_unref (self->said);
  g_array_unref (self->values);
  g_array_unref (self->bad);
  g_array_unref (self->scalars[0]);
  g_array_unref (self->scalars[1]);
  g_array_unref (self->arrays);
  for (int i = 0; i < PD_DVM_CALLS_N; i++)
    g_array_unref (self->of[i]);
}

/* Whether what comes next has room. */
static gboolean
has_room (const Writer *self)
{
  for (int i = 0; i < PD_DVM_CALLS_N; i++)
    if ((gint64) self->of[i]->len * pd_dvm_calls_kind.sizes[i] > MAX_SECTION)
      return FALSE;
  return !self->unfit;
}

static gboolean
read_all (Writer *self, GError **error)
{
  g_autoptr (GError) local = NULL;
  const PdDvmCall *call;
  guint64 n = 0;

  listen (self, n++);
  while (has_room (self) && pd_dvm_reader_next (self->reader, &call, &local))
    {
      listen (self, n++);
      add_call (self, call, add_block (self));
    }
  listen (self, n);
  add_head (self);
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  else if (!has_room (self))
    g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT, "calls that cannot be shared");
  else
    return TRUE;
  return FALSE;
}

gboolean
pd_dvm_calls_save (PdInput *input, const char *name, const guint8 *key, int fd, GError **error)
{
  PdMessages *heard = pd_messages_new ();
  g_autoptr (PdDvmReader) reader = pd_dvm_reader_new_from_input (input, NAME, heard, error);
  PdSections all = { 0 };
  Writer self;

  if (reader == NULL)
    {
      pd_messages_free (heard);
      return FALSE;
    }
  writer_init (&self, reader, heard);
  gboolean ok = read_all (&self, error);
  for (int i = 0; i < PD_DVM_CALLS_N; i++)
    {
      all.data[i] = self.of[i]->data;
      all.n[i] = self.of[i]->len;
    }
  if (ok)
    {
      g_autoptr (PdOutput) out = pd_output_new_to_fd (fd, name);
      ok = pd_sections_write (&all, &pd_dvm_calls_kind, key, out, error);
    }
  writer_clear (&self);
  return ok;
}
