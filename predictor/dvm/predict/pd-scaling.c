/* SPDX-License-Identifier: MIT */
#include "predictor/dvm/predict/pd-scaling.h"

#include "base/pd-verdict.h"
#include "predictor/common/pd-errors.h"

/* A prediction of which only the result counts. */
static PdPredictOptions
make_quiet (const PdPredictOptions *options)
{
  PdPredictOptions own = pd_predict_options_unobserved (options);

  own.check = FALSE;
  return own;
}

/* A trace that ends early or contradicts itself would give loops other costs without a word. That
 * of the prediction itself is judged with it. */
static gboolean
is_whole (const PdReportRun *run, const char *trace, GError **error)
{
  PdVerdict verdict = pd_messages_judge (run->messages, run->incomplete);

  if (verdict < PD_VERDICT_INCOMPLETE)
    return TRUE;
  g_autofree char *why = pd_verdict_explain (verdict, pd_report_run_get_share (run), run->messages);
  g_set_error (error, PD_DVM_MODEL_ERROR, PD_DVM_MODEL_ERROR_RECORDED,
               "%s: %s; expected a whole trace, for --scaling-traces", trace, why);
  return FALSE;
}

static PdLoopCosts *
read_costs (const PdPredictOptions *options, const char *trace, GError **error)
{
  const gint64 one = 1;
  g_autoptr (PdLoopCosts) costs = pd_loop_costs_new ();
  PdPredictOptions own = make_quiet (options);

  if (trace != options->trace)
    {
      own.trace = trace;
      own.bytes = NULL;
      own.cleanings = NULL;
    }
  own.dvm.loop_costs = costs;
  own.dvm.loop_curves = NULL;
  PdReportRun *run = pd_predict (&own, 1, &one, error);
  if (run == NULL)
    return NULL;
  gboolean fine = trace == options->trace || is_whole (run, trace, error);
  pd_report_run_free (run);
  if (!fine)
    return NULL;
  if (!pd_loop_costs_is_empty (costs))
    return g_steal_pointer (&costs);
  g_set_error (error, PD_DVM_MODEL_ERROR, PD_DVM_MODEL_ERROR_RECORDED,
               "%s: no parallel loops of distributed arrays that were recorded on one processor; "
               "expected some, for --scaling-traces",
               trace);
  return NULL;
}

static void
report (const PdLoopCurves *curves, guint n_traces, PdMessages *messages)
{
  guint n_loops, n = pd_loop_curves_count (curves, &n_loops);

  pd_messages_add (messages, n > 0 ? PD_SEVERITY_NOTE : PD_SEVERITY_WARNING, "scaling", NULL, NULL,
                   "%u of %u parallel loops were recorded at different sizes in the %u traces, and "
                   "cost what they did on as many bytes%s",
                   n, n_loops, n_traces, n > 0 ? "" : ": expected traces of one program");
}

PdLoopCurves *
pd_scaling_read (const PdPredictOptions *options, const char *const *traces, PdMessages *messages,
                 GError **error)
{
  g_return_val_if_fail (options != NULL && traces != NULL, NULL);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify) pd_loop_costs_free);
  PdLoopCosts *costs = read_costs (options, options->trace, error);

  for (guint i = 0; costs != NULL; i++)
    {
      g_ptr_array_add (all, costs);
      if (traces[i] == NULL)
        break;
      costs = read_costs (options, traces[i], error);
    }
  if (costs == NULL)
    return NULL;
  PdLoopCurves *curves = pd_loop_curves_new ((PdLoopCosts *const *) all->pdata, all->len);
  report (curves, all->len, messages);
  return curves;
}

static gboolean
predict_bound (const PdPredictOptions *options, PdCacheBound bound, guint rank, const gint64 *sizes,
               PdTime *time, GError **error)
{
  PdPredictOptions own = make_quiet (options);

  own.dvm.cache_bound = bound;
  PdReportRun *run = pd_predict (&own, rank, sizes, error);
  if (run == NULL)
    return FALSE;
  *time = PD_TIME_ZERO;
  for (guint32 i = 0; i < run->n_processors; i++)
    time->ps = MAX (time->ps, run->end_times[i].ps);
  pd_report_run_free (run);
  return TRUE;
}

gboolean
pd_scaling_get_range (const PdPredictOptions *options, guint rank, const gint64 *sizes, PdTime *low,
                      PdTime *high, GError **error)
{
  g_return_val_if_fail (options != NULL && low != NULL && high != NULL, FALSE);
  return predict_bound (options, PD_CACHE_LOW, rank, sizes, low, error)
         && predict_bound (options, PD_CACHE_HIGH, rank, sizes, high, error);
}
