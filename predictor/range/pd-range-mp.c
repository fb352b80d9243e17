/* SPDX-License-Identifier: MIT */
#include "predictor/range/pd-range-mp.h"

#include "base/pd-distribution.h"
#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-action.h"

#include <math.h>

/* Computations of a rank behind the same kind of call, from the same place. */
typedef struct
{
  guint64 key;
  PdBatches batches;
  const PdProgramCell *body; /* (nullable): the end of a loop's body that it is in */
  gdouble amount;            /* of its computations there, which are alike */
} Place;

/* Statistics of the ranks' computations, and of the records of their calls. */
typedef struct
{
  const PdProgram *program;
  GHashTable *places; /* Place*, by its key: of the present rank */
  Place *last;        /* (nullable): the one that was used last */
  gdouble own;        /* computed by the present rank, ps */
  gdouble scatter;    /* largest of the standard deviations of the ranks' computation, relative */
  gdouble time;       /* computed by all, ps */
  gdouble records;    /* cost of recording, of all ranks, ps */
} Recorded;

static guint
hash_place (gconstpointer place)
{
  return g_int64_hash (&((const Place *) place)->key);
}

static gboolean
equal_places (gconstpointer a, gconstpointer b)
{
  return ((const Place *) a)->key == ((const Place *) b)->key;
}

static Place *
get_place (Recorded *self, guint64 key)
{
  if (self->last == NULL || self->last->key != key)
    {
      const Place wanted = { .key = key };
      self->last = g_hash_table_lookup (self->places, &wanted);
    }
  if (self->last == NULL)
    {
      self->last = g_new0 (Place, 1);
      self->last->key = key;
      g_hash_table_add (self->places, self->last);
    }
  return self->last;
}

static void
add_computation (Recorded *self, guint64 key, gdouble ps)
{
  pd_batches_add (&get_place (self, key)->batches, ps);
  self->own += ps;
}

/* Places of the ranks are independent; the order in which their variances are added up is not that
 * of the table. */
static int
compare_variances (gconstpointer a, gconstpointer b)
{
  gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

static void
end_rank (Recorded *self)
{
  g_autoptr (GArray) variances = g_array_new (FALSE, FALSE, sizeof (gdouble));
  GHashTableIter iter;
  gpointer place;
  gdouble variance = 0;

  g_hash_table_iter_init (&iter, self->places);
  while (g_hash_table_iter_next (&iter, &place, NULL))
    {
      gdouble own = pd_batches_get_variance (&((const Place *) place)->batches);
      g_array_append_val (variances, own);
    }
  g_array_sort (variances, compare_variances);
  for (guint i = 0; i < variances->len; i++)
    variance += g_array_index (variances, gdouble, i);
  if (self->own > 0)
    self->scatter = MAX (self->scatter, sqrt (variance) / self->own);
  self->time += self->own;
  self->own = 0;
  g_hash_table_remove_all (self->places);
  self->last = NULL;
}

/* The kind of a call, for the cost of recording it. */
static PdCallCost
cost_of (PdActionKind kind)
{
  if (kind >= PD_ACT_SEND && kind <= PD_ACT_RSEND)
    return PD_CALL_COST_BLOCKING;
  if (kind == PD_ACT_RECV || kind == PD_ACT_SENDRECV)
    return PD_CALL_COST_BLOCKING;
  if (kind == PD_ACT_COLLECTIVE)
    return PD_CALL_COST_COLLECTIVE;
  return kind > PD_ACT_RSEND && kind <= PD_ACT_TESTSOME ? PD_CALL_COST_NON_BLOCKING
                                                        : PD_CALL_COST_OTHER;
}

static inline gdouble
get_cost (const Recorded *self, PdActionKind kind)
{
  return (gdouble) pd_program_get_call_cost (self->program, cost_of (kind)).ps;
}

/* The place behind the call. */
static inline guint64
key_of_call (PdActionKind kind, PdCollKind op, guint32 site)
{
  return ((guint64) site << 32) | ((guint64) kind << 16) | op;
}

static inline guint64
add_call (Recorded *self, PdActionKind kind, PdCollKind op, guint32 site)
{
  self->records += get_cost (self, kind);
  return key_of_call (kind, op, site);
}

static guint64
add_action (Recorded *self, guint64 key, const PdAction *a)
{
  if (a->kind == PD_ACT_COMPUTE)
    add_computation (self, key, (gdouble) a->amount.time.ps);
  else if (a->kind < PD_ACT_ENTER && a->kind != PD_ACT_DELAY)
    return add_call (self, a->kind, a->op, a->site);
  return key;
}

static void
read_packed (Recorded *self, PdActionReader *reader, guint32 rank)
{
  const PdAction *a;
  guint64 key = 0;

  pd_action_reader_begin (reader, rank);
  while ((a = pd_action_reader_next (reader)) != NULL)
    key = add_action (self, key, a);
  end_rank (self);
}

/* ---- loops of computation and messages of one cell, which most are: these are not decoded */

static inline gboolean
is_message (const PdProgramCell *cell)
{
  return cell->kind > PD_ACT_DELAY && cell->kind < PD_ACT_COLLECTIVE;
}

/* Whether all computations of the same place are alike in the body before @loop. @key: where it
 * begins */
static gboolean
is_steady (Recorded *self, const PdProgramCell *loop, guint64 key)
{
  for (const PdProgramCell *cell = loop - loop->peer; cell != loop; cell++)
    {
      if (is_message (cell))
        {
          key = key_of_call ((PdActionKind) cell->kind, 0, PD_PROGRAM_NONE);
          continue;
        }
      if (cell->kind != PD_ACT_COMPUTE)
        return FALSE;
      Place *place = get_place (self, key);
      gdouble ps = (gdouble) cell->amount.time.ps;
      if (place->body == loop && place->amount != ps)
        return FALSE;
      place->body = loop;
      place->amount = ps;
    }
  return TRUE;
}

/* Adds the body before @loop @times more. */
static void
add_body (Recorded *self, const PdProgramCell *loop, guint64 key, guint64 times)
{
  for (const PdProgramCell *cell = loop - loop->peer; cell != loop; cell++)
    if (is_message (cell))
      {
        key = key_of_call ((PdActionKind) cell->kind, 0, PD_PROGRAM_NONE);
        self->records += (gdouble) times * get_cost (self, (PdActionKind) cell->kind);
      }
    else
      {
        gdouble ps = (gdouble) cell->amount.time.ps;
        pd_batches_add_equal (&get_place (self, key)->batches, ps, times);
        self->own += (gdouble) times * ps;
      }
}

/* The next cell that is an action. Behind the first repetition of a loop the others begin behind
 * its last call: they are added together, where all that matters is how many they are. */
static const PdProgramCell *
pass_loops (Recorded *self, PdLoops *loops, const PdProgramCell *cell, const PdProgramCell *end,
            guint64 key)
{
  while (cell != end && cell->kind == PD_CELL_LOOP)
    if (loops->counts[cell->comm] == 0 && is_steady (self, cell, key))
      {
        add_body (self, cell, key, cell->bytes - 1);
        cell = pd_loops_leave (loops, cell, cell->peer);
      }
    else
      cell = pd_loops_pass (loops, cell);
  return cell;
}

static void
read_cells (Recorded *self, guint32 rank)
{
  const PdProgramCell *end, *cell = pd_program_get_cells (self->program, rank, &end);
  PdLoops loops = { .sample = pd_program_get_samples (self->program, rank) };
  guint64 key = 0;
  PdAmount amount;
  PdAction action;

  while (cell != end)
    if (is_message (cell))
      {
        key = add_call (self, (PdActionKind) cell->kind, 0, PD_PROGRAM_NONE);
        cell = pass_loops (self, &loops, cell + 1, end, key);
      }
    else if (pd_loops_read_compute (&loops, cell, &amount))
      {
        add_computation (self, key, (gdouble) amount.time.ps);
        cell = pass_loops (self, &loops, cell + 1, end, key);
      }
    else
      {
        cell = pd_loops_read (&loops, cell, end, &action);
        key = add_action (self, key, &action);
      }
  end_rank (self);
}

static Recorded
read_program (const PdProgram *program)
{
  Recorded self = { .program = program,
                    .places = g_hash_table_new_full (hash_place, equal_places, g_free, NULL) };
  g_auto (PdActionReader) reader = { .program = NULL };

  pd_action_reader_init (&reader, program);
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    if (pd_program_is_packed (program))
      read_packed (&self, &reader, rank);
    else
      read_cells (&self, rank);
  g_clear_pointer (&self.places, g_hash_table_unref);
  return self;
}

PdRangeRecorded
pd_range_read_mp (const PdMpTrace *trace)
{
  g_return_val_if_fail (trace != NULL, (PdRangeRecorded){ 0 });

  /* operations counted by the program do not scatter */
  if (trace->program == NULL || pd_program_get_unit (trace->program) != PD_AMOUNT_TIME)
    return (PdRangeRecorded){ 0 };
  Recorded recorded = read_program (trace->program);
  if (!(recorded.time > 0))
    return (PdRangeRecorded){ 0 };
  return (PdRangeRecorded){ recorded.scatter, recorded.records / recorded.time };
}

PdTimeRange *
pd_range_new_mp (const PdReportRun *run, const PdRangeRecorded *recorded, const PdMachine *machine)
{
  g_return_val_if_fail (run != NULL && recorded != NULL && machine != NULL, NULL);
  PdTimeRange *range = pd_range_new (run, machine);
  gdouble cpu = pd_range_get_parts (run).cpu, scatter = PD_RANGE_NORMAL * recorded->scatter * cpu;

  pd_time_range_add (range, PD_RANGE_SCATTER, scatter, scatter);
  /* it is in the computation behind each call */
  pd_time_range_add (range, PD_RANGE_RECORDER, pd_range_get_width (recorded->records * cpu), 0);
  return range;
}

void
pd_range_add_mp (PdReportRun *run, const PdRangeRecorded *recorded, const PdMachine *machine)
{
  if (recorded == NULL)
    return;
  pd_report_run_fold (run);
  run->range = pd_range_new_mp (run, recorded, machine);
}
