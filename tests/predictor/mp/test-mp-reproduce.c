/* Recorded against predicted times.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-reproduce.h"
#include "tests/support/mp/actions.h"
#include "reports/run/pd-report-text.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"

#include <string.h>

#define US PD_PS_PER_US

/* Rank 0 computes for 30 us and sends, inside the interval "a" in a call of 2 us;
 * rank 1 receives, which took 40 us. */
static PdProgram *
make_program (gboolean recorded, gboolean ends)
{
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);
  const PdProgramInterval interval = { "a", "", 0, -1 };
  PdAction action;

  pd_action_init (&action, PD_ACT_ENTER);
  action.interval = pd_program_builder_add_interval (builder, &interval);
  test_add (builder, 0, action);
  pd_action_init (&action, PD_ACT_COMPUTE);
  action.amount.time.ps = 30 * US;
  test_add (builder, 0, action);
  pd_action_init (&action, PD_ACT_SEND);
  action.peer = 1;
  action.recorded = recorded ? 2 * US : -1;
  test_add (builder, 0, action);
  pd_action_init (&action, PD_ACT_LEAVE);
  test_add (builder, 0, action);
  pd_action_init (&action, PD_ACT_RECV);
  action.recorded = recorded ? 40 * US : -1;
  test_add (builder, 1, action);
  for (guint32 rank = 0; ends && rank < 2; rank++)
    pd_program_builder_set_recorded_end (builder, rank, PD_TIME (50 * US));
  return pd_program_builder_finish (builder);
}

static const struct
{
  const char *name;
  gboolean recorded;
  gboolean ends;
  const char *lines[3]; /* %NULL: an error */
} cases[] = {
  /* predicted: 30 + 0, and the message of 10 us is there at 40 */
  { "calls",
    TRUE,
    FALSE,
    { "MAIN      0.000040000  0.000040000   +0.00\n",
      "  USER a  0.000032000  0.000030000   -6.25\n",
      "1        0.000040000      0.000040000   +0.00\n" } },
  { "ends",
    FALSE,
    TRUE,
    { "0        0.000050000      0.000030000  -40.00\n",
      "1        0.000050000      0.000040000  -20.00\n", "Recorded and predicted" } },
  { "both",
    TRUE,
    TRUE,
    { "MAIN      0.000040000  0.000040000   +0.00\n",
      "  USER a  0.000032000  0.000030000   -6.25\n",
      "1        0.000050000      0.000040000  -20.00\n" } },
  { "neither", FALSE, FALSE, { NULL } },
};

static void
test_case (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdProgram) program = make_program (cases[i].recorded, cases[i].ends);
  g_autoptr (PdReport) report = pd_report_new ();
  g_autoptr (GString) out = g_string_new (NULL);
  PdMpTrace trace = { .program = program };
  const PdMpOptions options = { .trace = "test", .machine = "myrinet:startup=10us,per-byte=0ns" };
  PdReportRun *run = pd_mp_predict_program (&options, program, &error);

  g_assert_no_error (error);
  pd_report_add_run (report, run);
  gboolean ok = pd_mp_reproduce (run, &trace, &error);
  if (cases[i].lines[0] == NULL)
    {
      g_assert_false (ok);
      g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE);
      g_assert_null (run->recorded_ends);
      return;
    }
  g_assert_no_error (error);
  pd_report_write_text (report, 0, 80, out);
  for (gsize k = 0; k < G_N_ELEMENTS (cases[i].lines); k++)
    if (strstr (out->str, cases[i].lines[k]) == NULL)
      g_error ("no '%s' in %s", cases[i].lines[k], out->str);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/mp-reproduce/", cases[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_case);
    }
  return g_test_run ();
}
