/* The pool of requests. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REQ_POOL_H
#define PD_REQ_POOL_H

#include "base/pd-time.h"
#include "comsys/state/pd-lookup.h"

/**
 * pd_req_take_other:
 * An index of none of the requests of a rank; its contents are not set.
 */
guint32 pd_req_take_other (PdComsys *self);

/**
 * pd_req_give_back:
 * The request can be used for something else.
 */
void pd_req_give_back (PdComsys *self, guint32 req);

/**
 * pd_req_take:
 * Returns: a request of @rank; its contents are not set.
 */
static inline guint32
pd_req_take (PdComsys *self, guint32 rank)
{
  guint32 *used = &self->ranks[rank].own_used;
  guint free = (guint) __builtin_ctz (~*used);

  if (G_UNLIKELY (free >= 1u << self->own_shift))
    return pd_req_take_other (self);
  *used |= 1u << free;
  return 1 + (rank << self->own_shift) + free;
}

/**
 * pd_req_new:
 * Returns: a request of @rank that is pending.
 */
static inline guint32
pd_req_new (PdComsys *self, guint32 rank)
{
  guint32 req = pd_req_take (self, rank);

  self->reqs[req] = (PdReq){ .rank = rank, .done = PD_TIME_PENDING };
  return req;
}

/**
 * pd_req_expect_list:
 * @next: follows @req in a list by link
 *
 * Has a request loaded that comes later in the list, of those that are not a rank's own: what was
 * taken for it at equal distances mostly lies at such.
 */
static inline void
pd_req_expect_list (const PdComsys *self, guint32 req, guint32 next)
{
  guint32 later = next + 6 * (next - req);

  if (later - self->n_own < self->n_reqs - self->n_own)
    pd_prefetch (&self->reqs[later]);
}

/**
 * pd_req_drop:
 * @holder has it no more.
 */
static inline void
pd_req_drop (PdComsys *self, guint32 req, guint holder)
{
  PdReq *r = pd_req (self, req);

  r->held &= ~holder & 3;
  if (r->held == 0)
    pd_req_give_back (self, req);
}

#endif
