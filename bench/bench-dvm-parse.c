/* How fast DVM traces are read: the records of a trace between ret_dvm_Init
 * and Event_dvm_exit, repeated to several sizes in a temporary file. Every
 * call is asked for what the interpreter would ask.
 *   bench-dvm-parse [TRACE [MEGABYTES…]]
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* fdopen() */

#include "traces/dvm/pd-dvm-reader.h"
#include "traces/dvm/pd-dvm-call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char *const default_trace = "tests/data/gauss_240.ptr.gz";
static const gint64 default_sizes[] = { 10, 100, 1000 };

/* ---- input */

static GString *
read_all (const char *path)
{
  gzFile in = gzopen (path, "rb");
  GString *text = g_string_new (NULL);
  char buffer[65536];
  int n;

  if (in == NULL)
    return text;
  while ((n = gzread (in, buffer, sizeof buffer)) > 0)
    g_string_append_len (text, buffer, n);
  gzclose (in);
  return text;
}

/* The places where the records of the program begin and end. */
static gboolean
find_program (const GString *text, const char **begin, const char **end)
{
  *begin = strstr (text->str, "\nret_dvm_Init");
  *end = strstr (text->str, "\nEvent_dvm_exit");
  if (*begin == NULL || *end == NULL)
    return FALSE;
  *begin = strchr (*begin + 1, '\n');
  *begin = strstr (*begin, "\ncall_") + 1;
  *end += 1;
  return *begin < *end;
}

/* Writes the trace with its program repeated to about @megabytes; the size. */
static gint64
write_repeated (FILE *out, const GString *text, gint64 megabytes)
{
  const char *begin, *end;
  gsize n;
  gint64 size = 0;

  if (!find_program (text, &begin, &end))
    return 0;
  n = (gsize) (end - begin);
  size += (gint64) fwrite (text->str, 1, (gsize) (begin - text->str), out);
  while (size < megabytes * 1000000)
    size += (gint64) fwrite (begin, 1, n, out);
  size += (gint64) fwrite (end, 1, text->len - (gsize) (end - text->str), out);
  return fflush (out) == 0 ? size : 0;
}

/* ---- what the interpreter asks */

static const struct
{
  PdDvmFunction function;
  PdDvmKey scalars[4];
  PdDvmKey arrays[7];
} questions[] = {
  { PD_DVM_bsloop_, { PD_DVM_KEY_nfrag }, { 0 } },
  { PD_DVM_bploop_, { PD_DVM_KEY_nfrag }, { 0 } },
  { PD_DVM_enloop_, { PD_DVM_KEY_nfrag, PD_DVM_KEY_nline }, { 0 } },
  { PD_DVM_binter_, { PD_DVM_KEY_nfrag, PD_DVM_KEY_index, PD_DVM_KEY_UserInter }, { 0 } },
  { PD_DVM_einter_, { PD_DVM_KEY_nfrag, PD_DVM_KEY_nline }, { 0 } },
  { PD_DVM_crtpl_, { PD_DVM_KEY_Rank, PD_DVM_KEY_LoopRef }, { 0 } },
  { PD_DVM_dopl_, { PD_DVM_KEY_LoopRef, PD_DVM_KEY_DoPL }, { 0 } },
  { PD_DVM_endpl_, { PD_DVM_KEY_LoopRef }, { 0 } },
  { PD_DVM_mappl_,
    { PD_DVM_KEY_LoopRef, PD_DVM_KEY_PatternRefPtr, PD_DVM_KEY_PatternRef, PD_DVM_KEY_IsLocal },
    { PD_DVM_KEY_AxisArray, PD_DVM_KEY_CoeffArray, PD_DVM_KEY_ConstArray,
      PD_DVM_KEY_InInitIndexArray, PD_DVM_KEY_InLastIndexArray, PD_DVM_KEY_InStepArray } },
  { PD_DVM_inssh_,
    { PD_DVM_KEY_ShadowGroupRef, PD_DVM_KEY_ArrayHeader, PD_DVM_KEY_FullShdSign },
    { PD_DVM_KEY_LowShdWidthArray, PD_DVM_KEY_HiShdWidthArray } },
  { PD_DVM_strtsh_, { PD_DVM_KEY_ShadowGroupRef }, { 0 } },
  { PD_DVM_waitsh_, { PD_DVM_KEY_ShadowGroupRef }, { 0 } },
  { PD_DVM_crtred_,
    { PD_DVM_KEY_RedFuncNumb, PD_DVM_KEY_RedArrayType, PD_DVM_KEY_RedArrayLength,
      PD_DVM_KEY_RedRef },
    { 0 } },
  { PD_DVM_strtrd_, { PD_DVM_KEY_RedGroupRef }, { 0 } },
  { PD_DVM_waitrd_, { PD_DVM_KEY_RedGroupRef }, { 0 } },
  { PD_DVM_crtrbl_,
    { PD_DVM_KEY_RemArrayHeader, PD_DVM_KEY_BufferHeader, PD_DVM_KEY_LoopRef,
      PD_DVM_KEY_BufferHandlePtr },
    { PD_DVM_KEY_AxisArray, PD_DVM_KEY_CoeffArray, PD_DVM_KEY_ConstArray } },
  { PD_DVM_loadrb_, { PD_DVM_KEY_BufferHeader, PD_DVM_KEY_RenewSign }, { 0 } },
};

static gint64
ask (const PdDvmReader *reader, gint row)
{
  gint64 sum = 0, value;
  guint n;

  if (row < 0)
    return 0;
  for (guint i = 0; i < 4 && questions[row].scalars[i] != PD_DVM_KEY_UNKNOWN; i++)
    if (pd_dvm_call_get (reader, questions[row].scalars[i], &value))
      sum ^= value;
  for (guint i = 0; i < 7 && questions[row].arrays[i] != PD_DVM_KEY_UNKNOWN; i++)
    if (pd_dvm_call_get_array (reader, questions[row].arrays[i], &n) != NULL)
      sum += n;
  return sum;
}

/* ---- measuring */

static gboolean
measure (const char *path, gint64 size)
{
  gint rows[PD_DVM_N_FUNCTIONS];
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();
  gint64 sum = 0;
  const PdDvmCall *call;

  memset (rows, -1, sizeof rows);
  for (gsize i = 0; i < G_N_ELEMENTS (questions); i++)
    rows[questions[i].function] = (gint) i;

  g_autoptr (PdDvmReader) reader = pd_dvm_reader_new (path, NULL, &error);
  while (reader != NULL && pd_dvm_reader_next (reader, &call, &error))
    sum += ask (reader, rows[call->function]);
  if (error != NULL)
    {
      fprintf (stderr, "bench-dvm-parse: %s\n", error->message);
      return FALSE;
    }
  gdouble seconds = (gdouble) (g_get_monotonic_time () - start) / 1e6;
  guint64 n = pd_dvm_reader_get_trailer (reader)->n_records;
  printf ("%8.1f MB %10" G_GUINT64_FORMAT " records %8.3f s %8.1f MB/s %6.2f million records/s "
          "(%" G_GINT64_MODIFIER "x)\n",
          (gdouble) size / 1e6, n, seconds, (gdouble) size / 1e6 / seconds,
          (gdouble) n / 1e6 / seconds, (guint64) sum);
  return TRUE;
}

static gboolean
measure_size (const GString *text, gint64 megabytes)
{
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("bench-dvm-XXXXXX.ptr", &path, NULL);
  FILE *out = fd >= 0 ? fdopen (fd, "wb") : NULL;
  gint64 size = 0;
  gboolean ok;

  if (out == NULL)
    {
      fputs ("bench-dvm-parse: no temporary file can be made\n", stderr);
      return FALSE;
    }
  size = write_repeated (out, text, megabytes);
  fclose (out);
  ok = size > 0 && measure (path, size);
  if (size == 0)
    fputs ("bench-dvm-parse: the trace has no program, or the temporary file no room\n", stderr);
  remove (path);
  return ok;
}

int
main (int argc, char **argv)
{
  g_autoptr (GString) text = read_all (argc > 1 ? argv[1] : default_trace);
  gboolean ok = TRUE;

  if (argc > 2)
    for (int i = 2; i < argc; i++)
      ok = measure_size (text, g_ascii_strtoll (argv[i], NULL, 10)) && ok;
  else
    for (gsize i = 0; i < G_N_ELEMENTS (default_sizes); i++)
      ok = measure_size (text, default_sizes[i]) && ok;
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
