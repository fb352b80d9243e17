/* Reductions, shadow edges, barriers: which MPI calls they make, by whom, with
 * what sizes (spec 11 sections 6.1, 6.4, 6.10).
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-dvm-private.h"

/* ---- operations that are started and waited for later */

static gint64 *
started_key (PdObjectKind kind, gint64 id)
{
  gint64 *key = g_new (gint64, 1);

  *key = (gint64) ((guint64) id * 2 + (kind == PD_KIND_SHADOW));
  return key;
}

static void
remember_started (PdDvm *self, PdObjectKind kind, gint64 id, PdOperation *operation)
{
  g_hash_table_replace (self->started, started_key (kind, id), operation);
}

/* (transfer full) (nullable) */
static PdOperation *
take_started (PdDvm *self, PdObjectKind kind, gint64 id)
{
  g_autofree gint64 *key = started_key (kind, id);
  PdOperation *operation = g_hash_table_lookup (self->started, key);

  if (operation != NULL)
    {
      pd_operation_ref (operation);
      g_hash_table_remove (self->started, key);
    }
  return operation;
}

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

/* Bytes of the element types of crtred_, spec 11 section 6.4. */
static const gint64 element_bytes[] = { 1, 4, 8, 4, 8, 8, 16, 4, 8, 1, 4, 8, 8, 2, 2 };

gboolean
pd_dvm_crtred (PdDvm *self, GError **error)
{
  gint64 id, type = pd_dvm_get (self, PD_DVM_KEY_RedArrayType, 4);
  gint64 length = MAX (pd_dvm_get (self, PD_DVM_KEY_RedArrayLength, 1), 0);
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

  group->base.context = old->base.context;
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

static const PdRedGroup *
need_group (PdDvm *self, gint64 *id, GError **error)
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
  const PdRedGroup *old = need_group (self, &id, error);

  if (old == NULL)
    return FALSE;
  PdRedGroup *group = group_new (old->deletes_vars);
  group->base.context = old->base.context;
  pd_dvm_store (self, PD_KIND_REDGROUP, id, group, FALSE);
  return TRUE;
}

/* Over which processors a variable is reduced: those of a loop, an array, a
 * template, or the current ones. */
static void
find_space (PdDvm *self, PdRedGroup *group)
{
  gint64 loop_id = pd_dvm_get (self, PD_DVM_KEY_LoopRef, 0);
  const PdLoopObject *loop
      = loop_id == 0 ? NULL : pd_dvm_find (self, PD_KIND_LOOP, loop_id);
  const PdArray *array
      = pd_dvm_find_array (self, PD_DVM_KEY_ArrayHandlePtr, PD_DVM_KEY_ArrayHeader);
  const PdView *view
      = pd_dvm_find (self, PD_KIND_VIEW, pd_dvm_get (self, PD_DVM_KEY_AMViewRef, 0));
  PdTeam *team = self->team;

  if (loop != NULL && loop->loop != NULL)
    {
      team = loop->team;
      group->has_split
          = pd_layout_reduction_split (pd_loop_get_layout (loop->loop), group->split) > 0;
    }
  else if (array != NULL && array->team != NULL)
    team = array->team;
  else if (view != NULL && view->team != NULL)
    team = view->team;
  group->team = pd_team_ref (team);
}

gboolean
pd_dvm_insred (PdDvm *self, GError **error)
{
  gint64 id, var_id;
  const PdRedGroup *old = need_group (self, &id, error);

  if (old == NULL || !pd_dvm_need (self, PD_DVM_KEY_RedRef, &var_id, error))
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
    find_space (self, group);
  pd_dvm_store (self, PD_KIND_REDGROUP, id, group, FALSE);
  return TRUE;
}

/* ---- reductions */

/* The run-time's own star instead of MPI_Allreduce: spec 11 section 6.4. */
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
                 PdOperation *operation)
{
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
      guint32 flags = step == NULL ? PD_STEP_ENTERS : 0;
      step = pd_dvm_emit_collective (self, operation, PD_OP_ALLREDUCE, bytes);
      step->flags = flags;
      pd_comm_family_unref (step->family);
      step->family = pd_comm_family_ref (family);
    }
  step->flags |= PD_STEP_LEAVES;
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
           PdOperation *operation)
{
  PdStepDvm *step = pd_dvm_emit (self, PD_STEP_KIND_STAR_START);

  for (guint i = 0; i < group->vars->len; i++)
    {
      const PdRedVar *var = g_ptr_array_index (group->vars, i);
      operation->bytes += var->bytes + var->location;
    }
  operation->central = central_rank (group);
  operation->overlap = PD_Q_REDUCTION_OVERLAP;
  step->operation = pd_operation_ref (operation);
  step->family = pd_comm_family_ref (family);
  remember_started (self, PD_KIND_REDGROUP, id, pd_operation_ref (operation));
}

/* A group over a replicated loop gets its communicators at its first start. */
static void
make_split (PdDvm *self, gint64 id, const PdRedGroup *group)
{
  PdOperation *operation = pd_dvm_operation_new (self, PD_Q_OTHER_COMM);
  PdStepDvm *step = pd_dvm_emit_collective (self, operation, PD_OP_COMM_SPLIT, 0);
  PdRedGroup *made = group_copy (group);

  step->flags = PD_STEP_ENTERS | PD_STEP_LEAVES;
  pd_operation_unref (operation);
  made->is_made = TRUE;
  pd_dvm_store (self, PD_KIND_REDGROUP, id, made, FALSE);
}

gboolean
pd_dvm_strtrd (PdDvm *self, GError **error)
{
  gint64 id;
  const PdRedGroup *group = need_group (self, &id, error);

  if (group == NULL)
    return FALSE;
  pd_dvm_count (self, PD_Q_N_REDUCTION);
  if (group->vars->len == 0)
    return TRUE;
  if (group->has_split && !group->is_made && !self->options->no_comm_split)
    {
      make_split (self, id, group);
      group = pd_dvm_find (self, PD_KIND_REDGROUP, id);
    }
  PdCommFamily *family = pd_dvm_get_family (self, group->team, group->split);
  PdOperation *operation = pd_dvm_operation_new (self, PD_Q_WAIT_REDUCTION);
  pd_team_unref (operation->team);
  operation->team = pd_team_ref (group->team);
  if (needs_star (self, group))
    emit_star (self, id, group, family, operation);
  else
    emit_allreduces (self, group, family, operation);
  pd_operation_unref (operation);
  return TRUE;
}

/* Where MPI_Allreduce did all in strtrd_, nothing is left to wait for. */
gboolean
pd_dvm_waitrd (PdDvm *self, GError **error)
{
  gint64 id;
  const PdRedGroup *group = need_group (self, &id, error);

  if (group == NULL)
    return FALSE;
  PdOperation *operation = take_started (self, PD_KIND_REDGROUP, id);
  if (operation == NULL)
    return TRUE;
  PdStepDvm *step = pd_dvm_emit (self, PD_STEP_KIND_STAR_WAIT);
  step->flags = PD_STEP_ENTERS | PD_STEP_LEAVES;
  step->operation = operation;
  step->family
      = pd_comm_family_ref (pd_dvm_get_family (self, group->team, group->split));
  return TRUE;
}

/* ---- shadow groups */

static void
shadow_array_clear (gpointer data)
{
  pd_layout_unref (((PdShadowArray *) data)->layout);
}

static void
shadow_free (gpointer object)
{
  PdShadowGroup *group = object;

  g_array_unref (group->arrays);
  pd_team_unref (group->team);
}

static PdShadowGroup *
shadow_new (void)
{
  PdShadowGroup *group = pd_object_new (sizeof *group, shadow_free);

  group->arrays = g_array_new (FALSE, TRUE, sizeof (PdShadowArray));
  g_array_set_clear_func (group->arrays, shadow_array_clear);
  return group;
}

gboolean
pd_dvm_crtshg (PdDvm *self, GError **error)
{
  gint64 id;

  if (!pd_dvm_need (self, PD_DVM_KEY_ShadowGroupRef, &id, error))
    return FALSE;
  pd_dvm_store (self, PD_KIND_SHADOW, id, shadow_new (), self->call->function == PD_DVM_crtshg_);
  return TRUE;
}

static const PdShadowGroup *
need_shadow (PdDvm *self, gint64 *id, GError **error)
{
  if (!pd_dvm_need (self, PD_DVM_KEY_ShadowGroupRef, id, error))
    return NULL;
  const PdShadowGroup *group = pd_dvm_find (self, PD_KIND_SHADOW, *id);
  if (group == NULL)
    pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                 "shadow group 'ShadowGroupRef=%" G_GINT64_MODIFIER "x' does not exist",
                 (guint64) *id);
  return group;
}

/* Widths of the record; -1, or none, is the array's own. */
static void
read_widths (PdDvm *self, PdDvmKey key, guint rank, const gint64 *own, gint64 *widths)
{
  guint n;
  const gint64 *given = pd_dvm_call_get_array (self->reader, key, &n);

  for (guint i = 0; i < rank; i++)
    widths[i] = i < n && given[i] >= 0 ? MIN (given[i], own[i]) : own[i];
}

static void
fill_shadow_array (PdDvm *self, const PdArray *array, PdShadowArray *entry)
{
  guint n;
  const gint64 *signs = pd_dvm_call_get_array (self->reader, PD_DVM_KEY_ShdSignArray, &n);
  gint64 full = pd_dvm_get (self, PD_DVM_KEY_FullShdSign, 0);
  gint64 count = pd_dvm_get (self, PD_DVM_KEY_MaxShdCount, full != 0 ? array->rank : 1);

  entry->layout = pd_layout_ref (array->layout);
  entry->type_size = array->type_size;
  entry->max_count = (guint) CLAMP (count, 1, array->rank);
  read_widths (self, PD_DVM_KEY_LowShdWidthArray, array->rank, array->low, entry->low);
  read_widths (self, PD_DVM_KEY_HiShdWidthArray, array->rank, array->high, entry->high);
  for (guint i = 0; i < array->rank; i++)
    entry->sign[i] = (guint8) (i < n ? signs[i] & 7 : 7);
}

gboolean
pd_dvm_inssh (PdDvm *self, GError **error)
{
  gint64 id;
  const PdShadowGroup *old = need_shadow (self, &id, error);
  const PdArray *array
      = pd_dvm_find_array (self, PD_DVM_KEY_ArrayHandlePtr, PD_DVM_KEY_ArrayHeader);

  if (old == NULL)
    return FALSE;
  if (array == NULL)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                        "array 'ArrayHandlePtr=%" G_GINT64_MODIFIER "x' does not exist",
                        (guint64) pd_dvm_get (self, PD_DVM_KEY_ArrayHandlePtr, 0));
  if (array->layout == NULL)
    {
      pd_dvm_warn (self, "pattern-not-mapped", self->call->name,
                   "'%s' uses an array whose distribution is not modelled", self->call->name);
      return TRUE;
    }
  PdShadowGroup *group = shadow_new ();
  group->base.context = old->base.context;
  for (guint i = 0; i < old->arrays->len; i++)
    {
      PdShadowArray entry = g_array_index (old->arrays, PdShadowArray, i);
      pd_layout_ref (entry.layout);
      g_array_append_val (group->arrays, entry);
    }
  PdShadowArray entry = { 0 };
  fill_shadow_array (self, array, &entry);
  g_array_append_val (group->arrays, entry);
  group->team = pd_team_ref (old->team != NULL ? old->team : array->team);
  pd_dvm_store (self, PD_KIND_SHADOW, id, group, FALSE);
  return TRUE;
}

gboolean
pd_dvm_strtsh (PdDvm *self, GError **error)
{
  gint64 id;
  const PdShadowGroup *group = need_shadow (self, &id, error);

  if (group == NULL)
    return FALSE;
  pd_dvm_count (self, PD_Q_N_SHADOW);
  if (group->arrays->len == 0)
    return TRUE;
  PdOperation *operation = pd_dvm_operation_new (self, PD_Q_WAIT_SHADOW);
  pd_team_unref (operation->team);
  operation->team = pd_team_ref (group->team);
  operation->overlap = PD_Q_SHADOW_OVERLAP;
  operation->plan = pd_shadow_plan_new ((const PdShadowArray *) (gpointer) group->arrays->data,
                                        group->arrays->len, self->messages);
  pd_dvm_emit (self, PD_STEP_KIND_EXCHANGE_START)->operation = pd_operation_ref (operation);
  remember_started (self, PD_KIND_SHADOW, id, operation);
  return TRUE;
}

gboolean
pd_dvm_waitsh (PdDvm *self, GError **error)
{
  gint64 id;

  if (!pd_dvm_need (self, PD_DVM_KEY_ShadowGroupRef, &id, error))
    return FALSE;
  PdOperation *operation = take_started (self, PD_KIND_SHADOW, id);
  if (operation == NULL)
    return TRUE;
  PdStepDvm *step = pd_dvm_emit (self, PD_STEP_KIND_EXCHANGE_WAIT);
  step->operation = operation;
  step->flags = PD_STEP_ENTERS | PD_STEP_LEAVES;
  return TRUE;
}

/* ---- barriers */

gboolean
pd_dvm_bsynch (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  PdOperation *operation = pd_dvm_operation_new (self, PD_Q_OTHER_COMM);
  PdStepDvm *step = pd_dvm_emit_collective (self, operation, PD_OP_BARRIER, 0);

  step->flags = PD_STEP_ENTERS | PD_STEP_LEAVES;
  pd_operation_unref (operation);
  return TRUE;
}
