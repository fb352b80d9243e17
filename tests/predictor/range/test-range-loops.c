/* A program with loops and the same one written out are checked alike, and have the same recorded
 * computations: what is left out of loops is what would be as before.
 * SPDX-License-Identifier: MIT */
#include "predictor/range/pd-range-mp.h"
#include "tests/support/same-messages.h"
#include "traces/audit/pd-program-audit.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-loops.h"
#include "traces/program/pd-program-builder.h"

#include <string.h>

#define N_PROGRAMS 300
#define N_SLOTS    3

/* Mostly computation and messages of one cell; some wait for requests that were not started, or
 * start those that are under way. */
static void
make_random (GRand *rand, PdAction *action)
{
  static const PdActionKind kinds[] = {
    PD_ACT_COMPUTE, PD_ACT_COMPUTE, PD_ACT_SEND, PD_ACT_RECV,    PD_ACT_ISEND,
    PD_ACT_IRECV,   PD_ACT_WAIT,    PD_ACT_WAIT, PD_ACT_WAITALL, PD_ACT_WAITALL,
  };

  pd_action_init (action, kinds[g_rand_int_range (rand, 0, G_N_ELEMENTS (kinds))]);
  if (g_rand_int_range (rand, 0, 60) == 0)
    pd_action_init (action, PD_ACT_DELAY);
  if (action->kind <= PD_ACT_DELAY)
    action->amount.time = PD_TIME (1000 * g_rand_int_range (rand, 1, 4));
  if (action->kind == PD_ACT_WAIT || pd_action_makes_request (action->kind))
    action->request = (guint32) g_rand_int_range (rand, 0, N_SLOTS);
  action->peer = 1;
}

/* A request may not have a number beyond that of actions before it. */
static void
begin (PdProgramBuilder *builder, guint32 rank)
{
  pd_program_builder_set_recorded_end (builder, rank, PD_TIME ((gint64) rank * 4000000));
  for (guint i = 0; i < N_SLOTS; i++)
    g_assert_true (pd_program_builder_add_compute (builder, rank, PD_TIME (1000), -1, NULL));
}

/* Adds random parts that are repeated, as loops in loops are; @times_of: (nullable): computations
 * take another time each time. */
static void
add_random (GRand *rand, GRand *times_of, PdProgramBuilder **builders, guint32 rank, guint depth)
{
  guint32 seed = g_rand_int (rand);
  gint n = g_rand_int_range (rand, 1, 7);
  g_autoptr (GError) error = NULL;

  for (gint times = g_rand_int_range (rand, 1, depth == 0 ? 40 : 6); times > 0; times--)
    {
      g_autoptr (GRand) own = g_rand_new_with_seed (seed);
      for (gint i = 0; i < n; i++)
        {
          PdAction action;
          if (depth > 0 && g_rand_int_range (own, 0, 3) > 0)
            {
              add_random (own, times_of, builders, rank, depth - 1);
              continue;
            }
          make_random (own, &action);
          if (action.kind == PD_ACT_COMPUTE && times_of != NULL)
            action.amount.time = PD_TIME (1000 * g_rand_int_range (times_of, 1, 4));
          for (guint b = 0; b < 2; b++)
            {
              pd_program_builder_add (builders[b], rank, &action, &error);
              g_assert_no_error (error);
            }
        }
    }
}

static void
assert_same_findings (const PdProgram *a, const PdProgram *b, gboolean simulated)
{
  g_autoptr (PdMessages) one = pd_messages_new (), two = pd_messages_new ();

  g_assert_true (pd_program_audit (a, "t", simulated, one)
                 == pd_program_audit (b, "t", simulated, two));
  test_assert_same_messages (one, two);
}

/* Returns whether the program has loops. */
static gboolean
check (guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed), times = g_rand_new_with_seed (seed);
  gboolean is_sampled = seed % 4 == 3;
  PdProgramBuilder *builders[] = { pd_program_builder_new (2, PD_AMOUNT_TIME),
                                   pd_program_builder_new (2, PD_AMOUNT_TIME) };

  pd_program_builder_fold (builders[1]);
  if (is_sampled)
    pd_program_builder_sample (builders[1]);
  for (guint b = 0; b < 2; b++)
    for (guint32 rank = 0; rank < 2; rank++)
      begin (builders[b], rank);
  for (guint i = 0; i < 6; i++)
    add_random (rand, is_sampled ? times : NULL, builders, i / 3, seed % 3);
  g_autoptr (PdProgram) flat = pd_program_builder_finish (builders[0]);
  g_autoptr (PdProgram) folded = pd_program_builder_finish (builders[1]);
  for (guint simulated = 0; simulated < 2; simulated++)
    assert_same_findings (flat, folded, simulated != 0);
  PdRangeRecorded one = pd_range_read_mp (&(PdMpTrace){ .program = flat });
  PdRangeRecorded two = pd_range_read_mp (&(PdMpTrace){ .program = folded });
  g_assert_cmpfloat (one.scatter, ==, two.scatter);
  g_assert_cmpfloat (one.records, ==, two.records);
  return pd_program_has_loops (folded);
}

static void
test_loops (void)
{
  guint n_loops = 0;

  for (guint32 seed = 0; seed < N_PROGRAMS; seed++)
    n_loops += check (seed) ? 1 : 0;
  g_assert_cmpuint (n_loops, >, N_PROGRAMS / 2);
}

/* Whoever leaves a loop is where all repetitions lead to. */
static void
test_leave (void)
{
  const PdProgramCell cells[] = {
    { .kind = PD_ACT_COMPUTE },
    { .kind = PD_ACT_SEND },
    { .kind = PD_CELL_LOOP, .comm = 1, .peer = 1, .bytes = 3 },
    { .kind = PD_CELL_LOOP, .peer = 3, .bytes = 5 },
    { .kind = PD_ACT_COMPUTE },
  };

  for (guint left = 2; left < 4; left++)
    for (guint n_passed = 0; n_passed < 2; n_passed++)
      {
        PdLoops all = { .shift = 0 }, some = all;
        const PdProgramCell *cell = cells, *next = cells;
        while (cell != &cells[4])
          cell = cell->kind == PD_CELL_LOOP ? pd_loops_pass (&all, cell) : cell + 1;
        while (next != &cells[4])
          if (next == &cells[left] && some.counts[next->comm] == n_passed)
            next = pd_loops_leave (&some, next, left == 2 ? 1 : 4);
          else
            next = next->kind == PD_CELL_LOOP ? pd_loops_pass (&some, next) : next + 1;
        g_assert_cmpint (some.shift, ==, all.shift);
        g_assert_true (memcmp (some.counts, all.counts, sizeof some.counts) == 0);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/range/loops", test_loops);
  g_test_add_func ("/range/leave", test_leave);
  return g_test_run ();
}
