/* What the ranks of a dependency graph do, for its timeline: while an operation keeps a
 * CPU. Of a rank with one CPU the rest is waiting; those of several work, and wait, at
 * once.
 * SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-graph-run-private.h"
#include "predictor/graph/pd-graph-timeline-private.h"

static PdTimelineWhat
name_kind (PdGraphRun *self, PdGraphKind kind)
{
  static const struct
  {
    const char *name;
    PdTimelineState state;
  } kinds[PD_GRAPH_N_KINDS] = {
    [PD_GRAPH_CALC] = { "calc", PD_TL_COMPUTE },
    [PD_GRAPH_SEND] = { "send", PD_TL_SEND },
    [PD_GRAPH_RECV] = { "recv", PD_TL_RECEIVE },
  };

  return pd_timeline_source_name (self->params->timeline, kinds[kind].name, kinds[kind].state);
}

static void
notify_waiting (PdGraphRun *self, guint32 rank, PdTime until)
{
  PdTimelineSource *source = self->params->timeline;

  if (pd_timeline_source_get_time (source, rank).ps >= until.ps)
    return;
  pd_timeline_source_notify (source, rank, pd_timeline_source_name (source, "waiting", PD_TL_WAIT),
                             until);
}

void
pd_graph_timeline_keep (PdGraphRun *self, guint32 rank, PdGraphKind kind, PdTime since,
                        PdTime until)
{
  notify_waiting (self, rank, since);
  pd_timeline_source_call (self->params->timeline, rank, name_kind (self, kind), until);
}

void
pd_graph_timeline_begin_op (PdGraphRun *self, guint32 rank, const PdGraphCpu *cpu, guint32 op)
{
  const PdGraphRank *r = &self->ranks[rank];
  PdGraphKind kind = pd_graph_cell_decode (&self->cells[r->first + op], self->wide).kind;

  if (r->n_cpus == 1)
    {
      pd_graph_timeline_keep (self, rank, kind, self->clock, r->ret);
      return;
    }
  PdTimelineWhat what = name_kind (self, kind);
  pd_timeline_source_slice (self->params->timeline,
                            &(PdTimelineSlice){ .begin = self->clock,
                                                .end = r->ret,
                                                .rank = rank,
                                                .region = what.region,
                                                .state = (guint8) what.state,
                                                .cpu = cpu->number });
}

void
pd_graph_timeline_end (PdGraphRun *self)
{
  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    {
      PdTime end = PD_TIME (self->ranks[rank].end);
      if (self->ranks[rank].n_cpus == 1)
        notify_waiting (self, rank, end);
      pd_timeline_source_end (self->params->timeline, rank, end);
    }
}
