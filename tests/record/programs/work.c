/* The same work between calls on each rank: as many steps as the first argument says, of as many
 * operations as the second one says.
 * SPDX-License-Identifier: MIT */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static volatile uint64_t sink;

static void
work (long n)
{
  uint64_t x = 1;

  for (long i = 0; i < n; i++)
    x = x * 6364136223846793005u + 1442695040888963407u;
  sink = x;
}

int
main (int argc, char **argv)
{
  int steps = argc > 1 ? atoi (argv[1]) : 10, rank, size, in, out = 0;
  long amount = argc > 2 ? atol (argv[2]) : 1000000;

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  for (int i = 0; i < steps; i++)
    {
      work (amount);
      MPI_Sendrecv (&out, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT,
                    (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      work (amount / 2);
      MPI_Allreduce (&out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
  MPI_Finalize ();
  return 0;
}
