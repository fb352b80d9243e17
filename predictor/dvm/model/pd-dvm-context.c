/* The store of a program's objects, and the contexts they die with: program
 * blocks and parallel loops.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-params.h"

/* An object that is not static, and the context that owns it. */
typedef struct
{
  gint64 id;
  PdObjectKind kind;
  guint context; /* index in PdDvm.contexts */
} PdMember;

static guint
member_hash (gconstpointer data)
{
  const PdMember *member = data;

  return (guint) ((guint64) member->id * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 32)
         + member->kind;
}

static gboolean
member_equal (gconstpointer a, gconstpointer b)
{
  const PdMember *x = a, *y = b;

  return x->id == y->id && x->kind == y->kind;
}

static void
context_clear (gpointer data)
{
  g_clear_pointer (&((PdContext *) data)->members, g_hash_table_unref);
}

void
pd_dvm_contexts_init (PdDvm *self)
{
  self->contexts = g_array_new (FALSE, TRUE, sizeof (PdContext));
  g_array_set_clear_func (self->contexts, context_clear);
  self->members = g_hash_table_new_full (member_hash, member_equal, g_free, NULL);
}

void
pd_dvm_contexts_clear (PdDvm *self)
{
  g_array_unref (self->contexts);
  g_hash_table_unref (self->members);
}

/* ---- who owns what */

static PdContext *
get_context (const PdDvm *self, guint i)
{
  return &g_array_index (self->contexts, PdContext, i);
}

static void
add_member (PdDvm *self, guint context, PdMember *member)
{
  PdContext *owner = get_context (self, context);

  if (owner->members == NULL)
    owner->members = g_hash_table_new (member_hash, member_equal);
  member->context = context;
  g_hash_table_add (owner->members, member);
}

static void
disown (PdDvm *self, PdObjectKind kind, gint64 id)
{
  PdMember wanted = { .id = id, .kind = kind };
  PdMember *member = g_hash_table_lookup (self->members, &wanted);

  if (member == NULL)
    return;
  g_hash_table_remove (get_context (self, member->context)->members, member);
  g_hash_table_remove (self->members, member);
}

static void
own (PdDvm *self, PdObjectKind kind, gint64 id)
{
  PdMember *member = g_new (PdMember, 1);

  *member = (PdMember){ .id = id, .kind = kind };
  g_hash_table_add (self->members, member);
  add_member (self, self->contexts->len - 1, member);
}

/* ---- objects */

gpointer
pd_dvm_find (PdDvm *self, PdObjectKind kind, gint64 id)
{
  return pd_objects_get (self->objects, kind, id, pd_data_server_get_n_steps (self->server));
}

void
pd_dvm_store (PdDvm *self, PdObjectKind kind, gint64 id, gpointer object, gboolean is_new)
{
  if (is_new)
    {
      disown (self, kind, id);
      if (pd_dvm_get (self, PD_DVM_KEY_StaticSign, 0) == 0)
        own (self, kind, id);
    }
  pd_objects_put (self->objects, kind, id, pd_data_server_get_n_steps (self->server), object);
}

static void
close_object (PdDvm *self, PdObjectKind kind, gint64 id)
{
  if (self->handlers->forget[kind] != NULL)
    self->handlers->forget[kind](self, id);
  pd_objects_close (self->objects, kind, id, pd_data_server_get_n_steps (self->server));
}

void
pd_dvm_delete (PdDvm *self, PdObjectKind kind, gint64 id)
{
  disown (self, kind, id);
  close_object (self, kind, id);
}

/* ---- contexts */

void
pd_dvm_context_open (PdDvm *self, gint64 loop)
{
  PdContext context = { .loop = loop };

  g_array_append_val (self->contexts, context);
}

gint64
pd_dvm_context_get_loop (const PdDvm *self)
{
  return get_context (self, self->contexts->len - 1)->loop;
}

/* Takes the members of the innermost context, which is removed. */
static GHashTable *
pop (PdDvm *self)
{
  GHashTable *members = g_steal_pointer (&get_context (self, self->contexts->len - 1)->members);

  g_array_set_size (self->contexts, self->contexts->len - 1);
  return members != NULL ? members : g_hash_table_new (member_hash, member_equal);
}

/* The members have no owner while they are deleted, since the deletion of one may delete
 * another. The order of deletions has no visible effect. */
void
pd_dvm_context_close (PdDvm *self)
{
  g_autoptr (GHashTable) members = pop (self);
  g_autoptr (GArray) orphans = g_array_new (FALSE, FALSE, sizeof (PdMember));
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, members);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      g_array_append_vals (orphans, key, 1);
      g_hash_table_remove (self->members, key);
    }
  for (guint i = 0; i < orphans->len; i++)
    {
      const PdMember *member = &g_array_index (orphans, PdMember, i);
      close_object (self, member->kind, member->id);
    }
}

void
pd_dvm_context_fold (PdDvm *self)
{
  g_autoptr (GHashTable) members = pop (self);
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, members);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    add_member (self, self->contexts->len - 1, key);
}
