/* SPDX-License-Identifier: MIT */
#include "dataserver/pd-objects.h"

typedef struct
{
  gint64 id;
  guint kind;
} Key;

typedef struct _Version Version;
struct _Version
{
  Key key; /* first: the newest version is the hash table's key */
  guint64 from;
  guint64 to;      /* G_MAXUINT64 while it is open */
  gpointer object; /* owned */
  Version *older;
  Version *newer;
};

struct _PdObjects
{
  GHashTable *newest; /* Key -> Version* */
  GQueue closed;      /* Version*, in order of their end */
  GDestroyNotify *unref;
  guint n_versions;
};

static guint
key_hash (gconstpointer data)
{
  const Key *key = data;
  guint64 h = ((guint64) key->id + key->kind) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return (guint) (h >> 32);
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  const Key *x = a, *y = b;

  return x->id == y->id && x->kind == y->kind;
}

PdObjects *
pd_objects_new (const GDestroyNotify *unref, guint n_kinds)
{
  PdObjects *self = g_new0 (PdObjects, 1);

  self->newest = g_hash_table_new (key_hash, key_equal);
  g_queue_init (&self->closed);
  self->unref = g_new (GDestroyNotify, n_kinds);
  for (guint i = 0; i < n_kinds; i++)
    self->unref[i] = unref[i];
  return self;
}

static void
version_free (PdObjects *self, Version *version)
{
  self->unref[version->key.kind](version->object);
  g_free (version);
  self->n_versions--;
}

void
pd_objects_free (PdObjects *self)
{
  if (self == NULL)
    return;
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, self->newest);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    for (Version *v = value, *older; v != NULL; v = older)
      {
        older = v->older;
        version_free (self, v);
      }
  g_hash_table_unref (self->newest);
  g_queue_clear (&self->closed);
  g_free (self->unref);
  g_free (self);
}

static Version *
find_newest (const PdObjects *self, guint kind, gint64 id)
{
  Key key = { id, kind };

  return g_hash_table_lookup (self->newest, &key);
}

/* Takes back the newest version of an object: no position sees it. */
static void
drop (PdObjects *self, Version *version)
{
  Version *older = version->older;

  if (older != NULL)
    {
      older->newer = NULL;
      g_hash_table_replace (self->newest, &older->key, older);
    }
  else
    g_hash_table_remove (self->newest, &version->key);
  version_free (self, version);
}

/* Many changes at one position leave nothing behind but the last. */
static void
close_version (PdObjects *self, Version *version, guint64 to)
{
  if (version->from == to)
    {
      drop (self, version);
      return;
    }
  version->to = to;
  g_queue_push_tail (&self->closed, version);
}

gboolean
pd_objects_close (PdObjects *self, guint kind, gint64 id, guint64 to)
{
  Version *version = find_newest (self, kind, id);

  if (version == NULL || version->to != G_MAXUINT64)
    return FALSE;
  close_version (self, version, to);
  return TRUE;
}

void
pd_objects_put (PdObjects *self, guint kind, gint64 id, guint64 from, gpointer object)
{
  Version *version = g_new0 (Version, 1);

  pd_objects_close (self, kind, id, from);
  Version *older = find_newest (self, kind, id);
  version->key = (Key){ id, kind };
  version->from = from;
  version->to = G_MAXUINT64;
  version->object = object;
  version->older = older;
  if (older != NULL)
    older->newer = version;
  g_hash_table_replace (self->newest, &version->key, version);
  self->n_versions++;
}

gpointer
pd_objects_get (const PdObjects *self, guint kind, gint64 id, guint64 position)
{
  Version *version = find_newest (self, kind, id);

  while (version != NULL && version->from > position)
    version = version->older;
  return version != NULL && position < version->to ? version->object : NULL;
}

void
pd_objects_reclaim (PdObjects *self, guint64 position)
{
  Version *version;

  while ((version = g_queue_peek_head (&self->closed)) != NULL && version->to <= position)
    {
      g_queue_pop_head (&self->closed);
      /* versions of one object end in the order of their creation */
      g_assert (version->older == NULL);
      if (version->newer != NULL)
        version->newer->older = NULL;
      else
        g_hash_table_remove (self->newest, &version->key);
      version_free (self, version);
    }
}

guint
pd_objects_get_n_versions (const PdObjects *self)
{
  return self->n_versions;
}
