/* The cost of recording on a machine, from traces of calibration programs.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_RECORDER_FIT_H
#define PD_DVM_RECORDER_FIT_H

#include "traces/dvm/pd-dvm-reader.h"

/* Calls that follow each other at once: the program computes nothing between them. The time
 * recorded between them is the cost of one event. */
typedef struct _PdDvmRecorderFit PdDvmRecorderFit;

/* The findings. */
typedef struct
{
  PdDvmRecorderCost cost; /* statistics 0: not known */
  guint n_kinds;          /* of calls that follow each other; 0: too few of each kind */
  PdTime least, most;     /* … their means */
  guint n_functions;      /* whose calls were recorded with and without statistics */
} PdDvmRecorderFound;

/**
 * pd_dvm_recorder_fit_new:
 * Returns: (transfer full): a fit without traces.
 */
PdDvmRecorderFit *pd_dvm_recorder_fit_new (void);

/**
 * pd_dvm_recorder_fit_add_call:
 * @reader: of a trace
 * @call: its current call; every call of the trace must be given, in order
 */
void pd_dvm_recorder_fit_add_call (PdDvmRecorderFit *self, const PdDvmReader *reader,
                                   const PdDvmCall *call);

/**
 * pd_dvm_recorder_fit_end:
 * @reader: at the end of the trace whose calls were given
 * @error: as for pd_dvm_recorder_fit_add()
 *
 * Returns: %FALSE if the trace is of no use; @self is then as it was before it.
 */
gboolean pd_dvm_recorder_fit_end (PdDvmRecorderFit *self, const PdDvmReader *reader,
                                  GError **error);

/**
 * pd_dvm_recorder_fit_add:
 * @reader: a reader nothing was read from; afterwards it is at its end
 * @error: return location for a #PdDvmError; %PD_DVM_ERROR_SET if it was recorded on several
 *   processors, %PD_DVM_ERROR_FORMAT if its times are clamped and cannot be decoded
 *
 * Returns: %FALSE on an error; @self is then as it was.
 */
gboolean pd_dvm_recorder_fit_add (PdDvmRecorderFit *self, PdDvmReader *reader, GError **error);

/**
 * pd_dvm_recorder_fit_find:
 * Returns: medians: of the means of kinds that occur 1000 times, in traces without intervals if
 *   there are such; and of the additional time of a call of each function in traces with intervals.
 */
PdDvmRecorderFound pd_dvm_recorder_fit_find (const PdDvmRecorderFit *self);

/**
 * pd_dvm_recorder_fit_free:
 * @self: (nullable): the fit
 */
void pd_dvm_recorder_fit_free (PdDvmRecorderFit *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdDvmRecorderFit, pd_dvm_recorder_fit_free)

#endif
