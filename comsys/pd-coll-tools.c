/* What schedules share.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-coll-tools-private.h"

gint64
pd_blocks_bytes (const PdPlay *play, const gint64 *counts, guint32 first, guint32 count)
{
  gint64 sum = 0;

  if (counts == NULL)
    return pd_sizes_times (play->args.bytes, count);
  for (guint32 i = 0, block = first % play->n; i < count; i++)
    {
      sum = pd_sizes_add (sum, counts[block]);
      block = block + 1 == play->n ? 0 : block + 1;
    }
  return sum;
}
