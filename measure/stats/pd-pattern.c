/* A pattern that neither a shift by a page nor an old message repeats.
 * SPDX-License-Identifier: MIT */
#include "measure/stats/pd-pattern.h"

static char
byte_at (gsize i, guint seed)
{
  return (char) ((i * 7 + (i >> 8) * 13 + (i >> 16) * 29 + seed) & 0xff);
}

void
pd_pattern_fill (char *data, gsize n, guint seed)
{
  for (gsize i = 0; i < n; i++)
    data[i] = byte_at (i, seed);
}

gsize
pd_pattern_find_wrong (const char *data, gsize n, guint seed)
{
  for (gsize i = 0; i < n; i++)
    if (data[i] != byte_at (i, seed))
      return i;
  return n;
}
