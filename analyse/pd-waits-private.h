/* What a call has waited for.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WAITS_PRIVATE_H
#define PD_WAITS_PRIVATE_H

#include "analyse/pd-analysis-private.h"
#include "analyse/pd-matching-private.h"
#include "analyse/pd-replay-private.h"

/* A call that ended when it did because of another rank. */
typedef struct
{
  gint64 cause; /* when the other one did what was waited for, */
  gint64 leave; /* and when the call ended */
  guint32 rank; /* the other one */
} PdBlockedCall;

typedef struct
{
  PdQuantity quantity; /* SENDRECV, COLLECTIVE, SYSTEM, CPU_SEQ */
  PdCallCosts costs;
  gint64 waits[PD_N_WAIT_STATES];
  PdBlockedCall block; /* rank: %PD_ANALYSIS_NONE: it waited for nobody */
  guint n_sends;
  guint n_receives;
  guint n_waits;
  guint n_collectives;
} PdCharge;

/* What the present action of @replay is charged. */
void pd_waits_charge (PdMatching *matching, const PdReplay *replay, GHashTable *counters,
                      PdCharge *charge);

#endif
