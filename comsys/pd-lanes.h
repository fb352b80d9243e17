/* The same communication on several machines at once: what a program sends, and who
 * waits for whom, is gone through once, and every moment is a vector with one element
 * (a lane) per machine.
 *
 * That is possible where the order in which things match cannot depend on times: every
 * receive names its source and tag, nobody asks whether something has come, and
 * transfers have nothing to do with each other. Then a moment is known as soon as those
 * that it depends on are: a rank goes on until it needs something that another has not
 * done yet, in whatever order ranks are taken. Each lane is, to the picosecond, what
 * #PdComsys gives for its machine.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LANES_H
#define PD_LANES_H

#include "comsys/pd-comsys.h"

G_BEGIN_DECLS

/* Lanes that are computed together: a cache line of moments. */
#define PD_LANES_N 8

/* No moment of a lane may be beyond that: 13 days. */
#define PD_LANES_END (G_GINT64_CONSTANT (1) << 60)

/* Picoseconds, by lane. */
typedef struct
{
  gint64 ps[PD_LANES_N] __attribute__ ((aligned (64)));
} PdLaneTime;

/* What waits have shown, as #PdWaited. */
typedef struct
{
  PdLaneTime real_sync;
  PdLaneTime overlap;
} PdLaneWaited;

/* A rank, as its calls need it. */
typedef struct
{
  PdLaneTime clock; /* the caller's: when it calls */
  PdLaneTime ret;   /* when the call is over; while it waits, the latest completion */
  PdLaneTime since; /* when its wait began */
  PdLaneTime latest;
  PdLaneWaited *waited; /* the caller's: where what it waits for is added */
  const PdLaneTime *overhead;
  guint32 pending; /* requests that have not completed, of those waited for: */
  guint32 first;   /* list by link */
  guint32 bundle;  /* list of what its collective operation has started */
  guint32 world;   /* its number */
  gint32 tag;      /* of the messages of its collective operation */
  guint8 is_exchange;
  guint8 is_beside;     /* it is no rank but an operation beside one */
  struct _PdPlay *play; /* (nullable): its collective operation */
} PdLaneRank;

typedef struct _PdLanes PdLanes;

/**
 * pd_lanes_new:
 * @comsys: (array length=k): one per lane, of the same ranks; outlive what is returned
 * @k: 1 to %PD_LANES_N
 * @reason: (out) (transfer full): why it cannot be done
 *
 * Returns: (transfer full) (nullable): the lanes; %NULL if the machines do not have the
 *   same structure, or share what messages need.
 */
PdLanes *pd_lanes_new (PdComsys *const *comsys, guint k, char **reason);

/**
 * pd_lanes_free:
 * @self: (nullable): the lanes
 */
void pd_lanes_free (PdLanes *self);

/**
 * pd_lanes_get_rank:
 * Returns: (transfer none): the rank, at 0.
 */
PdLaneRank *pd_lanes_get_rank (PdLanes *self, guint32 rank);

/**
 * pd_lanes_ready:
 * @rank: will be returned by pd_lanes_next()
 */
void pd_lanes_ready (PdLanes *self, guint32 rank);

/**
 * pd_lanes_next:
 * @rank: (out): who can go on
 *
 * Returns: %FALSE if nobody can.
 */
gboolean pd_lanes_next (PdLanes *self, guint32 *rank);

/**
 * pd_lanes_resume:
 * @rank: it is in a call, and has come from pd_lanes_next()
 *
 * Returns: whether its call is over now, at its ret.
 */
gboolean pd_lanes_resume (PdLanes *self, guint32 rank);

/* Calls begin at the rank's clock; arguments are those of PdComsys's functions of the same
 * name. When a call is over, the rank's ret says when it was. */

/**
 * pd_lanes_send:
 * Returns: whether the call is over; else pd_lanes_resume() says when.
 */
gboolean pd_lanes_send (PdLanes *self, guint32 rank, PdComm *comm, PdEnvelope envelope,
                        PdSendMode mode);

/**
 * pd_lanes_recv:
 * @envelope: without wildcards
 *
 * Returns: whether the call is over.
 */
gboolean pd_lanes_recv (PdLanes *self, guint32 rank, PdComm *comm, PdEnvelope envelope);

/**
 * pd_lanes_sendrecv:
 * Returns: whether the call is over.
 */
gboolean pd_lanes_sendrecv (PdLanes *self, guint32 rank, PdComm *comm, const PdExchange *exchange);

/**
 * pd_lanes_isend:
 * Returns: the request; the call is over.
 */
PdRequest pd_lanes_isend (PdLanes *self, guint32 rank, PdComm *comm, PdEnvelope envelope,
                          PdSendMode mode);

/**
 * pd_lanes_irecv:
 * @envelope: without wildcards
 *
 * Returns: the request; the call is over.
 */
PdRequest pd_lanes_irecv (PdLanes *self, guint32 rank, PdComm *comm, PdEnvelope envelope);

/**
 * pd_lanes_wait:
 * Returns: whether the call is over.
 */
gboolean pd_lanes_wait (PdLanes *self, guint32 rank, PdRequest *request);

/**
 * pd_lanes_waitall:
 * Returns: whether the call is over.
 */
gboolean pd_lanes_waitall (PdLanes *self, guint32 rank, PdRequest *requests, guint n);

/**
 * pd_lanes_collective:
 * @collective: its arrays stay until the call is over
 *
 * Returns: whether the call is over.
 */
gboolean pd_lanes_collective (PdLanes *self, guint32 rank, PdComm *comm,
                              const PdCollective *collective);

/**
 * pd_lanes_icollective:
 * @collective: its arrays stay until the request completes
 *
 * Returns: the request; the call is over.
 */
PdRequest pd_lanes_icollective (PdLanes *self, guint32 rank, PdComm *comm,
                                const PdCollective *collective);

/**
 * pd_lanes_test:
 * A test that is not successful: only its time.
 */
void pd_lanes_test (PdLanes *self, guint32 rank);

/**
 * pd_lanes_send_init:
 * Returns: a persistent request.
 */
PdRequest pd_lanes_send_init (PdLanes *self, PdComm *comm, PdEnvelope envelope, PdSendMode mode);

/**
 * pd_lanes_recv_init:
 * @envelope: without wildcards
 *
 * Returns: a persistent request.
 */
PdRequest pd_lanes_recv_init (PdLanes *self, PdComm *comm, PdEnvelope envelope);

/**
 * pd_lanes_may_start:
 * @is_recv: (out): whether it receives; written only if it can be started
 *
 * Returns: whether @request is a persistent one that is not under way.
 */
gboolean pd_lanes_may_start (const PdLanes *self, PdRequest request, gboolean *is_recv);

/**
 * pd_lanes_startall:
 * @requests: (array length=n): each may be started
 *
 * MPI_Start of one, MPI_Startall of more; the call is over.
 */
void pd_lanes_startall (PdLanes *self, guint32 rank, const PdRequest *requests, guint n);

/**
 * pd_lanes_request_free:
 * @request: (inout): becomes %PD_REQUEST_NULL
 */
void pd_lanes_request_free (PdLanes *self, PdRequest *request);

/**
 * pd_lanes_is_sound:
 * Returns: whether, at the end, all that was sent has been received, and no cost or
 *   moment was beyond %PD_LANES_END.
 */
gboolean pd_lanes_is_sound (const PdLanes *self);

/**
 * pd_lanes_note_clock:
 * The rank has come to its clock, with something the lanes do not know of.
 */
void pd_lanes_note_clock (PdLanes *self, guint32 rank);

/**
 * pd_lanes_get_counts:
 * @n_messages: (out): as in #PdComsysCounts
 * @n_bytes: (out): likewise
 */
void pd_lanes_get_counts (const PdLanes *self, guint64 *n_messages, PdTimeSum *n_bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdLanes, pd_lanes_free)

G_END_DECLS

#endif
