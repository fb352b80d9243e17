/* Traces of liballprof: what calls become, communicators, requests known by
 * addresses, sets of files, cuts and bad lines.
 * SPDX-License-Identifier: MIT */
#include "traces/allprof/pd-allprof.h"
#include "traces/allprof/pd-allprof-files.h"
#include "traces/open/pd-trace-read.h"
#include "traces/open/pd-trace-formats.h"

#include <glib/gstdio.h>
#include <string.h>

#define MAX_RANKS 4
#define INT8      "1,8,8" /* a datatype of 8 bytes */

static PdProgram *
read_ranks (const char *const *texts, guint n, gboolean recorded, gboolean *incomplete,
            PdMessages *messages, GError **error)
{
  PdTraceSource files[MAX_RANKS] = { { NULL, NULL } };
  char names[MAX_RANKS][16];
  PdTraceReadOptions options = { .recorded = recorded };
  PdProgram *program;

  for (guint i = 0; i < n; i++)
    {
      g_snprintf (names[i], sizeof names[i], "rank%u", i);
      files[i] = (PdTraceSource){ names[i], g_bytes_new (texts[i], strlen (texts[i])) };
    }
  program = pd_allprof_read (files, n, &options, incomplete, messages, error);
  for (guint i = 0; i < n; i++)
    g_bytes_unref (files[i].bytes);
  return program;
}

/* The program in our text form. */
static char *
get_text (PdProgram *program)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  int fd = g_file_open_tmp ("test-allprof-XXXXXX", &path, &error);
  PdMpTrace trace = { .program = program };
  PdTraceWriteOptions options = { 1e9, NULL };
  char *text;

  g_assert_no_error (error);
  g_close (fd, NULL);
  g_assert_true (pd_trace_format_find ("text")->write (&trace, path, &options, NULL, &error));
  g_assert_true (g_file_get_contents (path, &text, NULL, &error));
  g_remove (path);
  return text;
}

#define BEGIN(rank, n) "# head\n\nMPI_Init:-:1:2:100\nMPI_Comm_rank:101:0," #rank "," #n ":9:103\n"
#define END            "MPI_Finalize:1000:-\n"
#define HEAD(n)        "predictor-trace 1\nranks " #n "\ncomputation time\n"

static const struct
{
  const char *name;
  const char *ranks[MAX_RANKS];
  gboolean recorded;
  const char *expected;
  guint n_messages;
} good[] = {
  { "blocking",
    { BEGIN (0, 2) "MPI_Send:110:77:3:" INT8 ":1:5:0,0,2:120\n"
                   "MPI_Recv:120.5:77:2:" INT8 ":-1:-1:0,0,2:99:130\n" END,
      BEGIN (1, 2) "MPI_Recv:105:77:3:" INT8 ":0:5:0,1,2:99:121\n"
                   "MPI_Ssend:121:77:2:" INT8 ":0:6:0,1,2:125.25\n" END },
    FALSE,
    HEAD (2) "rank 0 {\n  compute 10us\n  send 1 24 tag=5\n  compute 500ns\n  recv any 16 tag=any\n"
             "  compute 870us\n  end 900us\n}\nrank 1 {\n  compute 5us\n  recv 0 24 tag=5\n"
             "  ssend 0 16 tag=6\n  compute 874.75us\n  end 900us\n}\n",
    0 },
  { "recorded",
    { BEGIN (0, 1) "MPI_Sendrecv:110:7:1:" INT8 ":0:5:8:2:" INT8 ":0:5:0,0,1:9:120\n" END },
    TRUE,
    HEAD (1) "rank 0 {\n  compute 10us\n  sendrecv 0 8 tag=5 from=0 from-tag=5 from-bytes=16 "
             "took=10us\n  compute 880us\n"
             "  end 900us\n}\n",
    0 },
  { "nobody",
    { BEGIN (0, 1) "MPI_Send:110:7:1:" INT8 ":-2:5:0,0,1:110\nMPI_Recv:110:7:1:" INT8
                   ":-2:-1:0,0,1:9:110\n" END },
    FALSE,
    HEAD (1) "rank 0 {\n  compute 10us\n  send none 8\n  recv none 8\n  compute 890us\n"
             "  end 900us\n}\n",
    0 },
  /* MPICH has the two the other way round */
  { "nobody-of-mpich",
    { "MPI_Init:-:1:2:100\nMPI_Send:100:7:1:" INT8 ":-1:5:1140850688,0,1:100\n"
      "MPI_Irecv:100:7:1:" INT8 ":-2:-1:1140850688,0,1:64:100\nMPI_Finalize:100:-\n" },
    FALSE,
    HEAD (1) "rank 0 {\n  send none 8\n  irecv any 8 tag=any request=0\n  end 0ps\n}\n",
    0 },
  { "requests-of-8",
    { BEGIN (0, 1) "MPI_Irecv:100:7:1:" INT8 ":0:1:0,0,1:800:100\n"
                   "MPI_Irecv:100:7:1:" INT8 ":0:2:0,0,1:808:100\n"
                   "MPI_Isend:100:7:1:" INT8 ":0:1:0,0,1:816:100\n"
                   "MPI_Waitall:100:3:800:5:100\nMPI_Wait:100:808:5:100\n"
                   "MPI_Isend:100:7:1:" INT8 ":0:2:0,0,1:808:100\n"
                   "MPI_Wait:100:808:5:100\nMPI_Finalize:100:-\n" },
    FALSE,
    HEAD (1) "rank 0 {\n  irecv 0 8 tag=1 request=0\n  irecv 0 8 tag=2 request=1\n  isend 0 8 "
             "tag=1 request=2\n  waitall 0 1 2\n"
             "  isend 0 8 tag=2 request=2\n  wait 2\n  end 0ps\n}\n",
    0 },
  { "requests-of-4",
    { BEGIN (0, 1) "MPI_Irecv:100:7:1:" INT8 ":0:1:0,0,1:800:100\n"
                   "MPI_Irecv:100:7:1:" INT8 ":0:2:0,0,1:804:100\n"
                   "MPI_Isend:100:7:1:" INT8 ":0:1:0,0,1:808:100\n"
                   "MPI_Isend:100:7:1:" INT8 ":0:2:0,0,1:812:100\n"
                   "MPI_Waitall:100:2:800:5:100\nMPI_Waitall:100:2:808:5:100\n"
                   "MPI_Finalize:100:-\n" },
    FALSE,
    HEAD (1) "rank 0 {\n  irecv 0 8 tag=1 request=0\n  irecv 0 8 tag=2 request=1\n  isend 0 8 "
             "tag=1 request=2\n  isend 0 8 tag=2 request=3\n"
             "  waitall 0 1\n  waitall 2 3\n  end 0ps\n}\n",
    0 },
  /* the second test was successful: the request begins anew after it */
  { "tests",
    { BEGIN (0, 1) "MPI_Isend:100:7:1:" INT8 ":0:1:0,0,1:800:100\n"
                   "MPI_Test:100:800:5:6:100\nMPI_Test:100:800:5:6:100\n"
                   "MPI_Isend:100:7:1:" INT8 ":0:2:0,0,1:800:100\n"
                   "MPI_Test:100:800:5:6:100\nMPI_Wait:100:800:5:100\n"
                   "MPI_Isend:100:7:1:" INT8 ":0:3:0,0,1:800:100\n"
                   "MPI_Testall:100:1:800:5:6:100\nMPI_Finalize:100:-\n" },
    FALSE,
    HEAD (1) "rank 0 {\n  isend 0 8 tag=1 request=0\n  test 0 done=no\n  test 0 done=yes\n  isend "
             "0 8 tag=2 request=0\n"
             "  test 0 done=no\n  wait 0\n  isend 0 8 tag=3 request=0\n  testall 0 done=0\n  end "
             "0ps\n}\n",
    0 },
  { "persistent",
    { BEGIN (0, 1) "MPI_Send_init:100:7:1:" INT8 ":0:1:0,0,1:800:100\n"
                   "MPI_Recv_init:100:7:1:" INT8 ":0:1:0,0,1:808:100\n"
                   "MPI_Startall:100:2:800:100\nMPI_Waitall:100:2:800:1:100\n"
                   "MPI_Start:100:808:100\nMPI_Wait:100:808:1:100\n"
                   "MPI_Request_free:100:800:100\nMPI_Finalize:100:-\n" },
    FALSE,
    HEAD (1) "rank 0 {\n  send_init 0 8 tag=1 request=0\n  recv_init 0 8 tag=1 request=1\n  start "
             "0 1\n  waitall 0 1\n"
             "  start 1\n  wait 1\n  request_free 0\n  end 0ps\n}\n",
    0 },
  { "collectives",
    { BEGIN (0, 2) "MPI_Barrier:100:0,0,2:100\nMPI_Bcast:100:7:5:" INT8 ":1:0,0,2:100\n"
                   "MPI_Allreduce:100:7:8:3:" INT8 ":3:0,0,2:100\n"
                   "MPI_Reduce:100:7:8:3:" INT8 ":3:1:0,0,2:100\n"
                   "MPI_Gather:100:7:0:1,0,0:8:4:" INT8 ":0:0,0,2:100\n"
                   "MPI_Allgatherv:100:7:1:" INT8 ":8:77:1,2:78:0,1:" INT8 ":0,0,2:100\n"
                   "MPI_Alltoallv:100:7:70:1,2:71:0,1:" INT8 ":8:72:3,4:73:0,3:" INT8
                   ":0,0,2:100\nMPI_Finalize:100:-\n",
      BEGIN (1, 2) "MPI_Barrier:100:0,1,2:100\nMPI_Bcast:100:7:5:" INT8 ":1:0,1,2:100\n"
                   "MPI_Allreduce:100:7:8:3:" INT8 ":3:0,1,2:100\n"
                   "MPI_Reduce:100:7:8:3:" INT8 ":3:1:0,1,2:100\n"
                   "MPI_Gather:100:7:4:" INT8 ":8:0:1,0,0:0:0,1,2:100\n"
                   "MPI_Allgatherv:100:7:2:" INT8 ":8:77:1,2:78:0,1:" INT8 ":0,1,2:100\n"
                   "MPI_Alltoallv:100:7:70:3,4:71:0,1:" INT8 ":8:72:2,4:73:0,3:" INT8
                   ":0,1,2:100\nMPI_Finalize:100:-\n" },
    FALSE,
    HEAD (2) "rank 0 {\n  barrier\n  bcast 40 root=1\n  allreduce 24\n  reduce 24 root=1\n"
             "  gather 32\n  allgatherv 8 recv=[8,16]\n"
             "  alltoallv send=[8,16] recv=[24,32]\n  end 0ps\n}\nrank 1 {\n  barrier\n"
             "  bcast 40 root=1\n  allreduce 24\n  reduce 24 root=1\n  gather 32\n"
             "  allgatherv 16 recv=[8,16]\n  alltoallv send=[24,32] recv=[16,32]\n"
             "  end 0ps\n}\n",
    0 },
  { "not-modelled",
    { BEGIN (0, 1) "MPI_File_open:110:1,0,1:x:y:9:130\nMPI_Wtime:140:150\nMPI_Foo:160:160\n" END },
    FALSE,
    HEAD (1) "rank 0 {\n  compute 10us\n  other \"MPI_File_open\" 20us\n  compute 30us\n"
             "  other \"MPI_Foo\" 0ps\n  compute 840us\n  end 900us\n}\n",
    2 },
  { "clock-back",
    { BEGIN (0, 1) "MPI_Barrier:110:0,0,1:130\nMPI_Barrier:120:0,0,1:140\n" END },
    FALSE,
    HEAD (1) "rank 0 {\n  compute 10us\n  barrier\n  barrier\n  compute 860us\n  end 900us\n}\n",
    1 },
};

static guint
count_ranks (const char *const *ranks)
{
  guint n = 0;

  while (n < MAX_RANKS && ranks[n] != NULL)
    n++;
  return n;
}

static void
test_good (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  gboolean incomplete;
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PdProgram) program = read_ranks (good[i].ranks, count_ranks (good[i].ranks),
                                              good[i].recorded, &incomplete, messages, &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  g_assert_false (incomplete);
  text = get_text (program);
  g_assert_cmpstr (text, ==, good[i].expected);
  g_assert_cmpuint (pd_messages_get_n (messages), ==, good[i].n_messages);
}

/* ---- communicators */

/* World rank, and what it does between the beginning and the end. */
static const struct
{
  const char *name;
  const char *ranks[MAX_RANKS];
  const char *comms; /* lines of the text form; NULL: an error */
} comms[] = {
  { "split",
    { BEGIN (0, 4) "MPI_Comm_split:100:0,0,4:0:9:800:100\nMPI_Barrier:100:77,1,2:100\n" END,
      BEGIN (1, 4) "MPI_Comm_split:100:0,1,4:1:0:800:100\nMPI_Barrier:100:78,0,2:100\n" END,
      BEGIN (2, 4) "MPI_Comm_split:100:0,2,4:0:3:800:100\nMPI_Barrier:100:77,0,2:100\n" END,
      BEGIN (3, 4) "MPI_Comm_split:100:0,3,4:1:0:800:100\nMPI_Barrier:100:79,1,2:100\n" END },
    "comm 1 2 0\ncomm 2 1 3\n" },
  { "undefined-colour",
    { BEGIN (0, 2) "MPI_Comm_split:100:0,0,2:-32766:0:800:100\n" END,
      BEGIN (1, 2) "MPI_Comm_split:100:0,1,2:5:0:800:100\nMPI_Barrier:100:7,0,1:100\n" END },
    "comm 1 1\n" },
  { "dup",
    { BEGIN (0, 2) "MPI_Comm_dup:100:0,0,2:800:100\nMPI_Barrier:100:7,0,2:100\n" END,
      BEGIN (1, 2) "MPI_Comm_dup:100:0,1,2:800:100\nMPI_Barrier:100:7,1,2:100\n" END },
    "comm 1 0 1\n" },
  /* the handle is used again for other members */
  { "freed",
    { BEGIN (0, 3) "MPI_Comm_split:100:0,0,3:0:0:800:100\nMPI_Barrier:100:7,0,2:100\n"
                   "MPI_Comm_free:100:800:100\nMPI_Comm_split:100:0,0,3:0:0:800:100\n"
                   "MPI_Barrier:100:7,0,2:100\n" END,
      BEGIN (1, 3) "MPI_Comm_split:100:0,1,3:0:0:800:100\nMPI_Barrier:100:7,1,2:100\n"
                   "MPI_Comm_free:100:800:100\nMPI_Comm_split:100:0,1,3:1:0:800:100\n" END,
      BEGIN (2, 3) "MPI_Comm_split:100:0,2,3:1:0:800:100\nMPI_Comm_free:100:800:100\n"
                   "MPI_Comm_split:100:0,2,3:0:0:800:100\nMPI_Barrier:100:7,1,2:100\n" END },
    "comm 1 0 1\ncomm 2 2\ncomm 3 0 2\ncomm 4 1\n" },
  { "create",
    { BEGIN (0, 3) "MPI_Comm_create:100:0,0,3:55:800:100\n" END,
      BEGIN (1, 3) "MPI_Comm_create:100:0,1,3:55:800:100\nMPI_Barrier:100:7,1,2:100\n" END,
      BEGIN (2, 3) "MPI_Comm_create:100:0,2,3:55:800:100\nMPI_Barrier:100:7,0,2:100\n" END },
    "comm 1 2 1\n" },
  { "cart-used-by-one",
    { BEGIN (0, 2) "MPI_Cart_create:100:0,0,2:1:5:6:0:800:100\n" END,
      BEGIN (1, 2) "MPI_Cart_create:100:0,1,2:1:5:6:0:800:100\nMPI_Barrier:100:7,1,2:100\n" END },
    "comm 1 0 1\n" },
  { "of-a-part",
    { BEGIN (0, 3) "MPI_Comm_split:100:0,0,3:0:0:800:100\nMPI_Comm_dup:100:7,0,2:808:100\n"
                   "MPI_Barrier:100:8,0,2:100\n" END,
      BEGIN (1, 3) "MPI_Comm_split:100:0,1,3:0:1:800:100\nMPI_Comm_dup:100:7,1,2:808:100\n"
                   "MPI_Barrier:100:8,1,2:100\n" END,
      BEGIN (2, 3) "MPI_Comm_split:100:0,2,3:1:0:800:100\n" END },
    "comm 1 0 1\ncomm 2 2\ncomm 3 0 1\n" },
  { "self", { BEGIN (0, 2) "MPI_Barrier:100:1,0,1:100\n" END, BEGIN (1, 2) END }, "comm 1 0\n" },
  { "file-missing", { BEGIN (0, 3) END, BEGIN (1, 3) END }, NULL },
  { "unknown-members",
    { BEGIN (0, 3) "MPI_Barrier:100:7,0,2:100\n" END, BEGIN (1, 3) END, BEGIN (2, 3) END },
    NULL },
  { "not-all-come",
    { BEGIN (0, 2) "MPI_Comm_dup:100:0,0,2:800:100\n" END, BEGIN (1, 2) END },
    NULL },
  { "not-the-same",
    { BEGIN (0, 2) "MPI_Comm_dup:100:0,0,2:800:100\n" END,
      BEGIN (1, 2) "MPI_Cart_sub:100:0,1,2:5:800:100\n" END },
    NULL },
};

static void
test_comms (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  gboolean incomplete;
  g_autoptr (GError) error = NULL;
  g_autoptr (PdProgram) program =
      read_ranks (comms[i].ranks, count_ranks (comms[i].ranks), FALSE, &incomplete, NULL, &error);
  g_autoptr (GString) text = g_string_new (NULL);

  if (comms[i].comms == NULL)
    {
      g_assert_null (program);
      g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE);
      return;
    }
  g_assert_no_error (error);
  for (guint32 c = 1; c < pd_program_get_n_comms (program); c++)
    {
      guint32 n;
      const guint32 *ranks = pd_program_get_comm (program, c, &n);

      g_string_append_printf (text, "comm %u", c);
      for (guint32 k = 0; k < n; k++)
        g_string_append_printf (text, " %u", ranks[k]);
      g_string_append_c (text, '\n');
    }
  g_assert_cmpstr (text->str, ==, comms[i].comms);
}

/* In the last communicator that was made, with the handle of the first. */
static void
test_handle_again (void)
{
  static const char *const expected[] = { "barrier comm=1", "barrier comm=3" };
  const char *const *ranks = NULL;
  gboolean incomplete;
  g_autoptr (GError) error = NULL;
  g_autoptr (PdProgram) program = NULL;
  g_autofree char *text = NULL;
  const char *at;

  for (gsize i = 0; i < G_N_ELEMENTS (comms); i++)
    if (strcmp (comms[i].name, "freed") == 0)
      ranks = comms[i].ranks;
  program = read_ranks (ranks, 3, FALSE, &incomplete, NULL, &error);
  g_assert_no_error (error);
  at = text = get_text (program);
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      at = strstr (at, expected[i]);
      g_assert_nonnull (at);
      at++;
    }
}

/* ---- what is wrong */

static const struct
{
  const char *name;
  const char *line;
  PdTraceError code;
} bad[] = {
  { "no-time", "MPI_Barrier:x:0,0,1:130", PD_TRACE_ERROR_SYNTAX },
  { "no-arguments", "MPI_Barrier", PD_TRACE_ERROR_SYNTAX },
  { "too-few", "MPI_Send:100:7:1:" INT8 ":0:100", PD_TRACE_ERROR_SYNTAX },
  { "too-many", "MPI_Barrier:100:0,0,1:9:100", PD_TRACE_ERROR_SYNTAX },
  { "no-comm-size", "MPI_Barrier:100:0,0:100", PD_TRACE_ERROR_SYNTAX },
  { "no-type-size", "MPI_Send:100:7:1:5:0:1:0,0,1:100", PD_TRACE_ERROR_SYNTAX },
  { "number-too-large", "MPI_Barrier:100:18446744073709551616,0,1:100", PD_TRACE_ERROR_SYNTAX },
  { "time-too-large", "MPI_Barrier:99999999999999999:0,0,1:100", PD_TRACE_ERROR_SYNTAX },
  { "negative-count", "MPI_Send:100:7:-1:" INT8 ":0:1:0,0,1:100", PD_TRACE_ERROR_VALUE },
  { "2^63-bytes", "MPI_Send:100:7:4611686018427387904:" INT8 ":0:1:0,0,1:100",
    PD_TRACE_ERROR_VALUE },
  { "rank-out-of-range", "MPI_Send:100:7:1:" INT8 ":1:1:0,0,1:100", PD_TRACE_ERROR_VALUE },
  { "negative-tag", "MPI_Send:100:7:1:" INT8 ":0:-5:0,0,1:100", PD_TRACE_ERROR_VALUE },
  { "root-out-of-range", "MPI_Bcast:100:7:1:" INT8 ":1:0,0,1:100", PD_TRACE_ERROR_VALUE },
  { "counts-too-many", "MPI_Allgatherv:100:7:1:" INT8 ":8:77:1,2:78:0:" INT8 ":0,0,1:100",
    PD_TRACE_ERROR_VALUE },
};

static void
test_bad (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *text = g_strconcat (BEGIN (0, 1), bad[i].line, "\n", END, NULL);
  const char *texts[] = { text };
  gboolean incomplete;
  g_autoptr (GError) error = NULL;

  g_assert_null (read_ranks (texts, 1, FALSE, &incomplete, NULL, &error));
  g_assert_error (error, PD_TRACE_ERROR, (gint) bad[i].code);
  g_assert_true (g_str_has_prefix (error->message, "rank0:5: "));
}

/* A claim of very many requests costs no more than those there are. */
static void
test_many_requests (void)
{
  const char *texts[] = { BEGIN (0, 1) "MPI_Irecv:100:7:1:" INT8 ":0:1:0,0,1:800:100\n"
                                       "MPI_Waitall:100:1000000000000:800:5:100\n"
                                       "MPI_Startall:100:1000000000000:800:100\n" END };
  gboolean incomplete;
  g_autoptr (GError) error = NULL;
  g_autoptr (PdProgram) program = read_ranks (texts, 1, FALSE, &incomplete, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (pd_program_get_n_actions (program, 0), ==, 3);
}

/* Cut anywhere: what is there is used, and said to be incomplete. */
static void
test_cut (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    if (count_ranks (good[i].ranks) == 1)
      for (gsize size = 0; size + 1 < strlen (good[i].ranks[0]); size++)
        {
          g_autofree char *text = g_strndup (good[i].ranks[0], size);
          const char *texts[] = { text };
          gboolean incomplete;
          g_autoptr (GError) error = NULL;
          g_autoptr (PdProgram) program = read_ranks (texts, 1, TRUE, &incomplete, NULL, &error);

          g_assert_no_error (error);
          g_assert_true (incomplete || size + 2 >= strlen (good[i].ranks[0]));
        }
}

/* ---- files */

static void
test_files (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("test-allprof-XXXXXX", &error);
  static const char *const names[] = { "a1-00.txt", "a1-01.txt", "a1-10.txt", "b-0.txt",
                                       "b-1.txt",   "b-2.txt",   "c.txt" };
  static const struct
  {
    const char *path;
    guint n; /* 0: none */
    const char *first;
  } rows[] = {
    { "a1-00.txt", 2, "a1-00.txt" },
    { "a1-10.txt", 2, "a1-00.txt" },
    { "b-2.txt", 3, "b-0.txt" },
    { "b-", 3, "b-0.txt" },
    { "", 2, "a1-00.txt" },
    { "c.txt", 1, "c.txt" },
    { "d", 0, NULL },
  };

  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);
      g_assert_true (g_file_set_contents (path, "MPI_Init:-:1:2:100\n", -1, &error));
    }
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_build_filename (folder, rows[i].path, NULL);
      g_auto (GStrv) files = pd_allprof_find_files (path);
      g_autofree char *first =
          rows[i].n > 0 ? g_build_filename (folder, rows[i].first, NULL) : NULL;

      g_assert_cmpuint (files != NULL ? g_strv_length (files) : 0, ==, rows[i].n);
      g_assert_cmpstr (files != NULL ? files[0] : NULL, ==, first);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);
      g_remove (path);
    }
  g_rmdir (folder);
}

/* The table of formats knows it, by content, from a folder. */
static void
test_format (void)
{
  PdTraceSource source = { "tests/data/allprof", NULL };
  PdTraceReadOptions options = { .recorded = TRUE };
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMpTrace) trace = pd_mp_trace_read (&source, &options, messages, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (trace->format->name, ==, "allprof");
  g_assert_cmpuint (pd_mp_trace_get_n_ranks (trace), ==, 2);
  g_assert_cmpint (pd_program_get_recorded_end (trace->program, 1).ps, ==, 80250000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autofree char *path = g_strdup_printf ("/traces/allprof/good/%s", good[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_good);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (comms); i++)
    {
      g_autofree char *path = g_strdup_printf ("/traces/allprof/comms/%s", comms[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_comms);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = g_strdup_printf ("/traces/allprof/bad/%s", bad[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_bad);
    }
  g_test_add_func ("/traces/allprof/handle-again", test_handle_again);
  g_test_add_func ("/traces/allprof/many-requests", test_many_requests);
  g_test_add_func ("/traces/allprof/cut", test_cut);
  g_test_add_func ("/traces/allprof/files", test_files);
  g_test_add_func ("/traces/allprof/format", test_format);
  return g_test_run ();
}
