/* SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-caches.h"

#include "predictor/common/pd-loop-curves.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-loop.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-fail.h"

#include <math.h>

#define MB 1e6

/* Of the pattern, how many elements the loop goes over, strides not counted; @all: (out): of how
 * many. */
static gdouble
count_elements (const PdLayout *layout, const PdAlignment *alignment, const PdLoopRange *ranges,
                guint rank, gdouble *all)
{
  const gint64 *sizes = pd_layout_get_sizes (layout);
  gdouble n = 1;

  *all = 1;
  for (guint k = 0; k < alignment->n; k++)
    {
      gint64 axis = alignment->axes[k];
      *all *= (gdouble) sizes[k];
      if (axis >= 1 && axis <= rank && alignment->coeffs[k] != 0)
        n *= fabs ((gdouble) ranges[axis - 1].last - (gdouble) ranges[axis - 1].first) + 1;
      else if (axis == -1)
        n *= (gdouble) sizes[k];
    }
  return n;
}

static gdouble
add_arrays (PdDvm *self, gint64 view)
{
  g_autoptr (GArray) handles = pd_dvm_placed_list (self, view);
  gdouble bytes = 0;

  for (guint i = 0; i < handles->len; i++)
    {
      const PdArray *array = pd_dvm_find (self, PD_KIND_ARRAY, g_array_index (handles, gint64, i));
      gdouble own = array != NULL ? (gdouble) MAX (array->type_size, 0) : 0;
      for (guint d = 0; array != NULL && d < array->rank; d++)
        own *= (gdouble) array->sizes[d];
      bytes += own;
    }
  return bytes;
}

void
pd_dvm_caches_note_loop (PdDvm *self, PdLoopObject *loop, const PdPattern *pattern,
                         const PdAlignment *alignment, const PdLoopRange *ranges)
{
  const PdDvmOptions *options = self->options;
  gdouble all, n;

  if (options->loop_costs == NULL && options->loop_curves == NULL && self->cache_size == 0)
    return;
  n = count_elements (pattern->layout, alignment, ranges, loop->rank, &all);
  loop->bytes = all > 0 ? add_arrays (self, pattern->view) * MIN (n / all, 1) : 0;
  loop->file = self->call->file;
  loop->line = self->call->line;
}

/* Bytes of each processor; @shared: (out): of those together that share a cache. */
static gdouble
divide_bytes (const PdDvm *self, const PdLoopObject *loop, gdouble *shared)
{
  PdLayout *layout = pd_loop_get_layout (loop->loop);
  guint32 n = pd_grid_get_n (pd_layout_get_grid (layout)) / pd_layout_get_replication (layout);

  n = MAX (n, 1);
  *shared = loop->bytes / n * MIN (n, MAX (self->cache_sharing, 1));
  return loop->bytes / n;
}

static gdouble
find_factor (const PdDvm *self, const PdLoopObject *loop)
{
  const PdLoopCurves *curves = self->options->loop_curves;
  gdouble shared, own = divide_bytes (self, loop, &shared);

  PdCostFactor alone = pd_loop_curves_get_factor (curves, loop->file, loop->line, loop->bytes, own);
  PdCostFactor together =
      pd_loop_curves_get_factor (curves, loop->file, loop->line, loop->bytes, shared);
  gdouble low = MIN (alone.low, together.low), high = MAX (alone.high, together.high);
  switch (self->options->cache_bound)
    {
    case PD_CACHE_LOW:
      return low;
    case PD_CACHE_HIGH:
      return high;
    case PD_CACHE_MIDDLE:
      break;
    }
  return (low + high) / 2;
}

/* The step lies between the recorded bytes and those of a processor. */
static void
warn_of_step (PdDvm *self, const PdLoopObject *loop)
{
  gdouble shared, own = divide_bytes (self, loop, &shared), size = (gdouble) self->cache_size;

  if (loop->bytes < size || own >= size)
    return;
  g_autofree char *place = g_strdup_printf ("%s:%" G_GINT64_FORMAT, loop->file, loop->line);
  pd_dvm_warn (self, "cache-step", place,
               "the loop at %s was recorded on %.1f MB, which do not fit the cache of %.1f MB; the "
               "%.1f MB of a processor do: it may be faster than predicted. Record a smaller size, "
               "too, and give it with --scaling-traces",
               place, loop->bytes / MB, size / MB, own / MB);
}

void
pd_dvm_caches_apply (PdDvm *self, const PdLoopObject *loop, GArray *shares)
{
  PdTime sum = PD_TIME_ZERO;

  if (!(loop->bytes >= 1))
    return;
  for (guint i = 0; i < shares->len; i++)
    sum = pd_time_add (sum, g_array_index (shares, PdLoopShare, i).time);
  if (self->options->loop_costs != NULL)
    pd_loop_costs_add (self->options->loop_costs, loop->file, loop->line, (gint64) loop->bytes,
                       pd_loop_get_total (loop->loop), sum);
  if (self->options->loop_curves == NULL)
    {
      if (self->cache_size > 0)
        warn_of_step (self, loop);
      return;
    }
  gdouble factor = find_factor (self, loop);
  for (guint i = 0; i < shares->len; i++)
    {
      PdLoopShare *share = &g_array_index (shares, PdLoopShare, i);
      gdouble ps = floor ((gdouble) share->time.ps * factor + 0.5);
      share->time = ps < (gdouble) G_MAXINT64 ? PD_TIME ((gint64) ps) : PD_TIME_MAX;
    }
}
