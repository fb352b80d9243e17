/* What programs that test collective operations have in common. Their lines are for
 * tests/measure/cli/test-measure-operations.sh: good, bad or skip, a name, words; in the end: end.
 * SPDX-License-Identifier: MIT */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include "measure/plan/pd-operation.h"
#include "measure/mpi/mpi-operation-data.h"
#include "measure/mpi/mpi-operation.h"

#include <stdio.h>
#include <string.h>

static int rank, size, n_bad;

/* Good at all processes. */
static void
result (gboolean is_good, const char *name, const char *detail)
{
  int good = is_good;

  MPI_Allreduce (MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  n_bad += !good;
  if (rank == 0)
    printf ("%s %s%s%s\n", good ? "good" : "bad", name, detail != NULL ? " " : "",
            detail != NULL ? detail : "");
  fflush (stdout);
}

static inline PdOperationSetup
setup_of (gint64 bytes)
{
  return (PdOperationSetup){
    .comm = MPI_COMM_WORLD, .bytes = bytes, .datatype = MPI_INT, .op = MPI_SUM, .regions = 1
  };
}

static inline void
launch_all_ways (PdOperationRun *run)
{
  for (gsize i = 0; i < 2; i++)
    pd_operation_launch (run, i);
  for (gsize i = 0; i < 2; i++)
    {
      pd_operation_start (run, i);
      while (!pd_operation_test (run))
        ;
      pd_operation_wait (run);
    }
}

/* Right at first, and right still when it has been launched. */
static inline gboolean
is_right (const PdMpiOperation *operation, const PdOperationSetup *setup, GError **error)
{
  g_autoptr (PdOperationRun) run = pd_operation_prepare (operation, setup, error);

  if (run == NULL || !pd_operation_verify (run))
    return FALSE;
  launch_all_ways (run);
  return pd_operation_verify (run);
}

static inline void
begin (int *argc, char ***argv)
{
  MPI_Init (argc, argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
}

/* Returns the program's status. */
static inline int
end (void)
{
  MPI_Barrier (MPI_COMM_WORLD);
  if (rank == 0)
    puts ("end");
  MPI_Finalize ();
  return n_bad > 0;
}

#endif
