/* SPDX-License-Identifier: MIT */
#include "scale/pd-rule.h"

#include <string.h>

#define NOBODY   (-2)
#define NO_VALUE G_MININT64 /* a rule that has no sense there */

typedef struct
{
  const char *words; /* %lld: the constants, in their order */
  gint64 (*get) (const PdRulePlace *at, const gint64 *c);
  /* (nullable): finds the constants; NULL: there are none. Where the first one is a row of a table
   * of quantities, it tries them from the given one on */
  gboolean (*solve) (const PdRuleSample *samples, gsize n, gint64 *c);
} Row;

/* ---- grids */

void
pd_rule_place_set_grid (PdRulePlace *self, guint dims, const gint64 *size, gint64 rank)
{
  self->dims = dims;
  self->n = 1;
  self->rank = rank;
  for (guint d = dims; d-- > 0;)
    {
      self->size[d] = size[d];
      self->at[d] = rank / self->n % size[d];
      self->n *= size[d];
    }
}

static gint64
rank_at (const PdRulePlace *at, const gint64 *coordinates)
{
  gint64 rank = 0;

  for (guint d = 0; d < at->dims; d++)
    rank = rank * at->size[d] + coordinates[d];
  return rank;
}

static gint64
modulo (gint64 value, gint64 n)
{
  return (value % n + n) % n;
}

static gint64
power (gint64 exponent)
{
  return exponent >= 0 && exponent < 62 ? (gint64) 1 << exponent : NO_VALUE;
}

static gint64
log2_of (gint64 n)
{
  gint64 log = 0;

  while (n >> (log + 1) > 0)
    log++;
  return log;
}

/* ---- partners */

static gint64
get_constant (const PdRulePlace *at, const gint64 *c)
{
  (void) at;
  return c[0];
}

static gint64
get_plus (const PdRulePlace *at, const gint64 *c)
{
  return at->rank + c[0];
}

static gint64
get_from_end (const PdRulePlace *at, const gint64 *c)
{
  return at->n - c[0];
}

static gint64
get_plus_around (const PdRulePlace *at, const gint64 *c)
{
  return modulo (at->rank + c[0], at->n);
}

static gint64
get_mirror (const PdRulePlace *at, const gint64 *c)
{
  (void) c;
  return at->n - 1 - at->rank;
}

static gint64
get_half (const PdRulePlace *at, const gint64 *c)
{
  (void) c;
  return modulo (at->rank + at->n / 2, at->n);
}

static gint64
get_offset (const PdRulePlace *at, const gint64 *c)
{
  gint64 to[PD_RULE_DIMS];

  for (guint d = 0; d < at->dims; d++)
    {
      to[d] = at->at[d] + c[d];
      if (to[d] < 0 || to[d] >= at->size[d])
        return NOBODY;
    }
  return rank_at (at, to);
}

static gint64
get_offset_around (const PdRulePlace *at, const gint64 *c)
{
  gint64 to[PD_RULE_DIMS];

  for (guint d = 0; d < at->dims; d++)
    to[d] = modulo (at->at[d] + c[d], at->size[d]);
  return rank_at (at, to);
}

static gint64
get_transposed (const PdRulePlace *at, const gint64 *c)
{
  (void) c;
  return at->dims == 2 && at->size[0] == at->size[1] ? at->at[1] * at->size[1] + at->at[0]
                                                     : NO_VALUE;
}

static gint64
get_xor (const PdRulePlace *at, const gint64 *c)
{
  return at->rank ^ c[0];
}

static gint64
get_xor_power (const PdRulePlace *at, const gint64 *c)
{
  (void) c;
  return at->rank ^ power (at->k);
}

static gint64
get_xor_power_down (const PdRulePlace *at, const gint64 *c)
{
  (void) c;
  return at->rank ^ power (at->m - 1 - at->k);
}

/* c[0] is 1 or -1 */
static gint64
get_plus_power (const PdRulePlace *at, const gint64 *c)
{
  return modulo (at->rank + c[0] * power (at->k), at->n);
}

static gint64
get_plus_power_down (const PdRulePlace *at, const gint64 *c)
{
  return modulo (at->rank + c[0] * power (at->m - 1 - at->k), at->n);
}

static gint64
get_plus_each (const PdRulePlace *at, const gint64 *c)
{
  return modulo (at->rank + c[0] * (at->k + 1), at->n);
}

static gint64
get_each (const PdRulePlace *at, const gint64 *c)
{
  return at->k + c[0];
}

static gint64
get_each_other (const PdRulePlace *at, const gint64 *c)
{
  (void) c;
  return at->k < at->rank ? at->k : at->k + 1;
}

static gint64
get_xor_each (const PdRulePlace *at, const gint64 *c)
{
  (void) c;
  return at->rank ^ (at->k + 1);
}

static gint64
get_binomial_parent (const PdRulePlace *at, const gint64 *c)
{
  (void) c;
  return at->rank & (at->rank - 1);
}

static gint64
get_highest_bit_off (const PdRulePlace *at, const gint64 *c)
{
  (void) c;
  return at->rank > 0 ? at->rank ^ power (log2_of (at->rank)) : NO_VALUE;
}

static gint64
get_heap_parent (const PdRulePlace *at, const gint64 *c)
{
  (void) c;
  return at->rank > 0 ? (at->rank - 1) / 2 : NO_VALUE;
}

static gint64
get_heap_child (const PdRulePlace *at, const gint64 *c)
{
  (void) c;
  return 2 * at->rank + 1 + at->k;
}

static gint64
get_power (const PdRulePlace *at, const gint64 *c)
{
  gint64 step = power (at->k + c[0]);

  return step == NO_VALUE ? step : at->rank + step;
}

/* ---- constants of partners */

static gboolean
solve_constant (const PdRuleSample *samples, gsize n, gint64 *c)
{
  (void) n;
  c[0] = samples[0].value;
  return TRUE;
}

static gboolean
solve_plus (const PdRuleSample *samples, gsize n, gint64 *c)
{
  (void) n;
  c[0] = samples[0].value - samples[0].place.rank;
  return samples[0].value >= 0;
}

static gboolean
solve_from_end (const PdRuleSample *samples, gsize n, gint64 *c)
{
  (void) n;
  c[0] = samples[0].place.n - samples[0].value;
  return samples[0].value >= 0;
}

/* The sample of the largest communicator that has a partner. */
static const PdRuleSample *
find_largest (const PdRuleSample *samples, gsize n)
{
  const PdRuleSample *best = NULL;

  for (gsize i = 0; i < n; i++)
    if (samples[i].value >= 0 && (best == NULL || samples[i].place.n > best->place.n))
      best = &samples[i];
  return best;
}

/* From -n/2 to n/2, for steps around are meant to be short. */
static gint64
shorten (gint64 step, gint64 n)
{
  step = modulo (step, n);
  return 2 * step > n ? step - n : step;
}

static gboolean
solve_plus_around (const PdRuleSample *samples, gsize n, gint64 *c)
{
  const PdRuleSample *one = find_largest (samples, n);

  if (one == NULL)
    return FALSE;
  c[0] = shorten (one->value - one->place.rank, one->place.n);
  return TRUE;
}

static gboolean
find_offset (const PdRuleSample *samples, gsize n, gboolean around, gint64 *c)
{
  const PdRuleSample *one = find_largest (samples, n);
  PdRulePlace to;

  if (one == NULL || one->place.dims < 2 || one->value >= one->place.n)
    return FALSE;
  pd_rule_place_set_grid (&to, one->place.dims, one->place.size, one->value);
  for (guint d = 0; d < to.dims; d++)
    {
      gint64 step = to.at[d] - one->place.at[d];
      c[d] = around ? shorten (step, to.size[d]) : step;
    }
  return TRUE;
}

static gboolean
solve_offset (const PdRuleSample *samples, gsize n, gint64 *c)
{
  return find_offset (samples, n, FALSE, c);
}

static gboolean
solve_offset_around (const PdRuleSample *samples, gsize n, gint64 *c)
{
  return find_offset (samples, n, TRUE, c);
}

static gboolean
solve_xor (const PdRuleSample *samples, gsize n, gint64 *c)
{
  (void) n;
  c[0] = samples[0].value ^ samples[0].place.rank;
  return samples[0].value >= 0;
}

static gboolean
solve_each (const PdRuleSample *samples, gsize n, gint64 *c)
{
  (void) n;
  c[0] = samples[0].value - samples[0].place.k;
  return samples[0].value >= 0;
}

static gboolean
solve_power (const PdRuleSample *samples, gsize n, gint64 *c)
{
  gint64 step = samples[0].value - samples[0].place.rank;

  (void) n;
  c[0] = step > 0 ? log2_of (step) - samples[0].place.k : 0;
  return step > 0;
}

static gboolean
forwards (const PdRuleSample *samples, gsize n, gint64 *c)
{
  (void) samples, (void) n;
  c[0] = 1;
  return TRUE;
}

static gboolean
backwards (const PdRuleSample *samples, gsize n, gint64 *c)
{
  (void) samples, (void) n;
  c[0] = -1;
  return TRUE;
}

/* Those that go on with the grid come first: where a constant explains as much, there are too few
 * recordings to tell. */
static const Row peers[] = {
  { "neighbour (%lld, %lld, %lld)", get_offset, solve_offset },
  { "neighbour around (%lld, %lld, %lld)", get_offset_around, solve_offset_around },
  { "rank + %lld", get_plus, solve_plus },
  { "%lld", get_constant, solve_constant },
  { "(rank + %lld) mod n", get_plus_around, solve_plus_around },
  { "n - %lld", get_from_end, solve_from_end },
  { "n - 1 - rank", get_mirror, NULL },
  { "(rank + n/2) mod n", get_half, NULL },
  { "transposed coordinates", get_transposed, NULL },
  { "rank xor 2^k", get_xor_power, NULL },
  { "rank xor 2^(m-1-k)", get_xor_power_down, NULL },
  { "(rank + %lld 2^k) mod n", get_plus_power, forwards },
  { "(rank + %lld 2^k) mod n", get_plus_power, backwards },
  { "(rank + %lld 2^(m-1-k)) mod n", get_plus_power_down, forwards },
  { "(rank + %lld 2^(m-1-k)) mod n", get_plus_power_down, backwards },
  { "(rank + %lld (k+1)) mod n", get_plus_each, forwards },
  { "(rank + %lld (k+1)) mod n", get_plus_each, backwards },
  { "k + %lld", get_each, solve_each },
  { "each other rank", get_each_other, NULL },
  { "rank xor (k+1)", get_xor_each, NULL },
  { "rank without its lowest bit", get_binomial_parent, NULL },
  { "rank without its highest bit", get_highest_bit_off, NULL },
  { "(rank - 1) / 2", get_heap_parent, NULL },
  { "2 rank + 1 + k", get_heap_child, NULL },
  { "rank + 2^(k + %lld)", get_power, solve_power },
  { "rank xor %lld", get_xor, solve_xor },
};

/* ---- numbers: quantities that they may follow */

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
QUANTITY (q_log, log2_of (at->n))
QUANTITY (q_rank, at->rank)
QUANTITY (q_k, at->k)
QUANTITY (q_m, at->m)
QUANTITY (q_size0, at->size[0])
QUANTITY (q_size1, at->dims > 1 ? at->size[1] : 1)
QUANTITY (q_size2, at->dims > 2 ? at->size[2] : 1)
QUANTITY (q_at0, at->at[0])
QUANTITY (q_at1, at->dims > 1 ? at->at[1] : 0)
QUANTITY (q_at2, at->dims > 2 ? at->at[2] : 0)
QUANTITY (q_n2, at->n * at->n)
QUANTITY (q_area, q_size0 (at) * q_size1 (at))
QUANTITY (q_power, power (at->k))
QUANTITY (q_trailing, at->rank > 0 ? __builtin_ctzll ((guint64) at->rank) : 0)
QUANTITY (q_power_left, power (at->m - 1 - at->k))

static const Quantity quantities[] = {
  { "n", q_n },
  { "size 1", q_size0 },
  { "size 2", q_size1 },
  { "size 3", q_size2 },
  { "log2 n", q_log },
  { "size 1 x size 2", q_area },
  { "all ranks", q_total },
  { "n^2", q_n2 },
  { "k", q_k },
  { "m", q_m },
  { "rank", q_rank },
  { "coordinate 1", q_at0 },
  { "coordinate 2", q_at1 },
  { "coordinate 3", q_at2 },
  { "2^k", q_power },
  { "2^(m-1-k)", q_power_left },
  { "trailing zeros of rank", q_trailing },
};

/* What blocks are dealt out over: how many, and whose block it is. */
static const struct
{
  const char *name;
  gint64 (*n) (const PdRulePlace *at);
  gint64 (*i) (const PdRulePlace *at);
} deals[] = {
  { "n", q_n, q_rank },         { "n", q_n, q_k },
  { "size 1", q_size0, q_at0 }, { "size 2", q_size1, q_at1 },
  { "size 3", q_size2, q_at2 },
};

#define N_QUANTITIES ((gint64) G_N_ELEMENTS (quantities))
#define N_DEALS      ((gint64) G_N_ELEMENTS (deals))

/* c[0] is the quantity; value = c[1] * quantity */
static gint64
get_multiple (const PdRulePlace *at, const gint64 *c)
{
  gint64 product;

  return __builtin_mul_overflow (c[1], quantities[c[0]].get (at), &product) ? NO_VALUE : product;
}

/* value = c[1] / quantity, without a rest */
static gint64
get_part (const PdRulePlace *at, const gint64 *c)
{
  gint64 parts = quantities[c[0]].get (at);

  return parts > 0 && c[1] % parts == 0 ? c[1] / parts : NO_VALUE;
}

/* value = c[1] * quantity + c[2] */
static gint64
get_line (const PdRulePlace *at, const gint64 *c)
{
  gint64 product = get_multiple (at, c);

  return product == NO_VALUE ? product : product + c[2];
}

/* value = c[1] * the block of c[2] things that member i of n has: the first ones have one more */
static gint64
get_block (const PdRulePlace *at, const gint64 *c)
{
  gint64 n = deals[c[0]].n (at), i = deals[c[0]].i (at);

  return c[1] * ((c[2] + n - 1 - i) / n);
}

/* ---- constants of numbers */

static gboolean
fits (gint64 (*get) (const PdRulePlace *at, const gint64 *c), const PdRuleSample *samples, gsize n,
      const gint64 *c)
{
  for (gsize i = 0; i < n; i++)
    if (get (&samples[i].place, c) != samples[i].value)
      return FALSE;
  return TRUE;
}

static gboolean
varies (const PdRuleSample *samples, gsize n, gint64 (*get) (const PdRulePlace *at), gsize *other)
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
      if (q <= 0 || samples[0].value % q != 0 || !varies (samples, n, quantities[c[0]].get, &other))
        continue;
      c[1] = samples[0].value / q;
      if (fits (get_multiple, samples, n, c))
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
      if (q <= 0 || !varies (samples, n, quantities[c[0]].get, &other)
          || __builtin_mul_overflow (samples[0].value, q, &c[1]))
        continue;
      if (fits (get_part, samples, n, c))
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
      if (!varies (samples, n, get, &other))
        continue;
      gint64 q = get (&samples[0].place), step = get (&samples[other].place) - q;
      gint64 rise = samples[other].value - samples[0].value;
      if (q == NO_VALUE || rise % step != 0)
        continue;
      c[1] = rise / step;
      if (__builtin_mul_overflow (c[1], q, &c[2]))
        continue;
      c[2] = samples[0].value - c[2];
      if ((ABS (c[1]) == 1 || count_different (samples, n, get) > 2)
          && fits (get_line, samples, n, c))
        return TRUE;
    }
  return FALSE;
}

static gint64
divide_down (gint64 a, gint64 b)
{
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Of the numbers from @low to @high the one that most powers of two and ten divide. */
static gint64
find_round (gint64 low, gint64 high)
{
  gint64 best = low;

  for (gint64 step = 1; step <= high; step *= 2)
    if (divide_down (high, step) * step >= low)
      best = divide_down (high, step) * step;
  for (gint64 step = 10; step <= high; step *= 10)
    if (divide_down (high, step) * step >= low)
      best = divide_down (high, step) * step;
  return best;
}

/* How many things may have been dealt out, where each is @unit: @c[2] is a round one of these
 * numbers. */
static gboolean
find_things (const PdRuleSample *samples, gsize n, gint64 unit, gint64 *c)
{
  gint64 low = 0, high = G_MAXINT64;

  for (gsize s = 0; s < n; s++)
    {
      gint64 parts = deals[c[0]].n (&samples[s].place), i = deals[c[0]].i (&samples[s].place);
      gint64 block = samples[s].value / unit;
      if (samples[s].value % unit != 0 || i < 0 || i >= parts)
        return FALSE;
      low = MAX (low, block * parts - parts + 1 + i);
      high = MIN (high, block * parts + i);
    }
  if (low > high)
    return FALSE;
  c[1] = unit;
  c[2] = find_round (low, high);
  return TRUE;
}

static gint64
common_divisor (gint64 a, gint64 b)
{
  while (b != 0)
    {
      gint64 rest = a % b;
      a = b;
      b = rest;
    }
  return a;
}

static gboolean
solve_block (const PdRuleSample *samples, gsize n, gint64 *c)
{
  gint64 unit = 0;
  gsize other;

  for (gsize i = 0; i < n; i++)
    {
      if (samples[i].value < 0 || samples[i].value > (gint64) 1 << 50)
        return FALSE;
      unit = common_divisor (unit, samples[i].value);
    }
  for (; unit > 0 && c[0] < N_DEALS; c[0]++)
    if (varies (samples, n, deals[c[0]].n, &other))
      for (gint64 parts = 1; parts <= 8; parts++)
        if (unit % parts == 0 && find_things (samples, n, unit / parts, c))
          return TRUE;
  return FALSE;
}

static const Row numbers[] = {
  { "%lld", get_constant, solve_constant },
  { "", get_multiple, solve_multiple },
  { "", get_part, solve_part },
  { "", get_block, solve_block },
  { "", get_line, solve_line },
};

/* Loops are repeated as often as there are ranks, or as these have neighbours: no parts of
 * something. */
static const Row times[] = {
  { "%lld", get_constant, solve_constant },
  { "", get_multiple, solve_multiple },
  { "", get_line, solve_line },
  { "", get_part, solve_part },
  { "", get_block, solve_block },
};

static const struct
{
  const Row *rows;
  guint n;
} tables[] = {
  [PD_RULE_PEERS] = { peers, G_N_ELEMENTS (peers) },
  [PD_RULE_NUMBERS] = { numbers, G_N_ELEMENTS (numbers) },
  [PD_RULE_TIMES] = { times, G_N_ELEMENTS (times) },
};

/* ---- public */

gboolean
pd_rule_find (PdRulePurpose purpose, const PdRuleSample *samples, gsize n, PdRule *rule)
{
  g_return_val_if_fail (n > 0, FALSE);

  for (guint kind = 0; kind < tables[purpose].n; kind++)
    {
      const Row *row = &tables[purpose].rows[kind];
      memset (rule, 0, sizeof *rule);
      rule->purpose = (guint8) purpose;
      rule->kind = (guint8) kind;
      if ((row->solve == NULL || row->solve (samples, n, rule->c))
          && fits (row->get, samples, n, rule->c))
        return TRUE;
    }
  return FALSE;
}

static gboolean
has_quantity (const Row *row)
{
  return row->solve == solve_multiple || row->solve == solve_part || row->solve == solve_line
         || row->solve == solve_block;
}

/* Other units, and other numbers of things, that explain as much as blocks of @unit: first those of
 * elements of 8 and 4 bytes, which are usual. @deal: what they may be dealt out over */
static void
add_other_blocks (const PdRule *rule, gint64 deal, gint64 unit, const PdRuleSample *samples,
                  gsize n, GArray *others)
{
  const gint64 units[] = { 8, 4, 1, unit, unit / 2, unit / 4, unit / 8 };

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    {
      PdRule other = { .purpose = rule->purpose, .kind = rule->kind, .c = { deal } };
      while (tables[other.purpose].rows[other.kind].get != get_block)
        other.kind++;
      if (units[i] < 1 || unit % units[i] != 0 || !find_things (samples, n, units[i], other.c))
        continue;
      for (gint64 more = -1; more <= 1; more++)
        {
          PdRule next = other;
          next.c[2] += more;
          if (memcmp (&next, rule, sizeof next) != 0 && fits (get_block, samples, n, next.c))
            g_array_append_val (others, next);
        }
    }
}

/* A part without a rest may be the block of something that is dealt out with one. */
static void
add_blocks_of_parts (const PdRule *rule, const PdRuleSample *samples, gsize n, GArray *others)
{
  gint64 unit = 0;

  for (gsize i = 0; i < n; i++)
    unit = common_divisor (unit, samples[i].value);
  for (gint64 deal = 0; unit > 0 && deal < N_DEALS; deal++)
    if (deals[deal].n == quantities[rule->c[0]].get && rule->purpose == PD_RULE_NUMBERS)
      add_other_blocks (rule, deal, unit, samples, n, others);
}

void
pd_rule_find_others (const PdRule *rule, const PdRuleSample *samples, gsize n, GArray *others)
{
  const Row *own = &tables[rule->purpose].rows[rule->kind];

  for (guint kind = rule->kind; kind < tables[rule->purpose].n; kind++)
    {
      const Row *row = &tables[rule->purpose].rows[kind];
      PdRule other = { .purpose = rule->purpose, .kind = (guint8) kind };
      if ((kind == rule->kind) != has_quantity (own))
        continue;
      if (row->get == get_block)
        add_other_blocks (rule, rule->c[0], rule->c[1], samples, n, others);
      if (row->get == get_part)
        add_blocks_of_parts (rule, samples, n, others);
      other.c[0] = kind == rule->kind ? rule->c[0] + 1 : 0;
      while ((row->solve == NULL || row->solve (samples, n, other.c))
             && fits (row->get, samples, n, other.c))
        {
          g_array_append_val (others, other);
          if (!has_quantity (row))
            break;
          other = (PdRule){ rule->purpose, (guint8) kind, { other.c[0] + 1 } };
        }
    }
}

void
pd_rule_set_constant (PdRule *self, PdRulePurpose purpose, gint64 value)
{
  *self = (PdRule){ .purpose = (guint8) purpose, .c = { value } };
  while (tables[purpose].rows[self->kind].get != get_constant)
    self->kind++;
}

gboolean
pd_rule_is_block (const PdRule *self, gint64 *unit)
{
  *unit = self->c[1];
  return tables[self->purpose].rows[self->kind].get == get_block;
}

gboolean
pd_rule_fits (const PdRule *self, const PdRuleSample *samples, gsize n)
{
  return fits (tables[self->purpose].rows[self->kind].get, samples, n, self->c);
}

gint64
pd_rule_get (const PdRule *self, const PdRulePlace *place)
{
  return tables[self->purpose].rows[self->kind].get (place, self->c);
}

char *
pd_rule_describe (const PdRule *self)
{
  const Row *row = &tables[self->purpose].rows[self->kind];
  const gint64 *c = self->c;

  if (row->get == get_multiple)
    return g_strdup_printf ("%lld x %s", (long long) c[1], quantities[c[0]].name);
  if (row->get == get_part)
    return g_strdup_printf ("%lld / %s", (long long) c[1], quantities[c[0]].name);
  if (row->get == get_line)
    return g_strdup_printf ("%lld x %s %+lld", (long long) c[1], quantities[c[0]].name,
                            (long long) c[2]);
  if (row->get == get_block)
    return g_strdup_printf ("%lld x block of %lld over %s", (long long) c[1], (long long) c[2],
                            deals[c[0]].name);
  g_autoptr (GString) text = g_string_new (NULL);
  guint next = 0;
  for (const char *p = row->words; *p != '\0'; p++)
    if (g_str_has_prefix (p, "%lld"))
      {
        g_string_append_printf (text, "%lld", (long long) c[next++]);
        p += strlen ("%lld") - 1;
      }
    else
      g_string_append_c (text, *p);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
