/* The activity of ranks over time: each slice where there are few, else the times of groups
 * of ranks in each state, in bins of time.
 *
 * The entry of the chart: unit (Rank or Processor), ranks, cpus (of a rank), end (s),
 * states (names), and either
 *   slices: { regions (names), and columns rank, begin, end (s), state, region, interval:
 *     numbers of states and regions, -1: none }, or
 *   bins: { width (s), n, groups, size (ranks of a group), and columns group, bin, state,
 *     seconds: of all ranks of the group together; entries of 0 s are left out }.
 * SPDX-License-Identifier: MIT */
#include "reports/page/pd-page-private.h"
#include "reports/page/pd-page-data.h"
#include "reports/page/pd-page-timeline-private.h"
#include "reports/emit/pd-format.h"

#define MAX_DATA    1500000 /* bytes, of one chart */
#define SLICE_BYTES 48      /* of a slice in the data, about */
#define BIN_BYTES   24      /* of a bin's state, likewise */
#define NAME_BYTES  310     /* of a name, at most */
#define MAX_ROWS    64      /* groups in the table */

static gsize
get_limit (const PdPage *self)
{
  return MIN (MAX_DATA, pd_page_get_left (self) / 2);
}

/* ---- slices as they are */

static gboolean
slices_fit (const PdTimelineBins *bins, gsize limit)
{
  gsize bytes = 0;

  if (bins->exact == NULL || bins->regions == NULL)
    return FALSE;
  for (guint i = 0; i < bins->regions->len; i++)
    bytes += pd_page_data_size (g_ptr_array_index (bins->regions, i));
  return bytes + (gsize) bins->exact->len * SLICE_BYTES <= limit;
}

typedef enum
{
  COLUMN_RANK,
  COLUMN_BEGIN,
  COLUMN_END,
  COLUMN_STATE,
  COLUMN_REGION,
  COLUMN_INTERVAL,
  N_COLUMNS,
} Column;

static const char *const column_names[N_COLUMNS] = {
  [COLUMN_RANK] = "rank",   [COLUMN_BEGIN] = "begin",   [COLUMN_END] = "end",
  [COLUMN_STATE] = "state", [COLUMN_REGION] = "region", [COLUMN_INTERVAL] = "interval",
};

static gdouble
get_column (const PdTimelineSlice *slice, Column column)
{
  switch (column)
    {
    case COLUMN_RANK:
      return slice->rank;
    case COLUMN_BEGIN:
      return pd_time_to_seconds (slice->begin);
    case COLUMN_END:
      return pd_time_to_seconds (slice->end);
    case COLUMN_STATE:
      return slice->state;
    case COLUMN_REGION:
      return slice->region == PD_TL_NONE ? -1 : (gdouble) slice->region;
    default:
      return slice->interval == PD_TL_NONE ? -1 : (gdouble) slice->interval;
    }
}

static void
add_slices (PdPage *self, const PdTimelineBins *bins)
{
  const GArray *slices = bins->exact;
  g_autofree gdouble *values = g_new (gdouble, MAX (1, slices->len));

  pd_page_data_open (self, "slices", '{');
  pd_page_data_open (self, "regions", '[');
  for (guint i = 0; i < bins->regions->len; i++)
    pd_page_data_string (self, NULL, g_ptr_array_index (bins->regions, i));
  pd_page_data_close (self, ']');
  for (Column column = 0; column < N_COLUMNS; column++)
    {
      for (guint i = 0; i < slices->len; i++)
        values[i] = get_column (&g_array_index (slices, PdTimelineSlice, i), column);
      pd_page_data_numbers (self, column_names[column], values, slices->len);
    }
  pd_page_data_close (self, '}');
}

/* ---- bins */

static gsize
count_entries (const PdTimelineBins *bins)
{
  gsize n = 0, size = (gsize) bins->n_bins * bins->groups.n * PD_TL_N_STATES;

  for (gsize i = 0; i < size; i++)
    n += bins->sum[i].ps > 0;
  return n;
}

/* Halves the number of bins or of groups, of bins if there are more than two per group, until
 * there are at most @most entries. */
static PdTimelineBins *
coarsen (const PdTimelineBins *bins, gsize most)
{
  guint32 n_bins = MAX (1, bins->n_bins), n_groups = MAX (1, bins->groups.n);
  PdTimelineBins *coarse = pd_timeline_bins_coarsen (bins, n_bins, n_groups);

  while (count_entries (coarse) > most && (n_bins > 1 || n_groups > 1))
    {
      if (n_groups == 1 || n_bins > 2 * n_groups)
        n_bins = (n_bins + 1) / 2;
      else
        n_groups = (n_groups + 1) / 2;
      pd_timeline_bins_free (coarse);
      coarse = pd_timeline_bins_coarsen (bins, n_bins, n_groups);
    }
  return coarse;
}

/* A screen cannot show more than five digits. */
static gdouble
shorten (gdouble value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_ascii_strtod (g_ascii_formatd (text, sizeof text, "%.5g", value), NULL);
}

/* Columns of group, bin, state, seconds, by group and bin. */
static void
fill_columns (const PdTimelineBins *bins, gdouble *const *columns)
{
  gsize n = 0;

  for (guint32 group = 0; group < bins->groups.n; group++)
    for (guint32 bin = 0; bin < bins->n_bins; bin++)
      {
        const PdTimeSum *sums = pd_timeline_bins_get (bins, bin, group);
        for (guint state = 0; state < PD_TL_N_STATES; state++)
          {
            if (sums[state].ps == 0)
              continue;
            columns[0][n] = group;
            columns[1][n] = bin;
            columns[2][n] = state;
            columns[3][n++] = shorten (pd_time_sum_to_seconds (sums[state]));
          }
      }
}

static void
add_bins (PdPage *self, const PdTimelineBins *bins, gsize limit)
{
  static const char *const names[] = { "group", "bin", "state", "seconds" };
  g_autoptr (PdTimelineBins) coarse = coarsen (bins, limit / BIN_BYTES);
  gsize n = count_entries (coarse);
  g_autofree gdouble *values = g_new (gdouble, G_N_ELEMENTS (names) * MAX (1, n));
  gdouble *const columns[] = { values, values + n, values + 2 * n, values + 3 * n };

  fill_columns (coarse, columns);
  pd_page_data_open (self, "bins", '{');
  pd_page_data_number (self, "width", pd_time_to_seconds (coarse->width));
  pd_page_data_number (self, "n", coarse->n_bins);
  pd_page_data_number (self, "groups", coarse->groups.n);
  pd_page_data_number (self, "size", coarse->groups.size);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    pd_page_data_numbers (self, names[i], columns[i], n);
  pd_page_data_close (self, '}');
}

static void
add_data (PdPage *self, const PdTimelineBins *bins, const char *unit, const char *key, gsize limit)
{
  pd_page_data_open (self, key, '{');
  pd_page_data_string (self, "unit", unit);
  pd_page_data_number (self, "ranks", bins->groups.n_ranks);
  pd_page_data_number (self, "cpus", bins->n_cpus);
  pd_page_data_number (self, "end", pd_time_to_seconds (bins->end));
  pd_page_data_open (self, "states", '[');
  for (PdTimelineState state = 0; state < PD_TL_N_STATES; state++)
    pd_page_data_string (self, NULL, pd_timeline_state_name (state));
  pd_page_data_close (self, ']');
  if (slices_fit (bins, limit))
    add_slices (self, bins);
  else
    add_bins (self, bins, limit);
  pd_page_data_close (self, '}');
}

/* ---- the same as a table: all of the time, in one bin */

static void
add_row (PdColumns *to, const PdTimelineBins *total, guint32 group, int decimals)
{
  const PdTimeSum *sums = pd_timeline_bins_get (total, 0, group);
  guint32 first = group * total->groups.size;
  guint32 last = first + pd_rank_groups_count (&total->groups, group) - 1;
  g_autofree char *label =
      first < last ? g_strdup_printf ("%u to %u", first, last) : g_strdup_printf ("%u", first);

  pd_columns_add_text (to, label);
  for (guint state = 0; state < PD_TL_N_STATES; state++)
    pd_columns_add_fixed (to, pd_time_sum_to_seconds (sums[state]), decimals);
}

static void
append_table (PdPage *self, const PdTimelineBins *bins, const char *unit)
{
  g_autoptr (PdTimelineBins) total = pd_timeline_bins_coarsen (bins, 1, MAX_ROWS);
  PdColumns to = { .out = self->body };
  int decimals = pd_report_decimals (pd_time_to_seconds (bins->end));
  guint32 group;

  pd_columns_begin (&to, &(PdColumn){ .page = unit }, 1);
  for (PdTimelineState state = 0; state < PD_TL_N_STATES; state++)
    {
      g_autofree char *title = g_strconcat (pd_timeline_state_name (state), ", s", NULL);
      pd_columns_add_column (&to, NULL, title);
    }
  for (group = 0; group < total->groups.n && pd_page_has_room (self); group++)
    add_row (&to, total, group, decimals);
  pd_columns_end (&to);
  pd_page_add_cut (self, total->groups.n - group, "rows", "--timeline FILE writes every slice");
}

void
pd_page_add_timeline (PdPage *self, const PdReportRun *run, const char *prefix)
{
  const PdTimelineBins *bins = run->bins;
  const char *unit = run->model == PD_MODEL_DVM ? "Processor" : "Rank";
  gsize limit = get_limit (self);

  if (bins == NULL || bins->n_bins == 0 || limit < NAME_BYTES)
    return;
  g_autofree char *key = pd_page_key (prefix, "timeline");
  const char *noun = unit[0] == 'R' ? "rank" : "processor";
  g_autofree char *caption = g_strdup_printf ("Activity of %ss over time", noun);
  g_autofree char *lead =
      g_strdup_printf ("Activity of each %s over time%s.", noun,
                       slices_fit (bins, limit)
                           ? ""
                           : ", in bins of time: the share of a colour is that of the activity");
  pd_page_add_heading (self, key, "Timeline", lead);
  add_data (self, bins, unit, key, limit);
  pd_page_add_chart (self, "timeline", key, caption);
  pd_page_begin_details (self, "Time in each state");
  append_table (self, bins, unit);
  pd_page_end_details (self);
}
