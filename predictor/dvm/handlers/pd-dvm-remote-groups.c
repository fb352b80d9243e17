/* Groups of buffers of remote access, which are loaded and waited for together.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/handlers/pd-dvm-remote-groups-private.h"
#include "traces/dvm/pd-dvm-call.h"
#include "predictor/dvm/handlers/pd-dvm-copies-private.h"
#include "predictor/dvm/handlers/pd-dvm-remote-private.h"
#include "predictor/dvm/model/pd-dvm-arrays.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-params.h"
#include "predictor/dvm/model/pd-dvm-started.h"

static void
group_free (gpointer object)
{
  g_array_unref (((PdBufferGroup *) object)->buffers);
}

/* A group of the same buffers; @old: (nullable) */
static PdBufferGroup *
group_new (const PdBufferGroup *old)
{
  PdBufferGroup *group = pd_object_new (sizeof *group, group_free);

  group->buffers = g_array_new (FALSE, FALSE, sizeof (gint64));
  if (old == NULL)
    return group;
  group->deletes_buffers = old->deletes_buffers;
  g_array_append_vals (group->buffers, old->buffers->data, old->buffers->len);
  return group;
}

static const PdBufferGroup *
need_group (PdDvm *self, gint64 *id, GError **error)
{
  if (!pd_dvm_need (self, PD_DVM_KEY_RegularAccessGroupRef, id, error))
    return NULL;
  const PdBufferGroup *group = pd_dvm_find (self, PD_KIND_BUFGROUP, *id);
  if (group == NULL)
    pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                 "group 'RegularAccessGroupRef=%" G_GINT64_MODIFIER "x' does not exist",
                 (guint64) *id);
  return group;
}

gboolean
pd_dvm_crtbg (PdDvm *self, GError **error)
{
  gint64 id;

  if (!pd_dvm_need (self, PD_DVM_KEY_RegularAccessGroupRef, &id, error))
    return FALSE;
  PdBufferGroup *group = group_new (NULL);
  group->deletes_buffers = pd_dvm_get (self, PD_DVM_KEY_DelBufSign, 0) != 0;
  pd_dvm_store (self, PD_KIND_BUFGROUP, id, group, TRUE);
  return TRUE;
}

/* The handle is word 0 of the header. */
static const PdArray *
find_inserted (PdDvm *self)
{
  guint n;
  const gint64 *words = pd_dvm_call_get_array (self->reader, PD_DVM_KEY_BufferHeader, &n);
  const PdArray *array = n == 0 ? NULL : pd_dvm_find (self, PD_KIND_ARRAY, words[0]);

  return array != NULL
             ? array
             : pd_dvm_find_array (self, PD_DVM_KEY_BufferHandlePtr, PD_DVM_KEY_BufferHeader);
}

gboolean
pd_dvm_insrb (PdDvm *self, GError **error)
{
  gint64 id;
  const PdBufferGroup *old = need_group (self, &id, error);
  const PdArray *array = old == NULL ? NULL : find_inserted (self);

  if (old == NULL)
    return FALSE;
  if (pd_dvm_find_buffer (self, array) == NULL)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                        "buffer 'BufferHeader=%" G_GINT64_MODIFIER "x' does not exist",
                        (guint64) pd_dvm_get (self, PD_DVM_KEY_BufferHeader, 0));
  for (guint i = 0; i < old->buffers->len; i++)
    if (g_array_index (old->buffers, gint64, i) == array->handle)
      return TRUE;
  PdBufferGroup *group = group_new (old);
  g_array_append_val (group->buffers, array->handle);
  pd_dvm_store (self, PD_KIND_BUFGROUP, id, group, FALSE);
  return TRUE;
}

/* The copying of all of @targets takes @time: each gets its share by size. */
static void
charge_targets (PdDvm *self, const GArray *targets, PdTime time)
{
  gint64 rest = 0;

  for (guint i = 0; i < targets->len; i++)
    if (__builtin_add_overflow (rest, pd_section_get_count (&g_array_index (targets, PdSection, i)),
                                &rest))
      rest = G_MAXINT64;
  if (targets->len == 0)
    pd_dvm_charge (self, time);
  for (guint i = 0; i < targets->len; i++)
    {
      const PdSection *target = &g_array_index (targets, PdSection, i);
      gint64 count = MIN (pd_section_get_count (target), rest);
      PdTime share = i + 1 == targets->len || rest == 0 ? time : pd_time_scale (time, count, rest);
      pd_dvm_charge_copy (self, target, share);
      time = pd_time_sub (time, share);
      rest -= count;
    }
}

/* The action of loadbg_ and waitbg_ for each buffer; deleted buffers
 * are left out. */
typedef gboolean (*BufferFunc) (PdDvm *self, const PdArray *array, const PdBuffer *buffer,
                                GArray *targets, GError **error);

static void
add_target (GArray *targets, const PdBuffer *buffer, const PdArray *array)
{
  PdSection target;

  pd_dvm_get_buffer_target (buffer, array, &target);
  g_array_append_val (targets, target);
}

static gboolean
load_one (PdDvm *self, const PdArray *array, const PdBuffer *buffer, GArray *targets,
          GError **error)
{
  if (buffer->is_loaded && pd_dvm_get (self, PD_DVM_KEY_RenewSign, 0) == 0)
    return TRUE;
  add_target (targets, buffer, array);
  return pd_dvm_load_buffer (self, array, buffer, error);
}

static gboolean
wait_one (PdDvm *self, const PdArray *array, const PdBuffer *buffer, GArray *targets,
          G_GNUC_UNUSED GError **error)
{
  if (!buffer->is_loaded)
    return TRUE;
  add_target (targets, buffer, array);
  pd_dvm_started_wait (self, PD_KIND_BUFFER, array->handle);
  return TRUE;
}

static gboolean
for_each (PdDvm *self, const PdBufferGroup *group, BufferFunc func, GError **error)
{
  g_autoptr (GArray) targets = g_array_new (FALSE, FALSE, sizeof (PdSection));

  for (guint i = 0; i < group->buffers->len; i++)
    {
      gint64 handle = g_array_index (group->buffers, gint64, i);
      const PdArray *array = pd_dvm_find (self, PD_KIND_ARRAY, handle);
      const PdBuffer *buffer = pd_dvm_find_buffer (self, array);
      if (buffer != NULL && array->layout != NULL && !func (self, array, buffer, targets, error))
        return FALSE;
    }
  charge_targets (self, targets, self->call->ret_time);
  return TRUE;
}

gboolean
pd_dvm_loadbg (PdDvm *self, GError **error)
{
  gint64 id;
  const PdBufferGroup *group = need_group (self, &id, error);

  if (group == NULL)
    return FALSE;
  if (!self->in_io)
    pd_dvm_count_operation (self, PD_OPERATION_REMOTE_ACCESS);
  return for_each (self, group, load_one, error);
}

gboolean
pd_dvm_waitbg (PdDvm *self, GError **error)
{
  gint64 id;
  const PdBufferGroup *group = need_group (self, &id, error);

  return group != NULL && for_each (self, group, wait_one, error);
}

void
pd_dvm_empty_buffer_group (PdDvm *self, gint64 id, gboolean deletes)
{
  const PdBufferGroup *group = pd_dvm_find (self, PD_KIND_BUFGROUP, id);

  for (guint i = 0; group != NULL && deletes && i < group->buffers->len; i++)
    {
      gint64 handle = g_array_index (group->buffers, gint64, i);
      if (pd_dvm_find (self, PD_KIND_BUFFER, handle) != NULL)
        pd_dvm_delete (self, PD_KIND_ARRAY, handle);
    }
}

gboolean
pd_dvm_rstbg (PdDvm *self, GError **error)
{
  gint64 id;
  const PdBufferGroup *old = need_group (self, &id, error);

  if (old == NULL)
    return FALSE;
  pd_dvm_empty_buffer_group (self, id, pd_dvm_get (self, PD_DVM_KEY_DelBufSign, 0) != 0);
  PdBufferGroup *group = group_new (NULL);
  group->deletes_buffers = old->deletes_buffers;
  pd_dvm_store (self, PD_KIND_BUFGROUP, id, group, FALSE);
  return TRUE;
}
