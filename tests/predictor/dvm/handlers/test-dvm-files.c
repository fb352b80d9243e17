/* What reading and writing takes: as recorded, or by the machine's files. Times by hand, in
 * microseconds; communication costs nothing.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/copy-trace.h"
#include "tests/support/predict.h"

#define ONE ",io-latency=2us,io-bandwidth=1MB/s"
#define ALL ONE ",io-writers=all"

/* 8 elements of 8 bytes; 4 processors have 2 each. */
static const struct
{
  const char *name, *machine, *function, *params, *results;
  gboolean is_array;
  const char *times, *waits;
} functions[] = {
  { "recorded", "ideal", "dvm_printf", "Format=x", "Res=5;", FALSE, "30 0 0 0", "0 30 30 30" },
  { "not-faster", "ideal:speed=2", "dvm_printf", "Format=x", "Res=5;", FALSE, "30 0 0 0",
    "0 30 30 30" },
  /* 2 + 5 * 1 */
  { "printf", "ideal:nodes=4" ONE, "dvm_printf", "Format=x", "Res=5;", FALSE, "7 0 0 0",
    "0 7 7 7" },
  { "printf-not-faster", "ideal:speed=2" ONE, "dvm_printf", "Format=x", "Res=5;", FALSE, "7 0 0 0",
    "0 7 7 7" },
  { "printf-all", "ideal:nodes=4" ALL, "dvm_printf", "Format=x", "Res=5;", FALSE, "7 0 0 0",
    "0 7 7 7" },
  /* nobody knows the bytes */
  { "open", "ideal:nodes=4" ONE, "dvm_fopen", "Filename=x", "Res=5;", FALSE, "30 0 0 0",
    "0 30 30 30" },
  { "void-printf", "ideal:nodes=4" ONE, "dvm_void_printf", "Format=x", "", FALSE, "30 0 0 0",
    "0 0 0 0" },
  { "fread-memory", "ideal:nodes=4" ONE, "dvm_fread", "Buffer=1; Size=4; Count=3; Stream=1;",
    "Res=3;", FALSE, "14 0 0 0", "0 14 14 14" },
  { "fwrite-memory", "ideal:nodes=4" ONE, "dvm_fwrite", "Buffer=1; Size=4; Count=3; Stream=1;",
    "Res=3;", FALSE, "14 0 0 0", "0 14 14 14" },
  { "read", "ideal:nodes=4" ONE, "dvm_read", "HandlePtr=1; Buffer=1; Count=100;", "Res=77;", FALSE,
    "79 0 0 0", "0 79 79 79" },
  /* 2 + 64 */
  { "array", "ideal:nodes=4" ONE, "dvm_fwrite", "Size=8; Count=8; Stream=1;", "Res=8;", TRUE,
    "66 0 0 0", "0 66 66 66" },
  { "array-in", "ideal:nodes=4" ONE, "dvm_fread", "Size=8; Count=8; Stream=1;", "Res=8;", TRUE,
    "66 0 0 0", "0 66 66 66" },
  { "array-recorded", "ideal:nodes=4", "dvm_fwrite", "Size=8; Count=8; Stream=1;", "Res=8;", TRUE,
    "30 0 0 0", "0 30 30 30" },
  /* all are through after 66; each would need 2 + 16 for its own part */
  { "array-all", "ideal:nodes=4" ALL, "dvm_fwrite", "Size=8; Count=8; Stream=1;", "Res=8;", TRUE,
    "18 18 18 18", "48 48 48 48" },
  { "array-in-all", "ideal:nodes=4" ALL, "dvm_fread", "Size=8; Count=8; Stream=1;", "Res=8;", TRUE,
    "18 18 18 18", "48 48 48 48" },
  /* 2 + 24 for all; 2 + 16 for the first, 2 + 8 for the second, who waits for the others */
  { "prefix-all", "ideal:nodes=4" ALL, "dvm_fwrite", "Size=8; Count=3; Stream=1;", "Res=3;", TRUE,
    "18 10 0 0", "8 16 26 26" },
};

static void
test_function (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options (functions[i].machine);
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  g_autofree char *params = g_strdup (functions[i].params);

  if (functions[i].is_array)
    {
      gint64 view = test_trace_template (trace, "8", "1");
      guint64 array = (guint64) test_trace_array (trace, "8", view, "1*1+0");
      g_free (params);
      params = g_strdup_printf ("ArrayHeader=1; ArrayHandlePtr=%" G_GINT64_MODIFIER "x; %s", array,
                                functions[i].params);
    }
  test_trace_io (trace, functions[i].function, 30, params, functions[i].results);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autofree char *times = test_values (run, 0, PD_C_IO_TIME);
  g_autofree char *waits = test_values (run, 0, PD_C_IO_COMM);
  g_assert_cmpstr (times, ==, functions[i].times);
  g_assert_cmpstr (waits, ==, functions[i].waits);
}

/* A Fortran statement writes an array and reads 8 and 3 bytes of memory, in 4, 5 and 6 of recorded
 * time: it takes that, or 2 + (64 + 8 + 3). */
static void
test_statement (gconstpointer data)
{
  gboolean is_modelled = GPOINTER_TO_INT (data);
  PdPredictOptions options = test_options (is_modelled ? "ideal:nodes=2" ONE : "ideal:nodes=2");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "8", "1");
  guint64 array = (guint64) test_trace_array (trace, "8", view, "1*1+0");
  g_autofree char *copied = g_strdup_printf (
      "FromArrayHeader=1; FromArrayHandlePtr=%" G_GINT64_MODIFIER
      "x; ToBufferPtr=2; CopyRegim=2;\nFromInitIndexArray[0]=-1;\nFromLastIndexArray[0]=7;\n"
      "FromStepArray[0]=1;",
      array);

  test_trace_call (trace, "biof_", 0, 0, "", "");
  test_trace_call (trace, "arrcpy_", 0, 4, copied, "Res=8;");
  test_trace_call (trace, "srmem_", 5, 0, "MemoryCount=2;\nLengthArray[0]=8; LengthArray[1]=3;",
                   "");
  test_trace_call (trace, "eiof_", 6, 0, "", "");
  test_trace_call (trace, "biof_", 0, 0, "", ""); /* of no known bytes */
  test_trace_call (trace, "eiof_", 9, 0, "", "");
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_autofree char *times = test_values (run, 0, PD_C_IO_TIME);
  g_assert_cmpstr (times, ==, is_modelled ? "86 0" : "24 0");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/files/", functions[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_function);
    }
  g_test_add_data_func ("/predictor/files/statement/recorded", GINT_TO_POINTER (FALSE),
                        test_statement);
  g_test_add_data_func ("/predictor/files/statement/modelled", GINT_TO_POINTER (TRUE),
                        test_statement);
  return g_test_run ();
}
