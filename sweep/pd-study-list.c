/* A list of points as a CSV file.
 * SPDX-License-Identifier: MIT */
#include "sweep/pd-study-private.h"

#include <stdio.h>
#include <string.h>

#define MAX_SIZE (1024 * 1024 * 1024)

/* One field, which ends at @end; quoted ones may have separators, and quotes as two. */
static char *
take_field (const char **at)
{
  GString *field = g_string_new (NULL);
  const char *p = *at;

  p += strspn (p, " \t");
  if (*p != '"')
    {
      gsize n = strcspn (p, ",\r\n");
      g_string_append_len (field, p, (gssize) n);
      *at = p + n;
      return g_strchomp (g_string_free (field, FALSE));
    }
  for (p++; *p != '\0' && (*p != '"' || p[1] == '"'); p++)
    {
      if (*p == '"')
        p++;
      g_string_append_c (field, *p);
    }
  if (*p == '"')
    p++;
  *at = p + strcspn (p, ",\r\n");
  return g_string_free (field, FALSE);
}

/* The fields of a line, and a last NULL; @at is then behind its end. */
static GPtrArray *
take_line (const char **at)
{
  GPtrArray *fields = g_ptr_array_new_with_free_func (g_free);

  for (;;)
    {
      g_ptr_array_add (fields, take_field (at));
      if (**at != ',')
        break;
      (*at)++;
    }
  if (**at == '\r')
    (*at)++;
  if (**at == '\n')
    (*at)++;
  g_ptr_array_add (fields, NULL);
  return fields;
}

static gboolean
is_blank (const GPtrArray *fields)
{
  return fields->len == 2 && *(const char *) g_ptr_array_index (fields, 0) == '\0';
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

  for (const char *at = text; *at != '\0'; line++)
    {
      g_autoptr (GPtrArray) fields = take_line (&at);
      const char *const *values = (const char *const *) fields->pdata;
      gboolean ok = TRUE;
      if (is_blank (fields))
        continue;
      if (headed)
        ok = pd_study_add_point (self, values, fields->len - 1, error);
      for (guint i = 0; ok && !headed && i + 1 < fields->len; i++)
        ok = pd_study_add_axis_values (self, values[i], NULL, 0, error);
      headed = TRUE;
      if (ok)
        continue;
      g_prefix_error (error, "%s:%" G_GUINT64_FORMAT ": ", name, line);
      return FALSE;
    }
  if (self->kind == PD_POINTS_LIST)
    return TRUE;
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_FORMAT,
               "%s: no points: expected names of parameters, then a line for each point", name);
  return FALSE;
}

static char *
read_stdin (void)
{
  GString *all = g_string_new (NULL);
  char block[4096];
  gsize n;

  while ((n = fread (block, 1, sizeof block, stdin)) > 0 && all->len < MAX_SIZE)
    g_string_append_len (all, block, (gssize) n);
  return g_string_free (all, FALSE);
}

gboolean
pd_study_add_list (PdStudy *self, const char *path, GError **error)
{
  gboolean is_stdin = strcmp (path, "-") == 0;
  g_autoptr (GError) local = NULL;
  g_autofree char *text = NULL;
  gsize size = 0;

  if (is_stdin)
    text = read_stdin ();
  else if (!g_file_get_contents (path, &text, &size, &local))
    {
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_OPEN, "%s", local->message);
      return FALSE;
    }
  return pd_study_read_list (self, text, is_stdin ? "standard input" : path, error);
}
