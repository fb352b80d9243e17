/* The sensitivity of a prediction: from the critical path, and from simulations with
 * more latency.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SENSITIZE_H
#define PD_SENSITIZE_H

#include "comsys/critical/pd-critical-path.h"
#include "reports/run/pd-report.h"

/**
 * PdSensitizeRun:
 * @data: of pd_sensitize()
 * @settings: (array zero-terminated=1): --set, all of them
 * @critical: (out) (transfer full): of the run
 *
 * Predicts the same once more, on the machine with other settings.
 *
 * Returns: (transfer full) (nullable): the run.
 */
typedef PdReportRun *(*PdSensitizeRun) (gconstpointer data, const char *const *settings,
                                        PdCriticalResult **critical, GError **error);

/**
 * pd_sensitize:
 * @run: with its tree; gets its sensitivity, and notes about untracked parts of the path
 * @critical: of @run
 * @settings: (nullable) (array zero-terminated=1): those that @run has been predicted with
 * @again: predicts again
 * @error: return location for an error of @again
 */
gboolean pd_sensitize (PdReportRun *run, const PdCriticalResult *critical,
                       const char *const *settings, PdSensitizeRun again, gconstpointer data,
                       GError **error);

#endif
