/* Rounds of a measurement, and which of them the machine disturbed.
 * SPDX-License-Identifier: MIT */
#include "measure/stats/pd-rounds.h"

#define CONFIDENCE 0.95

static gdouble
find_least (const PdRound *rounds, gsize n)
{
  gdouble least = G_MAXDOUBLE;

  for (gsize i = 0; i < n; i++)
    least = MIN (least, rounds[i].seconds);
  return least;
}

gboolean
pd_rounds_is_disturbed (const PdRound *rounds, gsize n, gsize i)
{
  return rounds[i].switches > 0 || rounds[i].seconds > PD_ROUND_FAR * find_least (rounds, n);
}

gsize
pd_rounds_disturbed (const PdRound *rounds, gsize n)
{
  gsize disturbed = 0;

  for (gsize i = 0; i < n; i++)
    if (pd_rounds_is_disturbed (rounds, n, i))
      disturbed++;
  return disturbed;
}

void
pd_rounds_compute (const PdRound *rounds, gsize n, PdStats *out)
{
  gboolean take_all = pd_rounds_disturbed (rounds, n) == n;
  g_autofree gdouble *seconds = g_new (gdouble, n);
  gsize taken = 0;

  for (gsize i = 0; i < n; i++)
    if (take_all || !pd_rounds_is_disturbed (rounds, n, i))
      seconds[taken++] = rounds[i].seconds;
  pd_stats_compute (seconds, taken, 0, CONFIDENCE, out);
}
