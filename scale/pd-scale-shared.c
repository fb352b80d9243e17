/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-shared-private.h"

#include <math.h>

/* Times of another class are taken if those that are known differ by no more, the factor aside. */
#define ALIKE 0.1

typedef struct
{
  guint n_turns;
  guint n_levels;
  GPtrArray *nodes; /* (element-type PdScaleNode): borrowed */
} Place;

struct _PdScaleShared
{
  GHashTable *numbers; /* GBytes: shape, next and ordinal -> number of the place + 1 */
  GHashTable *counts;  /* gint64: shape and next -> how many the class has */
  GArray *places;      /* Place */
};

static void
clear_place (gpointer data)
{
  g_ptr_array_unref (((Place *) data)->nodes);
}

PdScaleShared *
pd_scale_shared_new (void)
{
  PdScaleShared *self = g_new0 (PdScaleShared, 1);

  self->numbers =
      g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  self->counts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->places = g_array_new (FALSE, TRUE, sizeof (Place));
  g_array_set_clear_func (self->places, clear_place);
  return self;
}

void
pd_scale_shared_free (PdScaleShared *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->numbers);
  g_hash_table_unref (self->counts);
  g_array_unref (self->places);
  g_free (self);
}

void
pd_scale_shared_begin (PdScaleShared *self)
{
  for (guint i = 0; i < self->places->len; i++)
    g_ptr_array_set_size (g_array_index (self->places, Place, i).nodes, 0);
}

void
pd_scale_shared_begin_class (PdScaleShared *self)
{
  g_hash_table_remove_all (self->counts);
}

/* ---- places */

static guint
count (PdScaleShared *self, guint32 shape, guint32 next)
{
  gint64 *pair = g_new (gint64, 1);

  *pair = (gint64) ((guint64) shape << 32 | next);
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (self->counts, pair));
  g_hash_table_insert (self->counts, pair, GUINT_TO_POINTER (n + 1));
  return n;
}

guint
pd_scale_shared_find (PdScaleShared *self, guint32 shape, guint32 next)
{
  const guint32 key[] = { shape, next, count (self, shape, next) };
  g_autoptr (GBytes) bytes = g_bytes_new (key, sizeof key);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, bytes));

  if (number > 0)
    return number - 1;
  const Place place = { .nodes = g_ptr_array_new () };
  g_array_append_val (self->places, place);
  g_hash_table_insert (self->numbers, g_steal_pointer (&bytes),
                       GUINT_TO_POINTER (self->places->len));
  return self->places->len - 1;
}

void
pd_scale_shared_get_least (const PdScaleShared *self, guint place, PdScaleNode *node)
{
  node->n_turns = g_array_index (self->places, Place, place).n_turns;
  node->n_levels = g_array_index (self->places, Place, place).n_levels;
}

void
pd_scale_shared_add (PdScaleShared *self, guint place, PdScaleNode *node)
{
  Place *known = &g_array_index (self->places, Place, place);

  known->n_turns = MAX (known->n_turns, node->n_turns);
  known->n_levels = MAX (known->n_levels, node->n_levels);
  g_ptr_array_add (known->nodes, node);
}

/* ---- times */

static const GArray *
get_points (const PdScaleNode *node, guint group)
{
  return g_ptr_array_index (node->points, group);
}

/* The factor between @points and what @times give there, and how far they are from it at most. */
static gdouble
compare (const GArray *points, const PdScaleTimes *times, gdouble *error)
{
  gdouble sum = 0;

  *error = points->len > 0 ? 0 : INFINITY;
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < points->len; i++)
      {
        const PdScalePoint *point = &g_array_index (points, PdScalePoint, i);
        gdouble ratio = point->amount / pd_scale_times_get (times, point->ranks);
        if (!(ratio > 0) || !isfinite (ratio))
          *error = INFINITY;
        else if (pass == 0)
          sum += log (ratio) / points->len;
        else
          *error = MAX (*error, fabs (ratio / exp (sum) - 1));
      }
  return exp (sum);
}

/* Whether the points of both are of the same numbers of ranks. */
static gboolean
have_same_ranks (const GArray *a, const GArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    if (g_array_index (a, PdScalePoint, i).ranks != g_array_index (b, PdScalePoint, i).ranks)
      return FALSE;
  return TRUE;
}

/* The points of the first class that has most of @group. */
static const GArray *
find_longest (const Place *place, guint n_groups, guint group)
{
  const GArray *longest = NULL;

  for (guint i = 0; i < place->nodes->len; i++)
    {
      const PdScaleNode *node = g_ptr_array_index (place->nodes, i);
      if (node->times->len == n_groups
          && (longest == NULL || get_points (node, group)->len > longest->len))
        longest = get_points (node, group);
    }
  return longest;
}

static gint
compare_amounts (gconstpointer a, gconstpointer b)
{
  gdouble one = *(const gdouble *) a, other = *(const gdouble *) b;

  return one < other ? -1 : one > other;
}

/* On each number of ranks the median of the classes that say most of @group, all on the same
 * numbers. Returns: how many these are. */
static guint
pool (const Place *place, guint n_groups, guint group, GArray *points)
{
  const GArray *longest = find_longest (place, n_groups, group);
  guint most = longest != NULL ? longest->len : 0;
  g_autoptr (GArray) amounts = g_array_new (FALSE, FALSE, sizeof (gdouble));

  for (guint i = 0; i < most; i++)
    {
      PdScalePoint point = { 0, 0 };
      g_array_set_size (amounts, 0);
      for (guint k = 0; k < place->nodes->len; k++)
        {
          const PdScaleNode *node = g_ptr_array_index (place->nodes, k);
          if (node->times->len != n_groups || !have_same_ranks (get_points (node, group), longest))
            continue;
          point = g_array_index (get_points (node, group), PdScalePoint, i);
          g_array_append_val (amounts, point.amount);
        }
      g_array_sort (amounts, compare_amounts);
      point.amount = g_array_index (amounts, gdouble, amounts->len / 2);
      g_array_append_val (points, point);
    }
  return most;
}

/* Takes @times, those of all classes, for @node if its own points are fewer, or if these points are
 * as close to @times as to its own times. */
static void
lend (const PdScaleTimes *times, guint n_points, PdScaleNode *node, guint group)
{
  PdScaleTimes *own = &g_array_index (node->times, PdScaleTimes, group);
  const GArray *points = get_points (node, group);
  gdouble error, factor = compare (points, times, &error), weight = own->weight;

  if (node->amounts.n > 0 && points->len > 1) /* the same on several numbers of ranks */
    return;
  if (points->len == 0)
    factor = 1;
  else if (error > (points->len < n_points ? MAX (ALIKE, own->error) : own->error))
    return;
  *own = *times;
  own->c0 *= factor;
  own->c1 *= factor;
  own->weight = weight;
  if (own->c1 > 0 || own->c1 < 0)
    pd_column_clear (&node->amounts); /* which are those of one number of ranks */
}

static void
lend_all (const Place *place)
{
  for (guint i = 0; i < place->nodes->len; i++)
    {
      PdScaleNode *node = g_ptr_array_index (place->nodes, i);
      for (guint group = 0; group < node->times->len && place->nodes->len > 1; group++)
        {
          g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (PdScalePoint));
          guint n = pool (place, node->times->len, group, points);
          PdScaleTimes times = { .power = 0 };
          if (n == 0)
            continue;
          pd_scale_times_fit ((const PdScalePoint *) (void *) points->data, n, &times);
          lend (&times, n, node, group);
        }
    }
}

static void
sum_up (PdScaleModel *model, const PdScaleNode *node)
{
  for (guint group = 0; group < node->times->len; group++)
    {
      const PdScaleTimes *times = pd_scale_node_get_times (node, group);
      model->time_error += times->weight > 0 ? times->error * times->weight : 0;
      model->time_sum += times->weight;
    }
}

void
pd_scale_shared_lend (PdScaleShared *self, PdScaleModel *model)
{
  model->time_error = model->time_sum = 0;
  for (guint i = 0; i < self->places->len; i++)
    {
      const Place *place = &g_array_index (self->places, Place, i);
      lend_all (place);
      for (guint k = 0; k < place->nodes->len; k++)
        {
          PdScaleNode *node = g_ptr_array_index (place->nodes, k);
          sum_up (model, node);
          g_clear_pointer (&node->points, g_ptr_array_unref);
          if (node->amounts.n > 0)
            g_clear_pointer (&node->scatter, g_ptr_array_unref);
        }
    }
}
