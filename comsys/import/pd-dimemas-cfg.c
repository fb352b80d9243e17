/* SPDX-License-Identifier: MIT */
#include "comsys/import/pd-dimemas-cfg-private.h"

#include <string.h>

void
pd_cfg_record_clear (PdCfgRecord *self)
{
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->fields, g_ptr_array_unref);
}

static void
skip_line (PdCfgFile *self)
{
  while (*self->p != '\0' && *self->p != '\n')
    self->p++;
}

static void
skip_comment (PdCfgFile *self)
{
  const char *end = strstr (self->p, "*/");

  for (; *self->p != '\0' && self->p != end; self->p++)
    self->line += *self->p == '\n';
  self->p += end != NULL ? 2 : 0;
}

/* Blanks, comments, and the marks of the form itself. */
static void
skip_blanks (PdCfgFile *self)
{
  for (;; self->p++)
    {
      while (g_ascii_isspace (*self->p) || *self->p == ';')
        self->line += *self->p++ == '\n';
      if (*self->p == '#' || g_str_has_prefix (self->p, "//") || g_str_has_prefix (self->p, "SDDF"))
        skip_line (self);
      else if (g_str_has_prefix (self->p, "/*"))
        skip_comment (self);
      else
        return;
      if (*self->p == '\0')
        return;
      self->line += *self->p == '\n';
    }
}

static gboolean
fail_expected (const PdCfgFile *self, const char *what)
{
  gsize n = strcspn (self->p, "\r\n");
  g_autofree char *found = g_utf8_make_valid (self->p, (gssize) MIN (n, 30));

  return pd_cfg_fail (self, self->line, PD_MACHINE_ERROR_FORMAT, "expected %s, found '%s'", what,
                      found);
}

/* A text in quotes; NULL if it does not end on its line. */
static char *
read_quoted (PdCfgFile *self)
{
  gsize n = strcspn (self->p + 1, "\"\n");
  const char *start = self->p + 1;

  if (start[n] != '"')
    return NULL;
  self->p = start + n + 1;
  return g_strndup (start, n);
}

/* A field, and whether one more follows: up to the comma or the brace. */
static gboolean
read_field (PdCfgFile *self, GPtrArray *fields)
{
  skip_blanks (self);
  if (*self->p == '"')
    {
      char *text = read_quoted (self);
      if (text == NULL)
        return fail_expected (self, "a text that ends with a quotation mark");
      g_ptr_array_add (fields, text);
    }
  else
    {
      gsize n = strcspn (self->p, ",}{;\"\n");
      if (n == 0)
        return fail_expected (self, "a number or a text in quotation marks");
      g_ptr_array_add (fields, g_strstrip (g_strndup (self->p, n)));
      self->p += n;
    }
  skip_blanks (self);
  return TRUE;
}

/* The fields of a list, which ends here. */
static gboolean
read_list (PdCfgFile *self, GPtrArray *fields)
{
  do
    {
      self->p++;
      skip_blanks (self);
      if (*self->p == '}')
        break;
      if (!read_field (self, fields))
        return FALSE;
    }
  while (*self->p == ',');
  if (*self->p != '}')
    return fail_expected (self, "',' or '}'");
  self->p++;
  skip_blanks (self);
  return TRUE;
}

static gboolean
read_fields (PdCfgFile *self, GPtrArray *fields)
{
  do
    {
      self->p++;
      if (!read_field (self, fields))
        return FALSE;
      const char *last = g_ptr_array_index (fields, fields->len - 1);
      if (*self->p == '{' && *last == '[' && !read_list (self, fields))
        return FALSE;
    }
  while (*self->p == ',');
  if (*self->p != '}')
    return fail_expected (self, "',' or '}'");
  self->p++;
  return TRUE;
}

/* Whether what follows is a declaration of fields: "int "name";". */
static gboolean
is_description (const PdCfgFile *self)
{
  PdCfgFile ahead = *self;

  ahead.p++;
  skip_blanks (&ahead);
  return g_str_has_prefix (ahead.p, "int") || g_str_has_prefix (ahead.p, "double")
         || g_str_has_prefix (ahead.p, "char") || g_str_has_prefix (ahead.p, "long");
}

static void
skip_description (PdCfgFile *self)
{
  for (; *self->p != '\0' && *self->p != '}'; self->p++)
    self->line += *self->p == '\n';
  self->p += *self->p == '}';
}

gboolean
pd_cfg_next (PdCfgFile *self, PdCfgRecord *record, gboolean *at_end)
{
  *record = (PdCfgRecord){ .fields = g_ptr_array_new_with_free_func (g_free) };
  for (;;)
    {
      skip_blanks (self);
      *at_end = *self->p == '\0';
      if (*at_end)
        return TRUE;
      g_clear_pointer (&record->name, g_free);
      record->line = self->line;
      record->name = *self->p == '"' ? read_quoted (self) : NULL;
      if (record->name == NULL)
        return fail_expected (self, "the name of a record in quotation marks");
      skip_blanks (self);
      if (*self->p != '{')
        return fail_expected (self, "'{'");
      if (!is_description (self))
        return read_fields (self, record->fields);
      skip_description (self);
    }
}
