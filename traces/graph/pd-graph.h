/* Dependency graphs of message-passing programs: what each rank computes,
 * sends and receives, and which operation waits for which, as in GOAL files.
 * One compact form: 16 bytes for an operation, 4 for a dependency, none for
 * a dependency of an operation on the one before it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_H
#define PD_GRAPH_H

#include "base/pd-time.h"

#define PD_GRAPH_ERROR (pd_graph_error_quark ())
typedef enum
{
  PD_GRAPH_ERROR_LIMIT,      /* more ranks, operations or dependencies than fit */
  PD_GRAPH_ERROR_VALUE,      /* a negative size */
  PD_GRAPH_ERROR_PEER,       /* a peer that is no rank */
  PD_GRAPH_ERROR_DEPENDENCY, /* on an operation that does not exist */
} PdGraphError;

/**
 * pd_graph_error_quark:
 * Returns: the domain of #PdGraphError.
 */
GQuark pd_graph_error_quark (void);

/* In the order in which operations that become ready together are entered. */
typedef enum
{
  PD_GRAPH_SEND,
  PD_GRAPH_RECV,
  PD_GRAPH_CALC,
  PD_GRAPH_N_KINDS,
} PdGraphKind;

#define PD_GRAPH_ANY G_MAXUINT32 /* source or tag of a receive; tag of a send: matches all */

#define PD_GRAPH_MAX_RANKS (1u << 30)
/* Ranks may be empty, but a claim of more ranks must be backed by operations. */
#define PD_GRAPH_RANKS_FOR_NOTHING (1u << 20)
#define PD_GRAPH_MAX_OPS           (G_MAXINT32 - 1)
#define PD_GRAPH_MAX_RANK_OPS      ((1 << 28) - 1) /* of one rank */

#define PD_GRAPH_SUCCESSOR_START 0x80000000u /* in the index of one: it waits for the start */

/* One operation, decoded. */
typedef struct
{
  PdGraphKind kind;
  gint64 size;  /* >= 0; bytes, or nanoseconds of PD_GRAPH_CALC */
  guint32 peer; /* rank; PD_GRAPH_ANY in receives; 0 in PD_GRAPH_CALC */
  guint32 tag;  /* PD_GRAPH_ANY or any other; 0 in PD_GRAPH_CALC */
  guint8 cpu;   /* of the rank, from 0 */
  guint8 nic;   /* likewise; 0 in PD_GRAPH_CALC */
} PdGraphOp;

/* Sums over all ranks. */
typedef struct
{
  guint64 n_ops;
  guint64 n_of[PD_GRAPH_N_KINDS];
  PdTimeSum n_sent;    /* bytes of all sends (in .ps) */
  guint64 n_edges;     /* dependencies that are stored; those on the operation before are not */
  guint64 n_roots;     /* operations that depend on nothing */
  guint64 n_bytes;     /* of memory that the graph takes */
  guint8 max_cpu;      /* highest number in use */
  guint8 max_nic;      /* likewise */
  gboolean joins;      /* some operation depends on two or more */
  gboolean starts;     /* some operation waits for the start of another */
  gboolean any_source; /* some receive has PD_GRAPH_ANY for a peer */
  gboolean any_tag;    /* some receive has PD_GRAPH_ANY for a tag */
  gboolean sends_any;  /* some send has PD_GRAPH_ANY for a tag */
} PdGraphTotals;

/* Immutable. */
typedef struct _PdGraph PdGraph;
typedef struct _PdGraphBuilder PdGraphBuilder;

/**
 * pd_graph_builder_new:
 * @n_ranks: of the graph
 *
 * Returns: (transfer full): a builder before the first rank. Its memory grows with
 *   added operations, not with @n_ranks.
 */
PdGraphBuilder *pd_graph_builder_new (guint32 n_ranks);

/**
 * pd_graph_builder_reserve:
 * @n_ops: operations that will be added, all in all
 * @n_dependencies: likewise
 *
 * Allocates for so many; more may be added. Saves time only.
 */
void pd_graph_builder_reserve (PdGraphBuilder *self, gsize n_ops, gsize n_dependencies);

/**
 * pd_graph_builder_free:
 * @self: (nullable): the builder
 */
void pd_graph_builder_free (PdGraphBuilder *self);

/**
 * pd_graph_builder_begin_rank:
 * @rank: less than n_ranks and more than the rank before; ranks in between
 *   stay empty
 *
 * Operations added from now on belong to @rank.
 */
void pd_graph_builder_begin_rank (PdGraphBuilder *self, guint32 rank);

/**
 * pd_graph_builder_add:
 * @op: copied; a value that cannot be is remembered for
 *   pd_graph_builder_finish()
 *
 * Returns: the index of @op in its rank, from 0.
 */
guint32 pd_graph_builder_add (PdGraphBuilder *self, const PdGraphOp *op);

/**
 * pd_graph_builder_depend:
 * @op: index in the current rank
 * @on: likewise; both may be added later
 * @on_start: @op waits for the start of @on, else for its end
 *
 * @op starts after @on. The operations that wait for the same one become
 * ready in the order of these calls, those that wait for its start first.
 */
void pd_graph_builder_depend (PdGraphBuilder *self, guint32 op, guint32 on, gboolean on_start);

/**
 * pd_graph_builder_set_successors:
 * @waits: (array): of each operation of the current rank, on how many others it depends
 * @ends: (array): of each one, where what depends on it ends in @successors; it begins where that
 * of the operation before ends
 * @successors: (array): the indexes of those that depend on the start of an operation, each with
 *   %PD_GRAPH_SUCCESSOR_START, then of those that depend on its end, in the order in which they
 *   become ready
 *
 * All dependencies of the current rank at once, instead of pd_graph_builder_depend(): all its
 * operations were added. The caller has checked the indexes, and that @waits counts them.
 */
void pd_graph_builder_set_successors (PdGraphBuilder *self, const guint32 *waits,
                                      const guint32 *ends, const guint32 *successors);

/**
 * pd_graph_builder_finish:
 * @self: (transfer full): freed also on an error
 * @error: return location for a #PdGraphError
 *
 * Returns: (transfer full): the graph, or %NULL at the first value that could
 *   not be, or if there are more than %PD_GRAPH_MAX_RANKS ranks, %PD_GRAPH_MAX_OPS operations,
 *   %PD_GRAPH_MAX_RANK_OPS of one rank, 2^32 - 2 dependencies, or many more ranks than operations.
 */
PdGraph *pd_graph_builder_finish (PdGraphBuilder *self, GError **error);

/**
 * pd_graph_free:
 * @self: (nullable): the graph
 */
void pd_graph_free (PdGraph *self);

/**
 * pd_graph_get_n_ranks:
 * Returns: the number of ranks, also of those without operations.
 */
guint32 pd_graph_get_n_ranks (const PdGraph *self);

/**
 * pd_graph_get_n_ops:
 * Returns: the number of operations of @rank.
 */
guint32 pd_graph_get_n_ops (const PdGraph *self, guint32 rank);

/**
 * pd_graph_get_op:
 * @i: less than pd_graph_get_n_ops()
 * @op: (out): operation @i of @rank
 */
void pd_graph_get_op (const PdGraph *self, guint32 rank, guint32 i, PdGraphOp *op);

/**
 * pd_graph_get_n_successors:
 * Returns: how many dependencies there are on operation @i of @rank.
 */
guint32 pd_graph_get_n_successors (const PdGraph *self, guint32 rank, guint32 i);

/**
 * pd_graph_get_successor:
 * @k: less than pd_graph_get_n_successors()
 * @on_start: (out): whether it waits for the start of @i only
 *
 * Returns: the index of the operation that waits for @i as number @k: first
 *   those that wait for its start, each sort in the order it was given in.
 */
guint32 pd_graph_get_successor (const PdGraph *self, guint32 rank, guint32 i, guint32 k,
                                gboolean *on_start);

/**
 * pd_graph_count_dependencies:
 * @counts: (array) (out caller-allocated): one for each operation of @rank
 *
 * Counts what each operation of @rank waits for at the start.
 */
void pd_graph_count_dependencies (const PdGraph *self, guint32 rank, guint32 *counts);

/**
 * pd_graph_get_totals:
 * Returns: (transfer none): sums over the graph.
 */
const PdGraphTotals *pd_graph_get_totals (const PdGraph *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdGraph, pd_graph_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdGraphBuilder, pd_graph_builder_free)

#endif
