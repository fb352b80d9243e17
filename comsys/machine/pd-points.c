/* SPDX-License-Identifier: MIT */
#include "comsys/machine/pd-points.h"

#include "comsys/coll/pd-op-info.h"
#include "comsys/machine/pd-point-kinds.h"

#include <string.h>

static const char *const transfers[PD_POINT_N_TRANSFERS] = {
  [PD_POINT_PING_PONG] = "ping-pong",
  [PD_POINT_SENDRECV] = "sendrecv",
  [PD_POINT_ISEND_IRECV] = "isend-irecv",
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

PdOp
pd_point_find_operation (const char *what)
{
  for (gsize i = 0; i < G_N_ELEMENTS (operations); i++)
    if (strcmp (pd_ops[operations[i]].name, what) == 0)
      return operations[i];
  return PD_N_OPS;
}

guint
pd_point_find_transfer (const char *what)
{
  guint i = 0;

  while (i < PD_POINT_N_TRANSFERS && strcmp (transfers[i], what) != 0)
    i++;
  return i;
}

const char *
pd_point_find (const char *what)
{
  guint transfer = pd_point_find_transfer (what);
  PdOp op = pd_point_find_operation (what);

  if (transfer < PD_POINT_N_TRANSFERS)
    return transfers[transfer];
  return op == PD_N_OPS ? NULL : pd_ops[op].name;
}

gboolean
pd_point_is_transfer (const PdPoint *self)
{
  return pd_point_find_operation (self->what) == PD_N_OPS;
}

const char *
pd_point_function (const PdPoint *self)
{
  PdOp op = pd_point_find_operation (self->what);

  return op == PD_N_OPS ? NULL : pd_ops[op].function;
}
