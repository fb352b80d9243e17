/* What the parts of collective know of each other.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLLECTIVE_PRIVATE_H
#define PD_COLLECTIVE_PRIVATE_H

#include "measure/pd-collective-options.h"
#include "measure/pd-collective-table.h"
#include "measure/pd-launches.h"
#include "measure/pd-operation.h"

/* What is measured, the same at all processes but for the output of rank 0. */
typedef struct
{
  PdCollectiveOptions options;
  GPtrArray *operations; /* const PdOperation *, owned */
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

/* The first @processes measure all operations and sizes, the others sleep; rows are added
 * at rank 0. Returns FALSE with @error set at all processes of which some measured. */
gboolean pd_collective_measure (PdCollectiveRun *self, int processes, GError **error);

/* Whether this form of the operation can overlap with computation. */
gboolean pd_collective_overlaps (const PdOperation *operation);

/* Three samples of rank 0 (NULL elsewhere): operation, computation, both. */
void pd_collective_measure_overlap (const PdLaunchSetup *setup, PdOperationRun *run,
                                    gint64 progress, PdSample *const samples[3]);

/* Binds each process to a processor of its own if MPI has left them all on the same
 * ones. Returns whether it has, the same at all processes. */
gboolean pd_collective_bind (MPI_Comm comm);

#endif
