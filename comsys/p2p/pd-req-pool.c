/* The pool of requests.
 * SPDX-License-Identifier: MIT */
#include "comsys/p2p/pd-req-pool.h"

#include "comsys/queue/pd-lines.h"
#include "comsys/state/pd-lookup.h"

/* Neighbours are taken one after the other, mostly: so much later is the one that has to be near.
 */
#define AHEAD 6

guint32
pd_req_take_other (PdComsys *self)
{
  if (!pd_min_set_is_empty (&self->free_reqs))
    {
      guint32 req = pd_min_set_take (&self->free_reqs);
      if (req + AHEAD < self->n_reqs)
        pd_prefetch (&self->reqs[req + AHEAD]);
      return req;
    }
  if (self->n_reqs == self->reqs_room)
    {
      self->reqs = pd_lines_resize (self->reqs, self->reqs_room, (gsize) self->reqs_room * 2);
      self->reqs_room *= 2;
      pd_min_set_clear (&self->free_reqs);
    }
  return self->n_reqs++;
}

void
pd_req_give_back (PdComsys *self, guint32 req)
{
  PdReq *r = pd_req (self, req);

  r->kind = PD_REQ_FREE;
  if (G_LIKELY (req < self->n_own))
    {
      self->ranks[r->rank].own_used &= ~(1u << ((req - 1) & ((1u << self->own_shift) - 1)));
      return;
    }
  if (G_UNLIKELY (self->free_reqs.n_levels == 0))
    pd_min_set_resize (&self->free_reqs, self->reqs_room);
  pd_min_set_add (&self->free_reqs, req);
}
