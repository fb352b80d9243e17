/* Collective operations as the messages of their schedules.
 * SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-graph-from-private.h"
#include "predictor/common/pd-mp-collective-ops.h"
#include "comsys/comm/pd-comm.h"
#include "predictor/graph/pd-graph-from-calls-private.h"
#include "predictor/graph/pd-graph-from-collective-private.h"
#include "predictor/graph/pd-graph-from-program-private.h"

/* ---- arguments */

static const gint64 *
get_counts (const PdGraphMaker *self, guint32 counts)
{
  return counts != PD_PROGRAM_NONE ? pd_program_get_counts (self->program, counts, NULL) : NULL;
}

/* A list of neighbours, as ComSys wants it; @n is its length. */
static guint32 *
get_neighbours (const PdGraphMaker *self, guint32 counts, guint32 *n)
{
  const gint64 *list;
  guint32 *ranks;

  *n = 0;
  if (counts == PD_PROGRAM_NONE)
    return NULL;
  list = pd_program_get_counts (self->program, counts, n);
  ranks = g_new (guint32, *n);
  for (guint32 i = 0; i < *n; i++)
    ranks[i] = list[i] < 0 ? PD_NO_NEIGHBOR : (guint32) list[i];
  return ranks;
}

/* ---- steps */

static guint32
add_message (PdGraphChain *chain, PdGraphKind kind, guint32 tag, const PdScheduleStep *step)
{
  gboolean is_send = kind == PD_GRAPH_SEND;
  PdGraphOp op = { .kind = kind,
                   .size = is_send ? step->send_bytes : step->recv_bytes,
                   .peer = is_send ? step->to : step->from,
                   .tag = tag };

  return pd_graph_chain_add (chain, &op);
}

static void
add_started (PdGraphChain *chain, PdGraphKind kind, guint32 tag, const PdScheduleStep *step,
             GArray *started)
{
  PdGraphLink link = { add_message (chain, kind, tag, step), FALSE };

  pd_graph_chain_follow (chain, link.op, TRUE);
  g_array_append_val (started, link);
}

static void
join_started (PdGraphChain *chain, GArray *started)
{
  for (guint i = 0; i < started->len; i++)
    pd_graph_chain_join (chain, g_array_index (started, PdGraphLink, i));
  g_array_set_size (started, 0);
}

/* @started: what the next WAITALL is for. */
static void
add_step (PdGraphChain *chain, const PdScheduleStep *step, guint32 tag, GArray *started)
{
  g_autoptr (GArray) both = NULL;

  switch (step->kind)
    {
    case PD_SCHEDULE_SEND:
      pd_graph_chain_follow (chain, add_message (chain, PD_GRAPH_SEND, tag, step), FALSE);
      break;
    case PD_SCHEDULE_RECV:
      pd_graph_chain_follow (chain, add_message (chain, PD_GRAPH_RECV, tag, step), FALSE);
      break;
    case PD_SCHEDULE_SENDRECV:
      both = g_array_new (FALSE, FALSE, sizeof (PdGraphLink));
      add_started (chain, PD_GRAPH_SEND, tag, step, both);
      add_started (chain, PD_GRAPH_RECV, tag, step, both);
      join_started (chain, both);
      break;
    case PD_SCHEDULE_ISEND:
      add_started (chain, PD_GRAPH_SEND, tag, step, started);
      break;
    case PD_SCHEDULE_IRECV:
      add_started (chain, PD_GRAPH_RECV, tag, step, started);
      break;
    case PD_SCHEDULE_WAITALL:
      join_started (chain, started);
      break;
    case PD_SCHEDULE_LOCAL:
      break; /* costs nothing on the machine that chooses the algorithms */
    }
}

static void
walk_steps (PdGraphMaker *self, PdGraphChain *chain, guint32 tag)
{
  g_autoptr (GArray) started = g_array_new (FALSE, FALSE, sizeof (PdGraphLink));
  PdScheduleStep step;

  while (pd_schedule_walk_next (self->walk, &step))
    add_step (chain, &step, tag, started);
}

/* The operation goes on beside the rank, which waits for its end some time. */
static void
walk_nonblocking (PdGraphMaker *self, const PdAction *action)
{
  guint32 number = self->n_nonblocking[action->comm]++;
  PdGraphSlot *slot = pd_graph_maker_slot (self, action->request);

  pd_graph_chain_flush (&self->chain);
  pd_graph_chain_fork (&self->nonblocking, &self->chain);
  walk_steps (self, &self->nonblocking,
              pd_graph_maker_tag (self, PD_TAG_NONBLOCKING, action->comm, number));
  slot->active = TRUE;
  for (guint i = 0; i < self->nonblocking.front->len; i++)
    pd_graph_slot_add (slot, g_array_index (self->nonblocking.front, PdGraphLink, i));
}

gboolean
pd_graph_make_collective (PdGraphMaker *self, const PdAction *action, GError **error)
{
  PdCollective collective = { .op = pd_mp_get_op (action->op),
                              .root = action->peer > 0 ? (guint32) action->peer : 0,
                              .bytes = action->bytes,
                              .send_counts = get_counts (self, action->send_counts),
                              .recv_counts = get_counts (self, action->recv_counts) };
  g_autofree guint32 *sources = get_neighbours (self, action->sources, &collective.n_sources);
  g_autofree guint32 *targets = get_neighbours (self, action->targets, &collective.n_targets);
  PdComm *comm = self->comms[action->comm];

  if (pd_comm_get_rank (comm, self->rank) < 0)
    {
      pd_graph_maker_lose (self, "a call of a rank that is no member");
      return TRUE;
    }
  collective.sources = sources;
  collective.targets = targets;
  if (!pd_schedule_walk_begin (self->walk, self->rank, comm, &collective))
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE,
                   "the set of collective operations '%s' has no messages, which a graph needs",
                   self->options->collectives);
      return FALSE;
    }
  if (action->kind == PD_ACT_ICOLLECTIVE)
    walk_nonblocking (self, action);
  else
    walk_steps (self, &self->chain, pd_graph_maker_tag (self, PD_TAG_BLOCKING, action->comm, 0));
  return TRUE;
}
