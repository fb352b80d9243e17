/* The Wait and Test families.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-comsys-private.h"

void
pd_bundle_add (PdComsys *self, PdBundle *bundle, PdRequest request)
{
  pd_req (self, request)->link = bundle->first;
  bundle->first = request;
}

/* Marks the requests of the list as waited for; returns how many are not
 * complete yet, and drops the others. */
static guint32
take_list (PdComsys *self, guint32 first, PdTime *latest, guint32 *pending_one)
{
  guint32 pending = 0;

  for (guint32 req = first, next; req != 0; req = next)
    {
      PdReq *r = pd_req (self, req);
      next = r->link;
      if (pd_time_is_pending (r->done))
        {
          r->waited = TRUE;
          pending++;
          *pending_one = req;
          continue;
        }
      *latest = pd_time_max (*latest, r->done);
      pd_req_drop (self, req, PD_HELD_OWNER);
    }
  return pending;
}

void
pd_wait_bundle (PdComsys *self, const PdCall *call, guint32 first, PdTime overhead,
                const char *function)
{
  PdTime latest = call->when;
  guint32 pending_one = 0;
  guint32 pending = take_list (self, first, &latest, &pending_one);

  if (pending == 0)
    {
      *call->ret = first == 0 ? call->when : pd_time_add (latest, overhead);
      return;
    }
  PdRank *rank = &self->ranks[call->rank];
  pd_rank_block (self, call, function);
  rank->latest = latest;
  rank->overhead = overhead;
  rank->pending = pending;
  rank->first = pending_one;
}

static guint32
list_of (PdComsys *self, PdRequest *requests, guint n, PdStatus *status)
{
  PdBundle bundle = { 0 };

  for (guint i = 0; i < n; i++)
    {
      if (requests[i] == PD_REQUEST_NULL)
        continue;
      PdReq *r = pd_req (self, requests[i]);
      if (status != NULL && r->kind == PD_REQ_RECV && pd_time_is_pending (r->done))
        r->status = &status[i];
      else if (status != NULL && r->kind == PD_REQ_RECV)
        status[i] = (PdStatus){ (gint32) r->source_in_comm, r->tag, r->bytes };
      pd_bundle_add (self, &bundle, requests[i]);
      requests[i] = PD_REQUEST_NULL;
    }
  return bundle.first;
}

void
pd_comsys_wait (PdComsys *self, const PdCall *call, PdRequest *request)
{
  pd_wait_bundle (self, call, list_of (self, request, 1, call->status),
                  self->machine->software.wait_overhead, "MPI_Wait");
}

void
pd_comsys_waitall (PdComsys *self, const PdCall *call, PdRequest *requests, guint n)
{
  pd_wait_bundle (self, call, list_of (self, requests, n, call->status),
                  self->machine->software.wait_overhead, "MPI_Waitall");
}

void
pd_comsys_waitall_bundle (PdComsys *self, const PdCall *call, PdBundle *bundle)
{
  guint32 first = bundle->first;

  bundle->first = 0;
  pd_wait_bundle (self, call, first, self->machine->software.wait_overhead, "MPI_Waitall");
}

/* ---- Waitany, Waitsome: the first completion decides, and that is certain
 * only when its moment has come; until then an earlier one may turn up. */

static gboolean
is_complete (PdComsys *self, PdRequest request, PdTime by)
{
  const PdReq *r = pd_req (self, request);

  return request != PD_REQUEST_NULL && !pd_time_is_pending (r->done) && r->done.ps <= by.ps;
}

static void
release (PdComsys *self, PdRequest *request)
{
  pd_req_drop (self, *request, PD_HELD_OWNER);
  *request = PD_REQUEST_NULL;
}

/* Frees what has completed by @by: the earliest one, or all. Returns how many;
 * @index gets the index of the earliest, ties the lower one. */
static guint
harvest (PdComsys *self, PdRequest *requests, guint n, PdTime by, gboolean all, gint *index)
{
  guint count = 0;

  *index = -1;
  for (guint i = 0; i < n; i++)
    {
      if (!is_complete (self, requests[i], by))
        continue;
      if (*index < 0
          || pd_req (self, requests[i])->done.ps < pd_req (self, requests[*index])->done.ps)
        *index = (gint) i;
      count++;
    }
  if (!all && *index >= 0)
    {
      release (self, &requests[*index]);
      return 1;
    }
  for (guint i = 0; all && i < n; i++)
    if (is_complete (self, requests[i], by))
      release (self, &requests[i]);
  return count;
}

static PdAny *
any_of (PdComsys *self, guint32 rank)
{
  return &g_array_index (self->anys, PdAny, self->ranks[rank].any - 1);
}

/* Looks again at the moment of the earliest completion known. */
static void
schedule_check (PdComsys *self, guint32 rank, PdTime when)
{
  PdAny *any = any_of (self, rank);

  if (!pd_time_is_pending (any->checked) && any->checked.ps <= when.ps)
    return;
  any->checked = when;
  pd_queue_push (&self->queue, when, FALSE, rank, PD_WHAT (PD_EVENT_CHECK, 0));
}

void
pd_wait_completed_any (PdComsys *self, guint32 rank, PdTime when)
{
  const PdAny *any = any_of (self, rank);

  if (any->requests != NULL)
    schedule_check (self, rank, pd_time_max (when, self->now));
}

void
pd_wait_check (PdComsys *self, guint32 rank)
{
  PdAny *any = any_of (self, rank);
  gint index;

  if (any->requests == NULL)
    return;
  guint count = harvest (self, any->requests, any->n, self->now, any->some, &index);
  if (count == 0)
    return;
  *any->result = any->some ? (gint) count : index;
  any->requests = NULL;
  pd_rank_return (self, rank, pd_time_add (self->now, self->machine->software.wait_overhead));
}

static void
wait_for_some (PdComsys *self, const PdCall *call, const PdAny *wanted, const char *function)
{
  PdRank *rank = &self->ranks[call->rank];
  PdTime earliest = PD_TIME_PENDING;
  gboolean none = TRUE;

  for (guint i = 0; i < wanted->n; i++)
    {
      const PdReq *r = pd_req (self, wanted->requests[i]);
      if (wanted->requests[i] == PD_REQUEST_NULL)
        continue;
      none = FALSE;
      if (!pd_time_is_pending (r->done) && (pd_time_is_pending (earliest) || r->done.ps < earliest.ps))
        earliest = r->done;
    }
  *call->ret = call->when;
  *wanted->result = -1;
  if (none)
    return;

  if (rank->any == 0)
    {
      g_array_append_val (self->anys, *wanted);
      rank->any = self->anys->len;
    }
  *any_of (self, call->rank) = *wanted;
  any_of (self, call->rank)->checked = PD_TIME_PENDING;
  pd_rank_block (self, call, function);
  if (!pd_time_is_pending (earliest))
    schedule_check (self, call->rank, pd_time_max (earliest, call->when));
}

void
pd_comsys_waitany (PdComsys *self, const PdCall *call, PdRequest *requests, guint n, gint *index)
{
  PdAny wanted = { .requests = requests, .n = n, .result = index };

  wait_for_some (self, call, &wanted, "MPI_Waitany");
}

void
pd_comsys_waitsome (PdComsys *self, const PdCall *call, PdRequest *requests, guint n, gint *count)
{
  PdAny wanted = { .requests = requests, .n = n, .result = count, .some = TRUE };

  wait_for_some (self, call, &wanted, "MPI_Waitsome");
}

/* ---- Test */

static void
charge_test (PdComsys *self, const PdCall *call)
{
  *call->ret = pd_time_add (call->when, self->machine->software.wait_overhead);
}

gboolean
pd_comsys_test (PdComsys *self, const PdCall *call, PdRequest *request)
{
  charge_test (self, call);
  if (*request == PD_REQUEST_NULL)
    return TRUE;
  if (!is_complete (self, *request, call->when))
    return FALSE;
  release (self, request);
  return TRUE;
}

gboolean
pd_comsys_testall (PdComsys *self, const PdCall *call, PdRequest *requests, guint n)
{
  charge_test (self, call);
  for (guint i = 0; i < n; i++)
    if (requests[i] != PD_REQUEST_NULL && !is_complete (self, requests[i], call->when))
      return FALSE;
  for (guint i = 0; i < n; i++)
    if (requests[i] != PD_REQUEST_NULL)
      release (self, &requests[i]);
  return TRUE;
}

gint
pd_comsys_testany (PdComsys *self, const PdCall *call, PdRequest *requests, guint n)
{
  gint index;

  charge_test (self, call);
  harvest (self, requests, n, call->when, FALSE, &index);
  return index;
}

guint
pd_comsys_testsome (PdComsys *self, const PdCall *call, PdRequest *requests, guint n)
{
  gint index;

  charge_test (self, call);
  return harvest (self, requests, n, call->when, TRUE, &index);
}
