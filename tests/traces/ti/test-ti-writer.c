/* Time-independent traces that are written: what actions become, and what is
 * said to be lost.
 * SPDX-License-Identifier: MIT */
#include "traces/ti/pd-ti-writer.h"
#include "tests/support/mp/programs-random.h"
#include "traces/ti/pd-ti-writer-private.h"

#include <glib/gstdio.h>
#include <unistd.h>

#define HEAD "predictor-trace 1\nranks 2\ncomputation flops\ncomm 1: 1 0\n"

/* Of rank 0; '|' separates lines. */
static const struct
{
  const char *name;
  const char *text;
  const char *ti;
  const char *lost; /* identifiers, with blanks between */
} rows[] = {
  { "plain", "compute 5|send 1 8 tag=3|recv none 8", "compute 5|send 1 3 8 6|recv -666 0 8 6", "" },
  { "blocks", "allgatherv 5|alltoallv 4|reduce_scatter 3",
    "allgatherv 5 5 5 6 6|alltoallv 8 4 4 8 4 4 6 6|reducescatter 3 3 0 6", "" },
  { "vectors", "gatherv 5 recv=[5,6]|scatterv 1 send=[1,2]|alltoallv send=[1,2] recv=[1,3]",
    "gatherv 5 5 6 0 6 6|scatterv 1 2 1 0 6 6|alltoallv 3 1 2 4 1 3 6 6", "" },
  { "near", "alltoallw 4|reduce_scatter_block 3", "alltoallv 8 4 4 8 4 4 6 6|reducescatter 3 3 0 6",
    "ti-lost-operation" },
  { "sums", "allreduce 5 sent=7 then=2|bcast 5 then=2", "allreduce 5 2 6|bcast 5 0 6",
    "ti-lost-sums ti-lost-computation" },
  { "waits", "isend 1 8 request=0|irecv 1 8 request=1|wait 1|wait 0|wait 0",
    "isend 1 0 8 6|irecv 1 0 8 6|wait 1 0 0|wait 0 1 0", "" },
  { "alike", "isend 1 8 request=0|isend 1 9 request=1|wait 1|wait 0",
    "isend 1 0 8 6|isend 1 0 9 6|wait 0 1 0|wait 0 1 0", "ti-lost-order" },
  { "alike-in-order", "ibcast 8 request=0|iallreduce 9 request=1|wait 0|wait 1",
    "ibcast 8 0 6|iallreduce 9 0 6|wait 0 0 -2|wait 0 0 -2", "" },
  { "waitall", "isend 1 8 request=0|waitall|isend 1 8 request=1|wait 1",
    "isend 1 0 8 6|waitall|isend 1 0 8 6|wait 0 1 0", "" },
  { "left-out", "isend 1 8 request=0|waitall 0|ibarrier comm=1 request=0|wait 0|ibarrier request=0",
    "isend 1 0 8 6|wait 0 1 0|ibarrier", "ti-lost-collective" },
  { "recorded", "recv any 8 tag=any matched=1:0 took=1us|end 5us", "recv -555 -444 8 6",
    "ti-lost-match ti-lost-time ti-lost-end" },
  { "outcomes", "isend 1 8 request=0|test 0 done=no|waitany 0 done=0",
    "isend 1 0 8 6|test 0 1 0|waitAny 1", "ti-lost-outcome ti-lost-requests" },
  { "places", "location \"a b.c\" 3|location \"\" 3|location \"a\\x0ab\" 3|location \" a\" 3",
    "location a b.c 3", "ti-lost-location" },
};

static char *
expand (const char *text, const char *first, const char *before, const char *last)
{
  g_auto (GStrv) parts = g_strsplit (text, "|", -1);
  g_autofree char *between = g_strconcat ("\n", before, NULL);
  g_autofree char *joined = g_strjoinv (between, parts);

  return g_strconcat (first, before, joined, "\n", last, NULL);
}

static void
check_lost (const PdMessages *messages, const char *lost)
{
  g_auto (GStrv) ids = g_strsplit (lost, " ", -1);
  guint n = 0;

  for (guint i = 0; ids[i] != NULL; i++)
    g_assert_cmpuint (pd_messages_count (messages, ids[i]), >, 0);
  for (guint i = 0; i < pd_messages_get_n (messages); i++)
    n += !g_strv_contains ((const char *const *) ids, pd_messages_get (messages, i)->id);
  g_assert_cmpuint (n, ==, 0);
}

static void
test_row (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *text = expand (rows[i].text, HEAD, "0 ", "");
  g_autofree char *expected = expand (rows[i].ti, "0 init\n", "0 ", "0 finalize\n");
  g_autofree char *all = g_strconcat (expected, "1 init\n1 finalize\n", NULL);
  g_autoptr (PdMpTrace) trace = test_read_text (text);
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL, *is = NULL;
  PdTraceWriteOptions options = { 1e9, NULL };

  close (g_file_open_tmp ("ti-XXXXXX", &path, &error));
  g_assert_no_error (error);
  g_assert_true (pd_trace_ti_write (trace, path, &options, messages, &error));
  g_assert_no_error (error);
  g_file_get_contents (path, &is, NULL, &error);
  g_unlink (path);
  g_assert_no_error (error);
  g_assert_cmpstr (is, ==, all);
  check_lost (messages, rows[i].lost);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/traces/ti-writer/", rows[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_row);
    }
  return g_test_run ();
}
