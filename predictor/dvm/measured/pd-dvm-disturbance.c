/* The waiting of a processor has three parts. The first follows from the computation of all
 * processors; it is predicted, on a machine where communication costs nothing. The second follows
 * from the costs of messages; the median of each place is the usual cost. The rest came from
 * outside the program: a processor that was preempted while it communicated.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/measured/pd-dvm-disturbance-private.h"

#include "intervals/pd-interval-fold.h"
#include "predictor/common/pd-rts.h"
#include "reports/run/pd-report-common.h"

#define MUCH       0.05 /* of the program's time x processors: the run is disturbed */
#define MUCH_OF_IT 0.1  /* of the rest: an interval is named */

/* Of an interval; picoseconds over all processors. */
typedef struct
{
  PdWide measured;  /* Communication */
  PdWide explained; /* of the prediction */
  PdWide typical;
} Waits;

static PdWide
get_rest (const Waits *waits)
{
  return MAX (waits->measured - waits->explained - waits->typical, 0);
}

/* Adds Communication of the intervals of @tree, by number of the node that @nodes (nullable) has
 * for them. */
static void
add_communication (const PdIntervalTree *tree, const guint32 *nodes, Waits *waits, gsize field)
{
  g_autoptr (GArray) results = pd_interval_tree_fold (tree);

  for (guint i = 0; i < results->len; i++)
    {
      const PdIntervalResult *r = &g_array_index (results, PdIntervalResult, i);
      guint32 node = nodes != NULL ? nodes[r->node] : r->node;
      if (node != G_MAXUINT32)
        G_STRUCT_MEMBER (PdWide, &waits[node], field) = r->values[PD_C_COMMUNICATION].sum.ps;
    }
}

/* Returns: (transfer full): by node of @other, the node of @tree with the same key below the same
 * node; G_MAXUINT32: there is none. */
static guint32 *
map_nodes (const PdIntervalTree *tree, PdIntervalTree *other)
{
  guint32 n = pd_interval_tree_get_n_nodes (tree);
  g_autofree guint32 *there = g_new0 (guint32, n);

  for (guint32 i = 1; i < n; i++)
    {
      PdIntervalKey key = pd_interval_tree_get_key (tree, i);
      there[i] = pd_interval_tree_child (other, there[pd_interval_tree_get_parent (tree, i)], &key);
    }
  guint32 *nodes = g_new (guint32, pd_interval_tree_get_n_nodes (other));
  for (guint32 i = 0; i < pd_interval_tree_get_n_nodes (other); i++)
    nodes[i] = G_MAXUINT32;
  for (guint32 i = 0; i < n; i++)
    nodes[there[i]] = i;
  return nodes;
}

/* Sums of the nodes inside each are added to it. A node's number is larger than its parent's. */
static void
add_typical (const PdIntervalTree *tree, const GArray *typical, Waits *waits)
{
  guint32 n = pd_interval_tree_get_n_nodes (tree);

  for (guint32 i = n; i-- > 0;)
    {
      waits[i].typical += g_array_index (typical, PdTimeSum, i).ps;
      if (i > 0)
        waits[pd_interval_tree_get_parent (tree, i)].typical += waits[i].typical;
    }
}

static void
warn (PdReportRun *run, guint32 node, const Waits *waits)
{
  PdIntervalKey key = pd_interval_tree_get_key (run->tree, node);
  g_autofree char *label = pd_report_interval_label (&key);
  gdouble unit = run->n_processors * 1e12;

  pd_messages_add (run->messages, PD_SEVERITY_WARNING, "recording-disturbed", label, NULL,
                   "%s: the recorded run looks disturbed: of %.6f s of communication per processor "
                   "the recorded computation explains %.6f s and operations of the usual length "
                   "%.6f s, but nothing explains %.6f s",
                   label, (gdouble) waits->measured / unit, (gdouble) waits->explained / unit,
                   (gdouble) waits->typical / unit, (gdouble) get_rest (waits) / unit);
}

/* The innermost intervals are named that have much of it, and the program. */
static void
warn_all (PdReportRun *run, const Waits *waits)
{
  guint32 n = pd_interval_tree_get_n_nodes (run->tree);
  g_autofree PdWide *own = g_new0 (PdWide, n);
  PdTimeSum total = { 0 };

  for (guint32 p = 0; p < run->n_processors; p++)
    pd_time_sum_add (&total, run->end_times[p]);
  if ((gdouble) get_rest (&waits[0]) < MUCH * (gdouble) total.ps)
    return;
  warn (run, PD_INTERVAL_ROOT, &waits[0]);
  for (guint32 i = 0; i < n; i++)
    {
      own[i] += get_rest (&waits[i]);
      if (i > 0)
        own[pd_interval_tree_get_parent (run->tree, i)] -= get_rest (&waits[i]);
    }
  for (guint32 i = 1; i < n; i++)
    if ((gdouble) own[i] >= MUCH_OF_IT * (gdouble) get_rest (&waits[0]))
      warn (run, i, &waits[i]);
}

static PdReportRun *
predict_ideal (const PdPredictOptions *options, const PdCount *grid, GError **error)
{
  PdPredictOptions ideal = *options;

  ideal.machine = "ideal";
  if (!pd_rts_parse (NULL, &ideal.dvm, error))
    return NULL;
  return pd_predict (&ideal, grid->rank, grid->sizes, error);
}

void
pd_dvm_note_disturbance (PdReportRun *run, const GArray *typical, const PdPredictOptions *options,
                         const PdCount *grid)
{
  g_autofree Waits *waits = g_new0 (Waits, typical->len);
  g_autoptr (GError) error = NULL;

  if (run->n_processors == 1)
    return;
  PdReportRun *ideal = predict_ideal (options, grid, &error);
  if (ideal == NULL)
    {
      pd_messages_add (run->messages, PD_SEVERITY_NOTE, "waiting-not-explained", NULL, NULL,
                       "how much of the waiting follows from the recorded computation is not "
                       "known, since the run cannot be predicted: %s",
                       error->message);
      return;
    }
  g_autofree guint32 *nodes = map_nodes (run->tree, ideal->tree);
  add_communication (run->tree, NULL, waits, G_STRUCT_OFFSET (Waits, measured));
  add_communication (ideal->tree, nodes, waits, G_STRUCT_OFFSET (Waits, explained));
  add_typical (run->tree, typical, waits);
  warn_all (run, waits);
  pd_report_run_free (ideal);
}
