/* Operations that ranks submit, in the critical path: see pd-operations.h. The latest node of an
 * operation is kept for its token; that of the acting rank leads to its current action.
 * SPDX-License-Identifier: MIT */
#include "comsys/critical/pd-critical-path-events.h"
#include "comsys/critical/pd-critical-path-operations.h"
#include "comsys/critical/pd-critical-path-endpoints.h"
#include "comsys/critical/pd-critical-path-nonblocking.h"
#include "comsys/critical/pd-critical-path-private.h"
#include "comsys/critical/pd-critical-path-steps-private.h"
#include "comsys/state/pd-lookup.h"

/* The predecessor of the operation becomes the later one of it and @node (transfer none). */
static void
follow (PdCriticalPath *self, guint32 rank, guint32 token, guint32 node)
{
  guint32 at = pd_critical_take_token (self, rank, token);

  pd_critical_gather (self, &at, node);
  pd_critical_note (self, rank, token, at);
}

void
pd_critical_operation_follow (PdCriticalPath *self, guint32 rank, guint32 token)
{
  follow (self, rank, token, self->ranks[rank].at);
}

void
pd_critical_operation_enter (PdComsys *self, guint32 rank, guint32 token)
{
  follow (self->critical, rank, token, *pd_critical_cpu (self, rank));
}

void
pd_critical_operation_begin (PdComsys *self, guint32 rank, guint32 token, const guint32 *peer)
{
  PdCriticalPath *critical = self->critical;
  guint32 at = pd_critical_take_token (critical, rank, token), cpu = *pd_critical_cpu (self, rank);

  if (peer != NULL && !pd_p2p_is_copied (self, rank, *peer))
    {
      PdRoute route = pd_p2p_route (self, rank, *peer);
      if (self->levels[route.instance].class->endpoints != NULL)
        {
          guint32 source = pd_endpoint (self, route.instance, route.source, self->lane);
          pd_critical_gather (critical, &at,
                              *pd_critical_side (critical, route.instance, source, FALSE));
        }
    }
  if (cpu != 0 && pd_critical_when (critical, cpu).ps <= self->now.ps)
    pd_critical_gather (critical, &at, cpu);
  pd_critical_advance_to (critical, &at, self->now, rank);
  pd_critical_put (critical, &critical->ranks[rank].at, pd_critical_ref (critical, at));
  critical->begun = at;
}

void
pd_critical_operation_start (PdComsys *self, guint32 rank)
{
  PdCriticalPath *critical = self->critical;

  pd_critical_put (critical, &critical->ranks[rank].at, critical->begun);
  critical->begun = 0;
}

void
pd_critical_operation_compute (PdComsys *self, guint32 rank, guint32 token, PdTime until)
{
  PdCriticalPath *critical = self->critical;
  PdCriticalActor *actor = &critical->ranks[rank];

  pd_critical_advance (critical, actor, until, PD_CRITICAL_WORK, actor->place);
  pd_critical_put (critical, pd_critical_cpu (self, rank), pd_critical_ref (critical, actor->at));
  pd_critical_note (critical, rank, token, pd_critical_ref (critical, actor->at));
}

void
pd_critical_operation_end (PdComsys *self, guint32 rank, guint32 token)
{
  PdCriticalPath *critical = self->critical;
  PdCriticalActor *actor = &critical->ranks[rank];
  guint32 at = pd_critical_take_token (critical, rank, token);

  if (at != 0)
    pd_critical_put (critical, &actor->at, at);
  pd_critical_gather (critical, &actor->last, actor->at);
  for (guint32 cpu = 0; cpu < self->n_cpus; cpu++)
    pd_critical_gather (critical, &actor->last,
                        critical->cpus[pd_cpu_index (self, rank, (PdLane){ (guint8) cpu, 0 })]);
}
