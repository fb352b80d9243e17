/* The parameters of a call, as the reader gives them.
 * SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-reader.h"
#include "traces/dvm/pd-dvm-call.h"

#include <string.h>

#define HEAD                                                                                       \
  "RTS VERSION = 2889\n"                                                                           \
  "ProcCount=1;      PSRank=2;      PSSize= 1 1;\n"
#define INIT             "ret_dvm_Init TIME=0.000500 LINE=1      FILE=a.fdv\n \n"
#define CALL(f, us)      "call_" f " TIME=0.00000" us " LINE=3      FILE=a.fdv\n"
#define RET(f, us)       "ret_" f " TIME=0.00000" us " LINE=3      FILE=a.fdv\n"
#define SINGLE(f, us)    f " TIME=0.00000" us " LINE=3      FILE=a.fdv\n"
#define EXIT             SINGLE ("Event_dvm_exit", "9") "rc=0;\n"
#define PROGRAM(records) HEAD INIT records EXIT

static PdDvmReader *
open_text (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  return pd_dvm_reader_new_from_bytes (bytes, "test.ptr", NULL, NULL);
}

/* ---- parameters: one call each */

static const struct
{
  const char *name;
  const char *function;
  const char *call; /* body */
  const char *ret;
  const char *expected; /* "key=value", arrays "key[]=1,2", lengths "key#=3", floats "key~=1.5",
                         * ret only "key!=3"; "-" = absent */
} parameters[] = {
  { "hex", "getam_", " \n", "AMRef=525e34\n", "AMRef=5398068" },
  { "hex-minus-1", "getps_", "AMRefPtr=NULL; AMRef=ffffffffffffffff;\n", "PSRef=0;\n",
    "AMRefPtr=0 AMRef=-1 PSRef=0" },
  { "hex-minus-1-of-32-bits", "getps_", "AMRef=ffffffff;\n", "", "AMRef=-1" },
  { "call-and-ret", "crtps_", "PSRef=10;\n", "PSRef=20;\n", "PSRef=16 PSRef!=32" },
  { "ret-only", "dopl_", "LoopRef=1;\n", "DoPL=1;\n", "DoPL=1 LoopRef!=- DoPL!=1" },
  { "two-without-semicolon", "blkdiv_", "AMVAxisCount=2\nAMVAxisDiv[0]=1 AMVAxisDiv[1]=3 \n", "",
    "AMVAxisCount=2 AMVAxisDiv[]=1,3" },
  { "blanks", "mappl_", "LoopVarTypeArray = NULL;\n     InStepArray[0]=-1;  \n", "",
    "LoopVarTypeArray=0 InStepArray[]=-1" },
  { "exact-keys", "crtamv_", "AMRefPtr=10; PSRank=7; Rank=2;\n", "", "AMRef=- Rank=2" },
  { "handle-in-header", "insrb_", "BufferHeader=5a; BufferHeader[0]=5b\n", "",
    "BufferHeader=90 BufferHeader[]=91" },
  { "nested-ps", "distr_",
    "ParamCount=2;\nAxisArray[0]=1; AxisArray[1]=2;  \nProcCount=1  "
    "HasCurrent=1  CentralProc=0  IOProc=0\n",
    "IsLocal=1;\n", "ParamCount=2 AxisArray[]=1,2 IsLocal=1 ProcCount=1" },
  { "first-scalar", "distr_", "ProcCount=4;\nProcCount=2;\n", "", "ProcCount=4" },
  { "array-in-call-of-result", "locind_",
    "ArrayHeader=1;\nInitIndexArray[0]=0;\nLastIndexArray[0]=7;\n", "HasLocal=1;\n",
    "InitIndexArray[]=0 LastIndexArray[]=7 HasLocal=1" },
  { "array-after-ret", "mappl_", "Rank=1;\n", "IsLocal=1\nOutInitIndexArray[0]=3;\n",
    "OutInitIndexArray[]=3" },
  { "empty-loop", "mappl_", "\n", "IsLocal=0000000;\n", "IsLocal=0 IsLocal#=7" },
  { "array-hole", "x_", "AxisArray[0]=1; AxisArray[2]=3; AxisArray[3]=4;\n", "", "AxisArray[]=1" },
  { "array-repeated", "x_", "AxisArray[0]=1; AxisArray[1]=2; AxisArray[0]=9; AxisArray[1]=8;\n", "",
    "AxisArray[]=1,2" },
  { "array-bad-index", "x_", "AxisArray[x]=1; AxisArray[-1]=1; AxisArray[99999999999]=1; Rank=3;\n",
    "", "AxisArray[]=- Rank=3" },
  { "garbage-after-whole", "arrcpy_",
    "FromInitIndexArray[0]=-1;\nFromLastIndexArray[0]=140724603453440;\nFromStepArray[0]=7;\n",
    "Res=64;\n", "FromInitIndexArray[]=-1 FromLastIndexArray[]=140724603453440 Res=64" },
  { "hex-lengths", "srmem_",
    "MemoryCount=2; StartAddrArray[0]=5a; StartAddrArray[1]=5b;\n"
    "LengthArray[0]=10; LengthArray[1]=a;\n",
    "", "LengthArray[]=16,10" },
  { "newsign-hex", "realn_", "NewSign=10;\n", "", "NewSign=16" },
  { "newsign-dec", "redis_", "NewSign=10;\n", "", "NewSign=10" },
  { "res-pointer", "dvm_fopen", "Filename=my; file=1.dat; Type=wb;\n", "Res=106d7d8;\n",
    "Filename#=14 Type#=2 Res=17225688" },
  { "res-number", "dvm_fwrite", "ArrayHeader=5; Size=8; Count=64; Stream=a;\n", "Res=64;\n",
    "Size=8 Res=64 Stream=10" },
  { "res-character", "dvm_putc", "Stream=a; Sym=;;\n", "Res=A;\n", "Sym=59 Res=65 Stream=10" },
  { "sym-line-end", "dvm_putchar", "Sym=\n;\n", "Res=\n;\n", "Sym=10 Res=10" },
  { "sym-blank", "dvm_putchar", "Sym= ;\n", "", "Sym=32" },
  { "sym-line-end-of-windows", "dvm_putchar", "Sym=\r\n;\r\n", "", "Sym=10" },
  { "format", "dvm_void_printf", "Format=a=%d; Rank=3 (x)\n----------\n\nStaticSign=7\n", "",
    "Format#=41 Rank=- StaticSign=-" },
  { "format-after-stream", "dvm_fprintf", "Stream=10; Format=Stream=20\n", "Res=3;\n",
    "Stream=16 Format#=9 Res=3" },
  { "string", "dvm_puts", "String=a;b;\nc;\n", "Res=\n;\n", "String#=6 Res=10" },
  { "string-in-ret", "dvm_gets", "\n", "Res=10; String=abc\n", "Res=16 String#=3" },
  { "rename", "dvm_rename", "OldName=a b NewName=c\n", "Res=0;\n", "OldName#=3 NewName#=1 Res=0" },
  { "open", "dvm_open", "Filename=a; Oflag=1; Pmode=438;\n", "Res=5b;\n",
    "Filename#=1 Oflag=1 Pmode=438 Res=91" },
  { "pipeline", "across_",
    "AcrossType=0; OldShadowGroupRef=0; NewShadowGroupRefPtr=1; "
    "NewShadowGroupRef=8c5b50;\nPipeLinePar=-0.000000;\nVMAxis[0] = 2\nCondPipeLine=0  "
    "ErrPipeLine=9\n",
    "ErrPipeLine=9\n",
    "OldShadowGroupRef=0 NewShadowGroupRef=9198416 PipeLinePar~=0 ErrPipeLine=9 VMAxis[]=2" },
  { "pipeline-old", "across_", "PipeLinePar=0;\n", "PipeLinePLAxis=0\n",
    "PipeLinePar~=0 PipeLinePLAxis=0" },
  { "weights-int", "genblk_",
    "AxisCount=2; DoubleSign=0\nAxisWeightAddr[0] = 0\n"
    "AxisWeightAddr[1][0] = 5\nAxisWeightAddr[1][1] = 3\n",
    "", "AxisWeightAddr[]=5,3" },
  { "weights-float", "genblk_",
    "AxisCount=1; DoubleSign=1\nAxisWeightAddr[0][0] = 1.5\n"
    "AxisWeightAddr[0][1] = 2\n",
    "", "AxisWeightAddr[]=- AxisWeightAddr~=1.5,2" },
  { "weights-load", "setelw_",
    "AddrNumber=2;\nWeightNumber[0] = 2;\n  LoadWeight[0] = 1.00;  "
    "LoadWeight[1] = 2.00;\nWeightNumber[1] = 1;\n  LoadWeight[0] = 3.00;\n",
    "", "WeightNumber[]=2,1 LoadWeight~=1,2,3" },
  { "weights-processors", "setpsw_",
    "IntWeightSign=5a;\nCoordWeight[0]= 1.00(1.00) 2.00(1.00) \n"
    "      3.00(1.00) \nCoordWeight[1]= 4.00(1.00)  \n",
    "", "IntWeightSign=90 CoordWeight~=1,2,3,4" },
  { "weights-measured", "gettar_",
    "WeightArray=5a; Axis=1;\nWeightArray[0]=0.5; WeightArray[1]=1;\n", "Res=2;\n",
    "WeightArray=90 WeightArray~=0.5,1 Res=2" },
  { "labels", "dopl_", "LoopRef=1;\nDim0: Lower=1 Upper=8 Step=1\nDim1: Lower=2 Upper=6 Step=2\n",
    "DoPL=1;\n", "Dim_Lower[]=1,2 Dim_Upper[]=8,6 Dim_Step[]=1,2 DoPL=1" },
  { "labels-indexed", "align_",
    "Local[0]: Lower=1(0) Upper=8(7)\nLocal[1]: Lower=3(2) Upper=9(8)\n", "IsLocal=1\n",
    "Local_Lower[]=1,3 Local_Upper[]=8,9" },
  { "words", "dvmsecwait_", "Read. Flag=5a;\n", "", "Flag=90" },
  { "pairs", "rtl_Send", "buf=5a; procnum=2(3); procid=7;\n", "rc=1;\n",
    "procnum=2 procid=7 rc=1" },
  { "stars", "dbegpl_", "*Rank=2; *No=1; *Init=-5;\n", "", "star_Rank=2 star_No=1 star_Init=-5" },
  { "size", "align_", "DArr->ArrBlock.ALoc.Ptr0=1a  DArr->ArrBlock.ALoc.Ptr=1b  Size=664\n", "",
    "ALoc_Ptr0=26 ALoc_Ptr=27 Size=664" },
  { "notes", "strtrd_",
    "RedGroupRef=1;\n*** MPI_Comm Information ***\n&MPI_Comm=1068e9c; ProcNumber=1; "
    "time=0.5;\nMPI_Group:    0\n(Rank=7)\nrf_SUM; rt_INT;\n*** DoNotMPIRed = 0\n",
    "", "RedGroupRef=1 Rank=-" },
  { "interval", "binter_", "nfrag=1; index=2000000000 UserInter=1;\n", "",
    "nfrag=1 index=2000000000 UserInter=1" },
  { "interval-auto", "binter_", "call_biinter line=12; nitem=3;\n", "ret_biinter\n",
    "line=12 nitem=3" },
  { "underline", "getam_", "----------------\n", "AMRef=1;\n", "AMRef=1" },
  { "stray", "x_", "= [ [1] =5 Rank =  3; ;;; (x Rank=4)\n", "", "Rank=3" },
};

static void
append_values (GString *text, PdDvmReader *reader, PdDvmKey key, gboolean as_float)
{
  guint n;
  const gint64 *ints = as_float ? NULL : pd_dvm_call_get_array (reader, key, &n);
  const gdouble *doubles = as_float ? pd_dvm_call_get_doubles (reader, key, &n) : NULL;

  for (guint i = 0; i < n; i++)
    if (as_float)
      g_string_append_printf (text, "%s%g", i > 0 ? "," : "", doubles[i]);
    else
      g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "," : "", ints[i]);
  if (n == 0)
    g_string_append (text, "-");
}

static PdDvmKey
find_key (const char *name)
{
#define X(key, kind)                                                                               \
  if (strcmp (name, #key) == 0)                                                                    \
    return PD_DVM_KEY_##key;
#define Y(key, text, kind) X (key, kind)
  PD_DVM_KEYS (X)
  PD_DVM_ODD_KEYS (Y)
#undef X
#undef Y
  g_assert_not_reached ();
}

/* What the current call gives for the left side of @wanted. */
static char *
get_actual (PdDvmReader *reader, const char *wanted)
{
  gsize n = strcspn (wanted, "=[#~!");
  g_autofree char *name = g_strndup (wanted, n);
  PdDvmKey key = find_key (name);
  GString *text = g_string_new_len (wanted, (gssize) (strchr (wanted, '=') - wanted + 1));
  gint64 value;
  gdouble number;

  if (wanted[n] == '[')
    append_values (text, reader, key, FALSE);
  else if (wanted[n] == '~' && pd_dvm_call_get_double (reader, key, &number))
    g_string_append_printf (text, "%g", number + 0.0);
  else if (wanted[n] == '~')
    append_values (text, reader, key, TRUE);
  else if (wanted[n] == '#')
    g_string_append_printf (text, "%" G_GINT64_FORMAT, pd_dvm_call_get_length (reader, key));
  else if (wanted[n] == '!' ? pd_dvm_call_get_ret (reader, key, &value)
                            : pd_dvm_call_get (reader, key, &value))
    g_string_append_printf (text, "%" G_GINT64_FORMAT, value);
  else
    g_string_append (text, "-");
  return g_string_free (text, FALSE);
}

static void
test_parameters (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *text = g_strconcat (
      HEAD INIT "call_", parameters[i].function, " TIME=0.1 LINE=1 FILE=a\n", parameters[i].call,
      "ret_", parameters[i].function, " TIME=0.1 LINE=1 FILE=a\n", parameters[i].ret, EXIT, NULL);
  g_autoptr (PdDvmReader) reader = open_text (text);
  g_auto (GStrv) wanted = g_strsplit (parameters[i].expected, " ", -1);
  const PdDvmCall *call;

  g_assert_true (pd_dvm_reader_next (reader, &call, NULL));
  g_assert_cmpstr (call->name, ==, parameters[i].function);
  for (guint round = 0; round < 2; round++)
    for (guint k = 0; wanted[k] != NULL; k++)
      {
        g_autofree char *actual = get_actual (reader, wanted[k]);
        g_assert_cmpstr (actual, ==, wanted[k]);
      }
  /* Nothing of it is left in the next call. */
  g_assert_true (pd_dvm_reader_next (reader, &call, NULL));
  for (guint key = 1; key < PD_DVM_N_KEYS; key++)
    {
      gint64 value;
      g_assert_cmpint (pd_dvm_call_get (reader, key, &value), ==, key == PD_DVM_KEY_rc);
    }
}

static void
test_rows (void)
{
  g_autoptr (PdDvmReader) reader = open_text (PROGRAM (CALL (
      "genblk_", "1") "AxisCount=2; DoubleSign=0\nAxisWeightAddr[0] = 0\n"
                      "AxisWeightAddr[1][0] = 5\nAxisWeightAddr[1][1] = 3\n" RET ("genblk_", "1")));
  const PdDvmCall *call;

  g_assert_true (pd_dvm_reader_next (reader, &call, NULL));
  g_assert_cmpuint (pd_dvm_call_get_row_length (reader, PD_DVM_KEY_AxisWeightAddr, 0), ==, 0);
  g_assert_cmpuint (pd_dvm_call_get_row_length (reader, PD_DVM_KEY_AxisWeightAddr, 1), ==, 2);
  g_assert_cmpuint (pd_dvm_call_get_row_length (reader, PD_DVM_KEY_AxisWeightAddr, 2), ==, 0);
}

/* The suffix of PatternRef. */
static void
test_pattern (void)
{
  static const struct
  {
    const char *suffix;
    int expected;
  } rows[] = { { " (DisArray)", 1 }, { " (AMView)", 0 }, { "", -1 }, { " (Other)", -1 } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *text =
          g_strconcat (HEAD INIT CALL ("align_", "1") "PatternRefPtr=51b468; PatternRef=106c8a8",
                       rows[i].suffix, ";\n" RET ("align_", "1") EXIT, NULL);
      g_autoptr (PdDvmReader) reader = open_text (text);
      const PdDvmCall *call;
      gint64 value;

      g_assert_true (pd_dvm_reader_next (reader, &call, NULL));
      g_assert_cmpint (pd_dvm_call_pattern_is_array (reader), ==, rows[i].expected);
      g_assert_true (pd_dvm_call_get (reader, PD_DVM_KEY_PatternRef, &value));
      g_assert_cmphex ((guint64) value, ==, 0x106c8a8);
    }
}

/* Lines longer than any buffer, and parameters of calls with nested records,
 * which leave the window before the call ends. */
static void
test_long (void)
{
  g_autoptr (GString) text = g_string_new (HEAD INIT CALL ("distr_", "1") "ParamCount=3;\n");
  const guint n = 40000;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "AxisArray[%u]=%u; ", i, i);
  g_string_append (text, "\n");
  for (guint i = 0; i < n; i++)
    g_string_append (text, CALL ("rtl_Send", "1") "count=7;\n" RET ("rtl_Send", "1"));
  g_string_append (text, RET ("distr_", "1") "IsLocal=1;\n" EXIT);

  g_autoptr (PdDvmReader) reader = open_text (text->str);
  const PdDvmCall *call;
  gint64 value;
  guint n_read;

  g_assert_true (pd_dvm_reader_next (reader, &call, NULL));
  g_assert_cmpint (call->ret_time.ps, ==, (2 * (gint64) n + 1) * PD_PS_PER_US);
  const gint64 *array = pd_dvm_call_get_array (reader, PD_DVM_KEY_AxisArray, &n_read);
  g_assert_cmpuint (n_read, ==, n);
  g_assert_cmpint (array[n - 1], ==, n - 1);
  g_assert_true (pd_dvm_call_get (reader, PD_DVM_KEY_ParamCount, &value) && value == 3);
  g_assert_true (pd_dvm_call_get (reader, PD_DVM_KEY_IsLocal, &value) && value == 1);
  g_assert_false (pd_dvm_call_get (reader, PD_DVM_KEY_count, &value));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (parameters); i++)
    {
      g_autofree char *path = g_strconcat ("/traces/dvm-call/", parameters[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_parameters);
    }
  g_test_add_func ("/traces/dvm-call/rows", test_rows);
  g_test_add_func ("/traces/dvm-call/pattern", test_pattern);
  g_test_add_func ("/traces/dvm-call/long", test_long);
  return g_test_run ();
}
