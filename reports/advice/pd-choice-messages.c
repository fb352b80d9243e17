/* SPDX-License-Identifier: MIT */
#include "reports/advice/pd-choice-messages-private.h"
#include "base/pd-text.h"
#include "reports/run/pd-report-text.h"

#include <string.h>

typedef struct
{
  const PdChoice *choice;
  gboolean verbose;
  GPtrArray *lines;  /* (element-type GStrv): the messages of each option */
  GHashTable *kinds; /* identifiers that are shown; NULL: all messages are */
  guint left_out;
  GString *out;
} Writer;

static void
add_lines (Writer *self)
{
  for (guint i = 0; i < self->choice->options->len; i++)
    {
      const PdChoiceOption *option = g_ptr_array_index (self->choice->options, i);
      g_autoptr (GString) text = g_string_new (NULL);
      pd_report_write_messages (option->report, self->verbose, text);
      g_ptr_array_add (self->lines, g_strsplit (g_strstrip (text->str), "\n", -1));
    }
}

static gboolean
is_of_all (const Writer *self, const char *line)
{
  for (guint i = 0; i < self->lines->len; i++)
    if (!g_strv_contains (g_ptr_array_index (self->lines, i), line))
      return FALSE;
  return TRUE;
}

/* Whether the kind of message, "[identifier]" at the end of its text, has not been shown yet. */
static gboolean
is_new (Writer *self, const char *line)
{
  const char *id = g_strrstr (line, " [");
  const char *end = id != NULL ? strchr (id, ']') : NULL;

  if (self->kinds == NULL || end == NULL)
    return TRUE;
  return g_hash_table_add (self->kinds, g_strndup (id, (gsize) (end - id)));
}

/* Those of one option alone, below its name. */
static void
write_own (Writer *self, guint i)
{
  const PdChoiceOption *option = g_ptr_array_index (self->choice->options, i);
  const char *const *lines = g_ptr_array_index (self->lines, i);
  g_autofree char *machine = pd_text_show (option->machine);
  gboolean begun = FALSE;

  for (guint k = 0; lines[k] != NULL; k++)
    {
      if (is_of_all (self, lines[k]))
        continue;
      if (!is_new (self, lines[k]))
        {
          self->left_out++;
          continue;
        }
      if (!begun)
        g_string_append_printf (self->out, "\n%s%s%s:\n", machine,
                                option->shape[0] != '\0' ? " " : "", option->shape);
      g_string_append_printf (self->out, "%s\n", lines[k]);
      begun = TRUE;
    }
}

static void
write_common (Writer *self)
{
  const char *const *lines = g_ptr_array_index (self->lines, 0);
  const char *separator = "\n";

  for (guint k = 0; lines[k] != NULL; k++)
    if (lines[k][0] != '\0' && is_of_all (self, lines[k]))
      {
        g_string_append_printf (self->out, "%s%s\n", separator, lines[k]);
        separator = "";
      }
}

void
pd_choice_write_messages (const PdChoice *self, gboolean verbose, GString *out)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  g_autoptr (GHashTable) kinds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Writer writer = {
    .choice = self, .verbose = verbose, .lines = lines, .kinds = verbose ? NULL : kinds, .out = out
  };

  add_lines (&writer);
  for (guint i = 0; i < lines->len; i++)
    write_own (&writer, i);
  if (writer.left_out > 0)
    g_string_append_printf (out, "%u more of these kinds, of other machines and shapes, with -v\n",
                            writer.left_out);
  write_common (&writer);
}
