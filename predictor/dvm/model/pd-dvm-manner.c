/* How functions are interpreted, by the table of handlers.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-manner.h"

PdDvmManner
pd_dvm_get_manner (const PdDvmHandlers *handlers, PdDvmFunction function, PdDvmHandler *handle)
{
  *handle = handlers->rows[function].handle;
  if (handlers->rows[function].manner == PD_DVM_ORDINARY
      && pd_dvm_function_get_class (function) == PD_DVM_CLASS_IO)
    {
      *handle = handlers->io;
      return PD_DVM_ITSELF;
    }
  return handlers->rows[function].manner;
}

gboolean
pd_dvm_is_ordinary (const PdDvmHandlers *handlers, PdDvmFunction function)
{
  PdDvmHandler handle;

  return pd_dvm_get_manner (handlers, function, &handle) == PD_DVM_ORDINARY && handle == NULL;
}

gboolean
pd_dvm_is_simulated (const PdDvmHandlers *handlers, PdDvmFunction function)
{
  return handlers->rows[function].manner != PD_DVM_ORDINARY
         && handlers->rows[function].manner != PD_DVM_PARTIAL;
}
