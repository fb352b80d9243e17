/* SPDX-License-Identifier: MIT */
#include "predictor/pd-plan.h"

void
pd_plan_init (PdPlan *self, const PdPlanClass *class)
{
  self->class = class;
  self->refs = 1;
}

PdPlan *
pd_plan_ref (PdPlan *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  self->refs++;
  return self;
}

void
pd_plan_unref (PdPlan *self)
{
  if (self != NULL && --self->refs == 0)
    self->class->free (self);
}

guint
pd_plan_get_max (const PdPlan *self, guint32 processor)
{
  return self->class->get_max (self, processor);
}

guint
pd_plan_get_messages (const PdPlan *self, guint32 processor, PdPlanMessage *out)
{
  return self->class->get_messages (self, processor, out);
}

guint64
pd_plan_get_total (const PdPlan *self)
{
  return self->class->get_total (self);
}

void
pd_plan_get_local (const PdPlan *self, guint32 processor, PdPlanLocal *out)
{
  *out = (PdPlanLocal){ 0 };
  if (self->class->get_local != NULL)
    self->class->get_local (self, processor, out);
}
