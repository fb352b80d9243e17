/* The interpreter of message-passing programs in several lanes: what its files share.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_LANES_PRIVATE_H
#define PD_MP_LANES_PRIVATE_H

#include "comsys/pd-lanes.h"
#include "predictor/pd-mp-lanes.h"
#include "predictor/pd-mp-private.h"

G_BEGIN_DECLS

/* What a rank spends in an interval. */
typedef struct
{
  PdLaneTime cpu;
  PdLaneTime insufficient;
  PdLaneTime spent[PD_MP_N_CATEGORIES];
  PdLaneTime synchronization;
  PdLaneTime variation;
  PdLaneWaited waited;
  guint32 n_entered;
  guint32 n_sends;
  guint32 n_receives;
  guint32 n_waits;
  guint32 n_collectives;
  guint32 spare[11];
} PdMpAccount;

G_STATIC_ASSERT (sizeof (PdMpAccount) % 64 == 0);

/* A rank's progress. */
typedef struct
{
  _Alignas(64) gdouble scales[PD_LANES_N]; /* of computation here, by lane */
  PdLaneTime mark;                         /* of stretches that are computed alike: cpu when
                                            * that was last looked at */
  const PdCell *cell;
  const PdCell *end;
  PdRequest *slots;
  PdMpAccount *account;
  PdLaneRank *calls;
  guint32 n_slots;
  guint32 node;
  guint32 n_alike;
  guint8 state; /* PdMpState */
  guint8 category;
  guint8 has_one_scale; /* the same in all lanes */
} PdMpLaneRank;

typedef struct _PdMpLaneMeetings PdMpLaneMeetings;

typedef struct
{
  PdMp *mps[PD_LANES_N]; /* those beyond k are the first one again */
  guint k;
  const PdProgram *program;
  PdLanes *lanes;
  guint32 n;
  guint32 n_finished;
  gboolean is_flops;
  gboolean has_ratios; /* intervals may differ in speed */
  PdMpLaneRank *ranks; /* (array length=n) */
  PdRequest *slots;
  GPtrArray *accounts; /* by node, (nullable) PdMpAccount (array length=n) */
  PdMpLaneMeetings *meetings;
} PdMpLanes;

/* Does the action at the rank's cell; FALSE: it waits in it. */
typedef gboolean (*PdMpLaneAct) (PdMpLanes *self, guint32 rank, PdMpLaneRank *r);

/* ---- pd-mp-lanes-acts.c */

/* Whether lanes can do the action at @cell; else why not, static. */
const char *pd_mp_lane_refuses (const PdMpLanes *self, const PdCell *cell);
/* Acts until the rank waits, has done @budget actions, or is through. */
gboolean pd_mp_lane_go_on (PdMpLanes *self, guint32 rank, guint budget);
/* The call that it is in is over. */
void pd_mp_lane_end_call (PdMpLanes *self, guint32 rank);

void pd_mp_lane_compute (PdMpLanes *self, PdMpLaneRank *r, PdAmount amount);
/* The call has returned @over, or waits: whether it is over. */
gboolean pd_mp_lane_return (PdMpLaneRank *r, gboolean over, PdMpCategory category);
/* What the call has taken is the rank's past. */
void pd_mp_lane_spend (PdMpLaneRank *r);
/* As pd_mp_note(), in all lanes. */
void pd_mp_lane_note (PdMpLanes *self, guint32 rank, const char *id, const char *subject,
                      const char *text);
/* The slot that a new request goes into; what it held is freed. */
PdRequest *pd_mp_lane_free_slot (PdMpLanes *self, PdMpLaneRank *r, guint32 request);
gboolean pd_mp_lane_not_modelled (PdMpLanes *self, guint32 rank, PdMpLaneRank *r);

/* How the action sends. */
PdSendMode pd_mp_lane_mode_of (const PdCell *cell);

/* ---- pd-mp-lanes-requests.c */

gboolean pd_mp_lane_wait (PdMpLanes *self, guint32 rank, PdMpLaneRank *r);
gboolean pd_mp_lane_waitall (PdMpLanes *self, guint32 rank, PdMpLaneRank *r);
gboolean pd_mp_lane_waitany (PdMpLanes *self, guint32 rank, PdMpLaneRank *r);
gboolean pd_mp_lane_test (PdMpLanes *self, guint32 rank, PdMpLaneRank *r);
gboolean pd_mp_lane_init (PdMpLanes *self, guint32 rank, PdMpLaneRank *r);
gboolean pd_mp_lane_start (PdMpLanes *self, guint32 rank, PdMpLaneRank *r);
gboolean pd_mp_lane_request_free (PdMpLanes *self, guint32 rank, PdMpLaneRank *r);

/* ---- pd-mp-lanes-collective.c */

gboolean pd_mp_lane_collective (PdMpLanes *self, guint32 rank, PdMpLaneRank *r);
gboolean pd_mp_lane_icollective (PdMpLanes *self, guint32 rank, PdMpLaneRank *r);
void pd_mp_lane_collective_returned (PdMpLanes *self, guint32 rank, PdMpLaneRank *r);
PdMpLaneMeetings *pd_mp_lane_meetings_new (guint32 n_comms);
void pd_mp_lane_meetings_free (PdMpLaneMeetings *self);

/* ---- pd-mp-lanes-intervals.c */

gboolean pd_mp_lane_enter (PdMpLanes *self, guint32 rank, PdMpLaneRank *r);
gboolean pd_mp_lane_leave (PdMpLanes *self, guint32 rank, PdMpLaneRank *r);
gboolean pd_mp_lane_location (PdMpLanes *self, guint32 rank, PdMpLaneRank *r);
gboolean pd_mp_lane_alike (PdMpLanes *self, guint32 rank, PdMpLaneRank *r);
/* Puts the rank, at its beginning, into the root. */
void pd_mp_lane_begin (PdMpLanes *self, guint32 rank);
/* It has come to its end. */
void pd_mp_lane_finish (PdMpLanes *self, guint32 rank);
/* What ranks have spent is charged to the trees of all lanes. */
void pd_mp_lane_charge_all (PdMpLanes *self);
void pd_mp_lane_accounts_free (PdMpLanes *self);

G_END_DECLS

#endif
