/* Inside of copy plans, for pd-dvm-copy*.c only.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_COPY_PRIVATE_H
#define PD_DVM_COPY_PRIVATE_H

#include "predictor/pd-dvm-copy.h"
#include "predictor/pd-dvm-layout-private.h"

G_BEGIN_DECLS

/* Numbers 0, 1, 2 … of the indices of a section along an axis are its section
 * coordinates. Axes with one index are left out: those with more are the
 * *varying* axes, and boxes have one range of section coordinates for each. */

/* What one coordinate of a grid dimension holds of a varying axis. */
typedef struct
{
  guint32 coord;
  PdRange range; /* not empty */
  gint64 before; /* elements in the cells of lower coordinates */
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

/* The section coordinates of the indices @lo to @hi; empty: hi = lo - 1. */
PdRange pd_copy_to_section (const PdLoopRange *range, gint64 lo, gint64 hi);

void pd_copy_side_init (PdCopySide *self, const PdSection *section);
void pd_copy_side_clear (PdCopySide *self);

/* FALSE if the processor holds nothing of the section; @place is then undefined. */
gboolean pd_copy_side_find (const PdCopySide *self, guint32 processor, PdCopyPlace *place);
/* Whether it is the first one of its class. */
gboolean pd_copy_side_is_first (const PdCopySide *self, const PdCopyPlace *place);
gboolean pd_copy_side_same_class (const PdCopySide *self, const PdCopyPlace *a,
                                  const PdCopyPlace *b);
/* Classes are numbered row-major in the dimensions that divide an axis. */
guint32 pd_copy_side_get_class (const PdCopySide *self, const PdCopyPlace *place);
guint32 pd_copy_side_count_classes (const PdCopySide *self);
/* The number of processors of each class. */
guint32 pd_copy_side_count_replicas (const PdCopySide *self);
/* The section coordinates a place holds, one range per varying axis. */
void pd_copy_side_get_box (const PdCopySide *self, const PdCopyPlace *place, PdRange *box);

/* Elements of a box with @lengths along the varying axes that lie beside each
 * other in the memory of its owner. Nothing is beside the end of a divided axis:
 * there may be shadow edges. */
gint64 pd_copy_side_get_run (const PdCopySide *self, const gint64 *lengths);
/* The coordinates of each grid dimension that hold something of @box; the
 * holders are the product. Returns their number. */
guint64 pd_copy_side_meet (const PdCopySide *self, const PdRange *box, PdCopySlice *slices);
/* The coordinates of one dimension that hold something of @range of its axis. */
PdCopySlice pd_copy_dim_meet (const PdCopyDim *self, PdRange range);

/* The @k-th of a slice, counted from its first. */
static inline guint32
pd_copy_slice_index (const PdCopySlice *self, guint32 k)
{
  return self->list != NULL ? self->list[self->first + k] : self->first + k;
}

gboolean pd_copy_slice_has (const PdCopySlice *self, guint32 index);

static inline guint32
pd_copy_dim_coord (const PdCopyDim *self, guint32 i)
{
  return self->axis >= 0 ? self->cells[i].coord : self->coords != NULL ? self->coords[i] : i;
}

/* The index of a coordinate among those that hold something, or -1. */
gint64 pd_copy_dim_find (const PdCopyDim *self, guint32 coord);

static inline PdRange
pd_copy_meet_ranges (PdRange a, PdRange b)
{
  return (PdRange){ MAX (a.lo, b.lo), MIN (a.hi, b.hi) };
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

/* Whether each processor of @inner belongs to @outer. */
gboolean pd_copy_grid_is_inside (const PdGrid *inner, const PdGrid *outer);

/* What the kinds of copy plans have in common. */
typedef struct
{
  PdPlan base;
  PdCopySide from;
  PdCopySide to;
  gint64 type_size;
  gboolean elementwise; /* nothing is sent to who owns the element itself */
  gboolean once;        /* only the first of the processors that hold a part sends it */
  gboolean sends_first; /* in posting order */
  gboolean silent;      /* nobody sends; there is only what each one copies itself */
  PdGrid *within;       /* (nullable): only these take part */
} PdCopyPlan;

void pd_copy_plan_init (PdCopyPlan *self, const PdSection *from, const PdSection *to,
                        gint64 type_size);
void pd_copy_plan_clear (PdCopyPlan *self);

/* How many processors send the same part of the source. */
guint32 pd_copy_plan_count_senders (const PdCopyPlan *self);

/* Where a processor is on either side; FALSE unless it is on both. */
gboolean pd_copy_plan_find_both (const PdCopyPlan *self, guint32 processor, PdCopyPlace *from,
                                 PdCopyPlace *to);

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

/* FALSE if the processor holds nothing on its side, or takes no part. */
gboolean pd_copy_view_init (PdCopyView *self, const PdCopyPlan *plan, guint32 processor,
                            gboolean send, PdPlanMessage *out);
/* Adds the peer at @linear of its grid, unless nothing is sent between the two;
 * @runs as in #PdPlanMessage. */
void pd_copy_view_add (PdCopyView *self, guint32 linear, gint64 n_elements, gint64 runs);

/* Copies of vectors on a grid of rank 2: each processor gets a piece from just
 * one of its replicas. Which one, that is told by the processor's coordinate of
 * one grid dimension. */
typedef struct
{
  guint from_dim;  /* replicas of the source lie along it */
  guint to_dim;    /* the coordinate that tells which one */
  guint32 *chosen; /* by index into the target's to_dim: index into the source's from_dim */
  guint32 *first;  /* by the latter: the first of askers, and the end of the last */
  guint32 *askers; /* indices into the target's to_dim */
} PdCopyVector;

PdCopyVector *pd_copy_vector_new (const PdCopyPlan *plan, guint from_dim, guint to_dim);
void pd_copy_vector_free (PdCopyVector *self);
/* Narrows the slices of all possible peers of the one at @place. */
void pd_copy_vector_narrow (const PdCopyVector *self, gboolean send, const PdCopyPlace *place,
                            PdCopySlice *slices);

/* Elements that go from a class of the source to a class of the target. */
typedef struct
{
  guint32 from;
  guint32 to;
  gint64 n_elements;
  gint64 runs[2]; /* in the memory of the source and of the target, about */
} PdCopyPair;

/* By the first class, then the second one. */
int pd_copy_compare_pairs (const void *a, const void *b);
/* The elements of both sections in linear order, as many as the smaller one has:
 * (transfer full) (element-type PdCopyPair): sorted. With @own, one of the two
 * sides, only those of the class at @place; else NULL beyond PD_COPY_MAX_PAIRS. */
GArray *pd_copy_count_pairs (const PdCopyPlan *plan, const PdCopySide *own,
                             const PdCopyPlace *place);

/* Both tables of pairs together take 64 bytes for each. */
#define PD_COPY_MAX_PAIRS (1 << 21)

/* Plans take over what @self holds. */

/* Nobody sends anything. */
PdPlan *pd_copy_plan_new_nothing (void);
/* Sections with the same counts along their varying axes: messages are
 * intersections of boxes. @vector (nullable) is taken over. */
PdPlan *pd_copy_plan_new_product (const PdCopyPlan *self, PdCopyVector *vector);
/* Sections of different shapes, elementwise in linear order, as many elements as
 * the smaller one has. */
PdPlan *pd_copy_plan_new_pairs (const PdCopyPlan *self);

/* The messages of all, as pd_plan_get_total(), of a product. */
guint64 pd_copy_plan_count_messages (const PdCopyPlan *self, const PdCopyVector *vector);

G_END_DECLS

#endif
