/* Of several traces of one program, the one that each grid of a search is predicted from.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ADVISE_TRACES_PRIVATE_H
#define PD_ADVISE_TRACES_PRIVATE_H

#include "predictor/search/pd-advise.h"

typedef struct _PdAdviseTraces PdAdviseTraces;

/**
 * pd_advise_traces_new:
 * @options: without a family all grids are predicted from its trace; must outlive the result
 * @messages: gets the messages about further traces, when they are first chosen
 */
PdAdviseTraces *pd_advise_traces_new (const PdAdviseOptions *options, PdMessages *messages);
/**
 * pd_advise_traces_free:
 * @self: (nullable): traces
 */
void pd_advise_traces_free (PdAdviseTraces *self);

/**
 * pd_advise_traces_choose:
 * @error: return location for %PD_DVM_MODEL_ERROR_GRID, or what reading a trace may cause
 *
 * Returns: (transfer none) (nullable): how @count is predicted.
 */
const PdPredictOptions *pd_advise_traces_choose (PdAdviseTraces *self, const PdCount *count,
                                                 GError **error);

/**
 * pd_advise_traces_get_grids:
 * Returns: (transfer full) (nullable) (element-type PdCount): the only grids that can be predicted;
 *   %NULL: any
 */
GArray *pd_advise_traces_get_grids (const PdAdviseTraces *self);

/**
 * pd_advise_traces_note:
 * Adds a note to the report of @advice for each of its best runs: which of several traces it is
 * predicted from.
 */
void pd_advise_traces_note (const PdAdviseTraces *self, const PdAdvice *advice);

#endif
