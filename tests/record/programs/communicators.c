/* Communicators of all kinds, each with a message from its last rank to its first
 * one, for the tests of the recorder.
 * SPDX-License-Identifier: MIT */
#include <mpi.h>

static int rank, size;
static int value;

/* @tag tells which communicator it is. */
static void
use (MPI_Comm comm, int tag)
{
  int n, me;

  if (comm == MPI_COMM_NULL)
    return;
  MPI_Comm_size (comm, &n);
  MPI_Comm_rank (comm, &me);
  if (me == n - 1)
    MPI_Bsend (&value, 1, MPI_INT, 0, tag, comm);
  if (me == 0)
    MPI_Recv (&value, 1, MPI_INT, n - 1, tag, comm, MPI_STATUS_IGNORE);
}

static void
drop (MPI_Comm comm)
{
  if (comm != MPI_COMM_NULL)
    MPI_Comm_free (&comm);
}

static void
copies (void)
{
  MPI_Comm dup, again, split, typed, later;
  MPI_Request request;

  MPI_Comm_dup (MPI_COMM_WORLD, &dup);
  use (dup, 1);
  MPI_Comm_dup (dup, &again);
  use (again, 2);
  MPI_Comm_split (dup, rank % 2, -rank, &split);
  use (split, 3);
  drop (split);
  MPI_Comm_split (dup, rank == 0 ? MPI_UNDEFINED : 1, 0, &split);
  use (split, 4);
  drop (split);
  MPI_Comm_split_type (dup, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &typed);
  use (typed, 5);
  drop (typed);
  MPI_Comm_idup (dup, &later, &request);
  MPI_Wait (&request, MPI_STATUS_IGNORE);
  use (later, 6);
  drop (later);
  drop (again);
  drop (dup);
  use (MPI_COMM_SELF, 7);
}

static void
of_groups (void)
{
  MPI_Group world, part;
  MPI_Comm comm;
  int members[2] = { size - 1, 0 };

  MPI_Comm_group (MPI_COMM_WORLD, &world);
  MPI_Group_incl (world, 2, members, &part);
  MPI_Comm_create (MPI_COMM_WORLD, part, &comm);
  use (comm, 8);
  drop (comm);
  for (int i = 0; i < 2 && (rank == 0 || rank == size - 1); i++)
    {
      MPI_Comm_create_group (MPI_COMM_WORLD, part, 5, &comm);
      use (comm, 9 + i);
      drop (comm);
    }
  MPI_Group_free (&part);
  MPI_Group_free (&world);
}

static void
topologies (void)
{
  int grid[2] = { size / 2, 2 }, periods[2] = { 1, 0 }, keep[2] = { 0, 1 };
  int degrees = 1, next = (rank + 1) % size, ends[16], edges[16];
  MPI_Comm cart, line, graph;

  MPI_Cart_create (MPI_COMM_WORLD, 2, grid, periods, 0, &cart);
  use (cart, 11);
  MPI_Cart_sub (cart, keep, &line);
  use (line, 12);
  drop (line);
  drop (cart);
  for (int i = 0; i < size; i++)
    {
      ends[i] = i + 1;
      edges[i] = (i + 1) % size;
    }
  MPI_Graph_create (MPI_COMM_WORLD, size, ends, edges, 0, &graph);
  use (graph, 13);
  drop (graph);
  MPI_Dist_graph_create (MPI_COMM_WORLD, 1, &rank, &degrees, &next, MPI_UNWEIGHTED, MPI_INFO_NULL,
                         0, &graph);
  use (graph, 14);
  drop (graph);
}

static void
between (void)
{
  MPI_Comm half, inter, merged, dup;
  int side = rank % 2, root;

  MPI_Comm_split (MPI_COMM_WORLD, side, rank, &half);
  MPI_Intercomm_create (half, 0, MPI_COMM_WORLD, 1 - side, 15, &inter);
  if (rank == 0)
    MPI_Send (&value, 1, MPI_INT, 0, 16, inter);
  if (rank == 1)
    MPI_Recv (&value, 1, MPI_INT, MPI_ANY_SOURCE, 16, inter, MPI_STATUS_IGNORE);
  root = side == 1 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  MPI_Bcast (&value, 1, MPI_INT, root, inter);
  MPI_Barrier (inter);
  MPI_Comm_dup (inter, &dup);
  MPI_Barrier (dup);
  drop (dup);
  MPI_Intercomm_merge (inter, side, &merged);
  use (merged, 17);
  drop (merged);
  drop (inter);
  drop (half);
}

int
main (int argc, char **argv)
{
  static char room[65536];

  MPI_Init (&argc, &argv);
  MPI_Buffer_attach (room, sizeof room);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  copies ();
  of_groups ();
  topologies ();
  between ();
  MPI_Finalize ();
  return 0;
}
