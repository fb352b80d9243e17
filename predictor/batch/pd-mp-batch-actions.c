/* The actions on several machines at once, whose moments are vectors: what
 * pd-mp-actions-template.h asks of an engine, and which programs lanes cannot do.
 * SPDX-License-Identifier: MIT */
#include "predictor/batch/pd-mp-batch-actions-private.h"

#include "comsys/mpi/pd-collective.h"
#include "comsys/batch/pd-batch-calls.h"
#include "comsys/batch/pd-batch-coll.h"
#include "predictor/batch/pd-mp-batch-accounts-private.h"
#include "predictor/batch/pd-mp-batch-private.h"
#include "predictor/mp/pd-mp-warnings.h"

typedef PdMpBatch Engine;
typedef PdMpBatchRank Rank;
typedef PdMpAccount Account;
typedef PdBatchTime Moment;
typedef guint32 Call; /* who */
#define OWN_ACTS

#include "predictor/mp/pd-mp-actions-template.h"

/* ---- the engine */

static inline PdMp *
shared (const PdMpBatch *self)
{
  return self->mps[0];
}

static inline PdMpBarriers *
barriers_of (const PdMpBatch *self)
{
  return self->barriers;
}

static inline PdMpAccount *
account_of (PdMpBatchRank *r)
{
  return r->account;
}

static inline const PdBatchTime *
clock_of (const PdMpBatchRank *r)
{
  return &r->calls->clock;
}

static inline PdBatchTime
later_of (const PdBatchTime *a, const PdBatchTime *b)
{
  PdBatchTime later;

  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    later.ps[i] = MAX (a->ps[i], b->ps[i]);
  return later;
}

/* The rank is in its loops where that of the first machine is, whose loops all go through. */
static inline void
set_shift (PdMpBatch *self, guint lane, guint32 rank)
{
  if (self->mps[lane]->loops != NULL)
    self->mps[lane]->loops[rank].shift = self->mps[0]->loops[rank].shift;
}

static inline void
note (PdMpBatch *self, guint32 rank, const char *id, const char *subject, const char *text)
{
  for (guint i = 0; i < self->k; i++)
    {
      self->mps[i]->ranks[rank].cell = self->ranks[rank].cell;
      set_shift (self, i, rank);
      pd_mp_note (self->mps[i], rank, id, subject, text);
    }
}

/* Nothing that ranks may do here depends on their order. */
static inline gboolean
may_call (PdMpBatch *self G_GNUC_UNUSED, guint32 rank G_GNUC_UNUSED, PdMpBatchRank *r G_GNUC_UNUSED)
{
  return TRUE;
}

static inline gboolean
may_act (PdMpBatch *self G_GNUC_UNUSED, guint32 rank G_GNUC_UNUSED, PdMpBatchRank *r G_GNUC_UNUSED)
{
  return TRUE;
}

static inline gboolean
may_compute (PdMpBatch *self G_GNUC_UNUSED, guint32 rank G_GNUC_UNUSED,
             PdMpBatchRank *r G_GNUC_UNUSED)
{
  return TRUE;
}

static inline gboolean
may_free (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  return may_act (self, rank, r);
}

/* ---- time that passes */

static inline void
advance (PdMpBatch *self, guint32 rank, PdBatchTime *account, const gint64 *ps)
{
  PdBatchTime *clock = &self->ranks[rank].calls->clock;

  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    {
      clock->ps[i] = (gint64) ((guint64) clock->ps[i] + (guint64) ps[i]);
      account->ps[i] = (gint64) ((guint64) account->ps[i] + (guint64) ps[i]);
    }
  pd_batch_note_clock (self->batch, rank);
}

/* The same in all lanes. */
static inline void
advance_all (PdMpBatch *self, guint32 rank, PdBatchTime *account, gint64 ps)
{
  PdBatchTime *clock = &self->ranks[rank].calls->clock;

  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    {
      clock->ps[i] = (gint64) ((guint64) clock->ps[i] + (guint64) ps);
      account->ps[i] = (gint64) ((guint64) account->ps[i] + (guint64) ps);
    }
  pd_batch_note_clock (self->batch, rank);
}

/* Too long a time ends the attempt, see pd_batch_is_sound(). */
static inline gint64
bound (PdTime t)
{
  return MIN (t.ps, PD_BATCH_TIME_LIMIT);
}

static inline void
compute (PdMpBatch *self, guint32 rank, PdMpBatchRank *r, PdAmount amount)
{
  gint64 ps[PD_BATCH_SIZE];

  if (r->has_one_scale)
    {
      advance_all (self, rank, &r->account->cpu,
                   bound (pd_mp_time_of (self->is_flops, amount, r->scales[0])));
      return;
    }
  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    ps[i] = bound (pd_mp_time_of (self->is_flops, amount, r->scales[i]));
  advance (self, rank, &r->account->cpu, ps);
}

static inline void
delay (PdMpBatch *self, guint32 rank, PdMpBatchRank *r, PdTime t)
{
  advance_all (self, rank, &r->account->cpu, bound (t));
}

static inline void
pass (PdMpBatch *self, guint32 rank, PdMpBatchRank *r, PdTime t)
{
  gint64 ps[PD_BATCH_SIZE];

  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    ps[i] = bound (pd_mp_time_outside (self->mps[i], t, r->scales[i]));
  advance (self, rank, &r->account->spent[PD_MP_SYSTEM], ps);
}

static inline void
spend (PdMpBatchRank *r)
{
  PdBatchRank *calls = r->calls;
  PdBatchTime *spent = &r->account->spent[r->category];

  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    spent->ps[i] += (gint64) ((guint64) calls->ret.ps[i] - (guint64) calls->clock.ps[i]);
  calls->clock = calls->ret;
}

/* ---- calls */

static inline guint32
begin_call (guint32 rank, PdMpBatchRank *r G_GNUC_UNUSED)
{
  return rank;
}

static inline gboolean
send_message (PdMpBatch *self, guint32 rank, const Message *m)
{
  return pd_batch_send (self->batch, rank, m->comm, m->envelope, m->mode);
}

static inline gboolean
recv_message (PdMpBatch *self, guint32 rank, const Message *m)
{
  return pd_batch_recv (self->batch, rank, m->comm, m->envelope);
}

static inline gboolean
exchange (PdMpBatch *self, guint32 rank, PdComm *comm, const PdExchange *both)
{
  return pd_batch_sendrecv (self->batch, rank, comm, both);
}

static inline gboolean
start_send (PdMpBatch *self, guint32 rank, const Message *m, PdRequest *slot)
{
  *slot = pd_batch_isend (self->batch, rank, m->comm, m->envelope, m->mode);
  return TRUE;
}

static inline gboolean
start_recv (PdMpBatch *self, guint32 rank, const Message *m, PdRequest *slot)
{
  *slot = pd_batch_irecv (self->batch, rank, m->comm, m->envelope);
  return TRUE;
}

static inline gboolean
wait_one (PdMpBatch *self, guint32 rank, PdRequest *slot)
{
  return pd_batch_wait (self->batch, rank, slot);
}

static inline gboolean
wait_all (PdMpBatch *self, guint32 rank, PdRequest *requests, guint n)
{
  return pd_batch_waitall (self->batch, rank, requests, n);
}

static inline gboolean
test_nothing (PdMpBatch *self, guint32 rank)
{
  pd_batch_test (self->batch, rank);
  return TRUE;
}

static inline gboolean
start_all (PdMpBatch *self, guint32 rank, const PdRequest *requests, guint n)
{
  pd_batch_startall (self->batch, rank, requests, n);
  return TRUE;
}

static inline gboolean
do_together (PdMpBatch *self, guint32 rank, PdComm *comm, const PdCollective *collective)
{
  return pd_batch_collective (self->batch, rank, comm, collective);
}

static inline void
start_together (PdMpBatch *self, guint32 rank, PdComm *comm, const PdCollective *collective,
                PdRequest *slot)
{
  *slot = pd_batch_icollective (self->batch, rank, comm, collective);
}

/* pd_mp_batch_refuses() has. */
static gboolean
find_out (PdMpBatch *self G_GNUC_UNUSED, guint32 rank G_GNUC_UNUSED, PdMpBatchRank *r G_GNUC_UNUSED,
          const PdAction *action G_GNUC_UNUSED)
{
  g_assert_not_reached ();
}

/* ---- requests */

static inline PdRequest
make_persistent (PdMpBatch *self, guint32 rank G_GNUC_UNUSED, const Message *m, gboolean is_recv)
{
  return is_recv ? pd_batch_recv_init (self->batch, m->comm, m->envelope)
                 : pd_batch_send_init (self->batch, m->comm, m->envelope, m->mode);
}

static inline gboolean
may_start (const PdMpBatch *self, guint32 rank G_GNUC_UNUSED, PdRequest request, gboolean *is_recv)
{
  return pd_batch_may_start (self->batch, request, is_recv);
}

static inline void
free_request (PdMpBatch *self, PdRequest *slot)
{
  pd_batch_request_free (self->batch, slot);
}

/* ---- intervals */

/* The part of repeated computation that is insufficient parallelism; rounded as often as
 * pd_mp_flush() is called. */
static inline void
settle (PdMpBatch *self G_GNUC_UNUSED, guint32 rank G_GNUC_UNUSED, PdMpBatchRank *r)
{
  PdMpAccount *account = r->account;

  for (guint i = 0; i < PD_BATCH_SIZE && r->n_alike > 1; i++)
    {
      PdTime part = PD_TIME (account->cpu.ps[i] - r->mark.ps[i]);
      if (part.ps > 0)
        account->insufficient.ps[i] += pd_time_scale (part, r->n_alike - 1, r->n_alike).ps;
    }
  r->mark = account->cpu;
}

static void
compare_scales (PdMpBatchRank *r)
{
  r->has_one_scale = TRUE;
  for (guint i = 1; i < PD_BATCH_SIZE; i++)
    if (r->scales[i] < r->scales[0] || r->scales[i] > r->scales[0])
      r->has_one_scale = FALSE;
}

static void
set_scales (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    r->scales[i] = pd_mp_interval_scale (self->mps[i], rank, r->node);
  compare_scales (r);
}

static inline void
set_place (PdMpBatch *self, guint32 rank, PdMpBatchRank *r, const char *file, gint64 line)
{
  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    if (self->mps[i]->has_places)
      r->scales[i] = pd_mp_place_scale (self->mps[i], rank, r->node, file, line);
  compare_scales (r);
}

static inline void
move_to (PdMpBatch *self, guint32 rank, PdMpBatchRank *r, guint32 node)
{
  settle (self, rank, r);
  r->node = node;
  r->account = pd_mp_batch_account (self, node, rank);
  r->calls->waited = &r->account->waited;
  if (r->n_alike > 1)
    r->mark = r->account->cpu;
  if (self->has_ratios)
    set_scales (self, rank, r);
}

static inline void
count_entered (PdMpBatch *self G_GNUC_UNUSED, guint32 rank G_GNUC_UNUSED, PdMpBatchRank *r)
{
  r->account->n_entered++;
}

static inline void
charge_member (PdMpBatch *self, guint32 rank, const Barrier *barrier, const Member *member)
{
  PdMpAccount *account = pd_mp_batch_account (self, member->node, rank);

  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    account->synchronization.ps[i] += barrier->latest_begin.ps[i] - member->begin.ps[i];
  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    account->variation.ps[i] += barrier->latest_end.ps[i] - member->end.ps[i];
}

/* ---- programs */

static const char *
refuse_envelope (PdEnvelope envelope)
{
  gboolean is_named = envelope.peer == PD_PROC_NULL
                      || (envelope.peer != PD_ANY_SOURCE && envelope.tag != PD_ANY_TAG);

  return is_named ? NULL : "the program receives with wildcards";
}

const char *
pd_mp_batch_refuses (const PdMpBatch *self, const PdProgramCell *cell)
{
  guint kind = cell->kind & ~(guint) PD_CELL_MORE;
  const PdMp *mp = self->mps[0];
  PdAction action;

  if (kind == PD_ACT_COMPUTE || kind == PD_CELL_LOOP || kind == PD_CELL_SAMPLE)
    return NULL;
  if (acts[kind] == NULL)
    return "the program has calls whose outcome depends on time";
  switch (kind)
    {
    case PD_ACT_RECV:
    case PD_ACT_IRECV:
    case PD_ACT_RECV_INIT:
      return refuse_envelope (read_message (self, cell).envelope);
    case PD_ACT_SENDRECV:
      pd_action_read (cell, &action);
      action.peer = action.recv_peer;
      action.tag = action.recv_tag;
      return refuse_envelope (pd_mp_recorded_envelope (mp, &action));
    case PD_ACT_WAITANY:
    case PD_ACT_WAITSOME:
    case PD_ACT_TEST:
    case PD_ACT_TESTALL:
    case PD_ACT_TESTANY:
    case PD_ACT_TESTSOME:
      pd_action_read (cell, &action);
      return action.has_done && !mp->options->simulated ? NULL
                                                        : "the program asks what has completed";
    case PD_ACT_COLLECTIVE:
      pd_action_read (cell, &action);
      return action.op == PD_COLL_REDUCE && pd_comsys_reduces_by_messages (mp->comsys)
                 ? "members of a reduce send to its root"
                 : NULL;
    case PD_ACT_ICOLLECTIVE:
      return pd_comsys_reduces_by_messages (mp->comsys)
                 ? "starting a collective operation takes processors' time"
                 : NULL;
    default:
      return NULL;
    }
}

gboolean
pd_mp_batch_continue (PdMpBatch *self, guint32 rank, guint budget)
{
  PdMpBatchRank *r = &self->ranks[rank];

  while (r->cell != r->end && budget-- > 0)
    if (!acts[r->cell->kind & ~PD_CELL_MORE](self, rank, r))
      return FALSE;
  if (r->cell != r->end)
    {
      pd_batch_ready (self->batch, rank);
      return FALSE;
    }
  return TRUE;
}

PdMpBarriers *
pd_mp_batch_barriers_new (guint32 n_comms)
{
  return pd_mp_barriers_new (n_comms, sizeof (Barrier), sizeof (Member));
}

void
pd_mp_batch_end_call (PdMpBatch *self, guint32 rank)
{
  PdMpBatchRank *r = &self->ranks[rank];

  r->state = PD_MP_READY;
  spend (r);
  if ((r->cell->kind & ~PD_CELL_MORE) == PD_ACT_COLLECTIVE)
    conclude_together (self, rank, r);
  else
    r->cell = pd_mp_next (r->cell);
}

void
pd_mp_batch_begin (PdMpBatch *self, guint32 rank)
{
  PdMpBatchRank *r = &self->ranks[rank];

  r->node = PD_INTERVAL_ROOT;
  r->account = pd_mp_batch_account (self, r->node, rank);
  r->calls->waited = &r->account->waited;
  set_scales (self, rank, r);
}

void
pd_mp_batch_finish (PdMpBatch *self, guint32 rank)
{
  PdMpBatchRank *r = &self->ranks[rank];

  settle (self, rank, r);
  for (guint i = 0; i < self->k; i++)
    {
      PdMpRank *own = &self->mps[i]->ranks[rank];
      own->clock = PD_TIME (r->calls->clock.ps[i]);
      own->cell = r->cell;
      set_shift (self, i, rank);
      own->node = r->node;
      if (r->node != PD_INTERVAL_ROOT)
        pd_mp_close_intervals (self->mps[i], rank);
    }
}
