/* Dependency graphs as predictions: through the same door as programs.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-graph.h"
#include "predictor/common/pd-errors.h"
#include "predictor/dvm/simulate/pd-simulation.h"
#include "tests/support/mp/mp-script.h"
#include "intervals/pd-interval-fold.h"
#include "traces/open/pd-trace-read.h"

#define LOGGOPS "loggops:L=2500ns,o=1500ns,g=1000ns,G=6ns,O=0ns,S=65535"

static guint32
add (PdGraphBuilder *builder, PdGraphKind kind, gint64 size, guint32 peer)
{
  const PdGraphOp op = { .kind = kind, .size = size, .peer = peer };

  return pd_graph_builder_add (builder, &op);
}

/* Rank 0 computes for 2 us, then sends 10 bytes, which rank 1 receives; @more: of
 * which it expects another. */
static PdGraph *
make_graph (gboolean more)
{
  PdGraphBuilder *builder = pd_graph_builder_new (2);
  g_autoptr (GError) error = NULL;

  pd_graph_builder_begin_rank (builder, 0);
  guint32 calc = add (builder, PD_GRAPH_CALC, 2000, 0);
  guint32 send = add (builder, PD_GRAPH_SEND, 10, 1);
  pd_graph_builder_depend (builder, send, calc, FALSE);
  pd_graph_builder_begin_rank (builder, 1);
  add (builder, PD_GRAPH_RECV, 10, 0);
  if (more)
    add (builder, PD_GRAPH_RECV, 10, 0);
  PdGraph *graph = pd_graph_builder_finish (builder, &error);
  g_assert_no_error (error);
  return graph;
}

/* The same, beside which another CPU of rank 0 computes. */
static PdGraph *
make_two_cpus (void)
{
  PdGraphBuilder *builder = pd_graph_builder_new (2);
  const PdGraphOp other = { .kind = PD_GRAPH_CALC, .size = 10, .cpu = 1 };
  g_autoptr (GError) error = NULL;

  pd_graph_builder_begin_rank (builder, 0);
  guint32 calc = add (builder, PD_GRAPH_CALC, 2000, 0);
  guint32 send = add (builder, PD_GRAPH_SEND, 10, 1);
  pd_graph_builder_depend (builder, send, calc, FALSE);
  pd_graph_builder_add (builder, &other);
  pd_graph_builder_begin_rank (builder, 1);
  add (builder, PD_GRAPH_RECV, 10, 0);
  PdGraph *graph = pd_graph_builder_finish (builder, &error);
  g_assert_no_error (error);
  return graph;
}

static const struct
{
  const char *name;
  const char *machine;
  const char *ratio;
  gint64 ends[2]; /* ns */
  gint64 cpu;     /* of rank 0 */
} cases[] = {
  /* 2000 + o; arrives o + L later, takes o + 9 G */
  { "plain", LOGGOPS, NULL, { 3500, 7554 }, 2000 },
  { "speeds", LOGGOPS ",speeds=2:1", NULL, { 2500, 6554 }, 1000 },
  { "ratio", LOGGOPS, "2", { 2500, 6554 }, 1000 },
};

static void
test_case (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdGraph) graph = make_graph (FALSE);
  const char *ratios[] = { cases[i].ratio, NULL };
  g_autoptr (PdCpuRatios) parsed = pd_cpu_ratios_parse (ratios, &error);
  const PdMpOptions options = {
    .trace = "test", .machine = cases[i].machine, .ratios = parsed, .check = TRUE
  };
  PdReportRun *run = pd_mp_predict_graph (&options, graph, &error);
  PdTime values[PD_N_CHARACTERISTICS];

  g_assert_no_error (error);
  for (guint rank = 0; rank < 2; rank++)
    g_assert_cmpint (run->end_times[rank].ps, ==, cases[i].ends[rank] * PD_PS_PER_NS);
  pd_interval_tree_get_processor (run->tree, PD_INTERVAL_ROOT, 0, values);
  g_assert_cmpint (values[PD_C_CPU_TIME].ps, ==, cases[i].cpu * PD_PS_PER_NS);
  g_assert_cmpuint (run->n_messages, ==, 1);
  pd_report_run_free (run);
}

/* ---- random graphs, and what LogGOPSim says of them, in ns */

static const struct
{
  const char *name;
  const char *machine;
  gint64 ends[9];
} recorded[] = {
  { "cpus-rendezvous",
    "loggops:L=1ns,o=1500ns,g=0ns,G=6ns,O=0ns,S=8,compat=loggopsim",
    { 5054, 653336, 607496, 604995, 684830, 607495, 634489, 602995, 3011 } },
  { "empty-messages",
    "loggops:L=500ns,o=200ns,g=1000ns,G=1ns,O=9ns,S=8,compat=loggopsim",
    { 1852573, 1853774, 1852573, 27932, 14554, 69869, 951281 } },
  { "overlap-rendezvous",
    "loggops:L=10000ns,o=200ns,g=1000ns,G=6ns,O=9ns,S=0,compat=loggopsim",
    { 44719, 21584, 59257, 16723, 47883, 16639 } },
  { "wildcards",
    "loggops:L=0ns,o=0ns,g=0ns,G=0ns,O=1ns,S=65535,compat=loggopsim",
    { 111448, 110332, 510, 5000, 100009, 110332 } },
};

static void
test_recorded (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *path = g_strconcat ("tests/data/graphs/", recorded[i].name, ".goal", NULL);
  const PdMpOptions options = { .trace = path, .machine = recorded[i].machine, .check = TRUE };
  const PdTraceSource source = { .path = path };
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMpTrace) trace =
      pd_mp_trace_read (&source, &(PdTraceReadOptions){ 0 }, messages, &error);
  PdReportRun *run;

  g_assert_no_error (error);
  run = pd_mp_predict (&options, trace, &error);
  g_assert_no_error (error);
  for (guint rank = 0; rank < run->n_processors; rank++)
    g_assert_cmpint (run->end_times[rank].ps, ==, recorded[i].ends[rank] * PD_PS_PER_NS);
  pd_report_run_free (run);
}

/* The same as a program, on the same machine. */
static void
test_program (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdProgram) program =
      mp_script_new (2, PD_AMOUNT_TIME, "0 compute 2; 0 send 1 10; 1 recv 0 10");
  const PdMpOptions options = { .trace = "test", .machine = LOGGOPS, .check = TRUE };
  PdReportRun *run = pd_mp_predict_program (&options, program, &error);

  g_assert_no_error (error);
  for (guint rank = 0; rank < 2; rank++)
    g_assert_cmpint (run->end_times[rank].ps, ==, cases[0].ends[rank] * PD_PS_PER_NS);
  pd_report_run_free (run);
}

/* Anything that the kernel for graphs knows nothing of costs the same: by the other loop. */
static void
test_overheads (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdGraph) graph = make_graph (FALSE);
  const PdMpOptions options = { .trace = "test",
                                .machine = LOGGOPS ",send-overhead=100ns",
                                .check = TRUE };
  PdReportRun *run = pd_mp_predict_graph (&options, graph, &error);
  PdTime values[PD_N_CHARACTERISTICS];

  g_assert_no_error (error);
  for (guint rank = 0; rank < 2; rank++)
    g_assert_cmpint (run->end_times[rank].ps, ==,
                     (cases[0].ends[rank] + (rank == 0 ? 100 : 0)) * PD_PS_PER_NS);
  pd_interval_tree_get_processor (run->tree, PD_INTERVAL_ROOT, 1, values);
  g_assert_cmpint (values[PD_C_SENDRECV_TIME].ps, ==, run->end_times[1].ps);
  g_autoptr (GArray) results = pd_interval_tree_fold (run->tree);
  const PdIntervalResult *all = &g_array_index (results, PdIntervalResult, 0);
  g_assert_cmpuint (all->counts[PD_Q_N_SENDS - PD_N_TIMES], ==, 1);
  g_assert_cmpuint (all->counts[PD_Q_N_RECEIVES - PD_N_TIMES], ==, 1);
  pd_report_run_free (run);
}

/* By the other loop, too, which gives the same where nothing is disturbed. */
static void
test_noise (void)
{
  static const char *const machines[] = { LOGGOPS ",noise=normal,noise-sigma=0",
                                          LOGGOPS ",noise=normal,noise-sigma=0.5" };

  for (guint several = 0; several < 2; several++)
    for (guint i = 0; i < 2; i++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (PdGraph) graph = several ? make_two_cpus () : make_graph (FALSE);
        const PdMpOptions options = { .trace = "test", .machine = machines[i], .check = TRUE };
        PdReportRun *run = pd_mp_predict_graph (&options, graph, &error);
        g_assert_no_error (error);
        gboolean same = run->end_times[1].ps == cases[0].ends[1] * PD_PS_PER_NS;
        g_assert_cmpint (same, ==, i == 0);
        g_assert_cmpuint (pd_messages_count (run->messages, "noise"), ==, 1);
        pd_report_run_free (run);
      }
}

/* Where clocks go back, which only the kernel follows. */
static void
test_backwards (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdGraph) graph = make_two_cpus ();
  const PdMpOptions options = { .trace = "test",
                                .machine = LOGGOPS ",compat=loggopsim,noise=normal,noise-sigma=0" };

  g_assert_null (pd_mp_predict_graph (&options, graph, &error));
  g_assert_error (error, PD_USAGE_ERROR, 0);
}

static void
test_deadlock (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdGraph) graph = make_graph (TRUE);
  const PdMpOptions options = { .trace = "test", .machine = LOGGOPS };

  g_assert_null (pd_mp_predict_graph (&options, graph, &error));
  g_assert_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_DEADLOCK);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/mp-graph/case/", cases[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_case);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (recorded); i++)
    {
      g_autofree char *path =
          g_strconcat ("/predictor/mp-graph/loggopsim/", recorded[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_recorded);
    }
  g_test_add_func ("/predictor/mp-graph/program", test_program);
  g_test_add_func ("/predictor/mp-graph/overheads", test_overheads);
  g_test_add_func ("/predictor/mp-graph/noise", test_noise);
  g_test_add_func ("/predictor/mp-graph/backwards", test_backwards);
  g_test_add_func ("/predictor/mp-graph/deadlock", test_deadlock);
  return g_test_run ();
}
