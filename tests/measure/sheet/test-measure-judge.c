/* Comparison of two files and guidelines, on files with known times.
 * SPDX-License-Identifier: MIT */
#include "measure/sheet/pd-guidelines.h"
#include "measure/sheet/pd-sheet-compare.h"

#include <glib/gstdio.h>
#include <string.h>

static char *folder;

static char *
write_file (const char *name, const char *text)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

/* ---- comparison */

#define HEADER "table,variant,first,second,bytes,round,time_us,switches,disturbed,oversubscribed\n"

/* A launch of the program: rounds of 10 + i / 100 us, @factor times as long; every third
 * one is disturbed, and takes a second. */
static void
add_launch (GString *text, int rounds, gint64 bytes, gdouble factor)
{
  g_string_append (text, "table,name,value\nfact,mpi,known\n\n" HEADER);
  for (int i = 0; i < rounds; i++)
    g_string_append_printf (text, "transfer_round,1,0,1,%" G_GINT64_FORMAT ",%d,%.6f,%d,%d,0\n",
                            bytes, i + 1, i % 3 == 2 ? 1e6 : factor * (10 + i / 100.0), i % 3 == 2,
                            i % 3 == 2);
}

static char *
write_launches (const char *name, int launches, int rounds, gint64 bytes, gdouble factor)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < launches; i++)
    add_launch (text, rounds, bytes, factor * (1 + i / 1e4));
  return write_file (name, text->str);
}

static const struct
{
  const char *name;
  int launches;
  int rounds;
  gdouble factor; /* of the second file */
  PdCompareCounts counts;
  const char *said;
} comparisons[] = {
  { "slower", 1, 12, 1.5, { 1, 1, 0, 0, 0 }, "is slower in the second file" },
  { "faster", 1, 12, 0.5, { 1, 0, 1, 0, 0 }, "-50.0 %" },
  { "same", 1, 12, 1.0005, { 1, 0, 0, 0, 0 }, "no difference shown" },
  { "too-few", 1, 3, 1.5, { 1, 0, 0, 1, 0 }, "too few" },
  { "runs", 4, 3, 1.5, { 1, 1, 0, 0, 0 }, "runs" },
  { "pooled-rounds", 3, 4, 1.5, { 1, 1, 0, 0, 0 }, "rounds" },
};

static void
test_compare (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  int launches = comparisons[i].launches, rounds = comparisons[i].rounds;
  g_autofree char *first = write_launches ("first.csv", launches, rounds, 8, 1);
  g_autofree char *second =
      write_launches ("second.csv", launches, rounds, 8, comparisons[i].factor);
  g_autoptr (GError) error = NULL;
  PdCompareCounts counts;
  g_autoptr (PdSheet) sheet = pd_sheet_compare_files (first, second, 0.05, &counts, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (counts.compared, ==, comparisons[i].counts.compared);
  g_assert_cmpuint (counts.slower, ==, comparisons[i].counts.slower);
  g_assert_cmpuint (counts.faster, ==, comparisons[i].counts.faster);
  g_assert_cmpuint (counts.too_few, ==, comparisons[i].counts.too_few);
  g_autofree char *text = pd_sheet_format_text (sheet);
  g_assert_nonnull (strstr (text, comparisons[i].said));
}

/* A case of which one file has disturbed rounds only is not judged, in whichever file it is, and
 * takes no part in the correction: the other case is as significant as alone. */
static void
test_disturbed (void)
{
  g_autoptr (GString) quiet = g_string_new (NULL), busy = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  PdCompareCounts counts;

  add_launch (quiet, 12, 8, 1);
  add_launch (quiet, 12, 16, 1);
  add_launch (busy, 12, 8, 1.5);
  for (int i = 0; i < 12; i++)
    g_string_append_printf (busy, "transfer_round,1,0,1,16,%d,%d,3,1,0\n", i + 1, 90 + i);
  g_autofree char *first = write_file ("first.csv", quiet->str);
  g_autofree char *second = write_file ("second.csv", busy->str);
  for (int swap = 0; swap < 2; swap++)
    {
      g_autoptr (PdSheet) sheet = pd_sheet_compare_files (
          swap ? second : first, swap ? first : second, 0.05, &counts, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (counts.compared, ==, 2);
      g_assert_cmpuint (swap ? counts.faster : counts.slower, ==, 1);
      g_assert_cmpuint (counts.disturbed, ==, 1);
      g_autofree char *text = pd_sheet_format_text (sheet);
      g_assert_nonnull (strstr (text, "correction for 1 tests"));
      g_assert_null (strstr (text, "of 16 bytes is"));
    }
}

static PdSheet *
compare_bytes (gint64 first_bytes, gint64 second_bytes, GError **error)
{
  g_autofree char *first = write_launches ("first.csv", 1, 12, first_bytes, 1);
  g_autofree char *second = write_launches ("second.csv", 1, 12, second_bytes, 1);
  PdCompareCounts counts;

  return pd_sheet_compare_files (first, second, 0.05, &counts, error);
}

/* Sizes of one file only are counted; nothing in common is an error. */
static void
test_sizes (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  PdCompareCounts counts;

  add_launch (text, 12, 8, 1);
  add_launch (text, 12, 16, 1);
  g_autofree char *both = write_file ("both.csv", text->str);
  g_autofree char *one = write_launches ("one.csv", 1, 12, 16, 1);
  g_autoptr (PdSheet) sheet = pd_sheet_compare_files (both, one, 0.05, &counts, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (counts.compared, ==, 1);
  g_autofree char *shown = pd_sheet_format_text (sheet);
  g_assert_nonnull (strstr (shown, "only_in_first: 1 cases\nonly_in_second: 0 cases"));
  g_assert_null (compare_bytes (8, 16, &error));
  g_assert_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ);
}

static const struct
{
  const char *name;
  const char *text;
  int code;
} bad[] = {
  { "no-rounds", "table,name,value\nfact,mpi,known\n", PD_MEASURE_ERROR_READ },
  { "no-number", "table,variant,bytes,time_us\ntransfer_round,1,8,1\ntransfer_round,1,8,fast\n",
    PD_MEASURE_ERROR_READ },
  { "infinite", "table,variant,bytes,time_us\ntransfer_round,1,8,inf\n", PD_MEASURE_ERROR_READ },
  { "cut", "table,variant,bytes,time_us\ntransfer_round,1,8", PD_MEASURE_ERROR_READ },
};

static void
test_bad (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *path = write_file ("bad.csv", bad[i].text);
  g_autoptr (GError) error = NULL;
  PdCompareCounts counts;

  g_assert_null (pd_sheet_compare_files (path, path, 0.05, &counts, &error));
  g_assert_error (error, PD_MEASURE_ERROR, bad[i].code);
}

/* ---- guidelines */

#define OPERATIONS                                                                                 \
  "table,operation,form,processes,bytes,datatype,op,global_median_us,global_median_low_us,"        \
  "global_median_high_us\n"
#define ROW(name, bytes, op, median, low, high)                                                    \
  "collective," name ",blocking,4," bytes ",double," op "," median "," low "," high "\n"

static const struct
{
  const char *name;
  const char *rows;
  PdGuidelineCounts counts;
  const char *said;
} guides[] = {
  { "reduce-and-bcast",
    ROW ("allreduce", "8", "sum", "9", "8.1", "9.5") ROW ("reduce", "8", "sum", "4", "3", "4.5")
        ROW ("bcast", "8", "", "3", "2", "3.5"),
    { 2, 1, 0 }, /* and reduce <= allreduce */
    "allreduce <= reduce + bcast" },
  { "intervals-overlap",
    ROW ("allreduce", "8", "sum", "9", "7.9", "9.5") ROW ("reduce", "8", "sum", "4", "3", "4.5")
        ROW ("bcast", "8", "", "3", "2", "3.5"),
    { 2, 0, 1 },
    "1 doubtful" },
  /* p blocks: of 32 bytes; the bcast of 8 bytes is no comparison */
  { "scatter-bcast",
    ROW ("scatter", "8", "", "5", "4", "6") ROW ("bcast", "8", "", "1", "1", "1")
        ROW ("bcast", "32", "", "2", "2", "3"),
    { 3, 1, 0 },
    "scatter <= bcast; scatter of 8 bytes on 4 processes takes 5.000 us (at least 4.000), bcast of "
    "32 bytes takes 2.000 us (at most 3.000): 2.50 times as long" },
  /* the next greater size stands for one that is not there */
  { "next-greater",
    ROW ("scatter", "8", "", "5", "4", "6") ROW ("bcast", "64", "", "2", "2", "3"),
    { 1, 1, 0 },
    "bcast of 64 bytes" },
  { "monotony",
    ROW ("bcast", "8", "", "5", "4", "6") ROW ("bcast", "12", "", "2", "1", "3"),
    { 1, 1, 0 },
    "monotony" },
  { "splitting",
    ROW ("bcast", "8", "", "1", "1", "1") ROW ("bcast", "32", "", "5", "4.5", "6"),
    { 2, 1, 0 },
    "4 of 8 bytes take" },
  { "several-launches",
    ROW ("bcast", "8", "", "9", "9", "9")
        ROW ("bcast", "12", "", "2", "1",
             "3") "\n"
                  "table,name,value\nfact,mpi,known\n\n" OPERATIONS ROW (
                      "bcast", "8", "", "1", "1",
                      "1") "\n"
                           "table,name,value\nfact,mpi,known\n\n" OPERATIONS ROW ("bcast", "8", "",
                                                                                  "1", "1", "1"),
    { 1, 0, 0 },
    "0 violated" },
  /* another reduction is another circumstance */
  { "other-op",
    ROW ("bcast", "8", "", "3", "3", "3") ROW (
        "reduce", "8", "sum", "9", "9", "9") "\n"
                                             "table,name,value\nfact,mpi,known\n\n" OPERATIONS ROW (
                                                 "allreduce", "8", "max", "1", "1", "1")
                                                 ROW ("allreduce", "12", "max", "1", "1", "1"),
    { 1, 0, 0 },
    "1 guidelines checked" },
};

static void
test_guideline (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *text =
      g_strconcat ("table,name,value\nfact,mpi,known\n\n" OPERATIONS, guides[i].rows, NULL);
  g_autofree char *path = write_file ("guide.csv", text);
  g_autoptr (GError) error = NULL;
  PdGuidelineCounts counts;
  g_autoptr (PdSheet) sheet = pd_guidelines_of_file (path, &counts, &error);

  g_assert_no_error (error);
  g_autofree char *shown = pd_sheet_format_text (sheet);
  g_assert_nonnull (strstr (shown, guides[i].said));
  g_assert_cmpuint (counts.checked, ==, guides[i].counts.checked);
  g_assert_cmpuint (counts.violated, ==, guides[i].counts.violated);
  g_assert_cmpuint (counts.doubtful, ==, guides[i].counts.doubtful);
}

static void
test_nothing (void)
{
  g_autofree char *path =
      write_file ("guide.csv", OPERATIONS ROW ("bcast", "8", "", "5", "4", "6"));
  g_autoptr (GError) error = NULL;
  PdGuidelineCounts counts;

  g_assert_null (pd_guidelines_of_file (path, &counts, &error));
  g_assert_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ);
}

static void
remove_folder (void)
{
  static const char *const names[] = { "first.csv", "second.csv", "both.csv",
                                       "one.csv",   "bad.csv",    "guide.csv" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);
      g_unlink (path);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (folder);
}

#define ADD(rows, prefix, function)                                                                \
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)                                                  \
    {                                                                                              \
      g_autofree char *path = g_strconcat (prefix, rows[i].name, NULL);                            \
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), function);                                 \
    }

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("judge-XXXXXX", NULL);
  g_assert_nonnull (folder);
  ADD (comparisons, "/measure/compare/", test_compare)
  g_test_add_func ("/measure/compare/disturbed", test_disturbed);
  g_test_add_func ("/measure/compare/sizes", test_sizes);
  ADD (bad, "/measure/compare/bad/", test_bad)
  ADD (guides, "/measure/guidelines/", test_guideline)
  g_test_add_func ("/measure/guidelines/nothing", test_nothing);
  status = g_test_run ();
  remove_folder ();
  return status;
}
