/* Copies between distributed arrays, and between them and memory: sections and
 * single elements, at once or started and waited for.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/handlers/pd-dvm-copies-private.h"
#include "predictor/dvm/handlers/pd-dvm-io-private.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "traces/dvm/pd-dvm-call.h"
#include "predictor/dvm/model/pd-dvm-arrays.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-comm.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-copy-memory.h"
#include "predictor/dvm/model/pd-dvm-current.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-params.h"
#include "predictor/dvm/model/pd-dvm-started.h"
#include "predictor/dvm/model/pd-dvm-teams.h"

/* ---- what all copying has in common */

PdOperationKind
pd_dvm_copy_kind (const PdDvm *self)
{
  return self->in_io ? PD_OPERATION_IO : PD_OPERATION_REMOTE_ACCESS;
}

/* Whether all whom the processors of @team send to or receive from are of it. */
static gboolean
stays_inside (const PdTeam *team, const PdPlan *plan)
{
  g_autofree PdPlanMessage *messages = NULL;
  guint room = 0;

  for (guint32 linear = 0; linear < team->n; linear++)
    {
      guint32 processor = pd_grid_get_processor (team->grid, linear);
      guint most = pd_plan_get_max (plan, processor);
      if (most > room)
        messages = g_renew (PdPlanMessage, messages, room = most);
      guint n = most == 0 ? 0 : pd_plan_get_messages (plan, processor, messages);
      for (guint i = 0; i < n; i++)
        if (pd_grid_find (team->grid, messages[i].peer) < 0)
          return FALSE;
    }
  return TRUE;
}

/* The processors of a copy: the processor system of both sides, or the current
 * one; no other processor executes the record. */
static PdTeam *
get_team (PdDvm *self, PdTeam *from, PdTeam *to)
{
  return pd_grid_equal (from->grid, to->grid) && pd_team_covers (self->team, from) ? from
                                                                                   : self->team;
}

PdStepOperation *
pd_dvm_emit_copy (PdDvm *self, PdTeam *from, PdTeam *to, PdPlan *plan, PdOperationKind kind,
                  gboolean overlaps)
{
  /* what moves to where it is already costs its processor something */
  gboolean stays = kind == PD_OPERATION_REDISTRIBUTION && pd_grid_get_n (to->grid) > 1;

  if (plan == NULL || (pd_plan_get_total (plan) == 0 && !stays))
    {
      pd_plan_unref (plan);
      return NULL;
    }
  PdTeam *team = get_team (self, from, to);
  if (self->team != self->initial && !stays_inside (team, plan))
    {
      pd_dvm_warn (self, "copy-outside-task", self->call->name,
                   "'%s' copies from or to processors that are not in the task: only its time is "
                   "counted",
                   self->call->name);
      pd_plan_unref (plan);
      return NULL;
    }
  return pd_dvm_emit_exchange (self, team, plan, kind, overlaps);
}

void
pd_dvm_finish_copy (PdDvm *self, PdStepOperation *operation)
{
  if (operation == NULL)
    return;
  pd_dvm_emit_exchange_wait (self, operation, 0);
  pd_operation_unref (operation);
}

/* A step in which everybody spends its share of @time. */
static void
emit_local (PdDvm *self, const PdSection *target, PdTime time)
{
  const PdLoopShare share = { .node = self->node, .time = time };
  PdLoopWork *work = g_new0 (PdLoopWork, 1);

  work->refs = 1;
  work->section = *target;
  pd_layout_ref (target->layout);
  work->replication = pd_layout_get_replication (target->layout);
  work->shares = g_array_new (FALSE, FALSE, sizeof share);
  g_array_append_val (work->shares, share);
  pd_dvm_emit (self, PD_STEP_KIND_LOOP)->work = work;
}

void
pd_dvm_charge_copy (PdDvm *self, const PdSection *target, PdTime time)
{
  PdLayout *layout = target->layout;

  if (layout == NULL || self->in_io)
    pd_dvm_charge (self, time);
  else if (!self->separate && pd_layout_get_replication (layout) == self->team->n
           && pd_grid_equal (pd_layout_get_grid (layout), self->team->grid))
    pd_dvm_charge_par (self, time); /* the same for all: needs no step */
  else if (time.ps > 0)
    emit_local (self, target, time);
}

/* ---- what a record says */

/* Source or target. */
typedef struct
{
  const PdArray *array; /* NULL: memory */
  PdSection section;    /* of an array with a layout */
} Side;

typedef struct
{
  Side from;
  Side to;
  gint64 regim;
  gboolean is_element;
  gboolean is_mapped; /* the layouts are known */
} Copy;

static const struct Keys
{
  PdDvmKey handle, header, buffer, first, last, step, element;
} from_keys = { PD_DVM_KEY_FromArrayHandlePtr, PD_DVM_KEY_FromArrayHeader,
                PD_DVM_KEY_FromBufferPtr,      PD_DVM_KEY_FromInitIndexArray,
                PD_DVM_KEY_FromLastIndexArray, PD_DVM_KEY_FromStepArray,
                PD_DVM_KEY_FromIndexArray },
  to_keys = { PD_DVM_KEY_ToArrayHandlePtr, PD_DVM_KEY_ToArrayHeader,    PD_DVM_KEY_ToBufferPtr,
              PD_DVM_KEY_ToInitIndexArray, PD_DVM_KEY_ToLastIndexArray, PD_DVM_KEY_ToStepArray,
              PD_DVM_KEY_ToIndexArray };

static gboolean
is_async (PdDvmFunction function)
{
  return function == PD_DVM_aarrcp_ || function == PD_DVM_arwelm_ || function == PD_DVM_aelmcp_
         || function == PD_DVM_acopel_;
}

static gboolean
need_element (PdDvm *self, PdDvmKey key, Side *side, GError **error)
{
  GError *cause = NULL;
  const gint64 *index = pd_dvm_need_array (self, key, side->array->rank, error);

  if (index == NULL)
    return FALSE;
  for (guint i = 0; i < side->array->rank; i++)
    if (index[i] < 0)
      return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
                          "index %" G_GINT64_FORMAT " of axis %u is negative", index[i], i + 1);
  return pd_section_init (&side->section, side->array->layout, index, index, NULL, &cause)
         || pd_dvm_layout_failed (self, cause, error);
}

static gboolean
need_section (PdDvm *self, const struct Keys *keys, Side *side, GError **error)
{
  const PdDvmKey lists[] = { keys->first, keys->last, keys->step };
  const gint64 *values[3];
  GError *cause = NULL;

  for (guint k = 0; k < 3; k++)
    {
      values[k] = pd_dvm_need_array (self, lists[k], side->array->rank, error);
      if (values[k] == NULL)
        return FALSE;
    }
  return pd_section_init (&side->section, side->array->layout, values[0], values[1], values[2],
                          &cause)
         || pd_dvm_layout_failed (self, cause, error);
}

static gboolean
read_side (PdDvm *self, Copy *copy, const struct Keys *keys, Side *side, GError **error)
{
  PdDvmFunction function = self->call->function;
  gboolean is_rwelm = function == PD_DVM_rwelm_ || function == PD_DVM_arwelm_;
  gint64 memory;

  if (pd_dvm_call_get (self->reader, keys->buffer, &memory))
    return TRUE;
  side->array = pd_dvm_need_array_named (self, keys->handle, keys->header, error);
  if (side->array == NULL)
    return FALSE;
  copy->is_mapped = copy->is_mapped && side->array->layout != NULL;
  if (side->array->layout == NULL)
    return TRUE;
  return copy->is_element
             ? need_element (self, is_rwelm ? PD_DVM_KEY_IndexArray : keys->element, side, error)
             : need_section (self, keys, side, error);
}

/* As many elements on both sides: those of the smaller one. */
static void
shorten (PdDvm *self, PdSection *from, PdSection *to)
{
  gint64 n_from = pd_section_get_count (from), n_to = pd_section_get_count (to);

  if (n_from != n_to)
    pd_dvm_warn (self, "copy-shortened", self->call->name,
                 "'%s' copies %" G_GINT64_FORMAT " elements to %" G_GINT64_FORMAT
                 ": as many as the smaller section has are copied",
                 self->call->name, n_from, n_to);
  while (n_from != n_to)
    if (n_from > n_to)
      n_from = pd_section_truncate (from, n_to);
    else
      n_to = pd_section_truncate (to, n_from);
}

static gboolean
read_copy (PdDvm *self, Copy *copy, GError **error)
{
  PdDvmFunction function = self->call->function;

  *copy = (Copy){ .is_mapped = TRUE,
                  .is_element = function != PD_DVM_arrcpy_ && function != PD_DVM_aarrcp_,
                  .regim = pd_dvm_get (self, PD_DVM_KEY_CopyRegim, 0) };
  if (!read_side (self, copy, &from_keys, &copy->from, error)
      || !read_side (self, copy, &to_keys, &copy->to, error))
    return FALSE;
  if (copy->from.array == NULL && copy->to.array == NULL)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
                        "a copy from memory to memory, expected an array");
  if (!copy->is_mapped)
    {
      pd_dvm_warn_unmapped (self, "an array");
      copy->to.section = (PdSection){ .layout = NULL };
    }
  else if (copy->from.array != NULL && copy->to.array != NULL && !copy->is_element)
    shorten (self, &copy->from.section, &copy->to.section);
  copy->from.section.once = self->options->dedupe_copies;
  return TRUE;
}

/* ---- messages */

/* NULL: no messages. */
static PdPlan *
list_messages (PdDvm *self, const Copy *copy)
{
  const Side *from = &copy->from, *to = &copy->to;

  if (!copy->is_mapped)
    return NULL;
  if (from->array != NULL && to->array != NULL)
    return copy->is_element
               ? pd_copy_plan_new_element (&from->section, &to->section, from->array->type_size)
               : pd_copy_plan_new (&from->section, &to->section, from->array->type_size);
  /* the I/O processor is the first */
  if (from->array != NULL)
    return pd_copy_plan_new_gather (&from->section, self->team->grid,
                                    copy->regim == 0 ? G_MAXUINT32 : 0, from->array->type_size);
  if (copy->regim > 0 || (copy->is_element && copy->regim != 0))
    return pd_copy_plan_new_scatter (&to->section, self->team->grid, 0, to->array->type_size);
  return NULL;
}

static PdPlan *
make_plan (PdDvm *self, const Copy *copy)
{
  PdPlan *plan = list_messages (self, copy);

  return plan == NULL ? NULL : pd_dvm_copy_memory_plan_new (plan, NULL, 0, FALSE);
}

/* ---- copies that are under way */

static void
async_copy_free (gpointer object)
{
  g_clear_pointer (&((PdAsyncCopy *) object)->target.layout, pd_layout_unref);
}

/* @operation: (nullable) */
static void
start (PdDvm *self, gint64 flag, PdStepOperation *operation, const PdSection *target)
{
  PdAsyncCopy *copy = pd_object_new (sizeof *copy, async_copy_free);

  copy->target = *target;
  if (copy->target.layout != NULL)
    pd_layout_ref (copy->target.layout);
  pd_dvm_store (self, PD_KIND_COPY, flag, copy, FALSE);
  pd_dvm_started_settle (self, PD_KIND_COPY, flag);
  if (operation == NULL)
    return;
  pd_dvm_started_add (self, PD_KIND_COPY, flag, operation, NULL);
  pd_operation_unref (operation);
}

/* The bytes copied between an array and memory; 0 between arrays. */
static gint64
get_bytes (PdDvm *self, const Copy *copy)
{
  const PdArray *array = copy->from.array != NULL ? copy->from.array : copy->to.array;
  gint64 n = MAX (pd_dvm_get (self, PD_DVM_KEY_Res, copy->is_element ? 1 : 0), 0), bytes;

  if (copy->from.array != NULL && copy->to.array != NULL)
    return 0;
  return __builtin_mul_overflow (n, array->type_size, &bytes) ? G_MAXINT64 : bytes;
}

gboolean
pd_dvm_copy (PdDvm *self, GError **error)
{
  gboolean starts = is_async (self->call->function);
  gint64 flag = 0;
  Copy copy;

  if (!read_copy (self, &copy, error)
      || (starts && !pd_dvm_need (self, PD_DVM_KEY_CopyFlagPtr, &flag, error)))
    return FALSE;
  if (!self->in_io)
    pd_dvm_count_operation (self, PD_OPERATION_REMOTE_ACCESS);
  else
    pd_dvm_count_file_bytes (self, get_bytes (self, &copy));
  PdTeam *from = copy.from.array != NULL ? copy.from.array->team : self->team;
  PdTeam *to = copy.to.array != NULL ? copy.to.array->team : self->team;
  PdStepOperation *operation =
      pd_dvm_emit_copy (self, from, to, make_plan (self, &copy), pd_dvm_copy_kind (self), starts);
  if (starts)
    start (self, flag, operation, &copy.to.section);
  else
    pd_dvm_finish_copy (self, operation);
  pd_dvm_charge_copy (self, &copy.to.section, self->call->ret_time);
  return TRUE;
}

gboolean
pd_dvm_waitcp (PdDvm *self, GError **error)
{
  gint64 flag;

  if (!pd_dvm_need (self, PD_DVM_KEY_CopyFlagPtr, &flag, error))
    return FALSE;
  PdAsyncCopy *copy = pd_dvm_find (self, PD_KIND_COPY, flag);
  if (copy == NULL)
    {
      pd_dvm_warn (self, "not-started", self->call->name,
                   "'%s' waits for a copy that was not started", self->call->name);
      pd_dvm_charge_ret (self);
      return TRUE;
    }
  pd_object_ref (copy);
  pd_dvm_started_wait (self, PD_KIND_COPY, flag);
  pd_dvm_charge_copy (self, &copy->target, self->call->ret_time);
  pd_dvm_delete (self, PD_KIND_COPY, flag);
  pd_object_unref (copy);
  return TRUE;
}
