/* LogGOPS: closed forms, hand-worked tables, and random programs against the rules
 * of LogGOPSim, written down once more and simply.
 * SPDX-License-Identifier: MIT */
#include "tests/support/comsys/comsys-script.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/mpi/pd-wait.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "comsys/state/pd-comsys-types.h"

#include <string.h>

/* ---- hand-worked; moments are in us */

/* o = 1, L = 10, g = 3, 1 ns per byte on processor and wire each, the first free */
#define ALL "loggops:L=10us,o=1us,g=3us,G=2ns,O=1ns,S=5000"

static const TestCase cases[] = {
  /* the sender is kept for o + 1000 O = 2, the message arrives at o + L = 11 and keeps the
   * receiver for o + 1000 G = 3 */
  { "one-message", ALL, 2, { SEND (0, 1, 0, 1001, 2), RECV (1, 0, 0, 1001, 14), END } },
  { "latency-only",
    "loggops:L=10us,G=2ns",
    2,
    { SEND (0, 1, 0, 1001, 0), RECV (1, 0, 0, 1001, 12), END } },
  { "empty", ALL, 2, { SEND (0, 1, 0, 0, 1), RECV (1, 0, 0, 0, 12), END } },
  { "one-byte", ALL, 2, { SEND (0, 1, 0, 1, 1), RECV (1, 0, 0, 1, 12), END } },
  { "empty-as-loggopsim",
    ALL ",compat=loggopsim",
    2,
    { SEND (0, 1, 0, 0, 0.999), RECV (1, 0, 0, 0, 11.999), END } },
  /* the second leaves at max (o + 1000 O, g + 1000 G) = 5, arrives at 16; the third at 10, 21 */
  { "gap",
    ALL,
    2,
    { SEND (0, 1, 0, 1001, 2), SEND (0, 1, 0, 1001, 7), SEND (0, 1, 0, 1, 11),
      RECV (1, 0, 0, 1001, 14), RECV (1, 0, 0, 1001, 19), RECV (1, 0, 0, 1, 22), END } },
  /* both arrive at 11; the adapter of 2 is free again at 14 */
  { "incast",
    ALL,
    3,
    { SEND (0, 2, 0, 1, 1), SEND (1, 2, 0, 1, 1), RECV (2, 0, 0, 1, 12), RECV (2, 1, 0, 1, 15),
      END } },
  /* arrives at 11 while 1 computes: waits until 20, then keeps it from the next work */
  { "unexpected",
    ALL,
    2,
    { SEND (0, 1, 0, 1, 1), COMPUTE (1, 20, 20), COMPUTE (1, 5, 25), RECV (1, 0, 0, 1, 26), END } },
  /* kept from 11 to 12 by a message that it asks for at 11 only */
  { "during-work",
    ALL,
    2,
    { SEND (0, 1, 0, 1, 1), COMPUTE (1, 11, 11), SEND (1, 0, 0, 1, 13), RECV (1, 0, 0, 1, 13),
      RECV (0, 1, 0, 1, 24), END } },
  /* the data travel at once; the sender goes on at the match */
  { "rendezvous/receiver-first",
    ALL,
    2,
    { SEND (0, 1, 0, 5001, 11), RECV (1, 0, 0, 5001, 22), END } },
  { "rendezvous/late-receiver",
    ALL,
    2,
    { SEND (0, 1, 0, 5001, 50), COMPUTE (1, 50, 50), RECV (1, 0, 0, 5001, 61), END } },
  { "rendezvous/limit",
    ALL,
    2,
    { SEND (0, 1, 0, 5000, 5.999), RECV (1, 0, 0, 5000, 21.998), END } },
  { "rendezvous/synchronous",
    ALL,
    2,
    { SSEND (0, 1, 0, 1, 50), COMPUTE (1, 50, 50), RECV (1, 0, 0, 1, 51), END } },
  /* the processor is free meanwhile */
  { "rendezvous/non-blocking",
    ALL,
    2,
    { ISEND (0, 1, 0, 5001, 0, 6), SEND (0, 1, 1, 1, 14), WAIT (0, 0, 50), COMPUTE (1, 50, 50),
      RECV (1, 0, 0, 5001, 61), RECV (1, 0, 1, 1, 64), END } },
  /* a call returns when its message has left */
  { "non-blocking/gap",
    ALL,
    2,
    { ISEND (0, 1, 0, 1, 0, 1), ISEND (0, 1, 0, 1, 1, 4), IRECV (0, 1, 0, 1, 2, 4),
      WAITALL (0, 0, 3, 12), IRECV (1, 0, 0, 1, 0, 0), IRECV (1, 0, 0, 1, 1, 0),
      ISEND (1, 0, 0, 1, 2, 1), WAITALL (1, 0, 3, 15), END } },
  { "bsend",
    ALL ",copy-per-byte=1ns",
    2,
    { BSEND (0, 1, 0, 6001, 13.001), RECV (1, 0, 0, 6001, 24), END } },
  { "sendrecv", ALL, 2, { SENDRECV (0, 1, 1, 0, 1, 12), SENDRECV (1, 0, 0, 0, 1, 12), END } },
  /* the second leaves at 3 */
  { "startall",
    ALL,
    2,
    { SEND_INIT (0, 1, 0, 1, 0, PD_SEND_STANDARD, 0),
      SEND_INIT (0, 1, 0, 1, 1, PD_SEND_STANDARD, 0), START (0, 0, 2, 4), WAITALL (0, 0, 2, 4),
      REQUEST_FREE (0, 0, 4), REQUEST_FREE (0, 1, 4), RECV (1, 0, 0, 1, 12), RECV (1, 0, 0, 1, 15),
      END } },
  /* the message reaches 0 at 11, when it computes until 20; being older than the next
   * computation, which follows a call, it takes the processor before that */
  { "between-work",
    ALL,
    2,
    { COMPUTE (0, 20, 20), IRECV (0, 1, 0, 1, 0, 20), COMPUTE (0, 10, 30), WAIT (0, 0, 31),
      SEND (1, 0, 0, 1, 1), END } },
  /* at 32 the receive of 2 ends, which lets 1 go on, too: that is begun first, so that of
   * their messages, both at 0 at 43, that of 1 is received first */
  { "rendezvous/lower-first",
    "loggops:L=10us,o=1us,S=4",
    3,
    { COMPUTE (0, 20, 20), SEND (0, 2, 1, 1, 21), SEND (1, 2, 0, 5, 32), SEND (1, 0, 0, 1, 33),
      RECV (2, 0, 1, 1, 32), RECV (2, 1, 0, 5, 32), SEND (2, 0, 0, 1, 33), RECV (0, 1, 0, 1, 44),
      RECV (0, 2, 0, 1, 45), END } },
  { "oneself", ALL, 1, { SEND (0, 0, 0, 1001, 0), RECV (0, 0, 0, 1001, 0), END } },
  { "any-source",
    ALL,
    3,
    { SEND (0, 2, 0, 1, 1), COMPUTE (1, 5, 5), SEND (1, 2, 0, 1, 6),
      RECV (2, PD_ANY_SOURCE, 0, 1, 12), RECV (2, PD_ANY_SOURCE, 0, 1, 17), END } },
  { "probe", ALL, 2, { SEND (0, 1, 0, 1, 1), PROBE (1, 0, 0, 11), RECV (1, 0, 0, 1, 12), END } },
  { "deadlock", ALL, 2, { SEND (0, 1, 0, 5001, NEVER), COMPUTE (1, 50, 50), END } },
};

/* ---- closed forms of whole algorithms; ns */

#define REFERENCE "loggops:L=2500ns,o=1500ns,g=1000ns,G=6ns,O=0ns,S=65535,compat=loggopsim"

static gint64
last_return (GArray *steps, guint32 n_ranks)
{
  g_autoptr (PdMachine) machine = test_machine (REFERENCE, n_ranks);
  TestSetup setup = { .machine = machine, .n_ranks = n_ranks };
  g_autoptr (TestRun) run = test_run_new (&setup, (TestStep *) (gpointer) steps->data, steps->len);
  gint64 last = 0;

  g_assert_cmpuint (run->n_finished, ==, n_ranks);
  for (guint i = 0; i < steps->len; i++)
    last = MAX (last, run->ret[i].ps);
  return last / PD_PS_PER_NS;
}

static void
add (GArray *steps, TestStep step)
{
  g_array_append_val (steps, step);
}

/* 4 (2o + L): each round's message is sent and received at once */
static void
test_dissemination (void)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (TestStep));

  for (gint32 d = 1; d < 16; d *= 2)
    for (gint32 r = 0; r < 16; r++)
      add (steps, (TestStep) SENDRECV ((guint32) r, (r + d) % 16, (r + 16 - d) % 16, 0, 1, 0));
  g_assert_cmpint (last_return (steps, 16), ==, 4 * (2 * 1500 + 2500));
}

/* sum over 8 steps of 2o + L + (s - 1) G */
static void
test_halving_doubling (void)
{
  static const gint64 sizes[] = { 8192, 4096, 2048, 1024, 1024, 2048, 4096, 8192 };
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (TestStep));
  gint64 expected = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      gint32 d = i < 4 ? 8 >> i : 1 << (i - 4);
      expected += 2 * 1500 + 2500 + (sizes[i] - 1) * 6;
      for (gint32 r = 0; r < 16; r++)
        add (steps, (TestStep) SENDRECV ((guint32) r, r ^ d, r ^ d, 0, sizes[i], 0));
    }
  g_assert_cmpint (last_return (steps, 16), ==, expected);
}

/* 4 (2o + L + 1023 G): the last of the tree */
static void
test_binomial (void)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (TestStep));

  for (gint32 r = 0; r < 16; r++)
    {
      gint32 low = r == 0 ? 16 : r & -r;
      if (r > 0)
        add (steps, (TestStep) RECV ((guint32) r, r - low, 0, 1024, 0));
      for (gint32 d = low / 2; d >= 1; d /= 2)
        add (steps, (TestStep) SEND ((guint32) r, r + d, 0, 1024, 0));
    }
  g_assert_cmpint (last_return (steps, 16), ==, 46552);
}

/* ---- the rules of LogGOPSim for programs without branches; ns */

typedef struct
{
  gint64 L, o, g, G, O, S;
  gboolean compat;
} Parameters;

typedef struct
{
  gint64 time;
  guint number;
  guint32 host; /* where it happens */
  gint message; /* the send that arrives; -1: the host's next operation */
} Happening;

typedef struct
{
  const TestStep *steps;
  Parameters p;
  guint n_steps;
  guint n_numbers;
  GArray *queue; /* Happening, in no order */
  gint64 *cpu, *tx, *rx;
  guint *next;     /* of each host */
  GArray *posted;  /* guint: receives, in order of posting */
  GArray *arrived; /* guint: sends, in order of arrival */
  gint64 *ends;    /* of each step: when its host can go on; -1 = never */
} Oracle;

static gint64
charge (const Oracle *self, gint64 fixed, gint64 per_byte, gint64 bytes)
{
  return fixed + (bytes > 0 || self->p.compat ? bytes - 1 : 0) * per_byte;
}

static void
happen (Oracle *self, Happening what)
{
  g_array_append_val (self->queue, what);
}

static Happening
take_earliest (Oracle *self)
{
  guint best = 0;

  for (guint i = 1; i < self->queue->len; i++)
    {
      const Happening *a = &g_array_index (self->queue, Happening, i);
      const Happening *b = &g_array_index (self->queue, Happening, best);
      if (a->time < b->time || (a->time == b->time && a->number < b->number))
        best = i;
    }
  Happening first = g_array_index (self->queue, Happening, best);
  g_array_remove_index (self->queue, best);
  return first;
}

static guint
find_step (const Oracle *self, guint32 host, guint from)
{
  while (from < self->n_steps && self->steps[from].rank != host)
    from++;
  return from;
}

static void
enter_next (Oracle *self, guint32 host, guint from)
{
  guint i = self->next[host] = find_step (self, host, from);
  gint64 time = self->cpu[host];

  if (i == self->n_steps)
    return;
  if (self->steps[i].what == DO_SEND)
    time = MAX (time, self->tx[host]);
  happen (self, (Happening){ time, self->n_numbers++, host, -1 });
}

/* Step @i is over. */
static void
satisfy (Oracle *self, guint i)
{
  self->ends[i] = self->cpu[self->steps[i].rank];
  enter_next (self, self->steps[i].rank, i + 1);
}

static gboolean
matches (const TestStep *recv, const TestStep *send)
{
  return send->peer == (gint32) recv->rank && send->tag == recv->tag
         && (recv->peer == PD_ANY_SOURCE || recv->peer == (gint32) send->rank);
}

/* The sender of a large message may go on, too; of the two the lower one first. */
static void
match (Oracle *self, guint send, guint recv, gint64 now)
{
  guint32 sender = self->steps[send].rank;
  gboolean waits = self->steps[send].bytes > self->p.S;
  gboolean sender_first = sender < self->steps[recv].rank;

  if (waits)
    {
      self->cpu[sender] = MAX (self->cpu[sender], now);
      self->tx[sender] = MAX (self->tx[sender], now);
    }
  if (waits && sender_first)
    satisfy (self, send);
  satisfy (self, recv);
  if (waits && !sender_first)
    satisfy (self, send);
}

static void
receive (Oracle *self, guint recv, gint64 now)
{
  for (guint k = 0; k < self->arrived->len; k++)
    {
      guint send = g_array_index (self->arrived, guint, k);
      if (!matches (&self->steps[recv], &self->steps[send]))
        continue;
      g_array_remove_index (self->arrived, k);
      match (self, send, recv, now);
      return;
    }
  g_array_append_val (self->posted, recv);
}

static void
arrive (Oracle *self, const Happening *what)
{
  const TestStep *send = &self->steps[what->message];
  guint32 host = what->host;
  gint64 free = MAX (self->cpu[host], self->rx[host]);
  guint message = (guint) what->message;
  gint64 own = charge (self, self->p.o, self->p.O, send->bytes);
  gint64 wire = charge (self, self->p.o, self->p.G, send->bytes);

  if (free > what->time)
    {
      happen (self, (Happening){ free, what->number, host, what->message });
      return;
    }
  /* unsigned numbers are compared there: one that has wrapped around is greater than 0,
   * of two that have the lesser charge wins */
  self->cpu[host] = what->time + MAX (own, wire);
  if (send->bytes == 0 && self->p.compat && (self->p.O == 0 || self->p.G == 0))
    self->cpu[host] = what->time + MIN (own, wire);
  self->rx[host] = what->time + charge (self, self->p.g, self->p.G, send->bytes);
  for (guint k = 0; k < self->posted->len; k++)
    {
      guint recv = g_array_index (self->posted, guint, k);
      if (!matches (&self->steps[recv], send))
        continue;
      g_array_remove_index (self->posted, k);
      match (self, message, recv, what->time);
      return;
    }
  g_array_append_val (self->arrived, message);
}

static void
operate (Oracle *self, const Happening *what)
{
  guint32 host = what->host;
  guint i = self->next[host];
  const TestStep *step = &self->steps[i];
  gint64 free = self->cpu[host];

  if (step->what == DO_RECV)
    {
      receive (self, i, what->time);
      return;
    }
  if (step->what == DO_SEND)
    free = MAX (free, self->tx[host]);
  if (free > what->time)
    {
      happen (self, (Happening){ free, what->number, host, -1 });
      return;
    }
  if (step->what == DO_COMPUTE)
    {
      self->cpu[host] = what->time + test_us (step->duration) / PD_PS_PER_NS;
      satisfy (self, i);
      return;
    }
  self->cpu[host] = what->time + charge (self, self->p.o, self->p.O, step->bytes);
  self->tx[host] = what->time + charge (self, self->p.g, self->p.G, step->bytes);
  happen (self, (Happening){ what->time + self->p.o + self->p.L, self->n_numbers++,
                             (guint32) step->peer, (gint) i });
  if (step->bytes <= self->p.S)
    satisfy (self, i);
}

static void
oracle_run (Oracle *self, guint32 n_ranks)
{
  self->queue = g_array_new (FALSE, FALSE, sizeof (Happening));
  self->posted = g_array_new (FALSE, FALSE, sizeof (guint));
  self->arrived = g_array_new (FALSE, FALSE, sizeof (guint));
  self->cpu = g_new0 (gint64, n_ranks);
  self->tx = g_new0 (gint64, n_ranks);
  self->rx = g_new0 (gint64, n_ranks);
  self->next = g_new0 (guint, n_ranks);
  self->ends = g_new (gint64, self->n_steps);
  for (guint i = 0; i < self->n_steps; i++)
    self->ends[i] = -1;
  for (guint32 host = 0; host < n_ranks; host++)
    enter_next (self, host, 0);
  while (self->queue->len > 0)
    {
      Happening what = take_earliest (self);
      if (what.message >= 0)
        arrive (self, &what);
      else
        operate (self, &what);
    }
}

static void
oracle_clear (Oracle *self)
{
  g_array_unref (self->queue);
  g_array_unref (self->posted);
  g_array_unref (self->arrived);
  g_free (self->cpu);
  g_free (self->tx);
  g_free (self->rx);
  g_free (self->next);
  g_free (self->ends);
}

/* ---- random programs */

#define N_PROGRAMS 2000

static gint64
below (GRand *rand, gint32 n)
{
  return g_rand_int_range (rand, 0, n);
}

/* Messages in a global order, in which all could be performed; small numbers, so
 * that much happens at the same moment. */
static GArray *
random_program (GRand *rand, guint32 n_ranks, gboolean gathers)
{
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (TestStep));
  gint64 n = 3 + below (rand, 25);

  for (gint64 i = 0; i < n; i++)
    {
      guint32 source = (guint32) below (rand, (gint32) n_ranks);
      guint32 target = gathers ? 0 : (guint32) below (rand, (gint32) n_ranks);
      gint64 bytes = below (rand, 2) == 0 ? below (rand, 3) : below (rand, 12);
      gint32 tag = gathers ? 0 : (gint32) below (rand, 2);
      if (source == target)
        {
          add (steps, (TestStep) COMPUTE (source, (gdouble) (1 + below (rand, 11)) / 1000, 0));
          continue;
        }
      add (steps, (TestStep) SEND (source, (gint32) target, tag, bytes, 0));
      add (steps, (TestStep) RECV (target, gathers ? PD_ANY_SOURCE : (gint32) source, tag, 12, 0));
    }
  return steps;
}

static void
compare_with_oracle (const TestRun *run, const Oracle *oracle, guint seed)
{
  for (guint i = 0; i < run->n_steps; i++)
    {
      gint64 ends = oracle->ends[i] < 0 ? -1 : oracle->ends[i] * PD_PS_PER_NS;
      if (run->steps[i].what == DO_COMPUTE)
        continue; /* the script says when it would have ended alone */
      if (run->ret[i].ps != ends)
        g_test_message ("seed %u step %u", seed, i);
      g_assert_cmpint (run->ret[i].ps, ==, ends);
    }
}

static void
check_random (guint32 seed, gboolean gathers, gboolean has_latency)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  guint32 n_ranks = 2 + (guint32) below (rand, 6);
  Parameters p = { .L = has_latency ? 1 + below (rand, 8) : below (rand, 3),
                   .o = 3 + below (rand, 4), /* more than an empty message may save */
                   .g = below (rand, 6),
                   .G = below (rand, 3),
                   .O = below (rand, 3),
                   .S = below (rand, 3) == 0 ? 4 : 100,
                   .compat = below (rand, 2) == 0 };
  g_autofree char *spec = g_strdup_printf (
      "loggops:L=%ldns,o=%ldns,g=%ldns,G=%ldns,O=%ldns,S=%ld,compat=%s", (long) p.L, (long) p.o,
      (long) p.g, (long) p.G, (long) p.O, (long) p.S, p.compat ? "loggopsim" : "none");
  g_autoptr (PdMachine) machine = test_machine (spec, n_ranks);
  g_autoptr (GArray) steps = random_program (rand, n_ranks, gathers);
  const TestStep *table = (const TestStep *) (gpointer) steps->data;
  TestSetup setup = { .machine = machine, .n_ranks = n_ranks };
  TestSetup stepwise = { .machine = machine, .n_ranks = n_ranks, .one_step = TRUE };
  g_autoptr (TestRun) run = test_run_new (&setup, table, steps->len);
  g_autoptr (TestRun) other = test_run_new (&stepwise, table, steps->len);
  Oracle oracle = { .steps = table, .n_steps = steps->len, .p = p };

  oracle_run (&oracle, n_ranks);
  compare_with_oracle (run, &oracle, seed);
  test_compare_runs (run, other);
  oracle_clear (&oracle);
}

static void
test_random (void)
{
  for (guint32 seed = 0; seed < N_PROGRAMS; seed++)
    check_random (seed, FALSE, seed % 4 != 0);
}

static void
test_random_gathers (void)
{
  for (guint32 seed = 0; seed < N_PROGRAMS; seed++)
    check_random (seed, TRUE, TRUE);
}

/* ---- many messages for one processor */

/* All others send to rank 0 at once: what happens until it has got all of them. */
static guint64
count_events (guint32 n_ranks)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMachine) machine = pd_machine_load ("loggops:L=10us,o=1us", NULL, n_ranks, &error);
  g_autoptr (PdComsys) comsys = pd_comsys_new (machine, NULL, n_ranks, &error);
  PdComm *world = pd_comsys_get_world (comsys);
  g_autofree PdTime *returns = g_new0 (PdTime, n_ranks);
  PdBundle bundle = { 0 };
  guint32 rank;
  PdTime when, last = PD_TIME_ZERO;

  g_assert_no_error (error);
  for (rank = 0; rank < n_ranks; rank++)
    pd_comsys_ready (comsys, rank, PD_TIME_ZERO);
  for (; pd_comsys_next (comsys, &rank, &when); last = when)
    {
      PdCall call = { rank, when, &returns[rank], NULL };
      if (when.ps > 0)
        continue; /* it has returned, and is done */
      if (rank > 0)
        {
          pd_comsys_send (comsys, &call, world, (PdEnvelope){ 0, 0, 1 });
          continue;
        }
      for (gint32 peer = 1; peer < (gint32) n_ranks; peer++)
        pd_bundle_add (comsys, &bundle,
                       pd_comsys_irecv (comsys, &call, world, (PdEnvelope){ peer, 0, 1 }));
      pd_comsys_waitall_bundle (comsys, &call, &bundle);
    }
  g_assert_cmpuint (pd_comsys_finalize (comsys), ==, 0);
  /* at 11 us the first has come, and each takes 1 us */
  g_assert_cmpint (last.ps, ==, (11 + (gint64) n_ranks - 1) * 1000000);
  return pd_comsys_get_counts (comsys)->n_events;
}

/* Those that wait are not looked at whenever another one has been received. */
static void
test_incast (void)
{
  guint64 few = count_events (64), many = count_events (512);

  g_assert_cmpuint (many, >=, 2 * 511);
  g_assert_cmpuint (many, <=, 9 * few);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  test_add_cases ("/comsys/loggops", cases, G_N_ELEMENTS (cases));
  g_test_add_func ("/comsys/loggops/closed/dissemination", test_dissemination);
  g_test_add_func ("/comsys/loggops/closed/halving-doubling", test_halving_doubling);
  g_test_add_func ("/comsys/loggops/closed/binomial", test_binomial);
  g_test_add_func ("/comsys/loggops/many-for-one", test_incast);
  g_test_add_func ("/comsys/loggops/random/programs", test_random);
  g_test_add_func ("/comsys/loggops/random/gathers", test_random_gathers);
  return g_test_run ();
}
