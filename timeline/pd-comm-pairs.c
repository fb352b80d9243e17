/* SPDX-License-Identifier: MIT */
#include "timeline/pd-comm-pairs.h"

#include "base/pd-hash-map.h"
#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-action.h"

struct _PdCommPairs
{
  GArray *pairs;   /* PdCommPair */
  PdHashMap index; /* of sender and 1 + receiver -> which pair */
};

PdCommPairs *
pd_comm_pairs_new (void)
{
  PdCommPairs *self = g_new0 (PdCommPairs, 1);

  self->pairs = g_array_new (FALSE, TRUE, sizeof (PdCommPair));
  return self;
}

void
pd_comm_pairs_free (PdCommPairs *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->pairs, g_array_unref);
  pd_hash_map_clear (&self->index);
  g_free (self);
}

static PdCommPair *
find_pair (PdCommPairs *self, guint32 from, guint32 to)
{
  uint64_t at = *pd_hash_map_get (&self->index, from, (uint64_t) to + 1, self->pairs->len);

  if (at == self->pairs->len)
    {
      const PdCommPair pair = { .from = from, .to = to };
      g_array_append_val (self->pairs, pair);
    }
  return &g_array_index (self->pairs, PdCommPair, at);
}

static void
pairs_message (gpointer self, const PdTimelineMessage *message)
{
  PdCommPair *pair = find_pair (self, message->from, message->to);

  pair->n_messages++;
  pair->bytes.ps += message->bytes;
}

const PdTimelineClass pd_comm_pairs_class = { .message = pairs_message };

static gint
compare_pairs (gconstpointer a, gconstpointer b)
{
  const PdCommPair *x = a, *y = b;

  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->to < y->to ? -1 : x->to > y->to;
}

GArray *
pd_comm_pairs_end (PdCommPairs *self)
{
  GArray *pairs = g_steal_pointer (&self->pairs);

  g_array_sort (pairs, compare_pairs);
  pd_comm_pairs_free (self);
  return pairs;
}

/* ---- collective operations */

/* To whom a member has something to send. */
typedef enum
{
  TO_NONE,
  TO_ALL,    /* the same to each */
  TO_EACH,   /* a block of its own to each */
  TO_OWNERS, /* to each the block of the result that it gets */
  TO_HIGHER, /* the same to each of higher rank */
  TO_ROOT,
  OF_ROOT,      /* the root, the same to each */
  OF_ROOT_EACH, /* the root, a block of its own to each */
  TO_TARGETS,   /* the same to each neighbour */
  TO_EACH_TARGET,
} Whom;

static const guint8 whom[PD_N_COLLS] = {
  [PD_COLL_BCAST] = OF_ROOT,
  [PD_COLL_REDUCE] = TO_ROOT,
  [PD_COLL_ALLREDUCE] = TO_ALL,
  [PD_COLL_GATHER] = TO_ROOT,
  [PD_COLL_GATHERV] = TO_ROOT,
  [PD_COLL_SCATTER] = OF_ROOT_EACH,
  [PD_COLL_SCATTERV] = OF_ROOT_EACH,
  [PD_COLL_ALLGATHER] = TO_ALL,
  [PD_COLL_ALLGATHERV] = TO_ALL,
  [PD_COLL_ALLTOALL] = TO_EACH,
  [PD_COLL_ALLTOALLV] = TO_EACH,
  [PD_COLL_ALLTOALLW] = TO_EACH,
  [PD_COLL_SCAN] = TO_HIGHER,
  [PD_COLL_EXSCAN] = TO_HIGHER,
  [PD_COLL_REDUCE_SCATTER] = TO_OWNERS,
  [PD_COLL_REDUCE_SCATTER_BLOCK] = TO_OWNERS,
  [PD_COLL_NEIGHBOR_ALLGATHER] = TO_TARGETS,
  [PD_COLL_NEIGHBOR_ALLGATHERV] = TO_TARGETS,
  [PD_COLL_NEIGHBOR_ALLTOALL] = TO_EACH_TARGET,
  [PD_COLL_NEIGHBOR_ALLTOALLV] = TO_EACH_TARGET,
  [PD_COLL_NEIGHBOR_ALLTOALLW] = TO_EACH_TARGET,
};

/* An operation of a rank, and how often it does just that. */
typedef struct
{
  guint64 n;
  PdCollKind op;
  guint32 comm;
  gint32 root;
  guint32 send_counts, recv_counts, targets;
  gint64 bytes, sent_bytes;
} Operation;

static guint
operation_hash (gconstpointer data)
{
  const Operation *o = data;

  return ((((guint) o->op * 31 + o->comm) * 31 + (guint) o->bytes) * 31 + o->send_counts) * 31
         + (guint) o->root;
}

static gboolean
operation_equal (gconstpointer a, gconstpointer b)
{
  const Operation *x = a, *y = b;

  return x->op == y->op && x->comm == y->comm && x->root == y->root
         && x->send_counts == y->send_counts && x->recv_counts == y->recv_counts
         && x->targets == y->targets && x->bytes == y->bytes && x->sent_bytes == y->sent_bytes;
}

/* The operations of @rank. Returns: (element-type Operation): in the order in which it first
 * does them. */
static GPtrArray *
count_operations (const PdProgram *program, guint32 rank)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) known = g_hash_table_new (operation_hash, operation_equal);
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *action;

  pd_action_reader_init (&reader, program);
  pd_action_reader_begin (&reader, rank);
  while ((action = pd_action_reader_next (&reader)) != NULL)
    {
      if ((action->kind != PD_ACT_COLLECTIVE && action->kind != PD_ACT_ICOLLECTIVE)
          || whom[action->op] == TO_NONE)
        continue;
      const Operation own = { .op = action->op,
                              .comm = action->comm,
                              .root = action->peer,
                              .send_counts = action->send_counts,
                              .recv_counts = action->recv_counts,
                              .targets = action->targets,
                              .bytes = action->bytes,
                              .sent_bytes = action->sent_bytes };
      Operation *same = g_hash_table_lookup (known, &own);
      if (same == NULL)
        {
          same = g_new (Operation, 1);
          *same = own;
          g_ptr_array_add (all, same);
          g_hash_table_add (known, same);
        }
      same->n++;
    }
  return all;
}

typedef struct
{
  PdCommPairs *pairs;
  const PdProgram *program;
  guint32 rank;
  const guint32 *members; /* (nullable): %NULL: the world */
  guint32 n;
  const Operation *operation;
} Member;

static void
send_to (const Member *self, guint32 member, gint64 bytes)
{
  guint32 to = self->members != NULL ? self->members[member] : member;

  if (member >= self->n || to == self->rank || bytes <= 0)
    return;
  find_pair (self->pairs, self->rank, to)->collective_bytes.ps +=
      (PdWide) bytes * self->operation->n;
}

/* The member's own block for the @i-th, of a vector of @n if there is one. */
static gint64
block_of (const Member *self, guint32 counts, guint32 i, guint32 n)
{
  guint32 length = 0;
  const gint64 *vector =
      counts != PD_PROGRAM_NONE ? pd_program_get_counts (self->program, counts, &length) : NULL;

  if (vector != NULL)
    return i < length ? vector[i] : 0;
  /* without, operations with a vector have blocks of one size */
  return self->operation->bytes > 0 ? self->operation->bytes
                                    : self->operation->sent_bytes / MAX (n, 1);
}

static void
send_to_targets (const Member *self, gboolean is_each)
{
  const Operation *o = self->operation;
  guint32 n = 0;
  const gint64 *targets =
      o->targets != PD_PROGRAM_NONE ? pd_program_get_counts (self->program, o->targets, &n) : NULL;

  for (guint32 i = 0; i < n; i++)
    if (targets[i] >= 0)
      send_to (self, (guint32) targets[i],
               is_each ? block_of (self, o->send_counts, i, n) : o->bytes);
}

static void
send_to_members (const Member *self, guint32 me, Whom to)
{
  const Operation *o = self->operation;
  guint32 counts = to == TO_OWNERS ? o->recv_counts : o->send_counts;
  gboolean is_each = to == TO_EACH || to == TO_OWNERS || to == OF_ROOT_EACH;

  for (guint32 i = to == TO_HIGHER ? me + 1 : 0; i < self->n; i++)
    send_to (self, i, is_each ? block_of (self, counts, i, self->n) : o->bytes);
}

static void
add_operation (const Member *self, guint32 me)
{
  const Operation *o = self->operation;
  Whom to = (Whom) whom[o->op];
  gboolean is_root = o->root >= 0 && (guint32) o->root == me;

  if (to == TO_TARGETS || to == TO_EACH_TARGET)
    send_to_targets (self, to == TO_EACH_TARGET);
  else if (to == TO_ROOT && o->root >= 0)
    send_to (self, (guint32) o->root, o->bytes);
  else if (to != TO_ROOT && ((to != OF_ROOT && to != OF_ROOT_EACH) || is_root))
    send_to_members (self, me, to);
}

void
pd_comm_pairs_add_collectives (PdCommPairs *self, const PdProgram *program)
{
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    {
      g_autoptr (GPtrArray) operations = count_operations (program, rank);
      for (guint i = 0; i < operations->len; i++)
        {
          Member member = {
            .pairs = self, .program = program, .rank = rank, .operation = operations->pdata[i]
          };
          guint32 me = rank;
          member.members = pd_program_get_comm (program, member.operation->comm, &member.n);
          for (guint32 k = 0; member.members != NULL && k < member.n; k++)
            if (member.members[k] == rank)
              me = k;
          add_operation (&member, me);
        }
    }
}
