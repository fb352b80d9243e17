/* A rank on its way through its actions: when each was, and which messages and
 * requests begin and end in it.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-analysis-private.h"
#include "analyse/pd-replay-private.h"
#include "traces/program/pd-action.h"

gint64
pd_replay_duration (const PdAction *action)
{
  if (G_UNLIKELY (action->kind == PD_ACT_DELAY) && !pd_action_is_pause (action))
    return action->amount.time.ps;
  if (action->kind == PD_ACT_COMPUTE)
    return action->amount.time.ps;
  if (action->recorded >= 0)
    return action->recorded;
  if (action->kind == PD_ACT_OTHER || action->kind == PD_ACT_LOCAL)
    return action->amount.time.ps;
  return 0;
}

guint32
pd_replay_world_rank (const PdProgram *program, guint32 comm, gint32 member)
{
  guint32 n;
  const guint32 *ranks = pd_program_get_comm (program, comm, &n);

  if (member < 0 || (guint32) member >= n)
    return PD_ANALYSIS_NONE;
  return ranks != NULL ? ranks[member] : (guint32) member;
}

static void
free_slots (PdReplay *self)
{
  for (guint32 i = 0; i < self->n_slots; i++)
    g_free (self->slots[i].starts);
  g_clear_pointer (&self->slots, g_free);
  self->n_slots = 0;
}

/* ---- messages that begin */

/* Writes the fields where they stay: copying a structure just written field by field would wait for
 * all these writes. */
static guint32
add_started (PdReplay *self, gboolean is_recv, const PdAction *a, PdPartner *partner)
{
  PdStartedRequest *started = pd_vector_extend (&self->started, sizeof *started);

  started->is_recv = is_recv;
  started->record = (guint32) (is_recv ? self->n_recvs++ : self->n_sends++);
  started->comm = a->comm;
  started->peer = a->peer;
  started->tag = a->tag;
  started->bytes = a->bytes;
  started->partner = partner;
  return started->record;
}

/* Source and tag of a receive with wildcards become those of the message that it got. */
static void
find_source (PdReplay *self)
{
  PdStartedRequest *started = &pd_vector_at (&self->started, PdStartedRequest, self->started.n - 1);

  if (started->peer == PD_PROGRAM_ANY)
    started->peer = self->action->matched_peer;
  if (started->tag == PD_PROGRAM_ANY)
    started->tag = self->action->matched_tag;
}

static guint32
start_recv (PdReplay *self, const PdAction *a, PdPartner *partner)
{
  guint32 record = add_started (self, TRUE, a, partner);

  find_source (self);
  return record;
}

static gboolean
is_recv (PdActionKind kind)
{
  return kind == PD_ACT_RECV || kind == PD_ACT_IRECV || kind == PD_ACT_RECV_INIT;
}

static void
start_blocking (PdReplay *self)
{
  const PdAction *a = self->action;

  if (a->peer != PD_PROGRAM_PROC_NULL && is_recv (a->kind))
    start_recv (self, a, &self->own[TRUE]);
  else if (a->peer != PD_PROGRAM_PROC_NULL)
    add_started (self, FALSE, a, &self->own[FALSE]);
  if (a->kind != PD_ACT_SENDRECV || a->recv_peer == PD_PROGRAM_PROC_NULL)
    return;
  add_started (self, TRUE, a, &self->own[TRUE]);
  PdStartedRequest *started = &pd_vector_at (&self->started, PdStartedRequest, self->started.n - 1);
  started->peer = a->recv_peer;
  started->tag = a->recv_tag;
  started->bytes = a->recv_bytes;
  find_source (self);
}

static void
start_request (PdReplay *self, PdRecordedRequest *slot, const PdAction *a)
{
  slot->active = TRUE;
  slot->cancelled = FALSE;
  slot->started = self->enter;
  if (a->kind == PD_ACT_ICOLLECTIVE)
    {
      slot->kind = PD_RECORDED_REQUEST_COLL;
      slot->meeting = self->meeting;
    }
  else if (a->peer == PD_PROGRAM_PROC_NULL)
    slot->kind = PD_RECORDED_REQUEST_NOBODY;
  else if (is_recv (a->kind))
    {
      slot->kind = PD_RECORDED_REQUEST_RECV;
      slot->record = start_recv (self, a, &slot->partner);
    }
  else
    {
      slot->kind = PD_RECORDED_REQUEST_SEND;
      slot->record = add_started (self, FALSE, a, &slot->partner);
    }
}

/* ---- requests that end */

const guint32 *
pd_replay_get_slots (const PdAction *action, guint32 *n)
{
  gboolean is_one = action->kind == PD_ACT_WAIT || action->kind == PD_ACT_TEST;

  *n = is_one ? 1 : action->n_slots;
  return is_one ? &action->request : action->slots;
}

const PdRecordedRequest *
pd_replay_get_pending (const PdReplay *self, guint32 index)
{
  const PdRecordedRequest *slot = &self->slots[index];

  return slot->active && !slot->cancelled ? slot : NULL;
}

/* The slot is the same until another request begins. */
static inline void
end_request (PdReplay *self, guint32 index)
{
  PdRecordedRequest *slot = &self->slots[index];

  if (slot->active && !slot->cancelled)
    pd_vector_append (&self->ended, const PdRecordedRequest *) = slot;
  slot->active = FALSE;
}

static void
end_one (PdReplay *self)
{
  end_request (self, self->action->request);
}

static void
end_requests (PdReplay *self)
{
  const PdAction *a = self->action;

  if (a->kind == PD_ACT_TEST && a->n_done > 0)
    end_one (self);
  else if (a->kind == PD_ACT_WAITALL && a->n_slots == 0)
    for (guint32 i = 0; i < self->n_slots; i++)
      end_request (self, i);
  else if (a->kind == PD_ACT_WAITALL || (a->kind == PD_ACT_TESTALL && a->n_done > 0))
    for (guint32 i = 0; i < a->n_slots; i++)
      end_request (self, a->slots[i]);
  else if (a->kind != PD_ACT_TEST && a->has_done)
    for (guint32 i = 0; i < a->n_done; i++)
      end_request (self, a->slots[a->done[i]]);
  else if (a->kind == PD_ACT_WAITANY && a->n_slots == 1)
    end_request (self, a->slots[0]);
}

static void
cancel (PdReplay *self)
{
  PdRecordedRequest *slot = &self->slots[self->action->request];

  slot->cancelled = TRUE;
  if (slot->active && slot->kind == PD_RECORDED_REQUEST_RECV)
    self->cancelled = slot->record;
}

/* The slot of a request that begins by itself, or of a persistent one: it is free, or was that of
 * a persistent one. */
static PdRecordedRequest *
take_slot (PdReplay *self)
{
  PdRecordedRequest *slot = &self->slots[self->action->request];

  if (G_UNLIKELY (slot->starts != NULL))
    g_free (slot->starts);
  slot->starts = NULL;
  slot->active = slot->cancelled = FALSE;
  return slot;
}

static void
start_own (PdReplay *self)
{
  start_request (self, take_slot (self), self->action);
}

static void
make_persistent (PdReplay *self)
{
  PdRecordedRequest *slot = take_slot (self);

  slot->starts = g_new (PdAction, 1);
  *slot->starts = *self->action;
}

/* A request that is not persistent is started as an unknown action. */
static void
start_persistent (PdReplay *self)
{
  static const PdAction unknown = { 0 };
  const PdAction *a = self->action;

  for (guint32 i = 0; i < a->n_slots; i++)
    {
      PdRecordedRequest *slot = &self->slots[a->slots[i]];
      start_request (self, slot, slot->starts != NULL ? slot->starts : &unknown);
    }
}

/* ---- collective operations */

static void
meet (PdReplay *self)
{
  guint32 comm = self->action->comm;
  guint64 number = (*pd_hash_map_get (&self->counters, comm, 1, 0))++;

  self->n_met = MAX (self->n_met, number + 1);
  self->meeting =
      (PdMeeting){ comm, (guint32) MIN (number, PD_ANALYSIS_NONE - 1), self->action->sources };
}

static void
start_meeting (PdReplay *self)
{
  meet (self);
  start_own (self);
}

/* ---- all of them */

/* Functions for requests and operations that begin or end in an action. */
static void (*const acts[PD_N_ACTS]) (PdReplay *self) = {
  [PD_ACT_SEND] = start_blocking,
  [PD_ACT_BSEND] = start_blocking,
  [PD_ACT_SSEND] = start_blocking,
  [PD_ACT_RSEND] = start_blocking,
  [PD_ACT_ISEND] = start_own,
  [PD_ACT_IBSEND] = start_own,
  [PD_ACT_ISSEND] = start_own,
  [PD_ACT_IRSEND] = start_own,
  [PD_ACT_RECV] = start_blocking,
  [PD_ACT_IRECV] = start_own,
  [PD_ACT_SENDRECV] = start_blocking,
  [PD_ACT_SEND_INIT] = make_persistent,
  [PD_ACT_BSEND_INIT] = make_persistent,
  [PD_ACT_SSEND_INIT] = make_persistent,
  [PD_ACT_RSEND_INIT] = make_persistent,
  [PD_ACT_RECV_INIT] = make_persistent,
  [PD_ACT_START] = start_persistent,
  [PD_ACT_CANCEL] = cancel,
  [PD_ACT_WAIT] = end_one,
  [PD_ACT_WAITALL] = end_requests,
  [PD_ACT_WAITANY] = end_requests,
  [PD_ACT_WAITSOME] = end_requests,
  [PD_ACT_TEST] = end_requests,
  [PD_ACT_TESTALL] = end_requests,
  [PD_ACT_TESTANY] = end_requests,
  [PD_ACT_TESTSOME] = end_requests,
  [PD_ACT_COLLECTIVE] = meet,
  [PD_ACT_ICOLLECTIVE] = start_meeting,
  [PD_ACT_WIN_FENCE] = meet,
};

/* Likewise, where only beginnings matter. */
static void (*const beginnings[PD_N_ACTS]) (PdReplay *self) = {
  [PD_ACT_SEND] = start_blocking,     [PD_ACT_BSEND] = start_blocking,
  [PD_ACT_SSEND] = start_blocking,    [PD_ACT_RSEND] = start_blocking,
  [PD_ACT_ISEND] = start_blocking,    [PD_ACT_IBSEND] = start_blocking,
  [PD_ACT_ISSEND] = start_blocking,   [PD_ACT_IRSEND] = start_blocking,
  [PD_ACT_RECV] = start_blocking,     [PD_ACT_IRECV] = start_blocking,
  [PD_ACT_SENDRECV] = start_blocking, [PD_ACT_COLLECTIVE] = meet,
  [PD_ACT_ICOLLECTIVE] = meet,        [PD_ACT_WIN_FENCE] = meet,
};

/* ---- the way of a rank */

void
pd_replay_init (PdReplay *self, const PdProgram *program, const PdRetiming *retiming)
{
  *self = (PdReplay){ .program = program, .retiming = retiming, .acts = acts, .file = "" };
  pd_action_reader_init (&self->reader, program);
  pd_action_init (&self->computation, PD_ACT_COMPUTE);
}

gboolean
pd_replay_ignore_requests (PdReplay *self)
{
  if (pd_program_has (self->program, PD_ACT_CANCEL) || pd_program_has (self->program, PD_ACT_START))
    return FALSE;
  self->acts = beginnings;
  return TRUE;
}

void
pd_replay_clear (PdReplay *self)
{
  pd_action_reader_clear (&self->reader);
  pd_vector_clear (&self->started);
  pd_vector_clear (&self->ended);
  pd_hash_map_clear (&self->counters);
  free_slots (self);
}

void
pd_replay_begin_rank (PdReplay *self, guint32 rank)
{
  guint32 n = pd_program_get_n_slots (self->program, rank);

  self->rank = rank;
  pd_action_reader_begin (&self->reader, rank);
  free_slots (self);
  self->slots = g_new0 (PdRecordedRequest, MAX (n, 1));
  self->n_slots = n;
  pd_hash_map_clear (&self->counters);
  self->number = G_MAXUINT64;
  self->next_retimed = 0;
  self->leave = pd_program_get_recorded_begin (self->program, rank).ps;
  self->file = "";
  self->line = 0;
  self->location = 1;
}

/* The action as it took when it was not recorded. */
static void
retime (PdReplay *self)
{
  const GArray *rows = self->retiming->ranks->pdata[self->rank];
  PdAction *a = self->action;

  if (self->next_retimed >= rows->len
      || g_array_index (rows, PdRetimed, self->next_retimed).number != self->number)
    return;
  gint64 took = g_array_index (rows, PdRetimed, self->next_retimed++).took;
  if (a->kind == PD_ACT_COMPUTE && a->processor > 0)
    a->processor = MAX (a->processor - (a->amount.time.ps - took), 0);
  if (a->kind == PD_ACT_COMPUTE || a->recorded < 0)
    a->amount.time.ps = took;
  if (a->recorded >= 0)
    a->recorded = took;
}

/* The action that has been read comes behind the one before it. */
static inline void
advance (PdReplay *self)
{
  pd_replay_count (self);
  if (self->retiming != NULL)
    retime (self);
  self->enter = self->leave;
  gint64 took = self->action->recorded;
  if (self->action->kind <= PD_ACT_DELAY || took < 0)
    took = pd_replay_duration (self->action);
  self->leave = pd_time_add (PD_TIME (self->enter), PD_TIME (took)).ps;
  if (self->action->kind != PD_ACT_LOCATION)
    return;
  self->file = pd_program_get_string (self->program, self->action->name);
  self->line = self->action->line;
  self->location++;
}

gboolean
pd_replay_next_time (PdReplay *self)
{
  self->action = pd_action_reader_next (&self->reader);
  if (self->action != NULL)
    advance (self);
  return self->action != NULL;
}

gboolean
pd_replay_next (PdReplay *self)
{
  self->action = pd_action_reader_next (&self->reader);
  if (self->action == NULL)
    return FALSE;
  advance (self);
  pd_replay_act (self);
  return TRUE;
}
