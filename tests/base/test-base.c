/* SPDX-License-Identifier: MIT */
#include "base/memory/pd-large.h"
#include "base/pd-messages.h"
#include "base/pd-parallel.h"
#include "base/pd-progress.h"
#include "base/pd-time.h"
#include "base/pd-units.h"
#include "base/memory/pd-vector.h"

#include <string.h>

static void
test_time_arithmetic (void)
{
  char text[64];
  PdTime t;

  g_assert_cmpint (pd_time_add (PD_TIME (1), PD_TIME (2)).ps, ==, 3);
  g_assert_cmpint (pd_time_add (PD_TIME_MAX, PD_TIME (1)).ps, ==, G_MAXINT64);
  g_assert_cmpint (pd_time_scale (PD_TIME (10), 1, 4).ps, ==, 3); /* 2.5 half up */
  g_assert_cmpint (pd_time_scale (PD_TIME (10), 1, 3).ps, ==, 3);
  g_assert_cmpint (pd_time_scale (PD_TIME (4000000000000000000), 3, 4).ps, ==, 3000000000000000000);
  g_assert_cmpint (pd_time_scale (PD_TIME (4000000000000000000), 4, 1).ps, ==, G_MAXINT64);
  g_assert_cmpint (pd_time_divide (PD_TIME (9), 2).ps, ==, 5);
  g_assert_cmpint (pd_time_divide (PD_TIME (G_MAXINT64 - 1), 1).ps, ==, G_MAXINT64 - 1);
  g_assert_cmpint (pd_time_for_bytes (3, 0.5).ps, ==, 2);
  g_assert_cmpint (pd_time_for_bytes (G_MAXINT64, 1e6).ps, ==, G_MAXINT64);
  g_assert_true (pd_time_from_seconds (1.5e-6, &t));
  g_assert_cmpint (t.ps, ==, 1500000);
  g_assert_false (pd_time_from_seconds (-1, &t));
  g_assert_false (pd_time_from_seconds (1e7, &t));
  g_assert_cmpstr (pd_time_format (PD_TIME (1234567890123456), text), ==, "1234.567890123456");
  g_assert_cmpstr (pd_time_sum_format ((PdTimeSum){ -1 }, text), ==, "-0.000000000001");
}

/* A sum over a million processors that each ran for 100 days. */
static void
test_time_wide_sum (void)
{
  PdTimeSum sum = { 0 };
  char text[64];

  for (guint i = 0; i < 1000000; i++)
    pd_time_sum_add (&sum, PD_TIME (100 * 86400 * PD_PS_PER_S));
  g_assert_cmpstr (pd_time_sum_format (sum, text), ==, "8640000000000.000000000000");
}

static const struct
{
  const char *name;
  PdUnit unit;
  const char *text;
  int code; /* -1: valid */
  gint64 i;
  gdouble d;
  const char *printed;
} unit_cases[] = {
  { "time-us", PD_UNIT_TIME, "7us", -1, 7000000, 0, "7 us" },
  { "time-fraction", PD_UNIT_TIME, "0.41 us", -1, 410000, 0, "410 ns" },
  { "time-exponent", PD_UNIT_TIME, "1.5e-3s", -1, 1500000000, 0, "1.5 ms" },
  { "time-second", PD_UNIT_TIME, "1s", -1, PD_PS_PER_S, 0, "1 s" },
  { "time-zero-bare", PD_UNIT_TIME, "0", -1, 0, 0, "0" },
  { "time-bare", PD_UNIT_TIME, "7", PD_UNITS_ERROR_UNIT, 0, 0, NULL },
  { "time-negative", PD_UNIT_TIME, "-7us", PD_UNITS_ERROR_RANGE, 0, 0, NULL },
  { "time-negative-tiny", PD_UNIT_TIME, "-0.1ps", PD_UNITS_ERROR_RANGE, 0, 0, NULL },
  { "time-huge", PD_UNIT_TIME, "1e9h", PD_UNITS_ERROR_RANGE, 0, 0, NULL },
  { "time-other-kind", PD_UNIT_TIME, "7KiB", PD_UNITS_ERROR_UNIT, 0, 0, NULL },
  { "time-words", PD_UNIT_TIME, "fast", PD_UNITS_ERROR_SYNTAX, 0, 0, NULL },
  { "time-hex", PD_UNIT_TIME, "0x7us", PD_UNITS_ERROR_UNIT, 0, 0, NULL },
  { "time-inf", PD_UNIT_TIME, "inf", PD_UNITS_ERROR_SYNTAX, 0, 0, NULL },
  { "time-empty", PD_UNIT_TIME, "", PD_UNITS_ERROR_SYNTAX, 0, 0, NULL },
  { "per-byte", PD_UNIT_PER_BYTE, "0.004us", -1, 0, 4000, "4 ns/B" },
  { "per-byte-slash", PD_UNIT_PER_BYTE, "60ps/B", -1, 0, 60, "60 ps/B" },
  { "per-byte-below-ps", PD_UNIT_PER_BYTE, "0.5ps", -1, 0, 0.5, "0.5 ps/B" },
  { "bytes-iec", PD_UNIT_BYTES, "16KiB", -1, 16384, 0, "16 KiB" },
  { "bytes-si", PD_UNIT_BYTES, "16kB", -1, 16000, 0, "16000 B" },
  { "bytes-bare", PD_UNIT_BYTES, "65535", -1, 65535, 0, "65535 B" },
  { "bytes-half", PD_UNIT_BYTES, "0.5B", PD_UNITS_ERROR_SYNTAX, 0, 0, NULL },
  { "rate", PD_UNIT_RATE, "12.5GB/s", -1, 0, 12.5e9, "12.5 GB/s" },
  { "rate-bits", PD_UNIT_RATE, "200Gbit/s", -1, 0, 25e9, "25 GB/s" },
  { "rate-no-unit", PD_UNIT_RATE, "100", PD_UNITS_ERROR_UNIT, 0, 0, NULL },
  { "count", PD_UNIT_COUNT, "512", -1, 512, 0, "512" },
  { "count-fraction", PD_UNIT_COUNT, "2.5", PD_UNITS_ERROR_SYNTAX, 0, 0, NULL },
  { "ratio", PD_UNIT_RATIO, "1.25", -1, 0, 1.25, "1.25" },
};

static void
test_units (gconstpointer data)
{
  gsize n = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  PdNumber number = { -5, -5 };
  gboolean ok = pd_units_parse (unit_cases[n].unit, unit_cases[n].text, &number, &error);

  if (unit_cases[n].code >= 0)
    {
      g_assert_false (ok);
      g_assert_error (error, PD_UNITS_ERROR, unit_cases[n].code);
      g_assert_cmpint (number.i, ==, -5);
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpint (number.i, ==, unit_cases[n].i);
  g_assert_cmpfloat_with_epsilon (number.d, unit_cases[n].d, 1e-9 * unit_cases[n].d + 1e-12);

  g_autofree char *printed = pd_units_format (unit_cases[n].unit, number);
  PdNumber again;
  g_assert_cmpstr (printed, ==, unit_cases[n].printed);
  g_assert_true (pd_units_parse (unit_cases[n].unit, printed, &again, NULL));
  g_assert_cmpint (again.i, ==, number.i);
}

static void
test_messages (void)
{
  g_autoptr (PdMessages) messages = pd_messages_new ();
  PdPlace place = { "a.ptr", 7, "call_foo_", 3, -1, FALSE };

  for (guint i = 0; i < 3; i++)
    pd_messages_add (messages, PD_SEVERITY_WARNING, "unknown-function", "foo_", &place,
                     "unknown function '%s'", "foo_");
  pd_messages_add (messages, PD_SEVERITY_WARNING, "unknown-function", "bar_", NULL, "unknown");

  g_assert_cmpuint (pd_messages_get_n (messages), ==, 2);
  g_assert_cmpuint (pd_messages_get (messages, 0)->count, ==, 3);
  g_assert_cmpstr (pd_messages_get (messages, 0)->place, ==, "a.ptr:7: call_foo_, record 3");
  g_assert_cmpstr (pd_messages_get (messages, 1)->place, ==, "");
  g_assert_cmpuint (pd_messages_count (messages, "unknown-function"), ==, 4);
  g_assert_cmpuint (pd_messages_count (messages, "other"), ==, 0);
}

static const struct
{
  const char *text;
  guint n; /* 0: an error */
  const char *printed;
} shapes[] = {
  { "8", 1, "8" },
  { "8x8x4", 3, "8x8x4" },
  { " 2 x 3 ", 2, "2x3" },
  { "1x1x1x1x1x1", 6, "1x1x1x1x1x1" },
  { "", 0, NULL },
  { "x", 0, NULL },
  { "2x", 0, NULL },
  { "x2", 0, NULL },
  { "0", 0, NULL },
  { "2x-1", 0, NULL },
  { "2,3", 0, NULL },
  { "2X3", 0, NULL },
  { "1.5", 0, NULL },
  { "16777217", 0, NULL },
  { "2x2x2x2x2x2x2", 0, NULL },
  { "99999999999999999999", 0, NULL },
};

static void
test_shapes (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autoptr (GError) error = NULL;
      PdShape shape = { 0, { 0 } };
      gboolean ok = pd_units_parse_shape (shapes[i].text, &shape, &error);
      g_autofree char *printed = pd_units_format_shape (&shape);
      g_assert_cmpint (ok, ==, shapes[i].n > 0);
      g_assert_cmpuint (shape.n, ==, shapes[i].n);
      if (ok)
        g_assert_cmpstr (printed, ==, shapes[i].printed);
      else
        g_assert_error (error, PD_UNITS_ERROR, PD_UNITS_ERROR_SYNTAX);
    }
}

static void
count_item (guint i, gpointer counts)
{
  ((guint *) counts)[i] += i + 1;
}

/* Each item once, however many threads there are. */
static void
assert_progress (const PdProgress *progress, const char *expected)
{
  g_autofree char *text = pd_progress_format (progress);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_progress (void)
{
  g_autoptr (PdMessages) messages = pd_messages_new ();
  PdProgress progress = { 0 };

  g_assert_null (pd_messages_get_progress (messages));
  g_assert_null (pd_messages_get_progress (NULL));
  pd_progress_begin (NULL, "reading", 1);
  pd_progress_add (NULL, 1);
  assert_progress (&progress, NULL);
  pd_messages_set_progress (messages, &progress);
  pd_progress_begin (pd_messages_get_progress (messages), "reading", 200);
  assert_progress (&progress, "reading, 0 %");
  pd_progress_add (&progress, 86);
  assert_progress (&progress, "reading, 43 %");
  pd_progress_add (&progress, 200);
  assert_progress (&progress, "reading, 100 %");
  pd_progress_begin (&progress, "checking", 0);
  pd_progress_add (&progress, 7);
  assert_progress (&progress, "checking");
}

/* Beyond the limit memory is in files; what has been given back makes room. */
static void
test_large (void)
{
  const gsize size = 3 * PD_LARGE_MIN + 5;
  guint8 *blocks[3];
  gboolean in_file[3];

  pd_large_set_limit (2 * size);
  for (guint i = 0; i < 3; i++)
    {
      blocks[i] = pd_large_new (size, &in_file[i]);
      g_assert_true (in_file[i] == (i == 2));
      memset (blocks[i], (int) i + 1, size);
    }
  for (guint i = 0; i < 3; i++)
    for (gsize k = 0; k < size; k++)
      g_assert_cmpuint (blocks[i][k], ==, i + 1);
  pd_large_free (blocks[2], size, in_file[2]);
  pd_large_free (blocks[0], size, in_file[0]);
  blocks[0] = pd_large_new (size, &in_file[0]);
  g_assert_false (in_file[0]);
  pd_large_free (blocks[0], size, in_file[0]);
  pd_large_free (blocks[1], size, in_file[1]);
  pd_large_set_limit (0);
}

static void
test_parallel (void)
{
  static const guint n_threads[] = { 1, 2, 5, 200 };

  for (gsize k = 0; k < G_N_ELEMENTS (n_threads); k++)
    {
      guint counts[100] = { 0 };
      pd_parallel_run (G_N_ELEMENTS (counts), n_threads[k], count_item, counts);
      for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
        g_assert_cmpuint (counts[i], ==, i + 1);
    }
  pd_parallel_run (0, 3, count_item, NULL);
}

/* What was appended stays where it is while the memory moves. */
static void
test_vector (void)
{
  PdVector vector = { .data = NULL };

  for (gint64 i = 0; i < 1000; i++)
    pd_vector_append (&vector, gint64) = i * i;
  g_assert_cmpuint (vector.n, ==, 1000);
  for (gint64 i = 0; i < 1000; i++)
    g_assert_cmpint (pd_vector_at (&vector, gint64, i), ==, i * i);
  pd_vector_clear (&vector);
  g_assert_true (vector.data == NULL && vector.n == 0 && vector.room == 0);
}

/* What grows beyond the limit goes on in a file, with what it had. */
static void
test_large_vector (void)
{
  const gint64 n = 5 * (gint64) PD_LARGE_MIN / 8;
  PdVector vector = { .data = NULL };

  pd_large_set_limit (2 * PD_LARGE_MIN);
  for (gint64 i = 0; i < n; i++)
    {
      pd_vector_append (&vector, gint64) = i * i;
      g_assert_true (vector.in_file || vector.size <= 2 * PD_LARGE_MIN);
    }
  g_assert_true (vector.in_file && vector.size >= (gsize) n * 8);
  for (gint64 i = 0; i < n; i++)
    g_assert_cmpint (pd_vector_at (&vector, gint64, i), ==, i * i);
  pd_vector_clear (&vector);
  g_assert_true (pd_vector_set_size (&vector, 7, 8) != NULL && vector.n == 7 && vector.size == 0);
  pd_vector_clear (&vector);
  pd_large_set_limit (0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/time/arithmetic", test_time_arithmetic);
  g_test_add_func ("/base/time/wide-sum", test_time_wide_sum);
  for (gsize i = 0; i < G_N_ELEMENTS (unit_cases); i++)
    {
      g_autofree char *path = g_strconcat ("/base/units/", unit_cases[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_units);
    }
  g_test_add_func ("/base/units/shapes", test_shapes);
  g_test_add_func ("/base/messages/counted", test_messages);
  g_test_add_func ("/base/vector/grows", test_vector);
  g_test_add_func ("/base/vector/large", test_large_vector);
  g_test_add_func ("/base/parallel/once", test_parallel);
  g_test_add_func ("/base/progress/text", test_progress);
  g_test_add_func ("/base/large/in-file", test_large);
  return g_test_run ();
}
