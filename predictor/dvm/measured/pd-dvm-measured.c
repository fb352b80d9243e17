/* SPDX-License-Identifier: MIT */
#include "predictor/dvm/measured/pd-dvm-measured.h"

#include "predictor/dvm/measured/pd-dvm-disturbance-private.h"
#include "predictor/dvm/measured/pd-dvm-walk-private.h"
#include "predictor/dvm/predict/pd-recorded.h"

static PdCount
get_grid (const PdRecorded *recorded)
{
  const PdDvmHeader *header = pd_dvm_reader_get_header (pd_recorded_get (recorded, 0));
  PdCount grid = { .rank = CLAMP (header->ps_rank, 1, PD_MAX_GRID_RANK),
                   .sizes = { recorded->readers->len } };

  for (guint d = 0; header->ps_rank > 0 && d < grid.rank; d++)
    grid.sizes[d] = header->ps_size[d];
  if (recorded->readers->len == 1)
    grid.rank = 1;
  return grid;
}

/* Returns: (transfer full) (nullable): as pd_dvm_places_get_typical(). */
static GArray *
walk_all (const PdRecorded *recorded, PdReportRun *run, GError **error)
{
  guint32 n = run->n_processors;
  g_autoptr (PdDvmPlaces) places = pd_dvm_places_new (n);
  const PdDvmWalk walk = { run->tree, places, run->messages, n };

  for (guint32 p = 0; p < n; p++)
    if (!pd_dvm_walk (&walk, pd_recorded_get (recorded, p), p, &run->end_times[p], error))
      return NULL;
  pd_dvm_places_synchronize (places, run->tree);
  return pd_dvm_places_get_typical (places, pd_interval_tree_get_n_nodes (run->tree));
}

static gboolean
measure (const PdPredictOptions *options, PdReportRun *run, GError **error)
{
  g_auto (PdRecorded) recorded = { NULL };

  if (!pd_recorded_open (&recorded, options->trace, options->bytes, run->messages, error))
    return FALSE;
  PdCount grid = get_grid (&recorded);
  run->is_recorded = TRUE;
  run->n_processors = recorded.readers->len;
  run->grid = pd_sizes_format (grid.sizes, grid.rank);
  run->tree = pd_interval_tree_new (run->n_processors);
  run->end_times = g_new0 (PdTime, run->n_processors);
  g_autoptr (GArray) typical = walk_all (&recorded, run, error);
  if (typical == NULL)
    return FALSE;
  run->incomplete = !pd_recorded_is_complete (&recorded);
  /* the prediction opens as many files */
  pd_recorded_clear (&recorded);
  pd_dvm_note_disturbance (run, typical, options, &grid);
  return TRUE;
}

PdReportRun *
pd_dvm_measure (const char *trace, GBytes *bytes, GError **error)
{
  const PdPredictOptions options = { .trace = trace, .bytes = bytes };
  PdReportRun *run = g_new0 (PdReportRun, 1);

  run->messages = pd_messages_new ();
  if (measure (&options, run, error))
    return run;
  pd_report_run_free (run);
  return NULL;
}
