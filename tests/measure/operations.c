/* Prepares, verifies and launches every collective operation under one MPI.
 * operations LIST|WHAT: TAP at rank 0, names /measure/operation/…
 * SPDX-License-Identifier: MIT */
#include "measure/pd-mpi.h"
#include "measure/pd-operation.h"

#include <stdio.h>
#include <string.h>

static int n_results, n_failed, rank, size;

static PdOperationSetup
setup_of (gint64 bytes)
{
  return (PdOperationSetup){ .comm = MPI_COMM_WORLD,
                             .bytes = bytes,
                             .datatype = MPI_INT,
                             .op = MPI_SUM,
                             .regions = 1 };
}

/* Good at all processes. */
static void
result (gboolean is_good, const char *name, const char *detail)
{
  int good = is_good;

  MPI_Allreduce (MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  n_results++;
  n_failed += !good;
  if (rank == 0)
    printf ("%s %d /measure/operation/%d/%s\n", good ? "ok" : "not ok", n_results, size, name);
  if (!is_good && detail != NULL)
    printf ("# rank %d: %s\n", rank, detail);
  fflush (stdout);
}

static void
launch_all_ways (PdOperationRun *run)
{
  for (gsize i = 0; i < 5; i++)
    pd_operation_launch (run, i);
  for (gsize i = 0; i < 5; i++)
    {
      pd_operation_start (run, i);
      while (!pd_operation_test (run))
        ;
      pd_operation_wait (run);
    }
}

/* Right at first, and right still after it has been launched. */
static gboolean
is_right (const PdOperation *operation, const PdOperationSetup *setup, GError **error)
{
  g_autoptr (PdOperationRun) run = pd_operation_prepare (operation, setup, error);
  gboolean is_good;

  if (run == NULL)
    return FALSE;
  is_good = pd_operation_verify (run);
  if (!is_good) return FALSE;
  launch_all_ways (run);
  return pd_operation_verify (run) && is_good;
}

int
main (int argc, char **argv)
{
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  for (guint i = 0; i < pd_operations_n (); i++)
    {
      g_autoptr (GError) error = NULL;
      PdOperationSetup s = setup_of (4096);
      gboolean good = is_right (pd_operation_at (i), &s, &error);
      result (good, pd_operation_name (pd_operation_at (i)), error ? error->message : NULL);
      if (pd_operation_has_in_place (pd_operation_at (i)))
        {
          g_autoptr (GError) e2 = NULL;
          s.in_place = TRUE; s.regions = 3;
          good = is_right (pd_operation_at (i), &s, &e2);
          result (good, "in-place", e2 ? e2->message : NULL);
        }
    }
  if (rank == 0)
    printf ("1..%d\n", n_results);
  MPI_Finalize ();
  return n_failed > 0;
}
