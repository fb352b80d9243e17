/* Buffers of remote access: elements that a loop, or the owner of an array, reads
 * from other processors are copied there beforehand. A buffer is an array, with
 * the section that it is filled from.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/handlers/pd-dvm-remote-private.h"
#include "predictor/dvm/layout/pd-dvm-layout-align.h"
#include "predictor/dvm/layout/pd-dvm-layout-loop.h"
#include "predictor/dvm/handlers/pd-dvm-copies-private.h"
#include "predictor/dvm/model/pd-dvm-arrays.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-copy-memory.h"
#include "predictor/dvm/model/pd-dvm-current.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-params.h"
#include "predictor/dvm/model/pd-dvm-started.h"
#include "predictor/dvm/model/pd-dvm-teams.h"

/* ---- the space that a buffer is made for: a loop's, or a local array's */

typedef struct
{
  PdLayout *layout; /* (nullable): its distribution is not modelled */
  PdTeam *team;
  guint rank;
  PdLoopRange ranges[PD_MAX_RANK]; /* ascending; the layout counts from .first */
  gboolean is_empty;
} Space;

static gboolean
need_loop_space (PdDvm *self, Space *space, GError **error)
{
  gint64 id;

  if (!pd_dvm_need (self, PD_DVM_KEY_LoopRef, &id, error))
    return FALSE;
  const PdLoopObject *loop = pd_dvm_find (self, PD_KIND_LOOP, id);
  if (loop == NULL)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                        "loop 'LoopRef=%" G_GINT64_MODIFIER "x' does not exist", (guint64) id);
  *space = (Space){ .rank = loop->rank, .team = loop->team };
  if (loop->loop == NULL)
    return TRUE;
  space->layout = pd_loop_get_layout (loop->loop);
  space->is_empty = pd_loop_get_total (loop->loop) == 0;
  for (guint i = 0; i < loop->rank; i++)
    space->ranges[i] = pd_loop_get_ranges (loop->loop)[i];
  return TRUE;
}

static gboolean
need_array_space (PdDvm *self, Space *space, GError **error)
{
  const PdArray *array = pd_dvm_need_array_named (self, PD_DVM_KEY_LocArrayHandlePtr,
                                                  PD_DVM_KEY_LocArrayHeader, error);

  if (array == NULL)
    return FALSE;
  *space = (Space){ .rank = array->rank, .team = array->team, .layout = array->layout };
  for (guint i = 0; i < array->rank; i++)
    space->ranges[i] = (PdLoopRange){ 0, array->sizes[i] - 1, 1 };
  return TRUE;
}

/* A processor system: every processor has all of the buffer. */
static gboolean
need_system_space (PdDvm *self, Space *space, GError **error)
{
  PdTeam *team = pd_dvm_need_team (self, PD_DVM_KEY_PSRef, error);

  *space = (Space){ .team = team };
  return team != NULL;
}

/* ---- the shape of a buffer */

/* Built up axis by axis of the remote array. */
typedef struct
{
  PdBuffer *buffer;
  guint rank; /* of the buffer */
  gint64 sizes[PD_MAX_RANK];
  gint64 axes[PD_MAX_RANK]; /* of the space: rules of alignment */
  gint64 coeffs[PD_MAX_RANK];
  gint64 consts[PD_MAX_RANK];
} Shape;

static void
add_axis (Shape *shape, gint64 size, gint64 step)
{
  shape->sizes[shape->rank] = size;
  shape->buffer->target_step[shape->rank++] = step;
}

/* Remote index a * i + b. Where a is negative the buffer is turned round, so
 * that both its section and the remote one ascend. */
static gboolean
add_linear (Shape *shape, const Space *space, guint k, guint axis, gint64 a, gint64 b)
{
  const PdLoopRange *range = &space->ranges[axis];
  PdBuffer *buffer = shape->buffer;
  gint64 size = range->last - range->first + 1;

  if (__builtin_mul_overflow (a, a > 0 ? range->first : range->last, &buffer->first[k])
      || __builtin_add_overflow (buffer->first[k], b, &buffer->first[k])
      || __builtin_mul_overflow (a, a > 0 ? range->last : range->first, &buffer->last[k])
      || __builtin_add_overflow (buffer->last[k], b, &buffer->last[k]) || a == G_MININT64
      || __builtin_mul_overflow (ABS (a), range->step, &buffer->step[k]))
    return FALSE;
  add_axis (shape, size, range->step);
  if (shape->axes[axis] != -1)
    return TRUE; /* placed by another axis already: this one is complete everywhere */
  shape->axes[axis] = shape->rank;
  shape->coeffs[axis] = a > 0 ? 1 : -1;
  shape->consts[axis] = a > 0 ? 0 : size - 1;
  return TRUE;
}

/* The rules of the record, as CoordArray of crtrbp_ gives them, too. */
static gboolean
read_rules (PdDvm *self, const Space *space, guint rank, const gint64 **rules, GError **error)
{
  static const PdDvmKey keys[] = { PD_DVM_KEY_AxisArray, PD_DVM_KEY_CoeffArray,
                                   PD_DVM_KEY_ConstArray };

  for (guint k = 0; k < 3; k++)
    {
      rules[k] = pd_dvm_need_array (self, keys[k], rank, error);
      if (rules[k] == NULL)
        return FALSE;
    }
  for (guint k = 0; k < rank; k++)
    if (rules[0][k] != -1 && rules[1][k] != 0 && (rules[0][k] < 1 || rules[0][k] > space->rank))
      return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
                          "axis %" G_GINT64_FORMAT " is out of range, expected -1 to %u",
                          rules[0][k], space->rank);
  return TRUE;
}

/* Axis @k of @remote: whole, one index, or linear in an index of the space. */
static gboolean
add_rule (Shape *shape, const Space *space, const PdArray *remote, guint k,
          const gint64 *const *rules)
{
  PdBuffer *buffer = shape->buffer;
  gint64 size = remote->sizes[k];

  buffer->step[k] = 1;
  if (rules[0][k] == -1)
    {
      buffer->last[k] = size - 1;
      add_axis (shape, size, 1);
      return TRUE;
    }
  if (rules[1][k] == 0)
    buffer->first[k] = buffer->last[k] = rules[2][k];
  else if (!add_linear (shape, space, k, (guint) rules[0][k] - 1, rules[1][k], rules[2][k]))
    return FALSE;
  return buffer->first[k] >= 0 && buffer->last[k] < size;
}

static gboolean
make_shape (PdDvm *self, Shape *shape, const Space *space, const PdArray *remote, GError **error)
{
  const gint64 *rules[3];
  gint64 whole[PD_MAX_RANK], zero[PD_MAX_RANK] = { 0 };
  gboolean by_system = self->call->function == PD_DVM_crtrbp_;

  for (guint i = 0; i < space->rank; i++)
    shape->axes[i] = -1;
  if (by_system)
    {
      rules[2] = pd_dvm_need_array (self, PD_DVM_KEY_CoordArray, remote->rank, error);
      if (rules[2] == NULL)
        return FALSE;
      for (guint k = 0; k < remote->rank; k++)
        whole[k] = rules[2][k] < 0 ? -1 : 0;
      rules[0] = whole;
      rules[1] = zero;
    }
  else if (!read_rules (self, space, remote->rank, rules, error))
    return FALSE;
  for (guint k = 0; k < remote->rank && !space->is_empty; k++)
    if (!add_rule (shape, space, remote, k, rules))
      return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
                          "the buffer reads beyond axis %u of the remote array, of size "
                          "%" G_GINT64_FORMAT,
                          k + 1, remote->sizes[k]);
  if (shape->rank == 0)
    add_axis (shape, 1, 1);
  return TRUE;
}

static PdLayout *
make_layout (const Shape *shape, const Space *space, GError **cause)
{
  const PdDvmDistribution nowhere = { 0 };
  const PdAlignment alignment = { space->rank, shape->axes, shape->coeffs, shape->consts };

  return space->rank == 0
             ? pd_layout_new_distributed (space->team->grid, shape->rank, shape->sizes, &nowhere,
                                          NULL, cause)
             : pd_layout_new_aligned (space->layout, shape->rank, shape->sizes, &alignment, cause);
}

/* ---- creation */

static void
buffer_free (gpointer object)
{
  PdBuffer *buffer = object;

  g_clear_pointer (&buffer->layout, pd_layout_unref);
  pd_plan_unref (buffer->plan);
}

/* The placement of the buffer. A buffer without iterations, or for a loop that is not
 * modelled, has none. */
static gboolean
place_buffer (PdDvm *self, PdBuffer *buffer, PdArray *array, const Space *space,
              const PdArray *remote, GError **error)
{
  Shape shape = { .buffer = buffer };
  GError *cause = NULL;

  if (remote->layout == NULL || (space->rank > 0 && space->layout == NULL))
    {
      pd_dvm_warn_unmapped (self, "an array or a loop");
      return TRUE;
    }
  if (!make_shape (self, &shape, space, remote, error))
    return FALSE;
  if (space->is_empty)
    return TRUE;
  array->layout = make_layout (&shape, space, &cause);
  if (array->layout == NULL)
    return pd_dvm_layout_failed (self, cause, error);
  array->team = pd_team_ref (space->team);
  array->opaque = FALSE;
  array->rank = shape.rank;
  array->type_size = remote->type_size;
  for (guint i = 0; i < shape.rank; i++)
    array->sizes[i] = shape.sizes[i];
  return TRUE;
}

/* A buffer of @remote for @space, known as @handle. */
static gboolean
create (PdDvm *self, gint64 handle, const PdArray *remote, const Space *space, GError **error)
{
  PdBuffer *buffer = pd_object_new (sizeof *buffer, buffer_free);
  PdArray *array = pd_array_new (handle, pd_dvm_get (self, PD_DVM_KEY_BufferHeader, 0));

  array->opaque = TRUE;
  buffer->source = remote->handle;
  if (!place_buffer (self, buffer, array, space, remote, error))
    {
      pd_object_unref (buffer);
      pd_object_unref (array);
      return FALSE;
    }
  pd_dvm_store_array (self, array, TRUE);
  pd_dvm_store (self, PD_KIND_BUFFER, handle, buffer, FALSE);
  return TRUE;
}

static gboolean
need_space (PdDvm *self, Space *space, GError **error)
{
  PdDvmFunction function = self->call->function;

  return function == PD_DVM_crtrba_   ? need_array_space (self, space, error)
         : function == PD_DVM_crtrbp_ ? need_system_space (self, space, error)
                                      : need_loop_space (self, space, error);
}

gboolean
pd_dvm_crtrb (PdDvm *self, GError **error)
{
  Space space;
  gint64 handle;
  const PdArray *remote = pd_dvm_need_array_named (self, PD_DVM_KEY_RemArrayHandlePtr,
                                                   PD_DVM_KEY_RemArrayHeader, error);

  return remote != NULL && pd_dvm_need (self, PD_DVM_KEY_BufferHandlePtr, &handle, error)
         && need_space (self, &space, error) && create (self, handle, remote, &space, error);
}

/* The answer 4 is that a buffer has been made. Its handle is not in the record;
 * it is found by its header, which stands for the handle until then. */
gboolean
pd_dvm_rmkind (PdDvm *self, GError **error)
{
  Space space;
  gint64 header;

  if (pd_dvm_get (self, PD_DVM_KEY_Res, 0) != 4)
    return TRUE;
  const PdArray *remote = pd_dvm_need_array_object (self, error);
  return remote != NULL && pd_dvm_need (self, PD_DVM_KEY_BufferHeader, &header, error)
         && need_space (self, &space, error) && create (self, header, remote, &space, error);
}

/* ---- loading */

PdBuffer *
pd_dvm_find_buffer (PdDvm *self, const PdArray *array)
{
  return array == NULL ? NULL : pd_dvm_find (self, PD_KIND_BUFFER, array->handle);
}

static const PdArray *
need_buffer (PdDvm *self, PdBuffer **buffer, GError **error)
{
  const PdArray *array =
      pd_dvm_find_array (self, PD_DVM_KEY_BufferHandlePtr, PD_DVM_KEY_BufferHeader);

  *buffer = pd_dvm_find_buffer (self, array);
  if (*buffer != NULL)
    return array;
  pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
               "buffer 'BufferHandlePtr=%" G_GINT64_MODIFIER "x' does not exist",
               (guint64) pd_dvm_get (self, PD_DVM_KEY_BufferHandlePtr, 0));
  return NULL;
}

void
pd_dvm_get_buffer_target (const PdBuffer *buffer, const PdArray *array, PdSection *target)
{
  static const gint64 zero[PD_MAX_RANK];
  gint64 last[PD_MAX_RANK];

  target->layout = NULL;
  for (guint i = 0; i < array->rank; i++)
    last[i] = array->sizes[i] - 1;
  if (array->layout != NULL)
    pd_section_init (target, array->layout, zero, last, buffer->target_step, NULL);
}

/* The next version of @old: loaded, and with its plan. */
static PdBuffer *
make_loaded (PdDvm *self, const PdBuffer *old, const PdArray *array, const PdArray *source,
             GError **error)
{
  PdBuffer *buffer = pd_object_new (sizeof *buffer, buffer_free);
  PdObject base = buffer->base;
  PdSection from, to;
  GError *cause = NULL;

  *buffer = *old;
  buffer->base = base;
  buffer->is_loaded = TRUE;
  buffer->layout = pd_layout_ref (source->layout);
  if (old->layout == source->layout)
    {
      buffer->plan = pd_plan_ref (old->plan);
      return buffer;
    }
  buffer->plan = NULL;
  if (!pd_section_init (&from, source->layout, buffer->first, buffer->last, buffer->step, &cause))
    {
      pd_object_unref (buffer);
      pd_dvm_layout_failed (self, cause, error);
      return NULL;
    }
  from.once = self->options->dedupe_copies;
  pd_dvm_get_buffer_target (buffer, array, &to);
  buffer->plan = pd_copy_plan_new (&from, &to, array->type_size);
  return buffer;
}

gboolean
pd_dvm_load_buffer (PdDvm *self, const PdArray *array, const PdBuffer *old, GError **error)
{
  const PdArray *source = pd_dvm_find (self, PD_KIND_ARRAY, old->source);
  PdSection target;

  if (source == NULL || source->layout == NULL)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                        "the remote array %" G_GINT64_MODIFIER "x of the buffer does not exist",
                        (guint64) old->source);
  PdBuffer *buffer = make_loaded (self, old, array, source, error);
  if (buffer == NULL)
    return FALSE;
  pd_dvm_get_buffer_target (buffer, array, &target);
  PdPlan *plan = pd_dvm_copy_memory_plan_new (
      pd_plan_ref (buffer->plan), old->is_loaded ? NULL : &target, array->type_size, FALSE);
  PdStepOperation *operation =
      pd_dvm_emit_copy (self, source->team, array->team, plan, pd_dvm_copy_kind (self), TRUE);
  pd_dvm_started_settle (self, PD_KIND_BUFFER, array->handle);
  if (operation != NULL)
    {
      pd_dvm_started_add (self, PD_KIND_BUFFER, array->handle, operation, NULL);
      pd_operation_unref (operation);
    }
  pd_dvm_store (self, PD_KIND_BUFFER, array->handle, buffer, FALSE);
  return TRUE;
}

gboolean
pd_dvm_loadrb (PdDvm *self, GError **error)
{
  PdBuffer *buffer;
  PdSection target;
  const PdArray *array = need_buffer (self, &buffer, error);

  if (array == NULL)
    return FALSE;
  if (array->layout == NULL
      || (buffer->is_loaded && pd_dvm_get (self, PD_DVM_KEY_RenewSign, 0) == 0))
    {
      pd_dvm_charge_ret (self);
      return TRUE;
    }
  if (!self->in_io)
    pd_dvm_count_operation (self, PD_OPERATION_REMOTE_ACCESS);
  pd_dvm_get_buffer_target (buffer, array, &target);
  if (!pd_dvm_load_buffer (self, array, buffer, error))
    return FALSE;
  pd_dvm_charge_copy (self, &target, self->call->ret_time);
  return TRUE;
}

gboolean
pd_dvm_waitrb (PdDvm *self, GError **error)
{
  PdBuffer *buffer;
  PdSection target;
  const PdArray *array = need_buffer (self, &buffer, error);

  if (array == NULL)
    return FALSE;
  if (array->layout != NULL && !buffer->is_loaded)
    pd_dvm_warn (self, "not-started", self->call->name,
                 "'%s' waits for a buffer that was not loaded", self->call->name);
  pd_dvm_started_wait (self, PD_KIND_BUFFER, array->handle);
  pd_dvm_get_buffer_target (buffer, array, &target);
  pd_dvm_charge_copy (self, &target, self->call->ret_time);
  return TRUE;
}
