/* Looking never changes a result: random programs, graphs and DVM traces on machines of all kinds
 * with random options, predicted with every combination of observers, give what they give without,
 * byte by byte.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "predictor/graph/pd-graph-from-program.h"
#include "predictor/mp/pd-mp.h"
#include "predictor/mp/pd-mp-graph.h"
#include "comsys/critical/pd-critical-path-result.h"
#include "tests/support/dvm/programs.h"
#include "tests/support/mp/mp-random.h"
#include "tests/support/timelines.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define N_SEEDS  (12 / PD_TEST_SHARE) /* of programs and graphs, on each machine */
#define N_TRACES (60 / PD_TEST_SHARE) /* of DVM programs, each on a machine of its own */
#define N_PARTS  12                   /* of a DVM program */
#define N_SUBSET 6                    /* combinations for each, drawn; of the first, all */

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

/* What is predicted, and how. */
typedef struct
{
  const PdProgram *program; /* one of these */
  const PdGraph *graph;
  const char *trace;
  const char *machine;
  const char *grid; /* of @trace */
  gboolean all;     /* combinations are tried */
  PdMpOptions mp;
  PdPredictOptions dvm;
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

/* Options that change results, for all observers alike. */
static void
draw_options (Subject *subject, GRand *rand)
{
  static const char *const noises[][3] = {
    { NULL },
    { "noise/kind=normal", "noise/sigma=0.3", NULL },
    { "noise/kind=exponential", "noise/mean=3us", NULL },
  };
  static const char *const maps[] = { NULL, "cyclic", "block" };
  const char *const *settings = noises[g_rand_int_range (rand, 0, G_N_ELEMENTS (noises))];
  const char *map = maps[g_rand_int_range (rand, 0, G_N_ELEMENTS (maps))];
  gboolean ideal = g_rand_int_range (rand, 0, 6) == 0;
  guint32 seed = g_rand_int (rand);

  subject->mp = (PdMpOptions){ .trace = "test",
                               .machine = subject->machine,
                               .settings = settings,
                               .map = map,
                               .seed = seed,
                               .simulated = g_rand_boolean (rand),
                               .ideal = ideal,
                               .check = TRUE };
  subject->dvm = test_options (subject->machine);
  subject->dvm.settings = settings;
  subject->dvm.map = map;
  subject->dvm.seed = seed;
  subject->dvm.ideal = ideal;
  subject->dvm.dvm.mpi_reduce = g_rand_boolean (rand);
  subject->dvm.dvm.message_mask = g_rand_boolean (rand) ? 7 : 0;
  subject->dvm.dvm.across_tc_known = g_rand_boolean (rand);
}

static PdReportRun *
run (const Subject *subject, Look look, Seen *seen)
{
  g_autoptr (GError) error = NULL;
  PdMpOptions mp = subject->mp;
  PdPredictOptions dvm = subject->dvm;

  mp.one_step = dvm.one_step = (look & LOOK_STEPS) != 0;
  mp.log = dvm.log = seen->log;
  mp.observer = dvm.observer = look & LOOK_MESSAGES ? &seen->observer : NULL;
  mp.timeline = dvm.timeline = look & LOOK_TIMELINE ? seen->watch.feed : NULL;
  mp.critical = dvm.critical = look & LOOK_CRITICAL ? &seen->critical : NULL;
  mp.replayed = look & LOOK_REPLAY ? &seen->replayed : NULL;
  PdReportRun *result =
      subject->program != NULL ? pd_mp_predict_program (&mp, subject->program, &error)
      : subject->graph != NULL ? pd_mp_predict_graph (&mp, subject->graph, &error)
                               : test_predict_file (subject->trace, subject->grid, &dvm, &error);

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
      PdTime sum = PD_TIME_ZERO;
      for (guint kind = 0; kind < PD_CRITICAL_N_KINDS; kind++)
        sum = pd_time_add (sum, seen.critical->spent[kind]);
      g_assert_cmpint (pd_time_add (sum, seen.critical->queued).ps, ==, latest.ps);
    }
  test_report_run_free (result);
  end (&seen, look);
  return text;
}

static void
compare (Subject subject, GRand *rand)
{
  const Look possible = subject.program != NULL ? LOOK_ALL : LOOK_ALL & ~LOOK_REPLAY;

  draw_options (&subject, rand);
  g_autofree char *plain = look_at (&subject, 0);
  for (guint i = 0; i < (subject.all ? (guint) LOOK_ALL : N_SUBSET); i++)
    {
      Look look = subject.all ? (Look) (i + 1)
                  : i == 0    ? possible
                              : (Look) g_rand_int_range (rand, 1, LOOK_ALL + 1) & possible;
      if ((look & ~possible) != 0)
        continue;
      g_test_message ("%s, grid %s, map %s, seed %" G_GUINT64_FORMAT ", observers 0x%x",
                      subject.machine, subject.grid, subject.mp.map, subject.mp.seed, look);
      g_autofree char *looked = look_at (&subject, look);
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
      compare ((Subject){ .program = program, .machine = data, .all = seed == 0 }, rand);
    }
}

/* The graph of a drawn program. */
static PdGraph *
draw_graph (guint32 seed)
{
  const PdGraphOptions options = { .collectives = "mpich1", .flops = 1e9 };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdProgram) program = test_draw_program (seed, (TestContents){ .others = FALSE });
  PdGraph *graph = pd_graph_from_program (program, &options, messages, &error);

  g_assert_no_error (error);
  return graph;
}

static void
test_graphs (gconstpointer data)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (18);

  for (guint32 seed = 0; seed < N_SEEDS; seed++)
    {
      g_autoptr (PdGraph) graph = draw_graph (seed);
      compare ((Subject){ .graph = graph, .machine = data, .all = seed == 0 }, rand);
    }
}

/* The same operations, on CPUs and adapters that are drawn. */
static PdGraph *
give_lanes (const PdGraph *graph, GRand *rand)
{
  PdGraphBuilder *builder = pd_graph_builder_new (pd_graph_get_n_ranks (graph));
  g_autoptr (GError) error = NULL;
  gboolean on_start;

  for (guint32 rank = 0; rank < pd_graph_get_n_ranks (graph); rank++)
    {
      guint32 n = pd_graph_get_n_ops (graph, rank);
      pd_graph_builder_begin_rank (builder, rank);
      for (guint32 i = 0; i < n; i++)
        {
          PdGraphOp op;
          pd_graph_get_op (graph, rank, i, &op);
          op.cpu = (guint8) g_rand_int_range (rand, 0, 3);
          op.nic = (guint8) g_rand_int_range (rand, 0, 2);
          pd_graph_builder_add (builder, &op);
        }
      for (guint32 i = 0; i < n; i++)
        for (guint32 k = 0; k < pd_graph_get_n_successors (graph, rank, i); k++)
          {
            guint32 next = pd_graph_get_successor (graph, rank, i, k, &on_start);
            pd_graph_builder_depend (builder, next, i, on_start);
          }
    }
  PdGraph *result = pd_graph_builder_finish (builder, &error);
  g_assert_no_error (error);
  return result;
}

static void
test_lanes (gconstpointer data)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20);

  for (guint32 seed = 0; seed < N_SEEDS; seed++)
    {
      g_autoptr (PdGraph) graph = draw_graph (seed);
      g_autoptr (PdGraph) lanes = give_lanes (graph, rand);
      compare ((Subject){ .graph = lanes, .machine = data, .all = seed == 0 }, rand);
    }
}

static void
test_dvm (gconstpointer data)
{
  static const char *const grids[] = { "1x1", "2x2", "3x1" };
  g_autoptr (GRand) rand = g_rand_new_with_seed (19);

  for (gsize i = 0; i < G_N_ELEMENTS (grids); i++)
    compare ((Subject){ .trace = "tests/data/gauss_240.ptr.gz",
                        .machine = data,
                        .grid = grids[i],
                        .all = i == 1 },
             rand);
}

/* Of those with tasks, ordered loops, input and output. */
static void
test_dvm_random (void)
{
  for (guint32 seed = 0; seed < N_TRACES; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      g_autofree char *grid = test_random_grid (rand), *path = NULL;
      g_autoptr (TestTrace) trace = seed % 3 == 0   ? test_program (rand, N_PARTS)
                                    : seed % 3 == 1 ? test_ordered_program (rand, N_PARTS)
                                                    : test_program_with_tasks (rand, N_PARTS, grid);
      g_autoptr (GError) error = NULL;
      gboolean is_uniform;
      const char *machine = seed % 2 == 0
                                ? test_random_machine (rand, &is_uniform)
                                : machines[g_rand_int_range (rand, 0, G_N_ELEMENTS (machines))];

      close (g_file_open_tmp ("pd-test-XXXXXX.ptr", &path, &error));
      g_assert_no_error (error);
      g_assert_true (g_file_set_contents (path, trace->text->str, -1, &error));
      compare ((Subject){ .trace = path, .machine = machine, .grid = grid, .all = seed < 3 }, rand);
      g_unlink (path);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (machines); i++)
    {
      g_autofree char *programs = g_strdup_printf ("/predictor/observers/programs/%zu", i);
      g_autofree char *graphs = g_strdup_printf ("/predictor/observers/graphs/%zu", i);
      g_autofree char *lanes = g_strdup_printf ("/predictor/observers/lanes/%zu", i);
      g_autofree char *dvm = g_strdup_printf ("/predictor/observers/dvm/%zu", i);
      g_test_add_data_func (programs, machines[i], test_programs);
      g_test_add_data_func (graphs, machines[i], test_graphs);
      g_test_add_data_func (lanes, machines[i], test_lanes);
      if (i % 4 == 0)
        g_test_add_data_func (dvm, machines[i], test_dvm);
    }
  g_test_add_func ("/predictor/observers/dvm/random", test_dvm_random);
  return g_test_run ();
}
