/* How fast collective operations are played: millions of steps or messages per
 * second of one core, on networks where messages do not disturb each other.
 * SPDX-License-Identifier: MIT */
#include "comsys/machine/pd-machine.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "comsys/state/pd-comsys-types.h"
#include "comsys/mpi/pd-collective.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/mpi/pd-wait.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct
{
  const char *name;
  const char *machine;
  guint32 n;
  PdOp op;
  gint64 bytes;
  guint repeat;
} Case;

static const Case cases[] = {
  { "alltoall linear", "ideal:alltoall=linear", 512, PD_OP_ALLTOALL, 1024, 1 },
  { "alltoall linear, latency", "memory:startup=1us,per-byte=1ns,alltoall=linear", 512,
    PD_OP_ALLTOALL, 1024, 1 },
  { "alltoall pairwise", "memory:startup=1us,per-byte=1ns,alltoall=pairwise", 512, PD_OP_ALLTOALL,
    1024, 1 },
  { "alltoall bruck", "memory:startup=1us,per-byte=1ns,alltoall=bruck", 16384, PD_OP_ALLTOALL, 8,
    1 },
  { "allreduce recursive doubling", "memory:startup=1us,per-byte=1ns,allreduce=recursive-doubling",
    65536, PD_OP_ALLREDUCE, 8, 1 },
  { "allreduce rabenseifner", "memory:startup=1us,per-byte=1ns,allreduce=rabenseifner", 16384,
    PD_OP_ALLREDUCE, 1 << 20, 1 },
  { "allgather ring", "memory:startup=1us,per-byte=1ns,allgather=ring", 1024, PD_OP_ALLGATHER, 1024,
    1 },
  { "bcast binomial", "memory:startup=1us,per-byte=1ns,bcast=binomial", 1048576, PD_OP_BCAST, 8,
    1 },
  { "barrier dissemination", "memory:startup=1us,per-byte=1ns,barrier=dissemination", 65536,
    PD_OP_BARRIER, 0, 1 },
};

/* Every rank takes part @repeat times, blocking or not. */
static guint64
play (PdComsys *comsys, const Case *what, gboolean nonblocking)
{
  PdComm *world = pd_comsys_get_world (comsys);
  PdTime *ret = g_new (PdTime, what->n);
  guint *done = g_new0 (guint, what->n);
  PdRequest *requests = g_new0 (PdRequest, what->n);
  PdCollective args = { .op = what->op, .bytes = what->bytes };
  guint64 n_messages;
  guint32 rank;
  PdTime when;

  for (rank = 0; rank < what->n; rank++)
    pd_comsys_ready (comsys, rank, PD_TIME_ZERO);
  while (pd_comsys_next (comsys, &rank, &when))
    {
      PdCall call = { rank, when, &ret[rank], NULL };
      if (done[rank] == what->repeat * (nonblocking ? 2 : 1))
        continue;
      done[rank]++;
      if (!nonblocking)
        pd_comsys_collective (comsys, &call, world, &args);
      else if (requests[rank] == PD_REQUEST_NULL)
        requests[rank] = pd_comsys_icollective (comsys, &call, world, &args);
      else
        pd_comsys_wait (comsys, &call, &requests[rank]);
      if (!pd_time_is_pending (ret[rank]))
        pd_comsys_ready (comsys, rank, ret[rank]);
    }
  n_messages = pd_comsys_get_counts (comsys)->n_messages;
  g_free (ret);
  g_free (done);
  g_free (requests);
  return n_messages;
}

int
main (void)
{
  printf ("%-32s %8s %9s %9s %9s %9s\n", "collective operation", "ranks", "messages", "cpu s",
          "M/s", "beside");
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gdouble seconds[2];
      guint64 n = 0;
      for (guint nonblocking = 0; nonblocking < 2; nonblocking++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (PdMachine) machine =
              pd_machine_load (cases[i].machine, NULL, cases[i].n, &error);
          g_autoptr (PdComsys) comsys =
              machine != NULL ? pd_comsys_new (machine, NULL, cases[i].n, &error) : NULL;
          if (comsys == NULL)
            {
              fprintf (stderr, "%s\n", error->message);
              return EXIT_FAILURE;
            }
          clock_t start = clock (); /* of the processor: the machine may be shared */
          n = play (comsys, &cases[i], nonblocking > 0);
          seconds[nonblocking] = (gdouble) (clock () - start) / CLOCKS_PER_SEC;
        }
      printf ("%-32s %8u %9" G_GUINT64_FORMAT " %9.3f %9.2f %9.2f\n", cases[i].name, cases[i].n, n,
              seconds[0], (gdouble) n / 1e6 / seconds[0], (gdouble) n / 1e6 / seconds[1]);
    }
  return EXIT_SUCCESS;
}
