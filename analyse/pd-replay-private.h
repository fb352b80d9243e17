/* A rank on its way through its actions.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPLAY_PRIVATE_H
#define PD_REPLAY_PRIVATE_H

#include "analyse/pd-analysis-private.h"
#include "base/pd-hash-map.h"
#include "base/pd-progress.h"
#include "base/memory/pd-vector.h"
#include "traces/program/pd-action-reader.h"

/* The call of the other rank that sends, or receives, a message. */
typedef struct
{
  gint64 when;           /* its call began; -1: there is no such call */
  guint32 rank;          /* it; these two are undefined then */
  guint32 site;          /* from where it called; %PD_PROGRAM_NONE: unknown */
  gboolean is_uncertain; /* it may have been another call: messages between are missing */
} PdPartner;

/* A message that begins in an action. */
typedef struct
{
  gboolean is_recv;
  guint32 record; /* its number among the sends, or the receives, of all ranks */
  guint32 comm;
  gint32 peer; /* rank in the communicator; < 0: unknown */
  gint32 tag;  /* < 0: unknown */
  gint64 bytes;
  PdPartner *partner; /* of it, for pd_channels_follow() to set, and until its request ends */
} PdStartedRequest;

typedef enum
{
  PD_RECORDED_REQUEST_NONE,
  PD_RECORDED_REQUEST_SEND,
  PD_RECORDED_REQUEST_RECV,
  PD_RECORDED_REQUEST_COLL,
  PD_RECORDED_REQUEST_NOBODY, /* with MPI_PROC_NULL */
} PdRecordedRequestKind;

/* The n-th collective operation of a communicator. Blocking or not, all members begin
 * them in one order. */
typedef struct
{
  guint32 comm;
  guint32 number;
  guint32 sources; /* neighbours: index of a vector; %PD_PROGRAM_NONE */
} PdMeeting;

/* A request, in its slot. */
typedef struct
{
  PdRecordedRequestKind kind;
  gboolean active;
  gboolean cancelled;
  guint32 record;    /* of SEND and RECV */
  PdPartner partner; /* likewise */
  PdMeeting meeting; /* of COLL */
  gint64 started;    /* when its call began */
  PdAction *starts;  /* (nullable): what a persistent request starts */
} PdRecordedRequest;

/* An action that took another time than was recorded. */
typedef struct
{
  guint64 number; /* of the rank */
  gint64 took;
} PdRetimed;

/* See pd_retiming_new(). */
struct _PdRetiming
{
  GPtrArray *ranks; /* GArray of PdRetimed, ascending */
};

typedef struct _PdReplay PdReplay;

struct _PdReplay
{
  const PdProgram *program;
  const PdRetiming *retiming; /* (nullable): borrowed */
  PdProgress *progress;       /* (nullable): borrowed: actions */
  void (*const *acts) (
      struct _PdReplay *self); /* of each kind (nullable): what it begins and ends */
  guint next_retimed;          /* of the present rank */
  guint32 rank;
  guint64 n_sends; /* of all ranks, so far */
  guint64 n_recvs;
  guint64 n_met; /* the most operations of a communicator so far; their numbers end at
                  * %PD_ANALYSIS_NONE - 1, see pd_analysis_can_number() */
  PdActionReader reader;
  PdRecordedRequest *slots;
  guint32 n_slots;
  PdHashMap counters; /* of each communicator used, how many operations have begun */
  PdAction computation;
  /* of the present action: */
  PdAction *action; /* of @reader, or @computation */
  guint64 number;
  gint64 enter; /* on the common clock, ps */
  gint64 leave;
  const char *file; /* from the last location; "" */
  gint64 line;
  guint32 location;  /* how many locations there have been in the rank, and one */
  PdMeeting meeting; /* of a collective operation */
  PdVector started;  /* PdStartedRequest */
  PdVector ended;    /* const PdRecordedRequest * */
  PdPartner own[2];  /* of messages without a request: of a send, of a receive */
  guint32 cancelled; /* the receive that is cancelled; %PD_ANALYSIS_NONE */
};

/* @retiming: (nullable): borrowed; %NULL: times are as recorded. @progress, which is %NULL then,
 * may be set. */
void pd_replay_init (PdReplay *self, const PdProgram *program, const PdRetiming *retiming);
void pd_replay_clear (PdReplay *self);
/* From now on only messages and operations that begin are known, not what ends; @slots are unused.
 * FALSE: in a program that cancels requests, or has persistent ones, nothing changes. */
gboolean pd_replay_ignore_requests (PdReplay *self);
/* The next actions are those of @rank: ranks in ascending order. */
void pd_replay_begin_rank (PdReplay *self, guint32 rank);
/* FALSE at the end of the rank. */
gboolean pd_replay_next (PdReplay *self);
/* The progress is notified once for so many actions. */
#define PD_REPLAY_PROGRESS 65536
static inline void
pd_replay_count (PdReplay *self)
{
  if (G_UNLIKELY (++self->number % PD_REPLAY_PROGRESS == PD_REPLAY_PROGRESS - 1))
    pd_progress_add (self->progress, PD_REPLAY_PROGRESS);
}
/* The result of pd_replay_step(). */
typedef enum
{
  PD_STEP_NONE,     /* nothing has happened: pd_replay_next() is to be called */
  PD_STEP_COMPUTED, /* the action is computation */
  PD_STEP_BEGUN,    /* it begins a request of one message: pd_replay_begin() does */
  PD_STEP_CALLED,   /* it is another call: pd_replay_act() does the rest of pd_replay_next() */
} PdReplayStep;

/* As pd_replay_next(), if the next action is one that can be read faster: for most it is. Of calls
 * only @action and its time are known. */
static inline PdReplayStep
pd_replay_step (PdReplay *self)
{
  PdAction *own = &self->computation;
  const guint8 *at;
  PdActionShape *shape = self->retiming == NULL ? pd_action_reader_look (&self->reader, &at) : NULL;

  if (shape == NULL || (shape->n_computes | shape->n_call) == 0)
    return PD_STEP_NONE;
  pd_replay_count (self);
  self->enter = self->leave;
  if (shape->n_computes > 0)
    {
      pd_action_reader_take_compute (&self->reader, shape, at, &own->amount.time, &own->processor);
      self->action = own;
      self->leave = pd_time_add (PD_TIME (self->enter), own->amount.time).ps;
      return PD_STEP_COMPUTED;
    }
  pd_action_reader_take_call (&self->reader, shape, at);
  self->action = &shape->action;
  self->leave = pd_time_add (PD_TIME (self->enter), PD_TIME (shape->action.recorded)).ps;
  return shape->begins ? PD_STEP_BEGUN : PD_STEP_CALLED;
}
/* Messages and requests that begin and end in the present action. */
static inline void
pd_replay_act (PdReplay *self)
{
  self->cancelled = PD_ANALYSIS_NONE;
  self->started.n = self->ended.n = 0;
  if (self->acts[self->action->kind] != NULL)
    self->acts[self->action->kind](self);
}
/* Behind %PD_STEP_BEGUN: the message, as one of @started, and its request. */
static inline PdRecordedRequest *
pd_replay_begin (PdReplay *self)
{
  const PdAction *a = self->action;
  PdRecordedRequest *slot = &self->slots[a->request];

  if (G_UNLIKELY (slot->starts != NULL))
    g_clear_pointer (&slot->starts, g_free);
  slot->active = TRUE;
  slot->cancelled = FALSE;
  slot->started = self->enter;
  slot->kind = a->kind == PD_ACT_IRECV ? PD_RECORDED_REQUEST_RECV : PD_RECORDED_REQUEST_SEND;
  slot->record = (guint32) (a->kind == PD_ACT_IRECV ? self->n_recvs++ : self->n_sends++);
  return slot;
}
/* The message that begins with the action @a, a send or a receive. */
static inline PdStartedRequest
pd_replay_describe (const PdAction *a)
{
  gboolean is_recv = a->kind == PD_ACT_IRECV;

  return (PdStartedRequest){ .is_recv = is_recv,
                             .comm = a->comm,
                             .peer =
                                 is_recv && a->peer == PD_PROGRAM_ANY ? a->matched_peer : a->peer,
                             .tag = is_recv && a->tag == PD_PROGRAM_ANY ? a->matched_tag : a->tag,
                             .bytes = a->bytes };
}
/* As pd_replay_next(), for who only needs to know when an action was: no message or request begins
 * or ends. A rank is processed by one of the two. */
gboolean pd_replay_next_time (PdReplay *self);
/* Whether the members of an action meet: collective operations, those that do not
 * block and those that make something too, and fences. */
static inline gboolean
pd_replay_is_collective (const PdAction *action)
{
  return action->kind == PD_ACT_COLLECTIVE || action->kind == PD_ACT_ICOLLECTIVE
         || action->kind == PD_ACT_WIN_FENCE;
}
/* The slots that a wait or a test names; @n: how many. */
const guint32 *pd_replay_get_slots (const PdAction *action, guint32 *n);
/* Returns: (transfer none) (nullable): the request of a slot, if it is under way. */
const PdRecordedRequest *pd_replay_get_pending (const PdReplay *self, guint32 slot);
/* How long an action took when it was recorded, ps. */
gint64 pd_replay_duration (const PdAction *action);
/* The world rank of @member of a communicator; %PD_ANALYSIS_NONE: there is none. */
guint32 pd_replay_world_rank (const PdProgram *program, guint32 comm, gint32 member);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdReplay, pd_replay_clear)

/* ---- what recording cost, taken out of the times: pd-compensation.c */

/* By what calls do. */
typedef struct
{
  guint64 n_calls[PD_N_CALL_COSTS]; /* behind which something was taken out, */
  PdTimeSum taken[PD_N_CALL_COSTS]; /* and how much */
  PdTimeSum computed;               /* all that was computed */
} PdCompensated;

/**
 * pd_retiming_new:
 * @program: with recorded times and costs of calls
 * @sums: (out caller-allocated): the time taken out
 * @error: %PD_TRACE_ERROR_LIMIT, as of pd_matching_new()
 *
 * Recording a call costs time outside of it. This cost is taken out of the next computation of the
 * rank, if that is as long. It is not taken out between polls that wait: without it they would have
 * polled more often. All later actions come earlier. A call that waited ends as long after its
 * cause as in the recording, and the cause may come earlier, too; a call that did not wait takes as
 * long as before. The shifts of ranks are computed in the order of recorded time, in which causes
 * precede their effects. Time and memory grow with the number of actions.
 *
 * Returns: (transfer full) (nullable): the actions that take another time; %NULL with @error set.
 */
PdRetiming *pd_retiming_new (const PdProgram *program, PdCompensated *sums, GError **error);

void pd_retiming_free (PdRetiming *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdRetiming, pd_retiming_free)

#endif
