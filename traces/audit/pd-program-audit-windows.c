/* The check of programs: does each start have its posts, each complete its start, each wait
 * its post? As windows are known by their communicators, their numbers are compared.
 * SPDX-License-Identifier: MIT */
#include "traces/audit/pd-program-audit-windows-private.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-window-pair.h"

/* A pair of ranks: one posts its window, the other starts to access it. */
typedef struct
{
  PdWindowPair key; /* ranks of the communicator */
  gint64 n_posts;
  gint64 n_starts;
  guint32 rank; /* the first of the two to do so, and the number of its action */
  guint64 number;
} Pair;

struct _PdAuditWindows
{
  PdAudit *audit;
  GHashTable *pairs;   /* Pair* */
  GPtrArray *in_order; /* the same, as they were met */
  /* of the rank whose actions are read, by communicator: what has begun and not ended */
  GHashTable *accesses;
  GHashTable *exposures;
};

PdAuditWindows *
pd_audit_windows_new (PdAudit *audit)
{
  PdAuditWindows *self = g_new0 (PdAuditWindows, 1);

  self->audit = audit;
  self->pairs = g_hash_table_new (pd_window_pair_hash, pd_window_pair_equal);
  self->in_order = g_ptr_array_new_with_free_func (g_free);
  self->accesses = g_hash_table_new (NULL, NULL);
  self->exposures = g_hash_table_new (NULL, NULL);
  return self;
}

void
pd_audit_windows_free (PdAuditWindows *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->pairs);
  g_ptr_array_unref (self->in_order);
  g_hash_table_unref (self->accesses);
  g_hash_table_unref (self->exposures);
  g_free (self);
}

static Pair *
get_pair (PdAuditWindows *self, guint32 comm, guint32 origin, guint32 target)
{
  PdWindowPair key = { comm, origin, target };
  Pair *pair = g_hash_table_lookup (self->pairs, &key);

  if (pair != NULL)
    return pair;
  pair = g_new (Pair, 1);
  *pair = (Pair){ .key = key, .rank = self->audit->rank, .number = self->audit->number };
  g_hash_table_add (self->pairs, pair);
  g_ptr_array_add (self->in_order, pair);
  return pair;
}

static void
begin (PdAuditWindows *self, GHashTable *open, const PdAction *action, guint32 me)
{
  gpointer key = GUINT_TO_POINTER (action->comm);
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (open, key));
  gboolean posts = action->kind == PD_ACT_WIN_POST;
  guint32 n_members;
  const gint64 *members = pd_program_get_counts (
      self->audit->program, posts ? action->sources : action->targets, &n_members);

  g_hash_table_insert (open, key, GUINT_TO_POINTER (n + 1));
  for (guint32 i = 0; i < n_members; i++)
    if (members[i] >= 0 && posts)
      get_pair (self, action->comm, (guint32) members[i], me)->n_posts++;
    else if (members[i] >= 0)
      get_pair (self, action->comm, me, (guint32) members[i])->n_starts++;
}

static void
end (PdAuditWindows *self, GHashTable *open, const PdAction *action, const char *what)
{
  gpointer key = GUINT_TO_POINTER (action->comm);
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (open, key));

  if (n > 0)
    g_hash_table_insert (open, key, GUINT_TO_POINTER (n - 1));
  else
    pd_audit_find (self->audit, "epoch-mismatch", self->audit->rank, self->audit->number,
                   pd_action_name (action), "the rank has %s nothing over communicator %u", what,
                   action->comm);
}

void
pd_audit_windows_add (PdAuditWindows *self, const PdAction *action, guint32 me)
{
  if (action->kind == PD_ACT_WIN_POST)
    begin (self, self->exposures, action, me);
  else if (action->kind == PD_ACT_WIN_START)
    begin (self, self->accesses, action, me);
  else if (action->kind == PD_ACT_WIN_COMPLETE)
    end (self, self->accesses, action, "started");
  else if (action->kind == PD_ACT_WIN_WAIT)
    end (self, self->exposures, action, "posted");
}

void
pd_audit_windows_next (PdAuditWindows *self)
{
  g_hash_table_remove_all (self->accesses);
  g_hash_table_remove_all (self->exposures);
}

void
pd_audit_windows_end (PdAuditWindows *self)
{
  for (guint i = 0; i < self->in_order->len; i++)
    {
      const Pair *pair = g_ptr_array_index (self->in_order, i);
      if (pair->n_posts != pair->n_starts)
        pd_audit_find (self->audit, "epoch-mismatch", pair->rank, pair->number, NULL,
                       "over communicator %u rank %u posts to rank %u %" G_GINT64_FORMAT
                       " times, which starts %" G_GINT64_FORMAT " times",
                       pair->key.comm, pair->key.target, pair->key.origin, pair->n_posts,
                       pair->n_starts);
    }
}
