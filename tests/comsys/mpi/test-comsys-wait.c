/* The Wait and Test families, what is said of the blocked and the unmatched,
 * and the counters. Moments are in us.
 * SPDX-License-Identifier: MIT */
#include "tests/support/comsys/comsys-script.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/mpi/pd-collective.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "comsys/state/pd-comsys-types.h"

/* messages do not disturb each other: 7 us + 4 ns per byte; T (8) = 7.032 */
#define WIDE  "myrinet:startup=7us,per-byte=4ns,channels=64"
#define COSTS ",send-overhead=1us,recv-overhead=2us,wait-overhead=4us"

static const TestCase cases[] = {
  /* one wait for the later of 7.032 and 11 */
  { "waitall/maximum",
    WIDE,
    3,
    { SEND (1, 0, 0, 8, 0), SEND (2, 0, 0, 1000, 0), IRECV (0, 1, 0, 8, 0, 0),
      IRECV (0, 2, 0, 1000, 1, 0), WAITALL (0, 0, 2, 11), END } },
  /* posted by 2 and 4, sent at 1: 8.032 and 12; one overhead */
  { "waitall/one-overhead",
    WIDE COSTS,
    3,
    { SEND (1, 0, 0, 8, 1), SEND (2, 0, 0, 1000, 1), IRECV (0, 1, 0, 8, 0, 2),
      IRECV (0, 2, 0, 1000, 1, 4), WAITALL (0, 0, 2, 16), END } },
  { "waitall/nulls-cost-nothing", WIDE COSTS, 1, { WAITALL (0, 0, 3, 0), WAIT (0, 0, 0), END } },
  { "waitall/some-null",
    WIDE,
    2,
    { SEND (1, 0, 0, 8, 0), IRECV (0, 1, 0, 8, 1, 0), WAITALL (0, 0, 3, 7.032), END } },
  { "waitall/never",
    WIDE,
    2,
    { SEND (1, 0, 0, 8, 0), IRECV (0, 1, 0, 8, 0, 0), IRECV (0, 1, 0, 8, 1, 0),
      WAITALL (0, 0, 2, NEVER), END } },
  { "waitall/bundle",
    WIDE COSTS,
    3,
    { SEND (1, 0, 0, 8, 1), SEND (2, 0, 0, 1000, 1), IRECV (0, 1, 0, 8, 0, 2),
      IRECV (0, 2, 0, 1000, 1, 4), WAITALL_BUNDLE (0, 0, 2, 16), END } },
  { "waitall/empty-bundle", WIDE COSTS, 1, { WAITALL_BUNDLE (0, 0, 2, 0), END } },

  /* the message of 2 arrives at 7.032, that of 1 at 11 */
  { "waitany/earliest-first",
    WIDE,
    3,
    { SEND (1, 0, 0, 1000, 0), SEND (2, 0, 0, 8, 0), IRECV (0, 1, 0, 1000, 0, 0),
      IRECV (0, 2, 0, 8, 1, 0), WAITANY (0, 0, 2, 1, 7.032), WAITANY (0, 0, 2, 0, 11),
      WAITANY (0, 0, 2, -1, 11), END } },
  { "waitany/tie-by-index",
    WIDE,
    3,
    { SEND (1, 0, 0, 8, 0), SEND (2, 0, 0, 8, 0), IRECV (0, 2, 0, 8, 0, 0),
      IRECV (0, 1, 0, 8, 1, 0), WAITANY (0, 0, 2, 0, 7.032), WAITANY (0, 0, 2, 1, 7.032), END } },
  { "waitany/complete-already",
    WIDE COSTS,
    3,
    { SEND (1, 0, 0, 8, 1), SEND (2, 0, 0, 1000, 1), IRECV (0, 1, 0, 8, 0, 2),
      IRECV (0, 2, 0, 1000, 1, 4), COMPUTE (0, 96, 100), WAITANY (0, 0, 2, 0, 104),
      WAITANY (0, 0, 2, 1, 108), END } },
  /* what was sent eagerly is complete at once */
  { "waitany/own-send",
    WIDE COSTS,
    2,
    { IRECV (0, 1, 0, 8, 0, 2), ISEND (0, 1, 0, 8, 1, 3), WAITANY (0, 0, 2, 1, 7),
      RECV (1, 0, 0, 8, 10.032), SEND (1, 0, 0, 8, 11.032), WAITANY (0, 0, 2, 0, 22.064), END } },
  /* slot 2 completes at 7.032 while the wait is for 0 and 1 only */
  { "waitany/a-stranger-does-not-wake-it",
    WIDE,
    3,
    { IRECV (0, 1, 0, 8, 0, 0), IRECV (0, 1, 1, 8, 1, 0), IRECV (0, 2, 0, 8, 2, 0),
      SEND (2, 0, 0, 8, 0), COMPUTE (1, 50, 50), SEND (1, 0, 1, 8, 50),
      WAITANY (0, 0, 2, 1, 57.032), WAIT (0, 2, 57.032), COMPUTE (1, 1, 51), SEND (1, 0, 0, 8, 51),
      WAIT (0, 0, 58.032), END } },
  /* the later completion, 71, is known first: the 16000 bytes leave at 0; the
   * other message leaves at 10 */
  { "waitany/earlier-one-turns-up",
    WIDE,
    3,
    { SEND (1, 0, 0, 16000, 0), COMPUTE (2, 10, 10), SEND (2, 0, 0, 8, 10),
      IRECV (0, 1, 0, 16000, 0, 0), IRECV (0, 2, 0, 8, 1, 0), WAITANY (0, 0, 2, 1, 17.032),
      WAITANY (0, 0, 2, 0, 71), END } },
  { "waitany/never",
    WIDE,
    2,
    { IRECV (0, 1, 0, 8, 0, 0), WAITANY (0, 0, 1, 0, NEVER), COMPUTE (1, 1, 1), END } },
  { "waitany/only-nulls-cost-nothing",
    WIDE COSTS,
    1,
    { WAITANY (0, 0, 3, -1, 0), WAITSOME (0, 0, 3, -1, 0), END } },

  /* two at 7.032, the third at 11 */
  { "waitsome/all-of-the-moment",
    WIDE,
    4,
    { SEND (1, 0, 0, 8, 0), SEND (2, 0, 0, 8, 0), SEND (3, 0, 0, 1000, 0), IRECV (0, 1, 0, 8, 0, 0),
      IRECV (0, 3, 0, 1000, 1, 0), IRECV (0, 2, 0, 8, 2, 0), WAITSOME (0, 0, 3, 2, 7.032),
      WAITSOME (0, 0, 3, 1, 11), WAITSOME (0, 0, 3, -1, 11), END } },
  { "waitsome/late",
    WIDE COSTS,
    3,
    { SEND (1, 0, 0, 8, 1), SEND (2, 0, 0, 8, 1), IRECV (0, 1, 0, 8, 0, 2),
      IRECV (0, 2, 0, 8, 1, 4), COMPUTE (0, 96, 100), WAITSOME (0, 0, 2, 2, 104), END } },

  /* arrives at 7.032: not before, but at that moment */
  { "test/before-at-after",
    WIDE,
    2,
    { SEND (1, 0, 0, 8, 0), IRECV (0, 1, 0, 8, 0, 0), TEST (0, 0, FALSE, 0),
      COMPUTE (0, 7.031, 7.031), TEST (0, 0, FALSE, 7.031), COMPUTE (0, 0.001, 7.032),
      TEST (0, 0, TRUE, 7.032), TEST (0, 0, TRUE, 7.032), WAIT (0, 0, 7.032), END } },
  { "test/overhead",
    WIDE COSTS,
    2,
    { SEND (1, 0, 0, 8, 1), IRECV (0, 1, 0, 8, 0, 2), TEST (0, 0, FALSE, 6), TEST (0, 0, FALSE, 10),
      TEST (0, 0, TRUE, 14), END } },
  { "test/polling-needs-no-wait",
    WIDE COSTS,
    2,
    { ISEND (0, 1, 0, 8, 0, 1), TEST (0, 0, TRUE, 5), RECV (1, 0, 0, 8, 8.032), END } },
  { "testall/all-or-nothing",
    WIDE,
    3,
    { SEND (1, 0, 0, 8, 0), SEND (2, 0, 0, 1000, 0), IRECV (0, 1, 0, 8, 0, 0),
      IRECV (0, 2, 0, 1000, 1, 0), COMPUTE (0, 10, 10), TESTALL (0, 0, 2, FALSE, 10),
      TEST (0, 0, TRUE, 10), COMPUTE (0, 1, 11), TESTALL (0, 0, 2, TRUE, 11), END } },
  { "testany/earliest",
    WIDE,
    3,
    { SEND (1, 0, 0, 1000, 0), SEND (2, 0, 0, 8, 0), IRECV (0, 1, 0, 1000, 0, 0),
      IRECV (0, 2, 0, 8, 1, 0), TESTANY (0, 0, 2, -1, 0), COMPUTE (0, 20, 20),
      TESTANY (0, 0, 2, 1, 20), TESTANY (0, 0, 2, 0, 20), TESTANY (0, 0, 2, -1, 20), END } },
  { "testsome/counts",
    WIDE,
    3,
    { SEND (1, 0, 0, 1000, 0), SEND (2, 0, 0, 8, 0), IRECV (0, 1, 0, 1000, 0, 0),
      IRECV (0, 2, 0, 8, 1, 0), TESTSOME (0, 0, 2, 0, 0), COMPUTE (0, 8, 8),
      TESTSOME (0, 0, 2, 1, 8), COMPUTE (0, 8, 16), TESTSOME (0, 0, 2, 1, 16),
      TESTSOME (0, 0, 2, 0, 16), END } },
};

/* ---- statuses */

static TestRun *
run (const char *spec, guint32 n_ranks, const TestStep *steps)
{
  static GPtrArray *machines = NULL; /* must outlive the runs */
  PdMachine *machine = test_machine (spec, n_ranks);
  TestSetup setup = { .machine = machine, .n_ranks = n_ranks };

  if (machines == NULL)
    machines = g_ptr_array_new_with_free_func ((GDestroyNotify) pd_machine_free);
  g_ptr_array_add (machines, machine);
  return test_run_new (&setup, steps, test_count_steps (steps));
}

static void
assert_status (const PdStatus *status, gint32 source, gint64 bytes)
{
  g_assert_cmpint (status->source, ==, source);
  g_assert_cmpint (status->tag, ==, source < 0 ? PD_ANY_TAG : source * 10);
  g_assert_cmpint (status->bytes, ==, bytes);
}

#define TWO_MESSAGES                                                                               \
  SEND (1, 0, 10, 1000, 0), SEND (2, 0, 20, 8, 0), IRECV (0, 1, 10, 9999, 0, 0),                   \
      IRECV (0, 2, 20, 9999, 1, 0)

/* However a request ends, its status says what came: of an array at its own
 * index, of Waitany and Testany alone. */
static const struct
{
  const char *name;
  TestStep steps[8];
} endings[] = {
  { "waitall", { TWO_MESSAGES, WAITALL (0, 0, 3, 11), END } },
  { "waitall-late", { TWO_MESSAGES, COMPUTE (0, 20, 20), WAITALL (0, 0, 3, 20), END } },
  { "waitsome", { TWO_MESSAGES, COMPUTE (0, 20, 20), WAITSOME (0, 0, 2, 2, 20), END } },
  { "testsome", { TWO_MESSAGES, COMPUTE (0, 20, 20), TESTSOME (0, 0, 2, 2, 20), END } },
  { "testall", { TWO_MESSAGES, COMPUTE (0, 20, 20), TESTALL (0, 0, 2, TRUE, 20), END } },
};

static void
test_statuses (gconstpointer data)
{
  g_autoptr (TestRun) r = run (WIDE, 3, endings[GPOINTER_TO_SIZE (data)].steps);

  assert_status (test_run_status (r, 0, 0), 1, 1000);
  assert_status (test_run_status (r, 0, 1), 2, 8);
  if (r->n_slots > 2)
    assert_status (test_run_status (r, 0, 2), PD_ANY_SOURCE, 0);
}

static const TestStep single_endings[][8] = {
  { TWO_MESSAGES, WAITANY (0, 0, 2, 1, 7.032), END },
  { TWO_MESSAGES, COMPUTE (0, 20, 20), TESTANY (0, 0, 2, 1, 20), END },
};

static void
test_single_statuses (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (single_endings); i++)
    {
      g_autoptr (TestRun) r = run (WIDE, 3, single_endings[i]);
      assert_status (test_run_status (r, 0, 0), 2, 8);
    }
}

static void
test_wait_statuses (void)
{
  static const TestStep steps[] = { TWO_MESSAGES,
                                    WAIT (0, 1, 7.032),
                                    COMPUTE (0, 20, 27.032),
                                    WAIT (0, 0, 27.032),
                                    WAIT (0, 0, 27.032),
                                    IRECV (0, PD_PROC_NULL, 0, 0, 0, 27.032),
                                    WAIT (0, 0, 27.032),
                                    END };
  g_autoptr (TestRun) r = run (WIDE, 3, steps);

  assert_status (&r->statuses[4], 2, 8);
  assert_status (&r->statuses[6], 1, 1000);
  assert_status (&r->statuses[7], PD_ANY_SOURCE, 0);
  assert_status (&r->statuses[9], PD_PROC_NULL, 0);
}

/* ---- who waits for what */

static const struct
{
  const char *name;
  TestStep steps[8]; /* rank 0 stays blocked */
  PdBlocked blocked;
} stuck[] = {
  { "recv", { RECV (0, 1, 5, 24, NEVER), END }, { "MPI_Recv", 1, 5, 24 } },
  { "recv-any",
    { RECV (0, PD_ANY_SOURCE, PD_ANY_TAG, 24, NEVER), END },
    { "MPI_Recv", -1, -1, 24 } },
  { "send", { SEND (0, 1, 6, 20000, NEVER), END }, { "MPI_Send", 1, 6, 20000 } },
  { "ssend", { SSEND (0, 1, 6, 8, NEVER), END }, { "MPI_Ssend", 1, 6, 8 } },
  { "wait", { IRECV (0, 1, 5, 24, 0, 0), WAIT (0, 0, NEVER), END }, { "MPI_Wait", 1, 5, 24 } },
  { "waitall-one",
    { SEND (1, 0, 0, 8, 0), IRECV (0, 1, 5, 24, 0, 0), IRECV (0, 1, 0, 8, 1, 0),
      WAITALL (0, 0, 2, NEVER), END },
    { "MPI_Waitall", 1, 5, 24 } },
  { "waitall-last-one",
    { SEND (1, 0, 0, 8, 0), IRECV (0, 1, 0, 8, 0, 0), IRECV (0, 1, 5, 24, 1, 0),
      WAITALL (0, 0, 2, NEVER), END },
    { "MPI_Waitall", 1, 5, 24 } },
  { "waitall-many",
    { IRECV (0, 1, 5, 24, 0, 0), IRECV (0, 1, 6, 24, 1, 0), WAITALL (0, 0, 2, NEVER), END },
    { "MPI_Waitall", 1, 5, 24 } },
  { "waitany",
    { IRECV (0, 1, 5, 24, 0, 0), WAITANY (0, 0, 1, 0, NEVER), END },
    { "MPI_Waitany", -1, -1, 0 } },
  { "sendrecv", { SENDRECV (0, 1, 1, 5, 24, NEVER), END }, { "MPI_Sendrecv", 1, 5, 24 } },
  /* the hypercube of two: its eager message is gone, the partner's missing */
  { "barrier", { COLLECTIVE (0, BARRIER, 0, 0, NEVER), END }, { "MPI_Barrier", 1, 0, 0 } },
  { "bcast", { COLLECTIVE (0, BCAST, 1, 80, NEVER), END }, { "MPI_Bcast", 1, 0, 80 } },
};

static void
assert_blocked (const PdBlocked *a, const PdBlocked *b)
{
  g_assert_cmpstr (a->function, ==, b->function);
  g_assert_cmpint (a->peer, ==, b->peer);
  g_assert_cmpint (a->tag, ==, b->tag);
  g_assert_cmpint (a->bytes, ==, b->bytes);
}

static void
test_blocked (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (TestRun) r = run (WIDE, 2, stuck[i].steps);
  PdBlocked blocked;

  g_assert_cmpuint (r->n_finished, ==, 1);
  pd_comsys_get_blocked (r->comsys, 0, &blocked);
  assert_blocked (&blocked, &stuck[i].blocked);
  pd_comsys_get_blocked (r->comsys, 1, &blocked);
  assert_blocked (&blocked, &(PdBlocked){ NULL, -1, -1, 0 });
}

/* With the set "simple" nobody waits for anybody in particular. */
static void
test_blocked_simple (void)
{
  static const TestStep steps[] = { COLLECTIVE (0, BARRIER, 0, 0, NEVER), END };
  g_autoptr (TestRun) r = run ("ideal:collectives=simple", 2, steps);
  PdBlocked blocked;

  pd_comsys_get_blocked (r->comsys, 0, &blocked);
  assert_blocked (&blocked, &(PdBlocked){ "MPI_Barrier", -1, -1, 0 });
}

/* ---- MPI_Finalize and the counters */

static const struct
{
  const char *name;
  TestStep steps[8];
  guint64 n_unmatched;
  PdUnmatched first;
} finals[] = {
  { "clean", { SEND (0, 1, 0, 8, 0), RECV (1, 0, 0, 8, 7.032), END }, 0, { .rank = 0 } },
  { "message-nobody-wants",
    { SEND (0, 1, 1, 16, 0), SEND (0, 1, 0, 8, 0), END },
    2,
    { TRUE, 0, 1, 1, 16 } },
  { "receive-nothing-comes-to",
    { IRECV (1, 0, 0, 8, 0, 0), IRECV (1, 0, 3, 16, 1, 0), END },
    2,
    { FALSE, 1, 0, 0, 8 } },
  { "both-with-other-tags",
    { IRECV (0, 1, 1, 8, 0, 0), SEND (0, 1, 0, 8, 0), IRECV (1, 0, 1, 8, 0, 0), END },
    3,
    { TRUE, 0, 1, 0, 8 } },
  { "wildcards",
    { SEND (0, 1, 0, 8, 0), RECV (1, PD_ANY_SOURCE, 0, 8, 7.032),
      IRECV (1, PD_ANY_SOURCE, 0, 8, 0, 7.032), SEND (0, 1, 1, 8, 0), END },
    2,
    { TRUE, 0, 1, 1, 8 } },
  { "wildcard-nothing-comes-to",
    { IRECV (1, PD_ANY_SOURCE, PD_ANY_TAG, 8, 0, 0), END },
    1,
    { FALSE, 1, -1, -1, 8 } },
  { "cancelled",
    { IRECV (1, 0, 0, 8, 0, 0), CANCEL (1, 0, TRUE, 0), WAIT (1, 0, 0), END },
    0,
    { .rank = 0 } },
};

static void
test_finalize (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (TestRun) r = run (WIDE, 2, finals[i].steps);

  g_assert_cmpuint (r->n_finished, ==, 2);
  g_assert_cmpuint (pd_comsys_finalize (r->comsys), ==, finals[i].n_unmatched);
  PdUnmatched first = { .rank = 0 };
  g_assert_true (pd_comsys_find_unmatched (r->comsys, &first) == (finals[i].n_unmatched > 0));
  g_assert_true (first.is_send == finals[i].first.is_send);
  g_assert_cmpuint (first.rank, ==, finals[i].first.rank);
  g_assert_cmpint (first.peer, ==, finals[i].first.peer);
  g_assert_cmpint (first.tag, ==, finals[i].first.tag);
  g_assert_cmpint (first.bytes, ==, finals[i].first.bytes);
}

/* Control messages and copies to oneself by a collective are no messages. */
static void
test_counts (void)
{
  static const TestStep steps[] = { SEND (0, 1, 0, 8, 0),
                                    RECV (1, 0, 0, 8, 0),
                                    SEND (0, 1, 0, 20000, 0),
                                    RECV (1, 0, 0, 20000, 0),
                                    SEND (1, 1, 0, 5, 0),
                                    RECV (1, 1, 0, 5, 0),
                                    COLLECTIVE (0, BCAST, 0, 100, 0),
                                    COLLECTIVE (1, BCAST, 0, 100, 0),
                                    COLLECTIVE (0, ALLTOALL, 0, 10, 0),
                                    COLLECTIVE (1, ALLTOALL, 0, 10, 0),
                                    END };
  g_autoptr (TestRun) r = run (WIDE, 2, steps);
  const PdComsysCounts *counts = pd_comsys_get_counts (r->comsys);

  g_assert_cmpuint (counts->n_messages, ==, 3 + 1 + 2);
  g_assert_true (counts->n_bytes.ps == 8 + 20000 + 5 + 100 + 20);
  g_assert_cmpuint (counts->n_collective_messages, ==, 3);
  g_assert_cmpuint (counts->n_collectives, ==, 4);
  g_assert_cmpuint (counts->n_events, >, 0);
  g_assert_cmpint (r->seen.n, ==, 6);
  g_assert_cmpint (r->seen.bytes, ==, 8 + 20000 + 5 + 100 + 20);
  g_assert_cmpint (r->seen.n_collective, ==, 3);
  g_assert_cmpint (r->seen.n_calls, ==, 4);
}

/* A message is reported when its data leave: at 15 after control messages. */
static void
note_message (gpointer data, guint32 source, guint32 target, gint64 bytes, PdTime when,
              gboolean collective)
{
  g_string_append_printf (data, "%u>%u %d @%d%s\n", source, target, (int) bytes,
                          (int) (when.ps / PD_PS_PER_US), collective ? " collective" : "");
}

static void
note_collective (gpointer data, guint32 rank, const char *name, gint64 bytes, PdTime when)
{
  g_string_append_printf (data, "%u %s %d @%d\n", rank, name, (int) bytes,
                          (int) (when.ps / PD_PS_PER_US));
}

static void
test_observer (void)
{
  g_autoptr (PdMachine) machine = test_machine (WIDE, 2);
  g_autoptr (PdComsys) comsys = pd_comsys_new (machine, NULL, 2, NULL);
  g_autoptr (GString) notes = g_string_new (NULL);
  PdComm *world = pd_comsys_get_world (comsys);
  PdTime ret[2], when;
  guint32 rank;

  pd_comsys_set_observer (comsys, &(PdObserver){ notes, note_message, note_collective });
  pd_comsys_ssend (comsys, &(PdCall){ 0, PD_TIME (PD_PS_PER_US), &ret[0], NULL }, world,
                   (PdEnvelope){ 1, 0, 8 });
  pd_comsys_recv (comsys, &(PdCall){ 1, PD_TIME (PD_PS_PER_US), &ret[1], NULL }, world,
                  (PdEnvelope){ 0, 0, 8 });
  while (pd_comsys_next (comsys, &rank, &when))
    if (rank == 0)
      pd_comsys_bcast (comsys, &(PdCall){ 0, when, &ret[0], NULL }, world, 0, 24);
  pd_comsys_set_observer (comsys, NULL);
  pd_comsys_barrier (comsys, &(PdCall){ 0, ret[0], &ret[0], NULL }, world);
  g_assert_cmpstr (notes->str, ==, "0>1 8 @15\n0 bcast 24 @22\n0>1 24 @22 collective\n");
}

static void
add_cases (void)
{
  test_add_cases ("/comsys/wait", cases, G_N_ELEMENTS (cases));
  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *path = g_strdup_printf ("/comsys/wait/status/%s", endings[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_statuses);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (stuck); i++)
    {
      g_autofree char *path = g_strdup_printf ("/comsys/blocked/%s", stuck[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_blocked);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (finals); i++)
    {
      g_autofree char *path = g_strdup_printf ("/comsys/finalize/%s", finals[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_finalize);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add_cases ();
  g_test_add_func ("/comsys/wait/status/single", test_single_statuses);
  g_test_add_func ("/comsys/wait/status/wait", test_wait_statuses);
  g_test_add_func ("/comsys/blocked/simple", test_blocked_simple);
  g_test_add_func ("/comsys/counts", test_counts);
  g_test_add_func ("/comsys/observer", test_observer);
  return g_test_run ();
}
