/* The parts of a summary.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SUMMARY_PRIVATE_H
#define PD_SUMMARY_PRIVATE_H

#include "measure/sheet/pd-sheet-rows.h"
#include "measure/sheet/pd-summary.h"

/* A case in one launch of the program; texts are in the list's chunk. Times in
 * microseconds. */
typedef struct
{
  guint launch;    /* number of the measurement */
  const char *key; /* of the case: two with the same one can be compared */
  const char *mpi;
  const char *host;
  const char *operation;
  const char *form;
  const char *buffers;
  gint64 processes;
  gint64 bytes;
  gint64 synchronised;
  gint64 oversubscribed;
  gdouble median;
  gdouble low; /* of the median, at 0.95; NaN: not known */
  gdouble high;
} PdSummaryRow;

typedef struct
{
  GArray *rows; /* PdSummaryRow */
  GStringChunk *texts;
} PdSummaryList;

#endif
