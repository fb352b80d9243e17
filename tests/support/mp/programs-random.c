/* SPDX-License-Identifier: MIT */
#include "tests/support/mp/programs-random.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"
#include "traces/open/pd-trace-read.h"

#include <string.h>

#define N_RANKS 6

typedef struct
{
  GRand *random;
  PdProgramBuilder *builder;
  guint32 comm;
  guint32 size; /* of @comm */
  guint32 n_before;
  PdAmountUnit unit;
  guint32 slots[4];
  guint32 done[2];
} Maker;

static guint32
below (Maker *self, guint32 n)
{
  return n > 0 ? (guint32) g_rand_int_range (self->random, 0, (gint32) n) : 0;
}

static gint64
any_size (Maker *self)
{
  gint64 size = g_rand_int (self->random);

  return below (self, 4) == 0 ? size * 1000 : size >> below (self, 32);
}

static PdAmount
any_amount (Maker *self, PdAmountUnit unit)
{
  PdAmount amount = { .time = PD_TIME (any_size (self)) };

  if (unit == PD_AMOUNT_FLOPS)
    amount.flops = g_rand_double_range (self->random, 0, 1e12);
  return amount;
}

static guint32
any_vector (Maker *self, guint32 n, gboolean of_ranks)
{
  gint64 values[N_RANKS];

  if (below (self, 3) == 0)
    return PD_PROGRAM_NONE;
  for (guint32 i = 0; i < n; i++)
    values[i] = of_ranks ? below (self, self->size) : any_size (self);
  return pd_program_builder_add_counts (self->builder, values, n);
}

static void
fill_envelope (Maker *self, PdAction *action)
{
  action->comm = self->comm;
  action->peer = below (self, 8) == 0 ? PD_PROGRAM_PROC_NULL : (gint32) below (self, self->size);
  action->tag = (gint32) below (self, 5);
  action->bytes = any_size (self);
  if (action->kind == PD_ACT_RECV || action->kind == PD_ACT_IRECV || action->kind == PD_ACT_PROBE
      || action->kind == PD_ACT_IPROBE || action->kind == PD_ACT_RECV_INIT)
    {
      if (below (self, 3) == 0)
        action->peer = PD_PROGRAM_ANY;
      if (below (self, 3) == 0)
        action->tag = PD_PROGRAM_ANY;
      if (below (self, 2) == 0)
        action->matched_peer = (gint32) below (self, self->size);
      if (below (self, 2) == 0)
        action->matched_tag = (gint32) below (self, 5);
    }
  if (action->kind == PD_ACT_PROBE || action->kind == PD_ACT_IPROBE)
    action->bytes = 0;
  if (action->kind == PD_ACT_SENDRECV)
    {
      action->recv_peer = (gint32) below (self, self->size + 1) - 1;
      action->recv_tag = (gint32) below (self, 5) - 1;
      action->recv_bytes = any_size (self);
    }
}

static void
fill_collective (Maker *self, PdAction *action)
{
  guint32 n_sources = self->size, n_targets = self->size;

  action->op = (PdCollKind) below (self, PD_N_COLLS);
  action->comm = self->comm;
  action->peer = (gint32) below (self, self->size);
  action->bytes = any_size (self);
  action->sent_bytes = below (self, 2) == 0 ? 0 : any_size (self);
  action->recv_bytes = below (self, 2) == 0 ? 0 : any_size (self);
  if (below (self, 4) == 0)
    {
      n_sources = 1 + below (self, N_RANKS - 1);
      action->sources = any_vector (self, n_sources, TRUE);
      if (action->sources == PD_PROGRAM_NONE)
        n_sources = self->size;
      n_targets = 1 + below (self, N_RANKS - 1);
      action->targets = any_vector (self, n_targets, TRUE);
      if (action->targets == PD_PROGRAM_NONE)
        n_targets = self->size;
    }
  action->send_counts = any_vector (self, n_targets, FALSE);
  action->recv_counts = any_vector (self, n_sources, FALSE);
  if (below (self, 2) == 0)
    action->amount = any_amount (self, self->unit);
}

static void
fill_lists (Maker *self, PdAction *action, gboolean is_list)
{
  action->n_slots = is_list ? below (self, G_N_ELEMENTS (self->slots) + 1) : 0;
  for (guint32 i = 0; i < action->n_slots; i++)
    self->slots[i] = below (self, self->n_before + 1);
  action->slots = self->slots;
  if (action->kind == PD_ACT_START || action->kind == PD_ACT_WAITALL || below (self, 2) == 0)
    return;
  action->has_done = TRUE;
  action->n_done = below (self, is_list ? MIN (action->n_slots, 2) + 1 : 2);
  for (guint32 i = 0; i < action->n_done; i++)
    self->done[i] = below (self, action->n_slots);
  action->done = self->done;
}

static void
fill_request (Maker *self, PdAction *action)
{
  action->request = below (self, self->n_before + 1);
  if (action->kind == PD_ACT_TEST)
    fill_lists (self, action, FALSE);
}

static void
fill_rest (Maker *self, PdAction *action)
{
  static const char *const names[] = { "", "a b", "x\"y\\z", "tab\there", "f=g", "ünicode #" };
  const char *name = names[below (self, G_N_ELEMENTS (names))];
  PdProgramInterval interval = { name, names[below (self, 3)], below (self, 3),
                                 (gint64) below (self, 4) - 1 };

  switch (action->kind)
    {
    case PD_ACT_COMPUTE:
      action->amount = any_amount (self, self->unit);
      break;
    case PD_ACT_DELAY:
    case PD_ACT_OTHER:
    case PD_ACT_LOCAL:
      action->amount = any_amount (self, PD_AMOUNT_TIME);
      break;
    case PD_ACT_ENTER:
    case PD_ACT_LEAVE:
      action->interval = pd_program_builder_add_interval (self->builder, &interval);
      break;
    case PD_ACT_ALIKE_BEGIN:
    case PD_ACT_ALIKE_END:
      action->tag = (gint32) below (self, 100);
      break;
    default:
      action->line = below (self, 1000);
    }
  if (action->kind == PD_ACT_OTHER || action->kind == PD_ACT_LOCAL
      || action->kind == PD_ACT_LOCATION)
    action->name = pd_program_builder_add_string (self->builder, name);
}

static void
fill_window (Maker *self, PdAction *action)
{
  action->comm = self->comm;
  PdActionKind kind = action->kind;
  gboolean has_target = (kind >= PD_ACT_PUT && kind < PD_ACT_WIN_FENCE) || kind == PD_ACT_WIN_LOCK
                        || kind == PD_ACT_WIN_UNLOCK || kind == PD_ACT_WIN_FLUSH;
  gint64 members[] = { below (self, self->size), below (self, self->size) };

  if (kind >= PD_ACT_PUT && kind < PD_ACT_WIN_FENCE)
    action->bytes = any_size (self);
  if (kind == PD_ACT_GET_ACCUMULATE || kind == PD_ACT_RGET_ACCUMULATE)
    action->recv_bytes = any_size (self);
  if (has_target)
    action->peer = (gint32) below (self, self->size);
  if (kind == PD_ACT_WIN_LOCK || kind == PD_ACT_WIN_FLUSH)
    action->tag = (gint32) below (self, 2);
  if (kind == PD_ACT_WIN_POST)
    action->sources = pd_program_builder_add_counts (self->builder, members, below (self, 3));
  if (kind == PD_ACT_WIN_START)
    action->targets = pd_program_builder_add_counts (self->builder, members, below (self, 3));
}

static guint32
any_site (Maker *self)
{
  static const char *const texts[] = { "", "a.c", "dir/b.f90", "x\"y" };
  PdProgramSite site = { texts[below (self, 4)], texts[below (self, 4)], below (self, 50),
                         PD_PROGRAM_NONE };

  if (below (self, 2) == 0)
    site.parent = pd_program_builder_add_site (self->builder, &site);
  return pd_program_builder_add_site (self->builder, &site);
}

static void
fill (Maker *self, PdAction *action)
{
  PdActionKind kind = action->kind;

  if (kind == PD_ACT_COLLECTIVE || kind == PD_ACT_ICOLLECTIVE)
    fill_collective (self, action);
  else if ((kind >= PD_ACT_SEND && kind <= PD_ACT_RECV_INIT) || kind == PD_ACT_PROBE
           || kind == PD_ACT_IPROBE)
    fill_envelope (self, action);
  else if (kind >= PD_ACT_COMM_FREE && kind <= PD_ACT_WIN_WAIT)
    fill_window (self, action);
  else if (kind == PD_ACT_START || kind == PD_ACT_WAITALL || kind == PD_ACT_WAITANY
           || kind == PD_ACT_WAITSOME || (kind >= PD_ACT_TESTALL && kind <= PD_ACT_TESTSOME))
    fill_lists (self, action, TRUE);
  else if (kind < PD_ACT_SEND || kind >= PD_ACT_OTHER)
    fill_rest (self, action);
  if (pd_action_makes_request (kind) || kind == PD_ACT_REQUEST_FREE || kind == PD_ACT_CANCEL
      || kind == PD_ACT_WAIT || kind == PD_ACT_TEST)
    fill_request (self, action);
  if (kind == PD_ACT_IPROBE)
    fill_lists (self, action, FALSE);
  if (below (self, 3) == 0)
    action->recorded = any_size (self);
  if (below (self, 3) == 0)
    action->site = any_site (self);
  if (below (self, 5) == 0)
    action->called = pd_program_builder_add_string (self->builder, "MPI_Startall");
  if (below (self, 5) == 0)
    {
      action->file = pd_program_builder_add_string (self->builder, "out put");
      action->file_op = (PdFileOp) below (self, PD_N_FILE_OPS);
      action->file_bytes = any_size (self);
      action->file_collective = below (self, 2) == 1;
    }
}

PdProgram *
test_random_program (guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  PdAmountUnit unit = (PdAmountUnit) (seed % 2);
  PdProgramBuilder *builder = pd_program_builder_new (N_RANKS, unit);
  Maker maker = { random, builder, 0, 0, 0, unit, { 0 }, { 0 } };
  static const guint32 members[2][4] = { { 5, 0, 1, 2 }, { 3, 4 } };
  g_autoptr (GError) error = NULL;

  pd_program_builder_add_comm (builder, members[0], 4, &error);
  pd_program_builder_add_comm (builder, members[1], 2, &error);
  for (guint32 rank = 0; rank < N_RANKS; rank++)
    {
      guint32 n = below (&maker, 60);
      for (maker.n_before = 0; maker.n_before < n; maker.n_before++)
        {
          PdAction action;
          maker.comm = below (&maker, 3);
          maker.size = pd_program_builder_get_comm_size (builder, maker.comm);
          pd_action_init (&action, (PdActionKind) below (&maker, PD_N_ACTS));
          fill (&maker, &action);
          pd_program_builder_add (builder, rank, &action, &error);
          g_assert_no_error (error);
        }
      if (below (&maker, 2) == 0)
        pd_program_builder_set_recorded_end (builder, rank, PD_TIME (any_size (&maker)));
      if (below (&maker, 3) == 0)
        pd_program_builder_set_recorded_begin (builder, rank, PD_TIME (any_size (&maker)));
    }
  return pd_program_builder_finish (builder);
}

PdMpTrace *
test_read_text (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  PdTraceSource source = { "test", bytes };
  PdTraceReadOptions options = { .recorded = TRUE, .cache = NULL };
  g_autoptr (GError) error = NULL;
  PdMpTrace *trace = pd_mp_trace_read (&source, &options, NULL, &error);

  g_assert_no_error (error);
  return trace;
}
