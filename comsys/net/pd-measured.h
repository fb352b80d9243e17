/* Measured times t(m, cf): of a message of m bytes when cf transfers share a
 * channel. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MEASURED_H
#define PD_MEASURED_H

#include "base/pd-time.h"

#define PD_MEASURED_MAX_COLUMNS 64

/* Rows by ascending size. */
typedef struct
{
  guint n_columns;
  gboolean between_sizes;  /* between sizes by the size, not its logarithm */
  gboolean below_line;     /* how to go on below the smallest size, see pd_measured_find() … */
  gboolean beyond_nearest; /* … and beyond the largest cf, see pd_measured_get_time() */
  gdouble cf[PD_MEASURED_MAX_COLUMNS]; /* of each, ascending from 1 */
  GArray *sizes;                       /* gint64, bytes */
  GArray *times;                       /* gdouble, ps: n_columns for each size */
} PdMeasured;

/* Where a size is between two rows. */
typedef struct
{
  guint row;
  gdouble fraction; /* of the way to the next one, by the logarithm of the size or, with
                     * between_sizes, by the size; negative: by the size, below the first row */
  gdouble scale;    /* outside the sizes measured: how many times as long */
} PdMeasuredPlace;

/**
 * pd_measured_new:
 * @cf: (array length=n_columns): ascending from 1
 * @n_columns: 1 to %PD_MEASURED_MAX_COLUMNS
 *
 * Returns: (transfer full): a table without rows.
 */
PdMeasured *pd_measured_new (const gdouble *cf, guint n_columns);

/**
 * pd_measured_free:
 * @self: (nullable): the table
 */
void pd_measured_free (PdMeasured *self);

/**
 * pd_measured_add:
 * @bytes: at least 1
 * @time: for cf = 1, more than 0
 * @factors: (array): of the other columns, more than 0: that many times @time
 *
 * Returns: %FALSE if there is a row of that size.
 */
gboolean pd_measured_add (PdMeasured *self, gint64 bytes, PdTime time, const gdouble *factors);

/**
 * pd_measured_find:
 * @self: a table with rows
 * @bytes: more than 0
 *
 * Outside the sizes measured a byte takes as long as at the nearest one; with
 * @below_line, below the smallest one times are on the line through the first two
 * rows, but not below 0.
 *
 * Returns: the place of that size.
 */
PdMeasuredPlace pd_measured_find (const PdMeasured *self, gint64 bytes);

/**
 * pd_measured_get_time:
 * @place: of the size
 * @cf: at least 1
 *
 * Bilinear in the logarithm of the size (with between_sizes, in the size) and in @cf. Beyond the
 * largest cf measured, as long as there times the ratio of both; with @beyond_nearest, as long as
 * there.
 *
 * Returns: ps.
 */
gdouble pd_measured_get_time (const PdMeasured *self, const PdMeasuredPlace *place, gdouble cf);

/**
 * pd_measured_is_outside:
 * Returns: whether @bytes, or @cf, is outside the measured range.
 */
gboolean pd_measured_is_outside (const PdMeasured *self, gint64 bytes, gdouble cf);

/**
 * pd_measured_smooth:
 * Averages times of neighbouring cf, of the same size, that fall until they do not:
 * the nearest times that do not fall, by least squares.
 */
void pd_measured_smooth (PdMeasured *self);

/**
 * pd_measured_find_fall:
 * @row: by size
 * @largest_cf: the columns up to it count, and the one behind if it is in between
 *
 * Returns: the first column whose time is less than that of the one before; 0 if
 *   none is.
 */
guint pd_measured_find_fall (const PdMeasured *self, guint row, gdouble largest_cf);

/**
 * pd_measured_get_size:
 * @largest: else the smallest one
 *
 * Returns: a size measured, in bytes.
 */
gint64 pd_measured_get_size (const PdMeasured *self, gboolean largest);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdMeasured, pd_measured_free)

#endif
