/* Allreduce by recursive doubling.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-coll-tools-private.h"

/* Everybody exchanges the whole vector with the rank 1, 2, 4 … away. */
void
pd_coll_allreduce_doubling (PdPlay *play, PdStep *step)
{
  enum
  {
    EXCHANGE = 2,
    REDUCE,
    LAST,
  };
  gint64 bytes = play->args.bytes;
  const PdFold fold = { .last = LAST, .bytes = bytes, .back = bytes };

  if (pd_fold (play, step, &fold))
    return;
  if (play->stage == REDUCE)
    {
      *step = pd_step_reduce (bytes);
      play->stage = EXCHANGE;
      return;
    }
  play->i = play->i == 0 ? 1 : play->i << 1;
  if (play->i >= pd_floor_power (play->n))
    {
      play->stage = LAST;
      pd_fold (play, step, &fold);
      return;
    }
  guint32 peer = pd_unfolded (play, pd_folded (play, play->rank) ^ play->i);
  *step = (PdStep){
    .kind = PD_STEP_SENDRECV, .to = peer, .from = peer, .send_bytes = bytes, .recv_bytes = bytes
  };
  play->stage = REDUCE;
}
