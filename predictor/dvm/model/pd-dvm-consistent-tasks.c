/* Consistent arrays of which tasks compute the parts (consda_, inclcg_). The
 * record says along which axis the tasks of a representation share the array,
 * not which task has which indices: that is assumed.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-consistent-tasks.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/model/pd-dvm-arrays.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-machines.h"
#include "predictor/dvm/model/pd-dvm-params.h"
#include "predictor/dvm/model/pd-dvm-views.h"

/* ---- who has computed what */

/* The tasks, and what they share. */
typedef struct
{
  const PdView *view;
  gint64 view_id;
  gint64 n_tasks;
  gint64 size;  /* of the axis */
  gint64 bytes; /* of all that belongs to one of its indices */
} Shared;

/* How many there are; 0 if that cannot be. */
static gint64
count_tasks (const PdView *view)
{
  gint64 n = 1;

  for (guint i = 0; i < view->rank; i++)
    if (view->sizes[i] < 1 || __builtin_mul_overflow (n, view->sizes[i], &n))
      return 0;
  return n;
}

static gboolean
fail_large (PdDvm *self, GError **error)
{
  return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
                      "a part of an array of 2^63 bytes or more");
}

static gboolean
read_shared (PdDvm *self, const PdArray *array, Shared *shared, GError **error)
{
  gint64 axis;

  shared->view = pd_dvm_need_view (self, &shared->view_id, error);
  if (shared->view == NULL || !pd_dvm_need (self, PD_DVM_KEY_ArrayAxis, &axis, error))
    return FALSE;
  shared->n_tasks = count_tasks (shared->view);
  if (axis < 1 || axis > (gint64) array->rank || shared->n_tasks == 0)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
                        "axis %" G_GINT64_FORMAT " of an array of rank %u for %" G_GINT64_FORMAT
                        " tasks",
                        axis, array->rank, shared->n_tasks);
  shared->size = MAX (array->sizes[axis - 1], 0);
  shared->bytes = array->type_size;
  for (guint i = 0; i < array->rank; i++)
    if (i != axis - 1
        && __builtin_mul_overflow (shared->bytes, MAX (array->sizes[i], 0), &shared->bytes))
      return fail_large (self, error);
  return TRUE;
}

/* The first index of a task: blocks as those of a distributed axis. */
static gint64
get_first (const Shared *shared, gint64 task)
{
  gdouble step = MAX ((gdouble) shared->size / (gdouble) shared->n_tasks, 1.0);

  return task >= shared->n_tasks ? shared->size
                                 : (gint64) MIN (step * (gdouble) task, (gdouble) shared->size);
}

/* Adds what the processors of one task have to send. */
static gboolean
add_task (const PdDvm *self, const Shared *shared, const PdAm *machine, gint64 *counts)
{
  gint64 task = 0, bytes;

  for (guint i = 0; i < shared->view->rank; i++)
    task = task * shared->view->sizes[i] + CLAMP (machine->index[i], 0, shared->view->sizes[i] - 1);
  gint64 n = get_first (shared, task + 1) - get_first (shared, task);
  if (__builtin_mul_overflow (shared->bytes, n, &bytes))
    return FALSE;
  for (guint32 i = 0; i < machine->team->n; i++)
    {
      gint64 place =
          pd_grid_find (self->team->grid, pd_grid_get_processor (machine->team->grid, i));
      if (place >= 0 && __builtin_add_overflow (counts[place], bytes, &counts[place]))
        return FALSE;
    }
  return TRUE;
}

/* Adds up the tasks that are mapped. */
static gboolean
add_tasks (PdDvm *self, const Shared *shared, gint64 *counts)
{
  const GArray *ids = pd_dvm_machines_get (self, shared->view_id, shared->view->serial);

  for (guint i = 0; ids != NULL && i < ids->len; i++)
    {
      gint64 id = g_array_index (ids, gint64, i);
      const PdAm *machine = pd_dvm_find (self, PD_KIND_AM, id);
      gboolean is_same = machine != NULL && machine->view == shared->view_id
                         && machine->serial == shared->view->serial;
      if (is_same)
        machine = pd_dvm_need_am (self, id, NULL);
      if (is_same && machine != NULL && machine->team != NULL
          && !add_task (self, shared, machine, counts))
        return FALSE;
    }
  return TRUE;
}

gint64 *
pd_dvm_count_task_parts (PdDvm *self, GError **error)
{
  const PdArray *array = pd_dvm_need_array_object (self, error);
  Shared shared;
  gint64 any = 0;

  if (array == NULL || !read_shared (self, array, &shared, error))
    return NULL;
  if (self->team->n == 1)
    return NULL;
  pd_dvm_warn (self, "task-parts-assumed", self->call->name,
               "which part of the array each task has computed '%s' does not say: taken as equal "
               "blocks, in the order of the tasks, which all processors of a task send",
               self->call->name);
  gint64 *counts = g_rc_box_alloc0 (self->team->n * sizeof *counts);
  gboolean ok = add_tasks (self, &shared, counts);
  for (guint32 i = 0; i < self->team->n && ok; i++)
    any |= counts[i];
  if (ok && any != 0)
    return counts;
  g_rc_box_release (counts);
  if (!ok)
    fail_large (self, error);
  return NULL;
}
