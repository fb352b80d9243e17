/* Waits and tests, by what the recorded run has shown: a test that was successful is a
 * wait, one that was not costs its time; Waitany waits for what it got then. With
 * --wildcards simulated Waitany and Waitsome take what comes first; if that is another
 * request than in the recorded run, the two change their slots: the program will wait
 * later for the one that it thinks is left.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_WAITS_H
#define PD_MP_WAITS_H

#include "predictor/mp/pd-mp-state.h"

/**
 * pd_mp_act_waitall:
 * The rank does its action: Waitall.
 *
 * Returns: as pd_mp_return().
 */
gboolean pd_mp_act_waitall (PdMp *self, guint32 rank, PdMpRank *r);

/**
 * pd_mp_act_waitany:
 * The rank does its action: Waitany.
 *
 * Returns: as pd_mp_return().
 */
gboolean pd_mp_act_waitany (PdMp *self, guint32 rank, PdMpRank *r);

/**
 * pd_mp_act_test:
 * The rank does its action: a test of requests.
 *
 * Returns: as pd_mp_return().
 */
gboolean pd_mp_act_test (PdMp *self, guint32 rank, PdMpRank *r);

/**
 * pd_mp_any_returned:
 * A call of Waitany that the rank has waited in is over.
 */
void pd_mp_any_returned (PdMp *self, guint32 rank, PdMpRank *r);

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
 * @own: the requests of the rank, which get back what is left of @requests
 */
void pd_mp_slots_put_back (const PdMpSlots *self, PdRequest *own, const PdRequest *requests);

/**
 * pd_mp_anys_new:
 * Returns: (transfer full): the calls of Waitany under way, none.
 */
PdMpAnys *pd_mp_anys_new (void);

/**
 * pd_mp_anys_free:
 * @self: (nullable): the calls
 */
void pd_mp_anys_free (PdMpAnys *self);

#endif
