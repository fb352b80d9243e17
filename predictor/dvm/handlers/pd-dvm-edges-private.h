/* Exchanges of shadow edges that go on while a loop computes (exfrst_, imlast_), and
 * those whose two directions are started apart (recvsh_, sendsh_, …)
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_EDGES_PRIVATE_H
#define PD_DVM_EDGES_PRIVATE_H

#include "predictor/dvm/model/pd-dvm-state.h"

gboolean pd_dvm_exfrst (PdDvm *self, GError **error);
/* recvsh_, sendsh_, recvla_, sendsa_. */
gboolean pd_dvm_half (PdDvm *self, GError **error);
gboolean pd_dvm_imlast (PdDvm *self, GError **error);
/* An exchange of the edges of @arrays (PdShadowArray), or, if @reversed, of
 * shadow edges back to their owners; not started. (transfer full) */
PdStepOperation *pd_dvm_shadow_operation_new (PdDvm *self, PdOperationKind kind,
                                              const GArray *arrays, PdTeam *team,
                                              gboolean reversed);
/* Starts its receives, PD_STEP_RECVS, or its sends, PD_STEP_SENDS. */
void pd_dvm_emit_half (PdDvm *self, PdStepOperation *operation, guint32 flags);
/* The split of a loop just mapped into edges and interior, by exfrst_ or imlast_. */
PdInterior *pd_dvm_edges_new_interior (PdDvm *self, const PdLoopObject *loop,
                                       const PdLayout *pattern, const PdAlignment *alignment);
/* A loop that is ready to be emitted. */
typedef struct
{
  gint64 id;
  const PdLoopObject *loop;
  PdLoopWork *work; /* (nullable): nothing to split */
  const PdRecords *records;
} PdLoopSteps;

/* Emits its steps, cut if need be. */
void pd_dvm_edges_emit (PdDvm *self, const PdLoopSteps *steps);

#endif
