/* Reductions: their MPI calls, the calling processors, and the sizes.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/handlers/pd-dvm-reduction.h"
#include "predictor/dvm/handlers/pd-dvm-reduction-private.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-loop.h"
#include "predictor/dvm/model/pd-dvm-arrays.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-families.h"
#include "predictor/dvm/model/pd-dvm-params.h"
#include "predictor/dvm/model/pd-dvm-started.h"
#include "predictor/dvm/model/pd-dvm-teams.h"

/* ---- reduction variables and groups */

enum
{
  RED_MULT = 2,
  RED_MAX = 3,
  RED_MIN = 4,
  RED_EQU = 8,
  RED_EQ = 10,
  TYPE_FLOAT_COMPLEX = 5,
  TYPE_DOUBLE_COMPLEX = 6,
};

/* Bytes of the element types of crtred_. */
static const gint64 element_bytes[] = { 1, 4, 8, 4, 8, 8, 16, 4, 8, 1, 4, 8, 8, 2, 2 };

gint64
pd_dvm_get_type_bytes (gint64 type)
{
  return type >= 0 && type < (gint64) G_N_ELEMENTS (element_bytes) ? element_bytes[type] : 0;
}

/* Elements of a variable; of one that is a distributed array, all of it. */
static gint64
get_length (PdDvm *self)
{
  gint64 length = MAX (pd_dvm_get (self, PD_DVM_KEY_RedArrayLength, 1), 0);
  const PdArray *array = length > 0 ? NULL
                                    : pd_dvm_find_array (self, PD_DVM_KEY_RedArrayHandlePtr,
                                                         PD_DVM_KEY_RedArrayHeader);

  if (array == NULL || array->layout == NULL)
    return length;
  length = 1;
  for (guint i = 0; i < array->rank; i++)
    length *= array->sizes[i]; /* fits: the array has a layout */
  return length;
}

gboolean
pd_dvm_crtred (PdDvm *self, GError **error)
{
  gint64 id, type = pd_dvm_get (self, PD_DVM_KEY_RedArrayType, 4);
  gint64 length = get_length (self);
  gint64 location = pd_dvm_get (self, PD_DVM_KEY_LocElmLength, 0);

  if (!pd_dvm_need (self, PD_DVM_KEY_RedRef, &id, error))
    return FALSE;
  if (type < 0 || type >= (gint64) G_N_ELEMENTS (element_bytes) || length > G_MAXINT32)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
                        "a reduction variable of type %" G_GINT64_FORMAT " and length "
                        "%" G_GINT64_FORMAT,
                        type, length);
  PdRedVar *var = pd_object_new (sizeof *var, NULL);
  var->function = pd_dvm_get (self, PD_DVM_KEY_RedFuncNumb, 1);
  var->type = type;
  var->bytes = length * element_bytes[type];
  /* plain reductions print a LocArrayPtr too, but no length */
  if ((var->function == RED_MAX || var->function == RED_MIN) && location > 0
      && location < G_MAXINT32 && pd_dvm_get (self, PD_DVM_KEY_LocArrayPtr, 0) != 0)
    var->location = length * location;
  pd_dvm_store (self, PD_KIND_REDVAR, id, var, TRUE);
  return TRUE;
}

static void
group_free (gpointer object)
{
  PdRedGroup *group = object;

  g_ptr_array_unref (group->vars);
  g_array_unref (group->var_ids);
  pd_team_unref (group->team);
}

static PdRedGroup *
group_new (gboolean deletes_vars)
{
  PdRedGroup *group = pd_object_new (sizeof *group, group_free);

  group->vars = g_ptr_array_new_with_free_func (pd_object_unref);
  group->var_ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  group->deletes_vars = deletes_vars;
  return group;
}

static PdRedGroup *
group_copy (const PdRedGroup *old)
{
  PdRedGroup *group = group_new (old->deletes_vars);

  for (guint i = 0; i < old->vars->len; i++)
    g_ptr_array_add (group->vars, pd_object_ref (g_ptr_array_index (old->vars, i)));
  g_array_append_vals (group->var_ids, old->var_ids->data, old->var_ids->len);
  group->team = old->team == NULL ? NULL : pd_team_ref (old->team);
  for (guint d = 0; d < PD_MAX_GRID_RANK; d++)
    group->split[d] = old->split[d];
  group->has_split = old->has_split;
  group->is_made = old->is_made;
  return group;
}

gboolean
pd_dvm_crtrg (PdDvm *self, GError **error)
{
  gint64 id;

  if (!pd_dvm_need (self, PD_DVM_KEY_RedGroupRef, &id, error))
    return FALSE;
  pd_dvm_store (self, PD_KIND_REDGROUP, id,
                group_new (pd_dvm_get (self, PD_DVM_KEY_DelRedSign, 0) != 0), TRUE);
  return TRUE;
}

const PdRedGroup *
pd_dvm_need_reduction (PdDvm *self, gint64 *id, GError **error)
{
  if (!pd_dvm_need (self, PD_DVM_KEY_RedGroupRef, id, error))
    return NULL;
  const PdRedGroup *group = pd_dvm_find (self, PD_KIND_REDGROUP, *id);
  if (group == NULL)
    pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                 "reduction group 'RedGroupRef=%" G_GINT64_MODIFIER "x' does not exist",
                 (guint64) *id);
  return group;
}

gboolean
pd_dvm_rstrg (PdDvm *self, GError **error)
{
  gint64 id;
  const PdRedGroup *old = pd_dvm_need_reduction (self, &id, error);

  if (old == NULL)
    return FALSE;
  PdRedGroup *group = group_new (old->deletes_vars);
  pd_dvm_store (self, PD_KIND_REDGROUP, id, group, FALSE);
  return TRUE;
}

/* The object that determines over which processors a variable is reduced; none of
 * them: the current ones. */
typedef struct
{
  PdTeam *team;
  PdLayout *loop; /* (nullable): of a mapped loop */
} Space;

/* One of the objects that insred_ may name; TRUE if it is named, and then
 * @object is NULL if it does not exist. */
static gboolean
get_named (PdDvm *self, PdDvmKey key, PdObjectKind kind, gpointer *object)
{
  gint64 id = pd_dvm_get (self, key, 0);

  *object = id == 0 ? NULL : pd_dvm_find (self, kind, id);
  return id != 0;
}

static gboolean
need_space (PdDvm *self, Space *space, GError **error)
{
  gpointer object;
  gboolean is_named = TRUE;

  *space = (Space){ self->team, NULL };
  if (get_named (self, PD_DVM_KEY_LoopRef, PD_KIND_LOOP, &object))
    {
      const PdLoopObject *loop = object;
      if (loop != NULL && loop->loop != NULL)
        *space = (Space){ loop->team, pd_loop_get_layout (loop->loop) };
    }
  else if (get_named (self, PD_DVM_KEY_AMViewRef, PD_KIND_VIEW, &object))
    space->team = object != NULL && ((PdView *) object)->team != NULL ? ((PdView *) object)->team
                                                                      : self->team;
  else if (get_named (self, PD_DVM_KEY_ArrayHandlePtr, PD_KIND_ARRAY, &object))
    {
      const PdArray *array = object = pd_dvm_need_array_object (self, error);
      if (array == NULL)
        return FALSE;
      space->team = array->team != NULL ? array->team : self->team;
    }
  else
    {
      is_named = FALSE;
      space->team = pd_dvm_need_team (self, PD_DVM_KEY_PSRef, error);
      if (space->team == NULL)
        return FALSE;
    }
  return !is_named || object != NULL
         || pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                         "the loop or template of the reduction does not exist");
}

static void
set_space (PdRedGroup *group, const Space *space)
{
  group->team = pd_team_ref (space->team);
  if (space->loop != NULL)
    group->has_split = pd_layout_reduction_split (space->loop, group->split) > 0;
}

gboolean
pd_dvm_insred (PdDvm *self, GError **error)
{
  gint64 id, var_id;
  Space space;
  const PdRedGroup *old = pd_dvm_need_reduction (self, &id, error);

  if (old == NULL || !pd_dvm_need (self, PD_DVM_KEY_RedRef, &var_id, error)
      || !need_space (self, &space, error))
    return FALSE;
  PdRedVar *var = pd_dvm_find (self, PD_KIND_REDVAR, var_id);
  if (var == NULL)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                        "reduction variable 'RedRef=%" G_GINT64_MODIFIER "x' does not exist",
                        (guint64) var_id);
  PdRedGroup *group = group_copy (old);
  guint i = 0;
  while (i < group->var_ids->len && g_array_index (group->var_ids, gint64, i) != var_id)
    i++;
  if (i == group->var_ids->len)
    {
      g_array_append_val (group->var_ids, var_id);
      g_ptr_array_add (group->vars, pd_object_ref (var));
    }
  if (group->team == NULL)
    set_space (group, &space);
  pd_dvm_store (self, PD_KIND_REDGROUP, id, group, FALSE);
  return TRUE;
}

/* ---- reductions */

/* The run-time's own star instead of MPI_Allreduce */
static gboolean
needs_star (const PdDvm *self, const PdRedGroup *group)
{
  for (guint i = 0; i < group->vars->len; i++)
    {
      const PdRedVar *var = g_ptr_array_index (group->vars, i);
      gboolean is_complex = var->type == TYPE_FLOAT_COMPLEX || var->type == TYPE_DOUBLE_COMPLEX;
      if (var->location > 0 || (var->function >= RED_EQU && var->function <= RED_EQ)
          || (is_complex && var->function == RED_MULT))
        return TRUE;
    }
  return !self->options->mpi_reduce;
}

/* One MPI_Allreduce for each (type, function), in order of first appearance. */
static void
emit_allreduces (PdDvm *self, const PdRedGroup *group, PdCommFamily *family,
                 PdStepOperation *operation)
{
  gboolean is_started = self->options->nonblocking_reductions;
  PdStepDvm *step = NULL;

  for (guint i = 0; i < group->vars->len; i++)
    {
      const PdRedVar *first = g_ptr_array_index (group->vars, i);
      gint64 bytes = 0;
      gboolean is_done = FALSE;
      for (guint k = 0; k < group->vars->len; k++)
        {
          const PdRedVar *var = g_ptr_array_index (group->vars, k);
          if (var->type != first->type || var->function != first->function)
            continue;
          is_done = is_done || k < i;
          bytes += var->bytes;
        }
      if (is_done)
        continue;
      guint32 flags = step == NULL && !is_started ? PD_STEP_ENTERS : 0;
      step = pd_dvm_emit_collective (self, operation, PD_OP_ALLREDUCE, bytes);
      step->flags = flags;
      if (is_started)
        step->kind = PD_STEP_KIND_COLLECTIVE_START;
      pd_comm_family_unref (step->family);
      step->family = pd_comm_family_ref (family);
    }
  step->flags |= is_started ? 0 : PD_STEP_LEAVES;
}

/* The root of a star within its communicator: coordinate size / 2 in every
 * dimension that is not split. */
static guint32
central_rank (const PdRedGroup *group)
{
  const guint32 *sizes = pd_grid_get_sizes (group->team->grid);
  guint32 rank = 0;

  for (guint d = 0; d < pd_grid_get_rank (group->team->grid); d++)
    if (!group->split[d])
      rank = rank * sizes[d] + sizes[d] / 2;
  return rank;
}

static void
emit_star (PdDvm *self, gint64 id, const PdRedGroup *group, PdCommFamily *family,
           PdStepOperation *operation)
{
  PdStepDvm *step = pd_dvm_emit (self, PD_STEP_KIND_STAR_START);

  for (guint i = 0; i < group->vars->len; i++)
    {
      const PdRedVar *var = g_ptr_array_index (group->vars, i);
      operation->bytes += var->bytes + var->location;
    }
  operation->central = central_rank (group);
  operation->overlaps = TRUE;
  step->operation = pd_operation_ref (operation);
  step->family = pd_comm_family_ref (family);
  pd_dvm_started_add (self, PD_KIND_REDGROUP, id, operation, family);
}

/* A group over a replicated loop gets its communicators at its first start. */
static void
make_split (PdDvm *self, gint64 id, const PdRedGroup *group)
{
  PdStepOperation *operation = pd_dvm_operation_new (self, PD_OPERATION_OTHER);

  pd_dvm_count_operation (self, PD_OPERATION_OTHER);
  PdStepDvm *step = pd_dvm_emit_collective (self, operation, PD_OP_COMM_SPLIT, 0);
  PdRedGroup *made = group_copy (group);

  step->flags = PD_STEP_ENTERS | PD_STEP_LEAVES;
  pd_operation_unref (operation);
  made->is_made = TRUE;
  pd_dvm_store (self, PD_KIND_REDGROUP, id, made, FALSE);
}

void
pd_dvm_reduction_start (PdDvm *self, gint64 id, const PdRedGroup *group)
{
  pd_dvm_started_settle (self, PD_KIND_REDGROUP, id);
  if (group->has_split && !group->is_made && !self->options->no_comm_split)
    {
      make_split (self, id, group);
      group = pd_dvm_find (self, PD_KIND_REDGROUP, id);
    }
  PdCommFamily *family = pd_dvm_get_family (self, group->team, group->split);
  PdStepOperation *operation = pd_dvm_operation_new (self, PD_OPERATION_REDUCTION);
  pd_team_unref (operation->team);
  operation->team = pd_team_ref (group->team);
  if (needs_star (self, group))
    emit_star (self, id, group, family, operation);
  else
    emit_allreduces (self, group, family, operation);
  if (self->options->nonblocking_reductions && !needs_star (self, group))
    {
      operation->is_collective = TRUE;
      operation->overlaps = TRUE;
      pd_dvm_started_add (self, PD_KIND_REDGROUP, id, operation, family);
    }
  pd_operation_unref (operation);
}

gboolean
pd_dvm_strtrd (PdDvm *self, GError **error)
{
  gint64 id;
  const PdRedGroup *group = pd_dvm_need_reduction (self, &id, error);

  if (group == NULL || !pd_dvm_need_inside (self, group->team, error))
    return FALSE;
  pd_dvm_count_operation (self, PD_OPERATION_REDUCTION);
  if (group->vars->len > 0)
    pd_dvm_reduction_start (self, id, group);
  return TRUE;
}

gboolean
pd_dvm_reduction_joins (const PdRedGroup *a, const PdRedGroup *b)
{
  if (a->team != b->team)
    return FALSE;
  for (guint d = 0; d < PD_MAX_GRID_RANK; d++)
    if (a->split[d] != b->split[d])
      return FALSE;
  return TRUE;
}

PdRedGroup *
pd_dvm_reduction_join (const PdRedGroup *a, const PdRedGroup *b)
{
  PdRedGroup *group = group_copy (a);

  for (guint i = 0; i < b->vars->len; i++)
    g_ptr_array_add (group->vars, pd_object_ref (g_ptr_array_index (b->vars, i)));
  g_array_append_vals (group->var_ids, b->var_ids->data, b->var_ids->len);
  return group;
}

/* Where MPI_Allreduce did all in strtrd_, nothing is left to wait for. */
gboolean
pd_dvm_waitrd (PdDvm *self, GError **error)
{
  gint64 id;

  if (pd_dvm_need_reduction (self, &id, error) == NULL)
    return FALSE;
  pd_dvm_started_wait (self, PD_KIND_REDGROUP, id);
  return TRUE;
}
