/* The parts of the writer of Paraver traces. Internal to timeline/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PARAVER_PRIVATE_H
#define PD_PARAVER_PRIVATE_H

#include "timeline/pd-timeline-nodes-private.h"
#include "traces/pd-output.h"

G_BEGIN_DECLS

/* States, by their usual numbers. */
enum
{
  PD_PRV_IDLE = 0,
  PD_PRV_DISABLED = 14,
};

/* What regions of a kind are events of. */
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

/* Who is where. */
typedef struct
{
  const PdTimeline *timeline;
  PdTimelineNodes *nodes;
  guint64 *cpus;      /* (array): first CPU of each rank, of all */
  guint64 *n_cpus;    /* (array): of each node */
  PdPrvRegion *calls; /* (array): of each region, where slices are of it */
} PdPrvPlan;

/* ---- pd-paraver-labels.c */

PdPrvPlan *pd_prv_plan_new (const PdTimeline *timeline);
void pd_prv_plan_free (PdPrvPlan *self);
/* The number of the type of events. */
guint32 pd_prv_type (PdPrvKind kind);
/* The number of the state in a trace. */
guint32 pd_prv_state (PdTimelineState state);
/* The value of the event that enters the interval @region. */
guint32 pd_prv_interval (guint32 region);
void pd_prv_write_labels (const PdPrvPlan *self, PdOutput *out);
void pd_prv_write_names (const PdPrvPlan *self, PdOutput *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdPrvPlan, pd_prv_plan_free)

G_END_DECLS

#endif
