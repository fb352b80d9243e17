/* Amounts of computation in a program that is made, and the samples of those that differ from one
 * repetition of a loop to the next.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_SAMPLES_PRIVATE_H
#define PD_SCALE_SAMPLES_PRIVATE_H

#include "scale/pd-scale-steady-private.h"
#include "traces/program/pd-program-builder.h"

#define PD_SCALE_TOO_MUCH "the model of a computation gives more than can be"

typedef struct _PdScaleSamples PdScaleSamples;

/**
 * pd_scale_samples_new:
 * @model: borrowed
 * @n_ranks: that the program is made for
 *
 * Returns: (transfer full): the samples of all ranks.
 */
PdScaleSamples *pd_scale_samples_new (const PdScaleModel *model, guint32 n_ranks);

/**
 * pd_scale_samples_free:
 */
void pd_scale_samples_free (PdScaleSamples *self);

/**
 * pd_scale_samples_get_amount:
 * @node: an element with an amount
 * @state: how often it has come; goes on by one
 * @turn: the repetition
 * @amount: (out): what it has this time
 *
 * Returns: %FALSE if that is more than can be.
 */
gboolean pd_scale_samples_get_amount (const PdScaleSamples *self, const PdScaleNode *node,
                                      PdScaleState *state, PdScaleTurn turn, PdAmount *amount);

/**
 * pd_scale_samples_begin:
 * @class: of the rank that is made next; borrowed
 */
void pd_scale_samples_begin (PdScaleSamples *self, const PdScaleClass *class);

/**
 * pd_scale_samples_note:
 * @period: of the next node, in the order in which they are made
 * @n: how often it is repeated
 * @is_loop: its contents are made only once
 */
void pd_scale_samples_note (PdScaleSamples *self, gint64 period, gint64 n, gboolean is_loop);

/**
 * pd_scale_samples_end:
 * @builder: has all actions of @rank; gets their samples
 * @error: return location for a #PdTraceError: too many, or too much
 */
gboolean pd_scale_samples_end (PdScaleSamples *self, PdProgramBuilder *builder, guint32 rank,
                               GError **error);

#endif
