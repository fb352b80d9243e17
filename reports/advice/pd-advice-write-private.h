/* The advice as text.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ADVICE_WRITE_PRIVATE_H
#define PD_ADVICE_WRITE_PRIVATE_H

#include "reports/advice/pd-advice-private.h"

/**
 * pd_advice_view_new:
 * Returns: a view that borrows from @advice, to be cleared.
 */
PdAdviceView pd_advice_view_new (const PdAdvice *advice);

/**
 * pd_advice_view_clear:
 * Releases what @view holds.
 */
void pd_advice_view_clear (PdAdviceView *view);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdAdviceView, pd_advice_view_clear)

/**
 * pd_advice_view_cost:
 * Returns: as pd_advice_get_cost(), of line @i.
 */
gdouble pd_advice_view_cost (const PdAdviceView *view, guint i);

/**
 * pd_advice_view_marks:
 * Returns: (transfer full): "TEC": by which criteria line @i is the best.
 */
char *pd_advice_view_marks (const PdAdviceView *view, guint i);

/**
 * pd_advice_describe_criterion:
 * Returns: (transfer full): "Least time", with its restriction.
 */
char *pd_advice_describe_criterion (const PdAdviceCriteria *criteria, PdAdviceCriterion c);

#endif
