/* Receives with MPI_ANY_SOURCE or MPI_ANY_TAG. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WILDCARD_H
#define PD_WILDCARD_H

#include "comsys/state/pd-comsys-types.h"
#include "comsys/state/pd-comsys-data.h"

/**
 * pd_wildcard_applies:
 * Whether a message or a receive is matched here, not in pd-match.c.
 */
static inline gboolean
pd_wildcard_applies (const PdComsys *self, gboolean collective, gboolean is_wildcard_recv)
{
  return is_wildcard_recv || (self->wildcards != NULL && !collective);
}

/**
 * pd_wildcard_recv:
 * A receive is posted: it is matched, or waits.
 */
void pd_wildcard_recv (PdComsys *self, guint32 recv);

/**
 * pd_wildcard_send:
 * A send has been started: its message may be matched when it is visible.
 */
void pd_wildcard_send (PdComsys *self, guint32 send);

/**
 * pd_wildcard_probe:
 * The message that @probe finds now, 0 = none; of a rank that is blocked by it, it is
 * looked for whenever one becomes visible.
 */
guint32 pd_wildcard_probe (PdComsys *self, guint32 probe);

/**
 * pd_wildcard_visible_event:
 * The event: messages to @rank may have become visible.
 */
void pd_wildcard_visible_event (PdComsys *self, guint32 rank, guint32 argument);

#endif
