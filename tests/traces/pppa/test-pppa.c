/* Statistics files: their forms, cuts, and changed bytes.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/statistics.h"
#include "traces/pppa/pd-pppa.h"

#include <string.h>

static const struct
{
  const char *name;
  TestStatisticsForm form;
} forms[] = {
  { "little", { FALSE, 8, 8, 0, FALSE } },    { "big", { TRUE, 8, 8, 0, FALSE } },
  { "little-32", { FALSE, 4, 4, 0, FALSE } }, { "big-32", { TRUE, 4, 4, 0, FALSE } },
  { "windows", { FALSE, 4, 8, 0, FALSE } },   { "threads", { FALSE, 8, 8, 3, FALSE } },
  { "compressed", { FALSE, 8, 8, 0, TRUE } }, { "compressed-big", { TRUE, 4, 4, 2, TRUE } },
};

static gboolean
matches (GBytes *bytes, gsize size)
{
  const PdTraceProbe probe = { "f", g_bytes_get_data (bytes, NULL), size, FALSE };

  return pd_trace_pppa_matches (&probe);
}

static void
test_form (gconstpointer data)
{
  const TestStatisticsForm *form = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = test_statistics_new (form);
  g_autoptr (PdPppa) statistics = pd_pppa_read_bytes (bytes, "f", &error);

  g_assert_no_error (error);
  g_assert_true (matches (bytes, g_bytes_get_size (bytes)));
  g_autofree char *grid = pd_pppa_get_grid (statistics);
  g_assert_cmpstr (grid, ==, "2x1");
  g_assert_cmpuint (pd_pppa_get_n_processors (statistics), ==, 2);
  for (guint p = 0; p < 2; p++)
    {
      g_assert_cmpuint (pd_pppa_get_n_intervals (statistics, p), ==, 3);
      PdPppaInterval user = pd_pppa_get_interval (statistics, p, 1);
      PdPppaInterval loop = pd_pppa_get_interval (statistics, p, 2);
      g_assert_cmpint (pd_pppa_get_interval (statistics, p, 0).parent, ==, -1);
      g_assert_cmpint (user.type, ==, PD_PPPA_INTERVAL);
      g_assert_cmpint (user.index, ==, 2);
      g_assert_cmpint (user.parent, ==, 0);
      g_assert_cmpint (loop.type, ==, PD_PPPA_PAR);
      g_assert_cmpint (loop.parent, ==, 1);
      g_assert_cmpint (loop.line, ==, 19);
      g_assert_cmpint (loop.n_processors, ==, 2);
      g_assert_cmpfloat (loop.entries, ==, 10);
      g_assert_cmpstr (loop.file, ==, "st.fdv");
      PdPppaCell cell = pd_pppa_get_cell (statistics, p, 1, 3, 1);
      g_assert_cmpfloat (cell.productive, ==, 0.001);
      g_assert_cmpfloat_with_epsilon (cell.lost, p == 0 ? 0.003 : 0.004, 1e-12);
      g_assert_cmpfloat (pd_pppa_get_cell (statistics, p, 1, 0, 3).calls, ==, 5);
    }
}

/* A file that is cut anywhere is refused. */
static void
test_cut (gconstpointer data)
{
  const TestStatisticsForm *form = data;
  g_autoptr (GBytes) bytes = test_statistics_new (form);
  gsize size = g_bytes_get_size (bytes);

  for (gsize n = 0; n < size; n++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) cut = g_bytes_new_from_bytes (bytes, 0, n);
      g_autoptr (PdPppa) statistics = pd_pppa_read_bytes (cut, "f", &error);
      g_assert_null (statistics);
      g_assert_true (error->domain == PD_TRACE_ERROR);
      /* a compressed head of which no stream is there is not recognised yet */
      if (n >= 64)
        g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_TRUNCATED);
    }
}

static void
test_longer (gconstpointer data)
{
  const TestStatisticsForm *form = data;
  g_autoptr (GBytes) bytes = test_statistics_new (form);
  gsize size;
  gconstpointer whole = g_bytes_get_data (bytes, &size);
  g_autofree guint8 *longer = g_malloc0 (size + 1);
  g_autoptr (GError) error = NULL;

  memcpy (longer, whole, size);
  g_autoptr (GBytes) more = g_bytes_new (longer, size + 1);
  g_assert_null (pd_pppa_read_bytes (more, "f", &error));
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT);
}

/* Each byte of the head, of the first interval's head and of its first times changed: an error,
 * or statistics whose intervals and cells can be read. */
static void
test_changed (void)
{
  static const guint8 values[] = { 0, 1, 0x7f, 0x80, 0xff };
  g_autoptr (GBytes) bytes = test_statistics_new (&forms[0].form);
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  guint n_good = 0, n_bad = 0;

  for (gsize at = 0; at < 400; at++)
    for (gsize v = 0; v < G_N_ELEMENTS (values); v++)
      {
        g_autofree guint8 *copy = g_malloc (size);
        g_autoptr (GError) error = NULL;
        memcpy (copy, data, size);
        copy[at] = values[v];
        g_autoptr (GBytes) changed = g_bytes_new (copy, size);
        g_autoptr (PdPppa) statistics = pd_pppa_read_bytes (changed, "f", &error);
        g_assert_true ((statistics == NULL) == (error != NULL));
        n_good += statistics != NULL;
        n_bad += statistics == NULL;
      }
  g_assert_cmpuint (n_good, >, 100);
  g_assert_cmpuint (n_bad, >, 100);
}

/* Numbers at places of the head of 64-bit statistics in little byte order. */
static const struct
{
  const char *name;
  gsize at;
  guint width;
  guint64 value;
  PdTraceError code;
} crafted[] = {
  { "no-form", 0, 2, 2, PD_TRACE_ERROR_FORMAT },
  { "no-rank", 10, 2, 0, PD_TRACE_ERROR_VALUE },
  { "no-processors", 18, 8, 0, PD_TRACE_ERROR_LIMIT },
  { "too-many-processors", 18, 8, 2000000, PD_TRACE_ERROR_LIMIT },
  { "one-more-processor", 18, 8, 3, PD_TRACE_ERROR_VALUE },
  { "no-intervals", 18 + 24, 8, 0, PD_TRACE_ERROR_VALUE },
  { "too-many-intervals", 18 + 24, 8, 4, PD_TRACE_ERROR_VALUE },
  { "larger-block", 18 + 32, 8, G_MAXINT64, PD_TRACE_ERROR_TRUNCATED },
  { "smaller-block", 18 + 32, 8, 1000, PD_TRACE_ERROR_VALUE },
  { "ended-with-an-error", 18 + 40, 8, 0, PD_TRACE_ERROR_VALUE },
  { "larger-intervals", 18 + 40, 8, G_MAXUINT64, PD_TRACE_ERROR_VALUE },
  { "larger-operations", 18 + 48, 8, 1000, PD_TRACE_ERROR_VALUE },
  { "no-accelerators", 114, 8, 0, PD_TRACE_ERROR_VALUE },
  { "many-threads", 114 + 16, 8, G_MAXUINT64, PD_TRACE_ERROR_VALUE },
  { "foreign-parent", 154 + 60, 8, 0x10001, PD_TRACE_ERROR_VALUE },
  { "own-parent", 154 + 60, 8, 0x10000 + 154, PD_TRACE_ERROR_VALUE },
  { "no-number", 154 + 92, 8, G_GUINT64_CONSTANT (0x7ff8000000000000), PD_TRACE_ERROR_VALUE },
  { "too-long", 154 + 92 + 56 + 8, 8, G_GUINT64_CONSTANT (0x7fe0000000000000),
    PD_TRACE_ERROR_VALUE },
};

static void
test_crafted (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GBytes) bytes = test_statistics_new (&forms[0].form);
  g_autoptr (GError) error = NULL;
  gsize size;
  guint8 *copy = g_malloc (g_bytes_get_size (bytes));

  memcpy (copy, g_bytes_get_data (bytes, &size), g_bytes_get_size (bytes));
  for (guint k = 0; k < crafted[i].width; k++)
    copy[crafted[i].at + k] = (guint8) (crafted[i].value >> 8 * k);
  g_autoptr (GBytes) changed = g_bytes_new_take (copy, size);
  g_assert_null (pd_pppa_read_bytes (changed, "f", &error));
  g_assert_error (error, PD_TRACE_ERROR, (gint) crafted[i].code);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autofree char *form = g_strconcat ("/traces/pppa/form/", forms[i].name, NULL);
      g_autofree char *longer = g_strconcat ("/traces/pppa/longer/", forms[i].name, NULL);
      g_test_add_data_func (form, &forms[i].form, test_form);
      g_test_add_data_func (longer, &forms[i].form, test_longer);
    }
  g_test_add_data_func ("/traces/pppa/cut/plain", &forms[2].form, test_cut);
  g_test_add_data_func ("/traces/pppa/cut/compressed", &forms[6].form, test_cut);
  g_test_add_func ("/traces/pppa/changed", test_changed);
  for (gsize i = 0; i < G_N_ELEMENTS (crafted); i++)
    {
      g_autofree char *path = g_strconcat ("/traces/pppa/crafted/", crafted[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_crafted);
    }
  return g_test_run ();
}
