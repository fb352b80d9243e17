/* A loop executed as a pipeline: each processor computes its iterations in
 * portions, needs the edge of a portion from its predecessors before, and sends
 * its own to its successors after it. The edge of
 * the next portion is received while one is computed, that of the one before is
 * on its way.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/simulate/pd-simulation-private.h"
#include "predictor/dvm/simulate/pd-cproc-exchange-private.h"
#include "predictor/dvm/simulate/pd-cproc-library-private.h"
#include "predictor/dvm/simulate/pd-cproc-loop-private.h"
#include "predictor/dvm/simulate/pd-cproc-pipeline-private.h"
#include "predictor/dvm/simulate/pd-cproc-private.h"
#include "predictor/dvm/simulate/pd-operation-private.h"

/* The phases of each portion, and of the end after the last one. */
enum
{
  WAIT_SENT, /* for the edge of the last portion but two */
  SEND,      /* the edge of the last portion */
  RECV_FIRST,
  WAIT, /* for the portion's own edge; in the end, for the last one sent */
  RECV_NEXT,
  COMPUTE,
  N_STAGES
};

typedef struct
{
  PdSimulation *self;
  PdCProc *proc;
  const PdStepDvm *step;
  guint32 rank;
  gint64 n_portions;
  PdBundle *recvs;
  PdBundle *sends;
} Pipe;

/* Each stage has two phases: to be begun; what comes before the first message is
 * done, or a call has not returned. */
enum
{
  BEGIN,
  UNDER_WAY,
  N_PHASES
};

#define FIRST_PHASE 2

static guint
get_phase (const Pipe *pipe)
{
  return (pipe->proc->phase - FIRST_PHASE) % N_PHASES;
}

/* The processor's messages of a portion, in the simulation's list. */
static guint
list_portion (const Pipe *pipe, gint64 portion)
{
  PdPlanMessage *messages;
  PdPortion part = pd_portions_get (&pipe->step->work->portions, portion);
  guint n = pd_cproc_list_messages (pipe->self, pipe->step->operation->plan, pipe->rank);

  messages = pipe->self->messages;
  for (guint i = 0; i < n; i++)
    {
      messages[i].bytes *= part.n;
      messages[i].runs *= part.runs;
    }
  return n;
}

/* The work of the library before the first of @n messages in one direction: it
 * packs all messages to be sent. */
static void
prepare (const Pipe *pipe, guint n, gboolean send)
{
  PdLibraryWork work = pd_library_work_begin (pipe->self);
  gboolean any = FALSE;

  for (guint i = 0; i < n && work.software != NULL; i++)
    {
      const PdPlanMessage *message = &pipe->self->messages[i];
      if (message->send != send)
        continue;
      if (!any)
        pd_library_work_exchange (&work);
      any = TRUE;
      if (send)
        pd_library_work_copy (&work, message->bytes, message->runs);
    }
  pd_cproc_do_library_work (pipe->self, pipe->rank, pipe->step->node, &work);
  pipe->proc->phase += UNDER_WAY - BEGIN;
}

/* Starts what @portion has to send or to receive. */
static gboolean
transfer (const Pipe *pipe, gint64 portion, gboolean send)
{
  PdCProc *proc = pipe->proc;
  guint n = list_portion (pipe, portion);

  if (get_phase (pipe) == BEGIN)
    prepare (pipe, n, send);
  while (proc->index < n)
    {
      PdPlanMessage message = pipe->self->messages[proc->index];
      if (message.send != send)
        proc->index++;
      else if (!pd_cproc_may_act (pipe->self, pipe->rank)
               || !pd_cproc_start_message (pipe->self, pipe->rank, pipe->self->world,
                                           send ? pipe->sends : pipe->recvs, &message,
                                           pipe->step->operation->tag))
        return FALSE;
    }
  return TRUE;
}

/* Without requests there is nothing to wait for, and no call. */
static gboolean
wait_for (const Pipe *pipe, PdBundle *bundle)
{
  if (get_phase (pipe) == BEGIN)
    {
      if (bundle->first == PD_REQUEST_NULL)
        return TRUE;
      if (!pd_cproc_may_act (pipe->self, pipe->rank))
        return FALSE;
      pd_cproc_wait_for_bundle (pipe->self, pipe->rank, bundle);
    }
  return pd_cproc_returned (pipe->self, pipe->rank);
}

/* Waits for the edge of @portion, and unpacks it. */
static gboolean
take_edge (const Pipe *pipe, gint64 portion)
{
  PdLibraryWork work = pd_library_work_begin (pipe->self);

  if (!wait_for (pipe, pipe->recvs))
    return FALSE;
  pd_operation_charge_waits (pipe->self, pipe->rank, pipe->step, portion + 1);
  guint n = work.software == NULL ? 0 : list_portion (pipe, portion);
  for (guint i = 0; i < n; i++)
    {
      const PdPlanMessage *message = &pipe->self->messages[i];
      if (!message->send)
        pd_library_work_copy (&work, message->bytes, message->runs);
    }
  pd_cproc_do_library_work (pipe->self, pipe->rank, pipe->step->node, &work);
  return TRUE;
}

static void
compute (const Pipe *pipe, gint64 portion)
{
  const PdLoopWork *work = pipe->step->work;
  const PdPortions *portions = &work->portions;
  PdPortion part = pd_portions_get (portions, portion);
  PdPiece piece = { part.before, part.before + part.n,
                    portions->iterations[0] * portions->iterations[1] };

  pd_cproc_iterate (pipe->self, pipe->rank, work, &piece, portion == 0);
}

/* Goes on with one stage; FALSE if the processor is blocked or queued. */
static gboolean
perform_stage (const Pipe *pipe, guint stage)
{
  gint64 portion = pipe->proc->portion;
  gboolean is_over = portion == pipe->n_portions;

  switch (stage)
    {
    case WAIT_SENT:
      return portion < 2 || wait_for (pipe, pipe->sends);
    case SEND:
      return portion < 1 || transfer (pipe, portion - 1, TRUE);
    case RECV_FIRST:
      return portion > 0 || transfer (pipe, 0, FALSE);
    case WAIT:
      return is_over ? wait_for (pipe, pipe->sends) : take_edge (pipe, portion);
    case RECV_NEXT:
      return portion + 1 >= pipe->n_portions || transfer (pipe, portion + 1, FALSE);
    case COMPUTE:
    default:
      if (!is_over)
        compute (pipe, portion);
      return TRUE;
    }
}

gboolean
pd_cproc_pipeline (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdStepOperation *operation = step->operation;
  PdCProc *proc = &self->procs[rank];

  if (operation->sends == NULL)
    operation->sends = g_new0 (PdBundle, operation->team->n);
  Pipe pipe = { .self = self,
                .proc = proc,
                .step = step,
                .rank = rank,
                .n_portions = pd_portions_get_count (&step->work->portions),
                .recvs = &operation->bundles[linear],
                .sends = &operation->sends[linear] };
  for (; proc->portion <= pipe.n_portions; proc->portion++, proc->phase = FIRST_PHASE)
    while (proc->phase < FIRST_PHASE + N_PHASES * N_STAGES)
      {
        guint stage = (proc->phase - FIRST_PHASE) / N_PHASES;
        if (!perform_stage (&pipe, stage))
          return FALSE;
        proc->phase = FIRST_PHASE + N_PHASES * (stage + 1);
        proc->index = 0;
      }
  proc->portion = 0;
  return TRUE;
}
