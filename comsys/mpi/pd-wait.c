/* The Wait and Test families.
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-wait-private.h"

#include "base/pd-time.h"
#include "comsys/p2p/pd-costs.h"
#include "comsys/p2p/pd-cpu-order.h"
#include "comsys/p2p/pd-fifo-order.h"
#include "comsys/p2p/pd-p2p.h"
#include "comsys/mpi/pd-persistent-private.h"
#include "comsys/p2p/pd-req-pool.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/p2p/pd-wait-stats-internal.h"
#include "comsys/mpi/pd-wait.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-comsys-types.h"
#include "comsys/state/pd-function-costs.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-probe.h"
#include "comsys/state/pd-resources.h"

/* Whether a wait for @req is no wait, and shows nothing: a send was over when its call returned. */
static inline gboolean
is_over (const PdComsys *self, const PdReq *req)
{
  return req->kind == PD_REQ_SEND && (!req->rendezvous || req->detached)
         && !pd_time_is_pending (req->done) && !self->is_thorough
         && (self->waited == NULL || !self->waited_sends);
}

void
pd_bundle_add (PdComsys *self, PdBundle *bundle, PdRequest request)
{
  PdReq *r = pd_req (self, request);

  g_return_if_fail (r->kind != PD_REQ_PERSISTENT);

  if (request == PD_REQUEST_NULL)
    return;
  if (bundle->first != 0 && is_over (self, r)) /* the first one says that there is something */
    {
      pd_req_drop (self, request, PD_HELD_OWNER);
      return;
    }
  r->link = bundle->first;
  bundle->first = request;
}

/* Marks the requests of the list as waited for; returns how many are not
 * complete yet, listed in @still, and drops the others, the highest of whose numbers
 * @number becomes. */
static guint32
take_list (PdComsys *self, guint32 first, PdTime *latest, PdBundle *still, guint64 *number)
{
  guint32 pending = 0;

  for (guint32 req = first, next; req != 0; req = next)
    {
      PdReq *r = pd_req (self, req);
      next = r->link;
      pd_req_expect_list (self, req, next);
      if (self->waited != NULL
          && (r->kind == PD_REQ_SEND ? self->waited_sends : !pd_time_is_pending (r->done)))
        pd_wait_stats_note (self, r);
      if (pd_time_is_pending (r->done))
        {
          r->waited = TRUE;
          pending++;
          r->link = still->first;
          still->first = req;
          continue;
        }
      *latest = pd_time_max (*latest, r->done);
      if (G_UNLIKELY (self->is_thorough))
        {
          *number = MAX (*number, pd_req_number (r));
          PD_PROBE (self, await, req);
        }
      pd_req_drop (self, req, PD_HELD_OWNER);
    }
  return pending;
}

void
pd_wait_bundle (PdComsys *self, const PdCall *call, guint32 first, PdTime overhead,
                const char *function)
{
  PdTime latest = call->when;
  PdBundle still = { 0 };
  if (self->waited != NULL && first != 0 && !pd_req (self, first)->collective)
    pd_wait_stats_begin (self, call->rank, call->when);
  guint64 number = 0;
  guint32 pending = take_list (self, first, &latest, &still, &number);

  if (G_UNLIKELY (self->is_thorough))
    {
      if (pending == 0)
        pd_cpu_waited (self, latest, number);
      PD_PROBE (self, wait, call, first == 0 ? PD_TIME_ZERO : overhead, first != 0);
    }
  if (pending == 0)
    {
      *call->ret = first == 0 ? call->when : pd_time_add (latest, overhead);
      pd_cpu_account (self, *call->ret);
      return;
    }
  PdRank *rank = &self->ranks[call->rank];
  pd_rank_block (self, call, function);
  rank->latest = latest;
  rank->overhead = overhead;
  rank->pending = pending;
  rank->first = still.first;
}

void
pd_wait_for_send (PdComsys *self, const PdCall *call, guint32 send, const PdCallKind *kind)
{
  const PdReq *r = pd_req (self, send);

  /* nothing has overlapped with a send that began with its call */
  if (pd_time_is_pending (r->done) || r->done.ps > call->ret->ps || self->is_thorough)
    {
      pd_wait_bundle (self, call, send, kind->overhead, kind->function);
      return;
    }
  *call->ret = pd_time_add (r->done, kind->overhead);
  pd_req_drop (self, send, PD_HELD_OWNER);
}

void
pd_wait_from (PdComsys *self, const PdCall *call, guint32 first, PdTime overhead,
              const char *function, gboolean posts)
{
  PdRank *rank = &self->ranks[call->rank];

  if (!self->resources->is_fifo || call->when.ps <= self->now.ps
      || pd_fifo_reach (self, call->when))
    {
      if (posts)
        pd_p2p_begin_recv (self, call, first);
      pd_wait_bundle (self, call, first, overhead, function);
      return;
    }
  pd_rank_block (self, call, function);
  rank->overhead = overhead;
  rank->first = first;
  pd_comsys_push (self, call->when, PD_EVENT_WAIT, call->rank, posts ? 1 : 0);
}

void
pd_wait_event (PdComsys *self, guint32 rank, guint32 posts)
{
  PdRank *r = &self->ranks[rank];
  PdCall call = { rank, self->now, r->ret, NULL };
  guint32 first = r->first;

  r->ret = NULL;
  r->first = 0;
  if (posts)
    pd_p2p_begin_recv (self, &call, first);
  pd_wait_bundle (self, &call, first, r->overhead, r->function);
  if (pd_time_is_pending (*call.ret))
    return;
  r->ret = call.ret;
  pd_rank_return_next (self, rank, *call.ret);
}

/* What MPI says of a request that is null. */
static const PdStatus empty_status = { PD_ANY_SOURCE, PD_ANY_TAG, 0 };

/* Writes the status of a complete request. */
static void
fill_status (PdComsys *self, guint32 req, PdStatus *status)
{
  const PdReq *r = pd_req (self, req);

  if (status != NULL && r->kind == PD_REQ_RECV)
    *status = (PdStatus){ (gint32) r->source_in_comm, r->tag, r->bytes };
}

static guint32
list_of (PdComsys *self, PdRequest *requests, guint n, PdStatus *status)
{
  PdBundle bundle = { 0 };

  for (guint i = 0; i < n; i++)
    {
      guint32 req = pd_req_actual (self, requests[i]);
      PdReq *r = pd_req (self, req);
      if (req == 0)
        {
          if (status != NULL)
            status[i] = empty_status;
          continue;
        }
      if (status != NULL && r->kind == PD_REQ_RECV && pd_time_is_pending (r->done))
        r->status = &status[i];
      else if (status != NULL)
        fill_status (self, req, &status[i]);
      pd_bundle_add (self, &bundle, req);
      pd_req_forget (self, &requests[i]);
    }
  return bundle.first;
}

static PdTime
overhead_of (const PdComsys *self, PdFunction function)
{
  return pd_time_add (self->machine->software.wait_overhead, pd_function_overhead (self, function));
}

/* A call that waits for the list: what that costs the processor comes first. */
static void
wait_for_list (PdComsys *self, const PdCall *call, guint32 first, PdFunction of)
{
  PdCall later;

  PD_RESOURCES (self, come_to, call->rank, call->when);
  if (self->resources->is_fifo)
    self->fresh = FALSE; /* a call, even if all is complete */
  if (self->has_costs)
    {
      later = *call;
      later.when = pd_time_add (call->when, pd_costs_before_wait (self, first));
      PD_PROBE (self, call, call->rank, call->when);
      PD_PROBE (self, network_cpu, call, later.when);
      call = &later;
    }
  pd_wait_from (self, call, first, overhead_of (self, of),
                of == PD_FN_WAIT ? "MPI_Wait" : "MPI_Waitall", FALSE);
}

void
pd_comsys_wait (PdComsys *self, const PdCall *call, PdRequest *request)
{
  wait_for_list (self, call, list_of (self, request, 1, call->status), PD_FN_WAIT);
}

void
pd_comsys_waitall (PdComsys *self, const PdCall *call, PdRequest *requests, guint n)
{
  wait_for_list (self, call, list_of (self, requests, n, call->status), PD_FN_WAITALL);
}

void
pd_comsys_waitall_bundle (PdComsys *self, const PdCall *call, PdBundle *bundle)
{
  guint32 first = bundle->first;

  bundle->first = 0;
  wait_for_list (self, call, first, PD_FN_WAITALL);
}

/* ---- Waitany, Waitsome: the first completion decides, and that is certain
 * only when its moment has come; until then an earlier one may turn up. */

/* The request that waits and tests use: an inactive persistent request counts as none. */
static gboolean
is_complete (PdComsys *self, PdRequest request, PdTime by)
{
  guint32 req = pd_req_actual (self, request);
  const PdReq *r = pd_req (self, req);

  return req != 0 && !pd_time_is_pending (r->done) && r->done.ps <= by.ps;
}

static void
release (PdComsys *self, PdRequest *request, PdStatus *status)
{
  guint32 req = pd_req_actual (self, *request);

  fill_status (self, req, status);
  PD_PROBE (self, choose, req);
  if (self->waited != NULL)
    pd_wait_stats_note (self, pd_req (self, req));
  pd_req_forget (self, request);
  pd_req_drop (self, req, PD_HELD_OWNER);
}

static PdTime
done_of (PdComsys *self, PdRequest request)
{
  return pd_req (self, pd_req_actual (self, request))->done;
}

/* The earliest that has completed by @by, ties the lower one; -1 = none. */
static gint
find_earliest (PdComsys *self, const PdAny *wanted, PdTime by)
{
  gint best = -1;

  for (guint i = 0; i < wanted->n; i++)
    if (is_complete (self, wanted->requests[i], by)
        && (best < 0
            || done_of (self, wanted->requests[i]).ps < done_of (self, wanted->requests[best]).ps))
      best = (gint) i;
  return best;
}

static guint
release_complete (PdComsys *self, const PdAny *wanted, PdTime by)
{
  guint count = 0;

  for (guint i = 0; i < wanted->n; i++)
    {
      if (!is_complete (self, wanted->requests[i], by))
        continue;
      release (self, &wanted->requests[i], wanted->status != NULL ? &wanted->status[i] : NULL);
      count++;
    }
  return count;
}

/* Frees what has completed by @by, the earliest one or all, and writes which
 * or how many; %FALSE, and nothing written, if none has. */
static gboolean
collect_completed (PdComsys *self, const PdAny *wanted, PdTime by)
{
  if (wanted->some)
    {
      guint count = release_complete (self, wanted, by);
      if (count > 0)
        *wanted->result = (gint) count;
      return count > 0;
    }
  gint index = find_earliest (self, wanted, by);
  if (index < 0)
    return FALSE;
  *wanted->result = index;
  release (self, &wanted->requests[index], wanted->status);
  return TRUE;
}

static PdAny *
any_of (PdComsys *self, guint32 rank)
{
  return &g_array_index (self->anys, PdAny, self->ranks[rank].any - 1);
}

/* Looks at the moment of the earliest completion known. */
static void
schedule_check (PdComsys *self, guint32 rank, PdTime when)
{
  PdAny *any = any_of (self, rank);

  if (!pd_time_is_pending (any->checked) && any->checked.ps <= when.ps)
    return;
  any->checked = when;
  pd_comsys_push (self, when, PD_EVENT_CHECK, rank, 0);
}

void
pd_wait_completed_any (PdComsys *self, guint32 req, PdTime when)
{
  schedule_check (self, pd_req (self, req)->rank, pd_time_max (when, self->now));
}

/* Marks the requests of a Waitany, so that no others wake it. */
static void
mark_wanted (PdComsys *self, const PdAny *wanted, gboolean any)
{
  for (guint i = 0; i < wanted->n; i++)
    {
      guint32 req = pd_req_actual (self, wanted->requests[i]);
      if (req != 0)
        pd_req (self, req)->any = any ? 1 : 0;
    }
}

void
pd_wait_check_event (PdComsys *self, guint32 rank, guint32 argument G_GNUC_UNUSED)
{
  PdAny *any = any_of (self, rank);

  /* not if an earlier check has found all that this one was for */
  if (any->requests == NULL || !collect_completed (self, any, self->now))
    return;
  PdFunction function = any->some ? PD_FN_WAITSOME : PD_FN_WAITANY;
  mark_wanted (self, any, FALSE);
  any->requests = NULL;
  PD_PROBE (self, waitany_continue, rank, overhead_of (self, function));
  pd_rank_return (self, rank, pd_time_add (self->now, overhead_of (self, function)));
}

/* The earliest completion known; PENDING if none is, and MAX without requests. */
static PdTime
earliest_of (PdComsys *self, const PdAny *wanted)
{
  PdTime earliest = PD_TIME_MAX;
  gboolean pending = FALSE;

  for (guint i = 0; i < wanted->n; i++)
    {
      guint32 req = pd_req_actual (self, wanted->requests[i]);
      const PdReq *r = pd_req (self, req);
      if (req == 0)
        continue;
      if (pd_time_is_pending (r->done))
        pending = TRUE;
      else
        earliest.ps = MIN (earliest.ps, r->done.ps);
    }
  return pending && earliest.ps == G_MAXINT64 ? PD_TIME_PENDING : earliest;
}

static gboolean
all_null (PdComsys *self, const PdRequest *requests, guint n)
{
  for (guint i = 0; i < n; i++)
    if (pd_req_actual (self, requests[i]) != 0)
      return FALSE;
  return TRUE;
}

static void
wait_for_some (PdComsys *self, const PdCall *call, const PdAny *wanted)
{
  PdRank *rank = &self->ranks[call->rank];

  pd_comsys_advance_to (self, call->rank, call->when);
  PD_PROBE (self, call, call->rank, call->when);
  *call->ret = call->when;
  *wanted->result = -1;
  if (self->waited != NULL)
    pd_wait_stats_begin (self, call->rank, call->when);
  if (all_null (self, wanted->requests, wanted->n))
    {
      if (call->status != NULL && !wanted->some)
        *call->status = empty_status;
      return;
    }

  if (rank->any == 0)
    {
      g_array_append_val (self->anys, *wanted);
      rank->any = self->anys->len;
    }
  *any_of (self, call->rank) = *wanted;
  any_of (self, call->rank)->checked = PD_TIME_PENDING;
  mark_wanted (self, wanted, TRUE);
  pd_rank_block (self, call, wanted->some ? "MPI_Waitsome" : "MPI_Waitany");
  PdTime earliest = earliest_of (self, wanted);
  if (!pd_time_is_pending (earliest))
    schedule_check (self, call->rank, pd_time_max (earliest, call->when));
}

void
pd_comsys_waitany (PdComsys *self, const PdCall *call, PdRequest *requests, guint n, gint *index)
{
  PdAny wanted = { .requests = requests, .status = call->status, .n = n, .result = index };

  wait_for_some (self, call, &wanted);
}

void
pd_comsys_waitsome (PdComsys *self, const PdCall *call, PdRequest *requests, guint n, gint *count)
{
  PdAny wanted = {
    .requests = requests, .status = call->status, .n = n, .result = count, .some = TRUE
  };

  wait_for_some (self, call, &wanted);
}

/* ---- Test */

static void
charge_test (PdComsys *self, const PdCall *call, PdFunction of)
{
  pd_comsys_advance_to (self, call->rank, call->when);
  if (self->waited != NULL)
    pd_wait_stats_begin (self, call->rank, call->when);
  *call->ret = pd_time_add (call->when, overhead_of (self, of));
  PD_PROBE (self, test, call);
  pd_cpu_begin_deferred (self);
  pd_cpu_account (self, *call->ret);
}

static gboolean
test_all (PdComsys *self, const PdCall *call, PdRequest *requests, guint n)
{
  for (guint i = 0; i < n; i++)
    if (pd_req_actual (self, requests[i]) != 0 && !is_complete (self, requests[i], call->when))
      return FALSE;
  for (guint i = 0; i < n; i++)
    {
      PdStatus *status = call->status != NULL ? &call->status[i] : NULL;
      if (pd_req_actual (self, requests[i]) != 0)
        release (self, &requests[i], status);
      else if (status != NULL)
        *status = empty_status;
    }
  return TRUE;
}

gboolean
pd_comsys_test (PdComsys *self, const PdCall *call, PdRequest *request)
{
  charge_test (self, call, PD_FN_TEST);
  return test_all (self, call, request, 1);
}

gboolean
pd_comsys_testall (PdComsys *self, const PdCall *call, PdRequest *requests, guint n)
{
  charge_test (self, call, PD_FN_TESTALL);
  return test_all (self, call, requests, n);
}

gint
pd_comsys_testany (PdComsys *self, const PdCall *call, PdRequest *requests, guint n)
{
  gint index = -1;
  PdAny wanted = { .requests = requests, .status = call->status, .n = n, .result = &index };

  charge_test (self, call, PD_FN_TESTANY);
  collect_completed (self, &wanted, call->when);
  return index;
}

guint
pd_comsys_testsome (PdComsys *self, const PdCall *call, PdRequest *requests, guint n)
{
  PdAny wanted = { .requests = requests, .status = call->status, .n = n, .some = TRUE };

  charge_test (self, call, PD_FN_TESTSOME);
  return release_complete (self, &wanted, call->when);
}
