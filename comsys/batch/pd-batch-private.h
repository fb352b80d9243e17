/* Definitions shared by the parts of PdBatch: vectors of moments, requests, costs. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_BATCH_PRIVATE_H
#define PD_BATCH_PRIVATE_H

#include "base/pd-hash-map.h"
#include "comsys/batch/pd-batch.h"
#include "comsys/coll/pd-coll-schedule.h"
#include "comsys/machine/pd-machine.h"

/* ---- vectors; a time that is not below %PD_BATCH_TIME_LIMIT is detected before it wraps twice */

static inline gint64
pd_batch_wrapping_sum (gint64 a, gint64 b)
{
  return (gint64) ((guint64) a + (guint64) b);
}

static inline void
pd_batch_time_add (PdBatchTime *sum, const PdBatchTime *a, const PdBatchTime *b)
{
  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    sum->ps[i] = pd_batch_wrapping_sum (a->ps[i], b->ps[i]);
}

static inline void
pd_batch_time_max (PdBatchTime *most, const PdBatchTime *a, const PdBatchTime *b)
{
  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    most->ps[i] = MAX (a->ps[i], b->ps[i]);
}

/* ---- costs */

/* A network of the machines' descriptions; number 0 is what a rank has with itself. */
typedef struct
{
  PdBatchTime before;  /* see #PdNetworkCosts */
  PdBatchTime spent;   /* of a sender, before its message leaves */
  PdBatchTime control; /* of a message without a payload */
  PdProtocol protocol;
  gboolean until_match;
  guint32 instance; /* one that is like it */
} PdBatchNetwork;

/* How long a message of a size takes, its sender's part included. */
typedef struct
{
  PdBatchTime time;
  gint64 bytes;
  guint32 network;
  guint32 spare[13];
} PdBatchTransfer;

G_STATIC_ASSERT (sizeof (PdBatchTransfer) == 128);

/* ---- requests */

typedef struct
{
  PdBatchTime began; /* send: its call; receive: when it was posted, and once matched when the
                      * later of both calls was */
  union
  {
    PdBatchTime done; /* once it is: */
    struct            /* persistent */
    {
      PdComm *comm;
      PdEnvelope envelope;
      PdSendMode mode;
      gboolean is_recv;
      guint32 active;
    };
  };
  PdBatchRank *owner;
  gint64 bytes;    /* of a receive: the room there is */
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
} PdBatchReq;

typedef struct _PdBatchNonblocking PdBatchNonblocking;

/* A nonblocking operation: acts like a rank. */
struct _PdBatchNonblocking
{
  PdBatchRank rank;
  PdExecution exec;
  guint32 request; /* whose completion is the end */
  PdBatchNonblocking *next;
};

struct _PdBatch
{
  PdComsys *comsys[PD_BATCH_SIZE]; /* those beyond k are the first one again */
  guint k;
  guint32 n_ranks;
  PdBatchRank *ranks;
  PdExecution *execs;      /* (nullable) (array length=n_ranks): of those that are blocked in one */
  GPtrArray *nonblockings; /* (nullable): all PdBatchNonblocking */
  PdBatchNonblocking *free;     /* those that play nothing */
  PdBatchNonblocking *to_go_on; /* those that can, last come first */
  /* costs */
  PdBatchTime send_overhead;
  PdBatchTime recv_overhead;
  PdBatchTime wait_overhead;
  PdBatchTime *overheads;      /* (nullable) (array length=PD_N_FUNCTIONS) */
  PdBatchTime *wait_overheads; /* PD_FN_WAIT, PD_FN_WAITALL, PD_FN_TEST */
  PdBatchNetwork *networks;
  guint32 n_networks;
  guint32 *network_of; /* (array): number, by instance */
  PdBatchTransfer *flights;
  guint32 n_flights;
  guint32 flights_room;
  PdHashMap flight_index; /* bytes and network -> number */
  /* messages */
  PdBatchReq *reqs; /* 0 is never used */
  guint32 n_reqs;
  guint32 reqs_room;
  guint32 free_req;
  PdHashMap queues; /* (target, source) and (context, tag) -> first and, above it, last of what
                     * has not been matched: receives or sends */
  guint64 n_unmatched;
  guint64 n_messages;
  PdTimeSum n_bytes;
  /* ranks that can go on */
  guint32 *ready; /* ring */
  guint32 ready_mask;
  guint32 ready_first;
  guint32 n_ready;
  PdBatchTime seen; /* bits of all clocks */
  gboolean too_large;
  gboolean has_truncated; /* a message had more bytes than its receive has room for */
};

static inline PdBatchReq *
pd_batch_req (const PdBatch *self, guint32 req)
{
  return &self->reqs[req];
}

static inline void
pd_batch_check_clock (PdBatch *self, const PdBatchTime *clock)
{
  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    self->seen.ps[i] |= clock->ps[i];
}

/* ---- pd-batch.c */

/* It can go on: a rank, or a nonblocking operation. */
void pd_batch_rank_ready (PdBatch *self, PdBatchRank *rank);

#endif
