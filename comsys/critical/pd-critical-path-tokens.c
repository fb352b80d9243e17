/* Data of the critical path for tokens, which lead ranks to their next actions.
 * SPDX-License-Identifier: MIT */
#include "comsys/critical/pd-critical-path-tokens.h"

#include "comsys/critical/pd-critical-path-events.h"
#include "comsys/critical/pd-critical-path-private.h"
#include "comsys/critical/pd-critical-path-steps-private.h"
#include "comsys/state/pd-comsys-types.h"
#include "comsys/state/pd-lookup.h"

static gpointer
key_of (guint32 rank, guint32 token)
{
  return GSIZE_TO_POINTER ((gsize) rank << 32 | token);
}

G_STATIC_ASSERT (sizeof (gsize) == 8);

void
pd_critical_note (PdCriticalPath *self, guint32 rank, guint32 token, guint32 node)
{
  if (self->tokens == NULL)
    self->tokens = g_hash_table_new (NULL, NULL);
  guint32 old = GPOINTER_TO_UINT (g_hash_table_lookup (self->tokens, key_of (rank, token)));
  g_hash_table_insert (self->tokens, key_of (rank, token), GUINT_TO_POINTER (node));
  pd_critical_unref (self, old);
}

void
pd_critical_note_token (PdComsys *self, guint32 req, guint32 token)
{
  PdCriticalPath *critical = self->critical;

  pd_critical_note (critical, pd_req (self, req)->rank, token,
                    pd_critical_ref (critical, pd_critical_req (critical, req)->done));
}

void
pd_critical_keep (PdCriticalPath *self, guint32 rank, guint32 token)
{
  pd_critical_note (self, rank, token, pd_critical_ref (self, self->ranks[rank].at));
}

guint32
pd_critical_take_token (PdCriticalPath *self, guint32 rank, guint32 token)
{
  gpointer node = NULL;

  if (self->tokens != NULL)
    g_hash_table_steal_extended (self->tokens, key_of (rank, token), NULL, &node);
  return GPOINTER_TO_UINT (node);
}

void
pd_critical_join (PdCriticalPath *self, guint32 rank, guint32 token)
{
  guint32 node = pd_critical_take_token (self, rank, token);

  pd_critical_gather (self, &self->ranks[rank].at, node);
  pd_critical_unref (self, node);
}

void
pd_critical_continue (PdCriticalPath *self, guint32 rank)
{
  pd_critical_gather (self, &self->ranks[rank].last, self->ranks[rank].at);
}

void
pd_critical_begin_turn (PdCriticalPath *self, const PdTurn *turn)
{
  PdCriticalActor *actor = &self->ranks[turn->rank];
  guint32 node = pd_critical_take_token (self, turn->rank, turn->token);

  if (node == 0)
    return;
  pd_critical_gather (self, &actor->last, node);
  pd_critical_put (self, &actor->at, node);
}
