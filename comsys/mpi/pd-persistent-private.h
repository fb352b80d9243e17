/* Requests after they have been made: persistent ones, and what else can become of a
 * request than that it is waited for. * A persistent request is a handle that lasts.
 * What is started of it is a request like any other, which the handle points to until it
 * has been waited for. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PERSISTENT_PRIVATE_H
#define PD_PERSISTENT_PRIVATE_H

#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-comsys-types.h"

/* Releases the persistent requests that nobody has. */
void pd_persistent_clear (PdComsys *self);

/* What a handle stands for: itself, what has been started of a persistent one, or 0. */
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
