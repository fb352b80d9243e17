/* Programs in memory: access to their contents.
 * SPDX-License-Identifier: MIT */
#include "base/memory/pd-large.h"
#include "traces/program/pd-action-private.h"
#include "traces/program/pd-packed-private.h"
#include "traces/program/pd-program-private.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-action-reader.h"

void
pd_cells_new (PdProgram *self, guint64 n)
{
  gsize size = n * sizeof (PdProgramCell);

  self->cells = size < PD_LARGE_MIN ? g_malloc (size) : pd_large_new (size, &self->in_file);
}

static void
free_packed (PdProgram *self)
{
  PdPacked *packed = &self->packed;
  gsize size = packed->bytes != NULL ? packed->first[self->n_ranks] + PD_PACKED_SPARE : 0;

  if (size < PD_LARGE_MIN)
    g_free (packed->bytes);
  else
    pd_large_free (packed->bytes, size, packed->in_file);
  g_free (packed->first);
}

static void
cells_free (PdProgram *self)
{
  gsize size = self->first != NULL ? self->first[self->n_ranks] * sizeof (PdProgramCell) : 0;

  if (size < PD_LARGE_MIN)
    g_free (self->cells);
  else
    pd_large_free (self->cells, size, self->in_file);
  g_free (self->first);
}

void
pd_program_free (PdProgram *self)
{
  if (self == NULL)
    return;
  if (self->release != NULL)
    self->release (self->owner);
  else
    {
      cells_free (self);
      free_packed (self);
      g_free (self->n_actions);
      g_free (self->n_slots);
      g_free (self->spans);
      g_free (self->usages);
      pd_vector_clear (&self->samples);
      g_free (self->first_sample);
    }
  pd_runs_clear (&self->comms);
  pd_runs_clear (&self->counts);
  pd_runs_clear (&self->strings);
  g_clear_pointer (&self->intervals, g_array_unref);
  g_clear_pointer (&self->sites, g_array_unref);
  g_free (self);
}

/* Where run @i begins, in values; @n: their number. */
static guint64
find_run (const PdRuns *runs, guint32 i, guint32 *n)
{
  guint64 first = g_array_index (runs->first, guint64, i);

  if (n != NULL)
    *n = (guint32) (g_array_index (runs->first, guint64, i + 1) - first);
  return first;
}

guint32
pd_program_get_n_ranks (const PdProgram *self)
{
  return self->n_ranks;
}

PdAmountUnit
pd_program_get_unit (const PdProgram *self)
{
  return self->unit;
}

const PdProgramCell *
pd_program_get_cells (const PdProgram *self, guint32 rank, const PdProgramCell **end)
{
  if (self->first == NULL)
    pd_program_unpack (self);
  if (self->cells == NULL) /* no rank has any */
    return *end = NULL;
  *end = self->cells + self->first[rank + 1];
  return self->cells + self->first[rank];
}

const guint8 *
pd_program_get_samples (const PdProgram *self, guint32 rank)
{
  if (self->first_sample == NULL)
    return NULL;
  return (const guint8 *) self->samples.data + self->first_sample[rank];
}

gboolean
pd_program_is_packed (const PdProgram *self)
{
  return self->packed.bytes != NULL;
}

guint64
pd_program_get_n_actions (const PdProgram *self, guint32 rank)
{
  return self->n_actions[rank];
}

guint32
pd_program_get_n_slots (const PdProgram *self, guint32 rank)
{
  return self->n_slots[rank];
}

guint32
pd_program_get_n_comms (const PdProgram *self)
{
  return self->comms.first->len - 1;
}

const guint32 *
pd_program_get_comm (const PdProgram *self, guint32 comm, guint32 *n)
{
  if (comm == 0)
    {
      *n = self->n_ranks;
      return NULL;
    }
  guint64 first = find_run (&self->comms, comm, n);
  return &g_array_index (self->comms.values, guint32, first);
}

const gint64 *
pd_program_get_counts (const PdProgram *self, guint32 counts, guint32 *n)
{
  guint64 first = find_run (&self->counts, counts, n);

  return &g_array_index (self->counts.values, gint64, first);
}

guint32
pd_program_get_n_counts (const PdProgram *self)
{
  return self->counts.first->len - 1;
}

guint32
pd_program_get_n_strings (const PdProgram *self)
{
  return self->strings.first->len - 1;
}

gboolean
pd_program_has_counts (const PdProgram *self)
{
  return self->counts.values->len > 0;
}

const char *
pd_program_get_string (const PdProgram *self, guint32 string)
{
  guint64 first = find_run (&self->strings, string, NULL);

  return &g_array_index (self->strings.values, char, first);
}

guint32
pd_program_get_n_intervals (const PdProgram *self)
{
  return self->intervals->len;
}

const PdProgramInterval *
pd_program_get_interval (const PdProgram *self, guint32 interval)
{
  return &g_array_index (self->intervals, PdProgramInterval, interval);
}

guint32
pd_program_get_n_sites (const PdProgram *self)
{
  return self->sites->len;
}

PdProgramSite
pd_program_get_site (const PdProgram *self, guint32 site)
{
  const PdBuiltSite *own = &g_array_index (self->sites, PdBuiltSite, site);

  return (PdProgramSite){ pd_program_get_string (self, own->file),
                          pd_program_get_string (self, own->function), own->line, own->parent };
}

PdTime
pd_program_get_recorded_begin (const PdProgram *self, guint32 rank)
{
  return self->spans != NULL ? self->spans[rank].begin : PD_TIME_ZERO;
}

PdTime
pd_program_get_recorded_end (const PdProgram *self, guint32 rank)
{
  return self->spans != NULL ? self->spans[rank].end : PD_TIME_PENDING;
}

PdTime
pd_program_get_recorded_init (const PdProgram *self, guint32 rank)
{
  return self->spans != NULL ? self->spans[rank].init : PD_TIME_ZERO;
}

PdTime
pd_program_get_recorded_finalize (const PdProgram *self, guint32 rank)
{
  return self->spans != NULL ? self->spans[rank].finalize : PD_TIME_ZERO;
}

const PdRecordedUsage *
pd_program_get_recorded_usage (const PdProgram *self, guint32 rank)
{
  return self->usages != NULL ? &self->usages[rank] : NULL;
}

const char *
pd_call_cost_name (PdCallCost kind)
{
  static const char *const names[] = {
    [PD_CALL_COST_BLOCKING] = "blocking",     [PD_CALL_COST_NON_BLOCKING] = "non-blocking",
    [PD_CALL_COST_COLLECTIVE] = "collective", [PD_CALL_COST_TEST] = "test",
    [PD_CALL_COST_OTHER] = "other",
  };

  return names[kind];
}

PdTime
pd_program_get_call_cost (const PdProgram *self, PdCallCost kind)
{
  return self->call_costs[kind];
}

const char *
pd_recorded_clock_name (PdRecordedClock clock)
{
  static const char *const names[PD_N_CLOCKS] = {
    [PD_CLOCK_UNKNOWN] = "unknown",
    [PD_CLOCK_WALL] = "wall",
    [PD_CLOCK_CPU] = "cpu",
  };

  return names[clock];
}

PdRecordedClock
pd_program_get_recorded_clock (const PdProgram *self)
{
  return self->recorded_clock;
}

gdouble
pd_program_get_recorded_share (const PdProgram *self)
{
  return self->recorded_share;
}

gboolean
pd_program_has (const PdProgram *self, PdActionKind kind)
{
  return (self->kinds >> kind & 1) != 0;
}

gboolean
pd_program_has_files (const PdProgram *self)
{
  return (self->kinds >> PD_KIND_OF_FILES & 1) != 0;
}

GHashTable *
pd_program_count_alike (const PdProgram *self)
{
  GHashTable *counts = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL); /* by this rank */
  guint32 n_ranks = pd_program_has (self, PD_ACT_ALIKE_BEGIN) ? self->n_ranks : 0;
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *action;

  pd_action_reader_init (&reader, self);
  for (guint32 rank = 0; rank < n_ranks; rank++)
    {
      pd_action_reader_begin (&reader, rank);
      g_hash_table_remove_all (seen);
      while ((action = pd_action_reader_next (&reader)) != NULL)
        {
          if (action->kind != PD_ACT_ALIKE_BEGIN)
            continue;
          gpointer number = GINT_TO_POINTER (action->tag);
          if (!g_hash_table_add (seen, number))
            continue;
          guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, number));
          g_hash_table_insert (counts, number, GUINT_TO_POINTER (n + 1));
        }
    }
  return counts;
}

static gsize
runs_size (const PdRuns *runs)
{
  return runs->values->len * g_array_get_element_size (runs->values)
         + runs->first->len * sizeof (guint64);
}

gsize
pd_program_get_size (const PdProgram *self)
{
  gsize per_rank = sizeof (guint64) + sizeof *self->n_actions + sizeof *self->n_slots
                   + (self->spans != NULL ? sizeof *self->spans : 0)
                   + (self->usages != NULL ? sizeof *self->usages : 0);

  gsize actions = self->packed.bytes != NULL ? self->packed.first[self->n_ranks]
                                             : self->first[self->n_ranks] * sizeof (PdProgramCell);

  if (self->first_sample != NULL)
    actions += self->samples.n + self->n_ranks * sizeof (guint64);

  return actions + self->n_ranks * per_rank + runs_size (&self->comms) + runs_size (&self->counts)
         + runs_size (&self->strings) + self->intervals->len * sizeof (PdProgramInterval)
         + self->sites->len * sizeof (PdBuiltSite);
}

const PdAction pd_action_empty = {
  .recv_peer = PD_PROGRAM_PROC_NULL,
  .send_counts = PD_PROGRAM_NONE,
  .recv_counts = PD_PROGRAM_NONE,
  .sources = PD_PROGRAM_NONE,
  .targets = PD_PROGRAM_NONE,
  .matched_peer = PD_PROGRAM_ANY,
  .matched_tag = PD_PROGRAM_ANY,
  .recorded = -1,
  .site = PD_PROGRAM_NONE,
  .called = PD_PROGRAM_NONE,
  .file = PD_PROGRAM_NONE,
  .processor = -1,
};
