/* Look-ups in the running model. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LOOKUP_H
#define PD_LOOKUP_H

#include "comsys/state/pd-comsys-data.h"
#include "comsys/queue/pd-lines.h"

/**
 * pd_comm_world_rank:
 * Returns: the world rank of @rank in @comm.
 */
static inline guint32
pd_comm_world_rank (const PdComm *comm, guint32 rank)
{
  return comm->ranks == NULL ? rank : comm->ranks[rank];
}

/**
 * pd_protocol_wire_bytes:
 * Returns: what a message of @bytes is on the wire; saturates.
 */
static inline gint64
pd_protocol_wire_bytes (const PdProtocol *protocol, gint64 bytes)
{
  gint64 sum;
  return __builtin_add_overflow (bytes, protocol->envelope, &sum) ? G_MAXINT64 : sum;
}

/* How a message is sent. */
typedef struct
{
  gboolean rendezvous; /* else eager */
  gboolean detached;   /* its sender does not wait */
} PdProtocolChoice;

/**
 * pd_protocol_choose:
 * @protocol: (nullable): %NULL: to oneself
 *
 * Returns: what becomes of a message of @bytes that is sent in @mode.
 */
static inline PdProtocolChoice
pd_protocol_choose (const PdProtocol *protocol, PdSendMode mode, gint64 bytes)
{
  PdProtocolChoice choice = { mode == PD_SEND_SYNCHRONOUS, FALSE };

  if ((mode == PD_SEND_STANDARD || mode == PD_SEND_READY) && protocol != NULL
      && G_UNLIKELY (bytes > protocol->eager))
    choice = (PdProtocolChoice){ TRUE, bytes <= protocol->detached };
  return choice;
}

/**
 * pd_req:
 * Returns: the request, until others are made.
 */
static inline PdReq *
pd_req (PdComsys *self, guint32 req)
{
  return &self->reqs[req];
}

/**
 * pd_req_order:
 * A request that waits to be matched has no other use for the fields that identify it.
 *
 * Returns: of sends, or of receives: the less the earlier.
 */
static inline guint64
pd_req_order (const PdReq *req)
{
  return req->kind == PD_REQ_SEND ? req->order : ~(guint64) req->done.ps;
}

/**
 * pd_p2p_processor:
 * Returns: the processor of @rank.
 */
static inline guint32
pd_p2p_processor (const PdComsys *self, guint32 rank)
{
  return self->placement != NULL ? self->placement[rank] : rank;
}

/**
 * pd_cpu_index:
 * Returns: the place of a CPU of @rank in PdComsys.cpus: the first ones of all ranks come first.
 */
static inline guint32
pd_cpu_index (const PdComsys *self, guint32 rank, PdLane lane)
{
  return rank + self->n_ranks * lane.cpu;
}

/**
 * pd_req_lane:
 * Returns: the CPU and the adapter of @send, at both of its ends.
 */
static inline PdLane
pd_req_lane (const PdComsys *self, const PdReq *send)
{
  return self->operations != NULL ? send->lane : (PdLane){ 0, 0 };
}

/**
 * pd_endpoint:
 * Returns: adapter @lane.nic of @endpoint, which is an endpoint of its own for network @instance:
 *   the first ones of all come first.
 */
static inline guint32
pd_endpoint (const PdComsys *self, guint32 instance, guint32 endpoint, PdLane lane)
{
  if (G_LIKELY (lane.nic == 0))
    return endpoint;
  return endpoint
         + lane.nic
               * g_array_index (self->topology->instances, PdNetworkInstance, instance).n_endpoints;
}

/**
 * pd_p2p_route:
 * Returns: the network between two ranks, and their places in it.
 */
static inline PdRoute
pd_p2p_route (const PdComsys *self, guint32 source, guint32 target)
{
  source = pd_p2p_processor (self, source);
  target = pd_p2p_processor (self, target);
  return self->topology->is_flat ? (PdRoute){ .source = source, .target = target }
                                 : pd_topology_route (self->topology, source, target);
}

/**
 * pd_p2p_level:
 * Returns: the network between two ranks.
 */
static inline const PdNetworkLevel *
pd_p2p_level (const PdComsys *self, guint32 source, guint32 target)
{
  return self->topology->is_flat ? self->levels
                                 : &self->levels[pd_p2p_route (self, source, target).instance];
}

/**
 * pd_p2p_is_copied:
 * Returns: whether messages of @rank to @peer take no network, since these are one. Of a rank that
 *   submits operations they do, as in LogGOPSim, where there is one network only; and those that
 *   the network takes, see PdNetworkCosts.
 */
static inline gboolean
pd_p2p_is_copied (const PdComsys *self, guint32 rank, guint32 peer)
{
  return rank == peer && !(self->operations != NULL && self->topology->is_flat)
         && !pd_p2p_level (self, rank, rank)->costs.to_itself;
}

/**
 * pd_rank_expect:
 * Has the memory loaded that a message to or from @rank needs.
 */
static inline void
pd_rank_expect (const PdComsys *self, guint32 rank)
{
  const PdNetworkLevel *level = &self->levels[0];

  pd_prefetch (&self->match.groups[rank & self->match.mask]);
  if (level->class->expect != NULL && self->topology->is_flat)
    level->class->expect (level->network, pd_p2p_processor (self, rank));
}

/**
 * pd_rank_expect_likewise:
 * @rank sends to @peer: ranks that act at the same moment do much the same, so a rank that acts
 * soon is likely to send to a rank as far from itself.
 */
static inline void
pd_rank_expect_likewise (const PdComsys *self, guint32 rank, guint32 peer)
{
  guint32 other = peer + (self->near_rank - rank);

  if (self->near_rank < self->n_ranks && other < self->n_ranks)
    pd_rank_expect (self, other);
}

#endif
