/* Consistent arrays: replicated ones of which every processor computes a part,
 * which it then sends to all others by MPI_Alltoallv.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/handlers/pd-dvm-consistent-private.h"
#include "predictor/dvm/copy/pd-dense-plan.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-loop.h"
#include "predictor/dvm/model/pd-dvm-arrays.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-comm.h"
#include "predictor/dvm/model/pd-dvm-consistent-tasks.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-params.h"

/* One array of a group, as it was inserted. */
typedef struct
{
  PdTeam *team;
  gint64 *counts; /* g_rc_box: bytes that each processor computed, by linear number */
} Part;

struct _PdConsistentGroup
{
  PdObject base;
  GArray *parts;      /* Part */
  GArray *arrays;     /* gint64: handles */
  gboolean owns_them; /* the arrays go with the group */
};

/* ---- who computes what */

/* How the indices of one axis of the array follow from the iteration. */
typedef enum
{
  WHOLE, /* all of them, by every processor */
  SINGLE,
  SPREAD, /* those of the processor's own iterations */
} Spread;

typedef struct
{
  guint n;
  Spread kind[PD_MAX_RANK];
  guint index[PD_MAX_RANK]; /* SPREAD: of the loop, from 0 */
  gint64 coeff[PD_MAX_RANK];
} Rule;

/* Whether an index of the loop runs over different processors. */
static gboolean
is_distributed (const PdLoop *loop, guint index)
{
  const PdLayout *layout = pd_loop_get_layout (loop);
  const PdGrid *grid = pd_layout_get_grid (layout);

  for (guint d = 0; d < pd_grid_get_rank (grid); d++)
    {
      guint axis;
      if (pd_layout_holds (layout, d, &axis) == PD_HOLDS_RANGE && axis == index
          && pd_grid_get_sizes (grid)[d] > 1)
        return TRUE;
    }
  return FALSE;
}

/* The rule of the record. FALSE also if nothing is spread: then there is nothing
 * to send, and no error. */
static gboolean
read_rule (PdDvm *self, const PdArray *array, const PdLoopObject *loop, Rule *rule, GError **error)
{
  const gint64 *axes = pd_dvm_need_array (self, PD_DVM_KEY_AxisArray, array->rank, error);
  const gint64 *coeffs =
      axes == NULL ? NULL : pd_dvm_need_array (self, PD_DVM_KEY_CoeffArray, array->rank, error);
  gboolean any = FALSE;

  if (coeffs == NULL)
    return FALSE;
  *rule = (Rule){ .n = array->rank };
  for (guint i = 0; i < array->rank; i++)
    {
      if (axes[i] > (gint64) loop->rank)
        return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
                            "index %" G_GINT64_FORMAT " of a loop of rank %u", axes[i], loop->rank);
      if (axes[i] == 0 || (axes[i] > 0 && coeffs[i] == 0))
        rule->kind[i] = SINGLE;
      if (axes[i] < 1 || coeffs[i] == 0 || !is_distributed (loop->loop, (guint) axes[i] - 1))
        continue;
      rule->kind[i] = SPREAD;
      rule->index[i] = (guint) axes[i] - 1;
      rule->coeff[i] = coeffs[i];
      any = TRUE;
    }
  return any;
}

/* Indices from the first to the last that the iterations hit: strides are sent
 * along. */
static gint64
count_spread (gint64 coeff, const PdLoopRange *range, gint64 size)
{
  gint64 extent;

  if (__builtin_sub_overflow (range->last, range->first, &extent)
      || __builtin_mul_overflow (coeff, extent, &extent) || extent == G_MININT64)
    return size;
  return ABS (extent) >= size ? size : ABS (extent) + 1;
}

/* Bytes that one processor computed; -1 if that is beyond counting. */
static gint64
count_bytes (const PdArray *array, const Rule *rule, const PdLoop *loop, guint32 processor)
{
  gint64 place = pd_grid_find (pd_layout_get_grid (pd_loop_get_layout (loop)), processor);
  PdLoopRange ranges[PD_MAX_RANK];
  gint64 bytes = array->type_size;

  if (place < 0 || !pd_loop_get_local_range (loop, (guint32) place, ranges))
    return 0;
  for (guint i = 0; i < rule->n; i++)
    {
      gint64 size = MAX (array->sizes[i], 0);
      gint64 n = rule->kind[i] == WHOLE ? size
                 : rule->kind[i] == SINGLE
                     ? 1
                     : count_spread (rule->coeff[i], &ranges[rule->index[i]], size);
      if (__builtin_mul_overflow (bytes, n, &bytes))
        return -1;
    }
  return bytes;
}

/* The bytes of every processor of the current system (a g_rc_box), or NULL if
 * nothing is to be sent, or with @error. */
static gint64 *
count_parts (PdDvm *self, const PdArray *array, const PdLoopObject *loop, GError **error)
{
  Rule rule;

  if (self->team->n == 1 || loop->loop == NULL || pd_loop_get_total (loop->loop) == 0
      || !read_rule (self, array, loop, &rule, error))
    return NULL;
  gint64 *counts = g_rc_box_alloc (self->team->n * sizeof *counts);
  for (guint32 i = 0; i < self->team->n; i++)
    {
      counts[i] =
          count_bytes (array, &rule, loop->loop, pd_grid_get_processor (self->team->grid, i));
      if (counts[i] >= 0)
        continue;
      g_rc_box_release (counts);
      pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
                   "a part of an array of 2^63 bytes or more");
      return NULL;
    }
  return counts;
}

/* The parts by the record's array and loop, or tasks; NULL as in count_parts(). */
static gint64 *
count_record (PdDvm *self, GError **error)
{
  PdDvmFunction function = self->call->function;

  if (function == PD_DVM_consda_ || function == PD_DVM_inclcg_)
    return pd_dvm_count_task_parts (self, error);

  const PdArray *array = pd_dvm_need_array_object (self, error);
  gint64 id;

  if (array == NULL || !pd_dvm_need (self, PD_DVM_KEY_LoopRef, &id, error))
    return NULL;
  const PdLoopObject *loop = pd_dvm_find (self, PD_KIND_LOOP, id);
  if (loop == NULL)
    {
      pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                   "loop 'LoopRef=%" G_GINT64_MODIFIER "x' does not exist", (guint64) id);
      return NULL;
    }
  if (array->opaque || loop->loop == NULL)
    {
      pd_dvm_warn (self, "pattern-not-mapped", self->call->name,
                   "'%s' uses an array or a loop that is not modelled", self->call->name);
      return NULL;
    }
  return count_parts (self, array, loop, error);
}

/* ---- one array */

/* Messages of all with all that are too many for a collective operation, which
 * knows only single ones: an exchange may be simulated as a whole. */
static gboolean
emit_as_exchange (PdDvm *self, PdTeam *team, const gint64 *counts)
{
  gint64 *receives = g_new (gint64, team->n);

  for (guint32 i = 0; i < team->n; i++)
    receives[i] = 1;
  g_autoptr (PdPlan) plan = pd_dense_plan_new (
      team->grid, g_memdup (counts, team->n * (guint) sizeof *counts), receives, 1, 1);
  if (!pd_dvm_is_large (self, team, plan))
    return FALSE;
  PdStepOperation *operation =
      pd_dvm_emit_exchange (self, team, g_steal_pointer (&plan), PD_OPERATION_REMOTE_ACCESS, FALSE);
  pd_dvm_emit_exchange_wait (self, operation, 0);
  pd_operation_unref (operation);
  return TRUE;
}

static void
emit_alltoallv (PdDvm *self, PdTeam *team, gint64 *counts)
{
  if (emit_as_exchange (self, team, counts))
    return;
  PdStepOperation *operation = pd_dvm_operation_new (self, PD_OPERATION_REMOTE_ACCESS);

  pd_team_unref (operation->team);
  operation->team = pd_team_ref (team);
  operation->counts = g_rc_box_acquire (counts);
  PdStepDvm *step = pd_dvm_emit_collective (self, operation, PD_OP_ALLTOALLV, 0);
  step->flags = PD_STEP_ENTERS | PD_STEP_LEAVES;
  pd_operation_unref (operation);
}

gboolean
pd_dvm_strtac (PdDvm *self, GError **error)
{
  GError *local = NULL;
  gint64 *counts = count_record (self, &local);

  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  pd_dvm_count_operation (self, PD_OPERATION_REMOTE_ACCESS);
  if (counts == NULL)
    return TRUE;
  emit_alltoallv (self, self->team, counts);
  g_rc_box_release (counts);
  return TRUE;
}

/* ---- groups */

static void
part_clear (gpointer data)
{
  Part *part = data;

  pd_team_unref (part->team);
  g_rc_box_release (part->counts);
}

static void
group_free (gpointer object)
{
  PdConsistentGroup *group = object;

  g_array_unref (group->parts);
  g_array_unref (group->arrays);
}

/* A copy of @old (nullable) to be changed. */
static PdConsistentGroup *
group_new (const PdConsistentGroup *old)
{
  PdConsistentGroup *group = pd_object_new (sizeof *group, group_free);

  group->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  g_array_set_clear_func (group->parts, part_clear);
  group->arrays = g_array_new (FALSE, FALSE, sizeof (gint64));
  if (old == NULL)
    return group;
  group->owns_them = old->owns_them;
  g_array_append_vals (group->arrays, old->arrays->data, old->arrays->len);
  for (guint i = 0; i < old->parts->len; i++)
    {
      Part part = g_array_index (old->parts, Part, i);
      pd_team_ref (part.team);
      g_rc_box_acquire (part.counts);
      g_array_append_val (group->parts, part);
    }
  return group;
}

static const PdConsistentGroup *
need_group (PdDvm *self, gint64 *id, GError **error)
{
  if (!pd_dvm_need (self, PD_DVM_KEY_DAConsistGroupRef, id, error))
    return NULL;
  const PdConsistentGroup *group = pd_dvm_find (self, PD_KIND_CONSISTENT, *id);
  if (group == NULL)
    pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                 "consistent group 'DAConsistGroupRef=%" G_GINT64_MODIFIER "x' does not exist",
                 (guint64) *id);
  return group;
}

gboolean
pd_dvm_crtcg (PdDvm *self, GError **error)
{
  gint64 id;

  if (!pd_dvm_need (self, PD_DVM_KEY_DAConsistGroupRef, &id, error))
    return FALSE;
  PdConsistentGroup *group = group_new (NULL);
  group->owns_them = pd_dvm_get (self, PD_DVM_KEY_DelDASign, 0) != 0;
  pd_dvm_store (self, PD_KIND_CONSISTENT, id, group, TRUE);
  return TRUE;
}

/* The loop may be gone when the group is started: its parts are counted now. */
gboolean
pd_dvm_inscg (PdDvm *self, GError **error)
{
  gint64 id;
  GError *local = NULL;
  const PdConsistentGroup *old = need_group (self, &id, error);
  gint64 *counts = old == NULL ? NULL : count_record (self, &local);

  if (old == NULL || local != NULL)
    {
      if (local != NULL)
        g_propagate_error (error, local);
      return FALSE;
    }
  PdConsistentGroup *group = group_new (old);
  gint64 handle = pd_dvm_get (self, PD_DVM_KEY_ArrayHandlePtr, 0);
  g_array_append_val (group->arrays, handle);
  if (counts != NULL)
    {
      Part part = { pd_team_ref (self->team), counts };
      g_array_append_val (group->parts, part);
    }
  pd_dvm_store (self, PD_KIND_CONSISTENT, id, group, FALSE);
  return TRUE;
}

gboolean
pd_dvm_strtcg (PdDvm *self, GError **error)
{
  gint64 id;
  const PdConsistentGroup *group = need_group (self, &id, error);

  if (group == NULL)
    return FALSE;
  pd_dvm_count_operation (self, PD_OPERATION_REMOTE_ACCESS);
  for (guint i = 0; i < group->parts->len; i++)
    {
      const Part *part = &g_array_index (group->parts, Part, i);
      if (part->team == self->team)
        emit_alltoallv (self, part->team, part->counts);
      else
        pd_dvm_warn (self, "group-elsewhere", self->call->name,
                     "the group was filled on another processor system: not modelled");
    }
  return TRUE;
}

static void
delete_arrays (PdDvm *self, const PdConsistentGroup *group)
{
  for (guint i = 0; i < group->arrays->len; i++)
    pd_dvm_delete (self, PD_KIND_ARRAY, g_array_index (group->arrays, gint64, i));
}

/* Empties the group. */
gboolean
pd_dvm_rstcg (PdDvm *self, GError **error)
{
  gint64 id;
  const PdConsistentGroup *old = need_group (self, &id, error);

  if (old == NULL)
    return FALSE;
  PdConsistentGroup *group = group_new (NULL);
  group->owns_them = old->owns_them;
  if (pd_dvm_get (self, PD_DVM_KEY_DelDASign, 0) != 0)
    delete_arrays (self, old);
  pd_dvm_store (self, PD_KIND_CONSISTENT, id, group, FALSE);
  return TRUE;
}

/* A group that is gone already is no error. */
gboolean
pd_dvm_delcg (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  gint64 id = pd_dvm_get (self, PD_DVM_KEY_DAConsistGroupRef, 0);
  const PdConsistentGroup *group = pd_dvm_find (self, PD_KIND_CONSISTENT, id);

  if (group == NULL)
    return TRUE;
  if (group->owns_them)
    delete_arrays (self, group);
  pd_dvm_delete (self, PD_KIND_CONSISTENT, id);
  return TRUE;
}
