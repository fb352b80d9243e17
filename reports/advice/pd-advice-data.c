/* The advice as JSON and CSV.
 * SPDX-License-Identifier: MIT */
#include "reports/advice/pd-advice-private.h"
#include "base/pd-csv.h"
#include "reports/run/pd-report-rows.h"
#include "intervals/pd-interval-rows.h"
#include "reports/advice/pd-advice-data.h"
#include "reports/advice/pd-advice-explain.h"
#include "reports/advice/pd-advice-write-private.h"
#include "reports/run/pd-report-common.h"
#include "reports/emit/pd-format.h"

/* ---- JSON */

/* The keys that the advice adds to those of a run. */
static void
add_figures (PdJson *json, const PdAdviceView *view, guint i)
{
  pd_json_add_double (json, "speed_up", "%.12g",
                      pd_comparison_speed_up (view->lines, i, view->base));
  pd_json_add_double (json, "cost", "%.12g", pd_advice_view_cost (view, i));
}

static void
add_choice (PdJson *json, const PdAdviceView *view, PdAdviceCriterion c)
{
  const PdAdvice *self = view->advice;

  pd_json_open (json, pd_advice_criterion_name (c), '{');
  if (self->best[c] >= 0)
    {
      guint i = (guint) self->best[c];
      g_autofree char *why = pd_advice_explain (self, c);
      pd_json_add_integer (json, "processors", pd_advice_view_run (view, i)->n_processors);
      pd_json_add_string (json, "grid", pd_advice_view_run (view, i)->grid);
      pd_json_add_seconds (json, "execution_time",
                           pd_advice_get_time (pd_advice_view_run (view, i)));
      pd_advice_add_range (json, pd_advice_view_run (view, i));
      pd_json_add_double (json, "efficiency", "%.12g",
                          g_array_index (view->lines, PdComparedRun, i).efficiency);
      add_figures (json, view, i);
      pd_json_add_string (json, "why", why);
    }
  pd_json_close (json, '}');
}

static void
add_criteria (PdJson *json, const PdAdviceCriteria *criteria)
{
  pd_json_open (json, "criteria", '{');
  pd_json_add_double (json, "min_efficiency", "%.12g", criteria->min_efficiency);
  if (criteria->price < 0)
    pd_json_add_string (json, "price", NULL);
  else
    pd_json_add_double (json, "price", "%.12g", criteria->price);
  if (criteria->deadline.ps == 0)
    pd_json_add_string (json, "deadline", NULL);
  else
    pd_json_add_seconds (json, "deadline", (PdTimeSum){ criteria->deadline.ps });
  pd_json_close (json, '}');
}

static const PdField pruned_fields[] = {
  { "processors", PD_FIELD_NUMBER, .offset = G_STRUCT_OFFSET (PdAdvicePruned, n_processors) },
  { "grid", PD_FIELD_TEXT, .offset = G_STRUCT_OFFSET (PdAdvicePruned, grid) },
  { "bound", PD_FIELD_SUM, .offset = G_STRUCT_OFFSET (PdAdvicePruned, bound) },
  PD_FIELDS_END,
};
static const PdRecord pruned_grids = PD_RECORD (.list = "pruned", .fields = pruned_fields);

void
pd_advice_write_json (const PdAdvice *self, GString *out)
{
  g_return_if_fail (self != NULL && out != NULL);

  g_auto (PdAdviceView) view = pd_advice_view_new (self);
  PdJson json = { .out = out, .first = TRUE };

  pd_json_open (&json, NULL, '{');
  pd_json_add_head (&json, self->report);
  pd_json_add_string (&json, "scope", self->scope);
  pd_json_add_double (&json, "margin", "%.6f", self->margin);
  add_criteria (&json, &self->criteria);
  pd_json_open (&json, "best", '{');
  for (PdAdviceCriterion c = 0; c < PD_N_ADVICE; c++)
    if (self->criteria.wanted[c])
      add_choice (&json, &view, c);
  pd_json_close (&json, '}');
  pd_json_open (&json, "runs", '[');
  for (guint i = 0; i < self->report->runs->len; i++)
    {
      pd_json_open (&json, NULL, '{');
      pd_json_add_run (&json, self->report, pd_advice_view_run (&view, i));
      pd_advice_add_range (&json, pd_advice_view_run (&view, i));
      add_figures (&json, &view, i);
      pd_json_add_messages (&json, pd_advice_view_run (&view, i)->messages);
      pd_json_close (&json, '}');
    }
  pd_json_close (&json, ']');
  pd_emit_rows (&(PdEmit){ .json = &json }, &pruned_grids, self->pruned);
  pd_json_add_boolean (&json, "interrupted", self->interrupted);
  pd_json_add_messages (&json, self->report->messages);
  pd_json_close (&json, '}');
  g_string_append_c (out, '\n');
}

/* ---- CSV: of DVM programs, there is nothing to choose for others */

static void
append_line (GString *out, const PdAdviceView *view, guint i)
{
  const PdReportRun *run = pd_advice_view_run (view, i);
  const PdIntervalResult *root = pd_report_result (run, 0);
  g_autofree char *marks = pd_advice_view_marks (view, i);

  g_string_append_printf (out, "%u,", run->n_processors);
  pd_csv_append (out, run->grid);
  g_string_append_printf (out, ",predicted,%s,,", marks);
  pd_report_append_double (out, "%.12g", pd_comparison_speed_up (view->lines, i, view->base));
  g_string_append_c (out, ',');
  pd_report_append_double (out, "%.12g", pd_advice_view_cost (view, i));
  g_string_append_printf (out, ",%" G_GUINT64_FORMAT ",", run->n_messages);
  pd_report_append_wide (out, run->n_bytes.ps);
  g_string_append_c (out, ',');
  pd_report_append_seconds (out, root->total_time);
  g_string_append_c (out, ',');
  pd_report_append_double (out, "%.12g", root->efficiency);
  pd_advice_append_range (out, run);
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    {
      if (!pd_characteristic_applies (c, PD_MODEL_DVM))
        continue;
      g_string_append_c (out, ',');
      pd_report_append_seconds (out, root->values[c].sum);
    }
  g_string_append (out, "\r\n");
}

static void
append_pruned_line (GString *out, const PdAdvicePruned *pruned)
{
  g_string_append_printf (out, "%u,", pruned->n_processors);
  pd_csv_append (out, pruned->grid);
  g_string_append (out, ",pruned,,");
  pd_report_append_seconds (out, pruned->bound);
  g_string_append (out, ",,,,,,,,");
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    if (pd_characteristic_applies (c, PD_MODEL_DVM))
      g_string_append_c (out, ',');
  g_string_append (out, "\r\n");
}

void
pd_advice_write_csv (const PdAdvice *self, GString *out)
{
  g_return_if_fail (self != NULL && out != NULL);

  g_auto (PdAdviceView) view = pd_advice_view_new (self);

  g_string_append (out, "processors,grid,status,best,bound,speed_up,cost,messages,bytes,"
                        "total_time,efficiency");
  pd_advice_append_range (out, NULL);
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    if (pd_characteristic_applies (c, PD_MODEL_DVM))
      g_string_append_printf (out, ",%s", pd_characteristic_row (c)->id);
  g_string_append (out, "\r\n");
  for (guint i = 0; i < self->report->runs->len; i++)
    append_line (out, &view, i);
  for (guint i = 0; i < self->pruned->len; i++)
    append_pruned_line (out, &g_array_index (self->pruned, PdAdvicePruned, i));
}
