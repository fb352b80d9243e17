/* A small hash table for graph simulation.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-goal-table-private.h"

#include <stddef.h>

#define SIZE_MIN 64

void
pd_goal_table_clear (PdGoalTable *self)
{
  g_free (self->entries);
  *self = (PdGoalTable){ NULL, 0, 0 };
}

static gsize
get_home (const PdGoalTable *self, guint64 a, guint64 b)
{
  guint64 mixed =
      (a ^ b * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);

  return (gsize) (mixed ^ mixed >> 32) & (self->size - 1);
}

/* The entry of a key, or the free one where it belongs. */
static PdGoalEntry *
probe (const PdGoalTable *self, guint64 a, guint64 b)
{
  gsize i = get_home (self, a, b);

  while (self->entries[i].b != 0 && (self->entries[i].a != a || self->entries[i].b != b))
    i = (i + 1) & (self->size - 1);
  return &self->entries[i];
}

guint64 *
pd_goal_table_find (const PdGoalTable *self, guint64 a, guint64 b)
{
  PdGoalEntry *entry;

  if (self->n == 0)
    return NULL;
  entry = probe (self, a, b);
  return entry->b != 0 ? &entry->value : NULL;
}

static void
enlarge (PdGoalTable *self)
{
  PdGoalTable larger = { NULL, MAX (SIZE_MIN, 2 * self->size), self->n };

  larger.entries = g_new0 (PdGoalEntry, larger.size);
  for (gsize i = 0; i < self->size; i++)
    if (self->entries[i].b != 0)
      *probe (&larger, self->entries[i].a, self->entries[i].b) = self->entries[i];
  g_free (self->entries);
  *self = larger;
}

guint64 *
pd_goal_table_get (PdGoalTable *self, guint64 a, guint64 b, guint64 initial)
{
  PdGoalEntry *entry;

  if (2 * (self->n + 1) > self->size)
    enlarge (self);
  entry = probe (self, a, b);
  if (entry->b == 0)
    {
      *entry = (PdGoalEntry){ a, b, initial };
      self->n++;
    }
  return &entry->value;
}

/* Entries behind the gap move up if they may, so that no gap parts them from
 * where a search for them begins. */
void
pd_goal_table_remove (PdGoalTable *self, guint64 *value)
{
  PdGoalEntry *removed = (PdGoalEntry *) ((char *) value - offsetof (PdGoalEntry, value));
  gsize mask = self->size - 1, gap = (gsize) (removed - self->entries), i = gap;

  self->n--;
  for (;;)
    {
      PdGoalEntry *entry;
      i = (i + 1) & mask;
      entry = &self->entries[i];
      if (entry->b == 0)
        break;
      if (((i - get_home (self, entry->a, entry->b)) & mask) < ((i - gap) & mask))
        continue;
      self->entries[gap] = *entry;
      gap = i;
    }
  self->entries[gap].b = 0;
}
