/* Arrays whose shadow edges are exchanged in one message for each edge: what each processor sends
 * and receives of them. For pd-dvm-layout-shadow.c.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SHADOW_PART_PRIVATE_H
#define PD_SHADOW_PART_PRIVATE_H

#include "predictor/dvm/layout/pd-cell-classes.h"
#include "predictor/dvm/layout/pd-dvm-layout-inside.h"
#include "predictor/dvm/layout/pd-dvm-layout-shadow.h"

/* The non-empty choices of inside, low, high in each grid dimension: 3^4 - 1. */
#define PD_SHADOW_MAX_EDGES 80

enum
{
  PD_SHADOW_INSIDE,
  PD_SHADOW_LOW,
  PD_SHADOW_HIGH,
  PD_SHADOW_N_PICKS
};

/* One coordinate of one grid dimension. Numbers of indices along it: the own
 * part (PD_SHADOW_INSIDE), and of the edges towards its neighbours, 0
 * if there is no neighbour or no width. */
typedef struct
{
  gint64 recv[PD_SHADOW_N_PICKS];
  gint64 send[PD_SHADOW_N_PICKS];
  gint32 offset[PD_SHADOW_N_PICKS]; /* of the neighbour's linear number */
  gint32 holds;                     /* whether it holds any index, be it exchanged or not */
} PdShadowCell;

/* The selection in each grid dimension. */
typedef struct
{
  guint8 pick[PD_MAX_GRID_RANK];
} PdShadowEdge;

/* The messages of all processors of a class; peers are distances of linear numbers. */
typedef struct
{
  gboolean is_known;
  guint n;
  PdPlanMessage *messages;
} PdShadowPattern;

/* The arrays merged into one message per edge. */
typedef struct
{
  PdShadowArray array; /* the last inserted of them; the layout is a reference */
  const PdGrid *grid;
  gint64 n_collapsed; /* elements per index of the cells */
  gint64 n_bytes;     /* per element, of all merged; times n_collapsed in the end */
  gint64 n_arrays;
  gint64 n_runs; /* of neighbouring elements, per index of the cells but those of run_dim */
  gint run_dim;  /* grid dimension of the last axis; -1: it is collapsed */
  gboolean clipped;
  gboolean skips;
  PdShadowCell *cells[PD_MAX_GRID_RANK]; /* NULL where every coordinate holds everything */
  guint n_dims;
  guint dims[PD_MAX_GRID_RANK]; /* those that have cells */
  PdCellClasses *classes;       /* (nullable) */
  PdShadowPattern *patterns;    /* of each class, made at need */
  guint n_recv;
  guint n_send;
  PdShadowEdge recv[PD_SHADOW_MAX_EDGES];
  PdShadowEdge send[PD_SHADOW_MAX_EDGES];
} PdShadowPart;

/**
 * pd_shadow_part_new:
 * @array: of the first array that is merged; copied
 */
PdShadowPart *pd_shadow_part_new (const PdShadowArray *array);
/**
 * pd_shadow_part_free:
 * @data: a #PdShadowPart
 */
void pd_shadow_part_free (gpointer data);

/**
 * pd_shadow_part_list:
 * @linear: a processor's number in the grid
 * @out: (out): its messages, at most n_recv + n_send, in posting order
 *
 * Returns: how many.
 */
guint pd_shadow_part_list (const PdShadowPart *part, guint32 linear, PdPlanMessage *out);

#endif
