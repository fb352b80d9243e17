/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MADV_HUGEPAGE, mkostemp */
#include "base/memory/pd-large.h"

#include "base/pd-units.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define HUGE_PAGE ((gsize) 2 << 20)

/* Both of the process, and atomic. */
static gsize in_memory;
static gsize limit; /* 0 = not known yet */

void
pd_large_set_limit (gsize bytes)
{
  __atomic_store_n (&limit, bytes, __ATOMIC_RELAXED);
}

/* What the user says, or half of what there is. */
static gsize
find_limit (void)
{
  const char *text = g_getenv ("PREDICTOR_MEMORY");
  long pages = sysconf (_SC_PHYS_PAGES), page = sysconf (_SC_PAGESIZE);
  PdNumber number;

  if (text != NULL && pd_units_parse (PD_UNIT_BYTES, text, &number, NULL) && number.i > 0)
    return (gsize) number.i;
  return pages > 0 && page > 0 ? (gsize) pages / 2 * (gsize) page : G_MAXSIZE;
}

static gsize
get_limit (void)
{
  gsize known = __atomic_load_n (&limit, __ATOMIC_RELAXED);

  if (known == 0)
    pd_large_set_limit (known = find_limit ());
  return known;
}

/* NULL: there is no room for it. */
static gpointer
map_file (gsize size)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "predictor-XXXXXX", NULL);
  int file = mkostemp (path, O_CLOEXEC);
  gpointer memory = MAP_FAILED;

  if (file < 0)
    return NULL;
  unlink (path);
  if (posix_fallocate (file, 0, (off_t) size) == 0)
    memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close (file);
  return memory != MAP_FAILED ? memory : NULL;
}

gpointer
pd_large_new (gsize size, gboolean *in_file)
{
  gpointer memory = NULL;

  *in_file = FALSE;
  if (__atomic_add_fetch (&in_memory, size, __ATOMIC_RELAXED) > get_limit ()
      && (memory = map_file (size)) != NULL)
    {
      __atomic_sub_fetch (&in_memory, size, __ATOMIC_RELAXED);
      *in_file = TRUE;
      return memory;
    }
  memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    g_error ("out of memory");
#ifdef MADV_HUGEPAGE
  if (size >= HUGE_PAGE)
    madvise (memory, size, MADV_HUGEPAGE); /* only advice */
#endif
  return memory;
}

void
pd_large_free (gpointer memory, gsize size, gboolean in_file)
{
  munmap (memory, size);
  if (!in_file)
    __atomic_sub_fetch (&in_memory, size, __ATOMIC_RELAXED);
}
