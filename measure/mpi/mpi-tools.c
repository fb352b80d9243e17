/* Errors, hosts, processors and timers of several processes.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "measure/mpi/mpi-tools.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

gboolean
pd_mpi_failed (MPI_Comm comm, const GError *error)
{
  int failed = error != NULL;

  MPI_Allreduce (MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, comm);
  return failed != 0;
}

void
pd_mpi_idle (MPI_Comm comm)
{
  MPI_Request request;
  int done = 0;

  MPI_Ibarrier (comm, &request);
  for (;;)
    {
      MPI_Test (&request, &done, MPI_STATUS_IGNORE);
      if (done)
        return;
      g_usleep (500);
    }
}

/* ---- hosts and their processors */

static MPI_Comm
split_hosts (MPI_Comm comm)
{
  MPI_Comm host;

  MPI_Comm_split_type (comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  return host;
}

gboolean
pd_mpi_same_host (MPI_Comm comm)
{
  MPI_Comm host = split_hosts (comm);
  int all, here, same;

  MPI_Comm_size (comm, &all);
  MPI_Comm_size (host, &here);
  MPI_Comm_free (&host);
  same = all == here;
  MPI_Allreduce (MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, comm);
  return same != 0;
}

/* The processors that any process of the host may use; a set of one that several are
 * bound to is found, too, where all are bound to it. */
gboolean
pd_mpi_crowded (MPI_Comm comm)
{
  MPI_Comm host = split_hosts (comm);
  int here, crowded;
  cpu_set_t set;

  MPI_Comm_size (host, &here);
  CPU_ZERO (&set);
  if (sched_getaffinity (0, sizeof set, &set) != 0)
    for (guint i = 0; i < g_get_num_processors (); i++)
      CPU_SET (i, &set);
  MPI_Allreduce (MPI_IN_PLACE, &set, sizeof set, MPI_BYTE, MPI_BOR, host);
  MPI_Comm_free (&host);
  crowded = here > CPU_COUNT (&set);
  MPI_Allreduce (MPI_IN_PLACE, &crowded, 1, MPI_INT, MPI_MAX, comm);
  return crowded != 0;
}

gboolean
pd_mpi_check_crowd (MPI_Comm comm, gboolean force, gboolean *crowded, GError **error)
{
  *crowded = pd_mpi_crowded (comm);
  if (!*crowded || force)
    return TRUE;
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_CROWDED,
               "there are more processes than processors: times would be those of the "
               "scheduler; --force measures nevertheless and says so in every row");
  return FALSE;
}

/* ---- timers */

static gdouble
calibrate (MPI_Comm comm, GError **error)
{
  MPI_Comm host = split_hosts (comm);
  gdouble tick = 0;
  int rank;

  MPI_Comm_rank (host, &rank);
  if (rank == 0)
    tick = pd_timer_calibrate_tsc (0.2, error);
  MPI_Bcast (&tick, 1, MPI_DOUBLE, 0, host);
  MPI_Comm_free (&host);
  return tick;
}

gboolean
pd_mpi_timer_start (MPI_Comm comm, PdTimer *timer, PdTimerKind kind, GError **error)
{
  g_autoptr (GError) local = NULL;
  gdouble tick = 0;

  pd_timer_set_wtime (MPI_Wtime);
  if (kind == PD_TIMER_TSC)
    tick = calibrate (comm, &local);
  if (pd_mpi_failed (comm, local))
    {
      if (local != NULL)
        g_propagate_error (error, g_steal_pointer (&local));
      else
        g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_TIMER,
                     "timer '%s': another host has none", pd_timer_name (kind));
      return FALSE;
    }
  pd_timer_start (timer, kind, tick);
  return TRUE;
}

/* ---- facts */

/* "0*2 1*2": the first two ranks are on the first host, the next two on the second one. */
static char *
describe_hosts (MPI_Comm comm)
{
  MPI_Comm host = split_hosts (comm);
  GString *text = g_string_new (NULL);
  int rank, size, n_hosts = 0;

  MPI_Comm_rank (comm, &rank);
  MPI_Comm_size (comm, &size);
  g_autofree int *leaders = g_new (int, (gsize) size);
  g_autofree int *numbers = g_new0 (int, (gsize) size); /* of the host that each leader leads */
  MPI_Bcast (&rank, 1, MPI_INT, 0, host);
  MPI_Comm_free (&host);
  MPI_Allgather (&rank, 1, MPI_INT, leaders, 1, MPI_INT, comm);
  for (int i = 0, run = 1; i < size; i++, run++)
    {
      if (leaders[i] == i)
        numbers[i] = n_hosts++;
      if (i + 1 < size && leaders[i + 1] == leaders[i])
        continue;
      g_string_append_printf (text, "%s%d*%d", text->len > 0 ? " " : "", numbers[leaders[i]], run);
      run = 0;
    }
  return g_string_free (text, FALSE);
}

void
pd_mpi_facts (MPI_Comm comm, PdSheet *output, PdTimerKind timer, gboolean crowded)
{
  char library[MPI_MAX_LIBRARY_VERSION_STRING], host[MPI_MAX_PROCESSOR_NAME];
  int length, size;

  if (g_getenv ("SOURCE_DATE_EPOCH") == NULL)
    {
      g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
      g_autofree char *date = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
      pd_sheet_fact (output, "date", "%s", date);
    }
  MPI_Get_processor_name (host, &length);
  pd_sheet_fact (output, "host", "%s", host);
  MPI_Get_library_version (library, &length);
  library[strcspn (library, "\n")] = '\0';
  g_strdelimit (library, "\t", ' ');
  pd_sheet_fact (output, "mpi", "%s", library);
  MPI_Comm_size (comm, &size);
  pd_sheet_fact (output, "processes", "%d", size);
  g_autofree char *hosts = describe_hosts (comm);
  pd_sheet_fact (output, "hosts", "%s", hosts);
  if (timer < PD_N_TIMERS)
    pd_sheet_fact (output, "timer", "%s", pd_timer_name (timer));
  pd_sheet_fact (output, "units", "us are 10^-6 s, MB are 10^6 bytes");
  if (crowded)
    pd_sheet_fact (output, "warning",
                   "more processes than processors: these are times of the scheduler");
}

char *
pd_mpi_buffer (gsize bytes)
{
  void *buffer = NULL;

  if (posix_memalign (&buffer, 4096, MAX (bytes, 1)) != 0)
    g_error ("out of memory: a buffer of %" G_GSIZE_FORMAT " bytes", bytes);
  memset (buffer, 0x55, MAX (bytes, 1));
  return buffer;
}
