/* Datatypes and reductions, with data whose results are known.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_OPERATION_TYPES_H
#define MPI_OPERATION_TYPES_H

#include "measure/plan/pd-operation.h"

/**
 * pd_operation_datatype:
 * @name: such as byte, int, double: MPI's names in lower case without MPI_
 * @datatype: (out): the type
 * @error: return location for %PD_MEASURE_ERROR_USAGE; the message lists the names
 * Returns: %FALSE with @error set if there is no such type.
 */
gboolean pd_operation_datatype (const char *name, MPI_Datatype *datatype, GError **error);

/**
 * pd_operation_datatype_name:
 * Returns: (nullable): %NULL if it is none of those.
 */
const char *pd_operation_datatype_name (MPI_Datatype datatype);

/**
 * pd_operation_op:
 * @name: such as sum, max, band
 * @op: (out): the reduction's operation
 * @error: return location for %PD_MEASURE_ERROR_USAGE; the message lists the names
 * Returns: %FALSE with @error set if there is no such operation.
 */
gboolean pd_operation_op (const char *name, MPI_Op *op, GError **error);

/**
 * pd_operation_op_name:
 * Returns: (nullable): %NULL if it is none of those.
 */
const char *pd_operation_op_name (MPI_Op op);

#endif
