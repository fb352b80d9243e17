/* SPDX-License-Identifier: MIT */
#include "traces/pppa/pd-pppa.h"

#include "traces/io/pd-input.h"
#include "traces/pppa/pd-pppa-private.h"

#include <string.h>
#include <zlib.h>

#define MOST_EXPANSION 1100 /* zlib's is less than 1032 */
#define MAX_DIGITS     12

/* Types of intervals in a file. */
enum
{
  TYPE_SEQ = 21,
  TYPE_PAR = 22,
  TYPE_USER = 23,
};

struct _PdPppa
{
  GArray *blocks; /* PdPppaBlock: of the processors, in the order of the file */
};

static gboolean
fail (GError **error, PdTraceError code, const char *name, const char *text)
{
  g_set_error (error, PD_TRACE_ERROR, (gint) code, "%s: %s", name, text);
  return FALSE;
}

/* ---- compressed blocks */

/* The rest of a file. */
typedef struct
{
  const guint8 *data;
  gsize left;
} Rest;

/* A decimal number ended by 0. */
static gboolean
take_number (Rest *rest, guint64 *value)
{
  gsize n = 0;

  *value = 0;
  while (n < rest->left && n < MAX_DIGITS && g_ascii_isdigit (rest->data[n]))
    *value = *value * 10 + (guint64) (rest->data[n++] - '0');
  if (n == 0 || n == rest->left || rest->data[n] != 0)
    return FALSE;
  rest->data += n + 1;
  rest->left -= n + 1;
  return TRUE;
}

/* The size of a block, the number of processors, then the length of each stream before it. */
static gboolean
begins_compressed (const guint8 *data, gsize size)
{
  Rest rest = { data, size };
  guint64 block, n, length;

  return take_number (&rest, &block) && take_number (&rest, &n) && take_number (&rest, &length)
         && rest.left > 0 && rest.data[0] == 0x78;
}

/* Returns: (transfer full) (nullable): the next stream, decompressed to @size bytes. */
static GBytes *
take_stream (Rest *rest, guint64 size, const char *name, GError **error)
{
  guint64 length;

  if (!take_number (rest, &length) || length > rest->left)
    {
      fail (error, PD_TRACE_ERROR_TRUNCATED, name, "the compressed block of a processor is cut");
      return NULL;
    }
  uLongf written = size;
  g_autofree guint8 *data = size / MOST_EXPANSION <= length ? g_try_malloc (MAX (size, 1)) : NULL;
  if (data == NULL || uncompress (data, &written, rest->data, length) != Z_OK || written != size)
    {
      fail (error, PD_TRACE_ERROR_FORMAT, name, "the compressed block of a processor is damaged");
      return NULL;
    }
  rest->data += length;
  rest->left -= length;
  return g_bytes_new_take (g_steal_pointer (&data), size);
}

/* ---- blocks */

static gboolean
add_block (PdPppa *self, GBytes *bytes, gsize offset, const char *name, GError **error)
{
  PdPppaBlock block = { .bytes = NULL };
  gboolean ok = pd_pppa_block_read (&block, bytes, offset, name, error);

  g_array_append_val (self->blocks, block);
  if (!ok)
    return FALSE;
  const PdPppaBlock *first = &g_array_index (self->blocks, PdPppaBlock, 0);
  return block.n_processors == first->n_processors
         || fail (error, PD_TRACE_ERROR_VALUE, name, "the processors do not agree on their number");
}

static gboolean
is_complete (const PdPppa *self)
{
  return self->blocks->len > 0
         && self->blocks->len == g_array_index (self->blocks, PdPppaBlock, 0).n_processors;
}

static gboolean
read_plain (PdPppa *self, GBytes *bytes, const char *name, GError **error)
{
  gsize offset = 0;

  while (!is_complete (self))
    {
      if (!add_block (self, g_bytes_ref (bytes), offset, name, error))
        return FALSE;
      offset += g_array_index (self->blocks, PdPppaBlock, self->blocks->len - 1).size;
    }
  return offset == g_bytes_get_size (bytes)
         || fail (error, PD_TRACE_ERROR_FORMAT, name, "there is more behind the last processor");
}

static gboolean
read_compressed (PdPppa *self, GBytes *bytes, const char *name, GError **error)
{
  Rest rest = { NULL, 0 };
  guint64 size, n;

  rest.data = g_bytes_get_data (bytes, &rest.left);
  take_number (&rest, &size);
  take_number (&rest, &n);
  while (!is_complete (self))
    {
      GBytes *block = take_stream (&rest, size, name, error);
      if (block == NULL || !add_block (self, block, 0, name, error))
        return FALSE;
    }
  return rest.left == 0
         || fail (error, PD_TRACE_ERROR_FORMAT, name, "there is more behind the last processor");
}

static void
clear_block (gpointer block)
{
  pd_pppa_block_clear (block);
}

PdPppa *
pd_pppa_read_bytes (GBytes *bytes, const char *name, GError **error)
{
  g_autoptr (PdPppa) self = g_new0 (PdPppa, 1);
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  gboolean compressed = begins_compressed (data, size);

  self->blocks = g_array_new (FALSE, FALSE, sizeof (PdPppaBlock));
  g_array_set_clear_func (self->blocks, clear_block);
  if (!(compressed ? read_compressed : read_plain) (self, bytes, name, error))
    return NULL;
  return g_steal_pointer (&self);
}

PdPppa *
pd_pppa_read (const PdTraceSource *source, GError **error)
{
  const char *name = pd_trace_source_get_name (source);
  g_autoptr (PdInput) input = pd_trace_source_open (source, error);

  if (input == NULL)
    return NULL;
  while (pd_input_fill (input, 0))
    ;
  if (!pd_input_check (input, name, error))
    return NULL;
  const PdWindow *window = pd_input_get_window (input);
  /* plain blocks refer to the bytes */
  g_autoptr (GBytes) own = g_bytes_new (window->data, window->size);
  return pd_pppa_read_bytes (own, name, error);
}

void
pd_pppa_free (PdPppa *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->blocks);
  g_free (self);
}

gboolean
pd_trace_pppa_matches (const PdTraceProbe *probe)
{
  const guint8 *data = (const guint8 *) probe->data;
  PdPppaForm form;

  return (probe->size >= PD_PPPA_CONST && pd_pppa_get_form (data, &form))
         || begins_compressed (data, probe->size);
}

/* ---- access to the contents */

guint
pd_pppa_get_n_processors (const PdPppa *self)
{
  return self->blocks->len;
}

static const PdPppaBlock *
get_block (const PdPppa *self, guint p)
{
  return &g_array_index (self->blocks, PdPppaBlock, p);
}

char *
pd_pppa_get_grid (const PdPppa *self)
{
  const PdPppaBlock *block = get_block (self, 0);
  guint size = block->form.size_l;
  gsize at = PD_PPPA_HEAD_ENDS + 7 * size + block->form.size_v + sizeof (gdouble);
  GString *grid = g_string_new (NULL);

  for (guint64 d = 0; d < block->rank; d++)
    g_string_append_printf (
        grid, "%s%" G_GINT64_FORMAT, d > 0 ? "x" : "",
        (gint64) pd_pppa_get_number (&block->form, block->data + at + d * size, size));
  return g_string_free (grid, FALSE);
}

guint
pd_pppa_get_n_intervals (const PdPppa *self, guint p)
{
  return get_block (self, p)->offsets->len;
}

static PdPppaType
get_type (guint64 type)
{
  return type == TYPE_SEQ    ? PD_PPPA_SEQ
         : type == TYPE_PAR  ? PD_PPPA_PAR
         : type == TYPE_USER ? PD_PPPA_INTERVAL
                             : PD_PPPA_COLLECTIVE;
}

/* A long, with its sign. */
static gint64
get_long (const PdPppaBlock *block, const guint8 *at)
{
  guint64 value = pd_pppa_get_number (&block->form, at, block->form.size_l);

  return block->form.size_l == 4 ? (gint32) value : (gint64) value;
}

PdPppaInterval
pd_pppa_get_interval (const PdPppa *self, guint p, guint i)
{
  const PdPppaBlock *block = get_block (self, p);
  const guint8 *at = block->data + g_array_index (block->offsets, gsize, i);
  guint size = block->form.size_l;

  return (PdPppaInterval){ .type = get_type (pd_pppa_get_number (&block->form, at + 2, 2)),
                           .parent = g_array_index (block->parents, gint64, i),
                           .line = get_long (block, at + 4),
                           .index = get_long (block, at + 4 + 2 * size),
                           .n_processors = get_long (block, at + 4 + 3 * size),
                           .entries = pd_pppa_get_double (
                               &block->form, at + 4 + 7 * size + 4 * block->form.size_v),
                           .file = (const char *) at + block->interval };
}

PdPppaCell
pd_pppa_get_cell (const PdPppa *self, guint p, guint i, guint outer, guint inner)
{
  const PdPppaBlock *block = get_block (self, p);
  const guint8 *interval = block->data + g_array_index (block->offsets, gsize, i);
  gsize number = 7 + 3 * ((gsize) outer * PD_PPPA_N_GROUPS + inner);
  const guint8 *at = interval + 4 + 7 * block->form.size_l + 4 * block->form.size_v + 8 * number;
  const PdPppaForm *form = &block->form;

  /* clocks that differ give negative times of next to nothing */
  return (PdPppaCell){ MAX (pd_pppa_get_double (form, at), 0),
                       MAX (pd_pppa_get_double (form, at + 8), 0),
                       MAX (pd_pppa_get_double (form, at + 16), 0) };
}
