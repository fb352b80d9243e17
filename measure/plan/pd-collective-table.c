/* Tables of collective.
 * SPDX-License-Identifier: MIT */
#include "measure/plan/pd-collective-table.h"

#include "measure/stats/pd-stats.h"

#include <math.h>

#define CONFIDENCE 0.95

static const PdColumn columns[] = {
  { "operation", PD_COLUMN_TEXT, "operation", 0 },
  { "form", PD_COLUMN_TEXT, NULL, 0 },
  { "processes", PD_COLUMN_INTEGER, "processes", 0 },
  { "bytes", PD_COLUMN_INTEGER, "bytes", 0 },
  { "root", PD_COLUMN_INTEGER, NULL, 0 },
  { "datatype", PD_COLUMN_TEXT, NULL, 0 },
  { "op", PD_COLUMN_TEXT, NULL, 0 },
  { "in_place", PD_COLUMN_INTEGER, NULL, 0 },
  { "buffers", PD_COLUMN_TEXT, "buffers", 0 },
  { "launches", PD_COLUMN_INTEGER, "launches", 0 },
  { "correct", PD_COLUMN_INTEGER, "correct", 0 },
  { "kept", PD_COLUMN_INTEGER, NULL, 0 },
  { "late_starts", PD_COLUMN_INTEGER, NULL, 0 },
  { "late_ends", PD_COLUMN_INTEGER, NULL, 0 },
  { "wide_windows", PD_COLUMN_INTEGER, NULL, 0 },
  { "window_us", PD_COLUMN_REAL, "window us", 2 },
  { "global_median_us", PD_COLUMN_REAL, "median us", 3 },
  { "global_median_low_us", PD_COLUMN_REAL, "from us", 3 },
  { "global_median_high_us", PD_COLUMN_REAL, "to us", 3 },
  { "global_mean_us", PD_COLUMN_REAL, "mean us", 3 },
  { "global_error_us", PD_COLUMN_REAL, NULL, 4 },
  { "global_relative_error", PD_COLUMN_REAL, "rel. error", 4 },
  { "global_min_us", PD_COLUMN_REAL, "min us", 3 },
  { "global_max_us", PD_COLUMN_REAL, "max us", 3 },
  { "global_student_low_us", PD_COLUMN_REAL, NULL, 3 },
  { "global_student_high_us", PD_COLUMN_REAL, NULL, 3 },
  { "global_student_low_us_90", PD_COLUMN_REAL, NULL, 3 },
  { "global_student_high_us_90", PD_COLUMN_REAL, NULL, 3 },
  { "global_student_low_us_99", PD_COLUMN_REAL, NULL, 3 },
  { "global_student_high_us_99", PD_COLUMN_REAL, NULL, 3 },
  { "completion_median_us", PD_COLUMN_REAL, NULL, 3 },
  { "local_median_us", PD_COLUMN_REAL, "local median us", 3 },
  { "local_mean_us", PD_COLUMN_REAL, "local mean us", 3 },
  { "local_mean_of_ranks_us", PD_COLUMN_REAL, NULL, 3 },
  { "local_median_of_ranks_us", PD_COLUMN_REAL, NULL, 3 },
  { "synchronised", PD_COLUMN_INTEGER, "synchronised", 0 },
  { "oversubscribed", PD_COLUMN_INTEGER, "oversubscribed", 0 },
  { "arrival", PD_COLUMN_TEXT, NULL, 0 },
  { "skew_us", PD_COLUMN_REAL, NULL, 3 },
};
static const PdTableSpec table = {
  "collective",
  "Operations: from the earliest start to the latest end; local: the longest of all ranks", columns,
  G_N_ELEMENTS (columns)
};

static const PdColumn round_columns[] = {
  { "operation", PD_COLUMN_TEXT, NULL, 0 },
  { "form", PD_COLUMN_TEXT, NULL, 0 },
  { "processes", PD_COLUMN_INTEGER, NULL, 0 },
  { "bytes", PD_COLUMN_INTEGER, NULL, 0 },
  { "root", PD_COLUMN_INTEGER, NULL, 0 },
  { "datatype", PD_COLUMN_TEXT, NULL, 0 },
  { "op", PD_COLUMN_TEXT, NULL, 0 },
  { "in_place", PD_COLUMN_INTEGER, NULL, 0 },
  { "buffers", PD_COLUMN_TEXT, NULL, 0 },
  { "arrival", PD_COLUMN_TEXT, NULL, 0 },
  { "skew_us", PD_COLUMN_REAL, NULL, 3 },
  { "round", PD_COLUMN_INTEGER, NULL, 0 },
  { "correct", PD_COLUMN_INTEGER, NULL, 0 },
  { "median_us", PD_COLUMN_REAL, NULL, 3 },
  { "synchronised", PD_COLUMN_INTEGER, NULL, 0 },
  { "oversubscribed", PD_COLUMN_INTEGER, NULL, 0 },
};
static const PdTableSpec round_table = { "collective_round", "Rounds", round_columns,
                                         G_N_ELEMENTS (round_columns) };

static const PdColumn arrival_columns[] = {
  { "operation", PD_COLUMN_TEXT, "operation", 0 },
  { "form", PD_COLUMN_TEXT, NULL, 0 },
  { "processes", PD_COLUMN_INTEGER, "processes", 0 },
  { "bytes", PD_COLUMN_INTEGER, "bytes", 0 },
  { "arrival", PD_COLUMN_TEXT, "arrival", 0 },
  { "skew_us", PD_COLUMN_REAL, "skew us", 3 },
  { "correct", PD_COLUMN_INTEGER, "correct", 0 },
  { "median_us", PD_COLUMN_REAL, "median us", 3 },
  { "median_low_us", PD_COLUMN_REAL, "from us", 3 },
  { "median_high_us", PD_COLUMN_REAL, "to us", 3 },
  { "mean_us", PD_COLUMN_REAL, "mean us", 3 },
  { "error_us", PD_COLUMN_REAL, "error us", 4 },
  { "oversubscribed", PD_COLUMN_INTEGER, "oversubscribed", 0 },
};
static const PdTableSpec arrival_table = { "arrival",
                                           "Arrivals: from the last arrival to the latest end",
                                           arrival_columns, G_N_ELEMENTS (arrival_columns) };

static const PdColumn rank_columns[] = {
  { "operation", PD_COLUMN_TEXT, "operation", 0 },
  { "form", PD_COLUMN_TEXT, NULL, 0 },
  { "processes", PD_COLUMN_INTEGER, "processes", 0 },
  { "bytes", PD_COLUMN_INTEGER, "bytes", 0 },
  { "rank", PD_COLUMN_INTEGER, "rank", 0 },
  { "median_us", PD_COLUMN_REAL, "median us", 3 },
  { "median_low_us", PD_COLUMN_REAL, "from us", 3 },
  { "median_high_us", PD_COLUMN_REAL, "to us", 3 },
  { "mean_us", PD_COLUMN_REAL, "mean us", 3 },
  { "min_us", PD_COLUMN_REAL, "min us", 3 },
  { "max_us", PD_COLUMN_REAL, "max us", 3 },
  { "synchronised", PD_COLUMN_INTEGER, "synchronised", 0 },
  { "oversubscribed", PD_COLUMN_INTEGER, "oversubscribed", 0 },
};
static const PdTableSpec rank_table = { "collective_rank", "Ranks, by their own clocks",
                                        rank_columns, G_N_ELEMENTS (rank_columns) };

static const PdColumn overlap_columns[] = {
  { "operation", PD_COLUMN_TEXT, "operation", 0 },
  { "form", PD_COLUMN_TEXT, NULL, 0 },
  { "processes", PD_COLUMN_INTEGER, "processes", 0 },
  { "bytes", PD_COLUMN_INTEGER, "bytes", 0 },
  { "operation_us", PD_COLUMN_REAL, "operation us", 3 },
  { "computation_us", PD_COLUMN_REAL, "computation us", 3 },
  { "both_us", PD_COLUMN_REAL, "both us", 3 },
  { "overlap", PD_COLUMN_REAL, "overlap", 3 },
  { "progress_calls", PD_COLUMN_INTEGER, "progress calls", 0 },
  { "oversubscribed", PD_COLUMN_INTEGER, "oversubscribed", 0 },
};
static const PdTableSpec overlap_table = { "overlap", "Overlap with computation", overlap_columns,
                                           G_N_ELEMENTS (overlap_columns) };

/* ---- statistics of some of the times; all NaN where there are none */

static PdStats
compute (const gdouble *times, gsize n, gdouble trim, gdouble confidence)
{
  PdStats stats = { .mean = NAN,
                    .error = NAN,
                    .relative_error = NAN,
                    .student_low = NAN,
                    .student_high = NAN,
                    .min = NAN,
                    .max = NAN,
                    .median = NAN,
                    .median_low = NAN,
                    .median_high = NAN };

  if (times != NULL && n > 0)
    pd_stats_compute (times, n, trim, confidence, &stats);
  return stats;
}

static PdStats
of_sample (const PdLaunchSample *sample, PdTimeOfLaunch what, gdouble trim, gdouble confidence)
{
  return compute (pd_sample_times (sample, what), pd_sample_correct (sample), trim, confidence);
}

static gdouble
median_us (const PdLaunchSample *sample, PdTimeOfLaunch what)
{
  return of_sample (sample, what, 0, CONFIDENCE).median * 1e6;
}

/* ---- rows */

void
pd_collective_table_add (PdSheet *output, const PdCollectiveCase *what,
                         const PdLaunchSample *sample, gdouble trim)
{
  const PdStats global = of_sample (sample, PD_TIME_GLOBAL, trim, CONFIDENCE);
  const PdStats wider = of_sample (sample, PD_TIME_GLOBAL, trim, 0.99);
  const PdStats tighter = of_sample (sample, PD_TIME_GLOBAL, trim, 0.90);
  const PdStats local = of_sample (sample, PD_TIME_LOCAL, trim, CONFIDENCE);
  const PdSheetCell cells[] = {
    { .text = what->operation },
    { .text = what->form },
    { .integer = what->processes },
    { .integer = what->bytes },
    { .integer = what->root },
    { .text = what->datatype },
    { .text = what->op },
    { .integer = what->in_place },
    { .text = what->buffers },
    { .integer = (gint64) sample->launches },
    { .integer = (gint64) pd_sample_correct (sample) },
    { .integer = (gint64) local.kept },
    { .integer = (gint64) sample->late_starts },
    { .integer = (gint64) sample->late_ends },
    { .integer = (gint64) sample->wide },
    { .real = median_us (sample, PD_TIME_WINDOW) },
    { .real = global.median * 1e6 },
    { .real = global.median_low * 1e6 },
    { .real = global.median_high * 1e6 },
    { .real = global.mean * 1e6 },
    { .real = global.error * 1e6 },
    { .real = global.relative_error },
    { .real = global.min * 1e6 },
    { .real = global.max * 1e6 },
    { .real = global.student_low * 1e6 },
    { .real = global.student_high * 1e6 },
    { .real = tighter.student_low * 1e6 },
    { .real = tighter.student_high * 1e6 },
    { .real = wider.student_low * 1e6 },
    { .real = wider.student_high * 1e6 },
    { .real = median_us (sample, PD_TIME_COMPLETION) },
    { .real = local.median * 1e6 },
    { .real = local.mean * 1e6 },
    { .real = median_us (sample, PD_TIME_LOCAL_MEAN) },
    { .real = median_us (sample, PD_TIME_LOCAL_MEDIAN) },
    { .integer = what->synchronised },
    { .integer = what->oversubscribed },
    { .text = what->arrival },
    { .real = what->skew_us },
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (columns));
  pd_sheet_row (output, &table, cells);
}

/* The kind of time that represents an operation. */
static PdTimeOfLaunch
headline (const PdCollectiveCase *what)
{
  return !what->synchronised      ? PD_TIME_LOCAL
         : *what->arrival != '\0' ? PD_TIME_LAST_ARRIVAL
                                  : PD_TIME_GLOBAL;
}

void
pd_collective_table_add_round (PdSheet *output, const PdCollectiveCase *what, gint64 round,
                               const PdLaunchSample *sample)
{
  const PdSheetCell cells[] = {
    { .text = what->operation },
    { .text = what->form },
    { .integer = what->processes },
    { .integer = what->bytes },
    { .integer = what->root },
    { .text = what->datatype },
    { .text = what->op },
    { .integer = what->in_place },
    { .text = what->buffers },
    { .text = what->arrival },
    { .real = what->skew_us },
    { .integer = round },
    { .integer = (gint64) pd_sample_correct (sample) },
    { .real = median_us (sample, headline (what)) },
    { .integer = what->synchronised },
    { .integer = what->oversubscribed },
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (round_columns));
  pd_sheet_row (output, &round_table, cells);
}

void
pd_collective_table_add_arrival (PdSheet *output, const PdCollectiveCase *what,
                                 const PdLaunchSample *sample, gdouble trim)
{
  const PdStats stats = of_sample (sample, PD_TIME_LAST_ARRIVAL, trim, CONFIDENCE);
  const PdSheetCell cells[] = {
    { .text = what->operation },
    { .text = what->form },
    { .integer = what->processes },
    { .integer = what->bytes },
    { .text = what->arrival },
    { .real = what->skew_us },
    { .integer = (gint64) pd_sample_correct (sample) },
    { .real = stats.median * 1e6 },
    { .real = stats.median_low * 1e6 },
    { .real = stats.median_high * 1e6 },
    { .real = stats.mean * 1e6 },
    { .real = stats.error * 1e6 },
    { .integer = what->oversubscribed },
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (arrival_columns));
  pd_sheet_row (output, &arrival_table, cells);
}

void
pd_collective_table_add_ranks (PdSheet *output, const PdCollectiveCase *what,
                               const PdLaunchSample *sample, gdouble trim)
{
  for (guint rank = 0; rank < sample->processes; rank++)
    {
      g_autofree gdouble *times = pd_sample_rank (sample, rank);
      const PdStats stats = compute (times, pd_sample_correct (sample), trim, CONFIDENCE);
      const PdSheetCell cells[] = {
        { .text = what->operation },
        { .text = what->form },
        { .integer = what->processes },
        { .integer = what->bytes },
        { .integer = rank },
        { .real = stats.median * 1e6 },
        { .real = stats.median_low * 1e6 },
        { .real = stats.median_high * 1e6 },
        { .real = stats.mean * 1e6 },
        { .real = stats.min * 1e6 },
        { .real = stats.max * 1e6 },
        { .integer = what->synchronised },
        { .integer = what->oversubscribed },
      };
      G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (rank_columns));
      pd_sheet_row (output, &rank_table, cells);
    }
}

gdouble
pd_overlap_share (const PdOverlap *overlap)
{
  gdouble shorter = MIN (overlap->operation, overlap->computation);
  gdouble saved = overlap->operation + overlap->computation - overlap->both;

  if (isnan (saved) || !(shorter > 0))
    return NAN;
  return CLAMP (saved / shorter, 0, 1);
}

void
pd_collective_table_add_overlap (PdSheet *output, const PdCollectiveCase *what,
                                 const PdOverlap *overlap)
{
  const PdSheetCell cells[] = {
    { .text = what->operation },          { .text = what->form },
    { .integer = what->processes },       { .integer = what->bytes },
    { .real = overlap->operation * 1e6 }, { .real = overlap->computation * 1e6 },
    { .real = overlap->both * 1e6 },      { .real = pd_overlap_share (overlap) },
    { .integer = overlap->progress },     { .integer = what->oversubscribed },
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (overlap_columns));
  pd_sheet_row (output, &overlap_table, cells);
}
