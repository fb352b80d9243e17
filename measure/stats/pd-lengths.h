/* Lengths of messages: from a least to a greatest by a factor or a step, or listed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LENGTHS_H
#define PD_LENGTHS_H

#include "measure/stats/pd-timer.h"

#define PD_LENGTHS_MAX_BYTES (G_GINT64_CONSTANT (1) << 30) /* counts of MPI-3 are int */

/* No fields are owned. */
typedef struct
{
  const char *unit;   /* "B", "K" (1024) or "M" (1024^2) */
  gint64 min;         /* units, >= 0 */
  gint64 max;         /* units, >= min */
  gdouble factor;     /* > 1; ignored where there is a step */
  gint64 step;        /* units; 0: by the factor */
  const char *list;   /* (nullable): instead of all these, units with "," between */
  gboolean with_zero; /* 0 is a length, too */
} PdLengths;

/**
 * pd_lengths_unit:
 * Returns: the bytes of "B", "K" or "M"; 0 of anything else.
 */
gint64 pd_lengths_unit (const char *unit);

/**
 * pd_lengths_make:
 * @error: return location for %PD_MEASURE_ERROR_USAGE
 *
 * Returns: (transfer full) (element-type gint64): bytes, rising, no two the same, each at
 *   most 2^30, without 0 if that is not asked for; %NULL with @error set if that cannot be.
 */
GArray *pd_lengths_make (const PdLengths *self, GError **error);

/**
 * pd_lengths_parse_numbers:
 * @name: of the option, for messages
 * @list: "1,2,4"
 * @most: the greatest that is allowed
 * @error: return location for %PD_MEASURE_ERROR_USAGE
 * Returns: (transfer full) (element-type gint64): the numbers of @list, from 1 to @most,
 *   rising; %NULL with @error set if they are not.
 */
GArray *pd_lengths_parse_numbers (const char *name, const char *list, gint64 most, GError **error);

#endif
