/* The main loop of message-passing programs, and what acting ranks need of it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_RUN_H
#define PD_MP_RUN_H

#include "predictor/mp/pd-mp-state.h"
#include "comsys/p2p/pd-scheduler.h"
#include "traces/program/pd-action.h"

/**
 * pd_mp_may_act:
 * Returns: whether @rank may access shared state at its clock; else it has been
 *   put into the queue for that moment.
 */
static inline gboolean
pd_mp_may_act (PdMp *self, guint32 rank, const PdMpRank *r)
{
  if (pd_comsys_may_go_on (self->comsys, rank, r->clock))
    return TRUE;
  pd_comsys_ready (self->comsys, rank, r->clock);
  return FALSE;
}

/* How many calls for messages a rank makes in a turn where order does not matter:
 * what it has sent before others receive it takes memory. */
#define PD_MP_AHEAD 16

/**
 * pd_mp_may_call:
 * Returns: as pd_mp_may_act(), for a call that concerns only a message and those
 *   it is between.
 */
static inline gboolean
pd_mp_may_call (PdMp *self, guint32 rank, const PdMpRank *r)
{
  if (self->n_ahead == 0 || r->clock.ps <= self->turn.ps)
    return pd_mp_may_act (self, rank, r);
  self->n_ahead--;
  return TRUE;
}

/**
 * pd_mp_call:
 * Returns: a call of ComSys that the rank makes at its clock.
 */
static inline PdCall
pd_mp_call (guint32 rank, PdMpRank *r)
{
  r->began = r->clock;
  return (PdCall){ rank, r->clock, &r->ret, NULL };
}

/**
 * pd_mp_next:
 * Returns: the cell of the action behind that of @cell.
 */
static inline const PdProgramCell *
pd_mp_next (const PdProgramCell *cell)
{
  return G_LIKELY ((cell->kind & PD_CELL_MORE) == 0) ? cell + 1 : pd_action_skip (cell);
}

/**
 * pd_mp_get_step:
 * Returns: how many cells of @rank would be before its present one if its program had no loops.
 */
static inline guint64
pd_mp_get_step (const PdMp *self, guint32 rank)
{
  const PdProgramCell *end, *first = pd_program_get_cells (self->program, rank, &end);

  return (guint64) (self->ranks[rank].cell - first)
         + (self->loops != NULL ? (guint64) self->loops[rank].shift : 0);
}

/**
 * pd_mp_return:
 * @category: of the call that was made
 *
 * Returns: whether the call is over, the rank then being behind it; else it waits.
 */
static inline gboolean
pd_mp_return (PdMpRank *r, PdMpCategory category)
{
  r->category = (guint8) category;
  if (pd_time_is_pending (r->ret))
    {
      r->state = PD_MP_CALLED;
      return FALSE;
    }
  r->spent[category] += r->ret.ps - r->began.ps;
  r->clock = r->ret;
  r->cell = pd_mp_next (r->cell);
  return TRUE;
}

/**
 * pd_mp_time_of:
 * @amount: of a program's unit
 * @scale: see pd_mp_interval_scale()
 *
 * Returns: how long it takes: of flops rounded half up, saturating.
 */
static inline PdTime
pd_mp_time_of (gboolean is_flops, PdAmount amount, gdouble scale)
{
  gdouble ps = is_flops ? amount.flops * scale + 0.5 : 0;

  if (!is_flops)
    return pd_time_divide (amount.time, scale);
  return PD_TIME (ps < (gdouble) G_MAXINT64 ? (gint64) ps : G_MAXINT64);
}

/**
 * pd_mp_time_outside:
 * @t: what a call outside the model took when it was recorded
 * @scale: see pd_mp_interval_scale()
 *
 * Returns: how long it takes: as long as computation would. It computes nothing for the
 *   program, so where communication costs nothing it is free, too.
 */
static inline PdTime
pd_mp_time_outside (const PdMp *self, PdTime t, gdouble scale)
{
  if (self->options->ideal)
    return PD_TIME_ZERO;
  return self->is_flops ? t : pd_time_divide (t, scale);
}

/**
 * pd_mp_run:
 * @error: return location for a #PdSimulationError
 *
 * The main loop, to the end of all ranks.
 */
gboolean pd_mp_run (PdMp *self, GError **error);

#endif
