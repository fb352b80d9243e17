/* Distributed arrays: their creation, alignment and names, and which of them
 * lie on a template.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-arrays.h"
#include "predictor/dvm/layout/pd-dvm-layout-align.h"
#include "traces/dvm/pd-dvm-call.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-params.h"

/* ---- which arrays lie on a template */

/* An array that is aligned, directly or through others. */
typedef struct
{
  gint64 handle; /* first: the key */
  gint64 view;
  GList link; /* of the template's queue, in order of alignment */
} Placed;

typedef struct
{
  gint64 view; /* first: the key */
  GQueue arrays;
} OnView;

void
pd_dvm_placed_init (PdDvm *self)
{
  self->placed = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->on_view = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

void
pd_dvm_placed_clear (PdDvm *self)
{
  g_hash_table_unref (self->placed);
  g_hash_table_unref (self->on_view);
}

void
pd_dvm_placed_remove (PdDvm *self, gint64 handle)
{
  Placed *placed = g_hash_table_lookup (self->placed, &handle);

  if (placed == NULL)
    return;
  OnView *on_view = g_hash_table_lookup (self->on_view, &placed->view);
  g_queue_unlink (&on_view->arrays, &placed->link);
  if (on_view->arrays.length == 0)
    g_hash_table_remove (self->on_view, &placed->view);
  g_hash_table_remove (self->placed, &handle);
}

static void
place (PdDvm *self, gint64 handle, gint64 view)
{
  OnView *on_view;
  Placed *placed;

  pd_dvm_placed_remove (self, handle);
  if (view == 0)
    return;
  on_view = g_hash_table_lookup (self->on_view, &view);
  if (on_view == NULL)
    {
      on_view = g_new0 (OnView, 1);
      on_view->view = view;
      g_hash_table_add (self->on_view, on_view);
    }
  placed = g_new0 (Placed, 1);
  placed->handle = handle;
  placed->view = view;
  placed->link.data = placed;
  g_hash_table_add (self->placed, placed);
  g_queue_push_tail_link (&on_view->arrays, &placed->link);
}

GArray *
pd_dvm_placed_list (PdDvm *self, gint64 view)
{
  GArray *handles = g_array_new (FALSE, FALSE, sizeof (gint64));
  const OnView *on_view = g_hash_table_lookup (self->on_view, &view);

  for (GList *i = on_view == NULL ? NULL : on_view->arrays.tail; i != NULL; i = i->prev)
    g_array_append_val (handles, ((Placed *) i->data)->handle);
  return handles;
}

void
pd_dvm_placed_forget (PdDvm *self, gint64 view)
{
  g_autoptr (GArray) handles = pd_dvm_placed_list (self, view);

  for (guint i = 0; i < handles->len; i++)
    pd_dvm_placed_remove (self, g_array_index (handles, gint64, i));
}

/* ---- arrays */

static void
array_free (gpointer object)
{
  PdArray *array = object;

  g_clear_pointer (&array->layout, pd_layout_unref);
  pd_team_unref (array->team);
}

PdArray *
pd_array_new (gint64 handle, gint64 header)
{
  PdArray *array = pd_object_new (sizeof *array, array_free);

  array->handle = handle;
  array->header = header;
  return array;
}

PdArray *
pd_array_move (const PdArray *old, PdLayout *layout, PdTeam *team)
{
  PdArray *array = pd_object_new (sizeof *array, array_free);
  PdObject base = array->base;

  *array = *old;
  array->base = base;
  array->layout = layout;
  array->team = pd_team_ref (team);
  return array;
}

void
pd_dvm_store_array (PdDvm *self, PdArray *array, gboolean is_new)
{
  if (is_new)
    {
      pd_dvm_delete (self, PD_KIND_ARRAY, array->handle);
      if (array->header != 0)
        pd_dvm_store (self, PD_KIND_HEADER, array->header, pd_object_ref (array), FALSE);
    }
  pd_dvm_store (self, PD_KIND_ARRAY, array->handle, array, is_new);
}

void
pd_dvm_store_aligned (PdDvm *self, PdArray *array)
{
  place (self, array->handle, array->view);
  pd_dvm_store_array (self, array, FALSE);
}

/* The array that was given @header, as it is now. */
static PdArray *
find_by_header (PdDvm *self, gint64 header)
{
  const PdArray *array = header == 0 ? NULL : pd_dvm_find (self, PD_KIND_HEADER, header);

  return array == NULL ? NULL : pd_dvm_find (self, PD_KIND_ARRAY, array->handle);
}

/* A run on several processors changes the handle of an array when it moves: then
 * only the header is to be trusted. On one processor the handle stays, and it is
 * the header that several arrays may have one after another. */
PdArray *
pd_dvm_find_array (PdDvm *self, PdDvmKey handle_key, PdDvmKey header_key)
{
  gint64 handle = pd_dvm_get (self, handle_key, 0), header = pd_dvm_get (self, header_key, 0);
  gboolean by_header = pd_dvm_reader_get_header (self->reader)->proc_count > 1;
  PdArray *by_handle = handle == 0 ? NULL : pd_dvm_find (self, PD_KIND_ARRAY, handle);
  PdArray *named = by_header || by_handle == NULL ? find_by_header (self, header) : NULL;

  return named != NULL ? named : by_handle;
}

PdArray *
pd_dvm_need_array_named (PdDvm *self, PdDvmKey handle_key, PdDvmKey header_key, GError **error)
{
  PdArray *array = pd_dvm_find_array (self, handle_key, header_key);

  if (array == NULL)
    pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                 "array '%s=%" G_GINT64_MODIFIER "x' does not exist",
                 pd_dvm_key_get_name (handle_key), (guint64) pd_dvm_get (self, handle_key, 0));
  return array;
}

PdArray *
pd_dvm_need_array_object (PdDvm *self, GError **error)
{
  return pd_dvm_need_array_named (self, PD_DVM_KEY_ArrayHandlePtr, PD_DVM_KEY_ArrayHeader, error);
}

/* ---- alignment */

void
pd_dvm_warn_unmapped (PdDvm *self, const char *what)
{
  pd_dvm_warn (self, "pattern-not-mapped", self->call->name,
               "'%s' uses %s whose distribution is not modelled", self->call->name, what);
}

/* The pattern of align_ and mappl_: an array, or else a template. */
gboolean
pd_dvm_need_pattern (PdDvm *self, PdPattern *pattern, GError **error)
{
  gint64 id;
  int is_array = pd_dvm_call_pattern_is_array (self->reader);

  if (!pd_dvm_need (self, PD_DVM_KEY_PatternRef, &id, error))
    return FALSE;
  *pattern = (PdPattern){ .layout = NULL };
  const PdArray *array =
      is_array == 0 ? NULL
                    : pd_dvm_find_array (self, PD_DVM_KEY_PatternRef, PD_DVM_KEY_PatternRefPtr);
  const PdView *view = is_array == 1 ? NULL : pd_dvm_find (self, PD_KIND_VIEW, id);
  if (array != NULL)
    *pattern = (PdPattern){ array->layout, array->team, array->view, TRUE };
  else if (view != NULL)
    *pattern = (PdPattern){ view->layout, view->team, id, FALSE };
  else
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                        "pattern 'PatternRef=%" G_GINT64_MODIFIER "x' does not exist",
                        (guint64) id);
  if (pattern->layout == NULL)
    pd_dvm_warn_unmapped (self, "a pattern");
  return TRUE;
}

gboolean
pd_dvm_need_alignment (PdDvm *self, const PdPattern *pattern, PdAlignment *alignment,
                       GError **error)
{
  guint n = pd_layout_get_rank (pattern->layout);

  alignment->n = n;
  alignment->axes = pd_dvm_need_array (self, PD_DVM_KEY_AxisArray, n, error);
  if (alignment->axes == NULL)
    return FALSE;
  alignment->coeffs = pd_dvm_need_array (self, PD_DVM_KEY_CoeffArray, n, error);
  if (alignment->coeffs == NULL)
    return FALSE;
  alignment->consts = pd_dvm_need_array (self, PD_DVM_KEY_ConstArray, n, error);
  return alignment->consts != NULL;
}

gboolean
pd_dvm_read_alignment (PdDvm *self, const PdArray *old, PdArray **aligned, GError **error)
{
  PdAlignment alignment;
  PdPattern pattern;
  GError *cause = NULL;

  *aligned = NULL;
  if (!pd_dvm_need_pattern (self, &pattern, error))
    return FALSE;
  if (pattern.layout == NULL || old->opaque)
    return TRUE;
  if (!pd_dvm_need_alignment (self, &pattern, &alignment, error))
    return FALSE;
  PdLayout *layout =
      pd_layout_new_aligned (pattern.layout, old->rank, old->sizes, &alignment, &cause);
  if (layout == NULL)
    return pd_dvm_layout_failed (self, cause, error);
  *aligned = pd_array_move (old, layout, pattern.team);
  (*aligned)->view = pattern.view;
  return TRUE;
}
