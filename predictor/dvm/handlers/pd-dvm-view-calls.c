/* Records that create templates and distribute them.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/handlers/pd-dvm-view-calls-private.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "traces/dvm/pd-dvm-call.h"
#include "predictor/dvm/handlers/pd-dvm-weights-private.h"
#include "predictor/dvm/model/pd-dvm-arrays.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-params.h"
#include "predictor/dvm/model/pd-dvm-teams.h"
#include "predictor/dvm/model/pd-dvm-views.h"

gboolean
pd_dvm_crtamv (PdDvm *self, GError **error)
{
  guint rank;
  gint64 id;

  if (!pd_dvm_need_rank (self, PD_MAX_RANK, &rank, error)
      || !pd_dvm_need (self, PD_DVM_KEY_AMViewRef, &id, error))
    return FALSE;
  const gint64 *sizes = pd_dvm_need_array (self, PD_DVM_KEY_SizeArray, rank, error);
  if (sizes == NULL)
    return FALSE;
  PdView *view = pd_dvm_view_new (self, rank, sizes);
  pd_dvm_placed_forget (self, id);
  pd_dvm_store (self, PD_KIND_VIEW, id, view, TRUE);
  return TRUE;
}

gboolean
pd_dvm_blkdiv (PdDvm *self, GError **error)
{
  gint64 id;
  guint n;
  const PdView *old = pd_dvm_need_view (self, &id, error);

  if (old == NULL)
    return FALSE;
  const gint64 *divisors = pd_dvm_call_get_array (self->reader, PD_DVM_KEY_AMVAxisDiv, &n);
  PdView *view = pd_dvm_view_copy (old);
  for (guint i = 0; i < view->rank; i++)
    view->divisor[i] = i < n ? divisors[i] : 1;
  pd_dvm_store (self, PD_KIND_VIEW, id, view, FALSE);
  return TRUE;
}

/* AxisArray and DistrParamArray of the record, kept in @view. */
static gboolean
read_distribution (PdDvm *self, PdView *view, GError **error)
{
  guint rank = pd_grid_get_rank (view->team->grid);
  gint64 count;

  if (!pd_dvm_need (self, PD_DVM_KEY_ParamCount, &count, error))
    return FALSE;
  if (count < 0 || count > rank)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_GRID,
                        "the template is distributed over %" G_GINT64_FORMAT
                        " dimensions, the processor grid has %u",
                        count, rank);
  view->n_params = (guint) count;
  if (count == 0)
    return TRUE;
  const gint64 *axes = pd_dvm_need_array (self, PD_DVM_KEY_AxisArray, view->n_params, error);
  if (axes == NULL)
    return FALSE;
  const gint64 *params =
      pd_dvm_need_array (self, PD_DVM_KEY_DistrParamArray, view->n_params, error);
  if (params == NULL)
    return FALSE;
  for (guint d = 0; d < view->n_params; d++)
    {
      view->axes[d] = axes[d];
      view->params[d] = params[d];
    }
  return TRUE;
}

/* @view gets what a map remembers of a distribution. */
static void
follow (PdView *view, const PdView *map)
{
  view->n_params = map->n_params;
  for (guint d = 0; d < map->n_params; d++)
    {
      view->axes[d] = map->axes[d];
      view->params[d] = map->params[d];
    }
  for (guint i = 0; i < map->rank; i++)
    view->divisor[i] = map->divisor[i];
  pd_object_unref (view->weighting);
  view->weighting = map->weighting == NULL ? NULL : (gpointer) pd_object_ref (map->weighting);
}

/* The layout of @view by its parameters, on its processor system. */
static gboolean
distribute (PdDvm *self, PdView *view, GError **error)
{
  const PdDvmDistribution distribution = { view->n_params, view->axes, view->params };
  g_auto (PdBlockHints) hints = { .divisor = { 0 } };
  GError *cause = NULL;

  if (!pd_dvm_fill_hints (self, view, view->team, &distribution, &hints, error))
    return FALSE;
  g_clear_pointer (&view->layout, pd_layout_unref);
  view->layout = pd_layout_new_distributed (view->team->grid, view->rank, view->sizes,
                                            &distribution, &hints, &cause);
  if (view->layout == NULL)
    return pd_dvm_layout_failed (self, cause, error);
  pd_dvm_warn_repairs (self, view->layout);
  return TRUE;
}

PdView *
pd_dvm_view_distribute (PdDvm *self, const PdView *old, const PdView *map, GError **error)
{
  PdTeam *team = pd_dvm_need_team (self, PD_DVM_KEY_PSRef, error);

  if (team == NULL)
    return NULL;
  PdView *view = pd_dvm_view_copy (old);
  pd_team_unref (view->team);
  view->team = pd_team_ref (team);
  if (map != NULL)
    follow (view, map);
  if ((map != NULL || read_distribution (self, view, error)) && distribute (self, view, error))
    return view;
  pd_object_unref (view);
  return NULL;
}

gboolean
pd_dvm_distr (PdDvm *self, GError **error)
{
  gint64 id;
  const PdView *old = pd_dvm_need_view (self, &id, error);
  PdView *view = old == NULL ? NULL : pd_dvm_view_distribute (self, old, NULL, error);

  if (view == NULL)
    return FALSE;
  pd_dvm_store (self, PD_KIND_VIEW, id, view, FALSE);
  return TRUE;
}
