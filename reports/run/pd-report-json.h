/* The report as one JSON document; its keys are in predictor-results(5).
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPORT_JSON_H
#define PD_REPORT_JSON_H

#include "reports/run/pd-report.h"

/**
 * pd_report_write_json:
 * @self: the report
 * @out: one JSON document is appended
 */
void pd_report_write_json (const PdReport *self, GString *out);

#endif
