/* predictor-measure transfer: pairs in turn, results to rank 0, tables.
 * SPDX-License-Identifier: MIT */
#include "base/pd-error.h"
#include "measure/cli/pd-measure.h"
#include "measure/sheet/pd-picture.h"
#include "measure/stats/pd-stats.h"
#include "measure/mpi/mpi-bind.h"
#include "measure/transfer/mpi-eager.h"
#include "measure/transfer/mpi-pair.h"
#include "measure/transfer/mpi-loggp.h"
#include "measure/mpi/mpi-tools.h"
#include "measure/mpi/mpi-rounds.h"
#include "measure/transfer/mpi-transfer.h"
#include "measure/transfer/mpi-variants.h"
#include "measure/mpi/mpi-progress.h"

#include <math.h>
#include <string.h>

#define TAG 3

/* ---- tables */

static const PdColumn transfer_columns[] = {
  { "variant", PD_COLUMN_INTEGER, NULL, 0 },
  { "first", PD_COLUMN_INTEGER, "first", 0 },
  { "second", PD_COLUMN_INTEGER, "second", 0 },
  { "bytes", PD_COLUMN_INTEGER, "bytes", 0 },
  { "repetitions", PD_COLUMN_INTEGER, "repetitions", 0 },
  { "rounds", PD_COLUMN_INTEGER, "rounds", 0 },
  { "disturbed", PD_COLUMN_INTEGER, "disturbed", 0 },
  { "best_us", PD_COLUMN_REAL, "best us", 3 },
  { "median_us", PD_COLUMN_REAL, "median us", 3 },
  { "median_low_us", PD_COLUMN_REAL, "from us", 3 },
  { "median_high_us", PD_COLUMN_REAL, "to us", 3 },
  { "mean_us", PD_COLUMN_REAL, "mean us", 3 },
  { "error_us", PD_COLUMN_REAL, "error us", 4 },
  { "relative_error", PD_COLUMN_REAL, NULL, 4 },
  { "best_mb_s", PD_COLUMN_REAL, "best MB/s", 2 },
  { "median_mb_s", PD_COLUMN_REAL, "median MB/s", 2 },
  { "oversubscribed", PD_COLUMN_INTEGER, "oversubscribed", 0 },
};
static const PdTableSpec transfer_table = { "transfer", "Messages: T/(2N) and 2NL/T",
                                            transfer_columns, G_N_ELEMENTS (transfer_columns) };

static const PdColumn round_columns[] = {
  { "variant", PD_COLUMN_INTEGER, NULL, 0 },        { "first", PD_COLUMN_INTEGER, NULL, 0 },
  { "second", PD_COLUMN_INTEGER, NULL, 0 },         { "bytes", PD_COLUMN_INTEGER, NULL, 0 },
  { "round", PD_COLUMN_INTEGER, NULL, 0 },          { "time_us", PD_COLUMN_REAL, NULL, 3 },
  { "switches", PD_COLUMN_INTEGER, NULL, 0 },       { "disturbed", PD_COLUMN_INTEGER, NULL, 0 },
  { "oversubscribed", PD_COLUMN_INTEGER, NULL, 0 },
};
static const PdTableSpec round_table = { "transfer_round", "Rounds", round_columns,
                                         G_N_ELEMENTS (round_columns) };

static const PdColumn pair_columns[] = {
  { "variant", PD_COLUMN_INTEGER, NULL, 0 },
  { "first", PD_COLUMN_INTEGER, "first", 0 },
  { "second", PD_COLUMN_INTEGER, "second", 0 },
  { "latency_us", PD_COLUMN_REAL, "latency us", 3 },
  { "peak_mb_s", PD_COLUMN_REAL, "peak MB/s", 2 },
  { "eager_bytes", PD_COLUMN_INTEGER, "eager bytes", 0 },
  { "disturbed", PD_COLUMN_INTEGER, "disturbed", 0 },
  { "oversubscribed", PD_COLUMN_INTEGER, "oversubscribed", 0 },
};
static const PdTableSpec pair_table = {
  "pair", "Pairs: latency of no bytes, greatest bandwidth, eager limit", pair_columns,
  G_N_ELEMENTS (pair_columns)
};

static const PdColumn size_columns[] = {
  { "bytes", PD_COLUMN_INTEGER, "bytes", 0 },
  { "round_trip_us", PD_COLUMN_REAL, "PRTT(1,0,s) us", 3 },
  { "gap_us", PD_COLUMN_REAL, "g+sG us", 3 },
  { "send_us", PD_COLUMN_REAL, "o_s us", 3 },
  { "receive_us", PD_COLUMN_REAL, "o_r us", 3 },
  { "oversubscribed", PD_COLUMN_INTEGER, NULL, 0 },
};
static const PdTableSpec size_table = { "loggp_size", "Parametrised round trips of ranks 0 and 1",
                                        size_columns, G_N_ELEMENTS (size_columns) };

static const PdColumn loggp_columns[] = {
  { "from_bytes", PD_COLUMN_INTEGER, "from bytes", 0 },
  { "to_bytes", PD_COLUMN_INTEGER, "to bytes", 0 },
  { "latency_us", PD_COLUMN_REAL, "L us", 3 },
  { "send_us", PD_COLUMN_REAL, "o_s us", 3 },
  { "receive_us", PD_COLUMN_REAL, "o_r us", 3 },
  { "gap_us", PD_COLUMN_REAL, "g us", 3 },
  { "gap_of_byte_us", PD_COLUMN_REAL, "G us/byte", 7 },
  { "residual", PD_COLUMN_REAL, "residual", 3 },
  { "oversubscribed", PD_COLUMN_INTEGER, "oversubscribed", 0 },
};
static const PdTableSpec loggp_table = { "loggp",
                                         "LogGP parameters between changes of the protocol",
                                         loggp_columns, G_N_ELEMENTS (loggp_columns) };

static const PdColumn loop_columns[] = {
  { "bytes", PD_COLUMN_INTEGER, "bytes", 0 },
  { "variant_us", PD_COLUMN_REAL, "variant 1 us", 3 },
  { "plain_us", PD_COLUMN_REAL, "plain loop us", 3 },
  { "ratio", PD_COLUMN_REAL, "ratio", 3 },
};
static const PdTableSpec loop_table = { "plain_loop",
                                        "Ranks 0 and 1: variant 1 against a plain loop",
                                        loop_columns, G_N_ELEMENTS (loop_columns) };

/* ---- a run */

typedef struct
{
  PdTransferOptions options;
  GArray *sizes; /* gint64: 0 first */
  PdTimer timer;
  int rank;
  int size;
  gboolean crowded;
  PdSheet *output;
  gdouble *peaks; /* (array length=size*size): of each pair, MB/s; NaN: none */
  guint n_rows;
  guint n_disturbed; /* rows of disturbed rounds only */
} Transfer;

static gint64
size_at (const Transfer *self, guint i)
{
  return g_array_index (self->sizes, gint64, i);
}

static gint64
most_bytes (const Transfer *self)
{
  return size_at (self, self->sizes->len - 1);
}

/* ---- one pair: measurements are sent as numbers: the eager limit, then those of each length */

typedef enum
{
  FOUND_REPETITIONS,
  FOUND_WRONG, /* whether data was wrong */
  FOUND_ROUNDS,
  N_FOUND /* PdRound from here on */
} Found;

static gsize
numbers_per_size (const Transfer *self)
{
  return N_FOUND + pd_rounds_most (self->options.rounds) * sizeof (PdRound) / sizeof (gdouble);
}

static gdouble *
numbers_of (const Transfer *self, gdouble *numbers, guint size)
{
  return numbers + 1 + size * numbers_per_size (self);
}

static void
measure_pair (const Transfer *self, int first, int second, gdouble *numbers)
{
  PdPair pair = { .timer = self->timer };

  pd_pair_begin (&pair, first, second, most_bytes (self), &self->options);
  for (guint i = 0; i < self->sizes->len; i++)
    {
      gdouble *of_size = numbers_of (self, numbers, i);
      PdTransferTimes times = { .rounds = (PdRound *) (of_size + N_FOUND) };
      if (self->rank == 0)
        pd_progress (self->options.quiet, "ranks %d and %d: %" G_GINT64_FORMAT " bytes (%u of %u)",
                     first, second, size_at (self, i), i + 1, self->sizes->len);
      pd_pair_measure (&pair, &self->options, size_at (self, i), &times);
      of_size[FOUND_REPETITIONS] = (gdouble) times.repetitions;
      of_size[FOUND_WRONG] = times.is_wrong;
      of_size[FOUND_ROUNDS] = (gdouble) times.n_rounds;
    }
  numbers[0] =
      (gdouble) pd_pair_find_eager (&pair, (const gint64 *) self->sizes->data, self->sizes->len);
  pd_pair_end (&pair);
}

static gdouble
bandwidth (gint64 bytes, gdouble seconds)
{
  return (gdouble) bytes / seconds * 1e-6;
}

static void
add_rounds (Transfer *self, int first, int second, gint64 bytes, const PdRound *rounds, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      const PdSheetCell cells[] = {
        { .integer = self->options.variant },
        { .integer = first },
        { .integer = second },
        { .integer = bytes },
        { .integer = (gint64) i + 1 },
        { .real = rounds[i].seconds * 1e6 },
        { .integer = (gint64) rounds[i].switches },
        { .integer = pd_rounds_is_disturbed (rounds, n, i) },
        { .integer = self->crowded },
      };
      G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (round_columns));
      pd_sheet_row (self->output, &round_table, cells);
    }
}

/* The row of a length and those of its rounds. */
static void
add_size (Transfer *self, int first, int second, gint64 bytes, const gdouble *numbers,
          PdStats *stats)
{
  const PdRound *rounds = (const PdRound *) (numbers + N_FOUND);
  gsize n = (gsize) numbers[FOUND_ROUNDS], disturbed = pd_rounds_disturbed (rounds, n);

  pd_rounds_compute (rounds, n, stats);
  const PdSheetCell cells[] = {
    { .integer = self->options.variant },
    { .integer = first },
    { .integer = second },
    { .integer = bytes },
    { .integer = (gint64) numbers[FOUND_REPETITIONS] },
    { .integer = (gint64) n },
    { .integer = (gint64) disturbed },
    { .real = stats->min * 1e6 },
    { .real = stats->median * 1e6 },
    { .real = stats->median_low * 1e6 },
    { .real = stats->median_high * 1e6 },
    { .real = stats->mean * 1e6 },
    { .real = stats->error * 1e6 },
    { .real = stats->relative_error },
    { .real = bandwidth (bytes, stats->min) },
    { .real = bandwidth (bytes, stats->median) },
    { .integer = self->crowded },
  };
  G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (transfer_columns));
  pd_sheet_row (self->output, &transfer_table, cells);
  add_rounds (self, first, second, bytes, rounds, n);
  self->n_rows++;
  self->n_disturbed += disturbed == n;
}

static gboolean
add_pair (Transfer *self, int first, int second, gdouble *numbers, GError **error)
{
  gdouble peak = 0, latency = NAN;
  guint disturbed = self->n_disturbed;

  for (guint i = 0; i < self->sizes->len; i++)
    {
      const gdouble *of_size = numbers_of (self, numbers, i);
      PdStats stats;
      if (of_size[FOUND_WRONG] != 0)
        {
          g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_DATA,
                       "ranks %d and %d: a message of %" G_GINT64_FORMAT
                       " bytes brought wrong data",
                       first, second, size_at (self, i));
          return FALSE;
        }
      add_size (self, first, second, size_at (self, i), of_size, &stats);
      peak = MAX (peak, bandwidth (size_at (self, i), stats.min));
      if (i == 0)
        latency = stats.median;
    }
  self->peaks[first * self->size + second] = self->peaks[second * self->size + first] = peak;
  const PdSheetCell cells[] = {
    { .integer = self->options.variant },
    { .integer = first },
    { .integer = second },
    { .real = latency * 1e6 },
    { .real = peak },
    { .integer = (gint64) numbers[0] },
    { .integer = self->n_disturbed - disturbed },
    { .integer = self->crowded },
  };
  G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (pair_columns));
  pd_sheet_row (self->output, &pair_table, cells);
  return TRUE;
}

static gboolean
run_pair (Transfer *self, int first, int second, GError **error)
{
  gsize n = 1 + self->sizes->len * numbers_per_size (self);
  g_autofree gdouble *numbers = g_new0 (gdouble, n);
  gboolean fine = TRUE;

  if (self->rank == 0)
    pd_progress (self->options.quiet, "ranks %d and %d", first, second);
  if (self->rank == first || self->rank == second)
    measure_pair (self, first, second, numbers);
  pd_mpi_idle (MPI_COMM_WORLD);
  if (first != 0 && self->rank == first)
    MPI_Send (numbers, (int) n, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD);
  if (self->rank == 0 && first != 0)
    MPI_Recv (numbers, (int) n, MPI_DOUBLE, first, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (self->rank == 0)
    fine = add_pair (self, first, second, numbers, error);
  MPI_Bcast (&fine, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return fine;
}

static gboolean
run_pairs (Transfer *self, GError **error)
{
  int firsts = self->options.all_pairs ? self->size - 1 : 1;

  for (int first = 0; first < firsts; first++)
    for (int second = first + 1; second < self->size; second++)
      if (!run_pair (self, first, second, error))
        return FALSE;
  return TRUE;
}

/* ---- LogGP */

static void
add_trips (Transfer *self, const PdRoundTrips *trips)
{
  const PdSheetCell cells[] = {
    { .integer = trips->bytes },
    { .real = trips->one * 1e6 },
    { .real = pd_round_trips_gap (trips, PD_LOGGP_MESSAGES) * 1e6 },
    { .real = pd_round_trips_send (trips, PD_LOGGP_MESSAGES) * 1e6 },
    { .real = trips->receive * 1e6 },
    { .integer = self->crowded },
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (size_columns));
  pd_sheet_row (self->output, &size_table, cells);
}

static gboolean
add_loggp (Transfer *self, const PdRoundTrips *trips, gsize n, GError **error)
{
  g_autoptr (GArray) found = NULL;

  for (gsize i = 0; i < n; i++)
    add_trips (self, &trips[i]);
  found = pd_loggp_fit (trips, n, PD_LOGGP_MESSAGES, error);
  for (guint i = 0; found != NULL && i < found->len; i++)
    {
      const PdLogGP *one = &g_array_index (found, PdLogGP, i);
      const PdSheetCell cells[] = {
        { .integer = one->from_bytes },     { .integer = one->to_bytes },
        { .real = one->latency * 1e6 },     { .real = one->send * 1e6 },
        { .real = one->receive * 1e6 },     { .real = one->gap * 1e6 },
        { .real = one->gap_of_byte * 1e6 }, { .real = one->residual },
        { .integer = self->crowded },
      };
      G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (loggp_columns));
      pd_sheet_row (self->output, &loggp_table, cells);
    }
  return found != NULL;
}

/* L is that of 1 byte, whatever other sizes are asked for. */
static gboolean
run_loggp (Transfer *self, GError **error)
{
  guint n = self->sizes->len;
  g_autofree PdRoundTrips *trips = g_new0 (PdRoundTrips, n + 1);
  PdPair pair = { .timer = self->timer };

  if (self->rank < 2)
    {
      gsize used = 0;
      pd_pair_begin (&pair, 0, 1, most_bytes (self), &self->options);
      for (guint i = 0; i < n; i++)
        {
          gint64 bytes = i == 0 ? 1 : size_at (self, i);
          if (i > 0 && bytes == 1)
            continue;
          if (self->rank == 0)
            pd_progress (self->options.quiet, "LogGP: %" G_GINT64_FORMAT " bytes", bytes);
          pd_pair_round_trips (&pair, bytes, &trips[used++]);
        }
      pd_pair_end (&pair);
      n = (guint) used;
    }
  pd_mpi_idle (MPI_COMM_WORLD);
  return self->rank != 0 || add_loggp (self, trips, n, error);
}

/* ---- against a plain loop */

static void
run_comparison (Transfer *self)
{
  PdPair pair = { .timer = self->timer };

  if (self->rank < 2)
    {
      pd_pair_begin (&pair, 0, 1, most_bytes (self), &self->options);
      for (guint i = 0; i < self->sizes->len; i++)
        {
          gdouble medians[2];
          pd_pair_compare (&pair, &self->options, size_at (self, i), medians);
          const PdSheetCell cells[] = { { .integer = size_at (self, i) },
                                        { .real = medians[0] * 1e6 },
                                        { .real = medians[1] * 1e6 },
                                        { .real = medians[0] / medians[1] } };
          G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (loop_columns));
          if (self->rank == 0)
            pd_sheet_row (self->output, &loop_table, cells);
        }
      pd_pair_end (&pair);
    }
  pd_mpi_idle (MPI_COMM_WORLD);
}

/* ---- the command */

static gboolean
write_all (const Transfer *self, GError **error)
{
  if (self->options.picture != NULL)
    {
      g_autofree char *picture = pd_picture_matrix ("Greatest bandwidth of each pair, MB/s",
                                                    self->peaks, (guint) self->size);
      if (!pd_sheet_write_text (self->options.picture, picture, error))
        return FALSE;
    }
  return pd_sheet_write (self->output, &self->options.files, error);
}

/* The facts that are known at the end of the measurement. */
static void
add_found (Transfer *self)
{
  if (self->n_disturbed > 0)
    pd_sheet_fact (self->output, "disturbed", PD_ROUNDS_DISTURBED, self->n_disturbed, self->n_rows);
}

/* A wrong parameter is reported behind the measurements. */
static gboolean
run_all (Transfer *self, GError **error)
{
  g_autoptr (GError) misfit = NULL;

  if (!run_pairs (self, error))
    return FALSE;
  add_found (self);
  if (self->options.check_loop)
    run_comparison (self);
  if (self->options.loggp)
    run_loggp (self, &misfit);
  if (self->rank == 0 && !write_all (self, error))
    return FALSE;
  return pd_propagate (error, g_steal_pointer (&misfit));
}

static gboolean
prepare (Transfer *self, GError **error)
{
  const gint64 none = 0;
  PdTimerKind kind = pd_timer_find (self->options.timer, error);
  int bound = 0;

  if (kind == PD_N_TIMERS)
    return FALSE;
  MPI_Comm_rank (MPI_COMM_WORLD, &self->rank);
  MPI_Comm_size (MPI_COMM_WORLD, &self->size);
  if (self->size < 2)
    {
      g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE,
                   "expected at least 2 processes: mpiexec -n 2 predictor-measure transfer");
      return FALSE;
    }
  if (!pd_mpi_check_crowd (MPI_COMM_WORLD, self->options.force, &self->crowded, error))
    return FALSE;
  if (!self->options.no_bind)
    bound = pd_mpi_bind (MPI_COMM_WORLD, FALSE);
  if (!pd_mpi_timer_start (MPI_COMM_WORLD, &self->timer, kind, error))
    return FALSE;
  self->sizes = pd_transfer_sizes (&self->options);
  g_array_prepend_val (self->sizes, none);
  self->peaks = g_new (gdouble, (gsize) self->size * (gsize) self->size);
  for (int i = 0; i < self->size * self->size; i++)
    self->peaks[i] = NAN;
  pd_mpi_facts (MPI_COMM_WORLD, self->output, kind, self->crowded);
  pd_mpi_bind_fact (self->output, bound);
  pd_sheet_fact (self->output, "variant", "%" G_GINT64_FORMAT ", %s", self->options.variant,
                 pd_variant_get (self->options.variant)->name);
  if (self->options.cold)
    pd_sheet_fact (self->output, "buffers", "cold");
  return TRUE;
}

gboolean
pd_measure_transfer (int argc, char **argv, GError **error)
{
  Transfer self = { .sizes = NULL };
  gboolean fine = pd_transfer_options_parse (&self.options, argc, argv, error);

  if (fine)
    {
      self.output = pd_sheet_new ("transfer");
      fine = prepare (&self, error) && run_all (&self, error);
    }
  g_free (self.peaks);
  g_clear_pointer (&self.sizes, g_array_unref);
  pd_sheet_free (self.output);
  pd_transfer_options_clear (&self.options);
  return fine;
}
