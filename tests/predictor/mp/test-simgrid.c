/* Small time-independent traces against what SimGrid says of them, and larger ones
 * on every kind of network: see ../shared/reference/simgrid.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp.h"
#include "traces/open/pd-trace-read.h"

#include <string.h>

#define CROSSBAR "flow:topology=crossbar,latency=10us,bandwidth=1GB/s,envelope=16,"
#define STAR     "flow:topology=star,nic-latency=5us,nic-bandwidth=1GB/s,sharing=rtt,envelope=16,"
#define HET      ",speeds=1:2:4:8"
#define COLLECTIVES                                                                                \
  ",bcast=binomial,barrier=recursive-doubling,reduce=binomial,allreduce=recursive-doubling,"       \
  "alltoall=pairwise"

/* SMPI's three ways to send. */
#define EAGER    "eager=1GB"
#define DETACHED "eager=none,detached=1GB"
#define RDV      "eager=none,control=free"

/* Contention-free ones are exact to 1 ps, contended ones to 1 ns. */
static const struct
{
  const char *name;
  const char *trace;
  const char *machine;
  gdouble seconds;
  gdouble tolerance;
} cases[] = {
  { "pingpong-eager", "c01_pingpong", CROSSBAR EAGER, 0.022253266, 1e-12 },
  { "pingpong-detached", "c01_pingpong", CROSSBAR DETACHED, 0.022253266, 1e-12 },
  { "pingpong-rdv", "c01_pingpong", CROSSBAR RDV, 0.022253266, 1e-12 },
  { "late-receiver-eager", "c02_late_receiver", CROSSBAR EAGER, 0.006, 1e-12 },
  { "late-receiver-detached", "c02_late_receiver", CROSSBAR DETACHED, 0.007010016, 1e-12 },
  { "late-receiver-rdv", "c02_late_receiver", CROSSBAR RDV, 0.007010016, 1e-12 },
  { "late-sender-eager", "c03_late_sender", CROSSBAR EAGER, 0.007010016, 1e-12 },
  { "late-sender-detached", "c03_late_sender", CROSSBAR DETACHED, 0.007010016, 1e-12 },
  { "late-sender-rdv", "c03_late_sender", CROSSBAR RDV, 0.007010016, 1e-12 },
  { "shift-eager", "c05_shift_isend", CROSSBAR EAGER, 0.00055008, 1e-12 },
  { "shift-detached", "c05_shift_isend", CROSSBAR DETACHED, 0.00055008, 1e-12 },
  { "shift-rdv", "c05_shift_isend", CROSSBAR RDV, 0.00055008, 1e-12 },
  { "sweep-eager", "c07_sweep2d", CROSSBAR EAGER, 0.002117152, 1e-12 },
  { "sweep-detached", "c07_sweep2d", CROSSBAR DETACHED, 0.002672096, 1e-12 },
  { "sweep-rdv", "c07_sweep2d", CROSSBAR RDV, 0.003178784, 1e-12 },
  { "collectives-eager", "c08_collectives", CROSSBAR EAGER COLLECTIVES, 0.000650504, 1e-12 },
  { "collectives-detached", "c08_collectives", CROSSBAR DETACHED COLLECTIVES, 0.000708776, 1e-12 },
  { "collectives-rdv", "c08_collectives", CROSSBAR RDV COLLECTIVES, 0.000708776, 1e-12 },
  { "hetero", "c10_hetero_compute", CROSSBAR DETACHED HET, 1.000020032, 1e-12 },
  { "incast", "c11_incast_star", STAR RDV, 0.010010064, 1e-9 },
  { "exchange", "c12_exchange_star", STAR RDV, 0.001510032, 1e-9 },
};

/* Of our own making, so that something is tested without ../shared: rank 0 sends
 * twice, the second time while rank 1 is late. */
static const char own_trace[] = "0 init\n0 send 1 0 984 6\n0 send 1 0 1984 6\n0 finalize\n"
                                "1 init\n1 recv 0 0 984 6\n1 compute 1e6\n1 recv 0 0 1984 6\n"
                                "1 finalize\n";

static const struct
{
  const char *name;
  const char *machine;
  gint64 ps; /* the end of rank 1 */
} own[] = {
  /* 11 us for the first, 1 ms of computation, the second has long been there */
  { "eager", CROSSBAR EAGER, 1011000000 },
  { "detached", CROSSBAR DETACHED, 1023000000 },
  { "rdv", CROSSBAR RDV, 1023000000 },
};

/* All collective operations, one after the other, and those with counts: what SimGrid
 * 3.32 says of them with its default algorithms; on links that are shared if it
 * updates all of them ("network/optim:Full"). */
#define FOUR                                                                                       \
  "flow:topology=tree,leaf=4,nic-latency=2us,nic-bandwidth=1GB/s,latency=7us,bandwidth=1.5GB/s,"   \
  "sharing=rtt,envelope=16,"
#define SMPI ",collectives=smpi"
#define NONE ",reduce=binomial,reduce-scatter=pairwise"

static const char *const all_operations[] = {
  "bcast 10000 2 6",
  "barrier",
  "reduce 1000 0 4 0",
  "allreduce 500 2e4 0",
  "gather 700 700 3 6 6",
  "scatter 900 900 1 6 6",
  "allgather 100 100 1 1",
  "alltoall 5000 5000 6 6",
  "scan 250 1e4 4",
  "exscan 250 0 4",
  "reducescatter 10 10 10 10 10 10 0 0",
};

static const char with_counts[] = "0 init\n"
                                  "0 alltoallv 1000 0 1000 2000 3000 1000 0 3000 1000 4000\n"
                                  "0 allgatherv 100 100 0 5000 300\n"
                                  "0 gatherv 100 100 0 5000 300 2 6 6\n"
                                  "0 scatterv 100 0 5000 300 100 1 6 6\n"
                                  "0 finalize\n"
                                  "1 init\n"
                                  "1 alltoallv 1000 3000 4000 0 1000 1000 1000 4000 2000 0\n"
                                  "1 allgatherv 0 100 0 5000 300\n"
                                  "1 gatherv 0 100 0 5000 300 2 6 6\n"
                                  "1 scatterv 100 0 5000 300 0 1 6 6\n"
                                  "1 finalize\n"
                                  "2 init\n"
                                  "2 alltoallv 1000 1000 2000 3000 4000 1000 2000 0 3000 1000\n"
                                  "2 allgatherv 5000 100 0 5000 300\n"
                                  "2 gatherv 5000 100 0 5000 300 2 6 6\n"
                                  "2 scatterv 100 0 5000 300 5000 1 6 6\n"
                                  "2 finalize\n"
                                  "3 init\n"
                                  "3 alltoallv 1000 4000 0 1000 2000 1000 3000 1000 4000 2000\n"
                                  "3 allgatherv 300 100 0 5000 300\n"
                                  "3 gatherv 300 100 0 5000 300 2 6 6\n"
                                  "3 scatterv 100 0 5000 300 300 1 6 6\n"
                                  "3 finalize\n";

/* Of no elements: nobody waits for rank 1. */
static const char of_nothing[] = "0 init\n0 reduce 0 0 0\n0 reducescatter 0 0 0 0 0\n0 finalize\n"
                                 "1 init\n1 compute 3e6\n1 reduce 0 0 0\n"
                                 "1 reducescatter 0 0 0 0 0\n1 finalize\n"
                                 "2 init\n2 reduce 0 0 0\n2 reducescatter 0 0 0 0 0\n2 finalize\n";

typedef enum
{
  ALL,     /* 6 ranks, all_operations */
  COUNTS,  /* 4 ranks, with_counts */
  UNEQUAL, /* 7 ranks, Reduce_scatter of unequal blocks */
  NOTHING, /* 3 ranks, of_nothing */
} Program;

static const struct
{
  const char *name;
  Program program;
  const char *machine;
  gdouble seconds;
} collectives[] = {
  { "crossbar-eager", ALL, CROSSBAR EAGER SMPI, 0.000270884 },
  { "crossbar-detached", ALL, CROSSBAR DETACHED SMPI, 0.000301816 },
  { "crossbar-rdv", ALL, CROSSBAR RDV SMPI, 0.000315832 },
  { "star-eager", ALL, STAR EAGER SMPI, 0.000351412 },
  { "star-detached", ALL, STAR DETACHED SMPI, 0.000385096 },
  { "star-rdv", ALL, STAR RDV SMPI, 0.000410824 },
  { "tree-eager", ALL, FOUR EAGER SMPI, 0.000399192768884 },
  { "tree-detached", ALL, FOUR DETACHED SMPI, 0.000454965585391 },
  { "tree-rdv", ALL, FOUR RDV SMPI, 0.000481951901235 },
  { "counts-star-eager", COUNTS, STAR EAGER SMPI, 0.00005556 },
  { "counts-star-detached", COUNTS, STAR DETACHED SMPI, 0.000065544 },
  { "counts-star-rdv", COUNTS, STAR RDV SMPI, 0.000068876 },
  { "counts-hetero-eager", COUNTS, CROSSBAR EAGER HET SMPI, 0.000042048 },
  { "counts-hetero-detached", COUNTS, CROSSBAR DETACHED HET SMPI, 0.000054364 },
  { "unequal-eager", UNEQUAL, STAR EAGER SMPI, 0.000138792 },
  { "unequal-detached", UNEQUAL, STAR DETACHED SMPI, 0.000135136 },
  { "unequal-rdv", UNEQUAL, STAR RDV SMPI, 0.000127188 },
  { "nothing-eager", NOTHING, STAR EAGER SMPI NONE, 0.003 },
  { "nothing-rdv", NOTHING, STAR RDV SMPI NONE, 0.003 },
};

static PdReportRun *
predict (const PdTraceSource *source, const char *machine)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMpTrace) trace =
      pd_mp_trace_read (source, &(PdTraceReadOptions){ .recorded = FALSE }, NULL, &error);
  const PdMpOptions options = {
    .trace = source->path, .machine = machine, .flops = 1e9, .check = TRUE
  };

  g_assert_no_error (error);
  PdReportRun *run = pd_mp_predict (&options, trace, &error);
  g_assert_no_error (error);
  return run;
}

/* The latest end, in seconds. */
static gdouble
makespan (const PdReportRun *run)
{
  PdTime latest = PD_TIME_ZERO;

  for (guint32 rank = 0; rank < run->n_processors; rank++)
    latest = pd_time_max (latest, run->end_times[rank]);
  return pd_time_to_seconds (latest);
}

static char *
shared_path (const char *folder, const char *file)
{
  const char *shared = g_getenv ("PREDICTOR_SHARED");

  return g_build_filename (shared != NULL ? shared : "../shared", folder, file, NULL);
}

static void
test_case (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *folder = g_build_filename ("reference/simgrid", cases[i].trace, NULL);
  g_autofree char *path = shared_path (folder, "list");
  const PdTraceSource source = { path, NULL };

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("../shared is absent");
      return;
    }
  PdReportRun *run = predict (&source, cases[i].machine);
  g_assert_cmpfloat_with_epsilon (makespan (run), cases[i].seconds, cases[i].tolerance);
  pd_report_run_free (run);
}

static void
test_own (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GBytes) bytes = g_bytes_new_static (own_trace, sizeof own_trace - 1);
  const PdTraceSource source = { "own.ti", bytes };
  PdReportRun *run = predict (&source, own[i].machine);

  g_assert_cmpint (run->end_times[1].ps, ==, own[i].ps);
  pd_report_run_free (run);
}

static GBytes *
make_all_operations (void)
{
  GString *text = g_string_new (NULL);

  for (guint rank = 0; rank < 6; rank++)
    {
      g_string_append_printf (text, "%u init\n%u compute %u\n", rank, rank, 10000 * (rank * 5 % 7));
      for (gsize i = 0; i < G_N_ELEMENTS (all_operations); i++)
        g_string_append_printf (text, "%u %s\n", rank, all_operations[i]);
      g_string_append_printf (text, "%u finalize\n", rank);
    }
  return g_string_free_to_bytes (text);
}

static GBytes *
make_with_counts (void)
{
  return g_bytes_new_static (with_counts, sizeof with_counts - 1);
}

static GBytes *
make_unequal (void)
{
  GString *text = g_string_new (NULL);

  for (guint rank = 0; rank < 7; rank++)
    g_string_append_printf (text,
                            "%u init\n%u reducescatter 1108 4808 3508 2208 908 4608 3308 0 6\n"
                            "%u finalize\n",
                            rank, rank, rank);
  return g_string_free_to_bytes (text);
}

static GBytes *
make_nothing (void)
{
  return g_bytes_new_static (of_nothing, sizeof of_nothing - 1);
}

static void
test_collectives (gconstpointer data)
{
  static GBytes *(*const make[]) (void) = {
    [ALL] = make_all_operations,
    [COUNTS] = make_with_counts,
    [UNEQUAL] = make_unequal,
    [NOTHING] = make_nothing,
  };
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GBytes) bytes = make[collectives[i].program]();
  const PdTraceSource source = { "collectives.ti", bytes };
  PdReportRun *run = predict (&source, collectives[i].machine);

  g_assert_cmpfloat_with_epsilon (makespan (run), collectives[i].seconds, 4e-12);
  pd_report_run_free (run);
}

/* ---- programs where conventions differ: those of tests/data/simgrid, each with trace.ti,
 * machine.txt and end.txt, the picosecond in which the last rank ends in SimGrid 3.32; drawn by
 * bench/differential */

static char *
read_text (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return g_strstrip (text);
}

static void
test_convention (gconstpointer data)
{
  g_autofree char *folder = g_build_filename ("tests/data/simgrid", data, NULL);
  g_autofree char *trace = g_build_filename (folder, "trace.ti", NULL);
  g_autofree char *machine = read_text (folder, "machine.txt");
  g_autofree char *end = read_text (folder, "end.txt");
  PdReportRun *run = predict (&(PdTraceSource){ trace, NULL }, machine);

  g_assert_cmpfloat_with_epsilon (makespan (run), g_ascii_strtod (end, NULL) / 1e12, 1e-9);
  pd_report_run_free (run);
}

static const char *const conventions[] = {
  "dragonfly-gates", "dragonfly-chassis", "dragonfly-compat", "torus-half-way", "mixed-3",
  "mixed-11",        "crossbar-2",        "fattree-185",      "operations-12"
};

/* A case of ../shared: "… end times ps [N, N, …]", by rank. */
static const struct
{
  const char *name;
  const char *machine;
} differential[] = {
  { "sg-D1-dragonfly-gate",
    "flow:topology=dragonfly,groups=3,routers=4,hosts=1,gates=numbered,latency=5us,bandwidth=1GB/s,"
    "nic-latency=5us,nic-bandwidth=1GB/s,sharing=rtt,envelope=16," EAGER SMPI },
  { "sg-T1-torus-half-way-direction",
    "flow:topology=torus,dimensions=4,compat=simgrid,latency=5us,bandwidth=1GB/s,"
    "nic-bandwidth=100TB/s,sharing=rtt,envelope=16," EAGER SMPI },
};

static void
test_differential (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *inside = g_build_filename ("reference/differential", differential[i].name, NULL);
  g_autofree char *folder = shared_path (inside, NULL);

  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    {
      g_test_skip ("../shared is absent");
      return;
    }
  g_autofree char *trace = g_build_filename (folder, "t.ti", NULL);
  g_autofree char *text = read_text (folder, "expected.txt");
  PdReportRun *run = predict (&(PdTraceSource){ trace, NULL }, differential[i].machine);
  const char *end = strchr (text, '[');
  for (guint32 rank = 0; rank < run->n_processors; rank++)
    {
      g_assert_nonnull (end);
      gint64 ps = g_ascii_strtoll (end + 1, (char **) &end, 10);
      g_assert_cmpint (ABS (run->end_times[rank].ps - ps), <=, 10);
    }
  pd_report_run_free (run);
}

/* ---- larger traces: they end, and every identity holds */

static const char *const traces[] = {
  "a2a1.128",    "bcast.256", "dt.S.SH.12", "ep.S.4",    "is.S.4",   "is.W.64",
  "jacobi2d.64", "ring.256",  "shift.256",  "sweep.256", "tree.256",
};

static const char *const machines[] = {
  "ideal",
  "myrinet:startup=7us,per-byte=4ns",
  "loggops:L=2500ns,o=1500ns,g=1000ns,G=6ns,O=0ns,S=65535",
  CROSSBAR EAGER,
  CROSSBAR DETACHED,
};

static void
test_traces (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *name = g_strconcat (traces[i], ".ti.gz", NULL);
  g_autofree char *path = shared_path ("traces/ti", name);
  const PdTraceSource source = { path, NULL };

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("../shared is absent");
      return;
    }
  gdouble before = 0;
  for (gsize m = 0; m < G_N_ELEMENTS (machines); m++)
    {
      PdReportRun *run = predict (&source, machines[m]);
      /* nothing is faster than a machine that costs nothing */
      g_assert_cmpfloat (makespan (run), >=, before);
      if (m == 0)
        before = makespan (run);
      pd_report_run_free (run);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/simgrid/case/", cases[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_case);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (own); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/simgrid/own/", own[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_own);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (collectives); i++)
    {
      g_autofree char *path =
          g_strconcat ("/predictor/simgrid/collectives/", collectives[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_collectives);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (conventions); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/simgrid/convention/", conventions[i], NULL);
      g_test_add_data_func (path, conventions[i], test_convention);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (differential); i++)
    {
      g_autofree char *path =
          g_strconcat ("/predictor/simgrid/differential/", differential[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_differential);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (traces); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/simgrid/trace/", traces[i], NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_traces);
    }
  return g_test_run ();
}
