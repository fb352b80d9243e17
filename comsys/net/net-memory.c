/* The memory of a node: processors exchange by copying, so many copies at a
 * time, in order of request.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/pd-network-private.h"

typedef struct
{
  PdTime startup;
  gdouble per_byte; /* ps per byte */
  gint64 channels;  /* copies at a time; 0 = unlimited */
} MemoryConfig;

/* @ends is a heap (earliest first) of the ends of the copies that occupy a
 * channel; it grows to the largest number of simultaneous copies, never above
 * the number of channels. */
typedef struct
{
  const MemoryConfig *config;
  PdTime *ends;
  gsize n_ends;
  gsize n_allocated;
} Memory;

static const PdParam params[] = {
  { "startup", PD_UNIT_TIME, G_STRUCT_OFFSET (MemoryConfig, startup), NULL, 0, NULL,
    "time of each copy besides its bytes" },
  { "per-byte", PD_UNIT_PER_BYTE, G_STRUCT_OFFSET (MemoryConfig, per_byte), NULL, 0, NULL,
    "time to copy one byte" },
  { "channels", PD_UNIT_COUNT, G_STRUCT_OFFSET (MemoryConfig, channels), "0", 0, NULL,
    "copies at a time in one node; 0 = unlimited" },
  { .name = NULL },
};

static gpointer
memory_create (gconstpointer config, guint32 n_endpoints G_GNUC_UNUSED,
               PdNetworkCallbacks *callbacks G_GNUC_UNUSED)
{
  Memory *self = g_new0 (Memory, 1);

  self->config = config;
  return self;
}

static void
memory_destroy (gpointer network)
{
  Memory *self = network;

  g_free (self->ends);
  g_free (self);
}

static void
sift_up (PdTime *ends, gsize i, PdTime end)
{
  for (; i > 0 && ends[(i - 1) / 2].ps > end.ps; i = (i - 1) / 2)
    ends[i] = ends[(i - 1) / 2];
  ends[i] = end;
}

static void
sift_down (PdTime *ends, gsize n, PdTime end)
{
  gsize i = 0;

  for (gsize child = 1; child < n; child = 2 * i + 1)
    {
      if (child + 1 < n && ends[child + 1].ps < ends[child].ps)
        child++;
      if (ends[child].ps >= end.ps)
        break;
      ends[i] = ends[child];
      i = child;
    }
  ends[i] = end;
}

static PdTime
memory_request (gpointer network, const PdTransfer *transfer, PdTime now)
{
  Memory *self = network;
  const MemoryConfig *config = self->config;
  PdTime duration = pd_network_linear_time (config->startup, config->per_byte, transfer);

  if (config->channels == 0)
    return pd_time_add (now, duration);

  /* a channel that has been free before serves as well as an unused one */
  if (self->n_ends > 0
      && (self->ends[0].ps <= now.ps || self->n_ends >= (guint64) config->channels))
    {
      PdTime end = pd_time_add (pd_time_max (now, self->ends[0]), duration);
      sift_down (self->ends, self->n_ends, end);
      return end;
    }

  PdTime end = pd_time_add (now, duration);
  if (self->n_ends == self->n_allocated)
    {
      self->n_allocated = MAX (4, 2 * self->n_allocated);
      self->ends = g_renew (PdTime, self->ends, self->n_allocated);
    }
  sift_up (self->ends, self->n_ends++, end);
  return end;
}

static PdTime
memory_get_alone (gconstpointer network, const PdTransfer *transfer, gdouble *shares)
{
  const MemoryConfig *config = ((const Memory *) network)->config;

  pd_network_add_linear_shares (transfer, shares);
  return pd_network_linear_time (config->startup, config->per_byte, transfer);
}

const PdNetworkClass pd_network_memory = {
  .type = "memory",
  .meaning = "processors of one node exchange by copying",
  .config_size = sizeof (MemoryConfig),
  .params = params,
  .create = memory_create,
  .destroy = memory_destroy,
  .request = memory_request,
  .get_alone = memory_get_alone,
};
