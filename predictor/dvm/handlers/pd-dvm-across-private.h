/* Ordered loops (across_, doacr_): the exchanges before the loop, and whether it is
 * executed as a wavefront or as a pipeline.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_ACROSS_PRIVATE_H
#define PD_DVM_ACROSS_PRIVATE_H

#include "predictor/dvm/model/pd-dvm-state.h"
#include "predictor/dvm/handlers/pd-dvm-edges-private.h"

PdAcross *pd_dvm_across_new (void);
void pd_dvm_across_free (PdAcross *across);
gboolean pd_dvm_across (PdDvm *self, GError **error);
/* doacr_: one group, which is split into the exchange before the portions and
 * the exchanges between them. */
gboolean pd_dvm_doacr (PdDvm *self, GError **error);
/* Inside the first dopl_ of the loop @id, before anything is computed. */
void pd_dvm_across_begin (PdDvm *self, gint64 id);
/* All records of the loop are read: its portions took @time on one processor. */
void pd_dvm_across_decide (PdDvm *self, gint64 id, const PdLoopObject *loop, PdTime time);
/* Whether the current loop is executed as a pipeline: then emits it. */
gboolean pd_dvm_across_is_pipeline (const PdDvm *self, gint64 id);
void pd_dvm_across_emit (PdDvm *self, const PdLoopSteps *steps);
/* Inside the last dopl_. */
void pd_dvm_across_end (PdDvm *self, gint64 id);
/* The reference @id is another loop's now. */
void pd_dvm_across_forget (PdDvm *self, gint64 id);
/* Inside endpl_. */
void pd_dvm_across_measure (PdDvm *self, gint64 id);

#endif
