/* Ranks that do not fit together: what their calls become, so that all come to their ends.
 * SPDX-License-Identifier: MIT */
#include "scale/near/pd-scale-mend.h"
#include "tests/support/mp/programs-random.h"
#include "traces/program/pd-action-reader.h"

/* Programs of three ranks, and which calls change: rank and number, then partner, tag and bytes of
 * what is sent or received; of MPI_Sendrecv those of the receive; "out": it is left out. Without
 * buffers sends wait for their receives. */
static const struct
{
  const char *name;
  const char *text;
  const char *changes;
} rows[] = {
  { "fine", "0 send 1 8\n1 recv 0 8\n2 barrier\n0 barrier\n1 barrier\n", "" },
  { "to-nobody", "0 send 1 8\n0 send 1 8 tag=3\n1 recv 0 8\n2 compute 1s\n", "0.1 -2:3:8\n" },
  { "from-nobody", "0 send 1 8\n1 recv 0 8\n1 recv 0 8\n2 compute 1s\n", "1.1 -2:0:8\n" },
  { "other-sender", "0 compute 1s\n1 recv 0 8 tag=5\n2 send 1 8 tag=5\n", "1.0 2:5:8\n" },
  { "other-tag", "0 send 1 8 tag=4\n1 recv 0 8 tag=5\n2 compute 1s\n", "1.0 0:4:8\n" },
  { "same-tag-first", "0 send 1 8 tag=7\n1 recv 0 8 tag=5\n1 recv 0 8 tag=6\n2 send 1 8 tag=6\n",
    "1.0 0:7:8\n1.1 2:6:8\n" },
  { "room", "0 send 1 80\n1 recv 0 8\n2 compute 1s\n", "1.0 0:0:80\n" },
  { "both",
    "0 sendrecv 1 8 from=2 from-bytes=8\n1 sendrecv 2 8 from=2 from-bytes=8\n"
    "2 sendrecv 0 8 from=1 from-bytes=8\n",
    "1.0 0:0:8\n" },
  { "anybody", "0 recv any 8\n0 recv any 8\n0 recv any 8\n1 send 0 8\n2 send 0 8\n",
    "0.2 -2:0:8\n" },
  { "known-sender", "0 recv any 8 matched=2:0\n1 send 0 8\n2 compute 1s\n", "0.0 1:0:8\n" },
  { "any-tag", "0 recv 1 8 tag=any\n1 send 0 8 tag=9\n2 send 0 8 tag=9\n", "2.0 -2:9:8\n" },
  { "requests",
    "0 irecv 1 8 request=0\n0 irecv 2 8 request=1\n0 waitall 0 1\n1 isend 0 8 request=0\n1 wait 0\n"
    "2 compute 1s\n",
    "0.1 -2:0:8\n" },
  /* what persistent requests send is received, and they are not changed */
  { "persistent",
    "0 send_init 1 8 request=0\n0 start 0\n0 wait 0\n0 start 0\n0 wait 0\n0 request_free 0\n"
    "1 recv 0 8\n1 recv 0 8\n1 recv 0 8\n2 compute 1s\n",
    "1.2 -2:0:8\n" },
  /* of a circle the receive that comes first, and what was sent for it */
  { "circle", "0 recv 2 8\n0 send 1 8\n1 recv 0 8\n1 send 2 8\n2 recv 1 8\n2 send 0 8\n",
    "0.0 -2:0:8\n2.1 -2:0:8\n" },
  { "circle-of-requests",
    "0 irecv 1 8 request=0\n0 wait 0\n0 send 1 8\n1 irecv 0 8 request=0\n1 wait 0\n1 send 0 8\n"
    "2 compute 1s\n",
    "0.0 -2:0:0\n1.2 -2:0:8\n" },
  { "circle-with-barrier", "0 recv 1 8\n0 barrier\n1 barrier\n1 send 0 8\n2 barrier\n",
    "0.0 -2:0:8\n1.1 -2:0:8\n" },
  { "probe", "0 probe 1\n0 send 1 8\n0 recv 1 8\n1 recv 0 8\n1 send 0 8\n2 compute 1s\n",
    "0.0 -2:0:0\n" },
  { "one-more", "0 barrier\n0 barrier\n1 barrier\n2 barrier\n", "0.1 out\n" },
  { "other-operation", "0 barrier\n0 allreduce 8\n1 allreduce 8\n2 barrier\n2 allreduce 8\n",
    "0.0 out\n2.0 out\n" },
  { "other-order", "0 barrier\n0 allreduce 8\n1 allreduce 8\n1 barrier\n2 barrier\n2 allreduce 8\n",
    "0.1 out\n1.0 out\n2.1 out\n" },
  { "other-root", "0 bcast 8 root=0\n1 bcast 8 root=1\n2 bcast 8 root=0\n", "1.0 0:0:8\n" },
  { "begun", "0 ibarrier request=0\n0 wait 0\n0 send 1 8\n1 recv 0 8\n2 compute 1s\n",
    "0.0 out\n" },
  { "outcome",
    "0 irecv 1 8 request=0\n0 testall 0 done=0\n0 send 1 8\n1 recv 0 8\n1 send 0 8\n2 compute 1s\n",
    "0.2 -2:0:8\n1.0 -2:0:8\n" },
  { "sends", "0 send 1 8\n0 recv 1 8\n1 send 0 8\n1 recv 0 8\n2 compute 1s\n", "" },
  { "unbuffered-sends-in-circle", "0 send 1 8\n0 recv 1 8\n1 send 0 8\n1 recv 0 8\n2 compute 1s\n",
    "0.0 -2:0:8\n1.1 -2:0:8\n" },
  { "unbuffered-begun-sends",
    "0 isend 1 8 request=0\n0 wait 0\n0 recv 1 8\n1 isend 0 8 request=0\n1 wait 0\n1 recv 0 8\n"
    "2 compute 1s\n",
    "0.0 -2:0:0\n1.2 -2:0:8\n" },
  { "unbuffered-sends-that-meet",
    "0 isend 1 8 request=0\n0 recv 1 8\n0 wait 0\n1 sendrecv 0 8 from=0 from-bytes=8\n"
    "0 bsend 2 8\n0 recv 2 8\n2 send 0 8\n2 recv 0 8\n",
    "" },
  { "unbuffered-sends-to-anybody", "0 recv any 8\n0 recv any 8\n1 send 0 8\n2 send 0 8\n", "" },
  { "unbuffered-anybody-in-circle",
    "0 send 1 8\n0 recv any 8\n0 recv any 8\n1 send 0 8\n1 recv 0 8\n2 send 0 8\n",
    "0.0 -2:0:8\n1.1 -2:0:8\n" },
  /* a receive from anybody may take what was recorded to be another one's */
  { "anybody-first", "0 recv any 8\n0 recv any 8 matched=1:0\n1 send 0 8\n2 send 0 8\n",
    "0.1 -1:0:8\n" },
  { "anybody-before-one", "0 recv any 8\n0 recv 1 8\n1 send 0 8\n2 send 0 8\n", "0.0 2:0:8\n" },
};

static PdActionKind
find_kind (const PdProgram *program, guint32 rank, guint64 call)
{
  g_auto (PdActionReader) reader = { .program = NULL };
  const PdAction *action;

  pd_action_reader_init (&reader, program);
  pd_action_reader_begin (&reader, rank);
  while ((action = pd_action_reader_next (&reader)) != NULL)
    if (pd_scale_mends_counts (action->kind) && call-- == 0)
      return action->kind;
  g_assert_not_reached ();
}

static char *
list_changes (const PdScaleMends *mends, const PdProgram *program)
{
  GString *text = g_string_new (NULL);

  for (guint32 rank = 0; rank < 3; rank++)
    for (guint i = 0; mends->ranks[rank] != NULL && i < mends->ranks[rank]->len; i++)
      {
        const PdScaleMend *mend = &g_array_index (mends->ranks[rank], PdScaleMend, i);
        gboolean both = find_kind (program, rank, mend->call) == PD_ACT_SENDRECV;
        g_string_append_printf (text, "%u.%" G_GUINT64_FORMAT, rank, mend->call);
        if (mend->is_left_out)
          g_string_append (text, " out\n");
        else
          g_string_append_printf (
              text, " %d:%d:%" G_GINT64_FORMAT "\n", both ? mend->recv_peer : mend->peer,
              both ? mend->recv_tag : mend->tag, both ? mend->recv_bytes : mend->bytes);
      }
  return g_string_free (text, FALSE);
}

static void
test_mends (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *text = g_strconcat ("predictor-trace 1\nranks 3\n", rows[i].text, NULL);
  g_autoptr (PdMpTrace) trace = test_read_text (text);
  g_autoptr (PdScaleMends) mends = pd_scale_mends_new (3);

  g_assert_true (pd_scale_mends_match (mends, trace->program, NULL));
  g_assert_true (pd_scale_mends_execute (mends, trace->program,
                                         !g_str_has_prefix (rows[i].name, "unbuffered-"), NULL));
  g_autofree char *changes = list_changes (mends, trace->program);
  g_assert_cmpstr (changes, ==, rows[i].changes);
}

/* Both passes over a program can be interrupted. */
static void
test_stopped (void)
{
  g_autoptr (PdMpTrace) trace =
      test_read_text ("predictor-trace 1\nranks 3\n0 send 1 8\n1 recv 0 8\n2 compute 1s\n");
  g_autoptr (PdScaleMends) mends = pd_scale_mends_new (3);
  const volatile sig_atomic_t stop = 1;

  g_assert_false (pd_scale_mends_match (mends, trace->program, &stop));
  g_assert_false (pd_scale_mends_execute (mends, trace->program, TRUE, &stop));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/scale/mends/", rows[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_mends);
    }
  g_test_add_func ("/scale/mends/stopped", test_stopped);
  return g_test_run ();
}
