/* Calls of DVM traces as they are shared: what comes from them is what comes from the
 * trace, for whole, cut and damaged ones; nothing that is damaged itself is taken.
 * SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-calls-private.h"
#include "traces/dvm/pd-dvm-reader-private.h"

#include "traces/dvm/pd-dvm-check.h"
#include "traces/io/pd-trace-error.h"
#include "traces/dvm/pd-dvm-call.h"
#include "traces/dvm/pd-dvm-calls-check.h"
#include "traces/dvm/pd-dvm-calls-write.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static const guint8 key[PD_SECTIONS_KEY_SIZE] = "a key";

/* ---- everything a reader says */

static void
describe_values (GString *text, PdDvmReader *reader, PdDvmKey k)
{
  gint64 value = 0;
  gdouble number = 0;
  guint n, m;
  const gint64 *ints = pd_dvm_call_get_array (reader, k, &n);
  const gdouble *doubles = pd_dvm_call_get_doubles (reader, k, &m);
  gint64 length = pd_dvm_call_get_length (reader, k);

  g_assert_true ((ints == NULL) == (n == 0) && (doubles == NULL) == (m == 0));
  if (length >= 0)
    g_string_append_printf (text, " %u#%" G_GINT64_FORMAT, k, length);
  if (pd_dvm_call_get (reader, k, &value))
    g_string_append_printf (text, " %u=%" G_GINT64_FORMAT, k, value);
  if (pd_dvm_call_get_ret (reader, k, &value))
    g_string_append_printf (text, " %u>%" G_GINT64_FORMAT, k, value);
  if (pd_dvm_call_get_double (reader, k, &number))
    g_string_append_printf (text, " %u=%.17g", k, number);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, " %u[%u]=%" G_GINT64_FORMAT, k, i, ints[i]);
  for (guint i = 0; i < m; i++)
    g_string_append_printf (text, " %u[%u]=%.17g", k, i, doubles[i]);
  for (guint row = 0; row < 4; row++)
    if (pd_dvm_call_get_row_length (reader, k, row) > 0)
      g_string_append_printf (text, " %u{%u}%u", k, row,
                              pd_dvm_call_get_row_length (reader, k, row));
}

static void
describe_call (GString *text, PdDvmReader *reader, const PdDvmCall *call)
{
  g_string_append_printf (text,
                          "%u %s %s:%" G_GINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
                          " %d %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %d:",
                          call->function, call->name, call->file, call->line, call->number,
                          call->physical_line, call->is_single, call->call_time.ps,
                          call->ret_time.ps, pd_dvm_call_pattern_is_array (reader));
  const PdDvmCallTimes *decoded = &pd_dvm_reader_get_times (reader)[PD_DVM_DECODED];
  g_string_append_printf (text, " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, decoded->call.ps,
                          decoded->ret.ps);
  for (guint k = 0; k < PD_DVM_N_KEYS; k++)
    describe_values (text, reader, k);
  g_string_append_c (text, '\n');
}

static void
describe_messages (GString *text, const PdMessages *messages)
{
  for (guint i = 0; i < pd_messages_get_n (messages); i++)
    {
      const PdMessage *m = pd_messages_get (messages, i);
      g_string_append_printf (text, "%d %s %s %s %s %" G_GUINT64_FORMAT "\n", m->severity, m->id,
                              m->subject, m->text, m->place, m->count);
    }
}

static void
describe_ends (GString *text, const PdDvmReader *reader)
{
  const PdDvmHeader *h = pd_dvm_reader_get_header (reader);
  const PdDvmTrailer *t = pd_dvm_reader_get_trailer (reader);

  g_string_append_printf (
      text, "%s %s %g %d %u %u %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
      h->host, h->mps, h->mean_proc_time, (int) h->rts_version, h->ps_rank, h->vps_rank,
      h->proc_count, h->vproc_count, t->exit_code);
  for (guint i = 0; i < 8; i++)
    g_string_append_printf (text, " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, h->ps_size[i],
                            h->vps_size[i]);
  g_string_append_printf (
      text, "\n%d %g %g %g %g %u %u %.17g %.17g\n", t->complete, t->task_time, t->task_trace_time,
      t->system_time, t->system_trace_time, (guint) t->n_records, (guint) t->n_program_records,
      pd_time_sum_to_seconds (t->program_time), pd_time_sum_to_seconds (t->total_time));
  g_string_append_printf (text, "%u %u %u\n", (guint) t->clock.n_clamped, (guint) t->clock.n_fit,
                          (guint) t->clock.n_unfit);
}

/* After each call, how much has been said: it is said at the same moment. */
static char *
describe (PdDvmReader *reader, const PdMessages *messages, GError **error)
{
  GString *text = g_string_new (NULL);
  const PdDvmCall *call;
  guint64 n = 0;

  g_string_append_printf (text, "%u\n", pd_messages_get_n (messages));
  while (pd_dvm_reader_next (reader, &call, error))
    {
      PdPlace place = pd_dvm_reader_get_place (reader);
      describe_call (text, reader, call);
      g_string_append_printf (text, "%u %s %s\n", pd_messages_get_n (messages), place.file,
                              place.record);
      n++;
    }
  g_assert_false (pd_dvm_reader_next (reader, &call, NULL));
  /* of an open call, if it ends so */
  PdPlace end = pd_dvm_reader_get_place (reader);
  g_string_append_printf (text, "%s:%" G_GINT64_FORMAT " %s %" G_GINT64_FORMAT "\n", end.file,
                          end.line, end.record != NULL ? end.record : "-", end.number);
  describe_ends (text, reader);
  describe_messages (text, messages);
  g_string_append_printf (text, "%" G_GUINT64_FORMAT " calls\n", n);
  return g_string_free (text, FALSE);
}

/* ---- from a trace to shared calls */

static GBytes *
save (GBytes *trace, GError **error)
{
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("calls-XXXXXX", &path, NULL);
  g_autoptr (GMappedFile) file = NULL;

  g_assert_cmpint (fd, >=, 0);
  if (pd_dvm_calls_save (pd_input_new_from_bytes (trace), "x", key, fd, error))
    file = g_mapped_file_new_from_fd (fd, FALSE, NULL);
  close (fd);
  g_unlink (path);
  return file != NULL ? g_mapped_file_get_bytes (file) : NULL;
}

static char *
describe_shared (GBytes *calls)
{
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (pd_dvm_calls_check (calls, NULL, &error));
  g_autoptr (PdDvmReader) reader = pd_dvm_reader_new_from_calls (calls, "the trace", messages);
  char *text = describe (reader, messages, &error);
  g_assert_no_error (error);
  return text;
}

/* Returns whether it can be shared. */
static gboolean
compare (GBytes *trace)
{
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL, problem = NULL;
  g_autoptr (PdDvmReader) reader =
      pd_dvm_reader_new_from_bytes (trace, "the trace", messages, &error);
  g_autofree char *own = reader != NULL ? describe (reader, messages, &error) : NULL;
  g_autoptr (GBytes) calls = save (trace, &problem);

  g_assert_true ((calls == NULL) == (problem != NULL));
  /* what cannot be read is never shared */
  if (error != NULL)
    g_assert_true (g_error_matches (problem, error->domain, error->code));
  if (calls == NULL)
    return FALSE;
  g_autofree char *shared = describe_shared (calls);
  g_assert_cmpstr (shared, ==, own);
  return TRUE;
}

static GBytes *
load (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdInput) input = pd_input_new_from_file (path, &error);

  g_assert_no_error (error);
  while (pd_input_fill (input, 0))
    ;
  return g_bytes_new (pd_input_get_window (input)->data, pd_input_get_window (input)->size);
}

/* ---- whole traces */

static const char *const own_files[] = {
  "tests/data/small.ptr",
  "tests/data/sor2d_2000.ptr.gz",
  "tests/data/gauss_240.ptr.gz",
  "tests/data/tasks2_256.ptr.gz",
  "tests/data/tasks2_256_userps4.ptr.gz",
  "tests/data/heat2d_600_np2/heat2d1_1.ptr.gz",
};

static const char *const shared_files[] = {
  "adi2d_400.ptr.gz", "heat3d_80.ptr.gz",    "iodump_300.ptr.gz",
  "jac1d.ptr",        "redblack_500.ptr.gz", "wave1d_2000000.ptr.gz",
};

static void
test_own (gconstpointer data)
{
  g_autoptr (GBytes) trace = load (data);

  g_assert_true (compare (trace));
}

static void
test_shared (gconstpointer data)
{
  const char *shared = g_getenv ("PREDICTOR_SHARED");
  g_autofree char *path = g_build_filename (shared != NULL ? shared : "../shared", "traces", "dvm",
                                            (const char *) data, NULL);

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("../shared is absent");
      return;
    }
  g_autoptr (GBytes) trace = load (path);
  g_assert_true (compare (trace));
}

/* ---- odd ones */

#define BEGIN                                                                                      \
  "RTS VERSION = 2889\n ProcCount=1\nPSRank=1\nPSSize[0]=1\n"                                      \
  "call_dvm_Init TIME=0.1 LINE=1 FILE=a.c\nret_dvm_Init TIME=0.1 LINE=1 FILE=a.c\n"
#define ONE(name, call, ret)                                                                       \
  "call_" name " TIME=0.000001 LINE=2 FILE=b.c\n" call "\nret_" name                               \
  " TIME=0.000002 LINE=2 FILE=b.c\n" ret "\n"
#define END "Event_dvm_exit TIME=0.5 LINE=9 FILE=a.c\nrc=0; TaskTraceTime=9.0\n"

static const struct
{
  const char *name;
  const char *text;
  gboolean is_shared;
} odd[] = {
  { "nothing", BEGIN END, TRUE },
  { "no-end", BEGIN ONE ("getam_", "", "AMRef=5"), TRUE },
  { "open-call", BEGIN "call_getam_ TIME=1 LINE=1 FILE=\nAMRef=5", TRUE },
  { "both-records", BEGIN ONE ("crtps_", "PSRef=1; PSRef=2;", "PSRef=3;") END, TRUE },
  { "holes",
    BEGIN ONE ("distr_", "AxisArray[0]=1; AxisArray[2]=5; AxisArray[1]=2; AxisArray[1]=3;", "") END,
    TRUE },
  { "rows",
    BEGIN ONE ("setelw_",
               "LoadWeight[0]=1;\nWeightNumber[1]=2\nLoadWeight[0]=1.5; LoadWeight[1]=2.5;\n"
               "WeightNumber[3]=1\nLoadWeight[0]=3;",
               "") END,
    TRUE },
  { "half-readable",
    BEGIN ONE ("distr_", "AxisArray[0]=1; AxisArray[1]=x; AxisArray[2]=3;", "") END, TRUE },
  { "bad-values", BEGIN ONE ("dopl_", "DoPL=zero; LoopRef=xyz; DoPL=\377;", "Mode=--") END, TRUE },
  { "fraction", BEGIN ONE ("dopl_", "DoPL=1.5; Rank=1e300;", "") END, TRUE },
  { "plus", BEGIN ONE ("dopl_", "DoPL=+5; Rank=-9223372036854775808;", "") END, TRUE },
  { "minus-zero", BEGIN ONE ("dopl_", "DoPL=-0;", "") END, FALSE },
  { "large", BEGIN ONE ("dopl_", "DoPL=99999999999999999999;", "") END, FALSE },
  { "large-hexadecimal", BEGIN ONE ("getam_", "", "AMRef=ffffffff; LoopRef=fffffffffffffffff") END,
    TRUE },
  { "large-elements",
    BEGIN ONE ("distr_", "AxisArray[0]=1; AxisArray[1]=99999999999999999999;", "") END, TRUE },
  { "unknown", BEGIN ONE ("foo_", "", "") ONE ("bar_", "", "") ONE ("foo_", "Rank=1", "") END,
    TRUE },
  { "unmatched",
    BEGIN "ret_getam_ TIME=1 LINE=1 FILE=a\n" ONE ("getps_", "call_getam_ TIME=-1 LINE=1 FILE=c\n",
                                                   "") END,
    TRUE },
  { "lost-ret", BEGIN "call_getam_ TIME=1 LINE=1 FILE=a\n" ONE ("getam_", "", "AMRef=1") END,
    TRUE },
  { "text", BEGIN ONE ("dvm_printf", "Format=a = %d; Rank=2\n*** RTS err\n", "") END, TRUE },
  { "character", BEGIN ONE ("dvm_putc", "Sym=\n; Rank=2", "") END, TRUE },
  { "stopped", BEGIN ONE ("getam_", "*** RTS err 1\nwhat", "") END, FALSE },
  { "no-parameters", BEGIN ONE ("crtda_", "", "") END, FALSE },
  { "headless", ONE ("getam_", "", "") END, FALSE },
  { "empty", "", FALSE },
};

static void
test_odd (gconstpointer data)
{
  const char *text = odd[GPOINTER_TO_SIZE (data)].text;
  g_autoptr (GBytes) trace = g_bytes_new (text, strlen (text));

  g_assert_cmpint (compare (trace), ==, odd[GPOINTER_TO_SIZE (data)].is_shared);
}

/* What check says of values goes by them, too. */
static void
test_check (gconstpointer data)
{
  g_autoptr (GBytes) trace = NULL;
  g_autofree char *said[2] = { NULL, NULL };
  GString *all;

  for (gsize i = 0; i < G_N_ELEMENTS (odd); i++)
    if (strcmp (odd[i].name, "bad-values") == 0)
      trace = g_bytes_new (odd[i].text, strlen (odd[i].text));
  g_autoptr (GBytes) calls = save (trace, NULL);
  g_assert_true (pd_dvm_calls_check (calls, key, NULL));
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (PdMessages) messages = pd_messages_new ();
      g_autoptr (PdDvmReader) reader =
          i == 0 ? pd_dvm_reader_new_from_bytes (trace, "x", messages, NULL)
                 : pd_dvm_reader_new_from_calls (calls, "x", messages);
      g_assert_true (pd_dvm_check_reader (reader, messages, NULL));
      g_assert_cmpuint (pd_messages_count (messages, "bad-value"), ==, 4);
      all = g_string_new (NULL);
      describe_messages (all, messages);
      said[i] = g_string_free (all, FALSE);
    }
  g_assert_cmpstr (said[0], ==, said[1]);
  g_free (g_steal_pointer (&said[1]));
  (void) data;
}

/* Cut anywhere, with other bytes, without lines. */
static void
test_damaged_trace (gconstpointer data)
{
  g_autoptr (GBytes) trace = load ("tests/data/small.ptr");
  gsize size;
  const char *text = g_bytes_get_data (trace, &size);
  guint32 random = 12345;
  guint n_shared = 0;

  (void) data;
  for (gsize n = 0; n < size; n += g_test_thorough () ? 1 : 37)
    {
      g_autoptr (GBytes) cut = g_bytes_new (text, n);
      n_shared += compare (cut) ? 1 : 0;
    }
  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *copy = g_malloc (size);
      memcpy (copy, text, size);
      for (guint k = 0; k < 1 + i % 5; k++)
        {
          random = random * 1664525 + 1013904223;
          copy[(random >> 4) % size] = "\n =;[]0a-\377"[random >> 28 & 7];
        }
      g_autoptr (GBytes) damaged = g_bytes_new (copy, size);
      n_shared += compare (damaged) ? 1 : 0;
    }
  g_assert_cmpuint (n_shared, >, 200);
}

/* ---- damaged calls */

static GByteArray *
make_calls (void)
{
  const char *text = BEGIN ONE ("distr_", "AxisArray[0]=1; AxisArray[1]=2; Rank=2;", "AMRef=7")
      ONE ("setelw_", "WeightNumber[0]=1\nLoadWeight[0]=1.5;", "") ONE ("foo_", "Rank=x", "") END;
  g_autoptr (GBytes) trace = g_bytes_new (text, strlen (text));
  g_autoptr (GBytes) calls = save (trace, NULL);
  GByteArray *bytes = g_byte_array_new ();
  gsize size;

  g_assert_nonnull (calls);
  gconstpointer data = g_bytes_get_data (calls, &size);
  return g_byte_array_append (bytes, data, (guint) size);
}

static gboolean
is_taken (const guint8 *data, gsize size, const guint8 *wanted)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (GError) error = NULL;
  gboolean taken = pd_dvm_calls_check (bytes, wanted, &error);

  g_assert_true (taken == (error == NULL));
  if (!taken)
    g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT);
  return taken;
}

static void
test_cut_calls (gconstpointer data)
{
  static const guint8 other[PD_SECTIONS_KEY_SIZE] = "b key";
  g_autoptr (GByteArray) calls = make_calls ();

  (void) data;
  g_assert_true (is_taken (calls->data, calls->len, key));
  g_assert_false (is_taken (calls->data, calls->len, other));
  for (gsize n = 0; n < calls->len; n++)
    g_assert_false (is_taken (calls->data, n, NULL));
  g_byte_array_append (calls, key, 16);
  g_assert_false (is_taken (calls->data, calls->len, NULL));
}

/* Any byte is missed. With a sum that is right what passes the checks can be gone through. */
static void
test_damaged_calls (gconstpointer data)
{
  static const guint8 masks[] = { 1, 0x80, 0xff };
  g_autoptr (GByteArray) calls = make_calls ();
  guint n_taken = 0;

  (void) data;
  for (gsize i = 0; i < calls->len * G_N_ELEMENTS (masks); i++)
    {
      g_autofree guint8 *copy = g_malloc (calls->len);
      memcpy (copy, calls->data, calls->len);
      copy[i / G_N_ELEMENTS (masks)] ^= masks[i % G_N_ELEMENTS (masks)];
      n_taken += is_taken (copy, calls->len, key) ? 1 : 0;
      pd_dvm_calls_seal (copy, calls->len);
      if (!is_taken (copy, calls->len, NULL))
        continue;
      g_autoptr (GBytes) bytes = g_bytes_new (copy, calls->len);
      g_autofree char *text = describe_shared (bytes);
      g_assert_nonnull (text);
    }
  g_assert_cmpuint (n_taken, ==, 0);
}

/* Numbers of elements that cannot be: an error, and nothing is allocated for them. */
static void
test_crafted (gconstpointer data)
{
  static const guint64 numbers[] = { G_MAXUINT64, G_MAXINT64, G_GUINT64_CONSTANT (1) << 60,
                                     G_GUINT64_CONSTANT (1000000000000), 0 };
  const gsize first = 64; /* behind what a file begins with, and the key */

  (void) data;
  for (guint section = 0; section < PD_DVM_CALLS_N; section++)
    for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
      {
        g_autoptr (GByteArray) calls = make_calls ();
        memcpy (calls->data + first + 8 * section, &numbers[i], 8);
        pd_dvm_calls_seal (calls->data, calls->len);
        g_assert_false (is_taken (calls->data, calls->len, NULL));
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (own_files); i++)
    {
      g_autofree char *path = g_strconcat ("/traces/dvm-calls/own/", own_files[i] + 11, NULL);
      g_test_add_data_func (path, own_files[i], test_own);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (shared_files); i++)
    {
      g_autofree char *path = g_strconcat ("/traces/dvm-calls/shared/", shared_files[i], NULL);
      g_test_add_data_func (path, shared_files[i], test_shared);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      g_autofree char *path = g_strconcat ("/traces/dvm-calls/odd/", odd[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_odd);
    }
  g_test_add_data_func ("/traces/dvm-calls/check", NULL, test_check);
  g_test_add_data_func ("/traces/dvm-calls/damaged-trace", NULL, test_damaged_trace);
  g_test_add_data_func ("/traces/dvm-calls/cut", NULL, test_cut_calls);
  g_test_add_data_func ("/traces/dvm-calls/damaged", NULL, test_damaged_calls);
  g_test_add_data_func ("/traces/dvm-calls/crafted", NULL, test_crafted);
  return g_test_run ();
}
