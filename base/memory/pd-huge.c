/* Large arrays in huge pages.
 * SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* madvise */
#include "base/memory/pd-huge.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE  ((gsize) 2 << 20)
#define CACHE_LINE ((gsize) 64)

gpointer
pd_huge_new (gsize size)
{
  /* from half a page on: clearing the rest of it takes less than the faults of small pages */
  gsize alignment = size >= HUGE_PAGE / 2 ? HUGE_PAGE : CACHE_LINE;
  gpointer memory = NULL;

  if (size <= G_MAXSIZE - alignment)
    {
      gsize rounded = (MAX (size, 1) + alignment - 1) / alignment * alignment;
      memory = aligned_alloc (alignment, rounded);
#ifdef MADV_HUGEPAGE
      if (memory != NULL && alignment == HUGE_PAGE)
        madvise (memory, rounded, MADV_HUGEPAGE); /* only advice: what it returns does not matter */
#endif
    }
  if (memory == NULL)
    g_error ("out of memory");
  return memory;
}

gpointer
pd_huge_grow (gpointer memory, gsize size, gsize larger)
{
  gpointer grown = pd_huge_new (larger);

  if (size > 0)
    memcpy (grown, memory, size);
  free (memory);
  return grown;
}

void
pd_huge_free (gpointer memory)
{
  free (memory);
}
