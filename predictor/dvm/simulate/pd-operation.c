/* Synchronization and Overlap of an operation: they
 * compare when the participants came, so they are known only when the last one
 * is through.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/simulate/pd-cproc-exchange-private.h"
#include "predictor/dvm/simulate/pd-cproc-private.h"
#include "predictor/dvm/simulate/pd-operation-private.h"

gint64
pd_operation_find (const PdStepOperation *operation, guint32 rank)
{
  return pd_grid_find (operation->team->grid, rank);
}

void
pd_operation_enter (PdStepOperation *operation, guint32 linear, PdTime when)
{
  if (operation->participants == NULL)
    pd_operation_open (operation);
  operation->participants[linear].entered = when;
  operation->participants[linear].spent = PD_TIME_ZERO; /* the start's is no waiting for others */
}

/* Of those one waits for. */
typedef struct
{
  PdTime entered; /* when the last one entered the record … */
  guint32 linear; /* … and who that was; of several the first */
  PdTime started; /* when the last one had started the operation */
  PdTime left;    /* when the last one was through */
} Latest;

static void
look_at (const PdStepOperation *operation, guint32 linear, Latest *latest)
{
  const PdParticipant *one = &operation->participants[linear];

  if (one->entered.ps > latest->entered.ps)
    {
      latest->entered = one->entered;
      latest->linear = linear;
    }
  latest->started = pd_time_max (latest->started, one->started);
  latest->left = pd_time_max (latest->left, one->left);
}

/* Where a part of an operation is charged. */
typedef struct
{
  PdIntervalTree *tree;
  PdOperationKind kind;
  guint32 node;
  guint32 rank;
} Place;

static void
add (const Place *place, PdOperationTime time, PdTime value)
{
  pd_interval_tree_add (place->tree, place->node, pd_operation_quantity (place->kind, time),
                        place->rank, value);
}

/* Whether its messages are seen one by one, so that ComSys knows what each wait was for. */
static gboolean
has_messages (const PdStepOperation *operation)
{
  return operation->aggregate == NULL
         && (operation->plan != NULL || operation->layout != NULL || operation->bytes > 0);
}

/* Waits in an ordered loop are charged portion by portion: pd_operation_charge_waits().
 */
static void
charge_synchronization (PdSimulation *self, const PdStepOperation *operation, const PdStepDvm *step,
                        const Place *place, const Latest *latest, const PdParticipant *own)
{
  PdTime entered = own->entered;
  PdTime waited = PD_TIME (MIN (latest->entered.ps - entered.ps, own->spent.ps));

  if (waited.ps <= 0)
    return;
  add (place, PD_OPERATION_SYNCHRONIZATION, waited);
  if (!has_messages (operation))
    add (place, PD_OPERATION_REAL_SYNC, waited);
  /* waits in several steps may have other lines */
  if (operation->nodes == NULL)
    PD_WATCH (self->context.watchers, waited,
              &(PdDeed){ .what = step,
                         .number = self->procs[self->actor].position,
                         .rank = place->rank,
                         .begin = entered },
              waited, pd_grid_get_processor (operation->team->grid, latest->linear),
              latest->entered);
}

static void
charge (PdSimulation *self, const PdStepOperation *operation, const PdStepDvm *step, guint32 linear,
        const Latest *latest)
{
  const PdParticipant *own = &operation->participants[linear];
  Place place = { .tree = self->context.tree,
                  .kind = operation->kind,
                  .node = operation->nodes != NULL ? operation->nodes[linear] : step->node,
                  .rank = pd_grid_get_processor (operation->team->grid, linear) };

  if (operation->kind != PD_OPERATION_PIPELINE)
    charge_synchronization (self, operation, step, &place, latest, own);
  if (latest->left.ps > own->left.ps)
    add (&place, PD_OPERATION_TIME_VARIATION, pd_time_sub (latest->left, own->left));
  if (operation->overlaps && own->entered.ps > latest->started.ps)
    add (&place, PD_OPERATION_OVERLAP, pd_time_sub (own->entered, latest->started));
}

void
pd_operation_charge_waits_now (PdSimulation *self, guint32 rank, const PdStepDvm *step,
                               gint64 portion)
{
  PdWaitStats *waited = &self->waits[rank];
  PdOperationKind kind = step->operation->kind;
  Place place = { self->context.tree, kind, step->node, rank };
  PdTime sync = waited->real_sync;

  waited->real_sync = PD_TIME_ZERO;
  add (&place, PD_OPERATION_REAL_SYNC, sync);
  if (kind != PD_OPERATION_PIPELINE)
    return;
  add (&place, PD_OPERATION_SYNCHRONIZATION, sync);
  PD_WATCH (self->context.watchers, waited,
            &(PdDeed){ .what = step,
                       .number = self->procs[rank].position,
                       .rank = rank,
                       .begin = waited->since,
                       .portion = portion },
            sync, waited->last, waited->latest);
}

/* A neighbour exchange: the participants are those one exchanges with. */
static void
settle_exchange (PdSimulation *self, const PdStepOperation *operation, const PdStepDvm *step)
{
  const PdGrid *grid = operation->team->grid;

  for (guint32 linear = 0; linear < operation->team->n; linear++)
    {
      Latest latest = { .linear = linear };
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
  Latest all = { .linear = 0 };

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
  if (operation->participants != NULL)
    operation->participants[linear].left = self->procs[self->actor].clock;
  if (++operation->n_left < operation->team->n)
    return;
  if (operation->participants == NULL)
    return; /* no processor had a message */
  if (operation->plan != NULL && operation->aggregate == NULL)
    settle_exchange (self, operation, step);
  else
    settle_collective (self, operation, step);
  pd_operation_close (operation);
}
