/* The advice on shapes, as JSON and CSV.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ALLTOALL_ADVICE_DATA_H
#define PD_ALLTOALL_ADVICE_DATA_H

#include "reports/advice/pd-alltoall-advice.h"

/**
 * pd_alltoall_advice_write_json:
 * @self: the advice
 * @out: one JSON document is appended
 */
void pd_alltoall_advice_write_json (const PdAlltoallAdvice *self, GString *out);

/**
 * pd_alltoall_advice_write_csv:
 * @self: the advice
 * @out: one line per shape, with a heading, is appended
 */
void pd_alltoall_advice_write_csv (const PdAlltoallAdvice *self, GString *out);

#endif
