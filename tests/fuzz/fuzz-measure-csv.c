/* Any bytes as the CSV of launches of predictor-measure, summarised.
 * SPDX-License-Identifier: MIT */
#include "measure/sheet/pd-summary.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdSheet) sheet = pd_summary_of_csv ((const char *) data, size, "fuzz", &error);

  g_assert_true ((sheet != NULL) == (error == NULL));
  if (sheet != NULL)
    {
      g_autofree char *text = pd_sheet_format_text (sheet);
      g_assert_true (g_utf8_validate (text, -1, NULL));
    }
  return 0;
}
