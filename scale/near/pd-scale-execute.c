/* Going through a program without times, as far as its ranks wait for each other.
 * SPDX-License-Identifier: MIT */
#include "scale/near/pd-scale-execution-private.h"

void
pd_scale_execution_wake (PdScaleExecution *self, guint32 rank)
{
  if (rank == PD_PROGRAM_NONE || self->ranks[rank].is_queued)
    return;
  self->ranks[rank].is_queued = TRUE;
  g_queue_push_tail (self->queue, GUINT_TO_POINTER (rank));
}

/* ---- messages */

/* Returns: whether it is sent: not where its receive has become one from MPI_PROC_NULL.
 * @wait: (out): for its receive */
static gboolean
send_to (PdScaleExecution *self, PdScaleEnds ends, guint64 call, PdScaleWait *wait)
{
  guint32 rank = pd_scale_channels_world_rank (self->channels, ends.comm, ends.target);

  *wait = PD_SCALE_NO_WAIT;
  if (rank == PD_PROGRAM_NONE)
    return TRUE;
  PdScaleChannel *channel = pd_scale_channels_get (self->channels, ends);
  PdScaleTarget *target = pd_scale_channels_get_target (self->channels, ends.comm, ends.target);
  if (channel->lost > 0)
    {
      channel->lost--;
      return FALSE;
    }
  *wait =
      (PdScaleWait){ .what = PD_SCALE_SENT, .call = call, .channel = channel, .target = target };
  wait->index = ++channel->sent;
  if (channel->sent > channel->received)
    wait->wild = ++target->spare;
  pd_scale_execution_wake (self, rank);
  return TRUE;
}

/* Those who wait until a message is received may go on. */
static void
wake_senders (PdScaleExecution *self, PdScaleEnds ends, const PdScaleTarget *target)
{
  if (self->is_buffered)
    return;
  if (!pd_scale_ends_are_wild (ends))
    pd_scale_execution_wake (self,
                             pd_scale_channels_world_rank (self->channels, ends.comm, ends.source));
  for (guint i = 0; pd_scale_ends_are_wild (ends) && i < target->channels->len; i++)
    {
      const PdScaleChannel *channel = g_ptr_array_index (target->channels, i);
      if (channel->sent > channel->received)
        pd_scale_execution_wake (
            self, pd_scale_channels_world_rank (self->channels, ends.comm, channel->ends.source));
    }
}

/* Whether a receive with wildcards is that of a message that is not sent. */
static gboolean
lose_wild (PdScaleTarget *target, PdScaleEnds ends, PdScaleWait *wait)
{
  for (guint i = 0; target->lost_receives > 0 && i < target->channels->len; i++)
    {
      PdScaleChannel *channel = g_ptr_array_index (target->channels, i);
      if (channel->lost_receives == 0
          || (ends.source != PD_PROGRAM_ANY && channel->ends.source != ends.source)
          || (ends.tag != PD_PROGRAM_ANY && channel->ends.tag != ends.tag))
        continue;
      channel->lost_receives--;
      target->lost_receives--;
      *wait = PD_SCALE_NO_WAIT;
      return TRUE;
    }
  return FALSE;
}

/* Returns: whether it is received: not where its send has become one to MPI_PROC_NULL.
 * @wait: (out): for the message */
static gboolean
receive_from (PdScaleExecution *self, PdScaleEnds ends, guint64 call, gboolean is_probe,
              PdScaleWait *wait)
{
  PdScaleTarget *target = pd_scale_channels_get_target (self->channels, ends.comm, ends.target);

  *wait = (PdScaleWait){ .what = PD_SCALE_WILD, .call = call, .target = target };
  if (pd_scale_ends_are_wild (ends))
    {
      wait->index = target->n_wild + 1;
      target->n_wild += is_probe ? 0 : 1;
      wake_senders (self, ends, target);
      return is_probe || !lose_wild (target, ends, wait);
    }
  if (pd_scale_channels_world_rank (self->channels, ends.comm, ends.source) == PD_PROGRAM_NONE)
    {
      *wait = PD_SCALE_NO_WAIT;
      return TRUE;
    }
  PdScaleChannel *channel = wait->channel = pd_scale_channels_get (self->channels, ends);
  wait->what = PD_SCALE_MESSAGE;
  wait->index = channel->received + 1;
  if (is_probe)
    return TRUE;
  if (channel->received++ < channel->sent && target->spare > 0)
    target->spare--;
  wake_senders (self, ends, target);
  if (channel->lost_receives == 0)
    return TRUE;
  channel->lost_receives--;
  target->lost_receives--;
  *wait = PD_SCALE_NO_WAIT;
  return FALSE;
}

static gboolean
is_complete (const PdScaleExecution *self, const PdScaleWait *wait)
{
  switch (wait->what)
    {
    case PD_SCALE_MESSAGE:
      return wait->channel->sent >= wait->index;
    case PD_SCALE_WILD:
      return wait->target->spare >= wait->index;
    case PD_SCALE_SENT:
      return self->is_buffered || wait->channel->received >= wait->index
             || (wait->wild > 0 && wait->target->n_wild >= wait->wild);
    case PD_SCALE_MEMBERS:
      return pd_scale_collectives_count (self->collectives, wait->comm) > wait->index;
    default:
      return TRUE;
    }
}

/* ---- actions */

/* A partner of the present action is MPI_PROC_NULL. */
static void
lose (PdScaleExecution *self, PdScaleActor *rank, guint32 number, gint32 *partner)
{
  *partner = PD_PROGRAM_PROC_NULL;
  self->mends->n_lost++;
  pd_scale_mends_add (self->mends, number, rank->call, &rank->action, FALSE);
}

static void
begin_send (PdScaleExecution *self, PdScaleActor *rank, guint32 number, gint32 own)
{
  PdAction *action = &rank->action;
  PdScaleWait wait;

  if (!send_to (self, pd_scale_ends_of_send (action, own), rank->call, &wait))
    lose (self, rank, number, &action->peer);
  if (action->kind == PD_ACT_BSEND || action->kind == PD_ACT_IBSEND)
    wait = PD_SCALE_NO_WAIT;
  if (action->kind >= PD_ACT_ISEND && action->kind <= PD_ACT_IRSEND)
    *pd_scale_execution_get_request (rank, action->request) = wait;
  else
    rank->sent = wait;
}

static void
begin_receive (PdScaleExecution *self, PdScaleActor *rank, guint32 number, gint32 own)
{
  PdAction *action = &rank->action;
  PdScaleWait wait;

  if (!receive_from (self, pd_scale_ends_of_receive (action, own, TRUE), rank->call,
                     action->kind == PD_ACT_PROBE, &wait))
    lose (self, rank, number, action->kind == PD_ACT_SENDRECV ? &action->recv_peer : &action->peer);
  if (action->kind == PD_ACT_IRECV)
    *pd_scale_execution_get_request (rank, action->request) = wait;
  else
    rank->own = wait;
}

static void
begin_message (PdScaleExecution *self, PdScaleActor *rank, guint32 number)
{
  PdActionKind kind = rank->action.kind;
  gint32 own = pd_scale_channels_rank_in (self->channels, rank->action.comm, number);

  if (pd_scale_action_sends (kind))
    begin_send (self, rank, number, own);
  if (pd_scale_action_receives (kind) || kind == PD_ACT_PROBE)
    begin_receive (self, rank, number, own);
}

static void
begin_persistent (PdScaleExecution *self, PdScaleActor *rank, guint32 number)
{
  const PdAction *action = &rank->action;
  gint32 own = pd_scale_channels_rank_in (self->channels, action->comm, number);

  if (action->kind >= PD_ACT_SEND_INIT && action->kind <= PD_ACT_RECV_INIT)
    {
      gboolean is_send = action->kind != PD_ACT_RECV_INIT;
      *pd_scale_execution_get_request (rank, action->request) =
          (PdScaleWait){ .is_persistent = TRUE,
                         .is_send = is_send,
                         .ends = is_send ? pd_scale_ends_of_send (action, own)
                                         : pd_scale_ends_of_receive (action, own, TRUE) };
    }
  for (guint32 i = 0; action->kind == PD_ACT_START && i < action->n_slots; i++)
    {
      PdScaleWait *request = pd_scale_execution_get_request (rank, action->slots[i]),
                  old = *request;
      if (!old.is_persistent)
        continue;
      if (old.is_send)
        send_to (self, old.ends, rank->call, request);
      else
        receive_from (self, old.ends, rank->call, FALSE, request);
      request->is_persistent = TRUE;
      request->is_send = old.is_send;
      request->ends = old.ends;
    }
}

static void
begin_collective (PdScaleExecution *self, PdScaleActor *rank, guint32 number)
{
  PdAction *action = &rank->action;
  gboolean has_request = action->kind == PD_ACT_ICOLLECTIVE;
  PdScaleArrival arrival = { number, rank->call, has_request, action->request };
  gint32 root = action->peer;
  PdScaleWait wait = { .what = PD_SCALE_MEMBERS, .call = rank->call, .comm = action->comm };

  self->mends->n++;
  if (!pd_scale_collectives_arrive (self->collectives, action, &arrival, &wait.index))
    {
      self->mends->n_lost++;
      pd_scale_mends_add (self->mends, number, rank->call, action, TRUE);
      wait = PD_SCALE_NO_WAIT;
    }
  else if (action->peer != root)
    {
      self->mends->n_redirected++;
      pd_scale_mends_add (self->mends, number, rank->call, action, FALSE);
    }
  if (has_request)
    *pd_scale_execution_get_request (rank, action->request) = wait;
  else
    rank->own = wait;
  const GArray *free = pd_scale_collectives_take_complete (self->collectives);
  for (guint i = 0; i < free->len; i++)
    pd_scale_execution_wake (self, g_array_index (free, guint32, i));
}

static void
begin (PdScaleExecution *self, PdScaleActor *rank, guint32 number)
{
  PdActionKind kind = rank->action.kind;

  rank->own = rank->sent = PD_SCALE_NO_WAIT;
  if (pd_scale_action_is_collective (kind))
    begin_collective (self, rank, number);
  else if ((kind >= PD_ACT_SEND_INIT && kind <= PD_ACT_RECV_INIT) || kind == PD_ACT_START)
    begin_persistent (self, rank, number);
  else
    begin_message (self, rank, number);
}

/* ---- waiting */

static gboolean
waits_for_one (const PdAction *action)
{
  return (action->kind == PD_ACT_WAITANY || action->kind == PD_ACT_WAITSOME) && action->n_done == 0;
}

/* The requests that the action waits for: all of them, or any. */
static guint
count_requests (const PdScaleActor *rank)
{
  const PdAction *action = &rank->action;

  switch (action->kind)
    {
    case PD_ACT_WAIT:
      return 1;
    case PD_ACT_WAITALL:
      return action->n_slots > 0 ? action->n_slots : rank->requests->len;
    case PD_ACT_TEST:
      return action->has_done && action->n_done > 0 ? 1 : 0;
    case PD_ACT_WAITANY:
    case PD_ACT_WAITSOME:
      return action->n_done > 0 ? action->n_done : action->n_slots;
    case PD_ACT_TESTALL:
    case PD_ACT_TESTANY:
    case PD_ACT_TESTSOME:
      return action->has_done ? action->n_done : 0;
    default:
      return 0;
    }
}

static PdScaleWait *
get_waited (PdScaleActor *rank, guint i)
{
  const PdAction *action = &rank->action;

  if (action->kind == PD_ACT_WAIT || action->kind == PD_ACT_TEST)
    return pd_scale_execution_get_request (rank, action->request);
  if (action->kind == PD_ACT_WAITALL && action->n_slots == 0)
    return pd_scale_execution_get_request (rank, i);
  if (action->n_done > 0 && action->kind != PD_ACT_WAITALL)
    i = action->done[i];
  return pd_scale_execution_get_request (rank,
                                         i < action->n_slots ? action->slots[i] : action->request);
}

PdScaleWait *
pd_scale_execution_find_wait (const PdScaleExecution *self, PdScaleActor *rank)
{
  PdScaleWait *first = NULL;
  guint n = count_requests (rank), n_complete = 0;

  if (!is_complete (self, &rank->own))
    return &rank->own;
  if (!is_complete (self, &rank->sent))
    return &rank->sent;
  for (guint i = 0; i < n; i++)
    {
      PdScaleWait *wait = get_waited (rank, i);
      if (is_complete (self, wait))
        n_complete++;
      else if (first == NULL)
        first = wait;
    }
  return first == NULL || (waits_for_one (&rank->action) && n_complete > 0) ? NULL : first;
}

static void
end_waiting (const PdScaleExecution *self, PdScaleActor *rank)
{
  guint n = count_requests (rank);

  for (guint i = 0; i < n; i++)
    {
      PdScaleWait *wait = get_waited (rank, i);
      if (is_complete (self, wait))
        wait->what = PD_SCALE_NOTHING;
    }
}

/* ---- going on */

/* The next action that counts; the reader's lists are valid until the one after it. */
static gboolean
read_action (PdScaleExecution *self, PdScaleActor *rank, guint32 number)
{
  PdAction *action;

  do
    action = pd_action_reader_next (&rank->reader);
  while (action != NULL && !pd_scale_mends_counts (action->kind));
  if (action == NULL)
    return FALSE;
  rank->action = *action;
  if (!pd_scale_mends_apply (self->mends, number, rank->call, &rank->action))
    rank->action.kind = PD_ACT_OTHER;
  rank->has_action = TRUE;
  begin (self, rank, number);
  return TRUE;
}

static gboolean
is_stopped (const PdScaleExecution *self)
{
  return self->stop != NULL && *self->stop != 0;
}

static void
go_on (PdScaleExecution *self, guint32 number)
{
  PdScaleActor *rank = &self->ranks[number];

  while (!is_stopped (self) && (rank->has_action || read_action (self, rank, number)))
    {
      if (pd_scale_execution_find_wait (self, rank) != NULL)
        return;
      end_waiting (self, rank);
      rank->has_action = FALSE;
      rank->call++;
    }
}

static void
start (PdScaleExecution *self)
{
  self->ranks = g_new0 (PdScaleActor, self->mends->n_ranks);
  for (guint32 r = 0; r < self->mends->n_ranks; r++)
    {
      PdScaleActor *rank = &self->ranks[r];
      pd_action_reader_init (&rank->reader, self->program);
      pd_action_reader_begin (&rank->reader, r);
      rank->requests = g_array_new (FALSE, TRUE, sizeof (PdScaleWait));
      g_array_set_size (rank->requests, pd_program_get_n_slots (self->program, r) + 1);
      pd_scale_execution_wake (self, r);
    }
}

gboolean
pd_scale_mends_execute (PdScaleMends *self, const PdProgram *program, gboolean is_buffered,
                        const volatile sig_atomic_t *stop)
{
  g_autoptr (PdScaleChannels) channels = pd_scale_channels_new (program);
  g_autoptr (PdScaleCollectives) collectives = pd_scale_collectives_new (program);
  g_autoptr (GQueue) queue = g_queue_new ();
  PdScaleExecution execution = { .mends = self,
                                 .program = program,
                                 .is_buffered = is_buffered,
                                 .stop = stop,
                                 .channels = channels,
                                 .collectives = collectives,
                                 .queue = queue };

  start (&execution);
  do
    while (!g_queue_is_empty (queue) && !is_stopped (&execution))
      {
        guint32 rank = GPOINTER_TO_UINT (g_queue_pop_head (queue));
        execution.ranks[rank].is_queued = FALSE;
        go_on (&execution, rank);
      }
  while (!is_stopped (&execution) && pd_scale_execution_break_circle (&execution));
  for (guint32 r = 0; r < self->n_ranks; r++)
    {
      pd_action_reader_clear (&execution.ranks[r].reader);
      g_array_unref (execution.ranks[r].requests);
    }
  g_free (execution.ranks);
  return !is_stopped (&execution);
}
