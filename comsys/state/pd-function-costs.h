/* The overheads of functions, as the running model keeps them. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_FUNCTION_COSTS_H
#define PD_FUNCTION_COSTS_H

#include "comsys/state/pd-comsys-data.h"

/**
 * pd_function_overhead:
 * Returns: what each call of @function costs.
 */
static inline PdTime
pd_function_overhead (const PdComsys *self, guint function)
{
  return G_LIKELY (self->overheads == NULL) ? PD_TIME_ZERO : self->overheads[function];
}

/**
 * pd_function_time:
 * Returns: what a call of @function costs, of a collective operation of @bytes.
 */
static inline PdTime
pd_function_time (const PdComsys *self, guint function, gint64 bytes)
{
  const PdFunctionBytes *costs = self->byte_costs;
  PdTime overhead = pd_function_overhead (self, function);

  if (G_LIKELY (costs == NULL) || costs[function].per_byte <= 0 || bytes < costs[function].from)
    return overhead;
  return pd_time_add (overhead, pd_time_for_bytes (bytes, costs[function].per_byte));
}

/**
 * pd_call_of:
 * Returns: @call, whose effects begin after the overhead of its function.
 */
static inline PdCall
pd_call_of (const PdComsys *self, const PdCall *call, guint function)
{
  PdCall later = *call;

  if (G_UNLIKELY (self->overheads != NULL))
    later.when = pd_time_add (call->when, self->overheads[function]);
  return later;
}

/**
 * pd_call_behind:
 * @room: (out caller-allocated): for the call
 *
 * Returns: as pd_call_of(), in @room; @call itself where no function costs anything: a copy of
 *   fields that have just been written one by one would wait for them.
 */
static inline const PdCall *
pd_call_behind (const PdComsys *self, const PdCall *call, guint function, PdCall *room)
{
  if (G_LIKELY (self->overheads == NULL))
    return call;
  *room = pd_call_of (self, call, function);
  return room;
}

#endif
