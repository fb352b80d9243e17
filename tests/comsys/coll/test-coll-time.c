/* When collective operations end: closed forms, non-blocking ones against
 * blocking ones, the tables of the sets, and the cost model of "simple".
 * Moments are in us.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-op-info.h"
#include "comsys/coll/pd-op.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "tests/support/comsys/comsys-script.h"
#include "comsys/coll/pd-coll-algorithms.h"
#include "comsys/mpi/pd-barrier-state-private.h"
#include "comsys/mpi/pd-coll-choice-private.h"
#include "comsys/mpi/pd-collective.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/mpi/pd-wait.h"

#include <math.h>
#include <string.h>

#define MAX_N 16

/* a message of n bytes takes 7 us + 4 ns per byte, disturbs none */
#define WIDE     "memory:startup=7us,per-byte=4ns,nodes=64"
#define T(bytes) (7.0 + 0.004 * (gdouble) (bytes))

/* ---- one operation of every rank, or several at a time */

typedef struct
{
  const char *machine;
  guint32 n;
  PdCollective args;
  guint n_operations;   /* one after the other, or all under way */
  gboolean nonblocking; /* non-blocking, and waited for at once */
  gboolean one_step;
  gdouble in[64];
  const guint32 (*sources)[2]; /* of neighbours */
  const guint32 (*targets)[2];
} Setup;

typedef struct
{
  const Setup *setup;
  PdComsys *comsys;
  guint phase[64];
  PdTime ret[64];
  PdTime end[64];
  PdRequest requests[64][4];
  guint n_ended;
  guint64 n_messages;
  gint64 n_bytes;
} Run;

static void
see_message (gpointer data, guint32 source, guint32 target, gint64 bytes, PdTime when,
             gboolean collective)
{
  Run *self = data;

  g_assert_cmpuint (source, !=, target);
  g_assert_cmpint (when.ps, >=, 0);
  g_assert_true (collective);
  self->n_messages++;
  self->n_bytes += bytes;
}

/* The next call of @rank; FALSE: it has ended. */
static gboolean
act (Run *self, guint32 rank, PdTime when)
{
  const Setup *setup = self->setup;
  PdCall call = { rank, when, &self->ret[rank], NULL };
  PdComm *world = pd_comsys_get_world (self->comsys);
  PdCollective args = setup->args;
  guint k = self->phase[rank]++;

  if (setup->sources != NULL)
    {
      args.sources = setup->sources[rank];
      args.targets = setup->targets[rank];
      args.n_sources = args.n_targets = 2;
    }
  if (k < setup->n_operations && setup->nonblocking)
    self->requests[rank][k] = pd_comsys_icollective (self->comsys, &call, world, &args);
  else if (k < setup->n_operations)
    pd_comsys_collective (self->comsys, &call, world, &args);
  else if (k == setup->n_operations && setup->nonblocking)
    pd_comsys_waitall (self->comsys, &call, self->requests[rank], setup->n_operations);
  else
    {
      self->end[rank] = when;
      self->n_ended++;
      return FALSE;
    }
  return TRUE;
}

static void
take_turn (Run *self, guint32 rank, PdTime when)
{
  while (act (self, rank, when) && !pd_time_is_pending (self->ret[rank]))
    {
      when = self->ret[rank];
      if (!pd_comsys_may_go_on (self->comsys, rank, when))
        {
          pd_comsys_ready (self->comsys, rank, when);
          return;
        }
    }
}

static void
run (Run *self, const Setup *setup)
{
  g_autoptr (PdMachine) machine = test_machine (setup->machine, setup->n);
  g_autoptr (GError) error = NULL;
  guint32 rank;
  PdTime when;

  *self = (Run){ .setup = setup };
  self->comsys = pd_comsys_new (machine, NULL, setup->n, &error);
  g_assert_no_error (error);
  pd_comsys_set_run_ahead (self->comsys, !setup->one_step);
  pd_comsys_set_observer (self->comsys, &(PdObserver){ .data = self, .message = see_message });
  for (rank = 0; rank < setup->n; rank++)
    pd_comsys_ready (self->comsys, rank, PD_TIME (test_us (setup->in[rank])));
  while (pd_comsys_next (self->comsys, &rank, &when))
    take_turn (self, rank, when);
  g_assert_cmpuint (self->n_ended, ==, setup->n);
  g_assert_cmpuint (pd_comsys_finalize (self->comsys), ==, 0);
  const PdComsysCounts *counts = pd_comsys_get_counts (self->comsys);
  g_assert_cmpuint (counts->n_collectives, ==, (guint64) setup->n * setup->n_operations);
  if (!strstr (setup->machine, "copy"))
    g_assert_cmpuint (self->n_messages, ==, counts->n_messages);
  g_assert_true (counts->n_bytes.ps == self->n_bytes);
  pd_comsys_free (self->comsys);
  self->comsys = NULL;
}

static PdTime
last_end (const Run *self)
{
  PdTime last = PD_TIME_ZERO;

  for (guint32 i = 0; i < self->setup->n; i++)
    last = pd_time_max (last, self->end[i]);
  return last;
}

/* ---- closed forms, for a power of two */

static guint
log_of (guint32 n)
{
  guint k = 0;

  while (1u << k < n)
    k++;
  return k;
}

static gdouble
tree (guint32 n, gdouble bytes)
{
  return log_of (n) * T (bytes);
}

static gdouble
empty_tree (guint32 n, gdouble bytes G_GNUC_UNUSED)
{
  return log_of (n) * T (0);
}

static gdouble
two_trees (guint32 n, gdouble bytes)
{
  return 2 * tree (n, bytes);
}

static gdouble
all_others (guint32 n, gdouble bytes)
{
  return (n - 1) * T (bytes);
}

static gdouble
all_others_empty (guint32 n, gdouble bytes G_GNUC_UNUSED)
{
  return 2 * n * T (0);
}

static gdouble
once (guint32 n, gdouble bytes)
{
  return n > 1 ? T (bytes) : 0;
}

/* two ranks at a time, the own one first */
static gdouble
pairs_of_others (guint32 n, gdouble bytes)
{
  return n > 1 ? (n + 1) / 2 * T (bytes) : 0;
}

static gdouble
two_rings (guint32 n, gdouble bytes)
{
  return 2 * (n - 1) * T (bytes / n);
}

/* n / 2 blocks, n / 4, … 1 */
static gdouble
halves (guint32 n, gdouble bytes)
{
  gdouble sum = 0;

  for (guint32 k = n / 2; k >= 1; k /= 2)
    sum += T (bytes * k);
  return sum;
}

static gdouble
vector_halves (guint32 n, gdouble bytes)
{
  return halves (n, bytes / n);
}

static gdouble
twice_vector_halves (guint32 n, gdouble bytes)
{
  return 2 * vector_halves (n, bytes);
}

static gdouble
scatter_and_ring (guint32 n, gdouble bytes)
{
  return vector_halves (n, bytes) + (n - 1) * T (bytes / n);
}

static gdouble
half_the_blocks (guint32 n, gdouble bytes)
{
  return log_of (n) * T (bytes * n / 2);
}

static const struct
{
  const char *algorithm;
  PdOp op;
  gdouble (*form) (guint32 n, gdouble bytes);
} forms[] = {
  { "barrier=dissemination", PD_OP_BARRIER, empty_tree },
  { "barrier=recursive-doubling", PD_OP_BARRIER, empty_tree },
  { "barrier=double-ring", PD_OP_BARRIER, all_others_empty },
  { "bcast=binomial", PD_OP_BCAST, tree },
  { "bcast=pipeline", PD_OP_BCAST, all_others },
  { "bcast=linear", PD_OP_BCAST, once },
  { "bcast=scatter-doubling", PD_OP_BCAST, twice_vector_halves },
  { "bcast=scatter-ring", PD_OP_BCAST, scatter_and_ring },
  { "reduce=binomial", PD_OP_REDUCE, tree },
  { "reduce=linear", PD_OP_REDUCE, once },
  { "reduce=pipeline", PD_OP_REDUCE, all_others },
  { "reduce=rabenseifner", PD_OP_REDUCE, twice_vector_halves },
  { "allreduce=recursive-doubling", PD_OP_ALLREDUCE, tree },
  { "allreduce=reduce-bcast", PD_OP_ALLREDUCE, two_trees },
  { "allreduce=ring", PD_OP_ALLREDUCE, two_rings },
  { "allreduce=rabenseifner", PD_OP_ALLREDUCE, twice_vector_halves },
  { "gather=linear", PD_OP_GATHER, once },
  { "gather=binomial", PD_OP_GATHER, halves },
  { "scatter=binomial", PD_OP_SCATTER, halves },
  { "allgather=ring", PD_OP_ALLGATHER, all_others },
  { "allgather=recursive-doubling", PD_OP_ALLGATHER, halves },
  { "allgather=bruck", PD_OP_ALLGATHER, halves },
  { "alltoall=linear", PD_OP_ALLTOALL, once },
  { "alltoall=linear-sync", PD_OP_ALLTOALL, once },
  { "alltoall=pairwise", PD_OP_ALLTOALL, all_others },
  { "alltoall=shift", PD_OP_ALLTOALL, all_others },
  { "alltoall=block", PD_OP_ALLTOALL, all_others },
  { "alltoall=block:2", PD_OP_ALLTOALL, pairs_of_others },
  { "alltoall=bruck", PD_OP_ALLTOALL, half_the_blocks },
  { "reduce-scatter-block=recursive-halving", PD_OP_REDUCE_SCATTER_BLOCK, halves },
  { "reduce-scatter-block=pairwise", PD_OP_REDUCE_SCATTER_BLOCK, all_others },
  { "reduce-scatter-block=ring", PD_OP_REDUCE_SCATTER_BLOCK, all_others },
  { "scan=chain", PD_OP_SCAN, all_others },
  { "scan=recursive-doubling", PD_OP_SCAN, tree },
  { "exscan=recursive-doubling", PD_OP_EXSCAN, tree },
};

static void
test_form (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *machine = g_strconcat (WIDE ",eager=1GB,", forms[i].algorithm, NULL);

  for (guint32 n = 2; n <= 64; n *= 2)
    {
      Setup setup = { .machine = machine, .n = n, .n_operations = 1 };
      Run result;
      setup.args = (PdCollective){ .op = forms[i].op, .bytes = 6400 };
      run (&result, &setup);
      g_assert_cmpint (last_end (&result).ps, ==, test_us (forms[i].form (n, 6400)));
    }
}

/* ---- non-blocking and waited for at once: as blocking; and one step at a time as
 * ahead; whether sends wait for their receives or not */

static void
compare_ways (const char *machine, PdOp op, guint32 n, gint64 bytes)
{
  Setup setup = { .machine = machine, .n = n, .n_operations = 1 };
  Run blocking, nonblocking, stepwise;

  setup.args = (PdCollective){ .op = op, .bytes = bytes, .root = n / 2 };
  for (guint32 i = 0; i < n; i++)
    setup.in[i] = (i * 13) % 11;
  run (&blocking, &setup);
  setup.nonblocking = TRUE;
  run (&nonblocking, &setup);
  setup.one_step = TRUE;
  run (&stepwise, &setup);
  g_assert_cmpuint (blocking.n_messages, ==, nonblocking.n_messages);
  g_assert_cmpint (blocking.n_bytes, ==, nonblocking.n_bytes);
  for (guint32 i = 0; i < n; i++)
    {
      g_assert_cmpint (blocking.end[i].ps, ==, nonblocking.end[i].ps);
      g_assert_cmpint (nonblocking.end[i].ps, ==, stepwise.end[i].ps);
    }
}

static void
test_ways (gconstpointer data)
{
  static const char *const protocols[] = { "", ",eager=none", ",eager=none,control=free" };
  static const guint32 sizes[] = { 1, 2, 3, 5, 8, 12, 16 };
  const PdAlgorithm *algorithm = data;
  const char *op = pd_ops[algorithm->op].name;

  for (gsize p = 0; p < G_N_ELEMENTS (protocols); p++)
    for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
      {
        g_autofree char *machine = g_strdup_printf (WIDE "%s,%s=%s,reduction-per-byte=1ns",
                                                    protocols[p], op, algorithm->name);
        compare_ways (machine, algorithm->op, sizes[i], 0);
        compare_ways (machine, algorithm->op, sizes[i], 1001);
      }
}

/* Creation of communicators, and all sets. */
static void
test_sets (void)
{
  static const char *const sets[] = { "mpich1",
                                      "mpich4",
                                      "openmpi4",
                                      "smpi",
                                      "simple,collective-time=2us",
                                      "simple,collective-in=linear,collective-out=logarithmic" };

  for (gsize s = 0; s < G_N_ELEMENTS (sets); s++)
    for (guint op = 0; op < PD_N_OPS; op++)
      for (guint32 n = 1; n <= 9; n += 2)
        {
          g_autofree char *machine = g_strconcat (WIDE ",collectives=", sets[s], NULL);
          compare_ways (machine, (PdOp) op, n, 0);
          compare_ways (machine, (PdOp) op, n, 100);
          compare_ways (machine, (PdOp) op, n, 100000);
        }
}

/* Where messages keep processors: everything ends, and one step at a time as ahead. */
static void
test_loggops (void)
{
  static const char *const sets[] = { "mpich1", "mpich4", "openmpi4", "smpi" };

  for (gsize s = 0; s < G_N_ELEMENTS (sets); s++)
    for (guint op = 0; op < PD_N_OPS; op++)
      for (guint k = 0; k < 4; k++)
        {
          g_autofree char *machine =
              g_strdup_printf ("loggops:L=2500ns,o=1500ns,g=1000ns,G=6ns,O=1ns,S=%s,collectives=%s",
                               k % 2 == 0 ? "65535" : "0", sets[s]);
          Setup setup = { .machine = machine, .n = 7, .n_operations = 1, .nonblocking = k >= 2 };
          Run ahead, stepwise;
          setup.args = (PdCollective){ .op = (PdOp) op, .bytes = 100, .root = 3 };
          for (guint32 i = 0; i < setup.n; i++)
            setup.in[i] = (i * 13) % 11;
          run (&ahead, &setup);
          setup.one_step = TRUE;
          run (&stepwise, &setup);
          for (guint32 i = 0; i < setup.n; i++)
            g_assert_cmpint (ahead.end[i].ps, ==, stepwise.end[i].ps);
        }
}

/* Three under way: each takes what it takes alone, since messages do not disturb
 * each other, and none takes another's. */
static void
test_several (void)
{
  static const char *const sets[] = { "mpich1", "mpich4", "openmpi4", "smpi" };

  for (gsize s = 0; s < G_N_ELEMENTS (sets); s++)
    for (guint32 n = 2; n <= 16; n++)
      {
        g_autofree char *machine = g_strconcat (WIDE ",collectives=", sets[s], NULL);
        Setup setup = { .machine = machine, .n = n, .n_operations = 1, .nonblocking = TRUE };
        Run one, three;
        setup.args = (PdCollective){ .op = PD_OP_ALLREDUCE, .bytes = 5000 };
        for (guint32 i = 0; i < n; i++)
          setup.in[i] = (i * 7) % 5;
        run (&one, &setup);
        setup.n_operations = 3;
        run (&three, &setup);
        g_assert_cmpuint (three.n_messages, ==, 3 * one.n_messages);
        for (guint32 i = 0; i < n; i++)
          g_assert_cmpint (one.end[i].ps, ==, three.end[i].ps);
      }
}

/* A line of three: ends have one neighbour. */
static void
test_neighbors (void)
{
  static const guint32 sources[3][2] = { { PD_NO_NEIGHBOR, 1 }, { 0, 2 }, { 1, PD_NO_NEIGHBOR } };
  static const PdOp ops[] = { PD_OP_NEIGHBOR_ALLGATHER, PD_OP_NEIGHBOR_ALLTOALL };

  for (gsize k = 0; k < G_N_ELEMENTS (ops); k++)
    for (guint nonblocking = 0; nonblocking < 2; nonblocking++)
      {
        Setup setup = { .machine =
                            nonblocking ? WIDE : WIDE ",collectives=simple,collective-time=1us",
                        .n = 3,
                        .n_operations = 1,
                        .nonblocking = nonblocking > 0,
                        .sources = sources,
                        .targets = sources };
        Run result;
        setup.args = (PdCollective){ .op = ops[k], .bytes = 250 };
        setup.in[0] = 5;
        run (&result, &setup);
        g_assert_cmpuint (result.n_messages, ==, 4);
        g_assert_cmpint (result.end[0].ps, ==, test_us (8));
        g_assert_cmpint (result.end[1].ps, ==, test_us (13));
        g_assert_cmpint (result.end[2].ps, ==, test_us (8));
      }
}

/* ---- tables */

static const struct
{
  const char *collectives;
  PdOp op;
  guint32 n;
  gint64 bytes;
  gboolean is_ordered;
  const char *expected;
  gint64 segment;
} choices[] = {
  { "mpich1", PD_OP_BCAST, 100, 1 << 30, FALSE, "binomial", 0 },
  { "mpich4", PD_OP_BCAST, 7, 1 << 30, FALSE, "binomial", 0 },
  { "mpich4", PD_OP_BCAST, 8, 12288, FALSE, "binomial", 0 },
  { "mpich4", PD_OP_BCAST, 8, 12289, FALSE, "scatter-doubling", 0 },
  { "mpich4", PD_OP_BCAST, 9, 12289, FALSE, "scatter-ring", 0 },
  { "mpich4", PD_OP_BCAST, 8, 524289, FALSE, "scatter-ring", 0 },
  { "mpich4", PD_OP_ALLREDUCE, 4, 8, FALSE, "recursive-doubling", 0 },
  { "mpich4", PD_OP_ALLREDUCE, 4, 31, FALSE, "recursive-doubling", 0 },
  { "mpich4", PD_OP_ALLREDUCE, 4, 32, FALSE, "rabenseifner", 0 },
  { "mpich4", PD_OP_ALLREDUCE, 4, 32, TRUE, "recursive-doubling", 0 },
  { "mpich4", PD_OP_ALLREDUCE, 12, 63, FALSE, "recursive-doubling", 0 },
  { "mpich4", PD_OP_ALLREDUCE, 12, 64, FALSE, "rabenseifner", 0 },
  { "mpich4", PD_OP_REDUCE, 5000, 32767, FALSE, "binomial", 0 },
  { "mpich4", PD_OP_REDUCE, 5000, 32768, FALSE, "rabenseifner", 0 },
  { "mpich4", PD_OP_ALLGATHER, 16, 32767, FALSE, "recursive-doubling", 0 },
  { "mpich4", PD_OP_ALLGATHER, 16, 32768, FALSE, "ring", 0 },
  { "mpich4", PD_OP_ALLGATHER, 10, 8191, FALSE, "bruck", 0 },
  { "mpich4", PD_OP_ALLGATHER, 10, 8192, FALSE, "ring", 0 },
  { "mpich4", PD_OP_ALLTOALL, 8, 256, FALSE, "bruck", 0 },
  { "mpich4", PD_OP_ALLTOALL, 8, 257, FALSE, "scattered", 32 },
  { "mpich4", PD_OP_ALLTOALL, 8, 32769, FALSE, "pairwise", 0 },
  { "mpich4", PD_OP_NEIGHBOR_ALLTOALL, 8, 32769, FALSE, "linear", 0 },
  { "openmpi4", PD_OP_BARRIER, 7, 0, FALSE, "linear", 0 },
  { "openmpi4", PD_OP_BARRIER, 8, 0, FALSE, "recursive-doubling", 0 },
  { "openmpi4", PD_OP_BARRIER, 64, 0, FALSE, "dissemination", 0 },
  { "openmpi4", PD_OP_BARRIER, 256, 0, FALSE, "tree", 0 },
  { "openmpi4", PD_OP_ALLREDUCE, 8, 8191, FALSE, "recursive-doubling", 0 },
  { "openmpi4", PD_OP_ALLREDUCE, 8, 8192, FALSE, "rabenseifner", 0 },
  { "openmpi4", PD_OP_ALLREDUCE, 5000, 32768, FALSE, "rabenseifner", 0 },
  { "openmpi4", PD_OP_ALLREDUCE, 8200, 65535, FALSE, "linear", 0 },
  { "openmpi4", PD_OP_ALLREDUCE, 8200, 65536, FALSE, "rabenseifner", 0 },
  { "openmpi4", PD_OP_ALLREDUCE, 5000, 16383, FALSE, "recursive-doubling", 0 },
  { "openmpi4", PD_OP_ALLREDUCE, 8, 1048576, TRUE, "reduce-bcast", 0 },
  { "openmpi4", PD_OP_BCAST, 16, 4095, FALSE, "knomial", 0 },
  { "openmpi4", PD_OP_BCAST, 16, 4096, FALSE, "binomial", 0 },
  { "openmpi4", PD_OP_BCAST, 16, 1048576, FALSE, "scatter-doubling", 0 },
  { "openmpi4", PD_OP_BCAST, 17, 1048576, FALSE, "scatter-ring", 0 },
  { "openmpi4", PD_OP_REDUCE, 16, 8, TRUE, "in-order-binary", 0 },
  { "openmpi4", PD_OP_ALLTOALLV, 3, 8, FALSE, "shift", 0 },
  { "openmpi4", PD_OP_SCAN, 3, 8, FALSE, "chain", 0 },
  { "smpi", PD_OP_REDUCE, 16, 8, FALSE, "gather", 0 },
  { "smpi", PD_OP_ALLTOALL, 2, 600000, FALSE, "two-proc", 0 },
  { "smpi", PD_OP_ALLTOALL, 7, 524288, FALSE, "pairwise", 0 },
  { "smpi", PD_OP_ALLTOALL, 16, 3, FALSE, "linear-sync", 0 },
  { "smpi", PD_OP_ALLTOALL, 63, 511, FALSE, "bruck", 0 },
  { "smpi", PD_OP_ALLTOALL, 63, 512, FALSE, "linear-sync", 0 },
  { "smpi", PD_OP_ALLTOALL, 300, 1024, FALSE, "linear-sync", 0 },
  { "smpi", PD_OP_ALLTOALL, 300, 32768, FALSE, "pairwise", 0 },
  { "smpi", PD_OP_ALLTOALL, 2000, 512, FALSE, "linear-sync", 0 },
  { "smpi", PD_OP_ALLTOALL, 4096, 2047, FALSE, "bruck", 0 },
  { "smpi", PD_OP_REDUCE_SCATTER_BLOCK, 5, 100, FALSE, "gather-scatter", 0 },
  { "mpich1,bcast=pipeline", PD_OP_BCAST, 3, 8, FALSE, "pipeline", 0 },
  { "mpich1,allgather=recursive-doubling", PD_OP_ALLGATHER, 6, 8, FALSE, "bruck", 0 },
  { "mpich1,allgather=neighbor-exchange", PD_OP_ALLGATHER, 7, 8, FALSE, "ring", 0 },
};

static void
check_choice (const char *machine_text, gsize i)
{
  g_autoptr (PdMachine) machine = test_machine (machine_text, 2);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdCollectiveSet) set = pd_collective_set_new (machine, &error);
  PdExecution exec = { .n = choices[i].n };

  g_assert_no_error (error);
  exec.args = (PdScheduleArgs){ .op = choices[i].op, .bytes = choices[i].bytes };
  exec.is_ordered = choices[i].is_ordered != FALSE;
  pd_collective_choose (set, &exec);
  g_assert_cmpstr (exec.algorithm->name, ==, choices[i].expected);
  g_assert_cmpint (exec.segment, ==, choices[i].segment);
}

static void
test_choices (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (choices); i++)
    {
      g_autofree char *machine = g_strconcat ("ideal:collectives=", choices[i].collectives, NULL);
      check_choice (machine, i);
    }
}

/* The last row of every operation of every set fits whatever is asked. */
static void
test_tables (void)
{
  static const char *const sets[] = { "mpich1", "mpich4", "openmpi4", "smpi" };

  for (gsize s = 0; s < G_N_ELEMENTS (sets); s++)
    {
      g_autofree char *text = g_strconcat ("ideal:collectives=", sets[s], NULL);
      g_autoptr (PdMachine) machine = test_machine (text, 2);
      g_autoptr (PdCollectiveSet) set = pd_collective_set_new (machine, NULL);
      for (guint op = 0; op < PD_N_OPS; op++)
        {
          if (pd_ops[op].n_components > 0)
            continue;
          g_assert_cmpuint (set->chosen[op]->len, >, 0);
          for (guint i = 0; i < set->chosen[op]->len; i++)
            g_assert_nonnull (g_array_index (set->chosen[op], PdChosen, i).algorithm);
          const PdChosen *last =
              &g_array_index (set->chosen[op], PdChosen, set->chosen[op]->len - 1);
          g_assert_cmpuint (last->choice.min_ranks == 0 || last->choice.max_ranks == 0, ==, TRUE);
          g_assert_cmpint (last->choice.up_to, ==, G_MAXINT64);
          for (guint32 n = 1; n < 10000; n = n * 5 / 4 + 1)
            for (gint64 bytes = 0; bytes < G_MAXINT64 / 4; bytes = bytes * 3 + 1)
              {
                PdExecution exec = { .n = n, .args = { .op = (PdOp) op, .bytes = bytes } };
                pd_collective_choose (set, &exec);
                g_assert_nonnull (exec.algorithm);
              }
        }
    }
}

#define OWN_TABLE                                                                                  \
  "<machine name='x'><network type='ideal'><nodes count='64'/></network>"                          \
  "<collectives set='mpich4'>"                                                                     \
  "<use operation='bcast' algorithm='pipeline' up-to='1MiB' segment='8KiB'/>"                      \
  "<use operation='bcast' algorithm='linear' up-to='2KiB'/>"                                       \
  "<use operation='bcast' algorithm='binary' up-to='2KiB' max-ranks='4'/>"                         \
  "<use operation='bcast' algorithm='chain' min-ranks='40'/>"                                      \
  "<use operation='allgatherv' algorithm='two-proc' max-ranks='2'/>"                               \
  "</collectives></machine>"

static void
test_own_table (void)
{
  static const struct
  {
    guint32 n;
    gint64 bytes;
    const char *expected;
    gint64 segment;
  } rows[] = {
    { 4, 2048, "binary", 0 },          { 5, 2048, "linear", 0 },
    { 5, 2049, "pipeline", 8192 },     { 64, 1 << 20, "pipeline", 8192 },
    { 64, (1 << 20) + 1, "chain", 0 }, { 8, (1 << 20) + 1, "scatter-ring", 0 },
  };
  g_autoptr (PdMachine) machine = test_machine (OWN_TABLE, 64);
  g_autoptr (PdCollectiveSet) set = pd_collective_set_new (machine, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      PdExecution exec = { .n = rows[i].n, .args = { .op = PD_OP_BCAST, .bytes = rows[i].bytes } };
      pd_collective_choose (set, &exec);
      g_assert_cmpstr (exec.algorithm->name, ==, rows[i].expected);
      g_assert_cmpint (exec.segment, ==, rows[i].segment);
    }
}

/* ---- simple: 3 nodes of 2; ranks 0, 1, 2 are on two nodes, 0 to 5 on three */

#define NODES                                                                                      \
  "<machine name='x'><network type='ethernet' startup='9us' per-byte='9ns'>"                       \
  "<nodes count='3' processors='2'><memory startup='2us' per-byte='1ns'/></nodes></network>"

static const struct
{
  const char *name;
  const char *collectives;
  guint32 n;
  PdOp op;
  gint64 bytes;
  gint64 recv_bytes; /* -1: as the operation has it */
  gdouble expected;
} costs[] = {
  { "constant", "in='constant' startup='8us' per-byte='4ns' memory-startup='1us'", 6,
    PD_OP_ALLREDUCE, 1000, -1, 8 + 4 + 1 },
  { "linear", "out='linear' startup='8us' per-byte='4ns' memory-startup='1us'", 6, PD_OP_ALLREDUCE,
    1000, -1, 2 * 12 + 1 },
  { "logarithmic", "in='logarithmic' startup='8us' per-byte='4ns' memory-startup='1us'", 6,
    PD_OP_ALLREDUCE, 1000, -1, 2 * 12 + 1 },
  { "both", "in='logarithmic' out='linear' startup='8us' memory-startup='1us'", 6, PD_OP_BARRIER, 0,
    -1, 2 * 8 + 1 + 2 * 8 + 1 },
  { "fewer-nodes", "in='linear' startup='8us' memory-startup='1us'", 3, PD_OP_BARRIER, 0, -1,
    8 + 1 },
  { "received", "out='constant' startup='8us' per-byte='4ns' memory-startup='0'", 6, PD_OP_BARRIER,
    1000, 500, 8 + 2 },
  { "mean", "in='constant' in-size='mean' startup='8us' per-byte='4ns' memory-startup='0'", 6,
    PD_OP_BARRIER, 1000, 500, 8 + 3 },
  { "sum", "in='constant' in-size='sum' startup='8us' per-byte='4ns' memory-startup='0'", 6,
    PD_OP_BARRIER, 1000, 500, 8 + 6 },
  { "twice", "in='constant' in-size='twice-max' startup='8us' per-byte='4ns' memory-startup='0'", 6,
    PD_OP_BARRIER, 1000, 500, 8 + 8 },
  { "min", "in='constant' in-size='min' startup='8us' per-byte='4ns' memory-startup='0'", 6,
    PD_OP_BARRIER, 1000, 500, 8 + 2 },
  { "nothing-received", "out='constant' startup='8us' per-byte='4ns' memory-startup='0'", 6,
    PD_OP_BARRIER, 1000, 0, 8 },
  /* one channel: 3 nodes have a pair in each of 2 stages; 2 would be 1 + 1, too */
  { "channels", "in='logarithmic' startup='8us' memory-startup='0' channels='1'", 6, PD_OP_BARRIER,
    0, -1, 2 * 8 },
  { "gather", "out='constant' startup='8us' per-byte='4ns' memory-startup='0'", 6, PD_OP_GATHER,
    1000, -1, 8 + 24 },
  /* as the networks have it */
  { "sampled", "in='constant'", 6, PD_OP_ALLREDUCE, 1000, -1, 9 + 9 + 2 + 1 },
  { "time-besides", "time='3us' in='constant'", 6, PD_OP_ALLREDUCE, 1000, -1, 3 + 9 + 9 + 2 + 1 },
};

static void
test_cost (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *machine = g_strdup_printf (
      NODES "<collectives set='simple' %s><cost operation='scan' in='none' out='none'/>"
            "</collectives></machine>",
      costs[i].collectives);

  for (guint nonblocking = 0; nonblocking < 2; nonblocking++)
    {
      Setup setup = {
        .machine = machine, .n = costs[i].n, .n_operations = 1, .nonblocking = nonblocking > 0
      };
      Run result;
      setup.args = (PdCollective){ .op = costs[i].op, .bytes = costs[i].bytes };
      setup.args.is_measured = costs[i].recv_bytes >= 0;
      setup.args.sent_bytes = setup.args.bytes;
      setup.args.recv_bytes = MAX (costs[i].recv_bytes, 0);
      setup.in[1] = 5;
      run (&result, &setup);
      for (guint32 r = 0; r < setup.n; r++)
        g_assert_cmpint (result.end[r].ps, ==, test_us (5 + costs[i].expected));
      setup.args = (PdCollective){ .op = PD_OP_SCAN, .bytes = 5 };
      run (&result, &setup);
      g_assert_cmpint (result.end[0].ps, ==, test_us (strstr (machine, "time=") ? 8 : 5));
    }
}

/* ---- a program of several operations as SimGrid 4.1 has it, on an unshared link
 * for each pair, and with the algorithms that it takes by default: 650.504 us where
 * sends do not wait, 708.776 where data leave when both sides are there */

#define UNSHARED                                                                                   \
  "memory:startup=10us,per-byte=1ns,envelope=16,bcast=binomial,barrier=recursive-doubling,"        \
  "reduce=binomial,allreduce=recursive-doubling,alltoall=pairwise,"

static void
test_program (void)
{
  static const struct
  {
    const char *machine;
    gdouble expected;
  } rows[] = {
    { UNSHARED "eager=1GB", 650.504 },
    { UNSHARED "eager=none,detached=1GB", 708.776 },
    { UNSHARED "eager=none,control=free", 708.776 },
  };
  TestStep steps[16 * 8] = { 0 };

  for (guint32 r = 0, i = 0; r < 16; r++)
    {
      steps[i++] = (TestStep) COMPUTE (r, 10.0 * (r + 1), 0);
      steps[i++] = (TestStep) COLLECTIVE (r, BCAST, 0, 8192, 0);
      steps[i++] = (TestStep) COLLECTIVE (r, BARRIER, 0, 0, 0);
      steps[i++] = (TestStep) COLLECTIVE (r, REDUCE, 0, 8192, 0);
      steps[i++] = (TestStep) COMPUTE (r, 10.0 * (16 - r), 0);
      steps[i++] = (TestStep) COLLECTIVE (r, ALLREDUCE, 0, 1024, 0);
      steps[i++] = (TestStep) COLLECTIVE (r, ALLTOALL, 0, 1000, 0);
      steps[i++] = (TestStep) COLLECTIVE (r, BARRIER, 0, 0, 0);
    }
  for (gsize k = 0; k < G_N_ELEMENTS (rows); k++)
    {
      g_autoptr (PdMachine) machine = test_machine (rows[k].machine, 16);
      TestSetup setup = { .machine = machine, .n_ranks = 16 };
      g_autoptr (TestRun) all = test_run_new (&setup, steps, G_N_ELEMENTS (steps));
      PdTime last = PD_TIME_ZERO;
      for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
        last = pd_time_max (last, all->ret[i]);
      g_assert_cmpint (last.ps, ==, test_us (rows[k].expected));
    }
}

/* Two ranks call different operations: neither returns. */
static void
test_mismatch (void)
{
  static const TestStep steps[] = { COLLECTIVE (0, BARRIER, 0, 0, NEVER),
                                    COLLECTIVE (1, ALLREDUCE, 0, 8, NEVER), END };
  static const TestStep roots[] = { COLLECTIVE (0, BCAST, 0, 8, NEVER),
                                    COLLECTIVE (1, BCAST, 1, 8, NEVER), END };

  test_check_steps ("ideal:collectives=simple,collective-time=1us", 2, steps);
  test_check_steps ("ideal:collectives=simple,collective-time=1us", 2, roots);
}

/* What sizes add up to may not fit: it saturates. */
static void
test_huge (gconstpointer data)
{
  const PdAlgorithm *algorithm = data;
  g_autofree char *machine =
      g_strdup_printf (WIDE ",copy-per-byte=1ns,reduction-per-byte=1ns,%s=%s",
                       pd_ops[algorithm->op].name, algorithm->name);
  g_autoptr (PdMachine) loaded = test_machine (machine, 5);
  g_autoptr (PdComsys) comsys = pd_comsys_new (loaded, NULL, 5, NULL);
  PdTime ret[5], when;
  guint32 rank;

  for (rank = 0; rank < 5; rank++)
    {
      PdCall call = { rank, PD_TIME_ZERO, &ret[rank], NULL };
      PdCollective args = { .op = algorithm->op, .bytes = G_MAXINT64 - rank % 2 };
      pd_comsys_collective (comsys, &call, pd_comsys_get_world (comsys), &args);
    }
  while (pd_comsys_next (comsys, &rank, &when))
    g_assert_cmpint (when.ps, >=, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autofree char *path = g_strdup_printf ("/comsys/collective/form/%s", forms[i].algorithm);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_form);
    }
  for (const PdAlgorithm *a = pd_algorithms; a->name != NULL; a++)
    {
      if (pd_ops[a->op].neighbors)
        continue;
      g_autofree char *path =
          g_strdup_printf ("/comsys/icollective/%s/%s", pd_ops[a->op].name, a->name);
      g_autofree char *huge =
          g_strdup_printf ("/comsys/collective/huge/%s/%s", pd_ops[a->op].name, a->name);
      g_test_add_data_func (path, a, test_ways);
      g_test_add_data_func (huge, a, test_huge);
    }
  g_test_add_func ("/comsys/icollective/sets", test_sets);
  g_test_add_func ("/comsys/icollective/several", test_several);
  g_test_add_func ("/comsys/icollective/loggops", test_loggops);
  g_test_add_func ("/comsys/collective/neighbors", test_neighbors);
  g_test_add_func ("/comsys/collective/choices", test_choices);
  g_test_add_func ("/comsys/collective/tables", test_tables);
  g_test_add_func ("/comsys/collective/own-table", test_own_table);
  for (gsize i = 0; i < G_N_ELEMENTS (costs); i++)
    {
      g_autofree char *path = g_strdup_printf ("/comsys/collective/cost/%s", costs[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_cost);
    }
  g_test_add_func ("/comsys/collective/program", test_program);
  g_test_add_func ("/comsys/collective/mismatch", test_mismatch);
  return g_test_run ();
}
