/* A collective operation prepared and launched.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_OPERATION_H
#define MPI_OPERATION_H

#include "measure/plan/pd-operation.h"

/**
 * pd_operation_region_bytes:
 * @setup: its regions do not matter
 * Returns: the bytes of one region at the process with the largest; at most
 *   2^62.
 */
gint64 pd_operation_region_bytes (const PdMpiOperation *operation, const PdOperationSetup *setup);

/**
 * pd_operation_prepare:
 * @setup: the setup, copied
 * @error: return location for %PD_MEASURE_ERROR_USAGE if MPI has no such call: no root of
 *   this communicator, in place where there is one buffer only, an @op that is not for
 *   the datatype, bytes that are no multiple of the datatype's, counts or displacements
 *   beyond an int; for %PD_MEASURE_ERROR_DATA if this version of the MPI library is known
 *   to fail in it; for %PD_MEASURE_ERROR_MEMORY if buffers exceed the free memory
 *
 * Called by all processes of the communicator, which has to live longer. Every page of
 * the buffers is written, unless they are to be untouched. Buffers hold numbers that remain finite
 * however often the operation is launched in place.
 *
 * Returns: (transfer full): ready to be launched; %NULL with @error set at all processes
 *   if it is impossible at one of them.
 */
PdOperationRun *pd_operation_prepare (const PdMpiOperation *operation,
                                      const PdOperationSetup *setup, GError **error);

/**
 * pd_operation_launch:
 * @number: of the launch: its region is @number modulo regions
 *
 * Does the operation as a whole: a non-blocking or persistent one is begun and waited
 * for.
 */
void pd_operation_launch (PdOperationRun *run, gsize number);

/**
 * pd_operation_start:
 * @number: as in pd_operation_launch()
 *
 * Begins a non-blocking or persistent operation, when the one before has been completed.
 * A blocking one is over when this returns.
 */
void pd_operation_start (PdOperationRun *run, gsize number);

/**
 * pd_operation_test:
 * Returns: whether the operation under way is complete, also if it was found so before.
 */
gboolean pd_operation_test (PdOperationRun *run);

/**
 * pd_operation_wait:
 * Waits until the operation under way is complete.
 */
void pd_operation_wait (PdOperationRun *run);

/**
 * pd_operation_run_free:
 * @run: (nullable): nothing of it is under way
 *
 * Called by all processes, before MPI_Finalize().
 */
void pd_operation_run_free (PdOperationRun *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdOperationRun, pd_operation_run_free)

#endif
