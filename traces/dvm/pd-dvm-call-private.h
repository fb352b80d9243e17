/* The parameters of the current call, lexed when the first is asked for.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_CALL_PRIVATE_H
#define PD_DVM_CALL_PRIVATE_H

#include "traces/dvm/pd-dvm-reader-private.h"

/* Walks over the elements of one key, in order; elements after a hole and
 * repeated ones are left out. */
typedef struct
{
  const GArray *items;
  guint next;
  guint16 key;
  gint32 row;
  gint32 index; /* expected next */
} PdDvmWalk;

void pd_dvm_walk_init (PdDvmWalk *walk, const PdDvmItems *items, PdDvmKey key);

/* NULL: there are no more. */
const PdDvmItem *pd_dvm_walk_next (PdDvmWalk *walk);

/* FALSE if the text is none, or of another kind. */
gboolean pd_dvm_item_get_int (const PdDvmItem *item, gint64 *value);
gboolean pd_dvm_item_get_double (const PdDvmItem *item, gdouble *value);

/* Whether the text is what it should be by its kind. */
gboolean pd_dvm_item_is_readable (const PdDvmItem *item);

/* The beginning of the text, in UTF-8; the caller's. */
char *pd_dvm_item_describe (const PdDvmItem *item);

/* The beginning of the next value of the current call that cannot be read, NULL if there are
 * no more; @next begins with 0. @made is to be freed. */
const char *pd_dvm_reader_get_bad (PdDvmReader *self, guint *next, PdDvmKey *key, char **made);

/* Forgets the parameters of the previous call. */
void pd_dvm_reader_reset_call (PdDvmReader *self);

#endif
