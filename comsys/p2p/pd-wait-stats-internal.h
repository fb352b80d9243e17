/* Statistics of waits: for operations, in one number for each machine; for requests, only if
 * PdComsys.waited is not NULL. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WAIT_STATS_INTERNAL_H
#define PD_WAIT_STATS_INTERNAL_H

#include "base/pd-time.h"
#include "comsys/state/pd-comsys-data.h"

/**
 * pd_wait_stats_overlap:
 * Returns: how many picoseconds an operation had been under way before a wait for it began at
 *   @since; one that began later: 0.
 */
static inline gint64
pd_wait_stats_overlap (gint64 began, gint64 since)
{
  return began < since ? (gint64) ((guint64) since - (guint64) began) : 0;
}

/**
 * pd_wait_stats_late:
 * @latest: when the wait began, or the latest @began so far
 *
 * Returns: the additional time of the wait before both halves of a message had begun, in
 *   picoseconds.
 */
static inline gint64
pd_wait_stats_late (gint64 began, gint64 latest)
{
  return began > latest ? (gint64) ((guint64) began - (guint64) latest) : 0;
}

/**
 * pd_wait_stats_begin:
 * The rank begins to wait for requests of its own.
 */
void pd_wait_stats_begin (PdComsys *self, guint32 rank, PdTime when);

/**
 * pd_wait_stats_send_began:
 * When the call of @send was made; not for what has been given back.
 */
PdTime pd_wait_stats_send_began (const PdComsys *self, const PdReq *send);

/**
 * pd_wait_stats_matched:
 * They are matched and the delivery is known; before they complete.
 */
void pd_wait_stats_matched (PdComsys *self, PdReq *send, PdReq *recv);

/**
 * pd_wait_stats_note:
 * A request that its owner waits for: a send at once, a receive once complete.
 */
void pd_wait_stats_note (PdComsys *self, const PdReq *req);

#endif
