/* Programs as graphs: small ones against what was worked out by hand, and
 * collective operations by what a graph of them must fulfil.
 * SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-graph-from-program.h"
#include "tests/support/mp/actions.h"
#include "traces/graph/pd-graph-check.h"
#include "traces/goal/pd-goal-write.h"
#include "traces/program/pd-program-builder.h"

#include <glib/gstdio.h>
#include <string.h>

static const PdGraphOptions options = { .collectives = "mpich1", .flops = 1e9 };

static char *
get_text (const PdGraph *graph)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  int fd = g_file_open_tmp ("test-graph-XXXXXX", &path, &error);
  g_autoptr (PdOutput) out = NULL;
  char *text;

  g_assert_no_error (error);
  g_close (fd, NULL);
  out = pd_output_new (path, &error);
  pd_goal_write_text (graph, out);
  g_assert_true (pd_output_close (out, &error));
  g_assert_true (g_file_get_contents (path, &text, NULL, &error));
  g_remove (path);
  return text;
}

static PdAction
p2p (PdActionKind kind, gint32 peer, gint32 tag, gint64 bytes, guint32 request)
{
  PdAction action = test_action (kind);

  action.peer = peer;
  action.tag = tag;
  action.bytes = bytes;
  action.request = request;
  return action;
}

static PdAction
wait (guint32 request)
{
  PdAction action = test_action (PD_ACT_WAIT);

  action.request = request;
  return action;
}

/* Finishes @builder and compares what its graph looks like. */
static void
assert_graph (PdProgramBuilder *builder, const char *expected, guint n_messages)
{
  g_autoptr (PdProgram) program = pd_program_builder_finish (builder);
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PdGraph) graph = pd_graph_from_program (program, &options, messages, &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  text = get_text (graph);
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpuint (pd_messages_get_n (messages), ==, n_messages);
}

static void
test_blocking (void)
{
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);

  test_add (builder, 0, test_compute (5000));
  test_add (builder, 0, p2p (PD_ACT_SEND, 1, 7, 100, 0));
  test_add (builder, 0, test_compute (2000));
  test_add (builder, 0, p2p (PD_ACT_RECV, -1, -1, 50, 0));
  test_add (builder, 0, p2p (PD_ACT_SEND, PD_PROGRAM_PROC_NULL, 7, 100, 0));
  test_add (builder, 0, test_compute (1000));
  test_add (builder, 1, p2p (PD_ACT_RECV, 0, 7, 100, 0));
  test_add (builder, 1, p2p (PD_ACT_SEND, 0, 1, 50, 0));
  assert_graph (builder,
                "num_ranks 2\n\nrank 0 {\nl0: calc 5\nl1: send 100b to 1 tag 7\nl1 requires l0\n"
                "l2: calc 2\nl2 requires l1\nl3: recv 50b from -1 tag -1\nl3 requires l2\n"
                "l4: calc 1\nl4 requires l3\n}\n\nrank 1 {\nl0: recv 100b from 0 tag 7\n"
                "l1: send 50b to 0 tag 1\nl1 requires l0\nl2: calc 0\nl2 requires l1\n}\n",
                0);
}

/* A successful test for all is a wait for all, whatever else is said of it. */
static void
test_testall (void)
{
  static const guint32 slots[] = { 0, 1 }, done[] = { 0 };
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);
  PdAction test = test_action (PD_ACT_TESTALL);

  test.slots = slots;
  test.n_slots = G_N_ELEMENTS (slots);
  test.done = done;
  test.n_done = G_N_ELEMENTS (done);
  test.has_done = TRUE;
  test_add (builder, 0, p2p (PD_ACT_IRECV, 1, 1, 8, 0));
  test_add (builder, 0, p2p (PD_ACT_IRECV, 1, 2, 8, 1));
  test_add (builder, 0, test);
  test_add (builder, 0, test_compute (1000));
  assert_graph (builder,
                "num_ranks 2\n\nrank 0 {\nl0: recv 8b from 1 tag 1\nl1: recv 8b from 1 tag 2\n"
                "l1 irequires l0\nl2: calc 1\nl2 requires l0\nl2 requires l1\n}\n\nrank 1 {\n}\n",
                0);
}

/* What follows a start waits for that, what follows a wait for the end. */
static void
test_nonblocking (void)
{
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);
  PdAction both = test_action (PD_ACT_WAITALL);
  static const guint32 slots[] = { 0, 1 };

  both.slots = slots;
  both.n_slots = 2;
  test_add (builder, 0, p2p (PD_ACT_IRECV, 1, 1, 10, 0));
  test_add (builder, 0, p2p (PD_ACT_ISEND, 1, 2, 20, 1));
  test_add (builder, 0, test_compute (9000));
  test_add (builder, 0, both);
  test_add (builder, 0, test_compute (3000));
  test_add (builder, 1, p2p (PD_ACT_ISEND, 0, 1, 10, 0));
  test_add (builder, 1, wait (0));
  test_add (builder, 1, p2p (PD_ACT_RECV, 0, 2, 20, 0));
  assert_graph (builder,
                "num_ranks 2\n\nrank 0 {\nl0: recv 10b from 1 tag 1\nl1: send 20b to 1 tag 2\n"
                "l1 irequires l0\nl2: calc 9\nl2 irequires l1\nl3: calc 3\nl3 requires l0\n"
                "l3 requires l1\nl3 requires l2\n}\n\nrank 1 {\nl0: send 10b to 0 tag 1\n"
                "l1: recv 20b from 0 tag 2\nl1 requires l0\nl2: calc 0\nl2 requires l1\n}\n",
                0);
}

static void
test_persistent (void)
{
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);
  PdAction start = test_action (PD_ACT_START);
  static const guint32 slots[] = { 0 };

  start.slots = slots;
  start.n_slots = 1;
  test_add (builder, 0, p2p (PD_ACT_SEND_INIT, 1, 4, 8, 0));
  for (guint i = 0; i < 2; i++)
    {
      test_add (builder, 0, start);
      test_add (builder, 0, wait (0));
      test_add (builder, 1, p2p (PD_ACT_RECV, 0, 4, 8, 0));
    }
  test_add (builder, 0, p2p (PD_ACT_REQUEST_FREE, 0, 0, 0, 0));
  assert_graph (builder,
                "num_ranks 2\n\nrank 0 {\nl0: send 8b to 1 tag 4\nl1: send 8b to 1 tag 4\n"
                "l1 requires l0\nl2: calc 0\nl2 requires l1\n}\n\nrank 1 {\n"
                "l0: recv 8b from 0 tag 4\nl1: recv 8b from 0 tag 4\nl1 requires l0\n"
                "l2: calc 0\nl2 requires l1\n}\n",
                0);
}

/* 1000 times 1.0015 us are 1,001,500 ns, however often they are cut. */
static void
test_rests (void)
{
  PdProgramBuilder *builder = pd_program_builder_new (1, PD_AMOUNT_TIME);
  g_autoptr (PdProgram) program = NULL;
  g_autoptr (PdGraph) graph = NULL;
  g_autoptr (GError) error = NULL;
  gint64 sum = 0;

  for (guint i = 0; i < 1000; i++)
    {
      test_add (builder, 0, test_compute (1001500));
      test_add (builder, 0, p2p (PD_ACT_SEND, 0, 0, 8, 0));
      test_add (builder, 0, p2p (PD_ACT_RECV, 0, 0, 8, 0));
    }
  program = pd_program_builder_finish (builder);
  graph = pd_graph_from_program (program, &options, NULL, &error);
  g_assert_no_error (error);
  for (guint32 i = 0; i < pd_graph_get_n_ops (graph, 0); i++)
    {
      PdGraphOp op;

      pd_graph_get_op (graph, 0, i, &op);
      if (op.kind == PD_GRAPH_CALC && op.size > 0)
        {
          g_assert_true (op.size == 1001 || op.size == 1002);
          sum += op.size;
        }
    }
  g_assert_cmpint (sum, ==, 1001500);
}

static void
test_flops (void)
{
  PdProgramBuilder *builder = pd_program_builder_new (1, PD_AMOUNT_FLOPS);
  PdAction action = test_action (PD_ACT_COMPUTE);

  action.amount.flops = 12345;
  test_add (builder, 0, action);
  assert_graph (builder, "num_ranks 1\n\nrank 0 {\nl0: calc 12345\n}\n", 0);
}

/* The same tag in two communicators, and collective operations in between. */
static void
test_tags (void)
{
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);
  static const guint32 swapped[] = { 1, 0 };
  g_autoptr (GError) error = NULL;
  PdAction send = p2p (PD_ACT_SEND, 1, 7, 10, 0), recv = p2p (PD_ACT_RECV, 0, 7, 10, 0);
  PdAction bcast = test_action (PD_ACT_COLLECTIVE);

  g_assert_cmpuint (pd_program_builder_add_comm (builder, swapped, 2, &error), ==, 1);
  bcast.op = PD_COLL_BCAST;
  bcast.peer = 0;
  bcast.bytes = 99;
  test_add (builder, 0, send);
  test_add (builder, 0, bcast);
  test_add (builder, 1, recv);
  test_add (builder, 1, bcast);
  send.comm = recv.comm = bcast.comm = 1;
  test_add (builder, 1, send); /* rank 0 of that communicator */
  test_add (builder, 1, bcast);
  test_add (builder, 0, recv);
  test_add (builder, 0, bcast);
  assert_graph (
      builder,
      "num_ranks 2\n\nrank 0 {\nl0: send 10b to 1 tag 7\nl1: send 99b to 1 tag 8\n"
      "l1 requires l0\nl2: recv 10b from 1 tag 9\nl2 requires l1\n"
      "l3: recv 99b from 1 tag 10\nl3 requires l2\nl4: calc 0\nl4 requires l3\n}\n\nrank 1 {\n"
      "l0: recv 10b from 0 tag 7\nl1: recv 99b from 0 tag 8\nl1 requires l0\n"
      "l2: send 10b to 0 tag 9\nl2 requires l1\nl3: send 99b to 0 tag 10\n"
      "l3 requires l2\nl4: calc 0\nl4 requires l3\n}\n",
      0);
}

/* An operation beside the rank: both go on from where it was started. */
static void
test_beside (void)
{
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);
  PdAction bcast = test_action (PD_ACT_ICOLLECTIVE);

  bcast.op = PD_COLL_BCAST;
  bcast.peer = 0;
  bcast.bytes = 99;
  for (guint32 rank = 0; rank < 2; rank++)
    {
      test_add (builder, rank, test_compute (1000));
      test_add (builder, rank, bcast);
      test_add (builder, rank, test_compute (5000));
      test_add (builder, rank, wait (0));
      test_add (builder, rank, test_compute (2000));
    }
  assert_graph (builder,
                "num_ranks 2\n\nrank 0 {\nl0: calc 1\nl1: send 99b to 1 tag 1\nl1 requires l0\n"
                "l2: calc 5\nl2 requires l0\nl3: calc 2\nl3 requires l1\nl3 requires l2\n}\n\n"
                "rank 1 {\nl0: calc 1\nl1: recv 99b from 0 tag 1\nl1 requires l0\nl2: calc 5\n"
                "l2 requires l0\nl3: calc 2\nl3 requires l1\nl3 requires l2\n}\n",
                0);
}

/* What is lost is said. */
static void
test_lost (void)
{
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);
  PdAction any = test_action (PD_ACT_WAITANY), test = test_action (PD_ACT_TEST);
  static const guint32 slots[] = { 0 };

  any.slots = slots;
  any.n_slots = 1;
  test.request = 0;
  test_add (builder, 0, p2p (PD_ACT_ISSEND, 1, 1, 10, 0));
  test_add (builder, 0, test);
  test_add (builder, 0, any);
  test_add (builder, 1, p2p (PD_ACT_PROBE, 0, 1, 0, 0));
  test_add (builder, 1, p2p (PD_ACT_RECV, 0, 1, 10, 0));
  assert_graph (
      builder,
      "num_ranks 2\n\nrank 0 {\nl0: send 10b to 1 tag 1\nl1: calc 0\nl1 requires l0\n}\n\n"
      "rank 1 {\nl0: recv 10b from 0 tag 1\nl1: calc 0\nl1 requires l0\n}\n",
      4);
}

/* A message that was cancelled is not waited for; what was recorded is not told. */
static void
test_cancelled (void)
{
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);
  PdAction cancel = test_action (PD_ACT_CANCEL), recv = p2p (PD_ACT_RECV, PD_PROGRAM_ANY, 1, 10, 0);
  PdAction delay = test_action (PD_ACT_DELAY);

  recv.matched_peer = 0;
  recv.recorded = 5;
  delay.amount.time = PD_TIME (3000);
  test_add (builder, 0, p2p (PD_ACT_ISEND, 1, 1, 10, 0));
  test_add (builder, 0, cancel);
  test_add (builder, 0, wait (0));
  test_add (builder, 0, delay);
  test_add (builder, 1, recv);
  assert_graph (builder,
                "num_ranks 2\n\nrank 0 {\nl0: send 10b to 1 tag 1\nl1: calc 3\n"
                "l1 irequires l0\n}\n\nrank 1 {\nl0: recv 10b from -1 tag 1\nl1: calc 0\n"
                "l1 requires l0\n}\n",
                4);
}

/* ---- collective operations: every message has its partner, of the same size */

static void
test_collectives (void)
{
  static const char *const sets[] = { "mpich1", "mpich4", "openmpi4", "smpi" };
  static const PdCollKind kinds[] = { PD_COLL_BARRIER,   PD_COLL_BCAST,     PD_COLL_REDUCE,
                                      PD_COLL_ALLREDUCE, PD_COLL_GATHER,    PD_COLL_SCATTER,
                                      PD_COLL_ALLGATHER, PD_COLL_ALLTOALL,  PD_COLL_SCAN,
                                      PD_COLL_COMM_DUP,  PD_COLL_COMM_SPLIT };

  for (gsize s = 0; s < G_N_ELEMENTS (sets); s++)
    for (guint32 n = 1; n <= 9; n++)
      for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++)
        {
          PdProgramBuilder *builder = pd_program_builder_new (n, PD_AMOUNT_TIME);
          g_autoptr (PdProgram) program = NULL;
          g_autoptr (PdGraph) graph = NULL;
          g_autoptr (PdMessages) messages = pd_messages_new ();
          g_autoptr (GError) error = NULL;
          PdGraphOptions with = { .collectives = sets[s], .flops = 1e9 };
          PdAction action = test_action (k % 2 == 0 ? PD_ACT_COLLECTIVE : PD_ACT_ICOLLECTIVE);

          action.op = kinds[k];
          action.peer = 0;
          action.bytes = 100000;
          for (guint32 rank = 0; rank < n; rank++)
            {
              test_add (builder, rank, action);
              if (action.kind == PD_ACT_ICOLLECTIVE)
                test_add (builder, rank, wait (0));
            }
          program = pd_program_builder_finish (builder);
          graph = pd_graph_from_program (program, &with, messages, &error);
          g_assert_no_error (error);
          g_assert_cmpuint (pd_graph_check (graph, "test", messages), ==, 0);
          g_assert_cmpuint (pd_messages_count (messages, "graph-size-differs"), ==, 0);
          g_assert_cmpint (pd_graph_get_totals (graph)->n_ops > 0, ==, n > 1);
        }
}

static void
test_unknown_sets (void)
{
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);
  g_autoptr (PdProgram) program = NULL;
  PdAction action = test_action (PD_ACT_COLLECTIVE);
  static const struct
  {
    const char *set;
    gboolean is_machine;
  } rows[] = { { "no-such-set", TRUE }, { "simple", FALSE } };

  action.op = PD_COLL_BARRIER;
  test_add (builder, 0, action);
  test_add (builder, 1, action);
  program = pd_program_builder_finish (builder);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      PdGraphOptions with = { .collectives = rows[i].set, .flops = 1e9 };
      g_autoptr (GError) error = NULL;

      g_assert_null (pd_graph_from_program (program, &with, NULL, &error));
      if (rows[i].is_machine)
        g_assert_cmpuint (error->domain, ==, PD_MACHINE_ERROR);
      else
        g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/predictor/graph-from-program/blocking", test_blocking);
  g_test_add_func ("/predictor/graph-from-program/nonblocking", test_nonblocking);
  g_test_add_func ("/predictor/graph-from-program/testall", test_testall);
  g_test_add_func ("/predictor/graph-from-program/persistent", test_persistent);
  g_test_add_func ("/predictor/graph-from-program/rests", test_rests);
  g_test_add_func ("/predictor/graph-from-program/flops", test_flops);
  g_test_add_func ("/predictor/graph-from-program/tags", test_tags);
  g_test_add_func ("/predictor/graph-from-program/beside", test_beside);
  g_test_add_func ("/predictor/graph-from-program/lost", test_lost);
  g_test_add_func ("/predictor/graph-from-program/cancelled", test_cancelled);
  g_test_add_func ("/predictor/graph-from-program/collectives", test_collectives);
  g_test_add_func ("/predictor/graph-from-program/unknown-sets", test_unknown_sets);
  return g_test_run ();
}
