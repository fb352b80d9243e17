/* The recorded times of one processor, in the intervals that it passes through.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_WALK_PRIVATE_H
#define PD_DVM_WALK_PRIVATE_H

#include "predictor/dvm/measured/pd-dvm-places-private.h"
#include "traces/dvm/pd-dvm-reader.h"

/* Where the times go. */
typedef struct
{
  PdIntervalTree *tree;
  PdDvmPlaces *places;
  PdMessages *messages;
  guint32 n; /* processors */
} PdDvmWalk;

/* Reads the file of processor @p to its end, and charges its times. @end: (out): their sum. */
gboolean pd_dvm_walk (const PdDvmWalk *self, PdDvmReader *reader, guint32 p, PdTime *end,
                      GError **error);

#endif
