/* How messages are sent: detached, with an envelope, and with what a network asks
 * of processors; in hand-worked tables. Moments are in us.
 * SPDX-License-Identifier: MIT */
#include "tests/support/comsys/comsys-script.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/tools/pd-estimate.h"

/* a bus: a message of n bytes on the wire takes 10 us + n ns */
#define BUS      "ethernet:startup=10us,per-byte=1ns"
#define DETACHED BUS ",eager=100,detached=20kB"

static const TestCase cases[] = {
  /* the sender goes on, the transfer starts when the receive is posted: 50 + 11 */
  { "detached/late-receive",
    DETACHED,
    2,
    { SEND (0, 1, 0, 1000, 0), COMPUTE (1, 50, 50), RECV (1, 0, 0, 1000, 61), END } },
  { "detached/late-send",
    DETACHED,
    2,
    { COMPUTE (0, 5, 5), SEND (0, 1, 0, 1000, 5), RECV (1, 0, 0, 1000, 16), END } },
  { "detached/small-is-eager",
    DETACHED,
    2,
    { SEND (0, 1, 0, 100, 0), COMPUTE (1, 50, 50), RECV (1, 0, 0, 100, 50), END } },
  { "detached/limit",
    DETACHED,
    2,
    { SEND (0, 1, 0, 20000, 0), COMPUTE (1, 50, 50), RECV (1, 0, 0, 20000, 80), END } },
  /* announced until 10, answered at 50 until 60 */
  { "detached/large-is-rendezvous",
    DETACHED,
    2,
    { SEND (0, 1, 0, 20001, 90.001), COMPUTE (1, 50, 50), RECV (1, 0, 0, 20001, 90.001), END } },
  { "detached/synchronous-waits",
    DETACHED,
    2,
    { SSEND (0, 1, 0, 1000, 31), RECV (1, 0, 0, 1000, 31), END } },
  { "detached/buffered-is-eager",
    DETACHED,
    2,
    { BSEND (0, 1, 0, 1000, 0), COMPUTE (1, 50, 50), RECV (1, 0, 0, 1000, 50), END } },
  { "detached/not-even-0-bytes-eagerly",
    BUS ",eager=none,detached=1GB",
    2,
    { SEND (0, 1, 0, 0, 0), COMPUTE (1, 50, 50), RECV (1, 0, 0, 0, 60), END } },
  /* the wait for the send costs nothing; that for the receive is to 61 */
  { "detached/non-blocking",
    DETACHED,
    2,
    { ISEND (0, 1, 0, 1000, 0, 0), WAIT (0, 0, 0), COMPUTE (1, 50, 50),
      IRECV (1, 0, 0, 1000, 0, 50), WAIT (1, 0, 61), END } },
  /* sent at 1 after the overhead; the receive is posted at 0 + 2 */
  { "detached/overheads",
    DETACHED ",send-overhead=1us,recv-overhead=2us",
    2,
    { SEND (0, 1, 0, 1000, 1), RECV (1, 0, 0, 1000, 13), END } },
  { "detached/oneself",
    DETACHED ",copy-per-byte=1ns",
    1,
    { SEND (0, 0, 0, 1000, 0), RECV (0, 0, 0, 1000, 1), END } },
  { "detached/two-in-order",
    DETACHED,
    2,
    { SEND (0, 1, 0, 1000, 0), SEND (0, 1, 0, 2000, 0), COMPUTE (1, 50, 50),
      RECV (1, 0, 0, 1000, 61), RECV (1, 0, 0, 2000, 73), END } },
  /* can be matched from when they are sent: that of 2, then that of 1 */
  { "detached/visible-when-sent",
    DETACHED,
    3,
    { COMPUTE (1, 5, 5), SEND (1, 0, 0, 1000, 5), SEND (2, 0, 0, 2000, 0), COMPUTE (0, 50, 50),
      RECV (0, PD_ANY_SOURCE, 0, 2000, 62), RECV (0, PD_ANY_SOURCE, 0, 2000, 73), END } },

  /* what a function costs besides: it begins later; waits and tests end later */
  { "function/send",
    BUS ",MPI_Send=1us,MPI_Recv=2us,MPI_Ssend=1ms",
    2,
    { SEND (0, 1, 0, 1000, 1), RECV (1, 0, 0, 1000, 12), END } },
  { "function/non-blocking",
    BUS ",MPI_Isend=3us,MPI_Irecv=4us,MPI_Wait=5us,MPI_Waitall=6us",
    2,
    { ISEND (0, 1, 0, 1000, 0, 3), WAIT (0, 0, 8), ISEND (0, 1, 0, 1000, 0, 11),
      WAITALL (0, 0, 1, 17), IRECV (1, 0, 0, 1000, 0, 4), WAIT (1, 0, 19),
      IRECV (1, 0, 0, 1000, 0, 23), WAITALL (1, 0, 1, 31), END } },
  { "function/any",
    BUS ",MPI_Waitany=5us,MPI_Waitsome=6us,MPI_Test=7us",
    2,
    { ISEND (0, 1, 0, 1000, 0, 0), WAITANY (0, 0, 1, 0, 5), TEST (0, 0, TRUE, 12),
      IRECV (1, 0, 0, 1000, 0, 0), WAITSOME (1, 0, 1, 1, 17), END } },
  { "function/probe",
    BUS ",MPI_Probe=1us,MPI_Iprobe=2us",
    2,
    { SEND (0, 1, 0, 1000, 0), PROBE (1, 0, 0, 12), IPROBE (1, 0, 0, TRUE, 14),
      RECV (1, 0, 0, 1000, 14), END } },
  { "function/nobody",
    BUS ",MPI_Send=1us,MPI_Recv=2us,MPI_Isend=3us,MPI_Irecv=4us,MPI_Wait=5us",
    1,
    { SEND (0, PD_PROC_NULL, 0, 8, 0), RECV (0, PD_PROC_NULL, 0, 8, 0),
      ISEND (0, PD_PROC_NULL, 0, 8, 0, 0), IRECV (0, PD_PROC_NULL, 0, 8, 1, 0), WAIT (0, 0, 5),
      WAIT (0, 2, 5), END } },
  { "function/persistent",
    BUS ",MPI_Start=2us,MPI_Startall=3us,MPI_Isend=1ms",
    2,
    { SEND_INIT (0, 1, 0, 1000, 0, PD_SEND_STANDARD, 0), START (0, 0, 1, 2), WAIT (0, 0, 2),
      REQUEST_FREE (0, 0, 2), RECV_INIT (1, 0, 0, 1000, 0, 0), RECV_INIT (1, 0, 1, 1000, 1, 0),
      START (1, 0, 2, 3), WAIT (1, 0, 13), CANCEL (1, 1, TRUE, 13), WAIT (1, 1, 13),
      REQUEST_FREE (1, 0, 13), END } },
  /* the bus carries one after the other */
  { "function/collective",
    BUS ",MPI_Barrier=8us,MPI_Ibarrier=1ms",
    2,
    { COLLECTIVE (0, BARRIER, 0, 0, 28), COLLECTIVE (1, BARRIER, 0, 0, 18), END } },
  { "function/collective-beside",
    BUS ",MPI_Ibarrier=9us,MPI_Barrier=1ms",
    2,
    { { .rank = 0, .what = DO_ICOLLECTIVE, .op = PD_OP_BARRIER, .ret = 9 },
      WAIT (0, 0, 29),
      { .rank = 1, .what = DO_ICOLLECTIVE, .op = PD_OP_BARRIER, .ret = 9 },
      WAIT (1, 0, 19),
      END } },
  { "function/collective-of-simple",
    BUS ",collectives=simple,collective-time=5us,MPI_Barrier=8us",
    2,
    { COLLECTIVE (0, BARRIER, 0, 0, 16), COMPUTE (1, 3, 3), COLLECTIVE (1, BARRIER, 0, 0, 16),
      END } },
  /* the barrier's message of 1 from 2 to 12, the data to 23, the other one from 25 on */
  { "function/one-sided",
    BUS ",MPI_Put=3us,MPI_Win_fence=2us",
    2,
    { PUT (0, 1, 1000, 3), FENCE (0, 25), FENCE (1, 35), END } },
  { "function/lock",
    BUS ",MPI_Win_lock=3us,MPI_Win_unlock=2us",
    2,
    { LOCK (0, 1, TRUE, 23), UNLOCK (0, 1, 25), END } },
  { "function/ends",
    "loggops:L=2us,o=1us,MPI_Send=3us,MPI_Recv=1us",
    2,
    { SEND (0, 1, 0, 1, 4), RECV (1, 0, 0, 1, 7), END } },

  { "ready/as-standard",
    BUS,
    2,
    { { .rank = 0, .what = DO_RSEND, .peer = 1, .bytes = 1000, .ret = 0 },
      RECV (1, 0, 0, 1000, 11),
      { .rank = 0, .what = DO_IRSEND, .peer = 1, .bytes = 20000, .ret = 0 },
      WAIT (0, 0, 61),
      RECV (1, 0, 0, 20000, 61),
      END } },

  { "envelope/eager",
    BUS ",envelope=1000",
    2,
    { SEND (0, 1, 0, 1000, 0), RECV (1, 0, 0, 1000, 12), END } },
  /* does not make it a rendezvous */
  { "envelope/limit",
    BUS ",envelope=1000",
    2,
    { SEND (0, 1, 0, 16384, 0), RECV (1, 0, 0, 16384, 27.384), END } },
  /* announced until 11, answered until 22 */
  { "envelope/control-messages",
    BUS ",envelope=1000",
    2,
    { SEND (0, 1, 0, 20000, 53), RECV (1, 0, 0, 20000, 53), END } },
  { "envelope/oneself",
    BUS ",envelope=1000,copy-per-byte=1ns",
    1,
    { SEND (0, 0, 0, 1000, 0), RECV (0, 0, 0, 1000, 1), END } },
  { "envelope/huge",
    "myrinet:startup=0,per-byte=0,envelope=9000000000000000000",
    2,
    { SEND (0, 1, 0, 16384, 0), RECV (1, 0, 0, 16384, 0), END } },
};

static void
test_reported_bytes (void)
{
  static const TestStep steps[] = { SEND (0, 1, 0, 1000, 0), RECV (1, 0, 0, 1000, 12) };
  g_autoptr (PdMachine) machine = test_machine (BUS ",envelope=1000", 2);
  TestSetup setup = { .machine = machine, .n_ranks = 2 };
  g_autoptr (TestRun) run = test_run_new (&setup, steps, G_N_ELEMENTS (steps));

  g_assert_true (pd_comsys_get_counts (run->comsys)->n_bytes.ps == 1000);
  g_assert_cmpint (run->seen.bytes, ==, 1000);
  g_assert_cmpint (run->statuses[1].bytes, ==, 1000);
  g_assert_cmpint (pd_comsys_get_transfer_time (run->comsys, 0, 1, 1000).ps, ==, test_us (12));
}

/* ---- networks that ask something of processors */

#define MICROSECONDS(n) PD_TIME ((n) *PD_PS_PER_US)

static void
cost_before (gconstpointer config G_GNUC_UNUSED, PdNetworkCosts *costs)
{
  costs->before = MICROSECONDS (3);
}

static void
cost_at_ends (gconstpointer config G_GNUC_UNUSED, PdNetworkCosts *costs)
{
  costs->send_overhead = MICROSECONDS (1);
  costs->send_per_byte = 1000;
  costs->recv_overhead = MICROSECONDS (2);
  costs->recv_per_byte = 3000;
}

static const struct
{
  const char *name;
  void (*get_costs) (gconstpointer config, PdNetworkCosts *costs);
  TestStep steps[12];
} costs[] = {
  { "before/eager", cost_before, { SEND (0, 1, 0, 1000, 3), RECV (1, 0, 0, 1000, 14), END } },
  { "before/late-receive",
    cost_before,
    { SEND (0, 1, 0, 1000, 3), COMPUTE (1, 50, 50), RECV (1, 0, 0, 1000, 53), END } },
  /* announced 3 to 13, the receive posted at 53, answered to 63 */
  { "before/rendezvous",
    cost_before,
    { SEND (0, 1, 0, 20000, 93), COMPUTE (1, 50, 50), RECV (1, 0, 0, 20000, 93), END } },
  { "before/non-blocking",
    cost_before,
    { ISEND (0, 1, 0, 1000, 0, 3), WAIT (0, 0, 3), IRECV (1, 0, 0, 1000, 0, 0), WAIT (1, 0, 14),
      END } },
  /* each receive of a wait, one after the other */
  { "before/waitall",
    cost_before,
    { ISEND (0, 1, 0, 1000, 0, 3), ISEND (0, 1, 0, 1000, 1, 6), WAITALL (0, 0, 2, 6),
      IRECV (1, 0, 0, 1000, 0, 0), IRECV (1, 0, 0, 1000, 1, 0), COMPUTE (1, 50, 50),
      WAITALL (1, 0, 2, 56), END } },
  { "before/wildcard",
    cost_before,
    { SEND (0, 1, 0, 1000, 3), COMPUTE (1, 50, 50), RECV (1, PD_ANY_SOURCE, 0, 1000, 53), END } },
  /* 3 to send, 3 to wait, both before the messages come at 14 and 25 */
  { "before/sendrecv",
    cost_before,
    { SENDRECV (0, 1, 1, 0, 1000, 25), SENDRECV (1, 0, 0, 0, 1000, 14), END } },
  { "before/oneself", cost_before, { SEND (0, 0, 0, 1000, 0), RECV (0, 0, 0, 1000, 0), END } },
  { "before/proc-null",
    cost_before,
    { SEND (0, PD_PROC_NULL, 0, 1000, 0), IRECV (0, PD_PROC_NULL, 0, 1000, 0, 0), WAIT (0, 0, 0),
      END } },
  /* a barrier of two: 0 and 1 exchange, 3 to send, 10 and 20 on the bus */
  { "before/barrier",
    cost_before,
    { COLLECTIVE (0, BARRIER, 0, 0, 23), COLLECTIVE (1, BARRIER, 0, 0, 13), END } },

  /* sent at 1 + 1, there at 13, received after 2 + 3 */
  { "ends/eager", cost_at_ends, { SEND (0, 1, 0, 1000, 2), RECV (1, 0, 0, 1000, 18), END } },
  { "ends/late-receive",
    cost_at_ends,
    { SEND (0, 1, 0, 1000, 2), COMPUTE (1, 50, 50), RECV (1, 0, 0, 1000, 55), END } },
};

static void
test_costs (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdMachine) machine = test_machine (BUS, 2);
  PdNetworkClass class = *machine->network->class;

  class.get_costs = costs[i].get_costs;
  machine->network->class = &class;
  test_check_setup (&(TestSetup){ .machine = machine, .n_ranks = 2 }, costs[i].steps);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  test_add_cases ("/comsys/protocol", cases, G_N_ELEMENTS (cases));
  for (gsize i = 0; i < G_N_ELEMENTS (costs); i++)
    {
      g_autofree char *path = g_strdup_printf ("/comsys/protocol/costs/%s", costs[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_costs);
    }
  g_test_add_func ("/comsys/protocol/reported-bytes", test_reported_bytes);
  return g_test_run ();
}
