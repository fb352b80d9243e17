/* SPDX-License-Identifier: MIT */
#include "predictor/pd-counts.h"

#include "predictor/pd-commands.h"

#include <string.h>

/* More grids than anybody reads are refused. */
#define MAX_COUNTS     10000
#define MAX_PROCESSORS G_GINT64_CONSTANT (16777214)

static gboolean
fail (const char *item, GError **error)
{
  g_set_error (error, PD_USAGE_ERROR, 0,
               "'%s' is no processor count: expected 8, 4x2, 1:64:x2, 4:16:+4 or all:12, at most "
               "%" G_GINT64_FORMAT " processors",
               item, MAX_PROCESSORS);
  return FALSE;
}

/* A number from 1 on; @end gets what follows it. */
static gboolean
parse_number (const char *text, const char **end, gint64 *value)
{
  char *stop;

  if (!g_ascii_isdigit (*text))
    return FALSE;
  *value = g_ascii_strtoll (text, &stop, 10);
  *end = stop;
  return *value >= 1 && *value <= MAX_PROCESSORS;
}

static gboolean
same (const PdCount *a, const PdCount *b)
{
  gboolean equal = a->rank == b->rank;

  for (guint d = 0; d < a->rank && equal; d++)
    equal = a->sizes[d] == b->sizes[d];
  return equal;
}

static void
add (GArray *counts, PdCount count)
{
  for (guint i = 0; i < counts->len; i++)
    if (same (&g_array_index (counts, PdCount, i), &count))
      return;
  if (counts->len <= MAX_COUNTS)
    g_array_append_val (counts, count);
}

static gboolean
parse_grid (const char *item, GArray *counts)
{
  PdCount count = { 0 };
  const char *at = item;
  gint64 product = 1;

  for (;;)
    {
      if (count.rank == PD_MAX_GRID_RANK || !parse_number (at, &at, &count.sizes[count.rank]))
        return FALSE;
      product *= count.sizes[count.rank++];
      if (product > MAX_PROCESSORS)
        return FALSE;
      if (*at == '\0')
        break;
      if (*at++ != 'x')
        return FALSE;
    }
  add (counts, count);
  return TRUE;
}

/* "A:B:+s" and "A:B:xf". */
static gboolean
parse_range (const char *item, GArray *counts)
{
  gint64 first, last, by;
  const char *at = item;

  if (!parse_number (at, &at, &first) || *at++ != ':' || !parse_number (at, &at, &last)
      || *at++ != ':' || (*at != '+' && *at != 'x'))
    return FALSE;
  gboolean multiply = *at++ == 'x';
  if (!parse_number (at, &at, &by) || *at != '\0' || (multiply && by < 2) || first > last)
    return FALSE;
  for (gint64 n = first; n <= last && counts->len <= MAX_COUNTS; n = multiply ? n * by : n + by)
    add (counts, (PdCount){ 1, { n } });
  return TRUE;
}

/* Every way to complete @count to @rank sizes above 1 whose product is @rest. */
static void
factorise (GArray *counts, PdCount count, guint rank, gint64 rest)
{
  if (count.rank + 1 == rank)
    {
      count.sizes[count.rank++] = rest;
      add (counts, count);
      return;
    }
  count.rank++;
  for (gint64 size = 2; size <= rest / 2; size++)
    if (rest % size == 0)
      {
        count.sizes[count.rank - 1] = size;
        factorise (counts, count, rank, rest / size);
      }
}

static gboolean
parse_all (const char *item, GArray *counts)
{
  gint64 n;
  const char *at = item + strlen ("all:");

  if (!parse_number (at, &at, &n) || *at != '\0')
    return FALSE;
  for (guint rank = 1; rank <= PD_MAX_GRID_RANK; rank++)
    factorise (counts, (PdCount){ 0 }, rank, n);
  return TRUE;
}

GArray *
pd_counts_parse (const char *text, GError **error)
{
  g_autoptr (GArray) counts = g_array_new (FALSE, TRUE, sizeof (PdCount));
  g_auto (GStrv) items = g_strsplit (text, ",", -1);

  for (guint i = 0; items[i] != NULL; i++)
    {
      const char *item = g_strstrip (items[i]);
      gboolean ok = g_str_has_prefix (item, "all:") ? parse_all (item, counts)
                    : strchr (item, ':') != NULL    ? parse_range (item, counts)
                                                    : parse_grid (item, counts);
      if (!ok)
        {
          fail (item, error);
          return NULL;
        }
      if (counts->len > MAX_COUNTS)
        {
          g_set_error (error, PD_USAGE_ERROR, 0, "'%s' asks for more than %d grids", item,
                       MAX_COUNTS);
          return NULL;
        }
    }
  if (counts->len == 0)
    {
      fail (text, error);
      return NULL;
    }
  return g_steal_pointer (&counts);
}
