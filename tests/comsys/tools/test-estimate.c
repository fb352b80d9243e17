/* What a transfer takes on an idle network: by hand, and against messages that
 * are really sent; asking changes nothing.
 * SPDX-License-Identifier: MIT */
#include "comsys/machine/pd-machine.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/tools/pd-estimate.h"

/* Between ranks 0 and @target. */
static const struct
{
  const char *name, *machine;
  guint32 target;
  gint64 bytes;
  gint64 ns;
} transfers[] = {
  { "ideal", "ideal", 1, 1000, 0 },
  { "ethernet", "ethernet:startup=5us,per-byte=10ns", 1, 1000, 15000 },
  { "ethernet-empty", "ethernet:startup=5us,per-byte=10ns", 3, 0, 5000 },
  { "myrinet", "myrinet:startup=7us,per-byte=4ns", 2, 1000, 11000 },
  { "memory", "memory:startup=1us,per-byte=1ns,channels=1", 1, 1000, 2000 },
  { "same-node",
    "ethernet:startup=5us,per-byte=10ns,processors-per-node=2,memory-startup=1us,"
    "memory-per-byte=1ns",
    1, 1000, 2000 },
  { "other-node",
    "ethernet:startup=5us,per-byte=10ns,processors-per-node=2,memory-startup=1us,"
    "memory-per-byte=1ns",
    2, 1000, 15000 },
};

static PdComsys *
make (const char *text, PdMachine **machine)
{
  g_autoptr (GError) error = NULL;

  *machine = pd_machine_load (text, NULL, 4, &error);
  g_assert_no_error (error);
  PdComsys *comsys = pd_comsys_new (*machine, NULL, 4, &error);
  g_assert_no_error (error);
  return comsys;
}

static void
test_transfer (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdMachine) machine = NULL;
  g_autoptr (PdComsys) comsys = make (transfers[i].machine, &machine);

  for (guint k = 0; k < 2; k++)
    {
      PdTime t = pd_comsys_get_transfer_time (comsys, 0, transfers[i].target, transfers[i].bytes);
      g_assert_cmpint (t.ps, ==, transfers[i].ns * 1000);
    }
  g_assert_cmpuint (pd_comsys_get_counts (comsys)->n_messages, ==, 0);
}

/* A blocking receive of the same message ends then. */
static void
test_message (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdMachine) machine = NULL;
  g_autoptr (PdComsys) comsys = make (transfers[i].machine, &machine);
  PdComm *world = pd_comsys_get_world (comsys);
  guint32 target = transfers[i].target, rank;
  PdTime sent, received, when;
  PdCall send = { 0, PD_TIME_ZERO, &sent, NULL };
  PdCall recv = { target, PD_TIME_ZERO, &received, NULL };

  pd_comsys_send (comsys, &send, world, (PdEnvelope){ (gint32) target, 0, transfers[i].bytes });
  pd_comsys_recv (comsys, &recv, world, (PdEnvelope){ 0, 0, transfers[i].bytes });
  /* of traffic that is under way the estimate knows nothing */
  g_assert_cmpint (pd_comsys_get_transfer_time (comsys, 0, target, transfers[i].bytes).ps, ==,
                   transfers[i].ns * 1000);
  while (pd_comsys_next (comsys, &rank, &when))
    continue;
  g_assert_cmpint (received.ps, ==, transfers[i].ns * 1000);
}

static void
test_software (void)
{
  g_autoptr (PdMachine) machine = NULL;
  g_autoptr (PdComsys) comsys = make ("ethernet:startup=0,per-byte=0,recv-overhead=3us", &machine);

  g_assert_cmpint (pd_comsys_get_software (comsys)->recv_overhead.ps, ==, 3000000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (transfers); i++)
    {
      g_autofree char *alone = g_strconcat ("/comsys/estimate/", transfers[i].name, NULL);
      g_autofree char *sent = g_strconcat ("/comsys/estimate/sent/", transfers[i].name, NULL);
      g_test_add_data_func (alone, GSIZE_TO_POINTER (i), test_transfer);
      g_test_add_data_func (sent, GSIZE_TO_POINTER (i), test_message);
    }
  g_test_add_func ("/comsys/estimate/software", test_software);
  return g_test_run ();
}
