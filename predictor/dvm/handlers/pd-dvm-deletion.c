/* Deletion of an object with its dependent objects; records of deletion and of blocks.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/handlers/pd-dvm-deletion-private.h"
#include "predictor/dvm/handlers/pd-dvm-remote-groups-private.h"
#include "predictor/dvm/handlers/pd-dvm-weights-private.h"
#include "predictor/dvm/model/pd-dvm-arrays.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-params.h"
#include "predictor/dvm/model/pd-dvm-started.h"

/* ---- what goes with an object */

/* An array's header goes with it, unless another array has it by now; so does
 * the buffer that it is. */
void
pd_dvm_forget_array (PdDvm *self, gint64 handle)
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
void
pd_dvm_forget_view (PdDvm *self, gint64 id)
{
  g_autoptr (GArray) handles = pd_dvm_placed_list (self, id);

  for (guint i = 0; i < handles->len; i++)
    pd_dvm_delete (self, PD_KIND_ARRAY, g_array_index (handles, gint64, i));
}

void
pd_dvm_forget_buffer_group (PdDvm *self, gint64 id)
{
  const PdBufferGroup *group = pd_dvm_find (self, PD_KIND_BUFGROUP, id);

  if (group != NULL)
    pd_dvm_empty_buffer_group (self, id, group->deletes_buffers);
}

void
pd_dvm_forget_grid (PdDvm *self, gint64 id)
{
  pd_dvm_weights_forget (self, pd_dvm_find (self, PD_KIND_GRID, id));
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

/* An unknown object was created inside the run-time, or is deleted already: no error. */
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
