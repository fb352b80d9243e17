/* SPDX-License-Identifier: MIT */
#include "base/options/pd-option-words.h"

#include "base/pd-error.h"
#include "base/pd-number.h"

#include <string.h>

#define fail(error, ...) pd_fail (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, __VA_ARGS__)

typedef struct
{
  const GOptionEntry *const *tables;
  char **from; /* the next word */
  char **end;
  GPtrArray *words; /* (element-type utf8), borrowed or interned: what GOption gets */
  gboolean is_help; /* it is asked for */
} Words;

/* @name: (nullable): of @length bytes; or @letter */
static const GOptionEntry *
find (const Words *self, const char *name, gsize length, char letter)
{
  for (const GOptionEntry *const *table = self->tables; *table != NULL; table++)
    for (const GOptionEntry *e = *table; e->long_name != NULL; e++)
      if (name == NULL ? e->short_name == letter
                       : length > 0 && strncmp (e->long_name, name, length) == 0
                             && e->long_name[length] == '\0')
        return e;
  return NULL;
}

static gboolean
takes_value (const GOptionEntry *entry)
{
  return entry->arg != G_OPTION_ARG_NONE
         && (entry->arg != G_OPTION_ARG_CALLBACK || (entry->flags & G_OPTION_FLAG_NO_ARG) == 0);
}

static gboolean
check_value (const GOptionEntry *entry, const char *value, GError **error)
{
  const char *digits = value + (*value == '-' || *value == '+');
  gdouble number;

  switch (entry->arg)
    {
    case G_OPTION_ARG_INT:
    case G_OPTION_ARG_INT64:
      return (*digits != '\0' && digits[strspn (digits, "0123456789")] == '\0'
              && (digits[0] != '0' || digits[1] == '\0'))
             || fail (error, "--%s: '%s', expected a whole number", entry->long_name, value);
    case G_OPTION_ARG_DOUBLE:
      return pd_number_parse_real (value, &number)
             || fail (error, "--%s: '%s', expected a number", entry->long_name, value);
    case G_OPTION_ARG_STRING:
    case G_OPTION_ARG_STRING_ARRAY:
      return g_utf8_validate (value, -1, NULL)
             || fail (error, "--%s: '%s', expected UTF-8", entry->long_name, value);
    default:
      return TRUE;
    }
}

static void
add (Words *self, const char *word)
{
  g_ptr_array_add (self->words, (gpointer) word);
}

/* The next word. If there is none, GOption says so. */
static gboolean
add_value (Words *self, const GOptionEntry *entry, GError **error)
{
  if (self->from == self->end)
    return TRUE;
  add (self, *self->from);
  return check_value (entry, *self->from++, error);
}

static gboolean
add_long (Words *self, const char *word, GError **error)
{
  const char *equals = strchr (word, '=');
  gsize length = equals != NULL ? (gsize) (equals - word) - 2 : strlen (word) - 2;
  const GOptionEntry *entry = find (self, word + 2, length, 0);

  self->is_help |= g_str_equal (word, "--help");
  add (self, word);
  if (entry == NULL)
    return TRUE;
  if (!takes_value (entry))
    return equals == NULL
           || fail (error, "--%s takes no value, got '%s'", entry->long_name, equals + 1);
  return equals != NULL ? check_value (entry, equals + 1, error) : add_value (self, entry, error);
}

/* "-qn4": options of one letter, of which the last may have a value. */
static gboolean
add_letters (Words *self, const char *word, GError **error)
{
  const GOptionEntry *entry = NULL;
  const char *p = word;

  do
    entry = *++p != '\0' ? find (self, NULL, 0, *p) : NULL;
  while (entry != NULL && !takes_value (entry));
  self->is_help |= entry == NULL && *p == 'h';
  if (entry == NULL || p[1] == '\0')
    {
      add (self, word);
      return entry == NULL || add_value (self, entry, error);
    }
  g_autofree char *letters = g_strndup (word, (gsize) (p + 1 - word));
  add (self, g_intern_string (letters));
  add (self, p + 1);
  return check_value (entry, p + 1, error);
}

/* Everything up to "--". */
static gboolean
add_all (Words *self, GError **error)
{
  while (self->from < self->end && strcmp (*self->from, "--") != 0)
    {
      const char *word = *self->from++;
      gboolean ok = TRUE;
      if (g_str_has_prefix (word, "--"))
        ok = add_long (self, word, error);
      else if (word[0] == '-')
        ok = add_letters (self, word, error);
      else
        add (self, word);
      if (!ok)
        return FALSE;
    }
  return TRUE;
}

int
pd_option_words_count (const GOptionEntry *entries, int argc, char **argv)
{
  const GOptionEntry *const tables[] = { entries, NULL };
  g_autoptr (GPtrArray) unused = g_ptr_array_new ();
  Words self = { tables, argv + 1, argv + argc, unused, FALSE };

  while (self.from < self.end && (*self.from)[0] == '-' && strcmp (*self.from, "--") != 0)
    {
      const char *word = *self.from++;
      if (g_str_has_prefix (word, "--"))
        add_long (&self, word, NULL);
      else
        add_letters (&self, word, NULL);
    }
  return (int) (self.from - argv);
}

static PdOptionHelpFunc show_help;

void
pd_option_words_set_help (PdOptionHelpFunc show)
{
  show_help = show;
}

gboolean
pd_option_words_parse (GOptionContext *context, const GOptionEntry *const *tables, int *argc,
                       char ***argv, GError **error)
{
  return pd_option_words_parse_grouped (context, tables, NULL, argc, argv, error);
}

gboolean
pd_option_words_parse_grouped (GOptionContext *context, const GOptionEntry *const *tables,
                               const PdOptionGroup *groups, int *argc, char ***argv, GError **error)
{
  static GPtrArray *kept; /* reachable for tools that look for lost memory */
  Words self = { tables, *argv + 1, *argv + *argc, g_ptr_array_new (), FALSE };

  if (kept == NULL)
    kept = g_ptr_array_new ();
  g_ptr_array_add (kept, self.words);
  for (guint i = 0; tables[i] != NULL; i++)
    g_option_context_add_main_entries (context, tables[i], NULL);
  add (&self, **argv);
  if (!add_all (&self, error))
    return FALSE;
  if (self.is_help && show_help != NULL)
    {
      g_autofree char *text = pd_option_help_format (context, tables, groups);
      show_help (text);
    }
  gsize n_behind = 0; /* words behind "--" */
  if (self.from < self.end)
    n_behind = (gsize) (self.end - self.from) - 1;
  for (; self.from < self.end; self.from++)
    add (&self, *self.from);
  *argc = (int) self.words->len;
  add (&self, NULL);
  *argv = (char **) self.words->pdata;
  if (!g_option_context_parse (context, argc, argv, error))
    return FALSE;
  /* GOption leaves "--" in front of words that begin with "-" */
  gsize at = (gsize) *argc - MIN ((gsize) *argc, n_behind + 1);
  if (at > 0 && n_behind > 0 && strcmp ((*argv)[at], "--") == 0)
    {
      memmove (*argv + at, *argv + at + 1, ((gsize) *argc - at) * sizeof **argv);
      --*argc;
    }
  return TRUE;
}
