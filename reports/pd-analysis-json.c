/* SPDX-License-Identifier: MIT */
#include "reports/pd-analysis-private.h"
#include "reports/pd-json-private.h"

void
pd_json_add_analysed_run (PdJson *json, const PdReportRun *run)
{
  const PdAnalysis *analysis = run->analysis;

  pd_json_add_seconds (json, "makespan", (PdTimeSum){ analysis->makespan.ps });
  pd_json_add_integer (json, "path_begin", analysis->path_begin);
  pd_json_add_integer (json, "path_end", analysis->path_end);
  pd_json_add_integer (json, "path_changes", analysis->path_changes);
  pd_json_add_integer (json, "unmatched", analysis->n_unmatched);
}

static void
add_waits (PdJson *json, const PdTimeSum *waits)
{
  pd_json_open (json, "wait_states", '{');
  for (guint i = 0; i < PD_N_WAIT_STATES; i++)
    pd_json_add_seconds (json, pd_wait_state_id ((PdWaitState) i), waits[i]);
  pd_json_close (json, '}');
}

static void
add_costs (PdJson *json, const PdCallCosts *costs)
{
  pd_json_add_integer (json, "count", costs->count);
  for (guint i = 0; i < PD_N_COSTS; i++)
    pd_json_add_seconds (json, pd_report_costs[i].id, pd_report_cost (costs, i));
}

/* The innermost place first. */
static void
add_stack (PdJson *json, const PdProgram *program, guint32 site)
{
  pd_json_open (json, "stack", '[');
  while (site != PD_PROGRAM_NONE)
    {
      PdProgramSite place = pd_program_get_site (program, site);
      pd_json_open (json, NULL, '{');
      pd_json_add_string (json, "file", place.file);
      pd_json_add_integer (json, "line", place.line);
      pd_json_add_string (json, "function", place.function);
      pd_json_close (json, '}');
      site = place.parent;
    }
  pd_json_close (json, ']');
}

static void
add_ranks (PdJson *json, const GArray *ranks)
{
  pd_json_open (json, "ranks", '[');
  for (guint i = 0; i < ranks->len; i++)
    {
      const PdCallSiteRank *own = &g_array_index (ranks, PdCallSiteRank, i);
      pd_json_open (json, NULL, '{');
      pd_json_add_integer (json, "rank", own->rank);
      add_costs (json, &own->costs);
      pd_json_close (json, '}');
    }
  pd_json_close (json, ']');
}

static void
add_site (PdJson *json, const PdReportRun *run, const PdCallSite *site, gboolean ranks)
{
  pd_json_open (json, NULL, '{');
  pd_json_add_string (json, "function", site->function);
  pd_json_add_string (json, "file", site->file);
  pd_json_add_integer (json, "line", site->line);
  pd_json_add_string (json, "part", pd_report_part_id (site));
  add_costs (json, &site->costs);
  pd_json_add_seconds (json, "on_path", site->on_path);
  add_waits (json, site->waits);
  add_stack (json, run->analysis->program, site->site);
  if (ranks)
    add_ranks (json, site->ranks);
  pd_json_close (json, '}');
}

void
pd_json_add_analysed_interval (PdJson *json, const PdReportRun *run, const PdIntervalResult *r,
                               gboolean ranks)
{
  g_autoptr (GArray) statements = pd_report_diagnose (run, r);
  g_autoptr (GArray) sites = pd_analysis_get_sites (run->analysis, r->node);
  PdPathShare path = pd_analysis_get_path (run->analysis, r->node);
  PdTimeSum waits[PD_N_WAIT_STATES];

  pd_json_open (json, "diagnosis", '[');
  for (guint i = 0; i < statements->len; i++)
    {
      const PdStatement *statement = &g_array_index (statements, PdStatement, i);
      pd_json_open (json, NULL, '{');
      pd_json_add_string (json, "id", statement->id);
      pd_json_add_string (json, "text", statement->text);
      pd_json_close (json, '}');
    }
  pd_json_close (json, ']');
  pd_analysis_get_waits (run->analysis, r->node, waits);
  add_waits (json, waits);
  pd_json_open (json, "critical_path", '{');
  pd_json_add_seconds (json, "computation", path.computation);
  pd_json_add_seconds (json, "communication", path.communication);
  pd_json_close (json, '}');
  pd_json_open (json, "call_sites", '[');
  for (guint i = 0; i < sites->len; i++)
    add_site (json, run, &g_array_index (sites, PdCallSite, i), ranks);
  pd_json_close (json, ']');
}
