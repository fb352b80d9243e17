/* Operations that wait for a processor, or for a processor and its adapter, in lists by resource:
 * all entries of a list can continue at the same moment, in the order of the numbers of events, so
 * only the first is in the queue. Otherwise all k entries would be tried again after each one. Not
 * installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WAITING_H
#define PD_WAITING_H

#include "comsys/state/pd-comsys-data.h"

typedef enum
{
  PD_WAITING_SEND,    /* an operation: for the processor and the sending side of the adapter */
  PD_WAITING_COMPUTE, /* an operation: for the processor */
  PD_WAITING_ARRIVAL, /* a message: for the processor and the receiving side */
  PD_N_WAITING,
} PdWaitingFor;

/* The entry that has just been tried. */
typedef struct
{
  guint32 rank; /* whose processor it wants */
  guint32 what; /* token of an operation, or send */
  PdLane lane;
  PdWaitingFor why;
  gboolean is_single; /* it waits for an adapter of one of several networks: in no list */
} PdTried;

/**
 * pd_waiting_add:
 * It will be tried again, at @free at the earliest; it keeps its number.
 */
void pd_waiting_add (PdComsys *self, const PdTried *tried, PdTime free);

/**
 * pd_waiting_let_next:
 * It goes on, on a CPU with PdCpu.keeps: the next one of its list is due at @free, or now.
 */
void pd_waiting_let_next (PdComsys *self, const PdTried *tried, PdTime free);

/**
 * pd_waiting_free:
 * @self: (nullable): of a communication system
 */
void pd_waiting_free (PdWaiting *self);

#endif
