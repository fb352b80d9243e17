/* The advice as text.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ADVICE_WRITE_H
#define PD_ADVICE_WRITE_H

#include "reports/advice/pd-advice.h"

/**
 * pd_advice_write_text:
 * @self: the advice
 * @verbose: 0: the best grid of the interesting counts; 1: every grid
 * @width: columns of the terminal
 * @out: the table, the choices, the reasons and the messages are appended
 */
void pd_advice_write_text (const PdAdvice *self, int verbose, guint width, GString *out);

#endif
