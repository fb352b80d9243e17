/* SPDX-License-Identifier: MIT */
#include "predictor/dvm/copy/pd-dense-plan.h"

#include "base/pd-time.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

#define MAX_BYTES (G_GINT64_CONSTANT (1) << 62)

typedef struct
{
  PdPlan base;
  PdGrid *grid;
  gint64 *sends;
  gint64 *receives;
  gint64 divisor;
  gint64 unit;
  guint64 n_senders;
  guint64 n_receivers;
  gint64 sent; /* the sums of @sends and @receives; they saturate */
  gint64 received;
} PdDensePlan;

static guint
get_max (const PdPlan *plan, guint32 processor)
{
  const PdDensePlan *self = (const PdDensePlan *) (gconstpointer) plan;

  return pd_grid_find (self->grid, processor) < 0 ? 0 : 2 * (pd_grid_get_n (self->grid) - 1);
}

/* In units, then in bytes; a product of 128 bits that saturates. */
static gint64
multiply (const PdDensePlan *self, gint64 factor, gint64 others)
{
  gint64 bytes;
  gint64 units = pd_time_scale (PD_TIME (factor), others, self->divisor).ps;

  return __builtin_mul_overflow (units, self->unit, &bytes) ? MAX_BYTES : MIN (bytes, MAX_BYTES);
}

static gint64
get_bytes (const PdDensePlan *self, guint32 from, guint32 to)
{
  return from == to ? 0 : multiply (self, self->sends[from], self->receives[to]);
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
          out[n++] = (PdPlanMessage){ .peer = pd_grid_get_processor (self->grid, other),
                                      .send = send,
                                      .bytes = bytes };
      }
  return n;
}

static guint64
get_total (const PdPlan *plan)
{
  const PdDensePlan *self = (const PdDensePlan *) (gconstpointer) plan;

  return self->n_senders * self->n_receivers;
}

/* Rounded once, not message by message, and those that round to nothing count:
 * what it is asked for is scaled up from smaller exchanges anyway. */
static void
get_traffic (const PdPlan *plan, guint32 processor, PdTraffic *out)
{
  const PdDensePlan *self = (const PdDensePlan *) (gconstpointer) plan;
  gint64 me = pd_grid_find (self->grid, processor);

  if (me < 0)
    return;
  gint64 sends = self->sends[me], receives = self->receives[me];
  if (sends > 0)
    {
      out->n_sent = (gint64) self->n_receivers - (receives > 0);
      out->bytes_sent = multiply (self, sends, self->received - receives);
    }
  if (receives > 0)
    {
      out->n_received = (gint64) self->n_senders - (sends > 0);
      out->bytes_received = multiply (self, receives, self->sent - sends);
    }
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
  .get_traffic = get_traffic,
  .free = plan_free,
};

PdPlan *
pd_dense_plan_new (PdGrid *grid, gint64 *sends, gint64 *receives, gint64 divisor, gint64 unit)
{
  PdDensePlan *self = g_new0 (PdDensePlan, 1);

  pd_plan_init (&self->base, &dense_class);
  self->grid = pd_grid_ref (grid);
  self->sends = sends;
  self->receives = receives;
  self->divisor = divisor;
  self->unit = unit;
  for (guint32 i = 0; i < pd_grid_get_n (grid); i++)
    {
      self->n_senders += sends[i] > 0;
      self->n_receivers += receives[i] > 0;
      if (__builtin_add_overflow (self->sent, sends[i], &self->sent))
        self->sent = G_MAXINT64;
      if (__builtin_add_overflow (self->received, receives[i], &self->received))
        self->received = G_MAXINT64;
    }
  return &self->base;
}
