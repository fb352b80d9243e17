/* What the files of one-sided communication share. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WIN_PRIVATE_H
#define PD_WIN_PRIVATE_H

#include "base/pd-hash-map.h"
#include "base/pd-time.h"
#include "comsys/mpi/pd-win.h"
#include "comsys/state/pd-comsys-data.h"

/* What a message of a window is for; in PdReq.purpose. From GET on they are control
 * messages. */
typedef enum
{
  PD_ONE_SIDED_PUT,
  PD_ONE_SIDED_ACCUMULATE,
  PD_ONE_SIDED_DATA, /* the answer to GET */
  PD_ONE_SIDED_GET,
  PD_ONE_SIDED_LOCK_SHARED,
  PD_ONE_SIDED_LOCK_EXCLUSIVE,
  PD_ONE_SIDED_GRANT, /* the answer to LOCK; partner = that */
  PD_ONE_SIDED_RELEASE,
} PdOneSided;

/* What a rank waits for. */
typedef enum
{
  PD_AWAITS_NOTHING,
  PD_AWAITS_FENCE,
  PD_AWAITS_UNLOCK,
  PD_AWAITS_FLUSH,
} PdAwaits;

#define PD_TARGET_ALL  G_MAXUINT32
#define PD_TARGET_NONE (G_MAXUINT32 - 1) /* the epoch between fences */

/* A lock that a member has, or its time between two fences. */
typedef struct
{
  PdTime latest; /* of the completions */
  guint32 win;
  guint32 member; /* ranks in the communicator */
  guint32 target;
  guint32 n_operations; /* since the last wait */
  guint32 n_open;       /* those whose completion is not known */
  PdAwaits awaits;
  guint32 next; /* free ones, or of @touched */
  /* of a lock of all: members have been asked for theirs that it has done something at */
  guint32 touched; /* list of marks: */
  guint32 mark_of; /* it is one, and only says that; 0 = a real epoch */
  gboolean exclusive;
} PdEpoch;

typedef struct
{
  guint32 fence_epoch; /* 0: nothing since the last fence */
  guint32 n_locks;     /* that it has, or asks for */
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

/* All that the blocked rank has waited for in the epoch is complete now. */
void pd_epoch_event (PdComsys *self, guint32 rank, guint32 epoch);

#endif
