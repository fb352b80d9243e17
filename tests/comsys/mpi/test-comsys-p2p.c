/* Point to point, in hand-worked tables. Moments are in us.
 * SPDX-License-Identifier: MIT */
#include "tests/support/comsys/comsys-script.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/mpi/pd-comsys-core.h"

/* a bus: a message of n bytes takes 10 us + n ns, a control message 10 us */
#define BUS       "ethernet:startup=10us,per-byte=1ns"
#define COSTS     "send-overhead=1us,recv-overhead=2us,wait-overhead=4us,copy-per-byte=1ns"
#define BUS_COSTS BUS "," COSTS
/* messages of one pair beside each other: 7 us + 4 ns per byte each */
#define WIDE   "myrinet:startup=7us,per-byte=4ns,channels=8"
#define SECOND 1e6

static const TestCase cases[] = {
  { "eager/receive-first",
    BUS,
    2,
    { COMPUTE (0, 5, 5), SEND (0, 1, 0, 1000, 5), RECV (1, 0, 0, 1000, 16), END } },
  { "eager/send-first",
    BUS,
    2,
    { SEND (0, 1, 0, 1000, 0), COMPUTE (1, 20, 20), RECV (1, 0, 0, 1000, 20), END } },
  /* the limit itself is eager, one byte more is announced: 10, answer 10 */
  { "eager/limit", BUS, 2, { SEND (0, 1, 0, 16384, 0), RECV (1, 0, 0, 16384, 26.384), END } },
  { "rendezvous/above-the-limit",
    BUS,
    2,
    { SEND (0, 1, 0, 16385, 46.385), RECV (1, 0, 0, 16385, 46.385), END } },
  { "rendezvous/free-control",
    BUS ",control=free",
    2,
    { SEND (0, 1, 0, 16385, 26.385), RECV (1, 0, 0, 16385, 26.385), END } },
  /* the example of the specification: the receive took 4 s, the send 3 s */
  { "rendezvous/example-free",
    "ethernet:startup=3s,per-byte=0,eager=none,control=free",
    2,
    { COMPUTE (0, 11 * SECOND, 11 * SECOND), SEND (0, 1, 0, 1, 14 * SECOND),
      COMPUTE (1, 10 * SECOND, 10 * SECOND), RECV (1, 0, 0, 1, 14 * SECOND), END } },
  /* announcement 11 to 14, answer to 17, data to 20 */
  { "rendezvous/example-modelled",
    "ethernet:startup=3s,per-byte=0,eager=none",
    2,
    { COMPUTE (0, 11 * SECOND, 11 * SECOND), SEND (0, 1, 0, 1, 20 * SECOND),
      COMPUTE (1, 10 * SECOND, 10 * SECOND), RECV (1, 0, 0, 1, 20 * SECOND), END } },
  /* announced at 10; answer 50 to 60, data to 90 */
  { "rendezvous/late-receive",
    BUS,
    2,
    { SEND (0, 1, 0, 20000, 90), COMPUTE (1, 50, 50), RECV (1, 0, 0, 20000, 90), END } },
  { "rendezvous/no-eager-at-all",
    BUS ",eager=none",
    2,
    { SEND (0, 1, 0, 0, 30), RECV (1, 0, 0, 0, 30), END } },
  /* the answer and the announcement of another pair share the bus: 0 -> 1
   * announces to 10, 2 -> 3 to 20; answers to 30 and 40; data to 51 and 62 */
  { "rendezvous/two-pairs-on-a-bus",
    BUS,
    4,
    { SSEND (0, 1, 0, 1000, 51), RECV (1, 0, 0, 1000, 51), SSEND (2, 3, 0, 1000, 62),
      RECV (3, 2, 0, 1000, 62), END } },

  /* the network is asked at 1; 1 + 11 = 12 */
  { "overheads/eager", BUS_COSTS, 2, { SEND (0, 1, 0, 1000, 1), RECV (1, 0, 0, 1000, 12), END } },
  { "overheads/eager-late-receive",
    BUS_COSTS,
    2,
    { SEND (0, 1, 0, 1000, 1), COMPUTE (1, 20, 20), RECV (1, 0, 0, 1000, 22), END } },
  /* announced 1 to 11, answer to 21, data to 51 */
  { "overheads/rendezvous",
    BUS_COSTS,
    2,
    { SEND (0, 1, 0, 20000, 51), RECV (1, 0, 0, 20000, 51), END } },
  /* posted at 50 + 2: answer to 62, data to 92 */
  { "overheads/rendezvous-late-receive",
    BUS_COSTS,
    2,
    { SEND (0, 1, 0, 20000, 92), COMPUTE (1, 50, 50), RECV (1, 0, 0, 20000, 92), END } },
  /* waits: max (1, 1) + 4 and max (2, 12) + 4 */
  { "overheads/non-blocking",
    BUS_COSTS,
    2,
    { ISEND (0, 1, 0, 1000, 0, 1), WAIT (0, 0, 5), IRECV (1, 0, 0, 1000, 0, 2), WAIT (1, 0, 16),
      END } },
  { "overheads/wait-after-completion",
    BUS_COSTS,
    2,
    { ISEND (0, 1, 0, 1000, 0, 1), COMPUTE (0, 99, 100), WAIT (0, 0, 104),
      IRECV (1, 0, 0, 1000, 0, 2), COMPUTE (1, 98, 100), WAIT (1, 0, 104), END } },
  /* two sends: the CPU at 0 to 1 and 1 to 2, the bus from 1 to 12 to 23 */
  { "overheads/two-sends",
    BUS_COSTS,
    2,
    { SEND (0, 1, 0, 1000, 1), SEND (0, 1, 0, 1000, 2), RECV (1, 0, 0, 1000, 12),
      RECV (1, 0, 0, 1000, 23), END } },

  /* eager although large: asked at 1, copied until 21; arrives at 1 + 30 */
  { "modes/bsend", BUS_COSTS, 2, { BSEND (0, 1, 0, 20000, 21), RECV (1, 0, 0, 20000, 31), END } },
  { "modes/ibsend",
    BUS_COSTS,
    2,
    { IBSEND (0, 1, 0, 20000, 0, 1), WAIT (0, 0, 5), RECV (1, 0, 0, 20000, 31), END } },
  /* announced to 10, answer to 20, data to 30.008, although small */
  { "modes/ssend",
    BUS,
    2,
    { SSEND (0, 1, 0, 8, 30.008), COMPUTE (1, 5, 5), RECV (1, 0, 0, 8, 30.008), END } },
  { "modes/issend",
    BUS_COSTS,
    2,
    { ISSEND (0, 1, 0, 8, 0, 1), WAIT (0, 0, 35.008), RECV (1, 0, 0, 8, 31.008), END } },
  { "modes/ssend-without-receive", BUS, 2, { SSEND (0, 1, 0, 8, NEVER), COMPUTE (1, 5, 5), END } },
  { "modes/bsend-without-receive", BUS, 2, { BSEND (0, 1, 0, 20000, 0), COMPUTE (1, 5, 5), END } },

  { "proc-null/costs-nothing",
    BUS_COSTS,
    1,
    { SEND (0, PD_PROC_NULL, 0, 20000, 0), SSEND (0, PD_PROC_NULL, 0, 1, 0),
      BSEND (0, PD_PROC_NULL, 0, 20000, 0), RECV (0, PD_PROC_NULL, 0, 1, 0),
      SENDRECV (0, PD_PROC_NULL, PD_PROC_NULL, 0, 1, 0), ISEND (0, PD_PROC_NULL, 0, 1, 0, 0),
      IRECV (0, PD_PROC_NULL, PD_ANY_TAG, 1, 1, 0), END } },
  /* the waits themselves are calls */
  { "proc-null/wait",
    BUS_COSTS,
    1,
    { ISEND (0, PD_PROC_NULL, 0, 1, 0, 0), IRECV (0, PD_PROC_NULL, 0, 1, 1, 0), WAIT (0, 0, 4),
      WAIT (0, 1, 8), WAIT (0, 1, 8), END } },
  /* ends of a chain: 0 sends only (0 to 1, wait to 5), 1 receives only: posted
   * at 0 + 2, arrives at 12, + 4 */
  { "proc-null/sendrecv",
    BUS_COSTS,
    2,
    { SENDRECV (0, 1, PD_PROC_NULL, 0, 1000, 5), SENDRECV (1, PD_PROC_NULL, 0, 0, 1000, 16),
      END } },

  /* started at 1, copied by 2, posted at 1 + 2 = 3, + 4 */
  { "oneself/eager",
    BUS_COSTS,
    1,
    { ISEND (0, 0, 0, 1000, 0, 1), IRECV (0, 0, 0, 1000, 1, 3), WAITALL (0, 0, 2, 7), END } },
  /* large, yet never announced: 1 + 20 = 21 */
  { "oneself/large", BUS_COSTS, 1, { SEND (0, 0, 0, 20000, 1), RECV (0, 0, 0, 20000, 21), END } },
  /* uses no bus: 1 -> 2 is not held up */
  { "oneself/no-network",
    BUS ",copy-per-byte=1us",
    3,
    { SEND (0, 0, 0, 1000, 0), RECV (0, 0, 0, 1000, 1000), SEND (1, 2, 0, 1000, 0),
      RECV (2, 1, 0, 1000, 11), END } },
  { "oneself/ssend-alone", BUS, 1, { SSEND (0, 0, 0, 8, NEVER), END } },
  /* posted at 50 + 2, then copied by 53, + 4 */
  { "oneself/issend",
    BUS_COSTS,
    1,
    { ISSEND (0, 0, 0, 1000, 0, 1), COMPUTE (0, 49, 50), IRECV (0, 0, 0, 1000, 1, 52),
      WAIT (0, 0, 57), WAIT (0, 1, 61), END } },
  { "oneself/receive-first",
    BUS_COSTS,
    1,
    { IRECV (0, 0, 0, 1000, 0, 2), ISSEND (0, 0, 0, 1000, 1, 3), WAITALL (0, 0, 2, 8), END } },
  { "oneself/sendrecv", BUS_COSTS, 1, { SENDRECV (0, 0, 0, 0, 1000, 7), END } },

  /* 7 + 64 = 71 for the first, 7.032 for the second, which must wait */
  { "order/same-tag",
    WIDE,
    2,
    { SEND (0, 1, 0, 16000, 0), SEND (0, 1, 0, 8, 0), RECV (1, 0, 0, 16000, 71),
      RECV (1, 0, 0, 16000, 71), END } },
  { "order/other-tag-may-pass",
    WIDE,
    2,
    { SEND (0, 1, 0, 16000, 0), SEND (0, 1, 1, 8, 0), RECV (1, 0, 1, 16000, 7.032),
      RECV (1, 0, 0, 16000, 71), END } },
  /* the announcement comes at 7, yet the first receive gets the first message */
  { "order/rendezvous-behind-eager",
    WIDE,
    2,
    { SEND (0, 1, 0, 16000, 0), SEND (0, 1, 0, 20000, 101), IRECV (1, 0, 0, 16000, 0, 0),
      IRECV (1, 0, 0, 20000, 1, 0), WAIT (1, 0, 71), WAIT (1, 1, 101), END } },

  /* both at once: 0 -> 1 on the bus to 11, 1 -> 0 to 22 */
  { "sendrecv/exchange",
    BUS,
    2,
    { SENDRECV (0, 1, 1, 0, 1000, 22), SENDRECV (1, 0, 0, 0, 1000, 11), END } },
  /* announcements to 10, 20; answers (of 1 at 10, of 0 at 20) to 30, 40; data
   * of 0 -> 1 (at 30) to 70, of 1 -> 0 (at 40) to 100; both wait for both */
  { "sendrecv/rendezvous",
    BUS,
    2,
    { SENDRECV (0, 1, 1, 0, 20000, 100), SENDRECV (1, 0, 0, 0, 20000, 100), END } },
  /* sent at 1, arrives at 12 and 23; + 4 */
  { "sendrecv/overheads",
    BUS_COSTS,
    2,
    { SENDRECV (0, 1, 1, 0, 1000, 27), SENDRECV (1, 0, 0, 0, 1000, 16), END } },
  { "deadlock/two-receives",
    BUS,
    2,
    { RECV (0, 1, 0, 8, NEVER), SEND (0, 1, 0, 8, NEVER), RECV (1, 0, 0, 8, NEVER),
      SEND (1, 0, 0, 8, NEVER), END } },
  { "deadlock/two-large-sends",
    BUS,
    2,
    { SEND (0, 1, 0, 20000, NEVER), RECV (0, 1, 0, 20000, NEVER), SEND (1, 0, 0, 20000, NEVER),
      RECV (1, 0, 0, 20000, NEVER), END } },
  { "deadlock/wrong-tag", BUS, 2, { SEND (0, 1, 3, 8, 0), RECV (1, 0, 4, 8, NEVER), END } },
};

/* ---- what a receive learns */

static void
assert_status (const PdStatus *status, gint32 source, gint32 tag, gint64 bytes)
{
  g_assert_cmpint (status->source, ==, source);
  g_assert_cmpint (status->tag, ==, tag);
  g_assert_cmpint (status->bytes, ==, bytes);
}

static void
test_status (void)
{
  static const TestStep steps[] = {
    SEND (1, 0, 7, 24, 0),
    SEND (2, 0, 8, 20000, 0),
    RECV (0, 1, 7, 100, 0),
    RECV (0, 2, 8, 30000, 0),
    RECV (0, PD_PROC_NULL, 8, 100, 0),
    SENDRECV (0, PD_PROC_NULL, 0, 0, 8, 0),
    SEND (0, 0, 0, 12, 0),
  };
  g_autoptr (PdMachine) machine = test_machine (BUS, 3);
  TestSetup setup = { .machine = machine, .n_ranks = 3 };
  /* the one to itself first: Sendrecv receives it */
  TestStep all[] = { steps[0], steps[1], steps[2], steps[3], steps[4], steps[6], steps[5] };
  g_autoptr (TestRun) run = test_run_new (&setup, all, G_N_ELEMENTS (all));

  g_assert_cmpuint (run->n_finished, ==, 3);
  assert_status (&run->statuses[2], 1, 7, 24);
  assert_status (&run->statuses[3], 2, 8, 20000);
  assert_status (&run->statuses[4], PD_PROC_NULL, PD_ANY_TAG, 0);
  assert_status (&run->statuses[6], 0, 0, 12);
}

static const struct
{
  gint64 bytes;
  gint64 type_size;
  gint64 count;
} get_counts[] = {
  { 0, 8, 0 },   { 24, 8, 3 }, { 24, 1, 24 },
  { 25, 8, -1 }, { 7, 8, -1 }, { G_GINT64_CONSTANT (1) << 62, 4, G_GINT64_CONSTANT (1) << 60 },
};

static void
test_get_count (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (get_counts); i++)
    {
      PdStatus status = { 0, 0, get_counts[i].bytes };
      g_assert_cmpint (pd_status_get_count (&status, get_counts[i].type_size), ==,
                       get_counts[i].count);
    }
}

/* ---- sizes that no clock can hold */

static void
test_huge (void)
{
  const gint64 huge = G_GINT64_CONSTANT (1) << 62;
  TestStep steps[] = { SEND (0, 1, 0, huge, 0), RECV (1, 0, 0, huge, 0), BSEND (0, 1, 0, huge, 0),
                       RECV (1, 0, 0, huge, 0) };
  g_autoptr (PdMachine) machine = test_machine (BUS_COSTS, 2);
  TestSetup setup = { .machine = machine, .n_ranks = 2 };
  g_autoptr (TestRun) run = test_run_new (&setup, steps, G_N_ELEMENTS (steps));

  g_assert_cmpuint (run->n_finished, ==, 2);
  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
    g_assert_cmpint (run->ret[i].ps, ==, G_MAXINT64);
  g_assert_true (pd_comsys_get_counts (run->comsys)->n_bytes.ps == (PdWide) 2 * huge);
}

/* ---- placement and names */

#define TWO_NODES                                                                                  \
  "<machine name='two'><network type='ethernet' startup='10us' per-byte='1ns'>"                    \
  "<nodes count='2' processors='2'><memory startup='1us' per-byte='0'/></nodes>"                   \
  "</network></machine>"

static void
test_placement (void)
{
  static const guint32 placements[][2] = { { 0, 1 }, { 0, 2 }, { 3, 2 }, { 1, 2 } };
  static const gdouble ends[] = { 1, 11, 1, 11 };
  static const TestStep steps[] = { SEND (0, 1, 0, 1000, 0), RECV (1, 0, 0, 1000, 0) };
  g_autoptr (PdMachine) machine = test_machine (TWO_NODES, 4);

  for (gsize i = 0; i < G_N_ELEMENTS (placements); i++)
    {
      TestSetup setup = { .machine = machine, .placement = placements[i], .n_ranks = 2 };
      g_autoptr (TestRun) run = test_run_new (&setup, steps, G_N_ELEMENTS (steps));
      g_assert_cmpint (run->ret[1].ps, ==, test_us (ends[i]));
    }
}

static void
test_new_errors (void)
{
  static const guint32 outside[] = { 0, 4 };
  g_autoptr (PdMachine) machine = test_machine (TWO_NODES, 4);
  g_autoptr (PdMachine) unknown = test_machine ("ideal:bcast=butterfly", 4);
  g_autoptr (GError) error = NULL;

  g_assert_null (pd_comsys_new (machine, NULL, 5, &error));
  g_assert_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SIZE);
  g_clear_error (&error);
  g_assert_null (pd_comsys_new (machine, NULL, 0, &error));
  g_assert_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SIZE);
  g_clear_error (&error);
  g_assert_null (pd_comsys_new (machine, outside, 2, &error));
  g_assert_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SIZE);
  g_clear_error (&error);
  g_assert_null (pd_comsys_new (unknown, NULL, 4, &error));
  g_assert_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE);
}

static void
test_names (void)
{
  static const guint32 placement[] = { 3, 0 };
  g_autoptr (PdMachine) machine = test_machine (TWO_NODES, 4);
  g_autoptr (PdComsys) plain = pd_comsys_new (machine, NULL, 4, NULL);
  g_autoptr (PdComsys) placed = pd_comsys_new (machine, placement, 2, NULL);
  g_autofree char *second = pd_comsys_get_processor_name (plain, 1);
  g_autofree char *third = pd_comsys_get_processor_name (plain, 2);
  g_autofree char *first = pd_comsys_get_processor_name (placed, 0);

  g_assert_cmpstr (second, ==, "node0:1");
  g_assert_cmpstr (third, ==, "node1:0");
  g_assert_cmpstr (first, ==, "node1:1");
  g_assert_cmpfloat (pd_comsys_wtime (PD_TIME (1500 * PD_PS_PER_MS)), ==, 1.5);
}

/* The memories of two nodes work beside each other, one copy at a time each. */
static void
test_memories (void)
{
  static const TestStep steps[] = {
    ISEND (0, 1, 0, 0, 0, 0), ISEND (0, 1, 0, 0, 1, 0), ISEND (2, 3, 0, 0, 0, 0),
    RECV (1, 0, 0, 0, 1),     RECV (1, 0, 0, 0, 2),     RECV (3, 2, 0, 0, 1),
    WAITALL (0, 0, 2, 0),     WAITALL (2, 0, 1, 0),     END
  };

  test_check_steps ("<machine name='two'><network type='ethernet' startup='10us' per-byte='1ns'>"
                    "<nodes count='2' processors='2'><memory startup='1us' per-byte='0' "
                    "channels='1'/></nodes></network></machine>",
                    4, steps);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  test_add_cases ("/comsys/p2p", cases, G_N_ELEMENTS (cases));
  g_test_add_func ("/comsys/p2p/status", test_status);
  g_test_add_func ("/comsys/p2p/get-count", test_get_count);
  g_test_add_func ("/comsys/p2p/huge", test_huge);
  g_test_add_func ("/comsys/p2p/placement", test_placement);
  g_test_add_func ("/comsys/p2p/memories", test_memories);
  g_test_add_func ("/comsys/p2p/names", test_names);
  g_test_add_func ("/comsys/p2p/new-errors", test_new_errors);
  return g_test_run ();
}
