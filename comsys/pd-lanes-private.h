/* What the parts of PdLanes share: vectors of moments, requests, costs. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LANES_PRIVATE_H
#define PD_LANES_PRIVATE_H

#include "comsys/pd-collective-private.h"
#include "comsys/pd-lanes.h"

G_BEGIN_DECLS

/* ---- vectors; what is not below %PD_LANES_END is noticed before it wraps twice */

static inline gint64
pd_lane_sum (gint64 a, gint64 b)
{
  return (gint64) ((guint64) a + (guint64) b);
}

/* How much later @a is than @b; 0 if it is not. */
static inline gint64
pd_lane_later (gint64 a, gint64 b)
{
  return a > b ? (gint64) ((guint64) a - (guint64) b) : 0;
}

static inline void
pd_lane_add (PdLaneTime *sum, const PdLaneTime *a, const PdLaneTime *b)
{
  for (guint i = 0; i < PD_LANES_N; i++)
    sum->ps[i] = pd_lane_sum (a->ps[i], b->ps[i]);
}

static inline void
pd_lane_max (PdLaneTime *most, const PdLaneTime *a, const PdLaneTime *b)
{
  for (guint i = 0; i < PD_LANES_N; i++)
    most->ps[i] = MAX (a->ps[i], b->ps[i]);
}

/* ---- costs */

/* A network of the machines' descriptions; number 0 is what a rank has with itself. */
typedef struct
{
  PdLaneTime before;  /* see #PdNetworkCosts */
  PdLaneTime spent;   /* of a sender, before its message leaves */
  PdLaneTime control; /* of a message without a payload */
  PdProtocol protocol;
  gboolean until_match;
  guint32 instance; /* one that is like it */
} PdLaneNetwork;

/* How long a message of a size takes, its sender's part included. */
typedef struct
{
  PdLaneTime time;
  gint64 bytes;
  guint32 network;
  guint32 spare[13];
} PdLaneFlight;

G_STATIC_ASSERT (sizeof (PdLaneFlight) == 128);

/* ---- requests */

typedef struct
{
  PdLaneTime began; /* send: its call; receive: when it was posted, and once matched when the
                     * later of both calls was */
  union
  {
    PdLaneTime done; /* once it is: */
    struct           /* persistent */
    {
      PdComm *comm;
      PdEnvelope envelope;
      PdSendMode mode;
      gboolean is_recv;
      guint32 active;
    };
  };
  PdLaneRank *owner;
  guint32 flight;  /* send */
  guint32 network; /* number */
  guint32 next;    /* in its queue, or in the free list */
  guint32 link;    /* in the list of a wait */
  guint8 kind;     /* PdReqKind */
  guint8 is_done;
  guint8 waited; /* its rank is blocked in a wait for it */
  guint8 held;   /* PD_HELD_OWNER | PD_HELD_SYSTEM */
  guint8 rendezvous;
  guint8 detached;
  guint8 collective;
  guint8 is_null;
} PdLaneReq;

/* What has not been matched, of one (target, context, source, tag): receives or sends. */
typedef struct
{
  guint64 ends; /* target and source */
  guint64 what; /* context and tag; G_MAXUINT64 = no such queue */
  guint32 head; /* 0 = empty */
  guint32 tail;
} PdLaneQueue;

/* ---- operations of the set "simple" */

typedef struct
{
  guint32 rank;    /* that is blocked here, */
  guint32 request; /* or does not wait itself: what completes */
} PdLaneWaiting;

typedef struct
{
  PdLaneTime latest;
  guint32 n_arrived;
  PdOp op;
  guint32 root;
  PdFanBytes bytes;
  gboolean mismatched;
  GArray *waiting; /* PdLaneWaiting */
} PdLaneMeeting;

typedef struct
{
  GPtrArray *ring; /* PdLaneMeeting: those that some have not reached, and spare ones */
  guint32 *n_met;  /* (array length=n): of each member */
  guint32 first;   /* number of the oldest that some have not reached */
} PdLaneMeetings;

typedef struct _PdLaneBeside PdLaneBeside;

/* An operation beside its rank: acts like a rank. */
struct _PdLaneBeside
{
  PdLaneRank rank;
  PdPlay play;
  guint32 request; /* whose completion is the end */
  PdLaneBeside *next;
};

struct _PdLanes
{
  PdComsys *comsys[PD_LANES_N]; /* those beyond k are the first one again */
  guint k;
  guint32 n_ranks;
  PdLaneRank *ranks;
  PdPlay *plays;          /* (nullable) (array length=n_ranks): of those that are blocked in one */
  GPtrArray *besides;     /* (nullable): all PdLaneBeside */
  PdLaneBeside *free;     /* those that play nothing */
  PdLaneBeside *to_go_on; /* those that can, last come first */
  /* costs */
  PdLaneTime send_overhead;
  PdLaneTime recv_overhead;
  PdLaneTime wait_overhead;
  PdLaneTime nothing;
  PdLaneTime *overheads;      /* (nullable) (array length=PD_N_FUNCTIONS) */
  PdLaneTime *wait_overheads; /* PD_FN_WAIT, PD_FN_WAITALL, PD_FN_TEST */
  PdLaneNetwork *networks;
  guint32 n_networks;
  guint32 *network_of; /* (array): number, by instance */
  PdLaneFlight *flights;
  guint32 n_flights;
  guint32 flights_room;
  guint32 *flight_index; /* hash table of numbers + 1, twice as large as flights_room */
  /* messages */
  PdLaneReq *reqs; /* 0 is never used */
  guint32 n_reqs;
  guint32 reqs_room;
  guint32 free_req;
  PdLaneQueue *queues;
  gsize queues_mask;
  gsize n_queues;
  guint64 n_unmatched;
  guint64 n_messages;
  PdTimeSum n_bytes;
  GHashTable *meetings; /* (nullable): PdComm -> PdLaneMeetings */
  /* ranks that can go on */
  guint32 *ready; /* ring */
  guint32 ready_mask;
  guint32 ready_first;
  guint32 n_ready;
  PdLaneTime seen; /* bits of all clocks */
  gboolean too_large;
};

static inline PdLaneReq *
pd_lane_req (const PdLanes *self, guint32 req)
{
  return &self->reqs[req];
}

static inline void
pd_lane_see (PdLanes *self, const PdLaneTime *clock)
{
  for (guint i = 0; i < PD_LANES_N; i++)
    self->seen.ps[i] |= clock->ps[i];
}

/* ---- pd-lanes-costs.c */

/* Whether the machines have the same structure; else @reason is set. */
gboolean pd_lanes_compare (PdComsys *const *comsys, guint k, char **reason);
void pd_lanes_costs_init (PdLanes *self);
void pd_lanes_costs_clear (PdLanes *self);
/* The number of the flight of @bytes. */
guint32 pd_lanes_find_flight (PdLanes *self, guint32 network, gint64 bytes);
/* Picoseconds per byte, by lane; @what is an offset in #PdSoftware. */
void pd_lanes_time_of_bytes (PdLanes *self, gint64 bytes, gsize what, PdLaneTime *time);
/* A cost that no moment can bear is noted. */
void pd_lanes_check_cost (PdLanes *self, const PdLaneTime *cost);

/* ---- pd-lanes.c */

/* It can go on: a rank, or an operation beside one. */
void pd_lane_ready (PdLanes *self, PdLaneRank *rank);

/* ---- pd-lanes-p2p.c */

typedef struct
{
  PdSendMode mode;
  gboolean collective;
} PdLaneKind;

/* The rank's call begins to send at its ret, which becomes when it has; the owner has
 * the request. */
guint32 pd_lane_begin_send (PdLanes *self, PdLaneRank *rank, PdComm *comm, PdEnvelope envelope,
                            const PdLaneKind *kind);
guint32 pd_lane_begin_recv (PdLanes *self, PdLaneRank *rank, PdComm *comm, PdEnvelope envelope,
                            gboolean collective);
/* At its ret, which moves on. */
gboolean pd_lane_send (PdLanes *self, PdLaneRank *rank, PdComm *comm, PdEnvelope envelope,
                       const PdLaneKind *kind);
gboolean pd_lane_recv (PdLanes *self, PdLaneRank *rank, PdComm *comm, PdEnvelope envelope,
                       gboolean collective);
gboolean pd_lane_sendrecv (PdLanes *self, PdLaneRank *rank, PdComm *comm,
                           const PdExchange *exchange, gboolean collective);
/* Waits from its ret on for the list, and @overhead (nullable) longer. */
gboolean pd_lane_wait_for (PdLanes *self, PdLaneRank *rank, guint32 first,
                           const PdLaneTime *overhead);
/* Likewise, after what the network asks for before that. */
gboolean pd_lane_waitall (PdLanes *self, PdLaneRank *rank, guint32 first,
                          const PdLaneTime *overhead);
/* All that it waits for is complete. */
void pd_lane_end_wait (PdLanes *self, PdLaneRank *rank);
void pd_lane_drop (PdLanes *self, guint32 req, guint holder);
guint32 pd_lane_new_req (PdLanes *self, PdLaneRank *owner);
void pd_lane_complete (PdLanes *self, PdLaneReq *r);

/* ---- pd-lanes-coll.c */

/* Plays on at the rank's ret; whether it is over. */
gboolean pd_lane_play_on (PdLanes *self, PdLaneRank *rank);
/* Likewise an operation beside its rank, whose request completes at the end. */
void pd_lane_go_on_beside (PdLanes *self, PdLaneBeside *beside);
void pd_lane_meetings_free (gpointer meetings);

G_END_DECLS

#endif
