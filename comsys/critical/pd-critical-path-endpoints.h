/* Networks whose messages keep processors and adapters. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CRITICAL_PATH_ENDPOINTS_H
#define PD_CRITICAL_PATH_ENDPOINTS_H

#include "base/pd-time.h"
#include "comsys/net/pd-network.h"
#include "comsys/state/pd-comsys-data.h"

/**
 * pd_critical_init_endpoints:
 * For networks with endpoint resources, if there are any, and lanes: before anything happens.
 */
void pd_critical_init_endpoints (PdComsys *self);

/**
 * pd_critical_launch:
 * The send has left now, and arrives at @arrival.
 */
void pd_critical_launch (PdComsys *self, guint32 send, const PdTransfer *transfer, PdTime arrival);

/**
 * pd_critical_receive:
 * It is received from now on.
 */
void pd_critical_receive (PdComsys *self, guint32 send, const PdTransfer *transfer);

/**
 * pd_critical_post_after_send:
 * The receive of a Sendrecv is about to be posted now.
 */
void pd_critical_post_after_send (PdComsys *self, guint32 recv);

/**
 * pd_critical_hold_cpu:
 * The operation of the acting rank keeps its processor until @when; @computes: only the processor.
 */
void pd_critical_hold_cpu (PdComsys *self, guint32 rank, PdTime when, gboolean computes);

/**
 * pd_critical_follow_cpu:
 * It goes on when its processor is free.
 */
void pd_critical_follow_cpu (PdComsys *self, guint32 rank);

/**
 * pd_critical_return_by_cpu:
 * The same of a rank that has been blocked.
 */
void pd_critical_return_by_cpu (PdComsys *self, guint32 rank);

/**
 * pd_critical_defer_compute:
 * The acting rank would compute from @begin to @when, but cannot yet.
 */
void pd_critical_defer_compute (PdComsys *self, guint32 rank, PdTime begin, PdTime when);

/**
 * pd_critical_compute:
 * And begins now.
 */
void pd_critical_compute (PdComsys *self, guint32 rank);

#endif
