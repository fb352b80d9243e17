/* Building programs: rules for actions, and those that need few of them.
 * SPDX-License-Identifier: MIT */
#include "base/pd-error.h"
#include "traces/program/pd-program-private.h"
#include "traces/program/pd-action-private.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"
#include "traces/program/pd-program-check-private.h"

#include <math.h>

/* Sets @error; FALSE. */
#define refuse(error, ...) pd_fail (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE, __VA_ARGS__)

static gboolean
check_peer (const PdProgramBuilder *self, const PdAction *action, gint32 peer, gboolean any,
            GError **error)
{
  guint32 size = pd_program_builder_get_comm_size (self, action->comm);

  if ((peer >= 0 && (guint32) peer < size) || peer == PD_PROGRAM_PROC_NULL
      || (any && peer == PD_PROGRAM_ANY))
    return TRUE;
  return refuse (error, "%s with rank %d, expected 0 to %u", pd_action_name (action), peer,
                 size - 1);
}

/* The neighbours, which are ranks; gives their number. */
static gboolean
check_neighbours (const PdProgramBuilder *self, const PdAction *action, guint32 list, guint32 *n,
                  GError **error)
{
  guint32 size = pd_program_builder_get_comm_size (self, action->comm);

  *n = size;
  if (list == PD_PROGRAM_NONE)
    return TRUE;
  if (list >= self->counts.first->len - 1)
    return refuse (error, "%s with unknown neighbours %u", pd_action_name (action), list);
  guint64 first = g_array_index (self->counts.first, guint64, list);
  guint64 end = g_array_index (self->counts.first, guint64, list + 1);
  *n = (guint32) (end - first);
  for (guint64 i = first; i < end; i++)
    {
      gint64 peer = g_array_index (self->counts.values, gint64, i);
      if (peer < PD_PROGRAM_PROC_NULL || peer == PD_PROGRAM_ANY || peer >= (gint64) size)
        return refuse (error, "%s with neighbour %" G_GINT64_FORMAT ", expected 0 to %u",
                       pd_action_name (action), peer, size - 1);
    }
  return TRUE;
}

/* The group of a post or start: members, perhaps none. */
static gboolean
check_group (const PdProgramBuilder *self, const PdAction *action, GError **error)
{
  guint32 group = action->kind == PD_ACT_WIN_POST ? action->sources : action->targets, n;

  return (group != PD_PROGRAM_NONE || refuse (error, "%s without a group", pd_action_name (action)))
         && check_neighbours (self, action, group, &n, error);
}

static gboolean
check_envelope (const PdProgramBuilder *self, const PdAction *action, GError **error)
{
  PdActionKind kind = action->kind;
  gboolean any = pd_action_may_have_any (kind);

  if (!check_peer (self, action, action->peer, any, error))
    return FALSE;
  if (action->matched_peer != PD_PROGRAM_ANY
      && !check_peer (self, action, action->matched_peer, FALSE, error))
    return FALSE;
  if (action->matched_tag < PD_PROGRAM_ANY)
    return refuse (error, "%s matched with tag %d", pd_action_name (action), action->matched_tag);
  if (action->tag < 0 && !(any && action->tag == PD_PROGRAM_ANY))
    return refuse (error, "%s with tag %d, expected 0 or more", pd_action_name (action),
                   action->tag);
  if ((kind == PD_ACT_WIN_POST || kind == PD_ACT_WIN_START) && !check_group (self, action, error))
    return FALSE;
  if (kind == PD_ACT_SENDRECV
      && (!check_peer (self, action, action->recv_peer, TRUE, error)
          || action->recv_tag < PD_PROGRAM_ANY))
    return error != NULL && *error != NULL
               ? FALSE
               : refuse (error, "%s with tag %d", pd_action_name (action), action->recv_tag);
  return TRUE;
}

/* A vector of a collective operation: one count for each member, none negative. */
static gboolean
check_counts (const PdProgramBuilder *self, const PdAction *action, guint32 counts, guint32 n,
              GError **error)
{
  if (counts == PD_PROGRAM_NONE)
    return TRUE;
  if (counts >= self->counts.first->len - 1)
    return refuse (error, "%s with unknown counts %u", pd_action_name (action), counts);
  guint64 first = g_array_index (self->counts.first, guint64, counts);
  guint64 end = g_array_index (self->counts.first, guint64, counts + 1);
  if (end - first != n)
    return refuse (error, "%s with %" G_GUINT64_FORMAT " counts, expected %u",
                   pd_action_name (action), end - first, n);
  for (guint64 i = first; i < end; i++)
    if (g_array_index (self->counts.values, gint64, i) < 0)
      return refuse (error, "%s with a negative count", pd_action_name (action));
  return TRUE;
}

static gboolean
check_collective (const PdProgramBuilder *self, const PdAction *action, GError **error)
{
  guint32 n_sources, n_targets;

  if (action->peer < 0
      || (guint32) action->peer >= pd_program_builder_get_comm_size (self, action->comm))
    return refuse (error, "%s with root %d", pd_action_name (action), action->peer);
  return check_neighbours (self, action, action->sources, &n_sources, error)
         && check_neighbours (self, action, action->targets, &n_targets, error)
         && check_counts (self, action, action->send_counts, n_targets, error)
         && check_counts (self, action, action->recv_counts, n_sources, error);
}

/* A slot beyond all actions so far would only cost memory. */
static gboolean
check_slots (const PdProgramRank *rank, const PdAction *action, GError **error)
{
  guint64 end = pd_action_get_slots_end (action);

  if (end > MIN (rank->n_actions + 1, G_MAXUINT32))
    return refuse (error,
                   "%s with request %" G_GUINT64_FORMAT ", more than there are actions before it",
                   pd_action_name (action), end - 1);
  for (guint32 i = 0; i < action->n_done; i++)
    if (action->done[i] >= MAX (action->n_slots, 1))
      return refuse (error, "%s with outcome %u, expected less than %u", pd_action_name (action),
                     action->done[i], action->n_slots);
  return TRUE;
}

static gboolean
check_tables (const PdProgramBuilder *self, const PdAction *action, GError **error)
{
  gboolean named = action->kind == PD_ACT_OTHER || action->kind == PD_ACT_LOCAL
                   || action->kind == PD_ACT_LOCATION;
  gboolean marks = action->kind == PD_ACT_ENTER || action->kind == PD_ACT_LEAVE;

  if (action->comm >= self->comms.first->len - 1)
    return refuse (error, "%s with unknown communicator %u", pd_action_name (action), action->comm);
  if (named && action->name >= self->strings.first->len - 1)
    return refuse (error, "unknown name %u", action->name);
  if (marks && action->interval >= self->intervals->len)
    return refuse (error, "unknown interval %u", action->interval);
  if (action->site != PD_PROGRAM_NONE && action->site >= self->sites->len)
    return refuse (error, "unknown call site %u", action->site);
  if (action->called != PD_PROGRAM_NONE && action->called >= self->strings.first->len - 1)
    return refuse (error, "unknown function %u", action->called);
  if (action->file != PD_PROGRAM_NONE
      && (action->file >= self->strings.first->len - 1 || action->file_op >= PD_N_FILE_OPS
          || action->file_bytes < 0))
    return refuse (error, "unknown work on file %u", action->file);
  return TRUE;
}

/* Only computation itself has flops; what passes anyway is time. */
static inline gboolean
check_amount (const PdProgramBuilder *self, const PdAction *action, GError **error)
{
  gboolean is_time = self->unit == PD_AMOUNT_TIME || action->kind == PD_ACT_DELAY
                     || action->kind == PD_ACT_OTHER || action->kind == PD_ACT_LOCAL;

  if (is_time ? action->amount.time.ps < 0
              : !isfinite (action->amount.flops) || action->amount.flops < 0)
    return refuse (error, "%s of a negative or infinite amount", pd_action_name (action));
  if (action->bytes < 0 || action->recv_bytes < 0 || action->sent_bytes < 0)
    return refuse (error, "%s of %" G_GINT64_FORMAT " bytes", pd_action_name (action),
                   MIN (action->bytes, MIN (action->recv_bytes, action->sent_bytes)));
  return TRUE;
}

/* Whether an action refers to nothing. */
static gboolean
is_bare (const PdAction *action)
{
  return action->comm == 0 && action->site == PD_PROGRAM_NONE && action->called == PD_PROGRAM_NONE
         && action->file == PD_PROGRAM_NONE && action->n_slots == 0 && action->n_done == 0
         && action->op == 0;
}

gboolean
pd_program_builder_check_values (const PdProgramBuilder *self, guint32 rank, const PdAction *action,
                                 GError **error)
{
  if (action->kind == PD_ACT_COMPUTE)
    return check_amount (self, action, error);
  if (!check_amount (self, action, error))
    return FALSE;
  if (action->file_bytes < 0)
    return check_tables (self, action, error);
  return check_slots (&self->ranks[rank], action, error);
}

gboolean
pd_program_builder_check (const PdProgramBuilder *self, guint32 rank, const PdAction *action,
                          GError **error)
{
  if (rank >= self->n_ranks)
    return refuse (error, "rank %u, expected 0 to %u", rank, self->n_ranks - 1);
  if (action->kind >= PD_N_ACTS)
    return refuse (error, "unknown action %d", (int) action->kind);
  /* most are such, and have nothing but an amount */
  if (action->kind == PD_ACT_COMPUTE && is_bare (action))
    return check_amount (self, action, error);
  /* before anything else: messages name the operation */
  if (action->op >= PD_N_COLLS)
    return refuse (error, "unknown collective operation %d", (int) action->op);
  if (!check_tables (self, action, error) || !check_amount (self, action, error)
      || !check_slots (&self->ranks[rank], action, error))
    return FALSE;
  if (pd_action_has_envelope (action->kind))
    return check_envelope (self, action, error);
  if (action->kind == PD_ACT_COLLECTIVE || action->kind == PD_ACT_ICOLLECTIVE)
    return check_collective (self, action, error);
  return TRUE;
}

/* ---- plain actions */

#define BIT(kind) (G_GUINT64_CONSTANT (1) << (kind))

/* Messages, of those kinds that are no more than that; and what has a request. */
#define MESSAGES                                                                                   \
  (BIT (PD_ACT_SEND) | BIT (PD_ACT_BSEND) | BIT (PD_ACT_SSEND) | BIT (PD_ACT_RSEND)                \
   | BIT (PD_ACT_RECV) | WITH_REQUEST)
#define WITH_REQUEST                                                                               \
  (BIT (PD_ACT_ISEND) | BIT (PD_ACT_IBSEND) | BIT (PD_ACT_ISSEND) | BIT (PD_ACT_IRSEND)            \
   | BIT (PD_ACT_IRECV))
#define COMPLETIONS (BIT (PD_ACT_WAIT) | BIT (PD_ACT_REQUEST_FREE))

/* Whether one cell has all of @action, which cannot be wrong. */
static inline gboolean
fits_cell (const PdProgramBuilder *self, const PdProgramRank *own, const PdAction *action)
{
  guint64 kind = BIT (action->kind);

  if ((kind & MESSAGES) == 0 && (action->comm != 0 || action->bytes != 0))
    return FALSE;
  if (kind == BIT (PD_ACT_COMPUTE))
    return self->unit == PD_AMOUNT_TIME
               ? action->amount.time.ps >= 0
               : action->amount.flops >= 0 && action->amount.flops <= G_MAXDOUBLE;
  if (kind & MESSAGES
      && (action->comm >= PD_CELL_WIDE_COMM || action->comm >= self->comms.first->len - 1
          || (guint32) action->peer >= pd_program_builder_get_comm_size (self, action->comm)
          || action->tag < 0 || (guint64) action->bytes > G_MAXUINT32))
    return FALSE;
  if (kind & (WITH_REQUEST | COMPLETIONS))
    return action->request < PD_CELL_WIDE_REQUEST && action->request <= own->n_actions;
  return (kind & MESSAGES) != 0;
}

gboolean
pd_program_builder_add_plain (PdProgramBuilder *self, guint32 rank, const PdAction *action,
                              GError **error)
{
  PdProgramRank *own = &self->ranks[rank];
  PdChunk *chunk = own->last;

  if (self->packer != NULL || self->is_outline || self->is_sampled || chunk == NULL
      || !fits_cell (self, own, action))
    return pd_program_builder_add (self, rank, action, error);
  PdProgramCell cell = { .kind = (guint8) action->kind,
                         .comm = (guint8) action->comm,
                         .request = (guint16) action->request,
                         .peer = action->peer };
  if (action->kind == PD_ACT_COMPUTE)
    cell.amount = action->amount;
  else
    {
      cell.bytes = (guint32) action->bytes;
      cell.tag = action->tag;
    }
  /* where a chunk has no room for all actions, it is searched for loops, or there is a new one */
  if (own->follower == NULL && chunk->room - chunk->n >= PD_ACTION_MAX_CELLS)
    chunk->cells[chunk->n++] = cell;
  else if (own->follower == NULL || !pd_follower_take (own->follower, &cell, 1))
    return pd_program_builder_add (self, rank, action, error);
  self->kinds |= BIT (action->kind);
  own->n_actions++;
  if (BIT (action->kind) & (WITH_REQUEST | COMPLETIONS))
    own->n_slots = MAX (own->n_slots, action->request + 1);
  return TRUE;
}
