/* Going through a program without times, as far as its ranks wait for each other.
 * SPDX-License-Identifier: MIT */
#include "scale/near/pd-scale-channels-private.h"
#include "scale/near/pd-scale-collectives-private.h"
#include "scale/near/pd-scale-mend.h"

#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-action.h"

typedef enum
{
  NOTHING, /* or it is complete */
  MESSAGE, /* the @index-th of a channel, from 1 */
  WILD,    /* the @index-th of those that a rank takes from several channels */
  MEMBERS, /* the collective operation @index of a communicator, from 0 */
} What;

/* A message or an operation that a rank waits for, or that a request stands for. */
typedef struct
{
  What what;
  guint64 index;
  guint64 call; /* that began it */
  PdScaleChannel *channel;
  PdScaleTarget *target;
  guint32 comm;
  gboolean is_persistent; /* then, until it is started again: */
  gboolean is_send;
  PdScaleEnds ends;
} Wait;

typedef struct
{
  PdActionReader reader;
  PdAction action; /* the present one */
  guint64 call;    /* its number */
  gboolean has_action;
  gboolean is_queued;
  Wait own;         /* of @action itself */
  GArray *requests; /* (element-type Wait): by slot */
} Rank;

typedef struct
{
  PdScaleMends *mends;
  const PdProgram *program;
  PdScaleChannels *channels;
  PdScaleCollectives *collectives;
  Rank *ranks;
  GQueue *queue; /* of ranks that may go on */
} Execution;

#define NO_WAIT ((Wait){ .what = NOTHING })

static void
wake (Execution *self, guint32 rank)
{
  if (rank == PD_PROGRAM_NONE || self->ranks[rank].is_queued)
    return;
  self->ranks[rank].is_queued = TRUE;
  g_queue_push_tail (self->queue, GUINT_TO_POINTER (rank));
}

static Wait *
get_request (Rank *rank, guint32 slot)
{
  return &g_array_index (rank->requests, Wait, slot);
}

/* ---- messages */

/* Returns: whether it is sent: not where its receive has become one from MPI_PROC_NULL. */
static gboolean
send_to (Execution *self, PdScaleEnds ends)
{
  guint32 target = pd_scale_channels_world_rank (self->channels, ends.comm, ends.target);

  if (target == PD_PROGRAM_NONE)
    return TRUE;
  PdScaleChannel *channel = pd_scale_channels_get (self->channels, ends);
  if (channel->lost > 0)
    {
      channel->lost--;
      return FALSE;
    }
  if (++channel->sent > channel->received)
    pd_scale_channels_get_target (self->channels, ends.comm, ends.target)->spare++;
  wake (self, target);
  return TRUE;
}

static Wait
receive_from (Execution *self, PdScaleEnds ends, guint64 call, gboolean is_probe)
{
  PdScaleTarget *target = pd_scale_channels_get_target (self->channels, ends.comm, ends.target);
  Wait wait = { .what = WILD, .call = call, .target = target };

  if (pd_scale_ends_are_wild (ends))
    {
      wait.index = target->n_wild + 1;
      target->n_wild += is_probe ? 0 : 1;
      return wait;
    }
  if (pd_scale_channels_world_rank (self->channels, ends.comm, ends.source) == PD_PROGRAM_NONE)
    return NO_WAIT;
  wait.what = MESSAGE;
  wait.channel = pd_scale_channels_get (self->channels, ends);
  wait.index = wait.channel->received + 1;
  if (is_probe)
    return wait;
  if (wait.channel->received++ < wait.channel->sent && target->spare > 0)
    target->spare--;
  return wait;
}

static gboolean
is_complete (const Execution *self, const Wait *wait)
{
  switch (wait->what)
    {
    case MESSAGE:
      return wait->channel->sent >= wait->index;
    case WILD:
      return wait->target->spare >= wait->index;
    case MEMBERS:
      return pd_scale_collectives_count (self->collectives, wait->comm) > wait->index;
    default:
      return TRUE;
    }
}

/* ---- actions */

static void
begin_message (Execution *self, Rank *rank, guint32 number)
{
  PdAction *action = &rank->action;
  gint32 own = pd_scale_channels_rank_in (self->channels, action->comm, number);

  if (pd_scale_action_sends (action->kind) && !send_to (self, pd_scale_ends_of_send (action, own)))
    {
      action->peer = PD_PROGRAM_PROC_NULL;
      self->mends->n_lost++;
      pd_scale_mends_add (self->mends, number, rank->call, action, FALSE);
    }
  if (action->kind >= PD_ACT_ISEND && action->kind <= PD_ACT_IRSEND)
    *get_request (rank, action->request) = NO_WAIT;
  if (!pd_scale_action_receives (action->kind) && action->kind != PD_ACT_PROBE)
    return;
  Wait wait = receive_from (self, pd_scale_ends_of_receive (action, own, TRUE), rank->call,
                            action->kind == PD_ACT_PROBE);
  if (action->kind == PD_ACT_IRECV)
    *get_request (rank, action->request) = wait;
  else
    rank->own = wait;
}

static void
begin_persistent (Execution *self, Rank *rank, guint32 number)
{
  const PdAction *action = &rank->action;
  gint32 own = pd_scale_channels_rank_in (self->channels, action->comm, number);

  if (action->kind >= PD_ACT_SEND_INIT && action->kind <= PD_ACT_RECV_INIT)
    {
      gboolean is_send = action->kind != PD_ACT_RECV_INIT;
      *get_request (rank, action->request) =
          (Wait){ .is_persistent = TRUE,
                  .is_send = is_send,
                  .ends = is_send ? pd_scale_ends_of_send (action, own)
                                  : pd_scale_ends_of_receive (action, own, TRUE) };
    }
  for (guint32 i = 0; action->kind == PD_ACT_START && i < action->n_slots; i++)
    {
      Wait *request = get_request (rank, action->slots[i]), old = *request;
      if (!old.is_persistent)
        continue;
      if (old.is_send)
        send_to (self, old.ends);
      else
        *request = receive_from (self, old.ends, rank->call, FALSE);
      request->is_persistent = TRUE;
      request->is_send = old.is_send;
      request->ends = old.ends;
    }
}

static void
begin_collective (Execution *self, Rank *rank, guint32 number)
{
  PdAction *action = &rank->action;
  gboolean has_request = action->kind == PD_ACT_ICOLLECTIVE;
  PdScaleArrival arrival = { number, rank->call, has_request, action->request };
  gint32 root = action->peer;
  Wait wait = { .what = MEMBERS, .call = rank->call, .comm = action->comm };

  self->mends->n++;
  if (!pd_scale_collectives_arrive (self->collectives, action, &arrival, &wait.index))
    {
      self->mends->n_lost++;
      pd_scale_mends_add (self->mends, number, rank->call, action, TRUE);
      wait = NO_WAIT;
    }
  else if (action->peer != root)
    {
      self->mends->n_redirected++;
      pd_scale_mends_add (self->mends, number, rank->call, action, FALSE);
    }
  if (has_request)
    *get_request (rank, action->request) = wait;
  else
    rank->own = wait;
  const GArray *free = pd_scale_collectives_take_complete (self->collectives);
  for (guint i = 0; i < free->len; i++)
    wake (self, g_array_index (free, guint32, i));
}

static void
begin (Execution *self, Rank *rank, guint32 number)
{
  PdActionKind kind = rank->action.kind;

  rank->own = NO_WAIT;
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
count_requests (const Rank *rank)
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

static Wait *
get_waited (Rank *rank, guint i)
{
  const PdAction *action = &rank->action;

  if (action->kind == PD_ACT_WAIT || action->kind == PD_ACT_TEST)
    return get_request (rank, action->request);
  if (action->kind == PD_ACT_WAITALL && action->n_slots == 0)
    return get_request (rank, i);
  if (action->n_done > 0 && action->kind != PD_ACT_WAITALL)
    i = action->done[i];
  return get_request (rank, i < action->n_slots ? action->slots[i] : action->request);
}

/* The first thing that the rank waits for in vain; NULL: it may go on. */
static Wait *
find_wait (const Execution *self, Rank *rank)
{
  Wait *first = NULL;
  guint n = count_requests (rank), n_complete = 0;

  if (!is_complete (self, &rank->own))
    return &rank->own;
  for (guint i = 0; i < n; i++)
    {
      Wait *wait = get_waited (rank, i);
      if (is_complete (self, wait))
        n_complete++;
      else if (first == NULL)
        first = wait;
    }
  return first == NULL || (waits_for_one (&rank->action) && n_complete > 0) ? NULL : first;
}

static void
end_waiting (const Execution *self, Rank *rank)
{
  guint n = count_requests (rank);

  for (guint i = 0; i < n; i++)
    {
      Wait *wait = get_waited (rank, i);
      if (is_complete (self, wait))
        wait->what = NOTHING;
    }
}

/* ---- going on */

/* The next action that counts; the reader's lists are valid until the one after it. */
static gboolean
read_action (Execution *self, Rank *rank, guint32 number)
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

static void
go_on (Execution *self, guint32 number)
{
  Rank *rank = &self->ranks[number];

  while (rank->has_action || read_action (self, rank, number))
    {
      if (find_wait (self, rank) != NULL)
        return;
      end_waiting (self, rank);
      rank->has_action = FALSE;
      rank->call++;
    }
}

/* ---- circles */

static void
lose_receive (Execution *self, guint32 number, Wait *wait)
{
  Rank *rank = &self->ranks[number];
  PdAction changed = rank->action;

  if (wait->call != rank->call)
    {
      pd_action_init (&changed, PD_ACT_IRECV);
      changed.tag = 0;
    }
  if (changed.kind == PD_ACT_SENDRECV)
    changed.recv_peer = PD_PROGRAM_PROC_NULL;
  else
    changed.peer = PD_PROGRAM_PROC_NULL;
  if (!wait->is_persistent)
    pd_scale_mends_add (self->mends, number, wait->call, &changed, FALSE);
  self->mends->n_lost++;
  if (rank->action.kind != PD_ACT_PROBE && wait->what == MESSAGE)
    {
      wait->channel->sent++; /* it is never sent: */
      wait->channel->lost++;
    }
  else if (rank->action.kind != PD_ACT_PROBE)
    wait->target->spare++;
  wait->what = NOTHING;
  wake (self, number);
}

static void
lose_collective (Execution *self, guint32 comm)
{
  const GArray *lost = pd_scale_collectives_cancel (self->collectives, comm);
  PdAction none;

  pd_action_init (&none, PD_ACT_COLLECTIVE);
  for (guint i = 0; i < lost->len; i++)
    {
      const PdScaleArrival *one = &g_array_index (lost, PdScaleArrival, i);
      Rank *rank = &self->ranks[one->rank];
      pd_scale_mends_add (self->mends, one->rank, one->call, &none, TRUE);
      self->mends->n_lost++;
      *(one->has_request ? get_request (rank, one->request) : &rank->own) = NO_WAIT;
      wake (self, one->rank);
    }
}

/* Of all ranks that wait the one that has come least far; of those that wait for a message, if
 * there are any. */
static gboolean
break_circle (Execution *self)
{
  Wait *first = NULL;
  guint32 number = 0;

  for (guint32 r = 0; r < self->mends->n_ranks; r++)
    {
      Rank *rank = &self->ranks[r];
      Wait *wait = rank->has_action ? find_wait (self, rank) : NULL;
      if (wait == NULL)
        continue;
      gboolean is_better = first == NULL || rank->call < self->ranks[number].call;
      if (first != NULL && (wait->what == MEMBERS) != (first->what == MEMBERS))
        is_better = first->what == MEMBERS;
      if (!is_better)
        continue;
      first = wait;
      number = r;
    }
  if (first == NULL)
    return FALSE;
  if (first->what == MEMBERS)
    lose_collective (self, first->comm);
  else
    lose_receive (self, number, first);
  return TRUE;
}

static void
start (Execution *self)
{
  self->ranks = g_new0 (Rank, self->mends->n_ranks);
  for (guint32 r = 0; r < self->mends->n_ranks; r++)
    {
      Rank *rank = &self->ranks[r];
      pd_action_reader_init (&rank->reader, self->program);
      pd_action_reader_begin (&rank->reader, r);
      rank->requests = g_array_new (FALSE, TRUE, sizeof (Wait));
      g_array_set_size (rank->requests, pd_program_get_n_slots (self->program, r) + 1);
      wake (self, r);
    }
}

gboolean
pd_scale_mends_execute (PdScaleMends *self, const PdProgram *program,
                        const volatile sig_atomic_t *stop)
{
  g_autoptr (PdScaleChannels) channels = pd_scale_channels_new (program);
  g_autoptr (PdScaleCollectives) collectives = pd_scale_collectives_new (program);
  g_autoptr (GQueue) queue = g_queue_new ();
  Execution execution = { .mends = self,
                          .program = program,
                          .channels = channels,
                          .collectives = collectives,
                          .queue = queue };
  gboolean is_stopped = FALSE;

  start (&execution);
  do
    while (!g_queue_is_empty (queue) && !is_stopped)
      {
        guint32 rank = GPOINTER_TO_UINT (g_queue_pop_head (queue));
        execution.ranks[rank].is_queued = FALSE;
        go_on (&execution, rank);
        is_stopped = stop != NULL && *stop != 0;
      }
  while (!is_stopped && break_circle (&execution));
  for (guint32 r = 0; r < self->n_ranks; r++)
    {
      pd_action_reader_clear (&execution.ranks[r].reader);
      g_array_unref (execution.ranks[r].requests);
    }
  g_free (execution.ranks);
  return !is_stopped;
}
