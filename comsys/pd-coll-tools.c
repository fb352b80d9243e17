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

/* ---- folding */

static guint32
rest_of (const PdPlay *play)
{
  return play->n - pd_floor_power (play->n);
}

guint32
pd_folded (const PdPlay *play, guint32 rank)
{
  return rank < 2 * rest_of (play) ? rank / 2 : rank - rest_of (play);
}

guint32
pd_unfolded (const PdPlay *play, guint32 place)
{
  return place < rest_of (play) ? 2 * place + 1 : place + rest_of (play);
}

gboolean
pd_fold (PdPlay *play, PdStep *step, const PdFold *fold)
{
  gboolean is_pair = play->rank < 2 * rest_of (play);
  guint last = fold->last;

  if (play->stage > 1 && play->stage < last)
    return FALSE;
  if (play->stage < last && !is_pair)
    {
      play->stage = 2;
      return FALSE;
    }
  *step = pd_step_done ();
  if (play->stage > last || !is_pair)
    return TRUE;
  if (play->rank % 2 == 0)
    {
      *step = play->stage == 0 ? pd_step_send (play->rank + 1, fold->bytes, 0)
                               : pd_step_recv (play->rank + 1, fold->back, fold->back_at);
      play->stage = play->stage == 0 ? last : last + 1;
      return TRUE;
    }
  *step = play->stage == 0   ? pd_step_recv (play->rank - 1, fold->bytes, 0)
          : play->stage == 1 ? pd_step_reduce (fold->bytes)
                             : pd_step_send (play->rank - 1, fold->back, fold->back_at);
  play->stage++;
  return TRUE;
}
