/* The interpreter of message-passing programs: what its files share.
 *
 * Every rank goes through the cells of its program. A call is made when it is the
 * rank's turn; if its moment of return is not known at once the rank stays at the
 * call (PD_MP_CALLED) until ComSys gives it the turn again. What is spent is added
 * up in the rank itself and charged to the interval tree when its interval changes.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_PRIVATE_H
#define PD_MP_PRIVATE_H

#include "comsys/pd-win.h"
#include "intervals/pd-interval.h"
#include "predictor/pd-mp-log.h"
#include "predictor/pd-mp-retime.h"
#include "predictor/pd-mp.h"
#include "predictor/pd-noise.h"
#include "predictor/pd-timeline-sources.h"
#include "traces/pd-program.h"

G_BEGIN_DECLS

/* The components of Communication. */
typedef enum
{
  PD_MP_SENDRECV,
  PD_MP_COLLECTIVE,
  PD_MP_SYSTEM,
  PD_MP_N_CATEGORIES,
} PdMpCategory;

typedef enum
{
  PD_MP_READY,  /* it will do the action at its cell */
  PD_MP_CALLED, /* it is inside the call at its cell */
} PdMpState;

/* A simulated rank: two cache lines, the second one is its account. */
typedef struct
{
  PdTime clock;
  PdTime ret;         /* slot of its call */
  PdTime began;       /* when that began */
  const PdCell *cell; /* what it does, or does next */
  const PdCell *end;
  PdRequest *slots;
  gdouble scale; /* of computation here: see pd_mp_interval_scale() */
  guint32 node;  /* its interval */
  guint8 state;  /* PdMpState */
  guint8 category;
  guint8 spare[2];
  gint64 cpu; /* ps since the interval began or was come back to */
  gint64 spent[PD_MP_N_CATEGORIES];
  guint32 n_sends;
  guint32 n_receives;
  guint32 n_waits;
  guint32 n_collectives;
  guint32 n_alike; /* ranks that compute the same now; 0 = it alone */
  guint32 more[3];
} PdMpRank;

G_STATIC_ASSERT (sizeof (PdMpRank) == 128);

typedef struct _PdMp PdMp;
typedef struct _PdMpMeetings PdMpMeetings;
typedef struct _PdMpNotes PdMpNotes;
typedef struct _PdMpAnys PdMpAnys;

/* Of an interval of the program inside a node of the tree, the node. */
typedef struct
{
  guint32 parent;
  guint32 interval;
  guint32 node; /* 0: nothing yet */
} PdMpNodeCache;

/* What is said of calls outside the model. */
#define PD_MP_NOT_MODELLED                                                                         \
  "is not modelled: it takes as long as when it was recorded, as computation would"

#define PD_MP_CACHE 1024 /* a power of two */

struct _PdMp
{
  const PdMpOptions *options;
  const PdProgram *program;
  PdMachine *machine;
  guint32 *placement;
  PdComsys *comsys;
  PdComm **comms;  /* (array length=n_comms) */
  PdWin **windows; /* (nullable) (array length=n_comms): NULL: not used so far */
  PdIntervalTree *tree;
  PdNodeRatios *ratios;
  GHashTable *alike;          /* (nullable): of each stretch, how many ranks do it */
  PdNoise *noise;             /* (nullable) */
  PdMpLog *log;               /* (nullable) */
  PdMpRetime *retime;         /* (nullable) */
  PdTimelineSource *timeline; /* (nullable) */
  gboolean is_watched;        /* one of these is there */
  PdTrail *trail;             /* (nullable) */
  PdMessages *messages;
  PdMpMeetings *meetings;
  PdMpNotes *notes;
  PdMpAnys *anys;
  PdWaited *waited; /* (array length=n) */
  PdMpRank *ranks;  /* (array length=n) */
  PdRequest *slots; /* of all ranks */
  gdouble flops;    /* per second, of a processor of speed 1 */
  gboolean is_flops;
  gboolean has_places;   /* ratios of places, where location lines are looked at */
  PdTime turn;           /* when the acting rank was taken */
  gboolean is_unordered; /* messages may be called for in any order of time; */
  guint n_ahead;         /* so many more in this turn */
  guint32 n;
  guint32 n_comms;
  guint32 n_finished;
  PdMpNodeCache cache[PD_MP_CACHE];
};

/* ---- pd-mp.c */

/**
 * pd_mp_new:
 * @like: (nullable): another of the same program, which saves looking for intervals
 * @run: (inout): gets what the prediction will be written to; its owner frees it, also
 *   after an error
 * @error: return location for errors of the machine
 *
 * Returns: (transfer full) (nullable): a prediction that has not begun.
 */
PdMp *pd_mp_new (const PdMpOptions *options, const PdProgram *program, const PdMp *like,
                 PdReportRun *run, GError **error);

/* The prediction is over: the rest of @run. */
gboolean pd_mp_conclude (PdMp *self, PdReportRun *run, GError **error);

void pd_mp_free (PdMp *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdMp, pd_mp_free)

/* ---- pd-mp-run.c */

/**
 * pd_mp_may_act:
 * Returns: whether @rank may touch what is shared at its clock; else it has been
 *   put into the queue for then.
 */
static inline gboolean
pd_mp_may_act (PdMp *self, guint32 rank, const PdMpRank *r)
{
  if (pd_comsys_may_go_on (self->comsys, rank, r->clock))
    return TRUE;
  pd_comsys_ready (self->comsys, rank, r->clock);
  return FALSE;
}

/* How many calls for messages a rank makes in a turn where order does not matter:
 * what it has sent before others receive it takes memory. */
#define PD_MP_AHEAD 16

/**
 * pd_mp_may_call:
 * Returns: as pd_mp_may_act(), for a call that concerns only a message and those
 *   it is between.
 */
static inline gboolean
pd_mp_may_call (PdMp *self, guint32 rank, const PdMpRank *r)
{
  if (self->n_ahead == 0 || r->clock.ps <= self->turn.ps)
    return pd_mp_may_act (self, rank, r);
  self->n_ahead--;
  return TRUE;
}

/* A call of ComSys that the rank makes at its clock. */
static inline PdCall
pd_mp_call (guint32 rank, PdMpRank *r)
{
  r->began = r->clock;
  return (PdCall){ rank, r->clock, &r->ret, NULL };
}

static inline const PdCell *
pd_mp_next (const PdCell *cell)
{
  PdAction action;

  return G_LIKELY ((cell->kind & PD_CELL_MORE) == 0) ? cell + 1 : pd_action_read (cell, &action);
}

/**
 * pd_mp_return:
 * @category: of the call that was made
 *
 * Returns: whether the call is over, the rank then being behind it; else it waits.
 */
static inline gboolean
pd_mp_return (PdMpRank *r, PdMpCategory category)
{
  r->category = (guint8) category;
  if (pd_time_is_pending (r->ret))
    {
      r->state = PD_MP_CALLED;
      return FALSE;
    }
  r->spent[category] += r->ret.ps - r->began.ps;
  r->clock = r->ret;
  r->cell = pd_mp_next (r->cell);
  return TRUE;
}

/**
 * pd_mp_time_of:
 * @amount: of a program's unit
 * @scale: see pd_mp_interval_scale()
 *
 * Returns: how long it takes: of flops rounded half up, saturating.
 */
static inline PdTime
pd_mp_time_of (gboolean is_flops, PdAmount amount, gdouble scale)
{
  gdouble ps = is_flops ? amount.flops * scale + 0.5 : 0;

  if (!is_flops)
    return pd_time_divide (amount.time, scale);
  return PD_TIME (ps < (gdouble) G_MAXINT64 ? (gint64) ps : G_MAXINT64);
}

/**
 * pd_mp_compute:
 * @amount: of the program's unit
 * @part: number of the piece within the action
 *
 * The one way from recorded to simulated computation. Advances the clock.
 */
void pd_mp_compute (PdMp *self, guint32 rank, PdAmount amount, guint32 part);

/**
 * pd_mp_run:
 * @error: return location for a #PdSimulationError
 *
 * The main loop, to the end of all ranks.
 */
gboolean pd_mp_run (PdMp *self, GError **error);

/* ---- pd-mp-order.c */

/* Whether messages may be called for in any order of time. */
gboolean pd_mp_is_unordered (const PdMp *self);

/* Does the action at the rank's cell, or goes on with it. Returns FALSE when the
 * rank waits for its turn or its call. */
typedef gboolean (*PdMpAct) (PdMp *self, guint32 rank, PdMpRank *r);

/* ---- pd-mp-calls.c: the kinds that are not hot */

gboolean pd_mp_act_other_send (PdMp *self, guint32 rank, PdMpRank *r);
gboolean pd_mp_act_other_isend (PdMp *self, guint32 rank, PdMpRank *r);
gboolean pd_mp_act_sendrecv (PdMp *self, guint32 rank, PdMpRank *r);
gboolean pd_mp_act_persistent (PdMp *self, guint32 rank, PdMpRank *r);
gboolean pd_mp_act_start (PdMp *self, guint32 rank, PdMpRank *r);
gboolean pd_mp_act_request (PdMp *self, guint32 rank, PdMpRank *r);
gboolean pd_mp_act_probe (PdMp *self, guint32 rank, PdMpRank *r);
gboolean pd_mp_act_local (PdMp *self, guint32 rank, PdMpRank *r);
gboolean pd_mp_act_not_modelled (PdMp *self, guint32 rank, PdMpRank *r);
gboolean pd_mp_act_comm_free (PdMp *self, guint32 rank, PdMpRank *r);

/* Of a receive or probe: what it got when it was recorded, if that is followed. */
PdEnvelope pd_mp_recorded_envelope (const PdMp *self, const PdAction *action);

/* The slot that a new request of @action goes into; what it held is freed. */
PdRequest *pd_mp_free_slot (PdMp *self, PdMpRank *r, guint32 request);

/* ---- pd-mp-waits.c */

gboolean pd_mp_act_waitall (PdMp *self, guint32 rank, PdMpRank *r);
gboolean pd_mp_act_waitany (PdMp *self, guint32 rank, PdMpRank *r);
gboolean pd_mp_act_test (PdMp *self, guint32 rank, PdMpRank *r);

/* A call of Waitany that the rank has waited in is over. */
void pd_mp_any_returned (PdMp *self, guint32 rank, PdMpRank *r);

/* The requests that an action waits for or tests: those in @slots (array length=n), or of
 * these the ones at @which (nullable). One whose slot is listed twice is there once. */
typedef struct
{
  const guint32 *slots;
  const guint32 *which;
  guint32 n;
} PdMpSlots;

/* Takes them out of @own, the rank's, */
void pd_mp_slots_take (const PdMpSlots *self, PdRequest *own, PdRequest *requests);
/* … and puts back what is left of them. */
void pd_mp_slots_put_back (const PdMpSlots *self, PdRequest *own, const PdRequest *requests);

PdMpAnys *pd_mp_anys_new (void);
void pd_mp_anys_free (PdMpAnys *self);

/* ---- pd-mp-collective.c */

gboolean pd_mp_act_collective (PdMp *self, guint32 rank, PdMpRank *r);
gboolean pd_mp_act_icollective (PdMp *self, guint32 rank, PdMpRank *r);

/* A collective operation that is no system call is about to be called. */
void pd_mp_collective_called (PdMp *self, guint32 rank, PdMpRank *r, guint32 comm);
/* It has been called: as pd_mp_return(). */
gboolean pd_mp_collective_waits (PdMp *self, guint32 rank, PdMpRank *r, PdMpCategory category);
/* A blocking collective operation that @rank has called is over. */
void pd_mp_collective_returned (PdMp *self, guint32 rank, PdMpRank *r);

/* Whether the program says all that the operation needs: who, in the communicator,
 * calls @action, and its vectors of bytes. */
gboolean pd_mp_collective_is_complete (const PdMp *self, const PdAction *action, gint64 me);
PdCollective pd_mp_collective_arguments (PdMp *self, const PdAction *action);
/* Whether it makes a communicator or a window: then it is a system call. */
gboolean pd_mp_collective_is_system (PdCollKind op);

PdMpMeetings *pd_mp_meetings_new (guint32 n_comms);
void pd_mp_meetings_free (PdMpMeetings *self);

/* ---- pd-mp-windows.c */

gboolean pd_mp_act_transfer (PdMp *self, guint32 rank, PdMpRank *r);
gboolean pd_mp_act_lock (PdMp *self, guint32 rank, PdMpRank *r);
gboolean pd_mp_act_fence (PdMp *self, guint32 rank, PdMpRank *r);
/* Tells of those that have not been ended. */
void pd_mp_tell_epochs (PdMp *self);
void pd_mp_windows_free (PdMp *self);

/* ---- pd-mp-intervals.c */

gboolean pd_mp_act_enter (PdMp *self, guint32 rank, PdMpRank *r);
gboolean pd_mp_act_location (PdMp *self, guint32 rank, PdMpRank *r);
gboolean pd_mp_act_alike (PdMp *self, guint32 rank, PdMpRank *r);
gboolean pd_mp_act_leave (PdMp *self, guint32 rank, PdMpRank *r);

/* The node of @interval inside @parent; made if it is new. */
guint32 pd_mp_find_node (PdMp *self, guint32 parent, guint32 interval);
/* As pd_mp_interval_scale(), of a place in the interval. */
gdouble pd_mp_place_scale (PdMp *self, guint32 rank, guint32 node, const char *file, gint64 line);
/* Makes all nodes that there will be, in the order of ranks and actions. */
void pd_mp_make_intervals (PdMp *self);
/* Makes those that @from has. */
void pd_mp_copy_intervals (PdMp *self, const PdMp *from);
/* What the rank has spent is charged to its interval. */
void pd_mp_flush (PdMp *self, guint32 rank);
/* The rank has come to its end. */
void pd_mp_close_intervals (PdMp *self, guint32 rank);
/* Of computation of the rank in its interval: with flops the ps of one, else the
 * speed that times are divided by. */
gdouble pd_mp_interval_scale (const PdMp *self, guint32 rank, guint32 node);

/* ---- pd-mp-notes.c: warnings, counted; the first place is that of the lowest
 * rank, in whatever order they happened */

PdMpNotes *pd_mp_notes_new (void);
void pd_mp_notes_free (PdMpNotes *self);

/* @subject lives as long as the program. The place is @rank's cell. */
void pd_mp_note (PdMp *self, guint32 rank, const char *id, const char *subject, const char *text);
void pd_mp_notes_tell (PdMp *self);

/* ---- pd-mp-timeline.c: where there is one */

/* The rank has done the action at @cell, and is at its clock; @computed: so much of it, the
 * last, was computation. */
void pd_mp_timeline_action (PdMp *self, guint32 rank, const PdCell *cell, PdTime begin,
                            PdTime computed);
/* All ranks are at their ends. */
void pd_mp_timeline_end (PdMp *self);

/* ---- pd-mp-place.c: for people */

/* Where a rank is in its program. */
typedef struct
{
  const PdCell *cell;
  guint64 number;   /* of the action, from 0 */
  const char *file; /* (nullable): of the last location before it */
  gint64 line;
} PdMpPlace;

/* @cell: an action of the rank, or its end */
PdMpPlace pd_mp_find_place (const PdMp *self, guint32 rank, const PdCell *cell);
/* @place becomes that of @cell, which is not before it. */
void pd_mp_place_go_on (const PdMp *self, PdMpPlace *place, const PdCell *cell);

/* ---- pd-mp-deadlock.c */

/* Sets PD_SIMULATION_ERROR_DEADLOCK with the table of who waits for what; its last
 * line names a circle of ranks that wait for each other, or whom a rank waits for
 * that has ended. */
void pd_mp_report_deadlock (const PdMp *self, GError **error);

G_END_DECLS

#endif
