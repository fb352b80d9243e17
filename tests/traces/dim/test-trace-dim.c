/* Dimemas traces: what becomes of each kind of record, what is refused, and what
 * happens to a trace that is cut anywhere.
 * SPDX-License-Identifier: MIT */
#include "traces/open/pd-trace-read.h"
#include "traces/program/pd-action.h"

#include <string.h>

#define ONE "#DIMEMAS:\"t\":0:1(1),1\nd:1:1:1:0\n"
#define TWO "#DIMEMAS:\"t\":0:2(1,1),1\nd:1:1:2:0:1\n"

static PdMpTrace *
read_text (const char *text, gsize size, PdMessages *messages, GError **error)
{
  const PdTraceReadOptions options = { .recorded = FALSE };
  g_autoptr (GBytes) bytes = g_bytes_new (text, size);
  const PdTraceSource source = { "test", bytes };

  return pd_mp_trace_read (&source, &options, messages, error);
}

static void
add_action (GString *out, const PdProgram *program, const PdAction *action)
{
  g_string_append_printf (out, "%s%s", out->len > 0 ? "; " : "", pd_action_name (action));
  switch (action->kind)
    {
    case PD_ACT_COMPUTE:
    case PD_ACT_DELAY:
      g_string_append_printf (out, " %" G_GINT64_FORMAT, action->amount.time.ps);
      break;
    case PD_ACT_WAIT:
    case PD_ACT_REQUEST_FREE:
      g_string_append_printf (out, " #%u", action->request);
      break;
    case PD_ACT_ENTER:
    case PD_ACT_LEAVE:
      {
        const PdProgramInterval *i = pd_program_get_interval (program, action->interval);
        g_string_append_printf (out, " %s(%s:%" G_GINT64_FORMAT ")", i->name, i->file, i->line);
        break;
      }
    case PD_ACT_COLLECTIVE:
    case PD_ACT_ICOLLECTIVE:
      g_string_append_printf (
          out, " root %d %" G_GINT64_FORMAT " (%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ")",
          action->peer, action->bytes, action->sent_bytes, action->recv_bytes);
      break;
    default:
      g_string_append_printf (out, " %d %" G_GINT64_FORMAT " tag %d", action->peer, action->bytes,
                              action->tag);
    }
  if (action->kind == PD_ACT_ISEND || action->kind == PD_ACT_ISSEND || action->kind == PD_ACT_IRECV
      || action->kind == PD_ACT_ICOLLECTIVE)
    g_string_append_printf (out, " #%u", action->request);
  if (action->comm > 0)
    g_string_append_printf (out, " comm %u", action->comm);
}

/* The actions of @rank, for comparison. */
static char *
describe (const PdProgram *program, guint32 rank)
{
  GString *out = g_string_new (NULL);
  const PdProgramCell *end, *cell = pd_program_get_cells (program, rank, &end);
  PdLoops loops = { 0 };
  PdAction action;

  while (cell < end)
    {
      cell = pd_loops_read (&loops, cell, end, &action);
      add_action (out, program, &action);
    }
  return g_string_free (out, FALSE);
}

static const struct
{
  const char *name;
  const char *text;
  const char *actions; /* of task 0 */
  const char *warning; /* (nullable): the only one */
} good[] = {
  { "burst", ONE "1:0:0:0.010000000\n1:0:0:2\n1:0:0:0.000000000001\n",
    "compute 10000000000; compute 2000000000000; compute 1", NULL },
  { "burst-of-nothing", ONE "1:0:0:0.000000000\n0:0:0\n", "", NULL },
  { "burst-written-otherwise", ONE "1:0:0:1e-3\n1:0:0:.5\n1:0:0:0.0000000000015\n",
    "compute 1000000000; compute 500000000000; compute 2", NULL },
  { "accelerator", ONE "11:0:0:0.001\n", "delay 1000000000", "dim-accelerator" },
  { "no-newline", ONE "1:0:0:1", "compute 1000000000000", NULL },
  { "carriage-returns", "#DIMEMAS:\"t\":0:1(1),1\r\nd:1:1:1:0\r\n1:0:0:1\r\n3:0:0:0:-1:8:1:1:0\r\n",
    "compute 1000000000000; MPI_Recv 0 8 tag 1", NULL },
  { "sends",
    TWO
    "2:0:0:1:-1:10:1:1:0\n2:0:0:1:-1:20:2:1:1\n2:0:0:1:-1:30:3:1:2\n2:0:0:1:-1:40:4:1:3\n1:1:0:1\n",
    "MPI_Send 1 10 tag 1; MPI_Ssend 1 20 tag 2; MPI_Isend 1 30 tag 3 #0; MPI_Request_free #0; "
    "MPI_Issend 1 40 tag 4 #0; MPI_Request_free #0",
    NULL },
  { "without-thread-of-partner", TWO "2:0:0:1:10:1:1:0\n3:0:0:1:10:1:1:0\n1:1:0:1\n",
    "MPI_Send 1 10 tag 1; MPI_Recv 1 10 tag 1", NULL },
  { "waits-oldest-first",
    TWO "3:0:0:1:-1:1:5:1:1\n3:0:0:1:-1:2:5:1:1\n3:0:0:1:-1:3:6:1:1\n3:0:0:1:-1:3:6:1:2\n3:0:0:1:-"
        "1:1:5:1:2\n3:0:0:1:-1:9:7:1:1\n3:0:0:1:-1:1:5:1:2\n1:1:0:1\n",
    "MPI_Irecv 1 1 tag 5 #0; MPI_Irecv 1 2 tag 5 #1; MPI_Irecv 1 3 tag 6 #2; MPI_Wait #2; "
    "MPI_Wait #0; MPI_Irecv 1 9 tag 7 #0; MPI_Wait #1",
    NULL },
  { "a-send-beside-receives",
    TWO "3:0:0:1:-1:1:5:1:1\n2:0:0:1:-1:1:5:1:2\n3:0:0:1:-1:1:5:1:2\n1:1:0:1\n",
    "MPI_Irecv 1 1 tag 5 #0; MPI_Isend 1 1 tag 5 #1; MPI_Request_free #1; MPI_Wait #0", NULL },
  { "wait-for-nothing", TWO "3:0:0:1:-1:1:5:1:2\n1:1:0:1\n", "", "dim-wait" },
  { "communicator",
    "#DIMEMAS:\"t\":0:3(1,1,1),2\nd:1:7:3:0:1:2\nd:1:9:2:2:0\nd:3:1:3:0:1:2\n2:0:0:2:-1:5:1:9:0\n3:"
    "0:0:2:-1:5:1:7:0\n1:1:0:1\n1:2:0:1\n",
    "MPI_Send 0 5 tag 1 comm 1; MPI_Recv 2 5 tag 1", NULL },
  { "collectives",
    TWO "10:0:0:1:1:0:0:0:80:1\n10:0:0:4:1:0:0:160:80:1\n10:0:0:2:1:0:0:80:160\n10:0:0:8:1:0:0:81:"
        "81:1\n1:1:0:1\n10:1:0:1:1:1:0:80:0:1\n10:1:0:4:1:1:0:160:80:1\n10:1:0:2:1:1:0:80:160\n10:"
        "1:0:8:1:0:0:81:81:1\n",
    "MPI_Bcast root 1 80 (0,80); MPI_Scatter root 1 80 (160,80); MPI_Gather root 1 80 (80,160); "
    "MPI_Alltoall root 0 41 (81,81)",
    NULL },
  { "collective-without-root", ONE "10:0:0:1:1:0:0:8:8:1\n", "MPI_Bcast root 0 8 (8,8)",
    "dim-no-root" },
  { "root-named-by-all",
    TWO "10:0:0:10:1:1:0:8:8:3\n10:0:0:10:1:0:0:8:8:3\n1:1:0:1\n10:1:0:10:1:1:0:8:8:3\n"
        "10:1:0:10:1:0:0:8:8:3\n",
    "MPI_Reduce root 1 8 (8,8); MPI_Reduce root 0 8 (8,8)", NULL },
  { "non-blocking-collective",
    ONE
    "10:0:0:27:1:0:0:8:8\n10:0:0:16:1:0:0:0:0:0\n10:0:0:16:1:0:0:0:0:2\n10:0:0:27:1:0:0:8:8:2\n",
    "MPI_Iallreduce root 0 8 (8,8) #0; MPI_Ibarrier root 0 0 (0,0) #1; MPI_Wait #1; MPI_Wait #0",
    NULL },
  { "blocks", ONE "20:0:0:60:3\n1:0:0:1\n20:0:0:61:4\n20:0:0:61:0\n20:0:0:60:0\n",
    "enter 60:3(60:3); compute 1000000000000; enter 61:4(61:4); leave 61:4(61:4); leave 60:3(60:3)",
    NULL },
  { "blocks-within-themselves", ONE "20:0:0:60:3\n20:0:0:60:4\n20:0:0:60:0\n20:0:0:60:0\n",
    "enter 60:3(60:3); enter 60:4(60:4); leave 60:4(60:4); leave 60:3(60:3)", NULL },
  { "counters-are-no-blocks", ONE "20:0:0:42:100\n20:0:0:60:3\n20:0:0:42:200\n20:0:0:60:0\n",
    "enter 60:3(60:3); leave 60:3(60:3)", NULL },
  { "crossing-blocks", ONE "20:0:0:60:3\n20:0:0:61:1\n20:0:0:60:0\n20:0:0:61:0\n",
    "enter 60:3(60:3); leave 60:3(60:3)", NULL },
  { "calls-of-mpi-are-no-blocks", ONE "20:0:0:50000002:8\n20:0:0:50000002:0\n", "", NULL },
  { "empty-task", TWO "1:0:0:1\n", "compute 1000000000000", "dim-empty-task" },
  { "offset-in-the-header",
    "#DIMEMAS:\"t\":1,00000000000000000056:1(1),1\nd:1:1:1:0\n1:0:0:1\ns:0:54\n",
    "compute 1000000000000", NULL },
  { "shorter-than-the-header-says",
    "#DIMEMAS:\"t\":1,00000000000000001056:1(1),1\nd:1:1:1:0\n1:0:0:1\n", "compute 1000000000000",
    "dim-truncated" },
  { "cut-in-a-record", ONE "1:0:0:1\n2:0:0:0:-1", "compute 1000000000000", "dim-truncated" },
};

static void
test_good (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdMpTrace) trace = read_text (good[i].text, strlen (good[i].text), messages, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (trace->format->name, ==, "dim");
  g_autofree char *actions = describe (trace->program, 0);
  g_assert_cmpstr (actions, ==, good[i].actions);
  g_assert_cmpuint (pd_messages_get_n (messages), ==, good[i].warning != NULL ? 1 : 0);
  if (good[i].warning != NULL)
    g_assert_cmpstr (pd_messages_get (messages, 0)->id, ==, good[i].warning);
  g_assert_true (trace->incomplete == (g_strcmp0 (good[i].warning, "dim-truncated") == 0));
}

static const struct
{
  const char *name;
  const char *text;
  PdTraceError code;
} bad[] = {
  { "no-tasks", "#DIMEMAS:\"t\":0:0(),1\n", PD_TRACE_ERROR_SYNTAX },
  { "no-name", "#DIMEMAS:t:0:1(1),1\n", PD_TRACE_ERROR_FORMAT },
  { "no-end-of-name", "#DIMEMAS:\"t\n", PD_TRACE_ERROR_SYNTAX },
  { "10^12-tasks", "#DIMEMAS:\"t\":0:1000000000000(1),1\n", PD_TRACE_ERROR_LIMIT },
  { "10^20-tasks", "#DIMEMAS:\"t\":0:100000000000000000000(1),1\n", PD_TRACE_ERROR_SYNTAX },
  { "many-tasks-unnamed", "#DIMEMAS:\"t\":0:16000000(1,1),1\n1:0:0:1\n", PD_TRACE_ERROR_SYNTAX },
  { "too-many-threads-named", "#DIMEMAS:\"t\":0:1(1,1),1\n", PD_TRACE_ERROR_SYNTAX },
  { "threads", "#DIMEMAS:\"t\":0:2(1,4),1\n", PD_TRACE_ERROR_FORMAT },
  { "2^63-offset", "#DIMEMAS:\"t\":1,99999999999999999999999:1(1),1\n", PD_TRACE_ERROR_SYNTAX },
  { "communicator-of-10^12", "#DIMEMAS:\"t\":0:1(1),1\nd:1:1:1000000000000:0\n1:0:0:1\n",
    PD_TRACE_ERROR_SYNTAX },
  { "communicator-with-a-stranger", "#DIMEMAS:\"t\":0:1(1),1\nd:1:1:1:5\n1:0:0:1\n",
    PD_TRACE_ERROR_VALUE },
  { "communicator-with-one-twice", "#DIMEMAS:\"t\":0:3(1,1,1),1\nd:1:1:2:1:1\n",
    PD_TRACE_ERROR_VALUE },
  { "communicator-without-members", "#DIMEMAS:\"t\":0:1(1),1\nd:1:1:0\n", PD_TRACE_ERROR_VALUE },
  { "communicator-after-its-use", "#DIMEMAS:\"t\":0:1(1),1\n10:0:0:0:1:0:0:0:0:1\nd:1:1:1:0\n",
    PD_TRACE_ERROR_FORMAT },
  { "text-behind-the-threads", "#DIMEMAS:\"t\":0:1(1)1,1\n", PD_TRACE_ERROR_SYNTAX },
  { "communicator-twice", ONE "d:1:1:1:0\n", PD_TRACE_ERROR_VALUE },
  { "unknown-record", ONE "7:0:0:1\n1:0:0:1\n", PD_TRACE_ERROR_SYNTAX },
  { "not-a-record", ONE "hello\n1:0:0:1\n", PD_TRACE_ERROR_SYNTAX },
  { "few-fields", ONE "2:0:0:0:-1:1\n1:0:0:1\n", PD_TRACE_ERROR_SYNTAX },
  { "many-fields", ONE "2:0:0:0:-1:1:1:1:0:0:0\n1:0:0:1\n", PD_TRACE_ERROR_SYNTAX },
  { "unknown-task", ONE "1:1:0:1\n1:0:0:1\n", PD_TRACE_ERROR_VALUE },
  { "negative-task", ONE "1:-1:0:1\n1:0:0:1\n", PD_TRACE_ERROR_VALUE },
  { "unknown-thread", ONE "1:0:1:1\n1:0:0:1\n", PD_TRACE_ERROR_VALUE },
  { "task-in-two-places", TWO "1:0:0:1\n1:1:0:1\n1:0:0:1\n1:1:0:1\n", PD_TRACE_ERROR_FORMAT },
  { "negative-burst", ONE "1:0:0:-1\n1:0:0:1\n", PD_TRACE_ERROR_VALUE },
  { "endless-burst", ONE "1:0:0:1e9\n1:0:0:1\n", PD_TRACE_ERROR_VALUE },
  { "burst-without-number", ONE "1:0:0:abc\n1:0:0:1\n", PD_TRACE_ERROR_SYNTAX },
  { "infinite-burst", ONE "1:0:0:inf\n1:0:0:1\n", PD_TRACE_ERROR_SYNTAX },
  { "unknown-communicator", TWO "2:0:0:1:-1:1:1:2:0\n1:0:0:1\n", PD_TRACE_ERROR_VALUE },
  { "unknown-partner", TWO "2:0:0:2:-1:1:1:1:0\n1:0:0:1\n", PD_TRACE_ERROR_VALUE },
  { "negative-size", TWO "2:0:0:1:-1:-1:1:1:0\n1:0:0:1\n", PD_TRACE_ERROR_VALUE },
  { "2^63-bytes", TWO "2:0:0:1:-1:9223372036854775808:1:1:0\n1:0:0:1\n", PD_TRACE_ERROR_SYNTAX },
  { "wide-tag", TWO "2:0:0:1:-1:1:3000000000:1:0\n1:0:0:1\n", PD_TRACE_ERROR_VALUE },
  { "unknown-synchronisation", TWO "2:0:0:1:-1:1:1:1:4\n1:0:0:1\n", PD_TRACE_ERROR_VALUE },
  { "unknown-kind-of-receive", TWO "3:0:0:1:-1:1:1:1:3\n1:0:0:1\n", PD_TRACE_ERROR_VALUE },
  { "unknown-operation", ONE "10:0:0:32:1:0:0:1:1:1\n1:0:0:1\n", PD_TRACE_ERROR_VALUE },
  { "negative-collective", ONE "10:0:0:1:1:0:0:-1:1:1\n1:0:0:1\n", PD_TRACE_ERROR_VALUE },
  { "collective-of-strangers", TWO "d:1:2:1:1\n10:0:0:0:2:0:0:0:0:1\n1:0:0:1\n",
    PD_TRACE_ERROR_VALUE },
  { "different-collectives", TWO "10:0:0:0:1:1:0:0:0:1\n10:1:0:11:1:0:0:8:8:1\n",
    PD_TRACE_ERROR_VALUE },
  { "two-named-roots", TWO "10:0:0:10:1:1:0:8:8:3\n10:1:0:10:1:0:0:8:8:3\n", PD_TRACE_ERROR_VALUE },
  { "root-is-a-stranger", TWO "10:0:0:10:1:2:0:8:8:3\n10:1:0:10:1:2:0:8:8:3\n",
    PD_TRACE_ERROR_VALUE },
  { "two-roots", TWO "10:0:0:1:1:1:0:8:8:1\n10:1:0:1:1:1:0:8:8:1\n", PD_TRACE_ERROR_VALUE },
};

static void
test_bad (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMpTrace) trace = read_text (bad[i].text, strlen (bad[i].text), NULL, &error);

  g_assert_null (trace);
  g_assert_error (error, PD_TRACE_ERROR, (gint) bad[i].code);
}

/* A trace with all kinds of records, cut at every byte: it is read as far as it
 * goes, or refused; what says where it should end is found to be short. */
static void
test_cut (void)
{
  static const char head[] = "#DIMEMAS:\"cut\":1,%020u:2(1,1),1\nd:1:1:2:0:1\n";
  static const char body[] =
      "1:0:0:0.010000000\n20:0:0:60:3\n2:0:0:1:-1:1024:1:1:2\n3:0:0:1:-1:1024:2:1:1\n"
      "3:0:0:1:-1:1024:2:1:2\n20:0:0:60:0\n10:0:0:11:1:1:0:8:8:1\n1:1:0:0.010000000\n"
      "3:1:0:0:-1:1024:1:1:0\n2:1:0:0:-1:1024:2:1:0\n10:1:0:11:1:0:0:8:8:1\n";
  guint begin = (guint) sizeof head - 1 - 5 + 20, offset = begin + (guint) sizeof body - 1;
  g_autofree char *first = g_strdup_printf (head, offset);
  g_autofree char *text = g_strconcat (first, body, "s:0:1\ns:1:2\n", NULL);

  for (gsize n = 0; n <= strlen (text); n++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *copy = g_strndup (text, n);
      g_autoptr (PdMpTrace) trace = read_text (copy, n, NULL, &error);
      g_assert_true ((trace == NULL) == (error != NULL));
      g_assert_true (n < strlen (first) || n == 0 || trace != NULL);
      if (trace != NULL)
        g_assert_true (trace->incomplete == (n < offset));
    }
}

/* Many receives that are waited for in another order, and tags that repeat. */
static void
test_many_pending (void)
{
  g_autoptr (GString) text = g_string_new (TWO);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 100000; i++)
    g_string_append_printf (text, "3:0:0:1:-1:8:%u:1:1\n", i);
  for (guint i = 100000; i-- > 0;)
    g_string_append_printf (text, "3:0:0:1:-1:8:%u:1:2\n", i);
  g_string_append (text, "1:1:0:1\n");
  g_autoptr (PdMpTrace) trace = read_text (text->str, text->len, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (pd_program_get_n_actions (trace->program, 0), ==, 200000);
  g_assert_cmpuint (pd_program_get_n_slots (trace->program, 0), ==, 100000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autofree char *path = g_strconcat ("/traces/dim/good/", good[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_good);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = g_strconcat ("/traces/dim/bad/", bad[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_bad);
    }
  g_test_add_func ("/traces/dim/cut", test_cut);
  g_test_add_func ("/traces/dim/many-pending", test_many_pending);
  return g_test_run ();
}
