/* The events of one-sided communication.
 * SPDX-License-Identifier: MIT */
#include "record/archive/pd-rec-events-private.h"
#include "record/stream/pd-rec.h"

/* Another thread may end what one began: the request says which it is, apart from the others. */
static uint64_t
id_of_request (uint32_t request)
{
  return (uint64_t) 1 << 32 | request;
}

static void
write_access (PdRecRank *self, uint32_t win, const PdRecRecord *r)
{
  static const OTF2_RmaAtomicType types[] = {
    [PD_REC_ACCUMULATE] = OTF2_RMA_ATOMIC_TYPE_ACCUMULATE,
    [PD_REC_GET_ACCUMULATE] = OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE,
    [PD_REC_FETCH_AND_OP] = OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE,
    [PD_REC_COMPARE_AND_SWAP] = OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP,
  };
  uint32_t target = PD_REC_LO (r->words[0]), request = PD_REC_HI (r->words[0]);
  uint64_t time = pd_rec_at (self, self->t0);
  uint64_t id = request != 0 ? id_of_request (request) : self->n_one_sided++;

  if (r->a == PD_REC_PUT)
    pd_rec_check (self,
                  OTF2_EvtWriter_RmaPut (self->out, NULL, time, win, target, r->words[1], id));
  else if (r->a == PD_REC_GET)
    pd_rec_check (self,
                  OTF2_EvtWriter_RmaGet (self->out, NULL, time, win, target, r->words[2], id));
  else
    pd_rec_check (self, OTF2_EvtWriter_RmaAtomic (self->out, NULL, time, win, target, types[r->a],
                                                  r->words[1], r->words[2], id));
}

void
pd_rec_write_access_end (PdRecRank *self, const PdRecRecord *r)
{
  uint32_t win = pd_rec_map_find (self->map->windows, self->map->words[3], r->b);

  uint64_t time = pd_rec_at (self, self->t1), id = id_of_request ((uint32_t) r->words[0]);

  if (win == PD_REC_NONE)
    return;
  if (r->kind == PD_REC_RMA_TESTED)
    pd_rec_check (self, OTF2_EvtWriter_RmaOpTest (self->out, NULL, time, win, id));
  else
    pd_rec_check (self, OTF2_EvtWriter_RmaOpCompleteNonBlocking (self->out, NULL, time, win, id));
}

/* Post and start, and what ends them, which tells at its end. */
static void
write_group_sync (PdRecRank *self, uint32_t win, const PdRecRecord *r)
{
  uint32_t group =
      pd_rec_map_find (self->map->groups, self->map->words[5], PD_REC_LO (r->words[0]));

  if (group != PD_REC_NONE)
    pd_rec_check (self, OTF2_EvtWriter_RmaGroupSync (self->out, NULL, pd_rec_at (self, self->t1),
                                                     OTF2_RMA_SYNC_LEVEL_PROCESS, win,
                                                     PD_REC_N_FIRST_GROUPS + group));
}

static void
write_window (PdRecRank *self, uint32_t win, OTF2_CollectiveOp op)
{
  pd_rec_check (self,
                OTF2_EvtWriter_RmaCollectiveBegin (self->out, NULL, pd_rec_at (self, self->t0)));
  pd_rec_check (self, OTF2_EvtWriter_RmaCollectiveEnd (self->out, NULL, pd_rec_at (self, self->t1),
                                                       op, OTF2_RMA_SYNC_LEVEL_PROCESS, win,
                                                       OTF2_UNDEFINED_UINT32, 0, 0));
}

void
pd_rec_write_one_sided (PdRecRank *self, const PdRecRecord *r)
{
  uint32_t win = pd_rec_map_find (self->map->windows, self->map->words[3], r->b);
  uint32_t target = PD_REC_LO (r->words[0]);

  if (win == PD_REC_NONE)
    return;
  if (r->a < PD_REC_FENCE)
    write_access (self, win, r);
  else if (r->a >= PD_REC_POST && r->a <= PD_REC_WAIT)
    write_group_sync (self, win, r);
  else if (r->a == PD_REC_FLUSH)
    pd_rec_check (self, OTF2_EvtWriter_RmaSync (self->out, NULL, pd_rec_at (self, self->t1), win,
                                                target, OTF2_RMA_SYNC_TYPE_MEMORY));
  else if (r->a == PD_REC_UNLOCK)
    pd_rec_check (self, OTF2_EvtWriter_RmaReleaseLock (self->out, NULL, pd_rec_at (self, self->t0),
                                                       win, target, 0));
  else if (r->a == PD_REC_LOCK_SHARED || r->a == PD_REC_LOCK_EXCLUSIVE)
    pd_rec_check (self, OTF2_EvtWriter_RmaAcquireLock (
                            self->out, NULL, pd_rec_at (self, self->t1), win, target, 0,
                            r->a == PD_REC_LOCK_SHARED ? OTF2_LOCK_SHARED : OTF2_LOCK_EXCLUSIVE));
  else
    write_window (self, win,
                  r->a == PD_REC_FENCE        ? OTF2_COLLECTIVE_OP_BARRIER
                  : r->a == PD_REC_WIN_CREATE ? OTF2_COLLECTIVE_OP_CREATE_HANDLE
                                              : OTF2_COLLECTIVE_OP_DESTROY_HANDLE);
}
