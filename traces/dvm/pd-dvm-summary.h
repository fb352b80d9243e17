/* The contents of a trace in numbers.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_SUMMARY_H
#define PD_DVM_SUMMARY_H

#include "traces/dvm/pd-dvm-reader.h"

/* The shape of the distributed arrays of a size. */
typedef struct
{
  guint rank;
  gint64 sizes[7];
  gint64 type_size; /* as crtda_ prints it */
  guint64 n_arrays; /* how often one was created */
} PdDvmShape;

typedef struct
{
  guint64 n_calls;
  guint64 n_calls_by_class[PD_DVM_N_CLASSES];
  PdTimeSum ret_time_by_class[PD_DVM_N_CLASSES]; /* inside those functions */
  PdTimeSum call_time;                           /* computation, without @startup */
  PdTime startup;                                /* before the first call: not the program's */
  char *startup_name;                            /* of that call; "" if there is none */
  guint64 n_interval_keys;                       /* distinct (type, nfrag, index, LINE, FILE) */
  guint64 n_intervals;                           /* how often one was entered */
  guint interval_depth;                          /* the deepest nesting */
  guint64 n_loops;                               /* crtpl_ */
  guint64 n_portions;                            /* dopl_ that gave one */
  PdTimeSum loop_time;                           /* computation inside portions */
  PdTimeSum common_time; /* what every processor does by itself, see below */
  guint64 n_tasks;       /* runam_ */
  guint grid_rank;       /* the most processor dimensions that a distr_ or redis_ uses */
  GArray *shapes;        /* PdDvmShape, in order of first occurrence */
} PdDvmSummary;

/* common_time is computation outside portions of loops and outside biof_ … eiof_,
 * and the time inside functions that neither send nor wait. Of a trace without
 * tasks, every processor of every grid spends at least this much. */

/**
 * pd_dvm_summary_new:
 * @reader: a reader nothing was read from; afterwards it is at its end
 * @error: return location for a #PdDvmError, where reading stopped
 *
 * Reads the whole trace.
 *
 * Returns: (transfer full) (nullable): the summary.
 */
PdDvmSummary *pd_dvm_summary_new (PdDvmReader *reader, GError **error);

/**
 * pd_dvm_summary_free:
 * @self: (nullable): the summary
 */
void pd_dvm_summary_free (PdDvmSummary *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdDvmSummary, pd_dvm_summary_free)

#endif
