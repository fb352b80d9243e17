/* SPDX-License-Identifier: MIT */
#include "tests/support/mp/loops.h"

#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-program-builder-take.h"
#include "traces/program/pd-program-builder.h"

typedef struct
{
  const PdProgram *program;
  PdProgramBuilder *builder;
  PdActionReader reader;
  TestRepeat repeat;
  gboolean as_loops;
  guint32 rank;
  GArray *samples; /* PdAmount: of the rank */
} Maker;

static gboolean
is_sampled (const Maker *self, const PdAction *action)
{
  return self->repeat.varies && (action->kind == PD_ACT_COMPUTE || action->kind == PD_ACT_LOCAL);
}

/* What the action takes this time. */
static void
vary (Maker *self, PdAction *action)
{
  if (pd_program_get_unit (self->program) == PD_AMOUNT_FLOPS && action->kind == PD_ACT_COMPUTE)
    action->amount.flops += self->samples->len % 7;
  else
    action->amount.time.ps += self->samples->len % 1009;
  g_array_append_val (self->samples, action->amount);
}

static void
add_actions (Maker *self, gboolean keep)
{
  const PdAction *next;

  pd_action_reader_begin (&self->reader, self->rank);
  while ((next = pd_action_reader_next (&self->reader)) != NULL)
    {
      PdAction action = *next;
      gboolean sampled = is_sampled (self, &action), added = TRUE;
      g_autoptr (GError) error = NULL;
      if (sampled)
        vary (self, &action);
      if (keep && sampled && self->as_loops)
        {
          action.amount.time.ps = 0;
          added = pd_program_builder_add_sampled (self->builder, self->rank, &action, &error);
        }
      else if (keep)
        added = pd_program_builder_add (self->builder, self->rank, &action, &error);
      g_assert_no_error (error);
      g_assert_true (added);
    }
}

static void
add_flat (Maker *self, gboolean keep)
{
  for (guint32 i = 0; i < self->repeat.outer * (self->repeat.inner + 1); i++)
    add_actions (self, keep);
}

static void
add_loops (Maker *self)
{
  g_assert_true (pd_program_builder_begin_loop (self->builder, self->rank));
  g_assert_true (pd_program_builder_begin_loop (self->builder, self->rank));
  add_actions (self, TRUE);
  g_assert_true (pd_program_builder_end_loop (self->builder, self->repeat.inner, NULL));
  add_actions (self, TRUE);
  g_assert_true (pd_program_builder_end_loop (self->builder, self->repeat.outer, NULL));
  g_array_set_size (self->samples, 0);
  add_flat (self, FALSE);
}

static void
set_samples (Maker *self)
{
  const PdAmount *amounts = (const PdAmount *) (const void *) self->samples->data;
  guint64 first;

  if (!self->as_loops || self->samples->len == 0)
    return;
  pd_program_builder_add_samples (self->builder, amounts, self->samples->len, &first, NULL);
  pd_program_builder_set_samples (self->builder, self->rank, first);
}

PdProgram *
test_repeat_program (const PdProgram *program, TestRepeat repeat, gboolean as_loops)
{
  guint32 n = pd_program_get_n_ranks (program);
  Maker maker = { .program = program, .repeat = repeat, .as_loops = as_loops };

  maker.builder = pd_program_builder_new (n, pd_program_get_unit (program));
  maker.samples = g_array_new (FALSE, FALSE, sizeof (PdAmount));
  pd_program_builder_copy_tables (maker.builder, program);
  pd_action_reader_init (&maker.reader, program);
  for (maker.rank = 0; maker.rank < n; maker.rank++)
    {
      g_array_set_size (maker.samples, 0);
      if (as_loops)
        add_loops (&maker);
      else
        add_flat (&maker, TRUE);
      set_samples (&maker);
    }
  pd_action_reader_clear (&maker.reader);
  g_array_unref (maker.samples);
  return pd_program_builder_finish (maker.builder);
}
