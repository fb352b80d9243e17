/* Processes on processors of their own.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "measure/mpi/mpi-bind.h"

#include <sched.h>

/* The processor number @index of the set, which has so many. */
static gsize
find_processor (const cpu_set_t *set, int index)
{
  gsize processor = 0;

  while (!CPU_ISSET (processor, set) || index-- > 0)
    processor++;
  return processor;
}

/* Whether all processes of the host may run on the same processors, of which there is one
 * for each: then they are not bound. */
static gboolean
is_unbound (MPI_Comm host, const cpu_set_t *set, int here)
{
  cpu_set_t any = *set, all = *set;

  MPI_Allreduce (MPI_IN_PLACE, &any, sizeof any, MPI_BYTE, MPI_BOR, host);
  MPI_Allreduce (MPI_IN_PLACE, &all, sizeof all, MPI_BYTE, MPI_BAND, host);
  return CPU_EQUAL (&any, &all) && CPU_COUNT (&all) >= here;
}

/* @n of the processors of @set from number @first on. */
static gboolean
bind_to (const cpu_set_t *set, int first, int n)
{
  cpu_set_t own;

  CPU_ZERO (&own);
  for (int i = 0; i < n; i++)
    CPU_SET (find_processor (set, first + i), &own);
  return sched_setaffinity (0, sizeof own, &own) == 0;
}

int
pd_mpi_bind (MPI_Comm comm, gboolean threads)
{
  MPI_Comm host;
  cpu_set_t set;
  int rank, here, bound;

  MPI_Comm_split_type (comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  MPI_Comm_rank (host, &rank);
  MPI_Comm_size (host, &here);
  CPU_ZERO (&set);
  bound = sched_getaffinity (0, sizeof set, &set) == 0;
  bound = is_unbound (host, &set, here) && bound;
  MPI_Comm_free (&host);
  if (bound)
    {
      bound = threads ? CPU_COUNT (&set) / here : 1;
      if (!bind_to (&set, rank * bound, bound))
        bound = 0;
    }
  MPI_Allreduce (MPI_IN_PLACE, &bound, 1, MPI_INT, MPI_MIN, comm);
  return bound;
}

void
pd_mpi_bind_fact (PdSheet *output, int processors)
{
  if (processors == 0)
    pd_sheet_fact (output, "bound_processes", "as MPI has left them");
  else if (processors == 1)
    pd_sheet_fact (output, "bound_processes", "each to a processor of its own, by this program");
  else
    pd_sheet_fact (output, "bound_processes", "each to %d processors of its own, by this program",
                   processors);
}
