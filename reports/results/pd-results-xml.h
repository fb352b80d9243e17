/* Reading XML reports again: what a comparison needs of them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RESULTS_XML_H
#define PD_RESULTS_XML_H

#include "reports/results/pd-results-read.h"

/**
 * pd_results_read_xml:
 * @path: an XML report
 * @id: the number of a run in it, from 1; 0 = the last one
 *
 * As pd_results_read_run().
 */
gboolean pd_results_read_xml (const char *path, gint64 id, PdStoredRun *stored, GError **error);

/**
 * pd_results_parse_xml:
 * @bytes: an XML report
 * @name: what messages call it
 *
 * As pd_results_read_xml().
 */
gboolean pd_results_parse_xml (GBytes *bytes, const char *name, gint64 id, PdStoredRun *stored,
                               GError **error);

#endif
