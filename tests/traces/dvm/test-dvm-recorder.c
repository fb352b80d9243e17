/* What recording costs: taken out of times by hand, and found in traces of calibration programs.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/dvm-trace.h"
#include "traces/dvm/pd-dvm-recorder-fit.h"

#include <math.h>
#include <string.h>

static PdDvmReader *
open_trace (const TestTrace *trace)
{
  g_autoptr (GBytes) bytes = g_bytes_new (trace->text->str, trace->text->len);
  g_autoptr (GError) error = NULL;
  PdDvmReader *reader = pd_dvm_reader_new_from_bytes (bytes, "a.ptr", NULL, &error);

  g_assert_no_error (error);
  return reader;
}

/* Times in us, in the order of the trace; an event costs 4, statistics 5. */
static const struct
{
  const char *name;
  gint64 call, ret;
  gint64 less[2]; /* of events alone */
  gint64 drop[2]; /* … and of statistics */
} calls[] = {
  { "getam_", 20, 30, { 16, 26 }, { 16, 21 } }, { "getam_", 1, 10, { 0, 6 }, { 0, 1 } },
  { "getam_", 10, 1, { 3, 0 }, { 3, 0 } },   /* less the 3 that the one before was too short for */
  { "binter_", 2, 50, { 0, 46 }, { 0, 0 } }, /* a kind of its own, and interval calls end here */
  { "getam_", 3, 30, { 0, 23 }, { 0, 13 } }, /* 3 and 8 of the time inside before */
  { "delobj_", 9, 100, { 5, 64 }, { 5, 59 } }, /* 8 more events inside */
  { "getam_", 9, 9, { 4, 5 }, { 4, 0 } },
};

static void
test_by_hand (gconstpointer data)
{
  gboolean drops = GPOINTER_TO_INT (data);
  PdDvmRecorderCost cost = { .event = PD_TIME (4 * PD_PS_PER_US), .drops_intervals = drops };
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  const PdDvmCall *call;
  gint64 taken = 0;

  if (drops)
    cost.statistics = PD_TIME (5 * PD_PS_PER_US);
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    test_trace_call (trace, calls[i].name, calls[i].call, calls[i].ret,
                     strcmp (calls[i].name, "binter_") == 0 ? "nline=1; source_line=1;" : "", "");
  g_autoptr (PdDvmReader) reader = open_trace (trace);
  pd_dvm_reader_set_recorder_cost (reader, &cost);
  g_assert_true (pd_dvm_reader_next (reader, &call, NULL)); /* the start-up: no time */
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      const gint64 *wanted = drops ? calls[i].drop : calls[i].less;
      g_assert_true (pd_dvm_reader_next (reader, &call, NULL));
      g_assert_cmpint (call->call_time.ps, ==, wanted[0] * PD_PS_PER_US);
      g_assert_cmpint (call->ret_time.ps, ==, wanted[1] * PD_PS_PER_US);
      taken += calls[i].call + calls[i].ret - wanted[0] - wanted[1];
      g_assert_true (pd_dvm_reader_get_taken_out (reader).ps == taken * PD_PS_PER_US);
    }
}

/* The start-up is no event of the program. */
static void
test_startup (void)
{
  const PdDvmRecorderCost cost = { .event = PD_TIME (4 * PD_PS_PER_US) };
  g_autoptr (PdDvmReader) reader = pd_dvm_reader_new ("tests/data/small.ptr", NULL, NULL);
  g_autoptr (PdDvmReader) plain = pd_dvm_reader_new ("tests/data/small.ptr", NULL, NULL);
  const PdDvmCall *call, *same;

  pd_dvm_reader_set_recorder_cost (reader, &cost);
  g_assert_true (pd_dvm_reader_next (reader, &call, NULL));
  g_assert_true (pd_dvm_reader_next (plain, &same, NULL));
  g_assert_cmpint (same->call_time.ps, >, 0);
  g_assert_cmpint (call->call_time.ps, ==, same->call_time.ps);
}

/* What costs more than there is leaves nothing, whatever it is multiplied with. */
static void
test_great_cost (void)
{
  const PdDvmRecorderCost cost = { .event = PD_TIME_MAX, .statistics = PD_TIME_MAX };
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  const PdDvmCall *call;

  for (guint i = 0; i < 3; i++)
    test_trace_call (trace, "delobj_", TEST_S (1), TEST_S (1), "", "");
  g_autoptr (PdDvmReader) reader = open_trace (trace);
  pd_dvm_reader_set_recorder_cost (reader, &cost);
  while (pd_dvm_reader_next (reader, &call, NULL))
    g_assert_cmpint (call->call_time.ps + call->ret_time.ps, ==, 0);
  g_assert_true (pd_dvm_reader_get_taken_out (reader).ps == 6 * PD_PS_PER_S);
}

static void
test_most_events (void)
{
  for (guint f = 0; f < PD_DVM_N_FUNCTIONS; f++)
    {
      g_assert_cmpuint (pd_dvm_function_get_n_events ((PdDvmFunction) f), >=, 1);
      g_assert_cmpuint (pd_dvm_function_get_n_events ((PdDvmFunction) f), <=, PD_DVM_MOST_EVENTS);
    }
}

/* ---- calibration */

/* @n times two calls that follow each other after 3 and 6 us, with 20 and 30 us inside. */
static TestTrace *
make_calibration (guint n, gboolean has_statistics)
{
  TestTrace *trace = test_trace_new ("1");
  gint64 more = has_statistics ? 2 : 0;

  if (has_statistics)
    test_trace_call (trace, "binter_", 500, 5, "nline=1; source_line=1;", "");
  for (guint i = 0; i < n; i++)
    {
      test_trace_call (trace, "getam_", 3 + more, 20 + more, "", "");
      test_trace_call (trace, "getps_", 6 + more, 30 + more, "", "");
    }
  test_trace_exit (trace, 0);
  return trace;
}

static void
add (PdDvmRecorderFit *fit, guint n, gboolean has_statistics)
{
  g_autoptr (TestTrace) trace = make_calibration (n, has_statistics);
  g_autoptr (PdDvmReader) reader = open_trace (trace);
  g_autoptr (GError) error = NULL;

  g_assert_true (pd_dvm_recorder_fit_add (fit, reader, &error));
  g_assert_no_error (error);
}

static void
test_fit (void)
{
  g_autoptr (PdDvmRecorderFit) fit = pd_dvm_recorder_fit_new ();
  PdDvmRecorderFound found;

  add (fit, 900, FALSE);
  found = pd_dvm_recorder_fit_find (fit);
  g_assert_cmpuint (found.n_kinds, ==, 0);
  add (fit, 2000, TRUE);
  found = pd_dvm_recorder_fit_find (fit);
  g_assert_cmpuint (found.n_kinds, ==, 2);
  g_assert_cmpint (found.cost.event.ps, ==, 5 * PD_PS_PER_US);
  g_assert_cmpuint (found.n_functions, ==, 0);
  add (fit, 2000, FALSE); /* counts alone, then */
  found = pd_dvm_recorder_fit_find (fit);
  g_assert_cmpuint (found.n_kinds, ==, 2);
  g_assert_cmpint (found.cost.event.ps, ==, 3 * PD_PS_PER_US);
  g_assert_cmpint (found.least.ps, ==, 3 * PD_PS_PER_US);
  g_assert_cmpint (found.most.ps, ==, 6 * PD_PS_PER_US);
  g_assert_cmpuint (found.n_functions, ==, 2);
  g_assert_cmpint (found.cost.statistics.ps, ==, 2 * PD_PS_PER_US);
}

/* Clamped times of an unknown clock, several processors, and the end in the middle of a record. */
static void
test_bad (void)
{
  g_autoptr (PdDvmRecorderFit) fit = pd_dvm_recorder_fit_new ();
  g_autoptr (TestTrace) trace = test_trace_new ("1"), cut = test_trace_new ("1");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 100; i++)
    test_trace_call (trace, "getam_", 1, 1, "", "");
  g_autoptr (PdDvmReader) clamped = open_trace (trace);
  g_assert_false (pd_dvm_recorder_fit_add (fit, clamped, &error));
  g_assert_error (error, PD_DVM_ERROR, PD_DVM_ERROR_FORMAT);
  g_clear_error (&error);
  g_autoptr (PdDvmReader) several =
      pd_dvm_reader_new ("tests/data/heat2d_600_np2/heat2d0_0.ptr.gz", NULL, &error);
  g_assert_no_error (error);
  g_assert_false (pd_dvm_recorder_fit_add (fit, several, &error));
  g_assert_error (error, PD_DVM_ERROR, PD_DVM_ERROR_SET);
  g_clear_error (&error);
  test_trace_call (cut, "getam_", 1, 1, "", "");
  g_string_append (cut->text, "*** RTS err 001: stopped\ncall_getam_ TIME=0.0 LINE=1 FILE=a\n");
  g_autoptr (PdDvmReader) broken = open_trace (cut);
  g_assert_false (pd_dvm_recorder_fit_add (fit, broken, &error));
  g_assert_error (error, PD_DVM_ERROR, PD_DVM_ERROR_PROGRAM);
  g_assert_cmpuint (pd_dvm_recorder_fit_find (fit).n_kinds, ==, 0);
}

static gboolean
add_file (PdDvmRecorderFit *fit, const char *name, const char *ending)
{
  const char *shared = g_getenv ("PREDICTOR_SHARED");
  g_autofree char *base = g_strconcat (name, ending, ".ptr.gz", NULL);
  g_autofree char *path = g_build_filename (shared != NULL ? shared : "../shared", "traces", "dvm",
                                            "calibration", base, NULL);
  g_autoptr (PdDvmReader) reader =
      g_file_test (path, G_FILE_TEST_EXISTS) ? pd_dvm_reader_new (path, NULL, NULL) : NULL;

  return reader != NULL && pd_dvm_recorder_fit_add (fit, reader, NULL);
}

/* The same programs recorded with a clock of nanoseconds, whose times need no decoding. */
static void
test_clocks (void)
{
  static const char *const names[] = { "calint_1_np1_trace", "calpar_1_np1_trace",
                                       "calpar_1_np1_tracens" };
  g_autoptr (PdDvmRecorderFit) decoded = pd_dvm_recorder_fit_new ();
  g_autoptr (PdDvmRecorderFit) clean = pd_dvm_recorder_fit_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (!add_file (decoded, names[i], "") || !add_file (clean, names[i], ".W"))
      {
        g_test_skip ("the shared traces are not here");
        return;
      }
  PdDvmRecorderFound a = pd_dvm_recorder_fit_find (decoded), b = pd_dvm_recorder_fit_find (clean);
  g_test_message ("%g ps decoded, %g ps recorded in ns; statistics %g and %g ps",
                  (gdouble) a.cost.event.ps, (gdouble) b.cost.event.ps,
                  (gdouble) a.cost.statistics.ps, (gdouble) b.cost.statistics.ps);
  g_assert_cmpfloat (fabs ((gdouble) a.cost.event.ps / (gdouble) b.cost.event.ps - 1), <, 0.1);
  g_assert_cmpfloat (fabs ((gdouble) a.cost.statistics.ps / (gdouble) b.cost.statistics.ps - 1), <,
                     0.25);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/traces/dvm-recorder/by-hand/events", GINT_TO_POINTER (FALSE),
                        test_by_hand);
  g_test_add_data_func ("/traces/dvm-recorder/by-hand/drop", GINT_TO_POINTER (TRUE), test_by_hand);
  g_test_add_func ("/traces/dvm-recorder/startup", test_startup);
  g_test_add_func ("/traces/dvm-recorder/great-cost", test_great_cost);
  g_test_add_func ("/traces/dvm-recorder/most-events", test_most_events);
  g_test_add_func ("/traces/dvm-recorder/fit", test_fit);
  g_test_add_func ("/traces/dvm-recorder/bad", test_bad);
  g_test_add_func ("/traces/dvm-recorder/clocks", test_clocks);
  return g_test_run ();
}
