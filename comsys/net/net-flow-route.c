/* The links of the flow network, and which of them a message crosses: always the
 * same ones between two nodes, as few as can be.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/net-flow-private.h"
#include "comsys/net/net-flow-route-private.h"

/* ---- sizes */

static gint64
ceil_divide (gint64 a, gint64 b)
{
  return (a + b - 1) / b;
}

/* Saturates where all products are too many. */
static gint64
multiply (gint64 a, gint64 b)
{
  gint64 product;
  return __builtin_mul_overflow (a, b, &product) ? G_MAXINT64 / 4 : MIN (product, G_MAXINT64 / 4);
}

static gint64
measure_fat_tree (const PdFlowConfig *config, gint64 n, gint64 *max_hops)
{
  gint64 below = 1, width = 1, n_links = 0, n_levels = 1;
  gint64 up = config->arity / config->oversubscription;

  for (below = config->arity; below < n; below *= config->arity, n_levels++)
    {
      width *= up;
      n_links += 2 * ceil_divide (n, below) * width;
    }
  *max_hops = 2 * n_levels;
  return n_links;
}

static gint64
measure_torus (const PdShape *box, gint64 *max_hops)
{
  gint64 n_links = 2 * (gint64) box->n;

  *max_hops = 2;
  for (guint i = 0; i < box->n; i++)
    {
      n_links = multiply (n_links, box->extents[i]);
      *max_hops += box->extents[i] / 2;
    }
  return n_links;
}

void
pd_flow_measure (const PdFlowConfig *config, guint32 n_endpoints, gint64 *n_links, gint64 *max_hops)
{
  gint64 n = MAX (1, n_endpoints), group, n_groups;

  *max_hops = 2;
  *n_links = 2 * n;
  switch ((PdFlowTopology) config->topology)
    {
    case PD_FLOW_TREE:
      *max_hops = 4;
      *n_links += multiply (2 * ceil_divide (n, config->leaf), config->uplinks);
      break;
    case PD_FLOW_FAT_TREE:
      *n_links += measure_fat_tree (config, n, max_hops);
      break;
    case PD_FLOW_TORUS:
      *n_links += measure_torus (&config->dimensions, max_hops);
      break;
    case PD_FLOW_DRAGONFLY:
      group = multiply (config->routers, config->hosts);
      n_groups = ceil_divide (n, group);
      *max_hops = config->chassis > 1 ? 7 : 5;
      *n_links += multiply (n_groups, multiply (config->routers, config->routers));
      *n_links += n_groups * n_groups;
      break;
    case PD_FLOW_CROSSBAR:
    case PD_FLOW_STAR:
    case PD_FLOW_N_TOPOLOGIES:
      break;
    }
}

static void
init_fat_tree (PdFlowRoutes *self)
{
  const PdFlowConfig *config = self->config;
  guint32 link = self->first_inner, n = MAX (1, self->n_endpoints);
  gint64 below = config->arity, width = 1;
  guint32 level = 1;

  for (; below < n; below *= config->arity, level++)
    {
      guint32 n_groups = (guint32) ceil_divide (n, below);
      width *= config->arity / config->oversubscription;
      self->below[level] = (guint32) below;
      self->width[level] = (guint32) width;
      self->up[level] = link;
      self->down[level] = link + n_groups * (guint32) width;
      link += 2 * n_groups * (guint32) width;
    }
  self->n_levels = level;
  self->n_classes = level;
}

static void
init_dragonfly (PdFlowRoutes *self)
{
  const PdFlowConfig *config = self->config;
  gint64 group = config->routers * config->hosts;

  self->n_groups = (guint32) ceil_divide (MAX (1, self->n_endpoints), group);
  self->n_global = (guint32) MAX (1, ceil_divide ((gint64) self->n_groups - 1, config->routers));
  self->first_global =
      self->first_inner + self->n_groups * (guint32) (config->routers * config->routers);
  self->n_blades = (guint32) (config->routers / config->chassis);
  self->max_local = config->chassis > 1 ? 4 : 2;
  self->n_classes = 2 * (self->max_local + 1);
}

void
pd_flow_routes_init (PdFlowRoutes *self, const PdFlowConfig *config, guint32 n_endpoints)
{
  gint64 n_links, max_hops;

  pd_flow_measure (config, n_endpoints, &n_links, &max_hops);
  *self = (PdFlowRoutes){ .config = config, .n_endpoints = n_endpoints, .n_classes = 1 };
  self->n_links = (guint32) n_links;
  self->max_hops = (guint32) max_hops;
  self->first_inner = 2 * MAX (1, n_endpoints);
  self->first_global = self->n_links;
  switch ((PdFlowTopology) config->topology)
    {
    case PD_FLOW_TREE:
      self->n_classes = 2;
      break;
    case PD_FLOW_FAT_TREE:
      init_fat_tree (self);
      break;
    case PD_FLOW_TORUS:
      self->n_classes = self->max_hops - 1;
      break;
    case PD_FLOW_DRAGONFLY:
      init_dragonfly (self);
      break;
    case PD_FLOW_CROSSBAR:
    case PD_FLOW_STAR:
    case PD_FLOW_N_TOPOLOGIES:
      break;
    }
}

/* ---- paths between switches; each returns their class and, with @links, adds
 * them there */

static guint32
route_tree (const PdFlowRoutes *self, guint32 source, guint32 target, guint32 **links)
{
  guint32 leaf = (guint32) self->config->leaf, n_up = (guint32) self->config->uplinks;
  guint32 from = source / leaf, to = target / leaf, which = target % n_up;

  if (from == to)
    return 0;
  if (links != NULL)
    {
      *(*links)++ = self->first_inner + 2 * (from * n_up + which);
      *(*links)++ = self->first_inner + 2 * (to * n_up + which) + 1;
    }
  return 1;
}

/* Up to the lowest level that holds both, at each by the link that the target's
 * number says (D-mod-k), and down the only way there is from there. */
static guint32
route_fat_tree (const PdFlowRoutes *self, guint32 source, guint32 target, guint32 **links)
{
  guint32 top = 1;

  for (; top < self->n_levels && source / self->below[top] != target / self->below[top]; top++)
    if (links != NULL)
      *(*links)++ =
          self->up[top] + source / self->below[top] * self->width[top] + target % self->width[top];
  for (guint32 i = top - 1; links != NULL && i > 0; i--)
    *(*links)++ =
        self->down[i] + target / self->below[i] * self->width[i] + target % self->width[i];
  return top - 1;
}

/* Whether the way up from @x is taken, over @ahead links; up where both are equally long, but
 * in SimGrid not from the middle. */
static gboolean
goes_up (const PdFlowConfig *config, guint32 extent, guint32 x, guint32 ahead)
{
  if (config->compat == PD_FLOW_COMPAT_SIMGRID && 2 * ahead == extent && 2 * x == extent)
    return FALSE;
  return ahead <= extent - ahead;
}

/* Dimension by dimension, the last one first, each in the shorter direction. */
static guint32
route_torus (const PdFlowRoutes *self, guint32 source, guint32 target, guint32 **links)
{
  const PdShape *box = &self->config->dimensions;
  guint32 at = source, n_hops = 0, stride = 1, rest_from = source, rest_to = target;

  for (guint i = box->n; i-- > 0;)
    {
      guint32 extent = (guint32) box->extents[i];
      guint32 x = rest_from % extent, to = rest_to % extent;
      guint32 ahead = to >= x ? to - x : to + extent - x;
      gboolean up = goes_up (self->config, extent, x, ahead);
      guint32 n = up ? ahead : extent - ahead;
      n_hops += n;
      for (; links != NULL && n > 0; n--)
        {
          *(*links)++ = self->first_inner + 2 * (at * box->n + i) + (up ? 0 : 1);
          guint32 next = up ? (x + 1 == extent ? 0 : x + 1) : (x == 0 ? extent - 1 : x - 1);
          at = at - x * stride + next * stride;
          x = next;
        }
      rest_from /= extent;
      rest_to /= extent;
      stride *= extent;
    }
  return n_hops;
}

/* The router of @group with the link to @other. */
static guint32
get_gate (const PdFlowRoutes *self, guint32 group, guint32 other)
{
  if (self->config->gates == PD_FLOW_NUMBERED)
    return other;
  return (other < group ? other : other - 1) / self->n_global;
}

static guint32
cross_local (const PdFlowRoutes *self, guint32 group, guint32 from, guint32 to, guint32 **links)
{
  guint32 n = (guint32) self->config->routers;

  if (from == to)
    return 0;
  if (links != NULL)
    *(*links)++ = self->first_inner + (group * n + from) * n + to;
  return 1;
}

/* Within the chassis to the router with the place of @to in its own, then there. Between @nodes of
 * one group SimGrid goes on from the first chassis, whichever it is in. */
static guint32
route_local (const PdFlowRoutes *self, guint32 group, guint32 from, guint32 to, gboolean nodes,
             guint32 **links)
{
  guint32 place = to % self->n_blades, corner = from - from % self->n_blades + place;
  guint32 n_hops = cross_local (self, group, from, corner, links);

  if (n_hops > 0 && nodes && self->config->compat == PD_FLOW_COMPAT_SIMGRID)
    corner = place;
  return n_hops + cross_local (self, group, corner, to, links);
}

static guint32
route_dragonfly (const PdFlowRoutes *self, guint32 source, guint32 target, guint32 **links)
{
  guint32 hosts = (guint32) self->config->hosts, n = (guint32) self->config->routers;
  guint32 from = source / hosts, to = target / hosts;
  guint32 a = from / n, b = to / n;

  if (a == b)
    return route_local (self, a, from % n, to % n, TRUE, links);
  guint32 n_local = route_local (self, a, from % n, get_gate (self, a, b), FALSE, links);
  if (links != NULL)
    *(*links)++ = self->first_global + a * self->n_groups + b;
  n_local += route_local (self, b, get_gate (self, b, a), to % n, FALSE, links);
  return self->max_local + 1 + n_local;
}

static guint32
route_inner (const PdFlowRoutes *self, guint32 source, guint32 target, guint32 **links)
{
  switch ((PdFlowTopology) self->config->topology)
    {
    case PD_FLOW_TREE:
      return route_tree (self, source, target, links);
    case PD_FLOW_FAT_TREE:
      return route_fat_tree (self, source, target, links);
    case PD_FLOW_TORUS:
      return route_torus (self, source, target, links);
    case PD_FLOW_DRAGONFLY:
      return route_dragonfly (self, source, target, links);
    case PD_FLOW_CROSSBAR:
    case PD_FLOW_STAR:
    case PD_FLOW_N_TOPOLOGIES:
      break;
    }
  return 0;
}

guint32
pd_flow_get_class (const PdFlowRoutes *self, guint32 source, guint32 target)
{
  return route_inner (self, source, target, NULL);
}

guint32
pd_flow_route (const PdFlowRoutes *self, guint32 source, guint32 target, guint32 *links,
               guint32 *class)
{
  guint32 *end = links;

  *end++ = 2 * source;
  *class = route_inner (self, source, target, &end);
  *end++ = 2 * target + 1;
  return (guint32) (end - links);
}

void
pd_flow_count_inner (const PdFlowRoutes *self, guint32 class, guint32 *n_inner, guint32 *n_global)
{
  guint topology = self->config->topology;

  *n_inner = topology == PD_FLOW_TREE || topology == PD_FLOW_FAT_TREE ? 2 * class : class;
  *n_global = 0;
  if (topology != PD_FLOW_DRAGONFLY)
    return;
  *n_global = class / (self->max_local + 1);
  *n_inner = class % (self->max_local + 1);
}

PdTime
pd_flow_get_latency (const PdFlowRoutes *self, guint32 class)
{
  const PdFlowConfig *config = self->config;
  PdTime latency = pd_time_scale (config->nic_latency, 2, 1);
  guint32 n_inner, n_global;

  pd_flow_count_inner (self, class, &n_inner, &n_global);
  latency = pd_time_add (latency, pd_time_scale (config->latency, n_inner, 1));
  return pd_time_add (latency, pd_time_scale (config->global_latency, n_global, 1));
}

gdouble
pd_flow_get_bandwidth (const PdFlowRoutes *self, guint32 link)
{
  const PdFlowConfig *config = self->config;

  if (link < self->first_inner)
    return config->nic_bandwidth;
  return link < self->first_global ? config->bandwidth : config->global_bandwidth;
}
