/* A hash table of 24 bytes an entry for what few ranks need: keys of two
 * words, values of one. Open addressing, linear probing.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_TABLE_PRIVATE_H
#define PD_GOAL_TABLE_PRIVATE_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint64 a;
  guint64 b; /* never 0 in an entry */
  guint64 value;
} PdGoalEntry;

typedef struct
{
  PdGoalEntry *entries;
  gsize size; /* 0 or a power of two */
  gsize n;
} PdGoalTable;

void pd_goal_table_clear (PdGoalTable *self);

/* The value of a key, valid until the next change; NULL if there is none. */
guint64 *pd_goal_table_find (const PdGoalTable *self, guint64 a, guint64 b);

/* Likewise; what is new has the value @initial. */
guint64 *pd_goal_table_get (PdGoalTable *self, guint64 a, guint64 b, guint64 initial);

/* @value: in an entry of the table, which goes. */
void pd_goal_table_remove (PdGoalTable *self, guint64 *value);

G_END_DECLS

#endif
