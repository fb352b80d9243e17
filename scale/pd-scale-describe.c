/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-calls.h"
#include "scale/pd-scale-numbers-private.h"
#include "scale/pd-scale-places.h"

#include "traces/program/pd-action.h"

#include <string.h>

static const char *const near_names[] = {
  [PD_SCALE_NEAREST] = "nearest",
  [PD_SCALE_DRAWN] = "drawn",
};

static const char *const how_names[] = {
  [PD_SCALE_BY_RULE] = "rule",       [PD_SCALE_BY_TURN] = "turns",      [PD_SCALE_BY_LIST] = "list",
  [PD_SCALE_LITERALLY] = "recorded", [PD_SCALE_BY_AVERAGE] = "average",
};

/* ---- places */

static void
describe_mean (const PdScaleTimes *t, gdouble unit, GString *text)
{
  g_string_append_printf (text, "%.4g", t->c0 * unit);
  if (t->c1 > 0 || t->c1 < 0)
    {
      g_string_append_printf (text, " %+.4g", t->c1 * unit);
      if (t->power > 0 || t->power < 0)
        g_string_append_printf (text, " P^%.3g", t->power);
      if (t->logs > 0)
        g_string_append_printf (text, " log2(P)^%u", t->logs);
    }
}

/* "about 4 +2.5 P^-1, 0.8 to 1.2 times" */
static char *
describe_drawn (const PdScaleNumber *number)
{
  g_autoptr (GString) text = g_string_new ("about ");
  gsize n = number->literal.runs.n;

  describe_mean (&number->mean, 1, text);
  if (n > 1)
    g_string_append_printf (
        text, ", %.4g to %.4g times",
        1e-6 * (gdouble) pd_vector_at (&number->literal.runs, PdColumnRun, 0).value,
        1e-6 * (gdouble) pd_vector_at (&number->literal.runs, PdColumnRun, n - 1).value);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
describe_number (const PdScaleNumber *number)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (number->near == PD_SCALE_DRAWN)
    return describe_drawn (number);
  if (number->how == PD_SCALE_LITERALLY)
    return g_strdup ("as recorded");
  if (number->how == PD_SCALE_BY_AVERAGE)
    return g_strdup ("average of the blocks");
  if (number->turns == NULL)
    return pd_rule_describe (number->how == PD_SCALE_BY_LIST ? &number->entries : &number->rule);
  for (guint i = 0; i < number->turns->len; i++)
    {
      g_autofree char *turn = pd_rule_describe (&g_array_index (number->turns, PdRule, i));
      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", turn);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
is_of_interest (const PdScaleModel *self, const PdScaleNode *node, gint column)
{
  const PdScaleNumber *number = &node->numbers[column];
  gint64 defaults[PD_SCALE_N_COLUMNS];
  PdRule unused;

  if (number->near != PD_SCALE_EXACT)
    return column != PD_SCALE_BYTES || number->near == PD_SCALE_DRAWN;
  if (number->how != PD_SCALE_BY_RULE)
    return number->how != PD_SCALE_BY_LIST || number->has_list;
  pd_scale_get_defaults (pd_scale_words_get_shape (self->words, node->shape)->kind, defaults);
  pd_rule_set_constant (&unused, number->rule.purpose, defaults[column]);
  return !pd_rule_equal (&unused, &number->rule);
}

static void
clear_rule (gpointer data)
{
  g_free (((PdScalePlaceRule *) data)->words);
}

static void
clear_place (gpointer data)
{
  PdScalePlace *place = data;

  g_free (place->times);
  g_free (place->site);
  g_array_unref (place->rules);
}

static void
add_rules (const PdScaleModel *self, const PdScaleNode *node, GArray *rules)
{
  static const struct
  {
    gint column;
    const char *name;
  } shown[] = {
    { PD_SCALE_PEER, "partner" },     { PD_SCALE_RECV_PEER, "source" },
    { PD_SCALE_BYTES, "bytes" },      { PD_SCALE_SEND_COUNTS, "to" },
    { PD_SCALE_RECV_COUNTS, "from" }, { PD_SCALE_SOURCES, "sources" },
    { PD_SCALE_TARGETS, "targets" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (shown); i++)
    {
      const PdScaleNumber *number = &node->numbers[shown[i].column];
      if (!is_of_interest (self, node, shown[i].column))
        continue;
      const char *how =
          number->near != PD_SCALE_EXACT ? near_names[number->near] : how_names[number->how];
      const PdScalePlaceRule rule = { shown[i].name, how, describe_number (number) };
      g_array_append_val (rules, rule);
    }
}

static char *
describe_site (const PdScaleModel *self, guint32 site)
{
  if (site == PD_PROGRAM_NONE)
    return g_strdup ("");
  const PdProgramSite *found = pd_scale_words_get_site (self->words, site);
  return *found->file != '\0' ? g_strdup_printf ("%s:%" G_GINT64_FORMAT, found->file, found->line)
                              : g_strdup ("");
}

static void
add_element (const PdScaleModel *self, const PdScaleNode *node, PdScalePlace *place)
{
  const PdScaleShape *shape = pd_scale_words_get_shape (self->words, node->shape);
  PdAction action;

  pd_action_init (&action, shape->kind);
  action.op = shape->op;
  place->call = pd_action_name (&action);
  place->site = describe_site (self, shape->site);
  place->has_time = node->has_amount;
  add_rules (self, node, place->rules);
  if (!node->has_amount)
    return;
  place->all = node->times;
  place->time = *pd_scale_node_get_times (node, 0);
  for (guint group = 0; self->time_sum > 0 && group < node->times->len; group++)
    place->share += pd_scale_node_get_times (node, group)->weight / self->time_sum;
}

static void
add_nodes (const PdScaleModel *self, const GPtrArray *nodes, PdScalePlace around, GArray *places)
{
  for (guint i = 0; i < nodes->len; i++)
    {
      const PdScaleNode *node = g_ptr_array_index (nodes, i);
      PdScalePlace place = around;
      place.rules = g_array_new (FALSE, FALSE, sizeof (PdScalePlaceRule));
      g_array_set_clear_func (place.rules, clear_rule);
      place.times = node->once ? NULL : describe_number (&node->counts);
      if (node->children == NULL)
        add_element (self, node, &place);
      else
        place.site = g_strdup ("");
      g_array_append_val (places, place);
      around.depth++;
      if (node->children != NULL)
        add_nodes (self, node->children, around, places);
      around.depth--;
    }
}

GArray *
pd_scale_model_list_places (const PdScaleModel *self)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (PdScalePlace));

  g_array_set_clear_func (places, clear_place);
  for (guint i = 0; i < self->members->len; i++)
    {
      const PdScaleClass *class = g_ptr_array_index (self->members, i);
      const PdScalePlace around = { .class = i + 1, .n_ranks = class->n_ranks };
      add_nodes (self, class->nodes, around, places);
    }
  return places;
}

/* ---- words */

char *
pd_scale_model_describe_time (const PdScaleModel *self, const PdScalePlace *place)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < place->all->len; i++)
    {
      if (i > 0)
        g_string_append (text, i + 1 == place->all->len ? ", then " : ", ");
      describe_mean (&g_array_index (place->all, PdScaleTimes, i),
                     self->unit == PD_AMOUNT_TIME ? 1e-6 : 1, text);
    }
  g_string_append (text, self->unit == PD_AMOUNT_TIME ? " us" : " operations");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
pd_scale_model_describe_approximation (const PdScaleModel *self, const PdScaleApproximation *one,
                                       const char **number, const char **how)
{
  g_autoptr (GString) text = g_string_new (NULL);

  *number = one->column == PD_SCALE_CALLS ? "the call itself" : pd_scale_column_name (one->column);
  *how = near_names[one->near];
  pd_scale_name_shape (self->words, one->shape, text);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

const char *
pd_scale_model_get_arrangement (const PdScaleModel *self, const char **classes)
{
  *classes = pd_scale_class_name (self->classes);
  return pd_scale_grid_name (self->grid);
}

PdAmountUnit
pd_scale_model_get_unit (const PdScaleModel *self)
{
  return self->unit;
}

static void
describe_place (const PdScaleModel *self, const PdScalePlace *place, GString *text)
{
  g_string_append_printf (text, "%*s", 2 + 2 * (int) place->depth, "");
  if (place->times != NULL)
    g_string_append_printf (text, "[%s] ", place->times);
  g_string_append (text, place->call != NULL ? place->call : "loop");
  for (guint i = 0; i < place->rules->len; i++)
    {
      const PdScalePlaceRule *rule = &g_array_index (place->rules, PdScalePlaceRule, i);
      g_string_append_printf (text, " %s=%s", rule->name, rule->words);
    }
  if (place->has_time)
    {
      g_autofree char *time = pd_scale_model_describe_time (self, place);
      g_string_append_printf (text, " %s (error %.1f %%)", time, 100 * place->time.error);
    }
  g_string_append_c (text, '\n');
}

void
pd_scale_model_describe (const PdScaleModel *self, GString *text)
{
  g_autoptr (GArray) places = pd_scale_model_list_places (self);
  guint class = 0;

  g_string_append_printf (text, "Ranks are arranged in %s, and differ by %s.\n",
                          pd_scale_grid_name (self->grid), pd_scale_class_name (self->classes));
  for (guint i = 0; i < places->len; i++)
    {
      const PdScalePlace *place = &g_array_index (places, PdScalePlace, i);
      if (place->class != class)
        g_string_append_printf (text, "\nClass %u, %u recorded ranks:\n", place->class,
                                place->n_ranks);
      class = place->class;
      describe_place (self, place, text);
    }
}
