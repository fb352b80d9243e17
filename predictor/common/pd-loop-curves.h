/* The cost of an iteration of a parallel loop by the bytes that a processor works on, from traces
 * of one program at several sizes.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LOOP_CURVES_H
#define PD_LOOP_CURVES_H

#include "base/pd-time.h"

/* The loops of one trace, in the order in which they are executed first. */
typedef struct _PdLoopCosts PdLoopCosts;

/**
 * pd_loop_costs_new:
 * Returns: (transfer full): of no loops yet.
 */
PdLoopCosts *pd_loop_costs_new (void);

/**
 * pd_loop_costs_add:
 * @file: where the loop is
 * @line: likewise
 * @bytes: that it works on, > 0
 * @iterations: > 0
 * @time: of one execution on one processor
 */
void pd_loop_costs_add (PdLoopCosts *self, const char *file, gint64 line, gint64 bytes,
                        gint64 iterations, PdTime time);

/**
 * pd_loop_costs_is_empty:
 * Returns: whether it has no loops.
 */
gboolean pd_loop_costs_is_empty (const PdLoopCosts *self);

/**
 * pd_loop_costs_free:
 * @self: (nullable): the costs
 */
void pd_loop_costs_free (PdLoopCosts *self);

/* Their curves. Immutable, may be shared by threads. */
typedef struct _PdLoopCurves PdLoopCurves;

/**
 * pd_loop_curves_new:
 * @costs: (array length=n): of each trace; the first one is the trace that is predicted
 * @n: at least 1
 *
 * Loops are those of the same line; or, where as many loops are executed, those that are first
 * executed in the same order. Points are medians of executions on about as many bytes, those of a
 * half power of two.
 *
 * Returns: (transfer full): the curves.
 */
PdLoopCurves *pd_loop_curves_new (PdLoopCosts *const *costs, guint n);

/* By how much an iteration costs more, both > 0. */
typedef struct
{
  gdouble low;
  gdouble high;
} PdCostFactor;

/**
 * pd_loop_curves_get_factor:
 * @file: a loop of the first trace
 * @line: likewise
 * @from: bytes that it was recorded on, > 0
 * @to: bytes that a processor works on, > 0
 *
 * Between two points the cost is between theirs: where caches are left there is a step, and nobody
 * knows where. Outside of them, and within a quarter of a power of two of a point, it is that of
 * the nearest one.
 *
 * Returns: by how much an iteration costs more on @to than on @from bytes; 1 where the loop was
 *   recorded on one size only.
 */
PdCostFactor pd_loop_curves_get_factor (const PdLoopCurves *self, const char *file, gint64 line,
                                        gdouble from, gdouble to);

/**
 * pd_loop_curves_count:
 * @n_loops: (out): loops of the first trace
 *
 * Returns: how many of them have a curve.
 */
guint pd_loop_curves_count (const PdLoopCurves *self, guint *n_loops);

/**
 * pd_loop_curves_free:
 * @self: (nullable): the curves
 */
void pd_loop_curves_free (PdLoopCurves *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdLoopCosts, pd_loop_costs_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdLoopCurves, pd_loop_curves_free)

#endif
