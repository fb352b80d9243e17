/* Numbers of a program that is made.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_VALUES_PRIVATE_H
#define PD_SCALE_VALUES_PRIVATE_H

#include "scale/pd-scale-model-private.h"

#define PD_SCALE_NO_VALUE G_MININT64

/* Numbers that the recordings leave open. */
typedef struct
{
  guint64 n;
  char *first;    /* (nullable): the first of them, in words; owned */
  guint32 rank;   /* that is made */
  guint64 weight; /* how often the call is repeated */
} PdScaleDoubts;

/**
 * pd_scale_number_take:
 * @number: literal
 * @at: goes on by one
 *
 * Returns: the value recorded there; %PD_SCALE_NO_VALUE behind the last one.
 */
gint64 pd_scale_number_take (const PdScaleNumber *number, PdColumnPlace *at);

/**
 * pd_scale_number_get:
 * @doubts: get this number where rules that explain the recordings differ
 * @number: of a list, whose length is not asked for
 * @where: the rank, with the repetition, or with the place in the list
 * @peer: the other end of the message in the rank's communicator, or negative. Where the rule gives
 *   no number, one that explains as much and gives both ends the same is preferred.
 * @at: of the rank; goes on by one if @number is literal
 *
 * Returns: the number there; %PD_SCALE_NO_VALUE if its rule gives none.
 */
gint64 pd_scale_number_get (PdScaleDoubts *doubts, const PdScaleNumber *number,
                            const PdRulePlace *where, gint64 peer, PdColumnPlace *at);

#endif
