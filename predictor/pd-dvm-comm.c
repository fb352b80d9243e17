/* Shadow edges, barriers, and operations that are started and waited for
 * later: which MPI calls they make, by whom, with what sizes (spec 11 sections
 * 6.1, 6.10).
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-dvm-private.h"

/* ---- exchanges */

/* So many messages are simulated one by one; more as a whole (spec 11 section
 * 8.3), unless they are few for each of very many processors. */
#define MANY_MESSAGES     2000000
#define FEW_PER_PROCESSOR 64

gboolean
pd_dvm_is_large (const PdDvm *self, const PdTeam *team, const PdPlan *plan)
{
  guint64 total = pd_plan_get_total (plan), most = self->options->most_messages;

  return most > 0 ? total > most : total > MANY_MESSAGES && total / FEW_PER_PROCESSOR > team->n;
}

/* What is needed to simulate the exchange by @plan as a whole; NULL if nobody
 * has messages. */
static PdAggregate *
aggregate_new (PdDvm *self, const PdTeam *team, const PdPlan *plan)
{
  PdAggregate *aggregate = g_new0 (PdAggregate, 1);
  g_autofree guint32 *ranks = g_new (guint32, team->n);
  guint32 n = 0;

  for (guint32 linear = 0; linear < team->n; linear++)
    {
      PdTraffic own;
      guint32 processor = pd_grid_get_processor (team->grid, linear);
      pd_plan_get_traffic (plan, processor, &own);
      aggregate->all.n_sent += own.n_sent;
      aggregate->all.bytes_sent += own.bytes_sent;
      aggregate->all.n_received += own.n_received;
      aggregate->all.bytes_received += own.bytes_received;
      if (own.n_sent + own.n_received > 0)
        ranks[n++] = processor;
    }
  if (n == 0)
    {
      g_free (aggregate);
      return NULL;
    }
  aggregate->comm = pd_comm_new (self->comsys, ranks, n);
  pd_comsys_learn_exchange (
      self->comsys, aggregate->all.bytes_sent / MAX (aggregate->all.n_sent, 1), &aggregate->costs);
  pd_dvm_warn (self, "aggregated-exchange", self->call->name,
               "%" G_GINT64_FORMAT " messages of one '%s' are not simulated one by one; their "
               "time is scaled up from smaller exchanges of all with all",
               aggregate->all.n_sent, self->call->name);
  return aggregate;
}

PdOperation *
pd_dvm_emit_exchange (PdDvm *self, PdTeam *team, PdPlan *plan, PdQuantity component,
                      PdQuantity overlap)
{
  PdOperation *operation = pd_dvm_operation_new (self, component);

  pd_team_unref (operation->team);
  operation->team = pd_team_ref (team);
  operation->overlap = overlap;
  operation->plan = plan;
  if (pd_dvm_is_large (self, team, plan))
    operation->aggregate = aggregate_new (self, team, plan);
  pd_dvm_emit (self, PD_STEP_KIND_EXCHANGE_START)->operation = pd_operation_ref (operation);
  return operation;
}

void
pd_dvm_emit_exchange_wait (PdDvm *self, PdOperation *operation, guint32 flags)
{
  PdStepDvm *step = pd_dvm_emit (self, PD_STEP_KIND_EXCHANGE_WAIT);

  step->operation = pd_operation_ref (operation);
  step->flags = flags | PD_STEP_LEAVES;
  /* one direction alone: what is not received is not unpacked */
  if (operation->halves == PD_STEP_SENDS || operation->halves == PD_STEP_RECVS)
    step->flags |= operation->halves;
}

/* ---- operations that are started and waited for later */

typedef struct
{
  gint64 id;
  PdObjectKind kind;
  PdOperation *operation;
  PdCommFamily *family; /* (nullable): of a star, which must not stay unfinished */
  guint32 partly;       /* PD_STEP_PARTLY if some have waited, in a task; else 0 */
} Started;

static guint
started_hash (gconstpointer data)
{
  const Started *started = data;

  return (guint) ((guint64) started->id * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 32)
         + started->kind;
}

static gboolean
started_equal (gconstpointer a, gconstpointer b)
{
  return ((const Started *) a)->id == ((const Started *) b)->id
         && ((const Started *) a)->kind == ((const Started *) b)->kind;
}

static void
started_free (gpointer data)
{
  Started *started = data;

  pd_operation_unref (started->operation);
  pd_comm_family_unref (started->family);
  g_free (started);
}

GHashTable *
pd_dvm_started_new (void)
{
  return g_hash_table_new_full (started_hash, started_equal, started_free, NULL);
}

/* The step that finishes a star. */
static void
emit_star_wait (PdDvm *self, const Started *started)
{
  PdStepDvm *step = pd_dvm_emit (self, PD_STEP_KIND_STAR_WAIT);

  step->flags = PD_STEP_ENTERS | PD_STEP_LEAVES;
  step->operation = pd_operation_ref (started->operation);
  step->family = pd_comm_family_ref (started->family);
}

static void
finish_unwaited (PdDvm *self, const Started *started)
{
  pd_dvm_warn (self, "not-waited", NULL,
               "a reduction was started but never waited for: taken as waited for here");
  emit_star_wait (self, started);
}

PdOperation *
pd_dvm_started_get (PdDvm *self, PdObjectKind kind, gint64 id)
{
  const Started wanted = { .id = id, .kind = kind };
  const Started *started = g_hash_table_lookup (self->started, &wanted);

  return started == NULL ? NULL : started->operation;
}

void
pd_dvm_started_add (PdDvm *self, PdObjectKind kind, gint64 id, PdOperation *operation,
                    PdCommFamily *family)
{
  Started *started = g_new (Started, 1);

  *started = (Started){ id, kind, pd_operation_ref (operation),
                        family == NULL ? NULL : pd_comm_family_ref (family), 0 };
  g_hash_table_replace (self->started, started, started);
}

/* A star that some of its processors cannot wait for here, being in other tasks,
 * is waited for at the end, when all are together again. */
static gboolean
is_put_off (PdDvm *self, Started *started)
{
  if (started->family == NULL || pd_team_covers (self->team, started->operation->team))
    return FALSE;
  g_hash_table_steal (self->started, started);
  started->kind = PD_N_KINDS;
  started->id = started->operation->tag;
  g_hash_table_replace (self->started, started, started);
  return TRUE;
}

void
pd_dvm_started_settle (PdDvm *self, PdObjectKind kind, gint64 id)
{
  const Started wanted = { .id = id, .kind = kind };
  Started *started = g_hash_table_lookup (self->started, &wanted);

  if (started == NULL || is_put_off (self, started))
    return;
  if (started->family != NULL)
    finish_unwaited (self, started);
  g_hash_table_remove (self->started, &wanted);
}

static int
compare_tags (gconstpointer a, gconstpointer b)
{
  const Started *const *x = a, *const *y = b;

  return ((*x)->operation->tag > (*y)->operation->tag)
         - ((*x)->operation->tag < (*y)->operation->tag);
}

void
pd_dvm_started_finish (PdDvm *self)
{
  g_autoptr (GPtrArray) stars = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, self->started);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (((Started *) key)->family != NULL)
      g_ptr_array_add (stars, key);
  g_ptr_array_sort (stars, compare_tags);
  for (guint i = 0; i < stars->len; i++)
    finish_unwaited (self, g_ptr_array_index (stars, i));
}

gboolean
pd_dvm_started_wait (PdDvm *self, PdObjectKind kind, gint64 id)
{
  const Started wanted = { .id = id, .kind = kind };
  Started *started = g_hash_table_lookup (self->started, &wanted);

  if (started == NULL)
    return FALSE;
  if (is_put_off (self, started))
    return TRUE;
  if (started->family != NULL)
    {
      emit_star_wait (self, started);
      g_hash_table_remove (self->started, &wanted);
      return TRUE;
    }
  /* started by all, an exchange may be waited for in each task by its own */
  gboolean is_over = pd_team_covers (self->team, started->operation->team);
  if (!is_over && started->operation->aggregate != NULL)
    {
      pd_dvm_warn (self, "not-waited", NULL,
                   "an exchange that is simulated as a whole is not waited for in a task, only "
                   "behind it");
      return TRUE;
    }
  if (!is_over)
    started->partly = PD_STEP_PARTLY;
  pd_dvm_emit_exchange_wait (self, started->operation, PD_STEP_ENTERS | started->partly);
  if (is_over)
    g_hash_table_remove (self->started, &wanted);
  return TRUE;
}

/* ---- shadow groups */

/* What can be started of a group. */
static const PdObjectKind shadow_kinds[] = { PD_KIND_SHADOW, PD_STARTED_HALVES, PD_STARTED_BACK };

void
pd_dvm_shadow_array_clear (gpointer data)
{
  pd_layout_unref (((PdShadowArray *) data)->layout);
}

static void
shadow_free (gpointer object)
{
  PdShadowGroup *group = object;

  g_array_unref (group->arrays);
  pd_team_unref (group->team);
}

/* @old: (nullable): what it is a new version of */
static PdShadowGroup *
shadow_new (PdDvm *self, const PdShadowGroup *old)
{
  PdShadowGroup *group = pd_object_new (sizeof *group, shadow_free);

  for (guint i = 0; i < G_N_ELEMENTS (group->tags); i++)
    group->tags[i] = old != NULL ? old->tags[i] : pd_dvm_new_tag (self);

  group->arrays = g_array_new (FALSE, TRUE, sizeof (PdShadowArray));
  g_array_set_clear_func (group->arrays, pd_dvm_shadow_array_clear);
  return group;
}

gboolean
pd_dvm_crtshg (PdDvm *self, GError **error)
{
  gint64 id;

  if (!pd_dvm_need (self, PD_DVM_KEY_ShadowGroupRef, &id, error))
    return FALSE;
  /* what was started of an older group of that name, nobody waits for */
  for (guint i = 0; i < G_N_ELEMENTS (shadow_kinds); i++)
    pd_dvm_started_settle (self, shadow_kinds[i], id);
  pd_dvm_store (self, PD_KIND_SHADOW, id, shadow_new (self, NULL), TRUE);
  return TRUE;
}

const PdShadowGroup *
pd_dvm_need_shadow (PdDvm *self, gint64 *id, GError **error)
{
  if (!pd_dvm_need (self, PD_DVM_KEY_ShadowGroupRef, id, error))
    return NULL;
  const PdShadowGroup *group = pd_dvm_find (self, PD_KIND_SHADOW, *id);
  if (group == NULL)
    pd_dvm_fail (self, error, PD_DVM_MODEL_ERROR_OBJECT,
                 "shadow group 'ShadowGroupRef=%" G_GINT64_MODIFIER "x' does not exist",
                 (guint64) *id);
  return group;
}

gboolean
pd_dvm_rstshg (PdDvm *self, GError **error)
{
  gint64 id;

  const PdShadowGroup *old = pd_dvm_need_shadow (self, &id, error);

  if (old == NULL)
    return FALSE;
  pd_dvm_store (self, PD_KIND_SHADOW, id, shadow_new (self, old), FALSE);
  return TRUE;
}

/* Widths of the record; -1, or none, is the array's own. */
static void
read_widths (PdDvm *self, PdDvmKey key, guint rank, const gint64 *own, gint64 *widths)
{
  guint n;
  const gint64 *given = pd_dvm_call_get_array (self->reader, key, &n);

  for (guint i = 0; i < rank; i++)
    widths[i] = i < n && given[i] >= 0 ? MIN (given[i], own[i]) : own[i];
}

/* One side of incsh_: positions @first to @last within the declared edge of
 * @own elements, counted from below; no @first: @last is a width. */
static void
read_positions (gint64 first, gint64 last, gint64 own, gboolean is_low, gint64 *width, gint64 *skip)
{
  *skip = 0;
  *width = last < 0 ? own : MIN (last, own);
  if (first < 0)
    return;
  last = CLAMP (last, first - 1, own - 1);
  *width = MAX (last - first + 1, 0);
  /* position 0 is the outermost of the low edge, the innermost of the high one */
  *skip = *width == 0 ? 0 : is_low ? own - 1 - last : first;
}

/* What incsh_ and incshd_ exchange of the edges. */
static void
read_limits (PdDvm *self, const PdArray *array, PdShadowArray *entry)
{
  static const PdDvmKey keys[] = { PD_DVM_KEY_InitDimIndex,    PD_DVM_KEY_LastDimIndex,
                                   PD_DVM_KEY_InitLowShdIndex, PD_DVM_KEY_LastLowShdIndex,
                                   PD_DVM_KEY_InitHiShdIndex,  PD_DVM_KEY_LastHiShdIndex };
  gint64 values[G_N_ELEMENTS (keys)];

  for (guint i = 0; i < array->rank; i++)
    {
      for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
        {
          guint n;
          const gint64 *given = pd_dvm_call_get_array (self->reader, keys[k], &n);
          values[k] = i < n ? given[i] : -1;
        }
      if (values[0] >= 0)
        {
          entry->limited |= (guint8) (1u << i);
          entry->first[i] = values[0];
          entry->last[i] = values[1];
        }
      read_positions (values[2], values[3], array->low[i], TRUE, &entry->low[i],
                      &entry->low_skip[i]);
      read_positions (values[4], values[5], array->high[i], FALSE, &entry->high[i],
                      &entry->high_skip[i]);
    }
}

static void
fill_shadow_array (PdDvm *self, const PdArray *array, PdShadowArray *entry)
{
  guint n;
  const gint64 *signs = pd_dvm_call_get_array (self->reader, PD_DVM_KEY_ShdSignArray, &n);
  gint64 full = pd_dvm_get (self, PD_DVM_KEY_FullShdSign, 0);
  gint64 count = pd_dvm_get (self, PD_DVM_KEY_MaxShdCount, full != 0 ? array->rank : 1);

  entry->layout = pd_layout_ref (array->layout);
  entry->type_size = array->type_size;
  entry->max_count = (guint) CLAMP (count, 1, array->rank);
  read_widths (self, PD_DVM_KEY_LowShdWidthArray, array->rank, array->low, entry->low);
  read_widths (self, PD_DVM_KEY_HiShdWidthArray, array->rank, array->high, entry->high);
  if (self->call->function == PD_DVM_incsh_ || self->call->function == PD_DVM_incshd_)
    read_limits (self, array, entry);
  for (guint i = 0; i < array->rank; i++)
    entry->sign[i] = (guint8) (i < n ? signs[i] & 7 : 7);
}

/* Arrays of several processor systems: everybody looks for its messages. */
static PdTeam *
find_team (PdDvm *self, PdTeam *old, PdTeam *team)
{
  if (old == NULL || old == team)
    return team;
  return pd_team_covers (self->team, old) && pd_team_covers (self->team, team) ? self->team
                                                                               : self->initial;
}

gboolean
pd_dvm_inssh (PdDvm *self, GError **error)
{
  gint64 id;
  const PdShadowGroup *old = pd_dvm_need_shadow (self, &id, error);
  const PdArray *array = old == NULL ? NULL : pd_dvm_need_array_object (self, error);

  if (array == NULL)
    return FALSE;
  if (array->layout == NULL)
    {
      pd_dvm_warn (self, "pattern-not-mapped", self->call->name,
                   "'%s' uses an array whose distribution is not modelled", self->call->name);
      return TRUE;
    }
  PdShadowGroup *group = shadow_new (self, old);
  for (guint i = 0; i < old->arrays->len; i++)
    {
      PdShadowArray entry = g_array_index (old->arrays, PdShadowArray, i);
      pd_layout_ref (entry.layout);
      g_array_append_val (group->arrays, entry);
    }
  PdShadowArray entry = { 0 };
  fill_shadow_array (self, array, &entry);
  g_array_append_val (group->arrays, entry);
  group->team = pd_team_ref (find_team (self, old->team, array->team));
  pd_dvm_store (self, PD_KIND_SHADOW, id, group, FALSE);
  return TRUE;
}

void
pd_dvm_shadow_start (PdDvm *self, const PdShadowGroup *group, gint64 id)
{
  pd_dvm_count (self, PD_Q_N_SHADOW);
  if (group->arrays->len == 0)
    return;
  PdPlan *plan = pd_shadow_plan_new ((const PdShadowArray *) (gpointer) group->arrays->data,
                                     group->arrays->len, self->messages);
  PdOperation *operation =
      pd_dvm_emit_exchange (self, group->team, plan, PD_Q_WAIT_SHADOW, PD_Q_SHADOW_OVERLAP);
  pd_dvm_started_settle (self, PD_KIND_SHADOW, id);
  pd_dvm_started_add (self, PD_KIND_SHADOW, id, operation, NULL);
  pd_operation_unref (operation);
}

gboolean
pd_dvm_strtsh (PdDvm *self, GError **error)
{
  gint64 id;
  const PdShadowGroup *group = pd_dvm_need_shadow (self, &id, error);

  if (group == NULL || !pd_dvm_need_inside (self, group->team, error))
    return FALSE;
  pd_dvm_shadow_start (self, group, id);
  return TRUE;
}

gboolean
pd_dvm_waitsh (PdDvm *self, GError **error)
{
  gint64 id;

  if (pd_dvm_need_shadow (self, &id, error) == NULL)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (shadow_kinds); i++)
    pd_dvm_started_wait (self, shadow_kinds[i], id);
  return TRUE;
}

/* ---- barriers */

gboolean
pd_dvm_bsynch (PdDvm *self, G_GNUC_UNUSED GError **error)
{
  PdOperation *operation = pd_dvm_operation_new (self, PD_Q_OTHER_COMM);
  PdStepDvm *step = pd_dvm_emit_collective (self, operation, PD_OP_BARRIER, 0);

  step->flags = PD_STEP_ENTERS | PD_STEP_LEAVES;
  pd_operation_unref (operation);
  return TRUE;
}
