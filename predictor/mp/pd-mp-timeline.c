/* The activity of the ranks of a message-passing program, for its timeline: every action is a
 * slice; time between two of them was spent on arriving messages.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-watchers-private.h"
#include "traces/program/pd-action.h"

static void
move (gpointer data, guint32 rank, guint32 node, PdTime when)
{
  const PdTimelineWatcher *self = data;

  pd_timeline_watcher_fill (self, rank, when);
  pd_timeline_source_move (self->source, rank, node, when);
}

static void
notify (gpointer data, const PdDeed *deed)
{
  const PdTimelineWatcher *self = data;
  PdTimelineSource *source = self->source;
  PdAction action;

  pd_action_read (deed->what, &action);
  pd_timeline_watcher_fill (self, deed->rank, deed->begin);
  if (action.kind >= PD_ACT_ENTER)
    return;
  PdTimelineWhat what = pd_timeline_source_name_action (source, self->run.what, &action);
  if (what.state == PD_TL_COMPUTE)
    {
      pd_timeline_source_notify (source, deed->rank, what, deed->end);
      return;
    }
  pd_timeline_source_call (source, deed->rank, what, pd_time_sub (deed->end, deed->computed));
  pd_timeline_source_fill (source, deed->rank, "compute", PD_TL_COMPUTE, deed->end);
}

const PdWatcherClass pd_mp_timeline = {
  .moved = move,
  .done = notify,
  .finish = pd_timeline_watcher_finish,
  .free = pd_timeline_watcher_free,
};
