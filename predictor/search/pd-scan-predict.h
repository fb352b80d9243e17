/* The points of a scan of a machine's parameters, predicted.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCAN_PREDICT_H
#define PD_SCAN_PREDICT_H

#include "comsys/machine/pd-machine.h"
#include "comsys/state/pd-comsys-types.h"
#include "predictor/search/pd-many.h"
#include "reports/run/pd-report.h"

/* The simulated events of all predictions together: about a second of two processors. */
#define PD_SCAN_MOST_EVENTS 2500000

/* Everything is borrowed. */
typedef struct
{
  const PdMachine *machine;    /* as the run has it */
  const char *const *settings; /* (nullable) (array zero-terminated=1): those of the user */
  guint64 seed;                /* of all predictions */
  guint n_threads;             /* >= 1 */
  guint64 most;                /* simulated events at most, %PD_SCAN_MOST_EVENTS */
  PdSampleFunc predict;        /* returns how long the program runs */
  gpointer data;
  PdSamplesFunc predict_batch; /* (nullable): where several can really be predicted at once */
  guint max_batch;
  /* Predicts the run once more, for @observer. Returns: %FALSE on an error */
  gboolean (*observe) (gpointer data, const PdObserver *observer, GError **error);
} PdScanOptions;

/**
 * pd_scan_predict:
 * @run: the run as described
 * @scan: (out) (transfer full) (nullable): %NULL: nothing to scan, on one processor or where
 *   communication costs nothing
 * @error: return location for errors of predictions, but those of programs that do not end at a
 *   point
 *
 * Points that would cost too much, by the events of @run, are left out: first the grids, then
 * points between powers of two, then all; so that the result does not depend on the speed of this
 * computer.
 *
 * Returns: %FALSE on an error.
 */
gboolean pd_scan_predict (const PdScanOptions *options, const PdReportRun *run, PdScan **scan,
                          GError **error);

#endif
