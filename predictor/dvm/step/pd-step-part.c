/* SPDX-License-Identifier: MIT */
#include "predictor/dvm/step/pd-step-part.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

/* Elements of the local box of @linear, in the array's grid, among the first operation->prefix
 * elements of the array in linear order. */
static gint64
count_prefix (const PdStepOperation *operation, guint32 linear)
{
  const PdLayout *layout = operation->layout;
  guint rank = pd_layout_get_rank (layout);
  const gint64 *sizes = pd_layout_get_sizes (layout);
  gint64 lo[PD_MAX_RANK], hi[PD_MAX_RANK], weight[PD_MAX_RANK + 1], inner[PD_MAX_RANK + 1];
  gint64 count = 0, rest = operation->prefix;

  if (!pd_layout_get_local (layout, linear, lo, hi))
    return 0;
  weight[rank] = inner[rank] = 1;
  for (guint i = rank; i-- > 0;)
    {
      weight[i] = weight[i + 1] * sizes[i];
      inner[i] = inner[i + 1] * (hi[i] - lo[i] + 1);
    }
  if (rest >= weight[0])
    return inner[0];
  /* digit by digit: whole slices below the boundary, then on within its slice */
  for (guint i = 0; i < rank; i++)
    {
      gint64 digit = rest / weight[i + 1];
      rest %= weight[i + 1];
      count += MAX (MIN (hi[i], digit - 1) - lo[i] + 1, 0) * inner[i + 1];
      if (digit < lo[i] || digit > hi[i])
        return count;
    }
  return count;
}

/* @linear: in the operation's grid, which need not be that of the array. */
gint64
pd_operation_get_part (const PdStepOperation *operation, guint32 linear)
{
  guint32 processor = pd_grid_get_processor (operation->team->grid, linear);
  gint64 place = pd_grid_find (pd_layout_get_grid (operation->layout), processor);

  return place < 0 ? 0 : count_prefix (operation, (guint32) place) * operation->type_size;
}
