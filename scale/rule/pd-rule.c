/* SPDX-License-Identifier: MIT */
#include "scale/rule/pd-rule-private.h"

#include <string.h>

#define MOST_OFFSET G_MAXINT32 /* between partners */

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

gint64
pd_rule_common_divisor (gint64 a, gint64 b)
{
  while (b != 0)
    {
      gint64 rest = a % b;
      a = b;
      b = rest;
    }
  return a;
}

gint64
pd_rule_get_constant (const PdRulePlace *at, const gint64 *c)
{
  (void) at;
  return c[0];
}

gboolean
pd_rule_solve_constant (const PdRuleSample *samples, gsize n, gint64 *c)
{
  (void) n;
  c[0] = samples[0].value;
  return TRUE;
}

gboolean
pd_rule_row_fits (gint64 (*get) (const PdRulePlace *at, const gint64 *c),
                  const PdRuleSample *samples, gsize n, const gint64 *c)
{
  for (gsize i = 0; i < n; i++)
    if (get (&samples[i].place, c) != samples[i].value)
      return FALSE;
  return TRUE;
}

static const PdRuleTable *const tables[] = {
  [PD_RULE_PEERS] = &pd_rule_peers,
  [PD_RULE_NUMBERS] = &pd_rule_numbers,
  [PD_RULE_TIMES] = &pd_rule_times,
};

static const PdRuleRow *
row_of (const PdRule *self)
{
  return &tables[self->purpose]->rows[self->kind];
}

/* Samples of a single repetition do not show how a number depends on it. */
static gboolean
may_depend (const PdRule *rule, const PdRuleSample *samples, gsize n)
{
  if (pd_rule_is_steady (rule))
    return TRUE;
  for (gsize i = 1; i < n; i++)
    if (samples[i].place.k != samples[0].place.k)
      return TRUE;
  return FALSE;
}

gboolean
pd_rule_find (PdRulePurpose purpose, const PdRuleSample *samples, gsize n, PdRule *rule)
{
  g_return_val_if_fail (n > 0, FALSE);

  for (guint kind = 0; kind < tables[purpose]->n; kind++)
    {
      const PdRuleRow *row = &tables[purpose]->rows[kind];
      memset (rule, 0, sizeof *rule);
      rule->purpose = (guint8) purpose;
      rule->kind = (guint8) kind;
      if ((row->solve == NULL || row->solve (samples, n, rule->c))
          && pd_rule_fits (rule, samples, n))
        return TRUE;
    }
  return FALSE;
}

void
pd_rule_find_others (const PdRule *rule, const PdRuleSample *samples, gsize n, GArray *others)
{
  const PdRuleTable *table = tables[rule->purpose];

  for (guint kind = rule->kind; kind < table->n; kind++)
    {
      const PdRuleRow *row = &table->rows[kind];
      PdRule other = { .purpose = rule->purpose, .kind = (guint8) kind };
      if ((kind == rule->kind) != (pd_rule_row_count_quantities (row_of (rule)) > 0))
        continue;
      pd_rule_add_other_blocks (rule, row, samples, n, others);
      other.c[0] = kind == rule->kind ? rule->c[0] + 1 : 0;
      while ((row->solve == NULL || row->solve (samples, n, other.c))
             && pd_rule_row_fits (row->get, samples, n, other.c))
        {
          if (may_depend (&other, samples, n))
            g_array_append_val (others, other);
          if (kind == rule->kind)
            pd_rule_add_other_blocks (&other, row, samples, n, others);
          if (pd_rule_row_count_quantities (row) == 0)
            break;
          other = (PdRule){ rule->purpose, (guint8) kind, { other.c[0] + 1 } };
        }
    }
}

void
pd_rule_set_constant (PdRule *self, PdRulePurpose purpose, gint64 value)
{
  *self = (PdRule){ .purpose = (guint8) purpose, .c = { value } };
  while (row_of (self)->get != pd_rule_get_constant)
    self->kind++;
}

gboolean
pd_rule_equal (const PdRule *a, const PdRule *b)
{
  return a->purpose == b->purpose && a->kind == b->kind && memcmp (a->c, b->c, sizeof a->c) == 0;
}

/* The place of @unit among the sizes of elements. */
static guint
get_unit_place (gint64 unit)
{
  static const gint64 usual[] = { 8, 4, 1 };
  guint i = 0;

  while (i < G_N_ELEMENTS (usual) && usual[i] != unit)
    i++;
  return i;
}

gint
pd_rule_compare (gconstpointer a, gconstpointer b)
{
  const PdRule *one = a, *two = b;
  gboolean is_block = pd_rule_row_is_block (row_of (one));
  gint difference = pd_rule_row_is_block (row_of (two)) - is_block;

  if (difference == 0)
    difference = one->kind - two->kind;
  if (difference == 0 && is_block && one->c[0] == two->c[0])
    difference = (gint) get_unit_place (one->c[1]) - (gint) get_unit_place (two->c[1]);
  for (gsize i = 0; i < G_N_ELEMENTS (one->c) && difference == 0; i++)
    difference = (one->c[i] > two->c[i]) - (one->c[i] < two->c[i]);
  return difference;
}

gint
pd_rule_get_dimension (const PdRule *self)
{
  return pd_rule_row_get_dimension (row_of (self), self->c);
}

gboolean
pd_rule_is_exhausted (const PdRule *self, const PdRulePlace *place)
{
  return self->purpose == PD_RULE_NUMBERS
         && pd_rule_row_is_exhausted (row_of (self), place, self->c);
}

gboolean
pd_rule_fits (const PdRule *self, const PdRuleSample *samples, gsize n)
{
  return pd_rule_row_fits (row_of (self)->get, samples, n, self->c)
         && may_depend (self, samples, n);
}

gboolean
pd_rule_is_steady (const PdRule *self)
{
  return self->purpose == PD_RULE_PEERS ? pd_rule_peers_row_is_steady (row_of (self))
                                        : pd_rule_row_is_steady (row_of (self), self->c);
}

gboolean
pd_rule_uses_level (const PdRule *self)
{
  return self->purpose == PD_RULE_PEERS ? pd_rule_peers_row_uses_level (row_of (self))
                                        : pd_rule_row_uses_level (row_of (self), self->c);
}

gint64
pd_rule_get (const PdRule *self, const PdRulePlace *place)
{
  return row_of (self)->get (place, self->c);
}

gboolean
pd_rule_is_valid (const PdRule *self)
{
  if (self->purpose >= G_N_ELEMENTS (tables) || self->kind >= tables[self->purpose]->n)
    return FALSE;
  for (guint i = 0; i < PD_RULE_DIMS && self->purpose == PD_RULE_PEERS; i++)
    if (self->c[i] < -MOST_OFFSET || self->c[i] > MOST_OFFSET)
      return FALSE;
  gint64 n = pd_rule_row_count_quantities (row_of (self));
  return n == 0 || (self->c[0] >= 0 && self->c[0] < n);
}

/* The words of the row, with its constants. */
char *
pd_rule_describe (const PdRule *self)
{
  const PdRuleRow *row = row_of (self);
  g_autoptr (GString) text = g_string_new (NULL);
  guint next = 0;

  if (*row->words == '\0')
    return pd_rule_describe_number (row, self->c);
  for (const char *p = row->words; *p != '\0'; p++)
    if (g_str_has_prefix (p, "%lld"))
      {
        g_string_append_printf (text, "%" G_GINT64_FORMAT, self->c[next++]);
        p += strlen ("%lld") - 1;
      }
    else
      g_string_append_c (text, *p);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
