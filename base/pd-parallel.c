/* Each thread takes the next item.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched_getaffinity() */
#include "base/pd-parallel.h"

#include <sched.h>

typedef struct
{
  guint n;
  guint next; /* atomic */
  PdParallelFunc func;
  gpointer data;
} Items;

static gpointer
work (gpointer data)
{
  Items *self = data;
  guint i;

  while ((i = (guint) g_atomic_int_add ((gint *) &self->next, 1)) < self->n)
    self->func (i, self->data);
  return NULL;
}

void
pd_parallel_run (guint n, guint n_threads, PdParallelFunc func, gpointer data)
{
  Items items = { n, 0, func, data };
  g_autoptr (GPtrArray) threads = g_ptr_array_new ();

  for (guint i = 1; i < MIN (n, n_threads); i++)
    {
      GThread *thread = g_thread_try_new ("items", work, &items, NULL);
      if (thread == NULL)
        break;
      g_ptr_array_add (threads, thread);
    }
  work (&items);
  for (guint i = 0; i < threads->len; i++)
    g_thread_join (threads->pdata[i]);
}

guint
pd_parallel_get_n_processors (void)
{
  guint n = g_get_num_processors ();
  gsize size = CPU_ALLOC_SIZE (n);
  cpu_set_t *set = CPU_ALLOC (n);

  /* of more processors than there is room for, all are meant */
  if (set != NULL && sched_getaffinity (0, size, set) == 0)
    n = MIN (n, (guint) MAX (CPU_COUNT_S (size, set), 1));
  CPU_FREE (set);
  return n;
}
