/* Uses that are errors or are repaired, and that
 * the tests of the functions themselves leave out: what is deleted, reset, on
 * another processor system, not mapped, or has no name.
 * SPDX-License-Identifier: MIT */
#include "tests/support/predict.h"

#include <string.h>

/* Template f of 8 elements in blocks, arrays a on it and b not aligned, loop c on a. */
#define BASE                                                                                       \
  "crtamv_|Rank=1; SizeArray[0]=8;|AMViewRef=f;\n"                                                 \
  "distr_|AMViewRef=f; PSRef=0; ParamCount=1; AxisArray[0]=1; DistrParamArray[0]=0;|\n"            \
  "crtda_|ArrayHeader=8a; Rank=1; TypeSize=8; SizeArray[0]=8;|ArrayHandlePtr=a;\n"                 \
  "align_|ArrayHandlePtr=a; PatternRef=f (AMView); AxisArray[0]=1; CoeffArray[0]=1; "              \
  "ConstArray[0]=0;|\n"                                                                            \
  "crtda_|ArrayHeader=8b; Rank=1; TypeSize=8; SizeArray[0]=8;|ArrayHandlePtr=b;\n" CREATE_LOOP     \
  "mappl_|LoopRef=c; PatternRef=a (DisArray); AxisArray[0]=1; CoeffArray[0]=1; ConstArray[0]=0; "  \
  "InInitIndexArray[0]=0; InLastIndexArray[0]=7; InStepArray[0]=1;|\n"
#define CREATE_LOOP           "crtpl_|Rank=1;|LoopRef=c;\n"
#define NAMED(function, text) function "|" text "|\n"

/* Reductions */
#define SUM                                                                                        \
  "crtrg_|StaticSign=1; DelRedSign=0;|RedGroupRef=1;\n"                                            \
  "crtred_|RedFuncNumb=1; RedArrayPtr=1; RedArrayType=4; RedArrayLength=1; LocArrayPtr=0; "        \
  "LocElmLength=0; StaticSign=1;|RedRef=2;\n"
#define INSRED NAMED ("insred_", "RedGroupRef=1; RedRef=2; PSSpaceRef=0;")
#define STRTRD NAMED ("strtrd_", "RedGroupRef=1;")
#define WAITRD NAMED ("waitrd_", "RedGroupRef=1;")

/* Shadow edges */
#define SHADOW                                                                                     \
  "crtshg_|StaticSign=1;|ShadowGroupRef=5;\n"                                                      \
  "inssh_|ShadowGroupRef=5; ArrayHandlePtr=a; FullShdSign=0; LowShdWidthArray[0]=0; "              \
  "HiShdWidthArray[0]=0;|\n"

/* Consistent arrays */
#define CONSISTENT "crtrda_|ArrayHeader=8d; Rank=1; TypeSize=8; SizeArray[0]=8;|ArrayHandlePtr=d;\n"
#define CRTCG      "crtcg_|StaticSign=1; DelDASign=0;|DAConsistGroupRef=6;\n"
#define INSCG                                                                                      \
  NAMED ("inscg_", "DAConsistGroupRef=6; ArrayHandlePtr=d; LoopRef=c; AxisArray[0]=1; "            \
                   "CoeffArray[0]=1; ConstArray[0]=0;")
#define STRTCG NAMED ("strtcg_", "DAConsistGroupRef=6;")

/* Indirect access */
#define MATRIX                                                                                     \
  "crtda_|ArrayHeader=8e; Rank=2; TypeSize=4; SizeArray[0]=8; "                                    \
  "SizeArray[1]=1;|ArrayHandlePtr=e;\n"                                                            \
  "crtamv_|Rank=2; SizeArray[0]=8; SizeArray[1]=1;|AMViewRef=f2;\n"                                \
  "distr_|AMViewRef=f2; PSRef=0; ParamCount=1; AxisArray[0]=1; DistrParamArray[0]=0;|\n"
#define ALIGN_MATRIX                                                                               \
  "align_|ArrayHandlePtr=e; PatternRef=f2 (AMView); AxisArray[0]=1; AxisArray[1]=2; "              \
  "CoeffArray[0]=1; CoeffArray[1]=1; ConstArray[0]=0; ConstArray[1]=0;|\n"
#define CRTIB(remote)                                                                              \
  "crtib_|RemArrayHandlePtr=" remote "; MEHandlePtr=e; BufferHeader=87; "                          \
  "ConstArray[0]=0;|BufferHandlePtr=7;\n"
#define LOADIB NAMED ("loadib_", "BufferHandlePtr=7; RenewSign=0;")
#define CRTIG  "crtig_|StaticSign=1; DelBufSign=0;|IndirectAccessGroupRef=8;\n"

#define DOPL   "dopl_|LoopRef=c;|DoPL=1;\ndopl_|LoopRef=c;|DoPL=0;\n"
#define SYSTEM "crtps_|PSRef=0; InitIndexArray[0]=1; LastIndexArray[0]=2;|PSRef=9;\n"
#define ON_PART                                                                                    \
  "distr_|AMViewRef=f; PSRef=9; ParamCount=1; AxisArray[0]=1; DistrParamArray[0]=0;|\n"

#define FINE      (-1)
#define OBJECT    PD_DVM_MODEL_ERROR_OBJECT
#define PARAMETER PD_DVM_MODEL_ERROR_PARAMETER

static const struct
{
  const char *name;
  const char *script; /* name|parameters|results, line by line */
  int code;
  const char *warning; /* (nullable): the only one */
} scripts[] = {
  /* reductions */
  { "reduction/fine", SUM INSRED STRTRD WAITRD, FINE, NULL },
  { "reduction/group", SUM INSRED NAMED ("delrg_", "RedGroupRef=1;") STRTRD, OBJECT, NULL },
  { "reduction/group-insert", SUM NAMED ("delrg_", "RedGroupRef=1;") INSRED, OBJECT, NULL },
  { "reduction/group-wait", SUM NAMED ("delrg_", "RedGroupRef=1;") WAITRD, OBJECT, NULL },
  { "reduction/variable", SUM NAMED ("delred_", "RedRef=2;") INSRED, OBJECT, NULL },
  { "reduction/by-delobj", SUM NAMED ("delobj_", "ObjectRef=1;") STRTRD, OBJECT, NULL },
  { "reduction/reset-again", SUM INSRED NAMED ("rstrg_", "RedGroupRef=1;") INSRED STRTRD WAITRD,
    FINE, NULL },
  { "reduction/reset-nameless", SUM "rstrg_||\n", PARAMETER, NULL },
  /* shadow edges */
  { "shadow/group-start",
    BASE SHADOW NAMED ("delshg_", "ShadowGroupRef=5;") "strtsh_|ShadowGroupRef=5;|\n", OBJECT,
    NULL },
  { "shadow/group-recv",
    BASE SHADOW NAMED ("delshg_", "ShadowGroupRef=5;") "recvsh_|ShadowGroupRef=5;|\n", OBJECT,
    NULL },
  { "shadow/group-send",
    BASE SHADOW NAMED ("delshg_", "ShadowGroupRef=5;") "sendsh_|ShadowGroupRef=5;|\n", OBJECT,
    NULL },
  { "shadow/group-wait",
    BASE SHADOW NAMED ("delshg_", "ShadowGroupRef=5;") "waitsh_|ShadowGroupRef=5;|\n", OBJECT,
    NULL },
  { "shadow/array-not-aligned",
    BASE "crtshg_|StaticSign=1;|ShadowGroupRef=5;\ninssh_|ShadowGroupRef=5; ArrayHandlePtr=b; "
         "FullShdSign=0; LowShdWidthArray[0]=0; HiShdWidthArray[0]=0;|\n",
    FINE, "pattern-not-mapped" },
  /* processor systems */
  { "system/distr", BASE SYSTEM NAMED ("delps_", "PSRef=9;") ON_PART, OBJECT, NULL },
  { "system/crtps",
    SYSTEM NAMED ("delps_", "PSRef=9;") "crtps_|PSRef=9; InitIndexArray[0]=0; "
                                        "LastIndexArray[0]=0;|PSRef=10;\n",
    OBJECT, NULL },
  { "system/psview",
    SYSTEM NAMED ("delobj_", "ObjectRef=9;") "psview_|PSRef=9; Rank=1; SizeArray[0]=2;|PSRef=10;\n",
    OBJECT, NULL },
  { "system/setpsw", SYSTEM NAMED ("delps_", "PSRef=9;") NAMED ("setpsw_", "PSRef=9;"), OBJECT,
    NULL },
  { "system/one-processor-view",
    "psview_|PSRef=0; Rank=2; SizeArray[0]=1; SizeArray[1]=1;|PSRef=10;\n", FINE, "view-layout" },
  /* templates and arrays */
  { "view/redis",
    BASE NAMED ("delamv_", "AMViewRef=f;") "redis_|AMViewRef=f; PSRef=0; ParamCount=1; "
                                           "AxisArray[0]=0; DistrParamArray[0]=0; NewSign=0;|\n",
    OBJECT, NULL },
  { "array/copy",
    BASE NAMED ("delda_", "ArrayHandlePtr=a;") "rwelm_|FromArrayHandlePtr=a; FromArrayHeader=8a; "
                                               "ToBufferPtr=1; FromIndexArray[0]=0;|\n",
    OBJECT, NULL },
  { "array/loop",
    BASE NAMED ("delda_", "ArrayHandlePtr=a;") CREATE_LOOP
    "mappl_|LoopRef=c; PatternRef=a (DisArray); AxisArray[0]=1; CoeffArray[0]=1; "
    "ConstArray[0]=0; InInitIndexArray[0]=0; InLastIndexArray[0]=7; InStepArray[0]=1;|\n",
    OBJECT, NULL },
  { "array/loop-not-aligned",
    BASE CREATE_LOOP "mappl_|LoopRef=c; PatternRef=b (DisArray); AxisArray[0]=1; CoeffArray[0]=1; "
                     "ConstArray[0]=0; InInitIndexArray[0]=0; InLastIndexArray[0]=7; "
                     "InStepArray[0]=1;|\n",
    FINE, "pattern-not-mapped" },
  /* loops */
  { "loop/not-mapped", CREATE_LOOP DOPL, FINE, "loop-not-mapped" },
  { "loop/across-not-mapped",
    BASE "endpl_|LoopRef=c;|\nacross_|AcrossType=0; "
         "OldShadowGroupRef=0; NewShadowGroupRef=0;|\n",
    OBJECT, NULL },
  /* consistent arrays */
  { "consistent/fine", BASE CONSISTENT CRTCG INSCG STRTCG, FINE, NULL },
  { "consistent/group", BASE CONSISTENT CRTCG INSCG NAMED ("delcg_", "DAConsistGroupRef=6;") STRTCG,
    OBJECT, NULL },
  { "consistent/group-insert", BASE CONSISTENT CRTCG NAMED ("delcg_", "DAConsistGroupRef=6;") INSCG,
    OBJECT, NULL },
  { "consistent/group-twice",
    CRTCG NAMED ("delcg_", "DAConsistGroupRef=6;") NAMED ("delcg_", "DAConsistGroupRef=6;"), FINE,
    NULL },
  { "consistent/reset-none", NAMED ("rstcg_", "DAConsistGroupRef=6; DelDASign=0;"), OBJECT, NULL },
  { "consistent/nameless", "strtcg_||\n", PARAMETER, NULL },
  { "consistent/elsewhere",
    BASE CONSISTENT CRTCG INSCG SYSTEM "crtamv_|Rank=1; SizeArray[0]=2;|AMViewRef=f3;\n"
                                       "getamr_|AMViewRef=f3; IndexArray[0]=0;|AMRef=3;\n"
                                       "mapam_|AMRef=3; PSRef=9;|\nrunam_|AMRef=3;|Run=1;\n" STRTCG
                                       "stopam_||\n",
    FINE, "group-elsewhere" },
  /* indirect access */
  { "indirect/fine", BASE MATRIX ALIGN_MATRIX CRTIB ("a") LOADIB, FINE, "indirect-uniform" },
  { "indirect/remote-not-aligned", BASE MATRIX ALIGN_MATRIX CRTIB ("b"), FINE,
    "pattern-not-mapped" },
  { "indirect/matrix-not-aligned", BASE MATRIX CRTIB ("a"), FINE, "pattern-not-mapped" },
  { "indirect/remote-deleted",
    BASE MATRIX ALIGN_MATRIX NAMED ("delda_", "ArrayHandlePtr=a;") CRTIB ("a"), OBJECT, NULL },
  { "indirect/buffer",
    BASE MATRIX ALIGN_MATRIX CRTIB ("a") NAMED ("delib_", "BufferHandlePtr=7;") LOADIB, OBJECT,
    NULL },
  { "indirect/group",
    CRTIG NAMED ("delig_", "IndirectAccessGroupRef=8;")
        NAMED ("loadig_", "IndirectAccessGroupRef=8;"),
    OBJECT, NULL },
  { "indirect/group-wait", NAMED ("waitig_", "IndirectAccessGroupRef=8;"), OBJECT, NULL },
  { "indirect/group-nameless", "crtig_||\n", PARAMETER, NULL },
  { "indirect/load-nameless", "loadib_||\n", PARAMETER, NULL },
  { "indirect/wait-nameless", "waitib_||\n", PARAMETER, NULL },
  /* debugging is not the program's own work */
  { "debugging/calls", "dstv_||\ndldv_||\ndstv_||\n", FINE, "debugging-calls" },
};

static void
test_script (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "4");

  test_run_script (trace, scripts[i].script, scripts[i].code, scripts[i].warning);
}

/* rstrg_ empties a group: of two reductions before and one behind it, three
 * variables are reduced, not five. */
static void
test_reset (void)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 group = test_trace_reduction (trace, "1 4 1 0,3 4 1 0", 0);
  g_autofree char *insert = g_strdup_printf (
      "RedGroupRef=%" G_GINT64_MODIFIER "x; RedRef=9f; PSSpaceRef=0;", (guint64) group);

  test_trace_group (trace, "strtrd_", group, 0, 0);
  test_trace_group (trace, "waitrd_", group, 0, 0);
  test_trace_group (trace, "rstrg_", group, 0, 0);
  test_trace_call (trace, "crtred_", 0, 0,
                   "RedFuncNumb=1; RedArrayPtr=1; RedArrayType=1; RedArrayLength=3; LocArrayPtr=0; "
                   "LocElmLength=0; StaticSign=0;",
                   "RedRef=9f;");
  test_trace_call (trace, "insred_", 0, 0, insert, "");
  test_trace_group (trace, "strtrd_", group, 0, 0);
  test_trace_group (trace, "waitrd_", group, 0, 0);
  options.observer = &observer;
  test_watch (trace, "2", &options);
  g_autofree char *collectives = test_log_show_collectives (log, 0);
  g_assert_cmpstr (collectives, ==, "allreduce:8 allreduce:8 allreduce:12");
}

/* A portion of a loop that is not mapped is everybody's. */
static void
test_not_mapped (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");

  test_trace_call (trace, "crtpl_", 0, 0, "Rank=1;", "LoopRef=c;");
  test_trace_call (trace, "dopl_", 0, 0, "LoopRef=c;", "DoPL=1;");
  test_trace_call (trace, "dopl_", 8, 0, "LoopRef=c;", "DoPL=0;");
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_autofree char *times = test_values (run, 0, PD_C_EXECUTION_TIME);
  g_autofree char *insufficient = test_values (run, 0, PD_C_INSUFFICIENT_PARALLELISM);
  g_assert_cmpstr (times, ==, "8 8");
  g_assert_cmpstr (insufficient, ==, "4 4");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (scripts); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/dvm-gone/", scripts[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_script);
    }
  g_test_add_func ("/predictor/dvm-gone/reset-reductions", test_reset);
  g_test_add_func ("/predictor/dvm-gone/not-mapped", test_not_mapped);
  return g_test_run ();
}
