/* One-sided communication: windows and their operations.
 *
 * A window is a communicator whose members let each other put, get and accumulate
 * without calling anything themselves. Operations go on in the background; they are
 * complete at a fence, or when the lock under which they were started is released.
 *
 * SPDX-License-Identifier: MIT */
#ifndef PD_WIN_H
#define PD_WIN_H

#include "comsys/state/pd-comsys-types.h"

G_BEGIN_DECLS

typedef struct _PdWin PdWin;

/* Of locks: all members. */
#define PD_WIN_ALL (-1)

/**
 * pd_win_new:
 * @comsys: the communication system
 * @comm: the communicator; the window keeps a reference
 *
 * A window that exists without messages; what MPI_Win_create costs is %PD_OP_WIN_CREATE.
 *
 * Returns: (transfer full): the window, to release with pd_win_free() before @comsys is.
 */
PdWin *pd_win_new (PdComsys *comsys, PdComm *comm);

/**
 * pd_win_free:
 * @self: (nullable): a window without further calls; messages may be under way
 *
 * The cost of MPI_Win_free is that of %PD_OP_WIN_FREE.
 */
void pd_win_free (PdWin *self);

/**
 * pd_comsys_get_n_epochs:
 * Returns: how many locks have not been released, how many members of windows have done
 *   something since their last fence, and how many accesses and exposures have not ended;
 *   part of pd_comsys_finalize().
 */
guint64 pd_comsys_get_n_epochs (const PdComsys *self);

/**
 * pd_comsys_put:
 * @call: the call
 * @win: a window the caller belongs to
 * @target: rank in its communicator, or %PD_PROC_NULL
 * @bytes: >= 0
 *
 * MPI_Put: takes the caller as long as an Isend; one data message to @target, which is
 * complete there when it has arrived. No receive is posted, and the target's processor
 * has no part in it but what the network itself asks of it. To oneself it is a copy.
 */
void pd_comsys_put (PdComsys *self, const PdCall *call, PdWin *win, gint32 target, gint64 bytes);

/**
 * pd_comsys_get:
 *
 * MPI_Get: takes the caller as long as an Isend of nothing; a control message to
 * @target, and a data message of @bytes back.
 */
void pd_comsys_get (PdComsys *self, const PdCall *call, PdWin *win, gint32 target, gint64 bytes);

/**
 * pd_comsys_accumulate:
 *
 * MPI_Accumulate: as pd_comsys_put(); complete when @bytes have been reduced at the
 * target, after their arrival. Accumulations do not wait for each other.
 */
void pd_comsys_accumulate (PdComsys *self, const PdCall *call, PdWin *win, gint32 target,
                           gint64 bytes);

/* How a window is accessed. */
typedef enum
{
  PD_ACCESS_PUT,
  PD_ACCESS_GET,
  PD_ACCESS_ACCUMULATE,
  PD_ACCESS_GET_ACCUMULATE, /* also MPI_Fetch_and_op and MPI_Compare_and_swap */
} PdAccessKind;

typedef struct
{
  PdAccessKind kind;
  gint32 target;  /* rank in the window's communicator, or %PD_PROC_NULL */
  gint64 bytes;   /* >= 0: that go to the target; of a Get none */
  gint64 fetched; /* >= 0: that come back; of a Put and an Accumulate none */
} PdAccess;

/**
 * pd_comsys_access:
 * @call: the call
 * @win: a window the caller belongs to
 * @access: the operation
 * @request: (out) (optional): is complete when the operation is: MPI_Rput and the like.
 *   %PD_REQUEST_NULL if no rank is accessed
 *
 * All of pd_comsys_put(), pd_comsys_get() and pd_comsys_accumulate(). MPI_Get_accumulate
 * takes the caller as long as an Isend; a data message to the target, which reduces
 * it and sends a data message back.
 */
void pd_comsys_access (PdComsys *self, const PdCall *call, PdWin *win, const PdAccess *access,
                       PdRequest *request);

/**
 * pd_comsys_win_fence:
 * @call: the call
 * @win: a window the caller belongs to
 *
 * MPI_Win_fence: waits until the caller's operations are complete that it has started
 * without a lock since the last fence, then for all members by %PD_OP_WIN_FENCE.
 */
void pd_comsys_win_fence (PdComsys *self, const PdCall *call, PdWin *win);

/**
 * pd_win_may_lock:
 * @rank: world rank of a member
 * @target: rank in the window's communicator, %PD_WIN_ALL or %PD_PROC_NULL
 *
 * Returns: whether @rank holds no lock of @target, nor is asking for one.
 */
gboolean pd_win_may_lock (const PdWin *self, guint32 rank, gint32 target);

/**
 * pd_win_may_unlock:
 * @rank: world rank of a member
 * @target: rank in the window's communicator, %PD_WIN_ALL or %PD_PROC_NULL
 *
 * Returns: whether @rank has locked just that.
 */
gboolean pd_win_may_unlock (const PdWin *self, guint32 rank, gint32 target);

/**
 * pd_comsys_win_lock:
 * @call: the call
 * @win: a window for which pd_win_may_lock() is true
 * @target: rank in its communicator, %PD_WIN_ALL or %PD_PROC_NULL
 * @exclusive: else shared
 *
 * MPI_Win_lock: a control message to the target, which grants locks in the order of
 * these, shared ones together and exclusive ones alone, by a control message back.
 * Returns when that has arrived. MPI_Win_lock_all sends nothing, as in MPICH: before the
 * first operation at a member that is asked for its lock, and the end of the epoch, or a
 * flush, waits for the answer, too.
 */
void pd_comsys_win_lock (PdComsys *self, const PdCall *call, PdWin *win, gint32 target,
                         gboolean exclusive);

/**
 * pd_comsys_win_unlock:
 * @call: the call
 * @win: a window for which pd_win_may_unlock() is true
 * @target: as when it was locked
 *
 * MPI_Win_unlock, MPI_Win_unlock_all: waits until the operations under the lock are
 * complete, then releases it by a control message that it does not wait for.
 */
void pd_comsys_win_unlock (PdComsys *self, const PdCall *call, PdWin *win, gint32 target);

/**
 * pd_win_may_flush:
 * @rank: world rank of a member
 * @target: rank in the window's communicator, %PD_WIN_ALL or %PD_PROC_NULL
 *
 * Returns: whether @rank has locked just that, or all.
 */
gboolean pd_win_may_flush (const PdWin *self, guint32 rank, gint32 target);

/**
 * pd_comsys_win_flush:
 * @call: the call
 * @win: a window for which pd_win_may_flush() is true
 * @target: as when it was locked; of a lock of all any member
 *
 * MPI_Win_flush, MPI_Win_flush_all: waits until the operations at @target are complete, and
 * keeps the lock. MPI_Win_flush_local may return when the own buffers are free: here when
 * a flush does.
 */
void pd_comsys_win_flush (PdComsys *self, const PdCall *call, PdWin *win, gint32 target);

G_END_DECLS

#endif
