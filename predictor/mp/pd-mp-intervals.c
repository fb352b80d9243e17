/* Intervals of message-passing programs: what a rank spends is added up in the
 * rank, and charged to its node of the tree when it leaves it.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-state.h"

#include "analyse/pd-marked.h"
#include "predictor/mp/pd-mp-intervals.h"
#include "predictor/mp/pd-mp-run.h"
#include "predictor/mp/pd-mp-warnings.h"
#include "traces/program/pd-action.h"

#include <string.h>

void
pd_mp_charge (PdMp *self, guint32 rank, PdQuantity quantity, gint64 value)
{
  if (value > 0)
    pd_interval_tree_add (self->tree, self->ranks[rank].node, quantity, rank, PD_TIME (value));
}

void
pd_mp_flush (PdMp *self, guint32 rank)
{
  PdMpRank *r = &self->ranks[rank];
  PdWaitStats *wait_stats = &self->wait_stats[rank];

  pd_mp_charge (self, rank, PD_Q_CPU_SEQ, r->cpu);
  if (r->n_alike > 1)
    pd_mp_charge (self, rank, PD_Q_INSUFF_SEQ,
                  pd_time_scale (PD_TIME (r->cpu), r->n_alike - 1, r->n_alike).ps);
  pd_mp_charge (self, rank, PD_Q_SENDRECV, r->spent[PD_MP_SENDRECV]);
  pd_mp_charge (self, rank, PD_Q_COLLECTIVE, r->spent[PD_MP_COLLECTIVE]);
  pd_mp_charge (self, rank, PD_Q_SYSTEM, r->spent[PD_MP_SYSTEM]);
  pd_mp_charge (self, rank, PD_Q_REAL_SYNC, wait_stats->real_sync.ps);
  pd_mp_charge (self, rank, PD_Q_OTHER_OVERLAP, wait_stats->overlap.ps);
  pd_mp_charge (self, rank, PD_Q_N_SENDS, r->n_sends);
  pd_mp_charge (self, rank, PD_Q_N_RECEIVES, r->n_receives);
  pd_mp_charge (self, rank, PD_Q_N_WAITS, r->n_waits);
  pd_mp_charge (self, rank, PD_Q_N_COLLECTIVES, r->n_collectives);
  r->cpu = 0;
  memset (r->spent, 0, sizeof r->spent);
  r->n_sends = r->n_receives = r->n_waits = r->n_collectives = 0;
  wait_stats->real_sync = wait_stats->overlap = PD_TIME_ZERO;
}

/* @ratio: how much faster than the processor computes in general */
static gdouble
scale_of (const PdMp *self, guint32 rank, gdouble ratio)
{
  guint32 processor = self->placement != NULL ? self->placement[rank] : rank;
  gdouble speed = pd_machine_get_speed (self->machine, processor) * ratio;

  speed = MAX (speed, G_MINDOUBLE);
  return self->is_flops ? (gdouble) PD_PS_PER_S / (self->flops * speed) : speed;
}

gdouble
pd_mp_interval_scale (const PdMp *self, guint32 rank, guint32 node)
{
  return scale_of (self, rank, pd_node_ratios_get (self->ratios, node));
}

gdouble
pd_mp_place_scale (PdMp *self, guint32 rank, guint32 node, const char *file, gint64 line)
{
  return scale_of (self, rank, pd_node_ratios_get_at (self->ratios, node, file, line));
}

guint32
pd_mp_find_node (PdMp *self, guint32 parent, guint32 interval)
{
  PdMpNodeCache *cached = &self->cache[(parent * 31 + interval) % PD_MP_CACHE];

  if (cached->node != 0 && cached->parent == parent && cached->interval == interval)
    return cached->node;
  PdIntervalKey key = pd_marked_key (pd_program_get_interval (self->program, interval));
  guint32 node = pd_interval_tree_child (self->tree, parent, &key);
  PdIntervalKey kept = pd_interval_tree_get_key (self->tree, node);
  pd_node_ratios_enter (self->ratios, node, parent, kept.file, kept.line);
  *cached = (PdMpNodeCache){ parent, interval, node };
  return node;
}

/* The node behind the action at @cell, in @node. */
static guint32
pass_mark (PdMp *self, guint32 node, const PdProgramCell *cell)
{
  guint kind = cell->kind & ~(guint) PD_CELL_MORE;

  if (kind == PD_ACT_ENTER)
    return pd_mp_find_node (self, node, (guint32) cell->peer);
  if (kind != PD_ACT_LEAVE)
    return node;
  PdIntervalKey key = pd_marked_key (pd_program_get_interval (self->program, (guint32) cell->peer));
  guint32 open = pd_marked_find_open (self->tree, node, &key);
  return open != PD_INTERVAL_ROOT ? pd_interval_tree_get_parent (self->tree, open) : node;
}

/* A repetition that begins and ends in one node has others behind it that do the same: these find
 * nothing new. */
static void
make_intervals_of (PdMp *self, guint32 rank)
{
  const PdProgramCell *end, *cell = pd_program_get_cells (self->program, rank, &end);
  guint32 node = PD_INTERVAL_ROOT, begun[PD_LOOPS_DEPTH] = { 0 };
  PdLoops loops = { 0 };

  while (cell != end)
    {
      if (cell->kind != PD_CELL_LOOP)
        {
          node = pass_mark (self, node, cell);
          cell = pd_mp_next (cell);
          continue;
        }
      guint level = cell->comm;
      if (loops.counts[level] > 0 && begun[level] == node)
        loops.counts[level] = cell->bytes - 1; /* the last one */
      begun[level] = node;
      cell = pd_loops_pass (&loops, cell);
    }
}

/* In the order of the simulation nodes would have an order that depends on it. */
void
pd_mp_make_intervals (PdMp *self)
{
  for (guint32 rank = 0; pd_program_get_n_intervals (self->program) > 0 && rank < self->n; rank++)
    make_intervals_of (self, rank);
}

void
pd_mp_copy_intervals (PdMp *self, const PdMp *from)
{
  for (guint32 node = 1; node < pd_interval_tree_get_n_nodes (from->tree); node++)
    {
      guint32 parent = pd_interval_tree_get_parent (from->tree, node);
      PdIntervalKey key = pd_interval_tree_get_key (from->tree, node);
      guint32 own = pd_interval_tree_child (self->tree, parent, &key);
      PdIntervalKey kept = pd_interval_tree_get_key (self->tree, own);
      pd_node_ratios_enter (self->ratios, own, parent, kept.file, kept.line);
    }
}

void
pd_mp_close_intervals (PdMp *self, guint32 rank)
{
  PdMpRank *r = &self->ranks[rank];
  gboolean is_whole = pd_program_get_recorded_share (self->program) == 1;

  for (guint32 node = r->node; node != PD_INTERVAL_ROOT;
       node = pd_interval_tree_get_parent (self->tree, node))
    {
      PdIntervalKey key = pd_interval_tree_get_key (self->tree, node);
      if (is_whole)
        pd_mp_note (self, rank, "interval-open", pd_marked_name (&key),
                    "is open when the program ends");
    }
  pd_mp_flush (self, rank);
}
