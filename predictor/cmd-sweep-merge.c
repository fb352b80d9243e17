/* predictor sweep --merge: one database from those of parts.
 * SPDX-License-Identifier: MIT */
#include "predictor/cmd-sweep-private.h"

#include "predictor/cmd-tools.h"
#include "predictor/pd-commands.h"
#include "predictor/pd-point.h"
#include "reports/pd-report.h"
#include "sweep/pd-study-merge.h"

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

int
pd_sweep_command_merge (const char *out, const char *const *paths, const char *command_line,
                        gboolean quiet, GError **error)
{
  g_autofree char *made = pd_cmd_format_now ();
  const PdStudyOrigin origin = { .command_line = command_line, .made = made };
  g_auto (PdStudyMerged) merged = { .best = -1 };

  if (!pd_study_merge (out, paths, &pd_point_names, &origin, &merged, error)
      || (!quiet && !print_merged (out, &merged, error)))
    return PD_EXIT_FAILURE;
  return merged.missing == NULL ? PD_EXIT_OK : PD_EXIT_INCOMPLETE;
}
