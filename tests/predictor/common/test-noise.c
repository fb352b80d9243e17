/* Noise of computation: the generator against its published vectors, single
 * values by hand, distributions with fixed seeds, whole predictions, and the
 * reading of descriptions and of list of noise samples.
 * SPDX-License-Identifier: MIT */
#include "base/pd-random.h"
#include "comsys/import/pd-machine-load.h"
#include "predictor/common/pd-noise-samples.h"
#include "predictor/common/pd-noise.h"
#include "tests/support/predict.h"
#include "tests/support/dvm/programs.h"
#include "comsys/description/pd-machine-noise.h"

#include <math.h>
#include <string.h>

#define SECOND PD_TIME (PD_PS_PER_S)

/* ---- random numbers */

/* The known answers that the authors' library Random123 is tested with. */
static void
test_philox (void)
{
  static const struct
  {
    guint32 counter[4], key[2], result[4];
  } rows[] = {
    { { 0, 0, 0, 0 }, { 0, 0 }, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
    { { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
      { 0xffffffff, 0xffffffff },
      { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
    { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 },
      { 0xa4093822, 0x299f31d0 },
      { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      guint32 result[4];
      pd_random_philox (rows[i].counter, rows[i].key, result);
      for (guint k = 0; k < 4; k++)
        g_assert_cmphex (result[k], ==, rows[i].result[k]);
    }
}

/* Mean and variance of many numbers. */
typedef struct
{
  gdouble n, sum, squares;
} Moments;

static void
add_moment (Moments *moments, gdouble x)
{
  moments->n++;
  moments->sum += x;
  moments->squares += x * x;
}

/* The mean within 4 of its own standard deviations, the variance within 5 %. */
static void
assert_moments (const Moments *moments, gdouble mean, gdouble variance)
{
  gdouble m = moments->sum / moments->n;

  g_assert_cmpfloat_with_epsilon (m, mean, 4 * sqrt (variance / moments->n));
  g_assert_cmpfloat_with_epsilon (moments->squares / moments->n - m * m, variance, .05 * variance);
}

static gdouble
draw_poisson (PdRandom *random, gdouble mean)
{
  return (gdouble) pd_random_poisson (random, mean);
}

static gdouble
draw_uniform (PdRandom *random, G_GNUC_UNUSED gdouble mean)
{
  gdouble x = pd_random_uniform (random);

  g_assert_cmpfloat (x, >, 0);
  g_assert_cmpfloat (x, <=, 1);
  return x;
}

static gdouble
draw_normal (PdRandom *random, G_GNUC_UNUSED gdouble mean)
{
  return pd_random_normal (random);
}

static gdouble
draw_exponential (PdRandom *random, G_GNUC_UNUSED gdouble mean)
{
  gdouble x = pd_random_exponential (random);

  g_assert_cmpfloat (x, >=, 0);
  return x;
}

static const struct
{
  const char *name;
  gdouble (*draw) (PdRandom *random, gdouble mean);
  gdouble mean, variance;
} distributions[] = {
  { "uniform", draw_uniform, .5, 1. / 12 },    { "normal", draw_normal, 0, 1 },
  { "exponential", draw_exponential, 1, 1 },   { "poisson-rare", draw_poisson, .25, .25 },
  { "poisson", draw_poisson, 5, 5 },           { "poisson-last", draw_poisson, 100, 100 },
  { "poisson-first", draw_poisson, 101, 101 }, { "poisson-often", draw_poisson, 1e6, 1e6 },
};

/* 20,000 numbers of one sequence, and the first ones of 20,000 neighbours. */
static void
test_distribution (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  Moments along = { 0, 0, 0 }, across = { 0, 0, 0 };
  PdRandom random, other;

  pd_random_init (&random, 1, 0, 0);
  for (guint k = 0; k < 20000; k++)
    {
      add_moment (&along, distributions[i].draw (&random, distributions[i].mean));
      pd_random_init (&other, 1, k % 100, k / 100);
      add_moment (&across, distributions[i].draw (&other, distributions[i].mean));
    }
  assert_moments (&along, distributions[i].mean, distributions[i].variance);
  assert_moments (&across, distributions[i].mean, distributions[i].variance);
}

static void
test_poisson_ends (void)
{
  PdRandom random;

  pd_random_init (&random, 1, 2, 3);
  g_assert_cmpuint (pd_random_poisson (&random, 0), ==, 0);
  g_assert_cmpuint (pd_random_poisson (&random, 1e30), ==, G_GUINT64_CONSTANT (1) << 62);
}

/* ---- single pieces, by hand: the first numbers for (0, 0, 0) are u = 0.3990464708489646 and
 * 0.7357127844834426, by Box and Muller z = -0.12151797595308106 */

static const struct
{
  const char *name;
  PdMachineNoise noise;
  gint64 time, expected; /* ps */
} pieces[] = {
  { "normal", { PD_NOISE_NORMAL, .1, 0, { 0 }, NULL }, PD_PS_PER_S, 987848202405 },
  { "normal-cut", { PD_NOISE_NORMAL, 10, 0, { 0 }, NULL }, PD_PS_PER_S, 0 },
  { "normal-nothing", { PD_NOISE_NORMAL, 0, 0, { 0 }, NULL }, G_MAXINT64 - 1, G_MAXINT64 - 1 },
  { "exponential-share",
    { PD_NOISE_EXPONENTIAL, 0, .5, { 0 }, NULL },
    PD_PS_PER_S,
    PD_PS_PER_S + 459338700291 },
  { "exponential-mean",
    { PD_NOISE_EXPONENTIAL, 0, 0, { PD_PS_PER_US }, NULL },
    PD_PS_PER_S,
    PD_PS_PER_S + 918677 },
  { "no-time", { PD_NOISE_EXPONENTIAL, 0, 0, { PD_PS_PER_US }, NULL }, 0, 0 },
  { "too-long", { PD_NOISE_EXPONENTIAL, 0, 1e300, { 0 }, NULL }, PD_PS_PER_S, G_MAXINT64 },
};

static void
test_piece (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdNoise) noise = pd_noise_new (&pieces[i].noise, 0, NULL);

  g_assert_cmpint (pd_noise_apply (noise, 0, 0, 0, PD_TIME (pieces[i].time)).ps, ==,
                   pieces[i].expected);
}

/* Seed 7, processor 3, step 5, part 2: z = 0.16315761396121928. */
static void
test_place (void)
{
  const PdMachineNoise description = { .kind = PD_NOISE_NORMAL, .sigma = .1 };
  g_autoptr (PdNoise) noise = pd_noise_new (&description, 7, NULL);

  g_assert_cmpint (pd_noise_apply (noise, 3, 5, 2, SECOND).ps, ==, 1016315761396);
  g_assert_cmpint (pd_noise_apply (noise, 3, 5, 1, SECOND).ps, !=, 1016315761396);
  g_assert_cmpint (pd_noise_apply (noise, 3, 4, 2, SECOND).ps, !=, 1016315761396);
  g_assert_cmpint (pd_noise_apply (noise, 2, 5, 2, SECOND).ps, !=, 1016315761396);
  g_assert_cmpint (pd_noise_apply (noise, 3, 5, 2, SECOND).ps, ==, 1016315761396);
  g_assert_cmpint (pd_noise_apply (NULL, 3, 5, 2, SECOND).ps, ==, PD_PS_PER_S);
}

/* Of a loop with a scatter of its own: exp (0.1 z - 0.005). Other kinds have nothing to do
 * with it, and it has nothing to do with other pieces. */
static void
test_scatter (void)
{
  const PdMachineNoise recorded = { .kind = PD_NOISE_RECORDED };
  const PdMachineNoise normal = { .kind = PD_NOISE_NORMAL, .sigma = .1 };
  g_autoptr (PdNoise) noise = pd_noise_new (&recorded, 0, NULL);
  g_autoptr (PdNoise) other = pd_noise_new (&normal, 0, NULL);

  g_assert_cmpint (pd_noise_scatter (noise, 0, 0, .1, SECOND).ps, ==, 982994457114);
  g_assert_cmpint (pd_noise_scatter (noise, 0, 0, 0, SECOND).ps, ==, PD_PS_PER_S);
  g_assert_cmpint (pd_noise_scatter (noise, 1, 0, .1, SECOND).ps, !=, 982994457114);
  g_assert_cmpint (pd_noise_scatter (noise, 0, 1, .1, SECOND).ps, !=, 982994457114);
  g_assert_cmpint (pd_noise_scatter (other, 0, 0, .1, SECOND).ps, ==, PD_PS_PER_S);
  g_assert_cmpint (pd_noise_scatter (NULL, 0, 0, .1, SECOND).ps, ==, PD_PS_PER_S);
  g_assert_cmpint (pd_noise_apply (noise, 0, 0, 0, SECOND).ps, ==, PD_PS_PER_S);
}

/* ---- list of noise samples */

#define LIST "# node 3\nmeasured 101s\n\n1ms 900  # the clock\n100ms 1\r\n end\n"

static PdNoiseSamples *
parse (const char *text, gsize size, GError **error)
{
  return pd_noise_samples_parse (text, size, "list", error);
}

/* 900 of 1 ms and 1 of 100 ms in 101 s, of which they took 1 s: 9 and 0.01 per
 * second of computation. Mean and variance of their sum: 10 ms and 109e-6 s^2
 * per second. Short pieces draw each noise sample, long ones row by row. */
static void
test_noise_samples (gconstpointer data)
{
  gint64 duration = (gint64) GPOINTER_TO_SIZE (data); /* ms */
  gdouble seconds = (gdouble) duration / 1000;
  g_autoptr (PdNoiseSamples) detours = parse (LIST, strlen (LIST), NULL);
  Moments moments = { 0, 0, 0 };
  PdRandom random;

  for (guint k = 0; k < 100000; k++)
    {
      pd_random_init (&random, 1, k % 10, k / 10);
      PdTime t = pd_noise_samples_draw (detours, PD_TIME (duration * PD_PS_PER_MS), &random);
      g_assert_cmpint (t.ps % PD_PS_PER_MS, ==, 0);
      add_moment (&moments, pd_time_to_seconds (t));
    }
  /* the rare long ones make the variance itself vary: 100,000 pieces tame that */
  assert_moments (&moments, .01 * seconds, 109e-6 * seconds);
}

/* As often as in the time that was left for computing: 1000 in 1 of 2 s. */
static void
test_noise_sample_rate (void)
{
  const char *text = "measured 2s\n1ms 1000\nend\n";
  g_autoptr (PdNoiseSamples) detours = parse (text, strlen (text), NULL);
  Moments moments = { 0, 0, 0 };
  PdRandom random;

  for (guint k = 0; k < 2000; k++)
    {
      pd_random_init (&random, 1, k, 0);
      add_moment (&moments, pd_time_to_seconds (pd_noise_samples_draw (detours, SECOND, &random)));
    }
  g_assert_cmpfloat_with_epsilon (moments.sum / moments.n, 1, .01);
}

static void
test_no_noise_samples (void)
{
  const char *text = "measured 1s\nend\n";
  g_autoptr (PdNoiseSamples) detours = parse (text, strlen (text), NULL);
  PdRandom random;

  pd_random_init (&random, 1, 2, 3);
  g_assert_cmpint (pd_noise_samples_draw (detours, SECOND, &random).ps, ==, 0);
}

static const struct
{
  const char *name, *text;
  int code;
  const char *place;
} bad_lists[] = {
  { "empty", "", PD_MACHINE_ERROR_FORMAT, "list:0:" },
  { "comment", "# nothing\n", PD_MACHINE_ERROR_FORMAT, "list:1:" },
  { "no-measured", "1us 4\nend\n", PD_MACHINE_ERROR_FORMAT, "list:1:" },
  { "no-unit", "measured 60\nend\n", PD_MACHINE_ERROR_VALUE, "list:1:" },
  { "measured-zero", "measured 0s\nend\n", PD_MACHINE_ERROR_VALUE, "list:1:" },
  { "measured-twice", "measured 1s\nmeasured 1s\nend\n", PD_MACHINE_ERROR_VALUE, "list:2:" },
  { "no-end", "measured 1s\n1us 4\n", PD_MACHINE_ERROR_FORMAT, "list:2:" },
  { "after-end", "measured 1s\nend\n1us 4\n", PD_MACHINE_ERROR_FORMAT, "list:3:" },
  { "one-word", "measured 1s\n1us\nend\n", PD_MACHINE_ERROR_FORMAT, "list:2:" },
  { "three-words", "measured 1s\n1us 4 5\nend\n", PD_MACHINE_ERROR_FORMAT, "list:2:" },
  { "duration-zero", "measured 1s\n0us 4\nend\n", PD_MACHINE_ERROR_VALUE, "list:2:" },
  { "duration-bare", "measured 1s\n\n1 4\nend\n", PD_MACHINE_ERROR_VALUE, "list:3:" },
  { "duration-negative", "measured 1s\n-1us 4\nend\n", PD_MACHINE_ERROR_VALUE, "list:2:" },
  { "count-zero", "measured 1s\n1us 0\nend\n", PD_MACHINE_ERROR_VALUE, "list:2:" },
  { "count-part", "measured 1s\n1us 1.5\nend\n", PD_MACHINE_ERROR_VALUE, "list:2:" },
  { "count-unit", "measured 1s\n1us 4us\nend\n", PD_MACHINE_ERROR_VALUE, "list:2:" },
  { "too-much", "measured 1s\n400ms 1\n300ms 2\nend\n", PD_MACHINE_ERROR_VALUE, "list:3:" },
  { "overflow", "measured 100h\n100h 9000000000000000000\nend\n", PD_MACHINE_ERROR_VALUE,
    "list:2:" },
};

static void
test_bad_list (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  PdNoiseSamples *detours = parse (bad_lists[i].text, strlen (bad_lists[i].text), &error);

  g_assert_null (detours);
  g_assert_error (error, PD_MACHINE_ERROR, bad_lists[i].code);
  g_assert_true (g_str_has_prefix (error->message, bad_lists[i].place));
}

/* A list that was cut anywhere is refused; only its last newline may be lost. */
static void
test_truncated_list (void)
{
  for (gsize n = 0; n < strlen (LIST); n++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PdNoiseSamples) detours = parse (LIST, n, &error);
      g_assert_true ((detours == NULL) == (error != NULL));
      if (n + 1 == strlen (LIST))
        g_assert_no_error (error);
      else
        /* in the middle of a number it is a bad one */
        g_assert_true (g_error_matches (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_FORMAT)
                       || g_error_matches (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE));
    }
}

static void
test_long_list (void)
{
  g_autoptr (GString) text = g_string_new ("measured 60s\n");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < PD_NOISE_SAMPLES_MAX_ROWS; i++)
    g_string_append (text, "1us 1\n");
  g_autofree char *longest = g_strconcat (text->str, "end\n", NULL);
  g_autofree char *longer = g_strconcat (text->str, "1us 1\nend\n", NULL);
  g_autoptr (PdNoiseSamples) good = parse (longest, strlen (longest), &error);
  g_assert_no_error (error);
  g_assert_nonnull (good);
  PdNoiseSamples *bad = parse (longer, strlen (longer), &error);
  g_assert_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE);
  g_assert_null (bad);
}

static void
test_zero_byte (void)
{
  g_autoptr (GError) error = NULL;
  PdNoiseSamples *detours = parse ("measured 1s\n\0end\n", 17, &error);

  g_assert_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_FORMAT);
  g_assert_null (detours);
}

static void
test_absent_list (void)
{
  const PdMachineNoise description = { .kind = PD_NOISE_TRACE, .file = (char *) "no/such" };
  g_autoptr (GError) error = NULL;
  PdNoise *noise = pd_noise_new (&description, 0, &error);

  g_assert_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_NOT_FOUND);
  g_assert_null (noise);
}

/* ---- descriptions */

#define MACHINE(noise)                                                                             \
  "<machine name='m'><network type='ideal'><nodes count='4'/></network>" noise "</machine>"
#define GOOD -1

static const struct
{
  const char *name, *text;
  int code;
  const char *description;
} machines[] = {
  { "absent", MACHINE (""), GOOD, "none" },
  { "none", MACHINE ("<noise kind='none' sigma='3'/>"), GOOD, "none" },
  { "normal", MACHINE ("<noise kind='normal' sigma='0.05'/>"), GOOD,
    "normal, sigma 0.05 of the time" },
  { "share", MACHINE ("<noise kind='exponential' share='0.02'/>"), GOOD,
    "exponential, mean 0.02 of the time" },
  { "mean", MACHINE ("<noise kind='exponential' mean='20us'/>"), GOOD, "exponential, mean 20 us" },
  { "file", MACHINE ("<noise kind='trace' file='a b.txt'/>"), GOOD, "noise samples of a b.txt" },
  { "recorded", MACHINE ("<noise kind='recorded'/>"), GOOD,
    "as the repetitions of parallel loops scatter in the trace" },
  { "kindless", MACHINE ("<noise sigma='1'/>"), PD_MACHINE_ERROR_SCHEMA, NULL },
  { "pink", MACHINE ("<noise kind='pink'/>"), PD_MACHINE_ERROR_VALUE, NULL },
  { "two", MACHINE ("<noise kind='none'/><noise kind='none'/>"), PD_MACHINE_ERROR_SCHEMA, NULL },
  { "no-sigma", MACHINE ("<noise kind='normal'/>"), PD_MACHINE_ERROR_SCHEMA, NULL },
  { "sigma-unit", MACHINE ("<noise kind='normal' sigma='1us'/>"), PD_MACHINE_ERROR_VALUE, NULL },
  { "sigma-negative", MACHINE ("<noise kind='normal' sigma='-1'/>"), PD_MACHINE_ERROR_VALUE, NULL },
  { "other-kinds", MACHINE ("<noise kind='normal' sigma='1' mean='1us'/>"), PD_MACHINE_ERROR_SCHEMA,
    NULL },
  { "both", MACHINE ("<noise kind='exponential' share='1' mean='1us'/>"), PD_MACHINE_ERROR_SCHEMA,
    NULL },
  { "mean-bare", MACHINE ("<noise kind='exponential' mean='5'/>"), PD_MACHINE_ERROR_VALUE, NULL },
  { "no-file", MACHINE ("<noise kind='trace' file=''/>"), PD_MACHINE_ERROR_VALUE, NULL },
  { "unknown", MACHINE ("<noise kind='none' seed='1'/>"), PD_MACHINE_ERROR_SCHEMA, NULL },
  { "child", MACHINE ("<noise kind='none'><use/></noise>"), PD_MACHINE_ERROR_SCHEMA, NULL },
};

static void
test_machine_element (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GBytes) bytes = g_bytes_new_static (machines[i].text, strlen (machines[i].text));
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) machine = pd_machine_load_bytes (bytes, "test", NULL, 4, &error);

  if (machines[i].code != GOOD)
    {
      g_assert_error (error, PD_MACHINE_ERROR, machines[i].code);
      return;
    }
  g_assert_no_error (error);
  g_autofree char *text = pd_machine_noise_describe (&machine->noise);
  g_assert_cmpstr (text, ==, machines[i].description);
}

/* Keys of inline machines, settings, and files beside the description. */
static void
test_other_forms (void)
{
  static const char *const settings[] = { "noise/kind=normal", "noise/sigma=0.5", NULL };
  static const char *const recorded[] = { "noise/kind=recorded", NULL };
  g_autoptr (PdMachine) a = pd_machine_load (
      "ethernet:startup=0,per-byte=0,noise=exponential,noise-mean=3us", NULL, 2, NULL);
  g_autoptr (PdMachine) b = pd_machine_load ("ideal", settings, 2, NULL);
  g_autoptr (PdMachine) c = pd_machine_load ("tests/data/machine-noise.xml", NULL, 2, NULL);

  g_autoptr (PdMachine) d = pd_machine_load ("tests/data/machine-noise.xml", recorded, 2, NULL);

  g_assert_cmpint (a->noise.mean.ps, ==, 3 * PD_PS_PER_US);
  g_assert_cmpint (b->noise.kind, ==, PD_NOISE_NORMAL);
  g_assert_cmpfloat (b->noise.sigma, ==, .5);
  g_assert_cmpstr (c->noise.file, ==, "tests/data/detours.txt");
  g_assert_cmpint (d->noise.kind, ==, PD_NOISE_RECORDED);
}

/* ---- predictions */

static const char *const noises[] = {
  "noise=normal,noise-sigma=0.3",
  "noise=normal,noise-sigma=5",
  "noise=exponential,noise-share=0.5",
  "noise=exponential,noise-mean=2us",
  "noise=trace,noise-file=tests/data/detours.txt",
};

static char *
dump_with (TestTrace *trace, const char *grid, const char *noise, guint64 seed, gboolean one_step)
{
  g_autofree char *machine =
      g_strconcat ("myrinet:startup=7us,per-byte=4ns,speeds=1:0.5,", noise, NULL);
  PdPredictOptions options = test_options (machine);

  options.seed = seed;
  options.one_step = one_step;
  g_autoptr (TestRun) run = test_run (trace, grid, &options);
  g_assert_cmpuint (pd_messages_count (run->messages, "noise"), ==, *noise != '\0');
  return test_dump (run);
}

/* Step by step, running ahead, again: the same; another seed: not. The
 * identities hold, which test_run() checks. */
static void
test_programs (gconstpointer data)
{
  const char *noise = noises[GPOINTER_TO_SIZE (data)];

  for (guint seed = 0; seed < 25; seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      g_autoptr (TestTrace) trace = test_program (random, 10);
      g_autofree char *grid = test_random_grid (random);
      g_autofree char *ahead = dump_with (trace, grid, noise, seed, FALSE);
      g_autofree char *slow = dump_with (trace, grid, noise, seed, TRUE);
      g_autofree char *other = dump_with (trace, grid, noise, seed + 1, FALSE);
      g_assert_cmpstr (ahead, ==, slow);
      g_assert_cmpstr (ahead, !=, other);
    }
}

/* A noise of nothing changes nothing. */
static void
test_neutral (void)
{
  for (guint seed = 0; seed < 40; seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      g_autoptr (TestTrace) trace = test_program (random, 10);
      g_autofree char *grid = test_random_grid (random);
      PdPredictOptions quiet = test_options ("ethernet:startup=1us,per-byte=1ns,speeds=1:3");
      PdPredictOptions noisy =
          test_options ("ethernet:startup=1us,per-byte=1ns,speeds=1:3,noise=normal,noise-sigma=0");
      g_autoptr (TestRun) a = test_run (trace, grid, &quiet);
      g_autoptr (TestRun) b = test_run (trace, grid, &noisy);
      g_assert_cmpuint (a->n_processors, ==, b->n_processors);
      for (guint32 p = 0; p < a->n_processors; p++)
        for (guint c = 0; c < PD_N_CHARACTERISTICS; c++)
          g_assert_cmpint (test_value (a, 0, p, c), ==, test_value (b, 0, p, c));
    }
}

/* Each processor has its own noise, in ordinary time and in loops: 1000
 * processors of 1 s, half ordinary and half in a loop, sigma 0.1. */
static void
test_spread (void)
{
  PdPredictOptions options =
      test_options ("ethernet:startup=0,per-byte=0,noise=normal,noise-sigma=0.1");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array =
      test_trace_array (trace, "1000", test_trace_template (trace, "1000", "1"), "1*1+0");
  Moments ordinary = { 0, 0, 0 }, loop = { 0, 0, 0 };

  test_trace_ordinary (trace, TEST_S (1), 0);
  test_trace_run (trace, test_trace_loop (trace, array, "0:999", "1*1+0"), TEST_S (1000));
  g_autoptr (TestRun) run = test_run (trace, "1000", &options);
  for (guint32 p = 0; p < 1000; p++)
    {
      add_moment (&ordinary, (gdouble) test_value (run, 0, p, PD_C_CPU_TIME_SEQ) / 1e12);
      add_moment (&loop, (gdouble) test_value (run, 0, p, PD_C_CPU_TIME_PAR) / 1e12);
    }
  g_assert_cmpfloat_with_epsilon (ordinary.sum / 1000, 1, 4 * .1 / sqrt (1000));
  g_assert_cmpfloat_with_epsilon (loop.sum / 1000, 1, 4 * .1 / sqrt (1000));
  g_assert_cmpfloat_with_epsilon (ordinary.squares / 1000 - 1, .01, .01);
  g_assert_cmpfloat_with_epsilon (loop.squares / 1000 - 1, .01, .01);
}

/* Equal pieces of one processor are disturbed each by itself: ordinary time in
 * two intervals, and a portion of a loop in two. */
static void
test_pieces_differ (void)
{
  PdPredictOptions options =
      test_options ("ethernet:startup=0,per-byte=0,noise=normal,noise-sigma=0.1");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = test_trace_array (trace, "8", test_trace_template (trace, "8", "1"), "1*1+0");

  for (gint64 line = 20; line < 22; line++)
    {
      test_trace_open (trace, "binter_", line, line, 0, 0);
      test_trace_ordinary (trace, 4, 0);
      test_trace_close (trace, "einter_", line, line, 0, 0);
    }
  gint64 loop = test_trace_loop (trace, array, "0:7", "1*1+0");
  test_trace_dopl (trace, loop, 0, 1);
  for (gint64 line = 30; line < 32; line++)
    {
      test_trace_open (trace, "binter_", line, line, 0, 0);
      test_trace_close (trace, "einter_", line, line, 4, 0);
    }
  test_trace_dopl (trace, loop, 0, 0);
  test_trace_end_loop (trace, loop);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  for (gint64 line = 20; line <= 30; line += 10)
    {
      guint32 a = test_node (run, PD_INTERVAL_USER, line);
      guint32 b = test_node (run, PD_INTERVAL_USER, line + 1);
      g_assert_cmpint (test_value (run, a, 0, PD_C_CPU_TIME), >, 0);
      g_assert_cmpint (test_value (run, a, 0, PD_C_CPU_TIME), !=,
                       test_value (run, b, 0, PD_C_CPU_TIME));
    }
}

/* Noise is computation of the processor that has it: half of what two do alike
 * is insufficient parallelism. File operations have none. */
static void
test_account (void)
{
  PdPredictOptions options =
      test_options ("ethernet:startup=0,per-byte=0,noise=exponential,noise-share=1");
  g_autoptr (TestTrace) trace = test_trace_new ("1");

  test_trace_ordinary (trace, 6, 0);
  test_trace_io (trace, "dvm_void_printf", 3, "Format=x", "Res=2;");
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  for (guint32 p = 0; p < 2; p++)
    {
      gint64 cpu = test_value (run, 0, p, PD_C_CPU_TIME_SEQ);
      g_assert_cmpint (cpu, >, 6 * PD_PS_PER_US);
      g_assert_cmpint (test_value (run, 0, p, PD_C_INSUFFICIENT_PARALLELISM_SEQ), ==,
                       (cpu + 1) / 2);
    }
  g_assert_cmpint (test_value (run, 0, 0, PD_C_CPU_TIME), !=,
                   test_value (run, 0, 1, PD_C_CPU_TIME));
  g_assert_cmpint (test_value (run, 0, 0, PD_C_IO_TIME), ==, 3 * PD_PS_PER_US);
}

/* On one processor everything is productive, noise too. */
static void
test_single (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (noises); i++)
    {
      g_autofree char *machine = g_strconcat ("ethernet:startup=0,per-byte=0,", noises[i], NULL);
      PdPredictOptions options = test_options (machine);
      g_autoptr (GRand) random = g_rand_new_with_seed (5);
      g_autoptr (TestTrace) trace = test_program (random, 10);
      g_autoptr (TestRun) run = test_run (trace, "1", &options);
      g_assert_cmpint (test_value (run, 0, 0, PD_C_PRODUCTIVE_TIME), ==, run->end_times[0].ps);
    }
}

#define ADD(folder, table, function)                                                               \
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)                                                 \
    {                                                                                              \
      g_autofree char *path = g_strconcat ("/predictor/noise/" folder, table[i].name, NULL);       \
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), function);                                 \
    }

static void
add_predictions (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (noises); i++)
    {
      g_autofree char *path = g_strdup_printf ("/predictor/noise/programs/%" G_GSIZE_FORMAT, i);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_programs);
    }
  g_test_add_func ("/predictor/noise/neutral", test_neutral);
  g_test_add_func ("/predictor/noise/spread", test_spread);
  g_test_add_func ("/predictor/noise/pieces-differ", test_pieces_differ);
  g_test_add_func ("/predictor/noise/account", test_account);
  g_test_add_func ("/predictor/noise/single", test_single);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/random/philox", test_philox);
  ADD ("distribution/", distributions, test_distribution)
  g_test_add_func ("/base/random/poisson-ends", test_poisson_ends);
  ADD ("piece/", pieces, test_piece)
  g_test_add_func ("/predictor/noise/place", test_place);
  g_test_add_func ("/predictor/noise/scatter", test_scatter);
  g_test_add_data_func ("/predictor/noise/detours/short", GSIZE_TO_POINTER (10),
                        test_noise_samples);
  g_test_add_data_func ("/predictor/noise/detours/long", GSIZE_TO_POINTER (2000),
                        test_noise_samples);
  g_test_add_func ("/predictor/noise/detours/rate", test_noise_sample_rate);
  g_test_add_func ("/predictor/noise/detours/none", test_no_noise_samples);
  ADD ("list/", bad_lists, test_bad_list)
  g_test_add_func ("/predictor/noise/list/truncated", test_truncated_list);
  g_test_add_func ("/predictor/noise/list/longest", test_long_list);
  g_test_add_func ("/predictor/noise/list/zero-byte", test_zero_byte);
  g_test_add_func ("/predictor/noise/list/absent", test_absent_list);
  ADD ("machine/", machines, test_machine_element)
  g_test_add_func ("/predictor/noise/machine-other-forms", test_other_forms);
  add_predictions ();
  return g_test_run ();
}
