/* Actions of the text form: WORD, what belongs there by place, and pairs KEY=VALUE,
 * which pd-text-keys.c reads.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEXT_ACTIONS_PRIVATE_H
#define PD_TEXT_ACTIONS_PRIVATE_H

#include "traces/text/pd-text-reader-private.h"

/* An action of self->rank: @word, and all that follows it. */
gboolean pd_text_read_action (PdText *self, PdTextSpan word, PdTextSpan *rest, GError **error);
/* "FILE" LINE ["FUNCTION"] [from=N]: the index of that site. */
gboolean pd_text_read_site (PdText *self, PdTextSpan word, PdTextSpan *rest, guint32 *site,
                            GError **error);
/* "NAME" [file="NAME"] [line=N] [index=N]: the index of that interval. */
gboolean pd_text_read_interval (PdText *self, PdTextSpan word, PdTextSpan *rest, guint32 *interval,
                                GError **error);

/* ---- pd-text-usage.c */

/* The clock of computation, of the program that has begun. */
gboolean pd_text_read_clock (PdText *self, PdTextSpan word, GError **error);
/* Pairs KEY=VALUE: resources of its host that self->rank had, and used. */
gboolean pd_text_read_usage (PdText *self, PdTextSpan *rest, GError **error);

#endif
