/* The table of collective operations: each prepared for one size on one communicator,
 * then launched any number of times.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OPERATION_H
#define PD_OPERATION_H

#include "measure/stats/pd-timer.h"

#include <mpi.h>

/* A row of the table, of which there are as many as this MPI has operations. */
typedef struct _PdOperation PdMpiOperation;

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
  gsize alignment;    /* bytes, a power of two; values below a page become a page … */
  gsize offset;       /* … and how far behind such a place each buffer begins, bytes */
  gsize regions;      /* which launches rotate over, so that none finds its buffers in the
                         cache; 0 or 1: always the same */
  gboolean untouched; /* no page is written: to show what others measure */
} PdOperationSetup;

#endif
