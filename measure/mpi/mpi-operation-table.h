/* The collective operations of MPI: what each does, and how each of its forms is called.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_OPERATION_TABLE_H
#define MPI_OPERATION_TABLE_H

#include "measure/plan/pd-operation.h"

/**
 * pd_operations_n:
 * Returns: how many operations this MPI has.
 */
guint pd_operations_n (void);

/**
 * pd_operation_at:
 * @i: less than pd_operations_n()
 * Returns: the operations form by form.
 */
const PdMpiOperation *pd_operation_at (guint i);

/**
 * pd_mpi_operation_find:
 * @name: such as bcast, iallreduce, neighbor_alltoall, alltoall_init
 * @error: return location for %PD_MEASURE_ERROR_USAGE; the message lists those that are
 *   there
 * Returns: (nullable): the operation, %NULL with @error set if this MPI has none.
 */
const PdMpiOperation *pd_mpi_operation_find (const char *name, GError **error);

/**
 * pd_operation_name:
 * Returns: its name, in lower case without MPI_.
 */
const char *pd_operation_name (const PdMpiOperation *operation);

/**
 * pd_operation_collective:
 * Returns: the name of its blocking form: what it does.
 */
const char *pd_operation_collective (const PdMpiOperation *operation);

/**
 * pd_operation_form:
 * Returns: its form.
 */
PdForm pd_operation_form (const PdMpiOperation *operation);

/**
 * pd_operation_form_name:
 * Returns: blocking, nonblocking or persistent.
 */
const char *pd_operation_form_name (PdForm form);

/**
 * pd_operation_has_size:
 * Returns: whether it moves data; a barrier does not.
 */
gboolean pd_operation_has_size (const PdMpiOperation *operation);

/**
 * pd_operation_has_root:
 * Returns: whether one process is special.
 */
gboolean pd_operation_has_root (const PdMpiOperation *operation);

/**
 * pd_operation_has_op:
 * Returns: whether it is a reduction.
 */
gboolean pd_operation_has_op (const PdMpiOperation *operation);

/**
 * pd_operation_has_in_place:
 * Returns: whether it can do without one of its buffers.
 */
gboolean pd_operation_has_in_place (const PdMpiOperation *operation);

/**
 * pd_operation_has_neighbours:
 * Returns: whether it talks to neighbours only: those on the periodic grid of two
 *   dimensions, as square as possible, that pd_operation_prepare() makes of the
 *   communicator. A neighbour is the process itself where the grid has one row.
 */
gboolean pd_operation_has_neighbours (const PdMpiOperation *operation);

#endif
