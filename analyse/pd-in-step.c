/* When ranks have been in step: one that waits and the one that lets it go on are at the
 * same moment of their programs, and so are all that the same one lets go at once.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-delays-private.h"
#include "analyse/pd-waits-private.h"

#include <string.h>

/* ---- waits */

static gboolean
is_before (const PdWaits *self, guint32 i, gint64 time)
{
  return pd_vector_at (&self->all, PdWaited, i).cause < time;
}

/* The first wait of @rank that ends at @time or later; where those of the next rank begin if there
 * is none. The search begins @near, one of these, in steps that double. */
static guint32
find_at (const PdWaits *self, guint32 rank, gint64 time, guint32 near)
{
  guint32 first = self->first[rank], end = self->first[rank + 1];
  guint32 low = near, high = near; /* those before are before @time, those from there on are not */

  for (guint32 step = 1; high < end && is_before (self, high, time); step *= 2)
    {
      low = high + 1;
      high = end - low > step ? low + step : end;
    }
  for (guint32 step = 1; low > first && !is_before (self, low - 1, time); step *= 2)
    {
      high = low - 1;
      low = high - first > step ? high - step : first;
    }
  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;
      if (is_before (self, middle, time))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* The wait, of the rank that @wait waited for, that ended when it let @wait go;
 * %PD_ANALYSIS_NONE: there is none. @near: (array length=n_ranks) (inout): where the last one of
 * each rank was: the waits of a rank ascend. */
static guint32
find_link (const PdWaits *self, const PdWaited *wait, guint32 *near)
{
  guint32 link = find_at (self, wait->culprit, wait->cause, near[wait->culprit]);

  near[wait->culprit] = link;
  return link < self->first[wait->culprit + 1]
                 && pd_vector_at (&self->all, PdWaited, link).cause == wait->cause
             ? link
             : PD_ANALYSIS_NONE;
}

/* A rank may be let go by another one at the moment when it lets a third one go. It is then only a
 * link between these two: the first rank of the chain lets all of them go. Circular chains, which
 * clocks that differ can cause, stay as they are. */
static void
find_leaders (PdWaits *self)
{
  guint32 n = (guint32) self->all.n;
  PdVector arrays[3] = { 0 };
  guint32 *links = pd_vector_set_size (&arrays[0], n, sizeof *links);
  guint32 *leaders = pd_vector_set_size (&arrays[1], n, sizeof *leaders);
  guint32 *walks = pd_vector_set_size (&arrays[2], n, sizeof *walks); /* 1 + the first wait that
                                                                       * came by */
  g_autofree guint32 *near = g_new (guint32, self->n_ranks);

  memcpy (near, self->first, self->n_ranks * sizeof *near);
  for (guint32 i = 0; i < n; i++)
    walks[i] = 0;
  for (guint32 i = 0; i < n; i++)
    links[i] = find_link (self, &pd_vector_at (&self->all, PdWaited, i), near);
  for (guint32 i = 0; i < n; i++)
    {
      guint32 k = i;
      while (walks[k] == 0 && links[k] != PD_ANALYSIS_NONE)
        {
          walks[k] = i + 1;
          k = links[k];
        }
      guint32 leader = pd_vector_at (&self->all, PdWaited, k).culprit;
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
      pd_vector_at (&self->all, PdWaited, i).culprit = leaders[i];
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    pd_vector_clear (&arrays[i]);
}

/* Merges two runs of @from, which are in order and lie one behind the other, to @to. */
static void
merge_runs (const PdWaits *self, const guint32 *bounds[3], guint32 *to)
{
  const guint32 *a = bounds[0], *b = bounds[1];

  while (a < bounds[1] || b < bounds[2])
    {
      gboolean first = b == bounds[2];
      if (a < bounds[1] && b < bounds[2])
        first = pd_vector_at (&self->all, PdWaited, *a).cause
                >= pd_vector_at (&self->all, PdWaited, *b).cause;
      *to++ = first ? *a++ : *b++;
    }
}

/* The waits of each rank are in order already. */
static void
order_waits (PdWaits *self)
{
  guint32 n = (guint32) self->all.n;
  PdVector both[2] = { 0 };
  guint32 *order = pd_vector_set_size (&both[0], n, sizeof *order);
  guint32 *next = pd_vector_set_size (&both[1], n, sizeof *next);
  guint last = 0; /* where the order is */

  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    for (guint32 i = self->first[rank]; i < self->first[rank + 1]; i++)
      order[i] = self->first[rank + 1] - 1 - (i - self->first[rank]);
  for (guint64 width = 1; width < self->n_ranks; width *= 2)
    {
      for (guint64 rank = 0; rank < self->n_ranks; rank += 2 * width)
        {
          const guint32 *bounds[3];
          for (guint i = 0; i < 3; i++)
            bounds[i] = order + self->first[MIN (rank + i * width, self->n_ranks)];
          merge_runs (self, bounds, next + self->first[rank]);
        }
      guint32 *merged = next;
      next = order;
      order = merged;
      last = 1 - last;
    }
  self->order = both[last];
  pd_vector_clear (&both[1 - last]);
}

PdWaits *
pd_delay_waits_new (guint32 n_ranks, PdVector *blocks)
{
  PdWaits *self = g_new0 (PdWaits, 1);
  gsize n = 0; /* all blocks, of which nearly all are waits */

  self->n_ranks = n_ranks;
  self->first = g_new0 (guint32, n_ranks + 1);
  for (guint32 rank = 0; rank < n_ranks; rank++)
    n += blocks[rank].n;
  pd_vector_reserve (&self->all, n, sizeof (PdWaited));
  for (guint32 rank = 0; rank < n_ranks; rank++)
    {
      for (gsize i = 0; i < blocks[rank].n; i++)
        {
          const PdBlock *block = &pd_vector_at (&blocks[rank], PdBlock, i);
          PdWaited wait = { block->enter, block->cause, block->rank, PD_ANALYSIS_NONE };
          if (block->rank != PD_ANALYSIS_NONE && wait.cause > wait.enter && wait.culprit != rank)
            pd_vector_append (&self->all, PdWaited) = wait;
        }
      self->first[rank + 1] = (guint32) self->all.n;
      pd_vector_clear (&blocks[rank]);
    }
  find_leaders (self);
  order_waits (self);
  return self;
}

guint32
pd_delay_waits_rank (const PdWaits *self, guint32 i)
{
  guint32 low = 0, high = self->n_ranks;

  while (high - low > 1)
    {
      guint32 middle = low + (high - low) / 2;
      if (self->first[middle] <= i)
        low = middle;
      else
        high = middle;
    }
  return low;
}

void
pd_delay_waits_free (PdWaits *self)
{
  pd_vector_clear (&self->all);
  g_free (self->first);
  pd_vector_clear (&self->order);
  g_free (self);
}

/* ---- moments */

/* @a, @b: numbers of waits */
static gint
compare (const PdWaits *waits, guint32 a, guint32 b)
{
  const PdWaited *x = &pd_vector_at (&waits->all, PdWaited, a);
  const PdWaited *y = &pd_vector_at (&waits->all, PdWaited, b);

  if (x->cause != y->cause)
    return x->cause < y->cause ? -1 : 1;
  return x->culprit < y->culprit ? -1 : x->culprit > y->culprit;
}

static gint
compare_moments (gconstpointer a, gconstpointer b, gpointer waits)
{
  return compare (waits, *(const guint32 *) a, *(const guint32 *) b);
}

/* They are in the order of time: of those of one moment only leaders may be out of order. */
static void
sort_once (const PdWaits *waits, PdVector *moments)
{
  guint32 *all = moments->data;
  gboolean is_sorted = TRUE;
  gsize n = 0;

  for (gsize i = 1; i < moments->n && is_sorted; i++)
    is_sorted = compare (waits, all[i - 1], all[i]) <= 0;
  if (!is_sorted)
    g_qsort_with_data (all, (gint) moments->n, sizeof *all, compare_moments, (gpointer) waits);
  for (gsize i = 0; i < moments->n; i++)
    if (n == 0 || compare (waits, all[n - 1], all[i]) != 0)
      all[n++] = all[i];
  moments->n = n;
}

PdVector *
pd_in_step_new (const PdWaits *waits)
{
  PdVector *moments = g_new0 (PdVector, waits->n_ranks);

  for (gsize i = waits->all.n; i-- > 0;)
    {
      guint32 wait = pd_vector_at (&waits->order, guint32, i);
      pd_vector_append (&moments[pd_delay_waits_rank (waits, wait)], guint32) = wait;
      pd_vector_append (&moments[pd_delay_waits_get (waits, wait)->culprit], guint32) = wait;
    }
  for (guint32 rank = 0; rank < waits->n_ranks; rank++)
    sort_once (waits, &moments[rank]);
  return moments;
}

gboolean
pd_in_step_find (const PdWaits *waits, const PdVector *moments, const guint32 ranks[2],
                 const guint *at, guint *a, guint *b)
{
  const PdVector *x = &moments[ranks[0]], *y = &moments[ranks[1]];
  guint i = at[ranks[0]], k = at[ranks[1]];

  while (i > 0 && k > 0)
    {
      gint order =
          compare (waits, pd_vector_at (x, guint32, i - 1), pd_vector_at (y, guint32, k - 1));
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
