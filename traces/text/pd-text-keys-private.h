/* Values of keys in the text form, and what they share with places.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEXT_KEYS_PRIVATE_H
#define PD_TEXT_KEYS_PRIVATE_H

#include "traces/text/pd-text-reader-private.h"

/* A request; @begins: it may be new. */
gboolean pd_text_read_handle (PdText *self, PdTextSpan span, gboolean begins, guint32 *slot,
                              GError **error);
/* Computation, in the program's unit. */
gboolean pd_text_read_amount (PdText *self, PdTextSpan span, PdAmount *amount, GError **error);
/* KEY=VALUE of an action that has @has. */
gboolean pd_text_read_key (PdText *self, PdTextSpan word, guint has, PdAction *action,
                           GError **error);

/* The number of a site that is defined. */
gboolean pd_text_find_site (PdText *self, PdTextSpan value, guint32 *site, GError **error);

#endif
