/* What net-myrinet.c and net-myrinet-try.c share.
 * SPDX-License-Identifier: MIT */
#ifndef NET_MYRINET_TRY_PRIVATE_H
#define NET_MYRINET_TRY_PRIVATE_H

#include "comsys/net/net-myrinet-private.h"
#include "comsys/queue/pd-min-set.h"
#include "comsys/queue/pd-event-times.h"
#include "comsys/net/pd-network.h"
#include "comsys/queue/pd-pending-transfers.h"

typedef struct
{
  PdTime startup;
  gdouble per_byte; /* ps per byte */
  gint64 channels;  /* >= 1 */
  guint channels_per;
  guint duplex;
} PdMyrinetConfig;

enum
{
  PD_MYRINET_PER_NODE,
  PD_MYRINET_PER_NETWORK,
};

enum
{
  PD_MYRINET_FULL,
  PD_MYRINET_PAIR,
};

/* How transfers are kept: numbers of what takes part in them, which are those of hubs unless the
 * whole network is one hub. */
typedef enum
{
  PD_MYRINET_PORT_OF_DIRECTION, /* each node's outgoing and incoming channels are hubs */
  PD_MYRINET_PORT_OF_NODE,
  PD_MYRINET_PORT_OF_NETWORK,
} PdMyrinetPorts;

/* What a transfer takes: a channel at each end, one if both are of one hub. Its source and target
 * are ports. */
typedef struct
{
  PdSlot transfer;
  guint n_hubs; /* 1 or 2 */
  guint32 hubs[2];
  guint32 channels[2];
} PdPath;

typedef struct
{
  guint32 id;
  PdTime end;
} PdStartedTransfer;

/* States of a hub, bits. */
enum
{
  PD_HUB_IS_FREE = 1, /* it has an empty channel and pending transfers of it exist */
  PD_HUB_IS_IDLE = 2, /* some of those wait here all the same */
  PD_HUB_LISTED_FREE = 4,
  PD_HUB_LISTED_IDLE = 8,
};

/* Numbers of hubs; those that are not in that state any more are dropped when
 * met. */
typedef struct
{
  guint32 *hubs;
  guint32 n;
} PdHubList;

typedef struct
{
  const PdMyrinetConfig *config;
  PdNetworkCallbacks *callbacks;
  PdMyrinetPorts ports;
  guint32 n_endpoints;
  guint32 n_hubs;
  PdHub *hubs;
  PdPendingTransfers transfers; /* with a queue per hub */
  PdHubList free;
  guint32 n_free; /* really */
  PdHubList idle;
  PdEventTimes wakes;         /* ends of slots; .order is the hub */
  PdMinSet candidates;        /* pending transfers to try, empty between calls */
  PdStartedTransfer *started; /* not yet told to the host */
  gsize n_started;
  gsize n_started_allocated;
  gsize n_notified;
  gint64 armed; /* the earliest moment asked of the host; -1 = none */
} PdMyrinet;

static inline guint32
pd_myrinet_get_port (const PdMyrinet *self, guint32 endpoint, gboolean is_target)
{
  return self->ports == PD_MYRINET_PORT_OF_DIRECTION ? 2 * endpoint + (is_target ? 1 : 0)
                                                     : endpoint;
}

/* With ports of directions. */
static inline gboolean
pd_myrinet_is_incoming (guint32 port)
{
  return port & 1;
}

/* @source, @target: ports */
static inline void
pd_myrinet_get_path (const PdMyrinet *self, guint32 source, guint32 target, PdPath *path)
{
  gboolean is_shared = self->ports == PD_MYRINET_PORT_OF_NETWORK;

  path->transfer = (PdSlot){ .source = source, .target = target & 0x7fffffff };
  path->hubs[0] = is_shared ? 0 : source;
  path->hubs[1] = is_shared ? 0 : target;
  path->n_hubs = path->hubs[0] == path->hubs[1] ? 1 : 2;
}

/* Whether a transfer in the opposite direction can share a channel with one. */
static inline gboolean
pd_myrinet_has_pairs (const PdMyrinet *self)
{
  return self->ports != PD_MYRINET_PORT_OF_DIRECTION;
}

/* Hub @h has an empty channel, and pending transfers of it exist. */
void pd_myrinet_set_free (PdMyrinet *self, guint32 h);
/* One of these holds no more. */
void pd_myrinet_set_taken (PdMyrinet *self, guint32 h);
/* Has the first pending transfer of a pair of ports tried. */
void pd_myrinet_add_candidate (PdMyrinet *self, guint32 source, guint32 target);
/* Makes the first one who waits at @h and whose other end is free its candidate.
 * Without an empty channel there is none: who can share one is a candidate by
 * itself. */
void pd_myrinet_advance (PdMyrinet *self, guint32 h, PdTime now);
/* Something has ended on hub @h: has those tried who wait there, and those that
 * could share a channel, here or at their other end, with what still runs. */
void pd_myrinet_wake_hub (PdMyrinet *self, guint32 h, PdTime now);

#endif
