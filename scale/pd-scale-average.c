/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-average-private.h"

gboolean
pd_scale_is_averaged (PdCollKind op)
{
  return op == PD_COLL_ALLTOALLV || op == PD_COLL_ALLTOALLW || op == PD_COLL_NEIGHBOR_ALLTOALLV
         || op == PD_COLL_NEIGHBOR_ALLTOALLW;
}

static gint64
get_average (const gint64 *values, guint n)
{
  gint64 sum = 0;

  for (guint i = 0; i < n; i++)
    if (__builtin_add_overflow (sum, values[i], &sum))
      return G_MAXINT64;
  return n > 0 ? sum / n : 0;
}

gint64
pd_scale_average_of (const GArray *list)
{
  return get_average ((const gint64 *) (const void *) list->data, list->len);
}

gboolean
pd_scale_average_fit (const PdScaleSource *source, PdScaleNumber *number)
{
  gboolean has_any = FALSE;

  for (guint i = 0; i < source->members->len; i++)
    {
      const PdColumn *sizes = source->columns[i], *blocks = source->blocks[i];
      PdColumnPlace at = { 0, 0 }, block = { 0, 0 };
      for (guint64 v = 0; v < sizes->n; v++)
        {
          gint64 list = pd_column_next (blocks, &block);
          gsize n = 0;
          const gint64 *values =
              list != PD_SCALE_NO_LIST ? pd_scale_words_get_list (source->words, list, &n) : NULL;
          if (pd_column_next (sizes, &at) != get_average (values, (guint) n))
            return FALSE;
          has_any = has_any || n > 0;
        }
    }
  number->how = PD_SCALE_BY_AVERAGE;
  number->has_period = FALSE;
  g_array_set_size (number->others, 0);
  return has_any;
}
