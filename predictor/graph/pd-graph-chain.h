/* Writing a sequence of calls as a graph: a chain remembers what the next
 * operation has to wait for.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_CHAIN_H
#define PD_GRAPH_CHAIN_H

#include "base/pd-time.h"
#include "traces/graph/pd-graph.h"

/* A wait for the start or the end of an operation. */
typedef struct
{
  guint32 op;
  gboolean on_start;
} PdGraphLink;

/* By value, begun by pd_graph_chain_init(). */
typedef struct
{
  PdGraphBuilder *builder;
  GArray *front;  /* PdGraphLink: what the next operation waits for */
  gint64 owed_ps; /* computed, but not written so far */
  guint n_open;   /* ends of messages in @front */
} PdGraphChain;

/**
 * pd_graph_chain_init:
 * @self: (out caller-allocated): waits for nothing; free with
 *   pd_graph_chain_clear()
 * @builder: where operations go, of the current rank
 */
void pd_graph_chain_init (PdGraphChain *self, PdGraphBuilder *builder);

/**
 * pd_graph_chain_clear:
 * @self: its memory is released
 */
void pd_graph_chain_clear (PdGraphChain *self);

/**
 * pd_graph_chain_restart:
 * The chain waits for nothing again.
 */
void pd_graph_chain_restart (PdGraphChain *self);

/**
 * pd_graph_chain_compute:
 * @time: computation, not negative
 *
 * Is written with the next operation, in whole nanoseconds; the rest is kept
 * for the next time, so that no sum is ever wrong by one.
 */
void pd_graph_chain_compute (PdGraphChain *self, PdTime time);

/**
 * pd_graph_chain_flush:
 * Writes the computation so far.
 */
void pd_graph_chain_flush (PdGraphChain *self);

/**
 * pd_graph_chain_end:
 * Writes the remaining computation, and an operation of no time after the last
 * dependency: the end of a rank is the end of its last operation.
 */
void pd_graph_chain_end (PdGraphChain *self);

/**
 * pd_graph_chain_add:
 * @op: a message; copied
 *
 * Adds @op after the computation so far. The chain itself does not wait for it.
 *
 * Returns: its index.
 */
guint32 pd_graph_chain_add (PdGraphChain *self, const PdGraphOp *op);

/**
 * pd_graph_chain_follow:
 * @op: an operation that the chain has added: all it waited for is met then
 * @on_start: what follows waits for its start only
 */
void pd_graph_chain_follow (PdGraphChain *self, guint32 op, gboolean on_start);

/**
 * pd_graph_chain_join:
 * @link: what follows waits for that, too
 */
void pd_graph_chain_join (PdGraphChain *self, PdGraphLink link);

/**
 * pd_graph_chain_fork:
 * @from: a chain with nothing owed
 *
 * @self waits for what @from waits for.
 */
void pd_graph_chain_fork (PdGraphChain *self, const PdGraphChain *from);

#endif
