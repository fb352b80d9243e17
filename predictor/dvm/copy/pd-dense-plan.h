/* Messages from everybody to everybody, whose sizes are products: as much as the
 * sender has times as much as the receiver wants.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DENSE_PLAN_H
#define PD_DENSE_PLAN_H

#include "predictor/dvm/layout/pd-dvm-layout.h"
#include "predictor/dvm/layout/pd-plan.h"

/**
 * pd_dense_plan_new:
 * @grid: the processors
 * @sends: (array) (transfer full): a factor of each sender, by linear number, >= 0
 * @receives: (array) (transfer full): a factor of each receiver, >= 0
 * @divisor: > 0
 * @unit: bytes, >= 1
 *
 * Each processor sends every other one sends * receives / divisor units, rounded
 * half up, and no message if that is 0 (nor more than 2^62 bytes). Posting order:
 * receives by increasing source, then sends by increasing target. Memory: O(number
 * of processors); asked in as much.
 *
 * Returns: (transfer full): the plan.
 */
PdPlan *pd_dense_plan_new (PdGrid *grid, gint64 *sends, gint64 *receives, gint64 divisor,
                           gint64 unit);

#endif
