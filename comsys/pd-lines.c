/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "comsys/pd-lines.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LINE 64
#define FEW  (64u << 10) /* bytes up to which pages of its own are too much */
#define HUGE (4u << 20)  /* bytes from which large pages are worth it */

static gpointer
allocate (gsize size)
{
  gpointer lines =
      size <= FEW ? aligned_alloc (LINE, size)
                  : mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (lines != NULL && size <= FEW)
    memset (lines, 0, size);
  return lines;
}

gpointer
pd_lines_resize (gpointer old, gsize n_old, gsize n)
{
  gsize size = n * LINE, old_size = n_old * LINE;
  gboolean moves = old != NULL && old_size > FEW;
  gpointer lines = moves ? mremap (old, old_size, size, MREMAP_MAYMOVE) : allocate (size);

  if (lines == NULL || lines == MAP_FAILED)
    g_error ("out of memory for %" G_GSIZE_FORMAT " bytes", size);
  if (size >= HUGE)
    madvise (lines, size, MADV_HUGEPAGE);
  if (old != NULL && !moves)
    {
      memcpy (lines, old, old_size);
      pd_lines_free (old, n_old);
    }
  return lines;
}

void
pd_lines_free (gpointer lines, gsize n)
{
  if (n * LINE <= FEW)
    free (lines);
  else
    munmap (lines, n * LINE);
}
