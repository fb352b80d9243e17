/* Partners in a row, a column or another line of a grid.
 * SPDX-License-Identifier: MIT */
#include "scale/rule/pd-rule-private.h"

const PdRuleSample *
pd_rule_find_largest (const PdRuleSample *samples, gsize n)
{
  const PdRuleSample *best = NULL;

  for (gsize i = 0; i < n; i++)
    if (samples[i].value >= 0 && (best == NULL || samples[i].place.n > best->place.n))
      best = &samples[i];
  return best;
}

gint64
pd_rule_rank_at (const PdRulePlace *at, const gint64 *coordinates)
{
  gint64 rank = 0;

  for (guint d = 0; d < at->dims; d++)
    rank = rank * at->size[d] + coordinates[d];
  return rank;
}

gint64
pd_rule_modulo (gint64 value, gint64 n)
{
  return (value % n + n) % n;
}

/* ---- partners */

/* The rank at @to in dimension @d, at the place of the caller in the others. */
static gint64
get_along (const PdRulePlace *at, gint64 d, gint64 to)
{
  gint64 coordinates[PD_RULE_DIMS] = { at->at[0], at->at[1], at->at[2] };

  if (d < 0 || d >= (gint64) at->dims)
    return PD_RULE_NO_VALUE;
  if (to < 0 || to >= at->size[d])
    return PD_RULE_NOBODY;
  coordinates[d] = to;
  return pd_rule_rank_at (at, coordinates);
}

/* c[0] is the dimension; likewise: */
gint64
pd_rule_get_each_along (const PdRulePlace *at, const gint64 *c)
{
  return get_along (at, c[0], at->k + c[1]);
}

gint64
pd_rule_get_leader_along (const PdRulePlace *at, const gint64 *c)
{
  return get_along (at, c[0], c[1]);
}

gint64
pd_rule_get_other_along (const PdRulePlace *at, const gint64 *c)
{
  gboolean is_behind = c[0] >= 0 && c[0] < PD_RULE_DIMS && at->k >= at->at[c[0]];

  return get_along (at, c[0], at->k + (is_behind ? 1 : 0));
}

/* As far away as the coordinate of another dimension, c[1], says; c[2] is 1 or -1. */
gint64
pd_rule_get_skewed (const PdRulePlace *at, const gint64 *c)
{
  gint64 d = c[0], by = c[1];

  if (d < 0 || d >= (gint64) at->dims || by < 0 || by >= (gint64) at->dims)
    return PD_RULE_NO_VALUE;
  return get_along (
      at, d, pd_rule_modulo (at->at[d] + (c[2] < 0 ? -at->at[by] : at->at[by]), at->size[d]));
}

/* ---- their constants */

/* The dimension in which alone the partner is elsewhere, and where it is there: in the first
 * repetition, if @is_each. */
static gboolean
find_along (const PdRuleSample *samples, gsize n, gboolean is_each, gint64 *c)
{
  const PdRuleSample *one = pd_rule_find_largest (samples, n);
  PdRulePlace to;

  if (one == NULL || one->place.dims < 2 || one->value >= one->place.n)
    return FALSE;
  pd_rule_place_set_grid (&to, one->place.dims, one->place.size, one->value);
  for (c[0] = 0; c[0] < (gint64) to.dims; c[0]++)
    {
      c[1] = to.at[c[0]] - (is_each ? one->place.k : 0);
      if (pd_rule_row_fits (is_each ? pd_rule_get_each_along : pd_rule_get_leader_along, samples, n,
                            c))
        return TRUE;
    }
  return FALSE;
}

gboolean
pd_rule_solve_each_along (const PdRuleSample *samples, gsize n, gint64 *c)
{
  return find_along (samples, n, TRUE, c);
}

gboolean
pd_rule_solve_leader_along (const PdRuleSample *samples, gsize n, gint64 *c)
{
  return find_along (samples, n, FALSE, c);
}

gboolean
pd_rule_solve_other_along (const PdRuleSample *samples, gsize n, gint64 *c)
{
  for (c[0] = 0; c[0] < (gint64) samples[0].place.dims && samples[0].place.dims > 1; c[0]++)
    if (pd_rule_row_fits (pd_rule_get_other_along, samples, n, c))
      return TRUE;
  return FALSE;
}

gboolean
pd_rule_solve_skewed (const PdRuleSample *samples, gsize n, gint64 *c)
{
  gint64 dims = samples[0].place.dims;

  for (c[0] = 0; c[0] < dims; c[0]++)
    for (c[1] = 0; c[1] < dims; c[1]++)
      for (c[2] = -1; c[2] <= 1; c[2] += 2)
        if (c[0] != c[1] && pd_rule_row_fits (pd_rule_get_skewed, samples, n, c))
          return TRUE;
  return FALSE;
}
