/* What calls of one-sided communication have waited for.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WAITS_RMA_PRIVATE_H
#define PD_WAITS_RMA_PRIVATE_H

#include "analyse/pd-replay-private.h"
#include "analyse/pd-waits-private.h"

/* Epochs of all ranks, gone through twice: first they are collected, then calls are charged. */
typedef struct _PdRma PdRma;

PdRma *pd_rma_new (const PdProgram *program);
void pd_rma_free (PdRma *self);
/* The present action of @replay, of the ranks in ascending order. */
void pd_rma_collect (PdRma *self, const PdReplay *replay);
/* All have been collected: who waits for whom. */
void pd_rma_match (PdRma *self);
/* Whether pd_rma_charge() has something to say of such actions. */
gboolean pd_rma_is_one_sided (PdActionKind kind);
/* What the present action of @replay has waited for; in the order of pd_rma_collect(). */
void pd_rma_charge (PdRma *self, const PdReplay *replay, PdCharge *charge);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdRma, pd_rma_free)

#endif
