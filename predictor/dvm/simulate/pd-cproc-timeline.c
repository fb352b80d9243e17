/* What the processors of a DVM program do, for its timeline: what they compute, as they
 * do; the rest of a step is what it waits or communicates for, in the name of its record.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/simulate/pd-cproc-timeline-private.h"

/* What a step does while it does not compute. A hole: nothing, so that messages that
 * arrived have kept the processor. */
static const struct
{
  gboolean is_notified;
  PdTimelineState state;
} kinds[PD_N_STEP_KINDS] = {
  [PD_STEP_KIND_PIPELINE] = { TRUE, PD_TL_WAIT },
  [PD_STEP_KIND_EXCHANGE_START] = { TRUE, PD_TL_SEND },
  [PD_STEP_KIND_EXCHANGE_WAIT] = { TRUE, PD_TL_WAIT },
  [PD_STEP_KIND_COLLECTIVE] = { TRUE, PD_TL_COLLECTIVE },
  [PD_STEP_KIND_STAR_START] = { TRUE, PD_TL_SEND },
  [PD_STEP_KIND_STAR_WAIT] = { TRUE, PD_TL_WAIT },
  [PD_STEP_KIND_COLLECT] = { TRUE, PD_TL_COLLECTIVE },
  [PD_STEP_KIND_DEAL] = { TRUE, PD_TL_COLLECTIVE },
  [PD_STEP_KIND_FILE_IO] = { TRUE, PD_TL_IO },
};

/* Since what was told last the processor was in @step, and did not compute. */
static void
notify_rest (PdSimulation *self, guint32 rank, const PdStepDvm *step, PdTime until)
{
  PdTimelineSource *source = self->context.timeline;
  PdTime since = pd_timeline_source_get_time (source, rank);
  gboolean is_notified = kinds[step->kind].is_notified;

  if (since.ps >= until.ps)
    return;
  pd_timeline_source_move (source, rank, step->node, since);
  pd_timeline_source_notify (
      source, rank,
      pd_timeline_source_name (source, is_notified ? step->name : "arriving messages",
                               is_notified ? kinds[step->kind].state : PD_TL_RECEIVE),
      until);
}

void
pd_cproc_notify_work (PdSimulation *self, guint32 rank, guint32 node, PdTime since)
{
  PdTimelineSource *source = self->context.timeline;
  const PdStepDvm *step = self->step;
  gboolean is_loop = step->work != NULL;
  PdTime until = self->procs[rank].clock;

  notify_rest (self, rank, step, since);
  if (since.ps >= until.ps)
    return;
  pd_timeline_source_move (source, rank, node, since);
  pd_timeline_source_notify (
      source, rank,
      pd_timeline_source_name (source, is_loop ? "parallel loop" : "compute", PD_TL_COMPUTE),
      until);
}

void
pd_cproc_notify_step (PdSimulation *self, guint32 rank, const PdStepDvm *step)
{
  notify_rest (self, rank, step, self->procs[rank].clock);
}

void
pd_cproc_notify_end (PdSimulation *self, guint32 rank)
{
  PdTimelineSource *source = self->context.timeline;
  PdTime end = self->procs[rank].clock;

  pd_timeline_source_notify (
      source, rank, pd_timeline_source_name (source, "arriving messages", PD_TL_RECEIVE), end);
  pd_timeline_source_end (source, rank, end);
}
