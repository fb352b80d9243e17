/* Call sites and wait states of both runs, as text and JSON.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMPARE_CALLS_WRITE_PRIVATE_H
#define PD_COMPARE_CALLS_WRITE_PRIVATE_H

#include "reports/compare/pd-compare.h"
#include "reports/emit/pd-json.h"

/* Nothing unless both runs have them. */
void pd_compare_write_calls (const PdCompare *self, guint width, GString *out);
void pd_compare_add_calls (const PdCompare *self, PdJson *json);

#endif
