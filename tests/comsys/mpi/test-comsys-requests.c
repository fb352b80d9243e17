/* Persistent requests, requests that are freed or cancelled, probes, notifications;
 * in hand-worked tables. Moments are in us.
 * SPDX-License-Identifier: MIT */
#include "tests/support/comsys/comsys-script.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/mpi/pd-persistent.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "comsys/state/pd-comsys-types.h"

/* a bus: a message of n bytes takes 10 us + n ns, a control message 10 us */
#define BUS       "ethernet:startup=10us,per-byte=1ns"
#define COSTS     "send-overhead=1us,recv-overhead=2us,wait-overhead=4us,copy-per-byte=1ns"
#define BUS_COSTS BUS "," COSTS
#define STANDARD  PD_SEND_STANDARD
#define ANY       PD_ANY_SOURCE

static const TestCase cases[] = {
  /* as Isend and Irecv: 1 + 11, + 4; again from 16: 17 + 11, + 4 */
  { "persistent/twice",
    BUS_COSTS,
    2,
    { SEND_INIT (0, 1, 0, 1000, 0, STANDARD, 0), START (0, 0, 1, 1), WAIT (0, 0, 5),
      START (0, 0, 1, 6), WAIT (0, 0, 10), REQUEST_FREE (0, 0, 10), RECV_INIT (1, 0, 0, 1000, 0, 0),
      START (1, 0, 1, 2), WAIT (1, 0, 16), START (1, 0, 1, 18), WAIT (1, 0, 27),
      REQUEST_FREE (1, 0, 27), END } },
  /* the second message is on the bus from 12 to 23 */
  { "persistent/inactive-costs-nothing",
    BUS_COSTS,
    1,
    { SEND_INIT (0, 0, 0, 0, 0, STANDARD, 0), WAIT (0, 0, 0), WAITALL (0, 0, 1, 0),
      WAITANY (0, 0, 1, -1, 0), WAITSOME (0, 0, 1, -1, 0), TEST (0, 0, TRUE, 4),
      TESTANY (0, 0, 1, -1, 8), REQUEST_FREE (0, 0, 8), END } },
  { "persistent/inactive-after-completion",
    BUS_COSTS,
    2,
    { SEND_INIT (0, 1, 0, 1000, 0, STANDARD, 0), START (0, 0, 1, 1), WAITANY (0, 0, 1, 0, 5),
      WAITANY (0, 0, 1, -1, 5), START (0, 0, 1, 6), TEST (0, 0, TRUE, 10), WAIT (0, 0, 10),
      REQUEST_FREE (0, 0, 10), RECV (1, 0, 0, 1000, 12), RECV (1, 0, 0, 1000, 23), END } },
  { "persistent/startall",
    BUS_COSTS,
    2,
    { SEND_INIT (0, 1, 0, 1000, 0, STANDARD, 0), SEND_INIT (0, 1, 1, 1000, 1, STANDARD, 0),
      START (0, 0, 2, 2), WAITALL (0, 0, 2, 6), REQUEST_FREE (0, 0, 6), REQUEST_FREE (0, 1, 6),
      RECV_INIT (1, 0, 1, 1000, 0, 0), RECV_INIT (1, 0, 0, 1000, 1, 0), START (1, 0, 2, 4),
      WAITALL (1, 0, 2, 27), REQUEST_FREE (1, 0, 27), REQUEST_FREE (1, 1, 27), END } },
  /* announced to 11, answered to 21, data to 32 */
  { "persistent/synchronous",
    BUS_COSTS,
    2,
    { SEND_INIT (0, 1, 0, 1000, 0, PD_SEND_SYNCHRONOUS, 0), START (0, 0, 1, 1), WAIT (0, 0, 36),
      REQUEST_FREE (0, 0, 36), RECV (1, 0, 0, 1000, 32), END } },
  { "persistent/buffered",
    BUS_COSTS,
    2,
    { SEND_INIT (0, 1, 0, 20000, 0, PD_SEND_BUFFERED, 0), START (0, 0, 1, 1), WAIT (0, 0, 5),
      REQUEST_FREE (0, 0, 5), RECV (1, 0, 0, 20000, 31), END } },
  { "persistent/ready",
    BUS,
    2,
    { SEND_INIT (0, 1, 0, 20000, 0, PD_SEND_READY, 0), START (0, 0, 1, 0), WAIT (0, 0, 50),
      REQUEST_FREE (0, 0, 50), RECV (1, 0, 0, 20000, 50), END } },
  { "persistent/proc-null",
    BUS_COSTS,
    1,
    { RECV_INIT (0, PD_PROC_NULL, 0, 8, 0, 0), START (0, 0, 1, 0), WAIT (0, 0, 4), WAIT (0, 0, 4),
      REQUEST_FREE (0, 0, 4), END } },
  { "persistent/any-source",
    BUS,
    2,
    { SEND (0, 1, 3, 1000, 0), SEND (0, 1, 4, 1000, 0), RECV_INIT (1, ANY, PD_ANY_TAG, 1000, 0, 0),
      START (1, 0, 1, 0), WAIT (1, 0, 11), START (1, 0, 1, 11), WAIT (1, 0, 22),
      REQUEST_FREE (1, 0, 22), END } },

  /* the message goes its way; the receive takes it */
  { "free/active-send",
    BUS,
    2,
    { ISEND (0, 1, 0, 20000, 0, 0), REQUEST_FREE (0, 0, 0), RECV (1, 0, 0, 20000, 50), END } },
  { "free/active-receive",
    BUS,
    2,
    { SEND (0, 1, 0, 1000, 0), SEND (0, 1, 0, 1000, 0), IRECV (1, 0, 0, 1000, 0, 0),
      REQUEST_FREE (1, 0, 0), RECV (1, 0, 0, 1000, 22), END } },
  { "free/active-persistent",
    BUS,
    2,
    { SEND_INIT (0, 1, 0, 20000, 0, STANDARD, 0), START (0, 0, 1, 0), REQUEST_FREE (0, 0, 0),
      RECV (1, 0, 0, 20000, 50), END } },
  { "free/null", BUS, 1, { REQUEST_FREE (0, 0, 0), WAIT (0, 0, 0), END } },

  /* cancelled at 5; the message goes to the next receive */
  { "cancel/receive",
    BUS_COSTS,
    2,
    { COMPUTE (0, 9, 9), SEND (0, 1, 0, 1000, 10), IRECV (1, 0, 0, 1000, 0, 2), COMPUTE (1, 3, 5),
      CANCEL (1, 0, TRUE, 5), WAIT (1, 0, 9), RECV (1, 0, 0, 1000, 21), END } },
  { "cancel/matched-receive",
    BUS_COSTS,
    2,
    { SEND (0, 1, 0, 1000, 1), IRECV (1, 0, 0, 1000, 0, 2), COMPUTE (1, 3, 5),
      CANCEL (1, 0, FALSE, 5), WAIT (1, 0, 16), END } },
  { "cancel/one-of-three",
    BUS,
    2,
    { COMPUTE (0, 9, 9), SEND (0, 1, 0, 1000, 9), SEND (0, 1, 0, 1000, 9),
      IRECV (1, 0, 0, 1000, 0, 0), IRECV (1, 0, 0, 1000, 1, 0), IRECV (1, 0, 0, 1000, 2, 0),
      CANCEL (1, 1, TRUE, 0), WAIT (1, 1, 0), WAIT (1, 2, 31), WAIT (1, 0, 31), END } },
  { "cancel/one-of-three-wild",
    BUS,
    2,
    { COMPUTE (0, 9, 9), SEND (0, 1, 0, 1000, 9), SEND (0, 1, 0, 1000, 9),
      IRECV (1, ANY, 0, 1000, 0, 0), IRECV (1, ANY, 0, 1000, 1, 0), IRECV (1, ANY, 0, 1000, 2, 0),
      CANCEL (1, 2, TRUE, 0), CANCEL (1, 2, FALSE, 0), WAIT (1, 2, 0), WAIT (1, 1, 31),
      WAIT (1, 0, 31), END } },
  { "cancel/persistent",
    BUS,
    2,
    { SEND (0, 1, 0, 1000, 0), RECV_INIT (1, 0, 1, 1000, 0, 0), START (1, 0, 1, 0),
      CANCEL (1, 0, TRUE, 0), WAIT (1, 0, 0), REQUEST_FREE (1, 0, 0), RECV (1, 0, 0, 1000, 11),
      END } },
  { "cancel/send-never",
    BUS,
    2,
    { ISSEND (0, 1, 0, 1000, 0, 0), CANCEL (0, 0, FALSE, 0), WAIT (0, 0, 31),
      RECV (1, 0, 0, 1000, 31), END } },

  /* visible at the delivery at 12, + 4; not taken */
  { "probe/waits",
    BUS_COSTS,
    2,
    { SEND (0, 1, 0, 1000, 1), PROBE (1, 0, 0, 16), PROBE (1, 0, 0, 20), RECV (1, 0, 0, 1000, 22),
      END } },
  /* its announcement comes at 10 */
  { "probe/rendezvous",
    BUS,
    2,
    { SEND (0, 1, 0, 20000, 50), PROBE (1, 0, 0, 10), RECV (1, 0, 0, 20000, 50), END } },
  { "probe/any",
    BUS,
    3,
    { COMPUTE (0, 5, 5), SEND (0, 2, 7, 1000, 5), SEND (1, 2, 8, 1000, 0),
      PROBE (2, ANY, PD_ANY_TAG, 11), PROBE (2, ANY, 7, 22), PROBE (2, ANY, PD_ANY_TAG, 22),
      RECV (2, 1, 8, 1000, 22), PROBE (2, ANY, PD_ANY_TAG, 22), RECV (2, 0, 7, 1000, 22), END } },
  /* the receive that has been posted gets the first one, at 11 */
  { "probe/behind-a-receive",
    BUS,
    2,
    { SEND (0, 1, 0, 1000, 0), SEND (0, 1, 0, 2000, 0), IRECV (1, 0, 0, 1000, 0, 0),
      PROBE (1, 0, 0, 23), WAIT (1, 0, 23), RECV (1, 0, 0, 2000, 23), END } },
  { "probe/other-tag", BUS, 2, { SEND (0, 1, 3, 8, 0), PROBE (1, 0, 4, NEVER), END } },
  { "probe/proc-null", BUS_COSTS, 1, { PROBE (0, PD_PROC_NULL, 0, 0), END } },
  { "probe/oneself",
    BUS_COSTS,
    1,
    { SEND (0, 0, 0, 5000, 1), IPROBE (0, 0, 0, FALSE, 5), PROBE (0, 0, 0, 10),
      RECV (0, 0, 0, 5000, 12), END } },
  { "iprobe/not-yet",
    BUS_COSTS,
    2,
    { SEND (0, 1, 0, 1000, 1), IPROBE (1, 0, 0, FALSE, 4), IPROBE (1, 0, 0, FALSE, 8),
      IPROBE (1, 0, 1, FALSE, 12), IPROBE (1, ANY, 0, TRUE, 16), RECV (1, 0, 0, 1000, 18), END } },
  { "iprobe/proc-null", BUS_COSTS, 1, { IPROBE (0, PD_PROC_NULL, 0, TRUE, 0), END } },
};

/* ---- statuses */

static void
assert_status (const PdStatus *status, gint32 source, gint32 tag, gint64 bytes)
{
  g_assert_cmpint (status->source, ==, source);
  g_assert_cmpint (status->tag, ==, tag);
  g_assert_cmpint (status->bytes, ==, bytes);
}

static void
test_statuses (void)
{
  static const TestStep steps[] = {
    SEND (1, 0, 7, 24, 0),          /* 0 */
    PROBE (0, ANY, PD_ANY_TAG, 0),  /* 1 */
    COMPUTE (0, 100, 0),            /* 2 */
    IPROBE (0, 1, 7, TRUE, 0),      /* 3 */
    RECV_INIT (0, 1, 7, 100, 0, 0), /* 4 */
    START (0, 0, 1, 0),             /* 5 */
    WAIT (0, 0, 0),                 /* 6 */
    WAIT (0, 0, 0),                 /* 7: inactive */
    START (0, 0, 1, 0),             /* 8 */
    CANCEL (0, 0, TRUE, 0),         /* 9 */
    WAIT (0, 0, 0),                 /* 10 */
    REQUEST_FREE (0, 0, 0),         /* 11 */
    PROBE (0, PD_PROC_NULL, 0, 0),  /* 12 */
  };
  g_autoptr (PdMachine) machine = test_machine (BUS, 2);
  TestSetup setup = { .machine = machine, .n_ranks = 2 };
  g_autoptr (TestRun) run = test_run_new (&setup, steps, G_N_ELEMENTS (steps));

  g_assert_cmpuint (run->n_finished, ==, 2);
  g_assert_cmpuint (pd_comsys_finalize (run->comsys), ==, 0);
  assert_status (&run->statuses[1], 1, 7, 24);
  assert_status (&run->statuses[3], 1, 7, 24);
  assert_status (&run->statuses[6], 1, 7, 24);
  assert_status (&run->statuses[7], PD_ANY_SOURCE, PD_ANY_TAG, 0);
  assert_status (&run->statuses[10], PD_ANY_SOURCE, PD_ANY_TAG, 0);
  assert_status (&run->statuses[12], PD_PROC_NULL, PD_ANY_TAG, 0);
}

static void
test_blocked (void)
{
  static const TestStep steps[] = { PROBE (0, 1, 4, NEVER) };
  g_autoptr (PdMachine) machine = test_machine (BUS, 2);
  TestSetup setup = { .machine = machine, .n_ranks = 2 };
  g_autoptr (TestRun) run = test_run_new (&setup, steps, G_N_ELEMENTS (steps));
  PdBlocked blocked;

  pd_comsys_get_blocked (run->comsys, 0, &blocked);
  g_assert_cmpstr (blocked.function, ==, "MPI_Probe");
  g_assert_cmpint (blocked.peer, ==, 1);
  g_assert_cmpint (blocked.tag, ==, 4);
}

/* ---- notifications: rank 0 does two things at once */

static void
test_notify (void)
{
  static const struct
  {
    guint32 rank;
    guint32 token;
    gdouble when;
  } expected[] = { { 0, PD_TOKEN_NONE, 0 },
                   { 0, 9, 0 },
                   { 1, PD_TOKEN_NONE, 0 },
                   { 0, 5, 4 },
                   { 1, 8, 11 },
                   { 0, 7, 61 },
                   { 1, 6, 61 } };
  g_autoptr (PdMachine) machine = test_machine (BUS, 2);
  g_autoptr (PdComsys) comsys = pd_comsys_new (machine, NULL, 2, NULL);
  PdComm *world = pd_comsys_get_world (comsys);
  PdTime ret;
  PdTurn turn;
  guint n = 0;

  for (guint32 r = 0; r < 2; r++)
    pd_comsys_ready (comsys, r, PD_TIME_ZERO);
  while (pd_comsys_next_event (comsys, &turn))
    {
      PdCall call = { turn.rank, turn.when, &ret, NULL };
      g_assert_cmpuint (n, <, G_N_ELEMENTS (expected));
      g_assert_cmpuint (turn.rank, ==, expected[n].rank);
      g_assert_cmpuint (turn.token, ==, expected[n].token);
      g_assert_cmpint (turn.when.ps, ==, test_us (expected[n].when));
      n++;
      if (turn.token != PD_TOKEN_NONE)
        continue;
      if (turn.rank == 0)
        {
          PdRequest eager = pd_comsys_isend (comsys, &call, world, (PdEnvelope){ 1, 0, 1000 });
          PdRequest large = pd_comsys_isend (comsys, &call, world, (PdEnvelope){ 1, 1, 20000 });
          pd_comsys_notify (comsys, eager, 9);
          pd_comsys_notify (comsys, large, 7);
          pd_comsys_ready_token (comsys, 0, PD_TIME (4 * PD_PS_PER_US), 5);
          continue;
        }
      pd_comsys_notify (comsys, pd_comsys_irecv (comsys, &call, world, (PdEnvelope){ 0, 1, 20000 }),
                        6);
      pd_comsys_notify (comsys, pd_comsys_irecv (comsys, &call, world, (PdEnvelope){ 0, 0, 1000 }),
                        8);
    }
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (expected));
  g_assert_cmpuint (pd_comsys_finalize (comsys), ==, 0);
}

/* What is known needs no turn: the eager send, and a receive whose message is there. */
static void
test_notify_unless_known (void)
{
  g_autoptr (PdMachine) machine = test_machine (BUS, 2);
  g_autoptr (PdComsys) comsys = pd_comsys_new (machine, NULL, 2, NULL);
  PdComm *world = pd_comsys_get_world (comsys);
  PdEnvelope eager = { 1, 0, 1000 }, large = { 1, 1, 20000 };
  PdTime ret, done;
  PdTurn turn;
  guint n = 0;

  pd_comsys_ready (comsys, 0, PD_TIME_ZERO);
  pd_comsys_ready (comsys, 1, PD_TIME (50 * PD_PS_PER_US));
  while (pd_comsys_next_event (comsys, &turn))
    {
      PdCall call = { turn.rank, turn.when, &ret, NULL };
      if (turn.token != PD_TOKEN_NONE)
        {
          g_assert_cmpuint (turn.token, ==, 7 + turn.rank);
          n++;
          continue;
        }
      eager.peer = large.peer = 1 - (gint32) turn.rank;
      done = turn.rank == 0
                 ? pd_comsys_notify_unless_known (comsys,
                                                  pd_comsys_isend (comsys, &call, world, eager), 3)
                 : pd_comsys_notify_unless_known (comsys,
                                                  pd_comsys_irecv (comsys, &call, world, eager), 3);
      g_assert_cmpint (done.ps, ==, turn.when.ps);
      done = turn.rank == 0
                 ? pd_comsys_notify_unless_known (comsys,
                                                  pd_comsys_isend (comsys, &call, world, large), 7)
                 : pd_comsys_notify_unless_known (comsys,
                                                  pd_comsys_irecv (comsys, &call, world, large), 8);
      g_assert_true (pd_time_is_pending (done));
    }
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (pd_comsys_finalize (comsys), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  test_add_cases ("/comsys/requests", cases, G_N_ELEMENTS (cases));
  g_test_add_func ("/comsys/requests/statuses", test_statuses);
  g_test_add_func ("/comsys/requests/blocked", test_blocked);
  g_test_add_func ("/comsys/requests/notify", test_notify);
  g_test_add_func ("/comsys/requests/notify-unless-known", test_notify_unless_known);
  return g_test_run ();
}
