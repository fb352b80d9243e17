/* Reading the CSV of measurements; launches of the program as one sample; options of
 * collective.
 * SPDX-License-Identifier: MIT */
#include "base/pd-csv.h"
#include "measure/plan/pd-collective-options.h"
#include "measure/sheet/pd-summary.h"

#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

/* Three launches: medians 10, 11 and 12 us of one case; one of another. */
#define HEADER                                                                                     \
  "table,operation,form,processes,bytes,buffers,global_median_us,global_median_low_us,"            \
  "global_median_high_us,local_median_us,synchronised,oversubscribed\n"
#define FACTS                                                                                      \
  "table,name,value\nfact,command,collective\nfact,host,h\nfact,mpi,\"M, \"\"1\"\"\"\n\n"
static const char three[] =
    FACTS HEADER "collective,bcast,blocking,2,8,warm,10,9.5,10.5,9,1,0\n"
                 "collective,barrier,blocking,2,0,warm,1,0.9,1.1,0.8,1,0\n" FACTS HEADER
                 "collective,bcast,blocking,2,8,warm,11,10.5,11.5,9,1,0\n" FACTS HEADER
                 "collective,bcast,blocking,2,8,warm,12,11.5,12.5,9,1,0\n"
                 "collective,bcast,blocking,2,8,cold,20,,,9,1,0\n"
                 "collective,bcast,blocking,2,8,warm,,,,7,0,0\n";

/* ---- CSV */

static void
test_rows (void)
{
  static const char text[] = "table,name,value\nfact,a,\"x,\"\"y\"\"\nz\"\n\ntable,b,c\nt,1,-2.5\n"
                             "t,,\ntable,name,value\nfact,a,b\n";
  g_autoptr (PdCsv) csv =
      pd_csv_new (text, strlen (text), "file", FALSE, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ);
  gdouble real;
  gint64 integer;

  g_assert_true (pd_csv_next (csv, NULL));
  g_assert_cmpstr (pd_csv_table (csv), ==, "fact");
  g_assert_cmpstr (pd_csv_get (csv, "value"), ==, "x,\"y\"\nz");
  g_assert_cmpuint (pd_csv_measurement (csv), ==, 1);
  g_assert_true (pd_csv_next (csv, NULL));
  g_assert_cmpstr (pd_csv_table (csv), ==, "t");
  g_assert_null (pd_csv_get (csv, "name"));
  g_assert_true (pd_csv_get_integer (csv, "b", &integer, NULL));
  g_assert_cmpint (integer, ==, 1);
  g_assert_true (pd_csv_get_real (csv, "c", &real, NULL));
  g_assert_cmpfloat (real, ==, -2.5);
  g_assert_true (pd_csv_next (csv, NULL));
  g_assert_true (pd_csv_get_real (csv, "c", &real, NULL));
  g_assert_true (isnan (real));
  g_assert_true (pd_csv_next (csv, NULL));
  g_assert_cmpuint (pd_csv_measurement (csv), ==, 2);
  g_assert_false (pd_csv_next (csv, NULL));
}

static void
test_wrong_files (void)
{
  static const struct
  {
    const char *name;
    const char *text;
  } rows[] = {
    { "no header", "t,1\n" },
    { "few fields", "table,a,b\nt,1\n" },
    { "many fields", "table,a,b\nt,1,2,3\n" },
    { "cut off", "table,a,b\nt,1,2" },
    { "cut off behind a comma", "table,a,b\nt,1," },
    { "open quotation", "table,a,b\nt,1,\"2\n" },
    { "text behind a quotation", "table,a,b\nt,1,\"2\"3\n" },
    { "no UTF-8", "table,a,b\nt,1,\xff\n" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PdCsv) csv = pd_csv_new (rows[i].text, strlen (rows[i].text), "file", FALSE,
                                          PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ);
      g_autoptr (GError) error = NULL;
      g_test_message ("%s", rows[i].name);
      g_assert_false (pd_csv_next (csv, &error));
      g_assert_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ);
    }
}

static void
test_zero_byte (void)
{
  static const char text[] = "table,a\nt,x\0y\n";
  g_autoptr (PdCsv) csv =
      pd_csv_new (text, sizeof text - 1, "file", FALSE, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ);
  g_autoptr (GError) error = NULL;

  g_assert_false (pd_csv_next (csv, &error));
  g_assert_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ);
}

static void
test_wrong_fields (void)
{
  static const char *const fields[] = { "x", "1x", "1e999", "nan", "inf" };

  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      g_autofree char *text = g_strdup_printf ("table,a\nt,%s\n", fields[i]);
      g_autoptr (PdCsv) csv =
          pd_csv_new (text, strlen (text), "file", FALSE, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ);
      g_autoptr (GError) real_error = NULL, integer_error = NULL, column_error = NULL;
      gdouble real;
      gint64 integer;
      g_test_message ("%s", fields[i]);
      g_assert_true (pd_csv_next (csv, NULL));
      g_assert_false (pd_csv_get_real (csv, "a", &real, &real_error));
      g_assert_error (real_error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ);
      g_assert_false (pd_csv_get_integer (csv, "a", &integer, &integer_error));
      g_assert_error (integer_error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ);
      g_assert_false (pd_csv_get_real (csv, "b", &real, &column_error));
      g_assert_error (column_error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ);
    }
}

/* ---- summaries */

/* The row of a summary that begins so, as numbers behind @skip fields. */
static GStrv
find_row (const PdSheet *sheet, const char *begin)
{
  g_autofree char *csv = pd_sheet_format_csv (sheet);
  g_auto (GStrv) lines = g_strsplit (csv, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], begin))
      return g_strsplit (lines[i] + strlen (begin), ",", -1);
  g_test_message ("no '%s' in\n%s", begin, csv);
  g_assert_not_reached ();
}

#define PLACE "collective_summary,\"M, \"\"1\"\"\",h,"
#define ASSERT_FIELD(row, i, value)                                                                \
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod ((row)[i], NULL), value, 1e-6)

static void
check_three (const PdSheet *sheet)
{
  g_auto (GStrv) row = find_row (sheet, PLACE "bcast,blocking,2,8,warm,1,");
  g_auto (GStrv) barrier = find_row (sheet, PLACE "barrier,blocking,2,0,warm,1,");
  g_auto (GStrv) cold = find_row (sheet, PLACE "bcast,blocking,2,8,cold,1,");
  g_auto (GStrv) loop = find_row (sheet, PLACE "bcast,blocking,2,8,warm,0,");
  g_auto (GStrv) errors = find_row (sheet, "reproducibility,\"M, \"\"1\"\"\",h,");
  gdouble error = 0.5 / 1.959963984540054;

  /* runs, median, interval, mean, min, max, within, between, relative error */
  g_assert_cmpstr (row[0], ==, "3");
  ASSERT_FIELD (row, 1, 11);
  g_assert_cmpstr (row[2], ==, "");
  ASSERT_FIELD (row, 4, 11);
  ASSERT_FIELD (row, 5, 10);
  ASSERT_FIELD (row, 6, 12);
  ASSERT_FIELD (row, 7, error / 11);
  ASSERT_FIELD (row, 8, sqrt (1 - error * error) / 11);
  ASSERT_FIELD (row, 9, 1 / (11 * sqrt (3)));
  g_assert_cmpstr (barrier[0], ==, "1");
  g_assert_cmpstr (barrier[8], ==, "");
  g_assert_cmpstr (cold[7], ==, "");
  ASSERT_FIELD (loop, 1, 7);
  g_assert_cmpstr (errors[0], ==, "1");
  ASSERT_FIELD (errors, 1, 1 / (11 * sqrt (3)));
  g_assert_cmpstr (errors[3], ==, "bcast");
}

static void
test_summary (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdSheet) sheet = pd_summary_of_csv (three, strlen (three), "file", &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  check_three (sheet);
  text = pd_sheet_format_text (sheet);
  g_assert_true (g_str_has_prefix (text, "runs: 3\n"));
}

/* Cut anywhere it is an error, or the rows before the cut. */
static void
test_cut (void)
{
  gsize n_fine = 0;

  for (gsize length = 0; length < strlen (three); length++)
    {
      g_autofree char *text = g_strndup (three, length);
      g_autoptr (GError) error = NULL;
      g_autoptr (PdSheet) sheet = pd_summary_of_csv (text, length, "file", &error);
      if (sheet == NULL)
        g_assert_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ);
      n_fine += sheet != NULL;
    }
  /* behind ends of lines only */
  g_assert_cmpuint (n_fine, >, 5);
  g_assert_cmpuint (n_fine, <, 40);
}

/* Sheets appended to CSV and to a database are summarised alike. */
static PdSheet *
one_launch (gdouble median)
{
  static const PdColumn columns[] = {
    { "operation", PD_COLUMN_TEXT, NULL, 0 },
    { "form", PD_COLUMN_TEXT, NULL, 0 },
    { "processes", PD_COLUMN_INTEGER, NULL, 0 },
    { "bytes", PD_COLUMN_INTEGER, NULL, 0 },
    { "buffers", PD_COLUMN_TEXT, NULL, 0 },
    { "global_median_us", PD_COLUMN_REAL, NULL, 0 },
    { "global_median_low_us", PD_COLUMN_REAL, NULL, 0 },
    { "global_median_high_us", PD_COLUMN_REAL, NULL, 0 },
    { "local_median_us", PD_COLUMN_REAL, NULL, 0 },
    { "synchronised", PD_COLUMN_INTEGER, NULL, 0 },
    { "oversubscribed", PD_COLUMN_INTEGER, NULL, 0 },
  };
  static const PdTableSpec spec = { "collective", "", columns, G_N_ELEMENTS (columns) };
  PdSheet *sheet = pd_sheet_new ("collective");
  PdSheetCell cells[] = { { .text = "bcast" },      { .text = "blocking" },   { .integer = 2 },
                          { .integer = 8 },         { .text = "warm" },       { .real = median },
                          { .real = median - 0.5 }, { .real = median + 0.5 }, { .real = 9 },
                          { .integer = 1 },         { .integer = 0 } };

  pd_sheet_fact (sheet, "host", "h");
  pd_sheet_fact (sheet, "mpi", "M, \"1\"");
  pd_sheet_row (sheet, &spec, cells);
  cells[0].text = "barrier";
  cells[3].integer = 0;
  if (median == 10)
    pd_sheet_row (sheet, &spec, cells);
  cells[0].text = "bcast";
  cells[3].integer = 8;
  cells[4].text = "cold";
  cells[6].real = cells[7].real = NAN;
  if (median == 12)
    pd_sheet_row (sheet, &spec, cells);
  cells[4].text = "warm";
  cells[5].real = NAN;
  cells[8].real = 7;
  cells[9].integer = 0;
  if (median == 12)
    pd_sheet_row (sheet, &spec, cells);
  return sheet;
}

static void
test_files (void)
{
  static const char *const names[] = { "launches.csv", "launches.sqlite" };
  g_autofree char *folder = g_dir_make_tmp ("measure-XXXXXX", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (PdSheet) summary = NULL;
      for (int median = 10; median <= 12; median++)
        {
          g_autoptr (PdSheet) sheet = one_launch (median);
          pd_summary_append (sheet, path, &error);
          g_assert_no_error (error);
        }
      summary = pd_summary_of_file (path, &error);
      g_assert_no_error (error);
      check_three (summary);
      g_remove (path);
    }
  g_rmdir (folder);
}

static char *
read_all (const char *path, gsize *n)
{
  char *text = NULL;

  return g_file_get_contents (path, &text, n, NULL) ? text : NULL;
}

/* A sheet that there is no room for leaves what was there, or no file. */
static void
test_no_room (void)
{
  static const char *const names[] = { "x.csv", "x.sqlite" };
  g_autofree char *folder = g_dir_make_tmp ("summary-XXXXXX", NULL);
  struct rlimit before, limit;

  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &before);
  for (gsize i = 0; i < 2 * G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i / 2], NULL);
      g_autoptr (PdSheet) sheet = one_launch (10);
      g_autoptr (GError) error = NULL;
      gsize size = 0, now = 0;
      g_assert_true (i % 2 == 0 || pd_summary_append (sheet, path, NULL));
      g_autofree char *old = read_all (path, &size);
      limit = (struct rlimit){ size + 20, before.rlim_max };
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
      /* a database has room for a few */
      for (int k = 0; k < 1000 && error == NULL; k++)
        pd_summary_append (sheet, path, &error);
      setrlimit (RLIMIT_FSIZE, &before);
      g_assert_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_WRITE);
      g_autofree char *new = read_all (path, &now);
      g_assert_true (i % 2 == 0 ? new == NULL : now == size);
      g_assert_true (i != 1 || memcmp (old, new, size) == 0);
      g_remove (path);
    }
  g_rmdir (folder);
}

static void
test_no_files (void)
{
  static const struct
  {
    const char *path;
    PdMeasureError code;
  } rows[] = {
    { "/nowhere/x.csv", PD_MEASURE_ERROR_READ },
    { "/nowhere/x.sqlite", PD_MEASURE_ERROR_READ },
    { "tests/data/ring.ti", PD_MEASURE_ERROR_READ }, /* no database */
    { "/dev/null", PD_MEASURE_ERROR_FOREIGN },       /* an empty one */
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_test_message ("%s", rows[i].path);
      g_assert_null (pd_summary_of_file (rows[i].path, &error));
      g_assert_error (error, PD_MEASURE_ERROR, (gint) rows[i].code);
    }
}

static void
test_nothing (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (pd_summary_of_csv (FACTS, strlen (FACTS), "file", &error));
  g_assert_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ);
}

/* ---- options */

static gboolean
parse (PdCollectiveOptions *options, const char *line, GError **error)
{
  g_autofree char *all = g_strconcat ("collective ", line, NULL);
  g_auto (GStrv) words = g_strsplit (g_strchomp (all), " ", -1);
  g_autofree char **argv = g_new (char *, g_strv_length (words) + 1);

  /* the parser takes words out */
  memcpy (argv, words, (g_strv_length (words) + 1) * sizeof *argv);
  return pd_collective_options_parse (options, (int) g_strv_length (words), argv, error);
}

static void
test_defaults (void)
{
  g_autoptr (GArray) sizes = NULL, processes = NULL;
  PdCollectiveOptions options;

  g_assert_true (parse (&options, "", NULL));
  g_assert_cmpuint (options.stop.launches, ==, 100);
  g_assert_cmpuint (options.stop.correct, ==, 30);
  g_assert_cmpfloat (options.stop.relative_error, ==, 0);
  g_assert_cmpuint (options.stages.first, ==, 4);
  g_assert_cmpuint (options.stages.launches, ==, 8);
  g_assert_cmpfloat (options.stages.share, ==, 0.25);
  g_assert_cmpfloat (options.stages.factor, ==, 1.1);
  g_assert_cmpfloat (options.trim, ==, 0.25);
  sizes = pd_collective_sizes (&options, NULL);
  g_assert_cmpint (g_array_index (sizes, gint64, 0), ==, 8);
  g_assert_cmpint (g_array_index (sizes, gint64, sizes->len - 1), <=, 1 << 20);
  processes = pd_collective_processes (&options, 5, NULL);
  g_assert_cmpuint (processes->len, ==, 1);
  g_assert_cmpint (g_array_index (processes, int, 0), ==, 5);
  pd_collective_options_clear (&options);
}

static char *
join (const GArray *array, gboolean is_long)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < array->len; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? " " : "",
                            is_long ? g_array_index (array, gint64, i)
                                    : (gint64) g_array_index (array, int, i));
  return g_string_free (text, FALSE);
}

static void
test_lists (void)
{
  static const struct
  {
    const char *words;
    const char *sizes; /* NULL: an error */
    const char *processes;
  } rows[] = {
    { "--sizes=8,1K,2M --processes=2,4-6", "8 1024 2097152", "2 4 5 6" },
    { "--sizes=0 --processes=all", "0", "2 3 4 5 6 7 8" },
    { "--min=1 --max=4 --unit=K --step=1 --processes=8", "1024 2048 3072 4096", "8" },
    { "--min=2 --max=20 --factor=3", "2 6 18", "8" },
    { "--sizes=8,x", NULL, "8" },
    { "--sizes=8,", NULL, "8" },
    { "--sizes=-8", NULL, "8" },
    { "--sizes=", NULL, "8" },
    { "--sizes=2049M", NULL, "8" },
    { "--sizes=99999999999999999999", NULL, "8" },
    { "--sizes=8 --processes=1", "8", NULL },
    { "--sizes=8 --processes=9", "8", NULL },
    { "--sizes=8 --processes=4,2", "8", NULL },
    { "--sizes=8 --processes=4-2", "8", NULL },
    { "--sizes=8 --processes=2-", "8", NULL },
    { "--sizes=8 --processes=2,4-5,5", "8", NULL },
    { "--sizes=8 --processes=", "8", NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      PdCollectiveOptions options;
      g_autoptr (GArray) sizes = NULL, processes = NULL;
      g_autofree char *size_text = NULL, *process_text = NULL;
      g_test_message ("%s", rows[i].words);
      g_assert_true (parse (&options, rows[i].words, NULL));
      sizes = pd_collective_sizes (&options, NULL);
      processes = pd_collective_processes (&options, 8, NULL);
      size_text = sizes != NULL ? join (sizes, TRUE) : NULL;
      process_text = processes != NULL ? join (processes, FALSE) : NULL;
      g_assert_cmpstr (size_text, ==, rows[i].sizes);
      g_assert_cmpstr (process_text, ==, rows[i].processes);
      pd_collective_options_clear (&options);
    }
}

static void
test_wrong_options (void)
{
  static const char *const rows[] = {
    "--thing",
    "thing",
    "--stage=0",
    "--stage0=0",
    "--gamma=1",
    "--late=2",
    "--trim=0.5",
    "--rse=-1",
    "--wide=1.05",
    "--bound=0",
    "--rounds=0",
    "--alignment=3",
    "--cold --warm",
    "--cold --untouched",
    "--min=-1",
    "--min=8 --max=4",
    "--factor=1",
    "--unit=G",
    "--step=-1",
    "--root=-1",
    "--no-sync --window=5",
    "--no-sync --rse=0.1",
    "--no-sync --overlap",
    "--max=2000 --unit=M",
    "--min=0 --max=1000000 --step=1",
    "--window=-1",
    "--warm-up=-1",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      PdCollectiveOptions options;
      g_autoptr (GError) error = NULL;
      g_test_message ("%s", rows[i]);
      g_assert_false (parse (&options, rows[i], &error));
      g_assert_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE);
      pd_collective_options_clear (&options);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/measure/csv/rows", test_rows);
  g_test_add_func ("/measure/csv/wrong-files", test_wrong_files);
  g_test_add_func ("/measure/csv/zero-byte", test_zero_byte);
  g_test_add_func ("/measure/csv/wrong-fields", test_wrong_fields);
  g_test_add_func ("/measure/summary/launches", test_summary);
  g_test_add_func ("/measure/summary/cut", test_cut);
  g_test_add_func ("/measure/summary/files", test_files);
  g_test_add_func ("/measure/summary/no-files", test_no_files);
  g_test_add_func ("/measure/summary/nothing", test_nothing);
  g_test_add_func ("/measure/collective/defaults", test_defaults);
  g_test_add_func ("/measure/collective/lists", test_lists);
  g_test_add_func ("/measure/collective/wrong-options", test_wrong_options);
  g_test_add_func ("/measure/summary/no-room", test_no_room);
  return g_test_run ();
}
