/* The Wait and Test families. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WAIT_PRIVATE_H
#define PD_WAIT_PRIVATE_H

#include "base/pd-time.h"
#include "comsys/mpi/pd-calls-private.h"
#include "comsys/state/pd-comsys-types.h"

/* Waits until the requests complete; they are the owner's no more. */
void pd_wait_bundle (PdComsys *self, const PdCall *call, guint32 first, PdTime overhead,
                     const char *function);
/* Likewise for @send, which was begun by a call of @kind at @call->when. */
void pd_wait_for_send (PdComsys *self, const PdCall *call, guint32 send, const PdCallKind *kind);
/* As pd_wait_bundle(), from @call->when on, where now may be earlier; if it @posts, @first is a
 * receive that has been made and is posted then. */
void pd_wait_from (PdComsys *self, const PdCall *call, guint32 first, PdTime overhead,
                   const char *function, gboolean posts);
/* The event: now it does. */
void pd_wait_event (PdComsys *self, guint32 rank, guint32 posts);
/* The event: a rank in Waitany or Waitsome looks at its requests. */
void pd_wait_check_event (PdComsys *self, guint32 rank, guint32 argument);
/* Of PdHandlers: @req, which such a rank waits for, is complete at @when. */
void pd_wait_completed_any (PdComsys *self, guint32 req, PdTime when);

#endif
