/* The types of ComSys: calls, requests, messages, queries and their results.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMSYS_TYPES_H
#define PD_COMSYS_TYPES_H

#include "base/pd-time.h"
#include "comsys/coll/pd-op.h"

G_BEGIN_DECLS

typedef struct _PdComsys PdComsys;
typedef struct _PdComm PdComm;
typedef struct _PdGroup PdGroup;

/* A request handle, valid until it is waited for or freed. */
typedef guint32 PdRequest;
#define PD_REQUEST_NULL ((PdRequest) 0)

/* Requests that will be waited for together, kept in a list inside ComSys: no
 * array of handles is needed. Starts as { 0 }. */
typedef struct
{
  PdRequest first;
} PdBundle;

#define PD_ANY_SOURCE (-1)
#define PD_ANY_TAG    (-1)
#define PD_PROC_NULL  (-2)

/* The contents of MPI_Status for a received message. */
typedef struct
{
  gint32 source; /* rank in the communicator of the receive */
  gint32 tag;
  gint64 bytes;
} PdStatus;

/* The caller, the moment of the call, and the place for results. */
typedef struct
{
  guint32 rank;     /* world rank of the caller */
  PdTime when;      /* moment of the call */
  PdTime *ret;      /* slot: the moment of return; must stay valid until filled */
  PdStatus *status; /* (nullable): filled by the return, for receives and waits: one, or for
                     * Waitall, Waitsome, Testall and Testsome one per request, at its index */
} PdCall;

/* Where a message goes or comes from. */
typedef struct
{
  gint32 peer;  /* rank in the communicator, %PD_ANY_SOURCE or %PD_PROC_NULL */
  gint32 tag;   /* >= 0, or %PD_ANY_TAG for a receive */
  gint64 bytes; /* >= 0; of a receive: the room there is */
} PdEnvelope;

/* Which CPU and which adapter of a rank. */
typedef struct
{
  guint8 cpu;
  guint8 nic;
} PdLane;

/* Notified of events, for protocols and tests. Every function may be NULL. */
typedef struct
{
  gpointer data;
  /* A data message leaves @source for @target (world ranks) at @when.
   * @collective: it belongs to a collective operation. */
  void (*message) (gpointer data, guint32 source, guint32 target, gint64 bytes, PdTime when,
                   gboolean collective);
  /* @rank (world) enters the collective @name with @bytes at @when. */
  void (*collective) (gpointer data, guint32 rank, const char *name, gint64 bytes, PdTime when);
} PdObserver;

/* Messages with more bytes than their receives have room for, but those of collective operations.
 * The first is of the lowest receiver, and there of the lowest source and tag. */
typedef struct
{
  guint64 n;
  guint32 source; /* world ranks */
  guint32 target;
  gint32 tag;
  gint64 bytes;
  gint64 room;
} PdTruncated;

/* Sums over the waits of a rank; the reader that takes them sets them to 0. */
typedef struct
{
  PdTime overlap;   /* from the beginning of non-blocking operations to the waits for them; a
                     * receive begins with its matching send, if that is later */
  PdTime real_sync; /* of receives and waits, until the last send that they were for began */
  PdTime since;     /* of ComSys: when the present wait began … */
  PdTime latest;    /* … and up to where its real_sync is counted: when the last send began … */
  guint32 last;     /* … whose that was, if the receive names its source */
} PdWaitStats;

/* The object of a rank's wait, for the table of a deadlock. */
typedef struct
{
  const char *function; /* "MPI_Recv"; NULL: the rank is not blocked */
  gint64 peer;          /* world rank, of several requests one's; -1 = any, or unknown */
  gint32 tag;           /* -1 = any or none */
  gint64 bytes;
} PdBlocked;

typedef struct
{
  guint64 n_messages;            /* data messages, those of collectives included */
  PdTimeSum n_bytes;             /* their payload in bytes (in .ps) */
  guint64 n_collective_messages; /* the part of n_messages that belongs to collectives */
  guint64 n_collectives;         /* calls of collective operations, per rank */
  guint64 n_events;              /* taken from the queue: ranks and protocol events */
} PdComsysCounts;

/* Of pd_comsys_next_event(): a turn that no token has been given for. */
#define PD_TOKEN_NONE G_MAXUINT32

/* Somebody's turn. */
typedef struct
{
  guint32 rank;
  guint32 token; /* from pd_comsys_notify() or pd_comsys_ready_token(), or %PD_TOKEN_NONE */
  PdTime when;
} PdTurn;

/* An unreceived message, or an unmatched receive. */
typedef struct
{
  gboolean is_send;
  guint32 rank; /* whose, world rank */
  gint64 peer;  /* world rank; -1 = any */
  gint32 tag;   /* -1 = any */
  gint64 bytes;
} PdUnmatched;

/* Arguments of MPI_Comm_split. */
typedef struct
{
  gint32 color; /* ranks of equal color come together; < 0: MPI_UNDEFINED */
  gint32 key;   /* order in the new communicator; ties by old rank */
} PdSplit;

typedef enum
{
  PD_SEND_STANDARD,
  PD_SEND_SYNCHRONOUS,
  PD_SEND_BUFFERED,
  PD_SEND_READY, /* as STANDARD */
} PdSendMode;

/* Arguments of MPI_Sendrecv. */
typedef struct
{
  PdEnvelope send;
  PdEnvelope recv;
} PdExchange;

/* Arguments of a collective call; only those that the operation names, and the
 * last four for all. Arrays must stay valid until the operation
 * is over: until the call returns, or the request completes. */
typedef struct
{
  PdOp op;
  guint32 root; /* rank in the communicator */
  gint64 bytes;
  const gint64 *send_counts; /* (array): bytes per rank, or per target */
  const gint64 *recv_counts; /* (array): bytes per rank, or per source */
  const guint32 *sources;    /* (array length=n_sources): ranks in the communicator that the caller
                              * receives from, or %PD_NO_NEIGHBOR */
  const guint32 *targets;    /* (array length=n_targets): that it sends to */
  guint32 n_sources;
  guint32 n_targets;
  gboolean is_ordered;  /* a reduction whose operation does not commute */
  gboolean is_equal;    /* no member has the vectors that the operation names: all blocks are of
                         * @bytes */
  gboolean is_measured; /* set "simple": the caller sends @sent_bytes in all and receives
                         * @recv_bytes, whatever @bytes has to do with them */
  gint64 sent_bytes;
  gint64 recv_bytes;
} PdCollective;

/* Messages of one rank, or of all. */
typedef struct
{
  gint64 n_sent;
  gint64 n_received;
  gint64 bytes_sent;
  gint64 bytes_received;
} PdTraffic;

/* The cost of an exchange on this machine; picoseconds. */
typedef struct
{
  gdouble once;               /* however many messages */
  gdouble per_message;        /* of the rank's own */
  gdouble per_byte;           /* likewise */
  gdouble per_message_of_all; /* where all share the network */
  gdouble per_byte_of_all;
} PdExchangeCosts;

G_END_DECLS

#endif
