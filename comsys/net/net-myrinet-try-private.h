/* Types and functions that net-myrinet.c and net-myrinet-try.c share.
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

/* The ports, by whose numbers transfers are kept. Each port is a hub, unless the whole network is
 * one hub. */
typedef enum
{
  PD_MYRINET_PORT_OF_DIRECTION, /* each node's outgoing and incoming channels are hubs */
  PD_MYRINET_PORT_OF_NODE,
  PD_MYRINET_PORT_OF_NETWORK,
} PdMyrinetPorts;

/* The channels of a transfer: one at each end, or a single one if both ends are of one hub. Its
 * source and target are ports. */
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

typedef struct
{
  const PdMyrinetConfig *config;
  PdNetworkCallbacks *callbacks;
  PdMyrinetPorts ports;
  guint32 n_endpoints;
  guint32 n_hubs;
  PdHub *hubs;
  PdPendingTransfers transfers; /* with a queue per hub; one is open while it has an empty channel
                                 * and pending transfers, but see pd_myrinet_set_open() */
  PdEventTimes wakes;           /* ends of slots; .order is the hub */
  guint32 leading;              /* by direction: 0, sources, or 1, targets; see net-myrinet-try.c */
  guint32 *woken;               /* leading hubs with an empty channel; empty between calls */
  guint32 n_woken;
  guint32 n_woken_allocated;
  PdMinSet candidates;        /* pending transfers to try, empty between calls */
  PdStartedTransfer *started; /* the host is not yet notified of them */
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

/* Whether hub @h has an empty channel, and pending transfers of it exist. FALSE while it is a hub
 * of the leading direction that has a candidate. */
void pd_myrinet_set_open (PdMyrinet *self, guint32 h, gboolean is_open);
/* Has the first pending transfer of a pair of ports tried; not with ports of directions. */
void pd_myrinet_add_candidate (PdMyrinet *self, guint32 source, guint32 target);
/* Makes the first one behind its candidate whose other end is open the candidate of @h. Without
 * an empty channel there is none: a transfer that can share one is a candidate by itself. */
void pd_myrinet_advance (PdMyrinet *self, guint32 h, PdTime now);
/* Something has ended on hub @h. Adds candidates: the first pending transfer whose other end is
 * open, and those that could share a channel, here or at their other end, with a transfer that
 * still runs. */
void pd_myrinet_wake_hub (PdMyrinet *self, guint32 h, PdTime now);
/* Has the leading hubs that were woken look for their candidates, after all wakes of a moment. */
void pd_myrinet_set_leading_cursors (PdMyrinet *self);
/* Which direction leads from now on, after a moment with so many candidates tried and started. */
void pd_myrinet_choose_leading (PdMyrinet *self, gsize n_tried, gsize n_started);

#endif
