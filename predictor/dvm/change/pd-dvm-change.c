/* Each change is a table of handlers. A call that is held back is settled before any other call
 * that communicates, reads or writes, or begins or ends a task.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/change/pd-dvm-change.h"

#include "predictor/dvm/handlers/pd-dvm-reduction.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-context.h"
#include "predictor/dvm/model/pd-dvm-current.h"
#include "predictor/dvm/model/pd-dvm-params.h"
#include "predictor/dvm/model/pd-dvm-started.h"
#include "predictor/dvm/model/pd-dvm-teams.h"

/* The handler of the unchanged program. */
static gboolean
pass (PdDvm *self, GError **error)
{
  PdDvmHandler handle = self->plain->rows[self->call->function].handle;

  if (handle == NULL)
    handle = self->plain->io;
  return handle (self, error);
}

static gboolean
settle_and_pass (PdDvm *self, GError **error)
{
  self->options->change->settle (self);
  return pass (self, error);
}

static void
note_changed (PdDvm *self, guint n)
{
  if (self->options->facts != NULL)
    self->options->facts->n_changed += n;
}

/* A handler of a change; %NULL: that of the program, without settling before it. */
typedef struct
{
  PdDvmFunction function;
  PdDvmHandler handle;
  PdDvmManner manner; /* PD_DVM_ORDINARY: the program's */
} Row;

/* Functions without steps between which nothing needs to be settled. */
static gboolean
is_silent (PdDvmFunction function, PdDvmManner manner)
{
  return manner == PD_DVM_ORDINARY || manner == PD_DVM_PARTIAL || manner == PD_DVM_OBJECTS
         || pd_dvm_function_get_class (function) == PD_DVM_CLASS_INT;
}

static void
apply_rows (PdDvmHandlers *handlers, const Row *rows, gsize n)
{
  PdDvmHandlers before = *handlers;

  for (guint f = 0; f < PD_DVM_N_FUNCTIONS; f++)
    if (!is_silent ((PdDvmFunction) f, handlers->rows[f].manner))
      handlers->rows[f].handle = settle_and_pass;
  handlers->io = settle_and_pass;
  for (gsize i = 0; i < n; i++)
    {
      guint f = rows[i].function;
      handlers->rows[f].handle = rows[i].handle != NULL ? rows[i].handle : before.rows[f].handle;
      if (rows[i].manner != PD_DVM_ORDINARY)
        handlers->rows[f].manner = rows[i].manner;
    }
}

/* A call that is held back. */
typedef struct
{
  gint64 id;
  PdTime time; /* of the calls that come later, at speed 1 */
} Held;

static Held *
get_held (const PdDvm *self, guint i)
{
  return g_ptr_array_index (self->held, i);
}

static void
hold (PdDvm *self, gint64 id)
{
  Held *held = g_new0 (Held, 1);

  held->id = id;
  g_ptr_array_add (self->held, held);
}

static Held *
find_held (const PdDvm *self, gint64 id)
{
  for (guint i = 0; i < self->held->len; i++)
    if (get_held (self, i)->id == id)
      return get_held (self, i);
  return NULL;
}

static void
wait_for_held (PdDvm *self, PdObjectKind kind)
{
  for (guint i = 0; i < self->held->len; i++)
    {
      pd_dvm_started_wait (self, kind, get_held (self, i)->id);
      pd_dvm_charge (self, get_held (self, i)->time);
    }
  g_ptr_array_set_size (self->held, 0);
}

/* ---- shadow edges while the interior of a loop is computed */

static void
settle_exchanges (PdDvm *self)
{
  wait_for_held (self, PD_KIND_SHADOW);
}

/* A loop imports one group: of several the last one. */
static gboolean
hold_exchange (PdDvm *self, GError **error)
{
  gint64 id = pd_dvm_get (self, PD_DVM_KEY_ShadowGroupRef, 0);

  settle_exchanges (self);
  if (self->tasks->len > 0 || pd_dvm_started_get (self, PD_KIND_SHADOW, id) == NULL)
    return pass (self, error);
  hold (self, id);
  return TRUE;
}

static void
import_held (PdDvm *self)
{
  gint64 group = get_held (self, 0)->id, id = pd_dvm_get (self, PD_DVM_KEY_LoopRef, 0);
  const PdLoopObject *old = pd_dvm_find (self, PD_KIND_LOOP, id);

  if (old == NULL || old->is_mapped || old->imported != 0 || old->exported != 0
      || pd_dvm_find (self, PD_KIND_SHADOW, group) == NULL)
    return;
  PdLoopObject *loop = pd_object_new (sizeof *loop, NULL);
  loop->rank = old->rank;
  loop->imported = group;
  pd_dvm_store (self, PD_KIND_LOOP, id, loop, FALSE);
  note_changed (self, 1);
  g_ptr_array_set_size (self->held, 0);
}

static gboolean
map_importing (PdDvm *self, GError **error)
{
  if (self->held->len > 0)
    import_held (self);
  settle_exchanges (self);
  return pass (self, error);
}

static const Row overlap_rows[] = {
  { PD_DVM_waitsh_, hold_exchange, PD_DVM_ORDINARY },
  { PD_DVM_mappl_, map_importing, PD_DVM_ORDINARY },
};

static void
apply_overlap (PdDvmHandlers *handlers)
{
  apply_rows (handlers, overlap_rows, G_N_ELEMENTS (overlap_rows));
}

const PdDvmChange pd_dvm_change_overlap = { apply_overlap, g_free, settle_exchanges };

/* ---- reductions that are waited for later */

static void
settle_reductions (PdDvm *self)
{
  wait_for_held (self, PD_KIND_REDGROUP);
}

/* The times of the call pass with the wait; of several files, where they are. */
static void
move_times (PdDvm *self, Held *held)
{
  if (self->multi == NULL)
    {
      held->time = pd_time_add (held->time, self->call->call_time);
      held->time = pd_time_add (held->time, self->call->ret_time);
      return;
    }
  pd_dvm_charge_call (self);
  pd_dvm_charge_ret (self);
}

static gboolean
pass_with_times (PdDvm *self, GError **error)
{
  pd_dvm_charge_call (self);
  if (!pass (self, error))
    return FALSE;
  pd_dvm_charge_ret (self);
  return TRUE;
}

static gboolean
hold_reduction (PdDvm *self, GError **error)
{
  gint64 id = pd_dvm_get (self, PD_DVM_KEY_RedGroupRef, 0);

  if (self->tasks->len > 0 || pd_dvm_started_get (self, PD_KIND_REDGROUP, id) == NULL)
    return pass_with_times (self, error);
  hold (self, id);
  move_times (self, find_held (self, id));
  note_changed (self, 1);
  return TRUE;
}

/* A group is deleted when it has been waited for. */
static gboolean
hold_deletion (PdDvm *self, GError **error)
{
  Held *held = find_held (self, pd_dvm_get (self, PD_DVM_KEY_ObjectRef, 0));

  if (held == NULL)
    return pass_with_times (self, error);
  move_times (self, held);
  return pass (self, error);
}

static gboolean
start_again (PdDvm *self, GError **error)
{
  if (find_held (self, pd_dvm_get (self, PD_DVM_KEY_RedGroupRef, 0)) != NULL)
    settle_reductions (self);
  return pass (self, error);
}

static gboolean
end_loop (PdDvm *self, GError **error)
{
  if (!pass_with_times (self, error))
    return FALSE;
  settle_reductions (self);
  return TRUE;
}

static const Row late_rows[] = {
  { PD_DVM_strtrd_, start_again, PD_DVM_ORDINARY },
  { PD_DVM_waitrd_, hold_reduction, PD_DVM_ITSELF },
  { PD_DVM_delobj_, hold_deletion, PD_DVM_ITSELF },
  { PD_DVM_endpl_, end_loop, PD_DVM_ITSELF },
  { PD_DVM_dopl_, NULL, PD_DVM_ORDINARY },
  { PD_DVM_strtsh_, NULL, PD_DVM_ORDINARY },
  { PD_DVM_waitsh_, NULL, PD_DVM_ORDINARY },
};

static void
apply_late_waits (PdDvmHandlers *handlers)
{
  apply_rows (handlers, late_rows, G_N_ELEMENTS (late_rows));
}

const PdDvmChange pd_dvm_change_late_waits = { apply_late_waits, g_free, settle_reductions };

/* ---- reductions merged */

/* A group that has not been started, though the program has. */
typedef struct
{
  gint64 id;
  PdRedGroup *group; /* referenced */
} Unstarted;

static void
unstarted_free (gpointer data)
{
  Unstarted *unstarted = data;

  pd_object_unref (unstarted->group);
  g_free (unstarted);
}

static void
start_held (PdDvm *self)
{
  const Unstarted *first = self->held->len > 0 ? g_ptr_array_index (self->held, 0) : NULL;
  PdRedGroup *all = first != NULL ? (PdRedGroup *) pd_object_ref (first->group) : NULL;

  for (guint i = 1; i < self->held->len; i++)
    {
      const Unstarted *next = g_ptr_array_index (self->held, i);
      PdRedGroup *joined = pd_dvm_reduction_join (all, next->group);
      pd_object_unref (all);
      all = joined;
    }
  if (first == NULL)
    return;
  pd_dvm_reduction_start (self, first->id, all);
  pd_dvm_started_wait (self, PD_KIND_REDGROUP, first->id);
  pd_object_unref (all);
  note_changed (self, self->held->len - 1);
  g_ptr_array_set_size (self->held, 0);
}

/* A program whose reductions are merged does not make the calls of the later ones. */
static void
spare_call (PdDvm *self)
{
  if (self->held->len > 0)
    self->current.ret_time = PD_TIME_ZERO;
}

static gboolean
hold_start (PdDvm *self, GError **error)
{
  gint64 id;
  const PdRedGroup *group = pd_dvm_need_reduction (self, &id, error);

  if (group == NULL || !pd_dvm_need_inside (self, group->team, error))
    return FALSE;
  if (self->held->len > 0
      && !pd_dvm_reduction_joins (((Unstarted *) g_ptr_array_index (self->held, 0))->group, group))
    start_held (self);
  pd_dvm_count_operation (self, PD_OPERATION_REDUCTION);
  if (group->vars->len == 0)
    return TRUE;
  spare_call (self);
  Unstarted *unstarted = g_new (Unstarted, 1);
  *unstarted = (Unstarted){ id, (PdRedGroup *) pd_object_ref ((gpointer) group) };
  g_ptr_array_add (self->held, unstarted);
  return TRUE;
}

/* Those that are held are waited for where they are started. */
static gboolean
skip_wait (PdDvm *self, GError **error)
{
  if (self->held->len == 0)
    return pass (self, error);
  if (self->held->len > 1)
    self->current.ret_time = PD_TIME_ZERO;
  return TRUE;
}

static const Row merge_rows[] = {
  { PD_DVM_strtrd_, hold_start, PD_DVM_ORDINARY },
  { PD_DVM_waitrd_, skip_wait, PD_DVM_ORDINARY },
  { PD_DVM_mappl_, settle_and_pass, PD_DVM_ORDINARY },
};

static void
apply_merge (PdDvmHandlers *handlers)
{
  apply_rows (handlers, merge_rows, G_N_ELEMENTS (merge_rows));
}

const PdDvmChange pd_dvm_change_merge = { apply_merge, unstarted_free, start_held };
