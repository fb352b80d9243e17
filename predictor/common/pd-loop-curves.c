/* SPDX-License-Identifier: MIT */
#include "predictor/common/pd-loop-curves.h"

#include <math.h>
#include <string.h>

#define BINS_PER_OCTAVE 2
#define NEAR            0.25 /* octaves */

/* One execution; or, of a curve, the median of those of a bin. */
typedef struct
{
  gdouble log_bytes; /* to the base 2 */
  gdouble cost;      /* picoseconds of an iteration */
} Point;

typedef struct
{
  char *file;
  gint64 line;
  GArray *points; /* Point */
} Loop;

struct _PdLoopCosts
{
  GPtrArray *loops; /* Loop */
};

struct _PdLoopCurves
{
  GPtrArray *loops; /* Loop, their points ascending by bytes */
};

static void
loop_free (gpointer data)
{
  Loop *loop = data;

  g_free (loop->file);
  g_array_unref (loop->points);
  g_free (loop);
}

static Loop *
add_loop (GPtrArray *loops, const char *file, gint64 line)
{
  Loop *loop = g_new (Loop, 1);

  *loop = (Loop){ g_strdup (file), line, g_array_new (FALSE, FALSE, sizeof (Point)) };
  g_ptr_array_add (loops, loop);
  return loop;
}

/* @file: (nullable): any. */
static Loop *
find_loop (const GPtrArray *loops, const char *file, gint64 line)
{
  for (guint i = 0; i < loops->len; i++)
    {
      Loop *loop = g_ptr_array_index (loops, i);
      if (loop->line == line && (file == NULL || strcmp (loop->file, file) == 0))
        return loop;
    }
  return NULL;
}

PdLoopCosts *
pd_loop_costs_new (void)
{
  PdLoopCosts *self = g_new (PdLoopCosts, 1);

  self->loops = g_ptr_array_new_with_free_func (loop_free);
  return self;
}

void
pd_loop_costs_add (PdLoopCosts *self, const char *file, gint64 line, gint64 bytes,
                   gint64 iterations, PdTime time)
{
  g_return_if_fail (self != NULL && file != NULL && bytes > 0 && iterations > 0);
  const Point point = { log2 ((gdouble) bytes), (gdouble) time.ps / (gdouble) iterations };
  Loop *loop = find_loop (self->loops, file, line);

  if (loop == NULL)
    loop = add_loop (self->loops, file, line);
  g_array_append_val (loop->points, point);
}

gboolean
pd_loop_costs_is_empty (const PdLoopCosts *self)
{
  g_return_val_if_fail (self != NULL, TRUE);
  return self->loops->len == 0;
}

void
pd_loop_costs_free (PdLoopCosts *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->loops);
  g_free (self);
}

/* ---- curves */

static gint
bin_of (const Point *point)
{
  return (gint) floor (BINS_PER_OCTAVE * point->log_bytes + 0.5);
}

static int
compare_points (gconstpointer a, gconstpointer b)
{
  const Point *x = a, *y = b;
  gint m = bin_of (x), n = bin_of (y);

  if (m != n)
    return m < n ? -1 : 1;
  return (x->cost > y->cost) - (x->cost < y->cost);
}

/* Of a bin that begins at @first: its end; @median gets the mean size and the median cost. */
static guint
reduce_bin (const GArray *points, guint first, Point *median)
{
  const Point *all = (const Point *) (gpointer) points->data;
  guint end = first;

  *median = (Point){ 0, 0 };
  for (; end < points->len && bin_of (&all[end]) == bin_of (&all[first]); end++)
    median->log_bytes += all[end].log_bytes;
  median->log_bytes /= end - first;
  median->cost = all[first + (end - first - 1) / 2].cost;
  return end;
}

static void
make_curve (Loop *loop)
{
  GArray *curve = g_array_new (FALSE, FALSE, sizeof (Point));
  Point median;

  g_array_sort (loop->points, compare_points);
  for (guint i = 0; i < loop->points->len;)
    {
      i = reduce_bin (loop->points, i, &median);
      if (median.cost > 0)
        g_array_append_val (curve, median);
    }
  g_array_unref (loop->points);
  loop->points = curve;
}

PdLoopCurves *
pd_loop_curves_new (PdLoopCosts *const *costs, guint n)
{
  g_return_val_if_fail (costs != NULL && n >= 1, NULL);
  PdLoopCurves *self = g_new (PdLoopCurves, 1);
  const GPtrArray *base = costs[0]->loops;

  self->loops = g_ptr_array_new_with_free_func (loop_free);
  for (guint i = 0; i < base->len; i++)
    {
      const Loop *like = g_ptr_array_index (base, i);
      Loop *loop = add_loop (self->loops, like->file, like->line);
      for (guint k = 0; k < n; k++)
        {
          const Loop *same = costs[k]->loops->len == base->len
                                 ? g_ptr_array_index (costs[k]->loops, i)
                                 : find_loop (costs[k]->loops, NULL, like->line);
          if (same != NULL)
            g_array_append_vals (loop->points, same->points->data, same->points->len);
        }
      make_curve (loop);
    }
  return self;
}

/* Of two points, the one that is nearer, or NULL if none is near. */
static const Point *
find_near (const Point *below, const Point *above, gdouble log_bytes)
{
  gdouble down = log_bytes - below->log_bytes, up = above->log_bytes - log_bytes;

  if (MIN (down, up) > NEAR)
    return NULL;
  return down <= up ? below : above;
}

static PdCostFactor
get_cost (const Loop *loop, gdouble log_bytes)
{
  const Point *p = (const Point *) (gpointer) loop->points->data;
  guint last = loop->points->len - 1, i = 0;

  if (log_bytes <= p[0].log_bytes)
    return (PdCostFactor){ p[0].cost, p[0].cost };
  if (log_bytes >= p[last].log_bytes)
    return (PdCostFactor){ p[last].cost, p[last].cost };
  while (p[i + 1].log_bytes < log_bytes)
    i++;
  const Point *near = find_near (&p[i], &p[i + 1], log_bytes);
  if (near != NULL)
    return (PdCostFactor){ near->cost, near->cost };
  return (PdCostFactor){ MIN (p[i].cost, p[i + 1].cost), MAX (p[i].cost, p[i + 1].cost) };
}

PdCostFactor
pd_loop_curves_get_factor (const PdLoopCurves *self, const char *file, gint64 line, gdouble from,
                           gdouble to)
{
  PdCostFactor factor = { 1, 1 };
  g_return_val_if_fail (self != NULL && file != NULL && from > 0 && to > 0, factor);
  const Loop *loop = find_loop (self->loops, file, line);

  if (loop == NULL || loop->points->len < 2)
    return factor;
  PdCostFactor recorded = get_cost (loop, log2 (from)), cost = get_cost (loop, log2 (to));
  factor.low = cost.low / recorded.high;
  factor.high = cost.high / recorded.low;
  return factor;
}

guint
pd_loop_curves_count (const PdLoopCurves *self, guint *n_loops)
{
  g_return_val_if_fail (self != NULL && n_loops != NULL, 0);
  guint n = 0;

  *n_loops = self->loops->len;
  for (guint i = 0; i < self->loops->len; i++)
    n += ((const Loop *) g_ptr_array_index (self->loops, i))->points->len >= 2;
  return n;
}

void
pd_loop_curves_free (PdLoopCurves *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->loops);
  g_free (self);
}
