/* A shared bus: one transfer at a time, in order of request.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/pd-network-private.h"

typedef struct
{
  PdTime startup;
  gdouble per_byte; /* ps per byte */
} EthernetConfig;

typedef struct
{
  const EthernetConfig *config;
  PdTime free; /* when the last transfer granted so far leaves the bus */
} Ethernet;

static const PdParam params[] = {
  { "startup", PD_UNIT_TIME, G_STRUCT_OFFSET (EthernetConfig, startup), NULL, 0, NULL,
    "time that each message occupies the bus besides its bytes" },
  { "per-byte", PD_UNIT_PER_BYTE, G_STRUCT_OFFSET (EthernetConfig, per_byte), NULL, 0, NULL,
    "time that each byte occupies the bus" },
  { .name = NULL },
};

static gpointer
ethernet_create (gconstpointer config, guint32 n_endpoints G_GNUC_UNUSED,
                 PdNetworkCallbacks *callbacks G_GNUC_UNUSED)
{
  Ethernet *self = g_new0 (Ethernet, 1);

  self->config = config;
  return self;
}

static PdTime
ethernet_request (gpointer network, const PdTransfer *transfer, PdTime now)
{
  Ethernet *self = network;
  PdTime duration =
      pd_network_linear_time (self->config->startup, self->config->per_byte, transfer);

  self->free = pd_time_add (pd_time_max (now, self->free), duration);
  return self->free;
}

static PdTime
ethernet_get_alone (gconstpointer network, const PdTransfer *transfer, gdouble *shares)
{
  const EthernetConfig *config = ((const Ethernet *) network)->config;

  pd_network_add_linear_shares (transfer, shares);
  return pd_network_linear_time (config->startup, config->per_byte, transfer);
}

const PdNetworkClass pd_network_ethernet = {
  .type = "ethernet",
  .meaning = "a shared bus: one transfer at a time, in order of request",
  .config_size = sizeof (EthernetConfig),
  .params = params,
  .create = ethernet_create,
  .destroy = g_free,
  .request = ethernet_request,
  .get_alone = ethernet_get_alone,
};
