/* OTF2 archives: the events of one-sided communication.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-events-private.h"
#include "traces/otf2/pd-otf2-defs-private.h"
#include "traces/otf2/pd-otf2-lookahead-private.h"
#include "traces/otf2/pd-otf2-rank-private.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"

#include <string.h>

typedef struct
{
  guint32 remote;
  guint64 sent;
  guint64 received;
  guint64 id;
} Access;

static OTF2_CallbackCode
result (const PdOtf2Rank *self)
{
  return self->archive->error == NULL ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

/* All members, nobody, or a rank of the window's communicator. */
static gint32
peer_of (guint32 remote)
{
  if (remote == (guint32) PD_PROGRAM_ANY || remote == (guint32) PD_PROGRAM_PROC_NULL)
    return (gint32) remote;
  return (gint32) MIN (remote, G_MAXINT32);
}

static OTF2_CallbackCode
begin_rma (PdOtf2Rank *self, PdActionKind kind, OTF2_RmaWinRef win, gint32 remote, guint64 bytes)
{
  gpointer comm;

  if (!g_hash_table_lookup_extended (self->archive->windows, GSIZE_TO_POINTER ((gsize) win), NULL,
                                     &comm))
    return OTF2_CALLBACK_SUCCESS;
  pd_otf2_rank_begin (self, kind);
  pd_otf2_find_comm (self->archive, (OTF2_CommRef) GPOINTER_TO_SIZE (comm), self->rank,
                     &self->action.comm);
  self->action.peer = remote;
  self->action.bytes = (gint64) MIN (bytes, G_MAXINT64);
  return result (self);
}

/* An access of a call that has a request, which completes: @with_request; else @kind. */
static OTF2_CallbackCode
begin_access (PdOtf2Rank *self, PdActionKind kind, PdActionKind with_request, OTF2_RmaWinRef win,
              const Access *access)
{
  guint64 request = PD_OTF2_RMA_REQUEST | access->id;
  gboolean has_request = self->mpi != NULL && self->mpi->call->what == PD_OTF2_WIN
                         && pd_action_makes_request (self->mpi->call->kind)
                         && pd_otf2_ahead_take (self->ahead, request) != NULL;
  OTF2_CallbackCode code = begin_rma (self, has_request ? with_request : kind, win,
                                      peer_of (access->remote), access->sent);

  if (!self->has_action)
    return code;
  self->action.recv_bytes = (gint64) MIN (access->received, G_MAXINT64);
  if (has_request)
    self->action.request = pd_otf2_rank_new_slot (self, request);
  return code;
}

static OTF2_CallbackCode
on_put (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
        uint64_t position G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes G_GNUC_UNUSED,
        OTF2_RmaWinRef win, uint32_t remote, uint64_t bytes, uint64_t match)
{
  return begin_access (data, PD_ACT_PUT, PD_ACT_RPUT, win, &(Access){ remote, bytes, 0, match });
}

static OTF2_CallbackCode
on_get (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
        uint64_t position G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes G_GNUC_UNUSED,
        OTF2_RmaWinRef win, uint32_t remote, uint64_t bytes, uint64_t match)
{
  return begin_access (data, PD_ACT_GET, PD_ACT_RGET, win, &(Access){ remote, bytes, 0, match });
}

static OTF2_CallbackCode
on_atomic (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
           uint64_t position G_GNUC_UNUSED, void *data,
           OTF2_AttributeList *attributes G_GNUC_UNUSED, OTF2_RmaWinRef win, uint32_t remote,
           OTF2_RmaAtomicType type, uint64_t sent, uint64_t received, uint64_t match)
{
  const Access access = { remote, sent, received, match };

  if (type == OTF2_RMA_ATOMIC_TYPE_ACCUMULATE)
    return begin_access (data, PD_ACT_ACCUMULATE, PD_ACT_RACCUMULATE, win, &access);
  return begin_access (data, PD_ACT_GET_ACCUMULATE, PD_ACT_RGET_ACCUMULATE, win, &access);
}

static OTF2_CallbackCode
on_complete (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
             uint64_t position G_GNUC_UNUSED, void *data,
             OTF2_AttributeList *attributes G_GNUC_UNUSED, OTF2_RmaWinRef win G_GNUC_UNUSED,
             uint64_t match)
{
  PdOtf2Rank *self = data;

  pd_otf2_rank_note (self, PD_OTF2_RMA_REQUEST | match, self->completed, TRUE);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_test (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
         uint64_t position G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes G_GNUC_UNUSED,
         OTF2_RmaWinRef win G_GNUC_UNUSED, uint64_t match)
{
  PdOtf2Rank *self = data;

  pd_otf2_rank_note (self, PD_OTF2_RMA_REQUEST | match, self->tested, FALSE);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_rma_collective (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
                   uint64_t position G_GNUC_UNUSED, void *data,
                   OTF2_AttributeList *attributes G_GNUC_UNUSED, OTF2_CollectiveOp op,
                   OTF2_RmaSyncLevel level G_GNUC_UNUSED, OTF2_RmaWinRef win,
                   uint32_t root G_GNUC_UNUSED, uint64_t sent G_GNUC_UNUSED,
                   uint64_t received G_GNUC_UNUSED)
{
  PdOtf2Rank *self = data;
  PdCollKind making = pd_otf2_rank_coll (self, OTF2_COLLECTIVE_OP_BARRIER);

  if (op == OTF2_COLLECTIVE_OP_BARRIER && making == PD_COLL_BARRIER)
    return begin_rma (self, PD_ACT_WIN_FENCE, win, 0, 0);
  begin_rma (self, PD_ACT_COLLECTIVE, win, 0, 0);
  self->action.op = making;
  return result (self);
}

static OTF2_CallbackCode
on_lock (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
         uint64_t position G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes G_GNUC_UNUSED,
         OTF2_RmaWinRef win, uint32_t remote, uint64_t lock G_GNUC_UNUSED, OTF2_LockType type)
{
  PdOtf2Rank *self = data;

  begin_rma (self, PD_ACT_WIN_LOCK, win, peer_of (remote), 0);
  self->action.tag = type == OTF2_LOCK_EXCLUSIVE ? 1 : 0;
  return result (self);
}

static OTF2_CallbackCode
on_unlock (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
           uint64_t position G_GNUC_UNUSED, void *data,
           OTF2_AttributeList *attributes G_GNUC_UNUSED, OTF2_RmaWinRef win, uint32_t remote,
           uint64_t lock G_GNUC_UNUSED)
{
  return begin_rma (data, PD_ACT_WIN_UNLOCK, win, peer_of (remote), 0);
}

/* ---- flushes, and epochs with active targets: the name of the call says which */

static gboolean
is_in (const PdOtf2Rank *self, PdActionKind kind)
{
  return self->mpi != NULL
         && (self->mpi->call->what == PD_OTF2_WIN || self->mpi->call->what == PD_OTF2_WAIT)
         && self->mpi->call->kind == kind;
}

static OTF2_CallbackCode
on_sync (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
         uint64_t position G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes G_GNUC_UNUSED,
         OTF2_RmaWinRef win, uint32_t remote, OTF2_RmaSyncType type G_GNUC_UNUSED)
{
  PdOtf2Rank *self = data;

  if (!is_in (self, PD_ACT_WIN_FLUSH))
    return OTF2_CALLBACK_SUCCESS;
  OTF2_CallbackCode code = begin_rma (self, PD_ACT_WIN_FLUSH, win, peer_of (remote), 0);
  self->action.tag = strstr (self->mpi->name, "_local") != NULL ? 1 : 0;
  return code;
}

static guint32
add_group (PdOtf2Archive *archive, OTF2_RmaWinRef win, OTF2_GroupRef group)
{
  gpointer comm = g_hash_table_lookup (archive->windows, GSIZE_TO_POINTER ((gsize) win));
  g_autoptr (GArray) members =
      pd_otf2_find_places (archive, (OTF2_CommRef) GPOINTER_TO_SIZE (comm), group);

  return pd_program_builder_add_counts (
      archive->builder, (const gint64 *) (gconstpointer) members->data, members->len);
}

static OTF2_CallbackCode
on_group_sync (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
               uint64_t position G_GNUC_UNUSED, void *data,
               OTF2_AttributeList *attributes G_GNUC_UNUSED, OTF2_RmaSyncLevel level G_GNUC_UNUSED,
               OTF2_RmaWinRef win, OTF2_GroupRef group)
{
  static const PdActionKind kinds[] = { PD_ACT_WIN_POST, PD_ACT_WIN_START, PD_ACT_WIN_COMPLETE,
                                        PD_ACT_WIN_WAIT };
  PdOtf2Rank *self = data;

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (is_in (self, kinds[i]))
      begin_rma (self, kinds[i], win, 0, 0);
  if (self->has_action && self->action.kind == PD_ACT_WIN_POST)
    self->action.sources = add_group (self->archive, win, group);
  if (self->has_action && self->action.kind == PD_ACT_WIN_START)
    self->action.targets = add_group (self->archive, win, group);
  return result (self);
}

void
pd_otf2_set_window_handlers (PdOtf2Handlers *handlers)
{
  handlers->put = on_put;
  handlers->get = on_get;
  handlers->atomic = on_atomic;
  handlers->rma_collective_end = on_rma_collective;
  handlers->lock = on_lock;
  handlers->unlock = on_unlock;
  handlers->rma_complete = on_complete;
  handlers->rma_test = on_test;
  handlers->sync = on_sync;
  handlers->group_sync = on_group_sync;
}
