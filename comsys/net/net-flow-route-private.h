/* The links of the flow network, and which of them a message crosses: always the same
 * ones between two nodes, as few as can be. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef NET_FLOW_ROUTE_PRIVATE_H
#define NET_FLOW_ROUTE_PRIVATE_H

#include "comsys/net/net-flow-private.h"

/* @config: has passed pd_flow_check() with @n_endpoints; not of a crossbar. */
void pd_flow_routes_init (PdFlowRoutes *self, const PdFlowConfig *config, guint32 n_endpoints);

/* The class of messages from @source to @target. */
guint32 pd_flow_get_class (const PdFlowRoutes *self, guint32 source, guint32 target);

/* How many links between switches, and global ones, a message of @class passes. */
void pd_flow_count_inner (const PdFlowRoutes *self, guint32 class, guint32 *n_inner,
                          guint32 *n_global);

/* The time between the start of a message of @class and the flow of its first byte. */
PdTime pd_flow_get_latency (const PdFlowRoutes *self, guint32 class);

/* Bytes per second. */
gdouble pd_flow_get_bandwidth (const PdFlowRoutes *self, guint32 link);

/* Writes the links from @source to @target to @links, of room for max_hops, and
 * the class of the message. Returns their number. */
guint32 pd_flow_route (const PdFlowRoutes *self, guint32 source, guint32 target, guint32 *links,
                       guint32 *class);

/* The number of links, which may exceed what PdFlowRoutes can count, and of the
 * longest path. */
void pd_flow_measure (const PdFlowConfig *config, guint32 n_endpoints, gint64 *n_links,
                      gint64 *max_hops);

#endif
