/* Measures exchanges of two ranks of this node, and prints a machine for predictor:
 *
 *   mpiexec -n 2 ./measure-node >this-node.xml
 *   predictor run recorded/traces.otf2 --reproduce -m this-node.xml
 *
 * A time is the lowest decile of many: the least times are rare, and the greatest contain
 * work of other processes.
 * SPDX-License-Identifier: MIT */
#include "busy.h" /* first: it says which functions of the system it needs */

#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MANY  1001
#define LARGE (256 * 1024)
#define SMALL (32 * 1024)
#define MOST  (1024 * 1024) /* bytes: no library sends more at once */

static char buffer[MOST];
static double times[MANY];
static int rank;

static int
compare (const void *a, const void *b)
{
  const double *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

static double
tenth (int n)
{
  qsort (times, (size_t) n, sizeof *times, compare);
  return times[n / 10];
}

static void
send (int bytes)
{
  MPI_Send (buffer, bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD);
}

static void
receive (int bytes)
{
  MPI_Recv (buffer, bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Half of there and back. */
static double
measure_way (int bytes, int n)
{
  for (int i = 0; i < n; i++)
    {
      double begin = now ();
      if (rank == 0)
        send (bytes);
      receive (bytes);
      if (rank == 1)
        send (bytes);
      times[i] = (now () - begin) / 2;
      MPI_Barrier (MPI_COMM_WORLD);
    }
  return tenth (n);
}

/* The times of calls whose partner is not in its call: rank 0 sends, rank 1 receives later. */
static double
measure_calls (int bytes, double later, int n)
{
  for (int i = 0; i < n; i++)
    {
      MPI_Barrier (MPI_COMM_WORLD);
      if (rank == 1)
        busy (later);
      double begin = now ();
      if (rank == 0)
        send (bytes);
      else
        receive (bytes);
      times[i] = now () - begin;
    }
  return tenth (n);
}

/* The largest message whose sender does not wait for the receiver. */
static int
measure_eager (void)
{
  int least = 0, most = MOST; /* it is at least the one, and less than the other */

  while (most - least > 64)
    {
      int bytes = (least + most) / 2;
      int is_eager = measure_calls (bytes, 4e-3, 11) < 2e-3;
      MPI_Bcast (&is_eager, 1, MPI_INT, 0, MPI_COMM_WORLD);
      if (is_eager)
        least = bytes;
      else
        most = bytes;
    }
  return least;
}

static void
print (double way, double per_byte, double sending, double receiving, int eager)
{
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;

  MPI_Get_library_version (version, &length);
  version[strcspn (version, ",\n<&")] = '\0';
  for (char *tab; (tab = strchr (version, '\t')) != NULL;)
    *tab = ' ';
  printf ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<machine name=\"this-node\" version=\"1\">\n"
          "  <description>%s on this node, as measure-node found it: %.3f us one way, of which\n"
          "    the sender's call takes %.3f us.</description>\n"
          "  <network type=\"memory\" startup=\"%.0fns\" per-byte=\"%.4fns\" eager=\"%d\">\n"
          "    <nodes count=\"1\" processors=\"%ld\"/>\n"
          "  </network>\n"
          "  <collectives set=\"%s\"/>\n"
          "  <software send-overhead=\"%.0fns\" recv-overhead=\"%.0fns\"/>\n"
          "</machine>\n",
          version, 1e6 * way, 1e6 * sending, 1e9 * (way > sending ? way - sending : 0),
          per_byte > 0 ? 1e9 * per_byte : 0, eager, sysconf (_SC_NPROCESSORS_ONLN),
          strstr (version, "Open MPI") != NULL ? "openmpi4" : "mpich4", 1e9 * sending,
          1e9 * receiving);
}

int
main (int argc, char **argv)
{
  int size;

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  if (size != 2)
    {
      if (rank == 0)
        fprintf (stderr, "measure-node: expected 2 ranks, not %d\n", size);
      MPI_Finalize ();
      return 2;
    }
  memset (buffer, 1, sizeof buffer); /* pages are there */
  measure_way (LARGE, 50);           /* and what the library makes at first */
  double way = measure_way (8, MANY);
  double per_byte = (measure_way (LARGE, MANY) - measure_way (SMALL, MANY)) / (LARGE - SMALL);
  double sending = measure_calls (8, 20e-6, MANY), receiving = sending;
  MPI_Bcast (&receiving, 1, MPI_DOUBLE, 1, MPI_COMM_WORLD);
  int eager = measure_eager ();
  if (rank == 0)
    print (way, per_byte, sending, receiving, eager);
  MPI_Finalize ();
  return 0;
}
