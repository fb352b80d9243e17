/* The causes of the last moment of a run: the graph of causes is traversed in the order of
 * time.
 * SPDX-License-Identifier: MIT */
#include "comsys/critical/pd-critical-path-result.h"

#include "base/pd-time.h"
#include "comsys/critical/pd-critical-path-private.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-resources.h"

#include <string.h>

/* All nodes that lead to the last moment, causes first. */
typedef struct
{
  const PdCriticalPath *critical;
  const PdComsys *comsys;
  GArray *order;   /* guint32 */
  guint32 *number; /* of each node in @order, + 1; 0 = not there */
  gdouble *value;  /* of each of @order: a derivative */
  guint8 *on_path; /* of each of @order: whether it is on the one path that is listed */
} Walk;

static const PdCriticalNode *
node_at (const Walk *walk, guint i)
{
  return &walk->critical->nodes[g_array_index (walk->order, guint32, i)];
}

/* Puts @last and all it follows from into the order: each node twice on the stack, the
 * second time when its causes are there. */
static void
sort_causes (Walk *walk, guint32 last)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_array_append_val (stack, last);
  while (stack->len > 0)
    {
      guint32 node = g_array_index (stack, guint32, stack->len - 1);
      const PdCriticalNode *n = &walk->critical->nodes[node];
      gboolean is_ready = (n->pred == 0 || walk->number[n->pred] != 0)
                          && (n->other == 0 || walk->number[n->other] != 0);
      if (!is_ready)
        {
          if (n->other != 0 && walk->number[n->other] == 0)
            g_array_append_val (stack, n->other);
          if (n->pred != 0 && walk->number[n->pred] == 0)
            g_array_append_val (stack, n->pred);
          continue;
        }
      g_array_set_size (stack, stack->len - 1);
      if (walk->number[node] != 0)
        continue;
      g_array_append_val (walk->order, node);
      walk->number[node] = walk->order->len;
    }
}

static void
walk_clear (Walk *walk)
{
  g_clear_pointer (&walk->order, g_array_unref);
  g_free (walk->number);
  g_free (walk->value);
  g_free (walk->on_path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Walk, walk_clear)

/* Of two causes at the same moment the path takes the first. */
static void
mark_path (Walk *walk)
{
  guint32 node = g_array_index (walk->order, guint32, walk->order->len - 1);

  walk->on_path = g_new0 (guint8, walk->order->len);
  for (; node != 0; node = walk->critical->nodes[node].pred)
    walk->on_path[walk->number[node] - 1] = 1;
}

/* ---- derivatives */

/* By how much the time of a node grows with something. */
typedef gdouble (*Share) (const Walk *walk, const PdCriticalNode *node, gconstpointer of);

/* The right derivative of the last moment: of several causes the one that grows most. */
static gdouble
derive (Walk *walk, Share share, gconstpointer of, gdouble *on_path)
{
  *on_path = 0;
  for (guint i = 0; i < walk->order->len; i++)
    {
      const PdCriticalNode *n = node_at (walk, i);
      gdouble own = share (walk, n, of);
      gdouble before = n->pred == 0 ? 0 : walk->value[walk->number[n->pred] - 1];
      if (n->other != 0)
        before = MAX (before, walk->value[walk->number[n->other] - 1]);
      walk->value[i] = before + own;
      *on_path += walk->on_path[i] ? own : 0;
    }
  return walk->value[walk->order->len - 1];
}

static PdTime
duration_of (const Walk *walk, const PdCriticalNode *n)
{
  return n->pred == 0 ? PD_TIME_ZERO : PD_TIME (n->when - walk->critical->nodes[n->pred].when);
}

/* @of: (nullable): the place */
static gdouble
share_of_work (const Walk *walk, const PdCriticalNode *n, gconstpointer of)
{
  const guint32 *place = of;

  gboolean is_library = n->kind == PD_CRITICAL_LIBRARY && n->arg != PD_N_LIBRARY_PARTS;
  gboolean is_work = n->kind == PD_CRITICAL_WORK || (is_library && place == NULL);

  if (!is_work || (place != NULL && n->arg != *place))
    return 0;
  return (gdouble) duration_of (walk, n).ps;
}

static gdouble
share_of_software (const Walk *walk G_GNUC_UNUSED, const PdCriticalNode *n, gconstpointer of)
{
  const guint *what = of;

  if (n->kind == PD_CRITICAL_LAUNCH && *what == PD_CRITICAL_SEND_OVERHEAD)
    return 1;
  return n->kind == PD_CRITICAL_SOFTWARE && n->arg == *what ? (gdouble) n->amount : 0;
}

static gdouble
share_of_library (const Walk *walk G_GNUC_UNUSED, const PdCriticalNode *n, gconstpointer of)
{
  const guint *part = of;

  return n->kind == PD_CRITICAL_LIBRARY && n->arg == *part
             ? (gdouble) n->amount / PD_CRITICAL_LIBRARY_UNIT
             : 0;
}

/* A parameter of a network: all instances of one description have it in common. */
typedef struct
{
  const PdMachineNetwork *network;
  guint param;
} NetworkParam;

#define MAX_SHARES 32

/* A transfer that shares nothing may take so many ps longer than by itself. */
#define ROUNDING 2

/* The duration of a transfer without contention, and its derivative by each parameter; FALSE:
 * unknown. */
static gboolean
find_alone (const PdComsys *comsys, const PdCriticalNode *n, gdouble *shares, PdTime *alone)
{
  const PdNetworkLevel *level = &comsys->levels[n->arg];
  gboolean is_ends = n->kind >= PD_CRITICAL_LAUNCH && n->kind <= PD_CRITICAL_GAP_RECEIVED;

  if (is_ends)
    {
      *alone = level->class->endpoints->get_part (
          level->network, (PdEndPart) (n->kind - PD_CRITICAL_LAUNCH), n->amount, shares);
      return TRUE;
    }
  if (level->class->get_alone == NULL)
    return FALSE;
  PdRoute route = pd_p2p_route (comsys, n->rank, n->peer);
  PdTransfer transfer = { .source = route.source,
                          .target = route.target,
                          .bytes = n->amount,
                          .control = n->kind == PD_CRITICAL_CONTROL };
  *alone = level->class->get_alone (level->network, &transfer, shares);
  return TRUE;
}

static gboolean
is_message (const PdCriticalNode *n)
{
  return n->kind == PD_CRITICAL_DATA || n->kind == PD_CRITICAL_CONTROL
         || (n->kind >= PD_CRITICAL_LAUNCH && n->kind <= PD_CRITICAL_GAP_RECEIVED);
}

static const PdMachineNetwork *
description_of (const PdComsys *comsys, guint32 level)
{
  return g_array_index (comsys->topology->instances, PdNetworkInstance, level).description;
}

/* The processor time that the only network of a machine takes: this many times the time before
 * each call, which is its first parameter. */
static gdouble
share_of_asked (const Walk *walk, const PdCriticalNode *n, const NetworkParam *wanted)
{
  const PdNetworkLevel *level = &walk->comsys->levels[0];
  gint64 before = level->costs.before.ps;

  if (walk->comsys->topology->instances->len > 1 || wanted->param != 0 || before == 0)
    return 0;
  return (gdouble) (duration_of (walk, n).ps / before);
}

static gdouble
share_of_network (const Walk *walk, const PdCriticalNode *n, gconstpointer of)
{
  const NetworkParam *wanted = of;
  gdouble shares[MAX_SHARES] = { 0 };
  PdTime alone;

  if (n->kind == PD_CRITICAL_NETWORK_CPU)
    return share_of_asked (walk, n, wanted);
  if (!is_message (n) || description_of (walk->comsys, n->arg) != wanted->network)
    return 0;
  find_alone (walk->comsys, n, shares, &alone);
  return shares[wanted->param];
}

/* ---- rows */

static void
add_param (Walk *walk, PdCriticalResult *result, char *path, PdUnit unit, gdouble value,
           Share share, gconstpointer of)
{
  PdCriticalParam row = { .path = path, .unit = unit, .value = value };

  row.derivative = derive (walk, share, of, &row.on_path);
  g_array_append_val (result->params, row);
}

/* The dimension of a parameter: a time, or a time per byte; FALSE: neither. */
static gboolean
read_param (const PdMachineNetwork *network, const PdParam *param, PdUnit *unit, gdouble *value)
{
  const char *field = (const char *) network->config + param->offset;
  gint64 time;
  gdouble number;

  if (param->choices != NULL)
    return FALSE;
  memcpy (&time, field, sizeof time);
  memcpy (&number, field, sizeof number);
  *unit = param->unit == PD_UNIT_TIME ? PD_UNIT_TIME : PD_UNIT_PER_BYTE;
  switch (param->unit)
    {
    case PD_UNIT_TIME:
      *value = (gdouble) time;
      return TRUE;
    case PD_UNIT_PER_BYTE:
      *value = number;
      return TRUE;
    case PD_UNIT_RATE:
      *value = number > 0 ? (gdouble) PD_PS_PER_S / number : 0;
      return TRUE;
    default:
      return FALSE;
    }
}

static void
add_network (Walk *walk, PdCriticalResult *result, const PdMachineNetwork *network,
             const char *path)
{
  const PdNetworkClass *class = network->class;

  if (class->get_alone == NULL && class->endpoints == NULL)
    return;
  for (guint i = 0; class->params[i].name != NULL && i < MAX_SHARES; i++)
    {
      const NetworkParam of = { network, i };
      PdUnit unit;
      gdouble value;
      if (class->uses_param != NULL && !class->uses_param (network->config, &class->params[i]))
        continue;
      if (read_param (network, &class->params[i], &unit, &value))
        add_param (walk, result, g_strdup_printf ("%s/%s", path, class->params[i].name), unit,
                   value, share_of_network, &of);
    }
}

/* "/NAME", with its number where there are several. */
static char *
step_of (const char *path, const char *name, guint number, guint n)
{
  return n > 1 ? g_strdup_printf ("%s/%s[%u]", path, name, number)
               : g_strdup_printf ("%s/%s", path, name);
}

static void
add_networks (Walk *walk, PdCriticalResult *result, const PdMachineNetwork *network,
              const char *path)
{
  guint n[2] = { 0, 0 }, at[2] = { 0, 0 };

  add_network (walk, result, network, path);
  for (guint i = 0; i < network->children->len; i++)
    n[((const PdMachineNode *) g_ptr_array_index (network->children, i))->network != NULL]++;
  for (guint i = 0; i < network->children->len; i++)
    {
      const PdMachineNode *node = g_ptr_array_index (network->children, i);
      guint is_network = node->network != NULL ? 1 : 0;
      g_autofree char *step =
          step_of (path, is_network ? "network" : "nodes", ++at[is_network], n[is_network]);
      if (is_network)
        add_networks (walk, result, node->network, step);
      else if (node->memory != NULL)
        {
          g_autofree char *memory = g_strconcat (step, "/memory", NULL);
          add_network (walk, result, node->memory, memory);
        }
    }
}

/* Where networks keep processors, calls cost what they say; the library above works there, too. */
static void
add_software (Walk *walk, PdCriticalResult *result)
{
  const PdSoftware *software = &walk->comsys->machine->software;
  const struct
  {
    const char *path;
    PdUnit unit;
    gdouble value;
    Share share;
    guint what;
  } rows[] = {
#define CALL(what)    share_of_software, PD_CRITICAL_##what
#define LIBRARY(part) share_of_library, PD_LIBRARY_##part
    { "send-overhead", PD_UNIT_TIME, (gdouble) software->send_overhead.ps, CALL (SEND_OVERHEAD) },
    { "recv-overhead", PD_UNIT_TIME, (gdouble) software->recv_overhead.ps, CALL (RECV_OVERHEAD) },
    { "wait-overhead", PD_UNIT_TIME, (gdouble) software->wait_overhead.ps, CALL (WAIT_OVERHEAD) },
    { "copy-per-byte", PD_UNIT_PER_BYTE, software->copy_per_byte, CALL (COPY_PER_BYTE) },
    { "reduction-per-byte", PD_UNIT_PER_BYTE, software->reduction_per_byte,
      CALL (REDUCTION_PER_BYTE) },
    { "pack-per-byte", PD_UNIT_PER_BYTE, software->pack_per_byte, LIBRARY (PACK_BYTES) },
    { "pack-per-run", PD_UNIT_TIME, (gdouble) software->pack_per_run.ps, LIBRARY (PACK_RUNS) },
    { "touch-per-byte", PD_UNIT_PER_BYTE, software->touch_per_byte, LIBRARY (TOUCH_BYTES) },
    { "exchange-overhead", PD_UNIT_TIME, (gdouble) software->exchange_overhead.ps,
      LIBRARY (EXCHANGES) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].share == share_of_library ? walk->critical->is_explicit
                                          : !pd_keeps_processors (walk->comsys))
      add_param (walk, result, g_strconcat ("software/", rows[i].path, NULL), rows[i].unit,
                 rows[i].value, rows[i].share, &rows[i].what);
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return (x > y) - (x < y);
}

static void
add_places (Walk *walk, PdCriticalResult *result)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (guint32));
  gdouble on_path;

  for (guint i = 0; i < walk->order->len; i++)
    {
      const PdCriticalNode *n = node_at (walk, i);
      if (n->kind == PD_CRITICAL_WORK && g_hash_table_add (seen, GUINT_TO_POINTER (n->arg + 1)))
        g_array_append_val (places, n->arg);
    }
  g_array_sort (places, compare_numbers);
  for (guint i = 0; i < places->len; i++)
    {
      PdCriticalPlace row = { .place = g_array_index (places, guint32, i) };
      row.derivative = PD_TIME ((gint64) derive (walk, share_of_work, &row.place, &on_path));
      row.on_path = PD_TIME ((gint64) on_path);
      g_array_append_val (result->places, row);
    }
  result->work = PD_TIME ((gint64) derive (walk, share_of_work, NULL, &on_path));
}

/* ---- the path */

static void
add_segment (const Walk *walk, PdCriticalResult *result, const PdCriticalNode *n)
{
  PdCriticalSegment *last =
      result->segments->len == 0
          ? NULL
          : &g_array_index (result->segments, PdCriticalSegment, result->segments->len - 1);
  PdTime begin = PD_TIME (n->when - duration_of (walk, n).ps);
  PdCriticalSegment segment = { .rank = n->rank,
                                .peer = n->peer,
                                .place = n->kind >= PD_CRITICAL_WORK && n->kind <= PD_CRITICAL_IO
                                             ? n->arg
                                             : 0,
                                .kind = (PdCriticalKind) n->kind,
                                .n = 1,
                                .begin = begin,
                                .end = PD_TIME (n->when) };

  if (begin.ps == n->when)
    return;
  if (last != NULL && last->kind == segment.kind && last->rank == segment.rank
      && last->peer == segment.peer && last->place == segment.place)
    {
      last->end = segment.end;
      last->n++;
      return;
    }
  g_array_append_val (result->segments, segment);
}

static void
follow_path (Walk *walk, PdCriticalResult *result)
{
  for (guint i = 0; i < walk->order->len; i++)
    {
      const PdCriticalNode *n = node_at (walk, i);
      PdTime spent = duration_of (walk, n), alone;
      result->n_ties += n->other != 0 ? 1 : 0;
      if (!walk->on_path[i])
        continue;
      result->n_nodes++;
      gboolean is_known = !is_message (n) || find_alone (walk->comsys, n, NULL, &alone);
      if (is_message (n) && is_known && alone.ps + ROUNDING < spent.ps)
        {
          result->queued = pd_time_add (result->queued, pd_time_sub (spent, alone));
          spent = alone;
        }
      if (!is_known)
        result->unknown = pd_time_add (result->unknown, spent);
      result->n_messages += n->kind == PD_CRITICAL_DATA || n->kind == PD_CRITICAL_CONTROL
                                    || n->kind == PD_CRITICAL_FLIGHT
                                ? 1
                                : 0;
      result->spent[n->kind] = pd_time_add (result->spent[n->kind], spent);
      add_segment (walk, result, n);
    }
}

static gboolean
is_shared (const PdComsys *comsys)
{
  for (guint32 i = 0; i < comsys->topology->instances->len; i++)
    {
      const PdNetworkLevel *level = &comsys->levels[i];
      if (level->class->endpoints == NULL
          && (level->class->is_unshared == NULL || !level->class->is_unshared (level->network)))
        return TRUE;
    }
  return FALSE;
}

/* ---- the whole */

static void
param_clear (gpointer data)
{
  PdCriticalParam *param = data;

  g_free (param->path);
}

static PdCriticalResult *
result_new (void)
{
  PdCriticalResult *self = g_new0 (PdCriticalResult, 1);

  self->params = g_array_new (FALSE, TRUE, sizeof (PdCriticalParam));
  g_array_set_clear_func (self->params, param_clear);
  self->places = g_array_new (FALSE, TRUE, sizeof (PdCriticalPlace));
  self->segments = g_array_new (FALSE, TRUE, sizeof (PdCriticalSegment));
  return self;
}

void
pd_critical_result_free (PdCriticalResult *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->params);
  g_array_unref (self->places);
  g_array_unref (self->segments);
  g_free (self);
}

/* The moment at which all ranks have ended; @rank: the lowest of those that end it. */
static guint32
find_last (PdCriticalPath *self, const PdTime *endpoints, guint32 *rank)
{
  guint32 last = 0;

  *rank = 0;
  for (guint32 i = 1; i < self->n_ranks; i++)
    *rank = endpoints[i].ps > endpoints[*rank].ps ? i : *rank;
  for (guint32 i = *rank; i < self->n_ranks; i++)
    if (endpoints[i].ps == endpoints[*rank].ps)
      {
        PdCriticalActor *actor = &self->ranks[i];
        if (actor->last == 0)
          pd_critical_advance_implicit (self, actor, endpoints[i]);
        pd_critical_gather (self, &last, actor->last != 0 ? actor->last : actor->at);
      }
  return last;
}

PdCriticalResult *
pd_critical_finish (PdCriticalPath *self, const PdComsys *comsys, const PdTime *endpoints)
{
  g_auto (Walk) walk = { .critical = self, .comsys = comsys };
  PdCriticalResult *result = result_new ();
  guint32 last = find_last (self, endpoints, &result->rank);

  result->makespan = endpoints[result->rank];
  result->is_shared = is_shared (comsys);
  walk.order = g_array_new (FALSE, FALSE, sizeof (guint32));
  walk.number = g_new0 (guint32, self->n_nodes);
  sort_causes (&walk, last);
  walk.value = g_new0 (gdouble, walk.order->len);
  mark_path (&walk);
  add_networks (&walk, result, comsys->machine->network, "network");
  add_software (&walk, result);
  add_places (&walk, result);
  follow_path (&walk, result);
  pd_critical_unref (self, last);
  return result;
}
