/* SPDX-License-Identifier: MIT */
#include "predictor/scaled/pd-scaled-validate.h"

#include "base/pd-error.h"
#include "predictor/common/pd-errors.h"
#include "predictor/mp/pd-mp.h"
#include "predictor/scaled/pd-scaled.h"
#include "reports/run/pd-report-common.h"

#include <string.h>

/* ---- times */

static PdReportRun *
predict (const PdProgram *program, const PdMpOptions *where, GError **error)
{
  PdReportRun *run = pd_mp_predict_program (where, program, error);

  if (run != NULL)
    pd_report_run_compact (run);
  return run;
}

static PdTime
time_of (const PdReportRun *run, guint i)
{
  return pd_report_result (run, i)->values[PD_C_EXECUTION_TIME].max;
}

/* Intervals that both have at the same place of the tree. */
static void
compare_intervals (const PdReportRun *recorded, const PdReportRun *made, GArray *intervals)
{
  guint n = MIN (recorded->results->len, made->results->len);

  for (guint i = 1; i < n; i++)
    {
      const PdIntervalResult *one = pd_report_result (recorded, i);
      g_autofree char *label = pd_report_label (one);
      g_autofree char *other = pd_report_label (pd_report_result (made, i));
      if (strcmp (label, other) != 0 || one->depth != pd_report_result (made, i)->depth)
        return;
      PdScaleInterval interval = { g_steal_pointer (&label), one->depth, time_of (recorded, i),
                                   time_of (made, i) };
      g_array_append_val (intervals, interval);
    }
}

/* Wrong rules may give a program that cannot go on: that is no error. */
static gboolean
compare_times (const PdProgram *largest, const PdProgram *made, const PdMpOptions *where,
               PdScaleValidation *validation, GError **error)
{
  g_autoptr (GError) local = NULL;
  PdReportRun *recorded = predict (largest, where, error);

  if (recorded == NULL)
    return FALSE;
  PdReportRun *synthesized = predict (made, where, &local);
  validation->recorded = time_of (recorded, 0);
  if (synthesized != NULL)
    {
      validation->synthesized = time_of (synthesized, 0);
      compare_intervals (recorded, synthesized, validation->intervals);
    }
  pd_report_run_free (recorded);
  pd_report_run_free (synthesized);
  if (!g_error_matches (local, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_INTERRUPTED))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* ---- all */

/* The largest recording as the smaller ones give it. Rules that these do not have are no error: it
 * may be the only one with ranks inside. @error: return location for an interruption */
static PdProgram *
make_largest (GPtrArray *programs, guint32 n, gboolean may_approximate,
              const volatile sig_atomic_t *stop, GError **error)
{
  g_autoptr (GPtrArray) smaller = g_ptr_array_new ();

  for (guint i = 0; i < programs->len; i++)
    if (pd_program_get_n_ranks (g_ptr_array_index (programs, i)) < n)
      g_ptr_array_add (smaller, g_ptr_array_index (programs, i));
  g_autoptr (PdScaleModel) model =
      smaller->len > 1 ? pd_scale_model_new (smaller, may_approximate, NULL) : NULL;
  g_autoptr (GError) local = NULL;
  PdProgram *made = model != NULL ? pd_scale_model_make (model, n, NULL, NULL, stop, &local) : NULL;
  if (g_error_matches (local, PD_SCALE_ERROR, PD_SCALE_ERROR_INTERRUPTED))
    g_propagate_error (error, g_steal_pointer (&local));
  return made;
}

gboolean
pd_scaled_validate (PdScaleModel *model, GPtrArray *programs, const PdMpOptions *where,
                    GError **error)
{
  PdScaleValidation *validation = &pd_scale_model_get_origin (model)->validation;
  const PdProgram *largest = g_ptr_array_index (programs, programs->len - 1);
  guint32 n = pd_program_get_n_ranks (largest);
  gboolean may_approximate = pd_scale_model_get_share (model)->reason != NULL;
  g_autoptr (GError) interrupted = NULL;
  g_autoptr (PdProgram) made =
      make_largest (programs, n, may_approximate, where->stop, &interrupted);

  if (made == NULL)
    return pd_propagate (error, g_steal_pointer (&interrupted));
  validation->n_ranks = n;
  g_free (validation->machine);
  validation->machine = g_strdup (where->machine);
  pd_scale_compare (largest, made, pd_scale_model_is_settled (model), &validation->calls);
  return compare_times (largest, made, where, validation, error);
}
