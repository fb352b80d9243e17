/* Waits, tests and probes where what completes is not known, and cancelling. Waitany and
 * Waitsome take what comes first; if that is another request than in the recorded run, the
 * two change their slots: the program will wait later for the one that it thinks is left.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_WAITS_H
#define PD_MP_WAITS_H

#include "predictor/mp/pd-mp-state.h"

/**
 * pd_mp_simulate_any:
 * The rank does its @action, Waitany or Waitsome: waits for what comes first.
 *
 * Returns: whether it is behind it; else pd_mp_any_returned() is called when it is over.
 */
gboolean pd_mp_simulate_any (PdMp *self, guint32 rank, PdMpRank *r, const PdAction *action);

/**
 * pd_mp_simulate_test:
 * The rank executes its @action, a test of requests: those complete by now are completed.
 *
 * Returns: as pd_mp_return().
 */
gboolean pd_mp_simulate_test (PdMp *self, guint32 rank, PdMpRank *r, const PdAction *action);

/**
 * pd_mp_act_probe:
 * The rank does its action: Probe or Iprobe.
 *
 * Returns: as pd_mp_return().
 */
gboolean pd_mp_act_probe (PdMp *self, guint32 rank, PdMpRank *r);

/**
 * pd_mp_act_cancel:
 * The rank does its action: Cancel.
 *
 * Returns: whether it is behind it.
 */
gboolean pd_mp_act_cancel (PdMp *self, guint32 rank, PdMpRank *r);

/**
 * pd_mp_any_returned:
 * A call of Waitany that the rank has waited in is over.
 */
void pd_mp_any_returned (PdMp *self, guint32 rank, PdMpRank *r);

/* So many requests are moved to and fro without allocation. */
#define PD_MP_FEW 16

/* The requests that an action waits for or tests: those in @slots (array length=n), or of
 * these the ones at @which (nullable). One whose slot is listed twice is there once. */
typedef struct
{
  const guint32 *slots;
  const guint32 *which;
  guint32 n;
} PdMpSlots;

/**
 * pd_mp_slots_take:
 * @own: the requests of the rank
 * @requests: (out): those of @self, taken out of @own
 */
void pd_mp_slots_take (const PdMpSlots *self, PdRequest *own, PdRequest *requests);

/**
 * pd_mp_slots_put_back:
 * @own: the requests of the rank, which get back the remaining ones of @requests
 */
void pd_mp_slots_put_back (const PdMpSlots *self, PdRequest *own, const PdRequest *requests);

/**
 * pd_mp_anys_new:
 * Returns: (transfer full): the calls of Waitany under way, none.
 */
GHashTable *pd_mp_anys_new (void);

#endif
