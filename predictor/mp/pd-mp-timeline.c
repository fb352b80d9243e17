/* What the ranks of a message-passing program do, for its timeline: every action is a
 * slice, and what is between them was spent on messages that arrived.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-state.h"
#include "predictor/mp/pd-mp-timeline-private.h"
#include "traces/program/pd-action.h"

/* Messages that arrive have kept the processor until @until. */
static void
notify_arrivals (PdMp *self, guint32 rank, PdTime until)
{
  PdTimelineSource *source = self->timeline;

  if (pd_timeline_source_get_time (source, rank).ps >= until.ps)
    return;
  pd_timeline_source_notify (
      source, rank, pd_timeline_source_name (source, "arriving messages", PD_TL_RECEIVE), until);
}

void
pd_mp_timeline_action (PdMp *self, guint32 rank, const PdProgramCell *cell, PdTime begin,
                       PdTime computed)
{
  PdTimelineSource *source = self->timeline;
  const PdMpRank *r = &self->ranks[rank];
  PdTime called = pd_time_sub (r->clock, computed);
  PdAction action;

  pd_action_read (cell, &action);
  notify_arrivals (self, rank, begin);
  if (action.kind == PD_ACT_ENTER || action.kind == PD_ACT_LEAVE)
    pd_timeline_source_move (source, rank, r->node, r->clock);
  if (action.kind >= PD_ACT_ENTER)
    return;
  PdTimelineWhat what = pd_timeline_source_name_action (source, self->program, &action);
  if (what.state == PD_TL_COMPUTE)
    {
      pd_timeline_source_notify (source, rank, what, r->clock);
      return;
    }
  pd_timeline_source_call (source, rank, what, called);
  if (computed.ps == 0)
    return;
  pd_timeline_source_notify (source, rank,
                             pd_timeline_source_name (source, "compute", PD_TL_COMPUTE), r->clock);
}

void
pd_mp_timeline_end (PdMp *self)
{
  for (guint32 rank = 0; rank < self->n; rank++)
    {
      notify_arrivals (self, rank, self->ranks[rank].clock);
      pd_timeline_source_end (self->timeline, rank, self->ranks[rank].clock);
    }
}
