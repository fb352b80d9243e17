/* A master gives out tasks; workers ask for the next when they are through, and the
 * master takes their answers from anyone. The planted problem: tasks get longer, and
 * the longest ones come last, so that at the end most workers have nothing to do.
 * With FIRST 1 the longest ones come first.
 *
 *   mpiexec -n 4 ./master-worker [TASKS [MICROSECONDS [FIRST]]]
 * SPDX-License-Identifier: MIT */
#include "busy.h" /* first: it says which functions of the system it needs */

#include <mpi.h>

enum
{
  TAG_TASK = 1,
  TAG_ANSWER,
  TAG_STOP,
};

static void
give_out (int n_workers, int n_tasks)
{
  int next = 0, answer;
  MPI_Status status;

  for (int worker = 1; worker <= n_workers; worker++, next++)
    MPI_Send (&next, 1, MPI_INT, worker, next < n_tasks ? TAG_TASK : TAG_STOP, MPI_COMM_WORLD);
  for (int answers = 0; answers < n_tasks; answers++, next++)
    {
      MPI_Recv (&answer, 1, MPI_INT, MPI_ANY_SOURCE, TAG_ANSWER, MPI_COMM_WORLD, &status);
      MPI_Send (&next, 1, MPI_INT, status.MPI_SOURCE, next < n_tasks ? TAG_TASK : TAG_STOP,
                MPI_COMM_WORLD);
    }
}

static void
work (int n_tasks, double microseconds, int longest_first)
{
  MPI_Status status;
  int task;

  for (;;)
    {
      MPI_Recv (&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      if (status.MPI_TAG == TAG_STOP)
        return;
      busy (1e-6 * microseconds * (longest_first ? n_tasks - task : 1 + task));
      MPI_Send (&task, 1, MPI_INT, 0, TAG_ANSWER, MPI_COMM_WORLD);
    }
}

int
main (int argc, char **argv)
{
  int rank, size;

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  int n_tasks = argument (argc, argv, 1, 3 * (size - 1) + 1);

  if (rank == 0)
    give_out (size - 1, n_tasks);
  else
    work (n_tasks, argument (argc, argv, 2, 2000), argument (argc, argv, 3, 0));
  MPI_Finalize ();
  return 0;
}
