/* The form of files of programs: a header, then sections, each at a multiple of
 * 16 bytes. Numbers are in the order of bytes of the machine that wrote them.
 * SPDX-License-Identifier: MIT */
#include "traces/pd-program-file.h"

#include "traces/pd-output.h"
#include "traces/pd-program-private.h"

#include <string.h>

#define MAGIC   "PDPROG\r\n"
#define VERSION 2
#define ALIGN   16

typedef enum
{
  CELLS,
  FIRST,
  N_ACTIONS,
  N_SLOTS,
  SPANS,
  COMMS_FIRST,
  COMMS,
  COUNTS_FIRST,
  COUNTS,
  STRINGS_FIRST,
  STRINGS,
  INTERVALS,
  SITES,
  NOTES,
  N_SECTIONS,
} Section;

static const guint8 element_sizes[N_SECTIONS] = {
  [CELLS] = sizeof (PdCell),
  [FIRST] = 8,
  [N_ACTIONS] = 8,
  [N_SLOTS] = 4,
  [SPANS] = sizeof (PdRecordedSpan),
  [COMMS_FIRST] = 8,
  [COMMS] = 4,
  [COUNTS_FIRST] = 8,
  [COUNTS] = 8,
  [STRINGS_FIRST] = 8,
  [STRINGS] = 1,
  [INTERVALS] = sizeof (PdBuiltInterval),
  [SITES] = sizeof (PdBuiltSite),
  [NOTES] = 1,
};

/* What must be the same for the sections to mean the same. */
typedef struct
{
  char magic[8];
  guint32 order; /* of bytes */
  guint32 version;
  guint32 n_acts;
  guint32 n_colls;
  guint32 n_exts;
  guint32 interval_size;
} Form;

typedef struct
{
  Form form;
  guint8 key[PD_PROGRAM_KEY_SIZE];
  guint32 n_ranks;
  guint32 unit;
  guint64 n[N_SECTIONS]; /* elements */
  guint64 sum;           /* of the sections */
} Header;

static const Form this_form = {
  MAGIC, 0x01020304, VERSION, PD_N_ACTS, PD_N_COLLS, PD_N_EXTS, sizeof (PdBuiltInterval)
};

/* ---- sums: for damage, not for malice, which the checks are for */

typedef struct
{
  guint64 lanes[4];
} Sum;

static void
sum_add (Sum *self, gconstpointer data, gsize size)
{
  const guint8 *p = data;
  guint64 words[4];

  for (; size >= sizeof words; p += sizeof words, size -= sizeof words)
    {
      memcpy (words, p, sizeof words);
      for (int i = 0; i < 4; i++)
        self->lanes[i] = (self->lanes[i] ^ words[i]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)
                         ^ self->lanes[i] >> 29;
    }
  memset (words, 0, sizeof words);
  if (size > 0)
    memcpy (words, p, size);
  for (int i = 0; i < 4; i++)
    self->lanes[i] = (self->lanes[i] ^ words[i]) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd) + size;
}

static guint64
sum_get (const Sum *self)
{
  guint64 sum = 0;

  for (int i = 0; i < 4; i++)
    sum = (sum ^ self->lanes[i] ^ self->lanes[i] >> 32) * G_GUINT64_CONSTANT (0xc4ceb9fe1a85ec53);
  return sum;
}

/* ---- writing */

/* Texts of intervals are those of the table of strings, by address. */
static GArray *
get_intervals (const PdProgram *self)
{
  GArray *built = g_array_new (FALSE, TRUE, sizeof (PdBuiltInterval));
  g_autoptr (GHashTable) strings = g_hash_table_new (NULL, NULL);

  for (guint32 i = 0; i + 1 < self->strings.first->len; i++)
    g_hash_table_insert (strings, (gpointer) pd_program_get_string (self, i), GUINT_TO_POINTER (i));
  for (guint32 i = 0; i < pd_program_get_n_intervals (self); i++)
    {
      const PdProgramInterval *interval = pd_program_get_interval (self, i);
      PdBuiltInterval own = { GPOINTER_TO_UINT (g_hash_table_lookup (strings, interval->name)),
                              GPOINTER_TO_UINT (g_hash_table_lookup (strings, interval->file)),
                              interval->line, interval->index };
      g_array_append_val (built, own);
    }
  return built;
}

typedef struct
{
  gconstpointer data[N_SECTIONS];
  Header header;
} Parts;

static void
set_part (Parts *parts, Section section, gconstpointer data, guint64 n)
{
  parts->data[section] = data;
  parts->header.n[section] = n;
}

static void
set_runs (Parts *parts, Section first, const PdRuns *runs)
{
  set_part (parts, first, runs->first->data, runs->first->len);
  set_part (parts, first + 1, runs->values->data, runs->values->len);
}

static void
set_sum (Parts *parts)
{
  Sum sum = { { 1, 2, 3, 4 } };

  for (int i = 0; i < N_SECTIONS; i++)
    sum_add (&sum, parts->data[i], parts->header.n[i] * element_sizes[i]);
  parts->header.sum = sum_get (&sum);
}

static gboolean
write_parts (const Parts *parts, PdOutput *out, GError **error)
{
  static const char zeros[ALIGN];

  pd_output_add (out, &parts->header, sizeof parts->header);
  pd_output_add (out, zeros, -sizeof parts->header % ALIGN);
  for (int i = 0; i < N_SECTIONS; i++)
    {
      gsize size = parts->header.n[i] * element_sizes[i];
      pd_output_add (out, parts->data[i], size);
      pd_output_add (out, zeros, -size % ALIGN);
    }
  return pd_output_close (out, error);
}

/* Ends @out. */
static gboolean
save (const PdProgram *self, const guint8 *key, GVariant *notes, PdOutput *out, GError **error)
{
  g_autoptr (GArray) intervals = get_intervals (self);
  g_autoptr (GVariant) boxed = notes != NULL ? g_variant_new_variant (notes) : NULL;
  Parts parts = { 0 };

  if (boxed != NULL)
    g_variant_ref_sink (boxed);
  parts.header.form = this_form;
  parts.header.n_ranks = self->n_ranks;
  parts.header.unit = self->unit;
  memcpy (parts.header.key, key, PD_PROGRAM_KEY_SIZE);
  set_part (&parts, CELLS, self->cells, self->first[self->n_ranks]);
  set_part (&parts, FIRST, self->first, (guint64) self->n_ranks + 1);
  set_part (&parts, N_ACTIONS, self->n_actions, self->n_ranks);
  set_part (&parts, N_SLOTS, self->n_slots, self->n_ranks);
  set_part (&parts, SPANS, self->spans, self->spans != NULL ? self->n_ranks : 0);
  set_runs (&parts, COMMS_FIRST, &self->comms);
  set_runs (&parts, COUNTS_FIRST, &self->counts);
  set_runs (&parts, STRINGS_FIRST, &self->strings);
  set_part (&parts, INTERVALS, intervals->data, intervals->len);
  set_part (&parts, SITES, self->sites->data, self->sites->len);
  if (boxed != NULL)
    set_part (&parts, NOTES, g_variant_get_data (boxed), g_variant_get_size (boxed));
  set_sum (&parts);
  return write_parts (&parts, out, error);
}

gboolean
pd_program_save (const PdProgram *self, const guint8 *key, GVariant *notes, const char *path,
                 GError **error)
{
  g_autoptr (PdOutput) out = pd_output_new (path, error);

  return out != NULL && save (self, key, notes, out, error);
}

gboolean
pd_program_save_to_fd (const PdProgram *self, const guint8 *key, GVariant *notes, int fd,
                       GError **error)
{
  g_autoptr (PdOutput) out = pd_output_new_to_fd (fd, "a parsed program");

  return save (self, key, notes, out, error);
}

/* ---- mapping */

static gboolean
refuse (const char *why, GError **error)
{
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT, "%s", why);
  return FALSE;
}

/* Where the sections are; FALSE if they are not what the header says. */
static gboolean
find_parts (const guint8 *data, gsize size, const guint8 *key, Parts *parts, GError **error)
{
  gsize pos = sizeof (Header) + -sizeof (Header) % ALIGN;

  if (size < pos)
    return refuse ("the file is cut", error);
  memcpy (&parts->header, data, sizeof parts->header);
  if (memcmp (&parts->header.form, &this_form, sizeof this_form) != 0)
    return refuse ("not a program of this version", error);
  if (key != NULL && memcmp (parts->header.key, key, PD_PROGRAM_KEY_SIZE) != 0)
    return refuse ("a program made from something else", error);
  for (int i = 0; i < N_SECTIONS; i++)
    {
      guint64 n = parts->header.n[i];
      if (n > (size - pos) / element_sizes[i])
        return refuse ("the file is cut", error);
      parts->data[i] = data + pos;
      pos += n * element_sizes[i];
      if (size - pos < -pos % ALIGN)
        return refuse ("the file is cut", error);
      pos += -pos % ALIGN;
    }
  return pos == size || refuse ("the file is longer than it should be", error);
}

static gboolean
check_sum (Parts *parts, GError **error)
{
  guint64 sum = parts->header.sum;

  set_sum (parts);
  return parts->header.sum == sum || refuse ("the file is damaged", error);
}

/* The number of sections' elements that depend on each other. */
static gboolean
check_sizes (const Header *header, GError **error)
{
  const guint64 *n = header->n;
  guint64 ranks = header->n_ranks;

  if (ranks < 1 || ranks > PD_PROGRAM_MAX_RANKS || header->unit > PD_AMOUNT_FLOPS
      || n[FIRST] != ranks + 1 || n[N_ACTIONS] != ranks || n[N_SLOTS] != ranks
      || (n[SPANS] != 0 && n[SPANS] != ranks))
    return refuse ("the numbers of ranks differ", error);
  for (Section i = COMMS_FIRST; i <= STRINGS; i++)
    if (n[i] > G_MAXUINT32 / 2)
      return refuse ("a table is too large", error);
  return MAX (n[INTERVALS], n[SITES]) <= G_MAXUINT32 / 2 || refuse ("a table is too large", error);
}

/* Whether @first begins with 0, does not descend and ends with @n. */
static gboolean
is_ascending (const guint64 *first, guint64 n_first, guint64 n)
{
  if (n_first == 0 || first[0] != 0 || first[n_first - 1] != n)
    return FALSE;
  for (guint64 i = 1; i < n_first; i++)
    if (first[i] < first[i - 1])
      return FALSE;
  return TRUE;
}

static GArray *
copy_array (const Parts *parts, Section section)
{
  guint n = (guint) parts->header.n[section];
  GArray *array = g_array_sized_new (FALSE, FALSE, element_sizes[section], n);

  return n > 0 ? g_array_append_vals (array, parts->data[section], n) : array;
}

/* The tables are copied, as programs have them in arrays of their own; the
 * actions, which are what is large, are not. */
static gboolean
set_tables (PdProgram *self, const Parts *parts, GError **error)
{
  static const Section firsts[] = { COMMS_FIRST, COUNTS_FIRST, STRINGS_FIRST };
  PdRuns *runs[] = { &self->comms, &self->counts, &self->strings };

  for (gsize i = 0; i < G_N_ELEMENTS (firsts); i++)
    {
      runs[i]->first = copy_array (parts, firsts[i]);
      runs[i]->values = copy_array (parts, firsts[i] + 1);
      if (!is_ascending ((const guint64 *) (void *) runs[i]->first->data, runs[i]->first->len,
                         runs[i]->values->len))
        return refuse ("a table is not in order", error);
    }
  return TRUE;
}

static void
unref_owner (gpointer data)
{
  g_bytes_unref (data);
}

static PdProgram *
make_program (GBytes *bytes, const Parts *parts, GError **error)
{
  g_autoptr (PdProgram) self = g_new0 (PdProgram, 1);

  self->release = unref_owner;
  self->owner = g_bytes_ref (bytes);
  self->n_ranks = parts->header.n_ranks;
  self->unit = (PdAmountUnit) parts->header.unit;
  self->cells = (PdCell *) parts->data[CELLS];
  self->first = (guint64 *) parts->data[FIRST];
  self->n_actions = (guint64 *) parts->data[N_ACTIONS];
  self->n_slots = (guint32 *) parts->data[N_SLOTS];
  self->spans = parts->header.n[SPANS] > 0 ? (PdRecordedSpan *) parts->data[SPANS] : NULL;
  self->intervals = g_array_new (FALSE, FALSE, sizeof (PdProgramInterval));
  self->sites = copy_array (parts, SITES);
  if (!is_ascending (self->first, parts->header.n[FIRST], parts->header.n[CELLS]))
    {
      refuse ("the ranks are not in order", error);
      return NULL;
    }
  if (!set_tables (self, parts, error)
      || !pd_program_check_tables (self, parts->data[INTERVALS],
                                   (guint32) parts->header.n[INTERVALS], error)
      || !pd_program_check_actions (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
pd_program_file_seal (guint8 *data, gsize size)
{
  Parts parts;

  if (!find_parts (data, size, NULL, &parts, NULL))
    return;
  set_sum (&parts);
  memcpy (data + G_STRUCT_OFFSET (Header, sum), &parts.header.sum, sizeof parts.header.sum);
}

PdProgram *
pd_program_map_bytes (GBytes *bytes, const guint8 *key, GVariant **notes, GError **error)
{
  gsize size;
  g_autoptr (GBytes) aligned = NULL;
  Parts parts;

  if (notes != NULL)
    *notes = NULL;
  /* bytes of a file are; others may be anywhere */
  if ((guintptr) g_bytes_get_data (bytes, &size) % ALIGN != 0)
    bytes = aligned = g_bytes_new (g_bytes_get_data (bytes, NULL), size);
  if (!find_parts (g_bytes_get_data (bytes, NULL), size, key, &parts, error)
      || !check_sum (&parts, error) || !check_sizes (&parts.header, error))
    return NULL;
  PdProgram *self = make_program (bytes, &parts, error);
  if (self == NULL || notes == NULL || parts.header.n[NOTES] == 0)
    return self;
  g_autoptr (GBytes) text = g_bytes_new (parts.data[NOTES], parts.header.n[NOTES]);
  g_autoptr (GVariant) boxed =
      g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE_VARIANT, text, FALSE));
  if (g_variant_is_normal_form (boxed))
    *notes = g_variant_get_variant (boxed);
  return self;
}

PdProgram *
pd_program_map (const char *path, const guint8 *key, GVariant **notes, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, &local);

  if (notes != NULL)
    *notes = NULL;
  if (file == NULL)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN, "%s: %s", path, local->message);
      return NULL;
    }
  g_autoptr (GBytes) bytes = g_mapped_file_get_bytes (file);
  PdProgram *self = pd_program_map_bytes (bytes, key, notes, error);
  if (self == NULL)
    g_prefix_error (error, "%s: ", path);
  return self;
}
