/* The set "simple", Dimemas' cost model of collective operations (see PdPhaseModel).
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-coll-simple.h"

#include "base/pd-hash-map.h"
#include "base/pd-time.h"
#include "comsys/coll/pd-op-info.h"
#include "comsys/machine/pd-dry-run.h"
#include "comsys/machine/pd-topology.h"
#include "comsys/mpi/pd-collective.h"
#include "comsys/state/pd-lookup.h"

/* The bytes on which the cost depends. */
#define SAMPLE (G_GINT64_CONSTANT (1) << 20)

/* ---- what a message costs */

/* As the network at @instance has it, if nothing else is under way. */
static void
sample (const PdComsys *self, guint32 instance, PdPhaseLevel *fan)
{
  const PdNetworkLevel *level = &self->levels[instance];
  const PdNetworkInstance *network =
      &g_array_index (self->topology->instances, PdNetworkInstance, instance);
  guint32 n = network->n_endpoints;
  PdTransfer empty = { .target = MIN (1, n - 1), .target_processor = n > 1 ? 0 : 1 };
  PdTransfer full = empty;

  if (fan->is_given)
    return;
  full.bytes = SAMPLE;
  PdTime start = pd_dry_run (network, n, &empty, 1);
  fan->startup = pd_time_add (start, level->costs.before);
  fan->per_byte =
      (gdouble) pd_time_sub (pd_dry_run (network, n, &full, 1), start).ps / (gdouble) SAMPLE;
}

static void
learn_network (PdComsys *self)
{
  PdCollectiveSet *set = self->set;

  set->levels_known = TRUE;
  set->network = self->machine->fan_network;
  sample (self, 0, &set->network);
}

/* ---- where the members are */

static int
compare_nodes (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return x < y ? -1 : x > y;
}

/* @n members are on @node. A node without a memory exchanges over its network. @index: memories
 * that members have -> their places in the communicator's list */
static void
count_members (const PdComsys *self, PdComm *comm, PdHashMap *index, guint32 node, guint32 n)
{
  const PdPhaseLevel *given = &self->machine->fan_memory;
  guint32 instance = pd_topology_get_memory (self->topology, node);
  PdCommMemory new = { .level = *given, .max_on_node = n };

  comm->max_on_node = MAX (comm->max_on_node, n);
  if (!given->is_given && instance != G_MAXUINT32)
    new.memory = g_array_index (self->topology->instances, PdNetworkInstance, instance).description;
  uint64_t *known = pd_hash_map_get (index, (guintptr) new.memory, 1, G_MAXUINT32);
  if (*known != G_MAXUINT32)
    {
      PdCommMemory *old = &g_array_index (comm->memories, PdCommMemory, *known);
      old->max_on_node = MAX (old->max_on_node, n);
      return;
    }
  *known = comm->memories->len;
  sample (self, instance == G_MAXUINT32 ? 0 : instance, &new.level);
  g_array_append_val (comm->memories, new);
}

static void
count_nodes (const PdComsys *self, PdComm *comm)
{
  g_autofree guint32 *nodes = g_new (guint32, comm->n);
  PdHashMap index = { 0 };
  guint32 here = 0;

  comm->memories = g_array_new (FALSE, FALSE, sizeof (PdCommMemory));
  for (guint32 i = 0; i < comm->n; i++)
    {
      guint32 rank = pd_comm_world_rank (comm, i);
      nodes[i] = pd_topology_get_node (self->topology, pd_p2p_processor (self, rank));
    }
  qsort (nodes, comm->n, sizeof *nodes, compare_nodes);
  for (guint32 i = 0; i < comm->n; i++)
    {
      here++;
      if (i + 1 < comm->n && nodes[i] == nodes[i + 1])
        continue;
      count_members (self, comm, &index, nodes[i], here);
      comm->n_nodes++;
      here = 0;
    }
  pd_hash_map_clear (&index);
}

/* ---- fans */

/* How often the channels are used one after the other: in stage i there are
 * ceil ((n - 2^i) / 2^(i+1)) pairs. */
static guint64
count_stages (guint32 n, gint64 channels)
{
  guint64 total = 0;

  for (guint64 distance = 1; distance < n; distance *= 2)
    {
      guint64 pairs = (n - distance + 2 * distance - 1) / (2 * distance);
      total += channels == 0 ? 1 : (pairs + (guint64) channels - 1) / (guint64) channels;
    }
  return total;
}

static gdouble
factor_of (PdPhaseModel model, guint32 n, gint64 channels)
{
  switch (model)
    {
    case PD_PHASE_NONE:
      return 0;
    case PD_PHASE_CONSTANT:
      return 1;
    case PD_PHASE_LINEAR:
      return n - 1.0;
    case PD_PHASE_LOGARITHMIC:
      break;
    }
  return (gdouble) count_stages (n, channels);
}

static gdouble
size_of (PdPhaseSize size, const PdPhaseBytes *bytes)
{
  gint64 least = MIN (bytes->sent, bytes->received), most = MAX (bytes->sent, bytes->received);

  switch (size)
    {
    case PD_PHASE_SENT:
      return (gdouble) bytes->sent;
    case PD_PHASE_RECEIVED:
      return (gdouble) bytes->received;
    case PD_PHASE_MIN:
      return (gdouble) least;
    case PD_PHASE_MAX:
      return (gdouble) most;
    case PD_PHASE_TWICE_MAX:
      return 2 * (gdouble) most;
    case PD_PHASE_MEAN: /* of whole bytes */
      return (gdouble) (least + (most - least) / 2);
    case PD_PHASE_SUM:
      break;
    }
  return (gdouble) least + (gdouble) most;
}

/* ps */
static gdouble
one_phase (const PdPhaseLevel *level, PdPhase fan, guint32 n, const PdPhaseBytes *bytes)
{
  gdouble one = (gdouble) level->startup.ps + size_of (fan.size, bytes) * level->per_byte;

  return one * factor_of (fan.model, n, level->channels);
}

static PdTime
phase_time (const PdPhaseLevel *level, PdPhase fan, guint32 n, const PdPhaseBytes *bytes)
{
  return pd_time_for_bytes (1, one_phase (level, fan, n, bytes));
}

/* By which Dimemas compares nodes: start-ups count twice. */
static gdouble
weigh_memory (const PdCommMemory *memory, PdPhase in, PdPhase out, const PdPhaseBytes *bytes)
{
  const PdPhaseLevel *level = &memory->level;
  guint32 n = memory->max_on_node;
  gdouble factor =
      factor_of (in.model, n, level->channels) + factor_of (out.model, n, level->channels);

  return one_phase (level, in, n, bytes) + one_phase (level, out, n, bytes)
         + (gdouble) level->startup.ps * factor;
}

/* Within the node that takes longest. */
static PdTime
memory_time (const PdComm *comm, PdPhase in, PdPhase out, const PdPhaseBytes *bytes)
{
  const PdCommMemory *longest = NULL;
  gdouble most = 0;

  for (guint i = 0; i < comm->memories->len; i++)
    {
      const PdCommMemory *memory = &g_array_index (comm->memories, PdCommMemory, i);
      gdouble weight = weigh_memory (memory, in, out, bytes);
      if (longest != NULL && weight <= most)
        continue;
      longest = memory;
      most = weight;
    }
  return pd_time_add (phase_time (&longest->level, in, longest->max_on_node, bytes),
                      phase_time (&longest->level, out, longest->max_on_node, bytes));
}

/* Fans of one operation, in and out, among nodes and within one. */
static PdTime
phases_time (PdComsys *self, const PdComm *comm, PdOp op, const PdPhaseBytes *bytes)
{
  const PdCollectiveSet *set = self->set;
  PdTime sum = PD_TIME_ZERO;

  if (self->topology->n_nodes > 1)
    {
      sum = pd_time_add (sum, phase_time (&set->network, set->in[op], comm->n_nodes, bytes));
      sum = pd_time_add (sum, phase_time (&set->network, set->out[op], comm->n_nodes, bytes));
    }
  return pd_time_add (sum, memory_time (comm, set->in[op], set->out[op], bytes));
}

PdTime
pd_phases_get_time (PdComsys *self, PdComm *comm, PdOp op, const PdPhaseBytes *bytes)
{
  const PdOpInfo *info = &pd_ops[op];
  PdTime sum = self->machine->collective_time;

  if (!self->set->levels_known)
    learn_network (self);
  if (comm->n_nodes == 0)
    count_nodes (self, comm);
  if (info->n_components == 0)
    return pd_time_add (sum, phases_time (self, comm, op, bytes));
  for (guint i = 0; i < info->n_components; i++)
    {
      PdCollective args = { .op = info->components[i].op, .bytes = info->components[i].bytes };
      PdPhaseBytes own = pd_phases_get_bytes (&args, comm);
      sum = pd_time_add (sum, phases_time (self, comm, info->components[i].op, &own));
    }
  return sum;
}

gboolean
pd_comsys_reduces_by_messages (const PdComsys *self)
{
  return self->set->is_simple && self->levels[0].class->occupy != NULL;
}

PdTime
pd_phases_get_latency (PdComsys *self, PdComm *comm, guint32 rank)
{
  guint32 node = pd_topology_get_node (self->topology, pd_p2p_processor (self, rank));
  guint32 memory = pd_topology_get_memory (self->topology, node);
  PdTime latency = PD_TIME_ZERO;

  if (!pd_comsys_reduces_by_messages (self))
    return latency;
  if (comm->n_nodes == 0)
    count_nodes (self, comm);
  if (comm->n_nodes > 1)
    latency = self->levels[0].costs.before;
  if (comm->max_on_node > 1 && memory != G_MAXUINT32)
    latency = pd_time_max (latency, self->levels[memory].costs.before);
  return latency;
}

/* ---- what the root sends and receives */

static gint64
times (gint64 bytes, guint32 n)
{
  return bytes > G_MAXINT64 / n ? G_MAXINT64 : bytes * n;
}

static gint64
sum_of (const gint64 *counts, gint64 otherwise, guint32 n)
{
  gint64 sum = 0;

  if (counts == NULL)
    return otherwise;
  for (guint32 i = 0; i < n; i++)
    sum = counts[i] > G_MAXINT64 - sum ? G_MAXINT64 : sum + counts[i];
  return sum;
}

PdPhaseBytes
pd_phases_get_bytes (const PdCollective *args, const PdComm *comm)
{
  gint64 block = args->bytes, all = times (block, comm->n);
  PdPhaseBytes bytes = { block, block };

  switch (args->op)
    {
    case PD_OP_GATHER:
    case PD_OP_ALLGATHER:
    case PD_OP_GATHERV:
    case PD_OP_ALLGATHERV:
      bytes.received = sum_of (args->recv_counts, all, comm->n);
      break;
    case PD_OP_SCATTER:
    case PD_OP_SCATTERV:
    case PD_OP_REDUCE_SCATTER_BLOCK:
      bytes.sent = sum_of (args->send_counts, all, comm->n);
      break;
    case PD_OP_REDUCE_SCATTER:
      bytes.sent = sum_of (args->recv_counts, all, comm->n);
      break;
    case PD_OP_ALLTOALL:
    case PD_OP_ALLTOALLV:
    case PD_OP_ALLTOALLW:
      bytes.sent = sum_of (args->send_counts, all, comm->n);
      bytes.received = sum_of (args->recv_counts, all, comm->n);
      break;
    default:
      break;
    }
  if (args->is_measured)
    bytes = (PdPhaseBytes){ args->sent_bytes, args->recv_bytes };
  return bytes;
}
