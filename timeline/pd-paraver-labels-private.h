/* The meaning of numbers in a Paraver trace. Types and values of MPI calls, and states, are
 * those of Extrae, so that its users' configurations fit.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PARAVER_LABELS_PRIVATE_H
#define PD_PARAVER_LABELS_PRIVATE_H

#include "timeline/pd-paraver-private.h"

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

#endif
