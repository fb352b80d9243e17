/* One-sided communication: hand-worked tables, what is counted, and who waits for
 * whom where nothing goes on. Random programs are in test-comsys-order.c.
 * SPDX-License-Identifier: MIT */
#include "tests/support/comsys/comsys-script.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/mpi/pd-win.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "comsys/state/pd-comsys-types.h"

/* a message of n bytes takes 10 us and n ns, whatever else goes on */
#define FLOW "flow:topology=crossbar,latency=10us,bandwidth=1GB/s"
/* the same, but one at a time */
#define BUS "ethernet:startup=10us,per-byte=1ns"
/* o = 1, L = 10, 1 ns per byte on the sender's processor, 2 on the wire, the first free */
#define LOGGOPS "loggops:L=10us,o=1us,g=1us,G=2ns,O=1ns"

#define OVERHEADS ",send-overhead=1us,wait-overhead=2us,copy-per-byte=1ns,reduction-per-byte=3ns"

#define ALL    PD_WIN_ALL
#define NOBODY PD_PROC_NULL

static const TestCase cases[] = {
  /* ---- fences: the barrier of two is one Sendrecv of nothing */
  { "fence/empty", FLOW, 2, { FENCE (0, 10), FENCE (1, 10), END } },
  { "fence/alone", FLOW, 1, { FENCE (0, 0), END } },
  { "fence/put-to-oneself",
    FLOW OVERHEADS,
    1,
    { PUT (0, 0, 1000, 1), GET (0, 0, 1000, 2), ACCUMULATE (0, 0, 1000, 3), FENCE (0, 9), END } },
  /* complete at 11: only then 0 sends to 1 */
  { "fence/put", FLOW, 2, { PUT (0, 1, 1000, 0), FENCE (0, 11), FENCE (1, 21), END } },
  { "fence/get", FLOW, 2, { GET (0, 1, 1000, 0), FENCE (0, 21), FENCE (1, 31), END } },
  { "fence/get-control-free",
    FLOW ",control=free",
    2,
    { GET (0, 1, 1000, 0), FENCE (0, 11), FENCE (1, 21), END } },
  { "fence/accumulate",
    FLOW ",reduction-per-byte=3ns",
    2,
    { ACCUMULATE (0, 1, 1000, 0), FENCE (0, 14), FENCE (1, 24), END } },
  /* large ones are not announced */
  { "fence/large",
    FLOW ",eager=10",
    2,
    { PUT (0, 1, 100000, 0), FENCE (0, 110), FENCE (1, 120), END } },
  /* the slowest counts: 2 is through at 15. 2 sends to 0, 0 and 1 to each other, 0 to 2 */
  { "fence/several",
    FLOW,
    3,
    { PUT (0, 1, 1000, 0), PUT (0, 2, 5000, 0), FENCE (0, 15), FENCE (1, 25), FENCE (2, 25),
      END } },
  /* another epoch waits for nothing of the first; 0 is in its barrier from 11 on */
  { "fence/twice",
    FLOW,
    2,
    { PUT (0, 1, 1000, 0), FENCE (0, 11), FENCE (0, 31), FENCE (1, 21), FENCE (1, 21), END } },
  /* all of the bus: put until 11, 1 to 0 until 21, 0 to 1 until 31 */
  { "fence/bus", BUS, 2, { PUT (0, 1, 1000, 0), FENCE (0, 21), FENCE (1, 31), END } },
  /* the put leaves at 1, its wait is over at 12 + 2; then sends at 15, and waits 2 */
  { "fence/overheads",
    FLOW OVERHEADS,
    2,
    { PUT (0, 1, 1000, 1), FENCE (0, 17), FENCE (1, 27), END } },
  { "fence/simple",
    FLOW ",collectives=simple,collective-time=5us",
    2,
    { PUT (0, 1, 1000, 0), FENCE (0, 16), FENCE (1, 16), END } },
  /* kept for 1 + 1; arrives at 11 and keeps 1 for 1 + 2 */
  { "fence/loggops", LOGGOPS, 2, { PUT (0, 1, 1001, 2), FENCE (0, 15), FENCE (1, 26), END } },
  /* the latency is the processor's: before the put leaves at 5, before what 0 sends at 11,
   * and before the wait for what it receives */
  { "fence/dimemas",
    "dimemas:latency=5us,bandwidth=1GB/s",
    2,
    { PUT (0, 1, 1000, 5), FENCE (0, 16), FENCE (1, 11), END } },
  { "null",
    FLOW OVERHEADS,
    2,
    { PUT (0, NOBODY, 9, 0), GET (0, NOBODY, 9, 0), ACCUMULATE (0, NOBODY, 9, 0),
      LOCK (0, NOBODY, 1, 0), FLUSH (0, NOBODY, 0), UNLOCK (0, NOBODY, 0), END } },

  /* ---- locks: asked for at 0, granted at 10, known at 20 */
  { "lock/alone", FLOW, 2, { LOCK (0, 1, 1, 20), PUT (0, 1, 1000, 20), UNLOCK (0, 1, 31), END } },
  { "lock/control-free",
    FLOW ",control=free",
    2,
    { LOCK (0, 1, 1, 0), PUT (0, 1, 1000, 0), UNLOCK (0, 1, 11), END } },
  /* given back at 31, granted at 41 */
  { "lock/exclusive",
    FLOW,
    3,
    { LOCK (0, 2, 1, 20), PUT (0, 2, 1000, 20), UNLOCK (0, 2, 31), LOCK (1, 2, 1, 51),
      GET (1, 2, 1000, 51), UNLOCK (1, 2, 72), END } },
  { "lock/shared",
    FLOW,
    3,
    { LOCK (0, 2, 0, 20), PUT (0, 2, 1000, 20), UNLOCK (0, 2, 31), LOCK (1, 2, 0, 20),
      UNLOCK (1, 2, 20), END } },
  /* a shared one does not overtake one that is exclusive */
  { "lock/in-order",
    FLOW,
    4,
    { LOCK (0, 3, 0, 20), UNLOCK (0, 3, 20), LOCK (1, 3, 1, 40), UNLOCK (1, 3, 40),
      LOCK (2, 3, 0, 60), UNLOCK (2, 3, 60), END } },
  { "lock/oneself",
    FLOW ",copy-per-byte=1ns",
    2,
    { LOCK (0, 0, 1, 0), PUT (0, 0, 1000, 0), GET (0, 0, 500, 0), UNLOCK (0, 0, 1),
      LOCK (1, 0, 1, 20), UNLOCK (1, 0, 20), END } },
  { "lock/oneself-taken",
    FLOW,
    2,
    { LOCK (1, 0, 1, 20), COMPUTE (1, 30, 50), UNLOCK (1, 0, 50), COMPUTE (0, 15, 15),
      LOCK (0, 0, 1, 60), UNLOCK (0, 0, 60), END } },
  /* asked for with the first operation, known at 20; 0 was first at 2 and gives it back then */
  { "lock/all",
    FLOW,
    3,
    { LOCK (0, ALL, 0, 0), PUT (0, 1, 1000, 0), PUT (0, 2, 3000, 0), UNLOCK (0, ALL, 20),
      LOCK (1, 2, 1, 40), UNLOCK (1, 2, 40), END } },
  { "lock/all-flush-of-one",
    FLOW,
    3,
    { LOCK (0, ALL, 0, 0), PUT (0, 1, 1000, 0), FLUSH (0, 1, 20), FLUSH (0, 2, 20),
      UNLOCK (0, ALL, 20), END } },
  { "lock/all-for-nothing",
    FLOW,
    2,
    { LOCK (0, ALL, 0, 0), UNLOCK (0, ALL, 0), LOCK (1, 0, 1, 20), UNLOCK (1, 0, 20), END } },
  { "lock/all-once",
    FLOW,
    2,
    { LOCK (0, ALL, 0, 0), PUT (0, 1, 1000, 0), FLUSH (0, ALL, 20), PUT (0, 1, 1000, 20),
      GET (0, 0, 8, 20), UNLOCK (0, ALL, 31), END } },
  /* given back at 50, there at 60 */
  { "lock/all-waits",
    FLOW,
    3,
    { COMPUTE (0, 15, 15), LOCK (0, ALL, 0, 15), PUT (0, 2, 1000, 15), UNLOCK (0, ALL, 70),
      LOCK (1, 2, 1, 20), COMPUTE (1, 30, 50), UNLOCK (1, 2, 50), END } },
  /* the put arrives before the answer leaves */
  { "lock/all-loggops",
    LOGGOPS,
    3,
    { LOCK (0, ALL, 0, 0), UNLOCK (0, ALL, 0), LOCK (0, ALL, 0, 0), PUT (0, 1, 1, 2),
      UNLOCK (0, ALL, 26), END } },
  { "lock/two",
    FLOW,
    3,
    { LOCK (0, 1, 0, 20), LOCK (0, 2, 0, 40), PUT (0, 1, 1000, 40), PUT (0, 2, 9000, 40),
      UNLOCK (0, 1, 51), UNLOCK (0, 2, 59), END } },
  { "lock/flush",
    FLOW,
    2,
    { LOCK (0, 1, 1, 20), PUT (0, 1, 1000, 20), FLUSH (0, 1, 31), FLUSH (0, 1, 31),
      PUT (0, 1, 500, 31), UNLOCK (0, 1, 41.5), END } },
  /* it leaves at 21, is there at 32 */
  { "lock/overheads",
    FLOW OVERHEADS,
    2,
    { LOCK (0, 1, 1, 20), PUT (0, 1, 1000, 21), UNLOCK (0, 1, 34), LOCK (1, 0, 0, 20),
      ACCUMULATE (1, 0, 1000, 21), FLUSH (1, 0, 37), UNLOCK (1, 0, 37), END } },
  /* what is done before the lock is not waited for with it */
  { "lock/between-fences",
    FLOW,
    3,
    { PUT (0, 2, 90000, 0), LOCK (0, 1, 1, 20), PUT (0, 1, 1000, 20), UNLOCK (0, 1, 31),
      FENCE (0, 100), FENCE (1, 110), FENCE (2, 110), END } },
  /* every message keeps the processors at its ends for 1 */
  { "lock/loggops", LOGGOPS, 2, { LOCK (0, 1, 1, 24), UNLOCK (0, 1, 25), END } },
  /* nobody answers while 1 computes */
  { "lock/loggops-busy",
    LOGGOPS,
    2,
    { LOCK (0, 1, 1, 63), UNLOCK (0, 1, 64), COMPUTE (1, 50, 50), END } },
};

/* ---- where nothing goes on */

static const struct
{
  const char *name;
  const char *machine;
  TestStep steps[8];
  guint32 rank; /* who waits */
  const char *function;
  gint64 peer;
  guint64 n_epochs;
} stuck[] = {
  { "held", FLOW, { LOCK (0, 2, 1, 20), LOCK (1, 2, 0, NEVER), END }, 1, "MPI_Win_lock", 2, 2 },
  { "held-of-all",
    FLOW,
    { LOCK (0, 2, 1, 20), LOCK (1, ALL, 0, 0), PUT (1, 2, 8, 0), UNLOCK (1, ALL, NEVER), END },
    1,
    "MPI_Win_unlock",
    -1,
    2 },
  { "by-each-other",
    FLOW,
    { LOCK (0, 0, 1, 0), LOCK (1, 1, 1, 0), LOCK (0, 1, 1, NEVER), LOCK (1, 0, 1, NEVER), END },
    0,
    "MPI_Win_lock",
    1,
    4 },
  { "fence", FLOW, { PUT (0, 1, 8, 0), FENCE (0, NEVER), END }, 0, "MPI_Win_fence", 2, 0 },
  { "fence-simple",
    FLOW ",collectives=simple",
    { PUT (0, 1, 8, 0), FENCE (0, NEVER), END },
    0,
    "MPI_Win_fence",
    -1,
    0 },
  { "no-fence",
    FLOW,
    { PUT (0, 1, 8, 0), PUT (0, 1, 8, 0), PUT (1, 0, 8, 0), END },
    0,
    NULL,
    -1,
    2 },
  { "no-unlock", FLOW, { LOCK (0, 1, 1, 20), PUT (0, 1, 8, 20), END }, 0, NULL, -1, 1 },
};

static void
test_stuck (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdMachine) machine = test_machine (stuck[i].machine, 3);
  TestSetup setup = { .machine = machine, .n_ranks = 3 };
  PdBlocked blocked;

  test_check_setup (&setup, stuck[i].steps);
  g_autoptr (TestRun) run =
      test_run_new (&setup, stuck[i].steps, test_count_steps (stuck[i].steps));
  pd_comsys_get_blocked (run->comsys, stuck[i].rank, &blocked);
  g_assert_cmpstr (blocked.function, ==, stuck[i].function);
  g_assert_cmpint (blocked.peer, ==, stuck[i].peer);
  g_assert_cmpuint (pd_comsys_get_n_epochs (run->comsys), ==, stuck[i].n_epochs);
  g_assert_cmpuint (pd_comsys_finalize (run->comsys), >=, stuck[i].n_epochs);
}

/* ---- what is counted: data messages, not what asks for them */

static void
test_counts (void)
{
  static const TestStep steps[] = { LOCK (0, ALL, 1, 20),
                                    PUT (0, 1, 100, 20),
                                    GET (0, 1, 1000, 20),
                                    ACCUMULATE (0, 0, 10000, 20),
                                    UNLOCK (0, ALL, 41),
                                    PUT (0, NOBODY, 7, 41),
                                    END };
  g_autoptr (PdMachine) machine = test_machine (FLOW, 2);
  TestSetup setup = { .machine = machine, .n_ranks = 2 };
  g_autoptr (TestRun) run = test_run_new (&setup, steps, test_count_steps (steps));
  const PdComsysCounts *counts = pd_comsys_get_counts (run->comsys);

  g_assert_cmpuint (counts->n_messages, ==, 3);
  g_assert_true (counts->n_bytes.ps == 11100);
  g_assert_cmpuint (counts->n_collective_messages, ==, 0);
  g_assert_cmpint (run->seen.n, ==, 3);
  g_assert_cmpint (run->seen.bytes, ==, 11100);
  g_assert_cmpint (run->seen.n_collective, ==, 0);
  g_assert_cmpuint (pd_comsys_finalize (run->comsys), ==, 0);
}

static void
see (gpointer data, guint32 source, guint32 target, gint64 bytes, PdTime when, gboolean collective)
{
  g_string_append_printf (data, "%u %u %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "%s;", source,
                          target, bytes, when.ps / PD_PS_PER_US, collective ? " collective" : "");
}

/* The data of a Get leave the target when they have been asked for. */
static void
test_observed (void)
{
  static const char *const machines[] = { FLOW ",send-overhead=1us", BUS ",send-overhead=1us" };

  for (gsize i = 0; i < G_N_ELEMENTS (machines); i++)
    {
      g_autoptr (PdMachine) machine = test_machine (machines[i], 2);
      g_autoptr (GString) seen = g_string_new (NULL);
      PdComsys *comsys = pd_comsys_new (machine, NULL, 2, NULL);
      PdWin *win = pd_win_new (comsys, pd_comsys_get_world (comsys));
      PdCall call = { 0 };
      PdTime ret;

      pd_comsys_set_observer (comsys, &(PdObserver){ seen, see, NULL });
      pd_comsys_ready (comsys, 0, PD_TIME (test_us (5)));
      g_assert_true (pd_comsys_next (comsys, &call.rank, &call.when));
      call.ret = &ret;
      pd_comsys_get (comsys, &call, win, 1, 1000);
      call.when = ret;
      pd_comsys_accumulate (comsys, &call, win, 0, 10);
      g_assert_false (pd_comsys_next (comsys, &call.rank, &call.when));
      g_assert_cmpstr (seen->str, ==, "0 0 10 7;1 0 1000 16;");
      pd_win_free (win);
      pd_comsys_free (comsys);
    }
}

/* ---- what may be locked */

static void
test_may (void)
{
  static const TestStep one[] = { LOCK (0, 1, 0, 20), LOCK (1, ALL, 0, 20), END };
  g_autoptr (PdMachine) machine = test_machine (FLOW, 3);
  TestSetup setup = { .machine = machine, .n_ranks = 3 };
  g_autoptr (TestRun) run = test_run_new (&setup, one, 2);
  const PdWin *win = run->win;
  static const struct
  {
    guint32 rank;
    gint32 target;
    gboolean lock;
    gboolean unlock;
  } rows[] = {
    { 0, 0, TRUE, FALSE },     { 0, 1, FALSE, TRUE },   { 0, 2, TRUE, FALSE },
    { 0, ALL, FALSE, FALSE },  { 1, 0, FALSE, FALSE },  { 1, 1, FALSE, FALSE },
    { 1, ALL, FALSE, TRUE },   { 2, 0, TRUE, FALSE },   { 2, ALL, TRUE, FALSE },
    { 0, 3, FALSE, FALSE },    { 0, -3, FALSE, FALSE }, { 3, 0, FALSE, FALSE },
    { 1, NOBODY, TRUE, TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_test_message ("row %" G_GSIZE_FORMAT, i);
      g_assert_cmpint (pd_win_may_lock (win, rows[i].rank, rows[i].target), ==, rows[i].lock);
      g_assert_cmpint (pd_win_may_unlock (win, rows[i].rank, rows[i].target), ==, rows[i].unlock);
    }
}

/* ---- many locks at once, given back in any order */

#define MANY 40

static void
test_many (void)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, TRUE, sizeof (TestStep));
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint round = 0; round < 3; round++)
    for (guint32 r = 0; r < MANY; r++)
      {
        gint32 order[MANY];
        for (gint32 t = 0; t < MANY; t++)
          {
            TestStep lock = LOCK (r, t, 0, 0), put = PUT (r, t, 100, 0);
            gint32 k = g_rand_int_range (rand, 0, t + 1);
            order[t] = order[k];
            order[k] = t;
            g_array_append_val (steps, lock);
            g_array_append_val (steps, put);
          }
        for (gint32 t = 0; t < MANY; t++)
          {
            TestStep unlock = UNLOCK (r, order[t], 0);
            g_array_append_val (steps, unlock);
          }
      }
  g_autoptr (PdMachine) machine = test_machine (FLOW, MANY);
  for (gboolean one_step = FALSE; one_step <= TRUE; one_step++)
    {
      TestSetup setup = { .machine = machine, .n_ranks = MANY, .one_step = one_step };
      g_autoptr (TestRun) run =
          test_run_new (&setup, (const TestStep *) (gpointer) steps->data, steps->len);
      g_assert_cmpuint (run->n_finished, ==, MANY);
      g_assert_cmpuint (pd_comsys_finalize (run->comsys), ==, 0);
      g_assert_cmpint (run->seen.n, ==, 3 * MANY * MANY);
    }
}

/* ---- a window is given back, and another is there, while a release is under way */

static void
test_free (void)
{
  g_autoptr (PdMachine) machine = test_machine (FLOW, 2);
  PdComsys *comsys = pd_comsys_new (machine, NULL, 2, NULL);
  PdComm *world = pd_comsys_get_world (comsys);
  guint32 rank;
  PdTime when, ret;

  for (guint i = 0; i < 3; i++)
    {
      PdWin *win = pd_win_new (comsys, world);
      pd_comsys_ready (comsys, 0, PD_TIME (test_us (100.0 * i)));
      g_assert_true (pd_comsys_next (comsys, &rank, &when));
      pd_comsys_win_lock (comsys, &(PdCall){ 0, when, &ret, NULL }, win, 1, TRUE);
      g_assert_true (pd_time_is_pending (ret));
      g_assert_true (pd_comsys_next (comsys, &rank, &when));
      pd_comsys_put (comsys, &(PdCall){ 0, when, &ret, NULL }, win, 1, 10);
      pd_comsys_win_unlock (comsys, &(PdCall){ 0, when, &ret, NULL }, win, 1);
      g_assert_true (pd_comsys_next (comsys, &rank, &when));
      pd_win_free (win);
      if (i != 1)
        g_assert_false (pd_comsys_next (comsys, &rank, &when));
    }
  g_assert_cmpuint (pd_comsys_finalize (comsys), ==, 0);
  pd_comsys_free (comsys);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  test_add_cases ("/comsys/one-sided", cases, G_N_ELEMENTS (cases));
  for (gsize i = 0; i < G_N_ELEMENTS (stuck); i++)
    {
      g_autofree char *path = g_strdup_printf ("/comsys/one-sided/stuck/%s", stuck[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_stuck);
    }
  g_test_add_func ("/comsys/one-sided/counts", test_counts);
  g_test_add_func ("/comsys/one-sided/observed", test_observed);
  g_test_add_func ("/comsys/one-sided/may", test_may);
  g_test_add_func ("/comsys/one-sided/many", test_many);
  g_test_add_func ("/comsys/one-sided/free", test_free);
  return g_test_run ();
}
