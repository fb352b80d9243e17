/* SPDX-License-Identifier: MIT */
#include "tests/support/comsys/comsys-random.h"

#define SUB      1 /* a part of a split */
#define ANYTHING 2 /* a duplicate where all receives are (any source, any tag) */
#define ANY_TAGS 3 /* a duplicate where all receives are (source, any tag) */

static gint32
choose (GRand *rand, gint32 n)
{
  return g_rand_int_range (rand, 0, n);
}

static guint
fresh_slot (TestProgram *self, guint32 rank)
{
  return self->next_slot[rank]++;
}

static void
add (TestProgram *self, TestStep step)
{
  g_array_append_val (self->steps, step);
}

static gint64
choose_bytes (GRand *rand)
{
  static const gint64 sizes[] = { 0, 1, 8, 100, 5000, 16384, 16385, 100000 };

  return sizes[choose (rand, G_N_ELEMENTS (sizes))];
}

/* The same by a persistent request, with @step's slot. */
static void
add_start (TestProgram *self, GRand *rand, TestStep step, gboolean is_send)
{
  static const PdSendMode modes[] = { PD_SEND_STANDARD, PD_SEND_SYNCHRONOUS, PD_SEND_BUFFERED,
                                      PD_SEND_READY };

  step.what = is_send ? DO_SEND_INIT : DO_RECV_INIT;
  step.mode = modes[choose (rand, G_N_ELEMENTS (modes))];
  add (self, step);
  add (self, (TestStep){ .rank = step.rank, .what = DO_START, .slot = step.slot, .n = 1 });
}

static void
add_send (TestProgram *self, GRand *rand, TestStep step, gboolean may_block)
{
  static const TestDo blocking[] = { DO_SEND, DO_SSEND, DO_BSEND, DO_RSEND };
  static const TestDo starting[] = { DO_ISEND, DO_ISSEND, DO_IBSEND, DO_IRSEND };
  gboolean block = may_block && choose (rand, 2) == 0;

  step.what = block ? blocking[choose (rand, 4)] : starting[choose (rand, 4)];
  step.slot = block ? 0 : fresh_slot (self, step.rank);
  self->n_messages++;
  self->n_bytes += step.bytes;
  if (!block && choose (rand, 4) == 0)
    add_start (self, rand, step, TRUE);
  else
    add (self, step);
}

static void
add_recv (TestProgram *self, GRand *rand, TestStep step)
{
  gboolean block = choose (rand, 2) == 0;

  step.what = block ? DO_RECV : DO_IRECV;
  step.slot = block ? 0 : fresh_slot (self, step.rank);
  if (!block && choose (rand, 4) == 0)
    {
      add_start (self, rand, step, FALSE);
      return;
    }
  if (self->wildcard && choose (rand, 5) == 0)
    {
      TestStep probe = step;
      probe.what = block ? DO_PROBE : DO_IPROBE;
      add (self, probe);
    }
  add (self, step);
}

/* ---- operations */

static void
add_message (TestProgram *self, GRand *rand)
{
  guint32 source = (guint32) choose (rand, (gint32) self->n_ranks);
  guint32 target = (guint32) choose (rand, (gint32) self->n_ranks);
  gboolean sub = self->color[source] == self->color[target] && choose (rand, 2) == 0;
  gboolean any_tag = self->wildcard && !sub && choose (rand, 3) == 0;
  TestStep send = { .rank = source,
                    .peer = sub ? self->sub_rank[target] : (gint32) target,
                    .tag = choose (rand, 3),
                    .bytes = choose_bytes (rand),
                    .comm = sub       ? SUB
                            : any_tag ? ANY_TAGS
                                      : 0 };
  TestStep recv = send;

  recv.rank = target;
  recv.peer = sub ? self->sub_rank[source] : (gint32) source;
  if (any_tag)
    recv.tag = PD_ANY_TAG;
  if (source == target) /* must not block for itself */
    {
      add_send (self, rand, send, FALSE);
      add_recv (self, rand, recv);
    }
  else if (choose (rand, 2) == 0)
    {
      add_send (self, rand, send, TRUE);
      add_recv (self, rand, recv);
    }
  else
    {
      add_recv (self, rand, recv);
      add_send (self, rand, send, TRUE);
    }
}

static void
add_exchange (TestProgram *self, GRand *rand)
{
  gint64 bytes = choose_bytes (rand);
  gint32 n = (gint32) self->n_ranks, shift = choose (rand, n);

  for (gint32 r = 0; r < n; r++)
    add (self, (TestStep){ .rank = (guint32) r,
                           .what = DO_SENDRECV,
                           .peer = (r + shift) % n,
                           .from = (r + n - shift) % n,
                           .tag = 7,
                           .bytes = bytes });
  self->n_messages += n;
  self->n_bytes += n * bytes;
}

/* Everybody sends to one, which receives from whoever comes first. */
static void
add_gathering (TestProgram *self, GRand *rand, gint32 number)
{
  guint32 root = (guint32) choose (rand, (gint32) self->n_ranks);
  gboolean anything = choose (rand, 2) == 0;
  gint32 tag = anything ? choose (rand, 5) : 100 + number;
  gint64 bytes = choose_bytes (rand);

  for (guint32 r = 0; r < self->n_ranks; r++)
    if (r != root)
      add_send (self, rand,
                (TestStep){ .rank = r,
                            .peer = (gint32) root,
                            .tag = tag,
                            .bytes = bytes,
                            .comm = anything ? ANYTHING : 0 },
                !anything);
  for (guint32 r = 1; r < self->n_ranks; r++)
    add_recv (self, rand,
              (TestStep){ .rank = root,
                          .peer = PD_ANY_SOURCE,
                          .tag = anything ? PD_ANY_TAG : tag,
                          .bytes = bytes,
                          .comm = anything ? ANYTHING : 0 });
}

static void
add_collective (TestProgram *self, GRand *rand)
{
  gboolean sub = choose (rand, 2) == 0;
  static const PdOp ops[] = { PD_OP_BARRIER, PD_OP_BCAST,         PD_OP_REDUCE,    PD_OP_ALLREDUCE,
                              PD_OP_GATHER,  PD_OP_SCATTER,       PD_OP_ALLGATHER, PD_OP_ALLTOALL,
                              PD_OP_SCAN,    PD_OP_REDUCE_SCATTER };
  TestStep step = { .what = choose (rand, 2) == 0 ? DO_COLLECTIVE : DO_ICOLLECTIVE,
                    .op = ops[choose (rand, G_N_ELEMENTS (ops))],
                    .bytes = choose_bytes (rand),
                    .comm = sub ? SUB : 0 };
  gint32 color = choose (rand, 2), first = choose (rand, (gint32) self->n_ranks);

  step.peer = sub ? 0 : choose (rand, (gint32) self->n_ranks);
  for (guint32 i = 0; i < self->n_ranks; i++)
    {
      step.rank = ((guint32) first + i) % self->n_ranks;
      if (sub && self->color[step.rank] != color)
        continue;
      self->n_calls++;
      if (step.what == DO_ICOLLECTIVE)
        step.slot = fresh_slot (self, step.rank);
      add (self, step);
    }
}

static void
add_wait (TestProgram *self, GRand *rand)
{
  static const TestDo waits[] = { DO_WAIT, DO_WAITALL, DO_WAITANY, DO_WAITSOME,
                                  DO_TEST, DO_TESTALL, DO_TESTANY, DO_TESTSOME };
  TestStep step = { .rank = (guint32) choose (rand, (gint32) self->n_ranks),
                    .what = waits[choose (rand, G_N_ELEMENTS (waits))] };
  gint32 n = (gint32) self->next_slot[step.rank];

  if (n == 0)
    return;
  step.slot = (guint) choose (rand, n);
  step.n = step.what == DO_WAIT || step.what == DO_TEST
               ? 1
               : 1 + (guint) choose (rand, n - (gint32) step.slot);
  add (self, step);
}

static void
add_computing (TestProgram *self, GRand *rand)
{
  add (self, (TestStep){ .rank = (guint32) choose (rand, (gint32) self->n_ranks),
                         .what = DO_COMPUTE,
                         .duration = choose (rand, 50) });
}

/* ---- one-sided: a rank waits for others only in the order of all, or for locks of
 * targets in ascending order; or, in other programs, of all targets at once */

static void
add_transfer (TestProgram *self, GRand *rand, guint32 rank, gint32 target)
{
  static const TestDo kinds[] = { DO_PUT, DO_GET, DO_ACCUMULATE };
  TestStep step = { .rank = rank,
                    .what = kinds[choose (rand, 3)],
                    .peer = choose (rand, 10) == 0 ? PD_PROC_NULL : target,
                    .bytes = choose_bytes (rand) };

  add (self, step);
  if (step.peer == PD_PROC_NULL)
    return;
  self->n_messages++;
  self->n_bytes += step.bytes;
}

static void
add_fence (TestProgram *self, GRand *rand)
{
  gint32 n = (gint32) self->n_ranks, first = choose (rand, n);

  for (gint32 i = 0; i < n; i++)
    add (self, (TestStep){ .rank = (guint32) ((first + i) % n), .what = DO_FENCE });
  self->n_calls += n;
}

static void
add_lock (TestProgram *self, GRand *rand)
{
  gint32 n = (gint32) self->n_ranks, target = choose (rand, n + 1) - 1;
  TestStep step = { .rank = (guint32) choose (rand, n), .what = DO_LOCK, .peer = target };
  gboolean two = target >= 0 && target + 1 < n && !self->locks_all && choose (rand, 3) == 0;

  if (target < 0 && !self->locks_all)
    step.peer = target = 0;
  step.n = target < 0 ? 0 : (guint) choose (rand, 2);
  add (self, step);
  if (two)
    add (self, (TestStep){ .rank = step.rank, .what = DO_LOCK, .peer = target + 1, .n = step.n });
  for (gint32 k = choose (rand, 4); k > 0; k--)
    {
      add_transfer (self, rand, step.rank,
                    target < 0 ? choose (rand, n) : target + (two ? k % 2 : 0));
      if (choose (rand, 4) == 0)
        add (self, (TestStep){ .rank = step.rank, .what = DO_FLUSH, .peer = target });
    }
  add (self, (TestStep){ .rank = step.rank, .what = DO_UNLOCK, .peer = target });
  if (two)
    add (self, (TestStep){ .rank = step.rank, .what = DO_UNLOCK, .peer = target + 1 });
}

static void
add_one_sided (TestProgram *self, GRand *rand)
{
  gint32 n = (gint32) self->n_ranks;

  if (choose (rand, 6) == 0)
    add_fence (self, rand);
  else if (choose (rand, 2) == 0)
    add_lock (self, rand);
  else
    add_transfer (self, rand, (guint32) choose (rand, n), choose (rand, n));
}

/* ---- the program */

/* Communicators that all use: a split in two and, with wildcards, two duplicates. */
static void
add_communicators (TestProgram *self, GRand *rand)
{
  g_autofree gint32 *key = g_new (gint32, self->n_ranks);

  for (guint32 r = 0; r < self->n_ranks; r++)
    {
      self->color[r] = choose (rand, 2);
      key[r] = choose (rand, 3);
      add (self, (TestStep){ .rank = r,
                             .what = DO_COMM_SPLIT,
                             .peer = self->color[r],
                             .tag = key[r],
                             .slot = SUB });
    }
  for (guint32 r = 0; r < self->n_ranks; r++)
    for (guint32 q = 0; q < self->n_ranks; q++)
      if (self->color[q] == self->color[r] && (key[q] < key[r] || (key[q] == key[r] && q < r)))
        self->sub_rank[r]++;
  for (guint slot = ANYTHING; self->wildcard && slot <= ANY_TAGS; slot++)
    for (guint32 r = 0; r < self->n_ranks; r++)
      add (self, (TestStep){ .rank = r, .what = DO_COMM_DUP, .slot = slot });
  self->n_calls += self->n_ranks * (self->wildcard ? 3 : 1);
}

static void
add_operation (TestProgram *self, GRand *rand, gint32 number)
{
  if (self->one_sided && choose (rand, 2) == 0)
    {
      add_one_sided (self, rand);
      return;
    }
  switch (choose (rand, 10))
    {
    case 0:
      add_collective (self, rand);
      break;
    case 1:
      add_exchange (self, rand);
      break;
    case 2:
      if (self->wildcard)
        add_gathering (self, rand, number);
      break;
    case 3:
      add_computing (self, rand);
      break;
    case 4:
      add_wait (self, rand);
      break;
    default:
      add_message (self, rand);
    }
}

TestProgram *
test_program_new (guint32 seed, TestKind kind)
{
  TestProgram *self = g_new0 (TestProgram, 1);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  gint32 n_operations = 5 + choose (rand, 30);

  self->steps = g_array_new (FALSE, FALSE, sizeof (TestStep));
  self->n_ranks = 2 + (guint32) choose (rand, 6);
  self->wildcard = kind == TEST_WILDCARD;
  self->one_sided = kind == TEST_ONE_SIDED;
  self->locks_all = seed % 2 == 0;
  self->next_slot = g_new0 (guint, self->n_ranks);
  self->color = g_new0 (gint32, self->n_ranks);
  self->sub_rank = g_new0 (gint32, self->n_ranks);
  add_communicators (self, rand);
  for (gint32 i = 0; i < n_operations; i++)
    add_operation (self, rand, i);
  for (guint32 r = 0; r < self->n_ranks; r++)
    {
      add (self, (TestStep){ .rank = r, .what = DO_WAITALL, .n = self->next_slot[r] });
      for (guint slot = 0; slot < self->next_slot[r]; slot++)
        add (self, (TestStep){ .rank = r, .what = DO_REQUEST_FREE, .slot = slot });
    }
  if (self->one_sided)
    add_fence (self, rand);
  return self;
}

void
test_program_free (TestProgram *self)
{
  g_array_unref (self->steps);
  g_free (self->next_slot);
  g_free (self->color);
  g_free (self->sub_rank);
  g_free (self);
}
