/* Ranks that compute with threads between barriers, in two intervals. Each rank prints how much
 * processor time its process took by the time that it computed, as it has measured itself.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 5 /* of an interval */

static double work; /* seconds of processor time of each thread in a round */

static double
read_clock (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

static void *
compute (void *data)
{
  double begin = read_clock (CLOCK_THREAD_CPUTIME_ID);
  volatile double x = 0;

  while (read_clock (CLOCK_THREAD_CPUTIME_ID) - begin < work)
    for (int i = 0; i < 1000; i++)
      x += i;
  return data;
}

/* With all threads; @sums: processor time and time get what it took. */
static void
compute_together (int n, double *sums)
{
  pthread_t threads[16];
  double busy = read_clock (CLOCK_PROCESS_CPUTIME_ID), begin = read_clock (CLOCK_MONOTONIC);

  for (int i = 1; i < n; i++)
    pthread_create (&threads[i], NULL, compute, NULL);
  compute (NULL);
  for (int i = 1; i < n; i++)
    pthread_join (threads[i], NULL);
  sums[0] += read_clock (CLOCK_PROCESS_CPUTIME_ID) - busy;
  sums[1] += read_clock (CLOCK_MONOTONIC) - begin;
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 1, rank;
  double sums[2] = { 0, 0 };

  work = argc > 2 ? atof (argv[2]) : 0;
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  for (int interval = 1; interval <= 2; interval++)
    {
      MPI_Pcontrol (100, interval);
      for (int i = 0; i < ROUNDS; i++)
        {
          compute_together (n, sums);
          MPI_Barrier (MPI_COMM_WORLD);
        }
      MPI_Pcontrol (101, interval);
    }
  MPI_Finalize ();
  printf ("%d %.4f\n", rank, sums[0] / sums[1]);
  return 0;
}
