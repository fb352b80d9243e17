/* SPDX-License-Identifier: MIT */
#include "reports/hints/pd-time-range.h"

#include "reports/emit/pd-format.h"
#include "reports/emit/pd-keys.h"

#include <math.h>
#include <string.h>

#define MOST 1000.0 /* times the prediction: more is not shown */

/* The name of each source, in files and in texts. */
static const struct
{
  const char *id;
  const char *name;
} sources[PD_N_RANGE_SOURCES] = {
  [PD_RANGE_MEASURED] = { "measured", "measured programs" },
  [PD_RANGE_SCATTER] = { "scatter", "scatter" },
  [PD_RANGE_CLOCK] = { "clock", "clock" },
  [PD_RANGE_RECORDER] = { "recorder", "recorder" },
  [PD_RANGE_OUTLIERS] = { "outliers", "outliers" },
  [PD_RANGE_MACHINE] = { "machine", "machine" },
  [PD_RANGE_NOISE] = { "noise", "noise" },
  [PD_RANGE_CACHE] = { "cache", "cache" },
  [PD_RANGE_SCALING] = { "scaling", "scaling" },
};

/* A side of a source, or of all: squares of relative widths. */
typedef struct
{
  gdouble low;
  gdouble high;
} Squares;

struct _PdTimeRange
{
  PdTime time;
  Squares of[PD_N_RANGE_SOURCES];
};

#define OF_ENDS(field) .offset = G_STRUCT_OFFSET (PdTimeRangeEnds, field)
#define OF_ROW(field)  .offset = G_STRUCT_OFFSET (PdTimeRangeRow, field)

const PdField pd_report_range_ends[] = {
  { "execution_time_low", PD_FIELD_TIME, OF_ENDS (low), "90 of 100 are between, seconds" },
  { "execution_time_high", PD_FIELD_TIME, OF_ENDS (high) },
  PD_FIELDS_END,
};

static const PdField row_fields[] = {
  KEY_RUN,
  { "position", PD_FIELD_KEY, .offset = PD_KEY_POSITION, "from 0", PD_IN_DB },
  { "source", PD_FIELD_KIND, OF_ROW (source), "'all', or what makes it so wide" },
  { "low", PD_FIELD_TIME, OF_ROW (ends.low), .in = PD_IN_XML | PD_IN_JSON },
  { "high", PD_FIELD_TIME, OF_ROW (ends.high), .in = PD_IN_XML | PD_IN_JSON },
  { "low_ps", PD_FIELD_PS, OF_ROW (ends.low), "90 of 100 are between, with that alone", PD_IN_DB },
  { "high_ps", PD_FIELD_PS, OF_ROW (ends.high), .in = PD_IN_DB },
  { "share", PD_FIELD_REAL, OF_ROW (share), "of the squared width, 0 to 1", .format = "%.4f" },
  PD_FIELDS_END,
};
const PdRecord pd_report_range_rows =
    PD_RECORD (.table = "execution_range", .element = "execution_range", .list = "execution_range",
               .meaning = "how sure the execution time is", .key = "run, position",
               .fields = row_fields);

PdTimeRange *
pd_time_range_new (PdTime time)
{
  g_return_val_if_fail (time.ps >= 0, NULL);
  PdTimeRange *self = g_new0 (PdTimeRange, 1);

  self->time = time;
  return self;
}

void
pd_time_range_free (PdTimeRange *self)
{
  g_free (self);
}

PdTimeRange *
pd_time_range_copy (const PdTimeRange *self)
{
  PdTimeRange *copy = self != NULL ? g_new (PdTimeRange, 1) : NULL;

  if (copy != NULL)
    *copy = *self;
  return copy;
}

/* Rounded to millionths: logarithms differ in their last digit between libraries. */
static gdouble
square_of (gdouble width)
{
  if (!(width >= 0))
    return 0;
  gdouble rounded = floor (MIN (width, MOST) * 1e6 + 0.5) / 1e6;
  return rounded * rounded;
}

void
pd_time_range_add (PdTimeRange *self, PdRangeSource source, gdouble low, gdouble high)
{
  g_return_if_fail (self != NULL && source < PD_N_RANGE_SOURCES);

  self->of[source].low += square_of (low);
  self->of[source].high += square_of (high);
}

static Squares
sum_of (const PdTimeRange *self)
{
  Squares sum = { 0, 0 };

  for (PdRangeSource s = 0; s < PD_N_RANGE_SOURCES; s++)
    {
      sum.low += self->of[s].low;
      sum.high += self->of[s].high;
    }
  return sum;
}

static PdTime
round_time (gdouble ps)
{
  return PD_TIME (ps < (gdouble) PD_TIME_MAX.ps ? (gint64) floor (ps + 0.5) : PD_TIME_MAX.ps);
}

/* Of no width it is the time itself, to the picosecond. */
static PdTimeRangeEnds
ends_of (PdTime time, Squares squares)
{
  PdTimeRangeEnds ends = { time, time };

  if (squares.low > 0)
    ends.low =
        PD_TIME (MIN (round_time ((gdouble) time.ps / (1 + sqrt (squares.low))).ps, time.ps));
  if (squares.high > 0)
    ends.high = pd_time_max (round_time ((gdouble) time.ps * (1 + sqrt (squares.high))), time);
  return ends;
}

PdTimeRangeEnds
pd_time_range_get (const PdTimeRange *self)
{
  g_return_val_if_fail (self != NULL, ((PdTimeRangeEnds){ PD_TIME_ZERO, PD_TIME_ZERO }));
  return ends_of (self->time, sum_of (self));
}

void
pd_time_range_add_stored (PdTimeRange *self, const char *source, const PdTimeRangeEnds *ends)
{
  g_return_if_fail (self != NULL && source != NULL);
  gdouble time = (gdouble) self->time.ps;

  if (ends->low.ps <= 0 || ends->low.ps > self->time.ps || ends->high.ps < self->time.ps)
    return;
  for (PdRangeSource s = 0; s < PD_N_RANGE_SOURCES; s++)
    if (strcmp (source, sources[s].id) == 0)
      pd_time_range_add (self, s, time / (gdouble) ends->low.ps - 1,
                         (gdouble) ends->high.ps / time - 1);
}

static gdouble
share_of (const PdTimeRange *self, PdRangeSource source)
{
  Squares sum = sum_of (self), own = self->of[source];

  return sum.low + sum.high > 0 ? (own.low + own.high) / (sum.low + sum.high) : 0;
}

GArray *
pd_time_range_get_rows (const PdTimeRange *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (PdTimeRangeRow));
  PdTimeRangeRow all = { "all", pd_time_range_get (self), 1 };

  g_array_append_val (rows, all);
  for (PdRangeSource s = 0; s < PD_N_RANGE_SOURCES; s++)
    {
      PdTimeRangeRow row = { sources[s].id, ends_of (self->time, self->of[s]), share_of (self, s) };
      if (row.share > 0)
        g_array_append_val (rows, row);
    }
  return rows;
}

/* ---- text */

char *
pd_time_range_describe (const PdTimeRange *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  PdTimeRangeEnds ends = pd_time_range_get (self);
  int decimals = pd_report_decimals (pd_time_to_seconds (ends.high));
  g_autofree char *time = pd_report_fixed (pd_time_to_seconds (self->time), decimals);
  g_autofree char *low = pd_report_fixed (pd_time_to_seconds (ends.low), decimals);
  g_autofree char *high = pd_report_fixed (pd_time_to_seconds (ends.high), decimals);

  return g_strdup_printf ("%s s (%s to %s)", time, low, high);
}

/* Sources below one per cent of it are left out. */
char *
pd_time_range_describe_sources (const PdTimeRange *self, guint most)
{
  g_return_val_if_fail (self != NULL, NULL);
  GString *text = g_string_new (NULL);
  gboolean done[PD_N_RANGE_SOURCES] = { FALSE };

  for (guint k = 0; k < MIN (most, PD_N_RANGE_SOURCES); k++)
    {
      PdRangeSource next = PD_N_RANGE_SOURCES;
      for (PdRangeSource s = 0; s < PD_N_RANGE_SOURCES; s++)
        if (!done[s] && (next == PD_N_RANGE_SOURCES || share_of (self, s) > share_of (self, next)))
          next = s;
      done[next] = TRUE;
      if (share_of (self, next) < 0.01)
        continue;
      g_autofree char *share = pd_report_fixed (100 * share_of (self, next), 0);
      g_string_append_printf (text, "%s%s %s %%", text->len > 0 ? ", " : "", sources[next].name,
                              share);
    }
  return g_string_free (text, FALSE);
}

void
pd_time_range_write (const PdTimeRange *self, guint width, GString *out)
{
  g_autofree char *time = pd_time_range_describe (self);
  g_autofree char *because = pd_time_range_describe_sources (self, PD_N_RANGE_SOURCES);
  g_autofree char *line = g_strdup_printf ("Execution time %s; 90 %% range%s%s", time,
                                           because[0] != '\0' ? ", of " : "", because);

  pd_report_append_wrapped (out, line, "", width);
}

void
pd_time_range_add_table (const PdTimeRange *self, PdColumns *to)
{
  static const PdColumn columns[] = {
    { "<90 % range", "<90 % range" },
    { "from s", "from, s" },
    { "to s", "to, s" },
    { "Share %", "Share of the squared width, %" },
  };
  g_autoptr (GArray) rows = pd_time_range_get_rows (self);
  int decimals = pd_report_decimals (pd_time_to_seconds (pd_time_range_get (self).high));

  for (guint i = 0; i < rows->len; i++)
    {
      const PdTimeRangeRow *row = &g_array_index (rows, PdTimeRangeRow, i);
      pd_columns_begin (to, PD_COLUMNS (columns));
      pd_columns_add_label (to, row->source, 0);
      pd_columns_add_fixed (to, pd_time_to_seconds (row->ends.low), decimals);
      pd_columns_add_fixed (to, pd_time_to_seconds (row->ends.high), decimals);
      pd_columns_add_fixed (to, 100 * row->share, 1);
    }
  pd_columns_end (to);
}
