/* The store of a program's objects, and the contexts they die with: program
 * blocks and parallel loops (spec 11 sections 1.2, 1.5).
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-dvm-private.h"

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

/* An array's header goes with it, unless another array has it by now; so does
 * the buffer that it is. */
static void
close_array (PdDvm *self, gint64 handle)
{
  guint64 position = pd_data_server_get_n_steps (self->server);
  const PdArray *array = pd_dvm_find (self, PD_KIND_ARRAY, handle);

  if (array != NULL && array->header != 0)
    {
      const PdArray *other = pd_dvm_find (self, PD_KIND_HEADER, array->header);
      if (other != NULL && other->handle == handle)
        pd_objects_close (self->objects, PD_KIND_HEADER, array->header, position);
    }
  pd_dvm_placed_remove (self, handle);
  pd_dvm_started_settle (self, PD_KIND_BUFFER, handle);
  pd_objects_close (self->objects, PD_KIND_BUFFER, handle, position);
}

/* With a template go the arrays that lie on it. */
static void
close_view (PdDvm *self, gint64 id)
{
  g_autoptr (GArray) handles = pd_dvm_placed_list (self, id);

  for (guint i = 0; i < handles->len; i++)
    pd_dvm_delete (self, PD_KIND_ARRAY, g_array_index (handles, gint64, i));
}

static void
close_buffer_group (PdDvm *self, gint64 id)
{
  const PdBufferGroup *group = pd_dvm_find (self, PD_KIND_BUFGROUP, id);

  if (group != NULL)
    pd_dvm_empty_buffer_group (self, id, group->deletes_buffers);
}

static void
close_object (PdDvm *self, PdObjectKind kind, gint64 id)
{
  if (kind == PD_KIND_ARRAY)
    close_array (self, id);
  if (kind == PD_KIND_VIEW)
    close_view (self, id);
  if (kind == PD_KIND_BUFGROUP)
    close_buffer_group (self, id);
  if (kind == PD_KIND_GRID)
    pd_dvm_weights_forget (self, pd_dvm_find (self, kind, id));
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

/* Nobody owns the members while they are deleted, as one may go with another.
 * The order of deletions has no effect that anyone can see. */
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

/* ---- records of deletion and of blocks */

static const struct Deletion
{
  PdDvmFunction function;
  PdDvmKey key;
  PdObjectKind kind; /* PD_N_KINDS: whatever has that reference */
} deletions[] = {
  { PD_DVM_delobj_, PD_DVM_KEY_ObjectRef, PD_N_KINDS },
  { PD_DVM_delps_, PD_DVM_KEY_PSRef, PD_KIND_GRID },
  { PD_DVM_delamv_, PD_DVM_KEY_AMViewRef, PD_KIND_VIEW },
  { PD_DVM_delda_, PD_DVM_KEY_ArrayHandlePtr, PD_KIND_ARRAY },
  { PD_DVM_delred_, PD_DVM_KEY_RedRef, PD_KIND_REDVAR },
  { PD_DVM_delrg_, PD_DVM_KEY_RedGroupRef, PD_KIND_REDGROUP },
  { PD_DVM_delshg_, PD_DVM_KEY_ShadowGroupRef, PD_KIND_SHADOW },
  { PD_DVM_delrb_, PD_DVM_KEY_BufferHandlePtr, PD_KIND_ARRAY },
  { PD_DVM_delib_, PD_DVM_KEY_BufferHandlePtr, PD_N_KINDS },
  { PD_DVM_delbg_, PD_DVM_KEY_RegularAccessGroupRef, PD_KIND_BUFGROUP },
  { PD_DVM_delmvm_, PD_DVM_KEY_AMViewMapRef, PD_KIND_VIEW_MAP },
  { PD_DVM_delarm_, PD_DVM_KEY_ArrayMapRef, PD_KIND_ARRAY_MAP },
};

static void
delete_group_members (PdDvm *self, gint64 id)
{
  const PdRedGroup *group = pd_dvm_find (self, PD_KIND_REDGROUP, id);

  for (guint i = 0; group != NULL && group->deletes_vars && i < group->var_ids->len; i++)
    pd_dvm_delete (self, PD_KIND_REDVAR, g_array_index (group->var_ids, gint64, i));
}

/* Arrays may be known by their headers only. */
static gint64
id_to_delete (PdDvm *self, const struct Deletion *deletion)
{
  const PdArray *array = NULL;

  if (deletion->kind == PD_KIND_ARRAY)
    array =
        pd_dvm_find_array (self, deletion->key,
                           deletion->key == PD_DVM_KEY_ArrayHandlePtr ? PD_DVM_KEY_ArrayHeader
                                                                      : PD_DVM_KEY_BufferHeader);
  return array != NULL ? array->handle : pd_dvm_get (self, deletion->key, 0);
}

/* What is unknown was made inside the run-time, or is gone: no error. */
gboolean
pd_dvm_delete_object (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (deletions); i++)
    {
      if (deletions[i].function != self->call->function)
        continue;
      gint64 id = id_to_delete (self, &deletions[i]);
      if (deletions[i].kind == PD_KIND_REDGROUP || deletions[i].kind == PD_N_KINDS)
        delete_group_members (self, id);
      for (PdObjectKind kind = 0; kind < PD_N_KINDS; kind++)
        if (deletions[i].kind == kind || deletions[i].kind == PD_N_KINDS)
          pd_dvm_delete (self, kind, id);
    }
  return TRUE;
}

gboolean
pd_dvm_begbl (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  pd_dvm_context_open (self, 0);
  return TRUE;
}

/* Loops that were left by a jump end with their block. */
gboolean
pd_dvm_endbl (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  while (self->contexts->len > self->context_base)
    {
      gboolean is_loop = pd_dvm_context_get_loop (self) != 0;
      pd_dvm_context_close (self);
      if (!is_loop)
        break;
    }
  return TRUE;
}
