/* What a simulated processor does in each kind of step. A step may have to
 * wait; then its function is called again when the processor's turn comes, and
 * goes on from the phase it had reached. Phase 1 is the first; of an operation
 * that several take part in it is the arrival, the same for all (see the end).
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-simulation-private.h"

#include <string.h>

/* @linear: the processor's number in the grid of the step's operation; of a step
 * without one 0. Returns whether the step is over. */
typedef gboolean (*StepFunc) (PdSimulation *self, guint32 rank, const PdStepDvm *step,
                              guint32 linear);

gboolean
pd_cproc_may_act (PdSimulation *self, guint32 rank)
{
  PdTime clock = self->procs[rank].clock;

  if (clock.ps <= self->turn.ps || pd_comsys_may_go_on (self->host.comsys, rank, clock))
    return TRUE;
  pd_comsys_ready (self->host.comsys, rank, clock);
  return FALSE;
}

/* The moment of return becomes the clock; FALSE while it is not known. */
static gboolean
returned (PdSimulation *self, guint32 rank)
{
  PdCProc *proc = &self->procs[rank];

  if (pd_time_is_pending (proc->ret))
    return FALSE;
  proc->clock = proc->ret;
  return TRUE;
}

static PdCall
call_of (PdSimulation *self, guint32 rank)
{
  PdCProc *proc = &self->procs[rank];

  return (PdCall){ rank, proc->clock, &proc->ret, NULL };
}

/* The linear number of the processor in the operation's grid; -1: it takes no
 * part. */
static gint64
member (const PdOperation *operation, guint32 rank)
{
  return pd_grid_find (operation->team->grid, rank);
}

static void
begin (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdCProc *proc = &self->procs[rank];

  proc->began = proc->clock;
  if ((step->flags & PD_STEP_ENTERS) != 0)
    pd_operation_enter (step->operation, linear, proc->clock);
}

/* The communication since begin() is charged. */
static void
end (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdCProc *proc = &self->procs[rank];
  PdOperation *operation = step->operation;
  PdTime spent = pd_time_sub (proc->clock, proc->began);

  if (step->kind == PD_STEP_KIND_PIPELINE) /* the rest of it is computation */
    spent = pd_time_sub (spent, pd_cproc_get_iterated (self, rank, step->work));
  if (spent.ps > 0)
    pd_interval_tree_add (self->host.tree, step->node, operation->component, rank, spent);
  if (operation->spent != NULL)
    operation->spent[linear] = pd_time_add (operation->spent[linear], spent);
  if ((step->flags & PD_STEP_LEAVES) != 0)
    pd_operation_leave (self, operation, linear, step);
}

/* ---- steps */

static gboolean
perform_none (PdSimulation *self G_GNUC_UNUSED, guint32 rank G_GNUC_UNUSED,
              const PdStepDvm *step G_GNUC_UNUSED, guint32 linear G_GNUC_UNUSED)
{
  return TRUE;
}

PdTime
pd_cproc_compute (const PdSimulation *self, guint32 rank, guint32 node, guint32 part, PdTime time)
{
  gdouble speed = self->host.speeds[self->host.speed_of[rank]];

  time = pd_node_ratios_divide (self->host.ratios, node, time, speed);
  return pd_noise_apply (self->host.noise, rank, self->procs[rank].position, part, time);
}

static gboolean
perform_compute (PdSimulation *self, guint32 rank, const PdStepDvm *step,
                 guint32 linear G_GNUC_UNUSED)
{
  PdCProc *proc = &self->procs[rank];
  const PdTeam *team = step->family->team;

  if (pd_grid_find (team->grid, rank) < 0)
    return TRUE;
  PdTime time = step->own != NULL ? step->own[self->host.speed_of[rank]] : step->time;
  PdTime t = pd_cproc_compute (self, rank, step->node, 0, time);
  proc->clock = pd_time_add (proc->clock, t);
  pd_interval_tree_add (self->host.tree, step->node, PD_Q_CPU_SEQ, rank, t);
  if (team->n > 1)
    pd_interval_tree_add (self->host.tree, step->node, PD_Q_INSUFF_SEQ, rank,
                          pd_time_scale (t, team->n - 1, team->n));
  return TRUE;
}

guint
pd_cproc_list_messages (PdSimulation *self, const PdPlan *plan, guint32 rank)
{
  guint most = pd_plan_get_max (plan, rank);

  if (most == 0)
    return 0;
  if (most > self->room)
    {
      self->room = most;
      self->messages = g_renew (PdPlanMessage, self->messages, most);
    }
  return pd_plan_get_messages (plan, rank, self->messages);
}

/* A few messages are listed again at each turn, which is cheaper than keeping
 * them for every processor; many are kept until all have started. */
#define FEW_MESSAGES 32

static const PdPlanMessage *
get_messages (PdSimulation *self, const PdPlan *plan, guint32 rank, guint *n)
{
  PdCProc *proc = &self->procs[rank];

  if (proc->list == NULL)
    {
      *n = pd_cproc_list_messages (self, plan, rank);
      if (*n <= FEW_MESSAGES)
        return self->messages;
      gsize size = *n * sizeof *self->messages;
      proc->list = g_malloc (sizeof *proc->list + size);
      proc->list->n = *n;
      memcpy (proc->list->messages, self->messages, size);
    }
  *n = proc->list->n;
  return proc->list->messages;
}

gboolean
pd_cproc_start_message (PdSimulation *self, guint32 rank, PdComm *comm, PdBundle *bundle,
                        const PdPlanMessage *message, gint32 tag)
{
  PdCall call = call_of (self, rank);
  PdEnvelope envelope = { (gint32) message->peer, tag, pd_cproc_wire_bytes (self, message->bytes) };
  PdRequest request = message->send ? pd_comsys_isend (self->host.comsys, &call, comm, envelope)
                                    : pd_comsys_irecv (self->host.comsys, &call, comm, envelope);

  pd_bundle_add (self->host.comsys, bundle, request);
  self->procs[rank].clock = self->procs[rank].ret;
  self->procs[rank].index++;
  return pd_cproc_may_act (self, rank);
}

/* ---- the library's own work on messages (spec 21: software) */

static gboolean
packs (const PdSoftware *software)
{
  return software->pack_per_byte > 0 || software->pack_per_run.ps > 0;
}

PdTime
pd_cproc_copy_time (const PdSoftware *software, gint64 bytes, gint64 runs)
{
  return pd_time_add (pd_time_for_bytes (bytes, software->pack_per_byte),
                      pd_time_scale (software->pack_per_run, MAX (runs, 1), 1));
}

static PdTime
local_time (const PdSoftware *software, const PdPlanLocal *local)
{
  PdTime time = pd_time_for_bytes (local->touched, software->touch_per_byte);

  return local->copied == 0
             ? time
             : pd_time_add (time, pd_cproc_copy_time (software, local->copied, local->runs));
}

/* Whether the step starts this message, or the other direction only. */
static gboolean
is_wanted (const PdStepDvm *step, const PdPlanMessage *message)
{
  return (step->flags & (message->send ? PD_STEP_RECVS : PD_STEP_SENDS)) == 0;
}

/* What a processor does before its first message: it packs all of them. */
static PdTime
prepare_time (PdSimulation *self, const PdStepDvm *step, guint32 rank)
{
  const PdPlan *plan = step->operation->plan;
  const PdSoftware *software = self->host.software;
  PdPlanLocal local;
  PdTime time = PD_TIME_ZERO;
  gboolean costs = packs (software) || software->exchange_overhead.ps > 0;
  guint n = costs ? pd_cproc_list_messages (self, plan, rank) : 0;

  for (guint i = 0; i < n && time.ps == 0; i++)
    if (is_wanted (step, &self->messages[i]))
      time = software->exchange_overhead;
  for (guint i = 0; i < n; i++)
    if (self->messages[i].send && is_wanted (step, &self->messages[i]))
      time = pd_time_add (
          time, pd_cproc_copy_time (software, self->messages[i].bytes, self->messages[i].runs));
  pd_plan_get_local (plan, rank, &local);
  return pd_time_add (time, local_time (software, &local));
}

static void
unpack (PdSimulation *self, guint32 rank, const PdPlan *plan)
{
  const PdSoftware *software = self->host.software;
  PdCProc *proc = &self->procs[rank];

  if (software == NULL || !packs (software))
    return;
  guint n = pd_cproc_list_messages (self, plan, rank);
  for (guint i = 0; i < n; i++)
    if (!self->messages[i].send)
      proc->clock = pd_time_add (proc->clock, pd_cproc_copy_time (software, self->messages[i].bytes,
                                                                  self->messages[i].runs));
}

/* The messages of an exchange as a whole: the work on all that are sent, or on
 * all that have come. */
static PdTime
pack_all (const PdSimulation *self, gint64 n, gint64 bytes)
{
  return self->host.software == NULL || n == 0 ? PD_TIME_ZERO
                                               : pd_cproc_copy_time (self->host.software, bytes, n);
}

static gboolean
wait_as_a_whole (PdSimulation *self, guint32 rank, const PdOperation *operation)
{
  PdCProc *proc = &self->procs[rank];
  const PdAggregate *aggregate = operation->aggregate;
  PdTraffic own;

  pd_plan_get_traffic (operation->plan, rank, &own);
  if (own.n_sent + own.n_received == 0)
    return TRUE;
  if (proc->phase == 2)
    {
      PdCall call = call_of (self, rank);
      PdTime duration = pd_comsys_get_exchange_time (&aggregate->costs, &own, &aggregate->all);
      proc->phase = 3;
      pd_comsys_exchange (self->host.comsys, &call, aggregate->comm, &own, duration);
    }
  if (!returned (self, rank))
    return FALSE;
  proc->clock = pd_time_add (proc->clock, pack_all (self, own.n_received, own.bytes_received));
  return TRUE;
}

/* The work before the first message needs no turn. */
static void
prepare_exchange (PdSimulation *self, guint32 rank, const PdStepDvm *step)
{
  const PdOperation *operation = step->operation;
  PdCProc *proc = &self->procs[rank];
  PdTraffic own;
  PdPlanLocal local;

  if (self->host.software == NULL)
    return;
  if (operation->aggregate == NULL)
    {
      proc->clock = pd_time_add (proc->clock, prepare_time (self, step, rank));
      return;
    }
  pd_plan_get_traffic (operation->plan, rank, &own);
  pd_plan_get_local (operation->plan, rank, &local);
  if (own.n_sent + own.n_received > 0)
    proc->clock = pd_time_add (proc->clock, self->host.software->exchange_overhead);
  proc->clock = pd_time_add (proc->clock, pack_all (self, own.n_sent, own.bytes_sent));
  proc->clock = pd_time_add (proc->clock, local_time (self->host.software, &local));
}

static gboolean
perform_exchange_start (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdCProc *proc = &self->procs[rank];
  PdOperation *operation = step->operation;
  guint n;

  if (operation->aggregate != NULL)
    return TRUE;
  const PdPlanMessage *messages = get_messages (self, operation->plan, rank, &n);

  if (proc->index == 0)
    for (guint i = 0; i < n; i++)
      pd_comsys_expect (self->host.comsys, messages[i].peer);
  while (proc->index < n)
    {
      const PdPlanMessage *message = &messages[proc->index];
      if (!is_wanted (step, message))
        proc->index++;
      else if (!pd_cproc_start_message (self, rank, self->world, &operation->bundles[linear],
                                        message, operation->tag))
        return FALSE;
    }
  g_clear_pointer (&proc->list, g_free);
  return TRUE;
}

static void
wait_for_bundle (PdSimulation *self, guint32 rank, PdBundle *bundle)
{
  PdCall call = call_of (self, rank);

  self->procs[rank].phase++;
  pd_comsys_waitall_bundle (self->host.comsys, &call, bundle);
}

static gboolean
perform_exchange_wait (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  if (step->operation->aggregate != NULL)
    return wait_as_a_whole (self, rank, step->operation);
  if (self->procs[rank].phase == 2)
    wait_for_bundle (self, rank, &step->operation->bundles[linear]);
  if (!returned (self, rank))
    return FALSE;
  if ((step->flags & PD_STEP_SENDS) == 0)
    unpack (self, rank, step->operation->plan);
  return TRUE;
}

static gboolean
perform_collective (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdCProc *proc = &self->procs[rank];

  if (proc->phase == 2)
    {
      PdCall call = call_of (self, rank);
      proc->phase = 3;
      PdOperation *operation = step->operation;
      PdCollective collective = { .op = (PdOp) step->op,
                                  .root = operation->central,
                                  .bytes = step->bytes,
                                  .recv_counts = operation->counts };
      if (operation->counts != NULL)
        collective.bytes = operation->counts[linear];
      pd_comsys_collective (self->host.comsys, &call, pd_comm_family_get (step->family, linear),
                            &collective);
    }
  return returned (self, rank);
}

/* ---- reductions through the central processor */

/* The other members of a star, seen from the central one. */
static guint32
peer_of (guint32 index, guint32 me)
{
  return index < me ? index : index + 1;
}

/* The central one: a receive from each other; the others: a send, a receive. */
static gboolean
perform_star_start (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdCProc *proc = &self->procs[rank];
  PdOperation *operation = step->operation;
  PdComm *comm = pd_comm_family_get (step->family, linear);
  guint32 me = (guint32) pd_comm_get_rank (comm, rank);
  gboolean is_central = me == operation->central;
  guint32 n = is_central ? pd_comm_get_size (comm) - 1 : 2;

  while (proc->index < n)
    {
      PdPlanMessage message = { .peer = is_central ? peer_of (proc->index, me) : operation->central,
                                .send = !is_central && proc->index == 0,
                                .bytes = operation->bytes };
      if (!pd_cproc_start_message (self, rank, comm, &operation->bundles[linear], &message,
                                   operation->tag))
        return FALSE;
    }
  return TRUE;
}

/* Phases 2, 3: wait for what was started; 4, 5: the central one sends the
 * result to each and waits for that. */
static gboolean
perform_star_wait (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdCProc *proc = &self->procs[rank];
  PdOperation *operation = step->operation;
  PdComm *comm = pd_comm_family_get (step->family, linear);
  guint32 me = (guint32) pd_comm_get_rank (comm, rank);

  if (proc->phase == 2)
    wait_for_bundle (self, rank, &operation->bundles[linear]);
  if (proc->phase == 3)
    {
      if (!returned (self, rank))
        return FALSE;
      if (me != operation->central)
        return TRUE;
      proc->phase = 4;
      if (!pd_cproc_may_act (self, rank))
        return FALSE;
    }
  while (proc->phase == 4 && proc->index + 1 < pd_comm_get_size (comm))
    {
      PdPlanMessage message = { .peer = peer_of (proc->index, me),
                                .send = TRUE,
                                .bytes = operation->bytes };
      if (!pd_cproc_start_message (self, rank, comm, &operation->bundles[linear], &message,
                                   operation->tag))
        return FALSE;
    }
  if (proc->phase == 4)
    wait_for_bundle (self, rank, &operation->bundles[linear]);
  return returned (self, rank);
}

/* ---- input and output */

static gboolean
perform_file_io (PdSimulation *self, guint32 rank, const PdStepDvm *step,
                 guint32 unused G_GNUC_UNUSED)
{
  PdCProc *proc = &self->procs[rank];
  PdTeam *team = step->family->team;
  gint64 linear = step->operation == NULL ? -1 : member (step->operation, rank);

  if ((step->flags & PD_STEP_ENTERS) != 0 && linear >= 0)
    pd_operation_enter (step->operation, (guint32) linear, proc->clock);
  if (rank == team->io)
    {
      PdTime t = pd_time_divide (step->time, self->host.speeds[self->host.speed_of[rank]]);
      proc->clock = pd_time_add (proc->clock, t);
      pd_interval_tree_add (self->host.tree, step->node, PD_Q_IO, rank, t);
    }
  if ((step->flags & PD_STEP_LEAVES) != 0 && linear >= 0)
    pd_operation_leave (self, step->operation, (guint32) linear, step);
  return TRUE;
}

/* Elements of the local box of @linear, in the array's grid, among the first operation->prefix
 * elements of the array in linear order. */
static gint64
count_prefix (const PdOperation *operation, guint32 linear)
{
  const PdLayout *layout = operation->layout;
  guint rank = pd_layout_get_rank (layout);
  const gint64 *sizes = pd_layout_get_sizes (layout);
  gint64 lo[PD_MAX_RANK], hi[PD_MAX_RANK], weight[PD_MAX_RANK + 1], inner[PD_MAX_RANK + 1];
  gint64 count = 0, rest = operation->prefix;

  if (!pd_layout_get_local (layout, linear, lo, hi))
    return 0;
  weight[rank] = inner[rank] = 1;
  for (guint i = rank; i-- > 0;)
    {
      weight[i] = weight[i + 1] * sizes[i];
      inner[i] = inner[i + 1] * (hi[i] - lo[i] + 1);
    }
  if (rest >= weight[0])
    return inner[0];
  /* digit by digit: whole slices below the boundary, then on within its slice */
  for (guint i = 0; i < rank; i++)
    {
      gint64 digit = rest / weight[i + 1];
      rest %= weight[i + 1];
      count += MAX (MIN (hi[i], digit - 1) - lo[i] + 1, 0) * inner[i + 1];
      if (digit < lo[i] || digit > hi[i])
        return count;
    }
  return count;
}

/* @linear: in the operation's grid, which need not be that of the array. */
gint64
pd_operation_get_part (const PdOperation *operation, guint32 linear)
{
  guint32 processor = pd_grid_get_processor (operation->team->grid, linear);
  gint64 place = pd_grid_find (pd_layout_get_grid (operation->layout), processor);

  return place < 0 ? 0 : count_prefix (operation, (guint32) place) * operation->type_size;
}

/* One blocking message of the I/O processor with @linear; phase 3 while it is
 * under way. */
static gboolean
serve_one (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdCProc *proc = &self->procs[rank];
  const PdOperation *operation = step->operation;
  PdEnvelope envelope = { (gint32) pd_grid_get_processor (operation->team->grid, linear),
                          operation->tag,
                          pd_cproc_wire_bytes (self, pd_operation_get_part (operation, linear)) };

  if (proc->phase == 2)
    {
      if (envelope.bytes == 0 || envelope.peer == (gint32) rank)
        return TRUE;
      if (!pd_cproc_may_act (self, rank))
        return FALSE;
      PdCall call = call_of (self, rank);
      proc->phase = 3;
      if (step->kind == PD_STEP_KIND_COLLECT)
        pd_comsys_recv (self->host.comsys, &call, self->world, envelope);
      else
        pd_comsys_send (self->host.comsys, &call, self->world, envelope);
    }
  if (!returned (self, rank))
    return FALSE;
  proc->phase = 2;
  return TRUE;
}

/* The other side: one blocking message with the I/O processor. */
static gboolean
be_served (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdCProc *proc = &self->procs[rank];
  const PdOperation *operation = step->operation;
  PdEnvelope envelope = { (gint32) operation->team->io, operation->tag,
                          pd_cproc_wire_bytes (self, pd_operation_get_part (operation, linear)) };

  if (envelope.bytes == 0)
    return TRUE;
  if (proc->phase == 2)
    {
      PdCall call = call_of (self, rank);
      proc->phase = 3;
      if (step->kind == PD_STEP_KIND_COLLECT)
        pd_comsys_send (self->host.comsys, &call, self->world, envelope);
      else
        pd_comsys_recv (self->host.comsys, &call, self->world, envelope);
    }
  return returned (self, rank);
}

static gboolean
perform_collect (PdSimulation *self, guint32 rank, const PdStepDvm *step, guint32 linear)
{
  PdCProc *proc = &self->procs[rank];

  if (rank != step->operation->team->io)
    return be_served (self, rank, step, linear);
  for (; proc->index < step->operation->team->n; proc->index++)
    if (!serve_one (self, rank, step, proc->index))
      return FALSE;
  return TRUE;
}

/* Whether an exchange is nothing to the processor: of the many that a row goes
 * by, each then costs no place in the operation, and no turn. */
static gboolean
passes_by (const PdStepDvm *step, guint32 rank)
{
  const PdOperation *operation = step->operation;
  PdPlanLocal local;

  if (step->kind != PD_STEP_KIND_EXCHANGE_START && step->kind != PD_STEP_KIND_EXCHANGE_WAIT)
    return FALSE;
  if (operation->plan == NULL || operation->aggregate != NULL
      || pd_plan_get_max (operation->plan, rank) > 0)
    return FALSE;
  pd_plan_get_local (operation->plan, rank, &local);
  return local.copied == 0 && local.touched == 0;
}

/* How a kind of step is performed. */
typedef enum
{
  ALONE,  /* nothing shared is touched */
  STARTS, /* an operation, which another step waits for */
  TAKES_PART,
} Manner;

static const struct
{
  StepFunc perform;
  Manner manner;
} kinds[PD_N_STEP_KINDS] = {
  [PD_STEP_KIND_NONE] = { perform_none, ALONE },
  [PD_STEP_KIND_LOOP] = { pd_cproc_loop, ALONE },
  [PD_STEP_KIND_PIPELINE] = { pd_cproc_pipeline, TAKES_PART },
  [PD_STEP_KIND_EXCHANGE_START] = { perform_exchange_start, STARTS },
  [PD_STEP_KIND_EXCHANGE_WAIT] = { perform_exchange_wait, TAKES_PART },
  [PD_STEP_KIND_COLLECTIVE] = { perform_collective, TAKES_PART },
  [PD_STEP_KIND_STAR_START] = { perform_star_start, STARTS },
  [PD_STEP_KIND_STAR_WAIT] = { perform_star_wait, TAKES_PART },
  [PD_STEP_KIND_COLLECT] = { perform_collect, TAKES_PART },
  [PD_STEP_KIND_DEAL] = { perform_collect, TAKES_PART },
  [PD_STEP_KIND_FILE_IO] = { perform_file_io, ALONE },
  [PD_STEP_KIND_COMPUTE] = { perform_compute, ALONE },
  [PD_STEP_KIND_TASK] = { perform_none, ALONE },
};

PdLogEvent
pd_cproc_note (const PdSimulation *self, guint32 processor, const PdStepDvm *step, PdTime begin)
{
  return (PdLogEvent){ .number = self->procs[self->actor].position,
                       .step = step,
                       .processor = processor,
                       .begin = begin,
                       .end = self->procs[processor].clock };
}

static void
note (PdSimulation *self, guint32 rank, const PdStepDvm *step, PdTime begin)
{
  PdLogEvent event = pd_cproc_note (self, rank, step, begin);

  pd_log_step (self->host.log, &event);
}

/* Who is not in a task goes on behind it. This may be the end of @task, and of
 * the step it is of. */
static void
leave_out (PdSimulation *self, guint32 rank, const PdTask *task)
{
  PdCProc *proc = &self->procs[rank];

  if (pd_grid_find (task->team->grid, rank) >= 0)
    return;
  proc->position = task->end - 1;
  pd_data_server_jump (self->host.server, &proc->block, task->last);
}

static gboolean
perform_alone (PdSimulation *self, guint32 rank, const PdStepDvm *step)
{
  PdTime begin = self->procs[rank].clock;
  gboolean is_over = kinds[step->kind].perform (self, rank, step, 0);

  if (self->host.log != NULL)
    note (self, rank, step, begin);
  if (step->task != NULL)
    leave_out (self, rank, step->task);
  return is_over;
}

/* Arrival, the operation's own phases from 2 on, and the account. */
gboolean
pd_cproc_perform (PdSimulation *self, guint32 rank, const PdStepDvm *step)
{
  PdCProc *proc = &self->procs[rank];
  Manner manner = kinds[step->kind].manner;

  if (manner == ALONE)
    return perform_alone (self, rank, step);

  gint64 linear = member (step->operation, rank);
  if (linear < 0)
    return TRUE;
  if (proc->phase == 1 && (step->flags & PD_STEP_PARTLY) != 0
      && pd_operation_has_left (step->operation, (guint32) linear))
    return TRUE;
  if (proc->phase == 1 && passes_by (step, rank))
    {
      if ((step->flags & PD_STEP_LEAVES) != 0)
        pd_operation_leave (self, step->operation, (guint32) linear, step);
      return TRUE;
    }
  if (proc->phase == 1)
    {
      begin (self, rank, step, (guint32) linear);
      if (manner == STARTS)
        pd_operation_enter (step->operation, (guint32) linear, proc->clock);
      if (step->kind == PD_STEP_KIND_EXCHANGE_START)
        prepare_exchange (self, rank, step);
      proc->phase = 2;
      if (!pd_cproc_may_act (self, rank))
        return FALSE;
    }
  if (!kinds[step->kind].perform (self, rank, step, (guint32) linear))
    return FALSE;
  end (self, rank, step, (guint32) linear);
  if (manner == STARTS)
    step->operation->started[linear] = proc->clock;
  if (self->host.log != NULL)
    note (self, rank, step, proc->began);
  return TRUE;
}
