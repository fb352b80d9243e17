/* Block files from arbitrary bytes.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/layout/pd-block-file.h"
#include "predictor/dvm/layout/pd-block-find.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* What can be asked of a file that was accepted. */
static void
use_file (const PdBlockFile *file)
{
  static const gint64 sizes[] = { 4, 2 };
  g_autoptr (PdGrid) grid = pd_grid_new (2, sizes, NULL);
  guint n = pd_block_file_get_n (file);

  for (guint i = 0; i < n; i++)
    {
      const PdBlockList *list = pd_block_file_get (file, i), *other;
      PdBlockQuery query = {
        .file = list->file, .line = list->line, .grid = grid, .dim = i % 2, .axis = list->number - 1
      };

      g_assert (list->values->len > 0 && list->line > 0 && list->source_line > 0);
      g_assert (list->kind < PD_N_BLOCK_KINDS && list->number > 0);
      const PdBlockList *found = pd_block_file_find (file, &query, &other);
      g_assert (found == NULL || other == NULL);
      g_assert (!list->by_axis || found != NULL || other != NULL);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdBlockFile) file = pd_block_file_new_from_bytes (bytes, "fuzz", &error);

  g_assert ((file == NULL) == (error != NULL));
  if (file != NULL)
    use_file (file);
  return 0;
}
