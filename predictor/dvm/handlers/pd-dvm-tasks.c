/* Abstract machines, and the tasks that run on them: who takes part, on which
 * processor system, and what ends with the task.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/handlers/pd-dvm-tasks-private.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "traces/dvm/pd-dvm-call.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-current.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-intervals.h"
#include "predictor/dvm/model/pd-dvm-machines.h"
#include "predictor/dvm/model/pd-dvm-params.h"
#include "predictor/dvm/model/pd-dvm-teams.h"

/* ---- abstract machines */

/* The current machine gets a name; it may have one already. */
gboolean
pd_dvm_getam (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  gint64 id;

  if (!pd_dvm_call_get_ret (self->reader, PD_DVM_KEY_AMRef, &id))
    return TRUE;
  const PdAm *known = pd_dvm_find (self, PD_KIND_AM, id);
  if (known == NULL || known->team != self->team)
    pd_dvm_store (self, PD_KIND_AM, id, pd_dvm_am_new (self->team), FALSE);
  return TRUE;
}

/* The same element is the same machine, mapped or not, unless the reference
 * was another one's that has gone with its template. */
gboolean
pd_dvm_getamr (PdDvm *self, GError **error)
{
  gint64 id, view_id;

  if (!pd_dvm_call_get_ret (self->reader, PD_DVM_KEY_AMRef, &id))
    return TRUE;
  if (!pd_dvm_need (self, PD_DVM_KEY_AMViewRef, &view_id, error))
    return FALSE;
  const PdView *view = pd_dvm_find (self, PD_KIND_VIEW, view_id);
  if (view == NULL)
    return pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                        "template 'AMViewRef=%" G_GINT64_MODIFIER "x' does not exist",
                        (guint64) view_id);
  const gint64 *index = pd_dvm_need_array (self, PD_DVM_KEY_IndexArray, view->rank, error);
  if (index == NULL)
    return FALSE;
  const PdAm *known = pd_dvm_find (self, PD_KIND_AM, id);
  gboolean is_noted = known != NULL && known->view == view_id && known->serial == view->serial;
  gboolean is_same = is_noted;
  for (guint i = 0; i < view->rank && is_same; i++)
    is_same = known->index[i] == index[i];
  if (is_same)
    return TRUE;
  PdAm *machine = pd_dvm_am_new (NULL);
  machine->view = view_id;
  machine->serial = view->serial;
  for (guint i = 0; i < view->rank; i++)
    machine->index[i] = index[i];
  pd_dvm_store (self, PD_KIND_AM, id, machine, FALSE);
  if (!is_noted)
    pd_dvm_machines_note (self, view_id, view->serial, id);
  return TRUE;
}

/* The first mapping on a processor system makes its communicator: something
 * that all of the current one do together. The initial one has one. */
static void
make_communicator (PdDvm *self, PdTeam *team)
{
  if (team->has_comm || team == self->initial)
    return;
  PdStepOperation *operation = pd_dvm_operation_new (self, PD_OPERATION_TASK);
  PdStepDvm *step = pd_dvm_emit_collective (self, operation, PD_OP_COMM_CREATE, 0);
  step->flags = PD_STEP_ENTERS | PD_STEP_LEAVES;
  pd_operation_unref (operation);
  team->has_comm = TRUE;
}

gboolean
pd_dvm_mapam (PdDvm *self, GError **error)
{
  PdTeam *team = pd_dvm_need_team (self, PD_DVM_KEY_PSRef, error);
  gint64 id;

  if (team == NULL || !pd_dvm_need (self, PD_DVM_KEY_AMRef, &id, error))
    return FALSE;
  const PdAm *machine = pd_dvm_need_am (self, id, error);
  if (machine == NULL)
    return FALSE;
  pd_dvm_map_am (self, id, machine, team);
  make_communicator (self, team);
  return TRUE;
}

/* ---- who is in a task */

/* Where the machine that runam_ names is mapped. */
static PdTeam *
need_mapped (PdDvm *self, GError **error)
{
  gint64 id;

  if (!pd_dvm_need (self, PD_DVM_KEY_AMRef, &id, error))
    return NULL;
  const PdAm *machine = pd_dvm_need_am (self, id, error);
  if (machine == NULL)
    return NULL;
  if (machine->team == NULL)
    {
      pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                   "abstract machine 'AMRef=%" G_GINT64_MODIFIER
                   "x' is not mapped on a processor system",
                   (guint64) id);
      return NULL;
    }
  return pd_dvm_need_inside (self, machine->team, error) ? machine->team : NULL;
}

/* ---- entering and leaving */

/* An open task, and the state that its end restores. */
typedef struct
{
  PdTask *task;
  PdTeam *team;
  guint context_base;
  guint open_base;
  gboolean in_io;
} Level;

GArray *
pd_dvm_tasks_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (Level));
}

void
pd_dvm_tasks_clear (PdDvm *self)
{
  for (guint i = 0; i < self->tasks->len; i++)
    pd_task_unref (g_array_index (self->tasks, Level, i).task);
  g_array_unref (self->tasks);
}

static void
enter (PdDvm *self, PdTeam *team)
{
  PdTask *task = g_new0 (PdTask, 1);
  Level level = { .task = task,
                  .team = self->team,
                  .context_base = self->context_base,
                  .open_base = self->open_base,
                  .in_io = self->in_io };

  task->refs = 1;
  task->team = pd_team_ref (team);
  /* what came before is still the time of all that are here */
  pd_dvm_emit (self, PD_STEP_KIND_TASK)->task = pd_task_ref (task);
  g_array_append_val (self->tasks, level);
  if (team->n < self->team->n)
    self->n_partial++;
  self->team = task->team;
  pd_dvm_context_open (self, 0);
  self->context_base = self->contexts->len;
  self->open_base = self->open->len;
}

/* The end of a task ends the objects, intervals and charges of the task. */
static void
leave (PdDvm *self, gboolean at_end)
{
  Level level = g_array_index (self->tasks, Level, self->tasks->len - 1);

  pd_dvm_interval_leave_task (self, at_end);
  pd_dvm_flush (self);
  while (self->contexts->len >= self->context_base)
    pd_dvm_context_close (self);
  if (self->team->n < level.team->n)
    self->n_partial--;
  self->team = level.team;
  self->context_base = level.context_base;
  self->open_base = level.open_base;
  self->in_io = level.in_io;
  level.task->end = pd_data_server_get_n_steps (self->server);
  level.task->last = pd_data_server_get_newest (self->server);
  pd_task_unref (level.task);
  g_array_set_size (self->tasks, self->tasks->len - 1);
}

/* All that are here ask whether they are in it. */
gboolean
pd_dvm_runam (PdDvm *self, GError **error)
{
  PdTeam *team = need_mapped (self, error);
  gint64 run;

  if (team == NULL)
    return FALSE;
  pd_dvm_charge_call (self);
  pd_dvm_charge_ret (self);
  if (!pd_dvm_call_get_ret (self->reader, PD_DVM_KEY_Run, &run) || run != 0)
    {
      enter (self, team);
      pd_dvm_count_operation (self, PD_OPERATION_TASK);
    }
  else
    pd_dvm_warn (self, "task-skipped", NULL,
                 "the recorded processor was not in this task: nothing of it is in the trace");
  return TRUE;
}

/* Only those who are in it come to its end. */
gboolean
pd_dvm_stopam (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  pd_dvm_charge_call (self);
  pd_dvm_charge_ret (self);
  if (self->tasks->len > 0)
    leave (self, FALSE);
  else
    pd_dvm_warn (self, "task-mismatch", NULL,
                 "'stopam_' ends a task that has not begun: charged as an ordinary function");
  return TRUE;
}

void
pd_dvm_tasks_finish (PdDvm *self)
{
  while (self->tasks->len > 0)
    {
      pd_dvm_warn (self, "task-open", NULL, "a task is still open at the end of the trace");
      leave (self, TRUE);
    }
}
