/* The check of programs: do all members of a communicator take part in the same
 * collective operations, in the same order? The first member that takes part in
 * an operation says what it is; the others are compared with that.
 * SPDX-License-Identifier: MIT */
#include "traces/audit/pd-program-audit-private.h"
#include "traces/program/pd-action.h"
#include "traces/audit/pd-program-audit-collectives-private.h"

/* Fences take part in the order of operations, too: behind those of PdCollKind. */
#define FENCE PD_N_COLLS

/* The properties of an operation that all members must agree upon; -1: not given. */
typedef struct
{
  guint op;
  gint32 root;
  gint64 bytes;
  guint64 n;    /* so many equal ones, one after the other */
  guint32 rank; /* the first member with them, and the number of its action */
  guint64 number;
} Run;

typedef struct
{
  GArray *runs;     /* Run */
  guint64 n;        /* operations */
  guint32 n_active; /* members that have taken part in any */
  guint32 first;    /* the first of them */
  guint64 n_first;  /* its operations */
  /* of the rank whose actions are read */
  guint at;     /* run */
  guint64 done; /* of that run */
  guint64 n_own;
  gboolean bad; /* it has differed: what follows is not compared */
} Comm;

struct _PdAuditCollectives
{
  PdAudit *audit;
  Comm *comms;
  GArray *used; /* guint32: communicators that the rank has used */
};

/* Which operations have a root, and a size that is the same for all. */
static const struct
{
  gboolean rooted;
  gboolean sized;
} agreed[PD_N_COLLS + 1] = {
  [PD_COLL_BCAST] = { TRUE, TRUE },      [PD_COLL_REDUCE] = { TRUE, TRUE },
  [PD_COLL_ALLREDUCE] = { FALSE, TRUE }, [PD_COLL_GATHER] = { TRUE, TRUE },
  [PD_COLL_GATHERV] = { TRUE, FALSE },   [PD_COLL_SCATTER] = { TRUE, TRUE },
  [PD_COLL_SCATTERV] = { TRUE, FALSE },  [PD_COLL_ALLGATHER] = { FALSE, TRUE },
  [PD_COLL_ALLTOALL] = { FALSE, TRUE },  [PD_COLL_SCAN] = { FALSE, TRUE },
  [PD_COLL_EXSCAN] = { FALSE, TRUE },    [PD_COLL_REDUCE_SCATTER_BLOCK] = { FALSE, TRUE },
};

PdAuditCollectives *
pd_audit_collectives_new (PdAudit *audit)
{
  PdAuditCollectives *self = g_new0 (PdAuditCollectives, 1);

  self->audit = audit;
  self->comms = g_new0 (Comm, pd_program_get_n_comms (audit->program));
  self->used = g_array_new (FALSE, FALSE, sizeof (guint32));
  return self;
}

void
pd_audit_collectives_free (PdAuditCollectives *self)
{
  if (self == NULL)
    return;
  for (guint32 i = 0; i < pd_program_get_n_comms (self->audit->program); i++)
    if (self->comms[i].runs != NULL)
      g_array_unref (self->comms[i].runs);
  g_free (self->comms);
  g_array_unref (self->used);
  g_free (self);
}

static gboolean
equal (const Run *a, const Run *b)
{
  return a->op == b->op && a->root == b->root && a->bytes == b->bytes;
}

static char *
describe (const Run *run)
{
  GString *text = g_string_new (run->op == FENCE ? "MPI_Win_fence" : pd_coll_name (run->op));

  if (run->root >= 0)
    g_string_append_printf (text, " with root %d", run->root);
  if (run->bytes >= 0)
    g_string_append_printf (text, " of %" G_GINT64_FORMAT " bytes", run->bytes);
  return g_string_free (text, FALSE);
}

/* The first member to come so far says what the operation is. */
static void
append (Comm *comm, const Run *run)
{
  Run *last = comm->runs->len > 0 ? &g_array_index (comm->runs, Run, comm->runs->len - 1) : NULL;

  comm->n++;
  if (last != NULL && equal (last, run))
    last->n++;
  else
    g_array_append_val (comm->runs, *run);
  comm->at = comm->runs->len - 1;
  comm->done = g_array_index (comm->runs, Run, comm->at).n;
}

static void
compare (PdAuditCollectives *self, guint32 index, Comm *comm, const Run *run)
{
  if (comm->at < comm->runs->len && comm->done == g_array_index (comm->runs, Run, comm->at).n)
    {
      comm->at++;
      comm->done = 0;
    }
  const Run *expected = &g_array_index (comm->runs, Run, comm->at);
  comm->done++;
  if (equal (expected, run))
    return;
  g_autofree char *own = describe (run), *other = describe (expected);
  comm->bad = TRUE;
  pd_audit_find (self->audit, "collective-mismatch", run->rank, run->number,
                 pd_action_name (self->audit->action),
                 "operation %" G_GUINT64_FORMAT " over communicator %u is %s, but of rank %u "
                 "(action %" G_GUINT64_FORMAT ") it is %s",
                 comm->n_own, index, own, expected->rank, expected->number, other);
}

void
pd_audit_collectives_add (PdAuditCollectives *self, const PdAction *action)
{
  const PdAudit *audit = self->audit;
  Comm *comm = &self->comms[action->comm];
  guint op = action->kind == PD_ACT_WIN_FENCE ? FENCE : action->op;
  Run run = { op,
              agreed[op].rooted ? action->peer : -1,
              agreed[op].sized ? action->bytes : -1,
              1,
              audit->rank,
              audit->number };

  if (comm->runs == NULL)
    comm->runs = g_array_new (FALSE, FALSE, sizeof (Run));
  if (comm->n_own++ == 0)
    {
      comm->n_active++;
      comm->at = 0;
      comm->done = 0;
      comm->bad = FALSE;
      g_array_append_val (self->used, action->comm);
    }
  if (comm->bad)
    return;
  if (comm->n_own > comm->n)
    append (comm, &run);
  else
    compare (self, action->comm, comm, &run);
}

/* A member whose operations are fewer than those of one before it has missed
 * some. */
void
pd_audit_collectives_next (PdAuditCollectives *self)
{
  for (guint i = 0; i < self->used->len; i++)
    {
      guint32 index = g_array_index (self->used, guint32, i);
      Comm *comm = &self->comms[index];
      if (!comm->bad && comm->n_own < comm->n)
        pd_audit_find (self->audit, "collective-missing", self->audit->rank, self->audit->number,
                       NULL,
                       "the rank takes part in %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                       " operations over communicator %u",
                       comm->n_own, comm->n, index);
      if (comm->n_active == 1)
        {
          comm->first = self->audit->rank;
          comm->n_first = comm->n_own;
        }
      comm->n_own = 0;
    }
  g_array_set_size (self->used, 0);
}

/* Those before which others had done more are found by now; not the first. */
void
pd_audit_collectives_end (PdAuditCollectives *self)
{
  for (guint32 i = 0; i < pd_program_get_n_comms (self->audit->program); i++)
    {
      const Comm *comm = &self->comms[i];
      guint32 n;
      const guint32 *ranks = pd_program_get_comm (self->audit->program, i, &n);
      guint32 first = ranks != NULL ? ranks[0] : 0;
      if (comm->n_active == 0)
        continue;
      if (comm->n_active < n)
        pd_audit_find (self->audit, "collective-missing", first, 0, NULL,
                       "only %u of the %u members take part in operations over communicator %u",
                       comm->n_active, n, i);
      else if (comm->n_first < comm->n)
        pd_audit_find (self->audit, "collective-missing", comm->first, 0, NULL,
                       "the rank takes part in %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                       " operations over communicator %u",
                       comm->n_first, comm->n, i);
    }
}
