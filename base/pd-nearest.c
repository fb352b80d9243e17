/* SPDX-License-Identifier: MIT */
#include "base/pd-nearest.h"

#include <string.h>

#define MAX_LENGTH 64

/* How far the first letters of a are from those of b: three rows of the usual table,
 * since neighbours in the wrong order look back two. */
static guint
distance (const char *a, gsize n_a, const char *b, gsize n_b)
{
  guint rows[3][MAX_LENGTH + 1] = { 0 };
  guint *before = rows[0], *last = rows[1], *row = rows[2];

  for (gsize j = 0; j <= n_b; j++)
    last[j] = (guint) j;
  for (gsize i = 1; i <= n_a; i++)
    {
      row[0] = (guint) i;
      for (gsize j = 1; j <= n_b; j++)
        {
          row[j] = MIN (last[j - 1] + (a[i - 1] != b[j - 1]), MIN (last[j], row[j - 1]) + 1);
          if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            row[j] = MIN (row[j], before[j - 2] + 1);
        }
      guint *free_row = before;
      before = last;
      last = row;
      row = free_row;
    }
  return last[n_b];
}

/* The only one that goes on as @word begins. */
static const char *
find_begun (const char *word, const char *const *known)
{
  const char *found = NULL;

  for (guint i = 0; known[i] != NULL; i++)
    if (g_str_has_prefix (known[i], word))
      {
        if (found != NULL)
          return NULL;
        found = known[i];
      }
  return found;
}

const char *
pd_nearest_find (const char *word, const char *const *known)
{
  gsize n = strlen (word);
  guint least = G_MAXUINT;
  const char *found = NULL;

  g_return_val_if_fail (known != NULL, NULL);
  if (n < 2 || n > MAX_LENGTH)
    return NULL;
  for (guint i = 0; known[i] != NULL; i++)
    {
      gsize length = strlen (known[i]);
      guint there = length <= MAX_LENGTH ? distance (word, n, known[i], length) : G_MAXUINT;
      if (there < least)
        {
          least = there;
          found = known[i];
        }
    }
  return least <= MAX (1, n / 3) ? found : find_begun (word, known);
}

char *
pd_nearest_format (const char *word, const char *const *known)
{
  const char *found = pd_nearest_find (word, known);

  return found != NULL ? g_strdup_printf ("; did you mean '%s'?", found) : g_strdup ("");
}

char *
pd_nearest_format_joined (const char *word, const char *all)
{
  g_auto (GStrv) known = g_strsplit (all, ", ", -1);

  return pd_nearest_format (word, (const char *const *) known);
}
