/* Processor grids, and who holds what: the layouts of templates, arrays and
 * parallel loops, and the neighbour messages that follow from them. Pure
 * functions of their arguments; nothing here knows of time or traces.
 * The formulas are Lib-DVM's, verified against the running library.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_LAYOUT_H
#define PD_DVM_LAYOUT_H

#include "base/pd-messages.h"
#include "predictor/dvm/layout/pd-plan.h"

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

/* ---- distribution of a template (AMView) */

/* The hints for a template before distr_: weights, GENBLOCK sizes,
 * multiple-block divisors. All optional. A list whose length differs from the size of
 * its grid dimension is left out (see pd_layout_get_repairs()): it is
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
} PdDvmDistribution;

/* Where the elements of an object lie: per grid dimension one constraint. Immutable and
 * reference-counted. Serves templates, arrays, loops (after stepping) and buffers. */
typedef struct _PdLayout PdLayout;

typedef enum
{
  PD_HOLDS_ALL,   /* every coordinate holds everything */
  PD_HOLDS_RANGE, /* coordinate c holds indices lo[c]..hi[c] of one axis */
  PD_HOLDS_FIXED, /* one coordinate holds everything */
  PD_HOLDS_SET,   /* the coordinates of a bitmap hold everything */
} PdHolds;

/* The repairs of a distribution, for the caller to warn about. */
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
 * distr_: the exact block formula, in IEEE double, operations in the order of the run-time system.
 * Every element gets exactly one owner along each distributed axis: where the run-time system loses
 * the elements of a block that reaches beyond the end, the block is clipped.
 *
 * Errors: RANK: @rank, an axis or ParamCount too large, an axis named twice;
 * VALUE: a size, parameter, weight or divisor out of range, a block size below
 * size / total weight (refused by distr_), a divisor that does not divide the
 * size, GENBLOCK sizes that do not add up to it.
 *
 * Returns: (transfer full) (nullable): the layout of the template.
 */
PdLayout *pd_layout_new_distributed (PdGrid *grid, guint rank, const gint64 *sizes,
                                     const PdDvmDistribution *distribution,
                                     const PdBlockHints *hints, GError **error);

/**
 * pd_layout_get_repairs:
 * Returns: the #PdLayoutRepair bits of the distribution; 0 of aligned objects.
 */
guint pd_layout_get_repairs (const PdLayout *self);

/* Rules of align_, mappl_: one entry per axis of the pattern. */
typedef struct
{
  guint n;              /* rank of the pattern */
  const gint64 *axes;   /* AxisArray: axis of the aligned object from 1; -1 = replicated */
  const gint64 *coeffs; /* CoeffArray; 0 = constant (unless the axis is -1) */
  const gint64 *consts; /* ConstArray */
} PdAlignment;

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
 *   something: the product of the dimensions that are
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
 * dimensions are not split.
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

/* ---- edges and interior of a loop */

/* The iterations of each processor that neither import nor export an edge.
 * Immutable and reference-counted. */
typedef struct _PdInterior PdInterior;

/* ---- loops that run over shadow elements, too */

/* The iterations that each processor executes in addition to its own. Immutable and
 * reference-counted. */
typedef struct _PdHalo PdHalo;

/* Of the axes of the pattern; >= 0. */
typedef struct
{
  gint64 low[PD_MAX_RANK];
  gint64 high[PD_MAX_RANK];
} PdHaloWidths;

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

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdLayout, pd_layout_unref)

#endif
