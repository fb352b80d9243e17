/* The exchanges of an ordered loop: the edges before it, and those in its order;
 * and the agreement of its processors on the time of an iteration.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-ordered.h"
#include "predictor/dvm/layout/pd-dvm-layout-inside.h"
#include "comsys/tools/pd-estimate.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-loop.h"
#include "predictor/dvm/layout/pd-dvm-layout-shadow.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-comm.h"

/* ---- edges */

/* Which way an axis of an object runs along its template: 1 or -1. */
static gint
get_sign (const PdLayout *layout, guint axis)
{
  for (guint m = 0; m < layout->n_rules; m++)
    if (layout->rules[m].kind == PD_RULE_LINEAR && layout->rules[m].axis == axis)
      return layout->rules[m].a > 0 ? 1 : -1;
  return 1;
}

/* Which way the loop passes through the elements of @axis: 1 upwards, -1
 * downwards, 0: it does not, or the axis is not distributed. */
static gint
get_direction (const PdLoopObject *loop, const PdLayout *array, guint axis)
{
  const PdLayout *space = loop->loop != NULL ? pd_loop_get_layout (loop->loop) : NULL;

  for (guint d = 0; space != NULL && d < MIN (space->grid->rank, array->grid->rank); d++)
    {
      const PdConstraint *own = &space->dims[d], *other = &array->dims[d];
      if (own->kind == PD_HOLDS_RANGE && other->kind == PD_HOLDS_RANGE && other->axis == axis)
        return (loop->downwards[own->axis] ? -1 : 1) * get_sign (space, own->axis)
               * get_sign (array, axis);
    }
  return 0;
}

/* Whether an edge is one that the processor before fills: for a loop that goes
 * upwards the low one, or, where the loop writes into edges, the high one, which
 * the processor before has. Where the loop has no direction upwards is taken:
 * with edges both ways processors would wait for each other. */
static gboolean
is_in_order (gint direction, gboolean is_low, gboolean reversed)
{
  return is_low == ((direction >= 0) != reversed);
}

/* Whether grid dimensions larger than 1 split the axis. */
static gboolean
is_distributed (const PdLayout *layout, guint axis)
{
  for (guint d = 0; d < layout->grid->rank; d++)
    if (layout->dims[d].kind == PD_HOLDS_RANGE && layout->dims[d].axis == axis
        && layout->grid->sizes[d] > 1)
      return TRUE;
  return FALSE;
}

/* Leaves one half of the edges of an array. @splits: edges that have no order
 * belong to the exchange before. Sets @is_all to FALSE if edges are left
 * out; returns whether any are left. */
static gboolean
leave_half (PdShadowArray *array, const PdLoopObject *loop, gboolean reversed, PdOrderedEdges half,
            gboolean splits, gboolean *is_all)
{
  gboolean any = FALSE;

  for (guint i = 0; i < array->layout->rank; i++)
    {
      gint direction = get_direction (loop, array->layout, i);
      for (guint low = 0; low < 2; low++)
        {
          gint64 *width = low != 0 ? &array->low[i] : &array->high[i];
          gboolean ordered =
              !(splits && direction == 0) && is_in_order (direction, low != 0, reversed);
          /* an array that is not distributed is not exchanged, and need not be split */
          gboolean stays =
              ordered == (half == PD_EDGES_IN_ORDER) || !is_distributed (array->layout, i);
          any = any || (*width > 0 && stays);
          *is_all = *is_all && (*width == 0 || stays);
          *width = stays ? *width : 0;
        }
    }
  return any;
}

GArray *
pd_dvm_ordered_take (const PdShadowGroup *group, const PdLoopObject *loop, gboolean reversed,
                     PdOrderedEdges half, gboolean splits, gboolean *is_all)
{
  GArray *arrays = g_array_sized_new (FALSE, TRUE, sizeof (PdShadowArray), group->arrays->len);
  gboolean any = FALSE;

  *is_all = TRUE;
  g_array_set_clear_func (arrays, pd_dvm_shadow_array_clear);
  for (guint k = 0; k < group->arrays->len; k++)
    {
      PdShadowArray array = g_array_index (group->arrays, PdShadowArray, k);
      any = leave_half (&array, loop, reversed, half, splits, is_all) || any;
      pd_layout_ref (array.layout);
      g_array_append_val (arrays, array);
    }
  if (any)
    return arrays;
  g_array_unref (arrays);
  return NULL;
}

/* ---- costs */

/* The cost of posting a receive and completing it. A machine that is described
 * without overheads includes them in the time of a message of any size: without
 * these a portion would cost nothing, and there would be as many portions as
 * iterations. */
static gdouble
get_receive_cost (PdDvm *self, guint32 a, guint32 b)
{
  const PdSoftware *software = pd_comsys_get_software (self->comsys);
  PdTime cost = pd_time_add (software->recv_overhead, software->wait_overhead);

  if (cost.ps == 0 && a != b)
    cost = pd_comsys_get_transfer_time (self->comsys, a, b, 0);
  return pd_time_to_seconds (cost);
}

/* Seconds per byte between two processors. */
static gdouble
get_byte_time (PdDvm *self, guint32 a, guint32 b)
{
  const gint64 many = 1 << 20;
  PdTime most = pd_comsys_get_transfer_time (self->comsys, a, b, many);
  PdTime least = pd_comsys_get_transfer_time (self->comsys, a, b, 0);

  return pd_time_to_seconds (pd_time_sub (most, least)) / (gdouble) many;
}

PdPipelineCosts
pd_dvm_ordered_get_costs (PdDvm *self, const GArray *arrays, const PdTeam *team, gint64 layers)
{
  const PdGrid *grid = team->grid;
  guint32 central = pd_grid_get_processor (grid, pd_grid_get_central (grid)), peer = central;
  g_autoptr (PdPlan) plan =
      pd_shadow_plan_new ((const PdShadowArray *) (gconstpointer) arrays->data, arrays->len, NULL);
  g_autofree PdPlanMessage *messages = g_new (PdPlanMessage, pd_plan_get_max (plan, central) + 1);
  guint n = pd_plan_get_messages (plan, central, messages);
  gdouble bytes[2] = { 0, 0 }; /* received, sent */
  PdPipelineCosts costs = { 0 };

  for (guint i = 0; i < n; i++)
    {
      bytes[messages[i].send ? 1 : 0] += (gdouble) messages[i].bytes;
      peer = messages[i].peer;
    }
  costs.posts = get_receive_cost (self, central, peer);
  if (peer != central)
    costs.layer = get_byte_time (self, central, peer) * (bytes[0] > 0 ? bytes[0] : bytes[1])
                  / (gdouble) layers;
  return costs;
}

/* ---- the measurement of the first execution */

#define TIME_BYTES 8

/* Everybody sends to one processor. */
typedef struct
{
  PdPlan base;
  PdGrid *grid;
  guint32 central; /* processor */
} Report;

static guint
report_get_max (const PdPlan *plan, guint32 processor)
{
  const Report *self = (const Report *) plan;

  return processor == self->central ? pd_grid_get_n (self->grid) - 1 : 1;
}

static guint
report_get_messages (const PdPlan *plan, guint32 processor, PdPlanMessage *out)
{
  const Report *self = (const Report *) plan;
  guint n = 0;

  if (pd_grid_find (self->grid, processor) < 0)
    return 0;
  if (processor != self->central)
    {
      out[0] = (PdPlanMessage){ self->central, TRUE, TIME_BYTES, 0 };
      return 1;
    }
  for (guint32 i = 0; i < pd_grid_get_n (self->grid); i++)
    {
      guint32 peer = pd_grid_get_processor (self->grid, i);
      if (peer != self->central)
        out[n++] = (PdPlanMessage){ peer, FALSE, TIME_BYTES, 0 };
    }
  return n;
}

static guint64
report_get_total (const PdPlan *plan)
{
  return pd_grid_get_n (((const Report *) plan)->grid) - 1;
}

static void
report_free (PdPlan *plan)
{
  pd_grid_unref (((Report *) plan)->grid);
  g_free (plan);
}

static PdPlan *
report_new (PdGrid *grid)
{
  static const PdPlanClass class = { .get_max = report_get_max,
                                     .get_messages = report_get_messages,
                                     .get_total = report_get_total,
                                     .free = report_free };
  Report *self = g_new0 (Report, 1);

  pd_plan_init (&self->base, &class);
  self->grid = pd_grid_ref (grid);
  self->central = pd_grid_get_processor (grid, pd_grid_get_central (grid));
  return &self->base;
}

void
pd_dvm_ordered_measure (PdDvm *self, PdTeam *team)
{
  pd_dvm_count_operation (self, PD_OPERATION_OTHER);
  PdStepOperation *report =
      pd_dvm_emit_exchange (self, team, report_new (team->grid), PD_OPERATION_OTHER, FALSE);

  pd_dvm_emit_exchange_wait (self, report, 0);
  pd_operation_unref (report);
  PdStepOperation *spread = pd_dvm_operation_new (self, PD_OPERATION_OTHER);
  pd_team_unref (spread->team);
  spread->team = pd_team_ref (team);
  spread->central = pd_grid_get_central (team->grid);
  pd_dvm_emit_collective (self, spread, PD_OP_BCAST, TIME_BYTES)->flags =
      PD_STEP_ENTERS | PD_STEP_LEAVES;
  pd_operation_unref (spread);
}
