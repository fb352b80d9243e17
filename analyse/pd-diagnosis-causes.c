/* The diagnosis: who is to blame for waiting.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-diagnosis-private.h"
#include "analyse/pd-diagnosis.h"
#include "analyse/pd-marked.h"
#include "base/pd-figures.h"

#include <string.h>

#define N_NAMED 3    /* causes that are named */
#define WORTH   0.1  /* of the waiting: to be named */
#define MOST    0.5  /* of it, that those who are named cause */
#define LONGER  1.05 /* than others: worth to be said */

static gdouble
cost_of (const PdRootCause *cause)
{
  return (gdouble) (cause->direct.ps + cause->propagated.ps);
}

/* ---- one cause */

static gboolean
is_same (const PdCallPlace *x, const PdCallPlace *y)
{
  return x->site == y->site && x->line == y->line && strcmp (x->file, y->file) == 0
         && strcmp (x->function, y->function) == 0;
}

static gboolean
is_same_place (const PdRootCause *x, const PdRootCause *y)
{
  return x->kind == y->kind && x->node == y->node && is_same (&x->from, &y->from)
         && is_same (&x->to, &y->to);
}

/* "Rank 3 computes 58 ms between a.c:4 and a.c:9, where others need 12 ms" */
static void
append_cause (GString *text, const PdAnalysis *analysis, guint32 node, const PdRootCause *cause)
{
  static const char *const verbs[] = { [PD_DELAY_COMPUTATION] = "computes",
                                       [PD_DELAY_COMMUNICATION] = "spends",
                                       [PD_DELAY_START] = "begins" };
  g_autofree char *place = pd_analysis_describe_cause_place (analysis, cause);
  g_autofree char *took = pd_figures_time (cause->took);
  g_autofree char *others = pd_figures_time (cause->others);
  const PdIntervalKey key = pd_interval_tree_get_key (analysis->tree, cause->node);

  g_string_append_printf (text, "%s %u %s %s", text->len == 0 ? "Rank" : "rank", cause->rank,
                          verbs[cause->kind], took);
  if (cause->kind == PD_DELAY_START)
    {
      g_string_append (text, " late");
      return;
    }
  g_string_append_printf (text, " %s", place);
  if (cause->node != node && key.name != NULL && key.name[0] != '\0')
    g_string_append_printf (text, " (interval %s)", key.name);
  else if (cause->node != node && key.index != PD_INTERVAL_NO_INDEX)
    g_string_append_printf (text, " (interval %" G_GINT64_FORMAT ")", key.index);
  if (cause->n_others == 0)
    g_string_append (text, ", where no other rank is");
  else if ((gdouble) cause->took.ps >= LONGER * (gdouble) cause->others.ps)
    g_string_append_printf (text, ", where others need %s", others);
  else
    g_string_append (text, ", no longer than others, but these wait for it");
}

/* The same place as of the cause before: "rank 4 takes 40 ms there". */
static void
append_there (GString *text, const PdRootCause *cause)
{
  g_autofree char *took = pd_figures_time (cause->took);

  g_string_append_printf (text, "rank %u takes %s there", cause->rank, took);
}

static void
append_named (GString *text, const PdAnalysis *analysis, guint32 node, const GArray *causes,
              PdTimeSum waiting, guint n)
{
  const char *whole = node == PD_INTERVAL_ROOT ? "all waiting" : "the waiting here";

  for (guint i = 0; i < n; i++)
    {
      const PdRootCause *cause = &g_array_index (causes, PdRootCause, i);
      g_string_append (text, i > 0 ? "; " : "");
      if (i > 0 && cause->kind != PD_DELAY_START && is_same_place (cause - 1, cause))
        append_there (text, cause);
      else
        append_cause (text, analysis, node, cause);
      if (i == 0)
        g_string_append_printf (text, "; this causes %s of %s",
                                pd_figures_percent (cost_of (cause), (gdouble) waiting.ps).text,
                                whole);
      else
        g_string_append_printf (text, ": %s",
                                pd_figures_percent (cost_of (cause), (gdouble) waiting.ps).text);
    }
  g_string_append_c (text, '.');
}

/* ---- many */

typedef struct
{
  const PdRootCause *cause;
  gdouble cost;
} Spread;

/* The place that costs most over all ranks. */
static Spread
find_dearest (const GArray *causes)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (Spread));
  Spread dearest = { NULL, -1 };

  for (guint i = 0; i < causes->len; i++)
    {
      const PdRootCause *cause = &g_array_index (causes, PdRootCause, i);
      guint k;
      for (k = 0; k < places->len; k++)
        {
          if (is_same_place (g_array_index (places, Spread, k).cause, cause))
            break;
        }
      Spread added = { cause, 0 };
      if (k == places->len)
        g_array_append_val (places, added);
      g_array_index (places, Spread, k).cost += cost_of (cause);
    }
  for (guint k = 0; k < places->len; k++)
    if (g_array_index (places, Spread, k).cost > dearest.cost)
      dearest = g_array_index (places, Spread, k);
  return dearest;
}

static guint
count_ranks (const GArray *causes)
{
  g_autoptr (GHashTable) ranks = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < causes->len; i++)
    g_hash_table_add (ranks, GUINT_TO_POINTER (g_array_index (causes, PdRootCause, i).rank));
  return g_hash_table_size (ranks);
}

static void
append_spread (GString *text, const PdAnalysis *analysis, const GArray *causes, PdTimeSum waiting)
{
  static const char *const words[] = { [PD_DELAY_COMPUTATION] = "computation",
                                       [PD_DELAY_COMMUNICATION] = "communication",
                                       [PD_DELAY_START] = "ranks that begin late" };
  const PdRootCause *first = &g_array_index (causes, PdRootCause, 0);
  Spread dearest = find_dearest (causes);
  g_autofree char *place = pd_analysis_describe_cause_place (analysis, dearest.cause);

  g_string_append_printf (text,
                          "The causes of waiting are spread over %u ranks, rank %u causes most of "
                          "it in one place, %s. Over all ranks most, %s, is %s%s%s.",
                          count_ranks (causes), first->rank,
                          pd_figures_percent (cost_of (first), (gdouble) waiting.ps).text,
                          pd_figures_percent (dearest.cost, (gdouble) waiting.ps).text,
                          words[dearest.cause->kind], place[0] != '\0' ? " " : "", place);
}

PdCausesTold
pd_diagnosis_tell_causes (const PdAnalysis *analysis, guint32 node, PdTimeSum waiting, guint32 rank)
{
  g_autoptr (GArray) causes = pd_analysis_get_root_causes (analysis, node);
  GString *text = g_string_new (NULL);
  gboolean is_computed = FALSE;
  gdouble named = 0;
  guint n;

  for (n = 0; n < MIN (causes->len, N_NAMED); n++)
    {
      const PdRootCause *cause = &g_array_index (causes, PdRootCause, n);
      if (cost_of (cause) < WORTH * (gdouble) waiting.ps)
        break;
      named += cost_of (cause);
      is_computed |= cause->kind == PD_DELAY_COMPUTATION && cause->rank == rank;
    }
  gboolean is_named = named >= MOST * (gdouble) waiting.ps;
  if (is_named)
    append_named (text, analysis, node, causes, waiting, n);
  else
    append_spread (text, analysis, causes, waiting);
  return (PdCausesTold){ g_string_free (text, FALSE), is_named, is_named && is_computed };
}
