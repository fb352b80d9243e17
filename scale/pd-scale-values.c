/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-values-private.h"

/* The recordings do not tell two rules apart that differ here. */
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

static gint64
get_by_rule (PdScaleDoubts *self, const PdScaleNumber *number, const PdRulePlace *place)
{
  gboolean has_turns = number->how == PD_SCALE_BY_TURN;

  if (has_turns && place->k >= number->turns->len)
    return PD_SCALE_NO_VALUE;
  const PdRule *rule = has_turns ? &g_array_index (number->turns, PdRule, place->k) : &number->rule;
  gint64 value = pd_rule_get (rule, place);
  for (guint i = 0; i < number->others->len; i++)
    {
      const PdScaleOther *other = &g_array_index (number->others, PdScaleOther, i);
      gint64 other_value = pd_rule_get (&other->rule, place);
      if ((has_turns && other->turn != place->k) || other_value == value)
        continue;
      note_doubt (self, rule, &other->rule);
      if (value == PD_SCALE_NO_VALUE) /* a part with a rest: a block, then */
        value = other_value;
    }
  return value;
}

gint64
pd_scale_number_take (const PdScaleNumber *number, PdColumnPlace *at)
{
  return at->run < number->literal.runs.n ? pd_column_next (&number->literal, at)
                                          : PD_SCALE_NO_VALUE;
}

gint64
pd_scale_number_get (PdScaleDoubts *self, const PdScaleNumber *number, const PdRulePlace *where,
                     PdColumnPlace *at)
{
  PdRulePlace place = *where;
  gint64 period = number->has_period ? pd_rule_get (&number->period, &place) : 0;

  if (number->how == PD_SCALE_LITERALLY)
    return pd_scale_number_take (number, at);
  if (period > 0)
    {
      place.k %= period;
      place.m = period;
    }
  return get_by_rule (self, number, &place);
}
