/* Templates and arrays that get another layout while they hold data: which data
 * move where; and what the program remembers of
 * layouts in maps.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/handlers/pd-dvm-redistribution-private.h"
#include "predictor/dvm/layout/pd-dvm-layout-inside.h"
#include "predictor/dvm/layout/pd-dvm-layout-align.h"
#include "traces/dvm/pd-dvm-call.h"
#include "predictor/dvm/handlers/pd-dvm-copies-private.h"
#include "predictor/dvm/handlers/pd-dvm-view-calls-private.h"
#include "predictor/dvm/model/pd-dvm-arrays.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-copy-memory.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-params.h"
#include "predictor/dvm/model/pd-dvm-views.h"

/* The program may say that the contents need not be kept. */
static gboolean
keeps_contents (PdDvm *self)
{
  return pd_dvm_get (self, PD_DVM_KEY_NewSign, 0) == 0;
}

/* The array @old becomes @moved, and with it its data. */
static void
move_data (PdDvm *self, const PdArray *old, const PdArray *moved)
{
  PdSection from, to;

  if (!pd_section_init (&from, old->layout, NULL, NULL, NULL, NULL)
      || !pd_section_init (&to, moved->layout, NULL, NULL, NULL, NULL))
    return;
  from.once = self->options->dedupe_copies;
  PdPlan *plan = pd_dvm_copy_memory_plan_new (pd_copy_plan_new (&from, &to, old->type_size), &to,
                                              old->type_size, TRUE);
  pd_dvm_finish_copy (self, pd_dvm_emit_copy (self, old->team, moved->team, plan,
                                              PD_OPERATION_REDISTRIBUTION, FALSE));
}

static void
check_sign (PdDvm *self, const PdArray *array, gboolean allowed)
{
  if (!allowed)
    pd_dvm_warn (self, "redistribution-not-allowed", self->call->name,
                 "'%s' moves array %" G_GINT64_MODIFIER
                 "x, which was created with a ReDistrSign that forbids it",
                 self->call->name, (guint64) array->handle);
}

/* ---- templates */

/* The template that redis_ means: the record may name an array that lies on it. */
static const PdView *
need_redistributed_view (PdDvm *self, gint64 *id, GError **error)
{
  gint64 handle;

  if (!pd_dvm_call_get (self->reader, PD_DVM_KEY_ArrayHandlePtr, &handle))
    return pd_dvm_need_view (self, id, error);
  const PdArray *array = pd_dvm_need_array_object (self, error);
  if (array == NULL)
    return NULL;
  *id = array->view;
  const PdView *view = array->view == 0 ? NULL : pd_dvm_find (self, PD_KIND_VIEW, array->view);
  if (view == NULL)
    pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                 "array 'ArrayHandlePtr=%" G_GINT64_MODIFIER "x' lies on no template",
                 (guint64) handle);
  return view;
}

/* Every array keeps its alignment; its data follow. */
static void
move_arrays (PdDvm *self, gint64 id, const PdView *view)
{
  g_autoptr (GArray) handles = pd_dvm_placed_list (self, id);

  for (guint i = 0; i < handles->len; i++)
    {
      PdArray *old = pd_dvm_find (self, PD_KIND_ARRAY, g_array_index (handles, gint64, i));
      if (old == NULL || old->layout == NULL)
        continue;
      check_sign (self, old, old->may_redistribute);
      PdArray *moved =
          pd_array_move (old, pd_layout_new_redistributed (old->layout, view->layout), view->team);
      if (keeps_contents (self))
        move_data (self, old, moved);
      pd_dvm_store_array (self, moved, FALSE);
    }
}

static const PdView *
need_view_map (PdDvm *self, const PdView *view, GError **error)
{
  gint64 id;

  if (!pd_dvm_need (self, PD_DVM_KEY_AMViewMapRef, &id, error))
    return NULL;
  const PdView *map = pd_dvm_find (self, PD_KIND_VIEW_MAP, id);
  if (map == NULL)
    {
      pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                   "map 'AMViewMapRef=%" G_GINT64_MODIFIER "x' does not exist", (guint64) id);
      return NULL;
    }
  if (map->rank == view->rank)
    return map;
  pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
               "a map of rank %u for a template of rank %u", map->rank, view->rank);
  return NULL;
}

gboolean
pd_dvm_redis (PdDvm *self, GError **error)
{
  gboolean by_map = self->call->function == PD_DVM_mredis_;
  gint64 id;
  const PdView *old = need_redistributed_view (self, &id, error);
  const PdView *map = old == NULL || !by_map ? NULL : need_view_map (self, old, error);

  if (old == NULL || (by_map && map == NULL))
    return FALSE;
  PdView *view = pd_dvm_view_distribute (self, old, map, error);
  if (view == NULL)
    return FALSE;
  pd_dvm_count_operation (self, PD_OPERATION_REDISTRIBUTION);
  if (old->layout == NULL)
    pd_dvm_warn (self, "not-distributed", self->call->name,
                 "'%s' of a template that was not distributed: taken as distr_", self->call->name);
  pd_object_ref (view);
  pd_dvm_store (self, PD_KIND_VIEW, id, view, FALSE);
  move_arrays (self, id, view);
  pd_object_unref (view);
  return TRUE;
}

gboolean
pd_dvm_mdistr (PdDvm *self, GError **error)
{
  gint64 id;
  const PdView *old = pd_dvm_need_view (self, &id, error);
  const PdView *map = old == NULL ? NULL : need_view_map (self, old, error);
  PdView *view = map == NULL ? NULL : pd_dvm_view_distribute (self, old, map, error);

  if (view == NULL)
    return FALSE;
  pd_dvm_store (self, PD_KIND_VIEW, id, view, FALSE);
  return TRUE;
}

gboolean
pd_dvm_amvmap (PdDvm *self, GError **error)
{
  gint64 id, map;
  const PdView *view = pd_dvm_need_view (self, &id, error);

  if (view == NULL || !pd_dvm_need (self, PD_DVM_KEY_AMViewMapRef, &map, error))
    return FALSE;
  if (view->layout == NULL)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                        "template 'AMViewRef=%" G_GINT64_MODIFIER "x' is not distributed",
                        (guint64) id);
  pd_dvm_store (self, PD_KIND_VIEW_MAP, map, pd_dvm_view_copy (view), TRUE);
  return TRUE;
}

/* The measured times of loops are put together; where the program got them from
 * is not in the trace, only how many there are. */
gboolean
pd_dvm_gettar (PdDvm *self, GError **error)
{
  gint64 id, n = pd_dvm_get (self, PD_DVM_KEY_Res, 0);
  const PdView *view = pd_dvm_need_view (self, &id, error);

  if (view == NULL)
    return FALSE;
  pd_dvm_count_operation (self, PD_OPERATION_REDISTRIBUTION);
  if (n < 1 || self->team->n == 1)
    return TRUE;
  PdStepOperation *operation = pd_dvm_operation_new (self, PD_OPERATION_REDISTRIBUTION);
  PdStepDvm *step =
      pd_dvm_emit_collective (self, operation, PD_OP_ALLREDUCE, 8 * MIN (n, G_MAXINT32));
  step->flags = PD_STEP_ENTERS | PD_STEP_LEAVES;
  pd_operation_unref (operation);
  return TRUE;
}

/* ---- arrays */

/* @aligned (transfer full) takes the place of @old. */
static void
realign (PdDvm *self, const PdArray *old, PdArray *aligned)
{
  pd_dvm_count_operation (self, PD_OPERATION_REDISTRIBUTION);
  if (old->layout == NULL)
    pd_dvm_warn (self, "not-aligned", self->call->name,
                 "'%s' of an array that was not aligned: taken as align_", self->call->name);
  else
    {
      check_sign (self, old, old->may_realign);
      if (keeps_contents (self))
        move_data (self, old, aligned);
    }
  pd_dvm_store_aligned (self, aligned);
}

gboolean
pd_dvm_realn (PdDvm *self, GError **error)
{
  const PdArray *old = pd_dvm_need_array_object (self, error);
  PdArray *aligned;

  if (old == NULL || !pd_dvm_read_alignment (self, old, &aligned, error))
    return FALSE;
  if (aligned != NULL)
    realign (self, old, aligned);
  return TRUE;
}

/* The map that the record names fits @array: it was made of one of the same shape. */
static const PdArray *
need_array_map (PdDvm *self, const PdArray *array, GError **error)
{
  gint64 id;
  gboolean fits = TRUE;

  if (!pd_dvm_need (self, PD_DVM_KEY_ArrayMapRef, &id, error))
    return NULL;
  const PdArray *map = pd_dvm_find (self, PD_KIND_ARRAY_MAP, id);
  if (map == NULL)
    {
      pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                   "map 'ArrayMapRef=%" G_GINT64_MODIFIER "x' does not exist", (guint64) id);
      return NULL;
    }
  fits = map->rank == array->rank;
  for (guint i = 0; fits && i < map->rank; i++)
    fits = map->sizes[i] == array->sizes[i];
  if (fits)
    return map;
  pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
               "the map was made for an array of another shape");
  return NULL;
}

/* The template that the record names, or else the map's own. */
static const PdView *
need_map_view (PdDvm *self, const PdArray *map, gint64 *id, GError **error)
{
  *id = pd_dvm_get (self, PD_DVM_KEY_AMViewRef, 0);
  if (*id == 0)
    *id = map->view;
  const PdView *view = pd_dvm_find (self, PD_KIND_VIEW, *id);
  if (view == NULL)
    {
      pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                   "template 'AMViewRef=%" G_GINT64_MODIFIER "x' does not exist", (guint64) *id);
      return NULL;
    }
  if (view->layout != NULL && view->rank == map->layout->n_rules)
    return view;
  pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
               "template 'AMViewRef=%" G_GINT64_MODIFIER
               "x' is not distributed, or not of rank %u as the map is",
               (guint64) *id, map->layout->n_rules);
  return NULL;
}

gboolean
pd_dvm_malign (PdDvm *self, GError **error)
{
  gint64 id;
  const PdArray *old = pd_dvm_need_array_object (self, error);
  const PdArray *map = old == NULL ? NULL : need_array_map (self, old, error);
  const PdView *view = map == NULL ? NULL : need_map_view (self, map, &id, error);

  if (view == NULL)
    return FALSE;
  PdLayout *layout = pd_layout_new_redistributed (map->layout, view->layout);
  PdArray *aligned = pd_array_move (old, layout, view->team);
  aligned->view = id;
  if (self->call->function == PD_DVM_mrealn_)
    realign (self, old, aligned);
  else
    pd_dvm_store_aligned (self, aligned);
  return TRUE;
}

gboolean
pd_dvm_arrmap (PdDvm *self, GError **error)
{
  gint64 map;
  const PdArray *array = pd_dvm_need_array_object (self, error);

  if (array == NULL || !pd_dvm_need (self, PD_DVM_KEY_ArrayMapRef, &map, error))
    return FALSE;
  if (array->layout == NULL)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                        "array 'ArrayHandlePtr=%" G_GINT64_MODIFIER "x' is not aligned",
                        (guint64) array->handle);
  pd_dvm_store (self, PD_KIND_ARRAY_MAP, map,
                pd_array_move (array, pd_layout_ref (array->layout), array->team), TRUE);
  return TRUE;
}
