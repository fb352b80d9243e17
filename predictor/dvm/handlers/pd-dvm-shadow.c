/* Shadow groups and barriers: their MPI calls, the calling processors, and the sizes.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/handlers/pd-dvm-shadow-private.h"
#include "predictor/dvm/layout/pd-dvm-layout-shadow.h"
#include "traces/dvm/pd-dvm-call.h"
#include "predictor/dvm/model/pd-dvm-arrays.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-comm.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-params.h"
#include "predictor/dvm/model/pd-dvm-started.h"
#include "predictor/dvm/model/pd-dvm-teams.h"

/* ---- shadow groups */

/* The kinds of exchanges that a group can start. */
static const PdObjectKind shadow_kinds[] = { PD_KIND_SHADOW, PD_STARTED_HALVES, PD_STARTED_BACK };

static void
shadow_free (gpointer object)
{
  PdShadowGroup *group = object;

  g_array_unref (group->arrays);
  pd_team_unref (group->team);
}

/* @old: (nullable): what it is a new version of */
static PdShadowGroup *
shadow_new (PdDvm *self, const PdShadowGroup *old)
{
  PdShadowGroup *group = pd_object_new (sizeof *group, shadow_free);

  for (guint i = 0; i < G_N_ELEMENTS (group->tags); i++)
    group->tags[i] = old != NULL ? old->tags[i] : pd_dvm_new_tag (self);

  group->arrays = g_array_new (FALSE, TRUE, sizeof (PdShadowArray));
  g_array_set_clear_func (group->arrays, pd_dvm_shadow_array_clear);
  return group;
}

gboolean
pd_dvm_crtshg (PdDvm *self, GError **error)
{
  gint64 id;

  if (!pd_dvm_need (self, PD_DVM_KEY_ShadowGroupRef, &id, error))
    return FALSE;
  /* no call waits for the started exchanges of an older group of that name */
  for (guint i = 0; i < G_N_ELEMENTS (shadow_kinds); i++)
    pd_dvm_started_settle (self, shadow_kinds[i], id);
  pd_dvm_store (self, PD_KIND_SHADOW, id, shadow_new (self, NULL), TRUE);
  return TRUE;
}

const PdShadowGroup *
pd_dvm_need_shadow (PdDvm *self, gint64 *id, GError **error)
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

gboolean
pd_dvm_rstshg (PdDvm *self, GError **error)
{
  gint64 id;

  const PdShadowGroup *old = pd_dvm_need_shadow (self, &id, error);

  if (old == NULL)
    return FALSE;
  pd_dvm_store (self, PD_KIND_SHADOW, id, shadow_new (self, old), FALSE);
  return TRUE;
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

/* One side of incsh_: positions @first to @last within the declared edge of
 * @own elements, counted from below; no @first: @last is a width. */
static void
read_positions (gint64 first, gint64 last, gint64 own, gboolean is_low, gint64 *width, gint64 *skip)
{
  *skip = 0;
  *width = last < 0 ? own : MIN (last, own);
  if (first < 0)
    return;
  last = CLAMP (last, first - 1, own - 1);
  *width = MAX (last - first + 1, 0);
  /* position 0 is the outermost of the low edge, the innermost of the high one */
  *skip = *width == 0 ? 0 : is_low ? own - 1 - last : first;
}

/* The edges that incsh_ and incshd_ exchange. */
static void
read_limits (PdDvm *self, const PdArray *array, PdShadowArray *entry)
{
  static const PdDvmKey keys[] = { PD_DVM_KEY_InitDimIndex,    PD_DVM_KEY_LastDimIndex,
                                   PD_DVM_KEY_InitLowShdIndex, PD_DVM_KEY_LastLowShdIndex,
                                   PD_DVM_KEY_InitHiShdIndex,  PD_DVM_KEY_LastHiShdIndex };
  gint64 values[G_N_ELEMENTS (keys)];

  for (guint i = 0; i < array->rank; i++)
    {
      for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
        {
          guint n;
          const gint64 *given = pd_dvm_call_get_array (self->reader, keys[k], &n);
          values[k] = i < n ? given[i] : -1;
        }
      if (values[0] >= 0)
        {
          entry->limited |= (guint8) (1u << i);
          entry->first[i] = values[0];
          entry->last[i] = values[1];
        }
      read_positions (values[2], values[3], array->low[i], TRUE, &entry->low[i],
                      &entry->low_skip[i]);
      read_positions (values[4], values[5], array->high[i], FALSE, &entry->high[i],
                      &entry->high_skip[i]);
    }
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
  if (self->call->function == PD_DVM_incsh_ || self->call->function == PD_DVM_incshd_)
    read_limits (self, array, entry);
  for (guint i = 0; i < array->rank; i++)
    entry->sign[i] = (guint8) (i < n ? signs[i] & 7 : 7);
}

/* Arrays of several processor systems: everybody looks for its messages. */
static PdTeam *
find_team (PdDvm *self, PdTeam *old, PdTeam *team)
{
  if (old == NULL || old == team)
    return team;
  return pd_team_covers (self->team, old) && pd_team_covers (self->team, team) ? self->team
                                                                               : self->initial;
}

gboolean
pd_dvm_inssh (PdDvm *self, GError **error)
{
  gint64 id;
  const PdShadowGroup *old = pd_dvm_need_shadow (self, &id, error);
  const PdArray *array = old == NULL ? NULL : pd_dvm_need_array_object (self, error);

  if (array == NULL)
    return FALSE;
  if (array->layout == NULL)
    {
      pd_dvm_warn (self, "pattern-not-mapped", self->call->name,
                   "'%s' uses an array whose distribution is not modelled", self->call->name);
      return TRUE;
    }
  PdShadowGroup *group = shadow_new (self, old);
  for (guint i = 0; i < old->arrays->len; i++)
    {
      PdShadowArray entry = g_array_index (old->arrays, PdShadowArray, i);
      pd_layout_ref (entry.layout);
      g_array_append_val (group->arrays, entry);
    }
  PdShadowArray entry = { 0 };
  fill_shadow_array (self, array, &entry);
  g_array_append_val (group->arrays, entry);
  group->team = pd_team_ref (find_team (self, old->team, array->team));
  pd_dvm_store (self, PD_KIND_SHADOW, id, group, FALSE);
  return TRUE;
}

void
pd_dvm_shadow_start (PdDvm *self, const PdShadowGroup *group, gint64 id)
{
  pd_dvm_count_operation (self, PD_OPERATION_SHADOW);
  if (group->arrays->len == 0)
    return;
  PdPlan *plan = pd_shadow_plan_new ((const PdShadowArray *) (gpointer) group->arrays->data,
                                     group->arrays->len, self->messages);
  PdStepOperation *operation =
      pd_dvm_emit_exchange (self, group->team, plan, PD_OPERATION_SHADOW, TRUE);
  pd_dvm_started_settle (self, PD_KIND_SHADOW, id);
  pd_dvm_started_add (self, PD_KIND_SHADOW, id, operation, NULL);
  pd_operation_unref (operation);
}

gboolean
pd_dvm_strtsh (PdDvm *self, GError **error)
{
  gint64 id;
  const PdShadowGroup *group = pd_dvm_need_shadow (self, &id, error);

  if (group == NULL || !pd_dvm_need_inside (self, group->team, error))
    return FALSE;
  pd_dvm_shadow_start (self, group, id);
  return TRUE;
}

gboolean
pd_dvm_waitsh (PdDvm *self, GError **error)
{
  gint64 id;

  if (pd_dvm_need_shadow (self, &id, error) == NULL)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (shadow_kinds); i++)
    pd_dvm_started_wait (self, shadow_kinds[i], id);
  return TRUE;
}

/* ---- barriers */

gboolean
pd_dvm_bsynch (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  PdStepOperation *operation = pd_dvm_operation_new (self, PD_OPERATION_OTHER);

  pd_dvm_count_operation (self, PD_OPERATION_OTHER);
  PdStepDvm *step = pd_dvm_emit_collective (self, operation, PD_OP_BARRIER, 0);

  step->flags = PD_STEP_ENTERS | PD_STEP_LEAVES;
  pd_operation_unref (operation);
  return TRUE;
}
