/* Consistent arrays, indirect access, and messages that a program asks for by
 * itself: who sends how much to whom, worked by hand.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/copy/pd-dense-plan.h"
#include "tests/support/predict.h"
#include "tests/support/dvm/programs.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

#include <string.h>

#define ID      G_GINT64_MODIFIER "x"
#define MACHINE "ethernet:startup=1us,per-byte=0"

static gint64
new_id (TestTrace *trace)
{
  return trace->next_id += 8;
}

/* "AxisArray[0]=1; … CoeffArray[0]=1; … ConstArray[0]=0; " of "1*1+0,-1*0+0" */
static char *
format_rules (const char *rules)
{
  static const char *const names[] = { "AxisArray", "CoeffArray", "ConstArray" };
  g_auto (GStrv) words = g_strsplit (rules, ",", -1);
  GString *text = g_string_new (NULL);

  for (guint k = 0; k < 3; k++)
    {
      for (guint i = 0; words[i] != NULL; i++)
        {
          g_auto (GStrv) parts = g_strsplit_set (words[i], "*+", 3);
          g_string_append_printf (text, "%s[%u]=%s; ", names[k], i, parts[k]);
        }
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

/* crtrda_: an array of doubles that everybody has. */
static gint64
create_consistent (TestTrace *trace, const char *sizes)
{
  gint64 header = new_id (trace), id = new_id (trace);
  g_auto (GStrv) words = g_strsplit (sizes, ",", -1);
  g_autofree char *list = test_trace_list ("SizeArray", sizes);
  g_autofree char *params = g_strdup_printf ("ArrayHeader=%" ID "; Rank=%u; TypeSize=8; "
                                             "StaticSign=1; ReDistrSign=0; MemPtr=1;\n%s",
                                             header, g_strv_length (words), list);
  g_autofree char *result = g_strdup_printf ("ArrayHandlePtr=%" ID ";", id);

  test_trace_call (trace, "crtrda_", 0, 0, params, result);
  return id;
}

/* strtac_ or, with a group, inscg_ */
static void
make_consistent (TestTrace *trace, const char *name, gint64 group, gint64 array, gint64 loop,
                 const char *rules)
{
  g_autofree char *lines = format_rules (rules);
  g_autofree char *params =
      g_strdup_printf ("DAConsistGroupRefPtr=1; DAConsistGroupRef=%" ID ";\nArrayHeader=1; "
                       "ArrayHandlePtr=%" ID "; LoopRefPtr=2; LoopRef=%" ID "; RenewSign=1;\n%s",
                       group, array, loop, lines);

  test_trace_call (trace, name, 0, 0, params, "");
}

/* ---- consistent arrays */

static const struct
{
  const char *name, *grid;
  const char *sizes, *axes; /* of the template, and of an array like it */
  const char *ranges, *mapping;
  const char *consistent, *rules;
  const char *expected; /* bytes that each processor sends each other one; NULL: nothing */
} parts[] = {
  { "block", "4", "10", "1", "0:9", "1*1+0", "10", "1*1+0", "16 24 16 24" },
  { "part-of-loop", "4", "10", "1", "3:9", "1*1+0", "10", "1*1+0", "0 16 16 24" },
  { "whole-rows", "4", "10", "1", "0:9", "1*1+0", "10,4", "1*1+0,-1*0+0", "64 96 64 96" },
  { "one-column", "4", "10", "1", "0:9", "1*1+0", "10,4", "1*1+0,0*0+3", "16 24 16 24" },
  { "one-column-of-index", "4", "10", "1", "0:9", "1*1+0", "10,4", "1*1+0,1*0+3", "16 24 16 24" },
  { "twice-as-far", "4", "10", "1", "0:9", "1*1+0", "20", "1*2+1", "24 40 24 40" },
  { "backwards", "4", "10", "1", "0:9", "1*1+0", "10", "1*-1+9", "16 24 16 24" },
  { "strided-loop", "4", "8", "1", "0:7:3", "1*1+0", "8", "1*1+0", "8 8 0 8" },
  { "two-dimensions", "2x2", "8,6", "1,2", "0:7,0:5", "1*1+0,2*1+0", "8,6", "1*1+0,2*1+0",
    "96 96 96 96" },
  { "second-index-only", "2x2", "8,6", "1,2", "0:7,0:5", "1*1+0,2*1+0", "6", "2*1+0",
    "24 24 24 24" },
  { "replicated-loop", "2x2", "8,6", "1,2", "0:5", "-1*0+0,1*1+0", "6", "1*1+0", "24 24 24 24" },
  { "constant-loop", "2x2", "8,6", "1,2", "0:5", "0*0+1,1*1+0", "6", "1*1+0", "24 24 0 0" },
  { "whole-index", "2x2", "8,6", "1", "0:7,0:5", "1*1+0,2*1+0", "8,6", "1*1+0,2*1+0",
    "192 192 192 192" },
  { "nothing-spread", "4", "10", "1", "0:9", "1*1+0", "4", "-1*0+0", NULL },
  { "not-distributed", "4x1", "8,6", "1,2", "0:7,0:5", "1*1+0,2*1+0", "6", "2*1+0", NULL },
  { "empty-loop", "4", "10", "1", "5:4", "1*1+0", "10", "1*1+0", NULL },
  { "one-processor", "1", "10", "1", "0:9", "1*1+0", "10", "1*1+0", NULL },
};

static gint64
make_loop (TestTrace *trace, gsize i)
{
  g_autofree char *identity =
      g_strdup (strchr (parts[i].sizes, ',') != NULL ? "1*1+0,2*1+0" : "1*1+0");
  gint64 view = test_trace_template (trace, parts[i].sizes, parts[i].axes);
  gint64 array = test_trace_array (trace, parts[i].sizes, view, identity);

  return test_trace_loop (trace, array, parts[i].ranges, parts[i].mapping);
}

/* What every processor entered, and its messages. */
static void
check_parts (const TestLog *log, gsize i, guint32 n, guint times)
{
  g_auto (GStrv) words = g_strsplit (parts[i].expected != NULL ? parts[i].expected : "", " ", -1);
  g_autofree guint *seen = g_new0 (guint, (gsize) n * n);

  for (guint32 p = 0; p < n; p++)
    {
      g_autofree char *shown = test_log_show_collectives (log, p);
      g_autofree char *one =
          parts[i].expected != NULL ? g_strdup_printf ("alltoallv:%s", words[p]) : g_strdup ("");
      g_autofree char *two = g_strdup_printf ("%s %s", one, one);
      g_assert_cmpstr (shown, ==, times == 1 || parts[i].expected == NULL ? one : two);
    }
  for (guint k = 0; k < log->messages->len; k++)
    {
      const TestMessage *message = &g_array_index (log->messages, TestMessage, k);
      g_assert_true (message->collective);
      g_assert_cmpint (message->bytes, ==, g_ascii_strtoll (words[message->source], NULL, 10));
      seen[message->source * n + message->target]++;
    }
  for (guint32 p = 0; p < n; p++)
    for (guint32 q = 0; q < n; q++)
      g_assert_cmpuint (seen[p * n + q], ==, parts[i].expected != NULL && p != q ? times : 0);
}

static guint32
count_processors (const char *grid)
{
  g_auto (GStrv) words = g_strsplit (grid, "x", -1);
  guint32 n = 1;

  for (guint d = 0; words[d] != NULL; d++)
    n *= (guint32) g_ascii_strtoull (words[d], NULL, 10);
  return n;
}

static void
test_parts (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options (MACHINE);
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 array = create_consistent (trace, parts[i].consistent);
  gint64 loop = make_loop (trace, i);

  options.observer = &observer;
  make_consistent (trace, "strtac_", 0, array, loop, parts[i].rules);
  test_trace_call (trace, "waitac_", 0, 0, "ArrayHeader=1; ArrayHandlePtr=2;", "");
  test_trace_end_loop (trace, loop);
  g_autoptr (TestRun) run = test_run (trace, parts[i].grid, &options);
  check_parts (log, i, count_processors (parts[i].grid), 1);
  g_assert_cmpuint (pd_messages_get_n (run->messages), <=, 1); /* "grid-padded" */
}

/* A group sends what was inserted, one array after the other, though the loop
 * has ended; nothing once it is emptied. */
static void
test_group (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options (MACHINE);
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 first = create_consistent (trace, parts[i].consistent);
  gint64 second = create_consistent (trace, parts[i].consistent);
  gint64 group = new_id (trace);
  g_autofree char *named = g_strdup_printf ("DAConsistGroupRef=%" ID ";", group);
  g_autofree char *given =
      g_strdup_printf ("DAConsistGroupRefPtr=1; DAConsistGroupRef=%" ID "; DelDASign=1;", group);

  options.observer = &observer;
  test_trace_call (trace, "crtcg_", 0, 0, "StaticSign=1; DelDASign=1;", named);
  gint64 loop = make_loop (trace, i);
  make_consistent (trace, "inscg_", group, first, loop, parts[i].rules);
  make_consistent (trace, "inscg_", group, second, loop, parts[i].rules);
  test_trace_end_loop (trace, loop);
  test_trace_call (trace, "strtcg_", 0, 0, given, "");
  test_trace_call (trace, "waitcg_", 0, 0, given, "");
  test_trace_call (trace, "rstcg_", 0, 0, given, "");
  test_trace_call (trace, "strtcg_", 0, 0, given, "");
  test_trace_call (trace, "delcg_", 0, 0, given, "");
  g_autoptr (TestRun) run = test_run (trace, parts[i].grid, &options);
  check_parts (log, i, count_processors (parts[i].grid), 2);
  g_assert_cmpuint (pd_messages_count (run->messages, "charged-as-ordinary"), ==, 0);
}

/* Blocking, and its time is that of remote access. */
static void
test_time (void)
{
  PdPredictOptions options =
      test_options ("ethernet:startup=0,per-byte=0,collectives=simple,collective-time=1us");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = create_consistent (trace, "10");
  gint64 loop = make_loop (trace, 0);

  test_trace_dopl (trace, loop, 0, 1);
  test_trace_dopl (trace, loop, 10, 0);
  make_consistent (trace, "strtac_", 0, array, loop, "1*1+0");
  test_trace_end_loop (trace, loop);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autofree char *remote = test_values (run, 0, PD_C_REMOTE_ACCESS);
  g_autofree char *synchronization = test_values (run, 0, PD_C_SYNCHRONIZATION);
  g_assert_cmpstr (remote, ==, "2 1 2 1");
  g_assert_cmpstr (synchronization, ==, "1 0 1 0");
}

/* Too many messages to be simulated one by one. */
static void
test_large (void)
{
  static const guint64 most[] = { 0, 11 };
  gint64 times[2];

  for (guint i = 0; i < 2; i++)
    {
      PdPredictOptions options =
          test_options ("ethernet:startup=5us,per-byte=10ns,send-overhead=1us");
      g_autoptr (TestTrace) trace = test_trace_new ("1");
      gint64 array = create_consistent (trace, "10,1000");
      gint64 loop = make_loop (trace, 0);
      options.dvm.most_messages = most[i];
      make_consistent (trace, "strtac_", 0, array, loop, "1*1+0,-1*0+0");
      test_trace_end_loop (trace, loop);
      g_autoptr (TestRun) run = test_run (trace, "4", &options);
      g_assert_cmpuint (pd_messages_count (run->messages, "aggregated-exchange"), ==, i);
      times[i] = test_value (run, 0, 0, PD_C_REMOTE_ACCESS);
    }
  g_assert_cmpint (times[0], >, 0);
  g_assert_cmpint (times[1], >, times[0] / 3);
  g_assert_cmpint (times[1], <, times[0] * 3);
}

/* ---- indirect access */

/* crtibl_ (with a loop) or crtib_ */
static gint64
create_indirect (TestTrace *trace, gint64 remote, gint64 matrix, gint64 loop)
{
  gint64 id = new_id (trace);
  g_autofree char *loops =
      loop == 0 ? g_strdup ("") : g_strdup_printf ("LoopRefPtr=1; LoopRef=%" ID ";\n", loop);
  g_autofree char *params =
      g_strdup_printf ("RemArrayHeader=1; RemArrayHandlePtr=%" ID "; BufferHeader=2;\nBasePtr=3; "
                       "StaticSign=1; %sMEHeader=4; MEHandlePtr=%" ID ";\nConstArray[0]=-1; ",
                       remote, loops, matrix);
  g_autofree char *result = g_strdup_printf ("BufferHandlePtr=%" ID "; IsLocal=1", id);

  test_trace_call (trace, loop == 0 ? "crtib_" : "crtibl_", 0, 0, params, result);
  return id;
}

static void
use_buffer (TestTrace *trace, const char *name, gint64 buffer, int renew)
{
  g_autofree char *params =
      g_strdup_printf ("BufferHeader=2; BufferHandlePtr=%" ID "; RenewSign=%d;", buffer, renew);

  test_trace_call (trace, name, 0, 0, params, "");
}

/* An array of 10 on 2, 3, 2, 3 and a matrix of 12 rows, 3 on each processor, of
 * a count and 3 indices: 48 bytes to everybody; 9 indices, of which 1.8 or 2.7
 * are those of another processor. */
#define QUESTIONS                                                                                  \
  "0>1:16 0>1:48 0>2:16 0>2:48 0>3:16 0>3:48 1>0:24 1>0:48 1>2:24 1>2:48 1>3:24 1>3:48 "           \
  "2>0:16 2>0:48 2>1:16 2>1:48 2>3:16 2>3:48 3>0:24 3>0:48 3>1:24 3>1:48 3>2:24 3>2:48"

static gint64
create_matrix (TestTrace *trace)
{
  gint64 view = test_trace_template (trace, "12,4", "1");

  return test_trace_array (trace, "12,4", view, "1*1+0,2*1+0");
}

static gint64
create_remote (TestTrace *trace)
{
  return test_trace_array (trace, "10", test_trace_template (trace, "10", "1"), "1*1+0");
}

static char *
watch (TestTrace *trace, const char *grid, guint64 *n_warned)
{
  PdPredictOptions options = test_options (MACHINE);
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);

  options.observer = &observer;
  g_autoptr (TestRun) run = test_run (trace, grid, &options);
  *n_warned = pd_messages_count (run->messages, "indirect-uniform");
  g_assert_cmpuint (pd_messages_count (run->messages, "charged-as-ordinary"), ==, 0);
  return test_log_show (log);
}

static void
test_indirect (void)
{
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 remote = create_remote (trace), matrix = create_matrix (trace);
  gint64 buffer = create_indirect (trace, remote, matrix, 0);
  guint64 n;

  use_buffer (trace, "loadib_", buffer, 0);
  use_buffer (trace, "waitib_", buffer, 0);
  use_buffer (trace, "loadib_", buffer, 0); /* it is loaded */
  use_buffer (trace, "waitib_", buffer, 0);
  use_buffer (trace, "delib_", buffer, 0);
  g_autofree char *shown = watch (trace, "4", &n);
  g_assert_cmpstr (shown, ==, QUESTIONS);
  g_assert_cmpuint (n, ==, 1);
}

static void
test_renewed (void)
{
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 remote = create_remote (trace), matrix = create_matrix (trace);
  gint64 buffer = create_indirect (trace, remote, matrix, 0);
  guint64 n;

  for (int i = 0; i < 3; i++)
    {
      use_buffer (trace, "loadib_", buffer, i > 1);
      use_buffer (trace, "waitib_", buffer, 0);
    }
  g_autofree char *shown = watch (trace, "4", &n);
  g_assert_cmpuint (strlen (shown), ==, 2 * strlen (QUESTIONS) + 1);
  g_assert_cmpuint (n, ==, 2);
}

/* Only the rows of the loop: 4 to 8, so 2 on processor 1 and 3 on 2. */
static void
test_indirect_loop (void)
{
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 remote = create_remote (trace), matrix = create_matrix (trace);
  gint64 loop = test_trace_loop (trace, matrix, "4:8", "1*1+0,-1*0+0");
  gint64 buffer = create_indirect (trace, remote, matrix, loop);
  guint64 n;

  use_buffer (trace, "loadib_", buffer, 0);
  use_buffer (trace, "waitib_", buffer, 0);
  test_trace_end_loop (trace, loop);
  g_autofree char *shown = watch (trace, "4", &n);
  /* 6 indices: 1.2 and 1.8; 9: 1.8 and 2.7 */
  g_assert_cmpstr (shown, ==,
                   "0>1:8 0>2:16 1>0:32 1>2:24 1>2:32 1>3:32 2>0:48 2>1:8 2>1:48 2>3:48 3>1:16 "
                   "3>2:24");
}

static void
test_indirect_group (void)
{
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 remote = create_remote (trace), matrix = create_matrix (trace);
  gint64 group = new_id (trace);
  g_autofree char *named = g_strdup_printf ("IndirectAccessGroupRef=%" ID ";", group);
  g_autofree char *given = g_strdup_printf (
      "IndirectAccessGroupRefPtr=1; IndirectAccessGroupRef=%" ID "; RenewSign=0", group);
  guint64 n;

  test_trace_call (trace, "crtig_", 0, 0, "StaticSign=1; DelBufSign=1;", named);
  for (int i = 0; i < 2; i++)
    {
      gint64 buffer = create_indirect (trace, remote, matrix, 0);
      g_autofree char *params =
          g_strdup_printf ("IndirectAccessGroupRefPtr=1; IndirectAccessGroupRef=%" ID
                           "; BufferHeader=2; BufferHeader[0]=%" ID,
                           group, buffer);
      test_trace_call (trace, "insib_", 0, 0, params, "");
    }
  for (int i = 0; i < 2; i++)
    {
      test_trace_call (trace, "loadig_", 0, 0, given, "");
      test_trace_call (trace, "waitig_", 0, 0, given, "");
    }
  test_trace_call (trace, "delig_", 0, 0, given, "");
  g_autofree char *shown = watch (trace, "4", &n);
  g_assert_cmpuint (strlen (shown), ==, 2 * strlen (QUESTIONS) + 1);
  g_assert_cmpuint (n, ==, 2);
}

/* ---- acsend_, acrecv_ */

static void
carry (TestTrace *trace, const char *name, gint64 loop, int type, int n)
{
  g_autofree char *params = g_strdup_printf (
      "LoopRefPtr=1; LoopRef=%" ID ";\nMemAddr=5; ElmType=%d; ElmNumber=%d;", loop, type, n);

  test_trace_call (trace, name, 0, 0, params, "");
}

static const struct
{
  const char *name, *grid, *sizes, *axes, *ranges, *mapping;
  const char *expected;
  const char *waited;
} shifts[] = {
  { "up", "4", "10", "1", "0:9", "1*1+0", "0>1:16 1>2:16 2>3:16", "0 2 5 7" },
  { "down", "4", "10", "1", "9:0:-1", "1*1+0", "1>0:16 2>1:16 3>2:16", "8 5 3 0" },
  { "last-index", "2x2", "4,4", "1,2", "0:3,0:3", "1*1+0,2*1+0", "0>1:16 2>3:16", "0 4 0 4" },
  { "other-index-down", "2x2", "4,4", "1,2", "3:0:-1,0:3", "1*1+0,2*1+0", "0>1:16 2>3:16",
    "0 4 0 4" },
  { "last-distributed", "2x2", "4,4", "1", "0:3,0:3", "1*1+0,2*1+0", "0>2:16 1>3:16", "0 0 8 8" },
  { "replicated", "4", "4,4", "1", "0:3", "-1*0+0,1*1+0", "", "0 0 0 0" },
  { "single", "1x4", "8,4", "1", "0:7", "1*1+0,-1*0+0", "", "0 0 0 0" },
};

static void
test_shift (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gboolean is_plane = strchr (shifts[i].sizes, ',') != NULL;
  gint64 view = test_trace_template (trace, shifts[i].sizes, shifts[i].axes);
  gint64 array =
      test_trace_array (trace, shifts[i].sizes, view, is_plane ? "1*1+0,2*1+0" : "1*1+0");
  gint64 loop = test_trace_loop (trace, array, shifts[i].ranges, shifts[i].mapping);

  options.observer = &observer;
  carry (trace, "acrecv_", loop, 4, 2);
  test_trace_dopl (trace, loop, 0, 1);
  test_trace_dopl (trace, loop, is_plane ? 16 : 10, 0);
  carry (trace, "acsend_", loop, 4, 2);
  test_trace_end_loop (trace, loop);
  g_autoptr (TestRun) run = test_run (trace, shifts[i].grid, &options);
  g_autofree char *shown = test_log_show (log);
  g_autofree char *waited = test_values (run, 0, PD_C_OTHER_COMM);
  g_assert_cmpstr (shown, ==, shifts[i].expected);
  g_assert_cmpstr (waited, ==, shifts[i].waited);
}

/* Halves whose counterpart is lost in the body of the loop, or not there. */
static const struct
{
  const char *name;
  gboolean received, inside, sent;
} halves[] = {
  { "sent-inside", TRUE, TRUE, FALSE },
  { "not-sent", TRUE, FALSE, FALSE },
  { "not-received", FALSE, FALSE, TRUE },
};

static void
test_halves (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 loop = make_loop (trace, 0);

  options.observer = &observer;
  if (halves[i].received)
    carry (trace, "acrecv_", loop, 4, 2);
  test_trace_dopl (trace, loop, 0, 1);
  if (halves[i].inside)
    carry (trace, "acsend_", loop, 4, 2);
  test_trace_dopl (trace, loop, 10, 0);
  if (halves[i].sent)
    carry (trace, "acsend_", loop, 4, 2);
  test_trace_end_loop (trace, loop);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autofree char *shown = test_log_show (log);
  g_assert_cmpstr (shown, ==, "0>1:16 1>2:16 2>3:16");
  g_assert_cmpuint (pd_messages_count (run->messages, "shift-completed"), ==, 1);
}

/* Without a loop: along the first dimension of the current processor system. */
static void
test_shift_alone (void)
{
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  guint64 n;

  carry (trace, "acsend_", 1, 1, 3);
  carry (trace, "acrecv_", 1, 1, 3);
  carry (trace, "acrecv_", -1, 2, 1);
  carry (trace, "acsend_", -1, 2, 1);
  g_autofree char *shown = watch (trace, "3x2", &n);
  g_assert_cmpstr (shown, ==, "0>2:12 1>3:12 2>0:8 2>4:12 3>1:8 3>5:12 4>2:8 5>3:8");
}

/* ---- collectives with a root */

static void
test_rooted (void)
{
  PdPredictOptions options = test_options (MACHINE);
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  g_autoptr (TestTrace) trace = test_trace_new ("1");

  options.observer = &observer;
  test_trace_call (trace, "dvmreduce_", 0, 0,
                   "sendbuf=1; recvbuf=2; count=3; type=4; op=1; root=0;", "");
  test_trace_call (trace, "dacsum_", 0, 0, "ArrayHeader=1; ArrayHandlePtr=2;", "Calculated=1");
  test_trace_call (trace, "getdas_", 0, 0, "ArrayHeader=1; ArrayHandlePtr=2;", "Calculated=1");
  g_autoptr (TestRun) run = test_run (trace, "3", &options);
  for (guint32 p = 0; p < 3; p++)
    {
      g_autofree char *shown = test_log_show_collectives (log, p);
      g_assert_cmpstr (shown, ==, "reduce:24 gather:8 bcast:8");
    }
  /* the central processor of three is 1: it sends the sum to both others */
  guint from_central = 0;
  for (guint k = 0; k < log->messages->len; k++)
    {
      const TestMessage *message = &g_array_index (log->messages, TestMessage, k);
      from_central += message->source == 1 && message->bytes == 8;
    }
  g_assert_cmpuint (from_central, ==, 2);
  g_assert_cmpuint (pd_messages_count (run->messages, "charged-as-ordinary"), ==, 0);
}

/* ---- plans */

static void
test_dense_plan (void)
{
  static const gint64 sizes[] = { 3 };
  g_autoptr (PdGrid) grid = pd_grid_new (1, sizes, NULL);
  const gint64 sends[] = { 2, 0, G_MAXINT64 }, receives[] = { 1, 3, 5 };
  g_autoptr (PdPlan) plan = pd_dense_plan_new (grid, g_memdup (sends, sizeof sends),
                                               g_memdup (receives, sizeof receives), 4, 10);
  PdPlanMessage messages[4];

  g_assert_cmpuint (pd_plan_get_max (plan, 0), ==, 4);
  g_assert_cmpuint (pd_plan_get_max (plan, 3), ==, 0);
  g_assert_cmpuint (pd_plan_get_total (plan), ==, 6);
  /* 2 receives from 0: 10 / 4, rounded up; from 1 nothing; what is too much is bounded */
  g_assert_cmpuint (pd_plan_get_messages (plan, 2, messages), ==, 3);
  g_assert_true (!messages[0].send && messages[0].peer == 0 && messages[0].bytes == 30);
  g_assert_true (messages[1].send && messages[1].peer == 0
                 && messages[1].bytes == G_GINT64_CONSTANT (1) << 62);
  g_assert_true (messages[2].send && messages[2].peer == 1);
  g_assert_cmpuint (pd_plan_get_messages (plan, 3, messages), ==, 0);

  PdTraffic traffic;
  pd_plan_get_traffic (plan, 0, &traffic);
  g_assert_cmpint (traffic.n_sent, ==, 2);
  g_assert_cmpint (traffic.n_received, ==, 1);
  g_assert_cmpint (traffic.bytes_sent, ==, 40); /* 2 * (3 + 5) / 4 */
  pd_plan_get_traffic (plan, 1, &traffic);
  g_assert_cmpint (traffic.n_sent, ==, 0);
  pd_plan_get_traffic (plan, 3, &traffic);
  g_assert_cmpint (traffic.n_sent + traffic.n_received, ==, 0);
}

/* ---- what is refused, and the order of steps */

static const struct
{
  const char *name, *function, *params;
  int code;
} bad[] = {
  { "strtac-array", "strtac_", "ArrayHandlePtr=77; LoopRef=78;", PD_DVM_MODEL_ERROR_OBJECT },
  { "strtcg-group", "strtcg_", "DAConsistGroupRef=77;", PD_DVM_MODEL_ERROR_OBJECT },
  { "inscg-group", "inscg_", "DAConsistGroupRef=77;", PD_DVM_MODEL_ERROR_OBJECT },
  { "crtcg-none", "crtcg_", "", PD_DVM_MODEL_ERROR_PARAMETER },
  { "loadib-buffer", "loadib_", "BufferHandlePtr=77;", PD_DVM_MODEL_ERROR_OBJECT },
  { "loadig-group", "loadig_", "IndirectAccessGroupRef=77;", PD_DVM_MODEL_ERROR_OBJECT },
  { "insib-group", "insib_", "IndirectAccessGroupRef=77;", PD_DVM_MODEL_ERROR_OBJECT },
  { "crtib-array", "crtib_", "RemArrayHandlePtr=77; MEHandlePtr=78; BufferHandlePtr=79;",
    PD_DVM_MODEL_ERROR_OBJECT },
  { "crtib-none", "crtib_", "RemArrayHandlePtr=77;", PD_DVM_MODEL_ERROR_PARAMETER },
  { "acsend-loop", "acsend_", "LoopRef=77; ElmType=1; ElmNumber=1;", PD_DVM_MODEL_ERROR_OBJECT },
  { "acsend-type", "acsend_", "LoopRef=1; ElmType=5; ElmNumber=1;", PD_DVM_MODEL_ERROR_PARAMETER },
  { "acrecv-number", "acrecv_", "LoopRef=1; ElmType=1; ElmNumber=0;",
    PD_DVM_MODEL_ERROR_PARAMETER },
  { "dvmreduce-type", "dvmreduce_", "count=1; type=99; root=0;", PD_DVM_MODEL_ERROR_PARAMETER },
  { "dvmreduce-root", "dvmreduce_", "count=1; type=1; root=4;", PD_DVM_MODEL_ERROR_PARAMETER },
  { "dvmreduce-count", "dvmreduce_", "count=-1; type=1; root=0;", PD_DVM_MODEL_ERROR_PARAMETER },
};

static void
test_bad (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  g_autoptr (GError) error = NULL;

  test_trace_call (trace, bad[i].function, 0, 0, bad[i].params, "");
  test_trace_exit (trace, 0);
  g_assert_null (test_predict (trace->text->str, "4", &options, &error));
  g_assert_error (error, PD_DVM_MODEL_ERROR, bad[i].code);
}

/* Rules that name an index that the loop does not have, or arrays too large. */
static void
test_bad_rules (void)
{
  static const char *const rules[] = { "2*1+0", "1*1+0,-1*0+0" };

  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      PdPredictOptions options = test_options ("ideal");
      g_autoptr (TestTrace) trace = test_trace_new ("1");
      g_autoptr (GError) error = NULL;
      gint64 array = create_consistent (trace, i == 0 ? "10" : "10,9223372036854775807");
      gint64 loop = make_loop (trace, 0);
      make_consistent (trace, "strtac_", 0, array, loop, rules[i]);
      test_trace_exit (trace, 0);
      g_assert_null (test_predict (trace->text->str, "4", &options, &error));
      g_assert_error (error, PD_DVM_MODEL_ERROR, PD_DVM_MODEL_ERROR_PARAMETER);
    }
}

/* One step at a time, and twice, gives the same. */
static void
test_one_step (void)
{
  char *dumps[3];
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = create_consistent (trace, "10"), remote = create_remote (trace);
  gint64 buffer = create_indirect (trace, remote, create_matrix (trace), 0);
  gint64 loop = make_loop (trace, 0);

  use_buffer (trace, "loadib_", buffer, 0);
  carry (trace, "acrecv_", loop, 4, 1000);
  test_trace_dopl (trace, loop, 0, 1);
  test_trace_dopl (trace, loop, 10, 0);
  carry (trace, "acsend_", loop, 4, 1000);
  make_consistent (trace, "strtac_", 0, array, loop, "1*1+0");
  use_buffer (trace, "waitib_", buffer, 0);
  test_trace_end_loop (trace, loop);
  test_trace_call (trace, "dacsum_", 1, 1, "ArrayHandlePtr=2;", "Calculated=1");
  for (guint i = 0; i < 3; i++)
    {
      PdPredictOptions options =
          test_options ("ethernet:startup=2us,per-byte=10ns,processors-per-node=2,speeds=1:2:1:3");
      options.one_step = i == 1;
      g_autoptr (TestRun) run = test_run (trace, "4", &options);
      dumps[i] = test_dump (run);
    }
  g_assert_cmpstr (dumps[0], ==, dumps[1]);
  g_assert_cmpstr (dumps[0], ==, dumps[2]);
  for (guint i = 0; i < 3; i++)
    g_free (dumps[i]);
}

/* ---- random programs, and altered ones */

/* Everything of this file in any order. */
static TestTrace *
random_program (GRand *random, guint n_parts)
{
  TestTrace *trace = test_trace_new ("1 1");
  gint64 array = create_consistent (trace, "10,5"), remote = create_remote (trace);
  gint64 buffer = create_indirect (trace, remote, create_matrix (trace), 0);
  gint64 group = new_id (trace);
  g_autofree char *named = g_strdup_printf ("DAConsistGroupRef=%" ID ";", group);

  test_trace_call (trace, "crtcg_", 0, 0, "StaticSign=1; DelDASign=0;", named);
  for (guint k = 0; k < n_parts; k++)
    {
      gint64 loop = make_loop (trace, (gsize) g_rand_int_range (random, 0, 2));
      gboolean carries = g_rand_boolean (random);
      int n = g_rand_int_range (random, 1, 1000);
      if (g_rand_boolean (random)) /* waits for the matrix of all others */
        use_buffer (trace, "loadib_", buffer, 1);
      if (carries)
        carry (trace, "acrecv_", loop, 4, n);
      test_trace_dopl (trace, loop, g_rand_int_range (random, 0, 50), 1);
      test_trace_dopl (trace, loop, g_rand_int_range (random, 0, 500), 0);
      if (carries)
        carry (trace, "acsend_", loop, 4, n);
      if (g_rand_boolean (random))
        make_consistent (trace, "strtac_", 0, array, loop, "1*1+0,-1*0+0");
      if (g_rand_boolean (random))
        make_consistent (trace, "inscg_", group, array, loop, "1*1+0,0*0+1");
      if (g_rand_boolean (random))
        use_buffer (trace, "waitib_", buffer, 0);
      test_trace_end_loop (trace, loop);
      if (g_rand_int_range (random, 0, 4) == 0)
        test_trace_call (trace, "strtcg_", 1, 1, named, "");
      if (g_rand_int_range (random, 0, 4) == 0)
        test_trace_call (trace, "dacsum_", 1, 1, "ArrayHandlePtr=2;", "Calculated=1");
    }
  test_trace_exit (trace, 1);
  return trace;
}

/* Running ahead gives what one step at a time does; the identities hold. */
static void
test_random (gconstpointer data)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (GPOINTER_TO_UINT (data));
  g_autoptr (TestTrace) trace = random_program (random, 6);

  for (guint k = 0; k < 8; k++)
    {
      gboolean is_uniform;
      PdPredictOptions options = test_options (test_random_machine (random, &is_uniform));
      g_autofree char *grid = test_random_grid (random);
      g_autoptr (TestRun) ahead = test_run (trace, grid, &options);
      options.one_step = TRUE;
      g_autoptr (TestRun) single = test_run (trace, grid, &options);
      g_autofree char *a = test_dump (ahead), *b = test_dump (single);
      g_assert_cmpstr (a, ==, b);
    }
}

/* Any number replaced by any other: an error, or a result. */
static void
test_altered (void)
{
  static const char *const values[] = {
    "-1", "1", "0", "2", "7", "1", "4294967297", "2", "9223372036854775807", "x", "3"
  };
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autoptr (TestTrace) trace = random_program (random, 2);
  const char *text = trace->text->str;
  guint n = 0, n_results = 0;

  for (const char *at = strstr (text, "crtrda_"); (at = strchr (at, '=')) != NULL; at++)
    {
      if (at - text >= 4 && strncmp (at - 4, "TIME", 4) == 0)
        continue;
      PdPredictOptions options = test_options ("ideal");
      g_autoptr (GError) error = NULL;
      g_autofree char *front = g_strndup (text, (gsize) (at + 1 - text));
      g_autofree char *altered = g_strconcat (front, values[n++ % G_N_ELEMENTS (values)],
                                              at + 1 + strspn (at + 1, "-0123456789abcdef"), NULL);
      PdReportRun *run = test_predict (altered, "2x2", &options, &error);
      g_assert_true ((run == NULL) == (error != NULL));
      n_results += run != NULL;
      g_clear_pointer (&run, test_report_run_free);
    }
  g_assert_cmpuint (n, >, 100);
  g_assert_cmpuint (n_results, >, 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/dvm-consistent/parts/", parts[i].name, NULL);
      g_autofree char *grouped =
          g_strconcat ("/predictor/dvm-consistent/group/", parts[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_parts);
      g_test_add_data_func (grouped, GSIZE_TO_POINTER (i), test_group);
    }
  g_test_add_func ("/predictor/dvm-consistent/time", test_time);
  g_test_add_func ("/predictor/dvm-consistent/large", test_large);
  g_test_add_func ("/predictor/dvm-consistent/indirect", test_indirect);
  g_test_add_func ("/predictor/dvm-consistent/indirect-renewed", test_renewed);
  g_test_add_func ("/predictor/dvm-consistent/indirect-loop", test_indirect_loop);
  g_test_add_func ("/predictor/dvm-consistent/indirect-group", test_indirect_group);
  for (gsize i = 0; i < G_N_ELEMENTS (shifts); i++)
    {
      g_autofree char *path =
          g_strconcat ("/predictor/dvm-consistent/shift/", shifts[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_shift);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (halves); i++)
    {
      g_autofree char *path =
          g_strconcat ("/predictor/dvm-consistent/halves/", halves[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_halves);
    }
  g_test_add_func ("/predictor/dvm-consistent/shift-alone", test_shift_alone);
  g_test_add_func ("/predictor/dvm-consistent/rooted", test_rooted);
  g_test_add_func ("/predictor/dvm-consistent/dense-plan", test_dense_plan);
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/dvm-consistent/bad/", bad[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_bad);
    }
  g_test_add_func ("/predictor/dvm-consistent/bad-rules", test_bad_rules);
  g_test_add_func ("/predictor/dvm-consistent/one-step", test_one_step);
  for (guint seed = 1; seed <= 20; seed++)
    {
      g_autofree char *path = g_strdup_printf ("/predictor/dvm-consistent/random/%u", seed);
      g_test_add_data_func (path, GUINT_TO_POINTER (seed), test_random);
    }
  g_test_add_func ("/predictor/dvm-consistent/altered", test_altered);
  return g_test_run ();
}
