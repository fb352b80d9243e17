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

QUANTITY (q_n, at->n)
QUANTITY (q_total, at->total)
QUANTITY (q_log, pd_rule_log2 (at->n))
QUANTITY (q_rank, at->rank)
QUANTITY (q_k, at->k)
QUANTITY (q_m, at->m)
QUANTITY (q_left, at->m - at->k)
QUANTITY (q_size0, at->size[0])
QUANTITY (q_size1, at->dims > 1 ? at->size[1] : 1)
QUANTITY (q_size2, at->dims > 2 ? at->size[2] : 1)
QUANTITY (q_at0, at->at[0])
QUANTITY (q_at1, at->dims > 1 ? at->at[1] : 0)
QUANTITY (q_at2, at->dims > 2 ? at->at[2] : 0)
QUANTITY (q_log0, pd_rule_log2 (q_size0 (at)))
QUANTITY (q_log1, pd_rule_log2 (q_size1 (at)))
QUANTITY (q_log2, pd_rule_log2 (q_size2 (at)))
QUANTITY (q_n2, at->n * at->n)
QUANTITY (q_area, q_size0 (at) * q_size1 (at))
QUANTITY (q_power, pd_rule_power (at->k))
QUANTITY (q_l, at->l)
QUANTITY (q_level, pd_rule_power (at->l))
QUANTITY (q_trailing, at->rank > 0 ? __builtin_ctzll ((guint64) at->rank) : 0)
QUANTITY (q_power_left, pd_rule_power (at->m - 1 - at->k))
QUANTITY (q_from_last, at->n - 1 - at->k)
QUANTITY (q_last, at->n - 1)
QUANTITY (q_half, at->n % 2 == 0 ? at->n / 2 : PD_RULE_NO_VALUE)

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
  { "n", q_n },
  { "size 1", q_size0 },
  { "size 2", q_size1 },
  { "size 3", q_size2 },
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
  { "children in a binomial tree", q_children }, /* of a full one, the same as what follows */
  { "trailing zeros of rank", q_trailing },
  { "n / 2", q_half },
};

/* The quantities over which blocks are distributed: their number, and whose block it is. */
static const struct
{
  const char *name;
  gint64 (*n) (const PdRulePlace *at);
  gint64 (*i) (const PdRulePlace *at);
} deals[] = {
  { "n", q_n, q_rank },
  { "n", q_n, q_k },
  [PD_RULE_DEAL_SIZE_1] = { "size 1", q_size0, q_at0 },
  { "size 2", q_size1, q_at1 },
  { "size 3", q_size2, q_at2 },
  { "n, from the last one", q_n, q_from_last },
  { "n, of the last one", q_n, q_last }, /* a part, rounded down */
};

#define N_QUANTITIES ((gint64) G_N_ELEMENTS (quantities))
#define N_DEALS      ((gint64) G_N_ELEMENTS (deals))

/* c[0] is the quantity; value = c[1] * quantity */
static gint64
get_multiple (const PdRulePlace *at, const gint64 *c)
{
  gint64 quantity = quantities[c[0]].get (at), product;

  return quantity == PD_RULE_NO_VALUE || __builtin_mul_overflow (c[1], quantity, &product)
             ? PD_RULE_NO_VALUE
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

/* value = c[1] * the block of c[2] things that member i of n has: the first ones have one more */
static gint64
get_block (const PdRulePlace *at, const gint64 *c)
{
  gint64 n = deals[c[0]].n (at), i = deals[c[0]].i (at), sum, product;

  return __builtin_add_overflow (c[2], n - 1 - i, &sum)
                 || __builtin_mul_overflow (c[1], sum / n, &product)
             ? PD_RULE_NO_VALUE
             : product;
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
      if (q == PD_RULE_NO_VALUE || q_other == PD_RULE_NO_VALUE)
        continue;
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
  return unit > 0 && common % unit == 0 && (unit == 1 || deals[deal].i != q_last);
}

static gboolean
solve_block (const PdRuleSample *samples, gsize n, gint64 *c)
{
  gsize other;

  for (gsize i = 0; i < n; i++)
    {
      if (samples[i].value < 0 || samples[i].value > (gint64) 1 << 50)
        return FALSE;
    }
  gint64 unit = pd_rule_get_unit (samples, n);
  for (; unit > 0 && c[0] < N_DEALS; c[0]++)
    if (deals[c[0]].i == q_last && pd_rule_find_things (samples, n, 1, c))
      return TRUE;
    else if (pd_rule_varies (samples, n, deals[c[0]].n, &other))
      for (gint64 parts = 1; parts <= 8; parts++)
        if (may_have_unit (c[0], unit, unit / parts)
            && pd_rule_find_things (samples, n, unit / parts, c))
          return TRUE;
  return FALSE;
}

static const PdRuleRow numbers[] = {
  { "%lld", pd_rule_get_constant, pd_rule_solve_constant },
  { "", get_multiple, solve_multiple },
  { "", get_part, solve_part },
  { "", get_block, solve_block },
  { "", get_line, solve_line },
  { "", pd_rule_get_product, pd_rule_solve_product },
  { "", pd_rule_get_face, pd_rule_solve_face },
  { "", pd_rule_get_rim, pd_rule_solve_rim },
  { "", pd_rule_get_cells, pd_rule_solve_cells },
  { "", pd_rule_get_place, pd_rule_solve_place },
};

/* Loops are repeated as often as there are ranks, or as these have neighbours: no parts of
 * something. */
static const PdRuleRow times[] = {
  { "%lld", pd_rule_get_constant, pd_rule_solve_constant },
  { "", get_multiple, solve_multiple },
  { "", get_line, solve_line },
  { "", get_part, solve_part },
  { "", get_block, solve_block },
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
    { get_block, N_DEALS },
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

static guint8
block_kind (const PdRule *rule)
{
  const PdRuleTable *table = rule->purpose == PD_RULE_TIMES ? &pd_rule_times : &pd_rule_numbers;
  guint8 kind = 0;

  while (table->rows[kind].get != get_block)
    kind++;
  return kind;
}

/* Other units, and other numbers of things, that explain as much as blocks of @unit: first those of
 * elements of 8 and 4 bytes, which are usual. @deal: what they may be dealt out over */
static void
add_blocks (const PdRule *rule, gint64 deal, gint64 unit, const PdRuleSample *samples, gsize n,
            GArray *others)
{
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
          if (!pd_rule_equal (&next, rule) && pd_rule_row_fits (get_block, samples, n, next.c))
            g_array_append_val (others, next);
        }
    }
}

/* A part without a rest may be the block of something that is dealt out with one. */
static void
add_blocks_of_parts (const PdRule *rule, const PdRuleSample *samples, gsize n, GArray *others)
{
  gint64 unit = pd_rule_get_unit (samples, n);

  for (gint64 deal = 0; unit > 0 && deal < N_DEALS; deal++)
    if (deals[deal].n == quantities[rule->c[0]].get && rule->purpose == PD_RULE_NUMBERS)
      add_blocks (rule, deal, unit, samples, n, others);
}

void
pd_rule_add_other_blocks (const PdRule *rule, const PdRuleRow *row, const PdRuleSample *samples,
                          gsize n, GArray *others)
{
  if (row->get == get_block)
    for (gint64 deal = 0; deal < N_DEALS; deal++)
      add_blocks (rule, deal, pd_rule_get_unit (samples, n), samples, n, others);
  else if (row->get == get_part)
    add_blocks_of_parts (rule, samples, n, others);
  else if (row->get == pd_rule_get_cells && row - numbers == rule->kind)
    pd_rule_add_other_cells (rule, samples, n, others);
}

gboolean
pd_rule_row_is_block (const PdRuleRow *row)
{
  return row->get == get_block;
}

gboolean
pd_rule_row_is_exhausted (const PdRuleRow *row, const PdRulePlace *at, const gint64 *c)
{
  return row->get == get_block && c[1] > (gint64) sizeof (double) && c[2] < deals[c[0]].n (at);
}

gint
pd_rule_row_get_dimension (const PdRuleRow *row, const gint64 *c)
{
  static gint64 (*const sizes[PD_RULE_DIMS]) (const PdRulePlace *at) = { q_size0, q_size1,
                                                                         q_size2 };
  gboolean has_quantity = row->get == get_multiple || row->get == get_part || row->get == get_line;

  for (gint d = 0; d < PD_RULE_DIMS; d++)
    if ((has_quantity && quantities[c[0]].get == sizes[d])
        || (row->get == get_block && deals[c[0]].n == sizes[d]))
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
  return g_strdup_printf ("%" G_GINT64_FORMAT " x block of %" G_GINT64_FORMAT " over %s", c[1],
                          c[2], deals[c[0]].name);
}

/* ---- what does not depend on k */

static gboolean
is_steady_quantity (gint64 quantity)
{
  static gint64 (*const steady[]) (const PdRulePlace *at) = {
    q_n,  q_total, q_log,      q_rank, q_m,    q_size0, q_size1,    q_size2, q_at0,   q_at1, q_at2,
    q_n2, q_area,  q_trailing, q_log0, q_log1, q_log2,  q_children, q_l,     q_level, q_half
  };

  for (gsize i = 0; i < G_N_ELEMENTS (steady); i++)
    if (quantities[quantity].get == steady[i])
      return TRUE;
  return FALSE;
}

gboolean
pd_rule_row_uses_level (const PdRuleRow *row, const gint64 *c)
{
  if (row->get == get_multiple || row->get == get_part || row->get == get_line)
    return quantities[c[0]].get == q_l || quantities[c[0]].get == q_level;
  return row->get == pd_rule_get_product && pd_rule_product_uses_level (c);
}

gboolean
pd_rule_row_is_steady (const PdRuleRow *row, const gint64 *c)
{
  if (row->get == get_block)
    return deals[c[0]].i == q_rank || deals[c[0]].i == q_last || deals[c[0]].i == q_at0
           || deals[c[0]].i == q_at1 || deals[c[0]].i == q_at2;
  if (row->get == get_multiple || row->get == get_part || row->get == get_line)
    return is_steady_quantity (c[0]);
  if (row->get == pd_rule_get_product)
    return pd_rule_product_is_steady (c);
  if (row->get == pd_rule_get_cells)
    return pd_rule_cells_are_steady (c);
  return row->get == pd_rule_get_constant || row->get == pd_rule_get_face
         || row->get == pd_rule_get_rim;
}
