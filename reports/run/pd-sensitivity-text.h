/* The sensitivity of a run for people.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SENSITIVITY_TEXT_H
#define PD_SENSITIVITY_TEXT_H

#include "reports/run/pd-sensitivity.h"

/**
 * pd_sensitivity_write_text:
 * @width: columns of the terminal
 * @all_with: (nullable): the end of the path only, and with what option there is all of it
 * @out: what is written is appended
 */
void pd_sensitivity_write_text (const PdSensitivity *self, guint width, const char *all_with,
                                GString *out);

#endif
