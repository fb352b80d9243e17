/* Records that create arrays, align them and name them.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/handlers/pd-dvm-array-calls-private.h"
#include "traces/dvm/pd-dvm-call.h"
#include "predictor/dvm/model/pd-dvm-arrays.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-params.h"

/* Sizes of the type codes that stand for a TypeSize <= 0. */
static gint64
type_size_of (gint64 type)
{
  static const gint64 sizes[] = { 1, 4, 8, 4, 8, 8, 16, 4, 8 };

  return type > 0 ? type : -type < (gint64) G_N_ELEMENTS (sizes) ? sizes[-type] : 8;
}

/* Widths of shadow edges; none given are 0. */
static void
read_widths (PdDvm *self, PdDvmKey key, guint rank, gint64 *widths)
{
  guint n;
  const gint64 *given = pd_dvm_call_get_array (self->reader, key, &n);

  for (guint i = 0; i < MIN (rank, n); i++)
    widths[i] = MAX (given[i], 0);
}

gboolean
pd_dvm_crtda (PdDvm *self, GError **error)
{
  gint64 handle, type = pd_dvm_get (self, PD_DVM_KEY_TypeSize, 8);
  gint64 sign = pd_dvm_get (self, PD_DVM_KEY_ReDistrSign, 3);
  guint rank;

  if (!pd_dvm_need_rank (self, PD_MAX_RANK, &rank, error)
      || !pd_dvm_need (self, PD_DVM_KEY_ArrayHandlePtr, &handle, error))
    return FALSE;
  const gint64 *sizes = pd_dvm_need_array (self, PD_DVM_KEY_SizeArray, rank, error);
  if (sizes == NULL)
    return FALSE;
  if (type < -G_MAXINT16 || type > G_MAXINT32)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
                        "elements of %" G_GINT64_FORMAT " bytes", type);
  PdArray *array = pd_array_new (handle, pd_dvm_get (self, PD_DVM_KEY_ArrayHeader, 0));
  array->rank = rank;
  array->type_size = type_size_of (type);
  array->may_redistribute = (sign & 1) != 0;
  array->may_realign = sign >> 1 != 0;
  for (guint i = 0; i < rank; i++)
    array->sizes[i] = sizes[i];
  read_widths (self, PD_DVM_KEY_LowShdWidthArray, rank, array->low);
  read_widths (self, PD_DVM_KEY_HiShdWidthArray, rank, array->high);
  pd_dvm_store_array (self, array, TRUE);
  return TRUE;
}

/* A buffer is an array whose place is not modelled. */
gboolean
pd_dvm_crtbuffer (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  gint64 handle = pd_dvm_get (self, PD_DVM_KEY_BufferHandlePtr, 0);

  if (handle == 0)
    return TRUE;
  PdArray *array = pd_array_new (handle, pd_dvm_get (self, PD_DVM_KEY_BufferHeader, 0));
  array->opaque = TRUE;
  pd_dvm_store_array (self, array, TRUE);
  return TRUE;
}

gboolean
pd_dvm_align (PdDvm *self, GError **error)
{
  const PdArray *old = pd_dvm_need_array_object (self, error);
  PdArray *aligned;

  if (old == NULL || !pd_dvm_read_alignment (self, old, &aligned, error))
    return FALSE;
  if (aligned != NULL)
    pd_dvm_store_aligned (self, aligned);
  return TRUE;
}

/* A second header of an array, for the procedure that it is an argument of. */
gboolean
pd_dvm_addhdr (PdDvm *self, GError **error)
{
  PdArray *array = pd_dvm_need_array_object (self, error);
  gint64 header = pd_dvm_get (self, PD_DVM_KEY_NewArrayHeader, 0);

  if (array == NULL)
    return FALSE;
  if (header != 0)
    pd_dvm_store (self, PD_KIND_HEADER, header, pd_object_ref (array), FALSE);
  return TRUE;
}
