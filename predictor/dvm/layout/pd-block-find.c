/* Finding lists in block files.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/layout/pd-block-file.h"
#include "predictor/dvm/layout/pd-block-find.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

#include <string.h>

/* The first list of @line, or of a later one. */
static guint
find_line (const PdBlockFile *self, gint64 line)
{
  guint low = 0, high = pd_block_file_get_n (self);

  while (low < high)
    {
      guint mid = low + (high - low) / 2;

      if (pd_block_file_get (self, mid)->line < line)
        low = mid + 1;
      else
        high = mid;
    }
  return low;
}

static gboolean
is_of_file (const PdBlockList *list, const char *file)
{
  const char *slash = strrchr (file, '/');

  return strcmp (list->file, file) == 0 || (slash != NULL && strcmp (list->file, slash + 1) == 0);
}

static gboolean
is_for_target (const PdBlockList *list, const PdBlockQuery *query)
{
  return list->number == (list->by_axis ? query->axis : query->dim) + 1;
}

/* Sizes of 1 at the end do not matter. */
static gboolean
is_for_grid (const PdBlockList *list, const PdGrid *grid)
{
  const guint32 *sizes = pd_grid_get_sizes (grid);
  guint rank = pd_grid_get_rank (grid);

  if (list->rank == 0)
    return TRUE;
  if (list->rank == 1)
    return list->grid[0] == pd_grid_get_n (grid);
  for (guint d = 0; d < PD_MAX_GRID_RANK; d++)
    if ((d < list->rank ? list->grid[d] : 1) != (d < rank ? sizes[d] : 1))
      return FALSE;
  return TRUE;
}

static gboolean
fits (const PdBlockList *list, const PdBlockQuery *query)
{
  guint32 n = pd_grid_get_sizes (query->grid)[query->dim];

  return is_for_grid (list, query->grid)
         && (list->kind == PD_BLOCK_LOADS ? list->values->len >= n : list->values->len == n);
}

/* Both fit. */
static gboolean
is_better (const PdBlockList *a, const PdBlockList *b)
{
  if ((a->rank > 0) != (b->rank > 0))
    return a->rank > 0;
  return a->kind < b->kind;
}

const PdBlockList *
pd_block_file_find (const PdBlockFile *self, const PdBlockQuery *query, const PdBlockList **other)
{
  const PdBlockList *best = NULL;

  g_return_val_if_fail (query->dim < pd_grid_get_rank (query->grid), NULL);
  *other = NULL;
  if (query->file == NULL)
    return NULL;
  for (guint i = find_line (self, query->line); i < pd_block_file_get_n (self); i++)
    {
      const PdBlockList *list = pd_block_file_get (self, i);

      if (list->line != query->line)
        break;
      if (!is_of_file (list, query->file) || !is_for_target (list, query))
        continue;
      if (query->seen != NULL)
        query->seen[i] = 1;
      if (!fits (list, query))
        *other = list;
      else if (best == NULL || is_better (list, best))
        best = list;
    }
  if (best != NULL)
    *other = NULL;
  return best;
}
