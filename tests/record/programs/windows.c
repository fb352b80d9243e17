/* One-sided communication with known arguments, for the tests of the recorder.
 * SPDX-License-Identifier: MIT */
#include <mpi.h>

enum
{
  N = 64
};

static int rank, size, next;
static double values[N], out[N], in[N];

static void
fenced (void)
{
  MPI_Win win;

  MPI_Win_create (values, sizeof values, sizeof (double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence (0, win);
  MPI_Put (out, 1, MPI_DOUBLE, next, 0, 1, MPI_DOUBLE, win);
  MPI_Put (out, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, 1, MPI_DOUBLE, win);
  MPI_Get (in, 2, MPI_DOUBLE, next, 8, 2, MPI_DOUBLE, win);
  MPI_Accumulate (out, 3, MPI_DOUBLE, next, 16, 3, MPI_DOUBLE, MPI_SUM, win);
  MPI_Win_fence (0, win);
  MPI_Win_free (&win);
}

static void
locked (void)
{
  double *memory;
  MPI_Win win;

  MPI_Win_allocate (N * sizeof (double), sizeof (double), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                    &win);
  MPI_Win_lock (MPI_LOCK_EXCLUSIVE, next, 0, win);
  MPI_Put (out, 4, MPI_DOUBLE, next, 0, 4, MPI_DOUBLE, win);
  MPI_Win_unlock (next, win);
  MPI_Win_lock (MPI_LOCK_SHARED, next, 0, win);
  MPI_Get (in, 5, MPI_DOUBLE, next, 0, 5, MPI_DOUBLE, win);
  MPI_Win_unlock (next, win);
  MPI_Win_free (&win);
}

/* What else there is: all at once, groups, requests, single values. */
static void
others (void)
{
  MPI_Group world, to, from;
  MPI_Request request;
  MPI_Win win;
  double *memory;
  int before = (rank + size - 1) % size;

  MPI_Win_allocate_shared (N * sizeof (double), sizeof (double), MPI_INFO_NULL, MPI_COMM_WORLD,
                           &memory, &win);
  MPI_Win_lock_all (0, win);
  MPI_Rput (out, 6, MPI_DOUBLE, next, 0, 6, MPI_DOUBLE, win, &request);
  MPI_Wait (&request, MPI_STATUS_IGNORE);
  MPI_Fetch_and_op (out, in, MPI_DOUBLE, next, 0, MPI_SUM, win);
  MPI_Get_accumulate (out, 7, MPI_DOUBLE, in, 7, MPI_DOUBLE, next, 0, 7, MPI_DOUBLE, MPI_SUM, win);
  MPI_Win_flush (next, win);
  MPI_Win_unlock_all (win);
  MPI_Comm_group (MPI_COMM_WORLD, &world);
  MPI_Group_incl (world, 1, &next, &to);
  MPI_Group_incl (world, 1, &before, &from);
  MPI_Win_post (from, 0, win);
  MPI_Win_start (to, 0, win);
  MPI_Put (out, 8, MPI_DOUBLE, next, 0, 8, MPI_DOUBLE, win);
  MPI_Win_complete (win);
  MPI_Win_wait (win);
  MPI_Group_free (&to);
  MPI_Group_free (&from);
  MPI_Group_free (&world);
  MPI_Win_free (&win);
}

int
main (int argc, char **argv)
{
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  next = (rank + 1) % size;
  fenced ();
  locked ();
  others ();
  MPI_Finalize ();
  return 0;
}
