/* Partners: neighbours in grids, offsets, powers of two, trees.
 * SPDX-License-Identifier: MIT */
#include "scale/rule/pd-rule-private.h"

/* @factor @steps, around @n. */
static gint64
times_around (gint64 factor, gint64 steps, gint64 n)
{
  return pd_rule_modulo (factor, n) * pd_rule_modulo (steps, n);
}

/* ---- partners */

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
  return pd_rule_modulo (at->rank + c[0], at->n);
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
  return pd_rule_modulo (at->rank + at->n / 2, at->n);
}

static gint64
get_offset (const PdRulePlace *at, const gint64 *c)
{
  gint64 to[PD_RULE_DIMS];

  for (guint d = 0; d < at->dims; d++)
    {
      to[d] = at->at[d] + c[d];
      if (to[d] < 0 || to[d] >= at->size[d])
        return PD_RULE_NOBODY;
    }
  return pd_rule_rank_at (at, to);
}

static gint64
get_offset_around (const PdRulePlace *at, const gint64 *c)
{
  gint64 to[PD_RULE_DIMS];

  for (guint d = 0; d < at->dims; d++)
    to[d] = pd_rule_modulo (at->at[d] + c[d], at->size[d]);
  return pd_rule_rank_at (at, to);
}

/* Where one size is several times the other one, so many neighbours change places together. */
static gint64
get_transposed (const PdRulePlace *at, const gint64 *c)
{
  (void) c;
  if (at->dims != 2)
    return PD_RULE_NO_VALUE;
  guint great = at->size[0] > at->size[1] ? 0 : 1, small = 1 - great;
  gint64 times = at->size[great] / at->size[small], to[PD_RULE_DIMS] = { 0 };
  if (at->size[great] % at->size[small] != 0)
    return PD_RULE_NO_VALUE;
  to[great] = at->at[small] * times + at->at[great] % times;
  to[small] = at->at[great] / times;
  return pd_rule_rank_at (at, to);
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
  return at->rank ^ pd_rule_power (at->k);
}

static gint64
get_xor_power_down (const PdRulePlace *at, const gint64 *c)
{
  (void) c;
  return at->rank ^ pd_rule_power (at->m - 1 - at->k);
}

/* c[0] is 1 or -1 */
static gint64
get_plus_power (const PdRulePlace *at, const gint64 *c)
{
  return pd_rule_modulo (at->rank + times_around (c[0], pd_rule_power (at->k), at->n), at->n);
}

static gint64
get_plus_power_down (const PdRulePlace *at, const gint64 *c)
{
  return pd_rule_modulo (at->rank + times_around (c[0], pd_rule_power (at->m - 1 - at->k), at->n),
                         at->n);
}

static gint64
get_plus_each (const PdRulePlace *at, const gint64 *c)
{
  return pd_rule_modulo (at->rank + times_around (c[0], at->k + 1, at->n), at->n);
}

static gint64
get_each (const PdRulePlace *at, const gint64 *c)
{
  return at->k + c[0];
}

static gint64
get_each_around (const PdRulePlace *at, const gint64 *c)
{
  return pd_rule_modulo (at->k + c[0], at->n);
}

static gint64
get_level_around (const PdRulePlace *at, const gint64 *c)
{
  return pd_rule_modulo (at->l + c[0], at->n);
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
  return at->rank > 0 ? at->rank ^ pd_rule_power (pd_rule_log2 (at->rank)) : PD_RULE_NO_VALUE;
}

static gint64
get_heap_parent (const PdRulePlace *at, const gint64 *c)
{
  (void) c;
  return at->rank > 0 ? (at->rank - 1) / 2 : PD_RULE_NO_VALUE;
}

static gint64
get_heap_child (const PdRulePlace *at, const gint64 *c)
{
  (void) c;
  return 2 * at->rank + 1 + at->k;
}

static gint64
get_level (const PdRulePlace *at, const gint64 *c)
{
  return at->l + c[0];
}

static gint64
get_power (const PdRulePlace *at, const gint64 *c)
{
  gint64 step = pd_rule_power (at->k + c[0]);

  return step == PD_RULE_NO_VALUE ? step : at->rank + step;
}

/* ---- constants of partners */

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

/* From -n/2 to n/2, for steps around are meant to be short. */
static gint64
shorten (gint64 step, gint64 n)
{
  step = pd_rule_modulo (step, n);
  return 2 * step > n ? step - n : step;
}

static gboolean
solve_plus_around (const PdRuleSample *samples, gsize n, gint64 *c)
{
  const PdRuleSample *one = pd_rule_find_largest (samples, n);

  if (one == NULL)
    return FALSE;
  c[0] = shorten (one->value - one->place.rank, one->place.n);
  return TRUE;
}

static gboolean
find_offset (const PdRuleSample *samples, gsize n, gboolean around, gint64 *c)
{
  const PdRuleSample *one = pd_rule_find_largest (samples, n);
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
  c[0] = step > 0 ? pd_rule_log2 (step) - samples[0].place.k : 0;
  return step > 0;
}

/* Samples of a single repetition of the loop around do not show how a partner depends on it. */
static gboolean
has_levels (const PdRuleSample *samples, gsize n)
{
  for (gsize i = 1; i < n; i++)
    if (samples[i].place.l != samples[0].place.l)
      return TRUE;
  return FALSE;
}

static gboolean
solve_level (const PdRuleSample *samples, gsize n, gint64 *c)
{
  c[0] = samples[0].value - samples[0].place.l;
  return samples[0].value >= 0 && has_levels (samples, n);
}

static gboolean
solve_each_around (const PdRuleSample *samples, gsize n, gint64 *c)
{
  const PdRuleSample *one = pd_rule_find_largest (samples, n);

  if (one != NULL)
    c[0] = pd_rule_modulo (one->value - one->place.k, one->place.n);
  return one != NULL;
}

static gboolean
solve_level_around (const PdRuleSample *samples, gsize n, gint64 *c)
{
  const PdRuleSample *one = pd_rule_find_largest (samples, n);

  if (one != NULL)
    c[0] = pd_rule_modulo (one->value - one->place.l, one->place.n);
  return one != NULL && has_levels (samples, n);
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
static const PdRuleRow rows[] = {
  { "neighbour (%lld, %lld, %lld)", get_offset, solve_offset },
  { "neighbour around (%lld, %lld, %lld)", get_offset_around, solve_offset_around },
  { "rank + %lld", get_plus, solve_plus },
  { "%lld", pd_rule_get_constant, pd_rule_solve_constant },
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
  { "in dimension %lld + 1 at %lld", pd_rule_get_leader_along, pd_rule_solve_leader_along },
  { "in dimension %lld + 1 at k + %lld", pd_rule_get_each_along, pd_rule_solve_each_along },
  { "each other one in dimension %lld + 1", pd_rule_get_other_along, pd_rule_solve_other_along },
  { "in dimension %lld + 1 as far as coordinate %lld + 1 says, times %lld, around",
    pd_rule_get_skewed, pd_rule_solve_skewed },
  { "l + %lld", get_level, solve_level },
  { "(k + %lld) mod n", get_each_around, solve_each_around },
  { "(l + %lld) mod n", get_level_around, solve_level_around },
};

const PdRuleTable pd_rule_peers = { rows, G_N_ELEMENTS (rows) };

gboolean
pd_rule_peers_row_is_steady (const PdRuleRow *row)
{
  static gint64 (*const steady[]) (const PdRulePlace *at, const gint64 *c) = {
    get_offset,
    get_offset_around,
    get_plus,
    pd_rule_get_constant,
    get_plus_around,
    get_from_end,
    get_mirror,
    get_half,
    get_transposed,
    get_binomial_parent,
    get_highest_bit_off,
    pd_rule_get_leader_along,
    get_heap_parent,
    get_xor,
    pd_rule_get_skewed,
    get_level,
    get_level_around,
  };

  for (gsize i = 0; i < G_N_ELEMENTS (steady); i++)
    if (row->get == steady[i])
      return TRUE;
  return FALSE;
}

gboolean
pd_rule_peers_row_uses_level (const PdRuleRow *row)
{
  return row->get == get_level || row->get == get_level_around;
}
