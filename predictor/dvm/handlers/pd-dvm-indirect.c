/* Indirect access, A(B(i)): who fetches what depends on the contents of the
 * matrix of indices, which no trace has. They are taken to be spread evenly
 * over the remote array.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/handlers/pd-dvm-indirect-private.h"
#include "predictor/dvm/copy/pd-dense-plan.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-loop.h"
#include "predictor/dvm/handlers/pd-dvm-array-calls-private.h"
#include "predictor/dvm/model/pd-dvm-arrays.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-comm.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-params.h"
#include "predictor/dvm/model/pd-dvm-started.h"

/* The source of a buffer; the buffer itself is an array. */
typedef struct
{
  PdObject base;
  PdLayout *remote; /* (nullable): not modelled */
  PdLayout *matrix; /* of the indices, a row for each iteration; not NULL if @remote is not */
  guint axis;       /* of the remote array: the distributed one */
  gint64 first;     /* rows that are needed */
  gint64 last;
  gint64 type_size;
  gboolean is_loaded;
} PdIndirect;

typedef struct
{
  PdObject base;
  GArray *buffers; /* gint64: handles */
  gboolean owns_them;
} PdIndirectGroup;

/* ---- buffers */

static void
indirect_free (gpointer object)
{
  PdIndirect *indirect = object;

  g_clear_pointer (&indirect->remote, pd_layout_unref);
  g_clear_pointer (&indirect->matrix, pd_layout_unref);
}

/* The rows that the loop's iterations need: those of the index that runs over
 * the same processors as the rows do; all, if there is none. */
static void
clip_rows (PdIndirect *indirect, const PdLoop *loop)
{
  const PdLayout *layout = pd_loop_get_layout (loop);
  const PdGrid *grid = pd_layout_get_grid (layout);
  PdLoopRange ranges[PD_MAX_RANK];
  gint64 first = G_MAXINT64, last = -1;
  guint axis, index;

  if (!pd_grid_equal (grid, pd_layout_get_grid (indirect->matrix)))
    return;
  for (guint d = 0; d < pd_grid_get_rank (grid); d++)
    {
      if (pd_layout_holds (indirect->matrix, d, &axis) != PD_HOLDS_RANGE || axis != 0
          || pd_layout_holds (layout, d, &index) != PD_HOLDS_RANGE)
        continue;
      for (guint32 linear = 0; linear < pd_grid_get_n (grid); linear++)
        if (pd_loop_get_local_range (loop, linear, ranges))
          {
            first = MIN (first, ranges[index].first);
            last = MAX (last, ranges[index].last);
          }
      indirect->first = MAX (first, 0);
      indirect->last = MIN (last, indirect->last);
      return;
    }
}

/* The first axis of the remote array that is distributed. */
static guint
find_axis (const PdLayout *remote)
{
  guint axis;

  for (guint d = 0; d < pd_grid_get_rank (pd_layout_get_grid (remote)); d++)
    if (pd_layout_holds (remote, d, &axis) == PD_HOLDS_RANGE)
      return axis;
  return 0;
}

static gboolean
fill_indirect (PdDvm *self, PdIndirect *indirect, GError **error)
{
  const PdArray *remote =
      pd_dvm_find_array (self, PD_DVM_KEY_RemArrayHandlePtr, PD_DVM_KEY_RemArrayHeader);
  const PdArray *matrix = pd_dvm_find_array (self, PD_DVM_KEY_MEHandlePtr, PD_DVM_KEY_MEHeader);
  gint64 id = pd_dvm_get (self, PD_DVM_KEY_LoopRef, 0);
  const PdLoopObject *loop = id == 0 ? NULL : pd_dvm_find (self, PD_KIND_LOOP, id);

  if (remote == NULL || matrix == NULL || (id != 0 && loop == NULL))
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                        "the remote array, the array of indices or the loop does not exist");
  if (remote->layout == NULL || matrix->layout == NULL)
    {
      pd_dvm_warn (self, "pattern-not-mapped", self->call->name,
                   "'%s' uses an array whose distribution is not modelled", self->call->name);
      return TRUE;
    }
  indirect->remote = pd_layout_ref (remote->layout);
  indirect->matrix = pd_layout_ref (matrix->layout);
  indirect->axis = find_axis (remote->layout);
  indirect->last = matrix->sizes[0] - 1;
  indirect->type_size = remote->type_size;
  if (loop != NULL && loop->loop != NULL)
    clip_rows (indirect, loop->loop);
  return TRUE;
}

gboolean
pd_dvm_crtib (PdDvm *self, GError **error)
{
  gint64 id;

  if (!pd_dvm_need (self, PD_DVM_KEY_BufferHandlePtr, &id, error)
      || !pd_dvm_crtbuffer (self, error))
    return FALSE;
  PdIndirect *indirect = pd_object_new (sizeof *indirect, indirect_free);
  if (!fill_indirect (self, indirect, error))
    {
      pd_object_unref (indirect);
      return FALSE;
    }
  pd_dvm_store (self, PD_KIND_INDIRECT, id, indirect, TRUE);
  return TRUE;
}

/* ---- loading */

/* Rows of the matrix that each processor of @grid has and needs. */
static gint64 *
count_rows (const PdIndirect *indirect, const PdGrid *grid)
{
  guint32 n = pd_grid_get_n (grid);
  gint64 *rows = g_new0 (gint64, n);

  for (guint32 i = 0; i < n; i++)
    {
      gint64 lo[PD_MAX_RANK], hi[PD_MAX_RANK];
      gint64 place =
          pd_grid_find (pd_layout_get_grid (indirect->matrix), pd_grid_get_processor (grid, i));
      if (place >= 0 && pd_layout_get_local (indirect->matrix, (guint32) place, lo, hi))
        rows[i] = MAX (MIN (hi[0], indirect->last) - MAX (lo[0], indirect->first) + 1, 0);
    }
  return rows;
}

/* Indices of the remote array's distributed axis that each processor holds. */
static gint64 *
count_held (const PdIndirect *indirect, const PdGrid *grid)
{
  guint32 n = pd_grid_get_n (grid);
  gint64 *held = g_new0 (gint64, n);

  for (guint32 i = 0; i < n; i++)
    {
      gint64 lo[PD_MAX_RANK], hi[PD_MAX_RANK];
      gint64 place =
          pd_grid_find (pd_layout_get_grid (indirect->remote), pd_grid_get_processor (grid, i));
      if (place >= 0 && pd_layout_get_local (indirect->remote, (guint32) place, lo, hi))
        held[i] = hi[indirect->axis] - lo[indirect->axis] + 1;
    }
  return held;
}

/* The matrix' rows go to all that have some of the remote array. Its elements
 * are of 4 bytes; the first of a row is a count. */
static void
emit_questions (PdDvm *self, const gint64 *rows, const gint64 *held, gint64 columns)
{
  const PdGrid *grid = self->team->grid;
  guint32 n = pd_grid_get_n (grid);
  gint64 *receivers = g_new (gint64, n);

  for (guint32 i = 0; i < n; i++)
    receivers[i] = held[i] > 0;
  gint64 *senders = g_memdup (rows, n * (guint) sizeof *rows);
  PdPlan *plan = pd_dense_plan_new (self->team->grid, senders, receivers, 1,
                                    4 * CLAMP (columns, 1, G_MAXINT32));
  PdStepOperation *operation =
      pd_dvm_emit_exchange (self, self->team, plan, PD_OPERATION_REMOTE_ACCESS, FALSE);
  pd_dvm_emit_exchange_wait (self, operation, 0);
  pd_operation_unref (operation);
}

static void
emit_answers (PdDvm *self, gint64 id, const PdIndirect *indirect, gint64 *rows, gint64 *held,
              gint64 columns)
{
  gint64 n = pd_layout_get_sizes (indirect->remote)[indirect->axis];

  for (guint32 i = 0; i < self->team->n; i++)
    if (__builtin_mul_overflow (rows[i], MAX (columns - 1, 1), &rows[i]))
      rows[i] = G_MAXINT64;
  PdPlan *plan = pd_dense_plan_new (self->team->grid, held, rows, n, indirect->type_size);
  PdStepOperation *operation =
      pd_dvm_emit_exchange (self, self->team, plan, PD_OPERATION_REMOTE_ACCESS, TRUE);
  pd_dvm_started_add (self, PD_KIND_INDIRECT, id, operation, NULL);
  pd_operation_unref (operation);
}

static void
set_loaded (PdDvm *self, gint64 id, const PdIndirect *old)
{
  PdIndirect *indirect = pd_object_new (sizeof *indirect, indirect_free);
  PdObject base = indirect->base;

  *indirect = *old;
  indirect->base = base;
  pd_layout_ref (indirect->remote);
  pd_layout_ref (indirect->matrix);
  indirect->is_loaded = TRUE;
  pd_dvm_store (self, PD_KIND_INDIRECT, id, indirect, FALSE);
}

static void
load (PdDvm *self, gint64 id, const PdIndirect *indirect, gboolean renew)
{
  if ((indirect->is_loaded && !renew) || indirect->remote == NULL || self->team->n == 1)
    return;
  pd_dvm_warn (self, "indirect-uniform", NULL,
               "which elements are fetched depends on data: they are taken to be spread evenly "
               "over the remote array");
  gint64 *rows = count_rows (indirect, self->team->grid);
  gint64 *held = count_held (indirect, self->team->grid);
  gint64 columns =
      pd_layout_get_rank (indirect->matrix) > 1 ? pd_layout_get_sizes (indirect->matrix)[1] : 1;
  pd_dvm_started_settle (self, PD_KIND_INDIRECT, id);
  emit_questions (self, rows, held, columns);
  emit_answers (self, id, indirect, rows, held, columns);
  set_loaded (self, id, indirect);
}

static const PdIndirectGroup *
need_group (PdDvm *self, gint64 *id, GError **error)
{
  if (!pd_dvm_need (self, PD_DVM_KEY_IndirectAccessGroupRef, id, error))
    return NULL;
  const PdIndirectGroup *group = pd_dvm_find (self, PD_KIND_INDIRECT_GROUP, *id);
  if (group == NULL)
    pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                 "indirect access group 'IndirectAccessGroupRef=%" G_GINT64_MODIFIER
                 "x' does not exist",
                 (guint64) *id);
  return group;
}

/* The buffers that the record names: one, or those of a group; a copy. */
static GArray *
need_buffers (PdDvm *self, GError **error)
{
  gint64 id;
  GArray *buffers;

  if (self->call->function == PD_DVM_loadig_ || self->call->function == PD_DVM_waitig_)
    {
      const PdIndirectGroup *group = need_group (self, &id, error);
      return group == NULL ? NULL : g_array_copy (group->buffers);
    }
  if (!pd_dvm_need (self, PD_DVM_KEY_BufferHandlePtr, &id, error))
    return NULL;
  buffers = g_array_new (FALSE, FALSE, sizeof id);
  if (id != 0) /* else the buffer is empty */
    g_array_append_val (buffers, id);
  return buffers;
}

gboolean
pd_dvm_loadib (PdDvm *self, GError **error)
{
  gboolean renew = pd_dvm_get (self, PD_DVM_KEY_RenewSign, 0) != 0;
  g_autoptr (GArray) buffers = need_buffers (self, error);

  if (buffers == NULL)
    return FALSE;
  pd_dvm_count_operation (self, PD_OPERATION_REMOTE_ACCESS);
  for (guint i = 0; i < buffers->len; i++)
    {
      gint64 id = g_array_index (buffers, gint64, i);
      const PdIndirect *indirect = pd_dvm_find (self, PD_KIND_INDIRECT, id);
      if (indirect == NULL)
        return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                            "buffer 'BufferHandlePtr=%" G_GINT64_MODIFIER "x' does not exist",
                            (guint64) id);
      load (self, id, indirect, renew);
    }
  return TRUE;
}

gboolean
pd_dvm_waitib (PdDvm *self, GError **error)
{
  g_autoptr (GArray) buffers = need_buffers (self, error);

  if (buffers == NULL)
    return FALSE;
  for (guint i = 0; i < buffers->len; i++)
    pd_dvm_started_wait (self, PD_KIND_INDIRECT, g_array_index (buffers, gint64, i));
  return TRUE;
}

/* ---- groups */

static void
group_free (gpointer object)
{
  g_array_unref (((PdIndirectGroup *) object)->buffers);
}

gboolean
pd_dvm_crtig (PdDvm *self, GError **error)
{
  gint64 id;

  if (!pd_dvm_need (self, PD_DVM_KEY_IndirectAccessGroupRef, &id, error))
    return FALSE;
  PdIndirectGroup *group = pd_object_new (sizeof *group, group_free);
  group->buffers = g_array_new (FALSE, FALSE, sizeof (gint64));
  group->owns_them = pd_dvm_get (self, PD_DVM_KEY_DelBufSign, 0) != 0;
  pd_dvm_store (self, PD_KIND_INDIRECT_GROUP, id, group, TRUE);
  return TRUE;
}

/* The record has the buffer's handle as BufferHeader[0]. */
gboolean
pd_dvm_insib (PdDvm *self, GError **error)
{
  gint64 id;
  const PdIndirectGroup *old = need_group (self, &id, error);
  const gint64 *handle =
      old == NULL ? NULL : pd_dvm_need_array (self, PD_DVM_KEY_BufferHeader, 1, error);

  if (handle == NULL)
    return FALSE;
  PdIndirectGroup *group = pd_object_new (sizeof *group, group_free);
  group->buffers = g_array_copy (old->buffers);
  group->owns_them = old->owns_them;
  if (*handle != 0)
    g_array_append_val (group->buffers, *handle);
  pd_dvm_store (self, PD_KIND_INDIRECT_GROUP, id, group, FALSE);
  return TRUE;
}

/* A group that is gone already is no error. */
gboolean
pd_dvm_delig (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  gint64 id = pd_dvm_get (self, PD_DVM_KEY_IndirectAccessGroupRef, 0);
  const PdIndirectGroup *group = pd_dvm_find (self, PD_KIND_INDIRECT_GROUP, id);

  for (guint i = 0; group != NULL && group->owns_them && i < group->buffers->len; i++)
    {
      gint64 buffer = g_array_index (group->buffers, gint64, i);
      pd_dvm_delete (self, PD_KIND_INDIRECT, buffer);
      pd_dvm_delete (self, PD_KIND_ARRAY, buffer);
    }
  pd_dvm_delete (self, PD_KIND_INDIRECT_GROUP, id);
  return TRUE;
}
