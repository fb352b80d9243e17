/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "comsys/queue/pd-lines.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LINE       64
#define FEW        (64u << 10) /* bytes up to which pages of its own are too much */
#define HUGE       (4u << 20)  /* bytes from which large pages are worth it */
#define PAGE       ((gsize) 4096)
#define LARGE_PAGE ((gsize) 2 << 20)

/* The bytes of @n lines: whole pages where they are mapped. */
static gsize
page_size (gsize n)
{
  gsize size = n * LINE;

  return size <= FEW ? size : (size + PAGE - 1) & ~(PAGE - 1);
}

/* Pages of their own, zero. Large pages are aligned, so that they can be moved
 * as a whole: a mapping that moves by less is split into small ones. */
static gpointer
map (gsize size)
{
  gsize spare = size >= HUGE ? LARGE_PAGE : 0;
  char *lines =
      mmap (NULL, size + spare, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (lines == MAP_FAILED || spare == 0)
    return lines;
  gsize before = -(guintptr) lines & (LARGE_PAGE - 1);
  if (before > 0)
    munmap (lines, before);
  munmap (lines + before + size, spare - before);
  madvise (lines + before, size, MADV_HUGEPAGE);
  return lines + before;
}

static gpointer
allocate (gsize size)
{
  gpointer lines = size <= FEW ? aligned_alloc (LINE, size) : map (size);

  if (lines != NULL && size <= FEW)
    memset (lines, 0, size);
  return lines;
}

/* The array's pages go over to the new place, and what has been advised for the old one with them.
 */
static gpointer
move (gpointer old, gsize old_size, gsize size)
{
  gpointer lines = map (size);

  if (lines != MAP_FAILED)
    lines = mremap (old, old_size, size, MREMAP_MAYMOVE | MREMAP_FIXED, lines);
  if (lines != MAP_FAILED && size >= HUGE && old_size < HUGE)
    madvise (lines, size, MADV_HUGEPAGE);
  return lines;
}

gpointer
pd_lines_resize (gpointer old, gsize n_old, gsize n)
{
  gsize size = page_size (n), old_size = page_size (n_old);
  gboolean moves = old != NULL && old_size > FEW;
  gpointer lines = moves ? move (old, old_size, size) : allocate (size);

  if (lines == NULL || lines == MAP_FAILED)
    g_error ("out of memory for %" G_GSIZE_FORMAT " bytes", size);
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
  gsize size = page_size (n);

  if (size <= FEW || lines == NULL)
    free (lines);
  else
    munmap (lines, size);
}
