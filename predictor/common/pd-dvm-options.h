/* How DVM programs are interpreted, as the user wants it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_OPTIONS_H
#define PD_DVM_OPTIONS_H

#include "predictor/dvm/layout/pd-block-file.h"

typedef struct
{
  gboolean keep_startup;    /* count the time of the first record */
  gboolean no_comm_split;   /* do not model Comm_split of replicated reductions */
  gboolean across_tc_known; /* the iteration time of an ordered loop is known at its first
                             * execution: a pipeline at once */
  guint64 most_messages;    /* of an exchange that is simulated one by one; 0: the default */
  gboolean mpi_reduce;      /* reductions by MPI_Allreduce where the run-time does; else by stars */
  gint64 across_groups;     /* portions of an ordered loop whose program says none; 0: computed */
  guint message_mask;       /* bits that the length of a message between two may not have */
  gboolean dedupe_copies;   /* of a copy's source that several hold, only the first one sends */
  const PdBlockFile *blocks;   /* (nullable): lists that the trace does not have; borrowed */
  gboolean weights_from_speed; /* blocks follow the speeds of processors */
} PdDvmOptions;

#endif
