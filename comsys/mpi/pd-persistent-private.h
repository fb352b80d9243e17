/* Operations on existing requests: persistent requests, freeing, cancelling. A persistent
 * request is a lasting handle. Each start creates an ordinary request, to which the handle
 * points until its wait. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PERSISTENT_PRIVATE_H
#define PD_PERSISTENT_PRIVATE_H

#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-comsys-types.h"

/* Releases the persistent requests that the program has freed. */
void pd_persistent_clear (PdComsys *self);

/* The request of a handle: itself, the started request of a persistent one, or 0. */
static inline guint32
pd_req_actual (PdComsys *self, PdRequest handle)
{
  const PdReq *req = &self->reqs[handle];

  return req->kind == PD_REQ_PERSISTENT ? req->active : handle;
}

/* It has completed: a persistent one becomes inactive, others null. */
static inline void
pd_req_forget (PdComsys *self, PdRequest *handle)
{
  PdReq *req = &self->reqs[*handle];

  if (req->kind == PD_REQ_PERSISTENT)
    req->active = 0;
  else
    *handle = PD_REQUEST_NULL;
}

#endif
