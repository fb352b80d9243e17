/* Abstract machines, and the tasks that run on them: who takes part, on which
 * processor system, and what ends with the task (spec 11 sections 1.3, 1.4).
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-dvm-private.h"

/* ---- abstract machines */

static void
am_free (gpointer object)
{
  pd_team_unref (((PdAm *) object)->team);
}

static PdAm *
am_new (PdTeam *team)
{
  PdAm *machine = pd_object_new (sizeof *machine, am_free);

  machine->team = team == NULL ? NULL : pd_team_ref (team);
  return machine;
}

/* Stores the next version of @old, mapped on @team. */
static const PdAm *
map_am (PdDvm *self, gint64 id, const PdAm *old, PdTeam *team)
{
  PdAm *machine = am_new (team);

  machine->view = old->view;
  machine->serial = old->serial;
  for (guint i = 0; i < PD_MAX_RANK; i++)
    machine->index[i] = old->index[i];
  pd_dvm_store (self, PD_KIND_AM, id, machine, FALSE);
  return machine;
}

/* The template whose element @machine is; NULL: it has gone. */
static const PdView *
find_view (PdDvm *self, const PdAm *machine)
{
  const PdView *view = pd_dvm_find (self, PD_KIND_VIEW, machine->view);

  return view != NULL && view->serial == machine->serial ? view : NULL;
}

/* The coordinates of dimension @dim that hold element @index. */
static gboolean
find_owners (const PdLayout *layout, guint dim, const gint64 *index, gint64 *first, gint64 *last)
{
  guint32 size = pd_grid_get_sizes (pd_layout_get_grid (layout))[dim];
  guint axis = 0;
  gboolean is_range = pd_layout_holds (layout, dim, &axis) == PD_HOLDS_RANGE;
  gint64 lo = 0, hi = 0;

  *first = -1;
  for (guint32 c = 0; c < size; c++)
    {
      if (!pd_layout_get_range (layout, dim, c, &lo, &hi)
          || (is_range && (index[axis] < lo || index[axis] > hi)))
        continue;
      if (*first < 0)
        *first = c;
      *last = c;
    }
  return *first >= 0;
}

/* A machine of a distributed template is mapped without mapam_: on those that
 * hold its element. */
static const PdAm *
map_by_view (PdDvm *self, gint64 id, const PdAm *machine, const PdView *view)
{
  gint64 first[PD_MAX_GRID_RANK], last[PD_MAX_GRID_RANK];
  PdGrid *grid = pd_layout_get_grid (view->layout);

  for (guint d = 0; d < pd_grid_get_rank (grid); d++)
    if (!find_owners (view->layout, d, machine->index, &first[d], &last[d]))
      return machine;
  PdGrid *part = pd_grid_new_part (grid, first, last, NULL);
  if (part == NULL)
    return machine;
  PdTeam *team = pd_team_new (self, part);
  machine = map_am (self, id, machine, team);
  pd_team_unref (team);
  return machine;
}

const PdAm *
pd_dvm_need_am (PdDvm *self, gint64 id, GError **error)
{
  const PdAm *machine = pd_dvm_find (self, PD_KIND_AM, id);
  const PdView *view = machine == NULL || machine->view == 0 ? NULL : find_view (self, machine);

  if (machine == NULL || (machine->view != 0 && view == NULL))
    {
      pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                   "abstract machine 'AMRef=%" G_GINT64_MODIFIER "x' does not exist", (guint64) id);
      return NULL;
    }
  return machine->team == NULL && view != NULL && view->layout != NULL
             ? map_by_view (self, id, machine, view)
             : machine;
}

/* The current machine gets a name; it may have one already. */
gboolean
pd_dvm_getam (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  gint64 id;

  if (!pd_dvm_call_get_ret (self->reader, PD_DVM_KEY_AMRef, &id))
    return TRUE;
  const PdAm *known = pd_dvm_find (self, PD_KIND_AM, id);
  if (known == NULL || known->team != self->team)
    pd_dvm_store (self, PD_KIND_AM, id, am_new (self->team), FALSE);
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
  PdAm *machine = am_new (NULL);
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
  PdOperation *operation = pd_dvm_operation_new (self, PD_Q_OTHER_COMM);
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
  map_am (self, id, machine, team);
  make_communicator (self, team);
  return TRUE;
}

/* ---- who is in a task */

gboolean
pd_team_covers (const PdTeam *self, const PdTeam *part)
{
  if (self == part)
    return TRUE;
  if (part->n > self->n)
    return FALSE;
  for (guint32 i = 0; i < part->n; i++)
    if (pd_grid_find (self->grid, pd_grid_get_processor (part->grid, i)) < 0)
      return FALSE;
  return TRUE;
}

gboolean
pd_dvm_need_inside (PdDvm *self, const PdTeam *team, GError **error)
{
  /* outside tasks, everything is within the initial system */
  return team == NULL || self->tasks->len == 0 || pd_team_covers (self->team, team)
         || pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_PARAMETER,
                         "'%s' needs processors outside the current task", self->call->name);
}

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

/* A task that is open, and what is current again after it. */
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

/* What is created, opened and spent in a task ends with it. */
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
    enter (self, team);
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
