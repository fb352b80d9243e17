/* SPDX-License-Identifier: MIT */
#include "traces/dvm/pd-dvm-times-private.h"

void
pd_dvm_times_correct (PdDvmTimes *self, PdDvmCall *call)
{
  for (; self->corrections != NULL && self->next_correction < self->corrections->len;
       self->next_correction++)
    {
      const PdDvmCorrection *c =
          &g_array_index (self->corrections, PdDvmCorrection, self->next_correction);
      if (c->number > call->number)
        return;
      if (c->number == call->number)
        *(c->is_ret ? &call->ret_time : &call->call_time) = c->time;
    }
}
