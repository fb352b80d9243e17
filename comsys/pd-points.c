/* SPDX-License-Identifier: MIT */
#include "comsys/pd-points.h"

#include "comsys/pd-collective-private.h"

#include <string.h>

/* ---- what there is */

typedef struct
{
  const char *name;
  guint n_steps;
} Transfer;

enum
{
  PING_PONG,
  SENDRECV,
  ISEND_IRECV,
};

static const Transfer transfers[] = {
  [PING_PONG] = { "ping-pong", 2 },
  [SENDRECV] = { "sendrecv", 1 },
  [ISEND_IRECV] = { "isend-irecv", 3 },
};

/* Of those the size of a block, or of the vector, says all. */
static const PdOp operations[] = {
  PD_OP_BARRIER,
  PD_OP_BCAST,
  PD_OP_REDUCE,
  PD_OP_ALLREDUCE,
  PD_OP_GATHER,
  PD_OP_GATHERV,
  PD_OP_SCATTER,
  PD_OP_SCATTERV,
  PD_OP_ALLGATHER,
  PD_OP_ALLGATHERV,
  PD_OP_ALLTOALL,
  PD_OP_ALLTOALLV,
  PD_OP_ALLTOALLW,
  PD_OP_SCAN,
  PD_OP_EXSCAN,
  PD_OP_REDUCE_SCATTER,
  PD_OP_REDUCE_SCATTER_BLOCK,
};

PdPoints *
pd_points_new (void)
{
  PdPoints *self = g_new0 (PdPoints, 1);

  self->lines = g_array_new (FALSE, FALSE, sizeof (PdPointLine));
  self->loggp = g_array_new (FALSE, FALSE, sizeof (PdPointLogGP));
  self->points = g_array_new (FALSE, FALSE, sizeof (PdPoint));
  return self;
}

void
pd_points_free (PdPoints *self)
{
  if (self == NULL)
    return;
  g_free (self->date);
  g_free (self->mpi);
  g_free (self->host);
  g_array_unref (self->lines);
  g_array_unref (self->loggp);
  g_array_unref (self->points);
  g_free (self);
}

/* PD_N_OPS of a transfer. */
static PdOp
find_operation (const char *what)
{
  for (gsize i = 0; i < G_N_ELEMENTS (operations); i++)
    if (strcmp (pd_ops[operations[i]].name, what) == 0)
      return operations[i];
  return PD_N_OPS;
}

static guint
find_transfer (const char *what)
{
  guint i = 0;

  while (i < G_N_ELEMENTS (transfers) && strcmp (transfers[i].name, what) != 0)
    i++;
  return i;
}

const char *
pd_point_find (const char *what)
{
  guint transfer = find_transfer (what);
  PdOp op = find_operation (what);

  if (transfer < G_N_ELEMENTS (transfers))
    return transfers[transfer].name;
  return op == PD_N_OPS ? NULL : pd_ops[op].name;
}

gboolean
pd_point_is_transfer (const PdPoint *self)
{
  return find_operation (self->what) == PD_N_OPS;
}

const char *
pd_point_function (const PdPoint *self)
{
  PdOp op = find_operation (self->what);

  return op == PD_N_OPS ? NULL : pd_ops[op].function;
}

/* ---- playing it */

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
} Play;

static void
step_transfer (Play *self, const PdCall *call, guint step)
{
  PdComm *world = pd_comsys_get_world (self->comsys);
  guint32 rank = call->rank;
  PdEnvelope envelope = { .peer = 1 - (gint32) rank, .bytes = self->point->bytes };

  if (self->transfer == SENDRECV)
    pd_comsys_sendrecv (self->comsys, call, world, &(PdExchange){ envelope, envelope });
  else if (self->transfer == PING_PONG && step == rank)
    pd_comsys_send (self->comsys, call, world, envelope);
  else if (self->transfer == PING_PONG)
    pd_comsys_recv (self->comsys, call, world, envelope);
  else if (step == 0)
    self->requests[rank][0] = pd_comsys_irecv (self->comsys, call, world, envelope);
  else if (step == 1)
    self->requests[rank][1] = pd_comsys_isend (self->comsys, call, world, envelope);
  else
    pd_comsys_waitall (self->comsys, call, self->requests[rank], 2);
}

static void
step (Play *self, guint32 rank, PdTime when)
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
run (Play *self, guint32 n)
{
  PdTime when, latest = PD_TIME_ZERO;
  guint32 rank;

  for (rank = 0; rank < n; rank++)
    pd_comsys_ready (self->comsys, rank, PD_TIME_ZERO);
  while (pd_comsys_next (self->comsys, &rank, &when))
    step (self, rank, when);
  if (self->args.op == PD_N_OPS && self->transfer == PING_PONG)
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
pd_point_play (const PdPoint *self, const struct _PdMachine *machine, PdTime *time, GError **error)
{
  guint32 n = (guint32) self->processes;
  Play play = { .point = self, .transfer = find_transfer (self->what) };

  play.args = (PdCollective){ .op = find_operation (self->what), .bytes = self->bytes };
  g_return_val_if_fail (play.args.op < PD_N_OPS || (n == 2 && play.transfer <= ISEND_IRECV), FALSE);

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
  play.args.send_counts = play.args.recv_counts = counts;
  play.comsys = comsys;
  play.n_steps = play.args.op < PD_N_OPS ? 1 : transfers[play.transfer].n_steps;
  play.done = done;
  play.ret = ret;
  play.end = end;
  *time = run (&play, n);
  return TRUE;
}
