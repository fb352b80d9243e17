/* SPDX-License-Identifier: MIT */
#include "tests/support/mp/actions.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"

void
test_add (PdProgramBuilder *builder, guint32 rank, PdAction action)
{
  g_autoptr (GError) error = NULL;

  pd_program_builder_add (builder, rank, &action, &error);
  g_assert_no_error (error);
}

PdAction
test_action (PdActionKind kind)
{
  PdAction action;

  pd_action_init (&action, kind);
  return action;
}

PdAction
test_compute (gint64 ps)
{
  PdAction action = test_action (PD_ACT_COMPUTE);

  action.amount.time = PD_TIME (ps);
  return action;
}
