/* Common to the networks: the classes behind the registry, and the cost formula of the
 * simple ones.
 * SPDX-License-Identifier: MIT */
#ifndef PD_NETWORK_PRIVATE_H
#define PD_NETWORK_PRIVATE_H

#include "comsys/net/pd-network.h"

/* One file net-TYPE.c each, one row each in pd-network.c. */
extern const PdNetworkClass pd_network_contention;
extern const PdNetworkClass pd_network_dimemas;
extern const PdNetworkClass pd_network_ethernet;
extern const PdNetworkClass pd_network_flow;
extern const PdNetworkClass pd_network_ideal;
extern const PdNetworkClass pd_network_loggops;
extern const PdNetworkClass pd_network_memory;
extern const PdNetworkClass pd_network_myrinet;

/**
 * pd_network_linear_time:
 * @startup: per message
 * @per_byte: ps per byte
 * @transfer: the message
 *
 * Returns: @startup + bytes * @per_byte.
 */
static inline PdTime
pd_network_linear_time (PdTime startup, gdouble per_byte, const PdTransfer *transfer)
{
  if (transfer->bytes == 0)
    return startup;
  return pd_time_add (startup, pd_time_for_bytes (transfer->bytes, per_byte));
}

/**
 * pd_network_add_linear_shares:
 * @shares: (nullable): of a network whose first parameters are a startup and a time per byte
 *
 * See PdNetworkClass.get_alone.
 */
static inline void
pd_network_add_linear_shares (const PdTransfer *transfer, gdouble *shares)
{
  if (shares == NULL)
    return;
  shares[0] += 1;
  shares[1] += (gdouble) transfer->bytes;
}

#endif
