/* A table from handles to numbers: open addressing, one place after the other;
 * what is taken out leaves no trace, so that the table does not grow by use.
 * SPDX-License-Identifier: MIT */
#include "record/pd-rec-handles.h"

#include <stdlib.h>

static uint32_t
place_of (uintptr_t key, uint32_t n_places)
{
  return (uint32_t) (((uint64_t) key * 0x9e3779b97f4a7c15u) >> 32) & (n_places - 1);
}

/* Where @key is, or would be. */
static uint32_t
find (const PdRecHandles *self, uintptr_t key)
{
  uint32_t i = place_of (key, self->n_places);

  while (self->places[i].value != 0 && self->places[i].key != key)
    i = (i + 1) & (self->n_places - 1);
  return i;
}

uint32_t
pd_rec_handles_get (const PdRecHandles *self, uintptr_t key)
{
  return self->n == 0 ? 0 : self->places[find (self, key)].value;
}

static int
grow (PdRecHandles *self)
{
  PdRecHandles larger = { NULL, self->n_places > 0 ? 2 * self->n_places : 64, self->n };

  larger.places = calloc (larger.n_places, sizeof *larger.places);
  if (larger.places == NULL)
    return 0;
  for (uint32_t i = 0; i < self->n_places; i++)
    if (self->places[i].value != 0)
      larger.places[find (&larger, self->places[i].key)] = self->places[i];
  free (self->places);
  *self = larger;
  return 1;
}

/* What follows the hole @i and would not be found behind it moves there. */
static void
close_hole (PdRecHandles *self, uint32_t i)
{
  uint32_t mask = self->n_places - 1;

  for (uint32_t j = (i + 1) & mask; self->places[j].value != 0; j = (j + 1) & mask)
    {
      uint32_t home = place_of (self->places[j].key, self->n_places);

      if (((j - home) & mask) < ((j - i) & mask))
        continue;
      self->places[i] = self->places[j];
      i = j;
    }
  self->places[i].value = 0;
}

int
pd_rec_handles_set (PdRecHandles *self, uintptr_t key, uint32_t value)
{
  uint32_t i;

  if (value == 0 && self->n == 0)
    return 1;
  if (value != 0 && 2 * (self->n + 1) > self->n_places && !grow (self))
    return 0;
  i = find (self, key);
  if (value == 0)
    {
      if (self->places[i].value != 0)
        {
          self->n--;
          close_hole (self, i);
        }
      return 1;
    }
  self->n += self->places[i].value == 0;
  self->places[i] = (PdRecHandlesPlace){ key, value };
  return 1;
}
