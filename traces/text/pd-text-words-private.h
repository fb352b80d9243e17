/* The words of the text form.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEXT_WORDS_PRIVATE_H
#define PD_TEXT_WORDS_PRIVATE_H

#include "traces/text/pd-text-private.h"

extern const PdTextAction pd_text_actions[PD_N_ACTS];

/* Values of io=. */
extern const char *const pd_text_file_ops[PD_N_FILE_OPS];

extern const PdTextUnit pd_text_units[PD_TEXT_N_UNITS];

#endif
