/* SPDX-License-Identifier: MIT */
#include "base/options/pd-option-help.h"

#include "base/pd-text.h"

#include <string.h>

#define WIDTH 80
#define TEXT  28 /* the column where descriptions begin */

static const GOptionEntry help = { "help", 'h', 0, G_OPTION_ARG_NONE, NULL, "Show this and end",
                                   NULL };

/* "  -m, --machine=MACHINE     Machine: a file, a name from 'predictor machine list'" */
static void
append_option (GString *out, const GOptionEntry *option)
{
  g_autoptr (GString) name = g_string_new ("  ");

  if (option->short_name != 0)
    g_string_append_printf (name, "-%c, ", option->short_name);
  g_string_append_printf (name, "--%s", option->long_name);
  if (option->arg_description != NULL)
    g_string_append_printf (name, "=%s", option->arg_description);
  gsize length = (gsize) g_utf8_strlen (name->str, -1);
  gboolean is_long = length + 2 > TEXT;
  g_string_append_printf (name, "%s%*s", is_long ? "\n" : "", (int) (TEXT - (is_long ? 0 : length)),
                          "");
  pd_text_append_wrapped (out, name->str, TEXT, WIDTH - TEXT, option->description);
}

static gboolean
is_in (const PdOptionGroup *group, const char *name)
{
  g_auto (GStrv) names = g_strsplit (group->names, " ", -1);

  return g_strv_contains ((const char *const *) names, name);
}

static const PdOptionGroup *
find_group (const PdOptionGroup *groups, const char *name)
{
  for (; groups != NULL && groups->title != NULL; groups++)
    if (is_in (groups, name))
      return groups;
  return NULL;
}

/* Those of @group; NULL: those that are in none. */
static void
append_group (GString *out, const GOptionEntry *const *tables, const PdOptionGroup *groups,
              const PdOptionGroup *group)
{
  gsize before = out->len;

  g_string_append_printf (out, "%s:\n", group != NULL ? group->title : "Options");
  gsize empty = out->len;
  if (group == NULL)
    append_option (out, &help);
  for (; *tables != NULL; tables++)
    for (const GOptionEntry *e = *tables; e->long_name != NULL; e++)
      if ((e->flags & G_OPTION_FLAG_HIDDEN) == 0 && find_group (groups, e->long_name) == group)
        append_option (out, e);
  if (out->len == empty)
    g_string_truncate (out, before);
  else
    g_string_append_c (out, '\n');
}

/* Of several lines all but the last end as a shell wants it. */
static void
append_example (GString *out, const char *text)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  pd_text_append_wrapped (lines, "", 0, WIDTH - (guint) strlen (" \\"), text);
  g_string_truncate (lines, lines->len - 1);
  g_auto (GStrv) parts = g_strsplit (lines->str, "\n", -1);
  g_autofree char *joined = g_strjoinv (" \\\n    ", parts);
  g_string_append_printf (out, "%s\n", joined);
}

/* Whether @line goes on as a paragraph with @next. */
static gboolean
goes_on (const char *line, const char *next)
{
  return *line != '\0' && *line != ' ' && next != NULL && *next != '\0' && *next != ' '
         && !g_str_has_prefix (next, "Example:");
}

/* What GOption has in front of options: usage and summary, whose paragraphs are wrapped, too. */
static void
append_head (GString *out, GOptionContext *context)
{
  g_autofree char *text = g_option_context_get_help (context, TRUE, NULL);
  char *end = strstr (text, "\n\nHelp Options:");

  if (end != NULL)
    *end = '\0';
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      gsize indent = strspn (lines[i], " ");
      g_autoptr (GString) paragraph = g_string_new (lines[i] + indent);
      for (; goes_on (lines[i], lines[i + 1]); i++)
        g_string_append_printf (paragraph, " %s", lines[i + 1]);
      g_autofree char *first = g_strnfill (indent, ' ');
      if (g_str_has_prefix (paragraph->str, "Example:"))
        append_example (out, paragraph->str);
      else
        pd_text_append_wrapped (out, first, (guint) indent, WIDTH - indent, paragraph->str);
    }
  g_string_append_c (out, '\n');
}

char *
pd_option_help_format (GOptionContext *context, const GOptionEntry *const *tables,
                       const PdOptionGroup *groups)
{
  GString *out = g_string_new (NULL);

  append_head (out, context);
  append_group (out, tables, groups, NULL);
  for (const PdOptionGroup *group = groups; group != NULL && group->title != NULL; group++)
    append_group (out, tables, groups, group);
  g_string_truncate (out, out->len - 1);
  return g_string_free (out, FALSE);
}
