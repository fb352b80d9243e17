/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "base/memory/pd-memory.h"

#include "base/pd-error.h"
#include "base/pd-units.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/resource.h>

#define MEBI (1u << 20)

G_DEFINE_QUARK (pd_memory_error_quark, pd_memory_error)

/* Whole mebibytes, where there are some. */
static char *
format_bytes (guint64 bytes)
{
  if (bytes >= MEBI)
    bytes -= bytes % MEBI;
  return pd_units_format (PD_UNIT_BYTES, (PdNumber){ .i = (gint64) MIN (bytes, G_MAXINT64) });
}

gboolean
pd_memory_check (guint64 n, const char *what, guint64 bytes, GError **error)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY
      || bytes <= limit.rlim_cur)
    return TRUE;
  g_autofree char *needed = format_bytes (bytes), *most = format_bytes (limit.rlim_cur);
  return pd_fail (error, PD_MEMORY_ERROR, 0,
                  "%" G_GUINT64_FORMAT " %s need at least %s of memory: the limit is %s, see "
                  "--max-memory",
                  n, what, needed, most);
}

void
pd_memory_trim (void)
{
#ifdef __GLIBC__
  malloc_trim (0);
#endif
}
