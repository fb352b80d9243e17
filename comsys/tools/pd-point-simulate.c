/* Measured points, played by ComSys.
 * SPDX-License-Identifier: MIT */
#include "comsys/tools/pd-point-simulate.h"

#include "base/pd-time.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/machine/pd-point-kinds.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/mpi/pd-collective.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/mpi/pd-wait.h"

/* Calls of a rank. */
static const guint n_steps[PD_POINT_N_TRANSFERS] = {
  [PD_POINT_PING_PONG] = 2,
  [PD_POINT_SENDRECV] = 1,
  [PD_POINT_ISEND_IRECV] = 3,
};

typedef struct
{
  PdComsys *comsys;
  const PdPoint *point;
  guint transfer;
  PdCollective args;
  guint n_steps;
  guint *done; /* steps of each rank */
  PdTime *ret;
  PdTime *end;
  PdRequest requests[2][2];
} Simulated;

static void
step_transfer (Simulated *self, const PdCall *call, guint step)
{
  PdComm *world = pd_comsys_get_world (self->comsys);
  guint32 rank = call->rank;
  PdEnvelope envelope = { .peer = 1 - (gint32) rank, .bytes = self->point->bytes };

  if (self->transfer == PD_POINT_SENDRECV)
    pd_comsys_sendrecv (self->comsys, call, world, &(PdExchange){ envelope, envelope });
  else if (self->transfer == PD_POINT_PING_PONG && step == rank)
    pd_comsys_send (self->comsys, call, world, envelope);
  else if (self->transfer == PD_POINT_PING_PONG)
    pd_comsys_recv (self->comsys, call, world, envelope);
  else if (step == 0)
    self->requests[rank][0] = pd_comsys_irecv (self->comsys, call, world, envelope);
  else if (step == 1)
    self->requests[rank][1] = pd_comsys_isend (self->comsys, call, world, envelope);
  else
    pd_comsys_waitall (self->comsys, call, self->requests[rank], 2);
}

static void
step (Simulated *self, guint32 rank, PdTime when)
{
  PdCall call = { .rank = rank, .when = when, .ret = &self->ret[rank] };

  self->end[rank] = when;
  if (self->done[rank] == self->n_steps)
    return;
  guint number = self->done[rank]++;
  if (self->args.op == PD_N_OPS)
    step_transfer (self, &call, number);
  else
    pd_comsys_collective (self->comsys, &call, pd_comsys_get_world (self->comsys), &self->args);
  if (!pd_time_is_pending (self->ret[rank]))
    pd_comsys_ready (self->comsys, rank, self->ret[rank]);
}

/* Of a ping-pong what rank 0 sees, else until the last one is done. */
static PdTime
run (Simulated *self, guint32 n)
{
  PdTime when, latest = PD_TIME_ZERO;
  guint32 rank;

  for (rank = 0; rank < n; rank++)
    pd_comsys_ready (self->comsys, rank, PD_TIME_ZERO);
  while (pd_comsys_next (self->comsys, &rank, &when))
    step (self, rank, when);
  if (self->args.op == PD_N_OPS && self->transfer == PD_POINT_PING_PONG)
    return PD_TIME (self->end[0].ps / 2);
  for (rank = 0; rank < n; rank++)
    latest = pd_time_max (latest, self->end[rank]);
  return latest;
}

/* ---- where the ranks are */

static guint32
node_size (const PdMachineNetwork *network)
{
  const PdMachineNode *first = g_ptr_array_index (network->children, 0);

  return first->network != NULL ? node_size (first->network) : first->processors;
}

/* As many on each node of the machine as there were on those measured. */
static guint32 *
place (const PdPoint *self, const PdMachine *machine, GError **error)
{
  guint32 size = node_size (machine->network), n = (guint32) self->processes;
  gint64 per = self->per_node == 0 ? self->processes : self->per_node;
  gint64 last = (n - 1) / per * size + (n - 1) % per;
  guint32 *placement;

  if ((self->per_node > 0 && per > size) || last >= machine->n_processors)
    {
      g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SIZE,
                   "%s: %s was measured with %u ranks, %" G_GINT64_FORMAT
                   " on a node: the machine has %u processors, %u on a node",
                   machine->origin, self->what, n, MIN (per, self->processes),
                   machine->n_processors, size);
      return NULL;
    }
  placement = g_new (guint32, n);
  for (guint32 i = 0; i < n; i++)
    placement[i] = (guint32) (i / per * size + i % per);
  return placement;
}

gboolean
pd_point_simulate (const PdPoint *self, const PdMachine *machine, PdTime *time, GError **error)
{
  guint32 n = (guint32) self->processes;
  Simulated simulated = { .point = self, .transfer = pd_point_find_transfer (self->what) };

  simulated.args =
      (PdCollective){ .op = pd_point_find_operation (self->what), .bytes = self->bytes };
  g_return_val_if_fail (simulated.args.op < PD_N_OPS
                            || (n == 2 && simulated.transfer <= PD_POINT_ISEND_IRECV),
                        FALSE);

  g_autofree guint32 *placement = place (self, machine, error);
  if (placement == NULL)
    return FALSE;
  g_autoptr (PdComsys) comsys = pd_comsys_new (machine, placement, n, error);
  if (comsys == NULL)
    return FALSE;
  g_autofree guint *done = g_new0 (guint, n);
  g_autofree PdTime *ret = g_new0 (PdTime, n);
  g_autofree PdTime *end = g_new0 (PdTime, n);
  g_autofree gint64 *counts = g_new (gint64, n);
  for (guint32 i = 0; i < n; i++)
    counts[i] = self->bytes;
  simulated.args.send_counts = simulated.args.recv_counts = counts;
  simulated.comsys = comsys;
  simulated.n_steps = simulated.args.op < PD_N_OPS ? 1 : n_steps[simulated.transfer];
  simulated.done = done;
  simulated.ret = ret;
  simulated.end = end;
  *time = run (&simulated, n);
  return TRUE;
}
