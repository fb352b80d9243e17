/* Blocks of things that are dealt out: the first members have one more than the others.
 * SPDX-License-Identifier: MIT */
#include "scale/rule/pd-rule-private.h"

/* ---- what things are dealt out over */

gint64
pd_rule_n (const PdRulePlace *at)
{
  return at->n;
}

gint64
pd_rule_size_1 (const PdRulePlace *at)
{
  return at->size[0];
}

gint64
pd_rule_size_2 (const PdRulePlace *at)
{
  return at->dims > 1 ? at->size[1] : 1;
}

gint64
pd_rule_size_3 (const PdRulePlace *at)
{
  return at->dims > 2 ? at->size[2] : 1;
}

static gint64
get_rank (const PdRulePlace *at)
{
  return at->rank;
}

static gint64
get_k (const PdRulePlace *at)
{
  return at->k;
}

static gint64
get_at_1 (const PdRulePlace *at)
{
  return at->at[0];
}

static gint64
get_at_2 (const PdRulePlace *at)
{
  return at->dims > 1 ? at->at[1] : 0;
}

static gint64
get_at_3 (const PdRulePlace *at)
{
  return at->dims > 2 ? at->at[2] : 0;
}

static gint64
get_from_last (const PdRulePlace *at)
{
  return at->n - 1 - at->k;
}

static gint64
get_last (const PdRulePlace *at)
{
  return at->n - 1;
}

/* The number of members, and whose block it is. */
static const struct
{
  const char *name;
  gint64 (*n) (const PdRulePlace *at);
  gint64 (*i) (const PdRulePlace *at);
} deals[PD_RULE_N_DEALS] = {
  { "n", pd_rule_n, get_rank },
  { "n", pd_rule_n, get_k },
  [PD_RULE_DEAL_SIZE_1] = { "size 1", pd_rule_size_1, get_at_1 },
  { "size 2", pd_rule_size_2, get_at_2 },
  { "size 3", pd_rule_size_3, get_at_3 },
  { "n, from the last one", pd_rule_n, get_from_last },
  { "n, of the last one", pd_rule_n, get_last }, /* a part, rounded down */
};

/* value = c[1] * the block of c[2] things that member i of n has: the first ones have one more */
gint64
pd_rule_get_block (const PdRulePlace *at, const gint64 *c)
{
  gint64 n = deals[c[0]].n (at), i = deals[c[0]].i (at), sum, product;

  return __builtin_add_overflow (c[2], n - 1 - i, &sum)
                 || __builtin_mul_overflow (c[1], sum / n, &product)
             ? PD_RULE_NO_VALUE
             : product;
}

/* ---- constants */

/* Of the numbers from @low to @high the one that most powers of two and ten divide. */
static gint64
find_round (gint64 low, gint64 high)
{
  static const gint64 bases[] = { 2, 10 };
  gint64 best = low;

  for (gsize b = 0; b < G_N_ELEMENTS (bases); b++)
    for (gint64 step = bases[b]; step <= high; step *= bases[b])
      {
        if (high / step * step >= low)
          best = high / step * step;
        if (step > high / bases[b])
          break;
      }
  return best;
}

/* How many things may have been dealt out, where each is @unit: @c[2] is a round one of these
 * numbers. */
gboolean
pd_rule_find_things (const PdRuleSample *samples, gsize n, gint64 unit, gint64 *c)
{
  gint64 low = 0, high = G_MAXINT64;

  for (gsize s = 0; s < n; s++)
    {
      gint64 parts = deals[c[0]].n (&samples[s].place), i = deals[c[0]].i (&samples[s].place);
      gint64 block = samples[s].value / unit;
      if (samples[s].value % unit != 0 || i < 0 || i >= parts)
        return FALSE;
      gint64 most;
      if (__builtin_mul_overflow (block, parts, &most) || most > G_MAXINT64 / 2)
        return FALSE;
      low = MAX (low, most - parts + 1 + i);
      high = MIN (high, most + i);
    }
  if (low > high)
    return FALSE;
  c[1] = unit;
  c[2] = find_round (low, high);
  return TRUE;
}

gint64
pd_rule_get_unit (const PdRuleSample *samples, gsize n)
{
  gint64 unit = 0;

  for (gsize i = 0; i < n; i++)
    unit = pd_rule_common_divisor (unit, samples[i].value);
  return unit;
}

/* A part that is rounded down is one of bytes. */
static gboolean
may_have_unit (gint64 deal, gint64 common, gint64 unit)
{
  return unit > 0 && common % unit == 0 && (unit == 1 || deals[deal].i != get_last);
}

gboolean
pd_rule_solve_block (const PdRuleSample *samples, gsize n, gint64 *c)
{
  gsize other;

  for (gsize i = 0; i < n; i++)
    {
      if (samples[i].value < 0 || samples[i].value > (gint64) 1 << 50)
        return FALSE;
    }
  gint64 unit = pd_rule_get_unit (samples, n);
  for (; unit > 0 && c[0] < PD_RULE_N_DEALS; c[0]++)
    if (deals[c[0]].i == get_last && pd_rule_find_things (samples, n, 1, c))
      return TRUE;
    else if (pd_rule_varies (samples, n, deals[c[0]].n, &other))
      for (gint64 parts = 1; parts <= 8; parts++)
        if (may_have_unit (c[0], unit, unit / parts)
            && pd_rule_find_things (samples, n, unit / parts, c))
          return TRUE;
  return FALSE;
}

/* ---- other explanations */

static guint8
block_kind (const PdRule *rule)
{
  const PdRuleTable *table = rule->purpose == PD_RULE_TIMES ? &pd_rule_times : &pd_rule_numbers;
  guint8 kind = 0;

  while (table->rows[kind].get != pd_rule_get_block)
    kind++;
  return kind;
}

void
pd_rule_add_blocks (const PdRule *rule, gint64 deal, const PdRuleSample *samples, gsize n,
                    GArray *others)
{
  gint64 unit = pd_rule_get_unit (samples, n);
  const gint64 units[] = { 8, 4, 1, unit, unit / 2, unit / 4, unit / 8 };

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    {
      PdRule other = { .purpose = rule->purpose, .kind = block_kind (rule), .c = { deal } };
      if (!may_have_unit (deal, unit, units[i])
          || !pd_rule_find_things (samples, n, units[i], other.c))
        continue;
      for (gint64 more = -1; more <= 1; more++)
        {
          PdRule next = other;
          next.c[2] += more;
          if (!pd_rule_equal (&next, rule)
              && pd_rule_row_fits (pd_rule_get_block, samples, n, next.c))
            g_array_append_val (others, next);
        }
    }
}

/* ---- what blocks depend on */

gboolean
pd_rule_block_is_over (gint64 deal, gint64 (*get) (const PdRulePlace *at))
{
  return deals[deal].n == get;
}

gboolean
pd_rule_block_is_exhausted (const PdRulePlace *at, const gint64 *c)
{
  return c[1] > (gint64) sizeof (double) && c[2] < deals[c[0]].n (at);
}

gboolean
pd_rule_block_is_steady (const gint64 *c)
{
  return deals[c[0]].i != get_k && deals[c[0]].i != get_from_last;
}

char *
pd_rule_describe_block (const gint64 *c)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT " x block of %" G_GINT64_FORMAT " over %s", c[1],
                          c[2], deals[c[0]].name);
}
