/* Late ranks: those that others waited for, and their call sites.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-waits-private.h"
#include "analyse/pd-sites.h"

static guint
late_hash (gconstpointer data)
{
  const PdLate *late = data;

  return ((late->node * 31 + late->state) * 31 + late->rank) * 31 + late->site;
}

static gint
compare_numbers (guint a, guint b)
{
  return a < b ? -1 : a > b;
}

static gint
compare_lates (gconstpointer a, gconstpointer b)
{
  const PdLate *x = a, *y = b;
  gint order = compare_numbers (x->node, y->node);

  if (order == 0)
    order = compare_numbers (x->state, y->state);
  if (order == 0)
    order = compare_numbers (x->rank, y->rank);
  return order != 0 ? order : compare_numbers (x->site, y->site);
}

static gboolean
late_equal (gconstpointer a, gconstpointer b)
{
  return compare_lates (a, b) == 0;
}

GHashTable *
pd_lates_new (void)
{
  return g_hash_table_new_full (late_hash, late_equal, g_free, NULL);
}

PdLate *
pd_lates_find (GHashTable *lates, guint32 node, const PdNeed *late)
{
  PdLate key = { .node = node, .state = late->state, .rank = late->rank, .site = late->site };
  PdLate *known = g_hash_table_lookup (lates, &key);

  if (known == NULL)
    {
      known = g_new (PdLate, 1);
      *known = key;
      g_hash_table_add (lates, known);
    }
  return known;
}

void
pd_lates_add (GHashTable *lates, guint32 node, const PdNeed *late, gint64 waited)
{
  pd_lates_find (lates, node, late)->waited.ps += waited;
}

GArray *
pd_lates_list (GHashTable *lates)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (PdLate));
  GHashTableIter iter;
  gpointer late;

  g_hash_table_iter_init (&iter, lates);
  while (g_hash_table_iter_next (&iter, &late, NULL))
    g_array_append_vals (list, late, 1);
  g_array_sort (list, compare_lates);
  return list;
}

/* ---- of an interval and all inside it */

static gboolean
is_within (const PdAnalysis *self, guint32 node, guint32 around)
{
  while (node > around) /* an interval comes behind the one around it */
    node = pd_interval_tree_get_parent (self->tree, node);
  return node == around;
}

gboolean
pd_analysis_find_late (const PdAnalysis *self, guint32 node, PdWaitState state, PdLate *late)
{
  g_autoptr (GHashTable) sums = pd_lates_new ();
  g_autoptr (GArray) list = NULL;

  for (guint i = 0; i < self->lates->len; i++)
    {
      const PdLate *one = &g_array_index (self->lates, PdLate, i);
      const PdNeed need = { .state = state, .rank = one->rank, .site = one->site };
      if (one->state == state && is_within (self, one->node, node))
        pd_lates_add (sums, node, &need, (gint64) one->waited.ps);
    }
  list = pd_lates_list (sums);
  *late = (PdLate){ .node = node };
  for (guint i = 0; i < list->len; i++)
    {
      const PdLate *one = &g_array_index (list, PdLate, i);
      if (one->waited.ps > late->waited.ps)
        *late = *one;
    }
  return late->waited.ps > 0;
}
