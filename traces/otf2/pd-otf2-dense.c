/* OTF2 archives: what events refer to. References are small numbers in most archives: those are
 * places in arrays.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-dense-private.h"

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

static gpointer
get (GHashTable *all, const PdOtf2Dense *dense, guint32 ref)
{
  return ref < dense->n ? dense->found[ref]
                        : g_hash_table_lookup (all, GSIZE_TO_POINTER ((gsize) ref));
}

PdOtf2Region *
pd_otf2_get_region (const PdOtf2Archive *archive, OTF2_RegionRef ref)
{
  return get (archive->regions, &archive->dense_regions, ref);
}

PdOtf2Comm *
pd_otf2_get_comm (const PdOtf2Archive *archive, OTF2_CommRef ref)
{
  return get (archive->comms, &archive->dense_comms, ref);
}

PdOtf2Context *
pd_otf2_get_context (const PdOtf2Archive *archive, OTF2_CallingContextRef ref)
{
  return get (archive->contexts, &archive->dense_contexts, ref);
}
