/* Inside of grids and layouts: for plans and steps, which are computed along their
 * dimensions.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_LAYOUT_INSIDE_H
#define PD_DVM_LAYOUT_INSIDE_H

#include "predictor/dvm/layout/pd-dvm-layout.h"

/* ---- grids */

/* A processor's number is first + sum of coordinate * stride, or, for other
 * shapes of a sub-grid, a row of the table. Both ascend with the linear number. */
struct _PdGrid
{
  guint rank;
  guint32 n;
  guint32 sizes[PD_MAX_GRID_RANK];
  guint32 steps[PD_MAX_GRID_RANK]; /* of the linear number, per coordinate */
  gboolean contiguous;             /* processor = first + linear */
  guint32 first;
  guint32 strides[PD_MAX_GRID_RANK]; /* of the processor number; unused with a table */
  guint32 *table;                    /* (nullable): processor by linear number */
};

/**
 * pd_grid_processor_slow:
 * Returns: as pd_grid_processor(), of a grid that is not contiguous.
 */
guint32 pd_grid_processor_slow (const PdGrid *self, guint32 linear);

/**
 * pd_grid_processor:
 * Returns: the processor with the number @linear in the grid.
 */
static inline guint32
pd_grid_processor (const PdGrid *self, guint32 linear)
{
  return self->contiguous ? self->first + linear : pd_grid_processor_slow (self, linear);
}

/* ---- blocks of a distributed axis */

/* Indices of one axis; empty: hi = lo - 1. */
typedef struct
{
  gint64 lo;
  gint64 hi;
} PdIndexRange;

/**
 * pd_range_length:
 * Returns: how many indices @range has.
 */
static inline gint64
pd_range_length (PdIndexRange range)
{
  return range.hi - range.lo + 1;
}

/* Normalised weights; NULL = 1 for every coordinate. */
typedef struct
{
  gdouble *of[PD_MAX_GRID_RANK];
} PdWeights;

/* One distributed axis. */
typedef struct
{
  gint64 n; /* its size */
  guint32 n_coords;
  gint64 param;           /* block size of weight 1; 0 = automatic */
  gint64 divisor;         /* 0, 1 = none */
  const gdouble *weights; /* (nullable) */
  gboolean cut;           /* weights beyond the size are cut */
} PdBlockSpec;

/* ---- layouts */

/* The parts that the coordinates of one grid dimension hold. */
typedef struct
{
  PdHolds kind;
  guint axis;           /* RANGE: from 0 */
  PdIndexRange *bounds; /* RANGE: g_rc_box, shared; one per coordinate */
  guint32 fixed;        /* FIXED: the coordinate, G_MAXUINT32 = none */
  guint8 *member;       /* SET: g_rc_box; 1 = holds */
  guint32 n_set;
} PdConstraint;

typedef enum
{
  PD_RULE_LINEAR, /* template index = a * index of axis + b */
  PD_RULE_CONST,  /* template index = b */
  PD_RULE_REPL,   /* any */
  PD_RULE_BREPL,  /* a * y + b for any y in 0..n-1 */
} PdRuleKind;

/* Where an object is along one template axis. */
typedef struct
{
  PdRuleKind kind;
  guint axis;
  gint64 a;
  gint64 b;
  gint64 n;
} PdRule;

struct _PdLayout
{
  PdGrid *grid;
  guint rank;
  gint64 sizes[PD_MAX_RANK]; /* 0 only in the layout of an empty loop */
  PdConstraint dims[PD_MAX_GRID_RANK];
  PdLayout *base; /* the template's layout; NULL if this is one */
  guint n_rules;  /* rank of the template */
  PdRule rules[PD_MAX_RANK];
  guint repairs;
};

/**
 * pd_layout_same_blocks:
 * Returns: whether both are on the same template and every processor holds the same
 *   indices.
 */
gboolean pd_layout_same_blocks (const PdLayout *a, const PdLayout *b);

/**
 * pd_layout_new_empty:
 * Returns: (transfer full): a layout without constraints and rules.
 */
PdLayout *pd_layout_new_empty (PdGrid *grid, guint rank, const gint64 *sizes);

/**
 * pd_layout_check_rank:
 * Returns: %FALSE with @error set unless @rank is 1 to PD_MAX_RANK.
 */
gboolean pd_layout_check_rank (guint rank, GError **error);

/**
 * pd_layout_check_sizes:
 * @least: what each size must be at least
 *
 * Returns: %FALSE with @error set if a size is too small, or their product does not
 *   fit.
 */
gboolean pd_layout_check_sizes (guint rank, const gint64 *sizes, gint64 least, GError **error);

/**
 * pd_layout_take_axis:
 * @used: (inout): gets @axis
 *
 * Returns: %FALSE with @error set unless @axis is 1 to @rank and not used.
 */
gboolean pd_layout_take_axis (gint64 axis, guint rank, gboolean *used, GError **error);

/* ---- loops */

struct _PdLoop
{
  guint rank;
  PdLoopRange ranges[PD_MAX_RANK]; /* ascending; last is reached; undefined if empty */
  gint64 total;
  PdLayout *layout;

  /* For pd_loop_get_local(): iterations = factor * product of the counts of
   * the coordinates, over dimensions that are not held by all. */
  guint grid_rank;
  guint32 grid_n;
  guint32 grid_sizes[PD_MAX_GRID_RANK];
  gint64 factor;
  gint64 *counts[PD_MAX_GRID_RANK];
};

#endif
