/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-known.h"

#define KNOWN(known, i)  (&g_array_index ((known), PdScaleKnown, (i)))
#define OTHER(others, i) (&g_array_index ((others), PdRule, (i)))

static gboolean
is_of (const PdScaleKnown *one, PdScaleTopic topic)
{
  return one->topic.shape == topic.shape && one->topic.column == topic.column
         && one->topic.has_partner == topic.has_partner
         && (!topic.has_partner || pd_rule_equal (&one->topic.partner, &topic.partner));
}

void
pd_scale_known_add (GArray *known, PdScaleTopic topic, const PdRule *rule)
{
  for (guint i = 0; i < known->len; i++)
    if (is_of (KNOWN (known, i), topic) && pd_rule_equal (&KNOWN (known, i)->rule, rule))
      return;
  const PdScaleKnown one = { topic, *rule, 0 };
  g_array_append_val (known, one);
}

void
pd_scale_known_count (GArray *known, PdScaleTopic topic, const PdRuleSample *samples, gsize n)
{
  for (guint i = 0; i < known->len; i++)
    if (is_of (KNOWN (known, i), topic) && pd_rule_fits (&KNOWN (known, i)->rule, samples, n))
      KNOWN (known, i)->n++;
}

/* Places of @topic count more than all others together. */
static guint64
count_places (const GArray *known, PdScaleTopic topic, const PdRule *rule)
{
  guint64 own = 0, all = 0;

  for (guint i = 0; i < known->len; i++)
    if (pd_rule_equal (&KNOWN (known, i)->rule, rule))
      {
        own += is_of (KNOWN (known, i), topic) ? KNOWN (known, i)->n : 0;
        all += KNOWN (known, i)->n;
      }
  return own << 32 | all;
}

static void
add_known (const GArray *known, PdScaleTopic topic, const PdRuleSample *samples, gsize n,
           GArray *rules)
{
  for (guint i = 0; i < known->len; i++)
    {
      const PdRule *rule = &KNOWN (known, i)->rule;
      gboolean is_there = !is_of (KNOWN (known, i), topic);
      for (guint k = 0; k < rules->len && !is_there; k++)
        is_there = pd_rule_equal (OTHER (rules, k), rule);
      if (!is_there && pd_rule_fits (rule, samples, n))
        g_array_append_val (rules, *rule);
    }
}

void
pd_scale_known_choose (const GArray *known, PdScaleTopic topic, const PdRuleSample *samples,
                       gsize n, PdRule *rule, GArray *others)
{
  g_autoptr (GArray) rules = g_array_new (FALSE, FALSE, sizeof (PdRule));
  g_autofree guint64 *counts = NULL;
  guint best = 0;

  g_array_append_val (rules, *rule);
  g_array_append_vals (rules, others->data, others->len);
  add_known (known, topic, samples, n, rules);
  counts = g_new (guint64, rules->len);
  for (guint i = 0; i < rules->len; i++)
    {
      counts[i] = count_places (known, topic, OTHER (rules, i));
      best = counts[i] > counts[best] ? i : best;
    }
  *rule = *OTHER (rules, best);
  g_array_set_size (others, 0);
  for (guint i = 0; i < rules->len; i++)
    if (i != best && counts[i] == counts[best])
      g_array_append_val (others, *OTHER (rules, i));
  g_array_sort (others, pd_rule_compare);
}
