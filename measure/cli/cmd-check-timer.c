/* predictor-measure --check-timer: what timers show of operations whose duration is
 * known: WaitPatternNull, of nothing, and WaitPatternUp, in which rank i waits i + 1 us
 * (Worsch, Reussner, Werner 2002; MPIPerf, Kurnosov 2012). The time of one is the longest
 * of all ranks, each by its own timer: it says nothing of offsets between clocks.
 * SPDX-License-Identifier: MIT */
#include "base/options/pd-option-words.h"
#include "measure/cli/pd-measure.h"
#include "measure/stats/pd-stats.h"
#include "measure/mpi/mpi-tools.h"

#include <math.h>
#include <string.h>

#define RUNS 101

static struct
{
  PdSheetFiles files;
  char *timer;
  gboolean force;
} options;

static const GOptionEntry entries[] = {
  { "csv", 0, 0, G_OPTION_ARG_FILENAME, &options.files.csv, "Write CSV there (default: none)",
    "FILE" },
  { "db", 0, 0, G_OPTION_ARG_FILENAME, &options.files.db,
    "Add to this SQLite database (default: none)", "FILE" },
  { "force", 0, 0, G_OPTION_ARG_NONE, &options.force,
    "Measure with more processes than processors, too (default: no)", NULL },
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.files.text,
    "Write the text there (default: -, standard output)", "FILE" },
  { "timer", 0, 0, G_OPTION_ARG_STRING, &options.timer,
    "clock_monotonic, gettimeofday, MPI_Wtime or tsc (default: all that are here)", "TIMER" },
  { "xml", 0, 0, G_OPTION_ARG_FILENAME, &options.files.xml, "Write XML there (default: none)",
    "FILE" },
  { .long_name = NULL },
};

static const PdColumn columns[] = {
  { "timer", PD_COLUMN_TEXT, "timer", 0 },
  { "pattern", PD_COLUMN_TEXT, "pattern", 0 },
  { "expected_us", PD_COLUMN_REAL, "expected us", 3 },
  { "median_us", PD_COLUMN_REAL, "median us", 3 },
  { "error_us", PD_COLUMN_REAL, "error us", 3 },
  { "lower_quartile_us", PD_COLUMN_REAL, "quartiles us", 3 },
  { "upper_quartile_us", PD_COLUMN_REAL, "", 3 },
  { "max_us", PD_COLUMN_REAL, "max us", 3 },
  { "oversubscribed", PD_COLUMN_INTEGER, "oversubscribed", 0 },
};
static const PdTableSpec table = { "timer", "Timers: the longest of all ranks", columns,
                                   G_N_ELEMENTS (columns) };

typedef struct
{
  PdSheet *output;
  gboolean crowded;
} Check;

/* Waiting is by another timer than the one that is checked. */
static gdouble
time_wait (const PdTimer *checked, const PdTimer *other, gdouble wait)
{
  gdouble began, longest;

  MPI_Barrier (MPI_COMM_WORLD);
  began = pd_timer_now (checked);
  if (wait > 0)
    pd_timer_wait (other, pd_timer_now (other) + wait);
  longest = pd_timer_now (checked) - began;
  MPI_Allreduce (MPI_IN_PLACE, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return longest;
}

static void
check_pattern (const Check *self, const PdTimer *checked, const PdTimer *other, gboolean is_up)
{
  gdouble times[RUNS], wait = 0, expected = 0;
  int rank, size;
  PdStats stats;

  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  if (is_up)
    {
      wait = (rank + 1) * 1e-6;
      expected = size * 1e-6;
    }
  for (int i = -5; i < RUNS; i++)
    {
      gdouble time = time_wait (checked, other, wait);
      if (i >= 0)
        times[i] = time;
    }
  if (rank != 0)
    return;
  pd_stats_compute (times, RUNS, 0, 0.95, &stats);
  const PdSheetCell cells[] = {
    { .text = pd_timer_name (checked->kind) },
    { .text = is_up ? "WaitPatternUp" : "WaitPatternNull" },
    { .real = expected * 1e6 },
    { .real = stats.median * 1e6 },
    { .real = (stats.median - expected) * 1e6 },
    { .real = stats.lower_quartile * 1e6 },
    { .real = stats.upper_quartile * 1e6 },
    { .real = stats.max * 1e6 },
    { .integer = self->crowded },
  };
  G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (columns));
  pd_sheet_row (self->output, &table, cells);
}

static gboolean
check_timer (const Check *self, PdTimerKind kind, GError **error)
{
  PdTimerKind other_kind =
      kind == PD_TIMER_CLOCK_MONOTONIC ? PD_TIMER_MPI_WTIME : PD_TIMER_CLOCK_MONOTONIC;
  PdTimer checked, other;

  if (!pd_mpi_timer_start (MPI_COMM_WORLD, &checked, kind, error)
      || !pd_mpi_timer_start (MPI_COMM_WORLD, &other, other_kind, error))
    return FALSE;
  check_pattern (self, &checked, &other, FALSE);
  check_pattern (self, &checked, &other, TRUE);
  return TRUE;
}

/* One timer that is wanted must be there; of all, one that is not is a fact. */
static gboolean
check_all (const Check *self, PdTimerKind wanted, GError **error)
{
  for (PdTimerKind kind = 0; kind < PD_N_TIMERS; kind++)
    {
      g_autoptr (GError) local = NULL;
      if ((wanted != PD_N_TIMERS && kind != wanted) || check_timer (self, kind, &local))
        continue;
      if (kind == wanted)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      pd_sheet_fact (self->output, pd_timer_name (kind), "%s", local->message);
    }
  return TRUE;
}

static gboolean
parse (int argc, char **argv, PdTimerKind *wanted, GError **error)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) local = NULL;

  g_option_context_set_summary (
      context, "Checks timers: an operation of nothing, and one in which rank i waits i + 1 us.\n"
               "Example: mpiexec -n 2 predictor-measure --check-timer");
  *wanted = PD_N_TIMERS;
  if (!pd_option_words_parse (context, (const GOptionEntry *const[]){ entries, NULL }, &argc, &argv,
                              &local))
    g_set_error_literal (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE, local->message);
  else if (argc > 1)
    g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE, "unexpected '%s'", argv[1]);
  else if (options.timer == NULL)
    return TRUE;
  else
    {
      *wanted = pd_timer_find (options.timer, error);
      return *wanted != PD_N_TIMERS;
    }
  return FALSE;
}

gboolean
pd_measure_check_timer (int argc, char **argv, GError **error)
{
  g_autoptr (PdSheet) output = NULL;
  Check self;
  PdTimerKind wanted;
  int rank;

  if (!parse (argc, argv, &wanted, error)
      || !pd_mpi_check_crowd (MPI_COMM_WORLD, options.force, &self.crowded, error))
    return FALSE;
  self.output = output = pd_sheet_new ("check-timer");
  pd_mpi_facts (MPI_COMM_WORLD, output, wanted, self.crowded);
  if (!check_all (&self, wanted, error))
    return FALSE;
  if (options.files.text == NULL)
    options.files.text = g_strdup ("-");
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  return rank != 0 || pd_sheet_write (output, &options.files, error);
}
