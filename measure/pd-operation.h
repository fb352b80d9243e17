/* The table of collective operations: each prepared for one size on one communicator,
 * then launched any number of times.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OPERATION_H
#define PD_OPERATION_H

#include "measure/pd-timer.h"

#include <mpi.h>

G_BEGIN_DECLS

/* A row of the table, of which there are as many as this MPI has operations. */
typedef struct _PdOperation PdOperation;

/* An operation prepared: buffers, counts, requests. */
typedef struct _PdOperationRun PdOperationRun;

typedef enum
{
  PD_FORM_BLOCKING,
  PD_FORM_NONBLOCKING, /* MPI_I… */
  PD_FORM_PERSISTENT,  /* MPI_…_init: MPI-4, or the extension of Open MPI 4 */
  PD_N_FORMS
} PdForm;

/* The same at all processes. */
typedef struct
{
  MPI_Comm comm;
  /* Of bcast, reduce, allreduce, scan and exscan: of the buffer. Of the others: of one
   * block, which is what a process sends to another one, or gets of the result. */
  gint64 bytes;
  int root;
  MPI_Datatype datatype; /* from pd_operation_datatype() */
  MPI_Op op;             /* from pd_operation_op(); of reductions */
  gboolean in_place;
  gsize alignment;    /* bytes, a power of two; what is less than a page is a page … */
  gsize offset;       /* … and how far behind such a place each buffer begins, bytes */
  gsize regions;      /* which launches rotate over, so that none finds its buffers in the
                         cache; 0 or 1: always the same */
  gboolean untouched; /* no page is written: to show what others measure */
} PdOperationSetup;

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
const PdOperation *pd_operation_at (guint i);

/**
 * pd_operation_find:
 * @name: such as bcast, iallreduce, neighbor_alltoall, alltoall_init
 * @error: return location for %PD_MEASURE_ERROR_USAGE; the message lists those that are
 *   there
 * Returns: (nullable): the operation, %NULL with @error set if this MPI has none.
 */
const PdOperation *pd_operation_find (const char *name, GError **error);

/**
 * pd_operation_name:
 * Returns: its name, in lower case without MPI_.
 */
const char *pd_operation_name (const PdOperation *operation);

/**
 * pd_operation_collective:
 * Returns: the name of its blocking form: what it does.
 */
const char *pd_operation_collective (const PdOperation *operation);

/**
 * pd_operation_form:
 * Returns: its form.
 */
PdForm pd_operation_form (const PdOperation *operation);

/**
 * pd_operation_form_name:
 * Returns: blocking, nonblocking or persistent.
 */
const char *pd_operation_form_name (PdForm form);

/**
 * pd_operation_has_size:
 * Returns: whether it moves data; a barrier does not.
 */
gboolean pd_operation_has_size (const PdOperation *operation);

/**
 * pd_operation_has_root:
 * Returns: whether one process is special.
 */
gboolean pd_operation_has_root (const PdOperation *operation);

/**
 * pd_operation_has_op:
 * Returns: whether it is a reduction.
 */
gboolean pd_operation_has_op (const PdOperation *operation);

/**
 * pd_operation_has_in_place:
 * Returns: whether it can do without one of its buffers.
 */
gboolean pd_operation_has_in_place (const PdOperation *operation);

/**
 * pd_operation_has_neighbours:
 * Returns: whether it talks to neighbours only: those on the periodic grid of two
 *   dimensions, as square as possible, that pd_operation_prepare() makes of the
 *   communicator. A neighbour is the process itself where the grid has one row.
 */
gboolean pd_operation_has_neighbours (const PdOperation *operation);

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

/**
 * pd_operation_region_bytes:
 * @setup: its regions do not matter
 * Returns: what one region takes at the process with the most, bytes; what is at least
 *   2^62 is 2^62.
 */
gint64 pd_operation_region_bytes (const PdOperation *operation, const PdOperationSetup *setup);

/**
 * pd_operation_prepare:
 * @setup: what is asked for, copied
 * @error: return location for %PD_MEASURE_ERROR_USAGE if MPI has no such call: no root of
 *   this communicator, in place where there is one buffer only, an @op that is not for
 *   the datatype, bytes that are no multiple of the datatype's, counts or displacements
 *   beyond an int; for %PD_MEASURE_ERROR_DATA if this version of the MPI library is known
 *   to fail in it; for %PD_MEASURE_ERROR_MEMORY if buffers are more than what is free
 *
 * Called by all processes of the communicator, which has to live longer. Every page of
 * the buffers is written, unless they are to be untouched. Buffers hold numbers that remain finite
 * however often the operation is launched in place.
 *
 * Returns: (transfer full): ready to be launched; %NULL with @error set at all processes
 *   if it is impossible at one of them.
 */
PdOperationRun *pd_operation_prepare (const PdOperation *operation, const PdOperationSetup *setup,
                                      GError **error);

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
 * Returns: whether what was begun is complete, also if it was found to be so before.
 */
gboolean pd_operation_test (PdOperationRun *run);

/**
 * pd_operation_wait:
 * Waits until what was begun is complete.
 */
void pd_operation_wait (PdOperationRun *run);

/**
 * pd_operation_verify:
 *
 * Called by all processes: launches the operation once in each of the first and the last
 * region, on known data, and compares the result. Buffers are as before then.
 *
 * Returns: %FALSE at all processes if the result is wrong at one of them.
 */
gboolean pd_operation_verify (PdOperationRun *run);

/**
 * pd_operation_run_free:
 * @run: (nullable): nothing of it is under way
 *
 * Called by all processes, before MPI_Finalize().
 */
void pd_operation_run_free (PdOperationRun *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdOperationRun, pd_operation_run_free)

G_END_DECLS

#endif
