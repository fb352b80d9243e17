/* Definitions shared by the files of one-sided communication. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WIN_PRIVATE_H
#define PD_WIN_PRIVATE_H

#include "base/pd-hash-map.h"
#include "base/pd-time.h"
#include "comsys/mpi/pd-win.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-comsys-types.h"

/* The purpose of a message of a window; in PdReq.purpose. From GET on they are control
 * messages. */
typedef enum
{
  PD_ONE_SIDED_PUT,
  PD_ONE_SIDED_ACCUMULATE,
  PD_ONE_SIDED_DATA,  /* the answer to FETCH and GET */
  PD_ONE_SIDED_FETCH, /* an ACCUMULATE that is answered */
  PD_ONE_SIDED_GET,
  PD_ONE_SIDED_LOCK_SHARED,
  PD_ONE_SIDED_LOCK_EXCLUSIVE,
  PD_ONE_SIDED_GRANT, /* the answer to LOCK; partner = that */
  PD_ONE_SIDED_RELEASE,
  PD_ONE_SIDED_POST,     /* partner = the epoch of exposure */
  PD_ONE_SIDED_COMPLETE, /* likewise */
} PdOneSided;

/* The object of a rank's wait. */
typedef enum
{
  PD_AWAITS_NOTHING,
  PD_AWAITS_FENCE,
  PD_AWAITS_UNLOCK,
  PD_AWAITS_FLUSH,
  PD_AWAITS_START,    /* that targets post */
  PD_AWAITS_COMPLETE, /* the operations on them */
  PD_AWAITS_WAIT,     /* that origins complete */
  PD_N_AWAITS,
} PdAwaits;

#define PD_TARGET_ALL  G_MAXUINT32
#define PD_TARGET_NONE (G_MAXUINT32 - 1) /* an epoch that is of no lock */

/* A target of an epoch of access. */
typedef struct
{
  guint32 member;
  guint32 exposure; /* its epoch; 0: not posted so far */
} PdWinPeer;

/* A lock that a member has; its time between two fences; of access, from MPI_Win_start to
 * MPI_Win_complete; of exposure, from MPI_Win_post to MPI_Win_wait. */
typedef struct
{
  PdTime latest; /* of the completions */
  guint32 win;
  guint32 member; /* ranks in the communicator */
  guint32 target;
  guint32 n_operations; /* since the last wait */
  guint32 n_open;       /* those whose completion is not known */
  PdAwaits awaits;
  guint32 next; /* free ones, of @touched, of accesses or exposures */
  /* of a lock of all: members have been asked for theirs that it has done something at */
  guint32 touched; /* list of marks: */
  guint32 mark_of; /* it is one: of the operations there; 0 = a real epoch */
  gboolean exclusive;
  guint32 n_peers; /* of access: */
  PdWinPeer *peers;
} PdEpoch;

/* Epochs of a member, the oldest first; 0: none. */
typedef struct
{
  guint32 first;
  guint32 last;
} PdEpochList;

typedef struct
{
  guint32 fence_epoch; /* 0: nothing since the last fence */
  guint32 n_locks;     /* that it has, or asks for */
  PdEpochList accesses;
  PdEpochList exposures;
  /* as a target: */
  guint32 first; /* requests for locks that wait, */
  guint32 last;
  guint32 n_shared; /* and those that it has granted */
  gboolean exclusive;
} PdWinMember;

struct _PdWin
{
  PdComsys *comsys;
  PdComm *comm;
  guint32 index;
  gboolean gone;         /* its owner needs it no more */
  guint64 n_under_way;   /* messages */
  PdWinMember members[]; /* by rank in the communicator */
};

/* All of a communication system. */
struct _PdWins
{
  GPtrArray *wins; /* by number; NULL: gone */
  GArray *epochs;  /* PdEpoch: 0 is never used */
  guint32 free_epoch;
  guint64 n_epochs; /* that have begun and not ended */
  PdHashMap locks;  /* window, member and target -> epoch */
  PdHashMap posts;  /* window, member and target -> see pd-win-active.c */
};

static inline PdEpoch *
pd_epoch (PdComsys *self, guint32 epoch)
{
  return &g_array_index (self->wins->epochs, PdEpoch, epoch);
}

static inline PdWin *
pd_win_of (const PdComsys *self, guint32 win)
{
  return g_ptr_array_index (self->wins->wins, win);
}

/* ---- pd-win-epochs.c */

void pd_wins_free (PdWins *self);

PdWins *pd_wins_new (void);
/* Of a lock of @target it can be found. */
guint32 pd_epoch_new (PdComsys *self, const PdWin *win, guint32 member, guint32 target);
void pd_epoch_drop (PdComsys *self, guint32 epoch);
/* Notes that @target has been asked for the lock that it belongs to, of all: the mark. */
guint32 pd_epoch_mark (PdComsys *self, guint32 epoch, guint32 target);
/* The newest of @list. */
void pd_epoch_append (PdComsys *self, PdEpochList *list, guint32 epoch);
void pd_epoch_drop_first (PdComsys *self, PdEpochList *list);
/* The lock that @member has of just that, or its mark; 0 = none. */
guint32 pd_epoch_find (const PdComsys *self, const PdWin *win, guint32 member, guint32 target);

/* Begins an operation for which the epoch must wait: that of a mark, and of its object. */
void pd_epoch_begin_operation (PdComsys *self, guint32 epoch);
/* All has been waited for. */
void pd_epoch_forget_operations (PdComsys *self, guint32 epoch);
/* From when on what has been started is complete, seen from @when. */
PdTime pd_epoch_end_of (const PdComsys *self, const PdEpoch *epoch, PdTime when);
/* An operation of the epoch is complete at @when. */
void pd_epoch_completed (PdComsys *self, guint32 epoch, PdTime when);
/* A message of @win is no more. */
void pd_win_release (PdWin *win);
/* Ends a window that neither its owner nor a message needs. */
void pd_win_destroy_if_gone (PdWin *win);

/* ---- pd-win-messages.c */

/* A message arrives at @when; what it is for happens then. */
void pd_one_sided_arrived (PdComsys *self, guint32 message, PdTime when);
/* The event: a message that asks for something has arrived. */
void pd_one_sided_event (PdComsys *self, guint32 rank, guint32 message);

/* A message of @win from one rank of the world to another. */
guint32 pd_one_sided_new (PdComsys *self, PdWin *win, PdOneSided purpose, guint32 source,
                          guint32 target);
/* The caller sends it at @when; whether its network has taken it, or will then. */
gboolean pd_one_sided_send (PdComsys *self, guint32 message, PdTime when);

/* A message is no more. */
void pd_one_sided_drop (PdComsys *self, guint32 message);

/* Notifications of other ranks by messages without a wait; initially all FALSE. */
typedef struct
{
  gboolean is_held; /* by its processor: one has not left */
  gboolean endpoints;
} PdTold;

void pd_one_sided_tell (PdComsys *self, const PdCall *call, guint32 message, PdTold *told);
/* The call of @function returns when they have left. */
void pd_one_sided_told (PdComsys *self, const PdCall *call, const PdTold *told,
                        const char *function);

/* Takes the post of the @i-th target of an access, or notes that it is waited for. */
void pd_one_sided_ask_for_post (PdComsys *self, PdWin *win, guint32 access, guint32 i);

/* ---- pd-win-wait.c */

/* The caller meets the others at a fence: all of its operations are complete. */
void pd_win_meet_at_fence (PdComsys *self, const PdCall *call, PdWin *win);
/* The caller waits until nothing of @epoch is open, and does what the end of its wait asks for. */
void pd_epoch_wait (PdComsys *self, const PdCall *call, guint32 epoch, PdAwaits awaits);
/* All that the blocked rank has waited for in the epoch is complete now. */
void pd_epoch_event (PdComsys *self, guint32 rank, guint32 epoch);

#endif
