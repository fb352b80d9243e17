/* SPDX-License-Identifier: MIT */
#include "base/pd-distribution.h"

#include <math.h>

const gdouble pd_distribution_shares[PD_N_QUANTILES] = { 0,    0.01, 0.05, 0.25, 0.5,
                                                         0.75, 0.95, 0.99, 1 };

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  const PdTime *x = a, *y = b;

  return (x->ps > y->ps) - (x->ps < y->ps);
}

static void
compute_moments (const PdTime *times, guint n, PdDistribution *out)
{
  gdouble base = (gdouble) times[0].ps, sum = 0, squares = 0;

  for (guint i = 0; i < n; i++)
    sum += (gdouble) times[i].ps - base;
  sum /= n;
  for (guint i = 0; i < n; i++)
    {
      gdouble off = (gdouble) times[i].ps - base - sum;
      squares += off * off;
    }
  out->mean = (base + sum) * 1e-12;
  out->deviation = n > 1 ? sqrt (squares / (n - 1)) * 1e-12 : 0;
}

/* Bars of equal width. @sorted: they rise. */
static void
compute_bars (const PdTime *sorted, guint n, PdDistribution *out)
{
  gint64 low = sorted[0].ps, width = sorted[n - 1].ps - low;
  guint at = 0;

  out->n_bars = width == 0 ? 1 : CLAMP ((guint) sqrt (n), 1, G_N_ELEMENTS (out->bars));
  for (guint i = 0; i < out->n_bars; i++)
    {
      PdHistogramBar *bar = &out->bars[i];
      gdouble step = (gdouble) width / out->n_bars;
      gboolean is_last = i + 1 == out->n_bars;
      bar->from = i == 0 ? sorted[0] : out->bars[i - 1].to;
      bar->to = is_last ? sorted[n - 1] : PD_TIME (low + (gint64) (step * (i + 1)));
      bar->count = 0;
      for (; at < n && (is_last || sorted[at].ps < bar->to.ps); at++)
        bar->count++;
    }
}

void
pd_distribution_compute (const GArray *times, PdDistribution *out)
{
  g_return_if_fail (times != NULL && times->len > 0);

  g_autoptr (GArray) sorted = g_array_sized_new (FALSE, FALSE, sizeof (PdTime), times->len);
  guint n = times->len;

  g_array_append_vals (sorted, times->data, n);
  g_array_sort (sorted, compare_times);
  const PdTime *values = (const PdTime *) (gconstpointer) sorted->data;
  *out = (PdDistribution){ .n = n };
  compute_moments (values, n, out);
  for (guint i = 0; i < PD_N_QUANTILES; i++)
    {
      gint64 rank = (gint64) ceil (pd_distribution_shares[i] * n);
      out->quantiles[i] = values[CLAMP (rank, 1, (gint64) n) - 1];
    }
  compute_bars (values, n, out);
}

/* ---- batches */

static void
merge_neighbours (PdBatches *self)
{
  for (guint i = 0; i < PD_N_BATCHES / 2; i++)
    self->sums[i] = self->sums[2 * i] + self->sums[2 * i + 1];
  self->n_full = PD_N_BATCHES / 2;
  self->size *= 2;
}

void
pd_batches_add_equal (PdBatches *self, gdouble value, guint64 n)
{
  self->size = MAX (self->size, 1);
  self->n += n;
  while (n > 0)
    {
      guint64 step = MIN (n, self->size - self->in_current);
      n -= step;
      self->current += value * (gdouble) step;
      self->in_current += step;
      if (self->in_current < self->size)
        return;
      self->sums[self->n_full++] = self->current;
      self->current = 0;
      self->in_current = 0;
      if (self->n_full == PD_N_BATCHES)
        merge_neighbours (self);
    }
}

void
pd_batches_add (PdBatches *self, gdouble value)
{
  pd_batches_add_equal (self, value, 1);
}

gdouble
pd_batches_get_variance (const PdBatches *self)
{
  gdouble mean = 0, squares = 0, b = self->n_full, n = (gdouble) self->n;

  if (self->n_full < 2)
    return 0;
  for (guint i = 0; i < self->n_full; i++)
    mean += self->sums[i] / b;
  for (guint i = 0; i < self->n_full; i++)
    squares += (self->sums[i] - mean) * (self->sums[i] - mean);
  /* of sums of batches to that of means: by the square of their size */
  gdouble of_means = squares / (b - 1) / (gdouble) self->size / (gdouble) self->size;
  return n * n * of_means / b;
}
