/* Objects of a DVM trace: references to what does not exist, implicit and
 * explicit deletion, re-used identifiers, missing parameters, the rank rule.
 * SPDX-License-Identifier: MIT */
#include "tests/support/predict.h"

#include <string.h>

/* What the scripts build upon: a template v (8 elements, BLOCK), arrays a and
 * b on it, with headers 8a and 8b. */
#define TEMPLATE(id)                                                                               \
  "crtamv_|AMRef=0; Rank=1; StaticSign=0; SizeArray[0]=8;|AMViewRef=" id ";\n"                     \
  "distr_|AMViewRef=" id                                                                           \
  "; PSRef=0; ParamCount=1; AxisArray[0]=1; DistrParamArray[0]=0;|IsLocal=1;\n"
#define ARRAY(id, header, pattern)                                                                 \
  "crtda_|ArrayHeader=" header "; Rank=1; TypeSize=8; StaticSign=0; SizeArray[0]=8; "              \
  "LowShdWidthArray[0]=1; HiShdWidthArray[0]=1;|ArrayHandlePtr=" id ";\n"                          \
  "align_|ArrayHeader=" header "; ArrayHandlePtr=" id "; PatternRefPtr=0; PatternRef=" pattern     \
  "; AxisArray[0]=1; CoeffArray[0]=1; ConstArray[0]=0;|IsLocal=1\n"
#define BASE            TEMPLATE ("f") ARRAY ("a", "8a", "f (AMView)") ARRAY ("b", "8b", "a (DisArray)")
#define CREATE_LOOP(id) "crtpl_|Rank=1;|LoopRef=" id ";\n"
#define MAP_LOOP(id, pattern)                                                                      \
  "mappl_|LoopRef=" id "; PatternRefPtr=0; PatternRef=" pattern "; AxisArray[0]=1; "               \
  "CoeffArray[0]=1; ConstArray[0]=0; InInitIndexArray[0]=0; InLastIndexArray[0]=7; "               \
  "InStepArray[0]=1;|IsLocal=1;\n"
#define LOOP(id)        CREATE_LOOP (id) MAP_LOOP (id, "a (DisArray)")
#define DOPL(id, more)  "dopl_|LoopRef=" id ";|DoPL=" more ";\n"
#define ENDPL(id)       "endpl_|LoopRef=" id ";|\n"
#define GROUP(id, sign) "crtrg_|StaticSign=" sign "; DelRedSign=1;|RedGroupRef=" id ";\n"
#define VARIABLE(id, sign)                                                                         \
  "crtred_|RedFuncNumb=1; RedArrayPtr=1; RedArrayType=4; RedArrayLength=1; LocArrayPtr=0; "        \
  "LocElmLength=0; StaticSign=" sign ";|RedRef=" id ";\n"
#define INSERT(group, var, space) "insred_|RedGroupRef=" group "; RedRef=" var "; " space "|\n"
#define NAMED(function, key, id)  function "|" key "=" id ";|\n"
#define STRTRD(id)                NAMED ("strtrd_", "RedGroupRef", id)
#define WAITRD(id)                NAMED ("waitrd_", "RedGroupRef", id)
#define SHADOW(id, sign)          "crtshg_|StaticSign=" sign ";|ShadowGroupRef=" id ";\n"
#define INSSH(id, array)                                                                           \
  "inssh_|ShadowGroupRef=" id "; ArrayHandlePtr=" array "; FullShdSign=0; "                        \
  "LowShdWidthArray[0]=1; HiShdWidthArray[0]=1;|\n"
#define STRTSH(id) NAMED ("strtsh_", "ShadowGroupRef", id)
#define WAITSH(id) NAMED ("waitsh_", "ShadowGroupRef", id)
#define FWRITE(id) "dvm_fwrite|ArrayHandlePtr=" id "; Size=8; Count=8; Stream=1;|Res=8;\n"
#define BEGBL      "begbl_||\n"
#define ENDBL      "endbl_||\n"

#define FINE      (-1)
#define OBJECT    PD_DVM_MODEL_ERROR_OBJECT
#define PARAMETER PD_DVM_MODEL_ERROR_PARAMETER
#define GRID      PD_DVM_MODEL_ERROR_GRID

static const struct
{
  const char *name;
  const char *script; /* name|parameters|results, line by line */
  int code;
} scripts[] = {
  /* references to objects that never were */
  { "no/view-distr", "distr_|AMViewRef=5; PSRef=0; ParamCount=0;|IsLocal=1;\n", OBJECT },
  { "no/view-blkdiv", "blkdiv_|AMViewRef=5; AMVAxisCount=0|\n", OBJECT },
  { "no/system-distr", TEMPLATE ("f") "distr_|AMViewRef=f; PSRef=77; ParamCount=0;|\n", OBJECT },
  { "no/system-crtps", "crtps_|PSRef=77; InitIndexArray[0]=0; LastIndexArray[0]=0;|PSRef=78;\n",
    OBJECT },
  { "no/system-psview", "psview_|PSRef=77; Rank=1; SizeArray[0]=1;|PSRef=78;\n", OBJECT },
  { "no/system-insred", BASE GROUP ("1", "1") VARIABLE ("2", "1") INSERT ("1", "2", "PSRef=77;"),
    OBJECT },
  { "no/machine-getps", "getps_|AMRef=55;|PSRef=1;\n", OBJECT },
  { "no/machine-mapam", "mapam_|AMRef=55; PSRef=0;|\n", OBJECT },
  { "no/array-align",
    TEMPLATE ("f") "align_|ArrayHeader=1; ArrayHandlePtr=a; PatternRef=f (AMView); AxisArray[0]=1; "
                   "CoeffArray[0]=1; ConstArray[0]=0;|\n",
    OBJECT },
  { "no/array-inssh", SHADOW ("5", "1") INSSH ("5", "a"), OBJECT },
  { "no/array-fwrite", FWRITE ("a"), OBJECT },
  { "no/array-insred", GROUP ("1", "1") VARIABLE ("2", "1") INSERT ("1", "2", "ArrayHandlePtr=a;"),
    OBJECT },
  { "no/pattern-view", ARRAY ("a", "8a", "f (AMView)"), OBJECT },
  { "no/pattern-array", TEMPLATE ("f") ARRAY ("a", "8a", "c (DisArray)"), OBJECT },
  { "no/pattern-of-other-kind", TEMPLATE ("f") ARRAY ("a", "8a", "f (DisArray)"), OBJECT },
  { "no/pattern-mappl", CREATE_LOOP ("c") MAP_LOOP ("c", "a (DisArray)"), OBJECT },
  { "no/loop-mappl", BASE MAP_LOOP ("c", "a (DisArray)"), OBJECT },
  { "no/loop-dopl", DOPL ("c", "1"), OBJECT },
  { "no/loop-insred", GROUP ("1", "1") VARIABLE ("2", "1") INSERT ("1", "2", "LoopRef=c;"),
    OBJECT },
  { "no/view-insred", GROUP ("1", "1") VARIABLE ("2", "1") INSERT ("1", "2", "AMViewRef=c;"),
    OBJECT },
  { "no/variable-insred", GROUP ("1", "1") INSERT ("1", "2", "PSSpaceRef=0;"), OBJECT },
  { "no/group-insred", VARIABLE ("2", "1") INSERT ("1", "2", "PSSpaceRef=0;"), OBJECT },
  { "no/group-strtrd", STRTRD ("1"), OBJECT },
  { "no/group-waitrd", WAITRD ("1"), OBJECT },
  { "no/group-rstrg", NAMED ("rstrg_", "RedGroupRef", "1"), OBJECT },
  { "no/group-inssh", BASE INSSH ("5", "a"), OBJECT },
  { "no/group-strtsh", STRTSH ("5"), OBJECT },
  { "no/group-waitsh", WAITSH ("5"), OBJECT },
  { "no/group-rstshg", NAMED ("rstshg_", "ShadowGroupRef", "5"), OBJECT },
  /* deletion of what is unknown, or gone, is no error */
  { "gone/delobj", NAMED ("delobj_", "ObjectRef", "5"), FINE },
  { "gone/delshg",
    SHADOW ("5", "1") NAMED ("delshg_", "ShadowGroupRef", "5")
        NAMED ("delshg_", "ShadowGroupRef", "5"),
    FINE },
  { "gone/endpl", ENDPL ("5"), FINE },
  { "gone/others",
    "delps_|PSRef=5;|\ndelamv_|AMViewRef=5;|\ndelda_|ArrayHandlePtr=5;|\ndelred_|RedRef=5;|\n"
    "delrg_|RedGroupRef=5;|\ndelrb_|BufferHandlePtr=5;|\ndelib_|BufferHandlePtr=5;|\n",
    FINE },
  /* what was deleted does not exist */
  { "deleted/array", BASE "delda_|ArrayHandlePtr=a; ArrayHeader=8a;|\n" FWRITE ("a"), OBJECT },
  { "deleted/array-by-header",
    BASE "delda_|ArrayHandlePtr=a; ArrayHeader=8a;|\n"
         "dvm_fwrite|ArrayHandlePtr=77; ArrayHeader=8a; Size=8; Count=8; Stream=1;|Res=8;\n",
    OBJECT },
  { "deleted/header-of-another",
    BASE ARRAY ("c", "8a", "f (AMView)") "delda_|ArrayHandlePtr=a;|\n"
                                         "dvm_fwrite|ArrayHandlePtr=77; ArrayHeader=8a; Size=8; "
                                         "Count=8; Stream=1;|Res=8;\n",
    FINE },
  { "deleted/array-any-kind", BASE NAMED ("delobj_", "ObjectRef", "a") FWRITE ("a"), OBJECT },
  { "deleted/other-array-stays", BASE "delda_|ArrayHandlePtr=a;|\n" FWRITE ("b"), FINE },
  { "deleted/view", TEMPLATE ("f") "delamv_|AMViewRef=f;|\n" ARRAY ("a", "8a", "f (AMView)"),
    OBJECT },
  { "deleted/variable-with-group",
    GROUP ("1", "1") VARIABLE ("2", "1") INSERT ("1", "2", "PSSpaceRef=0;")
        NAMED ("delrg_", "RedGroupRef", "1") GROUP ("1", "1") INSERT ("1", "2", "PSSpaceRef=0;"),
    OBJECT },
  { "deleted/variable-stays",
    "crtrg_|StaticSign=1; DelRedSign=0;|RedGroupRef=1;\n" VARIABLE ("2", "1")
        INSERT ("1", "2", "PSSpaceRef=0;") NAMED ("delrg_", "RedGroupRef", "1") GROUP ("1", "1")
            INSERT ("1", "2", "PSSpaceRef=0;") STRTRD ("1"),
    FINE },
  { "deleted/loop", BASE LOOP ("c") DOPL ("c", "0") ENDPL ("c") DOPL ("c", "0"), OBJECT },
  { "deleted/group-reset",
    BASE SHADOW ("5", "1") INSSH ("5", "a") NAMED ("rstshg_", "ShadowGroupRef", "5") STRTSH ("5")
        WAITSH ("5"),
    FINE },
  /* the context of a loop: from mappl_ to endpl_ */
  { "loop/group-dies",
    BASE LOOP ("c") SHADOW ("5", "0") INSSH ("5", "a") DOPL ("c", "0") ENDPL ("c") STRTSH ("5"),
    OBJECT },
  { "loop/group-lives-in-it",
    BASE LOOP ("c") SHADOW ("5", "0") INSSH ("5", "a") STRTSH ("5") WAITSH ("5") DOPL ("c", "0")
        ENDPL ("c"),
    FINE },
  { "loop/static-group-lives",
    BASE LOOP ("c") SHADOW ("5", "1") INSSH ("5", "a") DOPL ("c", "0") ENDPL ("c") STRTSH ("5"),
    FINE },
  { "loop/group-before-mappl-lives",
    BASE CREATE_LOOP ("c") SHADOW ("5", "0") MAP_LOOP ("c", "a (DisArray)") INSSH ("5", "a")
        DOPL ("c", "0") ENDPL ("c") STRTSH ("5"),
    FINE },
  { "loop/array-dies",
    BASE LOOP ("c") ARRAY ("d", "8d", "a (DisArray)") DOPL ("c", "0") ENDPL ("c") FWRITE ("d"),
    OBJECT },
  { "loop/reset-group-dies",
    BASE LOOP ("c") SHADOW ("5", "0") NAMED ("rstshg_", "ShadowGroupRef", "5") DOPL ("c", "0")
        ENDPL ("c") STRTSH ("5"),
    OBJECT },
  { "loop/made-again-outside-lives",
    BASE LOOP ("c") SHADOW ("5", "0") DOPL ("c", "0") ENDPL ("c") SHADOW ("5", "0") STRTSH ("5"),
    FINE },
  { "loop/made-again-inside-dies",
    BASE SHADOW ("5", "0") LOOP ("c") SHADOW ("5", "0") DOPL ("c", "0") ENDPL ("c") STRTSH ("5"),
    OBJECT },
  { "loop/made-again-static-lives",
    BASE LOOP ("c") SHADOW ("5", "0") SHADOW ("5", "1") DOPL ("c", "0") ENDPL ("c") STRTSH ("5"),
    FINE },
  { "loop/system-dies",
    "crtps_|PSRef=0; StaticSign=0; InitIndexArray[0]=0; LastIndexArray[0]=1;|PSRef=78;\n" BASE
        LOOP ("c") "crtps_|PSRef=0; StaticSign=0; InitIndexArray[0]=0; "
                   "LastIndexArray[0]=1;|PSRef=79;\n" DOPL ("c", "0")
                       ENDPL ("c") "psview_|PSRef=79; Rank=1; SizeArray[0]=2;|PSRef=80;\n",
    OBJECT },
  { "loop/initial-system-lives",
    BASE LOOP ("c") "getps_|AMRef=0;|PSRef=79;\n" DOPL ("c", "0")
        ENDPL ("c") "psview_|PSRef=79; Rank=1; SizeArray[0]=4;|PSRef=80;\n",
    FINE },
  /* left by a jump: what it made lives as long as what is around */
  { "loop/left-then-another",
    BASE LOOP ("c") SHADOW ("5", "0") INSSH ("5", "a") DOPL ("c", "1") LOOP ("d") DOPL ("d", "0")
        ENDPL ("d") STRTSH ("5"),
    FINE },
  { "loop/left-in-block",
    BASE BEGBL LOOP ("c") SHADOW ("5", "0") INSSH ("5", "a") DOPL ("c", "1") ENDBL STRTSH ("5"),
    OBJECT },
  /* program blocks */
  { "block/group-dies", BASE BEGBL SHADOW ("5", "0") ENDBL STRTSH ("5"), OBJECT },
  { "block/outer-lives", BASE SHADOW ("5", "0") BEGBL ENDBL STRTSH ("5"), FINE },
  { "block/inner-only",
    BASE BEGBL SHADOW ("5", "0") BEGBL SHADOW ("6", "0") ENDBL STRTSH ("5") ENDBL STRTSH ("5"),
    OBJECT },
  { "block/endbl-too-many", ENDBL ENDBL BASE SHADOW ("5", "0") ENDBL STRTSH ("5"), FINE },
  { "block/array-dies", TEMPLATE ("f") BEGBL ARRAY ("a", "8a", "f (AMView)") ENDBL FWRITE ("a"),
    OBJECT },
  { "block/aligned-in-it-lives",
    TEMPLATE ("f") "crtda_|ArrayHeader=8a; Rank=1; TypeSize=8; StaticSign=0; SizeArray[0]=8;|"
                   "ArrayHandlePtr=a;\n" BEGBL
                   "align_|ArrayHandlePtr=a; PatternRef=f (AMView); AxisArray[0]=1; "
                   "CoeffArray[0]=1; ConstArray[0]=0;|IsLocal=1\n" ENDBL FWRITE ("a"),
    FINE },
  { "block/view-dies", BEGBL TEMPLATE ("f") ENDBL ARRAY ("a", "8a", "f (AMView)"), OBJECT },
  /* an identifier of another kind; a buffer without a name is none */
  { "reuse/kinds",
    BASE SHADOW ("c", "1") NAMED ("delshg_", "ShadowGroupRef", "c") TEMPLATE ("c") LOOP ("c")
        DOPL ("c", "1") DOPL ("c", "0") ENDPL ("c") GROUP ("c", "1") VARIABLE ("c", "1")
            INSERT ("c", "c", "PSSpaceRef=0;") STRTRD ("c") WAITRD ("c")
                ARRAY ("c", "8c", "c (AMView)") FWRITE ("c"),
    FINE },
  { "reuse/view-as-array", BASE TEMPLATE ("c") FWRITE ("c"), OBJECT },
  { "reuse/nameless-buffer", "crtrba_|RemArrayHandlePtr=1;|\n" SHADOW ("5", "1") INSSH ("5", "0"),
    OBJECT },
  { "reuse/static-again",
    BASE BEGBL SHADOW ("5", "0") NAMED ("delshg_", "ShadowGroupRef", "5") SHADOW ("5", "1")
        ENDBL STRTSH ("5"),
    FINE },
  /* parameters */
  { "parameter/crtamv-rank", "crtamv_|AMRef=0; SizeArray[0]=8;|AMViewRef=f;\n", PARAMETER },
  { "parameter/crtamv-rank-0", "crtamv_|AMRef=0; Rank=0;|AMViewRef=f;\n", PARAMETER },
  { "parameter/crtamv-rank-8", "crtamv_|AMRef=0; Rank=8;|AMViewRef=f;\n", PARAMETER },
  { "parameter/crtamv-sizes", "crtamv_|AMRef=0; Rank=2; SizeArray[0]=8;|AMViewRef=f;\n",
    PARAMETER },
  { "parameter/crtamv-result", "crtamv_|AMRef=0; Rank=1; SizeArray[0]=8;|\n", PARAMETER },
  { "parameter/distr-view", "distr_|PSRef=0; ParamCount=0;|\n", PARAMETER },
  { "parameter/distr-count", TEMPLATE ("f") "distr_|AMViewRef=f; PSRef=0;|\n", PARAMETER },
  { "parameter/distr-axes", TEMPLATE ("f") "distr_|AMViewRef=f; PSRef=0; ParamCount=1;|\n",
    PARAMETER },
  { "parameter/distr-params",
    TEMPLATE ("f") "distr_|AMViewRef=f; PSRef=0; ParamCount=1; AxisArray[0]=1;|\n", PARAMETER },
  { "parameter/distr-axis-9",
    TEMPLATE ("f") "distr_|AMViewRef=f; PSRef=0; ParamCount=1; AxisArray[0]=9; "
                   "DistrParamArray[0]=0;|\n",
    PARAMETER },
  { "parameter/crtda-handle", "crtda_|ArrayHeader=1; Rank=1; TypeSize=8; SizeArray[0]=8;|\n",
    PARAMETER },
  { "parameter/crtda-rank", "crtda_|ArrayHeader=1; TypeSize=8; SizeArray[0]=8;|ArrayHandlePtr=a;\n",
    PARAMETER },
  { "parameter/crtda-type",
    "crtda_|ArrayHeader=1; Rank=1; TypeSize=9999999999; SizeArray[0]=8;|ArrayHandlePtr=a;\n",
    PARAMETER },
  { "parameter/align-coeff",
    BASE "align_|ArrayHandlePtr=a; PatternRef=f (AMView); AxisArray[0]=1;|\n", PARAMETER },
  { "parameter/align-outside",
    BASE "align_|ArrayHandlePtr=a; PatternRef=f (AMView); AxisArray[0]=1; CoeffArray[0]=2; "
         "ConstArray[0]=0;|\n",
    PARAMETER },
  { "parameter/crtpl-result", "crtpl_|Rank=1;|\n", PARAMETER },
  { "parameter/crtpl-rank", "crtpl_|Rank=99;|LoopRef=c;\n", PARAMETER },
  { "parameter/mappl-step",
    BASE CREATE_LOOP ("c") "mappl_|LoopRef=c; PatternRef=a (DisArray); AxisArray[0]=1; "
                           "CoeffArray[0]=1; ConstArray[0]=0; InInitIndexArray[0]=0; "
                           "InLastIndexArray[0]=7; InStepArray[0]=0;|\n",
    PARAMETER },
  { "parameter/mappl-ranges",
    BASE CREATE_LOOP ("c") "mappl_|LoopRef=c; PatternRef=a (DisArray); AxisArray[0]=1; "
                           "CoeffArray[0]=1; ConstArray[0]=0; InInitIndexArray[0]=0;|\n",
    PARAMETER },
  { "parameter/mappl-loop", BASE "mappl_|PatternRef=a (DisArray);|\n", PARAMETER },
  { "parameter/dopl-loop", "dopl_||DoPL=0;\n", PARAMETER },
  { "parameter/endpl-loop", BASE BEGBL "endpl_||\n", PARAMETER },
  { "parameter/crtred-type",
    "crtred_|RedFuncNumb=1; RedArrayType=99; RedArrayLength=1;|RedRef=1;\n", PARAMETER },
  { "parameter/crtred-length",
    "crtred_|RedFuncNumb=1; RedArrayType=4; RedArrayLength=9999999999;|RedRef=1;\n", PARAMETER },
  { "parameter/crtred-result", "crtred_|RedFuncNumb=1; RedArrayType=4; RedArrayLength=1;|\n",
    PARAMETER },
  { "parameter/crtrg-result", "crtrg_|StaticSign=0; DelRedSign=0;|\n", PARAMETER },
  { "parameter/insred-var", GROUP ("1", "1") "insred_|RedGroupRef=1;|\n", PARAMETER },
  { "parameter/strtrd", "strtrd_||\n", PARAMETER },
  { "parameter/strtsh", "strtsh_||\n", PARAMETER },
  { "parameter/crtshg-result", "crtshg_|StaticSign=0;|\n", PARAMETER },
  { "parameter/crtps-bounds", "crtps_|PSRef=0; InitIndexArray[0]=0;|PSRef=1;\n", PARAMETER },
  { "parameter/crtps-outside",
    "crtps_|PSRef=0; InitIndexArray[0]=0; LastIndexArray[0]=9;|PSRef=1;\n", PARAMETER },
  { "parameter/psview-product",
    "psview_|PSRef=0; Rank=2; SizeArray[0]=3; SizeArray[1]=3;|PSRef=1;\n", PARAMETER },
  { "parameter/mapam", "mapam_|PSRef=0;|\n", PARAMETER },
  /* the rank rule: the grid has two dimensions */
  { "grid/count-2",
    TEMPLATE ("f") "distr_|AMViewRef=f; PSRef=0; ParamCount=2; AxisArray[0]=1; "
                   "AxisArray[1]=0; DistrParamArray[0]=0; DistrParamArray[1]=0;|\n",
    FINE },
  { "grid/count-3",
    TEMPLATE ("f") "distr_|AMViewRef=f; PSRef=0; ParamCount=3; AxisArray[0]=1; AxisArray[1]=0; "
                   "AxisArray[2]=0; DistrParamArray[0]=0; DistrParamArray[1]=0; "
                   "DistrParamArray[2]=0;|\n",
    GRID },
  { "grid/count-negative", TEMPLATE ("f") "distr_|AMViewRef=f; PSRef=0; ParamCount=-1;|\n", GRID },
};

static void
add_script (TestTrace *trace, const char *script)
{
  g_auto (GStrv) lines = g_strsplit (script, "\n", -1);

  for (guint i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++)
    {
      g_auto (GStrv) parts = g_strsplit (lines[i], "|", 3);
      g_assert_cmpuint (g_strv_length (parts), ==, 3);
      test_trace_call (trace, parts[0], 1, 1, parts[1], parts[2]);
    }
}

static void
test_script (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1ns");
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  g_autoptr (GError) error = NULL;

  add_script (trace, scripts[i].script);
  test_trace_exit (trace, 0);
  PdReportRun *run = test_predict (trace->text->str, "4", &options, &error);
  if (scripts[i].code == FINE)
    {
      g_assert_no_error (error);
      test_report_run_free (run);
      return;
    }
  g_assert_null (run);
  g_assert_error (error, PD_DVM_MODEL_ERROR, scripts[i].code);
  g_assert_nonnull (strstr (error->message, "t.fdv:10"));
}

/* ---- what is not modelled, or unknown, costs its time and is counted */

static void
test_ordinary (gconstpointer data)
{
  const char *name = data;
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1ns");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gboolean unknown = strcmp (name, "mysterious_") == 0;

  test_trace_call (trace, name, 2, 3, "", "");
  test_trace_call (trace, name, 0, 1, "", "");
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_autofree char *times = test_values (run, 0, PD_C_CPU_TIME_SEQ);
  g_assert_cmpstr (times, ==, "6 6");
  g_assert_cmpuint (pd_messages_count (run->messages, "charged-as-ordinary"), ==, unknown ? 0 : 2);
  g_assert_cmpint (pd_messages_count (run->messages, "unknown-function") > 0, ==, unknown);
}

/* Records after the exit are not the program's. */
static void
test_after_exit (void)
{
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1ns");
  g_autoptr (TestTrace) trace = test_trace_new ("1");

  test_trace_ordinary (trace, 2, 0);
  test_trace_exit (trace, 3);
  test_trace_call (trace, "dvm_void_printf", 7, 7, "Format= \n", "");
  add_script (trace, STRTSH ("5")); /* would be an error */
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_autofree char *times = test_values (run, 0, PD_C_EXECUTION_TIME);
  g_assert_cmpstr (times, ==, "5 5");
  g_assert_false (run->incomplete);
}

/* lines of other kinds inside a record, and very long ones. */
static void
test_noise (void)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  g_autofree char *spaces = g_strnfill (500, ' ');
  g_autofree char *params = g_strdup_printf ("AMViewRefPtr=1;%sAMViewRef=f; AMVAxisCount=1\n"
                                             "AMVAxisDiv[0]=1 ",
                                             spaces);

  add_script (trace, BASE GROUP ("1", "1") VARIABLE ("2", "1") INSERT ("1", "2", "PSSpaceRef=0;"));
  test_trace_call (trace, "blkdiv_", 0, 0, params, "");
  test_trace_call (trace, "dvm_void_printf", 0, 0, "Format=RedGroupRef=9; AMViewRef=8\n", "");
  test_trace_call (trace, "strtrd_", 0, 0, "RedGroupRefPtr=0; RedGroupRef=1;",
                   "\n*** MPI_Comm Information ***\n&MPI_Comm=1068e9c; &MPI_Group=1068ea0; "
                   "ProcNumber=1; time=0.000000;\nMPI_Group:    0\n\n*** MPI_Allreduce ***\n"
                   "VarCount=1; MPI_Datatype=MPI_DOUBLE; MPI_Op=MPI_SUM; &MPI_Comm=1068e9c;\n\n"
                   "*** DoNotMPIRed = 0");
  options.observer = &observer;
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_assert_cmpuint (pd_messages_get_n (run->messages), ==, 0);
  g_assert_cmpuint (test_log_count_collectives (log, "allreduce", 8), ==, 2);
}

/* ---- the grid */

static const struct
{
  const char *name, *traced, *virtual, *grid;
  int code;
  gboolean padded;
} grids[] = {
  { "same", "1 1", NULL, "2x2", FINE, FALSE },
  { "padded", "1 1 1", NULL, "2x2", FINE, TRUE },
  { "padded-from-1", "1 1", NULL, "4", FINE, TRUE },
  { "higher", "1", NULL, "2x2x2", FINE, FALSE },
  { "virtual", "1 1", "2 3", "2x3", FINE, FALSE },
  { "virtual-flat", "1 1", "6", "6", FINE, TRUE },
  { "virtual-shape", "1 1", "2 3", "3x2", PD_DVM_MODEL_ERROR_GRID, FALSE },
  { "virtual-count", "1 1", "2 3", "2x2", PD_DVM_MODEL_ERROR_GRID, FALSE },
  { "virtual-one", "1 1", "2 3", "1", PD_DVM_MODEL_ERROR_GRID, FALSE },
  { "virtual-rank", "1 1", "2 3", "6", PD_DVM_MODEL_ERROR_GRID, FALSE },
};

static void
test_grid_rule (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new_virtual (grids[i].traced, grids[i].virtual);
  g_autoptr (GError) error = NULL;

  test_trace_exit (trace, 1);
  PdReportRun *run = test_predict (trace->text->str, grids[i].grid, &options, &error);
  if (grids[i].code != FINE)
    {
      g_assert_null (run);
      g_assert_error (error, PD_DVM_MODEL_ERROR, grids[i].code);
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpint (pd_messages_count (run->messages, "grid-padded") > 0, ==, grids[i].padded);
  test_report_run_free (run);
}

/* One trace of several processors, whose name does not lead to the others. */
static void
test_recorded (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  g_auto (GStrv) parts = g_strsplit (trace->text->str, "ProcCount=1;", 2);
  g_autofree char *text = g_strjoinv ("ProcCount=2;", parts);
  g_auto (GStrv) first = g_strsplit (text, "ProcCount=1  ", 2);
  g_autofree char *two = g_strjoinv ("ProcCount=2  ", first);
  g_autoptr (GError) error = NULL;

  g_assert_null (test_predict (two, "2", &options, &error));
  g_assert_error (error, PD_DVM_MODEL_ERROR, PD_DVM_MODEL_ERROR_RECORDED);
}

int
main (int argc, char **argv)
{
  static const char *const ordinary[] = { "mysterious_", "dvmrecv_", "dvmsend_" };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (scripts); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/dvm-objects/", scripts[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_script);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (ordinary); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/dvm-objects/ordinary/", ordinary[i], NULL);
      g_test_add_data_func (path, ordinary[i], test_ordinary);
    }
  g_test_add_func ("/predictor/dvm-objects/after-exit", test_after_exit);
  g_test_add_func ("/predictor/dvm-objects/noise", test_noise);
  for (gsize i = 0; i < G_N_ELEMENTS (grids); i++)
    {
      g_autofree char *path =
          g_strconcat ("/predictor/dvm-objects/grid-rule/", grids[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_grid_rule);
    }
  g_test_add_func ("/predictor/dvm-objects/recorded", test_recorded);
  return g_test_run ();
}
