/* The form of files of programs.
 * SPDX-License-Identifier: MIT */
#include "traces/program/pd-program-file.h"

#include "traces/program/pd-program-private.h"
#include "traces/program/pd-sections.h"
#include "traces/program/pd-program-file-private.h"
#include "traces/program/pd-program-verify-private.h"

#include <string.h>

typedef enum
{
  HEAD, /* one */
  CELLS,
  FIRST,
  N_ACTIONS,
  N_SLOTS,
  SAMPLES,
  FIRST_SAMPLE,
  SPANS,
  USAGES,
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

typedef struct
{
  guint32 n_ranks;
  guint32 unit;
  guint32 clock; /* PdRecordedClock */
  guint32 unused;
  gdouble recorded_share;
  PdTime call_costs[PD_N_CALL_COSTS];
} Head;

static const guint16 sizes[N_SECTIONS] = {
  [HEAD] = sizeof (Head),
  [CELLS] = sizeof (PdProgramCell),
  [FIRST] = 8,
  [N_ACTIONS] = 8,
  [N_SLOTS] = 4,
  [SAMPLES] = 1,
  [FIRST_SAMPLE] = 8,
  [SPANS] = sizeof (PdRecordedSpan),
  [USAGES] = sizeof (PdRecordedUsage),
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

G_STATIC_ASSERT ((int) N_SECTIONS <= PD_SECTIONS_MAX);
G_STATIC_ASSERT (PD_PROGRAM_KEY_SIZE == PD_SECTIONS_KEY_SIZE);

static const PdSectionsKind kind = {
  "PDPROG\r\n", 7, { PD_N_ACTS, PD_N_COLLS, PD_N_EXTS, sizeof (PdBuiltInterval) }, N_SECTIONS, sizes
};

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

static void
set_part (PdSections *parts, Section section, gconstpointer data, guint64 n)
{
  parts->data[section] = data;
  parts->n[section] = n;
}

static void
set_runs (PdSections *parts, Section first, const PdRuns *runs)
{
  set_part (parts, first, runs->first->data, runs->first->len);
  set_part (parts, first + 1, runs->values->data, runs->values->len);
}

/* Ends @out. */
static gboolean
save (const PdProgram *self, const guint8 *key, GVariant *notes, PdOutput *out, GError **error)
{
  g_autoptr (GArray) intervals = get_intervals (self);
  g_autoptr (GVariant) boxed = notes != NULL ? g_variant_new_variant (notes) : NULL;
  Head head = { .n_ranks = self->n_ranks,
                .unit = self->unit,
                .clock = self->recorded_clock,
                .recorded_share = self->recorded_share };
  PdSections parts = { 0 };

  memcpy (head.call_costs, self->call_costs, sizeof head.call_costs);
  if (boxed != NULL)
    g_variant_ref_sink (boxed);
  set_part (&parts, HEAD, &head, 1);
  if (self->first == NULL)
    pd_program_unpack (self);
  set_part (&parts, CELLS, self->cells, self->first[self->n_ranks]);
  set_part (&parts, FIRST, self->first, (guint64) self->n_ranks + 1);
  set_part (&parts, N_ACTIONS, self->n_actions, self->n_ranks);
  set_part (&parts, N_SLOTS, self->n_slots, self->n_ranks);
  set_part (&parts, SAMPLES, self->samples.data, self->samples.n);
  set_part (&parts, FIRST_SAMPLE, self->first_sample,
            self->first_sample != NULL ? self->n_ranks : 0);
  set_part (&parts, SPANS, self->spans, self->spans != NULL ? self->n_ranks : 0);
  set_part (&parts, USAGES, self->usages, self->usages != NULL ? self->n_ranks : 0);
  set_runs (&parts, COMMS_FIRST, &self->comms);
  set_runs (&parts, COUNTS_FIRST, &self->counts);
  set_runs (&parts, STRINGS_FIRST, &self->strings);
  set_part (&parts, INTERVALS, intervals->data, intervals->len);
  set_part (&parts, SITES, self->sites->data, self->sites->len);
  if (boxed != NULL)
    set_part (&parts, NOTES, g_variant_get_data (boxed), g_variant_get_size (boxed));
  return pd_sections_write (&parts, &kind, key, out, error);
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

/* The number of sections' elements that depend on each other. */
static gboolean
check_sizes (const PdSections *parts, GError **error)
{
  const guint64 *n = parts->n;

  if (n[HEAD] != 1)
    return refuse ("it does not begin as a program does", error);
  const Head *head = parts->data[HEAD];
  guint64 ranks = head->n_ranks;
  if (ranks < 1 || ranks > PD_PROGRAM_MAX_RANKS || head->unit > PD_AMOUNT_FLOPS
      || head->clock >= PD_N_CLOCKS || n[FIRST] != ranks + 1 || n[N_ACTIONS] != ranks
      || n[N_SLOTS] != ranks || n[FIRST_SAMPLE] != (n[SAMPLES] != 0 ? ranks : 0)
      || (n[SPANS] != 0 && n[SPANS] != ranks) || (n[USAGES] != 0 && n[USAGES] != ranks))
    return refuse ("the numbers of ranks differ", error);
  if (!(head->recorded_share >= 0 && head->recorded_share <= 1))
    return refuse ("its share of the recorded run is none", error);
  for (guint i = 0; i < PD_N_CALL_COSTS; i++)
    if (head->call_costs[i].ps < 0)
      return refuse ("recording costs less than nothing", error);
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
copy_array (const PdSections *parts, Section section)
{
  guint n = (guint) parts->n[section];
  GArray *array = g_array_sized_new (FALSE, FALSE, sizes[section], n);

  return n > 0 ? g_array_append_vals (array, parts->data[section], n) : array;
}

/* Copies the tables, because programs have them in arrays of their own. The
 * actions are large and are not copied. */
static gboolean
set_tables (PdProgram *self, const PdSections *parts, GError **error)
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
make_program (GBytes *bytes, const PdSections *parts, GError **error)
{
  g_autoptr (PdProgram) self = g_new0 (PdProgram, 1);

  self->release = unref_owner;
  self->owner = g_bytes_ref (bytes);
  self->n_ranks = ((const Head *) parts->data[HEAD])->n_ranks;
  self->unit = (PdAmountUnit) ((const Head *) parts->data[HEAD])->unit;
  self->recorded_clock = (PdRecordedClock) ((const Head *) parts->data[HEAD])->clock;
  self->recorded_share = ((const Head *) parts->data[HEAD])->recorded_share;
  memcpy (self->call_costs, ((const Head *) parts->data[HEAD])->call_costs,
          sizeof self->call_costs);
  self->cells = (PdProgramCell *) parts->data[CELLS];
  self->first = (guint64 *) parts->data[FIRST];
  self->n_actions = (guint64 *) parts->data[N_ACTIONS];
  self->n_slots = (guint32 *) parts->data[N_SLOTS];
  self->samples = (PdVector){ .data = (gpointer) parts->data[SAMPLES], .n = parts->n[SAMPLES] };
  self->first_sample = parts->n[SAMPLES] > 0 ? (guint64 *) parts->data[FIRST_SAMPLE] : NULL;
  self->spans = parts->n[SPANS] > 0 ? (PdRecordedSpan *) parts->data[SPANS] : NULL;
  self->usages = parts->n[USAGES] > 0 ? (PdRecordedUsage *) parts->data[USAGES] : NULL;
  self->intervals = g_array_new (FALSE, FALSE, sizeof (PdProgramInterval));
  self->sites = copy_array (parts, SITES);
  if (!is_ascending (self->first, parts->n[FIRST], parts->n[CELLS]))
    {
      refuse ("the ranks are not in order", error);
      return NULL;
    }
  if (!set_tables (self, parts, error)
      || !pd_program_check_tables (self, parts->data[INTERVALS], (guint32) parts->n[INTERVALS],
                                   error)
      || !pd_program_check_actions (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
pd_program_file_seal (guint8 *data, gsize size)
{
  pd_sections_seal (data, size, &kind);
}

PdProgram *
pd_program_map_bytes (GBytes *bytes, const guint8 *key, GVariant **notes, GError **error)
{
  g_autoptr (GBytes) aligned = pd_sections_align (bytes);
  gsize size;
  const guint8 *data = g_bytes_get_data (aligned, &size);
  PdSections parts;

  if (notes != NULL)
    *notes = NULL;
  if (!pd_sections_find (data, size, &kind, key, &parts, error)
      || !pd_sections_are_whole (&parts, &kind, data, error) || !check_sizes (&parts, error))
    return NULL;
  PdProgram *self = make_program (aligned, &parts, error);
  if (self == NULL || notes == NULL || parts.n[NOTES] == 0)
    return self;
  g_autoptr (GBytes) text = g_bytes_new (parts.data[NOTES], parts.n[NOTES]);
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
