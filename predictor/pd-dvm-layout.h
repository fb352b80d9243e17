/* Processor grids, and who holds what: the layouts of templates, arrays and
 * parallel loops, and the neighbour messages that follow from them. Pure
 * functions of their arguments; nothing here knows of time or traces.
 * The formulas are Lib-DVM's, verified against the running library (spec 11).
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_LAYOUT_H
#define PD_DVM_LAYOUT_H

#include "base/pd-messages.h"
#include "predictor/pd-plan.h"

G_BEGIN_DECLS

#define PD_MAX_GRID_RANK 4 /* processor systems */
#define PD_MAX_RANK      7 /* arrays, templates, loops */

#define PD_LAYOUT_ERROR (pd_layout_error_quark ())
typedef enum
{
  PD_LAYOUT_ERROR_GRID,  /* a grid or sub-grid that cannot be */
  PD_LAYOUT_ERROR_RANK,  /* an axis beyond a rank or named twice, a rank beyond the maximum */
  PD_LAYOUT_ERROR_VALUE, /* a size, weight, coefficient or index out of range */
} PdLayoutError;

/**
 * pd_layout_error_quark:
 * Returns: the domain of #PdLayoutError.
 */
GQuark pd_layout_error_quark (void);

/* ---- processor systems */

/* A rectangular grid of processors, numbered row-major (the last dimension
 * varies fastest). Immutable and reference-counted. */
typedef struct _PdGrid PdGrid;

/**
 * pd_grid_new:
 * @rank: 1 to %PD_MAX_GRID_RANK
 * @sizes: (array length=rank): each >= 1; the product below 2^31
 * @error: return location for %PD_LAYOUT_ERROR_GRID
 *
 * Returns: (transfer full) (nullable): the initial grid: processor = linear number.
 */
PdGrid *pd_grid_new (guint rank, const gint64 *sizes, GError **error);

/**
 * pd_grid_new_part:
 * @parent: a grid
 * @first: (array): inclusive lower bounds, rank of @parent
 * @last: (array): inclusive upper bounds
 * @error: return location for %PD_LAYOUT_ERROR_GRID
 *
 * Returns: (transfer full) (nullable): the sub-grid of crtps_.
 */
PdGrid *pd_grid_new_part (PdGrid *parent, const gint64 *first, const gint64 *last, GError **error);

/**
 * pd_grid_new_view:
 * @parent: a grid
 * @rank: of the new grid
 * @sizes: (array length=rank): their product equals the size of @parent
 * @error: return location for %PD_LAYOUT_ERROR_GRID
 *
 * Returns: (transfer full) (nullable): the same processors in another shape (psview_).
 */
PdGrid *pd_grid_new_view (PdGrid *parent, guint rank, const gint64 *sizes, GError **error);

PdGrid *pd_grid_ref (PdGrid *self);
void pd_grid_unref (PdGrid *self);

/**
 * pd_grid_get_rank:
 * Returns: the number of dimensions.
 */
guint pd_grid_get_rank (const PdGrid *self);

/**
 * pd_grid_get_sizes:
 * Returns: (transfer none) (array): the size of each dimension.
 */
const guint32 *pd_grid_get_sizes (const PdGrid *self);

/**
 * pd_grid_get_n:
 * Returns: the number of processors.
 */
guint32 pd_grid_get_n (const PdGrid *self);

/**
 * pd_grid_get_processor:
 * @linear: less than pd_grid_get_n()
 *
 * Returns: the global number of the processor at @linear.
 */
guint32 pd_grid_get_processor (const PdGrid *self, guint32 linear);

/**
 * pd_grid_find:
 * @processor: a global processor number
 *
 * Returns: its linear number in this grid, or -1 if it is outside.
 */
gint64 pd_grid_find (const PdGrid *self, guint32 processor);

/**
 * pd_grid_get_coords:
 * @linear: less than pd_grid_get_n()
 * @coords: (array) (out caller-allocated): one per dimension
 */
void pd_grid_get_coords (const PdGrid *self, guint32 linear, guint32 *coords);

/**
 * pd_grid_get_linear:
 * Returns: the linear number of @coords, each within its dimension.
 */
guint32 pd_grid_get_linear (const PdGrid *self, const guint32 *coords);

/**
 * pd_grid_get_central:
 * Returns: the linear number of the central processor: coordinate size / 2 in
 *   every dimension (spec 11 section 2.3).
 */
guint32 pd_grid_get_central (const PdGrid *self);

/**
 * pd_grid_equal:
 * Returns: whether both are the same processors in the same order and shape.
 */
gboolean pd_grid_equal (const PdGrid *a, const PdGrid *b);

/**
 * pd_grid_normalise_weights:
 * @values: (array length=n) (nullable): CoordWeight of setpsw_: one weight, >= 0,
 *   per coordinate of dimension 0, then of dimension 1, and so on
 * @n: the sum of the sizes
 * @weights: (array) (out caller-allocated): %PD_MAX_GRID_RANK entries; on
 *   success new arrays of gdouble (transfer full), or all %NULL: unit weights
 * @error: return location for %PD_LAYOUT_ERROR_VALUE
 *
 * The smallest positive weight of every dimension becomes 1. %NULL, a first
 * value of 0 (the default) and of -1 mean unit weights, whatever follows and
 * whatever @n (spec 11 section 2.4). The result may be given as
 * PdBlockHints.weights: normalising again changes nothing.
 *
 * Returns: %FALSE if @n is not the sum of the sizes (so in every trace of one
 *   processor; unit weights are then to be used), a weight is negative or not
 *   finite, or a dimension has no positive one; all @weights are then %NULL.
 */
gboolean pd_grid_normalise_weights (const PdGrid *self, const gdouble *values, gsize n,
                                    GArray **weights, GError **error);

/**
 * pd_grid_scale_weights:
 * @powers: (array): speed of each processor, by linear number; finite, > 0
 * @weights: (array) (inout): %PD_MAX_GRID_RANK entries; the weights of each
 *   dimension, as of pd_grid_normalise_weights(); %NULL: all 1. New arrays of
 *   gdouble on return (transfer full), for every dimension of the grid
 *
 * Lets the weights of coordinates follow the speeds of processors, as the
 * run-time system does (spec 11 section 2.4). A dimension is uneven if along it
 * the speed of some processor and the mean of those before it on its line are
 * in a ratio of 0.85 or less; the weights of uneven dimensions are multiplied
 * by the mean over the processors of the coordinate of speed^(1/j), where j is
 * the number of such dimensions. The least positive weight of all becomes 1.
 */
void pd_grid_scale_weights (const PdGrid *self, const gdouble *powers, GArray **weights);

/* ---- distribution of a template (AMView) */

/* What has been said about a template before distr_: weights, GENBLOCK sizes,
 * multiple-block divisors. All optional. A list whose length is not the size of
 * its grid dimension is left out (see pd_layout_get_repairs()): it was meant
 * for another number of processors. */
typedef struct
{
  gint64 divisor[PD_MAX_RANK];                /* D of each template axis; 0 or 1 = none (blkdiv_) */
  GArray *weights[PD_MAX_GRID_RANK];          /* (nullable): gdouble, >= 0, per coordinate */
  GArray *sizes[PD_MAX_GRID_RANK];            /* (nullable): gint64 per coordinate: hard GENBLOCK
                                               * sizes; go before weights and divisor */
  gboolean weights_of_grid[PD_MAX_GRID_RANK]; /* the weights are those of the grid (setpsw_ without
                                               * AMView): not cut when their sum exceeds the size */
  gboolean weights_ready;                     /* the weights are used as they are: those of
                                               * pd_grid_scale_weights() */
} PdBlockHints;

/* distr_: one entry per grid dimension; dimensions from @n on are replicated. */
typedef struct
{
  guint n;            /* ParamCount, at most the rank of the grid */
  const gint64 *axes; /* AxisArray: a template axis from 1; 0 = replicated; -1 = constant */
  const gint64
      *params; /* DistrParamArray: block size, 0 = automatic; the coordinate, if constant */
} PdDistribution;

/* Where the elements of an object lie: per grid dimension one constraint
 * (spec 11 section 3.8). Immutable and reference-counted. Serves templates,
 * arrays, loops (after stepping) and buffers. */
typedef struct _PdLayout PdLayout;

typedef enum
{
  PD_HOLDS_ALL,   /* every coordinate holds everything */
  PD_HOLDS_RANGE, /* coordinate c holds indices lo[c]..hi[c] of one axis */
  PD_HOLDS_FIXED, /* one coordinate holds everything */
  PD_HOLDS_SET,   /* the coordinates of a bitmap hold everything */
} PdHolds;

/* What was put right in a distribution, for the caller to warn about. */
typedef enum
{
  PD_LAYOUT_BLOCK_CLIPPED = 1 << 0,    /* "block-clipped": a block reached beyond the end */
  PD_LAYOUT_GENBLOCK_IGNORED = 1 << 1, /* "genblock-ignored": sizes for another grid */
  PD_LAYOUT_WEIGHTS_IGNORED = 1 << 2,  /* "weights-ignored": weights for another grid */
} PdLayoutRepair;

/**
 * pd_layout_new_distributed:
 * @grid: the processor system
 * @rank: of the template, 1 to %PD_MAX_RANK
 * @sizes: (array length=rank): of the template, >= 1; the product below 2^63
 * @distribution: the parameters of distr_
 * @hints: (nullable): weights, sizes and divisors
 * @error: return location for a #PdLayoutError
 *
 * distr_: the exact block formula of spec 11 section 3.2, IEEE double in the
 * order given there, and sections 3.3, 3.4. Every element gets exactly one
 * owner along each distributed axis: where the run-time system loses the
 * elements of a block that reaches beyond the end, the block is clipped.
 *
 * Errors: RANK: @rank, an axis or ParamCount too large, an axis named twice;
 * VALUE: a size, parameter, weight or divisor out of range, a block size below
 * size / total weight (refused by distr_), a divisor that does not divide the
 * size, GENBLOCK sizes that do not add up to it.
 *
 * Returns: (transfer full) (nullable): the layout of the template.
 */
PdLayout *pd_layout_new_distributed (PdGrid *grid, guint rank, const gint64 *sizes,
                                     const PdDistribution *distribution, const PdBlockHints *hints,
                                     GError **error);

/**
 * pd_layout_get_repairs:
 * Returns: the #PdLayoutRepair bits of the distribution; 0 of aligned objects.
 */
guint pd_layout_get_repairs (const PdLayout *self);

/**
 * pd_layout_weights_from_loads:
 * @loads: (array length=n): of the elements of an axis, each >= 0 and finite
 * @n: the size of the axis, at least @n_weights
 * @n_weights: the size of the grid dimension, >= 1
 * @error: return location for %PD_LAYOUT_ERROR_VALUE
 *
 * setelw_ (spec 11 section 3.5): the least W, to 0.001, such that groups of
 * consecutive elements with sums <= W, filled greedily, number at most @n_weights.
 *
 * Returns: (transfer full) (nullable): the number of elements of each group, as
 *   gdouble: PdBlockHints.weights of that dimension.
 */
GArray *pd_layout_weights_from_loads (const gdouble *loads, gsize n, guint n_weights,
                                      GError **error);

/* Rules of align_, mappl_: one entry per axis of the pattern. */
typedef struct
{
  guint n;              /* rank of the pattern */
  const gint64 *axes;   /* AxisArray: axis of the aligned object from 1; -1 = replicated */
  const gint64 *coeffs; /* CoeffArray; 0 = constant (unless the axis is -1) */
  const gint64 *consts; /* ConstArray */
} PdAlignment;

/**
 * pd_layout_new_aligned:
 * @pattern: a template's or an array's layout
 * @rank: of the array
 * @sizes: (array length=rank): of the array
 * @alignment: the rules
 * @error: return location for a #PdLayoutError
 *
 * align_: composition and local parts of spec 11 sections 4.1 to 4.3.
 *
 * Errors: RANK: @rank, an axis, or the number of rules (not the rank of the
 * pattern); an axis named twice; VALUE: a size, a product of sizes or of
 * coefficients out of range, a place outside the pattern.
 *
 * Returns: (transfer full) (nullable): the layout of the array.
 */
PdLayout *pd_layout_new_aligned (PdLayout *pattern, guint rank, const gint64 *sizes,
                                 const PdAlignment *alignment, GError **error);

/**
 * pd_layout_new_redistributed:
 * @self: an aligned array's layout
 * @template_layout: the new layout of the template it is aligned on
 *
 * Returns: (transfer full): the layout of the same array, by its unchanged
 *   alignment, on @template_layout (redis_, spec 11 section 3.7).
 */
PdLayout *pd_layout_new_redistributed (const PdLayout *self, PdLayout *template_layout);

/**
 * pd_layout_new_on:
 * @grid: another grid
 * @error: return location for a #PdLayoutError, where a constant coordinate
 *   lies outside of @grid
 *
 * Returns: (transfer full): what the same directives make on @grid, in even
 *   blocks: block sizes, divisors and weights do not count.
 */
PdLayout *pd_layout_new_on (const PdLayout *self, PdGrid *grid, GError **error);

PdLayout *pd_layout_ref (PdLayout *self);
void pd_layout_unref (PdLayout *self);

/**
 * pd_layout_get_grid:
 * Returns: (transfer none): the processor system.
 */
PdGrid *pd_layout_get_grid (const PdLayout *self);

/**
 * pd_layout_get_rank:
 * Returns: the rank of the object.
 */
guint pd_layout_get_rank (const PdLayout *self);

/**
 * pd_layout_get_sizes:
 * Returns: (transfer none) (array): the size of each axis.
 */
const gint64 *pd_layout_get_sizes (const PdLayout *self);

/**
 * pd_layout_holds:
 * @dim: a grid dimension
 * @axis: (out) (optional): the axis, for %PD_HOLDS_RANGE
 *
 * Returns: the constraint of that grid dimension.
 */
PdHolds pd_layout_holds (const PdLayout *self, guint dim, guint *axis);

/**
 * pd_layout_get_local:
 * @linear: a linear processor number of the grid
 * @lo: (array) (out caller-allocated): first local index of each axis
 * @hi: (array) (out caller-allocated): last local index of each axis
 *
 * Returns: whether that processor holds anything; else @lo, @hi are undefined.
 */
gboolean pd_layout_get_local (const PdLayout *self, guint32 linear, gint64 *lo, gint64 *hi);

/**
 * pd_layout_get_local_count:
 * @linear: a linear processor number of the grid
 *
 * Returns: the number of elements that processor holds, 0 if none. Of a loop's
 *   layout: the elements of its unit-step box; see pd_loop_get_local().
 */
gint64 pd_layout_get_local_count (const PdLayout *self, guint32 linear);

/**
 * pd_layout_get_range:
 * @dim: a grid dimension
 * @coord: a coordinate of it
 * @lo: (out) (optional): for %PD_HOLDS_RANGE, the first index of the axis
 * @hi: (out) (optional): for %PD_HOLDS_RANGE, the last index; @lo - 1 if empty
 *
 * The bounds of %PD_HOLDS_RANGE are monotone in @coord, empty ones included
 * (those of a loop with a step only where not empty).
 *
 * Returns: whether the constraint of @dim lets @coord hold anything.
 */
gboolean pd_layout_get_range (const PdLayout *self, guint dim, guint32 coord, gint64 *lo,
                              gint64 *hi);

/**
 * pd_layout_get_replication:
 * Returns: how many processors hold the same part as any one that holds
 *   something (spec 11 section 5.3): the product of the dimensions that are
 *   %PD_HOLDS_ALL (size) and %PD_HOLDS_SET (number of bits).
 */
guint32 pd_layout_get_replication (const PdLayout *self);

/**
 * pd_layout_reduction_split:
 * @split_dim: (array) (out caller-allocated): %PD_MAX_GRID_RANK entries, one
 *   per grid dimension, the rest %FALSE
 *
 * A reduction over this loop (or array) is done separately by each set of
 * processors with the same coordinates in the dimensions marked: those along
 * which it is replicated (%PD_HOLDS_ALL, or %PD_HOLDS_SET only because some
 * coordinates hold nothing of the template) and larger than 1. Constant
 * dimensions are not split (spec 11 section 6.4).
 *
 * Returns: the number of dimensions marked; 0 = one reduction of all processors.
 */
guint pd_layout_reduction_split (const PdLayout *self, gboolean *split_dim);

/* ---- parallel loops */

/* One index of a loop as mappl_ gives it. */
typedef struct
{
  gint64 first;
  gint64 last;
  gint64 step; /* not 0; negative: traversed downwards */
} PdLoopRange;

typedef struct _PdLoop PdLoop;

/**
 * pd_loop_new:
 * @pattern: layout of the array or template the loop is mapped on
 * @rank: of the loop
 * @ranges: (array length=rank): its indices
 * @alignment: the rules, one entry per axis of the pattern
 * @error: return location for a #PdLayoutError
 *
 * mappl_: spec 11 section 5.1. Immutable and reference-counted.
 *
 * Errors: as pd_layout_new_aligned(); VALUE also for a step of 0 and a space
 * of 2^63 points or more. The place of an empty loop is not checked.
 *
 * Returns: (transfer full) (nullable): the mapped loop.
 */
PdLoop *pd_loop_new (PdLayout *pattern, guint rank, const PdLoopRange *ranges,
                     const PdAlignment *alignment, GError **error);

PdLoop *pd_loop_ref (PdLoop *self);
void pd_loop_unref (PdLoop *self);

/**
 * pd_loop_get_total:
 * Returns: V, the number of iterations of the whole loop; 0 if it is empty.
 */
gint64 pd_loop_get_total (const PdLoop *self);

/**
 * pd_loop_get_local:
 * @linear: a linear processor number of the loop's grid
 *
 * O(rank of the grid): per-coordinate counts are kept.
 *
 * Returns: Ni, the number of iterations of that processor.
 */
gint64 pd_loop_get_local (const PdLoop *self, guint32 linear);

/**
 * pd_loop_get_local_range:
 * @linear: a linear processor number of the loop's grid
 * @ranges: (array) (out caller-allocated): the iterations of that processor,
 *   ascending (step > 0), one entry per loop index
 *
 * Returns: %FALSE if it has none.
 */
gboolean pd_loop_get_local_range (const PdLoop *self, guint32 linear, PdLoopRange *ranges);

/**
 * pd_loop_get_ranges:
 * Returns: (transfer none) (array): the iterations of each loop index, ascending
 *   (step > 0), up to the last one that is reached; undefined of an empty loop.
 */
const PdLoopRange *pd_loop_get_ranges (const PdLoop *self);

/**
 * pd_loop_get_layout:
 * Returns: (transfer none): the layout of the loop's index space, 0 to last -
 *   first, with bounds on iterations; all sizes are 0 if the loop is empty. Its
 *   replication is the rep of spec 11 section 5.3.
 */
PdLayout *pd_loop_get_layout (const PdLoop *self);

/* ---- edges and interior of a loop */

/* The iterations of each processor that neither import nor export an edge.
 * Immutable and reference-counted. */
typedef struct _PdInterior PdInterior;

/**
 * pd_interior_new:
 * @loop: a mapped loop
 * @pattern: what it is mapped on
 * @alignment: the rules it was mapped by
 * @low: (array): widths of the low edges of the pattern's axes, >= 0
 * @high: (array): likewise of the high edges
 *
 * exfrst_, imlast_ (spec 11 section 5.4): an iteration is interior if its
 * element is, in every axis of the pattern that the loop runs along, at least
 * @high from the first and @low from the last element of its processor. Whether
 * the axis is distributed does not matter. O(sum of grid dimensions).
 *
 * Returns: (transfer full): the interior.
 */
PdInterior *pd_interior_new (const PdLoop *loop, const PdLayout *pattern,
                             const PdAlignment *alignment, const gint64 *low, const gint64 *high);

PdInterior *pd_interior_ref (PdInterior *self);
/**
 * pd_interior_unref:
 * @self: (nullable): an interior
 */
void pd_interior_unref (PdInterior *self);

/**
 * pd_interior_get_local:
 * @linear: a linear processor number of the loop's grid
 *
 * Returns: the number of interior iterations of that processor; at most
 *   pd_loop_get_local(). O(rank of the grid).
 */
gint64 pd_interior_get_local (const PdInterior *self, guint32 linear);

/* ---- loops that run over shadow elements, too */

/* What each processor executes beside its own iterations. Immutable and
 * reference-counted. */
typedef struct _PdHalo PdHalo;

/* Of the axes of the pattern; >= 0. */
typedef struct
{
  gint64 low[PD_MAX_RANK];
  gint64 high[PD_MAX_RANK];
} PdHaloWidths;

/**
 * pd_halo_new:
 * @loop: a mapped loop
 * @pattern: what it is mapped on
 * @alignment: the rules it was mapped by
 * @widths: so many elements beside its block a processor executes, too
 *
 * addbnd_, addshd_ (spec 11 section 5.4): along each distributed axis the block
 * is extended, as far as there are elements and iterations. A processor without
 * a block has no shadow elements. O(s log s) for grid dimensions of size s.
 *
 * Returns: (transfer full): the iterations so executed.
 */
PdHalo *pd_halo_new (const PdLoop *loop, const PdLayout *pattern, const PdAlignment *alignment,
                     const PdHaloWidths *widths);

PdHalo *pd_halo_ref (PdHalo *self);
/**
 * pd_halo_unref:
 * @self: (nullable): a halo
 */
void pd_halo_unref (PdHalo *self);

/**
 * pd_halo_get_local:
 * @linear: a linear processor number of the loop's grid
 *
 * Returns: the number of iterations that processor executes; saturates at
 *   G_MAXINT64. O(rank of the grid).
 */
gint64 pd_halo_get_local (const PdHalo *self, guint32 linear);

/**
 * pd_halo_get_share:
 * @linear: a linear processor number of the loop's grid
 *
 * An iteration that m processors execute because of the extension is 1/m each
 * one's. Replicas (pd_layout_get_replication()) are not counted.
 *
 * Returns: the mean of 1/m over the iterations of that processor; 1 if it has
 *   none. Summed over all iterations and processors it is the iterations of the
 *   loop, times the replication.
 */
gdouble pd_halo_get_share (const PdHalo *self, guint32 linear);

/**
 * pd_halo_get_executions:
 * Returns: how often an iteration is executed on the average, at least 1;
 *   replicas are not counted.
 */
gdouble pd_halo_get_executions (const PdHalo *self);

/* ---- shadow edges */

/* One array of a shadow group. */
typedef struct
{
  PdLayout *layout;        /* owned by the group */
  gint64 type_size;        /* bytes per element, >= 1 */
  gint64 low[PD_MAX_RANK]; /* widths, already resolved (no -1) */
  gint64 high[PD_MAX_RANK];
  guint max_count;          /* MaxShdCount */
  guint8 sign[PD_MAX_RANK]; /* ShdSign bits: 1 inside, 2 low, 4 high */
  /* incsh_: elements between the local part and an edge; 0 = none */
  gint64 low_skip[PD_MAX_RANK];
  gint64 high_skip[PD_MAX_RANK];
  /* … and the only indices that are exchanged, of the axes whose bit is set */
  gint64 first[PD_MAX_RANK];
  gint64 last[PD_MAX_RANK];
  guint8 limited;
  guint8 thin; /* bit i: of axis i, which is whole on every processor that has
                * any of it, only one index is exchanged */
} PdShadowArray;

/**
 * pd_shadow_plan_new:
 * @arrays: (array length=n): in order of insertion; layouts are referenced
 * @n: how many
 * @messages: (nullable): takes "shadow-width-clipped", "shadow-skips-empty" and
 *   "shadow-array-skipped" (type size below 1 or 2^63 bytes in all), once per array
 *
 * Prepares the exchange of a group: what does not depend on the processor is
 * computed once. Arrays on the same template layout with the same local blocks,
 * widths and signs are merged into the last inserted of them (spec 11 section
 * 6.1); their type sizes add up. A width beyond the block of the owner of the
 * edge is clipped to it, for sender and receiver alike. Cost and memory: O(sum
 * of grid dimensions). Posting order: for each merged array, last inserted
 * first, all receives, then all sends.
 *
 * Returns: (transfer full): the plan.
 */
PdPlan *pd_shadow_plan_new (const PdShadowArray *arrays, guint n, PdMessages *messages);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdGrid, pd_grid_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdLayout, pd_layout_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdLoop, pd_loop_unref)

G_END_DECLS

#endif
