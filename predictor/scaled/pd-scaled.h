/* Models of predictor scale where commands take traces: on each number of ranks they stand for a
 * trace.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALED_H
#define PD_SCALED_H

#include "predictor/common/pd-counts.h"
#include "reports/hints/pd-time-range.h"
#include "scale/pd-scale-model.h"
#include "traces/graph/pd-mp-trace.h"

/* The name of a program from a model in messages. */
#define PD_SCALED_NAME "the synthesized program"

/**
 * pd_scaled_is_model:
 * Returns: whether @source is a model, by its first bytes.
 */
gboolean pd_scaled_is_model (const PdTraceSource *source);

/**
 * pd_scaled_open:
 * @source: a model
 * @error: return location for a #PdTraceError
 *
 * Returns: (transfer full) (nullable): the model.
 */
PdScaleModel *pd_scaled_open (const PdTraceSource *source, GError **error);

/**
 * pd_scaled_check_counts:
 * @counts: (nullable): of -n
 * @text: (nullable): of -n, for messages
 * @error: return location for a %PD_USAGE_ERROR
 *
 * Returns: whether each is a number of ranks, or a grid of them, that a model may be asked for.
 */
gboolean pd_scaled_check_counts (const GArray *counts, const char *text, GError **error);

/**
 * pd_scaled_make:
 * @count: a number of ranks, or a grid of them
 * @messages: (nullable): as of pd_scale_model_make()
 * @stop: (nullable): not 0: stop as soon as possible
 * @error: return location for a #PdScaleError, or for a %PD_USAGE_ERROR: @count is none for models
 *
 * Returns: (transfer full) (nullable): the program on so many ranks, instead of a trace.
 */
PdMpTrace *pd_scaled_make (const PdScaleModel *model, const PdCount *count, PdMessages *messages,
                           const volatile sig_atomic_t *stop, GError **error);

/**
 * pd_scaled_note_settled:
 * @messages: get a note if @model is that of recordings whose completions are settled
 */
void pd_scaled_note_settled (const PdScaleModel *model, PdMessages *messages);

/**
 * pd_scaled_report:
 * @messages: get those of reading the recordings, and what the largest one says of the model
 */
void pd_scaled_report (PdScaleModel *model, PdMessages *messages);

/**
 * pd_scaled_widen:
 * @range: of the time of a program that @model made; gets the source "scaling"
 */
void pd_scaled_widen (PdScaleModel *model, PdTimeRange *range);

#endif
