/* Exchanges by a plan: each processor packs its messages, starts them, waits for
 * them and unpacks; or, of a large one, takes part in it as a whole.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/simulate/pd-simulation-private.h"
#include "comsys/mpi/pd-barrier-state.h"
#include "comsys/mpi/pd-main-loop.h"
#include "comsys/tools/pd-aggregate.h"
#include "predictor/dvm/simulate/pd-cproc-exchange-private.h"
#include "predictor/dvm/simulate/pd-cproc-library-private.h"
#include "predictor/dvm/simulate/pd-cproc-private.h"

#include <string.h>

guint
pd_cproc_list_messages (PdSimulation *self, const PdPlan *plan, guint32 rank)
{
  guint most = pd_plan_get_max (plan, rank);

  if (most == 0)
    return 0;
  if (most > self->room)
    {
      self->room = most;
      self->messages = g_renew (PdPlanMessage, self->messages, most);
    }
  return pd_plan_get_messages (plan, rank, self->messages);
}

/* A few messages are listed again at each turn, which is cheaper than keeping
 * them for every processor; many are kept until all have started. */
#define FEW_MESSAGES 32

static const PdPlanMessage *
get_messages (PdSimulation *self, const PdPlan *plan, guint32 rank, guint *n)
{
  PdCProc *proc = &self->procs[rank];

  if (proc->list == NULL)
    {
      *n = pd_cproc_list_messages (self, plan, rank);
      if (*n <= FEW_MESSAGES)
        return self->messages;
      gsize size = *n * sizeof *self->messages;
      proc->list = g_malloc (sizeof *proc->list + size);
      proc->list->n = *n;
      memcpy (proc->list->messages, self->messages, size);
    }
  *n = proc->list->n;
  return proc->list->messages;
}

/* ---- the library's own work on messages */

/* Whether the step starts this message, or the other direction only. */
static gboolean
is_wanted (const PdStepDvm *step, const PdPlanMessage *message)
{
  return (step->flags & (message->send ? PD_STEP_RECVS : PD_STEP_SENDS)) == 0;
}

/* The work besides messages. */
static void
work_locally (PdLibraryWork *work, const PdPlan *plan, guint32 rank)
{
  PdPlanLocal local;

  pd_plan_get_local (plan, rank, &local);
  pd_library_work_touch (work, local.touched);
  if (local.copied > 0)
    pd_library_work_copy (work, local.copied, local.runs);
}

/* The work of a processor before its first message: it packs all of them. */
static void
prepare (PdSimulation *self, guint32 rank, const PdStepDvm *step, PdLibraryWork *work)
{
  const PdPlan *plan = step->operation->plan;
  guint n = work->begins ? pd_cproc_list_messages (self, plan, rank) : 0;
  gboolean any = FALSE;

  for (guint i = 0; i < n; i++)
    {
      const PdPlanMessage *message = &self->messages[i];
      if (!is_wanted (step, message))
        continue;
      if (!any)
        pd_library_work_exchange (work);
      any = TRUE;
      if (message->send)
        pd_library_work_copy (work, message->bytes, message->runs);
    }
}

static void
unpack (PdSimulation *self, guint32 rank, const PdStepDvm *step)
{
  PdLibraryWork work = pd_library_work_begin (self);

  if (!work.packs)
    return;
  guint n = pd_cproc_list_messages (self, step->operation->plan, rank);
  for (guint i = 0; i < n; i++)
    if (!self->messages[i].send)
      pd_library_work_copy (&work, self->messages[i].bytes, self->messages[i].runs);
  pd_cproc_do_library_work (self, rank, step->node, &work);
}

/* The messages of an exchange as a whole: the work on all that are sent, or on
 * all that have come. */
static void
pack_all (PdLibraryWork *work, gint64 n, gint64 bytes)
{
  if (n > 0)
    pd_library_work_copy (work, bytes, n);
}

static gboolean
wait_as_a_whole (PdSimulation *self, guint32 rank, const PdStepDvm *step)
{
  const PdStepOperation *operation = step->operation;
  PdCProc *proc = &self->procs[rank];
  const PdAggregate *aggregate = operation->aggregate;
  PdTraffic own;

  pd_plan_get_traffic (operation->plan, rank, &own);
  if (own.n_sent + own.n_received == 0)
    return TRUE;
  if (proc->phase == 2)
    {
      PdCall call = pd_cproc_call (self, rank);
      PdTime duration = pd_comsys_get_exchange_time (&aggregate->costs, &own, &aggregate->all);
      proc->phase = 3;
      pd_comsys_exchange (self->context.comsys, &call, aggregate->comm, &own, duration);
    }
  if (!pd_cproc_returned (self, rank))
    return FALSE;
  PdLibraryWork work = pd_library_work_begin (self);
  pack_all (&work, own.n_received, own.bytes_received);
  pd_cproc_do_library_work (self, rank, step->node, &work);
  return TRUE;
}

void
pd_cproc_prepare_exchange (PdSimulation *self, guint32 rank, const PdStepDvm *step)
{
  const PdStepOperation *operation = step->operation;
  PdLibraryWork work = pd_library_work_begin (self);
  PdTraffic own;

  if (work.software == NULL)
    return;
  if (operation->aggregate == NULL)
    prepare (self, rank, step, &work);
  else
    {
      pd_plan_get_traffic (operation->plan, rank, &own);
      if (own.n_sent + own.n_received > 0)
        pd_library_work_exchange (&work);
      pack_all (&work, own.n_sent, own.bytes_sent);
    }
  work_locally (&work, operation->plan, rank);
  pd_cproc_do_library_work (self, rank, step->node, &work);
}

/* Distance of prefetching in a list of many messages. */
#define FAR  4
#define NEAR 2

static inline void
expect_later (const PdSimulation *self, guint32 rank, const PdStepOperation *operation,
              const PdPlanMessage *messages, guint n)
{
  if (n > NEAR)
    pd_comsys_expect_message (self->context.comsys, rank, messages[NEAR].peer, operation->tag,
                              messages[NEAR].send, TRUE);
  if (n > FAR)
    pd_comsys_expect_message (self->context.comsys, rank, messages[FAR].peer, operation->tag,
                              messages[FAR].send, FALSE);
}

gboolean
pd_cproc_exchange_start (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdCProc *proc = &self->procs[rank];
  PdStepOperation *operation = step->operation;
  guint n;

  if (operation->aggregate != NULL)
    return TRUE;
  const PdPlanMessage *messages = get_messages (self, operation->plan, rank, &n);

  if (proc->index == 0)
    for (guint i = 0; i < n; i++)
      pd_comsys_expect (self->context.comsys, messages[i].peer);
  while (proc->index < n)
    {
      const PdPlanMessage *message = &messages[proc->index];
      if (proc->list != NULL)
        expect_later (self, rank, operation, messages + proc->index, n - proc->index);
      if (!is_wanted (step, message))
        proc->index++;
      else if (!pd_cproc_start_message (self, rank, self->world, &operation->bundles[linear],
                                        message, operation->tag))
        return FALSE;
    }
  g_clear_pointer (&proc->list, g_free);
  return TRUE;
}

gboolean
pd_cproc_exchange_wait (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  if (step->operation->aggregate != NULL)
    return wait_as_a_whole (self, rank, step);
  if (self->procs[rank].phase == 2)
    pd_cproc_wait_for_bundle (self, rank, &step->operation->bundles[linear]);
  if (!pd_cproc_returned (self, rank))
    return FALSE;
  if ((step->flags & PD_STEP_SENDS) == 0)
    unpack (self, rank, step);
  return TRUE;
}

gboolean
pd_cproc_passes_by (const PdStepDvm *step, guint32 rank)
{
  const PdStepOperation *operation = step->operation;
  PdPlanLocal local;

  if (step->kind != PD_STEP_KIND_EXCHANGE_START && step->kind != PD_STEP_KIND_EXCHANGE_WAIT)
    return FALSE;
  if (operation->plan == NULL || operation->aggregate != NULL
      || pd_plan_get_max (operation->plan, rank) > 0)
    return FALSE;
  pd_plan_get_local (operation->plan, rank, &local);
  return local.copied == 0 && local.touched == 0;
}
