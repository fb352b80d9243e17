/* Objects of a DVM program in general.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-objects.h"

PdObject *
pd_object_ref (gpointer object)
{
  ((PdObject *) object)->refs++;
  return object;
}

void
pd_object_unref (gpointer data)
{
  PdObject *object = data;

  if (object == NULL || --object->refs > 0)
    return;
  if (object->free != NULL)
    object->free (object);
  g_free (object);
}

gpointer
pd_object_new (gsize size, GDestroyNotify free)
{
  PdObject *object = g_malloc0 (size);

  object->refs = 1;
  object->free = free;
  return object;
}

void
pd_dvm_shadow_array_clear (gpointer data)
{
  pd_layout_unref (((PdShadowArray *) data)->layout);
}
