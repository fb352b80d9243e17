/* The report as XML; the schema is schemas/report.rng, the meaning is in
 * predictor-results(5).
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPORT_XML_H
#define PD_REPORT_XML_H

#include "reports/run/pd-report.h"

/**
 * pd_report_write_xml:
 * @self: the report
 * @out: an XML document (schemas/report.rng) is appended
 */
void pd_report_write_xml (const PdReport *self, GString *out);

#endif
