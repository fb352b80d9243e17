/* Numbers that no rule gives: the nearest rule, or numbers drawn from those that were recorded.
 *
 * A size that depends on data is drawn from the sizes of all ranks that come to that call: their
 * mean is a function of the number of ranks, as the time of a computation is, and their scatter is
 * that of the largest recording. Sender, receiver and repetition say which size comes, so
 * that both have the same.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_NEAR_PRIVATE_H
#define PD_SCALE_NEAR_PRIVATE_H

#include "scale/near/pd-scale-mend.h"
#include "scale/pd-scale-numbers-private.h"

/**
 * pd_scale_pools_new:
 * Returns: (transfer full): no sizes of any call yet; freed with g_hash_table_unref().
 */
GHashTable *pd_scale_pools_new (void);

/**
 * pd_scale_near_is_size:
 * Returns: whether numbers of @column, or the entries of their lists, can be drawn.
 */
gboolean pd_scale_near_is_size (gint column);

/**
 * pd_scale_near_is_needed:
 * Returns: whether these numbers are approximated whatever rules they have: sizes of a call that
 * some ranks draw, sources where targets are approximated.
 */
gboolean pd_scale_near_is_needed (const PdScaleSource *source, gint column);

/**
 * pd_scale_near_fit:
 * @source: with pools: in the phase %PD_SCALE_COLLECT they get calls, in %PD_SCALE_COUNT their
 *   sizes, in %PD_SCALE_CHOOSE these are drawn from
 * @column: #PdScaleColumn, or %PD_SCALE_REPETITIONS
 * @number: (out caller-allocated): the nearest rule
 *
 * Returns: %FALSE where near numbers are of no use: requests, neighbours of a topology, lists of
 *   unknown length.
 */
gboolean pd_scale_near_fit (const PdScaleSource *source, gint column, PdScaleNumber *number);

/**
 * pd_scale_nearest_fit:
 * @number: (out caller-allocated): of the rules that explain one recording, the larger ones first,
 *   and of those that explain one number, the one that gives most numbers
 *
 * Returns: %FALSE if none gives any, or all have partners that are no ranks.
 */
gboolean pd_scale_nearest_fit (const PdScaleSource *source, PdRulePurpose purpose,
                               PdScaleNumber *number);

/**
 * pd_scale_nearest_fit_source:
 * @source: its targets are approximated
 * @number: (out caller-allocated): of the sources: the rule of the targets, or that with the
 *   opposite steps: otherwise no rank would receive the message

 *
 * Returns: whether that is the inverse of the targets.
 */
gboolean pd_scale_nearest_fit_source (const PdScaleSource *source, PdScaleNumber *number);

/**
 * pd_scale_near_draw:
 * @number: drawn
 * @shape: of the call
 * @column: of the number
 * @place: of the caller
 * @other: the partner or root; of an entry of a list the member that it is about
 * @i: which time, from 0
 *
 * Returns: the size: the same at sender and receiver; %G_MININT64 if it is more than can be.
 */
gint64 pd_scale_near_draw (const PdScaleNumber *number, const PdScaleShape *shape, gint column,
                           const PdRulePlace *place, gint64 other, guint64 i);

/**
 * pd_scale_number_refuse:
 * @is_list: numbers of @column are lists
 * @error: return location for %PD_SCALE_ERROR_REFUSED: some of the numbers that no rule gives
 *
 * Returns: %FALSE.
 */
gboolean pd_scale_number_refuse (const PdScaleSource *source, gint column, gboolean is_list,
                                 GError **error);

/**
 * pd_scale_near_bound:
 * @column: #PdScaleColumn but for lists, or %PD_SCALE_REPETITIONS
 * @n: ranks of the communicator
 * @value: that a rule gives
 *
 * Returns: @value; where @self approximates, the closest one that can be: MPI_PROC_NULL, no
 *   repetition. Repetitions beyond the recorded ones may have no number there.
 */
gint64 pd_scale_near_bound (const PdScaleModel *self, gint column, gint64 n, gint64 value);

/**
 * pd_scale_make:
 * @mends: (nullable): of the program that is made without them
 *
 * As pd_scale_model_make(), which see, but where the program is approximated its ranks need not fit
 * together.
 */
PdProgram *pd_scale_make (const PdScaleModel *self, guint32 n, const PdScaleGrid *grid,
                          const PdScaleMends *mends, PdMessages *messages,
                          const volatile sig_atomic_t *stop, GError **error);

#endif
