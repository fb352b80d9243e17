/* The cost of a message of a dense exchange, in which each rank receives from and sends to
 * each other one, for messages of equal and of different lengths and for ranks that begin at
 * different moments; and the exponent of the growth of time with the messages: 1 is linear.
 *   bench-dense
 * SPDX-License-Identifier: MIT */
#include "comsys/machine/pd-machine.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/mpi/pd-wait.h"

#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N_REPEATS 3
#define MESSAGES  (4u << 16) /* of a measurement, about */

static const guint32 sizes[] = { 64, 128, 256 };

typedef struct
{
  const char *title;
  const char *spec;
  guint n_lengths; /* kinds of messages, by source and target */
  gint64 stagger;  /* ns from the beginning of one rank to that of the next */
} Case;

#define MYRINET "myrinet:startup=7us,per-byte=4ns"
#define FLOW    "flow:topology=star,nic-latency=1us,nic-bandwidth=10GB/s,processors-per-node=32"

static const Case cases[] = {
  { "ethernet", "ethernet:startup=7us,per-byte=4ns", 1, 0 },
  { "myrinet, equal", MYRINET, 1, 0 },
  { "myrinet, 4 lengths", MYRINET, 2, 0 },
  { "myrinet, many lengths", MYRINET, 97, 0 },
  { "myrinet, one by one", MYRINET, 97, 3700 },
  { "flow, equal", FLOW, 1, 0 },
  { "flow, many lengths", FLOW, 97, 0 },
  { "flow, one by one", FLOW, 97, 370 },
};

static gint64
get_bytes (const Case *c, guint32 source, guint32 target)
{
  return 8 * (gint64) (1 + source * 7 % c->n_lengths) * (1 + target * 5 % c->n_lengths);
}

/* Has a rank start its part and wait for it. */
static void
start_rank (PdComsys *comsys, const Case *c, guint32 n, const PdCall *call)
{
  PdComm *world = pd_comsys_get_world (comsys);
  guint32 rank = call->rank;
  PdBundle bundle = { 0 };

  for (guint32 i = 0; i < 2 * n; i++)
    {
      guint32 peer = i % n;
      gboolean receives = i < n;
      PdEnvelope envelope = { (gint32) peer, 0,
                              receives ? get_bytes (c, peer, rank) : get_bytes (c, rank, peer) };
      if (peer == rank)
        continue;
      pd_bundle_add (comsys, &bundle,
                     receives ? pd_comsys_irecv (comsys, call, world, envelope)
                              : pd_comsys_isend (comsys, call, world, envelope));
    }
  pd_comsys_waitall_bundle (comsys, call, &bundle);
}

/* Returns the seconds that @n_rounds exchanges took, or -1. */
static gdouble
exchange (const Case *c, guint32 n, guint32 n_rounds)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) machine = pd_machine_load (c->spec, NULL, n, &error);
  g_autoptr (PdComsys) comsys = machine != NULL ? pd_comsys_new (machine, NULL, n, &error) : NULL;
  g_autofree PdTime *rets = g_new0 (PdTime, n);
  g_autofree guint32 *n_started = g_new0 (guint32, n);
  gdouble begin = bench_seconds ();
  guint32 rank;
  PdTime when;

  if (comsys == NULL)
    {
      fprintf (stderr, "bench-dense: %s\n", error->message);
      return -1;
    }
  for (guint32 i = 0; i < n; i++)
    pd_comsys_ready (comsys, i, PD_TIME (c->stagger * PD_PS_PER_NS * (gint64) i));
  while (pd_comsys_next (comsys, &rank, &when))
    {
      PdCall call = { .rank = rank, .when = when, .ret = &rets[rank] };
      if (n_started[rank]++ == n_rounds)
        continue;
      start_rank (comsys, c, n, &call);
      if (!pd_time_is_pending (rets[rank]))
        pd_comsys_ready (comsys, rank, rets[rank]);
    }
  gdouble seconds = bench_seconds () - begin;
  return pd_comsys_finalize (comsys) == 0 ? seconds : -1;
}

/* Of a round. */
static gdouble
get_n_messages (guint32 n)
{
  return (gdouble) n * (n - 1);
}

/* The least of some, per message. */
static gdouble
measure (const Case *c, guint32 n)
{
  guint32 n_rounds = MAX (1, MESSAGES / (n * n));
  gdouble least = -1;

  for (guint i = 0; i < N_REPEATS; i++)
    {
      gdouble seconds = exchange (c, n, n_rounds);
      if (seconds < 0)
        return -1;
      least = i == 0 ? seconds : MIN (least, seconds);
    }
  return least / (n_rounds * get_n_messages (n));
}

int
main (void)
{
  gboolean ok = TRUE;

  setvbuf (stdout, NULL, _IOLBF, 0);
  printf ("each of the ranks sends to each other one; ns of a processor for each message\n");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gdouble first = 0, cost = 0, n_first = get_n_messages (sizes[0]), n_messages = n_first;
      printf ("%-22s", cases[i].title);
      for (guint j = 0; j < G_N_ELEMENTS (sizes); j++)
        {
          cost = measure (&cases[i], sizes[j]);
          ok = ok && cost >= 0;
          first = j == 0 ? cost : first;
          n_messages = get_n_messages (sizes[j]);
          printf (" %4u ranks %7.0f", sizes[j], cost * 1e9);
        }
      printf ("   time ~ messages^%.2f\n", 1 + log (cost / first) / log (n_messages / n_first));
    }
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
