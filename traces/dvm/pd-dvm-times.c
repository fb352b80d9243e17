/* SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-reader-private.h"

#include <math.h>

/* The recorder of Lib-DVM (rts/src/trace.c, delta_for_dvm_trace() of the public repository
 * saveasguy/dvm-sys) takes the time since the record before, less what printing that took. Both are
 * multiples of the grid. Where the difference d is not above 0 it prints 1 us, and means to take
 * 1 us - d from the next record; but the sign of the 1 us is wrong, so the next difference is
 * d + 1 us too long. After s such records in a row the printed time is m grid + s us, with m < 0 if
 * the differences were below 0. A line of 1 us is a clamped one, which makes s one more, or
 * m = 0 and s = 1, after which s is 0: so s has the parity of the number of such lines. */
#define GRID_PS     (1e12 / 4194304) /* 2^-22 s: gettimeofday() in doubles, from 2004 to 2038 */
#define CLAMPED_PS  PD_PS_PER_US
#define ROUNDING_PS 5001 /* TIME has 8 digits */
/* With 36 us more the grid is met again within the rounding; with 2 to 34 us, more than that by
 * 2 ns. */
#define MOST_DEBTS 35
/* No shorter time in whole units of 10 ns lies on the grid by itself. */
#define ROUND_TIME_PS (PD_PS_PER_S / 256)

#define LEAST_FIT 16
#define RARE      200

/* Whether @ps is a reading of the clock. */
static gboolean
is_on_grid (gint64 ps)
{
  return fabs (remainder ((gdouble) ps, GRID_PS)) <= ROUNDING_PS;
}

/* Returns a time of at least 0; the rest of a negative one is taken from the times that follow. */
static PdTime
pay (PdDvmTimes *self, gint64 ps)
{
  ps += self->debt;
  self->debt = MIN (ps, 0);
  return PD_TIME (MAX (ps, 0));
}

PdTime
pd_dvm_times_decode (PdDvmTimes *self, PdTime recorded, PdDvmClock *clock)
{
  gint64 most = (gint64) MIN (self->n_clamped, MOST_DEBTS), debts = (gint64) self->n_clamped & 1;

  if (recorded.ps == CLAMPED_PS)
    {
      self->n_clamped++;
      clock->n_clamped++;
      return pay (self, 0);
    }
  self->n_clamped = 0;
  while (debts <= most && !is_on_grid (recorded.ps - debts * CLAMPED_PS))
    debts += 2;
  if (debts > most)
    {
      clock->n_unfit++;
      return pay (self, recorded.ps);
    }
  gint64 ps = recorded.ps - debts * CLAMPED_PS;
  clock->n_fit += ABS (ps) > ROUNDING_PS && ps < ROUND_TIME_PS;
  return pay (self, ps);
}

gboolean
pd_dvm_clock_is_known (const PdDvmClock *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->n_fit >= LEAST_FIT && self->n_unfit <= self->n_fit / RARE;
}

/* All forms of the call under way get the corrected time. */
static void
correct (PdDvmTimes *self, const PdDvmCorrection *correction)
{
  for (guint form = 0; form < PD_DVM_N_FORMS; form++)
    *(correction->is_ret ? &self->of[form].ret : &self->of[form].call) = correction->time;
}

static void
take_out (PdDvmTimes *self, PdTime *time, gint64 *unpaid, PdWide cost)
{
  PdWide ps = (PdWide) time->ps + *unpaid - cost;

  *unpaid = (gint64) MAX (MIN (ps, 0), G_MININT64);
  ps = MAX (ps, 0);
  self->taken_out.ps += time->ps - ps;
  time->ps = (gint64) ps;
}

static void
take_out_cost (PdDvmTimes *self, PdDvmCall *call)
{
  const PdDvmRecorderCost *cost = &self->cost;
  PdDvmFunction function = call->function;
  PdWide inside = (PdWide) pd_dvm_function_get_n_events (function) * cost->event.ps;

  if (self->is_started)
    take_out (self, &call->call_time, &self->unpaid[0][function], cost->event.ps);
  self->is_started = TRUE;
  if (call->is_single)
    return;
  if (cost->drops_intervals && pd_dvm_function_get_class (function) == PD_DVM_CLASS_INT)
    inside = call->ret_time.ps;
  else
    inside += cost->statistics.ps;
  take_out (self, &call->ret_time, &self->unpaid[1][function], inside);
}

void
pd_dvm_times_give (PdDvmTimes *self, PdDvmCall *call)
{
  for (; self->corrections != NULL && self->next_correction < self->corrections->len;
       self->next_correction++)
    {
      const PdDvmCorrection *c =
          &g_array_index (self->corrections, PdDvmCorrection, self->next_correction);
      if (c->number > call->number)
        break;
      if (c->number == call->number)
        correct (self, c);
    }
  call->call_time = self->of[self->form].call;
  call->ret_time = self->of[self->form].ret;
  take_out_cost (self, call);
}

/* ---- what the reader gives out */

void
pd_dvm_reader_set_corrections (PdDvmReader *self, const GArray *corrections)
{
  g_return_if_fail (self != NULL);
  self->times.corrections = corrections;
}

void
pd_dvm_reader_set_decoding (PdDvmReader *self, gboolean decodes)
{
  g_return_if_fail (self != NULL);
  self->times.form = decodes ? PD_DVM_DECODED : PD_DVM_RECORDED;
}

void
pd_dvm_reader_set_recorder_cost (PdDvmReader *self, const PdDvmRecorderCost *cost)
{
  g_return_if_fail (self != NULL && cost != NULL);
  self->times.cost = *cost;
}

PdTimeSum
pd_dvm_reader_get_taken_out (const PdDvmReader *self)
{
  g_return_val_if_fail (self != NULL, (PdTimeSum){ 0 });
  return self->times.taken_out;
}
