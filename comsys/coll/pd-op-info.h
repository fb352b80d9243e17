/* The description of each collective operation: its names, its arguments, the operations
 * it is made of. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OP_INFO_H
#define PD_OP_INFO_H

#include "comsys/coll/pd-op.h"

/* The meaning of the sizes of a table; the same for all members. */
typedef enum
{
  PD_MEASURE_BYTES, /* PdCollective.bytes */
  PD_MEASURE_TOTAL, /* of all ranks: bytes times ranks, or the sum of the counts */
  PD_MEASURE_MEAN,  /* of the counts; where there are none, the bytes */
  PD_MEASURE_NONE,  /* 0: no rank knows the sizes of the others */
} PdMeasure;

/* One of the operations that another is made of; n_bytes of each are fixed. */
typedef struct
{
  PdOp op;
  gint64 bytes;
} PdComponent;

#define PD_MAX_COMPONENTS 3

typedef struct
{
  const char *name;
  const char *function;
  gboolean rooted;
  gboolean send_counts;
  gboolean recv_counts;
  gboolean neighbors;
  PdMeasure measure; /* of sizes that a machine's own choices name */
  guint n_components;
  PdComponent components[PD_MAX_COMPONENTS];
} PdOpInfo;

extern const PdOpInfo pd_ops[PD_N_OPS];

#endif
