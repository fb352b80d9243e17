/* The parts of the writer of Paraver traces. Internal to timeline/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PARAVER_PRIVATE_H
#define PD_PARAVER_PRIVATE_H

#include "timeline/pd-timeline-nodes-private.h"
#include "traces/io/pd-output.h"

/* States, by their usual numbers. */
enum
{
  PD_PRV_IDLE = 0,
  PD_PRV_DISABLED = 14,
};

/* The types of the events of each kind of region. */
typedef enum
{
  PD_PRV_P2P,
  PD_PRV_COLLECTIVE,
  PD_PRV_OTHER,
  PD_PRV_ONE_SIDED,
  PD_PRV_OPERATION, /* no function of MPI */
  PD_PRV_INTERVAL,
  PD_PRV_N_KINDS,
} PdPrvKind;

/* A region as the value of an event. */
typedef struct
{
  gboolean is_used;
  PdPrvKind kind;
  guint32 value;
} PdPrvRegion;

/* The place of each rank. */
typedef struct
{
  const PdTimeline *timeline;
  PdTimelineNodes *nodes;
  guint64 *cpus;      /* (array): first CPU of each rank, of all */
  guint64 *n_cpus;    /* (array): of each node */
  PdPrvRegion *calls; /* (array): of each region, where slices are of it */
} PdPrvPlan;

#endif
