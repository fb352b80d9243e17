/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-run.h"

#include "scale/pd-scale-reader.h"
#include "traces/program/pd-action.h"

#include <string.h>

/* A program's own indices, and the words that they stand for; G_MAXUINT32: not looked up yet. */
typedef struct
{
  const PdProgram *program;
  PdScaleWords *words;
  gboolean settles;
  guint32 *strings;
  guint32 *intervals;
  guint32 *sites;
  GArray *list; /* gint64 */
} Reader;

static guint32 *
make_indices (guint32 n)
{
  guint32 *indices = g_new (guint32, MAX (n, 1));

  memset (indices, 0xff, MAX (n, 1) * sizeof *indices);
  return indices;
}

static guint32
find_string (Reader *self, guint32 string)
{
  if (string == PD_PROGRAM_NONE)
    return PD_PROGRAM_NONE;
  if (self->strings[string] == PD_PROGRAM_NONE)
    self->strings[string] =
        pd_scale_words_add_string (self->words, pd_program_get_string (self->program, string));
  return self->strings[string];
}

static guint32
find_interval (Reader *self, guint32 interval)
{
  if (self->intervals[interval] == PD_PROGRAM_NONE)
    self->intervals[interval] = pd_scale_words_add_interval (
        self->words, pd_program_get_interval (self->program, interval));
  return self->intervals[interval];
}

/* Parents come before their children. */
static void
read_sites (Reader *self)
{
  guint32 n = pd_program_get_n_sites (self->program);

  for (guint32 i = 0; i < n; i++)
    {
      PdProgramSite site = pd_program_get_site (self->program, i);
      if (site.parent != PD_PROGRAM_NONE)
        site.parent = self->sites[site.parent];
      self->sites[i] = pd_scale_words_add_site (self->words, &site);
    }
}

/* ---- lists */

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  gint64 one = *(const gint64 *) a, other = *(const gint64 *) b;

  return one < other ? -1 : one > other;
}

static gint64
add_slots (Reader *self, const guint32 *slots, guint32 n, gboolean in_order)
{
  if (n == 0)
    return PD_SCALE_NO_LIST;
  g_array_set_size (self->list, 0);
  for (guint32 i = 0; i < n; i++)
    {
      gint64 value = slots[i];
      g_array_append_val (self->list, value);
    }
  if (in_order)
    g_array_sort (self->list, compare_numbers);
  return pd_scale_words_add_list (self->words, (const gint64 *) (void *) self->list->data, n);
}

static gint64
add_counts (Reader *self, guint32 counts)
{
  guint32 n;

  if (counts == PD_PROGRAM_NONE)
    return PD_SCALE_NO_LIST;
  const gint64 *values = pd_program_get_counts (self->program, counts, &n);
  return pd_scale_words_add_list (self->words, values, n);
}

/* ---- actions */

static gint64
get_amount (const Reader *self, const PdAction *action)
{
  gint64 bits;

  if (self->program == NULL
      || !pd_scale_is_work (pd_program_get_unit (self->program), action->kind))
    return action->amount.time.ps;
  memcpy (&bits, &action->amount.flops, sizeof bits);
  return bits;
}

/* A recording has requests that are waited for together in the order in which they completed. */
static void
get_numbers (Reader *self, const PdAction *action, gint64 *numbers)
{
  const gint64 all[PD_SCALE_N_COLUMNS] = {
    [PD_SCALE_PEER] = action->peer,
    [PD_SCALE_RECV_PEER] = action->recv_peer,
    [PD_SCALE_MATCHED_PEER] = action->matched_peer,
    [PD_SCALE_TAG] = action->tag,
    [PD_SCALE_RECV_TAG] = action->recv_tag,
    [PD_SCALE_MATCHED_TAG] = action->matched_tag,
    [PD_SCALE_BYTES] = action->bytes,
    [PD_SCALE_RECV_BYTES] = action->recv_bytes,
    [PD_SCALE_SENT_BYTES] = action->sent_bytes,
    [PD_SCALE_REQUEST] = action->request,
    [PD_SCALE_SLOTS] =
        add_slots (self, action->slots, action->n_slots, action->kind == PD_ACT_WAITALL),
    [PD_SCALE_DONE] = add_slots (self, action->done, action->n_done, FALSE),
    [PD_SCALE_SEND_COUNTS] = add_counts (self, action->send_counts),
    [PD_SCALE_RECV_COUNTS] = add_counts (self, action->recv_counts),
    [PD_SCALE_SOURCES] = add_counts (self, action->sources),
    [PD_SCALE_TARGETS] = add_counts (self, action->targets),
    [PD_SCALE_AMOUNT] = get_amount (self, action),
  };

  memcpy (numbers, all, sizeof all);
}

void
pd_scale_get_defaults (PdActionKind kind, gint64 *numbers)
{
  Reader nothing = { .program = NULL };
  PdAction action;

  pd_action_init (&action, kind);
  action.amount.time.ps = 0;
  action.n_slots = action.n_done = 0;
  get_numbers (&nothing, &action, numbers);
}

/* Which of its communicators that is to @rank. */
static guint32
find_comm (PdScaleRank *rank, guint32 comm)
{
  for (guint32 i = 0; i < rank->comms->len; i++)
    if (g_array_index (rank->comms, guint32, i) == comm)
      return i;
  g_array_append_val (rank->comms, comm);
  return rank->comms->len - 1;
}

static guint32
find_shape (Reader *self, PdScaleRank *rank, const PdAction *action)
{
  PdScaleShape shape;

  memset (&shape, 0, sizeof shape);
  shape.kind = action->kind;
  shape.op = action->op;
  shape.comm = find_comm (rank, action->comm);
  shape.name = action->kind == PD_ACT_OTHER || action->kind == PD_ACT_LOCAL
                       || action->kind == PD_ACT_LOCATION
                   ? find_string (self, action->name)
                   : PD_PROGRAM_NONE;
  shape.called = find_string (self, action->called);
  shape.interval = action->kind == PD_ACT_ENTER || action->kind == PD_ACT_LEAVE
                       ? find_interval (self, action->interval)
                       : PD_PROGRAM_NONE;
  shape.site = action->site == PD_PROGRAM_NONE ? PD_PROGRAM_NONE : self->sites[action->site];
  shape.has_done = action->has_done != FALSE;
  shape.line = action->line;
  return pd_scale_words_add_shape (self->words, &shape);
}

/* Stretches of computation that follow each other are one: where they are cut says nothing. */
static void
add_amount (const Reader *self, const PdAction *action, PdAction *sum)
{
  if (pd_program_get_unit (self->program) == PD_AMOUNT_FLOPS)
    sum->amount.flops += action->amount.flops;
  else
    sum->amount.time.ps += action->amount.time.ps;
}

static void
add_action (Reader *self, PdScaleRank *rank, const PdAction *action)
{
  gint64 numbers[PD_SCALE_N_COLUMNS];

  get_numbers (self, action, numbers);
  pd_fold_add (&rank->fold, find_shape (self, rank, action), numbers);
}

/* A call that concerns no other rank takes its time, and nothing more. */
static void
take_for_computation (PdAction *action)
{
  PdTime time = action->amount.time;

  pd_action_init (action, PD_ACT_COMPUTE);
  action->amount.time = time;
}

/* The computation up to here: measured times may be 0 now and then. */
static void
add_computation (Reader *self, PdScaleRank *rank, PdAction *sum)
{
  if (pd_program_get_unit (self->program) == PD_AMOUNT_TIME || sum->amount.flops > 0)
    add_action (self, rank, sum);
  pd_action_init (sum, PD_ACT_COMPUTE);
}

/* Pauses are no part of the run. */
static guint64
read_rank (Reader *self, guint32 r, PdScaleRank *rank)
{
  PdScaleReader actions;
  const guint32 world = 0;
  PdAction action, sum;
  guint64 n = 0;

  pd_fold_init (&rank->fold, PD_SCALE_N_COLUMNS);
  rank->comms = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (rank->comms, world);
  pd_action_init (&sum, PD_ACT_COMPUTE);
  pd_scale_reader_init (&actions, self->program, r, self->settles);
  for (; pd_scale_reader_next (&actions, &action); n++)
    {
      if (action.kind == PD_ACT_LOCAL && pd_program_get_unit (self->program) == PD_AMOUNT_TIME)
        take_for_computation (&action);
      if (action.kind == PD_ACT_COMPUTE)
        {
          add_amount (self, &action, &sum);
          continue;
        }
      add_computation (self, rank, &sum);
      add_action (self, rank, &action);
    }
  add_computation (self, rank, &sum);
  pd_scale_reader_clear (&actions);
  pd_fold_finish (&rank->fold);
  return n;
}

PdScaleRun *
pd_scale_run_new (const PdProgram *program, gboolean settles, PdScaleWords *words)
{
  g_return_val_if_fail (program != NULL && words != NULL, NULL);

  PdScaleRun *self = g_new0 (PdScaleRun, 1);
  Reader reader = { .program = program,
                    .words = words,
                    .settles = settles,
                    .strings = make_indices (pd_program_get_n_strings (program)),
                    .intervals = make_indices (pd_program_get_n_intervals (program)),
                    .sites = make_indices (pd_program_get_n_sites (program)),
                    .list = g_array_new (FALSE, FALSE, sizeof (gint64)) };

  self->program = program;
  self->n_ranks = pd_program_get_n_ranks (program);
  self->ranks = g_new0 (PdScaleRank, self->n_ranks);
  read_sites (&reader);
  for (guint32 r = 0; r < self->n_ranks; r++)
    self->n_actions += read_rank (&reader, r, &self->ranks[r]);
  g_free (reader.strings);
  g_free (reader.intervals);
  g_free (reader.sites);
  g_array_unref (reader.list);
  return self;
}

gboolean
pd_scale_run_list_loops (const PdScaleRun *self, PdFoldLoops *loops)
{
  gboolean is_new = FALSE;

  for (guint32 r = 0; r < self->n_ranks; r++)
    is_new = pd_fold_loops_add (loops, self->ranks[r].fold.nodes) || is_new;
  return is_new;
}

void
pd_scale_run_recognise (PdScaleRun *self, const PdFoldLoops *loops)
{
  for (guint32 r = 0; r < self->n_ranks; r++)
    pd_fold_recognise (&self->ranks[r].fold, loops);
}

void
pd_scale_run_free (PdScaleRun *self)
{
  if (self == NULL)
    return;
  for (guint32 r = 0; r < self->n_ranks; r++)
    {
      pd_fold_clear (&self->ranks[r].fold);
      g_array_unref (self->ranks[r].comms);
    }
  g_free (self->ranks);
  g_free (self);
}
