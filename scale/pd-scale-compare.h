/* Whether two programs are one.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_COMPARE_H
#define PD_SCALE_COMPARE_H

#include "traces/program/pd-program.h"

/* Actions without computation, intervals and places. */
typedef struct
{
  guint64 n;     /* of the program that is taken for true */
  guint64 equal; /* that the other one has at the same place, with partner, tag, bytes and members
                  * of the communicator */
  guint64 partners;       /* of the true ones: those with a partner or a root, */
  guint64 equal_partners; /* … that the other one has at the same place with the same one */
  guint64 bytes;          /* that the true ones send */
  guint64 equal_bytes;    /* likewise, of those that are equal */
  guint32 first_rank;     /* that differs, if n > equal */
  guint64 first_call;     /* of that rank, from 0 */
} PdScaleComparison;

/**
 * pd_scale_is_compared:
 * Returns: whether actions of @kind are compared: not computation, which is modelled, and not what
 *   only says where a call is.
 */
gboolean pd_scale_is_compared (PdActionKind kind);

/**
 * pd_scale_compare:
 * @truth: a recorded program
 * @made: on as many ranks
 * @settles: completions of both are settled, see pd-scale-reader.h
 * @result: (out caller-allocated): what both have in common
 */
void pd_scale_compare (const PdProgram *truth, const PdProgram *made, gboolean settles,
                       PdScaleComparison *result);

#endif
