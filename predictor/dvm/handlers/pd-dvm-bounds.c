/* Loops that are executed on shadow elements, too (addbnd_, addshd_) The records come before mappl_
 * and name no loop: they are about the next one that is mapped.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/handlers/pd-dvm-bounds-private.h"
#include "predictor/dvm/layout/pd-dvm-layout-align.h"
#include "predictor/dvm/layout/pd-dvm-layout-halo.h"
#include "predictor/dvm/layout/pd-dvm-layout-loop.h"
#include "traces/dvm/pd-dvm-call.h"
#include "predictor/dvm/model/pd-dvm-arrays.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-multi-file.h"

struct _PdShadowBounds
{
  gboolean is_forbidden; /* by rstba_ */
  gboolean all;          /* addbnd_: all widths of the array that the loop is mapped on */
  guint rank;            /* addshd_: of the arrays it named; 0 = none */
  PdHaloWidths widths;
};

PdShadowBounds *
pd_dvm_bounds_new (void)
{
  return g_new0 (PdShadowBounds, 1);
}

void
pd_dvm_bounds_forget (PdDvm *self)
{
  *self->bounds = (PdShadowBounds){ .is_forbidden = self->bounds->is_forbidden };
}

gboolean
pd_dvm_addbnd (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  self->bounds->all = TRUE;
  return TRUE;
}

/* Adds widths of the record, where -1, or none, is the array's own. */
static void
add_widths (PdDvm *self, PdDvmKey key, const PdArray *array, const gint64 *own, gint64 *widths)
{
  guint n;
  const gint64 *given = pd_dvm_call_get_array (self->reader, key, &n);

  for (guint i = 0; i < array->rank; i++)
    widths[i] = MAX (widths[i], i < n && given[i] >= 0 ? MIN (given[i], own[i]) : own[i]);
}

gboolean
pd_dvm_addshd (PdDvm *self, GError **error)
{
  PdShadowBounds *bounds = self->bounds;
  const PdArray *array = pd_dvm_need_array_object (self, error);

  if (array == NULL)
    return FALSE;
  if (bounds->rank != 0 && bounds->rank != array->rank)
    {
      pd_dvm_warn (self, "bounds-ignored", self->call->name,
                   "'%s' names an array of another rank than the one before: left out",
                   self->call->name);
      return TRUE;
    }
  bounds->rank = array->rank;
  add_widths (self, PD_DVM_KEY_LowShdWidthArray, array, array->low, bounds->widths.low);
  add_widths (self, PD_DVM_KEY_HiShdWidthArray, array, array->high, bounds->widths.high);
  return TRUE;
}

/* setba_, rstba_ */
gboolean
pd_dvm_setba (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  self->bounds->is_forbidden = self->call->function == PD_DVM_rstba_;
  return TRUE;
}

/* The widths by which a loop on @array (nullable) of @rank is extended. */
static gboolean
get_widths (PdDvm *self, const PdArray *array, guint rank, PdHaloWidths *widths)
{
  const PdShadowBounds *bounds = self->bounds;

  *widths = (PdHaloWidths){ { 0 }, { 0 } };
  if (bounds->is_forbidden || (!bounds->all && bounds->rank == 0))
    return FALSE;
  if (array == NULL || (bounds->rank != 0 && bounds->rank != rank))
    {
      pd_dvm_warn (self, "bounds-ignored", NULL,
                   "a loop is to be executed on shadow elements, but is mapped on %s: only on its "
                   "own iterations",
                   array == NULL ? "a template, which has none" : "an array of another rank");
      return FALSE;
    }
  if (bounds->rank != 0)
    *widths = bounds->widths;
  for (guint i = 0; i < rank && bounds->all; i++)
    {
      widths->low[i] = MAX (widths->low[i], array->low[i]);
      widths->high[i] = MAX (widths->high[i], array->high[i]);
    }
  return TRUE;
}

/* How often each iteration was executed when a run on several processors was
 * recorded; 1 where the times of each of them are taken as they are. */
static gdouble
count_recorded (PdDvm *self, const PdLoopObject *loop, const PdPattern *pattern,
                const PdAlignment *alignment, const PdHaloWidths *widths)
{
  if (self->multi == NULL || pd_dvm_multi_have_own (self)
      || pd_layout_get_grid (pattern->layout) != self->initial->grid)
    return 1;
  g_autoptr (PdLayout) held =
      pd_layout_new_on (pattern->layout, pd_dvm_multi_get_grid (self), NULL);
  g_autoptr (PdLoop) recorded =
      held == NULL
          ? NULL
          : pd_loop_new (held, loop->rank, pd_loop_get_ranges (loop->loop), alignment, NULL);
  if (recorded == NULL)
    return 1;
  PdHalo *halo = pd_halo_new (recorded, held, alignment, widths);
  gdouble executions = pd_halo_get_executions (halo);
  pd_halo_unref (halo);
  return executions;
}

void
pd_dvm_bounds_extend (PdDvm *self, PdLoopObject *loop, const PdPattern *pattern,
                      const PdAlignment *alignment)
{
  const PdArray *array =
      pattern->is_array ? pd_dvm_find_array (self, PD_DVM_KEY_PatternRef, PD_DVM_KEY_PatternRefPtr)
                        : NULL;
  PdHaloWidths widths;

  if (pd_loop_get_total (loop->loop) == 0
      || !get_widths (self, array, pd_layout_get_rank (pattern->layout), &widths))
    return;
  loop->halo = pd_halo_new (loop->loop, pattern->layout, alignment, &widths);
  loop->executions = count_recorded (self, loop, pattern, alignment, &widths);
}
