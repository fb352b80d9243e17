/* From programs to graphs: what each action becomes, collective operations apart.
 * SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-graph-from-private.h"
#include "predictor/graph/pd-graph-from-calls-private.h"
#include "predictor/graph/pd-graph-from-collective-private.h"
#include "predictor/graph/pd-graph-from-program-private.h"
#include "traces/program/pd-action.h"

/* ---- point to point */

PdGraphSlot *
pd_graph_maker_slot (PdGraphMaker *self, guint32 slot)
{
  return &self->slots[slot];
}

void
pd_graph_slot_add (PdGraphSlot *slot, PdGraphLink link)
{
  if (slot->ends == NULL)
    slot->ends = g_array_new (FALSE, FALSE, sizeof (PdGraphLink));
  g_array_append_val (slot->ends, link);
}

static guint32
world_rank (const PdGraphMaker *self, guint32 comm, gint32 peer)
{
  guint32 n;
  const guint32 *ranks = pd_program_get_comm (self->program, comm, &n);

  if (peer == PD_PROGRAM_ANY)
    return PD_GRAPH_ANY;
  return ranks != NULL ? ranks[peer] : (guint32) peer;
}

static guint32
get_tag (PdGraphMaker *self, const PdAction *action, gint32 tag)
{
  if (tag != PD_PROGRAM_ANY)
    return pd_graph_maker_tag (self, PD_TAG_USER, action->comm, (guint32) tag);
  if (self->n_comms > 1 || self->many_contexts)
    pd_graph_maker_lose (self,
                         "a receive with any tag may get messages of another communicator or of a "
                         "collective operation");
  return PD_GRAPH_ANY;
}

typedef struct
{
  gboolean is_send;
  gint32 peer;
  gint32 tag;
  gint64 bytes;
} Message;

/* FALSE: the message is to or from nobody. */
static gboolean
add_message (PdGraphMaker *self, const PdAction *action, Message message, guint32 *index)
{
  PdGraphOp op = { .kind = message.is_send ? PD_GRAPH_SEND : PD_GRAPH_RECV, .size = message.bytes };

  if (message.peer == PD_PROGRAM_PROC_NULL)
    return FALSE;
  if ((message.peer == PD_PROGRAM_ANY && action->matched_peer != PD_PROGRAM_ANY)
      || (message.tag == PD_PROGRAM_ANY && action->matched_tag != PD_PROGRAM_ANY))
    pd_graph_maker_lose (
        self, "the source that a wildcard receive matched in the recorded run is omitted");
  op.peer = world_rank (self, action->comm, message.peer);
  op.tag = get_tag (self, action, message.tag);
  *index = pd_graph_chain_add (&self->chain, &op);
  return TRUE;
}

static gboolean
is_send (PdActionKind kind)
{
  return (kind >= PD_ACT_SEND && kind <= PD_ACT_IRSEND)
         || (kind >= PD_ACT_SEND_INIT && kind <= PD_ACT_RSEND_INIT);
}

/* The modes of sending that a graph does not know. */
static void
check_mode (PdGraphMaker *self, PdActionKind kind)
{
  if (kind == PD_ACT_BSEND || kind == PD_ACT_IBSEND || kind == PD_ACT_BSEND_INIT)
    pd_graph_maker_lose (self, "a buffered send becomes a standard one");
  else if (kind == PD_ACT_SSEND || kind == PD_ACT_ISSEND || kind == PD_ACT_SSEND_INIT)
    pd_graph_maker_lose (self, "a synchronous send becomes a standard one");
}

static gboolean
make_blocking (PdGraphMaker *self, const PdAction *action, GError **error G_GNUC_UNUSED)
{
  Message message = { is_send (action->kind), action->peer, action->tag, action->bytes };
  guint32 op;

  check_mode (self, action->kind);
  if (add_message (self, action, message, &op))
    pd_graph_chain_follow (&self->chain, op, FALSE);
  return TRUE;
}

/* Starts a message; its end is added to @slot. */
static void
start_message (PdGraphMaker *self, const PdAction *action, Message message, PdGraphSlot *slot)
{
  guint32 op;

  slot->active = TRUE;
  if (!add_message (self, action, message, &op))
    return;
  pd_graph_chain_follow (&self->chain, op, TRUE);
  pd_graph_slot_add (slot, (PdGraphLink){ op, FALSE });
}

static void
wait_for (PdGraphMaker *self, PdGraphSlot *slot)
{
  for (guint i = 0; slot->ends != NULL && i < slot->ends->len; i++)
    {
      if (i == 0)
        pd_graph_chain_flush (&self->chain);
      pd_graph_chain_join (&self->chain, g_array_index (slot->ends, PdGraphLink, i));
    }
  if (slot->ends != NULL)
    g_array_set_size (slot->ends, 0);
  slot->active = FALSE;
}

static gboolean
make_sendrecv (PdGraphMaker *self, const PdAction *action, GError **error G_GNUC_UNUSED)
{
  PdGraphSlot both = { 0 };

  start_message (self, action, (Message){ TRUE, action->peer, action->tag, action->bytes }, &both);
  start_message (self, action,
                 (Message){ FALSE, action->recv_peer, action->recv_tag, action->recv_bytes },
                 &both);
  wait_for (self, &both);
  if (both.ends != NULL)
    g_array_unref (both.ends);
  return TRUE;
}

static gboolean
make_starting (PdGraphMaker *self, const PdAction *action, GError **error G_GNUC_UNUSED)
{
  Message message = { is_send (action->kind), action->peer, action->tag, action->bytes };

  check_mode (self, action->kind);
  start_message (self, action, message, pd_graph_maker_slot (self, action->request));
  return TRUE;
}

static gboolean
make_persistent (PdGraphMaker *self, const PdAction *action, GError **error G_GNUC_UNUSED)
{
  PdGraphSlot *slot = pd_graph_maker_slot (self, action->request);

  check_mode (self, action->kind);
  g_free (slot->start);
  slot->start = g_new (PdAction, 1);
  *slot->start = *action;
  return TRUE;
}

static gboolean
make_start (PdGraphMaker *self, const PdAction *action, GError **error G_GNUC_UNUSED)
{
  for (guint32 i = 0; i < action->n_slots; i++)
    {
      PdGraphSlot *slot = pd_graph_maker_slot (self, action->slots[i]);
      const PdAction *start = slot->start;

      if (start != NULL)
        start_message (self, start,
                       (Message){ is_send (start->kind), start->peer, start->tag, start->bytes },
                       slot);
    }
  return TRUE;
}

/* ---- completion */

static gboolean
make_wait (PdGraphMaker *self, const PdAction *action, GError **error G_GNUC_UNUSED)
{
  wait_for (self, pd_graph_maker_slot (self, action->request));
  return TRUE;
}

static gboolean
make_waitall (PdGraphMaker *self, const PdAction *action, GError **error G_GNUC_UNUSED)
{
  for (guint32 i = 0; i < action->n_slots; i++)
    wait_for (self, pd_graph_maker_slot (self, action->slots[i]));
  for (guint32 i = 0; action->n_slots == 0 && i < self->n_slots; i++)
    if (self->slots[i].active)
      wait_for (self, &self->slots[i]);
  return TRUE;
}

/* Of a wait or test for some the recorded ones are waited for; of a successful one for
 * all, all. */
static gboolean
make_some (PdGraphMaker *self, const PdAction *action, GError **error)
{
  if (action->kind == PD_ACT_TESTALL && action->n_done > 0)
    return make_waitall (self, action, error);
  if (action->has_done)
    {
      for (guint32 i = 0; i < action->n_done; i++)
        wait_for (self, pd_graph_maker_slot (self, action->slots[action->done[i]]));
      return TRUE;
    }
  if (action->kind == PD_ACT_WAITANY || action->kind == PD_ACT_WAITSOME)
    {
      pd_graph_maker_lose (self, "which request completed is not recorded: all are waited for");
      return make_waitall (self, action, error);
    }
  pd_graph_maker_lose (self, "whether a test was successful is not recorded: it is left out");
  return TRUE;
}

static gboolean
make_test (PdGraphMaker *self, const PdAction *action, GError **error G_GNUC_UNUSED)
{
  if (!action->has_done)
    pd_graph_maker_lose (self, "whether a test was successful is not recorded: it is left out");
  else if (action->n_done > 0)
    wait_for (self, pd_graph_maker_slot (self, action->request));
  return TRUE;
}

/* The operation of the request continues without a wait for it. */
static void
forget (PdGraphMaker *self, PdGraphSlot *slot, const char *text)
{
  if (slot->ends != NULL && slot->ends->len > 0)
    {
      pd_graph_maker_lose (self, text);
      g_array_set_size (slot->ends, 0);
    }
  slot->active = FALSE;
}

static gboolean
make_free (PdGraphMaker *self, const PdAction *action, GError **error G_GNUC_UNUSED)
{
  PdGraphSlot *slot = pd_graph_maker_slot (self, action->request);

  forget (self, slot, "a rank ends after a message whose request was given back, too");
  g_clear_pointer (&slot->start, g_free);
  return TRUE;
}

static gboolean
make_cancel (PdGraphMaker *self, const PdAction *action, GError **error G_GNUC_UNUSED)
{
  forget (self, pd_graph_maker_slot (self, action->request),
          "a cancelled message stays, and is not waited for");
  return TRUE;
}

/* ---- the rest */

static gboolean
compute (PdGraphMaker *self, PdAmount amount, GError **error)
{
  PdTime time = amount.time;

  if (pd_program_get_unit (self->program) == PD_AMOUNT_FLOPS
      && !pd_time_from_seconds (amount.flops / self->options->flops, &time))
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT,
                   "rank %" G_GUINT32_FORMAT ": a computation of more than 106 days", self->rank);
      return FALSE;
    }
  pd_graph_chain_compute (&self->chain, time);
  return TRUE;
}

static gboolean
make_compute (PdGraphMaker *self, const PdAction *action, GError **error)
{
  return compute (self, action->amount, error);
}

static gboolean
make_delay (PdGraphMaker *self, const PdAction *action, GError **error G_GNUC_UNUSED)
{
  pd_graph_maker_lose (self, "a delay, or a call that is not modelled, becomes computation");
  pd_graph_chain_compute (&self->chain, action->amount.time);
  return TRUE;
}

static gboolean
make_collective (PdGraphMaker *self, const PdAction *action, GError **error)
{
  return pd_graph_make_collective (self, action, error) && compute (self, action->amount, error);
}

static gboolean
make_fence (PdGraphMaker *self, const PdAction *action, GError **error)
{
  PdAction barrier;

  pd_graph_maker_lose (self, "a fence becomes a barrier");
  pd_action_init (&barrier, PD_ACT_COLLECTIVE);
  barrier.op = PD_COLL_BARRIER;
  barrier.comm = action->comm;
  return pd_graph_make_collective (self, &barrier, error);
}

static gboolean
make_one_sided (PdGraphMaker *self, const PdAction *action G_GNUC_UNUSED,
                GError **error G_GNUC_UNUSED)
{
  pd_graph_maker_lose (self, "one-sided communication is left out");
  return TRUE;
}

static gboolean
make_probe (PdGraphMaker *self, const PdAction *action G_GNUC_UNUSED, GError **error G_GNUC_UNUSED)
{
  pd_graph_maker_lose (self, "a probe is left out");
  return TRUE;
}

static gboolean
make_mark (PdGraphMaker *self, const PdAction *action G_GNUC_UNUSED, GError **error G_GNUC_UNUSED)
{
  pd_graph_maker_drop (self);
  return TRUE;
}

static gboolean
make_nothing (PdGraphMaker *self G_GNUC_UNUSED, const PdAction *action G_GNUC_UNUSED,
              GError **error G_GNUC_UNUSED)
{
  return TRUE;
}

typedef gboolean (*MakeFunc) (PdGraphMaker *self, const PdAction *action, GError **error);

static const MakeFunc makers[PD_N_ACTS] = {
  [PD_ACT_COMPUTE] = make_compute,
  [PD_ACT_DELAY] = make_delay,
  [PD_ACT_SEND] = make_blocking,
  [PD_ACT_BSEND] = make_blocking,
  [PD_ACT_SSEND] = make_blocking,
  [PD_ACT_RSEND] = make_blocking,
  [PD_ACT_ISEND] = make_starting,
  [PD_ACT_IBSEND] = make_starting,
  [PD_ACT_ISSEND] = make_starting,
  [PD_ACT_IRSEND] = make_starting,
  [PD_ACT_RECV] = make_blocking,
  [PD_ACT_IRECV] = make_starting,
  [PD_ACT_SENDRECV] = make_sendrecv,
  [PD_ACT_SEND_INIT] = make_persistent,
  [PD_ACT_BSEND_INIT] = make_persistent,
  [PD_ACT_SSEND_INIT] = make_persistent,
  [PD_ACT_RSEND_INIT] = make_persistent,
  [PD_ACT_RECV_INIT] = make_persistent,
  [PD_ACT_START] = make_start,
  [PD_ACT_REQUEST_FREE] = make_free,
  [PD_ACT_CANCEL] = make_cancel,
  [PD_ACT_WAIT] = make_wait,
  [PD_ACT_WAITALL] = make_waitall,
  [PD_ACT_WAITANY] = make_some,
  [PD_ACT_WAITSOME] = make_some,
  [PD_ACT_TEST] = make_test,
  [PD_ACT_TESTALL] = make_some,
  [PD_ACT_TESTANY] = make_some,
  [PD_ACT_TESTSOME] = make_some,
  [PD_ACT_PROBE] = make_probe,
  [PD_ACT_IPROBE] = make_probe,
  [PD_ACT_COLLECTIVE] = make_collective,
  [PD_ACT_ICOLLECTIVE] = make_collective,
  [PD_ACT_COMM_FREE] = make_nothing,
  [PD_ACT_PUT] = make_one_sided,
  [PD_ACT_GET] = make_one_sided,
  [PD_ACT_ACCUMULATE] = make_one_sided,
  [PD_ACT_GET_ACCUMULATE] = make_one_sided,
  [PD_ACT_RPUT] = make_one_sided,
  [PD_ACT_RGET] = make_one_sided,
  [PD_ACT_RACCUMULATE] = make_one_sided,
  [PD_ACT_RGET_ACCUMULATE] = make_one_sided,
  [PD_ACT_WIN_FENCE] = make_fence,
  [PD_ACT_WIN_LOCK] = make_one_sided,
  [PD_ACT_WIN_UNLOCK] = make_one_sided,
  [PD_ACT_WIN_FLUSH] = make_one_sided,
  [PD_ACT_WIN_POST] = make_one_sided,
  [PD_ACT_WIN_START] = make_one_sided,
  [PD_ACT_WIN_COMPLETE] = make_one_sided,
  [PD_ACT_WIN_WAIT] = make_one_sided,
  [PD_ACT_OTHER] = make_delay,
  [PD_ACT_LOCAL] = make_delay,
  [PD_ACT_ENTER] = make_mark,
  [PD_ACT_LEAVE] = make_mark,
  [PD_ACT_LOCATION] = make_mark,
  [PD_ACT_ALIKE_BEGIN] = make_mark,
  [PD_ACT_ALIKE_END] = make_mark,
};

gboolean
pd_graph_make_action (PdGraphMaker *self, const PdAction *action, GError **error)
{
  return makers[action->kind](self, action, error);
}
