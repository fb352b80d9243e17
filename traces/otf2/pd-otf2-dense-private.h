/* OTF2 archives: what events refer to, found without hashing.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_DENSE_PRIVATE_H
#define PD_OTF2_DENSE_PRIVATE_H

#include "traces/otf2/pd-otf2-private.h"

/* All is defined: nothing is added any more. */
void pd_otf2_make_dense (PdOtf2Archive *archive);
void pd_otf2_clear_dense (PdOtf2Archive *archive);

/* What @ref refers to. */
static inline gpointer
pd_otf2_get_dense (const PdOtf2Dense *dense, GHashTable *all, guint32 ref)
{
  return G_LIKELY (ref < dense->n) ? dense->found[ref]
                                   : g_hash_table_lookup (all, GSIZE_TO_POINTER ((gsize) ref));
}

/* By their references; %NULL: not defined. */
static inline PdOtf2Region *
pd_otf2_get_region (const PdOtf2Archive *archive, OTF2_RegionRef ref)
{
  return pd_otf2_get_dense (&archive->dense_regions, archive->regions, ref);
}

static inline PdOtf2Comm *
pd_otf2_get_comm (const PdOtf2Archive *archive, OTF2_CommRef ref)
{
  return pd_otf2_get_dense (&archive->dense_comms, archive->comms, ref);
}

static inline PdOtf2Context *
pd_otf2_get_context (const PdOtf2Archive *archive, OTF2_CallingContextRef ref)
{
  return pd_otf2_get_dense (&archive->dense_contexts, archive->contexts, ref);
}

/* For the ranks of @archive: recorded times of calls differ, and are packed with their actions;
 * without them, actions are loops, and computation is beside them. */
PdProgramBuilder *pd_otf2_builder_new (const PdOtf2Archive *archive);

/* @copy: what a thread needs to read ranks of @archive, which has all definitions and is not
 * changed meanwhile; with a builder and messages of its own. */
void pd_otf2_copy_init (PdOtf2Archive *copy, const PdOtf2Archive *archive);
void pd_otf2_copy_clear (PdOtf2Archive *copy);

#endif
