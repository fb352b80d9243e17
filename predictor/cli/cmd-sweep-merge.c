/* predictor sweep --merge: one database from those of parts.
 * SPDX-License-Identifier: MIT */
#include "predictor/cli/cmd-sweep-private.h"

#include "predictor/options/cmd-tools.h"
#include "predictor/cli/pd-commands.h"
#include "reports/run/pd-report.h"
#include "sweep/study/pd-study-merge.h"
#include "predictor/search/pd-point-check.h"

#include <string.h>

static gboolean
print_merged (const char *out, const PdStudyMerged *merged, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char time[64];

  g_string_append_printf (text, "%s: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " points", out,
                          merged->n_done, merged->n_points);
  pd_sweep_command_append_counts (text, merged->counts);
  if (merged->n_shared > 0)
    g_string_append_printf (text,
                            "%" G_GINT64_FORMAT " were in more than one file, and are the same\n",
                            merged->n_shared);
  if (merged->missing != NULL)
    g_string_append_printf (text, "missing: %s\n", merged->missing);
  if (merged->best >= 0)
    g_string_append_printf (text, "least execution time: %s s, point %" G_GINT64_FORMAT ": %s\n",
                            pd_time_format (merged->best_time, time), merged->best,
                            merged->best_text);
  return pd_report_save ("-", text, error);
}

/* ---- inputs of the merge */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

gboolean
pd_sweep_command_list_parts (const char *folder, GPtrArray *paths, GError **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  g_autoptr (GError) local = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &local);
  const char *name;

  if (dir == NULL)
    {
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_OPEN, "%s", local->message);
      return FALSE;
    }
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".sqlite"))
      g_ptr_array_add (found, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (found, compare_names);
  if (found->len == 0)
    g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_OPEN,
                 "'%s': no file in this folder has a name that ends with .sqlite", folder);
  gboolean any = found->len > 0;
  g_ptr_array_extend_and_steal (paths, g_steal_pointer (&found));
  return any;
}

/* Replaces folders by their files. */
static GPtrArray *
expand (const char *const *paths, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; paths[i] != NULL; i++)
    if (!g_file_test (paths[i], G_FILE_TEST_IS_DIR))
      g_ptr_array_add (all, g_strdup (paths[i]));
    else if (!pd_sweep_command_list_parts (paths[i], all, error))
      return NULL;
  g_ptr_array_add (all, NULL);
  return g_steal_pointer (&all);
}

int
pd_sweep_command_merge (const char *out, const char *const *paths, const char *command_line,
                        gboolean quiet, GError **error)
{
  g_autofree char *made = pd_cmd_format_now ();
  const PdStudyOrigin origin = { .command_line = command_line, .made = made };
  g_auto (PdStudyMerged) merged = { .best = -1 };
  g_autoptr (GPtrArray) parts = expand (paths, error);

  if (parts == NULL
      || !pd_study_merge (out, (const char *const *) parts->pdata, &pd_point_names, &origin,
                          &merged, error)
      || (!quiet && !print_merged (out, &merged, error)))
    return PD_EXIT_FAILURE;
  return merged.missing == NULL
             ? pd_sweep_command_conclude (out, merged.counts[PD_POINT_INCOMPLETE], error)
             : PD_EXIT_INCOMPLETE;
}
