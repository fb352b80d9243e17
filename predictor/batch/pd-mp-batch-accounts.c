/* The times of ranks in intervals, in several lanes. They are added up here, and charged at the
 * end: the trees have the same nodes in all lanes.
 * SPDX-License-Identifier: MIT */
#include "comsys/queue/pd-lines.h"
#include "predictor/batch/pd-mp-batch-private.h"
#include "predictor/mp/pd-mp-intervals.h"
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

/* As if the rank were there now, on the machine of the lane. */
static void
charge (PdMp *mp, guint32 node, guint32 rank, const PdMpAccount *account, guint lane)
{
  PdMpRank *r = &mp->ranks[rank];

  r->node = node;
  r->n_alike = 0;
  r->cpu = account->cpu.ps[lane];
  for (guint i = 0; i < PD_MP_N_CATEGORIES; i++)
    r->spent[i] = account->spent[i].ps[lane];
  r->n_sends = account->n_sends;
  r->n_receives = account->n_receives;
  r->n_waits = account->n_waits;
  r->n_collectives = account->n_collectives;
  mp->wait_stats[rank].real_sync.ps = account->waited.real_sync.ps[lane];
  mp->wait_stats[rank].overlap.ps = account->waited.overlap.ps[lane];
  pd_mp_flush (mp, rank);
  pd_mp_charge (mp, rank, PD_Q_INSUFF_SEQ, account->insufficient.ps[lane]);
  pd_mp_charge (mp, rank, PD_Q_SYNCHRONIZATION, account->synchronization.ps[lane]);
  pd_mp_charge (mp, rank, PD_Q_TIME_VARIATION, account->variation.ps[lane]);
  pd_mp_charge (mp, rank, PD_Q_EXE_COUNT, account->n_entered);
}

void
pd_mp_batch_charge_all (PdMpBatch *self)
{
  for (guint32 node = 0; node < self->accounts->len; node++)
    {
      const PdMpAccount *accounts = g_ptr_array_index (self->accounts, node);
      for (guint32 rank = 0; accounts != NULL && rank < self->n; rank++)
        for (guint lane = 0; lane < self->k; lane++)
          charge (self->mps[lane], node, rank, &accounts[rank], lane);
    }
}
