/* The pool of requests.
 * SPDX-License-Identifier: MIT */
#include "comsys/p2p/pd-req-pool.h"

#include "comsys/queue/pd-lines.h"
#include "comsys/state/pd-lookup.h"

guint32
pd_req_take_other (PdComsys *self)
{
  guint32 req = self->free_req;

  if (req != 0)
    {
      self->free_req = self->reqs[req].next;
      pd_prefetch (&self->reqs[self->free_req]); /* it is taken next */
      return req;
    }
  if (self->n_reqs == self->reqs_room)
    {
      self->reqs = pd_lines_resize (self->reqs, self->reqs_room, (gsize) self->reqs_room * 2);
      self->reqs_room *= 2;
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
  r->next = self->free_req;
  self->free_req = req;
}
