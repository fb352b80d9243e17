/* Collective operations of time-independent traces. All are of the world, and
 * all counts are of elements.
 * SPDX-License-Identifier: MIT */
#include "traces/ti/pd-ti-private.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"
#include "traces/ti/pd-ti-actions-private.h"
#include "traces/ti/pd-ti-collectives-private.h"
#include "traces/ti/pd-ti-fields-private.h"
#include "traces/ti/pd-ti-requests-private.h"

/* Bytes of an amount of elements, which stands before its type. */
typedef struct
{
  gint64 n;
  gint64 bytes;
} Block;

static void
begin (const PdTi *self, PdAction *action)
{
  pd_action_init (action, self->action->has_request ? PD_ACT_ICOLLECTIVE : PD_ACT_COLLECTIVE);
  action->op = self->action->op;
}

static gboolean
finish (PdTi *self, PdAction *action, GError **error)
{
  if (self->action->has_request)
    action->request = pd_pending_add (&self->own->pending, pd_ti_collective_key ());
  return pd_ti_add (self, action, error);
}

/* The root, if there is a field for it; rank 0 otherwise. */
static gboolean
take_root (PdTi *self, PdTiFields *fields, PdAction *action, GError **error)
{
  if (!pd_ti_has_more (fields))
    return TRUE;
  return pd_ti_take_peer (self, fields, "root", &action->peer, error);
}

/* A type, and with it the bytes of @block. */
static gboolean
take_block_type (PdTi *self, PdTiFields *fields, Block *block, GError **error)
{
  gint64 size;

  return pd_ti_take_type (self, fields, &size, error)
         && pd_ti_to_bytes (block->n, size, &block->bytes, error);
}

/* One count for each rank, kept until their type is known. */
static gboolean
take_counts (PdTi *self, PdTiFields *fields, GArray *counts, GError **error)
{
  g_array_set_size (counts, 0);
  for (guint32 i = 0; i < self->n_ranks; i++)
    {
      gint64 value;
      if (!pd_ti_take_int (self, fields, "count for each rank", &value, error))
        return FALSE;
      g_array_append_val (counts, value);
    }
  return TRUE;
}

static gboolean
add_counts (PdTi *self, GArray *counts, gint64 size, guint32 *index, GError **error)
{
  for (guint i = 0; i < counts->len; i++)
    {
      gint64 *value = &g_array_index (counts, gint64, i);
      if (!pd_ti_to_bytes (*value, size, value, error))
        return FALSE;
    }
  *index = pd_program_builder_add_counts (self->builder, (const gint64 *) (void *) counts->data,
                                          counts->len);
  return TRUE;
}

/* The cost of the operator; the same on all ranks. */
static gboolean
take_computation (PdTiFields *fields, PdAction *action, GError **error)
{
  return pd_ti_take_double (fields, "computation", &action->amount.flops, error);
}

/* ---- public */

gboolean
pd_ti_read_barrier (PdTi *self, PdTiFields *fields, GError **error)
{
  PdAction action;

  (void) fields;
  begin (self, &action);
  return finish (self, &action, error);
}

/* n [ROOT [DT]] */
gboolean
pd_ti_read_bcast (PdTi *self, PdTiFields *fields, GError **error)
{
  PdAction action;
  Block block;

  begin (self, &action);
  if (!pd_ti_take_int (self, fields, "count", &block.n, error)
      || !take_root (self, fields, &action, error)
      || !take_block_type (self, fields, &block, error))
    return FALSE;
  action.bytes = block.bytes;
  return finish (self, &action, error);
}

/* n COMP [ROOT [DT]], and without ROOT */
gboolean
pd_ti_read_reduce (PdTi *self, PdTiFields *fields, GError **error)
{
  PdAction action;
  Block block;

  begin (self, &action);
  if (!pd_ti_take_int (self, fields, "count", &block.n, error)
      || !take_computation (fields, &action, error)
      || (action.op == PD_COLL_REDUCE && !take_root (self, fields, &action, error))
      || !take_block_type (self, fields, &block, error))
    return FALSE;
  action.bytes = block.bytes;
  return finish (self, &action, error);
}

/* n_s n_r [ROOT DT_s DT_r], and without ROOT: gather, scatter, allgather,
 * alltoall. The tracer leaves out n_r where it is 0, as it may be on ranks that
 * receive nothing; SMPI's replay then takes the root for it. */
gboolean
pd_ti_read_blocks (PdTi *self, PdTiFields *fields, GError **error)
{
  PdAction action;
  Block sent, received = { 0, 0 };
  gboolean has_root = self->action->op == PD_COLL_GATHER || self->action->op == PD_COLL_SCATTER;
  gboolean is_short = has_root && pd_ti_count_fields (*fields) == 4;

  begin (self, &action);
  if (!pd_ti_take_int (self, fields, "count to send", &sent.n, error)
      || (!is_short && !pd_ti_take_int (self, fields, "count to receive", &received.n, error))
      || (has_root && !take_root (self, fields, &action, error))
      || !take_block_type (self, fields, &sent, error)
      || !take_block_type (self, fields, &received, error))
    return FALSE;
  gboolean is_root = has_root && action.peer >= 0 && (guint32) action.peer == self->rank;
  gboolean takes_received = action.op == PD_COLL_SCATTER ? !is_root : is_root;
  if (takes_received ? received.bytes > 0 : sent.bytes == 0)
    action.bytes = received.bytes;
  else
    action.bytes = sent.bytes;
  return finish (self, &action, error);
}

/* n_s r_0 … [ROOT DT_s DT_r]; allgatherv: n_s r_0 … [DT_s DT_r] [d_0 …] */
gboolean
pd_ti_read_gatherv (PdTi *self, PdTiFields *fields, GError **error)
{
  PdAction action;
  Block sent;
  gint64 size;
  gboolean has_root = self->action->op == PD_COLL_GATHERV;

  begin (self, &action);
  if (!pd_ti_take_int (self, fields, "count to send", &sent.n, error)
      || !take_counts (self, fields, self->counts, error))
    return FALSE;
  guint64 left = pd_ti_count_fields (*fields);
  if (!has_root && left == self->n_ranks && left > 2)
    fields->p = fields->end; /* displacements without types */
  if ((has_root && !take_root (self, fields, &action, error))
      || !take_block_type (self, fields, &sent, error)
      || !pd_ti_take_type (self, fields, &size, error))
    return FALSE;
  fields->p = fields->end;
  action.bytes = sent.bytes;
  if ((!has_root || (action.peer >= 0 && (guint32) action.peer == self->rank))
      && !add_counts (self, self->counts, size, &action.recv_counts, error))
    return FALSE;
  return finish (self, &action, error);
}

/* s_0 … n_r [ROOT DT_s DT_r] */
gboolean
pd_ti_read_scatterv (PdTi *self, PdTiFields *fields, GError **error)
{
  PdAction action;
  Block received;
  gint64 size;

  begin (self, &action);
  if (!take_counts (self, fields, self->counts, error)
      || !pd_ti_take_int (self, fields, "count to receive", &received.n, error)
      || !take_root (self, fields, &action, error) || !pd_ti_take_type (self, fields, &size, error)
      || !take_block_type (self, fields, &received, error))
    return FALSE;
  action.bytes = received.bytes;
  if (action.peer >= 0 && (guint32) action.peer == self->rank
      && !add_counts (self, self->counts, size, &action.send_counts, error))
    return FALSE;
  return finish (self, &action, error);
}

/* BUF_s s_0 … BUF_r r_0 … [DT_s DT_r] */
gboolean
pd_ti_read_alltoallv (PdTi *self, PdTiFields *fields, GError **error)
{
  g_autoptr (GArray) received = g_array_sized_new (FALSE, FALSE, sizeof (gint64), 64);
  PdAction action;
  gint64 buffer, sent_size, received_size;

  begin (self, &action);
  return pd_ti_take_int (self, fields, "size of the send buffer", &buffer, error)
         && take_counts (self, fields, self->counts, error)
         && pd_ti_take_int (self, fields, "size of the receive buffer", &buffer, error)
         && take_counts (self, fields, received, error)
         && pd_ti_take_type (self, fields, &sent_size, error)
         && pd_ti_take_type (self, fields, &received_size, error)
         && add_counts (self, self->counts, sent_size, &action.send_counts, error)
         && add_counts (self, received, received_size, &action.recv_counts, error)
         && finish (self, &action, error);
}

/* r_0 … COMP [DT] */
gboolean
pd_ti_read_reduce_scatter (PdTi *self, PdTiFields *fields, GError **error)
{
  PdAction action;
  gint64 size;

  begin (self, &action);
  if (!take_counts (self, fields, self->counts, error) || !take_computation (fields, &action, error)
      || !pd_ti_take_type (self, fields, &size, error)
      || !add_counts (self, self->counts, size, &action.recv_counts, error))
    return FALSE;
  action.bytes = g_array_index (self->counts, gint64, self->rank);
  return finish (self, &action, error);
}
