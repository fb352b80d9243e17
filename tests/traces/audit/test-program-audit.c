/* The check of programs: each kind of finding, and programs without any.
 * SPDX-License-Identifier: MIT */
#include "tests/support/mp/programs-random.h"
#include "traces/audit/pd-program-audit.h"

/* Programs of three ranks, and what is found: identifiers, each with the number
 * of times, the rank and the action of the first. */
static const struct
{
  const char *name;
  const char *text;
  const char *findings;
} rows[] = {
  { "fine", "0 send 1 8\n1 recv 0 8\n2 barrier\n0 barrier\n1 barrier\n", "" },
  { "any-order",
    "0 send 1 8 tag=1\n0 send 1 9 tag=2\n1 recv 0 9 tag=2\n1 recv 0 8 tag=1\n"
    "2 compute 1s\n",
    "" },
  { "requests",
    "0 isend 1 8 request=0\n0 irecv 2 4 request=1\n0 waitall 0 1\n1 irecv 0 8 request=0\n"
    "1 wait 0\n2 isend 0 4 request=0\n2 waitall\n",
    "" },
  { "persistent",
    "0 send_init 1 8 request=0\n0 start 0\n0 wait 0\n0 start 0\n0 wait 0\n0 request_free 0\n"
    "1 recv 0 8\n1 recv 0 8\n2 compute 1s\n",
    "" },
  { "unknown-outcome",
    "0 irecv 1 8 request=0\n0 testany 0\n0 test 0\n0 wait 0\n0 irecv 1 8 request=0\n"
    "0 test 0\n0 recv_init 1 8 request=1\n0 start 1\n0 waitany 1\n0 start 1\n0 wait 1\n"
    "1 send 0 8\n1 send 0 8\n1 send 0 8\n1 send 0 8\n2 compute 1s\n",
    "" },
  { "sendrecv",
    "0 sendrecv 1 8 from=2 from-bytes=4\n1 sendrecv 2 4 from=0 from-bytes=8\n2 sendrecv 0 4 from=1 "
    "from-bytes=4\n",
    "" },
  { "wildcards", "0 recv any 8\n0 recv any 8 tag=any\n1 send 0 8\n2 send 0 8 tag=7\n", "" },
  { "unmatched-send", "0 send 1 8\n0 send 1 8\n1 recv 0 8\n2 compute 1s\n",
    "unmatched-send 1 0 1\n" },
  { "unmatched-receive", "0 send 1 8 tag=3\n1 recv 0 8 tag=4\n2 compute 1s\n",
    "unmatched-send 1 0 0\nunmatched-receive 1 1 0\n" },
  { "unmatched-wildcard", "0 recv any 8\n0 recv 1 8\n1 send 0 8\n2 compute 1s\n",
    "unmatched-receive 1 0 0\n" },
  { "unmatched-nobody", "0 recv any 8\n1 compute 1s\n2 compute 1s\n", "unmatched-receive 1 0 0\n" },
  { "unmatched-persistent",
    "0 send_init 1 8 request=0\n0 start 0\n0 wait 0\n0 start 0\n0 wait 0\n1 recv 0 8\n"
    "2 compute 1s\n",
    "unmatched-send 1 0 3\n" },
  { "truncated", "0 send 1 8\n0 send 1 9\n1 recv 0 100\n1 recv 0 8\n2 compute 1s\n",
    "message-truncated 1 1 1\n" },
  { "operation", "0 barrier\n0 bcast 8\n1 barrier\n1 bcast 8\n2 bcast 8\n2 barrier\n",
    "collective-mismatch 1 2 0\n" },
  { "root", "0 bcast 8 root=1\n1 bcast 8 root=1\n2 bcast 8\n", "collective-mismatch 1 2 0\n" },
  { "size", "0 allreduce 8\n1 allreduce 16\n2 allreduce 8\n", "collective-mismatch 1 1 0\n" },
  { "sizes-that-may-differ", "0 gatherv 1 recv=[1,2,3]\n1 gatherv 2\n2 gatherv 3\n", "" },
  { "fewer", "0 barrier\n0 barrier\n1 barrier\n2 barrier\n2 barrier\n",
    "collective-missing 1 1 1\n" },
  { "fewer-first", "0 barrier\n1 barrier\n1 barrier\n2 barrier\n2 barrier\n",
    "collective-missing 1 0 0\n" },
  { "absent", "0 barrier\n1 barrier\n2 compute 1s\n", "collective-missing 1 0 0\n" },
  { "comm", "comm 1: 2 0\n0 barrier comm=1\n2 barrier comm=1\n1 compute 1s\n", "" },
  { "comm-ranks", "comm 1: 2 0\n0 send 0 8 comm=1\n2 recv 1 8 comm=1\n1 compute 1s\n", "" },
  { "member", "comm 1: 2 0\n1 barrier comm=1\n0 barrier comm=1\n2 barrier comm=1\n",
    "not-a-member 1 1 0\n" },
  { "open", "0 isend 1 8 request=0\n1 recv 0 8\n2 compute 1s\n", "request-open 1 0 1\n" },
  { "reused",
    "0 isend 1 8 request=0\n0 isend 1 8 request=0\n0 wait 0\n1 recv 0 8\n1 recv 0 8\n"
    "2 compute 1s\n",
    "request-reused 1 0 1\n" },
  { "unknown", "0 isend 1 8 request=0\n0 wait 0\n0 wait 0\n1 recv 0 8\n2 compute 1s\n",
    "request-unknown 1 0 2\n" },
  { "epochs",
    "0 win_start targets=[1,2]\n0 rput 1 8 request=a\n0 wait a\n0 win_complete\n"
    "1 win_post sources=[0]\n1 win_wait\n2 win_post sources=[0]\n2 win_wait\n",
    "" },
  { "no-post", "0 win_start targets=[1]\n0 win_complete\n1 compute 1s\n2 compute 1s\n",
    "epoch-mismatch 1 0 0\n" },
  { "no-start",
    "0 win_post sources=[1,2]\n1 win_start targets=[0]\n1 win_complete\n"
    "2 compute 1s\n",
    "epoch-mismatch 1 0 0\n" },
  { "complete-twice",
    "0 win_start targets=[1]\n0 win_complete\n0 win_complete\n1 win_post sources=[0]\n"
    "1 win_wait\n2 win_wait\n",
    "epoch-mismatch 2 0 2\n" },
  { "start", "0 isend 1 8 request=0\n0 start 0\n0 wait 0\n1 recv 0 8\n2 compute 1s\n",
    "request-reused 1 0 1\n" },
  { "interval-open", "0 enter \"a\"\n1 compute 1s\n2 compute 1s\n", "interval-open 1 0 1\n" },
  { "interval-mismatch",
    "0 enter \"a\"\n0 enter \"b\"\n0 leave \"a\"\n0 leave \"b\"\n1 barrier\n"
    "2 barrier\n0 barrier\n",
    "interval-mismatch 2 0 2\n" },
  { "alike-open", "0 alike_begin 1\n0 compute 1s\n1 compute 1s\n2 compute 1s\n",
    "alike-mismatch 1 0 2\n" },
  { "alike-nested",
    "0 alike_begin 1\n0 alike_begin 2\n0 alike_end 2\n0 compute 1s\n"
    "1 compute 1s\n2 compute 1s\n",
    "alike-mismatch 1 0 1\n" },
  { "alike-other", "0 alike_begin 1\n0 alike_end 2\n1 compute 1s\n2 compute 1s\n",
    "alike-mismatch 1 0 1\n" },
  { "alike", "0 alike_begin 1\n0 alike_end 1\n1 compute 1s\n2 compute 1s\n", "" },
  { "counts-agree",
    "0 alltoallv send=[9,2,3] recv=[9,4,7]\n1 alltoallv send=[4,0,6] recv=[2,0,8]\n"
    "2 alltoallv send=[7,8,1] recv=[3,6,1]\n",
    "" },
  { "counts-differ",
    "0 barrier\n1 barrier\n2 barrier\n0 alltoallv send=[0,2,3] recv=[0,4,7]\n"
    "1 alltoallv send=[4,0,6] recv=[2,0,8]\n2 alltoallv send=[7,8,0] recv=[3,5,0]\n",
    "counts-mismatch 1 1 1\n" },
  { "counts-swapped",
    "0 alltoallv send=[0,2,3] recv=[0,4,7]\n1 alltoallv send=[4,0,6] recv=[2,0,8]\n"
    "2 alltoallv send=[8,7,0] recv=[3,6,0]\n",
    "counts-mismatch 1 2 0\n" },
  { "counts-later",
    "0 alltoallv send=[0,2,3] recv=[0,4,7]\n1 alltoallv send=[4,0,6] recv=[2,0,8]\n"
    "2 alltoallv send=[7,8,0] recv=[3,6,0]\n0 alltoallv send=[0,2,3] recv=[0,4,7]\n"
    "1 alltoallv send=[4,0,6] recv=[2,0,8]\n2 alltoallv send=[7,8,0] recv=[3,9,0]\n",
    "counts-mismatch 1 1 1\n" },
  { "counts-gathered", "0 gatherv 1 recv=[1,2,4]\n1 gatherv 2\n2 gatherv 3\n",
    "counts-mismatch 1 2 0\n" },
  { "counts-scattered", "0 scatterv 1 send=[7,2,4]\n1 scatterv 2\n2 scatterv 3\n",
    "counts-mismatch 1 0 0\n" },
  { "after-end", "0 compute 1s\n0 end 1s\n0 compute 1s\n1 compute 1s\n2 compute 1s\n2 end 1s\n",
    "after-end 1 0 2\n" },
  { "paused",
    "0 delay 0s took=1s\n0 send 1 8\n1 delay 0s took=1s\n1 barrier\n1 wait 0\n2 compute 1s\n",
    "request-unknown 1 1 2\n" },
  { "idle", "0 compute 1s\n2 compute 1s\n", "rank-idle 1 1 0\n" },
};

static char *
list_findings (const PdMessages *messages)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < pd_messages_get_n (messages); i++)
    {
      const PdMessage *m = pd_messages_get (messages, i);
      g_string_append_printf (text, "%s %" G_GUINT64_FORMAT " %s\n", m->id, m->count, m->place);
    }
  return g_string_free (text, FALSE);
}

/* "id count rank number" of each message. */
static char *
summarise (const char *listed)
{
  g_autoptr (GRegex) regex = g_regex_new ("^(\\S+ \\d+) .*rank (\\d+), action (\\d+)(, \\w+)?$",
                                          G_REGEX_MULTILINE, 0, NULL);

  return g_regex_replace (regex, listed, -1, 0, "\\1 \\2 \\3", 0, NULL);
}

static void
test_row (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *text = g_strconcat ("predictor-trace 1\nranks 3\n", rows[i].text, NULL);
  g_autoptr (PdMpTrace) trace = test_read_text (text);
  g_autoptr (PdMessages) messages = pd_messages_new ();
  gboolean fine = pd_program_audit (trace->program, "t", FALSE, messages);
  g_autofree char *listed = list_findings (messages);
  g_autofree char *found = summarise (listed);

  g_test_message ("%s", listed);
  g_assert_cmpstr (found, ==, rows[i].findings);
  g_assert_cmpint (fine, ==, *rows[i].findings == '\0');
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strdup_printf ("/traces/program-audit/%s", rows[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_row);
    }
  return g_test_run ();
}
