/* The critical path as a probe: its functions for all notifications.
 * SPDX-License-Identifier: MIT */
#include "comsys/critical/pd-critical-path-events.h"
#include "comsys/critical/pd-critical-path-operations.h"
#include "comsys/critical/pd-critical-path-endpoints.h"
#include "comsys/critical/pd-critical-path-nonblocking.h"
#include "comsys/critical/pd-critical-path-private.h"
#include "comsys/critical/pd-critical-path-steps-private.h"
#include "comsys/state/pd-probe.h"

static const PdProbe probe = {
  .call = pd_critical_call,
  .untracked = pd_critical_untracked,
  .network_cpu = pd_critical_network_cpu,
  .send = pd_critical_send,
  .post = pd_critical_post,
  .copy = pd_critical_copy,
  .arrive = pd_critical_arrive,
  .deliver = pd_critical_deliver,
  .answer = pd_critical_answer,
  .match = pd_critical_match,
  .complete = pd_critical_complete,
  .await = pd_critical_await,
  .wait = pd_critical_wait,
  .wait_begin = pd_critical_wait_begin,
  .choose = pd_critical_choose,
  .waitany_continue = pd_critical_waitany_continue,
  .test = pd_critical_test,
  .probe_found = pd_critical_probe_found,
  .step = pd_critical_step,
  .barrier_enter = pd_critical_barrier_enter,
  .barrier_leave = pd_critical_barrier_leave,
  .switch_actor = pd_critical_switch_actor,
  .nonblocking_start = pd_critical_nonblocking_start,
  .nonblocking_completed = pd_critical_nonblocking_completed,
  .nonblocking_step = pd_critical_nonblocking_step,
  .nonblocking_work = pd_critical_nonblocking_work,
  .nonblocking_wait = pd_critical_nonblocking_wait,
  .nonblocking_wait_end = pd_critical_nonblocking_wait_end,
  .nonblocking_end = pd_critical_nonblocking_end,
  .barrier_forget = pd_critical_barrier_forget,
  .known = pd_critical_known,
  .launch = pd_critical_launch,
  .receive = pd_critical_receive,
  .post_after_send = pd_critical_post_after_send,
  .hold_cpu = pd_critical_hold_cpu,
  .follow_cpu = pd_critical_follow_cpu,
  .return_by_cpu = pd_critical_return_by_cpu,
  .defer_compute = pd_critical_defer_compute,
  .compute = pd_critical_compute,
  .lanes = pd_critical_init_endpoints,
  .operation_enter = pd_critical_operation_enter,
  .operation_begin = pd_critical_operation_begin,
  .operation_start = pd_critical_operation_start,
  .operation_compute = pd_critical_operation_compute,
  .operation_end = pd_critical_operation_end,
};

void
pd_comsys_set_critical_path (PdComsys *self, PdCriticalPath *critical)
{
  g_return_if_fail (critical->n_ranks == self->n_ranks);

  self->critical = critical;
  self->probe = &probe;
  self->has_costs = self->is_thorough = TRUE;
  pd_critical_init_endpoints (self);
}
