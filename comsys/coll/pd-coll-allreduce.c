/* Allreduce by recursive doubling.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-coll-tools.h"
#include "comsys/coll/pd-coll-schedule.h"

/* Everybody exchanges the whole vector with the rank 1, 2, 4 … away. */
void
pd_coll_allreduce_doubling (PdExecution *exec, PdStep *step)
{
  enum
  {
    EXCHANGE = 2,
    REDUCE,
    LAST,
  };
  gint64 bytes = exec->args.bytes;
  const PdFold fold = { .last = LAST, .bytes = bytes, .back = bytes };

  if (pd_fold (exec, step, &fold))
    return;
  if (exec->stage == REDUCE)
    {
      *step = pd_step_reduce (bytes);
      exec->stage = EXCHANGE;
      return;
    }
  exec->i = exec->i == 0 ? 1 : exec->i << 1;
  if (exec->i >= pd_floor_power (exec->n))
    {
      exec->stage = LAST;
      pd_fold (exec, step, &fold);
      return;
    }
  guint32 peer = pd_unfolded (exec, pd_folded (exec, exec->rank) ^ exec->i);
  *step = (PdStep){
    .kind = PD_STEP_SENDRECV, .to = peer, .from = peer, .send_bytes = bytes, .recv_bytes = bytes
  };
  exec->stage = REDUCE;
}
