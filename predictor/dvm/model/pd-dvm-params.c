/* Parameters of the current call.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-params.h"
#include "traces/dvm/pd-dvm-call.h"
#include "predictor/dvm/model/pd-dvm-fail.h"

gint64
pd_dvm_get (PdDvm *self, PdDvmKey key, gint64 fallback)
{
  gint64 value;

  return pd_dvm_call_get (self->reader, key, &value) ? value : fallback;
}

gboolean
pd_dvm_need (PdDvm *self, PdDvmKey key, gint64 *value, GError **error)
{
  return pd_dvm_call_get (self->reader, key, value)
         || pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER, "parameter '%s' is missing",
                         pd_dvm_key_get_name (key));
}

const gint64 *
pd_dvm_need_array (PdDvm *self, PdDvmKey key, guint n, GError **error)
{
  guint have;
  const gint64 *values = pd_dvm_call_get_array (self->reader, key, &have);

  if (have >= n && values != NULL)
    return values;
  pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
               "parameter '%s' has %u elements, expected %u", pd_dvm_key_get_name (key), have, n);
  return NULL;
}

gboolean
pd_dvm_need_rank (PdDvm *self, guint maximum, guint *rank, GError **error)
{
  gint64 value;

  if (!pd_dvm_need (self, PD_DVM_KEY_Rank, &value, error))
    return FALSE;
  if (value < 1 || value > maximum)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
                        "rank %" G_GINT64_FORMAT " is out of range, expected 1 to %u", value,
                        maximum);
  *rank = (guint) value;
  return TRUE;
}

gboolean
pd_dvm_layout_failed (PdDvm *self, GError *cause, GError **error)
{
  pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER, "%s", cause->message);
  g_error_free (cause);
  return FALSE;
}
