/* Rows of times of exchanges.
 * SPDX-License-Identifier: MIT */
#include "measure/plan/pd-exchange-table.h"

static const PdColumn columns[] = {
  { "kind", PD_COLUMN_TEXT, "kind", 0 },
  { "processes", PD_COLUMN_INTEGER, "processes", 0 },
  { "threads", PD_COLUMN_INTEGER, "threads", 0 },
  { "window", PD_COLUMN_INTEGER, "window", 0 },
  { "bytes", PD_COLUMN_INTEGER, "bytes", 0 },
  { "repetitions", PD_COLUMN_INTEGER, NULL, 0 },
  { "rounds", PD_COLUMN_INTEGER, "rounds", 0 },
  { "disturbed", PD_COLUMN_INTEGER, "disturbed", 0 },
  { "best_us", PD_COLUMN_REAL, "best us", 4 },
  { "median_us", PD_COLUMN_REAL, "median us", 4 },
  { "median_low_us", PD_COLUMN_REAL, "from us", 4 },
  { "median_high_us", PD_COLUMN_REAL, "to us", 4 },
  { "mean_us", PD_COLUMN_REAL, "mean us", 4 },
  { "error_us", PD_COLUMN_REAL, "error us", 4 },
  { "relative_error", PD_COLUMN_REAL, NULL, 4 },
  { "messages_s", PD_COLUMN_REAL, "messages/s", 0 },
  { "mb_s", PD_COLUMN_REAL, "MB/s", 2 },
  { "oversubscribed", PD_COLUMN_INTEGER, "oversubscribed", 0 },
};
static const PdTableSpec table = { "exchange",
                                   "Messages and operations: time of each, rates of all", columns,
                                   G_N_ELEMENTS (columns) };

static const PdColumn round_columns[] = {
  { "kind", PD_COLUMN_TEXT, NULL, 0 },         { "processes", PD_COLUMN_INTEGER, NULL, 0 },
  { "threads", PD_COLUMN_INTEGER, NULL, 0 },   { "window", PD_COLUMN_INTEGER, NULL, 0 },
  { "bytes", PD_COLUMN_INTEGER, NULL, 0 },     { "round", PD_COLUMN_INTEGER, NULL, 0 },
  { "time_us", PD_COLUMN_REAL, NULL, 4 },      { "switches", PD_COLUMN_INTEGER, NULL, 0 },
  { "disturbed", PD_COLUMN_INTEGER, NULL, 0 }, { "oversubscribed", PD_COLUMN_INTEGER, NULL, 0 },
};
static const PdTableSpec round_table = { "exchange_round", "Rounds", round_columns,
                                         G_N_ELEMENTS (round_columns) };

static const PdColumn layout_columns[] = {
  { "layout", PD_COLUMN_TEXT, "layout", 0 },
  { "bytes", PD_COLUMN_INTEGER, "bytes", 0 },
  { "contiguous_us", PD_COLUMN_REAL, "contiguous us", 3 },
  { "derived_us", PD_COLUMN_REAL, "datatype us", 3 },
  { "packed_us", PD_COLUMN_REAL, "MPI_Pack us", 3 },
  { "copied_us", PD_COLUMN_REAL, "loop us", 3 },
  { "least", PD_COLUMN_TEXT, "least", 0 },
  { "cost_us", PD_COLUMN_REAL, "its cost us", 3 },
  { "oversubscribed", PD_COLUMN_INTEGER, "oversubscribed", 0 },
};
static const PdTableSpec layout_table = {
  "layout", "Layouts: what sending data that does not lie together costs beside its bytes",
  layout_columns, G_N_ELEMENTS (layout_columns)
};

static void
add_rounds (PdSheet *output, const PdExchangeCase *what, const PdRound *rounds, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      const PdSheetCell cells[] = {
        { .text = what->kind },
        { .integer = what->processes },
        { .integer = what->threads },
        { .integer = what->window },
        { .integer = what->bytes },
        { .integer = (gint64) i + 1 },
        { .real = rounds[i].seconds * 1e6 },
        { .integer = (gint64) rounds[i].switches },
        { .integer = pd_rounds_is_disturbed (rounds, n, i) },
        { .integer = what->oversubscribed },
      };
      G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (round_columns));
      pd_sheet_row (output, &round_table, cells);
    }
}

gdouble
pd_exchange_table_add (PdSheet *output, const PdExchangeCase *what, gint64 repetitions,
                       const PdRound *rounds, gsize n)
{
  PdStats stats;

  pd_rounds_compute (rounds, n, &stats);
  const PdSheetCell cells[] = {
    { .text = what->kind },
    { .integer = what->processes },
    { .integer = what->threads },
    { .integer = what->window },
    { .integer = what->bytes },
    { .integer = repetitions },
    { .integer = (gint64) n },
    { .integer = (gint64) pd_rounds_disturbed (rounds, n) },
    { .real = stats.min * 1e6 },
    { .real = stats.median * 1e6 },
    { .real = stats.median_low * 1e6 },
    { .real = stats.median_high * 1e6 },
    { .real = stats.mean * 1e6 },
    { .real = stats.error * 1e6 },
    { .real = stats.relative_error },
    { .real = what->streams / stats.median },
    { .real = (gdouble) what->bytes * what->streams / stats.median * 1e-6 },
    { .integer = what->oversubscribed },
  };
  G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (columns));
  pd_sheet_row (output, &table, cells);
  add_rounds (output, what, rounds, n);
  return stats.median;
}

void
pd_exchange_table_add_layout (PdSheet *output, const char *layout, gint64 bytes,
                              const PdLayoutTimes *times, gboolean oversubscribed)
{
  gdouble least = MIN (times->derived, MIN (times->packed, times->copied));
  const PdSheetCell cells[] = {
    { .text = layout },
    { .integer = bytes },
    { .real = times->contiguous * 1e6 },
    { .real = times->derived * 1e6 },
    { .real = times->packed * 1e6 },
    { .real = times->copied * 1e6 },
    { .text = least >= times->derived  ? "datatype"
              : least >= times->packed ? "MPI_Pack"
                                       : "loop" },
    { .real = (least - times->contiguous) * 1e6 },
    { .integer = oversubscribed },
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (cells) == G_N_ELEMENTS (layout_columns));
  pd_sheet_row (output, &layout_table, cells);
}
