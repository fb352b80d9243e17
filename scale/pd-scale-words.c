/* SPDX-License-Identifier: MIT */
#include "scale/pd-scale-words.h"

#include <string.h>

/* Each kind of words is kept as bytes, once. */
typedef struct
{
  GHashTable *known; /* GBytes → number */
  GPtrArray *all;    /* (element-type GBytes) */
} Table;

struct _PdScaleWords
{
  Table tables[PD_SCALE_N_WORDS];
};

static guint32
add (Table *table, gconstpointer data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  gpointer number;

  if (g_hash_table_lookup_extended (table->known, bytes, NULL, &number))
    return GPOINTER_TO_UINT (number);
  g_hash_table_insert (table->known, bytes, GUINT_TO_POINTER (table->all->len));
  g_ptr_array_add (table->all, g_steal_pointer (&bytes));
  return table->all->len - 1;
}

static gconstpointer
get (const Table *table, guint32 number, gsize *size)
{
  g_return_val_if_fail (number < table->all->len, NULL);

  return g_bytes_get_data (g_ptr_array_index (table->all, number), size);
}

PdScaleWords *
pd_scale_words_new (void)
{
  PdScaleWords *self = g_new0 (PdScaleWords, 1);

  for (guint i = 0; i < PD_SCALE_N_WORDS; i++)
    {
      self->tables[i].known = g_hash_table_new (g_bytes_hash, g_bytes_equal);
      self->tables[i].all = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
    }
  return self;
}

void
pd_scale_words_free (PdScaleWords *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < PD_SCALE_N_WORDS; i++)
    {
      g_hash_table_unref (self->tables[i].known);
      g_ptr_array_unref (self->tables[i].all);
    }
  g_free (self);
}

guint32
pd_scale_words_add_shape (PdScaleWords *self, const PdScaleShape *shape)
{
  return add (&self->tables[PD_SCALE_SHAPES], shape, sizeof *shape);
}

const PdScaleShape *
pd_scale_words_get_shape (const PdScaleWords *self, guint32 shape)
{
  return get (&self->tables[PD_SCALE_SHAPES], shape, NULL);
}

guint32
pd_scale_words_add_string (PdScaleWords *self, const char *text)
{
  return add (&self->tables[PD_SCALE_STRINGS], text, strlen (text) + 1);
}

const char *
pd_scale_words_get_string (const PdScaleWords *self, guint32 string)
{
  return get (&self->tables[PD_SCALE_STRINGS], string, NULL);
}

/* The string itself, which is kept. */
static const char *
keep (PdScaleWords *self, const char *text)
{
  return pd_scale_words_get_string (self, pd_scale_words_add_string (self, text));
}

guint32
pd_scale_words_add_interval (PdScaleWords *self, const PdProgramInterval *interval)
{
  PdProgramInterval own;

  memset (&own, 0, sizeof own);
  own.name = keep (self, interval->name);
  own.file = keep (self, interval->file);
  own.line = interval->line;
  own.index = interval->index;
  return add (&self->tables[PD_SCALE_INTERVALS], &own, sizeof own);
}

const PdProgramInterval *
pd_scale_words_get_interval (const PdScaleWords *self, guint32 interval)
{
  return get (&self->tables[PD_SCALE_INTERVALS], interval, NULL);
}

guint32
pd_scale_words_add_site (PdScaleWords *self, const PdProgramSite *site)
{
  PdProgramSite own;

  memset (&own, 0, sizeof own);
  own.file = keep (self, site->file);
  own.function = keep (self, site->function);
  own.line = site->line;
  own.parent = site->parent;
  return add (&self->tables[PD_SCALE_SITES], &own, sizeof own);
}

guint32
pd_scale_words_get_n (const PdScaleWords *self, PdScaleWordKind kind)
{
  return self->tables[kind].all->len;
}

const PdProgramSite *
pd_scale_words_get_site (const PdScaleWords *self, guint32 site)
{
  return get (&self->tables[PD_SCALE_SITES], site, NULL);
}

gint64
pd_scale_words_add_list (PdScaleWords *self, const gint64 *values, gsize n)
{
  return add (&self->tables[PD_SCALE_LISTS], values, n * sizeof *values);
}

const gint64 *
pd_scale_words_get_list (const PdScaleWords *self, gint64 list, gsize *n)
{
  gsize size;
  const gint64 *values = get (&self->tables[PD_SCALE_LISTS], (guint32) list, &size);

  *n = size / sizeof *values;
  return values;
}
