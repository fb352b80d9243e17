/* The commands of predictor-measure.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MEASURE_H
#define PD_MEASURE_H

#include "measure/stats/pd-timer.h"

/* A command, called by all processes with the same command line. At least one process
 * reports an error; errors that concern all are agreed on before. With
 * --help it ends the program before it uses MPI, which is not initialised then. */
typedef gboolean (*PdMeasureFunc) (int argc, char **argv, GError **error);

/**
 * pd_measure_transfer:
 * predictor-measure transfer
 */
gboolean pd_measure_transfer (int argc, char **argv, GError **error);

/**
 * pd_measure_collective:
 * predictor-measure collective
 */
gboolean pd_measure_collective (int argc, char **argv, GError **error);

/**
 * pd_measure_collective_alone:
 * @done: (out): whether nothing is to be measured
 *
 * predictor-measure collective --summary FILE, which needs no MPI: called before that is
 * initialised.
 *
 * Returns: %FALSE with @error set if that was asked for and is impossible.
 */
gboolean pd_measure_collective_alone (int argc, char **argv, gboolean *done, GError **error);

/**
 * pd_measure_contention:
 * predictor-measure contention
 */
gboolean pd_measure_contention (int argc, char **argv, GError **error);

/**
 * pd_measure_exchange:
 * predictor-measure exchange
 */
gboolean pd_measure_exchange (int argc, char **argv, GError **error);

/**
 * pd_measure_compare:
 * @error: also for %PD_MEASURE_ERROR_DIFFERS
 *
 * predictor-measure compare, without MPI
 */
gboolean pd_measure_compare (int argc, char **argv, GError **error);

/**
 * pd_measure_guidelines:
 * @error: also for %PD_MEASURE_ERROR_DIFFERS
 *
 * predictor-measure guidelines, without MPI
 */
gboolean pd_measure_guidelines (int argc, char **argv, GError **error);

/**
 * pd_measure_check_timer:
 * predictor-measure --check-timer
 */
gboolean pd_measure_check_timer (int argc, char **argv, GError **error);

/**
 * pd_measure_check_sync:
 * predictor-measure --check-sync
 */
gboolean pd_measure_check_sync (int argc, char **argv, GError **error);

#endif
