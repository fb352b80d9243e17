/* The reader of DVM traces: pairing, odd input, damaged files, real traces.
 * SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-reader-private.h"
#include "traces/dvm/pd-dvm-call.h"

#include <string.h>
#include <zlib.h>

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
open_text (const char *text, PdMessages *messages, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  return pd_dvm_reader_new_from_bytes (bytes, "test.ptr", messages, error);
}

/* All calls as "name=call/ret" in microseconds, singles as "name=call". */
static char *
list_calls (PdDvmReader *reader, GError **error)
{
  GString *list = g_string_new (NULL);
  const PdDvmCall *call;

  while (pd_dvm_reader_next (reader, &call, error))
    {
      g_string_append_printf (list, "%s%s=%" G_GINT64_FORMAT, list->len > 0 ? " " : "", call->name,
                              call->call_time.ps / PD_PS_PER_US);
      if (!call->is_single)
        g_string_append_printf (list, "/%" G_GINT64_FORMAT, call->ret_time.ps / PD_PS_PER_US);
    }
  return g_string_free (list, FALSE);
}

/* ---- pairing, and what else decides what is a call */

static const struct
{
  const char *name;
  const char *text;
  const char *calls;
  const char *message; /* NULL: none at all */
  guint64 count;
} pairings[] = {
  { "plain", PROGRAM (CALL ("getam_", "1") "\n" RET ("getam_", "2") "AMRef=1;\n"),
    "getam_=1/2 Event_dvm_exit=9", NULL, 0 },
  { "startup-left-out",
    HEAD CALL ("mps_Barrier", "5") RET ("mps_Barrier", "6") INIT CALL ("getam_", "1")
        RET ("getam_", "2") EXIT,
    "getam_=1/2 Event_dvm_exit=9", NULL, 0 },
  { "tron-troff", PROGRAM (CALL ("troff_", "1") CALL ("tron_", "7")),
    "troff_=1 tron_=7 Event_dvm_exit=9", NULL, 0 },
  { "tron-inside", PROGRAM (CALL ("begbl_", "1") CALL ("tron_", "2") RET ("begbl_", "3")),
    "begbl_=1/5 Event_dvm_exit=9", NULL, 0 },
  { "event-is-no-end",
    PROGRAM (SINGLE ("Event_rtl_GetIOProc", "4") "ProcNumb=2(2); ProcId=7;\n" CALL ("begbl_", "1")
                 RET ("begbl_", "3")),
    "Event_rtl_GetIOProc=4 begbl_=1/3 Event_dvm_exit=9", NULL, 0 },
  { "event-inside",
    PROGRAM (CALL ("begbl_", "1") SINGLE ("Event_MeasureStart", "4") RET ("begbl_", "3")),
    "begbl_=1/7 Event_dvm_exit=9", NULL, 0 },
  { "trace-start", PROGRAM (SINGLE ("DVM_Trace_Start", "2")), "DVM_Trace_Start=2 Event_dvm_exit=9",
    NULL, 0 },
  { "event-number", PROGRAM (SINGLE ("613", "2")), "613=2 Event_dvm_exit=9", "unknown-function",
    1 },
  { "exit-inside", PROGRAM (CALL ("begbl_", "1") RET ("begbl_", "3") CALL ("distr_", "1")),
    "begbl_=1/3 Event_dvm_exit=9", "unmatched-record", 1 },
  { "end-inside", HEAD INIT CALL ("begbl_", "1") RET ("begbl_", "3") CALL ("distr_", "1"),
    "begbl_=1/3", "trace-incomplete", 1 },
  { "end-after-call", HEAD INIT CALL ("begbl_", "1") RET ("begbl_", "3"), "begbl_=1/3",
    "trace-incomplete", 1 },
  { "no-calls", HEAD INIT, "", "trace-incomplete", 1 },
  { "after-exit",
    PROGRAM ("") CALL ("dvm_void_printf", "4") "Format= \n\n" RET ("dvm_void_printf", "4")
        CALL ("begbl_", "4") RET ("begbl_", "4"),
    "Event_dvm_exit=9", NULL, 0 },
  { "ret-deeper-lost",
    PROGRAM (CALL ("distr_", "1") CALL ("CreateVMS", "2") CALL ("vms_Done", "3")
                 RET ("distr_", "4")),
    "distr_=1/9 Event_dvm_exit=9", "unmatched-record", 1 },
  { "ret-unknown-inside", PROGRAM (CALL ("distr_", "1") RET ("align_", "2") RET ("distr_", "4")),
    "distr_=1/6 Event_dvm_exit=9", "unmatched-record", 1 },
  { "ret-unknown-outside", PROGRAM (RET ("align_", "2") CALL ("distr_", "1") RET ("distr_", "4")),
    "distr_=1/4 Event_dvm_exit=9", "unmatched-record", 1 },
  { "second-init", PROGRAM (RET ("dvm_Init", "2") CALL ("distr_", "1") RET ("distr_", "4")),
    "distr_=1/4 Event_dvm_exit=9", "unmatched-record", 1 },
  { "nested",
    PROGRAM (CALL ("distr_", "1") "     " CALL ("CreateVMS", "2") "     Rank=2\n"
                                                                  "     " RET ("CreateVMS", "3")
                                                                      RET ("distr_", "4")),
    "distr_=1/9 Event_dvm_exit=9", NULL, 0 },
  { "nested-same-deep",
    PROGRAM (CALL ("distr_", "1") CALL ("rtl_Send", "1") CALL ("rtl_Send", "1")
                 RET ("rtl_Send", "1") RET ("distr_", "4")),
    "distr_=1/7 Event_dvm_exit=9", "unmatched-record", 1 },
  { "second-call", PROGRAM (CALL ("dopl_", "1") CALL ("dopl_", "2") RET ("dopl_", "3")),
    "dopl_=1/0 dopl_=2/3 Event_dvm_exit=9", "unmatched-record", 1 },
  { "unknown-function",
    PROGRAM (CALL ("newfun_", "1") "X=1;\n" RET ("newfun_", "2") CALL ("newfun_", "3")
                 RET ("newfun_", "4")),
    "newfun_=1/2 newfun_=3/4 Event_dvm_exit=9", "unknown-function", 4 },
  { "no-init",
    HEAD CALL ("mps_Barrier", "5") RET ("mps_Barrier", "6") CALL ("getam_", "1") RET ("getam_", "2")
        EXIT,
    "getam_=1/2 Event_dvm_exit=9", NULL, 0 },
  { "keyword-name", PROGRAM ("NAME=" CALL ("getam_", "1") "NAME=" RET ("getam_", "2")),
    "getam_=1/2 Event_dvm_exit=9", NULL, 0 },
  { "bad-time",
    PROGRAM ("call_getam_ TIME=-1.5 LINE=3      FILE=a\n" RET (
        "getam_", "2") "call_getam_ "
                       "TIME=nan LINE=3      FILE=a\n" RET ("getam_", "2")),
    "getam_=0/2 getam_=0/2 Event_dvm_exit=9", "bad-time", 2 },
  { "crlf",
    "RTS VERSION = 2889\r\nProcCount=1; PSRank=1; PSSize= 1;\r\nret_dvm_Init TIME=0.1 LINE=1 "
    "FILE=a\r\ncall_getam_ TIME=0.000001 LINE=1 FILE=a\r\r\n \r\nret_getam_ TIME=0.000002 LINE=1 "
    "FILE=a\nAMRef=1;\r\nEvent_dvm_exit TIME=0.000009 LINE=1 FILE=a\r\n",
    "getam_=1/2 Event_dvm_exit=9", NULL, 0 },
  { "no-proc-count", "RTS VERSION = 2889\n" INIT EXIT, "Event_dvm_exit=9", "no-proc-count", 1 },
  { "other-version", "RTS VERSION = 2884\nProcCount=1;\n" INIT EXIT, "Event_dvm_exit=9",
    "rts-version", 1 },
  { "time-sum",
    PROGRAM (
        "") "TaskTime=0.1; TaskTraceTime=0.000000;\nSystemTime=0.1; SystemTraceTime=0.700000;\n",
    "Event_dvm_exit=9", "time-sum", 1 },
  { "format-like-error",
    PROGRAM (CALL ("dvm_void_printf", "1") "Format=\n*** RTS err 1.2: no\n" RET ("dvm_void_printf",
                                                                                 "2")),
    "dvm_void_printf=1/2 Event_dvm_exit=9", NULL, 0 },
  { "rts-warning",
    PROGRAM (CALL ("distr_", "1") "*** RTS warning 036.020: x\n" RET ("distr_", "2")),
    "distr_=1/2 Event_dvm_exit=9", NULL, 0 },
};

static void
test_pairing (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdDvmReader) reader = open_text (pairings[i].text, messages, &error);

  g_assert_no_error (error);
  g_autofree char *calls = list_calls (reader, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (calls, ==, pairings[i].calls);
  if (pairings[i].message == NULL)
    g_assert_cmpuint (pd_messages_get_n (messages), ==, 0);
  else
    g_assert_cmpuint (pd_messages_count (messages, pairings[i].message), ==, pairings[i].count);
}

/* ---- what is refused, and when */

static const struct
{
  const char *name;
  const char *text;
  int code;
  const char *calls; /* before it; NULL: not even opened */
  const char *says;  /* a word of the message that tells the reason */
} refusals[] = {
  { "empty", "", PD_DVM_ERROR_EMPTY, NULL, "empty" },
  { "text", "hello\nworld\n", PD_DVM_ERROR_FORMAT, NULL, "header line" },
  { "html", "<HTML><body>", PD_DVM_ERROR_FORMAT, NULL, "HTML" },
  { "profiling", "$call_MPI_Send\tt=1\n", PD_DVM_ERROR_FORMAT, NULL, "MPI-level" },
  { "debugger", "# Begin trace header\nMODE = 1\n", PD_DVM_ERROR_FORMAT, NULL, "comparison" },
  { "binary", "\1\2\3\4", PD_DVM_ERROR_FORMAT, NULL, "binary" },
  { "time-independent", "0 init\n0 compute 5\n", PD_DVM_ERROR_FORMAT, NULL, "time-independent" },
  { "head-only", HEAD, PD_DVM_ERROR_FORMAT, NULL, "first record" },
  { "overflow-0",
    "LoopRef=1;\nProcCount=1  HasCurrent=1  CentralProc=0  IOProc=0\n" RET ("dopl_", "1") EXIT,
    PD_DVM_ERROR_HEADLESS, NULL, "beginning" },
  { "full-trace-0",
    PROGRAM (CALL ("getam_", "1") RET ("getam_", "2") CALL ("crtda_", "1") RET ("crtda_", "2")),
    PD_DVM_ERROR_NO_PARAMS, "getam_=1/2", "FullTrace" },
  { "program-error",
    HEAD INIT CALL ("getam_", "1") RET ("getam_", "2") CALL (
        "distr_", "1") "PSRef=1;\n*** RTS err 036.020: wrong call distr_\n(invalid ParamCount: "
                       "ParamCount=3)\n" EXIT,
    PD_DVM_ERROR_PROGRAM, "getam_=1/2", "036.020: wrong call distr_" },
  { "program-error-in-start", HEAD "*** RTS err 1.2: no memory\n" SINGLE ("Event_dvm_exit", "1"),
    PD_DVM_ERROR_PROGRAM, NULL, "no memory" },
};

static void
test_refusal (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdDvmReader) reader = open_text (refusals[i].text, NULL, &error);

  g_assert_cmpint (reader == NULL, ==, refusals[i].calls == NULL);
  if (reader != NULL)
    {
      g_autofree char *calls = list_calls (reader, &error);
      const PdDvmCall *call = NULL;

      g_assert_cmpstr (calls, ==, refusals[i].calls);
      /* It stays refused. */
      g_assert_false (pd_dvm_reader_next (reader, &call, NULL));
    }
  g_assert_error (error, PD_DVM_ERROR, refusals[i].code);
  g_assert_true (g_str_has_prefix (error->message, "test.ptr:"));
  g_assert_nonnull (strstr (error->message, refusals[i].says));
}

static void
test_open_errors (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (pd_dvm_reader_new ("tests/data/absent.ptr", NULL, &error));
  g_assert_error (error, PD_DVM_ERROR, PD_DVM_ERROR_OPEN);
  g_clear_error (&error);
  g_assert_null (pd_dvm_reader_new ("tests/data", NULL, &error));
  g_assert_error (error, PD_DVM_ERROR, PD_DVM_ERROR_OPEN);
}

/* ---- whole small trace */

static void
test_small (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdDvmReader) reader = pd_dvm_reader_new ("tests/data/small.ptr", messages, &error);
  const PdDvmHeader *header;
  const PdDvmTrailer *trailer;

  g_assert_no_error (error);
  header = pd_dvm_reader_get_header (reader);
  g_assert_cmpint (header->rts_version, ==, 2889);
  g_assert_cmpint (header->proc_count, ==, 1);
  g_assert_cmpint (header->ps_rank, ==, 2);
  g_assert_cmpstr (header->host, ==, "node7");
  g_assert_cmpstr (header->mps, ==, "MPI");
  g_assert_cmpfloat (header->mean_proc_time, ==, 0.000002);
  g_autofree char *calls = list_calls (reader, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (calls, ==,
                   "crtamv_=10/2 blkdiv_=1/1 crtda_=1/1 align_=1/1 dvm_void_printf=2/100 "
                   "delda_=3/1 Event_dvm_exit=17");
  trailer = pd_dvm_reader_get_trailer (reader);
  g_assert_true (trailer->complete);
  g_assert_cmpint (trailer->exit_code, ==, 0);
  g_assert_cmpuint (trailer->n_records, ==, 18);
  g_assert_cmpuint (trailer->n_program_records, ==, 12);
  g_assert_cmpfloat (trailer->task_trace_time, ==, 0.000124);
  g_assert_cmpfloat (trailer->system_trace_time, ==, 0.010447);
  g_assert_true (trailer->program_time.ps == 141880000);
  g_assert_true (trailer->total_time.ps == 10446940000);
  g_assert_cmpuint (pd_messages_get_n (messages), ==, 0);
}

/* ---- the same calls, however the bytes come */

static void
describe_parameters (GString *text, PdDvmReader *reader)
{
  for (guint key = 1; key < PD_DVM_N_KEYS; key++)
    {
      gint64 value;
      guint n, m;

      if (pd_dvm_call_get (reader, key, &value))
        g_string_append_printf (text, " %u=%" G_GINT64_FORMAT, key, value);
      const gint64 *array = pd_dvm_call_get_array (reader, key, &n);
      const gdouble *doubles = pd_dvm_call_get_doubles (reader, key, &m);
      for (guint i = 0; i < n; i++)
        g_string_append_printf (text, " %u[%u]=%" G_GINT64_FORMAT, key, i, array[i]);
      for (guint i = 0; i < m; i++)
        g_string_append_printf (text, " %u[%u]=%g", key, i, doubles[i]);
    }
}

static char *
describe (GBytes *bytes, gsize chunk, gboolean strict)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  PdInput *input = pd_input_new_from_bytes (bytes);
  const PdDvmCall *call;
  g_autoptr (PdDvmReader) reader = NULL;

  pd_input_set_chunk (input, chunk);
  reader = pd_dvm_reader_new_from_input (input, "chunks", NULL, &error);
  if (strict)
    g_assert_no_error (error);
  while (reader != NULL && pd_dvm_reader_next (reader, &call, &error))
    {
      g_string_append_printf (text,
                              "%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT " %s %s:%" G_GINT64_FORMAT
                              " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
                              call->number, call->physical_line, call->name, call->file, call->line,
                              call->call_time.ps, call->ret_time.ps);
      describe_parameters (text, reader);
      g_string_append_c (text, '\n');
    }
  if (error != NULL)
    g_string_append (text, error->message);
  return g_string_free (text, FALSE);
}

static GBytes *
load (const char *path)
{
  char *data;
  gsize size;

  g_assert_true (g_file_get_contents (path, &data, &size, NULL));
  return g_bytes_new_take (data, size);
}

static void
test_chunks (void)
{
  static const char *const paths[] = {
    "tests/data/small.ptr",
    "tests/data/sor2d_2000.ptr.gz",
    "tests/data/heat2d_600.ptr.gz",
  };
  static const gsize chunks[] = { 1, 2, 7, 1000 };

  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (GBytes) bytes = load (paths[i]);
      g_autofree char *whole = describe (bytes, G_MAXSIZE, TRUE);

      for (gsize k = 0; k < G_N_ELEMENTS (chunks); k++)
        {
          g_autofree char *pieces = describe (bytes, chunks[k], TRUE);
          g_assert_cmpstr (pieces, ==, whole);
        }
    }
}

/* ---- cut files */

static GBytes *
gzip_bytes (GBytes *bytes)
{
  gsize size;
  const void *data = g_bytes_get_data (bytes, &size);
  gsize capacity = size + 1000;
  guint8 *out = g_malloc (capacity);
  z_stream stream = { 0 };

  g_assert_cmpint (deflateInit2 (&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), ==, Z_OK);
  stream.next_in = (Bytef *) (gpointer) data;
  stream.avail_in = (uInt) size;
  stream.next_out = out;
  stream.avail_out = (uInt) capacity;
  g_assert_cmpint (deflate (&stream, Z_FINISH), ==, Z_STREAM_END);
  size = stream.total_out;
  deflateEnd (&stream);
  return g_bytes_new_take (out, size);
}

/* Of a cut trace, all calls but the last are those of the whole, and the last
 * has no parameter that the whole does not have. */
static void
check_cut (GBytes *bytes, gsize n, const char *whole)
{
  g_autoptr (GBytes) cut = g_bytes_new_from_bytes (bytes, 0, n);
  g_autofree char *text = describe (cut, G_MAXSIZE, FALSE);
  const char *last = strrchr (text, '\n');

  if (last == NULL)
    return;
  while (last > text && last[-1] != '\n')
    last--;
  g_assert_true (strncmp (text, whole, (gsize) (last - text)) == 0);
}

static void
test_cut_plain (void)
{
  g_autoptr (GBytes) bytes = load ("tests/data/small.ptr");
  g_autofree char *whole = describe (bytes, G_MAXSIZE, TRUE);

  for (gsize n = 0; n < g_bytes_get_size (bytes); n++)
    check_cut (bytes, n, whole);
}

static void
test_cut_gzip (void)
{
  static const char *const paths[] = { "tests/data/small.ptr", "tests/data/sor2d_2000.ptr.gz" };

  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (GBytes) plain = load (paths[i]);
      g_autoptr (GBytes) bytes = i == 0 ? gzip_bytes (plain) : g_bytes_ref (plain);
      g_autofree char *whole = describe (bytes, G_MAXSIZE, TRUE);

      for (gsize n = 0; n < g_bytes_get_size (bytes); n++)
        check_cut (bytes, n, whole);
    }
}

/* A value at the very end of a cut file is not believed. */
static void
test_cut_value (void)
{
  const char *whole =
      HEAD INIT CALL ("crtpl_", "1") "Rank=1;\n" RET ("crtpl_", "1") "LoopRef=1234;\n";
  const char *value = strstr (whole, "1234");
  const PdDvmCall *call;
  gint64 ref;

  for (gsize n = 0; n <= 5; n++)
    {
      g_autofree char *cut = g_strndup (whole, (gsize) (value - whole) + n);
      g_autoptr (PdDvmReader) reader = open_text (cut, NULL, NULL);
      g_assert_true (pd_dvm_reader_next (reader, &call, NULL));
      g_assert_cmpint (pd_dvm_call_get (reader, PD_DVM_KEY_LoopRef, &ref), ==, n == 5);
    }
}

/* ---- gzip */

static GBytes *
concatenate (GBytes *a, GBytes *b)
{
  GByteArray *all = g_byte_array_new ();

  g_byte_array_append (all, g_bytes_get_data (a, NULL), (guint) g_bytes_get_size (a));
  g_byte_array_append (all, g_bytes_get_data (b, NULL), (guint) g_bytes_get_size (b));
  return g_byte_array_free_to_bytes (all);
}

static void
test_gzip_members (void)
{
  g_autoptr (GBytes) plain = load ("tests/data/small.ptr");
  g_autofree char *whole = describe (plain, G_MAXSIZE, TRUE);
  gsize size = g_bytes_get_size (plain);

  for (gsize at = 0; at <= size; at += 97)
    {
      g_autoptr (GBytes) a = g_bytes_new_from_bytes (plain, 0, at);
      g_autoptr (GBytes) b = g_bytes_new_from_bytes (plain, at, size - at);
      g_autoptr (GBytes) first = gzip_bytes (a), second = gzip_bytes (b);
      g_autoptr (GBytes) both = concatenate (first, second);
      g_autofree char *text = describe (both, at % 2 == 0 ? 3 : G_MAXSIZE, TRUE);
      g_assert_cmpstr (text, ==, whole);
    }
}

typedef enum
{
  NOTHING,
  CUT,
  FLIP,
  APPEND_TEXT,
  APPEND_ZEROS,
} Damage;

static const struct
{
  const char *name;
  Damage damage;
  const char *message; /* NULL: none */
} damages[] = {
  { "none", NOTHING, NULL },
  { "cut", CUT, "gzip-truncated" },
  { "wrong-sum", FLIP, "gzip-damaged" },
  { "garbage-after", APPEND_TEXT, "gzip-garbage" },
  { "zeros-after", APPEND_ZEROS, NULL },
};

static void
test_gzip_damage (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GBytes) plain = load ("tests/data/small.ptr");
  g_autoptr (GBytes) packed = gzip_bytes (plain);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  g_byte_array_append (bytes, g_bytes_get_data (packed, NULL), (guint) g_bytes_get_size (packed));
  if (damages[i].damage == CUT)
    g_byte_array_set_size (bytes, bytes->len - 5);
  else if (damages[i].damage == FLIP)
    bytes->data[bytes->len - 6] ^= 1;
  else if (damages[i].damage == APPEND_TEXT)
    g_byte_array_append (bytes, (const guint8 *) "hello", 5);
  else if (damages[i].damage == APPEND_ZEROS)
    g_byte_array_append (bytes, (const guint8 *) "\0\0\0\0", 4);

  g_autoptr (GBytes) damaged = g_bytes_new (bytes->data, bytes->len);
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdDvmReader) reader = pd_dvm_reader_new_from_bytes (damaged, "x", messages, NULL);
  g_autofree char *calls = list_calls (reader, NULL);

  g_assert_true (g_str_has_suffix (calls, "Event_dvm_exit=17"));
  g_assert_cmpuint (pd_messages_get_n (messages), ==, damages[i].message != NULL);
  if (damages[i].message != NULL)
    g_assert_cmpuint (pd_messages_count (messages, damages[i].message), ==, 1);
}

/* ---- real traces */

typedef struct
{
  guint64 n_calls, n_io_calls;
  PdTimeSum call_time, ret_time, io_time;
} Sums;

static void
sum_calls (PdDvmReader *reader, Sums *sums)
{
  g_autoptr (GError) error = NULL;
  const PdDvmCall *call;

  *sums = (Sums){ 0 };
  while (pd_dvm_reader_next (reader, &call, &error))
    {
      gboolean is_io = pd_dvm_function_get_class (call->function) == PD_DVM_CLASS_IO;
      g_assert_cmpint (call->function, !=, PD_DVM_UNKNOWN);
      sums->n_calls++;
      pd_time_sum_add (&sums->call_time, call->call_time);
      pd_time_sum_add (is_io ? &sums->io_time : &sums->ret_time, call->ret_time);
    }
  g_assert_no_error (error);
}

/* Counted with grep and awk, not with the reader. */
static const struct
{
  const char *file;
  guint64 n_records;
  guint64 n_program; /* call_ and ret_ lines */
  gint64 total_ps;   /* sum of all TIME */
  guint n_messages;
} traces[] = {
  { "adi2d_400.ptr.gz", 434, 428, 331972400000, 0 },
  { "gauss_240.ptr.gz", 128662, 128656, 270579960000, 0 },
  { "heat2d_2000.ptr.gz", 1506, 1500, 458735420000, 0 },
  { "heat2d_600.ptr.gz", 1026, 1020, 470207470000, 0 },
  { "heat3d_80.ptr.gz", 534, 528, 412967980000, 0 },
  { "iodump_300.ptr.gz", 132, 126, 139961000000, 0 },
  { "redblack_500.ptr.gz", 678, 672, 388206730000, 0 },
  { "sor2d_2000.ptr.gz", 590, 584, 428118550000, 0 },
  { "tasks2_256.ptr.gz", 1238, 1232, 138296020000, 0 },
  { "tasks2_256_userps4.ptr.gz", 1238, 1232, 237727710000, 0 },
  { "wave1d_2000000.ptr.gz", 1914, 1908, 298877630000, 0 },
  { "heat2d_600_np2/heat2d0_0.ptr.gz", 1028, 1020, 3336651880000, 0 },
  { "heat2d_600_np2/heat2d1_1.ptr.gz", 1026, 1020, 1616292710000, 0 },
  { "jac1d.ptr", 522, 516, 17680630000, 2 },
};

static char *
get_shared (const char *file)
{
  const char *shared = g_getenv ("PREDICTOR_SHARED");
  return g_build_filename (shared != NULL ? shared : "../shared", "traces", "dvm", file, NULL);
}

static void
test_trace (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *path = get_shared (traces[i].file);
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdDvmReader) reader = NULL;
  const PdDvmTrailer *trailer;
  Sums sums;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("../shared is absent");
      return;
    }
  reader = pd_dvm_reader_new (path, messages, NULL);
  g_assert_nonnull (reader);
  sum_calls (reader, &sums);
  trailer = pd_dvm_reader_get_trailer (reader);
  g_assert_true (trailer->complete);
  g_assert_cmpuint (trailer->n_records, ==, traces[i].n_records);
  g_assert_cmpuint (trailer->n_program_records, ==, traces[i].n_program);
  g_assert_cmpuint (sums.n_calls, ==, traces[i].n_program / 2 + 1);
  g_assert_true (trailer->total_time.ps == traces[i].total_ps);
  g_assert_true (sums.call_time.ps + sums.ret_time.ps + sums.io_time.ps
                 == trailer->program_time.ps);
  g_assert_cmpuint (pd_messages_get_n (messages), ==, traces[i].n_messages);
}

/* A real trace. */
static void
test_jac1d (void)
{
  g_autofree char *path = get_shared ("jac1d.ptr");
  g_autoptr (PdDvmReader) reader = NULL;
  Sums sums;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("../shared is absent");
      return;
    }
  reader = pd_dvm_reader_new (path, NULL, NULL);
  sum_calls (reader, &sums);
  g_assert_true (sums.call_time.ps == 510470000 + 3140000);
  g_assert_true (sums.ret_time.ps == 2005720000);
  g_assert_true (sums.io_time.ps == 2905610000);
}

/* A reference used again, a group deleted twice, an unknown
 * function, notes, a long line, records after the exit, no semicolons, a
 * format like a parameter. */
static void
test_t31 (void)
{
  g_autofree char *longish = g_strnfill (400, ' ');
  g_autofree char *text = g_strconcat (
      HEAD INIT
          CALL ("crtpl_", "1") "Rank=1;\n" RET ("crtpl_", "1") "LoopRef=106;\n" CALL ("crtshg_", "1") "StaticSign=0;\n" RET (
              "crtshg_",
              "1") "ShadowGroupRef=106;\n" CALL ("delshg_",
                                                 "1") "ShadowGroupRef=106;\n" RET ("delshg_", "1")
              CALL ("delshg_", "1") "ShadowGroupRef=106;\n" RET ("delshg_", "1")
                  CALL ("strange_", "1") RET ("strange_", "1")
                      CALL ("strtrd_", "1") "RedGroupRef=7;\n" RET (
                          "strtrd_", "1") "*** what is this\n?? 5\n" CALL ("blkdiv_",
                                                                           "1") "AMVAxisCount=2",
      longish, "\nAMVAxisDiv[0]=1 AMVAxisDiv[1]=1", longish,
      "\n" RET ("blkdiv_", "1")
          CALL ("dvm_void_printf", "1") "Format=a=1; Rank=2\n" RET ("dvm_void_printf", "1")
              EXIT CALL ("getam_", "1") RET ("getam_", "1"),
      NULL);
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdDvmReader) reader = open_text (text, messages, NULL);
  g_autofree char *calls = list_calls (reader, NULL);

  g_assert_cmpstr (calls, ==,
                   "crtpl_=1/1 crtshg_=1/1 delshg_=1/1 delshg_=1/1 strange_=1/1 strtrd_=1/1 "
                   "blkdiv_=1/1 dvm_void_printf=1/1 Event_dvm_exit=9");
  g_assert_cmpuint (pd_messages_get_n (messages), ==, 1);
  g_assert_cmpuint (pd_messages_count (messages, "unknown-function"), ==, 2);
}

static void
add_tests (void)
{
#define ADD(table, name_, folder, func)                                                            \
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)                                                 \
    {                                                                                              \
      g_autofree char *path =                                                                      \
          g_strconcat ("/traces/dvm-reader/" folder "/", table[i].name_, NULL);                    \
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), func);                                     \
    }
  ADD (pairings, name, "pairing", test_pairing)
  ADD (refusals, name, "refusal", test_refusal)
  ADD (damages, name, "gzip", test_gzip_damage)
  ADD (traces, file, "trace", test_trace)
#undef ADD
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_tests ();
  g_test_add_func ("/traces/dvm-reader/open-errors", test_open_errors);
  g_test_add_func ("/traces/dvm-reader/small", test_small);
  g_test_add_func ("/traces/dvm-reader/chunks", test_chunks);
  g_test_add_func ("/traces/dvm-reader/cut/plain", test_cut_plain);
  g_test_add_func ("/traces/dvm-reader/cut/gzip", test_cut_gzip);
  g_test_add_func ("/traces/dvm-reader/cut/value", test_cut_value);
  g_test_add_func ("/traces/dvm-reader/gzip-members", test_gzip_members);
  g_test_add_func ("/traces/dvm-reader/jac1d", test_jac1d);
  g_test_add_func ("/traces/dvm-reader/odd-records", test_t31);
  return g_test_run ();
}
