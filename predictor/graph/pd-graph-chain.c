/* SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-graph-chain.h"

#define PS_PER_NS 1000

/* The distance over which a join looks for the start of an operation whose end it waits for. */
#define NEAR 4

void
pd_graph_chain_init (PdGraphChain *self, PdGraphBuilder *builder)
{
  *self = (PdGraphChain){ .builder = builder,
                          .front = g_array_new (FALSE, FALSE, sizeof (PdGraphLink)) };
}

void
pd_graph_chain_clear (PdGraphChain *self)
{
  g_array_unref (self->front);
}

void
pd_graph_chain_restart (PdGraphChain *self)
{
  g_array_set_size (self->front, 0);
  self->owed_ps = 0;
  self->n_open = 0;
}

static guint32
add (PdGraphChain *self, const PdGraphOp *op)
{
  guint32 index = pd_graph_builder_add (self->builder, op);

  for (guint i = 0; i < self->front->len; i++)
    {
      const PdGraphLink *link = &g_array_index (self->front, PdGraphLink, i);
      pd_graph_builder_depend (self->builder, index, link->op, link->on_start);
    }
  return index;
}

void
pd_graph_chain_flush (PdGraphChain *self)
{
  PdGraphOp op = { .kind = PD_GRAPH_CALC, .size = self->owed_ps / PS_PER_NS };

  if (op.size == 0)
    return;
  self->owed_ps -= op.size * PS_PER_NS;
  pd_graph_chain_follow (self, add (self, &op), FALSE);
  self->n_open = 0;
}

void
pd_graph_chain_end (PdGraphChain *self)
{
  PdGraphOp op = { .kind = PD_GRAPH_CALC };

  pd_graph_chain_flush (self);
  if (self->n_open > 0)
    add (self, &op);
}

void
pd_graph_chain_compute (PdGraphChain *self, PdTime time)
{
  if (self->owed_ps > G_MAXINT64 - time.ps)
    pd_graph_chain_flush (self);
  self->owed_ps += time.ps;
}

guint32
pd_graph_chain_add (PdGraphChain *self, const PdGraphOp *op)
{
  pd_graph_chain_flush (self);
  return add (self, op);
}

void
pd_graph_chain_follow (PdGraphChain *self, guint32 op, gboolean on_start)
{
  PdGraphLink link = { op, on_start };

  self->n_open = !on_start;
  g_array_set_size (self->front, 0);
  g_array_append_val (self->front, link);
}

void
pd_graph_chain_join (PdGraphChain *self, PdGraphLink link)
{
  self->n_open++;
  /* the end of an operation is after its start */
  for (guint i = 0; i < MIN (self->front->len, NEAR); i++)
    {
      PdGraphLink *near = &g_array_index (self->front, PdGraphLink, i);
      if (near->op == link.op)
        {
          near->on_start = near->on_start && link.on_start;
          return;
        }
    }
  g_array_append_val (self->front, link);
}

void
pd_graph_chain_fork (PdGraphChain *self, const PdGraphChain *from)
{
  g_array_set_size (self->front, 0);
  if (from->front->len > 0)
    g_array_append_vals (self->front, from->front->data, from->front->len);
  self->owed_ps = 0;
}
