/* A list of points as a CSV file.
 * SPDX-License-Identifier: MIT */
#include "base/pd-csv.h"
#include "base/pd-error.h"
#include "sweep/study/pd-study-private.h"
#include "sweep/study/pd-study-list.h"
#include "base/pd-file.h"

#include <string.h>

/* The byte order mark with which spreadsheets begin their files. */
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* The first line has the names. */
static gboolean
take_fields (PdStudy *self, const char *const *values, gboolean headed, GError **error)
{
  if (headed)
    return pd_study_add_point (self, values, g_strv_length ((char **) values), error);
  for (guint i = 0; values[i] != NULL; i++)
    if (!pd_study_add_axis_values (self, values[i], NULL, 0, error))
      return FALSE;
  return TRUE;
}

gboolean
pd_study_read_list (PdStudy *self, const char *text, const char *name, GError **error)
{
  gboolean headed = FALSE;
  g_autoptr (GError) local = NULL;

  if (self->axes->len > 0 || self->kind != PD_POINTS_PRODUCT)
    {
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES,
                   "points are given twice: a list besides axes or a sample");
      return FALSE;
    }

  if (g_str_has_prefix (text, BYTE_ORDER_MARK))
    text += strlen (BYTE_ORDER_MARK);
  g_autoptr (PdCsv) csv =
      pd_csv_new (text, strlen (text), name, TRUE, PD_STUDY_ERROR, PD_STUDY_ERROR_FORMAT);
  while (pd_csv_next_line (csv, &local))
    {
      if (!take_fields (self, (const char *const *) pd_csv_get_fields (csv), headed, error))
        {
          g_prefix_error (error, "%s:%u: ", name, pd_csv_get_line (csv));
          return FALSE;
        }
      headed = TRUE;
    }
  if (!pd_propagate (error, g_steal_pointer (&local)))
    return FALSE;
  if (self->kind == PD_POINTS_LIST)
    return TRUE;
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_FORMAT,
               "%s: no points: expected names of parameters, then a line for each point", name);
  return FALSE;
}

gboolean
pd_study_add_list (PdStudy *self, const char *path, GError **error)
{
  const char *name = strcmp (path, "-") == 0 ? "standard input" : path;
  g_autoptr (GError) local = NULL;
  g_autofree char *text = NULL;
  gsize size = 0;

  if (!pd_file_read (path, &text, &size, &local))
    {
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_OPEN, "%s", local->message);
      return FALSE;
    }
  /* text behind a 0 would be lost */
  if (strlen (text) == size)
    return pd_study_read_list (self, text, name, error);
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_FORMAT,
               "%s: not a text: byte %" G_GSIZE_FORMAT " is 0", name, strlen (text));
  return FALSE;
}
