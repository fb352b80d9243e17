/* A sequence of whole numbers that mostly repeats the number before: runs of equal numbers.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLUMN_H
#define PD_COLUMN_H

#include "base/memory/pd-vector.h"

typedef struct
{
  gint64 value;
  guint64 n; /* > 0 */
} PdColumnRun;

/* All zero is empty. */
typedef struct
{
  PdVector runs; /* PdColumnRun */
  guint64 n;     /* numbers */
} PdColumn;

/* Where a reader of a column is; all zero: at its first number. */
typedef struct
{
  gsize run;
  guint64 within;
} PdColumnPlace;

/**
 * pd_column_append:
 * Appends @value @n times.
 */
void pd_column_append (PdColumn *self, gint64 value, guint64 n);

/**
 * pd_column_append_all:
 * Appends what @other has.
 */
void pd_column_append_all (PdColumn *self, const PdColumn *other);

/**
 * pd_column_increase_last:
 * @self: not empty
 *
 * The last number becomes greater by one.
 */
void pd_column_increase_last (PdColumn *self);

/**
 * pd_column_next:
 * @place: in @self; goes on by one
 *
 * Returns: the number there; 0 behind the last one.
 */
gint64 pd_column_next (const PdColumn *self, PdColumnPlace *place);

/**
 * pd_column_count_equal:
 * @place: in @self
 * @value: (out) (optional): the number there
 *
 * Returns: how often it comes from there on, one behind the other; 0 behind the last number.
 */
guint64 pd_column_count_equal (const PdColumn *self, const PdColumnPlace *place, gint64 *value);

/**
 * pd_column_skip:
 * @place: in @self
 * @n: at most what pd_column_count_equal() gives
 *
 * @place goes on by @n.
 */
void pd_column_skip (const PdColumn *self, PdColumnPlace *place, guint64 n);

/**
 * pd_column_is_constant:
 * Returns: whether all numbers are equal; an empty column is constant.
 */
gboolean pd_column_is_constant (const PdColumn *self);

/**
 * pd_column_equal:
 * Returns: whether both have the same numbers in the same order.
 */
gboolean pd_column_equal (const PdColumn *a, const PdColumn *b);

/**
 * pd_column_clear:
 * Gives back the memory; @self is empty.
 */
void pd_column_clear (PdColumn *self);

#endif
