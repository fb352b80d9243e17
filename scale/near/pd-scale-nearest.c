/* SPDX-License-Identifier: MIT */
#include "scale/near/pd-scale-near-private.h"

#define MOST_TRIED 64 /* recorded numbers of a rank that rules are tried on, and rules */

#define MEMBER(source, i) (&g_array_index ((source)->members, PdScaleMember, (i)))

/* The first numbers of each rank. */
static void
list_samples (const PdScaleSource *source, GArray *samples)
{
  for (guint i = 0; i < source->members->len; i++)
    {
      const PdColumn *column = source->columns[i], *visits = source->visits[i];
      PdColumnPlace at = { 0, 0 }, visit = { 0, 0 };
      gboolean is_regular = pd_column_is_constant (visits) && visits->n > 0;
      gint64 m = is_regular ? pd_column_next (visits, &visit) : 1;
      PdRuleSample sample = { .value = 0 };

      pd_scale_place_in (&MEMBER (source, i)->world, source->mask, &sample.place);
      sample.place.m = m = MAX (m, 1);
      for (guint64 v = 0; v < MIN (column->n, MOST_TRIED); v++)
        {
          sample.place.k = (gint64) (v % (guint64) m);
          sample.value = pd_column_next (column, &at);
          g_array_append_val (samples, sample);
        }
    }
}

/* 0: no rule of partners, since some that there are become others that there are not. */
static guint
count_right (const PdRule *rule, const GArray *samples)
{
  guint n = 0;

  for (guint i = 0; i < samples->len; i++)
    {
      const PdRuleSample *sample = &g_array_index (samples, PdRuleSample, i);
      gint64 value = pd_rule_get (rule, &sample->place);
      if (rule->purpose == PD_RULE_PEERS && sample->value >= 0
          && (value < 0 || value >= sample->place.n))
        return 0;
      n += value == sample->value ? 1 : 0;
    }
  return n;
}

/* Rules that explain @samples [@begin, @end) count. */
static void
try_samples (PdRulePurpose purpose, const GArray *samples, guint begin, guint end, PdRule *best,
             guint *most)
{
  g_autoptr (GArray) rules = g_array_new (FALSE, FALSE, sizeof (PdRule));
  const PdRuleSample *first = &g_array_index (samples, PdRuleSample, begin);
  PdRule rule;

  if (!pd_rule_find (purpose, first, end - begin, &rule))
    return;
  g_array_append_val (rules, rule);
  if (purpose == PD_RULE_PEERS)
    pd_rule_find_others (&rule, first, end - begin, rules);
  for (guint i = 0; i < rules->len; i++)
    {
      guint n = count_right (&g_array_index (rules, PdRule, i), samples);
      if (n <= *most)
        continue;
      *best = g_array_index (rules, PdRule, i);
      *most = n;
    }
}

gboolean
pd_scale_nearest_fit (const PdScaleSource *source, PdRulePurpose purpose, PdScaleNumber *number)
{
  g_autoptr (GArray) samples = g_array_new (FALSE, FALSE, sizeof (PdRuleSample));
  guint most = 0, end, step;

  list_samples (source, samples);
  if (samples->len == 0)
    return FALSE;
  for (end = samples->len; end > 0;)
    {
      guint begin = end;
      gint64 total = g_array_index (samples, PdRuleSample, end - 1).place.total;
      while (begin > 0 && g_array_index (samples, PdRuleSample, begin - 1).place.total == total)
        begin--;
      try_samples (purpose, samples, begin, end, &number->rule, &most);
      end = begin;
    }
  step = MAX (samples->len / MOST_TRIED, 1);
  for (guint i = samples->len; i >= step; i -= step)
    try_samples (purpose, samples, i - 1, i, &number->rule, &most);
  number->how = PD_SCALE_BY_RULE;
  number->near = PD_SCALE_NEAREST;
  return most > 0;
}

/* Whether ranks that @to sends to receive by @from. */
static gboolean
is_inverse (const PdRule *to, const PdRule *from, const GArray *samples)
{
  for (guint i = 0; i < samples->len; i++)
    {
      PdRulePlace place = g_array_index (samples, PdRuleSample, i).place;
      gint64 rank = place.rank, target = pd_rule_get (to, &place);
      if (target < 0 || target >= place.n)
        continue;
      const PdRulePlace own = place;
      pd_rule_place_set_grid (&place, own.dims, own.size, target);
      if (pd_rule_get (from, &place) != rank)
        return FALSE;
    }
  return TRUE;
}

gboolean
pd_scale_nearest_fit_source (const PdScaleSource *source, PdScaleNumber *number)
{
  g_autoptr (GArray) samples = g_array_new (FALSE, FALSE, sizeof (PdRuleSample));
  const PdRule *to = &source->numbers[PD_SCALE_PEER].rule;
  PdRule from = *to;

  list_samples (source, samples);
  for (guint i = 0; i < PD_RULE_DIMS && !is_inverse (to, &from, samples); i++)
    from.c[i] = -to->c[i];
  number->how = PD_SCALE_BY_RULE;
  number->near = PD_SCALE_NEAREST;
  number->rule = from;
  return is_inverse (to, &from, samples);
}
