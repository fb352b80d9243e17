/* How sure a predicted run time is: a range that holds 90 of 100 measured runs, and where its
 * width comes from. One description of the rows drives text, XML, JSON, CSV, SQLite and pages.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIME_RANGE_H
#define PD_TIME_RANGE_H

#include "reports/emit/pd-columns.h"
#include "reports/emit/pd-emit.h"

/* Where the width of a range comes from. */
typedef enum
{
  PD_RANGE_MEASURED, /* how far off predictions of measured programs are: the floor */
  PD_RANGE_SCATTER,  /* of repeated computations in the trace */
  PD_RANGE_CLOCK,    /* of the recorder: its step, and times that it clamped */
  PD_RANGE_RECORDER, /* what recording took and is still in the times */
  PD_RANGE_OUTLIERS, /* recorded times that stand out */
  PD_RANGE_MACHINE,  /* the error of its description against measurements on it */
  PD_RANGE_NOISE,    /* of the machine, and values of it that have a spread */
  PD_RANGE_CACHE,    /* computation that may get faster or slower with the size of local data */
  PD_RANGE_SCALING,  /* computation on numbers of ranks that were not recorded */
  PD_N_RANGE_SOURCES,
} PdRangeSource;

typedef struct _PdTimeRange PdTimeRange;

extern const PdField pd_report_range_ends[]; /* PdTimeRangeEnds; in JSON, XML and CSV */
extern const PdRecord pd_report_range_rows;  /* PdTimeRangeRow */

/* Both ends of a range. */
typedef struct
{
  PdTime low;
  PdTime high;
} PdTimeRangeEnds;

/* The range of one source alone. */
typedef struct
{
  const char *source; /* "scatter"; "all" of the first row; static */
  PdTimeRangeEnds ends;
  gdouble share; /* of the squared width, 0 to 1 */
} PdTimeRangeRow;

/**
 * pd_time_range_new:
 * @time: the prediction, which a range does not change; >= 0
 *
 * Returns: (transfer full): a range of no width.
 */
PdTimeRange *pd_time_range_new (PdTime time);

/**
 * pd_time_range_free:
 * @self: (nullable): the range
 */
void pd_time_range_free (PdTimeRange *self);

/**
 * pd_time_range_copy:
 * @self: (nullable): the range
 *
 * Returns: (transfer full) (nullable): another one like it.
 */
PdTimeRange *pd_time_range_copy (const PdTimeRange *self);

/**
 * pd_time_range_add:
 * @low: the lower end is time / (1 + @low); >= 0
 * @high: the upper end is time * (1 + @high); >= 0
 *
 * Adds a source, whose 90 % range this is. Sources are independent: squares of @low and of
 * @high add up. Values that are not numbers >= 0 are ignored, those above 1000 become 1000.
 */
void pd_time_range_add (PdTimeRange *self, PdRangeSource source, gdouble low, gdouble high);

/**
 * pd_time_range_get:
 * Returns: the ends; low <= time <= high.
 */
PdTimeRangeEnds pd_time_range_get (const PdTimeRange *self);

/**
 * pd_time_range_get_rows:
 * Returns: (transfer full) (element-type PdTimeRangeRow): the whole, and each source that it has.
 */
GArray *pd_time_range_get_rows (const PdTimeRange *self);

/**
 * pd_time_range_describe:
 * Returns: (transfer full): "0.0435 s (0.0421 to 0.0467)".
 */
char *pd_time_range_describe (const PdTimeRange *self);

/**
 * pd_time_range_describe_sources:
 * @most: so many of them
 *
 * Returns: (transfer full): "measured programs 81 %, scatter 19 %": shares, the largest first;
 *   "" if it has no width.
 */
char *pd_time_range_describe_sources (const PdTimeRange *self, guint most);

/**
 * pd_time_range_write:
 * @width: columns
 *
 * Appends what the last two say as text.
 */
void pd_time_range_write (const PdTimeRange *self, guint width, GString *out);

/**
 * pd_time_range_add_table:
 * Adds the rows of the range to a table of text or of a page.
 */
void pd_time_range_add_table (const PdTimeRange *self, PdColumns *to);

/**
 * pd_time_range_add_stored:
 * @source: as rows have it
 * @ends: that the range would have with it alone; those that are not of a range are ignored
 *
 * Adds what a row says. "all", and sources that are not known, are ignored.
 */
void pd_time_range_add_stored (PdTimeRange *self, const char *source, const PdTimeRangeEnds *ends);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdTimeRange, pd_time_range_free)

#endif
