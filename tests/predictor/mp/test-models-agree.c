/* Two networks that model the same thing give the same times: LogGOPS without
 * overheads and gaps, and flows on a crossbar, for messages that meet no other.
 * LogGOPS does not charge the first byte; that is all they differ by, but for
 * rendezvous, which LogGOPS has in a form of its own.
 * SPDX-License-Identifier: MIT */
#include "comsys/machine/pd-machine.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/p2p/pd-scheduler.h"

#define N_RANKS 3u

/* L and G, the bandwidth being 1 / G. */
static const struct
{
  const char *name;
  const char *loggops;
  const char *flow;
  gint64 gap; /* ps */
} pairs[] = {
  { "ethernet-like", "loggops:latency=50us,G=8ns,eager=1TB",
    "flow:topology=crossbar,latency=50us,bandwidth=125MB/s,eager=1TB", 8000 },
  { "fast", "loggops:latency=1us,G=40ps,eager=1TB",
    "flow:topology=crossbar,latency=1us,bandwidth=25GB/s,eager=1TB", 40 },
  { "no-latency", "loggops:latency=0,G=1ns,eager=1TB",
    "flow:topology=crossbar,latency=0,bandwidth=1GB/s,eager=1TB", 1000 },
};

/* When @bytes are received that are sent at @sent and wanted at @wanted; the
 * moments when sender and receiver return. */
static void
exchange (const char *spec, gint64 bytes, PdTime sent, PdTime wanted, PdTime *returns)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) machine = pd_machine_load (spec, NULL, N_RANKS, &error);
  g_assert_no_error (error);
  g_autoptr (PdComsys) comsys = pd_comsys_new (machine, NULL, N_RANKS, &error);
  g_assert_no_error (error);
  PdEnvelope envelope = { .peer = 2, .tag = 5, .bytes = bytes };
  guint32 rank;
  PdTime when;

  pd_comsys_ready (comsys, 0, sent);
  pd_comsys_ready (comsys, 2, wanted);
  returns[0] = returns[1] = PD_TIME_PENDING;
  for (guint n = 0; pd_comsys_next (comsys, &rank, &when);)
    {
      PdCall call = { rank, when, &returns[rank / 2], NULL };
      if (n++ >= 2 || !pd_time_is_pending (returns[rank / 2]))
        continue;
      envelope.peer = 2 - (gint32) rank;
      if (rank == 0)
        pd_comsys_send (comsys, &call, pd_comsys_get_world (comsys), envelope);
      else
        pd_comsys_recv (comsys, &call, pd_comsys_get_world (comsys), envelope);
    }
  g_assert_cmpuint (pd_comsys_finalize (comsys), ==, 0);
}

static void
test_isolated (gconstpointer data)
{
  gsize row = GPOINTER_TO_SIZE (data);
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) row);

  for (guint i = 0; i < 300; i++)
    {
      gint64 bytes = i < 2 ? i : (gint64) (g_rand_double (rand) * 1e7);
      PdTime sent = PD_TIME ((gint64) (g_rand_double (rand) * 1e10));
      PdTime wanted = PD_TIME ((gint64) (g_rand_double (rand) * 1e10));
      PdTime a[2], b[2];

      exchange (pairs[row].loggops, bytes, sent, wanted, a);
      exchange (pairs[row].flow, bytes, sent, wanted, b);
      for (guint side = 0; side < 2; side++)
        {
          g_test_message ("%" G_GINT64_FORMAT " bytes, side %u: %" G_GINT64_FORMAT
                          " and %" G_GINT64_FORMAT,
                          bytes, side, a[side].ps, b[side].ps);
          /* one ps for each side's rounding */
          g_assert_cmpint (ABS (a[side].ps - b[side].ps), <=, pairs[row].gap + 2);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_autofree char *path = g_strdup_printf ("/comsys/models-agree/%s", pairs[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_isolated);
    }
  return g_test_run ();
}
