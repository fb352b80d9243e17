/* SPDX-License-Identifier: MIT */
#include "reports/page/pd-page-files-private.h"
#include "reports/page/pd-page.h"
#include "reports/run/pd-report.h"
#include "reports/page/pd-page-data.h"
#include "reports/page/pd-page-report.h"

#include <glib/gstdio.h>
#include <libxml/parser.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>

#define MAX_PAGE 5000000 /* bytes: what is promised */
#define HOSTILE  "</script><b>\"it's\" & \\ ]]> \xff \x01\xc3\xa9\n<!--"

/* ---- tools */

static char *
write_page (const PdPage *page)
{
  GString *out = g_string_new (NULL);

  pd_page_write (page, out);
  return g_string_free (out, FALSE);
}

static char *
write_report (const PdReport *report)
{
  GString *out = g_string_new (NULL);

  pd_report_write_html (report, out);
  return g_string_free (out, FALSE);
}

/* The data of the charts in @text. */
static char *
get_data (const char *text)
{
  static const char begin[] = "<script type=\"application/json\" id=\"pd-data\">";
  const char *from = strstr (text, begin);

  g_assert_nonnull (from);
  from += strlen (begin);
  const char *to = strstr (from, "</script>");
  g_assert_nonnull (to);
  return g_strndup (from, (gsize) (to - from));
}

/* What @path of the JSON text @data is, as text; NULL of null, or if there is nothing. */
static char *
extract (const char *data, const char *path)
{
  sqlite3 *db = NULL;
  sqlite3_stmt *statement = NULL;

  g_assert_cmpint (sqlite3_open (":memory:", &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, "SELECT json_extract (?1, ?2)", -1, &statement, NULL),
                   ==, SQLITE_OK);
  sqlite3_bind_text (statement, 1, data, -1, SQLITE_TRANSIENT);
  sqlite3_bind_text (statement, 2, path, -1, SQLITE_TRANSIENT);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW); /* else it is no JSON */
  char *found = g_strdup ((const char *) sqlite3_column_text (statement, 0));
  sqlite3_finalize (statement);
  sqlite3_close (db);
  return found;
}

static void
assert_value (const char *data, const char *path, const char *wanted)
{
  g_autofree char *found = extract (data, path);

  if (g_strcmp0 (found, wanted) != 0)
    g_error ("%s is %s, expected %s", path, found, wanted);
}

static void
assert_well_formed (const char *text)
{
  xmlDoc *doc = xmlReadMemory (text, (int) strlen (text), "page", NULL, XML_PARSE_NONET);

  g_assert_nonnull (doc);
  xmlFreeDoc (doc);
}

/* ---- reports */

/* A run of @n processors and @n_intervals loops below the root; processor p computes p + 1
 * microseconds in each. */
static PdReportRun *
make_run (guint32 n, guint n_intervals, const char *file)
{
  PdReportRun *run = g_new0 (PdReportRun, 1);

  run->n_processors = n;
  run->tree = pd_interval_tree_new (n);
  run->end_times = g_new0 (PdTime, n);
  for (guint i = 0; i < n_intervals; i++)
    {
      PdIntervalKey key = { PD_INTERVAL_PAR, file, i + 1, PD_INTERVAL_NO_INDEX, NULL };
      guint32 node = pd_interval_tree_child (run->tree, PD_INTERVAL_ROOT, &key);
      for (guint32 p = 0; p < n; p++)
        {
          pd_interval_tree_add (run->tree, node, PD_Q_EXE_COUNT, p, PD_TIME (1));
          pd_interval_tree_add (run->tree, node, PD_Q_CPU_PAR, p, PD_TIME ((p + 1) * PD_PS_PER_US));
        }
    }
  return run;
}

static PdReport *
make_report (guint32 n, guint n_intervals, const char *file)
{
  PdReport *report = pd_report_new ();

  report->command_line = g_strdup ("predictor run");
  pd_report_add_run (report, make_run (n, n_intervals, file));
  return report;
}

/* ---- the data block */

static void
test_data_values (void)
{
  g_autoptr (PdPage) page = pd_page_new (HOSTILE);
  const gdouble values[] = { 1.5, NAN, INFINITY, -INFINITY, -0.25, 1e-12 };

  pd_page_data_number (page, HOSTILE, 1);
  pd_page_data_open (page, "key", '{');
  pd_page_data_string (page, "text", HOSTILE);
  pd_page_data_string (page, "none", NULL);
  pd_page_data_number (page, "nan", NAN);
  pd_page_data_numbers (page, "values", values, G_N_ELEMENTS (values));
  pd_page_data_numbers (page, "empty", NULL, 0);
  pd_page_data_close (page, '}');
  g_autofree char *text = write_page (page);
  g_autofree char *data = get_data (text);

  g_assert_null (strpbrk (data, "<>&"));
  g_autofree char *inner = extract (data, "$.key");
  g_assert_nonnull (inner);
  assert_value (inner, "$.text", "</script><b>\"it's\" & \\ ]]> \\xff \\x01\xc3\xa9\\n<!--");
  assert_value (inner, "$.none", NULL);
  assert_value (inner, "$.nan", NULL);
  assert_value (inner, "$.values", "[1.5,null,null,null,-0.25,1e-12]");
  assert_value (inner, "$.empty", "[]");
  assert_value (data, "$.parts[3]", "communication");
  assert_well_formed (text);
}

/* What is very long is cut between characters. */
static void
test_data_long (void)
{
  g_autoptr (PdPage) page = pd_page_new ("long");
  g_autoptr (GString) name = g_string_new (NULL);

  for (guint i = 0; i < 1000; i++)
    g_string_append (name, "\xc3\xa9");
  pd_page_data_string (page, "long", name->str);
  g_autofree char *text = write_page (page), *data = get_data (text);
  g_autofree char *found = extract (data, "$.long");
  g_assert_true (g_utf8_validate (found, -1, NULL));
  g_assert_cmpint (g_utf8_strlen (found, -1), ==, 301);
}

/* Names of any kind, everywhere, are counted as they are written. */
static void
test_data_room (void)
{
  g_autofree char *file = g_strnfill (290, '<');
  g_autoptr (PdReport) report = pd_report_new ();

  for (guint k = 0; k < 4; k++)
    pd_report_add_run (report, make_run (2, 1500, file));
  g_autofree char *text = write_report (report);
  g_assert_cmpuint (strlen (text), <=, MAX_PAGE);
}

/* What is no character of XML is none in the data either: pages are XML, too. */
static void
test_data_characters (void)
{
  g_autoptr (PdPage) page = pd_page_new ("odd");

  pd_page_data_string (page, "odd",
                       "a\xef\xbf\xbe"
                       "b\xef\xbf\xbf");
  g_autofree char *text = write_page (page), *data = get_data (text);
  assert_value (data, "$.odd", "a\\ufffeb\\uffff");
  assert_well_formed (text);
}

/* A machine and a list of files may be longer than a page. */
static void
test_long_lists (void)
{
  g_autoptr (PdReport) report = make_report (2, 3, "a.c");

  report->machine_parts = pd_report_new_machine_parts ();
  for (guint i = 0; i < 60000; i++)
    {
      PdReportMachinePart part = { i > 0, g_strdup ("node of 1 processor"),
                                   g_strdup ("speed 1.25, as measured") };
      PdReportInput input = { g_strdup_printf ("trace/rank%u", i), g_strnfill (64, '0') };
      g_array_append_val (report->machine_parts, part);
      g_array_append_val (report->inputs, input);
    }
  g_autofree char *text = write_report (report);
  g_assert_cmpuint (strlen (text), <=, MAX_PAGE);
  g_assert_nonnull (strstr (text, "more parts"));
  g_assert_nonnull (strstr (text, "more files"));
  g_assert_nonnull (strstr (text, "<code>predictor run</code>"));
  assert_well_formed (text);
}

/* Of a program that does nothing. */
static void
test_nothing (void)
{
  g_autoptr (PdReport) report = make_report (1, 0, "a.c");
  g_autofree char *text = write_report (report);

  g_assert_nonnull (strstr (text, "<b>0 s</b>"));
  g_assert_nonnull (strstr (text, "<span>0 B</span>"));
}

static void
test_hostile (void)
{
  g_autoptr (PdReport) report = make_report (2, 3, HOSTILE);
  PdReportInput input = { g_strdup (HOSTILE), g_strdup ("00") };
  PdReportMachinePart part = { 0, g_strdup (HOSTILE), g_strdup (HOSTILE) };

  g_array_append_val (report->inputs, input);
  report->machine = g_strdup (HOSTILE);
  report->machine_text = g_strdup (HOSTILE);
  report->machine_parts = pd_report_new_machine_parts ();
  g_array_append_val (report->machine_parts, part);
  g_autofree char *text = write_report (report), *data = get_data (text);

  g_assert_null (strstr (text, "</script><b>"));
  g_assert_null (strstr (text, "<b>\"it"));
  g_assert_null (strpbrk (data, "<>&"));
  assert_value (data, "$.machine.depth", "[0]");
  assert_well_formed (text);
}

/* ---- processors */

/* 1024 processors are 512 groups of two: p + 1 microseconds each, two loops. */
static void
test_processors (void)
{
  g_autoptr (PdReport) report = make_report (1024, 2, "a.c");
  g_autofree char *text = write_report (report), *data = get_data (text);
  g_autofree char *run = extract (data, "$.\"run1-processors\"");

  assert_value (run, "$.unit", "Processor");
  assert_value (run, "$.first[511]", "1022");
  assert_value (run, "$.last[511]", "1023");
  assert_value (run, "$.first[512]", NULL);
  assert_value (run, "$.mean[0][0]", "3.0e-06"); /* 2 * (1 + 2) / 2 */
  assert_value (run, "$.min[0][0]", "2.0e-06");
  assert_value (run, "$.max[0][0]", "4.0e-06");
  assert_value (run, "$.max[0][511]", "0.002048");
  assert_value (run, "$.min[4][511]", "0"); /* the last one is never idle */
  assert_value (run, "$.mean[4][511]", "1.0e-06");
  assert_value (run, "$.mean[5]", NULL); /* there are five parts */
}

/* Runs that have forgotten their processors have the rest. */
static void
test_compact (void)
{
  g_autoptr (PdReport) report = pd_report_new ();
  PdReportRun *run = make_run (4, 2, "a.c");

  pd_report_run_compact (run);
  pd_report_add_run (report, run);
  g_autofree char *text = write_report (report), *data = get_data (text);
  assert_value (data, "$.\"run1-processors\"", NULL);
  assert_value (data, "$.\"run1-intervals\".parent", "[-1,0,0]");
  g_assert_nonnull (strstr (text, "data-chart=\"parts\" data-key=\"run1-intervals\""));
  g_assert_null (strstr (text, "data-chart=\"processors\""));
}

/* ---- sizes */

static const struct
{
  const char *name;
  guint32 n_processors;
  guint n_intervals;
  guint n_runs;
  gboolean is_cut;
} sizes[] = {
  { "small", 2, 3, 1, FALSE },
  { "processors", 65536, 5, 1, FALSE },
  { "intervals", 2, 30000, 1, TRUE },
  { "runs", 2, 3, 3000, TRUE },
  { "runs-and-intervals", 2, 400, 200, TRUE },
};

static void
test_size (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdReport) report = pd_report_new ();

  for (guint k = 0; k < sizes[i].n_runs; k++)
    pd_report_add_run (report, make_run (sizes[i].n_processors, sizes[i].n_intervals, "a.c"));
  g_autofree char *text = write_report (report);
  g_assert_cmpuint (strlen (text), <=, MAX_PAGE);
  g_assert_cmpint (strstr (text, "class=\"cut\"") != NULL && strstr (text, " more ") != NULL, ==,
                   sizes[i].is_cut);
  g_autofree char *json = get_data (text);
  assert_value (json, "$.parts[0]", "productive computation");
  assert_well_formed (text);
}

/* ---- the frame */

static guint
count (const char *text, const char *word)
{
  guint n = 0;

  for (const char *p = strstr (text, word); p != NULL; p = strstr (p + 1, word))
    n++;
  return n;
}

static void
test_frame (void)
{
  g_autoptr (PdPage) page = pd_page_new ("title");

  pd_page_begin_folded (page, "outer", "Outer", FALSE);
  pd_page_begin_section (page, "inner", "Inner", "A sentence");
  pd_page_add_chart (page, "parts", "some-key", "Caption");
  pd_page_end_section (page);
  pd_page_begin_details (page, "More");
  pd_page_end_details (page);
  pd_page_end_section (page);
  pd_page_add_tile (page, "Time", "1 s", "a note");
  pd_page_add_cut (page, 0, "rows", "elsewhere");
  g_autofree char *text = write_page (page);
  assert_well_formed (text);
  g_assert_cmpuint (count (text, "<a href=\"#"), ==, 2);
  g_assert_cmpuint (count (text, "<section id="), ==, 2);
  g_assert_cmpuint (count (text, "id=\"some-key-parts\" data-chart=\"parts\""), ==, 1);
  g_assert_null (strstr (text, "elsewhere"));
  g_assert_cmpuint (count (text, "<script"), ==, pd_page_has_charts () ? 3 : 2);
}

/* Nothing is asked for but what is in the page. */
static void
test_offline (void)
{
  g_autoptr (PdPage) page = pd_page_new ("title");
  g_autofree char *text = write_page (page);

  g_assert_nonnull (strstr (text, "default-src 'none'"));
  g_assert_false (g_regex_match_simple ("(src|href|action)=[\"']?(https?:)?//", text, 0, 0));
  *strstr (text, "<script>") = '\0'; /* the library speaks of url(#…) */
  g_assert_false (g_regex_match_simple ("@import|url\\(", text, 0, 0));
}

/* ---- without the chart library */

static void
test_without_charts (void)
{
  static const PdPageFile none[] = { { .name = NULL } };

  pd_page_use_files (none);
  g_autoptr (PdReport) report = make_report (2, 3, "a.c");
  g_autofree char *text = write_report (report);
  g_assert_false (pd_page_has_charts ());
  g_assert_nonnull (strstr (text, "id=\"no-charts\""));
  g_assert_null (strstr (text, "Apache"));
  g_assert_nonnull (strstr (text, ">PAR a.c:3</td>"));
  g_assert_cmpuint (count (text, "<script"), ==, 2);
  assert_well_formed (text);
  pd_page_use_files (NULL);
}

static void
test_with_charts (void)
{
  if (!pd_page_has_charts ())
    {
      g_test_skip ("the chart library could not be fetched");
      return;
    }
  g_autoptr (PdReport) report = make_report (2, 3, "a.c");
  g_autofree char *text = write_report (report);
  g_assert_null (strstr (text, "id=\"no-charts\""));
  g_assert_nonnull (strstr (text, "Apache License 2.0"));
  g_assert_nonnull (strstr (text, "Licensed to the Apache Software Foundation"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_true (pd_sqlite_load (NULL));
  g_test_add_func ("/reports/page/data-values", test_data_values);
  g_test_add_func ("/reports/page/data-long", test_data_long);
  g_test_add_func ("/reports/page/data-room", test_data_room);
  g_test_add_func ("/reports/page/data-characters", test_data_characters);
  g_test_add_func ("/reports/page/long-lists", test_long_lists);
  g_test_add_func ("/reports/page/nothing", test_nothing);
  g_test_add_func ("/reports/page/hostile", test_hostile);
  g_test_add_func ("/reports/page/processors", test_processors);
  g_test_add_func ("/reports/page/compact", test_compact);
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *path = g_strconcat ("/reports/page/size/", sizes[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_size);
    }
  g_test_add_func ("/reports/page/frame", test_frame);
  g_test_add_func ("/reports/page/offline", test_offline);
  g_test_add_func ("/reports/page/without-charts", test_without_charts);
  g_test_add_func ("/reports/page/with-charts", test_with_charts);
  return g_test_run ();
}
