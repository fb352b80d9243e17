/* Blocks of things that are dealt out: the first members have one more than the others.
 * SPDX-License-Identifier: MIT */
#include "scale/rule/pd-rule-private.h"

#define MOST_THINGS ((gint64) 1 << 50)
#define MOST_TRIED  1024 /* numbers of things, one by one */

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
get_last_1 (const PdRulePlace *at)
{
  return pd_rule_size_1 (at) - 1;
}

static gint64
get_last_2 (const PdRulePlace *at)
{
  return pd_rule_size_2 (at) - 1;
}

static gint64
get_last_3 (const PdRulePlace *at)
{
  return pd_rule_size_3 (at) - 1;
}

static gint64
get_left (const PdRulePlace *at)
{
  return (at->rank + at->n - 1) % at->n;
}

static gint64
get_right (const PdRulePlace *at)
{
  return (at->rank + 1) % at->n;
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
} deals[] = {
  { "n", pd_rule_n, get_rank },
  { "n", pd_rule_n, get_k },
  [PD_RULE_DEAL_SIZE_1] = { "size 1", pd_rule_size_1, get_at_1 },
  { "size 2", pd_rule_size_2, get_at_2 },
  { "size 3", pd_rule_size_3, get_at_3 },
  { "n, from the last one", pd_rule_n, get_from_last },
  { "n, of the last one", pd_rule_n, get_last }, /* a part, rounded down */
  { "n, of rank - 1", pd_rule_n, get_left },
  { "n, of rank + 1", pd_rule_n, get_right },
  { "size 1, of the last one", pd_rule_size_1, get_last_1 },
  { "size 2, of the last one", pd_rule_size_2, get_last_2 },
  { "size 3, of the last one", pd_rule_size_3, get_last_3 },
};

#define N_DEALS ((gint64) G_N_ELEMENTS (deals))

/* Whose blocks are the larger ones. */
typedef enum
{
  FIRST_MORE, /* the first members have one more */
  LAST_MORE,
  FULL, /* all have as many, until there are no more */
  EVEN, /* from i N / n to (i + 1) N / n, rounded down */
  N_STYLES,
} Style;

static const char *const styles[] = {
  [FIRST_MORE] = "",
  [LAST_MORE] = ", more for the last ones",
  [FULL] = ", full ones first",
  [EVEN] = ", between multiples rounded down",
};

G_STATIC_ASSERT (G_N_ELEMENTS (deals) * N_STYLES == PD_RULE_N_DEALS);

/* The block of member @i of @n. */
static gint64
get_share (Style style, gint64 things, gint64 n, gint64 i)
{
  gint64 full = (things - 1) / n + 1;

  switch (style)
    {
    case LAST_MORE:
      return (things + i) / n;
    case FULL:
      return CLAMP (things - i * full, 0, full);
    case EVEN:
      return things / n + (i + 1) * (things % n) / n - i * (things % n) / n;
    default:
      return (things + n - 1 - i) / n;
    }
}

/* value = c[1] * the block of c[2] things; c[0]: the style and the deal */
gint64
pd_rule_get_block (const PdRulePlace *at, const gint64 *c)
{
  gint64 n = deals[c[0] % N_DEALS].n (at), i = deals[c[0] % N_DEALS].i (at), product;

  return c[2] < 0 || c[2] > MOST_THINGS || i < 0 || i >= n
                 || __builtin_mul_overflow (c[1], get_share ((Style) (c[0] / N_DEALS), c[2], n, i),
                                            &product)
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

/* Blocks of repetitions are those of as many members. */
static gboolean
is_member (gint64 deal, const PdRulePlace *at)
{
  gint64 n = deals[deal].n (at), i = deals[deal].i (at);

  return i >= 0 && i < n
         && ((deals[deal].i != get_k && deals[deal].i != get_from_last) || at->m >= n - 1);
}

/* The numbers of things that blocks of @unit leave possible. */
static gboolean
find_range (const PdRuleSample *samples, gsize n, const gint64 *c, gint64 unit, gint64 *low,
            gint64 *high)
{
  Style style = (Style) (c[0] / N_DEALS);
  gint64 deal = c[0] % N_DEALS;

  *low = 0;
  *high = MOST_THINGS;
  for (gsize s = 0; s < n; s++)
    {
      gint64 parts = deals[deal].n (&samples[s].place), i = deals[deal].i (&samples[s].place), most;
      if (samples[s].value % unit != 0 || !is_member (deal, &samples[s].place)
          || __builtin_mul_overflow (samples[s].value / unit, parts, &most) || most > MOST_THINGS)
        return FALSE;
      i = style == LAST_MORE ? parts - 1 - i : i;
      *low = MAX (*low, most - parts + 1 + (style < FULL ? i : 0));
      *high = MIN (*high, style == FULL ? MOST_THINGS : most + (style == EVEN ? parts - 1 : i));
    }
  if (style == FULL)
    *high = *low + samples[n - 1].place.n;
  return *low <= *high;
}

/* How many things may have been dealt out, where each is @unit: @c[2] is a round one of these
 * numbers. */
gboolean
pd_rule_find_things (const PdRuleSample *samples, gsize n, gint64 unit, gint64 *c)
{
  gint64 low, high;

  if (!find_range (samples, n, c, unit, &low, &high))
    return FALSE;
  c[1] = unit;
  c[2] = find_round (low, high);
  if (c[0] < FULL * N_DEALS || pd_rule_row_fits (pd_rule_get_block, samples, n, c))
    return TRUE;
  for (c[2] = low; c[2] <= MIN (high, low + MOST_TRIED); c[2]++)
    if (pd_rule_row_fits (pd_rule_get_block, samples, n, c))
      return TRUE;
  return FALSE;
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
  return unit > 0 && common % unit == 0 && (unit == 1 || deals[deal % N_DEALS].i != get_last);
}

static gboolean
solve (const PdRuleSample *samples, gsize n, gint64 end, gint64 *c)
{
  gsize other;

  for (gsize i = 0; i < n; i++)
    {
      if (samples[i].value < 0 || samples[i].value > (gint64) 1 << 50)
        return FALSE;
    }
  gint64 unit = pd_rule_get_unit (samples, n);
  for (; unit > 0 && c[0] < end; c[0]++)
    if (deals[c[0] % N_DEALS].i == get_last && pd_rule_find_things (samples, n, 1, c))
      return TRUE;
    else if (pd_rule_varies (samples, n, deals[c[0] % N_DEALS].n, &other))
      for (gint64 parts = 1; parts <= 8; parts++)
        if (may_have_unit (c[0], unit, unit / parts)
            && pd_rule_find_things (samples, n, unit / parts, c))
          return TRUE;
  return FALSE;
}

gboolean
pd_rule_solve_block (const PdRuleSample *samples, gsize n, gint64 *c)
{
  return solve (samples, n, PD_RULE_N_USUAL_DEALS, c);
}

gboolean
pd_rule_solve_unusual_block (const PdRuleSample *samples, gsize n, gint64 *c)
{
  c[0] = MAX (c[0], PD_RULE_N_USUAL_DEALS);
  return solve (samples, n, PD_RULE_N_DEALS, c);
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
  return deals[deal % N_DEALS].n == get;
}

gboolean
pd_rule_block_is_exhausted (const PdRulePlace *at, const gint64 *c)
{
  return c[1] > (gint64) sizeof (double) && c[2] < deals[c[0] % N_DEALS].n (at);
}

gboolean
pd_rule_block_is_steady (const gint64 *c)
{
  return deals[c[0] % N_DEALS].i != get_k && deals[c[0] % N_DEALS].i != get_from_last;
}

char *
pd_rule_describe_block (const gint64 *c)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT " x block of %" G_GINT64_FORMAT " over %s%s", c[1],
                          c[2], deals[c[0] % N_DEALS].name, styles[c[0] / N_DEALS]);
}
