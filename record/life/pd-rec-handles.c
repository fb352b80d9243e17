/* SPDX-License-Identifier: MIT */
#include "record/life/pd-rec-handles.h"

uint32_t
pd_rec_handles_get (const PdRecHandles *self, uintptr_t key)
{
  const uint64_t *value = pd_hash_map_find (self, key, 1);

  return value != NULL ? (uint32_t) *value : 0;
}

int
pd_rec_handles_set (PdRecHandles *self, uintptr_t key, uint32_t value)
{
  uint64_t *found = value == 0 ? pd_hash_map_find (self, key, 1) : NULL;

  if (found != NULL)
    pd_hash_map_remove (self, found);
  if (value == 0)
    return 1;
  if (!pd_hash_map_enlarge (self))
    return 0;
  *pd_hash_map_get (self, key, 1, 0) = value;
  return 1;
}
