/* SPDX-License-Identifier: MIT */
#include "predictor/dvm/measured/pd-dvm-reproduce.h"

#include "intervals/pd-interval-fold.h"
#include "predictor/common/pd-errors.h"
#include "predictor/dvm/measured/pd-dvm-measured.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "reports/run/pd-report-types.h"

#include <string.h>

/* Returns: (transfer full): by node of @predicted, the node of @measured with the same key below
 * the same node. Where there was none, it is made, without values. */
static guint32 *
find_nodes (const PdIntervalTree *predicted, PdIntervalTree *measured)
{
  guint32 n = pd_interval_tree_get_n_nodes (predicted);
  guint32 *nodes = g_new0 (guint32, n);

  for (guint32 i = 1; i < n; i++)
    {
      PdIntervalKey key = pd_interval_tree_get_key (predicted, i);
      nodes[i] = pd_interval_tree_child (measured,
                                         nodes[pd_interval_tree_get_parent (predicted, i)], &key);
    }
  return nodes;
}

/* The sums of @c in the results, for each result of @run. */
static GArray *
take (const PdReportRun *run, const GArray *results, const guint32 *nodes, PdCharacteristic c)
{
  GArray *sums = g_array_new (FALSE, TRUE, sizeof (PdTimeSum));
  g_autofree guint *positions = g_new (guint, results->len);

  for (guint i = 0; i < results->len; i++)
    positions[g_array_index (results, PdIntervalResult, i).node] = i;
  for (guint i = 0; i < run->results->len; i++)
    {
      guint at = positions[nodes[pd_report_result (run, i)->node]];
      PdTimeSum sum = g_array_index (results, PdIntervalResult, at).values[c].sum;
      g_array_append_val (sums, sum);
    }
  return sums;
}

static void
add_warnings (PdMessages *to, const PdMessages *from)
{
  for (guint i = 0; i < pd_messages_get_n (from); i++)
    if (strcmp (pd_messages_get (from, i)->id, "recording-disturbed") == 0)
      pd_messages_add_message (to, pd_messages_get (from, i));
}

/* Sizes of 1 at the end make no difference. */
static gsize
get_length (const char *grid)
{
  gsize length = strlen (grid);

  while (length > 2 && strncmp (grid + length - 2, "x1", 2) == 0)
    length -= 2;
  return length;
}

static gboolean
is_same_grid (const PdReportRun *a, const PdReportRun *b)
{
  gsize length = get_length (a->grid);

  return a->n_processors == b->n_processors && length == get_length (b->grid)
         && strncmp (a->grid, b->grid, length) == 0;
}

gboolean
pd_dvm_reproduce (PdReportRun *run, const char *trace, GBytes *bytes, GError **error)
{
  PdReportRun *measured = pd_dvm_measure (trace, bytes, error);

  if (measured == NULL)
    return FALSE;
  if (!is_same_grid (measured, run))
    {
      g_set_error (
          error, PD_DVM_MODEL_ERROR, PD_DVM_MODEL_ERROR_RECORDED,
          "--reproduce: the run was recorded on the grid %s, and cannot be compared with a "
          "prediction for the grid %s",
          measured->grid, run->grid);
      pd_report_run_free (measured);
      return FALSE;
    }
  g_autofree guint32 *nodes = find_nodes (run->tree, measured->tree);
  g_autoptr (GArray) results = pd_interval_tree_fold (measured->tree);
  run->recorded = take (run, results, nodes, PD_C_EXECUTION_TIME);
  run->recorded_communication = take (run, results, nodes, PD_C_COMMUNICATION);
  run->recorded_ends = g_steal_pointer (&measured->end_times);
  add_warnings (run->messages, measured->messages);
  pd_report_run_free (measured);
  return TRUE;
}
