/* Call sites and wait states of two measured runs, side by side.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMPARE_CALLS_H
#define PD_COMPARE_CALLS_H

#include "analyse/pd-analysis.h"
#include "reports/run/pd-report.h"

/* The calls of one function from one place, whatever called that. */
typedef struct
{
  const char *file; /* texts are borrowed from the PdRunCalls */
  gint64 line;
  const char *caller; /* the function that contains the place */
  const char *function;
  const char *shown; /* the file for people, within the run */
  guint64 count;
  PdTimeSum time; /* of all ranks */
  PdTimeSum waiting;
} PdPlaceCalls;

/* The kept data of an analysis. */
typedef struct
{
  guint32 n_ranks;
  GStringChunk *texts;
  GArray *places; /* PdPlaceCalls, by place */
  PdTimeSum waits[PD_N_WAIT_STATES];
} PdRunCalls;

/* A place in A, in B or in both; %NULL: not in that run. */
typedef struct
{
  const PdPlaceCalls *of[2];
  gdouble seconds[2]; /* per rank; 0 where it is not */
} PdCallsPair;

/**
 * pd_run_calls_new:
 * @run: analysed, not yet compact
 *
 * Returns: (transfer full): its call sites and wait states.
 */
PdRunCalls *pd_run_calls_new (const PdReportRun *run);

/**
 * pd_run_calls_free:
 * @self: (nullable): the calls
 */
void pd_run_calls_free (PdRunCalls *self);

/**
 * pd_run_calls_pair:
 * @a: of a run
 * @b: of another one
 *
 * Places are the same if file, line, caller and function are. Of those that are left, whose
 * lines have shifted, the first of A with a file, caller and function is that of B, and so on.
 *
 * Returns: (transfer full) (element-type PdCallsPair): by falling difference of the time per
 *   rank; borrows from @a and @b.
 */
GArray *pd_run_calls_pair (const PdRunCalls *a, const PdRunCalls *b);

/**
 * pd_compare_calls_label:
 * Returns: (transfer full): "old.c:10 MPI_Send", with B's line where that differs: "old.c:10
 *   (B: 12) MPI_Send".
 */
char *pd_compare_calls_label (const PdCallsPair *pair);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdRunCalls, pd_run_calls_free)

#endif
