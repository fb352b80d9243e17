/* Places of communication: how long each execution of a function in an interval took on each
 * processor.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_PLACES_PRIVATE_H
#define PD_DVM_PLACES_PRIVATE_H

#include "intervals/pd-interval.h"
#include "traces/dvm/pd-dvm-functions.h"

typedef struct _PdDvmPlaces PdDvmPlaces;

PdDvmPlaces *pd_dvm_places_new (guint32 n_processors);
void pd_dvm_places_free (PdDvmPlaces *self);

typedef struct
{
  guint32 node;
  PdDvmFunction function;
  PdOperationKind kind; /* that its communication is charged to */
} PdDvmPlace;

/* The next execution at @of by processor @p took @time. */
void pd_dvm_places_add (PdDvmPlaces *self, const PdDvmPlace *of, guint32 p, PdTime time);

/* Charges Synchronization: what an execution took longer than on the processor where it was
 * shortest. Places that the processors executed differently often have none. */
void pd_dvm_places_synchronize (const PdDvmPlaces *self, PdIntervalTree *tree);

/* Returns: (transfer full) (element-type PdTimeSum): by node, the sum over its places of the
 * median of their times, times their number. */
GArray *pd_dvm_places_get_typical (const PdDvmPlaces *self, guint32 n_nodes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdDvmPlaces, pd_dvm_places_free)

#endif
