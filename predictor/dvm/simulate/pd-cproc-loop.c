/* The computation of a simulated processor in a parallel loop: all of its iterations,
 * or a part of them before and another part after something else.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-interior.h"
#include "predictor/dvm/layout/pd-dvm-layout-loop.h"
#include "predictor/dvm/simulate/pd-cproc-loop-private.h"
#include "predictor/dvm/simulate/pd-cproc-private.h"

/* All processors enter the interval that is current after the loop, even those without an
 * iteration that enters it in @shares, the processor's own. */
static void
enter_what_stays_open (PdSimulation *self, guint32 rank, const PdLoopWork *work,
                       const PdLoopShare *shares, guint n)
{
  for (guint i = 0; i < work->shares->len; i++)
    {
      const PdLoopShare *open = &g_array_index (work->shares, PdLoopShare, i);
      gboolean entered = !open->stays_open;
      for (guint k = 0; k < n && !entered; k++)
        entered = shares[k].node == open->node && shares[k].entries > 0;
      if (!entered)
        pd_interval_tree_add (self->context.tree, open->node, PD_Q_EXE_COUNT, rank, PD_TIME (1));
    }
}

/* The piece of @t; all pieces of it together are @t. */
static PdTime
cut (PdTime t, const PdPiece *piece)
{
  return pd_time_sub (pd_time_scale (t, piece->to, piece->of),
                      pd_time_scale (t, piece->from, piece->of));
}

/* The part of a loop that a processor executes. */
typedef struct
{
  gint64 n; /* its iterations */
  gint64 total;
  guint n_shares;
  const PdLoopShare *shares;
} Own;

/* As if each processor of the loop's grid had an equal part of all that they do together. */
static Own
divide_evenly (const PdLoopWork *work, guint32 rank, Own own)
{
  const PdGrid *grid = pd_layout_get_grid (pd_loop_get_layout (work->loop));

  own.n = pd_grid_find (grid, rank) >= 0 ? MAX (work->replication, 1) : 0;
  own.total = pd_grid_get_n (grid);
  return own;
}

static inline Own
get_own (const PdLoopWork *work, guint32 rank)
{
  Own own;

  own.shares = pd_loop_work_get_shares (work, rank, &own.n_shares);
  own.n = MAX (pd_loop_work_get_local (work, rank), 0);
  /* recorded work counts, even if the model has none */
  if (work->own != NULL)
    own.n = own.n_shares > 0 ? MAX (own.n, 1) : 0;
  own.total = pd_loop_work_get_total (work, own.n);
  if (work->is_even && work->loop != NULL && work->own == NULL)
    own = divide_evenly (work, rank, own);
  return own;
}

/* The time of all its iterations in one interval. */
static PdTime
get_time (const PdSimulation *self, guint32 rank, const PdLoopWork *work, const Own *own,
          guint share)
{
  PdTime time = pd_cproc_compute (self, rank, own->shares[share].node, share,
                                  pd_time_scale (own->shares[share].time, own->n, own->total));

  return pd_noise_scatter (self->context.noise, rank, work->scatter.number, work->scatter.sigma,
                           time);
}

PdTime
pd_cproc_get_iterated (const PdSimulation *self, guint32 rank, const PdLoopWork *work)
{
  Own own = get_own (work, rank);
  PdTime sum = PD_TIME_ZERO;

  for (guint i = 0; own.n > 0 && i < own.n_shares; i++)
    sum = pd_time_add (sum, get_time (self, rank, work, &own, i));
  return sum;
}

void
pd_cproc_iterate (PdSimulation *self, guint32 rank, const PdLoopWork *work, const PdPiece *piece,
                  gboolean is_first)
{
  Own own = get_own (work, rank);

  if (is_first && (own.n == 0 || work->own != NULL))
    enter_what_stays_open (self, rank, work, own.shares, work->own != NULL ? own.n_shares : 0);
  for (guint i = 0; own.n > 0 && i < own.n_shares; i++)
    {
      const PdLoopShare *share = &own.shares[i];
      PdTime all = get_time (self, rank, work, &own, i), t = cut (all, piece);
      pd_cproc_spend (self, rank, share->node, t);
      pd_interval_tree_add (self->context.tree, share->node, PD_Q_CPU_PAR, rank, t);
      PdTime redundant = pd_loop_work_get_redundant (work, rank, all);
      if (redundant.ps > 0)
        pd_interval_tree_add (self->context.tree, share->node, PD_Q_INSUFF_PAR, rank,
                              cut (redundant, piece));
      if (share->entries > 0 && is_first)
        pd_interval_tree_add (
            self->context.tree, share->node, PD_Q_EXE_COUNT, rank,
            PD_TIME (MAX (pd_time_scale (PD_TIME (share->entries), own.n, own.total).ps, 1)));
    }
}

gboolean
pd_cproc_loop (PdSimulation *self, guint32 rank, const PdStepDvm *step,
               guint32 linear G_GNUC_UNUSED)
{
  const PdLoopWork *work = step->work;
  PdLoopPart part = (PdLoopPart) step->op;
  PdPiece piece = { 0, 1, 1 };

  if (part != PD_LOOP_WHOLE)
    {
      gint64 n = MAX (pd_loop_work_get_local (work, rank), 0);
      gint64 place = pd_grid_find (pd_layout_get_grid (pd_loop_get_layout (work->loop)), rank);
      /* the interior counts as first, whichever comes first in time */
      gint64 inside = n > 0 ? pd_interior_get_local (work->interior, (guint32) place) : 0;
      piece = part == PD_LOOP_INTERIOR ? (PdPiece){ 0, inside, MAX (n, 1) }
                                       : (PdPiece){ inside, MAX (n, 1), MAX (n, 1) };
    }
  pd_cproc_iterate (self, rank, work, &piece, (step->flags & PD_STEP_ENTERS) != 0);
  return TRUE;
}
