/* The protocol: its lines by hand, the same for every order of simulation, and
 * what it does not change; the sorting of more lines than fit in memory.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "predictor/common/pd-errors.h"
#include "predictor/common/pd-line-sort.h"
#include "predictor/dvm/simulate/pd-simulation.h"
#include "tests/support/dvm/copy-trace.h"
#include "tests/support/predict.h"
#include "tests/support/dvm/programs.h"
#include "tests/support/dvm/tasks.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sorting */

static gboolean
append (gpointer data, const char *text, gsize length, GError **error)
{
  (void) error;
  g_string_append_len (data, text, (gssize) length);
  return TRUE;
}

/* Lines of random keys and lengths; that of key (a, b, c) is "a b c i xxx". */
static char *
sort_lines (guint n, gsize memory)
{
  g_autoptr (PdLineSort) sort = pd_line_sort_new (g_get_tmp_dir (), memory);
  g_autoptr (GRand) random = g_rand_new_with_seed (n);
  g_autoptr (GError) error = NULL;
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      PdLineKey key = { g_rand_int (random) % 50, g_rand_int (random) % 4,
                        g_rand_int (random) % 2 };
      g_autofree char *tail = g_strnfill (g_rand_int (random) % 100, 'x');
      g_autofree char *line = g_strdup_printf ("%2" G_GUINT64_FORMAT " %u %u %06u %s\n", key.major,
                                               key.minor, key.part, i, tail);
      pd_line_sort_add (sort, key, line, strlen (line));
    }
  g_assert_true (pd_line_sort_write (sort, append, text, &error));
  g_assert_no_error (error);
  /* it can be used again */
  g_assert_true (pd_line_sort_write (sort, append, text, &error));
  return g_string_free (text, FALSE);
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* Keys and numbers have fixed widths, so the order is that of the texts. */
static void
test_sort (void)
{
  static const guint sizes[] = { 1, 2, 100, 5000 };
  static const gsize memories[] = { 1, 100, 4096, 100000, 1 << 24 };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (gsize m = 0; m < G_N_ELEMENTS (memories); m++)
      {
        g_autofree char *text = sort_lines (sizes[i], memories[m]);
        g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
        guint n = g_strv_length (lines);
        g_autofree char **sorted = g_new (char *, n);
        g_assert_cmpuint (n, ==, sizes[i] + 1); /* "" after the last newline */
        memcpy (sorted, lines, n * sizeof *lines);
        qsort (sorted, n - 1, sizeof *sorted, compare_texts);
        for (guint k = 0; k < n; k++)
          g_assert_true (sorted[k] == lines[k]);
      }
}

static void
test_sort_nothing (void)
{
  g_autofree char *text = sort_lines (0, 1);

  g_assert_cmpstr (text, ==, "");
}

/* A line that is longer than any buffer. */
static void
test_sort_long (void)
{
  g_autoptr (PdLineSort) sort = pd_line_sort_new (g_get_tmp_dir (), 1);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *line = g_strnfill (300000, 'y');

  pd_line_sort_add (sort, (PdLineKey){ 2, 0, 0 }, line, 300000);
  pd_line_sort_add (sort, (PdLineKey){ 1, 0, 0 }, "", 0);
  pd_line_sort_add (sort, (PdLineKey){ 0, 0, 0 }, "x", 1);
  g_assert_true (pd_line_sort_write (sort, append, text, NULL));
  g_assert_cmpuint (text->len, ==, 300001);
  g_assert_cmpint (text->str[0], ==, 'x');
  g_assert_cmpint (text->str[300000], ==, 'y');
}

/* A folder that cannot be written is told of at the end, and only if needed. */
static void
test_sort_folder (void)
{
  g_autoptr (PdLineSort) sort = pd_line_sort_new ("/no/such", 10);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  pd_line_sort_add (sort, (PdLineKey){ 1, 0, 0 }, "123456789\n", 10);
  pd_line_sort_add (sort, (PdLineKey){ 1, 0, 0 }, "123456789\n", 10);
  g_assert_false (pd_line_sort_write (sort, append, text, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
  g_clear_error (&error);
  g_assert_true (pd_line_sort_write (sort, append, text, &error));
  g_assert_cmpuint (text->len, ==, 0);
}

static gboolean
refuse (gpointer data, const char *text, gsize length, GError **error)
{
  (void) text, (void) length;
  if (--*(int *) data > 0)
    return TRUE;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSPC, "full");
  return FALSE;
}

static void
test_sort_refused (void)
{
  for (gsize memory = 1; memory <= 1000; memory += 999)
    {
      g_autoptr (PdLineSort) sort = pd_line_sort_new (g_get_tmp_dir (), memory);
      g_autoptr (GError) error = NULL;
      int left = 2;
      for (guint i = 0; i < 5; i++)
        pd_line_sort_add (sort, (PdLineKey){ 1, 0, 0 }, "x\n", 2);
      g_assert_false (pd_line_sort_write (sort, refuse, &left, &error));
      g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSPC);
      g_assert_cmpint (left, ==, 0);
    }
}

/* ---- protocols of predictions */

/* Runs @trace on @grid with a protocol, which is returned; @dump: the result. */
static char *
log_of (TestTrace *trace, const char *grid, PdPredictOptions *options, PdLogOptions wanted,
        char **dump)
{
  char *text = NULL;
  size_t size;
  g_autoptr (GError) error = NULL;

  wanted.streams[0] = open_memstream (&text, &size);
  g_autoptr (PdLog) log = pd_log_new (&wanted, &error);
  g_assert_no_error (error);
  options->log = log;
  g_autoptr (TestRun) run = test_run (trace, grid, options);
  g_assert_true (pd_log_close (log, &error));
  options->log = NULL;
  fclose (wanted.streams[0]);
  if (dump != NULL)
    *dump = test_dump (run);
  char *copy = g_strdup (text);
  free (text);
  return copy;
}

/* Without the blanks that align, and times in units of 1 us. */
static char *
squeeze (const char *text)
{
  g_autoptr (GRegex) blanks = g_regex_new (" +", 0, 0, NULL);
  g_autoptr (GRegex) times = g_regex_new ("0\\.00000([0-9])([0-9])00000", 0, 0, NULL);
  g_autofree char *first = g_regex_replace_literal (blanks, text, -1, 0, " ", 0, NULL);

  return g_regex_replace (times, first, -1, 0, "\\1.\\2", 0, NULL);
}

/* 2 ordinary, a loop of 8 on two processors of which the second has 3 of 7
 * iterations, an Allreduce of 0.5, shadow edges, 1 of output, 1 ordinary. */
static TestTrace *
example (void)
{
  TestTrace *trace = test_trace_new ("1");
  gint64 array = test_trace_array (trace, "8", test_trace_template (trace, "8", "1"), "1*1+0");

  trace->line = 5;
  test_trace_ordinary (trace, 1, 1);
  test_trace_open (trace, "binter_", 6, 1, 0, 0);
  trace->line = 7;
  gint64 loop = test_trace_loop (trace, array, "0:6", "1*1+0");
  gint64 group = test_trace_reduction (trace, "1 4 1 0", loop);
  test_trace_dopl (trace, loop, 0, 1);
  test_trace_dopl (trace, loop, 7, 0);
  test_trace_end_loop (trace, loop);
  trace->line = 8;
  test_trace_group (trace, "strtrd_", group, 0, 0);
  test_trace_group (trace, "waitrd_", group, 0, 0);
  test_trace_close (trace, "einter_", 6, 1, 0, 0);
  trace->line = 9;
  gint64 shadow = test_trace_shadow (trace, array, "1", "1", FALSE);
  test_trace_group (trace, "strtsh_", shadow, 0, 0);
  test_trace_group (trace, "waitsh_", shadow, 1, 0);
  test_trace_io (trace, "dvm_void_printf", 1, "Format=x", "Res=2;");
  test_trace_exit (trace, 1);
  return trace;
}

#define MACHINE "ethernet:startup=0,per-byte=0,collectives=simple,collective-time=0.5us"

static const char expected[] =
    " 13 0 0.0 2.0 getrnk_ at t.fdv:5: ordinary time; in MAIN\n"
    " 13 1 0.0 2.0 getrnk_ at t.fdv:5: ordinary time; in MAIN\n"
    " 27-29 0 2.0 6.0 dopl_ at t.fdv:7: 4 of 7 iterations; in USER t.fdv:6\n"
    " 27-29 1 2.0 5.0 dopl_ at t.fdv:7: 3 of 7 iterations; in USER t.fdv:6\n"
    " 33 0 6.0 6.5 strtrd_ at t.fdv:8: allreduce of 8 B among 2; in USER t.fdv:6\n"
    " 33 1 5.0 6.5 strtrd_ at t.fdv:8: allreduce of 8 B among 2; in USER t.fdv:6\n"
    " 33 1 5.0 6.0 of this 1.0 s until processor 0 came\n"
    " 43 0 6.5 6.5 strtsh_ at t.fdv:9: starts receive 8 B from 1, send 8 B to 1; in MAIN\n"
    " 43 1 6.5 6.5 strtsh_ at t.fdv:9: starts receive 8 B from 0, send 8 B to 0; in MAIN\n"
    " 45 0 6.5 7.5 waitsh_ at t.fdv:9: ordinary time; in MAIN\n"
    " 45 1 6.5 7.5 waitsh_ at t.fdv:9: ordinary time; in MAIN\n"
    " 45 0 7.5 7.5 waitsh_ at t.fdv:9: waits for 2 messages: from 1, to 1; in MAIN\n"
    " 45 1 7.5 7.5 waitsh_ at t.fdv:9: waits for 2 messages: from 0, to 0; in MAIN\n"
    " 47 0 7.5 8.5 dvm_void_printf at t.fdv:9: input or output of its own; in MAIN\n"
    " 49 0 8.5 9.5 Event_dvm_exit at t.fdv:9: ordinary time; in MAIN\n"
    " 49 1 7.5 8.5 Event_dvm_exit at t.fdv:9: ordinary time; in MAIN\n";

static void
test_lines (void)
{
  PdPredictOptions options = test_options (MACHINE);
  g_autoptr (TestTrace) trace = example ();

  for (int one_step = 0; one_step < 2; one_step++)
    {
      options.one_step = one_step != 0;
      g_autofree char *text = log_of (trace, "2", &options, (PdLogOptions){ .path = NULL }, NULL);
      g_autofree char *lines = squeeze (text);
      char *header = strchr (lines, '\n');
      g_assert_true (g_str_has_prefix (lines, "# /"));
      g_assert_nonnull (
          strstr (lines, " on the grid 2, 2 processors; times in seconds\n# records "));
      g_assert_cmpstr (strchr (header + 1, '\n') + 1, ==, expected);
    }
}

/* The last of three processors comes at 3, as the one before it: the first is
 * told of the lower one. What is ordinary for two records is one line. */
static void
test_last (void)
{
  PdPredictOptions options = test_options (MACHINE);
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = test_trace_array (trace, "9", test_trace_template (trace, "9", "1"), "1*1+0");
  gint64 loop = test_trace_loop (trace, array, "1:8", "1*1+0");
  gint64 group = test_trace_reduction (trace, "1 4 1 0", loop);

  test_trace_dopl (trace, loop, 0, 1);
  test_trace_dopl (trace, loop, 8, 0);
  test_trace_group (trace, "strtrd_", group, 0, 0);
  test_trace_group (trace, "waitrd_", group, 0, 0);
  test_trace_end_loop (trace, loop);
  test_trace_ordinary (trace, 1, 0);
  test_trace_ordinary (trace, 0, 1);
  test_trace_exit (trace, 0);
  g_autofree char *text = log_of (trace, "3", &options, (PdLogOptions){ .processors = "0" }, NULL);
  g_autofree char *lines = squeeze (text);
  char *header = strchr (lines, '\n');
  g_assert_cmpstr (strchr (header + 1, '\n') + 1, ==,
                   " 23-25 0 0.0 2.0 dopl_ at t.fdv:10: 2 of 8 iterations; in MAIN\n"
                   " 27 0 2.0 3.5 strtrd_ at t.fdv:10: allreduce of 8 B among 3; in MAIN\n"
                   " 27 0 2.0 3.0 of this 1.0 s until processor 1 came\n"
                   " 33-35 0 3.5 5.5 getrnk_ at t.fdv:10: ordinary time, also of the records "
                   "after it; in MAIN\n");
}

/* Which lines are left: "record:processor" of each. */
static const struct
{
  const char *name, *processors, *records, *lines;
} filters[] = {
  { "processor", "0", NULL, "13:0 27-29:0 33:0 43:0 45:0 45:0 47:0 49:0" },
  { "processors", "1,7-9,1", "30:40", "33:1 33:1" },
  { "absent", "2-5", NULL, "nobody" },
  { "all", "0-1", "33", "33:0 33:1 33:1" },
  { "record", NULL, "43", "43:0 43:1" },
  { "inside", NULL, "28", "27-29:0 27-29:1" },
  { "touched", "0", "29:33", "27-29:0 33:0" },
  { "to", "0", ":27", "13:0 27-29:0" },
  { "from", "0", "46:", "47:0 49:0" },
  { "beyond", NULL, "50:", "" },
};

static void
test_filter (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options (MACHINE);
  PdLogOptions wanted = { .processors = filters[i].processors, .records = filters[i].records };
  g_autoptr (TestTrace) trace = example ();
  g_autofree char *text = log_of (trace, "2", &options, wanted, NULL);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint k = 2; lines[k] != NULL && *lines[k] != '\0'; k++)
    {
      char records[32];
      guint processor;
      if (g_str_has_prefix (lines[k], "# none of the processors"))
        {
          g_string_append (found, "nobody");
          continue;
        }
      g_assert_cmpint (sscanf (lines[k], "%31s %u", records, &processor), ==, 2);
      g_string_append_printf (found, "%s%s:%u", found->len > 0 ? " " : "", records, processor);
    }
  g_assert_cmpstr (found->str, ==, filters[i].lines);
}

static const struct
{
  const char *name, *processors, *records;
} refused[] = {
  { "nothing", "", NULL },          { "word", "x", NULL },
  { "negative", "-1", NULL },       { "backwards", "4-2", NULL },
  { "gap", "1,,2", NULL },          { "colon", "1:2", NULL },
  { "open", "4-", NULL },           { "large", "5000000000", NULL },
  { "records-nothing", NULL, "" },  { "records-colon", NULL, ":" },
  { "records-word", NULL, "a:b" },  { "records-backwards", NULL, "9:1" },
  { "records-minus", NULL, "1-2" }, { "records-three", NULL, "1:2:3" },
};

static void
test_refused (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdLogOptions wanted = { .processors = refused[i].processors, .records = refused[i].records };
  g_autoptr (GError) error = NULL;
  PdLog *log = pd_log_new (&wanted, &error);

  g_assert_null (log);
  g_assert_error (error, PD_USAGE_ERROR, 0);
}

static const struct
{
  const char *name, *extra;
  guint64 most_messages; /* of an exchange that is simulated one by one */
  gboolean has_tasks;
} manners[] = {
  { "quiet", "", 0, FALSE },
  { "noisy", ",noise=normal,noise-sigma=0.3", 0, FALSE },
  { "as-a-whole", "", 1, FALSE },
  { "tasks", "", 0, TRUE },
  { "noisy-tasks", ",noise=normal,noise-sigma=0.3", 0, TRUE },
  { "tasks-as-a-whole", "", 1, TRUE },
};

/* The same lines however the simulation goes, and the same result as without. */
static void
test_programs (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  const PdLogOptions all = { .path = NULL };

  for (guint seed = 0; seed < 60; seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      g_autofree char *other = test_random_grid (random);
      g_autoptr (TestTrace) trace = manners[i].has_tasks
                                        ? test_program_with_tasks (random, 10, other)
                                    : seed % 2 == 0 ? test_program (random, 10)
                                                    : test_copy_program (random, 10);
      g_autofree char *grid = manners[i].has_tasks ? g_strdup (other) : test_random_grid (random);
      g_autofree char *machine =
          g_strconcat ("myrinet:startup=7us,per-byte=4ns,speeds=1:0.7", manners[i].extra, NULL);
      PdPredictOptions options = test_options (machine);
      g_autofree char *a = NULL, *b = NULL;
      options.dvm.most_messages = manners[i].most_messages;
      g_autofree char *first = log_of (trace, grid, &options, all, &a);
      options.one_step = TRUE;
      g_autofree char *second = log_of (trace, grid, &options, all, &b);
      options.one_step = FALSE;
      g_autoptr (TestRun) plain = test_run (trace, grid, &options);
      g_autofree char *c = test_dump (plain);
      /* not the file's name, which differs */
      g_assert_cmpstr (strchr (first, '\n'), ==, strchr (second, '\n'));
      g_assert_cmpstr (a, ==, b);
      g_assert_cmpstr (a, ==, c);
    }
}

/* The shadow edges of the example, 2 messages of 8 bytes, as a whole. */
static void
test_as_a_whole (void)
{
  PdPredictOptions options = test_options (MACHINE);
  PdLogOptions wanted = { .processors = "1", .records = "43:45" };
  g_autoptr (TestTrace) trace = example ();

  options.dvm.most_messages = 1;
  g_autofree char *text = log_of (trace, "2", &options, wanted, NULL);
  g_assert_nonnull (strstr (text, "strtsh_ at t.fdv:9: starts an exchange as a whole, sends 1 "
                                  "messages of 8 B in all, receives 1 of 8 B; in MAIN\n"));
  g_assert_nonnull (
      strstr (text, "waitsh_ at t.fdv:9: waits for an exchange as a whole, sends 1 "));
}

/* Who is in a task, and who is not: these are not in its records. */
static void
test_task (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "2");

  test_task_run (trace, test_task_on (trace, test_task_system (trace, 0, "1", "1")), 0, 0);
  test_trace_call (trace, "bsynch_", 1, 0, "", "");
  test_task_stop (trace, 0, 0);
  g_autofree char *text = log_of (trace, "2", &options, (PdLogOptions){ .path = NULL }, NULL);
  g_assert_nonnull (strstr (text, "runam_ at t.fdv:10: is not in a task of 1 processors; in MAIN"));
  g_assert_nonnull (strstr (text, "runam_ at t.fdv:10: begins a task of 1 processors; in MAIN"));
  const char *barrier = strstr (text, "bsynch_");
  g_assert_nonnull (barrier);
  g_autofree char *before = g_strndup (text, (gsize) (barrier - text));
  g_auto (GStrv) words = g_strsplit_set (strrchr (before, '\n'), " ", -1);
  guint n = 0;
  for (guint i = 0; words[i] != NULL; i++)
    n += strcmp (words[i], "0") == 0;
  g_assert_cmpuint (n, ==, 0); /* not of processor 0 */
}

/* What processors spent, added up from the lines, is their whole time. */
static void
test_complete (void)
{
  PdPredictOptions options = test_options ("ethernet:startup=20us,per-byte=10ns");
  guint n_waits = 0;

  for (guint seed = 0; seed < 60; seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      g_autoptr (TestTrace) trace = seed % 3 == 0   ? test_program (random, 10)
                                    : seed % 3 == 1 ? test_program_with_tasks (random, 10, "3")
                                                    : test_copy_program (random, 10);
      g_autofree char *text = log_of (trace, "3", &options, (PdLogOptions){ .path = NULL }, NULL);
      g_autoptr (TestRun) run = test_run (trace, "3", &options);
      g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
      gint64 clocks[3] = { 0, 0, 0 };
      for (guint k = 2; lines[k] != NULL && *lines[k] != '\0'; k++)
        {
          char records[32];
          guint p;
          long s[2], ps[2]; /* not as gint64, whose format takes 010 as octal */
          if (strstr (lines[k], "of this") != NULL)
            {
              /* the same records and processor as the line above */
              g_assert_true (strncmp (lines[k], lines[k - 1], 25) == 0);
              n_waits++;
              continue;
            }
          g_assert_cmpint (sscanf (lines[k], "%31s %u %ld.%ld %ld.%ld", records, &p, &s[0], &ps[0],
                                   &s[1], &ps[1]),
                           ==, 6);
          /* each begins where the one before ended */
          g_assert_cmpint (s[0] * PD_PS_PER_S + ps[0], ==, clocks[p]);
          clocks[p] = s[1] * PD_PS_PER_S + ps[1];
        }
      for (guint p = 0; p < 3; p++)
        g_assert_cmpint (clocks[p], ==, run->end_times[p].ps);
    }
  g_assert_cmpuint (n_waits, >, 100);
}

/* ---- files */

static void
test_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("pd-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "log.txt", NULL);
  g_autoptr (TestTrace) trace = example ();
  PdPredictOptions options = test_options (MACHINE);
  g_autofree char *text = log_of (trace, "2", &options, (PdLogOptions){ .path = path }, NULL);
  g_autofree char *written = NULL;

  g_assert_true (g_file_get_contents (path, &written, NULL, NULL));
  g_assert_cmpstr (written, ==, text);

  /* what is not closed leaves the old file, and nothing else */
  PdLog *log = pd_log_new (&(PdLogOptions){ .path = path }, NULL);
  pd_log_free (log);
  g_autofree char *again = NULL;
  g_assert_true (g_file_get_contents (path, &again, NULL, NULL));
  g_assert_cmpstr (again, ==, text);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* A pipe or a device is written to, never replaced. */
static void
test_special (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TestTrace) trace = example ();
  PdPredictOptions options = test_options (MACHINE);
  GStatBuf info;
  g_autofree char *text =
      log_of (trace, "2", &options, (PdLogOptions){ .path = "/dev/null" }, NULL);

  g_assert_cmpint (text[0], ==, '#');
  g_assert_cmpint (g_stat ("/dev/null", &info), ==, 0);
  g_assert_true (S_ISCHR (info.st_mode));
  g_assert_null (pd_log_new (&(PdLogOptions){ .path = "tests" }, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_ISDIR);
}

static void
test_file_refused (void)
{
  g_autoptr (GError) error = NULL;
  PdLog *log = pd_log_new (&(PdLogOptions){ .path = "/no/such/log.txt" }, &error);

  g_assert_null (log);
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/predictor/line-sort/random", test_sort);
  g_test_add_func ("/predictor/line-sort/nothing", test_sort_nothing);
  g_test_add_func ("/predictor/line-sort/long", test_sort_long);
  g_test_add_func ("/predictor/line-sort/folder", test_sort_folder);
  g_test_add_func ("/predictor/line-sort/refused", test_sort_refused);
  g_test_add_func ("/predictor/log/lines", test_lines);
  g_test_add_func ("/predictor/log/last", test_last);
  g_test_add_func ("/predictor/log/task", test_task);
  for (gsize i = 0; i < G_N_ELEMENTS (filters); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/log/filter/", filters[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_filter);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/log/refused/", refused[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_refused);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (manners); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/log/programs/", manners[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_programs);
    }
  g_test_add_func ("/predictor/log/as-a-whole", test_as_a_whole);
  g_test_add_func ("/predictor/log/complete", test_complete);
  g_test_add_func ("/predictor/log/file", test_file);
  g_test_add_func ("/predictor/log/special", test_special);
  g_test_add_func ("/predictor/log/file-refused", test_file_refused);
  return g_test_run ();
}
