/* The local work of a processor in a copy, which depends on the purpose of the copy:
 * redistribution and new buffers get fresh memory; and if the trace has the time of
 * the copying, this time includes the part that stays on a processor.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-copy-memory.h"

typedef struct
{
  PdPlan base;
  PdPlan *inner;   /* whose messages they are */
  PdSection fresh; /* layout referenced; NULL: no fresh memory */
  gint64 type_size;
  gboolean copies; /* what stays with a processor is copied */
} FreshPlan;

static guint
plan_get_max (const PdPlan *plan, guint32 processor)
{
  return pd_plan_get_max (((const FreshPlan *) plan)->inner, processor);
}

static guint
plan_get_messages (const PdPlan *plan, guint32 processor, PdPlanMessage *out)
{
  return pd_plan_get_messages (((const FreshPlan *) plan)->inner, processor, out);
}

static guint64
plan_get_total (const PdPlan *plan)
{
  return pd_plan_get_total (((const FreshPlan *) plan)->inner);
}

static void
plan_get_traffic (const PdPlan *plan, guint32 processor, PdTraffic *out)
{
  pd_plan_get_traffic (((const FreshPlan *) plan)->inner, processor, out);
}

static void
plan_get_local (const PdPlan *plan, guint32 processor, PdPlanLocal *out)
{
  const FreshPlan *self = (const FreshPlan *) plan;

  if (self->copies)
    pd_plan_get_local (self->inner, processor, out);
  if (self->fresh.layout != NULL
      && __builtin_mul_overflow (pd_section_get_local_count (&self->fresh, processor),
                                 self->type_size, &out->touched))
    out->touched = G_MAXINT64;
}

static void
plan_free (PdPlan *plan)
{
  FreshPlan *self = (FreshPlan *) plan;

  pd_plan_unref (self->inner);
  g_clear_pointer (&self->fresh.layout, pd_layout_unref);
  g_free (self);
}

PdPlan *
pd_dvm_copy_memory_plan_new (PdPlan *inner, const PdSection *fresh, gint64 type_size,
                             gboolean copies)
{
  static const PdPlanClass class = {
    .get_max = plan_get_max,
    .get_messages = plan_get_messages,
    .get_total = plan_get_total,
    .get_traffic = plan_get_traffic,
    .get_local = plan_get_local,
    .free = plan_free,
  };
  FreshPlan *self = g_new0 (FreshPlan, 1);

  pd_plan_init (&self->base, &class);
  self->inner = inner;
  self->type_size = type_size;
  self->copies = copies;
  if (fresh != NULL)
    {
      self->fresh = *fresh;
      pd_layout_ref (fresh->layout);
    }
  return &self->base;
}
