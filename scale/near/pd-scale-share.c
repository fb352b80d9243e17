/* SPDX-License-Identifier: MIT */
#include "scale/near/pd-scale-share.h"

#include "scale/fold/pd-fold.h"
#include "scale/pd-scale-compare.h"

void
pd_scale_share_init (PdScaleShare *self)
{
  *self = (PdScaleShare){ .places = g_array_new (FALSE, TRUE, sizeof (PdScaleApproximation)) };
}

void
pd_scale_share_clear (PdScaleShare *self)
{
  g_clear_pointer (&self->places, g_array_unref);
  g_clear_pointer (&self->reason, g_free);
}

void
pd_scale_share_reset (PdScaleShare *self)
{
  g_array_set_size (self->places, 0);
  self->calls = self->bytes = self->alone = 0;
}

/* ---- */

static gboolean
is_call (const PdScaleWords *words, const PdFoldNode *node)
{
  return pd_scale_is_compared (pd_scale_words_get_shape (words, node->shape)->kind);
}

static guint64
sum_list (const PdScaleWords *words, gint64 list)
{
  gsize n = 0;
  const gint64 *values =
      list != PD_SCALE_NO_LIST ? pd_scale_words_get_list (words, list, &n) : NULL;
  guint64 sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += (guint64) MAX (values[i], 0);
  return sum;
}

static guint64
sum_column (const PdScaleWords *words, const PdFoldNode *node, PdScaleColumn which)
{
  const PdColumn *column = &node->columns[which];
  guint64 sum = 0;

  for (gsize i = 0; i < column->runs.n; i++)
    {
      PdColumnRun run = pd_vector_at (&column->runs, PdColumnRun, i);
      guint64 bytes = which == PD_SCALE_SEND_COUNTS ? sum_list (words, run.value)
                                                    : (guint64) MAX (run.value, 0);
      sum += bytes * run.n;
    }
  return sum;
}

/* The bytes that are sent, as far as the recording says: to each member, altogether, or a block. */
static guint64
count_bytes (const PdScaleWords *words, const PdFoldNode *node)
{
  static const PdScaleColumn columns[] = { PD_SCALE_SEND_COUNTS, PD_SCALE_SENT_BYTES };

  for (gsize i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      guint64 sum = sum_column (words, node, columns[i]);
      if (sum > 0)
        return sum;
    }
  return sum_column (words, node, PD_SCALE_BYTES);
}

void
pd_scale_share_add_all (PdScaleShare *self, const PdScaleWords *words, const GPtrArray *nodes,
                        gboolean is_alone)
{
  for (guint i = 0; i < nodes->len; i++)
    {
      const PdFoldNode *node = g_ptr_array_index (nodes, i);
      if (node->children != NULL)
        pd_scale_share_add_all (self, words, node->children, is_alone);
      else if (is_call (words, node))
        {
          guint64 n = node->columns[PD_SCALE_PEER].n;
          self->calls += n;
          self->alone += is_alone ? n : 0;
          self->bytes += count_bytes (words, node);
        }
    }
}

void
pd_scale_share_add_lost (PdScaleShare *self, const PdScaleWords *words, const GPtrArray *nodes)
{
  for (guint i = 0; i < nodes->len; i++)
    {
      const PdFoldNode *node = g_ptr_array_index (nodes, i);
      if (node->children != NULL)
        pd_scale_share_add_lost (self, words, node->children);
      else
        pd_scale_share_add (self, words, node, PD_SCALE_CALLS, PD_SCALE_NEAREST);
    }
}

static PdScaleApproximation *
find_place (PdScaleShare *self, guint32 shape, gint column, PdScaleNear near)
{
  const PdScaleApproximation new = { .shape = shape, .column = column, .near = near };

  for (guint i = 0; i < self->places->len; i++)
    {
      PdScaleApproximation *one = &g_array_index (self->places, PdScaleApproximation, i);
      if (one->shape == shape && one->column == column && one->near == near)
        return one;
    }
  g_array_append_val (self->places, new);
  return &g_array_index (self->places, PdScaleApproximation, self->places->len - 1);
}

void
pd_scale_share_add (PdScaleShare *self, const PdScaleWords *words, const PdFoldNode *node,
                    gint column, PdScaleNear near)
{
  if (near == PD_SCALE_EXACT || !is_call (words, node))
    return;
  PdScaleApproximation *place = find_place (self, node->shape, column, near);
  place->calls += node->columns[PD_SCALE_PEER].n;
  place->bytes += count_bytes (words, node);
}

void
pd_scale_share_sum (const PdScaleShare *self, PdScaleNear near, guint64 *calls, guint64 *bytes)
{
  *calls = *bytes = 0;
  for (guint i = 0; i < self->places->len; i++)
    {
      const PdScaleApproximation *one = &g_array_index (self->places, PdScaleApproximation, i);
      *calls += one->near == near ? one->calls : 0;
      *bytes += one->near == near ? one->bytes : 0;
    }
}

PdScaleParts
pd_scale_share_get_parts (const PdScaleShare *self)
{
  guint64 calls, bytes, drawn_calls, drawn_bytes;

  pd_scale_share_sum (self, PD_SCALE_NEAREST, &calls, &bytes);
  pd_scale_share_sum (self, PD_SCALE_DRAWN, &drawn_calls, &drawn_bytes);
  const gdouble all_calls = (gdouble) MAX (self->calls, 1);
  const gdouble all_bytes = (gdouble) MAX (self->bytes, 1);
  return (PdScaleParts){ (gdouble) (calls + drawn_calls) / all_calls,
                         (gdouble) (bytes + drawn_bytes) / all_bytes,
                         (gdouble) drawn_bytes / all_bytes };
}
