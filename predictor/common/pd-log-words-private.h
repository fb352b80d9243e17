/* The effect of a step on a processor, in words.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LOG_WORDS_PRIVATE_H
#define PD_LOG_WORDS_PRIVATE_H

#include "predictor/common/pd-log-private.h"

/**
 * pd_log_words_say:
 * Appends what step @deed->what did for @deed->rank to the line.
 *
 * Returns: %FALSE if it did nothing; the line is not to be used then.
 */
gboolean pd_log_words_say (PdLogWords *self, const PdDeed *deed);

/**
 * pd_log_words_clear:
 * Releases what @self holds.
 */
void pd_log_words_clear (PdLogWords *self);

#endif
