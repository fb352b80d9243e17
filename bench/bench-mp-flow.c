/* How fast message-passing programs are interpreted on networks whose links are
 * shared: a stencil and a sweep over 16 x 16 ranks on fat trees, an exchange of all
 * with all on a star. The programs are those of ../shared/traces/ti where it is,
 * else made here after the same patterns; reading apart.
 *   bench-mp-flow [NAME]: those whose names begin with NAME
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"
#include "traces/open/pd-trace-read.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define N_RUNS 3
#define SIDE   16
#define FAT_TREE                                                                                   \
  "flow:topology=fat-tree,nic-latency=500ns,latency=200ns,bandwidth=12.5GB/s,eager=1GB,arity="
#define STAR                                                                                       \
  "flow:topology=star,nic-latency=5us,nic-bandwidth=1GB/s,sharing=rtt,envelope=16,eager=1GB,"      \
  "alltoall="

typedef struct
{
  PdProgramBuilder *builder;
  guint32 rank;
} Maker;

static void
add (Maker *self, PdAction *action)
{
  g_autoptr (GError) error = NULL;

  if (!pd_program_builder_add (self->builder, self->rank, action, &error))
    g_error ("%s", error->message);
}

static void
message (Maker *self, PdActionKind kind, guint32 peer, guint32 request, gint64 bytes)
{
  PdAction action;

  pd_action_init (&action, kind);
  action.peer = (gint32) peer;
  action.request = request;
  action.bytes = bytes;
  add (self, &action);
}

static void
compute (Maker *self, gint64 ps)
{
  PdAction action;

  pd_action_init (&action, PD_ACT_COMPUTE);
  action.amount.time.ps = ps;
  add (self, &action);
}

/* Up to four neighbours: x - 1, x + 1, y - 1, y + 1. */
static guint
neighbours (guint32 rank, guint32 *peers)
{
  guint32 x = rank % SIDE, y = rank / SIDE;
  guint n = 0;

  if (x > 0)
    peers[n++] = rank - 1;
  if (x + 1 < SIDE)
    peers[n++] = rank + 1;
  if (y > 0)
    peers[n++] = rank - SIDE;
  if (y + 1 < SIDE)
    peers[n++] = rank + SIDE;
  return n;
}

static void
stencil (Maker *self)
{
  guint32 peers[4];
  guint n = neighbours (self->rank, peers);

  for (guint i = 0; i < 100; i++)
    {
      PdAction wait;
      for (guint k = 0; k < n; k++)
        message (self, PD_ACT_IRECV, peers[k], k, 4096);
      for (guint k = 0; k < n; k++)
        message (self, PD_ACT_ISEND, peers[k], n + k, 4096);
      pd_action_init (&wait, PD_ACT_WAITALL);
      add (self, &wait);
      compute (self, 1310720000);
    }
}

static void
sweep (Maker *self)
{
  guint32 x = self->rank % SIDE, y = self->rank / SIDE;

  for (guint i = 0; i < 200; i++)
    {
      if (x > 0)
        message (self, PD_ACT_RECV, self->rank - 1, 0, 2048);
      if (y > 0)
        message (self, PD_ACT_RECV, self->rank - SIDE, 0, 2048);
      compute (self, 100000000);
      if (y + 1 < SIDE)
        message (self, PD_ACT_SEND, self->rank + SIDE, 0, 2048);
      if (x + 1 < SIDE)
        message (self, PD_ACT_SEND, self->rank + 1, 0, 2048);
    }
}

static void
alltoall (Maker *self)
{
  PdAction action;

  pd_action_init (&action, PD_ACT_COLLECTIVE);
  action.op = PD_COLL_ALLTOALL;
  action.bytes = 1024;
  compute (self, 1000000000);
  add (self, &action);
}

static const struct
{
  const char *name; /* of the trace */
  guint32 n;
  void (*make) (Maker *self);
  const char *machine;
} rows[] = {
  { "jacobi2d.256", SIDE *SIDE, stencil, FAT_TREE "8" },
  { "jacobi2d.256", SIDE *SIDE, stencil, FAT_TREE "16" },
  { "sweep.256", SIDE *SIDE, sweep, FAT_TREE "8" },
  { "sweep.256", SIDE *SIDE, sweep, FAT_TREE "16" },
  { "a2a1.512", 512, alltoall, STAR "linear" },
  { "a2a1.512", 512, alltoall, STAR "pairwise" },
};

static PdProgram *
make_program (gsize row)
{
  Maker maker = { pd_program_builder_new (rows[row].n, PD_AMOUNT_TIME), 0 };

  for (; maker.rank < rows[row].n; maker.rank++)
    rows[row].make (&maker);
  return pd_program_builder_finish (maker.builder);
}

static PdMpTrace *
read_trace (const char *name)
{
  const char *shared = g_getenv ("PREDICTOR_SHARED");
  g_autofree char *file = g_strconcat (name, ".ti.gz", NULL);
  g_autofree char *path =
      g_build_filename (shared != NULL ? shared : "../shared", "traces", "ti", file, NULL);
  const PdTraceReadOptions options = { .recorded = FALSE };

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return NULL;
  return pd_mp_trace_read (&(PdTraceSource){ path, NULL }, &options, NULL, NULL);
}

/* The least of several runs, in seconds of processor time; and of simulated time. */
static gdouble
measure (const PdProgram *program, const char *machine, gdouble *predicted)
{
  const PdMpOptions options = { .trace = "bench", .machine = machine, .flops = 1e9 };
  gdouble least = G_MAXDOUBLE;

  for (guint i = 0; i < N_RUNS; i++)
    {
      g_autoptr (GError) error = NULL;
      clock_t begin = clock ();
      PdReportRun *run = pd_mp_predict_program (&options, program, &error);
      if (run == NULL)
        g_error ("%s", error->message);
      least = MIN (least, (gdouble) (clock () - begin) / CLOCKS_PER_SEC);
      *predicted = pd_time_to_seconds (run->end_times[0]);
      pd_report_run_free (run);
    }
  return least;
}

static void
show (gsize row)
{
  g_autoptr (PdMpTrace) trace = read_trace (rows[row].name);
  g_autoptr (PdProgram) made = trace == NULL ? make_program (row) : NULL;
  const PdProgram *program = trace != NULL ? trace->program : made;
  guint64 actions = 0;
  gdouble predicted;
  gdouble seconds = measure (program, rows[row].machine, &predicted);

  for (guint32 rank = 0; rank < rows[row].n; rank++)
    actions += pd_program_get_n_actions (program, rank);
  printf ("%-12s %s, %7" G_GUINT64_FORMAT " actions: %6.3f s, %6.2f M actions/s, "
          "predicts %.9f s on %s\n",
          rows[row].name, trace != NULL ? "recorded" : "made", actions, seconds,
          (gdouble) actions / seconds / 1e6, predicted, rows[row].machine);
}

int
main (int argc, char **argv)
{
  setvbuf (stdout, NULL, _IOLBF, 0);
  printf ("interpreting message-passing programs on shared links, least of %d runs\n", N_RUNS);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (argc < 2 || g_str_has_prefix (rows[i].name, argv[1]))
      show (i);
  return EXIT_SUCCESS;
}
