/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-model-private.h"

#include "traces/program/pd-action.h"

#include <string.h>

static void
describe_number (const char *name, const PdScaleNumber *number, GString *text)
{
  g_autofree char *rule = NULL;

  if (number->how == PD_SCALE_LITERALLY)
    {
      g_string_append_printf (text, " %s=as recorded", name);
      return;
    }
  for (guint i = 0; number->how == PD_SCALE_BY_TURN && i < number->turns->len; i++)
    {
      g_autofree char *turn = pd_rule_describe (&g_array_index (number->turns, PdRule, i));
      g_string_append_printf (text, "%s%s%s", i == 0 ? " " : ", ", i == 0 ? name : "",
                              i == 0 ? "=" : "");
      g_string_append (text, turn);
    }
  if (number->how == PD_SCALE_BY_TURN)
    return;
  rule = pd_rule_describe (number->how == PD_SCALE_BY_LIST ? &number->entries : &number->rule);
  g_string_append_printf (text, " %s=%s", name, rule);
}

static gboolean
is_of_interest (const PdScaleModel *self, const PdScaleNode *node, gint column)
{
  const PdScaleNumber *number = &node->numbers[column];
  gint64 defaults[PD_SCALE_N_COLUMNS];
  PdRule unused;

  if (number->how != PD_SCALE_BY_RULE)
    return number->how != PD_SCALE_BY_LIST || number->has_list;
  pd_scale_get_defaults (pd_scale_words_get_shape (self->words, node->shape)->kind, defaults);
  pd_rule_set_constant (&unused, number->rule.purpose, defaults[column]);
  return memcmp (&unused, &number->rule, sizeof unused) != 0;
}

static void
describe_times (const PdScaleModel *self, const PdScaleNode *node, GString *text)
{
  const PdScaleTimes *t = &node->times;
  gdouble unit = self->unit == PD_AMOUNT_TIME ? 1e-6 : 1;

  if (!node->has_amount)
    return;
  g_string_append_printf (text, " %.4g", t->c0 * unit);
  if (t->c1 > 0 || t->c1 < 0)
    {
      g_string_append_printf (text, " %+.4g", t->c1 * unit);
      if (t->power > 0 || t->power < 0)
        g_string_append_printf (text, " P^%.3g", t->power);
      if (t->logs > 0)
        g_string_append_printf (text, " log2(P)^%u", t->logs);
    }
  g_string_append_printf (text, " %s (error %.1f %%)",
                          self->unit == PD_AMOUNT_TIME ? "us" : "operations", 100 * t->error);
}

static void
describe_element (const PdScaleModel *self, const PdScaleNode *node, GString *text)
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
  const PdScaleShape *shape = pd_scale_words_get_shape (self->words, node->shape);
  PdAction action;

  pd_action_init (&action, shape->kind);
  action.op = shape->op;
  g_string_append (text, pd_action_name (&action));
  for (gsize i = 0; i < G_N_ELEMENTS (shown); i++)
    if (is_of_interest (self, node, shown[i].column))
      describe_number (shown[i].name, &node->numbers[shown[i].column], text);
  describe_times (self, node, text);
}

static void
describe_nodes (const PdScaleModel *self, const GPtrArray *nodes, int depth, GString *text)
{
  for (guint i = 0; i < nodes->len; i++)
    {
      const PdScaleNode *node = g_ptr_array_index (nodes, i);
      g_string_append_printf (text, "%*s", depth, "");
      if (!node->once)
        {
          g_autoptr (GString) times = g_string_new (NULL);
          describe_number ("times", &node->counts, times);
          g_string_append_printf (text, "[%s] ", times->str + strlen (" times="));
        }
      if (node->children == NULL)
        describe_element (self, node, text);
      else
        g_string_append (text, "loop");
      g_string_append_c (text, '\n');
      if (node->children != NULL)
        describe_nodes (self, node->children, depth + 2, text);
    }
}

void
pd_scale_model_describe (const PdScaleModel *self, GString *text)
{
  g_string_append_printf (text, "Ranks are arranged in %s, and differ by %s.\n",
                          pd_scale_grid_name (self->grid), pd_scale_class_name (self->classes));
  for (guint i = 0; i < self->members->len; i++)
    {
      const PdScaleClass *class = g_ptr_array_index (self->members, i);
      g_string_append_printf (text, "\nClass %u, %u recorded ranks:\n", i + 1, class->n_ranks);
      describe_nodes (self, class->nodes, 2, text);
    }
}
