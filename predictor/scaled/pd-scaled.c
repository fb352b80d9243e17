/* SPDX-License-Identifier: MIT */
#include "predictor/scaled/pd-scaled.h"

#include "predictor/common/pd-errors.h"
#include "scale/file/pd-scale-file.h"
#include "traces/open/pd-trace-formats.h"

#include <math.h>
#include <string.h>

#define DOUBTFUL 0.1 /* a greater relative error of the largest recording's time is a warning */

/* ---- files */

gboolean
pd_scaled_is_model (const PdTraceSource *source)
{
  const PdTraceFormat *format =
      pd_trace_source_is_file (source) ? pd_trace_format_detect (source, NULL) : NULL;

  return format != NULL && strcmp (format->name, "scale") == 0;
}

PdScaleModel *
pd_scaled_open (const PdTraceSource *source, GError **error)
{
  g_autoptr (PdInput) input = pd_trace_source_open (source, error);

  if (input == NULL)
    return NULL;
  const PdWindow *window = pd_input_get_window (input);
  while (pd_input_fill (input, 0))
    ;
  if (!pd_input_check (input, pd_trace_source_get_name (source), error))
    return NULL;
  g_autoptr (GBytes) bytes = g_bytes_new (window->data, window->size);
  PdScaleModel *model = pd_scale_model_new_from_bytes (bytes, error);
  if (model == NULL)
    g_prefix_error (error, "%s: ", pd_trace_source_get_name (source));
  return model;
}

/* ---- programs */

static gboolean
check_count (const PdCount *count, const char *text, GError **error)
{
  gint64 n = pd_count_get_n (count);

  if (count->rank <= PD_RULE_DIMS && n >= 2 && n <= PD_PROGRAM_MAX_RANKS)
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0,
               "-n %s: expected 2 ranks or more, in at most %d dimensions", text, PD_RULE_DIMS);
  return FALSE;
}

gboolean
pd_scaled_check_counts (const GArray *counts, const char *text, GError **error)
{
  for (guint i = 0; counts != NULL && i < counts->len; i++)
    if (!check_count (&g_array_index (counts, PdCount, i), text, error))
      return FALSE;
  return TRUE;
}

PdMpTrace *
pd_scaled_make (const PdScaleModel *model, const PdCount *count, PdMessages *messages,
                const volatile sig_atomic_t *stop, GError **error)
{
  g_autofree char *text = pd_sizes_format (count->sizes, count->rank);
  PdScaleGrid grid = { .dims = count->rank };

  if (!check_count (count, text, error))
    return NULL;
  for (guint d = 0; d < count->rank; d++)
    grid.size[d] = count->sizes[d];
  PdProgram *program = pd_scale_model_make (model, (guint32) pd_count_get_n (count),
                                            count->rank > 1 ? &grid : NULL, messages, stop, error);
  if (program == NULL)
    return NULL;
  PdMpTrace *trace = g_new0 (PdMpTrace, 1);
  trace->program = program;
  return trace;
}

/* ---- what the recordings say */

/* Never silent: an approximation is no promise. */
static void
report_share (const PdScaleShare *share, PdMessages *messages)
{
  PdScaleParts parts = pd_scale_share_get_parts (share);

  if (share->reason != NULL)
    pd_messages_add (messages, PD_SEVERITY_WARNING, "scale-approximate", NULL, NULL,
                     "%s; approximated are %.1f %% of the calls and %.1f %% of the bytes of the "
                     "recordings, %.1f %% of the bytes are drawn from recorded sizes",
                     share->reason, 100 * parts.calls, 100 * parts.bytes, 100 * parts.drawn);
}

void
pd_scaled_note_settled (const PdScaleModel *model, PdMessages *messages)
{
  if (pd_scale_model_is_settled (model))
    pd_messages_add (
        messages, PD_SEVERITY_NOTE, "scale-settled", NULL, NULL,
        "a race decides which request MPI_Waitany and the like complete first, and the "
        "recordings differ in that: made programs wait for the requests in the order of "
        "their numbers");
}

static void
report_validation (const PdScaleValidation *validation, PdMessages *messages)
{
  const PdScaleComparison *calls = &validation->calls;
  gdouble error = pd_scale_validation_get_error (validation);
  gboolean is_doubtful = fabs (error) > DOUBTFUL;

  if (validation->n_ranks == 0)
    pd_messages_add (messages, PD_SEVERITY_WARNING, "scale-unproved", NULL, NULL,
                     "the recordings do not suffice to predict the largest of them from the "
                     "others: nothing proves the rules but that they fit; record on three "
                     "numbers of ranks or more, three or more in each dimension");
  else if (calls->equal < calls->n)
    pd_messages_add (messages, PD_SEVERITY_WARNING, "scale-doubtful", NULL, NULL,
                     "rules of the smaller recordings give %.1f %% of the %" G_GUINT64_FORMAT
                     " calls on %u ranks; the first other one is call %" G_GUINT64_FORMAT
                     " of rank %u",
                     100.0 * (gdouble) calls->equal / (gdouble) calls->n, calls->n,
                     validation->n_ranks, calls->first_call + 1, calls->first_rank);
  else
    pd_messages_add (messages, is_doubtful ? PD_SEVERITY_WARNING : PD_SEVERITY_NOTE,
                     is_doubtful ? "scale-times" : "scale-validated", NULL, NULL,
                     "rules of the smaller recordings give all %" G_GUINT64_FORMAT
                     " calls on %u ranks, and %.6g s where the recording gives %.6g s (%+.1f %%)",
                     calls->n, validation->n_ranks, pd_time_to_seconds (validation->synthesized),
                     pd_time_to_seconds (validation->recorded), 100 * error);
}

void
pd_scaled_report (PdScaleModel *model, PdMessages *messages)
{
  const PdScaleOrigin *origin = pd_scale_model_get_origin (model);

  pd_messages_add_all (messages, origin->messages);
  report_share (pd_scale_model_get_share (model), messages);
  report_validation (&origin->validation, messages);
}

/* The error of times on other numbers of ranks is that of the largest recording as predicted from
 * the smaller ones, or that of models of computation on data to which they were not fitted. */
void
pd_scaled_widen (PdScaleModel *model, PdTimeRange *range)
{
  const PdScaleValidation *validation = &pd_scale_model_get_origin (model)->validation;
  gdouble width = MAX (fabs (pd_scale_validation_get_error (validation)),
                       pd_scale_model_get_time_error (model));

  pd_time_range_add (range, PD_RANGE_SCALING, width, width);
}
