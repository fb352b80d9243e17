/* What an analysis says, in the tables of result files.
 * SPDX-License-Identifier: MIT */
#include "reports/pd-analysis-private.h"
#include "reports/pd-insert-private.h"

/* The statements of one run. */
typedef struct
{
  sqlite3 *db;
  gint64 id;
  const PdReportRun *run;
  gboolean ranks;
  GHashTable *stacks; /* of sites whose frames are in the table */
  PdInsert diagnosis;
  PdInsert analysis;
  PdInsert site;
  PdInsert rank;
  PdInsert frame;
} Writer;

static void
put_seconds (PdInsert *row, PdTimeSum t)
{
  pd_insert_double (row, pd_time_sum_to_seconds (t));
}

static void
put_waits (PdInsert *row, const PdTimeSum *waits)
{
  for (guint i = 0; i < PD_N_WAIT_STATES; i++)
    put_seconds (row, waits[i]);
}

static void
put_costs (PdInsert *row, const PdCallCosts *costs)
{
  pd_insert_count (row, costs->count);
  for (guint i = 0; i < PD_N_COSTS; i++)
    put_seconds (row, pd_report_cost (costs, i));
}

/* ---- call sites */

/* The innermost place first. */
static gboolean
insert_stack (Writer *self, guint32 stack)
{
  const PdProgram *program = self->run->analysis->program;
  gboolean ok = TRUE;
  guint32 site = stack;

  if (stack == PD_PROGRAM_NONE || !g_hash_table_add (self->stacks, GUINT_TO_POINTER (stack)))
    return TRUE;
  for (gint64 position = 0; ok && site != PD_PROGRAM_NONE; position++)
    {
      PdProgramSite place = pd_program_get_site (program, site);
      pd_insert_integer (&self->frame, self->id);
      pd_insert_integer (&self->frame, stack);
      pd_insert_integer (&self->frame, position);
      pd_insert_text (&self->frame, place.file);
      pd_insert_integer (&self->frame, place.line);
      pd_insert_text (&self->frame, place.function);
      ok = pd_insert_end_row (&self->frame);
      site = place.parent;
    }
  return ok;
}

static gboolean
insert_ranks (Writer *self, gint64 node, gint64 number, const GArray *ranks)
{
  gboolean ok = TRUE;

  for (guint i = 0; ok && self->ranks && i < ranks->len; i++)
    {
      const PdCallSiteRank *own = &g_array_index (ranks, PdCallSiteRank, i);
      pd_insert_integer (&self->rank, self->id);
      pd_insert_integer (&self->rank, node);
      pd_insert_integer (&self->rank, number);
      pd_insert_integer (&self->rank, own->rank);
      put_costs (&self->rank, &own->costs);
      ok = pd_insert_end_row (&self->rank);
    }
  return ok;
}

static gboolean
insert_site (Writer *self, gint64 node, gint64 number, const PdCallSite *site)
{
  PdInsert *row = &self->site;

  pd_insert_integer (row, self->id);
  pd_insert_integer (row, node);
  pd_insert_integer (row, number);
  pd_insert_text (row, site->function);
  pd_insert_text (row, site->file);
  pd_insert_integer (row, site->line);
  if (site->site == PD_PROGRAM_NONE)
    pd_insert_null (row);
  else
    pd_insert_integer (row, site->site);
  pd_insert_text (row, pd_report_part_id (site));
  put_costs (row, &site->costs);
  put_seconds (row, site->on_path);
  put_waits (row, site->waits);
  return pd_insert_end_row (row) && insert_stack (self, site->site)
         && insert_ranks (self, node, number, site->ranks);
}

/* ---- intervals */

static gboolean
insert_diagnosis (Writer *self, gint64 node, const PdIntervalResult *r)
{
  g_autoptr (GArray) statements = pd_report_diagnose (self->run, r);
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < statements->len; i++)
    {
      const PdStatement *statement = &g_array_index (statements, PdStatement, i);
      pd_insert_integer (&self->diagnosis, self->id);
      pd_insert_integer (&self->diagnosis, node);
      pd_insert_integer (&self->diagnosis, i);
      pd_insert_text (&self->diagnosis, statement->id);
      pd_insert_text (&self->diagnosis, statement->text);
      ok = pd_insert_end_row (&self->diagnosis);
    }
  return ok;
}

static gboolean
insert_interval (Writer *self, gint64 node)
{
  const PdAnalysis *analysis = self->run->analysis;
  const PdIntervalResult *r = pd_report_result (self->run, (guint) node);
  g_autoptr (GArray) sites = pd_analysis_get_sites (analysis, r->node);
  PdPathShare path = pd_analysis_get_path (analysis, r->node);
  PdTimeSum waits[PD_N_WAIT_STATES];

  pd_analysis_get_waits (analysis, r->node, waits);
  pd_insert_integer (&self->analysis, self->id);
  pd_insert_integer (&self->analysis, node);
  put_waits (&self->analysis, waits);
  put_seconds (&self->analysis, path.computation);
  put_seconds (&self->analysis, path.communication);
  gboolean ok = pd_insert_end_row (&self->analysis) && insert_diagnosis (self, node, r);
  for (guint i = 0; ok && i < sites->len; i++)
    ok = insert_site (self, node, i + 1, &g_array_index (sites, PdCallSite, i));
  return ok;
}

static gboolean
insert_run (Writer *self)
{
  const PdAnalysis *analysis = self->run->analysis;
  g_autoptr (sqlite3_stmt) statement = NULL;
  PdInsert row;
  gboolean ok = pd_insert_prepare (self->db, "analysed_run", 6, &row);

  statement = row.statement;
  if (!ok)
    return FALSE;
  pd_insert_integer (&row, self->id);
  pd_insert_integer (&row, analysis->makespan.ps);
  pd_insert_integer (&row, analysis->path_begin);
  pd_insert_integer (&row, analysis->path_end);
  pd_insert_integer (&row, analysis->path_changes);
  pd_insert_count (&row, analysis->n_unmatched);
  ok = pd_insert_end_row (&row);
  for (guint i = 0; ok && i < self->run->results->len; i++)
    ok = insert_interval (self, i);
  return ok;
}

gboolean
pd_insert_analysis (sqlite3 *db, gint64 id, const PdReportRun *run, gboolean ranks)
{
  g_autoptr (GHashTable) stacks = g_hash_table_new (NULL, NULL);
  Writer writer = { .db = db, .id = id, .run = run, .ranks = ranks, .stacks = stacks };
  const struct
  {
    const char *table;
    int n_columns;
    PdInsert *row;
  } tables[] = {
    { "diagnosis", 5, &writer.diagnosis },
    { "analysis", 4 + PD_N_WAIT_STATES, &writer.analysis },
    { "call_site", 10 + PD_N_COSTS + PD_N_WAIT_STATES, &writer.site },
    { "call_site_rank", 5 + PD_N_COSTS, &writer.rank },
    { "frame", 6, &writer.frame },
  };
  gboolean ok = TRUE;

  for (gsize i = 0; i < G_N_ELEMENTS (tables); i++)
    ok = pd_insert_prepare (db, tables[i].table, tables[i].n_columns, tables[i].row) && ok;
  ok = ok && insert_run (&writer);
  for (gsize i = 0; i < G_N_ELEMENTS (tables); i++)
    sqlite3_finalize (tables[i].row->statement);
  return ok;
}
