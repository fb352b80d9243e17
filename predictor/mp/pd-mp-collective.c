/* Collective operations of message-passing programs, as ComSys takes them.
 * SPDX-License-Identifier: MIT */
#include "predictor/common/pd-mp-collective-ops.h"
#include "predictor/mp/pd-mp-state.h"
#include "predictor/mp/pd-mp-collective.h"

gboolean
pd_mp_collective_is_system (PdCollKind op)
{
  return op >= PD_COLL_COMM_DUP;
}

/* As ComSys takes them; each list of the program is made once. */
static const guint32 *
find_neighbours (PdMp *self, guint32 list, guint32 *n)
{
  GHashTable *known = self->neighbours;
  const gint64 *ranks = pd_program_get_counts (self->program, list, n);
  guint32 *neighbours = g_hash_table_lookup (known, GUINT_TO_POINTER (list + 1));

  if (neighbours != NULL)
    return neighbours;
  neighbours = g_new (guint32, MAX (*n, 1));
  for (guint32 i = 0; i < *n; i++)
    neighbours[i] = ranks[i] >= 0 ? (guint32) ranks[i] : PD_NO_NEIGHBOR;
  g_hash_table_insert (known, GUINT_TO_POINTER (list + 1), neighbours);
  return neighbours;
}

static const gint64 *
counts_of (const PdMp *self, guint32 counts)
{
  return counts != PD_PROGRAM_NONE ? pd_program_get_counts (self->program, counts, NULL) : NULL;
}

PdCollective
pd_mp_collective_arguments (PdMp *self, const PdAction *action)
{
  PdCollective collective = { .op = pd_mp_get_op (action->op),
                              .root = (guint32) action->peer,
                              .bytes = action->bytes,
                              .is_equal = !pd_program_has_counts (self->program),
                              .is_measured = action->sent_bytes > 0 || action->recv_bytes > 0,
                              .sent_bytes = action->sent_bytes,
                              .recv_bytes = action->recv_bytes,
                              .send_counts = counts_of (self, action->send_counts),
                              .recv_counts = counts_of (self, action->recv_counts) };

  if (action->sources != PD_PROGRAM_NONE)
    collective.sources = find_neighbours (self, action->sources, &collective.n_sources);
  if (action->targets != PD_PROGRAM_NONE)
    collective.targets = find_neighbours (self, action->targets, &collective.n_targets);
  return collective;
}

/* Programs without any vectors of bytes, as those of Dimemas, need none. */
gboolean
pd_mp_collective_is_complete (const PdMp *self, const PdAction *action, gint64 me)
{
  gboolean is_root = me == action->peer;

  if (!pd_program_has_counts (self->program))
    return me >= 0;
  switch (action->op)
    {
    case PD_COLL_GATHERV:
      return me >= 0 && (!is_root || action->recv_counts != PD_PROGRAM_NONE);
    case PD_COLL_SCATTERV:
      return me >= 0 && (!is_root || action->send_counts != PD_PROGRAM_NONE);
    case PD_COLL_ALLGATHERV:
      return me >= 0 && action->recv_counts != PD_PROGRAM_NONE;
    case PD_COLL_NEIGHBOR_ALLGATHERV:
      return me >= 0
             && (action->recv_counts != PD_PROGRAM_NONE || action->sources == PD_PROGRAM_NONE);
    case PD_COLL_ALLTOALLV:
    case PD_COLL_ALLTOALLW:
      return me >= 0 && action->send_counts != PD_PROGRAM_NONE
             && action->recv_counts != PD_PROGRAM_NONE;
    case PD_COLL_NEIGHBOR_ALLTOALLV:
    case PD_COLL_NEIGHBOR_ALLTOALLW:
      return me >= 0
             && (action->recv_counts != PD_PROGRAM_NONE || action->sources == PD_PROGRAM_NONE)
             && (action->send_counts != PD_PROGRAM_NONE || action->targets == PD_PROGRAM_NONE);
    default:
      return me >= 0;
    }
}
