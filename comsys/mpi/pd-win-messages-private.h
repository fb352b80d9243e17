/* The messages of one-sided communication, and the locks at their targets. A message is
 * a request that nothing matches: its network is asked as for a send, and what it is for
 * happens when it arrives. * Put, Accumulate: data -> Get: control -> , <- data locks:
 * LOCK -> , <- GRANT when it can be granted; RELEASE ->. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WIN_MESSAGES_PRIVATE_H
#define PD_WIN_MESSAGES_PRIVATE_H

#include "base/pd-time.h"
#include "comsys/mpi/pd-win-private.h"

/* A message arrives at @when; what it is for happens then. */
void pd_one_sided_arrived (PdComsys *self, guint32 message, PdTime when);
/* The event: a message that asks for something has arrived. */
void pd_one_sided_event (PdComsys *self, guint32 rank, guint32 message);

/* A message of @win from one rank of the world to another. */
guint32 pd_one_sided_new (PdComsys *self, PdWin *win, PdOneSided purpose, guint32 source,
                          guint32 target);
/* The caller sends it at @when; whether its network has taken it, or will then. */
gboolean pd_one_sided_send (PdComsys *self, guint32 message, PdTime when);

#endif
