/* SPDX-License-Identifier: MIT */
#include "predictor/scaled/pd-scaled-report.h"

#include "scale/pd-scale-places.h"

#include <math.h>

/* ---- validation */

static void
add_check (PdModelReport *report, const char *what, guint64 recorded, guint64 reproduced)
{
  const PdModelCheck check = { what, recorded, reproduced,
                               recorded > 0 ? (gdouble) reproduced / (gdouble) recorded : NAN };

  g_array_append_val (report->checks, check);
}

static void
add_time (PdModelReport *report, const char *name, guint32 depth, PdTime recorded,
          PdTime synthesized, gboolean is_known)
{
  PdModelTime time = { g_strdup (name), depth, pd_time_to_seconds (recorded),
                       is_known ? pd_time_to_seconds (synthesized) : NAN, NAN };

  if (is_known && time.recorded > 0)
    time.error = time.synthesized / time.recorded - 1;
  g_array_append_val (report->times, time);
}

static void
add_validation (PdModelReport *report, const PdScaleValidation *validation)
{
  const PdScaleComparison *calls = &validation->calls;

  report->n_validated = validation->n_ranks;
  report->validated_machine = g_strdup (validation->machine);
  if (validation->n_ranks == 0)
    return;
  add_check (report, "calls", calls->n, calls->equal);
  add_check (report, "partners", calls->partners, calls->equal_partners);
  add_check (report, "bytes", calls->bytes, calls->equal_bytes);
  add_time (report, "run", 0, validation->recorded, validation->synthesized,
            validation->synthesized.ps > 0);
  for (guint i = 0; i < validation->intervals->len; i++)
    {
      const PdScaleInterval *one = &g_array_index (validation->intervals, PdScaleInterval, i);
      add_time (report, one->name, one->depth, one->recorded, one->synthesized, TRUE);
    }
}

/* ---- the model */

static void
add_approximations (PdModelReport *report, const PdScaleModel *model)
{
  const PdScaleShare *share = pd_scale_model_get_share (model);
  PdScaleParts parts = pd_scale_share_get_parts (share);

  if (share->reason == NULL)
    return;
  report->approximated_calls = parts.calls;
  report->approximated_bytes = parts.bytes;
  report->drawn_bytes = parts.drawn;
  for (guint i = 0; i < share->places->len; i++)
    {
      const PdScaleApproximation *one = &g_array_index (share->places, PdScaleApproximation, i);
      PdModelApproximation row = { .calls = one->calls, .bytes = one->bytes };
      row.call = pd_scale_model_describe_approximation (model, one, &row.number, &row.how);
      row.share = (gdouble) one->calls / (gdouble) MAX (share->calls, 1);
      g_array_append_val (report->approximations, row);
    }
}

static void
add_recordings (PdModelReport *report, const GArray *recordings)
{
  for (guint i = 0; i < recordings->len; i++)
    {
      const PdScaleRecording *one = &g_array_index (recordings, PdScaleRecording, i);
      const PdModelRecording row = { g_strdup (one->name), one->n_ranks,
                                     pd_time_is_pending (one->time)
                                         ? NAN
                                         : pd_time_to_seconds (one->time) };
      g_array_append_val (report->recordings, row);
    }
}

static void
clear_rule (gpointer data)
{
  g_free (((PdModelRule *) data)->words);
}

static void
add_rules (const PdScalePlace *from, GArray *rules)
{
  g_array_set_clear_func (rules, clear_rule);
  for (guint i = 0; i < from->rules->len; i++)
    {
      const PdScalePlaceRule *rule = &g_array_index (from->rules, PdScalePlaceRule, i);
      const PdModelRule row = { rule->name, rule->how, g_strdup (rule->words) };
      g_array_append_val (rules, row);
    }
}

static void
add_place (PdModelReport *report, const PdScaleModel *model, const PdScalePlace *from)
{
  gdouble unit = pd_scale_model_get_unit (model) == PD_AMOUNT_TIME ? 1e-12 : 1;
  PdModelPlace place = { .class = from->class,
                         .n_ranks = from->n_ranks,
                         .depth = from->depth,
                         .times = g_strdup (from->times),
                         .call = from->call != NULL ? from->call : "loop",
                         .site = g_strdup (from->site),
                         .c0 = NAN,
                         .c1 = NAN,
                         .power = NAN,
                         .logs = NAN,
                         .error = NAN,
                         .share = from->share,
                         .rules = g_array_new (FALSE, FALSE, sizeof (PdModelRule)) };

  add_rules (from, place.rules);
  if (from->has_time)
    {
      place.formula = pd_scale_model_describe_time (model, from);
      place.c0 = from->time.c0 * unit;
      place.c1 = from->time.c1 * unit;
      place.power = from->time.power;
      place.logs = from->time.logs;
      place.error = isfinite (from->time.error) ? from->time.error : NAN;
    }
  g_array_append_val (report->places, place);
}

PdModelReport *
pd_scaled_describe (PdScaleModel *model)
{
  const PdScaleOrigin *origin = pd_scale_model_get_origin (model);
  g_autoptr (GArray) places = pd_scale_model_list_places (model);
  PdModelReport *report = pd_model_report_new ();

  report->arrangement = pd_scale_model_get_arrangement (model, &report->classes);
  report->unit = pd_scale_model_get_unit (model) == PD_AMOUNT_TIME ? "seconds" : "operations";
  report->time_error = pd_scale_model_get_time_error (model);
  add_approximations (report, model);
  add_recordings (report, origin->recordings);
  add_validation (report, &origin->validation);
  for (guint i = 0; i < places->len; i++)
    add_place (report, model, &g_array_index (places, PdScalePlace, i));
  return report;
}
