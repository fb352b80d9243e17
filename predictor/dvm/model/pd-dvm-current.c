/* The current call: its reading, its times, its handler.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-current.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-manner.h"
#include "predictor/dvm/model/pd-dvm-multi-file.h"

void
pd_dvm_charge_call (PdDvm *self)
{
  if (self->multi != NULL)
    pd_dvm_multi_charge (self, pd_dvm_multi_get_times (self, FALSE));
  else
    pd_dvm_charge (self, self->call->call_time);
}

void
pd_dvm_charge_ret (PdDvm *self)
{
  if (self->multi != NULL)
    pd_dvm_multi_charge (self, pd_dvm_multi_get_times (self, TRUE));
  else
    pd_dvm_charge (self, self->call->ret_time);
}

/* ---- handlers */

static void
warn_partial (PdDvm *self)
{
  pd_dvm_warn (self, "charged-as-ordinary", self->call->name,
               "what '%s' does between processors is not modelled: charged as an ordinary function",
               self->call->name);
}

/* Dynamic control takes time that the program proper does not. */
static void
warn_debugging (PdDvm *self)
{
  if (pd_dvm_function_get_class (self->call->function) == PD_DVM_CLASS_DEB)
    pd_dvm_warn (self, "debugging-calls", NULL,
                 "the program was compiled for dynamic control (-d1 to -d4): the time of that is "
                 "in the trace and predicted, too");
}

gboolean
pd_dvm_interpret_call (PdDvm *self, GError **error)
{
  PdDvmHandler handle;
  PdDvmManner manner = pd_dvm_get_manner (self->handlers, self->call->function, &handle);

  warn_debugging (self);
  if (manner == PD_DVM_ITSELF)
    return handle (self, error);
  pd_dvm_charge_call (self);
  if (manner == PD_DVM_PARTIAL)
    warn_partial (self);
  if (handle != NULL && !handle (self, error))
    return FALSE;
  if (manner != PD_DVM_COPIES)
    pd_dvm_charge_ret (self);
  return TRUE;
}

gboolean
pd_dvm_apply_quietly (PdDvm *self, GError **error)
{
  PdDvmHandler handle;
  PdDvmManner manner = pd_dvm_get_manner (self->plain, self->call->function, &handle);

  warn_debugging (self);
  if (manner == PD_DVM_PARTIAL)
    warn_partial (self);
  if (manner == PD_DVM_MESSAGES || manner == PD_DVM_COPIES
      || (manner == PD_DVM_ITSELF && handle == self->plain->io))
    pd_dvm_warn (self, "collective-in-loop", self->call->name,
                 "'%s' inside a portion of a parallel loop: only its time is counted",
                 self->call->name);
  return (manner != PD_DVM_OBJECTS && manner != PD_DVM_PARTIAL) || handle == NULL
         || handle (self, error);
}

/* ---- reading on */

gboolean
pd_dvm_read (PdDvm *self, GError **error)
{
  const PdDvmCall *call;

  if (self->multi != NULL)
    return pd_dvm_multi_read (self, error);
  if (self->pushed_back)
    {
      self->pushed_back = FALSE;
      return TRUE;
    }
  if (self->at_end || !pd_dvm_reader_next (self->reader, &call, error))
    {
      self->at_end = TRUE;
      return FALSE;
    }
  self->current = *call;
  if (self->is_first)
    {
      self->is_first = FALSE;
      self->startup = call->call_time;
      if (!self->options->keep_startup)
        self->current.call_time = PD_TIME_ZERO;
    }
  return TRUE;
}
