/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MADV_HUGEPAGE, mkostemp */
#include "base/memory/pd-large.h"

#include "base/pd-units.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/vfs.h>
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

/* The user's value, else half of the smaller of the machine's memory and the process's limit. */
static gsize
find_limit (void)
{
  const char *text = g_getenv ("PREDICTOR_MEMORY");
  long pages = sysconf (_SC_PHYS_PAGES), page = sysconf (_SC_PAGESIZE);
  gsize all = pages > 0 && page > 0 ? (gsize) pages * (gsize) page : G_MAXSIZE;
  struct rlimit own;
  PdNumber number;

  if (text != NULL && pd_units_parse (PD_UNIT_BYTES, text, &number, NULL) && number.i > 0)
    return (gsize) number.i;
  if (getrlimit (RLIMIT_DATA, &own) == 0 && own.rlim_cur != RLIM_INFINITY)
    all = MIN (all, own.rlim_cur);
  return all / 2;
}

static gsize
get_limit (void)
{
  gsize known = __atomic_load_n (&limit, __ATOMIC_RELAXED);

  if (known == 0)
    pd_large_set_limit (known = find_limit ());
  return known;
}

/* Files in the folder for temporary ones may be in memory themselves: then in the one for those
 * that are kept longer, if that is not. */
static const char *
find_folder (void)
{
  static const char longer[] = "/var/tmp";
  const char *folder = g_get_tmp_dir ();
  struct statfs own, other;

  if (statfs (folder, &own) == 0 && own.f_type == TMPFS_MAGIC && statfs (longer, &other) == 0
      && other.f_type != TMPFS_MAGIC && access (longer, W_OK) == 0)
    return longer;
  return folder;
}

/* NULL: there is no room for it. */
static gpointer
map_file (gsize size)
{
  g_autofree char *path = g_build_filename (find_folder (), "predictor-XXXXXX", NULL);
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

gpointer
pd_large_grow (gpointer memory, gsize size, gsize larger, gboolean *in_file)
{
  gboolean was_in_file = *in_file;

  if (!was_in_file
      && __atomic_add_fetch (&in_memory, larger - size, __ATOMIC_RELAXED) <= get_limit ())
    {
      gpointer grown = mremap (memory, size, larger, MREMAP_MAYMOVE);
      if (grown == MAP_FAILED)
        g_error ("out of memory");
      return grown;
    }
  if (!was_in_file)
    __atomic_sub_fetch (&in_memory, larger - size, __ATOMIC_RELAXED);
  gpointer grown = pd_large_new (larger, in_file);
  memcpy (grown, memory, size);
  pd_large_free (memory, size, was_in_file);
  return grown;
}

void
pd_large_free (gpointer memory, gsize size, gboolean in_file)
{
  munmap (memory, size);
  if (!in_file)
    __atomic_sub_fetch (&in_memory, size, __ATOMIC_RELAXED);
}
