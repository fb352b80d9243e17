/* The state of net-contention.c. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef NET_CONTENTION_H
#define NET_CONTENTION_H

#include "comsys/net/pd-measured.h"
#include "comsys/net/pd-network-private.h"

#define PD_CONTENTION_MAX_SOCKETS 64

typedef enum
{
  PD_CONTENTION_MEMORY,
  PD_CONTENTION_INTERCONNECT,
  PD_CONTENTION_NETWORK,
  PD_CONTENTION_N_LEVELS,
} PdContentionLevel;

typedef enum
{
  PD_CONTENTION_MESSAGES,
  PD_CONTENTION_PROCESSORS,
} PdContentionCounts;

typedef enum
{
  PD_CONTENTION_SEPARATE,
  PD_CONTENTION_TOGETHER,
} PdContentionDirections;

typedef enum
{
  PD_CONTENTION_BOTH,
  PD_CONTENTION_SOURCE,
} PdContentionEndpoints;

/* between, below, beyond and smooth; 0 is the other word */
#define PD_CONTENTION_SIZE     1
#define PD_CONTENTION_LINE     1
#define PD_CONTENTION_NEAREST  1
#define PD_CONTENTION_MONOTONE 1

typedef struct
{
  PdTime startup;
  gint64 sockets;
  gint64 per_socket; /* processors; 0 = all are of the first one */
  guint counts;      /* PdContentionCounts */
  guint directions;  /* PdContentionDirections */
  guint ends;        /* PdContentionEndpoints */
  guint between;
  guint below;
  guint beyond;
  guint smooth;
  PdMeasured *tables[PD_CONTENTION_N_LEVELS]; /* NULL = absent */
} PdContentionConfig;

typedef struct
{
  guint32 channel; /* G_MAXUINT32 = none */
  guint32 place;   /* in its users */
} PdContentionUse;

typedef struct
{
  gint64 base;      /* ps: since when @duration holds; before: when it begins */
  gint64 end;       /* ps, if nothing changes */
  gdouble left;     /* at @base, as a part of all */
  gdouble duration; /* ps, of all with @cf */
  PdMeasuredPlace where;
  gint64 bytes;
  PdContentionUse uses[2];
  guint32 processors[2]; /* of the source, and of the target, in their nodes */
  PdContentionLevel level;
  guint32 cf;    /* 0: has not begun */
  guint32 place; /* in the heap */
  guint32 next;  /* of those that wait for their startup, or of the free ones */
  guint32 id;
  gboolean within;  /* a node */
  gboolean outside; /* has been outside the measured range */
} PdContentionTransfer;

typedef struct
{
  guint32 transfer;
  guint32 use; /* which of its uses */
} PdContentionUser;

/* Of each node: the memories of its sockets; their interconnect, or each one's way
 * to it where processors are counted; its adapter (for what leaves, and what comes,
 * if these are separate). */
typedef struct
{
  PdContentionUser *users;
  guint32 n;
  guint32 room;
  guint32 *messages_of; /* of each processor of its node; where processors are counted */
  guint32 n_processors; /* in there */
  guint32 n_busy;       /* those with messages */
  gboolean dirty;       /* in PdContention.dirty: users came or left at the moment */
} PdContentionChannel;

/* How a table was used. */
typedef struct
{
  guint64 n_messages;
  gint64 least; /* bytes */
  gint64 most;
  guint32 cf;
  guint64 n_outside; /* messages outside the measured range */
  gint64 least_outside;
  gint64 most_outside;
  guint32 cf_outside;
} PdContentionUsed;

typedef struct
{
  const PdContentionConfig *config;
  PdNetworkCallbacks *callbacks;
  guint32 n_endpoints;
  PdContentionChannel *channels;
  PdContentionTransfer *transfers;
  guint32 n_transfers; /* ever used at a time */
  guint32 transfers_room;
  guint32 free;
  guint32 first; /* of those that wait for their startup, in order */
  guint32 last;
  guint32 *heap; /* of transfers under way */
  guint32 n_heap;
  guint32 heap_room;
  guint32 *dirty;
  guint32 n_dirty;
  guint32 dirty_room;
  gint64 moment; /* of the changes that are not settled */
  gint64 armed;  /* the next event asked for; negative: none */
  PdContentionUsed used[PD_CONTENTION_N_LEVELS];
} PdContention;

#endif
