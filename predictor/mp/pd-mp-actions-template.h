/* The actions of message-passing programs, written once for both engines that execute them: see
 * pd-mp-engine-template.h. Each executes the action at the rank's cell and returns whether the rank
 * has completed it; else the rank waits in it, or before it for its turn.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_ACTIONS_TEMPLATE_H
#define PD_MP_ACTIONS_TEMPLATE_H

#include "analyse/pd-marked.h"
#include "predictor/mp/pd-mp-actions.h"
#include "predictor/mp/pd-mp-collective-template.h"
#include "predictor/mp/pd-mp-engine-template.h"
#include "predictor/mp/pd-mp-intervals.h"
#include "predictor/mp/pd-mp-waits.h"

/* ---- computation */

static gboolean
act_compute (Engine *self, guint32 rank, Rank *r)
{
  if (!may_compute (self, rank, r))
    return FALSE;
  compute (self, rank, r, r->cell->amount);
  r->cell = pd_mp_next (r->cell);
  return TRUE;
}

static gboolean
act_delay (Engine *self, guint32 rank, Rank *r)
{
  delay (self, rank, r, r->cell->amount.time);
  r->cell = pd_mp_next (r->cell);
  return TRUE;
}

/* ---- messages */

static inline Message
read_message (const Engine *self, const PdProgramCell *cell)
{
  static const PdSendMode modes[PD_N_ACTS] = {
    [PD_ACT_BSEND] = PD_SEND_BUFFERED,      [PD_ACT_IBSEND] = PD_SEND_BUFFERED,
    [PD_ACT_BSEND_INIT] = PD_SEND_BUFFERED, [PD_ACT_SSEND] = PD_SEND_SYNCHRONOUS,
    [PD_ACT_ISSEND] = PD_SEND_SYNCHRONOUS,  [PD_ACT_SSEND_INIT] = PD_SEND_SYNCHRONOUS,
    [PD_ACT_RSEND] = PD_SEND_READY,         [PD_ACT_IRSEND] = PD_SEND_READY,
    [PD_ACT_RSEND_INIT] = PD_SEND_READY,
  };
  const PdMp *mp = shared (self);
  PdSendMode mode = modes[cell->kind & ~PD_CELL_MORE];
  PdAction action;

  if (G_LIKELY ((cell->kind & PD_CELL_MORE) == 0))
    return (Message){
      mp->comms[cell->comm], { cell->peer, cell->tag, cell->bytes }, mode, cell->request
    };
  pd_action_read (cell, &action);
  return (Message){ mp->comms[action.comm], pd_mp_recorded_envelope (mp, &action), mode,
                    action.request };
}

static gboolean
act_send (Engine *self, guint32 rank, Rank *r)
{
  if (!may_call (self, rank, r))
    return FALSE;
  Message m = read_message (self, r->cell);
  account_of (r)->n_sends++;
  return call_returns (r, send_message (self, begin_call (rank, r), &m), PD_MP_SENDRECV);
}

static gboolean
act_recv (Engine *self, guint32 rank, Rank *r)
{
  if (!may_call (self, rank, r))
    return FALSE;
  Message m = read_message (self, r->cell);
  account_of (r)->n_receives++;
  return call_returns (r, recv_message (self, begin_call (rank, r), &m), PD_MP_SENDRECV);
}

static gboolean
act_isend (Engine *self, guint32 rank, Rank *r)
{
  if (!may_call (self, rank, r))
    return FALSE;
  Message m = read_message (self, r->cell);
  PdRequest *slot = free_slot (self, r, m.request);
  account_of (r)->n_sends++;
  return call_returns (r, start_send (self, begin_call (rank, r), &m, slot), PD_MP_SENDRECV);
}

static gboolean
act_irecv (Engine *self, guint32 rank, Rank *r)
{
  if (!may_call (self, rank, r))
    return FALSE;
  Message m = read_message (self, r->cell);
  PdRequest *slot = free_slot (self, r, m.request);
  account_of (r)->n_receives++;
  return call_returns (r, start_recv (self, begin_call (rank, r), &m, slot), PD_MP_SENDRECV);
}

static gboolean
act_sendrecv (Engine *self, guint32 rank, Rank *r)
{
  PdAction action;

  if (!may_act (self, rank, r))
    return FALSE;
  pd_action_read (r->cell, &action);
  const PdEnvelope sent = { action.peer, action.tag, action.bytes };
  action.peer = action.recv_peer;
  action.tag = action.recv_tag;
  action.bytes = action.recv_bytes;
  PdExchange both = { sent, pd_mp_recorded_envelope (shared (self), &action) };
  account_of (r)->n_sends++;
  account_of (r)->n_receives++;
  return call_returns (
      r, exchange (self, begin_call (rank, r), shared (self)->comms[action.comm], &both),
      PD_MP_SENDRECV);
}

/* ---- waits and tests, by the recorded outcome: a test that was successful is a
 * wait, one that was not costs its time; Waitany waits for the recorded request */

static gboolean
act_wait (Engine *self, guint32 rank, Rank *r)
{
  PdAction action = { .request = r->cell->request };

  if (!may_call (self, rank, r))
    return FALSE;
  if (G_UNLIKELY ((r->cell->kind & PD_CELL_MORE) != 0))
    pd_action_read (r->cell, &action);
  account_of (r)->n_waits++;
  return call_returns (r, wait_one (self, begin_call (rank, r), &r->slots[action.request]),
                       PD_MP_SENDRECV);
}

/* Waits for the requests in @action's slots: those of @done, or all. */
static gboolean
wait_for (Engine *self, guint32 rank, Rank *r, const PdAction *action, gboolean done)
{
  guint32 n = done ? action->n_done : action->n_slots;
  const PdMpSlots slots = { action->slots, done ? action->done : NULL, n };
  g_autofree PdRequest *many = n > PD_MP_FEW ? g_new (PdRequest, n) : NULL;
  PdRequest few[PD_MP_FEW], *requests = many != NULL ? many : few;

  pd_mp_slots_take (&slots, r->slots, requests);
  gboolean over = wait_all (self, begin_call (rank, r), requests, n);
  pd_mp_slots_put_back (&slots, r->slots, requests);
  return call_returns (r, over, PD_MP_SENDRECV);
}

static gboolean
act_waitall (Engine *self, guint32 rank, Rank *r)
{
  PdAction action = { .n_slots = 0 };

  if (!may_act (self, rank, r))
    return FALSE;
  account_of (r)->n_waits++;
  if ((r->cell->kind & PD_CELL_MORE) != 0)
    pd_action_read (r->cell, &action);
  if (action.n_slots > 0)
    return wait_for (self, rank, r, &action, FALSE);
  guint32 n = pd_program_get_n_slots (shared (self)->program, rank);
  return call_returns (r, wait_all (self, begin_call (rank, r), r->slots, n), PD_MP_SENDRECV);
}

static gboolean
act_waitany (Engine *self, guint32 rank, Rank *r)
{
  PdAction action;

  if (!may_act (self, rank, r))
    return FALSE;
  pd_action_read (r->cell, &action);
  account_of (r)->n_waits++;
  if (action.has_done && !shared (self)->options->simulated)
    return wait_for (self, rank, r, &action, TRUE);
  return find_out (self, rank, r, &action);
}

static gboolean
act_test (Engine *self, guint32 rank, Rank *r)
{
  PdAction action;

  if (!may_act (self, rank, r))
    return FALSE;
  pd_action_read (r->cell, &action);
  account_of (r)->n_waits++;
  if (!action.has_done)
    return find_out (self, rank, r, &action);
  if (action.n_done == 0)
    return call_returns (r, test_nothing (self, begin_call (rank, r)), PD_MP_SENDRECV);
  action.n_slots = action.kind == PD_ACT_TEST ? 1 : action.n_slots;
  action.slots = action.kind == PD_ACT_TEST ? &action.request : action.slots;
  return wait_for (self, rank, r, &action, action.kind != PD_ACT_TESTALL);
}

/* ---- persistent requests */

static gboolean
act_persistent (Engine *self, guint32 rank, Rank *r)
{
  Message m = read_message (self, r->cell);
  PdRequest *slot = free_slot (self, r, m.request);

  *slot = make_persistent (self, rank, &m, (r->cell->kind & ~PD_CELL_MORE) == PD_ACT_RECV_INIT);
  r->cell = pd_mp_next (r->cell);
  return TRUE;
}

/* Starts those that can be started, and warns of the others. While they are listed
 * their slots are empty, so that none is listed twice. */
static guint32
list_startable (Engine *self, guint32 rank, Rank *r, const PdAction *action, PdRequest *requests)
{
  g_autofree guint32 *from = g_new (guint32, MAX (action->n_slots, 1));
  guint32 n = 0;

  for (guint32 i = 0; i < action->n_slots; i++)
    {
      PdRequest *slot = &r->slots[action->slots[i]];
      gboolean is_recv;
      if (!may_start (self, rank, *slot, &is_recv))
        {
          note (self, rank, "not-startable", "MPI_Start",
                "of a request that is not persistent, or under way: left out");
          continue;
        }
      account_of (r)->n_receives += is_recv ? 1 : 0;
      account_of (r)->n_sends += is_recv ? 0 : 1;
      from[n] = action->slots[i];
      requests[n++] = *slot;
      *slot = PD_REQUEST_NULL;
    }
  for (guint32 i = 0; i < n; i++)
    r->slots[from[i]] = requests[i];
  return n;
}

static gboolean
act_start (Engine *self, guint32 rank, Rank *r)
{
  PdAction action;

  if (!may_act (self, rank, r))
    return FALSE;
  pd_action_read (r->cell, &action);
  g_autofree PdRequest *requests = g_new (PdRequest, MAX (action.n_slots, 1));
  guint32 n = list_startable (self, rank, r, &action, requests);
  return call_returns (r, start_all (self, begin_call (rank, r), requests, n), PD_MP_SENDRECV);
}

static gboolean
act_request_free (Engine *self, guint32 rank, Rank *r)
{
  PdAction action;

  if (!may_free (self, rank, r))
    return FALSE;
  const PdProgramCell *next = pd_action_read (r->cell, &action);
  free_slot (self, r, action.request);
  r->cell = next;
  return TRUE;
}

/* ---- calls outside the model */

static gboolean
act_comm_free (Engine *self G_GNUC_UNUSED, guint32 rank G_GNUC_UNUSED, Rank *r)
{
  r->cell = pd_mp_next (r->cell);
  return TRUE;
}

static gboolean
act_local (Engine *self, guint32 rank, Rank *r)
{
  PdAction action;
  const PdProgramCell *next = pd_action_read (r->cell, &action);

  pass (self, rank, r, action.amount.time);
  r->cell = next;
  return TRUE;
}

/* ---- intervals */

static gboolean
act_enter (Engine *self, guint32 rank, Rank *r)
{
  move_to (self, rank, r, pd_mp_find_node (shared (self), r->node, (guint32) r->cell->peer));
  count_entered (self, rank, r);
  r->cell = pd_mp_next (r->cell);
  return TRUE;
}

static gboolean
act_leave (Engine *self, guint32 rank, Rank *r)
{
  const PdMp *mp = shared (self);
  PdIntervalKey key =
      pd_marked_key (pd_program_get_interval (mp->program, (guint32) r->cell->peer));
  guint32 open = pd_marked_find_open (mp->tree, r->node, &key);
  const char *wrong = pd_marked_mismatch (r->node, open);

  if (wrong != NULL)
    note (self, rank, "interval-mismatch", pd_marked_name (&key), wrong);
  if (open != PD_INTERVAL_ROOT)
    move_to (self, rank, r, pd_interval_tree_get_parent (mp->tree, open));
  r->cell = pd_mp_next (r->cell);
  return TRUE;
}

/* The following actions belong to a place, which may have a ratio of its own. */
static gboolean
act_location (Engine *self, guint32 rank, Rank *r)
{
  PdAction action;
  const PdProgramCell *next = pd_action_read (r->cell, &action);

  set_place (self, rank, r, pd_program_get_string (shared (self)->program, action.name),
             action.line);
  r->cell = next;
  return TRUE;
}

/* A stretch of computation begins or ends that @n_alike ranks do alike. */
static gboolean
act_alike (Engine *self, guint32 rank, Rank *r)
{
  gboolean begins = (r->cell->kind & ~PD_CELL_MORE) == PD_ACT_ALIKE_BEGIN;
  PdMp *mp = shared (self);

  if (mp->alike == NULL)
    mp->alike = pd_program_count_alike (mp->program);
  settle (self, rank, r);
  r->n_alike =
      begins ? GPOINTER_TO_UINT (g_hash_table_lookup (mp->alike, GINT_TO_POINTER (r->cell->tag)))
             : 0;
  r->cell = pd_mp_next (r->cell);
  return TRUE;
}

/* ---- loops */

static gboolean
act_loop (Engine *self, guint32 rank, Rank *r)
{
  r->cell = pd_loops_pass (&shared (self)->loops[rank], r->cell);
  return TRUE;
}

static gboolean
act_sample (Engine *self, guint32 rank, Rank *r)
{
  gboolean is_computation = r->cell->request == PD_ACT_COMPUTE;

  if (is_computation && !may_compute (self, rank, r))
    return FALSE;
  PdAmount amount = pd_sample_read (&shared (self)->loops[rank].sample);
  if (is_computation)
    compute (self, rank, r, amount);
  else
    pass (self, rank, r, amount.time);
  r->cell = pd_mp_next (r->cell);
  return TRUE;
}

/* ---- all kinds */

/* NULL: the engine does not know the kind. */
typedef gboolean (*Act) (Engine *self, guint32 rank, Rank *r);

static const Act acts[PD_N_CELL_KINDS] = { [PD_ACT_COMPUTE] = act_compute,
                                           [PD_ACT_DELAY] = act_delay,
                                           [PD_ACT_SEND] = act_send,
                                           [PD_ACT_BSEND] = act_send,
                                           [PD_ACT_SSEND] = act_send,
                                           [PD_ACT_RSEND] = act_send,
                                           [PD_ACT_ISEND] = act_isend,
                                           [PD_ACT_IBSEND] = act_isend,
                                           [PD_ACT_ISSEND] = act_isend,
                                           [PD_ACT_IRSEND] = act_isend,
                                           [PD_ACT_RECV] = act_recv,
                                           [PD_ACT_IRECV] = act_irecv,
                                           [PD_ACT_SENDRECV] = act_sendrecv,
                                           [PD_ACT_SEND_INIT] = act_persistent,
                                           [PD_ACT_BSEND_INIT] = act_persistent,
                                           [PD_ACT_SSEND_INIT] = act_persistent,
                                           [PD_ACT_RSEND_INIT] = act_persistent,
                                           [PD_ACT_RECV_INIT] = act_persistent,
                                           [PD_ACT_START] = act_start,
                                           [PD_ACT_REQUEST_FREE] = act_request_free,
                                           [PD_ACT_WAIT] = act_wait,
                                           [PD_ACT_WAITALL] = act_waitall,
                                           [PD_ACT_WAITANY] = act_waitany,
                                           [PD_ACT_WAITSOME] = act_waitany,
                                           [PD_ACT_TEST] = act_test,
                                           [PD_ACT_TESTALL] = act_test,
                                           [PD_ACT_TESTANY] = act_test,
                                           [PD_ACT_TESTSOME] = act_test,
                                           [PD_ACT_COLLECTIVE] = act_collective,
                                           [PD_ACT_ICOLLECTIVE] = act_icollective,
                                           [PD_ACT_COMM_FREE] = act_comm_free,
                                           [PD_ACT_OTHER] = act_not_modelled,
                                           [PD_ACT_LOCAL] = act_local,
                                           [PD_ACT_ENTER] = act_enter,
                                           [PD_ACT_LEAVE] = act_leave,
                                           [PD_ACT_LOCATION] = act_location,
                                           [PD_ACT_ALIKE_BEGIN] = act_alike,
                                           [PD_ACT_ALIKE_END] = act_alike,
                                           [PD_CELL_LOOP] = act_loop,
                                           [PD_CELL_SAMPLE] = act_sample,
                                           OWN_ACTS };

#endif
