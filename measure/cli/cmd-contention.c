/* predictor-measure contention: levels and numbers of processes in turn.
 * SPDX-License-Identifier: MIT */
#include "measure/mpi/mpi-sharers.h"
#include "base/pd-error.h"
#include "measure/cli/pd-measure.h"
#include "measure/stats/pd-stats.h"
#include "measure/mpi/mpi-contention.h"
#include "measure/mpi/mpi-contention-report.h"
#include "measure/mpi/mpi-places.h"
#include "measure/mpi/mpi-sync.h"
#include "measure/mpi/mpi-tools.h"
#include "measure/mpi/mpi-progress.h"

#include <math.h>

#define TAG 5

typedef PdContentionRun Contention;

static gint64
size_at (const Contention *self, guint i)
{
  return g_array_index (self->options.sizes, gint64, i);
}

/* ---- one number of processes on one channel */

/* The median of each third number from @first on; NaN if they are. */
static gdouble
median_of (const gdouble *first, gint64 rounds)
{
  g_autofree gdouble *values = g_new (gdouble, (gsize) rounds);

  for (gint64 i = 0; i < rounds; i++)
    values[i] = first[3 * i];
  if (isnan (values[0]))
    return NAN;
  return pd_stats_median (values, (gsize) rounds);
}

static gboolean
add_cell (Contention *self, PdContentionCell cell, const gdouble *numbers, GError **error)
{
  gint64 rounds = self->options.rounds;
  g_autofree gdouble *slowest = g_new (gdouble, (gsize) rounds);
  PdStats stats;

  if (numbers[PD_SHARING_WRONG] != 0)
    {
      g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_DATA,
                   "%s, cf %u: a message of %" G_GINT64_FORMAT " bytes brought wrong data",
                   pd_level_name (cell.level), cell.sharing, cell.bytes);
      return FALSE;
    }
  for (gint64 i = 0; i < rounds; i++)
    slowest[i] = numbers[PD_SHARING_ROUNDS + 3 * i];
  pd_stats_compute (slowest, (gsize) rounds, 0, 0.95, &stats);
  cell.repetitions = (gint64) numbers[PD_SHARING_REPETITIONS];
  cell.rounds = (guint) rounds;
  cell.late = (guint) numbers[PD_SHARING_LATE];
  cell.median = stats.median;
  cell.low = stats.median_low;
  cell.high = stats.median_high;
  cell.mean = median_of (numbers + PD_SHARING_ROUNDS + 1, rounds);
  cell.together = median_of (numbers + PD_SHARING_ROUNDS + 2, rounds);
  g_array_append_val (self->cells, cell);
  return TRUE;
}

static gboolean
takes_part (const GArray *exchanges, int rank)
{
  for (guint i = 0; i < exchanges->len; i++)
    if (g_array_index (exchanges, PdPairExchange, i).rank == rank)
      return TRUE;
  return FALSE;
}

/* The first of those that exchange reports to rank 0, while all others sleep. */
static gboolean
run_size (Contention *self, PdContentionCell cell, PdSharers *sharers, int first, GError **error)
{
  gsize n = PD_SHARING_NUMBERS (self->options.rounds);
  g_autofree gdouble *numbers = g_new0 (gdouble, n);
  gboolean fine = TRUE;

  if (self->sync != NULL)
    pd_sync_refresh (self->sync);
  if (sharers != NULL)
    pd_sharers_measure (sharers, &self->options, cell.bytes, numbers);
  pd_mpi_idle (MPI_COMM_WORLD);
  if (first != 0 && self->rank == first)
    MPI_Send (numbers, (int) n, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD);
  if (first != 0 && self->rank == 0)
    MPI_Recv (numbers, (int) n, MPI_DOUBLE, first, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (self->rank == 0)
    fine = add_cell (self, cell, numbers, error);
  MPI_Bcast (&fine, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return fine;
}

static gboolean
run_sharing (Contention *self, PdPairLevel level, guint cf, GError **error)
{
  g_autoptr (GArray) exchanges = pd_pairs_share (self->pairs, level, cf);
  int first = g_array_index (exchanges, PdPairExchange, 0).rank;
  gboolean mine = takes_part (exchanges, self->rank), fine = TRUE;
  PdSharers sharers = { .timer = self->timer, .sync = self->sync };
  PdContentionCell cell = { .level = level, .sharing = cf, .processes = exchanges->len };
  guint n = self->options.sizes->len;

  if (mine)
    pd_sharers_begin (&sharers, exchanges, self->rank, size_at (self, n - 1));
  for (guint i = 0; fine && i < n; i++)
    {
      cell.bytes = size_at (self, i);
      if (self->rank == 0)
        pd_progress (self->options.quiet, "%s, cf %u of %u: %" G_GINT64_FORMAT " bytes (%u of %u)",
                     pd_level_name (level), cf, pd_pairs_most (self->pairs, level), cell.bytes,
                     i + 1, n);
      fine = run_size (self, cell, mine ? &sharers : NULL, first, error);
    }
  if (mine)
    pd_sharers_end (&sharers);
  return fine;
}

static gboolean
is_counted (const Contention *self, guint cf)
{
  const GArray *counts = self->options.counts;

  for (guint i = 0; counts != NULL && i < counts->len; i++)
    if (g_array_index (counts, gint64, i) == cf)
      return TRUE;
  return counts == NULL;
}

static void
skip_level (const Contention *self, PdPairLevel level)
{
  g_autofree char *name = g_strconcat ("skipped_", pd_level_name (level), NULL);

  pd_sheet_fact (self->output, name, "%s", pd_pairs_why (level));
  if (self->rank == 0)
    pd_progress (self->options.quiet, "%s: skipped, %s", pd_level_name (level),
                 pd_pairs_why (level));
}

static gboolean
run_levels (Contention *self, GError **error)
{
  guint measured = 0;

  for (PdPairLevel level = 0; level < PD_N_LEVELS; level++)
    {
      guint most = pd_pairs_most (self->pairs, level);
      if (!self->options.wanted[level])
        continue;
      if (most == 0)
        skip_level (self, level);
      for (guint cf = 1; cf <= most; cf++)
        if (is_counted (self, cf) && !run_sharing (self, level, cf, error))
          return FALSE;
      measured += most;
    }
  if (measured > 0)
    return TRUE;
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_ABSENT,
               "no processes share a channel: expected two on one socket, on two sockets or on "
               "two nodes");
  return FALSE;
}

/* ---- the command */

/* If processes wait for processors, errors of clocks are only reported. */
static gboolean
verify_clocks (Contention *self, int at, GError **error)
{
  gdouble bound = self->crowded ? (gdouble) INFINITY : self->options.bound * 1e-6;

  return self->sync == NULL || pd_sync_verify (self->sync, bound, &self->clocks[at], error);
}

static gboolean
find_pairs (Contention *self, GError **error)
{
  PdPairsOf of = self->crowded           ? PD_PAIRS_PROCESSES
                 : self->options.threads ? PD_PAIRS_THREADS
                                         : PD_PAIRS_CORES;

  if (!pd_places_find (MPI_COMM_WORLD, &self->options, &self->places, error))
    return FALSE;
  self->pairs = pd_pairs_new (self->places.places, self->places.n, of);
  return TRUE;
}

static gboolean
prepare (Contention *self, GError **error)
{
  PdSyncOptions sync = PD_SYNC_OPTIONS_DEFAULT;
  PdTimerKind kind = pd_timer_find (self->options.timer, error);

  if (kind == PD_N_TIMERS)
    return FALSE;
  sync.duration = self->options.duration;
  sync.algorithm = pd_sync_find (self->options.algorithm, error);
  if (sync.algorithm == PD_N_SYNCS)
    return FALSE;
  MPI_Comm_rank (MPI_COMM_WORLD, &self->rank);
  MPI_Comm_size (MPI_COMM_WORLD, &self->size);
  if (self->size < 2)
    {
      g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE,
                   "expected at least 2 processes: mpiexec -n 2 predictor-measure contention");
      return FALSE;
    }
  /* who may run where is asked before it is changed */
  if (!pd_mpi_check_crowd (MPI_COMM_WORLD, self->options.force, &self->crowded, error)
      || !find_pairs (self, error)
      || !pd_mpi_timer_start (MPI_COMM_WORLD, &self->timer, kind, error))
    return FALSE;
  if (!self->options.as_published)
    self->sync = pd_sync_new (MPI_COMM_WORLD, &self->timer, &sync);
  pd_mpi_facts (MPI_COMM_WORLD, self->output, kind, self->crowded);
  return verify_clocks (self, 0, error);
}

/* Clocks that have drifted are reported behind the measurements. */
static gboolean
finish (Contention *self, GError **error)
{
  g_autoptr (GError) moved = NULL;

  verify_clocks (self, 1, &moved);
  if (self->rank == 0)
    {
      pd_contention_compare (self->cells);
      pd_contention_report (self);
      if (!pd_sheet_write (self->output, &self->options.files, error))
        return FALSE;
    }
  return pd_propagate (error, g_steal_pointer (&moved));
}

gboolean
pd_measure_contention (int argc, char **argv, GError **error)
{
  Contention self = { .rank = 0 };
  gboolean fine = pd_contention_options_parse (&self.options, argc, argv, error);

  if (fine)
    {
      self.output = pd_sheet_new ("contention");
      self.cells = g_array_new (FALSE, FALSE, sizeof (PdContentionCell));
      fine = prepare (&self, error) && run_levels (&self, error) && finish (&self, error);
    }
  g_clear_pointer (&self.cells, g_array_unref);
  pd_pairs_free (self.pairs);
  pd_places_clear (&self.places);
  pd_sync_free (self.sync);
  pd_sheet_free (self.output);
  pd_contention_options_clear (&self.options);
  return fine;
}
