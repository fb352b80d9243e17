/* Nonblocking operations on machines with endpoint resources, where rank and operation share a
 * processor: each step that sends or receives is entered with a number, as what the rank
 * does is (pd-cpu-order.c), and waits until it is its turn. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CPU_NONBLOCKING_PRIVATE_H
#define PD_CPU_NONBLOCKING_PRIVATE_H

#include "base/pd-time.h"
#include "comsys/state/pd-comsys-data.h"

/* On machines with endpoint resources: one of the requests has completed. */
void pd_cpu_nonblocking_completed (PdComsys *self, PdNonblocking *nonblocking, PdAwaited awaited);

/* Starts at @when, now or after what the call of the acting rank costs. */
void pd_cpu_nonblocking_begin (PdComsys *self, PdNonblocking *nonblocking, PdTime when);
/* The next step of the play is due. */
void pd_cpu_nonblocking_event (PdComsys *self, PdNonblocking *nonblocking);
/* Those that have begun with a receive, which comes after a send of the rank. */
void pd_cpu_nonblocking_deferred (PdComsys *self);

#endif
