/* The registry of networks: a new one is a file net-TYPE.c and a row here.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/pd-network-private.h"

#include <string.h>

static const PdNetworkClass *const classes[] = {
  &pd_network_ethernet, &pd_network_myrinet, &pd_network_memory,     &pd_network_ideal,
  &pd_network_loggops,  &pd_network_flow,    &pd_network_contention, &pd_network_dimemas,
};

const PdNetworkClass *
pd_network_class_get (guint i)
{
  return i < G_N_ELEMENTS (classes) ? classes[i] : NULL;
}

const PdNetworkClass *
pd_network_class_find (const char *type)
{
  g_return_val_if_fail (type != NULL, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (classes); i++)
    if (strcmp (classes[i]->type, type) == 0)
      return classes[i];
  return NULL;
}
