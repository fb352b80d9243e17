/* Inconsistent programs: what is found before they are simulated, and the circles
 * of those that cannot end.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-check.h"
#include "predictor/dvm/simulate/pd-simulation.h"
#include "tests/support/mp/mp-script.h"
#include "traces/graph/pd-graph.h"
#include "traces/audit/pd-program-audit.h"

#include <string.h>

#define NEVER (-1)

static const struct
{
  const char *name;
  guint32 n;
  const char *program;
  const char *id;   /* (nullable): of a message that must be there */
  gint code;        /* PdSimulationError; NEVER: it can be predicted */
  const char *last; /* (nullable): of the error, or of the warning, part of the last line */
} cases[] = {
  { "exchange", 2, "0 isend 1 8 0; 0 recv 1 8; 0 wait 0; 1 isend 0 8 0; 1 recv 0 8; 1 wait 0", NULL,
    NEVER, NULL },
  { "no-receive", 2, "0 send 1 8; 1 compute 1", "unmatched-send", PD_SIMULATION_ERROR_UNMATCHED,
    "unmatched-send" },
  { "no-send", 2, "0 compute 1; 1 recv 0 8", "unmatched-receive", PD_SIMULATION_ERROR_UNMATCHED,
    NULL },
  { "other-tag", 2, "0 send 1 8 3; 1 recv 0 8 4", "unmatched-send", PD_SIMULATION_ERROR_UNMATCHED,
    NULL },
  { "truncated", 2, "0 send 1 8; 1 recv 0 7", "message-truncated", PD_SIMULATION_ERROR_UNMATCHED,
    NULL },
  { "longer-receive", 2, "0 send 1 8; 1 recv 0 9", NULL, NEVER, NULL },
  { "other-operation", 2, "0 barrier; 1 bcast 0 8", "collective-mismatch",
    PD_SIMULATION_ERROR_UNMATCHED, NULL },
  { "other-root", 2, "0 bcast 0 8; 1 bcast 1 8", "collective-mismatch",
    PD_SIMULATION_ERROR_UNMATCHED, NULL },
  { "other-size", 2, "0 bcast 0 8; 1 bcast 0 16", "collective-mismatch",
    PD_SIMULATION_ERROR_UNMATCHED, NULL },
  /* sizes between which algorithms change: a simulation would hang */
  { "all-sizes-differ", 3, "0 allreduce 8; 1 allreduce 4096; 2 allreduce 16777216",
    "collective-mismatch", PD_SIMULATION_ERROR_UNMATCHED, NULL },
  { "missing", 2, "0 barrier; 0 barrier; 1 barrier", "collective-missing",
    PD_SIMULATION_ERROR_UNMATCHED, NULL },
  { "fence-or-barrier", 2, "0 fence; 1 barrier", "collective-mismatch",
    PD_SIMULATION_ERROR_UNMATCHED, NULL },
  { "fence-missing", 2, "0 fence; 0 put 1 8; 0 fence; 1 fence", "collective-missing",
    PD_SIMULATION_ERROR_UNMATCHED, NULL },
  { "fences", 2, "0 fence; 0 put 1 8; 0 fence; 1 fence; 1 fence", NULL, NEVER, NULL },
  { "unknown-request", 1, "0 wait 0", "request-unknown", PD_SIMULATION_ERROR_UNMATCHED, NULL },
  { "reused-request", 2, "0 isend 1 8 0; 0 isend 1 8 0; 0 wait 0; 1 recv 0 8; 1 recv 0 8",
    "request-reused", PD_SIMULATION_ERROR_UNMATCHED, NULL },
  { "open-request", 2, "0 isend 1 8 0; 1 recv 0 8", "request-open", NEVER, NULL },
  { "open-interval", 1, "0 enter a; 0 compute 1", "interval-open", NEVER, NULL },
  { "idle", 2, "0 compute 1", "rank-idle", NEVER, NULL },
  { "head-to-head", 2, "0 location a.c 5; 0 recv 1 8; 0 send 1 8; 1 recv 0 8; 1 send 0 8", NULL,
    PD_SIMULATION_ERROR_DEADLOCK,
    "cycle: rank 0 (MPI_Recv, action 1 at a.c:5) waits for rank 1 (MPI_Recv, action 0) waits for "
    "rank 0" },
  /* rank 0 is not in the circle it waits for */
  { "tail", 4,
    "0 recv 1 8; 1 recv 2 8; 1 send 0 8; 1 send 3 8; 2 recv 3 8; 2 send 1 8; 3 recv 1 8; 3 send 2 "
    "8",
    NULL, PD_SIMULATION_ERROR_DEADLOCK,
    "cycle: rank 1 (MPI_Recv, action 0) waits for rank 2 (MPI_Recv, action 0) waits for rank 3 "
    "(MPI_Recv, action 0) waits for rank 1" },
  { "ssend", 2, "0 ssend 1 8; 0 recv 1 8; 1 ssend 0 8; 1 recv 0 8", NULL,
    PD_SIMULATION_ERROR_DEADLOCK, "rank 0 (MPI_Ssend, action 0) waits for rank 1 (MPI_Ssend" },
  { "barrier-and-receive", 2, "0 barrier; 0 send 1 8; 1 recv 0 8; 1 barrier", NULL,
    PD_SIMULATION_ERROR_DEADLOCK, "rank 0 (MPI_Barrier, action 0) waits for rank 1 (MPI_Recv" },
  { "dup-and-receive", 2, "0 commdup; 0 send 1 8; 1 recv 0 8; 1 commdup", NULL,
    PD_SIMULATION_ERROR_DEADLOCK, "rank 0 (MPI_Comm_dup, action 0) waits for rank 1 (MPI_Recv" },
  { "fence-and-receive", 2, "0 fence; 0 send 1 8; 1 recv 0 8; 1 fence", NULL,
    PD_SIMULATION_ERROR_DEADLOCK, "rank 0 (MPI_Win_fence, action 0) waits for rank 1 (MPI_Recv" },
  { "any-source", 2, "0 recv any 8; 0 send 1 8; 1 recv any 8; 1 send 0 8", NULL,
    PD_SIMULATION_ERROR_DEADLOCK,
    "cycle: rank 0 (MPI_Recv, action 0) waits for rank 1 (MPI_Recv, action 0) waits for rank 0" },
  { "any-source-of-nobody", 1, "0 recv any 8; 0 send 0 8", NULL, PD_SIMULATION_ERROR_DEADLOCK,
    "rank 0 (MPI_Recv, action 0) waits for a rank that has ended" },
  { "buffered", 2, "0 send 1 8; 0 recv 1 8; 1 send 0 8; 1 recv 0 8", "relies-on-buffering", NEVER,
    "cycle: rank 0 (MPI_Send, action 0) waits for rank 1 (MPI_Send, action 0) waits for rank 0" },
  { "bsend", 2, "0 bsend 1 8; 0 recv 1 8; 1 bsend 0 8; 1 recv 0 8", NULL, NEVER, NULL },
  { "sendrecv", 2, "0 sendrecv 1 8 1 8; 1 sendrecv 0 8 0 8", NULL, NEVER, NULL },
};

static const PdMessage *
find_message (const PdMessages *messages, const char *id)
{
  for (guint i = 0; i < pd_messages_get_n (messages); i++)
    if (strcmp (pd_messages_get (messages, i)->id, id) == 0)
      return pd_messages_get (messages, i);
  return NULL;
}

static void
test_case (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();
  PdMpTrace trace = { .program = mp_script_new (cases[i].n, PD_AMOUNT_TIME, cases[i].program) };
  pd_program_audit (trace.program, "test", FALSE, messages);
  gboolean fine = pd_mp_check (&trace, "test", NULL, messages, &error);
  const PdMessage *message = cases[i].id != NULL ? find_message (messages, cases[i].id) : NULL;

  g_assert_cmpint (fine, ==, cases[i].code == NEVER);
  if (cases[i].code == NEVER)
    g_assert_no_error (error);
  else
    g_assert_error (error, PD_SIMULATION_ERROR, cases[i].code);
  g_assert_true ((cases[i].id != NULL) == (message != NULL));
  g_assert_true (cases[i].id != NULL || pd_messages_get_n (messages) == 0);
  if (cases[i].last != NULL)
    {
      const char *text = fine ? message->text : error->message;
      const char *line = strrchr (text, '\n');
      if (strstr (line != NULL ? line : text, cases[i].last) == NULL)
        g_error ("'%s' is not in '%s'", cases[i].last, text);
    }
  pd_program_free (trace.program);
}

/* What the user stops is neither good nor bad. */
static void
test_interrupted (void)
{
  const volatile sig_atomic_t stop = 1;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();
  guint32 n = 3000;

  for (guint32 i = 0; i < n; i++)
    g_string_append_printf (text, "%u barrier;", i);
  PdMpTrace trace = { .program = mp_script_new (n, PD_AMOUNT_TIME, text->str) };
  g_assert_false (pd_mp_check (&trace, "test", &stop, messages, &error));
  g_assert_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_INTERRUPTED);
  pd_program_free (trace.program);
}

/* A large circle is named in part. */
static void
test_large (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();
  guint32 n = 500;

  for (guint32 i = 0; i < n; i++)
    g_string_append_printf (text, "%u recv %u 8; %u send %u 8;", i, (i + n - 1) % n, i,
                            (i + 1) % n);
  PdMpTrace trace = { .program = mp_script_new (n, PD_AMOUNT_TIME, text->str) };
  g_assert_false (pd_mp_check (&trace, "test", NULL, messages, &error));
  g_assert_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_DEADLOCK);
  g_assert_nonnull (strstr (error->message, "… and 484 more\ncycle: rank 0 "));
  g_assert_nonnull (strstr (error->message, "… 488 more, the last of which waits for rank 0"));
  pd_program_free (trace.program);
}

/* What a trace that ends early lacks is no fault of the program. */
static void
test_incomplete (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();
  PdMpTrace trace = { .program = mp_script_new (2, PD_AMOUNT_TIME, "0 send 1 8; 1 compute 1"),
                      .incomplete = TRUE };

  g_assert_true (pd_mp_check (&trace, "test", NULL, messages, &error));
  g_assert_no_error (error);
  pd_program_audit (trace.program, "test", FALSE, messages);
  g_assert_nonnull (find_message (messages, "unmatched-send"));
  g_assert_true (pd_mp_check (&trace, "test", NULL, messages, &error));
  g_assert_no_error (error);
  pd_program_free (trace.program);
}

/* ---- graphs */

static const struct
{
  const char *name;
  PdGraphKind first; /* of both ranks; the other kind requires it */
  const char *id;
  gint code;
  const char *last;
} graphs[] = {
  { "receive-first", PD_GRAPH_RECV, NULL, PD_SIMULATION_ERROR_DEADLOCK,
    "cycle: rank 0 (recv, operation 0) waits for rank 1 (recv, operation 0) waits for rank 0" },
  { "send-first", PD_GRAPH_SEND, "relies-on-buffering", NEVER,
    "cycle: rank 0 (send, operation 0) waits for rank 1 (send, operation 0) waits for rank 0" },
};

static void
test_graph (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdGraphKind second = graphs[i].first == PD_GRAPH_RECV ? PD_GRAPH_SEND : PD_GRAPH_RECV;
  PdGraphBuilder *builder = pd_graph_builder_new (2);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();

  for (guint32 rank = 0; rank < 2; rank++)
    {
      const PdGraphOp a = { .kind = graphs[i].first, .size = 8, .peer = 1 - rank };
      const PdGraphOp b = { .kind = second, .size = 8, .peer = 1 - rank };
      pd_graph_builder_begin_rank (builder, rank);
      guint32 on = pd_graph_builder_add (builder, &a);
      guint32 op = pd_graph_builder_add (builder, &b);
      pd_graph_builder_depend (builder, op, on, FALSE);
    }
  PdMpTrace trace = { .graph = pd_graph_builder_finish (builder, &error) };
  gboolean fine = pd_mp_check (&trace, "test", NULL, messages, &error);
  g_assert_cmpint (fine, ==, graphs[i].code == NEVER);
  if (!fine)
    g_assert_error (error, PD_SIMULATION_ERROR, graphs[i].code);
  const PdMessage *message = graphs[i].id != NULL ? find_message (messages, graphs[i].id) : NULL;
  g_assert_true ((graphs[i].id != NULL) == (message != NULL));
  g_assert_nonnull (strstr (fine ? message->text : error->message, graphs[i].last));
  pd_graph_free (trace.graph);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/mp-check/case/", cases[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_case);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (graphs); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/mp-check/graph/", graphs[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_graph);
    }
  g_test_add_func ("/predictor/mp-check/large", test_large);
  g_test_add_func ("/predictor/mp-check/interrupted", test_interrupted);
  g_test_add_func ("/predictor/mp-check/incomplete", test_incomplete);
  return g_test_run ();
}
