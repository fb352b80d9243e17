/* Barriers and nonblocking operations in the critical path.
 * SPDX-License-Identifier: MIT */
#include "comsys/critical/pd-critical-path-nonblocking.h"

#include "comsys/critical/pd-critical-path-events.h"
#include "comsys/critical/pd-critical-path-private.h"
#include "comsys/critical/pd-critical-path-steps-private.h"
#include "comsys/state/pd-comsys-types.h"
#include "comsys/state/pd-lookup.h"

static PdCriticalNode
node_at (PdTime when, PdCriticalKind kind, guint32 rank)
{
  return (PdCriticalNode){
    .when = when.ps, .kind = kind & 0xff, .rank = rank, .peer = rank & 0xffffff
  };
}

void
pd_critical_barrier_enter (PdComsys *self, const PdCall *call, guint32 *latest)
{
  PdCriticalActor *actor = pd_critical_actor (self->critical, call->rank);

  pd_critical_act (self->critical, actor, call->when);
  pd_critical_gather (self->critical, latest, actor->at);
}

void
pd_critical_barrier_leave (PdComsys *self, guint32 rank, guint32 req, guint32 latest, PdTime when)
{
  PdCriticalPath *critical = self->critical;
  PdCriticalNode node = node_at (when, PD_CRITICAL_OPERATION, rank);
  guint32 end = pd_critical_add (critical, latest, &node);

  if (req == 0)
    {
      pd_critical_put (critical, &critical->ranks[rank].at, end);
      return;
    }
  pd_critical_put (critical, &pd_critical_req (critical, req)->done, end);
  pd_critical_notify_owner (self, req, when);
}

void
pd_critical_nonblocking_start (PdComsys *self, const PdNonblocking *nonblocking, PdTime when)
{
  PdCriticalPath *critical = self->critical;
  PdCriticalActor *rank = &critical->ranks[nonblocking->world];
  PdCriticalActor *b = pd_critical_nonblocking_actor (critical, nonblocking->index);

  pd_critical_act (critical, rank, when);
  pd_critical_put (critical, &b->at, pd_critical_ref (critical, rank->at));
  b->rank = nonblocking->world;
  b->in_function = FALSE;
}

void
pd_critical_nonblocking_completed (PdComsys *self, const PdNonblocking *nonblocking, guint32 req,
                                   PdAwaited awaited)
{
  PdCriticalActor *b = pd_critical_nonblocking_actor (self->critical, nonblocking->index);

  pd_critical_advance_to_done (self, req);
  pd_critical_gather (self->critical, &b->awaited[awaited],
                      pd_critical_req (self->critical, req)->done);
}

void
pd_critical_nonblocking_step (PdComsys *self, gboolean waits)
{
  self->critical->is_wait = waits;
}

void
pd_critical_nonblocking_work (PdComsys *self, const PdNonblocking *nonblocking, PdTime when,
                              const PdStep *step)
{
  pd_critical_switch_actor (self, nonblocking);
  pd_critical_step (self, nonblocking->world, when, step);
  pd_critical_switch_actor (self, NULL);
}

void
pd_critical_nonblocking_wait (PdComsys *self, const PdNonblocking *nonblocking, PdTime when,
                              PdAwaited awaited)
{
  PdCriticalActor *b = pd_critical_nonblocking_actor (self->critical, nonblocking->index);

  b->begun = self->critical->is_wait ? PD_CRITICAL_SOFTWARE : PD_CRITICAL_START;
  self->critical->is_wait = FALSE;
  if (awaited == PD_AWAITED_ALL) /* the network's call before is notified nowhere else */
    pd_critical_advance (self->critical, b, when, PD_CRITICAL_NETWORK_CPU, 0);
  pd_critical_gather (self->critical, &b->awaited[awaited], b->at);
}

void
pd_critical_nonblocking_wait_end (PdComsys *self, const PdNonblocking *nonblocking, PdTime when,
                                  PdAwaited awaited)
{
  PdCriticalActor *b = pd_critical_nonblocking_actor (self->critical, nonblocking->index);
  guint32 node = b->awaited[awaited];

  b->awaited[awaited] = 0;
  pd_critical_put (self->critical, &b->at, node);
  if (b->begun == PD_CRITICAL_SOFTWARE)
    pd_critical_spend (self->critical, b, when, PD_CRITICAL_WAIT_OVERHEAD, 1);
}

void
pd_critical_nonblocking_end (PdComsys *self, const PdNonblocking *nonblocking, PdTime when)
{
  PdCriticalPath *critical = self->critical;
  PdCriticalActor *b = pd_critical_nonblocking_actor (critical, nonblocking->index);

  pd_critical_put (critical, &pd_critical_req (critical, nonblocking->request)->done,
                   pd_critical_ref (critical, b->at));
  pd_critical_notify_owner (self, nonblocking->request, when);
}

void
pd_critical_switch_actor (PdComsys *self, const PdNonblocking *nonblocking)
{
  self->critical->nonblocking = nonblocking != NULL ? nonblocking->index + 1 : 0;
}

void
pd_critical_barrier_forget (PdComsys *self, guint32 *latest)
{
  if (*latest != 0)
    pd_critical_put (self->critical, latest, 0);
}
