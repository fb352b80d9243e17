/* Why a grid is the best one, in words: where the time of its neighbours goes.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ADVICE_EXPLAIN_H
#define PD_ADVICE_EXPLAIN_H

#include "reports/advice/pd-advice.h"

/**
 * pd_advice_explain:
 * @criterion: one for which there is a best run
 *
 * Returns: (transfer full): why: what the next smaller and the next larger
 *   count lose, and the other grids of the same count. Sentences.
 */
char *pd_advice_explain (const PdAdvice *self, PdAdviceCriterion criterion);

#endif
