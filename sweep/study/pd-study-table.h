/* The results of the points of a study, as rows that can be viewed in many ways.
 * SPDX-License-Identifier: MIT */
#ifndef PD_STUDY_TABLE_H
#define PD_STUDY_TABLE_H

#include "sweep/study/pd-study-db.h"

/* The metric of a point; all but efficiency and speed-up are better when small. */
typedef enum
{
  PD_METRIC_TIME,       /* Execution_time, seconds */
  PD_METRIC_SPEED_UP,   /* against the row with fewest processors that is equal otherwise */
  PD_METRIC_EFFICIENCY, /* Productive_time over Total_time, 0 to 1 */
  PD_METRIC_COST,       /* Total_time, in processor-seconds or times the price of an hour */
  PD_METRIC_PRODUCTIVE, /* the parts of Total_time, as shares of it … */
  PD_METRIC_INSUFFICIENT,
  PD_METRIC_COMMUNICATION,
  PD_METRIC_IDLE, /* … end here */
  PD_N_METRICS,
} PdMetric;

typedef struct
{
  const char *name;  /* "speed-up": of options */
  const char *title; /* "Speed-up": of axes and columns, with its unit */
} PdMetricRow;

/**
 * pd_metric_row:
 * Returns: (transfer none): the description of @metric.
 */
const PdMetricRow *pd_metric_row (PdMetric metric);

/* One point that has a result. */
typedef struct
{
  gint64 point;
  guint32 n_processors;
  gdouble values[PD_N_METRICS];
  gdouble ends[2]; /* of the 90 % range of the time, seconds; 0 and 0 = not known */
} PdStudyRow;

typedef struct
{
  char *name;
  char *unit;
  PdAxisKind kind;
  GPtrArray *texts; /* (element-type utf8): its values */
  GArray *numbers;  /* gdouble: likewise; by order where they are words */
} PdStudyAxis;

/* How many points have which end; the first ones that failed. */
typedef struct
{
  gint64 n_points; /* of the study */
  gint64 counts[PD_N_POINT_STATUSES];
  GPtrArray *failures; /* (element-type utf8): "point 3: …" */
} PdStudyState;

typedef struct
{
  char *path;
  GArray *axes;    /* PdStudyAxis */
  GArray *rows;    /* PdStudyRow, by point */
  guint32 *places; /* (array): of each row, the number of its value on each axis */
  PdStudyState state;
  gboolean has_ranges; /* some rows have one */
  gboolean has_ranks;  /* its traces are of several numbers of ranks; no axis says which */
} PdStudyTable;

/**
 * pd_study_table_read:
 * @path: of a study's database
 * @price: of an hour of one processor; negative: cost is processor-seconds
 * @error: return location for a #PdReportError
 *
 * Returns: (transfer full) (nullable): the points as they are now.
 */
PdStudyTable *pd_study_table_read (const char *path, gdouble price, GError **error);

/**
 * pd_study_table_free:
 * @self: (nullable): the table
 */
void pd_study_table_free (PdStudyTable *self);

/**
 * pd_study_table_find_axis:
 * @error: return location for %PD_STUDY_ERROR_VALUES, which lists those that there are
 *
 * Returns: the number of the axis @name; -1 on an error.
 */
gint pd_study_table_find_axis (const PdStudyTable *self, const char *name, GError **error);

/**
 * pd_study_table_keep:
 * @axis: number
 * @text: a value of it, as the study has it
 * @error: return location for %PD_STUDY_ERROR_VALUES
 *
 * Forgets the rows with another value on @axis.
 */
gboolean pd_study_table_keep (PdStudyTable *self, guint axis, const char *text, GError **error);

/**
 * pd_study_table_place:
 * Returns: the number of row @row's value on @axis.
 */
static inline guint32
pd_study_table_place (const PdStudyTable *self, guint row, guint axis)
{
  return self->places[(gsize) row * self->axes->len + axis];
}

/**
 * pd_study_table_describe_row:
 * Returns: (transfer full): "network/latency=1us procs=8".
 */
char *pd_study_table_describe_row (const PdStudyTable *self, guint row);

/**
 * pd_study_table_order:
 * @metric: by what; the best first, of equal ones the lower point
 * Returns: (transfer full) (element-type guint): numbers of rows.
 */
GArray *pd_study_table_order (const PdStudyTable *self, PdMetric metric);

/**
 * pd_study_table_pareto:
 * Returns: (transfer full) (element-type guint): rows of which no other is both at least as
 *   fast and at least as cheap, and better in one: by time.
 */
GArray *pd_study_table_pareto (const PdStudyTable *self);

/**
 * pd_study_table_is_better:
 * Returns: whether @a is better than @b as @metric goes.
 */
gboolean pd_study_table_is_better (PdMetric metric, gdouble a, gdouble b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdStudyTable, pd_study_table_free)

#endif
