/* The parts of the flow network: what its links are and which of them a message
 * crosses (net-flow-shape.c, net-flow-route.c). How flows share them is in
 * pd-sharing-private.h.
 * SPDX-License-Identifier: MIT */
#ifndef NET_FLOW_PRIVATE_H
#define NET_FLOW_PRIVATE_H

#include "comsys/net/pd-network.h"

typedef enum
{
  PD_FLOW_CROSSBAR,
  PD_FLOW_STAR,
  PD_FLOW_TREE,
  PD_FLOW_FAT_TREE,
  PD_FLOW_TORUS,
  PD_FLOW_DRAGONFLY,
  PD_FLOW_N_TOPOLOGIES,
} PdFlowTopology;

typedef enum
{
  PD_FLOW_EQUAL,
  PD_FLOW_RTT,
} PdFlowSharing;

typedef enum
{
  PD_FLOW_COMPAT_NONE,
  PD_FLOW_COMPAT_SIMGRID,
} PdFlowCompat;

/* Which router of a group of a dragonfly holds the link to another group. */
typedef enum
{
  PD_FLOW_SPREAD,   /* each router as many of them as can be, one after the other */
  PD_FLOW_NUMBERED, /* the one with the number of the other group */
} PdFlowGates;

/* The fields that params[] of net-flow-shape.c describe. pd_flow_check() replaces zeros of
 * counts that were not given. */
typedef struct
{
  guint topology; /* PdFlowTopology */
  guint sharing;  /* PdFlowSharing */
  PdTime latency;
  gdouble bandwidth; /* bytes per second, as all bandwidths; 0 = not given */
  PdTime nic_latency;
  gdouble nic_bandwidth;
  PdTime global_latency;
  gdouble global_bandwidth;
  gint64 leaf;    /* tree: nodes of each leaf switch */
  gint64 uplinks; /* tree: of each leaf switch */
  gint64 arity;   /* fat tree: links down of each switch */
  gint64 levels;  /* fat tree: of switches */
  gint64 oversubscription;
  PdShape dimensions; /* torus */
  gint64 groups;      /* dragonfly */
  gint64 routers;     /* … of each group */
  gint64 hosts;       /* … nodes of each router */
  gint64 chassis;     /* … of each group */
  guint gates;        /* … PdFlowGates */
  guint compat;       /* torus, dragonfly: PdFlowCompat */
} PdFlowConfig;

/* The longest path, in links. */
#define PD_FLOW_MAX_HOPS 1024

/* The links of a network, numbered: up and down of each node (2 n and 2 n + 1),
 * then those between switches, then the global ones of a dragonfly. Messages with
 * the same latency are of one class. */
typedef struct
{
  const PdFlowConfig *config;
  guint32 n_endpoints;
  guint32 n_links;
  guint32 first_inner;  /* links from here on have the bandwidth of the config */
  guint32 first_global; /* from here on the global one */
  guint32 n_classes;
  guint32 max_hops;
  guint32 n_groups;             /* dragonfly: that have nodes */
  guint32 n_global;             /* … global links of each router */
  guint32 n_blades;             /* … routers of each chassis */
  guint32 max_local;            /* … local links of a path at most */
  guint32 n_levels;             /* fat tree: that have more than one switch group … */
  guint32 up[25], down[25];     /* … first link from and to each level */
  guint32 below[25], width[25]; /* … nodes below a switch, switches of a group */
} PdFlowRoutes;

#endif
