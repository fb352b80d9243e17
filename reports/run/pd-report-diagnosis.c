/* SPDX-License-Identifier: MIT */
#include "reports/run/pd-report-diagnosis.h"

#include "analyse/pd-diagnosis-dvm.h"
#include "analyse/pd-diagnosis.h"
#include "base/pd-text.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-report-common.h"

/* Intervals in brief, and the part of the run's time that each must have. */
#define BRIEF 3
#define PART  0.01

gboolean
pd_report_has_diagnosis (const PdReportRun *run)
{
  return run->model == PD_MODEL_DVM && run->analysis == NULL && run->n_processors > 1;
}

static void
write_interval (const PdReportRun *run, guint i, guint width, GString *out)
{
  g_autoptr (GArray) statements = pd_diagnosis_new_dvm (run->results, i);
  g_autofree char *label = pd_report_label (pd_report_result (run, i));

  g_string_append_printf (out, "%s\n", label);
  for (guint k = 0; k < statements->len; k++)
    {
      g_autofree char *text = pd_text_show (g_array_index (statements, PdStatement, k).text);
      gsize begin = out->len;
      pd_report_append_wrapped (out, text, "  ", width);
      out->str[begin] = '-';
    }
}

void
pd_report_write_diagnosis (const PdReportRun *run, gboolean all, guint width, GString *out)
{
  gdouble whole = 0;
  guint shown = 0;

  if (!pd_report_has_diagnosis (run))
    return;
  g_autofree guint *order = pd_diagnosis_rank (run->results);
  for (guint i = 0; i < run->results->len; i++)
    whole += (gdouble) pd_diagnosis_get_own_time (run->results, i).ps;
  g_string_append (out, "Diagnosis, by the intervals' own time\n");
  write_interval (run, 0, width, out);
  for (guint k = 0; k < run->results->len; k++)
    {
      gdouble own = (gdouble) pd_diagnosis_get_own_time (run->results, order[k]).ps;
      if (order[k] == 0 || own < PART * whole || (!all && shown == BRIEF))
        continue;
      write_interval (run, order[k], width, out);
      shown++;
    }
  g_string_append_c (out, '\n');
}
