/* Templates and arrays that get another layout: which data move, where they are
 * afterwards, which arrays go along, and maps.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/copy-trace.h"
#include "tests/support/predict.h"

#include <string.h>

#define ID G_GINT64_MODIFIER "x"

/* Makes the time of parallel computation the local part: each element of @array
 * is filled in 1. */
static void
probe (TestTrace *trace, gint64 array, const char *whole, gint64 elements)
{
  test_trace_copy (trace, "arrcpy_", (TestSide){ 0, NULL }, (TestSide){ array, whole },
                   "CopyRegim=0;", elements);
}

/* ---- templates */

/* An 8x8 array by @rules on an 8x8 template by @before, and then by @after. */
static const struct
{
  const char *name, *grid, *before, *after, *sizes, *rules;
  gint64 elements;
  int new_sign;
  gboolean by_array;
  const char *messages, *parts;
} redistributions[] = {

  { "rows-to-columns", "4", "1", "2", "8,8", "1*1+0,2*1+0", 64, 0, FALSE,
    "0>1:32 0>2:32 0>3:32 1>0:32 1>2:32 1>3:32 2>0:32 2>1:32 2>3:32 3>0:32 3>1:32 3>2:32",
    "16 16 16 16" },
  { "by-array", "4", "1", "2", "8,8", "1*1+0,2*1+0", 64, 0, TRUE,
    "0>1:32 0>2:32 0>3:32 1>0:32 1>2:32 1>3:32 2>0:32 2>1:32 2>3:32 3>0:32 3>1:32 3>2:32",
    "16 16 16 16" },
  { "new", "4", "1", "2", "8,8", "1*1+0,2*1+0", 64, 1, FALSE, "", "16 16 16 16" },
  { "same", "4", "1", "1", "8,8", "1*1+0,2*1+0", 64, 0, FALSE, "", "16 16 16 16" },
  { "one-processor", "1", "1", "2", "8,8", "1*1+0,2*1+0", 64, 0, FALSE, "", "64" },
  { "to-replicated", "2", "1", "0", "8,8", "1*1+0,2*1+0", 64, 0, FALSE, "0>1:256 1>0:256",
    "64 64" },
  { "to-blocks", "2", "0", "1", "8,8", "1*1+0,2*1+0", 64, 0, FALSE, "", "32 32" },
  { "vector", "4", "1", "2", "4", "1*2+0,0*0+0", 4, 0, FALSE, "1>0:8 2>0:8 3>0:8", "4 0 0 0" },
  { "2-d", "2x2", "1,2", "2,1", "8,8", "1*1+0,2*1+0", 64, 0, FALSE, "1>2:128 2>1:128",
    "16 16 16 16" },
};

static void
test_redistribution (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *messages = NULL;
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 view = test_trace_template (trace, "8,8", redistributions[i].before);
  gint64 array = test_trace_array (trace, redistributions[i].sizes, view, redistributions[i].rules);
  gboolean is_vector = strchr (redistributions[i].sizes, ',') == NULL;

  test_trace_redis (trace, redistributions[i].by_array ? array : view, redistributions[i].by_array,
                    redistributions[i].after, redistributions[i].new_sign);
  probe (trace, array, is_vector ? "-1" : "-1,-1", redistributions[i].elements);
  g_autoptr (TestRun) run = test_run_watched (trace, redistributions[i].grid, &messages);
  g_autofree char *parts = test_values (run, 0, PD_C_CPU_TIME_PAR);
  g_autofree PdIntervalResult *result = test_result (run, 0);
  g_assert_cmpstr (messages, ==, redistributions[i].messages);
  g_assert_cmpstr (parts, ==, redistributions[i].parts);
  g_assert_cmpuint (result->counts[PD_Q_N_REDISTRIBUTION - PD_N_TIMES], ==, 1);
  g_assert_cmpuint (pd_messages_count (run->messages, "charged-as-ordinary"), ==, 0);
}

/* The arrays on a template move one by one, the last aligned first; so does one
 * that is aligned through another, and one that was realigned comes first again. */
static void
test_several (void)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "8,8", "1");
  gint64 other = test_trace_template (trace, "8,8", "1");
  gint64 first = test_trace_array (trace, "8,2", view, "1*1+0,2*1+6"); /* 16 B per pair */
  gint64 second = test_trace_array (trace, "8,8", view, "1*1+0,2*1+0");

  test_trace_array (trace, "8,8", other, "1*1+0,2*1+0");
  test_trace_array_on (trace, "8", second, "0*0+0,1*1+0"); /* at row 0, then spread */
  test_trace_realn (trace, first, view, FALSE, "1*1+0,2*1+6", 1);
  test_trace_redis (trace, view, FALSE, "2", 0);
  options.observer = &observer;
  test_watch (trace, "2", &options);
  for (guint i = 0; i < log->messages->len; i++)
    {
      const TestMessage *message = &g_array_index (log->messages, TestMessage, i);
      if (message->source == 0)
        g_string_append_printf (text, "%" G_GINT64_FORMAT " ", message->bytes);
    }
  /* first has its two columns at 1; then the vector's second half; then 4x4 */
  g_assert_cmpstr (text->str, ==, "64 32 128 ");
}

/* By hand, 2 processors on a bus: 32 B each way, of 1 + 32 each. Both sends start
 * at 0; the bus carries one after the other, the second is there at 66. */
static void
test_times (void)
{
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1us");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "4,4", "1");

  test_trace_array (trace, "4,4", view, "1*1+0,2*1+0");
  test_trace_redis (trace, view, FALSE, "2", 0);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_autofree char *spent = test_values (run, 0, PD_C_REDISTRIBUTION);
  g_autofree char *all = test_values (run, 0, PD_C_COMMUNICATION);
  g_assert_cmpstr (spent, ==, "66 33");
  g_assert_cmpstr (all, ==, spent);
}

/* Each processor gets 64 B of fresh memory. From rows to columns 32 B stay with
 * it, 32 B are packed and 32 B unpacked; where nothing moves, 64 B stay. */
static const struct
{
  const char *name, *machine, *after;
  int new_sign;
  const char *spent;
} works[] = {
  { "touch", "ideal:touch-per-byte=1us", "2", 0, "64 64" },
  { "touch-same", "ideal:touch-per-byte=1us", "1", 0, "64 64" },
  { "pack", "ideal:pack-per-byte=1us", "2", 0, "96 96" },
  { "pack-faster", "ideal:pack-per-byte=1us,speed=2", "2", 0, "48 48" },
  { "pack-same", "ideal:pack-per-byte=1us", "1", 0, "64 64" },
  { "new", "ideal:touch-per-byte=1us,pack-per-byte=1us", "2", 1, "0 0" },
};

static void
test_work (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options (works[i].machine);
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "4,4", "1");

  options.settings = NULL; /* which turn packing off */
  test_trace_array (trace, "4,4", view, "1*1+0,2*1+0");
  test_trace_redis (trace, view, FALSE, works[i].after, works[i].new_sign);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_autofree char *spent = test_values (run, 0, PD_C_REDISTRIBUTION);
  g_autofree char *library = test_values (run, 0, PD_C_LIBRARY_TIME);
  g_assert_cmpstr (spent, ==, works[i].spent);
  g_assert_cmpstr (library, ==, works[i].spent);
  g_autoptr (TestRun) one = test_run (trace, "1", &options);
  g_assert_cmpint (one->end_times[0].ps, ==, 0);
}

/* ---- arrays */

/* B on V(10), BLOCK on 4: by @before, then by @after. */
static const struct
{
  const char *name, *size, *before, *after;
  gint64 elements;
  int new_sign;
  const char *messages, *parts;
} realignments[] = {
  { "shift", "8", "1*1+0", "1*1+2", 8, 0, "0>1:16 1>2:16 2>3:16", "0 3 2 3" },
  { "new", "8", "1*1+0", "1*1+2", 8, 1, "", "0 3 2 3" },
  { "zero", "8", "1*1+0", "1*1+2", 8, 2, "", "0 3 2 3" },
  { "spread", "4", "1*1+0", "1*3+0", 4, 0, "0>1:8 1>2:8 1>3:8", "1 1 1 1" },
  { "to-one", "4", "1*1+0", "0*0+9", 4, 0, "0>3:16 1>3:16", "0 0 0 4" },
  { "to-all", "2", "1*1+0", "-1*0+0", 2, 0, "0>1:16 0>2:16 0>3:16", "2 2 2 2" },
};

static void
test_realignment (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *messages = NULL;
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "10", "1");
  gint64 array = test_trace_array (trace, realignments[i].size, view, realignments[i].before);

  test_trace_realn (trace, array, view, FALSE, realignments[i].after, realignments[i].new_sign);
  probe (trace, array, "-1", realignments[i].elements);
  g_autoptr (TestRun) run = test_run_watched (trace, "4", &messages);
  g_autofree char *parts = test_values (run, 0, PD_C_CPU_TIME_PAR);
  g_assert_cmpstr (messages, ==, realignments[i].messages);
  g_assert_cmpstr (parts, ==, realignments[i].parts);
}

/* What is aligned on an array stays where it is when that is realigned. */
static void
test_followers (void)
{
  g_autofree char *messages = NULL;
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "10", "1");
  gint64 base = test_trace_array (trace, "8", view, "1*1+0");
  gint64 follower = test_trace_array_on (trace, "8", base, "1*1+0");

  test_trace_realn (trace, base, view, FALSE, "1*1+2", 0);
  probe (trace, follower, "-1", 8);
  g_autoptr (TestRun) run = test_run_watched (trace, "4", &messages);
  g_autofree char *parts = test_values (run, 0, PD_C_CPU_TIME_PAR);
  g_assert_cmpstr (messages, ==, "0>1:16 1>2:16 2>3:16");
  g_assert_cmpstr (parts, ==, "2 3 2 1");
}

/* An array that moves to another template goes with that one from then on. */
static void
test_other_template (void)
{
  g_autofree char *messages = NULL;
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 from = test_trace_template (trace, "8,8", "1");
  gint64 to = test_trace_template (trace, "8,8", "1");
  gint64 array = test_trace_array (trace, "8,8", from, "1*1+0,2*1+0");
  gint64 other = test_trace_array (trace, "8,8", to, "1*1+0,2*1+0");

  test_trace_realn (trace, array, other, TRUE, "1*1+0,2*1+0", 0);
  test_trace_redis (trace, from, FALSE, "2", 0); /* nobody is there */
  test_trace_redis (trace, to, FALSE, "2", 0);   /* two arrays */
  g_autoptr (TestRun) run = test_run_watched (trace, "2", &messages);
  g_assert_cmpstr (messages, ==, "0>1:128 0>1:128 1>0:128 1>0:128");
}

/* ---- maps */

static void
add_map (TestTrace *trace, const char *name, const char *key, gint64 id, const char *map_key,
         const char *map)
{
  g_autofree char *params = g_strdup_printf ("%s=%" ID "; StaticSign=0;", key, id);
  g_autofree char *result = g_strdup_printf ("%s=%s;", map_key, map);

  test_trace_call (trace, name, 0, 0, params, result);
}

/* A template goes back and forth by two maps, by mredis_ and mdistr_. */
static void
test_view_map (void)
{
  g_autofree char *messages = NULL;
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "8,8", "1");
  gint64 array = test_trace_array (trace, "8,8", view, "1*1+0,2*1+0");
  gint64 columns = test_trace_template (trace, "8,8", "2");
  g_autofree char *redis = g_strdup_printf (
      "AMViewRef=%" ID "; PSRefPtr=NULL; PSRef=0; AMViewMapRef=777; NewSign=0;", view);
  g_autofree char *distr =
      g_strdup_printf ("AMViewRef=%" ID "; PSRef=0; AMViewMapRef=777;", view + 0x1000);
  g_autofree char *other = g_strdup_printf ("AMViewRef=%" ID ";", view + 0x1000);

  add_map (trace, "amvmap_", "AMViewRef", columns, "AMViewMapRef", "777");
  test_trace_redis (trace, columns, FALSE, "1", 0); /* the map does not follow */
  test_trace_call (trace, "mredis_", 0, 0, redis, "IsLocal=1;");
  test_trace_call (trace, "crtamv_", 0, 0, "Rank=2; SizeArray[0]=8; SizeArray[1]=4;", other);
  test_trace_call (trace, "mdistr_", 0, 0, distr, "IsLocal=1;");
  gint64 second = test_trace_array (trace, "4", view + 0x1000, "0*0+0,1*1+0");
  probe (trace, array, "-1,-1", 64);
  probe (trace, second, "-1", 4);
  g_autoptr (TestRun) run = test_run_watched (trace, "2", &messages);
  g_autofree char *parts = test_values (run, 0, PD_C_CPU_TIME_PAR);
  g_assert_cmpstr (messages, ==, "0>1:128 1>0:128");
  g_assert_cmpstr (parts, ==, "34 34");
}

/* An array gets the alignment of another one: on the map's own template, on
 * another one, and with its data. */
static void
test_array_map (void)
{
  g_autofree char *messages = NULL;
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "10", "1");
  gint64 all = test_trace_template (trace, "10", "0");
  gint64 shifted = test_trace_array (trace, "8", view, "1*1+2");
  gint64 first = test_trace_array (trace, "8", view, "1*1+0");
  gint64 second = test_trace_array (trace, "8", view, "1*1+0");
  g_autofree char *moved =
      g_strdup_printf ("ArrayHandlePtr=%" ID "; AMViewRef=0; ArrayMapRef=777; NewSign=0;", first);
  g_autofree char *aligned =
      g_strdup_printf ("ArrayHandlePtr=%" ID "; AMViewRef=%" ID "; ArrayMapRef=777;", second, all);

  add_map (trace, "arrmap_", "ArrayHandlePtr", shifted, "ArrayMapRef", "777");
  test_trace_call (trace, "mrealn_", 0, 0, moved, "IsLocal=1");
  test_trace_call (trace, "malign_", 0, 0, aligned, "IsLocal=1");
  probe (trace, first, "-1", 8);
  probe (trace, second, "-1", 8);
  g_autoptr (TestRun) run = test_run_watched (trace, "4", &messages);
  g_autofree char *parts = test_values (run, 0, PD_C_CPU_TIME_PAR);
  g_assert_cmpstr (messages, ==, "0>1:16 1>2:16 2>3:16");
  g_assert_cmpstr (parts, ==, "8 11 10 11");
}

/* Measured loop times are put together by all. */
static void
test_gettar (void)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options =
      test_options ("ethernet:startup=0,per-byte=0,collectives=simple,collective-time=1us");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "10", "1");
  g_autofree char *params = g_strdup_printf ("WeightArray=1; AMViewRef=%" ID "; Axis=1;", view);

  test_trace_call (trace, "gettar_", 0, 0, params, "Res=5;");
  test_trace_call (trace, "gettar_", 0, 0, params, "Res=0;");
  options.observer = &observer;
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_autofree char *spent = test_values (run, 0, PD_C_REDISTRIBUTION);
  g_assert_cmpuint (test_log_count_collectives (log, "allreduce", 40), ==, 2);
  g_assert_cmpuint (test_log_count_collectives (log, "allreduce", -1), ==, 2);
  g_assert_cmpstr (spent, ==, "1 1");
}

/* ---- names and lives */

/* Objects with chosen names: template f and g, array a with header 8a on f,
 * b with header 8b not aligned. */
#define BASE                                                                                       \
  "crtamv_|Rank=1; SizeArray[0]=8;|AMViewRef=f;\n"                                                 \
  "distr_|AMViewRef=f; PSRef=0; ParamCount=1; AxisArray[0]=1; DistrParamArray[0]=0;|\n"            \
  "crtamv_|Rank=1; SizeArray[0]=8;|AMViewRef=e;\n"                                                 \
  "crtda_|ArrayHeader=8a; Rank=1; TypeSize=8; ReDistrSign=3; SizeArray[0]=8;|ArrayHandlePtr=a;\n"  \
  "align_|ArrayHandlePtr=a; PatternRef=f (AMView); AxisArray[0]=1; CoeffArray[0]=1; "              \
  "ConstArray[0]=0;|\n"                                                                            \
  "crtda_|ArrayHeader=8b; Rank=1; TypeSize=8; ReDistrSign=0; SizeArray[0]=8;|ArrayHandlePtr=b;\n"
#define ALIGN_B                                                                                    \
  "align_|ArrayHandlePtr=b; PatternRef=f (AMView); AxisArray[0]=1; CoeffArray[0]=1; "              \
  "ConstArray[0]=0;|\n"
#define REDIS(what)                                                                                \
  "redis_|" what " PSRef=0; ParamCount=1; NewSign=0; AxisArray[0]=1; DistrParamArray[0]=0;|\n"
#define REALN(array, pattern, constant)                                                            \
  "realn_|ArrayHandlePtr=" array "; PatternRef=" pattern "; NewSign=0; AxisArray[0]=1; "           \
  "CoeffArray[0]=1; ConstArray[0]=" constant ";|\n"
#define READ(array)     "rwelm_|FromArrayHandlePtr=" array "; ToBufferPtr=1; IndexArray[0]=0;|\n"
#define VIEW_MAP(view)  "amvmap_|AMViewRef=" view "; StaticSign=0;|AMViewMapRef=e1;\n"
#define ARRAY_MAP(name) "arrmap_|ArrayHandlePtr=" name "; StaticSign=0;|ArrayMapRef=e2;\n"
#define MREDIS          "mredis_|AMViewRef=f; PSRef=0; AMViewMapRef=e1; NewSign=0;|\n"
#define MREALN          "mrealn_|ArrayHandlePtr=a; AMViewRef=0; ArrayMapRef=e2; NewSign=0;|\n"

#define FINE      (-1)
#define OBJECT    PD_DVM_MODEL_ERROR_OBJECT
#define PARAMETER PD_DVM_MODEL_ERROR_PARAMETER

static const struct
{
  const char *name, *script;
  int code;
  const char *warning; /* NULL: none */
} scripts[] = {
  { "redis/fine", BASE REDIS ("AMViewRef=f;"), FINE, NULL },
  { "redis/no-template", BASE REDIS ("AMViewRef=9;"), OBJECT, NULL },
  { "redis/no-array", BASE REDIS ("ArrayHandlePtr=9;"), OBJECT, NULL },
  { "redis/nothing", BASE REDIS (""), PARAMETER, NULL },
  { "redis/by-header", BASE REDIS ("ArrayHeader=8a; ArrayHandlePtr=99;"), FINE, NULL },
  { "redis/array-not-aligned", BASE REDIS ("ArrayHandlePtr=b;"), OBJECT, NULL },
  { "redis/not-distributed", BASE REDIS ("AMViewRef=e;") REALN ("a", "e (AMView)", "0"), FINE,
    "not-distributed" },
  { "redis/forbidden", BASE ALIGN_B REDIS ("AMViewRef=f;"), FINE, "redistribution-not-allowed" },
  { "redis/no-count", BASE "redis_|AMViewRef=f; PSRef=0; NewSign=0;|\n", PARAMETER, NULL },
  { "redis/count",
    BASE "redis_|AMViewRef=f; PSRef=0; ParamCount=2; AxisArray[0]=1; AxisArray[1]=0; "
         "DistrParamArray[0]=0; DistrParamArray[1]=0;|\n",
    PD_DVM_MODEL_ERROR_GRID, NULL },
  { "redis/axis",
    BASE "redis_|AMViewRef=f; PSRef=0; ParamCount=1; AxisArray[0]=2; DistrParamArray[0]=0;|\n",
    PARAMETER, NULL },
  { "redis/system", BASE "redis_|AMViewRef=f; PSRef=9; ParamCount=0;|\n", OBJECT, NULL },
  { "realn/fine", BASE REALN ("a", "f (AMView)", "0"), FINE, NULL },
  { "realn/no-array", BASE REALN ("9", "f (AMView)", "0"), OBJECT, NULL },
  { "realn/no-pattern", BASE REALN ("a", "9 (AMView)", "0"), OBJECT, NULL },
  { "realn/outside", BASE REALN ("a", "f (AMView)", "1"), PARAMETER, NULL },
  { "realn/not-aligned", BASE REALN ("b", "f (AMView)", "0") READ ("b"), FINE, "not-aligned" },
  { "realn/forbidden", BASE ALIGN_B REALN ("b", "f (AMView)", "0"), FINE,
    "redistribution-not-allowed" },
  { "realn/not-distributed", BASE REALN ("a", "e (AMView)", "0"), FINE, "pattern-not-mapped" },
  { "map/view", BASE VIEW_MAP ("f") MREDIS, FINE, NULL },
  { "map/view-none", BASE MREDIS, OBJECT, NULL },
  { "map/view-nameless", BASE "mdistr_|AMViewRef=f; PSRef=0;|\n", PARAMETER, NULL },
  { "map/view-deleted", BASE VIEW_MAP ("f") "delmvm_|AMViewMapRef=e1;|\n" MREDIS, OBJECT, NULL },
  { "map/view-dies", BASE "begbl_||\n" VIEW_MAP ("f") "endbl_||\n" MREDIS, OBJECT, NULL },
  { "map/view-not-distributed", BASE VIEW_MAP ("e"), OBJECT, NULL },
  { "map/view-rank",
    BASE VIEW_MAP ("f") "crtamv_|Rank=2; SizeArray[0]=8; SizeArray[1]=8;|AMViewRef=f;\n" MREDIS,
    PARAMETER, NULL },
  { "map/array", BASE ARRAY_MAP ("a") MREALN, FINE, NULL },
  { "map/array-none", BASE MREALN, OBJECT, NULL },
  { "map/array-deleted", BASE ARRAY_MAP ("a") "delarm_|ArrayMapRef=e2;|\n" MREALN, OBJECT, NULL },
  { "map/array-not-aligned", BASE ARRAY_MAP ("b"), OBJECT, NULL },
  { "map/array-shape",
    BASE ARRAY_MAP (
        "a") "crtda_|ArrayHeader=8a; Rank=1; SizeArray[0]=7;|ArrayHandlePtr=a;\n" MREALN,
    PARAMETER, NULL },
  { "map/array-template-gone",
    BASE ARRAY_MAP ("a") "delda_|ArrayHandlePtr=a;|\n"
                         "crtda_|ArrayHeader=8a; Rank=1; SizeArray[0]=8;|"
                         "ArrayHandlePtr=a;\n"
                         "delamv_|AMViewRef=f;|\n" MREALN,
    OBJECT, NULL },
  { "map/array-on-undistributed",
    BASE ARRAY_MAP ("a") "malign_|ArrayHandlePtr=a; AMViewRef=e; ArrayMapRef=e2;|\n", PARAMETER,
    NULL },
  { "gettar/no-template", BASE "gettar_|AMViewRef=9; Axis=1;|Res=3;\n", OBJECT, NULL },
  /* with a template go the arrays on it */
  { "delamv/array", BASE "delamv_|AMViewRef=f;|\n" READ ("a"), OBJECT, NULL },
  { "delamv/through-array",
    BASE ALIGN_B REALN ("b", "a (DisArray)", "0") "delamv_|AMViewRef=f;|\n" READ ("b"), OBJECT,
    NULL },
  { "delamv/moved-away",
    BASE "distr_|AMViewRef=e; PSRef=0; ParamCount=0;|\n" REALN (
        "a", "e (AMView)", "0") "delamv_|AMViewRef=f;|\n" READ ("a"),
    FINE, NULL },
  { "delamv/object", BASE "delobj_|ObjectRef=f;|\n" READ ("a"), OBJECT, NULL },
  { "delamv/block",
    "begbl_||\n" BASE "endbl_||\n"
    "crtda_|ArrayHeader=8a; Rank=1; TypeSize=8; SizeArray[0]=8;|ArrayHandlePtr=a;\n" READ ("a"),
    FINE, "pattern-not-mapped" },
  { "delamv/reused",
    BASE "crtamv_|Rank=2; SizeArray[0]=8; SizeArray[1]=8;|AMViewRef=f;\n"
         "delamv_|AMViewRef=f;|\n" READ ("a"),
    FINE, NULL },
  { "delamv/array-reused",
    BASE "crtda_|ArrayHeader=8a; Rank=1; TypeSize=8; SizeArray[0]=8;|ArrayHandlePtr=a;\n"
         "delamv_|AMViewRef=f;|\n" READ ("a"),
    FINE, "pattern-not-mapped" },
  { "delamv/static-array",
    BASE "begbl_||\n"
         "crtamv_|Rank=1; SizeArray[0]=8;|AMViewRef=d;\n"
         "distr_|AMViewRef=d; PSRef=0; ParamCount=0;|\n" REALN ("a", "d (AMView)",
                                                                "0") "endbl_||\n" READ ("a"),
    OBJECT, NULL },
  /* the second header of an array */
  { "header/second",
    BASE "addhdr_|NewArrayHeader=8c; ArrayHeader=8a; ArrayHandlePtr=a;|NewArrayHandlePtr=c;\n"
         "rwelm_|FromArrayHeader=8c; FromArrayHandlePtr=c; ToBufferPtr=1; IndexArray[0]=0;|\n",
    FINE, NULL },
  { "header/second-dies",
    BASE "addhdr_|NewArrayHeader=8c; ArrayHeader=8a; ArrayHandlePtr=a;|NewArrayHandlePtr=c;\n"
         "delda_|ArrayHandlePtr=a;|\n"
         "rwelm_|FromArrayHeader=8c; FromArrayHandlePtr=c; ToBufferPtr=1; IndexArray[0]=0;|\n",
    OBJECT, NULL },
  { "header/second-of-none", BASE "addhdr_|NewArrayHeader=8c; ArrayHandlePtr=9;|\n", OBJECT, NULL },
  { "header/delda", BASE "delda_|ArrayHeader=8a; ArrayHandlePtr=99;|\n" READ ("a"), OBJECT, NULL },
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
  g_autofree char *path = g_strdup_printf ("/predictor/dvm-redistribution/%s/%s", folder, name);

  g_test_add_data_func (path, GSIZE_TO_POINTER (i), func);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (redistributions); i++)
    add_table ("redis", redistributions[i].name, i, test_redistribution);
  for (gsize i = 0; i < G_N_ELEMENTS (works); i++)
    add_table ("work", works[i].name, i, test_work);
  for (gsize i = 0; i < G_N_ELEMENTS (realignments); i++)
    add_table ("realn", realignments[i].name, i, test_realignment);
  for (gsize i = 0; i < G_N_ELEMENTS (scripts); i++)
    add_table ("script", scripts[i].name, i, test_script);
  g_test_add_func ("/predictor/dvm-redistribution/several", test_several);
  g_test_add_func ("/predictor/dvm-redistribution/times", test_times);
  g_test_add_func ("/predictor/dvm-redistribution/followers", test_followers);
  g_test_add_func ("/predictor/dvm-redistribution/other-template", test_other_template);
  g_test_add_func ("/predictor/dvm-redistribution/view-map", test_view_map);
  g_test_add_func ("/predictor/dvm-redistribution/array-map", test_array_map);
  g_test_add_func ("/predictor/dvm-redistribution/gettar", test_gettar);
  return g_test_run ();
}
