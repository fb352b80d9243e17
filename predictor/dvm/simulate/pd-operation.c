/* Synchronization and Overlap of an operation: they
 * compare when the participants came, so they are known only when the last one
 * is through.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/simulate/pd-cproc-exchange-private.h"
#include "predictor/dvm/simulate/pd-cproc-private.h"
#include "predictor/dvm/simulate/pd-operation-private.h"

static void
open_operation (PdStepOperation *operation)
{
  guint32 n = operation->team->n;

  operation->entered = g_new0 (PdTime, n);
  operation->spent = g_new0 (PdTime, n);
  operation->started = g_new0 (PdTime, n);
  operation->bundles = g_new0 (PdBundle, n);
}

gint64
pd_operation_find (const PdStepOperation *operation, guint32 rank)
{
  return pd_grid_find (operation->team->grid, rank);
}

void
pd_operation_enter (PdStepOperation *operation, guint32 linear, PdTime when)
{
  if (operation->entered == NULL)
    open_operation (operation);
  operation->entered[linear] = when;
  operation->spent[linear] = PD_TIME_ZERO; /* the start's is no waiting for others */
}

/* Of those one waits for. */
typedef struct
{
  PdTime entered; /* when the last one entered the record … */
  guint32 linear; /* … and who that was; of several the first */
  PdTime started; /* when the last one had started the operation */
} Latest;

static void
look_at (const PdStepOperation *operation, guint32 linear, Latest *latest)
{
  if (operation->entered[linear].ps > latest->entered.ps)
    {
      latest->entered = operation->entered[linear];
      latest->linear = linear;
    }
  latest->started = pd_time_max (latest->started, operation->started[linear]);
}

static void
charge (PdSimulation *self, const PdStepOperation *operation, const PdStepDvm *step, guint32 linear,
        const Latest *latest)
{
  guint32 rank = pd_grid_get_processor (operation->team->grid, linear);
  PdTime entered = operation->entered[linear];
  PdTime waited = PD_TIME (MIN (latest->entered.ps - entered.ps, operation->spent[linear].ps));
  guint32 node = operation->nodes != NULL ? operation->nodes[linear] : step->node;

  if (waited.ps > 0)
    pd_interval_tree_add (self->context.tree, node, PD_Q_SYNCHRONIZATION, rank, waited);
  /* of what was waited for in several steps, this is not the line of all */
  if (waited.ps > 0 && operation->nodes == NULL)
    PD_WATCH (self->context.watchers, waited,
              &(PdDeed){ .what = step,
                         .number = self->procs[self->actor].position,
                         .rank = rank,
                         .begin = entered },
              waited, pd_grid_get_processor (operation->team->grid, latest->linear),
              latest->entered);
  if (operation->overlap != PD_N_QUANTITIES && entered.ps > latest->started.ps)
    pd_interval_tree_add (self->context.tree, node, operation->overlap, rank,
                          pd_time_sub (entered, latest->started));
}

/* A neighbour exchange: the participants are those one exchanges with. */
static void
settle_exchange (PdSimulation *self, const PdStepOperation *operation, const PdStepDvm *step)
{
  const PdGrid *grid = operation->team->grid;

  for (guint32 linear = 0; linear < operation->team->n; linear++)
    {
      Latest latest = { PD_TIME_ZERO, linear, PD_TIME_ZERO };
      guint n =
          pd_cproc_list_messages (self, operation->plan, pd_grid_get_processor (grid, linear));
      look_at (operation, linear, &latest);
      for (guint i = 0; i < n; i++)
        {
          gint64 peer = pd_grid_find (grid, self->messages[i].peer);
          if (peer >= 0)
            look_at (operation, (guint32) peer, &latest);
        }
      if (n > 0)
        charge (self, operation, step, linear, &latest);
    }
}

/* Everybody of one communicator takes part; without a family, of the team. */
static void
settle_collective (PdSimulation *self, const PdStepOperation *operation, const PdStepDvm *step)
{
  const PdCommFamily *family = step->family;
  g_autoptr (GHashTable) latest =
      family != NULL && family->n > 1 ? g_hash_table_new_full (NULL, NULL, NULL, g_free) : NULL;
  Latest all = { PD_TIME_ZERO, 0, PD_TIME_ZERO };

  for (int pass = 0; pass < 2; pass++)
    for (guint32 linear = 0; linear < operation->team->n; linear++)
      {
        Latest *last = &all;
        if (latest != NULL)
          {
            PdComm *comm = pd_comm_family_get (family, linear);
            last = g_hash_table_lookup (latest, comm);
            if (last == NULL)
              g_hash_table_insert (latest, comm, last = g_new0 (Latest, 1));
          }
        if (pass == 1)
          {
            charge (self, operation, step, linear, last);
            continue;
          }
        look_at (operation, linear, last);
      }
}

gboolean
pd_operation_has_left (const PdStepOperation *operation, guint32 linear)
{
  return operation->n_left >= operation->team->n
         || (operation->nodes != NULL && operation->nodes[linear] != G_MAXUINT32);
}

/* Not all leave in the same interval. */
static void
note_place (PdStepOperation *operation, guint32 linear, guint32 node)
{
  guint32 n = operation->team->n;

  if (operation->nodes == NULL)
    {
      operation->nodes = g_new (guint32, n);
      for (guint32 i = 0; i < n; i++)
        operation->nodes[i] = G_MAXUINT32;
    }
  operation->nodes[linear] = node;
}

void
pd_operation_leave (PdSimulation *self, PdStepOperation *operation, guint32 linear,
                    const PdStepDvm *step)
{
  if ((step->flags & PD_STEP_PARTLY) != 0)
    note_place (operation, linear, step->node);
  if (++operation->n_left < operation->team->n)
    return;
  if (operation->entered == NULL)
    return; /* nobody had a message */
  if (operation->plan != NULL && operation->aggregate == NULL)
    settle_exchange (self, operation, step);
  else
    settle_collective (self, operation, step);
  g_clear_pointer (&operation->entered, g_free);
  g_clear_pointer (&operation->spent, g_free);
  g_clear_pointer (&operation->started, g_free);
  g_clear_pointer (&operation->bundles, g_free);
  g_clear_pointer (&operation->nodes, g_free);
  g_clear_pointer (&operation->sends, g_free);
}
