/* The words of the text form.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEXT_WORDS_PRIVATE_H
#define PD_TEXT_WORDS_PRIVATE_H

#include "traces/text/pd-text-private.h"

extern const PdTextAction pd_text_actions[PD_N_ACTS];

extern const PdTextUnit pd_text_units[PD_TEXT_N_UNITS];

#endif
