/* Collective operations of liballprof traces. A rank's argument for the sizes of other ranks
 * is only read where MPI defines it. MPI_IN_PLACE leaves one side of the arguments without
 * meaning, so the other side is read where there are two.
 * SPDX-License-Identifier: MIT */
#include "traces/allprof/pd-allprof-make-private.h"
#include "traces/allprof/pd-allprof-collectives-private.h"
#include "traces/allprof/pd-allprof-lines-private.h"
#include "traces/allprof/pd-allprof-private.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"

enum
{
  SENT = 0,
  RECEIVED = 1,
};

/* The caller's rank in the communicator. */
static gint64
get_me (const PdAllprofMaker *self, guint32 comm)
{
  return comm == 0 ? self->rank : self->call->comm.rank;
}

/* The side of the call's arguments that has a rank's block. */
static guint
find_side (PdCollKind coll, gboolean is_root)
{
  switch (coll)
    {
    case PD_COLL_GATHER:
      return is_root ? RECEIVED : SENT;
    case PD_COLL_SCATTER:
    case PD_COLL_SCATTERV:
      return is_root ? SENT : RECEIVED;
    case PD_COLL_ALLGATHER:
    case PD_COLL_ALLTOALL:
      return RECEIVED;
    default:
      return SENT;
    }
}

/* The vector of sizes on @side, in bytes; and the caller's own. */
static gboolean
add_counts (PdAllprofMaker *self, guint side, guint32 *index, gint64 *own, GError **error)
{
  gint64 me = get_me (self, pd_allprof_get_comm (self));
  const GArray *counts = self->call->counts[side];

  g_array_set_size (self->bytes, 0);
  for (guint i = 0; i < counts->len; i++)
    {
      gint64 bytes;
      if (!pd_allprof_get_bytes (self, g_array_index (counts, gint64, i), self->call->size[side],
                                 &bytes, error))
        return FALSE;
      g_array_append_val (self->bytes, bytes);
      if (i == me)
        *own = bytes;
    }
  *index = pd_program_builder_add_counts (self->builder, (const gint64 *) self->bytes->data,
                                          self->bytes->len);
  return TRUE;
}

/* The vectors that @coll has, for the caller; and its own part of them. */
static gboolean
add_vectors (PdAllprofMaker *self, PdAction *action, gboolean is_root, GError **error)
{
  PdCollKind coll = action->op;
  gint64 ignored;

  if (coll == PD_COLL_ALLTOALLV
      && (!add_counts (self, SENT, &action->send_counts, &ignored, error)
          || !add_counts (self, RECEIVED, &action->recv_counts, &ignored, error)))
    return FALSE;
  if (coll == PD_COLL_SCATTERV && is_root)
    return add_counts (self, SENT, &action->send_counts, &action->bytes, error);
  if (coll == PD_COLL_ALLGATHERV || coll == PD_COLL_REDUCE_SCATTER
      || (coll == PD_COLL_GATHERV && is_root))
    return add_counts (self, RECEIVED, &action->recv_counts, &action->bytes, error);
  return TRUE;
}

/* Whether a count gives the size of the block, not a vector. */
static gboolean
has_block (PdCollKind coll, gboolean is_root)
{
  if (coll == PD_COLL_GATHERV || coll == PD_COLL_SCATTERV)
    return !is_root;
  return coll != PD_COLL_BARRIER && coll != PD_COLL_ALLTOALLV && coll != PD_COLL_ALLGATHERV
         && coll != PD_COLL_REDUCE_SCATTER;
}

static gboolean
is_rooted (PdCollKind coll)
{
  return coll == PD_COLL_BCAST || coll == PD_COLL_REDUCE || coll == PD_COLL_GATHER
         || coll == PD_COLL_GATHERV || coll == PD_COLL_SCATTER || coll == PD_COLL_SCATTERV;
}

gboolean
pd_allprof_make_collective (PdAllprofMaker *self, GError **error)
{
  const PdAllprofCall *call = self->call;
  PdCollKind coll = call->function->coll;
  guint32 comm = pd_allprof_get_comm (self);
  gboolean is_root = is_rooted (coll) && call->root == get_me (self, comm);
  guint side = find_side (coll, is_root);
  PdAction action;

  pd_action_init (&action, PD_ACT_COLLECTIVE);
  action.op = coll;
  action.comm = comm;
  if (is_rooted (coll))
    {
      if (call->root < 0 || call->root >= call->comm.size)
        return pd_allprof_lines_fail (self->lines, error, PD_TRACE_ERROR_VALUE,
                                      "root %" G_GINT64_FORMAT ", expected 0 to %" G_GINT64_FORMAT,
                                      call->root, call->comm.size - 1);
      action.peer = (gint32) call->root;
    }
  if (call->function->class == PD_ALLPROF_COLL)
    {
      if (has_block (coll, is_root)
          && !pd_allprof_get_bytes (self, call->count[side], call->size[side], &action.bytes,
                                    error))
        return FALSE;
      if (!add_vectors (self, &action, is_root, error))
        return FALSE;
    }
  return pd_allprof_add (self, &action, error);
}
