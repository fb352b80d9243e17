/* SPDX-License-Identifier: MIT */
#include "predictor/pd-dense-plan.h"

#include "base/pd-time.h"

#define MAX_BYTES (G_GINT64_CONSTANT (1) << 62)

typedef struct
{
  PdPlan base;
  PdGrid *grid;
  gint64 *sends;
  gint64 *receives;
  gint64 divisor;
  gint64 unit;
  guint64 total; /* an upper bound */
} PdDensePlan;

static guint
get_max (const PdPlan *plan, guint32 processor)
{
  const PdDensePlan *self = (const PdDensePlan *) (gconstpointer) plan;

  return pd_grid_find (self->grid, processor) < 0 ? 0 : 2 * (pd_grid_get_n (self->grid) - 1);
}

static gint64
get_bytes (const PdDensePlan *self, guint32 from, guint32 to)
{
  gint64 bytes;

  if (from == to || self->sends[from] == 0 || self->receives[to] == 0)
    return 0;
  /* the only product in 128 bits that there is; it saturates */
  gint64 units = pd_time_scale (PD_TIME (self->sends[from]), self->receives[to], self->divisor).ps;
  return __builtin_mul_overflow (units, self->unit, &bytes) ? MAX_BYTES : MIN (bytes, MAX_BYTES);
}

static guint
get_messages (const PdPlan *plan, guint32 processor, PdPlanMessage *out)
{
  const PdDensePlan *self = (const PdDensePlan *) (gconstpointer) plan;
  gint64 me = pd_grid_find (self->grid, processor);
  guint n = 0;

  if (me < 0)
    return 0;
  for (guint way = 0; way < 2; way++)
    for (guint32 other = 0; other < pd_grid_get_n (self->grid); other++)
      {
        gboolean send = way == 1;
        gint64 bytes =
            send ? get_bytes (self, (guint32) me, other) : get_bytes (self, other, (guint32) me);
        if (bytes > 0)
          out[n++] = (PdPlanMessage){ pd_grid_get_processor (self->grid, other), send, bytes };
      }
  return n;
}

static guint64
get_total (const PdPlan *plan)
{
  return ((const PdDensePlan *) (gconstpointer) plan)->total;
}

static void
plan_free (PdPlan *plan)
{
  PdDensePlan *self = (PdDensePlan *) (gpointer) plan;

  pd_grid_unref (self->grid);
  g_free (self->sends);
  g_free (self->receives);
  g_free (self);
}

static const PdPlanClass dense_class = {
  .get_max = get_max,
  .get_messages = get_messages,
  .get_total = get_total,
  .free = plan_free,
};

PdPlan *
pd_dense_plan_new (PdGrid *grid, gint64 *sends, gint64 *receives, gint64 divisor, gint64 unit)
{
  PdDensePlan *self = g_new0 (PdDensePlan, 1);
  guint64 n_senders = 0, n_receivers = 0;

  pd_plan_init (&self->base, &dense_class);
  self->grid = pd_grid_ref (grid);
  self->sends = sends;
  self->receives = receives;
  self->divisor = divisor;
  self->unit = unit;
  for (guint32 i = 0; i < pd_grid_get_n (grid); i++)
    {
      n_senders += sends[i] > 0;
      n_receivers += receives[i] > 0;
    }
  self->total = n_senders * n_receivers;
  return &self->base;
}
