/* The same function called from two places at the same depth, for the tests of
 * the recorder: what is remembered of stacks must not mix them up.
 * SPDX-License-Identifier: MIT */
#include <mpi.h>

static volatile int value;

static __attribute__ ((noinline)) void
inner (void)
{
  MPI_Barrier (MPI_COMM_SELF);
  value++;
}

static __attribute__ ((noinline)) void
first (void)
{
  inner ();
  value++;
}

static __attribute__ ((noinline)) void
second (void)
{
  inner ();
  value += 2;
}

static __attribute__ ((noinline)) void
down (int depth, int number)
{
  if (depth > 0)
    down (depth - 1, number);
  else if (number % 2 == 0)
    first ();
  else
    second ();
  value++;
}

int
main (int argc, char **argv)
{
  MPI_Init (&argc, &argv);
  for (int i = 0; i < 6; i++)
    down (0, i);
  for (int i = 6; i < 12; i++)
    down (2, i);
  MPI_Finalize ();
  return 0;
}
