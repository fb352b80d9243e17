/* predictor-measure --check-sync: how far synchronised clocks are apart, at once and
 * later. On one host the truth is known: clocks are disturbed on purpose there.
 * SPDX-License-Identifier: MIT */
#include "base/pd-error.h"
#include "base/pd-number.h"
#include "base/options/pd-option-words.h"
#include "measure/cli/pd-measure.h"
#include "measure/mpi/mpi-sync.h"
#include "measure/mpi/mpi-tools.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct
{
  PdSheetFiles files;
  char *timer;
  char *algorithm;
  char *after;
  gdouble skew;
  gdouble drift;
  gdouble shift;
  gdouble bound;
  gdouble duration;
  gboolean force;
} options;

static const GOptionEntry entries[] = {
  { "after", 0, 0, G_OPTION_ARG_STRING, &options.after,
    "Compare so many seconds after synchronising (default: 0,1,5,10)", "SECONDS,…" },
  { "bound", 0, 0, G_OPTION_ARG_DOUBLE, &options.bound,
    "Refuse clocks that are apart by more microseconds (default: 5)", "US" },
  { "csv", 0, 0, G_OPTION_ARG_FILENAME, &options.files.csv, "Write CSV there (default: none)",
    "FILE" },
  { "db", 0, 0, G_OPTION_ARG_FILENAME, &options.files.db,
    "Add to this SQLite database (default: none)", "FILE" },
  { "drift", 0, 0, G_OPTION_ARG_DOUBLE, &options.drift,
    "Rank i's clock gains i times so many seconds per second (default: 1e-6)", "NUMBER" },
  { "force", 0, 0, G_OPTION_ARG_NONE, &options.force,
    "Measure with more processes than processors, too (default: no)", NULL },
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.files.text,
    "Write the text there (default: -, standard output)", "FILE" },
  { "shift", 0, 0, G_OPTION_ARG_DOUBLE, &options.shift,
    "After synchronising put the last rank's clock wrong by so many microseconds, which must "
    "be found out (default: 0)",
    "US" },
  { "skew", 0, 0, G_OPTION_ARG_DOUBLE, &options.skew,
    "Rank i's clock is ahead by i times so many seconds (default: 0.5)", "SECONDS" },
  { "sync", 0, 0, G_OPTION_ARG_STRING, &options.algorithm,
    "linear, ring, tree or hosts (default: tree)", "ALGORITHM" },
  { "sync-time", 0, 0, G_OPTION_ARG_DOUBLE, &options.duration,
    "Seconds in which a step of the tree finds drift (default: 1)", "SECONDS" },
  { "timer", 0, 0, G_OPTION_ARG_STRING, &options.timer,
    "clock_monotonic, gettimeofday, MPI_Wtime or tsc (default: clock_monotonic)", "TIMER" },
  { "xml", 0, 0, G_OPTION_ARG_FILENAME, &options.files.xml, "Write XML there (default: none)",
    "FILE" },
  { .long_name = NULL },
};

static const PdColumn columns[] = {
  { "after_s", PD_COLUMN_REAL, "after s", 1 },
  { "truth_us", PD_COLUMN_REAL, "error (known) us", 3 },
  { "found_us", PD_COLUMN_REAL, "error (found) us", 3 },
  { "found_rank", PD_COLUMN_INTEGER, "rank", 0 },
  { "round_trip_us", PD_COLUMN_REAL, "round trip us", 3 },
  { "empty_us", PD_COLUMN_REAL, "empty operation us", 3 },
  { "oversubscribed", PD_COLUMN_INTEGER, "oversubscribed", 0 },
};
static const PdTableSpec table = { "sync", "Clocks of all ranks against that of rank 0: the worst",
                                   columns, G_N_ELEMENTS (columns) };

typedef struct
{
  PdSyncOptions sync;
  PdTimer timer;
  gint64 zero_ticks; /* where rank 0's timer began */
  gboolean is_known; /* ticks are the same at all ranks */
  gboolean crowded;
  int rank;
  int size;
  PdSheet *output;
} Check;

/* ---- options */

#define fail(error, text) pd_fail (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE, "%s", text)

static gboolean
parse (int argc, char **argv, GError **error)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) local = NULL;

  options.skew = 0.5;
  options.drift = 1e-6;
  options.bound = 5;
  options.duration = 1;
  g_option_context_set_summary (
      context, "Synchronises clocks that are put wrong on purpose, and says how far they are\n"
               "apart then and later; fails if that is more than a bound.\n"
               "Example: mpiexec -n 2 predictor-measure --check-sync");
  if (!pd_option_words_parse (context, (const GOptionEntry *const[]){ entries, NULL }, &argc, &argv,
                              &local))
    return fail (error, local->message);
  if (argc > 1)
    return fail (error, "no arguments are expected");
  if (!(options.bound > 0) || !(options.duration > 0 && options.duration <= 1000))
    return fail (error, "expected a --bound above 0 and a --sync-time from 0 to 1000");
  if (!(fabs (options.drift) <= 1e-3) || !(fabs (options.skew) <= 1e6) || !isfinite (options.shift))
    return fail (error, "expected a --drift of at most 1e-3 and a --skew of at most 1e6");
  return TRUE;
}

/* The moments in @text; NULL with an error if they do not rise. */
static GArray *
parse_times (const char *text, GError **error)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gdouble));
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  gdouble last = 0;

  for (guint i = 0; words[i] != NULL; i++)
    {
      gdouble moment;
      if (!pd_number_parse_real (words[i], &moment) || !(moment >= last && moment <= 1e6))
        {
          fail (error, "--after: expected seconds that rise, as in 0,1,5,10");
          return NULL;
        }
      last = moment;
      g_array_append_val (times, moment);
    }
  return g_steal_pointer (&times);
}

/* ---- the truth */

/* The error of this rank's global time: both timers count the same ticks. */
static gdouble
known_error (const Check *self, const PdSync *sync)
{
  gdouble own = pd_timer_now (&self->timer);
  gdouble ticks = (gdouble) (self->timer.began - self->zero_ticks);

  return pd_sync_global (sync, own)
         - (pd_timer_undisturbed (&self->timer, own) + ticks * self->timer.seconds);
}

static gdouble
worst_known_error (const Check *self, const PdSync *sync)
{
  gdouble range[2], error = known_error (self, sync);

  if (!self->is_known)
    return NAN;
  range[0] = error;
  range[1] = -error;
  MPI_Allreduce (MPI_IN_PLACE, range, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return range[0] >= range[1] ? range[0] : -range[1];
}

/* ---- the run */

static gboolean
check_at (Check *self, PdSync *sync, gdouble after, GError **error)
{
  PdSyncCheck found;
  gdouble truth = worst_known_error (self, sync);
  gboolean fine = pd_sync_verify (sync, options.bound * 1e-6, &found, error);
  const PdSheetCell cells[] = {
    { .real = after },
    { .real = truth * 1e6 },
    { .real = found.error * 1e6 },
    { .integer = found.rank },
    { .real = found.round_trip * 1e6 },
    { .real = found.empty * 1e6 },
    { .integer = self->crowded },
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (columns));
  pd_sheet_row (self->output, &table, cells);
  return fine;
}

/* All moments are measured, also behind one that is beyond the bound. */
static gboolean
run (Check *self, const GArray *times, GError **error)
{
  g_autoptr (PdSync) sync = pd_sync_new (MPI_COMM_WORLD, &self->timer, &self->sync);
  gdouble began = pd_sync_announce (sync, 0);
  gboolean fine = TRUE;

  if (self->rank == self->size - 1)
    pd_sync_shift (sync, options.shift * 1e-6);
  for (guint i = 0; i < times->len; i++)
    {
      gdouble after = g_array_index (times, gdouble, i);
      gdouble left = began + after - pd_sync_now (sync);
      if (left > 0)
        g_usleep ((gulong) (left * 1e6));
      MPI_Barrier (MPI_COMM_WORLD);
      fine = check_at (self, sync, after, fine ? error : NULL) && fine;
    }
  return fine;
}

static gboolean
prepare (Check *self, GError **error)
{
  PdTimerKind kind =
      pd_timer_find (options.timer != NULL ? options.timer : "clock_monotonic", error);

  if (kind == PD_N_TIMERS)
    return FALSE;
  self->sync = (PdSyncOptions) PD_SYNC_OPTIONS_DEFAULT;
  self->sync.duration = options.duration;
  self->sync.algorithm =
      pd_sync_find (options.algorithm != NULL ? options.algorithm : "tree", error);
  if (self->sync.algorithm == PD_N_SYNCS
      || !pd_mpi_check_crowd (MPI_COMM_WORLD, options.force, &self->crowded, error)
      || !pd_mpi_timer_start (MPI_COMM_WORLD, &self->timer, kind, error))
    return FALSE;
  MPI_Comm_rank (MPI_COMM_WORLD, &self->rank);
  MPI_Comm_size (MPI_COMM_WORLD, &self->size);
  self->timer.skew = options.skew * self->rank;
  self->timer.drift = options.drift * self->rank;
  self->zero_ticks = self->timer.began;
  MPI_Bcast (&self->zero_ticks, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  self->is_known = kind != PD_TIMER_MPI_WTIME && pd_mpi_same_host (MPI_COMM_WORLD);
  pd_mpi_facts (MPI_COMM_WORLD, self->output, kind, self->crowded);
  pd_sheet_fact (self->output, "synchronisation", "%s", pd_sync_name (self->sync.algorithm));
  pd_sheet_fact (self->output, "disturbed", "rank i is ahead by i times %g s, and gains i times %g",
                 options.skew, options.drift);
  return TRUE;
}

gboolean
pd_measure_check_sync (int argc, char **argv, GError **error)
{
  g_autoptr (PdSheet) output = pd_sheet_new ("check-sync");
  g_autoptr (GArray) times = NULL;
  g_autoptr (GError) local = NULL;
  Check self = { .output = output };

  if (!parse (argc, argv, error))
    return FALSE;
  times = parse_times (options.after != NULL ? options.after : "0,1,5,10", error);
  if (times == NULL || !prepare (&self, error))
    return FALSE;
  run (&self, times, &local);
  if (options.files.text == NULL)
    options.files.text = g_strdup ("-");
  if (self.rank == 0 && !pd_sheet_write (output, &options.files, error))
    return FALSE;
  return pd_propagate (error, g_steal_pointer (&local));
}
