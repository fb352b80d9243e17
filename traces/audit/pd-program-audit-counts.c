/* The check of programs: do the members of a collective operation with vectors of bytes expect
 * what the others send?
 *
 * Each operation has two sums over all pairs of members, of a hash of the pair and its bytes: as
 * the senders say, and as the receivers say. They are equal if the pairs are; the pair that is
 * named where they differ is searched for then. Vectors are shared by operations: the sum of each
 * is made once for each member.
 * SPDX-License-Identifier: MIT */
#include "traces/audit/pd-program-audit-counts-private.h"

#include "base/pd-hash-map.h"
#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-action.h"

/* An operation with vectors. */
typedef struct
{
  guint64 sent;
  guint64 received;
  guint32 n_members; /* that have said what they send and receive */
  PdCollKind op;
} Op;

typedef struct
{
  GArray *ops; /* (nullable): Op, in the order of the communicator */
  guint at;    /* operations of the rank whose actions are read */
} Comm;

struct _PdAuditCounts
{
  PdAudit *audit;
  Comm *comms;
  GArray *used;   /* guint32: communicators that the rank has used */
  PdHashMap sums; /* (vector and direction, member) -> sum */
};

PdAuditCounts *
pd_audit_counts_new (PdAudit *audit)
{
  PdAuditCounts *self = g_new0 (PdAuditCounts, 1);

  self->audit = audit;
  self->comms = g_new0 (Comm, pd_program_get_n_comms (audit->program));
  self->used = g_array_new (FALSE, FALSE, sizeof (guint32));
  return self;
}

void
pd_audit_counts_free (PdAuditCounts *self)
{
  if (self == NULL)
    return;
  for (guint32 i = 0; i < pd_program_get_n_comms (self->audit->program); i++)
    g_clear_pointer (&self->comms[i].ops, g_array_unref);
  pd_hash_map_clear (&self->sums);
  g_array_unref (self->used);
  g_free (self->comms);
  g_free (self);
}

/* ---- bytes of a pair */

/* The bytes that @me, the member that does @action, sends to or receives from @other; -1: not
 * given. */
static gint64
bytes_with (const PdProgram *program, const PdAction *action, gboolean sends, guint32 me,
            guint32 other)
{
  gboolean is_gather = action->op == PD_COLL_GATHERV, is_scatter = action->op == PD_COLL_SCATTERV;
  guint32 counts = sends ? action->send_counts : action->recv_counts;
  guint32 root = (guint32) action->peer, n;

  if ((is_gather && (sends ? other : me) != root) || (is_scatter && (sends ? me : other) != root))
    return 0;
  if ((is_gather && sends) || (is_scatter && !sends))
    return action->bytes;
  if (counts == PD_PROGRAM_NONE)
    return -1;
  const gint64 *vector = pd_program_get_counts (program, counts, &n);
  return other < n ? vector[other] : -1;
}

/* Whether the operation has a root, which need not give its own block twice (MPI_IN_PLACE). */
static gboolean
has_root (const PdAction *action)
{
  return action->op == PD_COLL_GATHERV || action->op == PD_COLL_SCATTERV;
}

static inline guint64
hash_pair (guint32 from, guint32 to, gint64 bytes)
{
  guint64 h = ((guint64) from << 32 | to) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  h = (h ^ h >> 29 ^ (guint64) bytes) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  return h ^ h >> 32;
}

/* FALSE: the member does not give all sizes. */
static gboolean
add_up (const PdProgram *program, const PdAction *action, gboolean sends, guint32 me, guint32 n,
        guint64 *sum)
{
  *sum = 0;
  for (guint32 other = 0; other < n; other++)
    {
      gint64 bytes = bytes_with (program, action, sends, me, other);
      if (bytes < 0)
        return FALSE;
      if (bytes > 0 && (other != me || !has_root (action)))
        *sum += sends ? hash_pair (me, other, bytes) : hash_pair (other, me, bytes);
    }
  return TRUE;
}

/* The same, where it is of a vector looked up if that was seen before. */
static gboolean
find_sum (PdAuditCounts *self, const PdAction *action, gboolean sends, guint32 me, guint64 *sum)
{
  guint32 counts = sends ? action->send_counts : action->recv_counts, n;
  guint64 key = ((guint64) action->comm << 33 | (guint64) sends << 32 | counts) + 1;
  gboolean kept = action->op == PD_COLL_ALLTOALLV || action->op == PD_COLL_ALLTOALLW;
  guint64 *known = kept ? pd_hash_map_find (&self->sums, me, key) : NULL;

  pd_program_get_comm (self->audit->program, action->comm, &n);
  if (known != NULL)
    *sum = *known;
  else if (!add_up (self->audit->program, action, sends, me, n, sum))
    return FALSE;
  else if (kept)
    pd_hash_map_get (&self->sums, me, key, *sum);
  return TRUE;
}

/* ---- the members, one after the other */

static gboolean
has_vectors (const PdAction *action)
{
  return action->kind != PD_ACT_WIN_FENCE
         && (action->op == PD_COLL_ALLTOALLV || action->op == PD_COLL_ALLTOALLW
             || action->op == PD_COLL_GATHERV || action->op == PD_COLL_SCATTERV);
}

void
pd_audit_counts_add (PdAuditCounts *self, const PdAction *action, guint32 me)
{
  Comm *comm = &self->comms[action->comm];
  guint64 sent, received;

  if (!has_vectors (action))
    return;
  if (comm->ops == NULL)
    comm->ops = g_array_new (FALSE, TRUE, sizeof (Op));
  if (comm->at == 0)
    g_array_append_val (self->used, action->comm);
  if (comm->at == comm->ops->len)
    g_array_set_size (comm->ops, comm->at + 1);
  Op *op = &g_array_index (comm->ops, Op, comm->at++);
  if (op->n_members > 0 && op->op != action->op)
    return; /* another finding */
  op->op = action->op;
  if (!find_sum (self, action, TRUE, me, &sent) || !find_sum (self, action, FALSE, me, &received))
    return;
  op->sent += sent;
  op->received += received;
  op->n_members++;
}

void
pd_audit_counts_next (PdAuditCounts *self)
{
  for (guint i = 0; i < self->used->len; i++)
    self->comms[g_array_index (self->used, guint32, i)].at = 0;
  g_array_set_size (self->used, 0);
}

/* ---- where it differs */

/* The @number-th operation with vectors of @rank over @comm. @at: (out): of its actions */
static void
find_action (const PdProgram *program, guint32 rank, guint32 comm, guint number, PdAction *action,
             guint64 *at)
{
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *next;
  guint seen = 0;

  pd_action_reader_init (&reader, program);
  pd_action_reader_begin (&reader, rank);
  for (*at = 0; (next = pd_action_reader_next (&reader)) != NULL; (*at)++)
    {
      *action = *next;
      if ((action->kind == PD_ACT_COLLECTIVE || action->kind == PD_ACT_ICOLLECTIVE)
          && action->comm == comm && has_vectors (action) && seen++ == number)
        return;
    }
}

/* The first pair, by sender, that does not agree. */
static void
report (PdAuditCounts *self, guint32 comm, guint number)
{
  const PdProgram *program = self->audit->program;
  guint32 n;
  const guint32 *ranks = pd_program_get_comm (program, comm, &n);
  g_autofree PdAction *actions = g_new (PdAction, n);
  g_autofree guint64 *at = g_new (guint64, n);

  for (guint32 i = 0; i < n; i++)
    find_action (program, ranks != NULL ? ranks[i] : i, comm, number, &actions[i], &at[i]);
  for (guint32 from = 0; from < n; from++)
    for (guint32 to = 0; to < n; to++)
      {
        gint64 sent = bytes_with (program, &actions[from], TRUE, from, to);
        gint64 received = bytes_with (program, &actions[to], FALSE, to, from);
        if (sent == received || (from == to && has_root (&actions[from])))
          continue;
        pd_audit_find (self->audit, "counts-mismatch", ranks != NULL ? ranks[from] : from, at[from],
                       pd_action_name (&actions[from]),
                       "rank %u of communicator %u sends %" G_GINT64_FORMAT
                       " bytes to rank %u, which expects %" G_GINT64_FORMAT,
                       from, comm, sent, to, received);
        return;
      }
}

void
pd_audit_counts_end (PdAuditCounts *self)
{
  for (guint32 c = 0; c < pd_program_get_n_comms (self->audit->program); c++)
    {
      guint32 n;
      pd_program_get_comm (self->audit->program, c, &n);
      for (guint i = 0; self->comms[c].ops != NULL && i < self->comms[c].ops->len; i++)
        {
          const Op *op = &g_array_index (self->comms[c].ops, Op, i);
          if (op->n_members == n && op->sent != op->received)
            report (self, c, i);
        }
    }
}
