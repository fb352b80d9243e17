/* The waiting of calls, and their charges.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-analysis-private.h"
#include "analyse/pd-matching-private.h"
#include "analyse/pd-replay-private.h"
#include "analyse/pd-waits-private.h"
#include "analyse/pd-waits.h"
#include "traces/program/pd-action.h"

static const struct
{
  const char *name;
  const char *id;
  const char *meaning;
} states[PD_N_WAIT_STATES] = {
  [PD_WAIT_LATE_SENDER] = { "late sender", "late_sender",
                            "receives, and waits for them, that began before the message was "
                            "sent" },
  [PD_WAIT_LATE_RECEIVER] = { "late receiver", "late_receiver",
                              "sends that could not go on before their receive was posted" },
  [PD_WAIT_AT_BARRIER] = { "wait at barrier", "wait_at_barrier",
                           "barriers and fences that began before the last member came" },
  [PD_WAIT_AT_NXN] = { "wait at NxN", "wait_at_nxn",
                       "operations in which all need something of all, likewise" },
  [PD_WAIT_LATE_BROADCAST] = { "late broadcast", "late_broadcast",
                               "operations that receive from a root, before the root came" },
  [PD_WAIT_EARLY_REDUCE] = { "early reduce", "early_reduce",
                             "roots that receive from all, before the last of these came" },
  [PD_WAIT_EARLY_SCAN] = { "early scan", "early_scan",
                           "scans before the last of the ranks below came" },
  [PD_WAIT_LATE_NEIGHBOUR] = { "late neighbour", "late_neighbour",
                               "operations of neighbours, before the last of them came" },
  [PD_WAIT_LATE_POST] = { "one-sided late post", "late_post",
                          "starts of accesses to a window, and these, before the target posted "
                          "it" },
  [PD_WAIT_LATE_COMPLETE] = { "one-sided late complete", "late_complete",
                              "waits for accesses to a window, before the last of those who "
                              "access it completed" },
  [PD_WAIT_LATE_WAIT] = { "one-sided late wait", "late_wait",
                          "ends of accesses to a window that went on until the target waited for "
                          "them" },
  [PD_WAIT_LOCK] = { "one-sided lock competition", "lock_competition",
                     "locks of a window, and accesses under them, before another rank gave back "
                     "its lock" },
};

const char *
pd_wait_state_name (PdWaitState state)
{
  return states[state].name;
}

const char *
pd_wait_state_id (PdWaitState state)
{
  return states[state].id;
}

const char *
pd_wait_state_meaning (PdWaitState state)
{
  return states[state].meaning;
}

/* ---- kinds */

/* How actions are charged, by kind. */
typedef enum
{
  NOTHING, /* begins something, or is one-sided */
  GAP,
  BLOCKING,
  COMPLETION,
  MEETING,
  PROBE,
} Charging;

/* Stands for %PD_Q_SENDRECV in the table, because most calls are charged to it; no call is charged
 * to %PD_Q_CPU_SEQ. */
#define MESSAGES PD_Q_CPU_SEQ
G_STATIC_ASSERT (MESSAGES == 0);

static const struct
{
  Charging charging;
  guint8 n_sends;
  guint8 n_receives;
  guint8 n_waits;
  PdQuantity other; /* the quantity that calls are charged to, if not to messages */
} kinds[PD_N_ACTS] = {
  [PD_ACT_COMPUTE] = { GAP, 0, 0, 0, MESSAGES },
  [PD_ACT_SEND] = { BLOCKING, 1, 0, 0, MESSAGES },
  [PD_ACT_BSEND] = { BLOCKING, 1, 0, 0, MESSAGES },
  [PD_ACT_SSEND] = { BLOCKING, 1, 0, 0, MESSAGES },
  [PD_ACT_RSEND] = { BLOCKING, 1, 0, 0, MESSAGES },
  [PD_ACT_ISEND] = { NOTHING, 1, 0, 0, MESSAGES },
  [PD_ACT_IBSEND] = { NOTHING, 1, 0, 0, MESSAGES },
  [PD_ACT_ISSEND] = { NOTHING, 1, 0, 0, MESSAGES },
  [PD_ACT_IRSEND] = { NOTHING, 1, 0, 0, MESSAGES },
  [PD_ACT_RECV] = { BLOCKING, 0, 1, 0, MESSAGES },
  [PD_ACT_IRECV] = { NOTHING, 0, 1, 0, MESSAGES },
  [PD_ACT_SENDRECV] = { BLOCKING, 1, 1, 0, MESSAGES },
  [PD_ACT_WAIT] = { COMPLETION, 0, 0, 1, MESSAGES },
  [PD_ACT_WAITALL] = { COMPLETION, 0, 0, 1, MESSAGES },
  [PD_ACT_WAITANY] = { COMPLETION, 0, 0, 1, MESSAGES },
  [PD_ACT_WAITSOME] = { COMPLETION, 0, 0, 1, MESSAGES },
  [PD_ACT_TEST] = { COMPLETION, 0, 0, 1, MESSAGES },
  [PD_ACT_TESTALL] = { COMPLETION, 0, 0, 1, MESSAGES },
  [PD_ACT_TESTANY] = { COMPLETION, 0, 0, 1, MESSAGES },
  [PD_ACT_TESTSOME] = { COMPLETION, 0, 0, 1, MESSAGES },
  [PD_ACT_PROBE] = { PROBE, 0, 0, 1, MESSAGES },
  [PD_ACT_IPROBE] = { PROBE, 0, 0, 1, MESSAGES },
  [PD_ACT_COLLECTIVE] = { MEETING, 0, 0, 0, PD_Q_COLLECTIVE },
  [PD_ACT_ICOLLECTIVE] = { NOTHING, 0, 0, 0, PD_Q_COLLECTIVE },
  [PD_ACT_COMM_FREE] = { NOTHING, 0, 0, 0, PD_Q_SYSTEM },
  [PD_ACT_WIN_FENCE] = { MEETING, 0, 0, 0, PD_Q_COLLECTIVE },
  [PD_ACT_OTHER] = { NOTHING, 0, 0, 0, PD_Q_SYSTEM },
  [PD_ACT_LOCAL] = { PROBE, 0, 0, 0, PD_Q_SYSTEM }, /* some are probes */
  [PD_ACT_ENTER] = { NOTHING, 0, 0, 0, PD_Q_SYSTEM },
  [PD_ACT_LEAVE] = { NOTHING, 0, 0, 0, PD_Q_SYSTEM },
  [PD_ACT_LOCATION] = { NOTHING, 0, 0, 0, PD_Q_SYSTEM },
  [PD_ACT_ALIKE_BEGIN] = { NOTHING, 0, 0, 0, PD_Q_SYSTEM },
  [PD_ACT_ALIKE_END] = { NOTHING, 0, 0, 0, PD_Q_SYSTEM },
};

/* Making a communicator or a window is no communication. */
static PdQuantity
quantity_of (const PdAction *action)
{
  PdQuantity quantity = kinds[action->kind].other;

  if (quantity == MESSAGES)
    return action->kind <= PD_ACT_DELAY ? PD_Q_CPU_SEQ : PD_Q_SENDRECV;
  return quantity == PD_Q_COLLECTIVE && action->op >= PD_COLL_COMM_DUP
                 && action->kind != PD_ACT_WIN_FENCE
             ? PD_Q_SYSTEM
             : quantity;
}

/* Calls that begin several operations count all of them. */
static void
count (const PdReplay *replay, PdCharge *charge)
{
  const PdAction *a = replay->action;

  charge->n_sends = kinds[a->kind].n_sends;
  charge->n_receives = kinds[a->kind].n_receives;
  charge->n_waits = kinds[a->kind].n_waits;
  for (guint i = 0; a->kind == PD_ACT_START && i < replay->started.n; i++)
    if (pd_vector_at (&replay->started, PdStartedRequest, i).is_recv)
      charge->n_receives++;
    else
      charge->n_sends++;
}

/* Requests of collective operations, and of no other: their kind. */
static PdQuantity
quantity_of_requests (const PdReasons *self, const PdReplay *replay)
{
  PdQuantity quantity = PD_Q_SENDRECV;
  gboolean is_done = replay->ended.n > 0;
  guint32 n;
  const guint32 *slots = pd_replay_get_slots (replay->action, &n);

  for (guint32 i = 0; i < (is_done ? replay->ended.n : n); i++)
    {
      const PdRecordedRequest *request =
          is_done ? pd_vector_at (&replay->ended, const PdRecordedRequest *, i)
                  : pd_replay_get_pending (replay, slots[i]);
      if (request == NULL)
        continue;
      if (request->kind != PD_RECORDED_REQUEST_COLL)
        return PD_Q_SENDRECV;
      PdCollKind op = pd_matching_get_met (self->matching, request->meeting)->op;
      quantity = op < PD_COLL_COMM_DUP ? PD_Q_COLLECTIVE : PD_Q_SYSTEM;
    }
  return quantity;
}

/* ---- needs of calls, and their moments */

static const PdNeed nothing = { .when = -1, .rank = PD_ANALYSIS_NONE, .site = PD_PROGRAM_NONE };

PdNeed
pd_waits_need_of_partner (const PdPartner *partner, PdWaitState state)
{
  return partner->when < 0 ? nothing
                           : (PdNeed){ state, partner->when, partner->rank, partner->site };
}

PdNeed
pd_waits_need_of_request (PdReasons *self, const PdReplay *replay, const PdRecordedRequest *request)
{
  switch (request->kind)
    {
    case PD_RECORDED_REQUEST_RECV:
      return pd_waits_need_of_partner (&request->partner, PD_WAIT_LATE_SENDER);
    case PD_RECORDED_REQUEST_SEND:
      return pd_waits_need_of_partner (&request->partner, PD_WAIT_LATE_RECEIVER);
    case PD_RECORDED_REQUEST_COLL:
      return pd_waits_need_of_meeting (self->matching, replay, request->meeting);
    default:
      return nothing;
    }
}

/* The latest of each kind: they are charged in this order. */
enum
{
  OF_SENDER,
  OF_RECEIVER,
  OF_MEMBER,
  N_OF,
};

typedef struct
{
  PdNeed latest[N_OF];
} Needs;

#define NO_NEEDS ((Needs){ { nothing, nothing, nothing } })

/* A send that had returned before its receive was posted was not waiting. */
static void
add_need (Needs *needs, PdNeed need, gint64 leave)
{
  guint of = need.state == PD_WAIT_LATE_SENDER     ? OF_SENDER
             : need.state == PD_WAIT_LATE_RECEIVER ? OF_RECEIVER
                                                   : OF_MEMBER;

  if (of == OF_RECEIVER && need.when > leave)
    return;
  if (need.when > needs->latest[of].when)
    needs->latest[of] = need;
}

/* The waiting of a call with a single need, as most have. */
static void
charge_need (const PdReplay *replay, const PdNeed *need, gint64 begin, PdCharge *charge)
{
  if (need->when >= 0 && !(need->state == PD_WAIT_LATE_RECEIVER && need->when > replay->leave))
    pd_waits_charge_needs (replay, need, 1, begin, charge);
}

/* A message that arrives before it is sent. */
static inline void
check_clock (PdMatching *matching, const PdReplay *replay, const PdPartner *sent)
{
  matching->n_clock += sent->when > replay->leave && !sent->is_uncertain;
}

static void
set_block (PdCharge *charge, const PdReplay *replay, const PdNeed *need, gint64 begin)
{
  if (need->when > begin && need->when <= replay->leave && need->rank != replay->rank)
    charge->block = (PdBlockedCall){ need->when, replay->leave, need->rank };
}

void
pd_waits_charge_needs (const PdReplay *replay, const PdNeed *needs, guint n, gint64 begin,
                       PdCharge *charge)
{
  const PdNeed *last = &nothing;
  gint64 from = replay->enter;

  for (guint i = 0; i < n; i++)
    {
      if (needs[i].when < 0)
        continue;
      gboolean is_last = needs[i].when == replay->leave;
      gint64 until = CLAMP (needs[i].when, from, replay->leave);
      /* a receive that is posted as the send returns lets it go on, or comes too late for it */
      if (needs[i].state == PD_WAIT_LATE_RECEIVER && is_last)
        until = from;
      charge->waits[needs[i].state] += until - from;
      /* Real Sync is of receives, as in predictions */
      if (needs[i].state == PD_WAIT_LATE_SENDER)
        charge->costs.real_sync.ps += until - from;
      if (until > from)
        {
          charge->late = needs[i];
          charge->waited |= 1u << needs[i].state;
        }
      if (needs[i].when > last->when && needs[i].when <= replay->leave)
        last = &needs[i];
      from = until;
    }
  set_block (charge, replay, last, begin);
}

/* ---- point to point */

static void
charge_blocking (PdReasons *self, const PdReplay *replay, PdCharge *charge)
{
  Needs needs;
  gboolean is_local = replay->action->kind == PD_ACT_BSEND;
  gboolean is_one = replay->started.n == 1;

  if (!is_one)
    needs = NO_NEEDS;
  for (guint i = 0; i < replay->started.n; i++)
    {
      const PdStartedRequest *started = &pd_vector_at (&replay->started, PdStartedRequest, i);
      if (!started->is_recv && is_local)
        continue;
      PdNeed need = pd_waits_need_of_partner (
          started->partner, started->is_recv ? PD_WAIT_LATE_SENDER : PD_WAIT_LATE_RECEIVER);
      if (started->is_recv)
        check_clock (self->matching, replay, started->partner);
      if (is_one)
        charge_need (replay, &need, replay->enter, charge);
      else
        add_need (&needs, need, replay->leave);
    }
  if (!is_one)
    pd_waits_charge_needs (replay, needs.latest, N_OF, replay->enter, charge);
}

/* From its start, or from when there was something to receive, to this call an
 * operation went on by itself. */
static inline void
charge_overlap (const PdReplay *replay, gint64 since, PdCharge *charge)
{
  charge->costs.overlap.ps += MAX (replay->enter - since, 0);
}

/* A receive that ended. @latest: (nullable): the message that was sent last so far */
static inline void
end_receive (PdReasons *self, const PdReplay *replay, const PdRecordedRequest *ended,
             const PdPartner **latest, PdCharge *charge)
{
  const PdPartner *sent = &ended->partner;

  if (sent->when < 0)
    return;
  check_clock (self->matching, replay, sent);
  charge_overlap (replay, MAX (ended->started, sent->when), charge);
  if (*latest == NULL || sent->when > (*latest)->when)
    *latest = sent;
}

/* A send that ended, likewise: one that had returned before its receive was posted was not
 * waiting. */
static inline void
end_send (const PdReplay *replay, const PdRecordedRequest *ended, const PdPartner **latest,
          PdCharge *charge)
{
  const PdPartner *posted = &ended->partner;

  charge_overlap (replay, ended->started, charge);
  if (posted->when >= 0 && posted->when <= replay->leave
      && (*latest == NULL || posted->when > (*latest)->when))
    *latest = posted;
}

/* The waiting for requests that ended: for the latest of each kind. */
static void
charge_ended (PdReasons *self, const PdReplay *replay, gint64 begin, PdCharge *charge)
{
  const PdRecordedRequest *const *ended = replay->ended.data;
  const PdPartner *sent = NULL, *posted = NULL; /* the latest; their moments are known */
  PdNeed needs[N_OF], member = nothing;
  guint n = 0;

  for (gsize i = 0; i < replay->ended.n; i++)
    if (ended[i]->kind == PD_RECORDED_REQUEST_RECV)
      end_receive (self, replay, ended[i], &sent, charge);
    else if (ended[i]->kind == PD_RECORDED_REQUEST_SEND)
      end_send (replay, ended[i], &posted, charge);
    else if (ended[i]->kind == PD_RECORDED_REQUEST_COLL)
      {
        PdNeed need = pd_waits_need_of_meeting (self->matching, replay, ended[i]->meeting);
        if (need.when > member.when)
          member = need;
      }
  if (sent != NULL)
    needs[n++] = (PdNeed){ PD_WAIT_LATE_SENDER, sent->when, sent->rank, sent->site };
  if (posted != NULL)
    needs[n++] = (PdNeed){ PD_WAIT_LATE_RECEIVER, posted->when, posted->rank, posted->site };
  if (member.when >= 0)
    needs[n++] = member;
  if (n > 0)
    pd_waits_charge_needs (replay, needs, n, begin, charge);
}

static void
charge_completion (PdReasons *self, const PdReplay *replay, PdCharge *charge)
{
  gint64 begin = self->polling.is_open ? self->polling.begin : replay->enter;

  charge->quantity = quantity_of_requests (self, replay);
  if (replay->action->kind > PD_ACT_WAITSOME && replay->ended.n == 0)
    pd_waits_charge_failed_test (self, replay, charge);
  else
    charge_ended (self, replay, begin, charge);
}

/* ---- collective operations */

static void
charge_collective (PdReasons *self, const PdReplay *replay, PdCharge *charge)
{
  const PdMet *met = pd_matching_get_met (self->matching, replay->meeting);
  PdNeed need = pd_waits_need_of_meeting (self->matching, replay, replay->meeting);

  pd_waits_charge_needs (replay, &need, 1, replay->enter, charge);
  if (charge->quantity != PD_Q_COLLECTIVE)
    return;
  charge->costs.potential_sync.ps = met->last.when - replay->enter;
  charge->costs.time_variation.ps = met->ends - replay->leave;
}

/* ---- all */

void
pd_waits_init (PdReasons *self, PdMatching *matching, const PdProgram *program)
{
  *self = (PdReasons){ .matching = matching };
  pd_waits_find_probes (self, program);
}

void
pd_waits_begin_rank (PdReasons *self)
{
  self->polling.is_open = FALSE;
}

/* Charges an action of which archives have only the name, such as a probe. */
static void
charge_named (PdReasons *self, PdReplay *replay, PdCharge *charge)
{
  PdProbe probe = pd_waits_is_probe (self, replay->action);

  charge->n_waits = probe > PD_PROBE_LOST;
  if (probe == PD_PROBE_LOST)
    pd_waits_charge_gap (self, replay, charge);
  else if (probe != PD_PROBE_NONE)
    pd_waits_charge_probe (self, replay, charge);
}

static void
charge_call (PdReasons *self, PdReplay *replay, PdCharge *charge)
{
  switch (kinds[replay->action->kind].charging)
    {
    case GAP:
      pd_waits_charge_gap (self, replay, charge);
      break;
    case BLOCKING:
      charge_blocking (self, replay, charge);
      break;
    case COMPLETION:
      charge_completion (self, replay, charge);
      break;
    case MEETING:
      charge_collective (self, replay, charge);
      break;
    case PROBE:
      charge_named (self, replay, charge);
      break;
    default:
      if (pd_rma_is_one_sided (replay->action->kind))
        pd_rma_charge (self->matching->rma, replay, charge);
    }
}

/* Resets those fields of a charge that not all calls set. */
static void
reset (PdCharge *charge)
{
  for (; charge->waited != 0; charge->waited &= charge->waited - 1)
    charge->waits[__builtin_ctz (charge->waited)] = 0;
  charge->is_gap = FALSE;
  charge->costs.real_sync.ps = charge->costs.potential_sync.ps = 0;
  charge->costs.time_variation.ps = charge->costs.overlap.ps = 0;
  charge->late = nothing;
  charge->block.rank = PD_ANALYSIS_NONE;
  charge->n_polls = charge->n_collectives = 0;
}

void
pd_waits_charge (PdReasons *self, PdReplay *replay, PdCharge *charge)
{
  if (replay->action->kind == PD_ACT_COMPUTE && !self->polling.is_open)
    {
      /* the caller reads no other field of a computation */
      charge->quantity = PD_Q_CPU_SEQ;
      charge->costs.time.ps = replay->leave - replay->enter;
      charge->is_gap = FALSE;
      return;
    }
  pd_channels_follow (self->matching->channels, replay);
  reset (charge);
  PdQuantity quantity = charge->quantity = quantity_of (replay->action);
  charge->costs.count = pd_action_is_part (replay->action) ? 0 : 1;
  charge->costs.time.ps = replay->leave - replay->enter;
  count (replay, charge);
  charge_call (self, replay, charge);
  if (quantity == PD_Q_COLLECTIVE
      && pd_replay_world_rank (replay->program, replay->action->comm, 0) == replay->rank)
    charge->n_collectives = 1;
  pd_waits_follow_polls (self, replay, charge);
}
