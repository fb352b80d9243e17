/* Collective operations in several lanes; what is known only when all members have been
 * there as in pd-mp-collective.c.
 * SPDX-License-Identifier: MIT */
#include "comsys/queue/pd-lines.h"
#include "predictor/batch/pd-mp-batch-private.h"
#include "comsys/batch/pd-batch-coll.h"
#include "comsys/comm/pd-comm.h"
#include "predictor/batch/pd-mp-batch-actions-private.h"
#include "predictor/batch/pd-mp-batch-collective-private.h"
#include "predictor/mp/pd-mp-collective.h"
#include "traces/program/pd-action.h"

/* ---- barriers */

typedef struct
{
  PdBatchTime begin;
  PdBatchTime end;
} Times;

/* An operation under way. */
typedef struct
{
  PdBatchTime latest_begin;
  PdBatchTime latest_end;
  Times *members;         /* (array length=size) */
  PdMpAccount **accounts; /* (array length=size): where each member was */
  guint32 n_left;
} Barrier;

/* Those of a communicator. They end in their order: every member goes through
 * them in order. */
typedef struct
{
  Barrier **ring;     /* (array length=room): by number */
  guint32 *n_entered; /* (nullable) (array length=size): operations each member has begun */
  guint32 room;       /* a power of two, or 0 */
  guint32 first;      /* number of the oldest that is open; older ones in the ring are spare */
  guint32 next;       /* number of the next to begin */
} Barriers;

struct _PdMpBatchBarriers
{
  Barriers *comms;
  guint32 n;
};

PdMpBatchBarriers *
pd_mp_batch_barriers_new (guint32 n_comms)
{
  PdMpBatchBarriers *self = g_new (PdMpBatchBarriers, 1);

  self->comms = g_new0 (Barriers, n_comms);
  self->n = n_comms;
  return self;
}

static void
barrier_free (Barrier *barrier)
{
  if (barrier == NULL)
    return;
  free (barrier->members);
  g_free (barrier->accounts);
  free (barrier);
}

void
pd_mp_batch_barriers_free (PdMpBatchBarriers *self)
{
  if (self == NULL)
    return;
  for (guint32 i = 0; i < self->n; i++)
    {
      for (guint32 k = 0; k < self->comms[i].room; k++)
        barrier_free (self->comms[i].ring[k]);
      g_free (self->comms[i].ring);
      g_free (self->comms[i].n_entered);
    }
  g_free (self->comms);
  g_free (self);
}

static gpointer
new_lines (gsize size)
{
  gpointer lines = aligned_alloc (64, (size + 63) / 64 * 64);

  if (lines == NULL)
    g_error ("out of memory: %" G_GSIZE_FORMAT " bytes are needed", size);
  return lines;
}

static Barrier *
barrier_new (guint32 size)
{
  Barrier *barrier = new_lines (sizeof *barrier);

  barrier->members = new_lines (size * sizeof *barrier->members);
  barrier->accounts = g_new (PdMpAccount *, size);
  return barrier;
}

static void
grow (Barriers *barriers)
{
  guint32 room = MAX (2 * barriers->room, 4);
  Barrier **ring = g_new0 (Barrier *, room);

  for (guint32 i = 0; i < barriers->room; i++)
    {
      guint32 number = barriers->first + i;
      ring[number & (room - 1)] = barriers->ring[number & (barriers->room - 1)];
    }
  g_free (barriers->ring);
  barriers->ring = ring;
  barriers->room = room;
}

/* Operation @number, one of those under way or the next one. */
static Barrier *
open_barrier (Barriers *barriers, guint32 number, guint32 size)
{
  if (number - barriers->first >= barriers->room)
    grow (barriers);
  Barrier **at = &barriers->ring[number & (barriers->room - 1)];
  if (*at == NULL)
    *at = barrier_new (size);
  if (number == barriers->next)
    {
      **at = (Barrier){ .members = (*at)->members, .accounts = (*at)->accounts };
      barriers->next++;
    }
  return *at;
}

static void
enter_barrier (PdMpBatch *self, const PdMpBatchRank *r, guint32 comm, guint32 me)
{
  Barriers *barriers = &self->barriers->comms[comm];
  guint32 size = pd_comm_get_size (self->mps[0]->comms[comm]);

  if (barriers->n_entered == NULL)
    barriers->n_entered = g_new0 (guint32, size);
  Barrier *barrier = open_barrier (barriers, barriers->n_entered[me]++, size);
  barrier->members[me].begin = r->calls->clock;
  barrier->accounts[me] = r->account;
  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    barrier->latest_begin.ps[i] = MAX (barrier->latest_begin.ps[i], r->calls->clock.ps[i]);
}

/* All members are through. */
static void
conclude (const Barrier *barrier, guint32 size)
{
  for (guint32 m = 0; m < size; m++)
    {
      const Times *member = &barrier->members[m];
      PdMpAccount *account = barrier->accounts[m];
      for (guint i = 0; i < PD_BATCH_SIZE; i++)
        account->synchronization.ps[i] += barrier->latest_begin.ps[i] - member->begin.ps[i];
      for (guint i = 0; i < PD_BATCH_SIZE; i++)
        account->variation.ps[i] += barrier->latest_end.ps[i] - member->end.ps[i];
    }
}

static void
leave_barrier (PdMpBatch *self, const PdMpBatchRank *r, guint32 comm, guint32 me)
{
  Barriers *barriers = &self->barriers->comms[comm];
  guint32 size = pd_comm_get_size (self->mps[0]->comms[comm]);
  Barrier *barrier = barriers->ring[(barriers->n_entered[me] - 1) & (barriers->room - 1)];

  barrier->members[me].end = r->calls->clock;
  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    barrier->latest_end.ps[i] = MAX (barrier->latest_end.ps[i], r->calls->clock.ps[i]);
  if (++barrier->n_left < size)
    return;
  conclude (barrier, size);
  barriers->first++;
}

/* ---- calls */

void
pd_mp_batch_collective_returned (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  PdAction action;
  const PdProgramCell *next = pd_action_read (r->cell, &action);

  if (!pd_mp_collective_is_system (action.op))
    {
      gint64 me = pd_comm_get_rank (self->mps[0]->comms[action.comm], rank);
      leave_barrier (self, r, action.comm, (guint32) me);
    }
  if (action.amount.time.ps != 0)
    pd_mp_batch_compute (self, r, action.amount);
  r->cell = next;
}

gboolean
pd_mp_batch_collective (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  PdAction action;

  pd_action_read (r->cell, &action);
  PdComm *comm = self->mps[0]->comms[action.comm];
  gint64 me = pd_comm_get_rank (comm, rank);
  if (!pd_mp_collective_is_complete (self->mps[0], &action, me))
    return pd_mp_batch_not_modelled (self, rank, r);

  PdCollective collective = pd_mp_collective_arguments (self->mps[0], &action);
  gboolean is_system = pd_mp_collective_is_system (action.op);
  if (!is_system)
    {
      r->account->n_collectives += me == 0 ? 1 : 0;
      enter_barrier (self, r, action.comm, (guint32) me);
    }
  r->category = is_system ? PD_MP_SYSTEM : PD_MP_COLLECTIVE;
  r->state = PD_MP_CALLED;
  if (!pd_batch_collective (self->batch, rank, comm, &collective))
    return FALSE;
  r->state = PD_MP_READY;
  pd_mp_batch_spend (r);
  pd_mp_batch_collective_returned (self, rank, r);
  return TRUE;
}

/* What the reduction computes is computed when the operation starts. */
gboolean
pd_mp_batch_icollective (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  PdAction action;

  const PdProgramCell *next = pd_action_read (r->cell, &action);
  PdComm *comm = self->mps[0]->comms[action.comm];
  gint64 me = pd_comm_get_rank (comm, rank);
  if (!pd_mp_collective_is_complete (self->mps[0], &action, me))
    return pd_mp_batch_not_modelled (self, rank, r);

  PdCollective collective = pd_mp_collective_arguments (self->mps[0], &action);
  PdRequest *slot = pd_mp_batch_free_slot (self, r, action.request);
  r->account->n_collectives += me == 0 && !pd_mp_collective_is_system (action.op) ? 1 : 0;
  *slot = pd_batch_icollective (self->batch, rank, comm, &collective);
  r->category = PD_MP_COLLECTIVE;
  pd_mp_batch_spend (r);
  if (action.amount.time.ps != 0)
    pd_mp_batch_compute (self, r, action.amount);
  r->cell = next;
  return TRUE;
}
