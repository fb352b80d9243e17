/* Whether two samples differ.
 * SPDX-License-Identifier: MIT */
#include "measure/stats/pd-mann-whitney.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

/* ---- the statistic */

/* Pairs in which the first is greater, ties half; and the sum of t^3 - t over groups of t
 * equal values. */
static gdouble
count_pairs (const gdouble *first, gsize n, const gdouble *second, gsize m, gdouble *ties)
{
  gsize all = n + m;
  g_autofree gdouble *values = g_new (gdouble, all);
  g_autofree gsize *order = g_new (gsize, all);
  gdouble ranks = 0;

  memcpy (values, first, n * sizeof *values);
  memcpy (values + n, second, m * sizeof *values);
  gsl_sort_index (order, values, 1, all);
  *ties = 0;
  for (gsize i = 0, t; i < all; i += t)
    {
      gsize of_first = 0;
      for (t = 0; i + t < all && values[order[i + t]] == values[order[i]]; t++)
        if (order[i + t] < n)
          of_first++;
      /* ranks i + 1 to i + t: each has their mean */
      ranks += (gdouble) of_first * ((gdouble) i + ((gdouble) t + 1) / 2);
      *ties += (gdouble) t * ((gdouble) t * (gdouble) t - 1);
    }
  return ranks - (gdouble) n * ((gdouble) n + 1) / 2;
}

/* ---- its distribution */

/* The probability of at most @u, for whole @u: rows of the recursion over n, in each of
 * which the distributions for m = 0, 1 … follow each other. */
static gdouble
compute_exact (gsize n, gsize m, gsize u)
{
  gsize room = n * m + 1;
  g_autofree gdouble *rows = g_new0 (gdouble, (m + 1) * room);
  gdouble sum = 0;

  for (gsize i = 0; i <= n; i++)
    for (gsize k = 0; k <= m; k++)
      {
        gdouble *row = rows + k * room, all = (gdouble) (i + k);
        const gdouble *shorter = row - room;
        for (gsize x = i * k + 1; x-- > 0;)
          {
            gdouble taken = i > 0 && x >= k ? row[x - k] : 0; /* still of i - 1 */
            gdouble left = k > 0 && x <= i * (k - 1) ? shorter[x] : 0;
            row[x] = i + k == 0 ? 1 : ((gdouble) i * taken + (gdouble) k * left) / all;
          }
      }
  for (gsize x = 0; x <= MIN (u, room - 1); x++)
    sum += rows[m * room + x];
  return sum;
}

static gdouble
compute_normal (gdouble n, gdouble m, gdouble u, gdouble ties)
{
  gdouble all = n + m;
  gdouble variance = n * m / 12 * (all + 1 - (all > 1 ? ties / (all * (all - 1)) : 0));
  gdouble distance = MAX (fabs (u - n * m / 2) - 0.5, 0);

  return variance > 0 ? MIN (2 * gsl_cdf_ugaussian_Q (distance / sqrt (variance)), 1) : 1;
}

void
pd_mann_whitney (const gdouble *first, gsize n_first, const gdouble *second, gsize n_second,
                 PdMannWhitney *out)
{
  gdouble ties, n = (gdouble) n_first, m = (gdouble) n_second;

  g_return_if_fail (n_first > 0 && n_second > 0);
  out->u = count_pairs (first, n_first, second, n_second, &ties);
  out->is_exact = !(ties > 0) && n * m <= PD_MANN_WHITNEY_EXACT;
  if (out->is_exact)
    out->p = MIN (2 * compute_exact (n_first, n_second, (gsize) MIN (out->u, n * m - out->u)), 1);
  else
    out->p = compute_normal (n, m, out->u, ties);
  out->least_p =
      MIN (2 * exp (-gsl_sf_lnchoose ((guint) (n_first + n_second), (guint) n_first)), 1);
}

/* ---- many tests */

void
pd_holm (const gdouble *p, gsize n, gdouble *adjusted)
{
  g_autofree gsize *order = g_new (gsize, n + 1);
  gdouble greatest = 0;

  gsl_sort_index (order, p, 1, n);
  for (gsize i = 0; i < n; i++)
    {
      gdouble scaled = (gdouble) (n - i) * p[order[i]];
      greatest = MAX (greatest, MIN (scaled, 1));
      adjusted[order[i]] = greatest;
    }
}
