/* Looking never changes a result: random programs, graphs and DVM traces on machines of all kinds,
 * predicted with every combination of observers, give what they give without, byte by byte.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "predictor/graph/pd-graph-from-program.h"
#include "predictor/mp/pd-mp.h"
#include "predictor/mp/pd-mp-graph.h"
#include "comsys/critical/pd-critical-path-result.h"
#include "tests/support/mp/mp-random.h"
#include "tests/support/timelines.h"

#include <stdio.h>
#include <stdlib.h>

#define N_SEEDS  24 /* of programs and graphs, on each machine */
#define N_SUBSET 6  /* combinations for each, drawn */

static const char *const machines[] = {
  "ideal",
  "ideal:send-overhead=2003ns,recv-overhead=1001ns",
  "ethernet:startup=10007ns,per-byte=10ns,eager=1KiB",
  "myrinet:startup=7013ns,per-byte=4ns,channels=2,eager=1KiB",
  "myrinet:startup=7013ns,per-byte=4ns,channels=1000,processors-per-node=2,memory-startup=1001ns,"
  "memory-per-byte=1ns,send-overhead=2003ns,recv-overhead=3001ns,wait-overhead=1007ns",
  "flow:topology=star,nic-latency=5003ns,nic-bandwidth=1GB/s,eager=1KiB",
  "flow:topology=crossbar,latency=5us,bandwidth=1GB/s",
  "dimemas:latency=5003ns,bandwidth=1GB/s,buses=1,eager=1KiB,collectives=mpich1",
  "loggops:L=2503ns,o=1501ns,g=1009ns,G=6ns,O=1ns,S=1000",
  "loggops:L=2us,o=0,g=20us,G=0,S=100",
  "loggops:L=2us,o=1us,g=5us,G=1ns,S=1000,processors-per-node=2,memory-startup=1us,"
  "memory-per-byte=1ns",
  "loggops:L=2us,o=1us,g=5us,G=1ns,send-overhead=1us,recv-overhead=300ns",
};

/* Who looks. */
typedef enum
{
  LOOK_TIMELINE = 1 << 0,
  LOOK_CRITICAL = 1 << 1,
  LOOK_LOG = 1 << 2,
  LOOK_MESSAGES = 1 << 3,
  LOOK_REPLAY = 1 << 4, /* of programs */
  LOOK_STEPS = 1 << 5,  /* every step goes through the queue */
  LOOK_ALL = (1 << 6) - 1,
} Look;

typedef struct
{
  const PdProgram *program; /* one of these */
  const PdGraph *graph;
  const char *trace;
  const char *machine;
  gint64 grid[2];
} Subject;

/* What they leave behind. */
typedef struct
{
  TestWatch watch;
  PdLog *log;
  char *text;
  gsize size;
  FILE *stream;
  PdCriticalResult *critical;
  PdProgram *replayed;
  TestLog *messages;
  PdObserver observer;
} Seen;

static void
begin (Seen *seen, Look look)
{
  g_autoptr (GError) error = NULL;

  *seen = (Seen){ .text = NULL };
  if (look & LOOK_TIMELINE)
    test_watch_init (&seen->watch);
  if (look & LOOK_LOG)
    {
      seen->stream = open_memstream (&seen->text, &seen->size);
      seen->log = pd_log_new (&(PdLogOptions){ .streams = { seen->stream } }, &error);
      g_assert_no_error (error);
    }
  if (look & LOOK_MESSAGES)
    {
      seen->messages = test_log_new ();
      seen->observer = test_log_observer (seen->messages);
    }
}

static void
end (Seen *seen, Look look)
{
  if (look & LOOK_TIMELINE)
    test_watch_clear (&seen->watch);
  if (look & LOOK_LOG)
    {
      g_assert_true (pd_log_close (seen->log, NULL));
      pd_log_free (seen->log);
      fclose (seen->stream);
      free (seen->text);
    }
  if (look & LOOK_MESSAGES)
    test_log_free (seen->messages);
  g_clear_pointer (&seen->critical, pd_critical_result_free);
  g_clear_pointer (&seen->replayed, pd_program_free);
}

static PdReportRun *
run (const Subject *subject, Look look, Seen *seen)
{
  g_autoptr (GError) error = NULL;
  const PdMpOptions mp = { .trace = "test",
                           .machine = subject->machine,
                           .check = TRUE,
                           .one_step = (look & LOOK_STEPS) != 0,
                           .log = seen->log,
                           .observer = look & LOOK_MESSAGES ? &seen->observer : NULL,
                           .timeline = look & LOOK_TIMELINE ? seen->watch.feed : NULL,
                           .critical = look & LOOK_CRITICAL ? &seen->critical : NULL,
                           .replayed = look & LOOK_REPLAY ? &seen->replayed : NULL };
  const PdPredictOptions dvm = { .trace = subject->trace,
                                 .machine = subject->machine,
                                 .check = TRUE,
                                 .one_step = mp.one_step,
                                 .log = mp.log,
                                 .observer = mp.observer,
                                 .timeline = mp.timeline,
                                 .critical = mp.critical };
  PdReportRun *result = subject->program != NULL
                            ? pd_mp_predict_program (&mp, subject->program, &error)
                        : subject->graph != NULL ? pd_mp_predict_graph (&mp, subject->graph, &error)
                                                 : pd_predict (&dvm, 2, subject->grid, &error);

  g_assert_no_error (error);
  return result;
}

/* All of a run but how long it took: ends, totals, every quantity of every processor, messages. */
static char *
describe (const PdReportRun *result)
{
  g_autofree char *tree = test_dump (result);
  GString *text = g_string_new (tree);

  g_string_append_printf (text, "bytes %" G_GINT64_FORMAT "\n", (gint64) result->n_bytes.ps);
  for (guint32 rank = 0; rank < result->n_processors; rank++)
    g_string_append_printf (text, "%u ends %" G_GINT64_FORMAT "\n", rank,
                            result->end_times[rank].ps);
  return g_string_free (text, FALSE);
}

/* Returns: (transfer full): the description of a run with these observers. */
static char *
look_at (const Subject *subject, Look look)
{
  Seen seen;

  begin (&seen, look);
  PdReportRun *result = run (subject, look, &seen);
  char *text = describe (result);
  if (look & LOOK_CRITICAL && seen.critical != NULL)
    {
      PdTime latest = PD_TIME_ZERO;
      for (guint32 rank = 0; rank < result->n_processors; rank++)
        latest = pd_time_max (latest, result->end_times[rank]);
      g_assert_cmpint (seen.critical->makespan.ps, ==, latest.ps);
    }
  test_report_run_free (result);
  end (&seen, look);
  return text;
}

static void
compare (const Subject *subject, GRand *rand)
{
  const Look possible = subject->program != NULL ? LOOK_ALL : LOOK_ALL & ~LOOK_REPLAY;
  g_autofree char *plain = look_at (subject, 0);

  for (guint i = 0; i < N_SUBSET; i++)
    {
      Look look = i == 0 ? possible : (Look) g_rand_int_range (rand, 1, LOOK_ALL + 1) & possible;
      g_autofree char *looked = look_at (subject, look);
      g_test_message ("%s, observers 0x%x", subject->machine, look);
      g_assert_cmpstr (looked, ==, plain);
    }
}

static void
test_programs (gconstpointer data)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (17);

  for (guint32 seed = 0; seed < N_SEEDS; seed++)
    {
      g_autoptr (PdProgram) program = test_draw_program (
          seed, (TestContents){ .others = seed % 2 == 1, .one_sided = seed % 4 == 3 });
      compare (&(Subject){ .program = program, .machine = data }, rand);
    }
}

static void
test_graphs (gconstpointer data)
{
  const PdGraphOptions options = { .collectives = "mpich1", .flops = 1e9 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (18);

  for (guint32 seed = 0; seed < N_SEEDS; seed++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PdMessages) messages = pd_messages_new ();
      g_autoptr (PdProgram) program = test_draw_program (seed, (TestContents){ .others = FALSE });
      g_autoptr (PdGraph) graph = pd_graph_from_program (program, &options, messages, &error);
      g_assert_no_error (error);
      compare (&(Subject){ .graph = graph, .machine = data }, rand);
    }
}

static void
test_dvm (gconstpointer data)
{
  static const gint64 grids[][2] = { { 1, 1 }, { 2, 2 }, { 3, 1 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (19);

  for (gsize i = 0; i < G_N_ELEMENTS (grids); i++)
    compare (&(Subject){ .trace = "tests/data/gauss_240.ptr.gz",
                         .machine = data,
                         .grid = { grids[i][0], grids[i][1] } },
             rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (machines); i++)
    {
      g_autofree char *programs = g_strdup_printf ("/predictor/observers/programs/%zu", i);
      g_autofree char *graphs = g_strdup_printf ("/predictor/observers/graphs/%zu", i);
      g_autofree char *dvm = g_strdup_printf ("/predictor/observers/dvm/%zu", i);
      g_test_add_data_func (programs, machines[i], test_programs);
      g_test_add_data_func (graphs, machines[i], test_graphs);
      if (i % 4 == 0)
        g_test_add_data_func (dvm, machines[i], test_dvm);
    }
  return g_test_run ();
}
