/* Rules for the numbers of one place of a program, of all ranks of a class.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_NUMBERS_PRIVATE_H
#define PD_SCALE_NUMBERS_PRIVATE_H

#include "scale/pd-scale-model-private.h"

/* Instead of a column: how often an element or a loop is repeated. */
#define PD_SCALE_REPETITIONS PD_SCALE_N_COLUMNS

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
  guint mask;               /* of the communicator that they are about */
  guint32 shape;            /* for messages */
  GArray *known;            /* PdScaleKnown: rules of the whole program */
  PdScalePhase phase;
} PdScaleSource;

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
