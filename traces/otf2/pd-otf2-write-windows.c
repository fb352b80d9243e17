/* OTF2 archives: actions on windows become events. The event that ends an epoch names the group
 * with which the last epoch began: OTF2 requires it, our reader does not need it.

 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-write-private.h"

typedef struct
{
  OTF2_EvtWriter *out;
  guint64 now;
  PdOtf2Writer *writer;
  guint64 id;
} Event;

static void
write_put (const Event *e, const PdAction *a)
{
  OTF2_EvtWriter_RmaPut (e->out, NULL, e->now, a->comm, (guint32) a->peer, (guint64) a->bytes,
                         e->id);
}

static void
write_get (const Event *e, const PdAction *a)
{
  OTF2_EvtWriter_RmaGet (e->out, NULL, e->now, a->comm, (guint32) a->peer, (guint64) a->bytes,
                         e->id);
}

static void
write_atomic (const Event *e, const PdAction *a)
{
  gboolean fetches = a->kind == PD_ACT_GET_ACCUMULATE || a->kind == PD_ACT_RGET_ACCUMULATE;

  OTF2_EvtWriter_RmaAtomic (e->out, NULL, e->now, a->comm, (guint32) a->peer,
                            fetches ? OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE
                                    : OTF2_RMA_ATOMIC_TYPE_ACCUMULATE,
                            (guint64) a->bytes, (guint64) a->recv_bytes, e->id);
}

static void
write_fence (const Event *e, const PdAction *a)
{
  OTF2_EvtWriter_RmaCollectiveEnd (e->out, NULL, e->now, OTF2_COLLECTIVE_OP_BARRIER,
                                   OTF2_RMA_SYNC_LEVEL_PROCESS, a->comm, OTF2_UNDEFINED_UINT32, 0,
                                   0);
}

static void
write_lock (const Event *e, const PdAction *a)
{
  OTF2_EvtWriter_RmaAcquireLock (e->out, NULL, e->now, a->comm, (guint32) a->peer, 0,
                                 a->tag != 0 ? OTF2_LOCK_EXCLUSIVE : OTF2_LOCK_SHARED);
}

static void
write_unlock (const Event *e, const PdAction *a)
{
  OTF2_EvtWriter_RmaReleaseLock (e->out, NULL, e->now, a->comm, (guint32) a->peer, 0);
}

static void
write_flush (const Event *e, const PdAction *a)
{
  OTF2_EvtWriter_RmaSync (e->out, NULL, e->now, a->comm, (guint32) a->peer,
                          OTF2_RMA_SYNC_TYPE_MEMORY);
}

static void
write_group (const Event *e, const PdAction *a)
{
  GArray *groups = e->writer->groups;
  gboolean of_origins = a->kind == PD_ACT_WIN_POST || a->kind == PD_ACT_WIN_WAIT;
  guint32 vector = of_origins ? a->sources : a->targets, at = groups->len;

  for (guint32 i = groups->len; i > 0 && at == groups->len; i--)
    {
      const PdOtf2WindowGroup *group = &g_array_index (groups, PdOtf2WindowGroup, i - 1);
      if (group->comm == a->comm && (vector == PD_PROGRAM_NONE || group->members == vector))
        at = i - 1;
    }
  if (at == groups->len && vector != PD_PROGRAM_NONE)
    {
      PdOtf2WindowGroup group = { a->comm, vector };
      g_array_append_val (groups, group);
    }
  OTF2_EvtWriter_RmaGroupSync (e->out, NULL, e->now, OTF2_RMA_SYNC_LEVEL_PROCESS, a->comm,
                               at < groups->len
                                   ? 1 + pd_program_get_n_comms (e->writer->program) + at
                                   : OTF2_UNDEFINED_GROUP);
}

static void (*const writers[PD_N_ACTS]) (const Event *e, const PdAction *a) = {
  [PD_ACT_PUT] = write_put,
  [PD_ACT_RPUT] = write_put,
  [PD_ACT_GET] = write_get,
  [PD_ACT_RGET] = write_get,
  [PD_ACT_ACCUMULATE] = write_atomic,
  [PD_ACT_RACCUMULATE] = write_atomic,
  [PD_ACT_GET_ACCUMULATE] = write_atomic,
  [PD_ACT_RGET_ACCUMULATE] = write_atomic,
  [PD_ACT_WIN_FENCE] = write_fence,
  [PD_ACT_WIN_LOCK] = write_lock,
  [PD_ACT_WIN_UNLOCK] = write_unlock,
  [PD_ACT_WIN_FLUSH] = write_flush,
  [PD_ACT_WIN_POST] = write_group,
  [PD_ACT_WIN_START] = write_group,
  [PD_ACT_WIN_COMPLETE] = write_group,
  [PD_ACT_WIN_WAIT] = write_group,
};

void
pd_otf2_write_window (PdOtf2Writer *writer, OTF2_EvtWriter *out, guint64 now,
                      const PdAction *action, guint64 id)
{
  const Event event = { out, now, writer, id };

  writer->is_window[action->comm] = TRUE;
  writers[action->kind](&event, action);
}
