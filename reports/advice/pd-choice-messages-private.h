/* Warnings and notes of the options of a choice.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CHOICE_MESSAGES_PRIVATE_H
#define PD_CHOICE_MESSAGES_PRIVATE_H

#include "reports/advice/pd-choice.h"

/* Appends what one option has below its name, then once what all have. If not @verbose, a kind of
 * message is shown for the first option that has it, and the others are counted. */
void pd_choice_write_messages (const PdChoice *self, gboolean verbose, GString *out);

#endif
