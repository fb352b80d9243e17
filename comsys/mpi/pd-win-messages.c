/* The messages of one-sided communication, and the locks at their targets. A message
 * is a request that nothing matches: its network is asked as for a send, and what it
 * is for happens when it arrives.
 *
 *   Put, Accumulate:  data ->
 *   Get:              control -> , <- data
 *   Get_accumulate:   data -> , <- data
 *   locks:            LOCK -> , <- GRANT when it can be granted; RELEASE ->
 *   active targets:   see pd-win-active.c
 *
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-win-private.h"

#include "base/pd-time.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/p2p/pd-completion.h"
#include "comsys/p2p/pd-costs.h"
#include "comsys/p2p/pd-cpu-launch.h"
#include "comsys/p2p/pd-cpu-order.h"
#include "comsys/p2p/pd-req-pool.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-comsys-types.h"
#include "comsys/state/pd-lookup.h"

guint32
pd_one_sided_new (PdComsys *self, PdWin *win, PdOneSided purpose, guint32 source, guint32 target)
{
  guint32 message = pd_req_new (self, source);
  PdReq *m = pd_req (self, message);

  m->kind = PD_REQ_ONE_SIDED;
  m->purpose = purpose;
  m->peer = target;
  m->tag = PD_ANY_TAG;
  m->source_in_comm = win->index;
  m->held = PD_HELD_SYSTEM;
  m->rendezvous = purpose >= PD_ONE_SIDED_GET;
  m->endpoints = source != target && pd_p2p_level (self, source, target)->class->endpoints != NULL;
  win->n_under_way++;
  return message;
}

gboolean
pd_one_sided_send (PdComsys *self, guint32 message, PdTime when)
{
  const PdReq *m = pd_req (self, message);

  if (m->endpoints)
    return pd_cpu_send (self, message, when);
  if (m->rank == m->peer)
    pd_one_sided_arrived (self, message, when);
  else
    pd_comsys_at (self, when, PD_EVENT_REQUEST, m->rank, message);
  return TRUE;
}

void
pd_one_sided_drop (PdComsys *self, guint32 message)
{
  pd_win_release (pd_win_of (self, pd_req (self, message)->source_in_comm));
  pd_req_drop (self, message, PD_HELD_SYSTEM);
}

void
pd_one_sided_tell (PdComsys *self, const PdCall *call, guint32 message, PdTold *told)
{
  told->endpoints = told->endpoints || pd_req (self, message)->endpoints;
  told->is_held = !pd_one_sided_send (self, message, call->when) || told->is_held;
}

void
pd_one_sided_told (PdComsys *self, const PdCall *call, const PdTold *told, const char *function)
{
  *call->ret = call->when;
  if (told->is_held)
    pd_cpu_wait_for_launch (self, call, function);
  else if (told->endpoints)
    *call->ret = pd_time_max (call->when, self->cpus[call->rank].free);
  if (!pd_time_is_pending (*call->ret))
    pd_cpu_account (self, *call->ret);
}

/* ---- at the target; the first to need its processor anew is not who acts now */

static void
send_answer (PdComsys *self, guint32 answer)
{
  self->entered = 0;
  self->fresh = FALSE;
  pd_one_sided_send (self, answer, self->now);
}

static guint32
answer_new (PdComsys *self, guint32 message, PdOneSided purpose)
{
  const PdReq *m = pd_req (self, message);

  return pd_one_sided_new (self, pd_win_of (self, m->source_in_comm), purpose, m->peer, m->rank);
}

static void
answer_get (PdComsys *self, guint32 get)
{
  guint32 answer = answer_new (self, get, PD_ONE_SIDED_DATA);

  pd_req (self, answer)->bytes = pd_req (self, get)->wanted;
  pd_req (self, answer)->partner = pd_req (self, get)->partner;
  pd_req (self, answer)->link = pd_req (self, get)->link;
  pd_one_sided_drop (self, get);
  send_answer (self, answer);
}

static void
grant (PdComsys *self, PdWinMember *target, guint32 lock)
{
  guint32 answer = answer_new (self, lock, PD_ONE_SIDED_GRANT);

  if (pd_req (self, lock)->purpose == PD_ONE_SIDED_LOCK_EXCLUSIVE)
    target->exclusive = TRUE;
  else
    target->n_shared++;
  pd_req (self, answer)->partner = lock;
  send_answer (self, answer);
}

/* In their order; one that cannot be granted holds up those behind it. */
static void
grant_waiting (PdComsys *self, PdWinMember *target)
{
  while (target->first != 0 && !target->exclusive)
    {
      guint32 lock = target->first;
      if (pd_req (self, lock)->purpose == PD_ONE_SIDED_LOCK_EXCLUSIVE && target->n_shared > 0)
        return;
      target->first = pd_req (self, lock)->next;
      grant (self, target, lock);
    }
}

static void
enqueue (PdComsys *self, PdWinMember *target, guint32 lock)
{
  pd_req (self, lock)->next = 0;
  if (target->first == 0)
    target->first = lock;
  else
    pd_req (self, target->last)->next = lock;
  target->last = lock;
}

/* ---- posts, at the origin: found by window, origin and target. The value is the first of
 * them, or WAITING and the position of the target in the epoch that the origin waits to
 * begin. */

#define WAITING (G_GUINT64_CONSTANT (1) << 32)

static guint64
pair_of (guint32 origin, guint32 target)
{
  return (guint64) origin << 32 | target;
}

/* The post is used: the next one of the same two members takes its place. */
static guint32
use_post (PdComsys *self, guint64 *first)
{
  guint32 post = (guint32) *first, exposure = pd_req (self, post)->partner;
  guint32 next = pd_req (self, post)->link;

  if (next != 0)
    *first = next;
  else
    pd_hash_map_remove (&self->wins->posts, first);
  pd_one_sided_drop (self, post);
  return exposure;
}

/* One has arrived: it lets the origin start, or is kept. */
static void
post_event (PdComsys *self, PdWin *win, guint32 post)
{
  const PdReq *m = pd_req (self, post);
  guint32 origin = (guint32) pd_comm_get_rank (win->comm, m->peer);
  guint32 target = (guint32) pd_comm_get_rank (win->comm, m->rank);
  guint64 *first =
      pd_hash_map_get (&self->wins->posts, pair_of (origin, target), win->index + 1, post);

  if (*first == post)
    return; /* until it is asked for */
  if ((*first & WAITING) == 0)
    {
      guint32 last = (guint32) *first;
      while (pd_req (self, last)->link != 0)
        last = pd_req (self, last)->link;
      pd_req (self, last)->link = post;
      return;
    }
  guint32 access = win->members[origin].accesses.last;
  pd_epoch (self, access)->peers[(guint32) *first].exposure = m->partner;
  pd_hash_map_remove (&self->wins->posts, first);
  pd_one_sided_drop (self, post);
  pd_epoch_completed (self, access, self->now);
}

void
pd_one_sided_ask_for_post (PdComsys *self, PdWin *win, guint32 access, guint32 i)
{
  PdEpoch *e = pd_epoch (self, access);
  guint64 pair = pair_of (e->member, e->peers[i].member);
  guint64 *first = pd_hash_map_get (&self->wins->posts, pair, win->index + 1, WAITING | i);

  if (*first == (WAITING | i))
    e->n_open++;
  else
    e->peers[i].exposure = use_post (self, first);
}

/* ---- what happens at the arrival */

/* A lock that is asked for, or given back. */
static void
lock_event (PdComsys *self, PdWin *win, guint32 message)
{
  const PdReq *m = pd_req (self, message);
  gboolean is_release = m->purpose == PD_ONE_SIDED_RELEASE;
  PdWinMember *target = &win->members[pd_comm_get_rank (win->comm, m->peer)];

  if (!is_release)
    enqueue (self, target, message);
  else if (target->exclusive)
    target->exclusive = FALSE;
  else
    target->n_shared--;
  grant_waiting (self, target);
  if (is_release)
    pd_one_sided_drop (self, message);
}

/* The origin has completed. */
static void
complete_event (PdComsys *self, PdWin *win G_GNUC_UNUSED, guint32 message)
{
  guint32 exposure = pd_req (self, message)->partner;

  pd_one_sided_drop (self, message);
  pd_epoch_completed (self, exposure, self->now);
}

static void
get_event (PdComsys *self, PdWin *win G_GNUC_UNUSED, guint32 message)
{
  answer_get (self, message);
}

void
pd_one_sided_event (PdComsys *self, guint32 rank G_GNUC_UNUSED, guint32 message)
{
  static void (*const events[]) (PdComsys * self, PdWin * win, guint32 message) = {
    [PD_ONE_SIDED_FETCH] = get_event,         [PD_ONE_SIDED_GET] = get_event,
    [PD_ONE_SIDED_LOCK_SHARED] = lock_event,  [PD_ONE_SIDED_LOCK_EXCLUSIVE] = lock_event,
    [PD_ONE_SIDED_RELEASE] = lock_event,      [PD_ONE_SIDED_POST] = post_event,
    [PD_ONE_SIDED_COMPLETE] = complete_event,
  };
  const PdReq *m = pd_req (self, message);

  events[m->purpose](self, pd_win_of (self, m->source_in_comm), message);
}

/* ---- arrivals */

/* When what has arrived at @when is where it belongs. */
static PdTime
time_complete (const PdComsys *self, const PdReq *message, PdTime when)
{
  if (message->purpose == PD_ONE_SIDED_ACCUMULATE || message->purpose == PD_ONE_SIDED_FETCH)
    when = pd_time_add (
        when, pd_time_for_bytes (message->bytes, self->machine->software.reduction_per_byte));
  return self->has_costs && !message->endpoints
             ? pd_time_add (when, pd_costs_of_recv (self, message))
             : when;
}

void
pd_one_sided_arrived (PdComsys *self, guint32 message, PdTime when)
{
  const PdReq *m = pd_req (self, message);
  guint32 partner = m->partner, request = m->link;

  if (m->endpoints) /* it has kept the processor until now */
    when = self->cpus[m->peer].free;
  if (m->purpose <= PD_ONE_SIDED_DATA)
    {
      PdTime complete = time_complete (self, m, when);
      pd_one_sided_drop (self, message);
      pd_epoch_completed (self, partner, complete);
      if (request == 0)
        return;
      pd_req_complete (self, request, complete);
      pd_req_drop (self, request, PD_HELD_SYSTEM);
    }
  else if (m->purpose == PD_ONE_SIDED_GRANT)
    {
      const PdReq *lock = pd_req (self, partner);
      guint32 epoch = lock->notify ? lock->link : 0; /* no rank is blocked */
      pd_one_sided_drop (self, message);
      if (epoch == 0)
        pd_req_complete (self, partner, when);
      pd_one_sided_drop (self, partner);
      if (epoch != 0)
        pd_epoch_completed (self, epoch, when);
    }
  else
    pd_comsys_at (self, m->purpose == PD_ONE_SIDED_FETCH ? time_complete (self, m, when) : when,
                  PD_EVENT_ONE_SIDED, m->peer, message);
}
