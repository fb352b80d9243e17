/* Finds messages that can have no partner. Sends and receives are counted by source,
 * target and tag in one hash table. Findings are reported in the order of operations,
 * so the order of the table has no influence.
 * SPDX-License-Identifier: MIT */
#include "base/pd-hash-map.h"
#include "traces/graph/pd-graph-check-private.h"
#include "traces/graph/pd-graph-check-messages-private.h"

/* All messages of one source, target and tag; PD_GRAPH_ANY as source or tag:
 * the receives with that wildcard. */
typedef struct
{
  guint32 source;
  guint32 target;
  guint32 tag;
  gboolean reported;
  guint64 n_sends;
  guint64 n_recvs;
  guint64 n_spare; /* of a wildcard: sends that its receives could get */
  guint64 n_seen;  /* sends, later receives, processed so far */
  guint64 sizes;   /* where those of the sends begin */
} Pair;

/* One rank as a target. */
typedef struct
{
  guint64 n_sends;
  guint64 n_recvs;
  gboolean wildcard;  /* some receive has a wildcard */
  gboolean sends_any; /* some message to it has a tag that matches all */
} Target;

typedef struct
{
  PdGraphCheck *check;
  Pair *pairs; /* (array length=n_pairs), in the order of the operations */
  guint64 n_pairs;
  guint64 room;    /* for pairs */
  PdHashMap table; /* source, target and tag -> place in @pairs */
  Target *targets;
  gint64 *sizes;
} Matching;

typedef void (*MessageFunc) (Matching *self, guint32 rank, guint32 i, const PdGraphOp *op);

static void
for_messages (Matching *self, MessageFunc func)
{
  const PdGraph *graph = self->check->graph;
  guint32 n_ranks = pd_graph_get_n_ranks (graph);

  for (guint32 rank = 0; rank < n_ranks; rank++)
    {
      guint32 n = pd_graph_get_n_ops (graph, rank);
      for (guint32 i = 0; i < n; i++)
        {
          PdGraphOp op;
          pd_graph_get_op (graph, rank, i, &op);
          if (op.kind != PD_GRAPH_CALC)
            func (self, rank, i, &op);
        }
    }
}

/* ---- the table */

/* NULL: there is none. */
static Pair *
look_up (const Matching *self, guint32 source, guint32 target, guint32 tag)
{
  const guint64 *place =
      pd_hash_map_find (&self->table, (guint64) source << 32 | target, (guint64) tag + 1);

  return place != NULL ? &self->pairs[*place] : NULL;
}

static Pair *
find_pair (const Matching *self, guint32 rank, const PdGraphOp *op)
{
  return op->kind == PD_GRAPH_SEND ? look_up (self, rank, op->peer, op->tag)
                                   : look_up (self, op->peer, rank, op->tag);
}

static Pair *
get_pair (Matching *self, guint32 source, guint32 target, guint32 tag)
{
  guint64 place = *pd_hash_map_get (&self->table, (guint64) source << 32 | target,
                                    (guint64) tag + 1, self->n_pairs);

  if (place < self->n_pairs)
    return &self->pairs[place];
  if (self->n_pairs == self->room)
    {
      self->room = MAX (1024, 2 * self->room);
      self->pairs = g_renew (Pair, self->pairs, self->room);
    }
  self->pairs[self->n_pairs++] = (Pair){ .source = source, .target = target, .tag = tag };
  return &self->pairs[place];
}

/* ---- counting */

static void
count (Matching *self, guint32 rank, guint32 i, const PdGraphOp *op)
{
  guint is_send = op->kind == PD_GRAPH_SEND;
  Target *target = &self->targets[is_send ? op->peer : rank];
  Pair *pair = get_pair (self, is_send ? rank : op->peer, is_send ? op->peer : rank, op->tag);

  pair->n_sends += is_send;
  pair->n_recvs += !is_send;
  target->n_sends += is_send;
  target->n_recvs += !is_send;
  target->wildcard |= !is_send && (op->peer == PD_GRAPH_ANY || op->tag == PD_GRAPH_ANY);
  target->sends_any |= is_send && op->tag == PD_GRAPH_ANY;
  if (is_send && op->peer == rank)
    pd_graph_check_find (self->check, PD_FINDING_SELF, rank, i, "a message to itself");
}

static void
add_spare (const Matching *self, guint32 source, guint32 target, guint32 tag, guint64 n)
{
  Pair *pair = look_up (self, source, target, tag);

  if (pair != NULL)
    pair->n_spare += n;
}

/* Sends without an exact receive are left for receives with wildcards. Also reserves
 * the places of sizes. */
static void
share (Matching *self)
{
  guint64 n = 0;

  for (guint64 i = 0; i < self->n_pairs; i++)
    {
      Pair *pair = &self->pairs[i];
      guint64 spare = pair->n_sends > pair->n_recvs ? pair->n_sends - pair->n_recvs : 0;

      pair->sizes = n;
      n += pair->n_sends;
      if (!self->targets[pair->target].wildcard || pair->source == PD_GRAPH_ANY
          || pair->tag == PD_GRAPH_ANY)
        continue;
      add_spare (self, pair->source, pair->target, PD_GRAPH_ANY, spare);
      add_spare (self, PD_GRAPH_ANY, pair->target, pair->tag, spare);
    }
  self->sizes = g_new (gint64, n);
}

/* ---- reporting */

static char *
describe (const Pair *pair)
{
  g_autofree char *source = pair->source == PD_GRAPH_ANY
                                ? g_strdup ("any rank")
                                : g_strdup_printf ("rank %" G_GUINT32_FORMAT, pair->source);

  return pair->tag == PD_GRAPH_ANY
             ? g_strdup_printf ("%s to rank %" G_GUINT32_FORMAT " with any tag", source,
                                pair->target)
             : g_strdup_printf ("%s to rank %" G_GUINT32_FORMAT " with tag %" G_GUINT32_FORMAT,
                                source, pair->target, pair->tag);
}

/* Whether no choice of partners can give every message of @pair one. A tag that
 * matches all leaves only the sums of the target to be compared. */
static gboolean
is_unmatched (const Matching *self, const Pair *pair)
{
  const Target *target = &self->targets[pair->target];

  if (target->sends_any)
    return FALSE;
  if (pair->source == PD_GRAPH_ANY || pair->tag == PD_GRAPH_ANY)
    return (pair->source != PD_GRAPH_ANY || pair->tag != PD_GRAPH_ANY)
           && pair->n_recvs > pair->n_spare;
  return target->wildcard ? pair->n_recvs > pair->n_sends : pair->n_recvs != pair->n_sends;
}

static void
report_unmatched (Matching *self, guint32 rank, guint32 i, const PdGraphOp *op)
{
  Pair *pair = find_pair (self, rank, op);
  gboolean wildcard = pair->source == PD_GRAPH_ANY || pair->tag == PD_GRAPH_ANY;
  g_autofree char *what = NULL;

  if (pair->reported)
    return;
  pair->reported = TRUE;
  if (!is_unmatched (self, pair))
    return;
  what = describe (pair);
  pd_graph_check_find (self->check, PD_FINDING_UNMATCHED, rank, i,
                       "%" G_GUINT64_FORMAT " sends and %" G_GUINT64_FORMAT " receives from %s",
                       wildcard ? pair->n_spare : pair->n_sends, pair->n_recvs, what);
  self->targets[pair->target].n_sends = self->targets[pair->target].n_recvs = 0;
}

/* Where wildcards are, the sums of a rank must agree; said only if nothing more
 * exact was. */
static void
report_sums (Matching *self)
{
  guint32 n_ranks = pd_graph_get_n_ranks (self->check->graph);

  for (guint32 rank = 0; rank < n_ranks; rank++)
    {
      const Target *target = &self->targets[rank];
      if ((target->wildcard || target->sends_any) && target->n_sends != target->n_recvs)
        pd_graph_check_find (self->check, PD_FINDING_UNMATCHED, rank, 0,
                             "%" G_GUINT64_FORMAT " messages are sent to this rank, but it has "
                             "%" G_GUINT64_FORMAT " receives",
                             target->n_sends, target->n_recvs);
    }
}

/* ---- sizes */

/* Whether the n-th receive gets the n-th send. */
static gboolean
is_in_order (const Matching *self, const Pair *pair)
{
  const Target *target = &self->targets[pair->target];

  return !target->wildcard && !target->sends_any && pair->n_sends == pair->n_recvs;
}

static void
note_size (Matching *self, guint32 rank, guint32 i G_GNUC_UNUSED, const PdGraphOp *op)
{
  Pair *pair;

  if (op->kind != PD_GRAPH_SEND)
    return;
  pair = find_pair (self, rank, op);
  self->sizes[pair->sizes + pair->n_seen++] = op->size;
}

static void
compare_size (Matching *self, guint32 rank, guint32 i, const PdGraphOp *op)
{
  Pair *pair;
  gint64 sent;

  if (op->kind != PD_GRAPH_RECV)
    return;
  pair = find_pair (self, rank, op);
  if (!is_in_order (self, pair))
    return;
  /* counted up by the sends, and down again from the first receive on */
  sent = self->sizes[pair->sizes + pair->n_sends - pair->n_seen--];
  if (sent != op->size)
    pd_graph_check_find (self->check, sent > op->size ? PD_FINDING_TRUNCATED : PD_FINDING_SIZE,
                         rank, i,
                         "receives %" G_GINT64_FORMAT " bytes, but rank %" G_GUINT32_FORMAT
                         " sends %" G_GINT64_FORMAT,
                         op->size, op->peer, sent);
}

void
pd_graph_check_messages (PdGraphCheck *check)
{
  Matching self = { .check = check };

  self.targets = g_new0 (Target, pd_graph_get_n_ranks (check->graph));
  for_messages (&self, count);
  share (&self);
  for_messages (&self, note_size);
  for_messages (&self, compare_size);
  for_messages (&self, report_unmatched);
  report_sums (&self);
  g_free (self.targets);
  g_free (self.pairs);
  pd_hash_map_clear (&self.table);
  g_free (self.sizes);
}
