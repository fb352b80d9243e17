/* The command line of transfer, in letters and in words; sheets in all their forms.
 * SPDX-License-Identifier: MIT */
#include "measure/sheet/pd-picture.h"
#include "measure/sheet/pd-sheet.h"
#include "measure/plan/pd-transfer-options.h"
#include "measure/sheet/pd-sheet-db.h"

#include <glib/gstdio.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>

/* ---- options */

static gboolean
parse (const char *line, PdTransferOptions *options, GError **error)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);

  return pd_transfer_options_parse (options, (int) g_strv_length (words), words, error);
}

/* The original's example is understood as the words that mean the same. */
static void
test_letters (void)
{
  static const char *const lines[] = {
    "transfer uK m1 M1024 K2 T10 f100 R2 otransfer.dat",
    "transfer --unit K --min 1 --max=1024 --factor 2 --repetitions 10 f100 R2 -o transfer.dat",
    "transfer otransfer.dat --unit=K M1024 m1 --at-least=100 --rounds 2",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (GError) error = NULL;
      PdTransferOptions o;
      g_assert_true (parse (lines[i], &o, &error));
      g_assert_no_error (error);
      g_assert_cmpstr (o.unit, ==, "K");
      g_assert_cmpint (o.min, ==, 1);
      g_assert_cmpint (o.max, ==, 1024);
      g_assert_cmpfloat (o.factor, ==, 2);
      g_assert_cmpint (o.step, ==, 0);
      g_assert_cmpint (o.repetitions, ==, 10);
      g_assert_cmpfloat (o.at_least, ==, 100);
      g_assert_cmpint (o.rounds, ==, 2);
      g_assert_cmpint (o.variant, ==, 1);
      g_assert_cmpstr (o.files.text, ==, "transfer.dat");
      pd_transfer_options_clear (&o);
    }
}

/* A value that looks like a letter's is a value. */
static void
test_value_like_letter (void)
{
  g_autoptr (GError) error = NULL;
  PdTransferOptions o;

  g_assert_true (parse ("transfer --csv measured.csv -o m1 --variant 5 --window 8", &o, &error));
  g_assert_cmpstr (o.files.csv, ==, "measured.csv");
  g_assert_cmpstr (o.files.text, ==, "m1");
  g_assert_cmpint (o.min, ==, 1);
  g_assert_cmpint (o.window, ==, 8);
  pd_transfer_options_clear (&o);
}

static const struct
{
  const char *name;
  const char *line;
} wrong[] = {
  { "unit", "transfer uX" },
  { "unit-empty", "transfer u" },
  { "min-above-max", "transfer m5 M4" },
  { "min-negative", "transfer m-1" },
  { "min-words", "transfer mfew" },
  { "too-long", "transfer uM M1025" },
  { "overflow", "transfer uM M9223372036854775807" },
  { "factor-one", "transfer K1" },
  { "factor-infinite", "transfer Kinf" },
  { "factor-nan", "transfer Knan" },
  { "step-negative", "transfer S-1" },
  { "steps-too-many", "transfer uB m1 M1048576 S1" },
  { "no-repetitions", "transfer T0" },
  { "no-rounds", "transfer R0" },
  { "time-negative", "transfer f-1" },
  { "time-nan", "transfer fnan" },
  { "variant-zero", "transfer --variant 0" },
  { "variant-seven", "transfer --variant 7" },
  { "window", "transfer --window 0" },
  { "argument", "transfer thing" },
  { "picture-of-one-row", "transfer --picture p.svg" },
  { "option", "transfer --thing" },
};

static void
test_wrong (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  PdTransferOptions options;

  g_assert_false (parse (wrong[GPOINTER_TO_SIZE (data)].line, &options, &error));
  g_assert_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE);
  pd_transfer_options_clear (&options);
}

static const struct
{
  const char *name;
  const char *line;
  const char *sizes;
} sweeps[] = {
  { "factor", "transfer uK m1 M8 K2", "1024 2048 4096 8192" },
  { "factor-stops-before", "transfer m1 M10 K3", "1 3 9" },
  { "factor-small", "transfer m1 M5 K1.1", "1 2 3 4 5" },
  { "from-zero", "transfer m0 M4 K2", "1 2 4" },
  { "step", "transfer m0 M40 S16", "16 32" },
  { "one", "transfer uM m2 M2", "2097152" },
};

static void
test_sizes (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GString) found = g_string_new (NULL);
  g_autoptr (GArray) sizes = NULL;
  PdTransferOptions options;

  g_assert_true (parse (sweeps[i].line, &options, NULL));
  sizes = pd_transfer_sizes (&options);
  for (guint k = 0; k < sizes->len; k++)
    g_string_append_printf (found, "%s%" G_GINT64_FORMAT, k > 0 ? " " : "",
                            g_array_index (sizes, gint64, k));
  g_assert_cmpstr (found->str, ==, sweeps[i].sizes);
  pd_transfer_options_clear (&options);
}

/* ---- pictures */

static void
test_picture (void)
{
  const gdouble values[] = { NAN, 1, 2, NAN };
  g_autofree char *text = pd_picture_matrix ("a < b", values, 2);
  g_auto (GStrv) cells = g_strsplit (text, "<title>", -1);

  g_assert_cmpuint (g_strv_length (cells), ==, 3);
  g_assert_true (g_str_has_prefix (cells[1], "0, 1: 1<"));
  g_assert_true (g_str_has_prefix (cells[2], "1, 0: 2<"));
  /* the least is the lightest, the greatest the darkest */
  g_assert_nonnull (strstr (cells[0], "rgb(235,242,250)"));
  g_assert_nonnull (strstr (cells[1], "rgb(35,92,160)"));
  g_assert_nonnull (strstr (text, "a &lt; b"));
}

/* ---- sheets */

static const PdColumn columns[] = {
  { "bytes", PD_COLUMN_INTEGER, "bytes", 0 },
  { "time_us", PD_COLUMN_REAL, "us", 2 },
  { "hidden", PD_COLUMN_REAL, NULL, 0 },
  { "word", PD_COLUMN_TEXT, "word", 0 },
};
static const PdTableSpec table = { "thing", "Things", columns, G_N_ELEMENTS (columns) };

static PdSheet *
make_sheet (void)
{
  PdSheet *sheet = pd_sheet_new ("transfer");
  const PdSheetCell first[] = {
    { .integer = 8 }, { .real = 1.5 }, { .real = NAN }, { .text = "a" }
  };
  const PdSheetCell second[] = {
    { .integer = 1024 }, { .real = 12.25 }, { .real = 1e-9 }, { .text = "say \"<b>, c\"" }
  };

  pd_sheet_fact (sheet, "host", "%s", "one & only");
  pd_sheet_row (sheet, &table, first);
  pd_sheet_row (sheet, &table, second);
  return sheet;
}

static void
test_texts (void)
{
  g_autoptr (PdSheet) sheet = make_sheet ();
  g_autofree char *text = pd_sheet_format_text (sheet), *csv = pd_sheet_format_csv (sheet);
  g_autofree char *xml = pd_sheet_format_xml (sheet);

  g_assert_cmpstr (text, ==,
                   "host: one & only\n\nThings\n"
                   "bytes     us          word\n"
                   "    8   1.50             a\n"
                   " 1024  12.25  say \"<b>, c\"\n");
  g_assert_cmpstr (csv, ==,
                   "table,name,value\nfact,command,transfer\nfact,host,one & only\n\n"
                   "table,bytes,time_us,hidden,word\nthing,8,1.5,,a\n"
                   "thing,1024,12.25,1e-09,\"say \"\"<b>, c\"\"\"\n");
  g_assert_nonnull (strstr (xml, "<fact name=\"host\">one &amp; only</fact>"));
  g_assert_nonnull (strstr (xml, "<row><cell column=\"bytes\">8</cell><cell column=\"time_us\">1.5"
                                 "</cell><cell column=\"word\">a</cell></row>"));
  g_assert_nonnull (strstr (xml, "say &quot;&lt;b&gt;, c&quot;"));
}

static gint64
query (const char *path, const char *sql)
{
  sqlite3_stmt *statement;
  sqlite3 *db;
  gint64 value;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  value = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  sqlite3_close (db);
  return value;
}

static void
run_sql (const char *path, const char *sql)
{
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
}

typedef struct
{
  char *folder;
  char *path;
} Place;

static void
set_up (Place *place, gconstpointer data)
{
  place->folder = g_dir_make_tmp ("predictor-XXXXXX", NULL);
  place->path = g_build_filename (place->folder, "db", NULL);
  (void) data;
}

static void
tear_down (Place *place, gconstpointer data)
{
  g_unlink (place->path);
  g_assert_cmpint (g_rmdir (place->folder), ==, 0);
  g_free (place->path);
  g_free (place->folder);
  (void) data;
}

static void
test_db (Place *place, gconstpointer data)
{
  g_autoptr (PdSheet) sheet = make_sheet ();
  g_autoptr (GError) error = NULL;

  for (int i = 1; i <= 2; i++)
    {
      g_assert_true (pd_sheet_write_db (sheet, place->path, &error));
      g_assert_cmpint (query (place->path, "SELECT count(*) FROM measurement"), ==, i);
      g_assert_cmpint (query (place->path, "SELECT count(*) FROM thing"), ==, 2 * i);
      g_assert_cmpint (query (place->path, "SELECT count(*) FROM fact"), ==, i);
    }
  g_assert_cmpint (query (place->path, "PRAGMA application_id"), ==, PD_MEASURE_APPLICATION);
  g_assert_cmpint (query (place->path, "PRAGMA user_version"), ==, PD_MEASURE_VERSION);
  g_assert_cmpint (query (place->path, "SELECT bytes FROM thing WHERE measurement = 2 AND number "
                                       "= 2 AND word = 'say \"<b>, c\"' AND time_us = 12.25"),
                   ==, 1024);
  g_assert_cmpint (query (place->path, "SELECT count(*) FROM thing WHERE hidden IS NULL"), ==, 2);
  (void) data;
}

static const struct
{
  const char *name;
  const char *sql;
  int code;
} foreign[] = {
  { "another-application", "PRAGMA application_id = 77", PD_MEASURE_ERROR_FOREIGN },
  { "no-application", "CREATE TABLE theirs (a)", PD_MEASURE_ERROR_FOREIGN },
  { "newer", "PRAGMA application_id = 0x50644d01; PRAGMA user_version = 99",
    PD_MEASURE_ERROR_FOREIGN },
  { "other-columns",
    "PRAGMA application_id = 0x50644d01; PRAGMA user_version = 1; CREATE TABLE thing (a)",
    PD_MEASURE_ERROR_WRITE },
};

/* What cannot be written leaves the database as it was. */
static void
test_foreign (Place *place, gconstpointer data)
{
  g_autoptr (PdSheet) sheet = make_sheet ();
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autofree char *sql = g_strconcat (foreign[i].sql, "; CREATE TABLE here (a)", NULL);
  gint64 tables;

  run_sql (place->path, sql);
  tables = query (place->path, "SELECT count(*) FROM sqlite_schema");
  g_assert_false (pd_sheet_write_db (sheet, place->path, &error));
  g_assert_error (error, PD_MEASURE_ERROR, foreign[i].code);
  g_assert_cmpint (query (place->path, "SELECT count(*) FROM sqlite_schema"), ==, tables);
}

static void
test_unwritable (void)
{
  g_autoptr (PdSheet) sheet = make_sheet ();
  PdSheetFiles files[] = { { .text = (char *) "/nowhere/a" },
                           { .csv = (char *) "/nowhere/a" },
                           { .xml = (char *) "/nowhere/a" },
                           { .db = (char *) "/nowhere/a" },
                           { .text = (char *) "/dev/full" } };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_false (pd_sheet_write (sheet, &files[i], &error));
      g_assert_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_WRITE);
    }
}

#define ADD_ROWS(rows, prefix, function)                                                           \
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)                                                  \
    {                                                                                              \
      g_autofree char *path = g_strconcat (prefix, rows[i].name, NULL);                            \
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), function);                                 \
    }

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/measure/options/letters", test_letters);
  g_test_add_func ("/measure/options/value-like-letter", test_value_like_letter);
  ADD_ROWS (wrong, "/measure/options/wrong/", test_wrong)
  ADD_ROWS (sweeps, "/measure/options/sizes/", test_sizes)
  g_test_add_func ("/measure/picture", test_picture);
  g_test_add_func ("/measure/sheet/texts", test_texts);
  g_test_add_func ("/measure/sheet/unwritable", test_unwritable);
  g_test_add ("/measure/sheet/db", Place, NULL, set_up, test_db, tear_down);
  for (gsize i = 0; i < G_N_ELEMENTS (foreign); i++)
    {
      g_autofree char *path = g_strconcat ("/measure/sheet/foreign/", foreign[i].name, NULL);
      g_test_add (path, Place, GSIZE_TO_POINTER (i), set_up, test_foreign, tear_down);
    }
  return g_test_run ();
}
