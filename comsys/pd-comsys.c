/* The communication system: its life, its queue, blocking and unblocking.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-comsys-private.h"
#include "comsys/pd-win.h"

#define MAX_RANKS 16777214u /* what the queue's order has bits for */

#define AHEAD 8

#define CPU_LINES(n) (((gsize) (n) * sizeof (PdCpu) + 63) / 64)

G_STATIC_ASSERT (MAX_RANKS < (1u << 24) - 1);

/* ---- networks as hosts see them */

static PdLevel *
level_of (PdNetworkHost *host)
{
  return (PdLevel *) (gpointer) ((char *) host - G_STRUCT_OFFSET (PdLevel, host));
}

static void
host_schedule (PdNetworkHost *host, PdTime when, guint32 token)
{
  PdLevel *level = level_of (host);

  PdQueue *queue = &level->comsys->queue;
  guint64 what = pd_what (PD_EVENT_NETWORK, level->index, token);

  pd_queue_push (queue, when, FALSE, PD_QUEUE_NO_RANK, what);
}

static void
host_delivered (PdNetworkHost *host, guint32 id, PdTime when)
{
  pd_p2p_delivered (level_of (host)->comsys, id, when);
}

static void
host_expect (PdNetworkHost *host, guint32 id, gboolean is_near)
{
  const PdComsys *self = level_of (host)->comsys;
  const PdReq *send = &self->reqs[id];

  if (!is_near)
    {
      __builtin_prefetch (send);
      return;
    }
  __builtin_prefetch (&self->reqs[send->partner]);
  __builtin_prefetch (&self->ranks[send->rank]);
  __builtin_prefetch (&self->ranks[send->peer]);
}

static void
create_levels (PdComsys *self)
{
  guint n = self->topology->instances->len;

  self->levels = g_new0 (PdLevel, n);
  for (guint32 i = 0; i < n; i++)
    {
      const PdNetworkInstance *instance =
          &g_array_index (self->topology->instances, PdNetworkInstance, i);
      PdLevel *level = &self->levels[i];
      level->class = instance->description->class;
      level->host = (PdNetworkHost){ host_schedule, host_delivered, host_expect };
      level->protocol = instance->description->protocol;
      if (level->class->get_costs != NULL)
        {
          level->class->get_costs (instance->description->config, &level->costs);
          self->has_costs = TRUE;
        }
      if (level->class->ends != NULL && self->cpus == NULL)
        {
          self->cpus = pd_lines_resize (NULL, 0, CPU_LINES (self->n_ranks));
          self->queue.keeps_numbers = TRUE;
          self->queue.sequence = 1;
        }
      level->index = i;
      level->comsys = self;
      level->network =
          level->class->create (instance->description->config, instance->n_endpoints, &level->host);
    }
}

/* ---- life */

static PdComm *
create_world (PdComsys *self)
{
  g_autofree guint32 *ranks = g_new (guint32, self->n_ranks);

  for (guint32 i = 0; i < self->n_ranks; i++)
    ranks[i] = i;
  return pd_comm_new (self, ranks, self->n_ranks);
}

/* Whether all processors that the ranks are placed on exist. */
static gboolean
check_placement (const PdMachine *machine, const guint32 *placement, guint32 n_ranks,
                 GError **error)
{
  if (n_ranks < 1 || n_ranks > MAX_RANKS || (placement == NULL && n_ranks > machine->n_processors))
    {
      g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SIZE,
                   "%u processors are needed, machine '%s' has %u", n_ranks, machine->name,
                   MIN (machine->n_processors, MAX_RANKS));
      return FALSE;
    }
  for (guint32 i = 0; placement != NULL && i < n_ranks; i++)
    if (placement[i] >= machine->n_processors)
      {
        g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SIZE,
                     "rank %u is placed on processor %u, machine '%s' has %u", i, placement[i],
                     machine->name, machine->n_processors);
        return FALSE;
      }
  return TRUE;
}

PdComsys *
pd_comsys_new (const PdMachine *machine, const guint32 *placement, guint32 n_ranks, GError **error)
{
  g_autoptr (PdCollectiveSet) set = pd_collective_set_new (machine, error);

  if (set == NULL || !check_placement (machine, placement, n_ranks, error))
    return NULL;

  PdComsys *self = g_new0 (PdComsys, 1);
  self->machine = machine;
  self->set = g_steal_pointer (&set);
  self->n_ranks = n_ranks;
  self->run_ahead = TRUE;
  self->topology = pd_topology_new (machine);
  if (placement != NULL)
    {
      self->placement = g_new (guint32, n_ranks);
      for (guint32 i = 0; i < n_ranks; i++)
        self->placement[i] = placement[i];
    }
  self->ranks = pd_lines_resize (NULL, 0, n_ranks);
  self->own_shift = n_ranks < PD_MANY_RANKS ? PD_OWN_SHIFT : PD_OWN_SHIFT_MANY;
  self->n_reqs = self->n_own = 1 + (n_ranks << self->own_shift);
  self->reqs_room = self->n_own + 1024;
  self->reqs = pd_lines_resize (NULL, 0, self->reqs_room);
  self->overheads = pd_function_overheads_new (machine);
  pd_match_init (&self->match);
  self->anys = g_array_new (FALSE, TRUE, sizeof (PdAny));
  create_levels (self);
  self->world = create_world (self);
  return self;
}

void
pd_comsys_free (PdComsys *self)
{
  if (self == NULL)
    return;
  for (guint32 i = 0; i < self->topology->instances->len; i++)
    self->levels[i].class->destroy (self->levels[i].network);
  pd_persistent_clear (self);
  pd_comm_unref (self->world);
  g_free (self->levels);
  pd_topology_free (self->topology);
  g_free (self->placement);
  pd_lines_free (self->ranks, self->n_ranks);
  if (self->cpus != NULL)
    pd_lines_free (self->cpus, CPU_LINES (self->n_ranks));
  pd_lines_free (self->reqs, self->reqs_room);
  pd_queue_clear (&self->queue);
  pd_match_clear (&self->match);
  g_array_unref (self->anys);
  pd_wild_free (self->wild);
  pd_wins_free (self->wins);
  pd_play_pool_clear (&self->plays);
  pd_collective_set_free (self->set);
  g_free (self->overheads);
  g_free (self);
}

void
pd_comsys_set_observer (PdComsys *self, const PdObserver *observer)
{
  self->observer = observer != NULL ? *observer : (PdObserver){ .data = NULL };
}

void
pd_comsys_set_run_ahead (PdComsys *self, gboolean run_ahead)
{
  self->run_ahead = run_ahead;
}

gboolean
pd_comsys_may_be_unordered (const PdComsys *self)
{
  if (!self->run_ahead || self->cpus != NULL || self->wild != NULL
      || self->observer.message != NULL)
    return FALSE;
  for (guint32 i = 0; i < self->topology->instances->len; i++)
    {
      const PdLevel *level = &self->levels[i];
      if (level->class->is_unshared == NULL || !level->class->is_unshared (level->network))
        return FALSE;
    }
  return TRUE;
}

void
pd_comsys_set_unordered (PdComsys *self)
{
  self->is_unordered = TRUE;
}

PdComm *
pd_comsys_get_world (PdComsys *self)
{
  return self->world;
}

const PdComsysCounts *
pd_comsys_get_counts (const PdComsys *self)
{
  return &self->counts;
}

void
pd_comsys_report (const PdComsys *self, PdMessages *messages)
{
  for (guint32 i = 0; i < self->topology->instances->len; i++)
    if (self->levels[i].class->report != NULL)
      self->levels[i].class->report (self->levels[i].network, messages);
}

guint64
pd_comsys_finalize (const PdComsys *self)
{
  return self->n_unmatched + (self->wild != NULL ? pd_wild_get_n_unmatched (self->wild) : 0)
         + pd_comsys_get_n_epochs (self);
}

/* Whether @a is told before @b: by rank, sends before receives, in order. */
static gboolean
is_told_before (const PdReq *a, const PdReq *b)
{
  if (a->rank != b->rank)
    return a->rank < b->rank;
  if (a->kind != b->kind)
    return a->kind == PD_REQ_SEND;
  return pd_req_order (a) < pd_req_order (b);
}

gboolean
pd_comsys_find_unmatched (const PdComsys *self, PdUnmatched *first)
{
  const PdReq *best = NULL;

  for (guint32 i = 1; i < self->n_reqs; i++)
    {
      const PdReq *r = &self->reqs[i];
      gboolean is_half = r->kind == PD_REQ_SEND || r->kind == PD_REQ_RECV;
      if (is_half && !r->matched && (r->held & PD_HELD_SYSTEM) != 0
          && (best == NULL || is_told_before (r, best)))
        best = r;
    }
  if (best == NULL)
    return FALSE;
  *first = (PdUnmatched){ .is_send = best->kind == PD_REQ_SEND,
                          .rank = best->rank,
                          .peer = best->peer == G_MAXUINT32 ? -1 : (gint64) best->peer,
                          .tag = best->tag,
                          .bytes = best->bytes };
  return TRUE;
}

gdouble
pd_comsys_wtime (PdTime when)
{
  return pd_time_to_seconds (when);
}

char *
pd_comsys_get_processor_name (const PdComsys *self, guint32 rank)
{
  guint32 processor = self->placement != NULL ? self->placement[rank] : rank;
  guint32 node = self->topology->node_of[processor];

  return g_strdup_printf ("node%u:%u", node, processor - self->topology->first_of[node]);
}

/* ---- the queue */

/* Whether nothing queued comes before an event of the protocol. */
static gboolean
is_first (const PdComsys *self, guint32 rank, PdTime when)
{
  PdQueueItem item = pd_queue_item (when, FALSE, rank, self->queue.sequence & 0xffffffffff);

  return self->cpus != NULL ? pd_cpu_is_first (self, when, 0)
                            : pd_queue_is_first (&self->queue, &item);
}

/* What happens at @when touches nothing but its message. */
static void
do_out_of_order (PdComsys *self, PdTime when, PdEvent event, guint32 argument)
{
  PdTime now = self->now;

  self->now = when;
  pd_p2p_event (self, event, argument);
  self->now = now;
}

void
pd_comsys_at (PdComsys *self, PdTime when, PdEvent event, guint32 rank, guint32 argument)
{
  if (self->is_unordered)
    {
      do_out_of_order (self, when, event, argument);
      return;
    }
  /* At once if that is now. A send's request may also run ahead, if nothing is
   * queued before it: its rank does not act before that moment either. */
  if (when.ps <= self->now.ps
      || (event == PD_EVENT_REQUEST && self->run_ahead && is_first (self, rank, when)))
    {
      self->now = pd_time_max (self->now, when);
      pd_p2p_event (self, event, argument);
    }
  else
    pd_comsys_push (self, when, event, rank, argument);
}

void
pd_comsys_resume (PdComsys *self, guint32 rank, PdEvent event, PdTime when)
{
  if (self->cpus == NULL)
    pd_comsys_push (self, when, event, rank, 0);
  else
    pd_cpu_compute (self, rank, event, when);
}

void
pd_comsys_ready (PdComsys *self, guint32 rank, PdTime when)
{
  g_return_if_fail (rank < self->n_ranks && when.ps >= 0);

  pd_comsys_resume (self, rank, PD_EVENT_TURN, when);
}

void
pd_comsys_ready_token (PdComsys *self, guint32 rank, PdTime when, guint32 token)
{
  g_return_if_fail (rank < self->n_ranks && when.ps >= 0 && token != PD_TOKEN_NONE);

  pd_comsys_push (self, when, PD_EVENT_NOTIFY, rank, token);
}

gboolean
pd_comsys_may_go_on (const PdComsys *self, guint32 rank, PdTime when)
{
  if (G_UNLIKELY (self->cpus != NULL))
    return pd_cpu_may_go_on (self, rank, when);

  PdQueueItem item = pd_queue_item (when, TRUE, rank, 0);

  /* what it did at the moment of its turn may have made others ready then;
   * still the turn is its own, in both modes */
  return when.ps <= self->turn.ps || (self->run_ahead && pd_queue_is_first (&self->queue, &item));
}

void
pd_comsys_reach (PdComsys *self, guint32 rank, PdTime when)
{
  gboolean is_ahead = when.ps > self->turn.ps;

  if (is_ahead && !pd_comsys_may_go_on (self, rank, when))
    return;
  if (G_UNLIKELY (self->cpus != NULL))
    pd_cpu_reach (self, rank, when, is_ahead);
  if (!is_ahead)
    return;
  self->turn = when;
  self->now = pd_time_max (self->now, when);
}

static void
network_event (PdComsys *self, guint64 what)
{
  const PdLevel *level = &self->levels[what >> 32 & 0xffffff];

  level->class->event (level->network, (guint32) what, self->now);
}

static guint32
rank_of (guint64 what)
{
  return what >> 56 == PD_EVENT_NETWORK ? G_MAXUINT32 : (guint32) (what >> 32 & 0xffffff);
}

/* The rank of the event that is @ahead of the next one of this moment; where a
 * moment has one event only, of one of the next moments, @moments from now;
 * beyond all ranks if there is none. */
static guint32
upcoming_rank (const PdQueue *queue, gsize ahead, guint32 moments)
{
  gsize i = queue->next + ahead;

  if (i < queue->n_run)
    return rank_of (queue->run[i].what);
  if (queue->n_run > 1 || moments >= queue->future.n)
    return G_MAXUINT32;
  const PdMomentItem *item = pd_moments_peek (&queue->future, moments);
  return item != NULL ? rank_of (item->what) : G_MAXUINT32;
}

void
pd_comsys_expect (const PdComsys *self, guint32 rank)
{
  const PdLevel *level = &self->levels[0];

  __builtin_prefetch (&self->match.groups[rank & self->match.mask]);
  if (level->class->expect != NULL && self->topology->is_flat)
    level->class->expect (level->network, self->placement != NULL ? self->placement[rank] : rank);
}

/* Has the memory loaded that the events of this moment will need soon: with
 * many ranks each of them is far away. */
static void
prefetch (const PdComsys *self)
{
  guint32 far = upcoming_rank (&self->queue, 2 * AHEAD, 3);
  guint32 near = upcoming_rank (&self->queue, AHEAD, 1);

  if (far < self->n_ranks)
    __builtin_prefetch (&self->ranks[far]);
  if (near >= self->n_ranks)
    return;
  if (self->ranks[near].play != NULL)
    {
      __builtin_prefetch (self->ranks[near].play);
      __builtin_prefetch ((char *) self->ranks[near].play + 64);
    }
  for (guint i = 0; i < 1u << self->own_shift; i++)
    __builtin_prefetch (&self->reqs[1 + (near << self->own_shift) + i], 1);
  pd_comsys_expect (self, near);
}

guint32
pd_comsys_peek (const PdComsys *self)
{
  return upcoming_rank (&self->queue, AHEAD, 0);
}

static void
begin_turn (PdComsys *self, guint32 rank)
{
  self->turn = self->now;
  if (G_UNLIKELY (self->cpus != NULL))
    pd_cpu_begin_turn (self, rank);
}

gboolean
pd_comsys_next_event (PdComsys *self, PdTurn *turn)
{
  if (G_UNLIKELY (self->deferred != NULL))
    pd_cpu_play_deferred (self);
  while (!pd_queue_is_empty (&self->queue))
    {
      PdQueueItem item = pd_queue_pop (&self->queue);
      guint32 who = (guint32) (item.what >> 32 & 0xffffff);
      PdEvent event = (PdEvent) (item.what >> 56);

      prefetch (self);
      self->now = pd_queue_item_time (&item);
      self->number = item.rank_sequence & 0xffffffffff;
      self->counts.n_events++;
      switch (event)
        {
        case PD_EVENT_TURN:
        case PD_EVENT_NOTIFY:
          begin_turn (self, who);
          *turn = (PdTurn){ who, event == PD_EVENT_TURN ? PD_TOKEN_NONE : (guint32) item.what,
                            self->now };
          return TRUE;
        case PD_EVENT_PLAY:
          *turn = (PdTurn){ who, PD_TOKEN_NONE, self->now };
          begin_turn (self, who);
          if (!pd_play_go_on (self, who, &turn->when))
            break;
          pd_comsys_reach (self, who, turn->when);
          return TRUE;
        case PD_EVENT_EPOCH:
          begin_turn (self, who);
          pd_epoch_event (self, who, (guint32) item.what);
          break;
        case PD_EVENT_BESIDE:
          pd_play_go_on_beside (self, (guint32) item.what);
          break;
        case PD_EVENT_CHECK:
          pd_wait_check (self, who);
          break;
        case PD_EVENT_NETWORK:
          network_event (self, item.what);
          break;
        case PD_EVENT_LAUNCH:
        case PD_EVENT_ARRIVE:
        case PD_EVENT_POST:
        case PD_EVENT_COMPUTE:
          pd_cpu_event (self, event, who, (guint32) item.what);
          break;
        default:
          pd_p2p_event (self, event, (guint32) item.what);
          break;
        }
    }
  pd_queue_trim (&self->queue);
  return FALSE;
}

gboolean
pd_comsys_next (PdComsys *self, guint32 *rank, PdTime *when)
{
  PdTurn turn;

  if (!pd_comsys_next_event (self, &turn))
    return FALSE;
  *rank = turn.rank;
  *when = turn.when;
  return TRUE;
}

/* ---- blocked ranks */

void
pd_rank_block (PdComsys *self, const PdCall *call, const char *function)
{
  PdRank *rank = &self->ranks[call->rank];

  g_assert (rank->pending == 0);
  rank->ret = call->ret;
  rank->function = function;
  rank->latest = PD_TIME_ZERO;
  *call->ret = PD_TIME_PENDING;
}

void
pd_rank_return (PdComsys *self, guint32 rank, PdTime when)
{
  PdRank *r = &self->ranks[rank];
  PdEvent event = r->play != NULL ? PD_EVENT_PLAY : PD_EVENT_TURN;

  *r->ret = when;
  r->ret = NULL;
  pd_comsys_push (self, when, event, rank, 0);
}

void
pd_rank_completed (PdComsys *self, guint32 rank, PdTime when)
{
  PdRank *r = &self->ranks[rank];

  r->latest = pd_time_max (r->latest, when);
  if (--r->pending > 0)
    return;
  for (guint32 req = r->first, next; req != 0; req = next)
    {
      next = pd_req (self, req)->link;
      pd_req_drop (self, req, PD_HELD_OWNER);
    }
  r->first = 0;
  pd_rank_return (self, rank, pd_time_add (r->latest, r->overhead));
}

void
pd_comsys_get_blocked (const PdComsys *self, guint32 rank, PdBlocked *blocked)
{
  const PdRank *r = &self->ranks[rank];

  *blocked = (PdBlocked){ .peer = -1, .tag = -1 };
  if (r->ret == NULL && r->play == NULL)
    return;
  blocked->function = r->function;
  if (r->pending == 0)
    return;
  guint32 missing = r->first; /* the first of those that are not complete */
  while (!pd_time_is_pending (self->reqs[missing].done))
    missing = self->reqs[missing].link;
  const PdReq *req = &self->reqs[missing];
  blocked->peer = req->peer == G_MAXUINT32 ? -1 : (gint64) req->peer;
  blocked->tag = req->tag;
  blocked->bytes = req->bytes;
}
