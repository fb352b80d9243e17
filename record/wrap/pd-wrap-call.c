/* A call from outside: the guard, and its record.
 * SPDX-License-Identifier: MIT */
#include "record/wrap/pd-wrap-private.h"
#include "record/stream/pd-rec-stream.h"

_Atomic (const char *) pd_guard_owner;
_Thread_local char pd_guard_self __attribute__ ((tls_model ("initial-exec")));

static _Atomic uint64_t lost;

void
pd_guard_lost (void)
{
  atomic_fetch_add_explicit (&lost, 1, memory_order_relaxed);
}

uint64_t
pd_guard_get_lost (void)
{
  return atomic_load_explicit (&lost, memory_order_relaxed);
}

void
pd_call_record (PdWrapCall *call)
{
  if (call->is_recorded)
    return;
  call->is_recorded = 1;
  pd_rec_call (call->function, pd_stack_get (call->return_address, call->frame), call->t0,
               call->t1);
}
