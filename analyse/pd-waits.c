/* What a call has waited for, and what it is charged.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-analysis-private.h"
#include "analyse/pd-matching-private.h"
#include "analyse/pd-replay-private.h"
#include "analyse/pd-waits-private.h"
#include "analyse/pd-waits.h"

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
                             "roots that receive from all, before the first of these came" },
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

static PdQuantity
quantity_of (const PdAction *action)
{
  switch (action->kind)
    {
    case PD_ACT_COMPUTE:
    case PD_ACT_DELAY:
      return PD_Q_CPU_SEQ;
    case PD_ACT_COLLECTIVE:
    case PD_ACT_ICOLLECTIVE:
      return action->op < PD_COLL_COMM_DUP ? PD_Q_COLLECTIVE : PD_Q_SYSTEM;
    case PD_ACT_WIN_FENCE:
      return PD_Q_COLLECTIVE;
    case PD_ACT_COMM_FREE:
    case PD_ACT_OTHER:
    case PD_ACT_LOCAL:
      return PD_Q_SYSTEM;
    default:
      return action->kind < PD_ACT_OTHER ? PD_Q_SENDRECV : PD_Q_SYSTEM;
    }
}

/* Calls that begin several operations count all of them. */
static void
count (const PdReplay *replay, PdCharge *charge)
{
  PdActionKind kind = replay->action.kind;

  charge->n_waits = kind >= PD_ACT_WAIT && kind <= PD_ACT_IPROBE ? 1 : 0;
  if ((kind >= PD_ACT_SEND && kind <= PD_ACT_IRSEND) || kind == PD_ACT_SENDRECV)
    charge->n_sends = 1;
  if (kind == PD_ACT_RECV || kind == PD_ACT_IRECV || kind == PD_ACT_SENDRECV)
    charge->n_receives = 1;
  for (guint i = 0; kind == PD_ACT_START && i < replay->started->len; i++)
    if (g_array_index (replay->started, PdStartedRequest, i).is_recv)
      charge->n_receives++;
    else
      charge->n_sends++;
  if (charge->quantity == PD_Q_COLLECTIVE
      && pd_replay_world_rank (replay->program, replay->action.comm, 0) == replay->rank)
    charge->n_collectives = 1;
}

/* ---- point to point */

/* The latest moments at which partners did what the call needs; -1: none. */
typedef struct
{
  gint64 sent;
  guint32 sender;
  gint64 posted;
  guint32 receiver;
} Needs;

static void
need_send (PdMatching *matching, guint32 recv, gint64 leave, Needs *needs)
{
  const PdReceived *received = &g_array_index (matching->received, PdReceived, recv);

  if (received->send == PD_ANALYSIS_NONE)
    return;
  const PdSent *sent = &g_array_index (matching->sent, PdSent, received->send);
  matching->n_clock += sent->enter > leave && !received->is_uncertain;
  if (sent->enter <= needs->sent)
    return;
  needs->sent = sent->enter;
  needs->sender = sent->rank;
}

static void
need_recv (const PdMatching *matching, guint32 send, gint64 leave, Needs *needs)
{
  guint32 recv = g_array_index (matching->sent, PdSent, send).recv;

  if (recv == PD_ANALYSIS_NONE)
    return;
  const PdReceived *received = &g_array_index (matching->received, PdReceived, recv);
  /* a send that had returned by then was not waiting */
  if (received->posted >= leave || received->posted <= needs->posted)
    return;
  needs->posted = received->posted;
  needs->receiver = received->rank;
}

/* The time up to the last moment is divided: up to the last send it is the
 * senders', from there the receivers'. */
static void
charge_needs (const PdReplay *replay, const Needs *needs, PdCharge *charge)
{
  gint64 enter = replay->enter, leave = replay->leave;
  gint64 sent = CLAMP (needs->sent, enter, leave), posted = CLAMP (needs->posted, enter, leave);

  charge->costs.real_sync.ps = sent - enter;
  charge->waits[PD_WAIT_LATE_SENDER] = sent - enter;
  charge->waits[PD_WAIT_LATE_RECEIVER] = MAX (posted - sent, 0);
  if (needs->sent > enter && needs->sent <= leave && needs->sent >= needs->posted)
    charge->block = (PdBlockedCall){ needs->sent, leave, needs->sender };
  else if (needs->posted > enter)
    charge->block = (PdBlockedCall){ needs->posted, leave, needs->receiver };
}

static void
charge_blocking (PdMatching *matching, const PdReplay *replay, PdCharge *charge)
{
  Needs needs = { -1, PD_ANALYSIS_NONE, -1, PD_ANALYSIS_NONE };
  gboolean is_local = replay->action.kind == PD_ACT_BSEND;

  for (guint i = 0; i < replay->started->len; i++)
    {
      const PdStartedRequest *started = &g_array_index (replay->started, PdStartedRequest, i);
      if (started->is_recv)
        need_send (matching, started->record, replay->leave, &needs);
      else if (!is_local)
        need_recv (matching, started->record, replay->leave, &needs);
    }
  charge_needs (replay, &needs, charge);
}

/* From its start, or from when there was something to receive, to this call an
 * operation went on by itself. */
static void
charge_overlap (const PdMatching *matching, const PdReplay *replay, const PdEnded *ended,
                PdCharge *charge)
{
  gint64 since = ended->started;

  if (ended->kind == PD_RECORDED_REQUEST_RECV)
    {
      guint32 send = g_array_index (matching->received, PdReceived, ended->record).send;
      if (send == PD_ANALYSIS_NONE)
        return;
      since = MAX (since, g_array_index (matching->sent, PdSent, send).enter);
    }
  charge->costs.overlap.ps += MAX (replay->enter - since, 0);
}

static void
charge_completion (PdMatching *matching, const PdReplay *replay, PdCharge *charge)
{
  Needs needs = { -1, PD_ANALYSIS_NONE, -1, PD_ANALYSIS_NONE };
  gboolean waits = replay->action.kind <= PD_ACT_WAITSOME;

  for (guint i = 0; i < replay->ended->len; i++)
    {
      const PdEnded *ended = &g_array_index (replay->ended, PdEnded, i);
      if (ended->kind != PD_RECORDED_REQUEST_SEND && ended->kind != PD_RECORDED_REQUEST_RECV)
        continue;
      charge_overlap (matching, replay, ended, charge);
      if (ended->kind == PD_RECORDED_REQUEST_RECV)
        need_send (matching, ended->record, replay->leave, &needs);
      else
        need_recv (matching, ended->record, replay->leave, &needs);
    }
  if (waits)
    charge_needs (replay, &needs, charge);
}

/* ---- collective operations */

typedef enum
{
  PATTERN_NONE,
  PATTERN_BARRIER,
  PATTERN_NXN,
  PATTERN_FROM_ROOT,
  PATTERN_TO_ROOT,
} Pattern;

static const guint8 patterns[PD_N_COLLS] = {
  [PD_COLL_BARRIER] = PATTERN_BARRIER,
  [PD_COLL_BCAST] = PATTERN_FROM_ROOT,
  [PD_COLL_SCATTER] = PATTERN_FROM_ROOT,
  [PD_COLL_SCATTERV] = PATTERN_FROM_ROOT,
  [PD_COLL_REDUCE] = PATTERN_TO_ROOT,
  [PD_COLL_GATHER] = PATTERN_TO_ROOT,
  [PD_COLL_GATHERV] = PATTERN_TO_ROOT,
  [PD_COLL_ALLREDUCE] = PATTERN_NXN,
  [PD_COLL_ALLGATHER] = PATTERN_NXN,
  [PD_COLL_ALLGATHERV] = PATTERN_NXN,
  [PD_COLL_ALLTOALL] = PATTERN_NXN,
  [PD_COLL_ALLTOALLV] = PATTERN_NXN,
  [PD_COLL_ALLTOALLW] = PATTERN_NXN,
  [PD_COLL_REDUCE_SCATTER] = PATTERN_NXN,
  [PD_COLL_REDUCE_SCATTER_BLOCK] = PATTERN_NXN,
};

static void
set_wait (PdCharge *charge, const PdReplay *replay, PdWaitState state, gint64 until)
{
  charge->waits[state] = MAX (MIN (until, replay->leave) - replay->enter, 0);
}

static void
set_block (PdCharge *charge, const PdReplay *replay, gint64 cause, guint32 rank)
{
  if (cause > replay->enter && cause <= replay->leave && rank != replay->rank)
    charge->block = (PdBlockedCall){ cause, replay->leave, rank };
}

static void
charge_collective (PdMatching *matching, const PdReplay *replay, GHashTable *counters,
                   PdCharge *charge)
{
  const PdMet *met = pd_matching_next (matching, counters, replay->action.comm);
  gboolean is_root = replay->rank == met->root;

  charge->costs.potential_sync.ps = met->latest - replay->enter;
  charge->costs.time_variation.ps = met->ends - replay->leave;
  switch ((Pattern) patterns[met->op])
    {
    case PATTERN_BARRIER:
    case PATTERN_NXN:
      set_wait (charge, replay,
                patterns[met->op] == PATTERN_BARRIER ? PD_WAIT_AT_BARRIER : PD_WAIT_AT_NXN,
                met->latest);
      set_block (charge, replay, met->latest, met->last);
      break;
    case PATTERN_FROM_ROOT:
      if (is_root || met->rooted < 0)
        break;
      set_wait (charge, replay, PD_WAIT_LATE_BROADCAST, met->rooted);
      set_block (charge, replay, met->rooted, met->root);
      break;
    case PATTERN_TO_ROOT:
      if (!is_root || met->others < 0)
        break;
      set_wait (charge, replay, PD_WAIT_EARLY_REDUCE, met->others);
      set_block (charge, replay, met->latest, met->last);
      break;
    default:
      break;
    }
}

void
pd_waits_charge (PdMatching *matching, const PdReplay *replay, GHashTable *counters,
                 PdCharge *charge)
{
  PdActionKind kind = replay->action.kind;

  *charge = (PdCharge){ .quantity = quantity_of (&replay->action), .block.rank = PD_ANALYSIS_NONE };
  charge->costs.count = 1;
  charge->costs.time.ps = replay->leave - replay->enter;
  count (replay, charge);
  if (pd_matching_is_collective (&replay->action))
    charge_collective (matching, replay, counters, charge);
  else if (kind >= PD_ACT_WAIT && kind <= PD_ACT_TESTSOME)
    charge_completion (matching, replay, charge);
  else if ((kind >= PD_ACT_SEND && kind <= PD_ACT_RSEND) || kind == PD_ACT_RECV
           || kind == PD_ACT_SENDRECV)
    charge_blocking (matching, replay, charge);
}
