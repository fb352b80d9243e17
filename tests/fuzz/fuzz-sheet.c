/* Any bytes as a sheet of predictor-measure, and a description fitted to it.
 * SPDX-License-Identifier: MIT */
#include "fit/pd-fit-model.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const PdFitOptions options = {
    .name = "fuzz", .network = "contention", .collectives = "mpich4", .force = TRUE
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdSheetFile) sheet = pd_sheet_file_parse ((const char *) data, size, "fuzz", &error);

  g_assert_true ((sheet == NULL) == (error != NULL));
  if (sheet == NULL)
    return 0;
  g_autoptr (PdFitData) found = pd_fit_data_new (&sheet, 1, TRUE, &error);
  g_assert_true ((found == NULL) == (error != NULL));
  if (found == NULL || found->times->len > 30 || found->hosts > 16)
    return 0; /* it shall be quick */
  for (guint i = 0; i < found->times->len; i++)
    if (g_array_index (found->times, PdFitTime, i).processes > 64)
      return 0;
  g_autofree char *text = pd_fit_description (found, &options, &error);
  g_assert_true ((text == NULL) == (error != NULL));
  return 0;
}
