/* Numbers that two quantities have a part in: parts of parts, faces of blocks, blocks with a rim.
 * SPDX-License-Identifier: MIT */
#include "scale/rule/pd-rule-private.h"

#define MOST_THINGS 8192 /* points of a grid along one dimension that are tried */
#define MOST_RIM    8    /* points around a block */

/* ---- products of two quantities */

static gint64
get_log (const PdRulePlace *at)
{
  return pd_rule_log2 (at->n);
}

static gint64
get_power (const PdRulePlace *at)
{
  return pd_rule_power (at->k);
}

static gint64
get_level (const PdRulePlace *at)
{
  return pd_rule_power (at->l);
}

gint64
pd_rule_groups (const PdRulePlace *at)
{
  return at->total / at->n;
}

static gint64
get_total (const PdRulePlace *at)
{
  return at->total;
}

static const struct
{
  const char *name;
  gint64 (*get) (const PdRulePlace *at);
} factors[] = {
  { "n", pd_rule_n },           { "log2 n", get_log },
  { "2^k", get_power },         { "size 1", pd_rule_size_1 },
  { "size 2", pd_rule_size_2 }, { "size 3", pd_rule_size_3 },
  { "2^l", get_level },         { "all ranks / n", pd_rule_groups },
  { "all ranks", get_total },
};

/* value = c[1] first^a second^b */
static const struct
{
  const char *before; /* the first factor */
  const char *between;
  const char *after;
  gboolean divides[2];
} forms[] = {
  { " / (", " x ", ")", { TRUE, TRUE } },
  { " x ", " / ", "", { FALSE, TRUE } },
  { " x ", " x ", "", { FALSE, FALSE } },
};

#define N_FACTORS ((gint64) G_N_ELEMENTS (factors))

G_STATIC_ASSERT (G_N_ELEMENTS (factors) * G_N_ELEMENTS (factors) * G_N_ELEMENTS (forms)
                 == PD_RULE_N_PRODUCTS);

static gboolean
divides (const gint64 *c, guint i)
{
  return forms[c[0] / N_FACTORS / N_FACTORS].divides[i];
}

/* c[0] is the form and both factors */
static gint64
get_factor (const PdRulePlace *at, const gint64 *c, guint i)
{
  return factors[i == 0 ? c[0] / N_FACTORS % N_FACTORS : c[0] % N_FACTORS].get (at);
}

gint64
pd_rule_get_product (const PdRulePlace *at, const gint64 *c)
{
  gint64 value = c[1];

  for (guint i = 0; i < 2; i++)
    if (!divides (c, i) && __builtin_mul_overflow (value, get_factor (at, c, i), &value))
      return PD_RULE_NO_VALUE;
  for (guint i = 0; i < 2; i++)
    if (divides (c, i))
      {
        gint64 factor = get_factor (at, c, i);
        if (factor <= 0 || value % factor != 0)
          return PD_RULE_NO_VALUE;
        value /= factor;
      }
  return value;
}

/* c[1] with which the first number is right. */
static gboolean
find_constant (const PdRuleSample *sample, gint64 *c)
{
  c[1] = sample->value;
  for (guint i = 0; i < 2; i++)
    if (divides (c, i) && __builtin_mul_overflow (c[1], get_factor (&sample->place, c, i), &c[1]))
      return FALSE;
  for (guint i = 0; i < 2; i++)
    if (!divides (c, i))
      {
        gint64 factor = get_factor (&sample->place, c, i);
        if (factor <= 0 || c[1] % factor != 0)
          return FALSE;
        c[1] /= factor;
      }
  return c[1] != 0;
}

gboolean
pd_rule_solve_product (const PdRuleSample *samples, gsize n, gint64 *c)
{
  gsize other;

  for (; c[0] < PD_RULE_N_PRODUCTS; c[0]++)
    {
      gint64 first = c[0] / N_FACTORS % N_FACTORS, second = c[0] % N_FACTORS;
      if ((divides (c, 0) != divides (c, 1) ? first == second : first > second)
          || !pd_rule_varies (samples, n, factors[first].get, &other)
          || !pd_rule_varies (samples, n, factors[second].get, &other))
        continue;
      if (find_constant (&samples[0], c) && pd_rule_row_fits (pd_rule_get_product, samples, n, c))
        return TRUE;
    }
  return FALSE;
}

static gboolean
has_factor (const gint64 *c, gint64 (*get) (const PdRulePlace *at))
{
  return factors[c[0] / N_FACTORS % N_FACTORS].get == get || factors[c[0] % N_FACTORS].get == get;
}

gboolean
pd_rule_product_is_steady (const gint64 *c)
{
  return !has_factor (c, get_power);
}

gboolean
pd_rule_product_uses_level (const gint64 *c)
{
  return has_factor (c, get_level);
}

char *
pd_rule_describe_product (const gint64 *c)
{
  gint64 form = c[0] / N_FACTORS / N_FACTORS;

  return g_strdup_printf ("%" G_GINT64_FORMAT "%s%s%s%s%s", c[1], forms[form].before,
                          factors[c[0] / N_FACTORS % N_FACTORS].name, forms[form].between,
                          factors[c[0] % N_FACTORS].name, forms[form].after);
}

/* ---- faces of blocks */

/* Pairs of dimensions. c[0] is the pair, c[1] a unit, and c[2] says how many things are dealt out
 * along each of them. */
static const guint pairs[PD_RULE_N_FACES][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };

static gint64
get_things (const gint64 *c, guint i)
{
  return i == 0 ? c[2] & G_MAXINT32 : c[2] >> 32;
}

static gint64
get_share (const PdRulePlace *at, guint d, gint64 things)
{
  return (things + at->size[d] - 1 - at->at[d]) / at->size[d];
}

gint64
pd_rule_get_face (const PdRulePlace *at, const gint64 *c)
{
  gint64 value = c[1];

  for (guint i = 0; i < 2; i++)
    if (pairs[c[0]][i] >= at->dims
        || __builtin_mul_overflow (value, get_share (at, pairs[c[0]][i], get_things (c, i)),
                                   &value))
      return PD_RULE_NO_VALUE;
  return value;
}

/* Divides the numbers by their shares of @things along dimension @d. */
static gboolean
divide (const PdRuleSample *samples, gsize n, guint d, gint64 things, GArray *rest)
{
  g_array_set_size (rest, 0);
  for (gsize i = 0; i < n; i++)
    {
      gint64 share = get_share (&samples[i].place, d, things);
      PdRuleSample sample = samples[i];
      if (share <= 0 || sample.value % share != 0)
        return FALSE;
      sample.value /= share;
      g_array_append_val (rest, sample);
    }
  return TRUE;
}

/* Finds the shares along the second dimension in @rest: of as many things as along the first one,
 * if
 * @is_equal. */
static gboolean
solve_second (const PdRuleSample *samples, gsize n, gint64 first, const GArray *rest,
              gboolean is_equal, gint64 *c)
{
  const PdRuleSample *left = (const PdRuleSample *) (const void *) rest->data;
  gint64 unit = pd_rule_get_unit (left, n);
  gint64 block[] = { PD_RULE_DEAL_SIZE_1 + pairs[c[0]][1], 0, first };
  const gint64 units[] = { 8, 4, 1, unit, unit / 2, unit / 4, unit / 8 };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      if (units[i] < 1 || unit % units[i] != 0
          || (!is_equal && !pd_rule_find_things (left, n, units[i], block)))
        continue;
      c[1] = units[i];
      c[2] = first | block[2] << 32;
      if (block[2] <= G_MAXINT32 && pd_rule_row_fits (pd_rule_get_face, samples, n, c))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_possible (const PdRuleSample *samples, gsize n, const guint *pair)
{
  gboolean varies[2] = { FALSE, FALSE };

  for (gsize i = 0; i < n; i++)
    {
      if (samples[i].value <= 0 || samples[i].place.dims <= pair[1])
        return FALSE;
      for (guint k = 0; k < 2; k++)
        varies[k] = varies[k] || samples[i].place.size[pair[k]] != samples[0].place.size[pair[k]];
    }
  return varies[0] && varies[1];
}

gboolean
pd_rule_solve_face (const PdRuleSample *samples, gsize n, gint64 *c)
{
  g_autoptr (GArray) rest = g_array_new (FALSE, FALSE, sizeof (PdRuleSample));

  for (; c[0] < PD_RULE_N_FACES; c[0]++)
    for (gint64 things = 1; things <= MOST_THINGS && is_possible (samples, n, pairs[c[0]]);
         things++)
      if (divide (samples, n, pairs[c[0]][0], things, rest)
          && (solve_second (samples, n, things, rest, TRUE, c)
              || solve_second (samples, n, things, rest, FALSE, c)))
        return TRUE;
  return FALSE;
}

char *
pd_rule_describe_face (const gint64 *c)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT " x block of %" G_GINT64_FORMAT
                          " over size %u x block of %" G_GINT64_FORMAT " over size %u",
                          c[1], get_things (c, 0), pairs[c[0]][0] + 1, get_things (c, 1),
                          pairs[c[0]][1] + 1);
}

/* ---- blocks with a rim */

/* c[0] is the dimension, c[1] a unit, c[2] how many things are dealt out, and the rim. */
gint64
pd_rule_get_rim (const PdRulePlace *at, const gint64 *c)
{
  gint64 value;

  return (guint) c[0] >= at->dims
                 || __builtin_mul_overflow (
                     c[1], get_share (at, (guint) c[0], get_things (c, 0)) + get_things (c, 1),
                     &value)
             ? PD_RULE_NO_VALUE
             : value;
}

static gboolean
solve_rim (const PdRuleSample *samples, gsize n, gint64 unit, gint64 rim, GArray *rest, gint64 *c)
{
  gint64 block[] = { PD_RULE_DEAL_SIZE_1 + c[0], 0, 0 };

  g_array_set_size (rest, 0);
  g_array_append_vals (rest, samples, (guint) n);
  for (gsize i = 0; i < n; i++)
    {
      gint64 *value = &g_array_index (rest, PdRuleSample, i).value;
      if (*value <= unit * rim || (guint) c[0] >= samples[i].place.dims)
        return FALSE;
      *value -= unit * rim;
    }
  if (!pd_rule_find_things ((const PdRuleSample *) (void *) rest->data, n, unit, block)
      || block[2] > G_MAXINT32)
    return FALSE;
  c[1] = unit;
  c[2] = block[2] | rim << 32;
  return TRUE;
}

gboolean
pd_rule_solve_rim (const PdRuleSample *samples, gsize n, gint64 *c)
{
  gint64 all = pd_rule_get_unit (samples, n);
  const gint64 units[] = { all, all / 2, all / 4, all / 8, 8, 4 };
  g_autoptr (GArray) rest = g_array_new (FALSE, FALSE, sizeof (PdRuleSample));
  static gint64 (*const sizes[]) (const PdRulePlace *at) = { pd_rule_size_1, pd_rule_size_2,
                                                             pd_rule_size_3 };
  gsize other;

  for (; c[0] < PD_RULE_DIMS; c[0]++)
    for (gint64 rim = 1; rim <= MOST_RIM && pd_rule_varies (samples, n, sizes[c[0]], &other); rim++)
      for (guint i = 0; i < G_N_ELEMENTS (units); i++)
        if (units[i] > 0 && all % units[i] == 0 && solve_rim (samples, n, units[i], rim, rest, c))
          return TRUE;
  return FALSE;
}

char *
pd_rule_describe_rim (const gint64 *c)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT " x (block of %" G_GINT64_FORMAT
                          " over size %u + %" G_GINT64_FORMAT ")",
                          c[1], get_things (c, 0), (guint) c[0] + 1, get_things (c, 1));
}
