/* Times that the recorder clamped to 1 us: decoded by hand, against a model of the recorder, and
 * against recordings of libraries that do not clamp.
 * SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-cleaning.h"
#include "traces/dvm/pd-dvm-reader-private.h"

#include <math.h>
#include <string.h>

#define GRID (1.0 / 4194304) /* s, of readings of the recorder's clock */
#define NS   PD_PS_PER_NS

/* ---- by hand */

/* Units of 10 ns, as TIME is printed; 24 is the grid, 48 twice the grid. Decoded in ns. */
static const struct
{
  const char *name;
  gint64 printed[6];
  gint64 decoded[6];
} cases[] = {
  { "not-clamped", { 24, 48, 119, 238 }, { 240, 480, 1190, 2380 } },
  { "clamped", { 100, 124 }, { 0, 240 } },
  { "clamped-and-nothing", { 100, 100, 24 }, { 0, 0, 240 } },
  { "clamped-twice", { 100, 100, 224 }, { 0, 0, 240 } },
  { "clamped-twice-exactly", { 100, 100, 200 }, { 0, 0, 0 } },
  { "clamped-three-times", { 100, 100, 100, 324 }, { 0, 0, 0, 240 } },
  { "three-of-which-two-count-once", { 100, 100, 100, 124 }, { 0, 0, 0, 240 } },
  { "below-zero", { 100, 5, 119 }, { 0, 0, 240 } }, /* -4 of the grid; 1190 - 950 ns */
  { "below-zero-for-long", { 100, 5, 24, 24, 119 }, { 0, 0, 0, 0, 720 } },
  { "not-on-the-grid", { 100, 30, 100, 124 }, { 0, 300, 0, 240 } },
  { "nothing-to-take", { 124, 100 }, { 1240, 0 } },
};

static void
test_by_hand (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdDvmTimes times = { 0 };
  PdDvmClock clock = { 0 };

  for (gsize k = 0; k < G_N_ELEMENTS (cases[i].printed) && cases[i].printed[k] > 0; k++)
    {
      PdTime decoded =
          pd_dvm_times_decode (&times, PD_TIME (cases[i].printed[k] * 10 * NS), &clock);
      g_assert_cmpint (decoded.ps, ==, cases[i].decoded[k] * NS);
    }
}

/* ---- which clocks are known */

static const struct
{
  const char *name;
  PdDvmClock clock;
  gboolean is_known;
} clocks[] = {
  { "nothing", { 0, 0, 0 }, FALSE },     { "only-clamped", { 1000, 0, 0 }, FALSE },
  { "too-few", { 1000, 15, 0 }, FALSE }, { "enough", { 0, 16, 0 }, TRUE },
  { "one-of-200", { 0, 200, 1 }, TRUE }, { "one-of-199", { 0, 199, 1 }, FALSE },
  { "many", { 60000, 60000, 6 }, TRUE },
};

static void
test_clock (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);

  g_assert_cmpint (pd_dvm_clock_is_known (&clocks[i].clock), ==, clocks[i].is_known);
}

/* Times of whole units lie on the grid only from 1/256 s on, and show nothing. */
static void
test_round_times (void)
{
  static const gint64 units[] = { 1, 10, 1000, 390625, 50000000, 100000000 }; /* of 10 ns */
  PdDvmTimes times = { 0 };
  PdDvmClock clock = { 0 };

  for (guint n = 0; n < 100; n++)
    for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
      pd_dvm_times_decode (&times, PD_TIME (units[i] * 10 * NS), &clock);
  g_assert_cmpuint (clock.n_fit, ==, 0);
  g_assert_false (pd_dvm_clock_is_known (&clock));
}

/* ---- a model of the recorder */

/* As the recorder keeps time, in seconds: what it subtracts from the next difference. */
typedef struct
{
  gdouble clock;
  gdouble subtract;
} Recorder;

/* A record @work readings after the one before, whose printing takes @printing. Returns what is
 * printed, in units of 10 ns. */
static gint64
record (Recorder *self, gint64 work, gint64 printing)
{
  gdouble before = self->clock, printed;

  self->clock += (gdouble) work * GRID;
  printed = self->clock - before - self->subtract;
  self->subtract = 0;
  if (printed <= 0)
    {
      self->subtract = -printed - 1e-6;
      printed = 1e-6;
    }
  self->subtract += (gdouble) printing * GRID;
  return llround (printed * 1e8);
}

/* @least: of random true times, in readings of the clock. */
static void
decode_random (guint32 seed, gint64 least)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  Recorder recorder = { 1.7e9, 0 };
  PdDvmTimes times = { 0 };
  PdDvmClock clock = { 0 };
  gint64 printing = 0, debt = 0;
  gdouble sum = 0, decoded_sum = 0;

  for (guint i = 0; i < 2000; i++)
    {
      gint64 time = g_rand_int_range (rand, 0, 4) > 0 ? g_rand_int_range (rand, (gint32) least, 3)
                                                      : g_rand_int_range (rand, 0, 20000);
      gint64 next = g_rand_int_range (rand, 0, 12);
      gint64 printed = record (&recorder, time + printing, next);
      PdTime decoded = pd_dvm_times_decode (&times, PD_TIME (printed * 10 * NS), &clock);
      printing = next;
      debt += time;
      gdouble expected = (gdouble) MAX (debt, 0) * GRID * 1e12;
      debt = MIN (debt, 0);
      sum += expected;
      decoded_sum += (gdouble) decoded.ps;
      /* each is rounded to 10 ns; what is below 0 hands its rounding on */
      if (least >= 0)
        g_assert_cmpfloat (fabs ((gdouble) decoded.ps - expected), <=, 5001);
    }
  g_assert_cmpuint (clock.n_unfit, ==, 0);
  g_assert_true (pd_dvm_clock_is_known (&clock));
  g_assert_cmpfloat (fabs (decoded_sum - sum), <=, 5001.0 * 2000);
}

static void
test_random (void)
{
  for (guint32 seed = 0; seed < 50; seed++)
    decode_random (seed, 0);
}

/* Differences below 0, as a clock of 1 us gives them: they are taken from the next. */
static void
test_random_below_zero (void)
{
  for (guint32 seed = 0; seed < 50; seed++)
    decode_random (seed, -6);
}

/* A clock of nanoseconds. */
static void
test_other_clock (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  PdDvmTimes times = { 0 };
  PdDvmClock clock = { 0 };

  for (guint i = 0; i < 5000; i++)
    pd_dvm_times_decode (&times, PD_TIME (g_rand_int_range (rand, 1, 3000) * 10 * NS), &clock);
  g_assert_cmpuint (clock.n_fit, >, 16);
  g_assert_false (pd_dvm_clock_is_known (&clock));
}

/* ---- whole traces */

static void
add_record (GString *text, const char *name, gint64 printed)
{
  g_string_append_printf (text, "%s TIME=0.%08" G_GINT64_FORMAT " LINE=3 FILE=a.fdv\n \n", name,
                          printed);
}

/* 20 calls of 10 readings of the clock inside, after nothing. @printed: (out): sum of the printed
 * times, in ps */
static GBytes *
make_trace (gint64 *printed)
{
  GString *text = g_string_new ("RTS VERSION = 2889\n");
  Recorder recorder = { 1.7e9, 0 };

  *printed = 0;
  add_record (text, "ret_dvm_Init", record (&recorder, 100, 3));
  for (guint i = 0; i < 20; i++)
    {
      gint64 before = record (&recorder, 3, 3), inside = record (&recorder, 13, 3);
      add_record (text, "call_getam_", before);
      add_record (text, "ret_getam_", inside);
      *printed += (before + inside) * 10 * NS;
    }
  g_string_append_printf (text,
                          "Event_dvm_exit TIME=0.%08" G_GINT64_FORMAT
                          " LINE=9 FILE=a.fdv\nrc=0;\nTaskTraceTime=%.6f;\n",
                          record (&recorder, 3, 3), (gdouble) *printed / 1e12);
  return g_string_free_to_bytes (text);
}

static PdDvmCleaning *
read_cleaning (GBytes *bytes, gboolean keep, PdMessages *messages)
{
  const PdDvmCleanOptions options = { .keep_clamped = keep };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdDvmReader) reader = pd_dvm_reader_new_from_bytes (bytes, "a.ptr", messages, &error);
  g_assert_no_error (error);
  PdDvmCleaning *cleaning = pd_dvm_cleaning_read (reader, &options, &error);

  g_assert_no_error (error);
  return cleaning;
}

/* 10 readings are 2.38 us, with what was added 3.38 us. */
static void
test_trace (gconstpointer data)
{
  gboolean keep = GPOINTER_TO_INT (data);
  gint64 printed;
  g_autoptr (GBytes) bytes = make_trace (&printed);
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdDvmCleaning) cleaning = read_cleaning (bytes, keep, messages);
  g_autoptr (PdDvmReader) reader = pd_dvm_reader_new_from_bytes (bytes, "a.ptr", NULL, NULL);
  const PdDvmCall *call;

  g_assert_cmpuint (pd_messages_count (messages, "time-sum"), ==, 0);
  g_assert_cmpuint (cleaning->share.n_clamped, ==, 21);
  g_assert_cmpuint (cleaning->share.n_records, ==, 42);
  g_assert_cmpint (cleaning->share.decodes, ==, !keep);
  pd_dvm_cleaning_apply (cleaning, reader);
  for (guint i = 0; i < 20; i++)
    {
      g_assert_true (pd_dvm_reader_next (reader, &call, NULL));
      g_assert_cmpint (call->call_time.ps, ==, keep ? PD_PS_PER_US : 0);
      g_assert_cmpint (call->ret_time.ps, ==, (keep ? 3380 : 2380) * NS);
    }
}

static void
test_report (void)
{
  gint64 printed;
  g_autoptr (GBytes) bytes = make_trace (&printed);
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdDvmCleaning) cleaning = read_cleaning (bytes, FALSE, NULL);

  /* the start-up and what is behind it: 19 before calls, 20 inside, 1 at the end */
  g_assert_cmpint ((gint64) cleaning->share.clamped_time.ps, ==, 40 * PD_PS_PER_US);
  pd_dvm_recorder_share_report (&cleaning->share, "a.ptr", messages);
  g_assert_cmpuint (pd_messages_count (messages, "clamped"), ==, 1);
  g_assert_cmpstr (pd_messages_get (messages, 1)->text, ==,
                   "times that the recorder clamped to 1 us: 21 of 42 records, which added "
                   "0.000040 s, 45.7 % of the recorded time: decoded");
}

/* ---- recorded traces */

static const char *
get_shared (void)
{
  const char *shared = g_getenv ("PREDICTOR_SHARED");

  return shared != NULL ? shared : "../shared";
}

/* Seconds of the program; -1 if the trace is absent. */
static gdouble
get_time (const char *name, gboolean *decodes)
{
  g_autofree char *path = g_build_filename (get_shared (), "traces", "dvm", name, NULL);
  const PdDvmCleanOptions options = { 0 };

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return -1;
  g_autoptr (PdDvmReader) reader = pd_dvm_reader_new (path, NULL, NULL);
  g_autoptr (PdDvmCleaning) cleaning = pd_dvm_cleaning_read (reader, &options, NULL);
  *decodes = cleaning->share.decodes;
  return pd_time_sum_to_seconds (cleaning->share.time);
}

/* The same program, recorded by a library that does not clamp and reads a clock of nanoseconds. */
static void
test_calibration (void)
{
  static const char *const names[][2] = {
    { "calibration/calint_1_np1_trace", "calibration/calint_1_np1_trace" },
    { "calibration/calint_1_np1_tracens", "calibration/calint_1_np1_tracens" },
    { "calibration/calpar_1_np1_trace", "calibration/calpar_1_np1_trace" },
    { "calibration/calpar_1_np1_tracens", "calibration/calpar_1_np1_tracens" },
    { "2026-11/gauss_240_trace_1", "calibration/gauss_240_np1_trace" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      gboolean decodes = FALSE, clean_decodes = TRUE;
      g_autofree char *name = g_strconcat (names[i][0], ".ptr.gz", NULL);
      g_autofree char *clean_name = g_strconcat (names[i][1], ".W.ptr.gz", NULL);
      gdouble time = get_time (name, &decodes), clean = get_time (clean_name, &clean_decodes);
      if (time < 0 || clean < 0)
        {
          g_test_skip ("the shared traces are not here");
          return;
        }
      g_test_message ("%s: %g s decoded, %g s recorded without clamp", name, time, clean);
      g_assert_true (decodes && !clean_decodes);
      g_assert_cmpfloat (fabs (time / clean - 1), <, 0.1);
    }
}

static void
test_merged (void)
{
  gboolean decodes = TRUE;

  if (get_time ("jac1d.ptr", &decodes) < 0)
    g_test_skip ("the shared traces are not here");
  else
    g_assert_false (decodes);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/traces/dvm-clamped/by-hand/%s", cases[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_by_hand);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (clocks); i++)
    {
      g_autofree char *path = g_strdup_printf ("/traces/dvm-clamped/clock/%s", clocks[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_clock);
    }
  g_test_add_func ("/traces/dvm-clamped/round-times", test_round_times);
  g_test_add_func ("/traces/dvm-clamped/random", test_random);
  g_test_add_func ("/traces/dvm-clamped/random-below-zero", test_random_below_zero);
  g_test_add_func ("/traces/dvm-clamped/other-clock", test_other_clock);
  g_test_add_data_func ("/traces/dvm-clamped/trace/decode", GINT_TO_POINTER (FALSE), test_trace);
  g_test_add_data_func ("/traces/dvm-clamped/trace/keep", GINT_TO_POINTER (TRUE), test_trace);
  g_test_add_func ("/traces/dvm-clamped/report", test_report);
  g_test_add_func ("/traces/dvm-clamped/calibration", test_calibration);
  g_test_add_func ("/traces/dvm-clamped/merged", test_merged);
  return g_test_run ();
}
