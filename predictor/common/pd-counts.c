/* SPDX-License-Identifier: MIT */
#include "predictor/common/pd-counts.h"

#include "predictor/common/pd-errors.h"

#include <string.h>

#define ALL "all:"

static gboolean
fail (const char *item, GError **error)
{
  g_set_error (error, PD_USAGE_ERROR, 0,
               "'%s' is no processor count: expected 8, 4x2, 1:64:x2, 4:16:+4 or all:12, at most "
               "%" G_GINT64_FORMAT " processors",
               item, PD_MAX_COUNT);
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
  return *value >= 1 && *value <= PD_MAX_COUNT;
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
  if (counts->len <= PD_MAX_COUNTS)
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
      if (product > PD_MAX_COUNT)
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
  for (gint64 n = first; n <= last && counts->len <= PD_MAX_COUNTS; n = multiply ? n * by : n + by)
    add (counts, (PdCount){ 1, { n } });
  return TRUE;
}

/* The divisors of @n, ascending. */
static GArray *
divisors_of (gint64 n)
{
  GArray *divisors = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (gint64 d = 1; d * d <= n; d++)
    if (n % d == 0)
      g_array_append_val (divisors, d);
  for (guint i = divisors->len; i-- > 0;)
    {
      gint64 other = n / g_array_index (divisors, gint64, i);
      if (other > g_array_index (divisors, gint64, divisors->len - 1))
        g_array_append_val (divisors, other);
    }
  return divisors;
}

/* Every way to complete @count to @rank sizes whose product is @rest, the last
 * of them above 1. */
static void
factorise (GArray *counts, const GArray *divisors, PdCount count, guint rank, gint64 rest)
{
  if (counts->len > PD_MAX_COUNTS)
    return;
  if (count.rank + 1 == rank)
    {
      count.sizes[count.rank++] = rest;
      if (rest > 1 || rank == 1)
        g_array_append_val (counts, count);
      return;
    }
  count.rank++;
  for (guint i = 0; i < divisors->len; i++)
    {
      gint64 size = g_array_index (divisors, gint64, i);
      if (rest % size != 0)
        continue;
      count.sizes[count.rank - 1] = size;
      factorise (counts, divisors, count, rank, rest / size);
    }
}

GArray *
pd_counts_new_all (gint64 n, guint rank)
{
  g_return_val_if_fail (n >= 1 && n <= PD_MAX_COUNT, NULL);
  g_return_val_if_fail (rank >= 1 && rank <= PD_MAX_GRID_RANK, NULL);

  GArray *counts = g_array_new (FALSE, TRUE, sizeof (PdCount));
  g_autoptr (GArray) divisors = divisors_of (n);

  for (guint r = 1; r <= rank; r++)
    factorise (counts, divisors, (PdCount){ 0 }, r, n);
  return counts;
}

static gboolean
parse_all (const char *item, guint rank, GArray *counts)
{
  gint64 n;
  const char *at = item + strlen (ALL);

  if (!parse_number (at, &at, &n) || *at != '\0')
    return FALSE;
  g_autoptr (GArray) all = pd_counts_new_all (n, rank);
  for (guint i = 0; i < all->len && counts->len <= PD_MAX_COUNTS; i++)
    add (counts, g_array_index (all, PdCount, i));
  return TRUE;
}

gboolean
pd_counts_need_rank (const char *text)
{
  return strstr (text, ALL) != NULL;
}

char *
pd_sizes_format (const gint64 *sizes, guint rank)
{
  GString *text = g_string_new (NULL);

  for (guint d = 0; d < rank; d++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, d > 0 ? "x" : "", sizes[d]);
  return g_string_free (text, FALSE);
}

gint64
pd_count_get_n (const PdCount *count)
{
  gint64 n = 1;

  for (guint d = 0; d < count->rank; d++)
    n *= count->sizes[d];
  return n;
}

GArray *
pd_counts_parse (const char *text, guint rank, GError **error)
{
  g_return_val_if_fail (rank >= 1 && rank <= PD_MAX_GRID_RANK, NULL);

  g_autoptr (GArray) counts = g_array_new (FALSE, TRUE, sizeof (PdCount));
  g_auto (GStrv) items = g_strsplit (text, ",", -1);

  for (guint i = 0; items[i] != NULL; i++)
    {
      const char *item = g_strstrip (items[i]);
      gboolean ok = g_str_has_prefix (item, ALL) ? parse_all (item, rank, counts)
                    : strchr (item, ':') != NULL ? parse_range (item, counts)
                                                 : parse_grid (item, counts);
      if (!ok)
        {
          fail (item, error);
          return NULL;
        }
      if (counts->len > PD_MAX_COUNTS)
        {
          g_set_error (error, PD_USAGE_ERROR, 0, "'%s' asks for more than %d grids", item,
                       PD_MAX_COUNTS);
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

int
pd_count_compare (const PdCount *a, const PdCount *b)
{
  gint64 n = pd_count_get_n (a), m = pd_count_get_n (b);

  if (n != m)
    return n < m ? -1 : 1;
  if (a->rank != b->rank)
    return a->rank < b->rank ? -1 : 1;
  for (guint d = 0; d < a->rank; d++)
    if (a->sizes[d] != b->sizes[d])
      return a->sizes[d] < b->sizes[d] ? -1 : 1;
  return 0;
}
