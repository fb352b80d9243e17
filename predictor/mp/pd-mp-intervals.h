/* Intervals of message-passing programs: what a rank spends is added up in the rank, and
 * charged to its node of the tree when it leaves it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_INTERVALS_H
#define PD_MP_INTERVALS_H

#include "predictor/mp/pd-mp-state.h"

/**
 * pd_mp_find_node:
 * Returns: the node of @interval inside @parent; made if it is new.
 */
guint32 pd_mp_find_node (PdMp *self, guint32 parent, guint32 interval);

/**
 * pd_mp_place_scale:
 * Returns: as pd_mp_interval_scale(), of a place in the interval.
 */
gdouble pd_mp_place_scale (PdMp *self, guint32 rank, guint32 node, const char *file, gint64 line);

/**
 * pd_mp_make_intervals:
 * Makes all nodes that there will be, in the order of ranks and actions.
 */
void pd_mp_make_intervals (PdMp *self);

/**
 * pd_mp_copy_intervals:
 * Makes those that @from has.
 */
void pd_mp_copy_intervals (PdMp *self, const PdMp *from);

/**
 * pd_mp_charge:
 * @value: picoseconds, or a number
 *
 * Adds @value to the quantity of the rank in its interval, if it is more than 0.
 */
void pd_mp_charge (PdMp *self, guint32 rank, PdQuantity quantity, gint64 value);

/**
 * pd_mp_flush:
 * Charges the time that the rank has spent to its interval.
 */
void pd_mp_flush (PdMp *self, guint32 rank);

/**
 * pd_mp_close_intervals:
 * The rank has come to its end.
 */
void pd_mp_close_intervals (PdMp *self, guint32 rank);

/**
 * pd_mp_interval_scale:
 * Returns: of computation of the rank in its interval: with flops the picoseconds of
 *   one, else the speed that times are divided by.
 */
gdouble pd_mp_interval_scale (const PdMp *self, guint32 rank, guint32 node);

#endif
