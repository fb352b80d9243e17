/* Which share of the recordings a model approximates.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_SHARE_H
#define PD_SCALE_SHARE_H

#include "scale/pd-scale-words.h"

struct _PdFoldNode;

/* How well a number is explained. */
typedef enum
{
  PD_SCALE_EXACT,
  PD_SCALE_NEAREST, /* its rule does not give all that was recorded */
  PD_SCALE_DRAWN,   /* instead of the rule, or of that of entries, see pd_scale_near_draw() */
  PD_SCALE_N_NEAR,
} PdScaleNear;

/* Instead of a column: calls that other ranks, or other recordings, do not have. */
#define PD_SCALE_CALLS (PD_SCALE_N_COLUMNS + 1)

/* Calls of a place of the program that are approximated, in all classes that have it. */
typedef struct
{
  guint32 shape;
  gint column; /* #PdScaleColumn, %PD_SCALE_REPETITIONS, or %PD_SCALE_CALLS */
  PdScaleNear near;
  guint64 calls;
  guint64 bytes; /* that they send */
} PdScaleApproximation;

/* Calls of all recordings, without computation and intervals. */
typedef struct
{
  GArray *places; /* PdScaleApproximation: a call counts once */
  guint64 calls;
  guint64 bytes; /* that they send */
  guint64 alone; /* calls of classes that were recorded on one number of ranks only */
  char *reason;  /* (nullable): why there is no exact explanation; %NULL: there is one; owned */
  gboolean is_buffered; /* then: some recording comes to its end only if messages are buffered */
} PdScaleShare;

/**
 * pd_scale_share_init:
 * @self: (out caller-allocated): of nothing
 */
void pd_scale_share_init (PdScaleShare *self);

/**
 * pd_scale_share_clear:
 * Frees what @self holds.
 */
void pd_scale_share_clear (PdScaleShare *self);

/**
 * pd_scale_share_reset:
 * @self: is of nothing again; keeps its reason
 */
void pd_scale_share_reset (PdScaleShare *self);

/**
 * pd_scale_share_add_all:
 * @nodes: (element-type PdFoldNode): the calls of a rank
 * @is_alone: its class was recorded on one number of ranks only
 */
void pd_scale_share_add_all (PdScaleShare *self, const PdScaleWords *words, const GPtrArray *nodes,
                             gboolean is_alone);

/**
 * pd_scale_share_add_lost:
 * @nodes: (element-type PdFoldNode): the calls of a rank, instead of which it has those of others
 */
void pd_scale_share_add_lost (PdScaleShare *self, const PdScaleWords *words,
                              const GPtrArray *nodes);

/**
 * pd_scale_share_add:
 * @node: calls of one place, of a rank
 * @column: of the number that is approximated
 */
void pd_scale_share_add (PdScaleShare *self, const PdScaleWords *words,
                         const struct _PdFoldNode *node, gint column, PdScaleNear near);

/* Of a model, 0 to 1. */
typedef struct
{
  gdouble calls; /* that are approximated */
  gdouble bytes; /* that these send */
  gdouble drawn; /* of all bytes: those of drawn sizes */
} PdScaleParts;

/**
 * pd_scale_share_get_parts:
 * Returns: which part of all recordings is approximated.
 */
PdScaleParts pd_scale_share_get_parts (const PdScaleShare *self);

/**
 * pd_scale_share_sum:
 * @near: how
 * @calls: (out): how many calls are approximated so
 * @bytes: (out): what they send
 */
void pd_scale_share_sum (const PdScaleShare *self, PdScaleNear near, guint64 *calls,
                         guint64 *bytes);

#endif
