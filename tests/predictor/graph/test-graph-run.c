/* Dependency graphs on machines of any kind.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "predictor/common/pd-errors.h"
#include "predictor/graph/pd-graph-run.h"
#include "predictor/mp/pd-mp.h"
#include "predictor/dvm/simulate/pd-simulation.h"
#include "tests/support/mp/mp-script.h"
#include "traces/open/pd-trace-read.h"
#include "intervals/pd-interval-fold.h"

#include <stdio.h>
#include <string.h>

#define MAX_RANKS 6

static PdMpTrace *
read_goal (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  const PdTraceSource source = { .path = "test", .bytes = bytes };
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;
  PdMpTrace *trace = pd_mp_trace_read (&source, &(PdTraceReadOptions){ 0 }, messages, &error);

  g_assert_no_error (error);
  return trace;
}

/* ---- worked by hand */

#define BUS     "ethernet:startup=10us,per-byte=10ns"
#define FLOW    "flow:topology=crossbar,latency=10us,bandwidth=1GB/s"
#define LOGGOPS "loggops:L=2003ns,o=1009ns,g=3011ns,G=1ns"
#define OVER    "ideal:send-overhead=2us,recv-overhead=1us"

static const struct
{
  const char *name;
  const char *machine;
  const char *text;
  gint64 ends[3]; /* ns */
  gint64 cpu;     /* of rank 0: CPU_time */
} cases[] = {
  { "chain",
    FLOW,
    "num_ranks 2\nrank 0 {\na: calc 500\nb: send 1000b to 1\nb requires a\n}\n"
    "rank 1 {\na: recv 1000b from 0\nb: calc 70\nb requires a\n}\n",
    /* 0.5 us, then 10 us and 1000 ns under way; eager */
    { 500, 11570 },
    500 },
  /* the calc begins with the start of the receive, and ends later or earlier */
  { "overlap/long",
    FLOW,
    "num_ranks 2\nrank 0 {\nsend 1000b to 1\n}\n"
    "rank 1 {\na: recv 1000b from 0\nb: calc 20000\nc: calc 5\nb irequires a\nc requires a\n"
    "c requires b\n}\n",
    { 0, 20005 },
    0 },
  { "overlap/short",
    FLOW,
    "num_ranks 2\nrank 0 {\nsend 1000b to 1\n}\n"
    "rank 1 {\na: recv 1000b from 0\nb: calc 200\nc: calc 5\nb irequires a\nc requires a\n"
    "c requires b\n}\n",
    { 0, 11005 },
    0 },
  /* one CPU: the calc that nothing holds back is before that behind the receive */
  { "one-cpu",
    FLOW,
    "num_ranks 2\nrank 0 {\nsend 1000b to 1\n}\n"
    "rank 1 {\na: recv 1000b from 0\nb: calc 20000\nc: calc 5000\nc requires a\n}\n",
    { 0, 25000 },
    0 },
  { "two-cpus",
    FLOW,
    "num_ranks 2\nrank 0 {\nsend 1000b to 1\n}\n"
    "rank 1 {\na: recv 1000b from 0\nb: calc 20000\nc: calc 5000 cpu 7\nc requires a\n}\n",
    { 0, 20000 },
    0 },
  /* across CPUs the end of the predecessor counts */
  { "two-cpus/chain",
    FLOW,
    "num_ranks 1\nrank 0 {\na: calc 100 cpu 1\nb: calc 50\nb requires a\n}\n",
    { 150 },
    150 },
  { "two-cpus/parallel",
    FLOW,
    "num_ranks 1\nrank 0 {\ncalc 100 cpu 1\ncalc 50\ncalc 20\n}\n",
    { 100 },
    100 },
  /* sends before receives before calcs, whatever the order in the text */
  { "order",
    OVER,
    "num_ranks 2\nrank 0 {\ncalc 700\nrecv 8b from 1\nsend 8b to 1\n}\n"
    "rank 1 {\na: recv 8b from 0\nb: send 8b to 0\nb requires a\n}\n",
    /* 0: send to 2, receive to 3, calc to 3.7; 1: posts to 1, receives at 2, sends to 4 */
    { 4000, 4000 },
    700 },
  /* an operation ready earlier is first on its CPU, whatever its kind */
  { "first-come",
    OVER,
    "num_ranks 1\nrank 0 {\na: calc 1000\nb: calc 500\nc: calc 300\nd: send 1b to 0\n"
    "e: recv 1b from 0\nd requires a\n}\n",
    /* e to 1 us, a to 2, b and c to 2.8, then the send to 4.8 */
    { 4800 },
    1800 },
  /* a rendezvous: who depends on the send waits for the delivery, others do not */
  { "rendezvous",
    BUS ",eager=0",
    "num_ranks 2\nrank 0 {\na: send 1000b to 1\nb: calc 1000\nc: calc 10\nb irequires a\n"
    "c requires a\n}\n"
    "rank 1 {\na: calc 5000\nb: recv 1000b from 0\nb requires a\n}\n",
    /* announced 0 to 10, answered to 20, data to 40 */
    { 40010, 40000 },
    1010 },
  { "zero-bytes",
    BUS,
    "num_ranks 2\nrank 0 {\nsend 0b to 1\n}\nrank 1 {\nrecv 0b from 0\n}\n",
    { 0, 10000 },
    0 },
  { "itself",
    BUS,
    "num_ranks 1\nrank 0 {\nsend 7b to 0 tag 3\nrecv 7b from 0 tag 3\n}\n",
    { 0 },
    0 },
  /* what arrives first is received first, by the receive that was first */
  { "wildcard",
    FLOW,
    "num_ranks 3\nrank 0 {\na: calc 3000\nb: send 1000b to 2\nb requires a\n}\n"
    "rank 1 {\nsend 1000b to 2 tag 9\n}\n"
    "rank 2 {\na: recv 1000b from -1 tag -1\nb: calc 7\nb requires a\n"
    "c: recv 1000b from -1 tag -1\n}\n",
    { 3000, 0, 14000 },
    3000 },
  { "empty-rank", BUS, "num_ranks 2\nrank 0 {\n}\nrank 1 {\ncalc 3\n}\n", { 0, 3 }, 0 },
  { "speeds",
    "ideal:speeds=2:1",
    "num_ranks 2\nrank 0 {\na: calc 500\nb: send 1b to 1\nb requires a\n}\n"
    "rank 1 {\nrecv 1b from 0\n}\n",
    { 250, 250 },
    250 },
  /* the memory of a node between 0 and 1; 2 o + L from 1 to 2 */
  { "loggops-nodes",
    "loggops:L=2500ns,o=1500ns,g=1000ns,G=6ns,processors-per-node=2,memory-startup=1us,"
    "memory-per-byte=1ns",
    "num_ranks 3\nrank 0 {\nsend 100b to 1\n}\n"
    "rank 1 {\na: recv 100b from 0\nb: send 1b to 2\nb requires a\n}\n"
    "rank 2 {\na: recv 1b from 1\nb: calc 50\nb requires a\n}\n",
    { 0, 2600, 6650 },
    0 },
};

static const char *const machines[] = {
  "ideal",
  OVER,
  OVER ",eager=100",
  FLOW,
  FLOW ",eager=100,send-overhead=1us",
  BUS,
  BUS ",eager=10,recv-overhead=3us,send-overhead=1us",
  "myrinet:startup=7us,per-byte=4ns,channels=2,eager=1000",
  LOGGOPS ",processors-per-node=2,memory-startup=1019ns,memory-per-byte=1ns",
  LOGGOPS ",S=100,send-overhead=1us",
};

static PdMpOptions
options_for (const char *machine, gboolean one_step)
{
  return (PdMpOptions){ .trace = "test", .machine = machine, .check = TRUE, .one_step = one_step };
}

static void
test_case (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdMpTrace) trace = read_goal (cases[i].text);

  for (guint one_step = 0; one_step < 2; one_step++)
    {
      g_autoptr (GError) error = NULL;
      PdMpOptions options = options_for (cases[i].machine, one_step == 1);
      PdReportRun *run = pd_mp_predict (&options, trace, &error);
      PdTime values[PD_N_CHARACTERISTICS];
      g_assert_no_error (error);
      for (guint rank = 0; rank < run->n_processors; rank++)
        g_assert_cmpint (run->end_times[rank].ps, ==, cases[i].ends[rank] * PD_PS_PER_NS);
      pd_interval_tree_get_processor (run->tree, PD_INTERVAL_ROOT, 0, values);
      g_assert_cmpint (values[PD_C_CPU_TIME].ps, ==, cases[i].cpu * PD_PS_PER_NS);
      pd_report_run_free (run);
    }
}

/* ---- what cannot go on */

static const struct
{
  const char *name;
  const char *machine;
  const char *text;
  gint code;
} failures[] = {
  { "deadlock", FLOW, "num_ranks 2\nrank 0 {\nrecv 1b from 1\n}\nrank 1 {\ncalc 5\n}\n",
    PD_SIMULATION_ERROR_DEADLOCK },
  { "cycle", FLOW, "num_ranks 1\nrank 0 {\na: calc 5\nb: calc 5\na requires b\nb requires a\n}\n",
    PD_SIMULATION_ERROR_DEADLOCK },
  { "rendezvous", FLOW ",eager=0",
    "num_ranks 2\nrank 0 {\na: send 9b to 1\nb: recv 9b from 1\nb requires a\n}\n"
    "rank 1 {\na: send 9b to 0\nb: recv 9b from 0\nb requires a\n}\n",
    PD_SIMULATION_ERROR_DEADLOCK },
  { "unmatched", FLOW, "num_ranks 2\nrank 0 {\nsend 1b to 1\n}\nrank 1 {\n}\n",
    PD_SIMULATION_ERROR_UNMATCHED },
  { "overflow", FLOW,
    "num_ranks 1\nrank 0 {\na: calc 9000000000000000\nb: calc 9000000000000000\nb requires a\n}\n",
    PD_SIMULATION_ERROR_OVERFLOW },
  { "overflow/message", FLOW,
    "num_ranks 2\nrank 0 {\nsend 9223372036854775807b to 1\n}\n"
    "rank 1 {\nrecv 9223372036854775807b from 0\n}\n",
    PD_SIMULATION_ERROR_OVERFLOW },
};

static void
test_failure (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdMpTrace) trace = read_goal (failures[i].text);

  for (guint one_step = 0; one_step < 2; one_step++)
    {
      g_autoptr (GError) error = NULL;
      PdMpOptions options = options_for (failures[i].machine, one_step == 1);
      g_assert_null (pd_mp_predict (&options, trace, &error));
      g_assert_error (error, PD_SIMULATION_ERROR, failures[i].code);
    }
}

static void
test_any_tag_sent (void)
{
  g_autoptr (PdMpTrace) trace =
      read_goal ("num_ranks 2\nrank 0 {\nsend 1b to 1 tag -1\n}\nrank 1 {\nrecv 1b from 0\n}\n");
  g_autoptr (GError) error = NULL;
  PdMpOptions options = options_for (FLOW, FALSE);

  g_assert_null (pd_mp_predict (&options, trace, &error));
  g_assert_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE);
}

/* Where messages keep processors busy and nodes have several a rank has one CPU, and that is said.
 */
static void
test_merged (void)
{
  g_autoptr (PdMpTrace) trace = read_goal ("num_ranks 1\nrank 0 {\ncalc 100 cpu 1\ncalc 50\n}\n");
  g_autoptr (GError) error = NULL;
  PdMpOptions options = options_for (machines[G_N_ELEMENTS (machines) - 2], FALSE);
  PdReportRun *run = pd_mp_predict (&options, trace, &error);

  g_assert_no_error (error);
  g_assert_cmpint (run->end_times[0].ps, ==, 150 * PD_PS_PER_NS);
  g_assert_cmpuint (pd_messages_count (run->messages, "cpus-merged"), ==, 1);
  pd_report_run_free (run);
}

/* ---- the protocol */

/* Of what is predicted; also of what fails. */
static char *
get_log (const PdMpTrace *trace, PdMpOptions options, const char *records)
{
  PdLogOptions wanted = { .records = records };
  g_autoptr (GError) error = NULL;
  char *text = NULL;
  gsize size;

  wanted.streams[0] = open_memstream (&text, &size);
  options.log = pd_log_new (&wanted, &error);
  g_assert_no_error (error);
  PdReportRun *run = pd_mp_predict (&options, trace, NULL);
  g_clear_pointer (&run, pd_report_run_free);
  g_assert_true (pd_log_close (options.log, &error));
  pd_log_free (options.log);
  fclose (wanted.streams[0]);
  return text;
}

#define HEAD                                                                                       \
  "times in seconds\n"                                                                             \
  "#        action      rank                begin                  end  what it did\n"

static const struct
{
  const char *name;
  const char *text;
  const char *records;
  const char *lines;
} logs[] = {
  { "overlap",
    "num_ranks 2\nrank 0 {\nsend 1000b to 1 tag 4\n}\n"
    "rank 1 {\na: recv 1000b from -1 tag 4\nb: calc 20000\nb irequires a\n}\n",
    NULL,
    "# test, 2 ranks; " HEAD
    "              0         0       0.000000000000       0.000000000000  send to 1, tag 4, 1000 "
    "bytes\n"
    "              0         1       0.000000000000       0.000011000000  recv from any source, "
    "tag "
    "4, 1000 bytes\n"
    "              1         1       0.000000000000       0.000020000000  calc\n" },
  { "records", "num_ranks 1\nrank 0 {\na: calc 1 cpu 1\nb: calc 2\nb requires a\n}\n", "1",
    "# test, 1 rank; " HEAD
    "              1         0       0.000000001000       0.000000003000  calc; CPU 0\n" },
  { "deadlock",
    "num_ranks 2\nrank 0 {\nrecv 1b from 1 tag 1\n}\nrank 1 {\na: calc 5\nb: recv 1b from 0\n"
    "b requires a\n}\n",
    NULL,
    "# test, 2 ranks; " HEAD
    "              0         0       0.000000000000                    -  recv from 1, tag 1, 1 "
    "bytes\n"
    "              0         1       0.000000000000       0.000000005000  calc\n"
    "              1         1       0.000000005000                    -  recv from 0, tag 0, 1 "
    "bytes\n" },
};

static void
test_log (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdMpTrace) trace = read_goal (logs[i].text);

  for (guint one_step = 0; one_step < 2; one_step++)
    {
      g_autofree char *text = get_log (trace, options_for (FLOW, one_step == 1), logs[i].records);
      g_assert_cmpstr (text, ==, logs[i].lines);
    }
}

/* The kernel for LogGOPS tells of nothing: where nothing else predicts the same, since clocks go
 * back, there is no protocol. */
static void
test_log_refused (void)
{
  g_autoptr (PdMpTrace) trace = read_goal (logs[1].text);
  g_autoptr (GError) error = NULL;
  PdMpOptions options = options_for (LOGGOPS ",compat=loggopsim", FALSE);

  options.log = pd_log_new (&(PdLogOptions){ .path = NULL }, &error);
  g_assert_no_error (error);
  g_assert_null (pd_mp_predict (&options, trace, &error));
  g_assert_error (error, PD_USAGE_ERROR, 0);
  pd_log_free (options.log);
}

/* ---- random ones */

typedef struct
{
  GRand *rand;
  guint32 n;
  guint n_cpus;
  gboolean wildcard;
  guint n_messages;
  guint n_ops[MAX_RANKS];
  GString *ranks[MAX_RANKS];
} Writer;

static gint
draw (Writer *w, gint n)
{
  return g_rand_int_range (w->rand, 0, n);
}

/* What has just been written depends on some of the rank's operations before. */
static void
write_dependencies (Writer *w, guint32 rank)
{
  guint own = w->n_ops[rank]++;

  for (gint k = draw (w, 3); k > 0 && own > 0; k--)
    g_string_append_printf (w->ranks[rank], "l%u %s l%u\n", own,
                            draw (w, 3) == 0 ? "irequires" : "requires",
                            own - 1 - (guint) draw (w, (gint) MIN (own, 4)));
}

static void
write_op (Writer *w, guint32 rank, const char *what)
{
  g_string_append_printf (w->ranks[rank], "l%u: %s cpu %d\n", w->n_ops[rank], what,
                          draw (w, (gint) w->n_cpus) * 3);
  write_dependencies (w, rank);
}

static void
write_message (Writer *w)
{
  guint32 from = (guint32) draw (w, (gint) w->n), to = (guint32) draw (w, (gint) w->n);
  gint bytes = draw (w, 2) == 0 ? draw (w, 200) : draw (w, 5) * 1000;
  if (from == to) /* LogGOPSim waits for the receive of more */
    bytes = MIN (bytes, 100);
  gint tag = w->wildcard ? draw (w, 2) : (gint) w->n_messages++;
  gint source = w->wildcard && draw (w, 3) == 0 ? -1 : (gint) from;
  g_autofree char *send = g_strdup_printf ("send %db to %u tag %d", bytes, to, tag);
  g_autofree char *recv = g_strdup_printf ("recv %db from %d tag %d", bytes, source,
                                           w->wildcard && draw (w, 3) == 0 ? -1 : tag);

  write_op (w, from, send);
  write_op (w, to, recv);
}

/* Without wildcards it never deadlocks: each message has its tag, and what waits was
 * written later than that for which it waits. */
static char *
write_graph (Writer *w)
{
  GString *text = g_string_new (NULL);

  w->n = 1 + (guint32) draw (w, MAX_RANKS);
  w->n_cpus = draw (w, 3) == 0 ? 3 : 1;
  for (guint32 rank = 0; rank < w->n; rank++)
    {
      w->ranks[rank] = g_string_new (NULL);
      w->n_ops[rank] = 0;
    }
  for (gint i = draw (w, 40); i >= 0; i--)
    if (draw (w, 3) > 0)
      write_message (w);
    else
      {
        g_autofree char *calc = g_strdup_printf ("calc %d", draw (w, 4) * 1000);
        write_op (w, (guint32) draw (w, (gint) w->n), calc);
      }
  g_string_append_printf (text, "num_ranks %u\n", w->n);
  for (guint32 rank = 0; rank < w->n; rank++)
    {
      g_string_append_printf (text, "rank %u {\n%s}\n", rank, w->ranks[rank]->str);
      g_string_free (w->ranks[rank], TRUE);
    }
  return g_string_free (text, FALSE);
}

static void
assert_same_ends (const PdReportRun *a, const PdReportRun *b)
{
  g_assert_cmpuint (a->n_processors, ==, b->n_processors);
  for (guint32 rank = 0; rank < a->n_processors; rank++)
    g_assert_cmpint (a->end_times[rank].ps, ==, b->end_times[rank].ps);
}

static void
assert_same_logs (const PdMpTrace *trace, const char *machine)
{
  g_autofree char *ahead = get_log (trace, options_for (machine, FALSE), NULL);
  g_autofree char *step = get_log (trace, options_for (machine, TRUE), NULL);

  g_assert_cmpstr (ahead, ==, step);
}

/* One step at a time gives the same, and is told alike. */
static void
test_random (gconstpointer data)
{
  gboolean wildcard = GPOINTER_TO_INT (data);
  g_autoptr (GRand) rand = g_rand_new_with_seed (wildcard ? 3 : 2);
  Writer w = { .rand = rand, .wildcard = wildcard };
  guint n_done = 0;

  for (guint i = 0; i < 60 * G_N_ELEMENTS (machines); i++)
    {
      g_autofree char *text = write_graph (&w);
      g_autoptr (PdMpTrace) trace = read_goal (text);
      GError *errors[2] = { NULL, NULL };
      PdReportRun *runs[2];
      for (guint k = 0; k < 2; k++)
        {
          PdMpOptions options = options_for (machines[i % G_N_ELEMENTS (machines)], k == 1);
          runs[k] = pd_mp_predict (&options, trace, &errors[k]);
          if (!wildcard)
            g_assert_no_error (errors[k]);
        }
      g_assert_true ((runs[0] == NULL) == (runs[1] == NULL));
      if (runs[0] == NULL)
        {
          g_assert_cmpstr (errors[0]->message, ==, errors[1]->message);
          g_error_free (errors[0]);
          g_error_free (errors[1]);
          continue;
        }
      if (n_done++ % 8 == 0)
        assert_same_logs (trace, machines[i % G_N_ELEMENTS (machines)]);
      assert_same_ends (runs[0], runs[1]);
      pd_report_run_free (runs[0]);
      pd_report_run_free (runs[1]);
    }
  g_assert_cmpuint (n_done, >=, 6 * G_N_ELEMENTS (machines));
}

/* ---- chains are programs */

/* The same as GOAL and as a program with blocking calls. */
static void
write_chains (Writer *w, GString *script)
{
  gboolean computes[MAX_RANKS] = { FALSE };

  for (guint32 rank = 0; rank < w->n; rank++)
    {
      w->ranks[rank] = g_string_new (NULL);
      w->n_ops[rank] = 0;
    }
  for (gint i = draw (w, 40); i >= 0; i--)
    {
      guint32 from = (guint32) draw (w, (gint) w->n), to = (guint32) draw (w, (gint) w->n);
      gint amount = draw (w, 4) == 0 ? draw (w, 3) : draw (w, 4) * 500 + draw (w, 97);
      if (from == to && (computes[from] || amount == 0))
        continue; /* messages may come between two pieces in a graph, not in a program; and a
                   * calc of no time has its place in the order there */
      computes[from] = computes[to] = from == to;
      if (from == to)
        {
          g_string_append_printf (w->ranks[from], "l%u: calc %d\n", w->n_ops[from]++,
                                  amount * 1000);
          g_string_append_printf (script, "%u compute %d;", from, amount);
          continue;
        }
      g_string_append_printf (w->ranks[from], "l%u: send %db to %u\n", w->n_ops[from]++, amount,
                              to);
      g_string_append_printf (w->ranks[to], "l%u: recv %db from %u\n", w->n_ops[to]++, amount,
                              from);
      g_string_append_printf (script, "%u send %u %d;%u recv %u %d;", from, to, amount, to, from,
                              amount);
    }
}

static char *
close_chains (Writer *w)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "num_ranks %u\n", w->n);
  for (guint32 rank = 0; rank < w->n; rank++)
    {
      for (guint i = 1; i < w->n_ops[rank]; i++)
        g_string_append_printf (w->ranks[rank], "l%u requires l%u\n", i, i - 1);
      g_string_append_printf (text, "rank %u {\n%s}\n", rank, w->ranks[rank]->str);
      g_string_free (w->ranks[rank], TRUE);
    }
  return g_string_free (text, FALSE);
}

static void
test_chains (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  for (guint i = 0; i < 40 * G_N_ELEMENTS (machines); i++)
    {
      Writer w = { .rand = rand, .n = 2 + (guint32) g_rand_int_range (rand, 0, MAX_RANKS - 1) };
      g_autoptr (GString) script = g_string_new (NULL);
      g_autoptr (GError) error = NULL;
      PdMpOptions options = options_for (machines[i % G_N_ELEMENTS (machines)], FALSE);
      write_chains (&w, script);
      g_autofree char *text = close_chains (&w);
      g_autoptr (PdMpTrace) trace = read_goal (text);
      g_autoptr (PdProgram) program = mp_script_new (w.n, PD_AMOUNT_TIME, script->str);
      PdReportRun *graph = pd_mp_predict (&options, trace, &error);
      g_assert_no_error (error);
      PdReportRun *same = pd_mp_predict_program (&options, program, &error);
      g_assert_no_error (error);
      g_test_message ("%s: %s", options.machine, script->str);
      assert_same_ends (graph, same);
      g_assert_cmpuint (graph->n_messages, ==, same->n_messages);
      pd_report_run_free (graph);
      pd_report_run_free (same);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/graph-run/case/", cases[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_case);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (failures); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/graph-run/failure/", failures[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_failure);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (logs); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/graph-run/log/", logs[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_log);
    }
  g_test_add_func ("/predictor/graph-run/log/refused", test_log_refused);
  g_test_add_func ("/predictor/graph-run/any-tag-sent", test_any_tag_sent);
  g_test_add_func ("/predictor/graph-run/merged", test_merged);
  g_test_add_data_func ("/predictor/graph-run/random/plain", GINT_TO_POINTER (FALSE), test_random);
  g_test_add_data_func ("/predictor/graph-run/random/wild", GINT_TO_POINTER (TRUE), test_random);
  g_test_add_func ("/predictor/graph-run/chains", test_chains);
  return g_test_run ();
}
