/* Schedules of Allreduce. With n ranks that are no power of two, the first
 * 2 (n - p) ranks, p the power below n, form pairs: the even one of each gives
 * its vector to the odd one first and gets the result from it at the end (as in
 * R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of Collective Communication
 * Operations in MPICH", 2005).
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-coll-tools-private.h"

/* Which of those that take part @rank is. */
static guint32
folded (const PdPlay *play, guint32 rank)
{
  guint32 rest = play->n - pd_floor_power (play->n);

  return rank < 2 * rest ? rank / 2 : rank - rest;
}

static guint32
unfolded (const PdPlay *play, guint32 place)
{
  guint32 rest = play->n - pd_floor_power (play->n);

  return place < rest ? 2 * place + 1 : place + rest;
}

static gboolean
sits_out (const PdPlay *play)
{
  return play->rank % 2 == 0 && play->rank < 2 * (play->n - pd_floor_power (play->n));
}

/* The steps of a pair before (stages 0 and 1) and after (from @last on); FALSE:
 * it is for the algorithm itself to say. */
static gboolean
fold (PdPlay *play, PdStep *step, guint last)
{
  gboolean is_pair = play->rank < 2 * (play->n - pd_floor_power (play->n));
  gint64 bytes = play->args.bytes;

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
  if (sits_out (play))
    {
      *step = play->stage == 0 ? pd_step_send (play->rank + 1, bytes, 0)
                               : pd_step_recv (play->rank + 1, bytes, 0);
      play->stage = play->stage == 0 ? last : last + 1;
      return TRUE;
    }
  *step = play->stage == 0   ? pd_step_recv (play->rank - 1, bytes, 0)
          : play->stage == 1 ? pd_step_reduce (bytes)
                             : pd_step_send (play->rank - 1, bytes, 0);
  play->stage++;
  return TRUE;
}

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

  if (fold (play, step, LAST))
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
      fold (play, step, LAST);
      return;
    }
  guint32 peer = unfolded (play, folded (play, play->rank) ^ play->i);
  *step = (PdStep){
    .kind = PD_STEP_SENDRECV, .to = peer, .from = peer, .send_bytes = bytes, .recv_bytes = bytes
  };
  play->stage = REDUCE;
}
