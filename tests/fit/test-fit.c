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

/* ---- what a run-time library does with memory */

/* Rows of times that these costs (ns) give; sizes rise at random. */
static char *
make_memory_sheet (GRand *random, const gdouble *costs, gdouble constant, const char *without)
{
  GString *text = g_string_new (FACTS "\ntable,kind,bytes,median_us,rounds,disturbed\n");

  for (gint64 bytes = 8; bytes <= 1 << 22; bytes *= g_rand_boolean (random) ? 2 : 8)
    {
      const struct
      {
        const char *kind;
        gdouble ns;
      } rows[] = {
        { "copy", costs[0] * (gdouble) bytes + costs[1] },
        { "copy-runs", (costs[0] + costs[1] / 8) * (gdouble) bytes },
        { "touch", costs[2] * (gdouble) bytes + constant },
        { "vector-copy", 7 },
      };
      for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
        if (g_strcmp0 (rows[i].kind, without) != 0)
          g_string_append_printf (text, "exchange,%s,%" G_GINT64_FORMAT ",%.12f,10,0\n",
                                  rows[i].kind, bytes, rows[i].ns / 1e3);
    }
  return g_string_free (text, FALSE);
}

static PdFitLibrary
fit_memory (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdSheetFile) sheet = pd_sheet_file_parse (text, strlen (text), "memory", &error);
  g_assert_no_error (error);
  g_autoptr (PdFitData) data = pd_fit_data_new (&sheet, 1, FALSE, &error);
  g_assert_no_error (error);
  PdFitLibrary library;

  pd_fit_library_find (data, &library);
  return library;
}

static void
assert_near (gdouble found, gdouble ns)
{
  g_assert_cmpfloat (fabs (found * 1e9 - ns), <=, 1e-5 * (ns + 1e-3));
}

/* What is put in comes out. */
static void
test_library (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (20);

  for (guint n = 0; n < 200; n++)
    {
      gdouble costs[3], constant = g_rand_double_range (random, 1, 2000);
      for (guint i = 0; i < 3; i++)
        costs[i] = exp (g_rand_double_range (random, log (0.01), log (3)));
      g_autofree char *text = make_memory_sheet (random, costs, constant, NULL);
      PdFitLibrary library = fit_memory (text);
      assert_near (library.pack_per_byte, costs[0]);
      assert_near (library.pack_per_run, costs[1]);
      assert_near (library.touch_per_byte, costs[2]);
      g_assert_cmpfloat (library.r2, >, 0.999);
    }
}

/* Copies of one kind do not tell bytes from runs; what does not fit shows in R2. */
static void
test_library_not (void)
{
  static const gdouble costs[] = { 0.08, 1.1, 0.3 };
  g_autoptr (GRand) random = g_rand_new_with_seed (21);
  g_autofree char *no_runs = make_memory_sheet (random, costs, 100, "copy-runs");
  g_autofree char *no_touch = make_memory_sheet (random, costs, 100, "touch");
  PdFitLibrary library = fit_memory (no_touch);

  g_assert_true (isnan (library.touch_per_byte));
  assert_near (library.pack_per_byte, costs[0]);
  library = fit_memory (FACTS);
  g_assert_true (isnan (library.pack_per_byte) && isnan (library.touch_per_byte));
  library = fit_memory (no_runs);
  g_assert_true (isnan (library.pack_per_byte) && isnan (library.pack_per_run));
  assert_near (library.touch_per_byte, costs[2]);
  library = fit_memory (FACTS "\ntable,kind,bytes,median_us\nexchange,copy,8,5\n"
                              "exchange,copy,8000,1\nexchange,copy-runs,8000,9\n"
                              "exchange,copy-runs,8,90\n");
  g_assert_cmpfloat (library.r2, <, 0.95);
  g_assert_cmpfloat (library.pack_per_byte, >=, 0);
  g_assert_cmpfloat (library.pack_per_run, >=, 0);
}

/* The description has it; without measurements it has nothing of it. */
static void
test_library_written (void)
{
  static const gdouble costs[] = { 0.125, 1.5, 0.25 };
  static const char transfers[] = "\ntable,variant,first,second,bytes,median_us\n"
                                  "transfer,1,0,1,8,1.008\ntransfer,1,0,1,1000,2\n"
                                  "transfer,1,0,1,9000,10\n";
  g_autoptr (GRand) random = g_rand_new_with_seed (22);
  g_autofree char *memory = make_memory_sheet (random, costs, 100, NULL);
  PdFitOptions options = { .name = "m", .network = "ethernet", .bound = PD_FIT_BOUND };

  for (guint with = 0; with < 2; with++)
    {
      g_autofree char *text = g_strconcat (with ? memory : FACTS, transfers, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (PdSheetFile) sheet = pd_sheet_file_parse (text, strlen (text), "all", &error);
      g_autoptr (PdFitData) data = pd_fit_data_new (&sheet, 1, FALSE, &error);
      g_autofree char *xml = pd_fit_description (data, &options, &error);
      g_assert_no_error (error);
      g_assert_cmpint (with, ==,
                       strstr (xml, " pack-per-byte=\"0.125ns\" pack-per-run=\"1.5ns\" "
                                    "touch-per-byte=\"0.25ns\"")
                           != NULL);
      g_assert_cmpint (with, ==, strstr (xml, "pack-per") != NULL);
    }
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
  g_test_add_data_func ("/fit/sheet/cut/memory", "tests/data/measure-memory.csv", test_cut);
  g_test_add_func ("/fit/data/good", test_data);
  g_test_add_func ("/fit/data/disturbed", test_disturbed);
  g_test_add_func ("/fit/data/arrival", test_arrival);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *path = g_strconcat ("/fit/data/wrong/", wrong[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_wrong);
    }
  g_test_add_func ("/fit/library/property", test_library);
  g_test_add_func ("/fit/library/not", test_library_not);
  g_test_add_func ("/fit/library/written", test_library_written);
  g_test_add_func ("/fit/lines/protocols", test_lines);
  g_test_add_func ("/fit/lines/signs", test_signs);
  g_test_add_func ("/fit/lines/r2", test_r2);
  return g_test_run ();
}
