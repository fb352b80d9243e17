/* The functions of an engine for the actions of message-passing programs: the one for one machine
 * (pd-mp-actions.c), and the one for several machines at once, where a moment is a vector
 * (predictor/batch/pd-mp-batch-actions.c). Each includes pd-mp-actions-template.h once, after it
 * has named its types
 *
 *   Engine     a prediction
 *   Rank       one of its ranks: cell, slots, state, category, node, n_alike
 *   Account    where the rank's calls are counted: n_sends, n_receives, n_waits, n_collectives
 *   Moment     a time
 *   Call       the beginning of a call
 *   OWN_ACTS   rows of the table of actions that only this engine has
 *
 * and then defines the functions declared here.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_ENGINE_TEMPLATE_H
#define PD_MP_ENGINE_TEMPLATE_H

#include "predictor/common/pd-mp-barriers.h"
#include "predictor/mp/pd-mp-run.h"
#include "predictor/mp/pd-mp-state.h"
#include "traces/program/pd-action.h"

/* A message of an action. */
typedef struct
{
  PdComm *comm;
  PdEnvelope envelope;
  PdSendMode mode; /* of a send */
  guint32 request; /* slot */
} Message;

/* A member of a collective operation under way, and the operation. */
typedef struct
{
  Moment begin;
  Moment end;
  guint32 node; /* where it was */
} Member;

typedef struct
{
  Moment latest_begin;
  Moment latest_end;
  Member members[];
} Barrier;

/* Common to all machines: communicators, options, program. */
static inline PdMp *shared (const Engine *self);
static inline PdMpBarriers *barriers_of (const Engine *self);
static inline Account *account_of (Rank *r);
static inline const Moment *clock_of (const Rank *r);
static inline Moment later_of (const Moment *a, const Moment *b);
static inline void note (Engine *self, guint32 rank, const char *id, const char *subject,
                         const char *text);

/* Whether the rank may call now, for a message or for anything; else it is queued for later. */
static inline gboolean may_call (Engine *self, guint32 rank, Rank *r);
static inline gboolean may_act (Engine *self, guint32 rank, Rank *r);
/* Whether the rank may begin to compute: where equal moments are first in, first out, the end of
 * a computation is queued when the one before it has ended. */
static inline gboolean may_compute (Engine *self, guint32 rank, Rank *r);
/* Likewise, give a request back. */
static inline gboolean may_free (Engine *self, guint32 rank, Rank *r);

/* The clock advances: over computation, over a delay, over a call that took @t when recorded. */
static inline void compute (Engine *self, guint32 rank, Rank *r, PdAmount amount);
static inline void delay (Engine *self, guint32 rank, Rank *r, PdTime t);
static inline void pass (Engine *self, guint32 rank, Rank *r, PdTime t);
/* The rank's call is over: it has spent what that took, of its category. */
static inline void spend (Rank *r);

/* A call that the rank makes at its clock. */
static inline Call begin_call (guint32 rank, Rank *r);
/* Calls: whether they are over. */
static inline gboolean send_message (Engine *self, Call call, const Message *m);
static inline gboolean recv_message (Engine *self, Call call, const Message *m);
static inline gboolean exchange (Engine *self, Call call, PdComm *comm, const PdExchange *both);
static inline gboolean start_send (Engine *self, Call call, const Message *m, PdRequest *slot);
static inline gboolean start_recv (Engine *self, Call call, const Message *m, PdRequest *slot);
static inline gboolean wait_one (Engine *self, Call call, PdRequest *slot);
static inline gboolean wait_all (Engine *self, Call call, PdRequest *requests, guint n);
static inline gboolean test_nothing (Engine *self, Call call);
static inline gboolean start_all (Engine *self, Call call, const PdRequest *requests, guint n);
static inline gboolean do_together (Engine *self, Call call, PdComm *comm,
                                    const PdCollective *collective);
/* Always over. */
static inline void start_together (Engine *self, Call call, PdComm *comm,
                                   const PdCollective *collective, PdRequest *slot);

/* The actions Waitany, Waitsome and tests, where what completes is not known. */
static gboolean find_out (Engine *self, guint32 rank, Rank *r, const PdAction *action);

/* Requests. */
static inline PdRequest make_persistent (Engine *self, guint32 rank, const Message *m,
                                         gboolean is_recv);
static inline gboolean may_start (const Engine *self, guint32 rank, PdRequest request,
                                  gboolean *is_recv);
static inline void free_request (Engine *self, PdRequest *slot);

/* Intervals: what has been computed so far was as much alike as n_alike says; the rank's
 * interval becomes @node; it has entered that; what follows is of a place. */
static inline void settle (Engine *self, guint32 rank, Rank *r);
static inline void move_to (Engine *self, guint32 rank, Rank *r, guint32 node);
static inline void count_entered (Engine *self, guint32 rank, Rank *r);
static inline void set_place (Engine *self, guint32 rank, Rank *r, const char *file, gint64 line);
/* All have left: what @rank has waited for others. */
static inline void charge_member (Engine *self, guint32 rank, const Barrier *barrier,
                                  const Member *member);

/* ---- what actions share */

/* The rank is behind its call if that is over; else it waits in it. */
static inline gboolean
call_returns (Rank *r, gboolean over, PdMpCategory category)
{
  r->category = (guint8) category;
  if (!over)
    {
      r->state = PD_MP_CALLED;
      return FALSE;
    }
  spend (r);
  r->cell = pd_mp_next (r->cell);
  return TRUE;
}

/* Where a new request goes. A test that was not recorded may have had another outcome: what is
 * still there is freed. */
static inline PdRequest *
free_slot (Engine *self, Rank *r, guint32 request)
{
  if (G_UNLIKELY (r->slots[request] != PD_REQUEST_NULL))
    free_request (self, &r->slots[request]);
  return &r->slots[request];
}

static gboolean
act_not_modelled (Engine *self, guint32 rank, Rank *r)
{
  PdAction action;
  const PdProgramCell *next = pd_action_read (r->cell, &action);
  gboolean is_other = action.kind == PD_ACT_OTHER;

  note (self, rank, "not-modelled",
        is_other ? pd_program_get_string (shared (self)->program, action.name)
                 : pd_action_name (&action),
        PD_MP_NOT_MODELLED);
  pass (self, rank, r, is_other ? action.amount.time : PD_TIME (MAX (action.recorded, 0)));
  r->cell = next;
  return TRUE;
}

#endif
