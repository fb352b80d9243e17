/* How DVM programs are interpreted, as the user wants it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_OPTIONS_H
#define PD_DVM_OPTIONS_H

#include "predictor/common/pd-loop-curves.h"
#include "predictor/dvm/layout/pd-block-file.h"

/* A change of the program (pd-dvm-change.h). */
typedef struct _PdDvmChange PdDvmChange;

/* The parts of a program that what-ifs can change. */
typedef struct
{
  gint64 portions;           /* the greatest number of portions of a pipeline; 0: there is none */
  guint64 n_changed;         /* operations that @change has changed */
  guint n_speeds;            /* of processors, that differ */
  gboolean is_recorded_grid; /* each processor computes as long as it did when recorded */
} PdDvmFacts;

/* Processors that share a cache have less of it for each than one alone, by an unknown
 * share: a loop's curve is evaluated with a whole cache for each, and with its part. */
typedef enum
{
  PD_CACHE_MIDDLE, /* the mean of both */
  PD_CACHE_LOW,    /* the faster one */
  PD_CACHE_HIGH,   /* the slower one */
} PdCacheBound;

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
  const PdBlockFile *blocks;       /* (nullable): lists that the trace does not have; borrowed */
  gboolean weights_from_speed;     /* blocks follow the speeds of processors */
  const PdLoopCurves *loop_curves; /* (nullable): of its loops; borrowed */
  PdCacheBound cache_bound;        /* where they are taken */
  PdLoopCosts *loop_costs;         /* (nullable) (out): gets its loops, on one processor */
  /* what-ifs; zeros: the program as it is */
  const PdDvmChange *change;       /* (nullable): borrowed */
  gint64 portions;                 /* of every pipeline, whatever the program says */
  gboolean nonblocking_reductions; /* MPI_Iallreduce where the run-time has MPI_Allreduce */
  gboolean even_loops;             /* all processors of a loop have equal parts of its iterations */
  PdDvmFacts *facts;               /* (nullable) (out) */
} PdDvmOptions;

#endif
