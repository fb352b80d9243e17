/* The parameters of the flow network: which topology has which, whether they fit
 * together, and the values of those that were not given. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef NET_FLOW_SHAPE_PRIVATE_H
#define NET_FLOW_SHAPE_PRIVATE_H

#include "comsys/net/net-flow-private.h"

extern const PdParam pd_flow_params[];

/* Indices in these. */
enum
{
  PD_FLOW_LATENCY = 2,
  PD_FLOW_BANDWIDTH = 3,
  PD_FLOW_NIC_LATENCY = 4,
  PD_FLOW_NIC_BANDWIDTH = 5,
  PD_FLOW_GLOBAL_LATENCY = 15,
  PD_FLOW_GLOBAL_BANDWIDTH = 16,
};

/* The hooks of the class. */
gboolean pd_flow_check (gpointer config, guint32 n_endpoints, char **reason);
gboolean pd_flow_uses_param (gconstpointer config, const PdParam *param);

#endif
