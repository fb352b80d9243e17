/* What ranks spend in intervals, in several lanes. It is added up where it is
 * charged from at the end: the trees have the same nodes in all lanes.
 * SPDX-License-Identifier: MIT */
#include "comsys/queue/pd-lines.h"
#include "predictor/batch/pd-mp-batch-private.h"
#include "predictor/batch/pd-mp-batch-accounts-private.h"

#define ACCOUNT_LINES (sizeof (PdMpAccount) / 64)

PdMpAccount *
pd_mp_batch_account (PdMpBatch *self, guint32 node, guint32 rank)
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
