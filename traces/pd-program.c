/* Programs in memory: what is asked of them.
 * SPDX-License-Identifier: MIT */
#include "traces/pd-program-private.h"

void
pd_program_free (PdProgram *self)
{
  if (self == NULL)
    return;
  if (self->release != NULL)
    self->release (self->owner);
  else
    {
      g_free (self->cells);
      g_free (self->first);
      g_free (self->n_actions);
      g_free (self->n_slots);
      g_free (self->ends);
    }
  pd_runs_clear (&self->comms);
  pd_runs_clear (&self->counts);
  pd_runs_clear (&self->strings);
  g_clear_pointer (&self->intervals, g_array_unref);
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

const PdCell *
pd_program_get_cells (const PdProgram *self, guint32 rank, const PdCell **end)
{
  *end = self->cells + self->first[rank + 1];
  return self->cells + self->first[rank];
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

PdTime
pd_program_get_recorded_end (const PdProgram *self, guint32 rank)
{
  return self->ends != NULL ? self->ends[rank] : PD_TIME_PENDING;
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
  gsize per_rank = sizeof *self->first + sizeof *self->n_actions + sizeof *self->n_slots
                   + (self->ends != NULL ? sizeof *self->ends : 0);

  return self->first[self->n_ranks] * sizeof (PdCell) + self->n_ranks * per_rank
         + runs_size (&self->comms) + runs_size (&self->counts) + runs_size (&self->strings)
         + self->intervals->len * sizeof (PdProgramInterval);
}
