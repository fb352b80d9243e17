/* Properties of a machine that callers can query without sending.
 * SPDX-License-Identifier: MIT */
#include "comsys/tools/pd-estimate.h"

#include "base/pd-time.h"
#include "comsys/machine/pd-dry-run.h"
#include "comsys/machine/pd-topology.h"
#include "comsys/state/pd-lookup.h"

const PdSoftware *
pd_comsys_get_software (const PdComsys *self)
{
  return &self->machine->software;
}

PdTime
pd_comsys_get_transfer_time (const PdComsys *self, guint32 source, guint32 target, gint64 bytes)
{
  g_return_val_if_fail (source < self->n_ranks && target < self->n_ranks && source != target,
                        PD_TIME_ZERO);

  guint32 a = self->placement != NULL ? self->placement[source] : source;
  guint32 b = self->placement != NULL ? self->placement[target] : target;
  PdRoute route = pd_topology_route (self->topology, a, b);
  const PdNetworkInstance *instance =
      &g_array_index (self->topology->instances, PdNetworkInstance, route.instance);
  const PdProtocol *protocol = &self->levels[route.instance].protocol;
  PdTransfer transfer = { .source = route.source,
                          .target = route.target,
                          .bytes = pd_protocol_wire_bytes (protocol, bytes),
                          .source_processor = route.source_processor,
                          .target_processor = route.target_processor };

  return pd_dry_run (instance, instance->n_endpoints, &transfer, 1);
}
