/* SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-barrier-ring.h"

#include "comsys/coll/pd-op-info.h"
#include "comsys/queue/pd-lines.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-probe.h"

#include <string.h>

static void
barrier_free (gpointer data)
{
  PdBarrierState *barrier = data;

  g_array_unref (barrier->waiting);
  for (guint i = 0; i < barrier->joins->len; i++)
    g_free (g_array_index (barrier->joins, PdJoin, i).neighbors);
  g_array_unref (barrier->joins);
  if (barrier->latest_each != NULL)
    pd_lines_free (barrier->latest_each, 1);
  g_free (barrier);
}

static PdBarrierState *
barrier_new (void)
{
  PdBarrierState *barrier = g_new0 (PdBarrierState, 1);

  barrier->waiting = g_array_new (FALSE, FALSE, sizeof (PdBarrierWaiting));
  barrier->joins = g_array_new (FALSE, FALSE, sizeof (PdJoin));
  return barrier;
}

/* Twice as much room, for as many as a power of two. */
static void
grow (PdComm *comm)
{
  guint32 had = comm->barriers->len, room = MAX (2 * had, 2);
  g_autoptr (GPtrArray) old = comm->barriers;

  comm->barriers = g_ptr_array_new_full (room, barrier_free);
  g_ptr_array_set_size (comm->barriers, (gint) room);
  for (guint32 i = 0; i < room; i++)
    {
      guint32 number = comm->first_open + i;
      comm->barriers->pdata[number & (room - 1)] =
          i < had ? old->pdata[number & (had - 1)] : barrier_new ();
    }
  g_ptr_array_set_free_func (old, NULL);
}

PdBarrierState *
pd_barrier_enter (PdComm *comm, guint32 me)
{
  if (comm->barriers == NULL)
    {
      comm->barriers = g_ptr_array_new_with_free_func (barrier_free);
      comm->n_entered = g_new0 (guint32, comm->n);
    }
  guint32 number = comm->n_entered[me]++;
  while (number - comm->first_open >= comm->barriers->len)
    grow (comm);
  PdBarrierState *barrier = comm->barriers->pdata[number & (comm->barriers->len - 1)];
  barrier->n_arrived++;
  return barrier;
}

/* The operation is that of the first who comes. */
static void
compare_operations (PdBarrierState *barrier, const PdCollective *args, guint32 root)
{
  if (barrier->n_arrived == 1)
    {
      barrier->op = args->op;
      barrier->root = root;
      barrier->mismatched = FALSE;
    }
  else if (barrier->op != args->op || barrier->root != root)
    barrier->mismatched = TRUE;
}

/* Whose bytes count. Dimemas has a root in operations without one, too. */
static guint32
find_root (const PdComm *comm, const PdCollective *args)
{
  return (pd_ops[args->op].rooted || args->is_equal) && args->root < comm->n ? args->root : 0;
}

PdBarrierState *
pd_barrier_enter_operation (PdComm *comm, guint32 me, const PdCollective *args)
{
  guint32 root = find_root (comm, args);
  PdBarrierState *barrier = pd_barrier_enter (comm, me);

  compare_operations (barrier, args, root);
  if (me == root)
    barrier->bytes = pd_phases_get_bytes (args, comm);
  return barrier;
}

/* It becomes one that is yet to come. */
void
pd_barrier_leave (PdComm *comm)
{
  PdBarrierState *barrier = comm->barriers->pdata[comm->first_open++ & (comm->barriers->len - 1)];

  barrier->n_arrived = barrier->n_reached = 0;
  barrier->latest = PD_TIME_ZERO;
  if (barrier->latest_each != NULL)
    memset (barrier->latest_each, 0, 64);
  PD_PROBE (comm->comsys, barrier_forget, &barrier->mark);
  g_array_set_size (barrier->waiting, 0);
  g_array_set_size (barrier->joins, 0);
}
