/* Programs in memory: what is put in comes out, and what cannot be is refused.
 * SPDX-License-Identifier: MIT */
#include "traces/program/pd-program.h"
#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"

#include <math.h>
#include <string.h>

#define N_RANKS 5u

/* ---- random actions */

typedef struct
{
  PdAction action;
  guint32 slots[9];
  guint32 done[9];
} Sample;

static gint64
draw (GRand *rand, gint64 few, gint64 many)
{
  return g_rand_boolean (rand) ? g_rand_int_range (rand, 0, (gint32) few)
                               : (gint64) (g_rand_double (rand) * (gdouble) many);
}

static void
fill_window (GRand *rand, PdAction *a)
{
  if (a->kind == PD_ACT_WIN_POST)
    a->sources = 1;
  if (a->kind == PD_ACT_WIN_START)
    a->targets = 1;
  if (a->kind == PD_ACT_GET_ACCUMULATE || a->kind == PD_ACT_RGET_ACCUMULATE)
    a->recv_bytes = draw (rand, 2, 1e13);
}

static void
fill_recorded (GRand *rand, PdAction *a)
{
  if (g_rand_boolean (rand))
    a->recorded = draw (rand, 10, 1e15);
  if (g_rand_boolean (rand))
    a->called = 1;
  if (g_rand_int_range (rand, 0, 8) == 0)
    {
      a->file = 1;
      a->file_op = PD_FILE_WRITE;
      a->file_bytes = draw (rand, 10, 1e12);
    }
}

/* Each field of each kind, common and rare values alike. */
static void
fill (GRand *rand, Sample *sample, guint64 n_before)
{
  PdAction *a = &sample->action;
  guint32 slots = (guint32) MIN (n_before + 1, 9);

  pd_action_init (a, (PdActionKind) g_rand_int_range (rand, 0, PD_N_ACTS));
  if (a->kind == PD_ACT_COMPUTE || a->kind == PD_ACT_DELAY || a->kind == PD_ACT_OTHER
      || a->kind == PD_ACT_LOCAL)
    a->amount.time.ps = draw (rand, 10, 1e15);
  else if (a->kind == PD_ACT_LOCATION)
    a->line = draw (rand, 1000, 1e12);
  else if (a->kind != PD_ACT_ENTER && a->kind != PD_ACT_LEAVE)
    {
      a->comm = (guint32) g_rand_int_range (rand, 0, 2);
      a->peer = g_rand_int_range (rand, 0, 2);
      a->tag = a->kind == PD_ACT_COLLECTIVE || a->kind == PD_ACT_ICOLLECTIVE
                   ? 0
                   : g_rand_int_range (rand, 0, G_MAXINT32);
      a->bytes = draw (rand, 1000, 1e13);
    }
  if (a->kind == PD_ACT_SENDRECV)
    {
      a->recv_peer = PD_PROGRAM_ANY;
      a->recv_tag = 7;
      a->recv_bytes = draw (rand, 1000, 1e13);
    }
  if (a->kind == PD_ACT_ICOLLECTIVE || a->kind == PD_ACT_ISEND || a->kind == PD_ACT_WAIT)
    a->request = (guint32) (g_rand_boolean (rand) ? n_before : 0);
  if (a->kind == PD_ACT_COLLECTIVE || a->kind == PD_ACT_ICOLLECTIVE)
    {
      a->op = (PdCollKind) g_rand_int_range (rand, 0, PD_N_COLLS);
      a->recv_bytes = draw (rand, 2, 1e13);
      a->comm = 0;
      a->send_counts = g_rand_boolean (rand) ? 0 : PD_PROGRAM_NONE;
      a->amount.time.ps = draw (rand, 2, 1e12);
    }
  fill_window (rand, a);
  if (a->kind == PD_ACT_RECV && g_rand_boolean (rand))
    {
      a->peer = a->tag = PD_PROGRAM_ANY;
      a->matched_peer = 1;
      a->matched_tag = 12;
    }
  if (a->kind >= PD_ACT_WAITALL && a->kind <= PD_ACT_TESTSOME && a->kind != PD_ACT_TEST)
    {
      a->n_slots = (guint32) g_rand_int_range (rand, 0, (gint32) slots);
      a->has_done = a->n_slots > 0 && g_rand_boolean (rand);
      a->n_done = a->has_done ? (guint32) g_rand_int_range (rand, 0, (gint32) a->n_slots) : 0;
      for (guint32 i = 0; i < a->n_slots; i++)
        sample->slots[i] = sample->done[i] = i;
      a->slots = a->n_slots > 0 ? sample->slots : NULL;
      a->done = a->has_done ? sample->done : NULL;
    }
  fill_recorded (rand, a);
}

static void
assert_equal (const PdAction *a, const PdAction *b)
{
  PdAction x = *a, y = *b;

  g_assert_true (x.n_slots == y.n_slots && x.n_done == y.n_done && x.has_done == y.has_done);
  for (guint32 i = 0; i < x.n_slots; i++)
    g_assert_cmpuint (x.slots[i], ==, y.slots[i]);
  for (guint32 i = 0; i < x.n_done; i++)
    g_assert_cmpuint (x.done[i], ==, y.done[i]);
  g_assert_cmpint (x.kind, ==, y.kind);
  g_assert_cmpint (x.bytes, ==, y.bytes);
  g_assert_cmpuint (x.request, ==, y.request);
  g_assert_cmpint (x.recorded, ==, y.recorded);
  g_assert_true (x.comm == y.comm && x.peer == y.peer && x.tag == y.tag && x.op == y.op);
  g_assert_true (x.recv_peer == y.recv_peer && x.recv_tag == y.recv_tag
                 && x.recv_bytes == y.recv_bytes);
  g_assert_true (x.amount.time.ps == y.amount.time.ps && x.line == y.line && x.name == y.name);
  g_assert_true (x.send_counts == y.send_counts && x.recv_counts == y.recv_counts);
  g_assert_true (x.sources == y.sources && x.targets == y.targets && x.interval == y.interval);
  g_assert_true (x.matched_peer == y.matched_peer && x.matched_tag == y.matched_tag);
  g_assert_true (x.called == y.called && x.file == y.file && x.file_op == y.file_op
                 && x.file_bytes == y.file_bytes);
}

static PdProgramBuilder *
new_builder (void)
{
  PdProgramBuilder *builder = pd_program_builder_new (N_RANKS, PD_AMOUNT_TIME);
  const guint32 members[] = { 3, 1 };
  const gint64 counts[N_RANKS] = { 1, 2, 3, 4, 5 };

  g_assert_cmpuint (pd_program_builder_add_comm (builder, members, 2, NULL), ==, 1);
  g_assert_cmpuint (pd_program_builder_add_counts (builder, counts, N_RANKS), ==, 0);
  g_assert_cmpuint (pd_program_builder_add_counts (builder, counts, 1), ==, 1);
  pd_program_builder_add_interval (builder, &(PdProgramInterval){ "a", "a.c", 1, -1 });
  return builder;
}

/* @samples: (array length=N_RANKS): of each rank */
static PdProgram *
make_random (guint32 seed, gboolean packed, gint most, GArray **samples)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  PdProgramBuilder *builder = new_builder ();
  gint n = g_rand_int_range (rand, 1, most);

  if (packed)
    pd_program_builder_pack (builder);

  /* room for all: samples hold pointers into themselves */
  for (guint32 rank = 0; rank < N_RANKS; rank++)
    samples[rank] = g_array_sized_new (FALSE, TRUE, sizeof (Sample), (guint) n);
  for (gint i = 0; i < n; i++)
    {
      guint32 rank = (guint32) g_rand_int_range (rand, 0, N_RANKS);
      g_autoptr (GError) error = NULL;
      g_array_set_size (samples[rank], samples[rank]->len + 1);
      Sample *sample = &g_array_index (samples[rank], Sample, samples[rank]->len - 1);
      fill (rand, sample, samples[rank]->len - 1);
      pd_program_builder_add (builder, rank, &sample->action, &error);
      g_assert_no_error (error);
    }
  return pd_program_builder_finish (builder);
}

static void
test_round_trip (void)
{
  for (guint32 seed = 1; seed <= 200; seed++)
    {
      GArray *samples[N_RANKS];
      g_autoptr (PdProgram) program = make_random (seed, FALSE, 300, samples);
      gboolean has[PD_N_ACTS] = { FALSE }, has_files = FALSE;

      for (guint32 rank = 0; rank < N_RANKS; rank++)
        {
          const PdProgramCell *end, *cell = pd_program_get_cells (program, rank, &end);
          g_assert_cmpuint (pd_program_get_n_actions (program, rank), ==, samples[rank]->len);
          for (guint i = 0; i < samples[rank]->len; i++)
            {
              PdAction action;
              cell = pd_action_read (cell, &action);
              assert_equal (&action, &g_array_index (samples[rank], Sample, i).action);
              g_assert_nonnull (pd_action_name (&action));
              has[action.kind] = TRUE;
              has_files |= action.file != PD_PROGRAM_NONE;
            }
          g_assert_true (cell == end);
          g_array_unref (samples[rank]);
        }
      for (guint kind = 0; kind < PD_N_ACTS; kind++)
        g_assert_true (pd_program_has (program, kind) == has[kind]);
      g_assert_true (pd_program_has_files (program) == has_files);
    }
}

/* The actions of a rank by a reader; before each what is ahead. */
static void
assert_read (PdActionReader *reader, guint32 rank, const GArray *samples)
{
  pd_action_reader_begin (reader, rank);
  for (guint i = 0; i < samples->len; i++)
    {
      const PdAction *expected = &g_array_index (samples, Sample, i).action;
      const PdAction *ahead = pd_action_reader_peek (reader);
      g_assert_true (ahead->kind == expected->kind && ahead->bytes == expected->bytes
                     && ahead->name == expected->name && ahead->peer == expected->peer);
      const PdAction *action = pd_action_reader_next (reader);
      g_assert_true (action == &reader->shape->action);
      assert_equal (action, expected);
      g_assert_cmpint (action->processor, ==, expected->processor);
      g_assert_cmpuint (action->site, ==, expected->site);
    }
  g_assert_null (pd_action_reader_peek (reader));
  g_assert_null (pd_action_reader_next (reader));
}

/* Random actions have more shapes than a packer knows at a time; ranks take turns. */
static void
test_packed (void)
{
  for (guint32 seed = 1; seed <= 60; seed++)
    {
      GArray *samples[N_RANKS];
      gboolean packed = seed % 4 > 0;
      g_autoptr (PdProgram) program = make_random (seed, packed, seed < 60 ? 300 : 30000, samples);
      g_auto (PdActionReader) reader = { 0 };

      g_assert_true (pd_program_is_packed (program) == packed);
      pd_action_reader_init (&reader, program);
      for (guint32 rank = 0; rank < N_RANKS; rank++)
        assert_read (&reader, rank, samples[rank]);
      for (guint32 rank = 0; rank < N_RANKS; rank++)
        {
          const PdProgramCell *end, *cell = pd_program_get_cells (program, rank, &end);
          for (guint i = 0; i < samples[rank]->len; i++)
            {
              PdAction action;
              cell = pd_action_read (cell, &action);
              assert_equal (&action, &g_array_index (samples[rank], Sample, i).action);
            }
          g_assert_true (cell == end);
          g_array_unref (samples[rank]);
        }
    }
}

/* More shapes than a packer knows at a time, of one rank, three times; of actions that come again
 * little is kept. */
static void
test_packed_shapes (void)
{
  enum
  {
    N = 5000,
    AGAIN = 10000,
  };
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_TIME);
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *read;
  PdAction action;

  pd_program_builder_pack (builder);
  pd_action_init (&action, PD_ACT_SEND);
  for (gint i = 0; i < 3 * N + AGAIN; i++)
    {
      action.tag = i < 3 * N ? i % N : i % 2;
      action.recorded = 1000 + i;
      g_assert_true (pd_program_builder_add (builder, 1, &action, NULL));
    }
  action.peer = 2;
  g_assert_false (pd_program_builder_add (builder, 1, &action, NULL));
  g_assert_false (pd_program_builder_add (builder, 1, &action, NULL));
  g_autoptr (PdProgram) program = pd_program_builder_finish (builder);
  g_assert_cmpuint (pd_program_get_size (program), <, 3 * N * 48 + AGAIN * 6);
  pd_action_reader_init (&reader, program);
  pd_action_reader_begin (&reader, 1);
  for (gint i = 0; i < 3 * N + AGAIN; i++)
    {
      read = pd_action_reader_next (&reader);
      g_assert_cmpint (read->tag, ==, i < 3 * N ? i % N : i % 2);
      g_assert_cmpint (read->recorded, ==, 1000 + i);
    }
  g_assert_null (pd_action_reader_next (&reader));
}

/* What most traces hold takes one cell. */
static void
test_size (void)
{
  static const PdActionKind kinds[] = { PD_ACT_COMPUTE, PD_ACT_SEND,    PD_ACT_IRECV,
                                        PD_ACT_WAIT,    PD_ACT_WAITALL, PD_ACT_COLLECTIVE };
  PdProgramBuilder *builder = pd_program_builder_new (2, PD_AMOUNT_FLOPS);

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      PdAction action;
      pd_action_init (&action, kinds[i]);
      g_assert_true (pd_program_builder_add (builder, 1, &action, NULL));
    }
  g_autoptr (PdProgram) program = pd_program_builder_finish (builder);
  const PdProgramCell *end, *cell = pd_program_get_cells (program, 1, &end);
  g_assert_cmpint (end - cell, ==, G_N_ELEMENTS (kinds));
}

static void
test_tables (void)
{
  PdProgramBuilder *builder = new_builder ();
  const gint64 counts[] = { 1, 2, 3, 4, 5 };
  guint32 n;

  g_assert_cmpuint (pd_program_builder_add_counts (builder, counts, 5), ==, 0);
  g_assert_cmpuint (pd_program_builder_add_counts (builder, counts, 4), ==, 2);
  guint32 x = pd_program_builder_add_string (builder, "x");
  g_assert_cmpuint (pd_program_builder_add_string (builder, "x"), ==, x);
  pd_program_builder_set_recorded_end (builder, 2, PD_TIME (77));
  pd_program_builder_set_recorded_init (builder, 1, PD_TIME (5));
  pd_program_builder_set_recorded_finalize (builder, 2, PD_TIME (6));
  g_assert_cmpuint (pd_program_builder_get_comm_size (builder, 0), ==, N_RANKS);
  g_assert_cmpuint (pd_program_builder_get_comm_size (builder, 1), ==, 2);

  g_autoptr (PdProgram) program = pd_program_builder_finish (builder);
  g_assert_cmpuint (pd_program_get_n_ranks (program), ==, N_RANKS);
  g_assert_cmpstr (pd_program_get_string (program, x), ==, "x");
  g_assert_cmpuint (pd_program_get_n_comms (program), ==, 2);
  g_assert_cmpuint (pd_program_get_comm (program, 1, &n)[0], ==, 3);
  g_assert_cmpuint (n, ==, 2);
  g_assert_null (pd_program_get_comm (program, 0, &n));
  g_assert_cmpint (pd_program_get_counts (program, 0, &n)[4], ==, 5);
  g_assert_cmpstr (pd_program_get_interval (program, 0)->file, ==, "a.c");
  g_assert_cmpint (pd_program_get_recorded_end (program, 2).ps, ==, 77);
  g_assert_true (pd_time_is_pending (pd_program_get_recorded_end (program, 1)));
  g_assert_cmpint (pd_program_get_recorded_init (program, 1).ps, ==, 5);
  g_assert_cmpint (pd_program_get_recorded_init (program, 2).ps, ==, 0);
  g_assert_cmpint (pd_program_get_recorded_finalize (program, 2).ps, ==, 6);
}

/* ---- what cannot be */

static const struct
{
  const char *name;
  PdAction action;
} bad[] = {
  { "kind", { .kind = PD_N_ACTS } },
  { "peer", { .kind = PD_ACT_SEND, .peer = 5 } },
  { "peer-of-comm", { .kind = PD_ACT_SEND, .comm = 1, .peer = 2 } },
  { "any-to-send", { .kind = PD_ACT_SEND, .peer = PD_PROGRAM_ANY } },
  { "tag", { .kind = PD_ACT_SEND, .tag = -1 } },
  { "tag-of-recv", { .kind = PD_ACT_RECV, .tag = -2 } },
  { "recv-tag", { .kind = PD_ACT_SENDRECV, .recv_tag = -2 } },
  { "recv-peer", { .kind = PD_ACT_SENDRECV, .recv_peer = 99 } },
  { "comm", { .kind = PD_ACT_SEND, .comm = 2 } },
  { "bytes", { .kind = PD_ACT_SEND, .bytes = -1 } },
  { "amount", { .kind = PD_ACT_COMPUTE, .amount.time.ps = -1 } },
  { "request", { .kind = PD_ACT_ISEND, .request = 1 } },
  { "highest-request", { .kind = PD_ACT_ISEND, .request = G_MAXUINT32 } },
  { "matched-tag", { .kind = PD_ACT_RECV, .matched_tag = -2 } },
  { "root", { .kind = PD_ACT_COLLECTIVE, .op = PD_COLL_BCAST, .peer = 5 } },
  { "op", { .kind = PD_ACT_COLLECTIVE, .op = PD_N_COLLS } },
  { "counts", { .kind = PD_ACT_COLLECTIVE, .op = PD_COLL_ALLTOALLV, .send_counts = 1 } },
  { "counts-of-comm", { .kind = PD_ACT_COLLECTIVE, .op = PD_COLL_ALLTOALLV, .comm = 1 } },
  { "interval", { .kind = PD_ACT_ENTER, .interval = 1 } },
  { "name", { .kind = PD_ACT_OTHER, .name = 9 } },
};

static void
test_bad (gconstpointer data)
{
  gsize row = GPOINTER_TO_SIZE (data);
  g_autoptr (PdProgramBuilder) builder = new_builder ();
  g_autoptr (GError) error = NULL;
  PdAction action = bad[row].action;

  g_assert_false (pd_program_builder_add (builder, 0, &action, &error));
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE);
  g_assert_cmpuint (pd_program_builder_get_n_actions (builder, 0), ==, 0);
}

static void
test_bad_comm (void)
{
  g_autoptr (PdProgramBuilder) builder = new_builder ();
  g_autoptr (GError) error = NULL;
  const guint32 twice[] = { 1, 1 }, far[] = { N_RANKS };

  g_assert_cmpuint (pd_program_builder_add_comm (builder, twice, 2, &error), ==, 0);
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE);
  g_clear_error (&error);
  g_assert_cmpuint (pd_program_builder_add_comm (builder, far, 1, &error), ==, 0);
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE);
  g_clear_error (&error);
  g_assert_cmpuint (pd_program_builder_add_comm (builder, NULL, 0, &error), ==, 0);
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE);
}

/* ---- plain actions */

static PdProgramBuilder *
begin_plain (PdAmountUnit unit)
{
  static const guint32 members[] = { 4, 1 };
  PdProgramBuilder *self = pd_program_builder_new (N_RANKS, unit);

  pd_program_builder_fold (self);
  g_assert_cmpuint (pd_program_builder_add_comm (self, members, 2, NULL), ==, 1);
  return self;
}

/* Of any kind, with values in and out of range, some too large for a cell. */
static void
draw_plain (GRand *rand, PdAmountUnit unit, PdAction *action)
{
  static const gint64 sizes[] = { 0, 8, 8, 8, G_MAXUINT32, G_MAXINT64, -1 };

  pd_action_init (action, (PdActionKind) g_rand_int_range (rand, 0, PD_ACT_TEST + 1));
  if (g_rand_int_range (rand, 0, 3) == 0)
    action->kind = PD_ACT_COMPUTE;
  if (action->kind == PD_ACT_COMPUTE && unit == PD_AMOUNT_TIME)
    action->amount.time.ps = sizes[g_rand_int_range (rand, 0, G_N_ELEMENTS (sizes))];
  else if (action->kind == PD_ACT_COMPUTE)
    action->amount.flops = (gdouble[]){ 1, 0, -1, INFINITY, NAN }[g_rand_int_range (rand, 0, 5)];
  if (action->kind == PD_ACT_COMPUTE)
    return;
  action->comm = (guint32) (g_rand_int_range (rand, 0, 9) % 3);
  action->peer = g_rand_int_range (rand, -3, N_RANKS + 1);
  action->tag = g_rand_int_range (rand, 0, 6) - 1;
  action->bytes = sizes[g_rand_int_range (rand, 0, G_N_ELEMENTS (sizes))];
  if (pd_action_makes_request (action->kind) || action->kind == PD_ACT_WAIT)
    action->request = (guint32) g_rand_int_range (rand, 0, 4) * (g_rand_boolean (rand) ? 1 : 30000);
}

/* They are the same as others, and what is refused is the same. */
static void
test_plain (gconstpointer data)
{
  PdAmountUnit unit = (PdAmountUnit) GPOINTER_TO_INT (data);
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  PdProgramBuilder *plain = begin_plain (unit), *other = begin_plain (unit);

  for (guint i = 0; i < 200000; i++)
    {
      guint32 rank = (guint32) g_rand_int_range (rand, 0, N_RANKS);
      g_autoptr (GError) a = NULL, b = NULL;
      PdAction action;
      draw_plain (rand, unit, &action);
      gboolean fine = pd_program_builder_add_plain (plain, rank, &action, &a);
      g_assert_true (fine == pd_program_builder_add (other, rank, &action, &b));
      g_assert_cmpstr (fine ? "" : a->message, ==, fine ? "" : b->message);
    }
  g_autoptr (PdProgram) x = pd_program_builder_finish (plain);
  g_autoptr (PdProgram) y = pd_program_builder_finish (other);
  for (guint32 rank = 0; rank < N_RANKS; rank++)
    {
      const PdProgramCell *x_end, *x_cells = pd_program_get_cells (x, rank, &x_end);
      const PdProgramCell *y_end, *y_cells = pd_program_get_cells (y, rank, &y_end);
      g_assert_cmpint (x_end - x_cells, ==, y_end - y_cells);
      g_assert_true (memcmp (x_cells, y_cells, (gsize) (x_end - x_cells) * sizeof *x_cells) == 0);
      g_assert_cmpuint (pd_program_get_n_actions (x, rank), ==, pd_program_get_n_actions (y, rank));
      g_assert_cmpuint (pd_program_get_n_slots (x, rank), ==, pd_program_get_n_slots (y, rank));
    }
  for (guint kind = 0; kind < PD_N_ACTS; kind++)
    g_assert_true (pd_program_has (x, (PdActionKind) kind)
                   == pd_program_has (y, (PdActionKind) kind));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/traces/program/round-trip", test_round_trip);
  g_test_add_func ("/traces/program/packed", test_packed);
  g_test_add_func ("/traces/program/packed-shapes", test_packed_shapes);
  g_test_add_data_func ("/traces/program/plain/time", GINT_TO_POINTER (PD_AMOUNT_TIME), test_plain);
  g_test_add_data_func ("/traces/program/plain/flops", GINT_TO_POINTER (PD_AMOUNT_FLOPS),
                        test_plain);
  g_test_add_func ("/traces/program/size", test_size);
  g_test_add_func ("/traces/program/tables", test_tables);
  g_test_add_func ("/traces/program/bad-comm", test_bad_comm);
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = g_strdup_printf ("/traces/program/bad/%s", bad[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_bad);
    }
  return g_test_run ();
}
