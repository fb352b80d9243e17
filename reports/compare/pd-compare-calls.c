/* SPDX-License-Identifier: MIT */
#include "reports/compare/pd-compare-calls.h"

#include "analyse/pd-sites.h"
#include "reports/run/pd-report-types.h"

#include <math.h>
#include <string.h>

/* ---- of one run */

static PdPlaceCalls
describe (PdRunCalls *self, const PdAnalysis *analysis, const PdCallSite *site)
{
  const char *caller = site->site != PD_PROGRAM_NONE
                           ? pd_program_get_site (analysis->program, site->site).function
                           : "";
  const char *shown = pd_tails_get (analysis->tails, site->file);
  PdPlaceCalls calls = { .file = g_string_chunk_insert_const (self->texts, site->file),
                         .shown = g_string_chunk_insert_const (self->texts, shown),
                         .line = site->line,
                         .caller = g_string_chunk_insert_const (self->texts, caller),
                         .function = g_string_chunk_insert_const (self->texts, site->function) };

  return calls;
}

/* Whatever may be in a name, no two places have the same key. @line: 0: of any */
static char *
make_key (const PdPlaceCalls *calls, gint64 line)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT "\n%zu %s%zu %s%s", line, strlen (calls->file),
                          calls->file, strlen (calls->caller), calls->caller, calls->function);
}

PdRunCalls *
pd_run_calls_new (const PdReportRun *run)
{
  g_return_val_if_fail (run->analysis != NULL, NULL);

  PdRunCalls *self = g_new0 (PdRunCalls, 1);
  g_autoptr (GArray) sites = pd_analysis_get_sites (run->analysis, PD_INTERVAL_ROOT);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  self->n_ranks = run->n_processors;
  self->texts = g_string_chunk_new (256);
  self->places = g_array_new (FALSE, FALSE, sizeof (PdPlaceCalls));
  pd_analysis_get_waits (run->analysis, PD_INTERVAL_ROOT, self->waits);
  for (guint i = 0; i < sites->len; i++)
    {
      const PdCallSite *site = &g_array_index (sites, PdCallSite, i);
      PdPlaceCalls calls = describe (self, run->analysis, site);
      char *key = make_key (&calls, calls.line);
      guint at = GPOINTER_TO_UINT (g_hash_table_lookup (known, key));
      if (at == 0)
        {
          g_array_append_val (self->places, calls);
          at = self->places->len;
        }
      g_hash_table_replace (known, key, GUINT_TO_POINTER (at));
      PdPlaceCalls *place = &g_array_index (self->places, PdPlaceCalls, at - 1);
      place->count += site->costs.count;
      place->time.ps += site->costs.time.ps;
      for (guint k = 0; k < PD_N_WAIT_STATES; k++)
        place->waiting.ps += site->waits[k].ps;
    }
  return self;
}

void
pd_run_calls_free (PdRunCalls *self)
{
  if (self == NULL)
    return;
  g_string_chunk_free (self->texts);
  g_array_unref (self->places);
  g_free (self);
}

/* ---- of two */

static gdouble
per_rank (const PdRunCalls *self, const PdPlaceCalls *calls)
{
  return calls == NULL ? 0 : pd_time_sum_to_seconds (calls->time) / MAX (self->n_ranks, 1);
}

static gint
compare_pairs (gconstpointer x, gconstpointer y)
{
  const PdCallsPair *p = x, *q = y;
  gdouble a = fabs (p->seconds[1] - p->seconds[0]), b = fabs (q->seconds[1] - q->seconds[0]);

  return a > b ? -1 : a < b;
}

/* Pairs the sites of both that are not yet @taken, in the order of places. @lines: only of equal
 * lines */
static void
match (const PdRunCalls *const *runs, gboolean lines, const PdPlaceCalls **partners,
       gboolean *taken)
{
  g_autoptr (GHashTable) waiting =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_queue_free);

  for (guint i = 0; i < runs[1]->places->len; i++)
    {
      const PdPlaceCalls *calls = &g_array_index (runs[1]->places, PdPlaceCalls, i);
      char *key = make_key (calls, lines ? calls->line : 0);
      GQueue *queue = g_hash_table_lookup (waiting, key);
      if (queue == NULL)
        g_hash_table_insert (waiting, g_strdup (key), queue = g_queue_new ());
      if (!taken[i])
        g_queue_push_tail (queue, GUINT_TO_POINTER (i + 1));
      g_free (key);
    }
  for (guint i = 0; i < runs[0]->places->len; i++)
    {
      const PdPlaceCalls *calls = &g_array_index (runs[0]->places, PdPlaceCalls, i);
      g_autofree char *key = make_key (calls, lines ? calls->line : 0);
      GQueue *queue = g_hash_table_lookup (waiting, key);
      guint partner =
          partners[i] == NULL && queue != NULL ? GPOINTER_TO_UINT (g_queue_pop_head (queue)) : 0;
      if (partner == 0)
        continue;
      partners[i] = &g_array_index (runs[1]->places, PdPlaceCalls, partner - 1);
      taken[partner - 1] = TRUE;
    }
}

static void
add_pair (GArray *pairs, const PdRunCalls *const *runs, const PdPlaceCalls *a,
          const PdPlaceCalls *b)
{
  PdCallsPair pair = { { a, b }, { per_rank (runs[0], a), per_rank (runs[1], b) } };

  g_array_append_val (pairs, pair);
}

GArray *
pd_run_calls_pair (const PdRunCalls *a, const PdRunCalls *b)
{
  const PdRunCalls *const runs[2] = { a, b };
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (PdCallsPair));
  g_autofree const PdPlaceCalls **partners = g_new0 (const PdPlaceCalls *, a->places->len + 1);
  g_autofree gboolean *taken = g_new0 (gboolean, b->places->len + 1);

  match (runs, TRUE, partners, taken);
  match (runs, FALSE, partners, taken);
  for (guint i = 0; i < a->places->len; i++)
    add_pair (pairs, runs, &g_array_index (a->places, PdPlaceCalls, i), partners[i]);
  for (guint i = 0; i < b->places->len; i++)
    if (!taken[i])
      add_pair (pairs, runs, NULL, &g_array_index (b->places, PdPlaceCalls, i));
  g_array_sort (pairs, compare_pairs);
  return pairs;
}

char *
pd_compare_calls_label (const PdCallsPair *pair)
{
  const PdPlaceCalls *a = pair->of[0], *b = pair->of[1], *of = a != NULL ? a : b;
  GString *text = g_string_new (of->shown);

  if (of->file[0] != '\0' && of->line > 0)
    g_string_append_printf (text, ":%" G_GINT64_FORMAT, of->line);
  if (a != NULL && b != NULL && a->line != b->line)
    g_string_append_printf (text, " (B: %" G_GINT64_FORMAT ")", b->line);
  g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", of->function);
  return g_string_free (text, FALSE);
}
