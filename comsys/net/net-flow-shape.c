/* The parameters of the flow network: which topology has which, whether they fit
 * together, and the values of those that were not given.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/net-flow-private.h"
#include "comsys/net/net-flow-route-private.h"
#include "comsys/net/net-flow-shape-private.h"

#include <string.h>

#define MAX_NODES    (1 << 24)
#define MAX_LINKS    (1 << 25)
#define DEFAULT_LEAF 16
#define OFFSET(x)    G_STRUCT_OFFSET (PdFlowConfig, x)

static const char *const topologies[] = { "crossbar", "star",      "tree", "fat-tree",
                                          "torus",    "dragonfly", NULL };
static const char *const sharings[] = { "equal", "rtt", NULL };
static const char *const gates[] = { "spread", "numbered", NULL };
static const char *const compats[] = { "none", "simgrid", NULL };

/* Besides topology and sharing. */
static const char *const used[PD_FLOW_N_TOPOLOGIES][12] = {
  [PD_FLOW_CROSSBAR] = { "latency", "bandwidth" },
  [PD_FLOW_STAR] = { "nic-latency", "nic-bandwidth" },
  [PD_FLOW_TREE] = { "latency", "bandwidth", "nic-latency", "nic-bandwidth", "leaf", "uplinks" },
  [PD_FLOW_FAT_TREE] = { "latency", "bandwidth", "nic-latency", "nic-bandwidth", "arity", "levels",
                         "oversubscription" },
  [PD_FLOW_TORUS] = { "latency", "bandwidth", "nic-latency", "nic-bandwidth", "dimensions",
                      "compat" },
  [PD_FLOW_DRAGONFLY] = { "latency", "bandwidth", "nic-latency", "nic-bandwidth", "global-latency",
                          "global-bandwidth", "groups", "routers", "hosts", "chassis", "gates",
                          "compat" },
};

const PdParam pd_flow_params[] = {
  { "topology", PD_UNIT_COUNT, OFFSET (topology), NULL, 0, topologies,
    "how links connect the nodes" },
  { "sharing", PD_UNIT_COUNT, OFFSET (sharing), "equal", 0, sharings,
    "whether messages that share a link have equal parts, or by 1 / latency" },
  { "latency", PD_UNIT_TIME, OFFSET (latency), "0", 0, NULL, "of each link between switches" },
  { "bandwidth", PD_UNIT_RATE, OFFSET (bandwidth), "0", 0, NULL, "of each link between switches" },
  { "nic-latency", PD_UNIT_TIME, OFFSET (nic_latency), "0", 0, NULL,
    "of each node's link up, and of its link down" },
  { "nic-bandwidth", PD_UNIT_RATE, OFFSET (nic_bandwidth), "=bandwidth", 0, NULL,
    "of each node's link up, and of its link down" },
  { "leaf", PD_UNIT_COUNT, OFFSET (leaf), "0", 0, NULL, "tree: nodes of each leaf switch" },
  { "uplinks", PD_UNIT_COUNT, OFFSET (uplinks), "0", 0, NULL,
    "tree: links from each leaf switch up" },
  { "arity", PD_UNIT_COUNT, OFFSET (arity), "0", 0, NULL, "fat tree: links down of each switch" },
  { "levels", PD_UNIT_COUNT, OFFSET (levels), "0", 0, NULL, "fat tree: levels of switches" },
  { "oversubscription", PD_UNIT_COUNT, OFFSET (oversubscription), "0", 0, NULL,
    "fat tree: links down for each link up" },
  { "dimensions", PD_UNIT_SHAPE, OFFSET (dimensions), "", 0, NULL,
    "torus: nodes in each direction, the last one first" },
  { "groups", PD_UNIT_COUNT, OFFSET (groups), "0", 0, NULL, "dragonfly: groups of routers" },
  { "routers", PD_UNIT_COUNT, OFFSET (routers), "0", 0, NULL, "dragonfly: routers of each group" },
  { "hosts", PD_UNIT_COUNT, OFFSET (hosts), "0", 0, NULL, "dragonfly: nodes of each router" },
  { "global-latency", PD_UNIT_TIME, OFFSET (global_latency), "=latency", 0, NULL,
    "dragonfly: of each link between groups" },
  { "global-bandwidth", PD_UNIT_RATE, OFFSET (global_bandwidth), "=bandwidth", 0, NULL,
    "dragonfly: of each link between groups" },
  { "chassis", PD_UNIT_COUNT, OFFSET (chassis), "0", 0, NULL,
    "dragonfly: chassis of each group, which share its routers" },
  { "gates", PD_UNIT_COUNT, OFFSET (gates), "spread", 0, gates,
    "dragonfly: which routers of a group hold its links to other groups" },
  { "compat", PD_UNIT_COUNT, OFFSET (compat), "none", 0, compats,
    "torus, dragonfly: whether irregular routes are those of SimGrid" },
  { .name = NULL },
};

gboolean
pd_flow_uses_param (gconstpointer config, const PdParam *param)
{
  guint topology = ((const PdFlowConfig *) config)->topology;

  if (param->offset == OFFSET (topology) || param->offset == OFFSET (sharing))
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (used[0]) && used[topology][i] != NULL; i++)
    if (strcmp (used[topology][i], param->name) == 0)
      return TRUE;
  return FALSE;
}

static gdouble
get_number (const PdFlowConfig *config, const PdParam *param)
{
  const guint8 *field = (const guint8 *) config + param->offset;
  gdouble d;
  gint64 i;
  guint choice;

  if (param->unit == PD_UNIT_SHAPE)
    return config->dimensions.n;
  memcpy (&choice, field, sizeof choice);
  if (param->choices != NULL)
    return choice;
  memcpy (&i, field, sizeof i);
  memcpy (&d, field, sizeof d);
  return param->unit == PD_UNIT_RATE ? d : (gdouble) i;
}

/* The value of a parameter that was not given. */
static gdouble
get_default (const PdFlowConfig *config, const PdParam *param)
{
  if (param->fallback == NULL || param->fallback[0] != '=')
    return 0;
  for (const PdParam *p = pd_flow_params; p->name != NULL; p++)
    if (strcmp (p->name, param->fallback + 1) == 0)
      return get_number (config, p);
  return 0;
}

/* Refuses a value without effect, and a value out of range. */
static gboolean
check_param (const PdFlowConfig *config, const PdParam *param, char **reason)
{
  gdouble number = get_number (config, param), absent = get_default (config, param);

  if (!pd_flow_uses_param (config, param) && (number > absent || number < absent))
    *reason =
        g_strdup_printf ("topology '%s' has no %s", topologies[config->topology], param->name);
  else if (!pd_flow_uses_param (config, param))
    return TRUE;
  else if (param->unit == PD_UNIT_RATE && !(number > 0))
    *reason = g_strdup_printf ("%s: expected more than 0: %s", param->name, param->meaning);
  else if (param->unit == PD_UNIT_COUNT && number > MAX_NODES)
    *reason = g_strdup_printf ("%s: expected at most %d", param->name, MAX_NODES);
  return *reason == NULL;
}

static gboolean
check_params (const PdFlowConfig *config, char **reason)
{
  for (const PdParam *p = pd_flow_params; p->name != NULL; p++)
    if (!check_param (config, p, reason))
      return FALSE;
  if (config->sharing != PD_FLOW_RTT || config->topology == PD_FLOW_CROSSBAR
      || config->nic_latency.ps > 0
      || (config->topology == PD_FLOW_TORUS && config->latency.ps > 0))
    return TRUE;
  *reason = g_strdup (config->topology == PD_FLOW_TORUS
                          ? "sharing by 1 / latency: expected a latency of more than 0"
                          : "sharing by 1 / latency: expected a nic-latency of more than 0");
  return FALSE;
}

/* ---- shapes */

/* @base to the power of @exponent, or just above @limit. */
static gint64
power (gint64 base, gint64 exponent, gint64 limit)
{
  gint64 result = 1;

  for (gint64 i = 0; i < exponent && result <= limit && base > 1; i++)
    result *= MIN (base, limit + 1);
  return MIN (result, limit + 1);
}

static gint64
complete_fat_tree (PdFlowConfig *config, gint64 n)
{
  gint64 n_levels = config->levels;

  if (config->oversubscription == 0)
    config->oversubscription = 1;
  if (config->arity == 0 && n_levels == 0)
    config->arity = DEFAULT_LEAF;
  for (gint64 a = 2; config->arity == 0; a++)
    if (power (a, n_levels, n) >= n)
      config->arity = a;
  if (config->levels == 0)
    for (config->levels = 1; power (config->arity, config->levels, n) < n && config->arity > 1;)
      config->levels++;
  return power (config->arity, config->levels, MAX_NODES);
}

/* Doubles the shortest side of a 3-D box until it holds @n. */
static gint64
complete_torus (PdFlowConfig *config, gint64 n)
{
  PdShape *box = &config->dimensions;
  gint64 size = 1;

  if (box->n == 0)
    *box = (PdShape){ 3, { 1, 1, 1 } };
  else
    n = 1;
  for (guint i = 0; i < box->n; i++)
    size = MIN (size * box->extents[i], MAX_NODES + 1);
  for (guint i = 0; size < n; i = (i + 1) % box->n, size *= 2)
    box->extents[i] *= 2;
  return size;
}

/* As many groups as are needed; a balanced group where nothing is said: twice as
 * many routers as each of them has nodes. */
static gint64
complete_dragonfly (PdFlowConfig *config, gint64 n)
{
  gint64 *hosts = &config->hosts, *routers = &config->routers;
  gboolean open = *hosts == 0 && *routers == 0;

  for (gint64 p = 1; *hosts == 0; p++)
    {
      gint64 a = *routers > 0 ? *routers : 2 * p;
      gint64 g = config->groups > 0 ? config->groups : open ? a * p + 1 : n;
      if (power (a, 1, n) * p * MIN (g, n) >= n)
        *hosts = p;
    }
  if (*routers == 0)
    *routers = 2 * *hosts;
  if (config->chassis == 0)
    config->chassis = 1;
  gint64 group = MIN (*routers, MAX_NODES) * MIN (*hosts, MAX_NODES);
  if (config->groups == 0)
    config->groups = (n + group - 1) / group;
  return MIN (group, MAX_NODES + 1) * MIN (config->groups, MAX_NODES + 1);
}

/* Completes the shape; returns how many nodes it holds. */
static gint64
complete (PdFlowConfig *config, gint64 n)
{
  switch ((PdFlowTopology) config->topology)
    {
    case PD_FLOW_TREE:
      config->leaf = config->leaf == 0 ? DEFAULT_LEAF : config->leaf;
      config->uplinks = config->uplinks == 0 ? 1 : config->uplinks;
      return MAX_NODES;
    case PD_FLOW_FAT_TREE:
      return complete_fat_tree (config, n);
    case PD_FLOW_TORUS:
      return complete_torus (config, n);
    case PD_FLOW_DRAGONFLY:
      return complete_dragonfly (config, n);
    case PD_FLOW_CROSSBAR:
    case PD_FLOW_STAR:
    case PD_FLOW_N_TOPOLOGIES:
      break;
    }
  return MAX_NODES;
}

/* Routes rely on it. */
static gboolean
check_dragonfly (const PdFlowConfig *config, char **reason)
{
  if (config->topology != PD_FLOW_DRAGONFLY)
    return TRUE;
  if (config->routers % config->chassis != 0)
    *reason = g_strdup_printf ("chassis: expected a divisor of the routers, %" G_GINT64_FORMAT,
                               config->routers);
  else if (config->gates == PD_FLOW_NUMBERED && config->groups > config->routers / config->chassis)
    *reason = g_strdup_printf ("gates: numbered ones need as many routers in each chassis as there "
                               "are groups, %" G_GINT64_FORMAT,
                               config->groups);
  return *reason == NULL;
}

gboolean
pd_flow_check (gpointer config, guint32 n_endpoints, char **reason)
{
  PdFlowConfig *self = config;
  gint64 n_links, max_hops;

  if (!check_params (self, reason))
    return FALSE;
  gint64 n = complete (self, MAX (1, n_endpoints));
  if (self->topology == PD_FLOW_FAT_TREE && (self->arity < 2 || self->arity > MAX_NODES))
    *reason = g_strdup_printf ("arity: expected 2 to %d", MAX_NODES);
  else if (self->topology == PD_FLOW_FAT_TREE && self->arity % self->oversubscription != 0)
    *reason = g_strdup_printf (
        "oversubscription: expected a divisor of the arity, %" G_GINT64_FORMAT, self->arity);
  else if (!check_dragonfly (self, reason))
    return FALSE;
  else if (n < n_endpoints)
    *reason = g_strdup_printf ("%u nodes hang on a %s for %" G_GINT64_FORMAT, n_endpoints,
                               topologies[self->topology], n);
  else
    {
      pd_flow_measure (self, n_endpoints, &n_links, &max_hops);
      if (n_links > MAX_LINKS)
        *reason = g_strdup_printf ("has more than %d links", MAX_LINKS);
      else if (max_hops > PD_FLOW_MAX_HOPS)
        *reason = g_strdup_printf ("paths of up to %" G_GINT64_FORMAT " links, expected at most %d",
                                   max_hops, PD_FLOW_MAX_HOPS);
    }
  return *reason == NULL;
}
