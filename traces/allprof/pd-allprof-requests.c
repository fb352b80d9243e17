/* SPDX-License-Identifier: MIT */
#include "traces/allprof/pd-allprof-requests.h"

/* Of one MPI_Startall: a claim of more is not believed. */
#define MAX_STARTS 65536

static gint
compare_addresses (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return x < y ? -1 : x > y;
}

void
pd_allprof_collect (GHashTable *known, const PdAllprofCall *call, guint stride, GArray *addresses)
{
  guint64 n = call->n_requests > 0 ? (guint64) call->n_requests : 0;
  GHashTableIter iter;
  gpointer key;

  g_array_set_size (addresses, 0);
  if (n <= g_hash_table_size (known))
    {
      for (guint64 i = 0; i < n; i++)
        {
          guint64 address = call->request + i * stride;
          if (g_hash_table_contains (known, GSIZE_TO_POINTER (address)))
            g_array_append_val (addresses, address);
        }
      return;
    }
  g_hash_table_iter_init (&iter, known);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      guint64 address = GPOINTER_TO_SIZE (key), offset = address - call->request;
      if (address >= call->request && offset % stride == 0 && offset / stride < n)
        g_array_append_val (addresses, address);
    }
  g_array_sort (addresses, compare_addresses);
}

gint64
pd_allprof_count_starts (const PdAllprofCall *call)
{
  return CLAMP (call->n_requests, 0, MAX_STARTS);
}
