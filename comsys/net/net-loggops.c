/* LogGOPS (Hoefler, Schneider, Lumsdaine: LogGOPSim, HPDC 2010): a network without
 * contention, whose messages keep the processors (o, and O per byte) and the adapters
 * (g, and G per byte) at their ends. A message leaves when the processor and the sending
 * side of the adapter of its source are free, is under way for o + L, and takes the
 * processor and the receiving side of its target when these are free, whether or not a
 * receive has been posted. The first byte is in o and g: (s - 1) are charged.
 *
 * With compat=loggopsim a message of 0 bytes is charged -1 byte, as LogGOPSim does.
 * SPDX-License-Identifier: MIT */
#include "comsys/queue/pd-lines.h"
#include "comsys/net/pd-network-private.h"

enum
{
  COMPAT_NONE,
  COMPAT_LOGGOPSIM,
};

static const char *const compats[] = { "none", "loggopsim", NULL };

typedef struct
{
  PdTime latency;
  PdTime o;
  PdTime g;
  gdouble gap_per_byte;      /* G, ps per byte */
  gdouble overhead_per_byte; /* O, ps per byte */
  guint compat;
} LoggopsConfig;

/* When the sides of an adapter get free. */
typedef struct
{
  PdTime tx;
  PdTime rx;
} Adapter;

typedef struct
{
  const LoggopsConfig *config;
  guint32 n_endpoints;
  Adapter *adapters;
} Loggops;

#define LINES(n) (((gsize) (n) * sizeof (Adapter) + 63) / 64)

static const PdParam params[] = {
  { "latency", PD_UNIT_TIME, G_STRUCT_OFFSET (LoggopsConfig, latency), NULL, 0, NULL,
    "time that a message is under way (L)" },
  { "o", PD_UNIT_TIME, G_STRUCT_OFFSET (LoggopsConfig, o), "0", 0, NULL,
    "time that a message keeps the processors at both ends" },
  { "g", PD_UNIT_TIME, G_STRUCT_OFFSET (LoggopsConfig, g), "0", 0, NULL,
    "time that a message keeps the adapters at both ends" },
  { "G", PD_UNIT_PER_BYTE, G_STRUCT_OFFSET (LoggopsConfig, gap_per_byte), "0", 0, NULL,
    "time that each byte but the first keeps the adapters" },
  { "O", PD_UNIT_PER_BYTE, G_STRUCT_OFFSET (LoggopsConfig, overhead_per_byte), "0", 0, NULL,
    "time that each byte but the first keeps the processors" },
  { "compat", PD_UNIT_COUNT, G_STRUCT_OFFSET (LoggopsConfig, compat), "none", 0, compats,
    "whether a message of 0 bytes is charged as in LogGOPSim" },
  { .name = NULL },
};

/* @fixed and @per_byte for all bytes but the first. */
static inline PdTime
time_of (const LoggopsConfig *config, PdTime fixed, gdouble per_byte, gint64 bytes)
{
  if (bytes > 0)
    return bytes == 1 || per_byte <= 0
               ? fixed
               : pd_time_add (fixed, pd_time_for_bytes (bytes - 1, per_byte));
  if (config->compat == COMPAT_NONE)
    return fixed;
  return PD_TIME (MAX (fixed.ps - pd_time_for_bytes (1, per_byte).ps, 0));
}

/* The receiver's processor is busy with its own work or with the adapter's, whichever
 * takes longer. For a message of 0 bytes LogGOPSim compares numbers that have wrapped
 * around: of two that are not 0, the lesser wins. */
static gdouble
per_byte_received (const LoggopsConfig *config, gint64 bytes)
{
  gdouble a = config->overhead_per_byte, b = config->gap_per_byte;

  return bytes > 0 || a <= 0 || b <= 0 ? MAX (a, b) : MIN (a, b);
}

static PdTime
loggops_get_time (gconstpointer network, gint64 bytes, gboolean receives)
{
  const LoggopsConfig *config = ((const Loggops *) network)->config;

  return time_of (config, config->o,
                  receives ? per_byte_received (config, bytes) : config->overhead_per_byte, bytes);
}

static PdTime
loggops_get_free (gconstpointer network, guint32 endpoint, gboolean receives)
{
  const Adapter *adapter = &((const Loggops *) network)->adapters[endpoint];

  return receives ? adapter->rx : adapter->tx;
}

static PdTime
loggops_send (gpointer network, const PdTransfer *transfer, PdTime now)
{
  Loggops *self = network;
  const LoggopsConfig *config = self->config;
  PdTime gap = time_of (config, config->g, config->gap_per_byte, transfer->bytes);

  self->adapters[transfer->source].tx = pd_time_add (now, gap);
  return pd_time_add (pd_time_add (now, config->o), config->latency);
}

static void
loggops_receive (gpointer network, const PdTransfer *transfer, PdTime now)
{
  Loggops *self = network;
  const LoggopsConfig *config = self->config;
  PdTime gap = time_of (config, config->g, config->gap_per_byte, transfer->bytes);

  self->adapters[transfer->target].rx = pd_time_add (now, gap);
}

/* Parameters as in params[]. */
enum
{
  PARAM_LATENCY,
  PARAM_O,
  PARAM_G,
  PARAM_GAP_PER_BYTE,
  PARAM_OVERHEAD_PER_BYTE,
};

static void
add_shares (gdouble *shares, guint fixed, guint per_byte, gdouble bytes)
{
  if (shares == NULL)
    return;
  shares[fixed] += 1;
  shares[per_byte] += bytes;
}

static PdTime
loggops_get_part (gconstpointer network, PdEndPart part, gint64 bytes, gdouble *shares)
{
  const LoggopsConfig *config = ((const Loggops *) network)->config;
  gdouble nothing = config->compat == COMPAT_NONE ? 0 : -1;
  gdouble charged = bytes > 0 ? (gdouble) (bytes - 1) : nothing;
  gboolean is_gap = config->gap_per_byte >= config->overhead_per_byte;

  switch (part)
    {
    case PD_END_LAUNCH:
      add_shares (shares, PARAM_O, PARAM_OVERHEAD_PER_BYTE, charged);
      return loggops_get_time (network, bytes, FALSE);
    case PD_END_RECEIVE:
      add_shares (shares, PARAM_O, is_gap ? PARAM_GAP_PER_BYTE : PARAM_OVERHEAD_PER_BYTE, charged);
      return loggops_get_time (network, bytes, TRUE);
    case PD_END_FLIGHT:
      add_shares (shares, PARAM_O, PARAM_LATENCY, 1);
      return pd_time_add (config->o, config->latency);
    default:
      add_shares (shares, PARAM_G, PARAM_GAP_PER_BYTE, charged);
      return time_of (config, config->g, config->gap_per_byte, bytes);
    }
}

/* ---- the class */

static gpointer
loggops_create (gconstpointer config, guint32 n_endpoints,
                PdNetworkCallbacks *callbacks G_GNUC_UNUSED)
{
  Loggops *self = g_new0 (Loggops, 1);

  self->config = config;
  self->n_endpoints = MAX (n_endpoints, 1);
  self->adapters = pd_lines_resize (NULL, 0, LINES (self->n_endpoints));
  return self;
}

static void
loggops_destroy (gpointer network)
{
  Loggops *self = network;

  pd_lines_free (self->adapters, LINES (self->n_endpoints));
  g_free (self);
}

/* A message that meets nothing, until it has been received. */
static PdTime
loggops_request (gpointer network, const PdTransfer *transfer, PdTime now)
{
  return pd_time_add (loggops_send (network, transfer, now),
                      loggops_get_time (network, transfer->bytes, TRUE));
}

static void
prefetch_endpoint (gconstpointer network, guint32 endpoint)
{
  const Loggops *self = network;

  if (endpoint < self->n_endpoints)
    pd_prefetch (&self->adapters[endpoint]);
}

static const PdNetworkEndpoints endpoints = {
  .get_free = loggops_get_free,
  .get_time = loggops_get_time,
  .send = loggops_send,
  .receive = loggops_receive,
  .get_part = loggops_get_part,
};

const PdNetworkClass pd_network_loggops = {
  .type = "loggops",
  .meaning = "LogGOPS: messages keep processors and adapters, the network is free of contention",
  .config_size = sizeof (LoggopsConfig),
  .params = params,
  .create = loggops_create,
  .destroy = loggops_destroy,
  .request = loggops_request,
  .expect = prefetch_endpoint,
  .endpoints = &endpoints,
};
