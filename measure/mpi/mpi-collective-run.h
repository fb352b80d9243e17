/* Definitions shared by the parts of collective.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_COLLECTIVE_RUN_H
#define MPI_COLLECTIVE_RUN_H

#include "measure/plan/pd-collective-options.h"
#include "measure/plan/pd-collective-table.h"
#include "measure/mpi/mpi-launches.h"
#include "measure/plan/pd-operation.h"

/* The measurement, the same at all processes but for the output of rank 0. */
typedef struct
{
  PdCollectiveOptions options;
  GPtrArray *operations; /* const PdMpiOperation *, owned */
  guint n_named;         /* the first of them, asked for by name: must be possible */
  GArray *sizes;         /* gint64, owned */
  GArray *processes;     /* int, owned */
  MPI_Datatype datatype;
  MPI_Op op;
  PdTimer timer;
  PdSyncOptions sync;
  gboolean crowded;
  int rank; /* of all processes */
  int size;
  PdSheet *output; /* owned */
  gdouble worst;   /* greatest difference of clocks found, seconds */
  gdouble empty;   /* least median of an operation of nothing, seconds */
  gdouble nearest; /* least and greatest round trip by which clocks were compared */
  gdouble farthest;
  guint refused;     /* measurements repeated because clocks had moved */
  GString *left_out; /* owned: operations of groups that this MPI fails in, and why */
} PdCollectiveRun;

#endif
