/* Operations that are started and waited for later.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-started.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-comm.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-teams.h"

typedef struct
{
  gint64 id;
  PdObjectKind kind;
  PdStepOperation *operation;
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

/* The step that finishes a star, or nonblocking collective operations. */
static void
emit_star_wait (PdDvm *self, const Started *started)
{
  PdStepDvm *step =
      pd_dvm_emit (self, started->operation->is_collective ? PD_STEP_KIND_COLLECTIVE_WAIT
                                                           : PD_STEP_KIND_STAR_WAIT);

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

PdStepOperation *
pd_dvm_started_get (PdDvm *self, PdObjectKind kind, gint64 id)
{
  const Started wanted = { .id = id, .kind = kind };
  const Started *started = g_hash_table_lookup (self->started, &wanted);

  return started == NULL ? NULL : started->operation;
}

void
pd_dvm_started_add (PdDvm *self, PdObjectKind kind, gint64 id, PdStepOperation *operation,
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
