/* The waiting of calls, and its causes.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WAITS_PRIVATE_H
#define PD_WAITS_PRIVATE_H

#include "analyse/pd-analysis-private.h"
#include "analyse/pd-matching-private.h"
#include "analyse/pd-replay-private.h"

/* A call that ended when it did because of another rank. */
typedef struct
{
  gint64 cause; /* when the other one let the call go on, */
  gint64 leave; /* and when the call ended */
  guint32 rank; /* the other one */
} PdBlockedCall;

/* An action of another rank that a call needs before it can go on. */
typedef struct
{
  PdWaitState state; /* if the other one is late */
  gint64 when;       /* the moment of that action; -1 = none is needed */
  guint32 rank;      /* the other one, */
  guint32 site;      /* and from where it called; %PD_PROGRAM_NONE: unknown */
} PdNeed;

/* It among those of its rank, see pd_blocks_add(). */
typedef struct
{
  gint64 enter; /* when it began; then as in #PdBlockedCall */
  gint64 cause;
  guint32 rank;
  guint32 after; /* how long after the cause it ended, ps; G_MAXUINT32: longer, and another one,
                  * whose rank is %PD_ANALYSIS_NONE, follows and enters then */
} PdBlock;

/* @blocks: PdBlock of one rank. Calls in their order. */
void pd_blocks_add (PdVector *blocks, gint64 enter, const PdBlockedCall *call);
/* The last one of the first @n of them, which becomes the number of those before it; @leave: when
 * it ended. */
const PdBlock *pd_blocks_before (const PdVector *blocks, gsize *n, gint64 *leave);
/* Whether pd_analysis_can_number() those of all ranks; @blocks: (array length=n_ranks). */
gboolean pd_blocks_can_number (const PdVector *blocks, guint32 n_ranks, GError **error);

typedef struct
{
  PdQuantity quantity; /* SENDRECV, COLLECTIVE, SYSTEM, CPU_SEQ */
  PdCallCosts costs;
  gint64 waits[PD_N_WAIT_STATES];
  guint waited;        /* bits: which of these are not 0 */
  PdNeed late;         /* the last action it waited for; when: -1 = it did not wait */
  PdBlockedCall block; /* rank: %PD_ANALYSIS_NONE: it did not wait */
  gboolean is_gap;     /* no call, but the time between two polls: charged to the former */
  guint n_polls;       /* 1: it asked, and found nothing */
  guint n_sends;
  guint n_receives;
  guint n_waits;
  guint n_collectives;
} PdCharge;

/* Polls that found nothing, one after another, with nothing but gaps between them. */
typedef struct
{
  gboolean is_open;
  gint64 begin; /* of the first */
  PdNeed need;  /* of the last */
  PdQuantity quantity;
  gint64 polled;         /* since something was computed: time in polls and short gaps, */
  guint64 n;             /* polls, */
  gint64 interrupted;    /* time in interruptions, */
  guint64 n_interrupted; /* and interruptions */
} PdPolling;

#define PD_N_PROBES 5

typedef struct
{
  PdMatching *matching;        /* borrowed */
  guint32 probes[PD_N_PROBES]; /* names of calls; %PD_PROGRAM_NONE: there is no such call */
  PdPolling polling;           /* of the present rank */
} PdReasons;

void pd_waits_init (PdReasons *self, PdMatching *matching, const PdProgram *program);
void pd_waits_begin_rank (PdReasons *self);
/* Whether computation may belong to polls: all else is not charged but its time. */
static inline gboolean
pd_waits_is_polling (const PdReasons *self)
{
  return self->polling.is_open;
}
/* Charges the present action of @replay; actions in their order. @charge: (inout): that of the
 * action before it; all zero before the first. */
void pd_waits_charge (PdReasons *self, PdReplay *replay, PdCharge *charge);

/* Of a collective operation, the rank that this rank waits for. */
PdNeed pd_waits_need_of_meeting (PdMatching *matching, const PdReplay *replay, PdMeeting meeting);
/* Of a message, what its partner is for. */
PdNeed pd_waits_need_of_partner (const PdPartner *partner, PdWaitState state);
/* Adds the time up to the last of @needs to the waiting of the call. @needs: at most one of
 * each state; @n: how many; @begin: of the call, or of the polls before it. */
void pd_waits_charge_needs (const PdReplay *replay, const PdNeed *needs, guint n, gint64 begin,
                            PdCharge *charge);

typedef enum
{
  PD_PROBE_NONE,
  PD_PROBE_LOST, /* no call: the rank had no processor */
  PD_PROBE_BLOCKS,
  PD_PROBE_POLLS,
} PdProbe;

PdProbe pd_waits_is_probe (const PdReasons *self, const PdAction *action);
/* Whether an action asks for something and returns at once. */
gboolean pd_waits_is_poll (const PdReasons *self, const PdAction *action);
void pd_waits_charge_probe (PdReasons *self, const PdReplay *replay, PdCharge *charge);
void pd_waits_find_probes (PdReasons *self, const PdProgram *program);
/* Whether any call may be a probe. */
gboolean pd_waits_has_probes (const PdProgram *program);
/* Whether the polls go on with this action, what it is charged being known. */
void pd_waits_follow_polls (PdReasons *self, const PdReplay *replay, const PdCharge *charge);
/* Of requests none of which is through. */
void pd_waits_charge_failed_test (PdReasons *self, const PdReplay *replay, PdCharge *charge);
void pd_waits_charge_gap (PdReasons *self, PdReplay *replay, PdCharge *charge);
PdNeed pd_waits_need_of_request (PdReasons *self, const PdReplay *replay,
                                 const PdRecordedRequest *request);

/* ---- one-sided communication: pd-waits-rma.c */

/* Epochs of all ranks, processed twice: first they are collected, then calls are charged. */
typedef struct _PdRma PdRma;

PdRma *pd_rma_new (const PdProgram *program);
void pd_rma_free (PdRma *self);
/* The present action of @replay, of the ranks in ascending order. */
void pd_rma_collect (PdRma *self, const PdReplay *replay);
/* All have been collected: who waits for whom. */
void pd_rma_match (PdRma *self);
/* Whether pd_rma_charge() has something to say of such actions. */
gboolean pd_rma_is_one_sided (PdActionKind kind);
/* Charges the present action of @replay with its waiting; in the order of pd_rma_collect(). */
void pd_rma_charge (PdRma *self, const PdReplay *replay, PdCharge *charge);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdRma, pd_rma_free)

/* ---- for whom others waited: pd-lates.c */

/* Returns: (transfer full): of #PdLate, each with how long. */
GHashTable *pd_lates_new (void);
/* Returns: (transfer none): that one, which is new if there was none. */
PdLate *pd_lates_find (GHashTable *lates, guint32 node, const PdNeed *late);
void pd_lates_add (GHashTable *lates, guint32 node, const PdNeed *late, gint64 waited);
/* Returns: (transfer full): PdLate, by interval, state, rank and site. */
GArray *pd_lates_list (GHashTable *lates);

#endif
