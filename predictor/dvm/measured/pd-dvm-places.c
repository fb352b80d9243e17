/* SPDX-License-Identifier: MIT */
#include "predictor/dvm/measured/pd-dvm-places-private.h"

typedef struct
{
  PdDvmPlace key;
  GArray **times; /* (array length=n): PdTime of each execution by that processor; or NULL */
} Place;

struct _PdDvmPlaces
{
  guint32 n;         /* processors */
  GHashTable *known; /* node, function and kind to the number of the place, plus 1 */
  GPtrArray *places; /* Place*, in order of the first execution */
};

PdDvmPlaces *
pd_dvm_places_new (guint32 n_processors)
{
  PdDvmPlaces *self = g_new0 (PdDvmPlaces, 1);

  self->n = n_processors;
  self->known = g_hash_table_new (NULL, NULL);
  self->places = g_ptr_array_new ();
  return self;
}

void
pd_dvm_places_free (PdDvmPlaces *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->places->len; i++)
    {
      Place *place = g_ptr_array_index (self->places, i);
      for (guint32 p = 0; p < self->n; p++)
        if (place->times[p] != NULL)
          g_array_unref (place->times[p]);
      g_free (place->times);
      g_free (place);
    }
  g_ptr_array_unref (self->places);
  g_hash_table_unref (self->known);
  g_free (self);
}

static Place *
find (PdDvmPlaces *self, const PdDvmPlace *of)
{
  gsize function = (gsize) of->node * PD_DVM_N_FUNCTIONS + of->function;
  gpointer key = GSIZE_TO_POINTER (function * PD_N_OPERATIONS + of->kind);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->known, key));

  if (number > 0)
    return g_ptr_array_index (self->places, number - 1);
  Place *place = g_new0 (Place, 1);
  place->key = *of;
  place->times = g_new0 (GArray *, self->n);
  g_ptr_array_add (self->places, place);
  g_hash_table_insert (self->known, key, GUINT_TO_POINTER (self->places->len));
  return place;
}

void
pd_dvm_places_add (PdDvmPlaces *self, const PdDvmPlace *of, guint32 p, PdTime time)
{
  Place *place = find (self, of);

  if (place->times[p] == NULL)
    place->times[p] = g_array_new (FALSE, FALSE, sizeof (PdTime));
  g_array_append_val (place->times[p], time);
}

/* ---- synchronization */

/* Returns: how often each processor that was there executed @place; 0 if that differs. */
static guint
count_executions (const PdDvmPlaces *self, const Place *place)
{
  guint count = 0;

  for (guint32 p = 0; p < self->n; p++)
    {
      if (place->times[p] == NULL)
        continue;
      if (count != 0 && count != place->times[p]->len)
        return 0;
      count = place->times[p]->len;
    }
  return count;
}

/* Execution @k of @place. */
static void
synchronize (const PdDvmPlaces *self, const Place *place, guint k, PdIntervalTree *tree)
{
  PdQuantity quantity = pd_operation_quantity (place->key.kind, PD_OPERATION_SYNCHRONIZATION);
  PdTime least = { G_MAXINT64 };

  for (guint32 p = 0; p < self->n; p++)
    if (place->times[p] != NULL)
      least.ps = MIN (least.ps, g_array_index (place->times[p], PdTime, k).ps);
  for (guint32 p = 0; p < self->n; p++)
    if (place->times[p] != NULL)
      pd_interval_tree_add (tree, place->key.node, quantity, p,
                            pd_time_sub (g_array_index (place->times[p], PdTime, k), least));
}

void
pd_dvm_places_synchronize (const PdDvmPlaces *self, PdIntervalTree *tree)
{
  for (guint i = 0; i < self->places->len; i++)
    {
      const Place *place = g_ptr_array_index (self->places, i);
      guint n = count_executions (self, place);
      for (guint k = 0; k < n; k++)
        synchronize (self, place, k, tree);
    }
}

/* ---- the usual times */

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  const PdTime *x = a, *y = b;

  return x->ps < y->ps ? -1 : x->ps > y->ps;
}

static PdTimeSum
get_typical (const PdDvmPlaces *self, const Place *place)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (PdTime));

  for (guint32 p = 0; p < self->n; p++)
    if (place->times[p] != NULL)
      g_array_append_vals (all, place->times[p]->data, place->times[p]->len);
  g_array_sort (all, compare_times);
  return (PdTimeSum){ (PdWide) g_array_index (all, PdTime, all->len / 2).ps * all->len };
}

GArray *
pd_dvm_places_get_typical (const PdDvmPlaces *self, guint32 n_nodes)
{
  GArray *typical = g_array_new (FALSE, TRUE, sizeof (PdTimeSum));

  g_array_set_size (typical, n_nodes);
  for (guint i = 0; i < self->places->len; i++)
    {
      const Place *place = g_ptr_array_index (self->places, i);
      g_array_index (typical, PdTimeSum, place->key.node).ps += get_typical (self, place).ps;
    }
  return typical;
}
