/* Completion of requests: a table notifies the waiter, by its kind.
 * SPDX-License-Identifier: MIT */
#include "comsys/p2p/pd-completion.h"

#include "comsys/p2p/pd-cpu-order.h"
#include "comsys/p2p/pd-req-pool.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-probe.h"

/* Notifies every waiter except Waitall. */
static PdWaiter
waiter_of (const PdComsys *self, const PdReq *req)
{
  if (req->nonblocking)
    return PD_WAITER_NONBLOCKING;
  if (req->any)
    return PD_WAITER_ANY;
  if (!req->notify)
    return PD_WAITER_NONE;
  return self->operations == NULL ? PD_WAITER_TOKEN : PD_WAITER_OPERATION;
}

void
pd_req_notify_waiter (PdComsys *self, guint32 req, PdTime when)
{
  self->handlers->completed[waiter_of (self, pd_req (self, req))](self, req, when);
}

void
pd_completion_of_token (PdComsys *self, guint32 req, PdTime when)
{
  const PdReq *r = pd_req (self, req);

  pd_comsys_push (self, when, PD_EVENT_NOTIFY, r->rank, r->link);
  pd_req_drop (self, req, PD_HELD_OWNER);
}

void
pd_completion_unawaited (PdComsys *self, guint32 req, PdTime when G_GNUC_UNUSED)
{
  PdReq *r = pd_req (self, req);

  if (self->queue.keeps_numbers && pd_req_has_number (r))
    r->number = pd_cpu_new_number (self);
}

PdTime
pd_req_notify_unless_known (PdComsys *self, guint32 req, guint32 token)
{
  PdReq *r = pd_req (self, req);
  PdTime done = r->done;

  if (pd_time_is_pending (done))
    {
      r->notify = TRUE;
      r->link = token;
      return PD_TIME_PENDING;
    }
  PD_PROBE (self, known, req, token);
  pd_req_drop (self, req, PD_HELD_OWNER);
  return done;
}
