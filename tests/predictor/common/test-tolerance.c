/* How much latency a run tolerates, against runs with that latency.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp.h"
#include "tests/support/mp/mp-random.h"
#include "tests/support/mp/mp-script.h"

#include <math.h>

#define N_PROGRAMS 60

static PdTime
run_time (const PdProgram *program, const char *machine, const char *const *settings)
{
  const PdMpOptions options = { .trace = "test", .machine = machine, .settings = settings };
  g_autoptr (GError) error = NULL;
  PdReportRun *run = pd_mp_predict_program (&options, program, &error);
  PdTime latest = PD_TIME_ZERO;

  g_assert_no_error (error);
  for (guint32 rank = 0; rank < run->n_processors; rank++)
    latest = pd_time_max (latest, run->end_times[rank]);
  pd_report_run_free (run);
  return latest;
}

/* The latency that is tolerated makes the run as slow as it says. */
static void
check_tolerances (const PdProgram *program, const char *machine, guint *n_linear)
{
  const PdMpTrace trace = { .program = (PdProgram *) program };
  const PdMpOptions options = { .trace = "test", .machine = machine, .sensitivity = TRUE };
  g_autoptr (GError) error = NULL;
  PdReportRun *run = pd_mp_predict (&options, &trace, &error);

  g_assert_no_error (error);
  const PdSensitivity *found = run->sensitivity;
  gdouble now = (gdouble) found->makespan.ps;
  for (guint i = 0; i < found->tolerances->len; i++)
    {
      const PdSensitivityTolerance *t =
          &g_array_index (found->tolerances, PdSensitivityTolerance, i);
      g_autofree char *setting =
          g_strdup_printf ("%s=%" G_GINT64_FORMAT "ps", t->path, t->value.ps);
      const char *const settings[] = { setting, NULL };
      gdouble then = (gdouble) run_time (program, machine, settings).ps;
      g_assert_cmpfloat (ABS (then / now - 1 - t->slowdown), <, 1e-6);
      if (t->is_linear)
        g_assert_cmpint (ABS (t->growth.ps - t->linear.ps), <=, 1);
      else
        g_assert_cmpint (t->growth.ps, <, t->linear.ps + 1);
      *n_linear += t->is_linear ? 1 : 0;
    }
  g_assert_cmpuint (found->tolerances->len, ==, 3);
  pd_report_run_free (run);
}

static void
test_tolerance (void)
{
  static const char machine[] = "myrinet:startup=7013ns,per-byte=4ns,channels=1000,eager=1KiB";
  guint n_linear = 0, n = 0;

  for (guint32 seed = 0; seed < N_PROGRAMS; seed++, n += 3)
    {
      g_autoptr (PdProgram) program = test_draw_program (seed, (TestContents){ .others = FALSE });
      check_tolerances (program, machine, &n_linear);
    }
  g_assert_cmpuint (n_linear, >, 0);
  g_assert_cmpuint (n_linear, <, n);
}

/* A run that depends on latency only when there is much of it; and one that never does. */
static void
test_tolerance_hidden (void)
{
  static const char *const texts[] = {
    "0 isend 1 100 0;0 compute 1000;0 wait 0;1 compute 900;1 recv 0 100;1 compute 50",
    "0 compute 10;1 compute 20",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (PdProgram) program = mp_script_new (2, PD_AMOUNT_TIME, texts[i]);
      const PdMpTrace trace = { .program = program };
      const PdMpOptions options = { .trace = "test",
                                    .machine = "myrinet:startup=10us,per-byte=0,channels=9",
                                    .sensitivity = TRUE };
      g_autoptr (GError) error = NULL;
      PdReportRun *run = pd_mp_predict (&options, &trace, &error);
      g_assert_no_error (error);
      const GArray *found = run->sensitivity->tolerances;
      g_assert_cmpuint (found->len, ==, i == 0 ? 3 : 0);
      /* 1010 us: the message is to arrive at 960 us */
      if (i == 0)
        g_assert_cmpint (
            ABS (g_array_index (found, PdSensitivityTolerance, 0).value.ps - 960 * PD_PS_PER_US),
            <=, 2);
      pd_report_run_free (run);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/predictor/tolerance/random", test_tolerance);
  g_test_add_func ("/predictor/tolerance/hidden", test_tolerance_hidden);
  return g_test_run ();
}
