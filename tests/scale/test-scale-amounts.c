/* How much a program that is made computes: repetitions that differ, and ranks that scatter.
 * SPDX-License-Identifier: MIT */
#include "scale/pd-scale-model-private.h"
#include "scale/pd-scale-shared-private.h"
#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"

#include <math.h>

#define STEPS    10
#define ROUNDS   3
#define LONG     G_GINT64_CONSTANT (1000000000) /* of the first round, shared by the ranks */
#define SHORT    G_GINT64_CONSTANT (1000000)    /* of each of the others */
#define STALL    G_GINT64_CONSTANT (7000000)    /* what one round of one rank takes more */
#define STALLING 4                              /* the step with it */

/* ---- a program on any number of ranks */

static void
add (PdProgramBuilder *builder, guint32 rank, const PdAction *action)
{
  g_autoptr (GError) error = NULL;

  pd_program_builder_add (builder, rank, action, &error);
  g_assert_no_error (error);
}

/* From a per mille too short to a per mille too long; 0 in the median. */
static gint64
noise (gint64 amount, guint32 rank, guint i)
{
  return amount * ((gint64) (rank * 7 + i * 3) % 5 - 2) / 2000;
}

static void
add_round (PdProgramBuilder *builder, guint32 n, guint32 rank, guint step, guint round)
{
  gint64 amount = round == 0 ? LONG / n : SHORT;
  PdAction action;

  pd_action_init (&action, PD_ACT_COMPUTE);
  action.amount.time.ps = amount + noise (amount, rank, step * ROUNDS + round);
  if (rank == 0 && step == STALLING && round == 0)
    action.amount.time.ps = amount + STALL;
  add (builder, rank, &action);
  pd_action_init (&action, PD_ACT_SENDRECV);
  action.peer = (gint32) ((rank + 1) % n);
  action.recv_peer = (gint32) ((rank + n - 1) % n);
  action.bytes = action.recv_bytes = 8;
  add (builder, rank, &action);
}

static PdProgram *
make_program (guint32 n)
{
  PdProgramBuilder *builder = pd_program_builder_new (n, PD_AMOUNT_TIME);
  PdAction barrier;

  pd_action_init (&barrier, PD_ACT_COLLECTIVE);
  barrier.op = PD_COLL_BARRIER;
  for (guint32 rank = 0; rank < n; rank++)
    for (guint step = 0; step < STEPS; step++)
      {
        for (guint round = 0; round < ROUNDS; round++)
          add_round (builder, n, rank, step, round);
        add (builder, rank, &barrier);
      }
  return pd_program_builder_finish (builder);
}

static PdProgram *
predict (guint32 n)
{
  g_autoptr (GPtrArray) programs =
      g_ptr_array_new_with_free_func ((GDestroyNotify) pd_program_free);
  g_autoptr (GError) error = NULL;

  for (guint32 size = 4; size <= 16; size *= 2)
    g_ptr_array_add (programs, make_program (size));
  g_autoptr (PdScaleModel) model = pd_scale_model_new (programs, FALSE, &error);
  g_assert_no_error (error);
  PdProgram *program = pd_scale_model_make (model, n, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return program;
}

/* ---- tests */

/* Of the round in each step the sum over all steps, in picoseconds. */
static void
sum_up (const PdProgram *program, guint32 rank, gint64 *sums, gint64 *most)
{
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *action;
  guint i = 0;

  pd_action_reader_init (&reader, program);
  pd_action_reader_begin (&reader, rank);
  for (guint round = 0; round < ROUNDS; round++)
    sums[round] = 0;
  while ((action = pd_action_reader_next (&reader)) != NULL)
    if (action->kind == PD_ACT_COMPUTE)
      {
        *most = MAX (*most, action->amount.time.ps);
        sums[i++ % ROUNDS] += action->amount.time.ps;
      }
  g_assert_cmpuint (i, ==, STEPS * ROUNDS);
}

/* The first round gets shorter with the ranks, the others do not. */
static void
test_turns (void)
{
  g_autoptr (PdProgram) program = predict (64);
  gint64 sums[ROUNDS], most = 0;

  sum_up (program, 63, sums, &most);
  g_assert_cmpint (ABS (sums[0] - STEPS * LONG / 64), <=, STEPS * LONG / 64 / 500);
  for (guint round = 1; round < ROUNDS; round++)
    g_assert_cmpint (ABS (sums[round] - STEPS * SHORT), <=, STEPS * SHORT / 500);
}

/* What one rank of 16 had once, one of 16 has: where computation takes a quarter of the time, half
 * as long, as what adds up by chance does. */
static void
test_stalls (void)
{
  g_autoptr (PdProgram) program = predict (64);
  guint n_stalls = 0;

  for (guint32 rank = 0; rank < 64; rank++)
    {
      gint64 sums[ROUNDS], most = 0;
      sum_up (program, rank, sums, &most);
      g_assert_cmpint (most, <=, LONG / 64 + STALL / 2 + LONG / 64000);
      n_stalls += most > LONG / 64 + STALL / 2 - LONG / 64000 ? 1 : 0;
    }
  g_assert_cmpuint (n_stalls, ==, 4);
}

/* Ranks differ as those of the largest recording do. */
static void
test_scatter (void)
{
  g_autoptr (PdProgram) program = predict (32);
  gint64 sums[ROUNDS], least = G_MAXINT64, greatest = 0;

  for (guint32 rank = 1; rank < 16; rank++)
    {
      gint64 most = 0;
      sum_up (program, rank, sums, &most);
      least = MIN (least, most);
      greatest = MAX (greatest, sums[0]);
      g_assert_cmpint (most, >, LONG / 32);
    }
  g_assert_cmpint (least, <=, LONG / 32 + LONG / 32 / 900);
  g_assert_cmpint (greatest, <=, STEPS * LONG / 32 + LONG / 32 / 10);
}

/* ---- places of several classes */

/* A line of two ranks has no rank inside; ranks inside compute thrice as much as those at the ends.
 */
static PdProgram *
make_line (guint32 n)
{
  PdProgramBuilder *builder = pd_program_builder_new (n, PD_AMOUNT_TIME);
  PdAction compute, barrier;

  pd_action_init (&compute, PD_ACT_COMPUTE);
  pd_action_init (&barrier, PD_ACT_COLLECTIVE);
  barrier.op = PD_COLL_BARRIER;
  for (guint32 rank = 0; rank < n; rank++)
    {
      gboolean is_inside = rank > 0 && rank + 1 < n;
      for (guint step = 0; step < STEPS; step++)
        {
          compute.amount.time.ps = (is_inside ? 3 : 1) * LONG / n;
          add (builder, rank, &compute);
          add (builder, rank, &barrier);
        }
      pd_action_init (&barrier, PD_ACT_SEND);
      barrier.peer = (gint32) rank + 1;
      if (rank + 1 < n)
        add (builder, rank, &barrier);
      barrier.kind = PD_ACT_RECV;
      barrier.peer = (gint32) rank - 1;
      if (rank > 0)
        add (builder, rank, &barrier);
      pd_action_init (&barrier, PD_ACT_COLLECTIVE);
      barrier.op = PD_COLL_BARRIER;
    }
  return pd_program_builder_finish (builder);
}

/* Ranks inside were recorded on four ranks only: how their times change with the number of ranks is
 * what those of the ends say. */
static void
test_shared (void)
{
  g_autoptr (GPtrArray) programs =
      g_ptr_array_new_with_free_func ((GDestroyNotify) pd_program_free);
  g_autoptr (GError) error = NULL;
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *action;

  g_ptr_array_add (programs, make_line (2));
  g_ptr_array_add (programs, make_line (4));
  g_autoptr (PdScaleModel) model = pd_scale_model_new (programs, FALSE, &error);
  g_assert_no_error (error);
  g_autoptr (PdProgram) program = pd_scale_model_make (model, 16, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  pd_action_reader_init (&reader, program);
  pd_action_reader_begin (&reader, 5);
  while ((action = pd_action_reader_next (&reader)) != NULL && action->kind == PD_ACT_COMPUTE)
    g_assert_cmpint (ABS (action->amount.time.ps - 3 * LONG / 16), <=, 1);
}

/* A class with times at @n numbers of ranks. */
static PdScaleNode
make_node (const PdScalePoint *points, guint n)
{
  PdScaleNode node = { .n_turns = 0 };
  PdScaleTimes times = { .weight = 1 };
  GArray *own = g_array_new (FALSE, FALSE, sizeof *points);

  g_array_append_vals (own, points, n);
  pd_scale_times_fit (points, n, &times);
  node.times = g_array_new (FALSE, TRUE, sizeof times);
  g_array_append_val (node.times, times);
  node.points = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_ptr_array_add (node.points, own);
  return node;
}

/* Classes with equally many numbers of ranks, but other ones, are not mixed: what a third class
 * gets is that of the first. */
static void
test_other_ranks (void)
{
  const PdScalePoint first[] = { { 2, 8e9 }, { 4, 4e9 } }, second[] = { { 4, 9e9 }, { 8, 9e9 } },
                     third[] = { { 16, 3e9 } };
  PdScaleNode nodes[] = { make_node (first, 2), make_node (second, 2), make_node (third, 1) };
  g_autoptr (PdScaleShared) shared = pd_scale_shared_new ();
  PdScaleModel model = { .time_sum = 0 };
  guint place;

  pd_scale_shared_begin_class (shared);
  place = pd_scale_shared_find (shared, 1, 2);
  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    pd_scale_shared_add (shared, place, &nodes[i]);
  pd_scale_shared_lend (shared, &model);
  gdouble there = pd_scale_times_get (pd_scale_node_get_times (&nodes[2], 0), 64);
  g_assert_cmpfloat (fabs (there - 3e9 / 4), <, 1);
  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    g_array_unref (nodes[i].times);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scale/amounts/turns", test_turns);
  g_test_add_func ("/scale/amounts/stalls", test_stalls);
  g_test_add_func ("/scale/amounts/scatter", test_scatter);
  g_test_add_func ("/scale/amounts/shared", test_shared);
  g_test_add_func ("/scale/amounts/other-ranks", test_other_ranks);
  return g_test_run ();
}
