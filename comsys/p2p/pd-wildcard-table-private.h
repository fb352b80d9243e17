/* The table of the lists and heaps of pd-wildcard-lists.c, and what they are made of.
 * Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WILDCARD_TABLE_PRIVATE_H
#define PD_WILDCARD_TABLE_PRIVATE_H

#include "comsys/p2p/pd-wildcard-lists.h"

void pd_wildcard_table_init (PdWildcard *self);

/* The entry of @key, valid until the next call; %NULL if it is empty and not
 * @wanted. */
PdWildcardEntry *pd_wildcard_find (PdWildcard *self, PdWildcardEntry key, gboolean wanted);

/* The first one in it; 0 = none. */
guint32 pd_wildcard_head_of (PdWildcard *self, PdWildcardEntry key);

/* A heap of messages, by (visible since, source): the new root. */
guint32 pd_wildcard_heap_add (PdComsys *self, guint which, guint32 root, guint32 send);
guint32 pd_wildcard_heap_remove (PdComsys *self, guint which, guint32 root, guint32 send);

/* @recv, 0 = none, may find a message. */
void pd_wildcard_chance_add (PdComsys *self, guint32 recv);
/* The oldest one; there must be some. */
PdWildcardChance pd_wildcard_chance_pop (PdComsys *self);

#endif
