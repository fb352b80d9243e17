/* The advice as JSON and CSV.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ADVICE_DATA_H
#define PD_ADVICE_DATA_H

#include "reports/advice/pd-advice.h"

/**
 * pd_advice_write_json:
 * @self: the advice
 * @out: one JSON document is appended
 */
void pd_advice_write_json (const PdAdvice *self, GString *out);

/**
 * pd_advice_write_csv:
 * @self: the advice
 * @out: one line per grid, with a heading, is appended
 */
void pd_advice_write_csv (const PdAdvice *self, GString *out);

#endif
