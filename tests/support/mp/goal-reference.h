/* Graph simulation by the plain rules: one list of events, whatever is not
 * free goes back into it, all lists are searched from the start. Slow; what
 * predictor/graph/pd-goal.c does fast is compared with it.
 * SPDX-License-Identifier: MIT */
#ifndef GOAL_REFERENCE_H
#define GOAL_REFERENCE_H

#include "predictor/graph/pd-goal.h"

/* Times in ps into @ends, one for each rank; returns FALSE in a deadlock.
 * @n_unmatched: messages nobody received. */
gboolean goal_reference_simulate (const PdGraph *graph, const PdGoalParams *params, gint64 *ends,
                                  guint64 *n_unmatched);

#endif
