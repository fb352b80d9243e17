/* GOAL's binary form, little-endian and packed:
 *
 *   u64 magic, u32 ranks, u8 highest cpu, u8 highest nic,
 *   per rank u64 begin, u64 end: counted from behind the magic;
 *   per rank there: u32 nodes, u32 roots, the roots' indexes (u32), the nodes,
 *   the indexes of successors (u32).
 *
 * A node has 39 bytes: u32 dependencies, u8 kind, u32 peer, u64 size, u32 tag,
 * u8 cpu, u8 nic, u32 count and u32 first index of those that wait for its end,
 * the same of those that wait for its start.
 *
 * Every number of a file is checked before it is used. The reader allocates memory
 * for checked numbers only.
 * SPDX-License-Identifier: MIT */
#include "traces/program/pd-program.h"
#include "traces/goal/pd-goal-binary-private.h"
#include "traces/goal/pd-goal-binary.h"

#include <string.h>

#define MAGIC_SIZE 8
#define HEAD_SIZE  6  /* ranks, cpu, nic */
#define RANK_SIZE  16 /* begin, end */
#define NODE_SIZE  39

enum
{
  NODE_SEND = 1,
  NODE_RECV = 2,
  NODE_CALC = 3,
};

/* Offsets in a node. */
enum
{
  AT_COUNT = 0,
  AT_KIND = 4,
  AT_PEER = 5,
  AT_SIZE = 9,
  AT_TAG = 17,
  AT_CPU = 21,
  AT_NIC = 22,
  AT_N_END = 23, /* the first one's index after it */
  AT_N_START = 31,
};

typedef struct
{
  const char *name;
  const guint8 *data; /* the file */
  gsize size;
  guint32 n_ranks;
  guint64 n_used; /* bytes of all ranks so far */
  PdGraphBuilder *builder;
  guint32 *waits;                    /* scratch: of each node of a rank, on how many it depends */
  guint32 *ends;                     /* … and where its successors end in @successors */
  guint32 *successors;               /* as pd_graph_builder_set_successors() takes them */
  gsize size_nodes, size_successors; /* allocated entries */
  GError **error;
} Reader;

/* One rank's part of the file. */
typedef struct
{
  guint32 rank;
  guint32 n_nodes;
  guint32 n_roots;
  const guint8 *roots;
  const guint8 *nodes;
  const guint8 *successors;
  guint64 n_successors;
} Part;

static guint32
get_u32 (const guint8 *at)
{
  guint32 value;

  memcpy (&value, at, sizeof value);
  return GUINT32_FROM_LE (value);
}

static guint64
get_u64 (const guint8 *at)
{
  guint64 value;

  memcpy (&value, at, sizeof value);
  return GUINT64_FROM_LE (value);
}

static gboolean fail (Reader *self, const guint8 *at, PdTraceError code, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

static gboolean
fail (Reader *self, const guint8 *at, PdTraceError code, const char *format, ...)
{
  va_list args;
  g_autofree char *text = NULL;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (self->error, PD_TRACE_ERROR, (gint) code, "%s: offset %" G_GSIZE_FORMAT ": %s",
               self->name, (gsize) (at - self->data), text);
  return FALSE;
}

/* ---- reading */

static gboolean
read_node (Reader *self, const Part *part, const guint8 *node)
{
  static const PdGraphKind kinds[] = {
    [NODE_SEND] = PD_GRAPH_SEND, [NODE_RECV] = PD_GRAPH_RECV, [NODE_CALC] = PD_GRAPH_CALC
  };
  guint8 kind = node[AT_KIND];
  guint64 size = get_u64 (node + AT_SIZE);
  PdGraphOp op = { .peer = get_u32 (node + AT_PEER),
                   .tag = get_u32 (node + AT_TAG),
                   .cpu = node[AT_CPU],
                   .nic = node[AT_NIC] };

  if (kind < NODE_SEND || kind > NODE_CALC)
    return fail (self, node + AT_KIND, PD_TRACE_ERROR_VALUE,
                 "kind %u, expected 1 (send), 2 (recv) or 3 (calc)", kind);
  if (size > G_MAXINT64)
    return fail (self, node + AT_SIZE, PD_TRACE_ERROR_LIMIT,
                 "size %" G_GUINT64_FORMAT " is more than 2^63 - 1", size);
  op.kind = kinds[kind];
  op.size = (gint64) size;
  if (kind == NODE_CALC)
    op.peer = op.tag = op.nic = 0;
  else if (op.peer >= self->n_ranks && (kind == NODE_SEND || op.peer != PD_GRAPH_ANY))
    return fail (self, node + AT_PEER, PD_TRACE_ERROR_VALUE,
                 "peer %" G_GUINT32_FORMAT " of rank %" G_GUINT32_FORMAT
                 " is out of range, there are %" G_GUINT32_FORMAT " ranks",
                 op.peer, part->rank, self->n_ranks);
  pd_graph_builder_add (self->builder, &op);
  return TRUE;
}

/* The successors of which the number and the first are at @place, a range of the rank's list, go to
 * @to; @flag is added to each. */
static inline gboolean
read_successors (Reader *self, const Part *part, const guint8 *place, guint32 flag, guint32 *to)
{
  guint32 n = get_u32 (place);
  guint64 first = get_u32 (place + 4);

  if (n == 0)
    return TRUE;
  if (first > part->n_successors || n > part->n_successors - first)
    return fail (self, place, PD_TRACE_ERROR_VALUE,
                 "%" G_GUINT32_FORMAT " successors from number %" G_GUINT64_FORMAT
                 " on, but there are %" G_GUINT64_FORMAT,
                 n, first, part->n_successors);
  for (guint32 k = 0; k < n; k++)
    {
      const guint8 *at = part->successors + (first + k) * 4;
      guint32 op = get_u32 (at);

      if (op >= part->n_nodes)
        return fail (self, at, PD_TRACE_ERROR_VALUE,
                     "successor %" G_GUINT32_FORMAT " is out of range, there are %" G_GUINT32_FORMAT
                     " nodes",
                     op, part->n_nodes);
      if (self->waits[op] == G_MAXUINT32)
        return fail (self, at, PD_TRACE_ERROR_LIMIT, "too many dependencies of one node");
      self->waits[op]++;
      to[k] = op | flag;
    }
  return TRUE;
}

/* Those of its start go before those of its end, but are read after them. */
static gboolean
read_both_successors (Reader *self, const Part *part, guint32 i)
{
  const guint8 *node = part->nodes + (gsize) i * NODE_SIZE;
  guint32 begin = i > 0 ? self->ends[i - 1] : 0;
  guint32 n_start = get_u32 (node + AT_N_START), n_end = get_u32 (node + AT_N_END);
  guint32 *to = self->successors + begin;

  self->ends[i] = begin + n_start + n_end;
  return read_successors (self, part, node + AT_N_END, 0, to + n_start)
         && read_successors (self, part, node + AT_N_START, PD_GRAPH_SUCCESSOR_START, to);
}

/* @array has room for @n entries then; they keep nothing. */
static void
make_room (guint32 **array, gsize *size, gsize n)
{
  if (n > *size || *array == NULL)
    {
      *size = MAX (n, *size + *size / 2);
      g_free (*array);
      *array = g_new (guint32, MAX (*size, 1));
    }
}

/* Ranges that overlap would make much out of a small file. */
static gboolean
check_ranges (Reader *self, const Part *part)
{
  guint64 n = 0;

  for (guint32 i = 0; i < part->n_nodes; i++)
    {
      const guint8 *node = part->nodes + (gsize) i * NODE_SIZE;
      n += (guint64) get_u32 (node + AT_N_END) + get_u32 (node + AT_N_START);
    }
  if (n > part->n_successors)
    return fail (self, part->nodes, PD_TRACE_ERROR_VALUE,
                 "the nodes of rank %" G_GUINT32_FORMAT " have %" G_GUINT64_FORMAT
                 " successors, but the list has %" G_GUINT64_FORMAT,
                 part->rank, n, part->n_successors);
  if (n >= G_MAXUINT32)
    return fail (self, part->nodes, PD_TRACE_ERROR_LIMIT,
                 "more than %u dependencies of rank %" G_GUINT32_FORMAT, G_MAXUINT32 - 1,
                 part->rank);
  make_room (&self->successors, &self->size_successors, n);
  return TRUE;
}

/* Checks that data given twice agrees: the number of dependencies of each node, and the
 * list of nodes without dependencies. */
static gboolean
check_waits (Reader *self, const Part *part)
{
  const guint32 *waits = self->waits;
  guint32 n_roots = 0;

  for (guint32 i = 0; i < part->n_nodes; i++)
    {
      const guint8 *node = part->nodes + (gsize) i * NODE_SIZE;
      if (get_u32 (node + AT_COUNT) != waits[i])
        return fail (self, node, PD_TRACE_ERROR_VALUE,
                     "node %" G_GUINT32_FORMAT " of rank %" G_GUINT32_FORMAT
                     " claims %" G_GUINT32_FORMAT " dependencies, but has %" G_GUINT32_FORMAT,
                     i, part->rank, get_u32 (node + AT_COUNT), waits[i]);
      n_roots += waits[i] == 0;
    }
  for (guint32 k = 0; k < part->n_roots; k++)
    {
      guint32 root = get_u32 (part->roots + (gsize) k * 4);
      if (root >= part->n_nodes || waits[root] != 0)
        return fail (self, part->roots + (gsize) k * 4, PD_TRACE_ERROR_VALUE,
                     "root %" G_GUINT32_FORMAT " of rank %" G_GUINT32_FORMAT
                     " is no node without dependencies",
                     root, part->rank);
    }
  if (n_roots == part->n_roots)
    return TRUE;
  return fail (self, part->roots, PD_TRACE_ERROR_VALUE,
               "%" G_GUINT32_FORMAT " roots of rank %" G_GUINT32_FORMAT ", but %" G_GUINT32_FORMAT
               " nodes without dependencies",
               part->n_roots, part->rank, n_roots);
}

static gboolean
read_graph (Reader *self, const Part *part)
{
  gsize size_ends = self->size_nodes;

  if (!check_ranges (self, part))
    return FALSE;
  make_room (&self->ends, &size_ends, part->n_nodes);
  make_room (&self->waits, &self->size_nodes, part->n_nodes);
  memset (self->waits, 0, part->n_nodes * sizeof *self->waits);
  pd_graph_builder_begin_rank (self->builder, part->rank);
  for (guint32 i = 0; i < part->n_nodes; i++)
    if (!read_node (self, part, part->nodes + (gsize) i * NODE_SIZE))
      return FALSE;
  for (guint32 i = 0; i < part->n_nodes; i++)
    if (!read_both_successors (self, part, i))
      return FALSE;
  if (!check_waits (self, part))
    return FALSE;
  pd_graph_builder_set_successors (self->builder, self->waits, self->ends, self->successors);
  return TRUE;
}

/* Where the parts of @rank are; all of it is inside the file. */
static gboolean
read_rank (Reader *self, guint32 rank)
{
  const guint8 *entry = self->data + MAGIC_SIZE + HEAD_SIZE + (gsize) rank * RANK_SIZE;
  guint64 begin = get_u64 (entry), end = get_u64 (entry + 8), limit = self->size - MAGIC_SIZE;
  guint64 head = HEAD_SIZE + (guint64) self->n_ranks * RANK_SIZE, need;
  Part part = { .rank = rank };
  const guint8 *at;

  if (end > limit && begin <= end)
    return fail (self, entry, PD_TRACE_ERROR_TRUNCATED,
                 "rank %" G_GUINT32_FORMAT " ends at %" G_GUINT64_FORMAT
                 ", but the file has %" G_GUINT64_FORMAT " bytes",
                 rank, end, limit);
  if (begin < head || begin > end || end - begin < 8)
    return fail (self, entry, PD_TRACE_ERROR_VALUE,
                 "rank %" G_GUINT32_FORMAT " is said to be from %" G_GUINT64_FORMAT
                 " to %" G_GUINT64_FORMAT,
                 rank, begin, end);
  self->n_used += end - begin;
  if (self->n_used > limit)
    return fail (self, entry, PD_TRACE_ERROR_VALUE, "the parts of the ranks overlap");
  at = self->data + MAGIC_SIZE + begin;
  part.n_nodes = get_u32 (at);
  part.n_roots = get_u32 (at + 4);
  need = 8 + (guint64) part.n_roots * 4 + (guint64) part.n_nodes * NODE_SIZE;
  if (need > end - begin || part.n_roots > part.n_nodes)
    return fail (self, at, PD_TRACE_ERROR_VALUE,
                 "%" G_GUINT32_FORMAT " nodes and %" G_GUINT32_FORMAT
                 " roots do not fit into the %" G_GUINT64_FORMAT
                 " bytes of rank %" G_GUINT32_FORMAT,
                 part.n_nodes, part.n_roots, end - begin, rank);
  part.roots = at + 8;
  part.nodes = part.roots + (gsize) part.n_roots * 4;
  part.successors = at + need;
  part.n_successors = (end - begin - need) / 4;
  return read_graph (self, &part);
}

static gboolean
read_head (Reader *self)
{
  guint64 magic;

  if (self->size < MAGIC_SIZE + HEAD_SIZE)
    return fail (self, self->data, PD_TRACE_ERROR_TRUNCATED,
                 "the file ends in its head of %d bytes", MAGIC_SIZE + HEAD_SIZE);
  magic = get_u64 (self->data);
  if (magic == PD_GOAL_MAGIC_INVALID)
    return fail (self, self->data, PD_TRACE_ERROR_FORMAT,
                 "the schedule was used up by a simulation of LogGOPSim that saved memory");
  if (magic != PD_GOAL_MAGIC)
    return fail (self, self->data, PD_TRACE_ERROR_FORMAT,
                 GUINT64_SWAP_LE_BE (magic) == PD_GOAL_MAGIC
                     ? "the schedule was written on a machine of the other byte order"
                     : "no schedule: it does not begin with 4223");
  self->n_ranks = get_u32 (self->data + MAGIC_SIZE);
  if (self->n_ranks == 0 || self->n_ranks > PD_PROGRAM_MAX_RANKS)
    return fail (self, self->data + MAGIC_SIZE, PD_TRACE_ERROR_LIMIT,
                 "%" G_GUINT32_FORMAT " ranks, expected 1 to %d", self->n_ranks,
                 PD_PROGRAM_MAX_RANKS);
  if ((self->size - MAGIC_SIZE - HEAD_SIZE) / RANK_SIZE < self->n_ranks)
    return fail (self, self->data + MAGIC_SIZE, PD_TRACE_ERROR_TRUNCATED,
                 "the file ends in its table of %" G_GUINT32_FORMAT " ranks", self->n_ranks);
  return TRUE;
}

/* How many nodes the ranks claim; at most as many as the file has room for. */
static gsize
count_nodes (const Reader *self)
{
  gsize n = 0, limit = self->size / NODE_SIZE;

  for (guint32 rank = 0; rank < self->n_ranks && n < limit; rank++)
    {
      const guint8 *entry = self->data + MAGIC_SIZE + HEAD_SIZE + (gsize) rank * RANK_SIZE;
      guint64 begin = get_u64 (entry);
      if (begin <= self->size - MAGIC_SIZE - 4)
        n += get_u32 (self->data + MAGIC_SIZE + begin);
    }
  return MIN (n, limit);
}

static gboolean
read_ranks (Reader *self)
{
  gsize n_nodes = count_nodes (self);

  pd_graph_builder_reserve (self->builder, n_nodes, (self->size - n_nodes * NODE_SIZE) / 4);
  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    if (!read_rank (self, rank))
      return FALSE;
  return TRUE;
}

PdGraph *
pd_goal_read_binary (GBytes *bytes, const char *name, GError **error)
{
  Reader self = { .name = name, .error = error };
  PdGraph *graph = NULL;

  self.data = g_bytes_get_data (bytes, &self.size);
  if (!read_head (&self))
    return NULL;
  self.builder = pd_graph_builder_new (self.n_ranks);
  if (read_ranks (&self))
    graph = pd_goal_finish (self.builder, name, error);
  else
    pd_graph_builder_free (self.builder);
  g_free (self.waits);
  g_free (self.ends);
  g_free (self.successors);
  return graph;
}

gboolean
pd_goal_is_binary (const char *head, gsize n)
{
  static const guint64 magics[] = { PD_GOAL_MAGIC, PD_GOAL_MAGIC_INVALID };
  guint64 magic = n >= MAGIC_SIZE ? get_u64 ((const guint8 *) head) : 0;

  for (gsize i = 0; i < G_N_ELEMENTS (magics); i++)
    if (magic == magics[i] || magic == GUINT64_SWAP_LE_BE (magics[i]))
      return TRUE;
  return FALSE;
}

PdGraph *
pd_goal_finish (PdGraphBuilder *builder, const char *name, GError **error)
{
  g_autoptr (GError) problem = NULL;
  PdGraph *graph = pd_graph_builder_finish (builder, &problem);

  if (graph == NULL)
    g_set_error (error, PD_TRACE_ERROR,
                 g_error_matches (problem, PD_GRAPH_ERROR, PD_GRAPH_ERROR_LIMIT)
                     ? PD_TRACE_ERROR_LIMIT
                     : PD_TRACE_ERROR_VALUE,
                 "%s: %s", name, problem->message);
  return graph;
}
