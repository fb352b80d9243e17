/* Collective operations: worked examples, and each schedule against a slow
 * model of it on a network where messages do not disturb each other.
 * Moments are in us.
 * SPDX-License-Identifier: MIT */
#include "tests/support/comsys/comsys-script.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/mpi/pd-collective.h"
#include "comsys/mpi/pd-comsys-core.h"

#include <string.h>

#define MAX_N 10

/* a message of n bytes takes 7 us + 4 ns per byte, disturbs none */
#define WIDE     "memory:startup=7us,per-byte=4ns,nodes=16"
#define T(bytes) (7.0 + 0.004 * (gdouble) (bytes))
#define MYRINET  "myrinet:startup=7us,per-byte=4ns"

/* ---- examples of the specification */

static const TestCase cases[] = {
  /* 1 -> 0 and 3 -> 2 to 7.032, 2 -> 0 to 14.064; 0 -> 2 to 21.096, then
   * 0 -> 1 and 2 -> 3 to 28.128. 0's eager sends cost it nothing. */
  { "allreduce/channels-per-node",
    MYRINET,
    4,
    { COLLECTIVE (0, ALLREDUCE, 0, 8, 14.064), COLLECTIVE (1, ALLREDUCE, 0, 8, 28.128),
      COLLECTIVE (2, ALLREDUCE, 0, 8, 21.096), COLLECTIVE (3, ALLREDUCE, 0, 8, 28.128), END } },
  /* now 0 waits for the delivery of its sends, too */
  { "allreduce/rendezvous-free",
    MYRINET ",eager=none,control=free",
    4,
    { COLLECTIVE (0, ALLREDUCE, 0, 8, 28.128), COLLECTIVE (1, ALLREDUCE, 0, 8, 28.128),
      COLLECTIVE (2, ALLREDUCE, 0, 8, 28.128), COLLECTIVE (3, ALLREDUCE, 0, 8, 28.128), END } },
  /* four steps of 7 + 7 + 7.032 = 21.032, two towards 0 and two back */
  { "allreduce/rendezvous-modelled",
    MYRINET ",eager=none",
    4,
    { COLLECTIVE (0, ALLREDUCE, 0, 8, 84.128), COLLECTIVE (1, ALLREDUCE, 0, 8, 84.128),
      COLLECTIVE (2, ALLREDUCE, 0, 8, 84.128), COLLECTIVE (3, ALLREDUCE, 0, 8, 84.128), END } },
  /* one channel for all: six messages one after the other, to 42.192 */
  { "allreduce/one-channel",
    MYRINET ",channels-per=network",
    4,
    { COLLECTIVE (0, ALLREDUCE, 0, 8, 21.096), COLLECTIVE (1, ALLREDUCE, 0, 8, 35.16),
      COLLECTIVE (2, ALLREDUCE, 0, 8, 28.128), COLLECTIVE (3, ALLREDUCE, 0, 8, 42.192), END } },
  /* gamma: 8 bytes cost 8 us after each receive; 0 reduces at 15.032 and,
   * with 2's sum of 15.032 + 7.032, at 30.064 */
  { "allreduce/gamma",
    MYRINET ",reduction-per-byte=1us",
    4,
    { COLLECTIVE (0, ALLREDUCE, 0, 8, 30.064), COLLECTIVE (1, ALLREDUCE, 0, 8, 44.128),
      COLLECTIVE (2, ALLREDUCE, 0, 8, 37.096), COLLECTIVE (3, ALLREDUCE, 0, 8, 44.128), END } },
  { "reduce/gamma-at-the-root",
    MYRINET ",reduction-per-byte=1us",
    2,
    { COLLECTIVE (0, REDUCE, 1, 8, 0), COLLECTIVE (1, REDUCE, 1, 8, 15.032), END } },
  { "scan/gamma",
    WIDE ",reduction-per-byte=1us",
    3,
    { COLLECTIVE (0, SCAN, 0, 8, 0), COLLECTIVE (1, SCAN, 0, 8, 15.032),
      COLLECTIVE (2, SCAN, 0, 8, 30.064), END } },

  /* two ranks at 5 and 7: both leave 3 after the last */
  { "simple/last-arrival",
    "ideal:collectives=simple,collective-time=3us",
    2,
    { COMPUTE (0, 5, 5), COMPUTE (1, 7, 7), COLLECTIVE (0, ALLREDUCE, 0, 8, 10),
      COLLECTIVE (1, ALLREDUCE, 0, 8, 10), END } },
  { "simple/one-after-the-other",
    "ideal:collectives=simple,collective-time=3us",
    2,
    { COMPUTE (0, 5, 5), COMPUTE (1, 7, 7), COLLECTIVE (0, BARRIER, 0, 0, 10),
      COLLECTIVE (1, BARRIER, 0, 0, 10), COMPUTE (0, 1, 11), COLLECTIVE (0, BCAST, 1, 80, 14),
      COLLECTIVE (1, BCAST, 1, 80, 14), END } },
  { "simple/alone",
    "ideal:collectives=simple,collective-time=3us",
    1,
    { COLLECTIVE (0, ALLTOALL, 0, 8, 0), END } },
  { "simple/not-everybody",
    "ideal:collectives=simple",
    3,
    { COLLECTIVE (0, BARRIER, 0, 0, NEVER), COLLECTIVE (1, BARRIER, 0, 0, NEVER), END } },

  /* own blocks take 10 us; 0 copies before it sends to 1, 1 sends to 0 first */
  { "alltoall/own-block-copied",
    WIDE ",copy-per-byte=100ns",
    2,
    { COLLECTIVE (0, ALLTOALL, 0, 100, 10), COLLECTIVE (1, ALLTOALL, 0, 100, 17.4), END } },
  /* overheads: Irecv 2 us each; 0: own copy, send at 2 to 3; the wait costs 4.
   * both messages leave at 3 and arrive at 10.4 */
  { "alltoall/overheads",
    WIDE ",send-overhead=1us,recv-overhead=2us,wait-overhead=4us",
    2,
    { COLLECTIVE (0, ALLTOALL, 0, 100, 14.4), COLLECTIVE (1, ALLTOALL, 0, 100, 14.4), END } },
  /* Sendrecv: sent at 1, posted by 3; arrives at 8, + 4 */
  { "barrier/overheads",
    WIDE ",send-overhead=1us,recv-overhead=2us,wait-overhead=4us",
    2,
    { COLLECTIVE (0, BARRIER, 0, 0, 12), COLLECTIVE (1, BARRIER, 0, 0, 12), END } },
  /* two in a row: messages of the first are not taken for the second's */
  { "sequence/bcast-twice",
    MYRINET,
    2,
    { COLLECTIVE (0, BCAST, 0, 1000, 0), COLLECTIVE (0, BCAST, 0, 8, 0), COMPUTE (1, 1, 1),
      COLLECTIVE (1, BCAST, 0, 1000, 11), COLLECTIVE (1, BCAST, 0, 8, 18.032), END } },
  { "sequence/other-root",
    MYRINET,
    2,
    { COLLECTIVE (0, BCAST, 0, 8, 0), COLLECTIVE (0, BCAST, 1, 8, 14.064),
      COLLECTIVE (1, BCAST, 0, 8, 7.032), COLLECTIVE (1, BCAST, 1, 8, 7.032), END } },
  /* point to point between members goes on beside */
  { "sequence/among-messages",
    WIDE,
    2,
    { SEND (0, 1, 0, 1000, 0), COLLECTIVE (0, BARRIER, 0, 0, 7), COLLECTIVE (1, BARRIER, 0, 0, 7),
      RECV (1, 0, 0, 1000, 11), END } },
};

/* ---- slow models: entering at @in, leaving at @out, in us */

typedef struct
{
  guint32 n;
  guint32 root;
  gint64 bytes;
  const gint64 *counts;
  gdouble in[MAX_N];
  gdouble out[MAX_N];
} Model;

static guint32
absolute (const Model *self, guint32 r)
{
  return (r + self->root) % self->n;
}

/* The tree below relative rank @r, which spans @span ranks and has the data at
 * @when: halves are given away, the larger first. Sends cost nothing. */
static void
bcast_from (Model *self, guint32 r, guint32 span, gdouble when)
{
  self->out[absolute (self, r)] = when;
  for (guint32 half = span / 2; half >= 1; half /= 2)
    if (r + half < self->n)
      bcast_from (self, r + half, half,
                  MAX (when + T (self->bytes), self->in[absolute (self, r + half)]));
}

static guint32
next_power (guint32 n)
{
  guint32 power = 1;

  while (power < n)
    power *= 2;
  return power;
}

static void
model_bcast (Model *self)
{
  bcast_from (self, 0, next_power (self->n), self->in[self->root]);
}

/* When the subtree of @r with @span ranks has its sum. */
static gdouble
reduce_to (Model *self, guint32 r, guint32 span)
{
  gdouble when = self->in[absolute (self, r)];

  for (guint32 half = 1; half < span; half *= 2)
    if (r + half < self->n)
      when = MAX (when, reduce_to (self, r + half, half) + T (self->bytes));
  self->out[absolute (self, r)] = when;
  return when;
}

static void
model_reduce (Model *self)
{
  reduce_to (self, 0, next_power (self->n));
}

static void
model_allreduce (Model *self)
{
  self->root = 0;
  model_reduce (self);
  memcpy (self->in, self->out, sizeof self->in);
  model_bcast (self);
}

static void
model_barrier (Model *self)
{
  guint32 low = next_power (self->n + 1) / 2;
  gdouble now[MAX_N], next[MAX_N];

  memcpy (now, self->in, sizeof now);
  for (guint32 p = low; p < self->n; p++)
    now[p - low] = MAX (now[p - low], now[p] + T (0));
  for (guint32 k = 1; k < low; k *= 2)
    {
      for (guint32 p = 0; p < low; p++)
        next[p] = MAX (now[p], now[p ^ k] + T (0));
      memcpy (now, next, low * sizeof now[0]);
    }
  for (guint32 p = low; p < self->n; p++)
    now[p] = MAX (now[p], now[p - low] + T (0));
  memcpy (self->out, now, sizeof now);
}

static void
model_gather (Model *self)
{
  memcpy (self->out, self->in, sizeof self->in);
  for (guint32 p = 0; p < self->n; p++)
    if (p != self->root)
      self->out[self->root] = MAX (self->out[self->root], self->in[p] + T (self->bytes));
}

static void
model_scatter (Model *self)
{
  for (guint32 p = 0; p < self->n; p++)
    self->out[p] =
        p == self->root ? self->in[p] : MAX (self->in[p], self->in[self->root] + T (self->bytes));
}

/* In step k rank p passes on the block of p - k. */
static void
model_allgather (Model *self)
{
  gdouble now[MAX_N], next[MAX_N];

  memcpy (now, self->in, sizeof now);
  for (guint32 k = 0; k + 1 < self->n; k++)
    {
      for (guint32 p = 0; p < self->n; p++)
        {
          guint32 left = (p + self->n - 1) % self->n, block = (left + self->n - k) % self->n;
          gint64 bytes = self->counts != NULL ? self->counts[block] : self->bytes;
          next[p] = MAX (now[p], now[left] + T (bytes));
        }
      memcpy (now, next, sizeof now);
    }
  memcpy (self->out, now, sizeof now);
}

static void
model_alltoall (Model *self)
{
  for (guint32 p = 0; p < self->n; p++)
    {
      self->out[p] = self->in[p];
      for (guint32 q = 0; q < self->n; q++)
        if (q != p)
          self->out[p] = MAX (self->out[p], self->in[q] + T (self->bytes));
    }
}

static void
model_scan (Model *self)
{
  self->out[0] = self->in[0];
  for (guint32 p = 1; p < self->n; p++)
    self->out[p] = MAX (self->in[p], self->out[p - 1] + T (self->bytes));
}

static void
model_reduce_scatter (Model *self)
{
  gint64 block = self->bytes;

  self->root = 0;
  self->bytes *= self->n;
  model_reduce (self);
  self->bytes = block;
  memcpy (self->in, self->out, sizeof self->in);
  model_scatter (self);
}

static const struct
{
  const char *name;
  PdOp op;
  void (*model) (Model *self);
  gboolean rooted;
} models[] = {
  { "barrier", PD_OP_BARRIER, model_barrier, FALSE },
  { "bcast", PD_OP_BCAST, model_bcast, TRUE },
  { "reduce", PD_OP_REDUCE, model_reduce, TRUE },
  { "allreduce", PD_OP_ALLREDUCE, model_allreduce, FALSE },
  { "gather", PD_OP_GATHER, model_gather, TRUE },
  { "scatter", PD_OP_SCATTER, model_scatter, TRUE },
  { "allgather", PD_OP_ALLGATHER, model_allgather, FALSE },
  { "alltoall", PD_OP_ALLTOALL, model_alltoall, FALSE },
  { "scan", PD_OP_SCAN, model_scan, FALSE },
  { "reduce-scatter", PD_OP_REDUCE_SCATTER, model_reduce_scatter, FALSE },
};

/* Everybody computes for in[p] us, then takes part. */
static void
compare_with_model (Model *model, PdOp op, void (*run_model) (Model *))
{
  TestStep steps[2 * MAX_N + 1] = { 0 };
  guint32 root = model->root;

  for (guint32 p = 0; p < model->n; p++)
    {
      steps[2 * p] = (TestStep) COMPUTE (p, model->in[p], model->in[p]);
      steps[2 * p + 1] = (TestStep){ .rank = p,
                                     .what = DO_COLLECTIVE,
                                     .op = op,
                                     .peer = (gint32) root,
                                     .bytes = model->bytes,
                                     .recv_counts = model->counts,
                                     .send_counts = model->counts };
    }
  run_model (model);
  for (guint32 p = 0; p < model->n; p++)
    steps[2 * p + 1].ret = model->out[p];
  test_check_steps (WIDE, model->n, steps);
}

/* For every number of ranks and every root: all at once, and at any moments.
 * Garbage in arguments that the operation does not name does not matter. */
static void
test_model (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (guint32 n = 1; n <= MAX_N; n++)
    for (guint32 root = 0; root < n; root++)
      for (guint round = 0; round < 4; round++)
        {
          Model model = { .n = n, .root = root, .bytes = round == 0 ? 8 : 125 * round };
          for (guint32 p = 0; p < n && round > 0; p++)
            model.in[p] = g_rand_int_range (rand, 0, 40);
          if (!models[i].rooted && round == 0)
            model.root = 0;
          compare_with_model (&model, models[i].op, models[i].model);
        }
}

static void
test_allgatherv (void)
{
  static const gint64 counts[MAX_N] = { 0, 250, 500, 1000, 8, 0, 125, 2000, 16, 750 };

  for (guint32 n = 1; n <= MAX_N; n++)
    {
      Model model = { .n = n, .counts = counts };
      compare_with_model (&model, PD_OP_ALLGATHERV, model_allgather);
    }
}

/* 0 -> 1 sends 1000 bytes, 1 -> 2 sends 500, 2 -> 0 sends 250, the rest 0:
 * 11, 9, 8 and 7 us. */
static void
test_alltoallv (void)
{
  static const gint64 send[3][3] = { { 0, 1000, 0 }, { 0, 0, 500 }, { 250, 0, 0 } };
  static const gint64 recv[3][3] = { { 0, 0, 250 }, { 1000, 0, 0 }, { 0, 500, 0 } };
  static const gdouble ends[3] = { 8, 11, 9 };
  TestStep steps[4] = { 0 };

  for (guint32 p = 0; p < 3; p++)
    steps[p] = (TestStep){ .rank = p,
                           .what = DO_COLLECTIVE,
                           .op = PD_OP_ALLTOALLV,
                           .send_counts = send[p],
                           .recv_counts = recv[p],
                           .ret = ends[p] };
  test_check_steps (WIDE, 3, steps);
}

/* The functions for single operations are the general one. */
static void
test_wrappers (void)
{
  static const gint64 counts[1] = { 8 };
  g_autoptr (PdMachine) machine = test_machine (WIDE ",copy-per-byte=1us", 1);
  g_autoptr (PdComsys) comsys = pd_comsys_new (machine, NULL, 1, NULL);
  PdComm *world = pd_comsys_get_world (comsys);
  PdTime ret = PD_TIME_ZERO;
  PdCall call = { 0, PD_TIME_ZERO, &ret, NULL };

  pd_comsys_barrier (comsys, &call, world);
  g_assert_cmpint (ret.ps, ==, 0);
  pd_comsys_bcast (comsys, &call, world, 0, 8);
  pd_comsys_gather (comsys, &call, world, 0, 8);
  pd_comsys_allgather (comsys, &call, world, 8);
  pd_comsys_allgatherv (comsys, &call, world, counts);
  pd_comsys_allreduce (comsys, &call, world, 8);
  g_assert_cmpint (ret.ps, ==, 0);
  pd_comsys_alltoallv (comsys, &call, world, counts, counts);
  g_assert_cmpint (ret.ps, ==, 8 * PD_PS_PER_US);
  g_assert_cmpuint (pd_comsys_get_counts (comsys)->n_collectives, ==, 7);
  g_assert_cmpuint (pd_comsys_get_counts (comsys)->n_messages, ==, 0);
}

/* Sizes whose sum no integer can hold saturate. */
static void
test_huge (void)
{
  TestStep steps[3 + 1] = { 0 };
  const gint64 huge = G_GINT64_CONSTANT (1) << 62;

  for (guint32 p = 0; p < 3; p++)
    steps[p] =
        (TestStep){ .rank = p, .what = DO_COLLECTIVE, .op = PD_OP_REDUCE_SCATTER, .bytes = huge };
  g_autoptr (PdMachine) machine = test_machine (WIDE ",reduction-per-byte=1ns", 3);
  TestSetup setup = { .machine = machine, .n_ranks = 3 };
  g_autoptr (TestRun) run = test_run_new (&setup, steps, 3);
  g_assert_cmpuint (run->n_finished, ==, 3);
  g_assert_cmpint (run->ret[0].ps, ==, G_MAXINT64);
}

/* Every algorithm of the set can be asked for by its name, others cannot. */
static void
test_names (void)
{
  static const char *const good[] = { "barrier=hypercube", "bcast=binomial",
                                      "reduce=binomial",   "gather=linear",
                                      "scatter=linear",    "allreduce=reduce-bcast",
                                      "allgather=ring",    "allgatherv=ring",
                                      "alltoall=linear",   "alltoallv=linear",
                                      "scan=chain",        "reduce-scatter=reduce-scatter" };

  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autofree char *spec = g_strdup_printf ("ideal:%s", good[i]);
      g_autoptr (PdMachine) machine = test_machine (spec, 2);
      g_autoptr (GError) error = NULL;
      g_autoptr (PdComsys) comsys = pd_comsys_new (machine, NULL, 2, &error);
      g_assert_no_error (error);
      g_assert_nonnull (comsys);
    }
  g_assert_cmpstr (pd_op_get_name (PD_OP_ALLREDUCE), ==, "allreduce");
  for (guint op = 0; op < PD_N_OPS; op++)
    g_assert_nonnull (pd_op_get_name ((PdOp) op));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  test_add_cases ("/comsys/collective", cases, G_N_ELEMENTS (cases));
  for (gsize i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autofree char *path = g_strdup_printf ("/comsys/collective/model/%s", models[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_model);
    }
  g_test_add_func ("/comsys/collective/model/allgatherv", test_allgatherv);
  g_test_add_func ("/comsys/collective/alltoallv", test_alltoallv);
  g_test_add_func ("/comsys/collective/wrappers", test_wrappers);
  g_test_add_func ("/comsys/collective/huge", test_huge);
  g_test_add_func ("/comsys/collective/names", test_names);
  return g_test_run ();
}
