/* CProc and what its steps need: shared by pd-simulation.c, pd-cproc*.c and
 * pd-operation.c.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SIMULATION_PRIVATE_H
#define PD_SIMULATION_PRIVATE_H

#include "predictor/dvm/simulate/pd-simulation.h"
#include "predictor/dvm/step/pd-step.h"

/* The messages of a large exchange that a processor is starting. */
typedef struct
{
  guint n;
  PdPlanMessage messages[];
} PdMessageList;

/* One simulated processor: a cache line. */
typedef struct
{
  PdTime clock;        /* its local time */
  PdTime ret;          /* slot of its MPI call */
  PdTime began;        /* when the communication of this step began */
  guint64 position;    /* number of its step */
  PdStepBlock *block;  /* of the data server */
  guint32 phase;       /* within the step; 0: not begun */
  guint32 index;       /* within the phase */
  PdMessageList *list; /* (nullable) */
  guint32 portion;     /* of the pipelined loop it executes */
  guint32 unused;
} PdCProc;

G_STATIC_ASSERT (sizeof (PdCProc) == 64);

struct _PdSimulation
{
  PdSimulationContext context;
  PdCProc *procs;
  PdWaitStats *waits; /* of each processor: results of its waits that are not charged yet */
  PdComm *world;
  guint32 actor;
  guint32 soon; /* the processor that acts a few turns later, which is likely to do what @actor
                 * does; beyond all of them: not known */
  guint32 n_finished;
  PdPlanMessage *messages; /* room for one processor's messages of an exchange */
  guint room;
};

#endif
