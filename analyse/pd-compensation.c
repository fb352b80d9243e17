/* SPDX-License-Identifier: MIT */
#include "analyse/pd-replay-private.h"

#include "analyse/pd-waits-private.h"
#include "traces/program/pd-action.h"

#include <string.h>

/* An action that takes another time, or may. */
typedef struct
{
  guint32 rank;
  guint32 culprit; /* the rank it waited for; %PD_ANALYSIS_NONE: a computation */
  guint64 number;
  gint64 enter;
  gint64 leave;
  gint64 cause; /* when that rank let it go on; of a computation the time taken out */
} Event;

/* From @from on the rank is @shift earlier. */
typedef struct
{
  gint64 from;
  gint64 shift;
} Shift;

typedef struct
{
  const PdProgram *program;
  PdCompensated *sums;
  GArray *events;    /* Event */
  GPtrArray *shifts; /* GArray of Shift, by rank */
  PdRetiming *result;
} Compensator;

/* ---- what may change */

/* Of several actions that one call is, the last has its time. Returns: %PD_N_CALL_COSTS: it is no
 * call. */
static PdCallCost
kind_of (const PdAction *a)
{
  gboolean is_call = a->kind >= PD_ACT_SEND && a->kind <= PD_ACT_LOCAL;

  if (!is_call || (a->recorded < 0 && a->kind != PD_ACT_OTHER))
    return PD_N_CALL_COSTS;
  if (a->kind >= PD_ACT_TEST && a->kind <= PD_ACT_TESTSOME && a->has_done && a->n_done == 0)
    return PD_CALL_COST_TEST;
  if ((a->kind >= PD_ACT_SEND && a->kind <= PD_ACT_RSEND) || a->kind == PD_ACT_RECV
      || a->kind == PD_ACT_SENDRECV)
    return PD_CALL_COST_BLOCKING;
  if (a->kind == PD_ACT_COLLECTIVE)
    return PD_CALL_COST_COLLECTIVE;
  return (a->kind >= PD_ACT_ISEND && a->kind <= PD_ACT_IRECV) || a->kind == PD_ACT_ICOLLECTIVE
                 || a->kind == PD_ACT_START
                 || (a->kind >= PD_ACT_WAIT && a->kind <= PD_ACT_TESTSOME)
             ? PD_CALL_COST_NON_BLOCKING
             : PD_CALL_COST_OTHER;
}

/* Of a computation behind a call of kind @before. */
static gint64
take_out (Compensator *self, const PdAction *a, PdCallCost before, const PdCharge *charge)
{
  gint64 cost = before < PD_N_CALL_COSTS ? pd_program_get_call_cost (self->program, before).ps : 0;
  gint64 taken = MIN (cost, a->amount.time.ps);

  pd_time_sum_add (&self->sums->computed, a->amount.time);
  if (charge->is_gap || taken <= 0)
    return 0;
  self->sums->n_calls[before]++;
  pd_time_sum_add (&self->sums->taken[before], PD_TIME (taken));
  return taken;
}

static void
note (Compensator *self, const PdReplay *replay, const PdCharge *charge, PdCallCost *before)
{
  const PdAction *a = replay->action;
  const PdBlockedCall *block = &charge->block;
  PdCallCost kind = kind_of (a);
  Event event = { .rank = replay->rank,
                  .culprit = PD_ANALYSIS_NONE,
                  .number = replay->number,
                  .enter = replay->enter,
                  .leave = replay->leave };

  if (a->kind == PD_ACT_COMPUTE)
    {
      event.cause = take_out (self, a, *before, charge);
      if (event.cause > 0)
        g_array_append_val (self->events, event);
    }
  else if (block->rank != PD_ANALYSIS_NONE && block->rank != replay->rank
           && block->cause <= replay->leave)
    {
      event.culprit = block->rank;
      event.cause = block->cause;
      g_array_append_val (self->events, event);
    }
  if (kind < PD_N_CALL_COSTS || a->kind == PD_ACT_COMPUTE || pd_action_is_pause (a))
    *before = kind;
}

static gboolean
note_all (Compensator *self, GError **error)
{
  g_autoptr (PdMatching) matching = pd_matching_new (self->program, NULL, NULL, error);
  g_auto (PdReplay) replay = { 0 };
  PdReasons reasons;
  PdCharge charge = { 0 };

  if (matching == NULL)
    return FALSE;
  pd_replay_init (&replay, self->program, NULL);
  pd_waits_init (&reasons, matching, self->program);
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (self->program); rank++)
    {
      PdCallCost before = PD_N_CALL_COSTS;
      pd_waits_begin_rank (&reasons);
      pd_replay_begin_rank (&replay, rank);
      while (pd_replay_next (&replay))
        {
          pd_waits_charge (&reasons, &replay, &charge);
          note (self, &replay, &charge, &before);
        }
    }
  return TRUE;
}

/* ---- the shifts */

static gint
compare_events (gconstpointer a, gconstpointer b)
{
  const Event *x = a, *y = b;

  if (x->leave != y->leave)
    return x->leave < y->leave ? -1 : 1;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* How much earlier @rank is at @time. */
static gint64
shift_at (const Compensator *self, guint32 rank, gint64 time)
{
  const GArray *shifts = self->shifts->pdata[rank];
  guint low = 0, high = shifts->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (g_array_index (shifts, Shift, middle).from <= time)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 ? g_array_index (shifts, Shift, low - 1).shift : 0;
}

static void
retime (Compensator *self, const Event *event)
{
  GArray *shifts = self->shifts->pdata[event->rank];
  gint64 before = shifts->len > 0 ? g_array_index (shifts, Shift, shifts->len - 1).shift : 0;
  gint64 enter = event->enter - before, leave = event->leave - before - event->cause;

  if (event->culprit != PD_ANALYSIS_NONE)
    {
      gint64 cause = event->cause - shift_at (self, event->culprit, event->cause);
      leave = MAX (enter, cause) + (event->leave - MAX (event->cause, event->enter));
    }
  const Shift shift = { event->leave, event->leave - leave };
  const PdRetimed retimed = { event->number, leave - enter };
  g_array_append_val (shifts, shift);
  if (retimed.took != event->leave - event->enter)
    g_array_append_val ((GArray *) self->result->ranks->pdata[event->rank], retimed);
}

PdRetiming *
pd_retiming_new (const PdProgram *program, PdCompensated *sums, GError **error)
{
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));
  g_autoptr (GPtrArray) shifts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autoptr (PdRetiming) result = g_new0 (PdRetiming, 1);
  Compensator self = { program, sums, events, shifts, result };

  memset (sums, 0, sizeof *sums);
  result->ranks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    {
      g_ptr_array_add (shifts, g_array_new (FALSE, FALSE, sizeof (Shift)));
      g_ptr_array_add (result->ranks, g_array_new (FALSE, FALSE, sizeof (PdRetimed)));
    }
  if (!note_all (&self, error))
    return NULL;
  g_array_sort (events, compare_events);
  for (guint i = 0; i < events->len; i++)
    retime (&self, &g_array_index (events, Event, i));
  return g_steal_pointer (&result);
}

void
pd_retiming_free (PdRetiming *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->ranks);
  g_free (self);
}
