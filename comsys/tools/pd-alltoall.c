/* SPDX-License-Identifier: MIT */
#include "comsys/tools/pd-alltoall.h"

#include "base/pd-time.h"
#include "comsys/net/net-contention-config.h"
#include "comsys/net/pd-measured.h"

G_STATIC_ASSERT (PD_ALLTOALL_LEVELS == PD_CONTENTION_N_LEVELS);

/* ---- places */

/* Where a rank is. */
typedef struct
{
  guint32 node;
  guint32 processor; /* in its node */
} Place;

/* Calls @func for each node, in order, until it says no. */
typedef gboolean (*NodeFunc) (guint32 first, guint32 size, gpointer data);

static gboolean
for_nodes (const PdMachineNetwork *network, guint32 *first, NodeFunc func, gpointer data)
{
  for (guint i = 0; i < network->children->len; i++)
    {
      const PdMachineNode *node = g_ptr_array_index (network->children, i);
      for (guint32 copy = 0; copy < node->count; copy++)
        if (node->network != NULL)
          {
            if (!for_nodes (node->network, first, func, data))
              return FALSE;
          }
        else
          {
            if (!func (*first, node->processors, data))
              return FALSE;
            *first += node->processors;
          }
    }
  return TRUE;
}

static gboolean
see_size (guint32 first G_GNUC_UNUSED, guint32 size, gpointer data)
{
  guint32 *largest = data;

  *largest = MAX (*largest, size);
  return TRUE;
}

guint32
pd_alltoall_get_room (const PdMachine *machine)
{
  guint32 first = 0, largest = 0;

  for_nodes (machine->network, &first, see_size, &largest);
  return largest;
}

typedef struct
{
  guint32 *placement;
  guint32 n;
  guint32 n_wanted;
  guint32 per_node;
  guint32 sockets;
  guint32 per_socket;
} Placing;

/* The @i-th rank of a node of @size processors: on the sockets in turn. */
static guint32
spread_rank (const Placing *self, guint32 i, guint32 size)
{
  guint32 sockets = self->sockets;

  if (sockets < 2 || (guint64) self->per_socket * sockets != size)
    return i;
  return i % sockets * self->per_socket + i / sockets;
}

static gboolean
place_node (guint32 first, guint32 size, gpointer data)
{
  Placing *self = data;

  if (size >= self->per_node)
    for (guint32 i = 0; i < self->per_node; i++)
      self->placement[self->n++] = first + spread_rank (self, i, size);
  return self->n < self->n_wanted;
}

guint32 *
pd_alltoall_place (const PdMachine *machine, guint32 n_nodes, guint32 per_node, gboolean spread)
{
  g_return_val_if_fail (n_nodes > 0 && per_node > 0, NULL);

  guint64 n = (guint64) n_nodes * per_node;
  guint32 first = 0;
  if (n > machine->n_processors)
    return NULL;
  g_autofree guint32 *placement = g_new (guint32, n);
  Placing placing = { .placement = placement, .n_wanted = (guint32) n, .per_node = per_node };
  if (spread && machine->network->class == &pd_network_contention)
    {
      const PdContentionConfig *config = machine->network->config;
      placing.sockets = (guint32) config->sockets;
      placing.per_socket = (guint32) MIN (config->per_socket, G_MAXINT32);
    }
  for_nodes (machine->network, &first, place_node, &placing);
  return placing.n == placing.n_wanted ? g_steal_pointer (&placement) : NULL;
}

gboolean
pd_alltoall_has_steps (const PdMachine *machine)
{
  if (machine->network->class != &pd_network_contention)
    return FALSE;
  for (guint i = 0; i < machine->network->children->len; i++)
    {
      const PdMachineNode *node = g_ptr_array_index (machine->network->children, i);
      if (node->network != NULL || node->memory != NULL)
        return FALSE;
    }
  return TRUE;
}

/* ---- one step after the other */

#define N_KINDS 4 /* of channels that a rank uses: memory, interconnect, out, in */

typedef struct
{
  const PdContentionConfig *config;
  const PdAlltoall *what;
  Place *places;       /* of each rank */
  guint32 *users;      /* of each channel: cf */
  guint32 *users_step; /* the step that is of */
  guint32 *seen;       /* of each rank and kind: the last step in which it used that */
  PdMeasuredPlace where[PD_ALLTOALL_LEVELS];
  guint32 step; /* from 1 */
  PdContentionUsed used[PD_ALLTOALL_LEVELS];
} Counting;

static void
count_user (Counting *self, guint32 channel, guint32 rank)
{
  guint32 n = pd_contention_count_channels (self->config), at = channel % n;
  guint32 kind = at < (guint32) self->config->sockets ? 0 : at < n - 2 ? 1 : 4 + at - n;
  guint32 *seen = &self->seen[(gsize) rank * N_KINDS + kind];

  if (self->users_step[channel] != self->step)
    {
      self->users_step[channel] = self->step;
      self->users[channel] = 0;
    }
  if (self->config->counts == PD_CONTENTION_PROCESSORS && *seen == self->step)
    return;
  *seen = self->step;
  self->users[channel]++;
}

static PdTransfer
get_transfer (const Counting *self, guint32 source, guint32 target)
{
  const Place *a = &self->places[source], *b = &self->places[target];

  return (PdTransfer){ .source = a->node,
                       .target = b->node,
                       .bytes = self->what->bytes,
                       .source_processor = a->processor,
                       .target_processor = b->processor };
}

static void
count_message (Counting *self, guint32 source, guint32 target)
{
  PdTransfer transfer = get_transfer (self, source, target);
  guint32 channels[2];
  gboolean both;

  pd_contention_get_channels (self->config, &transfer,
                              pd_contention_get_level (self->config, &transfer), channels);
  both = channels[1] == G_MAXUINT32 && transfer.source == transfer.target
         && self->config->counts == PD_CONTENTION_PROCESSORS;
  count_user (self, channels[0], source);
  if (channels[1] != G_MAXUINT32)
    count_user (self, channels[1], target);
  else if (both)
    count_user (self, channels[0], target);
}

static void
time_message (Counting *self, guint32 source, guint32 target, PdAlltoallStep *step)
{
  PdTransfer transfer = get_transfer (self, source, target);
  PdContentionLevel level = pd_contention_get_level (self->config, &transfer);
  const PdMeasured *table = self->config->tables[level];
  gboolean outside = FALSE;
  guint32 channels[2], cf;

  pd_contention_get_channels (self->config, &transfer, level, channels);
  cf = self->users[channels[0]];
  if (channels[1] != G_MAXUINT32)
    cf = MAX (cf, self->users[channels[1]]);
  step->time[level] =
      MAX (step->time[level], pd_measured_get_time (table, &self->where[level], cf));
  step->cf[level] = MAX (step->cf[level], cf);
  self->used[level].n_messages++;
  pd_contention_note_use (table, &self->used[level], transfer.bytes, cf, &outside);
}

typedef void (*MessageFunc) (Counting *self, guint32 source, guint32 target, PdAlltoallStep *step);

static void
count_only (Counting *self, guint32 source, guint32 target, PdAlltoallStep *step G_GNUC_UNUSED)
{
  count_message (self, source, target);
}

/* The messages of the step whose first one goes @from ranks back. */
static void
for_messages (Counting *self, guint32 from, MessageFunc func, PdAlltoallStep *step)
{
  guint32 n = self->what->n_ranks,
          end = n - from > self->what->block ? from + self->what->block : n;

  for (guint32 rank = 0; rank < n; rank++)
    for (guint32 i = from; i < end; i++)
      if (i > 0 || self->what->self == PD_ALLTOALL_SELF_MESSAGE)
        func (self, rank, rank >= i ? rank - i : rank + n - i, step);
}

typedef struct
{
  guint32 *nodes; /* of each processor */
  guint32 *firsts;
  guint32 n;
} NodeMap;

static gboolean
map_node (guint32 first, guint32 size, gpointer data)
{
  NodeMap *self = data;

  for (guint32 i = 0; i < size; i++)
    {
      self->nodes[first + i] = self->n;
      self->firsts[first + i] = first;
    }
  self->n++;
  return TRUE;
}

/* Returns the number of nodes. */
static guint32
set_places (const PdMachine *machine, const PdAlltoall *what, Place *places)
{
  g_autofree guint32 *nodes = g_new (guint32, machine->n_processors);
  g_autofree guint32 *firsts = g_new (guint32, machine->n_processors);
  NodeMap map = { nodes, firsts, 0 };
  guint32 first = 0;

  for_nodes (machine->network, &first, map_node, &map);
  for (guint32 rank = 0; rank < what->n_ranks; rank++)
    {
      guint32 processor = what->placement[rank];
      places[rank] = (Place){ nodes[processor], processor - firsts[processor] };
    }
  return map.n;
}

static void
add_steps (Counting *self, PdAlltoallSteps *steps)
{
  for (guint32 from = 0; from < self->what->n_ranks;)
    {
      PdAlltoallStep step = { .time = { 0 } };
      self->step++;
      for_messages (self, from, count_only, &step);
      for_messages (self, from, time_message, &step);
      g_array_append_val (steps->steps, step);
      if (self->what->n_ranks - from <= self->what->block)
        break;
      from += self->what->block;
    }
  for (guint level = 0; level < PD_ALLTOALL_LEVELS; level++)
    steps->n_messages[level] = self->used[level].n_messages;
}

PdAlltoallSteps *
pd_alltoall_get_steps (const PdMachine *machine, const PdAlltoall *what, PdMessages *messages)
{
  g_return_val_if_fail (pd_alltoall_has_steps (machine), NULL);
  g_return_val_if_fail (what->block > 0 && what->n_ranks > 0 && what->bytes > 0, NULL);

  PdAlltoallSteps *self = g_new0 (PdAlltoallSteps, 1);
  g_autofree Place *places = g_new (Place, what->n_ranks);
  Counting counting = { .config = machine->network->config, .what = what, .places = places };
  gsize n_channels =
      (gsize) set_places (machine, what, places) * pd_contention_count_channels (counting.config);
  g_autofree guint32 *users = g_new0 (guint32, n_channels);
  g_autofree guint32 *users_step = g_new0 (guint32, n_channels);
  g_autofree guint32 *seen = g_new0 (guint32, (gsize) what->n_ranks * N_KINDS);

  counting.users = users;
  counting.users_step = users_step;
  counting.seen = seen;
  self->steps = g_array_new (FALSE, FALSE, sizeof (PdAlltoallStep));
  self->startup = counting.config->startup;
  if (what->self == PD_ALLTOALL_SELF_COPY)
    self->copy = pd_time_for_bytes (what->bytes, machine->software.copy_per_byte);
  for (guint level = 0; level < PD_ALLTOALL_LEVELS; level++)
    if (counting.config->tables[level] != NULL)
      counting.where[level] = pd_measured_find (counting.config->tables[level], what->bytes);
  add_steps (&counting, self);
  if (messages != NULL)
    pd_contention_report_use (counting.config, counting.used, messages);
  return self;
}

PdTime
pd_alltoall_steps_get_time (const PdAlltoallSteps *self, const gdouble *scale)
{
  PdTime sum = self->copy;

  for (guint i = 0; i < self->steps->len; i++)
    {
      const PdAlltoallStep *step = &g_array_index (self->steps, PdAlltoallStep, i);
      gdouble longest = 0;
      for (guint level = 0; level < PD_ALLTOALL_LEVELS; level++)
        longest = MAX (longest, step->time[level] * (scale != NULL ? scale[level] : 1));
      if (longest > 0)
        sum = pd_time_add (pd_time_add (sum, self->startup),
                           PD_TIME (longest < 9.2e18 ? (gint64) (longest + 0.5) : G_MAXINT64));
    }
  return sum;
}

void
pd_alltoall_steps_free (PdAlltoallSteps *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->steps);
  g_free (self);
}

const char *
pd_alltoall_level_name (guint level)
{
  g_return_val_if_fail (level < PD_ALLTOALL_LEVELS, NULL);

  return pd_contention_tables[level].level;
}
