/* OTF2 archives: what is written is read again, and damaged ones are refused.
 * SPDX-License-Identifier: MIT */
#include "tests/support/mp/actions.h"
#include "tests/support/folders.h"
#include "tests/support/otf2-both.h"
#include "traces/otf2/pd-otf2-writer.h"
#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  char *folder;
  char *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  fixture->folder = g_dir_make_tmp ("otf2-XXXXXX", NULL);
  g_assert_nonnull (fixture->folder);
  fixture->path = g_build_filename (fixture->folder, "t.otf2", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  test_remove_all (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
}

static const PdTraceWriteOptions no_flops = { 0, NULL };

static PdProgram *
read_again (const PdProgram *program, Fixture *fixture, const char *name, gboolean recorded)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  g_autoptr (GError) error = NULL;

  pd_otf2_write (program, path, &no_flops, NULL, &error);
  g_assert_no_error (error);
  PdProgram *again = test_otf2_read (path, recorded, NULL, NULL, &error);
  g_assert_no_error (error);
  return again;
}

/* ---- programs */

static PdAction
make (PdActionKind kind)
{
  PdAction action = test_action (kind);

  action.recorded = 1000 + (gint64) kind;
  return action;
}

static PdAction
message (PdActionKind kind, guint32 comm, gint32 peer, gint64 bytes)
{
  PdAction action = make (kind);

  action.comm = comm;
  action.peer = peer;
  action.tag = 40 + peer;
  action.bytes = bytes;
  return action;
}

static PdAction
with_request (PdAction action, guint32 request)
{
  action.request = request;
  return action;
}

#define N 4

static const guint32 slots[] = { 0, 1 }, first[] = { 0 }, second[] = { 1 };
static const gint64 shares[N] = { 1, 2, 3, 4 };

/* A program under construction, and what its tables have. */
typedef struct
{
  PdProgramBuilder *builder;
  guint32 rank;
  gint32 next;
  gint32 before;
  guint32 part; /* a communicator of ranks 3 and 1 */
  guint32 region;
  guint32 control;
  guint32 other;
  guint32 local;
  guint32 site; /* in a function that another one calls */
} Maker;

static void
mark (const Maker *self, PdActionKind kind, guint32 interval)
{
  PdAction action = test_action (kind);

  action.interval = interval;
  test_add (self->builder, self->rank, action);
}

static void
add_messages (const Maker *self)
{
  PdAction both = message (PD_ACT_SENDRECV, 0, self->next, 10);
  PdAction waitall = make (PD_ACT_WAITALL);

  test_add (self->builder, self->rank, message (PD_ACT_SEND, 0, self->next, 100));
  test_add (self->builder, self->rank, message (PD_ACT_RECV, 0, self->before, 100));
  both.recv_peer = self->before;
  both.recv_tag = 3;
  both.recv_bytes = G_GINT64_CONSTANT (5000000000);
  test_add (self->builder, self->rank, both);
  test_add (self->builder, self->rank, test_compute (7));
  test_add (self->builder, self->rank,
            with_request (message (PD_ACT_ISEND, 0, self->next, 1 << 20), 0));
  test_add (self->builder, self->rank,
            with_request (message (PD_ACT_IRECV, 0, self->before, 1 << 20), 1));
  waitall.slots = slots;
  waitall.n_slots = 2;
  test_add (self->builder, self->rank, waitall);
  if (self->rank == 1)
    test_add (self->builder, self->rank, message (PD_ACT_SSEND, self->part, 0, 8));
  if (self->rank == 3)
    test_add (self->builder, self->rank, message (PD_ACT_RECV, self->part, 1, 8));
}

/* Each operation; where blocks differ, rank i has one of shares[i]. */
static void
add_collectives (const Maker *self)
{
  gint64 own[N] = { shares[self->rank], shares[self->rank], shares[self->rank],
                    shares[self->rank] };
  guint32 all = pd_program_builder_add_counts (self->builder, shares, N);
  guint32 same = pd_program_builder_add_counts (self->builder, own, N);
  gboolean at_root = self->rank == 2;

  for (gint op = 0; op <= PD_COLL_REDUCE_SCATTER_BLOCK; op++)
    {
      PdAction a = make (PD_ACT_COLLECTIVE);
      gboolean to_root = op == PD_COLL_REDUCE || op == PD_COLL_GATHER || op == PD_COLL_GATHERV;
      gboolean from_root = op == PD_COLL_BCAST || op == PD_COLL_SCATTER || op == PD_COLL_SCATTERV;
      gboolean by_pairs = op == PD_COLL_ALLTOALLV || op == PD_COLL_ALLTOALLW;
      gboolean differs =
          op == PD_COLL_GATHERV || op == PD_COLL_SCATTERV || op == PD_COLL_ALLGATHERV || by_pairs;
      a.op = (PdCollKind) op;
      a.peer = to_root || from_root ? 2 : 0;
      a.bytes = op == PD_COLL_BARRIER || op == PD_COLL_REDUCE_SCATTER ? 0 : 24;
      if (differs)
        a.bytes = shares[self->rank];
      if ((op == PD_COLL_GATHERV && at_root) || op == PD_COLL_ALLGATHERV
          || op == PD_COLL_REDUCE_SCATTER || by_pairs)
        a.recv_counts = all;
      if (op == PD_COLL_SCATTERV && at_root)
        a.send_counts = all;
      if (by_pairs)
        a.send_counts = same;
      test_add (self->builder, self->rank, a);
    }
  PdAction split = make (PD_ACT_COLLECTIVE);
  split.op = PD_COLL_COMM_SPLIT;
  test_add (self->builder, self->rank, split);
}

static void
add_tests (const Maker *self)
{
  PdAction a = with_request (make (PD_ACT_ICOLLECTIVE), 0);

  a.op = PD_COLL_ALLREDUCE;
  a.bytes = 64;
  test_add (self->builder, self->rank, a);
  a = with_request (make (PD_ACT_TEST), 0);
  a.has_done = TRUE;
  test_add (self->builder, self->rank, a);
  a.n_done = 1;
  a.done = first;
  test_add (self->builder, self->rank, a);
  test_add (self->builder, self->rank, with_request (message (PD_ACT_ISSEND, 0, self->next, 9), 0));
  test_add (self->builder, self->rank,
            with_request (message (PD_ACT_IRECV, 0, self->before, 9), 1));
  a = make (PD_ACT_TESTALL);
  a.slots = slots;
  a.n_slots = 2;
  a.has_done = TRUE;
  test_add (self->builder, self->rank, a);
  a.kind = PD_ACT_WAITANY;
  a.n_done = 1;
  a.done = second;
  test_add (self->builder, self->rank, a);
  test_add (self->builder, self->rank, with_request (make (PD_ACT_WAIT), 0));
}

/* Post, start, complete and wait, and an access with a request. */
static void
add_active (const Maker *self)
{
  const gint64 origins[] = { self->before }, targets[] = { self->next };
  PdAction a = message (PD_ACT_WIN_POST, 0, 0, 0);

  a.sources = pd_program_builder_add_counts (self->builder, origins, 1);
  test_add (self->builder, self->rank, a);
  a = message (PD_ACT_WIN_START, 0, 0, 0);
  a.targets = pd_program_builder_add_counts (self->builder, targets, 1);
  test_add (self->builder, self->rank, a);
  a = message (PD_ACT_RPUT, 0, self->next, 21);
  test_add (self->builder, self->rank, a);
  a = message (PD_ACT_RGET_ACCUMULATE, 0, self->next, 22);
  a.recv_bytes = 8;
  a.request = 1;
  test_add (self->builder, self->rank, a);
  a = make (PD_ACT_WAIT);
  test_add (self->builder, self->rank, a);
  a.request = 1;
  test_add (self->builder, self->rank, a);
  test_add (self->builder, self->rank, message (PD_ACT_WIN_COMPLETE, 0, 0, 0));
  test_add (self->builder, self->rank, message (PD_ACT_WIN_WAIT, 0, 0, 0));
}

/* All that calls do with files. */
static void
add_files (const Maker *self)
{
  PdAction a;

  pd_action_init (&a, PD_ACT_OTHER);
  a.name = self->other;
  a.amount.time.ps = 77;
  a.file = pd_program_builder_add_string (self->builder, "out/a b");
  for (guint op = 0; op < PD_N_FILE_OPS; op++)
    {
      gboolean moves = op == PD_FILE_READ || op == PD_FILE_WRITE;
      a.file_op = (PdFileOp) op;
      a.file_bytes = moves ? G_GINT64_CONSTANT (5000000000) + op : 0;
      a.file_collective = op == PD_FILE_WRITE || op == PD_FILE_SYNC;
      test_add (self->builder, self->rank, a);
    }
}

static void
add_others (const Maker *self)
{
  PdAction a;

  pd_action_init (&a, PD_ACT_OTHER);
  a.name = self->other;
  a.amount.time.ps = 77;
  test_add (self->builder, self->rank, a);
  a.kind = PD_ACT_LOCAL;
  a.name = self->local;
  test_add (self->builder, self->rank, a);
  pd_action_init (&a, PD_ACT_ALIKE_BEGIN);
  a.tag = 3;
  test_add (self->builder, self->rank, a);
  a.kind = PD_ACT_ALIKE_END;
  test_add (self->builder, self->rank, a);
  a = message (PD_ACT_RECV, 0, PD_PROGRAM_ANY, 10);
  a.tag = PD_PROGRAM_ANY;
  a.matched_peer = self->before;
  a.matched_tag = 4;
  test_add (self->builder, self->rank, a);
  a = make (PD_ACT_SENDRECV); /* to nobody */
  a.peer = PD_PROGRAM_PROC_NULL;
  a.recv_peer = self->before;
  a.recv_bytes = 5;
  test_add (self->builder, self->rank, a);
  a = message (PD_ACT_WIN_FENCE, 0, 0, 0);
  a.site = self->site;
  test_add (self->builder, self->rank, a);
  test_add (self->builder, self->rank, message (PD_ACT_PUT, 0, self->next, 17));
  test_add (self->builder, self->rank, message (PD_ACT_GET, 0, self->before, 18));
  test_add (self->builder, self->rank, message (PD_ACT_WIN_LOCK, 0, self->next, 0));
  test_add (self->builder, self->rank, message (PD_ACT_WIN_UNLOCK, 0, self->next, 0));
  a = message (PD_ACT_WIN_LOCK, 0, PD_PROGRAM_ANY, 0);
  a.tag = 1;
  a.called = pd_program_builder_add_string (self->builder, "MPI_Win_lock_all");
  test_add (self->builder, self->rank, a);
  a = message (PD_ACT_ACCUMULATE, 0, PD_PROGRAM_PROC_NULL, 19);
  a.called = pd_program_builder_add_string (self->builder, "MPI_Fetch_and_op");
  test_add (self->builder, self->rank, a);
  a = message (PD_ACT_GET_ACCUMULATE, 0, self->next, 19);
  a.recv_bytes = 7;
  test_add (self->builder, self->rank, a);
  a = message (PD_ACT_WIN_FLUSH, 0, self->next, 0);
  a.tag = 0;
  test_add (self->builder, self->rank, a);
  a = message (PD_ACT_WIN_FLUSH, 0, PD_PROGRAM_ANY, 0);
  a.tag = 1;
  a.called = pd_program_builder_add_string (self->builder, "MPI_Win_flush_local");
  test_add (self->builder, self->rank, a);
  test_add (self->builder, self->rank, message (PD_ACT_WIN_UNLOCK, 0, PD_PROGRAM_ANY, 0));
  add_active (self);
}

/* Two operations that one call begins: the first of them has no time of its own. */
static void
add_startall (const Maker *self)
{
  PdAction a = with_request (message (PD_ACT_ISSEND, 0, self->next, 9), 0);

  a.called = pd_program_builder_add_string (self->builder, "MPI_Startall");
  a.recorded = -1;
  test_add (self->builder, self->rank, a);
  a.kind = PD_ACT_IRECV;
  a.peer = self->before;
  a.request = 1;
  a.recorded = 5;
  test_add (self->builder, self->rank, a);
  a = make (PD_ACT_WAITALL);
  a.slots = slots;
  a.n_slots = 2;
  test_add (self->builder, self->rank, a);
}

/* What each rank does, of all that the format can tell. */
static PdProgram *
make_program (void)
{
  static const guint32 part[] = { 3, 1 };
  PdProgramBuilder *b = pd_program_builder_new (N, PD_AMOUNT_TIME);
  Maker maker = { .builder = b };

  maker.part = pd_program_builder_add_comm (b, part, 2, NULL);
  maker.region =
      pd_program_builder_add_interval (b, &(PdProgramInterval){ "solve", "solve.c", 12, -1 });
  maker.control = pd_program_builder_add_interval (b, &(PdProgramInterval){ "", "", 0, 5 });
  maker.other = pd_program_builder_add_string (b, "MPI_File_open");
  maker.local = pd_program_builder_add_string (b, "MPI_Comm_rank");
  PdProgramSite site = { "main.c", "main", 100, PD_PROGRAM_NONE };
  site = (PdProgramSite){ "solve.c", "solve", 12, pd_program_builder_add_site (b, &site) };
  maker.site = pd_program_builder_add_site (b, &site);
  for (guint32 rank = 0; rank < N; rank++)
    {
      pd_program_builder_set_recorded_begin (b, rank, PD_TIME (1000 * rank));
      pd_program_builder_set_recorded_init (b, rank, PD_TIME (5000 - 700 * rank));
      pd_program_builder_set_recorded_finalize (b, rank, PD_TIME (300 * rank));
      maker.rank = rank;
      maker.next = (gint32) (rank + 1) % N;
      maker.before = (gint32) (rank + N - 1) % N;
      mark (&maker, PD_ACT_ENTER, maker.region);
      test_add (b, rank, test_compute (1000000 + rank));
      mark (&maker, PD_ACT_ENTER, maker.control);
      add_messages (&maker);
      mark (&maker, PD_ACT_LEAVE, maker.control);
      add_collectives (&maker);
      add_tests (&maker);
      add_startall (&maker);
      add_files (&maker);
      add_others (&maker);
      mark (&maker, PD_ACT_LEAVE, maker.region);
    }
  return pd_program_builder_finish (b);
}

/* ---- comparing */

static void
assert_lists (const char *what, const guint32 *a, guint32 n_a, const guint32 *b, guint32 n_b)
{
  g_test_message ("%s", what);
  g_assert_cmpuint (n_a, ==, n_b);
  for (guint32 i = 0; i < n_a; i++)
    g_assert_cmpuint (a[i], ==, b[i]);
}

static void
assert_counts (const PdProgram *p, guint32 a, const PdProgram *q, guint32 b)
{
  guint32 n, m;

  g_assert_true ((a == PD_PROGRAM_NONE) == (b == PD_PROGRAM_NONE));
  if (a == PD_PROGRAM_NONE)
    return;
  const gint64 *x = pd_program_get_counts (p, a, &n), *y = pd_program_get_counts (q, b, &m);
  g_assert_cmpuint (n, ==, m);
  for (guint32 i = 0; i < n; i++)
    g_assert_cmpint (x[i], ==, y[i]);
}

static void
assert_intervals (const PdProgram *p, guint32 a, const PdProgram *q, guint32 b)
{
  const PdProgramInterval *x = pd_program_get_interval (p, a), *y = pd_program_get_interval (q, b);

  g_assert_cmpstr (x->name, ==, y->name);
  g_assert_cmpstr (x->file, ==, y->file);
  g_assert_cmpint (x->line, ==, y->line);
  g_assert_cmpint (x->index, ==, y->index);
}

static void
assert_sites (const PdProgram *p, guint32 a, const PdProgram *q, guint32 b)
{
  for (; a != PD_PROGRAM_NONE && b != PD_PROGRAM_NONE;)
    {
      PdProgramSite x = pd_program_get_site (p, a), y = pd_program_get_site (q, b);
      g_assert_cmpstr (x.file, ==, y.file);
      g_assert_cmpstr (x.function, ==, y.function);
      g_assert_cmpint (x.line, ==, y.line);
      a = x.parent;
      b = y.parent;
    }
  g_assert_true (a == b);
}

/* @p was written, @q read: a Waitany whose outcome is known has become a Wait;
 * the bytes of what has none, and tags of what has no tag, are gone. */
static void
assert_action (const PdProgram *p, const PdAction *a, const PdProgram *q, const PdAction *b)
{
  gboolean became_wait = a->kind == PD_ACT_WAITANY;

  g_assert_cmpstr (pd_action_name (b), ==, became_wait ? "MPI_Wait" : pd_action_name (a));
  g_assert_cmpstr (pd_action_get_called (b, q), ==, pd_action_get_called (a, p));
  g_assert_cmpuint (a->comm, ==, b->comm);
  g_assert_cmpint (a->peer, ==, b->peer);
  g_assert_cmpint (a->bytes, ==, b->bytes);
  if (a->kind <= PD_ACT_SENDRECV)
    g_assert_cmpint (a->tag, ==, b->tag);
  g_assert_cmpint (a->recv_peer, ==, b->recv_peer);
  g_assert_cmpint (a->recv_bytes, ==, b->recv_bytes);
  g_assert_cmpint (a->recorded, ==, b->recorded);
  g_assert_cmpint (a->amount.time.ps, ==, b->amount.time.ps);
  g_assert_cmpint (a->matched_peer, ==, b->matched_peer);
  g_assert_cmpint (a->matched_tag, ==, b->matched_tag);
  g_assert_true ((a->file == PD_PROGRAM_NONE) == (b->file == PD_PROGRAM_NONE));
  if (a->file != PD_PROGRAM_NONE)
    g_assert_cmpstr (pd_program_get_string (p, a->file), ==, pd_program_get_string (q, b->file));
  g_assert_cmpint (a->file_op, ==, b->file_op);
  g_assert_cmpint (a->file_bytes, ==, b->file_bytes);
  g_assert_cmpint (a->file_collective, ==, b->file_collective);
  assert_sites (p, a->site, q, b->site);
  assert_counts (p, a->send_counts, q, b->send_counts);
  assert_counts (p, a->recv_counts, q, b->recv_counts);
  assert_counts (p, a->sources, q, b->sources);
  assert_counts (p, a->targets, q, b->targets);
  if (a->kind == PD_ACT_ENTER || a->kind == PD_ACT_LEAVE)
    assert_intervals (p, a->interval, q, b->interval);
  if (became_wait)
    return;
  assert_lists ("slots", a->slots, a->n_slots, b->slots, b->n_slots);
  g_assert_cmpint (a->has_done, ==, b->has_done);
  g_assert_cmpuint (a->n_done, ==, b->n_done);
}

static void
assert_programs (const PdProgram *p, const PdProgram *q)
{
  g_assert_cmpuint (pd_program_get_n_ranks (p), ==, pd_program_get_n_ranks (q));
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (p); rank++)
    {
      const PdProgramCell *end_p, *end_q;
      const PdProgramCell *x = pd_program_get_cells (p, rank, &end_p);
      const PdProgramCell *y = pd_program_get_cells (q, rank, &end_q);
      for (guint i = 0; x < end_p; i++)
        {
          PdAction a, b;
          g_assert_true (y < end_q);
          x = pd_action_read (x, &a);
          y = pd_action_read (y, &b);
          g_test_message ("rank %u action %u: %s, %s", rank, i, pd_action_name (&a),
                          pd_action_name (&b));
          assert_action (p, &a, q, &b);
        }
      g_assert_true (y == end_q);
      g_assert_cmpint (pd_program_get_recorded_begin (q, rank).ps, ==,
                       pd_program_get_recorded_begin (p, rank).ps);
      g_assert_cmpint (pd_program_get_recorded_init (q, rank).ps, ==,
                       pd_program_get_recorded_init (p, rank).ps);
      g_assert_cmpint (pd_program_get_recorded_finalize (q, rank).ps, ==,
                       pd_program_get_recorded_finalize (p, rank).ps);
    }
}

static void
test_round_trip (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PdProgram) program = make_program ();
  g_autoptr (PdProgram) again = read_again (program, fixture, "t.otf2", TRUE);
  g_autoptr (PdProgram) twice = read_again (again, fixture, "u.otf2", TRUE);
  guint32 n;

  assert_programs (program, again);
  assert_programs (again, twice);
  g_assert_cmpuint (pd_program_get_comm (again, 1, &n)[0], ==, 3);
  g_assert_cmpuint (n, ==, 2);
  /* the sum of all that takes time */
  gint64 sum = 0;
  const PdProgramCell *end, *cell = pd_program_get_cells (program, 1, &end);
  while (cell < end)
    {
      PdAction action;
      cell = pd_action_read (cell, &action);
      sum += MAX (action.recorded, 0) + action.amount.time.ps;
    }
  g_assert_cmpint (pd_program_get_recorded_end (again, 1).ps, ==, sum);
}

static void
test_without_recorded (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PdProgram) program = make_program ();
  g_autoptr (PdProgram) again = read_again (program, fixture, "t.otf2", FALSE);
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *action;

  pd_action_reader_init (&reader, again);
  pd_action_reader_begin (&reader, 0);
  while ((action = pd_action_reader_next (&reader)) != NULL)
    {
      g_assert_cmpint (action->recorded, ==, -1);
      g_assert_cmpuint (action->site, ==, PD_PROGRAM_NONE);
      g_assert_cmpint (action->kind, !=, PD_ACT_LOCAL); /* it is computation */
    }
}

static void
test_flops (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const PdTraceWriteOptions with_flops = { 2e9, NULL };
  PdProgramBuilder *builder = pd_program_builder_new (1, PD_AMOUNT_FLOPS);
  g_autoptr (GError) error = NULL;
  PdAction action;

  pd_action_init (&action, PD_ACT_COMPUTE);
  action.amount.flops = 3e9;
  test_add (builder, 0, action);
  g_autoptr (PdProgram) program = pd_program_builder_finish (builder);
  g_assert_false (pd_otf2_write (program, fixture->path, &no_flops, NULL, &error));
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT);
  g_clear_error (&error);
  g_assert_true (pd_otf2_write (program, fixture->path, &with_flops, NULL, NULL));
  g_autoptr (PdProgram) again = test_otf2_read (fixture->path, FALSE, NULL, NULL, NULL);
  g_assert_cmpint (pd_program_get_recorded_end (again, 0).ps, ==,
                   G_GINT64_CONSTANT (1500000000000));
}

/* What is stopped leaves nothing behind. */
static void
test_stopped (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const volatile sig_atomic_t stop = 1;
  const PdTraceWriteOptions stopped = { 0, &stop };
  g_autoptr (PdProgram) program = make_program ();
  g_autoptr (GError) error = NULL;

  g_assert_false (pd_otf2_write (program, fixture->path, &stopped, NULL, &error));
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN);
  g_autoptr (GDir) folder = g_dir_open (fixture->folder, 0, NULL);
  g_assert_null (g_dir_read_name (folder));
}

/* What is there is not written over, and nothing is left beside it. */
static void
test_exists (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PdProgram) program = make_program ();
  g_autofree char *odd = g_build_filename (fixture->folder, "t.trace", NULL);
  g_autoptr (GError) error = NULL;
  guint n = 0;

  g_assert_true (pd_otf2_write (program, fixture->path, &no_flops, NULL, NULL));
  g_assert_false (pd_otf2_write (program, fixture->path, &no_flops, NULL, &error));
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN);
  g_clear_error (&error);
  g_assert_false (pd_otf2_write (program, odd, &no_flops, NULL, &error));
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT);
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  while (g_dir_read_name (dir) != NULL)
    n++;
  g_assert_cmpuint (n, ==, 3);
}

/* Receives that complete many chunks of events later, and one never: what they are is looked for
 * ahead, chunk by chunk. */
static void
test_far (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);
  const gint n = 40000; /* calls, in several chunks of 1 MiB */

  test_add (builder, 0, with_request (message (PD_ACT_IRECV, 0, 1, 12), 0));
  test_add (builder, 0, with_request (message (PD_ACT_IRECV, 0, 1, 34), 1));
  for (gint i = 0; i < n; i++)
    {
      test_add (builder, 0, with_request (message (PD_ACT_IRECV, 0, 1, i), 2));
      test_add (builder, 0, with_request (make (PD_ACT_WAIT), 2));
    }
  test_add (builder, 0, with_request (make (PD_ACT_WAIT), 1));
  test_add (builder, 1, message (PD_ACT_SEND, 0, 0, 12));
  g_autoptr (PdProgram) program = pd_program_builder_finish (builder);
  g_autoptr (PdProgram) again = read_again (program, fixture, "far.otf2", TRUE);
  const PdProgramCell *end, *cell = pd_program_get_cells (again, 0, &end);
  PdAction action;
  cell = pd_action_read (cell, &action);
  g_assert_cmpint (action.kind, ==, PD_ACT_LOCAL); /* it took time, and was of nothing */
  cell = pd_action_read (cell, &action);
  g_assert_cmpint (action.bytes, ==, 34);
  for (gint i = 0; i < n; i++)
    {
      cell = pd_action_read (pd_action_read (cell, &action), &(PdAction){ 0 });
      g_assert_cmpint (action.bytes, ==, i);
    }
}

/* ---- damage */

/* Each file of the archive, cut at many places, and with single bytes changed:
 * an error of this program or a program, never a crash. */
static void
test_damage (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const files[] = { "t.otf2", "t.def", "t/0.evt", "t/1.evt", "t/0.def" };
  g_autoptr (PdProgram) program = make_program ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (49);
  guint n_refused = 0;

  g_assert_true (pd_otf2_write (program, fixture->path, &no_flops, NULL, NULL));
  for (gsize f = 0; f < G_N_ELEMENTS (files); f++)
    {
      g_autofree char *path = g_build_filename (fixture->folder, files[f], NULL);
      g_autofree char *whole = NULL;
      gsize size;
      g_assert_true (g_file_get_contents (path, &whole, &size, NULL));
      for (gsize cut = 0; cut < size; cut += MAX (size * PD_TEST_SHARE / 40, 1))
        {
          g_autoptr (GError) error = NULL;
          g_assert_true (g_file_set_contents (path, whole, (gssize) cut, NULL));
          g_autoptr (PdProgram) cut_one = test_otf2_read (fixture->path, FALSE, NULL, NULL, &error);
          g_assert_true ((cut_one == NULL) == (error != NULL));
          if (error != NULL)
            g_assert_true (error->domain == PD_TRACE_ERROR);
          n_refused += error != NULL;
        }
      for (guint i = 0; i < 200 / PD_TEST_SHARE; i++)
        {
          gsize at = g_rand_int (rand) % size;
          char kept = whole[at];
          g_autoptr (GError) error = NULL;
          whole[at] = (char) g_rand_int (rand);
          g_assert_true (g_file_set_contents (path, whole, (gssize) size, NULL));
          whole[at] = kept;
          g_autoptr (PdProgram) damaged = test_otf2_read (fixture->path, FALSE, NULL, NULL, &error);
          g_assert_true ((damaged == NULL) == (error != NULL));
        }
      g_assert_true (g_file_set_contents (path, whole, (gssize) size, NULL));
    }
  g_assert_cmpuint (n_refused, >, 100 / PD_TEST_SHARE);
}

static void
test_absent (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (test_otf2_read (fixture->path, FALSE, NULL, NULL, &error));
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN);
}

#define ADD(name, function)                                                                        \
  g_test_add ("/traces/otf2/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("round-trip", test_round_trip);
  ADD ("without-recorded", test_without_recorded);
  ADD ("flops", test_flops);
  ADD ("stopped", test_stopped);
  ADD ("exists", test_exists);
  ADD ("far", test_far);
  ADD ("damage", test_damage);
  ADD ("absent", test_absent);
  return g_test_run ();
}
