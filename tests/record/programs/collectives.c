/* Collective operations with known arguments, for the tests of the recorder.
 * Blocks are of 8 bytes times a number that tells the operation.
 * SPDX-License-Identifier: MIT */
#include <mpi.h>

enum
{
  N = 1024
};

static int rank, size;
static double out[N], in[N];
static int counts[16], places[16], bytes[16];
static MPI_Datatype types[16];

static void
rooted (int root)
{
  MPI_Bcast (out, 1, MPI_DOUBLE, root, MPI_COMM_WORLD);
  MPI_Gather (out, 2, MPI_DOUBLE, in, 2, MPI_DOUBLE, root, MPI_COMM_WORLD);
  MPI_Gatherv (out, rank + 1, MPI_DOUBLE, in, counts, places, MPI_DOUBLE, root, MPI_COMM_WORLD);
  MPI_Scatter (out, 3, MPI_DOUBLE, in, 3, MPI_DOUBLE, root, MPI_COMM_WORLD);
  MPI_Scatterv (out, counts, places, MPI_DOUBLE, in, rank + 1, MPI_DOUBLE, root, MPI_COMM_WORLD);
  MPI_Reduce (out, in, 4, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
}

static void
to_all (void)
{
  MPI_Barrier (MPI_COMM_WORLD);
  MPI_Allgather (out, 5, MPI_DOUBLE, in, 5, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Allgatherv (out, rank + 1, MPI_DOUBLE, in, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Alltoall (out, 6, MPI_DOUBLE, in, 6, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < size; i++)
    counts[i] = 7;
  MPI_Alltoallv (out, counts, places, MPI_DOUBLE, in, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Alltoallw (out, counts, bytes, types, in, counts, bytes, types, MPI_COMM_WORLD);
  for (int i = 0; i < size; i++)
    counts[i] = i + 1;
  MPI_Allreduce (out, in, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce_scatter (out, in, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce_scatter_block (out, in, 9, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Scan (out, in, 10, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan (out, in, 11, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void
in_place (void)
{
  int is_root = rank == 0;

  MPI_Allreduce (MPI_IN_PLACE, in, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allgather (MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 5, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Gather (is_root ? MPI_IN_PLACE : out, 2, MPI_DOUBLE, in, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Scatter (out, 3, MPI_DOUBLE, is_root ? MPI_IN_PLACE : in, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Reduce (is_root ? MPI_IN_PLACE : out, in, 4, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Alltoall (MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 6, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void
begun (void)
{
  MPI_Request r[5];

  MPI_Ibarrier (MPI_COMM_WORLD, &r[0]);
  MPI_Ibcast (out, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, &r[1]);
  MPI_Iallreduce (out, in, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r[2]);
  MPI_Igather (out, 2, MPI_DOUBLE, in + 100, 2, MPI_DOUBLE, size - 1, MPI_COMM_WORLD, &r[3]);
  MPI_Ialltoall (out, 6, MPI_DOUBLE, in + 200, 6, MPI_DOUBLE, MPI_COMM_WORLD, &r[4]);
  MPI_Wait (&r[4], MPI_STATUS_IGNORE);
  MPI_Waitall (4, r, MPI_STATUSES_IGNORE);
}

static void
neighbours (void)
{
  MPI_Comm ring;
  int periodic = 0;

  MPI_Cart_create (MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
  MPI_Neighbor_allgather (out, 12, MPI_DOUBLE, in, 12, MPI_DOUBLE, ring);
  MPI_Neighbor_alltoall (out, 13, MPI_DOUBLE, in, 13, MPI_DOUBLE, ring);
  MPI_Comm_free (&ring);
}

int
main (int argc, char **argv)
{
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  for (int i = 0; i < size; i++)
    {
      counts[i] = i + 1;
      places[i] = 16 * i;
      bytes[i] = 128 * i;
      types[i] = MPI_DOUBLE;
    }
  rooted (0);
  rooted (size - 1);
  to_all ();
  in_place ();
  begun ();
  neighbours ();
  MPI_Finalize ();
  return 0;
}
