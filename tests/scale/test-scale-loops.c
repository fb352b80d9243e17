/* Programs that are made have loops where repetitions are equal: which rules say so, and what the
 * programs take in memory.
 * SPDX-License-Identifier: MIT */
#include "scale/rule/pd-rule-private.h"
#include "scale/pd-scale-model.h"
#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"

/* ---- rules */

/* Whether the rule gives one number for all k, anywhere. */
static gboolean
varies (const PdRule *rule)
{
  const gint64 size[] = { 4, 6 };

  for (gint64 rank = 0; rank < 24; rank++)
    {
      PdRulePlace place = { .total = 24, .m = 7 };
      pd_rule_place_set_grid (&place, 2, size, rank);
      gint64 first = pd_rule_get (rule, &place);
      for (place.k = 1; place.k < place.m; place.k++)
        if (pd_rule_get (rule, &place) != first)
          return TRUE;
    }
  return FALSE;
}

static void
check_rules (PdRulePurpose purpose, const PdRuleTable *table)
{
  guint n_steady = 0;

  for (guint kind = 0; kind < table->n; kind++)
    {
      const PdRuleRow *row = &table->rows[kind];
      gint64 n = pd_rule_row_count_quantities (row);
      for (gint64 c = 0; c < MAX (n, 1); c++)
        {
          const PdRule rule = { (guint8) purpose, (guint8) kind, { c, 3, 1000 } };
          g_test_message ("%u, row %u, %" G_GINT64_FORMAT, purpose, kind, c);
          g_assert_true (!pd_rule_is_steady (&rule) || !varies (&rule));
          n_steady += pd_rule_is_steady (&rule) ? 1 : 0;
        }
    }
  g_assert_cmpuint (n_steady, >=, 12);
}

static void
test_rules (void)
{
  check_rules (PD_RULE_PEERS, &pd_rule_peers);
  check_rules (PD_RULE_NUMBERS, &pd_rule_numbers);
  check_rules (PD_RULE_TIMES, &pd_rule_times);
}

/* ---- programs */

/* What an iteration of the ring is like. */
typedef struct
{
  gboolean uneven; /* computation takes another time each time */
  gboolean turns;  /* tags tell iterations apart */
} Kind;

static void
add (PdProgramBuilder *builder, guint32 rank, PdAction action)
{
  g_autoptr (GError) error = NULL;

  pd_program_builder_add (builder, rank, &action, &error);
  g_assert_no_error (error);
}

static void
add_iteration (PdProgramBuilder *builder, guint32 n, guint32 rank, guint i, Kind kind)
{
  PdAction compute, receive, send, wait, together;

  pd_action_init (&compute, PD_ACT_COMPUTE);
  pd_action_init (&receive, PD_ACT_IRECV);
  pd_action_init (&send, PD_ACT_SEND);
  pd_action_init (&wait, PD_ACT_WAIT);
  pd_action_init (&together, PD_ACT_COLLECTIVE);
  compute.amount.time.ps = 1000 + (kind.uneven ? (rank * 7919 + i * 104729) % 1009 : 0);
  receive.peer = (gint32) ((rank + n - 1) % n);
  send.peer = (gint32) ((rank + 1) % n);
  receive.tag = send.tag = kind.turns ? (gint32) i : 3;
  together.op = PD_COLL_BARRIER;
  add (builder, rank, compute);
  add (builder, rank, receive);
  add (builder, rank, send);
  add (builder, rank, wait);
  add (builder, rank, together);
}

static PdProgram *
record_ring (guint32 n, guint n_iterations, Kind kind)
{
  PdProgramBuilder *builder = pd_program_builder_new (n, PD_AMOUNT_TIME);

  for (guint32 rank = 0; rank < n; rank++)
    for (guint i = 0; i < n_iterations; i++)
      add_iteration (builder, n, rank, i, kind);
  return pd_program_builder_finish (builder);
}

static PdProgram *
make (guint32 n, guint n_iterations, Kind kind)
{
  g_autoptr (GPtrArray) programs =
      g_ptr_array_new_with_free_func ((GDestroyNotify) pd_program_free);
  g_autoptr (GError) error = NULL;

  for (guint32 size = 4; size <= 16; size *= 2)
    g_ptr_array_add (programs, record_ring (size, n_iterations, kind));
  g_autoptr (PdScaleModel) model = pd_scale_model_new (programs, FALSE, &error);
  g_assert_no_error (error);
  PdProgram *program = pd_scale_model_make (model, n, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (pd_program_get_n_actions (program, n - 1), ==, 5 * n_iterations);
  return program;
}

/* More iterations take no more memory, but for samples: the 256 ranks have those of 16 recorded
 * ones in common. */
static void
test_memory (void)
{
  g_autoptr (PdProgram) few = make (256, 10, (Kind){ FALSE, FALSE });
  g_autoptr (PdProgram) many = make (256, 1000, (Kind){ FALSE, FALSE });
  g_autoptr (PdProgram) uneven = make (256, 1000, (Kind){ TRUE, FALSE });
  g_autoptr (PdProgram) flat = make (256, 1000, (Kind){ FALSE, TRUE });

  g_assert_true (pd_program_has_loops (many) && pd_program_has_loops (uneven));
  g_assert_false (pd_program_has_loops (flat));
  g_assert_cmpuint (pd_program_get_size (few), ==, pd_program_get_size (many));
  g_assert_cmpuint (pd_program_get_size (uneven), <, pd_program_get_size (many) + 16 * 1000 * 9);
  g_assert_cmpuint (pd_program_get_size (flat), >, 20 * pd_program_get_size (many));
}

/* Where tags tell iterations apart there is no loop; computation takes the same times. */
static void
test_samples (void)
{
  g_autoptr (PdProgram) loops = make (32, 100, (Kind){ TRUE, FALSE });
  g_autoptr (PdProgram) flat = make (32, 100, (Kind){ TRUE, TRUE });
  g_auto (PdActionReader) one = { 0 }, other = { 0 };
  const PdAction *action;

  pd_action_reader_init (&one, loops);
  pd_action_reader_init (&other, flat);
  for (guint32 rank = 0; rank < 32; rank++)
    {
      gint64 least = G_MAXINT64, most = 0;
      pd_action_reader_begin (&one, rank);
      pd_action_reader_begin (&other, rank);
      while ((action = pd_action_reader_next (&one)) != NULL)
        {
          const PdAction *expected = pd_action_reader_next (&other);
          g_assert_cmpint (action->kind, ==, expected->kind);
          g_assert_cmpint (action->amount.time.ps, ==, expected->amount.time.ps);
          if (action->kind != PD_ACT_COMPUTE)
            continue;
          least = MIN (least, action->amount.time.ps);
          most = MAX (most, action->amount.time.ps);
        }
      g_assert_null (pd_action_reader_next (&other));
      g_assert_cmpint (least, <, most);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scale/loops/rules", test_rules);
  g_test_add_func ("/scale/loops/memory", test_memory);
  g_test_add_func ("/scale/loops/samples", test_samples);
  return g_test_run ();
}
