/* One-sided communication whose targets take part: MPI_Win_post, MPI_Win_start,
 * MPI_Win_complete and MPI_Win_wait.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WIN_ACTIVE_H
#define PD_WIN_ACTIVE_H

#include "comsys/mpi/pd-win.h"

G_BEGIN_DECLS

/* Members of a window, by their ranks in its communicator. */
typedef struct
{
  const guint32 *members; /* (array length=n) */
  guint32 n;
} PdWinGroup;

/**
 * pd_comsys_win_post:
 * @call: the call
 * @win: a window the caller belongs to
 * @origins: who may access it
 *
 * MPI_Win_post: a control message to each of @origins, which it does not wait for.
 */
void pd_comsys_win_post (PdComsys *self, const PdCall *call, PdWin *win, const PdWinGroup *origins);

/**
 * pd_comsys_win_start:
 * @call: the call
 * @win: a window the caller belongs to
 * @targets: the accessed ranks, each once
 *
 * MPI_Win_start: waits until all of @targets have posted, as MPICH 4.0 and Open MPI 4.1 do;
 * MPI would let the operations wait, or their end. The epoch begins with
 * the first post of each of them.
 */
void pd_comsys_win_start (PdComsys *self, const PdCall *call, PdWin *win,
                          const PdWinGroup *targets);

/**
 * pd_win_may_complete:
 * @rank: world rank of a member
 *
 * Returns: whether @rank has started what it has not completed.
 */
gboolean pd_win_may_complete (const PdWin *self, guint32 rank);

/**
 * pd_comsys_win_complete:
 * @call: the call
 * @win: a window for which pd_win_may_complete() is true
 *
 * MPI_Win_complete of the epoch that was started first: waits until its operations are complete at
 * their targets, then notifies each of them by a control message, for which it does not wait.
 */
void pd_comsys_win_complete (PdComsys *self, const PdCall *call, PdWin *win);

/**
 * pd_win_may_wait:
 * @rank: world rank of a member
 *
 * Returns: whether @rank has posted what it has not waited for.
 */
gboolean pd_win_may_wait (const PdWin *self, guint32 rank);

/**
 * pd_comsys_win_wait:
 * @call: the call
 * @win: a window for which pd_win_may_wait() is true
 *
 * MPI_Win_wait of the epoch that was posted first: waits until all of its origins have completed.
 */
void pd_comsys_win_wait (PdComsys *self, const PdCall *call, PdWin *win);

G_END_DECLS

#endif
