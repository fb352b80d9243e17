/* Four threads of each of two ranks exchange messages with their like, all at once:
 *   threads ROUNDS [blocking|requests|others|short|kill]
 * blocking: MPI_Send, MPI_Recv; requests: MPI_Isend, MPI_Irecv, MPI_Waitall; others: what one
 * thread begins another one waits for; short: a new thread for each tenth of the rounds; kill: by
 * the last thread, when all threads of the rank have done half of the rounds and go on. Each thread
 * has its own communicator.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <mpi.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4

static int rank, rounds;
static const char *how = "blocking";
static MPI_Comm comms[THREADS];
static pthread_barrier_t half;

typedef struct
{
  int thread;
  int first;
  int n;
  MPI_Request requests[2];
  int values[2];
} Work;

static void
fail (const char *what)
{
  fprintf (stderr, "%s\n", what);
  MPI_Abort (MPI_COMM_WORLD, 1);
}

static void
exchange (Work *work, int i)
{
  int to = 1 - rank, in = -1, out = i;
  MPI_Comm comm = comms[work->thread];

  if (rank == 0)
    {
      MPI_Send (&out, 1, MPI_INT, to, work->thread, comm);
      MPI_Recv (&in, 1, MPI_INT, to, work->thread, comm, MPI_STATUS_IGNORE);
    }
  else
    {
      MPI_Recv (&in, 1, MPI_INT, to, work->thread, comm, MPI_STATUS_IGNORE);
      MPI_Send (&out, 1, MPI_INT, to, work->thread, comm);
    }
  if (in != i)
    fail ("another message");
}

static void
begin (Work *work, int i)
{
  work->values[0] = i;
  work->values[1] = -1;
  MPI_Irecv (&work->values[1], 1, MPI_INT, 1 - rank, work->thread, comms[work->thread],
             &work->requests[0]);
  MPI_Isend (&work->values[0], 1, MPI_INT, 1 - rank, work->thread, comms[work->thread],
             &work->requests[1]);
}

static void
end (Work *work, int i)
{
  MPI_Waitall (2, work->requests, MPI_STATUSES_IGNORE);
  if (work->values[1] != i)
    fail ("another message");
}

/* What the rank that is the first to die has done by then is certain: the other one may be
 * killed by its starter at any time. */
static void
die (const Work *work)
{
  pthread_barrier_wait (&half);
  if (work->thread == THREADS - 1)
    raise (SIGKILL);
}

static void *
run (void *data)
{
  Work *work = data;

  for (int i = work->first; i < work->first + work->n; i++)
    {
      if (strcmp (how, "kill") == 0 && i == rounds / 2)
        die (work);
      if (strcmp (how, "requests") == 0)
        {
          begin (work, i);
          end (work, i);
        }
      else
        exchange (work, i);
    }
  return NULL;
}

/* One thread begins what the main thread ends. */
static void *
run_begin (void *data)
{
  begin (data, ((Work *) data)->first);
  return NULL;
}

static void
run_round (int first, int n, void *(*body) (void *) )
{
  pthread_t threads[THREADS];
  Work works[THREADS];

  for (int i = 0; i < THREADS; i++)
    {
      works[i] = (Work){ .thread = i, .first = first, .n = n };
      pthread_create (&threads[i], NULL, body, &works[i]);
    }
  for (int i = 0; i < THREADS; i++)
    {
      pthread_join (threads[i], NULL);
      if (body == run_begin)
        end (&works[i], first);
    }
}

int
main (int argc, char **argv)
{
  int provided, size, each;

  MPI_Init_thread (&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  if (provided != MPI_THREAD_MULTIPLE || size != 2)
    return 1;
  rounds = argc > 1 ? atoi (argv[1]) : 10;
  how = argc > 2 ? argv[2] : how;
  pthread_barrier_init (&half, NULL, THREADS);
  for (int i = 0; i < THREADS; i++)
    MPI_Comm_dup (MPI_COMM_WORLD, &comms[i]);
  each = strcmp (how, "others") == 0 ? 1 : strcmp (how, "short") == 0 ? rounds / 10 : rounds;
  for (int first = 0; first < rounds; first += each)
    run_round (first, each, strcmp (how, "others") == 0 ? run_begin : run);
  MPI_Barrier (MPI_COMM_WORLD);
  if (rank == 0)
    printf ("fine\n");
  MPI_Finalize ();
  return 0;
}
