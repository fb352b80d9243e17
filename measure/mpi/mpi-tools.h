/* Errors, hosts, processors and timers of several processes.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_TOOLS_H
#define MPI_TOOLS_H

#include "measure/sheet/pd-sheet.h"

#include <mpi.h>

/**
 * pd_mpi_failed:
 * @error: (nullable): of this process
 * Returns: whether any process has an error.
 */
gboolean pd_mpi_failed (MPI_Comm comm, const GError *error);

/**
 * pd_mpi_idle:
 *
 * A barrier in which one sleeps: for processes that are not measured, beside those that
 * are.
 */
void pd_mpi_idle (MPI_Comm comm);

/**
 * pd_mpi_same_host:
 * Returns: whether all processes can share memory.
 */
gboolean pd_mpi_same_host (MPI_Comm comm);

/**
 * pd_mpi_crowded:
 * Returns: whether some host has more processes than processors that they may run on.
 */
gboolean pd_mpi_crowded (MPI_Comm comm);

/**
 * pd_mpi_check_crowd:
 * @force: it is to be measured nevertheless
 * @crowded: (out): pd_mpi_crowded()
 * @error: return location for %PD_MEASURE_ERROR_CROWDED
 * Returns: %FALSE with @error set at all processes if measuring makes no sense.
 */
gboolean pd_mpi_check_crowd (MPI_Comm comm, gboolean force, gboolean *crowded, GError **error);

/**
 * pd_mpi_timer_start:
 * @timer: (out caller-allocated): started
 * @kind: which
 * @error: return location for %PD_MEASURE_ERROR_TIMER
 *
 * The counter's frequency is measured once per host.
 *
 * Returns: %FALSE with @error set at all processes if one of them has no such timer.
 */
gboolean pd_mpi_timer_start (MPI_Comm comm, PdTimer *timer, PdTimerKind kind, GError **error);

/**
 * pd_mpi_facts:
 * Adds the facts of each measurement: when (unless SOURCE_DATE_EPOCH is set), where,
 * with which MPI, how many processes, which of them share a host ("0*2 1*2": the first two
 * are on one, the next two on another one), which timer (not %PD_N_TIMERS). Collective.
 */
void pd_mpi_facts (MPI_Comm comm, PdSheet *output, PdTimerKind timer, gboolean crowded);

/**
 * pd_mpi_buffer:
 * Returns: (transfer full): @bytes at the beginning of a page, all of them written, since
 *   pages never written are one page of zeros; free() it.
 */
char *pd_mpi_buffer (gsize bytes);

#endif
