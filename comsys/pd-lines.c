/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "comsys/pd-lines.h"

#include <sys/mman.h>

#define LINE 64

gpointer
pd_lines_resize (gpointer old, gsize n_old, gsize n)
{
  gpointer lines = old == NULL ? mmap (NULL, n * LINE, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                               : mremap (old, n_old * LINE, n * LINE, MREMAP_MAYMOVE);

  if (lines == MAP_FAILED)
    g_error ("out of memory for %" G_GSIZE_FORMAT " bytes", n * LINE);
  if (n * LINE >= 4u << 20)
    madvise (lines, n * LINE, MADV_HUGEPAGE);
  return lines;
}

void
pd_lines_free (gpointer lines, gsize n)
{
  munmap (lines, n * LINE);
}
