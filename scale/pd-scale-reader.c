/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-reader.h"

#include "traces/program/pd-action.h"

#include <string.h>

void
pd_scale_reader_init (PdScaleReader *self, const PdProgram *program, guint32 rank, gboolean settles)
{
  *self = (PdScaleReader){ .program = program, .settles = settles };
  self->cell = pd_program_get_cells (program, rank, &self->end);
  self->loops.sample = pd_program_get_samples (program, rank);
  self->waits = g_array_new (FALSE, FALSE, sizeof (PdAction));
  self->computations = g_array_new (FALSE, FALSE, sizeof (PdAction));
}

void
pd_scale_reader_clear (PdScaleReader *self)
{
  g_array_unref (self->waits);
  g_array_unref (self->computations);
}

/* ---- completions */

/* Readers make a wait for its request of an MPI_Waitany whose request is known. */
static gboolean
is_any (const PdScaleReader *self, const PdAction *action)
{
  return action->kind == PD_ACT_WAIT && action->called != PD_PROGRAM_NONE
         && strcmp (pd_program_get_string (self->program, action->called), "MPI_Waitany") == 0;
}

/* Whether a race decides what the call finds completed, and the trace says what that was. */
static gboolean
is_race (const PdScaleReader *self, const PdAction *action)
{
  switch (action->kind)
    {
    case PD_ACT_WAIT:
      return is_any (self, action);
    case PD_ACT_IPROBE:
      return action->has_done && action->n_done == 0;
    case PD_ACT_WAITANY:
    case PD_ACT_WAITSOME:
    case PD_ACT_TEST:
    case PD_ACT_TESTALL:
    case PD_ACT_TESTANY:
    case PD_ACT_TESTSOME:
      return action->has_done;
    default:
      return FALSE;
    }
}

static void
add_wait (PdScaleReader *self, const PdAction *call, guint32 request)
{
  PdAction wait;

  pd_action_init (&wait, PD_ACT_WAIT);
  wait.request = request;
  wait.site = call->site;
  wait.line = call->line;
  g_array_append_val (self->waits, wait);
}

/* The computation before a call belongs to the first of its requests. */
static void
add_completions (PdScaleReader *self, const PdAction *call)
{
  gboolean is_single = call->kind == PD_ACT_WAIT || call->kind == PD_ACT_TEST;
  guint32 n = call->kind == PD_ACT_WAIT ? 1 : call->kind == PD_ACT_IPROBE ? 0 : call->n_done;

  if (n == 0)
    return;
  g_array_append_vals (self->waits, self->computations->data, self->computations->len);
  g_array_set_size (self->computations, 0);
  for (guint32 i = 0; i < n; i++)
    add_wait (self, call, is_single ? call->request : call->slots[call->done[i]]);
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return x < y ? -1 : x > y ? 1 : 0;
}

/* Requests in rising order, at the places of the waits. */
static void
sort_waits (GArray *waits)
{
  g_autoptr (GArray) requests = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n = 0;

  for (guint i = 0; i < waits->len; i++)
    if (g_array_index (waits, PdAction, i).kind == PD_ACT_WAIT)
      g_array_append_val (requests, g_array_index (waits, PdAction, i).request);
  g_array_sort (requests, compare_numbers);
  for (guint i = 0; i < waits->len; i++)
    if (g_array_index (waits, PdAction, i).kind == PD_ACT_WAIT)
      g_array_index (waits, PdAction, i).request = g_array_index (requests, guint32, n++);
}

/* ---- actions */

static gboolean
read_action (PdScaleReader *self, PdAction *action)
{
  do
    {
      if (self->cell >= self->end)
        return FALSE;
      self->cell = pd_loops_read (&self->loops, self->cell, self->end, action);
    }
  while (pd_action_is_pause (action));
  return TRUE;
}

/* Collects a series of calls that a race decides, and reads the action behind it. */
static void
settle (PdScaleReader *self, const PdAction *first)
{
  PdAction action = *first;

  do
    {
      if (is_race (self, &action))
        add_completions (self, &action);
      else if (action.kind == PD_ACT_COMPUTE || action.kind == PD_ACT_LOCAL)
        g_array_append_val (self->computations, action);
      else
        {
          self->has_next = TRUE;
          self->next = action;
        }
    }
  while (!self->has_next && read_action (self, &action));
  sort_waits (self->waits);
  g_array_append_vals (self->waits, self->computations->data, self->computations->len);
  g_array_set_size (self->computations, 0);
}

gboolean
pd_scale_reader_next (PdScaleReader *self, PdAction *action)
{
  if (self->n_given == self->waits->len && !self->has_next)
    {
      if (!read_action (self, action))
        return FALSE;
      if (!self->settles || !is_race (self, action))
        return TRUE;
      g_array_set_size (self->waits, 0);
      self->n_given = 0;
      settle (self, action);
    }
  if (self->n_given < self->waits->len)
    {
      *action = g_array_index (self->waits, PdAction, self->n_given++);
      return TRUE;
    }
  if (!self->has_next)
    return FALSE;
  self->has_next = FALSE;
  *action = self->next;
  return TRUE;
}

gboolean
pd_scale_program_has_races (const PdProgram *program)
{
  gboolean found = FALSE;

  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program) && !found; rank++)
    {
      PdScaleReader reader;
      PdAction action;
      pd_scale_reader_init (&reader, program, rank, FALSE);
      while (!found && pd_scale_reader_next (&reader, &action))
        found = is_race (&reader, &action);
      pd_scale_reader_clear (&reader);
    }
  return found;
}
