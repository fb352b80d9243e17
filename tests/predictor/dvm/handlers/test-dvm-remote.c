/* Buffers of remote access: where they lie, what fills them and when, groups of
 * them, and what is wrong.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/copy-trace.h"
#include "tests/support/predict.h"

#include <string.h>

#define ID G_GINT64_MODIFIER "x"

/* ---- which messages: B(8,8), and a loop or A(8,8) itself, on 2x2 */

static const struct
{
  const char *name, *function, *ranges, *rules;
  const char *messages;
  gint64 elements;   /* of the buffer */
  const char *parts; /* of the buffer, of each processor */
} buffers[] = {

  { "row-index", "crtrbl_", "0:7,0:7", "1*1+0,0*0+3", "0>1:32 2>3:32", 8, "4 4 4 4" },
  { "whole", "crtrbl_", "0:7,0:7", "-1*0+0,0*0+3", "0>1:32 0>2:32 0>3:32 2>0:32 2>1:32 2>3:32", 8,
    "8 8 8 8" },
  { "constant", "crtrbl_", "0:7,0:7", "0*0+5,0*0+3", "2>0:8 2>1:8 2>3:8", 1, "1 1 1 1" },
  { "turned", "crtrbl_", "0:7,0:7", "2*1+0,1*1+0", "1>2:128 2>1:128", 64, "16 16 16 16" },
  { "system", "crtrbp_", NULL, "-1,3", "0>1:32 0>2:32 0>3:32 2>0:32 2>1:32 2>3:32", 8, "8 8 8 8" },
  { "system-constant", "crtrbp_", NULL, "5,3", "2>0:8 2>1:8 2>3:8", 1, "1 1 1 1" },
  { "array", "crtrba_", NULL, "1*1+0,0*0+3", "0>1:32 2>3:32", 8, "4 4 4 4" },
  { "array-turned", "crtrba_", NULL, "2*1+0,1*1+0", "1>2:128 2>1:128", 64, "16 16 16 16" },
  /* loops over a part, with steps, downwards */
  { "shifted", "crtrbl_", "0:6,0:7", "1*1+1,2*1+0", "2>0:32 3>1:32", 56, "16 16 12 12" },
  { "mirrored", "crtrbl_", "0:7,0:7", "1*-1+7,2*1+0", "0>2:128 1>3:128 2>0:128 3>1:128", 64,
    "16 16 16 16" },
  { "mirrored-part", "crtrbl_", "0:5,0:7", "1*-1+5,0*0+0", "0>1:16 0>2:16 0>3:16 2>0:16 2>1:16", 6,
    "4 4 2 2" },
  { "steps", "crtrbl_", "0:6:2,0:7", "1*1+0,0*0+3", "0>1:16 2>3:16", 4, "2 2 2 2" },
  { "downwards", "crtrbl_", "6:0:-2,0:7", "1*1+0,0*0+3", "0>1:16 2>3:16", 4, "2 2 2 2" },
  { "twice", "crtrbl_", "0:3,0:7", "1*2+0,0*0+3", "0>1:16 2>0:16 2>1:16", 4, "4 4 0 0" },
  { "offset", "crtrbl_", "4:7,0:7", "1*1+-4,0*0+3", "0>2:32 0>3:32", 4, "0 0 4 4" },
  { "only-where-iterated", "crtrbl_", "0:7,4:7", "1*1+0,0*0+5", "", 8, "0 4 0 4" },
  { "diagonal", "crtrbl_", "0:7,0:7", "1*1+0,1*1+0", "0>1:128 1>0:128 2>3:128 3>2:128", 64,
    "32 32 32 32" },
};

/* The two arrays, and the loop or array that buffer @i is for. */
static gint64
make_buffer (TestTrace *trace, gsize i, gint64 *view)
{
  *view = test_trace_template (trace, "8,8", "1,2");
  gint64 remote = test_trace_array (trace, "8,8", *view, "1*1+0,2*1+0");
  gint64 local = test_trace_array (trace, "8,8", *view, "1*1+0,2*1+0");
  gint64 space = buffers[i].ranges == NULL
                     ? local
                     : test_trace_loop (trace, local, buffers[i].ranges, "1*1+0,2*1+0");

  return test_trace_buffer (trace, buffers[i].function, remote, space, buffers[i].rules);
}

/* The time of loading is shared by those who hold the buffer. */
static void
test_buffer (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *messages = NULL;
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 view, buffer = make_buffer (trace, i, &view);

  test_trace_load (trace, "loadrb_", buffer, 0, buffers[i].elements);
  test_trace_load (trace, "waitrb_", buffer, 0, 0);
  g_autoptr (TestRun) run = test_run_watched (trace, "2x2", &messages);
  g_autofree char *parts = test_values (run, 0, PD_C_CPU_TIME_PAR);
  g_autofree PdIntervalResult *result = test_result (run, 0);
  g_assert_cmpstr (messages, ==, buffers[i].messages);
  g_assert_cmpstr (parts, ==, buffers[i].parts);
  g_assert_cmpuint (result->counts[PD_Q_N_REMOTE_ACCESS - PD_N_TIMES], ==, 1);
  g_assert_cmpuint (pd_messages_get_n (run->messages), ==, 0);
}

/* All of it is productive once. */
static void
test_insufficient (void)
{
  g_autofree char *messages = NULL;
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 view, buffer = make_buffer (trace, 0, &view);

  test_trace_load (trace, "loadrb_", buffer, 0, 8);
  test_trace_load (trace, "waitrb_", buffer, 0, 16);
  g_autoptr (TestRun) run = test_run_watched (trace, "2x2", &messages);
  g_autofree char *par = test_values (run, 0, PD_C_CPU_TIME_PAR);
  g_autofree char *insufficient = test_values (run, 0, PD_C_INSUFFICIENT_PARALLELISM);
  g_assert_cmpstr (par, ==, "12 12 12 12");
  g_assert_cmpstr (insufficient, ==, "6 6 6 6");
}

/* ---- when */

/* Loaded once, unless the record wants it again; after a redistribution of the
 * remote array by the new layout. */
static void
test_renew (void)
{
  g_autofree char *messages = NULL;
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "8,8", "1");
  gint64 remote = test_trace_array (trace, "8,8", view, "1*1+0,2*1+0");
  gint64 buffer = test_trace_buffer (trace, "crtrbp_", remote, 0, "0,0");

  for (int renew = 0; renew < 3; renew++)
    {
      test_trace_load (trace, "loadrb_", buffer, renew > 1, 0);
      test_trace_load (trace, "waitrb_", buffer, 0, 0);
    }
  test_trace_redis (trace, view, FALSE, "0", 1);
  test_trace_load (trace, "loadrb_", buffer, 1, 0);
  test_trace_load (trace, "waitrb_", buffer, 0, 0);
  g_autoptr (TestRun) run = test_run_watched (trace, "2", &messages);
  g_autofree PdIntervalResult *result = test_result (run, 0);
  g_assert_cmpstr (messages, ==, "0>1:8 0>1:8");
  g_assert_cmpuint (result->counts[PD_Q_N_REMOTE_ACCESS - PD_N_TIMES], ==, 3);
}

/* 8 bytes from 0 to 1 in 9, of which processor 1 computes 4. */
static void
test_overlap (void)
{
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1us");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "8", "1");
  gint64 remote = test_trace_array (trace, "8", view, "1*1+0");
  gint64 buffer = test_trace_buffer (trace, "crtrbp_", remote, 0, "0");

  test_trace_load (trace, "loadrb_", buffer, 0, 0);
  test_trace_ordinary (trace, 4, 0);
  test_trace_load (trace, "waitrb_", buffer, 0, 0);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_autofree char *remote_access = test_values (run, 0, PD_C_REMOTE_ACCESS);
  g_autofree char *overlap = test_values (run, 0, PD_C_OVERLAP);
  g_assert_cmpstr (remote_access, ==, "0 5");
  g_assert_cmpstr (overlap, ==, "4 4");
}

/* 16 elements of 8 bytes everywhere: fresh memory for the first load only. The
 * copying itself is the recorded time, only messages are packed besides. */
static void
test_work (void)
{
  PdPredictOptions options = test_options ("ideal:touch-per-byte=1us");
  PdPredictOptions packs = test_options ("ideal:pack-per-byte=1us");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "16", "1");
  gint64 remote = test_trace_array (trace, "16", view, "1*1+0");
  gint64 buffer = test_trace_buffer (trace, "crtrbp_", remote, 0, "-1");

  options.settings = packs.settings = NULL; /* which turn packing off */
  for (int renew = 0; renew < 2; renew++)
    {
      test_trace_load (trace, "loadrb_", buffer, renew, 0);
      test_trace_load (trace, "waitrb_", buffer, 0, 0);
    }
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_autofree char *touched = test_values (run, 0, PD_C_REMOTE_ACCESS);
  g_autoptr (TestRun) other = test_run (trace, "2", &packs);
  g_autofree char *packed = test_values (other, 0, PD_C_REMOTE_ACCESS);
  g_assert_cmpstr (touched, ==, "128 128");
  g_assert_cmpstr (packed, ==, "256 256"); /* twice 64 B sent, 64 B received */
}

/* A buffer is an array: here it is read, and copied on. */
static void
test_as_array (void)
{
  g_autofree char *messages = NULL;
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 view, buffer = make_buffer (trace, 0, &view);

  test_trace_copy (trace, "copelm_", (TestSide){ buffer, "0" }, (TestSide){ buffer, "7" }, "", 0);
  g_autoptr (TestRun) run = test_run_watched (trace, "2x2", &messages);
  g_assert_cmpstr (messages, ==, "0>2:8 0>3:8 1>2:8 1>3:8");
}

/* Without messages from 1 processor to 1000 others: only those who get the row
 * take time. */
static void
test_one_to_all (void)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "1000,16", "1"), bytes;
  gint64 remote = test_trace_array (trace, "1000,16", view, "1*1+0,2*1+0");
  gint64 buffer = test_trace_buffer (trace, "crtrbp_", remote, 0, "500,-1");

  test_trace_load (trace, "loadrb_", buffer, 0, 0);
  test_trace_load (trace, "waitrb_", buffer, 0, 0);
  options.observer = &observer;
  test_watch (trace, "1000", &options);
  g_assert_cmpuint (test_log_count (log, &bytes), ==, 999);
  g_assert_cmpint (bytes, ==, 999 * 128);
}

/* ---- groups */

/* Two buffers, of 8 elements (everywhere) and of 1, in one group. */
static gint64
make_group (TestTrace *trace, gboolean deletes, gint64 *first, gint64 *second)
{
  gint64 view = test_trace_template (trace, "8", "1");
  gint64 remote = test_trace_array (trace, "8", view, "1*1+0");
  gint64 group = test_trace_crtbg (trace, deletes);

  *first = test_trace_buffer (trace, "crtrbp_", remote, 0, "-1");
  *second = test_trace_buffer (trace, "crtrbp_", remote, 0, "7");
  test_trace_insrb (trace, group, *first);
  test_trace_insrb (trace, group, *second);
  return group;
}

static void
test_group (void)
{
  g_autofree char *messages = NULL;
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 first, second, group = make_group (trace, FALSE, &first, &second);

  test_trace_insrb (trace, group, first); /* is in it already */
  test_trace_buffer_group (trace, "loadbg_", group, 0, 9);
  test_trace_buffer_group (trace, "waitbg_", group, 0, 18);
  test_trace_buffer_group (trace, "loadbg_", group, 0, 2); /* nothing to do: ordinary */
  g_autoptr (TestRun) run = test_run_watched (trace, "2", &messages);
  g_autofree char *par = test_values (run, 0, PD_C_CPU_TIME_PAR);
  g_autofree char *seq = test_values (run, 0, PD_C_CPU_TIME_SEQ);
  g_assert_cmpstr (messages, ==, "0>1:32 1>0:8 1>0:32");
  g_assert_cmpstr (par, ==, "27 27");
  g_assert_cmpstr (seq, ==, "2 2");
}

static void
test_group_renewed (void)
{
  g_autofree char *messages = NULL;
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 first, second, group = make_group (trace, FALSE, &first, &second);

  test_trace_load (trace, "loadrb_", second, 0, 0);
  test_trace_load (trace, "waitrb_", second, 0, 0);
  test_trace_buffer_group (trace, "loadbg_", group, 0, 0); /* only the first */
  test_trace_buffer_group (trace, "waitbg_", group, 0, 0);
  test_trace_load (trace, "delrb_", first, 0, 0);
  test_trace_buffer_group (trace, "loadbg_", group, 1, 0); /* only the second */
  test_trace_buffer_group (trace, "waitbg_", group, 0, 0);
  g_autoptr (TestRun) run = test_run_watched (trace, "2", &messages);
  g_assert_cmpstr (messages, ==, "0>1:32 1>0:8 1>0:8 1>0:32");
}

/* Parts of a time of 7, 8 to 1 by size, add up to it. */
static void
test_group_rounding (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 first, second, group = make_group (trace, FALSE, &first, &second);

  test_trace_buffer_group (trace, "loadbg_", group, 0, 7);
  g_autoptr (TestRun) run = test_run (trace, "1", &options);
  g_autofree char *par = test_values (run, 0, PD_C_CPU_TIME_PAR);
  g_assert_cmpstr (par, ==, "7");
}

/* ---- rmkind_ */

static void
add_rmkind (TestTrace *trace, gint64 remote, gint64 loop, int answer)
{
  g_autofree char *rules = test_trace_rules ("0*0+0");
  g_autofree char *params = g_strdup_printf ("ArrayHeader=%" ID "; ArrayHandlePtr=%" ID
                                             "; BufferHeader=8d; LoopRef=%" ID ";\n%s",
                                             remote - 8, remote, loop, rules);
  g_autofree char *result = g_strdup_printf ("Res=%d", answer);

  test_trace_call (trace, "rmkind_", 0, 0, params, result);
}

/* The buffer that it makes is known by its header; its handle comes later. */
static void
test_rmkind (void)
{
  g_autofree char *messages = NULL;
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "8", "1");
  gint64 remote = test_trace_array (trace, "8", view, "1*1+0");
  gint64 loop = test_trace_loop (trace, remote, "0:7", "1*1+0");

  add_rmkind (trace, remote, loop, 1);
  add_rmkind (trace, remote, loop, 4);
  test_trace_call (trace, "loadrb_", 0, 0, "BufferHeader=8d; BufferHandlePtr=d;", "");
  test_trace_call (trace, "waitrb_", 0, 0, "BufferHeader=8d; BufferHandlePtr=d;", "");
  g_autoptr (TestRun) run = test_run_watched (trace, "2", &messages);
  g_assert_cmpstr (messages, ==, "0>1:8");
  g_assert_cmpuint (pd_messages_get_n (run->messages), ==, 0);
}

/* ---- what is wrong, or odd */

/* Template f, arrays a on it and b not aligned, loop c on a. */
#define BASE                                                                                       \
  "crtamv_|Rank=1; SizeArray[0]=8;|AMViewRef=f;\n"                                                 \
  "distr_|AMViewRef=f; PSRef=0; ParamCount=1; AxisArray[0]=1; DistrParamArray[0]=0;|\n"            \
  "crtda_|ArrayHeader=8a; Rank=1; TypeSize=8; SizeArray[0]=8;|ArrayHandlePtr=a;\n"                 \
  "align_|ArrayHandlePtr=a; PatternRef=f (AMView); AxisArray[0]=1; CoeffArray[0]=1; "              \
  "ConstArray[0]=0;|\n"                                                                            \
  "crtda_|ArrayHeader=8b; Rank=1; TypeSize=8; SizeArray[0]=8;|ArrayHandlePtr=b;\n"                 \
  "crtpl_|Rank=1;|LoopRef=c;\n" MAPPL ("0", "7")
#define MAPPL(first, last)                                                                         \
  "mappl_|LoopRef=c; PatternRef=a (DisArray); AxisArray[0]=1; CoeffArray[0]=1; ConstArray[0]=0; "  \
  "InInitIndexArray[0]=" first "; InLastIndexArray[0]=" last "; InStepArray[0]=1;|\n"
#define RULE(axis, coeff, constant)                                                                \
  "AxisArray[0]=" axis "; CoeffArray[0]=" coeff "; ConstArray[0]=" constant ";"
#define BY_LOOP(remote, loop, rule)                                                                \
  "crtrbl_|RemArrayHandlePtr=" remote "; BufferHeader=8d; LoopRef=" loop "; " rule                 \
  "|BufferHandlePtr=d;\n"
#define BY_ARRAY(local)                                                                            \
  "crtrba_|RemArrayHandlePtr=a; BufferHeader=8d; LocArrayHandlePtr=" local                         \
  "; " RULE ("1", "1", "0") "|BufferHandlePtr=d;\n"
#define BY_SYSTEM(rule)                                                                            \
  "crtrbp_|RemArrayHandlePtr=a; BufferHeader=8d; " rule "|BufferHandlePtr=d;\n"
#define SOME           BASE BY_SYSTEM ("PSRef=0; CoordArray[0]=-1;")
#define LOAD           "loadrb_|BufferHandlePtr=d; RenewSign=0;|\n"
#define WAIT           "waitrb_|BufferHandlePtr=d;|\n"
#define GROUP(deletes) "crtbg_|StaticSign=0; DelBufSign=" deletes ";|RegularAccessGroupRef=e;\n"
#define INSERT         "insrb_|RegularAccessGroupRef=e; BufferHeader=8d; BufferHeader[0]=d|\n"
#define LOADBG         "loadbg_|RegularAccessGroupRef=e; RenewSign=0|\n"
#define ENDPL          "endpl_|LoopRef=c;|\n"

#define FINE      (-1)
#define OBJECT    PD_DVM_MODEL_ERROR_OBJECT
#define PARAMETER PD_DVM_MODEL_ERROR_PARAMETER

static const struct
{
  const char *name, *script;
  int code;
  const char *warning; /* NULL: none */
} scripts[] = {
  { "fine", SOME LOAD WAIT, FINE, NULL },
  { "create/no-remote", BASE BY_LOOP ("9", "c", RULE ("1", "1", "0")), OBJECT, NULL },
  { "create/no-loop", BASE BY_LOOP ("a", "9", RULE ("1", "1", "0")), OBJECT, NULL },
  { "create/no-local", BASE BY_ARRAY ("9"), OBJECT, NULL },
  { "create/no-system", BASE BY_SYSTEM ("PSRef=9; CoordArray[0]=0;"), OBJECT, NULL },
  { "create/no-handle", BASE "crtrbp_|RemArrayHandlePtr=a; PSRef=0; CoordArray[0]=0;|\n", PARAMETER,
    NULL },
  { "create/no-rules", BASE BY_LOOP ("a", "c", ""), PARAMETER, NULL },
  { "create/no-coords", BASE BY_SYSTEM ("PSRef=0;"), PARAMETER, NULL },
  { "create/axis", BASE BY_LOOP ("a", "c", RULE ("2", "1", "0")), PARAMETER, NULL },
  { "create/axis-0", BASE BY_LOOP ("a", "c", RULE ("0", "1", "0")), PARAMETER, NULL },
  { "create/above", BASE BY_LOOP ("a", "c", RULE ("1", "1", "1")), PARAMETER, NULL },
  { "create/below", BASE BY_LOOP ("a", "c", RULE ("1", "1", "-1")), PARAMETER, NULL },
  { "create/constant-below", BASE BY_LOOP ("a", "c", RULE ("0", "0", "-1")), PARAMETER, NULL },
  { "create/constant-above", BASE BY_SYSTEM ("PSRef=0; CoordArray[0]=8;"), PARAMETER, NULL },
  { "create/overflow", BASE BY_LOOP ("a", "c", RULE ("1", "4611686018427387904", "0")), PARAMETER,
    NULL },
  { "create/lowest", BASE BY_LOOP ("a", "c", RULE ("1", "-9223372036854775808", "0")), PARAMETER,
    NULL },
  { "create/remote-not-aligned", BASE BY_LOOP ("b", "c", RULE ("1", "1", "0")) LOAD WAIT, FINE,
    "pattern-not-mapped" },
  { "create/local-not-aligned", BASE BY_ARRAY ("b") LOAD WAIT, FINE, "pattern-not-mapped" },
  { "create/empty-loop", BASE MAPPL ("5", "4") BY_LOOP ("a", "c", RULE ("1", "1", "0")) LOAD WAIT,
    FINE, NULL },
  { "load/none", BASE LOAD, OBJECT, NULL },
  { "load/nameless", BASE "loadrb_||\n", OBJECT, NULL },
  { "load/an-array", BASE "loadrb_|BufferHandlePtr=a;|\n", OBJECT, NULL },
  { "load/by-header", SOME "loadrb_|BufferHeader=8d; BufferHandlePtr=99;|\n", FINE, NULL },
  { "load/remote-deleted", SOME "delda_|ArrayHandlePtr=a;|\n" LOAD, OBJECT, NULL },
  { "wait/none", BASE WAIT, OBJECT, NULL },
  { "wait/not-loaded", SOME WAIT, FINE, "not-started" },
  { "wait/twice", SOME LOAD WAIT WAIT, FINE, NULL },
  { "wait/never", SOME LOAD, FINE, NULL },
  { "life/delrb", SOME "delrb_|BufferHandlePtr=d;|\n" LOAD, OBJECT, NULL },
  { "life/delobj", SOME "delobj_|ObjectRef=d;|\n" LOAD, OBJECT, NULL },
  { "life/delrb-started", SOME LOAD "delrb_|BufferHandlePtr=d;|\n" WAIT, OBJECT, NULL },
  { "life/loop", SOME ENDPL LOAD, OBJECT, NULL },
  { "life/before-loop",
    BASE ENDPL BY_SYSTEM ("PSRef=0; CoordArray[0]=0;") "crtpl_|Rank=1;|LoopRef=c;\n" MAPPL (
        "0", "7") ENDPL LOAD,
    FINE, NULL },
  { "life/reused",
    SOME "crtda_|ArrayHeader=8d; Rank=1; TypeSize=8; SizeArray[0]=8;|ArrayHandlePtr=d;\n" LOAD,
    OBJECT, NULL },
  { "group/fine", SOME GROUP ("0") INSERT LOADBG "waitbg_|RegularAccessGroupRef=e;|\n", FINE,
    NULL },
  { "group/none", SOME INSERT, OBJECT, NULL },
  { "group/nameless", SOME "loadbg_||\n", PARAMETER, NULL },
  { "group/no-result", SOME "crtbg_||\n", PARAMETER, NULL },
  { "group/load-none", SOME LOADBG, OBJECT, NULL },
  { "group/wait-none", SOME "waitbg_|RegularAccessGroupRef=e;|\n", OBJECT, NULL },
  { "group/reset-none", SOME "rstbg_|RegularAccessGroupRef=e; DelBufSign=0;|\n", OBJECT, NULL },
  { "group/no-buffer", BASE GROUP ("0") INSERT, OBJECT, NULL },
  { "group/insert-array",
    SOME GROUP ("0") "insrb_|RegularAccessGroupRef=e; BufferHeader=8a; BufferHeader[0]=a|\n",
    OBJECT, NULL },
  { "group/deleted", SOME GROUP ("0") "delbg_|RegularAccessGroupRef=e;|\n" LOADBG, OBJECT, NULL },
  { "group/keeps-buffers", SOME GROUP ("0") INSERT "delbg_|RegularAccessGroupRef=e;|\n" LOAD, FINE,
    NULL },
  { "group/deletes-buffers", SOME GROUP ("1") INSERT "delbg_|RegularAccessGroupRef=e;|\n" LOAD,
    OBJECT, NULL },
  { "group/dies-with-buffers",
    BASE ENDPL BY_SYSTEM ("PSRef=0; CoordArray[0]=0;") "begbl_||\n" GROUP ("1") INSERT
    "endbl_||\n" LOAD,
    OBJECT, NULL },
  { "group/reset",
    SOME GROUP ("0") INSERT "rstbg_|RegularAccessGroupRef=e; DelBufSign=0;|\n" LOADBG LOAD, FINE,
    NULL },
  { "group/reset-deletes",
    SOME GROUP ("0") INSERT "rstbg_|RegularAccessGroupRef=e; DelBufSign=1;|\n" LOAD, OBJECT, NULL },
  { "rmkind/local", BASE "rmkind_|ArrayHandlePtr=9; BufferHeader=8d; LoopRef=9;|Res=1\n", FINE,
    NULL },
  { "rmkind/no-array", BASE "rmkind_|ArrayHandlePtr=9; BufferHeader=8d; LoopRef=c;|Res=4\n", OBJECT,
    NULL },
  { "rmkind/no-loop", BASE "rmkind_|ArrayHandlePtr=a; BufferHeader=8d; LoopRef=9;|Res=4\n", OBJECT,
    NULL },
};

static void
test_script (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (TestTrace) trace = test_trace_new ("1");

  test_run_script (trace, scripts[i].script, scripts[i].code, scripts[i].warning);
}

static void
add_table (const char *folder, const char *name, gsize i, GTestDataFunc func)
{
  g_autofree char *path = g_strdup_printf ("/predictor/dvm-remote/%s/%s", folder, name);

  g_test_add_data_func (path, GSIZE_TO_POINTER (i), func);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (buffers); i++)
    add_table ("buffer", buffers[i].name, i, test_buffer);
  for (gsize i = 0; i < G_N_ELEMENTS (scripts); i++)
    add_table ("script", scripts[i].name, i, test_script);
  g_test_add_func ("/predictor/dvm-remote/insufficient", test_insufficient);
  g_test_add_func ("/predictor/dvm-remote/renew", test_renew);
  g_test_add_func ("/predictor/dvm-remote/overlap", test_overlap);
  g_test_add_func ("/predictor/dvm-remote/work", test_work);
  g_test_add_func ("/predictor/dvm-remote/as-array", test_as_array);
  g_test_add_func ("/predictor/dvm-remote/one-to-all", test_one_to_all);
  g_test_add_func ("/predictor/dvm-remote/group/together", test_group);
  g_test_add_func ("/predictor/dvm-remote/group/renewed", test_group_renewed);
  g_test_add_func ("/predictor/dvm-remote/group/rounding", test_group_rounding);
  g_test_add_func ("/predictor/dvm-remote/rmkind", test_rmkind);
  return g_test_run ();
}
