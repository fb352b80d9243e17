/* How messages get the processors that they keep; for networks with endpoint resources. Not
 * installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CPU_LAUNCH_H
#define PD_CPU_LAUNCH_H

#include "base/pd-time.h"
#include "comsys/state/pd-comsys-types.h"

/**
 * pd_cpu_send:
 * The send starts when it can; at @when or later. Returns whether it has.
 */
gboolean pd_cpu_send (PdComsys *self, guint32 send, PdTime when);

/**
 * pd_cpu_wait_for_launch:
 * The rank's call returns when all its sends have been launched.
 */
void pd_cpu_wait_for_launch (PdComsys *self, const PdCall *call, const char *function);

/**
 * pd_cpu_try_launch:
 * Whether the send could be launched now; else @free is set to when it may.
 */
gboolean pd_cpu_try_launch (PdComsys *self, guint32 send, PdTime *free);

/**
 * pd_cpu_post_later:
 * Posts @recv behind the send of the acting rank, which is over at @when or pending.
 */
void pd_cpu_post_later (PdComsys *self, guint32 recv, PdTime when);

/**
 * pd_cpu_launch_event:
 * The event: the processor or adapter of a rank is free for its first send.
 */
void pd_cpu_launch_event (PdComsys *self, guint32 rank, guint32 cpu);

/**
 * pd_cpu_arrive_event:
 * The event: a message wants the processor of a rank.
 */
void pd_cpu_arrive_event (PdComsys *self, guint32 rank, guint32 send);

#endif
