/* When ranks have been in step: one that waits and the one that lets it go on are at the
 * same moment of their programs, and so are all that the same one lets go at once.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-delays-private.h"
#include "analyse/pd-waits-private.h"

/* ---- waits */

guint32
pd_delay_waits_find (const PdWaits *self, guint32 rank, gint64 time)
{
  guint32 low = self->first[rank], high = self->first[rank + 1];

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;
      if (g_array_index (self->all, PdWaited, middle).cause < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* The wait of whom @wait waited for that ended at the same moment; %PD_ANALYSIS_NONE. */
static guint32
find_link (const PdWaits *self, const PdWaited *wait)
{
  guint32 link = pd_delay_waits_find (self, wait->culprit, wait->cause);

  return link < self->first[wait->culprit + 1]
                 && g_array_index (self->all, PdWaited, link).cause == wait->cause
             ? link
             : PD_ANALYSIS_NONE;
}

/* Who is let go by another one at the moment when it lets a third one go is only a link
 * between these two: the first of the chain lets all of them go. Chains that are a circle,
 * which clocks that differ can make, stay as they are. */
static void
find_leaders (PdWaits *self)
{
  guint32 n = self->all->len;
  g_autofree guint32 *links = g_new (guint32, n + 1), *leaders = g_new (guint32, n + 1);
  g_autofree guint32 *walks = g_new0 (guint32, n + 1); /* 1 + the first wait that came by */

  for (guint32 i = 0; i < n; i++)
    links[i] = find_link (self, &g_array_index (self->all, PdWaited, i));
  for (guint32 i = 0; i < n; i++)
    {
      guint32 k = i;
      while (walks[k] == 0 && links[k] != PD_ANALYSIS_NONE)
        {
          walks[k] = i + 1;
          k = links[k];
        }
      guint32 leader = g_array_index (self->all, PdWaited, k).culprit;
      if (walks[k] != 0)
        leader = walks[k] == i + 1 ? PD_ANALYSIS_NONE : leaders[k];
      for (k = i; walks[k] == i + 1 && links[k] != PD_ANALYSIS_NONE; k = links[k])
        {
          leaders[k] = leader;
          walks[k] = G_MAXUINT32;
        }
      if (walks[k] == 0)
        {
          leaders[k] = leader;
          walks[k] = G_MAXUINT32;
        }
    }
  for (guint32 i = 0; i < n; i++)
    if (leaders[i] != PD_ANALYSIS_NONE)
      g_array_index (self->all, PdWaited, i).culprit = leaders[i];
}

PdWaits *
pd_delay_waits_new (guint32 n_ranks, GArray *const *blocks)
{
  PdWaits *self = g_new0 (PdWaits, 1);

  self->n_ranks = n_ranks;
  self->first = g_new0 (guint32, n_ranks + 1);
  self->all = g_array_new (FALSE, FALSE, sizeof (PdWaited));
  for (guint32 rank = 0; rank < n_ranks; rank++)
    {
      for (guint i = 0; i < blocks[rank]->len; i++)
        {
          const PdBlock *block = &g_array_index (blocks[rank], PdBlock, i);
          PdWaited wait = { block->enter,     block->call.cause, rank,
                            block->call.rank, block->node,       PD_ANALYSIS_NONE };
          if (wait.cause > wait.enter && wait.culprit != rank)
            g_array_append_val (self->all, wait);
        }
      self->first[rank + 1] = self->all->len;
    }
  find_leaders (self);
  return self;
}

void
pd_delay_waits_free (PdWaits *self)
{
  g_array_unref (self->all);
  g_free (self->first);
  g_free (self);
}

/* ---- moments */

static gint
compare (const PdInStep *a, const PdInStep *b)
{
  if (a->time != b->time)
    return a->time < b->time ? -1 : 1;
  return a->leader < b->leader ? -1 : a->leader > b->leader;
}

static gint
compare_moments (gconstpointer a, gconstpointer b)
{
  return compare (a, b);
}

static void
sort_once (GArray *moments)
{
  guint n = 0;

  g_array_sort (moments, compare_moments);
  for (guint i = 0; i < moments->len; i++)
    if (n == 0
        || compare (&g_array_index (moments, PdInStep, n - 1),
                    &g_array_index (moments, PdInStep, i))
               != 0)
      g_array_index (moments, PdInStep, n++) = g_array_index (moments, PdInStep, i);
  g_array_set_size (moments, n);
}

GPtrArray *
pd_in_step_new (const PdWaits *waits)
{
  GPtrArray *moments = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint32 rank = 0; rank < waits->n_ranks; rank++)
    g_ptr_array_add (moments, g_array_new (FALSE, FALSE, sizeof (PdInStep)));
  for (guint i = 0; i < waits->all->len; i++)
    {
      const PdWaited *wait = &g_array_index (waits->all, PdWaited, i);
      PdInStep moment = { wait->cause, wait->culprit };
      g_array_append_val ((GArray *) moments->pdata[wait->rank], moment);
      g_array_append_val ((GArray *) moments->pdata[wait->culprit], moment);
    }
  for (guint32 rank = 0; rank < waits->n_ranks; rank++)
    sort_once (moments->pdata[rank]);
  return moments;
}

guint
pd_in_step_at (const GArray *moments, gint64 time)
{
  guint low = 0, high = moments->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (g_array_index (moments, PdInStep, middle).time < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

gboolean
pd_in_step_find (const GPtrArray *moments, const PdWaited *wait, guint *a, guint *b)
{
  const GArray *x = moments->pdata[wait->rank], *y = moments->pdata[wait->culprit];
  guint i = pd_in_step_at (x, wait->cause), k = pd_in_step_at (y, wait->cause);

  while (i > 0 && k > 0)
    {
      gint order =
          compare (&g_array_index (x, PdInStep, i - 1), &g_array_index (y, PdInStep, k - 1));
      if (order == 0)
        {
          *a = i - 1;
          *b = k - 1;
          return TRUE;
        }
      if (order > 0)
        i--;
      else
        k--;
    }
  return FALSE;
}
