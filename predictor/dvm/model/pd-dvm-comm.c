/* Exchanges among processors: one by one, or as a whole where they are large.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-comm.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/tools/pd-aggregate.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-shadow.h"
#include "traces/dvm/pd-dvm-call.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-fail.h"

/* So many messages are simulated one by one; more as a whole, unless they are few for each of very
 * many processors. */
#define MANY_MESSAGES     2000000
#define FEW_PER_PROCESSOR 64

gboolean
pd_dvm_is_large (const PdDvm *self, const PdTeam *team, const PdPlan *plan)
{
  guint64 total = pd_plan_get_total (plan), most = self->options->most_messages;

  return most > 0 ? total > most : total > MANY_MESSAGES && total / FEW_PER_PROCESSOR > team->n;
}

/* The data to simulate the exchange by @plan as a whole; NULL without
 * messages. */
static PdAggregate *
aggregate_new (PdDvm *self, const PdTeam *team, const PdPlan *plan)
{
  PdAggregate *aggregate = g_new0 (PdAggregate, 1);
  g_autofree guint32 *ranks = g_new (guint32, team->n);
  guint32 n = 0;

  for (guint32 linear = 0; linear < team->n; linear++)
    {
      PdTraffic own;
      guint32 processor = pd_grid_get_processor (team->grid, linear);
      pd_plan_get_traffic (plan, processor, &own);
      aggregate->all.n_sent += own.n_sent;
      aggregate->all.bytes_sent += own.bytes_sent;
      aggregate->all.n_received += own.n_received;
      aggregate->all.bytes_received += own.bytes_received;
      if (own.n_sent + own.n_received > 0)
        ranks[n++] = processor;
    }
  if (n == 0)
    {
      g_free (aggregate);
      return NULL;
    }
  aggregate->comm = pd_comm_new (self->comsys, ranks, n);
  pd_comsys_learn_exchange (
      self->comsys, aggregate->all.bytes_sent / MAX (aggregate->all.n_sent, 1), &aggregate->costs);
  pd_dvm_warn (self, "aggregated-exchange", self->call->name,
               "%" G_GINT64_FORMAT " messages of one '%s' are not simulated one by one; their "
               "time is scaled up from smaller exchanges of all with all",
               aggregate->all.n_sent, self->call->name);
  return aggregate;
}

PdStepOperation *
pd_dvm_emit_exchange (PdDvm *self, PdTeam *team, PdPlan *plan, PdOperationKind kind,
                      gboolean overlaps)
{
  PdStepOperation *operation = pd_dvm_operation_new (self, kind);

  pd_team_unref (operation->team);
  operation->team = pd_team_ref (team);
  operation->overlaps = overlaps;
  operation->plan = plan;
  if (pd_dvm_is_large (self, team, plan))
    operation->aggregate = aggregate_new (self, team, plan);
  pd_dvm_emit (self, PD_STEP_KIND_EXCHANGE_START)->operation = pd_operation_ref (operation);
  return operation;
}

void
pd_dvm_emit_exchange_wait (PdDvm *self, PdStepOperation *operation, guint32 flags)
{
  PdStepDvm *step = pd_dvm_emit (self, PD_STEP_KIND_EXCHANGE_WAIT);

  step->operation = pd_operation_ref (operation);
  step->flags = flags | PD_STEP_LEAVES;
  /* one direction alone: unpacking needs the receives */
  if (operation->halves == PD_STEP_SENDS || operation->halves == PD_STEP_RECVS)
    step->flags |= operation->halves;
}
