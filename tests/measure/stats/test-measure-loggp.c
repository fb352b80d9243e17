/* LogGP parameters from round trips that are made of known parameters.
 * SPDX-License-Identifier: MIT */
#include "measure/stats/pd-loggp.h"
#include "measure/stats/pd-pattern.h"

#include <math.h>
#include <string.h>

#define N 16u

typedef struct
{
  gint64 from; /* bytes */
  gdouble gap;
  gdouble gap_of_byte;
} Protocol;

/* What a machine with these parameters shows; @noise is relative. */
static void
make_trips (const Protocol *protocols, gsize n_protocols, PdRoundTrips *trips, gsize n_sizes,
            gdouble noise)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (gsize i = 0; i < n_sizes; i++)
    {
      gint64 bytes = G_GINT64_CONSTANT (1) << i;
      const Protocol *p = protocols;
      gdouble factor = 1 + noise * g_rand_double_range (random, -1, 1);
      for (gsize k = 1; k < n_protocols; k++)
        if (bytes >= protocols[k].from)
          p = &protocols[k];
      trips[i] = (PdRoundTrips){ .bytes = bytes, .receive = 2e-7 };
      trips[i].one = 1e-6 + 2 * (gdouble) bytes * p->gap_of_byte;
      trips[i].many = trips[i].one + (N - 1) * factor * (p->gap + (gdouble) bytes * p->gap_of_byte);
      trips[i].delay = trips[i].one;
      trips[i].delayed = trips[i].one + (N - 1) * (trips[i].delay + 6e-8);
    }
}

/* ---- parameters come back */

static const struct
{
  const char *name;
  Protocol protocols[3];
  gsize n;
  gdouble noise;
  gdouble tolerance;
} machines[] = {
  { "one", { { 1, 1e-6, 5e-11 } }, 1, 0, 1e-6 },
  { "one-noisy", { { 1, 1e-6, 5e-11 } }, 1, 0.02, 0.05 },
  { "two", { { 1, 1e-6, 5e-11 }, { 4096, 9e-6, 2e-10 } }, 2, 0, 1e-6 },
  { "two-noisy", { { 1, 1e-6, 5e-10 }, { 16384, 3e-5, 2e-10 } }, 2, 0.01, 0.1 },
  { "three", { { 1, 1e-6, 5e-10 }, { 512, 5e-6, 5e-10 }, { 65536, 2e-4, 1e-10 } }, 3, 0, 1e-6 },
};

static void
test_fit (gconstpointer data)
{
  gsize m = GPOINTER_TO_SIZE (data);
  const Protocol *protocols = machines[m].protocols;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) found = NULL;
  PdRoundTrips trips[21];

  make_trips (protocols, machines[m].n, trips, G_N_ELEMENTS (trips), machines[m].noise);
  found = pd_loggp_fit (trips, G_N_ELEMENTS (trips), N, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (found->len, ==, machines[m].n);
  for (guint i = 0; i < found->len; i++)
    {
      const PdLogGP *one = &g_array_index (found, PdLogGP, i);
      gdouble tolerance = machines[m].tolerance;
      g_assert_cmpint (one->from_bytes, ==, protocols[i].from);
      g_assert_cmpfloat_with_epsilon (one->gap, protocols[i].gap, protocols[i].gap * tolerance);
      g_assert_cmpfloat_with_epsilon (one->gap_of_byte, protocols[i].gap_of_byte,
                                      protocols[i].gap_of_byte * tolerance);
      g_assert_cmpfloat_with_epsilon (one->send, 6e-8, 1e-12);
      g_assert_cmpfloat_with_epsilon (one->receive, 2e-7, 1e-12);
      g_assert_cmpfloat_with_epsilon (one->latency, trips[0].one / 2, 1e-15);
    }
}

/* ---- a negative parameter is an error */

static void
spoil_send (PdRoundTrips *trips, gsize n)
{
  trips[0].delayed = trips[0].one;
  (void) n;
}

static void
spoil_receive (PdRoundTrips *trips, gsize n)
{
  trips[0].receive = -1e-9;
  (void) n;
}

static void
spoil_gap (PdRoundTrips *trips, gsize n)
{
  trips[n / 2].many = trips[n / 2].one;
}

static void
spoil_byte (PdRoundTrips *trips, gsize n)
{
  for (gsize i = 0; i < n; i++)
    trips[i].many = trips[i].one + (N - 1) * (2e-6 - 1e-12 * (gdouble) trips[i].bytes);
}

static void
spoil_nan (PdRoundTrips *trips, gsize n)
{
  trips[n - 1].many = NAN;
}

static const struct
{
  const char *name;
  void (*spoil) (PdRoundTrips *trips, gsize n);
} spoils[] = {
  { "o_s", spoil_send }, { "o_r", spoil_receive },      { "g", spoil_gap },
  { "G", spoil_byte },   { "not-a-number", spoil_nan },
};

static void
test_negative (gconstpointer data)
{
  const Protocol protocol = { 1, 1e-6, 5e-11 };
  g_autoptr (GError) error = NULL;
  PdRoundTrips trips[12];

  make_trips (&protocol, 1, trips, G_N_ELEMENTS (trips), 0);
  spoils[GPOINTER_TO_SIZE (data)].spoil (trips, G_N_ELEMENTS (trips));
  g_assert_null (pd_loggp_fit (trips, G_N_ELEMENTS (trips), N, &error));
  g_assert_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_FIT);
}

/* One size out of line is no protocol. */
static void
test_outlier (void)
{
  gdouble x[16], y[16];
  gboolean changes[16];

  for (gsize odd = 3; odd < 16; odd++)
    {
      for (gsize i = 0; i < 16; i++)
        {
          x[i] = (gdouble) (1 << i);
          y[i] = (1e-6 + 5e-11 * x[i]) * (i == odd ? 1.3 : 1);
        }
      pd_loggp_changes (x, y, 16, changes);
      for (gsize i = 0; i < 16; i++)
        g_assert_false (changes[i]);
    }
}

/* ---- what messages carry */

static void
test_pattern (void)
{
  g_autofree char *data = g_malloc (200000), *other = g_malloc (200000);

  pd_pattern_fill (data, 200000, 1);
  g_assert_cmpuint (pd_pattern_find_wrong (data, 200000, 1), ==, 200000);
  g_assert_cmpuint (pd_pattern_find_wrong (data, 200000, 2), ==, 0);
  g_assert_cmpuint (pd_pattern_find_wrong (data, 0, 2), ==, 0);
  /* not the same when it is shifted by a page */
  memcpy (other, data + 4096, 100000);
  g_assert_cmpuint (pd_pattern_find_wrong (other, 100000, 1), <, 100000);
  data[150000] ^= 1;
  g_assert_cmpuint (pd_pattern_find_wrong (data, 200000, 1), ==, 150000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (machines); i++)
    {
      g_autofree char *path = g_strconcat ("/measure/loggp/fit/", machines[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_fit);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (spoils); i++)
    {
      g_autofree char *path = g_strconcat ("/measure/loggp/negative/", spoils[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_negative);
    }
  g_test_add_func ("/measure/loggp/outlier", test_outlier);
  g_test_add_func ("/measure/pattern", test_pattern);
  return g_test_run ();
}
