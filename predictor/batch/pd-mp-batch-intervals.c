/* Intervals in several lanes. What a rank spends in an interval is added up where it is
 * charged from at the end: the trees have the same nodes in all lanes.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-marked.h"
#include "comsys/queue/pd-lines.h"
#include "predictor/batch/pd-mp-batch-private.h"
#include "predictor/batch/pd-mp-batch-actions-private.h"
#include "predictor/batch/pd-mp-batch-intervals-private.h"
#include "predictor/mp/pd-mp-intervals.h"
#include "predictor/mp/pd-mp-run.h"
#include "traces/program/pd-action.h"

#define ACCOUNT_LINES (sizeof (PdMpAccount) / 64)

static PdMpAccount *
get_account (PdMpBatch *self, guint32 node, guint32 rank)
{
  if (self->accounts->len <= node)
    g_ptr_array_set_size (self->accounts, (gint) node + 1);
  gpointer *accounts = &g_ptr_array_index (self->accounts, node);
  if (*accounts == NULL)
    *accounts = pd_lines_resize (NULL, 0, self->n * ACCOUNT_LINES);
  return (PdMpAccount *) *accounts + rank;
}

void
pd_mp_batch_accounts_free (PdMpBatch *self)
{
  for (guint node = 0; node < self->accounts->len; node++)
    if (g_ptr_array_index (self->accounts, node) != NULL)
      pd_lines_free (g_ptr_array_index (self->accounts, node), self->n * ACCOUNT_LINES);
  g_ptr_array_unref (self->accounts);
}

/* ---- alike */

/* So much of what was computed alike is insufficient parallelism; rounded as often as
 * pd_mp_flush() is called. */
static void
settle (PdMpBatchRank *r)
{
  PdMpAccount *account = r->account;

  for (guint i = 0; i < PD_BATCH_SIZE && r->n_alike > 1; i++)
    {
      PdTime part = PD_TIME (account->cpu.ps[i] - r->mark.ps[i]);
      if (part.ps > 0)
        account->insufficient.ps[i] += pd_time_scale (part, r->n_alike - 1, r->n_alike).ps;
    }
}

gboolean
pd_mp_batch_alike (PdMpBatch *self, guint32 rank G_GNUC_UNUSED, PdMpBatchRank *r)
{
  gboolean begins = (r->cell->kind & ~PD_CELL_MORE) == PD_ACT_ALIKE_BEGIN;
  PdMp *mp = self->mps[0];

  if (mp->alike == NULL)
    mp->alike = pd_program_count_alike (self->program);
  settle (r);
  r->n_alike =
      begins ? GPOINTER_TO_UINT (g_hash_table_lookup (mp->alike, GINT_TO_POINTER (r->cell->tag)))
             : 0;
  r->mark = r->account->cpu;
  r->cell = pd_mp_next (r->cell);
  return TRUE;
}

/* ---- speeds */

static void
compare_scales (PdMpBatchRank *r)
{
  r->has_one_scale = TRUE;
  for (guint i = 1; i < PD_BATCH_SIZE; i++)
    if (r->scales[i] < r->scales[0] || r->scales[i] > r->scales[0])
      r->has_one_scale = FALSE;
}

static void
set_scales (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    r->scales[i] = pd_mp_interval_scale (self->mps[i], rank, r->node);
  compare_scales (r);
}

gboolean
pd_mp_batch_location (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  PdAction action;
  const PdProgramCell *next = pd_action_read (r->cell, &action);
  const char *file = pd_program_get_string (self->program, action.name);

  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    if (self->mps[i]->has_places)
      r->scales[i] = pd_mp_place_scale (self->mps[i], rank, r->node, file, action.line);
  compare_scales (r);
  r->cell = next;
  return TRUE;
}

/* ---- entering and leaving */

static void
move_to (PdMpBatch *self, guint32 rank, PdMpBatchRank *r, guint32 node)
{
  settle (r);
  r->node = node;
  r->account = get_account (self, node, rank);
  r->calls->waited = &r->account->waited;
  if (r->n_alike > 1)
    r->mark = r->account->cpu;
  if (self->has_ratios)
    set_scales (self, rank, r);
}

gboolean
pd_mp_batch_enter (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  move_to (self, rank, r, pd_mp_find_node (self->mps[0], r->node, (guint32) r->cell->peer));
  r->account->n_entered++;
  r->cell = pd_mp_next (r->cell);
  return TRUE;
}

gboolean
pd_mp_batch_leave (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  const PdIntervalTree *tree = self->mps[0]->tree;
  PdIntervalKey key =
      pd_marked_key (pd_program_get_interval (self->program, (guint32) r->cell->peer));
  guint32 open = pd_marked_find_open (tree, r->node, &key);
  const char *wrong = pd_marked_mismatch (r->node, open);

  if (wrong != NULL)
    pd_mp_batch_note (self, rank, "interval-mismatch", pd_marked_name (&key), wrong);
  if (open != PD_INTERVAL_ROOT)
    move_to (self, rank, r, pd_interval_tree_get_parent (tree, open));
  r->cell = pd_mp_next (r->cell);
  return TRUE;
}

void
pd_mp_batch_begin (PdMpBatch *self, guint32 rank)
{
  PdMpBatchRank *r = &self->ranks[rank];

  r->node = PD_INTERVAL_ROOT;
  r->account = get_account (self, r->node, rank);
  r->calls->waited = &r->account->waited;
  set_scales (self, rank, r);
}

void
pd_mp_batch_finish (PdMpBatch *self, guint32 rank)
{
  PdMpBatchRank *r = &self->ranks[rank];

  settle (r);
  for (guint i = 0; i < self->k; i++)
    {
      PdMpRank *own = &self->mps[i]->ranks[rank];
      own->clock = PD_TIME (r->calls->clock.ps[i]);
      own->cell = r->cell;
      own->node = r->node;
      if (r->node != PD_INTERVAL_ROOT)
        pd_mp_close_intervals (self->mps[i], rank);
    }
}

/* ---- charging */

static const struct
{
  PdQuantity quantity;
  gsize offset;
} times[] = {
  { PD_Q_CPU_SEQ, G_STRUCT_OFFSET (PdMpAccount, cpu) },
  { PD_Q_INSUFF_SEQ, G_STRUCT_OFFSET (PdMpAccount, insufficient) },
  { PD_Q_SENDRECV, G_STRUCT_OFFSET (PdMpAccount, spent[PD_MP_SENDRECV]) },
  { PD_Q_COLLECTIVE, G_STRUCT_OFFSET (PdMpAccount, spent[PD_MP_COLLECTIVE]) },
  { PD_Q_SYSTEM, G_STRUCT_OFFSET (PdMpAccount, spent[PD_MP_SYSTEM]) },
  { PD_Q_SYNCHRONIZATION, G_STRUCT_OFFSET (PdMpAccount, synchronization) },
  { PD_Q_TIME_VARIATION, G_STRUCT_OFFSET (PdMpAccount, variation) },
  { PD_Q_REAL_SYNC, G_STRUCT_OFFSET (PdMpAccount, waited.real_sync) },
  { PD_Q_OTHER_OVERLAP, G_STRUCT_OFFSET (PdMpAccount, waited.overlap) },
};

static const struct
{
  PdQuantity quantity;
  gsize offset;
} counts[] = {
  { PD_Q_EXE_COUNT, G_STRUCT_OFFSET (PdMpAccount, n_entered) },
  { PD_Q_N_SENDS, G_STRUCT_OFFSET (PdMpAccount, n_sends) },
  { PD_Q_N_RECEIVES, G_STRUCT_OFFSET (PdMpAccount, n_receives) },
  { PD_Q_N_WAITS, G_STRUCT_OFFSET (PdMpAccount, n_waits) },
  { PD_Q_N_COLLECTIVES, G_STRUCT_OFFSET (PdMpAccount, n_collectives) },
};

static void
charge (PdIntervalTree *tree, guint32 node, guint32 rank, const PdMpAccount *account, guint lane)
{
  for (gsize i = 0; i < G_N_ELEMENTS (times); i++)
    {
      gint64 ps = G_STRUCT_MEMBER (PdBatchTime, account, times[i].offset).ps[lane];
      if (ps > 0)
        pd_interval_tree_add (tree, node, times[i].quantity, rank, PD_TIME (ps));
    }
  for (gsize i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      guint32 count = G_STRUCT_MEMBER (guint32, account, counts[i].offset);
      if (count > 0)
        pd_interval_tree_add (tree, node, counts[i].quantity, rank, PD_TIME (count));
    }
}

void
pd_mp_batch_charge_all (PdMpBatch *self)
{
  for (guint32 node = 0; node < self->accounts->len; node++)
    {
      const PdMpAccount *accounts = g_ptr_array_index (self->accounts, node);
      for (guint32 rank = 0; accounts != NULL && rank < self->n; rank++)
        for (guint lane = 0; lane < self->k; lane++)
          charge (self->mps[lane]->tree, node, rank, &accounts[rank], lane);
    }
}
