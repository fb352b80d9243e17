/* Time-independent traces: what each line becomes, what is warned of, what is
 * refused, both styles of files, and the traces of ../shared.
 * SPDX-License-Identifier: MIT */
#include "tests/support/mp/programs-random.h"
#include "traces/text/pd-text-writer.h"
#include "traces/open/pd-trace-read.h"

#include <glib/gstdio.h>
#include <string.h>

static PdMpTrace *
read_bytes (const char *text, gsize n, PdMessages *messages, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, n);
  PdTraceSource source = { "test", bytes };
  PdTraceReadOptions options = { .recorded = TRUE, .cache = NULL };

  return pd_mp_trace_read (&source, &options, messages, error);
}

/* The lines of rank 0 of 4 ranks: what follows "rank 0 {". */
static char *
first_rank (const PdMpTrace *trace)
{
  g_autoptr (GBytes) bytes = pd_program_to_text (trace->program);
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  char *begin = strstr (text, "rank 0 {\n"), *end = strstr (text, "}\n");

  if (begin == NULL)
    return g_strdup ("");
  return g_strndup (begin + 9, (gsize) (end - begin - 9));
}

/* ---- what lines become */

static const struct
{
  const char *name;
  const char *lines; /* of rank 0 of 4; '|' stands for "\n0 " */
  const char *is;    /* likewise, '|' for "\n  " */
  const char *warning;
  guint64 count;
} rows[] = {
  { "compute", "compute 1e6", "compute 1000000", NULL, 0 },
  { "compute-fraction", "compute 0.1", "compute 0.1", NULL, 0 },
  { "sleep", "sleep 0.5", "delay 500ms", NULL, 0 },
  { "send", "send 1 7 100 0", "send 1 800 tag=7", NULL, 0 },
  { "send-default", "send 1 7 100", "send 1 100 tag=7", NULL, 0 },
  { "init-type", "init x|send 1 7 100|finalize", "send 1 800 tag=7", NULL, 0 },
  { "init", "init|send 1 7 100|finalize", "send 1 100 tag=7", NULL, 0 },
  { "exponent", "send 1e0 0 1e3", "send 1 1000", "ti-exponent", 2 },
  { "fraction", "send 1 0 12.9", "send 1 12", NULL, 0 },
  { "tabs", "send\t1  0\t 5 \t", "send 1 5", NULL, 0 },
  { "modes", "Ssend 1 0 1|bsend 1 0 1|ISsend 1 0 1|ibsend 1 0 1|waitall",
    "ssend 1 1|bsend 1 1|issend 1 1 request=0|ibsend 1 1 request=1|waitall", NULL, 0 },
  { "any-source", "recv -333 -444 8", "recv any 8 tag=any", NULL, 0 },
  { "nobody", "send -666 0 8", "send none 8", NULL, 0 },
  { "unknown-size", "recv 1 0 -1", "recv 1 2147483647", NULL, 0 },
  { "derived", "send 1 0 100 -1|send 1 0 100 -1", "send 1 0|send 1 0", "ti-derived-type", 2 },
  { "old-names", "Isend 1 0 8 6|waitAll", "isend 1 8 request=0|waitall", NULL, 0 },
  { "wait-oldest", "isend 1 5 1|isend 1 5 2|isend 1 5 3|wait 0 1 5|isend 2 5 4|wait 0 1 5|waitall",
    "isend 1 1 tag=5 request=0|isend 1 2 tag=5 request=1|isend 1 3 tag=5 request=2|wait 0"
    "|isend 2 4 tag=5 request=0|wait 1|waitall",
    NULL, 0 },
  { "wait-direction", "isend 1 5 1|irecv 1 5 2|wait 1 0 5|wait 0 1 5",
    "isend 1 1 tag=5 request=0|irecv 1 2 tag=5 request=1|wait 1|wait 0", NULL, 0 },
  { "wait-self", "irecv 0 5 1|isend 0 5 2|wait 0 0 5|wait 0 0 5",
    "irecv 0 1 tag=5 request=0|isend 0 2 tag=5 request=1|wait 0|wait 1", NULL, 0 },
  { "wait-wildcard", "irecv -333 5 1|wait -333 0 5|irecv -333 5 1|wait 2 0 5",
    "irecv any 1 tag=5 request=0|wait 0|irecv any 1 tag=5 request=0|wait 0", NULL, 0 },
  { "wait-none", "wait 1 0 5|wait 1 0 5", "", "ti-no-request", 2 },
  { "test", "irecv 1 5 1|test 1 0 5|wait 1 0 5", "irecv 1 1 tag=5 request=0|test 0|wait 0", NULL,
    0 },
  { "waitall-count", "isend 1 0 1|isend 1 0 1|waitall 2|isend 1 0 1|waitall 3",
    "isend 1 1 request=0|isend 1 1 request=1|waitall|isend 1 1 request=0|waitall",
    "ti-waitall-count", 1 },
  { "waitall-none", "waitall", "", NULL, 0 },
  { "waitany", "isend 1 0 1|isend 2 0 1|waitAny 2|waitAny 2|isend 1 0 1|waitall",
    "isend 1 1 request=0|isend 2 1 request=1|waitany 0 1|waitany 0 1|isend 1 1 request=0|waitall",
    "ti-which-requests", 2 },
  { "testany", "isend 1 0 1|testany|waitall", "isend 1 1 request=0|testany 0|waitall",
    "ti-which-requests", 1 },
  { "finalize-waits", "isend 1 0 1|finalize", "isend 1 1 request=0|waitall", "ti-pending", 1 },
  { "sendrecv", "sendRecv 10 1 20 2 0 1", "sendrecv 1 80 from=2 from-bytes=80", NULL, 0 },
  { "isendrecv", "isendRecv 10 1 20 2 6 6|waitall",
    "isend 1 10 request=0|irecv 2 20 request=1|waitall", NULL, 0 },
  { "barrier", "barrier|ibarrier|wait 0 0 -778", "barrier|ibarrier request=0|wait 0", NULL, 0 },
  { "bcast", "bcast 10|bcast 10 2|bcast 10 2 0", "bcast 10|bcast 10 root=2|bcast 80 root=2", NULL,
    0 },
  { "reduce", "reduce 10 5 1 0", "reduce 80 root=1 then=5", NULL, 0 },
  { "allreduce", "allreduce 10 0 1 |scan 10 0|exscan 10 7 0",
    "allreduce 40|scan 10|exscan 80 then=7", NULL, 0 },
  { "alltoall", "alltoall 10 10 0 0|allgather 5 5 1 1", "alltoall 80|allgather 20", NULL, 0 },
  { "gather", "gather 10 20 0 6 6|gather 10 20 1 6 6", "gather 20|gather 10 root=1", NULL, 0 },
  { "gather-short", "gather 10 1 6 6", "gather 10 root=1", NULL, 0 },
  { "scatter", "scatter 10 20 0 6 6|scatter 10 20 1 6 6", "scatter 10|scatter 20 root=1", NULL, 0 },
  { "gatherv", "gatherv 5 1 2 3 4 0 0 0|gatherv 5 1 2 3 4 1 6 6",
    "gatherv 40 recv=[8,16,24,32]|gatherv 5 root=1", NULL, 0 },
  { "scatterv", "scatterv 1 2 3 4 5 0 0 6|scatterv 1 2 3 4 5 2 6 6",
    "scatterv 5 send=[8,16,24,32]|scatterv 5 root=2", NULL, 0 },
  { "allgatherv",
    "allgatherv 5 1 2 3 4|allgatherv 5 1 2 3 4 0 0 9 9 9 9|allgatherv 5 1 2 3 4 7 7 7 7",
    "allgatherv 5 recv=[1,2,3,4]|allgatherv 40 recv=[8,16,24,32]|allgatherv 5 recv=[1,2,3,4]", NULL,
    0 },
  { "alltoallv", "alltoallv 9 1 2 3 4 9 5 6 7 8 1 6", "alltoallv send=[4,8,12,16] recv=[5,6,7,8]",
    NULL, 0 },
  { "reducescatter", "reducescatter 1 2 3 4 9 0", "reduce_scatter 8 recv=[8,16,24,32] then=9", NULL,
    0 },
  { "icollective", "iallreduce 10 0 6|ibcast 5 1 6|waitall",
    "iallreduce 10 request=0|ibcast 5 root=1 request=1|waitall", NULL, 0 },
  { "rma", "Win_fence|Put 1 0 10 0|Get 1 0 10 6|Win_fence", "win_fence|put 1 80|get 1 10|win_fence",
    NULL, 0 },
  { "fetch", "Get_accumulate 1 0 1 0", "accumulate 1 8|get 1 8", NULL, 0 },
  { "lock", "Win_lock_all|Win_unlock_all", "win_lock any|win_unlock any", NULL, 0 },
  { "start", "Start 1 7 100 0|Start 0 7 100 0|waitall",
    "isend 1 100 tag=7 request=0|irecv any 100 tag=7 request=1|waitall", "ti-start", 1 },
  { "location", "location main.c 12|location a b.c 3",
    "location \"main.c\" 12|location \"a b.c\" 3", NULL, 0 },
  { "ignored", "comm_size 4|comm_split 1|comm_dup", "", "ti-ignored", 3 },
  { "untold", "Startall|IO - read 100", "", "ti-untold", 2 },
  { "extra", "compute 5 6", "compute 5", "ti-extra", 1 },
  { "comment", "compute 1\n# 0 compute 2\n\n0 compute 3", "compute 1|compute 3", NULL, 0 },
};

static char *
expand (const char *text, const char *before, const char *after)
{
  g_auto (GStrv) parts = g_strsplit (text, "|", -1);
  g_autofree char *between = g_strconcat ("\n", before, NULL);
  g_autofree char *joined = g_strjoinv (between, parts);

  return text[0] == '\0' ? g_strdup ("") : g_strconcat (before, joined, after, NULL);
}

static void
test_row (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *lines = expand (rows[i].lines, "0 ", "\n");
  g_autofree char *text = g_strconcat (lines, "3 compute 0\n2 compute 0\n1 compute 0\n", NULL);
  g_autofree char *expected = expand (rows[i].is, "  ", "\n");
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMpTrace) trace = read_bytes (text, strlen (text), messages, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (pd_program_get_n_ranks (trace->program), ==, 4);
  g_autofree char *is = first_rank (trace);
  g_assert_cmpstr (is, ==, expected);
  if (rows[i].warning != NULL)
    g_assert_cmpuint (pd_messages_count (messages, rows[i].warning), ==, rows[i].count);
  else
    g_assert_cmpuint (pd_messages_get_n (messages), ==, 0);
}

/* ---- what is refused */

static const struct
{
  const char *name;
  const char *text;
  PdTraceError code;
  int line; /* 0: of the whole file */
} bad[] = {
  { "empty", "", PD_TRACE_ERROR_FORMAT, 0 },
  { "only-comments", "# version: 1.0\n", PD_TRACE_ERROR_FORMAT, 0 },
  { "no-trace", "hello world\n", PD_TRACE_ERROR_FORMAT, 0 },
  { "unknown", "0 init\n0 frobnicate 1\n0 finalize\n", PD_TRACE_ERROR_SYNTAX, 2 },
  { "no-action", "0 init\n0\n0 finalize\n", PD_TRACE_ERROR_SYNTAX, 2 },
  { "no-rank", "0 init\ncompute 5\n0 finalize\n", PD_TRACE_ERROR_SYNTAX, 2 },
  { "negative-rank", "0 init\n-1 compute 5\n", PD_TRACE_ERROR_VALUE, 2 },
  { "missing-field", "0 init\n0 send 0 1\n0 finalize\n", PD_TRACE_ERROR_SYNTAX, 2 },
  { "no-number", "0 init\n0 send 0 x 5\n0 finalize\n", PD_TRACE_ERROR_SYNTAX, 2 },
  { "peer", "0 init\n0 send 1 0 5\n", PD_TRACE_ERROR_VALUE, 2 },
  { "negative-size", "0 init\n0 send 0 0 -5\n", PD_TRACE_ERROR_VALUE, 2 },
  { "huge-size", "0 init\n0 send 0 0 8000000000000000000 0\n", PD_TRACE_ERROR_VALUE, 2 },
  { "infinite", "0 init\n0 compute inf\n0 finalize\n", PD_TRACE_ERROR_SYNTAX, 2 },
  { "negative-compute", "0 init\n0 compute -1\n", PD_TRACE_ERROR_VALUE, 2 },
  { "long-sleep", "0 init\n0 sleep 1e30\n", PD_TRACE_ERROR_VALUE, 2 },
  { "type", "0 init\n0 send 0 0 5 60\n", PD_TRACE_ERROR_VALUE, 2 },
  { "root", "0 init\n0 bcast 5 1\n", PD_TRACE_ERROR_VALUE, 2 },
  { "any-root", "0 init\n0 bcast 5 -333\n", PD_TRACE_ERROR_VALUE, 2 },
  { "few-counts", "0 init\n1 init\n0 alltoallv 1 1 1 1 1\n0 finalize\n", PD_TRACE_ERROR_SYNTAX, 3 },
  { "many-ranks", "0 init\n999999999999 init\n", PD_TRACE_ERROR_LIMIT, 0 },
  { "sparse-ranks", "0 init\n9999999 init\n", PD_TRACE_ERROR_VALUE, 0 },
  { "endless-rank", "0 init\n99999999999999999999999999 init\n", PD_TRACE_ERROR_SYNTAX, 2 },
};

static void
test_bad (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMpTrace) trace = read_bytes (bad[i].text, strlen (bad[i].text), NULL, &error);
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
  static const char text[] = "0 init\n0 barrier\0\0\n0 finalize\n";
  g_autoptr (GError) error = NULL;

  g_assert_null (read_bytes (text, sizeof text - 1, NULL, &error));
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_SYNTAX);
}

/* ---- cut files */

static const char whole[] = "0 init\n1 init\n0 isend 1 7 100 0\n1 recv 0 7 100 0\n"
                            "0 alltoallv 9 1 2 9 3 4 6 6\n1 alltoallv 9 1 2 9 3 4 6 6\n"
                            "0 location file.c 12\n0 wait 0 1 7\n0 compute 1.5e6\n"
                            "0 finalize\n1 finalize";

/* The last line without an end is read; what breaks off is said to. */
static void
test_truncated (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMpTrace) all = read_bytes (whole, strlen (whole), NULL, &error);

  g_assert_no_error (error);
  g_assert_false (all->incomplete);
  for (gsize n = 0; n < strlen (whole); n++)
    {
      g_autoptr (GError) cut = NULL;
      g_autoptr (PdMpTrace) trace = read_bytes (whole, n, NULL, &cut);
      g_assert_true ((trace == NULL) == (cut != NULL));
      /* a part of the first ranks' lines only: others look like ranks that are not there */
      if (n > 14)
        g_assert_no_error (cut);
      if (trace != NULL)
        g_assert_true (trace->incomplete);
    }
}

/* ---- files */

typedef struct
{
  char *folder;
  char *path[4];
} Files;

static void
set_up (Files *files, gconstpointer data)
{
  static const char *const contents[] = {
    "r0.txt\n\n  r1.txt \n",
    "0 init\n0 send 1 0 8\n0 finalize\n",
    "# of rank 1\n0 send 1 0 8\n1 init\n1 recv 0 0 8\n1 finalize\n",
    "both.txt\n",
  };
  static const char *const names[] = { "list", "r0.txt", "r1.txt", "single" };
  g_autoptr (GError) error = NULL;

  (void) data;
  files->folder = g_dir_make_tmp ("ti-XXXXXX", &error);
  for (guint i = 0; i < 4; i++)
    {
      files->path[i] = g_build_filename (files->folder, names[i], NULL);
      g_file_set_contents (files->path[i], contents[i], -1, &error);
      g_assert_no_error (error);
    }
}

static void
tear_down (Files *files, gconstpointer data)
{
  (void) data;
  for (guint i = 0; i < 4; i++)
    {
      g_unlink (files->path[i]);
      g_free (files->path[i]);
    }
  g_rmdir (files->folder);
  g_free (files->folder);
}

static PdMpTrace *
read_file (const char *path, PdMessages *messages, GError **error)
{
  PdTraceSource source = { path, NULL };
  PdTraceReadOptions options = { .recorded = TRUE, .cache = NULL };

  return pd_mp_trace_read (&source, &options, messages, error);
}

/* A rank without its init, or without its finalize, where the others have both. */
static void
test_ends (void)
{
  static const struct
  {
    const char *text, *id; /* id nullable: none */
  } cases[] = {
    { "0 init\n1 init\n0 barrier\n1 barrier\n0 finalize\n1 finalize\n", NULL },
    { "0 init\n0 barrier\n1 barrier\n0 finalize\n1 finalize\n", "ti-unbegun" },
    { "0 init\n1 init\n0 barrier\n1 barrier\n0 finalize\n", "ti-unfinished" },
    { "0 barrier\n1 barrier\n", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (PdMessages) messages = pd_messages_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (PdMpTrace) trace =
          read_bytes (cases[i].text, strlen (cases[i].text), messages, &error);
      g_assert_no_error (error);
      g_assert_cmpint (trace->incomplete, ==, cases[i].id != NULL);
      g_assert_cmpuint (pd_messages_get_n (messages), ==, cases[i].id != NULL);
      if (cases[i].id != NULL)
        g_assert_cmpuint (pd_messages_count (messages, cases[i].id), ==, 1);
    }
}

/* A file for each rank; the lines of others are warned of. */
static void
test_list (Files *files, gconstpointer data)
{
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMpTrace) trace = read_file (files->path[0], messages, &error);

  (void) data;
  g_assert_no_error (error);
  g_assert_cmpuint (pd_program_get_n_ranks (trace->program), ==, 2);
  g_assert_cmpuint (pd_program_get_n_actions (trace->program, 1), ==, 1);
  g_assert_cmpuint (pd_messages_count (messages, "ti-foreign-line"), ==, 1);
  g_assert_false (trace->incomplete);
  g_file_set_contents (files->path[2], "", 0, NULL);
  g_autoptr (PdMpTrace) less = read_file (files->path[0], messages, &error);
  g_assert_no_error (error);
  g_assert_true (less->incomplete);
  g_assert_cmpuint (pd_messages_count (messages, "ti-idle-rank"), ==, 1);
  g_unlink (files->path[2]);
  g_assert_null (read_file (files->path[0], NULL, &error));
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN);
}

/* A list of one file, which all ranks share. */
static void
test_single (Files *files, gconstpointer data)
{
  g_autofree char *both = g_build_filename (files->folder, "both.txt", NULL);
  g_autoptr (GError) error = NULL;

  (void) data;
  g_file_set_contents (both, "1 recv 0 0 8\n0 send 1 0 8", -1, &error);
  g_assert_no_error (error);
  g_autoptr (PdMpTrace) trace = read_file (files->path[3], NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (pd_program_get_n_ranks (trace->program), ==, 2);
  g_assert_cmpuint (pd_program_get_n_actions (trace->program, 0), ==, 1);
  g_unlink (both);
}

/* ---- the traces of ../shared: as many actions as lines that are ones */

/* Line by line: to split the whole text takes a second reading of it for each
 * line where the sanitizers look on. */
static guint64
count_actions (GBytes *bytes)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size), *end = data + size;
  guint64 n = 0;

  for (const char *line = data; line < end;)
    {
      const char *stop = memchr (line, '\n', (gsize) (end - line));
      g_autofree char *text = g_strndup (line, (gsize) ((stop != NULL ? stop : end) - line));
      n += *text != '\0' && *text != '#' && strstr (text, " init") == NULL
           && strstr (text, " finalize") == NULL;
      line = stop != NULL ? stop + 1 : end;
    }
  return n;
}

static void
check_shared (const char *path)
{
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMpTrace) trace = read_file (path, messages, &error);
  g_autoptr (PdInput) input = pd_input_new_from_file (path, NULL);
  const PdWindow *window = pd_input_get_window (input);
  guint64 n = 0;

  g_assert_no_error (error);
  g_assert_false (trace->incomplete);
  g_assert_cmpuint (pd_messages_get_n (messages), ==, 0);
  while (pd_input_fill (input, 0))
    ;
  g_autoptr (GBytes) bytes = g_bytes_new (window->data, window->size);
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (trace->program); rank++)
    n += pd_program_get_n_actions (trace->program, rank);
  g_assert_cmpuint (n, ==, count_actions (bytes));
}

static void
test_shared (void)
{
  const char *shared = g_getenv ("PREDICTOR_SHARED");
  g_autofree char *folder =
      g_build_filename (shared != NULL ? shared : "../shared", "traces/ti", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  if (dir == NULL)
    {
      g_test_skip ("../shared is absent");
      return;
    }
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".ti.gz"))
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);
        check_shared (path);
        n++;
      }
  g_assert_cmpuint (n, >=, 10);
}

static void
test_shared_lists (void)
{
  static const char *const cases[] = { "c01_pingpong", "c05_shift_isend", "c07_sweep2d",
                                       "c08_collectives", "c12_exchange_star" };
  const char *shared = g_getenv ("PREDICTOR_SHARED");

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_build_filename (shared != NULL ? shared : "../shared",
                                                "reference/simgrid", cases[i], "list", NULL);
      g_autoptr (PdMessages) messages = pd_messages_new ();
      g_autoptr (GError) error = NULL;
      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        {
          g_test_skip ("../shared is absent");
          return;
        }
      g_autoptr (PdMpTrace) trace = read_file (path, messages, &error);
      g_assert_no_error (error);
      g_assert_false (trace->incomplete);
      g_assert_cmpuint (pd_messages_get_n (messages), ==, 0);
      g_assert_cmpuint (pd_program_get_n_ranks (trace->program), >=, 2);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/traces/ti/lines/", rows[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_row);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = g_strconcat ("/traces/ti/bad/", bad[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_bad);
    }
  g_test_add_func ("/traces/ti/truncated", test_truncated);
  g_test_add_func ("/traces/ti/zero", test_zero);
  g_test_add_func ("/traces/ti/ends", test_ends);
  g_test_add ("/traces/ti/list", Files, NULL, set_up, test_list, tear_down);
  g_test_add ("/traces/ti/single", Files, NULL, set_up, test_single, tear_down);
  g_test_add_func ("/traces/ti/shared", test_shared);
  g_test_add_func ("/traces/ti/shared-lists", test_shared_lists);
  return g_test_run ();
}
