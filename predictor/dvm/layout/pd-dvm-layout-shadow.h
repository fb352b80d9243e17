/* Exchange of shadow edges: which messages every processor sends and receives.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_LAYOUT_SHADOW_H
#define PD_DVM_LAYOUT_SHADOW_H

#include "predictor/dvm/layout/pd-dvm-layout.h"

/**
 * pd_shadow_plan_new:
 * @arrays: (array length=n): in order of insertion; layouts are referenced
 * @n: how many
 * @messages: (nullable): takes "shadow-width-clipped", "shadow-skips-empty" and
 *   "shadow-array-skipped" (type size below 1 or 2^63 bytes in all), once per array
 *
 * Prepares the exchange of a group: what does not depend on the processor is
 * computed once. Arrays on the same template layout with the same local blocks,
 * widths and signs are merged into the last inserted of them; their type sizes add up. A width
 * beyond the block of the owner of the edge is clipped to it, for sender and receiver alike. Cost
 * and memory: O(sum of grid dimensions). Posting order: for each merged array, last inserted first,
 * all receives, then all sends.
 *
 * Returns: (transfer full): the plan.
 */
PdPlan *pd_shadow_plan_new (const PdShadowArray *arrays, guint n, PdMessages *messages);

#endif
