/* Ordinary time, which is summed up until a step or another interval ends the
 * sum, and the steps that carry it.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-families.h"

/* ---- spent time */

PdRecords
pd_dvm_get_records (const PdDvm *self)
{
  const PdDvmCall *call = self->call;

  return (PdRecords){ call->name, call->file, call->line, call->number, call->number };
}

void
pd_dvm_set_records (PdStepDvm *step, const PdRecords *records)
{
  step->name = records->name;
  step->file = records->file;
  step->line = records->line;
  step->first_record = records->first;
  step->last_record = records->last;
}

/* @time of the current call is added to @sum, whose records are @records. */
static void
add_time (PdDvm *self, PdTime time, PdTime *sum, PdRecords *records)
{
  if (sum->ps == 0)
    *records = pd_dvm_get_records (self);
  records->last = self->call->number;
  *sum = pd_time_add (*sum, time);
}

/* The time spent in one interval as a step: each processor charges itself. */
static void
emit_spent (PdDvm *self)
{
  PdStepDvm *step = pd_data_server_append (self->server);

  step->kind = PD_STEP_KIND_COMPUTE;
  step->node = self->spent_node;
  step->time = self->spent;
  if (self->own != NULL)
    step->own = g_new (PdTime, self->n_speeds);
  for (guint c = 0; c < self->n_speeds && self->own != NULL; c++)
    {
      step->own[c] = pd_time_add (self->spent, self->own[c]);
      self->own[c] = PD_TIME_ZERO;
    }
  step->family = pd_comm_family_ref (pd_dvm_get_family (self, self->team, NULL));
  pd_dvm_set_records (step, &self->spent_of);
  self->spent = PD_TIME_ZERO;
}

/* The time that class @c has spent, at its own speed. */
static void
charge_class (PdDvm *self, guint c, PdTime spent)
{
  guint32 set = self->team->sets[c];

  if (set == G_MAXUINT32 || spent.ps == 0)
    return;
  PdTime t = pd_node_ratios_divide (self->ratios, self->spent_node, spent, self->speeds[c]);
  self->pending[c] = pd_time_add (self->pending[c], t);
  pd_interval_tree_add_shared (self->tree, self->spent_node, PD_Q_CPU_SEQ, set, t);
  pd_interval_tree_add_shared (self->tree, self->spent_node, PD_Q_INSUFF_SEQ, set,
                               pd_time_scale (t, self->team->n - 1, self->team->n));
}

static gboolean
has_spent (const PdDvm *self)
{
  gboolean has = self->spent.ps > 0;

  for (guint c = 0; c < self->n_speeds && self->own != NULL; c++)
    has = has || self->own[c].ps > 0;
  return has;
}

/* Charges the time spent in one interval: once, not record by record. */
static void
charge_spent (PdDvm *self)
{
  PdTime spent = self->spent;

  if (!has_spent (self))
    return;
  if (self->separate)
    {
      emit_spent (self);
      return;
    }
  self->spent = PD_TIME_ZERO;
  for (guint c = 0; c < self->n_speeds; c++)
    {
      charge_class (self, c, self->own == NULL ? spent : pd_time_add (spent, self->own[c]));
      if (self->own != NULL)
        self->own[c] = PD_TIME_ZERO;
    }
}

/* ---- emitting */

static PdStepDvm *
append_step (PdDvm *self, PdStepKindDvm kind)
{
  charge_spent (self);

  PdStepDvm *step = pd_data_server_append (self->server);
  step->kind = kind;
  step->node = self->node;
  step->seq = self->pending[0];
  if (self->n_speeds > 1)
    step->seqs = g_new (PdTime, self->n_speeds);
  for (guint c = 0; c < self->n_speeds; c++)
    {
      if (step->seqs != NULL)
        step->seqs[c] = self->pending[c];
      self->pending[c] = PD_TIME_ZERO;
    }
  PdRecords records = pd_dvm_get_records (self);
  pd_dvm_set_records (step, &records);
  return step;
}

/* Work of the I/O processor alone becomes a step before the next one. */
static void
flush_io (PdDvm *self)
{
  if (self->pending_io.ps == 0 || (self->in_io && self->models_files))
    return;
  PdStepDvm *step = append_step (self, PD_STEP_KIND_FILE_IO);
  step->node = self->pending_node;
  pd_dvm_set_records (step, &self->pending_of);
  step->time = self->pending_io;
  step->bytes = -1;
  step->family = pd_comm_family_ref (pd_dvm_get_family (self, self->team, NULL));
  self->pending_io = PD_TIME_ZERO;
}

void
pd_dvm_flush (PdDvm *self)
{
  gboolean is_pending = FALSE;

  flush_io (self);
  charge_spent (self);
  for (guint c = 0; c < self->n_speeds; c++)
    is_pending = is_pending || self->pending[c].ps > 0;
  if (is_pending)
    append_step (self, PD_STEP_KIND_NONE);
}

PdStepDvm *
pd_dvm_emit (PdDvm *self, PdStepKindDvm kind)
{
  flush_io (self);
  return append_step (self, kind);
}

gint32
pd_dvm_new_tag (PdDvm *self)
{
  gint32 tag = self->next_tag;

  self->next_tag = (tag + 1) & 0x3fffffff;
  return tag;
}

PdStepOperation *
pd_dvm_operation_new (PdDvm *self, PdOperationKind kind)
{
  PdStepOperation *operation = g_new0 (PdStepOperation, 1);

  operation->refs = 1;
  operation->team = pd_team_ref (self->team);
  operation->kind = kind;
  operation->tag = pd_dvm_new_tag (self);
  return operation;
}

PdStepDvm *
pd_dvm_emit_collective (PdDvm *self, PdStepOperation *operation, PdOp op, gint64 bytes)
{
  PdStepDvm *step = pd_dvm_emit (self, PD_STEP_KIND_COLLECTIVE);

  step->operation = pd_operation_ref (operation);
  step->family = pd_comm_family_ref (pd_dvm_get_family (self, operation->team, NULL));
  step->op = op;
  step->bytes = bytes;
  return step;
}

/* ---- charging */

/* The next charge belongs to the current interval and comes after the
 * I/O processor's own work. */
static void
begin_spending (PdDvm *self)
{
  flush_io (self);
  if (self->spent_node != self->node)
    charge_spent (self);
  self->spent_node = self->node;
}

void
pd_dvm_charge (PdDvm *self, PdTime time)
{
  if (time.ps == 0)
    return;
  if (self->in_io)
    {
      if (self->pending_io.ps > 0 && self->pending_node != self->node)
        flush_io (self);
      self->pending_node = self->node;
      add_time (self, time, &self->pending_io, &self->pending_of);
      return;
    }
  begin_spending (self);
  add_time (self, time, &self->spent, &self->spent_of);
}

void
pd_dvm_charge_own (PdDvm *self, const PdTime *times)
{
  begin_spending (self);
  if (!has_spent (self))
    self->spent_of = pd_dvm_get_records (self);
  self->spent_of.last = self->call->number;
  for (guint c = 0; c < self->n_speeds; c++)
    self->own[c] = pd_time_add (self->own[c], times[c]);
}

/* Time spent before is charged first, like the step that is emitted for it
 * if processors charge themselves: rounding is the same. */
void
pd_dvm_charge_par (PdDvm *self, PdTime time)
{
  if (time.ps == 0)
    return;
  flush_io (self);
  charge_spent (self);
  for (guint c = 0; c < self->n_speeds; c++)
    {
      guint32 set = self->team->sets[c];
      if (set == G_MAXUINT32)
        continue;
      PdTime t = pd_node_ratios_divide (self->ratios, self->node, time, self->speeds[c]);
      self->pending[c] = pd_time_add (self->pending[c], t);
      pd_interval_tree_add_shared (self->tree, self->node, PD_Q_CPU_PAR, set, t);
      pd_interval_tree_add_shared (self->tree, self->node, PD_Q_INSUFF_PAR, set,
                                   pd_time_scale (t, self->team->n - 1, self->team->n));
    }
}

void
pd_dvm_count (PdDvm *self, PdQuantity counter)
{
  for (guint c = 0; c < self->n_speeds; c++)
    if (self->team->sets[c] != G_MAXUINT32)
      pd_interval_tree_add_shared (self->tree, self->node, counter, self->team->sets[c],
                                   PD_TIME (1));
}

void
pd_dvm_count_operation (PdDvm *self, PdOperationKind kind)
{
  pd_dvm_count (self, pd_operation_counter (kind));
  pd_interval_tree_count_operation (self->tree, self->node, kind);
}
