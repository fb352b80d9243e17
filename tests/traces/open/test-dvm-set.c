/* Sets of traces, summaries and checks.
 * SPDX-License-Identifier: MIT */
#include "base/pd-verdict.h"
#include "traces/dvm/pd-dvm-check.h"
#include "traces/dvm/pd-dvm-summary.h"
#include "traces/open/pd-dvm-set.h"

#include <glib/gstdio.h>
#include <string.h>

#define FOLDER "tests/data/heat2d_600_np2"

/* ---- sets */

static const struct
{
  const char *name;
  const char *path;
  guint n; /* 0: @code */
  int code;
} recorded[] = {
  { "one-file", "tests/data/small.ptr", 1, 0 },
  { "one-of-set", FOLDER "/heat2d1_1.ptr.gz", 2, 0 },
  { "folder", FOLDER, 2, 0 },
  { "prefix", FOLDER "/heat2d", 2, 0 },
  { "other-prefix", FOLDER "/heat", 0, PD_DVM_ERROR_OPEN },
  { "absent-folder", "tests/data/absent/x", 0, PD_DVM_ERROR_OPEN },
  { "several", "tests/data", 0, PD_DVM_ERROR_SET },
};

static void
test_recorded (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdDvmSet) set = pd_dvm_set_new (recorded[i].path, NULL, &error);

  if (recorded[i].n == 0)
    {
      g_assert_null (set);
      g_assert_error (error, PD_DVM_ERROR, recorded[i].code);
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpuint (pd_dvm_set_get_n (set), ==, recorded[i].n);
  for (guint k = 0; k < recorded[i].n; k++)
    {
      g_autoptr (PdDvmReader) reader = pd_dvm_set_open (set, k, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (pd_dvm_reader_get_header (reader)->proc_count, ==, recorded[i].n);
      if (recorded[i].n == 2)
        g_assert_true (
            g_str_has_suffix (pd_dvm_set_get_path (set, k), k == 0 ? "0_0.ptr.gz" : "1_1.ptr.gz"));
    }
}

/* Files made for the case: "name=ProcCount". */
static const struct
{
  const char *name;
  const char *files;
  const char *path; /* inside the folder */
  guint n;          /* 0: error */
  int code;
  const char *last; /* name of the last file */
  guint n_messages;
} made[] = {
  { "three", "p0_0.ptr=3 p2_2.ptr=3 p1_1.ptr=3", "", 3, 0, "p2_2.ptr", 0 },
  { "ten-after-two", "p0_0.ptr=3 p1_1.ptr=3 p2_2.ptr=3 q10_10.ptr=1", "p", 3, 0, "p2_2.ptr", 0 },
  { "renumbered", "p0_1.ptr=2 p1_0.ptr=2", "", 2, 0, "p1_0.ptr", 0 },
  { "io-process", "p0_0.ptr=2 p1&1.ptr=2", "", 2, 0, "p1&1.ptr", 0 },
  { "no-prefix", "0_0.ptr=2 1_1.ptr=2", "0_0.ptr", 2, 0, "1_1.ptr", 0 },
  { "digit-prefix", "heat20_0.ptr=2 heat21_1.ptr=2", "heat2", 2, 0, "heat21_1.ptr", 0 },
  { "alone", "p0_0.ptr=1 q0_0.ptr=1", "q0_0.ptr", 1, 0, "q0_0.ptr", 0 },
  { "merged", "p.ptr=4", "p.ptr", 1, 0, "p.ptr", 1 },
  { "merged-folder", "p.ptr=4", "", 1, 0, "p.ptr", 1 },
  { "missing", "p0_0.ptr=3 p2_2.ptr=3", "p0_0.ptr", 0, PD_DVM_ERROR_SET, NULL, 0 },
  { "missing-last", "p0_0.ptr=3 p1_1.ptr=3", "p0_0.ptr", 0, PD_DVM_ERROR_SET, NULL, 0 },
  { "left-over", "p0_0.ptr=2 p1_1.ptr=2 p2_2.ptr=4 p3_3.ptr=4", "p", 0, PD_DVM_ERROR_SET, NULL, 0 },
  { "other-count", "p0_0.ptr=2 p1_1.ptr=4", "p", 0, PD_DVM_ERROR_SET, NULL, 0 },
  { "two-prefixes", "p0_0.ptr=1 q0_0.ptr=1", "", 0, PD_DVM_ERROR_SET, NULL, 0 },
  { "twice", "p0_0.ptr=1 p0_0.ftr=1", "p", 0, PD_DVM_ERROR_SET, NULL, 0 },
  { "one-empty", "p0_0.ptr=2 p1_1.ptr=", "p", 0, PD_DVM_ERROR_EMPTY, NULL, 0 },
};

static void
make_file (const char *folder, const char *row)
{
  const char *equals = strchr (row, '=');
  g_autofree char *name = g_strndup (row, (gsize) (equals - row));
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *text = g_strdup_printf (
      "RTS VERSION = 2889\nProcCount=%s; PSRank=1; PSSize= %s;\nret_dvm_Init TIME=0.1 LINE=1 "
      "FILE=a\nEvent_dvm_exit TIME=0.1 LINE=1 FILE=a\nrc=0;\n",
      equals + 1, equals + 1);

  g_assert_true (g_file_set_contents (path, text, equals[1] == '\0' ? 0 : -1, NULL));
}

static void
remove_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_assert_cmpint (g_remove (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_made (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *folder = g_dir_make_tmp ("pd-set-XXXXXX", NULL);
  g_auto (GStrv) files = g_strsplit (made[i].files, " ", -1);
  g_autofree char *path = g_build_filename (folder, made[i].path, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();

  for (guint k = 0; files[k] != NULL; k++)
    make_file (folder, files[k]);
  g_autoptr (PdDvmSet) set = pd_dvm_set_new (path, messages, &error);
  remove_files (folder);

  g_assert_cmpuint (pd_messages_get_n (messages), ==, made[i].n_messages);
  if (made[i].n == 0)
    {
      g_assert_null (set);
      g_assert_error (error, PD_DVM_ERROR, made[i].code);
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpuint (pd_dvm_set_get_n (set), ==, made[i].n);
  g_assert_true (g_str_has_suffix (pd_dvm_set_get_path (set, made[i].n - 1), made[i].last));
}

/* ---- summary */

static void
test_summary (void)
{
  g_autoptr (PdDvmReader) reader = pd_dvm_reader_new ("tests/data/heat2d_600.ptr.gz", NULL, NULL);
  g_autoptr (PdDvmSummary) s = pd_dvm_summary_new (reader, NULL);
  const PdDvmTrailer *trailer = pd_dvm_reader_get_trailer (reader);
  PdTimeSum sum = { s->call_time.ps + s->startup.ps };
  guint64 n = 0;

  for (guint i = 0; i < PD_DVM_N_CLASSES; i++)
    {
      n += s->n_calls_by_class[i];
      sum.ps += s->ret_time_by_class[i].ps;
    }
  g_assert_cmpuint (n, ==, s->n_calls);
  g_assert_cmpuint (s->n_calls, ==, 511);
  g_assert_true (sum.ps == trailer->program_time.ps);
  g_assert_cmpstr (s->startup_name, ==, "bsloop_");
  g_assert_cmpuint (s->n_loops, ==, 41);
  g_assert_cmpuint (s->n_portions, ==, 41);
  g_assert_cmpuint (s->n_intervals, ==, 47);
  g_assert_cmpuint (s->interval_depth, ==, 4);
  g_assert_cmpuint (s->grid_rank, ==, 2);
  g_assert_cmpuint (s->shapes->len, ==, 1);
  const PdDvmShape *shape = &g_array_index (s->shapes, PdDvmShape, 0);
  g_assert_cmpuint (shape->n_arrays, ==, 2);
  g_assert_cmpuint (shape->rank, ==, 2);
  g_assert_cmpint (shape->sizes[0], ==, 600);
  g_assert_cmpint (shape->type_size, ==, 8);
}

/* ---- check */

#define HEAD                                                                                       \
  "RTS VERSION = 2889\nProcCount=1; PSRank=1; PSSize= 1;\nret_dvm_Init TIME=0.1 LINE=1 FILE=a\n"
#define CALL(f) "call_" f " TIME=0.000001 LINE=3 FILE=a\n"
#define RET(f)  "ret_" f " TIME=0.000001 LINE=3 FILE=a\n"
#define EXIT    "Event_dvm_exit TIME=0.000001 LINE=3 FILE=a\nrc=0;\n"

#define N_ALWAYS 2 /* messages of every trace: "recorder" and "clamped" */

static const struct
{
  const char *name;
  const char *text;
  PdVerdict verdict;
  const char *message; /* NULL: none */
} checks[] = {
  { "fine",
    HEAD CALL ("crtpl_") "Rank=1;\n" RET ("crtpl_") "LoopRef=5a;\n" CALL (
        "endpl_") "LoopRef=5a;\n" RET ("endpl_") EXIT,
    PD_VERDICT_FINE, NULL },
  { "unknown-reference",
    HEAD CALL ("crtpl_") "Rank=1;\n" RET ("crtpl_") "LoopRef=5a;\n" CALL (
        "endpl_") "LoopRef=5b;\n" RET ("endpl_") EXIT,
    PD_VERDICT_DOUBTFUL, "unknown-reference" },
  { "other-kind",
    HEAD CALL ("crtpl_") "Rank=1;\n" RET ("crtpl_") "LoopRef=5a;\n" CALL (
        "strtsh_") "ShadowGroupRef=5a;\n" RET ("strtsh_") EXIT,
    PD_VERDICT_DOUBTFUL, "unknown-reference" },
  { "unknown-pattern", HEAD CALL ("mappl_") "PatternRef=5a (AMView);\n" RET ("mappl_") EXIT,
    PD_VERDICT_DOUBTFUL, "unknown-reference" },
  { "unknown-object", HEAD CALL ("delobj_") "ObjectRef=5a;\n" RET ("delobj_") EXIT, PD_VERDICT_FINE,
    NULL },
  { "bad-value", HEAD CALL ("crtpl_") "Rank=x;\n" RET ("crtpl_") EXIT, PD_VERDICT_DOUBTFUL,
    "bad-value" },
  { "unmatched", HEAD RET ("crtpl_") EXIT, PD_VERDICT_DOUBTFUL, "unmatched-record" },
  { "incomplete", HEAD CALL ("getam_") RET ("getam_"), PD_VERDICT_INCOMPLETE, "trace-incomplete" },
  { "unknown-function", HEAD CALL ("new_") RET ("new_") EXIT, PD_VERDICT_FINE, "unknown-function" },
  { "time-sum", HEAD EXIT "SystemTraceTime=0.7;\n", PD_VERDICT_DOUBTFUL, "time-sum" },
  { "time-sum-merged", HEAD CALL ("redis_") RET ("redis_") EXIT "SystemTraceTime=0.7;\n",
    PD_VERDICT_FINE, "time-sum" },
  { "time-sum-rounded", HEAD CALL ("getam_") RET ("getam_") EXIT "SystemTraceTime=0.100004;\n",
    PD_VERDICT_FINE, NULL },
  { "second-trace", HEAD CALL ("getam_") RET ("getam_") EXIT HEAD CALL ("getam_") RET ("getam_"),
    PD_VERDICT_DOUBTFUL, "second-trace" },
  { "second-end", HEAD EXIT EXIT, PD_VERDICT_DOUBTFUL, "second-trace" },
};

static void
test_check (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GBytes) bytes = g_bytes_new_static (checks[i].text, strlen (checks[i].text));
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PdDvmReader) reader = pd_dvm_reader_new_from_bytes (bytes, "x", messages, &error);

  g_assert_no_error (error);
  g_assert_true (pd_dvm_check_reader (reader, messages, &error));
  g_assert_no_error (error);
  g_assert_cmpint (pd_messages_judge (messages, FALSE), ==, checks[i].verdict);
  g_assert_cmpuint (pd_messages_get_n (messages), ==, N_ALWAYS + (checks[i].message != NULL));
  if (checks[i].message != NULL)
    g_assert_cmpuint (pd_messages_count (messages, checks[i].message), >=, 1);
}

static void
test_check_recorded (void)
{
  static const struct
  {
    const char *path;
    guint n_outliers; /* places */
    guint n_costs;    /* some calls follow each other 1000 times */
  } traces[] = { { "tests/data/small.ptr", 0, 0 },
                 { "tests/data/sor2d_2000.ptr.gz", 0, 0 },
                 { "tests/data/gauss_240.ptr.gz", 0, 1 },
                 { "tests/data/heat2d_600.ptr.gz", 2, 0 },
                 { FOLDER "/heat2d1_1.ptr.gz", 1, 0 } };

  for (gsize i = 0; i < G_N_ELEMENTS (traces); i++)
    {
      g_autoptr (PdMessages) messages = pd_messages_new ();
      g_autoptr (PdDvmReader) reader = pd_dvm_reader_new (traces[i].path, messages, NULL);
      g_assert_true (pd_dvm_check_reader (reader, messages, NULL));
      g_assert_cmpuint (pd_messages_get_n (messages), ==,
                        N_ALWAYS + traces[i].n_outliers + traces[i].n_costs);
      g_assert_cmpuint (pd_messages_count (messages, "recorder"), ==, 1);
      g_assert_cmpuint (pd_messages_count (messages, "recorder-cost"), ==, traces[i].n_costs);
      g_assert_cmpuint (pd_messages_count (messages, "clamped"), ==, 1);
      g_assert_cmpuint (pd_messages_count (messages, "outlier"), ==, traces[i].n_outliers);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(table, folder, func)                                                                   \
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)                                                 \
    {                                                                                              \
      g_autofree char *path = g_strconcat ("/traces/" folder "/", table[i].name, NULL);            \
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), func);                                     \
    }
  ADD (recorded, "dvm-set/recorded", test_recorded)
  ADD (made, "dvm-set/made", test_made)
  ADD (checks, "dvm-check", test_check)
#undef ADD
  g_test_add_func ("/traces/dvm-check/recorded", test_check_recorded);
  g_test_add_func ("/traces/dvm-summary/heat2d", test_summary);
  return g_test_run ();
}
