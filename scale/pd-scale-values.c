/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-values-private.h"

/* The recordings fit two rules that differ here. */
static void
note_doubt (PdScaleDoubts *self, const PdRule *rule, const PdRule *other)
{
  g_autofree char *one = NULL, *two = NULL;
  gboolean is_first = self->n == 0 && self->weight > 0;

  self->n += self->weight;
  if (!is_first)
    return;
  one = pd_rule_describe (rule);
  two = pd_rule_describe (other);
  self->first = g_strdup_printf ("of rank %u, where both \"%s\" and \"%s\" explain the recordings",
                                 self->rank, one, two);
}

/* Whether the number goes by the size of a dimension in which @peer is elsewhere (@is_elsewhere),
 * or is at the same place. */
static gboolean
goes_by (const PdRule *rule, const PdRulePlace *place, gint64 peer, gboolean is_elsewhere)
{
  gint d = pd_rule_get_dimension (rule);
  PdRulePlace there = { .dims = 0 };

  if (d < 0 || (guint) d >= place->dims || peer < 0 || peer >= place->n)
    return FALSE;
  pd_rule_place_set_grid (&there, place->dims, place->size, peer);
  return (there.at[d] != place->at[d]) == is_elsewhere;
}

/* Whose rule is the one of a number with turns. */
static gint64
get_turn (const PdScaleNumber *number, const PdRulePlace *place)
{
  return number->by_level && number->turns->len > 0 ? place->l % number->turns->len : place->k;
}

/* Of rules that explain as much the one is preferred that goes by a dimension in which both ends of
 * the message are at the same place, as the points of an edge do between neighbours: both have the
 * same block of it. A part with a rest is a block in any case. A block that runs out of things is
 * no reason for doubt where the rule gives a number. */
static gint64
get_by_others (PdScaleDoubts *self, const PdScaleNumber *number, const PdRulePlace *place,
               gint64 peer, const PdRule *rule)
{
  gint64 by_rule = pd_rule_get (rule, place), value = by_rule;
  gboolean is_settled = value != PD_SCALE_NO_VALUE && !goes_by (rule, place, peer, TRUE);
  gboolean has_doubt = FALSE;

  for (guint i = 0; i < number->others->len; i++)
    {
      const PdScaleOther *other = &g_array_index (number->others, PdScaleOther, i);
      gint64 other_value = pd_rule_get (&other->rule, place);
      if ((number->turns != NULL && other->turn != get_turn (number, place))
          || other_value == PD_SCALE_NO_VALUE)
        continue;
      gboolean goes_well = !is_settled && goes_by (&other->rule, place, peer, FALSE);
      if (goes_well || value == PD_SCALE_NO_VALUE)
        value = other_value;
      is_settled = is_settled || goes_well;
      if (has_doubt || other_value == by_rule
          || (by_rule != PD_SCALE_NO_VALUE && pd_rule_is_exhausted (&other->rule, place)))
        continue;
      note_doubt (self, rule, &other->rule);
      has_doubt = TRUE;
    }
  return value;
}

static gint64
get_by_rule (PdScaleDoubts *self, const PdScaleNumber *number, const PdRulePlace *place,
             gint64 peer)
{
  gint64 turn = get_turn (number, place);

  if (number->turns != NULL && turn >= number->turns->len)
    return PD_SCALE_NO_VALUE;
  const PdRule *rule = number->turns != NULL ? &g_array_index (number->turns, PdRule, turn)
                       : number->how == PD_SCALE_BY_LIST ? &number->entries
                                                         : &number->rule;
  return get_by_others (self, number, place, peer, rule);
}

gint64
pd_scale_number_take (const PdScaleNumber *number, PdColumnPlace *at)
{
  return at->run < number->literal.runs.n ? pd_column_next (&number->literal, at)
                                          : PD_SCALE_NO_VALUE;
}

gint64
pd_scale_number_get (PdScaleDoubts *self, const PdScaleNumber *number, const PdRulePlace *where,
                     gint64 peer, PdColumnPlace *at)
{
  PdRulePlace place = *where;
  gint64 period = number->has_period ? pd_rule_get (&number->period, &place) : 0;

  if (number->how == PD_SCALE_LITERALLY)
    return pd_scale_number_take (number, at);
  if (number->how == PD_SCALE_BY_AVERAGE)
    return 0; /* until the blocks are known */
  if (period > 0)
    {
      place.k %= period;
      place.m = period;
    }
  return get_by_rule (self, number, &place, peer);
}
