/* Common parts of all kinds of copy plans.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/copy/pd-dvm-copy-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-side-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-view-private.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

void
pd_copy_plan_init (PdCopyPlan *self, const PdSection *from, const PdSection *to, gint64 type_size)
{
  *self = (PdCopyPlan){ .type_size = type_size };
  pd_copy_side_init (&self->from, from);
  pd_copy_side_init (&self->to, to);
}

void
pd_copy_plan_clear (PdCopyPlan *self)
{
  pd_copy_side_clear (&self->from);
  pd_copy_side_clear (&self->to);
  g_clear_pointer (&self->within, pd_grid_unref);
}

/* ---- the peers of one processor */

static gboolean
takes_part (const PdCopyPlan *self, guint32 processor)
{
  return self->within == NULL || pd_grid_find (self->within, processor) >= 0;
}

gboolean
pd_copy_plan_find_both (const PdCopyPlan *self, guint32 processor, PdCopyPlace *from,
                        PdCopyPlace *to)
{
  return takes_part (self, processor) && pd_copy_side_find (&self->from, processor, from)
         && pd_copy_side_find (&self->to, processor, to);
}

gboolean
pd_copy_view_init (PdCopyView *self, const PdCopyPlan *plan, guint32 processor, gboolean send,
                   PdPlanMessage *out)
{
  *self = (PdCopyView){ .plan = plan, .processor = processor, .send = send, .out = out };
  self->side = send ? &plan->to : &plan->from;
  if (plan->silent || !takes_part (plan, processor)
      || !pd_copy_side_find (send ? &plan->from : &plan->to, processor, &self->place))
    return FALSE;
  if (plan->once && send && !pd_copy_side_is_first (&plan->from, &self->place))
    return FALSE;
  if (plan->elementwise)
    self->owns = pd_copy_side_find (&plan->from, processor, &self->source);
  return TRUE;
}

/* Replicas of one part of the source need nothing of each other. */
static gboolean
is_left_out (const PdCopyView *self, guint32 peer)
{
  PdCopyPlace place;

  if (peer == self->processor || !takes_part (self->plan, peer))
    return TRUE;
  return self->owns && pd_copy_side_find (&self->plan->from, peer, &place)
         && pd_copy_side_same_class (&self->plan->from, &self->source, &place);
}

void
pd_copy_view_add (PdCopyView *self, guint32 linear, gint64 n_elements, gint64 runs)
{
  guint32 peer = pd_grid_processor (self->side->grid, linear);

  if (is_left_out (self, peer))
    return;
  if (self->out != NULL)
    self->out[self->n] = (PdPlanMessage){ peer, self->send,
                                          pd_copy_times (n_elements, self->plan->type_size), runs };
  self->n++;
}

/* ---- no messages */

static guint
nothing_get_max (const PdPlan *self G_GNUC_UNUSED, guint32 processor G_GNUC_UNUSED)
{
  return 0;
}

static guint
nothing_get_messages (const PdPlan *self G_GNUC_UNUSED, guint32 processor G_GNUC_UNUSED,
                      PdPlanMessage *out G_GNUC_UNUSED)
{
  return 0;
}

static guint64
nothing_get_total (const PdPlan *self G_GNUC_UNUSED)
{
  return 0;
}

static void
nothing_free (PdPlan *self)
{
  g_free (self);
}

PdPlan *
pd_copy_plan_new_nothing (void)
{
  static const PdPlanClass nothing_class = {
    .get_max = nothing_get_max,
    .get_messages = nothing_get_messages,
    .get_total = nothing_get_total,
    .free = nothing_free,
  };
  PdPlan *self = g_new0 (PdPlan, 1);

  pd_plan_init (self, &nothing_class);
  return self;
}
