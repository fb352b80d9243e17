/* Studies from arbitrary bytes: as XML, as a list of points, and as the values of an
 * axis.
 * SPDX-License-Identifier: MIT */
#include "sweep/study/pd-study.h"
#include "sweep/study/pd-study-list.h"
#include "sweep/study/pd-study-xml.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* What comes back from its text is the same study. */
static void
use_study (PdStudy *study)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (PdStudy) again = pd_study_new (NULL);
  g_autoptr (GError) error = NULL;

  if (!pd_study_complete (study, 1000, &error))
    {
      g_assert_nonnull (error);
      return;
    }
  pd_study_write (study, text);
  g_autoptr (GBytes) bytes = g_bytes_new_static (text->str, text->len);
  g_assert_true (pd_study_read (again, bytes, "again", &error));
  g_assert_true (pd_study_complete (again, 1000, &error));
  g_assert_true (pd_study_compare (again, study, &error));
  for (gint64 p = 0; p < pd_study_get_n_points (study); p++)
    {
      g_autofree char *a = pd_study_describe_point (study, p);
      g_autofree char *b = pd_study_describe_point (again, p);
      g_assert_cmpstr (a, ==, b);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autoptr (PdStudy) file = pd_study_new (NULL), list = pd_study_new (NULL);
  g_autoptr (PdStudy) axis = pd_study_new (NULL);
  g_autoptr (GError) error = NULL;

  if (pd_study_read (file, bytes, "fuzz", &error))
    use_study (file);
  if (pd_study_read_list (list, text, "fuzz", NULL))
    use_study (list);
  /* long ranges are the caller's wish */
  if (size < 40 && pd_study_add_axis (axis, "x", text, NULL))
    use_study (axis);
  return 0;
}
