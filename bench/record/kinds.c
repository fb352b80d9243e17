/* Durations of calls of MPI, by kind: "KIND NS", the least of many rounds, ns per
 * call. The same program runs with and without the recorder. Two ranks; an argument: a file
 * that may be written.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum
{
  N_ROUNDS = 60,
  N_TIMES = 100, /* that a round does it */
};

static int rank, other;
static char out[64], in[64];
static MPI_Win window;
static MPI_File file;

static double
now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return 1e9 * (double) t.tv_sec + (double) t.tv_nsec;
}

/* ---- kinds; each returns how many calls it has made */

/* There and back: each rank sends and receives in turn. */
static int
send_and_receive (void)
{
  for (int i = 0; i < N_TIMES; i++)
    {
      if (rank == 0)
        MPI_Send (out, 8, MPI_CHAR, other, 0, MPI_COMM_WORLD);
      MPI_Recv (in, 8, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (rank == 1)
        MPI_Send (out, 8, MPI_CHAR, other, 0, MPI_COMM_WORLD);
    }
  return 2 * N_TIMES;
}

static int
begin_and_wait (void)
{
  MPI_Request requests[2];

  for (int i = 0; i < N_TIMES; i++)
    {
      MPI_Irecv (in, 8, MPI_CHAR, other, 0, MPI_COMM_WORLD, &requests[0]);
      MPI_Isend (out, 8, MPI_CHAR, other, 0, MPI_COMM_WORLD, &requests[1]);
      MPI_Wait (&requests[0], MPI_STATUS_IGNORE);
      MPI_Wait (&requests[1], MPI_STATUS_IGNORE);
    }
  return 4 * N_TIMES;
}

static int
allreduce (void)
{
  double sum, one = 1;

  for (int i = 0; i < N_TIMES; i++)
    MPI_Allreduce (&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return N_TIMES;
}

/* Of a message that comes when all is over. */
static int
test (void)
{
  MPI_Request request;
  int flag;

  MPI_Irecv (in, 8, MPI_CHAR, other, 1, MPI_COMM_WORLD, &request);
  for (int i = 0; i < N_TIMES - 3; i++)
    MPI_Test (&request, &flag, MPI_STATUS_IGNORE);
  PMPI_Barrier (MPI_COMM_WORLD);
  MPI_Send (out, 8, MPI_CHAR, other, 1, MPI_COMM_WORLD);
  MPI_Wait (&request, MPI_STATUS_IGNORE);
  return N_TIMES;
}

static int
put_and_flush (void)
{
  for (int i = 0; i < N_TIMES; i++)
    {
      MPI_Put (out, 8, MPI_CHAR, other, 0, 8, MPI_CHAR, window);
      MPI_Win_flush (other, window);
    }
  return 2 * N_TIMES;
}

static int
write_file (void)
{
  for (int i = 0; i < N_TIMES; i++)
    MPI_File_write (file, out, sizeof out, MPI_CHAR, MPI_STATUS_IGNORE);
  PMPI_File_seek (file, 0, MPI_SEEK_SET);
  return N_TIMES;
}

static int
ask (void)
{
  int size;

  for (int i = 0; i < N_TIMES; i++)
    MPI_Comm_size (MPI_COMM_WORLD, &size);
  return N_TIMES;
}

static const struct
{
  const char *name;
  int (*work) (void);
} kinds[] = {
  { "MPI_Send,Recv", send_and_receive },
  { "MPI_Irecv,Isend,Wait,Wait", begin_and_wait },
  { "MPI_Allreduce", allreduce },
  { "MPI_Test", test },
  { "MPI_Put,Win_flush", put_and_flush },
  { "MPI_File_write", write_file },
  { "MPI_Comm_size", ask },
};

int
main (int argc, char **argv)
{
  static char memory[64];

  if (argc < 2)
    return 2;
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  MPI_Win_create (memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_lock_all (0, window);
  MPI_File_open (MPI_COMM_SELF, argv[1], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  MPI_File_seek (file, 0, MPI_SEEK_SET);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    {
      double least = INFINITY;

      for (int round = 0; round < N_ROUNDS; round++)
        {
          PMPI_Barrier (MPI_COMM_WORLD);
          double began = now ();
          int n = kinds[k].work ();
          least = fmin (least, (now () - began) / n);
        }
      if (rank == 0)
        printf ("%s %.1f\n", kinds[k].name, least);
    }
  MPI_File_close (&file);
  MPI_Win_unlock_all (window);
  MPI_Win_free (&window);
  MPI_Finalize ();
  return 0;
}
