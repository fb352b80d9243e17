/* Exchange of shadow edges: which messages every processor sends and receives.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/layout/pd-shadow-part-private.h"

#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

typedef struct
{
  PdPlan base;
  guint max;
  guint n_parts;
  PdShadowPart **parts; /* in posting order */
} ShadowPlan;

/* ---- parts */

static gboolean
can_merge (const PdShadowArray *a, const PdShadowArray *b)
{
  if (a->max_count != b->max_count || a->limited != b->limited
      || !pd_layout_same_blocks (a->layout, b->layout))
    return FALSE;
  for (guint i = 0; i < a->layout->rank; i++)
    if (a->low[i] != b->low[i] || a->high[i] != b->high[i] || a->sign[i] != b->sign[i]
        || a->low_skip[i] != b->low_skip[i] || a->high_skip[i] != b->high_skip[i]
        || ((a->limited >> i & 1) != 0 && (a->first[i] != b->first[i] || a->last[i] != b->last[i])))
      return FALSE;
  return TRUE;
}

/* Whether the bytes of all of the array fit 64 bits, so those of an edge do. */
static gboolean
fits (const PdLayout *layout, gint64 n_bytes)
{
  for (guint i = 0; i < layout->rank; i++)
    if (__builtin_mul_overflow (n_bytes, layout->sizes[i], &n_bytes))
      return FALSE;
  return TRUE;
}

/* Adds an array to the part it belongs to, or makes a new one. */
static PdShadowPart *
add_array (GPtrArray *parts, const PdShadowArray *array)
{
  gint64 n_bytes;

  for (guint i = 0; i < parts->len; i++)
    {
      PdShadowPart *part = parts->pdata[i];

      if (!can_merge (&part->array, array))
        continue;
      if (__builtin_add_overflow (part->n_bytes, array->type_size, &n_bytes)
          || !fits (array->layout, n_bytes))
        return NULL;
      part->n_bytes = n_bytes;
      part->n_arrays++;
      return part;
    }
  if (!fits (array->layout, array->type_size))
    return NULL;
  g_ptr_array_add (parts, pd_shadow_part_new (array));
  return parts->pdata[parts->len - 1];
}

static void
report (PdMessages *messages, guint number, const PdShadowPart *part)
{
  static const PdPlace nowhere = { NULL, 0, NULL, -1, -1, FALSE };

  if (part == NULL)
    pd_messages_add (messages, PD_SEVERITY_WARNING, "shadow-array-skipped", NULL, &nowhere,
                     "array %u of a shadow group has elements of no size, or too many bytes; its "
                     "edges are left out",
                     number);
  if (part != NULL && part->clipped)
    pd_messages_add (messages, PD_SEVERITY_WARNING, "shadow-width-clipped", NULL, &nowhere,
                     "a shadow edge of array %u of a shadow group is wider than the block it "
                     "comes from; it is taken as wide as the block",
                     number);
  if (part != NULL && part->skips)
    pd_messages_add (messages, PD_SEVERITY_WARNING, "shadow-skips-empty", NULL, &nowhere,
                     "array %u of a shadow group has processors without elements between others; "
                     "the next one with elements is taken for the neighbour",
                     number);
}

/* ---- the plan */

static void
plan_free (PdPlan *plan)
{
  ShadowPlan *self = (ShadowPlan *) plan;

  for (guint i = 0; i < self->n_parts; i++)
    pd_shadow_part_free (self->parts[i]);
  g_free (self->parts);
  g_free (self);
}

static guint
plan_get_max (const PdPlan *plan, guint32 processor G_GNUC_UNUSED)
{
  return ((const ShadowPlan *) plan)->max;
}

static guint64
plan_get_total (const PdPlan *plan)
{
  const ShadowPlan *self = (const ShadowPlan *) plan;
  guint64 total = 0;

  for (guint i = 0; i < self->n_parts; i++)
    total += (guint64) self->parts[i]->n_send * pd_grid_get_n (self->parts[i]->grid);
  return total;
}

static guint
plan_get_messages (const PdPlan *plan, guint32 processor, PdPlanMessage *out)
{
  const ShadowPlan *self = (const ShadowPlan *) plan;
  guint n = 0;

  for (guint i = 0; i < self->n_parts; i++)
    {
      const PdShadowPart *part = self->parts[i];
      gint64 linear = pd_grid_find (part->grid, processor);

      if (linear >= 0)
        n += pd_shadow_part_list (part, (guint32) linear, out + n);
    }
  return n;
}

static const PdPlanClass plan_class = {
  .get_max = plan_get_max,
  .get_messages = plan_get_messages,
  .get_total = plan_get_total,
  .free = plan_free,
};

PdPlan *
pd_shadow_plan_new (const PdShadowArray *arrays, guint n, PdMessages *messages)
{
  g_return_val_if_fail (arrays != NULL || n == 0, NULL);

  ShadowPlan *self = g_new0 (ShadowPlan, 1);
  GPtrArray *parts = g_ptr_array_new ();
  pd_plan_init (&self->base, &plan_class);
  for (guint i = n; i-- > 0;)
    report (messages, i + 1, arrays[i].type_size < 1 ? NULL : add_array (parts, &arrays[i]));
  for (guint i = 0; i < parts->len; i++)
    {
      PdShadowPart *part = parts->pdata[i];

      part->n_bytes *= part->n_collapsed;
      self->max += part->n_recv + part->n_send;
    }
  self->n_parts = parts->len;
  self->parts = (PdShadowPart **) g_ptr_array_free (parts, FALSE);
  return &self->base;
}
