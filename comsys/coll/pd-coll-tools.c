/* Functions shared by schedules.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-coll-tools.h"
#include "comsys/coll/pd-coll-schedule.h"

gint64
pd_blocks_bytes (const PdExecution *exec, const gint64 *counts, guint32 first, guint32 count)
{
  gint64 sum = 0;

  if (counts == NULL)
    return pd_sizes_times (exec->args.bytes, count);
  for (guint32 i = 0, block = first % exec->n; i < count; i++)
    {
      sum = pd_sizes_add (sum, counts[block]);
      block = block + 1 == exec->n ? 0 : block + 1;
    }
  return sum;
}

/* ---- folding */

static guint32
rest_of (const PdExecution *exec)
{
  return exec->n - pd_floor_power (exec->n);
}

guint32
pd_folded (const PdExecution *exec, guint32 rank)
{
  return rank < 2 * rest_of (exec) ? rank / 2 : rank - rest_of (exec);
}

guint32
pd_unfolded (const PdExecution *exec, guint32 place)
{
  return place < rest_of (exec) ? 2 * place + 1 : place + rest_of (exec);
}

gboolean
pd_fold (PdExecution *exec, PdStep *step, const PdFold *fold)
{
  gboolean is_pair = exec->rank < 2 * rest_of (exec);
  guint last = fold->last;

  if (exec->stage > 1 && exec->stage < last)
    return FALSE;
  if (exec->stage < last && !is_pair)
    {
      exec->stage = 2;
      return FALSE;
    }
  *step = pd_step_done ();
  if (exec->stage > last || !is_pair)
    return TRUE;
  if (exec->rank % 2 == 0)
    {
      *step = exec->stage == 0 ? pd_step_send (exec->rank + 1, fold->bytes, 0)
                               : pd_step_recv (exec->rank + 1, fold->back, fold->back_at);
      exec->stage = exec->stage == 0 ? last : last + 1;
      return TRUE;
    }
  *step = exec->stage == 0   ? pd_step_recv (exec->rank - 1, fold->bytes, 0)
          : exec->stage == 1 ? pd_step_reduce (fold->bytes)
                             : pd_step_send (exec->rank - 1, fold->back, fold->back_at);
  exec->stage++;
  return TRUE;
}
