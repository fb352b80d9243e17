/* The activity of the processors of a DVM program, for its timeline: computation, as it is
 * executed; the rest of a step is waiting or communication, with the name of its record.
 * SPDX-License-Identifier: MIT */
#include "predictor/common/pd-watch-timeline.h"
#include "predictor/dvm/simulate/pd-simulation.h"
#include "predictor/dvm/step/pd-step.h"

/* The activity of a step while it does not compute. A hole: none, so that arriving
 * messages have occupied the processor. */
static const struct
{
  gboolean is_notified;
  PdTimelineState state;
} kinds[PD_N_STEP_KINDS] = {
  [PD_STEP_KIND_PIPELINE] = { TRUE, PD_TL_WAIT },
  [PD_STEP_KIND_EXCHANGE_START] = { TRUE, PD_TL_SEND },
  [PD_STEP_KIND_EXCHANGE_WAIT] = { TRUE, PD_TL_WAIT },
  [PD_STEP_KIND_COLLECTIVE] = { TRUE, PD_TL_COLLECTIVE },
  [PD_STEP_KIND_COLLECTIVE_START] = { TRUE, PD_TL_COLLECTIVE },
  [PD_STEP_KIND_COLLECTIVE_WAIT] = { TRUE, PD_TL_COLLECTIVE },
  [PD_STEP_KIND_STAR_START] = { TRUE, PD_TL_SEND },
  [PD_STEP_KIND_STAR_WAIT] = { TRUE, PD_TL_WAIT },
  [PD_STEP_KIND_COLLECT] = { TRUE, PD_TL_COLLECTIVE },
  [PD_STEP_KIND_DEAL] = { TRUE, PD_TL_COLLECTIVE },
  [PD_STEP_KIND_FILE_IO] = { TRUE, PD_TL_IO },
};

/* Since the last notification the processor was in @step, and did not compute. */
static void
notify_rest (const PdTimelineWatcher *self, guint32 rank, const PdStepDvm *step, PdTime until)
{
  PdTime since = pd_timeline_source_get_time (self->source, rank);

  if (since.ps >= until.ps)
    return;
  pd_timeline_source_move (self->source, rank, step->node, since);
  if (kinds[step->kind].is_notified)
    pd_timeline_source_fill (self->source, rank, step->name, kinds[step->kind].state, until);
  else
    pd_timeline_watcher_fill (self, rank, until);
}

/* Whether most of the computation of a step is replicated. */
static gboolean
is_repeated (const PdStepDvm *step, guint32 rank, PdTime time)
{
  if (step->kind == PD_STEP_KIND_COMPUTE)
    return step->family->team->n > 1;
  return step->work != NULL
         && 2 * pd_loop_work_get_redundant (step->work, rank, time).ps >= time.ps;
}

/* PdTimelineRun.what points to the step of the acting processor. */
static void
notify_work (gpointer data, const PdSpan *span)
{
  const PdTimelineWatcher *self = data;
  const PdStepDvm *step = self->run.what;

  if (span->kind != PD_SPAN_COMPUTE)
    return;
  notify_rest (self, span->rank, step, span->since);
  if (span->since.ps >= span->until.ps)
    return;
  pd_timeline_source_move (self->source, span->rank, span->node, span->since);
  gboolean is_again = is_repeated (step, span->rank, pd_time_sub (span->until, span->since));
  pd_timeline_source_fill (self->source, span->rank,
                           step->work != NULL ? "parallel loop"
                           : is_again         ? "repeated computation"
                                              : "compute",
                           is_again ? PD_TL_REPEATED : PD_TL_COMPUTE, span->until);
}

static void
keep_step (gpointer data, const PdDeed *deed)
{
  ((PdTimelineWatcher *) data)->run.what = deed->what;
}

static void
notify_step (gpointer data, const PdDeed *deed)
{
  notify_rest (data, deed->rank, deed->what, deed->end);
}

const PdWatcherClass pd_cproc_timeline = {
  .spent = notify_work,
  .is_at = keep_step,
  .done = notify_step,
  .finish = pd_timeline_watcher_finish,
  .free = pd_timeline_watcher_free,
};
