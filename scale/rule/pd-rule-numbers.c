/* Numbers: multiples and parts of quantities, lines, blocks of a distribution.
 * SPDX-License-Identifier: MIT */
#include "scale/rule/pd-rule-private.h"

#include <string.h>

/* ---- quantities that numbers may follow */

typedef struct
{
  const char *name;
  gint64 (*get) (const PdRulePlace *at);
} Quantity;

#define QUANTITY(name, value)                                                                      \
  static gint64 name (const PdRulePlace *at)                                                       \
  {                                                                                                \
    return value;                                                                                  \
  }

QUANTITY (q_total, at->total)
QUANTITY (q_log, pd_rule_log2 (at->n))
QUANTITY (q_rank, at->rank)
QUANTITY (q_above, at->n - at->rank)
QUANTITY (q_k, at->k)
QUANTITY (q_m, at->m)
QUANTITY (q_left, at->m - at->k)
QUANTITY (q_at0, at->at[0])
QUANTITY (q_at1, at->dims > 1 ? at->at[1] : 0)
QUANTITY (q_at2, at->dims > 2 ? at->at[2] : 0)
QUANTITY (q_log0, pd_rule_log2 (pd_rule_size_1 (at)))
QUANTITY (q_log1, pd_rule_log2 (pd_rule_size_2 (at)))
QUANTITY (q_log2, pd_rule_log2 (pd_rule_size_3 (at)))
QUANTITY (q_n2, at->n * at->n)
QUANTITY (q_area, pd_rule_size_1 (at) * pd_rule_size_2 (at))
QUANTITY (q_power, pd_rule_power (at->k))
QUANTITY (q_l, at->l)
QUANTITY (q_level, pd_rule_power (at->l))
QUANTITY (q_trailing, at->rank > 0 ? __builtin_ctzll ((guint64) at->rank) : 0)
QUANTITY (q_power_left, pd_rule_power (at->m - 1 - at->k))

/* How many ranks a rank sends to in a binomial tree from rank 0: those that have one more bit set,
 * below its lowest one. */
static gint64
q_children (const PdRulePlace *at)
{
  gint64 n = 0;

  while (at->rank + pd_rule_power (n) < at->n && (at->rank >> n & 1) == 0)
    n++;
  return n;
}

static const Quantity quantities[] = {
  { "n", pd_rule_n },
  { "size 1", pd_rule_size_1 },
  { "size 2", pd_rule_size_2 },
  { "size 3", pd_rule_size_3 },
  { "log2 n", q_log },
  { "log2 size 1", q_log0 },
  { "log2 size 2", q_log1 },
  { "log2 size 3", q_log2 },
  { "size 1 x size 2", q_area },
  { "all ranks", q_total },
  { "n^2", q_n2 },
  { "k", q_k },
  { "m", q_m },
  { "m-k", q_left },
  { "rank", q_rank },
  { "coordinate 1", q_at0 },
  { "coordinate 2", q_at1 },
  { "coordinate 3", q_at2 },
  { "2^k", q_power },
  { "2^(m-1-k)", q_power_left },
  { "l", q_l },
  { "2^l", q_level },
  { "all ranks / n", pd_rule_groups },
  { "n - rank", q_above },
  { "children in a binomial tree", q_children }, /* of a full one, the same as what follows */
  { "trailing zeros of rank", q_trailing },
};

#define N_QUANTITIES ((gint64) G_N_ELEMENTS (quantities))

/* c[0] is the quantity; value = c[1] * quantity */
static gint64
get_multiple (const PdRulePlace *at, const gint64 *c)
{
  gint64 product;

  return __builtin_mul_overflow (c[1], quantities[c[0]].get (at), &product) ? PD_RULE_NO_VALUE
                                                                            : product;
}

/* value = c[1] / quantity, without a rest */
static gint64
get_part (const PdRulePlace *at, const gint64 *c)
{
  gint64 parts = quantities[c[0]].get (at);

  return parts > 0 && c[1] % parts == 0 ? c[1] / parts : PD_RULE_NO_VALUE;
}

/* value = c[1] * quantity + c[2] */
static gint64
get_line (const PdRulePlace *at, const gint64 *c)
{
  gint64 product = get_multiple (at, c), sum;

  return product == PD_RULE_NO_VALUE || __builtin_add_overflow (product, c[2], &sum)
             ? PD_RULE_NO_VALUE
             : sum;
}

/* value = quantity / c[1] + c[2], without a rest */
static gint64
get_fraction (const PdRulePlace *at, const gint64 *c)
{
  gint64 quantity = quantities[c[0]].get (at), sum;

  return c[1] == 0 || quantity % c[1] != 0 || __builtin_add_overflow (quantity / c[1], c[2], &sum)
             ? PD_RULE_NO_VALUE
             : sum;
}

/* ---- constants of numbers */

gboolean
pd_rule_varies (const PdRuleSample *samples, gsize n, gint64 (*get) (const PdRulePlace *at),
                gsize *other)
{
  gint64 first = get (&samples[0].place);

  for (gsize i = 1; i < n; i++)
    if (get (&samples[i].place) != first)
      {
        *other = i;
        return TRUE;
      }
  return FALSE;
}

static gboolean
solve_multiple (const PdRuleSample *samples, gsize n, gint64 *c)
{
  gsize other;

  for (; c[0] < N_QUANTITIES; c[0]++)
    {
      gint64 q = quantities[c[0]].get (&samples[0].place);
      if (q <= 0 || samples[0].value % q != 0
          || !pd_rule_varies (samples, n, quantities[c[0]].get, &other))
        continue;
      c[1] = samples[0].value / q;
      if (pd_rule_row_fits (get_multiple, samples, n, c))
        return TRUE;
    }
  return FALSE;
}

static gboolean
solve_part (const PdRuleSample *samples, gsize n, gint64 *c)
{
  gsize other;

  for (; c[0] < N_QUANTITIES; c[0]++)
    {
      gint64 q = quantities[c[0]].get (&samples[0].place);
      if (q <= 0 || !pd_rule_varies (samples, n, quantities[c[0]].get, &other)
          || __builtin_mul_overflow (samples[0].value, q, &c[1]))
        continue;
      if (pd_rule_row_fits (get_part, samples, n, c))
        return TRUE;
    }
  return FALSE;
}

/* How many different numbers @get gives, up to three. */
static guint
count_different (const PdRuleSample *samples, gsize n, gint64 (*get) (const PdRulePlace *at))
{
  gint64 known[2] = { get (&samples[0].place), 0 };
  guint found = 1;

  for (gsize i = 1; i < n && found < 3; i++)
    {
      gint64 value = get (&samples[i].place);
      if (value == known[0] || (found == 2 && value == known[1]))
        continue;
      if (found == 1)
        known[1] = value;
      found++;
    }
  return found;
}

/* Through two points goes a line always: of two only those count that rise or fall by one. */
static gboolean
solve_line (const PdRuleSample *samples, gsize n, gint64 *c)
{
  for (; c[0] < N_QUANTITIES; c[0]++)
    {
      gint64 (*get) (const PdRulePlace *at) = quantities[c[0]].get;
      gsize other;
      if (!pd_rule_varies (samples, n, get, &other))
        continue;
      gint64 q = get (&samples[0].place), q_other = get (&samples[other].place);
      gint64 step = q_other - q, rise = samples[other].value - samples[0].value;
      if (rise % step != 0)
        continue;
      c[1] = rise / step;
      if (__builtin_mul_overflow (c[1], q, &c[2])
          || __builtin_sub_overflow (samples[0].value, c[2], &c[2]))
        continue;
      if ((ABS (c[1]) == 1 || count_different (samples, n, get) > 2)
          && pd_rule_row_fits (get_line, samples, n, c))
        return TRUE;
    }
  return FALSE;
}

/* Of two points only those count that a fraction without a constant goes through. */
static gboolean
solve_fraction (const PdRuleSample *samples, gsize n, gint64 *c)
{
  for (; c[0] < N_QUANTITIES; c[0]++)
    {
      gint64 (*get) (const PdRulePlace *at) = quantities[c[0]].get;
      gsize other;
      if (!pd_rule_varies (samples, n, get, &other))
        continue;
      gint64 step = get (&samples[other].place) - get (&samples[0].place), rise;
      if (__builtin_sub_overflow (samples[other].value, samples[0].value, &rise) || rise == 0
          || step % rise != 0)
        continue;
      c[1] = step / rise;
      if (__builtin_sub_overflow (samples[0].value, get (&samples[0].place) / c[1], &c[2])
          || !pd_rule_row_fits (get_fraction, samples, n, c))
        continue;
      if (c[1] > 1 && (c[2] == 0 || count_different (samples, n, get) > 2))
        return TRUE;
    }
  return FALSE;
}

static const PdRuleRow numbers[] = {
  { "%lld", pd_rule_get_constant, pd_rule_solve_constant },
  { "", get_multiple, solve_multiple },
  { "", get_part, solve_part },
  { "", pd_rule_get_block, pd_rule_solve_block },
  { "", get_line, solve_line },
  { "", get_fraction, solve_fraction },
  { "", pd_rule_get_product, pd_rule_solve_product },
  { "", pd_rule_get_face, pd_rule_solve_face },
  { "", pd_rule_get_rim, pd_rule_solve_rim },
  { "", pd_rule_get_cells, pd_rule_solve_cells },
  { "", pd_rule_get_place, pd_rule_solve_place },
  { "", pd_rule_get_block, pd_rule_solve_unusual_block },
};

/* Loops are repeated as often as there are ranks, or as these have neighbours: no parts of
 * something. */
static const PdRuleRow times[] = {
  { "%lld", pd_rule_get_constant, pd_rule_solve_constant },
  { "", get_multiple, solve_multiple },
  { "", get_line, solve_line },
  { "", get_fraction, solve_fraction },
  { "", get_part, solve_part },
  { "", pd_rule_get_block, pd_rule_solve_block },
};

const PdRuleTable pd_rule_numbers = { numbers, G_N_ELEMENTS (numbers) };
const PdRuleTable pd_rule_times = { times, G_N_ELEMENTS (times) };

/* ---- other explanations */

gint64
pd_rule_row_count_quantities (const PdRuleRow *row)
{
  static const struct
  {
    gint64 (*get) (const PdRulePlace *at, const gint64 *c);
    gint64 n;
  } counts[] = {
    { get_multiple, N_QUANTITIES },
    { get_part, N_QUANTITIES },
    { get_line, N_QUANTITIES },
    { get_fraction, N_QUANTITIES },
    { pd_rule_get_block, PD_RULE_N_DEALS },
    { pd_rule_get_product, PD_RULE_N_PRODUCTS },
    { pd_rule_get_face, PD_RULE_N_FACES },
    { pd_rule_get_rim, PD_RULE_DIMS },
    { pd_rule_get_cells, PD_RULE_N_CELLS },
    { pd_rule_get_place, PD_RULE_N_PLACES },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (counts); i++)
    if (row->get == counts[i].get)
      return counts[i].n;
  return 0;
}

void
pd_rule_add_other_blocks (const PdRule *rule, const PdRuleRow *row, const PdRuleSample *samples,
                          gsize n, GArray *others)
{
  gboolean is_part = row->get == get_part && rule->purpose == PD_RULE_NUMBERS;

  gint64 n_deals =
      row->solve == pd_rule_solve_unusual_block ? PD_RULE_N_DEALS : PD_RULE_N_USUAL_DEALS;

  /* a part without a rest may be the block of something that is dealt out with one */
  for (gint64 deal = 0; deal < n_deals; deal++)
    if (row->get == pd_rule_get_block
        || (is_part && pd_rule_block_is_over (deal, quantities[rule->c[0]].get)))
      pd_rule_add_blocks (rule, deal, samples, n, others);
  if (row->get == pd_rule_get_cells && row - numbers == rule->kind)
    pd_rule_add_other_cells (rule, samples, n, others);
}

/* Whether the first constant is a quantity. */
static gboolean
uses_quantity (const PdRuleRow *row)
{
  return row->get == get_multiple || row->get == get_part || row->get == get_line
         || row->get == get_fraction;
}

gboolean
pd_rule_row_is_block (const PdRuleRow *row)
{
  return row->get == pd_rule_get_block;
}

gboolean
pd_rule_row_is_exhausted (const PdRuleRow *row, const PdRulePlace *at, const gint64 *c)
{
  return row->get == pd_rule_get_block && pd_rule_block_is_exhausted (at, c);
}

gint
pd_rule_row_get_dimension (const PdRuleRow *row, const gint64 *c)
{
  static gint64 (*const sizes[PD_RULE_DIMS]) (
      const PdRulePlace *at) = { pd_rule_size_1, pd_rule_size_2, pd_rule_size_3 };
  gboolean has_quantity = uses_quantity (row);

  for (gint d = 0; d < PD_RULE_DIMS; d++)
    if ((has_quantity && quantities[c[0]].get == sizes[d])
        || (row->get == pd_rule_get_block && pd_rule_block_is_over (c[0], sizes[d])))
      return d;
  return -1;
}

char *
pd_rule_describe_number (const PdRuleRow *row, const gint64 *c)
{
  if (row->get == get_multiple)
    return g_strdup_printf ("%" G_GINT64_FORMAT " x %s", c[1], quantities[c[0]].name);
  if (row->get == get_part)
    return g_strdup_printf ("%" G_GINT64_FORMAT " / %s", c[1], quantities[c[0]].name);
  if (row->get == get_line)
    return g_strdup_printf ("%" G_GINT64_FORMAT " x %s %+" G_GINT64_FORMAT, c[1],
                            quantities[c[0]].name, c[2]);
  if (row->get == get_fraction)
    return g_strdup_printf ("%s / %" G_GINT64_FORMAT " %+" G_GINT64_FORMAT, quantities[c[0]].name,
                            c[1], c[2]);
  if (row->get == pd_rule_get_product)
    return pd_rule_describe_product (c);
  if (row->get == pd_rule_get_face)
    return pd_rule_describe_face (c);
  if (row->get == pd_rule_get_rim)
    return pd_rule_describe_rim (c);
  if (row->get == pd_rule_get_cells)
    return pd_rule_describe_cells (c);
  if (row->get == pd_rule_get_place)
    return pd_rule_describe_place (c);
  return pd_rule_describe_block (c);
}

/* ---- what does not depend on k */

static gboolean
is_steady_quantity (gint64 quantity)
{
  static gint64 (*const steady[]) (const PdRulePlace *at) = {
    pd_rule_n, q_total,    q_log, q_rank,  q_m,     pd_rule_size_1, pd_rule_size_2, pd_rule_size_3,
    q_at0,     q_at1,      q_at2, q_n2,    q_area,  q_trailing,     q_log0,         q_log1,
    q_log2,    q_children, q_l,   q_level, q_above, pd_rule_groups
  };

  for (gsize i = 0; i < G_N_ELEMENTS (steady); i++)
    if (quantities[quantity].get == steady[i])
      return TRUE;
  return FALSE;
}

gboolean
pd_rule_row_uses_level (const PdRuleRow *row, const gint64 *c)
{
  if (uses_quantity (row))
    return quantities[c[0]].get == q_l || quantities[c[0]].get == q_level;
  return row->get == pd_rule_get_product && pd_rule_product_uses_level (c);
}

gboolean
pd_rule_row_is_steady (const PdRuleRow *row, const gint64 *c)
{
  if (row->get == pd_rule_get_block)
    return pd_rule_block_is_steady (c);
  if (uses_quantity (row))
    return is_steady_quantity (c[0]);
  if (row->get == pd_rule_get_product)
    return pd_rule_product_is_steady (c);
  if (row->get == pd_rule_get_cells)
    return pd_rule_cells_are_steady (c);
  return row->get == pd_rule_get_constant || row->get == pd_rule_get_face
         || row->get == pd_rule_get_rim;
}
