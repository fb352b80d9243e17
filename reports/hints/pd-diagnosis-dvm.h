/* The diagnosis of a DVM run in words, interval by interval: the loss, its operation, and
 * the processors that cause it. It needs only the folded tree, no recorded calls.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DIAGNOSIS_DVM_H
#define PD_DIAGNOSIS_DVM_H

#include "intervals/pd-interval.h"

#include <glib.h>

/**
 * pd_diagnosis_new_dvm:
 * @results: (element-type PdIntervalResult): of a folded tree, in preorder
 * @i: the interval
 *
 * The identifiers are `own-time`, `nothing-lost`, `lost`, `insufficient-parallelism`,
 * `communication`, `desynchronised`, `amount`, `load-imbalance`, `idle`.
 *
 * Returns: (transfer full) (element-type PdStatement): the statements, in reading order; never
 *   empty.
 */
GArray *pd_diagnosis_new_dvm (const GArray *results, guint i);

/**
 * pd_diagnosis_get_own_time:
 * Returns: the time that all processors together spend in interval @i outside of the intervals
 *   inside it: computation, input and output, communication.
 */
PdTimeSum pd_diagnosis_get_own_time (const GArray *results, guint i);

/**
 * pd_diagnosis_rank:
 * Returns: (transfer full) (array): the indices of @results by falling own time; ties in preorder.
 */
guint *pd_diagnosis_rank (const GArray *results);

#endif
