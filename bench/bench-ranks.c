/* Memory and matching with very many: resident bytes per rank of a million ranks that
 * are idle, and after a barrier of them; and how the time of a message grows with the
 * number of those that wait at one rank (of many senders, and of one), where a growth
 * of 1 means that it does not.
 *   bench-ranks
 * SPDX-License-Identifier: MIT */
#include "bench/bench.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/mpi/pd-collective.h"
#include "comsys/p2p/pd-scheduler.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define N_RANKS    (1u << 20)
#define FEW        10000u
#define MANY       100000u
#define N_MESSAGES 500000u /* of a measurement */

static gdouble
get_resident_bytes (void)
{
  FILE *file = fopen ("/proc/self/statm", "r");
  long total = 0, resident = 0;

  if (file == NULL || fscanf (file, "%ld %ld", &total, &resident) != 2)
    resident = 0;
  if (file != NULL)
    fclose (file);
  return (gdouble) resident * (gdouble) sysconf (_SC_PAGESIZE);
}

static void
print_bytes (const char *what, gdouble base)
{
  printf ("%-44s %8.1f bytes per rank\n", what, (get_resident_bytes () - base) / N_RANKS);
}

static gboolean
measure_memory (const char *spec)
{
  g_autoptr (GError) error = NULL;
  gdouble base = get_resident_bytes ();
  g_autoptr (PdMachine) machine = pd_machine_load (spec, NULL, N_RANKS, &error);
  g_autoptr (PdComsys) comsys =
      machine != NULL ? pd_comsys_new (machine, NULL, N_RANKS, &error) : NULL;
  g_autofree PdTime *rets = NULL;
  g_autofree guint8 *has_called = NULL;
  guint32 rank;
  PdTime when;

  if (comsys == NULL)
    {
      fprintf (stderr, "bench-ranks: %s\n", error->message);
      return FALSE;
    }
  printf ("%u ranks on %s\n", N_RANKS, spec);
  print_bytes ("  before the first call", base);
  for (rank = 0; rank < N_RANKS; rank++)
    pd_comsys_ready (comsys, rank, PD_TIME_ZERO);
  print_bytes ("  all are in the queue", base);
  rets = g_new0 (PdTime, N_RANKS); /* the caller's */
  has_called = g_new0 (guint8, N_RANKS);
  base += (gdouble) N_RANKS * (sizeof *rets + sizeof *has_called);
  while (pd_comsys_next (comsys, &rank, &when))
    {
      PdCall call = { rank, when, &rets[rank], NULL };
      if (!has_called[rank])
        pd_comsys_barrier (comsys, &call, pd_comsys_get_world (comsys));
      has_called[rank] = TRUE;
    }
  print_bytes ("  after a barrier", base);
  return TRUE;
}

/* Rank 0 gets @n messages that wait, of @n_senders senders in turn; of several the
 * last ones first. */
static void
exchange (PdComsys *comsys, guint32 n, guint32 n_senders)
{
  PdComm *world = pd_comsys_get_world (comsys);
  PdTime ret;

  for (guint32 i = 0; i < n; i++)
    {
      PdCall call = { 1 + i % n_senders, PD_TIME_ZERO, &ret, NULL };
      pd_comsys_send (comsys, &call, world, (PdEnvelope){ 0, (gint32) (i % 7), 8 });
    }
  for (guint32 k = 0; k < n; k++)
    {
      guint32 i = n_senders == 1 ? k : n - 1 - k;
      PdCall call = { 0, PD_TIME_ZERO, &ret, NULL };
      pd_comsys_recv (comsys, &call, world,
                      (PdEnvelope){ (gint32) (1 + i % n_senders), (gint32) (i % 7), 8 });
    }
}

/* Returns ns per message, or -1. */
static gdouble
measure_matching (guint32 n, guint32 n_senders)
{
  g_autoptr (PdMachine) machine = pd_machine_load ("ideal", NULL, 1 + n_senders, NULL);
  g_autoptr (PdComsys) comsys = pd_comsys_new (machine, NULL, 1 + n_senders, NULL);
  gdouble begin = bench_seconds ();

  for (guint32 round = 0; round < N_MESSAGES / n; round++)
    exchange (comsys, n, n_senders);
  gdouble seconds = bench_seconds () - begin;
  return pd_comsys_finalize (comsys) == 0 ? seconds * 1e9 / N_MESSAGES : -1;
}

static gboolean
print_matching (const char *what, guint32 few_senders, guint32 many_senders)
{
  gdouble few = G_MAXDOUBLE, many = G_MAXDOUBLE;

  for (guint i = 0; i < 2; i++)
    {
      few = MIN (few, measure_matching (FEW, few_senders));
      many = MIN (many, measure_matching (MANY, many_senders));
    }
  printf ("%-44s %8.1f ns, with %u waiting %8.1f ns: growth %.2f\n", what, few, MANY, many,
          many / few);
  return few > 0 && many > 0;
}

int
main (void)
{
  gboolean ok;

  setvbuf (stdout, NULL, _IOLBF, 0);
  ok = measure_memory ("ideal");
  ok = measure_memory ("loggops:L=1us,o=1us") && ok;
  printf ("matching, a message with %u waiting at one rank\n", FEW);
  ok = print_matching ("  of as many senders, the last ones first", FEW, MANY) && ok;
  ok = print_matching ("  of one sender", 1, 1) && ok;
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
