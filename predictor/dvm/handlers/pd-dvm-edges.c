/* Exchanges of shadow edges that go on while a loop computes (exfrst_, imlast_),
 * and those whose two directions are started apart (recvsh_, sendsh_, …)
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/handlers/pd-dvm-edges-private.h"
#include "predictor/dvm/layout/pd-dvm-layout-interior.h"
#include "predictor/dvm/layout/pd-dvm-layout-shadow.h"
#include "predictor/dvm/handlers/pd-dvm-across-private.h"
#include "predictor/dvm/handlers/pd-dvm-loops-private.h"
#include "predictor/dvm/handlers/pd-dvm-shadow-private.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-started.h"
#include "predictor/dvm/model/pd-dvm-teams.h"

/* ---- edges first, edges last */

static gboolean
name_group (PdDvm *self, gboolean is_export, GError **error)
{
  gint64 id, group;
  const PdLoopObject *old = pd_dvm_need_loop (self, &id, error);

  const PdShadowGroup *edges = old == NULL ? NULL : pd_dvm_need_shadow (self, &group, error);

  if (edges == NULL || !pd_dvm_need_inside (self, edges->team, error))
    return FALSE;
  if (old->is_mapped)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
                        "the loop is mapped already, expected this call before mappl_");
  PdLoopObject *loop = pd_object_new (sizeof *loop, pd_dvm_loop_free);
  loop->rank = old->rank;
  loop->exported = is_export ? group : 0;
  loop->imported = is_export ? 0 : group;
  pd_dvm_store (self, PD_KIND_LOOP, id, loop, FALSE);
  return TRUE;
}

gboolean
pd_dvm_exfrst (PdDvm *self, GError **error)
{
  return name_group (self, TRUE, error);
}

gboolean
pd_dvm_imlast (PdDvm *self, GError **error)
{
  return name_group (self, FALSE, error);
}

PdInterior *
pd_dvm_edges_new_interior (PdDvm *self, const PdLoopObject *loop, const PdLayout *pattern,
                           const PdAlignment *alignment)
{
  gint64 low[PD_MAX_RANK] = { 0 }, high[PD_MAX_RANK] = { 0 };
  gint64 id = loop->exported != 0 ? loop->exported : loop->imported;
  const PdShadowGroup *group = id == 0 ? NULL : pd_dvm_find (self, PD_KIND_SHADOW, id);

  if (id == 0)
    return NULL;
  for (guint k = 0; group != NULL && k < group->arrays->len; k++)
    {
      const PdShadowArray *array = &g_array_index (group->arrays, PdShadowArray, k);
      for (guint i = 0; i < pd_layout_get_rank (array->layout); i++)
        {
          low[i] = MAX (low[i], array->low[i]);
          high[i] = MAX (high[i], array->high[i]);
        }
    }
  return pd_interior_new (loop->loop, pattern, alignment, low, high);
}

static void
emit_part (PdDvm *self, const PdLoopSteps *steps, PdLoopPart part, guint32 flags)
{
  if (steps->work == NULL)
    return;
  PdStepDvm *step = pd_dvm_emit (self, PD_STEP_KIND_LOOP);
  step->work = pd_loop_work_ref (steps->work);
  step->op = part;
  step->flags = flags;
  pd_dvm_set_records (step, steps->records);
}

static void
emit_export (PdDvm *self, gint64 id)
{
  const PdShadowGroup *group = pd_dvm_find (self, PD_KIND_SHADOW, id);

  if (group != NULL)
    pd_dvm_shadow_start (self, group, id);
  else
    pd_dvm_warn (self, "group-deleted", NULL,
                 "the shadow group of exfrst_ is deleted before its loop is executed: no exchange "
                 "is started");
}

static void
emit_import (PdDvm *self, gint64 id)
{
  if (!pd_dvm_started_wait (self, PD_KIND_SHADOW, id))
    pd_dvm_warn (self, "not-started", NULL,
                 "the exchange that imlast_ waits for was not started: nothing is waited for");
}

void
pd_dvm_edges_emit (PdDvm *self, const PdLoopSteps *steps)
{
  const PdLoopObject *loop = steps->loop;

  if (steps->work != NULL && pd_dvm_across_is_pipeline (self, steps->id))
    {
      /* nothing is cut twice */
      if (loop->imported != 0)
        emit_import (self, loop->imported);
      pd_dvm_across_emit (self, steps);
      if (loop->exported != 0)
        emit_export (self, loop->exported);
    }
  else if (loop->exported != 0)
    {
      emit_part (self, steps, PD_LOOP_EDGES, PD_STEP_ENTERS);
      emit_export (self, loop->exported);
      emit_part (self, steps, PD_LOOP_INTERIOR, 0);
    }
  else if (loop->imported != 0)
    {
      emit_part (self, steps, PD_LOOP_INTERIOR, PD_STEP_ENTERS);
      emit_import (self, loop->imported);
      emit_part (self, steps, PD_LOOP_EDGES, 0);
    }
  else
    emit_part (self, steps, PD_LOOP_WHOLE, PD_STEP_ENTERS);
}

/* ---- exchanges whose directions are started apart */

PdStepOperation *
pd_dvm_shadow_operation_new (PdDvm *self, PdOperationKind kind, const GArray *arrays, PdTeam *team,
                             gboolean reversed)
{
  PdStepOperation *operation = pd_dvm_operation_new (self, kind);
  PdPlan *plan = pd_shadow_plan_new ((const PdShadowArray *) (gconstpointer) arrays->data,
                                     arrays->len, self->messages);

  pd_team_unref (operation->team);
  operation->team = pd_team_ref (team);
  operation->overlaps = TRUE;
  operation->plan = reversed ? pd_plan_new_reversed (plan) : plan;
  return operation;
}

void
pd_dvm_emit_half (PdDvm *self, PdStepOperation *operation, guint32 flags)
{
  PdStepDvm *step = pd_dvm_emit (self, PD_STEP_KIND_EXCHANGE_START);

  step->operation = pd_operation_ref (operation);
  step->flags = flags;
  operation->halves |= flags;
}

static const struct
{
  PdDvmFunction function;
  PdObjectKind kind;
  guint32 flags;
} halves[] = {
  { PD_DVM_recvsh_, PD_STARTED_HALVES, PD_STEP_RECVS },
  { PD_DVM_sendsh_, PD_STARTED_HALVES, PD_STEP_SENDS },
  { PD_DVM_recvla_, PD_STARTED_BACK, PD_STEP_RECVS },
  { PD_DVM_sendsa_, PD_STARTED_BACK, PD_STEP_SENDS },
};

/* The started operation of the group that has not been waited for yet; else a new
 * operation. Both halves of all its exchanges use one tag: messages of one pair
 * match in their order. */
static PdStepOperation *
get_started (PdDvm *self, const PdShadowGroup *group, gint64 id, PdObjectKind kind)
{
  PdStepOperation *operation = pd_dvm_started_get (self, kind, id);

  if (operation != NULL)
    return pd_operation_ref (operation);
  operation = pd_dvm_shadow_operation_new (self, PD_OPERATION_SHADOW, group->arrays, group->team,
                                           kind == PD_STARTED_BACK);
  operation->tag = group->tags[kind == PD_STARTED_BACK];
  pd_dvm_started_add (self, kind, id, operation, NULL);
  return operation;
}

gboolean
pd_dvm_half (PdDvm *self, GError **error)
{
  gint64 id;
  guint i = 0;
  const PdShadowGroup *group = pd_dvm_need_shadow (self, &id, error);

  if (group == NULL || !pd_dvm_need_inside (self, group->team, error))
    return FALSE;
  while (halves[i].function != self->call->function)
    i++;
  if (halves[i].flags == PD_STEP_SENDS)
    pd_dvm_count_operation (self, PD_OPERATION_SHADOW);
  if (group->arrays->len == 0)
    return TRUE;
  PdStepOperation *operation = get_started (self, group, id, halves[i].kind);
  pd_dvm_emit_half (self, operation, halves[i].flags);
  pd_operation_unref (operation);
  return TRUE;
}
