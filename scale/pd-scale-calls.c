/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-calls.h"

#include "traces/program/pd-action.h"

void
pd_scale_name_shape (const PdScaleWords *words, guint32 number, GString *text)
{
  PdAction action;

  if (number == PD_FOLD_LOOP)
    {
      g_string_append (text, "a loop");
      return;
    }
  const PdScaleShape *shape = pd_scale_words_get_shape (words, number);
  pd_action_init (&action, shape->kind);
  action.op = shape->op;
  g_string_append (text, shape->called != PD_PROGRAM_NONE
                             ? pd_scale_words_get_string (words, shape->called)
                             : pd_action_name (&action));
  if (shape->site == PD_PROGRAM_NONE)
    return;
  const PdProgramSite *site = pd_scale_words_get_site (words, shape->site);
  if (*site->file != '\0')
    g_string_append_printf (text, " at %s:%" G_GINT64_FORMAT, site->file, site->line);
}

/* The calls in their order, and where loops end; no computation, which no line of a program has. */
static void
list_shapes (const PdScaleWords *words, const GPtrArray *nodes, GArray *shapes)
{
  for (guint i = 0; i < nodes->len; i++)
    {
      const PdFoldNode *node = g_ptr_array_index (nodes, i);
      if (node->children != NULL)
        list_shapes (words, node->children, shapes);
      if (node->children != NULL
          || pd_scale_words_get_shape (words, node->shape)->kind != PD_ACT_COMPUTE)
        g_array_append_val (shapes, node->shape);
    }
}

static void
name_call (const PdScaleWords *words, const GArray *shapes, guint i, GString *text)
{
  guint32 shape = i < shapes->len ? g_array_index (shapes, guint32, i) : PD_FOLD_LOOP;

  if (i >= shapes->len)
    g_string_append (text, "nothing");
  else if (shape == PD_FOLD_LOOP)
    g_string_append (text, "the end of a loop");
  else
    pd_scale_name_shape (words, shape, text);
}

char *
pd_scale_describe_difference (const PdScaleWords *words, const GPtrArray *a, const GPtrArray *b)
{
  g_autoptr (GArray) one = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) other = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GString) first = g_string_new (NULL), second = g_string_new (NULL);
  guint i = 0;

  list_shapes (words, a, one);
  list_shapes (words, b, other);
  while (i < one->len && i < other->len
         && g_array_index (one, guint32, i) == g_array_index (other, guint32, i))
    i++;
  name_call (words, one, i, first);
  name_call (words, other, i, second);
  return g_strdup_printf ("%s and %s%s", first->str, second->str,
                          g_string_equal (first, second)
                              ? ", on other communicators or with other callers (was --stack-depth "
                                "the same?)"
                              : "");
}
