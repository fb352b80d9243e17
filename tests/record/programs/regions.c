/* Three parallel regions of two threads, of which the second works twice as long; one of one
 * thread inside, and one before MPI begins.
 * SPDX-License-Identifier: MIT */
#include <mpi.h>
#include <omp.h>

static void
work (double seconds)
{
  double end = omp_get_wtime () + seconds;

  while (omp_get_wtime () < end)
    ;
}

int
main (int argc, char **argv)
{
#pragma omp parallel num_threads(2)
  work (0.001);
  MPI_Init (&argc, &argv);
  for (int i = 0; i < 3; i++)
    {
#pragma omp parallel num_threads(2)
      {
        work (0.02 * (omp_get_thread_num () + 1));
#pragma omp parallel num_threads(1)
        work (0.001);
      }
      MPI_Barrier (MPI_COMM_WORLD);
    }
  MPI_Finalize ();
  return 0;
}
