/* The text form of programs: round trips, what may be written by hand, and
 * what is refused.
 * SPDX-License-Identifier: MIT */
#include "tests/support/mp/programs-random.h"
#include "traces/program/pd-action.h"
#include "traces/text/pd-text-writer.h"
#include "traces/open/pd-trace-read.h"

#include <string.h>

#define HEAD "predictor-trace 1\nranks 4\n"

static char *
to_text (const PdMpTrace *trace)
{
  g_autoptr (GBytes) bytes = pd_program_to_text (trace->program);
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  return g_strndup (data, size);
}

/* ---- round trips */

static void
check_same_action (const PdAction *a, const PdAction *b)
{
  g_assert_cmpint (a->kind, ==, b->kind);
  g_assert_cmpint (a->op, ==, b->op);
  g_assert_cmpuint (a->comm, ==, b->comm);
  g_assert_cmpuint (a->request, ==, b->request);
  g_assert_cmpint (a->peer, ==, b->peer);
  g_assert_cmpint (a->tag, ==, b->tag);
  g_assert_cmpint (a->bytes, ==, b->bytes);
  g_assert_cmpint (a->recv_peer, ==, b->recv_peer);
  g_assert_cmpint (a->recv_tag, ==, b->recv_tag);
  g_assert_cmpint (a->recv_bytes, ==, b->recv_bytes);
  g_assert_cmpint (a->sent_bytes, ==, b->sent_bytes);
  g_assert_cmpint (a->amount.time.ps, ==, b->amount.time.ps);
  g_assert_cmpint (a->matched_peer, ==, b->matched_peer);
  g_assert_cmpint (a->matched_tag, ==, b->matched_tag);
  g_assert_cmpint (a->line, ==, b->line);
  g_assert_cmpuint (a->n_slots, ==, b->n_slots);
  for (guint32 i = 0; i < a->n_slots; i++)
    g_assert_cmpuint (a->slots[i], ==, b->slots[i]);
  g_assert_cmpint (a->has_done, ==, b->has_done);
  g_assert_cmpint (a->recorded, ==, b->recorded);
}

/* All but the numbers of texts, vectors and intervals, which may be others. */
static void
check_same_actions (const PdProgram *a, const PdProgram *b, guint32 rank)
{
  const PdProgramCell *end_a, *end_b, *p = pd_program_get_cells (a, rank, &end_a),
                                      *q = pd_program_get_cells (b, rank, &end_b);
  PdLoops in_a = { 0 }, in_b = { 0 };

  g_assert_cmpuint (pd_program_get_n_actions (a, rank), ==, pd_program_get_n_actions (b, rank));
  while (p < end_a)
    {
      PdAction first, second;
      p = pd_loops_read (&in_a, p, end_a, &first);
      q = pd_loops_read (&in_b, q, end_b, &second);
      check_same_action (&first, &second);
    }
}

static void
test_random (void)
{
  for (guint32 seed = 0; seed < 300; seed++)
    {
      g_autoptr (PdProgram) program = test_random_program (seed);
      g_autoptr (GBytes) first = pd_program_to_text (program);
      g_autofree char *text = g_strndup (g_bytes_get_data (first, NULL), g_bytes_get_size (first));
      g_autoptr (PdMpTrace) trace = test_read_text (text);
      g_autofree char *again = to_text (trace);
      g_assert_cmpstr (again, ==, text);
      for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
        check_same_actions (trace->program, program, rank);
      g_assert_false (trace->incomplete);
    }
}

/* What people may write, and what it is. */
static const struct
{
  const char *name;
  const char *text;
  const char *is; /* behind the head */
} readable[] = {
  { "empty", "", "" },
  { "comments", "# nothing\n\n  \t# more\n1 barrier # of all\n", "rank 1 {\n  barrier\n}\n" },
  { "units", "0 compute 0.0015ms\n0 send 1 1KiB\n",
    "rank 0 {\n  compute 1.5us\n  send 1 1024\n}\n" },
  { "finest", "0 compute 1.000000000001s\n0 delay 1ps\n",
    "rank 0 {\n  compute 1.000000000001s\n  delay 1ps\n}\n" },
  { "names", "0 isend 1 8 request=left\n0 irecv 1 8 request=right\n0 waitall left right\n",
    "rank 0 {\n  isend 1 8 request=0\n  irecv 1 8 request=1\n  waitall 0 1\n}\n" },
  { "name-again", "0 isend 1 8 request=a\n0 wait a\n0 isend 2 8 request=a\n",
    "rank 0 {\n  isend 1 8 request=0\n  wait 0\n  isend 2 8 request=0\n}\n" },
  { "mixed-order", "rank 2 {\nbarrier\n}\n0 barrier\n2 barrier\n",
    "rank 0 {\n  barrier\n}\nrank 2 {\n  barrier\n  barrier\n}\n" },
  { "wildcards", "0 recv any 8 tag=any matched=3:1\n",
    "rank 0 {\n  recv any 8 tag=any matched=3:1\n}\n" },
  { "sites",
    "site 0: \"m.c\" 7\nsite 1: \"s.c\" 8 \"solve\" from=0\n0 send 1 4 took=1us site=1\n0 begin "
    "2us\n",
    "site 0: \"m.c\" 7\nsite 1: \"s.c\" 8 \"solve\" from=0\nrank 0 {\n  begin 2us\n"
    "  send 1 4 took=1us site=1\n}\n" },
  { "called", "0 isend 1 8 request=0 called=\"MPI_Startall\"\n0 wait 0 called=\"MPI_Waitall\"\n",
    "rank 0 {\n  isend 1 8 request=0 called=\"MPI_Startall\"\n  wait 0 "
    "called=\"MPI_Waitall\"\n}\n" },
  { "file",
    "0 other \"MPI_File_write_all\" 1ms file=\"a b\" io=write bytes=4KiB collective=yes\n"
    "0 other \"MPI_File_close\" 1us collective=no file=\"a b\" io=close\n",
    "rank 0 {\n  other \"MPI_File_write_all\" 1ms file=\"a b\" io=write bytes=4096 "
    "collective=yes\n  other \"MPI_File_close\" 1us file=\"a b\" io=close\n}\n" },
  { "alike", "0 alike_begin 3\n0 local \"MPI_Wtime\" 1ns\n0 alike_end 3\n",
    "rank 0 {\n  alike_begin 3\n  local \"MPI_Wtime\" 1ns\n  alike_end 3\n}\n" },
  { "interval-inline", "0 enter \"a b\" line=3\n0 leave \"a b\" line=3\n",
    "interval 0: \"a b\" line=3\nrank 0 {\n  enter 0\n  leave 0\n}\n" },
  { "usage",
    "clock cpu\n0 usage processors=\"0-3,8\" waited=2ms host=\"a b\" switches=0\n1 usage\n",
    "clock cpu\nrank 0 {\n  usage host=\"a b\" processors=\"0-3,8\" switches=0 waited=2ms\n}\n" },
  { "comm", "comm 1: 0-2\n0 bcast 8 root=2 comm=1\n",
    "comm 1: 0-2\nrank 0 {\n  bcast 8 root=2 comm=1\n}\n" },
  { "vectors", "0 alltoallv send=[1,2,3,4] recv=[0,0,0,9]\n",
    "rank 0 {\n  alltoallv send=[1,2,3,4] recv=[0,0,0,9]\n}\n" },
  { "sums", "0 alltoallv 4 sent=7 received=1KiB\n",
    "rank 0 {\n  alltoallv 4 sent=7 received=1024\n}\n" },
  { "long", "0 compute 9000000.000000000001s\n", "rank 0 {\n  compute 9000000.000000000001s\n}\n" },
  { "huge", "0 alltoallv 9000000000000000001 send=[1,2,3,9000000000000000000]\n",
    "rank 0 {\n  alltoallv 9000000000000000001 send=[1,2,3,9000000000000000000]\n}\n" },
  { "outcomes", "0 isend 1 8 request=0\n0 test 0 done=no\n0 waitany 0 done=0 took=2us\n",
    "rank 0 {\n  isend 1 8 request=0\n  test 0 done=no\n  waitany 0 done=0 took=2us\n}\n" },
  { "end", "3 end 4s\n", "rank 3 {\n  end 4s\n}\n" },
  { "crlf", "0 barrier\r\n1 barrier\r\n", "rank 0 {\n  barrier\n}\nrank 1 {\n  barrier\n}\n" },
  { "escapes", "0 other \"a\\x22\\\\b\" 1us\n", "rank 0 {\n  other \"a\\\"\\\\b\" 1us\n}\n" },
};

static void
test_readable (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *text = g_strconcat (HEAD, readable[i].text, NULL);
  g_autoptr (PdMpTrace) trace = test_read_text (text);
  g_autofree char *is = to_text (trace);

  g_assert_true (g_str_has_prefix (is, HEAD "computation time\n"));
  g_assert_cmpstr (is + strlen (HEAD "computation time\n"), ==, readable[i].is);
  g_assert_false (trace->incomplete);
}

/* ---- what is refused */

static const struct
{
  const char *name;
  const char *text;
  PdTraceError code;
  int line;
} bad[] = {
  { "version", "predictor-trace 2\nranks 1\n", PD_TRACE_ERROR_FORMAT, 1 },
  { "no-version", "predictor-trace\nranks 1\n", PD_TRACE_ERROR_SYNTAX, 1 },
  { "no-ranks", "predictor-trace 1\n0 barrier\n", PD_TRACE_ERROR_SYNTAX, 2 },
  { "no-ranks-at-all", "predictor-trace 1\n", PD_TRACE_ERROR_TRUNCATED, 0 },
  { "many-ranks", "predictor-trace 1\nranks 1000000000000\n", PD_TRACE_ERROR_LIMIT, 2 },
  { "too-many-for-size", "predictor-trace 1\nranks 16000000\n", PD_TRACE_ERROR_LIMIT, 2 },
  { "zero-ranks", "predictor-trace 1\nranks 0\n", PD_TRACE_ERROR_VALUE, 2 },
  { "rank", HEAD "4 barrier\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "clock", HEAD "clock sun\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "usage-key", HEAD "0 usage colour=3\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "usage-text", HEAD "0 usage host=a\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "usage-number", HEAD "0 usage switches=-1\n", PD_TRACE_ERROR_VALUE, 3 },
  { "usage-time", HEAD "0 usage waited=3\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "peer", HEAD "0 send 4 8\n", PD_TRACE_ERROR_VALUE, 3 },
  { "any-target", HEAD "0 send any 8\n", PD_TRACE_ERROR_VALUE, 3 },
  { "size", HEAD "0 send 1 -8\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "huge-size", HEAD "0 send 1 99999999999999999999\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "no-unit", HEAD "0 compute 5\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "long-time", HEAD "0 compute 1e30s\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "word", HEAD "0 frobnicate 5\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "key", HEAD "0 barrier colour=3\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "key-of-another", HEAD "0 send 1 8 root=0\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "no-request", HEAD "0 isend 1 8\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "unknown-request", HEAD "0 wait a\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "high-request", HEAD "0 isend 1 8 request=2000000000\n", PD_TRACE_ERROR_VALUE, 3 },
  { "mixed-names", HEAD "0 isend 1 8 request=0\n0 isend 1 8 request=a\n", PD_TRACE_ERROR_SYNTAX,
    4 },
  { "comm", HEAD "0 barrier comm=1\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "comm-twice", HEAD "comm 1: 0 0\n", PD_TRACE_ERROR_VALUE, 3 },
  { "comm-empty", HEAD "comm 1:\n", PD_TRACE_ERROR_VALUE, 3 },
  { "comm-number", HEAD "comm 2: 0\n", PD_TRACE_ERROR_VALUE, 3 },
  { "comm-range", HEAD "comm 1: 0-99999999\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "interval", HEAD "0 enter 0\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "site", HEAD "0 send 1 4 site=0\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "called", HEAD "0 send 1 4 called=MPI_Send\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "io", HEAD "0 other \"f\" 1s file=\"a\" io=append\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "file name", HEAD "0 other \"f\" 1s file=a io=read\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "collective", HEAD "0 other \"f\" 1s file=\"a\" collective=1\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "site-of-itself", HEAD "site 0: \"a\" 1 from=0\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "site-next", HEAD "site 1: \"a\" 1\n", PD_TRACE_ERROR_VALUE, 3 },
  { "site-line", HEAD "site 0: \"a\" x\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "site-rest", HEAD "site 0: \"a\" 1 \"f\" \"g\"\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "stretch", HEAD "0 alike_begin -1\n", PD_TRACE_ERROR_VALUE, 3 },
  { "counts", HEAD "0 alltoallv send=[1,2]\n", PD_TRACE_ERROR_VALUE, 3 },
  { "vector", HEAD "0 alltoallv send=[1,,2]\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "open-string", HEAD "0 other \"a 1us\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "block-in-block", HEAD "rank 0 {\nrank 1 {\n", PD_TRACE_ERROR_SYNTAX, 4 },
  { "close", HEAD "}\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "matched-tag", HEAD "0 recv any 8 tag=any matched=1:none\n", PD_TRACE_ERROR_VALUE, 3 },
  { "after-version", "predictor-trace 1 2\nranks 1\n", PD_TRACE_ERROR_SYNTAX, 1 },
  { "after-ranks", "predictor-trace 1\nranks 4 5\n", PD_TRACE_ERROR_SYNTAX, 2 },
  { "after-unit", HEAD "computation time flops\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "after-brace", HEAD "rank 0 { barrier\n}\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "after-close", HEAD "rank 0 {\n} barrier\n", PD_TRACE_ERROR_SYNTAX, 4 },
  { "after-end", HEAD "0 end 5s 6s\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "outcome", HEAD "0 isend 1 8 request=0\n0 waitany 0 done=1\n", PD_TRACE_ERROR_VALUE, 4 },
};

static void
test_bad (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GBytes) bytes = g_bytes_new_static (bad[i].text, strlen (bad[i].text));
  PdTraceSource source = { "test", bytes };
  PdTraceReadOptions options = { .recorded = TRUE, .cache = NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMpTrace) trace = pd_mp_trace_read (&source, &options, NULL, &error);
  g_autofree char *place =
      bad[i].line > 0 ? g_strdup_printf ("test:%d: ", bad[i].line) : g_strdup ("test: ");

  g_assert_null (trace);
  g_assert_error (error, PD_TRACE_ERROR, (int) bad[i].code);
  g_assert_true (g_str_has_prefix (error->message, place));
}

/* A byte 0 ends no word. */
static void
test_zero (void)
{
  static const char text[] = HEAD "0 barrier\0x\n";
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, sizeof text - 1);
  PdTraceSource source = { "test", bytes };
  PdTraceReadOptions options = { .recorded = TRUE, .cache = NULL };
  g_autoptr (GError) error = NULL;

  g_assert_null (pd_mp_trace_read (&source, &options, NULL, &error));
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE);
}

/* Cut anywhere, it is either read in part and called incomplete, or refused;
 * what is read is a beginning. */
static void
test_truncated (void)
{
  g_autoptr (PdProgram) program = test_random_program (7);
  g_autoptr (GBytes) bytes = pd_program_to_text (program);
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);
  guint n_read = 0;

  for (gsize n = 0; n < size; n++)
    {
      g_autoptr (GBytes) part = g_bytes_new (text, n);
      PdTraceSource source = { "test", part };
      PdTraceReadOptions options = { .recorded = TRUE, .cache = NULL };
      g_autoptr (GError) error = NULL;
      g_autoptr (PdMpTrace) trace = pd_mp_trace_read (&source, &options, NULL, &error);

      g_assert_true ((trace == NULL) == (error != NULL));
      n_read += trace != NULL;
    }
  g_assert_cmpuint (n_read, >, size / 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/traces/text/random", test_random);
  g_test_add_func ("/traces/text/truncated", test_truncated);
  g_test_add_func ("/traces/text/zero", test_zero);
  for (gsize i = 0; i < G_N_ELEMENTS (readable); i++)
    {
      g_autofree char *path = g_strconcat ("/traces/text/readable/", readable[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_readable);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = g_strconcat ("/traces/text/bad/", bad[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_bad);
    }
  return g_test_run ();
}
