/* Sets of ranks.
 * SPDX-License-Identifier: MIT */
#include "comsys/comm/pd-group.h"

#include "comsys/comm/pd-comm.h"
#include "comsys/state/pd-comsys-data.h"

/* World rank -> 1 + rank. */
static GHashTable *
index_of (const PdGroup *self)
{
  GHashTable *index = g_hash_table_new (NULL, NULL);

  for (guint32 i = 0; i < self->n; i++)
    g_hash_table_insert (index, GUINT_TO_POINTER (self->ranks[i]), GUINT_TO_POINTER (i + 1));
  return index;
}

gint64
pd_group_get_rank (const PdGroup *self, guint32 world_rank)
{
  for (guint32 i = 0; i < self->n; i++)
    if (self->ranks[i] == world_rank)
      return i;
  return -1;
}

/* Appends the members of @self that are in @index, or that are not. */
static void
append (GArray *ranks, const PdGroup *self, GHashTable *index, gboolean are)
{
  for (guint32 i = 0; i < self->n; i++)
    if (g_hash_table_contains (index, GUINT_TO_POINTER (self->ranks[i])) == are)
      g_array_append_val (ranks, self->ranks[i]);
}

PdGroup *
pd_group_union (const PdGroup *a, const PdGroup *b)
{
  g_autoptr (GHashTable) index = index_of (a);
  g_autoptr (GArray) ranks = g_array_new (FALSE, FALSE, sizeof (guint32));

  append (ranks, a, index, TRUE);
  append (ranks, b, index, FALSE);
  return pd_group_new ((const guint32 *) (gpointer) ranks->data, ranks->len);
}

static PdGroup *
members_that (const PdGroup *a, const PdGroup *b, gboolean are)
{
  g_autoptr (GHashTable) index = index_of (b);
  g_autoptr (GArray) ranks = g_array_new (FALSE, FALSE, sizeof (guint32));

  append (ranks, a, index, are);
  return pd_group_new ((const guint32 *) (gpointer) ranks->data, ranks->len);
}

PdGroup *
pd_group_intersection (const PdGroup *a, const PdGroup *b)
{
  return members_that (a, b, TRUE);
}

PdGroup *
pd_group_difference (const PdGroup *a, const PdGroup *b)
{
  return members_that (a, b, FALSE);
}

PdGroup *
pd_group_excl (const PdGroup *self, const guint32 *ranks, guint32 n)
{
  g_autoptr (PdGroup) others = pd_group_incl (self, ranks, n);

  return others == NULL ? NULL : pd_group_difference (self, others);
}

/* The ranks of the ranges; NULL if they are not what they should be. */
static GArray *
expand (const PdGroup *self, const PdRange *ranges, guint32 n)
{
  g_autoptr (GArray) ranks = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint8 *seen = g_malloc0 (MAX (self->n, 1));

  for (guint32 i = 0; i < n; i++)
    {
      gint64 stride = ranges[i].stride, last = ranges[i].last;
      if (stride == 0)
        return NULL;
      for (gint64 r = ranges[i].first; stride > 0 ? r <= last : r >= last; r += stride)
        {
          guint32 rank = (guint32) r;
          if (r < 0 || r >= self->n || seen[r])
            return NULL;
          seen[r] = 1;
          g_array_append_val (ranks, rank);
        }
    }
  return g_steal_pointer (&ranks);
}

PdGroup *
pd_group_range_incl (const PdGroup *self, const PdRange *ranges, guint32 n)
{
  g_autoptr (GArray) ranks = expand (self, ranges, n);

  return ranks == NULL ? NULL
                       : pd_group_incl (self, (const guint32 *) (gpointer) ranks->data, ranks->len);
}

PdGroup *
pd_group_range_excl (const PdGroup *self, const PdRange *ranges, guint32 n)
{
  g_autoptr (GArray) ranks = expand (self, ranges, n);

  return ranks == NULL ? NULL
                       : pd_group_excl (self, (const guint32 *) (gpointer) ranks->data, ranks->len);
}

void
pd_group_translate_ranks (const PdGroup *self, const guint32 *ranks, guint32 n,
                          const PdGroup *other, gint64 *result)
{
  g_autoptr (GHashTable) index = index_of (other);

  for (guint32 i = 0; i < n; i++)
    result[i] = ranks[i] >= self->n ? -1
                                    : (gint64) GPOINTER_TO_UINT (g_hash_table_lookup (
                                          index, GUINT_TO_POINTER (self->ranks[ranks[i]])))
                                          - 1;
}

PdComparison
pd_group_compare (const PdGroup *a, const PdGroup *b)
{
  gboolean in_order = a->n == b->n;

  if (a->n != b->n)
    return PD_COMPARE_UNEQUAL;
  for (guint32 i = 0; i < a->n && in_order; i++)
    in_order = a->ranks[i] == b->ranks[i];
  if (in_order)
    return PD_COMPARE_IDENT;
  g_autoptr (PdGroup) common = pd_group_intersection (a, b);
  return common->n == a->n ? PD_COMPARE_SIMILAR : PD_COMPARE_UNEQUAL;
}

PdComparison
pd_comm_compare (const PdComm *a, const PdComm *b)
{
  if (a == b)
    return PD_COMPARE_IDENT;
  g_autoptr (PdGroup) x = pd_comm_get_group (a);
  g_autoptr (PdGroup) y = pd_comm_get_group (b);
  PdComparison groups = pd_group_compare (x, y);
  return groups == PD_COMPARE_IDENT ? PD_COMPARE_CONGRUENT : groups;
}
