/* Epochs of one-sided communication: their pool, and how those of locks are found by
 * window, member and target: a table with linear probing. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WIN_EPOCHS_PRIVATE_H
#define PD_WIN_EPOCHS_PRIVATE_H

#include "base/pd-time.h"
#include "comsys/mpi/pd-win-private.h"
#include "comsys/state/pd-comsys-data.h"

void pd_wins_free (PdWins *self);

PdWins *pd_wins_new (void);
/* Of a lock of @target it can be found. */
guint32 pd_epoch_new (PdComsys *self, const PdWin *win, guint32 member, guint32 target);
void pd_epoch_drop (PdComsys *self, guint32 epoch);
/* Notes that @target has been asked for the lock that it belongs to, of all. */
void pd_epoch_mark (PdComsys *self, guint32 epoch, guint32 target);
/* The lock that @member has of just that, or its mark; 0 = none. */
guint32 pd_epoch_find (const PdComsys *self, const PdWin *win, guint32 member, guint32 target);

/* From when on what has been started is complete, seen from @when. */
PdTime pd_epoch_end_of (const PdComsys *self, const PdEpoch *epoch, PdTime when);
/* An operation of the epoch is complete at @when. */
void pd_epoch_completed (PdComsys *self, guint32 epoch, PdTime when);
/* A message of @win is no more. */
void pd_win_release (PdWin *win);
/* Ends a window that neither its owner nor a message needs. */
void pd_win_destroy_if_gone (PdWin *win);

#endif
