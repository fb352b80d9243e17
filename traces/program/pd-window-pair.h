/* Origin and target of accesses over a window: the key of tables of epochs.
 * Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WINDOW_PAIR_H
#define PD_WINDOW_PAIR_H

#include <glib.h>

/* The first member of the entry of a pair in a table. */
typedef struct
{
  guint32 comm;   /* of the window */
  guint32 origin; /* ranks, of the communicator or of the world as the table has it */
  guint32 target;
} PdWindowPair;

/**
 * pd_window_pair_hash:
 * @pair: a #PdWindowPair
 *
 * For g_hash_table_new().
 */
guint pd_window_pair_hash (gconstpointer pair);

/**
 * pd_window_pair_equal:
 *
 * Returns: whether two #PdWindowPair are of the same window and ranks, likewise.
 */
gboolean pd_window_pair_equal (gconstpointer a, gconstpointer b);

#endif
