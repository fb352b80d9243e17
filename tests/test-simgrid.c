/* Small time-independent traces against what SimGrid says of them, and larger ones
 * on every kind of network: see ../shared/reference/simgrid.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-mp.h"

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

static PdReportRun *
predict (const PdTraceSource *source, const char *machine)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMpTrace) trace =
      pd_mp_trace_read (source, &(PdTraceReadOptions){ FALSE }, NULL, &error);
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
  for (gsize i = 0; i < G_N_ELEMENTS (traces); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/simgrid/trace/", traces[i], NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_traces);
    }
  return g_test_run ();
}
