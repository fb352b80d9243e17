/* SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-recorder-cost.h"

/* Events inside a call on one processor that are not printed, as recordings with MaxTraceLevel=127
 * have them; the least number where it varies: endpl_ of a loop with a reduction has 8, with a
 * remote buffer 6. */
static const guint8 n_inside[PD_DVM_N_FUNCTIONS] = {
  [PD_DVM_endpl_] = 4,  [PD_DVM_delobj_] = 8,  [PD_DVM_strtsh_] = 2,  [PD_DVM_loadrb_] = 2,
  [PD_DVM_waitrb_] = 2, [PD_DVM_crtrbl_] = 12, [PD_DVM_across_] = 10, [PD_DVM_distr_] = 6,
};

guint
pd_dvm_function_get_n_events (PdDvmFunction function)
{
  g_return_val_if_fail (function < PD_DVM_N_FUNCTIONS, 1);
  return 1 + n_inside[function];
}
