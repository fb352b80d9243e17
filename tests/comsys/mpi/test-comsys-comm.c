/* Groups and communicators. Moments are in us.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "tests/support/comsys/comsys-script.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/mpi/pd-comsys-core.h"

#include <time.h>

/* a message of n bytes takes 7 us + 4 ns per byte, disturbs none */
#define WIDE "memory:startup=7us,per-byte=4ns,nodes=64"

#define DUP(r, c, s, t)                                                                            \
  {                                                                                                \
    .rank = r, .what = DO_COMM_DUP, .comm = c, .slot = s, .ret = t                                 \
  }
#define SPLIT(r, c, k, s, t)                                                                       \
  {                                                                                                \
    .rank = r, .what = DO_COMM_SPLIT, .peer = c, .tag = k, .slot = s, .ret = t                     \
  }
#define CREATE(r, g, s, t)                                                                         \
  {                                                                                                \
    .rank = r, .what = DO_COMM_CREATE, .group = g, .slot = s, .ret = t                             \
  }
#define FREE(r, s, t)                                                                              \
  {                                                                                                \
    .rank = r, .what = DO_COMM_FREE, .slot = s, .ret = t                                           \
  }
#define IN(c, r, w, to, g, b, t)                                                                   \
  {                                                                                                \
    .comm = c, .rank = r, .what = w, .peer = to, .tag = g, .bytes = b, .ret = t                    \
  }
#define COLLECTIVE_IN(c, r, o, root, b, t)                                                         \
  {                                                                                                \
    .comm = c, .rank = r, .what = DO_COLLECTIVE, .op = PD_OP_##o, .peer = root, .bytes = b,        \
    .ret = t                                                                                       \
  }

/* ---- groups */

static void
test_groups (void)
{
  static const guint32 world[] = { 4, 2, 7 }, chosen[] = { 2, 0 }, wrong[] = { 1, 3 };
  g_autoptr (PdMachine) machine = test_machine (WIDE, 8);
  g_autoptr (PdComsys) comsys = pd_comsys_new (machine, NULL, 8, NULL);
  g_autoptr (PdGroup) group = pd_group_new (world, 3);
  g_autoptr (PdGroup) part = pd_group_incl (group, chosen, 2);
  g_autoptr (PdGroup) empty = pd_group_incl (group, NULL, 0);
  g_autoptr (PdGroup) outside = pd_group_incl (group, wrong, 2);
  g_autoptr (PdGroup) all = pd_comm_get_group (pd_comsys_get_world (comsys));

  g_assert_cmpuint (pd_group_get_size (group), ==, 3);
  g_assert_cmpuint (pd_group_get_size (part), ==, 2);
  g_assert_cmpuint (pd_group_get_size (empty), ==, 0);
  g_assert_null (outside);
  g_assert_cmpuint (pd_group_get_size (all), ==, 8);

  g_autoptr (PdGroup) two = pd_group_incl (all, wrong, 2); /* world ranks 1 and 3 */
  g_assert_cmpuint (pd_group_get_size (two), ==, 2);
}

/* In any order of its members, a communicator finds their ranks. */
static void
test_ranks (void)
{
  static const guint32 orders[][4] = { { 0, 1, 2, 3 }, { 1, 3, 5, 7 }, { 7, 3, 5, 1 } };
  g_autoptr (PdMachine) machine = test_machine (WIDE, 8);
  g_autoptr (PdComsys) comsys = pd_comsys_new (machine, NULL, 8, NULL);
  PdComm *world = pd_comsys_get_world (comsys);

  g_assert_cmpuint (pd_comm_get_size (world), ==, 8);
  g_assert_cmpint (pd_comm_get_rank (world, 7), ==, 7);
  g_assert_cmpint (pd_comm_get_rank (world, 8), ==, -1);
  for (gsize i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autoptr (PdComm) comm = pd_comm_new (comsys, orders[i], 4);
      guint n_members = 0;
      g_assert_cmpuint (pd_comm_get_size (comm), ==, 4);
      for (guint32 r = 0; r < 4; r++)
        g_assert_cmpint (pd_comm_get_rank (comm, orders[i][r]), ==, r);
      for (guint32 w = 0; w < 8; w++)
        n_members += pd_comm_get_rank (comm, w) >= 0 ? 1 : 0;
      g_assert_cmpuint (n_members, ==, 4);
      g_autoptr (PdGroup) group = pd_comm_get_group (comm);
      g_assert_cmpuint (pd_group_get_size (group), ==, 4);
    }
}

/* ---- creation */

static TestRun *
run (const PdMachine *machine, guint32 n_ranks, const TestStep *steps)
{
  TestSetup setup = { .machine = machine, .n_ranks = n_ranks };

  return test_run_new (&setup, steps, test_count_steps (steps));
}

static PdComm *
comm_of (const TestRun *r, guint32 rank, guint slot)
{
  return r->comms[rank * r->n_slots + slot];
}

/* Colors 5, 3, 5, undefined, 3; keys turn the order of color 5 around. */
static void
test_split (void)
{
  static const TestStep steps[] = { SPLIT (0, 5, 9, 1, 0), SPLIT (1, 3, 0, 1, 0),
                                    SPLIT (2, 5, 1, 1, 0), SPLIT (3, -1, 0, 1, 0),
                                    SPLIT (4, 3, 0, 1, 0), END };
  g_autoptr (PdMachine) machine = test_machine (WIDE, 5);
  g_autoptr (TestRun) r = run (machine, 5, steps);

  g_assert_cmpuint (r->n_finished, ==, 5);
  g_assert_true (comm_of (r, 0, 1) == comm_of (r, 2, 1));
  g_assert_true (comm_of (r, 1, 1) == comm_of (r, 4, 1));
  g_assert_true (comm_of (r, 0, 1) != comm_of (r, 1, 1));
  g_assert_null (comm_of (r, 3, 1));
  g_assert_cmpuint (pd_comm_get_size (comm_of (r, 0, 1)), ==, 2);
  g_assert_cmpint (pd_comm_get_rank (comm_of (r, 0, 1), 2), ==, 0);
  g_assert_cmpint (pd_comm_get_rank (comm_of (r, 0, 1), 0), ==, 1);
  g_assert_cmpint (pd_comm_get_rank (comm_of (r, 1, 1), 1), ==, 0); /* tie: old rank */
  g_assert_cmpint (pd_comm_get_rank (comm_of (r, 1, 1), 4), ==, 1);
  g_assert_cmpint (pd_comm_get_rank (comm_of (r, 1, 1), 0), ==, -1);
}

static void
test_create (void)
{
  static const guint32 members[] = { 3, 0 };
  g_autoptr (PdGroup) group = pd_group_new (members, 2);
  const TestStep steps[] = { CREATE (0, group, 1, 0), CREATE (1, group, 1, 0),
                             CREATE (2, group, 1, 0), CREATE (3, group, 1, 0), END };
  g_autoptr (PdMachine) machine = test_machine (WIDE, 4);
  g_autoptr (TestRun) r = run (machine, 4, steps);

  g_assert_cmpuint (r->n_finished, ==, 4);
  g_assert_true (comm_of (r, 0, 1) == comm_of (r, 3, 1));
  g_assert_null (comm_of (r, 1, 1));
  g_assert_null (comm_of (r, 2, 1));
  g_assert_cmpint (pd_comm_get_rank (comm_of (r, 0, 1), 3), ==, 0);
  g_assert_cmpint (pd_comm_get_rank (comm_of (r, 0, 1), 0), ==, 1);
}

static void
test_create_empty (void)
{
  g_autoptr (PdGroup) group = pd_group_new (NULL, 0);
  const TestStep steps[] = { CREATE (0, group, 1, 0), CREATE (1, group, 1, 0), END };
  g_autoptr (PdMachine) machine = test_machine (WIDE, 2);
  g_autoptr (TestRun) r = run (machine, 2, steps);

  g_assert_cmpuint (r->n_finished, ==, 2);
  g_assert_null (comm_of (r, 0, 1));
  g_assert_null (comm_of (r, 1, 1));
}

static const struct
{
  const char *name;
  guint32 n_ranks;
  TestStep steps[16];
  guint64 n_messages; /* of collectives */
} cases[] = {
  /* Allreduce of 4 bytes over two: 1 -> 0 to 7.016, 0 -> 1 to 14.032 */
  { "cost/dup", 2, { DUP (0, 0, 1, 7.016), DUP (1, 0, 1, 14.032), END }, 2 },
  /* Allgather of 8: 7.032; Allreduce of 4: 14.048 and 21.064 */
  { "cost/split", 2, { SPLIT (0, 0, 0, 1, 14.048), SPLIT (1, 1, 0, 1, 21.064), END }, 2 + 2 },
  { "cost/alone", 1, { DUP (0, 0, 1, 0), SPLIT (0, 0, 0, 2, 0), FREE (0, 1, 0), END }, 0 },
  { "cost/meets-the-late",
    2,
    { DUP (0, 0, 1, 57.016), COMPUTE (1, 50, 50), DUP (1, 0, 1, 64.032), END },
    2 },
  /* the same tag in another communicator is another message */
  { "contexts/apart",
    2,
    { DUP (0, 0, 1, 7.016), DUP (1, 0, 1, 14.032), IN (1, 0, DO_SEND, 1, 0, 1000, 7.016),
      IN (0, 0, DO_SEND, 1, 0, 8, 7.016), IN (0, 1, DO_RECV, 0, 0, 8, 14.048),
      IN (1, 1, DO_RECV, 0, 0, 1000, 18.016), END },
    2 },
  /* ranks of the communicator: 2 is 0, 1 is 1, 0 is 2 */
  { "contexts/ranks",
    3,
    { SPLIT (0, 0, 9, 1, 21.08), SPLIT (1, 0, 5, 1, 28.096), SPLIT (2, 0, 1, 1, 28.096),
      IN (1, 0, DO_SEND, 0, 0, 250, 21.08), IN (1, 2, DO_RECV, 2, 0, 250, 29.08), END },
    2 * 3 + 4 },
};

static void
test_case (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdMachine) machine = test_machine (WIDE, cases[i].n_ranks);
  g_autoptr (TestRun) r = run (machine, cases[i].n_ranks, cases[i].steps);

  test_check_steps (WIDE, cases[i].n_ranks, cases[i].steps);
  g_assert_cmpuint (pd_comsys_get_counts (r->comsys)->n_collective_messages, ==,
                    cases[i].n_messages);
}

/* ---- collectives beside each other: communicator 1 is a half, 2 all ranks
 * backwards */

static const struct
{
  const char *name;
  TestStep steps[16];
} beside[] = {
  { "halves",
    { COMPUTE (2, 100, 100), COMPUTE (3, 100, 100), COLLECTIVE_IN (1, 0, BCAST, 0, 8, 0),
      COLLECTIVE_IN (1, 1, BCAST, 0, 8, 7.032), COLLECTIVE_IN (1, 2, BCAST, 1, 250, 108),
      COLLECTIVE_IN (1, 3, BCAST, 1, 250, 100), END } },
  /* 0 sends 8 bytes in the half, then 250 backwards; 1 receives them the other
   * way round. Backwards, 0 is 3, the root: to 1 (rank 2 of the tree: relative
   * 3) through 2 (relative 2 is rank 1: world 2), at 8 and 16 */
  { "two-communicators",
    { COLLECTIVE_IN (1, 0, BCAST, 0, 8, 0), COLLECTIVE_IN (2, 0, BCAST, 3, 250, 0),
      COLLECTIVE_IN (2, 1, BCAST, 3, 250, 16), COLLECTIVE_IN (1, 1, BCAST, 0, 8, 16),
      COLLECTIVE_IN (2, 2, BCAST, 3, 250, 8), COLLECTIVE_IN (2, 3, BCAST, 3, 250, 8), END } },
  /* while one half meets, the other has not begun; 2 finds the message of 3.
   * Backwards 3 and 2, 1 and 0 are partners first, then 3 and 1, 2 and 0: 2
   * hears of 3's 107 at 114, 0 of 2's 114 at 121 */
  { "barriers-of-halves",
    { COMPUTE (2, 100, 100), COLLECTIVE_IN (1, 0, BARRIER, 0, 0, 7),
      COLLECTIVE_IN (1, 1, BARRIER, 0, 0, 7), COLLECTIVE_IN (1, 2, BARRIER, 0, 0, 100),
      COLLECTIVE_IN (1, 3, BARRIER, 0, 0, 107), COLLECTIVE_IN (2, 0, BARRIER, 0, 0, 121),
      COLLECTIVE_IN (2, 1, BARRIER, 0, 0, 114), COLLECTIVE_IN (2, 2, BARRIER, 0, 0, 114),
      COLLECTIVE_IN (2, 3, BARRIER, 0, 0, 107), END } },
};

static void
prepare_nonblocking (TestRun *r)
{
  static const guint32 halves[2][2] = { { 0, 1 }, { 2, 3 } }, backwards[] = { 3, 2, 1, 0 };

  for (guint32 rank = 0; rank < 4; rank++)
    {
      PdComm **comms = &r->comms[rank * r->n_slots];
      comms[1] = rank % 2 == 0 ? pd_comm_new (r->comsys, halves[rank / 2], 2)
                               : pd_comm_ref (comms[1 - (gint) r->n_slots]);
      if (r->n_slots > 2)
        comms[2] = rank == 0 ? pd_comm_new (r->comsys, backwards, 4)
                             : pd_comm_ref (comms[2 - (gint) r->n_slots]);
    }
}

static void
test_nonblocking (gconstpointer data)
{
  g_autoptr (PdMachine) machine = test_machine (WIDE, 4);
  TestSetup setup = { .machine = machine, .n_ranks = 4, .prepare = prepare_nonblocking };

  test_check_setup (&setup, beside[GPOINTER_TO_SIZE (data)].steps);
}

/* ---- of a thousand ranks a group's communicator costs no square */

/* The processor's time, which others that run at the same time do not add to. */
static gdouble
get_microseconds (void)
{
  struct timespec now;

  g_assert_cmpint (clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now), ==, 0);
  return (gdouble) now.tv_sec * 1e6 + (gdouble) now.tv_nsec / 1e3;
}

static gdouble
measure_create (guint32 n)
{
  g_autofree guint32 *ranks = g_new (guint32, n);
  g_autofree TestStep *steps = g_new0 (TestStep, n);
  g_autofree char *spec = g_strdup_printf ("ideal:nodes=%u,collectives=simple", n);
  g_autoptr (PdMachine) machine = test_machine (spec, n);

  for (guint32 i = 0; i < n; i++)
    ranks[i] = n - 1 - i;
  g_autoptr (PdGroup) group = pd_group_new (ranks, n);
  for (guint32 i = 0; i < n; i++)
    steps[i] = (TestStep) CREATE (i, group, 1, 0);
  TestSetup setup = { .machine = machine, .n_ranks = n };
  gdouble start = get_microseconds ();
  g_autoptr (TestRun) r = test_run_new (&setup, steps, n);
  gdouble end = get_microseconds ();
  g_assert_cmpuint (r->n_finished, ==, n);
  g_assert_cmpint (pd_comm_get_rank (comm_of (r, 0, 1), 0), ==, n - 1);
  return end - start;
}

/* Linear is a ratio of 10, square one of 100. What is measured is never too little; so the
 * least of three is taken, or of more if that was not enough. */
static void
test_create_many (void)
{
  gdouble few = G_MAXDOUBLE, many = G_MAXDOUBLE;

  for (guint i = 0; i < 3 || (i < 12 && many >= 60 * few); i++)
    {
      few = MIN (few, measure_create (5000));
      many = MIN (many, measure_create (50000));
    }
  g_test_message ("%.0f us and %.0f us: ratio %.1f", few, many, many / few);
  g_assert_cmpfloat (many, <, 60 * few);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/comsys/group", test_groups);
  g_test_add_func ("/comsys/comm/ranks", test_ranks);
  g_test_add_func ("/comsys/comm/split", test_split);
  g_test_add_func ("/comsys/comm/create", test_create);
  g_test_add_func ("/comsys/comm/create-empty", test_create_empty);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/comsys/comm/%s", cases[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_case);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (beside); i++)
    {
      g_autofree char *path = g_strdup_printf ("/comsys/comm/beside/%s", beside[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_nonblocking);
    }
  g_test_add_func ("/comsys/comm/create-many", test_create_many);
  return g_test_run ();
}
