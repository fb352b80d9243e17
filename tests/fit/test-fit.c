/* Sheets of predictor-measure: read, cut anywhere, wrong anywhere; lines through times.
 * SPDX-License-Identifier: MIT */
#include "fit/pd-fit-model.h"

#include <math.h>
#include <string.h>

#define FACTS      "table,name,value\nfact,command,transfer\nfact,mpi,\"MPICH 4, so called \"\"4\"\"\"\n"
#define TRANSFER   FACTS "\ntable,variant,first,second,bytes,median_us,oversubscribed\n"
#define COLLECTIVE FACTS "\ntable,operation,form,processes,bytes,global_median_us,oversubscribed\n"

/* ---- sheets */

static void
test_good (void)
{
  const char *text = TRANSFER "transfer,1,0,1,8,1.5,0\r\ntransfer,1,0,1,16,,0\n\n"
                              "table,a\nother,\"x,y\"\n";
  g_autoptr (GError) error = NULL;
  gdouble value;
  gint64 bytes;

  g_autoptr (PdSheetFile) sheet = pd_sheet_file_parse (text, strlen (text), "good", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (pd_sheet_file_get_fact (sheet, "mpi"), ==, "MPICH 4, so called \"4\"");
  g_assert_null (pd_sheet_file_get_fact (sheet, "host"));
  const PdSheetBlock *block = pd_sheet_file_get_block (sheet, "transfer");
  g_assert_cmpuint (pd_sheet_block_get_length (block), ==, 2);
  g_assert_true (pd_sheet_block_get_integer (block, 1, "bytes", &bytes, &error));
  g_assert_cmpint (bytes, ==, 16);
  g_assert_true (pd_sheet_block_get_real (block, 0, "median_us", &value, &error));
  g_assert_cmpfloat (value, ==, 1.5);
  g_assert_true (pd_sheet_block_get_real (block, 1, "median_us", &value, &error) && isnan (value));
  g_assert_true (pd_sheet_block_get_real (block, 1, "absent", &value, &error) && isnan (value));
  g_assert_null (pd_sheet_block_get_text (block, 0, "absent", &error));
  g_assert_error (error, PD_FIT_ERROR, PD_FIT_ERROR_FORMAT);
  g_assert_cmpstr (pd_sheet_block_get_text (pd_sheet_file_get_block (sheet, "other"), 0, "a", NULL),
                   ==, "x,y");
}

static const struct
{
  const char *name;
  const char *text;
  const char *place; /* of the message */
} bad[] = {
  { "empty", "", "bad:1:" },
  { "no-facts", "table,a\nb,1\n", "bad:3:" },
  { "no-header", "fact,command,transfer\n", "bad:1:" },
  { "fields", FACTS "table,a,b\nx,1\n", "bad:5:" },
  { "twice", FACTS "fact,mpi,other\n", "bad:4:" },
  { "column-twice", FACTS "table,a,a\n", "bad:4:" },
  { "other-columns", FACTS "table,a\nx,1\ntable,b\nx,1\n", "bad:7:" },
  { "fact-columns", "table,a,b\nfact,command,x\n", "bad:2:" },
  { "quote", FACTS "table,a\nx,\"1\n", "bad:5:" },
  { "behind-quote", FACTS "table,a\nx,\"1\"2\n", "bad:5:" },
  { "cut", FACTS "table,a\nx,1", "bad:5:" },
  { "control", FACTS "table,a\nx,\001\n", "bad:1:" },
  { "utf-8", FACTS "table,a\nx,\377\n", "bad:1:" },
};

static void
test_bad (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;

  g_assert_null (pd_sheet_file_parse (bad[i].text, strlen (bad[i].text), "bad", &error));
  g_assert_error (error, PD_FIT_ERROR, PD_FIT_ERROR_FORMAT);
  g_assert_true (g_str_has_prefix (error->message, bad[i].place));
}

/* Whatever is left of a sheet is read or refused; within a line it is refused. */
static void
test_cut (gconstpointer path)
{
  g_autofree char *text = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (path, &text, &size, NULL));
  for (gsize n = 0; n < size; n++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *part = g_strndup (text, n); /* of that size, for sanitizers */
      g_autoptr (PdSheetFile) sheet = pd_sheet_file_parse (part, n, "cut", &error);
      g_assert_true ((sheet == NULL) == (error != NULL));
      g_assert_true (sheet == NULL || text[n - 1] == '\n');
      if (sheet == NULL)
        continue;
      g_autoptr (PdFitData) found = pd_fit_data_new (&sheet, 1, FALSE, &error);
      g_assert_true ((found == NULL) == (error != NULL));
    }
}

/* ---- what they say */

static PdFitData *
read_text (const char *text, gboolean force, GError **error)
{
  g_autoptr (PdSheetFile) sheet = pd_sheet_file_parse (text, strlen (text), "sheet", error);

  return sheet != NULL ? pd_fit_data_new (&sheet, 1, force, error) : NULL;
}

/* What processes take that do not come together is no time of the operation. */
static void
test_arrival (void)
{
  const char *text = FACTS "\ntable,operation,form,processes,bytes,arrival,global_median_us\n"
                           "collective,bcast,blocking,2,8,late,105\n"
                           "collective,bcast,blocking,2,16,,5\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (PdFitData) data = read_text (text, FALSE, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (data->times->len, ==, 1);
  g_assert_cmpuint (data->n_left_out, ==, 1);
}

/* Times of disturbed rounds only are taken, and counted. */
static void
test_disturbed (void)
{
  const char *text = FACTS "\ntable,variant,first,second,bytes,rounds,disturbed,median_us\n"
                           "transfer,1,0,1,8,10,10,3\ntransfer,1,0,1,16,10,9,3\n"
                           "transfer,5,0,1,8,10,10,3\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (PdFitData) data = read_text (text, FALSE, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (data->times->len, ==, 2);
  g_assert_cmpuint (data->n_disturbed, ==, 1);
}

static void
test_data (void)
{
  const char *text = FACTS "fact,hosts,0*2 1*2\n\n"
                           "table,variant,first,second,bytes,median_us,oversubscribed\n"
                           "transfer,1,0,1,8,3,0\ntransfer,1,0,1,8,1,0\ntransfer,1,0,1,8,2,0\n"
                           "transfer,1,0,2,8,7,0\ntransfer,2,0,1,8,2,0\ntransfer,5,0,1,8,9,0\n"
                           "table,operation,form,processes,bytes,global_median_us\n"
                           "collective,reduce_scatter_block,blocking,4,8,5\n"
                           "collective,bcast,blocking,2,8,5\ncollective,ibcast,nonblocking,2,8,5\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (PdFitData) data = read_text (text, FALSE, &error);

  g_assert_no_error (error);
  g_assert_cmpint (data->hosts, ==, 2);
  g_assert_cmpint (data->per_host, ==, 2);
  g_assert_cmpuint (data->n_left_out, ==, 1);
  g_assert_cmpuint (data->times->len, ==, 5);
  g_autoptr (GArray) near = pd_fit_data_select (data, "ping-pong", PD_FIT_MEMORY);
  g_autoptr (GArray) far = pd_fit_data_select (data, "ping-pong", PD_FIT_NETWORK);
  g_autoptr (GArray) both = pd_fit_data_select (data, "sendrecv", PD_FIT_MEMORY);
  g_autoptr (GArray) four = pd_fit_data_select (data, "reduce-scatter-block", PD_FIT_MEMORY);
  g_autoptr (GArray) two = pd_fit_data_select (data, "bcast", PD_FIT_MEMORY);
  g_assert_cmpuint (near->len, ==, 1);
  g_assert_cmpfloat (fabs (g_array_index (near, PdFitTime, 0).time - 2e-6), <, 1e-15);
  g_assert_cmpfloat (fabs (g_array_index (far, PdFitTime, 0).time - 7e-6), <, 1e-15);
  g_assert_cmpfloat (fabs (g_array_index (both, PdFitTime, 0).time - 4e-6), <, 1e-15);
  g_assert_cmpint (g_array_index (four, PdFitTime, 0).per_node, ==, 2);
  g_assert_cmpint (g_array_index (two, PdFitTime, 0).per_node, ==, 0);
}

static const struct
{
  const char *name;
  const char *text;
  int code;
} wrong[] = {
  { "time-zero", TRANSFER "transfer,1,0,1,8,0,0\n", PD_FIT_ERROR_FORMAT },
  { "time-negative", TRANSFER "transfer,1,0,1,8,-1,0\n", PD_FIT_ERROR_FORMAT },
  { "time-missing", TRANSFER "transfer,1,0,1,8,,0\n", PD_FIT_ERROR_FORMAT },
  { "time-infinite", TRANSFER "transfer,1,0,1,8,1e999,0\n", PD_FIT_ERROR_FORMAT },
  { "bytes", TRANSFER "transfer,1,0,1,9223372036854775808,1,0\n", PD_FIT_ERROR_FORMAT },
  { "bytes-many", TRANSFER "transfer,1,0,1,2000000000000,1,0\n", PD_FIT_ERROR_FORMAT },
  { "crowded", TRANSFER "transfer,1,0,1,8,1,1\n", PD_FIT_ERROR_CROWDED },
  { "pretended",
    FACTS "\ntable,level,bytes,sharing,median_us,pretended,oversubscribed\n"
          "contention,memory,8,1,1,1,0\n",
    PD_FIT_ERROR_FORMAT },
  { "crowded-collective", COLLECTIVE "collective,bcast,blocking,4,8,1,1\n", PD_FIT_ERROR_CROWDED },
  { "no-column", FACTS "table,variant,first,second,bytes\ntransfer,1,0,1,8\n",
    PD_FIT_ERROR_FORMAT },
  { "hosts", FACTS "fact,hosts,2 hosts\n", PD_FIT_ERROR_FORMAT },
  { "hosts-many", FACTS "fact,hosts,0*1000000000000\n", PD_FIT_ERROR_FORMAT },
  { "no-mpi", "table,name,value\nfact,command,transfer\n", PD_FIT_ERROR_DATA },
  { "level", FACTS "table,level,bytes,sharing,median_us\ncontention,moon,8,2,1\n",
    PD_FIT_ERROR_FORMAT },
  { "loggp", FACTS "table,from_bytes,to_bytes,latency_us\nloggp,1,8,-1\n", PD_FIT_ERROR_FORMAT },
};

static void
test_wrong (gconstpointer row)
{
  gsize i = GPOINTER_TO_SIZE (row);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdFitData) data = read_text (wrong[i].text, FALSE, &error);

  g_assert_null (data);
  g_assert_error (error, PD_FIT_ERROR, wrong[i].code);
  if (wrong[i].code != PD_FIT_ERROR_CROWDED)
    return;
  data = read_text (wrong[i].text, TRUE, NULL);
  g_assert_nonnull (data);
}

/* ---- lines */

/* Two protocols, with what is measured a percent off in turn. */
static void
test_lines (void)
{
  g_autoptr (GArray) times = g_array_new (FALSE, TRUE, sizeof (PdFitTime));
  g_autoptr (GError) error = NULL;

  for (gint64 bytes = 1, i = 0; bytes <= 1 << 22; bytes *= 2, i++)
    {
      gdouble exact =
          bytes <= 4096 ? 1e-6 + 0.1e-9 * (gdouble) bytes : 20e-6 + 0.25e-9 * (gdouble) bytes;
      PdFitTime time = { .bytes = bytes, .time = exact * (i % 2 == 0 ? 1.01 : 0.99) };
      g_array_append_val (times, time);
    }
  g_autoptr (PdFitLines) lines = pd_fit_lines_new (times, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (lines->lines->len, ==, 2);
  const PdFitLine *first = &g_array_index (lines->lines, PdFitLine, 0);
  const PdFitLine *second = first + 1;
  g_assert_cmpint (first->to, ==, 4096);
  g_assert_cmpint (second->from, ==, 8192);
  g_assert_cmpint (lines->eager, ==, 4096);
  g_assert_cmpfloat (fabs (first->startup / 1e-6 - 1), <, 0.02);
  g_assert_cmpfloat (fabs (second->per_byte / 0.25e-9 - 1), <, 0.02);
  g_assert_cmpfloat (fabs (second->residual / 0.01 - 1), <, 0.2);
  g_assert_cmpfloat (lines->r2, >, 0.999);
  g_array_set_size (times, 2);
  g_assert_null (pd_fit_lines_new (times, &error));
  g_assert_error (error, PD_FIT_ERROR, PD_FIT_ERROR_DATA);
}

/* Nothing negative comes out of times that fall, or of a line below the origin. */
static void
test_signs (void)
{
  static const gdouble falling[] = { 3, 2, 1.5, 1 }, below[] = { 0.1, 5, 10, 15 };
  const gdouble *both[] = { falling, below };

  for (guint k = 0; k < 2; k++)
    {
      g_autoptr (GArray) times = g_array_new (FALSE, TRUE, sizeof (PdFitTime));
      for (gint64 i = 0; i < 4; i++)
        {
          PdFitTime time = { .bytes = 10 * i, .time = both[k][i] };
          g_array_append_val (times, time);
        }
      g_autoptr (PdFitLines) lines = pd_fit_lines_new (times, NULL);
      g_assert_cmpfloat (lines->all.startup, >=, 0);
      g_assert_cmpfloat (lines->all.per_byte, >=, 0);
    }
}

/* By hand: logarithms 0, 1, 2; the model 0, 1, 1: 1 - 1/2. */
static void
test_r2 (void)
{
  const gdouble measured[] = { 1, G_E, G_E * G_E }, model[] = { 1, G_E, G_E };

  g_assert_cmpfloat (fabs (pd_fit_r2 (measured, model, 3) - 0.5), <, 1e-12);
  g_assert_cmpfloat (pd_fit_r2 (measured, measured, 3), ==, 1);
  g_assert_cmpfloat (pd_fit_r2 (model, model, 1), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fit/sheet/good", test_good);
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = g_strconcat ("/fit/sheet/bad/", bad[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_bad);
    }
  g_test_add_data_func ("/fit/sheet/cut/transfer", "tests/data/measure-transfer.csv", test_cut);
  g_test_add_data_func ("/fit/sheet/cut/collective", "tests/data/measure-collective.csv", test_cut);
  g_test_add_func ("/fit/data/good", test_data);
  g_test_add_func ("/fit/data/disturbed", test_disturbed);
  g_test_add_func ("/fit/data/arrival", test_arrival);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *path = g_strconcat ("/fit/data/wrong/", wrong[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_wrong);
    }
  g_test_add_func ("/fit/lines/protocols", test_lines);
  g_test_add_func ("/fit/lines/signs", test_signs);
  g_test_add_func ("/fit/lines/r2", test_r2);
  return g_test_run ();
}
