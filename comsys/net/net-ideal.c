/* The network that costs nothing.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/pd-network-private.h"

static const PdParam params[] = { { .name = NULL } };

static gpointer
ideal_create (gconstpointer config G_GNUC_UNUSED, guint32 n_endpoints G_GNUC_UNUSED,
              PdNetworkCallbacks *callbacks G_GNUC_UNUSED)
{
  return g_new0 (char, 1); /* has no state, but an instance must not be NULL */
}

static PdTime
ideal_request (gpointer network G_GNUC_UNUSED, const PdTransfer *transfer G_GNUC_UNUSED, PdTime now)
{
  return now;
}

static gboolean
ideal_is_unshared (gconstpointer network G_GNUC_UNUSED)
{
  return TRUE;
}

static PdTime
ideal_get_alone (gconstpointer network G_GNUC_UNUSED, const PdTransfer *transfer G_GNUC_UNUSED,
                 gdouble *shares G_GNUC_UNUSED)
{
  return PD_TIME_ZERO;
}

const PdNetworkClass pd_network_ideal = {
  .type = "ideal",
  .meaning = "every message arrives at the moment it is sent",
  .config_size = 0,
  .params = params,
  .create = ideal_create,
  .destroy = g_free,
  .request = ideal_request,
  .get_alone = ideal_get_alone,
  .is_unshared = ideal_is_unshared,
};
