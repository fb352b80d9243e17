/* A list of points as a CSV file.
 * SPDX-License-Identifier: MIT */
#include "sweep/pd-study-private.h"

#include <stdio.h>
#include <string.h>

#define MAX_SIZE (1024 * 1024 * 1024)

/* What spreadsheets begin their files with. */
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* A quoted field, which may have separators, and quotes as two; NULL if it does not end, or
 * something follows it. */
static char *
take_quoted (const char **at)
{
  g_autoptr (GString) field = g_string_new (NULL);
  const char *p = *at + 1;

  for (; *p != '\0' && (*p != '"' || p[1] == '"'); p++)
    {
      if (*p == '"')
        p++;
      g_string_append_c (field, *p);
    }
  if (*p == '\0')
    return NULL;
  p++;
  p += strspn (p, " \t");
  *at = p;
  return *p == '\0' || strchr (",\r\n", *p) != NULL ? g_strdup (field->str) : NULL;
}

static char *
take_field (const char **at)
{
  const char *p = *at + strspn (*at, " \t");

  *at = p;
  if (*p == '"')
    return take_quoted (at);
  *at += strcspn (p, ",\r\n");
  return g_strchomp (g_strndup (p, (gsize) (*at - p)));
}

/* The fields of a line, and a last NULL; @at is then behind its end. NULL if one is wrong. */
static GPtrArray *
take_line (const char **at)
{
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func (g_free);

  for (;;)
    {
      char *field = take_field (at);
      if (field == NULL)
        return NULL;
      g_ptr_array_add (fields, field);
      if (**at != ',')
        break;
      (*at)++;
    }
  if (**at == '\r')
    (*at)++;
  if (**at == '\n')
    (*at)++;
  g_ptr_array_add (fields, NULL);
  return g_steal_pointer (&fields);
}

static gboolean
is_blank (const GPtrArray *fields)
{
  return fields->len == 2 && *(const char *) g_ptr_array_index (fields, 0) == '\0';
}

/* The first line has the names. */
static gboolean
take_fields (PdStudy *self, const GPtrArray *fields, gboolean headed, GError **error)
{
  const char *const *values = (const char *const *) fields->pdata;

  if (headed)
    return pd_study_add_point (self, values, fields->len - 1, error);
  for (guint i = 0; i + 1 < fields->len; i++)
    if (!pd_study_add_axis_values (self, values[i], NULL, 0, error))
      return FALSE;
  return TRUE;
}

gboolean
pd_study_read_list (PdStudy *self, const char *text, const char *name, GError **error)
{
  gboolean headed = FALSE;
  guint64 line = 1;

  if (self->axes->len > 0 || self->kind != PD_POINTS_PRODUCT)
    {
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES,
                   "points are given twice: a list besides axes or a sample");
      return FALSE;
    }

  if (g_str_has_prefix (text, BYTE_ORDER_MARK))
    text += strlen (BYTE_ORDER_MARK);
  for (const char *at = text; *at != '\0'; line++)
    {
      g_autoptr (GPtrArray) fields = take_line (&at);
      if (fields == NULL)
        {
          g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_FORMAT,
                       "%s:%" G_GUINT64_FORMAT ": a field in quotes that does not end with a quote",
                       name, line);
          return FALSE;
        }
      if (is_blank (fields))
        continue;
      if (!take_fields (self, fields, headed, error))
        {
          g_prefix_error (error, "%s:%" G_GUINT64_FORMAT ": ", name, line);
          return FALSE;
        }
      headed = TRUE;
    }
  if (self->kind == PD_POINTS_LIST)
    return TRUE;
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_FORMAT,
               "%s: no points: expected names of parameters, then a line for each point", name);
  return FALSE;
}

static gboolean
read_stdin (char **text, gsize *size, GError **error)
{
  GString *all = g_string_new (NULL);
  char block[4096];
  gsize n;

  while (all->len <= MAX_SIZE && (n = fread (block, 1, sizeof block, stdin)) > 0)
    g_string_append_len (all, block, (gssize) n);
  *size = all->len;
  *text = g_string_free (all, FALSE);
  if (*size <= MAX_SIZE && !ferror (stdin))
    return TRUE;
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_OPEN, "standard input: %s",
               *size > MAX_SIZE ? "a list of more than 1 GiB" : "cannot be read");
  return FALSE;
}

gboolean
pd_study_add_list (PdStudy *self, const char *path, GError **error)
{
  gboolean is_stdin = strcmp (path, "-") == 0;
  const char *name = is_stdin ? "standard input" : path;
  g_autoptr (GError) local = NULL;
  g_autofree char *text = NULL;
  gsize size = 0;

  if (is_stdin ? !read_stdin (&text, &size, &local)
               : !g_file_get_contents (path, &text, &size, &local))
    {
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_OPEN, "%s", local->message);
      return FALSE;
    }
  /* what is behind a 0 would be lost */
  if (strlen (text) == size)
    return pd_study_read_list (self, text, name, error);
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_FORMAT,
               "%s: not a text: byte %" G_GSIZE_FORMAT " is 0", name, strlen (text));
  return FALSE;
}
