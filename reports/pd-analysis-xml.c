/* SPDX-License-Identifier: MIT */
#include "reports/pd-analysis-private.h"
#include "reports/pd-xml-private.h"

void
pd_xml_append_analysed_run (GString *out, const PdReportRun *run)
{
  const PdAnalysis *analysis = run->analysis;

  pd_xml_append_seconds (out, "makespan", (PdTimeSum){ analysis->makespan.ps });
  pd_xml_append_integer (out, "path_begin", analysis->path_begin);
  pd_xml_append_integer (out, "path_end", analysis->path_end);
  pd_xml_append_integer (out, "path_changes", analysis->path_changes);
  pd_xml_append_integer (out, "unmatched", analysis->n_unmatched);
}

static void
append_waits (GString *out, const PdTimeSum *waits)
{
  for (guint i = 0; i < PD_N_WAIT_STATES; i++)
    pd_xml_append_seconds (out, pd_wait_state_id ((PdWaitState) i), waits[i]);
}

static void
append_costs (GString *out, const PdCallCosts *costs)
{
  pd_xml_append_integer (out, "count", costs->count);
  for (guint i = 0; i < PD_N_COSTS; i++)
    pd_xml_append_seconds (out, pd_report_costs[i].id, pd_report_cost (costs, i));
}

/* The innermost place first. */
static void
append_stack (GString *out, guint depth, const PdProgram *program, guint32 site)
{
  while (site != PD_PROGRAM_NONE)
    {
      PdProgramSite place = pd_program_get_site (program, site);
      pd_xml_append_indent (out, depth);
      g_string_append (out, "<frame");
      pd_xml_append_attribute (out, "file", place.file);
      pd_xml_append_integer (out, "line", place.line);
      pd_xml_append_attribute (out, "function", place.function);
      g_string_append (out, "/>\n");
      site = place.parent;
    }
}

static void
append_ranks (GString *out, guint depth, const GArray *ranks)
{
  for (guint i = 0; i < ranks->len; i++)
    {
      const PdCallSiteRank *own = &g_array_index (ranks, PdCallSiteRank, i);
      pd_xml_append_indent (out, depth);
      g_string_append (out, "<rank");
      pd_xml_append_integer (out, "number", own->rank);
      append_costs (out, &own->costs);
      g_string_append (out, "/>\n");
    }
}

static void
append_site (GString *out, guint depth, const PdReportRun *run, const PdCallSite *site,
             gboolean ranks)
{
  pd_xml_append_indent (out, depth);
  g_string_append (out, "<call_site");
  pd_xml_append_attribute (out, "function", site->function);
  pd_xml_append_attribute (out, "file", site->file);
  pd_xml_append_integer (out, "line", site->line);
  pd_xml_append_attribute (out, "part", pd_report_part_id (site));
  append_costs (out, &site->costs);
  pd_xml_append_seconds (out, "on_path", site->on_path);
  append_waits (out, site->waits);
  g_string_append (out, ">\n");
  append_stack (out, depth + 1, run->analysis->program, site->site);
  if (ranks)
    append_ranks (out, depth + 1, site->ranks);
  pd_xml_append_indent (out, depth);
  g_string_append (out, "</call_site>\n");
}

void
pd_xml_append_analysed_interval (GString *out, const PdReportRun *run, const PdIntervalResult *r,
                                 gboolean ranks)
{
  g_autoptr (GArray) statements = pd_report_diagnose (run, r);
  g_autoptr (GArray) sites = pd_analysis_get_sites (run->analysis, r->node);
  PdPathShare path = pd_analysis_get_path (run->analysis, r->node);
  PdTimeSum waits[PD_N_WAIT_STATES];
  guint depth = r->depth + 3;

  for (guint i = 0; i < statements->len; i++)
    {
      const PdStatement *statement = &g_array_index (statements, PdStatement, i);
      pd_xml_append_indent (out, depth);
      g_string_append (out, "<diagnosis");
      pd_xml_append_attribute (out, "id", statement->id);
      g_string_append_c (out, '>');
      pd_report_append_markup (out, statement->text);
      g_string_append (out, "</diagnosis>\n");
    }
  pd_analysis_get_waits (run->analysis, r->node, waits);
  pd_xml_append_indent (out, depth);
  g_string_append (out, "<wait_states");
  append_waits (out, waits);
  g_string_append (out, "/>\n");
  pd_xml_append_indent (out, depth);
  g_string_append (out, "<critical_path");
  pd_xml_append_seconds (out, "computation", path.computation);
  pd_xml_append_seconds (out, "communication", path.communication);
  g_string_append (out, "/>\n");
  for (guint i = 0; i < sites->len; i++)
    append_site (out, depth, run, &g_array_index (sites, PdCallSite, i), ranks);
}
