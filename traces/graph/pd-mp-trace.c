/* A trace in memory: a program or a graph.
 * SPDX-License-Identifier: MIT */
#include "traces/graph/pd-mp-trace.h"

#include "traces/graph/pd-graph.h"

guint32
pd_mp_trace_get_n_ranks (const PdMpTrace *self)
{
  return self->graph != NULL ? pd_graph_get_n_ranks (self->graph)
                             : pd_program_get_n_ranks (self->program);
}

gdouble
pd_mp_trace_get_share (const PdMpTrace *self)
{
  if (!self->incomplete)
    return 1;
  gdouble share = self->program != NULL ? pd_program_get_recorded_share (self->program) : 1;
  return share < 1 ? share : 0;
}

void
pd_mp_trace_free (PdMpTrace *self)
{
  if (self == NULL)
    return;
  pd_program_free (self->program);
  pd_graph_free (self->graph);
  g_clear_pointer (&self->parts, g_ptr_array_unref);
  g_free (self);
}
