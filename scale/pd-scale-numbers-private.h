/* Rules for the numbers of one place of a program, of all ranks of a class.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_NUMBERS_PRIVATE_H
#define PD_SCALE_NUMBERS_PRIVATE_H

#include "scale/pd-scale-model-private.h"

/* A rank of a class. */
typedef struct
{
  const PdScaleRun *run;
  guint run_index;
  PdRulePlace world;
} PdScaleMember;

/* Where numbers come from. */
typedef struct
{
  const PdScaleWords *words;
  const GArray *members;    /* PdScaleMember */
  const PdColumn **columns; /* of each member: the numbers */
  const PdColumn **visits;  /* of each member: how often the loop around them is repeated */
  const PdColumn **outer;   /* of each member: likewise, the loop around that */
  const PdColumn **blocks;  /* (nullable): of each member: its lists of blocks for other ranks */
  guint mask;               /* of the communicator that they are about */
  guint32 shape;            /* for messages */
  GArray *known;            /* PdScaleKnown: rules of the whole program */
  GHashTable *pools;        /* (nullable): of numbers that are drawn; %NULL: what no rule gives is
                             * refused */
  PdScalePhase phase;
  const PdScaleNumber
      *numbers; /* (nullable): of the element: those of the columns before are known */
} PdScaleSource;

/**
 * pd_scale_column_name:
 * @column: #PdScaleColumn, or %PD_SCALE_REPETITIONS
 *
 * Returns: what its numbers are, in words; static.
 */
const char *pd_scale_column_name (gint column);

/**
 * pd_scale_number_fit:
 * @column: #PdScaleColumn, or %PD_SCALE_REPETITIONS
 * @number: (out caller-allocated): how these numbers come about
 * @error: return location for %PD_SCALE_ERROR_REFUSED
 */
gboolean pd_scale_number_fit (const PdScaleSource *source, gint column, PdScaleNumber *number,
                              GError **error);

/**
 * pd_scale_amount_of:
 * Returns: what a number of column %PD_SCALE_AMOUNT of actions of @kind stands for.
 */
gdouble pd_scale_amount_of (PdAmountUnit unit, PdActionKind kind, gint64 number);

#endif
