/* The flow network: hand-worked sequences, paths of each topology, and random
 * traffic against a slow model that computes all rates anew after every change.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/net-flow-private.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/net/pd-sharing-private.h"
#include "tests/support/comsys/network-callbacks.h"
#include "comsys/net/net-flow-route-private.h"
#include "comsys/net/pd-sharing-solve-private.h"

#include <math.h>
#include <string.h>

#define US (1000000.0) /* ps */

/* @spec: what stands behind "flow:topology=" */
static PdMachine *
load (const char *spec, guint32 n)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *full = g_strconcat ("flow:topology=", spec, NULL);
  PdMachine *machine = pd_machine_load (full, NULL, n, &error);

  g_assert_no_error (error);
  return machine;
}

static TestHost *
host_new (const char *spec, guint32 n, guint32 n_transfers)
{
  return test_host_new (load (spec, n), n, n_transfers);
}

/* ---- sequences worked out by hand */

typedef struct
{
  gdouble at; /* us */
  guint32 source, target;
  gint64 bytes; /* negative: a control message */
  gdouble end;  /* us */
} Message;

static const struct
{
  const char *name;
  const char *spec;
  guint32 n;
  Message messages[8];
} sequences[] = {
  /* 1 GB/s is 1000 bytes in 1 us */
  { "crossbar/nothing-shared",
    "crossbar,latency=10us,bandwidth=1GB/s",
    3,
    { { 0, 0, 1, 1000, 11 }, { 0, 0, 2, 1000, 11 }, { 0, 0, 1, 5000, 15 }, { 3, 2, 2, 0, 13 } } },
  { "crossbar/control", "crossbar,latency=10us,bandwidth=1GB/s", 2, { { 1, 0, 1, -1, 11 } } },
  { "star/alone", "star,nic-latency=5us,nic-bandwidth=3GB/s", 2, { { 0, 0, 1, 1000, 10.333333 } } },
  { "star/control",
    "star,nic-latency=5us,nic-bandwidth=1GB/s",
    2,
    { { 0, 0, 1, -1, 10 }, { 0, 1, 0, 0, 10 } } },
  { "star/two-directions",
    "star,nic-latency=5us,nic-bandwidth=1GB/s",
    2,
    { { 0, 0, 1, 1000, 11 }, { 0, 1, 0, 1000, 11 } } },
  { "star/same-pair",
    "star,nic-latency=5us,nic-bandwidth=1GB/s",
    2,
    { { 0, 0, 1, 1000, 12 }, { 0, 0, 1, 1000, 12 } } },
  /* each of n has 1/n until the shorter ones are through: all end with their bytes summed up */
  { "star/incast",
    "star,nic-latency=5us,nic-bandwidth=1GB/s",
    4,
    { { 0, 1, 0, 1000, 13 }, { 0, 2, 0, 2000, 15 }, { 0, 3, 0, 3000, 16 } } },
  /* down 1 is shared up to 1 ms, then 0.5 MB are left for the second one alone */
  { "star/one-leaves",
    "star,nic-latency=5us,nic-bandwidth=1GB/s,sharing=rtt",
    3,
    { { 0, 0, 1, 500000, 1010 }, { 0, 2, 1, 1000000, 1510 } } },
  /* SimGrid's c11 and c12, with its envelopes of 16 bytes */
  { "star/reference-incast",
    "star,nic-latency=5us,nic-bandwidth=1GB/s,sharing=rtt",
    16,
    { { 0, 1, 0, 1000016, 4010.064 },
      { 0, 2, 0, 2000016, 7010.064 },
      { 0, 3, 0, 3000016, 9010.064 },
      { 0, 4, 0, 4000016, 10010.064 } } },
  { "star/reference-exchange",
    "star,nic-latency=5us,nic-bandwidth=1GB/s,sharing=rtt",
    16,
    { { 0, 0, 1, 1000016, 1510.032 },
      { 0, 1, 0, 1000016, 1010.016 },
      { 0, 2, 1, 500016, 1010.032 } } },
  /* the second comes when the first has 1000 bytes to go: until 14 both have half */
  { "star/one-arrives",
    "star,nic-latency=5us,nic-bandwidth=1GB/s",
    3,
    { { 0, 0, 1, 2000, 13 }, { 1, 2, 1, 1000, 13 } } },
  /* two of node 0 share up 0; 2 to 1 has what they leave of down 1, which is half */
  { "star/three-over-two",
    "star,nic-latency=5us,nic-bandwidth=1GB/s",
    4,
    { { 0, 0, 1, 1000, 12 }, { 0, 0, 3, 1000, 12 }, { 0, 2, 1, 1000, 12 } } },
  /* up 0 carries three: a third each; down 1 has two thirds for the other one */
  { "star/a-third-and-the-rest",
    "star,nic-latency=5us,nic-bandwidth=1GB/s",
    5,
    { { 0, 0, 1, 1000, 13 },
      { 0, 0, 3, 1000, 13 },
      { 0, 0, 4, 1000, 13 },
      { 0, 2, 1, 2000, 13 } } },
  /* latencies 4 and 8 us: weights 1 and 1/2 on the link up of node 0. The first one
   * begins at 4 alone, 4000 bytes by 8; then it has 2/3: 2000 bytes take 3 us, in
   * which the other gets 1000 of 3000; the rest alone */
  { "tree/rtt",
    "tree,nic-latency=2us,latency=2us,bandwidth=1GB/s,leaf=2,sharing=rtt",
    4,
    { { 0, 0, 1, 6000, 11 }, { 0, 0, 2, 3000, 13 } } },
  { "tree/equal",
    "tree,nic-latency=2us,latency=2us,bandwidth=1GB/s,leaf=2",
    4,
    { { 0, 0, 1, 6000, 12 }, { 0, 0, 2, 3000, 13 } } },
  { "tree/uplink",
    "tree,nic-latency=1us,latency=1us,bandwidth=1GB/s,nic-bandwidth=2GB/s,leaf=2",
    4,
    { { 0, 0, 2, 1000, 6 }, { 0, 1, 3, 1000, 6 }, { 20, 0, 1, 1000, 22.5 } } },
  { "tree/two-uplinks",
    "tree,nic-latency=1us,latency=1us,bandwidth=1GB/s,nic-bandwidth=2GB/s,leaf=2,uplinks=2",
    4,
    { { 0, 0, 2, 1000, 5 }, { 0, 1, 3, 1000, 5 } } },
  /* to 2 and 3: different links up */
  { "fat-tree/full",
    "fat-tree,latency=1us,bandwidth=1GB/s,arity=2,levels=3",
    8,
    { { 0, 0, 2, 1000, 3 }, { 0, 1, 3, 1000, 3 }, { 20, 0, 7, 1000, 25 } } },
  /* to even nodes by the same link up: halves from 2 on, thirds from 4 on */
  { "fat-tree/same-uplink",
    "fat-tree,latency=1us,bandwidth=1GB/s,arity=2,levels=3",
    8,
    { { 0, 0, 2, 2000, 6.5 }, { 0, 1, 2, 2000, 6.5 }, { 0, 1, 6, 500, 5.5 } } },
  { "fat-tree/oversubscribed",
    "fat-tree,latency=1us,bandwidth=1GB/s,arity=2,levels=2,oversubscription=2",
    4,
    { { 0, 0, 2, 1000, 4 }, { 0, 1, 3, 1000, 4 } } },
  /* 0 to 2 in a ring of 5: over 1; 0 to 3: over 4 */
  { "torus/shorter-direction",
    "torus,latency=1us,bandwidth=1GB/s,nic-bandwidth=10GB/s,dimensions=5",
    5,
    { { 0, 0, 2, 1000, 4 }, { 0, 0, 3, 1000, 3 }, { 1, 1, 2, 1000, 4 } } },
  { "torus/shared",
    "torus,latency=1us,bandwidth=1GB/s,nic-bandwidth=10GB/s,dimensions=2x5",
    10,
    { { 0, 5, 7, 1000, 4 }, { 1, 6, 7, 1000, 4 }, { 9, 0, 5, 1000, 11 } } },
  /* 0 to 2 by latencies of 2 us, 1 to 2 and 0 to itself by 1 us: a third and two of the link from 1
   * to 2; then a third and two of the link up of 0 */
  { "torus/rtt-without-nic-latency",
    "torus,latency=1us,bandwidth=1GB/s,dimensions=5,sharing=rtt",
    5,
    { { 0, 0, 2, 1000, 5 },
      { 1, 1, 2, 2000, 5 },
      { 20, 0, 2, 1000, 25 },
      { 22, 0, 0, 2000, 25 } } },
  /* 2 to 0 in a ring of 4: over 1 in SimGrid, not over 3; 1 to 3 over 2 as usual */
  { "torus/half-way",
    "torus,latency=1us,bandwidth=1GB/s,nic-bandwidth=10GB/s,dimensions=4",
    4,
    { { 0, 2, 0, 1000, 4 },
      { 1, 2, 3, 1000, 4 },
      { 10, 2, 0, 1000, 14 },
      { 10, 1, 3, 1000, 14 } } },
  { "torus/half-way-simgrid",
    "torus,latency=1us,bandwidth=1GB/s,nic-bandwidth=10GB/s,dimensions=4,compat=simgrid",
    4,
    { { 0, 2, 0, 1000, 3 },
      { 1, 2, 3, 1000, 3 },
      { 10, 2, 0, 1000, 13 },
      { 10, 1, 3, 1000, 13 } } },
  /* groups of 2 routers of 1 node; the link between them joins 0 and 2, and is slow */
  { "dragonfly/paths",
    "dragonfly,latency=1us,bandwidth=1GB/s,global-latency=5us,global-bandwidth=100MB/s,groups=2,"
    "routers=2,hosts=1",
    4,
    { { 0, 0, 1, 1000, 2 }, { 0, 0, 2, 1000, 15 }, { 20, 1, 3, 1000, 37 } } },
  /* the same groups: the link between them joins 1 and 2 */
  { "dragonfly/numbered-gates",
    "dragonfly,latency=1us,bandwidth=1GB/s,global-latency=5us,groups=2,routers=2,hosts=1,"
    "gates=numbered",
    4,
    { { 0, 1, 2, 1000, 6 }, { 20, 0, 3, 1000, 28 }, { 40, 3, 1, 1000, 47 } } },
  /* one group, chassis 0 of routers 0 and 1, chassis 1 of 2 and 3: 0 to 3 by way of 1, as 1 to 3 */
  { "dragonfly/chassis",
    "dragonfly,latency=1us,bandwidth=1GB/s,nic-bandwidth=10GB/"
    "s,groups=1,routers=4,hosts=1,chassis=2",
    4,
    { { 0, 0, 1, 1000, 2 },
      { 10, 0, 2, 1000, 12 },
      { 20, 0, 3, 1000, 23 },
      { 30, 0, 3, 1000, 34 },
      { 31, 1, 3, 1000, 34 } } },
  /* from chassis 1 to chassis 0 in one hop, from 2 to 3, both of chassis 1, in two */
  { "dragonfly/chassis-simgrid",
    "dragonfly,latency=1us,bandwidth=1GB/s,nic-bandwidth=10GB/"
    "s,groups=1,routers=4,hosts=1,chassis=2,"
    "compat=simgrid",
    4,
    { { 0, 2, 1, 1000, 2 },
      { 10, 2, 3, 1000, 13 },
      { 20, 3, 1, 1000, 22 },
      { 30, 0, 3, 1000, 33 } } },
  { "star/no-latency",
    "star,nic-bandwidth=1GB/s",
    3,
    { { 0, 0, 1, 1000, 2 }, { 0, 2, 1, 1000, 2 }, { 2, 0, 1, 1000, 3 } } },
};

static void
test_sequence (gconstpointer data)
{
  gsize n = GPOINTER_TO_SIZE (data);
  const Message *m = sequences[n].messages;
  TestHost *host = host_new (sequences[n].spec, sequences[n].n, 8);
  guint32 count = 0;

  for (; count < 8 && m[count].end > 0; count++)
    ;
  for (gdouble now = 0; now < 100; now += 0.5)
    for (guint32 i = 0; i < count; i++)
      if (fabs (m[i].at - now) < 0.01)
        {
          PdTransfer transfer = { .source = m[i].source,
                                  .target = m[i].target,
                                  .bytes = MAX (0, m[i].bytes),
                                  .control = m[i].bytes < 0 };
          test_host_request (host, i, (gint64) (now * US), &transfer);
        }
  test_host_run (host, G_MAXINT64 - 1);
  for (guint32 i = 0; i < count; i++)
    g_assert_cmpint (host->delivered[i], ==, (gint64) floor (m[i].end * US + 0.5));
  test_host_free (host);
}

/* ---- a slow model: all rates anew after every change */

typedef struct
{
  guint32 links[PD_FLOW_MAX_HOPS];
  guint32 n_links;
  gdouble weight;
  gdouble left; /* bytes */
  gdouble rate;
  gint64 begin; /* ps, after the latency */
  gint64 end;   /* -1: not yet */
  gboolean is_on;
  gboolean is_done; /* of one computation */
  guint64 path;
} SlowFlow;

/* Bytes per ps for all flows that are on, by filling up the links together. */
static void
slow_rates (const PdFlowRoutes *routes, SlowFlow *flows, guint n)
{
  g_autofree gdouble *left = g_new (gdouble, routes->n_links);
  g_autofree gdouble *weights = g_new (gdouble, routes->n_links);

  for (guint32 l = 0; l < routes->n_links; l++)
    left[l] = pd_flow_get_bandwidth (routes, l) / 1e12;
  for (guint i = 0; i < n; i++)
    flows[i].is_done = !flows[i].is_on;
  for (;;)
    {
      gdouble least = INFINITY;
      memset (weights, 0, routes->n_links * sizeof *weights);
      for (guint i = 0; i < n; i++)
        for (guint32 h = 0; !flows[i].is_done && h < flows[i].n_links; h++)
          weights[flows[i].links[h]] += flows[i].weight;
      for (guint32 l = 0; l < routes->n_links; l++)
        if (weights[l] > 0)
          least = MIN (least, left[l] / weights[l]);
      if (isinf (least))
        return;
      for (guint i = 0; i < n; i++)
        for (guint32 h = 0; !flows[i].is_done && h < flows[i].n_links; h++)
          {
            guint32 l = flows[i].links[h];
            if (weights[l] > 0 && left[l] / weights[l] <= least * (1 + 1e-13))
              {
                flows[i].is_done = TRUE;
                flows[i].rate = flows[i].weight * least;
              }
          }
      for (guint32 l = 0; l < routes->n_links; l++)
        left[l] = pd_flow_get_bandwidth (routes, l) / 1e12;
      for (guint i = 0; i < n; i++)
        for (guint32 h = 0; flows[i].is_on && flows[i].is_done && h < flows[i].n_links; h++)
          left[flows[i].links[h]] -= flows[i].rate;
    }
}

static const struct
{
  const char *name;
  const char *spec;
  guint32 n;
} topologies[] = {
  { "star", "star,nic-latency=5us,nic-bandwidth=1GB/s", 12 },
  { "tree", "tree,nic-latency=1us,latency=2us,bandwidth=3GB/s,nic-bandwidth=1GB/s,leaf=4", 14 },
  { "tree-rtt",
    "tree,nic-latency=1us,latency=2us,bandwidth=3GB/s,nic-bandwidth=1GB/s,leaf=4,uplinks=2,"
    "sharing=rtt",
    14 },
  { "fat-tree", "fat-tree,nic-latency=1us,latency=1us,bandwidth=1GB/s,arity=3,levels=3", 27 },
  { "fat-tree-thin",
    "fat-tree,nic-latency=1us,latency=1us,bandwidth=1GB/s,arity=4,levels=3,oversubscription=2,"
    "sharing=rtt",
    50 },
  { "torus",
    "torus,nic-latency=1us,latency=1us,bandwidth=1GB/s,nic-bandwidth=2GB/s,"
    "dimensions=4x3x3",
    36 },
  { "torus-rtt", "torus,nic-latency=1us,latency=1us,bandwidth=1GB/s,dimensions=6x6,sharing=rtt",
    36 },
  { "dragonfly",
    "dragonfly,nic-latency=1us,latency=1us,bandwidth=1GB/s,global-bandwidth=700MB/s,groups=5,"
    "routers=3,hosts=2",
    30 },
  { "dragonfly-rtt",
    "dragonfly,nic-latency=1us,latency=1us,bandwidth=1GB/s,global-latency=3us,groups=5,routers=3,"
    "hosts=2,sharing=rtt",
    30 },
  { "dragonfly-chassis",
    "dragonfly,nic-latency=1us,latency=1us,bandwidth=1GB/s,groups=3,routers=6,hosts=2,chassis=2,"
    "gates=numbered,sharing=rtt",
    36 },
};

static gdouble
slow_capacity (gconstpointer data, guint32 link)
{
  return pd_flow_get_bandwidth (data, link);
}

static void
assert_rates (const PdSharing *sharing, const PdFlowRoutes *routes, SlowFlow *flows, guint n)
{
  slow_rates (routes, flows, n);
  for (guint i = 0; i < n; i++)
    if (flows[i].is_on)
      {
        guint32 flow = pd_sharing_find (sharing, flows[i].path);
        g_assert_cmpuint (flow, !=, PD_SHARING_NONE);
        const PdShareFlow *f = pd_sharing_flow (sharing, flow);
        gdouble rate = f->unit * pd_sharing_level (sharing, f);
        g_assert_cmpfloat (fabs (rate - flows[i].rate), <=, 1e-9 * flows[i].rate);
      }
}

/* Who sends to whom in test_rates(). */
typedef enum
{
  TO_FEW,   /* half of them meet at few nodes */
  TO_ONE,   /* most of them */
  FROM_ONE, /* most of them */
  ON_FEW,   /* all between three nodes: many have the same path */
  N_PATTERNS,
} Pattern;

static void
draw_ends (GRand *random, Pattern pattern, guint32 n, guint32 *source, guint32 *target)
{
  gboolean is_special = g_rand_int_range (random, 0, 100) < (pattern == TO_FEW ? 50 : 97);
  guint32 few = pattern == TO_FEW ? 4 : 1;

  *source = (guint32) g_rand_int_range (random, 0, (gint) n);
  *target = (guint32) g_rand_int_range (random, 0, (gint) n);
  if (pattern == ON_FEW)
    {
      *source = *source % 3 * (n / 3);
      *target = *target % 3 * (n / 3);
      return;
    }
  if (is_special && pattern == FROM_ONE)
    *source = 1;
  else if (is_special)
    *target %= few;
}

/* A message that shares from now on; also in the slow model, where it is a flow by itself. */
static void
enter_random (PdSharing *sharing, const PdFlowRoutes *routes, SlowFlow *slow, guint32 id,
              GRand *random, Pattern pattern)
{
  gboolean is_rtt = routes->config->sharing == PD_FLOW_RTT;
  guint32 source, target, class;

  draw_ends (random, pattern, routes->n_endpoints, &source, &target);
  slow->n_links = pd_flow_route (routes, source, target, slow->links, &class);
  slow->path = (guint64) source << 32 | target;
  slow->is_on = TRUE;
  slow->weight = is_rtt ? 1e6 / (gdouble) pd_flow_get_latency (routes, class).ps : 1;
  guint32 flow = pd_sharing_find (sharing, slow->path);
  if (flow == PD_SHARING_NONE)
    flow = pd_sharing_new_flow (sharing, slow->path, slow->links, slow->n_links, slow->weight);
  pd_sharing_enter (sharing, flow, (gint64) g_rand_int_range (random, 1, 5) * 1000000, id);
}

/* Rates of flows that come, and are through, compared after every change. */
static void
check_rates (gsize t, Pattern pattern, guint max_floats)
{
  enum
  {
    N_FLOWS = 200
  };
  g_autoptr (PdMachine) machine = load (topologies[t].spec, topologies[t].n);
  g_autofree SlowFlow *flows = g_new0 (SlowFlow, N_FLOWS);
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) t + 7);
  guint n_through = 0;
  PdFlowRoutes routes;
  PdSharing sharing;

  pd_flow_routes_init (&routes, machine->network->config, topologies[t].n);
  pd_sharing_init (&sharing, routes.n_links, routes.max_hops, slow_capacity, &routes);
  sharing.max_floats = max_floats;
  for (guint i = 0; i < N_FLOWS || sharing.n_due > 0;)
    {
      gint64 next = pd_sharing_get_next (&sharing);
      gboolean comes = i < N_FLOWS && (next < 0 || g_rand_int_range (random, 0, 100) < 65);
      guint n_come = comes ? (guint) g_rand_int_range (random, 1, 5) : 0;
      gint64 now = comes ? sharing.now + (next < 0 ? 5 : (next - sharing.now) / 3) : next;
      pd_sharing_complete (&sharing, now);
      for (guint32 d = 0; d < sharing.done.n; d++)
        flows[sharing.done.items[d]].is_on = FALSE;
      n_through += sharing.done.n;
      sharing.done.n = 0;
      for (; n_come > 0 && i < N_FLOWS; n_come--, i++)
        enter_random (&sharing, &routes, &flows[i], i, random, pattern);
      pd_sharing_update (&sharing);
      assert_rates (&sharing, &routes, flows, N_FLOWS);
    }
  g_assert_cmpuint (n_through, ==, N_FLOWS);
  if (max_floats == 0)
    g_assert_cmpuint (sharing.n_restless, >, 0);
  if (max_floats == 32)
    g_assert_cmpuint (sharing.n_restless, ==, 0);
  pd_sharing_clear (&sharing);
}

static void
test_rates (gconstpointer data)
{
  for (guint pattern = 0; pattern < N_PATTERNS; pattern++)
    check_rates (GPOINTER_TO_SIZE (data), (Pattern) pattern, 32);
}

/* The same where all that are connected are computed anew. */
static void
test_restless (gconstpointer data)
{
  check_rates (GPOINTER_TO_SIZE (data), TO_FEW, 0);
  check_rates (GPOINTER_TO_SIZE (data), TO_FEW, 1);
  check_rates (GPOINTER_TO_SIZE (data), TO_ONE, 0);
}

/* ---- whole messages against the slow model */

/* The next change at or after @now of flows that are on, or begin. */
static gint64
slow_next (const SlowFlow *flows, guint n, gdouble now)
{
  gdouble next = INFINITY;

  for (guint i = 0; i < n; i++)
    if (flows[i].is_on)
      next = MIN (next, now + flows[i].left / flows[i].rate);
    else if (flows[i].end < 0)
      next = MIN (next, (gdouble) flows[i].begin);
  return isinf (next) ? -1 : (gint64) floor (next + 0.5);
}

static void
slow_run (const PdFlowRoutes *routes, SlowFlow *flows, guint n)
{
  gint64 now = 0;

  for (gint64 next; (next = slow_next (flows, n, (gdouble) now)) >= 0; now = next)
    {
      for (guint i = 0; i < n; i++)
        {
          if (flows[i].is_on)
            flows[i].left -= flows[i].rate * (gdouble) (next - now);
          if (flows[i].is_on && flows[i].left <= 0.6 * flows[i].rate)
            {
              flows[i].is_on = FALSE;
              flows[i].end = next;
            }
          else if (!flows[i].is_on && flows[i].end < 0 && flows[i].begin <= next)
            flows[i].is_on = TRUE;
        }
      slow_rates (routes, flows, n);
    }
}

typedef struct
{
  PdTransfer transfer;
  gint64 when;
} Request;

static int
compare_requests (gconstpointer a, gconstpointer b)
{
  const Request *x = a, *y = b;

  return x->when < y->when ? -1 : x->when > y->when;
}

/* @ends: of each transfer by id; @order: as given, or each moment's reversed. */
static void
play (gsize t, const Request *requests, guint n, gboolean reversed, gint64 *ends)
{
  TestHost *host = host_new (topologies[t].spec, topologies[t].n, n);

  for (guint i = 0, j; i < n; i = j)
    {
      for (j = i; j < n && requests[j].when == requests[i].when; j++)
        ;
      for (guint k = i; k < j; k++)
        {
          const Request *r = &requests[reversed ? i + j - 1 - k : k];
          test_host_request (host, r->transfer.id, r->when, &r->transfer);
        }
    }
  test_host_run (host, G_MAXINT64 - 1);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpint (host->delivered[i], >=, 0);
      ends[i] = host->delivered[i];
    }
  test_host_free (host);
}

/* Each message is delivered once, when the slow model says so; the order of
 * requests of one moment does not matter, and a second run does the same. */
static void
test_messages (gconstpointer data)
{
  enum
  {
    N = 80
  };
  gsize t = GPOINTER_TO_SIZE (data);
  g_autoptr (PdMachine) machine = load (topologies[t].spec, topologies[t].n);
  const PdFlowConfig *config = machine->network->config;
  g_autofree SlowFlow *flows = g_new0 (SlowFlow, N);
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) t + 70);
  Request requests[N];
  gint64 first[N], second[N], reversed[N];
  PdFlowRoutes routes;

  pd_flow_routes_init (&routes, config, topologies[t].n);
  for (guint i = 0; i < N; i++)
    {
      PdTransfer transfer = { .id = i };
      transfer.source = (guint32) g_rand_int_range (random, 0, (gint) routes.n_endpoints);
      transfer.target = (guint32) g_rand_int_range (random, 0, i % 2 == 0 ? 3 : 12);
      transfer.bytes = g_rand_int_range (random, 1, 30) * 1000;
      requests[i] = (Request){ transfer, g_rand_int_range (random, 0, 20) * 5000000 };
    }
  qsort (requests, N, sizeof *requests, compare_requests);
  for (guint i = 0; i < N; i++)
    {
      const PdTransfer *transfer = &requests[i].transfer;
      SlowFlow *flow = &flows[transfer->id];
      guint32 class;
      flow->n_links =
          pd_flow_route (&routes, transfer->source, transfer->target, flow->links, &class);
      flow->weight = config->sharing == PD_FLOW_RTT
                         ? 1e6 / (gdouble) pd_flow_get_latency (&routes, class).ps
                         : 1;
      flow->begin = requests[i].when + pd_flow_get_latency (&routes, class).ps;
      flow->left = (gdouble) transfer->bytes;
      flow->end = -1;
    }
  slow_run (&routes, flows, N);
  play (t, requests, N, FALSE, first);
  play (t, requests, N, FALSE, second);
  play (t, requests, N, TRUE, reversed);
  for (guint i = 0; i < N; i++)
    {
      g_assert_cmpint (ABS (first[i] - flows[i].end), <=, 200);
      g_assert_cmpint (first[i], ==, second[i]);
      g_assert_cmpint (ABS (first[i] - reversed[i]), <=, 50);
    }
}

/* ---- paths */

/* Every pair's path is short, joins what it should, and its latency is that of
 * its links. */
static void
test_paths (gconstpointer data)
{
  gsize t = GPOINTER_TO_SIZE (data);
  g_autoptr (PdMachine) machine = load (topologies[t].spec, topologies[t].n);
  const PdFlowConfig *config = machine->network->config;
  guint32 links[PD_FLOW_MAX_HOPS], class, n = topologies[t].n;
  PdFlowRoutes routes;

  pd_flow_routes_init (&routes, config, n);
  g_autofree guint32 *used = g_new0 (guint32, routes.n_links);
  for (guint32 a = 0; a < n; a++)
    for (guint32 b = 0; b < n; b++)
      {
        guint32 n_hops = pd_flow_route (&routes, a, b, links, &class);
        gint64 latency = 2 * config->nic_latency.ps;
        g_assert_cmpuint (n_hops, <=, routes.max_hops);
        g_assert_cmpuint (class, <, routes.n_classes);
        g_assert_cmpuint (class, ==, pd_flow_get_class (&routes, a, b));
        g_assert_cmpuint (links[0], ==, 2 * a);
        g_assert_cmpuint (links[n_hops - 1], ==, 2 * b + 1);
        for (guint32 h = 0; h < n_hops; h++)
          {
            g_assert_cmpuint (links[h], <, routes.n_links);
            for (guint32 i = 0; i < h; i++)
              g_assert_cmpuint (links[h], !=, links[i]);
            used[links[h]]++;
            if (h > 0 && h + 1 < n_hops)
              latency +=
                  (links[h] < routes.first_global ? config->latency : config->global_latency).ps;
          }
        g_assert_cmpint (pd_flow_get_latency (&routes, class).ps, ==, latency);
      }
  for (guint32 l = 0; l < routes.first_inner; l++)
    g_assert_cmpuint (used[l], ==, n);
}

/* In a full fat tree all can send at once, each to the one so many further on,
 * without sharing anything. */
static void
test_fat_tree_shifts (void)
{
  g_autoptr (PdMachine) machine =
      load ("fat-tree,latency=1us,bandwidth=1GB/s,arity=4,levels=3", 64);
  guint32 links[PD_FLOW_MAX_HOPS], class;
  PdFlowRoutes routes;

  pd_flow_routes_init (&routes, machine->network->config, 64);
  for (guint32 shift = 1; shift < 64; shift++)
    {
      g_autofree guint32 *used = g_new0 (guint32, routes.n_links);
      for (guint32 a = 0; a < 64; a++)
        {
          guint32 n_hops = pd_flow_route (&routes, a, (a + shift) % 64, links, &class);
          for (guint32 h = 0; h < n_hops; h++)
            g_assert_cmpuint (++used[links[h]], ==, 1);
        }
    }
}

/* ---- larger cases */

/* All to all at once on a star: 2 n - 2 messages share each node's links. */
static void
test_all_to_all (void)
{
  enum
  {
    N = 40
  };
  TestHost *host = host_new ("star,nic-latency=5us,nic-bandwidth=1GB/s", N, N * N);

  for (guint32 a = 0; a < N; a++)
    for (guint32 b = 0; b < N; b++)
      if (a != b)
        test_host_request (host, a * N + b, 0,
                           &(PdTransfer){ .source = a, .target = b, .bytes = 1000 });
  test_host_run (host, G_MAXINT64 - 1);
  for (guint32 a = 0; a < N; a++)
    for (guint32 b = 0; b < N; b++)
      if (a != b)
        g_assert_cmpint (ABS (host->delivered[a * N + b] - (10000000 + (N - 1) * 1000000)), <=, 1);
  test_host_free (host);
}

static void
test_overflow (void)
{
  TestHost *host = host_new ("star,nic-latency=5us,nic-bandwidth=1B/s", 3, 3);

  test_host_request (host, 0, 0, &(PdTransfer){ .source = 0, .target = 1, .bytes = G_MAXINT64 });
  test_host_request (host, 1, 0, &(PdTransfer){ .source = 2, .target = 1, .bytes = 1000 });
  test_host_run (host, G_MAXINT64);
  g_assert_cmpint (host->delivered[0], ==, G_MAXINT64);
  g_assert_cmpint (host->delivered[1], ==, 10000000 + 2000 * PD_PS_PER_S);
  test_host_free (host);
}

/* What a message takes alone is exact for large sizes too. */
static void
test_exact (void)
{
  static const gint64 sizes[] = { 1, 999, 65537, 1000003, 123456789, 10000000007 };
  TestHost *host =
      host_new ("fat-tree,nic-latency=1us,latency=1us,bandwidth=25GB/s", 200, G_N_ELEMENTS (sizes));

  for (guint32 i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      gint64 when = i * PD_PS_PER_S;
      test_host_request (host, i, when,
                         &(PdTransfer){ .source = 0, .target = 199, .bytes = sizes[i] });
      test_host_run (host, when + PD_PS_PER_S - 1);
      g_assert_cmpint (host->delivered[i], ==, when + 4000000 + 40 * sizes[i]);
    }
  test_host_free (host);
}

static void
add_cases (const char *folder, gsize i, const char *name, GTestDataFunc func)
{
  g_autofree char *path = g_strdup_printf ("/comsys/net-flow/%s/%s", folder, name);

  g_test_add_data_func (path, GSIZE_TO_POINTER (i), func);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (sequences); i++)
    add_cases ("sequence", i, sequences[i].name, test_sequence);
  for (gsize i = 0; i < G_N_ELEMENTS (topologies); i++)
    {
      add_cases ("paths", i, topologies[i].name, test_paths);
      add_cases ("rates", i, topologies[i].name, test_rates);
      add_cases ("restless", i, topologies[i].name, test_restless);
      add_cases ("messages", i, topologies[i].name, test_messages);
    }
  g_test_add_func ("/comsys/net-flow/paths/fat-tree-shifts", test_fat_tree_shifts);
  g_test_add_func ("/comsys/net-flow/all-to-all", test_all_to_all);
  g_test_add_func ("/comsys/net-flow/overflow", test_overflow);
  g_test_add_func ("/comsys/net-flow/exact", test_exact);
  return g_test_run ();
}
