/* What the schedules of collective operations move: every algorithm is played on
 * vectors of sets, by the very iterators, and at the end every rank must have
 * what its operation promises, each contribution exactly once. Messages are
 * delivered at once here; that nobody waits for ever where they are not is
 * checked by running the algorithms on a network.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-coll-tools.h"
#include "tests/support/comsys/comsys-script.h"
#include "comsys/coll/pd-coll-algorithms.h"
#include "comsys/mpi/pd-coll-choice-private.h"
#include "comsys/mpi/pd-coll-execute-private.h"
#include "comsys/coll/pd-op-info.h"
#include "comsys/mpi/pd-coll-steps.h"

#include <string.h>

/* One byte of a vector: how often each rank's contribution is in it. */
typedef struct
{
  guint8 *cells; /* n_bytes * n */
} Vector;

typedef struct
{
  gint64 bytes;
  gint64 at;  /* first byte of the vector */
  gint64 bit; /* of Bruck's alltoall */
  guint8 *cells;
} Message;

typedef struct
{
  PdExecution exec;
  Vector vector;
  Vector result; /* of scans */
  Message *last; /* received, and not yet known whether it is added */
  guint32 last_from;
  GArray *posted;   /* PdStep, IRECV */
  gint64 *sent_to;  /* of the own block, per target */
  gint64 *got_from; /* likewise */
  gint64 copied;
  gint64 to_add; /* bytes that a reduction has to follow */
  gboolean finished;
  PdStep step;
  gboolean has_step;
} Rank;

typedef struct
{
  guint32 n;
  PdScheduleArgs args;
  const PdAlgorithm *algorithm;
  gint64 segment;
  gint64 *counts; /* blocks */
  gint64 *starts; /* of the blocks in the vector */
  gint64 n_bytes;
  Rank *ranks;
  GQueue **wires; /* from * n + to: Message */
  guint64 n_messages;
} World;

/* ---- kinds of operations */

static gboolean
is_among (PdOp op, const PdOp *ops, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (ops[i] == op)
      return TRUE;
  return FALSE;
}

#define AMONG(op, ...)                                                                             \
  is_among (op, (const PdOp[]){ __VA_ARGS__ }, G_N_ELEMENTS (((const PdOp[]){ __VA_ARGS__ })))

static gboolean
is_scan (PdOp op)
{
  return AMONG (op, PD_OP_SCAN, PD_OP_EXSCAN);
}

static gboolean
is_reduction (PdOp op)
{
  return AMONG (op, PD_OP_REDUCE, PD_OP_ALLREDUCE, PD_OP_REDUCE_SCATTER, PD_OP_REDUCE_SCATTER_BLOCK)
         || is_scan (op);
}

static gboolean
has_blocks (PdOp op)
{
  return AMONG (op, PD_OP_GATHER, PD_OP_GATHERV, PD_OP_SCATTER, PD_OP_SCATTERV, PD_OP_ALLGATHER,
                PD_OP_ALLGATHERV, PD_OP_REDUCE_SCATTER, PD_OP_REDUCE_SCATTER_BLOCK);
}

static gboolean
is_alltoall (PdOp op)
{
  return AMONG (op, PD_OP_ALLTOALL, PD_OP_ALLTOALLV, PD_OP_ALLTOALLW);
}

/* ---- vectors */

static guint8 *
copy_of (const guint8 *cells, gsize n)
{
  guint8 *copy = g_new (guint8, n);

  memcpy (copy, cells, n);
  return copy;
}

static guint8 *
cell (const World *self, guint8 *cells, gint64 byte, guint32 rank)
{
  return &cells[byte * self->n + rank];
}

/* The first byte of what a step names. */
static gint64
byte_of (const World *self, gint64 at)
{
  if (is_alltoall (self->args.op))
    return 0;
  return has_blocks (self->args.op) ? self->starts[at] : at;
}

static Message *
message_new (const World *self, Rank *rank, const PdStep *step)
{
  Message *message = g_new0 (Message, 1);

  message->bytes = step->send_bytes;
  message->at = byte_of (self, step->send_at);
  if (is_alltoall (self->args.op))
    {
      message->bit = step->send_at;
      message->cells = copy_of (rank->vector.cells, 2 * self->n);
      return message;
    }
  if (self->args.op == PD_OP_BARRIER)
    {
      g_assert_cmpint (step->send_bytes, ==, 0);
      message->cells = copy_of (rank->vector.cells, self->n);
      return message;
    }
  g_assert_cmpint (step->send_bytes, >=, 0);
  g_assert_cmpint (step->send_bytes, <=, self->n_bytes);
  if (has_blocks (self->args.op) && self->args.op != PD_OP_REDUCE_SCATTER)
    { /* a block in several messages goes on where the last one ended */
      message->at += rank->sent_to[step->to];
      if (strcmp (self->algorithm->name, "linear-sync") == 0)
        rank->sent_to[step->to] += step->send_bytes;
    }
  message->cells = g_malloc0 ((gsize) (message->bytes * self->n) + 1);
  for (gint64 i = 0; i < message->bytes; i++)
    memcpy (&message->cells[i * self->n],
            cell (self, rank->vector.cells, (message->at + i) % self->n_bytes, 0), self->n);
  return message;
}

static void
message_free (Message *message)
{
  g_free (message->cells);
  g_free (message);
}

/* Puts or adds a message into the vector of its receiver. */
static void
put (const World *self, guint8 *cells, const Message *message, gboolean add)
{
  if (self->args.op == PD_OP_BARRIER)
    {
      for (guint32 i = 0; i < self->n; i++)
        cells[i] |= message->cells[i];
      return;
    }
  for (gint64 i = 0; i < message->bytes; i++)
    for (guint32 r = 0; r < self->n; r++)
      {
        guint8 *there = cell (self, cells, (message->at + i) % self->n_bytes, r);
        guint8 new = *cell (self, message->cells, i, r);
        *there = (guint8) (add ? *there + new : new);
      }
}

/* Alltoall by Bruck: slot i of a rank is (source, target); else the block goes
 * straight to where it belongs. */
static void
put_block (World *self, Rank *rank, guint32 from, const Message *message)
{
  if (message->bit == 0)
    {
      gint64 expected = self->args.send_counts != NULL
                            ? self->ranks[from].exec.args.send_counts[rank->exec.rank]
                            : self->args.bytes;
      g_assert_cmpint (message->bytes, ==, expected);
      rank->got_from[from]++;
      return;
    }
  for (guint32 i = 0; i < self->n; i++)
    if ((i & message->bit) != 0)
      {
        rank->vector.cells[2 * i] = message->cells[2 * i];
        rank->vector.cells[2 * i + 1] = message->cells[2 * i + 1];
      }
}

/* ---- steps */

/* What came last is put where it belongs: added if a reduction follows. */
static void
settle (World *self, Rank *rank, gboolean add)
{
  Message *message = g_steal_pointer (&rank->last);

  if (message == NULL)
    return;
  if (is_alltoall (self->args.op))
    put_block (self, rank, rank->last_from, message);
  else
    {
      put (self, rank->vector.cells, message, add);
      if (is_scan (self->args.op) && rank->last_from < rank->exec.rank)
        put (self, rank->result.cells, message, TRUE);
    }
  message_free (message);
}

static Message *
message_copy (const World *self, const Message *message)
{
  Message *copy = g_new (Message, 1);

  *copy = *message;
  copy->cells = copy_of (message->cells, (gsize) (message->bytes * self->n) + 1);
  return copy;
}

/* TRUE: the step sends what has come and is not yet added. */
static gboolean
passes_on (const Rank *rank)
{
  return rank->exec.algorithm->parts[rank->exec.part] == pd_coll_reduce_scatter_doubling
         && rank->step.kind == PD_STEP_SEND;
}

static void
send (World *self, Rank *rank, const PdStep *step)
{
  Message *message =
      passes_on (rank) ? message_copy (self, rank->last) : message_new (self, rank, step);

  g_assert_cmpint (message->bytes, ==, step->send_bytes);
  g_assert_cmpuint (step->to, <, self->n);
  g_assert_cmpuint (step->to, !=, rank->exec.rank);
  g_queue_push_tail (self->wires[rank->exec.rank * self->n + step->to], message);
  self->n_messages++;
}

/* FALSE: it has not been sent yet. */
static gboolean
receive (World *self, Rank *rank, const PdStep *step)
{
  g_assert_cmpuint (step->from, <, self->n);
  g_assert_cmpuint (step->from, !=, rank->exec.rank);
  GQueue *wire = self->wires[step->from * self->n + rank->exec.rank];
  if (g_queue_is_empty (wire))
    return FALSE;
  settle (self, rank, FALSE);
  rank->last = g_queue_pop_head (wire);
  rank->last_from = step->from;
  g_assert_cmpint (rank->last->bytes, ==, step->recv_bytes);
  if (!is_alltoall (self->args.op) && strcmp (self->algorithm->name, "linear-sync") != 0
      && step->recv_bytes > 0)
    g_assert_cmpint (rank->last->at, ==, byte_of (self, step->recv_at));
  return TRUE;
}

/* TRUE: what it has posted receives for is added, all in one step. */
static gboolean
adds_posted (const Rank *rank)
{
  PdScheduleFunc part = rank->exec.algorithm->parts[rank->exec.part];

  return part == pd_coll_reduce_gather || part == pd_coll_reduce_gather_whole
         || part == pd_coll_scan_linear || part == pd_coll_exscan_linear;
}

/* Receives what has been posted; only from @from, or from all. */
static gboolean
receive_posted (World *self, Rank *rank, gint64 from)
{
  for (guint i = 0; i < rank->posted->len;)
    {
      PdStep step = g_array_index (rank->posted, PdStep, i);
      if (from >= 0 && step.from != from)
        {
          i++;
          continue;
        }
      if (!receive (self, rank, &step))
        return FALSE;
      if (adds_posted (rank))
        rank->to_add += step.recv_bytes;
      settle (self, rank, adds_posted (rank));
      g_array_remove_index (rank->posted, i);
    }
  return TRUE;
}

/* The step under way goes on; FALSE: it has to wait. */
static gboolean
perform (World *self, Rank *rank, gboolean is_first)
{
  const PdStep *step = &rank->step;
  gboolean sends =
      step->kind == PD_STEP_SEND || step->kind == PD_STEP_ISEND || step->kind == PD_STEP_SENDRECV;

  if (sends && is_first)
    send (self, rank, step);
  switch (step->kind)
    {
    case PD_STEP_RECV:
    case PD_STEP_SENDRECV:
      return receive_posted (self, rank, step->from) && receive (self, rank, step);
    case PD_STEP_IRECV:
      g_array_append_val (rank->posted, *step);
      return TRUE;
    case PD_STEP_WAITALL:
      return receive_posted (self, rank, -1);
    case PD_STEP_REDUCE:
      g_assert_true (is_reduction (self->args.op) || self->args.op == PD_OP_BARRIER);
      if (adds_posted (rank))
        { /* the first of an exclusive scan is the result */
          gint64 first = self->args.op == PD_OP_EXSCAN ? self->args.bytes : 0;
          g_assert_cmpint (step->send_bytes, ==, rank->to_add - first);
          rank->to_add = 0;
          return TRUE;
        }
      if (!is_scan (self->args.op))
        g_assert_nonnull (rank->last);
      if (rank->last != NULL)
        g_assert_cmpint (step->send_bytes, ==, rank->last->bytes);
      settle (self, rank, TRUE);
      return TRUE;
    case PD_STEP_COPY:
      rank->copied += step->send_bytes;
      return TRUE;
    default:
      return TRUE;
    }
}

/* Plays on until the rank has to wait; TRUE: it got further. */
static gboolean
go_on (World *self, Rank *rank)
{
  gboolean moved = FALSE;

  while (!rank->finished)
    {
      gboolean is_first = !rank->has_step;
      if (is_first)
        {
          rank->has_step = pd_execution_next_step (NULL, &rank->exec, &rank->step);
          rank->finished = !rank->has_step;
          if ((rank->step.kind != PD_STEP_REDUCE && !passes_on (rank)) || rank->finished)
            settle (self, rank, FALSE);
          if (rank->finished)
            return TRUE;
        }
      if (!perform (self, rank, is_first))
        return moved;
      rank->has_step = FALSE;
      moved = TRUE;
    }
  return moved;
}

/* ---- before and after */

static gboolean
starts_with (const World *self, guint32 rank, gint64 byte)
{
  PdOp op = self->args.op;

  if (op == PD_OP_BCAST || op == PD_OP_SCATTER || op == PD_OP_SCATTERV)
    return rank == self->args.root;
  if (!has_blocks (op) || is_reduction (op))
    return TRUE;
  return byte >= self->starts[rank] && byte < self->starts[rank] + self->counts[rank];
}

/* How often @from is in @byte of @rank at the end; -1: it does not matter. */
static int
ends_with (const World *self, guint32 rank, gint64 byte, guint32 from)
{
  PdOp op = self->args.op;
  gboolean is_own = has_blocks (op) && byte >= self->starts[rank]
                    && byte < self->starts[rank] + self->counts[rank];

  switch (op)
    {
    case PD_OP_BCAST:
      return from == self->args.root;
    case PD_OP_REDUCE:
      return rank == self->args.root ? 1 : -1;
    case PD_OP_ALLREDUCE:
      return 1;
    case PD_OP_SCAN:
      return from <= rank;
    case PD_OP_EXSCAN:
      return from < rank;
    case PD_OP_SCATTER:
    case PD_OP_SCATTERV:
      return is_own ? from == self->args.root : -1;
    case PD_OP_REDUCE_SCATTER:
    case PD_OP_REDUCE_SCATTER_BLOCK:
      return is_own ? 1 : -1;
    case PD_OP_GATHER:
    case PD_OP_GATHERV:
      if (rank != self->args.root)
        return -1;
      G_GNUC_FALLTHROUGH;
    default:
      return byte >= self->starts[from] && byte < self->starts[from] + self->counts[from];
    }
}

static void
check_alltoall (World *self, Rank *rank)
{
  guint32 me = rank->exec.rank, n = self->n;
  gint64 own = self->args.send_counts != NULL ? rank->exec.args.send_counts[me] : self->args.bytes;

  if (strcmp (self->algorithm->name, "bruck") == 0)
    {
      for (guint32 i = 0; i < n; i++)
        {
          g_assert_cmpuint (rank->vector.cells[2 * i], ==, (me + n - i) % n);
          g_assert_cmpuint (rank->vector.cells[2 * i + 1], ==, me);
        }
      return;
    }
  g_assert_cmpint (rank->copied, ==, own);
  for (guint32 i = 0; i < n; i++)
    g_assert_cmpint (rank->got_from[i], ==, i == me ? 0 : 1);
}

static void
check_rank (World *self, Rank *rank)
{
  guint8 *cells = is_scan (self->args.op) ? rank->result.cells : rank->vector.cells;

  if (is_alltoall (self->args.op))
    {
      check_alltoall (self, rank);
      return;
    }
  if (self->args.op == PD_OP_BARRIER)
    {
      for (guint32 i = 0; i < self->n; i++)
        g_assert_cmpuint (rank->vector.cells[i], ==, 1);
      return;
    }
  for (gint64 byte = 0; byte < self->n_bytes; byte++)
    for (guint32 from = 0; from < self->n; from++)
      {
        int expected = ends_with (self, rank->exec.rank, byte, from);
        if (expected >= 0)
          g_assert_cmpint (*cell (self, cells, byte, from), ==, expected);
      }
}

static void
fill (World *self, Rank *rank)
{
  guint32 me = rank->exec.rank, n = self->n;
  gsize size = (gsize) (self->n_bytes * n + 2 * n);

  rank->vector.cells = g_malloc0 (size);
  rank->result.cells = g_malloc0 (size);
  if (is_alltoall (self->args.op))
    for (guint32 i = 0; i < n; i++)
      {
        rank->vector.cells[2 * i] = (guint8) me;
        rank->vector.cells[2 * i + 1] = (guint8) ((me + i) % n);
      }
  else if (self->args.op == PD_OP_BARRIER)
    rank->vector.cells[me] = 1;
  else
    for (gint64 byte = 0; byte < self->n_bytes; byte++)
      {
        *cell (self, rank->vector.cells, byte, me) = starts_with (self, me, byte) ? 1 : 0;
        *cell (self, rank->result.cells, byte, me) = self->args.op == PD_OP_SCAN;
      }
}

/* ---- one run */

/* Sizes differ from rank to rank where the operation lets them. */
static gint64
count_of (const World *self, guint32 rank)
{
  return pd_ops[self->args.op].recv_counts || pd_ops[self->args.op].send_counts
             ? (self->args.bytes * (rank % 3)) % 7 + (rank % 4 == 1 ? self->args.bytes : 0)
             : self->args.bytes;
}

static void
set_arguments (World *self, Rank *rank, guint32 me)
{
  PdScheduleArgs *args = &rank->exec.args;
  const PdOpInfo *info = &pd_ops[self->args.op];
  guint32 n = self->n;

  *args = self->args;
  if (is_alltoall (args->op) && info->send_counts)
    {
      gint64 *counts = g_new (gint64, 2 * n);
      for (guint32 i = 0; i < n; i++)
        {
          counts[i] = (me * 3 + i) % 5 * args->bytes;
          counts[n + i] = (i * 3 + me) % 5 * args->bytes;
        }
      args->send_counts = counts;
      args->recv_counts = counts + n;
      self->args.send_counts = counts; /* so it is known that there are some */
      return;
    }
  if (info->rooted && (info->recv_counts || info->send_counts))
    args->bytes = self->counts[me];
  if (info->recv_counts && (!info->rooted || me == args->root))
    args->recv_counts = self->counts;
  if (info->send_counts && (!info->rooted || me == args->root))
    args->send_counts = self->counts;
}

static void
create (World *self)
{
  guint32 n = self->n;

  self->counts = g_new0 (gint64, n);
  self->starts = g_new0 (gint64, n);
  for (guint32 i = 0; i < n; i++)
    {
      self->counts[i] = count_of (self, i);
      self->starts[i] = self->n_bytes;
      self->n_bytes += self->counts[i];
    }
  if (!has_blocks (self->args.op))
    self->n_bytes = self->args.bytes;
  if (is_alltoall (self->args.op) || self->args.op == PD_OP_BARRIER)
    self->n_bytes = 0;
  self->ranks = g_new0 (Rank, n);
  self->wires = g_new (GQueue *, n * n);
  for (guint32 i = 0; i < n * n; i++)
    self->wires[i] = g_queue_new ();
  for (guint32 i = 0; i < n; i++)
    {
      Rank *rank = &self->ranks[i];
      rank->exec = (PdExecution){
        .algorithm = self->algorithm, .op = (guint8) self->args.op, .rank = i, .n = n
      };
      rank->exec.segment = self->segment;
      rank->exec.total = -1;
      set_arguments (self, rank, i);
      rank->posted = g_array_new (FALSE, FALSE, sizeof (PdStep));
      rank->sent_to = g_new0 (gint64, n);
      rank->got_from = g_new0 (gint64, n);
      fill (self, rank);
    }
}

static void
destroy (World *self)
{
  for (guint32 i = 0; i < self->n; i++)
    {
      Rank *rank = &self->ranks[i];
      if (is_alltoall (self->args.op))
        g_free ((gpointer) rank->exec.args.send_counts);
      g_array_unref (rank->posted);
      g_free (rank->vector.cells);
      g_free (rank->result.cells);
      g_free (rank->sent_to);
      g_free (rank->got_from);
    }
  for (guint32 i = 0; i < self->n * self->n; i++)
    {
      g_assert_true (g_queue_is_empty (self->wires[i])); /* every message was received */
      g_queue_free (self->wires[i]);
    }
  g_free (self->wires);
  g_free (self->ranks);
  g_free (self->counts);
  g_free (self->starts);
}

static gboolean
fits (const PdAlgorithm *algorithm, guint32 n)
{
  return algorithm->fit == PD_FIT_ANY || (algorithm->fit == PD_FIT_TWO && n == 2)
         || (algorithm->fit == PD_FIT_EVEN && n % 2 == 0)
         || (algorithm->fit == PD_FIT_POWER && (n & (n - 1)) == 0);
}

static void
check_case (const PdAlgorithm *algorithm, guint32 n, guint32 root, gint64 bytes, gint64 segment)
{
  World world = { .n = n,
                  .args = { .op = algorithm->op, .root = root, .bytes = bytes },
                  .algorithm = algorithm,
                  .segment = segment };
  gboolean moved = TRUE;

  create (&world);
  while (moved)
    {
      moved = FALSE;
      for (guint32 i = 0; i < n; i++)
        moved = go_on (&world, &world.ranks[i]) || moved;
    }
  for (guint32 i = 0; i < n; i++)
    {
      if (!world.ranks[i].finished)
        g_test_message ("%u ranks, root %u, %d bytes, segment %d: rank %u waits for ever", n, root,
                        (int) bytes, (int) segment, i);
      g_assert_true (world.ranks[i].finished);
      check_rank (&world, &world.ranks[i]);
    }
  destroy (&world);
}

static void
test_data (gconstpointer data)
{
  static const guint32 sizes[] = {
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 33, 64
  };
  static const gint64 bytes[] = { 0, 1, 5, 24 }, segments[] = { 0, 1, 5 };
  const PdAlgorithm *algorithm = data;

  for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      guint32 n = sizes[s], n_roots = pd_ops[algorithm->op].rooted ? n : 1;
      gsize n_bytes = algorithm->op == PD_OP_BARRIER ? 1 : G_N_ELEMENTS (bytes);
      if (!fits (algorithm, n))
        continue;
      for (guint32 root = 0; root < n_roots; root += n <= 17 ? 1 : 11)
        for (gsize b = n <= 17 ? 0 : n_bytes - 1; b < n_bytes; b++)
          for (gsize k = n <= 17 ? 0 : 2; k < G_N_ELEMENTS (segments); k++)
            check_case (algorithm, n, root, bytes[b], segments[k]);
    }
}

/* Where an algorithm does not fit there is another that always does. */
static void
test_otherwise (void)
{
  for (const PdAlgorithm *a = pd_algorithms; a->name != NULL; a++)
    {
      g_assert_true (pd_algorithm_find (a->op, a->name) == a);
      g_assert_nonnull (a->parts[0]);
      if (a->fit == PD_FIT_ANY)
        continue;
      const PdAlgorithm *other = pd_algorithm_find (a->op, a->otherwise);
      g_assert_nonnull (other);
      g_assert_cmpint (other->fit, ==, PD_FIT_ANY);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (const PdAlgorithm *a = pd_algorithms; a->name != NULL; a++)
    {
      if (pd_ops[a->op].neighbors)
        continue;
      g_autofree char *path =
          g_strdup_printf ("/comsys/collective/data/%s/%s", pd_ops[a->op].name, a->name);
      g_test_add_data_func (path, a, test_data);
    }
  g_test_add_func ("/comsys/collective/otherwise", test_otherwise);
  return g_test_run ();
}
