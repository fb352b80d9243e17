/* Loops of runs recorded on several processors. Each file says how long its
 * processor's own iterations took. On the grid that was recorded they take as
 * long again; on another, what all took is spread over all iterations.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/model/pd-dvm-multi-file-loop.h"
#include "predictor/dvm/layout/pd-dvm-layout-align.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-loop.h"
#include "predictor/dvm/model/pd-dvm-charge.h"
#include "predictor/dvm/model/pd-dvm-fail.h"
#include "predictor/dvm/model/pd-dvm-multi-file.h"

PdFileShares *
pd_file_shares_new (guint n)
{
  PdFileShares *self = g_new0 (PdFileShares, 1);

  self->n = n;
  self->shares = g_new0 (GArray *, n);
  self->services = g_new0 (PdTime, n);
  return self;
}

void
pd_file_shares_free (PdFileShares *self)
{
  for (guint i = 0; i < self->n; i++)
    if (self->shares[i] != NULL)
      g_array_unref (self->shares[i]);
  g_free (self->shares);
  g_free (self->services);
  g_free (self);
}

gboolean
pd_file_shares_has_any (const PdFileShares *self)
{
  for (guint i = 0; i < self->n; i++)
    if (self->shares[i] != NULL)
      return TRUE;
  return FALSE;
}

GArray *
pd_file_shares_merge (const PdFileShares *self)
{
  GArray *merged = g_array_new (FALSE, FALSE, sizeof (PdLoopShare));
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->n; i++)
    for (guint k = 0; self->shares[i] != NULL && k < self->shares[i]->len; k++)
      {
        const PdLoopShare *share = &g_array_index (self->shares[i], PdLoopShare, k);
        gpointer node = GUINT_TO_POINTER (share->node);
        guint place = GPOINTER_TO_UINT (g_hash_table_lookup (places, node));
        if (place == 0)
          {
            g_array_append_vals (merged, share, 1);
            g_hash_table_insert (places, node, GUINT_TO_POINTER (merged->len));
            continue;
          }
        PdLoopShare *sum = &g_array_index (merged, PdLoopShare, place - 1);
        sum->time = pd_time_add (sum->time, share->time);
        sum->entries += share->entries;
      }
  return merged;
}

void
pd_dvm_multi_charge_shares (PdDvm *self, const GArray *merged, const PdFileShares *files)
{
  guint32 node = self->node;
  g_autofree PdTime *times = g_new (PdTime, files->n);

  for (guint i = 0; i < merged->len; i++)
    {
      const PdLoopShare *sum = &g_array_index (merged, PdLoopShare, i);
      for (guint f = 0; f < files->n; f++)
        {
          times[f] = PD_TIME_ZERO;
          for (guint k = 0; files->shares[f] != NULL && k < files->shares[f]->len; k++)
            if (g_array_index (files->shares[f], PdLoopShare, k).node == sum->node)
              times[f] = g_array_index (files->shares[f], PdLoopShare, k).time;
        }
      self->node = sum->node;
      pd_dvm_multi_charge (self, times);
      for (gint64 k = 0; k < (sum->entries + files->n - 1) / files->n; k++)
        pd_dvm_count (self, PD_Q_EXE_COUNT);
    }
  self->node = node;
}

/* ---- loops that are split */

/* How many processors of the recorded run did the same iterations. */
static guint32
recorded_replication (const PdDvm *self, const PdLoop *loop)
{
  PdLayout *layout = pd_loop_get_layout (loop);
  g_autoptr (PdLayout) recorded = NULL;

  /* only other grids than the initial one are as they were recorded */
  if (pd_layout_get_grid (layout) == self->initial->grid)
    recorded = pd_layout_new_on (layout, pd_dvm_multi_get_grid (self), NULL);
  return MAX (pd_layout_get_replication (recorded != NULL ? recorded : layout), 1);
}

static void
check_portions (PdDvm *self, const PdLoop *loop, const PdFileShares *files)
{
  PdGrid *grid = pd_layout_get_grid (pd_loop_get_layout (loop));

  for (guint i = 0; i < files->n; i++)
    {
      gint64 place = pd_grid_find (grid, i);
      gboolean has = place >= 0 && pd_loop_get_local (loop, (guint32) place) > 0;
      if (has != (files->shares[i] != NULL))
        pd_dvm_warn (self, "portions-differ", NULL,
                     "processor %u had %s iterations of this loop in the recorded run, but has "
                     "%s in the model; the recorded ones count",
                     i, has ? "no" : "some", has ? "some" : "none");
    }
}

static void
keep_own (PdDvm *self, PdLoopWork *work, const PdFileShares *files)
{
  check_portions (self, work->loop, files);
  work->own = g_array_new (FALSE, FALSE, sizeof (PdLoopShare));
  work->ends = g_new (guint32, files->n);
  for (guint i = 0; i < files->n; i++)
    {
      if (files->shares[i] != NULL && files->shares[i]->len > 0)
        g_array_append_vals (work->own, files->shares[i]->data, files->shares[i]->len);
      work->ends[i] = work->own->len;
    }
}

void
pd_dvm_multi_divide (PdDvm *self, PdLoopWork *work, const PdFileShares *files)
{
  guint32 replication;

  if (pd_dvm_multi_have_own (self))
    {
      keep_own (self, work, files);
      return;
    }
  replication = recorded_replication (self, work->loop);
  for (guint i = 0; i < work->shares->len; i++)
    {
      PdLoopShare *share = &g_array_index (work->shares, PdLoopShare, i);
      share->time = pd_time_scale (share->time, 1, replication);
      share->entries = (share->entries + replication - 1) / replication;
    }
}
