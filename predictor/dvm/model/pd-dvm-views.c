/* Templates and their versions.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-views.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-params.h"

static void
view_free (gpointer object)
{
  PdView *view = object;

  g_clear_pointer (&view->layout, pd_layout_unref);
  pd_team_unref (view->team);
  pd_object_unref (view->weighting);
}

PdView *
pd_dvm_view_new (PdDvm *self, guint rank, const gint64 *sizes)
{
  PdView *view = pd_object_new (sizeof *view, view_free);

  view->rank = rank;
  view->serial = ++self->last_view;
  for (guint i = 0; i < rank; i++)
    {
      view->sizes[i] = sizes[i];
      view->divisor[i] = 1;
    }
  return view;
}

PdView *
pd_dvm_view_copy (const PdView *old)
{
  PdView *view = pd_object_new (sizeof *view, view_free);
  PdObject base = view->base;

  *view = *old;
  view->base = base;
  view->layout = old->layout == NULL ? NULL : pd_layout_ref (old->layout);
  view->team = old->team == NULL ? NULL : pd_team_ref (old->team);
  view->weighting = old->weighting == NULL ? NULL : (gpointer) pd_object_ref (old->weighting);
  return view;
}

PdView *
pd_dvm_need_view (PdDvm *self, gint64 *id, GError **error)
{
  if (!pd_dvm_need (self, PD_DVM_KEY_AMViewRef, id, error))
    return NULL;
  PdView *view = pd_dvm_find (self, PD_KIND_VIEW, *id);
  if (view == NULL)
    pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                 "template 'AMViewRef=%" G_GINT64_MODIFIER "x' does not exist", (guint64) *id);
  return view;
}
