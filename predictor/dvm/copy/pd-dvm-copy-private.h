/* Inside of copy plans, for pd-dvm-copy*.c only.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_COPY_PRIVATE_H
#define PD_DVM_COPY_PRIVATE_H

#include "predictor/dvm/copy/pd-dvm-copy.h"
#include "predictor/dvm/layout/pd-dvm-layout-inside.h"

/* Numbers 0, 1, 2 … of the indices of a section along an axis are its section
 * coordinates. Axes with one index are left out: those with more are the
 * *varying* axes, and boxes have one range of section coordinates for each. */

/* The part of a varying axis that one coordinate of a grid dimension holds. */
typedef struct
{
  guint32 coord;
  PdIndexRange range; /* not empty */
  gint64 before;      /* elements in the cells of lower coordinates */
} PdCopyCell;

/* The coordinates of one grid dimension that hold something of the section, in
 * ascending order. */
typedef struct
{
  gint axis; /* the varying axis it divides, or -1: all of them hold the same */
  guint32 n;
  PdCopyCell *cells;   /* axis >= 0: disjoint ranges that ascend or descend */
  guint32 *coords;     /* axis < 0; NULL: all coordinates */
  gboolean descending; /* a negative coefficient */
} PdCopyDim;

/* One of the two sections of a copy. Processors with the same place in all
 * dimensions that divide an axis are replicas: one *class*. */
typedef struct
{
  PdGrid *grid;
  guint n_axes; /* varying ones */
  gint64 counts[PD_MAX_RANK];
  gint dims_of[PD_MAX_RANK]; /* the grid dimension that divides the axis, or -1 */
  guint rank;                /* of the array, and for each of its axes: */
  gint axes[PD_MAX_RANK];    /* the varying axis, or -1 */
  gint64 sizes[PD_MAX_RANK]; /* of the array */
  gboolean strided[PD_MAX_RANK];
  PdCopyDim dims[PD_MAX_GRID_RANK];
} PdCopySide;

/* Where a processor is on a side: for each grid dimension an index into its
 * coordinates that hold something. */
typedef struct
{
  guint32 at[PD_MAX_GRID_RANK];
} PdCopyPlace;

/* Some of the coordinates of one grid dimension that hold something: the
 * indices from first on or, with a list, its entries from first on. */
typedef struct
{
  guint32 first;
  guint32 n;
  const guint32 *list; /* (nullable): ascending */
} PdCopySlice;

/* The @k-th of a slice, counted from its first. */
static inline guint32
pd_copy_slice_index (const PdCopySlice *self, guint32 k)
{
  return self->list != NULL ? self->list[self->first + k] : self->first + k;
}

static inline guint32
pd_copy_dim_coord (const PdCopyDim *self, guint32 i)
{
  return self->axis >= 0 ? self->cells[i].coord : self->coords != NULL ? self->coords[i] : i;
}

static inline PdIndexRange
pd_copy_meet_ranges (PdIndexRange a, PdIndexRange b)
{
  return (PdIndexRange){ MAX (a.lo, b.lo), MIN (a.hi, b.hi) };
}

/* Saturating, of numbers >= 0. */
static inline gint64
pd_copy_times (gint64 a, gint64 b)
{
  gint64 product;

  return __builtin_mul_overflow (a, b, &product) ? G_MAXINT64 : product;
}

static inline guint64
pd_copy_multiply (guint64 a, guint64 b)
{
  guint64 product;

  return __builtin_mul_overflow (a, b, &product) ? G_MAXUINT64 : product;
}

static inline gint64
pd_copy_add (gint64 a, gint64 b)
{
  gint64 sum;

  return __builtin_add_overflow (a, b, &sum) ? G_MAXINT64 : sum;
}

/* Common data of the kinds of copy plans. */
typedef struct
{
  PdPlan base;
  PdCopySide from;
  PdCopySide to;
  gint64 type_size;
  gboolean elementwise; /* nothing is sent to who owns the element itself */
  gboolean once;        /* only the first of the processors that hold a part sends it */
  gboolean sends_first; /* in posting order */
  gboolean silent;      /* no messages; only copies within processors */
  PdGrid *within;       /* (nullable): only these take part */
} PdCopyPlan;

/* One processor's look at its peers in one direction. */
typedef struct
{
  const PdCopyPlan *plan;
  const PdCopySide *side; /* of the peers */
  guint32 processor;
  gboolean send;
  PdCopyPlace place;  /* on the own side */
  gboolean owns;      /* elementwise: it holds a part of the source, */
  PdCopyPlace source; /* here */
  PdPlanMessage *out; /* (nullable): only counted */
  guint n;
} PdCopyView;

/* Copies of vectors on a grid of rank 2: each processor gets a piece from just
 * one of its replicas. The coordinate of the processor in one grid dimension
 * selects the replica. */
typedef struct
{
  guint from_dim;  /* replicas of the source lie along it */
  guint to_dim;    /* the coordinate that selects one */
  guint32 *chosen; /* by index into the target's to_dim: index into the source's from_dim */
  guint32 *first;  /* by the latter: the first of askers, and the end of the last */
  guint32 *askers; /* indices into the target's to_dim */
} PdCopyVector;

/* Elements that go from a class of the source to a class of the target. */
typedef struct
{
  guint32 from;
  guint32 to;
  gint64 n_elements;
  gint64 runs[2]; /* in the memory of the source and of the target, about */
} PdCopyPair;

/* Both tables of pairs together take 64 bytes for each. */
#define PD_COPY_MAX_PAIRS (1 << 21)

/* Plans take over what @self holds. */

#endif
