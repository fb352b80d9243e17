/* A loop is steady if no number in it depends on the repetition: its rules do not, and what is
 * literal goes on with one number for as long as the loop does.
 * SPDX-License-Identifier: MIT */
#include "scale/pd-scale-steady-private.h"

/* Times that anything may come. */
#define MOST_TIMES (G_GUINT64_CONSTANT (1) << 40)

/* The loops around a node. */
typedef struct
{
  const PdScaleWords *words;
  const PdScaleState *states;
  PdRulePlace place;  /* with k, m and l */
  gboolean turns;     /* k is not always the same there */
  gboolean levels;    /* l is not */
  gboolean is_nested; /* in a loop inside that which is looked at */
  guint64 times;      /* that it comes */
} Around;

gboolean
pd_scale_is_sampled (const PdScaleWords *words, const PdScaleNode *node)
{
  return node->children == NULL && node->has_amount
         && pd_scale_words_get_shape (words, node->shape)->kind == PD_ACT_COMPUTE
         && (node->amounts.n > 0 ? !pd_column_is_constant (&node->amounts)
                                 : node->scatter != NULL || node->times->len > 1);
}

gboolean
pd_scale_has_samples (const PdScaleWords *words, const PdScaleNode *node)
{
  for (guint i = 0; node->children != NULL && i < node->children->len; i++)
    if (pd_scale_has_samples (words, g_ptr_array_index (node->children, i)))
      return TRUE;
  return pd_scale_is_sampled (words, node);
}

/* ---- numbers */

static gboolean
are_steady (const PdScaleNumber *number)
{
  if (number->how != PD_SCALE_BY_RULE || !pd_rule_is_steady (&number->rule)
      || (number->has_period && !pd_rule_is_steady (&number->period)))
    return FALSE;
  for (guint i = 0; i < number->others->len; i++)
    if (!pd_rule_is_steady (&g_array_index (number->others, PdScaleOther, i).rule))
      return FALSE;
  return TRUE;
}

/* Whether a rule of it depends on l. */
static gboolean
uses_level (const PdScaleNumber *number)
{
  if (number->how == PD_SCALE_BY_TURN)
    for (guint i = 0; i < number->turns->len; i++)
      if (number->by_level || pd_rule_uses_level (&g_array_index (number->turns, PdRule, i)))
        return TRUE;
  for (guint i = 0; i < number->others->len; i++)
    if (pd_rule_uses_level (&g_array_index (number->others, PdScaleOther, i).rule))
      return TRUE;
  return number->how == PD_SCALE_BY_RULE && pd_rule_uses_level (&number->rule);
}

/* @turns, @levels: k, or l, is not always the same */
static gboolean
is_steady_number (const PdScaleNumber *number, gboolean turns, gboolean levels, guint64 times,
                  const PdColumnPlace *at)
{
  if (number->near == PD_SCALE_DRAWN)
    return pd_column_is_constant (&number->literal);
  if (number->how == PD_SCALE_LITERALLY)
    return pd_column_count_equal (&number->literal, at, NULL) >= times;
  if (levels && uses_level (number))
    return FALSE;
  return !turns || number->how == PD_SCALE_BY_LIST || number->how == PD_SCALE_BY_AVERAGE
         || are_steady (number);
}

/* How often a node is repeated; -1 if that is not known. */
static gint64
get_count (const Around *self, const PdScaleNode *node)
{
  const PdScaleNumber *number = &node->counts;
  gint64 value = -1;

  if (number->how == PD_SCALE_LITERALLY)
    pd_column_count_equal (&number->literal, &self->states[node->id].counts, &value);
  else if (number->how == PD_SCALE_BY_RULE && !number->has_period)
    value = pd_rule_get (&number->rule, &self->place);
  return value <= G_MAXINT32 ? value : -1;
}

/* ---- nodes */

static gboolean
is_steady_element (const Around *self, const PdScaleNode *node)
{
  const PdScaleState *state = &self->states[node->id];

  for (gint c = 0; c < PD_SCALE_AMOUNT; c++)
    if (!is_steady_number (&node->numbers[c], self->turns, self->levels, self->times,
                           &state->numbers[c]))
      return FALSE;
  if (!node->has_amount || pd_scale_is_sampled (self->words, node))
    return TRUE;
  return node->amounts.n > 0
             ? pd_column_count_equal (&node->amounts, &state->numbers[PD_SCALE_AMOUNT], NULL)
                   >= self->times
             : node->scatter == NULL && node->times->len == 1;
}

/* The loops around the children of @node, or around its element, when it is repeated @n times. */
static Around
inside (const Around *self, const PdScaleNode *node, gint64 n)
{
  Around inner = *self;

  inner.times = self->times * (guint64) n;
  if (node->once)
    return inner;
  inner.place.l = self->place.k;
  inner.place.k = 0;
  inner.place.m = n;
  inner.levels = self->turns;
  inner.turns = FALSE;
  return inner;
}

static gboolean is_steady_inside (const Around *self, const PdScaleNode *node);

static gboolean
is_steady_node (const Around *self, const PdScaleNode *node)
{
  const PdScaleState *state = &self->states[node->id];
  gboolean turns = self->turns || self->is_nested, levels = self->levels || self->is_nested;

  if (!is_steady_number (&node->counts, turns, levels, self->times, &state->counts))
    return FALSE;
  gint64 n = get_count (self, node);
  if (n < 0 || self->times > MOST_TIMES / (guint64) MAX (n, 1))
    return FALSE;
  Around inner = inside (self, node, n);
  inner.is_nested = TRUE;
  return n == 0 || is_steady_inside (&inner, node);
}

/* Of a node with children all of them, else the element. */
static gboolean
is_steady_inside (const Around *self, const PdScaleNode *node)
{
  if (node->children == NULL)
    return is_steady_element (self, node);
  for (guint i = 0; i < node->children->len; i++)
    if (!is_steady_node (self, g_ptr_array_index (node->children, i)))
      return FALSE;
  return TRUE;
}

static Around
begin (const PdScaleRepeat *self, const PdRulePlace *where, guint64 times)
{
  const PdScaleNode *node = self->node;
  Around around = { .words = self->words, .states = self->states, .place = *where, .times = times };

  PdScaleTurn turn = pd_scale_turn_in (node, self->turn, 0, self->n);
  around.place.k = turn.k;
  around.place.m = turn.m;
  around.place.l = turn.l;
  around.turns = !node->once;
  return around;
}

gboolean
pd_scale_repeat_is_steady (const PdScaleRepeat *self, const PdRulePlace *where)
{
  Around around = begin (self, where, (guint64) self->n);

  return is_steady_inside (&around, self->node);
}

/* ---- going on */

static void skip_inside (const Around *self, const PdScaleNode *node, PdScaleState *states);

static void
skip_number (const PdScaleNumber *number, PdColumnPlace *at, guint64 times)
{
  if (number->how == PD_SCALE_LITERALLY)
    pd_column_skip (&number->literal, at, times);
}

static void
skip_element (const Around *self, const PdScaleNode *node, PdScaleState *state)
{
  for (gint c = 0; c < PD_SCALE_AMOUNT; c++)
    skip_number (&node->numbers[c], &state->numbers[c], self->times);
  if (node->has_amount && !pd_scale_is_sampled (self->words, node) && node->amounts.n > 0)
    pd_column_skip (&node->amounts, &state->numbers[PD_SCALE_AMOUNT], self->times);
  state->n += node->has_amount ? self->times : 0;
}

static void
skip_node (const Around *self, const PdScaleNode *node, PdScaleState *states)
{
  gint64 n = get_count (self, node);

  skip_number (&node->counts, &states[node->id].counts, self->times);
  if (n <= 0)
    return;
  Around inner = inside (self, node, n);
  skip_inside (&inner, node, states);
}

static void
skip_inside (const Around *self, const PdScaleNode *node, PdScaleState *states)
{
  if (node->children == NULL)
    skip_element (self, node, &states[node->id]);
  for (guint i = 0; node->children != NULL && i < node->children->len; i++)
    skip_node (self, g_ptr_array_index (node->children, i), states);
}

void
pd_scale_repeat_skip (const PdScaleRepeat *self, const PdRulePlace *where, PdScaleState *states)
{
  Around around = begin (self, where, (guint64) self->n - 1);

  skip_inside (&around, self->node, states);
}
