/* OTF2 archives: the objects that events refer to. References are small numbers in most archives,
 * which are indices of arrays. Each thread has its own copy of the data that changes while ranks
 * are read.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-chunks-private.h"
#include "traces/otf2/pd-otf2-dense-private.h"
#include "traces/program/pd-program-builder.h"

#include <string.h>

/* References from here on are looked up in the tables of all. */
#define N_DENSE 65536

static void
make (GHashTable *all, PdOtf2Dense *dense)
{
  GHashTableIter iter;
  gpointer ref, value;

  g_hash_table_iter_init (&iter, all);
  while (g_hash_table_iter_next (&iter, &ref, NULL))
    if (GPOINTER_TO_SIZE (ref) < N_DENSE)
      dense->n = MAX (dense->n, GPOINTER_TO_UINT (ref) + 1);
  dense->found = g_new0 (gpointer, dense->n);
  g_hash_table_iter_init (&iter, all);
  while (g_hash_table_iter_next (&iter, &ref, &value))
    if (GPOINTER_TO_SIZE (ref) < dense->n)
      dense->found[GPOINTER_TO_SIZE (ref)] = value;
}

void
pd_otf2_make_dense (PdOtf2Archive *archive)
{
  make (archive->regions, &archive->dense_regions);
  make (archive->comms, &archive->dense_comms);
  make (archive->contexts, &archive->dense_contexts);
}

void
pd_otf2_clear_dense (PdOtf2Archive *archive)
{
  g_clear_pointer (&archive->dense_regions.found, g_free);
  g_clear_pointer (&archive->dense_comms.found, g_free);
  g_clear_pointer (&archive->dense_contexts.found, g_free);
}

/* ---- for a thread */

/* (transfer full): a table whose values, of @size bytes, are its own; what these refer to is not.
 */
static GHashTable *
copy_table (GHashTable *table, gsize size, GDestroyNotify free_value)
{
  GHashTable *copy = g_hash_table_new_full (NULL, NULL, NULL, free_value);
  GHashTableIter iter;
  gpointer ref, value;

  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &ref, &value))
    {
      gpointer own = g_malloc (size);
      memcpy (own, value, size);
      g_hash_table_insert (copy, ref, own);
    }
  return copy;
}

/* Its members are another one's. */
static void
group_copy_free (gpointer data)
{
  PdOtf2Group *group = data;

  g_clear_pointer (&group->index, g_hash_table_unref);
  g_free (group);
}

static void
forget_indexes (GHashTable *groups)
{
  GHashTableIter iter;
  gpointer group;

  g_hash_table_iter_init (&iter, groups);
  while (g_hash_table_iter_next (&iter, NULL, &group))
    ((PdOtf2Group *) group)->index = NULL;
}

PdProgramBuilder *
pd_otf2_builder_new (const PdOtf2Archive *archive)
{
  PdProgramBuilder *builder = pd_program_builder_new (archive->world->n, PD_AMOUNT_TIME);

  if (archive->is_outline)
    pd_program_builder_make_outline (builder);
  else if (archive->recorded)
    pd_program_builder_pack (builder);
  else
    {
      pd_program_builder_fold (builder);
      pd_program_builder_sample (builder);
    }
  return builder;
}

void
pd_otf2_copy_init (PdOtf2Archive *copy, const PdOtf2Archive *archive)
{
  *copy = *archive;
  copy->chunk_reader = NULL;
  memset (copy->chunks, 0, sizeof copy->chunks);
  copy->messages = pd_messages_new ();
  copy->regions = copy_table (archive->regions, sizeof (PdOtf2Region), g_free);
  copy->comms = copy_table (archive->comms, sizeof (PdOtf2Comm), g_free);
  copy->contexts = copy_table (archive->contexts, sizeof (PdOtf2Context), g_free);
  copy->groups = copy_table (archive->groups, sizeof (PdOtf2Group), group_copy_free);
  forget_indexes (copy->groups);
  copy->marked = g_hash_table_new (NULL, NULL);
  copy->begins = g_array_new (FALSE, FALSE, sizeof (PdTime));
  copy->computed = g_array_new (FALSE, FALSE, sizeof (PdTimeSum));
  copy->unfinished = g_array_new (FALSE, FALSE, sizeof (guint32));
  copy->new_comms = g_array_new (FALSE, FALSE, sizeof (PdOtf2NewComm));
  copy->builder = pd_otf2_builder_new (archive);
  pd_otf2_make_dense (copy);
}

void
pd_otf2_copy_clear (PdOtf2Archive *copy)
{
  pd_otf2_clear_dense (copy);
  pd_messages_free (copy->messages);
  g_hash_table_unref (copy->regions);
  g_hash_table_unref (copy->comms);
  g_hash_table_unref (copy->contexts);
  g_hash_table_unref (copy->groups);
  g_hash_table_unref (copy->marked);
  g_array_unref (copy->begins);
  g_array_unref (copy->computed);
  g_array_unref (copy->unfinished);
  g_array_unref (copy->new_comms);
  pd_otf2_clear_chunks (copy);
  pd_program_builder_free (copy->builder);
  g_clear_error (&copy->error);
}
