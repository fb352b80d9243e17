/* The common structure of the machines of all lanes, and the costs of messages on each.
 * SPDX-License-Identifier: MIT */
#include "comsys/batch/pd-batch-costs-private.h"

#include "base/pd-hash-map.h"
#include "base/pd-time.h"
#include "comsys/batch/pd-batch-private.h"
#include "comsys/batch/pd-batch.h"
#include "comsys/queue/pd-lines.h"
#include "comsys/state/pd-function-costs.h"
#include "comsys/state/pd-lookup.h"

#include <string.h>

/* No message may take longer than that: 20 hours. */
#define MOST (PD_BATCH_TIME_LIMIT >> 4)
/* Nor what many of one wait may ask for: a second. */
#define MOST_OVERHEAD (PD_BATCH_TIME_LIMIT >> 20)

/* ---- comparing */

static gboolean
is_same_choice (const PdChosen *a, const PdChosen *b)
{
  return a->choice.min_ranks == b->choice.min_ranks && a->choice.max_ranks == b->choice.max_ranks
         && a->choice.up_to == b->choice.up_to && a->choice.when == b->choice.when
         && a->choice.segment == b->choice.segment && a->measure == b->measure
         && a->algorithm == b->algorithm && a->otherwise == b->otherwise;
}

static gboolean
is_same_set (const PdCollectiveSet *a, const PdCollectiveSet *b)
{
  if (a->is_simple != b->is_simple)
    return FALSE;
  for (guint op = 0; op < PD_N_OPS; op++)
    {
      if (a->chosen[op]->len != b->chosen[op]->len)
        return FALSE;
      for (guint i = 0; i < a->chosen[op]->len; i++)
        if (!is_same_choice (&g_array_index (a->chosen[op], PdChosen, i),
                             &g_array_index (b->chosen[op], PdChosen, i)))
          return FALSE;
    }
  return TRUE;
}

static gboolean
is_same_array (const guint32 *a, const guint32 *b, guint32 n)
{
  return a == b || (a != NULL && b != NULL && memcmp (a, b, n * sizeof *a) == 0);
}

/* Whether those that have one description in @a have one in @b. */
static gboolean
is_same_sharing (const GArray *a, const GArray *b)
{
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < a->len; i++)
    {
      gconstpointer x = g_array_index (a, PdNetworkInstance, i).description;
      gconstpointer y = g_array_index (b, PdNetworkInstance, i).description;
      gconstpointer other = g_hash_table_lookup (known, x);
      if (other == NULL)
        g_hash_table_insert (known, (gpointer) x, (gpointer) y);
      else if (other != y)
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_same_topology (const PdTopology *a, const PdTopology *b)
{
  if (a->is_flat != b->is_flat || a->n_processors != b->n_processors || a->n_nodes != b->n_nodes
      || a->instances->len != b->instances->len
      || !is_same_array (a->node_of, b->node_of, a->n_processors)
      || !is_same_array (a->network_of, b->network_of, a->n_nodes)
      || !is_same_array (a->endpoint_of, b->endpoint_of, a->n_nodes)
      || !is_same_array (a->memory_of, b->memory_of, a->n_nodes))
    return FALSE;
  for (guint i = 0; i < a->instances->len; i++)
    {
      const PdNetworkInstance *x = &g_array_index (a->instances, PdNetworkInstance, i);
      const PdNetworkInstance *y = &g_array_index (b->instances, PdNetworkInstance, i);
      if (x->parent != y->parent || x->endpoint != y->endpoint || x->n_endpoints != y->n_endpoints)
        return FALSE;
    }
  return is_same_sharing (a->instances, b->instances);
}

static gboolean
is_same_protocol (const PdNetworkLevel *a, const PdNetworkLevel *b)
{
  return a->class == b->class && a->protocol.eager == b->protocol.eager
         && a->protocol.detached == b->protocol.detached
         && a->protocol.free_control == b->protocol.free_control
         && a->costs.until_match == b->costs.until_match
         && a->costs.to_itself == b->costs.to_itself;
}

/* Why messages of @level need more than their own time; NULL if they do not. */
static const char *
find_obstacle (const PdNetworkLevel *level)
{
  const PdNetworkCosts *costs = &level->costs;

  if (level->class->is_unshared == NULL || !level->class->is_unshared (level->network))
    return "messages share networks";
  if (costs->send_overhead.ps != 0 || costs->send_per_byte > 0 || costs->recv_overhead.ps != 0
      || costs->recv_per_byte > 0)
    return "a network asks for processors' time by bytes";
  return NULL;
}

static const char *
find_difference (const PdComsys *a, const PdComsys *b)
{
  if (a->n_ranks != b->n_ranks || !is_same_topology (a->topology, b->topology))
    return "machines have different networks or numbers of processors";
  if (!is_same_array (a->placement, b->placement, a->n_ranks))
    return "ranks are placed differently";
  if (!is_same_set (a->set, b->set))
    return "collective operations are executed differently";
  for (guint i = 0; i < a->topology->instances->len; i++)
    if (!is_same_protocol (&a->levels[i], &b->levels[i]))
      return "networks or the sizes up to which messages are eager differ";
  return NULL;
}

gboolean
pd_batch_compare (PdComsys *const *comsys, guint k, char **reason)
{
  const char *found = NULL;

  for (guint lane = 0; lane < k && found == NULL; lane++)
    {
      for (guint i = 0; i < comsys[lane]->topology->instances->len && found == NULL; i++)
        found = find_obstacle (&comsys[lane]->levels[i]);
      if (found == NULL && lane > 0)
        found = find_difference (comsys[0], comsys[lane]);
    }
  if (found != NULL)
    *reason = g_strdup (found);
  return found == NULL;
}

/* ---- costs */

static void
check (PdBatch *self, const PdBatchTime *cost, gint64 most)
{
  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    if (cost->ps[i] < 0 || cost->ps[i] >= most)
      self->too_large = TRUE;
}

void
pd_batch_check_cost (PdBatch *self, const PdBatchTime *cost)
{
  check (self, cost, MOST);
}

void
pd_batch_time_of_bytes (PdBatch *self, gint64 bytes, gsize what, PdBatchTime *time)
{
  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    {
      const PdSoftware *software = &self->comsys[i]->machine->software;
      time->ps[i] = pd_time_for_bytes (bytes, G_STRUCT_MEMBER (gdouble, software, what)).ps;
    }
  pd_batch_check_cost (self, time);
}

static void
measure_flight (PdBatch *self, PdBatchTransfer *flight)
{
  const PdBatchNetwork *network = &self->networks[flight->network];

  if (flight->network == 0)
    pd_batch_time_of_bytes (self, flight->bytes, G_STRUCT_OFFSET (PdSoftware, copy_per_byte),
                            &flight->time);
  for (guint i = 0; i < PD_BATCH_SIZE && flight->network != 0; i++)
    {
      const PdNetworkLevel *level = &self->comsys[i]->levels[network->instance];
      PdTransfer transfer = { .bytes = pd_protocol_wire_bytes (&level->protocol, flight->bytes) };
      flight->time.ps[i] = level->class->request (level->network, &transfer, PD_TIME_ZERO).ps;
    }
  pd_batch_check_cost (self, &flight->time);
  pd_batch_time_add (&flight->time, &flight->time, &network->spent);
}

static void
grow_flights (PdBatch *self)
{
  guint32 room = self->flights_room, n = MAX (64, 2 * room);

  self->flights = pd_lines_resize (self->flights, 2 * (gsize) room, 2 * (gsize) n);
  self->flights_room = n;
}

guint32
pd_batch_find_transfer (PdBatch *self, guint32 network, gint64 bytes)
{
  guint32 number = self->n_flights;
  guint64 *found =
      pd_hash_map_get (&self->flight_index, (guint64) bytes, (guint64) network + 1, number);

  if (*found != number)
    return (guint32) *found;
  if (self->n_flights == self->flights_room)
    grow_flights (self);
  self->n_flights++;
  self->flights[number].bytes = bytes;
  self->flights[number].network = network;
  measure_flight (self, &self->flights[number]);
  return number;
}

static void
init_network (PdBatch *self, guint32 number, guint32 instance)
{
  PdBatchNetwork *network = &self->networks[number];
  PdTransfer transfer = { .control = TRUE };

  *network = (PdBatchNetwork){ .protocol = self->comsys[0]->levels[instance].protocol,
                               .until_match = self->comsys[0]->levels[instance].costs.until_match,
                               .instance = instance };
  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    {
      const PdNetworkLevel *level = &self->comsys[i]->levels[instance];
      transfer.bytes = pd_protocol_wire_bytes (&level->protocol, 0);
      network->before.ps[i] = level->costs.before.ps;
      network->control.ps[i] = level->class->request (level->network, &transfer, PD_TIME_ZERO).ps;
    }
  check (self, &network->before, MOST_OVERHEAD);
  pd_batch_check_cost (self, &network->control);
  pd_batch_time_add (&network->spent, &network->before, &self->send_overhead);
}

/* Copies of one description are one network. */
static void
init_networks (PdBatch *self)
{
  const GArray *instances = self->comsys[0]->topology->instances;
  g_autoptr (GHashTable) numbers = g_hash_table_new (NULL, NULL);

  self->networks = pd_lines_resize (NULL, 0, (instances->len + 1) * sizeof (PdBatchNetwork) / 64);
  self->network_of = g_new (guint32, instances->len);
  self->networks[0].protocol = (PdProtocol){ .eager = G_MAXINT64, .free_control = TRUE };
  self->networks[0].spent = self->send_overhead;
  self->n_networks = 1;
  for (guint32 i = 0; i < instances->len; i++)
    {
      gpointer key = (gpointer) g_array_index (instances, PdNetworkInstance, i).description;
      guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, key));
      if (number == 0)
        {
          number = self->n_networks++;
          init_network (self, number, i);
          g_hash_table_insert (numbers, key, GUINT_TO_POINTER (number));
        }
      self->network_of[i] = number;
    }
}

/* Of functions, and of those that wait what they cost in all. */
static void
init_overheads (PdBatch *self)
{
  gsize lines = PD_N_FUNCTIONS * sizeof (PdBatchTime) / 64;
  gboolean has_some = FALSE;

  self->wait_overheads = pd_lines_resize (NULL, 0, lines);
  self->overheads = pd_lines_resize (NULL, 0, lines);
  for (guint f = 0; f < PD_N_FUNCTIONS; f++)
    {
      for (guint i = 0; i < PD_BATCH_SIZE; i++)
        self->overheads[f].ps[i] = pd_function_overhead (self->comsys[i], f).ps;
      check (self, &self->overheads[f], MOST_OVERHEAD);
      pd_batch_time_add (&self->wait_overheads[f], &self->wait_overhead, &self->overheads[f]);
    }
  for (guint i = 0; i < self->k; i++)
    has_some = has_some || self->comsys[i]->overheads != NULL;
  if (has_some)
    return;
  pd_lines_free (self->overheads, lines);
  self->overheads = NULL;
}

void
pd_batch_costs_init (PdBatch *self)
{
  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    {
      const PdSoftware *software = &self->comsys[i]->machine->software;
      self->send_overhead.ps[i] = software->send_overhead.ps;
      self->recv_overhead.ps[i] = software->recv_overhead.ps;
      self->wait_overhead.ps[i] = software->wait_overhead.ps;
    }
  check (self, &self->send_overhead, MOST_OVERHEAD);
  check (self, &self->recv_overhead, MOST_OVERHEAD);
  check (self, &self->wait_overhead, MOST_OVERHEAD);
  init_overheads (self);
  init_networks (self);
  grow_flights (self);
}

void
pd_batch_costs_clear (PdBatch *self)
{
  gsize lines = PD_N_FUNCTIONS * sizeof (PdBatchTime) / 64;
  gsize n_networks = self->comsys[0]->topology->instances->len + 1;

  pd_lines_free (self->networks, n_networks * sizeof (PdBatchNetwork) / 64);
  pd_lines_free (self->flights, 2 * (gsize) self->flights_room);
  pd_lines_free (self->wait_overheads, lines);
  if (self->overheads != NULL)
    pd_lines_free (self->overheads, lines);
  pd_hash_map_clear (&self->flight_index);
  g_free (self->network_of);
}
