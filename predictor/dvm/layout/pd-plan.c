/* SPDX-License-Identifier: MIT */
#include "predictor/dvm/layout/pd-plan.h"

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

static void
add_up (const PdPlan *self, guint32 processor, PdTraffic *out)
{
  g_autofree PdPlanMessage *messages = g_new (PdPlanMessage, pd_plan_get_max (self, processor));
  guint n = pd_plan_get_messages (self, processor, messages);

  for (guint i = 0; i < n; i++)
    {
      *(messages[i].send ? &out->n_sent : &out->n_received) += 1;
      *(messages[i].send ? &out->bytes_sent : &out->bytes_received) += messages[i].bytes;
    }
}

void
pd_plan_get_traffic (const PdPlan *self, guint32 processor, PdTraffic *out)
{
  *out = (PdTraffic){ 0 };
  if (self->class->get_traffic != NULL)
    self->class->get_traffic (self, processor, out);
  else
    add_up (self, processor, out);
}

void
pd_plan_get_local (const PdPlan *self, guint32 processor, PdPlanLocal *out)
{
  *out = (PdPlanLocal){ 0 };
  if (self->class->get_local != NULL)
    self->class->get_local (self, processor, out);
}

/* ---- the opposite flow */

typedef struct
{
  PdPlan base;
  PdPlan *inner;
} Reversed;

static guint
reversed_get_max (const PdPlan *plan, guint32 processor)
{
  return pd_plan_get_max (((const Reversed *) plan)->inner, processor);
}

static guint
reversed_get_messages (const PdPlan *plan, guint32 processor, PdPlanMessage *out)
{
  guint n = pd_plan_get_messages (((const Reversed *) plan)->inner, processor, out);

  for (guint i = 0; i < n; i++)
    out[i].send = !out[i].send;
  return n;
}

static guint64
reversed_get_total (const PdPlan *plan)
{
  return pd_plan_get_total (((const Reversed *) plan)->inner);
}

static void
reversed_free (PdPlan *plan)
{
  pd_plan_unref (((Reversed *) plan)->inner);
  g_free (plan);
}

PdPlan *
pd_plan_new_reversed (PdPlan *inner)
{
  static const PdPlanClass class = {
    .get_max = reversed_get_max,
    .get_messages = reversed_get_messages,
    .get_total = reversed_get_total,
    .free = reversed_free,
  };
  Reversed *self = g_new0 (Reversed, 1);

  pd_plan_init (&self->base, &class);
  self->inner = inner;
  return &self->base;
}
