/* SPDX-License-Identifier: MIT */
#include "base/pd-tails.h"

#include <string.h>

#define MAX_PARTS 8 /* of a tail: what names are looked up by stays short */

struct _PdTails
{
  GHashTable *paths;  /* owned names */
  GHashTable *counts; /* tail, which points into one of those -> how many names end with it */
};

PdTails *
pd_tails_new (void)
{
  PdTails *self = g_new0 (PdTails, 1);

  self->paths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->counts = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

void
pd_tails_free (PdTails *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->counts);
  g_hash_table_unref (self->paths);
  g_free (self);
}

/* The tail that has one part more than @tail, which is the end of @path at first. */
static const char *
lengthen (const char *path, const char *tail)
{
  if (tail > path && *tail != '\0')
    tail--; /* the slash */
  while (tail > path && tail[-1] != '/')
    tail--;
  return tail;
}

void
pd_tails_add (PdTails *self, const char *path)
{
  if (g_hash_table_contains (self->paths, path))
    return;
  char *own = g_strdup (path);
  const char *tail = own + strlen (own);
  g_hash_table_add (self->paths, own);
  for (guint i = 0; i < MAX_PARTS && tail > own; i++)
    {
      tail = lengthen (own, tail);
      guint count = GPOINTER_TO_UINT (g_hash_table_lookup (self->counts, tail));
      g_hash_table_insert (self->counts, (gpointer) tail, GUINT_TO_POINTER (count + 1));
    }
}

const char *
pd_tails_get (const PdTails *self, const char *path)
{
  const char *tail = path + strlen (path);

  for (guint i = 0; i < MAX_PARTS && tail > path; i++)
    {
      tail = lengthen (path, tail);
      if (GPOINTER_TO_UINT (g_hash_table_lookup (self->counts, tail)) <= 1 && *tail != '\0')
        return tail;
    }
  return path;
}
