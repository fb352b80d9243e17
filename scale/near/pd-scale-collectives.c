/* SPDX-License-Identifier: MIT */
#include "scale/near/pd-scale-collectives-private.h"

/* An operation that not all members have come to. */
typedef struct
{
  PdActionKind kind;
  PdCollKind op;
  gint32 root;
  GArray *arrivals; /* (element-type PdScaleArrival) */
} Operation;

typedef struct
{
  guint64 n;         /* complete ones */
  GQueue operations; /* (element-type Operation): behind them */
} Comm;

struct _PdScaleCollectives
{
  const PdProgram *program;
  Comm *comms;
  GHashTable *counts; /* communicator and rank → gint64: how many operations it has come to */
  GArray *free;       /* guint32 */
  GArray *lost;       /* PdScaleArrival */
};

static void
free_operation (gpointer data)
{
  Operation *operation = data;

  g_array_unref (operation->arrivals);
  g_free (operation);
}

PdScaleCollectives *
pd_scale_collectives_new (const PdProgram *program)
{
  PdScaleCollectives *self = g_new0 (PdScaleCollectives, 1);

  self->program = program;
  self->comms = g_new0 (Comm, pd_program_get_n_comms (program));
  self->counts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  self->free = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->lost = g_array_new (FALSE, FALSE, sizeof (PdScaleArrival));
  return self;
}

void
pd_scale_collectives_free (PdScaleCollectives *self)
{
  if (self == NULL)
    return;
  for (guint32 comm = 0; comm < pd_program_get_n_comms (self->program); comm++)
    g_queue_clear_full (&self->comms[comm].operations, free_operation);
  g_free (self->comms);
  g_hash_table_unref (self->counts);
  g_array_unref (self->free);
  g_array_unref (self->lost);
  g_free (self);
}

static guint64 *
get_count (PdScaleCollectives *self, guint32 comm, guint32 rank)
{
  const gint64 key = (gint64) comm << 32 | rank;
  guint64 *count = g_hash_table_lookup (self->counts, &key);

  if (count != NULL)
    return count;
  gint64 *own = g_new (gint64, 1);
  *own = key;
  count = g_new0 (guint64, 1);
  g_hash_table_insert (self->counts, own, count);
  return count;
}

static Operation *
get_operation (Comm *comm, const PdAction *action, guint64 index)
{
  Operation *operation = g_queue_peek_nth (&comm->operations, (guint) (index - comm->n));

  if (operation != NULL)
    return operation;
  operation = g_new0 (Operation, 1);
  operation->kind = action->kind;
  operation->op = action->op;
  operation->root = action->peer;
  operation->arrivals = g_array_new (FALSE, FALSE, sizeof (PdScaleArrival));
  g_queue_push_tail (&comm->operations, operation);
  return operation;
}

static void
complete (PdScaleCollectives *self, Comm *comm)
{
  Operation *operation = g_queue_pop_head (&comm->operations);

  for (guint i = 0; i < operation->arrivals->len; i++)
    {
      guint32 rank = g_array_index (operation->arrivals, PdScaleArrival, i).rank;
      g_array_append_val (self->free, rank);
    }
  comm->n++;
  free_operation (operation);
}

gboolean
pd_scale_collectives_arrive (PdScaleCollectives *self, PdAction *action,
                             const PdScaleArrival *arrival, guint64 *index)
{
  Comm *comm = &self->comms[action->comm];
  guint64 *count = get_count (self, action->comm, arrival->rank);
  Operation *operation = get_operation (comm, action, *count);
  guint32 n;

  g_array_set_size (self->free, 0);
  if (operation->kind != action->kind || operation->op != action->op)
    return FALSE;
  action->peer = operation->root;
  g_array_append_val (operation->arrivals, *arrival);
  *index = (*count)++;
  pd_program_get_comm (self->program, action->comm, &n);
  if (operation->arrivals->len == n)
    complete (self, comm);
  return TRUE;
}

guint64
pd_scale_collectives_count (const PdScaleCollectives *self, guint32 comm)
{
  return self->comms[comm].n;
}

const GArray *
pd_scale_collectives_take_complete (PdScaleCollectives *self)
{
  return self->free;
}

const GArray *
pd_scale_collectives_cancel (PdScaleCollectives *self, guint32 number)
{
  Comm *comm = &self->comms[number];
  Operation *operation;

  g_array_set_size (self->lost, 0);
  while ((operation = g_queue_pop_head (&comm->operations)) != NULL)
    {
      g_array_append_vals (self->lost, operation->arrivals->data, operation->arrivals->len);
      for (guint i = 0; i < operation->arrivals->len; i++)
        --*get_count (self, number, g_array_index (operation->arrivals, PdScaleArrival, i).rank);
      free_operation (operation);
    }
  return self->lost;
}
