/* predictor-measure compare, predictor-measure guidelines: they judge measurements,
 * without MPI.
 * SPDX-License-Identifier: MIT */
#include "measure/cli/pd-measure.h"
#include "measure/plan/pd-judge-options.h"
#include "measure/sheet/pd-guidelines.h"
#include "measure/sheet/pd-sheet-compare.h"

static gboolean
compare (const PdJudgeOptions *options, GError **error)
{
  PdCompareCounts counts;
  g_autoptr (PdSheet) sheet = pd_sheet_compare_files (options->paths[0], options->paths[1],
                                                      options->significance, &counts, error);

  if (sheet == NULL || !pd_sheet_write (sheet, &options->files, error))
    return FALSE;
  if (counts.slower + counts.faster == 0)
    return TRUE;
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_DIFFERS,
               "of %u cases %u are slower and %u faster in the second file", counts.compared,
               counts.slower, counts.faster);
  return FALSE;
}

static gboolean
check_guidelines (const PdJudgeOptions *options, GError **error)
{
  PdGuidelineCounts counts;
  g_autoptr (PdSheet) sheet = pd_guidelines_of_file (options->paths[0], &counts, error);

  if (sheet == NULL || !pd_sheet_write (sheet, &options->files, error))
    return FALSE;
  if (counts.violated == 0)
    return TRUE;
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_DIFFERS,
               "of %u guidelines %u are violated", counts.checked, counts.violated);
  return FALSE;
}

static gboolean
judge (gboolean (*run) (const PdJudgeOptions *options, GError **error), guint n_paths, int argc,
       char **argv, GError **error)
{
  PdJudgeOptions options;
  gboolean fine =
      pd_judge_options_parse (&options, n_paths, argc, argv, error) && run (&options, error);

  pd_judge_options_clear (&options);
  return fine;
}

gboolean
pd_measure_compare (int argc, char **argv, GError **error)
{
  return judge (compare, 2, argc, argv, error);
}

gboolean
pd_measure_guidelines (int argc, char **argv, GError **error)
{
  return judge (check_guidelines, 1, argc, argv, error);
}
