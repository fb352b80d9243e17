/* Uncertain machines: factors in settings, spreads, samples, distributions.
 * SPDX-License-Identifier: MIT */
#include "predictor/search/pd-samples.h"
#include "comsys/import/pd-machine-load.h"
#include "base/pd-distribution.h"
#include "comsys/description/pd-machine-show.h"

#include <math.h>
#include <string.h>

#define NETWORK                                                                                    \
  "<network type='ethernet' startup='60us' per-byte='0.09us'><nodes count='2'/></network>"

static PdMachine *
load (const char *text, const char *const *settings, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  return pd_machine_load_bytes (bytes, "test", settings, 2, error);
}

/* ---- factors in settings */

static const struct
{
  const char *name;
  const char *setting;
  const char *same; /* a setting that does the same; NULL: an error … */
  int code;         /* … this one */
} factors[] = {
  { "time", "network/startup*=1.5", "network/startup=90us", 0 },
  { "one", "network/startup*=1", "network/startup=60us", 0 },
  { "small", "network/startup*=1e-3", "network/startup=60ns", 0 },
  { "default", "software/pack-per-byte*=2", "software/pack-per-byte=0.154ns", 0 },
  { "ratio", "network/nodes/speed*=3", "network/nodes/speed=3", 0 },
  { "zero", "network/startup*=0", NULL, PD_MACHINE_ERROR_VALUE },
  { "negative", "network/startup*=-1", NULL, PD_MACHINE_ERROR_VALUE },
  { "not-a-number", "network/startup*=nan", NULL, PD_MACHINE_ERROR_VALUE },
  { "infinite", "network/startup*=inf", NULL, PD_MACHINE_ERROR_VALUE },
  { "unit", "network/startup*=2us", NULL, PD_MACHINE_ERROR_VALUE },
  { "nothing", "network/startup*=", NULL, PD_MACHINE_ERROR_VALUE },
  { "word", "network/type*=2", NULL, PD_MACHINE_ERROR_VALUE },
  { "no-such-path", "network/latency*=2", NULL, PD_MACHINE_ERROR_PATH },
};

static void
test_factor (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  const char *const scaled[] = { factors[i].setting, NULL };
  const char *const set[] = { factors[i].same, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) m =
      load ("<machine name='m'>" NETWORK "<software/></machine>", scaled, &error);

  if (factors[i].same == NULL)
    {
      g_assert_null (m);
      g_assert_error (error, PD_MACHINE_ERROR, factors[i].code);
      return;
    }
  g_assert_no_error (error);
  g_autoptr (PdMachine) n =
      load ("<machine name='m'>" NETWORK "<software/></machine>", set, &error);
  g_assert_no_error (error);
  g_autofree char *first = pd_machine_describe (m);
  g_autofree char *second = pd_machine_describe (n);
  g_assert_cmpstr (first, ==, second);
}

/* ---- spreads */

static const struct
{
  const char *name;
  const char *element;
  int code; /* -1: valid */
} spreads[] = {
  { "normal", "<spread path='network/startup' sigma='0.1'/>", -1 },
  { "lognormal", "<spread path='network/startup' kind='lognormal' sigma='2'/>", -1 },
  { "uniform", "<spread path='network/startup' kind='uniform' sigma='0.57'/>", -1 },
  { "too-wide", "<spread path='network/startup' kind='uniform' sigma='0.58'/>",
    PD_MACHINE_ERROR_VALUE },
  { "no-path", "<spread sigma='0.1'/>", PD_MACHINE_ERROR_SCHEMA },
  { "no-sigma", "<spread path='network/startup'/>", PD_MACHINE_ERROR_SCHEMA },
  { "no-such-path", "<spread path='network/latency' sigma='0.1'/>", PD_MACHINE_ERROR_PATH },
  { "no-number", "<spread path='network/type' sigma='0.1'/>", PD_MACHINE_ERROR_PATH },
  { "kind", "<spread path='network/startup' kind='odd' sigma='0.1'/>", PD_MACHINE_ERROR_VALUE },
  { "negative", "<spread path='network/startup' sigma='-0.1'/>", PD_MACHINE_ERROR_VALUE },
};

static void
test_spread (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *text =
      g_strdup_printf ("<machine name='m'>" NETWORK "%s</machine>", spreads[i].element);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) m = load (text, NULL, &error);

  if (spreads[i].code >= 0)
    {
      g_assert_null (m);
      g_assert_error (error, PD_MACHINE_ERROR, spreads[i].code);
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpuint (m->spreads->len, ==, 1);
}

/* The factor of the only setting of a sample. */
static gdouble
draw (const PdMachine *machine, guint64 seed)
{
  g_auto (GStrv) settings = pd_samples_settings (machine, NULL, seed);

  g_assert_cmpuint (g_strv_length (settings), ==, 1);
  g_assert_true (g_str_has_prefix (settings[0], "network/startup*="));
  return g_ascii_strtod (strchr (settings[0], '=') + 1, NULL);
}

/* Mean and deviation of many factors: within five standard errors of what they should be. */
static void
test_spread_draws (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *text =
      g_strdup_printf ("<machine name='m'><network type='ethernet' startup='60us' "
                       "per-byte='0.09us'><nodes count='2'/></network>"
                       "<spread path='network/startup' kind='%s' sigma='0.2'/></machine>",
                       i == 0   ? "normal"
                       : i == 1 ? "lognormal"
                                : "uniform");
  g_autoptr (PdMachine) m = load (text, NULL, NULL);
  const int n = 20000;
  gdouble sum = 0, squares = 0;

  g_assert_nonnull (m);
  for (int k = 0; k < n; k++)
    {
      gdouble factor = draw (m, (guint64) k), x = i == 1 ? log (factor) : factor - 1;
      g_assert_true (factor > 0);
      g_assert_true (i != 2 || fabs (x) <= 0.2 * sqrt (3) + 1e-12);
      sum += x;
      squares += x * x;
    }
  g_assert_cmpfloat (fabs (sum / n), <, 5 * 0.2 / sqrt (n));
  g_assert_cmpfloat (fabs (sqrt (squares / n) - 0.2), <, 5 * 0.2 / sqrt (2.0 * n));
}

/* ---- samples */

static PdTime
predict (gpointer data, guint64 seed, const char *const *settings, GError **error)
{
  guint64 *bad = data;

  g_assert_cmpstr (settings[0], ==, "software/send-overhead=1us");
  if (seed == bad[0] || seed == bad[1])
    g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE, "seed %d", (int) seed);
  return PD_TIME ((gint64) seed * 1000);
}

/* Whatever the number of threads; a settings list of the user stays in front. */
static void
test_samples (void)
{
  g_autoptr (PdMachine) m = load ("<machine name='m'>" NETWORK "</machine>", NULL, NULL);
  const char *const settings[] = { "software/send-overhead=1us", NULL };
  guint64 bad[2] = { 1, 2 };

  for (guint n_threads = 1; n_threads <= 4; n_threads += 3)
    {
      g_autoptr (GError) error = NULL;
      const PdSampleOptions options = { m, settings, 10, 100, n_threads, predict, bad, NULL, 0 };
      g_autoptr (GArray) times = pd_samples_predict (&options, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (times->len, ==, 100);
      for (guint i = 0; i < 100; i++)
        g_assert_cmpint (g_array_index (times, PdTime, i).ps, ==, (10 + (gint64) i) * 1000);
    }
}

/* The first that fails is told, in their order. */
static void
test_samples_error (void)
{
  g_autoptr (PdMachine) m = load ("<machine name='m'>" NETWORK "</machine>", NULL, NULL);
  const char *const settings[] = { "software/send-overhead=1us", NULL };
  guint64 bad[2] = { 50, 51 };

  for (guint n_threads = 1; n_threads <= 4; n_threads++)
    {
      g_autoptr (GError) error = NULL;
      const PdSampleOptions options = { m, settings, 10, 100, n_threads, predict, bad, NULL, 0 };
      g_assert_null (pd_samples_predict (&options, &error));
      g_assert_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE);
      g_assert_cmpstr (error->message, ==, "sample 40: seed 50");
    }
}

/* ---- distributions */

/* 1 to 100 ns in any order: quantiles are what one counts to. */
static void
test_distribution (void)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (PdTime));
  static const gint64 wanted[PD_N_QUANTILES] = { 1, 1, 5, 25, 50, 75, 95, 99, 100 };
  PdDistribution d;
  guint sum = 0;

  for (gint64 i = 0; i < 100; i++)
    {
      PdTime time = PD_TIME ((i * 37 % 100 + 1) * 1000);
      g_array_append_val (times, time);
    }
  pd_distribution_compute (times, &d);
  g_assert_cmpuint (d.n, ==, 100);
  for (guint i = 0; i < PD_N_QUANTILES; i++)
    g_assert_cmpint (d.quantiles[i].ps, ==, wanted[i] * 1000);
  g_assert_cmpfloat_with_epsilon (d.mean, 50.5e-9, 1e-18);
  g_assert_cmpfloat_with_epsilon (d.deviation, sqrt (10100.0 / 12) * 1e-9, 1e-18);
  g_assert_cmpuint (d.n_bars, ==, 10);
  g_assert_cmpint (d.bars[0].from.ps, ==, 1000);
  g_assert_cmpint (d.bars[9].to.ps, ==, 100000);
  for (guint i = 0; i < d.n_bars; i++)
    {
      g_assert_cmpuint (d.bars[i].count, >=, 9);
      sum += d.bars[i].count;
    }
  g_assert_cmpuint (sum, ==, 100);
}

static void
test_distribution_single (void)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (PdTime));
  PdTime time = PD_TIME (7);
  PdDistribution d;

  for (guint n = 1; n <= 3; n++)
    {
      g_array_append_val (times, time);
      pd_distribution_compute (times, &d);
      g_assert_cmpuint (d.n_bars, ==, 1);
      g_assert_cmpuint (d.bars[0].count, ==, n);
      g_assert_true (d.deviation >= 0 && d.deviation <= 0);
      g_assert_cmpint (d.quantiles[0].ps, ==, 7);
      g_assert_cmpint (d.quantiles[PD_N_QUANTILES - 1].ps, ==, 7);
    }
}

static void
add (const char *folder, const char *name, gsize i, GTestDataFunc test)
{
  g_autofree char *path = g_strconcat ("/samples/", folder, "/", name, NULL);

  g_test_add_data_func (path, GSIZE_TO_POINTER (i), test);
}

int
main (int argc, char **argv)
{
  static const char *const kinds[] = { "normal", "lognormal", "uniform" };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (factors); i++)
    add ("factor", factors[i].name, i, test_factor);
  for (gsize i = 0; i < G_N_ELEMENTS (spreads); i++)
    add ("spread", spreads[i].name, i, test_spread);
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    add ("draws", kinds[i], i, test_spread_draws);
  g_test_add_func ("/samples/threads", test_samples);
  g_test_add_func ("/samples/error", test_samples_error);
  g_test_add_func ("/samples/distribution", test_distribution);
  g_test_add_func ("/samples/distribution-single", test_distribution_single);
  return g_test_run ();
}
